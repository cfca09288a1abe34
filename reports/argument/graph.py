"""The argument of a work as a graph: its statements, and edges of three kinds from what is used to what uses it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from checks.results.circles import find_circles
from checks.results.model import ClaimResult
from reports.ground.digest import Digest, Group


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

    `stacks`: the ids of each statement and of what is stated in its place, which stand together; every claim with an
    edge is in one.  `edges`: between claims of the group.  `elsewhere`: those that leave it, to other works or claims
    that are not in the run.  `alone`: statements without an edge, each with what is stated in its place.  `circles`: as
    found by `find_circles`.
    """

    claims: dict[str, ClaimResult]
    stacks: tuple[tuple[str, ...], ...]
    edges: tuple[Edge, ...]
    elsewhere: tuple[Edge, ...]
    alone: tuple[tuple[str, ...], ...]
    circles: tuple[tuple[str, ...], ...]


def make_graph(group: Group, view: Digest) -> ArgumentGraph:
    """The argument of the works' claims in a run."""
    claims = {c.id: c for c in group.stated}
    found = tuple(dict.fromkeys(edge for c in group.stated for edge in edges_into(c, view)))
    edges = tuple(e for e in found if e.source in claims)
    joined = {id for edge in edges for id in (edge.source, edge.target)}
    stacks = tuple(_stack(claims))
    return ArgumentGraph(
        claims=claims,
        stacks=tuple(stack for stack in stacks if joined & {*stack}),
        edges=edges,
        elsewhere=tuple(e for e in found if e.source not in claims),
        alone=tuple(stack for stack in stacks if not joined & {*stack}),
        circles=find_circles(group.stated),
    )


def edges_into(claim: ClaimResult, view: Digest) -> Iterator[Edge]:
    """What the work rests the claim on, then what our proof rests on."""
    for id in claim.statement.uses:
        yield Edge(id, claim.id, EdgeKind.BROKEN if is_refuted(id, view) else EdgeKind.SOUND)
    for id in claim.statement.proof_uses:
        yield Edge(id, claim.id, EdgeKind.OURS)


def is_refuted(id: str, view: Digest) -> bool:
    """Whether a claim of that id was refuted in the run."""
    return id in view.claims and view.claims[id].verdict.holds is False


def _stack(claims: dict[str, ClaimResult]) -> Iterator[tuple[str, ...]]:
    """Each statement with what repairs it, directly or by way of others; a circle of repairs stands as it comes."""
    below: dict[str, list[str]] = {}
    for id, claim in claims.items():
        if claim.statement.repairs in claims:
            below.setdefault(claim.statement.repairs, []).append(id)
    heads = [id for id, claim in claims.items() if claim.statement.repairs not in claims]
    seen: set[str] = set()
    for head in (*heads, *claims):
        stack, waiting = [], [head]
        while waiting:
            id = waiting.pop()
            if id not in seen:
                seen.add(id)
                stack.append(id)
                waiting += reversed(below.get(id, []))
        if stack:
            yield tuple(stack)
