"""The Coq proof of a claim without [proof] that has finitely many cases: Coq decides the claim by computation.

The proof is the same for all claims. The tactic `compute_claim` of coq/theory/Finite.v finds a decision procedure by
the form of the statement, and Coq runs it. A mistake in this module only makes Coq reject the proof, or take longer.
"""

from __future__ import annotations

from claims.language.files.claim import Claim
from claims.language.files.domains import PositionRange, needs_scope
from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from claims.language.syntax.terms import INT
from encoders.refusals import Unsupported

LARGEST_TABLE = 2000
"""Grundy values of at most so many heaps are computed in a table. Those of larger heaps take Coq much longer."""


def write_computation(claim: Claim) -> tuple[str, str]:
    """Return the tactics that prove the two parts of the statement: that the claim is defined, and that it holds.

    Raises Unsupported if the claim may have infinitely many cases, and if its file expects that it does not hold.
    """
    unbounded = [v for v in claim.variables if needs_scope(v)]
    if unbounded and claim.quantifier != "exists":
        raise Unsupported("the claim has no [proof]")
    if claim.description.expect == "refuted":
        raise Unsupported("the claim is expected to be refuted")
    said = walk((claim.variables, claim.hypothesis or (), claim.conclusion))
    numbers = (x.value for x in said if isinstance(x, t.Literal) and x.type == INT)
    size = min(max(numbers, default=0) + 1, LARGEST_TABLE)
    defined = f"meaningful_by_computation {size}"
    if not unbounded:
        return defined, f"compute_claim {size}"
    bounds = [claim.scope("quick")[v.name] for v in unbounded]
    ranges = [x for x in bounds if isinstance(x, PositionRange)]
    if len(ranges) < len(bounds):
        raise Unsupported("no Coq text is generated for an example among integers without an upper bound")
    fewest, most = min(x.heaps.lo for x in ranges), max(x.heaps.hi for x in ranges)
    low, high = min(x.size.lo for x in ranges), max(x.size.hi for x in ranges)
    return defined, f"compute_among {size} (positions_within {fewest} {most} {low} {high})"
