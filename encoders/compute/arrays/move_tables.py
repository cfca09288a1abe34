"""Moves on several heaps as tables: the sizes that each heap may become, and the amounts that heaps lose together.

Not every move has this form. To recognise it, a move is split into conditions: the bounds of its picks, the parts of
the conjunction `where`, and the terms in `become`. Heaps and picks that occur in one condition form a group. A move is
recognised in two cases:

- Each group contains one heap and any number of picks. Each heap then has a separate table, which is found by
  evaluating this part of the move alone. Example: Moore's Nim.
- One group contains all heaps and one pick, and each condition mentions at most one heap. For each number picked, the
  table gives the sizes that each heap may have, and the amount that it loses. This amount must not depend on the size
  of the heap. Example: in Wythoff's game, the move that takes equal numbers from two heaps.

Other moves are left to the general engine. So are moves with an expression that is ill-defined for some heap size, and
moves that do not make each chosen heap smaller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations, product
from math import comb, prod
from typing import NamedTuple

import numpy as np

from claims.language.errors import NimChecksError
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT
from encoders.compute.arrays import limits
from encoders.compute.arrays.limits import BadRuleset, Deadline, TooLarge
from encoders.compute.arrays.moves import Moves, Parameters, bind_parameters
from encoders.compute.arrays.positions import PositionSet, add_heaps, sort_heaps
from encoders.compute.arrays.ties import PAIR, Ties, read_ties
from encoders.compute.arrays.values import Array, Frame, Ragged, Scalars, Value, list_distinct, make_constant
from encoders.kernel import KERNEL, is_loaded


# == kinds ============================================================================================================
# Moves on several heaps as tables: the sizes that each heap may become separately, and joint losses of heaps.
#
# A set of heap sizes is an integer, with bit y for the size y. An absent heap has size 0, and no move chooses it.
def read_bits(word: int) -> list[int]:
    """Return the places of the binary digits 1 of a number, ascending.

    >>> read_bits(0b10110)
    [1, 2, 4]
    """
    return [i for i, digit in enumerate(bin(word)[:1:-1]) if digit == "1"]


def pack_bits(table: Array) -> tuple[int, ...]:
    """Return an integer for each row of truth values; bit y is 1 if entry y of the row is true.

    >>> pack_bits(np.array([[True, False, True]]))
    (5,)
    """
    packed = np.packbits(table, axis=1, bitorder="little")
    raw, width = packed.tobytes(), packed.shape[1]
    return tuple(int.from_bytes(raw[i * width : (i + 1) * width], "little") for i in range(len(packed)))


def unpack_bits(words: Sequence[int], count: int) -> Array:
    """Return a row of `count` truth values for each integer: entry y is true if bit y is 1. Inverse of `pack_bits`.

    >>> unpack_bits((5,), 3).tolist()
    [[True, False, True]]
    """
    width = (count + 7) // 8
    raw = np.frombuffer(b"".join(word.to_bytes(width, "little") for word in words), dtype=np.uint8)
    return np.unpackbits(raw.reshape(len(words), width), axis=1, count=count, bitorder="little").astype(bool)


@dataclass(frozen=True)
class MoveTable:
    """The sizes that one heap may become by a move.

    `become[h]`: an integer, in which bit y is 1 if a heap h may become y. Always y < h.
    """

    become: tuple[int, ...]

    @cached_property
    def full(self) -> bool:
        """Whether a heap may become any smaller size, as in Nim."""
        return all(word == (1 << h) - 1 for h, word in enumerate(self.become))

    @cached_property
    def mean(self) -> float:
        """The number of sizes that a heap h may become, averaged over all h in the table."""
        return sum(word.bit_count() for word in self.become) / len(self.become)

    def unite(self, other: MoveTable) -> MoveTable:
        """Return a table by which a heap h may become y if it may do so by this table or by `other`."""
        return MoveTable(tuple(a | b for a, b in zip(self.become, other.become, strict=True)))


class HeapStep(NamedTuple):
    """The effect of one picked number in a move that changes several heaps together.

    `take[i]`: the number of objects that the i-th chosen heap loses, at least 1.
    `legal[i]`: the sizes that this heap may have; bit h is 1 if it may be h.
    """

    take: tuple[int, ...]
    legal: tuple[int, ...]


@dataclass(frozen=True)
class Tie:
    """A move that picks one number, and changes at least two heaps by amounts that depend on this number.

    `steps`: the effect of each number that may be picked.
    """

    steps: tuple[HeapStep, ...]

    @property
    def heaps(self) -> int:
        """The number of heaps that the move chooses. A tie has at least one step."""
        return len(self.steps[0].take)

    def is_full(self, size: int) -> bool:
        """Whether the move takes the same number from each chosen heap, any positive number up to the smallest of them.

        `size`: the largest heap of a position.
        """
        return self._full == size

    @cached_property
    def cases(self) -> int:
        """The number of ways to choose sizes of the heaps of a move, and a step that is legal for these sizes."""
        if self._full >= 0:
            return sum(above**self.heaps for above in range(1, self._full + 1))
        return sum(prod(word.bit_count() for word in step.legal) for step in self.steps)

    @cached_property
    def _full(self) -> int:
        """The only `size` for which `is_full(size)` returns True; -1 if there is none."""
        size = len(self.steps)
        every = (2 << size) - 1
        wanted = [HeapStep((m,) * self.heaps, (every >> m << m,) * self.heaps) for m in range(1, size + 1)]
        return size if sorted(self.steps, key=lambda s: s.take) == wanted else -1

    def turn(self, order: tuple[int, ...]) -> Tie:
        """Return the same move with its heaps in another order: heap i of the result is heap `order[i]` of this tie."""
        return Tie(
            tuple(HeapStep(tuple(s.take[i] for i in order), tuple(s.legal[i] for i in order)) for s in self.steps)
        )

    @cached_property
    def turns(self) -> list[Tie]:
        """The distinct ties that result from reordering the heaps, without repetitions."""
        alike = self._full >= 0 or all(len({*s.take}) == len({*s.legal}) == 1 for s in self.steps)
        if alike:  # all heaps have the same rule
            return [self]
        found: dict[frozenset[HeapStep], Tie] = {}
        for order in permutations(range(self.heaps)):
            turned = self.turn(order)
            found.setdefault(frozenset(turned.steps), turned)
        return list(found.values())


@dataclass(frozen=True)
class Kinds:
    """All moves of one mover under one choice of the parameters, for heaps of at most `size`.

    `single`: the moves that change one heap.
    `products`: the moves that change at least two heaps independently. Such a move is a tuple with one table for each
    heap. The heaps may be chosen in any order.
    `ties`: the moves that pick one number and change several heaps by it. The heaps may be chosen in any order.
    """

    size: int
    single: MoveTable
    products: tuple[tuple[MoveTable, ...], ...]
    ties: tuple[Tie, ...]

    def list_options(self, rows: Array) -> tuple[Array, Array]:
        """Return all moves from some positions as two arrays with an entry for each move.

        1. The index of the position in `rows`.
        2. The option, as a row of zeros and ascending heaps.

        `rows`: the positions, in the same form, with heaps of at most `size`. An option may occur several times, for
        example if the two heaps of a move may be exchanged.
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
        """Estimate the average number of moves from a position of `heaps` heaps, each of them 0, ..., `size`."""
        count = heaps * self.single.mean
        for tables in self.products:
            # Equal tables of a product give the same moves in every assignment.
            alike = len(set(permutations(tables)))
            ways = alike * comb(heaps, len(tables))
            count += ways * prod(t.mean for t in tables)
        for tie in self.ties:
            ways = comb(heaps, tie.heaps) * len(tie.turns)
            count += ways * tie.cases / (self.size + 1) ** tie.heaps
        return count


