"""Moves on several heaps as tables: what each heap may become for itself, and what heaps lose together.

A set of heap sizes is an integer, bit y for the size y.  A heap that is gone has size 0, and no move chooses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from math import comb, prod
from operator import sub

import numpy as np

from encoders.exhaustive.arrays.values import Array


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


@dataclass(frozen=True)
class Table:
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
        width = (len(self.become) + 7) // 8
        raw = np.frombuffer(b"".join(w.to_bytes(width, "little") for w in self.become), dtype=np.uint8)
        table = np.unpackbits(raw.reshape(len(self.become), width), axis=1, bitorder="little")
        return pack_bits(table[:, : len(self.become)].T)

    @cached_property
    def mean(self) -> float:
        """How many sizes a heap may become, on the average over 0..size."""
        return sum(word.bit_count() for word in self.become) / len(self.become)

    def unite(self, other: Table) -> Table:
        """The table of the moves of both."""
        return Table(tuple(a | b for a, b in zip(self.become, other.become, strict=True)))


@dataclass(frozen=True)
class Step:
    """One number that may be picked: the i-th heap must be one of the set `legal[i]`, and loses `take[i]` >= 1."""

    take: tuple[int, ...]
    legal: tuple[int, ...]


@dataclass(frozen=True)
class Tie:
    """Moves on two heaps or more at once that pick one number for all of them: a step for each number."""

    steps: tuple[Step, ...]

    @property
    def heaps(self) -> int:
        """How many heaps the move chooses; a tie has steps."""
        return len(self.steps[0].take)

    def is_full(self, size: int) -> bool:
        """Whether any number may be taken that all the heaps, each of at most `size`, have: the same from each."""
        if len(self.steps) < size:
            return False
        every = (2 << size) - 1
        wanted = {Step((m,) * self.heaps, (every >> m << m,) * self.heaps) for m in range(1, size + 1)}
        return set(self.steps) == wanted

    def turn(self, order: tuple[int, ...]) -> Tie:
        """The tie with its heaps in another order."""
        return Tie(tuple(Step(tuple(s.take[i] for i in order), tuple(s.legal[i] for i in order)) for s in self.steps))

    @cached_property
    def turns(self) -> list[Tie]:
        """The tie with its heaps in each order that makes a difference."""
        found: dict[frozenset[Step], Tie] = {}
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
    single: Table
    products: tuple[tuple[Table, ...], ...]
    ties: tuple[Tie, ...]

    def list_options(self, position: tuple[int, ...]) -> set[tuple[int, ...]]:
        """The options of a position of at most `size`, as ascending heaps without zeros: one by one."""
        found = set[tuple[int, ...]]()
        for tables in ((self.single,), *self.products):
            for chosen in permutations(range(len(position)), len(tables)):
                others = _leave_out(position, chosen)
                choices = [read_bits(t.become[position[i]]) for t, i in zip(tables, chosen, strict=True)]
                found |= {tuple(sorted(filter(None, (*others, *sizes)))) for sizes in product(*choices)}
        for tie in self.ties:
            for chosen in permutations(range(len(position)), tie.heaps):
                others, heaps = _leave_out(position, chosen), [position[i] for i in chosen]
                for step in tie.steps:
                    if not step.legal[0] >> heaps[0] & 1:  # most are out of reach of a small heap
                        continue
                    if all(legal >> h & 1 for legal, h in zip(step.legal, heaps, strict=True)):
                        found.add(tuple(sorted(filter(None, (*others, *map(sub, heaps, step.take))))))
        return found

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
            cases = sum(prod(word.bit_count() for word in step.legal) for step in tie.steps)
            count += ways * cases / (self.size + 1) ** tie.heaps
        return count


def _leave_out(position: tuple[int, ...], chosen: tuple[int, ...]) -> list[int]:
    return [h for i, h in enumerate(position) if i not in chosen]
