"""Short partizan games: order, sums, canonical forms, temperatures, cooled and heated games, and atomic weights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from claims.language.syntax.game_values import GameItem, GameTree

# == canonical ========================================================================================================
# The order, sums, canonical forms and names of short partizan games.
#
# A game is a pair of sets of options: Left moves to a left option, Right to a right option. Each canonical form is
# stored once, under a number, so that two games are equal if and only if their numbers are. Conway, On Numbers and
# Games (1976), part 1; Berlekamp, Conway, Guy, Winning Ways (1982), chapters 2 to 4. Names follow CGSuite, except that
# uptimals are not supported.
MOST_BARS = 4  # in a row; an option whose name needs that many keeps its braces within another game
CanonicalFormId = int  # the number of a canonical form
Sides = tuple[frozenset[CanonicalFormId], frozenset[CanonicalFormId]]  # left and right options


class Countdown(Protocol):
    """A counter of comparisons between games. It may raise an error to end a computation that takes too long."""

    def take(self) -> None: ...


class Games:
    """The canonical forms that were computed so far, and the operations on them.

    `steps`: counts the comparisons of games, and may raise an error.

    >>> from checks.referee.meaning import RefereeSteps
    >>> games = Games(RefereeSteps(1000))
    >>> one = games.number(1)
    >>> games.name(games.make((one,), (games.negate(one),)))
    '+-1'
    >>> games.add(one, games.negate(one)) == games.zero
    True
    """

    def __init__(self, steps: Countdown) -> None:
        self.steps = steps
        self.sides: list[Sides] = []
        self._numbers: dict[Sides, CanonicalFormId] = {}
        self._order: dict[tuple[CanonicalFormId, CanonicalFormId], bool] = {}
        self._sums: dict[tuple[CanonicalFormId, CanonicalFormId], CanonicalFormId] = {}
        self._negatives: dict[CanonicalFormId, CanonicalFormId] = {}
        self._values: list[Fraction | None] = []
        self._birthdays: list[int] = []
        self._read: dict[GameTree, CanonicalFormId] = {}
        self._written: dict[CanonicalFormId, GameTree] = {}
        self.zero = self.make((), ())

    # -- order --------------------------------------------------------------------------------------------------------
    def is_at_most(self, g: CanonicalFormId, h: CanonicalFormId) -> bool:
        """Whether g <= h, which means that Left loses g - h moving first."""
        if g == h:
            return True
        found = self._order.get((g, h))
        if found is None:
            self.steps.take()
            mine, other = self.value_of(g), self.value_of(h)
            if mine is not None and other is not None:
                found = mine <= other
            else:
                found = not any(self.is_at_most(h, x) for x in self.sides[g][0])
                found = found and not any(self.is_at_most(y, g) for y in self.sides[h][1])
            self._order[g, h] = found
        return found

    def _is_below(self, g: CanonicalFormId, sides: Sides) -> bool:
        """Whether g is at most the game with these options, which need not be in canonical form."""
        self.steps.take()
        return not any(self._is_above(x, sides) for x in self.sides[g][0]) and not any(
            self.is_at_most(y, g) for y in sides[1]
        )

    def _is_above(self, g: CanonicalFormId, sides: Sides) -> bool:
        self.steps.take()
        return not any(self.is_at_most(g, x) for x in sides[0]) and not any(
            self._is_below(y, sides) for y in self.sides[g][1]
        )

    # -- canonical forms ----------------------------------------------------------------------------------------------
    def make(self, left: Iterable[CanonicalFormId], right: Iterable[CanonicalFormId]) -> CanonicalFormId:
        """Return the canonical form of the game with these options."""
        sides = frozenset(left), frozenset(right)
        while (shorter := self._bypass(sides)) != sides:
            sides = shorter
        best = (
            frozenset(x for x in sides[0] if not any(y != x and self.is_at_most(x, y) for y in sides[0])),
            frozenset(x for x in sides[1] if not any(y != x and self.is_at_most(y, x) for y in sides[1])),
        )
        if best not in self._numbers:
            self._numbers[best] = len(self.sides)
            self.sides.append(best)
            self._values.append(self._find_number(best))
            self._birthdays.append(1 + max((self._birthdays[x] for side in best for x in side), default=-1))
        return self._numbers[best]

    def read(self, game: GameItem) -> CanonicalFormId:
        """Return the canonical form of a game that is given by its options, or of a number."""
        if isinstance(game, Fraction):
            return self.number(game)
        if game not in self._read:
            self._read[game] = self.make(map(self.read, game.left), map(self.read, game.right))
        return self._read[game]

    def write(self, g: CanonicalFormId) -> GameItem:
        """Return a canonical form as a game that is given by its options; a number as a fraction."""
        value = self.value_of(g)
        if value is not None:
            return value
        if g not in self._written:
            left, right = (tuple(map(self.write, sorted(side))) for side in self.sides[g])
            self._written[g] = GameTree(left, right)
        return self._written[g]

    def _bypass(self, sides: Sides) -> Sides:
        """Return the options after one reversible option is bypassed; the same options if no option is reversible."""
        left, right = sides
        for x in left:
            for answer in self.sides[x][1]:
                if self._is_below(answer, sides):
                    return (left - {x}) | self.sides[answer][0], right
        for x in right:
            for answer in self.sides[x][0]:
                if self._is_above(answer, sides):
                    return left, (right - {x}) | self.sides[answer][1]
        return sides

    def add(self, g: CanonicalFormId, h: CanonicalFormId) -> CanonicalFormId:
        """Return the sum g + h, in which a move is a move in g or in h.

        Moves in a number are left out if the other game is not a number, because they do not change the sum.
        """
        key = (g, h) if g <= h else (h, g)
        found = self._sums.get(key)
        if found is None:
            found = self._sums[key] = self._add(g, h)
        return found

    def _add(self, g: CanonicalFormId, h: CanonicalFormId) -> CanonicalFormId:
        mine, other = self.value_of(g), self.value_of(h)
        if mine is not None and other is not None:
            return self.number(mine + other)
        left, right = (
            [
                *(self.add(x, h) for x in self.sides[g][side] if mine is None),
                *(self.add(g, y) for y in self.sides[h][side] if other is None),
            ]
            for side in (0, 1)
        )
        return self.make(left, right)

    def negate(self, g: CanonicalFormId) -> CanonicalFormId:
        """Return -g: Left and Right exchange roles."""
        found = self._negatives.get(g)
        if found is None:
            left, right = self.sides[g]
            found = self._negatives[g] = self.make(map(self.negate, right), map(self.negate, left))
        return found

    def multiply(self, count: int, g: CanonicalFormId) -> CanonicalFormId:
        """Return the sum of `count` copies of g; the negative of this sum for `count` < 0."""
        found = self.zero
        for _ in range(abs(count)):
            found = self.add(found, g)
        return self.negate(found) if count < 0 else found

    # -- numbers ------------------------------------------------------------------------------------------------------
    def value_of(self, g: CanonicalFormId) -> Fraction | None:
        """Return the number that a game is equal to; None if it is not a number."""
        return self._values[g]

    def birthday(self, g: CanonicalFormId) -> int:
        """Return the number of moves in the longest play of a canonical form, if the players may move in any order."""
        return self._birthdays[g]

    def _find_number(self, sides: Sides) -> Fraction | None:
        """Return the number with these canonical options; None if the game is not a number.

        If it is a number, each player has at most one option, the options are numbers, and Left's option is the smaller
        one.
        """
        left, right = sides
        if len(left) > 1 or len(right) > 1:
            return None
        lower, upper = (self.value_of(next(iter(x))) if x else None for x in (left, right))
        if (left and lower is None) or (right and upper is None):
            return None
        if lower is None or upper is None:
            return Fraction(0) if lower is upper else lower + 1 if lower is not None else (upper or 0) - Fraction(1)
        return (lower + upper) / 2 if lower < upper else None

    def number(self, value: Fraction | int) -> CanonicalFormId:
        """Return the canonical form of a number whose denominator is a power of two."""
        value = Fraction(value)
        if value.denominator > 1:
            step = Fraction(1, value.denominator)
            return self.make((self.number(value - step),), (self.number(value + step),))
        found = self.zero
        for _ in range(abs(int(value))):
            found = self.make((found,), ()) if value > 0 else self.make((), (found,))
        return found

    # -- names --------------------------------------------------------------------------------------------------------
    def name(self, g: CanonicalFormId) -> str:
        """Return the name in CGSuite's notation: 3/4, *2, ^3*, 1v, +-1, 2Tiny(1), {2|0}."""
        return self._name(g)[0]

    def _name(self, g: CanonicalFormId) -> tuple[str, int]:
        """Return the name, and the number of bars in it between the left and right options (0 if there are none)."""
        value = self.value_of(g)
        if value is not None:
            return str(value), 0
        value = self._stop(g)
        rest = self.add(g, self.negate(self.number(value))) if value is not None and value else g
        front = str(value) if value else ""
        ups = self._count_ups(rest)
        if ups is not None:
            return front + _name_ups(*ups), 0
        tiny = self._name_tiny(rest)
        if tiny is not None:
            return front + tiny, 0
        left, right = self.sides[g]
        if right == frozenset(map(self.negate, left)):
            inside = ",".join(self._list(left))
            one = len(left) == 1 and self.value_of(next(iter(left))) is not None
            return ("+-" + (inside if one else f"{{{inside}}}")), 0
        parts = [self._side(x) for x in (left, right)]
        bars = 1 + max(width for _, width in parts)
        return "{" + ("|" * bars).join(text for text, _ in parts) + "}", bars

    def _side(self, options: frozenset[CanonicalFormId]) -> tuple[str, int]:
        """Return the names of one player's options, and the number of bars in a row between them (0 if there are none).

        A single option with fewer than MOST_BARS bars is written without its braces.
        """
        if len(options) == 1:
            text, bars = self._name(next(iter(options)))
            return (text[1:-1], bars) if 0 < bars < MOST_BARS else (text, 0)
        return ",".join(self._list(options)), 0

    def _list(self, options: frozenset[CanonicalFormId]) -> list[str]:
        names = {self._name(x)[0]: self.value_of(x) is None for x in options}
        return sorted(names, key=lambda x: (names[x], len(x), x))  # numbers first

    def _stop(self, g: CanonicalFormId) -> Fraction | None:
        """Return the number that both stops are equal to; None if they differ."""
        left, right = self.stops(g)
        return left if left == right else None

    def stops(self, g: CanonicalFormId) -> tuple[Fraction, Fraction]:
        """Return the left stop and the right stop: the numbers that play reaches if Left, or Right, moves first."""
        value = self.value_of(g)
        if value is not None:
            return value, value
        left, right = self.sides[g]
        return max(self.stops(x)[1] for x in left), min(self.stops(x)[0] for x in right)

    def _count_ups(self, g: CanonicalFormId) -> tuple[int, int] | None:
        """Return (n, m) if the game is the sum of n ups (downs if n < 0) and *m; otherwise None.

        Source: Winning Ways, chapter 3.
        """
        left, right = self.sides[g]
        if left == right:
            inside = [self._count_ups(x) for x in left]
            return (0, len(inside)) if set(inside) == {(0, m) for m in range(len(inside))} else None
        if left == {self.zero} and len(right) == 1:
            found = self._count_ups(next(iter(right)))
            return (found[0] + 1, found[1] ^ 1) if found and found[0] >= 0 else None
        if right == {self.zero} and len(left) == 1:
            found = self._count_ups(next(iter(left)))
            return (found[0] - 1, found[1] ^ 1) if found and found[0] <= 0 else None
        for sign, (many, one) in ((1, (left, right)), (-1, (right, left))):  # up and star, down and star
            if one == {self.zero} and len(many) == 2 and {self._count_ups(x) for x in many} == {(0, 0), (0, 1)}:
                return sign, 1
        return None

    def _name_tiny(self, g: CanonicalFormId) -> str | None:
        """Return the name if the game is Tiny(x) = {0||0|-x} or its negative Miny(x), with a number x > 0."""
        for name, game in (("Tiny", g), ("Miny", self.negate(g))):
            left, right = self.sides[game]
            if left == {self.zero} and len(right) == 1:
                inner = self.sides[next(iter(right))]
                below = self.value_of(next(iter(inner[1]))) if len(inner[1]) == 1 else None
                if inner[0] == {self.zero} and below is not None:
                    return f"{name}({-below})"
        return None


