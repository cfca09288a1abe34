"""Variants of a claim: their content, omissions, the positions of their faults, and the arguments that name them."""

from pathlib import Path

import pytest

from claims.language.errors import ClaimError
from claims.language.files.claim import Claim
from claims.language.files.domains import IntervalDomain, Range
from claims.language.files.library import Entry, select
from claims.language.syntax.terms import names_of
from encoders.proving.reading import load_claim

FILE = """format = 1
title = "Title"
statement = "A statement."
work = "tests"
locator = "Lemma 1"
short = "L1"
role = "lemma"
uses = ["tests/other"]
repairs = "tests/first"
expect = "holds"
notes = "A note."
caveat = "A caveat."
ruleset = "subtraction(S = {1, c})"

[forall]
a = "1.."
b = "0..a"

[define]
c = "2"
"f(x)" = "x % 3"

[claim]
if = "a >= b"
then = "grundy(position([a])) == f(a)"

[scope]
a = "1..5"
"""
PROOF = """
[proof]
rule = "grundy"
heap = "3*q + r"
value = "r"
below = "v"

[proof.digits]
q = "0.."
r = "0..2"

[proof.below_digits]
v = "0.."

[[proof.options]]
digits = { q = "q", r = "v" }
take = { m = "h - y" }

[[proof.at]]
heap = "a"

[[proof.divide]]
dividend = "a"
divisor = "3"
quotient = "q"
remainder = "r"
"""


def written(folder: Path, variants: str, proof: str = "", name: str = "file") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(FILE + variants + proof, "utf-8")
    return path


def variant(folder: Path, lines: str, proof: str = "") -> Claim:
    """Return the variant with these lines, named one."""
    path = written(folder, f'\n[[variants]]\nname = "one"\n{lines}\n', proof)
    return load_claim(path, "file@one")


def refused(folder: Path, lines: str, proof: str = "") -> ClaimError:
    with pytest.raises(ClaimError) as caught:
        variant(folder, lines, proof)
    return caught.value


def test_lines_of_a_table_take_the_place_of_the_claims_own(tmp_path: Path) -> None:
    found = variant(tmp_path, 'forall.a = "2..9"\ndefine."f(y)" = "y % 2"\nscope.b = "0..1"')
    assert [v.name for v in found.variables] == ["a", "b"]  # in the file's order: b may use a
    domain = found.variables[0].domain
    assert isinstance(domain, IntervalDomain)
    assert found.scope("quick") == {"a": Range(1, 5), "b": Range(0, 1)}
    assert dict(found.texts)["f(y)"] == "y % 2"
    assert "f(x)" not in dict(found.texts)
    assert dict(found.texts)["if"] == "a >= b"


def test_a_line_may_be_new(tmp_path: Path) -> None:
    found = variant(tmp_path, 'forall.n = "0..b"\nclaim.then = "n <= a"')
    assert [v.name for v in found.variables] == ["a", "b", "n"]
    assert names_of([found.conclusion])[0] == {"n", "a"}


def test_a_variant_is_called_by_what_it_changes(tmp_path: Path) -> None:
    """The title and the statement of the claim may be false for the variant, so it has neither."""
    found = variant(tmp_path, 'define.c = "3"\nclaim.if = "a > b"')
    assert found.description.title == 'Variant one of "Title"'
    assert found.description.statement == "The claim of this file, changed: c = 3; if = a > b."
    assert (found.description.locator, found.description.short) == ("Lemma 1, one", "Lemma 1, one")
    assert found.source.made == {"title", "statement", "locator"}
    assert (found.description.expect, found.description.uses, found.description.repairs, found.description.notes) == (
        "",
        (),
        "",
        "",
    )
    assert found.description.caveat == "A caveat."
    assert (found.description.work, found.description.role, found.variant) == ("tests", "lemma", "one")


def test_a_variant_says_for_itself_what_it_says(tmp_path: Path) -> None:
    found = variant(
        tmp_path, 'define.c = "3"\ntitle = "T"\nstatement = "S."\nexpect = "refuted"\nnotes = "N."\nshort = "S"'
    )
    said = (
        found.description.title,
        found.description.statement,
        found.description.expect,
        found.description.notes,
        found.description.short,
    )
    assert said == ("T", "S.", "refuted", "N.", "S")
    assert found.source.made == {"locator"}


def test_words_of_the_author_count_as_his_whatever_they_are(tmp_path: Path) -> None:
    """The author may write the text that the program would generate."""
    words = 'title = "Variant one: c is 3"\nstatement = "The claim of this file, changed: c = 3."'
    found = variant(tmp_path, f'define.c = "3"\n{words}')
    assert (found.description.title, found.source.made) == ("Variant one: c is 3", {"locator"})


def test_the_claim_of_the_file_is_as_if_it_stood_alone(tmp_path: Path) -> None:
    alone = load_claim(written(tmp_path, ""), "file")
    beside = load_claim(written(tmp_path, '\n[[variants]]\nname = "one"\nclaim.then = "a == b"\n'), "file")
    assert (beside.description.title, beside.texts, beside.scopes) == (
        alone.description.title,
        alone.texts,
        alone.scopes,
    )
    assert beside.digest != alone.digest  # the digest covers the whole file


def test_no_two_variants_have_one_digest(tmp_path: Path) -> None:
    """They share one text; only the name distinguishes them in receipts and in the cache."""
    text = '\n[[variants]]\nname = "one"\nclaim.then = "a == b"\n[[variants]]\nname = "two"\nclaim.then = "a == b"\n'
    path = written(tmp_path, text)
    assert len({load_claim(path, id).digest for id in ("file", "file@one", "file@two")}) == 3


