"""False claims about two heaps that would hold if two positions had one number or a move were missing.

The scope is searched slab by slab, so positions with larger heaps come later.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from settling import written

from encoders.compute.arrays import boxes, limits, search, two_heaps
from encoders.compute.arrays import cases as slabs
from encoders.compute.exhaustive import decide_by_search
from encoders.logic.answer import Decision, RouteResult

FALSE: list[tuple[str, str, str, dict[str, int]]] = [
    # the error, if, then, the smallest counterexample
    ("those of one total are one", "x + 2 <= y", "position([x, y]) == position([x + 1, y - 1])", {"x": 0, "y": 2}),
    ("two heaps are one of their total", "x > 0", "position([x, y]) == position([x + y])", {"x": 1, "y": 1}),
    ("a second heap is forgotten", "x < 9 or y == 35", "position([x, y]) == position([y])", {"x": 1, "y": 1}),
    ("a first heap is forgotten", "x < 9 or y == 35", "position([x, y]) == position([x])", {"x": 0, "y": 1}),
    ("a heap has the number of a smaller", "y > 0", "position([x, y]) == position([x, y - 1])", {"x": 0, "y": 1}),
    ("a heap of 41 is spelt as 1 and 0", "x == 1", "position([x, y]) == position([41 + y])", {"x": 1, "y": 1}),
    ("the whole of one heap cannot be taken", "x == 0 and y == 37", "not wins(position([x, y]))", {"x": 0, "y": 37}),
    ("both heaps cannot be taken whole", "x == 30 and y == 30", "not wins(position([x, y]))", {"x": 30, "y": 30}),
    ("taking one from both is no move", "x == 2 and y == 3", "not wins(position([x, y]))", {"x": 2, "y": 3}),
    ("no diagonal", "x + y >= 50", "grundy(position([x, y])) == nim_sum([x, y])", {"x": 10, "y": 40}),
    ("a pair that is lost is won", "x + y == 50", "wins(position([x, y]))", {"x": 19, "y": 31}),
]  # fmt: skip


@cache
def find_value(x: int, y: int) -> int:
    """Return the value in Wythoff's game, move by move."""
    singles = {find_value(*sorted((a, y))) for a in range(x)} | {find_value(*sorted((x, b))) for b in range(y)}
    seen = singles | {find_value(x - m, y - m) for m in range(1, x + 1)}
    return next(v for v in range(len(seen) + 1) if v not in seen)


@pytest.fixture(params=["in slabs", "at once", "from a table"], autouse=True)
def _slabs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "from a table":
        monkeypatch.setattr(two_heaps, "LARGE", 0)
        monkeypatch.setattr(search, "FEW_CELLS", 7)
        monkeypatch.setattr(limits, "MAX_CELLS", 100)
    if request.param == "in slabs":
        for name, value in (("AT_ONCE", 10), ("FIRST", 30), ("GROWTH", 3)):
            monkeypatch.setattr(slabs, name, value)


def ask(folder: Path, condition: str, then: str, **domains: str) -> RouteResult:
    variables = {"x": "0..", "y": "x.."} | domains
    lines = "\n".join(f'{name} = "{domain}"' for name, domain in variables.items())
    scope = "\n".join(f'{name} = "0..40"' for name in variables)
    rest = f'[claim]\nif = "{condition}"\nthen = "{then}"\n[scope]\n{scope}'
    claim = written(folder, f'ruleset = "wythoff"\n[forall]\n{lines}\n{rest}\n')
    return decide_by_search(claim, claim.scope("quick"))


@pytest.mark.parametrize("row", FALSE)
def test_what_is_false_is_refuted_at_the_first_place(row: tuple[str, str, str, dict[str, int]], tmp_path: Path) -> None:
    _, condition, then, case = row
    answer = ask(tmp_path, condition, then)
    assert (answer.decision, answer.counterexample) == (Decision.FAILS, case)


@pytest.mark.parametrize("way", ["boxes", "moves"])
@pytest.mark.parametrize(("x", "y"), [(0, 29), (7, 7), (13, 36), (21, 34), (40, 40)])
def test_a_value_is_what_it_is_and_nothing_else(
    x: int, y: int, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxes, "estimate_edges", lambda *_: float("inf") if way == "boxes" else 0.0)
    here, value = f"x == {x} and y == {y}", find_value(x, y)
    assert ask(tmp_path, here, f"grundy(position([y, x])) == {value}").decision is Decision.HOLDS
    answer = ask(tmp_path, here, f"grundy(position([y, x])) != {value}")
    assert (answer.decision, answer.counterexample) == (Decision.FAILS, {"x": x, "y": y})


def test_the_pairs_that_are_lost_are_those_of_the_golden_ratio(tmp_path: Path) -> None:
    """This holds everywhere, so later positions are compared with earlier ones. It fails if one place is excepted."""
    lost = "x * x - x * (y - x) - (y - x) ** 2 <= 0 and 0 < (x + 1) ** 2 - (x + 1) * (y - x) - (y - x) ** 2"
    pair = f"(x == 0 and y == 0) or (x < y and {lost})"
    for then, expected in (
        (f"iff(not wins(position([x, y])), {pair})", None),
        (f"iff(grundy(position([x, y])) == 0, ({pair}) and x != 21)", {"x": 21, "y": 34}),
    ):
        assert ask(tmp_path, "True", then).counterexample == expected


def test_two_positions_are_one_just_where_their_heaps_are(tmp_path: Path) -> None:
    small: dict[str, Any] = {"x": "0..9", "y": "0..9", "u": "0..9", "v": "0..9"}
    alike = "min(x, y) == min(u, v) and max(x, y) == max(u, v)"
    answer = ask(tmp_path, "True", f"iff(position([x, y]) == position([u, v]), {alike})", **small)
    assert (answer.decision, answer.cases) == (Decision.HOLDS, 10**4)
