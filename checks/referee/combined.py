"""Games that a claim combines from positions: sums, negatives, ordinal sums and products.

Each answer is found by play: the options of a combination are computed from the options of its parts. Sources: Winning
Ways, chapters 7 (ordinal sums) and 14 (products); Conway, On Numbers and Games, chapter 1 (products).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from typing import cast

from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps
from checks.referee.play import Item, RefereeGame, RefereePartizanValues
from claims.language.syntax.game_values import GameNegative, GameProduct, GameSum, OrdinalSum, Part, PlacedPosition
from claims.language.syntax.meanings import mex

LONG = "play is too long to find the {} of the combined game"


class RefereeCombinations:
    """The games that are combined from positions of the games of a claim. Left is the first player of each ruleset.

    `sums`: whether to compute the Grundy value of a sum as the nim-sum of the Grundy values of its parts. This trusts
    the Sprague-Grundy theorem.
    """

    def __init__(self, steps: RefereeSteps, sums: bool = False) -> None:
        self.steps, self.sums = steps, sums
        self._options: dict[tuple[Item, int], tuple[Item, ...]] = {}
        self._wins: dict[tuple[Item, int], bool] = {}
        self._values: dict[Item, int] = {}
        self._numbers: dict[Item, int] = {}  # to sort the parts of a sum, so that equal sums are stored once

    @functools.cached_property
    def worth(self) -> RefereePartizanValues:
        """The values of combined games as partizan games."""
        return RefereePartizanValues(self)

    def wins(self, s: Item, mover: int) -> bool:
        """Return whether the mover can force a win under normal play. Raises IllDefined and LimitReached."""
        try:
            return self._can_win(s, mover)
        except RecursionError:
            raise LimitReached(LONG.format("winner")) from None

    def grundy(self, s: Item) -> int:
        """Return the Grundy value of a game. Raises LimitReached.

        Raises IllDefined if the players have different options at the game or at one of its followers.
        """
        try:
            return self._find_value(s)
        except RecursionError:
            raise LimitReached(LONG.format("Grundy value")) from None

    def options(self, s: Item, mover: int) -> tuple[Item, ...]:
        """Return the options of a game for Left (`mover` 0) or Right (`mover` 1), each once.

        Raises IllDefined and LimitReached.
        """
        if (s, mover) not in self._options:
            found = tuple(dict.fromkeys(self._list(s, mover)))
            self.steps.take(1 + len(found))
            self._options[s, mover] = found
        return self._options[s, mover]

    def _list(self, s: Item, mover: int) -> Iterable[Item]:
        match s:
            case PlacedPosition(game=RefereeGame() as game, position=position):
                return [PlacedPosition(game, x) for x in game.options(position, mover)]
            case GameSum(parts=parts):
                return [
                    self._add(*parts[:i], option, *parts[i + 1 :])
                    for i, part in enumerate(parts)
                    for option in self.options(part, mover)
                ]
            case GameNegative(game=game):
                return [self._negate(x) for x in self.options(game, 1 - mover)]
            case OrdinalSum(base=base, top=top):
                return [
                    *self.options(base, mover),
                    *(OrdinalSum(base, cast(Part, x)) for x in self.options(top, mover)),
                ]
            case GameProduct(first=g, second=h):
                sides = [(0, 0), (1, 1)] if mover == 0 else [(0, 1), (1, 0)]
                return [
                    self._add(GameProduct(x, h), GameProduct(g, y), self._negate(GameProduct(x, y)))
                    for one, other in sides
                    for x in cast(Iterable[Part], self.options(g, one))
                    for y in cast(Iterable[Part], self.options(h, other))
                ]
        return self.worth.list_options(s, mover)

    def _add(self, *games: Item) -> Item:
        """Return the sum of games, without parts in which nobody can move. Its parts are sorted; none is a sum."""
        parts = [x for game in games for x in (game.parts if isinstance(game, GameSum) else (game,))]
        parts = [x for x in parts if self.options(x, 0) or self.options(x, 1)]
        parts.sort(key=lambda x: self._numbers.setdefault(x, len(self._numbers)))
        return parts[0] if len(parts) == 1 else GameSum(cast(tuple[Part, ...], tuple(parts)))

    def _negate(self, s: Item) -> Item:
        """Return the negative of a game. The negative of a sum is the sum of the negatives."""
        match s:
            case GameNegative(game=game):
                return game
            case GameSum(parts=parts):
                return self._add(*map(self._negate, parts))
        return GameNegative(cast(Part, s))

    def _can_win(self, s: Item, mover: int) -> bool:
        if (s, mover) not in self._wins:
            self._wins[s, mover] = any(not self._can_win(x, 1 - mover) for x in self.options(s, mover))
        return self._wins[s, mover]

    def _find_value(self, s: Item) -> int:
        match s:
            case PlacedPosition(game=RefereeGame() as game, position=position):
                return game.grundy(position)
            case GameNegative(game=game):  # the same options for both players, so the roles do not matter
                return self._find_value(game)
            case GameSum(parts=parts) if self.sums:
                return functools.reduce(operator.xor, map(self._find_value, parts), 0)
        if s not in self._values:
            options = self.options(s, 0)
            if {*options} != {*self.options(s, 1)}:
                raise IllDefined("the combined game has no Grundy value, because the players have different options")
            self._values[s] = mex([self._find_value(x) for x in options])
        return self._values[s]
