"""What is made of all elements of a collection: whether any or all hold, their number, sum, nim-sum, extremes."""

from __future__ import annotations

from encoders.answer import Unsupported
from encoders.bounded.values import Elements, Items, Value, Values, as_truth
from encoders.logic.smt.formulas import FALSE, Formula, conjunction, disjunction, implies, negated
from encoders.logic.smt.words import Number

MAX_MODULUS = 16  # of columns


def reduce(values: Values, op: str, x: Items) -> Value:
    """The value of the reduction `op`. Raises Unsupported."""
    match op:
        case "any":
            return disjunction(conjunction((p, as_truth(v))) for p, v in x.items)
        case "all":
            return conjunction(implies(p, as_truth(v)) for p, v in x.items)
        case "len":
            return values.count(values.once(x))
        case "count":
            return values.count(tuple((conjunction((p, as_truth(v))), v) for p, v in values.once(x)))
        case "sum" | "nim_sum":
            return _sum(values, op, values.once(x))
        case "max" | "min":
            return _find_extreme(values, op, x)
    raise Unsupported(f"{op} has no translation into constraints")


def _numbers(op: str, elements: Elements) -> list[tuple[Formula, Number]]:
    found = []
    for p, v in elements:
        if not isinstance(v, Number):
            raise Unsupported(f"the {op} of other things than integers")
        found.append((p, v))
    return found


def _sum(values: Values, op: str, elements: Elements) -> Number:
    n, total = values.numbers, values.zero
    for p, v in _numbers(op, elements):
        total = n.nim(total, values.natural(v, p)) if op == "nim_sum" else n.add(total, n.choose(p, v, values.zero))
    return total


def add_columns(values: Values, elements: Elements, modulus: Number, remainder: Number) -> Number:
    """Where so many elements have a binary digit 1, modulo a literal. Raises Unsupported for other moduli.

    Kept for each remainder but 0: the places that have it.  At the places of an element it goes up by one.
    """
    n, m, r = values.numbers, modulus.value, remainder.value
    if m is None or r is None or not 1 <= m <= MAX_MODULUS or r < 1:
        raise Unsupported(f"columns modulo something else than a literal of 1 to {MAX_MODULUS}, or with a remainder 0")
    places = [values.zero] * m  # by remainder; those with the remainder 0 are the others
    for p, v in _numbers("columns", elements):
        digits = values.natural(v, p)
        before, above = list(places), values.zero
        for one in before[1:]:
            above = n.nim(above, one)
        before[0] = n.nim(digits, n.bit_and(digits, above))  # of the digits: those at no other place
        for i in range(1, m):
            moved = n.bit_and(before[i - 1], digits)
            places[i] = n.nim(n.nim(before[i], n.bit_and(before[i], digits)), moved)
    return places[r] if r < m else values.zero


def _find_extreme(values: Values, op: str, x: Items) -> Number:
    n = values.numbers
    values.needs.require(disjunction(p for p, _ in x.items))
    found, some = values.zero, FALSE
    for p, v in _numbers(op, x.items):
        better = disjunction((negated(some), n.relation("gt" if op == "max" else "lt", v, found)))
        found = n.choose(conjunction((p, better)), v, found)
        some = disjunction((some, p))
    return found
