"""The quotient of a claim's game: the monoid that the file states, or that of misère Nim, and the elements of heaps.

Whether they are right is an obligation of its own; nothing rests on how they were found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import ClassVar

from claims.language.statement.claim import Claim, Proof
from encoders.ground.refusals import Unsupported
from encoders.periods.quotient import QuotientTable, list_options, multiply
from encoders.periods.table import Takes
from encoders.rules.kit.common import only_game
from encoders.rules.quotient.monoid import BadMonoid, Monoid, make_monoid

MOST_HEAPS = 400  # among which the elements are looked for
TAME = 4  # generators of the quotients of misère Nim that are tried
_START = 32


@dataclass(frozen=True, eq=False)
class QuotientProof(Proof):
    """The quotient, as far as the file says it. `heaps`: the elements of heaps 1, 2, ..., as words."""

    rule: ClassVar[str] = "quotient"
    elements: str
    equal: tuple[str, ...]
    lost: tuple[str, ...]
    heaps: tuple[str, ...]
    preperiod: int | None
    period: int | None


@lru_cache(maxsize=8)
def find_quotient(claim: Claim) -> tuple[QuotientTable, Monoid]:
    """The table for a claim with its definitions written out. Raises Unsupported."""
    said = claim.proof
    assert isinstance(said, QuotientProof)
    start = _read_game(claim)
    try:
        if said.elements:
            monoids = [(make_monoid(said.elements, said.equal), said.lost)]
        else:
            monoids = [(_tame(n), ("a", "b2") if n > 1 else ("a",)) for n in range(1, TAME + 1)]
        stuck = 0
        for monoid, lost in monoids:
            table = replace(start, products=monoid.products, lost=tuple(sorted(map(monoid.number, lost))))
            row = [0, *map(monoid.number, said.heaps)]
            found = _take(table, said, row) if said.heaps else _search(table, said)
            if isinstance(found, QuotientTable):
                return found, monoid
            stuck = max(stuck, found)
    except BadMonoid as error:
        raise Unsupported(f"the monoid: {error}") from None
    which = "of the monoid" if said.elements else "of the quotients of misère Nim"
    raise Unsupported(f"no element {which} fits the heap of {stuck}", instead="state `elements`, `equal` and `lost`")


def _read_game(claim: Claim) -> QuotientTable:
    """The table without monoid and elements. Raises Unsupported for games that it cannot be about."""
    from encoders.exhaustive.single import HeapsAlone, NoSingleHeaps

    game = only_game(claim)
    try:
        heaps = HeapsAlone(game)
        read = heaps.read_moves()
    except NoSingleHeaps as error:
        raise Unsupported(str(error)) from None
    if heaps.players != 2 or len(read) > 1:
        raise Unsupported("a quotient is of a game of two players with the same moves")
    if any(move.choose != "any" for move in heaps.ruleset.moves):
        raise Unsupported("a move may not be of any heap, so that heaps are no sum")
    (moves,) = read
    if any(moves.tail):
        raise Unsupported("any large number may be taken: the rule needs a last one")
    if moves.two != moves.equal:
        words = "equal heaps may be left by some number where different ones may not, or the other way round"
        raise Unsupported(f"{words}: no quotient is known for such games")
    end, one = (tuple(n for n, may in enumerate(row) if may) for row in (moves.end, moves.one))
    takes = Takes(end, one, tuple(moves.two), tuple(moves.equal))
    last = max((*takes.end, *takes.one, *takes.two), default=0)
    return QuotientTable(heaps.ruleset.stuck_wins, takes, last, (), (), 1, 1, (0,))


def _tame(n: int) -> Monoid:
    """The quotient of misère Nim with heaps of 1, 2, 4, ..., of so many kinds: 2 elements, or 2^n + 2."""
    letters = "abcdefgh"[:n]
    cubes = [f"{x}3 = {x}" for x in letters[1:]]
    return make_monoid(letters, ["a2 = 1", *cubes, *(f"{x}2 = b2" for x in letters[2:])])


# -- the elements of heaps --------------------------------------------------------------------------------------------
def _take(table: QuotientTable, said: QuotientProof, row: Sequence[int]) -> QuotientTable:
    """With the elements that the file says."""
    n0, p = said.preperiod, said.period
    if n0 is None or p is None or len(row) != n0 + p:
        instead = "state both, and in `heaps` the elements of the heaps 1 to preperiod + period - 1"
        words = f"`heaps` has {len(row) - 1} elements, and preperiod and period say another number or none"
        raise Unsupported(words, instead=instead)
    return replace(table, preperiod=n0, period=p, row=tuple(row))


def _search(table: QuotientTable, said: QuotientProof) -> QuotientTable | int:
    """With elements that fit; or the heap that none fits."""
    fitting, row = _Fitting(table), [0]
    known = said.preperiod is not None and said.period is not None
    size = (said.preperiod or 0) + (said.period or 0) if known else _START
    while True:
        while len(row) < size:
            element = fitting.add(tuple(row))
            if element is None:
                return len(row)
            row.append(element)
        if said.preperiod is not None and said.period is not None:
            return replace(table, preperiod=said.preperiod, period=said.period, row=tuple(row))
        for n0, p in _periods(row):
            if said.preperiod in (None, n0) and said.period in (None, p):
                return replace(table, preperiod=n0, period=p, row=tuple(row[: n0 + p]))
        if size >= MOST_HEAPS:
            words = f"no period is seen among the elements of the heaps up to {MOST_HEAPS}"
            raise Unsupported(words, instead="state `preperiod`, `period` and `heaps`, or other elements")
        size = min(2 * size, MOST_HEAPS)


def _periods(row: Sequence[int]) -> Iterator[tuple[int, int]]:
    """By which preperiod and period the elements repeat, as far as is seen: the least period first."""
    size = len(row)
    for p in range(1, size // 3):
        before = next((h for h in range(size - p - 1, -1, -1) if row[h] != row[h + p]), -1)
        if size - p - 1 - before >= max(2 * p, size // 3):
            yield max(before + 1, 1), p


class _Fitting:
    """The kinds of positions of the heaps so far, and which element fits the next heap."""

    def __init__(self, table: QuotientTable) -> None:
        self.table, self.kinds = table, {(0, 0): None}
        self.heaps = dict[int, int]()  # the element of a heap by those of its options
        self.lost = sum(1 << x for x in table.lost)
        self.times = cache(lambda x, elements: multiply(table.products[x], elements))

    def add(self, row: tuple[int, ...]) -> int | None:
        """The first element that fits the heap after those of the row; None where none does."""
        h = len(row)
        options = list_options(replace(self.table, preperiod=h - 1, period=1, row=row), h)
        if options not in self.heaps:
            every = range(len(self.table.products))
            found = next((x for x in every if all(self._fits(kind, x, options) for kind in self.kinds)), None)
            if found is None:
                return None
            self._note(found, options)
            self.heaps[options] = found
        return self.heaps[options]

    def _beside(self, kind: tuple[int, int], x: int, options: int) -> tuple[int, int]:
        y, others = kind
        return self.table.products[y][x], self.times(x, others) | self.times(y, options)

    def _fits(self, kind: tuple[int, int], x: int, options: int) -> bool:
        """Whether one and two such heaps beside a position are lost where they are said to be."""
        for _ in range(2):
            kind = self._beside(kind, x, options)
            loses = not kind[1] & self.lost and (kind[1] != 0 or not self.table.misere)
            if (self.lost >> kind[0] & 1 == 1) != loses:
                return False
        return True

    def _note(self, x: int, options: int) -> None:
        for kind in tuple(self.kinds):
            new = self._beside(kind, x, options)
            while new not in self.kinds:
                self.kinds[new] = None
                new = self._beside(new, x, options)
