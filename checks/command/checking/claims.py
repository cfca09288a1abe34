"""A claim that can be read, looked at for what makes it say less than it seems to say, or not what is meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from checks.judgement.account.hints import suggest_proofs
from checks.judgement.account.warnings import ONE_IN, find_denials, find_hidden, find_single
from checks.judgement.scopes import limits_of
from checks.receipts.enumeration import list_cases
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached
from checks.results.faults import Fault, FaultKind, make_fault
from checks.results.phrases import scope_phrase
from claims.language.expressions.definitions import Definition, read_definition
from claims.language.ground.errors import LanguageError, SourceLocation, format_count
from claims.language.library.entries import Entry, find_shipped
from claims.language.library.works import LIBRARY
from claims.language.proofs.locations import Location
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.statement.definitions import find_mentioned
from claims.language.statement.scopes import needs_scope
from claims.language.statement.variants import KEY
from claims.language.terms.terms import Term, names_of
from claims.language.toml.source import Keys, SourceFile, read

STEPS = 400_000  # of the referee, to count the cases at which hypotheses hold
MOST_CASES = 20_000
SPEAKING = ("ruleset", "games", "forall", "exists", "claim", "proof", "pictures", KEY)
"""The keys of a claim file under which a definition may be called."""


def inspect(claim: Claim, entry: Entry, is_known: Callable[[str], bool]) -> Iterator[Fault]:
    """What is odd about a claim, in the order of the kinds. `is_known`: whether an id names a claim."""
    place = claim.source.place
    for key in ("uses", "repairs"):
        for keys, name in _list_ids(claim, key):
            if not _is_there(name, entry) and not is_known(name):
                yield make_fault(
                    FaultKind.UNKNOWN_USES,
                    place(keys),
                    f"{key!r} names {name!r}, which is no claim",
                    "the id of a claim",
                )
    for name in _list_unused(claim):
        message = f"{name!r} is declared and not mentioned: the claim says the same for each of its values"
        yield make_fault(FaultKind.UNUSED_VARIABLE, _place_variable(claim, name), message)
    for bound in find_single(limits_of(claim, claim.scope("quick"))):
        variable = bound[0][0].partition(".")[0]
        message = f"the scope leaves {variable} one value: {scope_phrase(bound)}"
        if any(v.name == variable and needs_scope(v) for v in claim.variables):
            yield make_fault(
                FaultKind.ONE_VALUE, place(("scope", variable)), message, "several values, so that others would be met"
            )
    met, cases = _count_hypotheses(claim) if claim.proof is None else (0, 0)
    if met * ONE_IN < cases:
        message = f"the hypotheses hold at {met} of the scope's {format_count(cases, 'case')}"
        yield make_fault(
            FaultKind.FEW_CASES, place(("claim", "if")), message, f"at least one case in {ONE_IN}, or a larger scope"
        )
    for word in find_denials(claim)[:1] if claim.expect == "refuted" else []:
        message = f"the title says {word!r} and the statement does not"
        yield make_fault(
            FaultKind.NEGATED_TITLE, place(("title",)), message, "a title that says what is claimed, true or false"
        )
    for name in find_hidden(claim):
        message = f"{name} is a definition here, which hides the function {name} of the language"
        keys = next((found.where for found in _read_definitions(claim.source) if found.name == name), ("define",))
        yield make_fault(FaultKind.HIDDEN_FUNCTION, place(keys, at_key=True), message, "another name")


def note(claim: Claim, entry: Entry) -> Iterator[Fault]:
    """What is only worth a look: parameters that the game takes from the claim, and what might prove it."""
    for game in claim.games:
        for name in sorted(game.captured & {v.name for v in claim.variables}):
            message = f"{name!r} is also the parameter {name!r} of {game.ruleset.id}"
            expected = f'"{game.ruleset.id}({name} = {name})", which says so, or another name for the variable'
            yield make_fault(FaultKind.CAPTURED_PARAMETER, _place_variable(claim, name), message, expected)
    if claim.proof is None and claim.expect != "refuted":
        for words in suggest_proofs(claim, entry.path):
            yield make_fault(FaultKind.PROVABLE, claim.source.place(claim.source.pointed, at_key=True), words)


def _place_variable(claim: Claim, name: str) -> SourceLocation:
    return claim.source.place((claim.quantifier, name), at_key=True)


# -- names ------------------------------------------------------------------------------------------------------------
def _list_ids(claim: Claim, key: str) -> list[tuple[Keys, str]]:
    if key == "repairs":
        return [((key,), claim.repairs)] if claim.repairs else []
    return [((key, i), name) for i, name in enumerate(claim.uses)]


def _is_there(name: str, entry: Entry) -> bool:
    """Whether a claim of that id stands in the library, beside this one, or in a folder beside it."""
    own = name.partition("@")[0]
    return find_shipped(name) is not None or Location(entry.id, entry.path, LIBRARY).find(own) is not None


def _list_unused(claim: Claim) -> Iterator[str]:
    """The variables that nothing mentions: neither the claim, nor a game's parameter, nor another's domain."""
    terms = [claim.conclusion, *([] if claim.hypothesis is None else [claim.hypothesis])]
    terms += [term for game in claim.games for _, term in game.arguments]
    terms += [term for v in claim.variables for term in _list_terms(v.domain)]
    used = names_of(terms)[0]
    for variable in claim.variables:
        if variable.name not in used:
            yield variable.name


def _list_terms(domain: d.Domain) -> list[Term]:
    match domain:
        case d.IntervalDomain(lo=lo, hi=hi):
            return [lo] if hi is None else [lo, hi]
        case d.ElementsOf(source=source):
            return [source]
    return []


def list_definitions(claim: Claim, path: Path) -> Iterator[Fault]:
    """The definitions of the claim's file that nothing in it calls, no variant of it either."""
    source, whole, captured = claim.source, read(path), {name for game in claim.games for name in game.captured}
    definitions = {found.name: found for found in _read_definitions(source)}
    mentioned = find_mentioned([whole.data.get(key, {}) for key in SPEAKING], definitions)
    for found in definitions.values():
        if found not in mentioned and found.name not in captured:
            place = source.place(found.where, at_key=True)
            yield make_fault(FaultKind.UNUSED_DEFINITION, place, f"nothing calls the definition {found.head}")


def _read_definitions(source: SourceFile) -> Iterator[Definition]:
    """Those that can be read: whoever reads the claim tells of the others."""
    own = source.data.get("define", {})
    for key, text in own.items() if isinstance(own, dict) else ():
        with suppress(LanguageError):
            yield read_definition(key, text if isinstance(text, str) else "", ("define", key))


# -- hypotheses -------------------------------------------------------------------------------------------------------
def _count_hypotheses(claim: Claim) -> tuple[int, int]:
    """(at how many cases of the quick scope the hypotheses hold, how many it has); no cases if that takes too long."""
    if claim.hypothesis is None or not claim.variables:
        return 0, 0
    referee, met, cases = Referee(claim, STEPS), 0, 0
    try:
        for case in list_cases(claim, claim.scope("quick"), referee):
            cases += 1
            if cases > MOST_CASES:
                return 0, 0
            met += bool(referee.evaluate(claim.hypothesis, case))
    except (IllDefined, LimitReached):
        return 0, 0
    return met, cases
