"""The check of tables for splitting games, as Coq computes it: it accepts valid tables, and rejects false ones."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from coq_compiler import needs_coq, run_coq

from encoders.periods.tables import GRUNDY, PeriodicTable, Takes, UnverifiedTable, verify
from encoders.rules.periodic.coq import write_row, write_takes

KAYLES, DAWSON = Takes((1, 2), (1, 2), (1, 2), (1, 2)), Takes((2,), (2,), (2,), (2,))
# moves, preperiod and period; the last ones leave only different heaps, or only equal ones
SPLIT = [
    (KAYLES, 71, 12),
    (DAWSON, 53, 34),
    (Takes((1, 2, 3), (2,), (1, 2), (2,)), 1, 4),
    (Takes((1,), (1,), (1,), ()), 1, 2),
    (Takes((1, 2), (1,), (), (1, 2)), 1, 2),
]


def siblings(c: Takes, n0: int, p: int) -> Iterator[PeriodicTable]:
    """Yield the table, tables with another preperiod or period, and about thirty with one changed value."""
    values = [0]
    for h in range(1, 3 * (n0 + p)):
        found = {0 for m in c.end if m == h} | {values[h - m] for m in c.one if m < h}
        found |= {0 for m in c.equal if m + 1 < h and (h - m) % 2 == 0}
        found |= {values[a] ^ values[h - m - a] for m in c.two for a in range(1, h - m) if a + a != h - m}
        values.append(next(v for v in itertools.count() if v not in found))
    last = max(c.end + c.one + c.two + c.equal)
    table = PeriodicTable(GRUNDY, 2, False, (c,), last, False, n0, p, 0, (tuple(values[: n0 + p]),))
    yield table
    for n, q in ((n0 + 1, p), (n0, 2 * p), (n0 - 1, p), (n0, p - 1), (n0, p + 1)):
        yield replace(table, preperiod=n, period=q, rows=(tuple(values[: n + q]),))
    for h in range(0, n0 + p, 1 + (n0 + p) // 30):
        yield replace(table, rows=((*values[:h], values[h] ^ 1, *values[h + 1 : n0 + p]),))


def is_right(table: PeriodicTable) -> bool:
    try:
        verify(table)
    except UnverifiedTable:
        return False
    return True


@needs_coq
@pytest.mark.parametrize(("c", "n0", "p"), SPLIT)
def test_coq_accepts_a_table_of_heaps_that_split_if_it_is_right(theory: Path, c: Takes, n0: int, p: int) -> None:
    tables = list(siblings(c, n0, p))
    right = [is_right(x) for x in tables]
    assert right[:4] == [True, True, True, False] and not any(right[5:])
    checks = [
        f"split_ok {x.preperiod} {x.period} {x.last} {mask} taken {write_row(x.rows[0])}"
        for mask in (0, 15)  # all values are rare, or few
        for x in tables
    ]
    said = "; ".join(str(x).lower() for x in right * 2)
    (theory / "Siblings.v").write_text(
        f"From NimChecks Require Import theory.Tables.\nOpen Scope N_scope.\nDefinition taken := {write_takes(c)}.\n"
        f"Lemma said : [{'; '.join(checks)}] = [{said}].\nProof. vm_compute. reflexivity. Qed.\n",
        "utf-8",
    )
    assert run_coq(theory, "Siblings.v") == ""


def test_a_long_list_is_written_in_parts() -> None:
    text = write_row(range(2500))
    assert [len(part.split("; ")) for part in text.split(" ++\n  ")] == [1000, 1000, 500]
    assert [int(x) for x in re.findall(r"\d+", text)] == list(range(2500))
    assert write_row([1, 2]) == "[1; 2]"
