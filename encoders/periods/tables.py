"""Periodic tables of Grundy values or winners, finite misère quotients, and finite checks that they are correct.

A finite check shows that a periodic table is correct for every heap; see docs/rules/periodic.md.

A table is correct at a heap if its value for the heap follows from the moves and from its values for smaller heaps.
If a table is correct at every heap below a certain bound, it is correct everywhere. The proof is by induction: a heap
beyond the bound has options with the same values as the heap that is one period smaller (increased by the saltus, if
any). The bound and the conditions depend on the moves. Let t be the last number that may be taken, n0 the preperiod and
p the period. "Equal" and "different" refer to the two heaps that a split leaves:

moves      conditions                                                 bound
few        no heap may split, no number above t may be taken          n0 + p + t
breaking   heaps may split, no number above t may be taken            2 n0 + 2 p + t, with n0 >= 1 (Guy and Smith 1956)
           some number may leave different heaps but not equal ones   2 n0 + 3 p + t, with n0 >= 1
all but    no heap may split, all numbers above t may be taken        n1 + p + t, with n1 as in `_find_repeating`

If n0 = 0, the induction may compare a heap with the empty heap. In this case, each number that may be taken to leave
nothing may also be taken to leave one heap, and conversely.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import xor
from typing import TypeVar

from claims.language.errors import NimChecksError
from encoders import refusals

# == table ============================================================================================================
# The values of all heaps of a game as a table: the first values, a period, and the saltus.
#
# A table is plain data that is stored as JSON. `verify` checks that it is correct. docs/certificates.md describes the
# format.
GRUNDY, VALUE = "grundy", "value"
KINDS = ("end", "one", "two", "equal")

SHORT = 20_000  # longer rows of values are packed
SHOWN = 100  # number of values shown at each end of a long row


class BadTable(NimChecksError, ValueError):
    """An error: data from a file does not have the format of a table. The message describes the expected data."""


@dataclass(frozen=True)
class Takes:
    """The moves of one player: the numbers that the player may take from a heap.

    There is a separate list for each result of the move: `end` if nothing is left, `one` if one heap is left, `two` if
    two different heaps are left, and `equal` if two equal heaps are left. The numbers are at least 1 and ascending.
    """

    end: tuple[int, ...]
    one: tuple[int, ...]
    two: tuple[int, ...] = ()
    equal: tuple[int, ...] = ()

    @property
    def splits(self) -> bool:
        """Whether some move leaves two heaps."""
        return bool(self.two or self.equal)


@dataclass(frozen=True)
class PeriodicTable:
    """The values of all single heaps of a game, for each player to move. `verify` checks that they are correct.

    A heap h has the value `rows[mover][h]` if it is smaller than preperiod + period. For larger heaps, the value
    increases by the saltus whenever the heap increases by the period.

    `question`: "grundy" for Grundy values. "value" for the winner, counted in turns from the player to move: 0 for the
    player to move, up to `players` - 1.
    `misere`: whether a player who cannot move wins.
    `moves`: the moves of each player; only one entry if all players have the same moves.
    `last`: a bound: no number in `moves` is larger.
    `beyond`: whether a player may also take every number above `last`, and leave nothing or one heap.
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
        """Return the value of a heap of any size from 0 on, if the player with the index `mover` moves."""
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
        """The repetition in words, such as "preperiod 4, period 2, saltus 1". A saltus of 0 is omitted."""
        saltus = f", saltus {self.saltus}" if self.saltus else ""
        return f"preperiod {self.preperiod}, period {self.period}{saltus}"

    def lines(self) -> Iterator[str]:
        """Yield the lines of a description: the moves, then the repetition, then a line of values for each row.

        For a long row, the line contains only the first and the last values, and a digest of all values.
        """
        for number, takes in enumerate(self.moves, 1):
            who = f"player {number} may" if len(self.moves) > 1 else "a move may"
            yield f"from one heap, {who} {'; '.join(self._describe_takes(takes))}"
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
            told = f"{len(row)} values, SHA-256 {digest.hexdigest()} of them in decimal, each followed by a space"
            yield f"{first} ... {last}: {told}"

    def _describe_takes(self, takes: Takes) -> Iterator[str]:
        more = f", and all from {self.last + 1} on" if self.beyond else ""
        for kind, words in zip(KINDS, ("nothing", "one heap", "two different heaps", "two equal heaps"), strict=True):
            numbers = ", ".join(map(str, getattr(takes, kind)))
            tail = more if kind in KINDS[:2] else ""
            if numbers or tail:
                yield f"take {(numbers + tail).removeprefix(', and ')} and leave {words}"