def _choose(tables: Sequence[MoveTable], heaps: Sequence[int]) -> Array:
    """Return what `heaps` may become if each of them changes by its table. Each row contains all new sizes."""
    choices = [read_bits(table.become[h]) for table, h in zip(tables, heaps, strict=True)]
    return np.array(list(product(*choices)), dtype=np.int64).reshape(-1, len(heaps))


def _step(tie: Tie, heaps: Sequence[int]) -> Array:
    """Return what `heaps` may become by the move `tie`. Each row contains the new sizes of all heaps."""
    steps = tie.steps
    for i, h in enumerate(heaps):
        steps = tuple(s for s in steps if s.legal[i] >> h & 1)
    return np.array(heaps) - np.array([s.take for s in steps], dtype=np.int64).reshape(-1, len(heaps))


class PairMoves(NamedTuple):
    """The moves that tables of two heaps assume: any number from one heap, or an equal number from both.

    `size`: the largest heap. `most`: the largest equal number.
    """

    size: int
    most: int

    def count_options(self, heaps: int) -> float:
        return (heaps + 1) * self.size

    def list_options(self, rows: Array) -> tuple[Array, Array]:
        """Return all moves from some positions of two heaps, as `Kinds.list_options` does."""
        owners, options = [], []
        for i, (x, y) in enumerate(rows.tolist()):
            equal = np.arange(1, min(x, y, self.most) + 1)
            first = np.concatenate([np.arange(x), np.full(y, x), x - equal])
            second = np.concatenate([np.full(x, y), np.arange(y), y - equal])
            owners.append(np.full(len(first), i))
            options.append(np.column_stack([first, second]))
        return np.concatenate(owners), sort_heaps(np.concatenate(options))


