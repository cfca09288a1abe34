"""Hostile content of certificates: unlimited work, and names that print as other text."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from forging import FILE, alone, at, changed, claim, ours, write

from checks.receipts.certificates import CHECKER
from encoders.logic.certificates import MOST_STEPS
from encoders.solvers.shipped import FILE as LIBRARY_CERTIFICATES
from encoders.solvers.shipped import read

STEPS = 300_000
LEAVES = "many leaves for a long formula"
DEAR = {  # each of 7 kB at most, and within the bounds for a single product or set of states
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
    """Return a tree that contains each letter once on a path."""
    tree: Any = 0
    for x in range(letters, 1, -1):
        tree = [x, tree, 0]
    return [1, tree, 0]


def limited(folder: Path, first: int, byte: int, heap: int, most: int = 100_000_000) -> Path:
    """Return the checker with other limits."""
    text = CHECKER.read_text("utf-8")
    for line, changed_line in (
        ("FIRST, BYTE, HEAP = 5_000_000, 100, 1_000 ", f"FIRST, BYTE, HEAP = {first}, {byte}, {heap} "),
        ("MOST = 100_000_000 ", f"MOST = {most} "),
    ):
        assert text.count(line) == 1
        text = text.replace(line, changed_line)
    checker = folder / "check.py"
    checker.write_text(text, "utf-8")
    return checker


@pytest.mark.parametrize("what", DEAR)
@pytest.mark.slow
def test_what_is_too_large_to_check_is_told_to_be_so(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checker = limited(tmp_path, STEPS, 0, 0)
    monkeypatch.setattr("encoders.logic.certificates.MOST_STEPS", STEPS)
    path = write(tmp_path, changed(DEAR[what]))
    code, said = alone(path, checker=checker)
    assert code == 1 and "both: too large to check: it takes more than 300000 steps" in said, said
    told = "it is too large: the check needs more than 300000 steps"
    assert ours(path) == ("" if what == LEAVES else told)  # ours examines all leaves at once


@pytest.mark.slow
def test_what_comes_with_the_library_stays_far_below_the_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test takes single obligations, with a fifth of the steps."""
    checker = limited(tmp_path, 1_200_000, 20, 1_000)
    monkeypatch.setattr("encoders.logic.certificates.MOST_STEPS", MOST_STEPS // 5)
    paths = []
    for key, value in read(LIBRARY_CERTIFICATES).items():
        one = {"name": key.hex(), "says": [], **json.loads(value)["certificate"]}
        paths.append(write(tmp_path / key.hex(), {**FILE, "obligations": [one]}))
        assert ours(paths[-1]) == ""
    code, said = alone(*paths, checker=checker)
    assert code == 0 and f"{len(paths)} obligations certified, 0 only trusted" in said


TABLE: dict[str, Any] = {"question": "grundy", "players": 2, "misere": False, "beyond": False, "saltus": 0}
NO_MOVE: dict[str, Any] = {"end": [], "one": [], "two": [], "equal": []}  # every heap has the value 0


def state(preperiod: int, packed: int, period: int = 1) -> dict[str, Any]:
    """Return a file with a table that states a number of values and contains `packed` zeros, deflated."""
    row = base64.b64encode(zlib.compress(bytes(2 * packed))).decode()
    table = {**TABLE, "moves": [NO_MOVE], "rows": [row], "last": 0, "preperiod": preperiod, "period": period}
    return {**FILE, "obligations": [{"name": "table", "says": [], "table": table}]}


@pytest.mark.parametrize(
    ("heap", "most", "problem"),
    [
        (100, 100_000_000, ""),
        (10, 100_000_000, "it takes more than 10010 steps"),
        (100, 20_000, "it takes more than 20000 steps"),
    ],
)
def test_the_limit_grows_with_the_heaps_of_a_table_up_to_the_maximum(
    heap: int, most: int, problem: str, tmp_path: Path
) -> None:
    path = write(tmp_path, state(1_000, 1_001))
    code, said = alone(path, checker=limited(tmp_path, 0, 0, heap, most))
    assert (code, problem in said) == (int(bool(problem)), True), said
    assert problem == "" or alone(path, "--steps", 10**6, checker=tmp_path / "check.py")[0] == 0


@pytest.mark.parametrize(("preperiod", "packed"), [(10**12, 10), (10**7, 10**7)])
def test_a_table_of_millions_of_heaps_in_few_bytes_is_refused_before_it_is_unpacked(
    preperiod: int, packed: int, tmp_path: Path
) -> None:
    code, said = alone(write(tmp_path, state(preperiod, packed)))
    assert code == 1 and "it takes more than 100000000 steps" in said, said


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
