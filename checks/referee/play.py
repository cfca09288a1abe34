"""The rules of play: the options of a position, its outcome and its values, found by examining every option."""

from __future__ import annotations

import functools
import math
import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Protocol, TypeVar, cast

from checks.referee.meaning import (
    IllDefined,
    LimitReached,
    RefereeSteps,
    TermEvaluator,
    Values,
    as_elements,
    as_heaps,
    as_integer,
    position_key,
    refuse_game,
)
from claims.language.files.domains import IntervalDomain
from claims.language.files.heaps import HeapShape
from claims.language.files.rulesets import NOBODY, Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.game_values import CombinedGame, GameTree
from claims.language.syntax.grammar import digits
from claims.language.syntax.meanings import Position, Value, gather, limit_players, mex, position, take_out, write_heap
from claims.language.syntax.printing import find_free_names

# == endless ==========================================================================================================
# Wins and draws in games with draws: play may be infinite or end in a draw. The labels are computed backwards from the
# terminal positions.
Turn = tuple[Position, int]  # a position and the player to move


class LoopyOutcome(Enum):
    """The result of a position in a game of two players with draws: the mover wins, the opponent wins, or it is a draw.

    The value is 0 if the mover wins, 1 if the opponent wins, and None for a draw.
    """

    WIN = 0
    LOSS = 1
    DRAW = None


class LoopyGame(Protocol):
    """A game of two players with draws, as far as outcomes depend on it: options, and the winner at the end of play."""

    steps: RefereeSteps

    def options(self, s: Position, mover: int) -> tuple[Position, ...]: ...
    def end(self, s: Position, mover: int) -> int | None: ...


class RefereeLoopyOutcomes:
    """The outcomes of the positions of one game of two players with draws, computed on demand and stored."""

    def __init__(self, game: LoopyGame) -> None:
        self.game = game
        self._found: dict[Turn, LoopyOutcome] = {}
        self._ranks: dict[Turn, int] = {}

    def outcome(self, s: Position, mover: int) -> LoopyOutcome:
        """Return WIN if the mover can force a win, LOSS if the opponent can force a win, else DRAW.

        Raises IllDefined and LimitReached.
        """
        if (s, mover) not in self._found:
            after = self._list_turns((s, mover))
            found, before = {x: self._found[x] for x in after if x in self._ranks}, -1
            while len(found) > before:
                before = len(found)
                for turn in reversed([x for x in after if x not in found]):
                    label = self._judge(turn, [found.get(x, LoopyOutcome.DRAW) for x in after[turn]])
                    if label is not LoopyOutcome.DRAW:
                        found[turn] = label
                        self._ranks[turn] = len(self._ranks)
            self._found |= {turn: found.get(turn, LoopyOutcome.DRAW) for turn in after}
        return self._found[s, mover]

    def rank(self, s: Position, mover: int) -> int:
        """Return a number, the *rank*, for a position and a mover whose outcome is a win or a loss.

        The rank of a win is larger than the rank of some option that is a loss. The rank of a loss is larger than the
        ranks of all its options. Therefore play ends if the winner always moves to a loss of lower rank.
        """
        return self._ranks[s, mover]

    def _judge(self, turn: Turn, follow: list[LoopyOutcome]) -> LoopyOutcome:
        self.game.steps.take(1 + len(follow))
        if not follow:
            return LoopyOutcome(self.game.end(*turn))
        if LoopyOutcome.LOSS in follow:
            return LoopyOutcome.WIN
        return LoopyOutcome.LOSS if set(follow) == {LoopyOutcome.WIN} else LoopyOutcome.DRAW

    def _list_turns(self, start: Turn) -> dict[Turn, list[Turn]]:
        """Map each pair (position, player to move) that play from `start` can reach to the pairs after one move."""
        after: dict[Turn, list[Turn]] = {}
        todo = [start]
        while todo:
            turn = todo.pop()
            if turn not in after:
                after[turn] = [(x, 1 - turn[1]) for x in self.game.options(*turn)]
                todo += after[turn]
        return after


# == partizan =========================================================================================================
# Partizan values of positions of two players under normal play: order, numbers, mean values and temperatures.
#
# They are computed from every option of the positions themselves. Only birthdays, cooled and heated games, and atomic
# weights use canonical forms. Source: Conway, On Numbers and Games (1976), chapters 7 to 9.
Wall = list[tuple[Fraction, Fraction]]  # (tax, the stop if a player begins); linear between the points, then constant


@dataclass(frozen=True, eq=False)
class CanonicalForm:
    """A game without dominated and reversible options. Each is stored once, so equal games are the same object.

    `birthday`: the number of moves in the longest play, if the players may move in any order.
    """

    left: frozenset[CanonicalForm]
    right: frozenset[CanonicalForm]
    birthday: int


@dataclass(frozen=True)
class Sum:
    """The sum of two games, in which a move is a move in one of them."""

    first: Item
    second: Item


@dataclass(frozen=True, eq=False)
class Options:
    """The game with these options."""

    left: tuple[Item, ...]
    right: tuple[Item, ...]


Item = Position | Fraction | CanonicalForm | GameTree | Sum | Options | CombinedGame
"""A game. A fraction is the game that equals this number."""


class PartizanGame(Protocol):
    """A game of two players, as far as partizan values depend on it: the options of each player.

    Its positions may be combinations of games, as in `combined.RefereeCombinations`.
    """

    steps: RefereeSteps

    @property
    def options(self) -> Callable[..., tuple[Item, ...]]: ...