# -- Grundy values ----------------------------------------------------------------------------------------------------
# Grundy values if a move may make one heap smaller in any way, or take equal amounts from two heaps.
#
# The options of a position are then all earlier positions on some lines. The positions of a line differ in one heap, or
# by the same amount in two heaps. For each line, the values that have not occurred are a row of bits, bit v for value
# v. The value of a position is the lowest bit that is set in all its lines.
#
# A position follows its options in the order of positions, which the kernel uses. Without the kernel, all positions
# with the same total are solved together, because no two of them are on one line. A position of n objects has a value
# of at most n, because its options have fewer objects; this bounds the number of bits.


_WORD = 64
# largest number of positions that are solved without the kernel, before and after the kernel is loaded
_SMALL, _LOADED = 20_000, 1_000


def serves(kinds: Kinds) -> bool:
    """Whether `solve_values` supports these moves.

    It does if a heap may become any smaller size, as in Nim, and if there are no other moves, or only the moves that
    take any equal numbers from two heaps, as in Wythoff's game.
    """
    return (
        kinds.single.full
        and not kinds.products
        and len(kinds.ties) <= 1
        and all(tie.heaps == 2 and tie.is_full(kinds.size) for tie in kinds.ties)
    )


def solve_values(kinds: Kinds, positions: PositionSet, clock: Deadline) -> Array:
    """Return the Grundy value of each position, for moves that `serves` accepts.

    `positions`: all positions with at most n heaps of at most `kinds.size`, for some n >= 2.
    """
    lines = BoxLines(kinds, positions.width)
    if len(positions) > (_LOADED if is_loaded() else _SMALL):
        from encoders.kernel import values as kernel

        try:
            return kernel.solve_lines(positions.rows, lines, kinds.size * positions.width, clock)
        except TooLarge as reason:
            clock.fallbacks.add((KERNEL, str(reason)))
    return _solve_together(lines.number(positions.rows), add_heaps(positions.rows), clock)


