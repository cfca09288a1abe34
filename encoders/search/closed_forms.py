"""The closed form of Grundy values that a claim states: its simplified form, period and saltus, found by sympy."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import sympy as sp

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.printing import TooLong, print_term, substitute
from claims.language.syntax.terms import INT
from claims.language.typesetting.formulas import typeset_math
from claims.language.typesetting.neat import simplify_term
from encoders.logic.answer import ClosedForm
from encoders.logic.integers import UnboundedReader, natural_product
from encoders.logic.reader import Entailment
from encoders.logic.sequents import add, equal, integer, mul, neg, sub
from encoders.logic.translator import Translator, choose_extreme
from encoders.refusals import Unsupported
from encoders.rules.base.lemmas import VariableRange
from encoders.rules.grundy.section import GrundyProof
from encoders.search.stated_forms import StatedFormula, read_integers
from encoders.solvers.discharge import decide
from encoders.trust import Reason

# == symbolic =========================================================================================================
# Integer expressions as sympy expressions, and back as text of the claim language.
Expression: TypeAlias = Any
"""A sympy expression, a number or a condition. sympy has no types."""

Names = Mapping[str, Expression]
_RELATIONS = {"eq": sp.Eq, "ne": sp.Ne, "lt": sp.Lt, "le": sp.Le, "gt": sp.Gt, "ge": sp.Ge}
_SIGNS = {sp.Eq: "==", sp.Ne: "!=", sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">="}


def make_symbol(name: str, positive: bool) -> sp.Symbol:
    """Return an integer symbol, either positive or non-negative."""
    return sp.Symbol(name, integer=True, positive=True) if positive else sp.Symbol(name, integer=True, nonnegative=True)


class Sympy:
    """The operations with which `Translator` builds sympy expressions.

    A division becomes a floor, and a case distinction becomes a Piecewise.
    """

    words = "closed forms"

    @property
    def operations(self) -> Mapping[str, Callable[..., Expression]]:
        return {
            "add": lambda x, y: x + y,
            "sub": lambda x, y: x - y,
            "mul": lambda x, y: x * y,
            "neg": lambda x: -x,
            "floordiv": lambda x, y: sp.floor(x / y),
            "mod": sp.Mod,
        }

    def literal(self, value: int) -> Expression:
        return sp.Integer(value)

    def choose(self, condition: Expression, a: Expression, b: Expression) -> Expression:
        return sp.Piecewise((a, condition), (b, True))

    def extreme(self, op: str, numbers: Sequence[Expression]) -> Expression:
        return choose_extreme(self, op, numbers)

    def relation(self, op: str, a: Expression, b: Expression) -> Expression:
        return _RELATIONS[op](a, b)

    def constant(self, value: bool) -> Expression:
        return sp.true if value else sp.false

    def conjunction(self, parts: Sequence[Expression]) -> Expression:
        return sp.And(*parts)

    def disjunction(self, parts: Sequence[Expression]) -> Expression:
        return sp.Or(*parts)

    def negate(self, x: Expression) -> Expression:
        return sp.Not(x)

    def iff(self, a: Expression, b: Expression) -> Expression:
        return sp.Equivalent(a, b)

    def decide(self, condition: Expression, a: Expression, b: Expression) -> Expression:
        return sp.ITE(condition, a, b)


def translate(term: t.Term, names: Names) -> Expression:
    """Return an integer term as a sympy expression.

    `names`: the sympy symbols of the variables in the term.
    Raises Unsupported if the term is too long, or contains an operation that `Sympy` does not have.
    """
    try:
        unfolded = substitute(term, {})
    except TooLong as error:
        raise Unsupported(str(error)) from None
    return Translator[Expression, Expression](Sympy(), names, {}).number(unfolded)


def write(e: Expression) -> str:
    """Return the expression as text of the claim language with the same value. Raises Unsupported.

    >>> x, k = make_symbol("x", False), make_symbol("k", True)
    >>> write(k * sp.floor(x / (2 * k)) + sp.Mod(x, k))
    'k * (x // (2 * k)) + x % k'
    """
    if isinstance(e, sp.Integer):
        return str(int(e))
    if isinstance(e, sp.Symbol):
        return str(e.name)
    if isinstance(e, sp.Add):
        first, *rest = sorted(e.as_ordered_terms(), key=lambda a: bool(a.could_extract_minus_sign()))
        parts = [_write_part(first)]
        for a in rest:
            minus = a.could_extract_minus_sign()
            parts.append(f"{'-' if minus else '+'} {_write_part(-a if minus else a)}")
        return " ".join(parts)
    if isinstance(e, sp.Mul):
        if e.args[0] == -1:
            return f"-{_write_factor(sp.Mul(*e.args[1:]))}"
        return " * ".join(_write_factor(a) for a in e.as_ordered_factors())
    if isinstance(e, sp.floor):
        top, bottom = sp.fraction(sp.together(e.args[0]))
        return f"{_write_factor(top)} // {_write_factor(bottom)}"
    if isinstance(e, sp.Mod):
        return f"{_write_factor(e.args[0])} % {_write_factor(e.args[1])}"
    if isinstance(e, sp.Piecewise):
        *cases, (last, always) = e.args
        if always == sp.true:
            return " else ".join([*(f"{_write_factor(x)} if {write(c)}" for x, c in cases), _write_factor(last)])
    if isinstance(e, sp.And | sp.Or):
        word = " and " if isinstance(e, sp.And) else " or "
        return word.join(f"({write(a)})" for a in e.args)
    if type(e) in _SIGNS:
        scale = sp.fraction(sp.together(e.args[0] - e.args[1]))[1]  # sympy divides both sides by numbers
        if isinstance(scale, sp.Integer):
            a, b = (write(sp.expand(scale * x)) for x in e.args)
            return f"{a} {_SIGNS[type(e)]} {b}"
    raise Unsupported(f"{e} has no form in the claim language")


def _write_part(e: Expression) -> str:
    """Return a summand as text, in parentheses if it is a sum or a case distinction."""
    return f"({write(e)})" if isinstance(e, sp.Piecewise | sp.Add) else write(e)


def _write_factor(e: Expression) -> str:
    return write(e) if isinstance(e, sp.Symbol) or (isinstance(e, sp.Integer) and e >= 0) else f"({write(e)})"


# == forms ============================================================================================================
# For a claimed closed form: its simplified form, its period and saltus, and a comparison with the digits of its proof.
#
# sympy makes suggestions. A suggestion is accepted only if it has the same value as the formula at all arguments in a
# box. The evaluator of the caller computes these values. Z3 also tries to prove the equation for all integers.

Evaluate = Callable[[t.Term, dict[str, int]], int]
STEPS = 3_000_000  # limit for one equation, in the steps that Z3 counts
ARGUMENTS, PARAMETERS = 40, 6  # sizes of the box


def read_formula(formula: StatedFormula, e: Expression) -> t.Term:
    """Return a sympy expression as a term whose variables are the integers of the claim.

    Raises Unsupported if the claim language cannot express it.
    """
    return Elaborator(dict.fromkeys(formula.integers, INT)).term(write(e), INT)


def list_cases(least: dict[str, int], far: str = "") -> Iterator[dict[str, int]]:
    """Yield the cases at which two formulas are compared, each as a dictionary from variable names to integers.

    `least`: the least value of each variable. Beginning with it, the variable `far` takes ARGUMENTS successive values,
    and every other variable PARAMETERS values.
    """
    ranges = [range(low, low + (ARGUMENTS if name == far else PARAMETERS)) for name, low in least.items()]
    for values in itertools.product(*ranges):
        yield dict(zip(least, values, strict=True))


def count_agreeing(formula: StatedFormula, a: t.Term, b: t.Term, evaluate: Evaluate) -> int:
    """Compare two terms in all cases of `list_cases`. Return the number of cases; 0 if the terms differ in some case.

    `evaluate`: returns the value of a term in a case.
    """
    count = 0
    for case in list_cases(formula.integers, formula.variable):
        if evaluate(a, case) != evaluate(b, case):
            return 0
        count += 1
    return count


def prove_equal(formula: StatedFormula, a: t.Term, b: t.Term) -> bool:
    """Whether Z3 proves that the two terms are equal for all integers that are not below their least values."""
    reader = UnboundedReader()
    env = {name: reader.symbols.integer(name, low) for name, low in formula.integers.items()}
    try:
        first, second = (reader.number(substitute(x, {}), env) for x in (a, b))
    except Unsupported:
        return False
    quotients = [(divisor, quotient) for _, divisor, quotient, _ in reader.divided]
    for (divisor, q), (_, other) in itertools.permutations(quotients, 2):
        for factor, more in itertools.product((1, 2), (-2, -1, 0, 1, 2)):  # bounds of the differences of quotients
            apart = sub(mul(integer(factor), q), other)
            products = (natural_product(divisor, add(x, integer(more))) for x in (apart, neg(apart)))
            reader.assume(Reason.PRODUCTS, *products)
    return decide(reader.sequent("the same", Entailment((), equal(first, second))), STEPS)


def confirm(what: str, cases: int, proved: bool) -> str:
    """Return a sentence for the report that states how a result of sympy was confirmed.

    `what`: the result, such as "the simplified form".
    `cases`: the number of cases in which the referee confirmed the result.
    `proved`: whether Z3 proved the result for all integers.
    """
    where = "by Z3 for all integers, and " if proved else "not by Z3, but "
    return f"{what}: confirmed {where}by the referee at {cases} arguments"


# -- formulas in digits -----------------------------------------------------------------------------------------------
# The closed form in a proof by digits: a formula for the value of every heap in terms of the digits of the heap.


def write_in_digits(
    proof: GrundyProof, names: dict[str, Expression]
) -> tuple[dict[str, Expression], Expression, Expression]:
    """Return sympy expressions for (1) the digits by name, (2) the heap, and (3) the value of the heap.

    The proof writes every heap as a formula in numbers called digits, such as 3*q + r with the digits q and r.
    `names`: the sympy symbols of the integers in the claim.
    """
    digits = {x.name: make_symbol(x.name, False) for x in proof.digits}
    everything = {**names, **digits}
    return digits, translate(proof.heap, everything), translate(proof.value, everything)


def _ranges(proof: GrundyProof) -> tuple[VariableRange, ...]:
    """Return the digits (numbers with which the proof writes a heap, such as q and r in 3*q + r) with their ranges.

    Return () if some digit has no range.
    """
    found = tuple(x for x in proof.digits if isinstance(x, VariableRange))
    return found if len(found) == len(proof.digits) else ()


def form_of_digits(claim: Claim) -> ClosedForm | None:
    """Return the closed form that a proof by digits states; None if the proof states none.

    Such a proof writes every heap as a formula in digits, for example 3*q + r. If q increases by one, the heap
    increases by the period, and the value of the heap increases by the saltus.
    The result is None for another proof, or if some digit has no range. It is also None if the first digit is bounded,
    or if an increment is not constant.
    """
    proof = claim.proof
    if not isinstance(proof, GrundyProof) or not (ranges := _ranges(proof)) or ranges[0].hi is not None:
        return None
    names = {name: make_symbol(name, True) for name in read_integers(claim)}
    digits, heap, value = write_in_digits(proof, names)
    top = digits[proof.digits[0].name]
    period, saltus = (sp.expand(e.subs(top, top + 1) - e) for e in (heap, value))
    if period.has(top) or saltus.has(top):
        return None
    return ClosedForm(
        variable=print_term(proof.heap),
        written=print_term(proof.value),
        simplified=write(value),
        latex=sp.latex(value),
        mathml=typeset_math(simplify_term(proof.value)),
        period=write(period),
        saltus=write(saltus),
        steps=("for " + ", ".join(map(_write_range, ranges)) + "; the first digit increases by one",),
        checks=(
            "period and saltus: differences of the polynomials in the digits that the proof states for heap and value",
        ),
    )


def find_same_heaps(claim: Claim, other: Claim) -> Iterator[str]:
    """Yield a sentence for each family of heaps for which the proofs of both claims state the same value.

    Each proof must write its heaps as a formula in digits, such as 3*q + r, with the same number of digits. Otherwise
    nothing is yielded.
    """
    ours, theirs = claim.proof, other.proof
    if (
        not isinstance(ours, GrundyProof)
        or not isinstance(theirs, GrundyProof)
        or not (_ranges(ours) and _ranges(theirs))
        or len(ours.digits) != len(theirs.digits)
    ):
        return
    names = {name: make_symbol(name, True) for name in read_integers(claim)}
    digits, heap, value = write_in_digits(ours, names)
    for at in theirs.at:
        written_out = dict(at.digits)
        called: dict[str, Expression] = {}
        chosen = {}
        for mine, yours in zip(ours.digits, theirs.digits, strict=True):
            match written_out.get(yours.name):
                case t.Variable(name=name):
                    called[name] = digits[mine.name]
                case t.Literal(value=v):
                    chosen[digits[mine.name]] = v
        known = {**names, **called}
        try:
            there = {y: translate(x, known) for y, x in at.digits}
            same_heap = sp.expand(translate(at.heap, known) - heap.subs(chosen)) == 0
            same_value = sp.expand(translate(theirs.value, {**known, **there}) - value.subs(chosen)) == 0
        except Unsupported:
            continue
        if there and same_heap and same_value:
            renamed = ", ".join(f"{name} = {digit.name}" for name, digit in called.items())
            here = write(sp.expand(heap.subs(chosen)))
            yield f"{here} is the heap {print_term(at.heap)} of {other.id} with {renamed}: the same value"


def follow_digits(
    formula: StatedFormula, original: Expression, names: dict[str, Expression], evaluate: Evaluate
) -> Iterator[str]:
    """Yield lines of a report that evaluate a formula at the heaps of a proof; nothing if the proof has no digits.

    The first line states how the proof writes every heap in digits, such as 3*q + r. Each further line compares the
    result of the formula with the value that the proof states.
    """
    proof = formula.claim.proof
    if not isinstance(proof, GrundyProof) or not proof.divisions or not (written := _ranges(proof)):
        return
    digits, heap, value = write_in_digits(proof, names)
    everything = {**names, **digits}
    yield f"every heap is {formula.variable} = {print_term(proof.heap)} with " + ", ".join(map(_write_range, written))
    for chosen in _list_choices(proof, digits):
        made, parts = original, []
        for row in proof.divisions:
            a, b, q, r = (translate(y, everything) for y in (row.dividend, row.divisor, row.quotient, row.remainder))
            q, r = q.subs(chosen), sp.expand(r.subs(chosen))
            parts.append(f"{write(a)} // {_bracket(b)} = {write(q)} and {write(a)} % {_bracket(b)} = {write(r)}")
            made = made.subs({sp.floor(a / b): q, sp.Mod(a, b): r})
        made = sp.expand(_take_branches(made, formula, proof, chosen, digits, evaluate))
        same = sp.expand(made - value.subs(chosen)) == 0
        at = sp.expand(heap.subs(chosen))
        yield (
            f"{formula.variable} = {write(at)}: {'; '.join(parts)}; the formula gives {write(made)}"
            + (", as the proof says" if same else f", the proof says {write(value.subs(chosen))}")
        )


def _list_choices(proof: GrundyProof, digits: dict[str, Expression]) -> Iterator[dict[Expression, int]]:
    """Yield all combinations of values of those digits whose ranges have literal ends, such as 0..1.

    Digits are the numbers with which a proof writes a heap, such as q and r in 2*q + r. Other digits are omitted.
    """
    few = [
        (digits[x.name], range(x.lo.value, x.hi.value + 1))
        for x in _ranges(proof)
        if isinstance(x.lo, t.Literal) and isinstance(x.hi, t.Literal)
    ]
    for choice in itertools.product(*(values for _, values in few)):
        yield dict(zip((name for name, _ in few), choice, strict=True))


def _write_range(digit: VariableRange) -> str:
    high = "" if digit.hi is None else f" <= {print_term(digit.hi)}"
    return f"{print_term(digit.lo)} <= {digit.name}{high}"


def _bracket(e: Expression) -> str:
    return write(e) if isinstance(e, sp.Symbol | sp.Integer) else f"({write(e)})"


def _take_branches(
    e: Expression,
    formula: StatedFormula,
    proof: GrundyProof,
    chosen: dict[Expression, int],
    digits: dict[str, Expression],
    evaluate: Evaluate,
) -> Expression:
    """Return the expression, with each case distinction replaced by one of its branches if no other branch applies.

    This is tested at many values of the claim's integers and of the digits. Digits are the numbers with which a proof
    writes a heap, such as q and r in 3*q + r. `chosen` fixes the values of some digits.
    """
    for piece in e.atoms(sp.Piecewise):
        taken = set()
        for case in list_cases({n: low for n, low in formula.integers.items() if n != formula.variable}):
            ranges = [
                range(evaluate(x.lo, case), (ARGUMENTS // 8 if x.hi is None else evaluate(x.hi, case)) + 1)
                for x in _ranges(proof)
            ]
            for values in itertools.product(*ranges):
                here = {digits[x.name]: v for x, v in zip(_ranges(proof), values, strict=True)}
                if all(here[k] == v for k, v in chosen.items()):
                    at = here | {s: case[s.name] for s in piece.free_symbols if s.name in case}
                    taken.add(next(i for i, (_, c) in enumerate(piece.args) if c.subs(at) == sp.true))
        if len(taken) == 1:
            e = e.subs(piece, piece.args[taken.pop()][0])
    return e


# -- forms ------------------------------------------------------------------------------------------------------------
def derive_closed_form(formula: StatedFormula, evaluate: Evaluate) -> ClosedForm:
    """Return the closed form that a claim states, with its simplified form, period, saltus and their confirmation.

    `evaluate`: returns the value of a term in a case.
    Raises Unsupported if sympy cannot represent the formula.
    """
    names = {name: make_symbol(name, low > 0 and name != formula.variable) for name, low in formula.integers.items()}
    x = names[formula.variable]
    original = translate(formula.term, names)
    simple, checked = _simplify(formula, original, x, evaluate)
    period, saltus, why = _find_period(formula, simple, x, evaluate)
    shown = substitute(formula.term, {}) if simple == original else read_formula(formula, simple)
    return ClosedForm(
        variable=formula.variable,
        written=print_term(formula.term),
        simplified=write(simple),
        latex=sp.latex(simple),
        mathml=typeset_math(simplify_term(shown)),
        period=period,
        saltus=saltus,
        steps=tuple(follow_digits(formula, original, names, evaluate)),
        checks=tuple(x for x in (checked, why) if x),
    )


# -- simplifying ------------------------------------------------------------------------------------------------------
def _simplify(
    formula: StatedFormula, original: Expression, x: Expression, evaluate: Evaluate
) -> tuple[Expression, str]:
    """Return the simplest formula found, and a sentence that states how it was compared with the given formula.

    Return the given formula and "" if no simpler formula is confirmed.
    """
    candidates = sorted({original, *_guess(original, x)}, key=lambda e: (e.count_ops(), len(str(e)), str(e)))
    for e in candidates:
        if e == original:
            break
        try:
            term = read_formula(formula, e)
        except Unsupported:
            continue
        cases = count_agreeing(formula, formula.term, term, evaluate)
        if cases:
            return e, confirm("the simplified form", cases, prove_equal(formula, formula.term, term))
    return original, ""


def _guess(e: Expression, x: Expression) -> Iterator[Expression]:
    """Yield candidates for a simpler formula.

    The candidates are the results of sympy, unless sympy takes too long, and the formula with a remainder instead of a
    case distinction.
    """
    if not _divides_again(e):
        yield from (sp.simplify(e), sp.simplify(_write_floors(e)))
    moduli = _list_moduli(e)
    smaller = {m / 2 for m in moduli if (m / 2).is_integer}
    for piece in e.atoms(sp.Piecewise):
        for m in moduli | smaller:
            yield e.subs(piece, sp.Mod(x, m))


def _divides_again(e: Expression) -> bool:
    """Whether the condition of a case distinction contains nested divisions.

    sympy may need half a minute to simplify such an expression.
    """
    told = (d for piece in e.atoms(sp.Piecewise) for _, c in piece.args for d in c.atoms(sp.Mod, sp.floor))
    return any(x.atoms(sp.Mod, sp.floor) for d in told for x in d.args)


def _list_moduli(e: Expression) -> set[Expression]:
    """Return the divisors in the expression."""
    found = {m.args[1] for m in e.atoms(sp.Mod)}
    return found | {sp.fraction(sp.together(f.args[0]))[1] for f in e.atoms(sp.floor)} - {sp.Integer(1)}


def _write_floors(e: Expression) -> Expression:
    """Return the expression with floors instead of remainders. Integers inside a floor are moved outside."""
    e = e.replace(sp.Mod, lambda a, b: a - b * sp.floor(a / b))
    return e.replace(sp.floor, _take_out)


def _take_out(a: Expression) -> Expression:
    top, bottom = sp.fraction(sp.together(a))
    if not bottom.free_symbols:
        return sp.floor(sp.expand(a))
    try:
        whole, rest = sp.div(sp.expand(top), bottom, *sorted(bottom.free_symbols, key=str))
    except sp.PolynomialError:  # another floor inside
        return sp.floor(a)
    return whole + sp.floor(rest / bottom) if whole.is_integer else sp.floor(a)


# -- period and saltus ------------------------------------------------------------------------------------------------
def _shift(e: Expression, x: Expression, p: Expression) -> Expression:
    """Return the formula e for x + p instead of x. A summand p inside a remainder modulo p is removed."""
    shifted = e.subs(x, x + p)
    return shifted.replace(sp.Mod, lambda a, m: sp.Mod(sp.expand(a - p), m) if sp.expand(m - p) == 0 else sp.Mod(a, m))


def _find_period(formula: StatedFormula, e: Expression, x: Expression, evaluate: Evaluate) -> tuple[str, str, str]:
    """Search for a period p and a saltus c: value(x + p) == value(x) + c in all cases of `list_cases`.

    Return (p, c, sentence) as texts. The sentence states how the equation was confirmed. Return three empty texts if no
    p is found. The candidates for p are the divisors in the formula, the simplest first.
    """
    for p in sorted(_list_moduli(e), key=lambda m: (m.count_ops(), str(m))):
        if _shift(e, x, p) == e:
            change = sp.Integer(0)
        elif _divides_again(e):
            continue
        else:
            change = sp.simplify(sp.expand(_write_floors(e.subs(x, x + p)) - _write_floors(e)))
        if change.has(x) or change.has(sp.Piecewise):
            continue
        later = read_formula(formula, e.subs(x, x + p))
        sooner = read_formula(formula, e + change)
        cases = count_agreeing(formula, later, sooner, evaluate)
        if cases:
            how = confirm("period and saltus", cases, prove_equal(formula, later, sooner))
            return write(p), write(change), how
    return "", "", ""
