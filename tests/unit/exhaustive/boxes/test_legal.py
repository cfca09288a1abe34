"""The new sizes of a heap, as bits: the sweep over all parameters agrees with `Moves`, which treats them one by one."""

from pathlib import Path

import numpy as np
import pytest

from claims.language.files.library import LIBRARY
from claims.language.files.rulesets import Ruleset, load_ruleset
from encoders.compute.arrays import bit_task as task
from encoders.compute.arrays.bit_rows import unpack
from encoders.compute.arrays.bit_task import count_movers, tabulate
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.limits import BadRuleset, Deadline
from encoders.compute.arrays.moves import Moves, Parameters
from encoders.compute.arrays.positions import Pool, PositionSet

SIZE = 11
TEXT = """
format = 1
title = "T"
players = ["A", "B"]
parameters = {{ k = "0..", D = "set" }}
stuck = "loses"
[[moves]]
choose = "any heap h"
{move}
"""
MOVES = [
    'pick = { m = "1..h" }\nwhere = "m != k"\nbecome = ["h - m"]',
    'pick = { m = "1..h" }\nwhere = "m > k or mover == A"\nbecome = ["h - m"]',
    'pick = { m = "1..h" }\nbecome = ["h // 2"]',
    'pick = { m = "1..h" }\nwhere = "h % 3 != m % 2 or k == 2"\nbecome = ["(h - m) // 2"]',
    'pick = { m = "1..min(h, k)" }\nbecome = ["h - m"]',
    'pick = { m = "{x for x in D if x <= h}" }\nbecome = ["h - m"]',
    'pick = { m = "1..h", n = "0..h - m" }\nwhere = "m != k"\nbecome = ["n"]',
    'pick = { m = "1..h" }\nwhere = "k > 1"\nbecome = ["h - m"]',
    'pick = { m = "1..h" }\nbecome = ["min(h - m, k)"]',
    'become = ["h - 1"]',
    'pick = { m = "1..h" }\nwhere = "mover == B"\nbecome = ["h - m"]',
    'pick = { m = "1..h", n = "1..h" }\nwhere = "m != (k if mover == A else 3)"\nbecome = ["(h - m) // 2"]',
    'pick = { m = "{x for x in (D if mover == A else {1, 4}) if x <= h}" }\nbecome = ["h - m"]',
    'pick = { m = "1..h" }\nbecome = ["(h - m) // 2 if mover == A else h - m"]',
    'pick = { m = "0..h" }\nwhere = "m > 0 and (mover == A or m > 2)"\nbecome = ["h - m if mover == A else h // m"]',
    'pick = { m = "1..h" }\nwhere = "mover == A or m > 1"\nbecome = ["h - m if mover == A else (h - m) // (m - 1)"]',
]
BAD = [
    'pick = { m = "0..h" }\nbecome = ["h - m"]',
    'pick = { m = "0..h" }\nwhere = "m != k"\nbecome = ["h - m"]',
    'pick = { m = "1..h" }\nbecome = ["h - m - 1"]',
    'pick = { m = "1..h" }\nbecome = ["h // (m - k)"]',
    'pick = { m = "1..h" }\nwhere = "h % (m - k) == 0"\nbecome = ["h - m"]',
]


def evaluator() -> FrameEvaluator:
    return FrameEvaluator(Pool(PositionSet(np.zeros((1, 1), dtype=np.int64))), Deadline(None), {})


def compare(ruleset: Ruleset, parameters: list[Parameters], size: int = SIZE) -> None:
    moves, h, y = Moves(ruleset, evaluator()), *np.tril_indices(size + 1, -1)
    found = tabulate(ruleset, evaluator(), parameters, size)
    assert set(found) == {m.choose for m in ruleset.moves}
    for choose, rows in found.items():
        assert len(rows) == count_movers(ruleset)
        for mover, table in enumerate(rows):
            whole = np.zeros((len(parameters), size + 1, size + 1), dtype=bool)
            for move in ruleset.moves:
                if move.choose == choose:
                    whole |= moves.tabulate_single_heap(move, parameters, mover, size)
            np.testing.assert_array_equal(unpack(table, len(parameters)).T, whole[:, h, y])


def written(folder: Path, move: str) -> Ruleset:
    path = folder / "rules.toml"
    path.write_text(TEXT.format(move=move), "utf-8")
    return load_ruleset(path)


CHOICES: list[Parameters] = [(k, D) for k in range(5) for D in ((), (1,), (2, 3), tuple(range(1, 9)))]


@pytest.mark.parametrize("move", MOVES)
def test_a_sweep_finds_what_is_found_one_by_one(move: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep runs in one piece and in pieces of few heaps, with few parameters and with more than a word holds."""
    ruleset = written(tmp_path, move)
    compare(ruleset, CHOICES)
    compare(ruleset, CHOICES * 9)
    compare(ruleset, CHOICES[6:7])
    monkeypatch.setattr(task, "CELLS", 100)
    compare(ruleset, CHOICES)


@pytest.mark.parametrize("move", BAD)
def test_what_cannot_be_played_is_refused(move: str, tmp_path: Path) -> None:
    with pytest.raises(BadRuleset):
        tabulate(written(tmp_path, move), evaluator(), CHOICES, SIZE)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("kl-nim", [(k, l) for k in range(1, 9) for l in range(1, 9)]), ("nim", [()]), ("bash-nim", [(1,), (4,), (9,)])],
)
def test_rulesets_of_the_library(name: str, parameters: list[Parameters]) -> None:
    ruleset = load_ruleset(LIBRARY / "rulesets" / f"{name}.toml")
    assert ruleset.single_heap
    compare(ruleset, parameters, 20)
