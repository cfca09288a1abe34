"""Claims in a repository: claims that depend on changed files, claims that got worse, and paths from the root."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from commands import ROOT, Done, run_within

from checks.command.github import find_repository
from checks.command.run import Baseline, BaselineComparison
from checks.command.selection import list_tables, select_dependents
from checks.results.model import ClaimResult, Repository, RunResult
from checks.results.verdicts import Verdict
from reports.model.json_report import to_json

HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "l"\nrole = "lemma"\n'
NUMBERS = HEAD + '{more}[forall]\nn = "0.."\n[claim]\nthen = "{then}"\n[scope]\nn = "0..{to}"\n'
PLAYED = HEAD + 'ruleset = "{rules}"\n[claim]\nthen = "wins(position([3]))"\n'
RULES = (
    'format = 1\ntitle = "Mine"\nplayers = ["A", "B"]\nstuck = "loses"\n[[moves]]\n'
    'choose = "any heap h"\npick = {{ m = "1..{most}" }}\nbecome = ["h - m"]\n'
)
TRUE, FALSE = "n * (n + 1) % 2 == 0", "n < 4"


def numbers(then: str = TRUE, to: int = 9, more: str = "") -> str:
    return NUMBERS.format(then=then, to=to, more=more)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with claims in a folder; two of them are about a local ruleset."""
    files = {
        "game/even.toml": numbers(),
        "game/false.toml": numbers(FALSE),
        "game/mine.toml": PLAYED.format(rules="my-nim"),
        "game/shared.toml": numbers("f(n) >= n"),
        "game/my-nim.toml": RULES.format(most="h"),
        "game/deeper/below.toml": PLAYED.format(rules="nim"),
        ".venv/site/other.toml": numbers(),
        "venv/lib/site-packages/claims/nim.toml": numbers(),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / "game/definitions.toml").write_text('format = 1\n[define]\n"f(x)" = "x + 1"\n', "utf-8")
    (tmp_path / ".git").mkdir()
    return tmp_path


def run(folder: Path, *words: str) -> Done:
    return run_within("run", *words, "--no-cache", cwd=folder)


