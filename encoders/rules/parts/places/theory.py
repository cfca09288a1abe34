"""What a proof over the places of lists says, and of which numbers its obligations are."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from claims.language.expressions.walk import substitute
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.logic.terms import ZERO, at_least, conjunction, equal, less_than, negation, nim
from encoders.rules.parts.one.flat import FlatEnv, Value
from encoders.rules.parts.places.board import PlacesGame, PlacesMoveBranch
from encoders.rules.parts.places.changes import AnyPosition, AtChange, MoveEffect, Picked
from encoders.rules.parts.places.folds import PlaceFold, find_fold
from encoders.rules.parts.places.lists import Heap, OnOneWay, SymbolicList, make_heap, rows_of
from encoders.rules.parts.places.section import PICKED_HEAP, PICKED_PLACE, PlaceChoice, PlacesMove, PlacesProof

Numbers = dict[str, t.Term]


class PlacesTheory:
    """`lows`: the least that numbers of its obligations may be, by their names; `names`: those of folds, by their keys.

    Raises Unsupported for games that are not followed.
    """

    def __init__(self, claim: Claim) -> None:
        assert isinstance(claim.proof, PlacesProof)
        self.claim, self.proof, self.board = claim, claim.proof, PlacesGame(claim)
        self.lows: dict[str, int] = {}
        self.folds = {fold.name: self._read_fold(fold.term) for fold in self.proof.folds}
        self.names: dict[Hashable, str] = {fold.key: name for name, fold in self.folds.items()}
        self.integers: Numbers = {v.name: t.Variable(INT, 0, 0, v.name) for v in claim.variables if v.type == INT}

    def _read_fold(self, term: t.Term) -> PlaceFold:
        found = find_fold(term, lambda name: name == self.proof.position)
        assert found is not None  # else the section would have been refused
        return found[1]

    # -- positions ----------------------------------------------------------------------------------------------------
    def make_heap(self) -> Heap:
        """A heap of which nothing is known."""
        heap = make_heap(self.board.shape)
        self.lows |= {row.numbers.length.name: 0 for _, row in rows_of(heap)}
        return heap

    def known_of(self, heap: Heap) -> t.Term:
        """What is known of a heap, once everything about it has been read."""
        known = self.board.known_of(heap)
        for part, x in zip(self.board.shape.parts, heap, strict=True):
            if isinstance(x, SymbolicList) and isinstance(part.lo, t.Literal):
                self.lows |= {number.name: part.lo.value for _, number in x.numbers.places}
        return known

    def anywhere(self) -> AnyPosition:
        """A position of which nothing is known."""
        return AnyPosition(self.names, self.lows)

    def change(self, before: Heap, after: Heap, picked: Picked | None = None) -> MoveEffect:
        return MoveEffect(self.board, before, after, self.names, self.lows, picked)

    def see(self, position: AtChange | AnyPosition) -> Numbers:
        """The names of the proof's folds, with their values at a position."""
        return {name: position.value(fold) for name, fold in self.folds.items()}

    def see_both(self, change: MoveEffect) -> tuple[Numbers, Numbers]:
        """Those before a move and after it."""
        return self.see(AtChange(change, is_after=False)), self.see(AtChange(change, is_after=True))

    # -- what is to be shown ------------------------------------------------------------------------------------------
    @property
    def smaller(self) -> t.Variable:
        """The value to which named moves lead."""
        return t.Variable(INT, 0, 0, self.proof.below)

    def value(self, at: Numbers) -> t.Term:
        """The Grundy value where the folds have these values."""
        assert self.proof.value is not None
        return substitute(self.proof.value, at)

    def loses(self, at: Numbers) -> t.Term:
        """Whether the mover loses where the folds have these values."""
        return equal(self.value(at), ZERO) if self.proof.loses is None else substitute(self.proof.loses, at)

    def start(self, at: Numbers) -> t.Term:
        """Where a move has to be named: where it is no loss; or for each number below the value."""
        if self.proof.loses is not None:
            return negation(self.loses(at))
        return conjunction(at_least(self.smaller, ZERO), less_than(self.smaller, self.value(at)))

    def is_reached(self, after: Numbers) -> t.Term:
        """That a named move leads to where it is to lead."""
        return self.loses(after) if self.proof.loses is not None else equal(self.value(after), self.smaller)

    def is_left(self, before: Numbers, after: Numbers) -> t.Term:
        """That a move leads from a loss to no loss; or that it changes the value."""
        if self.proof.loses is not None:
            return negation(conjunction(self.loses(before), self.loses(after)))
        return negation(equal(self.value(before), self.value(after)))


class Spot:
    """A place that a proof picks, in a heap of which a move leaves `left`; `here`: what named moves may speak of.

    The moves are read with names for the values of folds, which `settle` replaces by the values: what these are made of
    depends on what the move changes.
    """

    def __init__(self, theory: PlacesTheory, pick: PlaceChoice, heap: Heap, left: Heap) -> None:
        self.theory, self.pick, self.heap = theory, pick, heap
        self.place = t.Variable(INT, 0, 0, f"{PICKED_PLACE}'")  # no name of a file has this mark in it
        self.change = theory.change(heap, left, Picked(theory.folds[pick.name], self.place))
        self.before, self.after = theory.see_both(self.change)
        smaller = {theory.proof.below: theory.smaller} if theory.proof.below else {}
        folds = {name: t.Variable(INT, 0, 0, _name_there(name)) for name in theory.folds}
        named: dict[str, Value] = {PICKED_HEAP: heap, PICKED_PLACE: self.place}
        self.here: FlatEnv = {**theory.integers, **folds, **smaller, **named}

    def known(self) -> t.Term:
        """That the nim-sum, at the position, has its highest 1 among those of what this place adds to it."""
        added = self.change.added()
        whole = nim(self.before[self.pick.name], find_aim(self.pick))
        return conjunction(*self.change.known, less_than(nim(added, whole), added), self.theory.start(self.before))

    def settle(self, term: t.Term) -> t.Term:
        """The term with the values of folds at the position in place of their names."""
        return substitute(term, {_name_there(name): value for name, value in self.before.items()})

    def list_ways(self, named: PlacesMove) -> Iterator[PlacesMoveBranch]:
        return self.theory.board.list_named(self.heap, named.number, dict(named.take), self.here)

    def meets(self, named: PlacesMove) -> t.Term:
        """Whether the named move is made there."""
        return OnOneWay().truth(named.when, self.here)


def _name_there(fold: str) -> str:
    return f"{fold} there"


def find_aim(pick: PlaceChoice) -> t.Term:
    """What the nim-sum is to become."""
    return ZERO if pick.aim is None else pick.aim
