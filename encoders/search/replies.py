"""Named replies: which heap, and how much of it.

Each pair of a pick and a take is evaluated at all cells and heaps at once: it is good at a cell if it wins on every
heap that the pick may give.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from claims.language.terms import terms as t
from encoders.exhaustive.arrays.values import Array
from encoders.logic.terms import ONE, ZERO, choose, compare, equal, integer, nim, sub
from encoders.search.question import HEAP, variable
from encoders.search.tables import Cells, Truths
from encoders.search.vocabulary import CandidateFold, FoldVocabulary, Sort, said

NEW_FOLD = 3.0
H = variable(HEAP)


@dataclass(frozen=True, eq=False)
class CandidateHeapChoice:
    """Which heap. `words`: as a proof names it; `premise`: that there is one, None where that goes without saying.

    `given`: the heaps that it may give, as bits, (cells,).  `having`: what it asks of the heap, if it is any such.
    """

    words: str
    premise: t.Term | None
    folds: tuple[CandidateFold, ...]
    given: Array
    having: str | None = None

    @property
    def there(self) -> Truths:
        """Where there is such a heap."""
        return np.asarray(self.given != 0)


@dataclass(frozen=True, eq=False)
class Take:
    """How much of the heap h, `words` as a proof has it. `wins`: on which heaps that wins, as bits, (cells,)."""

    term: t.Term
    words: str
    folds: tuple[CandidateFold, ...]
    wins: Array

    def always(self, given: Array) -> Truths:
        """Where it wins on all of these heaps."""
        found: Truths = given & ~self.wins == 0
        return found


@dataclass(frozen=True, eq=False)
class CandidateReply:
    """A pick and a take. `good`: the cells where it wins on whatever heap is picked; `there`: where one is."""

    pick: CandidateHeapChoice
    take: t.Term
    folds: tuple[CandidateFold, ...]
    price: float
    good: Truths
    there: Truths


def _pack(heaps: Truths) -> Array:
    """Truths (cells, heaps) as the bits of one number for each cell."""
    return np.packbits(heaps, axis=1)[:, 0]


def list_picks(
    vocabulary: FoldVocabulary, cells: Cells, folds: list[CandidateFold], aimed: Collection[CandidateFold] = ()
) -> Iterator[CandidateHeapChoice]:
    """The picks that speak of these folds; of `aimed` those, too, that leave a nim-sum another value than 0."""
    here = cells.heaps > 0
    if any(m.choose == "largest" for m in vocabulary.question.ruleset.moves):
        yield CandidateHeapChoice(
            "largest", None, (), _pack(here & (cells.heaps == cells.heaps.max(axis=1, keepdims=True)))
        )
    yield CandidateHeapChoice("any", None, (), _pack(here))
    filters = set()
    for f in folds:
        if f.sort is Sort.COUNT and f.op and f.filter not in filters:
            filters.add(f.filter)
            given = here & cells.at_heaps(vocabulary.reads(f.filter)).astype(bool)
            yield CandidateHeapChoice(
                f"any with {f.filter}", compare("gt", f.variable, ZERO), (f,), _pack(given), f.filter
            )
    for f in folds:
        if f.sort is Sort.NIM_SUM:
            body = vocabulary.of_heap.term(f.body)
            member = here if not f.op else here & cells.at_heaps(vocabulary.reads(f.filter)).astype(bool)
            lowered = cells.at_heaps(compare("lt", nim(body, f.variable), body)).astype(bool)
            yield CandidateHeapChoice(
                f"top bit of {f.name}", compare("ne", f.variable, ZERO), (f,), _pack(member & lowered)
            )
            for aim in vocabulary.thresholds.values() if f.body == HEAP and f in aimed else ():
                left = cells.at_heaps(compare("lt", nim(nim(body, f.variable), aim), body)).astype(bool)
                premise = compare("gt", f.variable, aim)
                given = member & left & np.broadcast_to(cells.column(premise), len(cells)).astype(bool)[:, None]
                yield CandidateHeapChoice(f"top bit of {f.name} ^ {_enclose(aim)}", premise, (f,), _pack(given))


def _enclose(number: t.Term) -> str:
    return said(number) if isinstance(number, t.Variable | t.Literal) else f"({said(number)})"


def list_takes(
    vocabulary: FoldVocabulary, folds: list[CandidateFold], aimed: Collection[CandidateFold]
) -> Iterator[tuple[t.Term, tuple[CandidateFold, ...]]]:
    """How much may be taken, with the folds that it speaks of."""
    yield from ((H, ()), (ONE, ()), (sub(H, ONE), ()))
    for bound in vocabulary.thresholds.values():
        yield from ((bound, ()), (sub(H, bound), ()), (sub(bound, ONE), ()))
        yield from ((_plus(bound), ()), (_plus(sub(H, bound)), ()), (sub(sub(H, bound), ONE), ()))
    names = [variable(x) for x in vocabulary.question.names]
    yield from ((sub(a, b), ()) for a in names for b in names if a is not b)
    bodies = {f.body for f in folds}
    for body, divisor in vocabulary.divisors.items():
        if body in bodies:
            left, by = vocabulary.of_heap.term(body), vocabulary.of_heap.term(divisor)
            yield from (
                (left, ()),
                (sub(left, ONE), ()),
                (sub(t.Operation(left.type, 0, 0, "add", (left, by)), ONE), ()),
            )
    for f in folds:
        x, rest, term = f.variable, f.rest, vocabulary.of_heap.term(f.body)
        if f.sort is Sort.NIM_SUM:
            yield sub(term, nim(term, x)), (f,)
            if f.body == HEAP:
                yield sub(H, x), (f,)
                for aim in vocabulary.thresholds.values() if f in aimed else ():
                    yield sub(H, nim(nim(H, x), aim)), (f,)
            yield sub(term, rest), (f,)
            yield sub(term, nim(rest, ONE)), (f,)
        elif f.sort is Sort.EXTREME:
            yield from ((sub(H, rest), (f,)), (_plus(sub(H, rest)), (f,)), (sub(sub(H, rest), ONE), (f,)))


def _plus(x: t.Term) -> t.Term:
    return t.Operation(x.type, 0, 0, "add", (x, ONE))


class Replies:
    """The replies of one side at some cells, as far as they speak of some folds or their like.

    `aims`: whether a nim-sum that they speak of may be left another value than 0.  `anywhere`: moves that are legal
    where the side loses, whatever they lead to, instead of those that win.
    """

    def __init__(
        self,
        vocabulary: FoldVocabulary,
        cells: Cells,
        side: int,
        spoken: set[CandidateFold],
        aims: bool = False,
        anywhere: bool = False,
    ) -> None:
        self.vocabulary, self.cells, self.side, self.spoken = vocabulary, vocabulary.know(cells), side, spoken
        self.aimed: Collection[CandidateFold] = spoken if aims else ()
        self.anywhere = anywhere
        bodies = {f.body for f in spoken} or {HEAP}
        self.folds = [f for f in vocabulary.folds if f.body in bodies]
        legal = cells.legal(side)
        self.wins_by = legal if anywhere else cells.winning(side)
        self.won = cells.lost(side) if anywhere else ~cells.lost(side)
        self.wanted = self.won
        if vocabulary.question.ruleset.stuck_wins:  # who cannot move wins without a reply, and no case may hold there
            self.wanted = self.won & legal.any(axis=(1, 2))
        self.stuck = self.won & ~self.wanted

    def wins(self, take: t.Term) -> Array:
        """On which heaps so much is legal and leads to a loss, as bits, (cells,)."""
        table = self.wins_by
        taken = self.cells.at_heaps(take).astype(np.int64)
        inside = (taken >= 1) & (taken <= self.cells.heaps)
        rows, columns = np.arange(taken.shape[0])[:, None], np.arange(taken.shape[1])[None, :]
        return _pack(inside & table[rows, columns, np.where(inside, taken, 0)])

    def list_good(self) -> list[CandidateReply]:
        """All that are good somewhere; of those that are good at the same cells the cheapest."""
        takes: dict[bytes, Take] = {}
        for term, folds in list_takes(self.vocabulary, self.folds, self.aimed):
            self.vocabulary.table.clock.check()
            wins = self.wins(term)
            if wins.any():
                takes.setdefault(wins.tobytes(), Take(term, said(term), folds, wins))
        best: dict[bytes, CandidateReply] = {}
        conditions = list(self._list_conditions())
        for pick in list_picks(self.vocabulary, self.cells, self.folds, self.aimed):
            self.vocabulary.table.clock.check()
            if not pick.given.any():
                continue
            for reply in self._with_pick(pick, list(takes.values()), conditions):
                key = np.packbits(reply.good).tobytes()
                if key not in best or reply.price < best[key].price:
                    best[key] = reply
        return list(best.values())

    def _list_conditions(self) -> Iterator[tuple[t.Term, CandidateFold, Array]]:
        """What the rest of the position may decide between two takes."""
        for f in self.vocabulary.folds:
            if f in self.spoken and f.sort in (Sort.COUNT, Sort.NIM_SUM):
                told = [equal(f.rest, ZERO)]
                if f.sort is Sort.COUNT:
                    told.insert(0, equal(t.Operation(f.rest.type, 0, 0, "mod", (f.rest, integer(2))), ONE))
                for term in told:
                    yield term, f, _pack(self.cells.at_heaps(term).astype(bool))

    def _with_pick(
        self, pick: CandidateHeapChoice, takes: list[Take], conditions: list[tuple[t.Term, CandidateFold, Array]]
    ) -> Iterator[CandidateReply]:
        there = pick.there
        won = self.won & there
        base = (pick.words not in ("any", "largest")) * 0.3 + 0.02 * len(pick.words)
        for take in takes:
            good = there & take.always(pick.given)
            if good.any():
                folds = tuple(dict.fromkeys((*pick.folds, *take.folds)))
                price = NEW_FOLD * self._new(folds) + base + 0.02 * len(take.words)
                yield CandidateReply(pick, take.term, folds, price, good, there)
        for term, fold, holds in conditions:
            sides = []
            for side in (holds, ~holds):
                goods = [take.always(pick.given & side) & won for take in takes]
                pairs = list(zip(takes, goods, strict=True))
                pairs.sort(key=lambda x: (-np.count_nonzero(x[1]), self._new(x[0].folds), len(x[0].words)))
                sides.append(pairs[:3])
            for a, first in sides[0]:
                for b, second in sides[1]:
                    good_both = first & second
                    if a is b or not good_both.any():
                        continue
                    folds = tuple(dict.fromkeys((*pick.folds, *a.folds, *b.folds, fold)))
                    both_taken = choose(term, a.term, b.term)
                    length = len(pick.words) + len(a.words) + len(b.words)
                    price = NEW_FOLD * self._new(folds) + 0.02 * length + 0.8
                    yield CandidateReply(pick, both_taken, folds, price, good_both, there)

    def _new(self, folds: tuple[CandidateFold, ...]) -> int:
        return sum(f not in self.spoken for f in folds)

    def good_at(self, reply: CandidateReply) -> Truths:
        """Where a reply that was found at other cells is good here."""
        pick = next(
            p for p in list_picks(self.vocabulary, self.cells, self.folds, self.aimed) if p.words == reply.pick.words
        )
        found: Truths = pick.there & (pick.given & ~self.wins(reply.take) == 0)
        return found
