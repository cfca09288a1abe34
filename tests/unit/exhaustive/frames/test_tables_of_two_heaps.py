"""Tables of two heaps have the lost positions and values of a plain recursion, for games like Wythoff's alone."""

from __future__ import annotations

from pathlib import Path
from random import Random
from unittest import mock

import numpy as np
import pytest
from claim_texts import HEAD

from claims.language.files.claim import Claim
from encoders.compute.arrays import limits, two_heaps
from encoders.compute.arrays.board import GameSolver
from encoders.compute.arrays.case_sample import RANDOM
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.ties import ANY, Ties, read_ties
from encoders.compute.arrays.two_heaps import PairTable
from encoders.compute.exhaustive import decide_by_search
from encoders.kernel import values as kernel
from encoders.kernel.values import find_partners, solve_pairs
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import load_claim

ONE = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
LEFT = 'choose = "any heap h"\npick = { m = "0..h - 1" }\nbecome = ["m"]'
SIZE = 150  # heaps cross the bounds of words, of 64 bits


def _tie(most: str = "min(g, h)", left: str = '"g - m", "h - m"', rest: str = "") -> str:
    return f'choose = "any two heaps g, h"\npick = {{ m = "1..{most}" }}\nbecome = [{left}]\n{rest}'


def _load(folder: Path, moves: list[str], then: str, scope: str, stuck: str = "loses", more: str = "") -> Claim:
    (folder / "rulesets").mkdir(exist_ok=True)
    rules = "".join(f"\n[[moves]]\n{move}\n" for move in moves)
    text = f'format = 1\ntitle = "t"\nplayers = ["A", "B"]\nstuck = "{stuck}"\n{more}{rules}'
    (folder / "rulesets" / "mine.toml").write_text(text, "utf-8")
    variables = "".join(f'{line.split(" = ")[0]} = "0.."\n' for line in scope.split("\n"))
    path = folder / "claim.toml"
    claim = f'{HEAD}ruleset = "mine"\n[forall]\n{variables}[claim]\nthen = "{then}"\n[scope]\n{scope}\n'
    path.write_text(claim, "utf-8")
    return load_claim(path, "claim")


def _find_lost(most: int, misere: bool, size: int) -> set[tuple[int, int]]:
    lost: set[tuple[int, int]] = set()
    for x in range(size + 1):
        for y in range(size + 1):
            options = [(a, y) for a in range(x)] + [(x, b) for b in range(y)]
            options += [(x - m, y - m) for m in range(1, min(x, y, most) + 1)]
            if not any(s in lost for s in options) and (options or not misere):
                lost.add((x, y))
    return lost


GAMES = [
    ([ONE, _tie()], SIZE),
    ([LEFT, _tie(left='"h - m", "g - m"')], SIZE),
    ([ONE, LEFT, _tie("min(g, h, 1)")], 1),
    ([ONE, _tie("min(2, min(h, g))"), _tie("min(g, h, 3)")], 3),
    ([ONE, _tie("min(h, g, 70)")], 70),
]
"""Moves, and the largest number that may be taken from two heaps of at most SIZE."""


def _decide(claim: Claim) -> RouteResult:
    """Search the quick scope of a claim. All questions about games must be answered by tables of two heaps."""
    with mock.patch.object(GameSolver, "_make_graph", side_effect=AssertionError("a graph is built")):
        found = decide_by_search(claim, claim.scope("quick"))
    assert found.engines.searched == ("arrays",), found.engines
    assert not found.trusted
    return found


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("moves", "most"), GAMES)
def test_the_lost_positions(tmp_path: Path, moves: list[str], most: int, misere: bool) -> None:
    """The lost positions are known to Python; the tables must find the only one that the claim omits or adds."""
    lost = sorted(_find_lost(most, misere, SIZE))
    draw = Random(f"{most} {misere}")
    large = draw.choice([s for s in lost if max(s) > SIZE - 20])
    won = next((x, SIZE) for x in range(SIZE) if (x, SIZE) not in lost)
    for stated, wrong in ((lost, None), ([s for s in lost if s != large], large), ([*lost, won], won)):
        pairs = ", ".join(f"{x * 1000 + y}" for x, y in stated)
        then = f"(not wins(position([x, y]))) == (1000 * x + y in {{{pairs}}})"
        claim = _load(tmp_path, moves, then, f'x = "0..{SIZE}"\ny = "0..{SIZE}"', "wins" if misere else "loses")
        found = _decide(claim)
        assert (found.cases, found.counterexample) == (
            (SIZE + 1) ** 2,
            None if wrong is None else {"x": wrong[0], "y": wrong[1]},
        )


