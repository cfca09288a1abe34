"""The command line. docs/verdicts.md lists the exit codes."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from checks.command.atlas import atlas
from checks.command.check import check
from checks.command.find import find
from checks.command.new import new
from checks.command.options import (
    AS_DATA,
    DEFAULT_REPORT,
    EPILOG,
    FAIL_ON,
    FOLDER,
    IN_REPOSITORY,
    JOBS,
    SHOWING,
    WHERE,
    WORSE,
    add_budget_option,
    add_memory_option,
    print_data,
    read_budget,
    read_claims,
    read_overrides,
    read_renamings,
    read_routes,
)
from checks.command.queries import explain, list_, show, solve
from checks.execution.limits import pausing_garbage_collection
from claims.language.interrupts import EXIT_CODE

if TYPE_CHECKING:
    from checks.command.data import ListedTheorem
    from checks.execution.parts import RunShare


# == merge ============================================================================================================
# The command `merge`.
@click.command(epilog=EPILOG)
@click.argument("folders", nargs=-1, required=True, type=FOLDER, metavar="FOLDER...")
@click.option(
    "--report", type=FOLDER, default=DEFAULT_REPORT, show_default=True, help="Where the reports go, as in run."
)
@JOBS
@click.option("--no-cache", is_flag=True, help="As in run.")
@add_budget_option("As in run, for what is left.")
@add_memory_option
@click.pass_context
def merge(
    context: click.Context,
    folders: tuple[Path, ...],
    report: Path,
    jobs: int | None,
    no_cache: bool,
    budget: float | None,
    memory: int | None,
) -> None:
    """Put the parts of a run together, and write its reports.

    Each part is a --report FOLDER of run --shard.  What is missing, doubled, altered or of another run is named,
    and nothing is written.  Claims that are not searched in shards are settled here.
    """
    from checks.command.parts import merge_parts

    context.exit(merge_parts(folders, report, jobs or os.cpu_count() or 1, not no_cache, budget, memory))


# == command ==========================================================================================================
# `mcp`: the command that starts the server for agents, whose packages are an extra.
@click.command()
@click.option(
    "--budget",
    metavar="TIME",
    default="30s",
    show_default=True,
    callback=read_budget,
    help="At most so long for one answer, whatever an agent asks for: 30s, 2m.",
)
@click.option(
    "--characters",
    type=click.IntRange(500, 200_000),
    default=8_000,
    show_default=True,
    help="At most so many in one answer.",
)
def mcp(budget: float | None, characters: int) -> None:
    """Serve agents by the Model Context Protocol.

    On standard input and output.  Tools: check, settle, explain, solve, find.  A claim is given as text, or by its
    id in the library; no other file of this machine is read, nothing is executed, nothing is kept.  It needs
    another package: pip install "mcp>=2".
    """
    if budget is None:
        raise click.UsageError("--budget none: expected a time")
    try:
        from checks.command.agents import Budget
        from checks.command.server import make_server
    except ImportError as error:
        click.echo(f'{error.name or error} is not installed: pip install "mcp>=2"', err=True)
        sys.exit(2)
    make_server(Budget(budget, characters)).run("stdio")


# == theorem ==========================================================================================================
# `coq`: a claim as a theorem of Coq, printed or written into a file.
@click.command()
@click.argument("claims", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]...")
@click.option("--list", "listed", is_flag=True, help="Which claims are generated, and what is missing for the others.")
@click.option("--all", "everything", is_flag=True, help="All that are generated, each into a file of the folder --out.")
@click.option("--out", type=click.Path(path_type=Path), help="The file to write, or with --all the folder.")
@AS_DATA
def coq(claims: tuple[str, ...], listed: bool, everything: bool, out: Path | None, as_data: bool) -> None:
    """Write a claim as a theorem for Coq.

    From its file, [proof] and ruleset, for the theory in coq/.  With --all the paths come in the order for coqc.
    """
    from checks.command.data import to_data
    from checks.command.theorem_text import list_theorems, make_theorems, name_theorems, write_all
    from claims.language.errors import ClaimError, escape_invisible

    if everything and out is None:
        raise click.UsageError("--all needs --out FOLDER")
    if not claims and not (listed or everything):
        raise click.UsageError("which claim? or --list, or --all")
    entries = read_claims(claims)
    if out is not None and not (listed or everything) and len(entries) > 1:
        raise click.UsageError(f"--out {out} is a file for one claim; --all writes each into a file of a folder")
    try:
        if listed and not as_data:
            for line in list_theorems(entries):
                click.echo(escape_invisible(line))
            return
        if listed:
            found = [*name_theorems(entries)]
        else:
            found = [*(write_all(entries, out or Path()) if everything else make_theorems(entries, out))]
    except (ClaimError, OSError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    if as_data:
        print_data(to_data("claims", map(asdict, found)))
    else:
        _tell(found, everything)
    if not (listed or everything or all(theorem.generated for theorem in found)):
        sys.exit(2)


def _tell(found: list[ListedTheorem], everything: bool) -> None:
    from claims.language.errors import escape_invisible

    for theorem in found:
        if not theorem.generated:
            click.echo(escape_invisible(f"{theorem.id}: no theorem is generated: {theorem.missing}"), err=True)
        elif everything:
            click.echo(escape_invisible(theorem.file))
        elif not theorem.file:
            click.echo(theorem.text, nl=False)


# == cli ==============================================================================================================
# The command line, but for what has modules of its own. See docs/verdicts.md for the exit codes.
class Commands(click.Group):
    """The commands. A word that is none of them, and could be a claim, is told to need one.

    A command that is interrupted, and says nothing of it itself, ends in 3.
    """

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            sys.exit(EXIT_CODE)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0] if args else ""
        if self.get_command(ctx, word) is None and (word.endswith(".toml") or "/" in word or Path(word).exists()):
            ctx.fail(f"No such command {word!r}; to settle claims: {ctx.info_name} run {shlex.join(args)}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(package_name="nim-checks", prog_name="checks")
@click.pass_context
def main(context: click.Context) -> None:
    """Check claims about combinatorial games: each is proved, verified to a stated bound, or refuted."""
    from checks.command.output import wants_colour

    context.color = wants_colour()


def _add_settling_options(function: Callable[..., None]) -> Callable[..., None]:
    """The argument and options of the commands that settle claims."""
    decorators = (
        click.argument("wanted", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]..."),
        click.option(
            "--scope",
            "profile",
            type=click.Choice(["quick", "deep"]),
            default="quick",
            show_default=True,
            help="Which scope of each file to check.",
        ),
        click.option(
            "--set",
            "overrides",
            metavar="NAME=RANGE",
            multiple=True,
            callback=read_overrides,
            help="Override a scope: k=1..20, s.heaps=0..5, s.size=1..12. May be given several times.",
        ),
        click.option(
            "--route",
            "routes",
            metavar="ROUTE",
            multiple=True,
            callback=read_routes,
            help="Only these routes: exhaustive, which always runs; bounded, the scope once more, by Z3; or "
            "the rule that a [proof] names.",
        ),
        *WHERE,
        click.option(
            "--format",
            "form",
            type=click.Choice(["text", "json", "github"]),
            default="text",
            show_default=True,
            help="What is printed: github adds annotations, for a workflow of GitHub; json is report.json.",
        ),
        AS_DATA,
        *SHOWING,
        *IN_REPOSITORY,
        click.option("--no-cache", is_flag=True, help="Settle every claim anew, and keep nothing."),
        click.option(
            "--recheck",
            is_flag=True,
            help="Settle every claim anew, and compare with the cache: what differs is inconsistent.",
        ),
        click.option(
            "--search-anew",
            "anew",
            is_flag=True,
            help="Settle every claim anew, and search for the certificates that come with the library as well.",
        ),
        click.option(
            "--resume", is_flag=True, help="Take over finished shards of heavy claims from the report's folder."
        ),
        click.option(
            "--cache",
            "folder",
            type=FOLDER,
            default=None,
            help="Where the cache lies.  [default: CHECKS_CACHE, or the user's folder for such]",
        ),
        add_budget_option("CPU time for each claim: 60s, 2m, or none."),
        add_memory_option,
        click.option(
            "--solver-steps",
            type=click.IntRange(1),
            default=None,
            help="Limit for each obligation of a proof, in Z3's own steps.  [default: 60000000]",
        ),
        click.option(
            "--effort",
            type=click.IntRange(1, 1000),
            default=None,
            help="So many times the usual limits of a proof: of the search for certificates, and Z3's steps.",
        ),
        click.option("--second-solver", is_flag=True, help="Ask Z3 and cvc5 about each obligation too."),
        click.pass_context,
    )
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


def _settle(
    context: click.Context,
    mutants: bool,
    part: RunShare | None,
    jobs: int | None,
    form: str,
    as_data: bool,
    no_cache: bool,
    solver_steps: int | None,
    effort: int | None,
    second_solver: bool,
    **asked: Any,
) -> None:
    """Run with the settings that the command line asks for; `asked`: what Options and Settings call as it does."""
    with pausing_garbage_collection():
        from checks.command.run import Baseline, OutputOptions, Settings, run_claims
        from checks.judgement.scopes import Options
        from encoders.solvers.effort import USUAL

    if solver_steps and effort:
        raise click.UsageError("--solver-steps and --effort both say how many steps: give one of them")
    spent = replace(USUAL, steps=solver_steps or (effort or 1) * USUAL.steps, second=second_solver)
    verdicts = {name: asked.pop(name) for name in ("profile", "overrides", "budget", "routes")}
    asked["shown"] = OutputOptions(**{name: asked.pop(name) for name in ("verbose", "quiet", "slowest", "opened")})
    asked["standard"] = Baseline(asked.pop("against"), worse=asked.pop("fail_on") == WORSE)
    asked["options"] = Options(**verdicts, mutants=mutants, effort=spent)
    if asked["standard"].worse and asked["standard"].report is None:
        raise click.UsageError(f"--fail-on {WORSE} than what? --against OLD.json, the report.json of an older run")
    if not asked["written"] and (asked["last_failed"] or asked["resume"] or asked["shown"].opened or part):
        raise click.UsageError("--no-report goes with none of --last-failed, --resume, --open and --shard")
    workers = jobs or os.cpu_count() or 1
    settings = Settings(
        **asked, jobs=workers, github=form == "github", as_data=form == "json" or as_data, cache=not no_cache
    )
    if no_cache and (settings.recheck or settings.folder):
        raise click.UsageError(f"--no-cache and {'--recheck' if settings.recheck else '--cache'}: which?")
    if settings.recheck and settings.anew:
        raise click.UsageError("--recheck and --search-anew: which?")
    if settings.scheduler and jobs:
        raise click.UsageError("--scheduler and --jobs, which are processes of this machine: which?")
    if part is None:
        context.exit(run_claims(settings))
    if settings.standard.report:
        raise click.UsageError("--against and --shard, which draws no verdict: which?")
    if settings.scheduler:
        raise click.UsageError("--shard and --scheduler: which?")
    from checks.command.parts import run_part

    context.exit(run_part(settings, part))


@main.command(epilog=EPILOG)
@_add_settling_options
def run(context: click.Context, **options: Any) -> None:
    """Settle claims and write the reports. Without arguments: the whole library."""
    _settle(context, mutants=False, **options)


@main.command(epilog=EPILOG)
@_add_settling_options
def mutate(context: click.Context, **options: Any) -> None:
    """Settle claims, then try small changes of each that holds.

    Changed are constants, comparisons, players, nim-additions, normal and misère play; hypotheses are dropped.  What
    the scope does not notice is listed: it is too small to see the change, or the change makes no difference.
    """
    _settle(context, mutants=True, **options)


for _command in (merge, check, solve, explain, find, atlas, new, list_, show, mcp, coq):
    main.add_command(_command)


@main.command()
@click.option("--clear", is_flag=True, help="Forget everything that is kept.")
@click.option("--cache", "folder", type=FOLDER, default=None, help="Where the cache lies, as in run.")
def cache(clear: bool, folder: Path | None) -> None:
    """Say where the cache of results lies and how large it is."""
    from checks.cache.store import BadPlace, StoreFault
    from checks.command.cache_text import describe_cache

    try:
        for line in describe_cache(folder, clear):
            click.echo(line)
    except (BadPlace, StoreFault) as error:
        click.echo(f"no cache: {error}", err=True)
        sys.exit(2)


REPLAY_CODES = {
    0: "nothing contradicts the receipt; the output says what was not checked again",
    2: "the file is no receipt, or its claim has changed",
    3: "there is no verdict: the receipt says inconclusive or inconsistent, or --rerun met a limit",
    4: "something contradicts the receipt",
}


@main.command(epilog="\b\nExit codes:\n" + "\n".join(f"  {code}  {meaning}" for code, meaning in REPLAY_CODES.items()))
@click.argument("receipt", metavar="RECEIPT|ID")
@click.option("--rerun", is_flag=True, help="Settle the claim again as it was, and compare everything.")
@add_budget_option("Time for --rerun, as in run.")
@click.option(
    "--report", type=FOLDER, default=DEFAULT_REPORT, show_default=True, help="The folder of the reports, for an ID."
)
def replay(receipt: str, rerun: bool, budget: float | None, report: Path) -> None:
    """Draw the verdict of a receipt again and judge its cases.

    RECEIPT is a file, or the id of a claim of which there is a receipt in the report.  The output lists what was
    checked again and what was not.
    """
    from checks.command.replay import BadReceipt, Disagreement, find_receipts
    from checks.command.replay import replay as replayed
    from checks.command.replay import rerun as settled_again

    settled = True
    try:
        for path in find_receipts(receipt, report):
            found = settled_again(path, budget) if rerun else replayed(path)
            settled &= found.settled
            for line in found.lines:
                click.echo(line)
    except BadReceipt as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except Disagreement as error:
        click.echo(f"inconsistent: {error}", err=True)
        sys.exit(4)
    sys.exit(0 if settled else 3)


@main.command(epilog="\b\nExit codes:\n  0  all hold\n  1  some are refused\n  2  there are none")
@click.argument("claims", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]...")
@click.option(
    "--report",
    type=FOLDER,
    default=DEFAULT_REPORT,
    show_default=True,
    help="The folder of the reports beside which the certificates lie.",
)
@AS_DATA
def certify(claims: tuple[str, ...], report: Path, as_data: bool) -> None:
    """Check the certificates of a run again, without searching.

    The obligations are made again from the claim files.  A certificate counts if it is about one of them and holds;
    what is only trusted to a solver is named.  Refused are certificates of claims that read otherwise now, or of
    another file than the one named, and claims that have neither certificates nor a receipt that says why.  FILE is a
    claim file, or a file of certificates.
    """
    from checks.receipts.certify import certify as check
    from checks.receipts.certify import certify_file, is_certificate
    from claims.language.errors import escape_invisible

    count, told = {"certified": 0, "trusted": 0, "refused": 0}, []
    files = [Path(word) for word in claims if is_certificate(word)]
    words = tuple(word for word in claims if not is_certificate(word))
    named = check(report, read_claims(words) if words else ()) if words or not claims else ()
    for found in (*named, *map(certify_file, files)):
        told.append(found)
        if not as_data:
            click.echo(" ".join(escape_invisible(found.words).split()))
        if found.problem:
            count["refused"] += 1
        else:
            count["certified"] += found.certified
            count["trusted"] += len(found.trusted)
    if as_data:
        from checks.command.data import to_data

        print_data(to_data("claims", map(asdict, told), **count))
    else:
        said = "{certified} obligations certified, {trusted} only trusted, {refused} claims refused"
        click.echo(said.format_map(count))
    sys.exit(1 if count["refused"] else 0 if count["certified"] + count["trusted"] else 2)


@main.command(
    epilog="\b\nExit codes:\n  0  they say the same, or nothing is worse\n  1  they differ, or something is worse\n"
    "  2  a file is no report.json"
)
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(["text", "md"]), default="text", show_default=True, help="How to tell."
)
@click.option(
    "--renamed",
    metavar="OLD=NEW",
    multiple=True,
    callback=read_renamings,
    help="A route of OLD has another name in NEW. May be given several times.",
)
@click.option("--brief", is_flag=True, help="A line for each claim of another verdict, new, gone, or worse.")
@FAIL_ON
def diff(old: Path, new: Path, form: str, renamed: dict[str, str], brief: bool, fail_on: str) -> None:
    """Say which claims differ between two report.json, OLD and NEW.

    Told are verdicts, scopes, counterexamples, proofs, claims that are new or gone, and whatever else the reports say
    of a claim; not the times, nor the order of the claims.  Worse is: no longer in order, further from proved, fewer
    cases, more taken on trust, gone.
    """
    if brief and form == "md":
        raise click.UsageError("--brief and --format md: which?")
    from reports.comparison import NotAReport, compare, load_report, to_brief, to_table, to_text

    try:
        reports = load_report(old), load_report(new)
    except NotAReport as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    found = compare(*reports, renamed)
    click.echo((to_table if form == "md" else to_brief if brief else to_text)(found), nl=False)
    failed = bool(found.worse) if fail_on == WORSE else not found.equal
    sys.exit(1 if failed else 0)
