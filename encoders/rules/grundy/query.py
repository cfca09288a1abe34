"""One query about heaps written with digits, and the claim's integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from claims.language.expressions import terms as t
from claims.language.expressions.printing import text
from claims.language.proofs.grundy import Digit, HeapProof
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Interval, Players, Positions
from encoders.answer import Unsupported
from encoders.logic.moves import OpenMove, open_moves
from encoders.logic.paths import Env
from encoders.rules.grundy.integers import Integers

BITS = 62  # of heaps in a sum, whose values are words

Ask = Callable[["Heaps"], tuple[list[Any], Any]]  # -> (assumptions, goal), before what the query itself knows


class Heaps(Integers):
    """One query: the claim's integers with their domains, and heaps with their digits."""

    def __init__(self, claim: Claim, proof: HeapProof) -> None:
        for v in claim.variables:
            if not isinstance(v.domain, Interval | Positions | Players):
                raise Unsupported(f"the variable {v.name} ranges over {v.text}")
        super().__init__(claim)
        self.claim, self.proof = claim, proof
        self.hypotheses: list[tuple[str, Any]] = []  # those of the claim, with their texts
        if proof.assume is not None:
            self.known.append(self.truth(proof.assume))

    def digits(self, digits: tuple[Digit, ...]) -> Env:
        """Fresh digits by name."""
        return {d.name: self.fresh(d.name) for d in digits}

    def inside(self, digits: tuple[Digit, ...], values: Env) -> Any:
        """All digits lie in their ranges."""
        tests = [self.yes]
        for d in digits:
            tests.append(values[d.name] >= self.terms.number(d.lo, self.env))
            if d.hi is not None:
                tests.append(values[d.name] <= self.terms.number(d.hi, self.env))
        return z3.And(*tests)

    def of(self, term: t.Term, values: Env) -> Any:
        """A term of the proof at some digits."""
        return self.terms.number(term, self.env | values)

    def move(self, mover: int = 0) -> OpenMove:
        """The one kind of move."""
        (move,) = open_moves(self.claim.games[0], mover)
        return move

    def element(self, source: t.Term | None, env: Env) -> tuple[Any, Any]:
        """A heap of any position, or an integer of a range. Raises Unsupported."""
        found = self.in_range(source, env)
        if found is None:
            raise Unsupported(f"{text(source)} is no range" if source is not None else "")
        return found
