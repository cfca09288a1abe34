"""What positions of two players under normal play are worth to Left, the first of them, by playing them to the end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from checks.judgement.solving.canonical import Form, Games
from checks.judgement.solving.solution import PartizanValue
from checks.judgement.solving.thermographs import Thermographs
from checks.referee.meaning import LimitReached, Steps
from checks.referee.play import Game, moves_in_one_heap
from claims.language.builtins.meanings import Position

COMPARISONS = 2_000_000  # of games


def find_partizan(game: Game, places: Sequence[Position]) -> list[PartizanValue | None]:
    """Canonical form, mean value and temperature of each; None from the first on that is too much to find.

    Raises IllDefined where the rules have no value.
    """
    games = Games(Steps(COMPARISONS))
    played, thermographs = _Played(game, games), Thermographs(games)
    found: list[PartizanValue | None] = []
    with suppress(LimitReached, RecursionError):
        for s in places:
            form = played.form(s)
            thermograph = thermographs.of(form)
            found.append(PartizanValue(games.name(form), str(thermograph.mean), str(thermograph.temperature)))
    return found + [None] * (len(places) - len(found))


class _Played:
    """Canonical forms of positions. Where every move is of one heap alone, a position is the sum of its heaps."""

    def __init__(self, game: Game, games: Games) -> None:
        self.game, self.games = game, games
        self.apart = moves_in_one_heap(game.ruleset)
        self._forms: dict[Position, Form] = {}

    def form(self, s: Position) -> Form:
        """The canonical form of a position."""
        found = self._forms.get(s)
        if found is None:
            found = self._forms[s] = self._add_up(s) if self.apart and len(s) > 1 else self._play(s)
        return found

    def _play(self, s: Position) -> Form:
        return self.games.make(*([self.form(x) for x in self.game.options(s, mover)] for mover in (0, 1)))

    def _add_up(self, s: Position) -> Form:
        found = self.games.zero
        for heap in s:
            found = self.games.add(found, self.form((heap,)))
        return found
