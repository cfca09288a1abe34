"""What a run says beside its lines: what it settles as well, what is not green and why, how many or how far it came."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import click

from checks.results.circles import describe_circle, find_circles
from checks.results.marks import count_certified
from checks.results.model import ClaimResult, Kind, RunResult
from checks.results.phrases import escape_invisible
from checks.results.verdicts import EXIT_CODES, Verdict
from checks.terminal.output import COLOURS, count_columns, count_verdicts, fold, link, say

FEW_HINTS = 2  # all of them stand in the report
FEW_STALE = 3  # receipts that are named
FEW = 12  # claims; of more, refutations that their files expect are left to the report


def print_lemmas(ids: Sequence[str]) -> None:
    """Above the lines: which claims are settled though nobody asked for them, because others rest on them."""
    if ids:
        for line in fold(f"also settled, as lemmas: {', '.join(ids)}", count_columns()):
            say(line)


def print_details(run: RunResult) -> None:
    """Below the lines: what is not green, and why; and arguments that go in a circle."""
    columns = count_columns()
    for result in run.claims:
        if result.verdict.holds is True and result.finding.as_expected is not False:
            continue
        if result.finding.as_expected is True and len(run.claims) > FEW:
            continue
        say()
        heading, *lines = explain_result(result, columns)
        say(click.style(heading, fg=COLOURS[result.verdict], bold=True))
        for line in lines:
            say(line)
    for circle in find_circles(run.claims):
        say()
        for line in fold(f"note: {describe_circle(circle)}", columns):
            say(line)


def explain_result(result: ClaimResult, columns: int | None = None) -> list[str]:
    """The verdict of a claim, its title, and why that is the verdict, within so many columns."""
    found = result.finding
    lines = [f"{escape_invisible(result.id)}: {result.verdict.value}"]
    lines += fold(result.statement.title, columns, 2) if result.statement.title else []
    if found.counterexample is not None:
        for told in found.counterexample.explanation:
            lines += fold(told.text, columns, 2 + 2 * told.depth)
    lines += ["  " + escape_invisible(line) for line in found.error.splitlines()]  # with carets: never wrapped
    if found.not_established and result.verdict.holds is None:
        lines += fold(f"not established: {found.not_established}", columns, 2)
    for hint in result.presentation.hints[:FEW_HINTS]:
        lines += fold(f"hint: {hint}", columns, 2)
    return lines


class Concluded(Protocol):
    """An exit code. `meant`: what it means here, where that is other than usual, or ""."""

    @property
    def code(self) -> int: ...

    @property
    def meant(self) -> str: ...


def print_summary(run: RunResult, written: dict[str, Path], concluded: Concluded, slowest: int = 0) -> None:
    """How many claims came out how, in what time, what the exit code means by that, and where the page is.

    `written`: name of a report -> its file.  `slowest`: so many claims are named that took longest.
    """
    unexpected = sum(r.finding.as_expected is False for r in run.claims)
    say()
    cached = sum(r.provenance.cached for r in run.claims)
    taken = f", {'all' if cached == len(run.claims) else cached} from the cache" if cached else ""
    told = f"{_count(len(run.stated))}: {_count_kinds(run)}"
    if run.variants:
        told += f"; {_count_kind(run.variants, Kind.VARIANT)}: {count_verdicts(run.variants)}"
    say(f"{told} in {run.seconds:.1f} s{taken}")
    certified, proved = count_certified(run.claims)
    if proved:
        say(f"{certified} of {proved} obligation{'s' * (proved != 1)} certified")
    if unexpected:
        say(click.style(f"{unexpected} not as the file expects", fg="red", bold=True))
    if meant := _say_meaning(run, concluded):
        say(meant)
    for result in sorted(run.claims, key=lambda r: -r.provenance.seconds)[:slowest]:
        say(f"{result.provenance.seconds:8.2f} s  {escape_invisible(result.id)}")
    page = written.get("index.html")
    if page is not None:
        say(f"report: {link(page)}")


def print_stale(receipts: Sequence[str], folder: Path) -> None:
    """Which receipts of earlier runs lie there still, and are of no claim of this one."""
    if receipts:
        names, more = ", ".join(map(escape_invisible, receipts[:FEW_STALE])), len(receipts) - FEW_STALE
        told = f"{names} and {more} more" if more > 0 else names
        say(f"not of this run, in {os.path.relpath(folder)}/receipts: {told}")


def _say_meaning(run: RunResult, concluded: Concluded) -> str:
    """What is meant by red, and by the exit code; "" where everything holds."""
    if concluded.code or concluded.meant:
        return f"exit {concluded.code}: {concluded.meant or EXIT_CODES[concluded.code]}"
    refuted = [(kind, [r for r in run.list_kind(kind) if r.verdict is Verdict.REFUTED]) for kind in Kind]
    number = sum(len(claims) for _, claims in refuted)
    if not number:
        return ""
    told = ", ".join(_count_kind(claims, kind) for kind, claims in refuted if claims)
    return f"refuted, {'as its file expects' if number == 1 else 'all as their files expect'}: {told}; exit 0"


def _count_kinds(run: RunResult) -> str:
    """How many claims that are no variants came out how; by what they are counted as, where that differs."""
    found = [(kind, claims) for kind in Kind if kind is not Kind.VARIANT and (claims := run.list_kind(kind))]
    if len(found) < 2:
        return count_verdicts(run.stated) or "nothing"
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
    """How far the run came, what the exit code is, and where the report is. `folder`: where a whole one would be.

    `first`: it was to stop at the first claim that is not in order, and did.
    """
    why = "stopped at the first that is not in order" if first else "interrupted"
    told = f"{why}: {len(finished)} of {_count(len(run.claims))} settled"
    if finished:
        told += f" ({count_verdicts(finished)})"
    told += f" in {run.seconds:.1f} s"
    if page := written.get("index.html"):
        told += f"; report of these: {link(page)}"
        if page.parent != folder:
            told += f"; {os.path.relpath(folder)} keeps that of an earlier, complete run"
    say(f"{told}; exit {concluded.code}")


def _count(number: int) -> str:
    return f"{number} claim{'s' * (number != 1)}"