def _solve_together(lines: Array, total: Array, clock: Deadline) -> Array:
    """Return the Grundy value of each position without the kernel.

    Positions with the same number of objects are solved at once, because none is an option of another.

    `lines[j, i]`: the number of the j-th line through position i (see `BoxLines`).
    `total[i]`: the number of objects in position i.
    """
    order = np.argsort(total, kind="stable")
    lines = lines[:, order]
    ends = np.cumsum(np.bincount(total)).tolist()
    words = len(ends) // _WORD + 1
    free = np.full((int(lines.max()) + 1, words), ~np.uint64(0))  # the values that have not occurred on each line
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
    """The lines in the box of all positions with at most `heaps` heaps of at most `kinds.size`; `heaps` is at least 2.

    The positions of a line differ only in one heap. If `kinds` contains the moves of Wythoff's game, there are also
    lines whose positions differ by equal amounts in two heaps. The options of a position are the smaller positions on
    its lines.

    `count`: the lines have numbers below `count`.
    `through`: the number of lines through a position, with repetitions.
    """

    def __init__(self, kinds: Kinds, heaps: int) -> None:
        self.heaps, self.width = heaps, kinds.size + 1
        self.pairs = list(combinations(range(heaps), 2)) if kinds.ties else []
        self.straight = PositionSet.box(heaps - 1, kinds.size)  # by the other heaps
        self.slanted = PositionSet.box(heaps - 2, kinds.size)  # by the other heaps, and the difference of the two
        self.through = heaps + len(self.pairs)
        self.count = len(self.straight) + len(self.slanted) * self.width * bool(self.pairs)

    def number(self, rows: Array) -> Array:
        """Return a table: element [j, i] is the number of the j-th line through the position `rows[i]`.

        A line through a position with equal heaps may occur several times.
        """
        found = np.empty((self.through, len(rows)), dtype=np.int64)
        for i in range(self.heaps):
            others = rows[:, 1 - i, None] if self.heaps == 2 else np.delete(rows, i, axis=1)
            found[i] = self.straight.find(others)
        for at, (i, j) in enumerate(self.pairs, self.heaps):
            number = self.slanted.find(np.delete(rows, (i, j), axis=1))
            found[at] = len(self.straight) + number * self.width + rows[:, j] - rows[:, i]
        return found


def _find_lowest(words: Array) -> tuple[Array, Array, Array]:
    """Return three arrays about the lowest bit 1 of each row of words.

    They contain the index of this bit in the row, the index of its word, and the word in which only this bit is 1.
    """
    first = (words != 0).argmax(axis=1)
    word = words[np.arange(len(words)), first]
    bit = word & (~word + np.uint64(1))
    return _WORD * first + np.frexp(bit.astype(np.float64))[1] - 1, first, bit  # powers of two are exact


# == recognise ========================================================================================================
class NotRecognised(NimChecksError):
    """The moves of the ruleset do not have the form of tables (see the top of this module), or a table is too large."""


@dataclass(frozen=True)
class _MoveComponent:
    """A group of heaps and picks of a move that occur together in conditions (see the top of this module).

    `conditions`: the parts of the conjunction `where` that mention them.
    `become`: for each heap, the term whose value is its new size.
    """

    heaps: tuple[str, ...]
    picks: tuple[str, ...]
    conditions: tuple[t.Term, ...]
    become: dict[str, t.Term]


def may_serve(ruleset: Ruleset) -> bool:
    """Whether `recognise` may succeed for this ruleset. If not, it raises NotRecognised.

    It may succeed if some move chooses several heaps, no move refers to the position or must choose a largest or
    smallest heap, and the ruleset does not declare a measure.
    """
    return (
        not ruleset.sees_position
        and ruleset.measure is None
        and all(m.choose in ("any", "each") for m in ruleset.moves)
        and any(m.choose == "each" or len(m.heaps) > 1 for m in ruleset.moves)
    )


# Entries of the table of the sizes that each heap may become. This suffices for all boxes of two heaps that are solved.
MOST_TABLED = 2 * limits.MAX_POSITIONS


