"""The command line for a user: its output, its files, and its exit codes.

`within` runs a command in the process of the test. `process` starts a process, for each exit code and for features of
processes: workers and interrupts.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import z3
from claim_texts import HEAD
from commands import ROOT, Command
from commands import run_process as process
from commands import run_within as within

from checks.results.verdicts import EXIT_CODES

CLAIMS = {
    "holds": 'ruleset = "nim"\n[forall]\ns = "position"\n[claim]\nthen = "iff(wins(s), nim_sum(s) != 0)"\n'
    '[scope]\ns = { heaps = "0..2", size = "1..4" }\n',
    "false": '[forall]\nx = "1.."\n[claim]\nthen = "x < 3"\n[scope]\nx = "1..9"\n',
    "expected": 'expect = "refuted"\n[forall]\nx = "1.."\n[claim]\nthen = "x < 3"\n[scope]\nx = "1..9"\n',
    "surprise": 'expect = "refuted"\n[claim]\nthen = "1 < 3"\n',
    "vacuous": '[forall]\nx = "1.."\n[claim]\nif = "x < 1"\nthen = "x == 7"\n[scope]\nx = "1..9"\n',
    "unreadable": '[claim]\nthen = "1 <"\n',
    "ill-defined": '[forall]\nx = "0.."\n[claim]\nthen = "6 // x >= 0"\n[scope]\nx = "0..9"\n',
    "slow": 'ruleset = "nim"\n[forall]\ns = "position"\n[claim]\n'
    'then = "all(all(all(wins(s) or not wins(a) or not wins(b) for b in options(a)) for a in options(t)) '
    'for t in options(s))"\n[scope]\ns = { heaps = "0..4", size = "1..30" }\n',
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, body in CLAIMS.items():
        (tmp_path / f"{name}.toml").write_text(HEAD + body, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["holds"], 0),
        (["expected"], 0),
        (["holds", "false"], 1),
        (["surprise"], 1),
        (["vacuous"], 1),
        (["false", "unreadable"], 2),
        (["ill-defined"], 2),
    ],
)
def test_exit_codes(files: Path, names: list[str], code: int) -> None:
    assert within("run", *(f"{n}.toml" for n in names), cwd=files).returncode == code


@pytest.mark.parametrize(("names", "code"), [(["expected"], 0), (["false"], 1), (["unreadable"], 2)])
@pytest.mark.slow
def test_the_exit_code_is_that_of_the_process(files: Path, names: list[str], code: int) -> None:
    done = process("run", *(f"{n}.toml" for n in names), cwd=files)
    assert (done.returncode, done.stderr) == (code, "")
    assert f"{names[0]} " in done.stdout


@pytest.mark.slow
def test_a_budget_that_ends_is_inconclusive(files: Path) -> None:
    done = process("run", "slow.toml", "--budget", "200ms", cwd=files)
    assert done.returncode == 3
    assert "inconclusive" in done.stdout
    assert "the budget of 0.2 s is used up" in done.stdout


def test_exit_codes_are_in_the_help(golden: Callable[[str, str], None]) -> None:
    text = within("--help").stdout
    for code, meaning in EXIT_CODES.items():
        assert f"{code}  {meaning}" in text
    golden("help.txt", text, "checks")
    for command in (
        "run",
        "check",
        "solve",
        "explain",
        "find",
        "weaken",
        "shorten",
        "show",
        "coq",
        "verify",
        "mcp",
        "new",
        "atlas",
        "diff",
        "cache",
    ):
        golden("help.txt", within(command, "--help").stdout, command)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("run", "kl-nim/lema-11"), "did you mean 'kl-nim/lemma-11'?"),
        (("run", "--set", "k=9..1", "kl-nim/lemma-11"), "'9..1' is empty"),
        (("run", "--set", "q=1..2", "kl-nim/lemma-11"), "none of the claims has a variable 'q'"),
        (("run", "--set", "k.heaps=1..2", "kl-nim/lemma-11"), "k of kl-nim/lemma-11 is neither a position nor a list"),
        (("run", "--budget", "soon"), "'soon' is not a time"),
        (("run", "--route", "z3"), "Invalid value for '--route'"),
        (("show", "nothing/here"), "no such claim"),
        (("verify", "nothing.json"), "cannot be read"),
    ],
)
def test_wrong_usage(tmp_path: Path, words: tuple[str, ...], part: str) -> None:
    done = within(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert part in done.stderr


@pytest.mark.slow
def test_run_writes_reports_and_receipts_that_replay(files: Path) -> None:
    within("run", "false.toml", "holds.toml", "--report", "out", cwd=files)
    report = json.loads((files / "out/report.json").read_text("utf-8"))
    assert [c["verdict"] for c in report["claims"]] == ["refuted", "verified"]
    assert report["claims"][0]["counterexample"]["variables"] == {"x": 3}
    assert (files / "out/index.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    done = within("verify", "out/receipts/false.json", cwd=files)
    assert (done.returncode, "the claim fails at x = 3" in done.stdout) == (0, True)


@pytest.mark.slow
def test_a_forged_receipt_is_inconsistent_and_a_stale_one_refused(files: Path) -> None:
    within("run", "false.toml", "--report", "out", cwd=files)
    path = files / "out/receipts/false.json"
    receipt = json.loads(path.read_text("utf-8"))
    receipt["replay"][0]["variables"] = {"x": 2}
    path.write_text(json.dumps(receipt), "utf-8")
    assert process("verify", str(path), cwd=files).returncode == 4
    (files / "false.toml").write_text(HEAD + CLAIMS["false"].replace("x < 3", "x < 4"), "utf-8")
    done = within("verify", str(path), cwd=files)
    assert (done.returncode, "has changed" in done.stderr) == (2, True)


@pytest.mark.slow
def test_a_replay_ends_well_unless_something_contradicts_the_receipt_or_there_is_no_verdict(files: Path) -> None:
    (files / "large.toml").write_text(HEAD + CLAIMS["holds"].replace("0..2", "0..4").replace("1..4", "1..12"), "utf-8")
    within("run", "large.toml", "--set", "s.size=1..14", "--report", "out", cwd=files)
    done = within("verify", "out/receipts/large.json", cwd=files)
    assert (done.returncode, "large: verified; nothing contradicts the receipt" in done.stdout) == (0, True)
    assert "not checked again:\n    the " in done.stdout
    done = within("verify", "out/receipts/large.json", "--rerun", cwd=files)
    assert (done.returncode, "large: verified; confirmed" in done.stdout) == (0, True)
    done = within("verify", "out/receipts/large.json", "--rerun", "--budget", "0s", cwd=files)
    assert (done.returncode, "large: verified; there is no verdict to confirm" in done.stdout) == (3, True)


def test_set_overrides_the_scope(files: Path) -> None:
    done = within("run", "holds.toml", "--set", "s.size=1..2", "--set", "s.heaps=0..1", cwd=files)
    assert "at most 1 heap of 1..2; 3 cases" in done.stdout


def test_list_and_show() -> None:
    listing = within("show").stdout.splitlines()
    # The statements, and corrections of the refuted ones; the classics next to them.
    assert sum(not line.startswith(("classics/", "heaps/")) for line in listing) == 91 + 20
    assert any(line.startswith("kl-nim/lemma-11 ") for line in listing)
    assert "defective(s, p) := " in within("show", "kl-nim/lemma-11").stdout


def test_a_terminal_obeys_no_claim_file(files: Path) -> None:
    (files / "loud.toml").write_text((HEAD + CLAIMS["false"]).replace('"T"', r'"\u001b[2J"'), "utf-8")
    for words in (("show", "--long"), ("show",), ("run",)):
        done = within(*words, "loud.toml", cwd=files)
        assert "\x1b" not in done.stdout + done.stderr
        assert r"\u001b[2J" in done.stdout


OF_ALL_KINDS = (  # proved by rules and in other ways, verified, refuted and explained; expensive and cheap ones mixed
    *("nim/bouton", "nim/example-3-4-5", "nim/table-n-n-misere", "kl-nim/example-3", "kl-nim/lemma-13"),
    *("large-nim/theorem-2-case-b", "bash-nim/single-heap", "bash-nim/final-position", "bash-nim/case-998"),
)


@pytest.mark.slow
def test_results_do_not_depend_on_the_number_of_jobs(tmp_path: Path) -> None:
    (tmp_path / "holds.toml").write_text(HEAD + CLAIMS["holds"], "utf-8")

    def report(jobs: str, run: Command) -> object:
        run("run", "holds.toml", *OF_ALL_KINDS, "--jobs", jobs, "--report", jobs, cwd=tmp_path)
        return _without_times(json.loads((tmp_path / jobs / "report.json").read_text("utf-8")))

    one = report("1", within)
    assert {c["verdict"] for c in one["claims"]} == {"proved", "verified", "refuted"}
    assert one == report("2", process)


def _without_times(value: object) -> object:
    if isinstance(value, dict):
        return {k: _without_times(v) for k, v in value.items() if k not in ("seconds", "started")}
    return [_without_times(v) for v in value] if isinstance(value, list) else value


@contextmanager
def underway(files: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A run that is at the claim slow, after printing the result of the claim holds."""
    command = [sys.executable, "-m", "checks", "run", "holds.toml", "slow.toml", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=files, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("holds")
        yield process


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.slow
def test_workers_end_with_a_command_that_is_killed(files: Path) -> None:
    """Two workers, one working and one waiting for work. They hold the pipe to which the command writes."""
    with underway(files, "-j", "2") as process:
        process.kill()
        try:
            process.communicate(timeout=60)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def test_show_lists_what_a_proof_has_to_show() -> None:
    found = within("show", "nim/bouton", "--obligations")
    assert found.returncode == 0
    assert found.stdout.startswith("measure of nim:\n  for 1 <= heap\n")
    closed = found.stdout.partition("\nclosed:\n")[2].partition("\n\n")[0]
    assert "  assume heap ^ X of rest == 0\n" in closed
    assert "  show, where (m >= 1 and m <= heap) and new size == heap - m: not new size ^ X of rest == 0" in closed
    assert within("show", "nim/example-3-4-5", "--obligations").stdout.strip().endswith("has no [proof]")


def test_show_tells_the_proof_without_asking_a_solver() -> None:
    shown = within("show", "kl-nim/theorem-14").stdout
    proof = shown[shown.index("proof (rule: folds)") : shown.index("Note: ")]
    assert max(map(len, proof.splitlines())) <= 80
    lines = " ".join(proof.split())
    assert "P2 wins at every other position, by one of these 8 moves" in lines
    assert "move: take l - k - reply 3 (P2 to move): heap - reply 3 (P2 to move): legal" in lines
    assert "Other obligations - parameters of kl-nim - measure of kl-nim" in lines


def test_an_obligation_can_be_given_to_any_solver() -> None:
    obligations = within("show", "nim/bouton", "--obligations").stdout
    digest = obligations.partition("\nclosed:\n")[2].partition("SMT-LIB: ")[2].split("\n")[0]
    by_name, by_digest = (within("show", "nim/bouton", "--smt2", x).stdout for x in ("closed", digest[:12]))
    assert by_name == by_digest
    first, _, rest = by_name.partition("\n")
    assert first == "; closed"
    script = rest.removesuffix("(check-sat)\n")
    assert hashlib.sha256(script.encode()).hexdigest() == digest
    solver = z3.Solver()
    solver.from_string(script)
    assert solver.check() == z3.unsat


@pytest.mark.parametrize("name", ["no such", "abc", ""])
def test_an_obligation_that_there_is_not_is_refused(name: str) -> None:
    found = within("show", "nim/bouton", "--smt2", name)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == f"nim/bouton has no obligation {name!r}; --obligations lists the names\n"


@pytest.mark.slow
def test_a_run_writes_what_it_asked_of_solvers(tmp_path: Path) -> None:
    assert within("run", "nim/bouton", "--report", str(tmp_path)).returncode == 0
    text = (tmp_path / "proofs/nim/bouton.txt").read_text("utf-8")
    assert "\n\nclosed: proved by certificate\n  for 1 <= heap\n" in text
    assert text.count("  SHA-256: ") == 9
    receipt = json.loads((tmp_path / "receipts/nim/bouton.json").read_text("utf-8"))
    assert all(f"  SHA-256: {o['formula']}\n" in text for o in receipt["obligations"])
