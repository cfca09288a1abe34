"""Ctrl-C, SIGTERM and SIGHUP at each moment of a command: exit code 3, no traceback, a complete report or none.

Each test waits for a text that the process prints, and then sends the signal. `HOOKS` are moments without output: a
program imports the command and stops there until the signal arrives.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from commands import ROOT, run_within
from test_commands import CLAIMS, HEAD

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"]
LIMIT = 60  # seconds
PROVED = '[forall]\nx = "1.."\n[claim]\nthen = "x >= 1"\n[scope]\nx = "1..9"\n'
REPORTS = ("index.html", "junit.xml", "plain.html", "report.json", "report.md", "report.sarif", "summary.md")

# A program that runs the command, and waits at `stop(...)` until a signal was handled or `go` exists.
STOPPING = """
import os, sys, time
sys.path.insert(0, {root!r})
sys.argv[0] = "checks"

def stop(where, until=lambda: False):
    print("at", where, flush=True)
    for _ in range(1200):
        if until(): return
        time.sleep(0.05)
    os._exit(99)

def around(module, name, where):
    '''Stop before a function of a module.'''
    from importlib import import_module
    from claims.language.interrupts import Interrupted
    home = import_module(module)
    real = getattr(home, name)
    def stopping(*args, **named):
        setattr(home, name, real)
        stop(where, lambda: Interrupted.now)
        return real(*args, **named)
    setattr(home, name, stopping)

from checks.__main__ import main
{hook}
if __name__ == "__main__":
    main()
"""
IMPORTING = """
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            stop("import")
sys.meta_path.insert(0, Slow())
"""
HOOKS = {
    "rendering": "around('reports.write', 'make_pages', 'rendering')",
    "writing": "around('reports.write', '_store', 'writing')",
    "receipts": "around('checks.command.run', 'write_receipt', 'receipts')",
    "moving": "around('reports.write', '_move_in', 'moving')",
    "moved": "around('reports.write', '_link', 'moved')",
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, body in CLAIMS.items():
        (tmp_path / f"{name}.toml").write_text(HEAD + body, "utf-8")
    return tmp_path


@contextmanager
def started(folder: Path, *command: str) -> Iterator[subprocess.Popen[str]]:
    """Start a process in a separate group; its standard output and error are one pipe."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "CHECKS_CACHE": "off"}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, *command], cwd=folder, env=environment, stdout=pipe, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def wait_for(process: subprocess.Popen[str], text: str) -> str:
    """Return the output up to a line with this text."""
    assert process.stdout is not None
    seen = ""
    for line in process.stdout:
        seen += line
        if text in line:
            return seen
    raise AssertionError(f"{text!r} was not printed:\n{seen}")


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Return the exit code and the rest of the output."""
    out, _ = process.communicate(timeout=LIMIT)
    assert "Traceback" not in out and "Aborted" not in out and "Exception ignored" not in out, out
    return process.returncode, out


def hooked(folder: Path, hook: str) -> str:
    path = folder / "stopping.py"
    path.write_text(STOPPING.format(root=str(ROOT), hook=hook), "utf-8")
    return str(path)


def read_verdicts(report: Path) -> dict[str, str]:
    """Return the verdicts of a report, which must be complete and contain no other files of a run."""
    assert {name for name in REPORTS if (report / name).stat().st_size} == set(REPORTS)
    data = json.loads((report / "report.json").read_text("utf-8"))
    found = {claim["id"]: claim["verdict"] for claim in data["claims"]}
    assert {path.stem for path in (report / "claims").iterdir()} == set(found)
    assert not list(report.parent.rglob(".writing-*")) and not list(report.parent.rglob("unplaced-*"))
    for id, verdict in found.items():
        receipt = report / "receipts" / f"{id}.json"
        if verdict in ("verified", "refuted", "proved"):
            assert json.loads(receipt.read_text("utf-8"))["verdict"] == verdict
    return found


def make_report(files: Path, *names: str) -> None:
    assert run_within("run", *names, "-j", "1", "--no-cache", "--report", "out", cwd=files).returncode == 0


# -- while claims are settled -----------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("whole_group", [False, True])
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_leaves_a_report_of_what_is_settled(files: Path, name: str, jobs: str, whole_group: bool) -> None:
    """The signal goes to the process alone, or also to its workers, as from a terminal."""
    words = ("holds.toml", "slow.toml", "false.toml", "-j", jobs, "--report", "out")
    with started(files, "-m", "checks", "run", *words) as process:
        wait_for(process, "holds ")
        number = getattr(signal, name)
        os.killpg(process.pid, number) if whole_group else process.send_signal(number)
        code, out = finish(process)
    assert code == 3, out
    assert "interrupted: " in out and out.endswith("; exit 3\n")
    found = read_verdicts(files / "out")
    assert found["holds"] == "verified" and found["slow"] == "inconclusive"


@pytest.mark.slow
def test_a_repeated_sigterm_takes_nothing_away(files: Path) -> None:
    script = hooked(files, HOOKS["rendering"])
    with started(files, script, "run", "holds.toml", "slow.toml", "-j", "1", "--report", "out") as process:
        wait_for(process, "holds ")
        process.terminate()
        wait_for(process, "at rendering")
        process.terminate()
        process.send_signal(signal.SIGHUP)
        assert finish(process)[0] == 3
    assert read_verdicts(files / "out")["holds"] == "verified"


@pytest.mark.slow
def test_ctrl_c_and_stopping_at_the_first_are_told_apart(files: Path) -> None:
    words = ("holds.toml", "slow.toml", "false.toml", "-j", "1", "-x")
    with started(files, "-m", "checks", "run", *words) as process:
        wait_for(process, "holds ")
        process.send_signal(signal.SIGINT)
        code, out = finish(process)
    assert code == 3 and "interrupted: 1 of 3" in out and "stopped at the first" not in out


@pytest.mark.slow
@pytest.mark.parametrize("name", SIGNALS)
def test_a_solver_that_is_at_work_is_stopped(files: Path, name: str) -> None:
    """Z3 itself would take a Ctrl-C for an answer, and Python's handlers wait until Z3 returns."""
    hook = """
def ask():
    import time
    from claims.language.interrupts import entering_phase, noticing_interrupts
    from encoders.solvers import z3_solver as ours
    from encoders.z3_library import z3
    from encoders.solvers.solver import Limits
    asker = ours.Z3()
    solver = asker._solver(Limits(seed=0, steps=4_000_000_000))
    x, y, z = z3.BitVecs("x y z", 256, asker._context)
    solver.add(x * y * z == (1 << 200) + 235, z3.UGT(x, 1), z3.UGT(y, 1), z3.UGT(z, 1))
    with noticing_interrupts():
        print("at work", flush=True)
        print("unreached", solver.check())
from checks.command import cli
cli.main = ask
import checks.command.cli
def main():
    from claims.language.interrupts import catch_signals
    catch_signals()
    try:
        ask()
    except KeyboardInterrupt:
        os._exit(3)
"""
    with started(files, hooked(files, hook)) as process:
        wait_for(process, "at work")
        process.send_signal(getattr(signal, name))
        assert finish(process) == (3, "")


