"""When two comprehensions over the heaps of a position are the same fold.

The key of a fold is its text with the running variable renamed, comparisons turned one way, and `not` pushed into them,
so that `all(h < k for h in s)` and `any(h >= k for h in s)` speak of the same count.
"""

from __future__ import annotations

from claims import terms as t
from claims.types import BOOL

Key = str
_FLIPPED = {"gt": "lt", "ge": "le"}
_NEGATED = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}


def key_of(reducer: str, body: t.Term, conditions: tuple[t.Term, ...], heap: str) -> Key:
    """The key of reducer(body for heap in s if conditions)."""
    tests = [*conditions, body] if reducer == "count" else list(conditions)
    parts = sorted({p for x in tests for p in _conjuncts(x, heap)} - {"1"})
    value = "" if reducer == "count" else _dump(body, heap)
    return f"{reducer}[{value} | {' & '.join(parts)}]"


def _conjuncts(term: t.Term, heap: str) -> list[str]:
    if isinstance(term, t.AllOf):
        return [p for x in term.args for p in _conjuncts(x, heap)]
    return [_dump(term, heap)]


def negated(term: t.Term) -> t.Term:
    """`not term`, with the negation pushed into a comparison."""
    if isinstance(term, t.Operation) and term.op in _NEGATED:
        return t.Operation(BOOL, term.start, term.end, _NEGATED[term.op], term.args)
    if isinstance(term, t.Operation) and term.op == "not":
        return term.args[0]
    return t.Operation(BOOL, term.start, term.end, "not", (term,))


def _dump(term: t.Term, heap: str) -> str:
    match term:
        case t.Literal(value=value):
            return str(value)
        case t.Variable(name=name):
            return "·" if name == heap else name
        case t.Operation(op=op, args=args):
            if op in _FLIPPED:
                op, args = _FLIPPED[op], args[::-1]
            if op == "lt":  # on integers a < h is a + 1 <= h
                if isinstance(args[0], t.Literal):
                    return f"le({args[0].value + 1}, {_dump(args[1], heap)})"
                if isinstance(args[1], t.Literal):
                    return f"le({_dump(args[0], heap)}, {args[1].value - 1})"
            parts = [_dump(x, heap) for x in args]
            return f"{op}({', '.join(sorted(parts) if op in ('eq', 'ne') else parts)})"
        case t.Apply(function=function, args=args):
            return f"{function.name}({', '.join(_dump(x, heap) for x in args)})"
        case _:
            inside = ", ".join(_dump(x, heap) for x in t.subterms(term))
            return f"{type(term).__name__}({inside})"
