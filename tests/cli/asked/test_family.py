"""checks family: every member is settled, a run that was stopped goes on, and what is written is the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from checks.command.cli import main
from encoders.ground.refusals import Unsupported
from encoders.proving.reading import load_claim
from encoders.rules.periodic.family import list_members, name_game, settle_member

CLAIM = """format = 1
title = "A family"
statement = "How values repeat."
work = "w"
locator = "l"
role = "conjecture"
ruleset = "octal(code = [a, b])"

[forall]
a = "5..7"
b = "a..7"
n = "0.."

[claim]
then = "grundy(position([n])) >= 0"

[scope]
n = "0..4"

[proof]
rule = "periodic"
"""
WRITTEN = ("members.jsonl", "certificates.json", "index.html")


def settle(folder: Path, text: str = CLAIM) -> tuple[int, str]:
    file, report = folder / "claim.toml", folder / "out"
    file.write_text(text, "utf-8")
    done = CliRunner().invoke(main, ["family", str(file), "--report", str(report), "--jobs", "1", "--heaps", "300"])
    return done.exit_code, done.output


def test_a_run_that_was_stopped_goes_on_and_comes_to_the_same_bytes(tmp_path: Path) -> None:
    code, said = settle(tmp_path)
    assert code == 0 and "6 games: 3 proved, 3 open" in said
    out = tmp_path / "out"
    whole = {name: (out / name).read_bytes() for name in WRITTEN}
    lines = whole["members.jsonl"].splitlines(keepends=True)
    (out / "members.jsonl").write_bytes(b"".join(lines[:3]) + lines[3][:20])  # killed while a line was written
    (out / "index.html").unlink()
    settle(tmp_path)
    assert {name: (out / name).read_bytes() for name in WRITTEN} == whole
    checked = subprocess.run(
        [sys.executable, out / "check.py", out / "certificates.json"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0 and "3 obligations certified, 0 only trusted" in checked.stdout
    told = json.loads(whole["certificates.json"])["obligations"]
    assert [(o["name"], o["table"]["preperiod"], o["table"]["period"]) for o in told] == [
        ("octal(code = [5, 5])", 1, 1),
        ("octal(code = [5, 7])", 1, 4),
        ("octal(code = [7, 7])", 71, 12),
    ]


def test_what_is_kept_of_another_file_is_not_taken(tmp_path: Path) -> None:
    settle(tmp_path)
    code, said = settle(tmp_path, CLAIM.replace("5..7", "6..7"))
    assert code == 1 and "is of another file" in said


def test_what_is_said_of_a_member_is_what_is_said_of_its_game(tmp_path: Path) -> None:
    """A value above the bound makes it no table; a member is its own game."""
    path = tmp_path / "claim.toml"
    path.write_text(CLAIM, "utf-8")
    claim = load_claim(path, "claim")
    members = list_members(claim)
    assert [dict(m) for m in members] == [{"a": a, "b": b} for a in range(5, 8) for b in range(a, 8)]
    found = settle_member(claim, members[-1], 1000)
    assert name_game(claim, members[-1]) == "octal(code = [7, 7])" and found.table is not None
    assert found.table.moves[0].two == (1, 2) and found.table.repeats == "preperiod 71, period 12"
    assert settle_member(claim, members[-1], 100).table is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[claim]\n", '[claim]\nif = "n > 2"\n', "no hypothesis"),
        ('a = "5..7"\nb = "a..7"\n', 'a = "5.."\nb = "6.."\n', "finitely many numbers"),
        ('a = "5..7"', 'a = "5..900000"', "more than 100000 games"),
    ],
)
def test_what_is_no_family_is_refused(old: str, new: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    assert old in CLAIM
    scope = '[scope]\nn = "0..4"\na = "5..7"\nb = "5..7"' if "5.." in new else '[scope]\nn = "0..4"'
    path.write_text(CLAIM.replace(old, new).replace('[scope]\nn = "0..4"', scope), "utf-8")
    with pytest.raises(Unsupported, match=words):
        list_members(load_claim(path, "claim"))
