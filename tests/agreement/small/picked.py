"""Rulesets of one kind of move, written from its parts, and the moves that the engine finds."""

from pathlib import Path

import numpy as np

from claims.language.statement.rulesets import Ruleset, load_ruleset
from encoders.exhaustive.arrays.limits import Clock
from encoders.exhaustive.arrays.positions import Pool, PositionSet
from encoders.exhaustive.evaluate.evaluate import FrameEvaluator
from encoders.exhaustive.moves.moves import Moves


def write(folder: Path, choose: str, pick: str, where: str, become: str) -> Ruleset:
    """`pick`: as in `pick = { ... }`, or what m is picked from; `become`: parted by semicolons."""
    left = ", ".join(f'"{x.strip()}"' for x in become.split(";"))
    picks = pick if "=" in pick else f'm = "{pick}"'
    text = f'[[moves]]\nchoose = "{choose}"\npick = {{ {picks} }}\nwhere = "{where}"\nbecome = [{left}]\n'
    path = folder / "rules.toml"
    path.write_text(f'format = 1\ntitle = "t"\nplayers = ["A", "B"]\nstuck = "loses"\n{text}')
    return load_ruleset(path)


def make_moves(ruleset: Ruleset, heaps: int, size: int) -> tuple[Moves, Pool]:
    """The moves of the ruleset, and all positions of so many heaps of that size."""
    pool = Pool(PositionSet.box(heaps, size))
    return Moves(ruleset, FrameEvaluator(pool, Clock(None), {})), pool


def list_options(ruleset: Ruleset, heaps: int = 2, size: int = 9) -> dict[tuple[int, ...], set[tuple[int, ...]]]:
    """The options of all these positions."""
    moves, pool = make_moves(ruleset, heaps, size)
    sources, options = moves.list_options(pool.rows, np.arange(len(pool)), (), 0)
    found: dict[tuple[int, ...], set[tuple[int, ...]]] = {pool.heaps(i): set() for i in range(len(pool))}
    for source, option in zip(sources.tolist(), options.tolist(), strict=True):
        found[pool.heaps(source)].add(tuple(h for h in option if h))
    return found
