"""Counterexamples that the engines find in a second, and the referee replays in tens of millions of steps."""

from functools import cache
from pathlib import Path

import pytest
from claim_texts import HEAD
from settling import settle_whole

from checks.judgement.scopes import Options
from checks.results.verdicts import Verdict
from claims.language.files.library import select

SIM = """format = 1
title = "Sim: who completes a triangle of his own loses"
players = ["A", "B"]
parameters = { triangles = "list" }
stuck = "loses"
measure = "sum(count(x == 0 for x in h.edges) for h in s)"
[heap]
edges = "list of 0..2"
[[moves]]
choose = "any heap h"
pick = { e = "{e for e in range(len(h.edges)) if h.edges[e] == 0}" }
where = "WHERE"
become = [{ edges = "put(h.edges, e, 1 if mover == A else 2)" }]
""".replace(
    "WHERE",
    "all(e not in {triangles[3 * t + i] for i in range(3)} or any(h.edges[triangles[3 * t + i]] != "
    "(1 if mover == A else 2) for i in range(3) if triangles[3 * t + i] != e) for t in range(len(triangles) // 3))",
)
CLAIM = """ruleset = "sim(triangles = {})"
[claim]
then = "wins(position([heap([0 for i in range({})])]), A)"
"""


def number_triangles(points: int) -> tuple[list[int], int]:
    """Return the edges of each triangle of a complete graph, as numbers, and the number of edges."""
    edges = {pair: i for i, pair in enumerate((a, b) for a in range(points) for b in range(a + 1, points))}
    corners = [(a, b, c) for a, b in edges for c in range(b + 1, points)]
    return [edges[pair] for a, b, c in corners for pair in ((a, b), (a, c), (b, c))], len(edges)


def first_wins(triangles: list[int], edges: int) -> bool:
    """Return whether the first player wins Sim, in plain Python: colours by edge, 0 for none."""
    corners = [set(triangles[i : i + 3]) for i in range(0, len(triangles), 3)]

    @cache
    def wins(colours: tuple[int, ...], mover: int) -> bool:
        own = {e for e, colour in enumerate(colours) if colour == mover}
        free = [e for e, colour in enumerate(colours) if not colour and not any(x <= own | {e} for x in corners)]
        return any(not wins((*colours[:e], mover, *colours[e + 1 :]), 3 - mover) for e in free)

    return wins((0,) * edges, 1)


@pytest.mark.parametrize("points", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_who_wins_sim(points: int, tmp_path: Path) -> None:
    triangles, edges = number_triangles(points)
    (tmp_path / "sim.toml").write_text(SIM, "utf-8")
    (tmp_path / "claim.toml").write_text(HEAD + CLAIM.format(triangles, edges), "utf-8")
    found = settle_whole(select((str(tmp_path / "claim.toml"),))[0], Options())
    expected = Verdict.PROVED if first_wins(triangles, edges) else Verdict.REFUTED
    assert found.verdict is expected, found.finding.not_established
