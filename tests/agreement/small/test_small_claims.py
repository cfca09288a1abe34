"""Small claims with pitfalls for a search of many cases at once: referee and engine agree.

The plain search here evaluates the cases one by one, in the order of the reports, with the referee.
"""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest
from claim_texts import HEAD
from small_claims import CLAIMS, OPTIONS

from checks.receipts.enumeration import count_all, list_cases
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, position_key
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.syntax.terms import POSITION
from encoders.compute.arrays import boxes, graphs, limits
from encoders.compute.arrays import cases as slabs
from encoders.compute.arrays.evaluate import goes_case_by_case
from encoders.compute.exhaustive import decide_by_search
from encoders.proving.reading import load_claim
from encoders.trust import Trust

TAKE = 'format = 1\ntitle = "R"\nplayers = ["A", "B"]\nstuck = "loses"\n'
MOVE = '[[moves]]\nchoose = "any heap h"\npick = {{ m = "{}" }}\nwhere = "{}"\nbecome = {}\n'
RULES = {
    "alike": MOVE.format("1..h", "m != 2 or mover == A", '["h - m"]'),
    "apart": MOVE.format("1..h", "m == (1 if mover == A else h)", '["h - m"]'),
    "split": MOVE.format("0..h - 1", "True", '["m", "h - 1 - m"]'),
    "few": 'parameters = { k = "1..3" }\n' + MOVE.format("1..k", "m <= h", '["h - m"]'),
}


def loaded(body: str, folder: Path) -> Claim:
    for name, moves in RULES.items():
        (folder / f"{name}.toml").write_text(TAKE + moves, "utf-8")
    path = folder / "claim.toml"
    path.write_text(HEAD + body, "utf-8")
    return load_claim(path, "claim")


def values(v: d.ClaimVariable, bound: Any, case: dict[str, Any], referee: Referee) -> list[Any]:
    """Return the values of the variable in the scope, in any order."""
    match v.domain:
        case d.IntervalDomain(lo=lo, hi=hi):
            low, high = referee.evaluate(lo, case), None if hi is None else referee.evaluate(hi, case)
            if bound is not None:
                low, high = max(low, bound.lo), bound.hi if high is None else min(high, bound.hi)
            return list(range(low, high + 1))
        case d.Positions():
            heaps, size, total = bound.heaps, bound.size, bound.total
            found = [
                s
                for count in range(heaps.lo, heaps.hi + 1)
                for s in combinations_with_replacement(range(size.lo, size.hi + 1), count)
            ]
            return [s for s in found if total is None or total.lo <= sum(s) <= total.hi]
        case d.Players(count=count):
            return list(range(count))
        case d.Subsets(lo=low, hi=high):
            numbers = range(low, high + 1)
            return [x for count in range(len(numbers) + 1) for x in combinations(numbers, count)]
        case d.ListedDomain(values=listed):
            return list(listed)
        case d.ElementsOf(source=source):
            return list(dict.fromkeys(referee.evaluate(source, case)))
    raise AssertionError(v)


def cases(claim: Claim, referee: Referee, at: int = 0, case: dict[str, Any] | None = None) -> Iterator[dict[str, Any]]:
    case = case or {}
    if at == len(claim.variables):
        yield case
        return
    v = claim.variables[at]
    for x in values(v, claim.scope("quick").get(v.name), case, referee):
        yield from cases(claim, referee, at + 1, {**case, v.name: x})


def order(claim: Claim, case: dict[str, Any]) -> tuple[Any, ...]:
    """Return the sort key of a case: positions first; a set as a binary number."""
    positions = [v for v in claim.variables if v.type == POSITION]
    others = [case[v.name] for v in claim.variables if v.type != POSITION]
    numbers = [sum(1 << (i + 50) for i in x) if isinstance(x, tuple) else x for x in others]
    return (*(position_key(case[v.name]) for v in positions), *numbers)


def meets(claim: Claim, referee: Referee, case: dict[str, Any]) -> bool:
    try:
        for game in claim.games:
            referee.game(game.name, case)
        return claim.hypothesis is None or referee.evaluate(claim.hypothesis, case)
    except IllDefined:
        return False


def plainly(claim: Claim) -> tuple[str, Any, int, int, Any]:
    """Return (answer, deciding case, number of cases, number that satisfy the hypotheses, the first of these)."""
    referee, exists = Referee(claim), claim.quantifier == "exists"
    found = []
    for case in sorted(cases(claim, referee), key=lambda c: order(claim, c)):
        try:
            found.append((case, referee.judge(case)))
        except IllDefined:
            found.append((case, "unknown"))
    met = [case for case, _ in found if meets(claim, referee, case)]
    wanted = "holds" if exists else "fails"
    stop = next(((case, judged) for case, judged in found if judged in (wanted, "unknown")), None)
    answer = stop[1] if stop else "fails" if exists else "holds"
    return answer, stop and stop[0], len(found), len(met), met[0] if met else None


