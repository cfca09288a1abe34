"""The conditions of a claim on a position are computed once for each position, mover and choice of parameters."""

from collections import Counter
from pathlib import Path

import pytest

from claims.language.files.domains import PositionRange, Range
from encoders.compute.arrays.evaluate import Comprehensions, Tabulated
from encoders.compute.arrays.values import Frame
from encoders.compute.exhaustive import decide_by_search
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import load_claim

CLAIM = """format = 1
title = "T"
statement = "S."
work = "w"
locator = "l"
role = "conjecture"
ruleset = "kl-nim"
[forall]
k = "1.."
l = "1.."
FORALL
[define]
"defective(s, p)" = "nim_sum(s) != 0 and not any(nim_sum(t) == 0 for t in options(s, p))"
[claim]
then = "THEN"
[scope]
k = "1..3"
l = "1..4"
SCOPE
"""
INTEGERS = {"k": Range(1, 3), "l": Range(1, 4), "a": Range(0, 9), "b": Range(0, 9)}
POSITIONS = {"k": Range(1, 3), "l": Range(1, 40), "s": PositionRange(Range(0, 3), Range(1, 5))}


def settled(folder: Path, forall: str, then: str, scope: str, bounds: dict) -> RouteResult:
    path = folder / "claim.toml"
    path.write_text(CLAIM.replace("FORALL", forall).replace("THEN", then).replace("SCOPE", scope))
    return decide_by_search(load_claim(path, "claim"), bounds)


@pytest.fixture
def tabulated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return, for each table that is made, its number of choices of parameters."""
    sizes, make = [], Tabulated._tabulate

    def noted(self: Tabulated, *args: object) -> object:
        sizes.append(args[-1])
        return make(self, *args)

    monkeypatch.setattr(Tabulated, "_tabulate", noted)
    return sizes


@pytest.mark.parametrize(
    "then",
    [
        "any(nim_sum(t) == 0 or defective(t, P1) for t in options(position([a, b]), P2)) or a >= 0",
        "all(not defective(t, P2) or a + b >= 0 for t in options(position([a, b]), P1))",
    ],
)
def test_positions_of_heaps_that_are_variables_share_their_tables(
    tmp_path: Path, tabulated: list[int], then: str
) -> None:
    """There are 1200 cases and twelve choices of k and l. The conditions on a position do not depend on a and b."""
    found = settled(
        tmp_path, 'a = "0.."\nb = "0.."', then.replace(" or a + b >= 0", ""), 'a = "0..9"\nb = "0..9"', INTEGERS
    )
    assert found.cases == 1200
    assert tabulated
    assert set(tabulated) <= {3, 4, 12}, "one for each k, l, or both"


def test_a_table_is_for_what_its_condition_depends_on(tmp_path: Path, tabulated: list[int]) -> None:
    """If the condition mentions a, the choices of a table include a, and the table is still correct."""
    then = "any(nim_sum(t) < a for t in options(position([a, b]), P1)) == (a + b > 0 and (a != k or b != 0) or False)"
    settled(tmp_path, 'a = "0.."\nb = "0.."', then, 'a = "0..9"\nb = "0..9"', INTEGERS)
    assert set(tabulated) <= {30, 40, 120}


def test_cases_that_agree_in_what_a_comprehension_depends_on_are_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count over the heaps depends on k and the position, and is computed once for all l."""
    cells: Counter[str] = Counter()
    evaluate = Comprehensions._evaluate

    def noted(self: Comprehensions, term, frame: Frame) -> object:
        cells[term.reducer] += frame.cells
        return evaluate(self, term, frame)

    monkeypatch.setattr(Comprehensions, "_evaluate", noted)
    then = "count(h > k for h in s) + l > nim_sum(h % (k + 1) for h in s) - 9 and count(h == l for h in s) <= len(s)"
    found = settled(tmp_path, 's = "position"', then, 's = { heaps = "0..3", size = "1..5" }', POSITIONS)
    assert (found.decision, found.cases) == (Decision.HOLDS, 120 * 56)
    assert cells == {"count": (3 + 40) * 56, "nim_sum": 3 * 56}
