"""How two formulas for the values of single heaps are compared: on a box, and by Z3."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from claims.language.expressions.elaborate import Elaborator
from claims.language.expressions.walk import substituted
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.closed.stated import StatedFormula
from encoders.closed.symbolic import Expression, write
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.discharge import decide
from encoders.logic.integers import Arithmetic, natural_product
from encoders.logic.reader import Posed
from encoders.logic.terms import add, equal, integer, mul, neg, sub

Evaluate = Callable[[t.Term, dict[str, int]], int]
STEPS = 3_000_000  # Z3's own count, for one equation
ARGUMENTS, PARAMETERS = 40, 6  # of the box


def read_formula(formula: StatedFormula, e: Expression) -> t.Term:
    """An expression of sympy as a term over the claim's integers. Raises Unsupported."""
    return Elaborator(dict.fromkeys(formula.integers, INT)).term(write(e), INT)


def list_cases(least: dict[str, int], far: str = "") -> Iterator[dict[str, int]]:
    """The box: PARAMETERS values of each integer from its least, ARGUMENTS of the one called `far`."""
    ranges = [range(low, low + (ARGUMENTS if name == far else PARAMETERS)) for name, low in least.items()]
    for values in itertools.product(*ranges):
        yield dict(zip(least, values, strict=True))


def count_agreeing(formula: StatedFormula, a: t.Term, b: t.Term, evaluate: Evaluate) -> int:
    """At how many arguments of the box both are the same; 0 if they differ anywhere."""
    count = 0
    for case in list_cases(formula.integers, formula.variable):
        if evaluate(a, case) != evaluate(b, case):
            return 0
        count += 1
    return count


def prove_equal(formula: StatedFormula, a: t.Term, b: t.Term) -> bool:
    """Whether Z3 proves that both are the same for all integers of the claim's domains."""
    reader = Arithmetic(invent=True)
    env = {name: reader.symbols.integer(name, low) for name, low in formula.integers.items()}
    try:
        first, second = (reader.number(substituted(x, {}), env) for x in (a, b))
    except Unsupported:
        return False
    quotients = [(divisor, quotient) for _, divisor, quotient, _ in reader.divided]
    for (divisor, q), (_, other) in itertools.permutations(quotients, 2):
        for factor, more in itertools.product((1, 2), (-2, -1, 0, 1, 2)):  # how far quotients can be apart
            apart = sub(mul(integer(factor), q), other)
            products = (natural_product(divisor, add(x, integer(more))) for x in (apart, neg(apart)))
            reader.learn(Reason.PRODUCTS, *products)
    return decide(reader.sequent("the same", Posed((), equal(first, second))), STEPS)


def confirm(what: str, cases: int, proved: bool) -> str:
    """How it is known that something sympy says is right, for the report."""
    where = "by Z3 for all integers, and " if proved else "not by Z3, but "
    return f"{what}: confirmed {where}by the referee at {cases} arguments"
