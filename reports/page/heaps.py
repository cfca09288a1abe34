"""SVG drawings of heaps that have several parts, such as graphs or coins on a strip, each described in words too.

A heap is drawn as its ruleset file states. If the file states no drawing, the heap is drawn as boxes with numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from markupsafe import Markup, escape

from checks.results.shown import (
    DrawnAs,
    DrawnPositions,
    HeapDrawing,
    Json,
    PlayableClaim,
    ShownHeap,
    ShownPosition,
    encode,
)
from checks.results.wording import position_phrase
from claims.language.errors import escape_invisible

# == sketch ===========================================================================================================
# A drawing of one heap: its shapes in SVG, and the room that heaps drawn next to each other need.
Part = int | tuple[int, ...]
Room = tuple[tuple[int, int], ...]
"""For each part, the length of the longest list and the largest number among heaps drawn next to each other."""

NARROW, WIDE = 7.0, 11.0  # px of a digit and of a small letter in a box
WRAP = 12  # squares in a row of a strip


@dataclass(frozen=True)
class Sketch:
    """A drawing of one heap: its width and height in px, and its shapes as SVG text, from back to front."""

    width: float
    height: float
    shapes: tuple[str, ...]


def list_parts(heap: ShownHeap) -> tuple[Part, ...]:
    """Return the parts of a heap: the heap itself if it is a tuple of parts, or `(heap,)` if it is a number."""
    return heap if isinstance(heap, tuple) else (heap,)


def as_list(part: Part) -> tuple[int, ...]:
    """Return a part of a heap as a tuple of numbers: the part itself if it is a list, or `(part,)` for a number."""
    return part if isinstance(part, tuple) else (part,)


def measure_room(heaps: Iterable[ShownHeap]) -> Room:
    """Return the room that drawings of these heaps need: for each part, (length of the longest list, largest number).

    All heaps have the same number of parts. A part that is a number counts as a list of length 1.

    >>> measure_room([((1, 4), 2), ((0,), 7)])
    ((2, 4), (1, 7))
    """
    columns = zip(*map(list_parts, heaps), strict=True)
    return tuple(
        (max(len(as_list(p)) for p in column), max((max(as_list(p), default=0) for p in column), default=0))
        for column in columns
    )


def mark(name: object) -> str:
    """Return the attribute ` data-e="NAME"`, by which the script of the page finds a shape that a move can change."""
    return f' data-e="{name}"'


def box(kind: str, x: float, y: float, width: float, height: float, more: str = "", round: float = 0) -> str:
    """Return an SVG rectangle with the class `kind`. `more`: further attributes. `round`: the radius of its corners."""
    corner = f' rx="{round:g}"' if round else ""
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corner}{more}/>'


def disc(kind: str, x: float, y: float, radius: float, more: str = "") -> str:
    """Return an SVG circle with the class `kind` and the centre (x, y). `more`: further attributes."""
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"{more}/>'


def word(kind: str, x: float, y: float, text: object, anchor: str = "middle") -> str:
    """Return an SVG text element for a text or a number, with each hyphen replaced by a minus sign."""
    told = escape(escape_invisible(str(text)).replace("-", "−"))
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{told}</text>'


def line(kind: str, path: str) -> str:
    """Return an SVG path with the class `kind`. `path`: its data, such as "M0 0h10"."""
    return f'<path class="{kind}" d="{path}"/>'


def draw_boxes(names: tuple[str, ...], parts: tuple[Part, ...], chosen: Iterable[int]) -> Sketch | None:
    """Draw parts of a heap, each as a row: its name, then a box for each of its numbers.

    `chosen`: the indices of the parts to draw. Return None if these parts contain more than 24 numbers, or one of them
    more than 12.
    """
    rows = [(names[i], i, as_list(parts[i]), isinstance(parts[i], tuple)) for i in chosen]
    if sum(len(numbers) for _, _, numbers, _ in rows) > 2 * WRAP or any(len(x) > WRAP for _, _, x, _ in rows):
        return None
    left = max((NARROW * len(name) for name, *_ in rows), default=0) + 10
    shapes, width = list[str](), left
    for row, (name, i, numbers, many) in enumerate(rows):
        y, x = 30 * row + 1, left
        shapes.append(word("t", left - 8, y + 18, name, "end"))
        for at, number in enumerate(numbers):
            wide, element = max(26, 12 + NARROW * 1.3 * len(str(number))), mark(f"{i}:{at}" if many else i)
            shapes += [box("q", x, y, wide, 26, element), word("n", x + wide / 2, y + 18, number)]
            x += wide + (0 if many else 4)
        if not numbers:
            shapes.append(word("t", x, y + 18, "none", "start"))
            x += 32
        width = max(width, x)
    return Sketch(width + 2, 30 * len(rows), tuple(shapes))


# == graphs ===========================================================================================================
# Graphs: vertices in a row if the edges form a path, otherwise in a circle.
MOST = 20  # vertices of a graph that is drawn
RADIUS, APART = 15, 52  # px
BESIDE = 8  # px from an edge to the next one with the same ends, if edges have colours
COLOURS = {1: "u", -1: "r", 0: "v"}  # the classes of a blue, a red and a green edge
PAINTED = {1: "blue", -1: "red", 0: "green"}


def draw_graph(
    edges: tuple[int, ...],
    free: tuple[int, ...] | None,
    token: int | None,
    directed: bool,
    largest: int | None = None,
    colours: tuple[int, ...] | None = None,
    marks: tuple[int, ...] = (),
) -> Sketch | None:
    """Draw a graph with numbered vertices, some of which may be occupied.

    `edges`: the ends of all edges in one list: (0, 1, 1, 2) describes the edges 0-1 and 1-2.
    `free`: for each vertex, 1 if it is free, else 0; None if all are free. The other vertices are drawn dashed.
    `token`: the vertex that is drawn filled, or None.
    `directed`: whether the edges are arrows from the first to the second vertex.
    `largest`: None if all heaps have the same edges. If the edges are a part of the heap, the largest vertex in this
    part of any heap in the same picture. The places of the vertices then depend on this number, and only the token and
    the vertices with an edge are drawn.
    `colours`: for each edge, 1 if it is blue, -1 if it is red, 0 if it is green; None if edges have no colours. Edges
    with the same ends are then drawn side by side.
    `marks`: for each vertex, 1 if it is drawn filled, -1 if it is drawn as a ring, 0 otherwise.
    Return None if the numbers do not describe a graph, or if it has more than 20 vertices.
    """
    if len(edges) % 2 or not set(free or ()) <= {0, 1} or not set(marks) <= {-1, 0, 1}:
        return None
    pairs = list(zip(edges[::2], edges[1::2], strict=True))
    if colours is not None and (len(colours) != len(pairs) or not set(colours) <= {-1, 0, 1}):
        return None
    vertices = len(free or marks), 0 if token is None else token + 1, (largest or 0) + 1
    count = max(max(edges, default=-1) + 1, *vertices)
    count = 0 if largest is not None and not edges and token is None else count
    if not 0 < count <= MOST or min(edges, default=0) < 0 or (token or 0) < 0:
        return None
    places, width, height = _place(count, pairs if largest is None else None)
    if colours is None:
        shapes = [shape for pair in dict.fromkeys(pairs) for shape in _draw_edge(places, *pair, directed)]
        shapes += _count_edges(places, pairs)
    else:
        shapes = _draw_coloured(places, pairs, colours, directed)
    for v, (x, y) in enumerate(places):
        here = v == token
        if largest is not None and v not in edges and not here:
            continue
        there = here or free is None or (v < len(free) and free[v] == 1)
        kind = {1: "c", -1: "o"}.get(marks[v] if v < len(marks) else 0, "q" if there else "z")
        shapes.append(disc("c" if here else kind, x, y, RADIUS, mark(v)))
        shapes.append(word({"c": "i", "z": "t"}.get("c" if here else kind, "n"), x, y + 5, v))
    return Sketch(width, height, tuple(shapes))


def _place(count: int, pairs: list[tuple[int, int]] | None) -> tuple[list[tuple[float, float]], float, float]:
    """Return the coordinates of `count` vertices, and the width and height of the drawing, all in px.

    `pairs`: the edges, or None if they can change. The vertices are in a row if there are few and all edges join
    neighbours, else on a circle.
    """
    margin = RADIUS + 3
    if count < 3 or (count <= 10 and pairs is not None and all(abs(a - b) == 1 for a, b in pairs)):
        return [(margin + APART * i, margin) for i in range(count)], 2 * margin + APART * (count - 1), 2 * margin
    radius = max(60.0, 48 * count / (2 * pi))
    middle, turn = radius + margin, 2 * pi / count
    places = [(middle + radius * sin(turn * i), middle - radius * cos(turn * i)) for i in range(count)]
    return [(round(x, 1), round(y, 1)) for x, y in places], round(2 * middle), round(2 * middle)


Places = list[tuple[float, float]]
"""The coordinates of the vertices, in px."""


def _count_edges(places: Places, pairs: list[tuple[int, int]]) -> list[str]:
    """Return the texts "×2", "×3", ... at edges that occur several times in `pairs`."""
    shapes = list[str]()
    for (a, b), times in Counter(pairs).items():
        if times > 1:
            middle = (places[a][0] + places[b][0]) / 2, (places[a][1] + places[b][1]) / 2
            above = 2 * RADIUS if a == b else 4
            shapes.append(word("t", middle[0] + (RADIUS if a == b else 0), middle[1] - above, f"×{times}"))
    return shapes


def _draw_coloured(places: Places, pairs: list[tuple[int, int]], colours: tuple[int, ...], directed: bool) -> list[str]:
    """Return the shapes of edges in their colours. Edges with the same ends are side by side."""
    together = Counter(map(frozenset, pairs))
    before, shapes = Counter[frozenset[int]](), list[str]()
    for (a, b), colour in zip(pairs, colours, strict=True):
        ends = frozenset((a, b))
        aside = BESIDE * (before[ends] - (together[ends] - 1) / 2)
        shapes += _draw_edge(places, a, b, directed, COLOURS[colour], aside if a <= b else -aside)
        before[ends] += 1
    return shapes


def _draw_edge(places: Places, a: int, b: int, directed: bool, kind: str = "l", aside: float = 0) -> list[str]:
    """Return the shapes of the edge from vertex a to vertex b: a line, and the head of an arrow if `directed`.

    The line ends at the circles around the vertices. A loop (a = b) is a small circle.
    `kind`: the class of the line. `aside`: its distance in px from the straight line between the vertices.
    """
    (x, y), (u, v) = places[a], places[b]
    if a == b:
        return [disc("o" if kind == "l" else kind, x + RADIUS - 4, y - RADIUS + 4, 7 + abs(aside))]
    long = hypot(u - x, v - y)
    dx, dy = (u - x) / long, (v - y) / long
    x, y, u, v = x + RADIUS * dx, y + RADIUS * dy, u - RADIUS * dx, v - RADIUS * dy
    x, y, u, v = x - aside * dy, y + aside * dx, u - aside * dy, v + aside * dx
    shapes = [line(kind, f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}")]
    if directed:
        back, side = (u - 9 * dx, v - 9 * dy), (4.5 * dy, -4.5 * dx)
        wing = [(back[0] + s * side[0], back[1] + s * side[1]) for s in (1, -1)]
        head = "L".join(f"{p:.1f} {q:.1f}" for p, q in ((u, v), *wing))
        shapes.append(line("h", f"M{head}z"))
    return shapes


# == squares ==========================================================================================================
# Squares: coins on a strip, a row of marks, a Young diagram, a map of two numbers, a rectangle, a board.
SIDE, LABEL = 30, 18  # px of a square, and of the line with its number below
LONGEST = 6 * WRAP  # squares of a strip
FEW = 20  # squares along a side of a drawing
CELL = 24


def draw_strip(coins: tuple[int, ...], room: Room) -> Sketch | None:
    """Draw a strip of squares with a coin on each square in `coins`.

    The strip is as long as the largest number in `room` requires. Return None if the squares in `coins` are not
    ascending, or if one is negative or too large to draw.
    """
    squares = room[0][1] + 1
    if squares > LONGEST or min(coins, default=0) < 0 or any(a >= b for a, b in zip(coins, coins[1:], strict=False)):
        return None
    return _draw_row([int(x in coins) for x in range(squares)])


def draw_row(marks: tuple[int, ...], _: Room) -> Sketch | None:
    """Draw a row of squares, one for each number: with a coin for 1, with a ring for -1, empty for 0.

    Return None if there is another number, or if there are too many.
    """
    return None if len(marks) > LONGEST or not set(marks) <= {-1, 0, 1} else _draw_row(marks)


def _draw_row(marks: Iterable[int]) -> Sketch:
    shapes, count = list[str](), 0
    for i, kind in enumerate(marks):
        x, y, count = SIDE * (i % WRAP) + 1, (SIDE + LABEL) * (i // WRAP) + 1, i + 1
        shapes.append(box("q", x, y, SIDE, SIDE, mark(i)))
        if kind:
            shapes.append(disc("c" if kind > 0 else "o", x + SIDE / 2, y + SIDE / 2, 10, mark(i)))
        shapes.append(word("t", x + SIDE / 2, y + SIDE + 13, i))
    rows = -(-count // WRAP)
    return Sketch(SIDE * min(count, WRAP) + 2, (SIDE + LABEL) * rows, tuple(shapes))


def draw_diagram(rows: tuple[int, ...], room: Room) -> Sketch | None:
    """Draw a Young diagram. `rows`: the lengths of its rows from the top, which must not increase.

    Return None if they increase, or if a number is negative or too large.
    """
    (longest, largest), *_ = room
    if (
        max(longest, largest) > FEW
        or any(a < b for a, b in zip(rows, rows[1:], strict=False))
        or min(rows, default=0) < 0
    ):
        return None
    cells = [(i, j) for i, size in enumerate(rows) for j in range(size)]
    shapes = tuple(box("q", SIDE * j + 1, SIDE * i + 1, SIDE, SIDE, mark(f"{i}:{j}")) for i, j in cells)
    return Sketch(SIDE * max(largest, 1) + 2, SIDE * max(longest, 1) + 2, shapes)


def draw_map(at: tuple[int, ...], names: tuple[str, str], room: Room) -> Sketch | None:
    """Draw a token at the square `at` = (x, y) of a board that is infinite to the right and upwards.

    `names`: the names of the two coordinates. The drawing shows the squares up to the largest numbers in `room`.
    Return None if a coordinate is negative, or if there are too many squares.
    """
    columns, rows = (max(largest, 3) + 2 for _, largest in room)
    if max(columns, rows) > FEW + 2 or min(at) < 0:
        return None
    (x, y), left, top = at, 26, 18
    height = CELL * rows
    shapes = [
        word("t", left - 8, 12, names[1], "end"),
        word("t", left + CELL * columns + 8, top + height + 15, names[0]),
    ]
    for j in range(rows):
        step = 1 if max(columns, rows) <= 14 else 2
        if j % step == 0:
            shapes.append(word("t", left - 8, top + height - CELL * j - 8, j, "end"))
        for i in range(columns):
            kind = "w" if (i + j) % 2 else "f"
            shapes.append(box(kind, left + CELL * i, top + height - CELL * (j + 1), CELL, CELL, mark(f"{i}:{j}")))
    numbers = (i for i in range(columns) if i % step == 0)
    shapes += [word("t", left + CELL * i + CELL / 2, top + height + 15, i) for i in numbers]
    shapes.append(disc("c", left + CELL * (x + 0.5), top + height - CELL * (y + 0.5), 9, mark(f"{x}:{y}")))
    return Sketch(left + CELL * columns + 18, top + height + 20, tuple(shapes))


def draw_rectangle(sides: tuple[int, ...], room: Room) -> Sketch | None:
    """Draw a rectangle of squares. `sides`: its width and its height. Return None if one is negative or too large."""
    x, y = sides
    if max(largest for _, largest in room) > FEW or min(sides) < 0:
        return None
    shapes = tuple(
        box("b", CELL * i + 1, CELL * j + 1, CELL, CELL, mark(f"{i}:{j}")) for j in range(y) for i in range(x)
    )
    return Sketch(CELL * x + 2, CELL * y + 2, shapes)


def draw_board(squares: tuple[int, ...], width: int) -> Sketch | None:
    """Draw a board whose rows have `width` squares. `squares`: 1 for a free square, 0 for an occupied one, row by row.

    Occupied squares are filled. Return None if the numbers do not describe a board.
    """
    if not 0 < width <= FEW or len(squares) % width or len(squares) > 12 * FEW or not set(squares) <= {0, 1}:
        return None
    shapes = [
        box("q" if free else "g", SIDE * (i % width) + 1, SIDE * (i // width) + 1, SIDE, SIDE, mark(i))
        for i, free in enumerate(squares)
    ]
    return Sketch(SIDE * width + 2, SIDE * (len(squares) // width) + 2, tuple(shapes))


def draw_squares(squares: tuple[int, ...], width: int) -> Sketch | None:
    """Draw a board whose rows have `width` squares: with a coin for 1, with a ring for -1, empty for 0.

    `squares`: the numbers row by row. Return None if the numbers do not describe a board.
    """
    if not 0 < width <= FEW or len(squares) % width or len(squares) > 12 * FEW or not set(squares) <= {-1, 0, 1}:
        return None
    shapes = list[str]()
    for i, piece in enumerate(squares):
        x, y = SIDE * (i % width) + 1, SIDE * (i // width) + 1
        shapes.append(box("q", x, y, SIDE, SIDE, mark(i)))
        if piece:
            shapes.append(disc("c" if piece > 0 else "o", x + SIDE / 2, y + SIDE / 2, 10, mark(i)))
    return Sketch(SIDE * width + 2, SIDE * (len(squares) // width) + 2, tuple(shapes))


# == stacks ===========================================================================================================
# Heaps of tokens: side by side, on stairs, in a ring.
HIGH, LONG = 16, 14  # the most tokens in a stack, and the most stacks, that are drawn
TALL, PITCH = 12, 14  # px of a token, and from one to the next
STEP, RISE, GROUND = 44, 16, 44  # px of a step


def draw_stacks(heaps: tuple[int, ...], room: Room) -> Sketch | None:
    """Draw each heap as a column of tokens, with the number of tokens below. Return None if it would be too large."""
    (longest, largest), *_ = room
    if min(heaps, default=0) < 0 or largest > HIGH or longest > LONG:
        return None
    bottom, width = PITCH * max(heaps, default=1) + 4, 44 * max(len(heaps), 1)
    shapes = [line("l", f"M0 {bottom}h{width}")]
    for i, height in enumerate(heaps):
        shapes += _pile(i, height, 44 * i + 22, bottom)
        shapes.append(word("t", 44 * i + 22, bottom + 16, height))
    return Sketch(width, bottom + 20, tuple(shapes))


def draw_stairs(steps: tuple[int, ...], room: Room) -> Sketch | None:
    """Draw tokens on the steps of stairs, with the ground to the left of the lowest step.

    Return None for negative or too many tokens, or too many steps.
    """
    (_, largest), *_ = room
    if min(steps, default=0) < 0 or largest > HIGH or len(steps) > LONG:
        return None
    bottom = max((RISE * (i + 1) + PITCH * c for i, c in enumerate(steps)), default=RISE) + 4
    shapes = [line("l", f"M0 {bottom}h{GROUND + STEP * len(steps)}"), word("t", GROUND / 2, bottom + 16, "ground")]
    for i, height in enumerate(steps):
        x, top = GROUND + STEP * i, bottom - RISE * (i + 1)
        shapes.append(box("b", x, top, STEP, RISE * (i + 1)))
        shapes += _pile(i, height, x + STEP / 2, top)
        shapes.append(word("t", x + STEP / 2, bottom + 16, height))
    return Sketch(GROUND + STEP * len(steps), bottom + 20, tuple(shapes))


def _pile(number: int, height: int, x: float, bottom: float) -> list[str]:
    """Return the shapes of `height` tokens above each other, the lowest first.

    The name of a token for the script is "NUMBER:LEVEL". A player who takes a token also takes all tokens above it.
    """
    return [
        box("c", x - 16, bottom - PITCH * (level + 1) + 1, 32, TALL, mark(f"{number}:{level}"), TALL / 2)
        for level in range(height)
    ]


def draw_ring(heaps: tuple[int, ...], room: Room) -> Sketch | None:
    """Draw heaps as circles in a ring, in which lines join neighbours. The first heap is at the top.

    Return None if a heap is negative, or if there are too many heaps.
    """
    (longest, _), *_ = room
    if min(heaps, default=0) < 0 or longest > LONG:
        return None
    count = len(heaps)
    radius = max(44.0, 56 * count / (2 * pi))
    middle = radius + 24
    at = [(middle + radius * sin(2 * pi * i / count), middle - radius * cos(2 * pi * i / count)) for i in range(count)]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in at) + ("z" if count > 2 else "") if at else ""
    shapes = [line("l", path)] if count > 1 else []
    for i, ((x, y), size) in enumerate(zip(at, heaps, strict=True)):
        x, y = round(x, 1), round(y, 1)
        shapes += [disc("c" if size else "z", x, y, 21, mark(i)), word("i" if size else "n", x, y + 6, size)]
    return Sketch(2 * middle, 2 * middle, tuple(shapes))


# == words ============================================================================================================
# A picture of a heap in words: for readers who do not see it, and for descriptions of moves.
NOTHING = "no heap"


def say_position(drawing: HeapDrawing, position: ShownPosition) -> str:
    """Return a position in words: the description of each heap, joined by "; ", or "no heap"."""
    return "; ".join(say_heap(drawing, heap) for heap in position) or NOTHING


def say_heap(drawing: HeapDrawing, heap: ShownHeap) -> str:
    """Return a heap in words. The kind of its drawing determines the words.

    >>> say_heap(HeapDrawing(DrawnAs.STRIP, ("c",), (0,)), ((2, 5, 9),))
    'coins at 2, 5, 9'
    >>> say_heap(HeapDrawing(DrawnAs.STACKS, ("n", "q"), (0,)), (5, 4))
    'a heap of 5, q = 4'
    """
    parts = list_parts(heap)
    told = [_say_shown(drawing, parts)] if drawing.shown else []
    told += [
        f"{name} = {_write(part)}"
        for i, (name, part) in enumerate(zip(drawing.names, parts, strict=True))
        if i not in drawing.shown
    ]
    return ", ".join(told).replace("-", "−")


def _write(part: Part) -> str:
    return f"[{', '.join(map(str, part))}]" if isinstance(part, tuple) else str(part)


def _join(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "none"


def _say_shown(drawing: HeapDrawing, parts: tuple[Part, ...]) -> str:
    shown = [parts[i] for i in drawing.shown]
    first = as_list(shown[0])
    match drawing.kind:
        case DrawnAs.STACKS:
            return f"heaps of {_join(first)} in a row" if isinstance(shown[0], tuple) else f"a heap of {first[0]}"
        case DrawnAs.STAIRS:
            return f"stairs of {_join(first)}, the lowest step first"
        case DrawnAs.RING:
            return f"heaps of {_join(first)} in a ring"
        case DrawnAs.STRIP:
            return f"coins at {_join(first)}" if first else "no coins"
        case DrawnAs.ROW:
            return f"a row of {_join(first)}"
        case DrawnAs.DIAGRAM:
            return f"rows of {_join(first)} squares"
        case DrawnAs.MAP:
            return ", ".join(f"{drawing.names[i]} = {parts[i]}" for i in drawing.shown)
        case DrawnAs.RECTANGLE:
            return f"{shown[0]} by {shown[1]} squares"
        case DrawnAs.BOARD:
            width = drawing.width or shown[1]
            return f"a board with {width} squares in each row; free squares: {_join(_list_free(first))}"
        case DrawnAs.SQUARES:
            width = drawing.width or as_list(shown[1])[0]
            rows = [first[i : i + width] for i in range(0, len(first), width)] if width > 0 else [first]
            return f"squares row by row: {'; '.join(map(_join, rows))}"
        case DrawnAs.VERTEX_COLOURED:
            *edges, marks = [as_list(x) for x in shown]
            told = [f"edges: {_say_edges(x)}" for x in edges]
            for said, kind in (("filled", 1), ("ringed", -1)):
                told.append(f"{said} vertices: {_join(tuple(v for v, x in enumerate(marks) if x == kind))}")
            return ", ".join(told)
        case DrawnAs.EDGE_COLOURED:
            ends = as_list(shown[0]) if drawing.edges is None else drawing.edges
            return f"edges: {_say_edges(ends, as_list(shown[-1]))}"
        case DrawnAs.GRAPH | DrawnAs.DIRECTED:
            told = [f"the token at {x}" for x in shown if not isinstance(x, tuple)]
            lists = [x for x in shown if isinstance(x, tuple)]
            if drawing.edges is None:
                told.insert(0, f"edges: {_say_edges(lists.pop(0))}")
            return ", ".join([*told, *(f"free vertices: {_join(_list_free(x))}" for x in lists)])
    return ""


def _say_edges(ends: tuple[int, ...], colours: tuple[int, ...] = ()) -> str:
    """Return edges in words, such as "0 to 1, 1 to 2", or "0 to 1 blue, 1 to 2 red" with `colours`; "none" if empty."""
    pairs = list(zip(ends[::2], ends[1::2], strict=False))
    painted = [f" {PAINTED.get(x, x)}" for x in colours] if len(colours) == len(pairs) else [""] * len(pairs)
    return ", ".join(f"{a} to {b}{colour}" for (a, b), colour in zip(pairs, painted, strict=True)) or "none"


def _list_free(squares: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(i for i, free in enumerate(squares) if free == 1)


# == draw =============================================================================================================
# Drawing a heap: in its kind of picture if its numbers fit that kind, otherwise as plain boxes.
OF_LIST: dict[DrawnAs, Callable[[tuple[int, ...], Room], Sketch | None]] = {
    DrawnAs.STACKS: draw_stacks,
    DrawnAs.STAIRS: draw_stairs,
    DrawnAs.RING: draw_ring,
    DrawnAs.STRIP: draw_strip,
    DrawnAs.ROW: draw_row,
    DrawnAs.DIAGRAM: draw_diagram,
}
GAP = 28  # px between heaps
MOST_DRAWN = 8  # heaps of a position that is drawn


def draw_heap(drawing: HeapDrawing, heap: ShownHeap, room: Room) -> Sketch | None:
    """Return the drawing of a heap, or None if the heap contains too many numbers.

    Parts that this kind of drawing does not show are drawn below the others, as boxes with numbers.
    `room`: the result of `measure_room` for all heaps in the same picture, so that they get the same scale.
    """
    parts = list_parts(heap)
    found = _draw_shown(drawing, parts, room) if drawing.shown else None
    others = [i for i in range(len(parts)) if found is None or i not in drawing.shown]
    if not others:
        return found
    boxes = draw_boxes(drawing.names, parts, others)
    return boxes if found is None or boxes is None else _put_below(found, boxes)


def _draw_shown(drawing: HeapDrawing, parts: tuple[Part, ...], room: Room) -> Sketch | None:
    shown, rooms = [parts[i] for i in drawing.shown], tuple(room[i] for i in drawing.shown)
    kind = drawing.kind
    if kind in OF_LIST:
        return OF_LIST[kind](as_list(shown[0]), rooms)
    lists, numbers = [x for x in shown if isinstance(x, tuple)], tuple(x for x in shown if not isinstance(x, tuple))
    if kind in (DrawnAs.GRAPH, DrawnAs.DIRECTED):
        token, directed = numbers[0] if numbers else None, kind is DrawnAs.DIRECTED
        if drawing.edges is not None:
            return draw_graph(drawing.edges, lists[0] if lists else None, token, directed)
        return draw_graph(lists[0], lists[1] if len(lists) > 1 else None, token, directed, rooms[0][1])
    if kind.is_graph:
        edges, largest = (lists[0], rooms[0][1]) if drawing.edges is None else (drawing.edges, None)
        if kind is DrawnAs.EDGE_COLOURED:
            return draw_graph(edges, None, None, False, largest, colours=lists[-1])
        return draw_graph(edges, None, None, False, marks=lists[-1])
    if kind in (DrawnAs.BOARD, DrawnAs.SQUARES):
        width = numbers[0] if drawing.width is None else drawing.width
        return (draw_board if kind is DrawnAs.BOARD else draw_squares)(lists[0], width)
    if kind is DrawnAs.MAP:
        x, y = (drawing.names[i] for i in drawing.shown)
        return draw_map(numbers, (x, y), rooms)
    return draw_rectangle(numbers, rooms)


def _put_below(upper: Sketch, lower: Sketch) -> Sketch:
    top = upper.height + 8
    shapes = (f'<g transform="translate(0 {top:g})">{shape}</g>' for shape in lower.shapes)
    return Sketch(max(upper.width, lower.width), top + lower.height, (*upper.shapes, *shapes))


def draw_position(drawing: HeapDrawing, position: ShownPosition, beside: Sequence[ShownPosition] = ()) -> Markup:
    """Return a position as an SVG element with its heaps in a row.

    Return "" if it has no heaps or more than MOST_DRAWN, or if a heap cannot be drawn.
    `beside`: the positions in other pictures next to it, which get the same scale.
    """
    heaps = [heap for s in (position, *beside) for heap in s]
    sketches = [draw_heap(drawing, heap, measure_room(heaps)) for heap in position[: MOST_DRAWN + 1]]
    if not 0 < len(sketches) <= MOST_DRAWN or None in sketches:
        return Markup("")
    found = [sketch for sketch in sketches if sketch is not None]
    height, x, shapes = max(sketch.height for sketch in found), 0.0, list[str]()
    for sketch in found:
        shapes.append(f'<g transform="translate({x:g} {height - sketch.height:g})">{"".join(sketch.shapes)}</g>')
        x += sketch.width + GAP
    size = f"{x - GAP:g}", f"{height:g}"
    opening = Markup('<svg class="parts" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img" aria-label="{2}">')
    inside = Markup("".join(shapes))  # noqa: S704 - of numbers, and of names that the language allows
    return opening.format(*size, escape_invisible(say_position(drawing, position))) + inside + Markup("</svg>")


LIGHT = {"ink": "#1d1c1a", "mute": "#5d5950", "line": "#dedad0", "card": "#fff", "wash": "#f5f2ea", "area": "#c9d9ea"}
DARK = {"ink": "#e7e4dd", "mute": "#a7a299", "line": "#383a40", "card": "#1d1f23", "wash": "#1f2126", "area": "#2d4763"}
LIGHT |= {"blue": "#1d4a80", "red": "#a1291e", "green": "#1a6043"}
DARK |= {"blue": "#9dc0ee", "red": "#f39a8d", "green": "#83cba3"}
STYLE = """.c,.h{{fill:{ink}}}.q{{fill:{card};stroke:{mute}}}.f,.w{{fill:{wash};stroke:{line}}}.w{{fill:{card}}}
.b{{fill:{wash};stroke:{mute}}}.g{{fill:{area};stroke:{mute}}}.o{{fill:none;stroke:{ink};stroke-width:3}}
.z{{fill:{card};stroke:{mute};stroke-dasharray:3 3}}.l{{fill:none;stroke:{mute};stroke-width:1.5}}
text{{fill:{mute};font:12px sans-serif}}.n{{fill:{ink};font-size:14px}}
.i{{fill:{card};font-size:14px;font-weight:600}}"""
COLOURED = """
.u,.r,.v{{fill:none;stroke:{blue};stroke-width:3}}.r{{stroke:{red};stroke-dasharray:8 4}}
.v{{stroke:{green};stroke-dasharray:2 3}}"""


def draw_alone(drawing: HeapDrawing, position: ShownPosition) -> str:
    """Return the drawing of a position as the text of an SVG file. It contains its own light and dark colours."""
    rules = STYLE + (COLOURED if drawing.kind is DrawnAs.EDGE_COLOURED else "")
    style = f"{rules.format(**LIGHT)}\n@media (prefers-color-scheme:dark){{{rules.format(**DARK)}}}"
    found = str(draw_position(drawing, position)).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return found.replace(">", f"><style>\n{style}\n</style>", 1) + "\n"


def find_touched(drawing: HeapDrawing, before: ShownHeap, after: ShownHeap) -> tuple[str, ...]:
    """Return the names of the shapes in the drawing of `before` that a reader can click to change it to `after`."""
    old, new = list_parts(before), list_parts(after)
    shown = [(old[i], new[i]) for i in drawing.shown]
    if drawing.edges is None:  # the shapes of edges have no names
        shown = shown[1:]
    found = _touch_shown(drawing.kind, shown) if shown else ()
    if found:
        return found
    pairs = [(i, as_list(x), as_list(y), isinstance(x, tuple)) for i, (x, y) in enumerate(zip(old, new, strict=True))]
    return tuple(
        f"{i}:{at}" if many else str(i)
        for i, x, y, many in pairs
        for at, number in enumerate(x)
        if len(x) != len(y) or y[at] != number
    )


def _touch_shown(kind: DrawnAs, shown: list[tuple[Part, Part]]) -> tuple[str, ...]:
    before, after = as_list(shown[0][0]), as_list(shown[0][1])
    match kind:
        case DrawnAs.STACKS | DrawnAs.STAIRS:
            return _touch_stacks(before, after)
        case DrawnAs.STRIP:
            return tuple(map(str, sorted(set(before) ^ set(after))))
        case DrawnAs.DIAGRAM:
            changed = [f"{i}:{y}" for i, (x, y) in enumerate(zip(before, after, strict=False)) if x != y]
            return tuple(changed[:1])
        case DrawnAs.MAP:
            return (":".join(str(y) for _, y in shown),)
        case DrawnAs.GRAPH | DrawnAs.DIRECTED:
            moved = [str(y) for x, y in shown if not isinstance(y, tuple) and x != y]
            return tuple(moved) or _list_different(before, after)
        case DrawnAs.RECTANGLE | DrawnAs.EDGE_COLOURED:
            return ()
    if len(after) < len(before):
        return (str(next((i for i, (x, y) in enumerate(zip(before, after, strict=False)) if x != y), len(after))),)
    return _list_different(before, after)


def _list_different(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(str(i) for i, (x, y) in enumerate(zip(before, after, strict=False)) if x != y)


def _touch_stacks(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[str, ...]:
    """Return the name of the lowest token that a move takes from each stack, in the form "STACK:LEVEL".

    `before`, `after`: the numbers of tokens. If the move removes a stack at an end of the row, return its lowest token.
    """
    if len(after) == len(before):
        return tuple(f"{i}:{y}" for i, (x, y) in enumerate(zip(before, after, strict=True)) if y < x)
    ends = [0] * (after == before[1:]) + [len(before) - 1] * (after == before[:-1])
    return tuple(f"{i}:0" for i in dict.fromkeys(ends))


# == data =============================================================================================================
# Heaps with parts as data for the script of boards: each heap once, with its number, words and drawing.
Moves = Iterable[tuple[ShownPosition, ShownPosition]]


class HeapTable:
    """The data of heaps for the script of a board. Each different heap gets a number, and its data is stored once.

    `drawing`: how to draw heaps with parts; None if all heaps are numbers.

    >>> from checks.results.shown import DrawnAs
    >>> table = HeapTable(HeapDrawing(DrawnAs.STRIP, ("c",), (0,)), [(((0, 2),),)])
    >>> table.number((((0, 2),),)), table.write([])["heaps"][0][:2]
    ([0], ['[0, 2]', 'coins at 0, 2'])
    """

    def __init__(self, drawing: HeapDrawing | None, positions: Iterable[ShownPosition]) -> None:
        self.drawing, heaps = drawing, dict.fromkeys(heap for s in positions for heap in s)
        self.numbers = {} if drawing is None else {heap: i for i, heap in enumerate(heaps)}

    def number(self, position: ShownPosition) -> list[Json]:
        """Return a position for the script: for each heap, its size or, if it has parts, its index in the table."""
        return [encode(heap) if isinstance(heap, int) else self.numbers[heap] for heap in position]

    def write(self, moves: Moves) -> dict[str, Json]:
        """Return the table as JSON data; {} if all heaps are numbers. `moves`: pairs of positions (before, after).

        "heaps": for each heap [text, description, width, height, indices in "shapes"], or [text, description] if it
        cannot be drawn.
        "shapes": the different shapes of all drawings, as SVG text.
        "touched": for a move from heap 0 to heap 1 of the table, the key "0>1" with the names of the shapes on which
        the reader can click to make this move.
        """
        if self.drawing is None:
            return {}
        room, shapes, heaps = measure_room(self.numbers) if self.numbers else (), dict[str, int](), list[Json]()
        for heap in self.numbers:
            told: list[Json] = [position_phrase((heap,))[1:-1], say_heap(self.drawing, heap)]
            sketch = draw_heap(self.drawing, heap, room)
            if sketch is not None:
                drawn: list[Json] = [shapes.setdefault(shape, len(shapes)) for shape in sketch.shapes]
                told += [round(sketch.width, 1), round(sketch.height, 1), drawn]
            heaps.append(told)
        return {"heaps": heaps, "shapes": list(shapes), "touched": self._list_touched(self.drawing, moves)}

    def _list_touched(self, drawing: HeapDrawing, moves: Moves) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for before, after in moves:
            gone, new = leave_out(before, after), leave_out(after, before)
            if len(gone) == len(new) == 1:
                key = f"{self.numbers[gone[0]]}>{self.numbers[new[0]]}"
                if key not in found:
                    found[key] = list(find_touched(drawing, gone[0], new[0]))
        return found


def leave_out(position: ShownPosition, others: ShownPosition) -> list[ShownHeap]:
    """Return the difference of two positions as multisets of heaps: (2, 2, 4) without (2, 5) is [2, 4]."""
    left = list(position)
    for heap in others:
        if heap in left:
            left.remove(heap)
    return left


# == shown ============================================================================================================
# The pictures in the explanation of a counterexample: its first moves, each with an answer.
MOST_SHOWN = 6  # first moves that are shown; the board has all of them


@dataclass(frozen=True)
class ShownMove:
    """A first move from the counterexample, with the answer of the other player if there is one.

    `steps`: one or two moves, each as (mover, resulting position in words, drawing of this position).
    `says`: facts about the position after the last of these moves in words, or "".
    """

    steps: tuple[tuple[str, str, Markup], ...]
    says: str


def list_shown(board: PlayableClaim | None, drawn: DrawnPositions | None) -> tuple[ShownMove, ...]:
    """Return at most MOST_SHOWN first moves from the counterexample, each with its answer.

    `drawn`: the positions of the counterexample that the page draws. Return () if some heap is not drawn, or if the
    board does not start at one of these positions.
    """
    if board is None or drawn is None or board.drawing is None:
        return ()
    if board.places[0].position not in [position for _, position in drawn.positions]:
        return ()
    found, first = list[ShownMove](), board.places[0]
    beside = [place.position for place in board.places]
    for after, number in first.moves[:MOST_SHOWN]:
        place, steps = board.places[number], [_show(board.drawing, first.mover, after, beside)]
        if place.answers:
            reply, number = place.moves[0]
            steps.append(_show(board.drawing, place.mover, reply, beside))
        found.append(ShownMove(tuple(steps), board.places[number].says))
    return tuple(found) if all(picture or not s for move in found for s, _, picture in move.steps) else ()


def _show(
    drawing: HeapDrawing, mover: str, after: ShownPosition, beside: list[ShownPosition]
) -> tuple[str, str, Markup]:
    return mover, position_phrase(after), draw_position(drawing, after, beside)
