"""The library within small scopes with Z3: an independent way to the same answers."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks.command.replay import replay
from checks.execution.settle import settle_claim, settle_entry
from checks.judgement.routes import is_left_open
from checks.judgement.scopes import Options, scope_for
from checks.receipts.consistency import Disagreement
from checks.receipts.receipt import seal, write_receipt
from checks.referee.judge import Referee
from checks.results.verdicts import Verdict
from claims.language.files import domains as d
from claims.language.files.claim import Judgement
from claims.language.files.library import Entry, list_library, select
from encoders.bounded.encoder import decide_by_smt as by_constraints
from encoders.bounded.numbers import Whole
from encoders.compute.exhaustive import decide_by_search as exhaustive
from encoders.logic.answer import Decision, RouteResult
from encoders.logic.smt import Script
from encoders.proving.reading import load_claim
from encoders.solvers import default_solver
from encoders.solvers.solver import Limits, SolverStatus

IDS = [e.id for e in list_library()]


def narrow(bound: d.Range | d.PositionRange, span: int, size: int) -> d.Range | d.PositionRange:
    """Return the bound with at most span + 1 values, or at most three heaps of `size` sizes."""
    if isinstance(bound, d.Range):
        return d.Range(bound.lo, min(bound.hi, bound.lo + span))
    heaps = d.Range(bound.heaps.lo, max(bound.heaps.lo, min(bound.heaps.hi, 3)))
    return d.PositionRange(heaps, d.Range(bound.size.lo, max(bound.size.lo, min(bound.size.hi, size))), bound.total)


def agree_within(id: str, span: int, size: int) -> None:
    """Check that both routes agree on a claim of the library, which must not be vacuous there."""
    (entry,) = select((id,))
    claim = load_claim(entry.path, id)
    scope = {name: narrow(bound, span, size) for name, bound in scope_for(claim, "quick", ()).items()}
    found = by_constraints(claim, scope, 30.0)
    if found.decision in ("unsupported", "unknown"):
        assert id in UNANSWERED, found.detail
        return
    assert id not in UNANSWERED
    searched = exhaustive(claim, scope, 30.0)
    assert searched.decision == found.decision
    assert searched.decision != "holds" or searched.cases_with_hypotheses > 0
    if found.counterexample:
        assert Referee(claim).judge(found.counterexample) == "fails"


@pytest.mark.parametrize("id", IDS)
@pytest.mark.slow
def test_the_library_within_small_scopes(id: str) -> None:
    agree_within(id, *(WIDE if id in NEED_MORE else SMALL))


SMALL, WIDE = (2, 3), (3, 4)
NEED_MORE = {  # in their smaller scopes there is no counterexample, or no case satisfies the hypotheses
    *("kl-nim/lemma-11", "kl-nim/theorem-12-reply", "large-nim/theorem-2-case-c3"),
}
UNANSWERED = {  # lists of positions, fractions, digits, powers, several heaps moved on, splits, large games
    *("nim/misere-game", "nim/normal-game", "nim/table-misere", "nim/table-normal"),
    *("bash-nim/first-player-favoured", "bash-nim/first-player-share"),
    *("bash-nim/heap-choice", "bash-nim/heap-choice-repaired", "bash-nim/lemma-2-legal", "bash-nim/lemma-2-top-bit"),
    *("classics/half-nim", "classics/half-nim-of-the-heap", "classics/half-nim-lost-heaps"),
    *("classics/wythoff", "classics/wythoff-doubled", "classics/wythoff-fibonacci"),
    "classics/wythoff-fibonacci-repaired",
    *("classics/moore-two-heaps", "classics/moore-equal-heaps", "classics/moore-nim-sum"),
    *("classics/misere-moore-two-heaps", "classics/misere-moore-large-heaps", "classics/misere-moore-by-parity"),
    *("classics/antonim-two-heaps", "classics/antonim-two-heaps@as-nim"),
    *("classics/cutting", "classics/cutting@by-the-total"),
    *("classics/slow-nim-two-heaps", "classics/slow-nim-two-heaps@by-the-larger"),
    *("classics/min-nim-two-heaps", "classics/min-nim-two-heaps@three-and-four"),
    *("classics/digit-sum", "classics/digit-sum@multiples-of-10", "classics/mark-3"),
    *("classics/upmark", "classics/upmark@dopey"),
    *("classics/cyclic-nimhoff", "classics/cyclic-nimhoff@as-nim", "classics/cyclic-nimhoff@steps-by-nim"),
    *("heaps/kayles", "heaps/kayles@one-before", "heaps/kayles@after-six", "heaps/kayles-won"),
    *("heaps/kayles-values", "heaps/kayles-values@at-most-7", "heaps/dawsons-kayles"),
    *("heaps/dawsons-kayles@one-before", "heaps/dawsons-kayles-lost", "heaps/dawsons-kayles-lost@without-35"),
    *("heaps/dawsons-chess", "heaps/dawsons-chess@one-before", "heaps/dawsons-chess-lost"),
    *("heaps/dawsons-chess-lost@without-34", "heaps/octal-17", "heaps/octal-42", "heaps/octal-42@one-before"),
    *("heaps/octal-44", "heaps/octal-45", "heaps/octal-017", "heaps/octal-051", "heaps/octal-116"),
    *("heaps/octal-124", "heaps/octal-134", "heaps/octal-314-as-31", "heaps/octal-161-as-36"),
    *("heaps/octal-156", "heaps/octal-156@one-before", "heaps/octal-356", "heaps/octal-644", "heaps/octal-165"),
    *("heaps/octal-127", "heaps/octal-16", "heaps/octal-161-as-36-repaired"),
    "heaps/subtraction-1-3-4-values",
    *("heaps/subtraction-1-3-4-values@last-two-swapped", "heaps/three-players-1-2"),
    *("heaps/three-players-1-2@as-two-players", "heaps/misere-kayles", "heaps/misere-kayles@without-12"),
    *("heaps/hexadecimal-3F", "heaps/hexadecimal-3F@period-3", "heaps/hexadecimal-8", "heaps/hexadecimal-8@from-0"),
}


@pytest.mark.parametrize(
    ("id", "lie", "words"),
    [
        ("nim/bouton", {"decision": "fails", "counterexample": {"s": (1, 2)}}, "the bounded route says: fails"),
        ("nim/bouton", {"decision": "fails"}, "reports that the claim fails, but it is verified"),
        ("kl-nim/lemma-11", {"decision": "holds"}, "reports that the claim holds, but it is refuted"),
        ("large-nim/beta-not-enough", {"decision": "holds", "witness": {"s": (1,), "t": (2,)}}, "says: holds"),
    ],
)
@pytest.mark.slow
def test_a_route_that_lies_is_inconsistent(id: str, lie: dict[str, Any], words: str) -> None:
    (entry,) = select((id,))
    claim = load_claim(entry.path, id)
    scope = scope_for(claim, "quick", ())
    result = settle_claim(
        claim,
        scope,
        exhaustive,
        60.0,
        None,
        lambda *_: RouteResult("bounded", **lie | {"decision": Decision(lie["decision"])}),
    )
    assert result.verdict is Verdict.INCONSISTENT
    assert words in result.finding.error


# -- scopes that are too large to search -------------------------------------------------------------------------------
def wide(folder: Path, then: str, *, given: str = "x >= 0", exists: bool = False) -> Entry:
    """Return a claim about two integers whose scope has at least 10^12 cases."""
    quantifier = "exists" if exists else "forall"
    path = folder / "wide.toml"
    path.write_text(
        f"""format = 1
