"""One game of a family: the task of a worker, and the record that the worker returns.

A game is either a ruleset of a grammar or a game of a claim. For a ruleset, the worker searches for a condition that
tells who wins; for a game of a claim, the worker searches for a period of the values.
"""

from __future__ import annotations

import gc
import hashlib
import time
from dataclasses import dataclass
from functools import lru_cache

from checks.execution.found import settle_outcome
from checks.execution.journal import Record
from checks.execution.limits import Unfit
from checks.execution.work import AboutClaim
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from claims.language.files.library import Entry
from encoders.compute.arrays.limits import BadRuleset, Deadline
from encoders.periods.tables import to_json
from encoders.proving.reading import load_claim
from encoders.refusals import Unsupported
from encoders.rules.periodic.family import Member as FamilyMember
from encoders.rules.periodic.family import settle_member
from encoders.search.find import SearchProgress
from encoders.search.grammar import Member, read_rules
from encoders.search.pairs import find_winners
from encoders.search.question import SearchProblem, ask
from encoders.search.tables import SMALL, OutcomeTable


# == values ===========================================================================================================
@dataclass(frozen=True)
class AskedValues(AboutClaim):
    """A game of a claim, as it is sent to a worker.

    `heaps`: the number of heap sizes in which a period is searched for.
    """

    id: str
    member: FamilyMember
    heaps: int


def settle_values(asked: AskedValues) -> Record:
    """Return the record of a game of a claim.

    `verdict`: proved if a period was proved, else inconclusive.
    `table`: the preperiod, period, saltus and values in the format of `to_json`, or None.
    `words`: the checked statement, or the reason why there is no table.
    Raises Unfit if the claim file was changed during the run.
    """
    found = settle_member(_load(asked.entry, asked.digest), asked.member, asked.heaps)
    proved = found.table is not None
    return {
        "verdict": (Verdict.PROVED if proved else Verdict.INCONCLUSIVE).value,
        "table": None if found.table is None else to_json(found.table),
        "words": found.words,
    }


@lru_cache(maxsize=1)
def _load(entry: Entry, digest: str) -> Claim:
    """Read the claim, once in each process."""
    claim = load_claim(entry.path, entry.id)
    if claim.digest != digest:
        raise Unfit(f"{entry.id} was changed during the run")
    return claim


# == rulesets =========================================================================================================
_DIGITS = 16


@dataclass(frozen=True)
class RulesetSearchJob:
    """A ruleset of a family, as it is sent to a worker. `budget`: CPU seconds for its search."""

    id: str
    text: str
    where: str
    budget: float | None


def make_job(member: Member, budget: float | None) -> RulesetSearchJob:
    """Return the job for a member of the grammar."""
    return RulesetSearchJob(member.id, member.text, member.where, budget)


def search(asked: RulesetSearchJob) -> Record:
    """Return the record of a ruleset.

    `verdict`: proved, verified or inconclusive.
    `statement`: the statement in words, or "" if nothing was found.
    `claim`: the text of its claim file, or "" if nothing was found.
    `obligations`: the number of obligations in the proof, 0 without a proof.
    `rule`: the rule of the proof, or "".
    `obstacle`: the reason why the search did not find a stronger result.
    `nearest`: a description of the wrong formula with the smallest number of errors, or "".
    `outcomes`: a digest of the winners in a small box.
    """
    try:
        return _search(asked)
    finally:
        gc.collect()  # few objects hold half a gigabyte in cycles; Python alone would free them only after many games


def _search(asked: RulesetSearchJob) -> Record:
    outcome, clock = SearchProgress(), Deadline(asked.budget, time.process_time)
    nothing = dict.fromkeys(("statement", "claim", "rule", "outcomes", "nearest"), "")
    record: Record = {"verdict": Verdict.INCONCLUSIVE.value, **nothing, "obligations": 0}
    try:
        question = ask(read_rules(asked.id, asked.text), {}, asked.where)
        record["outcomes"] = digest_outcomes(question)
        find_winners(question, clock, lambda _: None, outcome, shorten=False)
    except (Unsupported, BadRuleset) as error:
        return record | {"obstacle": str(error), "nearest": ""}
    found = settle_outcome(question, outcome)
    record |= {"obstacle": found.obstacle, "nearest": outcome.nearest}
    if found.result is None or not found.text:
        return record
    proved = found.result.verdict is Verdict.PROVED
    statement = found.result.statement
    record |= {
        "verdict": found.result.verdict.value,
        "statement": statement.text.removeprefix(f"{question.ruleset.title}: "),
        "claim": found.text,
    }
    if proved:
        record |= {"obligations": len(found.result.finding.obligations), "obstacle": ""}
        record["rule"] = next((r.encoder for r in found.result.finding.routes if r.encoder != "exhaustive"), "")
    return record


def digest_outcomes(question: SearchProblem) -> str:
    """Return a digest of the winners at all positions of a small box, for all small parameters.

    Games with the same winners have the same digest.
    """
    table = OutcomeTable(question, SMALL, Deadline(None))
    # if the players have the same moves, there is one table, which is used twice
    lost = [table.lost[side % len(table.lost)] for side in range(2)]
    digest = hashlib.sha256(repr(sorted(table.parameters)).encode())
    for side in lost:
        digest.update(side.tobytes())
    return digest.hexdigest()[:_DIGITS]
