"""`python -m tests.harness`: make each change of the table in a copy of the tree; some test must notice it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from .runner import Outcome, Refused, run_rows
from .table import Row, rows

_COLOURS = {"killed": "green", "survived": "yellow", "stale": "red", "broken": "red"}


def line_of(outcome: Outcome) -> str:
    """One line, with what is wrong below it."""
    mark = "" if outcome.right else "   <-- NOT AS IT SHOULD BE"
    lines = [
        f"{outcome.word:9}{outcome.row}  ({outcome.seconds:.1f} s{', ' + outcome.detail if outcome.right else ''})"
    ]
    if not outcome.right:
        lines += [f"    {x}" for x in (f"it would let through: {outcome.row.lie}", *outcome.detail.splitlines())]
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
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="A file for the outcomes.")
@click.pass_context
def main(context: click.Context, jobs: int, only: tuple[str, ...], log: Path | None) -> None:
    """Make each change of tests/harness/rows/ and run its tests. Exit code 1 if one is not noticed."""
    every = rows()
    for text in only:
        if not any(row.matches(text) for row in every):
            raise click.BadParameter(f"no row has {text!r} in its file, its change or its words", param_hint="--only")
    wanted: list[Row] = [row for row in every if not only or any(map(row.matches, only))]
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