# -- JSON -------------------------------------------------------------------------------------------------------------
def to_json(table: PeriodicTable) -> dict[str, object]:
    """Return the table as data for JSON. A long row is a string, in the format of `_pack`."""
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
    """Return the table as JSON text. Two tables with the same text are equal."""
    return json.dumps(to_json(table), separators=(",", ":"))


_T = TypeVar("_T")


def read_table(data: object) -> PeriodicTable:
    """Return the table that is described by data in the format of `to_json`. Raises BadTable for other data.

    It is not checked that the values are correct; see `verify`.
    """
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
    """Return the values of a row as text: two bytes for each value, the lower byte first, deflated, in base 64."""
    data = bytearray(2 * len(row))
    data[::2], data[1::2] = bytes(v & 255 for v in row), bytes(v >> 8 for v in row)
    return b64encode(zlib.compress(data, 9)).decode()


def _unpack(text: str, size: int) -> tuple[int, ...]:
    """Return the values in a text that `_pack` wrote. Raises BadTable unless there are exactly `size` values."""
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(b64decode(text, validate=True), 2 * max(size, 0) + 1)
    except (ValueError, zlib.error):
        data = b""
    if not data or len(data) != 2 * size or not reader.eof or reader.unused_data:
        raise BadTable(f"rows: expected {size} values, two bytes for each, deflated, in base 64")
    return tuple(low | high << 8 for low, high in zip(data[::2], data[1::2], strict=True))


def read_takes(data: object) -> Takes:
    """Return the moves of one player from data in the format of `to_json`. Raises BadTable for other data."""
    if not isinstance(data, dict) or set(data) != set(KINDS):
        raise BadTable(f"moves: expected the keys {', '.join(KINDS)}")
    return Takes(**{kind: read_integers(data[kind], kind) for kind in KINDS})


def read_integers(data: object, what: str) -> tuple[int, ...]:
    """Return `data`, which must be a list of integers, as a tuple.

    Otherwise raise BadTable, whose message begins with `what`.
    """
    return tuple(read_of(x, int, what) for x in read_of(data, list, what))


def read_of(data: object, kind: type[_T], what: str) -> _T:
    """Return `data` unchanged if its type is `kind`. Otherwise raise BadTable, whose message begins with `what`."""
    if type(data) is not kind:
        raise BadTable(f"{what}: expected {'an integer' if kind is int else f'a {kind.__name__}'}")
    return data


# == verify ===========================================================================================================
MOST_STEPS = 60_000_000
"""The limit of steps for a check in Python. A step is one number taken from one heap, or 16 splits of a heap."""

FROM = 2_000_000  # with more steps than this, the kernel checks a table of heaps that split
MOST_CALLS = 20_000  # limit for calls of the kernel; each takes a few milliseconds
MOST_VALUES = 100_000_000  # limit for the heaps of a table, because of memory
SPLITS = 16  # splits per step


class UnverifiedTable(NimChecksError):
    """An error: the check of a table failed. The message gives the reason.

    For example, the value of a heap is wrong, or no theorem gives a bound for the moves of the game.
    """


class TableTooLarge(NimChecksError):
    """An error: the check of the table needs more steps than the limit allows."""


@dataclass(frozen=True)
class Verified:
    """The result of a successful check of a table.

    `heaps`: the bound; the table is correct at each heap below it, and therefore everywhere.
    `by_kernel`: whether the WebAssembly kernel did the check. Otherwise Python code examined every move of every heap.
    """

    heaps: int
    by_kernel: bool = False

    @property
    def words(self) -> str:
        """The result as a text, such as "the heaps below 120 were checked, by the kernel"."""
        return f"the heaps below {self.heaps} were checked{', by the kernel' if self.by_kernel else ''}"


