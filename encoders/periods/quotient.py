"""Who wins any number of heaps that may be split, by a finite commutative monoid: the certificate, and its check.

Each heap has an element, by a row that repeats; a position has the product of those of its heaps, and is lost just if
that is one of the lost elements.  So misère play is described where it has a finite quotient (Plambeck and Siegel,
*Misère quotients for impartial games*, J. Combin. Theory A 115, 2008); the check needs no theory of quotients, and
serves normal play as well.

The *kind* of a position is its element and the set of the elements of its options.  With a heap beside it, its options
are those of the position with the heap, and those of the heap with the position.  So the kinds of all positions are
found by adding the kinds of heaps, from that of no heap on, until none is new.  In each the element has to be lost just
if no option is, and, under misère play, there is one.  The kinds of heaps repeat: below 2 n0 + 2 p + t there are all,
as a heap beyond and the heap p smaller have options of the same elements (docs/proof-rules.md, "quotient").
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from encoders.periods.table import VALUE, BadTable, PeriodicTable, Takes, read_integers, read_of, read_takes
from encoders.periods.verify import MOST_STEPS, TableTooLarge, UnverifiedTable

MOST_ELEMENTS = 200
MOST_KINDS = 100_000  # of positions
Kind = tuple[int, int]
"""An element, and a set of elements by its bits."""


@dataclass(frozen=True)
class QuotientTable:
    """`products`: the monoid, by its elements 0, 1, ... of which 0 is the unit. `lost`: the elements that are lost.

    `row`: the elements of the heaps below preperiod + period; from the preperiod on they repeat.  `moves`: what may be
    taken of one heap, nothing above `last`; `misere`: who cannot move wins.
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
        """The row, for either mover."""
        return (self.row,)

    @property
    def repeats(self) -> str:
        """How the elements of heaps repeat, in words."""
        return f"{len(self.products)} elements, preperiod {self.preperiod}, period {self.period}"

    def value(self, heap: int, mover: int = 0) -> int:
        """The element of a heap, whoever moves."""
        row = self.row
        return row[heap] if heap < len(row) else row[self.preperiod + (heap - self.preperiod) % self.period]

    def product(self, elements: Iterable[int]) -> int:
        """Of elements."""
        made = 0
        for x in elements:
            made = self.products[made][x]
        return made

    def lines(self) -> Iterator[str]:
        """It in words, for people."""
        table = PeriodicTable("value", 2, self.misere, (self.moves,), self.last, False, 0, 1, 0, ())
        yield next(table.lines())
        yield f"show that who moves {'and cannot move wins, and' if self.misere else 'loses if he cannot move, and'}"
        yield f"loses from heaps just if the product of their elements is among {' '.join(map(str, self.lost))}"
        yield f"where the products of 0, 1, ..., {len(self.products) - 1} are, row by row"
        for row in self.products:
            yield " ".join(map(str, row))
        yield f"and the elements of the heaps have preperiod {self.preperiod}, period {self.period}, and are"
        yield " ".join(map(str, self.row))


# -- the check --------------------------------------------------------------------------------------------------------
def verify_quotient(table: QuotientTable) -> str:
    """What was checked for it to be right at all, in words. Raises WrongTable, TooLarge."""
    _check_monoid(table)
    bound = _check_quotient_form(table)
    heaps = list(dict.fromkeys((table.value(h), list_options(table, h)) for h in range(1, bound)))
    count = sum(1 for _ in _list_kinds(table, heaps))
    return f"the heaps below {bound} were checked, {len(heaps)} kinds of heaps, {count} of positions"


