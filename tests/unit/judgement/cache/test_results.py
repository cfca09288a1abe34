"""Only final results are stored, and a result is found only if all its inputs are unchanged."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from samples import alter
from small import CLAIM, SHARED, open_results, write_claim

from checks.cache import results as caching
from checks.cache.results import RESULTS, is_final
from checks.execution.settle import settle_entry, settle_entry_safely
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult, MutantFate, MutantResult
from checks.results.shown import Undrawn
from checks.results.verdicts import Verdict
from claims.language.files.claim import Judgement
from claims.language.files.library import LIBRARY, Entry, find_shipped, list_library
from claims.language.files.toml import record_files
from encoders.logic.answer import Decision, Obligation, ObligationStatus
from encoders.proving.reading import load_claim

OPTIONS = Options()


@pytest.fixture
def entry(tmp_path: Path) -> Entry:
    return write_claim(tmp_path / "claims")


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> ClaimResult:
    return settle_entry(write_claim(tmp_path_factory.mktemp("claims")), OPTIONS)


def again(entry: Entry, folder: Path) -> ClaimResult | None:
    return open_results(folder).find(entry, OPTIONS, {})


def keep(entry: Entry, folder: Path, result: ClaimResult | None = None) -> ClaimResult:
    found = result or settle_entry(entry, OPTIONS)
    open_results(folder).keep(entry, OPTIONS, {}, found)
    return found


def test_a_result_is_found_as_it_was(entry: Entry, tmp_path: Path) -> None:
    result = keep(entry, tmp_path / "cache")
    found = again(entry, tmp_path / "cache")
    assert result.verdict is Verdict.VERIFIED and found is not None and found.provenance.cached
    assert (found, found.provenance.seconds) == (result, result.provenance.seconds)


# -- the inputs -------------------------------------------------------------------------------------------------------
def swap(path: Path) -> None:
    text = path.read_bytes()
    path.unlink()
    path.with_name("real").write_bytes(text)
    path.symlink_to("real")


EDITS = {
    "the claim": lambda f: (f / "one-heap.toml").write_text(CLAIM + "\n# a comment\n"),
    "its scope": lambda f: (f / "one-heap.toml").write_text(CLAIM.replace("1..20", "1..21")),
    "its ruleset": lambda f: (f / "half-nim.toml").write_text(
        (f / "half-nim.toml").read_text().replace("loses", "wins")
    ),
    "its ruleset is gone": lambda f: (f / "half-nim.toml").unlink(),
    "a definition": lambda f: (f / "definitions.toml").write_text(SHARED.replace("x ==", "x + 0 ==")),
    "a definition that it does not use": lambda f: (f / "definitions.toml").write_text(SHARED + '"n(x)" = "x"\n'),
    "its definitions are gone": lambda f: (f / "definitions.toml").unlink(),
    "a file that is a link now": lambda f: swap(f / "half-nim.toml"),
    "a theorem beside it, which might be a hint": lambda f: (f / "new.toml").write_text("x = 1"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_a_miss(entry: Entry, edit: str, tmp_path: Path) -> None:
    keep(entry, tmp_path / "cache")
    EDITS[edit](entry.path.parent)
    assert again(entry, tmp_path / "cache") is None


def test_a_file_that_would_have_gone_before_another_is_noticed(tmp_path: Path) -> None:
    """The library's ruleset is used as long as there is none next to the claim."""
    entry = write_claim(tmp_path / "claims")
    entry.path.with_name("half-nim.toml").unlink()
    text = CLAIM.replace("half-nim", "nim").replace("position([n]), A", "position([n])")
    entry.path.write_text(text.replace("is_power(n + 1)", "n < 0"))
    result = keep(entry, tmp_path / "cache")
    assert result.verdict is Verdict.VERIFIED
    assert again(entry, tmp_path / "cache") is not None
    (entry.path.parent / "nim.toml").write_text((LIBRARY / "rulesets" / "nim.toml").read_text())
    assert again(entry, tmp_path / "cache") is None


