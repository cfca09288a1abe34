"""A proof in report.md: its tables, each line with what shows it; what is not proved says where it fails."""

from __future__ import annotations

from collections.abc import Iterator

from checks.results.marks import Fate, ObligationMark, describe_proved, find_ground, find_marks
from checks.results.model import ClaimResult
from checks.results.proof import ProofCell, ProofRow, ProofTable
from reports.markdown.text import code_cell, escape


def proof_blocks(claim: ClaimResult) -> Iterator[str]:
    """The proof of a claim as blocks of Markdown; none without one. It has no times."""
    if claim.presentation.proof is None:
        return
    yield f"**The proof.** {escape(claim.presentation.proof.summary)} {escape(describe_proved(claim))}."
    for table in claim.presentation.proof.tables:
        where = "" if table.where is None else f"Where {code_cell(table.where.text)}: "
        yield f"{where}*{escape(table.title)}*"
        yield "\n".join(_table(claim, table))
    if ground := find_ground(claim):
        yield f"*Other obligations*: {_shown(ground)}"


def _table(claim: ClaimResult, table: ProofTable) -> Iterator[str]:
    shown = any(row.steps for row in table.rows)
    head = [*table.columns, *(["Shown by"] if shown else [])]
    yield _line(escape(x) for x in head)
    yield _line("---" for _ in head)
    for row in table.rows:
        yield _line((*map(_cell, row.cells), *([_steps(claim, row)] if shown else [])))


def _line(cells: Iterator[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: ProofCell) -> str:
    """Its words, then its formulas as code, in parentheses where it has both."""
    text = ""
    for part in cell.parts:
        shown = escape(part) if isinstance(part, str) else code_cell(part.text)
        text += ("" if not text or shown.startswith(",") else " ") + shown
    return f"{escape(cell.words)} ({text})" if cell.words and text else escape(cell.words) or text


def _steps(claim: ClaimResult, row: ProofRow) -> str:
    return _shown(find_marks(claim, row.steps))


def _shown(marks: tuple[ObligationMark, ...]) -> str:
    """What is proved, then what is not and why, then what was not tried."""
    parts = []
    if proved := [m.label for m in marks if m.fate is Fate.PROVED]:
        parts.append(f"proved: {escape(', '.join(proved))}")
    parts += [f"**{escape(m.label)}: {escape(m.said)}**" for m in marks if m.fate not in (Fate.PROVED, Fate.UNTRIED)]
    if untried := [m.label for m in marks if m.fate is Fate.UNTRIED]:
        parts.append(f"not tried: {escape(', '.join(untried))}")
    return "; ".join(parts)
