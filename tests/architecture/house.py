"""The modules of the code and their imports, wherever a module imports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("claims", "encoders", "checks", "reports")
Imports = Mapping[str, frozenset[str]]


def read_imports(*packages: str) -> Imports:
    """Return the imports of each module: modules of the packages, and other packages by their first name.

    Imports inside functions and under TYPE_CHECKING are counted.
    """
    graph = grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)
    modules = (m for m in graph.modules if m.partition(".")[0] in packages)
    return {m: frozenset(graph.find_modules_directly_imported_by(m)) for m in modules}


@cache
def imports() -> Imports:
    """The imports of the four packages."""
    return read_imports(*PACKAGES)


def find_circles(edges: Imports) -> set[frozenset[str]]:
    """Return the largest sets of modules that import each other, directly or through others (Tarjan 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: set[frozenset[str]] = set()

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        path.append(module)
        for other in edges[module]:
            if other not in edges:
                continue
            if other not in number:
                visit(other)
            if other in path:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == number[module]:
            start = path.index(module)
            circle = frozenset(path[start:])
            del path[start:]
            if len(circle) > 1 or module in edges[module]:
                found.add(circle)

    for module in edges:
        if module not in number:
            visit(module)
    return found


def by_folder(edges: Imports) -> Imports:
    """Return the folders from which each folder imports. A module belongs to its innermost folder."""
    packages = {module for module in edges if any(other.startswith(f"{module}.") for other in edges)}

    def folder(module: str) -> str:
        return module if module in packages else module.rpartition(".")[0]

    found: dict[str, set[str]] = {folder(module): set() for module in edges}
    for module, others in edges.items():
        found[folder(module)] |= {folder(other) for other in others if other in edges} - {folder(module)}
    return {name: frozenset(others) for name, others in found.items()}


def below(module: str, rooms: Iterable[str]) -> bool:
    """Whether the module is one of the rooms, or in one of them."""
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def sources(*folders: str) -> list[Path]:
    """Return the modules in these folders of the repository, without files that a run has written there."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in found if ROOT / "reports" / "out" not in path.parents)


def compare(found: set[str], excepted: set[str]) -> None:
    """Check that the violations of a rule are exactly the listed exceptions."""
    assert not found - excepted, f"against the rule: {sorted(found - excepted)}"
    assert not excepted - found, f"no longer needed, take them off the list: {sorted(excepted - found)}"
