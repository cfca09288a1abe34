"""The proof of a claim on the page: its words, and its obligations in full as compressed text."""

from __future__ import annotations

import base64
import json
import re
import shlex
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from markupsafe import Markup

from checks.results.model import ClaimResult
from checks.results.shown import ExampleMove, ObligationText, ProofCell, ProofTable
from checks.results.wording import Fate, ObligationMark, make_command_argument
from claims.language.errors import escape_invisible
from reports.page.typography import hold, names_of, set_text

# -- all obligations, packed ------------------------------------------------------------------------------------------
# The full text of the obligations of a page: each text once, in one compressed block.


LONGEST = 20_000  # characters of an obligation that a page shows; longer ones are for the command line


@dataclass(frozen=True)
class Packed:
    """The obligations of some claims (the statements that imply them together), compressed for the page.

    `block`: a JSON list of [HTML, digest], compressed by zlib, in base64; "" if there are none.
    `places`: maps (id of a claim, name of an obligation) to the index of the obligation in this list.
    """

    block: str
    places: dict[tuple[str, str], int] = field(default_factory=dict)


def pack(claims: Iterable[ClaimResult]) -> Packed:
    """Return the obligations of these claims, compressed. Equal obligations are stored once, and long ones omitted."""
    entries: dict[tuple[str, str], int] = {}
    places = {}
    for claim in claims:
        digests = {o.name: o.formula for o in claim.finding.obligations}
        for asked in () if claim.presentation.proof is None else claim.presentation.proof.obligation_texts:
            if len(asked.text) <= LONGEST:
                entry = show_asked(asked), digests.get(asked.name, "")
                places[claim.id, asked.name] = entries.setdefault(entry, len(entries))
    if not entries:
        return Packed("")
    data = json.dumps(list(entries), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    return Packed(base64.b64encode(zlib.compress(data)).decode(), places)


def show_asked(asked: ObligationText) -> str:
    """Return an obligation as HTML: as formulas if there is a typeset form, otherwise as lines of code."""
    if asked.markup:
        return asked.markup
    return "".join(f"<p><code>{escape(escape_invisible(line))}</code></p>" for line in asked.text.split("\n"))


# -- words ------------------------------------------------------------------------------------------------------------
# The words around a proof on the page.


def show_command(claim: ClaimResult) -> str:
    """Return the shell command that prints the claim."""
    return f"python -m checks show {shlex.quote(make_command_argument(claim))}"


def proof_seconds(claim: ClaimResult) -> str:
    """Return the time of the proof, such as `3.6 s`; "" if it is not known."""
    assert claim.presentation.proof is not None
    seconds = next((r.seconds for r in claim.finding.routes if r.encoder == claim.presentation.proof.rule), 0.0)
    return (f"{seconds:.1f} s" if seconds >= 0.05 else "less than 0.1 s") if seconds else ""


def position(heaps: tuple[int, ...]) -> str:
    """Return a position as text.

    >>> position((2, 2, 4)), position(())
    ('(2, 2, 4)', '()')
    """
    return f"({', '.join(map(str, heaps))})"


def proof_names(claim: ClaimResult) -> frozenset[str]:
    """Return the one-letter names that are variables in the text of a proof, so that they are set in italics.

    They are the variables and parameters of the claim, the names that the proof gives to numbers computed from a
    position, and h and j.
    """
    assert claim.presentation.proof is not None
    first = (row.cells[0] for table in claim.presentation.proof.tables if table.kind == "folds" for row in table.rows)
    folds = {x for cell in first for x in cell.parts if isinstance(x, str) and len(x) == 1}
    return names_of(claim) | folds | {"h", "j"}


FEW_DEFINED = 4  # this many obligations of definedness are listed with the others


def sort_ground(marks: Sequence[ObligationMark]) -> tuple[list[ObligationMark], list[ObligationMark]]:
    """Divide the obligations that belong to no line of the proof into two lists: (shown, folded).

    The second list contains the proved obligations that some expression is defined. It is empty if there are at most
    FEW_DEFINED of them; then the first list contains them too.
    """
    defined = [m for m in marks if "defined:" in m.name and m.fate is Fate.PROVED]
    if len(defined) <= FEW_DEFINED:
        return list(marks), []
    return [m for m in marks if m not in defined], defined


def set_name(cell: ProofCell) -> Markup:
    """Return the name in a cell in italics, with an index if it has one, as in formulas.

    >>> set_name(ProofCell(("n_one",))), set_name(ProofCell(("X",))), set_name(ProofCell(("far_ones",)))
    (Markup('<i>n<sub>one</sub></i>'), Markup('<i>X</i>'), Markup('<i>far ones</i>'))
    """
    name = escape_invisible(str(cell.parts[0]))
    found = _WITH_INDEX.fullmatch(name)
    shown = f"{escape(found[1])}<sub>{escape(found[2])}</sub>" if found else escape(name.replace("_", " "))
    return Markup(f"<i>{shown}</i>")  # noqa: S704 - each is escaped


_WITH_INDEX = re.compile(r"([^\W\d_])_?(\d{1,4}|(?<=_)[^\W\d_]+)")


def is_worded(cell: ProofCell) -> bool:
    """Return whether a cell contains words, not only formulas, so that every screen reader can read it as a heading."""
    return bool(cell.words) or any(isinstance(part, str) for part in cell.parts)


def set_cell(cell: ProofCell, names: Collection[str]) -> Markup:
    """Return the words and formulas of a cell, separated by spaces except before a comma or semicolon.

    If a formula distinguishes cases, commas become line breaks.
    """
    parts, tall = [], any(not isinstance(part, str) and "<mtable" in part.markup for part in cell.parts)
    for i, part in enumerate(cell.parts):
        if i and not (isinstance(part, str) and part.startswith((",", ";"))):
            parts.append(Markup("<br>") if cell.parts[i - 1] == ", " and tall else Markup(" "))
        # Markup of formulas is made by us from terms, every name and number in it escaped.
        parts.append(set_text(part.strip(), names) if isinstance(part, str) else Markup(part.markup))  # noqa: S704
    return hold(Markup("").join(parts))


def shared_values(table: ProofTable) -> tuple[tuple[str, int], ...]:
    """Return the pairs (integer variable, value) that all examples in a table share; () if their values differ."""
    found = {row.instance.values for row in table.rows if row.instance is not None}
    return next(iter(found)) if len(found) == 1 else ()


def draw_tokens(instance: ExampleMove) -> tuple[str, str]:
    """Return two SVG paths that draw the position before a move: the tokens that stay, and the tokens that are taken.

    Each heap is a column of dots.

    >>> draw_tokens(ExampleMove((), "", (1, 2), (1, 1), 2, 1))
    ('M4 12h0M15 12h0', 'M15 4h0')
    """
    moved, top = instance.before.index(instance.heap), max(instance.before)
    paths = ["", ""]
    for column, size in enumerate(instance.before):
        for level in range(size):
            taken = column == moved and level >= instance.left
            paths[taken] += f"M{11 * column + 4} {8 * (top - level) - 4}h0"
    return paths[0], paths[1]
