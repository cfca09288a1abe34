"""The map of a work's argument as a drawing: a box for each statement, and a curve to each statement that uses it.

All lengths are in px. A *stack* is a statement drawn above its corrections and the steps of its proof. A *part* is a
connected part of the graph of stacks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

from checks.results.model import ClaimResult
from checks.results.wording import PROOFS, name
from claims.language.errors import describe_circle, escape_invisible
from reports.model.digest import Group, ReportView
from reports.page.map_graph import (
    ArgumentGraph,
    Edge,
    EdgeKind,
    NodeEntry,
    SurvivingClaim,
    list_edges,
    list_standing,
    make_graph,
    own_rule,
)
from reports.page.map_layout import EdgeLine, GraphPart, arrange

# == boxes ============================================================================================================
# The boxes of statements: their texts, their sizes, and their places within a stack.
# -- labels -----------------------------------------------------------------------------------------------------------
# The text of a node: a short name in lines that fit. Widths are those of letters of a sans serif.


SIZE = 11.0  # the size of the letters in px


LONGEST = 28  # the most characters of a name


COMMA = 30.0  # px that a line break after a comma may cost


_NARROW, _WIDE = set("iljtfrI.,:;'()|![] "), set("mwMWGOQC@%—…")


def short_name(claim: ClaimResult) -> str:
    """Return a name of a claim with at most LONGEST characters: its short name or its name, cut if necessary."""
    text = " ".join(escape_invisible(claim.statement.short or name(claim)).split()) or "?"
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def name_below(claim: ClaimResult, above: ClaimResult) -> str:
    """Return the label of a claim that is drawn below the claim `above`, of which it is a correction or a step.

    The label is its short name without the name of `above`: "Lemma 3, step 2" below "Lemma 3" gives "step 2".
    """
    own, other = short_name(claim), short_name(above)
    return own.removeprefix(other + ", ").removesuffix(" in " + other) if claim.statement.short else own


def wrap(text: str, width: float) -> tuple[str, ...]:
    """Return a text as one line, or as two lines if it is wider than `width` px.

    The break between the lines is at a space, preferably after a comma, so that the longer line is short.
    """
    words = text.split(" ")
    if measure(text) <= width or len(words) == 1:
        return (text,)
    ways = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(ways, key=lambda way: max(map(measure, way)) - (COMMA if way[0].endswith(",") else 0.0))


def measure(text: str) -> float:
    """Return an estimate of the width of a text in px. Each Chinese or Japanese character counts as a square."""
    return sum(_width(c) for c in text) * SIZE


def _width(letter: str) -> float:
    if ord(letter) > 0x2E00:
        return 1.0
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE or (letter.isupper() and ord(letter) > 0x7F):
        return 0.86
    return 0.7 if letter.isupper() else 0.6


# -- boxes ------------------------------------------------------------------------------------------------------------
TEXT, TEXT_BELOW = 68.0, 84.0  # px: a wider name is broken between words


SIGN, AFTER = 21.0, 7.0  # from the left edge to the text, from the text to the right edge


HEIGHTS = {1: 27.0, 2: 39.0}  # by lines


LEADING = 13.0


INDENT, BELOW = 12.0, 5.0  # px, of a correction or a step below its statement


TAG = 6.0  # px above a box for the tag on its upper edge


@dataclass(frozen=True)
class StatementBox:
    """The box of a claim within its stack, before the stack has a place on the map.

    `top`, `indent`: the distances of the box from the top and from the left edge of its stack.
    `lines`: the text in the box.
    `instead`: whether the claim is a correction.
    """

    claim: ClaimResult
    top: float
    indent: float
    lines: tuple[str, ...]
    instead: bool = False

    @property
    def height(self) -> float:
        return HEIGHTS[len(self.lines)]

    @property
    def middle(self) -> float:
        """The distance from the top of the stack to the horizontal middle line of the box."""
        return self.top + self.height / 2

    @property
    def width(self) -> float:
        """The width that the stack needs for this box: the indent and the width of the box."""
        return self.indent + SIGN + max(map(measure, self.lines)) + AFTER

    def baselines(self, middle: float) -> Iterator[tuple[str, float]]:
        """Yield pairs (line of text, y of its baseline). `middle`: the y of the middle of the box."""
        first = middle + SIZE * 0.36 - (len(self.lines) - 1) * LEADING / 2
        return ((line, first + i * LEADING) for i, line in enumerate(self.lines))


def fill(
    stack: tuple[str, ...],
    claims: Mapping[str, ClaimResult],
    steps: Mapping[str, str],
    tagged: Collection[str] = (),
) -> dict[str, StatementBox]:
    """Return the boxes of a stack by the ids of their claims, in order from the top.

    `stack`: the ids of a statement, of its corrections and of the steps of its proof.
    `steps`: maps the id of a step to the id of the statement whose proof contains it.
    `tagged`: the ids of claims with a tag above their box, which needs additional space.
    """
    found: dict[str, StatementBox] = {}
    top = 0.0
    for id in stack:
        claim = claims[id]
        over = steps.get(id) or claim.statement.repairs
        text = name_below(claim, claims[over]) if found and over in claims else short_name(claim)
        top += TAG if found and id in tagged else 0.0
        indent = found[over].indent + INDENT if over in found else INDENT if found else 0.0
        found[id] = StatementBox(
            claim, top, indent, wrap(text, TEXT_BELOW if found else TEXT), found != {} and id not in steps
        )
        top += found[id].height + BELOW
    return found


# == paths ============================================================================================================
# The paths of edges: curves between columns, straight lines across them, and ports where several meet a node.
# -- frames -----------------------------------------------------------------------------------------------------------
# Frames: the widths of the columns of a part and of the gaps between them, and the places of parts on the page.


PAGE = 945.0  # the width in px that a map should have


BESIDE, EDGE_BELOW = 56.0, 30.0  # px between parts, side by side and one below the other


CLOSE = (20.0, 1.3, 34.0)  # a narrow gap in px: least width, addition for each line in it, greatest width


WIDE = (30.0, 4.0, 84.0)  # a wide gap


Column = tuple[float, float]  # left and right end in px


@dataclass(frozen=True)
class PartFrame:
    """The outline of a part of the map: its columns, the first of which begins at x = 0, and its height."""

    columns: tuple[Column, ...]
    height: float

    @property
    def width(self) -> float:
        return self.columns[-1][1]


def frame(widths: Sequence[float], crowd: Sequence[int], height: float) -> PartFrame:
    """Return the outline of a part with columns of these widths. The gaps between them are as wide as the page allows.

    `crowd`: for each gap, the number of lines that cross it. The more lines cross a gap, the wider it may be.
    """
    close, wide = ([_gap(size, n) for n in crowd[: len(widths) - 1]] for size in (CLOSE, WIDE))
    room = PAGE - sum(widths) - sum(close)
    share = min(1.0, max(0.0, room / (sum(wide) - sum(close)))) if close else 0.0
    columns, x = [], 0.0
    for i, width in enumerate(widths):
        columns.append((x, x + width))
        if i < len(close):
            x += width + close[i] + share * (wide[i] - close[i])
    return PartFrame(tuple(columns), height)


def _gap(size: tuple[float, float, float], lines: int) -> float:
    least, each, most = size
    return min(most, least + each * lines)


def put_on_shelves(frames: Iterable[PartFrame]) -> Iterator[tuple[float, float]]:
    """Yield the place (left, top) of each part.

    Parts are placed in rows from left to right. A part that would exceed the width of the page begins a new row.
    """
    x = y = high = 0.0
    for part in frames:
        if x and x + part.width > PAGE:
            x, y, high = 0.0, y + high + EDGE_BELOW, 0.0
        yield x, y
        x += part.width + BESIDE
        high = max(high, part.height)


# -- paths ------------------------------------------------------------------------------------------------------------
APART = 8.0  # px between ports


HEAD = 6.0  # the length of the head of an arrow


CROSS = 3.5  # half the width of a cross


LOOP = 22.0  # how far a path between nodes of one column swings out


Point = tuple[float, float]


Bends = Sequence[tuple[Column, float]]


End = tuple[str, bool]  # a node, and whether it is its right side


@dataclass(frozen=True)
class EdgePath:
    """The SVG path data of an edge: its line, the head of its arrow, and a cross on the line.

    The cross marks a published proof that uses a refuted claim. It is "" for other edges.
    """

    line: str
    head: str
    cross: str


@dataclass(frozen=True)
class Side:
    """The place of a box, at which its edges begin and end.

    `left`, `right`: the x of its two sides. `middle`: the y of its middle. `height`: its height.
    `column`: the x at which the column of the box begins. The box itself may be indented.
    """

    column: float
    left: float
    right: float
    middle: float
    height: float


def find_ways(
    bends: Mapping[Edge, Bends], steps: Mapping[Edge, int], sides: Mapping[str, Side]
) -> dict[Edge, EdgePath]:
    """Return the path of each edge.

    `bends`: for each edge, the columns that it crosses between its two boxes, with the y at which it crosses each.
    `steps`: for each edge, the number of columns from its source to its target; negative if the target is on the left.
    `sides`: the places of the boxes, by the ids of the claims.
    All edges of one kind that leave one side of a box begin at the same point. Those that enter it end at one point.
    """
    ends: dict[Edge, tuple[End, End]] = {e: ((e.source, n >= 0), (e.target, n <= 0)) for e, n in steps.items()}
    meets: dict[End, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for edge, (out, into) in ends.items():
        passed = [y for _, y in bends[edge]]
        meets[out][f"out {edge.kind}"].append(passed[0] if passed else sides[edge.target].middle)
        meets[into][f"in {edge.kind}"].append(passed[-1] if passed else sides[edge.source].middle)
    ports = {end: place_ports(met, sides[end[0]]) for end, met in meets.items()}
    ways = {}
    for edge, (out, into) in ends.items():
        start, end = (
            (sides[id].right if right else sides[id].left, ports[id, right][f"{way} {edge.kind}"])
            for way, (id, right) in (("out", out), ("in", into))
        )
        if steps[edge]:
            column = sides[edge.target if steps[edge] > 0 else edge.source].column
            way = make_way(start, bends[edge], end, column, steps[edge] > 0)
        else:
            way = make_loop(start, end)
        ways[edge] = way if edge.kind is EdgeKind.BROKEN else replace(way, cross="")
    return ways


def place_ports(met: Mapping[str, Sequence[float]], side: Side) -> dict[str, float]:
    """Return the y of each point at which edges meet one side of a box.

    `met`: for each point, the y values to which its edges lead. The points have the order of the means of these values,
    so that edges rarely cross near the box.
    """
    order = sorted(met, key=lambda key: (fmean(met[key]), key))
    step = min(APART, (side.height - 8.0) / max(1, len(order) - 1))
    first = side.middle - step * (len(order) - 1) / 2
    return {key: first + i * step for i, key in enumerate(order)}


def make_way(start: Point, bends: Bends, end: Point, column: float, rightwards: bool) -> EdgePath:
    """Return the path from `start`, on a side of one box, to `end`, on a side of a box in another column.

    The path is horizontal where it crosses a column, and curved between columns.
    `bends`: the columns that it crosses, with the y at which it crosses each.
    `column`: the x at which the column of the right box begins. The box itself may be indented.
    """
    sign = 1 if rightwards else -1
    tip = (end[0] - sign * HEAD, end[1])
    points = [start]
    if not rightwards and start[0] > column:
        points.append((column, start[1]))
    for (left, right), y in bends:
        points += [(left, y), (right, y)] if rightwards else [(right, y), (left, y)]
    if rightwards and tip[0] > column:
        points.append((column, end[1]))
    points.append(tip)
    data = [f"M{_n(start[0])} {_n(start[1])}"]
    curves = []
    for a, b in pairwise(points):
        straight = a[1] == b[1]
        data.append(f"H{_n(b[0])}" if straight else _curve(a, b))
        curves += [] if straight else [(a, b)]
    a, b = curves[-1] if curves else points[-2:]
    return EdgePath("".join(data), _head(end, sign), _cross(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)))


def make_loop(start: Point, end: Point) -> EdgePath:
    """Return the path between the right sides of two boxes in one column, or from a box to itself."""
    tip = (end[0] + HEAD, end[1])
    out = max(start[0], end[0]) + LOOP
    line = f"M{_n(start[0])} {_n(start[1])}C{_n(out)} {_n(start[1])} {_n(out)} {_n(end[1])} {_n(tip[0])} {_n(tip[1])}"
    return EdgePath(line, _head(end, -1), _cross((out - LOOP / 4, (start[1] + end[1]) / 2)))


def _curve(a: Point, b: Point) -> str:
    x = (a[0] + b[0]) / 2
    return f"C{_n(x)} {_n(a[1])} {_n(x)} {_n(b[1])} {_n(b[0])} {_n(b[1])}"


def _head(tip: Point, sign: int) -> str:
    return f"M{_n(tip[0])} {_n(tip[1])}l{_n(-sign * (HEAD + 1))} -3.5v7z"


def _cross(at: Point) -> str:
    x, y, wide = _n(at[0] - CROSS), _n(at[1] - CROSS), _n(2 * CROSS)
    return f"M{x} {y}l{wide} {wide}m0 -{wide}l-{wide} {wide}"


def _n(value: float) -> str:
    """Return a number as text with at most one decimal: `2.04` gives "2"."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


