"""The pick of the top bit: what is shown of it is shown of every place of a nim-sum."""

from itertools import product

import pytest
from proofs import LIBRARY
from random_terms import values_of

from encoders.logic.sequent import Sequent
from encoders.prove import Prover
from encoders.rules.reading import load_claim

VALUES = range(9)


@pytest.fixture(scope="module")
def obligations() -> dict[str, Sequent]:
    claim = load_claim(LIBRARY / "nim/bouton.toml", "nim/bouton")
    return {x.name: x for x in Prover().rule_of(claim).obligations(claim, Prover()) if "top bit" in x.name}


def held(sequent: Sequent) -> set[tuple[int, ...]]:
    """The values of its variables, in their order, at which all that is assumed holds; what is shown does there."""
    ranges = {s.name: VALUES if s.lo is not None else (0, 1) for s in sequent.variables}
    rows = [dict(zip(ranges, row, strict=True)) for row in product(*ranges.values())]
    rows = [row for row in rows if all(s.lo is None or row[s.name] >= s.lo for s in sequent.variables)]
    columns = [{n: bool(x) if ranges[n] == (0, 1) else x for n, x in row.items()} for row in rows]
    found = values_of(sequent.show, *sequent.premises, rows=columns)
    assert all(shown for shown, *premises in found if all(premises))
    return {tuple(row.values()) for row, (_, *premises) in zip(rows, found, strict=True) if all(premises)}


def test_every_place_is_looked_at(obligations: dict[str, Sequent]) -> None:
    (column,) = (x for name, x in obligations.items() if "odd number" in name)
    assert [s.name for s in column.variables] == [
        "place", "nim-sum of the rest", "term", "an odd number of the rest",
    ]  # fmt: skip
    assert held(column) == {
        (place, rest, term, int(bool(rest & place))) for place in (1, 2, 4, 8) for rest in VALUES for term in VALUES
    }


def test_the_highest_place_is_looked_at(obligations: dict[str, Sequent]) -> None:
    (lowered,) = (x for name, x in obligations.items() if "lowered" in name)
    assert [s.name for s in lowered.variables] == ["place", "nim-sum", "term"]
    assert held(lowered) == {
        (place, whole, term)
        for place in (1, 2, 4, 8)
        for whole in VALUES
        for term in VALUES
        if place <= whole < 2 * place and term & place
    }
