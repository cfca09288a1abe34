"""The tables that come with an answer: each is verified when it is first asked for, and is none if it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from checks.referee.meaning import IllDefined, LimitReached
from checks.referee.play import RefereeGame
from checks.tables.breaking import Unknown
from checks.tables.losing import Lost, LostPositions
from checks.tables.verification import Rows, verify, verify_winners
from claims.language.builtins.meanings import Position, Setting

MOST_PROPOSED = 4  # lists of lost positions for one answer
Propose = Callable[[Setting, RefereeGame, Position], Lost | None]
_T = TypeVar("_T", bound=Sequence[object])


def propose_nothing(key: Setting, game: RefereeGame, greatest: Position) -> Lost | None:
    """For answers that are not worth a search for a list."""
    return None


class HeapTables:
    """The tables of one answer, about the heaps 0, 1, ... of a game of the claim with its parameters.

    `values`: their Grundy values; `winners`: who wins from them, as `checks.tables.verification` says.
    """

    def __init__(
        self,
        values: Mapping[Setting, Sequence[int]] = MappingProxyType({}),
        winners: Mapping[Setting, Rows] = MappingProxyType({}),
        steps: int = 0,
        propose: Propose = propose_nothing,
    ) -> None:
        """`steps`: for the verification of one, which none is believed without.

        `propose`: for a setting and a position which positions are lost, of those of no more and no larger heaps.
        """
        self.steps, self.propose = steps, propose
        self._losing: dict[Setting, LostPositions | None] = {}
        self._proposed = 0
        self._values, self._winners = values, winners
        self._verified: dict[tuple[Setting, bool], Sequence[int]] = {}
        self._won: dict[Setting, Rows] = {}

    def proposing(self, propose: Propose) -> HeapTables:
        """The same tables, beside lists of lost positions that somebody proposes."""
        made = HeapTables(self._values, self._winners, self.steps, propose)
        made._verified, made._won = self._verified, self._won
        return made

    def find_values(self, key: Setting, game: RefereeGame) -> Sequence[int]:
        """The values of the heaps from 0 on, verified; empty where there is no table, or none that can be verified.

        Raises WrongTable.
        """
        known = key, game.sums
        if known not in self._verified:
            self._verified[known] = self._verify(verify, game, self._values.get(key, ()), ())
        return self._verified[known]

    def find_winners(self, key: Setting, game: RefereeGame) -> Rows:
        """Who wins from the heaps from 0 on, likewise. Raises WrongTable."""
        if key not in self._won:
            self._won[key] = self._verify(verify_winners, game, self._winners.get(key, ()), ())
        return self._won[key]

    def tell_winner(self, key: Setting, game: RefereeGame, s: Position, mover: int) -> bool | None:
        """Whether the mover wins from a position of several heaps; None where nothing is proposed or verified.

        Raises WrongTable.
        """
        try:
            if key not in self._losing:
                self._losing[key] = self._make_losing(key, game, s)
            known = self._losing[key]
            if known is not None and not known.covers(s) and self._proposed < MOST_PROPOSED:
                known = self._losing[key] = self._make_losing(key, game, s)
            return None if known is None else known.wins(s, mover)
        except (Unknown, IllDefined, LimitReached):
            self._losing.setdefault(key, None)
            return None

    def _make_losing(self, key: Setting, game: RefereeGame, s: Position) -> LostPositions | None:
        self._proposed += 1
        lost = self.propose(key, game, s)
        return None if lost is None else LostPositions(game, lost, s, self.steps)

    def _verify(self, check: Callable[[RefereeGame, _T, int], None], game: RefereeGame, table: _T, none: _T) -> _T:
        try:
            if table:
                check(game, table, self.steps)
        except (Unknown, IllDefined, LimitReached):
            return none
        return table