# -- before ------------------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name"),
    [
        *[(module, "SIGINT") for module in ("click", "checks.command.run", "checks.execution.execute", "numpy")],
        *[("numpy", name) for name in ("SIGTERM", "SIGHUP")],
    ],
)
def test_a_signal_at_the_start_leaves_the_report_that_was_there(files: Path, name: str, module: str) -> None:
    make_report(files, "holds.toml")
    before = {path: path.read_bytes() for path in (files / "out").rglob("*") if path.is_file()}
    script = hooked(files, IMPORTING.format(name=module))
    with started(files, script, "run", "slow.toml", "-j", "1", "--report", "out") as process:
        wait_for(process, "at import")
        process.send_signal(getattr(signal, name))
        code, out = finish(process)
    assert code == 3 and "interrupted" in out
    assert {path: path.read_bytes() for path in before} == before
    assert read_verdicts(files / "out") == {"holds": "verified"}


@pytest.mark.parametrize("command", [["show"], ["run", "holds.toml"]])
def test_an_import_that_is_interrupted_ends_in_3(files: Path, command: list[str]) -> None:
    with started(files, hooked(files, IMPORTING.format(name="click")), *command) as process:
        wait_for(process, "at import")
        process.send_signal(signal.SIGINT)
        assert finish(process) == (3, "interrupted\n")
    assert not (files / "out").exists()


