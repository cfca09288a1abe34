"""Folds over the places of the lists of a position's heaps: a nim-sum, a sum or a count, in one form."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace

from claims.language.expressions.walk import free_names, rebuild, structural_key, substitute
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.logic.terms import YES, ZERO, add, conjunction, nim

NIM_SUM, SUM, COUNT = "nim_sum", "sum", "count"
HEAP, PLACE = "heap'", "place'"  # no name of a file has this mark in it


@dataclass(frozen=True, eq=False)
class PlaceFold:
    """A number to which each heap, or each place of one of its lists, adds something.

    `having`: which heaps do; `low`, `after`: at the places from this one to before that one, None for a fold over heaps
    alone; `when`: at which of those places; `term`: what is added, for COUNT a condition.  All are about a heap called
    HEAP, the last two also about a place called PLACE.
    """

    reducer: str
    having: t.Term
    term: t.Term
    when: t.Term = YES
    low: t.Term | None = None
    after: t.Term | None = None

    @property
    def key(self) -> Hashable:
        """Equal for two folds only if they are the same."""
        places = () if self.low is None or self.after is None else (self.low, self.after)
        return (self.reducer, *map(structural_key, (self.having, self.term, self.when, *places)))

    @property
    def natural(self) -> bool:
        """Whether it is no number below 0, whatever is added."""
        return self.reducer != SUM

    def join(self, a: t.Term, b: t.Term) -> t.Term:
        """That of two families that have nothing in common."""
        return nim(a, b) if self.reducer == NIM_SUM else add(a, b)


def find_fold(term: t.Term, is_position: Callable[[str], bool]) -> tuple[str, PlaceFold] | None:
    """(the position, the fold over it) that a term is; None for other terms. Definitions are to be written out."""
    match term:
        case t.Operation(op="len", args=(t.Variable(name=name),)) if is_position(name):
            return name, PlaceFold(COUNT, YES, YES)
        case t.Comprehension(
            reducer=reducer, body=body, clauses=(t.Clause(heap, t.Variable(name=name) as s, conditions), *others)
        ) if reducer in (NIM_SUM, SUM, COUNT) and is_position(name):
            found = _read(reducer, body, conjunction(*conditions), tuple(others))
            return None if found is None else (name, _rename(found, heap, t.Variable(t.running_type(s), 0, 0, HEAP)))
    return None


def _read(reducer: str, body: t.Term, having: t.Term, clauses: tuple[t.Clause, ...]) -> PlaceFold | None:
    """Of what runs in each heap; None where that is something else than the places of a list, or its numbers."""
    if not clauses:
        return _unnest(reducer, body, having)
    if len(clauses) > 1:
        return None
    (clause,) = clauses
    when = conjunction(*clause.conditions)
    match clause.source:
        case t.Operation(op="range", args=(low, after)):
            return _rename(
                PlaceFold(reducer, having, body, when, low, after), clause.variable, t.Variable(INT, 0, 0, PLACE)
            )
        case t.Operation(op="part") as part if part.type.is_collection:
            made = PlaceFold(reducer, having, body, when, ZERO, _length(part))
            return _substitute(made, {clause.variable: _at_place(part)})
    return None


def _unnest(reducer: str, body: t.Term, having: t.Term) -> PlaceFold | None:
    """A sum of the sums of lists is one over their places; so is a nim-sum of nim-sums."""
    match body:
        case t.Comprehension(reducer=inner, body=term, clauses=clauses) if inner == reducer != COUNT:
            return _read(reducer, term, having, clauses)
        case t.Operation(op=op, args=(t.Operation(op="part") as part,)) if op == reducer and part.type.is_collection:
            return PlaceFold(reducer, having, _at_place(part), YES, ZERO, _length(part))
    return PlaceFold(reducer, having, body)


def _at_place(part: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, "index", (part, t.Variable(INT, 0, 0, PLACE)))


def _length(part: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, "len", (part,))


def _rename(fold: PlaceFold, name: str, to: t.Variable) -> PlaceFold:
    return _substitute(fold, {name: to})


def _substitute(fold: PlaceFold, values: Mapping[str, t.Term]) -> PlaceFold:
    having, term, when = (substitute(x, values) for x in (fold.having, fold.term, fold.when))
    low, after = (None if x is None else substitute(x, values) for x in (fold.low, fold.after))
    return PlaceFold(fold.reducer, having, term, when, low, after)


# -- the only heap ----------------------------------------------------------------------------------------------------
ALONE = "alone'"


def says_alone(condition: t.Term, position: str) -> bool:
    """Whether it says that the position has one heap."""
    match condition:
        case t.Operation(op="eq", args=(t.Operation(op="len", args=(t.Variable(name=name),)), t.Literal(value=1))):
            return name == position
    return False


def see_alone(term: t.Term, position: t.Variable) -> t.Term:
    """What means the same where s has one heap: folds over s in place of those over s[0], its numbers and lengths."""
    made = _replace_first(term, position)
    if made is not term and position.name not in free_names(made):
        over = t.Clause(ALONE, position, ())
        match made:
            case t.Comprehension(reducer=reducer, clauses=clauses) if reducer in (NIM_SUM, SUM, COUNT):
                return replace(made, clauses=(over, *clauses))
            case t.Operation(op="part" | "len" | "sum" | "nim_sum") if made.type == INT:
                return t.Comprehension(INT, made.start, made.end, SUM, made, (over,))
    return rebuild(term, lambda x: see_alone(x, position))


def _replace_first(term: t.Term, position: t.Variable) -> t.Term:
    """The term with a heap called ALONE in place of s[0]."""
    match term:
        case t.Operation(op="index", args=(t.Variable(name=name), t.Literal(value=0))) if name == position.name:
            return t.Variable(term.type, term.start, term.end, ALONE)
    return rebuild(term, lambda x: _replace_first(x, position))
