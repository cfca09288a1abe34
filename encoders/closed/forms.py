"""What a claimed closed form simplifies to, its period and saltus, and how it agrees with the digits of its proof.

sympy suggests; what it suggests is taken only if it has the same value on a box of arguments, which the caller's
evaluator computes, and Z3 is asked to prove it for all integers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from claims.language.expressions import terms as t
from claims.language.expressions.elaborate import Elaborator
from claims.language.expressions.printing import text
from claims.language.expressions.types import INT
from claims.language.expressions.walk import substituted
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from encoders.answer import ClosedForm, Unsupported
from encoders.closed.symbolic import expression, symbol, written
from encoders.logic.discharge import decide
from encoders.logic.integers import Arithmetic, natural_product
from encoders.logic.reader import Posed
from encoders.logic.terms import add, equal, integer, mul, neg, sub
from encoders.rules.grundy.section import Digit, GrundyProof

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
        return _integers(self.claim)


def _integers(claim: Claim) -> dict[str, int]:
    """The integer variables with their least values, as far as those are known outright."""
    found = {}
    for v in claim.variables:
        if v.type == INT and isinstance(v.domain, d.Interval):
            found[v.name] = v.domain.lo.value if isinstance(v.domain.lo, t.Literal) else 0
    return found


def _in_digits(proof: GrundyProof, names: dict[str, Any]) -> tuple[dict[str, Any], Any, Any]:
    """(the digits of a heap by name, the heap, its value), the claim's integers being called `names`."""
    digits = {x.name: symbol(x.name, False) for x in proof.digits}
    everything = {**names, **digits}
    return digits, expression(proof.heap, everything), expression(proof.value, everything)


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


def form_of_digits(claim: Claim) -> ClosedForm | None:
    """What a proof by digits says of all heaps: the value, and the period and saltus of the leading digit."""
    proof = claim.proof
    if not isinstance(proof, GrundyProof) or not proof.digits or proof.digits[0].hi is not None:
        return None
    names = {name: symbol(name, True) for name in _integers(claim)}
    digits, heap, value = _in_digits(proof, names)
    top = digits[proof.digits[0].name]
    period, saltus = (sp.expand(e.subs(top, top + 1) - e) for e in (heap, value))
    if period.has(top) or saltus.has(top):
        return None
    return ClosedForm(
        variable=written(heap),
        written=text(proof.value),
        simplified=written(value),
        latex=sp.latex(value),
        mathml=sp.mathml(value, printer="presentation"),
        period=written(period),
        saltus=written(saltus),
        steps=("for " + ", ".join(map(_range, proof.digits)) + "; the leading digit goes up by one",),
        checks=("period and saltus: read off two polynomials in the digits; the proof shows the values",),
    )


def same_heaps(claim: Claim, other: Claim) -> Iterator[str]:
    """Which heaps of another claim, proved by the same digits, are those of this claim's proof: sentences."""
    ours, theirs = claim.proof, other.proof
    if (
        not isinstance(ours, GrundyProof)
        or not isinstance(theirs, GrundyProof)
        or len(ours.digits) != len(theirs.digits)
    ):
        return
    names = {name: symbol(name, True) for name in _integers(claim)}
    digits, heap, value = _in_digits(ours, names)
    for at in theirs.at:
        written_out = dict(at.digits)
        called: dict[str, Any] = {}
        chosen = {}
        for mine, yours in zip(ours.digits, theirs.digits, strict=True):
            match written_out.get(yours.name):
                case t.Variable(name=name):
                    called[name] = digits[mine.name]
                case t.Literal(value=v):
                    chosen[digits[mine.name]] = v
        known = {**names, **called}
        try:
            there = {y: expression(x, known) for y, x in at.digits}
            same_heap = sp.expand(expression(at.heap, known) - heap.subs(chosen)) == 0
            same_value = sp.expand(expression(theirs.value, {**known, **there}) - value.subs(chosen)) == 0
        except Unsupported:
            continue
        if there and same_heap and same_value:
            renamed = ", ".join(f"{name} = {digit.name}" for name, digit in called.items())
            here = written(sp.expand(heap.subs(chosen)))
            yield f"{here} is the heap {text(at.heap)} of {other.id} with {renamed}: the same value"


