"""The command line: the groups of commands, and `run`, `coq`, `diff`, `cache`, `mcp`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from checks.command.atlas import atlas
from checks.command.check import check
from checks.command.commands import Commands, describe_codes, replaced_by
from checks.command.defaults import LIBRARY, Configured, choose_claims
from checks.command.find import find, shorten, weaken
from checks.command.new import new
from checks.command.options import (
    AS_DATA,
    DEFAULT_REPORT,
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
    print_line,
    read_budget,
    read_claims,
    read_overrides,
    read_renamings,
    read_routes,
)
from checks.command.queries import explain, list_, show, solve
from checks.command.verify import certify, replay, verify
from checks.execution.limits import pausing_garbage_collection
from claims.language.errors import ClaimError

if TYPE_CHECKING:
    from checks.command.data import ListedTheorem
    from checks.execution.parts import RunShare
    from claims.language.files.library import Entry


# == merge ============================================================================================================
@click.command(cls=replaced_by("run --merge"), hidden=True, epilog=describe_codes("run"))
@click.argument("wanted", nargs=-1, required=True, metavar="FOLDER...")
@click.option("--report", type=FOLDER, default=DEFAULT_REPORT, show_default=True, help="Folder for the reports.")
@JOBS
@click.option("--no-cache", is_flag=True, help="Settle every claim again, and store nothing in the cache.")
@add_budget_option("CPU time for each claim that is not searched in shards: 60s, 2m, or none.")
@add_memory_option
@click.pass_context
def merge(context: click.Context, /, **_: object) -> None:
    """Merge the parts of a run, and write its reports."""
    context.forward(run, merged=True)


# == mcp ==============================================================================================================
@click.command()
@click.option(
    "--budget",
    metavar="TIME",
    default="30s",
    show_default=True,
    callback=read_budget,
    help="Maximum time for one answer, even if an agent asks for more: 30s, 2m.",
)
@click.option(
    "--characters",
    type=click.IntRange(500, 200_000),
    metavar="N",
    default=8_000,
    show_default=True,
    help="Maximum length of an answer, in characters.",
)
def mcp(budget: float | None, characters: int) -> None:
    """Serve agents by the Model Context Protocol.

    The server uses standard input and output.  Its tools are check, settle, explain, solve and find.  A claim is given
    as text, or by its id in the library.  The server does not read other files of this machine, does not execute
    anything that an agent sends, and does not store anything.  It needs the package mcp: pip install "mcp>=2".
    """
    if budget is None:
        raise click.UsageError("--budget cannot be none here; expected a time such as 30s")
    try:
        from checks.command.agents import Budget
        from checks.command.server import make_server
    except ImportError as error:
        click.echo(f'{error.name or error} is not installed; install it with pip install "mcp>=2"', err=True)
        sys.exit(2)
    make_server(Budget(budget, characters)).run("stdio")


# == coq ==============================================================================================================
@click.command()
@click.argument("claims", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]...")
@click.option(
    "--list", "listed", is_flag=True, help="List the claims that have a theorem, and why the other claims have none."
)
@click.option("--all", "everything", is_flag=True, help="Write every theorem into its own file in the folder --out.")
@click.option(
    "--statements", is_flag=True, help="Write the statements in Coq, each next to its source and its claim; no proofs."
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="File for the theorem; with --all, folder for the theorems."
)
@AS_DATA
def coq(
    claims: tuple[str, ...], listed: bool, everything: bool, statements: bool, out: Path | None, as_data: bool
) -> None:
    """Write a claim as a theorem for Coq.

    The theorem and its proof are generated from the claim file, its [proof] and its ruleset.  They import the theory in
    the folder coq/ of the repository.  With --all, the paths are printed in the order in which coqc must compile them.
    With --statements, the text is one Coq file. Without CLAIMS, it has the statements of the whole library.
    """
    from checks.command.data import to_data
    from checks.command.theorem_text import list_theorems, make_theorems, name_theorems, write_all
    from claims.language.errors import ClaimError, escape_invisible

    if everything and out is None:
        raise click.UsageError("--all needs --out FOLDER")
    if statements and (listed or everything or as_data):
        raise click.UsageError("--statements cannot be combined with --list, --all or --json")
    if not claims and not (listed or everything or statements):
        raise click.UsageError("name a claim, or use --list, --all or --statements")
    entries = read_claims(claims)
    if statements:
        _print_statements(entries, out)
        return
    if out is not None and not (listed or everything) and len(entries) > 1:
        raise click.UsageError(
            f"--out {out} names one file, but there are {len(entries)} claims; with --all, --out names a folder"
        )
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
        _print_theorems(found, everything)
    if not (listed or everything or all(theorem.generated for theorem in found)):
        sys.exit(2)


def _print_statements(entries: Sequence[Entry], out: Path | None) -> None:
    from checks.command.theorem_text import write_statements
    from claims.language.errors import ClaimError, escape_invisible
    from claims.language.file_writing import write_file

    try:
        text = "".join(write_statements(entries))
        if out is None:
            click.echo(escape_invisible(text), nl=False)
        else:
            write_file(out, text)
    except (ClaimError, OSError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def _print_theorems(found: list[ListedTheorem], everything: bool) -> None:
    from claims.language.errors import escape_invisible

    for theorem in found:
        if not theorem.generated:
            click.echo(escape_invisible(f"{theorem.id} does not have a theorem, because {theorem.missing}"), err=True)
        elif everything:
            click.echo(escape_invisible(theorem.file))
        elif not theorem.file:
            click.echo(theorem.text, nl=False)


# == cli ==============================================================================================================
@click.group(
    cls=Commands,
    epilog=describe_codes("run", "Exit codes of `run`; other commands list theirs in --help"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(package_name="nim-checks", prog_name="checks")
@click.pass_context
def main(context: click.Context) -> None:
    """Check claims about combinatorial games: each is proved, verified to a stated bound, or refuted."""
    from checks.command.output import wants_colour

    context.color = wants_colour()


COMMON = ("profile", "overrides", "mutants", "library", "budget", "jobs", "report", "opened")
"""The options of `run` that its help lists first."""


class Run(Configured):
    """The command `run`. Its help lists eight common options first, and the others under *Advanced*."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [x for x in self.get_params(ctx) if isinstance(x, click.Option)]
        records = {x.name or "": record for x in options if (record := x.get_help_record(ctx))}
        help = next(x.name or "" for x in options if "--help" in x.opts)
        with formatter.section("Options"):
            formatter.write_dl([records.pop(name) for name in (*COMMON, help)])
        with formatter.section("Advanced"):
            formatter.write_dl([*records.values()])


