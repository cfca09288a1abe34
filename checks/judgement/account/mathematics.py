"""The formal statement of a claim, typeset: all of it from the claim's own terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from checks.judgement.account.domains import typeset_domain
from checks.judgement.account.typesetting import typeset
from checks.judgement.explain import players_of
from checks.results.statement import Formal, Formula
from claims.language.expressions import terms as t
from claims.language.expressions.types import BOOL
from claims.language.expressions.typeset.flowing import math, word
from claims.language.expressions.typeset.markup import mo
from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim


def formal_of(claim: Claim) -> Formal:
    """The statement, with the definitions that it uses: those that it mentions first, then what these mention."""
    sources = dict(claim.texts)
    names = {head.partition("(")[0]: head for head in sources}

    def show(term: t.Term, source: str = "") -> Formula:
        formula = typeset(term, players_of(claim), named_games=len(claim.games) > 1)
        return replace(formula, text=" ".join(source.split())) if source else formula

    definitions = []
    for call in list_calls(claim):
        head = names.get(call.function.name, "")
        left = show(_left_side(call), head)
        sign = word("means") if call.type == BOOL else math(mo("=", 'lspace="0.1em" rspace="0"'))
        left = replace(left, markup=f"{left.markup} {sign}")
        definitions.append((left, show(call.function.body, sources.get(head, ""))))
    return Formal(
        quantified=tuple(typeset_domain(v, show) for v in claim.variables),
        hypothesis=None if claim.hypothesis is None else show(claim.hypothesis, sources["if"]),
        conclusion=show(claim.conclusion, sources["then"]),
        definitions=tuple(definitions),
    )


def list_calls(claim: Claim) -> tuple[t.Apply, ...]:
    """For each definition that the statement uses one call of it: what is mentioned first, then what that mentions."""
    found = dict[str, t.Apply]()
    terms: Iterable[object] = (
        claim.hypothesis,
        claim.conclusion,
        claim.variables,
        tuple(g.arguments for g in claim.games),
    )
    while True:
        new = dict[str, t.Apply]()
        for x in _find_calls(terms):
            if x.function.name not in found:
                new.setdefault(x.function.name, x)
        if not new:
            return tuple(found.values())
        found |= new
        terms = [x.function.body for x in new.values()]


def _find_calls(values: Iterable[object]) -> Iterator[t.Apply]:
    """Calls in terms or frozen structures of them."""
    return (x for value in values for x in walk(value) if isinstance(x, t.Apply))


def _left_side(call: t.Apply) -> t.Apply:
    """`f(x, y)`, with the parameters as the definition names them."""
    names = call.function.parameters
    return replace(call, args=tuple(t.Variable(x.type, 0, 0, n) for n, x in zip(names, call.args, strict=True)))
