"""Games solved over a box of positions, as constraints for a solver.

The values are an uninterpreted function of the position, with equations for each position. A value is the winner,
counted in turns from the player to move: 0 if the player to move wins, 1 if the next player wins, and so on. Each
player moves so that this number is as small as possible. A Grundy value is the least value that no option has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from math import comb
from typing import Protocol

from claims.language.errors import NimChecksError
from claims.language.files.claim import Claim, Game
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Pick
from claims.language.syntax import terms as t
from claims.language.syntax.questions import QUESTIONS
from encoders.bounded.numbers import (
    Elements,
    Items,
    Position,
    SymbolicOperations,
    Value,
    as_number,
    as_position,
    make_word,
)
from encoders.logic.smt import (
    FALSE,
    TRUE,
    WORD,
    Declaration,
    SmtFormula,
    SmtNumber,
    WordKind,
    conditional,
    conjunction,
    disjunction,
    implies,
    negate_formula,
)
from encoders.refusals import Unsupported

# -- moves ------------------------------------------------------------------------------------------------------------
# The moves of a game at a position with symbolic heaps: each option with the condition that it is legal.

Env = Mapping[str, Value]
"""Variable -> its symbolic value."""


class TermReading(Protocol):
    """A translator of terms into symbolic values. Each method may raise Unsupported and ReadingOutOfTime."""

    def value(self, term: t.Term, env: Env) -> Value: ...

    def truth(self, term: t.Term, env: Env) -> SmtFormula: ...

    def number(self, term: t.Term, env: Env) -> SmtNumber: ...


def follow(
    values: SymbolicOperations, reader: TermReading, move: Move, s: Position, env: Env
) -> Iterator[tuple[SmtFormula, Position]]:
    """Yield (condition that the move is legal, resulting position) for each way to make one kind of move.

    `s`: the position before, with heaps that may be symbolic. `env`: the values of the parameters and of the mover.
    Raises Unsupported if a term of the rules has no translation.
    """
    n = values.numbers
    for i, h in enumerate(s):
        there = _may_choose(values, move, s, i)
        if there is FALSE:
            continue
        with values.needs.assuming(there):
            for legal, new in _pick(values, reader, move, h, env):
                inside = conjunction((there, legal, n.relation("ge", new, values.zero), n.relation("lt", new, h)))
                if inside is not FALSE:
                    yield inside, n.sort([*s[:i], *s[i + 1 :], new.narrow(0, h.hi)])


def _may_choose(values: SymbolicOperations, move: Move, s: Position, place: int) -> SmtFormula:
    """Return the condition under which the move may choose the heap with the index `place` in s.

    The heap must not be empty, and must be a smallest or largest heap if the move requires this. Of several equal heaps
    only the last one may be chosen, because the others would lead to the same options.
    """
    n, h = values.numbers, s[place]
    conditions = [n.relation("gt", h, values.zero)]
    last = place + 1 == len(s)
    if move.choose == "smallest" and place:
        conditions.append(n.equal(s[place - 1], values.zero))
    if move.choose == "any" and not last:  # one of several equal heaps is enough
        conditions.append(n.relation("ne", h, s[place + 1]))
    return FALSE if move.choose == "largest" and not last else conjunction(conditions)


def _pick(
    values: SymbolicOperations, reader: TermReading, move: Move, heap: SmtNumber, env: Env
) -> Iterator[tuple[SmtFormula, SmtNumber]]:
    """Yield (condition that the move is legal, size after it) for each choice of the numbers that the mover picks.

    Also record the requirement that a legal move leaves a smaller heap whose size is at least 0.
    """
    n = values.numbers
    ways: list[tuple[SmtFormula, Env]] = [(TRUE, {**env, move.heaps[0]: heap})]
    for pick in move.picks:
        more: list[tuple[SmtFormula, Env]] = []
        for present, inner in ways:
            with values.needs.assuming(present):
                elements = _range_of(values, reader, pick, inner)
            both = ((conjunction((present, p)), v) for p, v in elements)
            more += [(there, {**inner, pick.name: v}) for there, v in both if there is not FALSE]
        ways = more
    for present, inner in ways:
        with values.needs.assuming(present):
            legal = present if move.where is None else conjunction((present, reader.truth(move.where, inner)))
            with values.needs.assuming(legal):
                new = reader.number(move.become[0], inner)
                smaller = conjunction((n.relation("ge", new, values.zero), n.relation("lt", new, heap)))
                values.needs.require(implies(legal, smaller))
        yield legal, new


def _range_of(values: SymbolicOperations, reader: TermReading, pick: Pick, env: Env) -> Elements:
    """Return the numbers that the mover may pick, each with its condition. Raise Unsupported without an upper bound."""
    if not isinstance(pick.domain, IntervalDomain):
        return values.elements(reader.value(pick.domain, env))
    if pick.domain.hi is None:
        raise Unsupported(f"{pick.name} has no upper bound")
    low, high = reader.number(pick.domain.lo, env), reader.number(pick.domain.hi, env)
    return values.range(low, values.numbers.add(high, values.one)).items


# -- play -------------------------------------------------------------------------------------------------------------
# The rules of one game of a claim at positions with symbolic heaps: parameters, players, options.


SymbolicOptions = tuple[tuple[SmtFormula, Position], ...]
"""The options of a position, each with the condition that the move is legal."""


class UnrolledGame:
    """The rules of one game of the claim, applied to positions whose heaps may be symbolic.

    `root`: the symbolic values of the variables of the claim, on which the arguments of the game may depend.
    The constructor raises Unsupported unless every move only makes one heap smaller.
    """

    def __init__(self, values: SymbolicOperations, reader: TermReading, game: Game, root: Env) -> None:
        if not game.ruleset.single_heap:
            raise Unsupported(
                f"{game.ruleset.id}: only moves that make one heap smaller and depend on no other heap, "
                "without `measure`, have a translation into constraints"
            )
        self.values, self.reader, self.game, self.root = values, reader, game, root

    @property
    def players(self) -> SmtNumber:
        """The number of players, which is symbolic if it is a parameter of the ruleset."""
        ruleset = self.game.ruleset
        if ruleset.players:
            return self.values.numbers.literal(len(ruleset.players))
        return self.reader.number(dict(self.game.arguments)[ruleset.player_count], self.root)

    @property
    def movers(self) -> range:
        """The indices of the players whose moves must be considered: only 0 if the game is impartial, otherwise all."""
        return range(1 if self.game.ruleset.impartial else len(self.game.ruleset.players))

    def require_player(self, mover: SmtNumber) -> None:
        """Record the requirement that a number is the index of a player."""
        n = self.values.numbers
        self.values.needs.require(n.relation("ge", mover, self.values.zero), n.relation("lt", mover, self.players))

    def options(self, s: Position, mover: SmtNumber) -> SymbolicOptions:
        """Return the options of a position, each with the condition under which the move is legal.

        Also record the conditions under which the rules are defined at this position.
        """
        n, needs, ruleset = self.values.numbers, self.values.needs, self.game.ruleset
        env = {name: self.reader.value(term, self.root) for name, term in self.game.arguments}
        for p in ruleset.parameters:
            if p.kind == "int":
                value = as_number(env[p.name])
                needs.require(n.relation("ge", value, n.literal(p.lo)))
                if p.hi is not None:
                    needs.require(n.relation("le", value, n.literal(p.hi)))
        self.require_player(mover)
        env["mover"] = mover
        return tuple(x for move in ruleset.moves for x in follow(self.values, self.reader, move, s, env))


# -- unrolled ---------------------------------------------------------------------------------------------------------
MAX_POSITIONS = 260  # positions in the box of one game


class Beyond(NimChecksError):
    """An error: the claim asks about a position outside the box of solved positions. `box`: a box that contains it."""

    def __init__(self, box: PositionBox) -> None:
        super().__init__()
        self.box = box


@dataclass(frozen=True)
class PositionBox:
    """A finite set of positions: those with at most `heaps` heaps, each of at most `size` objects."""

    heaps: int
    size: int

    def require(self, s: Position) -> None:
        """Raise Beyond if the position may be outside the box, judged by the bounds of its heaps."""
        size = max((h.hi for h in s), default=0)
        if size > self.size or len(s) > self.heaps:
            raise Beyond(PositionBox(max(len(s), self.heaps), max(size, self.size)))

    def positions(self, values: SymbolicOperations) -> Iterator[Position]:
        """Yield all positions of the box by ascending total. Heaps of size 0 fill a position up to `heaps` heaps.

        Raise Unsupported if there are too many positions, and ReadingOutOfTime.
        """
        count = comb(self.size + self.heaps, self.heaps)
        if count > MAX_POSITIONS:
            raise Unsupported(
                f"too large: the game has {count} positions in the scope; at most {MAX_POSITIONS} are supported"
            )
        for heaps in sorted(combinations_with_replacement(range(self.size + 1), self.heaps), key=sum):
            values.needs.check_time()
            yield tuple(map(values.numbers.literal, heaps))

    def declare(self, name: str) -> Declaration:
        """Return the declaration of a solver's function from the positions of the box to words."""
        return Declaration(name, WORD, (WORD,) * self.heaps)


