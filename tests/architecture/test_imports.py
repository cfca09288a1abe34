"""One way through the house and no way back: who may import whom. Late imports and those for types count as well."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from exceptions import CIRCLES, SOLVERS, UPWARDS
from house import PACKAGES, below, compare, find_circles, imports, read_imports

from checks.cache.identity import TEMPLATING

RESULT_MODEL = tuple(
    f"checks.results.{name}"
    for name in "board circles lemmas marks model phrases pictures proof statement values verdicts".split()
)
# To settle them again, and to play them again.
BEFORE_RECEIPTS = (
    "checks.referee",
    "checks.results",
    "checks.judgement",
    "checks.illustration",
    "checks.execution.execute",
)
# (who, the rooms of the project that it may import besides itself)
LAYERS = [
    ("claims", ()),
    ("encoders", ("claims",)),
    ("checks.referee", ("claims",)),
    ("checks.results", ("claims", "encoders")),
    ("checks.judgement", ("claims", "encoders", "checks.referee", "checks.results")),
    ("checks.illustration", ("claims", "encoders", "checks.referee", "checks.results", "checks.judgement")),
    ("checks.cache", ("claims", "encoders", "checks.results", "checks.judgement")),
    ("checks.mutation", ("claims", "encoders", "checks.results")),
    ("checks.receipts", ("claims", "encoders", *BEFORE_RECEIPTS)),
    ("reports", (*RESULT_MODEL, "claims.language.errors")),
]
# The floors of claims/language, from the lowest: each may use those below it.
FLOORS = (
    ("errors",),
    ("expressions",),
    ("toml",),
    ("statement",),
    ("pictures", "proofs"),
    ("labels", "works"),
    ("files", "library"),
)


def test_no_module_imports_itself_by_way_of_others() -> None:
    found = find_circles(imports())
    new = [sorted(circle) for circle in found - CIRCLES]
    assert not new, f"a circle of imports: {new}"
    gone = [sorted(circle) for circle in CIRCLES - found]
    assert not gone, f"no longer a circle, or a smaller one: correct the list {gone}"


@pytest.mark.parametrize(("room", "allowed"), LAYERS, ids=[room for room, _ in LAYERS])
def test_a_room_imports_only_what_stands_before_it(room: str, allowed: tuple[str, ...]) -> None:
    for module, others in imports().items():
        if below(module, [room]):
            ours = {other for other in others if other.partition(".")[0] in PACKAGES}
            assert {other for other in ours if not below(other, [room, *allowed])} == set(), module


def test_only_the_run_writes_reports_and_only_the_command_line_compares_them() -> None:
    used = {m: {o for o in others if below(o, ["reports"])} for m, others in imports().items()}
    users = {m: {o for o in others if not below(o, ["reports.comparison"])} for m, others in used.items()}
    assert {m for m, others in users.items() if others and not below(m, ["reports"])} == {"checks.run"}
    comparing = {m for m, others in used.items() if any(below(o, ["reports.comparison"]) for o in others)}
    assert {m for m in comparing if not below(m, ["reports"])} == {"checks.cli"}


def test_nothing_rests_on_tests_or_benchmarks() -> None:
    for module, others in imports().items():
        assert not others & {"tests", "benchmarks", "pytest", "hypothesis"}, module


def test_the_language_is_read_floor_by_floor() -> None:
    floor = {f"claims.language.{name}": i for i, names in enumerate(FLOORS) for name in names}

    def floor_of(module: str) -> int | None:
        return next((i for name, i in floor.items() if below(module, [name])), None)

    rooms = {m for m in imports() if m.startswith("claims.language.")}
    assert {m for m in rooms if floor_of(m) is None} == set(), "without a floor"
    upwards = set()
    for module in rooms:
        here = floor_of(module)
        for other in imports()[module]:
            there = floor_of(other)
            if here is not None and there is not None and there > here:
                upwards.add(f"{module} -> {other}")
    compare(upwards, UPWARDS)


def test_the_referee_needs_the_standard_library_alone() -> None:
    for module in imports():
        if below(module, ["checks.referee", "checks.results.verdicts"]):
            assert foreign(module) == set(), module


def test_who_loads_the_language_loads_no_solver() -> None:
    for module in imports():
        if below(module, ["claims"]):
            assert not foreign(module) & {"z3", "cvc5", "sympy", "numpy"}, module


def foreign(module: str) -> set[str]:
    """The packages of others that it imports."""
    return {o for o in imports()[module] if o.partition(".")[0] not in {*PACKAGES, *sys.stdlib_module_names}}


def test_reports_are_made_by_what_is_known_to_make_them() -> None:
    """For a page that was made before counts by their versions."""
    found = {name.partition(".")[0] for module in imports() if below(module, ["reports"]) for name in foreign(module)}
    assert found == set(TEMPLATING)


def test_solvers_are_started_in_one_place() -> None:
    users = {m for m, others in imports().items() if others & {"z3", "cvc5"}}
    compare({m for m in users if not below(m, ["encoders.logic.solvers"])}, SOLVERS)


def test_a_rule_of_proof_sees_no_solver() -> None:
    for module, others in imports().items():
        if below(module, ["encoders.rules"]):
            assert not {o for o in others if below(o, ["encoders.logic.solvers"])}, module


# -- the test itself --------------------------------------------------------------------------------------------------
def test_a_circle_is_seen_through_late_imports_and_those_for_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a_small_house"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "one.py").write_text("def late():\n    from a_small_house import two\n")
    (folder / "two.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a_small_house.three import X\n"
    )
    (folder / "three.py").write_text("import a_small_house.one\nimport z3.z3\n")
    (folder / "four.py").write_text("from a_small_house import one, three\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = read_imports("a_small_house")
    assert find_circles(found) == {frozenset(f"a_small_house.{m}" for m in ("one", "two", "three"))}
    assert "z3" in found["a_small_house.three"]