def _add_settling_options(function: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command with the argument and the options of `run`."""
    decorators = (
        click.argument("wanted", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]..."),
        LIBRARY,
        click.option(
            "--scope",
            "profile",
            type=click.Choice(["quick", "deep"]),
            default="quick",
            show_default=True,
            help="Scope to search: [scope] of each file (quick), or [scope.deep] (deep).",
        ),
        click.option(
            "--set",
            "overrides",
            metavar="NAME=RANGE",
            multiple=True,
            callback=read_overrides,
            help="Replace a bound of the scope: k=1..20, s.heaps=0..5, s.size=1..12. Repeat the option for several "
            "bounds.",
        ),
        click.option(
            "--route",
            "routes",
            metavar="ROUTE",
            multiple=True,
            callback=read_routes,
            help="Use only this route: exhaustive (search of the scope, which always runs); bounded (Z3 on the same "
            "scope); "
            "or a proof rule, as a [proof] names it. Repeat the option for several routes.",
        ),
        *WHERE,
        click.option(
            "--format",
            "form",
            type=click.Choice(["text", "json", "github"]),
            default="text",
            show_default=True,
            help="Output: text; json (report.json); or github (text with annotations for a GitHub workflow).",
        ),
        AS_DATA,
        *SHOWING,
        *IN_REPOSITORY,
        click.option("--no-cache", is_flag=True, help="Settle every claim again, and store nothing in the cache."),
        click.option(
            "--recheck",
            is_flag=True,
            help="Settle every claim again, and compare the results with the cache. If a result differs, its "
            "verdict is "
            "*inconsistent*.",
        ),
        click.option(
            "--search-anew",
            "anew",
            is_flag=True,
            help="Settle every claim again, and search again for all certificates, instead of using stored ones.",
        ),
        click.option(
            "--resume",
            is_flag=True,
            help="Continue a run: reuse the finished shards (parts of large scopes) in the --report folder.",
        ),
        click.option(
            "--cache",
            "folder",
            type=FOLDER,
            default=None,
            help="Folder of the cache.  [default: CHECKS_CACHE, or the user's cache folder]",
        ),
        add_budget_option("CPU time for each claim: 60s, 2m, or none."),
        add_memory_option,
        click.option(
            "--solver-steps",
            type=click.IntRange(1),
            metavar="N",
            default=None,
            help="Maximum number of Z3 steps for each obligation of a proof.  [default: 60000000]",
        ),
        click.option(
            "--effort",
            type=click.IntRange(1, 1000),
            metavar="N",
            default=None,
            help="Multiply two limits of each proof by N: the search for certificates, and the number of Z3 steps.",
        ),
        click.option("--second-solver", is_flag=True, help="Also try to prove each obligation with Z3 and with cvc5."),
        click.pass_context,
    )
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


def _settle(
    context: click.Context,
    mutants: bool,
    library: bool,
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
    """Settle claims with the settings of the command line, and end with the exit code.

    `asked`: further options, which have the same names in Options or Settings.
    """
    with pausing_garbage_collection():
        from checks.command.run import Baseline, OutputOptions, Settings, run_claims
        from checks.judgement.scopes import Options
        from encoders.solvers.effort import USUAL

    if solver_steps and effort:
        raise click.UsageError("--solver-steps and --effort both set the number of steps; give one of them")
    if asked["changed"] and library:
        raise click.UsageError("--changed cannot be combined with --library")
    if not asked["changed"]:
        asked["wanted"] = _choose(context, asked["wanted"], library)
    spent = replace(USUAL, steps=solver_steps or (effort or 1) * USUAL.steps, second=second_solver)
    verdicts = {name: asked.pop(name) for name in ("profile", "overrides", "budget", "routes")}
    asked["shown"] = OutputOptions(**{name: asked.pop(name) for name in ("verbose", "quiet", "slowest", "opened")})
    asked["standard"] = Baseline(asked.pop("against"), worse=asked.pop("fail_on") == WORSE)
    asked["options"] = Options(**verdicts, mutants=mutants, effort=spent)
    if asked["standard"].worse and asked["standard"].report is None:
        raise click.UsageError(f"--fail-on {WORSE} needs --against OLD.json, the report.json of an earlier run")
    if not asked["written"] and (asked["last_failed"] or asked["resume"] or asked["shown"].opened or part):
        raise click.UsageError("--no-report cannot be combined with --last-failed, --resume, --open or --shard")
    workers = jobs or os.cpu_count() or 1
    settings = Settings(
        **asked, jobs=workers, github=form == "github", as_data=form == "json" or as_data, cache=not no_cache
    )
    if no_cache and (settings.recheck or settings.folder):
        raise click.UsageError(f"--no-cache cannot be combined with {'--recheck' if settings.recheck else '--cache'}")
    if settings.recheck and settings.anew:
        raise click.UsageError("--recheck cannot be combined with --search-anew")
    if settings.scheduler and context.get_parameter_source("jobs") is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("--scheduler cannot be combined with --jobs, which starts processes on this machine")
    if part is None:
        context.exit(run_claims(settings))
    if settings.standard.report:
        raise click.UsageError("--against cannot be combined with --shard, which settles no claim")
    if settings.scheduler:
        raise click.UsageError("--shard cannot be combined with --scheduler")
    from checks.command.parts import run_part

    context.exit(run_part(settings, part))


MERGING = {"merged", "wanted", "report", "jobs", "no_cache", "budget", "memory"}
"""The options of `run` that can be combined with --merge. The shards determine which claims are settled."""


def _merge(
    context: click.Context,
    wanted: tuple[str, ...],
    report: Path,
    jobs: int | None,
    no_cache: bool,
    budget: float | None,
    memory: int | None,
    **_: object,
) -> None:
    """Merge the parts of a run. `wanted`: their report folders."""
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") is click.core.ParameterSource.COMMANDLINE
        if given and parameter.name not in MERGING:
            raise click.UsageError(
                f"--merge cannot be combined with {parameter.opts[0]}; "
                "expected only --report, --jobs, --no-cache, --budget and --memory"
            )
    if not wanted:
        raise click.UsageError("--merge needs the --report folders of all parts, such as: run --merge part-1 part-2")
    from checks.command.parts import merge_parts

    folders = tuple(map(Path, wanted))
    context.exit(merge_parts(folders, report, jobs or os.cpu_count() or 1, not no_cache, budget, memory))


def _choose(context: click.Context, words: tuple[str, ...], library: bool) -> tuple[str, ...]:
    """Return the words that name the claims to settle.

    Without arguments, also print on stderr which claims these are.
    """
    try:
        wanted, told = choose_claims(words, library)
    except ClaimError as error:
        print_line(str(error))
        context.exit(2)
    if told:
        print_line(f"settling {told}")
    return wanted


@main.command(cls=Run, epilog=describe_codes("run"))
@_add_settling_options
@click.option(
    "--mutants",
    is_flag=True,
    help="Also make small changes to each claim, and list the changes that no case of the scope detects.",
)
@click.option(
    "--merge",
    "merged",
    is_flag=True,
    help="Merge the parts of a run. The arguments are the --report folders of `run --shard`.",
)
def run(context: click.Context, merged: bool, **options: Any) -> None:
    """Settle claims, and write the reports.

    A claim is named by its id in the library, a glob over ids, a file, a folder, or - for standard input.  Without
    arguments, `run` settles the first of these that exists: `paths` of [tool.nim-checks] in pyproject.toml; the claim
    files (*.toml) directly in the current folder; the whole library.  With --library, `run` settles the whole library.

    With --mutants, `run` also makes small changes to each claim: to constants, comparisons, players, nim-sums, and
    normal or misère play; it also drops hypotheses.  A change that no case of the scope detects is listed.  In this
    case, the scope is too small to show the difference, or the changed claim is true as well.

    With --merge, the arguments are the --report folders of `run --shard`, and the result is one report for all parts.
    If a part is missing, given twice, changed or from another run, the command names the part and writes nothing.
    Claims that are not searched in shards are settled by this command.

    Defaults for jobs, budget, report and paths can be set under [tool.nim-checks] in the nearest pyproject.toml.
    """
    if merged:
        _merge(context, **options)
    _settle(context, **options)


@main.command(cls=replaced_by("run --mutants"), hidden=True, epilog=describe_codes("run"))
@_add_settling_options
def mutate(context: click.Context, **options: Any) -> None:
    """Settle claims, then try small changes of each that holds."""
    _settle(context, mutants=True, **options)


for _command in (merge, check, solve, explain, find, weaken, shorten, atlas, new, show, verify, mcp, coq):
    main.add_command(_command)
for _old in (list_, replay, certify):
    main.add_command(_old)


@main.command()
@click.option("--clear", is_flag=True, help="Delete all stored results.")
@click.option("--cache", "folder", type=FOLDER, default=None, help="Folder of the cache, as for `checks run`.")
def cache(clear: bool, folder: Path | None) -> None:
    """Print the folder and the size of the cache of results."""
    from checks.cache.store import BadPlace, StoreFault
    from checks.command.cache_text import describe_cache

    try:
        for line in describe_cache(folder, clear):
            click.echo(line)
    except (BadPlace, StoreFault) as error:
        click.echo(f"no cache: {error}", err=True)
        sys.exit(2)


@main.command(epilog=describe_codes("diff"))
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md"]),
    default="text",
    show_default=True,
    help="Output: text, or a Markdown table.",
)
@click.option(
    "--renamed",
    metavar="OLD=NEW",
    multiple=True,
    callback=read_renamings,
    help="Treat route OLD of the first report as route NEW of the second. Repeat the option for several routes.",
)
@click.option(
    "--brief",
    is_flag=True,
    help="Print one line for each claim that is new, missing or worse, or has a different verdict.",
)
@FAIL_ON
def diff(old: Path, new: Path, form: str, renamed: dict[str, str], brief: bool, fail_on: str) -> None:
    """List the differences between two report.json files.

    OLD and NEW are the files report.json of two runs.  Every part of a result is compared: verdict, scope,
    counterexample, proof, and so on.  Times and the order of the claims are ignored.  A claim is worse if it fails only
    in NEW, if its verdict is further from *proved*, if it has fewer cases, if its verdict trusts more assumptions, or
    if it is missing.
    """
    if brief and form == "md":
        raise click.UsageError("--brief cannot be combined with --format md")
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
