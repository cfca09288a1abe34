"""One ruleset of a family: searched for who wins, and what was found settled."""

from __future__ import annotations

import gc
import hashlib
import time
from dataclasses import dataclass
from pathlib import Path

from checks.execution.families.found import settle_outcome
from checks.execution.families.grammar import Member
from checks.execution.families.run import Record
from checks.results.verdicts import Verdict
from claims.language.statement.rulesets import Ruleset, load_ruleset
from claims.language.toml.source import parse
from encoders.exhaustive.arrays.limits import BadRuleset, Deadline
from encoders.ground.refusals import Unsupported
from encoders.search.find import SearchProgress
from encoders.search.question import SearchProblem, ask
from encoders.search.stated.pairs import find_winners
from encoders.search.tables import SMALL, OutcomeTable

_DIGITS = 16


@dataclass(frozen=True)
class RulesetSearchJob:
    """A ruleset of a family, as it is sent to a worker. `budget`: CPU seconds for its search."""

    id: str
    text: str
    where: str
    budget: float | None


def asked_of(member: Member, budget: float | None) -> RulesetSearchJob:
    """The piece of work that a member is."""
    return RulesetSearchJob(member.id, member.text, member.where, budget)


def read_rules(id: str, text: str) -> Ruleset:
    """A ruleset from its text, as if it stood in a file. Raises ClaimError."""
    return load_ruleset(Path(f"{id}.toml"), lambda path: parse(path, text))


def search(asked: RulesetSearchJob) -> Record:
    """What is found of a ruleset.

    `verdict`; `statement` in words, `claim`: the file, both "" of an open one; `obligations` of the proof, and its
    `rule`; `obstacle`: why there is no more; `nearest`: the best formula with its smallest miss; `outcomes`: a digest
    of who wins in a small box.
    """
    try:
        return _search(asked)
    finally:
        gc.collect()  # half a gigabyte in circles of few objects, which Python by itself would leave for many games


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
    """A digest of who wins at all positions of a small box for all small parameters: equal ones have equal outcomes.

    Where the rules are the same for both players, each counts.
    """
    table = OutcomeTable(question, SMALL, Deadline(None))
    lost = [table.lost[side % len(table.lost)] for side in range(2)]
    digest = hashlib.sha256(repr(sorted(table.parameters)).encode())
    for side in lost:
        digest.update(side.tobytes())
    return digest.hexdigest()[:_DIGITS]
