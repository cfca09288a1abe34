"""The result of a claim as a `ClaimResult`, and warnings about claims that state or check less than they seem to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from checks.judgement.explain import players_of
from checks.judgement.findings import name_players
from checks.judgement.ruling import CollectedAnswers, Ruling, evidence_of
from checks.judgement.scopes import limits_of
from checks.presentation.theorems import ACCEPTED, read_theorems
from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps, as_heaps
from checks.referee.play import RefereeGame, moves_in_one_heap
from checks.results.model import ClaimResult, Finding, Presentation, Provenance, RouteRecord, Statement
from checks.results.verdicts import Verdict, matches_expectation
from checks.results.wording import describe_not_established, list_spare, scope_phrase
from claims.language.files.claim import MARK, Claim
from claims.language.files.domains import PositionRange, Range
from claims.language.files.games import describe
from claims.language.files.library import LIBRARY, Entry, make_label
from claims.language.files.rulesets import Ruleset
from claims.language.files.toml import SourceFile, display_path
from claims.language.syntax.builtins import list_functions
from claims.language.syntax.meanings import write_heap
from claims.language.syntax.questions import QUESTIONS
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.order import Heap, list_heaps, weigh
from encoders.logic.answer import Decision, Obligation, RouteResult
from encoders.logic.certificates import Certificate, write
from encoders.trust import Limits, count_values, list_trusted

# == warnings =========================================================================================================
# Warnings about verdicts that mean less than they seem to: a thin scope, or hypotheses that rarely hold.
DENIALS = frozenset({"not", "no", "never", "none", "neither", "nor", "cannot", "fails", "fail", "false", "wrong"})
"""The words of negation for which `find_denials` searches a title."""
MANY_HEAPS = 10_000  # if the scope has more heaps, heaps without a move are not searched for
ONE_IN = 100  # there is a warning if the hypotheses hold at fewer than one in 100 cases


def list_warnings(claim: Claim, profile: str, result: ClaimResult) -> Iterator[str]:
    """Yield the warnings about a claim and its result, one line each.

    `profile`: the profile of the scope, that is, quick or deep.
    """
    if profile != "quick" and claim.scope("quick") and claim.scope(profile) == claim.scope("quick"):
        yield f"the claim file has no {profile} scope, so the quick scope was used"
    denials = find_denials(claim) if claim.description.expect == "refuted" else []
    if denials:
        yield (
            f"the title contains {denials[0]!r}, but the statement does not; "
            "let the title say the same as the statement, even if the claim is false"
        )
    for name in find_hidden(claim):
        yield f"the definition {name} hides the function {name} of the language"
    yield from find_captured(claim)
    yield from find_dead(claim, profile)
    if result.verdict is not Verdict.VERIFIED:
        return
    if result.finding.cases_with_hypotheses * ONE_IN < result.finding.cases:
        found = f"{result.finding.cases_with_hypotheses:,} of {result.finding.cases:,} cases".replace(",", " ")
        yield f"the hypotheses hold at {found}, fewer than one in {ONE_IN}"
    for limits in find_single(result.finding.scope):
        yield f"the scope has only one value of {limits[0][0].partition('.')[0]}: {scope_phrase(limits)}"


def find_captured(claim: Claim) -> Iterator[str]:
    """Yield a warning for each game of the library whose parameter has the same name as a variable of the claim.

    The parameter then has the value of the variable, which may be unintended. Claims of the library and games outside
    the library get no warning, because their authors know the names.
    """
    if _is_shipped(claim.source):
        return
    variables = {v.name for v in claim.variables}
    for game in claim.games:
        names = [name for name, _ in game.arguments if name in game.captured & variables]
        if names and _is_shipped(game.ruleset.source):
            written = ", ".join(f"{name} = {name}" for name in names)
            yield (
                f"{game.ruleset.id} takes {' and '.join(names)} from the variables of the claim; "
                f'if this is intended, write "{game.ruleset.id}({written})"'
            )


def _is_shipped(source: SourceFile) -> bool:
    return Path(source.name).resolve().is_relative_to(LIBRARY)


def find_hidden(claim: Claim) -> list[str]:
    """Return the names of the claim's definitions that have the name of a function or question of the language."""
    known = {*list_functions(), *QUESTIONS}
    return [name for name in (label.partition("(")[0] for label, _ in claim.texts) if name in known]


