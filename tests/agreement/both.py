"""Evaluate one expression with the referee (case by case), with the engine (on a frame), and as Python."""

from fractions import Fraction
from pathlib import Path

import numpy as np
from claim_texts import HEAD
from random_expressions import DEFINITIONS, GAMES, TYPES

from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, ask
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.terms import BOOL, POSITION
from encoders.compute.arrays.board import GameSolver
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.limits import Deadline, TooLarge, TooWide
from encoders.compute.arrays.positions import Pool, PositionSet
from encoders.compute.arrays.values import Frame, Ragged, Scalars
from encoders.compute.compound.meaning import TermCompiler, Undefined
from encoders.proving.reading import load_claim

ILL, LIMIT = "ill-defined", "past a limit"
NONE = "no value"  # the engine's value for both ILL and LIMIT
STEPS = 300_000

ROWS = [  # k, b, p, q, A
    (0, False, 0, Fraction(1, 3), (1, 2)),
    (1, True, 0, Fraction(-2), ()),
    (2, False, 1, Fraction(0), (2,)),
    (2, True, 0, Fraction(7, 2), (-1, 1, 3)),
    (-1, True, 1, Fraction(1, 3), (0,)),
    (3, False, 1, Fraction(5), (1, 2)),
]
COLUMNS = [((), 1), ((2,), 2), ((1, 3), 0), ((2, 2), -1), ((4,), 3), ((1, 1, 2), 1), ((1, 3), 2)]  # s, l


def base_claim(folder: Path):
    """Return a claim that binds the games and the definitions of the random expressions."""
    games = "\n".join(
        f'{name} = "{ruleset}({args})"' if args else f'{name} = "{ruleset}"'
        for name, (ruleset, args, _) in GAMES.items()
    )
    definitions = "\n".join(f'"{head}" = "{text}"' for head, text in DEFINITIONS.items())
    path = folder / "base.toml"
    path.write_text(
        HEAD
        + f"""[games]
{games}
[forall]
k = "-5..5"
l = "-5..5"
b = {{ in = "[False, True]" }}
p = {{ in = "[P1, P2]" }}
s = "position"
q = {{ in = "[1 / 2]" }}
A = "subsets of 0..3"
[define]
{definitions}
[claim]
then = "True"
[scope]
s = {{ heaps = "0..2", size = "1..2" }}
"""
    )
    return load_claim(path, "base")


class Answering:
    """A game of the referee with the interface that the other route uses."""

    def __init__(self, game) -> None:
        self.game = game

    def answer(self, function, args):
        return ask(self.game, function, args)


class Both:
    """The interpretations over one base claim."""

    def __init__(self, claim) -> None:
        from claims.language.syntax.names import read_definition

        self.claim = claim
        facts = {g.name: g.ruleset.facts for g in claim.games}
        definitions = {d.name: d for d in (read_definition(head, text, ()) for head, text in DEFINITIONS.items())}
        self.elaborator = lambda: Elaborator(TYPES, facts, definitions)
        self.referee = Referee(claim)

    def term(self, text: str):
        return self.elaborator().term(text)

    def by_referee(self, term) -> list[list[object]]:
        """Return the value at each case, ILL if it is undefined, LIMIT if it is too large. Raise LimitReached."""
        self.referee.steps.left = STEPS
        return [[self._judged(term, self.case(i, j)) for j in range(len(COLUMNS))] for i in range(len(ROWS))]

    def _judged(self, term, case):
        try:
            return self.referee.evaluate(term, case)
        except IllDefined:
            return ILL
        except LimitReached:
            if self.referee.steps.left < 0:  # not a limit of the value: all steps are used up
                raise
            return LIMIT

    def by_text(self, term) -> list[list[object]]:
        """Return the values of the route for heaps with parts, which compiles terms to Python.

        The referee plays the games.
        """
        read = TermCompiler(self._find_game, Deadline(None)).read(term)
        return [[self._told(read, self.case(i, j)) for j in range(len(COLUMNS))] for i in range(len(ROWS))]

    @staticmethod
    def _told(read, case):
        try:
            return read(case)
        except (Undefined, IllDefined):
            return ILL
        except (TooLarge, LimitReached):
            return LIMIT

    def _find_game(self, name, case):
        return Answering(self.referee.game(name, case))

    @staticmethod
    def case(i: int, j: int) -> dict[str, object]:
        return dict(zip("kbpqAsl", (*ROWS[i], *COLUMNS[j]), strict=True))

    def by_engine(self, term, heaps: int = 3, size: int = 4) -> list[list[object]]:
        """Return the values of the engine on the frame ROWS x COLUMNS, NONE for ILL and LIMIT. Raise TooLarge."""
        pool = Pool(PositionSet.box(heaps, size))
        clock = Deadline(None)
        boards: dict[str, GameSolver] = {}
        evaluator = FrameEvaluator(pool, clock, boards)
        boards.update({g.name: GameSolver(g, pool, evaluator, clock) for g in self.claim.games})
        frame = Frame(len(ROWS), len(COLUMNS))
        k, b, p, q, sets = zip(*ROWS, strict=True)
        positions, l_ = zip(*COLUMNS, strict=True)
        rows = np.array([(0,) * (heaps - len(x)) + x for x in positions])
        fractions = np.array(q, dtype=object)
        items = np.array([x for a in sets for x in a])
        frame.names = {
            "k": Scalars(np.array(k)[:, None]),
            "b": Scalars(np.array(b)[:, None]),
            "p": Scalars(np.array(p)[:, None]),
            "q": Scalars(fractions[:, None]),
            "A": Ragged((len(ROWS), 1), np.array([len(a) for a in sets]), items),
            "s": Scalars(pool.intern(rows)[None, :]),
            "l": Scalars(np.array(l_)[None, :]),
        }
        return whole(evaluator, term, frame)


def whole(evaluator, term, frame: Frame) -> list[list[object]]:
    """Return the value at every case of a frame, in halves if it is too wide. Raise TooLarge."""
    try:
        value = evaluator.evaluate(term, frame)
    except TooWide:
        if frame.cells == 1:
            raise
        axis, halves = frame.halve()
        first, second = (whole(evaluator, term, half) for half in halves)
        return first + second if axis == 0 else [a + b for a, b in zip(first, second, strict=True)]
    cases = [[(i, j) for j in range(frame.cols)] for i in range(frame.rows)]
    return [[decoded(value, term.type, evaluator.pool, i, j, frame) for i, j in row] for row in cases]


def decoded(value, kind, pool, i: int, j: int, frame: Frame):
    """Return one case of an engine's value in the referee's form."""
    if value.bad is not None and np.broadcast_to(value.bad, (frame.rows, frame.cols))[i, j]:
        return NONE
    if isinstance(value, Ragged):
        r, c = value.shape
        cell = (i if r > 1 else 0) * c + (j if c > 1 else 0)
        start = int(value.starts[cell])
        return tuple(_item(x, kind.element, pool) for x in value.items[start : start + int(value.lengths[cell])])
    return _item(np.broadcast_to(value.data, (frame.rows, frame.cols))[i, j], kind, pool)


def _item(x, kind, pool):
    if kind == POSITION:
        return pool.heaps(int(x))
    if kind == BOOL:
        assert isinstance(x, (bool, np.bool_))
        return bool(x)
    return x.item() if isinstance(x, np.generic) else x
