"""A claim with some of its terms replaced by others, wherever they stand: in its texts, domains, games, definitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from checks.mutation.sites import head
from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import rebuild
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t


class Rewriting:
    """Replaces each term with an id in `new`. What is shared stays shared; what does not change is kept as it is."""

    def __init__(self, new: Mapping[int, t.Term]) -> None:
        self._new = dict(new)
        self._functions: dict[int, t.Function] = {}

    def claim(self, claim: Claim) -> Claim:
        """The claim after the replacements, without its proof: that was one of another statement."""
        hypothesis = None if claim.hypothesis is None else self.term(claim.hypothesis)
        games = tuple(replace(g, arguments=tuple((n, self.term(x)) for n, x in g.arguments)) for g in claim.games)
        variables = tuple(self._variable(v) for v in claim.variables)
        made = with_statement(replace(claim, games=games, variables=variables), hypothesis, self.term(claim.conclusion))
        bodies = {head(f): print_term(f.body) for old, f in self._functions.items() if id(f) != old}
        return replace(made, texts=tuple((label, bodies.get(label, body)) for label, body in made.texts))

    def term(self, term: t.Term) -> t.Term:
        """The term after the replacements."""
        if id(term) not in self._new:
            self._new[id(term)] = self._rewrite(term)
        return self._new[id(term)]

    def _rewrite(self, term: t.Term) -> t.Term:
        made = rebuild(term, self.term)
        if isinstance(made, t.Apply):
            called = self._function(made.function)
            return made if called is made.function else replace(made, function=called)
        return made

    def _function(self, function: t.Function) -> t.Function:
        if id(function) not in self._functions:
            body = self.term(function.body)
            self._functions[id(function)] = function if body is function.body else replace(function, body=body)
        return self._functions[id(function)]

    def _variable(self, variable: d.ClaimVariable) -> d.ClaimVariable:
        match variable.domain:
            case d.IntervalDomain(lo=lo, hi=hi):
                interval = d.IntervalDomain(self.term(lo), None if hi is None else self.term(hi))
                if interval.lo is lo and interval.hi is hi:
                    return variable
                return replace(variable, domain=interval, text=interval_text(interval))
            case d.ElementsOf(source=source) if self.term(source) is not source:
                return replace(
                    variable, domain=d.ElementsOf(self.term(source)), text=f"in {print_term(self.term(source))}"
                )
        return variable


def with_statement(claim: Claim, hypothesis: t.Term | None, conclusion: t.Term) -> Claim:
    """The claim with another hypothesis and conclusion, its texts with it, and no proof."""
    texts = [(label, print_term(x)) for label, x in (("if", hypothesis), ("then", conclusion)) if x is not None]
    rest = [x for x in claim.texts if x[0] not in ("if", "then")]
    return replace(claim, hypothesis=hypothesis, conclusion=conclusion, texts=(*texts, *rest), proof=None)


def interval_text(interval: d.IntervalDomain) -> str:
    """As a file writes the domain."""
    return f"{print_term(interval.lo)}..{'' if interval.hi is None else print_term(interval.hi)}"
