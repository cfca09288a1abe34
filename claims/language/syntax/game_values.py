"""Games in quotes, in the notation of CGSuite, such as "^*", "tiny(2)" or "{1|*}"; and combinations of games.

The notation is that of Conway, On Numbers and Games (1976), part 1, and Berlekamp, Conway, Guy, Winning Ways (1982),
chapters 2, 3 and 5. This module only replaces names in quotes by options. It does not compare or simplify games.

>>> parse_game("{1|*}").left, parse_game("3/4 + 1/4")
((Fraction(1, 1),), Fraction(1, 1))
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from typing import NamedTuple, cast

from claims.language.errors import LanguageError
from claims.language.syntax.meanings import Position, Value

MOST_CHARACTERS = 200
MOST_TREES = 2_000  # of one game in quotes, with all followers
MOST_INTEGER, MOST_DENOMINATOR = 100, 1024
MOST_COPIES = 20  # of ups or of another game; also the largest nimber
MOST_NESTED = 30  # braces, brackets and names inside each other


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game as the tuples of its left and right options. Two trees are equal only if they are the same object."""

    left: tuple[GameItem, ...]
    right: tuple[GameItem, ...]


GameItem = GameTree | Fraction
"""A game. A fraction is the number of this value; its denominator is a power of two."""


@lru_cache(maxsize=1000)
def parse_game(text: str) -> GameItem:
    """Return the game that a text denotes. Raises LanguageError with offsets into the text."""
    if len(text) > MOST_CHARACTERS:
        problem = f"the game has {len(text)} characters"
        raise LanguageError(problem, f"at most {MOST_CHARACTERS} characters", 0, len(text))
    return _GameParser(text).parse()


def typeset_game(text: str) -> str:
    """Return a game in quotes with the signs of the literature: ↑ for ^, ↓ for v, ± for +-.

    >>> typeset_game("{1|^^*}"), typeset_game("miny(1) + v2"), typeset_game("+-1")
    ('{1|⇑*}', 'miny(1) + ↓2', '±1')
    """
    signs = {"^^": "⇑", "^": "↑", "vv": "⇓", "v": "↓", "+-": "±"}
    return re.sub(r"\^\^(?!\^)|\^|vv(?!v)|v|\+-", lambda found: signs[found[0]], text)


# == combined =========================================================================================================
# Games that a claim combines from other games. These records only state how a game is combined. The referee and the
# engine each compute the options by their own code, and put their own games and positions into the records. Sources:
# Winning Ways, chapters 7 (ordinal sums) and 14 (products); Conway, On Numbers and Games, chapter 1 (sums, negatives
# and products).
@dataclass(frozen=True)
class PlacedPosition:
    """A position of a game, as a game that can be combined with others.

    `game`: the rules of the game, an object of the referee or of an engine. `position`: its heaps, none of which
    vanishes.
    """

    game: object
    position: Position


