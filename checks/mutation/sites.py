"""Where each term of a claim stands, and which way the claim goes when the term grows.

"x < 3" says more as "x < 2" and less as "x < 4": a change that only makes a claim say less cannot be refuted by any
scope.  The direction of a term tells such changes apart from those that a scope should notice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from claims.language.expressions.printing import display
from claims.language.statement.claim import Claim
from claims.language.statement.domains import ElementsOf, IntervalDomain
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, PLAYER

Place = tuple[str, ...]
"""("if",), ("then",), ("all", variable, "lo" | "hi" | "source"), ("game", name, parameter) or ("define", head)."""


@dataclass(frozen=True, eq=False)
class Site:
    """One occurrence of a term.

    `clause` is the smallest condition around it, or the whole text it stands in if there is none.  `direction`: 1 if
    the claim says less the larger (for a Bool: the more often true) the term is, -1 if it says more, 0 if neither is
    certain.
    """

    place: Place
    term: t.Term
    clause: t.Term
    direction: int


def roots(claim: Claim) -> Iterator[tuple[Place, t.Term, int]]:
    """The whole terms of a claim with their places and directions; called definitions are not among them."""
    narrows = -1 if claim.quantifier == "exists" else 1  # fewer cases say less of all cases, more of some case
    for v in claim.variables:
        match v.domain:
            case IntervalDomain(lo=lo, hi=hi):
                yield ("all", v.name, "lo"), lo, narrows
                if hi is not None:
                    yield ("all", v.name, "hi"), hi, -narrows
            case ElementsOf(source=source):
                yield ("all", v.name, "source"), source, 0
    for game in claim.games:
        for parameter, term in game.arguments:
            yield ("game", game.name, parameter), term, 0
    if claim.hypothesis is not None:
        yield ("if",), claim.hypothesis, -narrows
    yield ("then",), claim.conclusion, 1


def sites(claim: Claim) -> Iterator[Site]:
    """Every occurrence: first in the claim's own texts, then in the definitions, in the order they are called.

    A definition is gone through once for each direction in which it is called.  Who moves is no site in a question
    about an impartial game, where it makes no difference.
    """
    todo = deque(roots(claim))
    seen: set[tuple[int, int]] = set()
    while todo:
        place, root, direction = todo.popleft()
        for site in _within(claim, place, root, root, direction):
            yield site
            if isinstance(site.term, t.Apply):
                function = site.term.function
                if (id(function), site.direction) not in seen:
                    seen.add((id(function), site.direction))
                    todo.append((("define", head(function)), function.body, site.direction))


def head(function: t.Function) -> str:
    """The left side of a definition.

    >>> head(t.Function("lost", ("s'1", "p'2"), t.Literal(BOOL, 0, 1, 1)))
    'lost(s, p)'
    """
    return f"{function.name}({', '.join(map(display, function.parameters))})" if function.parameters else function.name


def _within(claim: Claim, place: Place, term: t.Term, clause: t.Term, direction: int) -> Iterator[Site]:
    yield Site(place, term, term if term.type == BOOL else clause, direction)
    for part, way in _directed(term, direction):
        if not _idle(claim, term, part):
            yield from _within(claim, place, part, term if term.type == BOOL else clause, way)


def _idle(claim: Claim, term: t.Term, part: t.Term) -> bool:
    """Whether `part` says who moves in an impartial game."""
    if not isinstance(term, t.GameCall) or not isinstance(part, t.Literal) or part is not term.args[-1]:
        return False
    return claim.game(term.game).ruleset.impartial and (part.type == PLAYER or part.start == part.end)


_GROWING = {"add", "largest", "smallest", "rational"}
_COMPARED = {"lt": (-1, 1), "le": (-1, 1), "gt": (1, -1), "ge": (1, -1), "sub": (1, -1), "range": (-1, 1)}
_SCALED = {"mul", "floordiv", "div"}


def _directed(term: t.Term, d: int) -> Iterator[tuple[t.Term, int]]:
    """The parts of a term that goes in direction `d`, each with its own."""
    match term:
        case t.AllOf() | t.AnyOf():
            yield from ((x, d) for x in t.subterms(term))
        case t.IfElse(condition=condition, then=then, other=other):
            yield from ((condition, 0), (then, d), (other, d))
        case t.Comprehension():
            yield from _running(term, d)
        case t.Collection(type=kind, items=items):
            yield from ((x, d if kind.kind == "list" else 0) for x in items)
        case t.Operation(op=op, args=args) if op in _GROWING:
            yield from ((x, d) for x in args)
        case t.Operation(op=op, args=args) if op in _COMPARED:
            yield from ((x, d * way) for x, way in zip(args, _COMPARED[op], strict=True))
        case t.Operation(op="not" | "neg", args=(x,)):
            yield x, -d
        case t.Operation(op=op, args=(x, t.Literal(value=value) as factor)) if op in _SCALED and value > 0:
            yield from ((x, d), (factor, 0))
        case t.Operation(op="mul", args=(t.Literal(value=value) as factor, x)) if value > 0:
            yield from ((factor, 0), (x, d))
        case t.Operation(op="any" | "all" | "sum" | "max" | "min" | "count", args=(x,)):
            of_items = isinstance(x, t.Collection | t.Comprehension) and x.type.kind == "list"
            yield x, d if of_items else 0
        case _:
            yield from ((x, 0) for x in t.subterms(term))


def _running(term: t.Comprehension, d: int) -> Iterator[tuple[t.Term, int]]:
    """Over more elements `any` is true more often and `all` less; a range has more of them the further its ends."""
    of_body = d if term.reducer not in ("mex", "nim_sum", "set") else 0
    of_elements = {"any": d, "count": d, "all": -d}.get(term.reducer, 0)
    for clause in term.clauses:
        is_range = isinstance(clause.source, t.Operation) and clause.source.op == "range"
        yield clause.source, of_elements if is_range else 0
        yield from ((condition, of_elements) for condition in clause.conditions)
    yield term.body, of_body
