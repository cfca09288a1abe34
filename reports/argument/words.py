"""The argument in words: what holds although its published proof fails, and every edge as a list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from checks.results.model import ClaimResult
from reports.argument.graph import ArgumentGraph, EdgeKind
from reports.ground.digest import RESULTS, ReportView, find_refuted_uses
from reports.ground.wording import PROOFS


@dataclass(frozen=True)
class SurvivingClaim:
    """A claim that holds, and the ids of the refuted ones that its published proof rests on.

    `means`: what our proof of its own is, in words; "" where it rests on `taken`, or there is none.
    """

    claim: ClaimResult
    refuted: tuple[str, ...]
    means: str
    taken: tuple[str, ...]


@dataclass(frozen=True)
class NodeEntry:
    """One claim in the list. `uses`: by the work's argument; `ours`: by our proof; `instead`: stated in its place.

    `means`: as in `Standing`.
    """

    claim: ClaimResult
    uses: tuple[str, ...]
    ours: tuple[str, ...]
    means: str
    instead: tuple[str, ...]


def list_standing(graph: ArgumentGraph, view: ReportView) -> Iterator[SurvivingClaim]:
    """The results of the work that hold although their published proof rests on what is refuted."""
    for claim in graph.claims.values():
        refuted = find_refuted_uses(claim, view)
        if claim.verdict.holds and claim.statement.role in RESULTS and refuted:
            yield SurvivingClaim(claim, refuted, describe_proof(claim), claim.statement.proof_uses)


def list_edges(graph: ArgumentGraph, view: ReportView) -> Iterator[NodeEntry]:
    """Each claim that uses another or has something stated in its place, with all edges into it."""
    found = (*graph.edges, *graph.elsewhere)
    for claim in graph.claims.values():
        uses = tuple(e.source for e in found if e.target == claim.id and e.kind is not EdgeKind.OURS)
        ours = tuple(e.source for e in found if e.target == claim.id and e.kind is EdgeKind.OURS)
        instead = view.repaired_by.get(claim.id, ())
        if uses or ours or instead:
            yield NodeEntry(claim, uses, ours, describe_proof(claim), instead)


def own_rule(claim: ClaimResult) -> str:
    """The name of the rule of a proof that rests on no other statement, "" where the claim has none."""
    proof, routes = claim.presentation.proof, claim.finding.routes
    if not claim.verdict.holds or not claim.finding.obligations or claim.statement.proof_uses:
        return ""
    return proof.rule if proof is not None else routes[-1].encoder if routes else ""


def describe_proof(claim: ClaimResult) -> str:
    """What a proof that rests on no other statement is, in words, "" where the claim has none."""
    rule = own_rule(claim)
    return PROOFS[rule][1] if rule in PROOFS else f"the rule {rule}" if rule else ""
