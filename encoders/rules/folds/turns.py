"""Whose turn it is in a proof of who wins; and what each obligation of the rule is called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from claims.language.statement.claim import Game
from encoders.answer import Unsupported
from encoders.logic.moves import movers

COLUMN = "pick top bit: a 1 in the nim-sum is an odd number of ones, one more heap"
LOWERED = "pick top bit: such a heap is lowered"
EXTREMES_NONE = "least and largest heap, no heap"
EXTREMES_MORE = "least and largest heap, one more heap"
PRODUCT = "product of naturals"
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


M_co = TypeVar("M_co", bound=Named, covariant=True)


class WithMoves(Protocol[M_co]):
    """A proof that names moves."""

    @property
    def moves(self) -> tuple[M_co, ...]: ...


@dataclass(frozen=True)
class MoveNames:
    """The obligations of one named move."""

    heap: str
    legal: str
    to_loss: str


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

    def replies(self, proof: WithMoves[M_co]) -> list[tuple[MoveNames, M_co]]:
        """The named moves to a loss of the next player, with the names of their obligations."""
        return self._named(proof, "reply", to_loss=True)

    def others(self, proof: WithMoves[M_co]) -> list[tuple[MoveNames, M_co]]:
        """The other named moves, which show that there is one."""
        return self._named(proof, "stuck", to_loss=False)

    def _named(self, proof: WithMoves[M_co], kind: str, to_loss: bool) -> list[tuple[MoveNames, M_co]]:
        moves = [m for m in proof.moves if m.player in (None, self.mover) and m.to_loss is to_loss]
        found = []
        for number, move in enumerate(moves, 1):
            start = f"{kind} {number}{self.who}"
            names = MoveNames(f"{start}: heap", f"{start}: legal", f"{start}: leads to a loss")
            found.append((names, move))
        return found


def turns_of(game: Game) -> Iterator[Turn]:
    """A turn for each who moves differently. Raises Unsupported for other games than those of two players."""
    ruleset = game.ruleset
    if len(ruleset.players) != 2:
        raise Unsupported("the outcome rule is about two players")
    for mover in movers(game):
        yield Turn(game, mover, 0 if ruleset.impartial else 1 - mover)
