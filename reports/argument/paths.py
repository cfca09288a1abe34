"""The ways of edges: curves between columns, straight lines across them, and where several meet one side of a node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

from reports.argument.graph import Edge, EdgeKind

# -- frames -----------------------------------------------------------------------------------------------------------
# Frames: how wide the columns of a part and the gaps between them are, and where parts stand on the page.


PAGE = 945.0  # px that a map may well be wide


BESIDE, EDGE_BELOW = 56.0, 30.0  # parts, from each other


CLOSE = (20.0, 1.3, 34.0)  # a narrow gap: at least, more for each line in it, at most


WIDE = (30.0, 4.0, 84.0)  # a wide one


Column = tuple[float, float]  # where it begins and ends, in px


@dataclass(frozen=True)
class PartFrame:
    """The columns of a part, the first of them from 0, and its size."""

    columns: tuple[Column, ...]
    height: float

    @property
    def width(self) -> float:
        return self.columns[-1][1]


def frame(widths: Sequence[float], crowd: Sequence[int], height: float) -> PartFrame:
    """Columns of these widths. Gaps are as wide as the page allows, wider where more lines run through them."""
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
    """Where each part stands: its left and its top. Side by side as far as the page is wide, then below."""
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


LOOP = 22.0  # how far a way between nodes of one column swings out


Point = tuple[float, float]


Bends = Sequence[tuple[Column, float]]


End = tuple[str, bool]  # a node, and whether its right side


@dataclass(frozen=True)
class EdgePath:
    """Data of SVG paths: the line, the head of its arrow, and a cross near its end, "" where it is not broken."""

    line: str
    head: str
    cross: str


@dataclass(frozen=True)
class Side:
    """What of a node ways need to know: where its sides are, the height of its middle, and how high it is.

    `column`: where its column begins, at its left side or before it.
    """

    column: float
    left: float
    right: float
    middle: float
    height: float


def find_ways(
    bends: Mapping[Edge, Bends], steps: Mapping[Edge, int], sides: Mapping[str, Side]
) -> dict[Edge, EdgePath]:
    """The way of each edge through its bends; `steps`: how many layers it leads to the right.

    What comes in of one kind meets a side of a node in one port, and so does what goes out.
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
    """Where several ways meet a side, in the order of the heights that they come from or go to."""
    order = sorted(met, key=lambda key: (fmean(met[key]), key))
    step = min(APART, (side.height - 8.0) / max(1, len(order) - 1))
    first = side.middle - step * (len(order) - 1) / 2
    return {key: first + i * step for i, key in enumerate(order)}


def make_way(start: Point, bends: Bends, end: Point, column: float, rightwards: bool) -> EdgePath:
    """From a side of one node to a side of another, straight through the columns between at these heights.

    `column`: where that of the node on the right begins; its left side may lie within.
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
    """From the right side of a node to that of one in the same column, or of itself."""
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
    """A number with at most one digit behind the point."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")
