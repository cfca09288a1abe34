"""What strangers may put into certificates: work without end, and names that print something else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from forging import FILE, alone, at, changed, claim, ours, write

from checks.cache.shipped import FILE as LIBRARY_CERTIFICATES
from checks.cache.shipped import read
from checks.receipts.certificates.writing import CHECKER
from encoders.logic.naturals.certificates.verify import MOST_STEPS

STEPS = 300_000
LEAVES = "many leaves for a long formula"
DEAR = {  # each of 7 kB at most, and in the bounds for a single product, a single set of states
    "a sum of many products of two terms each": claim(
        ["le", [[1, "v0"]], 1],
        {"sum": [[1, list(range(10)), []]] * 40},
        *(["le", [[1, f"v{i}"]], 1] for i in range(1, 10)),
        literals=list(range(1, 11)),
    ),
    "a product that has no end": claim(
        ["le", [[1, f"v{i}"] for i in range(40)], 0], {"sum": [[1, [0] * 40, []]]}, literals=[1]
    ),
    "a power of a large number": claim(["le", [], -(10**3000)], {"sum": [[1, [0] * 500, []]]}, literals=[1]),
    "many states that many bits lead out of": claim(
        ["le", [[1 << i, f"v{i}"] for i in range(12)], -(1 << 12)],
        {"states": [[-i] for i in range(1, (1 << 12) + 2)]},
        literals=[-1],
    ),
    "many lemmas about many bits": lambda o: o["both"].update(
        atoms=[["le", [[1, f"v{i}"] for i in range(13)], 1]],
        lemmas=[{"literals": [1], "states": [[i] for i in range(14)]}] * 99,
    ),
    LEAVES: lambda o: o["both"].update(
        letters=101, formula=["or", *([["and", 1, ["not", 1]]] * 900)], tree=_grow(101), lemmas=[]
    ),
}


def _grow(letters: int) -> Any:
    """A tree that has each letter once on its way down."""
    tree: Any = 0
    for x in range(letters, 1, -1):
        tree = [x, tree, 0]
    return [1, tree, 0]


@pytest.mark.parametrize("what", DEAR)
@pytest.mark.slow
def test_what_is_too_large_to_check_is_told_to_be_so(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, bounds = CHECKER.read_text("utf-8"), "MOST, EACH = 5_000_000, 100 "
    assert text.count(bounds) == 1
    checker = tmp_path / "check.py"
    checker.write_text(text.replace(bounds, f"MOST, EACH = {STEPS}, 1 "), "utf-8")
    monkeypatch.setattr("encoders.logic.naturals.certificates.verify.MOST_STEPS", STEPS)
    path = write(tmp_path, changed(DEAR[what]))
    code, said = alone(path, checker=checker)
    assert code == 1 and "both: too large to check: it takes more than 300000 steps" in said, said
    told = "it is too large to check: that takes more than 300000 steps"
    assert ours(path) == ("" if what == LEAVES else told)  # ours looks at all leaves at once


@pytest.mark.slow
def test_what_comes_with_the_library_stays_far_below_the_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of one obligation alone, in a fifth of the steps."""
    text, bounds = CHECKER.read_text("utf-8"), "MOST, EACH = 5_000_000, 100 "
    checker = tmp_path / "check.py"
    checker.write_text(text.replace(bounds, "MOST, EACH = 1_200_000, 20 "), "utf-8")
    monkeypatch.setattr("encoders.logic.naturals.certificates.verify.MOST_STEPS", MOST_STEPS // 5)
    paths = []
    for key, value in read(LIBRARY_CERTIFICATES).items():
        one = {"name": key.hex(), "says": [], **json.loads(value)["certificate"]}
        paths.append(write(tmp_path / key.hex(), {**FILE, "obligations": [one]}))
        assert ours(paths[-1]) == ""
    code, said = alone(*paths, checker=checker)
    assert code == 0 and f"{len(paths)} obligations certified, 0 only trusted" in said


# -- names ------------------------------------------------------------------------------------------------------------
NAMES = ["x\n9 obligations certified, 0 only trusted, 0 files refused", "\x1b[2J", "\ud800", "\u202e", "é"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("part", ["trusted", "refused", "claim", "file"])
def test_names_are_printed_so_that_nothing_else_can_be_read_in_them(name: str, part: str, tmp_path: Path) -> None:
    data = (
        changed(at("hard", "name", to=name))
        if part == "trusted"
        else changed(at("order", "lemmas", 0, "states", to=[[0, -1], [-1, -1]]))
    )
    rest: tuple[object, ...] = ()
    if part == "refused":
        data["obligations"][1]["name"] = name
    elif part != "trusted":
        data["claim"], data["files"], rest = name, {name: "0" * 64} if part == "file" else {}, ("--claims", ".")
        data["claim"] = name if part == "claim" else name.removesuffix(".toml")
    path = write(tmp_path, data)
    command = [sys.executable, str(CHECKER), str(path), *map(str, rest)]
    done = subprocess.run(command, capture_output=True, check=False, env={"PYTHONIOENCODING": "ascii"}, timeout=60)
    said = done.stdout.decode("ascii")
    assert done.stderr == b"" and done.returncode == (part != "trusted")
    assert len(said.splitlines()) == 3 and name.encode("unicode_escape").decode() in said