# -- while the report is written ---------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(
    ("hook", "name"), [*((hook, "SIGINT") for hook in HOOKS), ("writing", "SIGTERM"), ("writing", "SIGHUP")]
)
def test_a_signal_while_the_report_is_written_lets_it_be_completed(files: Path, name: str, hook: str) -> None:
    make_report(files, "holds.toml")
    script = hooked(files, HOOKS[hook])
    with started(files, script, "run", "expected.toml", "-j", "1", "--report", "out") as process:
        wait_for(process, f"at {hook}")
        process.send_signal(getattr(signal, name))
        code, out = finish(process)
    assert code == 3 and "\nexit 3: " in out and "all claims were settled" in out
    assert set(json.loads((files / "out/report.json").read_text("utf-8"))["run"]) and out.count("exit ") == 1
    assert [x["id"] for x in json.loads((files / "out/report.json").read_text("utf-8"))["claims"]] == ["expected"]
    assert (files / "out/receipts/expected.json").is_file() and not list(files.rglob(".writing-*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hook", "whole"), [("rendering", False), ("writing", False), ("receipts", False), ("moved", True)]
)
def test_a_second_ctrl_c_leaves_the_old_report_or_the_new_one(files: Path, hook: str, whole: bool) -> None:
    """The new report appears if its files were about to be moved to their places, which takes a moment."""
    make_report(files, "holds.toml")
    before = {path: path.read_bytes() for path in (files / "out").rglob("*") if path.is_file()}
    waiting = HOOKS[hook].replace("around(", "twice(")
    define = """
def twice(module, name, where):
    from importlib import import_module
    from claims.language.interrupts import Interrupted
    home = import_module(module)
    real = getattr(home, name)
    def stopping(*args, **named):
        setattr(home, name, real)
        stop(where, lambda: Interrupted.now)
        stop("once more", lambda: Interrupted.again)
        return real(*args, **named)
    setattr(home, name, stopping)
"""
    script = hooked(files, define + waiting)
    with started(files, script, "run", "expected.toml", "-j", "1", "--report", "out") as process:
        wait_for(process, f"at {hook}")
        process.send_signal(signal.SIGINT)
        wait_for(process, "at once more")
        process.send_signal(signal.SIGINT)
        code, out = finish(process)
    assert code == 3, out
    assert not list(files.rglob(".writing-*"))
    if whole:
        found = json.loads((files / "out/report.json").read_text("utf-8"))
        assert [x["id"] for x in found["claims"]] == ["expected"]
        assert (files / "out/receipts/expected.json").is_file()
    else:
        assert "interrupted: no report of this run was written" in out
        assert {path: path.read_bytes() for path in (files / "out").rglob("*") if path.is_file()} == before


# -- afterwards --------------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_after_the_exit_code_is_printed_does_not_change_it(files: Path, name: str) -> None:
    hook = """
import atexit, checks.command.run
real = checks.command.run.print_summary
def printed(*args):
    real(*args)
    for where in ("the end",):
        print("at", where, flush=True)
        sys.stdin.readline()
checks.command.run.print_summary = printed
"""
    script = hooked(files, hook)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CHECKS_CACHE": "off"}
    words = [sys.executable, script, "run", "false.toml", "-j", "1", "--report", "out"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=files, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        seen = wait_for(process, "at the end")
        process.send_signal(getattr(signal, name))
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.wait(timeout=LIMIT) == 1
    assert "exit 1: " in seen


# -- parts, and a closed terminal --------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_closed_terminal_leaves_a_report(files: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "CHECKS_CACHE": "off"}
    words = [sys.executable, "-m", "checks", "run", "holds.toml", "slow.toml", "-j", "2", "--report", "out"]
    terminal = (
        "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", terminal, *words], cwd=files, env=environment, stdin=theirs, stdout=theirs,
        stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    seen = b""
    while b"verified" not in seen:
        seen += os.read(ours, 65536)
    os.close(ours)  # the terminal is gone: the kernel sends SIGHUP, and writing there fails
    assert process.wait(timeout=LIMIT) == 3
    assert read_verdicts(files / "out")["holds"] == "verified"


@pytest.mark.slow
def test_nohup_is_respected(files: Path) -> None:
    with started(files, "-c", "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
                 "os.execv(sys.executable, [sys.executable, '-m', 'checks', *sys.argv[1:]])",
                 "run", "holds.toml", "slow.toml", "--budget", "1s", "-j", "1") as process:  # fmt: skip
        wait_for(process, "holds ")
        process.send_signal(signal.SIGHUP)
        code, out = finish(process)
    assert code == 3 and "interrupted" not in out.replace("or the run was interrupted", ""), out