# == drawing ==========================================================================================================
# The map as a drawing for a template: the place of each node and each edge in px.
MARGIN = 8.0
LEAST_SCALE = 0.84  # the smallest scale at which a map is made to fit the page


@dataclass(frozen=True)
class DrawnNode:
    """The box of a claim at its place on the map.

    `number`: the number by which edges refer to this box. `x`, `y`: its left upper corner.
    `lines`: the text in the box, as pairs (line, y of its baseline).
    `below`: whether the claim is a correction.
    `over`: the number of the box whose claim it corrects or to whose proof it belongs, or -1.
    `indent`: the distance of the box from the left edge of its stack.
    `tag`: if the published proof uses a refuted claim, a word for the kind of proof in the claim file; otherwise "".
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
    """An edge with its path on the map.

    `source`, `target`: the numbers of the boxes.
    `replaces`: whether the edge belongs to the proof in the claim file, and the published proof uses a refuted claim.
    """

    edge: Edge
    source: int
    target: int
    way: EdgePath
    replaces: bool


@dataclass(frozen=True)
class Drawing:
    """The finished map: its size, the boxes of all claims in stacks with an edge, and the edges between stacks."""

    width: float
    height: float
    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]

    @property
    def shrinks(self) -> bool:
        """Whether the map is only a little too wide for the page. The page then shows it smaller, without scrolling."""
        return PAGE + 2 * MARGIN < self.width <= PAGE / LEAST_SCALE


def draw(graph: ArgumentGraph) -> Drawing:
    """Return the map of a graph. Equal graphs give equal maps."""
    broken = {edge.target for edge in graph.edges if edge.kind is EdgeKind.BROKEN}
    tags = {id: PROOFS.get(own_rule(graph.claims[id]), ("", ""))[0] for id in broken}
    tagged = {id for id, tag in tags.items() if tag}
    boxes = {id: box for stack in graph.stacks for id, box in fill(stack, graph.claims, graph.steps, tagged).items()}
    stack_of = {id: str(i) for i, stack in enumerate(graph.stacks) for id in stack}
    tall = {stack_of[id]: box.top + box.height for id, box in boxes.items()}  # the last box determines the height
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
    """Return the outline of a part of the map. Each column is as wide as its widest box requires."""
    wide: dict[int, float] = defaultdict(float)
    for id, box in boxes.items():
        if (at := part.layer.get(stack_of[id])) is not None:
            wide[at] = max(wide[at], box.width)
    bottom = max(*(top + tall[node] for node, top in part.top.items()), *_tops(part))
    return frame([wide[at] for at in range(len(wide))], part.crowd, bottom - min(_tops(part)))


def _tops(part: GraphPart) -> list[float]:
    """Return the y of the tops of all stacks in a part, and of all points at which lines cross columns."""
    return [*part.top.values(), *(height for bends in part.bends.values() for _, height in bends)]


def _place(number: int, box: StatementBox, column: tuple[float, float], top: float, over: int, tag: str) -> DrawnNode:
    left, right = column
    x = left + box.indent
    lines = tuple(box.baselines(top + box.height / 2))
    return DrawnNode(number, box.claim, x, top, right - x, box.height, lines, box.instead, box.indent, over, tag)


def _side(node: DrawnNode) -> Side:
    return Side(node.x - node.indent, node.x, node.x + node.width, node.y + node.height / 2, node.height)


# == maps =============================================================================================================
# The argument of one work, as the page shows it.
@dataclass(frozen=True)
class ArgumentMap:
    """The argument of a work as the page shows it: as a map, and as lists for readers who do not see the map.

    `graph`, `drawing`: the graph of the claims, and the map of this graph.
    `standing`: the results that hold although their published proofs use refuted claims.
    `entries`: the claims that use other claims or have corrections, with these claims.
    `circles`: the circular arguments, each in words.
    """

    graph: ArgumentGraph
    drawing: Drawing
    standing: tuple[SurvivingClaim, ...]
    entries: tuple[NodeEntry, ...]
    circles: tuple[str, ...]


def make_map(group: Group, view: ReportView) -> ArgumentMap:
    """Return the argument of a work as the page shows it. `group`: the claims of the work in this run."""
    graph = make_graph(group, view)
    return ArgumentMap(
        graph=graph,
        drawing=draw(graph),
        standing=tuple(list_standing(graph, view)),
        entries=tuple(list_edges(graph, view)),
        circles=tuple(describe_circle(circle) for circle in graph.circles),
    )