def test_a_file_that_is_edited_while_its_claim_is_settled_keeps_the_result_out(
    entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    from checks.execution import settle as settling

    def edit(claim: object) -> None:
        entry.path.write_text(CLAIM + "\n")
        load_claim(entry.path, entry.id)

    assert settle_entry(entry, OPTIONS).provenance.seen
    monkeypatch.setattr(settling, "find_closed_form", edit)
    result = settle_entry(entry, OPTIONS)
    assert is_final(result) and not result.provenance.seen


def test_what_is_kept_is_kept_under_what_was_read_not_under_what_is_there_now(entry: Entry, tmp_path: Path) -> None:
    result = settle_entry(entry, OPTIONS)
    entry.path.write_text(CLAIM.replace("1..20", "1..30"))  # between settling and storing
    keep(entry, tmp_path / "cache", result)
    assert again(entry, tmp_path / "cache") is None


READING = {
    "lemmas": "bash-nim/theorem",
    "another's proof": "kl-nim/complete-solution",
    "a closed form that another claim belongs to": "kl-nim/theorem-6",
    "no proof": "kl-nim/lemma-11",
}


def look(id: str) -> tuple[set[Path], set[Path], set[Path]]:
    """Return the files of the library that are opened, requested, and on the trail while a shipped claim is loaded.

    This runs in a separate process, because Python's hooks cannot be removed and slow down every call of Z3.
    """
    from checks.presentation.hints import _find_theorems
    from checks.presentation.mathematics import _load_used_claims
    from claims.language.files.proofs import Location

    opened, asked, stat, on = set[Path](), set[Path](), os.stat, True

    def note(path: object, where: set[Path]) -> None:
        found = Path.cwd() / str(path)
        if found.is_relative_to(LIBRARY) and "language" not in found.parts and "__pycache__" not in found.parts:
            where.add(found)

    def hear(event: str, args: tuple[object, ...]) -> None:
        if on and event in ("open", "os.listdir", "os.scandir") and isinstance(args[0], str | Path):
            note(Path(args[0]) / ("*.toml" if event != "open" else ""), opened)

    def noting(path: object, *args: object, **how: object) -> object:
        nonlocal on
        if on and isinstance(path, str | Path) and str(path).endswith(".toml"):
            on = False
            note(path, asked)
            on = True
        return stat(path, *args, **how)

    found = find_shipped(id)
    assert found is not None
    sys.addaudithook(hear)
    with record_files() as trail, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "stat", noting)
        claim = load_claim(found.path, found.id)
        list(_load_used_claims(claim))
        list(_find_theorems(claim, Location(claim.id, found.path, LIBRARY)))
        on = False
    return opened, asked, {Path.cwd() / name for name, _ in trail.file_states}


@pytest.fixture(scope="module")
def looked() -> dict[str, tuple[set[Path], set[Path], set[Path]]]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return dict(zip(READING, pool.map(look, READING.values()), strict=True))


@pytest.mark.parametrize("what", READING)
@pytest.mark.slow
def test_whatever_is_looked_at_is_on_the_trail(what: str, looked: dict[str, tuple[set[Path], ...]]) -> None:
    """This covers loading and derived data, but not the routes, which read no files and take long."""
    opened, asked, seen = looked[what]
    opened.discard(LIBRARY / "*.toml")  # only its folders matter
    assert LIBRARY / "*" in seen
    assert len(opened) > 5 and len(asked) > 5
    assert opened - seen == set()
    assert {path for path in asked - seen if path.parent != LIBRARY} == set()


def test_all_that_a_result_names_was_seen(library: object) -> None:
    for id in ("nim/misere-differs-only-at-ones", "nim/table-n-n-normal", "kl-nim/lemma-13-move-two-heaps"):
        source = library(id).provenance
        assert {name for name, _ in source.files} <= {name for name, _ in source.seen}
        assert all(digest in dict(source.seen)[name] for name, digest in source.files)


def test_only_a_plain_id_is_one_of_the_library() -> None:
    assert find_shipped("nim/bouton") == next(e for e in list_library() if e.id == "nim/bouton")
    for id in ("nim/none", "rulesets/nim", "../x/y", "nim", "nim/bouton/x", "nim/../nim/bouton", "kl-nim/definitions"):
        assert find_shipped(id) is None


# -- final results ----------------------------------------------------------------------------------------------------
def with_evidence(result: ClaimResult, **changes: object) -> ClaimResult:
    assert result.finding.evidence is not None
    return alter(result, evidence=replace(result.finding.evidence, **changes))


def with_route(result: ClaimResult, answer: Decision, *obligations: Obligation) -> ClaimResult:
    return alter(
        result,
        routes=(*result.finding.routes, replace(result.finding.routes[0], answer=answer)),
        obligations=obligations,
    )


