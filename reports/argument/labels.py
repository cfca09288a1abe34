"""What stands in a node: a short name, in lines that fit, by the widths that letters have in a sans serif."""

from __future__ import annotations

from checks.results.model import ClaimResult
from reports.wording import name, visible

SIZE = 11.0  # of the letters, px
LONGEST = 28  # characters of a name
COMMA = 30.0  # px that a break behind one may cost
_NARROW, _WIDE = set("iljtfrI.,:;'()|![] "), set("mwMWGOQC@%—…")


def short_name(claim: ClaimResult) -> str:
    """The claim's short name, or what it is called cut to that length."""
    text = " ".join(visible(claim.statement.short or name(claim)).split()) or "?"
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def name_below(claim: ClaimResult, above: ClaimResult) -> str:
    """What is stated in place of another, under it: its short name without that of the other.

    A name that begins otherwise stays whole.
    """
    own, other = short_name(claim), short_name(above)
    return own.removeprefix(other + ", ") if claim.statement.short else own


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
