"""Whose turn it is in a proof of who wins; and what each obligation of the rule is called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from claims.language.statement.claim import Game
from encoders.answer import Unsupported
from encoders.logic.moves import movers

COLUMN = "pick top bit: a 1 in the nim-sum is an odd number of ones, one more heap"
LOWERED = "pick top bit: such a heap is lowered"
EXTREMES_NONE = "least and largest heap, no heap"
EXTREMES_MORE = "least and largest heap, one more heap"
FIRST_PLACE = "places: 1 has a highest one"
NEXT_PLACE = "places: the next number has a highest one"
APART = "multiples: two of one number are equal, or differ by it, or by at least twice as much"
SPLIT = "cases of the claim cover"
CLAIM = "claim"


def number_of_heaps(position: str, number: int) -> str:
    """That the position of the claim has as many heaps as the proof names."""
    return f"heaps: the hypotheses say len({position}) == {number}"


def changing(name: str) -> str:
    """That every legal move changes what its heap adds to the nim-sum."""
    return f"a legal move changes the term of {name}"


def doing(number: int, effect: str, name: str) -> str:
    """That the named move, by its number from 1, has the effect on its heap's term of the nim-sum."""
    return f"move {number} {effect} {name}"


def fact_of_none(name: str) -> str:
    """That the fact holds of no heap."""
    return f"fact {name!r}, no heap"


def fact_of_more(name: str) -> str:
    """That the fact holds of one heap more."""
    return f"fact {name!r}, one more heap"


def step(name: str) -> str:
    """That it follows from the hypotheses and the steps before it."""
    return f"step {name!r}"


def claim_where(words: str) -> str:
    """The claim in one of the cases it is split into."""
    return f"claim, where {words}"


class Named(Protocol):
    """A move that a proof names."""

    @property
    def player(self) -> int | None:
        """Whose it is; None: every player's."""

    @property
    def to_loss(self) -> bool:
        """Whether it leads to a position that is lost."""


M = TypeVar("M", bound=Named)


@dataclass(frozen=True)
class MoveNames:
    """The obligations of a named move, or of a case in it. `start`: "reply 1", "reply 1.2"."""

    start: str
    who: str

    @property
    def heap(self) -> str:
        """That there is a heap to pick."""
        return f"{self.start}{self.who}: heap"

    @property
    def covered(self) -> str:
        """That, whatever heap is picked, one of the cases in it holds."""
        return f"{self.start}{self.who}: the cases cover"

    @property
    def legal(self) -> str:
        return f"{self.start}{self.who}: legal"

    @property
    def to_loss(self) -> str:
        return f"{self.start}{self.who}: leads to a loss"

    def then(self, number: int) -> MoveNames:
        """A case in it."""
        return MoveNames(f"{self.start}.{number}", self.who)


@dataclass(frozen=True, eq=False)
class Turn:
    """`mover` is to move, then `following`: indices of players, both 0 where all have the same moves."""

    game: Game
    mover: int
    following: int

    @property
    def player(self) -> str:
        """The mover by name; "" where all have the same moves."""
        return "" if self.game.ruleset.impartial else self.game.ruleset.players[self.mover]

    @property
    def who(self) -> str:
        return f" ({self.player} to move)" if self.player else ""

    @property
    def closed(self) -> str:
        """That no move leads from a loss to a loss."""
        return f"closed{self.who}"

    @property
    def covered(self) -> str:
        """That the replies cover every position that is not lost."""
        return f"cases cover{self.who}"

    @property
    def movable(self) -> str:
        """Misere play: that some named move is for every loss."""
        return f"stuck{self.who}: the cases cover every loss"

    def replies(self, moves: Iterable[M]) -> list[tuple[MoveNames, M]]:
        """The moves that a proof names to a loss of the next player, with the names of their obligations."""
        return self._named(moves, "reply", to_loss=True)

    def others(self, moves: Iterable[M]) -> list[tuple[MoveNames, M]]:
        """The other named moves, which show that there is one."""
        return self._named(moves, "stuck", to_loss=False)

    def _named(self, moves: Iterable[M], kind: str, to_loss: bool) -> list[tuple[MoveNames, M]]:
        own = (m for m in moves if m.player in (None, self.mover) and m.to_loss is to_loss)
        return [(MoveNames(f"{kind} {number}", self.who), move) for number, move in enumerate(own, 1)]


def turns_of(game: Game) -> Iterator[Turn]:
    """A turn for each who moves differently. Raises Unsupported for other games than those of two players."""
    ruleset = game.ruleset
    if len(ruleset.players) != 2:
        raise Unsupported("the outcome rule is about two players")
    for mover in movers(game):
        yield Turn(game, mover, 0 if ruleset.impartial else 1 - mover)
