"""Who wins with two heaps, drawn: a square for each pair, a dot where the claimed rule says so, a cross if wrongly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from checks.results.pictures import OutcomeMap
from claims.language.ground.errors import escape_invisible
from reports.ground.wording import count, number

UNIT = 12  # pixels of one square
LEFT, BELOW = 22, 18  # room for the axes
LISTED = 6  # differences that are named


@dataclass(frozen=True)
class OutcomePicture:
    """An outcome map for the page. `table`: for each size b of one heap the sizes of the other where it is so."""

    drawing: Markup
    summary: str
    agreement: str
    differs: bool
    table: tuple[tuple[int, str], ...]


def draw_outcomes(found: OutcomeMap) -> OutcomePicture:
    """The picture of a map, its words and its numbers."""
    solved = list(_list_true(found.solved))
    claimed = None if found.claimed is None else list(_list_true(found.claimed))
    size, least = len(found.solved), found.least
    different = [] if claimed is None else sorted(set(solved) ^ set(claimed), key=lambda c: (c[1], c[0]))
    pairs = f"{number(len(solved))} of {number(size * size)} pairs of heaps of {least}..{least + size - 1}"
    summary = f"{found.yes} at {pairs}"
    agreement = "" if claimed is None else _say_agreement(different, size * size, least)
    label = f"{found.title}: {summary}. {agreement}".strip()
    return OutcomePicture(
        _draw(size, least, solved, claimed or [], different, label),
        summary,
        agreement,
        bool(different),
        tuple((least + b, _stretches(least + a for a, row in solved if row == b) or "none") for b in range(size)),
    )


def _list_true(grid: tuple[tuple[bool, ...], ...]) -> Iterator[tuple[int, int]]:
    """(column, row) of each True."""
    for b, row in enumerate(grid):
        for a, holds in enumerate(row):
            if holds:
                yield a, b


def _say_agreement(different: list[tuple[int, int]], pairs: int, least: int) -> str:
    if not different:
        return f"The claimed rule agrees at each of the {number(pairs)} pairs."
    named = ", ".join(f"({least + a}, {least + b})" for a, b in different[:LISTED])
    more = f" and {number(len(different) - LISTED)} more" if len(different) > LISTED else ""
    return f"The claimed rule differs at {count(len(different), 'pair')}: {named}{more}."


def _stretches(values: Iterable[int]) -> str:
    """Integers in ascending order as stretches: `0, 3..7`."""
    runs: list[list[int]] = []
    for x in values:
        if runs and x == runs[-1][1] + 1:
            runs[-1][1] = x
        else:
            runs.append([x, x])
    return ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in runs)


def _draw(
    size: int,
    least: int,
    solved: list[tuple[int, int]],
    claimed: list[tuple[int, int]],
    different: list[tuple[int, int]],
    label: str,
) -> Markup:
    side = size * UNIT
    width, height = LEFT + side + 6, side + BELOW + 4
    parts = [
        Markup('<rect class="no" width="{0}" height="{0}"/>').format(side),
        Markup('<path class="yes" d="{}"/>').format(_draw_areas(size, solved)),
        Markup('<path class="rule" d="{}"/>').format(_draw_dots(size, set(claimed) - set(different))),
        Markup('<path class="differs" d="{}"/>').format(_draw_crosses(size, different)),
        Markup('<path class="frame" d="M0 0h{0}v{0}h-{0}z"/>').format(side),
        *_draw_axes(size, least),
    ]
    opening = Markup('<svg viewBox="-{} -2 {} {}" width="{}" height="{}" role="img" aria-label="{}">').format(
        LEFT, width, height, width, height, escape_invisible(label)
    )
    return opening + Markup("").join(parts) + Markup("</svg>")


def _draw_areas(size: int, cells: list[tuple[int, int]]) -> str:
    """The squares, those beside each other in one row as one."""
    found, taken = [], set(cells)
    for a, b in cells:
        if (a - 1, b) in taken:
            continue
        end = a
        while (end, b) in taken:
            end += 1
        w = (end - a) * UNIT
        found.append(f"M{a * UNIT} {(size - 1 - b) * UNIT}h{w}v{UNIT}h-{w}z")
    return "".join(found)


def _draw_dots(size: int, cells: Iterable[tuple[int, int]]) -> str:
    """Lines of no length, whose round ends are the dots."""
    half = UNIT // 2
    return "".join(f"M{a * UNIT + half} {(size - 1 - b) * UNIT + half}h0" for a, b in sorted(cells))


def _draw_crosses(size: int, cells: Iterable[tuple[int, int]]) -> str:
    return "".join(f"M{a * UNIT + 2} {(size - 1 - b) * UNIT + 2}l8 8m0-8l-8 8" for a, b in cells)


def _draw_axes(size: int, least: int) -> Iterator[Markup]:
    step = 1 if size <= 9 else 2 if size <= 17 else 5 if size > 30 else 4
    side, half = size * UNIT, UNIT / 2
    for i in range(size):
        if (least + i) % step == 0:
            at = i * UNIT + half
            yield Markup('<text x="{:g}" y="{}" text-anchor="middle">{}</text>').format(at, side + 14, least + i)
            yield Markup('<text x="-5" y="{:g}" text-anchor="end">{}</text>').format(side - at + 4, least + i)
