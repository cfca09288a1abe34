"""The claims of a command without arguments, and the defaults that [tool.nim-checks] sets."""

import json
from pathlib import Path

import pytest
from claim_texts import HEAD
from commands import ROOT, Done
from commands import run_within as within

from checks.command.defaults import choose_claims, read_defaults

TRUE = HEAD + '[forall]\nx = "1.."\n[claim]\nthen = "x >= 1"\n[scope]\nx = "1..9"\n'
RUN = ("run", "--json", "--no-cache", "--jobs", "1")
TABLE = "[tool.nim-checks]\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("one.toml", "two.toml", "below/three.toml", "claims/four.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(TRUE, "utf-8")
    (tmp_path / "other.toml").write_text("[server]\nport = 1\n")
    (tmp_path / ".hidden.toml").write_text(TRUE, "utf-8")
    return tmp_path


def configure(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text, "utf-8")


def ids(done: Done) -> list[str]:
    assert done.returncode == 0, done.stderr
    return [claim["id"] for claim in json.loads(done.stdout)["claims"]]


# -- claims -----------------------------------------------------------------------------------------------------------
def test_without_arguments_the_claim_files_of_the_folder_are_settled(project: Path) -> None:
    done = within(*RUN, cwd=project)
    assert ids(done) == ["one", "two"]
    assert done.stderr == "settling the 2 claim files of this folder; --library takes the library instead\n"
    (project / "two.toml").unlink()
    one = within(*RUN, cwd=project)
    assert one.stderr == "settling the claim file of this folder; --library takes the library instead\n"
    (project / "two.toml").write_text(TRUE, "utf-8")
    done = within("check", cwd=project)
    assert "2 files: " in done.stdout
    assert done.stderr == "checking the 2 claim files of this folder; --library takes the library instead\n"


