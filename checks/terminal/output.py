"""Where lines go: folded on a terminal, one each elsewhere, and nowhere once nobody reads them any more."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap

import click

from checks.results.phrases import visible

NARROWEST = 20  # columns; a terminal that says fewer is not believed
_TIED = re.compile(r"(?<=\d) (?=\d{3}(?!\d))|(?<=\w) (?== )|(?<==) (?=\S)")  # 45 045; k = 3
_POSITION = re.compile(r"\(\d+(?:, \d+)*\)")
LONGEST = 24  # characters of a position that is kept on one line
_TIE = "\N{NO-BREAK SPACE}"


def count_columns() -> int | None:
    """The width of the terminal; None where the output is no terminal, whose lines are not wrapped."""
    if not sys.stdout.isatty():
        return None
    return max(NARROWEST, shutil.get_terminal_size().columns)


def say(text: str = "") -> None:
    """Print a line, or several. If whoever read them is gone, as `head` is after ten, nothing is printed any more."""
    try:
        click.echo(text)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def warn(text: str) -> None:
    """Print a line, or several, where errors go."""
    click.echo(text, err=True)


def fold(text: str, columns: int | None, indent: int = 0, deeper: int = 2) -> list[str]:
    """The text in lines of at most so many columns, `indent` before the first, `deeper` more before the others.

    Words are never broken: one that is too long has a line of its own.  None: one line.

    >>> fold("at most 45 045 cases", 12), fold("k = 3, l = 4", 9), fold("a b", None, 2)
    (['at most', '  45 045', '  cases'], ['k = 3,', '  l = 4'], ['  a b'])
    """
    line = " ".join(visible(text).split())
    if columns is None:
        return [" " * indent + line]
    indent = min(indent, columns // 2 + 1)
    first, other = " " * indent, " " * (indent + deeper)
    tied = _POSITION.sub(_tie, _TIED.sub(_TIE, line))
    found = textwrap.wrap(
        tied,
        max(columns, indent + deeper + 1),
        initial_indent=first,
        subsequent_indent=other,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [part.replace(_TIE, " ") for part in found] or [""]


def _tie(position: re.Match[str]) -> str:
    return position[0].replace(" ", _TIE) if len(position[0]) <= LONGEST else position[0]
