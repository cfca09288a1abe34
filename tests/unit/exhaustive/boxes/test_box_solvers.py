"""The kernel and plain Python find what recursion finds: any legal tables, both layouts, normal and misère play."""

import numpy as np
import pytest
from small_tasks import Random, found, lanes, lines, reach

from encoders.exhaustive.arrays.limits import Clock, OutOfTime
from encoders.exhaustive.boxes.bits.words import Box
from encoders.exhaustive.boxes.solvers.kernel import machine
from encoders.exhaustive.boxes.solvers.kernel.solver import Kernel
from encoders.exhaustive.boxes.solvers.plain import Plain
from encoders.exhaustive.boxes.solvers.task import BoxSolver

SOLVERS = (Kernel, Plain)


@pytest.mark.parametrize("make", SOLVERS)
@pytest.mark.parametrize("seed", range(40))
def test_lanes_are_what_recursion_finds(make: type[BoxSolver], seed: int) -> None:
    random = Random(seed, choices=3)
    solution = lanes(make(), random.as_task())
    for mover in range(random.movers):
        np.testing.assert_array_equal(found(solution, mover, 3), random.lost(mover))
        np.testing.assert_array_equal(reach(solution, random.wanted, mover), random.reached(mover))


@pytest.mark.parametrize("make", SOLVERS)
@pytest.mark.parametrize("seed", range(40))
def test_lines_are_what_recursion_finds(make: type[BoxSolver], seed: int) -> None:
    random = Random(seed, choices=1)
    solution = lines(make(), random.as_task())
    wanted = random.unfold(random.wanted[:, 0])
    for mover in range(random.movers):
        table = found(solution, mover, random.box.size + 1)
        np.testing.assert_array_equal(table, random.unfold(random.lost(mover)[:, 0]))
        np.testing.assert_array_equal(reach(solution, wanted, mover), random.unfold(random.reached(mover)[:, 0]))


@pytest.mark.parametrize("density", [0.02, 0.5, 0.99, 1.0])
@pytest.mark.parametrize(("box", "choices"), [(Box(1, 200), 150), (Box(2, 130), 2), (Box(3, 24), 150)])
def test_rows_of_several_words_are_the_same_in_all_ways(box: Box, choices: int, density: float) -> None:
    """Sizes beyond 64 and 128; 150 choices; tables in which a heap may not become 0, 1, 2, 3 or more sizes."""
    random = Random(int(100 * density) + box.heaps, choices, box, density)
    kernel, plain = lanes(Kernel(), random.as_task()), lanes(Plain(), random.as_task())
    one = random.as_task(choice=1)
    by_kernel, by_plain = lines(Kernel(), one), lines(Plain(), one)
    wanted = random.unfold(random.wanted[:, 1])
    for mover in range(random.movers):
        table = found(kernel, mover, choices)
        np.testing.assert_array_equal(table, found(plain, mover, choices))
        line = found(by_kernel, mover, box.size + 1)
        np.testing.assert_array_equal(line, random.unfold(table[:, 1]))
        np.testing.assert_array_equal(line, found(by_plain, mover, box.size + 1))
        hit = reach(kernel, random.wanted, mover)
        np.testing.assert_array_equal(hit, reach(plain, random.wanted, mover))
        across = reach(by_kernel, wanted, mover)
        np.testing.assert_array_equal(across, random.unfold(hit[:, 1]))
        np.testing.assert_array_equal(across, reach(by_plain, wanted, mover))


@pytest.mark.parametrize("density", [0.1, 0.98, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_both_layouts_agree_where_sizes_take_two_words(density: float, seed: int) -> None:
    random = Random(seed, 1, Box(3, 70), density)
    by_position, by_line = lanes(Kernel(), random.as_task()), lines(Kernel(), random.as_task())
    wanted = random.unfold(random.wanted[:, 0])
    for mover in range(random.movers):
        expected = random.unfold(found(by_position, mover, 1)[:, 0])
        np.testing.assert_array_equal(found(by_line, mover, 71), expected)
        hit = random.unfold(reach(by_position, random.wanted, mover)[:, 0])
        np.testing.assert_array_equal(reach(by_line, wanted, mover), hit)


def test_tables_that_are_taken_back_are_given_out_empty() -> None:
    """Asked several times, on one machine and after solving, the answers stay what they are."""
    random = Random(5, choices=3, box=Box(3, 5))
    kernel = Kernel()
    task = random.as_task()
    solution, other = lanes(kernel, task), lanes(kernel, task)
    before = found(solution, 0, 3)
    for _ in range(3):
        np.testing.assert_array_equal(reach(solution, random.wanted, 0), random.reached(0))
        np.testing.assert_array_equal(found(other, 0, 3), random.lost(0))
    np.testing.assert_array_equal(found(solution, 0, 3), before)


@pytest.mark.parametrize("make", SOLVERS)
@pytest.mark.parametrize("lay", [lanes, lines])
def test_a_solver_looks_at_its_clock(make: type[BoxSolver], lay, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads it again and again, and stops at the first reading past the limit."""
    monkeypatch.setattr(machine, "STEPS", 50)
    task = Random(1, choices=1, box=Box(3, 12)).as_task()
    solution = lay(make(), task)
    solution.clock = clock = Counted(10**9)
    solution.find_lost(0)
    assert clock.readings > 3
    for limit in range(1, 4):
        solution = lay(make(), task)
        solution.clock = clock = Counted(limit)
        with pytest.raises(OutOfTime):
            solution.find_lost(0)
        assert clock.readings == limit


class Counted(Clock):
    """A clock that is read so many times."""

    def __init__(self, limit: int) -> None:
        super().__init__(None)
        self.limit_of_readings, self.readings = limit, 0

    def check(self) -> None:
        self.readings += 1
        if self.readings >= self.limit_of_readings:
            raise OutOfTime


def test_a_slab_of_the_kernel_is_short() -> None:
    """So many words of work between two looks at the clock take milliseconds on any machine."""
    assert machine.STEPS <= 8_000_000
