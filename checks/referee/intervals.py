"""Verification of tables of single heaps, for games in which each move leaves one heap of any size in an interval.

The interval may depend on the heap h in any way, for example from h // 2 to h - 1. Its two ends are evaluated for each
heap. An entry of a table of Grundy values must be the mex of the entries for the heaps in the intervals. This check
requires that the ends of an interval do not decrease if h increases. An entry of a table of winners is checked with
counts of the entries for the heaps in the intervals. By induction on h, a table that passes is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from checks.referee.breaking import Unknown
from checks.referee.meaning import IllDefined, Values, as_integer
from checks.referee.play import RefereeGame
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t


@dataclass(frozen=True)
class Leaving:
    """The sizes of the heaps that a move can leave: from a heap of h >= 1, all sizes from ends[h][0] to ends[h][1].

    If ends[h][0] > ends[h][1], the move is not possible from h.
    """

    ends: Sequence[tuple[int, int]]


def read_intervals(game: RefereeGame, mover: int, size: int) -> tuple[Leaving, ...]:
    """Return, for each move of the ruleset, the intervals of heap sizes that it can leave from the heaps up to `size`.

    Raises Unknown if a move does not leave one heap of any size in an interval. Raises IllDefined if a move may leave a
    heap that is not smaller, or a bound is undefined. Also raises LimitReached.
    """
    ruleset = game.ruleset
    if ruleset.measure is not None or ruleset.sees_position:
        raise Unknown
    return tuple(_read(game, move, mover, size) for move in ruleset.moves)


def _read(game: RefereeGame, move: Move, mover: int, size: int) -> Leaving:
    if len(move.heaps) != 1 or move.choose == "each" or move.where is not None or len(move.picks) != 1:
        raise Unknown
    (pick,), (heap,) = move.picks, move.heaps
    if not isinstance(pick.domain, IntervalDomain) or pick.domain.hi is None:
        raise Unknown
    kept = [x for x in move.become if not (isinstance(x, t.Literal) and x.value == 0)]
    match kept:
        case [t.Variable(name=name)] if name == pick.name:
            taken = False
        case [t.Operation(op="sub", args=(t.Variable(name=whole), t.Variable(name=name)))] if (
            whole == heap and name == pick.name
        ):
            taken = True
        case _:
            raise Unknown
    given: Values = {**game.parameters, "mover": mover}
    ends = [(1, 0)]
    for h in range(1, size + 1):
        env = {**given, heap: h}
        lo, hi = (as_integer(game.meanings.evaluate(x, env)) for x in (pick.domain.lo, pick.domain.hi))
        low, high = (h - hi, h - lo) if taken else (lo, hi)
        if low <= high and not 0 <= low <= high < h:
            raise IllDefined(f"a move of {game.ruleset.id} on a heap of {h} does not leave a smaller heap")
        ends.append((low, high))
    return Leaving(ends)


def find_wrong_value(kinds: Sequence[Leaving], values: Sequence[int], game: RefereeGame) -> tuple[int, int] | None:
    """Return the first heap with a wrong entry, and the right entry for it. Return None if the table is right.

    `kinds`: the intervals for each move. `values`: the table; entry h is said to be the Grundy value of a heap of h.
    An entry is right if it is the mex of the entries for the heaps in the intervals. These entries are marked in a byte
    array, which is updated from heap to heap. Raises Unknown if an end of an interval decreases.
    """
    marks, held = bytearray(len(values) + 1), [0] * (len(values) + 1)
    spans = [[0, 0] for _ in kinds]  # the marked heaps for each kind: from the first to before the second
    for h in range(1, len(values)):
        game.steps.take(1 + values[h] // 65_536)
        for kind, span in zip(kinds, spans, strict=True):
            low, high = kind.ends[h]
            if low > high:
                low = high = span[1]  # no heap is left, so all marks are removed
                high -= 1
            if low < span[0] or high + 1 < span[1]:
                raise Unknown
            for x in values[span[1] : high + 1]:
                held[x] += 1
                marks[x] = 1
            for x in values[span[0] : low]:
                held[x] -= 1
                marks[x] = held[x] > 0
            span[:] = low, high + 1
        if (first := marks.find(0)) != values[h]:
            return h, first
    return None


def find_wrong_winner(
    movers: Sequence[Sequence[Leaving]], rows: Sequence[Sequence[int]], players: int, stuck: int, game: RefereeGame
) -> tuple[int, int, int] | None:
    """Return the first wrong entry of a table of winners as (mover, heap, right entry). Return None if it is right.

    `movers`: for each mover, the intervals for each move.
    `rows`: the table. Entry [i][h] is said to be the winner from a heap of h if player i moves first, counted in turns
    from this mover. It is right if it is the least such number that some option gives.
    `stuck`: the right entry if the mover has no move.
    """
    game.steps.take(1 + players * len(rows) * len(rows[0]) // 8)
    below = [[list(accumulate((x == v for x in row), initial=0)) for v in range(players)] for row in rows]
    for mover, kinds in enumerate(movers):
        following = below[(mover + 1) % len(rows)]
        for h, said in enumerate(rows[mover]):
            game.steps.take()
            spans = [kind.ends[h] for kind in kinds if kind.ends[h][0] <= kind.ends[h][1]]
            offers = [
                (v + 1) % players
                for v, count in enumerate(following)
                if any(count[high + 1] > count[low] for low, high in spans)
            ]
            if (right := min(offers, default=stuck)) != said:
                return mover, h, right
    return None