@dataclass(frozen=True, eq=False)
class SymbolicTable:
    """The values of all positions of a box, as unknown functions for which a solver has equations.

    `functions`: the function for each player to move; only one function if the game is impartial.
    `most`: an upper bound of the values.
    `equations`: the equations that define the functions.
    `needed`: the conditions under which the rules are defined at all positions of the box.
    """

    box: PositionBox
    functions: tuple[Declaration, ...]
    most: int
    equations: tuple[SmtFormula, ...] = ()
    needed: SmtFormula = TRUE

    def value(self, values: SymbolicOperations, s: Position, mover: int = 0) -> SmtNumber:
        """Return the value of a position, which may be symbolic. Raise Beyond if it may be outside the box.

        `mover`: the index of the player to move; it does not matter if the game is impartial.
        """
        self.box.require(s)
        function = self.functions[0] if len(self.functions) == 1 else self.functions[mover]
        row = (values.zero,) * (self.box.heaps - len(s)) + s
        return make_word(function.apply(*(h.as_kind(WordKind.WORD) for h in row)), 0, self.most)


def solve_values(play: UnrolledGame, box: PositionBox) -> SymbolicTable:
    """Return the table of the winners from all positions, counted in turns from the player to move.

    Raise Unsupported if the rules have no translation or the box is too large, and ReadingOutOfTime.
    """
    movers = [f"value in {play.game.name} for {m}" for m in play.movers]
    solved = SymbolicTable(box, tuple(map(box.declare, movers)), max(play.players.hi - 1, 1))
    with play.values.needs.apart() as needed:
        equations = [
            x for m in play.movers for s in box.positions(play.values) for x in _equate_value(play, solved, s, m)
        ]
    return replace(solved, equations=tuple(equations), needed=conjunction(needed))


