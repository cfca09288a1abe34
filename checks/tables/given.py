"""The tables that come with an answer: each is verified when it is first asked for, and is none if it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from checks.referee.meaning import IllDefined, LimitReached
from checks.referee.play import Game
from checks.tables.breaking import Unknown
from checks.tables.verification import Rows, verify, verify_winners
from claims.language.builtins.meanings import Setting

_T = TypeVar("_T", bound=Sequence[object])


class HeapTables:
    """The tables of one answer, about the heaps 0, 1, ... of a game of the claim with its parameters.

    `values`: their Grundy values; `winners`: who wins from them, as `checks.tables.verification` says.
    """

    def __init__(
        self,
        values: Mapping[Setting, Sequence[int]] = MappingProxyType({}),
        winners: Mapping[Setting, Rows] = MappingProxyType({}),
        steps: int = 0,
    ) -> None:
        """`steps`: for the verification of one, which none is believed without."""
        self.steps = steps
        self._values, self._winners = values, winners
        self._verified: dict[tuple[Setting, bool], Sequence[int]] = {}
        self._won: dict[Setting, Rows] = {}

    def find_values(self, key: Setting, game: Game) -> Sequence[int]:
        """The values of the heaps from 0 on, verified; empty where there is no table, or none that can be verified.

        Raises WrongTable.
        """
        known = key, game.sums
        if known not in self._verified:
            self._verified[known] = self._verify(verify, game, self._values.get(key, ()), ())
        return self._verified[known]

    def find_winners(self, key: Setting, game: Game) -> Rows:
        """Who wins from the heaps from 0 on, likewise. Raises WrongTable."""
        if key not in self._won:
            self._won[key] = self._verify(verify_winners, game, self._winners.get(key, ()), ())
        return self._won[key]

    def _verify(self, check: Callable[[Game, _T, int], None], game: Game, table: _T, none: _T) -> _T:
        try:
            if table:
                check(game, table, self.steps)
        except (Unknown, IllDefined, LimitReached):
            return none
        return table