class RefereePartizanValues:
    """The values of the positions of one game as partizan games under normal play: order, numbers, stops, temperatures.

    Left is the first player. All methods may raise LimitReached.
    """

    def __init__(self, game: PartizanGame) -> None:
        self.game = game
        self._order: dict[tuple[Item, Item], bool] = {}
        self._depths: dict[Item, int] = {}
        self._numbers: dict[Item, Fraction | None] = {}
        self._thermographs: dict[Item, tuple[Wall, Wall]] = {}
        self._stops: dict[tuple[Item, int], Fraction] = {}
        self._simplest: dict[Item, CanonicalForm] = {}
        self._cooled: dict[tuple[Item, Fraction], CanonicalForm] = {}
        self._heated: dict[tuple[CanonicalForm, CanonicalForm, CanonicalForm | None], CanonicalForm] = {}
        self._negatives: dict[CanonicalForm, CanonicalForm] = {}
        self._weights: dict[CanonicalForm, CanonicalForm] = {}
        self._forms: dict[tuple[frozenset[CanonicalForm], frozenset[CanonicalForm]], CanonicalForm] = {}

    def is_at_most(self, s: Item, t: Item) -> bool:
        """Return whether s <= t: no left option of s is >= t, and no right option of t is <= s."""
        found = self._order.get((s, t))
        if found is None:
            self.game.steps.take()
            found = not any(self.is_at_most(t, x) for x in self.list_options(s, 0))
            found = found and not any(self.is_at_most(y, s) for y in self.list_options(t, 1))
            self._order[s, t] = found
        return found

    def number(self, s: Item) -> Fraction:
        """Return the number that equals s. Raises IllDefined if s is not a number."""
        found = self.find_number(s)
        if found is None:
            raise IllDefined(f"{_name_item(s)} is not a number")
        return found

    def mean(self, s: Item) -> Fraction:
        """Return the mean value of s, that is, the position of the mast of its thermograph."""
        return self._thermograph(s)[0][-1][1]

    def temperature(self, s: Item) -> Fraction:
        """Return the temperature of s: the tax at which the mast of its thermograph begins.

        For a number with denominator d, return -1 / d.
        """
        number = self.find_number(s)
        return self._thermograph(s)[0][-1][0] if number is None else Fraction(-1, number.denominator)

    def stop(self, s: Item, mover: int) -> Fraction:
        """Return the left stop of s (`mover` 0) or its right stop (`mover` 1).

        A number is its own left and right stop. For any other position, the left stop is the largest right stop of the
        left options, and the right stop is the smallest left stop of the right options (Winning Ways, chapter 6).
        """
        if (s, mover) not in self._stops:
            found = self.find_number(s)
            if found is None:
                choose = (max, min)[mover]
                found = choose(self.stop(x, 1 - mover) for x in self.list_options(s, mover))
            self._stops[s, mover] = found
        return self._stops[s, mover]

    def birthday(self, s: Item) -> int:
        """Return the birthday of the canonical form of s."""
        return self._simplify(s).birthday

    def cool(self, s: Item, tax: Fraction) -> CanonicalForm:
        """Return the canonical form of s cooled by `tax`, a dyadic number that is at least 0.

        If `tax` is above the temperature of s, the result is the mean value. So a number does not change. Otherwise,
        it is {x - tax | y + tax} for the cooled left options x and the cooled right options y. Source: Winning Ways,
        chapter 6.
        """
        if (s, tax) not in self._cooled:
            if tax > self.temperature(s):
                cooled: Item = self.mean(s)
            else:
                left, right = (tuple(self.cool(x, tax) for x in self.list_options(s, mover)) for mover in (0, 1))
                cooled = Options(tuple(Sum(x, -tax) for x in left), tuple(Sum(x, tax) for x in right))
            self._cooled[s, tax] = self._simplify(cooled)
        return self._cooled[s, tax]

    def heat(self, s: Item, t: Item, unit: Item | None = None) -> CanonicalForm:
        """Return the canonical form of s heated by t or, if `unit` is not None, overheated from `unit` to t.

        Heating does not change a number. Overheating changes an integer n into n copies of `unit`. Every other
        canonical form becomes {x + t | y - t}, for the heated (or overheated) left options x and right options y.
        Source: Winning Ways, chapter 6.
        """
        return self._heat(self._simplify(s), self._simplify(t), None if unit is None else self._simplify(unit))

    def _heat(self, form: CanonicalForm, t: CanonicalForm, unit: CanonicalForm | None) -> CanonicalForm:
        key = form, t, unit
        if key not in self._heated:
            number = self.find_number(form)
            if number is not None and unit is None:
                heated: Item = form
            elif number is not None and unit is not None and number.denominator == 1:
                heated = self._multiply(int(number), unit)
            else:
                left, right = (tuple(self._heat(x, t, unit) for x in side) for side in (form.left, form.right))
                heated = Options(tuple(Sum(x, t) for x in left), tuple(Sum(x, self._negate(t)) for x in right))
            self._heated[key] = self._simplify(heated)
        return self._heated[key]

    def _multiply(self, count: int, form: CanonicalForm) -> CanonicalForm:
        """Return the sum of `count` copies of a game; the negative of this sum for `count` < 0."""
        found = self._simplify(Fraction(0))
        for _ in range(abs(count)):
            found = self._simplify(Sum(found, form))
        return self._negate(found) if count < 0 else found

    def _negate(self, form: CanonicalForm) -> CanonicalForm:
        """Return the negative of a game, in which Left and Right exchange roles."""
        if form not in self._negatives:
            left, right = tuple(map(self._negate, form.right)), tuple(map(self._negate, form.left))
            self._negatives[form] = self._simplify(Options(left, right))
        return self._negatives[form]

    def atomic_weight(self, s: Item) -> CanonicalForm:
        """Return the atomic weight of s as a canonical form.

        Raises IllDefined if the canonical form of s is not all-small.
        """
        form = self._simplify(s)
        if not _is_all_small(form):
            raise IllDefined(f"{_name_item(s)} is not equal to an all-small game")
        return self._weigh(form)

    def _weigh(self, form: CanonicalForm) -> CanonicalForm:
        """Return the atomic weight of an all-small game.

        It is the game w = {x - 2 | y + 2}, for the atomic weights x and y of the left and the right options, unless
        w is an integer. Then it is 0, or the largest or the least integer that fits between all x - 2 and all y + 2.
        It is the largest one if the game is above the remote star, and the least one if it is below. Sources: Winning
        Ways, chapter 8; Siegel, chapter II, section 7.
        """
        if form not in self._weights:
            lower = tuple(Sum(self._weigh(x), Fraction(-2)) for x in form.left)
            upper = tuple(Sum(self._weigh(x), Fraction(2)) for x in form.right)
            weight = self._simplify(Options(lower, upper))
            for n in range(-weight.birthday, weight.birthday + 1):
                if weight is self._simplify(Fraction(n)):
                    weight = self._simplify(self._choose_integer(form, Fraction(n), lower, upper))
                    break
            self._weights[form] = weight
        return self._weights[form]

    def _choose_integer(
        self, form: CanonicalForm, n: Fraction, lower: tuple[Item, ...], upper: tuple[Item, ...]
    ) -> Fraction:
        """Return the atomic weight of `form` if the game w in `_weigh` is the integer n.

        `lower`, `upper`: the games x - 2 and y + 2 in `_weigh`.
        The remote star is a nimber that is larger than every nimber among the followers.
        """
        star: Item = _make_nimber(form.birthday + 1)
        if self.is_at_most(star, form):
            while not any(self.is_at_most(y, n + 1) for y in upper):
                self.game.steps.take()
                n += 1
            return n
        if self.is_at_most(form, star):
            while not any(self.is_at_most(n - 1, x) for x in lower):
                self.game.steps.take()
                n -= 1
            return n
        return Fraction(0)

    # -- canonical forms ----------------------------------------------------------------------------------------------
    def _simplify(self, s: Item) -> CanonicalForm:
        """Return the canonical form of s: bypass every reversible option, then remove every dominated option.

        Source: Siegel, Combinatorial Game Theory (2013), chapter II, section 2.
        """
        if s not in self._simplest:
            sides = self._bypass(s, 0), self._bypass(s, 1)
            left = frozenset(x for x in sides[0] if not any(x is not y and self.is_at_most(x, y) for y in sides[0]))
            right = frozenset(x for x in sides[1] if not any(x is not y and self.is_at_most(y, x) for y in sides[1]))
            if (left, right) not in self._forms:
                birthday = 1 + max((x.birthday for x in left | right), default=-1)
                self._forms[left, right] = CanonicalForm(left, right, birthday)
            self._simplest[s] = self._forms[left, right]
        return self._simplest[s]

    def _bypass(self, s: Item, mover: int) -> set[CanonicalForm]:
        """Return the canonical forms of the options of s. The options of the answer replace each reversible option.

        A left option is reversible through its right option y, the *answer*, if y <= s; a right option through its left
        option y if s <= y.
        """
        found: set[CanonicalForm] = set()
        todo = [self._simplify(x) for x in self.list_options(s, mover)]
        while todo:
            x = todo.pop()
            for y in (x.right, x.left)[mover]:
                if self.is_at_most(y, s) if mover == 0 else self.is_at_most(s, y):
                    todo += (y.left, y.right)[mover]
                    break
            else:
                found.add(x)
        return found

    # -- numbers ------------------------------------------------------------------------------------------------------
    def list_options(self, s: Item, mover: int) -> Sequence[Item]:
        """Return the options of a game for Left (`mover` 0) or Right (`mover` 1)."""
        if isinstance(s, CanonicalForm | GameTree | Options):
            return tuple((s.left, s.right)[mover])
        if isinstance(s, Sum):
            second = (Sum(s.first, x) for x in self.list_options(s.second, mover))
            return [*(Sum(x, s.second) for x in self.list_options(s.first, mover)), *second]
        return _list_beside(s)[mover] if isinstance(s, Fraction) else self.game.options(s, mover)

    def find_number(self, s: Item) -> Fraction | None:
        """Return the number that equals s, or None if s is not equal to a number.

        It is the simplest number x such that no left option of s is >= x and no right option of s is <= x. The search
        tries 0 first. It tries at most one number more than there are moves in the longest play from s.
        """
        if isinstance(s, Fraction):
            return s
        if s not in self._numbers:
            self._numbers[s] = self._look_for_number(s)
        return self._numbers[s]

    def _look_for_number(self, s: Item) -> Fraction | None:
        low: Fraction | None = None
        high: Fraction | None = None
        x = Fraction(0)
        for _ in range(self._measure_depth(s) + 1):
            above = any(self.is_at_most(x, y) for y in self.list_options(s, 0))
            below = any(self.is_at_most(y, x) for y in self.list_options(s, 1))
            if above and below:
                return None
            if not above and not below:
                return x
            low, high = (x, high) if above else (low, x)
            x = (low + high) / 2 if low is not None and high is not None else x + (1 if above else -1)
        return None

    def _measure_depth(self, s: Item) -> int:
        """Return the number of moves in the longest play from s, if the players may move in any order."""
        if s not in self._depths:
            after = {x for mover in (0, 1) for x in self.list_options(s, mover)}
            self._depths[s] = max((1 + self._measure_depth(x) for x in after), default=0)
        return self._depths[s]

    # -- thermographs -------------------------------------------------------------------------------------------------
    def _thermograph(self, s: Item) -> tuple[Wall, Wall]:
        """Return the left and the right wall of the thermograph of s (Winning Ways, chapter 6).

        Both walls end with the point at which the mast begins.
        """
        if s not in self._thermographs:
            number = self.find_number(s)
            mast = [(Fraction(0), number or Fraction(0))]
            self._thermographs[s] = (mast, mast) if number is not None else self._raise_walls(s)
        return self._thermographs[s]

    def _raise_walls(self, s: Item) -> tuple[Wall, Wall]:
        left = [self._thermograph(x)[1] for x in self.list_options(s, 0)]
        right = [self._thermograph(x)[0] for x in self.list_options(s, 1)]
        times = _list_times([*left, *right])
        self.game.steps.take(len(times) * (len(left) + len(right)))

        def gains(t: Fraction) -> tuple[Fraction, Fraction]:
            return max(_read(x, t) for x in left) - t, min(_read(x, t) for x in right) + t

        ends: Wall = []
        other: Wall = []
        for tax in times:
            upper, lower = gains(tax)
            if upper <= lower:
                break
            ends.append((tax, upper))
            other.append((tax, lower))
        else:
            tax = times[-1] + 1  # beyond the last one both walls are straight
            upper, lower = gains(tax)
        if ends:  # the walls are straight between that tax and this one: compute their intersection
            before, gap = ends[-1][0], ends[-1][1] - other[-1][1]
            tax = before + (tax - before) * gap / (gap - (upper - lower))
        mast = (tax, gains(tax)[0])
        return [*ends, mast], [*other, mast]


