"""The boxes of statements: what stands in each, how large it is, and how those in one stack stand below each other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from checks.results.model import ClaimResult
from reports.ground.wording import name, visible

# -- labels -----------------------------------------------------------------------------------------------------------
# What stands in a node: a short name, in lines that fit, by the widths that letters have in a sans serif.


SIZE = 11.0  # of the letters, px


LONGEST = 28  # characters of a name


COMMA = 30.0  # px that a break behind one may cost


_NARROW, _WIDE = set("iljtfrI.,:;'()|![] "), set("mwMWGOQC@%—…")


def short_name(claim: ClaimResult) -> str:
    """The claim's short name, or what it is called cut to that length."""
    text = " ".join(visible(claim.statement.short or name(claim)).split()) or "?"
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def name_below(claim: ClaimResult, above: ClaimResult) -> str:
    """What stands under another, in its place or as a step of its proof: its short name without that of the other.

    A name without it stays whole.
    """
    own, other = short_name(claim), short_name(above)
    return own.removeprefix(other + ", ").removesuffix(" in " + other) if claim.statement.short else own


def wrap(text: str, width: float) -> tuple[str, ...]:
    """The text in one line, or in two where it would be wider than `width`, in px; broken behind a comma if any."""
    words = text.split(" ")
    if measure(text) <= width or len(words) == 1:
        return (text,)
    ways = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(ways, key=lambda way: max(map(measure, way)) - (COMMA if way[0].endswith(",") else 0.0))


def measure(text: str) -> float:
    """About how wide the text is, in px; letters beyond the Latin ones count as square."""
    return sum(_width(c) for c in text) * SIZE


def _width(letter: str) -> float:
    if ord(letter) > 0x2E00:
        return 1.0
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE or (letter.isupper() and ord(letter) > 0x7F):
        return 0.86
    return 0.7 if letter.isupper() else 0.6


# -- boxes ------------------------------------------------------------------------------------------------------------
TEXT, TEXT_BELOW = 68.0, 84.0  # px: a longer name is broken, if it has words


SIGN, AFTER = 21.0, 7.0  # from the left edge to the text, from the text to the right edge


HEIGHTS = {1: 27.0, 2: 39.0}  # by lines


LEADING = 13.0


INDENT, BELOW = 12.0, 5.0  # of what stands in place of another


TAG = 6.0  # px more above a box with a tag, which stands on its upper edge


@dataclass(frozen=True)
class StatementBox:
    """A node before it has a place. `top`: below that of its stack; `indent`: from the left edge of the stack.

    `instead`: it is stated in place of another.
    """

    claim: ClaimResult
    top: float
    indent: float
    lines: tuple[str, ...]
    instead: bool = False

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


def fill(
    stack: tuple[str, ...],
    claims: Mapping[str, ClaimResult],
    steps: Mapping[str, str],
    tagged: Collection[str] = (),
) -> dict[str, StatementBox]:
    """The boxes of a statement, of what is stated in its place and of the steps of its proof, from the top."""
    found: dict[str, StatementBox] = {}
    top = 0.0
    for id in stack:
        claim = claims[id]
        over = steps.get(id) or claim.statement.repairs
        text = name_below(claim, claims[over]) if found and over in claims else short_name(claim)
        top += TAG if found and id in tagged else 0.0
        indent = found[over].indent + INDENT if over in found else INDENT if found else 0.0
        found[id] = StatementBox(
            claim, top, indent, wrap(text, TEXT_BELOW if found else TEXT), found != {} and id not in steps
        )
        top += found[id].height + BELOW
    return found
