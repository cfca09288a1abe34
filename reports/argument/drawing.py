"""The map as a drawing: where each node and each edge of a work's argument stands, in px, ready for a template."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from checks.results.model import ClaimResult
from reports.argument.boxes import Box, fill
from reports.argument.graph import Edge, Graph, Kind
from reports.argument.layout.arrange import Arrangement, arrange
from reports.argument.layout.strands import Line
from reports.argument.paths import Column, Way, make_loop, make_way, place_ports
from reports.argument.words import own_rule

MARGIN = 8.0
GAPS = 22.0, 46.0  # between columns, the least and the most
PIECE = 2.0  # what each line adds to a gap
LEFT, RIGHT = "left", "right"


@dataclass(frozen=True)
class Node:
    """A claim's box. `number`: by which edges name it; `lines`: (text, y); `below`: it stands in place of another.

    `tag`: the rule of a proof of its own that stands for the work's broken one, or "".
    """

    number: int
    claim: ClaimResult
    x: float
    y: float
    width: float
    height: float
    lines: tuple[tuple[str, float], ...]
    below: bool
    tag: str


@dataclass(frozen=True)
class Drawn:
    """An edge with its way. `source`, `target`: numbers of nodes; `replaces`: ours, where the work's is broken."""

    edge: Edge
    source: int
    target: int
    way: Way
    replaces: bool


@dataclass(frozen=True)
class Drawing:
    """All of a map: every claim with an edge is a node, every edge of the graph is drawn once."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    edges: tuple[Drawn, ...]


def draw(graph: Graph) -> Drawing:
    """The drawing of a graph; the same one for the same graph."""
    boxes = {id: box for stack in graph.stacks for id, box in fill(stack, graph.claims).items()}
    stack_of = {id: str(i) for i, stack in enumerate(graph.stacks) for id in stack}
    tall = {stack_of[id]: box.top + box.height for id, box in boxes.items()}  # the last of a stack has the last word
    lines = {edge: _line(edge, boxes, stack_of) for edge in graph.edges}
    found = arrange(tall, list(lines.values()))
    columns = _columns(boxes, stack_of, found)
    broken = {edge.target for edge in graph.edges if edge.kind is Kind.BROKEN}
    nodes = {
        id: _place(number, box, columns[found.layer[stack_of[id]]], MARGIN + found.top[stack_of[id]], id in broken)
        for number, (id, box) in enumerate(boxes.items())
    }
    ways = _find_ways(lines, found, columns, nodes)
    return Drawing(
        width=max((right for _, right in columns), default=0.0) + MARGIN,
        height=max((node.y + node.height for node in nodes.values()), default=0.0) + MARGIN,
        nodes=tuple(nodes.values()),
        edges=tuple(
            Drawn(e, nodes[e.source].number, nodes[e.target].number, way, e.kind is Kind.OURS and e.target in broken)
            for e, way in ways.items()
        ),
    )


def _line(edge: Edge, boxes: Mapping[str, Box], stack_of: Mapping[str, str]) -> Line:
    source, target = edge.source, edge.target
    strand = f"{edge.kind} {stack_of[source]} {boxes[source].top}"
    leaves, enters = boxes[source].middle, boxes[target].middle
    return Line(stack_of[source], stack_of[target], leaves, enters, strand, leads=edge.kind is not Kind.OURS)


def _columns(boxes: Mapping[str, Box], stack_of: Mapping[str, str], found: Arrangement) -> list[Column]:
    """Where each layer begins and ends, as wide as its widest box."""
    wide: dict[int, float] = defaultdict(float)
    for id, box in boxes.items():
        at = found.layer[stack_of[id]]
        wide[at] = max(wide[at], box.width)
    widths = [wide[at] for at in range(max(wide, default=-1) + 1)]
    gaps = [min(GAPS[1], GAPS[0] + PIECE * found.crowd.get(at, 0)) for at in range(len(widths))]
    starts = accumulate((width + gap for width, gap in zip(widths, gaps, strict=True)), initial=MARGIN)
    return [(start, start + width) for start, width in zip(starts, widths, strict=False)]


def _place(number: int, box: Box, column: Column, top: float, broken: bool) -> Node:
    left, right = column
    x, y = left + box.indent, top + box.top
    lines = tuple(box.baselines(top + box.middle))
    tag = own_rule(box.claim) if broken else ""
    return Node(number, box.claim, x, y, right - x, box.height, lines, box.indent > 0, tag)


def _find_ways(
    lines: Mapping[Edge, Line], found: Arrangement, columns: list[Column], nodes: Mapping[str, Node]
) -> dict[Edge, Way]:
    """The way of each edge. What comes in of one kind meets a node in one port, and so does what goes out."""
    bends = {edge: [(columns[at], MARGIN + y) for at, y in found.bends[line]] for edge, line in lines.items()}
    meets: dict[tuple[str, str], dict[Hashable, list[float]]] = defaultdict(lambda: defaultdict(list))
    ends: dict[Edge, tuple[tuple[str, str], tuple[str, str]]] = {}
    for edge, line in lines.items():
        step = found.layer[line.target] - found.layer[line.source]
        ends[edge] = (edge.source, RIGHT if step >= 0 else LEFT), (edge.target, LEFT if step > 0 else RIGHT)
        first, last = (bends[edge][i][1] if bends[edge] else None for i in (0, -1))
        meets[ends[edge][0]]["out", edge.kind].append(_middle(nodes[edge.target]) if first is None else first)
        meets[ends[edge][1]]["in", edge.kind].append(_middle(nodes[edge.source]) if last is None else last)
    ports = {end: place_ports(met, _middle(nodes[end[0]]), nodes[end[0]].height) for end, met in meets.items()}
    ways = {}
    for edge, (out, into) in ends.items():
        start = (_side(nodes, out), ports[out]["out", edge.kind])
        end = (_side(nodes, into), ports[into]["in", edge.kind])
        if out[1] == into[1]:
            ways[edge] = make_loop(start, end)
        else:
            ways[edge] = make_way(start, bends[edge], end, rightwards=out[1] == RIGHT)
    return ways


def _middle(node: Node) -> float:
    return node.y + node.height / 2


def _side(nodes: Mapping[str, Node], end: tuple[str, str]) -> float:
    node = nodes[end[0]]
    return node.x + node.width if end[1] == RIGHT else node.x
