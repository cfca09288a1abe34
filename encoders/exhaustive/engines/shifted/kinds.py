"""Moves on several heaps as tables: what each heap may become for itself, and what heaps lose together.

A set of heap sizes is an integer, bit y for the size y.  A heap that is gone has size 0, and no move chooses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product
from math import comb, prod
from operator import eq

import numpy as np

from encoders.exhaustive.arrays.limits import Deadline, TooLarge
from encoders.exhaustive.arrays.positions import PositionSet, add_heaps, sort_heaps
from encoders.exhaustive.arrays.values import Array
from encoders.kernel import KERNEL, is_loaded


def read_bits(word: int) -> list[int]:
    """The numbers of the bits of a word, ascending.

    >>> read_bits(0b10110)
    [1, 2, 4]
    """
    return [i for i, digit in enumerate(bin(word)[:1:-1]) if digit == "1"]


def pack_bits(table: Array) -> tuple[int, ...]:
    """Rows of booleans (n, size + 1) as n integers, bit y for entry y.

    >>> pack_bits(np.array([[True, False, True]]))
    (5,)
    """
    return tuple(int.from_bytes(row.tobytes(), "little") for row in np.packbits(table, axis=1, bitorder="little"))


def unpack_bits(words: Sequence[int], count: int) -> Array:
    """Integers as rows of booleans (n, count), entry y for bit y: the reverse of `pack_bits`.

    >>> unpack_bits((5,), 3).tolist()
    [[True, False, True]]
    """
    width = (count + 7) // 8
    raw = np.frombuffer(b"".join(word.to_bytes(width, "little") for word in words), dtype=np.uint8)
    return np.unpackbits(raw.reshape(len(words), width), axis=1, count=count, bitorder="little").astype(bool)


@dataclass(frozen=True)
class MoveTable:
    """What one heap may become: `become[h]` is the set of sizes, all below h."""

    become: tuple[int, ...]

    @cached_property
    def full(self) -> bool:
        """Whether a heap may become any smaller size."""
        return all(word == (1 << h) - 1 for h, word in enumerate(self.become))

    @cached_property
    def choices(self) -> list[list[int]]:
        """`become` as lists of sizes."""
        return [read_bits(word) for word in self.become]

    @cached_property
    def reach(self) -> tuple[int, ...]:
        """`reach[y]`: the set of the sizes that may become y."""
        return pack_bits(unpack_bits(self.become, len(self.become)).T)

    @cached_property
    def mean(self) -> float:
        """How many sizes a heap may become, on the average over 0..size."""
        return sum(word.bit_count() for word in self.become) / len(self.become)

    def unite(self, other: MoveTable) -> MoveTable:
        """The table of the moves of both."""
        return MoveTable(tuple(a | b for a, b in zip(self.become, other.become, strict=True)))


@dataclass(frozen=True)
class HeapStep:
    """One number that may be picked: the i-th heap must be one of the set `legal[i]`, and loses `take[i]` >= 1."""

    take: tuple[int, ...]
    legal: tuple[int, ...]


@dataclass(frozen=True)
class Tie:
    """Moves on two heaps or more at once that pick one number for all of them: a step for each number."""

    steps: tuple[HeapStep, ...]

    @property
    def heaps(self) -> int:
        """How many heaps the move chooses; a tie has steps."""
        return len(self.steps[0].take)

    def is_full(self, size: int) -> bool:
        """Whether any number may be taken that all the heaps, each of at most `size`, have: the same from each."""
        return self._full == size

    @cached_property
    def cases(self) -> int:
        """How many moves of such heaps there are, over all their sizes."""
        return sum(prod(word.bit_count() for word in step.legal) for step in self.steps)

    @cached_property
    def _full(self) -> int:
        """The size for which it is full, or -1."""
        size = len(self.steps)
        every = (2 << size) - 1
        wanted = (HeapStep((m,) * self.heaps, (every >> m << m,) * self.heaps) for m in range(1, size + 1))
        return size if all(map(eq, sorted(self.steps, key=lambda s: s.take), wanted)) else -1

    def turn(self, order: tuple[int, ...]) -> Tie:
        """The tie with its heaps in another order."""
        return Tie(
            tuple(HeapStep(tuple(s.take[i] for i in order), tuple(s.legal[i] for i in order)) for s in self.steps)
        )

    @cached_property
    def turns(self) -> list[Tie]:
        """The tie with its heaps in each order that makes a difference."""
        if all(s.take.count(s.take[0]) == s.legal.count(s.legal[0]) == self.heaps for s in self.steps):
            return [self]  # every heap is like the others
        found: dict[frozenset[HeapStep], Tie] = {}
        for order in permutations(range(self.heaps)):
            turned = self.turn(order)
            found.setdefault(frozenset(turned.steps), turned)
        return list(found.values())


@dataclass(frozen=True)
class Kinds:
    """All moves of one mover under one choice of the parameters, for heaps of at most `size`.

    `single`: what one heap may become.  `products`: each a tuple of tables, one for each of two different heaps or
    more, which change independently of each other; in every order of the heaps.  `ties`: likewise, in every order.
    """

    size: int
    single: MoveTable
    products: tuple[tuple[MoveTable, ...], ...]
    ties: tuple[Tie, ...]

    def list_options(self, rows: Array) -> tuple[Array, Array]:
        """The moves one by one, each of two different heaps in both orders, from positions of at most `size`.

        Of each move the place of its position, and the option; both are rows of ascending heaps after zeros.
        """
        owners, options = [np.zeros(0, dtype=np.int64)], [rows[:0]]

        def add(chosen: tuple[int, ...], sizes: list[Array]) -> None:
            owner = np.repeat(np.arange(len(rows)), [len(x) for x in sizes])
            made = rows[owner]
            made[:, chosen] = np.concatenate(sizes)
            owners.append(owner)
            options.append(sort_heaps(made))

        for tables in ((self.single,), *self.products):
            for chosen in permutations(range(rows.shape[1]), len(tables)):
                add(chosen, [_choose(tables, heaps) for heaps in rows[:, chosen].tolist()])
        for turn in (turn for tie in self.ties for turn in tie.turns):
            for chosen in combinations(range(rows.shape[1]), turn.heaps):
                add(chosen, [_step(turn, heaps) for heaps in rows[:, chosen].tolist()])
        return np.concatenate(owners), np.concatenate(options)

    def count_options(self, heaps: int) -> float:
        """About how many moves a position of `heaps` heaps has, on the average over 0..size."""
        count = heaps * self.single.mean
        for tables in self.products:
            # Tables of one kind change the same heaps whichever heap has which of them.
            alike = len(set(permutations(tables)))
            ways = alike * comb(heaps, len(tables))
            count += ways * prod(t.mean for t in tables)
        for tie in self.ties:
            ways = comb(heaps, tie.heaps) * len(tie.turns)
            count += ways * tie.cases / (self.size + 1) ** tie.heaps
        return count


def _choose(tables: Sequence[MoveTable], heaps: Sequence[int]) -> Array:
    """What heaps become that change each by its table, (n, heaps)."""
    choices = [read_bits(table.become[h]) for table, h in zip(tables, heaps, strict=True)]
    return np.array(list(product(*choices)), dtype=np.int64).reshape(-1, len(heaps))


def _step(tie: Tie, heaps: Sequence[int]) -> Array:
    """What heaps become that change together, (n, heaps)."""
    steps = tie.steps
    for i, h in enumerate(heaps):
        steps = tuple(s for s in steps if s.legal[i] >> h & 1)
    return np.array(heaps) - np.array([s.take for s in steps], dtype=np.int64).reshape(-1, len(heaps))


# -- Grundy values ----------------------------------------------------------------------------------------------------
# Grundy values where any smaller heap may be left, or the same taken from two: a set of values for each line.
#
# The options of a position are then all positions before it on some lines: those that differ in one heap, and those in
# which two heaps differ by the same.  For each line the values not met so far are a row of bits, bit v for value v; the
# value of a position is the lowest bit that is in all its lines.
#
# A position comes after its options in the order of positions: so the kernel goes through them.  Without it those of as
# many objects, no two of which are on one line, are solved together.  A position of n objects has a value of at most n,
# for its options have fewer: so many bits will do.


_WORD = 64
_SMALL, _LOADED = 20_000, 1_000  # positions up to which the kernel is not asked; the same where it is there


def serves(kinds: Kinds) -> bool:
    """Whether `solve_values` is about these moves."""
    return (
        kinds.single.full
        and not kinds.products
        and len(kinds.ties) <= 1
        and all(tie.heaps == 2 and tie.is_full(kinds.size) for tie in kinds.ties)
    )


def solve_values(kinds: Kinds, positions: PositionSet, clock: Deadline) -> Array:
    """Grundy values (N,) of `positions`, a box of two heaps or more of at most `kinds.size`."""
    lines = BoxLines(kinds, positions.width)
    if len(positions) > (_LOADED if is_loaded() else _SMALL):
        from encoders.kernel import lines as kernel

        try:
            return kernel.solve_lines(positions.rows, lines, kinds.size * positions.width, clock)
        except TooLarge as reason:
            clock.fallbacks.add((KERNEL, str(reason)))
    return _solve_together(lines.number(positions.rows), add_heaps(positions.rows), clock)


def _solve_together(lines: Array, total: Array, clock: Deadline) -> Array:
    """The same without the kernel: the positions with as many objects at once."""
    order = np.argsort(total, kind="stable")
    lines = lines[:, order]
    ends = np.cumsum(np.bincount(total)).tolist()
    words = len(ends) // _WORD + 1
    free = np.full((int(lines.max()) + 1, words), ~np.uint64(0))  # the values that are not met on each line
    flat = free.reshape(-1)
    found = np.zeros(len(order), dtype=np.int64)
    start = 0
    for objects, end in enumerate(ends):
        clock.check()
        part = lines[:, start:end]
        left = np.bitwise_and.reduce(free.take(part, axis=0), axis=0)
        found[start:end], word, bit = _find_lowest(left[:, : objects // _WORD + 1])
        flat[part * words + word] &= ~bit
        start = end
    out = np.empty_like(found)
    out[order] = found
    return out


class BoxLines:
    """The lines of a box of `heaps` >= 2 heaps. `count`: how many there are; `through`: on how many a position is."""

    def __init__(self, kinds: Kinds, heaps: int) -> None:
        self.heaps, self.width = heaps, kinds.size + 1
        self.pairs = list(combinations(range(heaps), 2)) if kinds.ties else []
        self.straight = PositionSet.box(heaps - 1, kinds.size)  # by the other heaps
        self.slanted = PositionSet.box(heaps - 2, kinds.size)  # by the others, and the difference of both
        self.through = heaps + len(self.pairs)
        self.count = len(self.straight) + len(self.slanted) * self.width * bool(self.pairs)

    def number(self, rows: Array) -> Array:
        """The numbers of the lines that each position of (n, heaps) is on, (through, n); one may be there twice."""
        found = np.empty((self.through, len(rows)), dtype=np.int64)
        for i in range(self.heaps):
            others = rows[:, 1 - i, None] if self.heaps == 2 else np.delete(rows, i, axis=1)
            found[i] = self.straight.find(others)
        for at, (i, j) in enumerate(self.pairs, self.heaps):
            number = self.slanted.find(np.delete(rows, (i, j), axis=1))
            found[at] = len(self.straight) + number * self.width + rows[:, j] - rows[:, i]
        return found


def _find_lowest(words: Array) -> tuple[Array, Array, Array]:
    """Of each row of words (n, width), not all of them 0, the lowest bit: its number, its word, and it alone."""
    first = (words != 0).argmax(axis=1)
    word = words[np.arange(len(words)), first]
    bit = word & (~word + np.uint64(1))
    return _WORD * first + np.frexp(bit.astype(np.float64))[1] - 1, first, bit  # powers of two are exact