@pytest.mark.parametrize(("cells", "slab"), [(limits.MAX_CELLS, 0), (40, 0), (limits.MAX_CELLS, 2), (40, 9)])
@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.slow
def test_the_answer_is_that_of_a_plain_search(
    name: str, cells: int, slab: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search runs at once, in frames of few cells, and in slabs of which the first weighs at most `slab`."""
    claim = loaded(CLAIMS[name][1], tmp_path)
    monkeypatch.setattr(limits, "MAX_CELLS", cells)
    if slab:
        for bound, value in (("AT_ONCE", slab), ("FIRST", slab), ("GROWTH", 3)):
            monkeypatch.setattr(slabs, bound, value)
        monkeypatch.setattr(graphs, "_SOURCES", 2)
        monkeypatch.setattr(graphs, "_EDGES", 8)
        monkeypatch.setattr(boxes, "_EDGES_AT_ONCE", 7)
    expected, case, count, met, first = plainly(claim)
    assert expected == CLAIMS[name][0], f"the plain search says {expected} at {case}"
    answer = decide_by_search(claim, claim.scope("quick"))
    assert answer.decision == expected, (answer, case)
    shown = {"holds": answer.witness, "fails": answer.counterexample, "unknown": answer.ill_defined}[expected]
    if case is not None:
        assert shown == case
    in_order = any(v.type == POSITION for v in claim.variables) or goes_case_by_case(
        claim
    )  # ends at the first such case
    whole = case is None or (not slab and not in_order)
    if cells == limits.MAX_CELLS and whole:
        assert (answer.cases, answer.cases_with_hypotheses) == (count, met)
    if case is None and claim.quantifier != "exists":
        assert answer.witness == first
    referee = Referee(claim)
    for sampled, judged in answer.sample:
        assert referee.judge(sampled) == judged


@pytest.mark.parametrize("name", CLAIMS)
def test_a_replay_goes_through_the_same_cases(name: str, tmp_path: Path) -> None:
    """Each case occurs once; if cases are counted without a list, the number is the same."""
    claim = loaded(CLAIMS[name][1], tmp_path)
    referee, scope = Referee(claim), claim.scope("quick")
    try:
        expected = sorted(repr(sorted(case.items())) for case in cases(claim, referee))
    except IllDefined:
        with pytest.raises(IllDefined):
            list(list_cases(claim, scope, referee))
        return
    assert sorted(repr(sorted(case.items())) for case in list_cases(claim, scope, referee)) == expected
    assert count_all(claim, scope) in (None, len(expected))


@pytest.mark.parametrize("then", OPTIONS)
@pytest.mark.slow
def test_the_same_of_moves_under_many_parameters(then: str, tmp_path: Path) -> None:
    body = f"""ruleset = "kl-nim"
[forall]
k = "1..3"
l = "1..3"
p = "player"
s = "position"
[claim]
then = "{then}"
[scope]
s = {{ heaps = "0..2", size = "1..4" }}
"""
    claim = loaded(body, tmp_path)
    expected, case, *_ = plainly(claim)
    answer = decide_by_search(claim, claim.scope("quick"))
    assert (answer.decision, answer.counterexample or answer.ill_defined) == (expected, case)


@pytest.mark.parametrize(
    ("then", "trusted"),
    [
        ("grundy(position([x])) >= 0", {Trust.SPRAGUE_GRUNDY}),
        ("grundy(position([x, 1])) >= 0", set()),
        ("wins(position([x])) or x == 0", set()),
    ],
)
def test_what_is_taken_on_trust_is_said(then: str, trusted: set[Trust], tmp_path: Path) -> None:
    body = f'ruleset = "split"\n[forall]\nx = "0..6"\n[claim]\nthen = "{then}"\n'
    assert decide_by_search(loaded(body, tmp_path), {}).trusted == trusted


@pytest.mark.parametrize("domain", ["0..6 // x", "6 // x..9", "{ in = 'range(6 // x)' }"])
def test_a_domain_that_is_ill_defined_is_no_empty_one(domain: str, tmp_path: Path) -> None:
    written = domain if domain.startswith("{") else f'"{domain}"'
    body = f'[forall]\nx = "0..3"\ny = {written}\n[claim]\nthen = "y >= 0"\n'
    answer = decide_by_search(loaded(body, tmp_path), {})
    assert answer.decision == "unsupported"
    assert "is ill-defined for some choice" in answer.detail