def closed_form(formula: Formula, evaluate: Evaluate) -> ClosedForm:
    """Everything that can be said of the formula. Raises Unsupported for what is no closed form of integers."""
    names = {name: symbol(name, low > 0 and name != formula.variable) for name, low in formula.integers.items()}
    x = names[formula.variable]
    original = expression(formula.term, names)
    simple, checked = _simplest(formula, original, x, evaluate)
    period, saltus, why = _period(formula, simple, x, evaluate)
    return ClosedForm(
        variable=formula.variable,
        written=text(formula.term),
        simplified=written(simple),
        latex=sp.latex(simple),
        mathml=sp.mathml(simple, printer="presentation"),
        period=period,
        saltus=saltus,
        steps=tuple(_steps(formula, original, names, evaluate)),
        checks=tuple(x for x in (checked, why) if x),
    )


# -- simplifying ------------------------------------------------------------------------------------------------------
def _simplest(formula: Formula, original: Any, x: Any, evaluate: Evaluate) -> tuple[Any, str]:
    """The shortest of sympy's suggestions and of some guesses that is equal to the formula, and how that is known."""
    candidates = sorted({original, *_guesses(original, x)}, key=lambda e: (e.count_ops(), len(str(e)), str(e)))
    for e in candidates:
        if e == original:
            break
        try:
            term = _term(formula, e)
        except Unsupported:
            continue
        cases = _same(formula, formula.term, term, evaluate)
        if cases:
            return e, _confirmation("the simplified form", cases, _proved(formula, formula.term, term))
    return original, ""


def _guesses(e: Any, x: Any) -> Iterator[Any]:
    """What the formula might simplify to: sympy's opinion, and remainders in place of case distinctions."""
    with_floor = _floors(e)
    yield from (sp.simplify(e), sp.simplify(with_floor))
    moduli = _moduli(e)
    smaller = {m / 2 for m in moduli if (m / 2).is_integer}
    for piece in e.atoms(sp.Piecewise):
        for m in moduli | smaller:
            yield e.subs(piece, sp.Mod(x, m))


def _moduli(e: Any) -> set[Any]:
    """What is divided by."""
    found = {m.args[1] for m in e.atoms(sp.Mod)}
    return found | {sp.fraction(sp.together(f.args[0]))[1] for f in e.atoms(sp.floor)} - {sp.Integer(1)}


def _floors(e: Any) -> Any:
    """With remainders as what divisions leave, and integers taken out of the floor."""
    e = e.replace(sp.Mod, lambda a, b: a - b * sp.floor(a / b))
    return e.replace(sp.floor, _floor)


def _floor(a: Any) -> Any:
    top, bottom = sp.fraction(sp.together(a))
    if not bottom.free_symbols:
        return sp.floor(sp.expand(a))
    try:
        whole, rest = sp.div(sp.expand(top), bottom, *sorted(bottom.free_symbols, key=str))
    except sp.PolynomialError:  # another floor inside
        return sp.floor(a)
    return whole + sp.floor(rest / bottom) if whole.is_integer else sp.floor(a)


# -- period and saltus ------------------------------------------------------------------------------------------------
def _period(formula: Formula, e: Any, x: Any, evaluate: Evaluate) -> tuple[str, str, str]:
    """(p, c, how it is known) with value(x + p) == value(x) + c for all x; p the least among what is divided by."""
    for p in sorted(_moduli(e), key=lambda m: (m.count_ops(), str(m))):
        change = sp.simplify(sp.expand(_floors(e.subs(x, x + p)) - _floors(e)))
        if change.has(x) or change.has(sp.Piecewise):
            continue
        later = _term(formula, e.subs(x, x + p))
        sooner = _term(formula, e + change)
        cases = _same(formula, later, sooner, evaluate)
        if cases:
            how = _confirmation("period and saltus", cases, _proved(formula, later, sooner))
            return written(p), written(change), how
    return "", "", ""