def _equate_value(play: UnrolledGame, solved: SymbolicTable, s: Position, mover: int) -> Iterator[SmtFormula]:
    """Yield the formulas that determine the value of one position from the values of its options."""
    values, n, ruleset, players = play.values, play.values.numbers, play.game.ruleset, play.players
    following = 0 if ruleset.impartial else (mover + 1) % len(ruleset.players)
    here = solved.value(values, s, mover)
    options = play.options(s, n.literal(mover))
    attained: list[SmtFormula] = []
    for legal, option in options:
        one_more = n.add(solved.value(values, option, following), values.one)
        after = n.choose(n.equal(one_more, players), values.zero, one_more)
        attained.append(conjunction((legal, n.equal(here, after))))
        yield implies(legal, n.relation("le", here, after))
    some = disjunction(legal for legal, _ in options)
    stuck = values.zero if ruleset.stuck_wins else n.sub(players, values.one)
    yield conditional(some, disjunction(attained), n.equal(here, stuck))
    yield n.relation("ge", here, values.zero)
    yield n.relation("lt", here, players)


def solve_grundy_values(play: UnrolledGame, box: PositionBox) -> SymbolicTable:
    """Return the table of the Grundy values of all positions. Raise the same exceptions as `solve_values`."""
    most = (1 << (box.heaps * box.size).bit_length()) - 1
    solved = SymbolicTable(box, (box.declare(f"grundy in {play.game.name}"),), most)
    with play.values.needs.apart() as needed:
        equations = [x for s in box.positions(play.values) for x in _equate_grundy_value(play, solved, s)]
    return replace(solved, equations=tuple(equations), needed=conjunction(needed))


def _equate_grundy_value(play: UnrolledGame, solved: SymbolicTable, s: Position) -> Iterator[SmtFormula]:
    """Yield the formulas that determine the Grundy value of one position from the values of its options.

    Also record the requirement that all players have the same options.
    """
    values, n = play.values, play.values.numbers
    options = play.options(s, values.zero)
    for other in map(n.literal, play.movers[1:]):
        values.needs.require(values.same(Items("set", options), Items("set", play.options(s, other))))
    here = solved.value(values, s)
    reached = [(legal, solved.value(values, option)) for legal, option in options]
    for legal, value in reached:
        yield implies(legal, n.relation("ne", here, value))
    total = sum(h.lo for h in s)
    for less in map(n.literal, range(total)):
        values.needs.check_time()
        found = disjunction(conjunction((legal, n.equal(value, less))) for legal, value in reached)
        yield implies(n.relation("gt", here, less), found)
    yield n.relation("ge", here, values.zero)
    yield n.relation("le", here, n.literal(total))


