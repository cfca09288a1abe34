"""What a position of two players under normal play is worth to Left, the first of them, by playing it to the end."""

from __future__ import annotations

from checks.judgement.solving.canonical import Form, Games
from checks.judgement.solving.solution import PartizanValue
from checks.judgement.solving.thermographs import Thermographs
from checks.referee.meaning import LimitReached, Steps
from checks.referee.play import Game
from claims.language.builtins.meanings import Position
from claims.language.statement.rulesets import Ruleset

COMPARISONS = 2_000_000  # of games


def find_partizan(game: Game, s: Position) -> PartizanValue:
    """Its canonical form, mean value and temperature. Raises IllDefined, and LimitReached where it is too large."""
    try:
        games = Games(Steps(COMPARISONS))
        form = _Played(game, games).form(s)
        thermograph = Thermographs(games).of(form)
        name = games.name(form, thermograph.mean)
    except RecursionError:
        raise LimitReached("play goes too deep") from None
    return PartizanValue(name, str(thermograph.mean), str(thermograph.temperature))


class _Played:
    """Canonical forms of positions. Where every move is of one heap alone, a position is the sum of its heaps."""

    def __init__(self, game: Game, games: Games) -> None:
        self.game, self.games = game, games
        self.apart = _is_of_one_heap(game.ruleset)
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


def _is_of_one_heap(ruleset: Ruleset) -> bool:
    alone = all(move.choose == "any" and len(move.heaps) == 1 for move in ruleset.moves)
    return alone and not ruleset.sees_position
