"""Random codes of moves on single heaps: the tables that the checkers accept, compared with plain recursion.

    nice python -m tests.workshop.games.codes --count 100000 --seed 1

A code is drawn and its first heaps are played. Tables that agree with them are given to the checkers: `verify` in
Python and with the kernel, and `check.py`; their answers must agree. For each accepted table, FAR heaps are played, and
one value of the table is changed: then all checkers must refuse it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from operator import xor
from typing import Any, cast

from checks.receipts import check
from encoders.periods.tables import GRUNDY, VALUE, PeriodicTable, Takes, UnverifiedTable, to_json, verify

FIRST, FAR = 60, 400  # heaps that are played to find a table, and to compare it


def play(t: PeriodicTable, size: int) -> list[list[int]]:
    """Return the values of the heaps below `size`, by plain recursion over the moves."""
    rows: list[list[int]] = [[] for _ in t.moves]
    for h in range(size):
        found = []
        for mover, x in enumerate(t.moves):
            own, after = rows[mover], rows[(mover + 1) % len(rows)]
            got = {after[h - n] for n in range(1, h) if n in x.one or (t.beyond and n > t.last)}
            got |= {after[0]} if h and (h in x.end or (t.beyond and h > t.last)) else set()
            for n in {*x.two, *x.equal}:
                rest = h - n
                if n in x.two and rest > 1:
                    got.update(map(xor, own[1 : (rest + 1) // 2], own[rest - 1 : rest // 2 : -1]))
                if n in x.equal and rest > 1 and rest % 2 == 0:
                    got.add(own[rest // 2] ^ own[rest // 2])
            if t.question == GRUNDY:
                found.append(next(v for v in range(h + 1) if v not in got))
            else:
                stuck = 0 if t.misere else t.players - 1
                found.append(min(((v + 1) % t.players for v in got), default=stuck))
        for row, value in zip(rows, found, strict=True):
            row.append(value)
    return rows


def draw(rng: random.Random) -> PeriodicTable:
    """Return random moves, of all kinds."""
    last = rng.randint(1, 4)

    def some(chance: float) -> tuple[int, ...]:
        return tuple(n for n in range(1, last + 1) if rng.random() < chance)

    kind = rng.choice(["splits", "splits", "few", "beyond"])
    question = GRUNDY if kind == "splits" else rng.choice([GRUNDY, VALUE])
    movers = 1 if question == GRUNDY else rng.choice([1, 2, 3])
    players = 2 if question == GRUNDY else max(movers, rng.choice([2, 3])) if movers == 1 else movers
    moves = []
    for _ in range(movers):
        end = some(0.5)
        two = some(0.4) if kind == "splits" else ()
        equal = two if rng.random() < 0.5 or kind != "splits" else some(0.4)
        moves.append(Takes(end, end if rng.random() < 0.6 else some(0.5), two, equal))
    misere = question == VALUE and rng.random() < 0.5
    return PeriodicTable(question, players, misere, tuple(moves), last, kind == "beyond", 0, 1, 0, ())


def list_guesses(start: PeriodicTable, rows: list[list[int]]) -> Iterator[PeriodicTable]:
    """Yield tables with these values: first the least period that fits the end, then some that may be wrong."""
    size = len(rows[0])
    for period in range(1, size // 3):
        saltus = rows[0][-1] - rows[0][-1 - period] if start.beyond and start.question == GRUNDY else 0
        before = size - period
        while before and all(row[before - 1 + period] == row[before - 1] + saltus for row in rows):
            before -= 1
        if saltus >= 0 and size - period - before >= period:
            for preperiod in (before, before + 1, max(before - 1, 0), 0):
                told = tuple(tuple(row[: preperiod + period]) for row in rows)
                yield replace(start, preperiod=preperiod, period=period, saltus=saltus, rows=told)


def is_verified(table: PeriodicTable, steps: int) -> bool:
    """Whether the table is verified: in Python or, with fewer steps than it needs, by the kernel."""
    try:
        verify(table, steps)
    except UnverifiedTable:
        return False
    return True


def is_accepted(table: PeriodicTable, kernel: bool = True) -> bool:
    """Whether all three checkers accept the table; they must agree."""
    ours = is_verified(table, steps=10**9)
    if table.splits and kernel:
        assert is_verified(table, steps=0) == ours, table
    check.left[0] = check.MOST
    try:
        check.check_table(**cast(Any, to_json(table)))
        alone = True
    except ValueError:
        alone = False
    assert ours == alone, table
    return ours


def damage(table: PeriodicTable, rng: random.Random) -> PeriodicTable:
    """Return the table with one value changed."""
    mover = rng.randrange(len(table.rows))
    row, at = list(table.rows[mover]), rng.randrange(len(table.rows[mover]))
    row[at] += rng.choice([1, 1, 2, -1])
    return replace(table, rows=(*table.rows[:mover], tuple(row), *table.rows[mover + 1 :]))


def try_code(rng: random.Random, kernel: bool = True) -> Counter[str]:
    """Return the counts for one code. Raise AssertionError if a checker accepts a false table or a changed one."""
    start, told = draw(rng), Counter[str](codes=1)
    rows = play(start, FIRST)
    for table in list_guesses(start, rows):
        told["tables"] += 1
        if not is_accepted(table, kernel):
            continue
        told["accepted"] += 1
        far = play(start, FAR)
        assert all(table.value(h, i) == v for i, row in enumerate(far) for h, v in enumerate(row)), table
        changed = damage(table, rng)
        assert not is_accepted(changed, kernel), changed
        told["changes refused"] += 1
        break
    return told


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.workshop.games.codes", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000, help="codes (10000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    total = Counter[str]()
    for number in range(given.count):
        total += try_code(random.Random(f"{given.seed} {number}"))
        if (number + 1) % 2_500 == 0 or number + 1 == given.count:
            sys.stdout.write(f"{dict(total)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
