"""Heaps of tokens: side by side, on stairs, in a ring."""

from __future__ import annotations

from math import cos, pi, sin

from reports.page.pictures.heaps.sketch import Room, Sketch, box, disc, line, mark, word

HIGH, LONG = 16, 14  # tokens in a stack and stacks, that are drawn
TALL, PITCH = 12, 14  # px of a token, and from one to the next
STEP, RISE, GROUND = 44, 16, 44  # px of a step


def draw_stacks(heaps: tuple[int, ...], room: Room) -> Sketch | None:
    """Columns of tokens with their numbers below."""
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
    """Tokens on the steps, the ground to the left of the lowest."""
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
    """Tokens, the lowest first; one is taken with all above it."""
    return [
        box("c", x - 16, bottom - PITCH * (level + 1) + 1, 32, TALL, mark(f"{number}:{level}"), TALL / 2)
        for level in range(height)
    ]


def draw_ring(heaps: tuple[int, ...], room: Room) -> Sketch | None:
    """Circles with the numbers of the heaps, neighbours joined; the first is at the top."""
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
