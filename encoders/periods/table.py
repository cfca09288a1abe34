"""The values of all heaps of a game as a table: the first ones, a period, and by how much it raises them.

Plain data, to be written as JSON and read again; whether it is right says `verify`.  docs/certificates.md has the form.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from claims.language.ground.errors import NimChecksError

GRUNDY, VALUE = "grundy", "value"
KINDS = ("end", "one", "two", "equal")

SHORT = 20_000  # values that are written one by one; more of them are packed
SHOWN = 100  # of these, at each end, in words


class BadTable(NimChecksError, ValueError):
    """What is no table, in words that say what was expected."""


@dataclass(frozen=True)
class Takes:
    """What one mover may take of a heap so that nothing, one heap, two different or two equal heaps are left.

    Ascending numbers of at least 1.
    """

    end: tuple[int, ...]
    one: tuple[int, ...]
    two: tuple[int, ...] = ()
    equal: tuple[int, ...] = ()

    @property
    def splits(self) -> bool:
        """Whether two heaps may be left."""
        return bool(self.two or self.equal)


@dataclass(frozen=True)
class PeriodicTable:
    """What is said of every heap h, for each mover: rows[mover][h], and from the preperiod on p more add the saltus.

    `question`: "grundy", or "value", the offset of the winner from the mover among `players`.  `misere`: who cannot
    move wins.  `moves`: of each mover, one for all where they have the same; none names a number above `last`, and
    `beyond` says whether each number above it may be taken too, so that nothing or one heap is left.  `rows`: of the
    heaps below preperiod + period.
    """

    question: str
    players: int
    misere: bool
    moves: tuple[Takes, ...]
    last: int
    beyond: bool
    preperiod: int
    period: int
    saltus: int
    rows: tuple[tuple[int, ...], ...]

    def value(self, heap: int, mover: int = 0) -> int:
        """What it says of a heap of at least 0."""
        row = self.rows[mover]
        if heap < len(row):
            return row[heap]
        times, rest = divmod(heap - self.preperiod, self.period)
        return row[self.preperiod + rest] + times * self.saltus

    @property
    def splits(self) -> bool:
        """Whether a move may leave two heaps."""
        return any(x.splits for x in self.moves)

    @property
    def repeats(self) -> str:
        """How, in words."""
        saltus = f", saltus {self.saltus}" if self.saltus else ""
        return f"preperiod {self.preperiod}, period {self.period}{saltus}"

    def lines(self) -> Iterator[str]:
        """It in words, for people."""
        for number, takes in enumerate(self.moves, 1):
            who = f"player {number} may" if len(self.moves) > 1 else "a move may"
            yield f"of one heap, {who} {'; '.join(self._told(takes))}"
        what = "Grundy value" if self.question == GRUNDY else "winner, as an offset from the mover,"
        yield f"show that the {what} of every heap has {self.repeats}, and is for the heaps 0, 1, ..."
        for row in self.rows:
            if len(row) <= SHORT:
                yield " ".join(map(str, row))
                continue
            first, last = (" ".join(map(str, x)) for x in (row[:SHOWN], row[-SHOWN:]))
            digest = hashlib.sha256()
            for i in range(0, len(row), SHORT):
                digest.update("".join(f"{v} " for v in row[i : i + SHORT]).encode())
            told = f"{len(row)} values, SHA-256 {digest.hexdigest()} of them in decimal, each with a space behind it"
            yield f"{first} ... {last}: {told}"

    def _told(self, takes: Takes) -> Iterator[str]:
        more = f", and all from {self.last + 1} on" if self.beyond else ""
        for kind, words in zip(KINDS, ("nothing", "one heap", "two different heaps", "two equal heaps"), strict=True):
            numbers = ", ".join(map(str, getattr(takes, kind)))
            tail = more if kind in KINDS[:2] else ""
            if numbers or tail:
                yield f"take {(numbers + tail).removeprefix(', and ')} and leave {words}"


# -- JSON -------------------------------------------------------------------------------------------------------------
def to_json(table: PeriodicTable) -> dict[str, object]:
    """Lists, integers, texts and truth values."""
    return {
        "question": table.question,
        "players": table.players,
        "misere": table.misere,
        "moves": [{kind: list(getattr(x, kind)) for kind in KINDS} for x in table.moves],
        "last": table.last,
        "beyond": table.beyond,
        "preperiod": table.preperiod,
        "period": table.period,
        "saltus": table.saltus,
        "rows": [list(row) if len(row) <= SHORT or max(row) >> 16 else _pack(row) for row in table.rows],
    }


def to_text(table: PeriodicTable) -> str:
    """As text, the same for two tables only if they are the same."""
    return json.dumps(to_json(table), separators=(",", ":"))


_T = TypeVar("_T")


def read_table(data: object) -> PeriodicTable:
    """What `to_json` has written, or a file says. Raises BadTable for anything else."""
    if not isinstance(data, dict) or set(data) != set(PeriodicTable.__dataclass_fields__):
        raise BadTable(f"a table has the keys {', '.join(PeriodicTable.__dataclass_fields__)}")
    if data["question"] not in (GRUNDY, VALUE):
        raise BadTable(f"question: expected {GRUNDY} or {VALUE}")
    numbers = {key: read_of(data[key], int, key) for key in ("players", "last", "preperiod", "period", "saltus")}
    moves = tuple(read_takes(x) for x in read_of(data["moves"], list, "moves"))
    size = numbers["preperiod"] + numbers["period"]
    rows = tuple(
        _unpack(x, size) if type(x) is str else read_integers(x, "rows") for x in read_of(data["rows"], list, "rows")
    )
    misere, beyond = (read_of(data[key], bool, key) for key in ("misere", "beyond"))
    return PeriodicTable(data["question"], moves=moves, rows=rows, misere=misere, beyond=beyond, **numbers)


def _pack(row: tuple[int, ...]) -> str:
    """Two bytes for each value, the lower one first, deflated, in base 64."""
    data = bytearray(2 * len(row))
    data[::2], data[1::2] = bytes(v & 255 for v in row), bytes(v >> 8 for v in row)
    return b64encode(zlib.compress(data, 9)).decode()


def _unpack(text: str, size: int) -> tuple[int, ...]:
    """Raises BadTable for anything but `size` values."""
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(b64decode(text, validate=True), 2 * max(size, 0) + 1)
    except (ValueError, zlib.error):
        data = b""
    if not data or len(data) != 2 * size or not reader.eof or reader.unused_data:
        raise BadTable(f"rows: expected {size} values, two bytes for each, deflated, in base 64")
    return tuple(low | high << 8 for low, high in zip(data[::2], data[1::2], strict=True))


def read_takes(data: object) -> Takes:
    """Raises BadTable."""
    if not isinstance(data, dict) or set(data) != set(KINDS):
        raise BadTable(f"moves: expected the keys {', '.join(KINDS)}")
    return Takes(**{kind: read_integers(data[kind], kind) for kind in KINDS})


def read_integers(data: object, what: str) -> tuple[int, ...]:
    """Raises BadTable, with `what` it is."""
    return tuple(read_of(x, int, what) for x in read_of(data, list, what))


def read_of(data: object, kind: type[_T], what: str) -> _T:
    """Raises BadTable, with `what` it is."""
    if type(data) is not kind:
        raise BadTable(f"{what}: expected {'an integer' if kind is int else f'a {kind.__name__}'}")
    return data