title = "Wide"
statement = "As below."
work = "here"
locator = "page 1"
role = "conjecture"
[{quantifier}]
x = "{"0..1000000" if exists else "0.."}"
y = "{"-1000000..1000000" if exists else "-1000000.."}"
[claim]
if = "{given}"
then = "{then}"
"""
        + ("" if exists else '[scope]\nx = "0..1000000"\ny = "-1000000..1000000"\n')
    )
    return Entry("wide", path)


@pytest.mark.parametrize(
    ("then", "given", "verdict"),
    [
        ("x * x + y * y >= 2 * x * y", "x >= 0", Verdict.VERIFIED),
        ("(x // 7) * 7 + x % 7 == x", "y < 0", Verdict.VERIFIED),
        ("0 == 1", "x * x + 1 < 0", Verdict.INCONCLUSIVE),  # vacuous, so it does not pass
        ("x * x < 900000000000", "y > 0", Verdict.REFUTED),
        ("x // y == x // y", "x >= 999999", Verdict.INCONCLUSIVE),  # y = 0
    ],
)
@pytest.mark.slow
def test_a_solver_settles_what_is_too_much_to_search(tmp_path: Path, then: str, given: str, verdict: Verdict) -> None:
    result = settle_entry(wide(tmp_path, then, given=given), Options(budget=20.0))
    assert result.verdict is verdict
    assert [r.encoder for r in result.finding.routes] == ["exhaustive", "bounded"]
    assert result.finding.trusted == ("Z3",)


@pytest.mark.slow
def test_its_counterexample_is_the_smallest_in_the_order_of_cases(tmp_path: Path) -> None:
    result = settle_entry(wide(tmp_path, "x < 700000 or y != x + 5"), Options(budget=20.0))
    assert result.finding.counterexample is not None
    assert result.finding.counterexample.variables == (("x", 700_000), ("y", 700_005))
    assert result.finding.counterexample.smallest


@pytest.mark.slow
def test_it_finds_a_witness(tmp_path: Path) -> None:
    result = settle_entry(wide(tmp_path, "x * x == 2 * y * y + 1 and y > 2", exists=True), Options(budget=20.0))
    assert result.verdict is Verdict.PROVED
    found = dict(result.finding.witness or ())
    assert found["x"] ** 2 == 2 * found["y"] ** 2 + 1


@pytest.mark.slow
def test_only_the_named_routes_are_asked(tmp_path: Path) -> None:
    result = settle_entry(wide(tmp_path, "x * x >= 0"), Options(budget=20.0, routes=("exhaustive",)))
    assert (result.verdict, len(result.finding.routes)) == (Verdict.INCONCLUSIVE, 1)


def test_what_is_ill_defined_is_no_matter_for_a_solver(tmp_path: Path) -> None:
    claim = load_claim(wide(tmp_path, "x * x >= 0").path, "wide")
    limited = RouteResult("exhaustive", Decision.UNKNOWN, ill_defined={"x": 0, "y": 0})
    found = ((Judgement.ILL_DEFINED, Judgement.ILL_DEFINED),)
    assert is_left_open(claim, limited.decision, ())
    assert not is_left_open(claim, limited.decision, found)


def test_its_receipt_is_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = wide(tmp_path, "x * x >= 0")
    monkeypatch.chdir(tmp_path)
    own = Entry("wide", Path("wide.toml"))
    limited = RouteResult("exhaustive", Decision.UNKNOWN, detail="too large", too_large=True)
    claim = load_claim(entry.path, "wide")
    scope = scope_for(claim, "quick", ())
    result = settle_claim(claim, scope, lambda *_: limited, 20.0, instead=by_constraints)
    assert result.verdict is Verdict.VERIFIED
    path = write_receipt(result, own, Options(), tmp_path / "receipts", "0")
    replay(path)
    data = json.loads(path.read_text("utf-8"))
    data["replay"] = []
    path.write_text(json.dumps(data | {"seal": seal(data)}), "utf-8")
    with pytest.raises(Disagreement, match="witness"):
        replay(path)


@pytest.mark.parametrize(
    ("lie", "verdict"),
    [
        (RouteResult("bounded", Decision.FAILS, counterexample={"x": 1, "y": 1}), Verdict.INCONSISTENT),
        (RouteResult("bounded", Decision.FAILS), Verdict.INCONCLUSIVE),
        (RouteResult("bounded", Decision.HOLDS, witness={"x": 1, "y": 5}), Verdict.INCONSISTENT),
        (RouteResult("bounded", Decision.UNKNOWN, detail="gave up"), Verdict.INCONCLUSIVE),
    ],
)
def test_its_word_counts_only_with_a_case_that_the_referee_confirms(
    tmp_path: Path, lie: RouteResult, verdict: Verdict
) -> None:
    claim = load_claim(wide(tmp_path, "x >= 1 or x < 0", given="x < y and y < x + 2 and x > 999997").path, "wide")
    limited = RouteResult("exhaustive", Decision.UNKNOWN, detail="too large", too_large=True)
    scope = scope_for(claim, "quick", ())
    assert settle_claim(claim, scope, lambda *_: limited, 5.0, instead=lambda *_: lie).verdict is verdict


@settings(max_examples=25, deadline=None)
@given(st.integers(-30, 30), st.integers(-7, 7).filter(bool))
@pytest.mark.slow
def test_integers_are_divided_as_python_does(a: int, b: int) -> None:
    numbers = Whole()
    declared, x, inside = numbers.free("x", a, a)
    other, y, there = numbers.free("y", b, b)
    for made, expected in ((numbers.floordiv(x, y), a // b), (numbers.mod(x, y), a % b)):
        assert made.lo <= expected <= made.hi
        differs = numbers.relation("ne", made, numbers.literal(expected))
        script = Script((declared, other), (inside, there, differs))
        assert default_solver().check_script(script, Limits(100_000, 1, None)).found is SolverStatus.PROVED
