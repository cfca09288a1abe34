"""The commands `show`, `solve` and `explain`. They describe a claim or solve a position, but do not settle claims."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checks.command.commands import describe_codes, replaced_by
from checks.command.defaults import configured
from checks.command.options import AS_DATA, DEFAULT_REPORT, FOLDER, print_data, read_budget, read_claims
from checks.results.verdicts import Verdict

if TYPE_CHECKING:
    from claims.language.files.library import Entry
    from claims.language.files.toml import Read

INSIDE = "library:"  # a word with this prefix names a claim of the library, never a file in the working folder
LONG = click.option(
    "--long", "whole", is_flag=True, help="On a terminal, also list role and locator, and do not cut the titles."
)
VERDICT = click.option(
    "--verdict",
    type=click.Choice([verdict.value for verdict in Verdict]),
    default=None,
    help="List only the claims with this verdict in the report that --report names.",
)
REPORT = click.option(
    "--report", type=FOLDER, default=DEFAULT_REPORT, show_default=True, help="Folder of the report for --verdict."
)


@click.command(cls=configured("report"))
@click.argument("claims", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]...")
@click.option(
    "--obligations",
    is_flag=True,
    help="Show the statements that together imply the claim (the obligations of the proof).",
)
@click.option(
    "--smt2",
    metavar="NAME",
    help="Show one obligation as an SMT-LIB script, which is unsatisfiable if and only if the obligation is true. "
    "NAME is "
    "the name of the obligation, or at least 8 digits of its SHA-256.",
)
@LONG
@VERDICT
@REPORT
@AS_DATA
def show(
    claims: tuple[str, ...],
    obligations: bool,
    smt2: str | None,
    whole: bool,
    verdict: str | None,
    report: Path,
    as_data: bool,
) -> None:
    """Show a claim, or list claims.

    An ID or a FILE is shown completely: its statement, formal text, scopes and proof.  For a GLOB or a FOLDER, the
    command lists the claims, one per line: id, role, locator and title; on a terminal, only id and title.  Without
    arguments, the whole library is listed.
    """
    from claims.language.files.toml import SourceCache

    if as_data and (obligations or smt2):
        raise click.UsageError(f"--json cannot be combined with {'--obligations' if obligations else '--smt2'}")
    if (obligations or smt2 is not None) and not claims:
        raise click.UsageError(f"{'--obligations' if obligations else '--smt2'} needs a claim: an ID or a FILE")
    entries = read_claims(claims, read := SourceCache())  # each file is read once
    if verdict is not None or whole or not (obligations or smt2 is not None or _names_each(claims, entries)):
        _list(entries, read, whole, verdict, report, as_data)
    else:
        _show(entries, obligations, smt2, as_data)


def _names_each(words: tuple[str, ...], entries: tuple[Entry, ...]) -> bool:
    """Return whether there are words, and each names one claim: an id or a file, not a glob, a folder or a work."""
    ids = {entry.id for entry in entries}
    return bool(words) and all(
        (word := asked.removeprefix(INSIDE)) in ids or Path(asked).is_file() or Path(f"{word}.toml").is_file()
        for asked in words
    )


@click.command("list", cls=replaced_by("show"), hidden=True)
@click.argument("claims", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]...")
@LONG
@VERDICT
@REPORT
@AS_DATA
def list_(claims: tuple[str, ...], whole: bool, verdict: str | None, report: Path, as_data: bool) -> None:
    """List claims: id, role, locator and title; on a terminal, only id and title."""
    from claims.language.files.toml import SourceCache

    _list(read_claims(claims, read := SourceCache()), read, whole, verdict, report, as_data)


def _list(
    entries: tuple[Entry, ...], read: Read, whole: bool, verdict: str | None, report: Path, as_data: bool
) -> None:
    """Print a line for each claim."""
    from checks.command.catalogue import rows
    from checks.command.output import count_columns
    from claims.language.errors import escape_invisible

    if verdict is not None:
        from reports.comparison import NotAReport, load_report

        try:
            known = load_report(report / "report.json").claims
        except NotAReport as error:
            click.echo(f"{error}\nexpected: the report of a run, as `checks run` writes it", err=True)
            sys.exit(2)
        entries = tuple(entry for entry in entries if known.get(entry.id, {}).get("verdict") == verdict)
    if as_data:
        from checks.command.data import list_claims, to_data

        print_data(to_data("claims", map(asdict, list_claims(entries, read))))
        return
    for line in rows(entries, read, None if whole else count_columns()):
        click.echo(escape_invisible(line))


def _show(entries: tuple[Entry, ...], obligations: bool, smt2: str | None, as_data: bool) -> None:
    """Print each claim in full, or the obligations of its proof."""
    from checks.command.catalogue import list_obligations, list_scripts, page
    from claims.language.errors import ClaimError, escape_invisible
    from claims.language.syntax.printing import TooLong
    from encoders.proving.reading import load_claim
    from encoders.refusals import Unsupported

    found = []
    for entry in entries:
        try:
            loaded = load_claim(entry.path, entry.id)
        except ClaimError as error:
            click.echo(str(error), err=True)
            sys.exit(2)
        if as_data:
            from checks.command.data import show_claim

            found.append(show_claim(loaded, entry))
            continue
        if smt2 is None:
            for line in list_obligations(loaded) if obligations else [page(loaded)]:
                click.echo(escape_invisible(line))
            continue
        try:
            scripts = list(list_scripts(loaded, smt2))
        except (Unsupported, TooLong) as error:
            click.echo(str(error), err=True)
            sys.exit(2)
        for script in scripts:
            click.echo(escape_invisible(script))
        if not scripts:
            click.echo(f"{entry.id} has no obligation {smt2!r}; --obligations lists the names", err=True)
            sys.exit(2)
    if as_data:
        from checks.command.data import to_data

        print_data(to_data("claims", map(asdict, found)))


@click.command(epilog=describe_codes("solve"))
@click.argument("ruleset")
@click.argument("position", required=False)
@click.option(
    "--set", "given", metavar="NAME=VALUE", multiple=True, help='Set a parameter of the ruleset: k=3, "S={1, 3, 4}".'
)
@click.option("--mover", metavar="PLAYER", help="Solve the position only with this player to move.")
@click.option("--table", metavar="A..B", help="Solve one heap of each size from A to B, instead of a POSITION.")
@click.option(
    "--heaps",
    type=click.IntRange(1, 2),
    metavar="N",
    default=None,
    help="Number of heaps of each position in --table. With 2, the table has a row and a column for each size.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a web page on which you can play from the position.",
)
@AS_DATA
@click.option(
    "--budget",
    metavar="TIME",
    default="10s",
    show_default=True,
    callback=read_budget,
    help="Time limit for positions that are too large for the referee: 60s, 2m, or none.",
)
def solve(
    ruleset: str,
    position: str | None,
    given: tuple[str, ...],
    mover: str | None,
    table: str | None,
    heaps: int | None,
    html: Path | None,
    as_data: bool,
    budget: float | None,
) -> None:
    """Solve a POSITION of a game: who wins, and by which moves.

    The answer covers all players to move, or only the player of --mover.  RULESET is a file, or a ruleset of the
    library by its name.  POSITION is written (2, 2, 4), or is an expression of the claim language.  The Grundy value is
    printed under normal play, if the players have the same moves.
    """
    if position is None and table is None:
        raise click.UsageError("expected a POSITION, such as (2, 2, 4), or --table A..B")
    if position is not None and table is not None:
        raise click.UsageError("a POSITION cannot be combined with --table")
    if table is None and heaps is not None:
        raise click.UsageError("--heaps needs --table A..B")
    if table is not None and (mover is not None or html is not None):
        raise click.UsageError(f"--table cannot be combined with {'--html' if mover is None else '--mover'}")
    from checks.boards.question import read_parameters, read_position, read_range, read_ruleset, to_data
    from checks.boards.solver import PositionSolver
    from checks.command.output import count_columns, say
    from checks.command.position_text import draw_table, tell_solution
    from checks.judgement.routes import InternalFault
    from claims.language.errors import ClaimError, escape_invisible

    try:
        rules = read_ruleset(ruleset)
        solver = PositionSolver(rules, read_parameters(rules, split_given(given)), budget)
        if table is not None:
            least, greatest = read_range(table)
            drawn = solver.tabulate(heaps or 1, least, greatest)
            lines, data, limit = draw_table(drawn, count_columns()), to_data(drawn), drawn.limit
        else:
            found = solver.solve(
                read_position(position or "", kind=solver.position), None if mover is None else solver.read_mover(mover)
            )
            lines, data, limit = tell_solution(found), to_data(found), found.limit
            if html is not None:
                from checks.command.boards import write_page

                write_page(html, solver, found)
    except ClaimError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except InternalFault as fault:
        click.echo(f"{fault}; please report it", err=True)
        sys.exit(4)
    say(escape_invisible(json.dumps(data, indent=2, ensure_ascii=False) if as_data else "\n".join(lines)))
    sys.exit(3 if limit else 0)


@click.command()
@click.argument("claim", metavar="ID|FILE")
@click.option(
    "--set",
    "given",
    metavar="NAME=VALUE",
    multiple=True,
    help='Explain one case only: k=3, "s=(2, 2, 4)".',
)
@AS_DATA
def explain(claim: str, given: tuple[str, ...], as_data: bool) -> None:
    """Explain what a claim says, in words and at small cases.

    Use the output to compare the file with the paper.  The claim is evaluated at the smallest case, and at the first
    case where the hypotheses hold.  Then it is evaluated at cases where it holds, at cases where it fails, and at
    boundary cases.  At a boundary case, one step more (such as a heap larger by 1) changes the truth of a hypothesis or
    of a side of the conclusion.  The last lines name the engine with which a run would first search the scope, and the
    reasons why other engines are not used. The command does not settle the claim.  The argument - reads a claim from
    standard input.
    """
    from checks.command.cases import explain_at, explain_small, tell_explanation
    from checks.command.data import explain_claim, to_data
    from checks.command.selection import taking_input
    from claims.language.errors import ClaimError, escape_invisible
    from claims.language.files.library import select
    from encoders.proving.reading import load_claim

    values, found = split_given(given), []
    try:
        with taking_input((claim,), shown_here=True) as words:
            for entry in select(words):
                loaded = load_claim(entry.path, entry.id)
                explained = explain_at(loaded, values) if values else explain_small(loaded)
                cases = [(told.why, told.values, told.lines) for told in explained.cases]
                found.append(explain_claim(loaded, entry, explained.words, cases, explained.counts, explained.engines))
                for line in () if as_data else tell_explanation(loaded, explained):
                    click.echo(escape_invisible(line))
    except ClaimError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    if as_data:
        print_data(to_data("claims", map(asdict, found)))


def split_given(given: tuple[str, ...]) -> dict[str, str]:
    """Return the values by name from texts NAME=VALUE.

    Raises click.BadParameter if a text is invalid or a name repeated.
    """
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise click.BadParameter(f"{text!r} has no value; expected NAME=VALUE, such as k=3", param_hint="--set")
        if name in found:
            raise click.BadParameter(f"{name} is set twice", param_hint="--set")
        found[name] = value
    return found
