"""The words around a proof on the page."""

from __future__ import annotations

import shlex
from collections.abc import Collection

from markupsafe import Markup

from checks.results.model import ClaimResult
from checks.results.proof import Cell, Instance, ProofTable
from reports.page.typography import names_of, set_text
from reports.wording import wanted


def show_command(claim: ClaimResult) -> str:
    """The command that shows the claim on a terminal."""
    return f"python -m checks show {shlex.quote(wanted(claim))}"


def proof_seconds(claim: ClaimResult) -> str:
    """The time that the proof took: `3.6 s`; "" if it is not known."""
    assert claim.presentation.proof is not None
    seconds = next((r.seconds for r in claim.finding.routes if r.encoder == claim.presentation.proof.rule), 0.0)
    return f"{seconds:.1f} s" if seconds else ""


def position(heaps: tuple[int, ...]) -> str:
    """A position by its heaps.

    >>> position((2, 2, 4)), position(())
    ('(2, 2, 4)', '()')
    """
    return f"({', '.join(map(str, heaps))})"


def proof_names(claim: ClaimResult) -> frozenset[str]:
    """The letters that stand for something in the proof: those of the claim, what is read off its heaps, and h."""
    assert claim.presentation.proof is not None
    first = (row.cells[0] for table in claim.presentation.proof.tables if table.kind == "folds" for row in table.rows)
    folds = {x for cell in first for x in cell.parts if isinstance(x, str) and len(x) == 1}
    return names_of(claim) | folds | {"h"}


def is_worded(cell: Cell) -> bool:
    """Whether a cell has words, so that it can head a row: not every program reads formulas out."""
    return bool(cell.words) or any(isinstance(part, str) for part in cell.parts)


def set_cell(cell: Cell, names: Collection[str]) -> Markup:
    """The words and formulas of a cell, with a space before each that starts with no comma."""
    parts = []
    for i, part in enumerate(cell.parts):
        if i and not (isinstance(part, str) and part.startswith(",")):
            parts.append(Markup(" "))
        # Markup of formulas is made by us from terms, every name and number in it escaped.
        parts.append(set_text(part.strip(), names) if isinstance(part, str) else Markup(part.markup))  # noqa: S704
    return Markup("").join(parts)


def shared_values(table: ProofTable) -> tuple[tuple[str, int], ...]:
    """The values of the claim's integers at which all instances of a table are; none if they differ."""
    found = {row.instance.values for row in table.rows if row.instance is not None}
    return next(iter(found)) if len(found) == 1 else ()


def draw_tokens(instance: Instance) -> tuple[str, str]:
    """The position before the move as paths of dots, a column for each heap: the tokens that stay, those taken.

    >>> draw_tokens(Instance((), "", (1, 2), (1, 1), 2, 1))
    ('M4 12h0M15 12h0', 'M15 4h0')
    """
    moved, top = instance.before.index(instance.heap), max(instance.before)
    paths = ["", ""]
    for column, size in enumerate(instance.before):
        for level in range(size):
            taken = column == moved and level >= instance.left
            paths[taken] += f"M{11 * column + 4} {8 * (top - level) - 4}h0"
    return paths[0], paths[1]
