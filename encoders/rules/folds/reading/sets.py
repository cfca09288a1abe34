"""Equality of two sets of positions one move away, for any number of heaps.

The sets are options of a position, {t for t in options(s) if ...}, and positions written down heap by heap,
{replace(s, h, ...) for h in s if ...}.  If they differ, one has an element that the other lacks: it comes from some
heap of s, and is not made from that same heap in the other.  That is all the theory is told, as an axiom: what follows
from it is right, and where an element is made from another heap than expected, the proof just fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.expressions.types import POSITION
from encoders.answer import Unsupported
from encoders.logic.reader import Env
from encoders.logic.terms import both, either, equal, implies, negation
from encoders.rules.folds.reading.moves import play, playable, take_of
from encoders.rules.folds.reading.positions import Position
from encoders.rules.folds.reading.theory import Theory

Made = tuple[t.Term, t.Term]  # the condition that a heap makes an element, and the size the heap has in it


@dataclass(frozen=True)
class _Elements:
    """What a set holds of the positions in which one heap of s has changed.

    `some(heap, rest)`: an arbitrary element made from that heap.  `known(heap, rest)`: elements certainly made from it.
    """

    s: Position
    some: Callable[[t.Term, Position], list[Made]]
    known: Callable[[t.Term, Position], list[Made]]


def same_sets(theory: Theory, a: t.Term, b: t.Term, env: Env) -> t.Term:
    """The truth value of `a == b`. Raises Unsupported for other sets than those above."""
    first, second = _elements(theory, a, env), _elements(theory, b, env)
    if first.s is not second.s:
        raise Unsupported(f"{text(a)} and {text(b)} are about two positions")
    same = theory.symbols.truth("the sets are equal")
    theory.known.append(either(same, _outside(theory, first, second), _outside(theory, second, first)))
    return same


def _outside(theory: Theory, a: _Elements, b: _Elements) -> t.Term:
    """A truth value that implies: some heap makes an element of `a`, and makes none like it in `b`."""
    way = theory.symbols.truth("an element of one set alone")
    heap, rest = theory.split(a.s, way, a.s.name)
    elements = a.some(heap, rest)
    others = b.known(heap, rest)
    alone = [
        both(made, *(negation(both(other, equal(size, like))) for other, like in others)) for made, size in elements
    ]
    theory.known.append(implies(way, either(*alone)))
    return way


def _elements(theory: Theory, term: t.Term, env: Env) -> _Elements:
    if isinstance(term, t.Comprehension) and term.reducer == "set" and len(term.clauses) == 1:
        (clause,) = term.clauses
        source, body = clause.source, term.body
        if isinstance(source, t.GameCall) and source.function == "options" and _is(body, clause.variable):
            return _options(theory, clause, source, env)
        if (
            source.type == POSITION
            and isinstance(body, t.Operation)
            and body.op == "replace"
            and isinstance(source, t.Variable)
            and _is(body.args[0], source.name)
            and _is(body.args[1], clause.variable)
        ):
            return _replaced(theory, clause, body.args[2], env)
    raise Unsupported(f"{text(term)} is no set of positions that the proof rule knows")


def _is(term: t.Term, name: str) -> bool:
    return isinstance(term, t.Variable) and term.name == name


def _options(theory: Theory, clause: t.Clause, source: t.GameCall, env: Env) -> _Elements:
    """{t for t in options(s) if conditions}; certainly in it are the options that the named moves reach."""
    s, mover = theory.position_of(source.args[0], env), theory.player(source.args[1], env)
    game = theory.claim.game(source.game)
    moves = playable(game, mover)

    def fits(rest: Position, size: t.Term) -> t.Term:
        inner = {**env, clause.variable: theory.after(rest, size)}
        return both(*(theory.truth(c, inner) for c in clause.conditions))

    def some(heap: t.Term, rest: Position) -> list[Made]:
        played = [play(theory, move, heap, None) for move in moves]
        return [(both(legal, made, fits(rest, size)), size) for legal, size, made in played]

    def known(heap: t.Term, rest: Position) -> list[Made]:
        found = []
        for named in theory.proof.moves:
            if named.player in (None, mover) and len(moves) == 1:
                legal, size, made = play(theory, moves[0], heap, take_of(theory, named, s, heap))
                theory.known.append(implies(legal, made))  # a legal move makes a heap of some size: measure
                found.append((both(legal, fits(rest, size)), size))
        return found

    return _Elements(s, some, known)


def _replaced(theory: Theory, clause: t.Clause, becomes: t.Term, env: Env) -> _Elements:
    """{replace(s, h, becomes) for h in s if conditions}."""
    s = theory.position_of(clause.source, env)

    def made(heap: t.Term, rest: Position) -> list[Made]:
        inner = {**env, clause.variable: heap}
        size = theory.number(becomes, inner)
        if not theory.is_size(size):
            raise Unsupported(f"{text(becomes)} may leave {theory.sizes}")
        return [(both(*(theory.truth(c, inner) for c in clause.conditions)), size)]

    return _Elements(s, made, made)