def verify(table: PeriodicTable, steps: int = MOST_STEPS, calls: int = MOST_CALLS) -> Verified:
    """Check that a table is correct for all heaps.

    Raises UnverifiedTable if the table is wrong, and TableTooLarge if the check exceeds its limit.
    `steps`: the limit for a check in Python. A step is one number taken from one heap, or 16 splits of a heap.
    `calls`: the limit for a check by the compiled code (`encoders.kernel`), which is used for large tables of games in
    which heaps split. Each call of this code works for some milliseconds.
    """
    _check_form(table)
    bound = find_bound(table)
    splits = sum(len(x.two) for x in table.moves) * bound * bound // (4 * SPLITS)
    taken = splits + bound * sum(4 + len(x.one) for x in table.moves)
    if taken > steps and not table.splits:
        raise TableTooLarge(f"the check of {bound} heaps takes more than {steps} steps")
    if taken > min(steps, FROM) and table.splits:
        if bound > MOST_VALUES:
            raise TableTooLarge(f"the check needs {bound} heaps, more than {MOST_VALUES}")
        _check_by_kernel(table, bound, calls)
        return Verified(bound, by_kernel=True)
    rows = [[table.value(h, mover) for h in range(bound)] for mover in range(len(table.moves))]
    for mover, takes in enumerate(table.moves):
        _check_row(table, takes, rows[mover], rows[(mover + 1) % len(rows)], mover)
    return Verified(bound)


class _Calls:
    """A limit for the kernel: it calls `check` regularly, and only the first `calls` calls succeed."""

    def __init__(self, calls: int) -> None:
        self.calls = self.left = calls

    def check(self) -> None:
        """Count a call. Raise TableTooLarge if the limit is exceeded."""
        self.left -= 1
        if self.left < 0:
            raise TableTooLarge(
                f"the check by the WebAssembly kernel takes too long: it needs more than {self.calls} calls"
            )


def _check_by_kernel(table: PeriodicTable, bound: int, calls: int) -> None:
    """Check the Grundy values of the heaps below `bound` with the kernel, in a game in which heaps may split.

    Raises UnverifiedTable for a wrong value, and TableTooLarge.
    """
    import numpy as np

    from encoders.kernel.values import HeapMoves, find_flaw

    (row,), (takes,) = table.rows, table.moves
    values = np.fromiter(row, dtype=np.uint32, count=len(row))
    values = np.concatenate([values, np.resize(values[table.preperiod :], bound - len(values))])
    may = [np.isin(np.arange(table.last + 1), numbers) for numbers in (takes.end, takes.one)]
    try:
        flaw = find_flaw(HeapMoves(may[0], may[1], takes.two, takes.equal), values, _Calls(calls))
    except refusals.TooLarge as error:
        raise TableTooLarge(str(error)) from None
    if flaw is not None:
        why = "and so has an option" if flaw.taken else "and no option has some smaller value"
        raise UnverifiedTable(f"by {table.repeats} a heap of {flaw.heap} has the value {values[flaw.heap]}, {why}")


def _demand(condition: bool, words: str) -> None:
    if not condition:
        raise UnverifiedTable(words)


