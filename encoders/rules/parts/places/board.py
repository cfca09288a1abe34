"""A game of heaps whose lists have any length: which are heaps, and what a move of one of them does to folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import substitute
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.ground.refusals import Unsupported
from encoders.logic.polynomials import polynomial
from encoders.logic.terms import (
    ONE,
    ZERO,
    at_least,
    at_most,
    conjunction,
    implies,
    integer,
    is_plain,
    less_than,
    sub,
)
from encoders.rules.kit.common import only_game
from encoders.rules.parts.one.flat import FlatEnv, Value, explore_with
from encoders.rules.parts.one.play import list_parameters, make_move, refuse_games
from encoders.rules.parts.places.folds import COUNT, HEAP, NIM_SUM, PLACE, PlaceFold
from encoders.rules.parts.places.lists import Heap, OnOneWay, PlaceReader, SymbolicList, make_heap, rows_of, same_place


@dataclass(frozen=True, eq=False)
class PlacesMoveBranch:
    """A way to make a move. `met`: that it is this way; `owed`: what gives it a value; `left`: the heap that it leaves.

    `legal`: that what is picked may be; `is_heap`: that what is left is a heap of the game.
    """

    met: t.Term
    legal: t.Term
    owed: t.Term
    is_heap: t.Term
    left: Heap


class PlacesGame:
    """The game of a claim. Raises Unsupported for one that is not followed."""

    def __init__(self, claim: Claim) -> None:
        self.claim, self.game = claim, only_game(claim)
        refuse_games(self.game)
        if self.game.ruleset.sees_position:
            raise Unsupported(f"{self.game.ruleset.id}: the rule follows moves that look at no heap but their own")
        assert self.game.ruleset.heap is not None
        self.shape = self.game.ruleset.heap

    def list_parameters(self, flat: PlaceReader) -> dict[str, Value]:
        """The integers of the claim, and the parameters of the game."""
        return list_parameters(self.claim, self.game, flat)

    # -- heaps --------------------------------------------------------------------------------------------------------
    def known_of(self, heap: Heap) -> t.Term:
        """What is known of a heap of the game before a move, once all places of its lists have been named."""
        flat = OnOneWay()
        env = {**self.list_parameters(flat), "h": heap}
        found: list[t.Term] = []
        named = {i: [place for place, _ in row.numbers.places] for i, row in rows_of(heap)}
        for x in () if self.shape.where is None else t.conjuncts(self.shape.where):
            found += self._instances(flat, x, env, named)
        for part, value in zip(self.shape.parts, heap, strict=True):
            low, high = (None if x is None else flat.number(x, env) for x in (part.lo, part.hi))
            assert low is not None
            if isinstance(value, SymbolicList):
                found += [at_least(value.numbers.length, ZERO), *value.numbers.known(low, high)]
            else:
                assert isinstance(value, t.Term)
                found += [at_least(value, low), *(() if high is None else (at_most(value, high),))]
        return conjunction(*found)

    def _instances(
        self, flat: PlaceReader, x: t.Term, env: FlatEnv, named: dict[int, list[t.Term]]
    ) -> Iterator[t.Term]:
        """A condition on heaps; of one on all places those about the places that are named."""
        parts = _all_places(x)
        if parts is None:
            yield flat.truth(x, env)
            return
        heap = env["h"]
        assert isinstance(heap, tuple)
        places: list[t.Term] = []
        for i, apart in self._find_distances(partial(self._read_all, parts=parts, env=env)):
            for place in named[i]:
                here = polynomial(sub(place, integer(apart))).term()
                if not any(is_plain(same_place(here, other), True) for other in places):
                    places.append(here)
        yield from (self._read_all(flat, heap, place, parts=parts, env=env) for place in places)

    def is_heap(self, flat: PlaceReader, heap: Heap) -> t.Term:
        """That what a move leaves is a heap: for a place of which nothing is known, what is asked of all."""
        env = {**self.list_parameters(flat), "h": heap}
        found: list[t.Term] = []
        for part, value in zip(self.shape.parts, heap, strict=True):
            numbers = [x for _, x in value.changes] if isinstance(value, SymbolicList) else [value]
            for x in numbers:
                assert isinstance(x, t.Term)
                found.append(at_least(x, flat.number(part.lo, env)))
                found += [] if part.hi is None else [at_most(x, flat.number(part.hi, env))]
        for i, x in enumerate(() if self.shape.where is None else t.conjuncts(self.shape.where)):
            parts = _all_places(x)
            if parts is None:
                found.append(flat.truth(x, env))
            else:
                found.append(self._read_all(flat, heap, t.Variable(INT, 0, 0, f"place {i}"), parts, env))
        return conjunction(*found)

    def _read_all(
        self, flat: PlaceReader, heap: Heap, place: t.Term, parts: tuple[t.Term, t.Clause], env: FlatEnv
    ) -> t.Term:
        """What `all` asks of a place."""
        body, clause = parts
        assert isinstance(clause.source, t.Operation)
        low, after = (flat.number(x, {**env, "h": heap}) for x in clause.source.args)
        met: list[t.Term] = [at_least(place, low), less_than(place, after)]
        here = {**env, "h": heap, clause.variable: place}
        for x in (*clause.conditions, body):
            with flat.where(*met):
                met.append(flat.truth(x, here))
        return implies(conjunction(*met[:-1]), met[-1])

    # -- moves --------------------------------------------------------------------------------------------------------
    def list_ways(self, heap: Heap, number: int) -> Iterator[PlacesMoveBranch]:
        """Each way to make that kind of move from the heap."""
        yield from explore_with(PlaceReader, partial(self._play, heap=heap, number=number, take=None, here={}))

    def list_named(self, heap: Heap, number: int, take: dict[str, t.Term], here: FlatEnv) -> Iterator[PlacesMoveBranch]:
        """The ways that such a move with these picks may go, read over the names `here`."""
        yield from explore_with(PlaceReader, partial(self._play, heap=heap, number=number, take=take, here=here))

    def _play(
        self, flat: PlaceReader, heap: Heap, number: int, take: dict[str, t.Term] | None, here: FlatEnv
    ) -> PlacesMoveBranch:
        move, env = self.game.ruleset.moves[number], self.list_parameters(flat)
        legal, left = make_move(flat, move, heap, env, take, here)
        for before, after in zip(heap, left, strict=True):
            if isinstance(before, SymbolicList) and not (
                isinstance(after, SymbolicList) and after.numbers is before.numbers
            ):
                words = f"{print_term(move.become[0])}: a list is left that is not the same one with numbers put in"
                raise Unsupported(words, instead='take rule = "one heap" for lists whose lengths are written down')
        is_heap = self.is_heap(flat, left)
        return PlacesMoveBranch(conjunction(*flat.met), legal, conjunction(*flat.owed), is_heap, left)

    # -- folds --------------------------------------------------------------------------------------------------------
    def find_distances(self, fold: PlaceFold) -> list[tuple[int, int]]:
        """(part, d): at place i the fold looks at the number i + d of that list. Raises Unsupported."""
        return self._find_distances(lambda flat, heap, place: self.add_at(flat, fold, heap, place))

    def _find_distances(self, read: Callable[[PlaceReader, Heap, t.Term], object]) -> list[tuple[int, int]]:
        place, heap = t.Variable(INT, 0, 0, PLACE), make_heap(self.shape)
        read(OnOneWay(), heap, place)
        found = []
        for i, row in rows_of(heap):
            for where, _ in row.numbers.places:
                apart = polynomial(sub(where, place)).constant
                if apart is None:
                    words = print_term(substitute(where, {PLACE: t.Variable(INT, 0, 0, "i")}))
                    words = f"{self.shape.parts[i].name}[{words}]"
                    raise Unsupported(f"{words}: over all places i the rule reads numbers at i, i + 1, i - 1 and so on")
                found.append((i, apart))
        return found

    def add_at(self, flat: PlaceReader, fold: PlaceFold, heap: Heap, place: t.Term | None) -> tuple[t.Term, t.Term]:
        """(whether the heap adds to the fold at a place, what it adds). No place for a fold over heaps alone."""
        env = {**self.list_parameters(flat), HEAP: heap, **({} if place is None else {PLACE: place})}
        met = [flat.truth(fold.having, env)]
        if fold.low is not None and fold.after is not None:
            assert place is not None
            with flat.where(*met):
                inside = at_least(place, flat.number(fold.low, env)), less_than(place, flat.number(fold.after, env))
            met += inside
        with flat.where(*met):
            met.append(flat.truth(fold.when, env))
        with flat.where(*met):
            added = flat.truth(fold.term, env) if fold.reducer == COUNT else flat.number(fold.term, env)
            if fold.reducer == NIM_SUM:
                flat.owe(at_least(added, ZERO))
        return (conjunction(*met, added), ONE) if fold.reducer == COUNT else (conjunction(*met), added)


def _all_places(x: t.Term) -> tuple[t.Term, t.Clause] | None:
    """The body and the clause of `all(... for i in range(a, b) if ...)`; None for other terms."""
    match x:
        case t.Comprehension(reducer="all", body=body, clauses=(clause,)):
            if isinstance(clause.source, t.Operation) and clause.source.op == "range":
                return body, clause
    return None