# -- the digits of the proof ------------------------------------------------------------------------------------------
def _steps(formula: Formula, original: Any, names: dict[str, Any], evaluate: Evaluate) -> Iterator[str]:
    """The formula at the heaps of the claim's proof, written in their digits, and the values the proof gives them."""
    proof = formula.claim.proof
    if not isinstance(proof, GrundyProof) or not proof.divisions:
        return
    digits, heap, value = _in_digits(proof, names)
    everything = {**names, **digits}
    yield f"every heap is {formula.variable} = {text(proof.heap)} with " + ", ".join(map(_range, proof.digits))
    for chosen in _choices(proof, digits):
        made, parts = original, []
        for row in proof.divisions:
            a, b, q, r = (expression(y, everything) for y in (row.dividend, row.divisor, row.quotient, row.remainder))
            q, r = q.subs(chosen), sp.expand(r.subs(chosen))
            parts.append(
                f"{written(a)} // {_bracketed(b)} = {written(q)} and {written(a)} % {_bracketed(b)} = {written(r)}"
            )
            made = made.subs({sp.floor(a / b): q, sp.Mod(a, b): r})
        made = sp.expand(_branch(made, formula, proof, chosen, digits, evaluate))
        same = sp.expand(made - value.subs(chosen)) == 0
        at = sp.expand(heap.subs(chosen))
        yield (
            f"{formula.variable} = {written(at)}: {'; '.join(parts)}; the formula gives {written(made)}"
            + (", as the proof says" if same else f", the proof says {written(value.subs(chosen))}")
        )


def _choices(proof: GrundyProof, digits: dict[str, Any]) -> Iterator[dict[Any, int]]:
    """All values of the digits that have only a few, such as 0 and 1."""
    few = [
        (digits[x.name], range(x.lo.value, x.hi.value + 1))
        for x in proof.digits
        if isinstance(x.lo, t.Literal) and isinstance(x.hi, t.Literal)
    ]
    for choice in itertools.product(*(values for _, values in few)):
        yield dict(zip((name for name, _ in few), choice, strict=True))


def _range(digit: Digit) -> str:
    high = "" if digit.hi is None else f" <= {text(digit.hi)}"
    return f"{text(digit.lo)} <= {digit.name}{high}"


def _bracketed(e: Any) -> str:
    return written(e) if isinstance(e, sp.Symbol | sp.Integer) else f"({written(e)})"


def _branch(
    e: Any, formula: Formula, proof: GrundyProof, chosen: dict[Any, int], digits: dict[str, Any], evaluate: Evaluate
) -> Any:
    """The branch of each case distinction that is taken at all digits of the box; both where both are."""
    for piece in e.atoms(sp.Piecewise):
        taken = set()
        for case in _box({n: low for n, low in formula.integers.items() if n != formula.variable}):
            ranges = [
                range(evaluate(x.lo, case), (ARGUMENTS // 8 if x.hi is None else evaluate(x.hi, case)) + 1)
                for x in proof.digits
            ]
            for values in itertools.product(*ranges):
                here = {digits[x.name]: v for x, v in zip(proof.digits, values, strict=True)}
                if all(here[k] == v for k, v in chosen.items()):
                    at = here | {s: case[s.name] for s in piece.free_symbols if s.name in case}
                    taken.add(next(i for i, (_, c) in enumerate(piece.args) if c.subs(at) == sp.true))
        if len(taken) == 1:
            e = e.subs(piece, piece.args[taken.pop()][0])
    return e


# -- checking ---------------------------------------------------------------------------------------------------------
def _term(formula: Formula, e: Any) -> t.Term:
    return Elaborator(dict.fromkeys(formula.integers, INT)).term(written(e), INT)


def _box(least: dict[str, int], far: str = "") -> Iterator[dict[str, int]]:
    ranges = [range(low, low + (ARGUMENTS if name == far else PARAMETERS)) for name, low in least.items()]
    for values in itertools.product(*ranges):
        yield dict(zip(least, values, strict=True))


def _same(formula: Formula, a: t.Term, b: t.Term, evaluate: Evaluate) -> int:
    """At how many arguments of the box both are the same; 0 if they differ anywhere."""
    count = 0
    for case in _box(formula.integers, formula.variable):
        if evaluate(a, case) != evaluate(b, case):
            return 0
        count += 1
    return count


def _proved(formula: Formula, a: t.Term, b: t.Term) -> bool:
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


def _confirmation(what: str, cases: int, proved: bool) -> str:
    where = "by Z3 for all integers, and " if proved else "not by Z3, but "
    return f"{what}: confirmed {where}by the referee at {cases} arguments"