def recognise(moves: Moves, parameters: Parameters, mover: int, heaps: int, size: int) -> Kinds:
    """Return the moves of a player from all positions with at most `heaps` heaps of at most `size`, as tables.

    Raises NotRecognised if this is impossible, and OutOfTime.
    """
    if not may_serve(moves.ruleset):
        raise NotRecognised
    known = read_ties(moves.ruleset)
    if known is not None:
        return _tabulate_ties(known, heaps, size)
    single = MoveTable((0,) * (size + 1))
    products: dict[tuple[MoveTable, ...], None] = {}
    ties: dict[Tie, None] = {}
    try:
        for move in moves.ruleset.moves:
            found = _read_move(moves, move, parameters, mover, heaps, size)
            for kind in found:
                if isinstance(kind, Tie):
                    if kind.steps and kind.heaps <= heaps:
                        ties[kind] = None
                elif len(kind) == 1:
                    single = single.unite(kind[0])
                elif len(kind) <= heaps:
                    products[tuple(sorted(kind, key=lambda table: table.become))] = None
    except (BadRuleset, TooLarge):
        raise NotRecognised from None
    return Kinds(size, single, tuple(products), tuple(ties))


def _tabulate_ties(ties: Ties, heaps: int, size: int) -> Kinds:
    """Return the moves that `ties` describes, together with the moves that take any number from one heap."""
    every = (2 << size) - 1
    most = 0 if heaps < PAIR else size if ties.full else min(ties.most, size)
    steps = tuple(HeapStep((m,) * PAIR, (every >> m << m,) * PAIR) for m in range(1, most + 1))
    single = MoveTable(tuple((1 << h) - 1 for h in range(size + 1)))
    return Kinds(size, single, (), (Tie(steps),) if steps else ())


def _read_move(
    moves: Moves, move: Move, parameters: Parameters, mover: int, heaps: int, size: int
) -> list[Tie | tuple[MoveTable, ...]]:
    if move.choose == "each":
        assert not move.alike
        names = bind_parameters(moves.ruleset, [parameters]) | {"mover": make_constant(mover)}
        assert move.at_least is not None and move.at_most is not None
        low, high = (int(_evaluate(moves, x, Frame(1, 1, names)).ravel()[0]) for x in (move.at_least, move.at_most))
        if low <= 0 <= high or len(move.become) != 1:
            raise NotRecognised
        table = _tabulate(moves, move, parameters, mover, size)
        return [(table,) * count for count in range(max(1, low), min(high, heaps) + 1)]
    parts = _take_apart(move)
    if len(parts) == 1 and len(parts[0].heaps) > 1:
        return [_read_tie(moves, move, parts[0], parameters, mover, size)]
    tables: list[MoveTable] = []
    for part in parts:
        if len(part.heaps) != 1:
            raise NotRecognised
        where = t.AllOf(BOOL, 0, 0, part.conditions) if part.conditions else None
        picks = tuple(p for p in move.picks if p.name in part.picks)
        become = (part.become[part.heaps[0]],)
        alone = replace(move, heaps=part.heaps, picks=picks, where=where, result=become)
        tables.append(_tabulate(moves, alone, parameters, mover, size))
    return [tuple(tables)]


def _tabulate(moves: Moves, move: Move, parameters: Parameters, mover: int, size: int) -> MoveTable:
    if (size + 1) ** 2 > MOST_TABLED:
        raise NotRecognised
    return MoveTable(pack_bits(moves.tabulate_single_heap(move, [parameters], mover, size)[0]))


