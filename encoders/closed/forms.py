"""What a claimed closed form simplifies to, its period and saltus, and how it agrees with the digits of its proof.

sympy suggests; what it suggests is taken only if it has the same value on a box of arguments, which the caller's
evaluator computes, and Z3 is asked to prove it for all integers.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from claims.language.expressions.printing import text
from encoders.answer import ClosedForm
from encoders.closed.digits import follow_digits
from encoders.closed.formula import Evaluate, confirm, count_agreeing, prove_equal, read_formula
from encoders.closed.stated import StatedFormula
from encoders.closed.symbolic import Expression, make_symbol, translate, write
from encoders.ground.refusals import Unsupported


def closed_form(formula: StatedFormula, evaluate: Evaluate) -> ClosedForm:
    """Everything that can be said of the formula. Raises Unsupported for what is no closed form of integers."""
    names = {name: make_symbol(name, low > 0 and name != formula.variable) for name, low in formula.integers.items()}
    x = names[formula.variable]
    original = translate(formula.term, names)
    simple, checked = _simplify(formula, original, x, evaluate)
    period, saltus, why = _find_period(formula, simple, x, evaluate)
    return ClosedForm(
        variable=formula.variable,
        written=text(formula.term),
        simplified=write(simple),
        latex=sp.latex(simple),
        mathml=sp.mathml(simple, printer="presentation"),
        period=period,
        saltus=saltus,
        steps=tuple(follow_digits(formula, original, names, evaluate)),
        checks=tuple(x for x in (checked, why) if x),
    )


# -- simplifying ------------------------------------------------------------------------------------------------------
def _simplify(
    formula: StatedFormula, original: Expression, x: Expression, evaluate: Evaluate
) -> tuple[Expression, str]:
    """The shortest of sympy's suggestions and of some guesses that is equal to the formula, and how that is known."""
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
    """What the formula might simplify to: sympy's opinion, and remainders in place of case distinctions."""
    with_floor = _write_floors(e)
    yield from (sp.simplify(e), sp.simplify(with_floor))
    moduli = _list_moduli(e)
    smaller = {m / 2 for m in moduli if (m / 2).is_integer}
    for piece in e.atoms(sp.Piecewise):
        for m in moduli | smaller:
            yield e.subs(piece, sp.Mod(x, m))


def _list_moduli(e: Expression) -> set[Expression]:
    """What is divided by."""
    found = {m.args[1] for m in e.atoms(sp.Mod)}
    return found | {sp.fraction(sp.together(f.args[0]))[1] for f in e.atoms(sp.floor)} - {sp.Integer(1)}


def _write_floors(e: Expression) -> Expression:
    """With remainders as what divisions leave, and integers taken out of the floor."""
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
def _find_period(formula: StatedFormula, e: Expression, x: Expression, evaluate: Evaluate) -> tuple[str, str, str]:
    """(p, c, how it is known) with value(x + p) == value(x) + c for all x; p the least among what is divided by."""
    for p in sorted(_list_moduli(e), key=lambda m: (m.count_ops(), str(m))):
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
