"""kernel.wasm matches boxes.c, counts.c, heaps.c and lines.c, and the assumptions of the code around it."""

import hashlib
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

import pytest
import wasmtime

from encoders.compute.arrays.bit_lanes import SEEN
from encoders.kernel import MAX_HEAPS, MAX_WORDS, machine

ENVIRONMENT = {"PYTHON": sys.executable, "PATH": "/usr/bin:/bin"}
ROOT = Path(__file__).resolve().parents[4]
SOURCE = files(machine.__package__).joinpath("boxes.c").read_text("utf-8")


def compiler() -> str:
    """Return the version of the installed compiler, "" for none."""
    try:
        return version("ziglang")
    except PackageNotFoundError:
        return ""


PINNED = re.search(r'"ziglang==([0-9.]+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
NEEDS = pytest.mark.skipif(
    sys.platform == "win32" or PINNED is None or compiler() != PINNED[1],
    reason="THE KERNEL IS NOT COMPARED WITH ITS SOURCE: no ziglang as it is pinned; pip install -e '.[kernel]'",
)


def test_source_and_kernel_are_those_that_were_last_compiled() -> None:
    """Without a compiler, this test detects a change of the source or the kernel without the recorded digests."""
    room = ROOT / "encoders/kernel"
    names = [*(x.name for x in room.glob("*.c")), "kernel.wasm"]
    sums = [f"{hashlib.sha256((room / name).read_bytes()).hexdigest()}  {name}" for name in names]
    assert sorted((ROOT / ".ci/kernel.sums").read_text("utf-8").splitlines()) == sorted(sums)


@NEEDS
@pytest.mark.slow
def test_the_kernel_is_what_its_source_gives() -> None:
    check = [str(ROOT / ".ci" / "kernel"), "--check"]
    done = subprocess.run(check, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@NEEDS
@pytest.mark.slow
def test_a_kernel_of_another_source_is_noticed(tmp_path: Path) -> None:
    room = tmp_path / "encoders/kernel"
    room.mkdir(parents=True)
    for name in ("counts.c", "heaps.c", "lines.c"):
        (room / name).write_bytes(files(machine.__package__).joinpath(name).read_bytes())
    (room / "boxes.c").write_text(SOURCE.replace("met == SEEN", "met == SEEN - 1"), "utf-8")
    (room / "kernel.wasm").write_bytes(files(machine.__package__).joinpath("kernel.wasm").read_bytes())
    (tmp_path / ".ci").mkdir()
    script = tmp_path / ".ci" / "kernel"
    script.write_bytes((ROOT / ".ci" / "kernel").read_bytes())
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    check = ["bash", str(script), "--check"]
    done = subprocess.run(check, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "kernel.wasm is not what boxes.c, counts.c, heaps.c and lines.c give" in done.stderr


def test_limits_stand_in_the_source_as_they_stand_here() -> None:
    limits = {name: int(value) for name, value in re.findall(r"#define (\w+) (\d+)", SOURCE)}
    assert limits == {"MAX_HEAPS": MAX_HEAPS, "MAX_WORDS": MAX_WORDS, "SEEN": SEEN, "KINDS": 3}


WITHOUT_WASMTIME = """import sys
sys.modules["wasmtime"] = None
from checks.command.cli import main
main(["run", "-v", "--no-report", "--route", "exhaustive", "--", sys.argv[1]])
"""


def test_without_wasmtime_a_box_is_solved_by_moves(tmp_path: Path) -> None:
    claim = tmp_path / "sums.toml"
    claim.write_text(
        'format = 1\nruleset = "nim"\n[forall]\ns = "position"\n[claim]\nthen = "grundy(s) == nim_sum(s)"\n'
        '[scope]\ns = { heaps = "0..3", size = "1..25" }\n'
    )
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_WASMTIME, str(claim)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "games solved by: moves" in done.stdout
    assert "the WebAssembly kernel cannot run on this machine" in done.stdout


def test_the_kernel_needs_nothing_and_reaches_nothing() -> None:
    """The kernel imports no function and no memory, so its code cannot access anything else."""
    engine = wasmtime.Engine()
    module = wasmtime.Module(engine, files(machine.__package__).joinpath("kernel.wasm").read_bytes())
    assert list(module.imports) == []
    functions = {x.name for x in module.exports if isinstance(x.type, wasmtime.FuncType)}
    boxes = {"solve_lanes", "reach_lanes", "solve_lines", "reach_lines", "solve_moves", "evaluate_formulas"}
    counts = {"enter_counts", "start_counts", "solve_counts"}
    values = {"solve_heaps", "check_heaps", "solve_values_by_lines", "solve_pairs", "find_partners"}
    assert functions == boxes | counts | values
