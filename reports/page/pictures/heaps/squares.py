"""Squares: coins on a strip, a row of marks, a Young diagram, a map of two numbers, a rectangle, a board."""

from __future__ import annotations

from collections.abc import Iterable

from reports.page.pictures.heaps.sketch import WRAP, Room, Sketch, box, disc, mark, word

SIDE, LABEL = 30, 18  # px of a square, and of the line with its number below
LONGEST = 6 * WRAP  # squares of a strip
FEW = 20  # squares along a side, that are drawn
CELL = 24


def draw_strip(coins: tuple[int, ...], room: Room) -> Sketch | None:
    """Coins on the squares that the list names, which must ascend."""
    squares = room[0][1] + 1
    if squares > LONGEST or min(coins, default=0) < 0 or any(a >= b for a, b in zip(coins, coins[1:], strict=False)):
        return None
    return _draw_row([int(x in coins) for x in range(squares)])


def draw_row(marks: tuple[int, ...], _: Room) -> Sketch | None:
    """What lies on each square: a coin for 1, a ring for -1, nothing for 0."""
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
    """Rows of squares from the top, none longer than the one above."""
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
    """A token at x, y of a board without end to the right and upwards; no more of it than what is in use."""
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
    """A rectangle of x by y squares."""
    x, y = sides
    if max(largest for _, largest in room) > FEW or min(sides) < 0:
        return None
    shapes = tuple(
        box("b", CELL * i + 1, CELL * j + 1, CELL, CELL, mark(f"{i}:{j}")) for j in range(y) for i in range(x)
    )
    return Sketch(CELL * x + 2, CELL * y + 2, shapes)


def draw_board(squares: tuple[int, ...], width: int) -> Sketch | None:
    """Squares row by row; those that are not free are filled."""
    if not 0 < width <= FEW or len(squares) % width or len(squares) > 12 * FEW or not set(squares) <= {0, 1}:
        return None
    shapes = [
        box("q" if free else "g", SIDE * (i % width) + 1, SIDE * (i // width) + 1, SIDE, SIDE, mark(i))
        for i, free in enumerate(squares)
    ]
    return Sketch(SIDE * width + 2, SIDE * (len(squares) // width) + 2, tuple(shapes))
