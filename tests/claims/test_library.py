"""The shipped library at its quick scope: complete, settled, and as the files expect."""

from collections import Counter
from functools import cache

import pytest

from checks.results import ClaimResult
from checks.settle import Options, settle
from checks.verdicts import Verdict
from claims.files import load_claim
from claims.library import bibliography, shipped

ENTRIES = {e.id: e for e in shipped()}
COUNTS = {"nim": 26, "kl-nim": 24, "large-nim": 21, "bash-nim": 20}
# Refuted as printed, with the smallest counterexample: worked out by hand in the files' comments and notes.
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
}


@cache
def result(id: str) -> ClaimResult:
    return settle(ENTRIES[id], Options())


def test_every_statement_has_its_file() -> None:
    assert Counter(id.split("/")[0] for id in ENTRIES) == COUNTS


@pytest.mark.parametrize("id", ENTRIES)
def test_each_claim_is_settled_as_its_file_expects(id: str) -> None:
    found = result(id)
    assert found.verdict in (Verdict.PROVED, Verdict.VERIFIED, Verdict.REFUTED), found.error or found.not_established
    assert found.as_expected is True
    assert found.rechecked > 0
    if id in REFUTED:
        assert found.counterexample is not None
        assert dict(found.counterexample.variables) == REFUTED[id]
        assert found.counterexample.replayed
        assert found.notes, "a refuted statement is explained in its file"
    else:
        assert found.verdict.holds
        assert found.cases_with_hypotheses > 0
    if found.verdict is Verdict.VERIFIED:
        assert any(bound != "all" for _, bound in found.scope)
        assert found.not_established


@pytest.mark.parametrize("id", ENTRIES)
def test_what_a_claim_rests_on_is_in_the_library(id: str) -> None:
    claim = load_claim(ENTRIES[id].path, id)
    assert set(claim.uses) <= set(ENTRIES)
    assert id not in claim.uses
    assert claim.work in bibliography()


def test_the_argument_has_no_cycle() -> None:
    uses = {id: load_claim(e.path, id).uses for id, e in ENTRIES.items()}
    settled: set[str] = set()
    while len(settled) < len(uses):
        ready = {id for id, needed in uses.items() if id not in settled and set(needed) <= settled}
        assert ready, f"a cycle among {sorted(set(uses) - settled)}"
        settled |= ready
