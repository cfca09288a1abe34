"""The mutation tests: the changes made, the table, and that a trial distinguishes killed mutants from survivors."""

import ast
import subprocess
import sys
import tomllib
from collections import Counter

import pytest

from .__main__ import ROOT, TABLE, mutants_of, read_explained, read_modules
from .mutants import list_mutants

CHANGES = [
    ("x = a < b", ["x = (a <= b)"]),
    ("x = a < b >= c", ["x = (a <= b >= c)", "x = (a < b > c)"]),
    ("x = a in b", ["x = (a not in b)"]),
    ("x = a and b", ["x = (a or b)", "x = a", "x = b"]),
    ("x = a or b or c", ["x = (a and b and c)", "x = (a or b)", "x = (a or c)", "x = (b or c)"]),
    ("x = not a", ["x = a"]),
    ("x = -a", ["x = a"]),
    ("x = a + b", ["x = (a - b)"]),
    ("x = a ^ b", ["x = (a | b)"]),
    ("x = 7", ["x = 6", "x = 8"]),
    ("x = 0", ["x = 1"]),
    ("x = True", ["x = False"]),
    ("x = min(a)", ["x = max(a)"]),
    ("x = all(a)", ["x = any(a)"]),
    ("x = a if b else c", ["x = a if True else c", "x = a if False else c"]),
    ("x = [a for a in b if c]", ["x = [a for a in b if True]", "x = [a for a in b if False]"]),
    ("x[a] = b", ["pass"]),
    ("x += a", ["x -= a", "pass"]),
    ("f(a)", ["pass"]),
    ("raise E('1 + 1')", ["pass"]),
    # code on which no verdict depends
    ("steps.take(1 + len(a))", ["pass"]),
    ("x = t.Literal(INT, 0, 0, 7)", ["x = t.Literal(INT, 0, 0, 6)", "x = t.Literal(INT, 0, 0, 8)"]),
    ("assert a < b", []),
    ("x: int = a", []),
    ("x = zip(a, b, strict=True)", []),
    ('x = f"{1 + a}"', []),
    ("demand(a, 'more than 14')", ["pass"]),
]


@pytest.mark.parametrize(("text", "changed"), CHANGES, ids=[text for text, _ in CHANGES])
def test_which_changes_are_made(text: str, changed: list[str]) -> None:
    found = list_mutants("file", f"def f():\n    {text}\n")
    assert sorted(m.after for m in found) == sorted(changed)
    assert all((m.place, m.before, m.inside) == ("f", text, True) for m in found)


def test_no_line_moves_and_each_mutant_is_another_program() -> None:
    text = "A = 1\nclass C:\n    def f(self):\n        return (a and\n            b) if c else [\n"
    text += "            1]\n\n\nx = 'ß' < a\n"
    found = list_mutants("file", text)
    programs = {ast.dump(ast.parse(m.apply(text))) for m in found} | {ast.dump(ast.parse(text))}
    assert len(programs) == len(found) + 1
    assert {m.apply(text).count("\n") for m in found} == {text.count("\n")}
    assert Counter((m.place, m.inside) for m in found) == {("", False): 3, ("C.f", True): 7}


def test_the_table_names_files_and_tests_that_are_there() -> None:
    for file, module in read_modules().items():
        assert [path for path in (file, *module["tests"]) if not (ROOT / path).exists()] == []


def test_each_explained_survivor_is_a_mutant_and_has_a_reason() -> None:
    """Remove a row from tests/mutation/table.toml if its line no longer exists."""
    mutants = {m.key for file in read_modules() for m in mutants_of(file)}
    assert [key for key in read_explained() if key not in mutants] == []
    assert all(reason.endswith(".") for reason in read_explained().values())
    rows = tomllib.loads(TABLE.read_text("utf-8"))["explained"]
    assert sum(len(row["becomes"]) for row in rows) == len(read_explained()), "a mutant is explained twice"


@pytest.mark.parametrize(("drawn", "survive"), [(["--sample", "4"], False), (["--survivors"], True)])
@pytest.mark.slow
def test_a_trial_tells_killed_mutants_from_survivors(drawn: list[str], survive: bool) -> None:
    """The table of explained mutants is right about those of this module."""
    file = "checks/judgement/ruling.py"
    command = [sys.executable, "-m", "tests.mutation", file, *drawn]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = [line.split() for line in done.stdout.splitlines() if line.endswith(file)]
    tried, killed, explained, survived = map(int, row[:4])
    assert tried == killed + explained
    assert survived == 0
    assert (killed == 0) if survive else (killed > 1)