# -- a move in parts -------------------------------------------------------------------------------------------------
def _take_apart(move: Move) -> list[_MoveComponent]:
    """Split a move into its groups of heaps and picks (see the top of this module).

    Raise NotRecognised if a group contains no heap.
    """
    names = set(move.heaps) | {p.name for p in move.picks}
    conditions = [] if move.where is None else list(t.conjuncts(move.where))
    become = _assign_heaps(move)
    # Grouped together: a heap and the term it becomes, a pick and its bounds, and all names in a condition.
    groups = [{heap} | (_mention(term) & names) for heap, term in become.items()]
    for pick in move.picks:
        domain = pick.domain
        bounds = (
            [x for x in (domain.lo, domain.hi) if x is not None] if isinstance(domain, IntervalDomain) else [domain]
        )
        groups.append({pick.name}.union(*(_mention(x) & names for x in bounds)))
    groups += [_mention(x) & names for x in conditions]
    parts: list[set[str]] = []
    for group in groups:
        if group:
            apart = [p for p in parts if not p & group]
            parts = [*apart, group.union(*(p for p in parts if p & group))]
    if any(not part & set(move.heaps) for part in parts):
        raise NotRecognised
    parts.sort(key=lambda part: min(move.heaps.index(h) for h in part & set(move.heaps)))
    return [
        _MoveComponent(
            tuple(h for h in move.heaps if h in part),
            tuple(p.name for p in move.picks if p.name in part),
            # A condition without heaps and picks belongs to the first group.
            tuple(c for c in conditions if _mention(c) & part or (i == 0 and not _mention(c) & names)),
            {h: become[h] for h in move.heaps if h in part},
        )
        for i, part in enumerate(parts)
    ]


def _assign_heaps(move: Move) -> dict[str, t.Term]:
    """Return, for each chosen heap, the term in `become` for its new size.

    It is the term that mentions the heap. Terms that mention no heap are assigned to the remaining heaps, and 0 to
    heaps that are still without a term. Raise NotRecognised if a term mentions several heaps, if several terms mention
    one heap, or if there are too many terms.
    """
    found: dict[str, t.Term] = {}
    rest = []
    for term in move.become:
        heaps = _mention(term) & set(move.heaps)
        if len(heaps) > 1 or heaps & set(found):
            raise NotRecognised
        if heaps:
            found[heaps.pop()] = term
        else:
            rest.append(term)
    left = [h for h in move.heaps if h not in found]
    if len(rest) > len(left):
        raise NotRecognised
    nothing: list[t.Term] = [t.Literal(INT, 0, 0, 0) for _ in left[len(rest) :]]
    return found | dict(zip(left, rest + nothing, strict=True))


def _mention(term: t.Term) -> set[str]:
    return t.names_of([term])[0]


# -- one pick for several heaps --------------------------------------------------------------------------------------
def _read_tie(moves: Moves, move: Move, part: _MoveComponent, parameters: Parameters, mover: int, size: int) -> Tie:
    if len(part.picks) != 1:
        raise NotRecognised
    (pick,) = move.picks
    base = bind_parameters(moves.ruleset, [parameters]) | {"mover": make_constant(mover)}
    bounds: list[tuple[str, t.Term]] = []
    if isinstance(pick.domain, IntervalDomain):
        assert pick.domain.hi is not None
        bounds += [("lo", x) for x in _split(pick.domain.lo, "largest")]
        bounds += [("hi", x) for x in _split(pick.domain.hi, "smallest")]
    if any(len(_mention(x) & set(part.heaps)) > 1 for x in (*part.conditions, *(x for _, x in bounds))):
        raise NotRecognised
    picked = _list_picked(moves, move, base, bounds, size)
    if len(picked) * (size + 1) > MOST_TABLED:
        raise NotRecognised
    columns = [_read_heap(moves, part, heap, pick.name, base, bounds, picked, size) for heap in part.heaps]
    steps = [
        HeapStep(take, legal)
        for take, legal in zip(
            zip(*(c[0] for c in columns), strict=True), zip(*(c[1] for c in columns), strict=True), strict=True
        )
        if all(legal)
    ]
    return Tie(tuple(dict.fromkeys(steps)))


def _split(term: t.Term, op: str) -> list[t.Term]:
    """Return the arguments of a term `smallest(a, b, ...)` or `largest(a, b, ...)`, also of such terms inside it.

    `op`: "smallest" or "largest". For any other term, return the list of this term alone.
    """
    if isinstance(term, t.Operation) and term.op == op:
        return [x for arg in term.args for x in _split(arg, op)]
    return [term]


