"""A comparison as text for a terminal, and as Markdown for a comment in a review."""

from __future__ import annotations

from collections.abc import Iterator

from checks.results.verdicts import Verdict
from reports.comparison.changes import ChangedClaim, Comparison
from reports.ground.wording import clip, count, visible
from reports.markdown.text import code_cell, escape, table

LENGTH = 200  # characters of a value
ROWS = 100  # of the table, which a comment must have room for


def to_text(found: Comparison) -> str:
    r"""The changes, a claim after the other, then how many there are.

    >>> to_text(Comparison((ChangedClaim("a", "proved", ""),), 3, ()))
    'a: gone, was proved\n\n1 claim gone; 3 claims say the same\n'
    """
    lines = [line for claim in found.claims for line in _tell(claim)]
    return "\n".join([*lines, "", *_conclusion(found)] if lines else list(_conclusion(found))) + "\n"


def _tell(claim: ChangedClaim) -> Iterator[str]:
    id = _line(claim.id)
    if not claim.old:
        yield f"{id}: new, {claim.new}"
    elif not claim.new:
        yield f"{id}: gone, was {claim.old}"
    else:
        yield id
        yield from (f"  {_line(c.what)}: {_line(c.old)} -> {_line(c.new)}" for c in claim.changes)


def to_brief(found: Comparison) -> str:
    r"""A line for each claim that is worse, new, gone, or of another verdict; then how many there are.

    >>> to_brief(Comparison((ChangedClaim("a", "proved", "verified", (), "verified is less than proved"),), 3, ()))
    'a: proved -> verified; worse: verified is less than proved\n1 claim with another verdict; 3 claims say the same\n'
    """
    told = [claim for claim in found.claims if claim.worse or claim.old != claim.new]
    return "\n".join([*map(_tell_briefly, told), *_conclusion(found)]) + "\n"


def _tell_briefly(claim: ChangedClaim) -> str:
    id = _line(claim.id)
    if not claim.new:
        return f"{id}: gone, was {claim.old}"
    said = (
        f"new, {claim.new}" if not claim.old else claim.new if claim.old == claim.new else f"{claim.old} -> {claim.new}"
    )
    return f"{id}: {said}" + (f"; worse: {_line(claim.worse)}" if claim.worse else "")


def to_table(found: Comparison) -> str:
    """The same as Markdown, changed verdicts first."""
    parts = [f"**{line}**" if i == 0 else line for i, line in enumerate(map(escape, _conclusion(found)))]
    ordered = sorted(found.claims, key=lambda c: c.old == c.new)
    rows = [row for claim in ordered for row in _rows(claim)]
    if rows:
        parts.append(table(["claim", "what", "old", "new"], rows[:ROWS]))
    if len(rows) > ROWS:
        parts.append(f"{count(len(rows) - ROWS, 'more line')}, which `checks diff` shows.")
    return "\n\n".join(parts) + "\n"


def _rows(claim: ChangedClaim) -> Iterator[list[str]]:
    id = code_cell(claim.id)
    if not (claim.old and claim.new):
        yield [id, "gone" if claim.old else "new", claim.old, claim.new]
    for change in claim.changes:
        new = escape(clip(change.new, LENGTH))
        worse = change.what == "verdict" and Verdict(claim.new).rank > Verdict(claim.old).rank
        yield [id, escape(clip(change.what, LENGTH)), escape(clip(change.old, LENGTH)), f"**{new}**" if worse else new]


def _conclusion(found: Comparison) -> Iterator[str]:
    both = [c for c in found.claims if c.old and c.new]
    numbers = [
        ("with another verdict", sum(c.old != c.new for c in both)),
        ("changed otherwise", sum(c.old == c.new for c in both)),
        ("new", sum(not c.old for c in found.claims)),
        ("gone", sum(not c.new for c in found.claims)),
    ]
    told = [f"{count(number, 'claim')} {words}" for words, number in numbers if number]
    same = f"{count(found.same, 'claim')} {'says' if found.same == 1 else 'say'} the same"
    yield "; ".join([", ".join(told), same] if told else [same])
    if found.unknown:
        yield f"not compared, for one of the reports does not have it: {', '.join(found.unknown)}"


def _line(text: str) -> str:
    return clip(" ".join(visible(text).split()), LENGTH)
