"""The argument of a work as a graph of statements and their uses, and the same in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from checks.results.model import ClaimResult, find_circles
from checks.results.wording import PROOFS
from reports.model.digest import RESULTS, Group, ReportView, find_refuted_uses


# == graph ============================================================================================================
# The argument of a work as a graph: its statements, and edges of three kinds from what is used to what uses it.
class EdgeKind(StrEnum):
    """What an edge says. The values are classes of the style sheet."""

    SOUND = "sound"
    """The work's own argument uses it."""

    BROKEN = "broken"
    """The work's own argument uses it, and it is refuted."""

    OURS = "ours"
    """Our proof takes over its proof, or has it as a lemma."""


@dataclass(frozen=True)
class Edge:
    """From the claim that is used to the one that uses it, by their ids."""

    source: str
    target: str
    kind: EdgeKind


@dataclass(frozen=True)
class ArgumentGraph:
    """The claims of a group that an edge joins to another, in their order, and the rest.

    `stacks`: the ids of each statement, of what is stated in its place and of the steps of its proof, which stand
    together; every claim with an edge is in one.  `edges`: between claims of the group.  `elsewhere`: those that leave
    it, to other works or claims that are not in the run.  `alone`: statements without an edge, likewise.  `circles`: as
    found by `find_circles`.  `steps`: step -> the statement that it is a step of.
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
        """The edges but for those between claims of one stack, which the list alone has."""
        stack_of = {id: i for i, stack in enumerate(self.stacks) for id in stack}
        return tuple(e for e in self.edges if e.source == e.target or stack_of[e.source] != stack_of[e.target])

    def find_over(self, id: str) -> str:
        """Under which statement of its stack a claim stands; "" for the first."""
        over = self.steps.get(id) or self.claims[id].statement.repairs
        return over if over in self.claims and over != id else ""


def make_graph(group: Group, view: ReportView) -> ArgumentGraph:
    """The argument of the works' claims in a run."""
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
    """Of each step of a proof, by where it stands or by its short name, the statement of which it is one."""
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
    """What the work rests the claim on, then what our proof rests on."""
    for id in claim.statement.uses:
        yield Edge(id, claim.id, EdgeKind.BROKEN if is_refuted(id, view) else EdgeKind.SOUND)
    for id in claim.statement.proof_uses:
        yield Edge(id, claim.id, EdgeKind.OURS)


def is_refuted(id: str, view: ReportView) -> bool:
    """Whether a claim of that id was refuted in the run."""
    return id in view.claims and view.claims[id].verdict.holds is False


def _stack(claims: dict[str, ClaimResult], steps: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Each statement with what repairs it, directly or by way of others, and then the steps of its proof likewise.

    A circle of repairs stands as it comes.
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
# The argument in words: what holds although its published proof fails, and every edge as a list.
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
