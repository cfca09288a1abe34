"""The benchmarks compare methods with the same answer: the methods agree, and a table reports a disagreement."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import machine, process, table
from benchmarks.measured import Entry, _check
from benchmarks.rows import ROWS, Scale
from benchmarks.ways import machine_code, recursion
from benchmarks.ways.problem import (
    Coded,
    Components,
    Corners,
    Described,
    Digest,
    KLNim,
    Knight,
    Problem,
    Sequence,
    Squares,
    Wythoff,
    read,
    write,
)

PROBLEMS: list[Problem] = [
    KLNim(5, (1, 2), (2, 3)),
    KLNim(4, (5, 5), (6, 6)),
    Sequence("octal", (7, 7), "period", 12, 71, 100),
    Sequence("octal", (1, 5, 6), "bound", 4, 0, 60),
    Sequence("subtract", (1, 3, 4), "period", 7, 0, 20),
    Sequence("grundy", (), "bound", 101, 0, 60),
    Sequence("lasker", (), "bound", 10000, 0, 40),
    Wythoff(9),
    Knight(9),
    Described("triples", 1, 20),
    Described("pairs", 0, 8),
    Squares(200),
    Components(6),
    Corners(6),
    Coded(128, 5),
]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_problem_is_read_as_it_was_written(problem: Problem) -> None:
    assert read(write(problem)) == problem


@pytest.mark.parametrize("problem", PROBLEMS[:-1], ids=write)
@pytest.mark.slow
def test_recursion_and_machine_code_agree(problem: Problem, tmp_path: Path) -> None:
    command = machine_code.make_command(problem, tmp_path, digest=True)
    if command is None:
        pytest.skip("no C compiler here")
    found = json.loads(process.run(command, 60).out)
    answer, cases, digest = recursion.solve(problem)
    assert (found["answer"], found["cases"], found["digest"]) == (answer, cases, str(digest))


def test_a_claim_that_fails_is_told_with_the_least_case() -> None:
    problem = Sequence("octal", (7, 7), "bound", 2, 0, 30)
    assert recursion.solve(problem)[0] == "fails at n = 3"


def test_the_digest_is_fnv() -> None:
    digest = Digest()
    digest.add(b"foobar")
    assert str(digest) == "85944171f73967e8"  # from the specification of FNV-1a


ENTRY = Entry("r", "R", "part", "recursion", "holds", 10, "ab", 1.0, 1.0, 1 << 20, 100)


def check(*entries: Entry, answer: str = "holds") -> list[str]:
    return [e.wrong for e in _check(list(entries), Scale((), 100, answer))]


def test_ways_that_do_not_agree_are_told() -> None:
    assert check(ENTRY, replace(ENTRY, way="C")) == ["", ""]
    assert all("DISAGREE" in x for x in check(ENTRY, replace(ENTRY, way="C", digest="ac")))
    assert all("DISAGREE" in x for x in check(ENTRY, replace(ENTRY, way="C", cases=11)))
    assert check(ENTRY, answer="fails at n = 3") == ["WRONG: fails at n = 3 is right"]
    assert check(replace(ENTRY, answer="", digest="ac", said="refused"), ENTRY) == ["", ""]
    assert table.find_wrong([replace(ENTRY, wrong="x")]) == ["r (part) by recursion: x"]
    assert "NO ANSWER  " not in table.format_row([ENTRY], 0.5)
    assert "NO ANSWER; refused" in table.format_row([replace(ENTRY, answer="", said="refused")], 0.5)


@pytest.mark.slow
def test_tables_are_compared_without_the_speed_of_the_machine() -> None:
    here = machine.describe()
    slow = here | {"additions": 2 * here["additions"]}
    before = table.store(here, 1.0, [ENTRY])
    assert len(table.compare(table.store(slow, 1.0, [replace(ENTRY, cpu=2.0)]), before)) == 1
    told = table.compare(table.store(here, 1.0, [replace(ENTRY, cpu=2.0)]), before)
    assert "2.00 times" in told[1]
    told = table.compare(table.store(here, 1.0, [replace(ENTRY, answer="fails at n = 3")]), before)
    assert "answered holds before, now fails at n = 3" in told[1]
    assert "not in this table" in table.compare(table.store(here, 1.0, []), before)[1]


def test_names_of_rows_are_used_once_and_the_baseline_knows_no_others() -> None:
    names = [row.name for row in ROWS]
    assert len(set(names)) == len(names)
    stored = json.loads((Path(process.ROOT) / "benchmarks" / "baseline.json").read_text("utf-8"))
    assert {e["row"] for e in stored["entries"]} <= set(names)
    assert stored["entries"]
    assert not any(e["wrong"] for e in stored["entries"])
