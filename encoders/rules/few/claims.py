"""The claim itself: what it says of positions, read off their heaps in ascending order."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial, reduce

from claims.language.expressions.printing import text
from claims.language.expressions.walk import identity
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.reader import Env, Posed
from encoders.logic.terms import ONE, ZERO, add, at_least, both, choose, either, equal, implies, negation
from encoders.rules.few.positions import FewReader, Heaps, Sizes, at_place, count, sorted_as
from encoders.rules.few.section import FewProof
from encoders.rules.kit.common import has_outcome


class ClaimReader(FewReader):
    """Reads the claim. What is said of a position's single heaps is owed that it has no more than the proof names."""

    def __init__(self, claim: Claim, proof: FewProof) -> None:
        self.written: dict[Hashable, Heaps] = {}  # positions written down, by their heaps
        super().__init__(claim, proof)

    def variables(self) -> Env:
        """The claim's variables: its positions have any number of heaps."""
        return {**self.env, **{v.name: self._any(f" of {v.name}") for v in self.claim.variables if v.type == POSITION}}

    def _any(self, of: str) -> Heaps:
        sizes, more = self.position(of), self.symbols.integer(f"further heaps{of}", 0)
        self.learn(Reason.IN_ORDER, implies(at_least(more, ONE), at_least(sizes[0], ONE)))
        return Heaps(sizes, more)

    def few_heaps(self) -> Posed:
        """By the hypotheses the claim's positions have no more; what a hypothesis is owed follows from those before."""
        env, goals, met = self.variables(), list[t.Term](), list[t.Term]()
        if self.claim.hypothesis is not None:
            for x in t.conjuncts(self.claim.hypothesis):
                met.append(self._pay(goals, met, partial(self.truth, x, env)))
        return Posed((), both(*goals, implies(both(*met), _have_few(env))))

    def conclusion(self) -> Posed:
        """The claim, and once more that its positions have no more: so whichever hypotheses it needs are told."""
        env = self.variables()
        self.assume_hypotheses(self.claim.hypothesis, env)
        return Posed((), both(_have_few(env), self.truth(self.claim.conclusion, env)))

    # -- positions ----------------------------------------------------------------------------------------------------
    def position_of(self, term: t.Term, env: Env) -> Heaps:
        """A position, a variable or one written down. Raises Unsupported for others."""
        if isinstance(term, t.Variable):
            found = env.get(term.name)
            if isinstance(found, Heaps):
                return found
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                return self._write(term, items, env)
        raise Unsupported(f"{text(term)} is no position that the rule knows")

    def _write(self, term: t.Term, items: tuple[t.Term, ...], env: Env) -> Heaps:
        """The position of these heaps; that none is negative is an obligation of its own (defined)."""
        missing = len(self.proof.heaps) - len(items)
        if missing < 0:
            raise Unsupported(f"{text(term)} has more heaps than the proof names")
        heaps = (*(self.number(item, env) for item in items), *(ZERO,) * missing)
        key = tuple(map(identity, heaps))
        if key not in self.written:
            sizes = tuple(self.symbols.integer(f"{name} of {text(term)}", aside=True) for name in self.proof.heaps)
            self.learn(Reason.IN_ORDER, sorted_as(sizes, heaps))
            self.use_lemmas(self.seen(sizes))
            self.written[key] = Heaps(sizes)
        return self.written[key]

    def _heaps(self, term: t.Term, env: Env) -> Sizes:
        """All heaps of a position: it is owed that it has no more."""
        found = self.position_of(term, env)
        if found.more is not ZERO:
            self.owed.append(equal(found.more, ZERO))
        return found.sizes

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Also a heap of a position, however many it has. Raises Unsupported for options."""
        if source is None or source.type != POSITION:
            return super().element(source, env)
        s, heap = self.position_of(source, env), self.fresh("heap")
        known = either(at_least(s.more, ONE), *(equal(heap, size) for size in s.sizes))
        return heap, both(at_least(heap, ONE), known)

    # -- terms about positions ----------------------------------------------------------------------------------------
    def about_number(self, term: t.Term, env: Env) -> t.Term:
        """A number about a position; that it has one is an obligation of its own (defined)."""
        match term:
            case t.Operation(op="len", args=(s,)) if s.type == POSITION:
                found = self.position_of(s, env)
                return add(count(found.sizes), found.more)
            case t.Operation(op="min", args=(s,)) if s.type == POSITION:
                return at_place(self._heaps(s, env), 0)
            case t.Operation(op="max", args=(s,)) if s.type == POSITION:
                return self._heaps(s, env)[-1]
            case t.Operation(op="sum", args=(s,)) if s.type == POSITION:
                return reduce(add, self._heaps(s, env))
            case t.Operation(op="index", args=(s, t.Literal(value=place))) if s.type == POSITION and place >= 0:
                return at_place(self._heaps(s, env), place)
            case t.Operation(op="occurrences", args=(s, item)) if s.type == POSITION:
                wanted = self.number(item, env)
                return self._total(s, env, lambda heap: choose(equal(heap, wanted), ONE, ZERO))
            case t.Comprehension(reducer="sum" | "count", clauses=(clause,)) if clause.source.type == POSITION:
                return self._total(clause.source, env, lambda heap: self._share(term, clause, env, heap))
        return super().about_number(term, env)

    def _total(self, s: t.Term, env: Env, share: Callable[[t.Term], t.Term]) -> t.Term:
        """What the heaps of a position have together; one that is absent has nothing."""
        return reduce(add, [choose(at_least(heap, ONE), share(heap), ZERO) for heap in self._heaps(s, env)])

    def _share(self, term: t.Comprehension, clause: t.Clause, env: Env, heap: t.Term) -> t.Term:
        """What a heap adds to a sum, or to a count."""
        met, inner = self._met(clause, env, heap)
        if term.reducer == "count":
            return choose(both(met, self.truth(term.body, inner)), ONE, ZERO)
        return choose(met, self.number(term.body, inner), ZERO)

    def _met(self, clause: t.Clause, env: Env, heap: t.Term) -> tuple[t.Term, Env]:
        """Whether a heap meets the conditions of what runs over it, and the names there."""
        inner = {**env, clause.variable: heap}
        return both(*(self.truth(x, inner) for x in clause.conditions)), inner

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.GameCall(function="wins", args=(s, mover)):
                return negation(self.loses(self._heaps(s, env), self.player(mover, env)))
            case t.Operation(
                op="eq" | "ne" as op, args=(t.GameCall(function="outcome", args=(s,)), t.Literal(value=v))
            ):
                found = self._outcome(t.OUTCOMES[v], self._heaps(s, env))
                return found if op == "eq" else negation(found)
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == POSITION:
                pairs = zip(self._heaps(a, env), self._heaps(b, env), strict=True)
                same = both(*(equal(x, y) for x, y in pairs))
                return same if op == "eq" else negation(same)
            case t.Operation(op="in", args=(item, s)) if s.type == POSITION:
                wanted = self.number(item, env)
                return both(at_least(wanted, ONE), either(*(equal(wanted, heap) for heap in self._heaps(s, env))))
            case t.Comprehension(reducer="any" | "all", clauses=(clause,)) if clause.source.type == POSITION:
                return self._quantified(term, clause, env)
        return super().about_truth(term, env)

    def _outcome(self, outcome: str, s: Sizes) -> t.Term:
        """Whether s has that outcome."""
        return has_outcome(outcome, *(self.loses(s, player) for player in (0, 1)))

    def _quantified(self, term: t.Comprehension, clause: t.Clause, env: Env) -> t.Term:
        """Whether some heap of a position meets a condition, or all do."""
        found = []
        for heap in self._heaps(clause.source, env):
            met, inner = self._met(clause, env, heap)
            there, body = both(at_least(heap, ONE), met), self.truth(term.body, inner)
            found.append(both(there, body) if term.reducer == "any" else implies(there, body))
        return either(*found) if term.reducer == "any" else both(*found)


def _have_few(env: Env) -> t.Term:
    """Whether the positions have no more heaps than the proof names."""
    return both(*(equal(found.more, ZERO) for found in env.values() if isinstance(found, Heaps)))
