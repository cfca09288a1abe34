"""Games that a claim combines from positions: sums, negatives, ordinal sums and products.

The canonical form of a sum is computed from the canonical forms of its parts. The canonical form of an ordinal sum or a
product is computed from all its options, because equal parts can give games that are not equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import chain, product
from operator import xor
from typing import cast

from claims.language.syntax.game_values import (
    GameNegative,
    GameProduct,
    GameSum,
    GameTree,
    OrdinalSum,
    Part,
    PlacedPosition,
)
from claims.language.syntax.meanings import Value, mex
from encoders.compute.arrays.limits import MAX_POSITIONS, Deadline, TooLarge, group_digits
from encoders.compute.compound.meaning import Undefined
from encoders.compute.compound.order import as_integer
from encoders.compute.compound.partizan import CanonicalFormId, Games
from encoders.compute.compound.play import GIVES_GAMES, Comparisons, Crowded, EngineGame, ValuesOfForms

MOST_VALUES = 1_000  # after so many Grundy values of combined games, the values of the parts of a sum are added


class EngineCombinations(ValuesOfForms[Part]):
    """The answers to questions about combined games. Left is the first player of each ruleset.

    `sums`: whether the Grundy value of a sum is computed from the values of its parts, by the Sprague-Grundy theorem.
    `added`: whether this was done so far. `compared`: whether canonical forms were used so far.

    The methods may raise Undefined, BadRuleset, TooLarge and OutOfTime.
    """

    def __init__(self, clock: Deadline, sums: bool = False) -> None:
        super().__init__(Games(Comparisons(clock)))
        self.clock, self.sums, self.added, self.compared = clock, sums, False, False
        self._forms: dict[Part, CanonicalFormId] = {}
        self._values: dict[Part, int] = {}
        self._options: dict[tuple[Part, int], tuple[Part, ...]] = {}
        self._places: dict[Part, int] = {}  # to sort the parts of a sum, so that equal sums are stored once

    def answer(self, function: str, args: list[Value]) -> Value:
        """Return the result of a question about combined games, such as "equals"."""
        game = cast(Part, args[0])
        self.compared |= function not in ("wins", "outcome", "grundy")
        try:
            match function:
                case "le" | "equals":
                    return self.compare(function, game, cast(Part, args[1]))
                case "wins":
                    return self._can_win(game, as_integer(args[1]))
                case "outcome":
                    return (0, 3, 2, 1)[2 * self._can_win(game, 0) + self._can_win(game, 1)]
                case "grundy":
                    return self.grundy(game)
            if function in GIVES_GAMES:
                return cast(Value, self.find_game(function, game, args[1:]))
            return self.tell(function, game)
        except RecursionError:
            raise TooLarge("play of a combined game is too long") from None

    # -- play ---------------------------------------------------------------------------------------------------------
    def list_options(self, s: Part, mover: int) -> tuple[Part, ...]:
        """Return the options of a game, each once."""
        found = self._options.get((s, mover))
        if found is None:
            self.clock.check()
            found = self._options[s, mover] = tuple(dict.fromkeys(self._list(s, mover)))
            if len(self._options) > MAX_POSITIONS:
                raise TooLarge(f"more than {group_digits(MAX_POSITIONS)} combined games would be needed")
        return found

    def _list(self, s: Part, mover: int) -> Iterable[Part]:
        match s:
            case Fraction():
                return _list_below(s) if mover == 0 else [-x for x in _list_below(-s)]
            case GameTree(left=left, right=right):
                return (left, right)[mover]
            case PlacedPosition(game=EngineGame() as game, position=position):
                return (PlacedPosition(game, cast(tuple[int, ...], x)) for x in game.options(position, mover))
            case GameNegative(game=game):
                return map(self._negate, self.list_options(game, 1 - mover))
            case OrdinalSum(base=base, top=top):
                above = (OrdinalSum(base, x) for x in self.list_options(top, mover))
                return chain(self.list_options(base, mover), above)
            case GameProduct(first=g, second=h):
                return chain(*(self._multiply(g, h, side, side ^ mover) for side in (0, 1)))
            case GameSum(parts=parts):
                moves = ((i, x) for i, part in enumerate(parts) for x in self.list_options(part, mover))
                return (self._add((*parts[:i], x, *parts[i + 1 :])) for i, x in moves)
        raise AssertionError(s)

    def _multiply(self, g: Part, h: Part, side: int, other: int) -> Iterator[Part]:
        """Yield x * h + g * y - x * y for each option x of g for player `side` and y of h for player `other`."""
        for x, y in product(self.list_options(g, side), self.list_options(h, other)):
            yield self._add([GameProduct(x, h), GameProduct(g, y), self._negate(GameProduct(x, y))])

    def _negate(self, s: Part) -> Part:
        if isinstance(s, GameNegative):
            return s.game
        return self._add(map(self._negate, s.parts)) if isinstance(s, GameSum) else GameNegative(s)

    def _add(self, games: Iterable[Part]) -> Part:
        """Return the sum of games. Its parts are sorted, and in each of them some player can move."""
        parts: list[Part] = []
        for game in games:
            more = game.parts if isinstance(game, GameSum) else (game,)
            parts += (x for x in more if self.list_options(x, 0) or self.list_options(x, 1))
        places = self._places
        parts.sort(key=lambda x: places.setdefault(x, len(places)))
        return parts[0] if len(parts) == 1 else GameSum(tuple(parts))

    def _can_win(self, s: Part, mover: int) -> bool:
        if _is_impartial(s):
            return self.grundy(s) != 0
        self.compared = True
        return self.find_winner(s, mover) == 0

    # -- canonical forms ----------------------------------------------------------------------------------------------
    def form(self, s: Part) -> CanonicalFormId:
        """Return the canonical form of a game."""
        self.compared = True
        found = self._forms.get(s)
        if found is None:
            found = self._forms[s] = self._find_form(s)
        return found

    def _find_form(self, s: Part) -> CanonicalFormId:
        match s:
            case Fraction() | GameTree():
                return self.games.read(s)
            case PlacedPosition(game=EngineGame() as game, position=position):
                values = game.worth
                return self.games.read(values.games.write(values.form(position)))
            case GameSum(parts=parts):
                return reduce(self.games.add, map(self.form, parts), self.games.zero)
            case GameNegative(game=game):
                return self.games.negate(self.form(game))
        return self.games.make(*([self.form(x) for x in self.list_options(s, mover)] for mover in (0, 1)))

    # -- Grundy values ------------------------------------------------------------------------------------------------
    def grundy(self, s: Part) -> int:
        """Return the Grundy value. Raise Undefined if the players have different options at s or at a follower."""
        if not self.sums:
            try:
                return self._find_value(s)
            except Crowded:
                self.sums = True
        return self._find_value(s)

    def _find_value(self, s: Part) -> int:
        match s:
            case PlacedPosition(game=EngineGame() as game, position=position):
                return game.grundy(position)
            case GameNegative(game=game):  # the same options for both players, so the roles do not matter
                return self._find_value(game)
            case GameSum(parts=parts) if self.sums:
                self.added |= len(parts) > 1
                return reduce(xor, map(self._find_value, parts), 0)
        found = self._values.get(s)
        if found is None:
            options = self.list_options(s, 0)
            if {*options} != {*self.list_options(s, 1)}:
                raise Undefined("the combined game has no Grundy value, because the players have different options")
            found = self._values[s] = mex([self._find_value(x) for x in options])
            if not self.sums and len(self._values) > MOST_VALUES:
                raise Crowded
        return found


def _list_below(x: Fraction) -> list[Fraction]:
    """Return the left options of the canonical form of a number."""
    if x.denominator > 1:
        return [x - Fraction(1, x.denominator)]
    return [x - 1] if x > 0 else []


def _is_impartial(s: Part) -> bool:
    """Return whether all parts from which a game is combined are positions of impartial rulesets."""
    match s:
        case PlacedPosition(game=EngineGame() as game):
            return game.ruleset.impartial
        case GameSum(parts=parts):
            return all(map(_is_impartial, parts))
        case GameNegative(game=game):
            return _is_impartial(game)
        case OrdinalSum(base=g, top=h) | GameProduct(first=g, second=h):
            return _is_impartial(g) and _is_impartial(h)
    return False
