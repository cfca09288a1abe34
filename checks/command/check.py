"""`check`: report all errors, warnings and notes of files, without settling a claim."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from checks.command.commands import describe_codes
from checks.command.defaults import LIBRARY, choose_claims
from checks.command.options import add_budget_option, add_memory_option
from claims.language.errors import ClaimError, escape_invisible, format_count

if TYPE_CHECKING:
    from checks.results.model import Fault

MOST_NOTED = 3  # files; for at most this many, notes are printed without --notes


@click.command(epilog=describe_codes("check"))
@click.argument("wanted", nargs=-1, metavar="[ID|GLOB|FILE|FOLDER]...")
@LIBRARY
@click.option(
    "--notes",
    is_flag=True,
    help=f"Print suggestions (notes) too. For at most {MOST_NOTED} files they are always printed.",
)
@click.option(
    "--changed",
    is_flag=True,
    help="Treat the arguments as changed files: skip deleted files, and files that `check` cannot check.",
)
@click.option(
    "--fix",
    "mend",
    is_flag=True,
    help="Correct misspelt keys, and misspelt values of keys that allow only certain words. Also format the files.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="Output: text; json; or github (annotations for a GitHub workflow).",
)
@click.option("--json", "as_data", is_flag=True, help="The same as --format json.")
@add_budget_option("CPU time for each file: 10s, 2m, or none.", "10s")
@add_memory_option
def check(
    wanted: tuple[str, ...],
    library: bool,
    notes: bool,
    changed: bool,
    mend: bool,
    form: str,
    as_data: bool,
    budget: float | None,
    memory: int | None,
) -> None:
    """Check files, without settling claims.

    The files are claims, rulesets, definitions or works.  All errors of a file are printed at once, each with its
    place, the expected text, and a suggestion.  Without arguments, `check` checks the first of these that exists:
    `paths` of [tool.nim-checks] in pyproject.toml; the claim files directly in the current folder; the whole
    library.  The argument - reads a claim from standard input.
    """
    from checks.command.files import check_all, mend_file, select_changed, select_files
    from checks.command.output import say, warn
    from checks.command.selection import taking_input
    from checks.execution.limits import capping_memory
    from checks.judgement.routes import Exhausted, InternalFault

    form = "json" if as_data else form
    try:
        if not changed:
            wanted, told = choose_claims(wanted, library)
            if told:
                warn(f"checking {told}")
        with taking_input(wanted, shown_here=True) as words, capping_memory(memory):
            entries, others = select_changed(words) if changed else select_files(words)
            paths = dict.fromkeys([*(entry.path for entry in entries), *others])
            mended = [path for path in paths if mend_file(path)] if mend else []
            faults = check_all(entries, others, notes or len(paths) <= MOST_NOTED, budget)
    except ClaimError as error:
        warn(str(error))
        sys.exit(2)
    except Exhausted as error:
        warn(str(error))
        sys.exit(2)
    except InternalFault as error:
        warn(f"{error}; please report it")
        sys.exit(4)
    if form == "json":
        say(to_json(faults, len(paths)))
    elif form == "github":
        from checks.command.github import find_repository
        from reports.ci import annotate_fault

        repository = find_repository()
        for fault in faults:
            say(annotate_fault(fault, repository))
    else:
        _print(faults, len(paths), len(mended))
    sys.exit(code_of(faults))


def code_of(faults: Iterable[Fault]) -> int:
    """Return the exit code of `check`: the largest of the codes of these faults, and 0 without faults.

    The code is 3 for a fault that states that a file was not checked, 2 for an error, 1 for a warning, and 0 for a
    note.
    """
    from checks.results.model import FaultKind, Severity

    codes = {Severity.ERROR: 2, Severity.WARNING: 1, Severity.NOTE: 0}
    return max((3 if fault.kind is FaultKind.NOT_CHECKED else codes[fault.severity] for fault in faults), default=0)


def to_json(faults: list[Fault], files: int) -> str:
    """Return the faults as JSON, in format 1 (outputs.schema.json, `check`)."""
    from checks.results.records import write_record

    data = {"format": 1, "files": files, "faults": [write_record(fault) for fault in faults]}
    return escape_invisible(json.dumps(data, indent=2, ensure_ascii=False))


def _print(faults: list[Fault], files: int, mended: int) -> None:
    from checks.command.output import say
    from checks.results.model import Severity

    for fault in faults:
        say("\n".join(map(escape_invisible, str(fault).split("\n"))))
        say()
    numbers = [(sum(fault.severity is severity for fault in faults), severity.value) for severity in Severity]
    counts = [format_count(number, word) for number, word in numbers if number]
    mended_words = f", {format_count(mended, 'file')} rewritten" if mended else ""
    say(f"{format_count(files, 'file')}: {', '.join(counts) or 'no faults'}{mended_words}")
