"""The solver for positions: the winner for each player to move, the winning moves, and the partizan value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, cast

from checks.boards.question import (
    GAME,
    Given,
    PartizanValue,
    Solution,
    SolvedMove,
    SolvedTable,
    SolvedTurn,
    name_outcome,
    read_parameters,
    read_position,
    read_ruleset,
)
from checks.judgement.explain import describe_move, write_value
from checks.judgement.misplay import find_misplay, list_positions
from checks.judgement.routes import InternalFault
from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps, position_key
from checks.referee.play import SMALL, RefereeGame, can_play_apart, moves_in_one_heap
from claims.language.errors import ClaimError, SourceLocation, join_words, suggest_nearest
from claims.language.files.rulesets import Ruleset
from claims.language.syntax.grammar import digits
from claims.language.syntax.meanings import Position, Value, mex, nim_sum, position
from claims.language.syntax.terms import Type, position_of
from encoders.compute.arrays.limits import TooLarge
from encoders.compute.compound.order import Position as Heaps
from encoders.compute.compound.partizan import Games, Thermograph
from encoders.compute.compound.play import EnginePartizanValues

if TYPE_CHECKING:
    from checks.boards.engines import Engines


# == partizan =========================================================================================================
# Partizan values of positions of two players under normal play, computed from all followers. Left is the first player.
COMPARISONS = 2_000_000  # of games


def find_partizan(game: RefereeGame, places: Sequence[Position]) -> list[PartizanValue | None]:
    """Return the canonical form, mean value and temperature of each position, in the same order.

    If a position takes too long, the results for this position and for all later positions are None.
    Raises IllDefined if the rules are invalid.
    """
    worth = _make_values(game)
    found: list[PartizanValue | None] = []
    with suppress(LimitReached, RecursionError, TooLarge):
        for s in places:
            cooled = worth.find_thermograph(s)
            found.append(PartizanValue(worth.games.name(worth.form(s)), str(cooled.mean), str(cooled.temperature)))
    return found + [None] * (len(places) - len(found))


def _make_values(game: RefereeGame) -> EnginePartizanValues:
    reach = cast(Callable[[Heaps, int], tuple[Heaps, ...]], game.options)
    return EnginePartizanValues(reach, moves_in_one_heap(game.ruleset), Games(RefereeSteps(COMPARISONS)))


# == solver ===========================================================================================================
# The winner from a position for each player to move, and the winning moves.
#
# The referee first tries to solve the position by examining all options, within few steps. Then it tries verified
# tables of single heaps. Otherwise the engines of the exhaustive route solve the position. The referee always lists the
# moves. If a limit is reached, the value is unknown, and the solution names the limit.
SECONDS = 10.0  # for the engines
STEPS, MORE_STEPS = 300_000, 3_000_000  # of the referee: first attempt; for the moves of one position, and with tables
TO_THE_END = 6_000_000  # of the referee for the value of a partizan game: two or three seconds
MOST_PLAYERS = 64  # in a game that is solved for every player to move
MOST_CELLS = 20_000  # of a table
BY_SUMS = ", trusting the Sprague-Grundy theorem"
UNDEFINED = "the players have different moves at this position or at one of its followers"

TurnList = Sequence[tuple[Position, int]]
"""Pairs of a position and a player to move."""


def solve(ruleset: str, position: Given, /, **parameters: Given) -> Solution:
    """Solve a position: return the winner for each player to move, the winning moves, and the Grundy value.

    `ruleset`: a name, as in a claim file of the current folder, or the path of a ruleset file.
    `position`: the sizes of the heaps, or a text as on the command line.
    `parameters`: the values of the parameters of the ruleset, or texts as on the command line.
    Results that would take too long to compute are None. Raises ClaimError for invalid arguments.
    """
    found = read_ruleset(ruleset)
    solver = PositionSolver(found, read_parameters(found, parameters))
    return solver.solve(read_position(position, kind=solver.position))


@dataclass
class _Known:
    """The results that the solver knows so far. A position that is missing in a field has no known result there.

    `values`: the winner for each pair (position, mover), counted in turns from the mover.
    `drawn`: the pairs (position, mover) that are draws.
    `grundy`: the Grundy values.
    `undefined`: the reason why Grundy values are not defined, or "".
    `by`: the program that found the results.
    `limit`: the limit because of which a result is missing, or "".
    """

    values: dict[tuple[Position, int], int] = field(default_factory=dict)
    drawn: set[tuple[Position, int]] = field(default_factory=set)
    grundy: dict[Position, int] = field(default_factory=dict)
    undefined: str = ""
    by: str = "the referee"
    limit: str = ""


class PositionSolver:
    """A solver for positions of one ruleset with fixed parameters.

    `seconds`: the time limit for the engines, or None for no limit.
    """

    def __init__(self, ruleset: Ruleset, parameters: Mapping[str, Value], seconds: float | None = SECONDS) -> None:
        self.ruleset, self.parameters, self.seconds = ruleset, dict(parameters), seconds
        self._rules = self._make_game(MORE_STEPS)
        self.players = self._rules.players
        self._valued = self.players == 2 and ruleset.facts.normal  # whether Grundy values may be defined
        self._apart = self._valued and can_play_apart(ruleset)  # whether Grundy values of heaps may be added

    @property
    def position(self) -> Type:
        """The type of the positions of the ruleset."""
        return position_of(self.ruleset.facts.heap)

    def _make_game(self, steps: int, sums: bool = False) -> RefereeGame:
        return RefereeGame(self.ruleset, self.parameters, RefereeSteps(steps), sums)

    def say_game(self) -> str:
        """Return the title of the ruleset with its parameters."""
        given = (f"{p.name} = {write_value(self.parameters[p.name], p.type, ())}" for p in self.ruleset.parameters)
        return self.ruleset.title + (f" ({', '.join(given)})" if self.parameters else "")

    # -- players ------------------------------------------------------------------------------------------------------
    def read_mover(self, name: str) -> int:
        """Return the index, from 0, of the player with this name.

        If the ruleset does not name its players, `name` is the index as a text. Raises ClaimError if there is no such
        player.
        """
        names = self.ruleset.players
        if name in names:
            return names.index(name)
        if not names and re.fullmatch("[0-9]{1,9}", name) and int(name) < self.players:
            return int(name)
        known = (
            f"one of {join_words(names)}{suggest_nearest(name, names)}"
            if names
            else f"a number from 0 to {self.players - 1}"
        )
        raise ClaimError(SourceLocation("--mover"), f"the player {name!r} does not exist", known)

    def name_player(self, number: int) -> str:
        """Return the name of the player, or the number if players have no names."""
        return self.ruleset.players[number] if self.ruleset.players else str(number)

    def _list_movers(self, table: bool = False) -> tuple[int, ...]:
        """Return the players for whom a position is solved, as indices: only 0 in an impartial game, else all players.

        In an impartial game, the solution is the same for each player to move.
        `table`: whether the movers are for a table, which always contains every player to move. It changes only the
        message of the error. Raises ClaimError if there are too many players.
        """
        if not self.ruleset.impartial and self.players > MOST_PLAYERS:
            one = f"one player to move, such as --mover {self.name_player(0)}"
            raise ClaimError(
                SourceLocation("--table" if table else "--mover"),
                f"the game has {self.players} players with different moves, more than {MOST_PLAYERS}",
                f"a position instead of a table, and {one}" if table else one,
            )
        return (0,) if self.ruleset.impartial else tuple(range(self.players))

    def _turn(self, mover: int) -> int:
        """Return the index under which results for this mover are stored: 0 in an impartial game, else the player.

        `mover` may exceed the number of players; it is reduced modulo this number.
        """
        return 0 if self.ruleset.impartial else mover % self.players

    # -- a position ---------------------------------------------------------------------------------------------------
    def solve(self, s: Position, mover: int | None = None) -> Solution:
        """Solve a position if `mover` moves first, or, if `mover` is None, for each player to move.

        Raises ClaimError for invalid heaps or rules, and InternalFault if results contradict each other.
        """
        movers = self._list_movers() if mover is None else (mover,)
        try:
            s = self._make_game(MORE_STEPS).drop_vanished(s)
        except IllDefined as fault:
            parts = self.ruleset.heap.said if self.ruleset.heap else ""
            raise ClaimError(
                SourceLocation("POSITION"), str(fault), f"heaps with {parts}, as [heap] of the ruleset defines them"
            ) from None
        try:
            options, limit = self._list_options(s, movers)
            wanted = {(s, self._turn(x)) for x in movers}
            wanted |= {(o, self._turn(x + 1)) for x in movers for o in options[x] or ()}
            known = self._find(sorted(wanted, key=lambda x: (position_key(x[0]), x[1])), s)
        except IllDefined as fault:
            raise self._refuse(fault) from None
        turns = tuple(self._make_turn(s, x, mover is not None, options[x], known) for x in movers)
        everyone = movers == self._list_movers()
        why = known.undefined if self._valued else "it is defined only for two players under normal play"
        return Solution(
            ruleset=self.ruleset.id,
            game=self.say_game(),
            parameters=self.parameters,
            players=self.ruleset.players,
            position=s,
            outcome=self._name_outcome(tuple(x.value for x in turns)) if everyone else "",
            grundy=known.grundy.get(s),
            no_grundy="" if s in known.grundy else why,
            partizan=self._find_partizan([s])[0] if known.undefined and everyone else None,
            turns=turns,
            by=known.by,
            limit=limit or known.limit,
        )

    def _name_outcome(self, values: tuple[int | None, ...]) -> str:
        """Return the outcome as in `name_outcome`. `values`: the result for each player to move, or None.

        If players have preferences, return "", because they do not always play to win.
        """
        return "" if self._rules.ending.prefer is not None else name_outcome(values, self.players)

    def _find_partizan(self, places: Sequence[Position]) -> list[PartizanValue | None]:
        """Return the values of the positions as partizan games, in the same order.

        A value is None if it takes too long to compute. If the rules are invalid, all values are None.
        """
        with suppress(IllDefined):
            return find_partizan(self._make_game(TO_THE_END), places)
        return [None] * len(places)

    def find_thermograph(self, s: Position) -> Thermograph | None:
        """Return the thermograph of a position; None if it takes too long to compute."""
        with suppress(IllDefined, LimitReached, RecursionError, TooLarge):
            return _make_values(self._make_game(TO_THE_END)).find_thermograph(s)
        return None

    def _refuse(self, fault: IllDefined) -> ClaimError:
        with suppress(LimitReached):
            found = find_misplay(self._make_game(MORE_STEPS), list_positions())
            if found is not None:
                return found
        return ClaimError(
            SourceLocation(self.ruleset.source.name),
            str(fault),
            "a ruleset whose expressions have a value at the position and at all its followers",
        )

    def _list_options(self, s: Position, movers: Iterable[int]) -> tuple[dict[int, tuple[Position, ...] | None], str]:
        """Return the options of a position for each mover, and a text.

        If there are too many options for a mover, None replaces them, and the text states the limit that was reached.
        Otherwise the text is "".
        """
        game, limit = self._make_game(MORE_STEPS), ""
        options: dict[int, tuple[Position, ...] | None] = {}
        for mover in movers:
            try:
                options[mover] = game.options(s, mover)
            except LimitReached as reached:
                options[mover], limit = None, f"the moves are not listed: {reached}"
        return options, limit

    def _make_turn(
        self, s: Position, mover: int, named: bool, options: tuple[Position, ...] | None, known: _Known
    ) -> SolvedTurn:
        """Return the result if `mover` moves first at `s`, from the known results of `s` and of its options.

        `named`: whether the result names the mover, even in an impartial game.
        `options`: the options of `s`, or None if there are too many.
        Raises InternalFault if the results of the options contradict the result of `s`.
        """
        turn, moves = (s, self._turn(mover)), None
        value, drawn = known.values.get(turn), turn in known.drawn
        if options is not None:
            follow = [(o, self._turn(mover + 1)) for o in options]
            after = [known.values.get(x) for x in follow]
            reached = [None if v is None else (v + 1) % self.players for v in after]
            value = self._compare_with(s, mover, value, reached)
            moves = tuple(
                SolvedMove(
                    o, describe_move(s, o), None if v is None else v == 0, v, known.grundy.get(o), x in known.drawn
                )
                for o, v, x in zip(options, reached, follow, strict=True)
            )
            values = [known.grundy[o] for o in options if o in known.grundy]
            if s in known.grundy and len(values) == len(options):
                _agree(s, known.grundy[s], mex(values))
        named = named or not self.ruleset.impartial
        winner = self.name_player((mover + value) % self.players) if named and value is not None else ""
        return SolvedTurn(self.name_player(mover) if named else "", value, winner, moves, drawn)

    def _compare_with(self, s: Position, mover: int, value: int | None, reached: list[int | None]) -> int | None:
        """Compute the value of a position again, from the values of its options, and return it.

        `value`: the known value of the position, or None. It is returned if too few values of options are known.
        `reached`: for each option, the value for `mover` after the move to this option, or None if it is unknown.
        Raises InternalFault if the computed value differs from `value`.
        """
        offers = [v for v in reached if v is not None]
        best = self._rules.choose(offers) if offers else None
        if None in reached and best != self._rules.preferred[0]:
            return value
        due = self._rules.end(s, mover) if best is None else best
        if due is not None:  # None if the game ends in a draw at `s`
            _agree(s, value, due)
        return due

    # -- a table ------------------------------------------------------------------------------------------------------
    def tabulate(self, heaps: int, least: int, greatest: int) -> SolvedTable:
        """Solve all positions of `heaps` heaps (1 or 2) with sizes from `least` to `greatest`.

        Raises ClaimError if `heaps` is another number, the heaps have parts, the game may have draws, the table is too
        large, too many players have different moves, or the rules are invalid.
        """
        if heaps not in (1, 2):
            raise ClaimError(
                SourceLocation("--heaps"), f"a table of positions of {heaps} heaps cannot be drawn", "1 or 2"
            )
        if self.ruleset.heap is not None:
            raise ClaimError(
                SourceLocation("--table"),
                f"the heaps of {self.ruleset.id} have parts, so there is no table",
                "a position instead of a table",
            )
        if self.ruleset.ending.may_draw:
            raise ClaimError(SourceLocation("--table"), self.ruleset.unusual, "a position instead of a table")
        sizes, movers = range(least, greatest + 1), self._list_movers(table=True)
        if (cells := (greatest - least + 1) ** heaps) > MOST_CELLS:
            raise ClaimError(
                SourceLocation("--table"),
                f"the table has {digits(cells)} positions",
                f"a table of at most {MOST_CELLS} positions",
            )
        places = sorted({position(x) for x in combinations_with_replacement(sizes, heaps)}, key=position_key)
        try:
            known = self._find([(s, mover) for s in places for mover in movers], None)
        except IllDefined as fault:
            raise self._refuse(fault) from None
        cells = [position((a,)) for a in sizes] if heaps == 1 else [position((a, b)) for b in sizes for a in sizes]
        values = tuple(tuple(known.values.get((s, mover)) for s in cells) for mover in movers)
        return SolvedTable(
            ruleset=self.ruleset.id,
            game=self.say_game(),
            parameters=self.parameters,
            players=self.ruleset.players,
            heaps=heaps,
            least=least,
            greatest=greatest,
            movers=tuple("" if self.ruleset.impartial else self.name_player(mover) for mover in movers),
            values=values,
            outcomes=tuple(map(self._name_outcome, zip(*values, strict=True))),
            grundy=tuple(known.grundy.get(s) for s in cells) if known.grundy else None,
            partizan=tuple(self._find_partizan(cells)) if known.undefined and heaps == 1 else None,
            by=known.by,
            limit=known.limit,
        )

    # -- the values ---------------------------------------------------------------------------------------------------
    def _find(self, wanted: TurnList, s: Position | None) -> _Known:
        """Find the winner for each wanted pair (position, player to move), and the Grundy values of these positions.

        `s`: the position that the question is about; None if the question is about a table. If the Grundy value of
        `s` (or, for a table, of any wanted position) is not defined, the result contains no Grundy values.
        The referee solves the positions. If it reaches its limit, the engines solve them. If the engines do not support
        the game, the referee tries again with the Grundy values of single heaps.
        """
        alone = self.ruleset.heap is not None or bool(self.ruleset.unusual)  # no engine supports these
        first = self._play(self._make_game(STEPS if self._apart or not alone else MORE_STEPS), wanted, s)
        if not first.limit or (alone and not self._apart):
            return first
        if alone:
            known = self._play(self._make_game(MORE_STEPS, sums=True), wanted, s)
            known.by += BY_SUMS
            return known
        from checks.boards.engines import Engines
        from checks.referee.tables import WrongTable

        engines = Engines(self.ruleset, self.parameters, self.seconds)
        try:
            second = self._look_up(engines, wanted, s)
        except WrongTable as wrong:
            raise InternalFault("while solving", wrong) from None
        if second is not None and not second.limit:
            return second
        try:
            return self._ask(engines, wanted, s)
        except LimitReached as reached:
            first.limit = str(reached)
            return first

    def _list_valued(self, wanted: TurnList, s: Position | None) -> list[Position]:
        """Return the wanted positions, each once, first `s` if it is not None.

        Return [] unless the game is for two players under normal play, because Grundy values are not defined otherwise.
        """
        first = [] if s is None else [s]
        return list(dict.fromkeys([*first, *(place for place, _ in wanted)])) if self._valued else []

    def _play(self, game: RefereeGame, wanted: TurnList, s: Position | None) -> _Known:
        """Let the referee solve the wanted pairs (position, player to move), by examining all followers.

        Results that the referee cannot find within its step limit are missing.
        """
        known = _Known()
        for place, mover in wanted:
            try:
                if self.ruleset.ending.may_draw and game.draws(place, mover):
                    known.drawn.add((place, mover))
                else:
                    known.values[place, mover] = game.value(place, mover)
            except LimitReached as reached:
                known.limit = str(reached)
        try:
            for place in self._list_valued(wanted, s):
                known.grundy[place] = game.grundy(place)
        except LimitReached as reached:
            known.limit = str(reached)
        except IllDefined:
            if self.ruleset.impartial:
                raise
            known.undefined, known.grundy = UNDEFINED, {}
        return known

    def _look_up(self, engines: Engines, wanted: TurnList, s: Position | None) -> _Known | None:
        """Let the referee solve the wanted pairs with the help of tables that contain the results of single heaps.

        The engines compute a table, and the referee verifies it. Return None if no suitable table is possible.
        """
        apart = self._apart
        heap = max((h for place, _ in wanted for h in place), default=0)
        several = any(len(place) > 1 for place, _ in wanted)
        if (heap <= SMALL or several) and not apart:
            return None
        game, key = self._make_game(MORE_STEPS, sums=apart), (GAME, tuple(self.parameters.items()))
        if heap > SMALL:
            try:
                tables = engines.make_tables(heap, {mover for _, mover in wanted}, apart, MORE_STEPS)
            except LimitReached:
                return None
            game.table, game.winners = partial(tables.find_values, key, game), partial(tables.find_winners, key, game)
        known = self._play(game, wanted, s)
        if game.looked_up:
            known.by += f" with a verified table of the heaps 0..{max(game.looked_up.values())}"
        known.by += BY_SUMS if apart else ""
        return known

    def _add_up(self, engines: Engines, wanted: TurnList, s: Position | None) -> _Known:
        """Solve the wanted pairs by the Sprague-Grundy theorem.

        The Grundy value of a position is the nim-sum of the Grundy values of its heaps, which the engines compute.
        Raises LimitReached.
        """
        heaps = sorted({h for place, _ in wanted for h in place})
        found = engines.find_grundy([(h,) for h in heaps])
        assert found is not None  # the ruleset is impartial
        values = dict(zip(heaps, found, strict=True))
        grundy = {place: nim_sum(values[h] for h in place) for place in self._list_valued(wanted, s)}
        known = _Known({(place, mover): int(not grundy[place]) for place, mover in wanted}, grundy=grundy)
        known.by = f"{_name_engines(engines)}{BY_SUMS}"
        return known

    def _ask(self, engines: Engines, wanted: TurnList, s: Position | None) -> _Known:
        """Solve the wanted pairs (position, player to move) by the engines. Raises LimitReached."""
        known = _Known()
        if self._apart:
            return self._add_up(engines, wanted, s)
        for mover in sorted({mover for _, mover in wanted}):
            places = [place for place, other in wanted if other == mover]
            found = engines.find_values(places, mover)
            known.values |= {(place, mover): value for place, value in zip(places, found, strict=True)}
        places = self._list_valued(wanted, s)
        first = places[:1] if s is not None else places
        if first and engines.find_grundy(first) is None:
            known.undefined = UNDEFINED
        elif first and (values := engines.find_grundy(places)) is not None:
            known.grundy = dict(zip(places, values, strict=True))
        known.by = _name_engines(engines)
        known.by += BY_SUMS if engines.trusted else ""
        return known


def _name_engines(engines: Engines) -> str:
    return f"the engines of the exhaustive route ({', '.join(sorted(engines.names))})"


def _agree(s: Position, found: int | None, due: int) -> None:
    if found not in (None, due):
        raise InternalFault(
            "while solving", AssertionError(f"the value of {s} is {found}, but the options of {s} give {due}")
        )