def _name_ups(ups: int, nimber: int) -> str:
    """Return the name of the sum of `ups` ups and a nimber.

    >>> _name_ups(1, 0), _name_ups(-2, 1), _name_ups(3, 2), _name_ups(0, 1)
    ('^', 'vv*', '^3*2', '*')
    """
    sign, count = "^" if ups > 0 else "v", abs(ups)
    shown = sign * count if count <= 2 else f"{sign}{count}"
    return shown + ("*" if nimber else "") + (str(nimber) if nimber > 1 else "")


# == thermographs =====================================================================================================
# Mean values and temperatures of short games, from their thermographs.
#
# A wall is the value that a game has for a player who moves first, if each move costs t. It is a function of t >= 0
# that is linear between its corners. Above the temperature both walls are the mast at the mean value. Source:
# Berlekamp, Conway, Guy, Winning Ways (1982), chapter 6.
# The corners (t, value), from t = 0 on. The last slope continues beyond the last corner.
Corners = tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True)
class Thermograph:
    """The thermograph of a game, with its mean value and temperature.

    `left`, `right`: the walls up to the mast, as corners (t, value) from t = 0 on.

    The temperature of the number m / 2^k (m odd, or k = 0) is -1 / 2^k.
    """

    left: Corners
    right: Corners
    mean: Fraction
    temperature: Fraction


