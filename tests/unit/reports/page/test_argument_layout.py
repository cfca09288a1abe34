"""Layouts of random arguments: nothing overlaps, premises are on the left, and the result is reproducible."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from arguments import small_run
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import BARE, alter

from checks.results.model import ClaimResult, RunResult
from checks.results.verdicts import Verdict
from reports.model.digest import make_view
from reports.page.map_drawing import Drawing, DrawnEdge, DrawnNode, draw, make_way, measure
from reports.page.map_graph import ArgumentGraph, EdgeKind, make_graph
from reports.page.map_layout import EdgeLine, choose_layers, count_crossings, is_bend, reduce_crossings, split_edges

WORDS = st.lists(st.sampled_from(["Lemma", "11,", "x", "Theorem", "(B.1.2)", "misère", "定理"]), max_size=4)


@st.composite
def arguments(draw_one: st.DrawFn, cyclic: bool = False) -> tuple[ClaimResult, ...]:
    """Return claims that rest on earlier ones, or on any if `cyclic`.

    Their proofs may use any others. Some claims repair others, and some are steps in the proofs of others.
    """
    count = draw_one(st.integers(0, 12))
    found: list[ClaimResult] = []
    for i in range(count):
        some = st.lists(st.integers(0, (count if cyclic else i) - 1), max_size=4) if cyclic or i else st.just([])
        any_ = st.lists(st.integers(0, count - 1), max_size=2)
        repaired = draw_one(st.sampled_from([None, None, None, *range(i)]))
        step_of = draw_one(st.sampled_from([None, None, None, *range(count)]))
        found.append(
            alter(
                BARE,
                id=f"c {i}",
                short=" ".join(draw_one(WORDS))[:28],
                locator=f"Statement {i}" if step_of is None else f"Proof of Statement {step_of}, line {i}",
                role="conjecture" if step_of is None else "step",
                uses=tuple(f"c {j}" for j in draw_one(some)),
                proof_uses=tuple(f"c {j}" for j in draw_one(any_)),
                repairs="" if repaired is None else f"c {repaired}",
                verdict=draw_one(st.sampled_from([Verdict.PROVED, Verdict.REFUTED, Verdict.INCONCLUSIVE])),
            )
        )
    return tuple(found)


def make(claims: tuple[ClaimResult, ...]) -> tuple[ArgumentGraph, Drawing]:
    run = RunResult("0", "quick", claims)
    view = make_view(run)
    graph = make_graph(view.groups[0], view) if view.groups else ArgumentGraph({}, (), (), (), (), ())
    return graph, draw(graph)


def overlap(a: DrawnNode, b: DrawnNode) -> bool:
    across = a.x < b.x + b.width and b.x < a.x + a.width
    return across and a.y < b.y + b.height and b.y < a.y + a.height


@settings(max_examples=settings().max_examples // 4, deadline=None)
@given(arguments(cyclic=True))
@pytest.mark.slow
def test_nodes_do_not_overlap_and_lie_within_the_drawing(claims: tuple[ClaimResult, ...]) -> None:
    _, drawing = make(claims)
    for a, b in combinations(drawing.nodes, 2):
        assert not overlap(a, b), (a, b)
    for node in drawing.nodes:
        assert node.x > 0
        assert node.x + node.width < drawing.width
        assert node.y > 0
        assert node.y + node.height < drawing.height
        assert max(measure(line) for line, _ in node.lines) < node.width


@settings(max_examples=settings().max_examples // 4, deadline=None)
@given(arguments())
@pytest.mark.slow
def test_what_is_used_stands_left_of_what_uses_it(claims: tuple[ClaimResult, ...]) -> None:
    graph, drawing = make(claims)
    stack_of = {id: i for i, stack in enumerate(graph.stacks) for id in stack}
    joined = [(stack_of[e.source], stack_of[e.target]) for e in graph.edges if e.kind is not EdgeKind.OURS]
    acyclic = not _has_cycle(joined)  # claims in one stack may close a cycle that no claim closes
    for drawn in drawing.edges:
        source, target = drawing.nodes[drawn.source], drawing.nodes[drawn.target]
        inside = stack_of[drawn.edge.source] == stack_of[drawn.edge.target]
        if acyclic and drawn.edge.kind is not EdgeKind.OURS and not inside:
            assert source.x + source.width < target.x


def _has_cycle(pairs: list[tuple[int, int]]) -> bool:
    left = {(a, b) for a, b in pairs if a != b}
    while free := {p for p in left if not any(b == p[0] for _, b in left)}:
        left -= free
    return bool(left)


@settings(max_examples=settings().max_examples // 4, deadline=None)
@given(arguments(cyclic=True))
@pytest.mark.slow
def test_every_edge_is_drawn_once_and_alike_every_time(claims: tuple[ClaimResult, ...]) -> None:
    graph, drawing = make(claims)
    expected = {(id, c.id, EdgeKind.OURS) for c in claims for id in c.statement.proof_uses}
    refuted = {c.id for c in claims if c.verdict is Verdict.REFUTED}
    expected |= {
        (id, c.id, EdgeKind.BROKEN if id in refuted else EdgeKind.SOUND) for c in claims for id in c.statement.uses
    }
    stack_of = {id: i for i, stack in enumerate(graph.stacks) for id in stack}
    expected = {(a, b, kind) for a, b, kind in expected if a == b or stack_of[a] != stack_of[b]}
    found = Counter((d.edge.source, d.edge.target, d.edge.kind) for d in drawing.edges)
    assert found == Counter(expected)
    assert all(drawing.nodes[d.source].claim.id == d.edge.source for d in drawing.edges)
    assert all(drawing.nodes[d.target].claim.id == d.edge.target for d in drawing.edges)
    assert make(claims) == (graph, drawing)


@settings(max_examples=settings().max_examples // 4, deadline=None)
@given(arguments(cyclic=True))
@pytest.mark.slow
def test_no_edge_runs_through_a_node(claims: tuple[ClaimResult, ...]) -> None:
    _, drawing = make(claims)
    for drawn in drawing.edges:
        for x, y in points(drawn):
            for node in drawing.nodes:
                inside = node.x + 0.2 < x < node.x + node.width - 0.2 and node.y + 0.2 < y < node.y + node.height - 0.2
                assert not inside, (drawn, node)


def test_ways_to_and_from_what_is_indented_are_straight_where_another_node_may_be_near() -> None:
    assert make_way((80.0, 0.0), [], (112.0, 300.0), 100.0, True).line == "M80 0C90 0 90 300 100 300H106"
    assert make_way((112.0, 300.0), [], (80.0, 0.0), 100.0, False).line == "M112 300H100C93 300 93 0 86 0"
    assert make_way((80.0, 7.0), [], (100.0, 7.0), 100.0, True).line == "M80 7H94"


def points(drawn: DrawnEdge) -> Iterator[tuple[float, float]]:
    """Yield points along the line of an edge, at a small distance."""
    x = y = 0.0
    for letter, text in re.findall(r"([MCH])([^MCH]*)", drawn.way.line):
        values = [float(number) for number in text.split()]
        ends = [(x, y), *zip(values[::2], values[1::2], strict=False)] if letter != "H" else [(x, y), (values[0], y)]
        for i in range(41):
            t = i / 40
            if len(ends) == 4:
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
                at = [sum(w * p[axis] for w, p in zip(weights, ends, strict=True)) for axis in (0, 1)]
                yield at[0], at[1]
            elif len(ends) == 2 and letter == "H":
                yield (x + t * (values[0] - x), y)
        x, y = ends[-1]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25))
@pytest.mark.slow
def test_orders_do_not_get_worse(pairs: list[tuple[int, int]]) -> None:
    edges = [(str(a), str(b)) for a, b in pairs if a < b]
    layers = choose_layers([str(i) for i in range(10)], edges)
    strands = split_edges(layers, [EdgeLine(a, b, 0.0, 0.0, f"{i} x") for i, (a, b) in enumerate(edges)])
    found = reduce_crossings(strands)
    assert [sorted(layer) for layer in found] == [sorted(layer) for layer in strands.layers]
    assert count_crossings(found, strands.pieces) <= count_crossings(strands.layers, strands.pieces)
    assert all(strands.layer_of[p.right] == strands.layer_of[p.left] + 1 for p in strands.pieces)
    assert sum(len(bends) for bends in strands.bends.values()) >= sum(map(is_bend, strands.layer_of))


def test_crossings_that_can_be_avoided_are() -> None:
    edges = [(a, b) for a, b in ("ax", "by", "cz", "az")]
    layers = choose_layers(list("cbazyx"), edges)
    strands = split_edges(layers, [EdgeLine(a, b, 0.0, 0.0, a) for a, b in edges])
    scrambled = replace(strands, layers=(("a", "b", "c"), ("z", "y", "x")))
    assert count_crossings(scrambled.layers, scrambled.pieces) == 3
    assert count_crossings(reduce_crossings(scrambled), scrambled.pieces) == 0


@pytest.mark.parametrize(
    ("nodes", "edges", "layers"),
    [
        ("", "", {}),
        ("a", "", {"a": 0}),
        ("abc", "ab bc ac", {"a": 0, "b": 1, "c": 2}),
        ("abcd", "ab bc dc", {"a": 0, "b": 1, "c": 2, "d": 1}),  # d moves right, next to the claim that uses it
        ("ab", "ab ba", {"a": 0, "b": 1}),
        ("abc", "ab bc cb", {"a": 0, "b": 1, "c": 2}),  # the edge that closes the cycle does not count
        ("a", "aa", {"a": 0}),
    ],
)
def test_layers(nodes: str, edges: str, layers: dict[str, int]) -> None:
    assert choose_layers(list(nodes), [(a, b) for a, b in edges.split()]) == layers


def test_what_only_our_proofs_join_stands_beside_what_they_use() -> None:
    assert choose_layers(list("abxyz"), [("a", "b")], [("b", "x"), ("x", "y"), ("z", "a")]) == {
        "z": 0,
        "a": 1,
        "b": 2,
        "x": 3,
        "y": 4,
    }


@pytest.mark.slow
def test_a_large_argument_takes_no_long() -> None:
    uses = {chr(0x4E00 + i): "".join(chr(0x4E00 + j) for j in {i * 7 // 9, i * 5 // 8} if j < i) for i in range(200)}
    view = make_view(small_run(uses))
    assert len(draw(make_graph(view.groups[0], view)).nodes) == 200
