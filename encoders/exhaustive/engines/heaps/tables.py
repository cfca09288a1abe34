"""The answers to all questions about positions of at most one heap, as tables by parameters, mover and heap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from claims.language.statement.rulesets import Ruleset
from claims.language.terms import terms as t
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.engines.heaps.atoms import Unread
from encoders.exhaustive.engines.heaps.code import Code
from encoders.exhaustive.engines.heaps.listed import ListedMoves
from encoders.exhaustive.engines.heaps.measure import Unweighed, ends, weigh_heaps
from encoders.exhaustive.engines.heaps.reading import read_code
from encoders.exhaustive.engines.heaps.splits import SplitValues
from encoders.exhaustive.engines.heaps.takes import TakeValues, TakeWinners
from encoders.exhaustive.moves.moves import Moves, Parameters

BY_CODE, BY_MOVES = "heaps", "heaps by moves"
"""The engines, by name: what may be taken was read from the rules; every move on every heap was looked at."""

MOST = 3_000_000  # objects in a heap; heaps that large are played from those that are asked about
MOST_LISTED = 50_000  # the same, where every move on every heap would be looked at: a billion of them


def stays_one(ruleset: Ruleset) -> bool:
    """Whether every move on one heap leaves at most one."""
    return all(sum(not _is_nothing(x) for x in m.become) <= 1 for m in ruleset.moves)


def _is_nothing(term: t.Term) -> bool:
    return isinstance(term, t.Literal) and term.value == 0


@dataclass
class _Game:
    """One ruleset under one choice of parameters: what was read of it and what is solved. `codes`: by mover."""

    codes: list[Code] | None
    values: TakeValues | SplitValues | None = None
    winners: TakeWinners | None = None
    listed: dict[bool, ListedMoves] | None = None


class SingleHeaps:
    """The moves of one ruleset on a single heap. `summed`: whether Grundy values of two heaps were added.

    `engines`: the names of those that solved something.
    """

    def __init__(self, moves: Moves) -> None:
        self.moves, self.ruleset = moves, moves.ruleset
        self.summed, self.engines = False, set[str]()
        ruleset = self.ruleset
        plain = not ruleset.sees_position and all(len(m.heaps) == 1 and m.choose != "each" for m in ruleset.moves)
        self._one = plain and stays_one(ruleset)
        self._sums = plain and ruleset.impartial and all(m.choose == "any" for m in ruleset.moves)
        self._valued = self._sums and not ruleset.stuck_wins  # the loser is who meets a value of 0, if there are two
        self._games: dict[Parameters, _Game] = {}
        self._tables: dict[str, tuple[list[Parameters], Array]] = {}

    def serves(self, question: str) -> bool:
        """Whether a question of Board.ask about single heaps can be answered here."""
        if question == "grundy":
            return self.ruleset.impartial and not self.ruleset.stuck_wins and (self._one or self._sums)
        if question == "movable":
            return self._one or self._valued
        return (self._one or (self._valued and len(self.ruleset.players) == 2)) and question in ("wins", "value")

    @property
    def splits(self) -> bool:
        """Whether some move may leave two heaps: every other engine plays all sums of heaps."""
        return not self._one

    def forget(self) -> None:
        """Drop what was solved."""
        self._games, self._tables = {}, {}

    @property
    def volume(self) -> int:
        """How many answers the tables have."""
        return sum(table.size for _, table in self._tables.values())

    def list_values(self) -> list[tuple[Parameters, list[int]]]:
        """The Grundy values that were computed by codes, by parameters: those of the heaps from 0 on."""
        return [(q, game.values.values) for q, game in self._games.items() if game.values is not None]

    def list_winners(self) -> list[tuple[Parameters, list[list[int]]]]:
        """Likewise who wins: by mover, of an impartial ruleset one for all, the offsets from the heap 0 on."""
        return [(q, game.winners.values) for q, game in self._games.items() if game.winners is not None]

    def reads(self, parameters: list[Parameters]) -> bool:
        """Whether a code was read, so that large heaps are solved without a look at every move. Raises OutOfTime."""
        return all(self._find(choice).codes is not None for choice in parameters)

    def tabulate(self, question: str, parameters: list[Parameters], players: Array, size: int) -> Array | None:
        """Answers by parameters, mover and heap, (Q, P, size + 1) or larger; P is 1 for an impartial ruleset.

        `question`: grundy, wins, value, or movable (whether there is a move). None where the heaps are too large, or
        the measure is no sum over heaps.  Raises BadRuleset, TooLarge, OutOfTime.
        """
        if size > MOST:
            return None
        known, table = self._tables.get(question, ([], np.zeros((0, 0, 0), dtype=np.int64)))
        if known == parameters and table.shape[2] > size:
            return table
        movers = 1 if self.ruleset.impartial else int(players.max())
        rows = np.zeros(
            (len(parameters), movers, size + 1), dtype=bool if question in ("wins", "movable") else np.int64
        )
        for q, (choice, number) in enumerate(zip(parameters, players.tolist(), strict=True)):
            found = self._answer(question, choice, number, size)
            if found is None:
                return None
            rows[q, : len(found)] = found
        self._tables[question] = list(parameters), rows
        return rows

    def _answer(self, question: str, choice: Parameters, players: int, size: int) -> Array | None:
        """Of one choice of parameters: (mover, heap)."""
        if self.splits and question in ("wins", "value"):
            values = self._answer("grundy", choice, players, size)
            return None if values is None else values != 0 if question == "wins" else (values == 0).astype(np.int64)
        try:
            weights = weigh_heaps(self.ruleset, self.moves.evaluator, choice, size)
        except Unweighed:
            return None
        game = self._find(choice)
        if game.codes is not None:
            try:
                if all(ends(code, weights) for code in game.codes):
                    found = self._solve(question, game, game.codes, players, size)
                    self.engines.add(BY_CODE)
                    return found
            except Unread:
                game.codes = None
        return self._list(question, game, choice, players, weights)

    def _find(self, choice: Parameters) -> _Game:
        if choice not in self._games:
            given = dict(zip((p.name for p in self.ruleset.parameters), choice, strict=True))
            players = len(self.ruleset.players) or given[self.ruleset.player_count]
            assert isinstance(players, int)
            try:
                movers = range(1 if self.ruleset.impartial else players)
                codes = [read_code(self.ruleset, self.moves.evaluator, choice, mover) for mover in movers]
            except Unread:
                self._games[choice] = _Game(None)
            else:
                self._games[choice] = _Game(codes)
        return self._games[choice]

    def _solve(self, question: str, game: _Game, codes: list[Code], players: int, size: int) -> Array:
        """By the codes. Raises Unread."""
        takes, clock = [code.list_takes(size) for code in codes], self.moves.evaluator.clock
        if question == "movable":
            rows = [end | np.append(False, np.logical_or.accumulate(one)[:-1]) for end, one in takes]
            return np.array([row | code.may_split(size) for row, code in zip(rows, codes, strict=True)])
        if question == "grundy":
            (code,), (end, one) = codes, takes[0]
            if game.values is None:
                game.values = SplitValues(code, clock) if code.splits else TakeValues(clock)
            game.values.extend(size, end, one)
            self.summed |= any(taken + 3 <= size for taken in code.two)
            self.summed |= any(taken + 2 <= size for taken in code.equal)
            return np.array([game.values.values[: size + 1]])
        if game.winners is None:
            game.winners = TakeWinners(len(codes), players, self.ruleset.stuck_wins, clock)
        game.winners.extend(size, [end for end, _ in takes], [one for _, one in takes])
        offsets = np.array([row[: size + 1] for row in game.winners.values])
        return offsets == 0 if question == "wins" else offsets

    def _list(self, question: str, game: _Game, choice: Parameters, players: int, weights: Array) -> Array | None:
        """By every move on every heap; None where there would be too many."""
        if len(weights) > MOST_LISTED:
            return None
        movers, size = 1 if self.ruleset.impartial else players, len(weights) - 1
        grundy = question == "grundy" or self.splits
        game.listed = game.listed or {}
        if grundy not in game.listed:
            game.listed[grundy] = ListedMoves(self.moves, choice, movers, players, grundy)
        listed = game.listed[grundy]
        try:
            listed.extend(size, weights)
        except Unread:
            return None
        self.engines.add(BY_MOVES)
        self.summed |= question == "grundy" and listed.splits
        found = np.array([row[: size + 1] for row in (listed.movable if question == "movable" else listed.values)])
        return found == 0 if question == "wins" else found
