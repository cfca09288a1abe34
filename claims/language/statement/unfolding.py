"""Claims with their definitions written out, so that what a term means is in the term itself."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from claims.language.expressions.walk import Substitution, TooLong, substitute
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t

__all__ = ["TooLong", "expand_definitions", "unfolded_claim"]


def expand_definitions(term: t.Term) -> t.Term:
    """The term with definitions written out. Raises TooLong."""
    return substitute(term, {})


def unfolded_claim(claim: Claim) -> Claim:
    """The claim, its games, domains and proof, without calls of definitions. Raises TooLong."""
    unfold = Substitution()
    return replace(
        claim,
        variables=tuple(replace(v, domain=_unfold_domain(unfold, v.domain)) for v in claim.variables),
        games=tuple(replace(g, arguments=tuple((n, unfold.term(x, {})) for n, x in g.arguments)) for g in claim.games),
        hypothesis=None if claim.hypothesis is None else unfold.term(claim.hypothesis, {}),
        conclusion=unfold.term(claim.conclusion, {}),
        proof=None if claim.proof is None else _unfold_all(unfold, claim.proof),
    )


def _unfold_domain(unfold: Substitution, domain: d.Domain) -> d.Domain:
    match domain:
        case d.IntervalDomain(lo=lo, hi=hi):
            return d.IntervalDomain(unfold.term(lo, {}), None if hi is None else unfold.term(hi, {}))
        case d.ElementsOf(source=source):
            return d.ElementsOf(unfold.term(source, {}))
    return domain


def _unfold_all(unfold: Substitution, value: Any) -> Any:
    """A frozen structure with the terms in it unfolded; lemmas stay as they are."""
    if isinstance(value, Claim):
        return value
    if isinstance(value, t.Term):
        return unfold.term(value, {})
    if isinstance(value, tuple):
        return tuple(_unfold_all(unfold, x) for x in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _unfold_all(unfold, getattr(value, f.name)) for f in fields(value)})
    return value
