"""A false sibling of a claim: a variant in the same file, with one small change that makes the claim false.

For each change that is tried, the smallest counterexample is computed. The preferred change is the one for which this
counterexample is largest, because such a change is hardest to notice.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from checks.execution.settle import settle_by_search
from checks.judgement.explain import players_of, say_values
from checks.judgement.mutants import Mutant, make_mutants, print_claim, widen
from checks.receipts.enumeration import make_case_key
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError, SourceLocation, escape_invisible
from claims.language.file_writing import write_file
from claims.language.files.claim import MARK, Claim, list_variants
from claims.language.files.library import Entry
from claims.language.files.toml import read
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import PLAYER
from encoders.logic.answer import Case, CaseValue
from encoders.proving.reading import load_claim

MOST_TRIED = 12  # refuted changes, of which the best is chosen
SECONDS = 20.0  # for all changes


def add_sibling(entry: Entry) -> str:
    """Add a false sibling to the file of a claim, and return a text: the id of the variant, and its counterexample.

    Raises ClaimError if the claim does not hold, if it states that a case exists, or if no false sibling was found.
    """
    claim = load_claim(entry.path, entry.id)
    place = SourceLocation(str(entry.path))
    scope = claim.scope("quick")
    if claim.quantifier == "exists":
        raise ClaimError(
            place, "this claim states that a case exists, so it cannot have a counterexample", "a claim about all cases"
        )
    found = settle_by_search(claim, scope, SECONDS)
    if not found.verdict.holds:
        problem = f"this claim is {found.verdict.value}"
        raise ClaimError(place, problem, "a claim that holds")
    before = entry.path.read_bytes()
    for _, case, lines in sorted(_list_false(claim, entry), key=lambda x: x[0], reverse=True):
        name = _name(entry.path, lines)
        write_file(entry.path, before.rstrip(b"\n") + b"\n" + _write(name, lines, say_values(claim, case)).encode())
        if _is_refuted(entry, name):
            return f"{entry.id}{MARK}{name}, false at {say_values(claim, case)}"
        write_file(entry.path, before)
    raise ClaimError(place, "no small change of this claim is refuted in its scope", "a larger [scope]")


Key = tuple[list[tuple[int, int, tuple[object, ...]]], list[CaseValue]]
Lines = Mapping[str, str]
"""The changed keys of a variant, with their values."""


def _list_false(claim: Claim, entry: Entry) -> Iterator[tuple[Key, Case, Lines]]:
    """Yield triples (sort key, smallest counterexample, changed keys), one for each change that is refuted."""
    started, tried, there = time.monotonic(), 0, {print_claim(variant) for variant in _load_variants(entry)}
    for mutant in make_mutants(claim):
        left = SECONDS - (time.monotonic() - started)
        lines = None if mutant.weaker else _express(claim, mutant)
        if lines is None or not lines or print_claim(mutant.claim) in there:
            continue
        if left <= 0 or tried >= MOST_TRIED:
            return
        scope = widen(claim.scope("quick"), claim, mutant.claim)
        case = _find_case(claim, settle_by_search(mutant.claim, scope, left))
        if case is not None:
            tried += 1
            yield make_case_key(claim, case), case, lines


def _load_variants(entry: Entry) -> Iterator[Claim]:
    """Yield the valid variants that the file already has."""
    for name in list_variants(read(entry.path).data):
        with suppress(ClaimError):
            yield load_claim(entry.path, entry.id + MARK + name)


def _find_case(claim: Claim, result: ClaimResult) -> Case | None:
    """Return the counterexample of a refuted claim, with players as numbers. Return None for all other results."""
    found, players = result.finding.counterexample, players_of(claim)
    if result.verdict is not Verdict.REFUTED or found is None:
        return None
    kinds = {v.name: v.type for v in claim.variables}
    values = {name: players.index(str(x)) if kinds[name] == PLAYER else x for name, x in found.variables}
    return {name: cast(CaseValue, x) for name, x in values.items()}


def _express(claim: Claim, mutant: Mutant) -> Lines | None:
    """Return the changed keys of a variant that states the mutant; None if no variant can state it.

    A variant cannot change the game, and it cannot add or remove the hypotheses.
    """
    changed, players = mutant.claim, players_of(claim)
    if _print_games(changed) != _print_games(claim) or (claim.hypothesis is None) is not (changed.hypothesis is None):
        return None
    lines = {}
    for key, old, new in (("if", claim.hypothesis, changed.hypothesis), ("then", claim.conclusion, changed.conclusion)):
        if old is not None and new is not None and print_term(old, players) != print_term(new, players):
            lines[f"claim.{key}"] = print_term(new, players)
    for old_variable, new_variable in zip(claim.variables, changed.variables, strict=True):
        if old_variable.text != new_variable.text:
            lines[f"{claim.quantifier}.{old_variable.name}"] = new_variable.text
    return lines


def _print_games(claim: Claim) -> list[object]:
    return [
        (g.name, g.ruleset.ending.stuck, [(name, print_term(term)) for name, term in g.arguments]) for g in claim.games
    ]


def _name(path: Path, lines: Lines) -> str:
    taken = {name.lower() for name in list_variants(read(path).data)}
    base = next(iter(lines)).replace("claim.", "other-").replace(".", "-").replace("forall-", "other-")
    names = (base if number == 1 else f"{base}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name.lower() not in taken)


def _write(name: str, lines: Lines, values: str) -> str:
    told = "".join(
        f"{key} = {escape_invisible(json.dumps(value, ensure_ascii=False))}\n" for key, value in lines.items()
    )
    return f'\n[[variants]]\nname = "{name}"\nexpect = "refuted"  # at {values}\n{told}'


def _is_refuted(entry: Entry, name: str) -> bool:
    """Return whether the variant `name` in the file is valid, and refuted."""
    try:
        variant = load_claim(entry.path, entry.id + MARK + name)
    except ClaimError:
        return False
    return settle_by_search(variant, variant.scope("quick"), SECONDS).verdict is Verdict.REFUTED