def find_denials(claim: Claim) -> list[str]:
    """Return the words of negation, such as "not", that are in the title of a claim but not in its statement.

    The title of a variant is not examined, because it quotes the title of the main claim.
    """
    stated = _words(claim.description.statement)
    title = "" if "title" in claim.source.made else claim.description.title
    return [word for word in _words(title) if word in DENIALS and word not in stated]


def find_dead(claim: Claim, profile: str) -> Iterator[str]:
    """Yield a warning for each game in which some heap of the scope has no move, but is still counted as a heap.

    A position that consists of this heap is then not the empty position. Only games without parameters whose moves
    change one heap with parts are examined. `profile`: the profile of the scope.
    """
    scope = claim.scope(profile)
    bounds = [x for x in scope.values() if isinstance(x, PositionRange) and x.parts and x.heaps.hi > 1]
    for ruleset in {game.ruleset.id: game.ruleset for game in claim.games if not game.arguments}.values():
        if not moves_in_one_heap(ruleset):
            continue
        found = next((heap for bound in bounds for heap in _list_heaps(bound) if _is_dead(ruleset, heap)), None)
        if found is not None:
            heap, place = write_heap(found), ruleset.source.place(("heap", "gone"))
            yield (
                f"{place}: a heap {heap} has no move, but it does not vanish, so ({heap}) is not the empty position; "
                f"{_say_gone(ruleset, found)}"
            )


def _say_gone(ruleset: Ruleset, heap: Heap) -> str:
    """Return advice on what to write so that this heap, in which there is no move, is removed from positions."""
    shape = ruleset.heap
    if shape is None or shape.gone is not None or weigh(heap):
        return "if it should vanish, write under [heap] a condition `gone` that is true for it"
    empty = (f"sum(h.{part.name}) == 0" if part.is_list else f"h.{part.name} == 0" for part in shape.parts)
    return f'if it should vanish, write under [heap]: gone = "{" and ".join(empty)}"'


def _list_heaps(bound: PositionRange) -> list[Heap]:
    few = count_values(replace(bound, heaps=Range(1, 1))) <= MANY_HEAPS
    return list_heaps(bound, Deadline(None)) if few else []


def _is_dead(ruleset: Ruleset, heap: Heap) -> bool:
    game, s = RefereeGame(ruleset, {}, RefereeSteps(MANY_HEAPS)), as_heaps((heap,))
    try:
        return game.drop_vanished(s) == s and not any(game.options(s, mover) for mover in range(game.players))
    except (IllDefined, LimitReached):
        return False


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def find_single(scope: Limits) -> Iterator[Limits]:
    """Yield, for each variable that has only one value in the scope, its bounds as pairs (name, range).

    For a position `s`, the names are `s.heaps`, `s.size` and `s.total`.
    """
    for variable in dict.fromkeys(name.partition(".")[0] for name, _ in scope):
        limits = {name: x for name, x in scope if name.partition(".")[0] == variable and isinstance(x, Range)}
        heaps, size = limits.get(f"{variable}.heaps"), limits.get(f"{variable}.size")
        bound = PositionRange(heaps, size, limits.get(f"{variable}.total")) if heaps and size else limits.get(variable)
        if bound is not None and count_values(bound) == 1:
            yield tuple(limits.items())