@dataclass(frozen=True)
class GameSum:
    """The sum of games. A move is a move in one of them."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class GameNegative:
    """The negative of a game, in which Left and Right exchange roles."""

    game: Part


@dataclass(frozen=True)
class OrdinalSum:
    """The ordinal sum of two games. A move in `base` ends `top`: only the option of `base` remains."""

    base: Part
    top: Part


@dataclass(frozen=True)
class GameProduct:
    """The product of two games, as defined by Conway.

    If x is an option of G and y is an option of H, then x * H + G * y - x * y is an option of G * H. It is a left
    option if both x and y are left options or both are right options, and a right option otherwise.
    """

    first: Part
    second: Part


CombinedGame = PlacedPosition | GameSum | GameNegative | OrdinalSum | GameProduct
"""A position of a game as a game, or a combination of games."""
Part = CombinedGame | GameItem


# The functions that evaluate the operations on games. The values of such terms have their own types in Python.
def add_games(g: Part | Value, h: Part) -> Value:
    """Return the sum of two games. The parts of a sum become parts of the result."""
    parts = [x for part in (g, h) for x in (part.parts if isinstance(part, GameSum) else (part,))]
    return cast(Value, GameSum(tuple(cast(list[Part], parts))))


def add_all_games(games: Iterable[Part]) -> Value:
    """Return the sum of any number of games."""
    return reduce(add_games, games, cast(Value, GameSum(())))


def subtract_games(g: Part, h: Part) -> Value:
    """Return the sum of a game and the negative of another."""
    return add_games(g, GameNegative(h))


def negate_game(g: Part) -> Value:
    """Return the negative of a game."""
    return cast(Value, GameNegative(g))


def multiply_games(g: Part, h: Part) -> Value:
    """Return the product of two games."""
    return cast(Value, GameProduct(g, h))


def stack_games(g: Part, h: Part) -> Value:
    """Return the ordinal sum of two games. A move in g ends h."""
    return cast(Value, OrdinalSum(g, h))


# == operations =======================================================================================================
class _Trees:
    """The operations on games, by their definitions. It counts the trees that it makes.

    `make` raises OverflowError if there are more than MOST_TREES.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[frozenset[int | Fraction], frozenset[int | Fraction]], GameTree] = {}
        self._sums: dict[tuple[GameItem, GameItem], GameItem] = {}
        self._negatives: dict[GameTree, GameTree] = {}

    def make(self, left: tuple[GameItem, ...], right: tuple[GameItem, ...]) -> GameTree:
        """Return the game with these options. Equal options give the same object."""
        key = _identify(left), _identify(right)
        if key not in self._made:
            if len(self._made) == MOST_TREES:
                raise OverflowError
            self._made[key] = GameTree(left, right)
        return self._made[key]

    def list_options(self, g: GameItem) -> tuple[tuple[GameItem, ...], tuple[GameItem, ...]]:
        """Return the left options and the right options. A fraction has those of its canonical form."""
        if isinstance(g, GameTree):
            return g.left, g.right
        if g.denominator > 1:
            step = Fraction(1, g.denominator)
            return (g - step,), (g + step,)
        return ((g - 1,) if g > 0 else ()), ((g + 1,) if g < 0 else ())

    def add(self, g: GameItem, h: GameItem) -> GameItem:
        """Return the sum, in which a move is a move in g or in h."""
        if isinstance(g, Fraction) and isinstance(h, Fraction):
            return g + h
        if (g, h) not in self._sums:
            mine, other = self.list_options(g), self.list_options(h)
            left, right = (
                tuple(dict.fromkeys([*(self.add(x, h) for x in mine[i]), *(self.add(g, y) for y in other[i])]))
                for i in (0, 1)
            )
            self._sums[g, h] = self.make(left, right)
        return self._sums[g, h]

    def negate(self, g: GameItem) -> GameItem:
        """Return -g, in which Left and Right exchange roles."""
        if isinstance(g, Fraction):
            return -g
        if g not in self._negatives:
            left, right = tuple(map(self.negate, g.right)), tuple(map(self.negate, g.left))
            self._negatives[g] = self.make(left, right)
        return self._negatives[g]

    def multiply(self, count: int, g: GameItem) -> GameItem:
        """Return the sum of `count` copies of g; the negative of this sum for `count` < 0."""
        found: GameItem = Fraction(0)
        for _ in range(abs(count)):
            found = self.add(found, g)
        return self.negate(found) if count < 0 else found

    def nimber(self, size: int) -> GameItem:
        """Return *n = {*0, ..., *(n - 1) | *0, ..., *(n - 1)}."""
        found: list[GameItem] = [Fraction(0)]
        for _ in range(size):
            found.append(self.make(tuple(found), tuple(found)))
        return found[size]

    def ups(self, count: int) -> GameItem:
        """Return the sum of `count` copies of up = {0 | *}."""
        return self.multiply(count, self.make((Fraction(0),), (self.nimber(1),)))

    def tiny(self, g: GameItem) -> GameItem:
        """Return tiny g = {0 || 0 | -g}."""
        zero = Fraction(0)
        return self.make((zero,), (self.make((zero,), (self.negate(g),)),))


def _identify(options: tuple[GameItem, ...]) -> frozenset[int | Fraction]:
    return frozenset(x if isinstance(x, Fraction) else -1 - id(x) for x in options)


# == parser ===========================================================================================================
class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


_TOKEN = re.compile(
    r"(?P<space>[ \t]+)|(?P<number>[0-9]+)|(?P<switch>\+-|±)|(?P<ups>\^+|v+|↑+|↓+|⇑|⇓)|(?P<star>[*∗⋆])|(?P<bars>\|+)"
    r"|(?P<name>[A-Za-z]+)|(?P<sign>[-+−/·.(){},])"
)
_EXPECTED = "a number, ^, v, *, +-, tiny(G), miny(G), or a game in braces, such as {1|*}"
_UPS = {"^": 1, "↑": 1, "⇑": 2, "v": -1, "↓": -1, "⇓": -2}
_COPIES = ("·", ".")


