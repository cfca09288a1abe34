"""Sets of positions: their equality, and what runs over them, for positions of any number of heaps.

A set is the options of a position, all or those that meet conditions; positions written down heap by heap,
{replace(s, h, ...) for h in s if ...}; or positions written down one by one.  If two sets differ, one has an element
that the other lacks.  That is all the theory is told, as an axiom: the element is an arbitrary one of the first, and is
not among those that the second certainly has.  What follows from it is right; where the second has an element for a
reason that is not looked at, the proof just fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from claims.language.expressions.printing import print_term
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.moves import OpenMove
from encoders.logic.reader import Env
from encoders.logic.terms import YES, conjunction, disjunction, equal, implies, negation
from encoders.rules.folds.numbers.places import NO_SIZES
from encoders.rules.folds.positions.positions import HeapReplacement, Position
from encoders.rules.folds.positions.theory import FoldsTheory
from encoders.rules.folds.reading.moves import Take, kinds_of, outcome_of, pick_freely, play, playable, take_of

OF_POSITIONS = "take options of a position, those that meet a condition, or positions written down one by one"


@dataclass(frozen=True, eq=False)
class _Element:
    """A position that may be one of a set. `take`: what is picked in a move to it, by name, where it is an option."""

    position: Position
    take: Mapping[str, t.Term] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Elements:
    """What a set holds.

    `some(way)`: positions, each with a condition; where `way` grants that the set has an element, one of them is an
    arbitrary one and meets its condition.  `has(x)`: something from which it follows that x is in the set.
    """

    some: Callable[[t.Term], Iterator[tuple[t.Term, _Element]]]
    has: Callable[[_Element], t.Term]


def same_sets(theory: FoldsTheory, a: t.Term, b: t.Term, env: Env) -> t.Term:
    """The truth value of `a == b`. Raises Unsupported for other sets than those above."""
    first, second = _elements(theory, a, env), _elements(theory, b, env)
    same = theory.symbols.truth("the sets are equal")
    theory.learn(Reason.SETS, disjunction(same, _outside(theory, first, second), _outside(theory, second, first)))
    return same


def _outside(theory: FoldsTheory, a: _Elements, b: _Elements) -> t.Term:
    """A truth value that implies: `a` has an element that is not one of those that `b` certainly has."""
    way = theory.symbols.truth("an element of one set alone")
    alone = [conjunction(where, negation(b.has(x))) for where, x in a.some(way)]
    theory.learn(Reason.SETS, implies(way, disjunction(*alone)))
    return way


@dataclass(frozen=True, eq=False)
class Chosen:
    """The options that `call` asks for, those of them that meet the conditions of the clauses."""

    call: t.GameCall
    clauses: tuple[t.Clause, ...] = ()

    def fits(self, theory: FoldsTheory, env: Env, option: Position) -> t.Term:
        """Whether an option meets the conditions."""
        return conjunction(*(theory.truth(x, {**env, c.variable: option}) for c in self.clauses for x in c.conditions))

    def has(self, theory: FoldsTheory, env: Env, fits: Callable[[Position], t.Term]) -> t.Term:
        """Whether one of them fits as well, exactly. Raises Unsupported."""
        s, mover = theory.position_of(self.call.args[0], env), theory.player(self.call.args[1], env)

        def meets(option: Position) -> t.Term:
            return conjunction(self.fits(theory, env, option), fits(option))

        return theory.some_option(theory.claim.game(self.call.game), s, mover, meets)


def chosen(source: t.Term) -> Chosen | None:
    """A set as options that meet conditions; None for another."""
    match source:
        case t.GameCall(function="options"):
            return Chosen(source)
        case t.Comprehension(reducer="set", body=body, clauses=(clause,)) if _is(body, clause.variable):
            inner = chosen(clause.source)
            return inner and Chosen(inner.call, (*inner.clauses, clause))
    return None


def is_among(theory: FoldsTheory, x: t.Term, group: t.Term, env: Env) -> t.Term:
    """Whether a position is in a set of options, or is one of those written down. Raises Unsupported."""
    wanted = theory.position_of(x, env)
    if isinstance(group, t.Collection):
        return disjunction(*(theory.same_position(wanted, theory.position_of(item, env)) for item in group.items))
    if options := chosen(group):
        return options.has(theory, env, lambda option: theory.same_position(option, wanted))
    raise Unsupported(f"whether {print_term(x)} is in {print_term(group)}", instead=OF_POSITIONS)


# -- the sets ---------------------------------------------------------------------------------------------------------
def _elements(theory: FoldsTheory, term: t.Term, env: Env) -> _Elements:
    if options := chosen(term):
        return _options(theory, options, env)
    match term:
        case t.Collection(items=items):
            return _written(theory, items, env)
        case t.Comprehension(
            reducer="set", body=t.Operation(op="replace", args=(whole, heap, becomes)), clauses=(clause,)
        ) if isinstance(clause.source, t.Variable) and clause.source.type == POSITION:
            if _is(whole, clause.source.name) and _is(heap, clause.variable):
                return _replaced(theory, clause, becomes, env)
    instead = f"{OF_POSITIONS}, or all of one form, as in {{replace(s, h, h - 1) for h in s}}"
    raise Unsupported(f"{print_term(term)} is no set of positions that the proof rule knows", instead=instead)


def _is(term: t.Term, name: str) -> bool:
    return isinstance(term, t.Variable) and term.name == name


def _options(theory: FoldsTheory, options: Chosen, env: Env) -> _Elements:
    """Options that meet conditions.

    One of them is certainly each position that differs from s in one heap and is reached from that by a legal move:
    by one with the numbers picked of which the position is told, or with those that a named move gives.
    """
    source = options.call
    s, mover = theory.position_of(source.args[0], env), theory.player(source.args[1], env)
    game = theory.claim.game(source.game)
    moves = playable(game, mover)

    def some(way: t.Term) -> Iterator[tuple[t.Term, _Element]]:
        for taken, rest in theory.take_from(s, way):
            for move in moves:
                take = pick_freely(theory, move, (taken.heap,))
                legal, size, made = play(theory, move, taken.heap, rest, take)
                option = theory.after(rest, size)
                yield conjunction(taken.present, legal, made, options.fits(theory, env, option)), _Element(option, take)

    def has(x: _Element) -> t.Term:
        change = x.position.change
        if change is None or change.of is not s:
            return options.has(theory, env, lambda option: theory.same_position(option, x.position))
        by_x = [_reaches(theory, move, change, x.take) for move in moves if move.picks_by(x.take)]
        ways = disjunction(*by_x, *(_reaches(theory, move, change, take) for move, take in named(change)))
        return conjunction(ways, options.fits(theory, env, x.position))

    def named(change: HeapReplacement) -> Iterator[tuple[OpenMove, Take]]:
        for one in theory.proof.moves:
            for move in kinds_of(one, game, mover):
                yield move, take_of(theory, one, s, change.heap, change.rest)

    return _Elements(some, has)


def _reaches(theory: FoldsTheory, move: OpenMove, change: HeapReplacement, take: Mapping[str, t.Term]) -> t.Term:
    """Whether the move with these picks is legal and makes the change."""
    legal, (becomes,) = outcome_of(theory, move, (change.heap,), take, change.rest)
    return conjunction(legal, equal(change.size, becomes))


def _replaced(theory: FoldsTheory, clause: t.Clause, becomes: t.Term, env: Env) -> _Elements:
    """{replace(s, h, becomes) for h in s if conditions}."""
    s = theory.position_of(clause.source, env)

    def met(heap: t.Term) -> tuple[t.Term, t.Term]:
        """Whether the conditions are, and what the heap becomes."""
        inner = {**env, clause.variable: heap}
        size = theory.natural(theory.number(becomes, inner))
        if not theory.is_size(size):
            words = f"a heap that is replaced by {print_term(becomes)}, which may leave {theory.sizes}"
            raise Unsupported(words, instead=NO_SIZES)
        return conjunction(*(theory.truth(c, inner) for c in clause.conditions)), size

    def some(way: t.Term) -> Iterator[tuple[t.Term, _Element]]:
        for taken, rest in theory.take_from(s, way):
            where, size = met(taken.heap)
            yield conjunction(taken.present, where), _Element(theory.after(rest, size))

    def has(x: _Element) -> t.Term:
        change = x.position.change
        if change is not None and change.of is s:
            where, size = met(change.heap)
            return conjunction(where, equal(change.size, size))
        if s.listed is None:
            words = f"positions with a heap of {s.name} replaced are compared with those of another position"
            raise Unsupported(words, instead=f"compare them with options of {s.name}")
        return disjunction(
            *(conjunction(where, theory.same_position(x.position, other.position)) for where, other in some(YES))
        )

    return _Elements(some, has)


def _written(theory: FoldsTheory, items: tuple[t.Term, ...], env: Env) -> _Elements:
    """{a, b}, positions written down one by one."""
    positions = [theory.position_of(item, env) for item in items]

    def some(way: t.Term) -> Iterator[tuple[t.Term, _Element]]:
        yield from ((YES, _Element(p)) for p in positions)

    return _Elements(some, lambda x: disjunction(*(theory.same_position(x.position, p) for p in positions)))