def _name_item(s: Item) -> str:
    return f"({', '.join(map(write_heap, s))})" if isinstance(s, tuple) else "the game"


def _is_all_small(form: CanonicalForm) -> bool:
    """Return whether, in this game and in each of its followers, both players or neither can move."""
    return bool(form.left) == bool(form.right) and all(map(_is_all_small, form.left | form.right))


def _make_nimber(size: int) -> Options:
    smaller: list[Item] = []
    for _ in range(size + 1):
        smaller.append(Options(tuple(smaller), tuple(smaller)))
    return cast(Options, smaller[size])


def _list_beside(x: Fraction) -> tuple[Sequence[Item], Sequence[Item]]:
    """Return the left options and the right options of the canonical form of a number; each list may be empty."""
    if x.denominator > 1:
        step = Fraction(1, x.denominator)
        return [x - step], [x + step]
    return ([x - 1] if x > 0 else []), ([x + 1] if x < 0 else [])


def _read(wall: Wall, t: Fraction) -> Fraction:
    """Return the value of a wall of a thermograph at the tax t."""
    for (t0, v0), (t1, v1) in zip(wall, wall[1:], strict=False):
        if t0 <= t <= t1:
            return v0 + (v1 - v0) * (t - t0) / (t1 - t0)
    return wall[-1][1]


