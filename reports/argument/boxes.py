"""The boxes of statements: what stands in each, how large it is, and how those in one stack stand below each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from checks.results.model import ClaimResult
from reports.argument.labels import SIZE, measure, name_below, short_name, wrap

TEXT, TEXT_BELOW = 68.0, 84.0  # px: a longer name is broken, if it has words
SIGN, AFTER = 21.0, 7.0  # from the left edge to the text, from the text to the right edge
HEIGHTS = {1: 27.0, 2: 39.0}  # by lines
LEADING = 13.0
INDENT, BELOW = 12.0, 5.0  # of what stands in place of another


@dataclass(frozen=True)
class Box:
    """A node before it has a place. `top`: below that of its stack; `indent`: from the left edge of the stack."""

    claim: ClaimResult
    top: float
    indent: float
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        return HEIGHTS[len(self.lines)]

    @property
    def middle(self) -> float:
        """Below the top of the stack."""
        return self.top + self.height / 2

    @property
    def width(self) -> float:
        """What it needs, with its indent."""
        return self.indent + SIGN + max(map(measure, self.lines)) + AFTER

    def baselines(self, middle: float) -> Iterator[tuple[str, float]]:
        """Its lines and where they stand, for a box with its middle there."""
        first = middle + SIZE * 0.36 - (len(self.lines) - 1) * LEADING / 2
        return ((line, first + i * LEADING) for i, line in enumerate(self.lines))


def fill(stack: tuple[str, ...], claims: Mapping[str, ClaimResult]) -> dict[str, Box]:
    """The boxes of a statement and of what is stated in its place, from the top."""
    found: dict[str, Box] = {}
    top = 0.0
    for id in stack:
        claim = claims[id]
        above = claims.get(claim.statement.repairs) if found else None
        text = short_name(claim) if above is None else name_below(claim, above)
        found[id] = Box(claim, top, INDENT if found else 0.0, wrap(text, TEXT_BELOW if found else TEXT))
        top += found[id].height + BELOW
    return found
