"""Between which integers a number of a claim lies, as far as its making shows: what may be negative is refused.

The arithmetic is that of `encoders.rules.folds.numbers.intervals`, for terms that ask about positions and games too.
"""

from __future__ import annotations

from collections.abc import Mapping

from claims.language.builtins.table import BUILTINS
from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION
from encoders.rules.folds.numbers.intervals import Interval, IntervalAlgebra

UNKNOWN, NATURAL = Interval(), Interval(0)
_EXACT = IntervalAlgebra()


def range_of(term: t.Term, known: Mapping[str, Interval]) -> Interval:
    """The range of an integer; `known`: those of variables, of which others have none.

    >>> k, minus = t.Variable(INT, 0, 0, "k"), t.Literal(INT, 0, 0, -1)
    >>> range_of(t.Operation(INT, 0, 0, "mul", (minus, k)), {"k": Interval(1)})
    Interval(lo=None, hi=-1, literal=False)
    """
    match term:
        case t.Literal(value=value):
            return Interval(value, value)
        case t.Variable(name=name):
            return known.get(name, UNKNOWN)
        case t.IfElse(then=a, other=b):
            return _EXACT.choose(None, range_of(a, known), range_of(b, known))
        case t.Operation(op="add" | "sub" | "mul" | "neg" as op, args=args):
            return _EXACT.operations[op](*(range_of(x, known) for x in args))
        case t.Operation(op="floordiv", args=(a, b)):
            return _quotient(range_of(a, known), range_of(b, known))
        case t.Operation(op="mod", args=(_, b)):
            by = range_of(b, known)
            above = by.lo is not None and by.lo >= 1
            return Interval(0, None if by.hi is None else by.hi - 1) if above else UNKNOWN
        case t.Operation(op="largest" | "smallest" as op, args=args):
            return _EXACT.extreme(op, [range_of(x, known) for x in args])
        case t.Operation(op=op) if BUILTINS[op].natural:
            return NATURAL
        case t.Operation(op="sum" | "max" | "min" | "index", args=(s, *_)) if s.type == POSITION:
            return NATURAL
        case t.Comprehension(reducer=reducer) if reducer in BUILTINS and BUILTINS[reducer].natural:
            return NATURAL
        case t.GameCall(function="grundy" | "value"):
            return NATURAL
    return UNKNOWN


def holds_naturals(source: t.Term, known: Mapping[str, Interval]) -> bool:
    """Whether no element of a collection of integers is negative, as far as its making shows."""
    match source:
        case _ if source.type == POSITION:
            return True
        case t.Operation(op="range", args=(low, _)):
            return range_of(low, known).natural
        case t.Collection(items=items):
            return all(range_of(x, known).natural for x in items)
        case t.Comprehension(reducer="set" | "list", body=body, clauses=clauses):
            inner = dict(known)
            for clause in clauses:
                if t.running_type(clause.source) == INT:
                    inner[clause.variable] = NATURAL if holds_naturals(clause.source, inner) else UNKNOWN
            return range_of(body, inner).natural
    return False


def _quotient(a: Interval, b: Interval) -> Interval:
    """Rounded down. Only for a divisor that is above 0 something is known."""
    if b.lo is None or b.lo < 1:
        return UNKNOWN
    if a.lo is None:
        low = None
    elif a.lo < 0:
        low = a.lo // b.lo
    else:
        low = 0 if b.hi is None else a.lo // b.hi
    if a.hi is None:
        return Interval(low)
    return Interval(low, a.hi // b.lo if a.hi >= 0 else -1)
