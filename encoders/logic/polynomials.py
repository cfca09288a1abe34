"""Integer terms as polynomials, so that two terms are known for the same whatever way they are written.

Whatever is no sum, difference or product stands for itself; it is the same as another if it is built alike.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from claims.language.expressions.walk import structural_key
from claims.language.terms import terms as t
from encoders.logic.terms import add, integer, mul, neg

Monomial = tuple[str, ...]  # the keys of its factors, in order


@dataclass(frozen=True)
class Polynomial:
    """Monomial -> its coefficient, never 0. `atoms`: the factors by their keys."""

    coefficients: dict[Monomial, int]
    atoms: dict[str, t.Term]

    @property
    def constant(self) -> int | None:
        """The number that it is, if it is one."""
        if not self.coefficients:
            return 0
        return self.coefficients[()] if list(self.coefficients) == [()] else None

    def term(self) -> t.Term:
        """A term for it."""
        made: t.Term | None = None
        for monomial, coefficient in self.coefficients.items():
            factors = [self.atoms[key] for key in monomial]
            if not factors or coefficient not in (1, -1):
                factors = [integer(abs(coefficient)), *factors]
            product = factors[0]
            for x in factors[1:]:
                product = mul(product, x)
            signed = neg(product) if coefficient < 0 else product
            made = signed if made is None else add(made, signed)
        return made or integer(0)


def polynomial(term: t.Term) -> Polynomial:
    """The polynomial of an integer term without calls of definitions.

    >>> k = t.Variable(t.Literal(None, 0, 0, 0).type, 0, 0, "k")
    >>> polynomial(add(mul(k, k), neg(mul(k, k)))).constant
    0
    """
    atoms: dict[str, t.Term] = {}
    return Polynomial({m: c for m, c in _expand(term, atoms).items() if c}, atoms)


def is_same_polynomial(a: t.Term, b: t.Term) -> bool:
    """Whether two terms are the same polynomial."""
    atoms: dict[str, t.Term] = {}
    return not any(_combined(_expand(a, atoms), _expand(b, atoms), -1).values())


def _expand(term: t.Term, atoms: dict[str, t.Term]) -> Counter[Monomial]:
    match term:
        case t.Literal(value=value):
            return Counter({(): value})
        case t.Operation(op="add" | "sub" as op, args=(a, b)):
            return _combined(_expand(a, atoms), _expand(b, atoms), 1 if op == "add" else -1)
        case t.Operation(op="neg", args=(a,)):
            return _combined(Counter(), _expand(a, atoms), -1)
        case t.Operation(op="mul", args=(a, b)):
            found: Counter[Monomial] = Counter()
            for m, c in _expand(a, atoms).items():
                for n, d in _expand(b, atoms).items():
                    found[tuple(sorted((*m, *n)))] += c * d
            return found
    key = term.name if isinstance(term, t.Variable) else repr(structural_key(term))
    atoms.setdefault(key, term)
    return Counter({(key,): 1})


def _combined(a: Counter[Monomial], b: Counter[Monomial], sign: int) -> Counter[Monomial]:
    found = Counter(a)
    for m, c in b.items():
        found[m] += sign * c
    return found
