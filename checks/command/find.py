"""`find`: from the rules of a game to a claim about who wins, with its proof if one is found.

The search is trusted with nothing: the file that it writes is settled as `run` would settle it, in this process, and
that verdict is what is said.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checks.command.ask import split_given
from checks.command.values import read_budget

if TYPE_CHECKING:
    from checks.results.model import ClaimResult
    from claims.language.statement.rulesets import Ruleset
    from encoders.search.find import Outcome
    from encoders.search.question import Question

CODES = {
    0: "proved: the claim file holds a proof, which was checked",
    1: "verified: a formula that holds within the scope of the claim file, and no proof",
    2: "wrong usage, or rules that cannot be read or played",
    3: "nothing: no formula was found, or the search was stopped before it was settled",
    4: "an internal error; please report it",
}


@click.command(epilog="\b\nExit codes:\n" + "\n".join(f"  {code}  {meaning}" for code, meaning in CODES.items()))
@click.argument("ruleset")
@click.option("--where", default="", metavar="CONDITION", help='A region of the parameters: "k < l", "k == l".')
@click.option(
    "--set", "given", metavar="NAME=VALUE", multiple=True, help='A parameter that is fixed: k=3, "S={1, 3, 4}".'
)
@click.option("--values", is_flag=True, help="The Grundy values of one heap instead.")
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
    ruleset: str, where: str, given: tuple[str, ...], values: bool, out: Path | None, budget: float | None
) -> None:
    """Find out who wins a game, with a proof for any number of heaps.

    RULESET is called as claims call it, or is a file.  What is found is a claim file, which is settled as by run; it is
    printed, or written to --out.  How the search goes on is told on stderr.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many threads are slower on small matrices
    from checks.execution.execute import noticing_interrupts
    from checks.judgement.solving.asked import read_ruleset
    from claims.language.ground.errors import ClaimError
    from encoders.exhaustive.arrays.limits import BadRuleset, Clock
    from encoders.ground.refusals import Unsupported
    from encoders.search.find import Outcome, find_values, find_who_wins
    from encoders.search.question import ask

    outcome = Outcome()
    try:
        rules = read_ruleset(ruleset)
        if out is not None:
            check_place(out, rules)
        question = ask(rules, split_given(given), where)
        with noticing_interrupts():
            search = find_values if values else find_who_wins
            search(question, Clock(budget, time.process_time), _tell, outcome)
            code = _settle(question, outcome, out)
    except (ClaimError, Unsupported, BadRuleset) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        if outcome.text:
            _write(outcome.text, out)
        _say(out, f"stopped: {outcome.stage.value}; nothing of it was settled")
        sys.exit(3)
    sys.exit(code)


def check_place(out: Path, rules: Ruleset) -> None:
    """Refuse a file from which the claim would not find its ruleset, or one that is no claim. Raises ClaimError."""
    from claims.language.ground.errors import ClaimError, Place
    from claims.language.library.works import LIBRARY
    from claims.language.statement.games import find_file
    from claims.language.toml.source import read

    if out.exists() and "moves" in read(out).data:
        raise ClaimError(Place(str(out)), "this file is a ruleset", "another name for the claim file")
    named = find_file(rules.id, out.parent, LIBRARY, read)
    if named is None or read(named).text != rules.source.text:
        problem = f"from this folder the name {rules.id} means {'no ruleset' if named is None else 'another ruleset'}"
        raise ClaimError(Place(str(out)), problem, "a file beside that of the ruleset, or no --out")


def _settle(question: Question, outcome: Outcome, out: Path | None) -> int:
    """Settle what was found, write it and say what it came to; the exit code."""
    from checks.results.phrases import verdict_phrase
    from checks.results.verdicts import Verdict
    from encoders.search.find import Stage

    if outcome.stage is Stage.NOTHING:
        _say(out, f"nothing found: {outcome.obstacle}")
        if outcome.nearest:
            _say(out, f"nearest: {outcome.nearest}")
        return 3
    texts = [outcome.text] if outcome.stage is Stage.FORMULA else [outcome.text, outcome.formula]
    for text in texts:
        result = settle_text(question, text)
        if result.verdict in (Verdict.PROVED, Verdict.VERIFIED):
            _write(text, out)
            _say(out, f"{verdict_phrase(result)}: {result.statement.text}")
            if result.verdict is Verdict.PROVED:
                return 0
            _say(out, f"no proof: {outcome.obstacle}")
            return 1
        if result.verdict is Verdict.INCONSISTENT:
            _say(out, result.finding.error)
            return 4
        outcome.obstacle = f"the checker says {verdict_phrase(result)}: {result.statement.text}"
    _say(out, f"nothing found: {outcome.obstacle}")
    return 3


def settle_text(question: Question, text: str) -> ClaimResult:
    """What `run` finds of a claim file about the question's game."""
    from checks.execution.safely import safely
    from checks.judgement.options import Options
    from claims.language.library.entries import Entry
    from encoders.search.loop import open_workspace

    with open_workspace(question) as workspace:
        return safely(Entry("found", workspace.put(text)), Options())


def _tell(line: str) -> None:
    click.echo(line, err=True)


def _say(out: Path | None, line: str) -> None:
    """The outcome: on stdout, unless the claim file goes there."""
    from checks.results.phrases import visible

    click.echo(visible(line), err=out is None)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, "utf-8")
