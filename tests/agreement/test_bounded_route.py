"""The library within small scopes by Z3: another way to the same answers, and one that must not lie unnoticed."""

from typing import Any

import pytest

from checks.execution.entry import settle_entry
from checks.judgement.options import Options
from checks.judgement.scopes import scope_for
from checks.judgement.settle import settle
from checks.referee.judge import Referee
from checks.results.verdicts import Verdict
from claims.language.library import select, shipped
from claims.language.statement import domains as d
from encoders.answer import Answer, Decision
from encoders.bounded.encoder import settle as by_constraints
from encoders.exhaustive.encoder import settle as exhaustive
from encoders.proving.reading import load_claim

IDS = [e.id for e in shipped()]


def narrow(bound: d.Range | d.PositionRange, span: int, size: int) -> d.Range | d.PositionRange:
    """The bound with no more than span + 1 values, or three heaps of `size` sizes."""
    if isinstance(bound, d.Range):
        return d.Range(bound.lo, min(bound.hi, bound.lo + span))
    heaps = d.Range(bound.heaps.lo, max(bound.heaps.lo, min(bound.heaps.hi, 3)))
    return d.PositionRange(heaps, d.Range(bound.size.lo, max(bound.size.lo, min(bound.size.hi, size))), bound.total)


def agree_within(id: str, span: int, size: int) -> None:
    """Both routes answer alike for a claim of the library, which is not about nothing there."""
    (entry,) = select((id,))
    claim = load_claim(entry.path, id)
    scope = {name: narrow(bound, span, size) for name, bound in scope_for(claim, "quick", ()).items()}
    found = by_constraints(claim, scope, 30.0)
    if found.answer in ("unsupported", "unknown"):
        assert id in UNANSWERED, found.detail
        return
    assert id not in UNANSWERED
    searched = exhaustive(claim, scope, 30.0)
    assert searched.answer == found.answer
    assert searched.answer != "holds" or searched.met > 0
    if found.counterexample:
        assert Referee(claim).judge(found.counterexample) == "fails"


@pytest.mark.parametrize("id", IDS)
def test_the_library_within_small_scopes(id: str) -> None:
    agree_within(id, *(WIDE if id in NEED_MORE else SMALL))


@pytest.mark.slow
@pytest.mark.parametrize("id", IDS)
def test_the_library_within_wider_scopes(id: str) -> None:
    agree_within(id, *WIDE)


SMALL, WIDE = (2, 3), (3, 4)
NEED_MORE = {  # of these, the smaller scope holds no counterexample, or nothing that meets the hypotheses
    *("kl-nim/lemma-11", "kl-nim/theorem-12-reply", "large-nim/theorem-2-case-c3"),
}
UNANSWERED = {  # lists of positions, fractions, top_bit, powers, moves on several heaps, games too large to be unrolled
    *("nim/misere-game", "nim/normal-game", "nim/table-misere", "nim/table-normal"),
    *("bash-nim/first-player-favoured", "bash-nim/first-player-share"),
    *("bash-nim/heap-choice", "bash-nim/heap-choice-repaired", "bash-nim/lemma-2-legal", "bash-nim/lemma-2-top-bit"),
    *("classics/half-nim", "classics/half-nim-of-the-heap", "classics/half-nim-lost-heaps"),
    *("classics/wythoff", "classics/wythoff-doubled", "classics/wythoff-fibonacci"),
    "classics/wythoff-fibonacci-repaired",
    *("classics/moore-two-heaps", "classics/moore-equal-heaps", "classics/moore-nim-sum"),
}


def test_it_finds_where_lemma_11_fails() -> None:
    (entry,) = select(("kl-nim/lemma-11",))
    overrides = (("k", "1..4"), ("l", "2..5"), ("s.heaps", "0..3"), ("s.size", "1..4"))
    result = settle_entry(entry, Options(routes=("bounded",), overrides=overrides))
    assert result.verdict is Verdict.REFUTED
    assert [(r.encoder, r.answer) for r in result.routes] == [("exhaustive", "fails"), ("bounded", "fails")]


@pytest.mark.parametrize(
    ("id", "lie", "words"),
    [
        ("nim/bouton", {"answer": "fails", "counterexample": {"s": (1, 2)}}, "the bounded route says: fails"),
        ("nim/bouton", {"answer": "fails"}, "says that the claim fails; it is verified"),
        ("kl-nim/lemma-11", {"answer": "holds"}, "says that the claim holds; it is refuted"),
        ("large-nim/beta-not-enough", {"answer": "holds", "witness": {"s": (1,), "t": (2,)}}, "says: holds"),
    ],
)
def test_a_route_that_lies_is_inconsistent(id: str, lie: dict[str, Any], words: str) -> None:
    (entry,) = select((id,))
    claim = load_claim(entry.path, id)
    scope = scope_for(claim, "quick", ())
    result = settle(
        claim, scope, exhaustive, 60.0, None, lambda *_: Answer("bounded", **lie | {"answer": Decision(lie["answer"])})
    )
    assert result.verdict is Verdict.INCONSISTENT
    assert words in result.error