class Thermographs:
    """The thermographs of canonical forms, computed on demand."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._known: dict[CanonicalFormId, Thermograph] = {}
        self._cooled: dict[tuple[CanonicalFormId, Fraction], CanonicalFormId] = {}
        self._heated: dict[tuple[CanonicalFormId, CanonicalFormId, CanonicalFormId | None], CanonicalFormId] = {}

    def get(self, g: CanonicalFormId) -> Thermograph:
        """Return the thermograph of a canonical form."""
        if g not in self._known:
            self._known[g] = self._make(g)
        return self._known[g]

    def cool(self, g: CanonicalFormId, tax: Fraction) -> CanonicalFormId:
        """Return the game cooled by `tax`, a number of at least 0 whose denominator is a power of two."""
        games = self.games
        if tax > self.get(g).temperature:
            return games.number(self.get(g).mean)
        if (g, tax) not in self._cooled:
            left, right = games.sides[g]
            self._cooled[g, tax] = games.make(
                [games.add(self.cool(x, tax), games.number(-tax)) for x in left],
                [games.add(self.cool(x, tax), games.number(tax)) for x in right],
            )
        return self._cooled[g, tax]

    def heat(self, g: CanonicalFormId, t: CanonicalFormId, unit: CanonicalFormId | None = None) -> CanonicalFormId:
        """Return the game heated by t or, if `unit` is not None, overheated from `unit` to t.

        A number does not change if it is heated. An integer n becomes n copies of `unit` if it is overheated. Each
        other game becomes {x + t | y - t}, for the heated left options x and the heated right options y.
        """
        games, value = self.games, self.games.value_of(g)
        if unit is None and value is not None:
            return g
        if unit is not None and value is not None and value.denominator == 1:
            return games.multiply(int(value), unit)
        key = (g, t, unit)
        if key not in self._heated:
            left, right = games.sides[g]
            self._heated[key] = games.make(
                [games.add(self.heat(x, t, unit), t) for x in left],
                [games.add(self.heat(x, t, unit), games.negate(t)) for x in right],
            )
        return self._heated[key]

    def _make(self, g: CanonicalFormId) -> Thermograph:
        value = self.games.value_of(g)
        if value is not None:
            mast: Corners = ((Fraction(0), value),)
            return Thermograph(mast, mast, value, Fraction(-1, value.denominator))
        left, right = self.games.sides[g]
        upper = _take_maximum([_tax_wall(self.get(x).right, -1) for x in left])
        lower = _negate_wall(_take_maximum([_negate_wall(_tax_wall(self.get(x).left, 1)) for x in right]))
        temperature = _find_meeting(upper, lower)
        mean = _evaluate(upper, temperature, -1)
        return Thermograph(_add_mast(upper, temperature, mean), _add_mast(lower, temperature, mean), mean, temperature)


def _tax_wall(wall: Corners, sign: int) -> Corners:
    return tuple((t, v + sign * t) for t, v in wall)


def _negate_wall(wall: Corners) -> Corners:
    return tuple((t, -v) for t, v in wall)


def _evaluate(wall: Corners, t: Fraction, slope: int) -> Fraction:
    """Return the value of a wall of a thermograph at t. `slope`: the slope after the last corner."""
    for (t0, v0), (t1, v1) in zip(wall, wall[1:], strict=False):
        if t0 <= t <= t1:
            return v0 + (v1 - v0) * (t - t0) / (t1 - t0)
    return wall[-1][1] + slope * (t - wall[-1][0])


def _take_maximum(walls: list[Corners]) -> Corners:
    """Return the pointwise maximum of walls of thermographs whose slope is -1 after the last corner."""
    times = sorted({t for wall in walls for t, _ in wall})
    crossing = {
        t0 + (t1 - t0) * a / (a - b)
        for t0, t1 in zip(times, times[1:], strict=False)
        for i, f in enumerate(walls)
        for g in walls[:i]
        for a, b in [(_evaluate(f, t0, -1) - _evaluate(g, t0, -1), _evaluate(f, t1, -1) - _evaluate(g, t1, -1))]
        if a * b < 0
    }
    return tuple((t, max(_evaluate(wall, t, -1) for wall in walls)) for t in sorted({*times, *crossing}))


def _find_meeting(upper: Corners, lower: Corners) -> Fraction:
    """Return the least t with upper(t) <= lower(t). It exists: for large t, `upper` falls and `lower` rises."""
    times = sorted({t for wall in (upper, lower) for t, _ in wall})
    gaps = [_evaluate(upper, t, -1) - _evaluate(lower, t, 1) for t in times]
    for i, gap in enumerate(gaps):
        if gap <= 0:
            return times[i] if i == 0 else times[i - 1] + (times[i] - times[i - 1]) * gaps[i - 1] / (gaps[i - 1] - gap)
    return times[-1] + gaps[-1] / 2


def _add_mast(wall: Corners, temperature: Fraction, mean: Fraction) -> Corners:
    return (*_select_below(wall, temperature), (temperature, mean))


def _select_below(wall: Corners, temperature: Fraction) -> Iterable[tuple[Fraction, Fraction]]:
    return (corner for corner in wall if corner[0] < temperature)


# == atomic weights ===================================================================================================
# Sources: Berlekamp, Conway, Guy, Winning Ways (1982), chapter 8; Siegel, Combinatorial Game Theory (2013), chapter II.
class AtomicWeights:
    """The atomic weights of canonical forms, computed on demand."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._known: dict[CanonicalFormId, CanonicalFormId | None] = {}

    def get(self, g: CanonicalFormId) -> CanonicalFormId | None:
        """Return the atomic weight of a canonical form; None if it is not all-small."""
        if g not in self._known:
            left, right = self.games.sides[g]
            lower, upper = self._list_shifted(left, -2), self._list_shifted(right, 2)
            small = bool(left) is bool(right) and len(lower) == len(left) and len(upper) == len(right)
            self._known[g] = self._weigh(g, lower, upper) if small else None
        return self._known[g]

    def _list_shifted(self, options: frozenset[CanonicalFormId], number: int) -> list[CanonicalFormId]:
        """Return the atomic weights of the options that are all-small, each increased by `number`."""
        weights = map(self.get, options)
        return [self.games.add(x, self.games.number(number)) for x in weights if x is not None]

    def _weigh(self, g: CanonicalFormId, lower: list[CanonicalFormId], upper: list[CanonicalFormId]) -> CanonicalFormId:
        """Return the atomic weight of a canonical form.

        `lower`: the atomic weights of its left options, each minus 2. `upper`: those of its right options, each plus 2.
        """
        games = self.games
        weight = games.make(lower, upper)
        value = games.value_of(weight)
        if value is None or value.denominator > 1:
            return weight
        star = games.zero
        nimbers = [star]
        for _ in range(games.birthday(g) + 1):
            star = games.make(nimbers, nimbers)
            nimbers.append(star)
        if games.is_at_most(star, g):
            while not any(games.is_at_most(y, games.number(value + 1)) for y in upper):
                games.steps.take()
                value += 1
        elif games.is_at_most(g, star):
            while not any(games.is_at_most(games.number(value - 1), x) for x in lower):
                games.steps.take()
                value -= 1
        else:
            value = Fraction(0)
        return games.number(value)
