"""What is remembered of Z3 within a run of pytest answers the same query, and no other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import z3
from remembered import LITTLE, remember


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        remember(tmp_path, patch)
        yield tmp_path / "answers"


def solver(bound: int, seed: int = 17, steps: int = 1000, timeout: int | None = None) -> z3.Solver:
    context = z3.Context()
    made = z3.Solver(ctx=context)
    made.set("random_seed", seed)
    made.set("rlimit", steps)
    if timeout is not None:
        made.set("timeout", timeout)
    made.add(z3.Int("x", context) > bound)
    return made


def texts(answers: Path) -> list[str]:
    return sorted(path.read_text() for path in answers.iterdir())


def test_a_query_is_another_with_another_text_seed_or_limit(answers: Path) -> None:
    for made in (solver(1), solver(2), solver(1, seed=4711), solver(1, steps=999), solver(1), solver(2)):
        assert made.check() == z3.sat
    assert texts(answers) == ["sat"] * 4


def test_what_is_remembered_is_what_is_told(answers: Path) -> None:
    assert solver(1).check() == z3.sat
    (path,) = answers.iterdir()
    path.write_text("unsat")
    with pytest.MonkeyPatch.context() as patch:
        remember(answers.parent, patch)
        assert solver(1).check() == z3.unsat


def test_a_model_is_found_again(answers: Path) -> None:
    for _ in range(2):
        made = solver(5)
        assert made.check() == z3.sat
        (value,) = [made.model()[x] for x in made.model()]
        assert value.as_long() > 5


def test_giving_up_little_time_and_cores_are_not_remembered(answers: Path) -> None:
    cubes = solver(0, steps=1)
    x, y, z = z3.Ints("x y z", cubes.ctx)
    cubes.add(y > 0, z > 0, x * x * x + y * y * y == z * z * z)
    assert cubes.check() == z3.unknown
    assert solver(1, timeout=LITTLE - 1).check() == z3.sat
    tracking = solver(1)
    x = z3.Int("x", tracking.ctx)
    tracking.assert_and_track(x < 1, z3.Bool("mark", tracking.ctx))
    assert tracking.check() == z3.unsat
    assert [str(mark) for mark in tracking.unsat_core()] == ["mark"]
    assert texts(answers) == []