def _check_form(table: PeriodicTable) -> None:
    """Raise UnverifiedTable if the table has invalid numbers, or is of a form that no theorem covers."""
    n0, p = table.preperiod, table.period
    _demand(n0 >= 0 and p >= 1 and table.last >= 0, "preperiod, period, last: expected at least 0, 1 and 0")
    _demand(0 <= table.saltus <= p, "saltus: expected a number from 0 to the period")
    _demand(bool(table.moves) and len(table.rows) == len(table.moves), "rows: expected one for each mover")
    _demand(all(len(row) == n0 + p for row in table.rows), "rows: expected preperiod + period values in each")
    _demand(
        table.players >= 2 and len(table.moves) in (1, table.players),
        "moves: expected one entry, or one for each player",
    )
    most = None if table.question == GRUNDY else table.players - 1
    least, greatest = min(map(min, table.rows)), max(map(max, table.rows))
    _demand(
        least >= 0 and (most is None or greatest <= most), "rows: a value is negative, or is not smaller than `players`"
    )
    plays = most is not None or all(v <= h for row in table.rows for h, v in enumerate(row))
    _demand(plays, "rows: a Grundy value exceeds the size of its heap")
    for x in table.moves:
        for numbers in (x.end, x.one, x.two, x.equal):
            _demand(list(numbers) == sorted(set(numbers)), "moves: expected ascending numbers")
            _demand(all(1 <= taken <= table.last for taken in numbers), "moves: expected numbers from 1 to `last`")
    if table.question == GRUNDY:
        normal = not table.misere and table.players == 2 and len(table.moves) == 1
        _demand(normal, "Grundy values require two players with the same moves, in normal play")
    else:
        _demand(
            table.question == VALUE and not table.splits,
            "the winners of single heaps do not determine the winner of two heaps",
        )
    _demand(not (table.splits and table.beyond), "heaps may split and any number may be taken: no theorem covers this")
    _demand(
        not table.saltus or (table.beyond and table.question == GRUNDY),
        "a saltus requires Grundy values and moves that may take any number",
    )
    alike = not table.splits and all(x.end == x.one for x in table.moves)
    _demand(n0 >= 1 or alike, "with preperiod 0, no heap may split, and `end` and `one` must contain the same numbers")


def find_bound(table: PeriodicTable) -> int:
    """Return a bound with the property: if the table is correct at each heap below it, the table is correct everywhere.

    The bounds are those of the table at the start of this module. Raises UnverifiedTable if no theorem gives a bound.
    """
    n0, p, last = table.preperiod, table.period, table.last
    if table.beyond:
        return _find_repeating(table) + p + last
    if not table.splits:
        return n0 + p + last
    only_equal = any(set(x.equal) - set(x.two) for x in table.moves)
    _demand(
        p % 2 == 0 or not only_equal, "the period is odd, and two equal heaps may be left where different ones may not"
    )
    only_different = any(set(x.two) - set(x.equal) for x in table.moves)
    return 2 * n0 + (3 if only_different else 2) * p + last