def _list_picked(
    moves: Moves, move: Move, base: dict[str, Value], bounds: list[tuple[str, t.Term]], size: int
) -> Array:
    """Return numbers that include all numbers that may be picked in the move, for any heaps of at most `size`.

    `base`: the values of the parameters and of the mover. `bounds`: the lower bounds ("lo", term) and the upper bounds
    ("hi", term) of the pick, if it is from an interval. Raise NotRecognised if the numbers depend on a heap in another
    way, or are too many.
    """
    (pick,) = move.picks
    if not isinstance(pick.domain, IntervalDomain):
        if _mention(pick.domain) & set(move.heaps):
            raise NotRecognised
        fault = NotRecognised()
        value = moves.evaluator.evaluate_everywhere(pick.domain, Frame(1, 1, base), fault)
        found = moves.evaluator.collections.list_elements(value, pick.domain.type)
        assert isinstance(found, Ragged)
        if found.items.dtype == object:
            raise NotRecognised
        return list_distinct(found.items)
    sizes: dict[str, Value] = {heap: Scalars(np.arange(1, size + 1)[None, :]) for heap in move.heaps}
    ends: dict[str, list[Array]] = {"lo": [], "hi": []}
    for side, term in bounds:
        ends[side].append(_evaluate(moves, term, Frame(1, size, base | sizes)))
    low = max(int(x.min()) for x in ends["lo"])
    high = min(int(x.max()) for x in ends["hi"])
    if high - low >= limits.MAX_CELLS:
        raise NotRecognised
    return np.arange(low, high + 1)


def _read_heap(
    moves: Moves,
    part: _MoveComponent,
    heap: str,
    pick: str,
    base: dict[str, Value],
    bounds: list[tuple[str, t.Term]],
    picked: Array,
    size: int,
) -> tuple[list[int], tuple[int, ...]]:
    """Return two sequences with an entry for each number in `picked`.

    They contain the number of objects that the heap `heap` loses if this number is picked, and the heap sizes for which
    this is legal, as bits. Raise NotRecognised if the loss depends on the heap size, or if the heap loses nothing.
    """
    if not len(picked) or not size:
        return [], ()
    numbers, heaps = picked[:, None], np.arange(1, size + 1)[None, :]
    frame = Frame(len(picked), size, base | {pick: Scalars(numbers), heap: Scalars(heaps)})
    legal = np.ones((len(picked), size), dtype=bool)
    for term in _list_own(part.conditions, heap, part):
        legal &= _evaluate(moves, term, frame).astype(bool)
    for side, term in bounds:
        if heap == part.heaps[0] or heap in _mention(term):
            if _mention(term) & (set(part.heaps) - {heap}):
                continue
            bound = _evaluate(moves, term, frame)
            legal &= numbers >= bound if side == "lo" else numbers <= bound
    take = heaps - _evaluate(moves, part.become[heap], frame)
    least = legal.argmax(axis=1)  # the smallest heap for which the pick is legal, if any
    loses = np.where(legal[np.arange(len(picked)), least], take[np.arange(len(picked)), least], 1)
    if bool((legal & (take != loses[:, None])).any()) or bool(((loses < 1) | (loses > least + 1)).any()):
        raise NotRecognised
    return loses.tolist(), pack_bits(np.pad(legal, ((0, 0), (1, 0))))


def _list_own(conditions: tuple[t.Term, ...], heap: str, part: _MoveComponent) -> Iterator[t.Term]:
    """Yield the conditions that mention `heap`. For the first heap of the group, also yield those without a heap."""
    for term in conditions:
        mentioned = _mention(term) & set(part.heaps)
        if heap in mentioned or (not mentioned and heap == part.heaps[0]):
            yield term


def _evaluate(moves: Moves, term: t.Term, frame: Frame) -> Array:
    """Return the value of a term at every case of a frame (a grid of cases). Raise NotRecognised if it is undefined."""
    value = moves.evaluator.evaluate_everywhere(term, frame, NotRecognised())
    assert isinstance(value, Scalars)
    if value.data.dtype == object:
        raise NotRecognised
    return np.broadcast_to(value.data, (frame.rows, frame.cols))
