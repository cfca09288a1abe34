"""The account of a claim: all that reports, receipts and the screen tell of it, as one `ClaimResult`."""

from __future__ import annotations

from dataclasses import replace

from checks.judgement.account.theorems import read_theorems
from checks.judgement.findings import name_players
from checks.judgement.judging import CollectedAnswers, Ruling, evidence_of, not_established_by
from checks.judgement.scopes import limits_of
from checks.judgement.telling.saying import players_of
from checks.results.lemmas import list_spare
from checks.results.model import ClaimResult, Finding, Presentation, Provenance, RouteRecord, Statement
from checks.results.verdicts import Verdict, matches_expectation
from claims.language.library.entries import Entry
from claims.language.library.works import make_label
from claims.language.statement.claim import Claim
from claims.language.statement.games import describe
from claims.language.statement.variants import MARK
from claims.language.toml.source import display_path
from encoders.answer import Obligation, RouteResult
from encoders.ground.trust import list_trusted
from encoders.logic.naturals.certificates.certificate import Certificate, write


def make_claim_result(record: CollectedAnswers, ruling: Ruling) -> ClaimResult:
    """The result of a claim that was settled."""
    claim, first, search, found = record.claim, record.searches[0], record.search, record.found
    finding = Finding(
        as_expected=matches_expectation(ruling.verdict, claim.expect),
        scope=ruling.limits,
        cases=first.cases,
        cases_with_hypotheses=first.met,
        rechecked=found.rechecked,
        sampled=found.sampled,
        not_established="; ".join(x for x in (ruling.open, claim.caveat) if x),
        error=ruling.error,
        counterexample=found.counterexample,
        witness=name_players(claim, search.witness) if search.witness is not None and claim.variables else None,
        routes=tuple(_route(record, a) for a in record.answers),
        obligations=tuple(_without_terms(o) for a in record.answers for o in a.obligations),
        lemmas=record.lemmas,
        trusted=list_trusted(x for a in record.answers for x in a.trusted),
        theorem=read_theorems().has(claim),
        evidence=evidence_of(record),
    )
    seconds = sum(a.seconds for a in record.answers)
    proof = None
    if record.proof is not None and claim.proof is not None:
        from checks.judgement.account.proofs import show_proof  # and with it all that rules of proof are made of

        proof = show_proof(claim, record.proof.obligations)
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
        title=claim.title,
        work=claim.work,
        locator=claim.locator,
        short=claim.short,
        role=claim.role,
        repairs=claim.repairs,
        variant_of=claim.id.removesuffix(MARK + claim.variant) if claim.variant else "",
        expected=claim.expect or None,
        uses=claim.uses,
        proof_uses=claim.proof_uses,
        text=claim.statement,
        notes=claim.notes,
        quantifier=claim.quantifier,
        domains=tuple((v.name, v.text) for v in claim.variables),
        sets=frozenset(v.name for v in claim.variables if v.type.kind == "set"),
        games=tuple((g.name, describe(g, players)) for g in claim.games),
        rules=tuple(g.ruleset.notes for g in claim.games),
        formal=claim.texts,
        made=claim.source.made,
    )


def without_verdict(
    entry: Entry, verdict: Verdict, error: str = "", not_established: str = "", line: int = 0
) -> ClaimResult:
    """A result for a claim that was not settled: unreadable (at `line`), not run, or lost to a fault of ours."""
    folder, slash, name = entry.id.rpartition("/")
    return ClaimResult(
        entry.id,
        verdict,
        Statement(work=folder.split("/")[0] if slash else "", short=make_label(name), variant_of=entry.base),
        Finding(error=error, not_established=not_established or not_established_by(error)),
        Provenance(display_path(entry.path), line),
    )


def _without_terms(obligation: Obligation) -> Obligation:
    """As results have it: plain data, small enough to be kept."""
    found = obligation.certificate
    return replace(obligation, sequent=None, certificate=write(found) if isinstance(found, Certificate) else found)


def _route(record: CollectedAnswers, answer: RouteResult) -> RouteRecord:
    detail, limits = answer.detail, limits_of(record.claim, record.scope)
    if answer.ill_defined is not None:
        detail = "without a value at a case"
    if answer.obligations:
        limits = answer.proved
        spare = list_spare(record.lemmas)
        detail = detail or f"{sum(o.proved for o in answer.obligations)} obligations discharged" + (
            spare and f"; {spare}"
        )
    return RouteRecord(
        answer.encoder,
        answer.answer,
        limits,
        answer.cases,
        answer.seconds,
        detail,
        answer.below,
        () if answer.covered is None else limits_of(record.claim, answer.covered),
        answer.engines,
        answer.cause,
        answer.fallbacks,
    )
