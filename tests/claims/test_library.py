"""The shipped library in its quick scope: complete, settled, and with the expected verdicts."""

from collections import Counter
from pathlib import Path

import pytest
from library import DEAR, ENTRIES, ONE_SEED, PROVED, Library, claim_of

from checks.command.replay import replay
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.presentation.account import find_denials
from checks.receipts.receipt import write_receipt
from checks.results.verdicts import Verdict
from checks.results.wording import limit_texts
from claims.language.files.library import bibliography, list_lemmas
from claims.language.files.toml import read as read_file
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim
from encoders.solvers import discharge as discharging
from encoders.solvers.effort import using_store
from encoders.solvers.shipped import FILE, read
from encoders.trust import is_everything

SHIPPED = read(FILE).keys()
COUNTS = {"nim": 26, "kl-nim": 24, "large-nim": 21, "bash-nim": 20}
# Refuted as printed, with the smallest counterexample; the comments and notes of the files verify it by hand.
REFUTED = {
    "nim/table-n-n-misere": {"n": 1},
    "nim/table-1-1-n-n-misere": {"n": 1},
    "nim/table-n-n-m-m-misere": {"n": 1, "m": 1},
    "nim/table-n-n-n-n-misere": {"n": 1},
    "kl-nim/n-position-test": {"s": (1, 1)},
    "kl-nim/example-3": {},
    "kl-nim/theorem-6-induction-hypothesis": {"t": 1, "s": 2, "m": 1},
    "kl-nim/lemma-11": {"k": 3, "l": 4, "s": (2, 2, 4)},
    "kl-nim/lemma-11-move": {"k": 3, "l": 4, "s": (2, 2, 4), "h": 4},
    "kl-nim/theorem-12-reply": {"k": 3, "l": 4, "s": (2, 2, 4)},
    "kl-nim/lemma-13": {"k": 7, "l": 9, "s": (3, 9, 10)},
    "kl-nim/lemma-13-move": {"k": 3, "l": 4, "s": (1, 2, 3)},
    "large-nim/theorem-2-case-b": {"n": 3, "s": (1, 2)},
    "large-nim/theorem-3-case-b11-shape": {"n": 3, "s": (1, 1, 2)},
    "large-nim/theorem-3-case-b12": {"n": 3, "s": (1, 2, 3)},
    "bash-nim/final-position": {"k": 1, "s": ()},
    "bash-nim/heap-choice": {"k": 3, "s": (2, 3)},
    "classics/half-nim-of-the-heap": {"e": 0, "g": 1},
    "classics/wythoff-fibonacci": {"x": 4, "y": 7},
}
# Guesses next to the theorems of the classics, also with the smallest counterexample.
GUESSES = {
    "classics/wythoff-fibonacci": {"x": 4, "y": 7},
    "classics/half-nim-of-the-heap": {"e": 0, "g": 1},
    "classics/greedy-nim-as-nim": {"s": (1, 2, 2)},
    "classics/misere-bash-nim-by-heaps": {"k": 1, "s": (2,)},
    "classics/moore-nim-sum": {"s": (1, 1)},
    "classics/cyclic-nimhoff@as-nim": {"s": (1,)},
    "classics/cyclic-nimhoff@steps-by-nim": {"s": (1, 1)},
    "classics/misere-moore-by-parity": {"n": 3},
    "heaps/octal-314-as-31": {"n": 5},
    "heaps/octal-161-as-36": {"n": 519},
    "classics/small-nim@ones-alone": {"s": (2,)},
    "classics/antonim-two-heaps@as-nim": {"x": 1, "y": 2},
    "classics/cutting@by-the-total": {"s": (1,)},
    "classics/slow-nim-two-heaps@by-the-larger": {"x": 0, "y": 1},
    "classics/whole-heaps@one-less": {"h": 1, "t": 1},
    "classics/whole-heaps-small@one-more": {"t": 1, "s": (1, 2)},
    "classics/min-nim-two-heaps@three-and-four": {"x": 3, "y": 4},
    "classics/squarefree@modulo-3": {"n": 3},
    "classics/digit-sum@multiples-of-10": {"n": 9},
    "classics/mark-3@divisible": {"n": 9},
    "classics/upmark@dopey": {"n": 2},
}


def test_no_refuted_claim_has_a_title_that_denies_it() -> None:
    for id in REFUTED | GUESSES:
        assert find_denials(claim_of(id)) == [], id


def test_each_statement_of_a_work_has_words_and_a_place() -> None:
    """A file outside the library needs none of these keys."""
    for entry in ENTRIES.values():
        data = read_file(entry.path).data
        assert [k for k in ("title", "statement", "work", "locator", "role") if not data.get(k)] == [], entry.id


OWN = [e for e in ENTRIES.values() if not e.variant_of]  # variants do not inherit `repairs`
REPAIRS = {e.id: repaired for e in OWN if (repaired := read_file(e.path).data.get("repairs"))}
STATED = set(ENTRIES) - set(REPAIRS)
CHOSEN = ("classics", "heaps")  # collections that we chose
LARGE = {"heaps/octal-127", "heaps/octal-16"}  # the referee cannot play their heaps; other code checks the table
FAR = {
    "heaps/octal-161-as-36",
    "heaps/octal-156@one-before",
}  # the counterexample is so large that the referee needs a table, which a receipt does not contain


