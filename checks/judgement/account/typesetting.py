"""Terms of a claim as formulas of the result model: source text and markup."""

from __future__ import annotations

from checks.results.statement import Formula
from claims.language.expressions.printing import text
from claims.language.expressions.terms import Term
from claims.language.expressions.typeset.flowing import flow


def typeset(term: Term, players: tuple[str, ...] = (), named_games: bool = False) -> Formula:
    """The term in the claim language and as HTML; `named_games`: the claim is about several games."""
    return Formula(text(term, players), flow(term, players, named_games))
