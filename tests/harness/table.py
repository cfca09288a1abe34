"""The table of changes: files below rows/, each change in a place of the code, and who must notice it."""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent

from .operators import OPERATORS, Source

ROOT = Path(__file__).resolve().parents[2]
ROWS = Path(__file__).parent / "rows"
PACKAGES = ("checks", "claims", "encoders", "reports")
KEYS = {"at", "old", "new", "tests", "lie"}


class Stale(Exception):
    """A row that no longer fits the code, or that was never well-formed."""


@dataclass(frozen=True)
class Row:
    """One change: in the place `at` the fragment `old` becomes `new`, or an operator is applied; some test must fail.

    `at`: a module and the qualified name of a function or class in it, `module:name`; `module` where it is in none.
    `operator` and `number`: of a generated change, see operators.py.  `lie`: of one by hand, in a sentence, what it
    would let through.  `equal`: why no test can notice it, where that is so.
    `area`: the file of the table that the row stands in.  `then`: more tests, asked where none of `tests` fails.
    """

    area: str
    at: str
    tests: tuple[str, ...]
    old: str = ""
    new: str = ""
    lie: str = ""
    equal: str = ""
    operator: str = ""
    number: int = 0
    then: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.at}: {self.change}"

    @property
    def change(self) -> str:
        """What is changed, on one line."""
        return f"{self.operator} {self.number}" if self.operator else f"{_shown(self.old)}  ->  {_shown(self.new)}"

    @property
    def file(self) -> str:
        """Where the place is, below the root."""
        path = self.at.partition(":")[0].replace(".", "/")
        return f"{path}/__init__.py" if (ROOT / path).is_dir() else f"{path}.py"

    def matches(self, pattern: str) -> bool:
        """Whether the pattern occurs in what is shown of the row, in its area, its file, its tests or its lie."""
        return pattern in " ".join((self.area, self.file, str(self), *self.tests, self.lie))


def _shown(fragment: str) -> str:
    return " / ".join(line.strip() for line in fragment.splitlines()) or "nothing"


@cache
def rows() -> tuple[Row, ...]:
    """The whole table, area by area. Raises Stale for what is no row."""
    return tuple(row for path in sorted(ROWS.rglob("*.toml")) for row in rows_of(path.stem, path.read_text("utf-8")))


def rows_of(area: str, text: str) -> list[Row]:
    """What one file of the table says: first what is generated, test by test; then what is written by hand."""
    data = tomllib.loads(text)
    if not set(data) <= {"noticed", "row"}:
        raise Stale(f"{area}: there is {', '.join(data)}; expected noticed and row")
    found = []
    for table in data.get("noticed", []):
        if "by" not in table:
            raise Stale(f"{area}: 'by' is missing beside {', '.join(table)}: the tests that notice these changes")
        for at, changes in table.items():
            if at != "by":
                found += [_generated(area, at, change.split(), tuple(table["by"])) for change in changes.split(",")]
    for table in data.get("row", []):
        if not KEYS <= set(table) <= KEYS | {"equal"}:
            raise Stale(f"{area}: a row has the keys {', '.join(table)}; expected {', '.join(sorted(KEYS))}")
        found.append(Row(area=area, **(table | {"tests": tuple(table["tests"])})))
    return found


def _generated(area: str, at: str, words: list[str], tests: tuple[str, ...]) -> Row:
    operator, number = " ".join(words[:-1]), words[-1] if words else ""
    if operator not in OPERATORS or not number.isdecimal():
        raise Stale(
            f"{area}: {at}: {' '.join(words)!r} is no operator and number; operators are {', '.join(OPERATORS)}"
        )
    return Row(area, at, tests, operator=operator, number=int(number))


@cache
def source_of(text: str) -> Source:
    """The same for the same text."""
    return Source(text)


@cache
def _parse(text: str) -> ast.Module:
    """Of a place as it is, which many rows change. Raises SyntaxError."""
    return ast.parse(dedent(text))


def _mean_the_same(one: object, other: object) -> bool:
    """Whether two nodes, wherever they stand, are the same to Python."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_mean_the_same, one, other))
    if isinstance(one, ast.AST):
        names = one._fields
        return type(one) is type(other) and all(_mean_the_same(getattr(one, n), getattr(other, n)) for n in names)
    return type(one) is type(other) and one == other


def changed(row: Row, root: Path = ROOT) -> str:
    """The text of the row's file after the change. Raises Stale where the change is not one line, once, in Python."""
    if not row.file.startswith(tuple(f"{package}/" for package in PACKAGES)):
        raise Stale(f"{row}: no module of {', '.join(PACKAGES)}")
    path = root / row.file
    if not path.is_file():
        raise Stale(f"{row}: there is no file {row.file}")
    source, place = source_of(path.read_text("utf-8")), row.at.partition(":")[2]
    if place not in source.places:
        raise Stale(f"{row}: {row.file} has no {place}")
    start, end = source.spans[place]
    before = source.text[start:end]
    after = _after(row, source, place)
    lines = list(zip(before.splitlines(), after.splitlines(), strict=False))
    if before.count("\n") != after.count("\n") or sum(a != b for a, b in lines) != 1:
        raise Stale(f"{row}: not exactly one line changes")
    try:
        same = _mean_the_same(_parse(before), ast.parse(dedent(after)))
    except SyntaxError as error:
        raise Stale(f"{row}: what comes out is no Python: {error}") from None
    if same:
        raise Stale(f"{row}: the change means nothing to Python")
    return source.text[:start] + after + source.text[end:]


def _after(row: Row, source: Source, place: str) -> str:
    """The text of the place after the change."""
    start, end = source.spans[place]
    text = source.text[start:end]
    if row.operator:
        edits = source.edits(place, row.operator)
        if not 1 <= row.number <= len(edits):
            raise Stale(f"{row}: there are {len(edits)} such changes")
        edit = edits[row.number - 1]
        return source.text[start : edit.start] + edit.text + source.text[edit.end : end]
    times = text.count(row.old) if row.old else 0
    if times != 1:
        raise Stale(f"{row}: the old text occurs {times} times, not once")
    return text.replace(row.old, row.new)
