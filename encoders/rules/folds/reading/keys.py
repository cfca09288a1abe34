"""When two comprehensions over the heaps of a position are the same fold.

The key of a fold is made of everything that stands in its terms, with the heap that runs in them marked as such.
Comparisons are turned one way and `not` is pushed into them, so that `all(h < k for h in s)` and `any(h >= k for h in
s)` speak of the same count.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from claims.language.expressions import terms as t
from claims.language.expressions.types import BOOL, INT
from claims.language.expressions.walk import identity

_FLIPPED = {"gt": "lt", "ge": "le"}
_SYMMETRIC = ("eq", "ne")


def key_of(reducer: str, body: t.Term, conditions: tuple[t.Term, ...], heap: str) -> Hashable:
    """The key of reducer(body for heap in s if conditions)."""
    tests = [*conditions, body] if reducer == "count" else list(conditions)
    parts = {_identity(p, heap) for x in tests for p in t.conjuncts(x) if not _is_true(p)}
    value = None if reducer == "count" else identity(body, (heap,))
    return reducer, value, frozenset(parts)


def _is_true(term: t.Term) -> bool:
    return isinstance(term, t.Literal) and term.type == BOOL and bool(term.value)


def _identity(term: t.Term, heap: str) -> Hashable:
    """The identity of a condition, the same for some that are plainly the same condition."""
    made = turned(term)
    if isinstance(made, t.Operation) and made.op in _SYMMETRIC:
        return made.op, frozenset(identity(x, (heap,)) for x in made.args)
    return identity(made, (heap,))


def turned(term: t.Term) -> t.Term:
    """A comparison of integers turned to `<=` or `<`; a < n, of a whole number n written down, to a <= n - 1."""
    if not isinstance(term, t.Operation) or not all(x.type == INT for x in term.args):
        return term
    if term.op in _FLIPPED:
        term = replace(term, op=_FLIPPED[term.op], args=term.args[::-1])
    if term.op == "lt":
        a, b = term.args
        if isinstance(a, t.Literal):
            return replace(term, op="le", args=(replace(a, value=a.value + 1), b))
        if isinstance(b, t.Literal):
            return replace(term, op="le", args=(a, replace(b, value=b.value - 1)))
    return term