# -- tables -----------------------------------------------------------------------------------------------------------
# Game calls of a claim, answered by the rules or by a table of the game over a box of positions.


class SymbolicGameTables:
    """The tables that answer game calls of a claim, such as `wins(s, P)`. Each table is made when it is first needed.

    `root`: the symbolic values of the variables of the claim.
    `box`: the positions of which each table contains the values.
    """

    def __init__(self, claim: Claim, values: SymbolicOperations, root: Env, box: PositionBox) -> None:
        self.claim, self.values, self.root, self.box = claim, values, root, box
        self._solved: dict[tuple[str, str], SymbolicTable] = {}

    @property
    def functions(self) -> tuple[Declaration, ...]:
        """The functions of all tables, which every question to the solver must declare."""
        return tuple(f for solved in self._solved.values() for f in solved.functions)

    @property
    def equations(self) -> tuple[SmtFormula, ...]:
        """The equations of all tables, which every question to the solver must assert."""
        return tuple(x for solved in self._solved.values() for x in solved.equations)

    def ask(self, reader: TermReading, call: t.GameCall, args: Sequence[Value]) -> Value:
        """Return the symbolic value of a game call. `args`: the symbolic values of its arguments.

        Raise Unsupported if it has no translation, Beyond if the position may be outside the box, and ReadingOutOfTime.
        """
        play = UnrolledGame(self.values, reader, self.claim.game(call.game), self.root)
        s = as_position(args[0])
        if QUESTIONS[call.function].mover:
            play.require_player(as_number(args[-1]))
        match call.function:
            case "options":
                return Items("set", play.options(s, as_number(args[1])))
            case "terminal":
                return negate_formula(disjunction(p for p, _ in play.options(s, as_number(args[1]))))
            case "legal":
                return self.values.contains(play.options(s, as_number(args[2])), args[1])
            case "wins":
                return self._wins(play, s, as_number(args[1]))
            case "value":
                return self._value(play, s, _mover(play, as_number(args[1])))
            case "outcome":
                return self._outcome(play, s)
            case "grundy":
                return self._solve(play, "grundy", s, solve_grundy_values).value(self.values, s)
        raise Unsupported(f"{call.function} has no translation into constraints")

    def _solve(
        self, play: UnrolledGame, what: str, s: Position, solve: Callable[[UnrolledGame, PositionBox], SymbolicTable]
    ) -> SymbolicTable:
        """Return the table for a game and a question such as "grundy" (`what`). `solve` makes it on first use.

        Also record the requirement that the rules are defined at all positions of the table. Raise Beyond if `s` may be
        outside the box.
        """
        self.box.require(s)
        key = play.game.name, what
        if key not in self._solved:
            self._solved[key] = solve(play, self.box)
        self.values.needs.require(self._solved[key].needed)
        return self._solved[key]

    def _value(self, play: UnrolledGame, s: Position, mover: int) -> SmtNumber:
        return self._solve(play, "value", s, solve_values).value(self.values, s, mover)

    def _mover_wins(self, play: UnrolledGame, s: Position, mover: int) -> SmtFormula:
        return self.values.numbers.equal(self._value(play, s, mover), self.values.zero)

    def _wins(self, play: UnrolledGame, s: Position, mover: SmtNumber) -> SmtFormula:
        """Return the formula that the player `mover`, to move at s, wins. The player may be symbolic."""
        n = self.values.numbers
        if len(play.movers) == 1:
            return self._mover_wins(play, s, 0)
        movers = range(max(mover.lo, 0), min(mover.hi + 1, len(play.movers)))
        return disjunction(conjunction((n.equal(mover, n.literal(m)), self._mover_wins(play, s, m))) for m in movers)

    def _outcome(self, play: UnrolledGame, s: Position) -> SmtNumber:
        n = self.values.numbers
        first, second = (self._mover_wins(play, s, m) for m in (0, 1))
        index = {name: n.literal(i) for i, name in enumerate(t.OUTCOMES)}
        lost = n.choose(second, index["second_wins"], index["P_position"])
        return n.choose(first, n.choose(second, index["N_position"], index["first_wins"]), lost)


def _mover(play: UnrolledGame, mover: SmtNumber) -> int:
    """Return the index of the function in a table for this player to move: 0 if the game is impartial.

    Otherwise the player must be a literal. Raise Unsupported if it is not, or if there is no such player.
    """
    if len(play.movers) == 1:
        return 0
    if mover.value is None:
        raise Unsupported("the player in a call of `value` or `wins` must be given by name or number")
    if mover.value not in play.movers:
        raise Unsupported("the player in a call of `value` or `wins` may not be a player of the game")
    return mover.value
