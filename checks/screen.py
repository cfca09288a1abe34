"""What a run prints: a line for each claim as it is settled, then what is not green and why, then how many."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checks.results.circles import describe_circle, find_circles
from checks.results.model import ClaimResult, RunResult
from checks.results.phrases import mutants_phrase, survivors, verdict_phrase
from checks.results.verdicts import Verdict
from claims.language.library import Entry

if TYPE_CHECKING:
    from rich.progress import Progress

LEAST_WIDTH, MOST_WIDTH = 42, 60  # of the column of ids
_COLOURS = {
    Verdict.PROVED: "green",
    Verdict.VERIFIED: "green",
    Verdict.REFUTED: "red",
    Verdict.VACUOUS: "magenta",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.ERROR: "red",
    Verdict.INCONSISTENT: "bright_red",
}


class Screen:
    """One line for each claim, in their order; on a terminal a progress bar below them."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.total = len(entries)
        self.width = max(LEAST_WIDTH, min(MOST_WIDTH, max((len(e.id) for e in entries), default=0)))
        self.printed, self.waiting = 0, dict[int, ClaimResult]()
        self.bar: Progress | None = None

    def __enter__(self) -> Screen:
        if sys.stdout.isatty() and self.total > 1:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            console = Console(highlight=False, soft_wrap=True)
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self.bar = Progress(*columns, console=console, transient=True)
            self.bar.add_task("settling", total=self.total)
            self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def take(self, number: int, result: ClaimResult) -> None:
        """Take the result of one claim, by its number among the claims."""
        self.waiting[number] = result
        if self.bar is not None:
            self.bar.advance(self.bar.task_ids[0])
        while self.printed in self.waiting:
            self._print(write_line(self.waiting.pop(self.printed), self.width))
            self.printed += 1

    def _print(self, line: str) -> None:
        if self.bar is None:
            click.echo(line)
        else:
            from rich.text import Text

            self.bar.console.print(Text.from_ansi(line))


def write_line(result: ClaimResult, width: int = LEAST_WIDTH) -> str:
    """id and verdict with its scope, and whether that was expected."""
    phrase = verdict_phrase(result)
    word = result.verdict.value
    styled = click.style(word, fg=_COLOURS[result.verdict], bold=result.verdict.holds is not True) + phrase[len(word) :]
    mark = "" if result.as_expected is None else ", as expected" if result.as_expected else ", NOT AS EXPECTED"
    lines = [f"{result.id:{width}} {styled}{mark}"]
    if result.mutants is not None:
        lines += [" " * 6 + x for x in (mutants_phrase(result.mutants), *survivors(result.mutants))]
    return "\n".join(lines)


def print_details(run: RunResult) -> None:
    """Below the lines: what is not green, and why; and arguments that go in a circle."""
    for result in run.claims:
        if result.verdict.holds is True and result.as_expected is not False:
            continue
        if result.as_expected is True and len(run.claims) > 12:
            continue  # a refutation that the file expects, in a long run: the report explains it
        click.echo("")
        click.echo(click.style(f"{result.id}: {result.verdict.value}", fg=_COLOURS[result.verdict], bold=True))
        if result.title:
            click.echo(f"  {result.title}")
        if result.counterexample is not None:
            for line in result.counterexample.explanation:
                click.echo("  " + "  " * line.depth + line.text)
        if result.error:
            click.echo("\n".join("  " + x for x in result.error.splitlines()))
        if result.not_established and result.verdict.holds is None:
            click.echo(f"  not established: {result.not_established}")
    for circle in find_circles(run.claims):
        click.echo(f"\nnote: {describe_circle(circle)}")


def print_summary(run: RunResult, written: dict[str, Path]) -> None:
    """How many claims came out how, in what time, and where the page is. `written`: name of a report -> its file."""
    counts = [(v, sum(r.verdict is v for r in run.claims)) for v in Verdict]
    words = ", ".join(click.style(f"{n} {v.value}", fg=_COLOURS[v]) for v, n in counts if n)
    unexpected = sum(r.as_expected is False for r in run.claims)
    click.echo("")
    total = f"{len(run.claims)} claim{'s' * (len(run.claims) != 1)}"
    click.echo(f"{total}: {words or 'nothing'} in {run.seconds:.1f} s" + (" (interrupted)" if run.interrupted else ""))
    if unexpected:
        click.echo(click.style(f"{unexpected} not as the file expects", fg="red", bold=True))
    page = written.get("index.html")
    if page is not None:
        click.echo(f"report: {os.path.relpath(page)}")