# == account ==========================================================================================================
# The result of a claim, a `ClaimResult`: the data of reports, receipts and the screen.
def make_claim_result(record: CollectedAnswers, ruling: Ruling) -> ClaimResult:
    """Return the result of a settled claim.

    `record`: the answers that were collected for the claim. `ruling`: the verdict with its reasons.
    """
    claim, first, search, found = record.claim, record.searches[0], record.search, record.review
    finding = Finding(
        as_expected=matches_expectation(ruling.verdict, claim.description.expect),
        scope=ruling.limits,
        cases=first.cases,
        cases_with_hypotheses=first.cases_with_hypotheses,
        rechecked=found.rechecked,
        sampled=found.sampled,
        not_established="; ".join(x for x in (ruling.not_established, claim.description.caveat) if x),
        error=ruling.error,
        counterexample=found.counterexample,
        witness=name_players(claim, search.witness) if search.witness is not None and claim.variables else None,
        routes=tuple(_route(record, a) for a in record.answers),
        obligations=tuple(_strip_terms(o) for a in record.answers for o in a.obligations),
        lemmas=record.lemmas,
        trusted=list_trusted(x for a in record.answers for x in a.trusted),
        theorem=read_theorems().find_verdict(claim) if ruling.verdict in ACCEPTED else None,
        evidence=evidence_of(record),
    )
    seconds = sum(a.seconds for a in record.answers)
    proof = None
    if record.proof is not None and claim.proof is not None:
        from checks.presentation.mathematics import show_proof  # imported here, because it imports the rules of proof
        from encoders.rules.base.rule import FEW_HEAPS, MANY_HEAPS

        tried = record.proof.obligations
        stopped = record.proof.decision is Decision.UNKNOWN and not tried  # a search for a period may not have ended
        proof = show_proof(claim, tried, FEW_HEAPS if stopped else MANY_HEAPS)
    return ClaimResult(
        claim.id,
        ruling.verdict,
        _state(claim),
        finding,
        Provenance(claim.source.name, digest=claim.digest, files=claim.basis.files, seconds=seconds),
        Presentation(proof=proof),
    )


def _state(claim: Claim) -> Statement:
    players = players_of(claim)
    return Statement(
        title=claim.description.title,
        work=claim.description.work,
        locator=claim.description.locator,
        short=claim.description.short,
        role=claim.description.role,
        repairs=claim.description.repairs,
        variant_of=claim.id.removesuffix(MARK + claim.variant) if claim.variant else "",
        expected=claim.description.expect or None,
        uses=claim.description.uses,
        proof_uses=claim.proof_uses,
        text=claim.description.statement,
        notes=claim.description.notes,
        quantifier=claim.quantifier,
        domains=tuple((v.name, v.text) for v in claim.variables),
        sets=frozenset(v.name for v in claim.variables if v.type.kind == "set"),
        lists=frozenset(v.name for v in claim.variables if v.type.kind == "list"),
        games=tuple((g.name, describe(g, players)) for g in claim.games),
        rules=tuple(g.ruleset.notes for g in claim.games),
        formal=claim.texts,
        made=claim.source.made,
    )


def make_unsettled_result(
    entry: Entry, verdict: Verdict, error: str = "", not_established: str = "", line: int = 0
) -> ClaimResult:
    """Return the result of a claim that was not settled.

    The reason is that the claim was not run, that its file is invalid, or that an internal error occurred.
    `error`: the error message, if there is one. `line`: the line of the error in the file, or 0.
    `not_established`: the text on what the result does not show; by default, it is derived from `error`.
    """
    folder, slash, name = entry.id.rpartition("/")
    return ClaimResult(
        entry.id,
        verdict,
        Statement(work=folder.split("/")[0] if slash else "", short=make_label(name), variant_of=entry.variant_of),
        Finding(error=error, not_established=not_established or describe_not_established(error)),
        Provenance(display_path(entry.path), line),
    )


def _strip_terms(obligation: Obligation) -> Obligation:
    """Return a copy of an obligation without its sequent, and with its certificate as text that can be stored."""
    found = obligation.certificate
    return replace(obligation, sequent=None, certificate=write(found) if isinstance(found, Certificate) else found)


def _route(record: CollectedAnswers, answer: RouteResult) -> RouteRecord:
    detail, limits = answer.detail, limits_of(record.claim, record.scope)
    if answer.ill_defined is not None:
        detail = "without a value at a case"
    if answer.obligations:
        limits = answer.reach.limits
        spare = list_spare(record.lemmas)
        detail = detail or f"{sum(o.proved for o in answer.obligations)} obligations discharged" + (
            spare and f"; {spare}"
        )
    return RouteRecord(
        answer.encoder,
        answer.decision,
        limits,
        answer.cases,
        answer.seconds,
        detail,
        answer.reach.below,
        () if answer.searched_scope is None else limits_of(record.claim, answer.searched_scope),
        answer.engines.names,
        answer.cause,
        answer.engines.fallbacks,
        answer.engines.searched,
        answer.engines.passed_over,
    )
