"""`atlas`: settle all games of a family in one run, which can be stopped and continued, and write a page of results."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click
from click.core import ParameterSource

from checks.command.options import FOLDER, WHERE, print_line, read_budget
from claims.language.errors import ClaimError, SourceLocation

if TYPE_CHECKING:
    from checks.execution.journal import Job, Record, Settle
    from checks.execution.work import Opener

DEFAULT = Path("reports/atlas")
JOURNAL = "journal.jsonl"
CODES = {
    0: "each game was examined",
    2: "wrong usage, a file that does not describe a family, or a folder of another run",
    3: "stopped before the end; the same command continues the search",
}


class Family(Protocol):
    """A family of games: the jobs of a run, and the writer of the files with the results."""

    @property
    def asked(self) -> list[object]:
        """The inputs on which a run depends, as JSON data."""

    @property
    def told_every(self) -> int:
        """The number of games between two progress messages."""

    @property
    def settle(self) -> Settle:
        """The function that settles one game."""

    def list_pieces(self) -> list[Job]:
        """Return a job for each game that must be examined, in order."""

    def name(self, id: str) -> str:
        """Return the title of a game."""

    def write(self, found: Mapping[str, Record], out: Path) -> str:
        """Write the page and the files next to it, and return the counts in words.

        The written files do not depend on how often the run was stopped. Raises OSError if a file cannot be written.
        """


@click.command(epilog="\b\nExit codes:\n" + "\n".join(f"  {code}  {meaning}" for code, meaning in CODES.items()))
@click.argument("file", metavar="FILE|ID")
@click.option(
    "--report",
    type=FOLDER,
    default=DEFAULT,
    show_default=True,
    help="Folder for the page, the tables and the certificates.",
)
@click.option(
    "--budget",
    metavar="TIME",
    default="20s",
    show_default=True,
    callback=read_budget,
    help="For a family of rulesets: CPU time for the search of each ruleset.",
)
@click.option(
    "--heaps",
    type=click.IntRange(100),
    default=30_000,
    show_default=True,
    help="For a family of values: number of heap sizes whose values are searched for a period.",
)
@WHERE[0]
@WHERE[1]
@click.pass_context
def atlas(
    context: click.Context,
    file: str,
    report: Path,
    budget: float | None,
    heaps: int,
    jobs: int | None,
    scheduler: str,
) -> None:
    """Examine all games of a family, and write a page with the results.

    FILE describes one of two kinds of families.

    A file with [restrictions] on the moves of each player is a family of rulesets.  For each ruleset, the command
    searches for a condition that tells who wins, with a proof for any number of heaps, as `checks find` does.

    A claim is a family of values if its [proof] has rule = "periodic" and parameters of its game are variables, as in
    octal(code = [a, b, c]).  For each game, the command searches for the preperiod, period and saltus of the values,
    and proves them for heaps of every size.

    Finished games are stored; if the command was stopped, the same command continues.  The page index.html lists the
    games with a theorem and the open games, with a search field and filters.  `checks run` settles the claims in the
    folder again; for a family of values, check.py checks the tables again.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many threads are slower on small matrices
    from checks.execution.journal import OtherRun
    from checks.execution.limits import SchedulerGone, Unfit
    from encoders.refusals import Unsupported

    if scheduler and jobs:
        raise click.UsageError("--scheduler cannot be combined with --jobs, which starts processes on this machine")
    given = {name for name in ("budget", "heaps") if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    try:
        run_family(open_family(find_family(file), budget, heaps, given), report, jobs or os.cpu_count() or 1, scheduler)
    except (ClaimError, Unsupported, OtherRun, Unfit, OSError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except (KeyboardInterrupt, SchedulerGone):
        click.echo("stopped; the same command continues from here", err=True)
        sys.exit(3)


def find_family(word: str) -> Path:
    """Return `word` as a path if it is a file. Otherwise return the file of the first claim that `word` names.

    Raises ClaimError if there is no such claim.
    """
    from claims.language.files.library import select

    return Path(word) if Path(word).is_file() else select((word,))[0].path


def open_family(file: Path, budget: float | None, heaps: int, given: Collection[str]) -> Family:
    """Return the family that a file describes: a family of rulesets, or a family of values.

    `given`: the options among "budget" and "heaps" that the command line contains.
    Raises ClaimError if the file does not describe a family. Raises click.UsageError if `given` contains an option that
    only the other kind of family has. Raises Unsupported if the games of a claim are not a finite list.
    """
    from claims.language.files.toml import read

    keys = read(file).data
    if "claim" in keys:
        from checks.command.families import load_values

        if "budget" in given:
            raise click.UsageError("--budget needs a family of rulesets; for this family of values, use --heaps")
        return load_values(file, heaps)
    if "restrictions" in keys:
        from checks.command.families import load_wins

        if "heaps" in given:
            raise click.UsageError("--heaps needs a family of values; for this family of rulesets, use --budget")
        return load_wins(file, budget)
    raise ClaimError(
        SourceLocation(str(file)),
        "the file does not describe a family",
        'a file with a table [restrictions], or a claim with [proof] rule = "periodic"',
    )


def run_family(family: Family, out: Path, jobs: int, scheduler: str) -> None:
    """Settle all games that no earlier run has finished, and write the files of the family."""
    from checks.execution.journal import DIED, Journal, settle_games
    from checks.execution.work import use_local
    from claims.language.interrupts import Phase, entering_phase, noticing_interrupts

    pieces = family.list_pieces()
    out.mkdir(parents=True, exist_ok=True)
    journal = Journal(out / JOURNAL, name_run(family))
    kept = journal.load()
    found: dict[str, Record] = {x.id: kept[x.id] for x in pieces if x.id in kept}
    journal.begin(found)
    todo = [x for x in pieces if x.id not in found]

    def take(id: str, record: Record) -> None:
        found[id] = record
        if record != DIED:  # the next run tries it again
            journal.add(id, record)
        if len(found) % family.told_every == 0 or len(found) == len(pieces):
            print_line(f"{len(found)}/{len(pieces)} {id} {record.get('verdict', 'died')}: {family.name(id)}")

    def open_workers() -> Opener:
        if not scheduler:
            return use_local(jobs)
        from checks.execution.far import use_scheduler

        return use_scheduler(scheduler, print_line)

    with noticing_interrupts():
        settle_games(todo, family.settle, take, open_workers(), jobs)
    with entering_phase(Phase.FINISHING):
        journal.begin({x.id: found[x.id] for x in pieces if found[x.id] != DIED})  # in the order of the family
        click.echo(family.write(found, out))
    click.echo(str(out / "index.html"))


def name_run(family: Family) -> str:
    """Return a digest of the family, its options and the program. Only runs with the same digest share a journal."""
    from checks.cache.keys import digest_source

    return hashlib.sha256(json.dumps([family.asked, digest_source()]).encode()).hexdigest()
