"""The Coq proof of a claim without [proof]: Coq decides finitely many cases by computation.

If the claim has finitely many cases, Coq decides all of them. If it states that something exists, Coq searches for an
example in the scope. If the claim file expects that the claim is refuted, Coq finds a counterexample in the scope, and
proves the negation of the claim.

The proof is the same for all claims. The tactics of coq/theory/Finite.v find a decision procedure by the form of the
statement, and Coq runs it. A mistake in this module only makes Coq reject the proof, or take longer.
"""

from __future__ import annotations

from dataclasses import dataclass

from claims.language.files.claim import Claim
from claims.language.files.domains import PositionRange, Range, needs_scope
from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from claims.language.syntax.terms import INT
from encoders.refusals import Unsupported

LARGEST_TABLE = 2000
"""The largest number of heaps whose Grundy values Coq computes in a table. Other values take Coq much longer."""


@dataclass(frozen=True)
class Computation:
    """The Coq tactics that prove a claim or its negation.

    `defined`: the tactic that proves that the claim is defined. `decides`: the tactic that proves the rest.
    `refutes`: whether the negation of the claim is proved.
    """

    defined: str
    decides: str
    refutes: bool = False


def write_computation(claim: Claim) -> Computation:
    """Return the tactics for a claim without [proof].

    A claim that is expected to hold must have finitely many cases or state that something exists; otherwise, this
    raises Unsupported. It also raises Unsupported if a claim that is expected to be refuted is a variant, or states
    that something exists.
    """
    unbounded = [v for v in claim.variables if needs_scope(v)]
    refutes = claim.description.expect == "refuted"
    if unbounded and claim.quantifier != "exists" and not refutes:
        raise Unsupported("the claim has no [proof]")
    if refutes and (claim.variant or claim.quantifier == "exists"):
        raise Unsupported("the claim is expected to be refuted")
    scope = _Scope.of(claim)
    defined = f"meaningful_by_computation {scope.table}"
    if refutes:
        alone = len(claim.variables) == 1 and not scope.positions
        bounds = f"[{scope.numbers}]" if alone else f"(numbers_to {max(scope.numbers, scope.size)})"
        return Computation(defined, f"refute_claim {scope.table} {scope.fewest} {scope.most} {bounds}", refutes=True)
    if not unbounded:
        return Computation(defined, f"compute_claim {scope.table}")
    positions = f"(positions_within {scope.fewest} {scope.most} 1 {scope.size})"
    return Computation(defined, f"compute_among {scope.table} {positions} (numbers_to {scope.numbers})")


@dataclass(frozen=True)
class _Scope:
    """Bounds in which Coq looks for examples.

    `table`: the number of heaps whose Grundy values are computed in a table. `numbers`: the largest integer.
    `positions`: whether there are variables for positions. `fewest`, `most`: the least and the largest number of heaps
    of a position. `size`: the largest heap.
    """

    table: int
    numbers: int
    positions: bool
    fewest: int
    most: int
    size: int

    @staticmethod
    def of(claim: Claim) -> _Scope:
        said = walk((claim.variables, claim.hypothesis or (), claim.conclusion))
        literals = [x.value for x in said if isinstance(x, t.Literal) and x.type == INT]
        bounds = claim.scope("quick").values()
        numbers = [x.hi for x in bounds if isinstance(x, Range)]
        positions = [x for x in bounds if isinstance(x, PositionRange)]
        return _Scope(
            table=min(max((*literals, *numbers), default=0) + 1, LARGEST_TABLE),
            numbers=max(numbers, default=0),
            positions=bool(positions),
            fewest=min((x.heaps.lo for x in positions), default=0),
            most=max((x.heaps.hi for x in positions), default=0),
            size=max((x.size.hi for x in positions), default=0),
        )
