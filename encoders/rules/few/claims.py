"""The claim itself: what it says of positions, read off their heaps in ascending order."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import structural_key
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.reader import Entailment, Env
from encoders.logic.terms import ONE, ZERO, at_least, conjunction, equal, implies, negation
from encoders.rules.few.positions import FewHeapsPosition, FewReader, Sizes, sorted_as
from encoders.rules.few.section import FewProof
from encoders.rules.kit.common import has_outcome


class ClaimReader(FewReader):
    """Reads the claim. What is said of a position's single heaps is owed that it has no more than the proof names."""

    def __init__(self, claim: Claim, proof: FewProof) -> None:
        self.written: dict[Hashable, FewHeapsPosition] = {}  # positions written down, by their heaps
        super().__init__(claim, proof)

    def variables(self) -> Env:
        """The claim's variables: its positions have any number of heaps."""
        return {**self.env, **{v.name: self._any(f" of {v.name}") for v in self.claim.variables if v.type == POSITION}}

    def _any(self, of: str) -> FewHeapsPosition:
        sizes, more = self.position(of), self.symbols.integer(f"further heaps{of}", 0)
        self.learn(Reason.IN_ORDER, implies(at_least(more, ONE), at_least(sizes[0], ONE)))
        return FewHeapsPosition(sizes, more)

    def few_heaps(self) -> Entailment:
        """By the hypotheses the claim's positions have no more; what a hypothesis is owed follows from those before."""
        env, goals, met = self.variables(), list[t.Term](), list[t.Term]()
        if self.claim.hypothesis is not None:
            for x in t.conjuncts(self.claim.hypothesis):
                met.append(self._pay(goals, met, partial(self.truth, x, env)))
        return Entailment((), conjunction(*goals, implies(conjunction(*met), _have_few(env))))

    def conclusion(self) -> Entailment:
        """The claim, and once more that its positions have no more: so whichever hypotheses it needs are told."""
        env = self.variables()
        self.assume_hypotheses(self.claim.hypothesis, env)
        return Entailment((), conjunction(_have_few(env), self.truth(self.claim.conclusion, env)))

    # -- positions ----------------------------------------------------------------------------------------------------
    def position_of(self, term: t.Term, env: Env) -> FewHeapsPosition:
        """A position, a variable or one written down. Raises Unsupported for others."""
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                return self._write(term, items, env)
        return super().position_of(term, env)

    def _write(self, term: t.Term, items: tuple[t.Term, ...], env: Env) -> FewHeapsPosition:
        """The position of these heaps; that none is negative is an obligation of its own (defined)."""
        missing = len(self.proof.heaps) - len(items)
        if missing < 0:
            instead = "name as many in `heaps`"
            raise Unsupported(f"{print_term(term)} has more heaps than the proof names", instead=instead)
        heaps = (*(self.number(item, env) for item in items), *(ZERO,) * missing)
        key = tuple(map(structural_key, heaps))
        if key not in self.written:
            sizes = tuple(
                self.symbols.integer(f"{name} of {print_term(term)}", aside=True) for name in self.proof.heaps
            )
            self.learn(Reason.IN_ORDER, sorted_as(sizes, heaps))
            self.use_lemmas(self.seen(sizes))
            self.written[key] = FewHeapsPosition(sizes)
        return self.written[key]

    # -- who wins -----------------------------------------------------------------------------------------------------
    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.GameCall(function="wins", args=(s, mover)):
                return negation(self.loses(self.heaps(s, env), self.player(mover, env)))
            case t.Operation(
                op="eq" | "ne" as op, args=(t.GameCall(function="outcome", args=(s,)), t.Literal(value=v))
            ):
                found = self._outcome(t.OUTCOMES[v], self.heaps(s, env))
                return found if op == "eq" else negation(found)
        return super().about_truth(term, env)

    def _outcome(self, outcome: str, s: Sizes) -> t.Term:
        """Whether s has that outcome."""
        return has_outcome(outcome, *(self.loses(s, player) for player in (0, 1)))


def _have_few(env: Env) -> t.Term:
    """Whether the positions have no more heaps than the proof names."""
    return conjunction(*(equal(found.more, ZERO) for found in env.values() if isinstance(found, FewHeapsPosition)))