PROVED, FAILED = Obligation("a", ObligationStatus.PROVED), Obligation("b", ObligationStatus.FAILED, "fails at x = 1")
UNSETTLED = {
    "inconclusive": lambda r: replace(r, verdict=Verdict.INCONCLUSIVE),
    "an error": lambda r: replace(r, verdict=Verdict.ERROR),
    "inconsistent": lambda r: replace(r, verdict=Verdict.INCONSISTENT),
    "something went wrong": lambda r: alter(r, error="internal error"),
    "no evidence": lambda r: alter(r, evidence=None),
    "the referee differs": lambda r: with_evidence(r, differs=True),
    "a case too large for the referee": lambda r: with_evidence(r, replays=((Judgement.HOLDS, Judgement.TOO_LARGE),)),
    "a route out of time": lambda r: with_route(r, Decision.UNKNOWN),
    "a proof out of time": lambda r: with_route(r, Decision.UNKNOWN, PROVED, Obligation("b", ObligationStatus.UNKNOWN)),
    "a proof that stops without a word": lambda r: with_route(r, Decision.UNKNOWN, PROVED),
    "solvers that disagree": lambda r: with_route(
        r, Decision.CONTRADICTION, Obligation("b", ObligationStatus.CONTRADICTION)
    ),
    "a seed that gives up": lambda r: with_route(
        r, Decision.HOLDS, replace(PROVED, is_reproducible=False, note="plain; unstable: Z3 gives up with seed 1")
    ),
    "a second solver that gives up": lambda r: with_route(
        r, Decision.HOLDS, replace(PROVED, is_reproducible=False, note="not confirmed by cvc5: timeout")
    ),
    "a picture that takes too long": lambda r: alter(r, pictures=(Undrawn("map", "it takes more than 4 seconds"),)),
    "a mutant out of time": lambda r: alter(r, mutants=(MutantResult("k", "d", MutantFate.UNDECIDED, "out of time"),)),
}
SETTLED = {
    "as it is": lambda r: r,
    "refuted": lambda r: replace(r, verdict=Verdict.REFUTED),
    "proved": lambda r: with_route(replace(r, verdict=Verdict.PROVED), Decision.HOLDS, PROVED),
    "vacuous": lambda r: replace(r, verdict=Verdict.VACUOUS),
    "a proof that fails": lambda r: with_route(r, Decision.UNKNOWN, PROVED, FAILED),
    "a rule that cannot follow": lambda r: with_route(r, Decision.UNSUPPORTED),
    "mutants": lambda r: alter(r, mutants=(MutantResult("k", "d", MutantFate.SURVIVED, ""),)),
}


@pytest.mark.parametrize("name", UNSETTLED)
def test_what_may_come_out_otherwise_is_not_kept(name: str, settled: ClaimResult, entry: Entry, tmp_path: Path) -> None:
    result = UNSETTLED[name](settled)
    assert not is_final(result)
    keep(entry, tmp_path / "cache", result)
    assert open_results(tmp_path / "cache").store.measure() == (0, 0)


@pytest.mark.parametrize("name", SETTLED)
def test_what_is_settled_is_kept(name: str, settled: ClaimResult, entry: Entry, tmp_path: Path) -> None:
    result = alter(SETTLED[name](settled), seen=settle_entry(entry, OPTIONS).provenance.seen)
    assert is_final(result)
    keep(entry, tmp_path / "cache", result)
    assert again(entry, tmp_path / "cache") == result


def test_what_is_kept_though_it_is_not_settled_is_not_believed(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(caching, "is_final", lambda result: True)
        keep(entry, tmp_path / "cache", replace(settle_entry(entry, OPTIONS), verdict=Verdict.INCONCLUSIVE))
        assert again(entry, tmp_path / "cache") is not None
    assert again(entry, tmp_path / "cache") is None


@pytest.mark.slow
def test_a_key_of_the_same_digest_is_noticed(entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(entry, tmp_path / "cache")
    with monkeypatch.context() as patch:
        patch.setattr(caching.ResultKey, "digest", b"the same for all")
        keep(entry, tmp_path / "cache")
        assert again(entry, tmp_path / "cache") is not None
        assert open_results(tmp_path / "cache").find(entry, replace(OPTIONS, budget=1.0), {}) is None


def test_where_part_of_the_work_died_nothing_is_kept(entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    from checks.presentation import hints

    def die(*_: object) -> None:
        raise MemoryError

    assert settle_entry(entry, OPTIONS).provenance.seen
    monkeypatch.setattr(hints, "give_hints", die)
    result = settle_entry(entry, OPTIONS)
    assert result.verdict is Verdict.VERIFIED and is_final(result) and not result.provenance.seen


@pytest.mark.slow
def test_what_is_no_result_in_the_database_is_not_there(entry: Entry, tmp_path: Path) -> None:
    result = keep(entry, tmp_path / "cache")
    opened = open_results(tmp_path / "cache")
    key = opened._key(entry, OPTIONS, {}, ("n",), result.provenance.seen).digest
    whole = opened.store.get(RESULTS, key)
    assert whole is not None
    for broken in (b"", b"{}", whole[:-1], whole.replace(b'"verified"', b'"certain"'), whole.replace(b"20", b"2.0")):
        opened.store.put(RESULTS, key, broken)
        assert again(entry, tmp_path / "cache") is None
    opened.store.put(RESULTS, key, whole)
    assert again(entry, tmp_path / "cache") == result


def test_an_interrupted_or_lost_claim_leaves_nothing(tmp_path: Path) -> None:
    lost = settle_entry_safely(Entry("missing", tmp_path / "missing.toml"), OPTIONS)
    assert lost.verdict is Verdict.ERROR and not is_final(lost)
