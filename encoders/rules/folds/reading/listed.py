"""What is written down one by one: heaps in ascending order, and lists of numbers and truth values."""

from __future__ import annotations

from collections.abc import Iterator

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.types import BOOL, INT, PLAYER, POSITION
from encoders.answer import Unsupported
from encoders.logic.reader import Env
from encoders.logic.terms import ONE, ZERO, add, both, choose, either, equal, integer, opposite
from encoders.rules.folds.reading.positions import Position
from encoders.rules.folds.reading.theory import Theory


def number_of_list(theory: Theory, term: t.Term, env: Env) -> t.Term | None:
    """A number about heaps in order, or how many elements of a list meet conditions; None for other terms.

    Raises Unsupported.
    """
    match term:
        case t.Operation(op="min" | "max" as op, args=(source,)) if heaps := _ordered(theory, source, env):
            return heaps[0 if op == "min" else -1]
        case t.Operation(op="index", args=(source, place)) if heaps := _ordered(theory, source, env):
            return _at(heaps, theory.number(place, env))
        case t.Comprehension(reducer="count", body=body, clauses=(clause,)) if _is_list(clause.source):
            found: t.Term = ZERO
            for counts in _meeting(theory, body, clause, env):
                found = add(found, choose(counts, ONE, ZERO))
            return found
    return None


def quantified_over_list(theory: Theory, term: t.Comprehension, clause: t.Clause, env: Env) -> t.Term | None:
    """Whether any or all of the elements that are written down fit; None for other sources. Raises Unsupported."""
    if not isinstance(clause.source, t.Collection):
        return None
    if term.reducer == "any":
        return either(*_meeting(theory, term.body, clause, env))
    return opposite(either(*_meeting(theory, opposite(term.body), clause, env)))


def _ordered(theory: Theory, source: t.Term, env: Env) -> list[t.Term]:
    """The heaps of a position whose heaps are known in ascending order, else none."""
    if isinstance(source, t.Variable) and source.type == POSITION:
        found = env.get(source.name)
        if isinstance(found, Position) and found.ordered and found.listed:
            return [x.heap for x in found.listed]
    return []


def _at(heaps: list[t.Term], place: t.Term) -> t.Term:
    """The heap at a place, counted from 0; one of them where there is no such place."""
    if isinstance(place, t.Literal):
        return heaps[max(0, min(place.value, len(heaps) - 1))]
    found = heaps[-1]
    for i, heap in enumerate(heaps[:-1]):
        found = choose(equal(place, integer(i)), heap, found)
    return found


def _is_list(source: t.Term) -> bool:
    """Whether elements are written down in a list: in a set the same one may stand twice."""
    return isinstance(source, t.Collection) and source.type.kind == "list"


def _meeting(theory: Theory, body: t.Term, clause: t.Clause, env: Env) -> Iterator[t.Term]:
    """For each element of a list that is written down, whether it meets the conditions and the body."""
    assert isinstance(clause.source, t.Collection)
    for item in clause.source.items:
        inner = {**env, clause.variable: _read(theory, item, env)}
        yield both(*(theory.truth(x, inner) for x in (*clause.conditions, body)))


def _read(theory: Theory, item: t.Term, env: Env) -> object:
    if item.type == BOOL:
        return theory.truth(item, env)
    if item.type == INT:
        return theory.number(item, env)
    if item.type == POSITION:
        return theory.position_of(item, env)
    if item.type == PLAYER:
        return theory.player(item, env)
    raise Unsupported(f"{text(item)} is no element that the proof rule knows")
