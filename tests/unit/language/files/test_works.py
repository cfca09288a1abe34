"""The order of a work: works.toml, in the library and next to a user's claims; and short labels."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from library import load_once

from claims.language.errors import ClaimError
from claims.language.files import library as entries
from claims.language.files.claim import Claim
from claims.language.files.library import LONGEST, WorkEntry, bibliography, list_library, make_label, read_works, select

Write = Callable[..., Path]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """`mine("works.toml text", a={}, b={"repairs": "mine/a"})`: return a folder `mine` with these files."""
    monkeypatch.chdir(tmp_path)

    def write(works: str = "", /, **files: dict[str, str]) -> Path:
        folder = tmp_path / "mine"
        for name, keys in files.items():
            path = folder / f"{name.replace('__', '/').replace('_', '-')}.toml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f'{key} = "{text}"\n' for key, text in {"statement": "s", **keys}.items()))
        if works:
            (folder / "works.toml").write_text(f"format = 1\n{works}\n")
        return folder

    return write


@cache
def claims() -> tuple[Claim, ...]:
    """Return the claims of the library."""
    return tuple(load_once(e.path, e.id) for e in list_library())


def ids(*words: str) -> list[str]:
    return [entry.id for entry in select(words)]


def test_a_work_says_where_it_appeared_and_what_its_scan_does_not_show(mine: Write) -> None:
    folder = mine('[works.w]\nauthors = "A"\nvenue = "Annals 3"\nnot_shown = ["title", "year"]\n', a={})
    assert read_works(folder)["w"] == WorkEntry("w", "A", venue="Annals 3", not_shown=("title", "year"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('not_shown = ["pages"]', "'pages' cannot be in not_shown"),
        ('year = "1901"\nnot_shown = ["year"]', "'year' is in not_shown, but its value is '1901'"),
        ('not_shown = "year"', "'not_shown' is \"year\""),
    ],
)
def test_what_cannot_be_lacking_is_refused(text: str, problem: str, mine: Write) -> None:
    with pytest.raises(ClaimError, match=re.escape(problem)):
        read_works(mine(f"[works.w]\n{text}\n", a={}))


def test_each_work_of_the_library_has_authors_year_and_venue_or_says_that_they_are_not_shown() -> None:
    collections = ("classics", "heaps")
    for key, entry in bibliography().items():
        for name in ("authors", "year", "venue") if key not in collections else ():
            assert bool(getattr(entry, name)) is not (name in entry.not_shown), (key, name)


# -- the library ------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_every_claim_of_the_library_has_its_place_in_the_order() -> None:
    """Variants and repairs follow their claim. No position depends on the name of a file."""
    listed = {f"{work}/{name}" for work, entry in bibliography().items() for name in entry.order}
    assert all(c.description.repairs or c.variant for c in claims() if c.id not in listed)


@pytest.mark.slow
def test_the_library_stands_in_the_order_of_its_works() -> None:
    works = [e.id.split("/")[0] for e in list_library()]
    assert (
        list(dict.fromkeys(works))
        == list(bibliography())
        == ["nim", "kl-nim", "large-nim", "bash-nim", "classics", "heaps"]
    )
    for work, entry in bibliography().items():
        ours = dict.fromkeys(
            e.path.stem for e in list_library() if e.id.startswith(f"{work}/")
        )  # variants follow their claims
        assert [name for name in ours if name in entry.order] == list(entry.order)


@pytest.mark.slow
def test_what_repairs_a_claim_follows_it() -> None:
    before = ""
    for claim in claims():
        assert claim.description.repairs in ("", before), claim.id
        before = claim.description.repairs or claim.id


@pytest.mark.parametrize(
    ("work", "numbered"),
    [("kl-nim", "Example|Theorem|Corollary|Lemma"), ("large-nim", "Theorem")],  # one count for all; theorems alone
)
@pytest.mark.slow
def test_the_numbers_of_a_paper_rise(work: str, numbered: str) -> None:
    locators = [c.description.locator for c in claims() if c.description.work == work]
    found = [int(m[2]) for x in locators if (m := re.match(rf"(?:Proof of )?({numbered}) (\d+)", x))]
    assert found == sorted(found)
    assert len(found) > 5


def test_a_step_of_a_proof_follows_what_it_proves_and_is_used() -> None:
    place = {c.id: i for i, c in enumerate(claims())}
    for step in (c for c in claims() if c.description.role == "step"):
        users = [c.id for c in claims() if step.id in c.description.uses]
        assert users, f"{step.id} stands in no `uses`"
        assert any(place[user] < place[step.id] for user in users), step.id


def test_labels_of_a_work_differ_and_fit() -> None:
    assert len({(c.description.work, c.description.short) for c in claims()}) == len(claims())
    assert all(0 < len(c.description.short) <= LONGEST for c in claims())


# -- a user's folders -------------------------------------------------------------------------------------------------
def test_without_an_order_claims_come_by_name(mine: Write) -> None:
    mine(b={}, a={}, c={})
    assert ids("mine") == ["mine/a", "mine/b", "mine/c"]


def test_listed_claims_come_first_in_their_order(mine: Write) -> None:
    mine('[works.p]\norder = ["c", "b"]', a={}, b={}, c={}, d={})
    assert ids("mine") == ["mine/c", "mine/b", "mine/a", "mine/d"]
    assert ids("mine/a.toml", "mine/c.toml") == ["mine/a", "mine/c"]  # arguments keep their order


def test_works_come_as_they_are_listed(mine: Write) -> None:
    works = '[works.q]\norder = ["y", "x"]\n[works.p]\norder = ["b"]'
    mine(works, p__a={}, p__b={}, q__x={}, q__y={}, other__z={}, r={})
    expected = ["mine/q/y", "mine/q/x", "mine/p/b", "mine/p/a", "mine/r", "mine/other/z"]
    assert ids("mine") == expected
    assert ids("mine/p") == ["mine/p/b", "mine/p/a"]  # the works.toml above the folder


def test_repairs_follow_what_they_repair(mine: Write) -> None:
    works = '[works.p]\norder = ["fix", "two", "one"]'
    mine(works, one={}, two={}, fix={"repairs": "mine/one"}, more={"repairs": "mine/fix"}, x={"repairs": "mine/none"})
    assert ids("mine") == ["mine/two", "mine/one", "mine/fix", "mine/more", "mine/x"]


def test_repairs_in_a_circle_are_not_lost(mine: Write) -> None:
    mine(a={"repairs": "mine/b"}, b={"repairs": "mine/a"}, c={"repairs": "mine/c"}, d={})
    assert ids("mine") == ["mine/d", "mine/a", "mine/b", "mine/c"]


def test_the_bibliography_of_a_run_has_works_of_ones_own(mine: Write) -> None:
    mine('[works.p]\ntitle = "On a game"\nauthors = "A. Author"\nshort = "Game"\n[works.q]\n', a={})
    found = bibliography(select(("mine",)))
    assert found["p"] == WorkEntry("On a game", "A. Author", short="Game")
    assert found["q"] == WorkEntry("q")
    assert "kl-nim" in found


@pytest.mark.parametrize(
    ("works", "text"),
    [
        ('[works.p]\norder = ["a", "lemma"]', "mine/works.toml:3:15: there is no claim 'lemma' of the work 'p'"),
        ('[works.p]\norder = ["lema-1"]', "did you mean 'lemma-1'?"),
        ('[works.p]\norder = ["../a"]', "there is no claim '../a' of the work 'p'"),
        ('[works.p]\norder = ["works"]', "there is no claim 'works' of the work 'p'"),
        ('[works.p]\norder = ["a", "a"]', "'a' appears twice in 'order'"),
        ('[works.p]\norder = "a"', "'order' is \"a\""),
        ("[works.p]\norder = [1]", "this is 1"),
        ("[works.p]\ntitle = 1", "'title' is 1"),
        ("[works.p]\nyears = 1", "unknown key 'years'"),
        ("[works]\np = 1", "'p' is 1"),
        ("works = 1", "'works' is 1"),
        ("[other]", "unknown key 'other'"),
    ],
)
def test_what_a_works_toml_cannot_say(mine: Write, works: str, text: str) -> None:
    mine(works, a={}, lemma_1={})
    with pytest.raises(ClaimError) as caught:
        select(("mine",))
    assert text in str(caught.value)


def test_an_order_with_a_claim_that_is_not_there_stops_the_library_too(
    mine: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = mine('[works.p]\norder = ["gone"]', p__a={})
    monkeypatch.setattr(entries, "LIBRARY", folder)
    with pytest.raises(ClaimError, match="there is no claim 'gone' of the work 'p'"):
        list_library()


def test_a_folder_without_works_has_none(tmp_path: Path) -> None:
    assert read_works(tmp_path) == {}


# -- labels -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("locator", "label"),
    [
        ("Lemma 11", "Lemma 11"),
        ("  Theorem\n 2 ", "Theorem 2"),
        ("Proof of Lemma 11", "Proof of Lemma 11"),
        ("Proof of Theorem 3, case (B.2.1)", "Theorem 3, case (B.2.1)"),
        ("Introduction, after Definition 1", "After Definition 1"),
        ("x" * 100, "x" * 27 + "…"),
        ("word " * 10, "word word word word word…"),
        ("a" * 40 + ", " + "b" * 40, "B" + "b" * 26 + "…"),
        (", , , ,", ", , , ,"),
        ("", ""),
    ],
)
def test_a_label_is_made_from_the_locator(locator: str, label: str) -> None:
    assert make_label(locator) == label
    assert len(make_label(locator)) <= LONGEST
