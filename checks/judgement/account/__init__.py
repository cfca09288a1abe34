"""The account of a claim: all that reports, receipts and the screen tell of it, as one `ClaimResult`."""

from __future__ import annotations

from dataclasses import replace

from checks.judgement.account.proofs import show_proof
from checks.judgement.account.theorems import read_theorems
from checks.judgement.explain import players_of
from checks.judgement.findings import name_players
from checks.judgement.judging import Record, Ruling, evidence_of, open_by
from checks.judgement.scopes import limits_of
from checks.results.lemmas import list_spare
from checks.results.model import ClaimResult, Route
from checks.results.verdicts import Verdict, as_expected
from claims.language.labels import make_label
from claims.language.library import Entry
from claims.language.statement.claim import EXPECTATIONS
from claims.language.statement.games import describe
from claims.language.toml.source import shown
from encoders.answer import Answer, Obligation
from encoders.logic.naturals.certificate import Certificate, write
from encoders.trust import list_trusted


def give_account(record: Record, ruling: Ruling) -> ClaimResult:
    """The result of a claim that was settled."""
    claim, first, search, found = record.claim, record.searches[0], record.search, record.found
    players = players_of(claim)
    return ClaimResult(
        id=claim.id,
        title=claim.title,
        work=claim.work,
        locator=claim.locator,
        role=claim.role,
        uses=claim.uses,
        repairs=claim.repairs,
        verdict=ruling.verdict,
        expected=claim.expect or None,
        as_expected=as_expected(ruling.verdict, EXPECTATIONS.get(claim.expect)),
        scope=ruling.limits,
        cases=first.cases,
        cases_with_hypotheses=first.met,
        not_established="; ".join(x for x in (ruling.open, claim.caveat) if x),
        counterexample=found.counterexample,
        witness=name_players(claim, search.witness) if search.witness is not None and claim.variables else None,
        routes=tuple(_route(record, a) for a in record.answers),
        seconds=sum(a.seconds for a in record.answers),
        statement=claim.statement,
        notes=claim.notes,
        quantifier=claim.quantifier,
        domains=tuple((v.name, v.text) for v in claim.variables),
        games=tuple((g.name, describe(g, players)) for g in claim.games),
        formal=claim.texts,
        trusted=list_trusted(x for a in record.answers for x in a.trusted),
        rechecked=found.rechecked,
        error=ruling.error,
        file=claim.source.name,
        obligations=tuple(_without_terms(o) for a in record.answers for o in a.obligations),
        proof=show_proof(claim, record.proof.obligations) if record.proof and claim.proof else None,
        evidence=evidence_of(record),
        digest=claim.digest,
        files=claim.basis.files,
        theorem=read_theorems().has(claim),
        sets=frozenset(v.name for v in claim.variables if v.type.kind == "set"),
        short=claim.short,
        proof_uses=claim.proof_uses,
        lemmas=record.lemmas,
    )


def without_verdict(
    entry: Entry, verdict: Verdict, error: str = "", not_established: str = "", line: int = 0
) -> ClaimResult:
    """A result for a claim that was not settled: unreadable (at `line`), not run, or lost to a fault of ours."""
    work = entry.id.split("/")[0] if "/" in entry.id else ""
    return ClaimResult(
        id=entry.id,
        title="",
        work=work,
        locator="",
        role="",
        uses=(),
        verdict=verdict,
        expected=None,
        as_expected=None,
        scope=(),
        cases=0,
        cases_with_hypotheses=0,
        not_established=not_established or open_by(error),
        counterexample=None,
        witness=None,
        routes=(),
        seconds=0.0,
        error=error,
        file=shown(entry.path),
        line=line,
        short=make_label(entry.id.rpartition("/")[2]),
    )


def _without_terms(obligation: Obligation) -> Obligation:
    """As results have it: plain data, small enough to be kept."""
    found = obligation.certificate
    return replace(obligation, sequent=None, certificate=write(found) if isinstance(found, Certificate) else found)


def _route(record: Record, answer: Answer) -> Route:
    detail, limits = answer.detail, limits_of(record.claim, record.scope)
    if answer.ill_defined is not None:
        detail = "without a value at a case"
    if answer.obligations:
        limits = answer.proved
        spare = list_spare(record.lemmas)
        detail = detail or f"{sum(o.proved for o in answer.obligations)} obligations discharged" + (
            spare and f"; {spare}"
        )
    return Route(
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
    )
