"""Games as tasks for a bit solver: solve all positions of a box, for some choices of the parameters.

They are games in which each move makes one heap smaller. A bit solver stores sets of positions as bits.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Ruleset
from encoders.compute.arrays import values as segments
from encoders.compute.arrays.bit_rows import HeapBox, count_words, pack
from encoders.compute.arrays.limits import BadRuleset
from encoders.compute.arrays.moves import Evaluator, Moves, Parameters, bind_parameters
from encoders.compute.arrays.values import Array, Frame, Ragged, Scalars, Value, make_constant

# -- legal moves ------------------------------------------------------------------------------------------------------
# The legal moves on a single heap as tables of bits.
#
# A table has a row for each way to make a heap smaller: row h (h - 1) / 2 + y if the heap h becomes y. Bit q of the row
# tells whether this move is legal for choice q of the parameters. If neither the picks nor `become` depend on
# parameters, the rows are computed for all choices at once; otherwise `Moves` computes them.


CELLS = 2_000_000  # parameters x heaps x numbers picked at once
Legal = dict[str, Array]
"""Tables of legal moves: one table for each way to choose the heap ("any", "largest", "smallest").

Element [mover, number(h, y)] of a table is a row of words. Bit q of this row is 1 if the mover may turn a heap h into a
heap y, for the choice of parameters number q.
"""


def count_movers(ruleset: Ruleset) -> int:
    """Return 1 for an impartial ruleset, in which all players have the same moves; otherwise the number of players."""
    return 1 if ruleset.impartial else len(ruleset.players)


def tabulate(ruleset: Ruleset, evaluator: Evaluator, parameters: list[Parameters], size: int) -> Legal:
    """Return tables of the legal moves on heaps of at most `size`, for each choice of parameters (see `Legal`).

    Raises the errors of `Moves`: BadRuleset, TooLarge, OutOfTime.
    """
    entries, words = size * (size + 1) // 2, count_words(len(parameters))
    found: Legal = {}
    movers = range(count_movers(ruleset))
    for move in ruleset.moves:
        table = found.setdefault(move.choose, np.zeros((len(movers), entries, words), dtype=np.uint64))
        with suppress(BadRuleset):  # perhaps about a change that only another player may make
            if len(movers) > 1 and _sweep(ruleset, evaluator, move, parameters, movers, table):
                continue
        for mover in movers:
            if not _sweep(ruleset, evaluator, move, parameters, range(mover, mover + 1), table[mover : mover + 1]):
                _ask(Moves(ruleset, evaluator), move, parameters, mover, table[mover])
    return found


def number(h: Array | int, y: Array | int) -> Array | int:
    """Return the index in a table of `Legal` for a heap h that becomes y; y is below h."""
    return (h * (h - 1) >> 1) + y


def _sweep(
    ruleset: Ruleset, evaluator: Evaluator, move: Move, parameters: list[Parameters], movers: range, table: Array
) -> bool:
    """Add the legal changes of a heap by one move to `table`, for some movers and all choices of parameters at once.

    `table[i, number(h, y)]`: the bits of the mover number `movers[i]` in a table of `Legal`. Return True.

    Return False if the picks or `become` depend on the mover or on parameters, or if a move is invalid. The table may
    then contain some of the changes. The caller then uses `_ask`, which raises the error for an invalid move.
    """
    size = (int(np.sqrt(8 * table.shape[1] + 1)) - 1) // 2
    first = 1
    while first <= size:
        room = max(size, CELLS // (len(movers) * len(parameters)))
        last = size if number(size + 1, 0) - number(first, 0) <= room else first
        while last < size and number(last + 2, 0) - number(first, 0) <= room:
            last += 1
        part = _sweep_heaps(ruleset, evaluator, move, parameters, movers, np.arange(first, last + 1))
        if part is None:
            return False
        _mark(table, *part)
        first = last + 1
    return True


def _mark(table: Array, at: Array, legal: Array) -> None:
    """Add changes of a heap to a part of a table of `Legal`. `at`, `legal`: the results of `_sweep_heaps`."""
    again = legal.shape[2] > 1 and int(np.bincount(at, minlength=1).max()) > 1
    for rows, here in zip(table, np.broadcast_to(legal, (len(table), *legal.shape[1:])), strict=True):
        if len(here) == 1:
            rows[at if here.all() else at[np.broadcast_to(here[0], at.shape)], 0] = 1
            continue
        bits = pack(np.ascontiguousarray(here.T))
        if again:
            np.bitwise_or.at(rows, at, bits)
        else:
            rows[at] = rows.take(at, axis=0) | bits  # half the time of |=, which numpy computes through `rows[at]`


def _sweep_heaps(
    ruleset: Ruleset, evaluator: Evaluator, move: Move, parameters: list[Parameters], movers: range, heaps: Array
) -> tuple[Array, Array] | None:
    """Return the changes of the given heaps that are legal for some mover and some choice of parameters.

    The first result contains the `number` of each change. Element [i, q, k] of the second result is whether change k is
    legal for mover `movers[i]` and choice q; an axis on which nothing depends may have the length 1. Return None as
    `_sweep` returns False.
    """
    fault = BadRuleset(f"an expression of {ruleset.id} is ill-defined for some move")
    choices, rows = len(parameters), len(movers) * len(parameters)
    names: dict[str, Value] = bind_parameters(ruleset, parameters if choices == 1 else parameters * len(movers)) | {
        "mover": make_constant(movers[0]) if len(movers) == 1 else Scalars(np.repeat(movers, choices)[:, None]),
        move.heaps[0]: Scalars(heaps[None, :]),
    }
    frame = Frame(rows, len(heaps), names)
    for pick in move.picks:
        if isinstance(pick.domain, IntervalDomain):
            assert pick.domain.hi is not None
            lo, hi = (evaluator.evaluate_everywhere(x, frame, fault) for x in (pick.domain.lo, pick.domain.hi))
            if not isinstance(lo, Scalars) or not isinstance(hi, Scalars) or max(lo.shape[0], hi.shape[0]) > 1:
                return None
            source = evaluator.collections.make_range(lo, Scalars(hi.data + 1))
        else:
            value = evaluator.evaluate_everywhere(pick.domain, frame, fault)
            source = evaluator.collections.list_elements(value, pick.domain.type)
        if source.bad is not None or source.shape[0] > 1:
            return None
        frame, heaps = _spread(pick.name, source, frame, heaps)
    allowed = np.ones((1, 1), dtype=bool)
    if move.where is not None:
        test = evaluator.evaluate_everywhere(move.where, frame, fault)
        assert isinstance(test, Scalars)
        allowed = test.data
    some = np.asarray(np.broadcast_to(allowed.any(axis=0), (frame.cols,)))
    if not some.all():
        keep = np.flatnonzero(some)
        frame, heaps = frame.spread(1, keep), heaps[keep]
        allowed = allowed if allowed.shape[1] == 1 else allowed[:, keep]
    become = evaluator.evaluate_everywhere(move.become[0], frame, fault)
    if not isinstance(become, Scalars) or become.shape[0] > 1 or become.data.dtype == object:
        return None
    sizes = np.broadcast_to(become.data[0], (len(heaps),))
    if bool((sizes < 0).any() | (sizes >= heaps).any()):
        return None  # `Moves` then raises the error
    legal = np.ones((1, choices, 1), dtype=bool)
    if allowed.shape[0] > 1:
        legal = allowed.reshape(len(movers), choices, -1)
    return np.asarray(number(heaps, sizes)), legal


def _spread(name: str, source: Ragged, frame: Frame, heaps: Array) -> tuple[Frame, Array]:
    """Repeat each column of a frame (a grid of cases) for each number that may be picked in it.

    `source`: the numbers. `heaps`: the chosen heap in each column. Return the new frame, in which the variable `name`
    has the picked number as its value, and the chosen heap in each of its columns.
    """
    if source.shape != (1, frame.cols):
        source = source.spread((1, frame.cols))
    index = segments.list_owners(source.lengths)
    inner = frame.spread(1, index)
    inner.names[name] = Scalars(source.items[None, :])
    return inner, heaps[index]


def _ask(moves: Moves, move: Move, parameters: list[Parameters], mover: int, rows: Array) -> None:
    """Add the legal changes of a heap by any move to `rows`, as `_sweep` does. Raise the errors of `Moves`."""
    size = (int(np.sqrt(8 * len(rows) + 1)) - 1) // 2
    h, y = (x for x in np.tril_indices(size + 1, -1))
    step = max(1, CELLS // (size + 1) ** 2 // 64) * 64
    for start in range(0, len(parameters), step):
        table = moves.tabulate_single_heap(move, parameters[start : start + step], mover, size)
        part = pack(np.ascontiguousarray(table[:, h, y].T))
        first = start // 64
        part = part[:, : rows.shape[1] - first]
        rows[np.asarray(number(h, y)), first : first + part.shape[1]] |= part


# -- task -------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class BoxTask:
    """A game that a bit solver must solve for all positions of a box.

    `movers`: the number of players; 1 if the game is impartial.
    `stuck_wins`: whether a player who cannot move wins.
    `legal`: the legal moves, as `tabulate` returns them.
    `choices`: the number of choices of parameters in `legal`.

    The solver stores a set of positions as rows of bits, in one of two layouts:

    - lanes: a row belongs to a position, and its bit q to the choice of parameters number q;
    - lines: a row belongs to the positions that differ only in one heap, and its bit c to the position in which this
      heap is c. There is only one choice of parameters.
    """

    box: HeapBox
    movers: int
    stuck_wins: bool
    legal: Legal
    choices: int

    @property
    def rests(self) -> HeapBox:
        """The box of the positions that remain if one heap of each position is left out."""
        return HeapBox(self.box.heaps - 1, self.box.size)

    def unfold(self) -> dict[str, Array]:
        """Return the tables in `legal` as truth values, if there is only one choice of parameters.

        Element [mover, h, y] of a table is whether the mover may turn a heap h into a heap y.
        """
        below = np.tri(self.box.size + 1, k=-1, dtype=bool)  # its entries are in the order of `number`
        found = {}
        for choose, rows in self.legal.items():
            table = np.zeros((self.movers, *below.shape), dtype=bool)
            for whole, row in zip(table, rows, strict=True):
                whole[below] = (row[:, 0] & np.uint64(1)).astype(bool)
            found[choose] = table
        return found
