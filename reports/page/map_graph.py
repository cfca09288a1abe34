"""The argument of a work as a graph that shows which statements use which, and the same in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from checks.results.model import ClaimResult, find_circles
from checks.results.wording import PROOFS
from reports.model.digest import RESULTS, Group, ReportView, find_refuted_uses


# == graph ============================================================================================================
# A graph of statements, with edges of three kinds from a statement to the statements that use it.
class EdgeKind(StrEnum):
    """The kind of an edge from a claim to a claim that uses it. The values are classes of the style sheet."""

    SOUND = "sound"
    """The published proof of the target uses the source."""

    BROKEN = "broken"
    """The published proof of the target uses the source, which is refuted."""

    OURS = "ours"
    """Our proof of the target uses the source as a lemma, or uses the proof of the source again."""


@dataclass(frozen=True)
class Edge:
    """An edge from the claim with the id `source` to the claim with the id `target`, whose proof uses it."""

    source: str
    target: str
    kind: EdgeKind


@dataclass(frozen=True)
class ArgumentGraph:
    """The claims of a work, and which of them are used to prove which. All fields refer to claims by their ids.

    `claims`: the claims by their ids, without variants.
    `stacks`: tuples of claims that are drawn together: a statement, its corrections and the steps of its proof. Only
    the stacks in which some claim has an edge.
    `alone`: the other stacks.
    `edges`: the edges between two of these claims.
    `elsewhere`: the edges to these claims from claims of other works or outside the run.
    `circles`: the circular arguments, each as a tuple of claims.
    `steps`: maps a step of a proof to the statement that is proved.
    """

    claims: dict[str, ClaimResult]
    stacks: tuple[tuple[str, ...], ...]
    edges: tuple[Edge, ...]
    elsewhere: tuple[Edge, ...]
    alone: tuple[tuple[str, ...], ...]
    circles: tuple[tuple[str, ...], ...]
    steps: dict[str, str] = field(default_factory=dict)

    @property
    def drawn(self) -> tuple[Edge, ...]:
        """The edges that the map shows: those between two stacks, and those from a claim to itself.

        Other edges inside a stack appear only in the list next to the map.
        """
        stack_of = {id: i for i, stack in enumerate(self.stacks) for id in stack}
        return tuple(e for e in self.edges if e.source == e.target or stack_of[e.source] != stack_of[e.target])

    def find_over(self, id: str) -> str:
        """Return the claim that `id` corrects, or to whose proof it belongs as a step; "" if there is none."""
        over = self.steps.get(id) or self.claims[id].statement.repairs
        return over if over in self.claims and over != id else ""


def make_graph(group: Group, view: ReportView) -> ArgumentGraph:
    """Return the graph of the claims of a work in this run."""
    claims = {c.id: c for c in group.main_claims}
    found = tuple(dict.fromkeys(edge for c in group.main_claims for edge in edges_into(c, view)))
    edges = tuple(e for e in found if e.source in claims)
    joined = {id for edge in edges for id in (edge.source, edge.target)}
    steps = find_steps(claims)
    stacks = tuple(_stack(claims, steps))
    return ArgumentGraph(
        claims=claims,
        stacks=tuple(stack for stack in stacks if joined & {*stack}),
        edges=edges,
        elsewhere=tuple(e for e in found if e.source not in claims),
        alone=tuple(stack for stack in stacks if not joined & {*stack}),
        circles=find_circles(group.main_claims),
        steps=steps,
    )


def find_steps(claims: Mapping[str, ClaimResult]) -> dict[str, str]:
    """Return a map from the id of each step of a proof to the id of the statement that is proved.

    A step names this statement in its locator, such as "Proof of Lemma 3, Case 2", or in its short name, such as
    "Lemma 3, Case 2". Steps for which the statement is not found are omitted.
    """
    names = {c.statement.locator: id for id, c in claims.items() if c.statement.locator and c.statement.role != "step"}
    shorts = {c.statement.short: id for id, c in claims.items() if c.statement.short and c.statement.role != "step"}
    found: dict[str, str] = {}
    for id, claim in claims.items():
        stated = claim.statement
        if stated.role == "step" and stated.repairs not in claims:
            place = stated.locator.removeprefix("Proof of ").partition(",")[0]
            head = names.get(place) or shorts.get(stated.short.partition(",")[0])
            found |= {id: head} if head else {}
    return found


def edges_into(claim: ClaimResult, view: ReportView) -> Iterator[Edge]:
    """Yield the edges that lead to a claim.

    First come the edges from the claims that its published proof uses, then those from the claims that the proof in the
    claim file uses.
    """
    for id in claim.statement.uses:
        yield Edge(id, claim.id, EdgeKind.BROKEN if is_refuted(id, view) else EdgeKind.SOUND)
    for id in claim.statement.proof_uses:
        yield Edge(id, claim.id, EdgeKind.OURS)


def is_refuted(id: str, view: ReportView) -> bool:
    """Return whether the claim with this id is refuted in the run."""
    return id in view.claims and view.claims[id].verdict.holds is False


def _stack(claims: dict[str, ClaimResult], steps: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield the claims in stacks of ids: a statement, its direct and indirect corrections, and the steps of its proof.

    Each step is followed by its own corrections. If corrections form a circle, the stack begins with the first claim.
    """
    above = {id: c.statement.repairs for id, c in claims.items() if c.statement.repairs in claims} | dict(steps)
    below: dict[str, list[str]] = {}
    for id in sorted(above, key=steps.__contains__):  # steps last, all else in the order of the work
        below.setdefault(above[id], []).append(id)
    seen: set[str] = set()
    for head in (*(id for id in claims if id not in above), *claims):
        stack, waiting = [], [head]
        while waiting:
            id = waiting.pop()
            if id not in seen:
                seen.add(id)
                stack.append(id)
                waiting += reversed(below.get(id, []))
        if stack:
            yield tuple(stack)


