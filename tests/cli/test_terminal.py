"""The command on a terminal, in a pipe, without colours, and interrupted."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from commands import ROOT
from commands import run_within as within
from pseudo import Terminal
from samples import CALM
from test_commands import CLAIMS, HEAD

from checks.command.screen import ProgressDetail, Screen, choose_lines
from checks.results.verdicts import Verdict
from claims.language.files.library import Entry
from reports.write import write_reports

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals and signals of POSIX")
PLAIN = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
PLAIN |= {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
COMMAND = [sys.executable, "-m", "checks"]
LONG = "a-file-whose-name-goes-on-and-on-until-it-is-too-long.toml"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, body in CLAIMS.items():
        (tmp_path / f"{name}.toml").write_text(HEAD + body, "utf-8")
    (tmp_path / LONG).write_text(HEAD + CLAIMS["holds"], "utf-8")
    return tmp_path


def terminal(folder: Path, *words: str, columns: int = 80, interrupt_after: str = "", **environment: str) -> Terminal:
    return Terminal([*COMMAND, *words], folder, {**PLAIN, **environment}, columns, interrupt_after)


@pytest.mark.slow
def test_lines_fit_the_terminal_and_say_what_a_pipe_gets(files: Path) -> None:
    words = ("run", "holds.toml", "expected.toml", "vacuous.toml", LONG, "-j", "1")
    seen = terminal(files, *words)
    assert seen.code == 1
    assert max(map(len, seen.lines)) <= 80
    piped = within(*words, cwd=files)
    timeless = [re.sub(r" in [0-9.]+ s ", " ", " ".join(text.split())) for text in (" ".join(seen.lines), piped.stdout)]
    assert timeless[0] == timeless[1]
    assert LONG.removesuffix(".toml") in seen.lines
    assert "as expected" not in piped.stdout
    assert "\x1b[32mverified" in seen.raw and "\x1b[31m" in seen.raw


@pytest.mark.slow
def test_the_bar_names_what_is_being_settled(files: Path) -> None:
    seen = terminal(files, "run", "holds.toml", "slow.toml", "--budget", "1500ms", "-j", "1")
    bars = [x.partition("\r")[0] for x in seen.raw.split("1 of 2, 1 left, ")[1:]]
    assert any("slow" in bar for bar in bars), "the first may be drawn before it is known what comes next"
    assert not any(" left, " in line for line in seen.lines), "the bar is gone at the end"
    assert seen.raw.index("0 of 2, 2 left, ") < seen.raw.index("verified"), "no line is printed before the first bar"


@pytest.mark.slow
def test_a_dumb_terminal_has_no_bar_and_a_wish_for_no_colours_is_heeded(files: Path) -> None:
    seen = terminal(files, "run", "false.toml", TERM="dumb")
    assert " left, " not in seen.raw
    assert "\x1b" not in seen.raw
    assert "\x1b[31m" in terminal(files, "run", "false.toml", TERM="xterm").raw
    seen = terminal(files, "run", "false.toml", NO_COLOR="1")
    assert " left, " in seen.raw
    assert "\x1b[3" not in seen.raw


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ({"NO_COLOR": ""}, False),
    ],
)
def test_a_pipe_is_plain_unless_it_must_not_be(
    files: Path, environment: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[31m" in within("run", "false.toml", cwd=files).stdout) is coloured


@pytest.mark.slow
def test_whoever_stops_reading_changes_nothing(files: Path) -> None:
    script = f"set -o pipefail; {sys.executable} -m checks run holds.toml false.toml -j 1 --report out | head -n 1"
    done = subprocess.run(
        ["bash", "-c", script], cwd=files, env=PLAIN, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stderr, done.returncode) == ("", 1)
    assert done.stdout.startswith("holds ")
    assert (files / "out/index.html").exists()


@pytest.mark.slow
def test_a_list_may_be_cut(tmp_path: Path) -> None:
    script = f"{sys.executable} -m checks show | head -n 1"
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=PLAIN, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stderr, done.stdout.count("\n")) == ("", 1)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.slow
def test_an_interrupted_run_leaves_one_line_and_the_report_that_was_there(files: Path, jobs: str) -> None:
    write_reports(CALM, files / "out")
    before = {path.name: path.read_bytes() for path in (files / "out").iterdir() if path.is_file()}
    words = ("run", "holds.toml", "slow.toml", "false.toml", "--report", "out", "-j", jobs)
    seen = terminal(files, *words, interrupt_after="verified")
    assert seen.code == 3
    assert {path.name: path.read_bytes() for path in (files / "out").iterdir() if path.is_file()} == before
    last = seen.lines[-2]
    assert last.startswith("interrupted: ") and "of 3 claims settled (" in last
    assert "report of these: out/interrupted/index.html; out keeps the report of an earlier, complete run" in last
    assert not any("Traceback" in line or "not run" in line for line in seen.lines)
    report = json.loads((files / "out/interrupted/report.json").read_text("utf-8"))
    assert report["run"]["interrupted"] is True
    assert {c["id"]: c["verdict"] for c in report["claims"]}["slow"] == "inconclusive"


@pytest.mark.slow
def test_an_interrupted_run_replaces_one_that_was_interrupted(files: Path) -> None:
    write_reports(replace(CALM, interrupted=True), files / "out")
    words = ("run", "holds.toml", "slow.toml", "--report", "out", "-j", "1")
    seen = terminal(files, *words, interrupt_after="verified")
    assert "report of these: out/index.html" in seen.lines[-2]
    assert not (files / "out/interrupted").exists()
    assert "slow" in (files / "out/report.json").read_text("utf-8")


def test_annotations_are_the_only_commands(files: Path) -> None:
    hostile = '"\\n::error::from a claim\\n##[error]another"'
    text = (HEAD + CLAIMS["false"]).replace('"T"', hostile).replace('"S."', hostile)
    (files / "hostile.toml").write_text(text, "utf-8")
    done = within("run", "hostile.toml", "unreadable.toml", "expected.toml", "--format", "github", "-j", "1", cwd=files)
    assert done.returncode == 2
    stop, *inside = done.stdout.splitlines()
    token = stop.removeprefix("::stop-commands::")
    assert len(token) == 32
    assert inside.count(f"::{token}::") == 1
    annotations = inside[inside.index(f"::{token}::") + 1 :]
    assert [line.partition("::")[2].partition("::")[0] for line in annotations] == [
        "error file=hostile.toml,line=10,title=refuted%3A L",
        "error file=unreadable.toml,line=8,col=12,endColumn=13,title=unreadable",
    ]


def test_of_many_claims_a_terminal_shows_the_works_unless_asked_for_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert choose_lines(31, verbose=False, quiet=False) is ProgressDetail.WORKS
    assert (
        choose_lines(30, verbose=False, quiet=False)
        is choose_lines(31, verbose=True, quiet=False)
        is ProgressDetail.ALL
    )
    monkeypatch.undo()
    assert choose_lines(31, verbose=False, quiet=False) is ProgressDetail.ALL, "a pipe has a line for each"
    first, second, third = CALM.claims
    broken = replace(second, verdict=Verdict.REFUTED)
    screen = Screen([Entry(r.id, Path(f"{r.id}.toml")) for r in CALM.claims], ProgressDetail.WORKS)
    for number, result in enumerate((first, broken, third)):
        screen.take(number, result)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    assert [" ".join(line.split())[:35] for line in shown] == [
        *("nim/zero-sum-moves refuted", "nim 2 claims: 1 proved, 1 refuted", "kl-nim 1 claim: 1 verified")
    ]


@pytest.mark.slow
def test_a_quiet_run_names_only_what_is_not_in_order(files: Path) -> None:
    done = within("run", "holds.toml", "false.toml", "expected.toml", "-j", "1", "-q", cwd=files)
    assert [line.split()[0] for line in done.stdout.splitlines()[:1]] == ["false"]
    assert not re.search(r"^(holds|expected) ", done.stdout, re.MULTILINE)
    assert (
        "\nrefuted, as its file expects: 1 statement; exit 0\n"
        in within("run", "expected.toml", "-q", cwd=files).stdout
    )


@pytest.mark.slow
def test_a_run_may_stop_at_the_first_and_the_next_begin_there(files: Path) -> None:
    words = ("run", "holds.toml", "false.toml", "expected.toml", "-j", "1")
    done = within(*words, "-x", cwd=files)
    assert done.returncode == 1
    assert "stopped at the first claim that fails: 2 of 3 claims settled" in done.stdout
    assert "False" not in done.stdout.partition("false: refuted")[0]
    again = within(*words, "--last-failed", cwd=files)
    assert [line.split()[0] for line in again.stdout.splitlines()[:2]] == ["false", "expected"], (
        "the last was not settled"
    )
    assert within(*words, "--last-failed", cwd=files).stdout.splitlines()[0].startswith("false ")
    own = within("run", "--last-failed", "-j", "1", cwd=files).stdout
    assert own.startswith("false ") and "\n1 claim: 1 refuted" in own, (
        "files outside the library that were not in order"
    )
    fine = within("run", "holds.toml", "--last-failed", "--report", "elsewhere", cwd=files)
    assert fine.returncode == 0
    assert "--last-failed: there is no report in elsewhere; settling all claims" in fine.stderr
