"""What is remembered of Z3 within a run of pytest answers the same script, and no other."""

import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import library
import pytest
from remembered import LITTLE, remember

from encoders.logic.sequent import Hypothesis, Sequent, Symbols
from encoders.logic.solvers.solver import Found, Limits
from encoders.logic.solvers.z3 import Z3
from encoders.logic.terms import ONE, ZERO, add, at_least, below, compare, integer, mul

LIMITS = Limits(steps=1_000_000, seed=17)


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        remember(tmp_path, patch)
        yield tmp_path / "answers"


def above(bound: int) -> Sequent:
    """x >= 1 entails x > bound."""
    symbols = Symbols()
    x = symbols.integer("x")
    return symbols.sequent("o", (at_least(x, ONE),), compare("gt", x, integer(bound)))


def test_a_script_is_another_with_another_text_seed_or_limit(answers: Path) -> None:
    for limits in (LIMITS, replace(LIMITS, seed=4711), replace(LIMITS, steps=999_999), LIMITS):
        assert Z3().check(above(0), limits).found is Found.PROVED
        assert Z3().check(above(1), limits).found is Found.FAILS
    assert len(list(answers.iterdir())) == 6


def test_what_is_remembered_is_what_is_told(answers: Path) -> None:
    wrong = Z3().check(above(1), LIMITS)
    (path,) = answers.iterdir()
    path.write_bytes(pickle.dumps(replace(wrong, found=Found.PROVED)))
    with pytest.MonkeyPatch.context() as patch:
        remember(answers.parent, patch)
        assert Z3().check(above(1), LIMITS).found is Found.PROVED


def test_values_and_the_limits_asked_for_are_told(answers: Path) -> None:
    first = Z3().check(above(1), LIMITS)
    again = Z3().check(above(1), replace(LIMITS, seconds=60.0))
    assert first.values == again.values == {"x": 1}
    assert again.limits.seconds == 60.0


def test_giving_up_and_little_time_are_not_remembered(answers: Path) -> None:
    symbols = Symbols()
    a, b, c = (symbols.integer(name) for name in "abc")
    cubes = below(add(mul(a, mul(a, a)), mul(b, mul(b, b))), mul(c, mul(c, c)))
    hard = symbols.sequent("o", tuple(at_least(x, ONE) for x in (a, b, c)), compare("ne", cubes, cubes))
    assert Z3().check(replace(hard, show=below(c, ZERO)), replace(LIMITS, steps=1)).found is Found.UNKNOWN
    assert Z3().check(above(0), replace(LIMITS, seconds=LITTLE / 2)).found is Found.PROVED
    assert list(answers.iterdir()) == []


def test_what_a_proof_uses_is_not_taken_for_its_answer(answers: Path) -> None:
    symbols = Symbols()
    x, y = symbols.integer("x"), symbols.integer("y")
    hypotheses = (Hypothesis("x", at_least(x, ONE)), Hypothesis("y", at_least(y, ONE)))
    sequent = symbols.sequent("o", (), compare("gt", x, ZERO), hypotheses)
    for _ in range(2):
        assert Z3().check(sequent, LIMITS).found is Found.PROVED
        assert Z3().used(sequent, LIMITS) == frozenset({0})
    assert len(list(answers.iterdir())) == 2


def test_runs_share_results_only_where_all_that_they_come_from_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = tmp_path / "claim.toml"
    claim.write_text("a", "utf-8")
    monkeypatch.setattr(library, "LIBRARY", tmp_path)
    first = library.digest_tree()
    assert library.digest_tree() == first
    claim.write_text("b", "utf-8")
    assert library.digest_tree() != first
    claim.write_text("a", "utf-8")
    for name, other in (("digest_source", "another source"), ("list_versions", ("another Python",))):
        with monkeypatch.context() as patch:
            patch.setattr(library, name, lambda other=other: other)
            assert library.digest_tree() != first, name
    assert library.digest_tree() == first