def _list_times(walls: Sequence[Wall]) -> list[Fraction]:
    """Return taxes in ascending order. Between two neighbouring taxes, every wall is linear, and no two walls cross."""
    times = sorted({t for wall in walls for t, _ in wall})
    found = {*times}
    for t0, t1 in zip(times, times[1:], strict=False):
        ends = {(_read(wall, t0), _read(wall, t1)) for wall in walls}
        for a0, a1 in ends:
            found |= {t0 + (t1 - t0) * (a0 - b0) / (a0 - b0 - a1 + b1) for b0, b1 in ends if a0 < b0 and a1 > b1}
    return sorted(found)


# == play =============================================================================================================
# The rules of play: the options of a position, and the winner, found by examining every option.
T = TypeVar("T")
SMALL = 100  # for a heap with at most this many objects, all options are examined; no table is used
MANY = 200  # for several heaps with at most this total, all options are examined; no list is used
FEW = 30  # for positions with at most this total, all followers are examined; Grundy values are not used
# the limit of steps for such an examination; with more steps, Grundy values are used if they may be used
EXAMINED = 1_000_000


class RefereeGame:
    """A game: a ruleset with values for its parameters.

    `sums`: whether to trust the Sprague-Grundy theorem: the Grundy value of a position is the nim-sum of the values of
    its heaps. The theorem is used only if every position of the ruleset is a disjunctive sum of its heaps.
    Three attributes are functions that return verified results for large positions. By default, they have no results.
    `table`: the function that returns the Grundy values of the heaps 0, 1, ...; () if there is no table.
    `winners`: the function that returns, for each mover, the winners from the heaps 0, 1, ...; () if there is no table.
    `verdict`: the function that returns whether the mover wins from a position of several heaps; None if unknown.
    """

    def __init__(self, ruleset: Ruleset, parameters: Values, steps: RefereeSteps, sums: bool = False) -> None:
        self.sums = sums and can_play_apart(ruleset)
        self.table: Callable[[], Sequence[int]] = tuple
        self.winners: Callable[[], Sequence[Sequence[int]]] = tuple
        self.verdict: Callable[[Position, int], bool | None] = lambda *_: None
        self.listed = False  # whether `verdict` was used for a position
        self.looked_up: dict[str, int] = {}  # question -> the largest heap of the table that was used
        self.ruleset, self.parameters, self.steps = ruleset, dict(parameters), steps
        self.meanings = TermEvaluator(refuse_game, steps)  # of the terms of the ruleset
        for p in ruleset.parameters:
            value = as_integer(parameters[p.name]) if p.kind == "int" else 0
            if p.kind == "int" and not (p.lo <= value and (p.hi is None or value <= p.hi)):
                bounds = f"{p.lo}..{'' if p.hi is None else p.hi}"
                raise IllDefined(
                    f"{p.name} = {digits(value)} is outside {bounds}, the domain of this parameter in {ruleset.id}"
                )
        self.players = len(ruleset.players) or as_integer(parameters[ruleset.player_count])
        if over := limit_players(self.players):
            raise LimitReached(over)
        self.ending = ruleset.ending
        self.stuck = 0 if self.ending.stuck == "wins" else self.players - 1  # the value for a player without a move
        self.preferred = self._read_preferences()
        self.parts = None if ruleset.heap is None else Parts(ruleset.id, ruleset.heap, self.parameters, self.meanings)
        self._crowded = False  # whether some position of few objects has too many followers to examine all of them
        self._options: dict[tuple[Position, int], tuple[Position, ...]] = {}
        self._sizes: dict[tuple[int, Value, Position], tuple[tuple[Position, ...], int]] = {}
        self._solved: dict[tuple[str, int], dict[Position, int]] = defaultdict(dict)  # by question and mover

    def options(self, s: Position, mover: int) -> tuple[Position, ...]:
        """Return the options of a position for the mover, each once, sorted by `position_key`.

        Raises IllDefined if a move does not decrease the ruleset's measure (by default, the number of objects), or an
        expression has no value.
        """
        self._require_player(mover)
        key = (s, 0 if self.ruleset.impartial else mover)
        if key not in self._options:
            env = {**self.parameters, "mover": mover, "s": s}
            found = {o for move in self.ruleset.moves for o in self._play(move, s, env)}
            measure = 0 if self.ending.endless else self.weigh(s)
            for option in () if self.ending.endless else found:
                if self.weigh(option) >= measure or measure < 0:
                    moved = f"{_write(s)} -> {_write(option)}"
                    raise IllDefined(f"in {self.ruleset.id} the move {moved} does not decrease the measure")
            self._options[key] = tuple(sorted(found, key=position_key))
        return self._options[key]

    def _read_preferences(self) -> list[int]:
        """Return the possible winners in the order in which a player prefers them, from the key `prefer`.

        A winner is counted in turns from the player: 0 for this player, 1 for the next player, and so on. Raises
        IllDefined if the key does not contain each possible winner once.
        """
        usual = list(range(self.players))
        if self.ending.prefer is None:
            return usual
        found = as_elements(self.meanings.evaluate(self.ending.prefer, self.parameters))
        order = list(map(as_integer, found))
        if sorted(order) != usual:
            raise IllDefined(f"`prefer` of {self.ruleset.id} is {order}, but it must contain each of {usual} once")
        return order

    def end(self, s: Position, mover: int) -> int | None:
        """Return the winner at a terminal position, counted in turns from the mover; None if the game ends in a draw.

        Raises IllDefined if the ruleset names a player that does not exist.
        """
        if self.ending.winner is None:
            return self.stuck
        winner = self._count(self.ending.winner, {**self.parameters, "s": s, "mover": mover})
        if self.ending.drawn and winner == NOBODY:
            return None
        if not 0 <= winner < self.players:
            raise IllDefined(
                f"`stuck` of {self.ruleset.id} is {digits(winner)} at {_write(s)}, which is not the number of a player"
            )
        return (winner - mover) % self.players

    def choose(self, offers: Iterable[int]) -> int:
        """Return the winner that a player prefers among `offers`. Winners are counted in turns from this player."""
        return min(offers) if self.ending.prefer is None else min(offers, key=self.preferred.index)

    def _require_player(self, mover: int) -> None:
        if not 0 <= mover < self.players:
            raise IllDefined(
                f"player {digits(mover)} does not exist: the game has {digits(self.players)} players, numbered from 0"
            )

    def weigh(self, s: Position) -> int:
        """Return the measure of a position, which every move must decrease. By default, it is the number of objects."""
        measure = self.ruleset.measure
        return sum(s) if measure is None else self._count(measure, {**self.parameters, "s": s})

    def _count(self, term: t.Term, env: Values) -> int:
        return as_integer(self.meanings.evaluate(term, env))

    def _play(self, move: Move, s: Position, env: Values) -> Iterator[Position]:
        for chosen in self._choose_heaps(move, s, env):
            rest = take_out(s, chosen)
            if move.alike:
                alike = [
                    {_list_picked(move, e): self._leave(move, e) for e in self._find_picks(move, env, (h,))}
                    for h in chosen
                ]
                for parts in _match(alike):
                    yield self._put_in(rest, sum(parts, ()))
            elif move.choose == "each":
                ways = [list(self._resize(move, env, (h,))) for h in chosen]
                self.steps.take(math.prod(map(len, ways)))
                for parts in product(*ways):
                    yield self._put_in(rest, sum(parts, ()))
            else:
                for sizes in self._resize(move, env, chosen):
                    yield self._put_in(rest, sizes)

    def _choose_heaps(self, move: Move, s: Position, env: Values) -> Iterator[Position]:
        """Yield each choice of heaps that the mover can make for a move, once. `env`: the values of the variables."""
        if move.choose == "each":
            low, high = (self._count(x, env) for x in (move.at_least, move.at_most) if x)
            for count in range(max(low, 0), min(high, len(s)) + 1):
                self.steps.take(math.comb(len(s), count))
                yield from sorted(set(combinations(s, count)))
        elif move.choose == "any":
            self.steps.take(math.perm(len(s), len(move.heaps)))
            yield from set(permutations(s, len(move.heaps)))
        elif s:
            yield (s[-1] if move.choose == "largest" else s[0],)

    def _resize(self, move: Move, env: Values, chosen: Position) -> Iterable[Position]:
        """Return all possibilities for the heaps that replace the chosen heaps, each as a tuple of heaps.

        The result is cached if no rule depends on other heaps. Using a cached result costs as many steps as computing
        it.
        """
        key = (self.ruleset.moves.index(move), env["mover"], chosen)
        if key not in self._sizes:
            return self._list_sizes(key, move, env, chosen)
        found, cost = self._sizes[key]
        self.steps.take(cost)
        return found

    def _list_sizes(
        self, key: tuple[int, Value, Position], move: Move, env: Values, chosen: Position
    ) -> Iterator[Position]:
        before, sizes = self.steps.left, []
        for size in self._find_sizes(move, env, chosen):
            sizes.append(size)
            yield size
        if not self.ruleset.sees_position:
            self._sizes[key] = tuple(sizes), before - self.steps.left

    def _find_sizes(self, move: Move, env: Values, chosen: Position) -> Iterator[Position]:
        return (self._leave(move, e) for e in self._find_picks(move, env, chosen))

    def _find_picks(self, move: Move, env: Values, chosen: Position) -> Iterator[Values]:
        """Yield, for each legal move of the chosen heaps, the values of all variables that occur in the rules.

        These include the chosen heaps and the numbers that the player chooses in this move.
        """
        picked: list[Values] = [{**env, **dict(zip(move.heaps, chosen, strict=True))}]
        for pick in move.picks:
            picked = [{**e, pick.name: x} for e in picked for x in pick_from(pick.domain, e, self.meanings)]
        for e in picked:
            if move.where is None or self.meanings.evaluate(move.where, e):
                yield e

    def _leave(self, move: Move, env: Values) -> Position:
        """Return the heaps that replace the chosen heaps. `env`: as `_find_picks` yields it."""
        if isinstance(move.result, t.Term):
            return as_heaps(self.meanings.evaluate(move.result, env))
        return cast(Position, tuple(self.meanings.evaluate(b, env) for b in move.result))

    def _list_scored(self, move: Move, s: Position, env: Values) -> Iterator[tuple[Position, int]]:
        """Yield, for each legal move of the kind `move`, the position after it and the points that the mover gets."""
        for chosen in self._choose_heaps(move, s, env):
            rest = take_out(s, chosen)
            groups = [(h,) for h in chosen] if move.choose == "each" else [chosen]
            ways = [
                {
                    _list_picked(move, e): (self._leave(move, e), self._count_points(move, e))
                    for e in self._find_picks(move, env, group)
                }
                for group in groups
            ]
            self.steps.take(math.prod(map(len, ways)))
            for parts in _match(ways) if move.alike else product(*(way.values() for way in ways)):
                heaps = sum((left for left, _ in parts), ())
                yield self._put_in(rest, heaps), sum(points for _, points in parts)

    def _count_points(self, move: Move, env: Values) -> int:
        """Return the points that the mover gets for one move. Raises IllDefined if the score has no value.

        `env`: the values of all variables in this move, as `_find_picks` yields them.
        """
        assert move.score is not None, "the claim language requires a score"
        try:
            return self._count(move.score, env)
        except IllDefined as fault:
            at = _write(as_heaps(env["s"]))
            error = IllDefined(f"`score` of {self.ruleset.id} has no value for a move from {at}: {fault}")
            error.place = self.ruleset.source.place(("moves", move.number - 1, "score"))
            raise error from None

    def _put_in(self, rest: list[int], heaps: Position) -> Position:
        """Return the position that consists of the heaps `rest` and the new heaps, without heaps that vanish.

        Raises IllDefined if a new heap is negative or does not satisfy the ruleset.
        """
        if self.parts is not None:
            return cast(Position, gather((*rest, *self.parts.keep(heaps))))
        made = position((*rest, *heaps))
        if made and made[0] < 0:
            raise IllDefined(f"a heap of size {digits(made[0])}")
        return made

    def drop_vanished(self, s: Position) -> Position:
        """Return the position without its heaps that vanish. Which heaps with parts vanish is defined in [heap].

        A heap without parts does not vanish.
        Raises IllDefined if a heap does not satisfy the ruleset.
        """
        return s if self.parts is None else cast(Position, self.parts.keep(s))

    def wins(self, s: Position, mover: int) -> bool:
        """Return whether the mover can force a win, in a game of two players."""
        return self.labels.outcome(s, mover) is LoopyOutcome.WIN if self.ending.may_draw else self.value(s, mover) == 0

    def loses(self, s: Position, mover: int) -> bool:
        """Return whether the opponent can force a win, in a game of two players."""
        return self.labels.outcome(s, mover) is LoopyOutcome.LOSS if self.ending.may_draw else not self.wins(s, mover)

    def draws(self, s: Position, mover: int) -> bool:
        """Return whether neither player can force a win, in a game of two players."""
        return not self.wins(s, mover) and not self.loses(s, mover)

    @functools.cached_property
    def labels(self) -> RefereeLoopyOutcomes:
        """The outcomes of all positions, if some position may be a draw."""
        return RefereeLoopyOutcomes(self)

    def value(self, s: Position, mover: int) -> int:
        """Return the winner under best play, counted in turns from the mover: 0 for the mover, 1 for the next player.

        Each player prefers to win, then prefers the next player as the winner, and so on, unless the key `prefer` of
        the ruleset gives another order. The position must not be a draw.
        """
        if self.ending.may_draw:
            assert not self.draws(s, mover), "nobody wins a draw"
            return int(self.loses(s, mover))
        found = None if self.ruleset.unusual_ending else self._find_known(s, mover)
        return self._solve("value", s, mover) if found is None else found

    def _find_known(self, s: Position, mover: int) -> int | None:
        """Return the value of a position from Grundy values, or from a verified table or list.

        Return None if the position is small, or there is no such information. If Grundy values may be used, the value
        of a small position is found by examining all followers, unless there are too many.
        """
        if self.sums and self.players == 2 and not self.ruleset.stuck_wins:
            self._require_player(mover)
            found = None if position_key(s)[1] > FEW or self._crowded else self._examine(s, mover)
            if found is None:
                found = 0 if self.grundy(s) else 1  # the mover loses if and only if the Grundy value is 0
            return found
        if len(s) == 1 and self.parts is None and s[0] > SMALL:
            self._require_player(mover)
            rows = self.winners()
            if rows and s[0] < len(rows[0]):
                return self._look_up("value", rows[0 if self.ruleset.impartial else mover], s[0])
        if len(s) > 1 and self.parts is None and sum(s) > MANY and self.players == 2:
            self._require_player(mover)
            wins = self.verdict(s, mover)
            if wins is not None:
                self.listed = True
                return 1 - wins
        return None

    def _examine(self, s: Position, mover: int) -> int | None:
        """Return the value of a position by examining all followers; None if this takes too many steps.

        A position of few objects may have many followers if a move leaves more objects than there were. The limit is a
        quarter of the steps that are left, and at most EXAMINED steps.
        """
        left = self.steps.left
        self.steps.left = given = min(left // 4, EXAMINED)
        try:
            return self._solve("value", s, mover)
        except LimitReached:
            self._crowded = True
            return None
        finally:
            self.steps.left = left - (given - self.steps.left)

    @functools.cached_property
    def worth(self) -> RefereePartizanValues:
        """The values of positions as partizan games, for two players under normal play. Left is the first player."""
        return RefereePartizanValues(self)

    def grundy(self, s: Position) -> int:
        """Return the Grundy value of s.

        Raises IllDefined if the players have different options at s or at a follower of s.
        """
        parts = ((h,) for h in s) if self.sums else (s,)
        return functools.reduce(operator.xor, map(self._find_value, parts), 0)

    def length(self, function: str, s: Position, mover: int) -> int:
        """Return the number of moves until play ends, if both players also care about the length of play.

        `function`: "remoteness" if the winner tries to end play soon and the loser tries to delay the end; "suspense"
        for the opposite.
        Sources: Smith, Graphs and composite games (1966); Winning Ways, chapter 9.
        """
        return self._solve(function, s, mover)

    def _measure_length(self, function: str, s: Position, mover: int, options: Sequence[Position]) -> int:
        """Return the remoteness or suspense of a position, computed from the stored values of its options."""
        if not options:
            return 0
        other = 1 - mover
        wins = self.wins(s, mover)
        good = [o for o in options if not wins or self.loses(o, other)]  # a winner moves only to losses
        lengths = self._solved[function, 0 if self.ruleset.impartial else other]
        return 1 + (min if wins == (function == "remoteness") else max)(lengths[o] for o in good)

    def score(self, s: Position, mover: int) -> int:
        """Return the points of the mover minus the points of the opponent, from s to the end of play.

        Each player tries to maximize their own points minus the points of the opponent. If several moves lead to the
        same position, the move with the most points counts.
        """
        return self._solve("score", s, mover)

    def _find_lead(self, s: Position, mover: int, options: Sequence[Position]) -> int:
        """Return the score of a position, computed from the stored scores of its options."""
        env = {**self.parameters, "mover": mover, "s": s}
        moves = [x for move in self.ruleset.moves for x in self._list_scored(move, s, env)]
        assert {option for option, _ in moves} == {*options}
        leads = self._solved["score", 0 if self.ruleset.impartial else 1 - mover]
        return max((points - leads[option] for option, points in moves), default=0)

    def _find_value(self, s: Position) -> int:
        if len(s) == 1 and self.parts is None and s[0] > SMALL and s[0] < len(self.table()):
            return self._look_up("grundy", self.table(), s[0])
        return self._solve("grundy", s, 0)

    def _look_up(self, question: str, row: Sequence[int], heap: int) -> int:
        self.steps.take()
        self.looked_up[question] = len(row) - 1
        return row[heap]

    def _solve(self, question: str, s: Position, mover: int) -> int:
        wanted = s, mover
        todo = [wanted]
        while todo:
            s, mover = todo[-1]
            here = self._solved[question, mover]
            if s in here:
                todo.pop()
                continue
            if question == "grundy" and self.sums and self.ruleset.measure is not None and self.weigh(s) < 0:
                raise LimitReached("a heap has a negative measure, so its Grundy value cannot be computed separately")
            follower = 0 if question == "grundy" or self.ruleset.impartial else (mover + 1) % self.players
            options = self.options(s, mover)
            parts = {(h,) for o in options for h in o} if question == "grundy" and self.sums else options
            after = self._solved[question, follower]
            missing = [(o, follower) for o in parts if o not in after]
            if missing:
                todo += missing
                continue
            todo.pop()
            self.steps.take(1 + len(options))
            values = [self.grundy(o) if parts is not options else after[o] for o in options]
            if question == "grundy":
                if any(self.options(s, other) != options for other in range(1, self.players)):
                    raise IllDefined(
                        f"{_write(s)} has no Grundy value, because the players have different options there"
                    )
                answer = mex(values)
            elif question in ("remoteness", "suspense"):
                answer = self._measure_length(question, s, mover, options)
            elif question == "score":
                answer = self._find_lead(s, mover, options)
            elif not options:
                end = self.end(s, mover)
                assert end is not None, "positions that may be draws have outcomes instead of values"
                answer = end
            else:
                answer = self.choose((v + 1) % self.players for v in values)
            here[s] = answer
        return self._solved[question, wanted[1]][wanted[0]]


def _list_picked(move: Move, env: Values) -> tuple[Value, ...]:
    """Return the numbers that the mover picks in a move, from the values of all variables."""
    return tuple(env[pick.name] for pick in move.picks)


def _match(ways: Sequence[dict[tuple[Value, ...], T]]) -> Iterator[tuple[T, ...]]:
    """Yield the values of each key that all dictionaries contain. Yield () once if there are no dictionaries."""
    if not ways:
        yield ()
        return
    for key in ways[0]:
        if all(key in way for way in ways):
            yield tuple(way[key] for way in ways)


def can_play_apart(ruleset: Ruleset) -> bool:
    """Return whether every position of a ruleset is the disjunctive sum of its heaps.

    This is true if every move changes one heap, no rule depends on other heaps or on the mover, and the measure (if
    there is one) is a sum over the heaps.
    """
    if not ruleset.impartial:
        return False
    if ruleset.measure is not None and not is_sum_over_heaps(ruleset.measure):
        return False
    return moves_in_one_heap(ruleset)


def moves_in_one_heap(ruleset: Ruleset) -> bool:
    """Return whether the mover always chooses one heap, which may be any heap, and no rule depends on other heaps."""
    return not ruleset.sees_position and all(m.choose == "any" and len(m.heaps) == 1 for m in ruleset.moves)


def is_sum_over_heaps(measure: t.Term) -> bool:
    """Return whether a measure is, by its syntax, a sum over the heaps, such as `sum(h * h for h in s)`.

    Such a measure is 0 for the empty position.
    """
    match measure:
        case t.Operation(op="sum" | "len", args=(t.Variable(name="s"),)):
            return True
        case t.Comprehension(reducer="sum", body=body, clauses=(t.Clause(_, t.Variable(name="s"), ()),)):
            return "s" not in find_free_names(body)
        case t.Operation(op="add" | "sub", args=(a, b)):
            return is_sum_over_heaps(a) and is_sum_over_heaps(b)
        case t.Operation(op="mul", args=(a, b)):
            return any("s" not in find_free_names(x) and is_sum_over_heaps(y) for x, y in ((a, b), (b, a)))
    return False


def pick_from(domain: IntervalDomain | t.Term, env: Values, meanings: TermEvaluator) -> Iterable[Value]:
    """Return the numbers, or lists of numbers, among which the player to move may choose in a move.

    `domain`: an interval or a set in the ruleset. `env`: the values of the variables. Raises IllDefined and
    LimitReached.
    """
    if isinstance(domain, IntervalDomain) and domain.hi is not None:
        low, high = (meanings.evaluate(x, env) for x in (domain.lo, domain.hi))
        if isinstance(low, tuple):
            bounds = zip(map(as_integer, low), map(as_integer, as_elements(high)), strict=True)
            ranges = [range(a, b + 1) for a, b in bounds]
            meanings.steps.take(math.prod(map(len, ranges)))
            return product(*ranges)
        first, last = as_integer(low), as_integer(high)
        meanings.steps.take(max(0, last - first))
        return range(first, last + 1)
    assert isinstance(domain, t.Term)
    return as_elements(meanings.evaluate(domain, env))


class Parts:
    """The section [heap] of a ruleset whose heaps have parts. It defines which heaps are valid, and which heaps vanish.

    A heap that vanishes is removed from a position. `id`: the id of the ruleset. All methods may raise IllDefined.
    """

    def __init__(self, id: str, shape: HeapShape, parameters: Values, meanings: TermEvaluator) -> None:
        self.id, self.shape, self.parameters, self.meanings = id, shape, parameters, meanings
        self._known: dict[Value, bool] = {}  # heap -> whether it stays

    def keep(self, heaps: Position) -> tuple[Value, ...]:
        """Return those of the heaps that do not vanish. Raises IllDefined if a heap is not valid."""
        return tuple(h for h in heaps if self._stays(h))

    def has(self, heap: Value) -> bool:
        """Return whether a heap is valid: its parts are in their domains, and `where` is true. It may still vanish."""
        assert isinstance(heap, tuple)
        for part, value in zip(self.shape.parts, heap, strict=True):
            low = as_integer(self._evaluate(part.name, part.lo, heap))
            high = None if part.hi is None else as_integer(self._evaluate(part.name, part.hi, heap))
            numbers = map(as_integer, as_elements(value) if part.is_list else (value,))
            if not all(low <= x and (high is None or x <= high) for x in numbers):
                return False
        return self.shape.where is None or bool(self._evaluate("where", self.shape.where, heap))

    def _stays(self, heap: Value) -> bool:
        if heap not in self._known:
            if not self.has(heap):
                raise IllDefined(f"{write_heap(heap)} is not a heap of {self.id}")
            gone = self.shape.gone
            self._known[heap] = gone is None or not self._evaluate("gone", gone, heap)
        return self._known[heap]

    def _evaluate(self, key: str, term: t.Term, heap: Value) -> Value:
        """Return the value of an expression in [heap], under the key `key`, for the heap h = `heap`.

        Raises IllDefined if it has no value. The message names the key and the heap.
        """
        try:
            return self.meanings.evaluate(term, {**self.parameters, "h": heap})
        except IllDefined as fault:
            where = f"`{key}` of [heap] of {self.id} has no value at {write_heap(heap)}"
            raise IllDefined(f"{where}: {fault}") from None


def _write(s: Position) -> str:
    return f"({', '.join(map(write_heap, s))})"
