"""Questions about the games of a claim, answered by the rules or by a table of the game over a box of positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from claims.language.expressions.questions import QUESTIONS
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from encoders.bounded.moves import Env, TermReading
from encoders.bounded.numbers import Position
from encoders.bounded.unrolled import Play, PositionBox, SolvedBox, solve_grundy_values, solve_values
from encoders.bounded.values import Items, Value, Values, as_number, as_position
from encoders.ground.refusals import Unsupported
from encoders.logic.smt.formulas import Declaration, Formula, conjunction, disjunction, negated
from encoders.logic.smt.words import Number


class Tables:
    """Answers questions. `root`: the claim's variables; `box`: the positions over which games are solved."""

    def __init__(self, claim: Claim, values: Values, root: Env, box: PositionBox) -> None:
        self.claim, self.values, self.root, self.box = claim, values, root, box
        self._solved: dict[tuple[str, str], SolvedBox] = {}

    @property
    def functions(self) -> tuple[Declaration, ...]:
        """To be declared beside whatever is asked."""
        return tuple(f for solved in self._solved.values() for f in solved.functions)

    @property
    def equations(self) -> tuple[Formula, ...]:
        """To be asserted beside whatever is asked."""
        return tuple(x for solved in self._solved.values() for x in solved.equations)

    def ask(self, reader: TermReading, call: t.GameCall, args: Sequence[Value]) -> Value:
        """The answer to a question about a game. Raises Unsupported, Beyond and OutOfTime."""
        play = Play(self.values, reader, self.claim.game(call.game), self.root)
        s = as_position(args[0])
        if QUESTIONS[call.function].mover:
            play.require_player(as_number(args[-1]))
        match call.function:
            case "options":
                return Items("set", play.options(s, as_number(args[1])))
            case "terminal":
                return negated(disjunction(p for p, _ in play.options(s, as_number(args[1]))))
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

    def _solve(self, play: Play, what: str, s: Position, solve: Callable[[Play, PositionBox], SolvedBox]) -> SolvedBox:
        """The table, made where it is not there yet. What its rules need is needed wherever it is asked."""
        self.box.require(s)
        key = play.game.name, what
        if key not in self._solved:
            self._solved[key] = solve(play, self.box)
        self.values.needs.require(self._solved[key].needed)
        return self._solved[key]

    def _value(self, play: Play, s: Position, mover: int) -> Number:
        return self._solve(play, "value", s, solve_values).value(self.values, s, mover)

    def _mover_wins(self, play: Play, s: Position, mover: int) -> Formula:
        return self.values.numbers.equal(self._value(play, s, mover), self.values.zero)

    def _wins(self, play: Play, s: Position, mover: Number) -> Formula:
        """Whether the mover, who may be a symbol, wins."""
        n = self.values.numbers
        if len(play.movers) == 1:
            return self._mover_wins(play, s, 0)
        movers = range(max(mover.lo, 0), min(mover.hi + 1, len(play.movers)))
        return disjunction(conjunction((n.equal(mover, n.literal(m)), self._mover_wins(play, s, m))) for m in movers)

    def _outcome(self, play: Play, s: Position) -> Number:
        n = self.values.numbers
        first, second = (self._mover_wins(play, s, m) for m in (0, 1))
        index = {name: n.literal(i) for i, name in enumerate(t.OUTCOMES)}
        lost = n.choose(second, index["second_wins"], index["P_position"])
        return n.choose(first, n.choose(second, index["N_position"], index["first_wins"]), lost)


def _mover(play: Play, mover: Number) -> int:
    """A player named outright. Raises Unsupported."""
    if len(play.movers) == 1:
        return 0
    if mover.value is None:
        raise Unsupported("the value for a player who is not named outright")
    if mover.value not in play.movers:
        raise Unsupported("the value for a player who may not exist")
    return mover.value
