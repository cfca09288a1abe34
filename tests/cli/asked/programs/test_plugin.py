"""`pytest --claims`: each claim is an item, and its counterexample is the text of a failure."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np  # noqa: F401 - numpy loads only once per process, and pytester forgets modules that a test imports
import pytest
from claim_texts import HEAD
from commands import ROOT

pytest_plugins = ["pytester"]
PLUGIN = ("-p", "no:nim-checks", "-p", "nim_checks_pytest", "-p", "no:xdist", "-p", "no:cacheprovider")
CLAIM = (
    HEAD
    + """ruleset = "nim"
{expect}
[claim]
then = "{then}"
"""
)
CLAIMS = {
    "true": CLAIM.format(then="wins(position([3]))", expect=""),
    "false": CLAIM.format(then="wins(position([2, 2]))", expect=""),
    "expected": CLAIM.format(then="wins(position([2, 2]))", expect='expect = "refuted"'),
    "unreadable": CLAIM.format(then="win(position([2, 2])) and x", expect=""),
}


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    for name, text in CLAIMS.items():
        path = pytester.path / "claims" / f"{name}.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    pytester.makepyfile(test_other="def test_other(): pass")
    return pytester


@pytest.mark.slow
def test_each_claim_is_an_item_beside_the_tests(folder: pytest.Pytester) -> None:
    result = folder.runpytest_inprocess(*PLUGIN, "--claims", "claims", "-v")
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(["collect*collected 5 items"])
    for line in ("test_other.py::test_other", *(f"claims/{x}.toml::claims/{x}" for x in ("expected", "true"))):
        result.stdout.fnmatch_lines([f"{line} PASSED*"])
    result.stdout.fnmatch_lines(["*claims/false: refuted*", "*at (2, 2)*"])
    result.stdout.fnmatch_lines(["*unknown function 'win'*", "*unknown name 'x'*"])


VARIANTS = CLAIMS["true"] + '[[variants]]\nname = "two"\nclaim.then = "wins(position([2]))"\n'


def test_a_node_id_that_is_printed_settles_that_claim_alone(folder: pytest.Pytester) -> None:
    folder.makeini("[pytest]")
    for place in ("claims/.hidden/more.toml", "claims/more.toml"):
        path = folder.path / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(VARIANTS, "utf-8")
    listed = folder.runpytest_inprocess(*PLUGIN, "--claims", "claims", "--claims", "nim/bouton", "--co", "-q").outlines
    ids = [line for line in listed if ".toml::" in line]
    assert "claims/.hidden/more.toml::claims/.hidden/more@two" in ids and len(ids) == 9
    for id in ids:
        outcome = "failed" if "false" in id or "unreadable" in id else "passed"
        own = ("-c", "tox.ini")  # otherwise pytest would use the options of the nim-checks folder
        folder.runpytest_inprocess(*PLUGIN, *own, id).assert_outcomes(**{outcome: 1})


@pytest.mark.parametrize(("words", "number"), [(["claims/more"], 1), (["claims/more.toml"], 2), (["nim/bouton"], 1)])
def test_a_claim_is_collected_once(words: list[str], number: int, folder: pytest.Pytester) -> None:
    """Also if its folder is an argument too, or the library is in another place."""
    (folder.path / "claims/more.toml").write_text(VARIANTS, "utf-8")
    for more in ([], ["claims"], ["test_other.py"]):
        tests = 0 if more == ["claims"] else 1
        result = folder.runpytest_inprocess(*PLUGIN, *more, "--claims", *words)
        result.assert_outcomes(passed=tests + number)
        result.stdout.fnmatch_lines([f"collected {tests + number} item*"])


def test_a_file_that_is_no_claim_is_not_collected(folder: pytest.Pytester) -> None:
    (folder.path / "other.toml").write_text("[tool]\nname = 1\n", "utf-8")
    result = folder.runpytest_inprocess(*PLUGIN, "other.toml", "test_other.py")
    result.stderr.fnmatch_lines(["ERROR: not found: *other.toml"])


def test_items_are_selected_as_others_are(folder: pytest.Pytester) -> None:
    result = folder.runpytest_inprocess(*PLUGIN, "--claims", "claims", "-k", "expected")
    result.assert_outcomes(passed=1, deselected=4)


def test_without_the_option_nothing_is_added(folder: pytest.Pytester) -> None:
    folder.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)


def test_a_word_that_names_nothing_is_wrong_usage(folder: pytest.Pytester) -> None:
    result = folder.runpytest_inprocess(*PLUGIN, "--claims", "nowhere")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--claims: nowhere: no such claim, file or folder*"])


# -- a project with packages named like those of nim-checks ------------------------------------------------------------
OWN = """import checks, claims, encoders, reports
def test_own(): assert checks.OWN == claims.OWN == encoders.OWN == reports.OWN == 7
"""


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that finds the entry points of pyproject.toml, wherever pytest looks for them."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["pytest11"]
    info = tmp_path / "site" / "nim_checks-0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nim-checks\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[pytest11]\n" + "".join(f"{k} = {v}\n" for k, v in declared.items()))
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(info.parent), str(ROOT)]), "CHECKS_CACHE": "off"}


def run_pytest(folder: Path, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("checks", "claims", "encoders", "reports"):
        package = tmp_path / "project" / name
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("OWN = 7\n")
    (tmp_path / "project" / "test_own.py").write_text(OWN)
    (tmp_path / "project" / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "project" / "true.toml").write_text(CLAIMS["true"])
    return tmp_path / "project"


def test_a_project_with_a_package_named_checks_is_tested(project: Path, installed: dict[str, str]) -> None:
    done = run_pytest(project, installed)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 passed" in done.stdout


def test_a_project_with_a_package_named_checks_learns_why_its_claims_are_not_settled(
    project: Path, installed: dict[str, str]
) -> None:
    done = run_pytest(project, installed, "--claims", "true.toml")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"this project has its own module 'claims' ({project / 'claims'})" in done.stderr
    assert "use `checks run` instead of --claims" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_entry_point_settles_claims(project: Path, installed: dict[str, str]) -> None:
    """Without the option, it imports nothing of nim-checks."""
    for name in ("checks", "claims", "encoders", "reports"):
        (project / name / "__init__.py").unlink()
        (project / name).rmdir()
    names = "{'checks', 'claims', 'encoders', 'reports'}"
    (project / "test_own.py").write_text(f"import sys\ndef test_own(): assert not {names} & set(sys.modules)\n")
    done = run_pytest(project, installed)
    assert "1 passed" in done.stdout, done.stdout
    done = run_pytest(project, installed, "--claims", "true.toml", "-k", "true")
    assert "1 passed, 1 deselected" in done.stdout, done.stdout
