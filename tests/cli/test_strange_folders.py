"""The current folder may contain any files: neither the command nor its workers execute any of them."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from commands import LIMIT, ROOT

SCRIPT = Path(sys.executable).parent / "checks"
COMMANDS = {"module": [sys.executable, "-m", "checks"], "script": [sys.executable, str(SCRIPT)]}
OURS = ("claims/__init__", "reports/__init__", "encoders", "claims")
LIBRARIES = ("click/__init__", "numpy", "z3/__init__", "jinja2", "rich/__init__", "sympy", "wasmtime", "tree_sitter")
STANDARD = (
    *("__future__", "concurrent/__init__", "dataclasses", "json", "multiprocessing/__init__", "pickle", "signal"),
    *("socket", "sqlite3", "struct", "subprocess", "tomllib", "unittest/__init__"),
)


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A folder in which each module records its execution in a file."""
    for name in (*OURS, *LIBRARIES, *STANDARD):
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"open({str(tmp_path / 'executed')!r}, 'a').write({name + chr(10)!r})\n", "utf-8")
    return tmp_path


def run(command: list[str], folder: Path, path: str = str(ROOT)) -> subprocess.CompletedProcess[str]:
    """Run a process without the environment variables of the test that mention the folder."""
    environment = {n: v for n, v in os.environ.items() if n != "PYTHONSAFEPATH"} | {"PYTHONPATH": path}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
    )


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize(
    "words",
    [["show", "nim"], ["run", "nim/table-normal", "nim/bouton", "--jobs", "2", "--no-cache", "--report", "out"]],
    ids=lambda words: words[0],
)
@pytest.mark.slow
def test_nothing_of_a_strange_folder_is_executed(strange: Path, command: list[str], words: list[str]) -> None:
    done = run([*command, *words], strange)
    assert (done.returncode, done.stderr) == (0, "")
    assert "nim/bouton " in done.stdout
    assert not (strange / "executed").exists(), (strange / "executed").read_text()


@pytest.mark.parametrize("path", [os.pathsep, os.pathsep.join((".", str(ROOT))), str(ROOT)])
def test_the_folder_is_left_however_it_came_on_the_path(strange: Path, path: str) -> None:
    done = run([*COMMANDS["module"], "show", "nim/bouton"], strange, path)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (strange / "executed").exists(), (strange / "executed").read_text()


def test_it_would_be_seen_if_something_was(strange: Path) -> None:
    run([sys.executable, "-c", "import claims, json"], strange)
    assert (strange / "executed").read_text().split() == ["claims/__init__", "json"]


TELLING = """import ctypes, sys

class Told(ctypes.CDLL):
    def __init__(self, name, *others, **more):
        if "z3" in str(name):
            open({file!r}, "a").write(f"{{name}}\\n")
        super().__init__(name, *others, **more)

ctypes.CDLL = Told
"""
ANEW = ("--no-report", "--no-cache", "--search-anew")
PROGRAM = "import encoders.solvers.z3_solver, encoders.solvers.proposals"


@pytest.mark.parametrize(
    "command",
    [
        [*COMMANDS["module"], "run", "one.toml", "two.toml", "--jobs", "2", *ANEW],
        [*COMMANDS["script"], "run", "one.toml", "two.toml", "--jobs", "2", *ANEW],
        [*COMMANDS["module"], "run", "one.toml", "--jobs", "1", *ANEW],
        [sys.executable, "-P", "-c", PROGRAM],
    ],
    ids=["workers", "workers of the script", "one process", "a program"],
)
@pytest.mark.slow
def test_the_library_of_z3_is_not_taken_from_there(command: list[str], strange: Path) -> None:
    """Each process that loads the library records which one, with a module that Python loads at its start."""
    for name in ("one", "two"):
        (strange / f"{name}.toml").write_bytes((ROOT / "claims/nim/bouton.toml").read_bytes())
    told, telling = strange / "told", strange / "telling"
    telling.mkdir()
    (telling / "sitecustomize.py").write_text(TELLING.format(file=str(told)), "utf-8")
    spec = find_spec("z3")
    assert spec is not None and spec.origin is not None
    usual = Path(spec.origin).parent / "lib"
    for name in {"libz3.so", *(path.name for path in usual.iterdir() if path.is_file())}:
        (strange / name).touch()
    done = run(command, strange, os.pathsep.join((str(telling), str(ROOT))))
    assert (done.returncode, done.stderr) == (0, "")
    assert {Path(name).resolve().parent for name in told.read_text("utf-8").split()} == {usual.resolve()}


def test_a_folder_that_is_gone_is_no_hindrance(tmp_path: Path) -> None:
    leave = f"import os, runpy; os.chdir({str(tmp_path)!r}); os.rmdir({str(tmp_path)!r}); "
    done = run([sys.executable, "-c", leave + "runpy.run_module('checks', run_name='__main__')"], ROOT)
    assert "Usage" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def list_ordered(path: list[str], folder: str, home: str) -> list[str]:
    ask = "import sys; from checks.__main__ import order_path as order; print(*order(sys.argv[3:], *sys.argv[1:3]))"
    return run([sys.executable, "-c", ask, folder, home, *path], ROOT).stdout.split()


@pytest.mark.slow
def test_a_clone_that_one_stands_in_is_found_without_installation_and_never_beside_another_version(
    tmp_path: Path,
) -> None:
    library, clone, other = str(Path(os.__file__).resolve().parent), str(ROOT), str(tmp_path)
    (tmp_path / "reports").mkdir()
    assert list_ordered([clone, library, other], clone, clone) == [library, other, clone]
    assert list_ordered([clone, library, other, clone], clone, clone) == [library, other, clone]
    (tmp_path / "reports/__init__.py").touch()
    assert list_ordered([clone, library, other], clone, clone) == [library, clone, other]
    assert list_ordered([clone, library, other, clone], clone, clone) == [library, clone, other, clone]


@pytest.mark.slow
def test_a_folder_of_python_itself_stays_where_python_put_it(tmp_path: Path) -> None:
    library, clone, packages = str(Path(os.__file__).resolve().parent), str(ROOT), str(tmp_path)
    assert list_ordered([packages, library, packages], packages, clone) == [library, packages]
    assert library in list_ordered([library, library, packages], library, clone)
