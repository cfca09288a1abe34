"""Positions as tuples of heaps, and the heaps that a move may choose."""

from __future__ import annotations

from collections.abc import Iterator

from encoders.exhaustive.boxes.geometry import Box

Heaps = tuple[int, ...]
"""Ascending, zeros for heaps that are not there."""

Lines = dict[Heaps, list[tuple[int, int]]]
"""By all heaps but one the sizes of that one, ascending, at which a row of bits is not 0, each with the row."""


def list_heaps(position: Heaps) -> Iterator[tuple[str, int, Heaps]]:
    """The heaps that a move may choose, equal ones once: how it is chosen, the heap, what is left beside it.

    >>> list(list_heaps((0, 2, 2)))
    [('any', 2, (0, 2)), ('largest', 2, (0, 2)), ('smallest', 2, (0, 2))]
    """
    there = [h for h in position if h]
    for h in dict.fromkeys(there):
        at = position.index(h)
        rest = position[:at] + position[at + 1 :]
        yield "any", h, rest
        if h == there[-1]:
            yield "largest", h, rest
        if h == there[0]:
            yield "smallest", h, rest


def list_positions(box: Box) -> list[Heaps]:
    """All positions of a box by their numbers."""
    if not box.heaps:
        return [()]
    return list(zip(*(c.tolist() for c in box.columns), strict=True))


def record(position: Heaps, bits: int, lines: Lines) -> None:
    """Put a row of bits onto all lines of its position."""
    if bits:
        for h in set(position):
            at = position.index(h)
            lines.setdefault(position[:at] + position[at + 1 :], []).append((h, bits))
