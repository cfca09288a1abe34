"""The line of a claim: its id, its verdict with the scope, whether its file expects another, and warnings below."""

from __future__ import annotations

import click

from checks.results.model import ClaimResult
from checks.results.phrases import mutants_phrase, survivors, verdict_phrase, visible
from checks.results.verdicts import Verdict
from checks.terminal.output import fold

LEAST_WIDTH, MOST_WIDTH = 42, 60  # of the column of ids
NARROW = 60  # columns; on fewer, each id has a line of its own
COLOURS = {
    Verdict.PROVED: "green",
    Verdict.VERIFIED: "green",
    Verdict.REFUTED: "red",
    Verdict.VACUOUS: "magenta",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.ERROR: "red",
    Verdict.INCONSISTENT: "bright_red",
}


def write_line(result: ClaimResult, width: int = LEAST_WIDTH, columns: int | None = None) -> str:
    """The line, with its colours. `width`: of the column of ids.

    `columns`: of the terminal.  There a line that is too long goes on below its verdict, and an id that would take more
    than half of the columns has a line of its own; neither ids nor words are broken.
    """
    found = result.finding
    phrase = verdict_phrase(result) + (", NOT AS EXPECTED" if found.as_expected is False else "")
    phrase += " [cached]" if result.provenance.cached else ""
    id = visible(result.id)
    if columns is None:
        lines = [f"{id:{width}} {' '.join(visible(phrase).split())}"]
    elif columns < NARROW:
        lines = [id, *fold(phrase, columns, 2, 0)]
    else:
        at = min(width, columns // 2)
        lines = fold(phrase, columns, at + 1, 0)
        lines = [id, *lines] if len(id) > at else [id + lines[0][len(id) :], *lines[1:]]
    shown = [_colour(line, id, result.verdict) for line in lines]
    told = [f"warning: {x}" for x in result.presentation.warnings]
    told += [] if found.mutants is None else [mutants_phrase(found.mutants), *survivors(found.mutants)]
    shown += [line for text in told for line in fold(text, columns, 6)]
    return "\n".join(shown)


def _colour(line: str, id: str, verdict: Verdict) -> str:
    """The line with its verdict coloured, where it has that: right behind the column of ids."""
    before = id if line.startswith(id) else ""
    rest = line[len(before) :]
    space = len(rest) - len(rest.lstrip())
    word = verdict.value
    if not rest[space:].startswith(word):
        return line
    styled = click.style(word, fg=COLOURS[verdict], bold=verdict.holds is not True)
    return before + rest[:space] + styled + rest[space + len(word) :]
