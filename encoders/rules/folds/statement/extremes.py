"""The largest and the least heap, and how often they occur, as terms of a claim or a proof speak of them."""

from __future__ import annotations

from dataclasses import dataclass

from claims.language.expressions.walk import free_names, structural_key
from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION
from encoders.logic.terms import ONE, ZERO, at_least

LEAST, LARGEST = "min", "max"


@dataclass(frozen=True, eq=False)
class Spoken:
    """The least heap of a position (`which` LEAST) or the largest; or, if `times`, how often that occurs."""

    which: str
    times: bool
    source: t.Term


def extreme_of(term: t.Term) -> Spoken | None:
    """Which of the four a term is; None for another term."""
    match term:
        case t.Operation(op="min" | "max" as op, args=(source,)) if source.type == POSITION:
            return Spoken(op, False, source)
        case t.Operation(op="occurrences", args=(source, item)) if source.type == POSITION:
            found = extreme_of(item)
            return _how_often(found, source)
        case t.Comprehension(
            reducer="count",
            body=t.Operation(op="eq", args=(a, b)),
            clauses=(t.Clause(variable=heap, source=source, conditions=()),),
        ) if source.type == POSITION:
            for one, other in ((a, b), (b, a)):
                if isinstance(one, t.Variable) and one.name == heap and heap not in free_names(other):
                    return _how_often(extreme_of(other), source)
    return None


def _how_often(found: Spoken | None, source: t.Term) -> Spoken | None:
    """How often the extreme occurs in the position, if it is one of that position."""
    if found is None or found.times or structural_key(found.source) != structural_key(source):
        return None
    return Spoken(found.which, True, source)


def is_extreme(term: t.Term) -> Spoken | None:
    """As `extreme_of`, of a term that is 0 where there is no heap as well."""
    match term:
        case t.IfElse(condition=condition, then=then, other=t.Literal(value=0)):
            found = extreme_of(then)
            if found is not None and structural_key(condition) == structural_key(has_heap(found.source)):
                return found
    return extreme_of(term)


def has_heap(s: t.Term) -> t.Term:
    """len(s) >= 1."""
    return at_least(t.Operation(INT, 0, 0, "len", (s,)), ONE)


def guarded(term: t.Term) -> t.Term:
    """The term, 0 where there is no heap if it is one of the four."""
    found = extreme_of(term)
    return term if found is None else t.IfElse(INT, term.start, term.end, has_heap(found.source), term, ZERO)
