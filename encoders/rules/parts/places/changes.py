"""The folds of a position with a heap that is looked at, and those of what a move of that heap leaves.

At how many places a move may change what is added to a fold is known; what all else adds is one number, of which
nothing is known: whatever holds for all of these holds for every position.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, MutableMapping
from dataclasses import dataclass, field

from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.ground.refusals import Unsupported
from encoders.logic.polynomials import polynomial
from encoders.logic.sequent import names_in
from encoders.logic.terms import YES, ZERO, choose, conjunction, integer, is_plain, negation, sub
from encoders.rules.parts.one.flat import Value
from encoders.rules.parts.places.board import PlacesGame
from encoders.rules.parts.places.folds import PLACE, PlaceFold
from encoders.rules.parts.places.lists import Heap, OnOneWay, PositionView, SymbolicList, make_heap, same_place


@dataclass(frozen=True, eq=False)
class Picked:
    """A place of a heap at which a fold adds something."""

    fold: PlaceFold
    place: t.Term


@dataclass(eq=False)
class MoveEffect:
    """`before`: the heap; `after`: what a move leaves of it, the same where there is none. `names`: those of folds.

    `lows`: the least that some numbers may be, by their names; `known`: what is so where a place is picked.
    """

    board: PlacesGame
    before: Heap
    after: Heap
    names: MutableMapping[Hashable, str]
    lows: MutableMapping[str, int]
    picked: Picked | None = None
    known: list[t.Term] = field(default_factory=list)
    rests: dict[Hashable, t.Variable] = field(default_factory=dict)
    folds: dict[Hashable, PlaceFold] = field(default_factory=dict)
    _values: dict[Hashable, tuple[t.Term, t.Term]] = field(default_factory=dict)

    def values(self, fold: PlaceFold) -> tuple[t.Term, t.Term]:
        """(of the position, of what the move leaves). Raises Unsupported."""
        if fold.key not in self._values:
            self._values[fold.key] = self._make(fold)
        return self._values[fold.key]

    def added(self) -> t.Term:
        """What the heap adds to the fold at the place that is picked."""
        assert self.picked is not None
        return self.board.add_at(OnOneWay(), self.picked.fold, self.before, self.picked.place)[1]

    def _make(self, fold: PlaceFold) -> tuple[t.Term, t.Term]:
        self.folds[fold.key] = fold
        places = list(self._list_places(fold))
        name = self.names.setdefault(fold.key, f"{fold.reducer} {len(self.names) + 1}'")
        rest = self.rests[fold.key] = name_fold(fold, f"{name} of the rest" if places else name, self.lows)
        before: t.Term = rest
        after: t.Term = rest
        for place, once in places:
            old, new = self._add(fold, place, once)
            before, after = fold.join(old, before), fold.join(new, after)
        return before, after

    def _add(self, fold: PlaceFold, place: t.Term | None, once: t.Term) -> tuple[t.Term, t.Term]:
        """What the heap adds at a place before the move and after it; 0 unless it is counted `once`."""
        there, old = self.board.add_at(OnOneWay(), fold, self.before, place)
        still, new = self.board.add_at(OnOneWay(), fold, self.after, place)
        after = choose(conjunction(once, still), new, ZERO)
        if self.picked is not None and self.picked.place is place:
            self.known.append(there)
            return old, after
        return choose(conjunction(once, there), old, ZERO), after

    def _list_places(self, fold: PlaceFold) -> Iterator[tuple[t.Term | None, t.Term]]:
        """(a place that is picked, or where the move may change what is added; that none before it is the same)."""
        changed = [i for i, (x, y) in enumerate(zip(self.before, self.after, strict=True)) if _is_changed(x, y)]
        if fold.low is None:
            if changed:
                yield None, YES
            return
        found: list[t.Term] = []
        picked = [] if self.picked is None or self.picked.fold.key != fold.key else [self.picked.place]
        for place in (*picked, *self._find_affected(fold, changed)):
            same = [same_place(place, other) for other in found]
            if not any(is_plain(x, True) for x in same):
                yield place, conjunction(*(negation(x) for x in same))
                found.append(place)

    def _find_affected(self, fold: PlaceFold, changed: list[int]) -> Iterator[t.Term]:
        """The places at which what is added looks at a number that the move changes. Raises Unsupported."""
        other, place = make_heap(self.board.shape), t.Variable(INT, 0, 0, PLACE)
        looked = names_in(*self.board.add_at(OnOneWay(), fold, other, place))
        for before in (self.before[i] for i in changed):
            if isinstance(before, t.Variable) and before.name in looked:
                instead = "add or count it by a fold over heaps: nim_sum(h.q for h in s)"
                raise Unsupported(
                    "a fold over places looks at a number beside the list, which a move changes", instead=instead
                )
        for i, apart in self.board.find_distances(fold):
            after = self.after[i]
            assert isinstance(after, SymbolicList)
            for where, _ in after.changes:
                yield polynomial(sub(where, integer(apart))).term()


def _is_changed(before: Value, after: Value) -> bool:
    return bool(after.changes) if isinstance(after, SymbolicList) else after is not before


def name_fold(fold: PlaceFold, name: str, lows: MutableMapping[str, int]) -> t.Variable:
    """A number of which nothing is known but that it is natural, if the fold is."""
    if fold.natural:
        lows[name] = 0
    return t.Variable(INT, 0, 0, name)


@dataclass(eq=False)
class AtChange(PositionView):
    """The position before a move, or the one after it."""

    change: MoveEffect
    is_after: bool

    def value(self, fold: PlaceFold) -> t.Term:
        return self.change.values(fold)[self.is_after]


@dataclass(eq=False)
class AnyPosition(PositionView):
    """A position of the claim, of which no heap is looked at. `folds`: those that were asked for."""

    names: MutableMapping[Hashable, str]
    lows: MutableMapping[str, int]
    folds: dict[Hashable, PlaceFold] = field(default_factory=dict)

    def value(self, fold: PlaceFold) -> t.Term:
        self.folds[fold.key] = fold
        own = self.names.setdefault(fold.key, f"{fold.reducer} {len(self.names) + 1}'")
        return name_fold(fold, own, self.lows)
