"""Whose move it is: a formula about moves as a game between a reader and a page.

To save a claim that is false, the reader must find the option of which a false `any` says that there is one; the page
answers with the option by which a true `any`, or a false `all`, is so.  Who wins from a position is such a formula too:
the mover wins if any option is lost for the next player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from checks.illustration.board.words import Speaker
from checks.referee.meaning import as_elements, as_heaps, as_integer
from checks.referee.play import RefereeGame
from claims.language.builtins.meanings import Position, Value
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL

Env = Mapping[str, Value]

_WINS = {
    "P_position": (False, False),
    "N_position": (True, True),
    "first_wins": (True, False),
    "second_wins": (False, True),
}
"""Whether each of two players wins if he moves first."""


@dataclass(frozen=True)
class FormulaTurn:
    """That `term` has the value `truth` where its variables have the values of `env`."""

    term: t.Term
    truth: bool
    env: Env


@dataclass(frozen=True)
class OutcomeTurn:
    """That `mover` wins from `position`, or that he loses.

    `drawn`: that he does not lose, or does not win, where play may go on for ever.  `asked`: which question told.
    """

    game: RefereeGame
    position: Position
    mover: int
    wins: bool
    drawn: bool = False
    asked: str = "wins"


Goal = FormulaTurn | OutcomeTurn


@dataclass(frozen=True)
class BoardTurn:
    """A move of `mover` from `position`: any of `options` if it is free, else the one by which the goal is so.

    `follow`: what is so after a move.  `aim`: of a free one, what the reader hopes for, and what the options run as.
    `goal`: what is so of the position, where nothing but who wins is played.
    """

    game: RefereeGame
    position: Position
    mover: int
    free: bool
    options: tuple[Position, ...]
    follow: Callable[[Position], Goal]
    aim: FormulaTurn | None = None
    running: str = ""
    goal: OutcomeTurn | None = None


Read = tuple[tuple[str, ...], BoardTurn | None]
"""Facts in words, and the turn that is left to be played; None where the facts say it all."""


class Turns:
    """Reads goals of one claim."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker, self.referee = speaker, speaker.referee

    def read(self, goal: Goal) -> Read:
        """What is so at a goal, and whose move shows the rest of it. Raises IllDefined and LimitReached."""
        if isinstance(goal, OutcomeTurn):
            return self._play(goal)
        env, truth = goal.env, goal.truth
        match goal.term:
            case t.AllOf(args=args):
                return self._read_parts(args, env, truth, decisive=False)
            case t.AnyOf(args=args):
                return self._read_parts(args, env, truth, decisive=True)
            case t.Operation(op="not", args=(inner,)):
                return self.read(FormulaTurn(inner, not truth, env))
            case t.IfElse(condition=c, then=x, other=y):
                return self.read(FormulaTurn(x if self._is_true(c, env) else y, truth, env))
            case t.Apply(function=f, args=args):
                given = zip(f.parameters, (self.referee.evaluate(x, env) for x in args), strict=True)
                return self.read(FormulaTurn(f.body, truth, {**env, **dict(given)}))
            case t.Operation(op="eq" | "ne", args=(x, y)) if x.type == BOOL:
                return self._join([self.read(FormulaTurn(side, self._is_true(side, env), env)) for side in (x, y)])
            case t.Operation(op="eq" | "ne", args=(t.GameCall(function="outcome") as call, t.Literal())):
                return self._read_outcome(goal, call)
            case t.Comprehension(reducer="any" | "all") as term:
                return self._read_quantified(term, goal)
            case t.GameCall(function="wins", game=name, args=(s, mover)):
                player = self._number(mover, env)
                return self._tell(self.referee.game(name, env), self._position(s, env), player, "wins")
            case t.GameCall(function="draws", game=name, args=(s, mover)):
                player = self._number(mover, env)
                return self._tell(self.referee.game(name, env), self._position(s, env), player, "draws")
        return (self.speaker.say(goal.term, env),), None

    def _is_true(self, term: t.Term, env: Env) -> bool:
        return bool(self.referee.evaluate(term, env))

    def _number(self, term: t.Term, env: Env) -> int:
        return as_integer(self.referee.evaluate(term, env))

    def _position(self, term: t.Term, env: Env) -> Position:
        return as_heaps(self.referee.evaluate(term, env))

    def _read_parts(self, args: tuple[t.Term, ...], env: Env, truth: bool, decisive: bool) -> Read:
        """`and` fails, and `or` holds, by one part, the first; else every part counts."""
        if truth is decisive:
            return self.read(FormulaTurn(next(x for x in args if self._is_true(x, env) is decisive), decisive, env))
        return self._join([self.read(FormulaTurn(x, truth, env)) for x in args])

    def _join(self, parts: list[Read]) -> Read:
        """All facts, and the first turn: what the others would show is left to the explanation."""
        facts = tuple(fact for found, turn in parts if turn is None for fact in found)
        return facts, next((turn for _, turn in parts if turn is not None), None)

    def _read_outcome(self, goal: FormulaTurn, call: t.GameCall) -> Read:
        game = self.referee.game(call.game, goal.env)
        found, s = self._number(call, goal.env), self._position(call.args[0], goal.env)
        first, other = is_so = _WINS[t.OUTCOMES[found]]
        if game.ruleset.impartial and first is other:
            return self.read(OutcomeTurn(game, s, 0, first))
        match goal.term:
            case t.Operation(op="eq", args=(_, t.Literal(value=claimed))) if (
                not goal.truth and not game.ruleset.impartial
            ):
                said = _WINS[t.OUTCOMES[claimed]]
                mover = min((i for i in (0, 1) if said[i] is not is_so[i]), key=lambda i: is_so[i])  # rather the reader
                return self.read(OutcomeTurn(game, s, mover, is_so[mover]))
        return (self.speaker.say(goal.term, goal.env),), None

    def _tell(self, game: RefereeGame, s: Position, mover: int, asked: str) -> Read:
        """Who wins, or that play is drawn: then the mover tries to win, and that he need not lose is a fact."""
        wins = game.wins(s, mover)
        if wins or game.loses(s, mover):
            return self.read(OutcomeTurn(game, s, mover, wins, asked=asked))
        facts, turn = self.read(OutcomeTurn(game, s, mover, wins=False, drawn=True, asked=asked))
        safe = next(o for o in game.options(s, mover) if not game.wins(o, (mover + 1) % game.players))
        return (*facts, self.speaker.say_safe(game, mover, safe)), turn

    def _play(self, goal: OutcomeTurn) -> Read:
        game, following = goal.game, (goal.mover + 1) % goal.game.players
        options = game.options(goal.position, goal.mover)
        if not options:
            return (self.speaker.say_stuck(game, goal.position, goal.mover),), None
        drawn = goal.drawn
        if goal.wins:
            lost = [o for o in options if game.loses(o, following)]
            drawn = not lost
            if game.ruleset.ending.endless and lost:  # what leads to the end, and not round and round
                lost.sort(key=lambda o: game.labels.rank(o, following))
            options = (lost[0] if lost else next(o for o in options if not game.wins(o, following)),)
        follow = lambda o: OutcomeTurn(game, o, following, not goal.wins, drawn, goal.asked)  # noqa: E731 - one line
        return (), BoardTurn(game, goal.position, goal.mover, not goal.wins, options, follow, goal=goal)

    def _read_quantified(self, term: t.Comprehension, goal: FormulaTurn) -> Read:
        clause, wanted = term.clauses[0], term.reducer == "any"
        inner = _say_inner(term)
        items = as_elements(self.referee.evaluate(clause.source, goal.env))

        def follow(item: Value) -> FormulaTurn:
            return FormulaTurn(inner, goal.truth, {**goal.env, clause.variable: item})

        decided = goal.truth is wanted  # by one item
        if decided:
            items = (next(x for x in items if self._is_true(inner, follow(x).env) is wanted),)
        source = clause.source
        if not isinstance(source, t.GameCall) or source.function != "options":
            return self.read(follow(items[0])) if decided else ((self.speaker.say(term, goal.env),), None)
        game, mover = self.referee.game(source.game, goal.env), self._number(source.args[-1], goal.env)
        options = tuple(as_heaps(x) for x in items)
        position = self._position(source.args[0], goal.env)
        if not options:
            return (self.speaker.say_no_move(position, game, mover),), None
        aim = FormulaTurn(inner, not goal.truth, goal.env)
        return (), BoardTurn(game, position, mover, not decided, options, follow, aim, clause.variable)


def _say_inner(term: t.Comprehension) -> t.Term:
    """What `any` wants of an item, or `all` demands of it: its conditions and the rest in one."""
    clause, at = term.clauses[0], (term.type, term.start, term.end)
    rest: t.Term = term.body
    if len(term.clauses) > 1:
        rest = t.Comprehension(*at, term.reducer, term.body, term.clauses[1:])
    if not clause.conditions:
        return rest
    if term.reducer == "any":
        return t.AllOf(*at, (*clause.conditions, rest))
    return t.AnyOf(*at, (*(t.Operation(*at, "not", (c,)) for c in clause.conditions), rest))
