"""Games that the WebAssembly kernel solves, and formulas that it evaluates, for all positions of a box.

Sets of positions are rows of bits. `BoxTask` describes the two layouts of these bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from encoders.compute.arrays.bit_rows import (
    Combined,
    Every,
    Formula,
    HeapBox,
    Leaf,
    NotApplicable,
    Stored,
    count_words,
    evaluate,
    pack,
)
from encoders.compute.arrays.bit_task import BoxTask
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.values import Array, list_places
from encoders.kernel import MAX_HEAPS, MAX_WORDS

if TYPE_CHECKING:
    from encoders.kernel.machine import Machine

SEEN = 4  # as in boxes.c: for each heap, at most SEEN - 1 sizes that it may not become are listed


class KernelRows:
    """A game that the WebAssembly kernel solves, for all positions of a box (at most n heaps of at most m).

    A set of positions is an array of bits in the memory of the kernel: `rows` rows of `words` words of 64 bits. Several
    games may use the same `machine`. Every method may raise OutOfTime and TooLarge.

    `layout`: "lanes" or "lines"; the names of the kernel's functions end in it.
    `scratch`: the shapes of the temporary arrays that the kernel needs for each set.
    `fixed`: the arguments of the kernel that are the same in all calls.
    """

    layout: str
    rows: int
    words: int
    scratch: list[tuple[int, ...]]
    fixed: list[int]

    def __init__(self, task: BoxTask, clock: Deadline, machine: Machine) -> None:
        self.task, self.clock, self.machine = task, clock, machine
        self._lost: list[Array] = []
        assert 1 <= task.box.heaps <= MAX_HEAPS

    def find_lost(self, mover: int) -> Array:
        """Return the set of the positions from which `mover` loses when moving first.

        The first call solves the game for all movers.
        """
        if not self._lost:
            lost = [self.make_blank() for _ in range(self.task.movers)]
            self._run("solve", lost, self.task.movers)
            self._lost = lost
        return self._lost[min(mover, self.task.movers - 1)]

    def make_blank(self) -> Array:
        """Return an empty set of positions in the memory of the kernel. The caller may add positions to it."""
        return self.machine.reserve((self.rows, self.words))

    def reach(self, wanted: Array, mover: int) -> Array:
        """Return the set of the positions from which `mover` can move to a position in `wanted`.

        `wanted`: an array from `make_blank`. It must not be used after the call, which frees its memory.
        """
        out = self.make_blank()
        self._run("reach", [wanted, out], 1, min(mover, self.task.movers - 1))
        self.machine.take_back(wanted)
        return out

    def _run(self, name: str, tables: list[Array], sets: int, *more: int) -> None:
        scratch = [[self.machine.reserve(shape) for _ in range(sets)] for shape in self.scratch]
        pairs = [[self.machine.locate(x) for x in (*found, found[0])][:2] for found in (tables, *scratch)]
        context = [*self.fixed, *(x for pair in pairs for x in pair), *([0] * (MAX_HEAPS + 1))]
        at = self.machine.place(np.array(context, dtype=np.int64), "<u4")
        self.machine.run(f"{name}_{self.layout}", (at, *more), self.rows, self.clock)
        for array in (x for found in scratch for x in found):
            self.machine.take_back(array)


class KernelLanes(KernelRows):
    """A game in the layout of lanes: each position has a row of bits, with bit q for the choice of parameters number q.

    A set thus contains a position for some choices of parameters. There are at most 64 * MAX_WORDS choices.
    """

    layout = "lanes"

    def __init__(self, task: BoxTask, clock: Deadline, machine: Machine) -> None:
        """Copy the moves of the game into the memory of the kernel. Raise TooLarge."""
        super().__init__(task, clock, machine)
        box, self.words = task.box, next(iter(task.legal.values())).shape[-1]
        assert self.words <= MAX_WORDS
        self.rows, self.scratch = box.count, [(task.rests.count, self.span)]
        kinds, full = self._place_legal(), pack(np.ones(task.choices, dtype=bool))
        self.fixed = [box.heaps, box.size, self.words, task.movers, int(task.stuck_wins), self.span]
        self.fixed += [machine.place(box.binomial, "<u4"), *kinds, machine.place(full)]

    @property
    def span(self) -> int:
        """The number of words that contain a bit for each heap size, from 0 to the largest heap."""
        return self.task.box.size // 64 + 1

    def _place_legal(self) -> list[int]:
        """Store tables of the moves in the memory of the kernel, and return their twelve addresses.

        There are three kinds of tables, in this order:

        1. for each change of a heap, the choices of parameters for which it is legal;
        2. for each heap size, the sizes that it may become for at least one choice;
        3. for each heap size, the choices for which this heap has a legal move.

        Of each kind there are four tables, because a heap may be a largest heap of its position, a smallest heap, both
        or neither. Their order is: neither, largest, smallest, both. Equal tables have the same address.
        """
        task, size = self.task, self.task.box.size
        empty = np.zeros((task.movers, size * (size + 1) // 2, self.words), dtype=np.uint64)
        known: dict[tuple[str, ...], tuple[int, int, int]] = {}
        found = []
        for extremes in ((), ("largest",), ("smallest",), ("largest", "smallest")):
            names = tuple(n for n in ("any", *extremes) if n in task.legal)
            if names not in known:
                table = empty.copy() if len(names) != 1 else task.legal[names[0]]
                for name in names if len(names) > 1 else ():
                    table |= task.legal[name]
                known[names] = self._place_table(table)
            found.append(known[names])
        return [address for column in zip(*found, strict=True) for address in column]

    def _place_table(self, table: Array) -> tuple[int, int, int]:
        size, movers = self.task.box.size, self.task.movers
        some = np.zeros((movers, size + 1, 64 * self.span), dtype=bool)
        h, y = np.tril_indices(size + 1, -1)
        some[:, h, y] = (table != 0).any(axis=-1)
        rows = np.packbits(some, axis=-1, bitorder="little").view("<u8")
        able = np.zeros((movers, size + 1, self.words), dtype=np.uint64)
        if size:
            starts = np.arange(1, size + 1) * np.arange(size) // 2
            able[:, 1:] = np.bitwise_or.reduceat(table, starts, axis=1)
        place = self.machine.place
        return place(table), place(rows), place(able)


class KernelLines(KernelRows):
    """A game in the layout of lines: the positions that differ only in one heap have a common row of bits.

    Bit c of the row belongs to the position in which this heap is c. Heaps are smaller than 64 * MAX_WORDS. There is
    only one choice of parameters.
    """

    layout = "lines"

    def __init__(self, task: BoxTask, clock: Deadline, machine: Machine) -> None:
        """Copy the moves of the game into the memory of the kernel. Raise TooLarge."""
        super().__init__(task, clock, machine)
        box, self.words = task.box, count_words(task.box.size + 1)
        assert self.words <= MAX_WORDS and task.choices == 1
        count = HeapBox(max(box.heaps - 2, 0), box.size).count
        self.rows = task.rests.count
        legal, place = task.unfold(), machine.place
        kinds = [legal.get(choose) for choose in ("any", "largest", "smallest")]
        excepted, few = _list_exceptions(kinds[0], task.movers, box.size)
        self.fixed = [box.heaps - 1, box.size, self.words, task.movers, int(task.stuck_wins)]
        self.fixed += [place(task.rests.binomial, "<u4")]
        self.fixed += [0 if t is None else place(pack(t)) for t in kinds]
        self.fixed += [0 if t is None else place(pack(np.ascontiguousarray(t.swapaxes(1, 2)))) for t in kinds]
        self.fixed += [0 if t is None else place(pack(np.asarray(t.any(axis=2)))) for t in kinds]
        levels = int(excepted[..., 0].max(initial=0)) + 1
        self.scratch = [(count, self.words), (count, levels, self.words)]
        self.fixed += [place(excepted, "<i4"), *few, max(levels, 1), place(pack(np.ones(box.size + 1, dtype=bool)))]


def _list_exceptions(legal: Array | None, movers: int, size: int) -> tuple[Array, list[int]]:
    """Return the smaller sizes that a heap may not become, and whether they are few for each of two movers.

    The first result is an array. Row [mover, h] contains the number of sizes below h that a heap h may not become, then
    these sizes; it begins with -1 if there are SEEN or more of them. The second result contains two numbers, one for
    each mover: 1 if no row of this mover begins with -1, otherwise 0.

    `legal[mover, h, y]`: whether the mover may turn a heap h into y. None if every move must choose a largest or a
    smallest heap; then all entries of the array are -1, and the second result is [0, 0].
    """
    found = np.full((movers, size + 1, SEEN), -1, dtype=np.int64)
    if legal is None:
        return found, [0, 0]
    illegal = ~legal & np.tri(size + 1, k=-1, dtype=bool)
    counts = np.count_nonzero(illegal, axis=2)
    small = counts < SEEN
    found[small, 0] = counts[small]
    mover, h, y = np.unravel_index(np.flatnonzero(illegal & small[:, :, None]), illegal.shape)
    found[mover, h, 1 + list_places(counts[small])] = y
    few = [int(all_small) for all_small in small.all(axis=1)]
    return found, [*few, *few][:2]


# -- formulas ---------------------------------------------------------------------------------------------------------
# Formulas that the kernel evaluates at all places of a grid. They become instructions, each of which computes a value
# from earlier ones. The tables of the formulas are copied into the memory of the kernel, if they are not there already.
# A part of a formula that depends only on the outer place, or only on the bit, is a small table that numpy computes.
AT_ONCE = 512  # words of a value that the kernel computes at once; the values of all instructions fit into its cache
MOST_FORMULAS, MOST_INSTRUCTIONS = 8, 1 << 16
_LOAD, _TALLY, _WITHOUT = 0, 5, 6  # the operations in boxes.c
_JOIN = {"and": 1, "or": 2, "xor": 3, "not": 4}


class KernelFormulas:
    """Formulas as instructions for the kernel.

    `outer`, `words`: the number of outer places of the grid, and of words for each of them.
    `machine`: the kernel, which also stores the games of the formulas.
    """

    def __init__(self, formulas: Sequence[Formula], outer: int, words: int, machine: Machine) -> None:
        """Copy the tables of the formulas into the memory of the kernel. This solves the games that they need.

        Raises OutOfTime and TooLarge, and NotApplicable for very large formulas.
        """
        assert len(formulas) <= MOST_FORMULAS
        self.outer, self.words, self.machine, self.formulas = outer, words, machine, formulas
        self._code: list[tuple[int, int, int]] = []
        self._steps: dict[tuple[int, int, int], int] = {}  # an instruction -> its number
        self._given: list[tuple[int, int, int, int]] = []
        self._values: dict[int, int] = {}  # id(formula) -> the instruction that computes it
        self._placed: dict[int, int] = {}  # id(array) -> its address
        self._known: dict[int, Array] = {}  # id(formula) -> its bits, if they are a small table
        self._kept: list[object] = []  # keeps the objects alive whose ids are keys
        for i, formula in enumerate(formulas):
            self._code.append((_TALLY, self._compile(formula), i))
        if len(self._code) > MOST_INSTRUCTIONS:
            raise NotApplicable("the claim is too large for the search as bits")

    def run(self, clock: Deadline) -> tuple[list[int], Array]:
        """Return the number of cases at which each formula holds, and an array with an entry for each outer place.

        Bit f of an entry tells whether formula number f holds at some case of the outer place.
        """
        machine, room, count = self.machine, max(AT_ONCE, self.words), len(self._code)
        ones, filled = machine.reserve((MOST_FORMULAS,)), machine.reserve((self.outer,), "|u1")
        tables = [machine.place(np.array(x, dtype=np.int64), "<i4") for x in (self._code, self._given)]
        tables += [machine.locate(machine.reserve(x, kind)) for x, kind in (((count, room), "<u8"), ((count,), "<u4"))]
        context = [self.words, room, count, *tables, machine.locate(ones), machine.locate(filled), 0]
        at = machine.place(np.array(context, dtype=np.int64), "<u4")
        machine.run("evaluate_formulas", (at,), self.outer, clock)
        return ones[: len(self.formulas)].tolist(), filled

    def _compile(self, formula: Formula) -> int:
        """Return the number of the instruction that computes a formula, after adding it if necessary."""
        if id(formula) not in self._values:
            self._values[id(formula)] = self._add_formula(formula)
            self._kept.append(formula)
        return self._values[id(formula)]

    def _add_formula(self, formula: Formula) -> int:
        if isinstance(formula, Stored):
            return self._load(self.machine.locate(formula.rows), 0, formula.rows)
        if isinstance(formula, Leaf | Every):
            index = 0 if formula.index is None or len(formula.rows) == 1 else self._place(formula.index, "<i4")
            return self._load(self._place(formula.rows, "<u8"), index, formula.rows)
        if formula.varies != (True, True):
            rows = evaluate(formula, slice(0, self.outer), self._known)
            return self._load(self._place(rows, "<u8"), 0, rows)
        parts = self._gather(formula)
        found = self._compile(parts[0])
        if formula.op == "not":
            return self._add(_JOIN["not"], found, 0)
        for part in parts[1:]:
            if formula.op == "and" and isinstance(part, Combined) and part.op == "not" and all(part.varies):
                found = self._add(_WITHOUT, found, self._compile(part.parts[0]))
            else:
                found = self._add(_JOIN[formula.op], found, self._compile(part))
        return found

    def _gather(self, formula: Combined) -> list[Formula]:
        """Return the parts of a formula. All parts that depend only on the outer place, or on the bit, become one."""
        parts = list(formula.parts)
        while formula.op != "not" and any(isinstance(x, Combined) and x.op == formula.op for x in parts):
            parts = [y for x in parts for y in (x.parts if isinstance(x, Combined) and x.op == formula.op else (x,))]
        found: list[Formula] = []
        for varies in {x.varies: 0 for x in parts}:
            same = tuple(x for x in parts if x.varies == varies)
            found += same if varies == (True, True) or len(same) == 1 else [Combined(formula.op, same)]
        return sorted(found, key=lambda x: isinstance(x, Combined) and x.op == "not")

    def _add(self, operation: int, first: int, second: int) -> int:
        step = operation, first, second
        if step not in self._steps:
            self._steps[step] = len(self._code)
            self._code.append(step)
        return self._steps[step]

    def _load(self, address: int, index: int, rows: Array) -> int:
        self._given.append((address, index, rows.shape[1] if len(rows) > 1 else 0, int(rows.shape[1] > 1)))
        return self._add(_LOAD, len(self._given) - 1, 0)

    def _place(self, array: Array, kind: str) -> int:
        if id(array) not in self._placed:
            self._placed[id(array)] = self.machine.place(array, kind)
            self._kept.append(array)
        return self._placed[id(array)]