# -- claims that depend on a changed file ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("game/even.toml", {"even"}),
        ("game/my-nim.toml", {"mine"}),
        ("game/definitions.toml", {"even", "false", "mine", "shared"}),
        ("game/deeper/definitions.toml", {"below"}),
        ("game/deeper/nim.toml", {"below"}),
        ("game/deeper/rulesets/nim.toml", {"below"}),
        ("README.md", set()),
        ("nowhere/else.toml", set()),
    ],
)
def test_a_changed_file_concerns_the_claims_that_look_at_it(
    changed: str, expected: set[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for a missing file: a ruleset that was deleted, or that would hide one of the library."""
    monkeypatch.chdir(folder)
    assert {entry.path.stem for entry in select_dependents([changed], Path())} == expected
    assert {entry.path.stem for entry in select_dependents([str(folder / changed)], Path())} == expected


@pytest.mark.slow
def test_lemmas_and_unreadable_files_are_looked_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "game/broken.toml").write_text(PLAYED.format(rules="my-nim").replace("wins(", "winz("), "utf-8")
    (folder / "game/resting.toml").write_text(numbers() + '[proof]\nby = ["even"]\n', "utf-8")
    assert {x.path.stem for x in select_dependents(["game/even.toml"], Path())} == {"even", "resting"}
    done = run(folder, "--changed", "game/even.toml", "--no-report")
    assert [line.split()[0] for line in done.stdout.splitlines()[:2]] == ["game/even", "game/resting"]
    assert done.stderr == "", "nothing is told of a claim that is not concerned"
    assert {x.path.stem for x in select_dependents(["game/my-nim.toml"], Path())} == {"mine", "broken"}


def test_folders_of_programs_hold_no_claims_of_ones_own(folder: Path) -> None:
    assert {path.name for path in list_tables(folder)} == {
        *("even.toml", "false.toml", "mine.toml", "shared.toml", "my-nim.toml", "below.toml", "definitions.toml"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "run --mutants", "check"])
def test_nothing_is_settled_where_no_file_has_changed(command: str, folder: Path) -> None:
    """Like `checks run --changed $(git diff --name-only)` in a clean tree."""
    done = run_within(*command.split(), "--changed", *(["--no-report"] if command != "check" else []), cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "game" not in done.stdout and ("0 claims" in done.stdout or "0 files" in done.stdout)


def test_a_changed_ruleset_settles_its_claims_and_writes_nothing(folder: Path) -> None:
    before = set(folder.rglob("*"))
    done = run(folder, "--changed", "game/my-nim.toml", "--no-report")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].split() == ["game/mine", "proved", "(a", "finite", "computation)"]
    (folder / "game/my-nim.toml").write_text(RULES.format(most="h - 3"), "utf-8")
    assert run(folder, "--changed", "game/my-nim.toml", "--no-report").returncode == 1
    (folder / "game/my-nim.toml").unlink()
    assert run(folder, "--changed", "game/my-nim.toml", "--no-report").returncode == 2
    assert set(folder.rglob("*")) == before - {folder / "game/my-nim.toml"}


# -- worse than before -------------------------------------------------------------------------------------------------
def settle(folder: Path, *words: str) -> Done:
    return run(folder, "game/even.toml", "game/false.toml", "--report", "new", *words)


@pytest.fixture
def older(folder: Path) -> Path:
    assert run(folder, "game/even.toml", "game/false.toml", "--report", "old").returncode == 1
    return folder


AGAINST = ("--against", "old/report.json", "--fail-on", "worse")


@pytest.mark.slow
def test_what_was_red_before_does_not_fail_again(older: Path) -> None:
    done = settle(older, *AGAINST)
    assert (done.returncode, done.stderr) == (0, "")
    assert "exit 0: no claim has a worse result than in old/report.json; 1 claim failed before, too" in done.stdout
    assert settle(older).returncode == 1
    done = settle(older, "--against", "old/report.json")
    assert (done.returncode, "against old/report.json:\n  2 claims unchanged" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    ("file", "text", "code", "said"),
    [
        ("even", numbers(FALSE), 1, "verified -> refuted; worse: passed before and fails now"),
        ("even", numbers(to=5), 1, "verified; worse: 6 cases; previously 10"),
        ("even", numbers("m"), 2, "verified -> error; worse: passed before and fails now"),
        ("false", numbers("n < q"), 2, "refuted -> error; worse: error is weaker than refuted"),
        ("false", numbers(FALSE, more='expect = "refuted"\n'), 0, "2 claims unchanged"),
        ("false", numbers(), 0, "refuted -> verified"),
        ("even", numbers(FALSE, more='expect = "refuted"\n'), 1, "refuted; worse: refuted is weaker than verified"),
        ("even", numbers("n >= 0", to=99), 0, "1 claim changed otherwise"),
    ],
)
def test_only_what_is_worse_fails(file: str, text: str, code: int, said: str, older: Path) -> None:
    (older / f"game/{file}.toml").write_text(text, "utf-8")
    done = settle(older, *AGAINST)
    assert done.returncode == code
    assert said in done.stdout or (said == "2 claims unchanged" and "1 claim changed otherwise" in done.stdout)
    assert f"exit {code}: " in done.stdout


def test_an_error_of_ours_and_an_interrupted_run_always_fail(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if both happened before."""
    monkeypatch.chdir(older)
    even, false = (ClaimResult(id, Verdict.REFUTED) for id in ("game/even", "game/false"))
    ours = replace(even, verdict=Verdict.INCONSISTENT)
    for settled, interrupted, code in [((ours, false), False, 4), ((even, false), False, 0), ((even, false), True, 3)]:
        run = RunResult("0", "quick", settled, interrupted=interrupted)
        Path("same.json").write_text(to_json(run), "utf-8")
        judged = BaselineComparison(Baseline(Path("same.json"), worse=True)).judge(run, settled, 99)
        assert (judged.code, judged.worse) == (code, frozenset({"game/even"} if code == 4 else ()))


@pytest.mark.slow
def test_a_new_claim_fails_unless_it_is_in_order(older: Path) -> None:
    assert run(older, "game", "--report", "new", *AGAINST).returncode == 0
    (older / "game/new.toml").write_text(numbers(FALSE), "utf-8")
    done = run(older, "game", "--report", "new", *AGAINST)
    assert done.returncode == 1
    assert "game/new: new, refuted; worse: new, and it fails" in done.stdout


def test_a_claim_that_is_not_run_is_named(older: Path) -> None:
    done = run(older, "game/false.toml", "--report", "new", *AGAINST)
    assert done.returncode == 0
    assert "not in this run: game/even" in done.stdout
    done = run_within("diff", "old/report.json", "new/report.json", "--brief", "--fail-on", "worse", cwd=older)
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "game/even: gone, was verified")


@pytest.mark.slow
def test_the_report_that_is_replaced_may_be_the_older_one(older: Path) -> None:
    (older / "game/even.toml").write_text(numbers(FALSE), "utf-8")
    words = ("game/even.toml", "game/false.toml", "--report", "old", *AGAINST)
    assert [run(older, *words).returncode for _ in range(2)] == [1, 0]


def test_an_older_report_is_read_before_the_run(older: Path) -> None:
    (older / "old/report.json").write_text("{}", "utf-8")
    done = settle(older, *AGAINST)
    assert (done.returncode, done.stdout) == (2, "")
    assert "old/report.json: not a report" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fail-on", "worse"), "--fail-on worse needs --against"),
        (("--no-report", "--last-failed"), "--no-report cannot be combined with"),
        (("--no-report", "--open"), "--no-report cannot be combined with"),
        (("--against", "gone.json"), "does not exist"),
    ],
)
def test_half_a_question_is_wrong_usage(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = run_within("run", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


# -- names from the root -----------------------------------------------------------------------------------------------
def test_annotations_junit_and_sarif_name_files_from_the_root(folder: Path) -> None:
    (folder / "game/broken.toml").write_text(numbers("m"), "utf-8")
    done = run_within("run", ".", "--format", "github", "--report", "out", "--no-cache", cwd=folder / "game")
    assert done.returncode == 2
    assert "::error file=game/false.toml,line=10," in done.stdout
    assert "::error file=game/broken.toml,line=10,col=9," in done.stdout
    assert 'file="game/deeper/below.toml"' in (folder / "game/out/junit.xml").read_text("utf-8")
    places = (folder / "game/out/report.sarif").read_text("utf-8")
    assert '"game/false.toml"' in places
    assert '"false.toml"' not in places
    files = [x["file"] for x in json.loads((folder / "game/out/report.json").read_text("utf-8"))["claims"]]
    assert "false.toml" in files, "as it is called where the run was made"
    done = run_within("check", "broken.toml", "--format", "github", cwd=folder / "game")
    assert done.stdout.startswith("::error file=game/broken.toml,line=10,col=9,")


def test_the_root_is_found_without_git(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = folder / "game/deeper"
    assert find_repository(here) == Repository(str(folder), str(here))
    assert find_repository(here).locate(str(folder / "a.toml")) == "a.toml"
    assert find_repository(here).locate("/elsewhere/a.toml") == "/elsewhere/a.toml"
    assert find_repository(here).locate("") == ""
    (folder / ".git").rmdir()
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    if find_repository(here) == Repository():  # the folder of the tests is not in a repository
        monkeypatch.setenv("GITHUB_WORKSPACE", str(folder))
        assert find_repository(here).locate("a.toml") == "game/deeper/a.toml"
        monkeypatch.setenv("GITHUB_WORKSPACE", str(folder / "venv"))
        assert find_repository(here) == Repository()


# -- faults that do not stop a folder, and files of older runs ---------------------------------------------------------
def test_a_name_in_an_order_that_is_no_claim_stops_nobody(folder: Path) -> None:
    (folder / "game/works.toml").write_text(
        'format = 1\n[works.w]\ntitle = "The work"\norder = ["false", "nowhere", "even"]\n', "utf-8"
    )
    done = run(folder, "game", "--report", "out", "-v")
    assert done.returncode == 1
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]  # without the lines about engines
    assert [line.split()[0] for line in lines[:2]] == ["game/false", "game/even"]
    assert "warning: game/works.toml:4:19: there is no claim 'nowhere' of the work 'w'" in done.stderr
    assert "The work" in (folder / "out/report.md").read_text("utf-8")
    assert run_within("check", "game/works.toml", cwd=folder).returncode == 2


@pytest.mark.slow
def test_receipts_of_other_runs_are_named(folder: Path) -> None:
    run(folder, "game", "--report", "out")
    said = run(folder, "game/even.toml", "--report", "out").stdout.splitlines()[-1]
    assert said == (
        "out/receipts also contains receipts of earlier runs: "
        "game/deeper/below.json, game/false.json, game/mine.json and 1 more"
    )
    assert "receipts of earlier runs" not in run(folder, "game", "--report", "out").stdout
    (folder / "game/even.toml").write_text(numbers("6 // n >= 0"), "utf-8")
    done = run(folder, "game", "--report", "out")
    assert "receipts of earlier runs" not in done.stdout
    assert not (folder / "out/receipts/game/even.json").exists(), "a claim without a value has no receipt"


# -- hooks and the action ----------------------------------------------------------------------------------------------
def list_hooks() -> dict[str, list[str]]:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    return {hook["id"]: shlex.split(hook["entry"])[1:] for hook in hooks}


@pytest.mark.parametrize("hook", ["nim-checks-check", "nim-checks-run"])
def test_hooks_pass_over_what_is_no_claim(hook: str, folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\n', "utf-8")
    done = run_within(*list_hooks()[hook], "pyproject.toml", "gone.toml", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_hooks_see_what_a_changed_file_breaks(folder: Path) -> None:
    path = folder / "game/my-nim.toml"
    path.write_text(RULES.format(most="h - 3"), "utf-8")
    words = (str(path), "game/my-nim.toml")
    assert run_within(*list_hooks()["nim-checks-check"], *words, cwd=folder).returncode == 0
    assert run_within(*list_hooks()["nim-checks-run"], *words, cwd=folder).returncode == 1
    path.write_text(RULES.format(most="g"), "utf-8")
    assert [run_within(*list_hooks()[id], *words, cwd=folder).returncode for id in list_hooks()] == [2, 2]


@pytest.mark.parametrize(
    ("claims", "against", "code"),
    [("game/even.toml", "", 0), ("game", "", 1), ("game/false.toml", "old.json", 0), ("$(touch x) *", "", 2)],
)
@pytest.mark.slow
def test_the_action_settles_claims_and_keeps_the_summary(claims: str, against: str, code: int, folder: Path) -> None:
    """The script of its last step, with the variables that a workflow sets; their contents are not executed."""
    if against:
        assert run(folder, claims, "--report", "old").returncode == 1
        (folder / "old.json").write_bytes((folder / "old/report.json").read_bytes())
    step = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"][-1]
    assert "${{" not in step["run"]
    installed = folder / "temp/nim-checks/bin/checks"
    installed.parent.mkdir(parents=True)
    installed.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m checks "$@"\n', "utf-8")
    installed.chmod(0o755)
    given = {"CLAIMS": claims, "SCOPE": "quick", "AGAINST": against, "REPORT": "out", "ARGUMENTS": "--no-cache -q"}
    assert set(given) == set(step["env"])
    github = {"RUNNER_TEMP": str(folder / "temp"), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **given, **github}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", step["run"]], cwd=folder, env=environment, capture_output=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert not (folder / "x").exists()
    if code != 2:
        assert (folder / "summary.md").read_bytes() == (folder / "out/summary.md").read_bytes()
    assert (b"::error file=game/false.toml" in done.stdout) is (claims == "game"), "what is no worse is not told"
