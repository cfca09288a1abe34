"""What a proof by digits says of a closed form: its value at every heap, written in the digits of the heap."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import sympy as sp

from claims.language.expressions.printing import text
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from encoders.answer import ClosedForm
from encoders.closed.formula import ARGUMENTS, Evaluate, list_cases
from encoders.closed.stated import StatedFormula, read_integers
from encoders.closed.symbolic import Expression, make_symbol, translate, write
from encoders.ground.refusals import Unsupported
from encoders.rules.grundy.section import Digit, GrundyProof


def write_in_digits(
    proof: GrundyProof, names: dict[str, Expression]
) -> tuple[dict[str, Expression], Expression, Expression]:
    """(the digits of a heap by name, the heap, its value), the claim's integers being called `names`."""
    digits = {x.name: make_symbol(x.name, False) for x in proof.digits}
    everything = {**names, **digits}
    return digits, translate(proof.heap, everything), translate(proof.value, everything)


def _ranges(proof: GrundyProof) -> tuple[Digit, ...]:
    """The digits of a heap, if all are from ranges; else none: powers are in no polynomial that has a period."""
    found = tuple(x for x in proof.digits if isinstance(x, Digit))
    return found if len(found) == len(proof.digits) else ()


def form_of_digits(claim: Claim) -> ClosedForm | None:
    """What a proof by digits says of all heaps: the value, and the period and saltus of the leading digit."""
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
        variable=write(heap),
        written=text(proof.value),
        simplified=write(value),
        latex=sp.latex(value),
        mathml=sp.mathml(value, printer="presentation"),
        period=write(period),
        saltus=write(saltus),
        steps=("for " + ", ".join(map(_write_range, ranges)) + "; the leading digit goes up by one",),
        checks=("period and saltus: read off two polynomials in the digits; the proof shows the values",),
    )


def find_same_heaps(claim: Claim, other: Claim) -> Iterator[str]:
    """Which heaps of another claim, proved by the same digits, are those of this claim's proof: sentences."""
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
            yield f"{here} is the heap {text(at.heap)} of {other.id} with {renamed}: the same value"


def follow_digits(
    formula: StatedFormula, original: Expression, names: dict[str, Expression], evaluate: Evaluate
) -> Iterator[str]:
    """The formula at the heaps of the claim's proof, written in their digits, and the values the proof gives them."""
    proof = formula.claim.proof
    if not isinstance(proof, GrundyProof) or not proof.divisions or not (written := _ranges(proof)):
        return
    digits, heap, value = write_in_digits(proof, names)
    everything = {**names, **digits}
    yield f"every heap is {formula.variable} = {text(proof.heap)} with " + ", ".join(map(_write_range, written))
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
    """All values of the digits that have only a few, such as 0 and 1."""
    few = [
        (digits[x.name], range(x.lo.value, x.hi.value + 1))
        for x in _ranges(proof)
        if isinstance(x.lo, t.Literal) and isinstance(x.hi, t.Literal)
    ]
    for choice in itertools.product(*(values for _, values in few)):
        yield dict(zip((name for name, _ in few), choice, strict=True))


def _write_range(digit: Digit) -> str:
    high = "" if digit.hi is None else f" <= {text(digit.hi)}"
    return f"{text(digit.lo)} <= {digit.name}{high}"


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
    """The branch of each case distinction that is taken at all digits of the box; both where both are."""
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
