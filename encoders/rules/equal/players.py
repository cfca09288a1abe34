"""Claims about any player, as claims about each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from claims.language.expressions import terms as t
from claims.language.expressions.types import PLAYER
from claims.language.expressions.walk import substituted
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Players


def for_each_player(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """The claim for each choice of its players, told in words: "" if it is about none. Definitions are written out."""
    variables = [v for v in claim.variables if isinstance(v.domain, Players)]
    others = tuple(v for v in claim.variables if v not in variables)
    names = claim.games[0].ruleset.players if claim.games else ()
    for chosen in product(*(range(v.domain.count) for v in variables if isinstance(v.domain, Players))):
        values = {v.name: t.Literal(PLAYER, 0, 0, who) for v, who in zip(variables, chosen, strict=True)}
        words = ", ".join(f"{name} = {names[who.value]}" for name, who in values.items())
        yield (
            words,
            replace(
                claim,
                variables=others,
                hypothesis=None if claim.hypothesis is None else substituted(claim.hypothesis, values),
                conclusion=substituted(claim.conclusion, values),
            ),
        )
