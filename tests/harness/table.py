"""The table of changes: files below rows/, each row one line of the code, what to make of it, and who must notice."""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROWS = Path(__file__).parent / "rows"
PACKAGES = ("checks", "claims", "encoders", "reports")
KEYS = {"file", "old", "new", "tests", "lie"}


class Stale(Exception):
    """A row that no longer fits the code, or that was never well-formed."""


@dataclass(frozen=True)
class Row:
    """One change: in `file`, the fragment `old` becomes `new`; then one of `tests` must fail.

    `lie`: in a sentence, what the change would let through.  `equal`: why no test can notice it, where that is so.
    `area`: the file of the table that the row stands in.
    """

    area: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    lie: str
    equal: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {_shown(self.old)}  ->  {_shown(self.new)}"

    def matches(self, pattern: str) -> bool:
        """Whether the pattern occurs in what is shown of the row, in its area or in its lie."""
        return pattern in f"{self.area} {self} {self.lie}"


def _shown(fragment: str) -> str:
    return " / ".join(line.strip() for line in fragment.splitlines()) or "nothing"


def rows() -> list[Row]:
    """The whole table, area by area. Raises Stale for a row with other keys than these."""
    return [row for path in sorted(ROWS.rglob("*.toml")) for row in _rows_of(path)]


def _rows_of(path: Path) -> list[Row]:
    found = []
    for table in tomllib.loads(path.read_text("utf-8"))["row"]:
        if not KEYS <= set(table) <= KEYS | {"equal"}:
            raise Stale(f"{path.name}: a row has the keys {', '.join(table)}; expected {', '.join(sorted(KEYS))}")
        found.append(Row(area=path.stem, **(table | {"tests": tuple(table["tests"])})))
    return found


@cache
def _statements(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


def _meaning(text: str, line: int) -> tuple[int, list[str]]:
    """How many statements a module has, and what those mean that have something on this line, counted from 1."""
    statements = _statements(text)
    return len(statements), [ast.dump(s) for s in statements if _first_line(s) <= line <= (s.end_lineno or s.lineno)]


def _first_line(statement: ast.stmt) -> int:
    return min([statement.lineno, *(x.lineno for x in getattr(statement, "decorator_list", ()))])


def changed(row: Row, root: Path = ROOT) -> str:
    """The text of the row's file after the change. Raises Stale where the change is not one line, once, in Python."""
    if not row.file.startswith(tuple(f"{package}/" for package in PACKAGES)):
        raise Stale(f"{row}: no file of {', '.join(PACKAGES)}")
    path = root / row.file
    if not path.is_file():
        raise Stale(f"{row}: there is no such file")
    before = path.read_text("utf-8")
    times = before.count(row.old) if row.old else 0
    if times != 1:
        raise Stale(f"{row}: the old text occurs {times} times, not once")
    after = before.replace(row.old, row.new)
    lines = list(zip(before.splitlines(), after.splitlines(), strict=False))
    differ = [number for number, (a, b) in enumerate(lines, 1) if a != b]
    if before.count("\n") != after.count("\n") or len(differ) != 1:
        raise Stale(f"{row}: not exactly one line changes")
    try:
        same = _meaning(before, differ[0]) == _meaning(after, differ[0])
    except SyntaxError as error:
        raise Stale(f"{row}: what comes out is no Python: {error}") from None
    if same:
        raise Stale(f"{row}: the change means nothing to Python")
    return after
