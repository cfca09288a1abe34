"""What positions of two players under normal play are worth: their order, numbers, mean values and temperatures.

By looking at every option, of the positions as they are; nothing is brought into canonical form.  Conway, On Numbers
and Games (1976), chapters 7 to 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from checks.referee.meaning import IllDefined, RefereeSteps
from claims.language.builtins.meanings import Position, write_heap

Wall = list[tuple[Fraction, Fraction]]  # (tax, what a player gets if he begins); between these linear, then constant
Item = Position | Fraction  # a number is the game of its name


class PartizanGame(Protocol):
    """What tells the moves."""

    steps: RefereeSteps

    def options(self, s: Position, mover: int) -> tuple[Position, ...]: ...


class RefereePartizanValues:
    """What the positions of one game are worth to Left, the first of the players. All may raise LimitReached."""

    def __init__(self, game: PartizanGame) -> None:
        self.game = game
        self._order: dict[tuple[Item, Item], bool] = {}
        self._depths: dict[Position, int] = {}
        self._numbers: dict[Position, Fraction | None] = {}
        self._thermographs: dict[Position, tuple[Wall, Wall]] = {}

    def is_at_most(self, s: Item, t: Item) -> bool:
        """s <= t: no left option of s is at least t, and no right option of t is at most s."""
        found = self._order.get((s, t))
        if found is None:
            self.game.steps.take()
            found = not any(self.is_at_most(t, x) for x in self._list(s, 0))
            found = found and not any(self.is_at_most(y, s) for y in self._list(t, 1))
            self._order[s, t] = found
        return found

    def number(self, s: Position) -> Fraction:
        """The number that s is. Raises IllDefined."""
        found = self.find_number(s)
        if found is None:
            raise IllDefined(f"({', '.join(map(write_heap, s))}) is no number")
        return found

    def mean(self, s: Position) -> Fraction:
        """The value at which its thermograph has its mast; of a number that number."""
        return self._thermograph(s)[0][-1][1]

    def temperature(self, s: Position) -> Fraction:
        """Where the mast begins; of a number with denominator d it is -1 / d."""
        number = self.find_number(s)
        return self._thermograph(s)[0][-1][0] if number is None else Fraction(-1, number.denominator)

    # -- numbers ------------------------------------------------------------------------------------------------------
    def _list(self, s: Item, mover: int) -> Sequence[Item]:
        return _list_beside(s)[mover] if isinstance(s, Fraction) else self.game.options(s, mover)

    def find_number(self, s: Position) -> Fraction | None:
        """The simplest number that no left option reaches and no right option is under; None where there is none.

        Then s is no number.  It is looked for from 0 on, as far as play from s is long.
        """
        if s not in self._numbers:
            self._numbers[s] = self._look_for_number(s)
        return self._numbers[s]

    def _look_for_number(self, s: Position) -> Fraction | None:
        low: Fraction | None = None
        high: Fraction | None = None
        x = Fraction(0)
        for _ in range(self._measure_depth(s) + 1):
            above = any(self.is_at_most(x, y) for y in self._list(s, 0))
            below = any(self.is_at_most(y, x) for y in self._list(s, 1))
            if above and below:
                return None
            if not above and not below:
                return x
            low, high = (x, high) if above else (low, x)
            x = (low + high) / 2 if low is not None and high is not None else x + (1 if above else -1)
        return None

    def _measure_depth(self, s: Position) -> int:
        """How many moves play from s may have, whoever makes them."""
        if s not in self._depths:
            after = {x for mover in (0, 1) for x in self.game.options(s, mover)}
            self._depths[s] = max((1 + self._measure_depth(x) for x in after), default=0)
        return self._depths[s]

    # -- thermographs -------------------------------------------------------------------------------------------------
    def _thermograph(self, s: Position) -> tuple[Wall, Wall]:
        """The left and the right wall, which meet in a mast. Winning Ways, chapter 6."""
        if s not in self._thermographs:
            number = self.find_number(s)
            mast = [(Fraction(0), number or Fraction(0))]
            self._thermographs[s] = (mast, mast) if number is not None else self._raise_walls(s)
        return self._thermographs[s]

    def _raise_walls(self, s: Position) -> tuple[Wall, Wall]:
        left = [self._thermograph(x)[1] for x in self.game.options(s, 0)]
        right = [self._thermograph(x)[0] for x in self.game.options(s, 1)]
        times = _list_times([*left, *right])
        self.game.steps.take(len(times) * (len(left) + len(right)))

        def gains(t: Fraction) -> tuple[Fraction, Fraction]:
            return max(_read(x, t) for x in left) - t, min(_read(x, t) for x in right) + t

        ends: Wall = []
        other: Wall = []
        for t in times:
            upper, lower = gains(t)
            if upper <= lower:
                break
            ends.append((t, upper))
            other.append((t, lower))
        else:
            t = times[-1] + 1  # beyond the last of them both walls are straight
            upper, lower = gains(t)
        if ends:  # between that tax and this one the walls are straight: where they meet
            before, gap = ends[-1][0], ends[-1][1] - other[-1][1]
            t = before + (t - before) * gap / (gap - (upper - lower))
        mast = (t, gains(t)[0])
        return [*ends, mast], [*other, mast]


def _list_beside(x: Fraction) -> tuple[Sequence[Item], Sequence[Item]]:
    """The left and the right options of a number, in its simplest form."""
    if x.denominator > 1:
        step = Fraction(1, x.denominator)
        return [x - step], [x + step]
    return ([x - 1] if x > 0 else []), ([x + 1] if x < 0 else [])


def _read(wall: Wall, t: Fraction) -> Fraction:
    """What a wall has at a tax."""
    for (t0, v0), (t1, v1) in zip(wall, wall[1:], strict=False):
        if t0 <= t <= t1:
            return v0 + (v1 - v0) * (t - t0) / (t1 - t0)
    return wall[-1][1]


def _list_times(walls: Sequence[Wall]) -> list[Fraction]:
    """Taxes between which each of the walls is straight and no two cross."""
    times = sorted({t for wall in walls for t, _ in wall})
    found = {*times}
    for t0, t1 in zip(times, times[1:], strict=False):
        ends = {(_read(wall, t0), _read(wall, t1)) for wall in walls}
        for a0, a1 in ends:
            found |= {t0 + (t1 - t0) * (a0 - b0) / (a0 - b0 - a1 + b1) for b0, b1 in ends if a0 < b0 and a1 > b1}
    return sorted(found)
