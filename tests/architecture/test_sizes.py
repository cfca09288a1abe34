"""Rooms that one can take in at a glance, no long modules, few types that say nothing."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields
from pathlib import Path

from exceptions import ANY, LONG
from house import PACKAGES, ROOT, compare, length, sources

from checks.results import model

EVERYTHING = (*PACKAGES, "benchmarks", "tests")
ROOMS = 12  # modules and rooms in one room
LINES = 400
IGNORED = 2  # comments that silence mypy


def rooms() -> dict[Path, set[Path]]:
    """Each folder with modules, and the modules and such folders in it."""
    found: dict[Path, set[Path]] = {}
    for path in sources(*EVERYTHING):
        for entry in (path, *path.parents):
            if entry == ROOT:
                break
            if entry.name != "__init__.py":
                found.setdefault(entry.parent, set()).add(entry)
    del found[ROOT]
    return found


def test_no_room_is_crowded() -> None:
    assert {str(room.relative_to(ROOT)): len(inside) for room, inside in rooms().items() if len(inside) > ROOMS} == {}


def test_no_two_files_of_tests_have_one_name() -> None:
    """Pytest, which finds them without packages, reads the second in vain."""
    names = Counter(path.name for path in sources("tests") if path.name.startswith("test_"))
    assert [name for name, count in names.items() if count > 1] == []


def test_no_module_is_long() -> None:
    compare({str(p.relative_to(ROOT)) for p in sources(*EVERYTHING) if length(p) > LINES}, LONG)


def occurrences(pattern: str, *folders: str) -> int:
    return sum(len(re.findall(pattern, path.read_text("utf-8"))) for path in sources(*folders))


def test_types_say_what_they_mean() -> None:
    found = occurrences(r"\bAny\b", *PACKAGES)
    assert found <= ANY, f"{found} times Any where {ANY} were allowed"
    assert found == ANY, f"only {found} times Any: lower ANY in exceptions.py to that"


def test_mypy_is_silenced_no_more_often() -> None:
    found = occurrences(r"#\s*type:\s*ignore", *EVERYTHING)
    assert found == IGNORED, f"{found} comments that silence mypy; expected {IGNORED}, or fewer and this number lowered"


def test_records_of_results_are_small() -> None:
    for record in (model.ClaimResult, model.Statement, model.Finding, model.Provenance, model.Presentation):
        assert len(fields(record)) < 20, record
