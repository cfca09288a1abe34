"""The screen during a run: a line for each claim that is settled, in their order; on a terminal a bar below them."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING

from checks.results.model import ClaimResult
from checks.results.phrases import escape_invisible
from checks.results.verdicts import passes
from checks.terminal.output import LEAST_WIDTH, MOST_WIDTH, count_columns, count_verdicts, say, write_line
from claims.language.library.entries import Entry

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

# -- the line at the foot ---------------------------------------------------------------------------------------------
# The line at the foot of a terminal while a run goes on: how much is done, how much is left, what is being settled.


MOST, LEAST = 24, 8  # columns of the bar itself


def write_bar(done: int, total: int, seconds: float, names: Sequence[str], columns: int, plain: bool = False) -> str:
    """The line, in fewer than so many columns. `names`: of the claims in progress; they are whole or left out.

    `plain`: in ASCII.

    >>> write_bar(1, 4, 62, ["nim/bouton", "nim/misere"], 53, plain=True)
    '##...... 1 of 4, 3 left, 1:02  nim/bouton and 1 more'
    """
    counts = f"{done} of {total}, {total - done} left, {int(seconds) // 60}:{int(seconds) % 60:02}"
    for widths in ((MOST, LEAST), (0,)):
        for shown in range(len(names), 0, -1):
            more = len(names) - shown
            told = ", ".join(names[:shown]) + (f" and {more} more" if more else "")
            lines = (f"{_draw(done, total, width, plain)}{counts}  {told}" for width in widths)
            if found := next((line for line in lines if len(line) < columns), ""):
                return found
    line = _draw(done, total, LEAST, plain) + counts
    return line if len(line) < columns else counts[: columns - 1]


def _draw(done: int, total: int, width: int, plain: bool) -> str:
    full, empty = "#." if plain else "━─"
    filled = width * done // total if total else width
    return full * filled + empty * (width - filled) + " " * bool(width)


# -- screen -----------------------------------------------------------------------------------------------------------
class ProgressDetail(Enum):
    """Which claims have a line of their own."""

    ALL = "all"
    TROUBLE = "trouble"
    """Those for which the exit code is not 0."""

    WORKS = "works"
    """The same; of the others, each work has one line, as soon as all of it is settled."""


MANY = 30  # claims; of more, a terminal shows works


def choose_lines(claims: int, verbose: bool, quiet: bool) -> ProgressDetail:
    """What a run of so many claims shows here, where nothing else is asked."""
    if quiet:
        return ProgressDetail.TROUBLE
    return ProgressDetail.WORKS if claims > MANY and sys.stdout.isatty() and not verbose else ProgressDetail.ALL


class Screen:
    """Lines and bar of a run over these claims. What was taken and not yet printed is printed when it ends.

    `verbose`: below the line of a claim stands how it was settled.
    """

    def __init__(
        self, entries: Sequence[Entry], lines: ProgressDetail = ProgressDetail.ALL, verbose: bool = False
    ) -> None:
        self.ids = [escape_invisible(entry.id) for entry in entries]
        self.lines, self.verbose, self.work = lines, verbose, list[ClaimResult]()
        self.width = max(LEAST_WIDTH, min(MOST_WIDTH, max(map(len, self.ids), default=0)))
        self.printed, self.waiting = 0, dict[int, ClaimResult]()
        self.done, self.working = 0, tuple[int, ...]()
        self.started = time.monotonic()
        self.live: Live | None = None
        self.console: Console | None = None

    def __enter__(self) -> Screen:
        if sys.stdout.isatty() and self.ids:
            from rich.console import Console
            from rich.live import Live

            console = Console(highlight=False, soft_wrap=True)
            if not console.is_dumb_terminal:
                self.console = console
                self.live = Live(get_renderable=self._bar, console=console, transient=True, refresh_per_second=5)
                self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        for number in sorted(self.waiting):
            self._print(number)
        if self.live is not None:
            self.live.stop()
            self.live = None

    def work_on(self, numbers: tuple[int, ...]) -> None:
        """Take note of the claims that are being settled now, by their numbers among the claims."""
        self.working = numbers

    def take(self, number: int, result: ClaimResult) -> None:
        """Take the result of one claim, by its number among the claims."""
        self.waiting[number] = result
        self.done += 1
        self.working = tuple(other for other in self.working if other != number)
        while self.printed in self.waiting:
            self._print(self.printed)
            self.printed += 1

    def _print(self, number: int) -> None:
        result = self.waiting.pop(number)
        fine = passes(result.verdict, result.finding.as_expected)
        if self.lines is ProgressDetail.ALL or not fine:
            self._write(write_line(result, self.width, count_columns(), self.verbose))
        if self.lines is ProgressDetail.WORKS:
            self.work.append(result)
            if number + 1 == len(self.ids) or _work_of(self.ids[number + 1]) != _work_of(self.ids[number]):
                self._print_work(_work_of(self.ids[number]))

    def _print_work(self, name: str) -> None:
        width = max(len(_work_of(id)) for id in self.ids) + 1
        self._write(f"{name:{width}} {len(self.work)} claim{'s' * (len(self.work) != 1)}: {count_verdicts(self.work)}")
        self.work.clear()

    def _write(self, line: str) -> None:
        if self.live is None or self.console is None:
            say(line)
        else:
            from rich.text import Text

            self.console.print(Text.from_ansi(line))

    def _bar(self) -> Text:
        from rich.text import Text

        assert self.console is not None
        names = [self.ids[number] for number in self.working]
        plain = not self.console.encoding.startswith("utf")
        seconds = time.monotonic() - self.started
        return Text(write_bar(self.done, len(self.ids), seconds, names, self.console.width, plain), no_wrap=True)


def _work_of(id: str) -> str:
    """What claims of one line have in common: the folder of their ids."""
    return id.rpartition("/")[0] or "claims without a folder"
