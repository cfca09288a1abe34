"""The moves and values of single heaps, and the positions from which the mover loses, without a claim or scope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from claims.language.errors import NimChecksError
from claims.language.files.claim import Claim, Description, Game
from claims.language.files.domains import ClaimVariable, Positions
from claims.language.files.rulesets import Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Position, Value, limit_players, write_heap
from claims.language.syntax.printing import find_free_names, print_term
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, Type
from encoders.compute.arrays.evaluate import FrameEvaluator, Sheet
from encoders.compute.arrays.heap_codes import Code, Unread, read_code
from encoders.compute.arrays.heap_tables import SingleHeaps
from encoders.compute.arrays.limits import BadRuleset, Deadline, OutOfTime, TooLarge
from encoders.compute.arrays.moves import Moves, Parameters
from encoders.compute.arrays.positions import Pool, PositionSet
from encoders.compute.arrays.values import Array, Frame, Ragged, Scalars, list_distinct
from encoders.refusals import Unsupported

# == P-positions ======================================================================================================
# The positions from which the mover loses, among the positions whose heaps are at most those of a given position.
#
# The referee checks such a list by the rules of play.
MOST, SECONDS_FOR_LOST = 1_000_000, 60.0  # limits: the number of positions, and the time


def make_claim(ruleset: Ruleset, parameters: Mapping[str, Value], name: str, conclusion: t.Term | None = None) -> Claim:
    """Return a claim about every position s of a game with the given parameters.

    `name`: the name of the game in the conclusion. `conclusion`: a term about s; None for "true".
    """
    arguments = tuple((p.name, _write(parameters[p.name], p.type)) for p in ruleset.parameters)
    return Claim(
        id="",
        description=Description(ruleset.title),
        quantifier="forall",
        variables=(ClaimVariable("s", POSITION, Positions(), "position"),),
        games=(Game(name, ruleset, arguments),),
        hypothesis=None,
        conclusion=conclusion or t.Literal(BOOL, 0, 0, 1),
        texts=(),
        scopes=(),
        source=ruleset.source,
    )


def _write(value: Value, kind: Type) -> t.Term:
    if isinstance(value, tuple):
        return t.Collection(kind, 0, 0, tuple(_write(x, INT) for x in value))
    assert isinstance(value, int)
    return t.Literal(INT, 0, 0, value)


def list_losing(
    ruleset: Ruleset, parameters: Mapping[str, Value], greatest: Position
) -> tuple[frozenset[Position], ...] | None:
    """Return, for each player, the positions bounded by `greatest` from which this player loses as the mover.

    Only one set is returned for an impartial game. A position is bounded by `greatest` if its largest heap is at most
    the largest heap of `greatest`, its second largest heap at most the second largest, and so on. Return None if a
    limit is reached, or if the engines do not support the game.
    """
    rows = list(islice(_list_below(greatest), MOST + 1))
    if len(rows) > MOST:
        return None
    name, s = "game", t.Variable(POSITION, 0, 0, "s")
    sheet = Sheet(make_claim(ruleset, parameters, name), (), Deadline(SECONDS_FOR_LOST))
    lost = []
    for mover in range(1 if ruleset.impartial else len(ruleset.players)):
        asked = t.GameCall(BOOL, 0, 0, "wins", name, (s, t.Literal(PLAYER, 0, 0, mover)))
        try:
            wins = sheet.evaluate_positions(asked, "s", np.array(rows, dtype=np.int64))
        except (OutOfTime, TooLarge, Unsupported, BadRuleset, MemoryError):
            return None
        lost.append(frozenset(tuple(h for h in row if h) for row, won in zip(rows, wins, strict=False) if not won))
    return tuple(lost)


def _list_below(greatest: Position, least: int = 0) -> Iterator[Position]:
    """Yield the ascending sequences of numbers from `least` on that are at most `greatest`, element by element.

    A number 0 means no heap. For `greatest` = (1, 2) they are (0, 0), (0, 1), (0, 2), (1, 1), (1, 2).
    """
    if not greatest:
        yield ()
        return
    for first in range(least, greatest[0] + 1):
        for rest in _list_below(greatest[1:], first):
            yield (first, *rest)


# == single heaps =====================================================================================================
# Moves and values of single heaps of a game with known parameters, outside any scope.
SECONDS = 60  # default time limit for all computations for one game


class NoSingleHeaps(NimChecksError):
    """The moves or values of single heaps cannot be computed; the message gives the reason."""


@dataclass(frozen=True)
class ReadMoves:
    """The moves of one mover on a single heap, by the number of objects taken and the heaps that remain.

    `end[t]`: whether the mover may take t objects and leave nothing.
    `one[t]`: whether the mover may take t objects and leave one heap.
    `tail`: two truth values, which replace `end[t]` and `one[t]` for every t beyond these tuples.
    `two`: the numbers of objects that the mover may take and leave two different heaps.
    `equal`: the numbers of objects that the mover may take and leave two equal heaps.
    """

    end: tuple[bool, ...]
    one: tuple[bool, ...]
    tail: tuple[bool, bool]
    two: tuple[int, ...]
    equal: tuple[int, ...]


class HeapsAlone:
    """The moves and values of the single heaps of a game whose parameters are constants.

    Raises NoSingleHeaps for other parameters, and for parameters outside their domains.
    """

    def __init__(self, game: Game, seconds: float = SECONDS) -> None:
        self.ruleset = game.ruleset
        self._evaluator = FrameEvaluator(Pool(PositionSet(np.zeros((1, 1), dtype=np.int64))), Deadline(seconds), {})
        given = dict(game.arguments)
        self.parameters: Parameters = tuple(self._value(p.name, given[p.name]) for p in self.ruleset.parameters)
        for p, value in zip(self.ruleset.parameters, self.parameters, strict=True):
            if isinstance(value, int) and not p.admits(value):
                raise NoSingleHeaps(
                    f"{p.name} = {write_heap(value)} is outside the domain of this parameter in {self.ruleset.id}"
                )
        named = dict(zip((p.name for p in self.ruleset.parameters), self.parameters, strict=True))
        players = len(self.ruleset.players) or named[self.ruleset.player_count]
        assert isinstance(players, int)
        if over := limit_players(players):
            raise NoSingleHeaps(over.replace("_", " "))
        self.players = players

    def _value(self, name: str, term: t.Term) -> int | tuple[int, ...]:
        """Return the value of a parameter: a number, or the elements of a set or list. Raise NoSingleHeaps."""
        if any(find_free_names(term)):
            expected = "expected a constant number, set or list"
            raise NoSingleHeaps(f"the parameter {name} is {print_term(term)}, which depends on variables; {expected}")
        value = self._evaluator.evaluate(term, Frame(1, 1))
        if isinstance(value, Scalars) and value.bad is None:
            return int(value.data[0, 0])
        if isinstance(value, Ragged) and value.bad is None and value.items.dtype != object:
            items = list_distinct(value.items) if term.type.kind == "set" else value.items
            return tuple(items.tolist())
        raise NoSingleHeaps(f"the parameter {name} is {print_term(term)}, which is undefined or too large")

    @cached_property
    def _moves(self) -> Moves:
        return Moves(self.ruleset, self._evaluator)

    @cached_property
    def _heaps(self) -> SingleHeaps:
        return SingleHeaps(self._moves)

    @property
    def movers(self) -> int:
        """1 for an impartial game, in which all players have the same moves; otherwise the number of players."""
        return 1 if self.ruleset.impartial else self.players

    def read_moves(self) -> list[ReadMoves]:
        """Return the moves of each mover, for heaps of every size. Raise NoSingleHeaps."""
        if self.ruleset.measure is not None:
            raise NoSingleHeaps(f"{self.ruleset.id} declares a measure")
        if self.ruleset.sees_position or any(len(m.heaps) != 1 or m.choose == "each" for m in self.ruleset.moves):
            raise NoSingleHeaps("a move depends on more than one heap")
        return [self._read(mover) for mover in range(self.movers)]

    def _read(self, mover: int) -> ReadMoves:
        try:
            code = read_code(self.ruleset, self._evaluator, self.parameters, mover)
            if any(kind.sieve is not None for kind in code.kinds):
                raise NoSingleHeaps(
                    "the numbers taken have no upper bound, and a condition such as m % 2 == 1 restricts them"
                )
            size = _find_size(code)
            end, one = code.list_takes(size)
        except Unread as error:
            reason = f": {error}" if str(error) else ""
            raise NoSingleHeaps(f"the numbers that may be taken from a heap cannot be derived{reason}") from None
        except (TooLarge, OutOfTime, BadRuleset) as error:
            raise NoSingleHeaps(
                f"the numbers that may be taken from a heap are too expensive to derive{_behind(error)}"
            ) from None
        if one[0] or end[0] or 0 in (*code.two, *code.equal):
            raise NoSingleHeaps("a move takes nothing")
        first, second = (any(kind.tail[i] for kind in code.kinds) for i in (0, 1))
        return ReadMoves(tuple(end.tolist()), tuple(one.tolist()), (first, second), code.two, code.equal)

    def solve(self, question: str, size: int) -> Array:
        """Return an array: element [mover, h] is the value of a single heap h, for h = 0, ..., `size`.

        `question`: "grundy" for the Grundy value; "value" for the winner: 0 is the mover, 1 the next player, and so on.
        Raise NoSingleHeaps if it cannot be computed.
        """
        if not self._heaps.serves(question):
            raise NoSingleHeaps(f"`{question}` is not supported for single heaps of {self.ruleset.id}")
        try:
            rows = self._heaps.tabulate(question, [self.parameters], np.array([self.players]), size)
        except (TooLarge, OutOfTime, BadRuleset) as error:
            raise NoSingleHeaps(f"the heaps up to {size} are too expensive to solve{_behind(error)}") from None
        if rows is None:
            raise NoSingleHeaps(f"the heaps up to {size} are too expensive to solve")
        return rows[0, :, : size + 1].astype(np.int64)


def _find_size(code: Code) -> int:
    """Return a number n: whether a move may take more than n objects does not depend on how many more it takes."""
    lengths = [len(x) for kind in code.kinds for x in (kind.end, kind.one)]
    return max([*lengths, *(taken + 1 for taken in (*code.two, *code.equal)), 1])


def _behind(error: Exception) -> str:
    return f": {error}" if str(error) else ""
