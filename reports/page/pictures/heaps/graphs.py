"""Graphs: vertices in a row where the edges are a path, else in a circle."""

from __future__ import annotations

from math import cos, hypot, pi, sin

from reports.page.pictures.heaps.sketch import Sketch, disc, line, mark, word

MOST = 20  # vertices
RADIUS, APART = 15, 52  # px


def draw_graph(
    edges: tuple[int, ...], free: tuple[int, ...] | None, token: int | None, directed: bool
) -> Sketch | None:
    """Vertices with their numbers, those not free dashed, the token's filled."""
    if len(edges) % 2 or not set(free or ()) <= {0, 1}:
        return None
    pairs = list(zip(edges[::2], edges[1::2], strict=True))
    count = max(max(edges, default=-1) + 1, len(free or ()), 0 if token is None else token + 1)
    if not 0 < count <= MOST or min(edges, default=0) < 0 or (token or 0) < 0:
        return None
    places, width, height = _place(count, pairs)
    shapes = [shape for pair in dict.fromkeys(pairs) for shape in _draw_edge(places, *pair, directed)]
    for v, (x, y) in enumerate(places):
        here = v == token
        there = here or free is None or (v < len(free) and free[v] == 1)
        shapes.append(disc("c" if here else "q" if there else "z", x, y, RADIUS, mark(v)))
        shapes.append(word("i" if here else "n" if there else "t", x, y + 5, v))
    return Sketch(width, height, tuple(shapes))


def _place(count: int, pairs: list[tuple[int, int]]) -> tuple[list[tuple[float, float]], float, float]:
    """Where the vertices are, and width and height."""
    margin = RADIUS + 3
    if count < 3 or (count <= 10 and all(abs(a - b) == 1 for a, b in pairs)):
        return [(margin + APART * i, margin) for i in range(count)], 2 * margin + APART * (count - 1), 2 * margin
    radius = max(60.0, 48 * count / (2 * pi))
    middle, turn = radius + margin, 2 * pi / count
    places = [(middle + radius * sin(turn * i), middle - radius * cos(turn * i)) for i in range(count)]
    return [(round(x, 1), round(y, 1)) for x, y in places], round(2 * middle), round(2 * middle)


def _draw_edge(places: list[tuple[float, float]], a: int, b: int, directed: bool) -> list[str]:
    """The edge from rim to rim, or for a loop a small circle; with a head where it is an arrow."""
    (x, y), (u, v) = places[a], places[b]
    if a == b:
        return [disc("o", x + RADIUS - 4, y - RADIUS + 4, 7)]
    long = hypot(u - x, v - y)
    dx, dy = (u - x) / long, (v - y) / long
    x, y, u, v = x + RADIUS * dx, y + RADIUS * dy, u - RADIUS * dx, v - RADIUS * dy
    shapes = [line("l", f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}")]
    if directed:
        back, side = (u - 9 * dx, v - 9 * dy), (4.5 * dy, -4.5 * dx)
        wing = [(back[0] + s * side[0], back[1] + s * side[1]) for s in (1, -1)]
        head = "L".join(f"{p:.1f} {q:.1f}" for p, q in ((u, v), *wing))
        shapes.append(line("h", f"M{head}z"))
    return shapes