def test_a_folder_with_claims_only_below_it_means_the_library(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same applies to a clone of this repository."""
    for name in ("one.toml", "two.toml"):
        (project / name).unlink()
    for folder in (project, ROOT):
        monkeypatch.chdir(folder)
        assert choose_claims((), library=False) == ((), "")
    monkeypatch.chdir(ROOT / "claims/nim")
    assert "./bouton.toml" in choose_claims((), library=False)[0]


def test_the_library_is_settled_where_it_is_asked_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(project, TABLE + 'paths = ["below"]')
    monkeypatch.chdir(project)
    assert choose_claims((), library=True) == ((), "")
    assert choose_claims(("one.toml",), library=False) == (("one.toml",), "")
    for words in (("run", "--library", "one.toml"), ("check", "--library", "one.toml")):
        done = within(*words, cwd=project)
        assert (done.returncode, "--library already names the whole library" in done.stderr) == (2, True)
    done = within("run", "--library", "--changed", cwd=project)
    assert (done.returncode, "--changed cannot be combined with --library" in done.stderr) == (2, True)


def test_changed_files_are_only_those_that_are_named(project: Path) -> None:
    assert ids(within(*RUN, "--changed", cwd=project)) == []
    assert ids(within(*RUN, "--changed", "two.toml", cwd=project)) == ["two"]


def test_the_example_of_the_documentation_is_valid(project: Path) -> None:
    page = (ROOT / "docs/ci.md").read_text("utf-8")
    example = page[page.index("```toml\n[tool.nim-checks]") + len("```toml\n") :].partition("```")[0]
    (project / "my-claims").mkdir()
    configure(project, example)
    found = read_defaults(project)
    assert found == {"jobs": 2, "budget": "30s", "report": "build/checks", "paths": ("./my-claims",)}


# -- defaults ---------------------------------------------------------------------------------------------------------
def test_a_table_sets_defaults_that_options_replace(project: Path) -> None:
    configure(project, TABLE + 'paths = ["below", "one.toml"]\nreport = "out/here"\nbudget = "0s"\njobs = 1\n')
    for folder in (project, project / "below"):
        done = within("run", "--no-cache", cwd=folder)
        assert done.returncode == 3, "a budget of 0 s"
        assert "the budget of 0 s is used up" in done.stdout
        assert "[tool.nim-checks] paths: ./" in done.stderr
        report = json.loads((project / "out/here/report.json").read_text("utf-8"))
        assert len(report["claims"]) == 2
    done = within("run", "two.toml", "--no-cache", "--budget", "9s", "--report", "elsewhere", cwd=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert [x["id"] for x in json.loads((project / "elsewhere/report.json").read_text("utf-8"))["claims"]] == ["two"]


def test_a_report_is_found_where_the_table_puts_it(project: Path) -> None:
    configure(project, TABLE + 'report = "out"\n')
    assert within("run", "two.toml", "--no-cache", cwd=project).returncode == 0
    assert within("verify", cwd=project).stdout.startswith("two: verified; confirmed")
    assert within("show", "--verdict", "verified", ".", cwd=project).stdout.split()[0] == "two"


def test_only_the_nearest_file_counts_and_it_can_be_switched_off(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(project, TABLE + "jobs = 3\n")
    below = project / "below"
    assert read_defaults(below) == {"jobs": 3}
    configure(below, "[project]\nname = 'x'\n")
    assert read_defaults(below) == {}
    monkeypatch.setenv("CHECKS_CONFIG", "off")
    assert read_defaults(project) == {}


def test_the_processes_of_the_table_are_not_asked_for_beside_a_scheduler(project: Path) -> None:
    configure(project, TABLE + 'jobs = 3\npaths = ["one.toml"]\n')
    words = ("run", "--scheduler=nowhere://")
    assert "no Dask scheduler at nowhere" in within(*words, cwd=project).stderr
    assert "cannot be combined" in within(*words, "--jobs", "3", cwd=project).stderr


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("job = 3", "unknown key 'job'\nexpected: jobs, budget, report, paths; did you mean 'jobs'?"),
        ("jobs = 0", "jobs: invalid value 0\nexpected: a number of processes from 1, such as jobs = 4"),
        ("jobs = true", "jobs: invalid value True\n"),
        ('jobs = "4"', "jobs: invalid value '4'\n"),
        ("budget = 60", 'budget: invalid value 60\nexpected: a time, such as budget = "60s", or "none"'),
        ('budget = "soon"', "budget: invalid value 'soon'\n"),
        ('report = ""', "report: invalid value ''\n"),
        ('report = "/tmp"', "report: '/tmp' is not inside the folder of this file\n"),
        ('report = "../out"', "report: '../out' is not inside the folder of this file\n"),
        ('report = "a\\u0000b"', "report: 'a\\x00b' is not inside the folder of this file\n"),
        ('paths = "claims"', "paths: invalid value 'claims'\n"),
        ("paths = []", "paths: invalid value []\n"),
        ('paths = ["claims", "../x"]', "paths: '../x' is not inside the folder of this file\n"),
        ('paths = ["claims", "nowhere"]', "paths: there is no file or folder 'nowhere'\n"),
        ("jobs = ", "invalid TOML: "),
    ],
)
def test_an_invalid_table_is_refused(table: str, expected: str, project: Path) -> None:
    configure(project, f"{TABLE}{table}\n")
    for command in ("run", "verify"):
        done = within(command, cwd=project)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("pyproject.toml: ") and expected in done.stderr
    done = within("run", cwd=project / "below")
    assert (done.returncode, done.stderr.startswith("../pyproject.toml: ")) == (2, True)
    assert within("run", "--help", cwd=project).returncode == 0


def test_a_link_out_of_the_project_is_refused(project: Path) -> None:
    (project / "below/link").symlink_to(project.parent)
    configure(project / "below", TABLE + 'report = "link/out"\n')
    done = within("run", "three.toml", cwd=project / "below")
    assert (done.returncode, "'link/out' is not inside" in done.stderr) == (2, True)


def test_a_table_that_is_no_table_is_refused(project: Path) -> None:
    configure(project, "[tool]\nnim-checks = 3\n")
    assert "[tool.nim-checks] is 3, not a table" in within("run", cwd=project).stderr
