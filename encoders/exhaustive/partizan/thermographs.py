"""Mean values and temperatures of short games, read off their thermographs.

A wall is what one player gets of a game, if he begins, when each move costs t: a function of t >= 0 that is linear
between its corners.  Above the temperature both walls are the mast at the mean value.  Berlekamp, Conway, Guy, Winning
Ways (1982), chapter 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from encoders.exhaustive.partizan.canonical import CanonicalFormId, Games

Corners = tuple[tuple[Fraction, Fraction], ...]  # (t, value), from t = 0 on; after the last its slope goes on


@dataclass(frozen=True)
class Thermograph:
    """The walls end in masts; `temperature` is below 0 for a number: of m / 2^k it is -1 / 2^k."""

    left: Corners
    right: Corners
    mean: Fraction
    temperature: Fraction


class Thermographs:
    """Those of the games that are asked for."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._known: dict[CanonicalFormId, Thermograph] = {}

    def of(self, g: CanonicalFormId) -> Thermograph:
        """The thermograph of a canonical form."""
        if g not in self._known:
            self._known[g] = self._make(g)
        return self._known[g]

    def _make(self, g: CanonicalFormId) -> Thermograph:
        value = self.games.value_of(g)
        if value is not None:
            mast: Corners = ((Fraction(0), value),)
            return Thermograph(mast, mast, value, Fraction(-1, value.denominator))
        left, right = self.games.sides[g]
        upper = _highest([_taxed(self.of(x).right, -1) for x in left])
        lower = _negated(_highest([_negated(_taxed(self.of(x).left, 1)) for x in right]))
        temperature = _meeting(upper, lower)
        mean = _at(upper, temperature, -1)
        return Thermograph(_cut(upper, temperature, mean), _cut(lower, temperature, mean), mean, temperature)


def _taxed(wall: Corners, sign: int) -> Corners:
    return tuple((t, v + sign * t) for t, v in wall)


def _negated(wall: Corners) -> Corners:
    return tuple((t, -v) for t, v in wall)


def _at(wall: Corners, t: Fraction, slope: int) -> Fraction:
    """The value at t. `slope`: after the last corner."""
    for (t0, v0), (t1, v1) in zip(wall, wall[1:], strict=False):
        if t0 <= t <= t1:
            return v0 + (v1 - v0) * (t - t0) / (t1 - t0)
    return wall[-1][1] + slope * (t - wall[-1][0])


def _highest(walls: list[Corners]) -> Corners:
    """The largest of some functions that all go down with slope -1 in the end."""
    times = sorted({t for wall in walls for t, _ in wall})
    crossing = {
        t0 + (t1 - t0) * a / (a - b)
        for t0, t1 in zip(times, times[1:], strict=False)
        for i, f in enumerate(walls)
        for g in walls[:i]
        for a, b in [(_at(f, t0, -1) - _at(g, t0, -1), _at(f, t1, -1) - _at(g, t1, -1))]
        if a * b < 0
    }
    return tuple((t, max(_at(wall, t, -1) for wall in walls)) for t in sorted({*times, *crossing}))


def _meeting(upper: Corners, lower: Corners) -> Fraction:
    """The first t at which the upper function, which goes down in the end, is not above the lower, which goes up."""
    times = sorted({t for wall in (upper, lower) for t, _ in wall})
    gaps = [_at(upper, t, -1) - _at(lower, t, 1) for t in times]
    for i, gap in enumerate(gaps):
        if gap <= 0:
            return times[i] if i == 0 else times[i - 1] + (times[i] - times[i - 1]) * gaps[i - 1] / (gaps[i - 1] - gap)
    return times[-1] + gaps[-1] / 2


def _cut(wall: Corners, temperature: Fraction, mean: Fraction) -> Corners:
    return (*_below(wall, temperature), (temperature, mean))


def _below(wall: Corners, temperature: Fraction) -> Iterable[tuple[Fraction, Fraction]]:
    return (corner for corner in wall if corner[0] < temperature)
