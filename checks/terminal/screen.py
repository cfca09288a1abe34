"""The screen during a run: a line for each claim that is settled, in their order; on a terminal a bar below them."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.results.model import ClaimResult
from checks.results.phrases import visible
from checks.terminal.bar import write_bar
from checks.terminal.lines import LEAST_WIDTH, MOST_WIDTH, write_line
from checks.terminal.output import count_columns, say
from claims.language.library import Entry

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text


class Screen:
    """Lines and bar of a run over these claims. What was taken and not yet printed is printed when it ends."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.ids = [visible(entry.id) for entry in entries]
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
            self._print(self.waiting.pop(number))
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
            self._print(self.waiting.pop(self.printed))
            self.printed += 1

    def _print(self, result: ClaimResult) -> None:
        line = write_line(result, self.width, count_columns())
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