def list_options(table: QuotientTable, h: int) -> int:
    """The elements of what may become of a heap, as a set by its bits."""
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
        raise TableTooLarge(f"{n} elements are more than {MOST_ELEMENTS}")
    square = n > 0 and all(len(row) == n and all(0 <= x < n for x in row) for row in products)
    _demand(square, "its products are no table of elements")
    _demand(all(products[0][x] == x for x in range(n)), "the element 0 is no unit")
    _demand(all(products[x][y] == products[y][x] for x in range(n) for y in range(x)), "its products do not commute")
    for x in range(n):
        for y in range(n):
            xy = products[products[x][y]]
            same = all(a == products[x][b] for a, b in zip(xy, products[y], strict=True))
            _demand(same, f"its products do not associate: {x}, {y}")
    _demand(all(0 <= x < n for x in table.lost), "what is lost is no element")


def _check_quotient_form(table: QuotientTable) -> int:
    """The bound below which there are all kinds of heaps."""
    n0, p, moves = table.preperiod, table.period, table.moves
    _demand(n0 >= 1 and p >= 1, "its preperiod and period are at least 1")
    _demand(len(table.row) == n0 + p and table.row[0] == 0, "its row has the heaps below preperiod + period, 0 a unit")
    _demand(all(0 <= x < len(table.products) for x in table.row), "a heap has no element of the monoid")
    for numbers in (moves.end, moves.one, moves.two, moves.equal):
        _demand(list(numbers) == sorted(set(numbers)), "numbers that may be taken are ascending")
        _demand(all(1 <= taken <= table.last for taken in numbers), "a number is 0, or above the last")
    _demand(moves.two == moves.equal, "equal heaps may be left where different ones may not, or the other way round")
    bound = 2 * n0 + 2 * p + table.last
    if bound * (len(moves.one) + len(moves.two) * bound // 4) > MOST_STEPS:
        raise TableTooLarge(f"its {bound} heaps take more than {MOST_STEPS} steps to check")
    return bound


def _list_kinds(table: QuotientTable, heaps: list[Kind]) -> Iterator[Kind]:
    """The kinds of all positions, each looked at. Raises WrongTable, TooLarge."""
    products, lost = table.products, sum(1 << x for x in set(table.lost))
    seen, todo = {(0, 0)}, [(0, 0)]
    for x, options in todo:
        loses = not options & lost and (options != 0 or not table.misere)
        if (lost >> x & 1 == 1) != loses:
            raise UnverifiedTable(
                f"a position of the element {x} is {'lost' if loses else 'won'}, and is not said to be"
            )
        yield x, options
        for y, others in heaps:
            new = products[x][y], multiply(products[y], options) | multiply(products[x], others)
            if new not in seen:
                seen.add(new)
                todo.append(new)
        if len(seen) > MOST_KINDS or len(seen) * len(heaps) > MOST_STEPS:
            raise TableTooLarge(f"more than {min(MOST_KINDS, MOST_STEPS // len(heaps))} kinds of positions")


def multiply(by: tuple[int, ...], elements: int) -> int:
    """A set of elements, each times that whose products these are."""
    found = 0
    while elements:
        low = elements & -elements
        found |= 1 << by[low.bit_length() - 1]
        elements ^= low
    return found


def _demand(condition: bool, words: str) -> None:
    if not condition:
        raise UnverifiedTable(words)


# -- JSON -------------------------------------------------------------------------------------------------------------
def quotient_to_text(table: QuotientTable) -> str:
    """As JSON, the same for two tables only if they are the same."""
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
    """What `quotient_to_text` has written. Raises BadTable for anything else."""
    if not isinstance(data, dict) or set(data) != set(QuotientTable.__dataclass_fields__):
        raise BadTable(f"a quotient has the keys {', '.join(QuotientTable.__dataclass_fields__)}")
    numbers = {key: read_of(data[key], int, key) for key in ("last", "preperiod", "period")}
    products = tuple(read_integers(x, "products") for x in read_of(data["products"], list, "products"))
    lost, row = (read_integers(data[key], key) for key in ("lost", "row"))
    misere = read_of(data["misere"], bool, "misere")
    return QuotientTable(misere, read_takes(data["moves"]), products=products, lost=lost, row=row, **numbers)
