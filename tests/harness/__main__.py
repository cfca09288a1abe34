"""`python -m tests.harness`: make each change of the table in a copy of the tree; some test must notice it."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import click

from . import drawn
from .runner import Outcome, Refused, run_rows
from .table import PACKAGES, ROOT, Row, Stale, changed, rows

_COLOURS = {"killed": "green", "survived": "yellow", "stale": "red", "broken": "red"}


def show(row: Row) -> list[str]:
    """The line that a row changes, and what becomes of it."""
    try:
        before, after = (ROOT / row.file).read_text("utf-8").splitlines(), changed(row).splitlines()
    except Stale as error:
        return [str(error)]
    number = next(i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b)
    return [f"{row.file}:{number + 1}", f"- {before[number].strip()}", f"+ {after[number].strip()}"]


def line_of(outcome: Outcome) -> str:
    """One line, with what is wrong below it."""
    mark = "" if outcome.right else "   <-- NOT AS IT SHOULD BE"
    lines = [
        f"{outcome.word:9}{outcome.row}  ({outcome.seconds:.1f} s{', ' + outcome.detail if outcome.right else ''})"
    ]
    if not outcome.right:
        lie = [f"it would let through: {outcome.row.lie}"] if outcome.row.lie else []
        lines += [f"    {x}" for x in (*show(outcome.row), *lie, *outcome.detail.splitlines())]
    return lines[0] + mark + "".join(f"\n{x}" for x in lines[1:])


def summary(outcomes: list[Outcome]) -> str:
    """How many of each."""
    count = Counter(o.word for o in outcomes)
    words = ", ".join(f"{count[word]} {word}" for word in _COLOURS if count[word])
    wrong = sum(not o.right for o in outcomes)
    return f"{len(outcomes)} changes: {words}" + (f"; {wrong} not as they should be" if wrong else "")


@click.command()
@click.option("--jobs", "-j", type=click.IntRange(1), default=2, show_default=True, help="Copies at work.")
@click.option(
    "--only", metavar="TEXT", multiple=True, help="Only rows in which this occurs: a file, a word. Repeatable."
)
@click.option("--show", "shown", is_flag=True, help="Only show the lines before and after, and run nothing.")
@click.option("--draw", metavar="N", type=click.IntRange(1), help="Instead of the table N changes drawn at random.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of --draw.")
@click.option(
    "--below",
    metavar="PATH",
    multiple=True,
    default=PACKAGES,
    help="A folder or module from which to draw. Repeatable.",
)
@click.option("--look", is_flag=True, help="First run pytest once, to see which tests come to which functions.")
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="A file for the outcomes.")
@click.pass_context
def main(
    context: click.Context,
    jobs: int,
    only: tuple[str, ...],
    shown: bool,
    draw: int | None,
    seed: int,
    below: tuple[str, ...],
    look: bool,
    log: Path | None,
) -> None:
    """Make each change of tests/harness/rows/ and run its tests. Exit code 1 if one is not noticed."""
    if look:
        words = (
            "-m",
            "pytest",
            "-q",
            "-p",
            "tests.harness.drawn",
            "-p",
            "no:cacheprovider",
            "--budget",
            "0",
            "-m",
            "not slow",
        )
        if subprocess.run([sys.executable, *words], cwd=ROOT, check=False).returncode:
            raise click.ClickException("pytest fails without any change")
    if draw is not None:
        if nowhere := [path for path in below if not (ROOT / path).exists()]:
            raise click.BadParameter(f"there is no {nowhere[0]}", param_hint="--below")
        every = list(drawn.draw(draw, seed, below, drawn.read_reached()))
    else:
        every = rows()
    for text in only:
        if not any(row.matches(text) for row in every):
            raise click.BadParameter(f"no row has {text!r} in its place, its change or its words", param_hint="--only")
    wanted = [row for row in every if not only or any(map(row.matches, only))]
    if shown:
        for row in wanted:
            click.echo("\n    ".join((str(row), *show(row))))
        return
    outcomes: list[Outcome] = []
    try:
        for outcome in run_rows(wanted, jobs):
            outcomes.append(outcome)
            click.echo(click.style(line_of(outcome), fg=None if outcome.right else _COLOURS[outcome.word]))
    except Refused as error:
        click.echo(str(error), err=True)
        context.exit(2)
    click.echo(summary(outcomes))
    if log is not None:
        log.write_text("\n".join([summary(outcomes), *map(line_of, outcomes)]) + "\n", "utf-8")
    context.exit(0 if outcomes and all(o.right for o in outcomes) else 1)


if __name__ == "__main__":
    main()
