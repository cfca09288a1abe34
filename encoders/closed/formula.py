"""A claimed formula for the values of single heaps, and how two formulas are compared: on a box, and by Z3."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from claims.language.expressions import terms as t
from claims.language.expressions.elaborate import Elaborator
from claims.language.expressions.types import INT
from claims.language.expressions.walk import substituted
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from encoders.answer import Unsupported
from encoders.closed.symbolic import Expression, write
from encoders.logic.discharge import decide
from encoders.logic.integers import Arithmetic, natural_product
from encoders.logic.reader import Posed
from encoders.logic.terms import add, equal, integer, mul, neg, sub

Evaluate = Callable[[t.Term, dict[str, int]], int]
STEPS = 3_000_000  # Z3's own count, for one equation
ARGUMENTS, PARAMETERS = 40, 6  # of the box


@dataclass(frozen=True, eq=False)
class Formula:
    """`term` is claimed to be the value of a heap of `variable`, for all the claim's integers."""

    claim: Claim
    variable: str
    term: t.Term

    @property
    def integers(self) -> dict[str, int]:
        """The claim's integer variables with their least values."""
        return read_integers(self.claim)

    def read(self, e: Expression) -> t.Term:
        """An expression of sympy as a term over the claim's integers. Raises Unsupported."""
        return Elaborator(dict.fromkeys(self.integers, INT)).term(write(e), INT)


def read_integers(claim: Claim) -> dict[str, int]:
    """The integer variables with their least values, as far as those are known outright."""
    found = {}
    for v in claim.variables:
        if v.type == INT and isinstance(v.domain, d.Interval):
            found[v.name] = v.domain.lo.value if isinstance(v.domain.lo, t.Literal) else 0
    return found


def formula_of(claim: Claim) -> Formula | None:
    """The closed form that a claim is about: grundy(position([x])) == E(x), x a variable without upper bound."""
    found = claim.conclusion
    if claim.hypothesis is not None or not isinstance(found, t.Operation) or found.op != "eq":
        return None
    open_ = {v.name for v in claim.variables if isinstance(v.domain, d.Interval) and v.domain.hi is None}
    for left, right in (found.args, found.args[::-1]):
        match left:
            case t.GameCall(
                function="grundy",
                args=(t.Operation(op="position", args=(t.Collection(items=(t.Variable(name=x),)),)),),
            ) if x in open_:
                return Formula(claim, x, right)
    return None


def list_cases(least: dict[str, int], far: str = "") -> Iterator[dict[str, int]]:
    """The box: PARAMETERS values of each integer from its least, ARGUMENTS of the one called `far`."""
    ranges = [range(low, low + (ARGUMENTS if name == far else PARAMETERS)) for name, low in least.items()]
    for values in itertools.product(*ranges):
        yield dict(zip(least, values, strict=True))


def count_agreeing(formula: Formula, a: t.Term, b: t.Term, evaluate: Evaluate) -> int:
    """At how many arguments of the box both are the same; 0 if they differ anywhere."""
    count = 0
    for case in list_cases(formula.integers, formula.variable):
        if evaluate(a, case) != evaluate(b, case):
            return 0
        count += 1
    return count


def prove_equal(formula: Formula, a: t.Term, b: t.Term) -> bool:
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
            reader.known += [natural_product(divisor, add(x, integer(more))) for x in (apart, neg(apart))]
    return decide(reader.sequent("the same", Posed((), equal(first, second))), STEPS)


def confirm(what: str, cases: int, proved: bool) -> str:
    """How it is known that something sympy says is right, for the report."""
    where = "by Z3 for all integers, and " if proved else "not by Z3, but "
    return f"{what}: confirmed {where}by the referee at {cases} arguments"
