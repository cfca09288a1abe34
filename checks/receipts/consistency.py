"""Check that a receipt agrees with its claim, its lemmas, its board and itself. No case of the claim is evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from checks.boards.board import board_of
from checks.judgement.conclusion import decide_verdict, lies_below
from checks.judgement.findings import is_complete
from checks.judgement.routes import is_left_open
from checks.judgement.scopes import (
    BadOverride,
    describe_beyond,
    describe_rest,
    find_concerned,
    limits_of,
    read_override,
    scope_for,
)
from checks.receipts.enumeration import count_all, count_most
from checks.receipts.receipt import (
    BadReceipt,
    StoredReceipt,
    find_place,
    find_report,
    make_board,
    place,
    read_receipt,
    seal,
)
from checks.receipts.strangers import NOT_FOLLOWED, find_link
from checks.results.model import (
    Evidence,
    SettledLemma,
    decide_by_scope,
    is_refuted_by_proof,
    least_bound,
    narrow_limits,
)
from checks.results.records import write_record
from checks.results.shown import Json
from checks.results.verdicts import Verdict
from checks.results.wording import limit_texts
from claims.language.errors import NimChecksError, quote
from claims.language.files import domains as d
from claims.language.files.claim import Claim, Judgement
from claims.language.files.domains import Scope
from encoders.logic.answer import Case, Decision, ObligationStatus
from encoders.proving.reading import rule_name
from encoders.proving.registry import PROVERS
from encoders.trust import All, Limits, Trust, Trusted, TrustedRule, TrustedSolver, list_trusted


# == consistency ======================================================================================================
# Agreement of a receipt with its claim and with itself, as far as it can be checked without evaluating a case.
#
# Data that the claim file determines (the scope of a profile, the routes, the number of cases) is computed again and
# compared. `checks.judgement.conclusion` draws the verdict again from the evidence.
class Disagreement(NimChecksError):
    """A value in the receipt, which the message names, contradicts the claim, the referee or another value."""


def check_seal(receipt: StoredReceipt) -> None:
    """Raise Disagreement if the *seal*, a checksum of the receipt, is wrong: the receipt was edited after the run."""
    if seal(receipt.data) != receipt.seal:
        raise _fault(
            receipt, "seal", receipt.seal, "the SHA-256 of the other keys; the receipt was edited after the run"
        )


def check(receipt: StoredReceipt, claim: Claim) -> d.Scope:
    """Check whether a receipt agrees with its claim and with itself. Return the scope that the run has searched.

    Raises Disagreement at the first contradiction. The message contains the key, its value and the expected value.
    """
    scope = _scope(receipt, claim)
    _routes(receipt, claim, scope)
    _counts(receipt, claim, scope)
    _replays(receipt, claim)
    _obligations(receipt)
    _lemmas(receipt, claim)
    verdict = decide_verdict(evidence_of(receipt, claim, scope))
    if verdict is not receipt.outcome.verdict:
        raise _fault(
            receipt, "verdict", receipt.outcome.verdict.value, f"{verdict.value}, which follows from the evidence"
        )
    _check_covered(receipt, claim, scope)
    _words(receipt, claim, scope)
    return scope


def evidence_of(receipt: StoredReceipt, claim: Claim, scope: d.Scope) -> Evidence:
    """Return the evidence in a receipt, from which the verdict follows.

    Facts that the claim determines, such as its quantifier, are not taken from the receipt.
    """
    counterexample = _case(receipt, "counterexample")
    return Evidence(
        quantifier=claim.quantifier,
        complete=is_complete(claim, scope),
        answers=tuple((r.encoder, r.answer) for r in receipt.routes),
        cases=receipt.outcome.cases,
        met=receipt.outcome.cases_with_hypotheses,
        confirmed=receipt.referee.rechecked - sum(said is found for said, found in receipt.referee.pairs),
        replays=receipt.referee.pairs,
        differs=receipt.referee.differs,
        obligations=tuple(o.result for o in receipt.obligations),
        reached=all(lies_below(_case(receipt, "witness"), r.below) for r in receipt.routes),
        within=counterexample is None or all(lies_below(counterexample, r.below) for r in receipt.routes),
        lemmas=tuple(lemma.is_usable for lemma in receipt.settled_lemmas),
    )


def _case(receipt: StoredReceipt, kind: str) -> dict[str, Json] | None:
    """Return the variables of a case in the receipt, as JSON data. Return None if the receipt has no such case.

    `kind`: "witness" or "counterexample".
    """
    return next((c.variables for c in receipt.replay if c.kind == kind), None)


def _fault(receipt: StoredReceipt, key: str, value: object, expected: str) -> Disagreement:
    return Disagreement(f"{receipt.path}: {key} is {quote(value)}; expected {expected}")


def _scope(receipt: StoredReceipt, claim: Claim) -> d.Scope:
    unknown = {name for name, _ in receipt.asked.overrides} - find_concerned(claim, receipt.asked.overrides)
    if unknown:
        names = ", ".join(v.name for v in claim.variables)
        expected = f"only bounds of {names}" if names else "no bounds, because the claim has no variables"
        raise _fault(receipt, "asked.overrides", min(unknown), expected)
    try:
        for name, value in receipt.asked.overrides:
            read_override(f"{name}={value}")
        return scope_for(claim, receipt.asked.profile, receipt.asked.overrides)
    except BadOverride as error:
        raise _fault(
            receipt,
            "asked.overrides",
            dict(receipt.asked.overrides),
            f"overrides that are valid for {claim.id}; these overrides are invalid: {error}",
        ) from None


def _routes(receipt: StoredReceipt, claim: Claim, scope: d.Scope) -> None:
    """Check that the receipt contains exactly the routes that a run with these options tries, with their scopes."""
    first = receipt.routes[0].answer if receipt.routes else Decision.UNKNOWN
    seen = tuple(x for x in receipt.referee.pairs if x[0] is Judgement.ILL_DEFINED)
    left_open = not receipt.asked.routes and is_left_open(claim, first, seen)
    expected = ["exhaustive", *(["bounded"] if "bounded" in receipt.asked.routes or left_open else [])]
    prover = rule_name(claim)
    if receipt.asked.routes and prover not in receipt.asked.routes:
        prover = ""
    found = [r.encoder for r in receipt.routes]
    within = evidence_of(receipt, claim, scope)
    if prover and decide_verdict(_first(within, len(expected))) is not Verdict.PROVED:
        expected.append(prover)
    if found != expected:
        raise _fault(receipt, "routes", found, f"{expected}, the routes of {claim.id}")
    for route in receipt.routes:
        limits = limits_of(claim, scope)
        if route.encoder in PROVERS and receipt.obligations:
            wrong = _check_domains(route.scope, limits, claim.has_parts)
            if wrong:
                raise _fault(receipt, f"the scope of the route {route.encoder}", limit_texts(route.scope), wrong)
        elif route.scope != limits:
            raise _fault(
                receipt, f"the scope of the route {route.encoder}", limit_texts(route.scope), f"{limit_texts(limits)}"
            )


def _first(evidence: Evidence, count: int) -> Evidence:
    return Evidence(**{**vars(evidence), "answers": evidence.answers[:count]})


def _check_domains(scope: Limits, limits: Limits, parts: bool) -> str:
    """Check that the scope of a proof bounds the same names as the scope of the claim, except totals of positions.

    Return "" if it does, and otherwise the expected names as a text.
    `scope`: the scope of the proof. `limits`: the scope of the claim.
    `parts`: whether heaps have parts. If so, the scope of a proof bounds a position as a whole, not the parts of heaps.
    """
    names = [name for name, _ in limits if not name.endswith(".total")]
    if parts:
        names = list(dict.fromkeys(name.partition(".")[0] for name in names))
    if [name for name, _ in scope] != names:
        return f"bounds of {', '.join(names) or 'nothing'}, in this order"
    return ""


def _counts(receipt: StoredReceipt, claim: Claim, scope: d.Scope) -> None:
    cases, met, referee = receipt.outcome.cases, receipt.outcome.cases_with_hypotheses, receipt.referee
    first, all_, top = receipt.routes[0], count_all(claim, scope), count_most(claim, scope)
    if first.cases != cases:
        raise _fault(receipt, "cases", cases, f"{first.cases}, the number of cases of the exhaustive route")
    for route in receipt.routes[1:]:
        if route.cases > cases:
            raise _fault(receipt, f"the number of cases of the route {route.encoder}", route.cases, f"at most {cases}")
    if top is not None and cases > top:
        raise _fault(receipt, "cases", cases, f"at most {top}, the number of cases in the scope")
    whole = Decision.FAILS if claim.quantifier == "exists" else Decision.HOLDS
    held = first.answer is whole  # otherwise the search may stop early
    if held and all_ is not None and cases != all_:
        raise _fault(receipt, "cases", cases, f"{all_}, the number of cases in the scope")
    if met > cases:
        raise _fault(
            receipt,
            "cases_with_hypotheses",
            met,
            f"at most {cases}, the number of cases",
        )
    if claim.hypothesis is None and first.answer.settles and met != cases:
        raise _fault(
            receipt,
            "cases_with_hypotheses",
            met,
            f"{cases}, the number of cases, because the claim has no hypotheses",
        )
    if referee.rechecked > cases + len(referee.pairs):
        raise _fault(
            receipt, "referee.rechecked", referee.rechecked, "at most the number of cases plus the number of replays"
        )
    if referee.sampled and referee.rechecked > referee.sampled + len(referee.pairs):
        expected = "at most the number of sampled cases plus the number of replays"
        raise _fault(receipt, "referee.rechecked", referee.rechecked, expected)
    if referee.sampled > cases:
        raise _fault(receipt, "referee.sampled", referee.sampled, f"at most {cases}, the number of cases")
    if referee.rechecked < sum(said is found for said, found in referee.pairs):
        raise _fault(
            receipt,
            "referee.rechecked",
            referee.rechecked,
            "at least the number of replays in which the route and the referee have the same judgement",
        )


def _replays(receipt: StoredReceipt, claim: Claim) -> None:
    """Check that the receipt contains the cases that a run with this verdict stores, with the expected judgements.

    For example, a refuted claim needs a counterexample at which the claim fails, for the route and for the referee.
    """
    first, bounded = receipt.routes[0].answer, any(r.encoder == "bounded" for r in receipt.routes)
    exists = claim.quantifier == "exists"
    shows = first is (Decision.HOLDS if exists else Decision.FAILS) and not receipt.referee.differs
    expected = [Judgement.HOLDS if exists else Judgement.FAILS] if shows else []
    asked = [told for told, _ in receipt.referee.pairs]
    answers = tuple((r.encoder, r.answer) for r in receipt.routes)
    by_proof = is_refuted_by_proof(answers)
    if by_proof and (shows or asked[-1:] != [Judgement.FAILS]):
        found = [x.value for x in asked]
        raise _fault(
            receipt,
            "referee.replays",
            found,
            "only one counterexample, that of the proof, with the judgement 'fails' at the end",
        )
    asked = asked[:-1] if by_proof else asked
    more = len(asked) > len(expected) and not bounded
    if (asked[: len(expected)] != expected or more) and (first, asked) != (Decision.UNKNOWN, [Judgement.ILL_DEFINED]):
        found = [x.value for x in asked]
        raise _fault(
            receipt,
            "referee.replays",
            found,
            f"{[x.value for x in expected]}, because the exhaustive route answered {first.value!r}",
        )
    search = decide_by_scope(answers)
    if receipt.outcome.verdict is Verdict.INCONSISTENT or not (search.settles or by_proof):
        wanted: list[str] = []
    elif claim.quantifier == "exists":
        wanted = ["witness"] if search is Decision.HOLDS and claim.variables else []
    else:
        wanted = ["counterexample"] * (receipt.outcome.verdict is Verdict.REFUTED)
        met = receipt.outcome.cases_with_hypotheses if search is first else search is Decision.HOLDS
        wanted += ["witness"] * bool(claim.variables and met)
    kinds = [case.kind for case in receipt.replay]
    if by_proof and not search.settles and kinds == ["counterexample"]:
        wanted = kinds
    if kinds != wanted and not (receipt.outcome.verdict is Verdict.INCONCLUSIVE and set(kinds) <= {"witness"}):
        raise _fault(receipt, "replay", kinds, f"{wanted}, because the verdict is {receipt.outcome.verdict.value}")
    counterexample = [c.variables for c in receipt.replay if c.kind == "counterexample"]
    for case in receipt.replay:
        fails = case.kind == "counterexample" or case.variables in counterexample
        judgement = Judgement.FAILS if fails else Judgement.HOLDS
        if case.judgement is not judgement:
            key = f"the key 'judgement' of the {case.kind} in the list 'replay'"
            raise _fault(receipt, key, case.judgement.value, judgement)


def _obligations(receipt: StoredReceipt) -> None:
    proved = any(r.encoder in PROVERS for r in receipt.routes)
    if receipt.obligations and not proved:
        raise _fault(
            receipt,
            "obligations",
            receipt.obligations[0].name,
            "no obligations, because the receipt has no route for a proof",
        )
    open_ = [o.name for o in receipt.obligations if o.result is not ObligationStatus.PROVED]
    if receipt.outcome.verdict is Verdict.PROVED and open_:
        raise _fault(receipt, "obligations", open_[0], "only proved obligations, because the verdict is proved")
    if receipt.outcome.verdict is Verdict.PROVED and proved and not receipt.obligations:
        raise _fault(receipt, "obligations", [], "the obligations of the proof")
    trusted, rules = [str(x) for x in receipt.trusted], any(isinstance(x, TrustedRule) for x in receipt.trusted)
    if receipt.obligations and not rules and not open_:
        raise _fault(receipt, "trusted", trusted, "a list that contains the proof rule")
    solvers = (TrustedSolver("Z3") for r in receipt.routes if r.encoder == "bounded")
    known: set[Trusted] = {*Trust, *solvers}
    if not proved and not set(receipt.trusted) <= known:
        raise _fault(receipt, "trusted", trusted, f"only {', '.join(list_trusted(known))}")
    if trusted != sorted(set(trusted)):
        raise _fault(receipt, "trusted", trusted, "each name once, in alphabetical order")


def _lemmas(receipt: StoredReceipt, claim: Claim) -> None:
    """Check that the lemmas in the receipt are the lemmas of the claim's proof.

    The scope of the proof must not be larger than these lemmas allow.
    """
    proofs = [r for r in receipt.routes if r.encoder in PROVERS]
    found = [(lemma.id, lemma.digest) for lemma in receipt.settled_lemmas]
    expected = [(lemma.id, lemma.claim.digest) for lemma in claim.lemmas] if proofs else []
    if found != expected:
        raise _fault(receipt, "lemmas", found, f"{expected}, the lemmas of the proof of {claim.id}")
    for route in proofs if receipt.obligations else ():
        limits = narrow_limits(route.scope, receipt.settled_lemmas)
        if route.scope != limits:
            raise _fault(
                receipt,
                f"the scope of the route {route.encoder}",
                limit_texts(route.scope),
                f"{limit_texts(limits)}, the scope that the lemmas of the proof allow",
            )
        below = least_bound(route.below, receipt.settled_lemmas)
        if route.below != below:
            raise _fault(
                receipt,
                f"below of the route {route.encoder}",
                route.below,
                f"{below}, the bound that the lemmas of the proof allow",
            )


def _check_covered(receipt: StoredReceipt, claim: Claim, scope: d.Scope) -> None:
    limits = limits_of(claim, scope)
    if receipt.outcome.verdict is Verdict.PROVED:
        last = receipt.routes[-1]
        limits = last.scope if last.encoder in PROVERS else tuple((name, All()) for name, _ in limits)
    if receipt.outcome.scope != limits:
        raise _fault(
            receipt,
            "scope",
            limit_texts(receipt.outcome.scope),
            f"{limit_texts(limits)}, the values that the verdict covers",
        )


def _words(receipt: StoredReceipt, claim: Claim, scope: d.Scope) -> None:
    """Check the keys `error` and `not_established`: their texts follow from the verdict and the claim."""
    outcome = receipt.outcome
    if bool(outcome.error) != (outcome.verdict is Verdict.INCONSISTENT):
        raise _fault(receipt, "error", outcome.error, "a text if the verdict is inconsistent, else an empty text")
    proof = receipt.routes[-1].encoder in PROVERS
    match outcome.verdict:
        case Verdict.VERIFIED:
            open_ = describe_rest(claim, scope)
        case Verdict.PROVED:
            open_ = describe_beyond(outcome.scope) if proof else ""
        case Verdict.REFUTED:
            open_ = ""
        case _:
            return
    expected = "; ".join(x for x in (open_, claim.description.caveat) if x)
    if outcome.not_established != expected:
        raise _fault(receipt, "not_established", outcome.not_established, repr(expected))


# == boards ===========================================================================================================
# The board of a receipt, compared with the board that the referee computes again.
def check_board(path: Path, told: Json, claim: Claim, scope: Scope, failing: Case | None, sums: bool) -> str:
    """Compare the board in a receipt with the board that the referee computes from the claim.

    Return a line of text about the comparison; "" if there is no board. Raises Disagreement if the boards differ.
    `path`: the path of the receipt. `told`: the board in the receipt, as JSON data.
    `failing`: the case at which the claim fails; None if the claim holds.
    `sums`: whether the referee may use the Sprague-Grundy theorem.
    """
    board = board_of(claim, scope, failing, sums)
    made = None if board is None else write_record(make_board(board))
    if told != made:
        key, old, new = find_difference("board", told, made)
        raise Disagreement(f"{path}: {key} is {quote(old)}; expected {quote(new)}, which the referee computes")
    moves = 0 if board is None else sum(len(place.moves) for place in board.places)
    return f"the board: the referee replayed all of its {moves} moves" if moves else ""


def find_difference(key: str, old: Json, new: Json) -> tuple[str, Json, Json]:
    """Return the place of the first difference between two JSON values, and the values of both at this place.

    `key`: the place of both values. The result extends it, for example to `board.places[2].mover`.
    """
    if isinstance(old, dict) and isinstance(new, dict) and list(old) == list(new):
        return next(find_difference(f"{key}.{k}", old[k], new[k]) for k in old if old[k] != new[k])
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        at = next(i for i, (x, y) in enumerate(zip(old, new, strict=True)) if x != y)
        return find_difference(f"{key}[{at}]", old[at], new[at])
    return key, old, new


# == lemmas ===========================================================================================================
# The lemmas in a receipt: comparison with the claim, and with their own receipts in the same folder.
@dataclass(frozen=True)
class LemmaWitness:
    """The evidence in a report that a lemma of a proved claim is itself proved.

    `lemma`: the id of the lemma.
    `text`: the fact that remains unchecked, such as `that the lemma nim/one is proved`, for a list of such facts.
    `in_report`: whether the report contains a receipt with the verdict "proved" for the same version of the lemma.
    """

    lemma: str
    text: str
    in_report: bool = False


def find_witnesses(receipt: StoredReceipt) -> list[LemmaWitness]:
    """Return, for each lemma of a proved claim, the evidence in the report that the lemma is proved.

    Return [] if the verdict is not "proved". The proofs of the lemmas are not checked again.
    Raises Disagreement if the report contains a receipt for the same version of a lemma with another verdict.
    """
    found = []
    for lemma in receipt.settled_lemmas if receipt.outcome.verdict is Verdict.PROVED else ():
        own = _find_own(receipt, lemma)
        if isinstance(own, str):
            found.append(LemmaWitness(lemma.id, f"that the lemma {lemma.id} is proved: {own}"))
            continue
        if own is None or own.digest != lemma.digest:
            found.append(LemmaWitness(lemma.id, f"that the lemma {lemma.id} is proved"))
            continue
        if own.outcome.verdict is not lemma.verdict:
            told = f"{receipt.path}: the verdict on {lemma.id} in lemmas is {quote('proved')}"
            raise Disagreement(f"{told}; expected {quote(own.outcome.verdict.value)}, as stated in {own.path}")
        text = f"that the lemma {lemma.id} is proved, as stated in {own.path}; check that receipt too"
        found.append(LemmaWitness(lemma.id, text, in_report=True))
    return found


def _find_own(receipt: StoredReceipt, lemma: SettledLemma) -> StoredReceipt | str | None:
    """Return the receipt of a lemma in the same report, or None if there is no valid receipt.

    If a symbolic link leads to the receipt, return the reason why it is not read.
    """
    report = find_report(receipt.path, receipt.claim)
    if report is None:
        return None
    path = find_place(receipt.path.absolute().parents[len(place(receipt.claim)) - 1], lemma.id, ".json")
    if link := find_link(report, path):
        return f"{link} is {NOT_FOLLOWED}"
    try:
        return read_receipt(path) if path.is_file() else None
    except BadReceipt:
        return None