def _find_repeating(table: PeriodicTable) -> int:
    """Return n1 for the bound n1 + p + t, in a game in which every number above t may be taken.

    n1 is the least number from the preperiod n0 on with these properties. For Grundy values, let M be the least number
    above all values of the row. Every value below M occurs at a heap below n1, and every value below M + saltus occurs
    at a heap below n1 + p. For winners, every combination of winners (one for each player to move) that occurs at a
    heap occurs at a heap below n1.

    Raises UnverifiedTable if some value below M + saltus does not occur, and TableTooLarge.
    """
    n0, p, s = table.preperiod, table.period, table.saltus
    if table.question == VALUE:
        seen, n1 = set[tuple[int, ...]](), n0
        for h in range(n0 + p):
            found = tuple(row[h] for row in table.rows)
            if found not in seen:
                seen.add(found)
                n1 = max(n0, h + 1)
        return n1
    above = 1 + max(table.rows[0])
    size = n0 + p * (2 + (above + s) // s if s else 1)  # larger heaps do not have these values
    if size > MOST_STEPS // SPLITS:
        raise TableTooLarge(
            f"the saltus is too small in comparison with the period: a search through {size} heaps would be needed"
        )
    first: dict[int, int] = {}
    for h in range(size):
        first.setdefault(table.value(h), h)
    missing = next((v for v in range(above + s) if v not in first), None)
    _demand(missing is None, f"no heap has the value {missing}, although greater values occur")
    n1 = max(first[v] + 1 for v in range(above))
    return max(n0, n1, max(first[v] + 1 for v in range(above + s)) - p)


def _check_row(table: PeriodicTable, takes: Takes, own: list[int], following: list[int], mover: int) -> None:
    """Raise UnverifiedTable if some value in `own` does not follow from the values of the options.

    `own[h]`: the value of the heap h in the table, if the player `mover` moves. `takes`: the moves of this player.
    `following[h]`: the value of the heap h if the next player moves.
    """
    # `seen`: the values of heaps that are left if more than `last` is taken
    end, seen = frozenset(takes.end), set[int]()
    for h, value in enumerate(own):
        far = h - table.last - 1  # the largest heap that is left then
        if table.beyond and far >= 0:
            seen.add(following[far])
        found = {following[h - taken] for taken in takes.one if taken < h}
        if h in end:
            found.add(following[0])
        for taken in takes.two:  # all splits into two different heaps, each once
            rest = max(h - taken, 0)
            half = (rest + 1) // 2
            found.update(map(xor, own[1:half], own[rest - 1 : rest - half : -1]))
        if any(taken <= h - 2 and (h - taken) % 2 == 0 for taken in takes.equal):
            found.add(0)
        right = _least_absent(found, seen, value) if table.question == GRUNDY else _find_best(table, found | seen)
        if right != value:
            who = f", with player {mover + 1} to move" if len(table.moves) > 1 else ""
            raise UnverifiedTable(
                f"by {table.repeats} a heap of {h} has the value {value}; by its moves it has {right}{who}"
            )


def _least_absent(found: set[int], seen: set[int], guess: int) -> int:
    """Return the mex of the union of the two sets. `guess`: a number that is tried first, to save time."""
    if guess not in found and guess not in seen and all(v in found or v in seen for v in range(guess)):
        return guess
    return next(v for v in range(len(found) + len(seen) + 1) if v not in found and v not in seen)


def _find_best(table: PeriodicTable, found: set[int]) -> int:
    """Return the winner, in turns from the player to move, if the options have the values `found` for the next player.

    The player to move chooses the option for which this number is smallest. If `found` is empty, they cannot move.
    """
    stuck = 0 if table.misere else table.players - 1
    return min(((v + 1) % table.players for v in found), default=stuck)


# == quotient =========================================================================================================
# The winner of any number of heaps that may split, by a finite commutative monoid: the certificate and its check.
#
# Each heap has an element of the monoid, given by a periodic row. The element of a position is the product of the
# elements of its heaps. The position is a P-position if and only if this product is one of the lost elements. Such a
# table exists for a game under misère play if the game has a finite misère quotient (Plambeck and Siegel, *Misère
# quotients for impartial games*, J. Combin. Theory A 115, 2008). The check does not need the theory of quotients. It
# also works for normal play.
#
# The *kind* of a position consists of its element and of the set of the elements of its options. If a heap is added,
# the new options are the options of the position plus the heap, and the position plus the options of the heap.
# Therefore all kinds of positions are found by adding kinds of heaps to the empty position until no kind is new. For
# each kind, the element must be lost if and only if no option is lost and, under misère play, there is an option. The
# kinds of heaps repeat: all of them occur below 2 n0 + 2 p + t, because a heap beyond this bound, and the heap smaller
# by p, have options with the same elements (docs/rules/quotient.md).
MOST_ELEMENTS = 200
MOST_KINDS = 100_000  # limit for the kinds of positions
Kind = tuple[int, int]
"""The element of a position, and the set of the elements of its options, as the bits of a number."""


@dataclass(frozen=True)
class QuotientTable:
    """A finite commutative monoid, with an element for each heap of a game, that determines who wins each position.

    A position is a P-position if and only if the product of the elements of its heaps is in `lost`. `verify_quotient`
    checks that this is correct.

    `misere`: whether a player who cannot move wins.
    `moves`: the numbers that may be taken from one heap. None of them is above `last`.
    `products`: entry [x][y] is the product of the elements x and y. The elements are 0, 1, ..., and 0 is the unit.
    `row`: entry h is the element of the heap h, for h < preperiod + period. The elements repeat from the preperiod on.
    """

    misere: bool
    moves: Takes
    last: int
    products: tuple[tuple[int, ...], ...]
    lost: tuple[int, ...]
    preperiod: int
    period: int
    row: tuple[int, ...]

    question, saltus = VALUE, 0

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """A tuple that contains only `row`, for code that also supports `PeriodicTable.rows`."""
        return (self.row,)

    @property
    def repeats(self) -> str:
        """The size and repetition as text, such as "6 elements, preperiod 3, period 2"."""
        return f"{len(self.products)} elements, preperiod {self.preperiod}, period {self.period}"

    def value(self, heap: int, mover: int = 0) -> int:
        """Return the element of a heap of any size from 0 on. The argument `mover` is ignored."""
        row = self.row
        return row[heap] if heap < len(row) else row[self.preperiod + (heap - self.preperiod) % self.period]

    def product(self, elements: Iterable[int]) -> int:
        """Return the product of the elements; 0, the unit, if there are none."""
        made = 0
        for x in elements:
            made = self.products[made][x]
        return made

    def lines(self) -> Iterator[str]:
        """Yield the lines of a description: the moves, `lost`, `products` row by row, and `row`."""
        table = PeriodicTable("value", 2, self.misere, (self.moves,), self.last, False, 0, 1, 0, ())
        yield next(table.lines())
        yield f"show that under {'misère' if self.misere else 'normal'} play, the player to move loses if and only if"
        yield f"the product of the elements of the heaps is among {' '.join(map(str, self.lost))}"
        yield f"where the products of 0, 1, ..., {len(self.products) - 1} are, row by row"
        for row in self.products:
            yield " ".join(map(str, row))
        yield f"and the elements of the heaps have preperiod {self.preperiod}, period {self.period}, and are"
        yield " ".join(map(str, self.row))


# -- the check --------------------------------------------------------------------------------------------------------
def verify_quotient(table: QuotientTable) -> str:
    """Check that a quotient is correct for all positions. Return a sentence about the extent of the check.

    Raises UnverifiedTable if the quotient is wrong, and TableTooLarge if the check exceeds its limits.
    """
    _check_monoid(table)
    bound = _check_quotient_form(table)
    heaps = list(dict.fromkeys((table.value(h), list_options(table, h)) for h in range(1, bound)))
    count = sum(1 for _ in _list_kinds(table, heaps))
    return f"the heaps below {bound} were checked, {len(heaps)} kinds of heaps, {count} of positions"


def list_options(table: QuotientTable, h: int) -> int:
    """Return the set of the elements of the options of the heap h, as a bit set: bit x is 1 if x is in the set."""
    moves, found = table.moves, 1 if h in table.moves.end else 0
    for taken in moves.one:
        if taken < h:
            found |= 1 << table.value(h - taken)
    for taken in moves.two:
        for a in range(1, (h - taken) // 2 + 1):
            found |= 1 << table.products[table.value(a)][table.value(h - taken - a)]
    return found


def _check_monoid(table: QuotientTable) -> None:
    n, products = len(table.products), table.products
    if n > MOST_ELEMENTS:
        raise TableTooLarge(f"the monoid has {n} elements, more than {MOST_ELEMENTS}")
    square = n > 0 and all(len(row) == n and all(0 <= x < n for x in row) for row in products)
    _demand(square, "products: expected a square table of elements")
    _demand(all(products[0][x] == x for x in range(n)), "products: the element 0 is not a unit")
    _demand(
        all(products[x][y] == products[y][x] for x in range(n) for y in range(x)),
        "the products do not commute",
    )
    for x in range(n):
        for y in range(n):
            xy = products[products[x][y]]
            same = all(a == products[x][b] for a, b in zip(xy, products[y], strict=True))
            _demand(same, f"the products do not associate: x(yz) differs from (xy)z for x = {x}, y = {y} and some z")
    _demand(all(0 <= x < n for x in table.lost), "lost: expected elements of the monoid")


def _check_quotient_form(table: QuotientTable) -> int:
    """Return a bound such that every kind of heap occurs at a heap below it.

    The kind of a heap is its element, together with the set of the elements of its options. Raises UnverifiedTable if
    the table has invalid numbers, and TableTooLarge.
    """
    n0, p, moves = table.preperiod, table.period, table.moves
    _demand(n0 >= 1 and p >= 1, "preperiod, period: expected at least 1")
    _demand(
        len(table.row) == n0 + p and table.row[0] == 0, "row: expected preperiod + period elements, the first of them 0"
    )
    _demand(all(0 <= x < len(table.products) for x in table.row), "row: expected elements of the monoid")
    for numbers in (moves.end, moves.one, moves.two, moves.equal):
        _demand(list(numbers) == sorted(set(numbers)), "moves: expected ascending numbers")
        _demand(all(1 <= taken <= table.last for taken in numbers), "moves: expected numbers from 1 to `last`")
    _demand(moves.two == moves.equal, "moves: expected the same numbers in `two` and `equal`")
    bound = 2 * n0 + 2 * p + table.last
    if bound * (len(moves.one) + len(moves.two) * bound // 4) > MOST_STEPS:
        raise TableTooLarge(f"the check of {bound} heaps takes more than {MOST_STEPS} steps")
    return bound


def _list_kinds(table: QuotientTable, heaps: list[Kind]) -> Iterator[Kind]:
    """Yield the kinds of all positions, and check for each kind whether `lost` is correct.

    The kind of a position is its element, together with the set of the elements of its options.
    `heaps`: the kinds of all heaps.
    Raises UnverifiedTable if `lost` is wrong for some kind, and TableTooLarge if there are too many kinds.
    """
    products, lost = table.products, sum(1 << x for x in set(table.lost))
    seen, todo = {(0, 0)}, [(0, 0)]
    for x, options in todo:
        loses = not options & lost and (options != 0 or not table.misere)
        if (lost >> x & 1 == 1) != loses:
            kind = "a P-position" if loses else "an N-position"
            raise UnverifiedTable(f"a position with the element {x} is {kind}, but `lost` states the opposite")
        yield x, options
        for y, others in heaps:
            new = products[x][y], multiply(products[y], options) | multiply(products[x], others)
            if new not in seen:
                seen.add(new)
                todo.append(new)
        if len(seen) > MOST_KINDS or len(seen) * len(heaps) > MOST_STEPS:
            raise TableTooLarge(
                f"more than {min(MOST_KINDS, MOST_STEPS // len(heaps))} kinds of positions would be needed"
            )


def multiply(by: tuple[int, ...], elements: int) -> int:
    """Return the set of the products x y, where y runs through the set `elements`. Both sets are bit sets.

    `by`: the row `products[x]` of the fixed element x.
    """
    found = 0
    while elements:
        low = elements & -elements
        found |= 1 << by[low.bit_length() - 1]
        elements ^= low
    return found


# -- JSON -------------------------------------------------------------------------------------------------------------
def quotient_to_text(table: QuotientTable) -> str:
    """Return the quotient as JSON text. Two quotients with the same text are equal."""
    moves = {kind: list(getattr(table.moves, kind)) for kind in ("end", "one", "two", "equal")}
    data = {
        "misere": table.misere,
        "moves": moves,
        "last": table.last,
        "products": [list(row) for row in table.products],
        "lost": list(table.lost),
        "preperiod": table.preperiod,
        "period": table.period,
        "row": list(table.row),
    }
    return json.dumps(data, separators=(",", ":"))


def read_quotient(data: object) -> QuotientTable:
    """Return the quotient that is described by decoded JSON in the format of `quotient_to_text`.

    Raises BadTable for other data. It is not checked that the quotient is correct; see `verify_quotient`.
    """
    if not isinstance(data, dict) or set(data) != set(QuotientTable.__dataclass_fields__):
        raise BadTable(f"a quotient has the keys {', '.join(QuotientTable.__dataclass_fields__)}")
    numbers = {key: read_of(data[key], int, key) for key in ("last", "preperiod", "period")}
    products = tuple(read_integers(x, "products") for x in read_of(data["products"], list, "products"))
    lost, row = (read_integers(data[key], key) for key in ("lost", "row"))
    misere = read_of(data["misere"], bool, "misere")
    return QuotientTable(misere, read_takes(data["moves"]), products=products, lost=lost, row=row, **numbers)
