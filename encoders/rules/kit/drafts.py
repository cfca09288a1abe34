"""Drafts: sections with which a [proof] might begin, for a claim of a shape; they say nothing that is true of it.

A rule is suggested only where it reads a draft for the claim and its games without refusing: see
`encoders.proving.suggestions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import substitute, walk
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import INT, POSITION

Draft = Mapping[str, object]
BOUNDED = {"sizes": "< 2^62"}


def empty_draft(claim: Claim, beside: Iterable[str]) -> Iterator[Draft]:
    """A section that says nothing but its rule."""
    yield {}


def bounded_or_not(claim: Claim, beside: Iterable[str]) -> Iterator[Draft]:
    """That, without a bound of sizes or with one, without names for a few heaps or with them."""
    yield from ({}, BOUNDED)
    for heaps in ("ab", "abc", "abcd"):
        yield {"heaps": [*unused_names(claim, heaps)]}


def losing_draft(claim: Claim, beside: Iterable[str]) -> Iterator[Draft]:
    """Says that every mover loses, without a bound of sizes or with one."""
    for draft in bounded_or_not(claim, beside):
        yield {"loses": lose_everywhere(claim), **draft}


def lose_everywhere(claim: Claim) -> dict[str, str]:
    """[proof.loses] for the first game of a claim, by which every mover loses."""
    ruleset = claim.games[0].ruleset
    return dict.fromkeys(("mover",) if ruleset.impartial else ruleset.players, "True")


def unused_names(claim: Claim, wanted: Iterable[str]) -> Iterator[str]:
    """The wanted names, each with a number behind it where the claim's file has that word: never one that is taken."""
    written = claim.source.text
    for name in wanted:
        yield next(x for x in chain((name,), (f"{name}{i}" for i in count(1))) if x not in written)


def divisions(claim: Claim, any_heap: str) -> tuple[tuple[str, str], ...]:
    """(dividend, divisor) of each division by what is no number; a heap that runs in it is called `any_heap`."""
    found: dict[tuple[str, str], None] = {}
    running: dict[str, t.Term] = {}
    for x in walk((claim.hypothesis, claim.conclusion)):
        match x:
            case t.Comprehension(clauses=clauses):
                heap = t.Variable(INT, 0, 0, any_heap)
                running |= {c.variable: heap for c in clauses if c.source.type == POSITION}
            case t.Operation(op="floordiv" | "mod", args=(a, b)) if not isinstance(b, t.Literal):
                found[print_term(substitute(a, running)), print_term(substitute(b, running))] = None
    return tuple(found)