def test_every_statement_has_its_file() -> None:
    found = Counter(id.split("/")[0] for id in STATED)
    assert {work: count for work, count in found.items() if work not in CHOSEN} == COUNTS


@pytest.mark.parametrize("id", ENTRIES)
def test_each_claim_is_settled_as_its_file_expects(library: Library, id: str) -> None:
    found = library(id)
    assert found.verdict in (Verdict.PROVED, Verdict.VERIFIED, Verdict.REFUTED), (
        found.finding.error or found.finding.not_established
    )
    assert found.finding.as_expected is True
    assert found.finding.rechecked > 0 or id in LARGE
    if (refuted := (REFUTED | GUESSES).get(id)) is not None:
        assert found.finding.counterexample is not None
        assert dict(found.finding.counterexample.variables) == refuted
        assert found.finding.counterexample.replayed
        assert found.statement.notes, "a refuted statement is explained in its file"
    elif id.startswith("heaps/") and "@" in id:  # for each claim: one before a preperiod, another period
        assert found.verdict is Verdict.REFUTED
        assert found.finding.counterexample is not None
        assert found.finding.counterexample.replayed
    else:
        assert found.verdict.holds
        assert found.finding.cases_with_hypotheses > 0
    if found.verdict is Verdict.VERIFIED:
        assert not is_everything(found.finding.scope)
        assert found.finding.not_established


class Found:
    """A store without certificates, so that all are searched for. `keys`: the keys of the stored certificates."""

    def __init__(self) -> None:
        self.keys = set[bytes]()

    def get(self, key: bytes) -> None:
        return None

    def put(self, key: bytes, value: bytes) -> None:
        self.keys.add(key)


@pytest.mark.slow
@pytest.mark.long
def test_a_search_comes_to_the_certificates_that_come_with_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise each user searches for them. .ci/certificates writes them. Another version of Z3 may find others."""
    monkeypatch.setattr(discharging, "_proved", {})  # obligations proved by a certificate without a search
    searched, missing = set[bytes](), {}
    claims = (load_claim(entry.path, id) for id, entry in sorted(ENTRIES.items()))
    for claim in (claim for claim in claims if claim.proof is not None):
        id, found = claim.id, Found()
        with using_store(found):  # a false sibling inherits the proof of its claim, which is then wrong
            assert (prove(claim, effort=ONE_SEED.effort).decision is Decision.HOLDS) is (
                claim.description.expect != "refuted"
            ), id
        if new := found.keys - SHIPPED:
            missing[id] = len(new)
        searched |= found.keys
    assert missing == {}
    assert searched
    assert searched == SHIPPED, "some are for nothing"


@pytest.mark.parametrize("id", ENTRIES)
@pytest.mark.slow
def test_what_a_claim_rests_on_is_in_the_library(id: str) -> None:
    claim = claim_of(id)
    assert set(claim.description.uses) <= set(ENTRIES)
    assert id not in claim.description.uses
    assert claim.description.work in bibliography()


@pytest.mark.slow
def test_the_argument_has_no_cycle() -> None:
    uses = {id: claim_of(id).description.uses for id in ENTRIES}
    settled: set[str] = set()
    while len(settled) < len(uses):
        ready = {id for id, needed in uses.items() if id not in settled and set(needed) <= settled}
        assert ready, f"a cycle among {sorted(set(uses) - settled)}"
        settled |= ready


def test_each_refuted_statement_has_something_in_its_place() -> None:
    assert set(REFUTED) <= set(REPAIRS.values()) <= set(REFUTED | GUESSES)


@pytest.mark.parametrize("id", REPAIRS)
def test_what_is_in_place_of_a_refuted_statement_holds(library: Library, id: str) -> None:
    assert claim_of(id).description.role == "conjecture"
    assert library(id).verdict is Verdict.PROVED


@pytest.mark.parametrize("id", ENTRIES)
def test_each_receipt_can_be_replayed(library: Library, id: str, tmp_path: Path) -> None:
    path = write_receipt(library(id), ENTRIES[id], Options(), tmp_path, "0")
    found = replay(path)
    assert found.confirmed or library(id).verdict is not Verdict.REFUTED or id in FAR


@pytest.mark.parametrize(("id", "size"), [(id, size) for size, ids in PROVED.items() for id in ids.split()])
@pytest.mark.slow
def test_what_is_proved_without_bound(library: Library, id: str, size: str) -> None:
    found = library(id)
    assert found.verdict is Verdict.PROVED
    scope = limit_texts(found.finding.scope)
    assert set(scope.values()) <= {"all", size}
    assert scope.get("s.heaps", "all") == "all"
    assert any(x.startswith("rule: ") for x in found.finding.trusted)
    assert all(o.result == "proved" and not o.note.startswith("unstable") for o in found.finding.obligations)


@pytest.mark.slow
@pytest.mark.parametrize("id", DEAR)
def test_what_is_dear_is_proved_with_every_seed(library: Library, id: str) -> None:
    lemmas = {lemma.file: library(lemma.id).as_lemma for lemma in list_lemmas(ENTRIES[id])}
    found = settle_entry(ENTRIES[id], Options(), lemmas)
    assert found.verdict is Verdict.PROVED
    assert not [o.name for o in found.finding.obligations if "unstable" in o.note]
