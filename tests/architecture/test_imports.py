"""Imports go in one direction. Late imports and imports for types count too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from exceptions import CIRCLES, FOLDER_CIRCLES, SOLVERS
from house import PACKAGES, below, by_folder, compare, find_circles, imports, read_imports
from layers import LAYERS, allowed, layer_of

from checks.cache.keys import TEMPLATING

TOLD = "encoders.z3_library"


def test_no_module_imports_itself_by_way_of_others() -> None:
    no_others(find_circles(imports()), CIRCLES)


def test_no_folder_imports_itself_by_way_of_others() -> None:
    """A module belongs to its innermost folder, not to the folders around it."""
    no_others(find_circles(by_folder(imports())), FOLDER_CIRCLES)


def no_others(found: set[frozenset[str]], excepted: set[frozenset[str]]) -> None:
    new = [sorted(circle) for circle in found - excepted]
    assert not new, f"a circle of imports: {new}"
    gone = [sorted(circle) for circle in excepted - found]
    assert not gone, f"no longer a circle, or a smaller one: correct the list {gone}"


# -- layers ------------------------------------------------------------------------------------------------------------
def test_the_layers_are_in_order() -> None:
    order = list(LAYERS)
    for layer in order:
        later = allowed(layer) - {layer} - set(order[: order.index(layer)]) - {"claims", "encoders"}
        assert not later, f"{layer} stands below {sorted(later)}"


def test_each_module_belongs_to_a_layer() -> None:
    rooms = {"claims", "claims.language", "encoders"}  # they contain only folders
    assert {m for m, others in imports().items() if layer_of(m) is None and (others or m not in rooms)} == set()


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_what_it_may(layer: str) -> None:
    may = allowed(layer)
    for module, others in imports().items():
        if layer_of(module) == layer:
            ours = {other for other in others if other.partition(".")[0] in PACKAGES}
            assert {other for other in ours if layer_of(other) not in may} == set(), module


def test_only_run_solve_check_and_atlas_write_what_others_read_and_commands_alone_compare_reports() -> None:
    used = {m: {o for o in others if below(o, ["reports"])} for m, others in imports().items()}
    users = {m: {o for o in others if not below(o, ["reports.comparison"])} for m, others in used.items()}
    writers = {m for m, others in users.items() if others and not below(m, ["reports"])}
    commands = ("run", "boards", "check", "families")
    assert writers == {f"checks.command.{name}" for name in commands}
    comparing = {m for m, others in used.items() if any(below(o, ["reports.comparison"]) for o in others)}
    assert {m for m in comparing if not below(m, ["reports"])} == {
        f"checks.command.{name}" for name in ("cli", "run", "selection", "queries")
    }


def test_nothing_rests_on_tests_or_benchmarks() -> None:
    for module, others in imports().items():
        plugin = {"pytest"} if module == "checks.command.plugin" else set[str]()
        assert not others & ({"tests", "benchmarks", "pytest", "hypothesis"} - plugin), module


# -- third-party packages ----------------------------------------------------------------------------------------------
def test_the_referee_needs_the_standard_library_alone() -> None:
    for module in imports():
        if below(module, ["checks.referee", "checks.results.verdicts"]):
            assert foreign(module) == set(), module


def test_who_loads_the_language_loads_no_solver() -> None:
    for module in imports():
        if below(module, ["claims"]):
            assert not foreign(module) & {"z3", "cvc5", "sympy", "numpy"}, module


def foreign(module: str) -> set[str]:
    """Return the third-party packages that a module imports."""
    return {o for o in imports()[module] if o.partition(".")[0] not in {*PACKAGES, *sys.stdlib_module_names}}


def test_reports_are_made_by_what_is_known_to_make_them() -> None:
    """The cache of pages depends on the versions of these packages."""
    found = {name.partition(".")[0] for module in imports() if below(module, ["reports"]) for name in foreign(module)}
    assert found == set(TEMPLATING)


def test_z3_is_told_where_its_library_is_before_it_is_imported() -> None:
    assert {m for m, others in imports().items() if any(o.partition(".")[0] == "z3" for o in others)} == {TOLD}


def test_solvers_are_started_in_one_place() -> None:
    users = {m for m, others in imports().items() if others & {"z3", "cvc5", TOLD}}
    compare({m for m in users if not below(m, ["encoders.solvers"])}, SOLVERS)


# -- the test itself ---------------------------------------------------------------------------------------------------
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


def test_a_circle_of_folders_is_seen_where_no_module_is_in_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "a_house_of_two/up/attic.py": "from a_house_of_two.down import cellar\n",
        "a_house_of_two/down/cellar.py": "",
        "a_house_of_two/down/stairs.py": "def climb():\n    from a_house_of_two.up.landing import X\n",
        "a_house_of_two/up/landing.py": "X = 1\n",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)
    (tmp_path / "a_house_of_two" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    found = read_imports("a_house_of_two")
    assert find_circles(found) == set()
    assert find_circles(by_folder(found)) == {frozenset({"a_house_of_two.up", "a_house_of_two.down"})}
