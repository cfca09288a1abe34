"""Where a claim fails, as tables whose cells are the darker the more cases fail."""

from __future__ import annotations

from dataclasses import dataclass

from checks.results.pictures import Failures, Groups

SHADES = 5  # of cells with failures
WIDEST = 20  # columns of a row that stands alone: a longer one goes on in the next table


@dataclass(frozen=True)
class HeatCell:
    """A group of cases: `failing` of `met`, those that meet the hypotheses, and its shade, 0 for none that fails."""

    failing: int
    met: int
    shade: int


@dataclass(frozen=True)
class Heat:
    """A table: `across` and `down` are its headings, `down` with the name "" where there is one row alone.

    None stands where no case meets the hypotheses.
    """

    across: tuple[str, tuple[int, ...]]
    down: tuple[str, tuple[int, ...]]
    rows: tuple[tuple[HeatCell | None, ...], ...]


def heat_tables(failures: Failures) -> list[Heat]:
    """A table for each grouping by one or two values."""
    return [x for names, groups in failures.by if len(names) <= 2 and groups for x in _cut(names, groups)]


def _cut(names: tuple[str, ...], groups: Groups) -> list[Heat]:
    most = max(failing for _, failing, _ in groups)
    parts = 1 if len(names) == 2 else -(-len(groups) // WIDEST)
    step = -(-len(groups) // parts)
    return [_table(names, groups[i : i + step], most) for i in range(0, len(groups), step)]


def _table(names: tuple[str, ...], groups: Groups, most: int) -> Heat:
    cells = {key: HeatCell(failing, met, shade(failing, most)) for key, failing, met in groups}
    if len(names) == 1:
        values = tuple(key[0] for key in cells)
        return Heat((names[0], values), ("", (0,)), (tuple(cells[key] for key in cells),))
    down, across = (tuple(sorted({key[i] for key in cells})) for i in (0, 1))
    return Heat((names[1], across), (names[0], down), tuple(tuple(cells.get((y, x)) for x in across) for y in down))


def shade(failing: int, most: int) -> int:
    """0 for none, else 1 to SHADES by its part of the most.

    >>> shade(0, 9), shade(1, 9), shade(9, 9), shade(5, 9)
    (0, 1, 5, 3)
    """
    return 0 if not failing else min(SHADES, 1 + failing * SHADES // (most + 1))


def share(failures: Failures) -> str:
    """The part of the cases that fail, in words.

    >>> share(Failures(58, 2585, (), ())), share(Failures(3, 3, (), ())), share(Failures(1, 5000, (), ()))
    ('2.2 %', 'all of them', 'less than 0.1 %')
    >>> share(Failures(4999, 5000, (), ()))
    'more than 99.9 %'
    """
    if failures.failing == failures.met:
        return "all of them"
    hundredths = 100 * failures.failing / failures.met
    if hundredths < 0.1:
        return "less than 0.1 %"
    if hundredths > 99.9:
        return "more than 99.9 %"
    return f"{hundredths:.1f} %".replace(".0 ", " ")
