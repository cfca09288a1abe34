"""Whether a table of values that repeat is right for every heap, by one finite check: docs/proof-rules.md, "periodic".

A table is right at a heap if its value there is the one that the moves give, of options with the values that it says.
Right at every heap below a bound it is right at all, by induction: a heap beyond and the heap a period smaller have
options of the same values.  The bound and what it asks besides depend on the moves, for t the last number and n0, p the
preperiod and period:

few        no heap may be split, no number above t be taken           n0 + p + t
breaking   heaps may be split, and no number above t be taken         2 n0 + 2 p + t, with n0 >= 1 (Guy and Smith 1956)
           two different heaps may be left where no equal ones may    2 n0 + 3 p + t
all but    no heap may be split, all above t may be taken             n1 + p + t, with every small value below n1

With n0 = 0 a heap may be compared with nothing at all: the same must be allowed to leave nothing and to leave one heap.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import xor

from claims.language.ground.errors import NimChecksError
from encoders.ground import refusals
from encoders.periods.table import GRUNDY, VALUE, PeriodicTable, Takes

MOST_STEPS = 60_000_000
"""That a check in Python may take: about one for each number taken of each heap, and for sixteen splits."""

FROM = 2_000_000  # steps from which heaps that split are checked by the kernel
MOST_CALLS = 20_000  # of the kernel, some milliseconds each
MOST_VALUES = 100_000_000  # heaps of a table that there is memory for
SPLITS = 16  # that are looked at in one step


class UnverifiedTable(NimChecksError):
    """A table that is not shown to be right; the message says why, or at which heap it is wrong."""


class TableTooLarge(NimChecksError):
    """A table that takes more steps to check than are taken."""


@dataclass(frozen=True)
class Verified:
    """How many heaps were checked: in Python, split by split, or by the kernel, by the sparse space."""

    heaps: int
    by_kernel: bool = False

    @property
    def words(self) -> str:
        """It in words."""
        return f"the heaps below {self.heaps} were checked{', by the kernel' if self.by_kernel else ''}"


def verify(table: PeriodicTable, steps: int = MOST_STEPS, calls: int = MOST_CALLS) -> Verified:
    """What was checked for it to be right at all. Raises WrongTable, TooLarge.

    `steps`: what may be checked in Python; `calls`: of the kernel, which checks larger tables of heaps that split.
    """
    _check_form(table)
    bound = find_bound(table)
    splits = sum(len(x.two) for x in table.moves) * bound * bound // (4 * SPLITS)
    taken = splits + bound * sum(4 + len(x.one) for x in table.moves)
    if taken > steps and not table.splits:
        raise TableTooLarge(f"its {bound} heaps take more than {steps} steps to check")
    if taken > min(steps, FROM) and table.splits:
        if bound > MOST_VALUES:
            raise TableTooLarge(f"its {bound} heaps are more than {MOST_VALUES}")
        _check_by_kernel(table, bound, calls)
        return Verified(bound, by_kernel=True)
    rows = [[table.value(h, mover) for h in range(bound)] for mover in range(len(table.moves))]
    for mover, takes in enumerate(table.moves):
        _check_row(table, takes, rows[mover], rows[(mover + 1) % len(rows)], mover)
    return Verified(bound)


class _Calls:
    """What stops the kernel: after so many calls."""

    def __init__(self, calls: int) -> None:
        self.calls = self.left = calls

    def check(self) -> None:
        """Raises TooLarge."""
        self.left -= 1
        if self.left < 0:
            raise TableTooLarge(f"the kernel has not checked it within {self.calls} calls")


def _check_by_kernel(table: PeriodicTable, bound: int, calls: int) -> None:
    """Of Grundy values of heaps that split."""
    import numpy as np

    from encoders.kernel.heaps import HeapMoves, find_flaw

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
    """What makes it a table of this kind of game."""
    n0, p = table.preperiod, table.period
    _demand(n0 >= 0 and p >= 1 and table.last >= 0, "no preperiod is negative, no period 0")
    _demand(0 <= table.saltus <= p, "a saltus is no negative number, and at most the period")
    _demand(bool(table.moves) and len(table.rows) == len(table.moves), "each mover has one row")
    _demand(all(len(row) == n0 + p for row in table.rows), "a row has the heaps below preperiod + period")
    _demand(table.players >= 2 and len(table.moves) in (1, table.players), "each player, or all, have moves")
    most = None if table.question == GRUNDY else table.players - 1
    least, greatest = min(map(min, table.rows)), max(map(max, table.rows))
    _demand(least >= 0 and (most is None or greatest <= most), "a value is no natural number, or no player's")
    plays = most is not None or all(v <= h for row in table.rows for h, v in enumerate(row))
    _demand(plays, "a Grundy value is at most the number of moves that there can be, and so at most the heap")
    for x in table.moves:
        for numbers in (x.end, x.one, x.two, x.equal):
            _demand(list(numbers) == sorted(set(numbers)), "numbers that may be taken are ascending")
            _demand(all(1 <= taken <= table.last for taken in numbers), "a number is 0, or above the last")
    if table.question == GRUNDY:
        normal = not table.misere and table.players == 2 and len(table.moves) == 1
        _demand(normal, "Grundy values are those of two players with the same moves, under normal play")
    else:
        _demand(table.question == VALUE and not table.splits, "who wins from two heaps is not told by who wins of each")
    _demand(not (table.splits and table.beyond), "heaps may be split, and any number be taken: no theorem is known")
    _demand(not table.saltus or (table.beyond and table.question == GRUNDY), "a saltus, and few numbers may be taken")
    alike = not table.splits and all(x.end == x.one for x in table.moves)
    _demand(n0 >= 1 or alike, "preperiod 0, and not the same may be taken to leave nothing as to leave one heap")


def find_bound(table: PeriodicTable) -> int:
    """Right at every heap below it, the table is right at all. Raises WrongTable where no bound is known."""
    n0, p, last = table.preperiod, table.period, table.last
    if table.beyond:
        return _find_repeating(table) + p + last
    if not table.splits:
        return n0 + p + last
    only_equal = any(set(x.equal) - set(x.two) for x in table.moves)
    _demand(p % 2 == 0 or not only_equal, "two equal heaps may be left where no different ones may: an odd period")
    only_different = any(set(x.two) - set(x.equal) for x in table.moves)
    return 2 * n0 + (3 if only_different else 2) * p + last


def _find_repeating(table: PeriodicTable) -> int:
    """n1, the least from n0 on below which there is every value that a heap so large has to see.

    Of Grundy values: each below M, where M is above all values of the row, and below n1 + p each below M + saltus.
    Of winners: below n1 all that there are below n1 + p.
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
    size = n0 + p * (2 + (above + s) // s if s else 1)  # no greater heap has one of these values
    if size > MOST_STEPS // SPLITS:
        raise TableTooLarge("its saltus is small for its period")
    first: dict[int, int] = {}
    for h in range(size):
        first.setdefault(table.value(h), h)
    missing = next((v for v in range(above + s) if v not in first), None)
    _demand(missing is None, f"no heap has the value {missing}, though greater values are said to occur")
    n1 = max(first[v] + 1 for v in range(above))
    return max(n0, n1, max(first[v] + 1 for v in range(above + s)) - p)


def _check_row(table: PeriodicTable, takes: Takes, own: list[int], following: list[int], mover: int) -> None:
    """Each value of a row against those of the next mover's."""
    end, seen = frozenset(takes.end), set[int]()  # `seen`: the values that are left by taking more than the last
    for h, value in enumerate(own):
        far = h - table.last - 1  # the largest heap that is left by that
        if table.beyond and far >= 0:
            seen.add(following[far])
        found = {following[h - taken] for taken in takes.one if taken < h}
        if h in end:
            found.add(following[0])
        for taken in takes.two:  # from one object on each side, halves apart, once
            rest = max(h - taken, 0)
            half = (rest + 1) // 2
            found.update(map(xor, own[1:half], own[rest - 1 : rest - half : -1]))
        if any(taken <= h - 2 and (h - taken) % 2 == 0 for taken in takes.equal):
            found.add(0)
        right = _least_absent(found, seen, value) if table.question == GRUNDY else _best(table, found | seen)
        if right != value:
            who = f", with player {mover + 1} to move" if len(table.moves) > 1 else ""
            raise UnverifiedTable(f"by {table.repeats} a heap of {h} has the value {value}; it has {right}{who}")


def _least_absent(found: set[int], seen: set[int], guess: int) -> int:
    """The least natural number that is in neither; `guess`: what it may be."""
    if guess not in found and guess not in seen and all(v in found or v in seen for v in range(guess)):
        return guess
    return next(v for v in range(len(found) + len(seen) + 1) if v not in found and v not in seen)


def _best(table: PeriodicTable, found: set[int]) -> int:
    """The offset of the winner for who may choose among these of the next player."""
    stuck = 0 if table.misere else table.players - 1
    return min(((v + 1) % table.players for v in found), default=stuck)
