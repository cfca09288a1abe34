"""The small changes that can be made to one term, or to the domain of a variable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from claims.language.statement import domains as d
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, OUTCOME, PLAYER

Values = tuple[int, ...] | tuple[tuple[int, ...], ...]
TermEdit = tuple[str, t.Term, int]
"""The kind of the change, the new term, and 1 or -1 if that is never smaller or never larger than the old one.

A Bool is the larger the more often it is true.  0: neither is certain.
"""

_COMPARISONS = {"lt": ("le", 1), "le": ("lt", -1), "gt": ("ge", 1), "ge": ("gt", -1), "eq": ("ne", 0), "ne": ("eq", 0)}
_NIM = {"add": ("nim", -1), "nim": ("add", 1), "sum": ("nim_sum", -1), "nim_sum": ("sum", 1)}  # on naturals
_EXTREMES = {"largest": ("smallest", -1), "smallest": ("largest", 1), "max": ("min", -1), "min": ("max", 1)}
_QUANTIFIERS = {"any": ("all", 0), "all": ("any", 0)}
_KINDS = {"comparison": _COMPARISONS, "nim-addition": _NIM, "min/max": _EXTREMES, "any/all": _QUANTIFIERS}
_SWAPS = {op: (kind, other, way) for kind, table in _KINDS.items() for op, (other, way) in table.items()}


def changes(term: t.Term, players: int) -> Iterator[TermEdit]:
    """What can be changed at the top of a term, in a claim whose games have so many named players.

    >>> [(new.value, way) for _, new, way in changes(t.Literal(INT, 0, 1, 5), 2)]
    [(6, 1), (4, -1)]
    """
    match term:
        case t.Literal(type=kind, value=v) if kind == INT:
            yield "constant", _number(term, v + 1), 1
            yield "constant", _number(term, v - 1), -1
        case t.Literal(type=kind, start=a, end=b, value=v) if kind == PLAYER and players > 1:
            yield "player", t.Literal(PLAYER, a, b, (v + 1) % players), 0
        case t.Literal(type=kind, start=a, end=b, value=v) if kind == OUTCOME:
            yield "outcome", t.Literal(OUTCOME, a, b, v ^ 1), 0  # P and N, first_wins and second_wins
        case t.AllOf(args=args):
            yield "and/or", t.AnyOf(BOOL, term.start, term.end, args), 1
        case t.AnyOf(args=args):
            yield "and/or", t.AllOf(BOOL, term.start, term.end, args), -1
        case t.Operation(op="not", args=(t.Operation(op="in") as inside,)):
            yield "comparison", inside, 0
        case t.Operation(op="in"):
            yield "comparison", t.Operation(BOOL, term.start, term.end, "not", (term,)), 0
        case t.Operation(op=op, args=args) if op in _SWAPS:
            what, other, way = _SWAPS[op]
            if what != "nim-addition" or term.type == INT:  # fractions have no nim-sum
                yield what, t.Operation(term.type, term.start, term.end, other, args), way
        case t.Comprehension(reducer=op, body=body, clauses=clauses) if op in _SWAPS:
            what, other, way = _SWAPS[op]
            if what != "nim-addition" or term.type == INT:
                yield what, t.Comprehension(term.type, term.start, term.end, other, body, clauses), way


def _number(old: t.Term, value: int) -> t.Term:
    """An integer in place of another one; below 0 it is written with a sign, as in a file."""
    number = t.Literal(INT, old.start, old.end, abs(value))
    return number if value >= 0 else t.Operation(INT, old.start, old.end, "neg", (number,))


def moved(bound: t.Term) -> Iterator[TermEdit]:
    """A bound of an interval moved by one, where changing its last constant does not do that already."""
    match bound:
        case t.Literal() | t.Operation(op="add" | "sub", args=(_, t.Literal())):
            return
    one = t.Literal(INT, bound.start, bound.end, 1)
    for op, way in (("add", 1), ("sub", -1)):
        yield "bound", t.Operation(INT, bound.start, bound.end, op, (bound, one)), way


def neighbours(domain: d.Domain) -> Iterator[tuple[d.Domain, str, str, bool]]:
    """A list or a range of subsets with one number moved by one.

    Each with the domain, what is new in it, what that replaced, and whether the domain has become smaller.

    >>> [(now, was, smaller) for _, now, was, smaller in neighbours(d.Listed((1, 2)))]
    [('2', '1', True), ('0', '1', False), ('3', '2', False), ('1', '2', True)]
    """
    match domain:
        case d.Subsets(lo=lo, hi=hi):
            for a, b in ((lo - 1, hi), (lo + 1, hi), (lo, hi - 1), (lo, hi + 1)):
                if a <= b:
                    smaller = lo <= a and b <= hi
                    yield d.Subsets(a, b), f"subsets of {a}..{b}", f"subsets of {lo}..{hi}", smaller
        case d.ListedDomain(values=values):
            for i, x in enumerate(values):
                rest = values[:i] + values[i + 1 :]
                for new in (x + 1, x - 1) if isinstance(x, int) else neighbouring_positions(cast(tuple[int, ...], x)):
                    kept = rest if new in rest else (*values[:i], new, *values[i + 1 :])
                    yield d.ListedDomain(cast(Values, kept)), str(new), str(x), new in rest


def neighbouring_positions(s: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The positions with one object more or less in one heap.

    >>> list(neighbouring_positions((1, 1, 4)))
    [(1, 2, 4), (1, 4), (1, 1, 5), (1, 1, 3)]
    """
    for i, h in enumerate(s):
        if h not in s[:i]:
            for size in (h + 1, h - 1):
                yield tuple(sorted(x for x in (*s[:i], size, *s[i + 1 :]) if x))
