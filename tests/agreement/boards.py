"""All functions of a ruleset at all small positions, answered by the referee and by the engine."""

from pathlib import Path

import numpy as np

from checks.referee.meaning import IllDefined, RefereeSteps, ask
from checks.referee.play import RefereeGame
from claims.language.files.claim import Game as Named
from claims.language.files.rulesets import Ruleset, load_ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.questions import QUESTIONS
from claims.language.syntax.terms import INT, PLAYER, POSITION
from encoders.compute.arrays.board import GameSolver
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.positions import Pool, PositionSet
from encoders.compute.arrays.values import Frame, Ragged, Scalars, to_array

ILL = "ill-defined"


def loaded(text: str, folder: Path) -> Ruleset:
    path = folder / "random.toml"
    path.write_text(text)
    return load_ruleset(path)


def asked(ruleset: Ruleset) -> list[str]:
    """Return the functions that are defined for the ruleset."""
    two, normal = len(ruleset.players) == 2, not ruleset.stuck_wins
    return [
        "terminal",
        "options",
        "value",
        *(["wins", "outcome"] if two else []),
        *(["grundy"] if two and normal else []),
    ]


def positions(heaps: int, size: int) -> list[tuple[int, ...]]:
    rows = PositionSet.box(heaps, size).rows
    return [tuple(h for h in row if h) for row in rows.tolist()]


def by_referee(ruleset: Ruleset, choice: tuple, question: str, s: tuple, mover: int | None, game_of: dict):
    """Return the answer of the referee, or ILL if it is undefined. Raise LimitReached."""
    if choice not in game_of:
        names = [p.name for p in ruleset.parameters]
        game_of[choice] = RefereeGame(ruleset, dict(zip(names, choice, strict=True)), RefereeSteps(400_000))
    try:
        return ask(game_of[choice], question, [s] if mover is None else [s, mover])
    except IllDefined:
        return ILL


class Engine:
    """The engine's solver for one ruleset over a box of positions, with the parameters as rows."""

    def __init__(self, ruleset: Ruleset, choices: tuple[tuple, ...], heaps: int, size: int) -> None:
        self.ruleset, self.choices = ruleset, choices
        self.pool = Pool(PositionSet.box(heaps, size))
        boards: dict[str, GameSolver] = {}
        self.evaluator = FrameEvaluator(self.pool, Deadline(None), boards)
        arguments = tuple((p.name, t.Variable(p.type, 0, 0, p.name)) for p in ruleset.parameters)
        self.board = GameSolver(Named("g", ruleset, arguments), self.pool, self.evaluator, self.evaluator.clock)
        boards["g"] = self.board
        self.frame = Frame(len(choices), len(self.pool))
        for i, p in enumerate(ruleset.parameters):
            column = [c[i] for c in choices]
            if p.kind == "int":
                self.frame.names[p.name] = Scalars(to_array(column)[:, None])
            else:
                lengths = np.array([len(v) for v in column])
                self.frame.names[p.name] = Ragged((len(choices), 1), lengths, to_array([x for v in column for x in v]))
        self.frame.names["s"] = Scalars(np.arange(len(self.pool))[None, :])

    def table(self, question: str, mover: int | None) -> list[list[object]]:
        """Return the answers by parameter and position, ILL where they are undefined. Raise BadRuleset."""
        from both import NONE, whole

        kind = QUESTIONS[question].result
        args: list[t.Term] = [t.Variable(POSITION, 0, 0, "s")]
        if mover is not None:
            args.append(t.Literal(PLAYER if self.ruleset.players else INT, 0, 0, mover))
        found = whole(self.evaluator, t.GameCall(kind, 0, 0, question, "g", tuple(args)), self.frame)
        return [[ILL if x is NONE else x for x in row] for row in found]
