"""`find`, `weaken` and `shorten`: search for a claim, for a proof, or for a stronger or weaker claim."""

from __future__ import annotations

import difflib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checks.command.commands import describe_codes, warn_renamed
from checks.command.options import AS_DATA, add_budget_option, print_data, print_line
from checks.command.queries import split_given
from claims.language.errors import ClaimError, SourceLocation, escape_invisible
from claims.language.file_writing import write_file

if TYPE_CHECKING:
    from checks.execution.weakened import Weakened
    from checks.results.shown import Json
    from claims.language.files.library import Entry
    from claims.language.files.rulesets import Ruleset
    from encoders.compute.arrays.limits import Deadline
    from encoders.search.find import SearchProgress
    from encoders.search.question import SearchProblem


# == weaken ===========================================================================================================
MARK = "-weaker"  # without --out, the new claim is read as if its file were next to the old one, with this suffix
CODES_OF_FIND = describe_codes("find")
TICK, GRACE = 0.5, 5.0  # seconds between two checks of the budget; CPU seconds that a search may exceed its budget
BUDGET = add_budget_option("CPU time for the search: 60s, 2m, or none.")
WRITE = click.option("--write", is_flag=True, help="Write the [proof] into the file of CLAIM.")


@click.command(epilog=CODES_OF_FIND)
@click.argument("claim", metavar="CLAIM")
@AS_DATA
@click.option("--out", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Claim file to write.")
@BUDGET
def weaken(claim: str, as_data: bool, out: Path | None, budget: float | None) -> None:
    """Find a stronger claim, or a weaker claim that holds.

    CLAIM is a file or an id.  If CLAIM holds, it is changed step by step, as long as the new claim is proved.  A step
    drops or weakens a hypothesis, widens a domain, or replaces a number by a variable.  If no new claim is proved, the
    result is the first stronger claim that holds in its scope.

    If CLAIM is refuted, conditions are added.  The result is the claim under the weakest condition for which a proof
    was found.  Without a proof, it is the claim under the weakest condition with which it holds in its scope.

    The result is printed, or written to --out.  Progress is printed on stderr.
    """
    _require_claim(claim)
    _run(claim, out, lambda clock, _: find_weaker(_select(claim), out, as_data, clock), budget)


@click.command(epilog=CODES_OF_FIND)
@click.argument("claim", metavar="CLAIM")
@WRITE
@BUDGET
def shorten(claim: str, write: bool, budget: float | None) -> None:
    """Remove the parts of a [proof] that are not needed.

    CLAIM is a file or an id.  The shorter [proof] is printed as a patch, or as text if CLAIM is a variant; with
    --write it replaces the [proof] in the file.  Progress is printed on stderr.
    """
    _require_claim(claim)
    _run(claim, None, lambda clock, outcome: _find_proof(claim, write, True, clock, outcome), budget)


def find_weaker(entry: Entry, out: Path | None, as_data: bool, clock: Deadline) -> int:
    """Search for a stronger claim, or for a weaker claim that holds; write it to `out`, or print it.

    Return the exit code: 0 if the new claim is proved, 1 if it only holds in its scope, 3 if nothing was found.
    Raises ClaimError if a file cannot be used, and Unsupported if the claim neither holds nor is refuted.
    """
    from checks.execution.weakened import Weakened
    from checks.execution.weakened import weaken as search
    from encoders.proving.reading import load_claim

    if out is not None and not out.parent.is_dir():
        raise ClaimError(SourceLocation(str(out)), "there is no such folder", "a file in an existing folder")
    found = Weakened()
    at = out if out is not None else entry.path.with_name(f"{entry.path.stem}{MARK}.toml")

    def tell(line: str) -> None:
        click.echo(escape_invisible(line), err=True)

    try:
        search(load_claim(entry.path, entry.id), entry.path, at, clock, tell, found)
    except KeyboardInterrupt:
        found.stopped = "interrupted"
    if found.text and out is not None:
        write_file(out, found.text)
    if as_data:
        _print(entry, found)
    else:
        if found.text and out is None:
            click.echo(found.text, nl=False)
        click.echo(escape_invisible(_summarize(found)), err=out is None)
    return 0 if found.proved else 1 if found.text else 3


def _summarize(found: Weakened) -> str:
    from checks.results.wording import verdict_phrase

    stopped = f"; {found.stopped}" if found.stopped else ""
    if found.result is None:
        return f"nothing found; changes tried: {len(found.tried)}{stopped}"
    rest = "" if found.proved else "; no proof of this claim was found"
    return f"{verdict_phrase(found.result)}: {', '.join(found.changes)}{rest}{stopped}"


def _print(entry: Entry, found: Weakened) -> None:
    from checks.command.data import to_data

    tried = ({"change": x.words, "verdict": x.verdict.value, "detail": x.detail, "cases": x.met} for x in found.tried)
    verdict = found.result.verdict.value if found.result is not None else ""
    more: dict[str, Json] = {"claim": entry.id, "verdict": verdict, "changes": list(found.changes), "file": found.text}
    print_data(to_data("tried", tried, **more, stopped=found.stopped))


# == find =============================================================================================================
# The search is not trusted: the claim that it finds is settled in this process as by `run`, and that verdict is
# printed.
@click.command(epilog=CODES_OF_FIND)
@click.argument("what", metavar="RULESET|CLAIM")
@click.option(
    "--where", default="", metavar="CONDITION", help='Restrict the parameters by a condition, such as "k < l".'
)
@click.option("--set", "given", metavar="NAME=VALUE", multiple=True, help='Fix a parameter: k=3, "S={1, 3, 4}".')
@click.option("--values", is_flag=True, help="Find the Grundy values of one heap, instead of who wins.")
@WRITE
@click.option("--weaken", "weaker", is_flag=True, hidden=True)
@click.option("--shorten", "shorter", is_flag=True, hidden=True)
@click.option("--json", "as_data", is_flag=True, hidden=True)
@click.option("--out", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Claim file to write.")
@BUDGET
def find(
    what: str,
    where: str,
    given: tuple[str, ...],
    values: bool,
    write: bool,
    weaker: bool,
    shorter: bool,
    as_data: bool,
    out: Path | None,
    budget: float | None,
) -> None:
    """Find out who wins a game, or find a proof of a claim.

    RULESET is a file, or a ruleset of the library by its name.  The result is a claim about any number of heaps, with a
    proof if the search finds one.  The claim is settled as by `checks run`, and printed or written to --out.

    CLAIM is a file or an id.  The result is a [proof], printed as a patch, or as text if CLAIM is a variant; --write
    puts it into the file.  If CLAIM already contains a [proof], the search does not use it.  Progress is printed on
    stderr.
    """
    claim = is_claim(what)
    if claim and (where or given or values or (out is not None and not weaker)):
        raise click.UsageError("--where, --set, --values and --out need a RULESET instead of a CLAIM")
    if (write or weaker or shorter) and not claim:
        raise click.UsageError(f"--write needs a CLAIM: {what} is not a claim" if write else f"{what} is not a claim")
    if weaker and (write or shorter):
        raise click.UsageError("--weaken cannot be combined with --write or --shorten")
    if as_data and not weaker:
        raise click.UsageError(
            "--json cannot be combined with `checks find`; to print JSON, use `checks weaken CLAIM --json`"
        )
    for old in ("weaken",) * weaker + ("shorten",) * shorter:
        warn_renamed(f"find --{old}", old)

    def search(clock: Deadline, outcome: SearchProgress) -> int:
        if weaker:
            return find_weaker(_select(what), out, as_data, clock)
        if claim:
            return _find_proof(what, write, shorter, clock, outcome)
        return _find_claim(what, where, split_given(given), values, out, clock, outcome)

    _run(what, None if claim else out, search, budget, keeps=not claim)


def _run(
    what: str,
    out: Path | None,
    search: Callable[[Deadline, SearchProgress], int],
    budget: float | None,
    keeps: bool = False,
) -> None:
    """Run a search, and end the program with the exit code that the search returns.

    `keeps`: whether to write the claim found so far if the search is interrupted. This claim has not been settled.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many threads are slower on small matrices
    from claims.language.interrupts import noticing_interrupts
    from encoders.compute.arrays.limits import BadRuleset, Deadline
    from encoders.refusals import Unsupported
    from encoders.search.find import SearchProgress

    outcome = SearchProgress()
    try:
        with noticing_interrupts():
            code = search(Deadline(budget, time.process_time), outcome)
    except (ClaimError, Unsupported, BadRuleset, OSError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        _print_stopped(out, outcome, keeps)
        sys.exit(3)
    sys.exit(code)


def _print_stopped(out: Path | None, outcome: SearchProgress, keeps: bool) -> None:
    if outcome.text and keeps:
        _write(outcome.text, out)
    _print_outcome(out, f"stopped: {outcome.stage.value}; nothing was settled")


@contextmanager
def _ending_late_search(
    clock: Deadline, out: Path | None, outcome: SearchProgress, keeps: bool = False
) -> Iterator[None]:
    """End the program with exit code 3 if the `with` block exceeds its budget by more than GRACE CPU seconds.

    This also ends a long computation of a solver. `keeps`: whether the claim found so far is written before the end.
    """
    finished = threading.Event()

    def watch() -> None:
        assert clock.deadline is not None
        while not finished.wait(TICK):
            if clock.now() > clock.deadline + GRACE:
                if keeps:
                    _print_stopped(out, outcome, keeps)
                else:
                    why = f"; {outcome.obstacle}" if outcome.obstacle else ""
                    _print_outcome(out, f"no proof found: the budget ran out during the work of a solver{why}")
                sys.stdout.flush()
                os._exit(3)

    if clock.deadline is not None:
        threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        finished.set()


def _select(claim: str) -> Entry:
    from claims.language.files.library import select

    return select((claim,))[0]


def _require_claim(what: str) -> None:
    if not is_claim(what):
        raise click.UsageError(f"{what} is not a claim; expected a claim file, or the id of a claim")


def is_claim(what: str) -> bool:
    """Return whether a word names a claim, and not a ruleset."""
    from claims.language.files.library import select
    from claims.language.files.toml import read

    if Path(what).is_dir():
        return False
    try:
        entries = select((what,))
        return len({entry.path for entry in entries}) == 1 and "claim" in read(entries[0].path).data
    except ClaimError:
        return False  # reading it as a ruleset reports the error


def _find_claim(
    what: str,
    where: str,
    given: dict[str, str],
    values: bool,
    out: Path | None,
    clock: Deadline,
    outcome: SearchProgress,
) -> int:
    from checks.boards.question import read_ruleset
    from encoders.search.find import find_values
    from encoders.search.pairs import find_winners
    from encoders.search.question import ask

    rules = read_ruleset(what)
    if out is not None:
        check_place(out, rules)
    question = ask(rules, given, where)
    if question.ruleset.player_count and not values:
        from encoders.search.players import find_values_of_players as search
    else:
        search = find_values if values else find_winners
    with _ending_late_search(clock, out, outcome, keeps=True):
        search(question, clock, print_line, outcome)
    return _settle(question, outcome, out)


def _find_proof(what: str, write: bool, shorter: bool, clock: Deadline, outcome: SearchProgress) -> int:
    """Search for a [proof] of a claim, and settle the claim with this [proof]. Return the exit code.

    If the claim is then proved, the [proof] is written (`write`) or printed. `shorter`: shorten the existing [proof]
    instead.
    """
    from checks.execution.found import find_refutation, settle_with
    from checks.presentation.hints import list_siblings, list_theorems
    from checks.results.verdicts import Verdict
    from checks.results.wording import verdict_phrase
    from encoders.proving.reading import load_claim
    from encoders.search.find import SearchStage
    from encoders.search.proofs import ClaimFile, Nearby, find_proof, proof_of, put_into
    from encoders.search.proofs import shorten as search_shorter

    entry = _select(what)
    if write and entry.variant_of:
        raise click.UsageError(
            f"--write cannot be used with the variant {entry.id}; omit --write to print a [proof] that you can copy"
        )
    claim = load_claim(entry.path, entry.id)
    bare = replace(claim, proof=None)
    before = entry.path.read_text("utf-8")
    if shorter:
        with _ending_late_search(clock, entry.path, outcome):
            search_shorter(ClaimFile(bare, entry.path), proof_of(before), clock, print_line, outcome)
    elif (refuted := find_refutation(bare)) is not None:
        outcome.obstacle = f"the claim is {verdict_phrase(refuted)}"
    else:
        nearby = Nearby(tuple(list_theorems(bare, entry.path)), tuple(list_siblings(bare, entry.path)))
        with _ending_late_search(clock, entry.path, outcome):
            find_proof(bare, entry.path, nearby, clock, print_line, outcome)
    if outcome.stage is not SearchStage.PROOF:
        _print_outcome(entry.path, f"no proof found: {outcome.obstacle}")
        return 3
    result = settle_with(bare, entry.path, outcome.text)
    if result.verdict is not Verdict.PROVED:
        _print_outcome(entry.path, f"no proof found: with it, the claim is {verdict_phrase(result)}")
        return 4 if result.verdict is Verdict.INCONSISTENT else 3
    if entry.variant_of:
        click.echo(outcome.text, nl=False)
        click.echo(verdict_phrase(result), err=True)
        return 0
    after = put_into(before, outcome.text)
    if write:
        write_file(entry.path, after)
    else:
        names = (f"a/{entry.path.name}", f"b/{entry.path.name}")
        lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), *names)
        click.echo("".join(lines), nl=False)
    click.echo(verdict_phrase(result), err=not write)
    return 0


def check_place(out: Path, rules: Ruleset) -> None:
    """Raise ClaimError if a claim about the ruleset cannot be stored at `out`.

    The reasons: the folder does not exist, `out` is a ruleset, or in this folder the name of the ruleset means another
    ruleset or none.
    """
    from claims.language.files.games import find_file
    from claims.language.files.library import LIBRARY
    from claims.language.files.toml import read

    if not out.parent.is_dir():
        raise ClaimError(SourceLocation(str(out)), "there is no such folder", "a file in an existing folder")
    if out.exists() and "moves" in read(out).data:
        raise ClaimError(SourceLocation(str(out)), "this file is a ruleset", "another name for the claim file")
    named = find_file(rules.id, out.parent, LIBRARY, read)
    if named is None or read(named).text != rules.source.text:
        problem = f"from this folder the name {rules.id} means {'no ruleset' if named is None else 'another ruleset'}"
        raise ClaimError(
            SourceLocation(str(out)),
            problem,
            "a file for --out in the folder of the ruleset, or the command without --out",
        )


def _settle(question: SearchProblem, outcome: SearchProgress, out: Path | None) -> int:
    """Settle the claim that a search found, write it if it holds, and print the outcome. Return the exit code."""
    from checks.execution.found import settle_outcome
    from checks.results.verdicts import Verdict
    from checks.results.wording import verdict_phrase

    found = settle_outcome(question, outcome)
    if found.result is not None and found.result.verdict is Verdict.INCONSISTENT:
        _print_outcome(out, found.obstacle)
        return 4
    if found.result is None or not found.text:
        _print_outcome(out, f"nothing found: {found.obstacle}")
        if outcome.nearest:
            _print_outcome(out, f"nearest: {outcome.nearest}")
        return 3
    _write(found.text, out)
    _print_outcome(out, f"{verdict_phrase(found.result)}: {found.result.statement.text}")
    if found.result.verdict is Verdict.PROVED:
        return 0
    _print_outcome(out, f"no proof: {found.obstacle}")
    return 1


def _print_outcome(out: Path | None, line: str) -> None:
    """Print the outcome on stdout, or on stderr if the claim file is printed on stdout."""
    print_line(line, err=out is None)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
    else:
        write_file(out, text)
