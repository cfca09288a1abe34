"""Tables of winners and Grundy values of single heaps, for games in which a heap does not affect other heaps."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from claims.language.errors import NimChecksError
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names
from claims.language.syntax.terms import INT
from encoders.compute.arrays.heap_codes import Code, Unread, ends, read_code, substitute_values
from encoders.compute.arrays.limits import SAFE, BadRuleset, Deadline, TooLarge
from encoders.compute.arrays.moves import Evaluator, Moves, Parameters, bind_parameters
from encoders.compute.arrays.values import Array, Frame, Scalars, make_constant
from encoders.kernel import KERNEL, is_loaded

# == values ===========================================================================================================
# Grundy values of heaps whose moves are given as a code. The Sprague-Grundy theorem gives the value of two heaps.
#
# Small heaps are solved here, option by option. The WebAssembly kernel solves larger heaps; loading it takes a moment.
SMALL, LOADED = 1_500, 100  # the largest heap that is solved here, before and after the kernel is loaded
AHEAD = 64  # heaps that are solved above the largest heap of a question, if it is larger than SMALL
_FEW, _SOME, _MANY = 64, 256, 1024  # heaps between two checks of the clock; fewer if one heap takes longer


class CodeValues:
    """The Grundy values of single heaps, for moves that are given by a `Code`. They are computed as far as needed.

    `values[h]`: the Grundy value of a heap h. `asked`: the largest heap of a question.
    """

    def __init__(self, code: Code, clock: Deadline) -> None:
        self.code, self.clock, self.asked = code, clock, 0
        self.values = np.zeros(1, dtype=np.int64)

    def extend(self, size: int, end: Array, one: Array) -> None:
        """Compute the values of the heaps up to `size`. If OutOfTime is raised, the values so far remain.

        `end`, `one`: the two arrays that `Code.list_takes(size)` returns.
        """
        if len(self.values) > size:
            return
        if size > (LOADED if is_loaded() else SMALL) and self._solve_large(size, end, one):
            return
        known, start = np.zeros(size + 1, dtype=np.int64), len(self.values)
        known[:start] = self.values
        for h in range(start, size + 1):
            if not h % _FEW:
                self.values = known[:h]
                self.clock.check()
            reached = set(known[h - 1 : 0 : -1][one[1:h]].tolist()) | ({0} if end[h] else set())
            for taken in self.code.two:  # all splits into two different heaps, each once
                rest = h - taken
                half = (rest + 1) // 2
                if half > 1:
                    reached.update((known[1:half] ^ known[rest - 1 : rest - half : -1]).tolist())
            if any(taken <= h - 2 and (h - taken) % 2 == 0 for taken in self.code.equal):
                reached.add(0)
            value = 0
            while value in reached:
                value += 1
            known[h] = value
        self.values = known

    def _solve_large(self, size: int, end: Array, one: Array) -> bool:
        """Do the work of `extend` with the WebAssembly kernel.

        Return False, and compute nothing, if the kernel cannot run on this machine.
        """
        from encoders.kernel.values import HeapMoves, solve_values

        moves = HeapMoves(end, one, self.code.two, self.code.equal)
        try:
            self.values = solve_values(moves, size, self.values, self.clock)
        except TooLarge as reason:
            self.clock.fallbacks.add((KERNEL, str(reason)))
            return False
        return True


# == takes ============================================================================================================
# Games in which a heap never splits: the winner for any number of players, in normal or misère play.
#
# The solver continues where it stopped, heap by heap, in memory linear in the largest heap. Its input is the
# results `end` and `one` of `Code.list_takes` for each mover.
FEW = 48  # if a move may take at most this many numbers, they are tried one by one for each heap


class TakeWinners:
    """The winners from single heaps, for moves that leave at most one heap. They are computed as far as needed.

    `values[mover][h]`: the winner if `mover` plays first from a single heap h: 0 for the mover, 1 for the next player,
    and so on.
    `movers`: 1 for an impartial ruleset; otherwise the number of players.
    `players`: the number of players.
    """

    def __init__(self, movers: int, players: int, stuck_wins: bool, clock: Deadline) -> None:
        self.players, self.stuck, self.clock = players, 0 if stuck_wins else players - 1, clock
        self.values: list[list[int]] = [[self.stuck] for _ in range(movers)]

    def extend(self, size: int, ends: list[Array], ones: list[Array]) -> None:
        """Compute the winners from the heaps up to `size`. If OutOfTime is raised, the results so far remain.

        `ends`, `ones`: for each mover, the two arrays that `Code.list_takes(size)` returns.
        """
        takes = [(np.flatnonzero(one[1:]) + 1).tolist() for one in ones]
        wholes = [end.tolist() for end in ends]
        if len(self.values[0]) > size:
            return
        if max(map(len, takes)) <= FEW:
            self._extend_few(size, wholes, takes)
        else:
            self._extend_any(size, wholes, ones)

    def _extend_few(self, size: int, wholes: list[list[bool]], takes: list[list[int]]) -> None:
        values, movers = self.values, len(self.values)
        for h in range(len(values[0]), size + 1):
            if not h % _MANY:
                self.clock.check()
            found = []
            for mover in range(movers):
                following = values[(mover + 1) % movers]
                offers = [(following[h - m] + 1) % self.players for m in takes[mover] if m < h]
                if wholes[mover][h]:
                    offers.append((following[0] + 1) % self.players)
                found.append(min(offers, default=self.stuck))
            self._append(found)

    def _extend_any(self, size: int, wholes: list[list[bool]], ones: list[Array]) -> None:
        """Do the work of `extend` with sets of heaps that are stored as integers, with bit h for a heap h.

        For each mover and each winner, one integer is the set of the heaps with this winner. One AND of it and the set
        of the options of a heap shows whether the heap has an option with this winner.
        """
        backwards = [_pack(one[::-1]) for one in ones]  # bit size - m for each m that may be taken
        movers = len(self.values)
        bits = [[_pack(np.array(row) == offset) for offset in range(self.players)] for row in self.values]
        preference = [
            (v - 1) % self.players for v in range(self.players)
        ]  # offsets from the next player, the best for the mover first
        for h in range(len(self.values[0]), size + 1):
            self.clock.check()
            found = []
            for mover in range(movers):
                reached = backwards[mover] >> (size - h) & -2  # without the empty heap
                if wholes[mover][h]:
                    reached |= 1
                following = bits[(mover + 1) % movers]
                offset = next((v for v in preference if following[v] & reached), None)
                found.append(self.stuck if offset is None else (offset + 1) % self.players)
            self._append(found)
            for mover, value in enumerate(found):
                bits[mover][value] |= 1 << h

    def _append(self, found: list[int]) -> None:
        """Append the winner from the next heap to `values`. `found[mover]`: this winner."""
        for row, value in zip(self.values, found, strict=True):
            row.append(value)


def _pack(row: Array) -> int:
    """Return an integer in which bit i is 1 if `row[i]` is true."""
    return int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")


# == intervals ========================================================================================================
# Games in which the heaps that a move may leave form an interval that depends on the heap, such as half or more.
#
# The winner is determined from the number of smaller heaps with each winner. For Grundy values, the interval may only
# move upwards as the heap grows. The step to the next heap therefore takes the same time for large and for small heaps.
MOST = 2_000_000  # largest heap; each heap takes a step in Python


@dataclass(frozen=True)
class Window:
    """The heaps that one kind of move may leave: it may turn a heap h into any of low[h], ..., high[h].

    If high[h] < low[h], the move is impossible on a heap h.
    """

    low: Array
    high: Array

    @property
    def some(self) -> Array:
        """An array: element [h] is whether the move is possible on a heap h."""
        return np.asarray(self.low <= self.high)


def read_windows(
    ruleset: Ruleset, evaluator: Evaluator, parameters: Parameters, mover: int, size: int
) -> tuple[Window, ...]:
    """Return, for each move of a ruleset, the intervals of heaps that it may leave, for heaps up to `size`.

    Raise Unread if the moves do not have this form, OutOfTime, and TooLarge.
    """
    if ruleset.measure is not None or ruleset.sees_position or size > MOST:
        raise Unread("the ruleset declares a measure or refers to the position, or a heap is too large")
    return tuple(_read(ruleset, move, evaluator, parameters, mover, size) for move in ruleset.moves)


def _read(ruleset: Ruleset, move: Move, evaluator: Evaluator, parameters: Parameters, mover: int, size: int) -> Window:
    taken = _is_taken(move)
    (pick,) = move.picks
    assert isinstance(pick.domain, IntervalDomain) and pick.domain.hi is not None
    frame = Frame(1, size, bind_parameters(ruleset, [parameters]) | {"mover": make_constant(mover)})
    frame.names[move.heaps[0]] = Scalars(np.arange(1, size + 1)[None, :])
    bounds = []
    for term in (pick.domain.lo, pick.domain.hi):
        value = evaluator.evaluate(term, frame)
        if not isinstance(value, Scalars) or value.bad is not None or value.data.dtype == object:
            raise Unread(f"a bound of the pick {pick.name} is undefined, or is 2^62 or more")
        bounds.append(np.broadcast_to(value.data, (1, size))[0])
    heaps = np.arange(1, size + 1)
    least, most = bounds
    if size and max(int(np.abs(x).max()) for x in bounds) > SAFE // 4:
        raise Unread(f"the bounds of the pick {pick.name} are too large")
    low, high = (heaps - most, heaps - least) if taken else (least, most)
    if ((low <= high) & ((low < 0) | (high >= heaps))).any():
        raise Unread("a move leaves a heap below 0, or does not make the heap smaller")
    return Window(np.concatenate(([1], low)), np.concatenate(([0], high)))


def _is_taken(move: Move) -> bool:
    """Return True if the pick of a move is the number of objects taken, False if it is the heap that is left.

    Raise Unread if it is neither, or if the move has another form than one heap, one pick from an interval, and no
    further condition.
    """
    one = len(move.heaps) == len(move.picks) == 1 and move.choose != "each" and move.where is None
    if one and isinstance(move.picks[0].domain, IntervalDomain):
        match [x for x in move.become if not (isinstance(x, t.Literal) and x.value == 0)]:
            case [t.Variable(name=name)] if name == move.picks[0].name:
                return False
            case [t.Operation(op="sub", args=(t.Variable(name=heap), t.Variable(name=name)))] if (
                heap,
            ) == move.heaps and name == move.picks[0].name:
                return True
    raise Unread("the heaps that a move may leave are not given as an interval")


def solve_values(windows: tuple[Window, ...], clock: Deadline) -> list[int]:
    """Return a list: element [h] is the Grundy value of a heap h, for all heaps in `windows`.

    `windows`: for each kind of move, the intervals of heaps that it may leave. Raise Unread unless each interval moves
    up as the heap grows. Raise OutOfTime.

    Method: a priority queue contains every value that no option has, and perhaps other values. After the other values
    are removed from its front, its minimum is the mex.
    """
    size = len(windows[0].low) - 1
    _require_upward(windows)
    bounds = [(w.low.tolist(), w.high.tolist()) for w in windows]
    first, beyond = [0] * len(bounds), [0] * len(bounds)
    values, times = [0] * (size + 1), [0] * (size + 2)
    missing = list(range(size + 2))  # ascending, so it is a heap queue; each value that no option has is in it
    for h in range(1, size + 1):
        if not h % _MANY:
            clock.check()
        for i, (low, high) in enumerate(bounds):
            if low[h] > high[h]:
                continue  # no window moves back, so it has been empty so far
            for option in range(beyond[i], high[h] + 1):
                times[values[option]] += 1
            beyond[i] = high[h] + 1
            for option in range(first[i], low[h]):
                times[values[option]] -= 1
                if not times[values[option]]:
                    heappush(missing, values[option])
            first[i] = low[h]
        while times[missing[0]]:
            heappop(missing)
        values[h] = missing[0]
    return values


def _require_upward(windows: tuple[Window, ...]) -> None:
    """Raise Unread if an end of an interval decreases as the heap grows.

    An interval may be empty for small heaps, but not again after the first heap on which the move is possible.
    """
    for w in windows:
        some = w.some
        from_here = w.low[some], w.high[some]
        if some.any() and not some[int(some.argmax()) :].all():
            raise Unread("a move is possible on some heap, but not on a larger heap")
        if any((np.diff(x) < 0).any() for x in from_here):
            raise Unread("the interval of heaps that a move may leave shifts down for a larger heap")


def solve_winners(movers: list[tuple[Window, ...]], players: int, stuck: int, clock: Deadline) -> list[list[int]]:
    """Return the winners from single heaps: `result[mover][h]` is 0 for the mover, 1 for the next player, and so on.

    `movers`: for each mover, the intervals of heaps that each kind of move may leave.
    `stuck`: the result if there is no move. Raise OutOfTime.
    """
    size = len(movers[0][0].low) - 1
    bounds = [[(w.low.tolist(), w.high.tolist()) for w in windows] for windows in movers]
    rows = [[stuck] for _ in movers]
    # for each value v, the number of smaller heaps with it
    counts = [[[0, int(v == stuck)] for v in range(players)] for _ in movers]
    for h in range(1, size + 1):
        if not h % _MANY:
            clock.check()
        found = []
        for mover, windows in enumerate(bounds):
            following = counts[(mover + 1) % len(movers)]
            here = [(low[h], high[h] + 1) for low, high in windows if low[h] <= high[h]]
            left = (v for v in range(players) for a, b in here if following[v][b] > following[v][a])
            found.append(min(((v + 1) % players for v in left), default=stuck))
        for row, count, offset in zip(rows, counts, found, strict=True):
            row.append(offset)
            for v in range(players):
                count[v].append(count[v][-1] + (v == offset))
    return rows


@dataclass
class IntervalSolution:
    """The results that were computed from intervals, for one game and one choice of its parameters.

    `values[h]`: the Grundy value of a heap h.
    `winners[mover][h]`: the winner from a single heap h: 0 for the mover, 1 for the next player, and so on.
    """

    values: list[int] = field(default_factory=list)
    winners: list[list[int]] = field(default_factory=list)

    def answer(
        self, question: str, movers: list[tuple[Window, ...]], players: int, stuck: int, clock: Deadline
    ) -> Array:
        """Return an array: element [mover, h] is the answer to a question about a single heap h.

        `question`: as in `SingleHeaps.tabulate`. `movers`, `stuck`: as in `solve_winners`. Raise Unread or OutOfTime.
        """
        if question == "movable":
            return np.array([np.logical_or.reduce([w.some for w in windows]) for windows in movers])
        if question == "grundy":
            self.values = solve_values(movers[0], clock)
            return np.array([self.values])
        self.winners = solve_winners(movers, players, stuck, clock)
        offsets = np.array(self.winners)
        return offsets == 0 if question == "wins" else offsets


# == tables ===========================================================================================================
# Tables of winners, values and other results for single heaps, by parameters, mover and heap.
# -- termination ------------------------------------------------------------------------------------------------------
# Termination of moves on heaps: the measure of a ruleset as a sum of heap weights.

HEAP = "heap'"


class Unweighed(NimChecksError):
    """A measure is not a sum of natural weights of the heaps, so it must be evaluated for each position."""


def weigh_heaps(ruleset: Ruleset, evaluator: Evaluator, parameters: Parameters, size: int) -> Array | None:
    """Return natural numbers such that the measure of a position is the sum of these numbers over its heaps.

    The measure may also contain a constant that is not negative, which is left out. Element [h] of the result is the
    weight of a heap h, for h = 0, ..., `size`; element [0] is 0. The result is None if no measure is declared: then the
    weight of a heap is its size. Raise Unweighed if the measure does not have this form.
    """
    if ruleset.measure is None:
        return None
    heap, constant = _take_apart(ruleset.measure)
    frame = Frame(1, size, bind_parameters(ruleset, [parameters]))
    frame.names[HEAP] = Scalars(np.arange(1, size + 1)[None, :])
    weights = np.zeros(size + 1, dtype=np.int64)
    for out, term in ((weights[1:], heap), (None, constant)):
        if term is None:
            continue
        value = evaluator.evaluate(term, frame)
        if not isinstance(value, Scalars) or value.bad is not None or value.data.dtype == object:
            raise Unweighed
        if out is not None:
            out[:] = value.data[0]
        if (value.data.size and int(value.data.min()) < 0) or int(np.abs(value.data).max(initial=0)) > SAFE // 4:
            raise Unweighed
    return weights


def _take_apart(measure: t.Term) -> tuple[t.Term | None, t.Term | None]:
    """Return two terms such that a measure is the sum of the first over all heaps, plus the second.

    The first term depends on the variable HEAP. None means 0. Raise Unweighed if the measure does not have this form.
    """
    heap = t.Variable(INT, 0, 0, HEAP)
    match measure:
        case t.Operation(op="sum", args=(t.Variable(name="s"),)):
            return heap, None
        case t.Operation(op="len", args=(t.Variable(name="s"),)):
            return t.Literal(INT, 0, 0, 1), None
        case t.Comprehension(reducer="sum", body=body, clauses=(t.Clause(variable, t.Variable(name="s"), ()),)):
            if "s" in find_free_names(body):
                raise Unweighed
            return substitute_values(body, {variable: heap}), None
        case t.Operation(op="add" | "sub" as op, args=(a, b)):
            first, second = _take_apart(a), _take_apart(b)
            return _join(op, first[0], second[0]), _join(op, first[1], second[1])
        case t.Operation(op="mul", args=(a, b)):
            factor, rest = (a, b) if "s" not in find_free_names(a) else (b, a)
            if "s" in find_free_names(factor):
                raise Unweighed
            inner = _take_apart(rest)
            return _join("mul", factor, inner[0]), _join("mul", factor, inner[1])
    if "s" in find_free_names(measure):
        raise Unweighed
    return None, measure


def _join(op: str, a: t.Term | None, b: t.Term | None) -> t.Term | None:
    if b is None:
        return None if op == "mul" else a
    return _operate(op, t.Literal(INT, 0, 0, 0) if a is None else a, b)


def _operate(op: str, a: t.Term, b: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, op, (a, b))


# -- every move on every heap -----------------------------------------------------------------------------------------
# Moves of any form on one heap, evaluated for several heaps at a time, for rules without a code.

_PICKS = 300_000  # approximate number of moves generated at once


@dataclass(frozen=True)
class _Options:
    """All moves of one mover on the heaps a, a + 1, ..., b.

    `sizes`: column k contains the heaps that move number k leaves, and zeros.
    `cuts`: the moves on a heap a + i are those with the numbers cuts[i], ..., cuts[i + 1] - 1.
    """

    cuts: list[int]
    sizes: Array


class ListedMoves:
    """A solver of single heaps that tries every move on every heap, for moves of any form.

    `grundy`: whether Grundy values or winners are computed.
    `values[mover][h]`: the Grundy value of a heap h (with one mover); or the winner from a single heap h, which is 0
    for the mover, 1 for the next player, and so on.
    `movable[mover][h]`: whether the mover has a move on a heap h.

    In the methods, `weights` is the result of `weigh_heaps`.
    """

    def __init__(self, moves: Moves, parameters: Parameters, movers: int, players: int, grundy: bool) -> None:
        self.moves, self.parameters, self.players, self.grundy = moves, parameters, players, grundy
        self.stuck = 0 if moves.ruleset.stuck_wins or grundy else players - 1
        self.values: list[list[int]] = [[self.stuck] for _ in range(movers)]
        self.movable: list[list[bool]] = [[False] for _ in range(movers)]
        self.splits = False  # whether some move left two heaps

    def extend(self, size: int, weights: Array) -> None:
        """Solve the heaps up to `size`. If an error is raised, the results so far remain.

        Raises OutOfTime, and the errors of `_check`.
        """
        start, width, clock = len(self.values[0]), 64, self.moves.evaluator.clock
        if start > size:
            return
        known = np.zeros((len(self.values), size + 1), dtype=np.int64)
        known[:, :start] = self.values
        seen = np.zeros(1024, dtype=np.int64)  # for each value, the last heap with an option of it
        while start <= size:
            heaps = np.arange(start, min(start + width, size + 1))
            options = [self._list(heaps, mover, weights) for mover in range(len(known))]
            for i, h in enumerate(heaps.tolist()):
                if not h % _SOME:
                    clock.check()
                for mover, found in enumerate(options):
                    sizes = found.sizes[:, found.cuts[i] : found.cuts[i + 1]]
                    self.movable[mover].append(bool(sizes.shape[1]))
                    if self.grundy:
                        values = known[0][sizes[0]]
                        for more in sizes[1:]:
                            values = values ^ known[0][more]
                        if values.size and (top := int(values.max())) >= len(seen) - 1:
                            seen = np.append(seen, np.zeros(2 * top, dtype=np.int64))
                        seen[values] = h
                        value = int((seen != h).argmax())
                    else:
                        value = self._find_winner(known[(mover + 1) % len(known)], sizes)
                    known[mover, h] = value
                    self.values[mover].append(value)
            picks = max(x.cuts[-1] for x in options)
            width = max(1, min(4 * width, _PICKS * len(heaps) // max(picks, 1)))
            start += len(heaps)

    def estimate(self, weights: Array) -> int:
        """Estimate the number of moves on all heaps in `weights` that are not solved yet.

        It is the number of these heaps times the number of moves on the largest heap. Raises the errors of `_check`.
        """
        size = len(weights) - 1
        largest = np.array([size])
        moves = sum(self._list(largest, mover, weights).cuts[-1] for mover in range(len(self.values)))
        return (size + 1 - len(self.values[0])) * moves

    def _find_winner(self, following: Array, sizes: Array) -> int:
        if not sizes.shape[1]:
            return self.stuck
        left = sizes[0] if len(sizes) == 1 else sizes.sum(axis=0)
        return int(((following[left] + 1) % self.players).min())

    def _list(self, heaps: Array, mover: int, weights: Array) -> _Options:
        """Return all moves of a mover on the heaps in `heaps`, which are consecutive numbers.

        Raise the errors of `_check`.
        """
        ruleset, parts = self.moves.ruleset, [np.zeros((2, 0), dtype=np.int64)]
        for move in ruleset.moves:
            names = bind_parameters(ruleset, [self.parameters]) | {"mover": make_constant(mover)}
            names[move.heaps[0]] = Scalars(heaps[None, :])
            for picked in self.moves.list_picks(move, Frame(1, len(heaps), names)):
                rows = np.zeros((max(len(picked.sizes), 1) + 1, len(picked.owner)), dtype=np.int64)
                rows[0] = heaps[picked.owner]
                for i, sizes in enumerate(picked.sizes):
                    rows[i + 1] = sizes
                parts.append(rows)
        width = max(map(len, parts))
        whole = np.concatenate([np.pad(x, ((0, width - len(x)), (0, 0))) for x in parts], axis=1)
        if (whole[0, 1:] < whole[0, :-1]).any():  # the moves of one kind are already sorted by heap
            whole = whole[:, np.argsort(whole[0], kind="stable")]
        self._check(whole[0], whole[1:], weights)
        self.splits |= bool((np.count_nonzero(whole[1:], axis=0) > 1).any())
        return _Options(np.searchsorted(whole[0], np.arange(heaps[0], heaps[-1] + 2)).tolist(), whole[1:])

    def _check(self, heaps: Array, sizes: Array, weights: Array) -> None:
        """Raise an error for a move that does not make both the heap and the total weight smaller.

        `heaps[k]`: the heap that move number k changes. `sizes[:, k]`: the heaps that it leaves.

        Raise Unread if the ruleset declares a measure, and a heap that is left is not smaller. In all other cases,
        raise BadRuleset. Raise Unread also if the weights are too large.
        """
        if int(weights.max(initial=0)) * len(sizes) >= SAFE:
            raise Unread("the measure of some position would be too large a number")
        grown = np.asarray(sizes.max(axis=0, initial=0) >= heaps)
        wrong = grown | (weights[np.where(grown, 0, sizes)].sum(axis=0) >= weights[heaps])
        if not wrong.any():
            return
        ruleset, at = self.moves.ruleset, int(np.argmax(wrong))
        if ruleset.measure is not None and grown[at]:
            raise Unread("a move does not make the heap smaller")
        left = " and ".join(str(x) for x in sizes[:, at].tolist() if x) or "nothing"
        what = "total" if ruleset.measure is None else "measure"
        raise BadRuleset(
            f"a move of {ruleset.id} turns a heap of {heaps[at]} into {left}: it does not decrease the {what}"
        )


# -- tables -----------------------------------------------------------------------------------------------------------
BY_CODE, BY_MOVES = "heaps", "heaps by moves"
"""The names of two engines. BY_CODE derives the moves on all heaps from the rules. BY_MOVES tries every move."""

MOST_PLAYED = 12_000_000  # largest heap of a table
MOST_LISTED = 1_250_000_000  # largest number of moves on all heaps together, if every move is evaluated


def stays_one(ruleset: Ruleset) -> bool:
    """Whether every move on one heap leaves at most one heap."""
    return all(sum(not _is_nothing(x) for x in m.become) <= 1 for m in ruleset.moves)


def _is_nothing(term: t.Term) -> bool:
    return isinstance(term, t.Literal) and term.value == 0


@dataclass
class _Game:
    """The moves and the results for one choice of parameters.

    `codes`: the moves of each mover as codes; None if they do not have this form.
    `values`, `winners`: the results that were computed from codes. `intervals`: those computed from intervals.
    `listed`: the solvers that try every move: for Grundy values (key True), and for winners (key False).
    """

    codes: list[Code] | None
    values: CodeValues | None = None
    winners: TakeWinners | None = None
    intervals: IntervalSolution | None = None
    listed: dict[bool, ListedMoves] | None = None


class SingleHeaps:
    """The solver of single heaps for one ruleset.

    `summed`: whether a result depends on the Sprague-Grundy theorem, because a move splits a heap.
    `engines`: the names of the engines that solved something.
    """

    def __init__(self, moves: Moves) -> None:
        self.moves, self.ruleset = moves, moves.ruleset
        self.summed, self.engines = False, set[str]()
        ruleset = self.ruleset
        plain = not ruleset.sees_position and all(len(m.heaps) == 1 and m.choose != "each" for m in ruleset.moves)
        self._one = plain and stays_one(ruleset)
        self._sums = plain and ruleset.impartial and all(m.choose == "any" for m in ruleset.moves)
        self._valued = self._sums and not ruleset.stuck_wins  # with two players, the mover loses exactly at value 0
        self._games: dict[Parameters, _Game] = {}
        self._tables: dict[str, tuple[list[Parameters], Array]] = {}

    def serves(self, question: str) -> bool:
        """Whether `tabulate` supports a question, such as "grundy" or "wins", for this ruleset."""
        if question == "grundy":
            return self.ruleset.impartial and not self.ruleset.stuck_wins and (self._one or self._sums)
        if question == "movable":
            return self._one or self._valued
        return (self._one or (self._valued and len(self.ruleset.players) == 2)) and question in ("wins", "value")

    @property
    def adds_up(self) -> bool:
        """Whether the nim-sum of the Grundy values of the heaps decides who wins, by the Sprague-Grundy theorem."""
        return self._valued and len(self.ruleset.players) == 2

    @property
    def splits(self) -> bool:
        """Whether some move may leave two heaps.

        If so, an engine without tables of single heaps must solve positions of several heaps.
        """
        return not self._one

    def forget(self) -> None:
        """Forget all results."""
        self._games, self._tables = {}, {}

    @property
    def volume(self) -> int:
        """The number of entries in the tables that `tabulate` returned."""
        return sum(table.size for _, table in self._tables.values())

    def list_values(self) -> list[tuple[Parameters, Sequence[int]]]:
        """Return pairs (parameters, values): `values[h]` is the Grundy value of a heap h, as far as it was computed.

        Values of the engine BY_MOVES are left out.
        """
        found: list[tuple[Parameters, Sequence[int]]] = []
        for q, game in self._games.items():
            if (solved := game.values) is not None:
                values = solved.values[: solved.asked + 1]
                found.append((q, array(values.dtype.char, values.tobytes())))  # takes less memory than a list
            if game.intervals and game.intervals.values:
                found.append((q, game.intervals.values))
        return found

    def list_winners(self) -> list[tuple[Parameters, list[list[int]]]]:
        """Return pairs (parameters, winners), as far as they were computed.

        `winners[mover][h]` is the winner from a single heap h: 0 for the mover, 1 for the next player, and so on. There
        is only one mover if the ruleset is impartial. Results of the engine BY_MOVES are left out.
        """
        found = [(q, game.winners.values) for q, game in self._games.items() if game.winners is not None]
        return found + [(q, x.winners) for q, game in self._games.items() if (x := game.intervals) and x.winners]

    def reads(self, parameters: list[Parameters]) -> bool:
        """Whether large heaps can be solved quickly for all choices of parameters, without trying every move.

        This is possible if the moves have the form of a `Code` or of intervals (`Window`). Raise OutOfTime.
        """
        return all((game := self._find(choice)).codes or game.intervals for choice in parameters)

    def tabulate(self, question: str, parameters: list[Parameters], players: Array, size: int) -> Array | None:
        """Return a table: element [q, mover, h] is the answer to a question about a single heap h, for parameters[q].

        `question`: "grundy" (the Grundy value), "wins" (whether the mover wins), "value" (the winner: 0 for the mover,
        1 for the next player, and so on), or "movable" (whether the mover has a move).
        `players`: the number of players for each choice of parameters.

        There is only one mover if the ruleset is impartial. The table contains the heaps up to `size`, and perhaps
        larger heaps. Its numbers may have few bits, so a caller must convert them before it calculates. Return None if
        there are too many heaps or moves, or if the measure is not a sum over the heaps. Raises BadRuleset, TooLarge,
        OutOfTime.
        """
        if size > MOST_PLAYED:
            return None
        known, table = self._tables.get(question, ([], np.zeros((0, 0, 0), dtype=np.int64)))
        if known == parameters and table.shape[2] > size:
            return table
        movers = 1 if self.ruleset.impartial else int(players.max())
        found = []
        for choice, number in zip(parameters, players.tolist(), strict=True):
            answer = self._answer(question, choice, number, size)
            if answer is None:
                return None
            found.append(answer)
        if len(found) == 1:
            rows = found[0][None]
        else:
            rows = np.zeros((len(found), movers, size + 1), dtype=np.result_type(*found))
            for row, answer in zip(rows, found, strict=True):
                row[: len(answer)] = answer
        self._tables[question] = list(parameters), rows
        return rows

    def _answer(self, question: str, choice: Parameters, players: int, size: int) -> Array | None:
        """Return the result of `tabulate` for one choice of parameters: element [mover, h] is about a heap h."""
        if self.splits and question in ("wins", "value"):
            values = self._answer("grundy", choice, players, size)
            return None if values is None else values != 0 if question == "wins" else (values == 0).astype(np.int64)
        try:
            weights = weigh_heaps(self.ruleset, self.moves.evaluator, choice, size)
        except Unweighed:
            return None
        game = self._find(choice)
        if game.codes is not None:
            try:
                if all(ends(code, weights) for code in game.codes):
                    found = self._solve(question, game, game.codes, players, size)
                    self.engines.add(BY_CODE)
                    return found
            except Unread:
                game.codes = None
        if game.intervals is not None:
            with suppress(Unread):  # intervals may still answer other questions
                return self._solve_intervals(question, game.intervals, choice, players, size)
        return self._list(question, game, choice, players, np.arange(size + 1) if weights is None else weights)

    def _find(self, choice: Parameters) -> _Game:
        if choice not in self._games:
            given = dict(zip((p.name for p in self.ruleset.parameters), choice, strict=True))
            players = len(self.ruleset.players) or given[self.ruleset.player_count]
            assert isinstance(players, int)
            try:
                movers = range(1 if self.ruleset.impartial else players)
                codes = [read_code(self.ruleset, self.moves.evaluator, choice, mover) for mover in movers]
            except Unread:
                self._games[choice] = _Game(None, intervals=self._find_intervals(choice))
            else:
                self._games[choice] = _Game(codes)
        return self._games[choice]

    def _solve(self, question: str, game: _Game, codes: list[Code], players: int, size: int) -> Array:
        """Return an array: element [mover, h] is the answer to a question about a heap h, computed from codes."""
        clock = self.moves.evaluator.clock
        if question == "grundy":
            return self._find_values(game, codes[0], size)
        takes = [code.list_takes(size) for code in codes]
        if question == "movable":
            rows = [end | np.append(False, np.logical_or.accumulate(one)[:-1]) for end, one in takes]
            return np.array([row | code.may_split(size) for row, code in zip(rows, codes, strict=True)])
        if game.winners is None:
            game.winners = TakeWinners(len(codes), players, self.ruleset.stuck_wins, clock)
        game.winners.extend(size, [end for end, _ in takes], [one for _, one in takes])
        offsets = np.array([row[: size + 1] for row in game.winners.values])
        return offsets == 0 if question == "wins" else offsets

    def _find_values(self, game: _Game, code: Code, size: int) -> Array:
        """Return an array: element [0, h] is the Grundy value of a heap h, computed from the code of the moves."""
        if game.values is None:
            game.values = CodeValues(code, self.moves.evaluator.clock)
        solved = game.values
        solved.asked = max(solved.asked, size)
        if len(solved.values) <= size:
            try:  # the next question is often about slightly larger heaps
                end, one = code.list_takes(size + AHEAD if size > SMALL else size)
            except Unread:
                end, one = code.list_takes(size)
            solved.extend(len(end) - 1, end, one)
        self.summed |= any(taken + 3 <= size for taken in code.two)
        self.summed |= any(taken + 2 <= size for taken in code.equal)
        return solved.values[None, : size + 1]

    def _find_intervals(self, choice: Parameters) -> IntervalSolution | None:
        try:
            read_windows(self.ruleset, self.moves.evaluator, choice, mover=0, size=1)
        except Unread:
            return None
        return IntervalSolution()

    def _solve_intervals(
        self, question: str, game: IntervalSolution, choice: Parameters, players: int, size: int
    ) -> Array:
        """Return an array: element [mover, h] is the answer to a question about a heap h, computed from intervals.

        Raise Unread if the moves do not have a suitable form.
        """
        movers, stuck = 1 if self.ruleset.impartial else players, 0 if self.ruleset.stuck_wins else players - 1
        evaluator = self.moves.evaluator
        windows = [read_windows(self.ruleset, evaluator, choice, mover, size) for mover in range(movers)]
        found = game.answer(question, windows, players, stuck, evaluator.clock)
        self.engines.add(BY_CODE)
        return found

    def _list(self, question: str, game: _Game, choice: Parameters, players: int, weights: Array) -> Array | None:
        """Return an array: element [mover, h] is the answer to a question about a heap h. Every move is tried.

        Return None if there are too many moves, or if their form is not supported.
        """
        movers, size = 1 if self.ruleset.impartial else players, len(weights) - 1
        grundy = question == "grundy" or self.splits
        game.listed = game.listed or {}
        if grundy not in game.listed:
            game.listed[grundy] = ListedMoves(self.moves, choice, movers, players, grundy)
        listed = game.listed[grundy]
        try:
            if listed.estimate(weights) > MOST_LISTED:
                return None
            listed.extend(size, weights)
        except Unread:
            return None
        self.engines.add(BY_MOVES)
        self.summed |= question == "grundy" and listed.splits
        found = np.array([row[: size + 1] for row in (listed.movable if question == "movable" else listed.values)])
        return found == 0 if question == "wins" else found
