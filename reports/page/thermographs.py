"""The picture of a thermograph: the two walls, and the mast at the mean value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

WIDTH, HEIGHT, MARGIN = 320, 180, 40  # px; the margin is on all sides
Wall = Sequence[tuple[Fraction, Fraction]]  # the corners (tax, value), from the tax 0 to the foot of the mast


def describe_thermograph(left: Wall, right: Wall) -> str:
    """Return the corners of a thermograph in words.

    >>> describe_thermograph([(0, 1), (1, 0)], [(0, -1), (1, 0)])
    'The left wall is at 1 for the tax 0, 0 for the tax 1. The right wall is at -1 for the tax 0, 0 for the tax 1. \
From the tax 1 on, the mast is at 0.'
    """
    sides = (
        f"The {name} wall is at {', '.join(f'{v} for the tax {t}' for t, v in wall)}."
        for name, wall in (("left", left), ("right", right))
    )
    foot, mean = left[-1]
    return f"{' '.join(sides)} From the tax {foot} on, the mast is at {mean}."


def draw_thermograph(left: Wall, right: Wall) -> Markup:
    """Return a thermograph as a figure with an SVG element, and a caption that says the same in words.

    Larger values are on the left, as in Winning Ways, chapter 6. The tax grows upwards.
    """
    (foot, mean), high, low = left[-1], left[0][1], right[0][1]
    top, width = foot + max(foot / 3, Fraction(1)), max(high - low, Fraction(1))
    start = (high + low + width) / 2  # the value at the left edge

    def place(tax: Fraction, value: Fraction) -> tuple[float, float]:
        return MARGIN + float(WIDTH * (start - value) / width), MARGIN + float(HEIGHT * (1 - tax / top))

    def label(tax: Fraction, value: Fraction, text: Fraction, below: int) -> str:
        x, y = place(tax, value)
        return (
            f'<text x="{x:g}" y="{y + below:g}" text-anchor="middle" fill="currentColor" font-size="13">{text}</text>'
        )

    base = MARGIN + HEIGHT
    shapes = [f'<path d="M{MARGIN / 2:g} {base}H{WIDTH + 3 * MARGIN / 2:g}" stroke-width="1"/>']
    for wall in (left, right):
        points = " ".join(f"{x:g},{y:g}" for x, y in (place(t, v) for t, v in (*wall, (top, mean))))
        shapes.append(f'<polyline points="{points}" stroke-width="2"/>')
    labels = [label(Fraction(0), value, value, 18) for value in sorted({high, low})] + [label(top, mean, mean, -8)]
    if foot > 0:
        x, y = place(foot, mean)
        shapes.append(f'<path d="M{MARGIN / 2:g} {y:g}H{x:g}" stroke-width="1" stroke-dasharray="3 4"/>')
        labels.append(f'<text x="4" y="{y - 5:g}" fill="currentColor" font-size="13">{foot}</text>')
    size = f"{WIDTH + 2 * MARGIN}", f"{HEIGHT + 2 * MARGIN}"
    inside = f'<g fill="none" stroke="currentColor">{"".join(shapes)}</g>{"".join(labels)}'
    words = describe_thermograph(left, right)
    from markupsafe import Markup  # here, because most runs make no page

    return Markup(  # noqa: S704 - only numbers are inserted
        f'<figure><svg width="{size[0]}" height="{size[1]}" viewBox="0 0 {size[0]} {size[1]}" role="img" '
        f'aria-label="Thermograph. {words}">{inside}</svg><figcaption>Thermograph: the values from left to right, the '
        f"largest first, and the tax upwards. {words}</figcaption></figure>"
    )
