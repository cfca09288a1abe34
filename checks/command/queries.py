"""`list`, `show`, `solve` and `explain`: which claims there are, and questions about one position or one claim."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from checks.command.options import AS_DATA, DEFAULT_REPORT, FOLDER, print_data, read_budget, read_claims
from checks.results.verdicts import Verdict

CODES = {
    0: "solved",
    2: "wrong usage, or rules that cannot be read or played",
    3: "something is open: a limit was met",
    4: "an internal error; please report it",
}


@click.command("list")
@click.argument("claims", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]...")
@click.option("--long", "whole", is_flag=True, help="On a terminal too: role, locator and the whole title.")
@click.option(
    "--verdict",
    type=click.Choice([verdict.value for verdict in Verdict]),
    default=None,
    help="Only those that had this verdict in the last run.",
)
@click.option(
    "--report", type=FOLDER, default=DEFAULT_REPORT, show_default=True, help="The folder of its reports, for --verdict."
)
@AS_DATA
def list_(claims: tuple[str, ...], whole: bool, verdict: str | None, report: Path, as_data: bool) -> None:
    """List claims: id, role, locator, title.

    On a terminal id and title, within its width.
    """
    from checks.command.catalogue import rows
    from checks.command.output import count_columns
    from claims.language.errors import escape_invisible
    from claims.language.files.toml import SourceCache

    entries = read_claims(claims, read := SourceCache())  # each file is read once
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


@click.command()
@click.argument("claim", metavar="ID|FILE")
@click.option("--obligations", is_flag=True, help="What its proof has to show, one by one, instead.")
@click.option(
    "--smt2",
    metavar="NAME",
    help="An obligation, by its name or the first 8 or more digits of its SHA-256, as SMT-LIB instead: "
    "unsatisfiable just if it holds.",
)
@AS_DATA
def show(claim: str, obligations: bool, smt2: str | None, as_data: bool) -> None:
    """Show one claim: its statement, formal text, scopes and proof."""
    from checks.command.catalogue import list_obligations, list_scripts, page
    from claims.language.errors import ClaimError, escape_invisible
    from claims.language.syntax.printing import TooLong
    from encoders.proving.reading import load_claim
    from encoders.refusals import Unsupported

    if as_data and (obligations or smt2):
        raise click.UsageError(f"--json and {'--obligations' if obligations else '--smt2'}: which?")
    found = []
    entries = read_claims((claim,))
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
            click.echo(f"{entry.id}: no obligation {smt2!r}; --obligations lists them", err=True)
            sys.exit(2)
    if as_data:
        from checks.command.data import to_data

        print_data(to_data("claims", map(asdict, found)))


@click.command(epilog="\b\nExit codes:\n" + "\n".join(f"  {code}  {meaning}" for code, meaning in CODES.items()))
@click.argument("ruleset")
@click.argument("position", required=False)
@click.option(
    "--set", "given", metavar="NAME=VALUE", multiple=True, help='A parameter of the ruleset: k=3, "S={1, 3, 4}".'
)
@click.option("--mover", metavar="PLAYER", help="Only where this player is to move.")
@click.option("--table", metavar="A..B", help="Instead of a position: one heap of each of these sizes.")
@click.option("--heaps", type=click.IntRange(1, 2), default=None, help="With --table: 2 for a map of two heaps.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a page to play the position on.")
@AS_DATA
@click.option(
    "--budget",
    metavar="TIME",
    default="10s",
    show_default=True,
    callback=read_budget,
    help="Time for what is too large for the referee: 60s, 2m, or none.",
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

    It is told for each player to move.  RULESET is called as claims call it, or is a file; POSITION is written (2,
    2, 4), or is an expression of the claim language.  Two players with the same moves have a Grundy value under
    normal play.
    """
    if (position is None) is (table is None):
        raise click.UsageError("POSITION or --table: which?")
    if table is None and heaps is not None:
        raise click.UsageError("--heaps goes with --table")
    if table is not None and (mover is not None or html is not None):
        raise click.UsageError(f"--table and {'--html' if mover is None else '--mover'}: which?")
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
    "--set", "given", metavar="NAME=VALUE", multiple=True, help='At one case alone: k=3, "s=(2, 2, 4)"; every variable.'
)
@AS_DATA
def explain(claim: str, given: tuple[str, ...], as_data: bool) -> None:
    """Explain what a claim says, in words and at small cases.

    So one sees whether the file says what the paper says.  Shown are the smallest case, the first at which the
    hypotheses hold, cases at which the claim holds and at which it fails, and the boundary: where one step further the
    hypotheses fail, or the other of its sides holds.  No verdict is drawn.  - is a claim on standard input.
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
                found.append(explain_claim(loaded, entry, explained.words, cases, explained.counts))
                for line in () if as_data else tell_explanation(loaded, explained):
                    click.echo(escape_invisible(line))
    except ClaimError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    if as_data:
        print_data(to_data("claims", map(asdict, found)))


def split_given(given: tuple[str, ...]) -> dict[str, str]:
    """The values by their names."""
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise click.BadParameter(f"{text!r} sets nothing; expected NAME=VALUE, such as k=3", param_hint="--set")
        if name in found:
            raise click.BadParameter(f"{name} is set twice", param_hint="--set")
        found[name] = value
    return found
