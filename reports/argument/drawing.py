"""The map as a drawing: where each node and each edge of a work's argument stands, in px, ready for a template."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from checks.results.model import ClaimResult
from reports.argument.boxes import StatementBox, fill
from reports.argument.graph import ArgumentGraph, Edge, EdgeKind
from reports.argument.layout.arrange import GraphPart, arrange
from reports.argument.layout.strands import EdgeLine
from reports.argument.paths import PAGE, EdgePath, PartFrame, Side, find_ways, frame, put_on_shelves
from reports.argument.words import own_rule
from reports.ground.wording import PROOFS

MARGIN = 8.0
LEAST_SCALE = 0.84  # as much smaller may a map be made for it to fit


@dataclass(frozen=True)
class DrawnNode:
    """A claim's box. `number`: by which edges name it; `lines`: (text, y); `below`: it stands in place of another.

    `over`: the number of what it stands under, or -1; `indent`: how far it is from the left edge of the stack.  `tag`:
    in a word the proof of its own that stands for the broken one of the work, or "".
    """

    number: int
    claim: ClaimResult
    x: float
    y: float
    width: float
    height: float
    lines: tuple[tuple[str, float], ...]
    below: bool
    indent: float
    over: int
    tag: str


@dataclass(frozen=True)
class DrawnEdge:
    """An edge with its way. `source`, `target`: numbers of nodes; `replaces`: ours, where the work's is broken."""

    edge: Edge
    source: int
    target: int
    way: EdgePath
    replaces: bool


@dataclass(frozen=True)
class Drawing:
    """All of a map: every claim with an edge is a node, every edge of the graph that is to be drawn is once."""

    width: float
    height: float
    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]

    @property
    def shrinks(self) -> bool:
        """Whether it is so little wider than the page that it is better made smaller than scrolled."""
        return PAGE + 2 * MARGIN < self.width <= PAGE / LEAST_SCALE


def draw(graph: ArgumentGraph) -> Drawing:
    """The drawing of a graph; the same one for the same graph."""
    broken = {edge.target for edge in graph.edges if edge.kind is EdgeKind.BROKEN}
    tags = {id: PROOFS.get(own_rule(graph.claims[id]), ("", ""))[0] for id in broken}
    tagged = {id for id, tag in tags.items() if tag}
    boxes = {id: box for stack in graph.stacks for id, box in fill(stack, graph.claims, graph.steps, tagged).items()}
    stack_of = {id: str(i) for i, stack in enumerate(graph.stacks) for id in stack}
    tall = {stack_of[id]: box.top + box.height for id, box in boxes.items()}  # the last of a stack has the last word
    lines = {edge: _line(edge, boxes, stack_of) for edge in graph.drawn}
    numbers = {id: number for number, id in enumerate(boxes)}
    parts = list(arrange(tall, list(lines.values())))
    frames = [_frame(part, boxes, stack_of, tall) for part in parts]
    nodes: dict[str, DrawnNode] = {}
    ways: dict[Edge, EdgePath] = {}
    for part, own, (x, y) in zip(parts, frames, put_on_shelves(frames), strict=True):
        columns = [(MARGIN + x + left, MARGIN + x + right) for left, right in own.columns]
        y += MARGIN - min(_tops(part))
        for number, (id, box) in enumerate(boxes.items()):
            if (stack := stack_of[id]) in part.layer:
                column, top = columns[part.layer[stack]], y + part.top[stack] + box.top
                over = numbers.get(graph.find_over(id), -1)
                nodes[id] = _place(number, box, column, top, over, tags.get(id, ""))
        inside = {edge: line for edge, line in lines.items() if line.source in part.layer}
        bends = {edge: [(columns[at], y + height) for at, height in part.bends[line]] for edge, line in inside.items()}
        steps = {edge: part.layer[line.target] - part.layer[line.source] for edge, line in inside.items()}
        ways |= find_ways(bends, steps, {id: _side(node) for id, node in nodes.items()})
    right = max((node.x + node.width for node in nodes.values()), default=0.0)
    bottom = max((y + own.height for own, (_, y) in zip(frames, put_on_shelves(frames), strict=True)), default=0.0)
    return Drawing(
        width=right + MARGIN,
        height=bottom + 2 * MARGIN,
        nodes=tuple(sorted(nodes.values(), key=lambda node: node.number)),
        edges=tuple(
            DrawnEdge(
                e,
                nodes[e.source].number,
                nodes[e.target].number,
                ways[e],
                e.kind is EdgeKind.OURS and e.target in broken,
            )
            for e in graph.drawn
        ),
    )


def _line(edge: Edge, boxes: Mapping[str, StatementBox], stack_of: Mapping[str, str]) -> EdgeLine:
    source, target = edge.source, edge.target
    strand = f"{edge.kind} {stack_of[source]} {boxes[source].top}"
    leaves, enters = boxes[source].middle, boxes[target].middle
    return EdgeLine(stack_of[source], stack_of[target], leaves, enters, strand, leads=edge.kind is not EdgeKind.OURS)


def _frame(
    part: GraphPart, boxes: Mapping[str, StatementBox], stack_of: Mapping[str, str], tall: Mapping[str, float]
) -> PartFrame:
    """The columns of a part, each as wide as its widest box, and its height."""
    wide: dict[int, float] = defaultdict(float)
    for id, box in boxes.items():
        if (at := part.layer.get(stack_of[id])) is not None:
            wide[at] = max(wide[at], box.width)
    bottom = max(*(top + tall[node] for node, top in part.top.items()), *_tops(part))
    return frame([wide[at] for at in range(len(wide))], part.crowd, bottom - min(_tops(part)))


def _tops(part: GraphPart) -> list[float]:
    """The heights of all that has a place in a part, bends included."""
    return [*part.top.values(), *(height for bends in part.bends.values() for _, height in bends)]


def _place(number: int, box: StatementBox, column: tuple[float, float], top: float, over: int, tag: str) -> DrawnNode:
    left, right = column
    x = left + box.indent
    lines = tuple(box.baselines(top + box.height / 2))
    return DrawnNode(number, box.claim, x, top, right - x, box.height, lines, box.instead, box.indent, over, tag)


def _side(node: DrawnNode) -> Side:
    return Side(node.x - node.indent, node.x, node.x + node.width, node.y + node.height / 2, node.height)
