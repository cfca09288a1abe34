"""Rulesets for the search, and the results of the search without the command line."""

import re
from functools import partial
from pathlib import Path

from claim_texts import NIM_FILE

from checks.execution.found import settle_text
from checks.results.verdicts import Verdict
from claims.language.files.rulesets import load_ruleset
from encoders.compute.arrays.limits import Deadline
from encoders.search.find import SearchProgress, find_values
from encoders.search.pairs import find_winners
from encoders.search.players import find_values_of_players
from encoders.search.question import SearchProblem, ask

NIM = NIM_FILE
MISERE = NIM.replace('"loses"', '"wins"')
GREEDY = NIM.replace("any heap", "a largest heap")
HALF = NIM.replace("1..h", "1..h // 2")
CAPPED = NIM.replace("[[", 'parameters = { k = "1.." }\n[[', 1).replace("1..h", "1..min(k, h)")
BANNED = NIM.replace("[[", 'parameters = { k = "1.." }\n[[', 1).replace(
    "become", 'where = "mover == P2 or m != k"\nbecome'
)
TWO_BANS = NIM.replace("[[", 'parameters = { k = "1..", l = "1.." }\n[[', 1).replace(
    "become", 'where = "m != (k if mover == P1 else l)"\nbecome'
)


def with_rule(condition: str, rules: str = NIM) -> str:
    """Return the rules with a condition on every move."""
    return rules.replace("become", f'where = "{condition}"\nbecome')


def rename(rules: str, **names: str) -> str:
    """Return the rules with other names."""
    for old, new in names.items():
        rules = re.sub(rf"\b{old}\b", new, rules)
    return rules


def question_of(folder: Path, rules: str, where: str = "", name: str = "mine", **given: str) -> SearchProblem:
    path = folder / f"{name}.toml"
    path.write_text(rules, "utf-8")
    return ask(load_ruleset(path), given, where)


def search(question: SearchProblem, values: bool = False, shorten: bool = True) -> SearchProgress:
    """Return the result of the search, before it is settled."""
    outcome = SearchProgress()
    searched = find_values_of_players if question.ruleset.player_count else partial(find_winners, shorten=shorten)
    (find_values if values else searched)(question, Deadline(None), lambda _: None, outcome)
    return outcome


def verdict_of(question: SearchProblem, outcome: SearchProgress) -> Verdict:
    """Return the verdict of the checker on the result."""
    return settle_text(question, outcome.text).verdict
