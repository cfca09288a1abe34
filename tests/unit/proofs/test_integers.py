"""Integers without bound: what a division becomes, and what the domains of a claim say."""

import pytest

from claims.language.expressions import terms as t
from claims.language.expressions.types import INT
from encoders.answer import Unsupported
from encoders.logic.integers import Arithmetic
from encoders.logic.terms import integer, neg


def divide(op: str, a: t.Term, b: t.Term) -> t.Operation:
    return t.Operation(INT, 0, 0, op, (a, b))


@pytest.mark.parametrize("divisor", [0, -1, -2])
@pytest.mark.parametrize("op", ["floordiv", "mod"])
def test_only_a_division_by_a_positive_number_is_left_to_solvers(op: str, divisor: int) -> None:
    reader = Arithmetic()
    x = reader.fresh("x")
    read = reader.operation(divide(op, x, integer(2)))
    assert isinstance(read, t.Operation)
    assert read.op == op
    for term in (integer(divisor), neg(integer(-divisor))):
        with pytest.raises(Unsupported, match="a division that the proof does not write out"):
            reader.operation(divide(op, x, term))
        assert isinstance(Arithmetic(invent=True).operation(divide(op, x, term)), t.Variable)
