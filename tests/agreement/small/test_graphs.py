"""Graphs as lists of edges: reachable vertices, and the routes that refuse them."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest
from claim_texts import HEAD

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import select
from claims.language.syntax.meanings import component, reachable

EDGES = HEAD + '[forall]\nn = "0..5"\n[claim]\nthen = "THEN"\n'


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def settle(text: str) -> ClaimResult:
    Path("claim.toml").write_text(text)
    (entry,) = select(("claim.toml",))
    return settle_entry(entry, Options())


# -- reachable vertices -----------------------------------------------------------------------------------------------
def close(edges: list[tuple[int, int]], vertices: range) -> set[tuple[int, int]]:
    """Return the pairs (a, b) for which a path leads from a to b: Warshall's algorithm."""
    found = {(v, v) for v in vertices} | set(edges)
    for k, a, b in product(vertices, repeat=3):
        if {(a, k), (k, b)} <= found:
            found.add((a, b))
    return found


def test_reachable_vertices_are_those_of_the_transitive_closure() -> None:
    random, vertices = Random(0), range(-1, 6)
    for _ in range(300):
        edges = [(random.choice(vertices), random.choice(vertices)) for _ in range(random.randrange(9))]
        directed, both = close(edges, vertices), close([*edges, *((b, a) for a, b in edges)], vertices)
        for v in vertices:
            assert reachable(edges, v) == tuple(w for w in vertices if (v, w) in directed), (edges, v)
            assert component(edges, v) == tuple(w for w in vertices if (v, w) in both), (edges, v)


@pytest.mark.parametrize(
    ("then", "smallest"),
    [
        ("component([], n) == {n} and reachable({}, n) == {n}", None),
        ("component({(0, 1), (2, 1)}, n) == ({0, 1, 2} if n < 3 else {n})", None),
        ("component([(n, n), (n, 7), (n, 7), (-1, n)], n) == {n, 7, -1}", None),  # a loop, an edge twice
        ("reachable([(n, n), (n, 7), (n, 7), (-1, n)], n) == {n, 7}", None),
        ("len(component([(0, 1), (2, 1), (3, 4), (3, 5)], n)) == 3", None),
        ("len(reachable([(0, 1), (2, 1), (3, 4), (3, 5)], n)) >= 2", 1),  # an edge has a direction
        ("n not in reachable([(0, 1), (1, 2), (2, 3)], 0)", 0),  # v itself is reachable
        ("n == 0 or n not in reachable([(0, 1), (1, 2), (2, 4)], 0) or n < 3", 4),
        ("component([(0, 1), (2, 3), (3, 0)], 1) != component([(0, 3), (1, n), (2, 0)], 2)", 0),
    ],
)
def test_claims_about_paths(then: str, smallest: int | None) -> None:
    result = settle(EDGES.replace("THEN", then))
    if smallest is None:
        assert result.verdict is Verdict.PROVED, result.finding.error  # the scope is every case
    else:
        assert result.verdict is Verdict.REFUTED
        assert result.finding.counterexample.replayed
        assert dict(result.finding.counterexample.variables) == {"n": smallest}


@pytest.mark.parametrize(
    ("then", "reason"),
    [
        ("n in component([(0, 1, 2)], n)", "ill-defined at n = 0: an edge with 3 ends"),
        ("n in reachable([(0, 1), [0, 1, 2][:n]], n)", "ill-defined at n = 0: an edge with 0 ends"),
        ("n in reachable([0, 1], n)", "the pairs of a list c of numbers are [(c[2 * i], c[2 * i + 1])"),
        ("n in component([(1 / 2, 1 / 3)], n)", "component([(a, b), ...], v), with a list of pairs and an Int"),
        ("n in component([(0, 1)], [n])", "component([(a, b), ...], v), with a list of pairs and an Int"),
    ],
)
def test_edges_are_pairs_of_integers(then: str, reason: str) -> None:
    result = settle(EDGES.replace("THEN", then))
    assert result.verdict is Verdict.ERROR
    assert reason in result.finding.error


def test_the_documented_properties_of_graphs() -> None:
    page = (Path(__file__).parents[3] / "docs/claim-language.md").read_text("utf-8")
    rows = dict(
        line.strip("| ").split(" | ")
        for line in page.partition("| property | expression |\n|---|---|\n")[2].partition("\n\n")[0].splitlines()
    )
    connected, number, cyclic, directed, _ = (text.strip("`") for text in rows.values())
    for edges, n, expected in [
        ("[e for e in [(0, 1)] if e[0] > 0]", 1, (True, 1, False, False)),
        ("[(0, 0)]", 1, (True, 1, True, True)),
        ("[(0, 1), (2, 1)]", 3, (True, 1, False, False)),
        ("[(0, 1), (0, 1)]", 2, (True, 1, True, False)),
        ("[(0, 1), (0, 2), (1, 2)]", 4, (False, 2, True, False)),
        ("[(0, 1), (2, 0), (1, 2)]", 4, (False, 2, True, True)),
    ]:
        then = f"[{connected}, {cyclic}, {directed}] == [{expected[0]}, {expected[2]}, {expected[3]}]"
        then += f" and {number} == {expected[1]}"
        result = settle(f'{HEAD}[define]\nn = "{n}"\ng = "{edges}"\n[claim]\nthen = "{then}"\n')
        assert result.verdict is Verdict.PROVED, (edges, result.finding.error)
