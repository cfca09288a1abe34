"""Heaps written with digits, and the claim's integers, in one sequent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from claims.language.expressions.printing import print_term
from claims.language.statement.claim import Claim
from claims.language.statement.domains import IntervalDomain, Players, Positions
from claims.language.terms import terms as t
from encoders.logic.integers import IntegerReader
from encoders.logic.moves import OpenMove, open_moves
from encoders.logic.polynomials import is_same_polynomial
from encoders.logic.reader import Env
from encoders.logic.terms import at_least, at_most, conjunction, integer
from encoders.rules.grundy.powers import Powers
from encoders.rules.grundy.section import GrundyProof, PowerDigit
from encoders.rules.kit.common import refuse_variable
from encoders.rules.kit.lemmas import VariableRange

LARGEST_EXPONENT = 62  # of a power that is read as a number

Digits = Mapping[str, t.Term]  # the digits of a heap, or of a value, by name


class GameTermReader(Protocol):
    """What is known of positions and games. Raises Unsupported for all else."""

    def number(self, term: t.Term, env: Env) -> t.Term:
        """A number about them."""

    def truth(self, term: t.Term, env: Env) -> t.Term:
        """A condition about them."""


class HeapReader(IntegerReader):
    """The claim's integers with their domains, and heaps with their digits.

    `questions`: what is known of positions and games; None inside a proof, where nothing is.
    `bases`: see `Powers`.

    Raises Unsupported where a variable is no integer from an interval, no position and no player.
    """

    def __init__(self, claim: Claim, proof: GrundyProof, bases: dict[int, bool]) -> None:
        for v in claim.variables:
            if not isinstance(v.domain, IntervalDomain | Positions | Players):
                raise refuse_variable(v)
        self.proof = proof
        self.questions: GameTermReader | None = None
        self.powers = Powers(self, bases)
        self._raised: list[tuple[int, t.Term, t.Term]] = []  # base, exponent, power
        super().__init__(claim)  # which reads the domains by now

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="pow", args=(t.Literal(value=base), exponent)) if base > 1:
                return self._raise(base, self.number(exponent, env))
        if self.questions is not None:
            return self.questions.number(term, env)
        return super().about_number(term, env)

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        if self.questions is not None:
            return self.questions.truth(term, env)
        return super().about_truth(term, env)

    def _raise(self, base: int, exponent: t.Term) -> t.Term:
        """A power of the base; of a negative exponent, where nothing is claimed, any power."""
        if isinstance(exponent, t.Literal) and 0 <= exponent.value <= LARGEST_EXPONENT:
            return integer(base**exponent.value)
        for its, other, power in self._raised:
            if its == base and is_same_polynomial(other, exponent):
                return power
        power = self.powers.fresh(base, f"{base} ** {print_term(exponent)}")
        for its, other, earlier in self._raised:
            if its == base:
                self.powers.compare_exponents(base, other, earlier, exponent, power)
        self._raised.append((base, exponent, power))
        return power

    def digits(self, digits: tuple[VariableRange | PowerDigit, ...]) -> dict[str, t.Term]:
        """Fresh digits by name."""
        return {
            d.name: self.powers.fresh(d.base, d.name) if isinstance(d, PowerDigit) else self.fresh(d.name)
            for d in digits
        }

    def inside(self, digits: tuple[VariableRange | PowerDigit, ...], values: Digits) -> t.Term:
        """All digits lie in their ranges, or are powers. Raises Unsupported where that is not seen."""
        tests: list[t.Term] = []
        for d in digits:
            if isinstance(d, PowerDigit):
                tests.append(self.powers.is_power(d.base, values[d.name]))
                continue
            tests.append(at_least(values[d.name], self.number(d.lo, self.env)))
            if d.hi is not None:
                tests.append(at_most(values[d.name], self.number(d.hi, self.env)))
        return conjunction(*tests)

    def of(self, term: t.Term, values: Digits) -> t.Term:
        """A term of the proof at some digits."""
        return self.number(term, {**self.env, **values})

    def heap(self, values: Digits) -> t.Term:
        """The heap with some digits; what the powers among them are multiplied by in it is noted."""
        made = self.of(self.proof.heap, values)
        for d in self.proof.digits:
            if isinstance(d, PowerDigit):
                self.powers.weigh(values[d.name], made)
        return made

    def moves(self, mover: int = 0) -> tuple[OpenMove, ...]:
        """The kinds of moves."""
        return open_moves(self.claim.games[0], mover)
