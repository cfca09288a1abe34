"""Terminal output: lines that are wrapped at the width of the terminal, and colours."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checks.results.verdicts import Verdict
from claims.language.errors import escape_invisible

if TYPE_CHECKING:
    from checks.results.model import ClaimResult, RouteRecord


# == colour ===========================================================================================================
def wants_colour() -> bool | None:
    """Return whether the environment turns colours on or off; None if it does not decide.

    The variables are NO_COLOR (no-color.org), FORCE_COLOR, and TERM=dumb, in this order of priority.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return False if os.environ.get("TERM") == "dumb" else None


# == output ===========================================================================================================
# On a terminal, lines are wrapped at its width. If nothing reads the output any more, it is dropped.
NARROWEST = 20  # columns; a smaller width that a terminal reports is ignored


_TIED = re.compile(r"(?<=\d) (?=\d{3}(?!\d))|(?<=\w) (?== )|(?<==) (?=\S)")  # 45 045; k = 3


_POSITION = re.compile(r"\(\d+(?:, \d+)*\)")


LONGEST = 24  # characters; only a position that is longer may be broken between two lines


_TIE = "\N{NO-BREAK SPACE}"


def count_columns() -> int | None:
    """Return the width of the terminal, at least NARROWEST. If the output is not a terminal, return None."""
    if not sys.stdout.isatty():
        return None
    return max(NARROWEST, shutil.get_terminal_size().columns)


def say(text: str = "") -> None:
    """Print text and a line break. If nothing reads the output any more, as after `head`, drop the text."""
    _print(text, err=False)


def link(path: Path) -> str:
    """Return the path relative to the working folder; on a terminal, with the codes that make it a link."""
    shown = os.path.relpath(path)
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return shown
    return f"\x1b]8;;{path.resolve().as_uri()}\x1b\\{shown}\x1b]8;;\x1b\\"


def warn(text: str) -> None:
    """Print lines on stderr, as `say` does on stdout."""
    _print(text, err=True)


def _print(text: str, err: bool) -> None:
    try:
        click.echo(text, err=err)
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.EIO):  # the reader is gone; the terminal is
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), (sys.stderr if err else sys.stdout).fileno())


def fold(text: str, columns: int | None, indent: int = 0, deeper: int = 2) -> list[str]:
    """Return the text in lines of at most `columns` columns; if `columns` is None, in one line.

    The first line is indented by `indent` spaces, each later line by `deeper` more spaces.
    A word is never broken: a word that is too long has its own line.
    >>> fold("at most 45 045 cases", 12), fold("k = 3, l = 4", 9), fold("a b", None, 2)
    (['at most', '  45 045', '  cases'], ['k = 3,', '  l = 4'], ['  a b'])
    """
    line = " ".join(escape_invisible(text).split())
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


# -- the line of a claim ----------------------------------------------------------------------------------------------
# The line of a claim: its id, and its verdict with the scope. Warnings are below this line.


LEAST_WIDTH, MOST_WIDTH = 42, 60  # of the column of ids


NARROW = 60  # columns; on a narrower terminal, each id has its own line


COLOURS = {
    Verdict.PROVED: "green",
    Verdict.VERIFIED: "green",
    Verdict.REFUTED: "red",
    Verdict.VACUOUS: "magenta",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.ERROR: "red",
    Verdict.INCONSISTENT: "bright_red",
}


def count_verdicts(results: Sequence[ClaimResult]) -> str:
    """Return the number of claims with each verdict, in the order of Verdict: `110 proved, 23 refuted`."""
    counts = [(v, sum(r.verdict is v for r in results)) for v in Verdict]
    return ", ".join(click.style(f"{n} {v.value}", fg=COLOURS[v]) for v, n in counts if n)


def write_line(result: ClaimResult, width: int = LEAST_WIDTH, columns: int | None = None, verbose: bool = False) -> str:
    """Return the line of a claim, with colours, and below it the warnings and the surviving mutants.

    `width`: the width of the column of ids.
    `columns`: the width of the terminal, or None for lines of any length. A longer line is continued below the verdict.
    An id that needs more than half of the terminal has its own line. Ids and words are never broken.
    `verbose`: whether to add the engines that searched the cases, the reasons why others did not, and the number of
    cases that the referee evaluated.
    """
    from checks.results.wording import mutants_phrase, rechecked_phrase, survivors, verdict_phrase

    found = result.finding
    phrase = verdict_phrase(result) + (", NOT AS EXPECTED" if found.as_expected is False else "")
    phrase += " [cached]" if result.provenance.cached else ""
    id = escape_invisible(result.id)
    if columns is None:
        lines = [f"{id:{width}} {' '.join(escape_invisible(phrase).split())}"]
    elif columns < NARROW:
        lines = [id, *fold(phrase, columns, 2, 0)]
    else:
        at = min(width, columns // 2)
        lines = fold(phrase, columns, at + 1, 0)
        lines = [id, *lines] if len(id) > at else [id + lines[0][len(id) :], *lines[1:]]
    shown = [_colour(line, id, result.verdict) for line in lines]
    told = [f"warning: {x}" for x in result.presentation.warnings]
    told += [] if found.mutants is None else [mutants_phrase(found.mutants), *survivors(found.mutants)]
    if verbose:
        told += [line for route in found.routes for line in _list_engines(route)]
        told += [f"the referee {rechecked_phrase(found)}"] if found.sampled else []
    shown += [line for text in told for line in fold(text, columns, 6)]
    return "\n".join(shown)


def _list_engines(route: RouteRecord) -> Iterator[str]:
    """Yield the engines of a route, its fallbacks, and why other engines were not used."""
    if route.searched:
        solved = f"; games solved by: {', '.join(route.engines)}" if route.engines else ""
        yield f"engine: {', '.join(route.searched)}{solved}"
    yield from (f"fallback: {x}" for x in route.fallbacks)
    yield from (f"not used: {x.engine}: {x.reason}" for x in route.passed_over)


def _colour(line: str, id: str, verdict: Verdict) -> str:
    """Colour the verdict in a line that begins with the verdict, or with the id and the verdict."""
    before = id if line.startswith(id) else ""
    rest = line[len(before) :]
    space = len(rest) - len(rest.lstrip())
    word = verdict.value
    if not rest[space:].startswith(word):
        return line
    styled = click.style(word, fg=COLOURS[verdict], bold=verdict.holds is not True)
    return before + rest[:space] + styled + rest[space + len(word) :]
