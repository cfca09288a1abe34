"""`find`: from a ruleset to a claim with its proof, the proof of a claim, or a stronger claim."""

from __future__ import annotations

import difflib
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checks.command.options import AS_DATA, print_data, print_line, read_budget
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
# `find CLAIM --weaken`: what says more than a claim, or under which condition a refuted one holds.
MARK = "-weaker"  # what is made is read as if it stood beside the claim, in a file that is called so


def find_weaker(entry: Entry, out: Path | None, as_data: bool, clock: Deadline) -> int:
    """Search, and write or print the claim file that was found; the exit code. Raises ClaimError, Unsupported."""
    from checks.execution.weakened import Weakened, weaken
    from encoders.proving.reading import load_claim

    if out is not None and not out.parent.is_dir():
        raise ClaimError(SourceLocation(str(out)), "there is no such folder", "a file in a folder that is there")
    found = Weakened()
    at = out if out is not None else entry.path.with_name(f"{entry.path.stem}{MARK}.toml")

    def tell(line: str) -> None:
        click.echo(escape_invisible(line), err=True)

    try:
        weaken(load_claim(entry.path, entry.id), entry.path, at, clock, tell, found)
    except KeyboardInterrupt:
        found.stopped = "interrupted"
    if found.text and out is not None:
        write_file(out, found.text)
    if as_data:
        _print(entry, found)
    else:
        if found.text and out is None:
            click.echo(found.text, nl=False)
        click.echo(escape_invisible(_say(found)), err=out is None)
    return 0 if found.proved else 1 if found.text else 3


def _say(found: Weakened) -> str:
    from checks.results.wording import verdict_phrase

    stopped = f"; {found.stopped}" if found.stopped else ""
    if found.result is None:
        return f"nothing found; changes that were tried: {len(found.tried)}{stopped}"
    rest = "" if found.proved else "; no proof was found of what holds"
    return f"{verdict_phrase(found.result)}: {', '.join(found.changes)}{rest}{stopped}"


def _print(entry: Entry, found: Weakened) -> None:
    from checks.command.data import to_data

    tried = ({"change": x.words, "verdict": x.verdict.value, "detail": x.detail, "cases": x.met} for x in found.tried)
    verdict = found.result.verdict.value if found.result is not None else ""
    more: dict[str, Json] = {"claim": entry.id, "verdict": verdict, "changes": list(found.changes), "file": found.text}
    print_data(to_data("tried", tried, **more, stopped=found.stopped))


# == find =============================================================================================================
# `find`: from the rules of a game to a claim about who wins, with its proof; or the proof of a claim that there is.
#
# The search is trusted with nothing: what it writes is settled as `run` would settle it, in this process, and that
# verdict is what is said.
CODES = {
    0: "proved: the claim file holds a proof, which was checked",
    1: "verified: a formula that holds within the scope of the claim file, and no proof",
    2: "wrong usage, or rules that cannot be read or played",
    3: "nothing: no formula was found, or the search was stopped before it was settled",
    4: "an internal error; please report it",
}