# -- the proof --------------------------------------------------------------------------------------------------------
def test_the_proof_is_the_claims_unless_the_variant_says_so(tmp_path: Path) -> None:
    assert variant(tmp_path, 'define.c = "2 + 0"', PROOF).proof is not None
    assert variant(tmp_path, 'proof = "none"', PROOF).proof is None
    assert variant(tmp_path, 'define.c = "3"', "").proof is None


def test_a_variant_without_the_proof_says_so(tmp_path: Path) -> None:
    assert (
        variant(tmp_path, 'proof = "none"', PROOF).description.statement
        == "The claim of this file, changed: without the [proof]."
    )


def test_a_proof_that_cannot_be_the_variants_says_how_to_do_without(tmp_path: Path) -> None:
    lines = (
        *('forall.a = "position"', 'forall.b = "0..3"', 'claim.if = "b >= 0"', 'claim.then = "len(a) <= b"'),
        *('scope.a = { heaps = "0..2", size = "1..3" }', 'scope.b = "0..3"'),
    )
    error = refused(tmp_path, "\n".join(lines), PROOF)
    assert error.place.line > 30
    assert error.expected.endswith('; or, in the variant, a separate [proof] or proof = "none"')


# -- faults -----------------------------------------------------------------------------------------------------------
def test_a_fault_of_the_variant_is_shown_where_it_says_it(tmp_path: Path) -> None:
    error = refused(tmp_path, 'claim.then = "a +"')
    assert error.place.text == 'claim.then = "a +"'
    assert [how for how, _ in error.calls] == ["in the variant 'one' at"]
    assert error.calls[0][1].text == "[[variants]]"


def test_a_fault_of_what_it_inherits_names_the_variant(tmp_path: Path) -> None:
    """The claim itself is valid; with a set instead of a number its conclusion is not."""
    error = refused(tmp_path, 'forall.a = "subsets of 1..3"')
    assert error.place.line < 35
    assert error.calls[-1] == ("in the variant 'one' at", error.calls[-1][1])
    assert error.calls[-1][1].text == "[[variants]]"
    assert load_claim(tmp_path / "file.toml", "file").variant == ""


@pytest.mark.parametrize(
    "lines",
    [
        'work = "other"',
        "format = 1",
        'uses = ["a/b"]',
        'repairs = "a/b"',
        'then = "a == b"',
        'define.c = "2"',
        "",
        'claim = "a == b"',
        'proof = "nothing"',
    ],
)
def test_what_no_variant_may_say(tmp_path: Path, lines: str) -> None:
    assert refused(tmp_path, lines).place.line >= 30


def test_a_bad_table_is_a_fault_of_the_claim_as_well(tmp_path: Path) -> None:
    """If the variants cannot be listed, readers of the claim see the error."""
    path = written(tmp_path, '\n[[variants]]\nclaim.then = "a == b"\n')
    assert [e.id for e in select((str(path),))] == [str(path).removesuffix(".toml")]
    with pytest.raises(ClaimError, match="has no 'name'"):
        load_claim(path, "file")


def test_there_is_no_such_variant(tmp_path: Path) -> None:
    path = written(tmp_path, '\n[[variants]]\nname = "weaker"\nclaim.then = "a == b"\n')
    with pytest.raises(ClaimError, match="there is no variant 'weakr'"):
        load_claim(path, "file@weakr")
    with pytest.raises(ClaimError, match="has no variant 'weakr'") as caught:
        select((f"{path}@weakr",))
    assert caught.value.near == "weaker"


# -- arguments that name them -----------------------------------------------------------------------------------------
TWO = """
[[variants]]
name = "one"
claim.then = "a == b"

[[variants]]
name = "two"
claim.then = "a < b"
"""


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("file.toml", ["file", "file@one", "file@two"]),
        (".", ["file", "file@one", "file@two", "other"]),
        ("file.toml@two", ["file@two"]),
        ("file@two", ["file@two"]),
    ],
)
def test_a_file_names_its_variants_and_an_id_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, found: list[str]
) -> None:
    written(tmp_path, TWO)
    written(tmp_path, "", name="other")
    monkeypatch.chdir(tmp_path)
    assert [e.id for e in select((word,))] == found


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("work/file", ["work/file"]),
        ("work/file@one", ["work/file@one"]),
        ("work/file@*", ["work/file@one", "work/file@two"]),
        ("work/*", ["work/file", "work/file@one", "work/file@two", "work/other"]),
        ("*@t*", ["work/file@two"]),
        ("work", ["work/file", "work/file@one", "work/file@two", "work/other"]),
    ],
)
def test_ids_and_globs_of_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, found: list[str]
) -> None:
    from claims.language.files import library as entries

    (tmp_path / "work").mkdir()
    written(tmp_path / "work", TWO)
    written(tmp_path / "work", "", name="other")
    monkeypatch.setattr(entries, "LIBRARY", tmp_path)
    assert [e.id for e in select((word,))] == found
    one = entries.find_shipped(found[0])
    assert one is not None
    assert one.id == found[0]
    assert entries.find_shipped("work/file@none") is None


def test_each_is_known_by_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, TWO)
    one, two, own = Entry("file@one", path), Entry("file@two", path), Entry("file", path)
    assert len({e.file for e in (one, two, own)}) == 3
    assert (one.variant_of, own.variant_of) == ("file", "")
    assert [e.id for e in select((str(path), f"{path}@one"))].count(str(path).removesuffix(".toml") + "@one") == 1


def test_an_at_in_the_name_of_a_file_is_no_variant(tmp_path: Path) -> None:
    path = written(tmp_path, "", name="a@b")
    (entry,) = select((str(path),))
    assert entry.variant_of == ""
    assert load_claim(path, entry.id).variant == ""
