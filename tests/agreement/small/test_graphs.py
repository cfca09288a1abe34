"""Graphs as lists of edges: reachable vertices, and variables that are graphs or rooted trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from pathlib import Path
from random import Random

import pytest
from claim_texts import HEAD

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.receipts.enumeration import list_cases, make_case_key
from checks.referee.judge import Referee
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from checks.results.wording import verdict_phrase
from claims.language.files.library import select
from claims.language.syntax.meanings import component, reachable
from encoders.bounded.encoder import decide_by_smt
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.graphs import list_graphs, list_trees
from encoders.compute.compound.search import CaseEvaluator
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim

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


# -- variables --------------------------------------------------------------------------------------------------------
Edges = tuple[tuple[int, int], ...]
VARIABLES = (
    HEAD
    + """[forall]
n = "NUMBERS"
g = "DOMAIN"
[claim]
then = "THEN"
"""
)


def write(then: str, domain: str, numbers: str = "0..4") -> str:
    return VARIABLES.replace("NUMBERS", numbers).replace("DOMAIN", domain).replace("THEN", then)


def rank(value: tuple) -> tuple[int, int, tuple]:
    return len(value), sum(abs(x) for edge in value for x in (edge if isinstance(edge, tuple) else (edge,))), value


def graphs(vertices: range) -> Iterator[Edges]:
    edges = list(combinations(vertices, 2))
    yield from (graph for number in range(len(edges) + 1) for graph in combinations(edges, number))


def connected_graphs(vertices: range) -> Iterator[Edges]:
    for graph in graphs(vertices):
        pairs = close([*graph, *((b, a) for a, b in graph)], vertices)
        if vertices and len(pairs) == len(vertices) ** 2:
            yield graph


def trees(vertices: range) -> Iterator[tuple[int, ...]]:
    if vertices:
        yield from product(*(range(vertices[0], v) for v in vertices[1:]))


def keep_first(found: Iterator[Edges], vertices: range) -> Iterator[Edges]:
    """Yield the graphs that are the smallest of all graphs with other names of the vertices."""
    orders = [dict(zip(vertices, order, strict=True)) for order in permutations(vertices)]
    for graph in found:
        renamed = (tuple(sorted(tuple(sorted((to[a], to[b]))) for a, b in graph)) for to in orders)
        if min(renamed, key=rank) == graph:
            yield graph


def keep_first_trees(vertices: range) -> Iterator[tuple[int, ...]]:
    """Yield the trees that are the smallest of all trees with other names of the vertices except the root."""
    orders = [{vertices[0]: vertices[0], **dict(zip(vertices[1:], x, strict=True))} for x in permutations(vertices[1:])]
    for tree in trees(vertices):
        edges = [*zip(vertices[1:], tree, strict=True)]
        renamed = (tuple(parent for _, parent in sorted((to[v], to[p]) for v, p in edges)) for to in orders)
        increasing = [x for x in renamed if all(parent < v for v, parent in zip(vertices[1:], x, strict=True))]
        if min(increasing, key=rank) == tree:
            yield tree


@pytest.mark.parametrize(
    ("domain", "values"),
    [
        ("graph on 0..n-1", lambda n: graphs(range(n))),
        ("graph on n..4", lambda n: graphs(range(n, 5))),
        ("connected graph on 1..n", lambda n: connected_graphs(range(1, n + 1))),
        ("graph on 0..n-1 up to isomorphism", lambda n: keep_first(graphs(range(n)), range(n))),
        ("graph on n-3..0 up to isomorphism", lambda n: keep_first(graphs(range(n - 3, 1)), range(n - 3, 1))),
        (
            "connected graph on 0..n up to isomorphism",
            lambda n: keep_first(connected_graphs(range(n + 1)), range(n + 1)),
        ),
        ("rooted tree on 0..n-1", lambda n: trees(range(n))),
        ("rooted tree on 3..n+2", lambda n: trees(range(3, n + 3))),
        ("rooted tree on 0..n up to isomorphism", lambda n: keep_first_trees(range(n + 1))),
    ],
)
def test_the_cases_are_those_of_the_domain_in_order(domain: str, values: Callable[[int], Iterator[tuple]]) -> None:
    Path("claim.toml").write_text(write("n >= 0", domain))
    claim = load_claim(Path("claim.toml"), "claim")
    expected = [{"n": n, "g": g} for n in range(5) for g in sorted(values(n), key=rank)]
    referee = Referee(claim)
    assert list(CaseEvaluator(claim, {}, Deadline(None)).list_cases()) == expected
    again = sorted(list_cases(claim, {}, referee), key=lambda case: make_case_key(claim, case))
    assert again == expected
    assert {referee.judge(case) for case in expected} == {"holds"}


def test_values_outside_the_domain_are_not_cases() -> None:
    for domain, outside in [
        ("graph on 0..n-1", [((0, 0),), ((1, 0),), ((0, 4),), ((0, 1), (0, 1)), ((1, 2), (0, 1)), ((0, 1, 2),)]),
        ("connected graph on 0..n-1", [(), ((0, 1), (2, 3)), ((0, 1), (0, 2), (1, 2))]),
        ("graph on 0..n-1 up to isomorphism", [((0, 2),), ((0, 1), (1, 2)), ((0, 1), (0, 2), (1, 3), (2, 3), (0, 3))]),
        ("rooted tree on 0..n-1", [(), (0, 0), (0, 0, 3), (1, 0, 0), (0, -1, 0), (0, 0, 0, 0)]),
        ("rooted tree on 0..n-1 up to isomorphism", [(0, 0, 2), (0, 1, 0)]),
    ]:
        Path("claim.toml").write_text(write("n >= 0", domain, "4..4"))
        referee = Referee(load_claim(Path("claim.toml"), "claim"))
        assert {referee.judge({"n": 4, "g": g}) for g in outside} == {"outside"}, domain


def test_the_numbers_of_isomorphism_classes() -> None:
    """OEIS A000088, A001349 and A000081. The last is the number of rooted trees with 1, 2, ... vertices."""

    def count(connected: bool, vertices: int) -> int:
        return sum(1 for _ in list_graphs(range(vertices), connected, True, Deadline(None)))

    assert [count(False, n) for n in range(7)] == [1, 1, 2, 4, 11, 34, 156]
    assert [count(True, n) for n in range(7)] == [0, 1, 1, 2, 6, 21, 112]
    found = [sum(1 for _ in list_trees(range(n), True, Deadline(None))) for n in range(9)]
    assert found == [0, 1, 1, 2, 4, 9, 20, 48, 115]


@pytest.mark.parametrize(
    ("then", "domain", "smallest"),
    [
        ("len(component(g, 0)) < 4", "graph on 0..n-1", (4, ((0, 1), (0, 2), (0, 3)))),
        ("(1, 2) not in g or (1, 3) not in g", "graph on 1..n", (3, ((1, 2), (1, 3)))),
        ("len(g) < 1", "graph on 0..n-1", (2, ((0, 1),))),
        ("n != 0", "graph on 0..n-1", (0, ())),
        ("len(g) == n - 1 or n == 0", "connected graph on 0..n-1", (3, ((0, 1), (0, 2), (1, 2)))),
        ("sum(g) < 3", "rooted tree on 0..n-1", (4, (0, 1, 2))),
        ("1 not in g or 0 not in g or len(g) < 3", "rooted tree on 0..n-1", (4, (0, 0, 1))),
        ("len(g) < 3 or g[2] < 4", "rooted tree on 2..n+1", (4, (2, 2, 4))),
        ("len(g) < 3 or g[2] < 4", "rooted tree on 2..n+1 up to isomorphism", (4, (2, 3, 4))),  # (2, 2, 3) is first
        (
            "len(g) != 3 or len(component(g, 0)) == 3",
            "graph on 0..n-1 up to isomorphism",
            (4, ((0, 1), (0, 2), (0, 3))),
        ),
    ],
)
def test_the_smallest_graph_is_found(then: str, domain: str, smallest: tuple) -> None:
    result = settle(write(then, domain))
    assert result.verdict is Verdict.REFUTED, result.finding.error
    assert result.finding.counterexample.replayed
    assert dict(result.finding.counterexample.variables) == dict(zip("ng", smallest, strict=True))


def test_a_claim_about_all_graphs_of_a_size_is_proved() -> None:
    """Every graph with at least two vertices has two vertices of the same degree."""
    then = "len({count(v in e for e in g) for v in range(n)}) < n or n < 2"
    result = settle(write(then, "graph on 0..n-1"))
    assert (result.verdict, result.finding.cases) == (Verdict.PROVED, 1 + 1 + 2 + 8 + 64)


def test_a_claim_up_to_isomorphism_is_only_verified_and_says_so() -> None:
    """The first claim depends on the names of the vertices. It is false for the graph with the edge (1, 2)."""
    for then in ("g == [] or g[0][0] == 0", "len({count(v in e for e in g) for v in range(n)}) < n or n < 2"):
        result = settle(write(then, "graph on 0..n-1 up to isomorphism"))
        assert (result.verdict, result.finding.cases) == (Verdict.VERIFIED, 1 + 1 + 2 + 4 + 11)
        assert verdict_phrase(result) == "verified (every n, every g up to isomorphism; 19 cases)"
        assert result.finding.not_established == "g other than the first graph of each isomorphism class"
    refuted = settle(write("g == [] or g[0][0] == 0", "graph on 0..n-1"))
    assert dict(refuted.finding.counterexample.variables) == {"n": 3, "g": ((1, 2),)}
    missing = settle(write("g == [(1, 2)]", "graph on 0..n-1 up to isomorphism").replace("[forall]", "[exists]"))
    assert missing.verdict is Verdict.INCONCLUSIVE
    found = settle(write("g == [(1, 2)]", "graph on 0..n-1").replace("[forall]", "[exists]"))
    assert verdict_phrase(found) == "proved (by the witness n = 3, g = [[1, 2]])"


@pytest.mark.parametrize(
    ("domain", "reason"),
    [
        ("graph on 0..9", "graphs with 10 vertices; at most 8 are supported"),
        ("graph on 0..999999999", "graphs with 1000000000 vertices; at most 8 are supported"),
        ("graph on 1000000..1000001 up to isomorphism", "beyond 1 000 000"),
        ("rooted tree on 0..11", "more than 3 000 000 rooted trees have 12 vertices"),
        ("rooted tree on 0..10**9", "more than 3 000 000 rooted trees have 1000000001 vertices"),
    ],
)
def test_too_many_graphs_are_a_limit(domain: str, reason: str) -> None:
    result = settle(write("len(g) >= 0", domain))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert reason in result.finding.not_established


def test_an_undefined_bound_is_an_error() -> None:
    result = settle(write("len(g) >= 0", "graph on 0..1 // n"))
    assert result.verdict is Verdict.ERROR
    assert "the domain graph on 0..1 // n of g is ill-defined" in result.finding.error


def test_no_other_route_takes_such_a_claim() -> None:
    path = Path("claim.toml")
    for domain in ("graph on 0..n-1", "rooted tree on 0..n-1"):
        path.write_text(write("n >= 0", domain) + '[proof]\nrule = "arithmetic"\n')
        claim = load_claim(path, "claim")
        assert "it has variables that are lists" in claim.unusual
        assert decide_by_smt(claim, {}).decision is Decision.UNSUPPORTED
        assert prove(claim).decision is Decision.UNSUPPORTED


# -- games on graphs --------------------------------------------------------------------------------------------------
TOKEN = """format = 1
title = "A token that moves once"
players = ["A", "B"]
parameters = { k = "0..", E = "list" }
stuck = "loses"
measure = "sum(1 + h.v for h in s)"
[heap]
v = "0.."
[[moves]]
choose = "any heap h"
where = "k in E and h.v == 7"
become = [{ v = "0" }]
"""
ARGUMENTS = (
    HEAD
    + """ruleset = 'token(k = 1, E = [v for e in path for v in e])'
[forall]
n = "0..3"
[define]
path = "[(i, i + 1) for i in range(n)]"
k = "n // 2"
[claim]
then = "iff(wins(position([heap(7)])), n >= 1)"
"""
)


@pytest.mark.parametrize(
    "before", ["k = 1, E = [v for e in path for v in e]", "E = [v for e in path for v in e]", "E = [1]"]
)
def test_an_argument_of_a_game_may_call_a_definition_that_uses_a_variable(before: str) -> None:
    """Once, the engine used the game of the first case at all cases."""
    Path("token.toml").write_text(TOKEN)
    text = ARGUMENTS.replace("k = 1, E = [v for e in path for v in e]", before, 1)
    right = text if before != "E = [1]" else text.replace("n >= 1)", "n in [2, 3])")
    result = settle(right)
    assert result.verdict is Verdict.PROVED, (result.finding.error, result.finding.not_established)
    claim = load_claim(Path("claim.toml"), "claim")
    assert CaseEvaluator(claim, {}, Deadline(None)).find_only_game() is None
    wrong = settle(right.replace("then = ", 'if = "n != 2"\nthen = ').replace("iff(", "not iff("))
    assert dict(wrong.finding.counterexample.variables) == {"n": 0}
