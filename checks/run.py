"""A whole run: select, settle, print, write the reports, and say with the exit code how it went."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checks.execute import execute
from checks.judgement.options import Options
from checks.judgement.scopes import BadOverride, Overrides, find_concerned, scope_for
from checks.receipts.writing import find_twice, write_queries, write_receipt
from checks.results.model import ClaimResult, RunResult, Work
from checks.results.phrases import mutants_phrase, survivors, verdict_phrase
from checks.results.verdicts import Verdict, exit_code
from claims.language.errors import ClaimError
from claims.language.files import load_claim
from claims.language.library import Entry, bibliography, select
from claims.language.toml.source import shown
from encoders.logic.solvers.effort import USUAL, Effort
from reports.write import write_reports

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


@dataclass(frozen=True)
class Settings:
    """What the command line asked for. `wanted`: ids, globs, files, folders; empty for the whole library.

    `mutants`: whether the mutants of the claims that hold are tried as well.  `effort`: for each obligation of a proof.
    """

    wanted: tuple[str, ...]
    profile: str
    overrides: Overrides
    jobs: int
    report: Path
    budget: float | None
    routes: tuple[str, ...] = ()
    mutants: bool = False
    effort: Effort = USUAL


def run_claims(settings: Settings) -> int:
    """Run, print, write; the exit code."""
    started = time.monotonic()
    try:
        entries = select(settings.wanted)
        _check_names(entries)
        _check_overrides(entries, settings)
    except (ClaimError, BadOverride, SameName) as error:
        click.echo(str(error), err=True)
        return 2
    options = Options(
        settings.profile, settings.overrides, settings.budget, settings.routes, settings.mutants, settings.effort
    )
    with _Screen(entries) as screen:
        execution = execute(entries, options, settings.jobs, screen.result)
    run = RunResult(
        version=version(),
        profile=settings.profile,
        claims=execution.results,
        works=_works(execution.results),
        seconds=time.monotonic() - started,
        interrupted=execution.interrupted,
        command=_command(settings),
        overrides=settings.overrides,
    )
    _details(run)
    written, complete = _write(run, entries, options, settings.report)
    _summary(run, written)
    code = exit_code((r.verdict, r.as_expected) for r in run.claims)
    return code if complete else max(code, 2)


def version() -> str:
    """The installed version, or "unknown" in a bare checkout."""
    with suppress(metadata.PackageNotFoundError):
        return metadata.version("nim-checks")
    return "unknown"


class SameName(Exception):
    """Two of the claims would be told apart by nothing."""


def _check_names(entries: Sequence[Entry]) -> None:
    """Refuse two files whose claims have one id: in the report and among the receipts one would pass for the other."""
    same = find_twice(entries)
    if same:
        names = " and ".join(shown(entry.path) for entry in same)
        ids = " and ".join(dict.fromkeys(repr(entry.id) for entry in same))
        raise SameName(f"{names}: two files with the id {ids}; expected claims with different ids, or two runs")


def _check_overrides(entries: Sequence[Entry], settings: Settings) -> None:
    """Refuse an override that concerns none of the claims, or that one of them cannot take."""
    if not settings.overrides:
        return
    met: set[str] = set()
    for entry in entries:
        try:
            claim = load_claim(entry.path, entry.id)
        except ClaimError:
            return  # the run itself will show what is wrong with the file
        scope_for(claim, settings.profile, settings.overrides)
        met |= find_concerned(claim, settings.overrides)
    for name, value in settings.overrides:
        if name not in met:
            raise BadOverride(f"--set {name}={value}: none of the claims has a variable {name.partition('.')[0]!r}")


def _command(settings: Settings) -> str:
    parts = [f"python -m checks {'mutate' if settings.mutants else 'run'}", *settings.wanted]
    if settings.profile != "quick":
        parts.append(f"--scope {settings.profile}")
    parts += [f"--set {name}={value}" for name, value in settings.overrides]
    return " ".join(parts)


def _works(results: Sequence[ClaimResult]) -> tuple[Work, ...]:
    known = bibliography()
    used = dict.fromkeys(r.work for r in results)
    ordered = [w for w in known if w in used] + [w for w in used if w not in known]
    return tuple(
        Work(key, e.get("title", key), e.get("authors", ""), e.get("year", ""), e.get("source", ""))
        for key in ordered
        if (e := known.get(key, {})) or key
    )


# -- the screen -------------------------------------------------------------------------------------------------------
class _Screen:
    """One line for each claim; on a terminal a progress bar below them."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.total = len(entries)
        self.width = max(LEAST_WIDTH, min(MOST_WIDTH, max((len(e.id) for e in entries), default=0)))
        self.printed, self.waiting = 0, dict[int, ClaimResult]()
        self.bar: Progress | None = None

    def __enter__(self) -> _Screen:
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

    def result(self, number: int, result: ClaimResult) -> None:
        """Take the result of one claim; lines are printed in the order of the claims."""
        self.waiting[number] = result
        if self.bar is not None:
            self.bar.advance(self.bar.task_ids[0])
        while self.printed in self.waiting:
            self._print(line_of(self.waiting.pop(self.printed), self.width))
            self.printed += 1

    def _print(self, line: str) -> None:
        if self.bar is None:
            click.echo(line)
        else:
            from rich.text import Text

            self.bar.console.print(Text.from_ansi(line))


def line_of(result: ClaimResult, width: int = LEAST_WIDTH) -> str:
    """id and verdict with its scope, and whether that was expected."""
    phrase = verdict_phrase(result)
    word = result.verdict.value
    styled = click.style(word, fg=_COLOURS[result.verdict], bold=result.verdict.holds is not True) + phrase[len(word) :]
    mark = "" if result.as_expected is None else ", as expected" if result.as_expected else ", NOT AS EXPECTED"
    lines = [f"{result.id:{width}} {styled}{mark}"]
    if result.mutants is not None:
        lines += [" " * 6 + x for x in (mutants_phrase(result.mutants), *survivors(result.mutants))]
    return "\n".join(lines)


def _details(run: RunResult) -> None:
    """Below the lines: what is not green, and why."""
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


def _write(run: RunResult, entries: Sequence[Entry], options: Options, folder: Path) -> tuple[dict[str, Path], bool]:
    """The reports that were written, and whether nothing is missing, receipts and queries included."""
    try:
        written, complete = write_reports(run, folder), True
    except OSError as error:
        click.echo(str(error), err=True)
        return {}, False
    for entry, result in zip(entries, run.claims, strict=True):
        if result.verdict is Verdict.ERROR or result.evidence is None:
            continue
        try:
            write_receipt(result, entry, options, folder / "receipts", run.version)
            write_queries(result, folder / "smt2")
        except OSError as error:
            click.echo(f"cannot write the receipt of {entry.id}: {error.strerror or error}", err=True)
            complete = False
    return written, complete


def _summary(run: RunResult, written: dict[str, Path]) -> None:
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
