"""A drawing of one heap: shapes as texts of SVG, and the room that heaps beside each other need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import escape

from checks.results.pictures import ShownHeap
from claims.language.ground.errors import escape_invisible

Part = int | tuple[int, ...]
Room = tuple[tuple[int, int], ...]
"""Of each part, the longest list and the largest number that heaps drawn beside each other have."""

NARROW, WIDE = 7.0, 11.0  # px of a digit and of a small letter, as far as a box must hold them
WRAP = 12  # squares in a row of a strip


@dataclass(frozen=True)
class Sketch:
    """Width and height in px, and the shapes in the order in which they are drawn, as markup."""

    width: float
    height: float
    shapes: tuple[str, ...]


def list_parts(heap: ShownHeap) -> tuple[Part, ...]:
    """The parts of a heap; of a number, itself."""
    return heap if isinstance(heap, tuple) else (heap,)


def as_list(part: Part) -> tuple[int, ...]:
    """A part as a list; a number is one of one."""
    return part if isinstance(part, tuple) else (part,)


def measure_room(heaps: Iterable[ShownHeap]) -> Room:
    """The room of some heaps, at least one.

    >>> measure_room([((1, 4), 2), ((0,), 7)])
    ((2, 4), (1, 7))
    """
    columns = zip(*map(list_parts, heaps), strict=True)
    return tuple(
        (max(len(as_list(p)) for p in column), max((max(as_list(p), default=0) for p in column), default=0))
        for column in columns
    )


def mark(name: object) -> str:
    """What makes a shape an element that moves change."""
    return f' data-e="{name}"'


def box(kind: str, x: float, y: float, width: float, height: float, more: str = "", round: float = 0) -> str:
    """A rectangle."""
    corner = f' rx="{round:g}"' if round else ""
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corner}{more}/>'


def disc(kind: str, x: float, y: float, radius: float, more: str = "") -> str:
    """A circle."""
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"{more}/>'


def word(kind: str, x: float, y: float, text: object, anchor: str = "middle") -> str:
    """Letters or a number, with the sign of mathematics before one below 0."""
    told = escape(escape_invisible(str(text)).replace("-", "−"))
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{told}</text>'


def line(kind: str, path: str) -> str:
    """A line."""
    return f'<path class="{kind}" d="{path}"/>'


def draw_boxes(names: tuple[str, ...], parts: tuple[Part, ...], chosen: Iterable[int]) -> Sketch | None:
    """Parts of a heap as boxes with their numbers, a row for each; None of more than 24 numbers."""
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
