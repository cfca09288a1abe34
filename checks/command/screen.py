"""The output during a run: a line for each settled claim, a progress bar, and the summary."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from checks.command.output import (
    COLOURS,
    LEAST_WIDTH,
    MOST_WIDTH,
    count_columns,
    count_verdicts,
    fold,
    link,
    say,
    write_line,
)
from checks.results.model import ClaimResult, Kind, RunResult, find_circles
from checks.results.verdicts import EXIT_CODES, Verdict, passes
from checks.results.wording import count_certified, describe_not_established, tell_error
from claims.language.errors import describe_circle, escape_invisible
from claims.language.files.library import Entry

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text


# == ending ===========================================================================================================
# The output of a run before and after the lines of its claims: lemmas, details of failures, and the summary.
FEW_HINTS = 2  # for each claim; the report has all of them
FEW_STALE = 3  # receipts that are named; all others are only counted
FEW = 12  # claims; in a larger run, expected refutations are shown only in the report


def print_lemmas(ids: Sequence[str]) -> None:
    """Print the ids of the claims that are settled only because proofs of other claims use them."""
    if ids:
        for line in fold(f"also settled, as lemmas: {', '.join(ids)}", count_columns()):
            say(line)


def print_details(run: RunResult) -> None:
    """Print each claim that does not hold or is not as expected, with the reason; then circular uses of claims.

    In a run of more than FEW claims, claims that are as expected are left out.
    """
    columns = count_columns()
    claims = {result.id: result for result in run.claims}
    for result in run.claims:
        if result.verdict.holds is True and result.finding.as_expected is not False:
            continue
        if result.finding.as_expected is True and len(run.claims) > FEW:
            continue
        say()
        heading, *lines = explain_result(result, columns, claims.get(result.statement.variant_of))
        say(click.style(heading, fg=COLOURS[result.verdict], bold=True))
        for line in lines:
            say(line)
    for circle in find_circles(run.claims):
        say()
        for line in fold(f"note: {describe_circle(circle)}", columns):
            say(line)


def explain_result(result: ClaimResult, columns: int | None = None, claim: ClaimResult | None = None) -> list[str]:
    """Return lines with the verdict of a claim, its title, the reason for the verdict, and hints.

    `columns`: the width at which lines are wrapped, or None.
    `claim`: the result of the claim of which this is a variant, if it is printed too; else None.
    """
    found = result.finding
    lines = [f"{escape_invisible(result.id)}: {result.verdict.value}"]
    lines += fold(result.statement.title, columns, 2) if result.statement.title else []
    if found.counterexample is not None:
        for told in found.counterexample.explanation:
            lines += fold(told.text, columns, 2 + 2 * told.depth)
    lines += [
        "  " + escape_invisible(line) for line in tell_error(result, claim).splitlines()
    ]  # carets point into these lines, so they are never folded
    repeated = found.not_established == describe_not_established(found.error)  # the line above says it
    if found.not_established and result.verdict.holds is None and not repeated:
        lines += fold(f"not established: {found.not_established.removeprefix('anything: ')}", columns, 2)
    for hint in result.presentation.hints[:FEW_HINTS]:
        lines += fold(f"hint: {hint}", columns, 2)
    return lines


class Concluded(Protocol):
    """An object with an exit code. `meant`: the meaning of the code if it differs from the usual meaning, or ""."""

    @property
    def code(self) -> int: ...

    @property
    def meant(self) -> str: ...


def print_summary(run: RunResult, written: dict[str, Path], concluded: Concluded, slowest: int = 0) -> None:
    """Print the counts of verdicts and certificates, the time, the meaning of the exit code, and the path of the page.

    `written`: the files of the report, by name. `slowest`: the number of slowest claims to list.
    """
    unexpected = sum(r.finding.as_expected is False for r in run.claims)
    say()
    cached = sum(r.provenance.cached for r in run.claims)
    taken = f", {'all' if cached == len(run.claims) else cached} from the cache" if cached else ""
    told = f"{_count(len(run.main_claims))}: {_count_kinds(run)}"
    if run.variants:
        told += f"; {_count_kind(run.variants, Kind.VARIANT)}: {count_verdicts(run.variants)}"
    say(f"{told} in {run.seconds:.1f} s{taken}")
    certified, proved = count_certified(run.claims)
    if proved:
        say(f"{certified} of {proved} obligation{'s' * (proved != 1)} certified")
    if unexpected:
        say(click.style(f"{unexpected} with another verdict than the claim file expects", fg="red", bold=True))
    if meant := _say_meaning(run, concluded):
        say(meant)
    for result in sorted(run.claims, key=lambda r: -r.provenance.seconds)[:slowest]:
        say(f"{result.provenance.seconds:8.2f} s  {escape_invisible(result.id)}")
    page = written.get("index.html")
    if page is not None:
        say(f"report: {link(page)}")


def print_stale(receipts: Sequence[str], folder: Path) -> None:
    """Print the first names in `receipts`, and how many further names there are.

    `receipts`: the receipts in the report folder that earlier runs wrote for other claims.
    """
    if receipts:
        names, more = ", ".join(map(escape_invisible, receipts[:FEW_STALE])), len(receipts) - FEW_STALE
        told = f"{names} and {more} more" if more > 0 else names
        say(f"{os.path.relpath(folder)}/receipts also contains receipts of earlier runs: {told}")


def _say_meaning(run: RunResult, concluded: Concluded) -> str:
    """Return a line with the meaning of the exit code, or else a line about the expected refutations.

    The exit code is explained if it is not 0, or has a special meaning. Return "" if there is nothing to say.
    """
    if concluded.code or concluded.meant:
        return f"exit {concluded.code}: {concluded.meant or EXIT_CODES[concluded.code]}"
    refuted = [(kind, [r for r in run.list_kind(kind) if r.verdict is Verdict.REFUTED]) for kind in Kind]
    number = sum(len(claims) for _, claims in refuted)
    if not number:
        return ""
    told = ", ".join(_count_kind(claims, kind) for kind, claims in refuted if claims)
    return f"refuted, {'as its file expects' if number == 1 else 'all as their files expect'}: {told}; exit 0"


def _count_kinds(run: RunResult) -> str:
    """Return the counts of verdicts for each kind of claim, without variants. A single kind is not named."""
    found = [(kind, claims) for kind in Kind if kind is not Kind.VARIANT and (claims := run.list_kind(kind))]
    if len(found) < 2:
        return count_verdicts(run.main_claims) or "nothing"
    return ", ".join(f"{_count_kind(claims, kind)} ({count_verdicts(claims)})" for kind, claims in found)


def _count_kind(claims: Sequence[ClaimResult], kind: Kind) -> str:
    return f"{len(claims)} {kind.value if len(claims) == 1 else kind.plural}"


def print_interruption(
    run: RunResult,
    finished: Sequence[ClaimResult],
    written: dict[str, Path],
    folder: Path,
    concluded: Concluded,
    first: bool = False,
) -> None:
    """Print how many claims an incomplete run has settled, the path of the report, and the exit code.

    `folder`: the folder of complete reports. `first`: whether the run stopped at the first failure because of
    --exit-first.
    """
    why = "stopped at the first claim that fails" if first else "interrupted"
    told = f"{why}: {len(finished)} of {_count(len(run.claims))} settled"
    if finished:
        told += f" ({count_verdicts(finished)})"
    told += f" in {run.seconds:.1f} s"
    if page := written.get("index.html"):
        told += f"; report of these: {link(page)}"
        if page.parent != folder:
            told += f"; {os.path.relpath(folder)} keeps the report of an earlier, complete run"
    say(f"{told}; exit {concluded.code}")


def _count(number: int) -> str:
    return f"{number} claim{'s' * (number != 1)}"


# == screen ===========================================================================================================
# The screen during a run: a line for each settled claim, in order; on a terminal, a progress bar below them.
# -- the line at the foot ---------------------------------------------------------------------------------------------
# The last line of a terminal during a run: the number of settled claims, and the claims being settled.


MOST, LEAST = 24, 8  # columns of the bar itself


def write_bar(done: int, total: int, seconds: float, names: Sequence[str], columns: int, plain: bool = False) -> str:
    """Return the progress bar with the counts and the time, in fewer than `columns` columns.

    `names`: the claims that are being settled; names that do not fit are only counted. `plain`: use only ASCII.
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
    """The claims that have their own line during a run."""

    ALL = "all"
    TROUBLE = "trouble"
    """Only claims that fail."""

    WORKS = "works"
    """Claims that fail; and one line for each work, as soon as all its claims are settled."""


MANY = 30  # claims; in a larger run, a terminal shows one line for each work


def choose_lines(claims: int, verbose: bool, quiet: bool) -> ProgressDetail:
    """Return for which claims a line is printed, in a run of `claims` claims."""
    if quiet:
        return ProgressDetail.TROUBLE
    return ProgressDetail.WORKS if claims > MANY and sys.stdout.isatty() and not verbose else ProgressDetail.ALL


class Screen:
    """The lines and the progress bar of a run.

    When the context ends, the screen prints all results that it has not printed yet.
    `verbose`: print below each line how the claim was settled.
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
                self.live.start(refresh=True)  # now, as the thread of the bar could write into the first line
        return self

    def __exit__(self, *_: object) -> None:
        for number in sorted(self.waiting):
            self._print(number)
        if self.live is not None:
            self.live.stop()
            self.live = None

    def work_on(self, numbers: tuple[int, ...]) -> None:
        """Show the claims with these indices as being settled."""
        self.working = numbers

    def take(self, number: int, result: ClaimResult) -> None:
        """Record the result of the claim with this index, and print all lines that are ready, in order."""
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
    """Return the work of a claim: the folder of its id."""
    return id.rpartition("/")[0] or "claims without a folder"