@pytest.mark.parametrize("seed", range(12))
def test_partners_and_values_for_random_limits(seed: int) -> None:
    draw = Random(seed)
    size, most = draw.randint(1, 90), draw.randint(1, 60) if seed % 4 else ANY
    values = solve_pairs(size, most, Deadline(None))
    known = _find_values(most, size)
    assert [int(values[y * (y + 1) // 2 + x]) for x, y in known if x <= y] == [
        v for (x, y), v in known.items() if x <= y
    ]
    for misere in (False, True):
        partners = find_partners(size, most, misere, Deadline(None)).tolist()
        assert {(x, y) for x, y in enumerate(partners) if y >= 0} == _find_lost(most, misere, size)


@pytest.mark.parametrize("most", [1, 2, 3, 7, 40, 1_000, ANY])
def test_large_lost_positions_are_those_of_value_zero(most: int) -> None:
    size = 1_500
    values, partners = solve_pairs(size, most, Deadline(None)), find_partners(size, most, False, Deadline(None))
    zeros = {(x, y) for y in range(size + 1) for x in range(y + 1) if values[y * (y + 1) // 2 + x] == 0}
    assert {(x, y) for x, y in enumerate(partners.tolist()) if x <= y} == zeros


def _find_values(most: int, size: int) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    for x in range(size + 1):
        for y in range(size + 1):
            options = [(a, y) for a in range(x)] + [(x, b) for b in range(y)]
            options += [(x - m, y - m) for m in range(1, min(x, y, most) + 1)]
            reached = {found[s] for s in options}
            found[x, y] = next(v for v in range(len(options) + 1) if v not in reached)
    return found


@pytest.mark.parametrize(("moves", "most"), GAMES)
@pytest.mark.parametrize("wrong", [None, (0, 0), (13, 66), (66, 66)])
def test_the_values(tmp_path: Path, moves: list[str], most: int, wrong: tuple[int, int] | None) -> None:
    """The values are known to Python; the tables must find the only one that is changed in the claim."""
    size = 66  # the values do not fit into one word
    values = _find_values(most, size)
    listed = ", ".join(str(v + (s == wrong)) for s, v in values.items())
    then = f"grundy(position([x, y])) == [{listed}][{size + 1} * x + y] and grundy(position([y])) == y"
    claim = _load(tmp_path, moves, then, f'x = "0..{size}"\ny = "0..{size}"')
    found = _decide(claim)
    assert found.counterexample == (None if wrong is None else {"x": wrong[0], "y": wrong[1]})
    assert found.cases == (size + 1) ** 2


@pytest.mark.parametrize(
    "then",
    [
        "all(grundy(position([m, m // 2])) == [{}][m] for m in {{n, n // 3}})",
        "all(grundy(position([heap for heap in [0, m // 2, m]])) == [{}][m] for m in {{n, n // 3}})",
        "all(grundy(position([n, n // 2])) == [{}][n] for m in {{n}} if wins(position([n + m + 1])))",
    ],
)
def test_heaps_may_come_from_any_operation(tmp_path: Path, then: str) -> None:
    size = 200
    values = _find_values(size, size)
    listed = ", ".join(str(values[n, n // 2]) for n in range(size + 1))
    for text, wrong in ((listed, None), (f"{listed.rpartition(',')[0]}, 9", {"n": size})):
        found = _decide(_load(tmp_path, [ONE, _tie()], then.format(text), f'n = "0..{size}"'))
        assert (found.cases, found.counterexample) == (size + 1, wrong)


@pytest.mark.parametrize("wrong", ["", " + (1 if n == 14997 else 0)"])
def test_the_table_of_lost_positions_is_linear(tmp_path: Path, wrong: str) -> None:
    """A table of all positions of heaps to 40 000 would need gigabytes."""
    a, b = "(n + isqrt(5 * n * n)) // 2", "(n // 7 + isqrt(5 * (n // 7) ** 2)) // 2"
    then = f"not wins(position([{a}, {a} + n{wrong}])) and wins(position([{a} + 1, {a} + n]))"
    then += f" and outcome(position([{b} + n // 7, {b}])) == P_position"
    found = _decide(_load(tmp_path, [ONE, _tie()], then, 'n = "1..15000"'))
    assert (found.cases, found.counterexample) == (15_000, {"n": 14_997} if wrong else None)
    assert found.audited != bool(wrong) or len(found.sample) > RANDOM


@pytest.mark.parametrize("power", [30, 32, 61, 62, 64])
def test_a_heap_that_is_too_large_is_not_reduced_to_a_small_one(tmp_path: Path, power: int) -> None:
    """The two heaps would be equal, and lost, only if both were 0."""
    then = f"not wins(position([n * 2 ** {power}, n * 2 ** {power}]))"
    claim = _load(tmp_path, [ONE, _tie()], then, 'n = "0..70"')
    assert decide_by_search(claim, claim.scope("quick")).decision is not Decision.HOLDS


QUESTIONS = [
    "wins(position([x - 3, y])) or y < 70",
    "x < 3 or y < 70 or wins(position([x - 3, y])) or x == y + 2",
    "x < 3 or wins(position([y // (x - 3), x])) == (grundy(position([x, y // max(1, x - 3)])) > 0)",
    "grundy(position([x * y // 40])) == x * y // 40 or x > 70",
    "wins(position([x, y, x - y])) or x != y or x == 44",
    "wins(position([x, y])) or not (x == 71 and y == 44)",
    "not terminal(position([x, y])) or x + y == 0",
    "value(position([y + 20])) == 0",
]


@pytest.mark.parametrize(
    ("then", "misere"), [(x, m) for x in QUESTIONS for m in (False, True) if not (m and "grundy" in x)]
)
@pytest.mark.parametrize("limit", [8_192, 75])
def test_the_tables_answer_as_graphs_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str, misere: bool, limit: int
) -> None:
    """Negative, ill-defined and too large heaps, small tables, and questions that the tables do not answer."""
    claim = _load(tmp_path, [ONE, _tie()], then, 'x = "0..80"\ny = "0..80"', "wins" if misere else "loses")
    monkeypatch.setattr(two_heaps, "MOST_VALUES", limit)
    monkeypatch.setattr(two_heaps, "MOST_PARTNERS", limit)
    monkeypatch.setattr(limits, "MAX_CELLS", 700)
    found = decide_by_search(claim, claim.scope("quick"))
    monkeypatch.setattr(PairTable, "find", lambda *_: None)
    graph = decide_by_search(claim, claim.scope("quick"))
    assert (found.decision, found.counterexample, found.ill_defined) == (
        graph.decision,
        graph.counterexample,
        graph.ill_defined,
    )
    assert found.cases == graph.cases


@pytest.mark.parametrize("read", [Ties(True, 0), Ties(False, 2), Ties(False, 4)])
def test_moves_that_were_misread_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Ties) -> None:
    monkeypatch.setattr(two_heaps, "read_ties", lambda _: read)
    monkeypatch.setattr(kernel, "find_partners", mock.Mock(side_effect=AssertionError("a table is computed")))
    lost = sorted(_find_lost(3, False, 70))
    then = f"wins(position([n, n])) == (n not in {{{', '.join(str(x) for x, y in lost if x == y)}}})"
    claim = _load(tmp_path, [ONE, _tie("min(g, h, 3)")], then, 'n = "0..70"')
    assert decide_by_search(claim, claim.scope("quick")).decision is Decision.HOLDS


def test_two_tables_that_differ_are_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both tables are computed in different ways, so an error in one of them shows."""
    claim = _load(tmp_path, [ONE, _tie()], "wins(position([n, n])) and grundy(position([n])) == n", 'n = "1..90"')
    monkeypatch.setattr(kernel, "find_partners", lambda size, *_: np.full(size + 1, -1))
    with pytest.raises(AssertionError, match="the lost positions of two heaps are not those of value 0"):
        decide_by_search(claim, claim.scope("quick"))


@pytest.mark.parametrize("longest", [8_000, 10_000])
def test_a_scope_with_more_cases_than_fit_is_searched_in_parts(
    longest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(two_heaps, "LARGE", 0)
    monkeypatch.setattr(limits, "MAX_ROWS", 2_000)
    monkeypatch.setattr(limits, "MAX_CELLS", 1_000)
    monkeypatch.setattr(limits, "MAX_IN_PARTS", longest)
    scope = 'x = "1..90"\ny = "1..90"'
    for then, case in (
        ("grundy(position([x, y])) <= x + y", None),
        ("grundy(position([x, y])) <= x + y and not (x + y == 111 and x > 30)", {"x": 31, "y": 80}),
        ("wins(position([x, y])) or x != 89 or y != 55", {"x": 89, "y": 55}),
    ):
        found = _decide(_load(tmp_path, [ONE, _tie()], then, scope))
        assert found.counterexample == case
        assert case is not None or found.cases == 90 * 90


@pytest.mark.parametrize(
    ("moves", "ties"),
    [
        ([ONE, _tie()], Ties(True, 0)),
        ([LEFT], Ties(False, 0)),
        ([ONE, _tie("min(g, h, 4)"), _tie()], Ties(True, 4)),
        ([ONE, _tie("min(g, h)", '"g - m", "h"')], None),
        ([ONE, _tie("min(g, h)", '"g - m", "g - m"')], None),
        ([ONE, _tie("min(g, g)")], None),
        ([ONE, _tie("g")], None),
        ([ONE, _tie("min(g, h, 0)")], None),
        ([ONE, _tie("min(g, h, 2 * h)")], None),
        ([ONE, _tie("max(g, h)")], None),
        ([ONE, _tie(rest='where = "m != 2"')], None),
        ([ONE, _tie().replace("1..", "0..")], None),
        ([ONE, _tie().replace("1..", "2..")], None),
        ([ONE, _tie().replace("any two heaps g, h", "any three heaps g, h, i")], None),
        ([_tie()], None),
        ([ONE.replace("1..h", "2..h"), _tie()], None),
        ([ONE.replace("1..h", "1..min(h, 9)"), _tie()], None),
        ([ONE.replace("any heap", "a largest heap"), _tie()], None),
        ([LEFT.replace("h - 1", "h - 2"), _tie()], None),
        ([LEFT.replace("0..", "1.."), _tie()], None),
        ([ONE, LEFT.replace('"m"', '"m // 2"'), _tie()], None),
        ([ONE + '\nwhere = "mover == A"', _tie()], None),
        ([ONE + '\nwhere = "len(s) > 1"', _tie()], None),
    ],
)
def test_which_games_are_like_wythoffs(tmp_path: Path, moves: list[str], ties: Ties | None) -> None:
    claim = _load(tmp_path, moves, "wins(position([x, x]), A)", 'x = "0..3"')
    assert read_ties(claim.games[0].ruleset) == ties


def test_a_declared_measure_is_left_to_other_engines(tmp_path: Path) -> None:
    claim = _load(tmp_path, [ONE, _tie()], "wins(position([x, x]))", 'x = "0..3"', more='measure = "5 - sum(s)"\n')
    assert read_ties(claim.games[0].ruleset) is None
