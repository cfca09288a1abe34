"""The winners of positions with many equal heaps, computed by counts.c.

Equal heaps are of one *kind*, and kinds are numbered from 1. A position is stored as a row of numbers, its *digits*:
digit k is the number of its heaps of kind k, and digit 0 is the number of all its heaps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from encoders.kernel import Array
from encoders.kernel import machine as kernel
from encoders.kernel.machine import Machine, StopCheck
from encoders.refusals import TooLarge

MOST_HEAPS = 1 << 15  # a position has fewer heaps, so that a sum of two digits has at most 16 bits
MOST_COUNTED = 10_000_000  # positions that are stored
ROOM, DEPTH = 1 << 10, 1 << 10  # initial room for positions, and for the stack
_DONE, _MORE, _ROOM, _DEEP, _MANY = range(5)  # the results of solve_counts
_FRAME = 12  # bytes of an entry of the stack
_WORDS = (  # of the struct in counts.c, each 32 bits wide
    *("words", "movers", "players", "stuck", "limit", "first", "kind", "next", "step", "room", "count", "position"),
    *("value", "table", "mask", "depth", "height", "stack", "solved"),
)


class KindMove(NamedTuple):
    """A move that replaces one heap of the kind `kind`. `made`: maps a kind to the number of new heaps of this kind."""

    kind: int
    made: Mapping[int, int]


class CountedWinners:
    """A solver for one game. It stores the winners of all positions that it has solved.

    Winners are counted in turns from the player to move: 0 if this player wins, 1 if the next player wins, and so on.
    `movers`: 1 if all players have the same moves, otherwise the number of players.
    `players`: the number of players. `stuck`: the winner if the player to move has no move.
    `machine`: the instance of the kernel whose memory stores the positions. Several games may share it.
    """

    def __init__(self, movers: int, players: int, stuck: int, machine: Machine) -> None:
        """Reserve memory for the first positions. Raise TooLarge if there is not enough memory."""
        self._machine = machine
        self._context = self._machine.reserve((len(_WORDS),), "<u4")
        self._set_words(movers=movers, players=players, stuck=stuck, limit=MOST_HEAPS)
        self._movers = movers
        self._position, self._value = np.zeros((0, 0), dtype="<u8"), np.zeros((movers, 0), dtype="|u1")
        self._table, self._stack = np.zeros(0, dtype="<u4"), np.zeros((0, _FRAME), dtype="|u1")
        self._reserve_stack(DEPTH)

    def set_moves(self, kinds: int, moves: Sequence[Sequence[KindMove]]) -> None:
        """Set the moves of the game. `moves[p]` are the moves of player p; `kinds` is the number of kinds.

        Solved positions are kept. So a later call may only add moves of kinds that did not exist before.
        Raises TooLarge if there is not enough memory.
        """
        rows = [sorted(x, key=lambda move: move.kind) for x in moves]
        every = [move for row in rows for move in row]
        digits = np.zeros((len(every), 4 * (kinds // 4 + 1)), dtype=np.int64)
        for digit, move in zip(digits, every, strict=True):
            for kind, count in move.made.items():
                digit[kind] += count
            digit[move.kind] -= 1
            digit[0] = sum(move.made.values()) - 1
        # the next move with another kind or mover: the end of the block of this move
        later, first = list[int](), [0]
        for row in rows:
            later += [first[-1] + sum(other.kind <= move.kind for other in row) for move in row]
            first.append(first[-1] + len(row))
        place = self._machine.place
        self._set_words(
            first=place(np.array(first), "<u4"),
            kind=place(np.array([move.kind for move in every], dtype=np.int64), "<u4"),
            next=place(np.array(later, dtype=np.int64), "<u4"),
            step=place(_pack(digits), "<u8"),
        )
        self._make_room(max(ROOM, len(self._position)), kinds // 4 + 1)

    def find(self, counts: Mapping[int, int], mover: int, clock: StopCheck) -> int:
        """Return the winner from a position, counted in turns from the player to move.

        `counts`: maps each kind to the number of its heaps in the position.
        `mover`: the index of the player to move, or 0 if all players have the same moves.
        `clock`: an object that may stop the work by an exception.
        Raise TooLarge if there are too many positions, or if a position has too many heaps.
        """
        if sum(counts.values()) >= MOST_HEAPS:
            raise TooLarge(_tell_many(sum(counts.values())))
        digits = np.zeros((1, 4 * self._position.shape[1]), dtype=np.int64)
        for kind, count in counts.items():
            digits[0, kind] = count
        digits[0, 0] = sum(counts.values())
        if self._get("count") + 2 > len(self._position):
            self._make_room(2 * len(self._position), self._position.shape[1])
        at = self._machine.locate(self._context)
        self._position[self._get("count")] = _pack(digits)[0]
        found = self._machine.call("start_counts", at, mover)
        while (state := self._machine.call("solve_counts", at, kernel.STEPS // 4)) != _DONE:
            clock.check()
            if state == _ROOM:
                self._make_room(2 * len(self._position), self._position.shape[1])
            elif state == _DEEP:
                self._reserve_stack(2 * self._get("depth"))
            elif state == _MANY:
                raise TooLarge(_tell_many(int(self._position[self._get("count"), 0] & 0xFFFF)))
        return int(self._value[mover, found]) - 1

    def _set_words(self, **words: int) -> None:
        for name, word in words.items():
            self._context[_WORDS.index(name)] = word

    def _get(self, name: str) -> int:
        return int(self._context[_WORDS.index(name)])

    def _reserve_stack(self, depth: int) -> None:
        height, stack = self._get("height"), self._machine.reserve((depth, _FRAME), "|u1")
        stack[:height] = self._stack[:height]
        self._stack = stack
        self._set_words(stack=self._machine.locate(stack), depth=depth)

    def _make_room(self, room: int, words: int) -> None:
        """Move the solved positions into larger arrays, for `room` positions of `words` 64-bit words each.

        Raise TooLarge if `room` exceeds the limit, or if there is not enough memory.
        """
        if room > 2 * max(MOST_COUNTED, ROOM):
            raise TooLarge(f"more than {MOST_COUNTED:_} positions would be needed".replace("_", " "))
        count, reserve = self._get("count"), self._machine.reserve
        position, value = reserve((room, words)), reserve((self._movers, room), "|u1")
        position[:count, : self._position.shape[1]] = self._position[:count]
        value[:, :count] = self._value[:, :count]
        for old in (self._position, self._value, self._table) if self._position.size else ():
            self._machine.take_back(old)
        self._position, self._value = position, value
        size = 1 << (2 * room - 1).bit_length()
        self._table = reserve((size,), "<u4")
        at = self._machine.locate
        self._set_words(
            words=words, room=room, position=at(position), value=at(value), table=at(self._table), mask=size - 1
        )
        self._machine.call("enter_counts", at(self._context))


def _pack(digits: Array) -> Array:
    """Return rows of digits as rows of 64-bit words, each of which contains four digits.

    Negative digits are allowed: adding the words of a move to the words of a position adds their digits.
    """
    rows, width = digits.shape
    weights = np.array([1 << 16 * i for i in range(4)], dtype="<u8")
    groups = digits.reshape(rows, width // 4, 4).astype("<i8").view("<u8")
    return np.asarray((groups * weights).sum(axis=2, dtype="<u8"))


def _tell_many(heaps: int) -> str:
    number = f"{heaps:_}".replace("_", " ")
    return f"a position of {number} heaps would be needed, more than {MOST_HEAPS - 1}"
