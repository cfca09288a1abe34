"""A proof on a terminal: its tables in 80 columns, and under each line the obligations that show it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from checks.results.proof import ProofCell, ProofPresentation, ProofRow, ProofTable

WIDTH = 80


def tell(proof: ProofPresentation) -> Iterator[str]:
    """The lines."""
    yield f"proof (rule: {proof.rule})"
    yield from _wrap(proof.summary, "  ")
    where = ""
    for table in proof.tables:
        if table.where is not None and table.where.text != where:
            where = table.where.text
            yield from ("", *_wrap(f"Where {where}", "  "))
        yield ""
        yield f"  {table.title}"
        for number, row in enumerate(table.rows, 1):
            yield from _tell_row(table, row, number)
    if proof.ground:
        yield ""
        yield "  Other obligations"
        yield from (line for name in proof.ground for line in _wrap(f"- {name}", "    ", "      "))


def _tell_row(table: ProofTable, row: ProofRow, number: int) -> Iterator[str]:
    """Of moves each cell on a line of its own, else the first with what it is."""
    texts = [say_cell(cell) for cell in row.cells]
    if table.kind == "moves":
        for i, (column, text) in enumerate(zip(table.columns, texts, strict=True)):
            start = f"{number:>4}. " if i == 0 else " " * 6
            yield from _wrap(f"{column.lower()}: {text}", start, " " * 8)
    else:
        yield from _wrap(": ".join(x for x in texts if x), "    ", "      ")
    for step in row.steps:
        yield from _wrap(f"- {step.name}", " " * 8, " " * 10)


def say_cell(cell: ProofCell) -> str:
    """Its words, then what is written in the claim language, in parentheses where it has both."""
    text = ""
    for part in cell.parts:
        shown = part if isinstance(part, str) else part.text
        text += ("" if not text or shown.startswith(",") else " ") + shown.strip()
    return f"{cell.words} ({text})" if cell.words and text else cell.words or text


def _wrap(text: str, first: str, rest: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
