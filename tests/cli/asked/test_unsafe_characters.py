"""No output contains control characters, or characters that reorder or hide the text around them.

A terminal executes control characters, and reordered text can appear to say the opposite.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import run_within

import checks

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]")
BAD = "\u202e\u2066\u200b\u0085\u009b31m\u061c\u2028"
NAMES = {
    "plain names": ("claim.toml", "game.toml"),
    "unsafe names": ("d\u202ex/cl\u202e\u0085aim.toml", "d\u202ex/game.toml"),
}
CLAIM = f"""format = 1
title = "T{BAD}itle"
statement = "S{BAD}tatement with $n$."
work = "mine"
locator = "L{BAD}oc"
role = "conjecture"
ruleset = "game"
notes = "N{BAD}ote"
[forall]
n = "1.."
[claim]
then = "wins(position([n])) and n < 5"
[scope]
n = "1..9"
"""
GAME = f"""format = 1
title = "G{BAD}ame"
players = ["P", "Q"]
stuck = "loses"
notes = "R{BAD}ules"
[[moves]]
choose = "any heap h"
pick = {{ m = "1..h" }}
become = ["h - m"]
"""
WORKS = f"""format = 1
[works.mine]
title = "W{BAD}ork"
authors = "A{BAD}uthor"
year = "Y{BAD}ear"
source = "S{BAD}ource"
order = ["claim"]
"""


@pytest.fixture(params=NAMES)
def files(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The paths of a claim and of a ruleset, with unsafe characters in every text."""
    claim, game = NAMES[request.param]
    monkeypatch.chdir(tmp_path)
    Path(claim).parent.mkdir(exist_ok=True)
    Path(claim).write_text(CLAIM, "utf-8")
    Path(game).write_text(GAME, "utf-8")
    (Path(claim).parent / "works.toml").write_text(WORKS, "utf-8")
    return claim, game


def run_all(claim: str, game: str) -> Iterator[tuple[str, str]]:
    """Yield each command that prints texts of these files, with its complete output."""
    for words in (
        ["run", claim, "-v"],
        ["run", claim, "--format", "github"],
        ["run", claim, "--format", "json"],
        ["show", claim],
        ["show", claim, "--json"],
        ["explain", claim],
        ["explain", claim, "--json"],
        ["show", "."],
        ["show", ".", "--json"],
        ["check", claim, "--notes"],
        ["check", claim, "--format", "github"],
        ["check", claim, "--json"],
        ["solve", game, "(1,2)", "--html", "board.html"],
        ["solve", game, "(1,2)", "--json"],
        ["solve", game, "--table", "0..5"],
        ["run", claim, "--mutants"],
        ["run", claim, "--mutants", "--json"],
        ["find", claim],
        ["coq", claim],
    ):
        done = run_within(*words, cwd=Path.cwd())
        yield " ".join(words), done.stdout + done.stderr


@pytest.mark.slow
def test_no_command_prints_them(files: tuple[str, str]) -> None:
    assert {words: found for words, text in run_all(*files) if (found := UNSAFE.findall(text))} == {}


def test_no_report_contains_them(files: tuple[str, str]) -> None:
    claim, _ = files
    run_within("run", claim, cwd=Path.cwd())
    written = [path for path in Path("reports").rglob("*") if path.is_file()]
    assert {path.suffix for path in written} >= {".html", ".json", ".md", ".sarif", ".xml"}
    made = [path for path in written if "sources" not in path.parts]  # it contains the user's files unchanged
    assert {str(path): found for path in made if (found := UNSAFE.findall(path.read_text("utf-8")))} == {}


def test_programs_read_the_text_as_it_is(files: tuple[str, str]) -> None:
    """JSON writes the characters as escapes, so the data are unchanged."""
    claim, _ = files
    run_within("run", claim, cwd=Path.cwd())
    (found,) = json.loads(Path("reports/out/report.json").read_text("utf-8"))["claims"]
    assert found["title"] == f"T{BAD}itle"


def test_a_notebook_shows_escapes(files: tuple[str, str]) -> None:
    claim, game = files
    shown = [checks.settle(claim)._repr_html_(), checks.solve(game, (1, 2))._repr_html_()]
    for text in shown:
        assert "\\u202e" in text
        assert UNSAFE.findall(text) == []


@pytest.mark.slow
def test_a_claim_that_is_found_repeats_them_as_escapes(files: tuple[str, str]) -> None:
    _, game = files
    text = run_within("find", game, cwd=Path.cwd()).stdout
    assert "G\\u202e" in text
    assert UNSAFE.findall(text) == []


@pytest.mark.parametrize("command", ["run", "verify", "solve", "diff", "check", "show", "coq", "find", "atlas"])
def test_a_file_that_does_not_exist_is_named_with_escapes(command: str, tmp_path: Path) -> None:
    done = run_within(command, "x\u202e.json", *(["(1)"] if command in ("diff", "solve") else []), cwd=tmp_path)
    assert done.returncode != 0
    assert "x\\u202e.json" in done.stderr
    assert UNSAFE.findall(done.stdout + done.stderr) == []
