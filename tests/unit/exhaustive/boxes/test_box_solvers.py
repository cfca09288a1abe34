"""The kernel agrees with recursion and plain Python, for any legal tables, both layouts, normal and misère play."""

import numpy as np
import pytest
from plain_lanes import PlainLanes
from small_tasks import Random, found, lanes, lines, reach

from encoders.compute.arrays.bit_rows import HeapBox
from encoders.compute.arrays.limits import Deadline, OutOfTime
from encoders.kernel import machine
from encoders.kernel.machine import Machine


@pytest.mark.parametrize("make", [lanes, PlainLanes])
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.slow
def test_lanes_are_what_recursion_finds(make, seed: int) -> None:
    random = Random(seed, choices=3)
    solution = make(random.as_task())
    for mover in range(random.movers):
        np.testing.assert_array_equal(found(solution, mover, 3), random.lost(mover))
        np.testing.assert_array_equal(reach(solution, random.wanted, mover), random.reached(mover))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.slow
def test_lines_are_what_recursion_finds(seed: int) -> None:
    random = Random(seed, choices=1)
    solution = lines(random.as_task())
    wanted = random.unfold(random.wanted[:, 0])
    for mover in range(random.movers):
        table = found(solution, mover, random.box.size + 1)
        np.testing.assert_array_equal(table, random.unfold(random.lost(mover)[:, 0]))
        np.testing.assert_array_equal(reach(solution, wanted, mover), random.unfold(random.reached(mover)[:, 0]))


@pytest.mark.parametrize("density", [0.02, 0.5, 0.99, 1.0])
@pytest.mark.parametrize(("box", "choices"), [(HeapBox(1, 200), 150), (HeapBox(2, 130), 2), (HeapBox(3, 24), 150)])
@pytest.mark.slow
def test_rows_of_several_words_are_the_same_in_all_ways(box: HeapBox, choices: int, density: float) -> None:
    """The cases have sizes beyond 64 and 128, 150 choices, and heaps that cannot become 0, 1, 2, 3 or more sizes."""
    random = Random(int(100 * density) + box.heaps, choices, box, density)
    kernel, plain = lanes(random.as_task()), PlainLanes(random.as_task())
    by_lines = lines(random.as_task(choice=1))
    wanted = random.unfold(random.wanted[:, 1])
    for mover in range(random.movers):
        table = found(kernel, mover, choices)
        np.testing.assert_array_equal(table, found(plain, mover, choices))
        line = found(by_lines, mover, box.size + 1)
        np.testing.assert_array_equal(line, random.unfold(table[:, 1]))
        hit = reach(kernel, random.wanted, mover)
        np.testing.assert_array_equal(hit, reach(plain, random.wanted, mover))
        np.testing.assert_array_equal(reach(by_lines, wanted, mover), random.unfold(hit[:, 1]))


@pytest.mark.parametrize("density", [0.1, 0.98, 1.0])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow
def test_both_layouts_agree_where_sizes_take_two_words(density: float, seed: int) -> None:
    random = Random(seed, 1, HeapBox(3, 70), density)
    by_position, by_line = lanes(random.as_task()), lines(random.as_task())
    wanted = random.unfold(random.wanted[:, 0])
    for mover in range(random.movers):
        expected = random.unfold(found(by_position, mover, 1)[:, 0])
        np.testing.assert_array_equal(found(by_line, mover, 71), expected)
        hit = random.unfold(reach(by_position, random.wanted, mover)[:, 0])
        np.testing.assert_array_equal(reach(by_line, wanted, mover), hit)


def test_tables_that_are_taken_back_are_given_out_empty() -> None:
    """The answers do not change when they are asked for again, on one machine and after solving."""
    random = Random(5, choices=3, box=HeapBox(3, 5))
    shared, task = Machine(), random.as_task()
    solution, other = lanes(task, shared), lanes(task, shared)
    before = found(solution, 0, 3)
    for _ in range(3):
        np.testing.assert_array_equal(reach(solution, random.wanted, 0), random.reached(0))
        np.testing.assert_array_equal(found(other, 0, 3), random.lost(0))
    np.testing.assert_array_equal(found(solution, 0, 3), before)


@pytest.mark.parametrize("lay", [lanes, lines])
def test_a_solver_looks_at_its_clock(lay, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads the clock repeatedly, and stops at the first reading past the limit."""
    monkeypatch.setattr(machine, "STEPS", 50)
    task = Random(1, choices=1, box=HeapBox(3, 12)).as_task()
    solution = lay(task)
    solution.clock = clock = Counted(10**9)
    solution.find_lost(0)
    assert clock.readings > 3
    for limit in range(1, 4):
        solution = lay(task)
        solution.clock = clock = Counted(limit)
        with pytest.raises(OutOfTime):
            solution.find_lost(0)
        assert clock.readings == limit


class Counted(Deadline):
    """A clock that counts its readings."""

    def __init__(self, limit: int) -> None:
        super().__init__(None)
        self.limit_of_readings, self.readings = limit, 0

    def check(self) -> None:
        self.readings += 1
        if self.readings >= self.limit_of_readings:
            raise OutOfTime


def test_a_slab_of_the_kernel_is_short() -> None:
    """The work between two readings of the clock takes milliseconds on any machine."""
    assert machine.STEPS <= 8_000_000
