"""Changes drawn at random, each by its seed again the same, and the tests that come to what they change.

Which tests come to which function is found by a run of pytest that looks on: `python -m tests.harness --look`. This
module is the plugin of that run too.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

from .operators import COMPARED, Edit
from .table import PACKAGES, ROOT, Row, Stale, changed, rows, source_of

REACHED = ROOT / "build" / "reached.json"
ALIKE = ({"<", "<=", ">", ">="}, {"==", "!="}, {"in", "not in"}, {"is", "is not"})  # one for another, when drawn
DRAWN = (
    "drop",
    "not",
    "true",
    "false",
    *COMPARED,
    "and-or",
    "pass",
    "part",
    "turn",
    "swap",
    "+1",
    "-1",
    "[:1]",
    "[1:]",
)
FEW = 12  # files of tests of which the cheapest tests are asked first
TRIES = 1000  # to draw one change

# For each place the files of tests that come to it: the seconds of CPU of the tests that do, and the cheapest of them.
Reached = dict[str, dict[str, tuple[float, str]]]


def draw(count: int, seed: int, folders: tuple[str, ...], reached: Reached) -> Iterator[Row]:
    """So many changes of modules below these folders that the table does not have.

    A function is drawn by its length, then an operator, then one of the changes that this one makes of it. What is said
    of an error is left alone.
    """
    known = {(row.at, row.change) for row in rows()}
    named: dict[str, list[str]] = {}
    for row in rows():
        for place in (row.at, row.at.partition(":")[0]):
            named.setdefault(place, []).extend(row.tests)
    places = [(path, place) for path in _modules(folders) for place in source_of(path.read_text("utf-8")).places]
    lengths = [_length(path, place) for path, place in places]
    chance = random.Random(seed)
    for _ in range(count):
        for _ in range(TRIES):
            path, place = chance.choices(places, lengths)[0]
            operator = chance.choice(DRAWN)
            edits = source_of(path.read_text("utf-8")).edits(place, operator)
            if not edits:
                continue
            module = path.relative_to(ROOT).with_suffix("").as_posix().removesuffix("/__init__").replace("/", ".")
            at = f"{module}:{place}".rstrip(":")
            number = chance.randrange(len(edits)) + 1
            first, then = find_tests(at, named, reached)
            row = Row("drawn", at, first, operator=operator, number=number, then=then)
            if (row.at, row.change) not in known and _means_something(row, edits[number - 1]):
                known.add((row.at, row.change))
                yield row
                break


def find_tests(at: str, named: dict[str, list[str]], reached: Reached) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those to ask first, which cost little, and the files of all that come to a place."""
    module, _, place = at.partition(":")
    files = reached.get(f"{module}:{place.partition('#')[0]}", {})
    if not files:  # a class, or what runs when the module is read
        for other, found in reached.items():
            if other.startswith(f"{module}:"):
                files = {**found, **files}
    by_cost = sorted(files, key=lambda file: (files[file][0], file))
    few = (*named.get(at, ()), *(files[file][1] for file in by_cost[:FEW]))
    return tuple(dict.fromkeys(few or named.get(module, ()))), tuple(by_cost)


def _modules(folders: tuple[str, ...]) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [*found, *(ROOT / folder for folder in folders if (ROOT / folder).is_file())]


def _length(path: Path, place: str) -> int:
    """How many nodes are its own: none where there is nothing to be changed but what is imported."""
    return len(source_of(path.read_text("utf-8")).places[place]) if place else 0


def _means_something(row: Row, edit: Edit) -> bool:
    """Whether it is one line of Python that means another thing that is likely, and none that raises an error."""
    try:
        before, after = (ROOT / row.file).read_text("utf-8"), changed(row)
    except Stale:
        return False
    if row.operator in COMPARED and not any({before[edit.start : edit.end], row.operator} <= signs for signs in ALIKE):
        return False
    line = before[before.rfind("\n", 0, edit.start) + 1 :].partition("\n")[0].strip()
    return after != before and (row.operator == "pass" or not line.startswith("raise "))


def read_reached() -> Reached:
    """What a run of pytest has found; nothing where there was none."""
    return json.loads(REACHED.read_text("utf-8")) if REACHED.exists() else {}


# -- the plugin: pytest -p tests.harness.drawn -------------------------------------------------------------------------
_names: dict[CodeType, str] = {}
_cost: dict[str, float] = {}  # of each test
_reached: Reached = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note which functions of ours the test comes to, in this process."""
    seen: set[CodeType] = set()

    def look(frame: FrameType, event: str, argument: object) -> None:
        seen.add(frame.f_code)

    started = time.process_time()
    before = sys.gettrace()
    sys.settrace(look)
    try:
        return (yield)
    finally:
        sys.settrace(before)
        _note(re.sub(r"@[^\]]*$", "", item.nodeid), seen, time.process_time() - started)  # without its group


def _note(test: str, seen: set[CodeType], seconds: float) -> None:
    file = test.partition("::")[0]
    for place in {_names.setdefault(code, _name(code)) for code in seen} - {""}:
        files = _reached.setdefault(place, {})
        total, cheapest = files.get(file, (0.0, test))
        least = _cost.setdefault(cheapest, seconds)
        _cost[test] = seconds
        files[file] = total + seconds, test if seconds < least else cheapest


def _name(code: CodeType) -> str:
    """The place that a code object belongs to; "" where it is none of ours."""
    path = Path(code.co_filename)
    if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in PACKAGES:
        return ""
    module = path.relative_to(ROOT).with_suffix("").as_posix().removesuffix("/__init__").replace("/", ".")
    inner = ".".join(part for part in code.co_qualname.split(".") if not part.startswith("<"))
    return f"{module}:{inner}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Each process leaves what it has seen; the one that the others work for adds it up."""
    parts = REACHED.with_suffix("")
    parts.mkdir(parents=True, exist_ok=True)
    if _reached:
        (parts / f"{os.getpid()}.json").write_text(json.dumps(_reached), "utf-8")
    if hasattr(session.config, "workerinput"):
        return
    total: Reached = {}
    for path in parts.glob("*.json"):
        for place, files in json.loads(path.read_text("utf-8")).items():
            for file, (seconds, test) in files.items():
                known = total.setdefault(place, {}).get(file, (0.0, test))
                total[place][file] = known[0] + seconds, known[1]
        path.unlink()
    parts.rmdir()
    REACHED.write_text(json.dumps(total, indent=0, sort_keys=True), "utf-8")
