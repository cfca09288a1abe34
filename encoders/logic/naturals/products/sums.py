"""Sums of products of literals that are negative although nothing in them is: what excludes literals with products.

A literal says that a polynomial is at least 0, or that it is 0.  Such polynomials may be multiplied by each other and
by variables; each product of variables is then one unknown, and Z3's linear arithmetic says which of the products
exclude each other, and with which coefficients they add up to -1.  Whether they do is looked at apart, by `verify`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from math import lcm

import z3

from encoders.logic.naturals.certificate import EQ
from encoders.logic.naturals.oracle import Unsure
from encoders.logic.naturals.verify import Literal, Monomial, multiplied, natural

STEPS = 3_000_000  # Z3's own count, for one question
FEW = 6  # streams whose products are all looked at


@dataclass(frozen=True)
class Product:
    """What is at least 0, or 0: the product of these literals' polynomials and of these streams."""

    literals: tuple[Literal, ...]
    streams: Monomial

    @property
    def is_equation(self) -> bool:
        """Whether it is 0."""
        return any(atom.kind == EQ for atom, _ in self.literals)


Polynomial = dict[Monomial, int]


class Products:
    """Linear arithmetic, in which products of streams are unknowns."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.solver = z3.SolverFor("QF_LRA", ctx=self.context)
        self.solver.set("random_seed", 1)
        self.solver.set("rlimit", STEPS)
        self._marks: dict[Product, z3.BoolRef] = {}
        self._marked: dict[int, Product] = {}  # by Z3's numbers of the marks
        self._polynomials: dict[Product, Polynomial] = {}
        self._unknowns: dict[Monomial, z3.ArithRef] = {(): z3.RealVal(1, self.context)}

    def find_sum(self, literals: Sequence[Literal], more: int = 0) -> list[tuple[int, Product]] | None:
        """Products of the literals with coefficients, which add up to a negative constant; None if there are none.

        `more`: by how much their degree may be above that of the literals.  Raises Unsure.
        """
        answer = self.solver.check(*map(self._mark, self._products(literals, more)))
        if answer == z3.unknown:
            raise Unsure(self.solver.reason_unknown())
        if answer == z3.sat:
            return None
        return self._weigh([self._marked[x.get_id()] for x in self.solver.unsat_core()])

    def _products(self, literals: Sequence[Literal], more: int) -> Iterator[Product]:
        """The literals that a sum may use, and products of two, or of one and variables, higher by `more` at most."""
        usable = [x for x in literals if x[0].kind != EQ or x[1]]
        single = [Product((x,), ()) for x in usable]
        monomials = sorted({m for x in single for m in self._polynomial(x) if m}, key=repr)
        degree = max(map(len, monomials), default=1)
        parts = {part for m in monomials for n in range(1, max(2, degree)) for part in combinations(m, n)}
        streams = sorted({s for m in monomials for s in m}, key=repr)
        if more and len(streams) <= FEW:  # equations are multiplied by whatever stands anywhere
            parts |= set(combinations_with_replacement(streams, max(2, degree) - 1 + more))
        factors = [*single, *(Product((), part) for part in sorted(parts, key=repr))]
        yield from single
        for a, b in combinations_with_replacement(factors, 2):
            if self._degree(a) + self._degree(b) > max(2, degree) + more:
                continue
            made = Product((*a.literals, *b.literals), (*a.streams, *b.streams))
            if made.literals:
                yield made

    def _degree(self, x: Product) -> int:
        return max(map(len, self._polynomial(x)), default=0)

    def _polynomial(self, x: Product) -> Polynomial:
        if x not in self._polynomials:
            found: Polynomial = {tuple(sorted(x.streams, key=repr)): 1}
            for literal in x.literals:
                found = multiplied(found, natural(literal))
            self._polynomials[x] = {m: k for m, k in found.items() if k}
        return self._polynomials[x]

    def _mark(self, x: Product) -> z3.BoolRef:
        if x not in self._marks:
            mark = self._marks[x] = z3.Bool(f"product {len(self._marks)}", self.context)
            total = z3.Sum(*(k * self._unknown(m) for m, k in self._polynomial(x).items()), z3.RealVal(0, self.context))
            self.solver.add(z3.Implies(mark, total == 0 if x.is_equation else total >= 0))
            self._marked[mark.get_id()] = x
        return self._marks[x]

    def _unknown(self, m: Monomial) -> z3.ArithRef:
        if m not in self._unknowns:
            self._unknowns[m] = z3.Real(repr(m), self.context)
            self.solver.add(self._unknowns[m] >= 0)
        return self._unknowns[m]

    def _weigh(self, products: Sequence[Product]) -> list[tuple[int, Product]]:
        """Coefficients with which they add up to a negative constant; those that are 0 left out. Raises Unsure."""
        solver = z3.SolverFor("QF_LRA", ctx=self.context)
        solver.set("rlimit", STEPS)
        unknown = [z3.Real(f"coefficient {i}", self.context) for i in range(len(products))]
        totals: dict[Monomial, list[z3.ArithRef]] = {(): []}
        for c, x in zip(unknown, products, strict=True):
            if not x.is_equation:
                solver.add(c >= 0)
            for m, k in self._polynomial(x).items():
                totals.setdefault(m, []).append(k * c)
        added: list[tuple[Monomial, z3.ArithRef]] = []  # products of streams fill up what is below 0
        for m, parts in totals.items():
            total = z3.Sum(*parts, z3.RealVal(0, self.context))
            solver.add(total <= 0 if m else total == -1)
            added += [(m, -total)] if m else []
        if solver.check() != z3.sat:
            raise Unsure("no coefficients")
        model = solver.model()
        weighed = [*zip(products, unknown, strict=True), *((Product((), m), x) for m, x in added)]
        found = [(model.eval(x, model_completion=True).as_fraction(), product) for product, x in weighed]
        scale = lcm(*(x.denominator for x, _ in found))
        return [(int(x * scale), product) for x, product in found if x]
