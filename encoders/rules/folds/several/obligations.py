"""Who wins a game whose moves choose several heaps: the obligations, as for moves on one heap.

Closed, for each number of heaps that a move may choose; the named moves cover; and of each named move, stage by stage:
there is a heap to pick, the cases after it cover, the move is legal, it leads to a loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from claims.language.expressions import terms as t
from claims.language.expressions.walk import free_names
from encoders.kinds import Label
from encoders.logic.moves import OpenMove, open_several
from encoders.logic.reader import Posed
from encoders.logic.terms import both, either, implies, negation
from encoders.rules.folds.kinds import CLOSED, CLOSED_ON, ONE_OF_A_HEAP
from encoders.rules.folds.numbers.places import any_place, has
from encoders.rules.folds.reading.moves import start
from encoders.rules.folds.reading.positions import Position
from encoders.rules.folds.reading.reader import FoldReader
from encoders.rules.folds.section import FoldsProof
from encoders.rules.folds.several.play import (
    Stage,
    digits_of,
    enter,
    kind_of,
    pick_at,
    play_on,
    premise_of,
    put_back,
    start_at,
    takes_of,
)
from encoders.rules.folds.several.section import Case, LongMove, Pick, rest_name
from encoders.rules.rule import Asked
from encoders.rules.turns import MoveNames, Turn

Asks = Iterator[Asked[FoldReader]]


# -- picks ------------------------------------------------------------------------------------------------------------
def about_picks(proof: FoldsProof) -> Asks:
    """For each number at whose top bit a heap is picked: where it has a 1, some heap has."""
    tops = {x.words: (x, out) for move in proof.several for x, out in move.picks() if x.top is not None}
    for words, (pick, out) in tops.items():
        yield ONE_OF_A_HEAP.of(words=words), partial(_one_of_a_heap, pick=pick, out=out)


def picks_by_nim_sums(proof: FoldsProof) -> bool:
    """Whether a heap is picked at the top bit of something that is made of a nim-sum."""
    sums = {fold.name for fold in proof.folds if isinstance(fold.term, t.Operation) and fold.term.op == "nim_sum"}
    tops = ((x.top, out) for move in proof.several for x, out in move.picks() if x.top is not None)
    return any({rest_name(name, out) for name in sums} & set(free_names(top)) for top, out in tops)


def _one_of_a_heap(q: FoldReader, pick: Pick, out: int) -> Posed:
    """A nim-sum of all heaps and a column have a 1 only where some heap has: so does what is picked by."""
    assert pick.top is not None
    place, single = any_place(q.symbols, q.highest)
    s, some = q.position("s"), q.symbols.truth("some heap has a 1 there", aside=False)
    digits = digits_of(q, pick.top, out)
    known = (implies(has(s.fold(fold), place), some) for fold in digits.values())
    whole = q.number(pick.top, {**q.root, **{name: s.fold(fold) for name, fold in digits.items()}})
    return Posed((single, *known, has(whole, place)), some)


# -- who wins ---------------------------------------------------------------------------------------------------------
def closed(turn: Turn) -> Asks:
    """That no move leads from a loss to a loss, for each number of heaps that it may choose."""
    moves = open_several(turn.game, turn.mover)
    for count, label in closed_on(turn):
        yield label, partial(_closed, turn=turn, kinds=tuple(move for move in moves if len(move.heaps) == count))


def closed_on(turn: Turn) -> Iterator[tuple[int, Label]]:
    """The numbers of heaps that a move may choose, and what is shown of each."""
    for count in sorted({len(move.heaps) for move in open_several(turn.game, turn.mover)}):
        one = CLOSED.of(who=turn.who)
        yield count, one if count == 1 else CLOSED_ON.of(who=turn.who, heaps=count)


def steps(turn: Turn, names: MoveNames, named: LongMove) -> Asks:
    """Those of a named move."""
    yield from _Stages(turn, named).of(names, (named.case,))


def _closed(q: FoldReader, turn: Turn, kinds: tuple[OpenMove, ...]) -> Posed:
    """No legal move on so many heaps leads from a loss to a loss."""
    rest = q.position("rest")
    heaps = tuple(q.size("heap", low=1) for _ in kinds[0].heaps)
    before = rest
    for heap in heaps:
        before = q.beside("before", before, heap)
    goals = []
    for move in kinds:
        legal, sizes, made = play_on(q, move, heaps, None)
        lost = q.loses(put_back(q, rest, sizes), turn.following)
        goals.append(implies(both(legal, made), negation(lost)))
    return Posed((q.loses(before, turn.mover),), both(*goals))


@dataclass(frozen=True, eq=False)
class _Stages:
    """The obligations of one named move: a reply where the mover does not lose, or any move where he does."""

    turn: Turn
    named: LongMove

    def of(self, called: MoveNames, path: tuple[Case, ...]) -> Asks:
        """Those of a case of it, and of the cases in that. `path`: the cases from the first to this one."""
        last = path[-1]
        if last.pick is not None:
            yield called.heap, partial(self.has_heap, path=path)
        if not last.then:
            yield called.legal, partial(self.is_legal, path=path)
            if self.named.to_loss:
                yield called.to_loss, partial(self.leads_to_loss, path=path)
            return
        yield called.covered, partial(self.cases_cover, path=path)
        for number, inner in enumerate(last.then, 1):
            yield from self.of(called.then(number), (*path, inner))

    def _start(self, q: FoldReader, path: tuple[Case, ...]) -> tuple[tuple[t.Term, ...], Stage]:
        """What is known of the position, and the stage after these cases."""
        s, known = start(q, self.turn, not self.named.to_loss)
        stage = start_at(q, s)
        for case in path:
            (stage,) = pick_at(q, case, enter(q, case, stage))
        return known, stage

    def has_heap(self, q: FoldReader, path: tuple[Case, ...]) -> Posed:
        known, stage = self._start(q, path[:-1])
        assert path[-1].pick is not None
        inside = enter(q, path[-1], stage)
        return Posed((*known, inside.where), premise_of(q, path[-1].pick, inside))

    def cases_cover(self, q: FoldReader, path: tuple[Case, ...]) -> Posed:
        known, stage = self._start(q, path)
        return Posed((*known, stage.where), either(*(q.truth(x.when, stage.env) for x in path[-1].then)))

    def _play(self, q: FoldReader, path: tuple[Case, ...]) -> tuple[tuple[t.Term, ...], t.Term, t.Term, Position]:
        """The move: (what is known where it is made, it is legal, the sizes are what the rules say, position after)."""
        known, stage = self._start(q, path)
        move = kind_of(self.turn.game, self.turn.mover, len(stage.heaps))
        legal, sizes, made = play_on(q, move, stage.heaps, takes_of(q, path[-1], stage))
        return (*known, stage.where), legal, made, put_back(q, stage.rest, sizes)

    def is_legal(self, q: FoldReader, path: tuple[Case, ...]) -> Posed:
        known, legal, _, _ = self._play(q, path)
        return Posed(known, legal)

    def leads_to_loss(self, q: FoldReader, path: tuple[Case, ...]) -> Posed:
        known, legal, made, after = self._play(q, path)
        return Posed((*known, legal, made), q.loses(after, self.turn.following))
