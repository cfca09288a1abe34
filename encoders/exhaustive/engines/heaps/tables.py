"""The answers to all questions about positions of at most one heap, as tables by parameters, mover and heap."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from claims.language.expressions.walk import free_names
from claims.language.ground.errors import NimChecksError
from claims.language.statement.rulesets import Ruleset
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import SAFE, BadRuleset
from encoders.exhaustive.arrays.values import Array, Scalars, make_constant
from encoders.exhaustive.engines.heaps.atoms import Unread, substitute_values
from encoders.exhaustive.engines.heaps.code import Code, ends
from encoders.exhaustive.engines.heaps.intervals import IntervalSolution, read_windows
from encoders.exhaustive.engines.heaps.reading import read_code
from encoders.exhaustive.engines.heaps.takes import TakeWinners
from encoders.exhaustive.engines.heaps.values import CodeValues
from encoders.exhaustive.moves.evaluator import Evaluator
from encoders.exhaustive.moves.moves import Moves, Parameters, bind_parameters

# -- that moves end ---------------------------------------------------------------------------------------------------
# That the moves on heaps end: the measure of a ruleset, as a sum of weights of the heaps.

HEAP = "heap'"


class Unweighed(NimChecksError):
    """A measure that is no sum of weights, none of them negative; positions are then weighed as a whole."""


def weigh_heaps(ruleset: Ruleset, evaluator: Evaluator, parameters: Parameters, size: int) -> Array:
    """What the heaps 0..size weigh, (size + 1,) of natural numbers, 0 for no heap.

    The measure of a position is the sum over its heaps, and a constant that is not negative. Raises Unweighed.
    """
    if ruleset.measure is None:
        return np.arange(size + 1)
    heap, constant = _take_apart(ruleset.measure)
    frame = Frame(1, size, bind_parameters(ruleset, [parameters]))
    frame.names[HEAP] = Scalars(np.arange(1, size + 1)[None, :])
    weights = np.zeros(size + 1, dtype=np.int64)
    for out, term in ((weights[1:], heap), (None, constant)):
        if term is None:
            continue
        value = evaluator.evaluate(term, frame)
        if not isinstance(value, Scalars) or value.bad is not None or value.data.dtype == object:
            raise Unweighed
        if out is not None:
            out[:] = value.data[0]
        if (value.data.size and int(value.data.min()) < 0) or int(np.abs(value.data).max(initial=0)) > SAFE // 4:
            raise Unweighed
    return weights


def _take_apart(measure: t.Term) -> tuple[t.Term | None, t.Term | None]:
    """What a heap weighs, a term in HEAP, and what every position weighs besides; None for 0. Raises Unweighed."""
    heap = t.Variable(INT, 0, 0, HEAP)
    match measure:
        case t.Operation(op="sum", args=(t.Variable(name="s"),)):
            return heap, None
        case t.Operation(op="len", args=(t.Variable(name="s"),)):
            return t.Literal(INT, 0, 0, 1), None
        case t.Comprehension(reducer="sum", body=body, clauses=(t.Clause(variable, t.Variable(name="s"), ()),)):
            if "s" in free_names(body):
                raise Unweighed
            return substitute_values(body, {variable: heap}), None
        case t.Operation(op="add" | "sub" as op, args=(a, b)):
            first, second = _take_apart(a), _take_apart(b)
            return _join(op, first[0], second[0]), _join(op, first[1], second[1])
        case t.Operation(op="mul", args=(a, b)):
            factor, rest = (a, b) if "s" not in free_names(a) else (b, a)
            if "s" in free_names(factor):
                raise Unweighed
            inner = _take_apart(rest)
            return _join("mul", factor, inner[0]), _join("mul", factor, inner[1])
    if "s" in free_names(measure):
        raise Unweighed
    return None, measure


def _join(op: str, a: t.Term | None, b: t.Term | None) -> t.Term | None:
    if b is None:
        return None if op == "mul" else a
    return _operate(op, t.Literal(INT, 0, 0, 0) if a is None else a, b)


def _operate(op: str, a: t.Term, b: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, op, (a, b))


# -- every move on every heap -----------------------------------------------------------------------------------------
# Moves of any form on one heap, found by evaluating them, some heaps at a time: where no code can be read.

_PICKS = 300_000  # about so many moves at once
_EVERY = 256  # heaps between two looks at the clock


@dataclass(frozen=True)
class _Options:
    """The moves of one mover on consecutive heaps: on the i-th the columns cuts[i]..cuts[i + 1] of `sizes`."""

    cuts: list[int]
    sizes: Array  # (heaps made, moves)


class ListedMoves:
    """Solves the heaps 0..len(values[0]) - 1, mover by mover: Grundy values, of one mover, or offsets of the winner.

    `weights` in what is called: (size + 1,), see `weigh_heaps`.
    """

    def __init__(self, moves: Moves, parameters: Parameters, movers: int, players: int, grundy: bool) -> None:
        self.moves, self.parameters, self.players, self.grundy = moves, parameters, players, grundy
        self.stuck = 0 if moves.ruleset.stuck_wins or grundy else players - 1
        self.values: list[list[int]] = [[self.stuck] for _ in range(movers)]
        self.movable: list[list[bool]] = [[False] for _ in range(movers)]
        self.splits = False  # whether some move left two heaps

    def extend(self, size: int, weights: Array) -> None:
        """Solve the heaps up to `size`; what was solved before an error stays.

        Raises OutOfTime; BadRuleset for a move that does not make the weight less, Unread for one that leaves a heap
        that is no smaller, though the weight is less.
        """
        start, width, clock = len(self.values[0]), 64, self.moves.evaluator.clock
        if start > size:
            return
        known = np.zeros((len(self.values), size + 1), dtype=np.int64)
        known[:, :start] = self.values
        seen = np.zeros(1024, dtype=np.int64)  # the last heap from which a value could be reached
        while start <= size:
            heaps = np.arange(start, min(start + width, size + 1))
            options = [self._list(heaps, mover, weights) for mover in range(len(known))]
            for i, h in enumerate(heaps.tolist()):
                if not h % _EVERY:
                    clock.check()
                for mover, found in enumerate(options):
                    sizes = found.sizes[:, found.cuts[i] : found.cuts[i + 1]]
                    self.movable[mover].append(bool(sizes.shape[1]))
                    if self.grundy:
                        values = known[0][sizes[0]]
                        for more in sizes[1:]:
                            values = values ^ known[0][more]
                        if values.size and (top := int(values.max())) >= len(seen) - 1:
                            seen = np.append(seen, np.zeros(2 * top, dtype=np.int64))
                        seen[values] = h
                        value = int((seen != h).argmax())
                    else:
                        value = self._find_winner(known[(mover + 1) % len(known)], sizes)
                    known[mover, h] = value
                    self.values[mover].append(value)
            picks = max(x.cuts[-1] for x in options)
            width = max(1, min(4 * width, _PICKS * len(heaps) // max(picks, 1)))
            start += len(heaps)

    def _find_winner(self, following: Array, sizes: Array) -> int:
        if not sizes.shape[1]:
            return self.stuck
        left = sizes[0] if len(sizes) == 1 else sizes.sum(axis=0)
        return int(((following[left] + 1) % self.players).min())

    def _list(self, heaps: Array, mover: int, weights: Array) -> _Options:
        """The moves on consecutive heaps, each checked."""
        ruleset, parts = self.moves.ruleset, [np.zeros((2, 0), dtype=np.int64)]
        for move in ruleset.moves:
            names = bind_parameters(ruleset, [self.parameters]) | {"mover": make_constant(mover)}
            names[move.heaps[0]] = Scalars(heaps[None, :])
            for picked in self.moves.list_picks(move, Frame(1, len(heaps), names)):
                rows = np.zeros((max(len(picked.sizes), 1) + 1, len(picked.owner)), dtype=np.int64)
                rows[0] = heaps[picked.owner]
                for i, sizes in enumerate(picked.sizes):
                    rows[i + 1] = sizes
                parts.append(rows)
        width = max(map(len, parts))
        whole = np.concatenate([np.pad(x, ((0, width - len(x)), (0, 0))) for x in parts], axis=1)
        if (whole[0, 1:] < whole[0, :-1]).any():  # those of one kind come heap by heap
            whole = whole[:, np.argsort(whole[0], kind="stable")]
        self._check(whole[0], whole[1:], weights)
        self.splits |= bool((np.count_nonzero(whole[1:], axis=0) > 1).any())
        return _Options(np.searchsorted(whole[0], np.arange(heaps[0], heaps[-1] + 2)).tolist(), whole[1:])

    def _check(self, heaps: Array, sizes: Array, weights: Array) -> None:
        """Raises BadRuleset or Unread."""
        if int(weights.max(initial=0)) * len(sizes) >= SAFE:
            raise Unread("large weights")
        grown = np.asarray(sizes.max(axis=0, initial=0) >= heaps)
        wrong = grown | (weights[np.where(grown, 0, sizes)].sum(axis=0) >= weights[heaps])
        if not wrong.any():
            return
        ruleset, at = self.moves.ruleset, int(np.argmax(wrong))
        if ruleset.measure is not None and grown[at]:
            raise Unread("a heap that does not become smaller")
        left = " and ".join(str(x) for x in sizes[:, at].tolist() if x) or "nothing"
        what = "total" if ruleset.measure is None else "measure"
        raise BadRuleset(
            f"a move of {ruleset.id} makes {left} of a heap of {heaps[at]}: it does not decrease the {what}"
        )


# -- tables -----------------------------------------------------------------------------------------------------------
BY_CODE, BY_MOVES = "heaps", "heaps by moves"
"""The engines, by name: what may be taken was read from the rules; every move on every heap was looked at."""

MOST = 12_000_000  # objects in a heap; heaps that large are played from those that are asked about
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
    values: CodeValues | None = None
    winners: TakeWinners | None = None
    intervals: IntervalSolution | None = None
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
        found = [(q, game.values.values.tolist()) for q, game in self._games.items() if game.values is not None]
        return found + [(q, x.values) for q, game in self._games.items() if (x := game.intervals) and x.values]

    def list_winners(self) -> list[tuple[Parameters, list[list[int]]]]:
        """Likewise who wins: by mover, of an impartial ruleset one for all, the offsets from the heap 0 on."""
        found = [(q, game.winners.values) for q, game in self._games.items() if game.winners is not None]
        return found + [(q, x.winners) for q, game in self._games.items() if (x := game.intervals) and x.winners]

    def reads(self, parameters: list[Parameters]) -> bool:
        """Whether a code was read, so that large heaps are solved without a look at every move. Raises OutOfTime."""
        return all((game := self._find(choice)).codes or game.intervals for choice in parameters)

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
        if game.intervals is not None:
            with suppress(Unread):  # of other questions they may tell
                return self._solve_intervals(question, game.intervals, choice, players, size)
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
                self._games[choice] = _Game(None, intervals=self._find_intervals(choice))
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
                game.values = CodeValues(code, clock)
            game.values.extend(size, end, one)
            self.summed |= any(taken + 3 <= size for taken in code.two)
            self.summed |= any(taken + 2 <= size for taken in code.equal)
            return game.values.values[None, : size + 1]
        if game.winners is None:
            game.winners = TakeWinners(len(codes), players, self.ruleset.stuck_wins, clock)
        game.winners.extend(size, [end for end, _ in takes], [one for _, one in takes])
        offsets = np.array([row[: size + 1] for row in game.winners.values])
        return offsets == 0 if question == "wins" else offsets

    def _find_intervals(self, choice: Parameters) -> IntervalSolution | None:
        try:
            read_windows(self.ruleset, self.moves.evaluator, choice, mover=0, size=1)
        except Unread:
            return None
        return IntervalSolution()

    def _solve_intervals(
        self, question: str, game: IntervalSolution, choice: Parameters, players: int, size: int
    ) -> Array:
        """By what moves may leave. Raises Unread."""
        movers, stuck = 1 if self.ruleset.impartial else players, 0 if self.ruleset.stuck_wins else players - 1
        evaluator = self.moves.evaluator
        windows = [read_windows(self.ruleset, evaluator, choice, mover, size) for mover in range(movers)]
        found = game.answer(question, windows, players, stuck, evaluator.clock)
        self.engines.add(BY_CODE)
        return found

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
