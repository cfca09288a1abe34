"""Random rulesets: options, outcomes, values and Grundy values are the same in the referee and in the engine."""

import tempfile
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from boards import ILL, Engine, asked, by_referee, loaded, positions
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from random_rulesets import Written, rulesets

from checks.referee.meaning import LimitReached
from claims.language.errors import ClaimError
from claims.language.files.rulesets import Ruleset
from encoders.compute.arrays.bit_lanes import KernelLanes
from encoders.compute.arrays.bit_rows import HeapBox, unpack
from encoders.compute.arrays.bit_task import BoxTask, count_movers, tabulate
from encoders.compute.arrays.board import GameSolver
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.limits import BadRuleset, Deadline, TooLarge
from encoders.compute.arrays.moves import Moves
from encoders.compute.arrays.positions import Pool, PositionSet
from encoders.kernel.machine import Machine
from encoders.trust import Trust

FIXED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
SOME = FIXED.max_examples * 6 // 10
HEAPS, SIZE = 3, 4


def movers(ruleset: Ruleset) -> range:
    """Return the players, sometimes with one too many if their number is a parameter."""
    return range(len(ruleset.players) or 4)


def answers(written: Written, heaps: int = HEAPS, size: int = SIZE):
    """Yield (function, mover, choice, position, the referee's answer, the engine's answer) for all of them."""
    with tempfile.TemporaryDirectory() as folder:
        ruleset = loaded(written.text, Path(folder))
    engine = Engine(ruleset, written.parameters, heaps, size)
    games: dict = {}
    for question in asked(ruleset):
        for mover in [None] if question in ("outcome", "grundy") else movers(ruleset):
            table = engine.table(question, mover)
            for i, choice in enumerate(written.parameters):
                for j, s in enumerate(positions(heaps, size)):
                    yield (
                        question,
                        mover,
                        choice,
                        s,
                        by_referee(ruleset, choice, question, s, mover, games),
                        table[i][j],
                    )


@pytest.mark.slow
def test_random_rulesets() -> None:
    """A move that cannot be played refuses the ruleset, or is ill-defined at the same positions for both.

    Most rulesets can be read and played, and in many of them a player wins at one position and loses at another.
    """
    undecided: list[bool] = []

    @settings(FIXED, max_examples=2 * SOME)
    @given(st.booleans().flatmap(lambda bad: rulesets(bad=bad)))
    def agree(written: Written) -> None:
        said = set()
        try:
            for question, mover, choice, s, expected, found in answers(written):
                place = f"{question} of {s} for {mover} at {choice}"
                assert expected == found, f"{place}: {expected}, {found}\n{written.text}"
                assert type(expected) is type(found)
                event("ill-defined" if expected == ILL else "fine")
                said.add((question, str(expected)))
        except ClaimError:
            event("refused when read")
            assume(False)
        except BadRuleset:
            event("refused when played")
            assert unplayable_for_the_referee(written), f"refused, but the referee plays it:\n{written.text}"
            return
        except (LimitReached, TooLarge):
            event("too large")
            assume(False)
        undecided.append({("wins", "True"), ("wins", "False")} <= said)

    agree()
    assert len(undecided) >= SOME
    assert sum(undecided) >= SOME // 4


def test_sums_are_solved_by_values_only_where_the_theorem_holds() -> None:
    """If no position is small enough to be played, the nim-sum of the heaps' values must give the referee's answer.

    The theorem does not apply in misère play, with three players, to moves on two heaps or the largest, and to partizan
    moves. There the positions are played, and the answers must also agree.
    """
    added = []

    @settings(FIXED, max_examples=SOME)
    @given(rulesets())
    def agree(written: Written) -> None:
        trusted = set()
        try:
            with tempfile.TemporaryDirectory() as folder:
                ruleset = loaded(written.text, Path(folder))
            engine, games = Engine(ruleset, written.parameters, HEAPS, SIZE), {}
            for question in asked(ruleset):
                for mover in [None] if question in ("outcome", "grundy") else movers(ruleset):
                    table = engine.table(question, mover)
                    for choice, row in zip(written.parameters, table, strict=True):
                        for s, found in zip(positions(HEAPS, SIZE), row, strict=True):
                            expected = by_referee(ruleset, choice, question, s, mover, games)
                            assert expected == found, f"{question} of {s} for {mover} at {choice}\n{written.text}"
            trusted = engine.board.trusted
        except (ClaimError, BadRuleset, LimitReached, TooLarge):
            assume(False)
        added.append(Trust.SPRAGUE_GRUNDY in trusted)

    with mock.patch.object(GameSolver, "_can_play", return_value=False):
        agree()
    assert SOME // 20 < sum(added) < len(added)


def unplayable_for_the_referee(written: Written) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        ruleset = loaded(written.text, Path(folder))
    games: dict = {}
    return any(
        by_referee(ruleset, choice, "options", s, mover, games) == ILL
        for choice in written.parameters
        for s in positions(HEAPS + 1, SIZE)
        for mover in movers(ruleset)
    )


# -- as bits -------------------------------------------------------------------------------------------------------
def evaluator() -> FrameEvaluator:
    return FrameEvaluator(Pool(PositionSet(np.zeros((1, 1), dtype=np.int64))), Deadline(None), {})


@pytest.mark.slow
def test_random_rulesets_of_one_heap() -> None:
    """The legal moves agree with `Moves`, heap by heap, and the losing positions with the referee."""
    decided: list[bool] = []

    @settings(FIXED, max_examples=150)
    @given(rulesets())
    def agree(written: Written) -> None:
        try:
            with tempfile.TemporaryDirectory() as folder:
                ruleset = loaded(written.text, Path(folder))
        except ClaimError:
            assume(False)
        assume(ruleset.single_heap and (ruleset.impartial or len(ruleset.players) == 2))
        box = HeapBox(2, 6)
        parameters = list(written.parameters)
        try:
            legal = tabulate(ruleset, evaluator(), parameters, box.size)
        except BadRuleset:
            assume(False)
        moves, h_of, y_of = Moves(ruleset, evaluator()), *np.tril_indices(box.size + 1, -1)
        for choose, rows in legal.items():
            for mover, table in enumerate(rows):
                whole = np.zeros((len(parameters), box.size + 1, box.size + 1), dtype=bool)
                for move in ruleset.moves:
                    if move.choose == choose:
                        whole |= moves.tabulate_single_heap(move, parameters, mover, box.size)
                np.testing.assert_array_equal(unpack(table, len(parameters)).T, whole[:, h_of, y_of])
        if len(ruleset.players) != 2:
            return
        task = BoxTask(box, count_movers(ruleset), ruleset.stuck_wins, legal, len(parameters))
        solution = KernelLanes(task, Deadline(None), Machine())
        games: dict = {}
        said = set()
        for mover in (0, 1):
            lost = unpack(solution.find_lost(mover), len(parameters))
            for i, s in enumerate(zip(*(c.tolist() for c in box.columns), strict=True)):
                for q, choice in enumerate(parameters):
                    expected = by_referee(ruleset, choice, "wins", tuple(x for x in s if x), mover, games)
                    assert lost[i, q] == (not expected), f"{s} for {mover} at {choice}\n{written.text}"
                    said.add(expected)
        decided.append(len(said) == 2)

    agree()
    assert sum(decided) > 2