# == words ============================================================================================================
# The argument in words: the results that hold although their published proofs fail, and every edge as a list.
@dataclass(frozen=True)
class SurvivingClaim:
    """A claim that holds although its published proof uses refuted claims.

    `refuted`: the ids of these refuted claims.
    `taken`: the ids of the claims that the proof in the claim file uses.
    `means`: the method of the proof in the claim file, in words; "" if this proof uses other claims or does not exist.
    """

    claim: ClaimResult
    refuted: tuple[str, ...]
    means: str
    taken: tuple[str, ...]


@dataclass(frozen=True)
class NodeEntry:
    """One entry of the list next to the map: a claim, the claims that its proofs use, and its corrections.

    `uses`: the ids of the claims that the published proof uses.
    `ours`: the ids of the claims that the proof in the claim file uses.
    `means`: as in `SurvivingClaim`.
    `instead`: the ids of the corrections of the claim.
    """

    claim: ClaimResult
    uses: tuple[str, ...]
    ours: tuple[str, ...]
    means: str
    instead: tuple[str, ...]


def list_standing(graph: ArgumentGraph, view: ReportView) -> Iterator[SurvivingClaim]:
    """Yield the theorems, lemmas and corollaries that hold although their published proofs use refuted claims."""
    for claim in graph.claims.values():
        refuted = find_refuted_uses(claim, view)
        if claim.verdict.holds and claim.statement.role in RESULTS and refuted:
            yield SurvivingClaim(claim, refuted, describe_proof(claim), claim.statement.proof_uses)


def list_edges(graph: ArgumentGraph, view: ReportView) -> Iterator[NodeEntry]:
    """Yield an entry for each claim that uses other claims in a proof, or has a correction."""
    found = (*graph.edges, *graph.elsewhere)
    for claim in graph.claims.values():
        uses = tuple(e.source for e in found if e.target == claim.id and e.kind is not EdgeKind.OURS)
        ours = tuple(e.source for e in found if e.target == claim.id and e.kind is EdgeKind.OURS)
        instead = view.repaired_by.get(claim.id, ())
        if uses or ours or instead:
            yield NodeEntry(claim, uses, ours, describe_proof(claim), instead)


def own_rule(claim: ClaimResult) -> str:
    """Return the proof rule by which the claim file proves the claim.

    Return "" if the claim is not proved by obligations, or if its proof uses other claims.
    """
    proof, routes = claim.presentation.proof, claim.finding.routes
    if not claim.verdict.holds or not claim.finding.obligations or claim.statement.proof_uses:
        return ""
    return proof.rule if proof is not None else routes[-1].encoder if routes else ""


def describe_proof(claim: ClaimResult) -> str:
    """Return the method of the proof in the claim file, in words; "" if `own_rule` returns ""."""
    rule = own_rule(claim)
    return PROOFS[rule][1] if rule in PROOFS else f"the proof rule {rule}" if rule else ""
