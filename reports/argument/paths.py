"""The ways of edges: curves between columns, straight lines across them, and where several meet one side of a node."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

APART = 8.0  # px between ports
HEAD = 6.0  # the length of the head of an arrow
CROSS = 3.5  # half the width of a cross
LOOP = 22.0  # how far a way between nodes of one column swings out

Column = tuple[float, float]  # where it begins and ends, in px
Point = tuple[float, float]


@dataclass(frozen=True)
class Way:
    """`line`, `head` and `cross`: data of SVG paths: the line, the head of its arrow, and a cross near its end."""

    line: str
    head: str
    cross: str


def make_way(start: Point, passes: Sequence[tuple[Column, float]], end: Point, rightwards: bool) -> Way:
    """From one side of a node to one of another, through the columns that it passes at these heights.

    Without columns between, and to a node that does not lie `rightwards`, both sides are the right ones.
    """
    back = not rightwards
    data = [f"M{_n(start[0])} {_n(start[1])}"]
    at = start
    for (left, right), y in passes:
        first, last = ((right, y), (left, y)) if back else ((left, y), (right, y))
        data += [_curve(at, first), f"H{_n(last[0])}"]
        at = last
    sign = -1 if back else 1
    tip = (end[0] - sign * HEAD, end[1])
    data.append(_curve(at, tip))
    middle = ((at[0] + tip[0]) / 2, (at[1] + tip[1]) / 2)
    return Way("".join(data), _head(end, sign), _cross(middle))


def make_loop(start: Point, end: Point) -> Way:
    """From the right side of a node to that of one in the same column, or of itself."""
    tip = (end[0] + HEAD, end[1])
    out = max(start[0], end[0]) + LOOP
    line = f"M{_n(start[0])} {_n(start[1])}C{_n(out)} {_n(start[1])} {_n(out)} {_n(end[1])} {_n(tip[0])} {_n(tip[1])}"
    return Way(line, _head(end, -1), _cross((out - LOOP / 4, (start[1] + end[1]) / 2)))


def place_ports(sides: Mapping[Hashable, Iterable[float]], middle: float, height: float) -> dict[Hashable, float]:
    """Where on one side of a node each of several ways meets it, by the heights that it comes from or goes to."""
    order = sorted(sides, key=lambda key: fmean(sides[key]))
    step = min(APART, (height - 8.0) / max(1, len(order) - 1))
    first = middle - step * (len(order) - 1) / 2
    return {key: first + i * step for i, key in enumerate(order)}


def _curve(a: Point, b: Point) -> str:
    x = (a[0] + b[0]) / 2
    return f"C{_n(x)} {_n(a[1])} {_n(x)} {_n(b[1])} {_n(b[0])} {_n(b[1])}"


def _head(tip: Point, sign: int) -> str:
    return f"M{_n(tip[0])} {_n(tip[1])}l{_n(-sign * (HEAD + 1))} -3.5v7z"


def _cross(at: Point) -> str:
    x, y, wide = _n(at[0] - CROSS), _n(at[1] - CROSS), _n(2 * CROSS)
    return f"M{x} {y}l{wide} {wide}m0 -{wide}l-{wide} {wide}"


def _n(value: float) -> str:
    """A number with a digit behind the point at most."""
    return (
        f"{value:.1f}".removesuffix(".0").replace("-0", "0") if abs(value) < 0.05 else f"{value:.1f}".removesuffix(".0")
    )
