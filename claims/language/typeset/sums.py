"""Sums as one would write them by hand: equal summands are counted, numbers added, and what cancels is left out."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from claims.language.expressions.walk import structural_key
from claims.language.terms import terms as t
from claims.language.terms.types import INT

_SIGNS = {"add": 1, "sub": -1}
Summand = tuple[int, t.Term | None]
"""A factor and the term that it counts; of a number the number and None."""


def collect(term: t.Term) -> t.Term:
    """The sum with equal summands as one, if that is shorter; every other term, and a call of a definition, as it is.

    It has the same value wherever the sum has one.
    """
    if term.type != INT or not _may_shorten(term):
        return term
    counts: dict[Hashable, int] = {}
    terms: dict[Hashable, t.Term | None] = {}
    summands = list(_list_summands(term, 1))
    try:
        for factor, of in summands:
            key = None if of is None else structural_key(of)
            counts[key] = counts.get(key, 0) + factor
            terms.setdefault(key, of)
    except ValueError:  # a call of a definition
        return term
    found = [(counts[key], of) for key, of in terms.items() if counts[key]]
    made = _add_up(sorted(found, key=lambda x: (x[1] is None, x[0] < 0)))
    return made if (_count(made), len(found)) < (_count(term), len(summands)) else term


def _may_shorten(term: t.Term) -> bool:
    """A look that costs next to nothing: whether it is a sum or a product of more than two names or one name and 1."""
    match term:
        case t.Operation(op="neg", args=(x,)):
            return isinstance(x, t.Operation)
        case t.Operation(op="mul", args=(x, y)):
            return isinstance(x, t.Literal) or isinstance(y, t.Literal)
        case t.Operation(op="add" | "sub", args=(x, y)):
            plain = [
                isinstance(side, t.Variable) or (isinstance(side, t.Literal) and side.value != 0) for side in (x, y)
            ]
            return not all(plain) or type(x) is type(y)
    return False


def _list_summands(term: t.Term, factor: int) -> Iterator[Summand]:
    match term:
        case t.Literal(value=int(value)):
            yield factor * value, None
        case t.Operation(op="add" | "sub" as op, args=(x, y)):
            yield from _list_summands(x, factor)
            yield from _list_summands(y, factor * _SIGNS[op])
        case t.Operation(op="neg", args=(x,)):
            yield from _list_summands(x, -factor)
        case t.Operation(op="mul", args=(t.Literal(value=int(value)), x) | (x, t.Literal(value=int(value)))):
            yield from _list_summands(x, factor * value)
        case _:
            yield factor, term


def _add_up(summands: list[Summand]) -> t.Term:
    """The sum of these, in this order; 0 of none."""
    made: t.Term | None = None
    for factor, of in summands:
        part = _multiply(abs(factor), of)
        if made is None:
            made = part if factor > 0 else _apply("neg", part)
        else:
            made = _apply("add" if factor > 0 else "sub", made, part)
    return _number(0) if made is None else made


def _multiply(factor: int, of: t.Term | None) -> t.Term:
    if of is None:
        return _number(factor)
    return of if factor == 1 else _apply("mul", _number(factor), of)


def _number(value: int) -> t.Term:
    return t.Literal(INT, 0, 0, value)


def _apply(op: str, *args: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, op, args)


def _count(term: t.Term) -> int:
    return 1 + sum(map(_count, t.subterms(term)))