class _GameParser:
    """A parser for one text. A sum consists of terms; a term is one game, or a number followed by ups and a nimber."""

    def __init__(self, text: str) -> None:
        self.trees, self.at, self.nested, self.tokens = _Trees(), 0, 0, list[_Token]()
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise LanguageError(f"{text[at]!r} is not in the notation of games", _EXPECTED, at, at + 1)
            if found.lastgroup != "space":
                word = found[0].replace("−", "-")
                self.tokens.append(_Token(found.lastgroup or "", word, at, found.end()))
            at = found.end()
        self.tokens.append(_Token("end", "", len(text), len(text) + 1))

    def parse(self) -> GameItem:
        found = self._sum()
        if self._token.kind != "end":
            raise self._fail("+ or - before another game, or the end")
        return found

    # -- tokens -------------------------------------------------------------------------------------------------------
    @property
    def _token(self) -> _Token:
        return self.tokens[self.at]

    def _take(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def _take_if(self, *texts: str) -> bool:
        """Take the next token if it is one of these texts; return whether it was taken."""
        if self._token.text not in texts:
            return False
        self._take()
        return True

    def _touches(self) -> bool:
        """Return whether the next token follows the previous one without a space."""
        return self._token.start == self.tokens[self.at - 1].end

    def _fail(self, expected: str) -> LanguageError:
        token = self._token
        problem = f"{token.text!r} is not expected here" if token.text else "the game ends too early"
        return LanguageError(problem, expected, token.start, token.end)

    def _require(self, text: str) -> None:
        if not self._take_if(text):
            raise self._fail(repr(text))

    def _count(self, most: int) -> int:
        """Take a number of at most `most`."""
        if self._token.kind != "number":
            raise self._fail("a number")
        token = self._take()
        if len(token.text) > len(str(most)) or int(token.text) > most:
            raise LanguageError(f"{token.text} is too large here", f"at most {most}", token.start, token.end)
        return int(token.text)

    # -- games --------------------------------------------------------------------------------------------------------
    def _sum(self) -> GameItem:
        start = self._token.start
        self.nested += 1
        if self.nested > MOST_NESTED:
            problem = f"more than {MOST_NESTED} games are inside each other"
            raise LanguageError(problem, "a simpler game", start, start + 1)
        try:
            found = self._term()
            while self._token.text in ("+", "-"):
                minus = self._take().text == "-"
                term = self._term(after_minus=minus)
                found = self.trees.add(found, self.trees.negate(term) if minus else term)
        except OverflowError:
            problem = f"the game has more than {MOST_TREES} followers"
            raise LanguageError(problem, "a smaller game", start, self._token.end) from None
        self.nested -= 1
        return found

    def _term(self, after_minus: bool = False) -> GameItem:
        """Parse one game. The sign in `-3/4^` belongs to the number, as in the names that CGSuite prints.

        `after_minus`: whether a sign - between two games is before this one. It could be before `3/4^` or only before
        `3/4`, so such a sum needs parentheses.
        """
        token = self._token
        if self._take_if("-"):
            return self._number(-1) if self._token.kind == "number" else self.trees.negate(self._term())
        if token.kind == "number":
            return self._number(1, after_minus)
        if token.kind in ("ups", "star"):
            return self._infinitesimal()
        if token.kind == "switch":
            self._take()
            return self._switch()
        if token.kind == "name":
            return self._tiny()
        if self._take_if("("):
            found = self._sum()
            self._require(")")
            return found
        if self._take_if("{"):
            return self._braces(switch=False)
        raise self._fail(_EXPECTED)

    def _number(self, sign: int, alone: bool = False) -> GameItem:
        """Parse a number, a sum without a sign such as `3/4^*`, or copies such as `3·^`. `alone`: refuse a sum."""
        start = self._token.start
        value = Fraction(self._count(MOST_INTEGER * MOST_DENOMINATOR))
        if self._take_if("/"):
            below = self._count(MOST_DENOMINATOR)
            if not below or below & (below - 1):
                raise LanguageError(
                    f"{value}/{below} is not the value of a game",
                    "a power of two as the denominator, such as 3/4",
                    start,
                    self.tokens[self.at - 1].end,
                )
            value /= below
        if value > MOST_INTEGER:
            problem = f"the number {value} is too large here"
            raise LanguageError(problem, f"at most {MOST_INTEGER}", start, self.tokens[self.at - 1].end)
        value *= sign
        if self._token.text in _COPIES:
            if value.denominator > 1 or abs(value) > MOST_COPIES:
                raise self._fail(f"an integer of at most {MOST_COPIES} before {self._token.text!r}")
            self._take()
            if self._token.kind == "ups":
                return self._infinitesimal(int(value))
            return self.trees.multiply(int(value), self._term())
        if self._token.kind not in ("ups", "star", "name"):
            return value
        if alone:
            raise self._fail("parentheses around this sum, as in 1 - (2^)")
        return self.trees.add(value, self._tiny() if self._token.kind == "name" else self._infinitesimal())

    def _infinitesimal(self, copies: int = 1) -> GameItem:
        """Parse ups or downs and a nimber: `^`, `^3`, `vv*2`, `*`. `copies`: the number of copies of the ups."""
        ups, size = 0, 0
        if self._token.kind == "ups":
            token = self._take()
            ups = sum(_UPS[sign] for sign in token.text)
            if abs(ups) == 1 and self._token.kind == "number" and self._touches():
                ups *= self._count(MOST_COPIES)
            ups *= copies
            if abs(ups) > MOST_COPIES:
                problem = f"{abs(ups)} ups are too many here"
                raise LanguageError(problem, f"at most {MOST_COPIES}", token.start, token.end)
        if self._token.kind == "star":
            self._take()
            size = self._count(MOST_COPIES) if self._token.kind == "number" and self._touches() else 1
        return self.trees.add(self.trees.ups(ups), self.trees.nimber(size))

    def _tiny(self) -> GameItem:
        token = self._take()
        if token.text.lower() not in ("tiny", "miny"):
            problem = f"{token.text!r} is not in the notation of games"
            raise LanguageError(problem, _EXPECTED, token.start, token.end)
        self._require("(")
        found = self.trees.tiny(self._sum())
        self._require(")")
        return self.trees.negate(found) if token.text.lower() == "miny" else found

    def _switch(self) -> GameItem:
        """Parse the text after +-: +-1 is {1 | -1}, and +-{0,{2|0}} has the left options 0 and {2|0}."""
        return self._braces(switch=True) if self._take_if("{") else self._plus_minus((self._term(),))

    def _plus_minus(self, left: tuple[GameItem, ...]) -> GameItem:
        return self.trees.make(left, tuple(map(self.trees.negate, left)))

    def _braces(self, switch: bool) -> GameItem:
        """Parse a game after its opening brace. `switch`: whether +- is before the brace."""
        sides, bars = [self._options()], list[_Token]()
        while self._token.kind == "bars":
            bars.append(self._take())
            sides.append(self._options())
        if not bars and not (switch and sides[0]):
            raise self._fail("'|' between the options of Left and those of Right, as in {1|0}")
        self._require("}")
        if not bars:
            return self._plus_minus(sides[0])
        found = self._split(sides, bars)
        return self._plus_minus((found,)) if switch else found

    def _options(self) -> tuple[GameItem, ...]:
        """Parse the options of one player, perhaps none, with commas between them."""
        if self._token.kind == "bars" or self._token.text == "}":
            return ()
        found = [self._sum()]
        while self._take_if(","):
            found.append(self._sum())
        return tuple(dict.fromkeys(found))

    def _split(self, sides: list[tuple[GameItem, ...]], bars: list[_Token]) -> GameItem:
        """Return a game such as {a|b||c|d}. The longest row of bars separates its left and its right options."""
        most = max(len(bar.text) for bar in bars)
        first, *more = [i for i, bar in enumerate(bars) if len(bar.text) == most]
        if more:
            bar = bars[more[0]]
            raise LanguageError(
                f"{bar.text!r} occurs twice between the same braces",
                "braces around one of the games, or more bars, as in {2|0||-1}",
                bar.start,
                bar.end,
            )
        left = (self._split(sides[: first + 1], bars[:first]),) if first else sides[0]
        after = bars[first + 1 :]
        right = (self._split(sides[first + 1 :], after),) if after else sides[first + 1]
        return self.trees.make(left, right)
