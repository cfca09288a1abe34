"""A claim narrowed to a case: what the case decides about its integers is decided, branches that are out are dropped.

`x if k == l else y` is x where the case says k == l, `k > l or z` is z where it says k < l, and min(k, l) is k there.
Only conditions over the claim's integer variables alone are decided, each by two decisions; one that is neither always
true nor always false stays.  Branches are dropped just where the language would not evaluate them.
"""

from __future__ import annotations

from dataclasses import replace

from claims.language.expressions import terms as t
from claims.language.expressions.types import BOOL
from claims.language.expressions.walk import rebuild
from claims.language.statement.claim import Claim
from claims.language.statement.unfolding import unfolded, unfolded_claim
from encoders.answer import Unsupported
from encoders.logic.definedness import needs
from encoders.logic.integers import IntegerReader
from encoders.logic.reader import Posed
from encoders.logic.terms import at_least, at_most, both, negation
from encoders.rules.rule import Surroundings


def narrow(claim: Claim, when: t.Term, surroundings: Surroundings) -> Claim:
    """The claim, its conditions decided where the case `when` decides them."""
    narrowing = _Narrowing(claim, when, surroundings)
    hypothesis = None if claim.hypothesis is None else narrowing.term(claim.hypothesis)
    return replace(claim, hypothesis=hypothesis, conclusion=narrowing.term(claim.conclusion))


class _Narrowing:
    def __init__(self, claim: Claim, when: t.Term, surroundings: Surroundings) -> None:
        self.claim, self.surroundings = claim, surroundings
        self.integers = IntegerReader(unfolded_claim(claim))
        self.integers.known.append(self.integers.truth(unfolded(when), self.integers.env))

    def _always(self, condition: t.Term) -> bool:
        return self.surroundings.is_certain(self.integers.sequent("decision", Posed((), condition)))

    def _decided(self, condition: t.Term) -> bool | None:
        if self._always(condition):
            return True
        return False if self._always(negation(condition)) else None

    def _total(self, term: t.Term) -> bool:
        """Whether the term has a value whatever its variables are: only then may it be left out."""
        return next(needs(term, (), self.claim), None) is None

    def term(self, term: t.Term) -> t.Term:
        if term.type == BOOL and not isinstance(term, t.Literal) and self._total(term):
            try:
                value = self._decided(self.integers.truth(unfolded(term), self.integers.env))
            except Unsupported:
                value = None
            if value is not None:
                return t.Literal(BOOL, term.start, term.end, int(value))
        match term:
            case t.IfElse(condition=c, then=x, other=y):
                c = self.term(c)
                if isinstance(c, t.Literal):
                    return self.term(x if c.value else y)
                return replace(term, condition=c, then=self.term(x), other=self.term(y))
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return self._joined(term, tuple(self.term(x) for x in args))
            case t.Operation(op="largest" | "smallest" as op, args=args):
                return self._extreme(term, op, tuple(self.term(x) for x in args))
            case t.Apply(function=function, args=args):
                body = self.term(function.body)
                if not function.parameters:
                    return body
                return replace(term, function=replace(function, body=body), args=tuple(self.term(x) for x in args))
        return rebuild(term, self.term)

    @staticmethod
    def _joined(term: t.Term, args: tuple[t.Term, ...]) -> t.Term:
        """A conjunction or disjunction without the parts that do not matter; nothing behind one that settles it."""
        neutral = isinstance(term, t.AllOf)
        kept: list[t.Term] = []
        for x in args:
            if isinstance(x, t.Literal) and bool(x.value) is neutral:
                continue
            kept.append(x)
            if isinstance(x, t.Literal):
                break
        if not kept:
            return t.Literal(BOOL, term.start, term.end, int(neutral))
        if len(kept) == 1:
            return kept[0]
        kind = t.AllOf if neutral else t.AnyOf
        return kind(BOOL, term.start, term.end, tuple(kept))

    def _extreme(self, term: t.Operation, op: str, args: tuple[t.Term, ...]) -> t.Term:
        if not all(map(self._total, args)):
            return replace(term, args=args)
        try:
            numbers = [self.integers.number(unfolded(x), self.integers.env) for x in args]
        except Unsupported:
            return replace(term, args=args)
        for x, number in zip(args, numbers, strict=True):
            if self._always(both(*(at_least(number, y) if op == "largest" else at_most(number, y) for y in numbers))):
                return x
        return replace(term, args=args)
