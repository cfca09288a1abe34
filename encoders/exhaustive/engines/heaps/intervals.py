"""Games in which what a move may leave of a heap is an interval that depends on the heap, such as half of it or more.

Who wins from a heap is told by counts of the heaps that each player wins, values by the values in an interval that only
moves upwards: a step from one heap to the next costs no more for a large heap than for a small one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from claims.language.statement.domains import IntervalDomain
from claims.language.statement.rulesets import Move, Ruleset
from claims.language.terms import terms as t
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import SAFE, Deadline
from encoders.exhaustive.arrays.values import Array, Scalars, make_constant
from encoders.exhaustive.engines.heaps.atoms import Unread
from encoders.exhaustive.moves.evaluator import Evaluator
from encoders.exhaustive.moves.moves import Parameters, bind_parameters

MOST = 2_000_000  # objects in a heap: a step for each, in Python
_EVERY = 1024  # heaps between two looks at the clock


@dataclass(frozen=True)
class Window:
    """What one kind of move may leave: of a heap h any heap in low[h]..high[h], none if high[h] < low[h]."""

    low: Array
    high: Array

    @property
    def some(self) -> Array:
        """Of which heaps it may leave something, or nothing: which can be moved."""
        return np.asarray(self.low <= self.high)


def read_windows(
    ruleset: Ruleset, evaluator: Evaluator, parameters: Parameters, mover: int, size: int
) -> tuple[Window, ...]:
    """A window for each kind of move of a mover, of the heaps up to `size`. Raises Unread, OutOfTime and TooLarge."""
    if ruleset.measure is not None or ruleset.sees_position or size > MOST:
        raise Unread("a measure, a look at the position, or too large a heap")
    return tuple(_read(ruleset, move, evaluator, parameters, mover, size) for move in ruleset.moves)


def _read(ruleset: Ruleset, move: Move, evaluator: Evaluator, parameters: Parameters, mover: int, size: int) -> Window:
    taken = _taken(move)
    (pick,) = move.picks
    assert isinstance(pick.domain, IntervalDomain) and pick.domain.hi is not None
    frame = Frame(1, size, bind_parameters(ruleset, [parameters]) | {"mover": make_constant(mover)})
    frame.names[move.heaps[0]] = Scalars(np.arange(1, size + 1)[None, :])
    bounds = []
    for term in (pick.domain.lo, pick.domain.hi):
        value = evaluator.evaluate(term, frame)
        if not isinstance(value, Scalars) or value.bad is not None or value.data.dtype == object:
            raise Unread("a bound without value")
        bounds.append(np.broadcast_to(value.data, (1, size))[0])
    heaps = np.arange(1, size + 1)
    least, most = bounds
    if size and max(int(np.abs(x).max()) for x in bounds) > SAFE // 4:
        raise Unread("large bounds")
    low, high = (heaps - most, heaps - least) if taken else (least, most)
    if ((low <= high) & ((low < 0) | (high >= heaps))).any():
        raise Unread("a move that leaves less than nothing, or no less")
    return Window(np.concatenate(([1], low)), np.concatenate(([0], high)))


def _taken(move: Move) -> bool:
    """Whether the number picked is what is taken, and not what is left. Raises Unread for moves of another form."""
    one = len(move.heaps) == len(move.picks) == 1 and move.choose != "each" and move.where is None
    if one and isinstance(move.picks[0].domain, IntervalDomain):
        match [x for x in move.become if not (isinstance(x, t.Literal) and x.value == 0)]:
            case [t.Variable(name=name)] if name == move.picks[0].name:
                return False
            case [t.Operation(op="sub", args=(t.Variable(name=heap), t.Variable(name=name)))] if (
                heap,
            ) == move.heaps and name == move.picks[0].name:
                return True
    raise Unread("a move that leaves no interval")


def solve_values(windows: tuple[Window, ...], clock: Deadline) -> list[int]:
    """The Grundy values of all heaps of the windows. Raises Unread where a window goes back; OutOfTime.

    The least value that no option has is the least of a queue of those that none had when it was last looked at.
    """
    size = len(windows[0].low) - 1
    _require_upward(windows)
    bounds = [(w.low.tolist(), w.high.tolist()) for w in windows]
    first, beyond = [0] * len(bounds), [0] * len(bounds)
    values, times = [0] * (size + 1), [0] * (size + 2)
    missing = list(range(size + 2))  # a queue, since it ascends; each value without an option is in it
    for h in range(1, size + 1):
        if not h % _EVERY:
            clock.check()
        for i, (low, high) in enumerate(bounds):
            if low[h] > high[h]:
                continue  # since no window goes back, it is empty so far
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
    """Raises Unread unless each window is empty up to some heap, and then moves upwards."""
    for w in windows:
        some = w.some
        from_here = w.low[some], w.high[some]
        if some.any() and not some[int(some.argmax()) :].all():
            raise Unread("a window that is empty again")
        if any((np.diff(x) < 0).any() for x in from_here):
            raise Unread("a window that goes back")


def solve_winners(movers: list[tuple[Window, ...]], players: int, stuck: int, clock: Deadline) -> list[list[int]]:
    """By mover the offsets of who wins from the heaps; `stuck`: of who cannot move. Raises OutOfTime."""
    size = len(movers[0][0].low) - 1
    bounds = [[(w.low.tolist(), w.high.tolist()) for w in windows] for windows in movers]
    rows = [[stuck] for _ in movers]
    counts = [[[0, int(v == stuck)] for v in range(players)] for _ in movers]  # of the heaps below each that have v
    for h in range(1, size + 1):
        if not h % _EVERY:
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
    """What is solved of a game: Grundy values by heap, and by mover the offsets of who wins."""

    values: list[int] = field(default_factory=list)
    winners: list[list[int]] = field(default_factory=list)

    def answer(
        self, question: str, movers: list[tuple[Window, ...]], players: int, stuck: int, clock: Deadline
    ) -> Array:
        """Answers to a question of `SingleHeaps.tabulate` by mover and heap. Raises Unread, OutOfTime."""
        if question == "movable":
            return np.array([np.logical_or.reduce([w.some for w in windows]) for windows in movers])
        if question == "grundy":
            self.values = solve_values(movers[0], clock)
            return np.array([self.values])
        self.winners = solve_winners(movers, players, stuck, clock)
        offsets = np.array(self.winners)
        return offsets == 0 if question == "wins" else offsets