@click.command(epilog="\b\nExit codes:\n" + "\n".join(f"  {code}  {meaning}" for code, meaning in CODES.items()))
@click.argument("what", metavar="RULESET|CLAIM")
@click.option("--where", default="", metavar="CONDITION", help='A region of the parameters: "k < l", "k == l".')
@click.option(
    "--set", "given", metavar="NAME=VALUE", multiple=True, help='A parameter that is fixed: k=3, "S={1, 3, 4}".'
)
@click.option("--values", is_flag=True, help="The Grundy values of one heap instead.")
@click.option("--write", is_flag=True, help="Put the [proof] that is found into the file of CLAIM.")
@click.option(
    "--weaken", is_flag=True, help="What says more than CLAIM; if it is refuted, the weakest condition for it."
)
@click.option("--shorten", is_flag=True, help="Leave out what the [proof] of CLAIM does without.")
@AS_DATA
@click.option("--out", "-o", type=click.Path(dir_okay=False, path_type=Path), help="The claim file to write.")
@click.option(
    "--budget",
    metavar="TIME",
    default="60s",
    show_default=True,
    callback=read_budget,
    help="CPU time for the search: 60s, 2m, or none.",
)
def find(
    what: str,
    where: str,
    given: tuple[str, ...],
    values: bool,
    write: bool,
    weaken: bool,
    shorten: bool,
    as_data: bool,
    out: Path | None,
    budget: float | None,
) -> None:
    """Find who wins a game, or a proof of a claim.

    Who wins is told with a proof for any number of heaps.  RULESET is called as claims call it, or is a file.  What
    is found is a claim file, which is settled as by run; it is printed, or written to --out.  CLAIM is a file or an
    id: its [proof] is searched for, whatever it has now, and printed as a patch, or of a variant as text; --write puts
    it into the file.  With --shorten, what its own does without is left out instead.  With --weaken its hypotheses are
    dropped or weakened, its domains widened, its numbers made variables, and the strongest claim that is proved is
    printed, or written to --out; of a claim that is refuted, it under the weakest condition.  How the search goes on
    is told on stderr.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many threads are slower on small matrices
    from claims.language.interrupts import noticing_interrupts
    from encoders.compute.arrays.limits import BadRuleset, Deadline
    from encoders.refusals import Unsupported
    from encoders.search.find import SearchProgress

    claim = is_claim(what)
    if claim and (where or given or values or (out is not None and not weaken)):
        raise click.UsageError("--where, --set, --values and --out go with a RULESET; --out with --weaken too")
    if (write or weaken or shorten) and not claim:
        raise click.UsageError("--write, --shorten and --weaken go with a CLAIM")
    if (weaken and (write or shorten)) or (as_data and not weaken):
        raise click.UsageError("--weaken: without --write and --shorten; --json: with --weaken")
    outcome, clock = SearchProgress(), Deadline(budget, time.process_time)
    try:
        with noticing_interrupts():
            if weaken:
                from claims.language.files.library import select

                code = find_weaker(select((what,))[0], out, as_data, clock)
            elif claim:
                code = _find_proof(what, write, shorten, clock, outcome)
            else:
                code = _find_claim(what, where, split_given(given), values, out, clock, outcome)
    except (ClaimError, Unsupported, BadRuleset, OSError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        if outcome.text and not claim:
            _write(outcome.text, out)
        _say_outcome(out, f"stopped: {outcome.stage.value}; nothing of it was settled")
        sys.exit(3)
    sys.exit(code)


def is_claim(what: str) -> bool:
    """Whether a word names a claim and no ruleset."""
    from claims.language.files.library import select
    from claims.language.files.toml import read

    if Path(what).is_dir():
        return False
    try:
        entries = select((what,))
        return len({entry.path for entry in entries}) == 1 and "claim" in read(entries[0].path).data
    except ClaimError:
        return False  # who reads it as a ruleset says what is wrong


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
    search(question, clock, print_line, outcome)
    return _settle(question, outcome, out)


def _find_proof(what: str, write: bool, shorter: bool, clock: Deadline, outcome: SearchProgress) -> int:
    """Search for the [proof] of a claim, or a shorter one, settle the claim with it, and show or write it."""
    from checks.execution.families import settle_with
    from checks.presentation.hints import list_siblings, list_theorems
    from checks.results.verdicts import Verdict
    from checks.results.wording import verdict_phrase
    from claims.language.files.library import select
    from encoders.proving.reading import load_claim
    from encoders.search.find import SearchStage
    from encoders.search.proofs import ClaimFile, Nearby, find_proof, proof_of, put_into, shorten

    entry = select((what,))[0]
    if write and entry.variant_of:
        raise click.UsageError(
            f"--write: {entry.id} is a variant; without --write its [proof] is printed, for [[variants]]"
        )
    claim = load_claim(entry.path, entry.id)
    bare = replace(claim, proof=None)
    before = entry.path.read_text("utf-8")
    if shorter:
        shorten(ClaimFile(bare, entry.path), proof_of(before), clock, print_line, outcome)
    else:
        nearby = Nearby(tuple(list_theorems(bare, entry.path)), tuple(list_siblings(bare, entry.path)))
        find_proof(bare, entry.path, nearby, clock, print_line, outcome)
    if outcome.stage is not SearchStage.PROOF:
        _say_outcome(entry.path, f"no proof found: {outcome.obstacle}")
        return 3
    result = settle_with(bare, entry.path, outcome.text)
    if result.verdict is not Verdict.PROVED:
        _say_outcome(entry.path, f"no proof found: the checker says {verdict_phrase(result)}")
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
    """Refuse a file from which the claim would not find its ruleset, or one that is no claim. Raises ClaimError."""
    from claims.language.files.games import find_file
    from claims.language.files.library import LIBRARY
    from claims.language.files.toml import read

    if not out.parent.is_dir():
        raise ClaimError(SourceLocation(str(out)), "there is no such folder", "a file in a folder that is there")
    if out.exists() and "moves" in read(out).data:
        raise ClaimError(SourceLocation(str(out)), "this file is a ruleset", "another name for the claim file")
    named = find_file(rules.id, out.parent, LIBRARY, read)
    if named is None or read(named).text != rules.source.text:
        problem = f"from this folder the name {rules.id} means {'no ruleset' if named is None else 'another ruleset'}"
        raise ClaimError(SourceLocation(str(out)), problem, "a file beside that of the ruleset, or no --out")


def _settle(question: SearchProblem, outcome: SearchProgress, out: Path | None) -> int:
    """Settle what was found, write it and say what it came to; the exit code."""
    from checks.execution.families import settle_outcome
    from checks.results.verdicts import Verdict
    from checks.results.wording import verdict_phrase

    found = settle_outcome(question, outcome)
    if found.result is not None and found.result.verdict is Verdict.INCONSISTENT:
        _say_outcome(out, found.obstacle)
        return 4
    if found.result is None or not found.text:
        _say_outcome(out, f"nothing found: {found.obstacle}")
        if outcome.nearest:
            _say_outcome(out, f"nearest: {outcome.nearest}")
        return 3
    _write(found.text, out)
    _say_outcome(out, f"{verdict_phrase(found.result)}: {found.result.statement.text}")
    if found.result.verdict is Verdict.PROVED:
        return 0
    _say_outcome(out, f"no proof: {found.obstacle}")
    return 1


def _say_outcome(out: Path | None, line: str) -> None:
    """The outcome: on stdout, unless the claim file goes there."""
    print_line(line, err=out is None)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
    else:
        write_file(out, text)
