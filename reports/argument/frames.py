"""Frames: how wide the columns of a part and the gaps between them are, and where parts stand on the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

PAGE = 945.0  # px that a map may well be wide
BESIDE, BELOW = 56.0, 30.0  # parts, from each other
CLOSE = (20.0, 1.3, 34.0)  # a narrow gap: at least, more for each line in it, at most
WIDE = (30.0, 4.0, 84.0)  # a wide one

Column = tuple[float, float]  # where it begins and ends, in px


@dataclass(frozen=True)
class Frame:
    """The columns of a part, the first of them from 0, and its size."""

    columns: tuple[Column, ...]
    height: float

    @property
    def width(self) -> float:
        return self.columns[-1][1]


def frame(widths: Sequence[float], crowd: Sequence[int], height: float) -> Frame:
    """Columns of these widths. Gaps are as wide as the page allows, wider where more lines run through them."""
    close, wide = ([_gap(size, n) for n in crowd[: len(widths) - 1]] for size in (CLOSE, WIDE))
    room = PAGE - sum(widths) - sum(close)
    share = min(1.0, max(0.0, room / (sum(wide) - sum(close)))) if close else 0.0
    columns, x = [], 0.0
    for i, width in enumerate(widths):
        columns.append((x, x + width))
        if i < len(close):
            x += width + close[i] + share * (wide[i] - close[i])
    return Frame(tuple(columns), height)


def _gap(size: tuple[float, float, float], lines: int) -> float:
    least, each, most = size
    return min(most, least + each * lines)


def put_on_shelves(frames: Iterable[Frame]) -> Iterator[tuple[float, float]]:
    """Where each part stands: its left and its top. Side by side as far as the page is wide, then below."""
    x = y = high = 0.0
    for part in frames:
        if x and x + part.width > PAGE:
            x, y, high = 0.0, y + high + BELOW, 0.0
        yield x, y
        x += part.width + BESIDE
        high = max(high, part.height)
