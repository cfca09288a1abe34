"""Functions that make terms shorter for display. A shorter term has the same value as the original term."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from operator import eq, ge, gt, le, lt, ne

from claims.language.syntax import terms as t
from claims.language.syntax.printing import rebuild, structural_key
from claims.language.syntax.terms import BOOL, INT
from claims.language.typesetting.english import OPPOSITES
from claims.language.typesetting.formulas import is_chain, match_implication

# == sums =============================================================================================================
# Sums in short form: equal summands are counted, numbers added, and opposite summands cancelled.
_SIGNS = {"add": 1, "sub": -1}
Summand = tuple[int, t.Term | None]
"""A summand of a sum: an integer factor and the term that it multiplies. For a number, the term is None."""


def collect(term: t.Term) -> t.Term:
    """Return a sum with equal summands collected, such as `2 * x` for `x + x`; the term itself if this is not shorter.

    In every case in which `term` has a value, the result has the same value. A term that calls a definition is returned
    unchanged.
    """
    if term.type != INT or not _may_shorten(term):
        return term
    counts: dict[Hashable, int] = {}
    terms: dict[Hashable, t.Term | None] = {}
    summands = list(_list_summands(term, 1))
    try:
        for factor, of in summands:
            key = None if of is None else structural_key(of)
            counts[key] = counts.get(key, 0) + factor
            terms.setdefault(key, of)
    except ValueError:  # a call of a definition
        return term
    found = [(counts[key], of) for key, of in terms.items() if counts[key]]
    made = _add_up(sorted(found, key=lambda x: (x[1] is None, x[0] < 0)))
    return made if (_count(made), len(found)) < (_count(term), len(summands)) else term


def _may_shorten(term: t.Term) -> bool:
    """Return False if a term obviously is not a sum or a product that `collect` can shorten. This test is fast."""
    match term:
        case t.Operation(op="neg", args=(x,)):
            return isinstance(x, t.Operation)
        case t.Operation(op="mul", args=(x, y)):
            return isinstance(x, t.Literal) or isinstance(y, t.Literal)
        case t.Operation(op="add" | "sub", args=(x, y)):
            plain = [
                isinstance(side, t.Variable) or (isinstance(side, t.Literal) and side.value != 0) for side in (x, y)
            ]
            return not all(plain) or type(x) is type(y)
    return False


def _list_summands(term: t.Term, factor: int) -> Iterator[Summand]:
    match term:
        case t.Literal(value=int(value)):
            yield factor * value, None
        case t.Operation(op="add" | "sub" as op, args=(x, y)):
            yield from _list_summands(x, factor)
            yield from _list_summands(y, factor * _SIGNS[op])
        case t.Operation(op="neg", args=(x,)):
            yield from _list_summands(x, -factor)
        case t.Operation(op="mul", args=(t.Literal(value=int(value)), x) | (x, t.Literal(value=int(value)))):
            yield from _list_summands(x, factor * value)
        case _:
            yield factor, term


def _add_up(summands: list[Summand]) -> t.Term:
    """Return the term for the sum of the summands, in this order; the term 0 if there are none."""
    made: t.Term | None = None
    for factor, of in summands:
        part = _multiply(abs(factor), of)
        if made is None:
            made = part if factor > 0 else _apply("neg", part)
        else:
            made = _apply("add" if factor > 0 else "sub", made, part)
    return _number(0) if made is None else made


def _multiply(factor: int, of: t.Term | None) -> t.Term:
    if of is None:
        return _number(factor)
    return of if factor == 1 else _apply("mul", _number(factor), of)


def _number(value: int) -> t.Term:
    return t.Literal(INT, 0, 0, value)


def _apply(op: str, *args: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, op, args)


def _count(term: t.Term) -> int:
    return 1 + sum(map(_count, t.subterms(term)))


# == neat =============================================================================================================
# Terms in short form: the typeset term equals the term of the file or obligation, and is shorter.
#
# Examples: `x <= t - 1` becomes `x < t`, `x * x` a square, `n - 1 - (n - k)` becomes `k - 1`. A choice with a constant
# condition becomes its value, and a choice inside a choice becomes one more case. Parts that are always true, repeated
# parts and double negations are removed.
MOST_TOGETHER = 3  # conditions in one case

_BEFORE = {("le", "sub"): "lt", ("gt", "sub"): "ge", ("ge", "add"): "gt", ("lt", "add"): "le"}
"""Maps a comparison with y - 1 or y + 1 to the equivalent comparison with y: `x <= y - 1` means `x < y`."""
_COMPARE = {"eq": eq, "ne": ne, "lt": lt, "le": le, "gt": gt, "ge": ge}


def simplify_term(term: t.Term) -> t.Term:
    """Return a shorter term for display. In every case in which `term` has a value, the result has the same value."""
    if isinstance(term, t.IfElse) and term.type != BOOL:
        term = _flatten_cases(term)
    implied = match_implication(term) if isinstance(term, t.AnyOf) else None
    return _imply(term, *map(simplify_term, implied)) if implied else _shorten(rebuild(term, simplify_term))


def _shorten(term: t.Term) -> t.Term:
    """Return the short form of a term whose parts are simplified already, such as `x < t` for `x <= t - 1`."""
    match term:
        case t.Operation(op=op, args=(x, t.Operation(op=by, args=(y, one)))) if (op, by) in _BEFORE and _is(one, 1):
            return replace(term, op=_BEFORE[op, by], args=(x, y))
        case t.Operation(op="mul", args=(x, y)) if x.type == INT and (power := _power(x, y)):
            return _raise(term, *power)
        case t.Operation(op="mul", args=(t.Operation(op="mul", args=(a, x)), y)) if power := _power(x, y):
            return replace(term, args=(a, _raise(term, *power)))
        case t.Operation(op="add" | "sub" | "neg" | "mul"):
            return collect(term)
        case t.Operation(op=op, args=(t.Literal(value=int(x)), t.Literal(value=int(y)))) if op in _COMPARE:
            return _truth(term, _COMPARE[op](x, y))
        case t.Operation(op="not", args=(x,)):
            return _deny(x)
        case t.IfElse(condition=t.Literal(value=known), then=x, other=y):
            return x if known else y
        case t.IfElse() if term.type == BOOL:
            return _choose(term)
        case t.Operation(op=op, args=(x, y)) if op in _COMPARE and x.type != BOOL and _is_simple(x) and _is_same(x, y):
            return _truth(term, op in ("eq", "le", "ge"))
        case t.Operation(op="eq", args=(x, t.Literal(value=known)) | (t.Literal(value=known), x)) if x.type == BOOL:
            return x if known else _deny(x)
        case t.AllOf(args=args):
            return _join(term, args, neutral=True)
        case t.AnyOf(args=args):
            return _join(term, args, neutral=False)
    return term


def _deny(x: t.Term) -> t.Term:
    """Return the negation of a condition in short form: `x >= y` for `x < y`, and A for `not A`."""
    match x:
        case t.Literal(value=known):
            return _truth(x, not known)
        case t.Operation(op="not", args=(y,)):
            return y
        case t.Operation(op=op, args=(y, _)) if op in OPPOSITES and y.type == INT:
            return replace(x, op=OPPOSITES[op])
    return t.Operation(BOOL, x.start, x.end, "not", (x,))


def _imply(term: t.Term, condition: t.Term, then: t.Term) -> t.Term:
    """Return "`condition` implies `then`" in short form, for example only `then` if the condition is `True`.

    If an implication remains, `match_implication` recognizes it. `term`: the term to replace, for its offsets.
    """
    if _is(condition, False) or _is(then, True):
        return _truth(term, True)
    if _is(condition, True):
        return then
    if _is(then, False):
        return _deny(condition)
    denied = t.Operation(BOOL, condition.start, condition.end, "not", (condition,))
    return t.AnyOf(BOOL, term.start, term.end, (denied, then))


def _choose(term: t.IfElse) -> t.Term:
    """Return `A if C else B`, for conditions A and B, as `implies(C, A)` if B is True, or as `C and A or not C and B`.

    Long lines can break in these forms. If none of A, B and C is a conjunction, a disjunction, a comprehension or a
    truth value, return `term` unchanged.
    """
    condition, then, other = term.condition, term.then, term.other
    if _is(other, True):
        return _imply(term, condition, then)
    if any(isinstance(x, t.AllOf | t.AnyOf | t.Comprehension | t.Literal) for x in (condition, then, other)):
        cases = (_join_all(term, condition, then), _join_all(term, _deny(condition), other))
        return _join(t.AnyOf(BOOL, term.start, term.end, cases), cases, neutral=False)
    return term


def _flatten_cases(term: t.IfElse) -> t.Term:
    """Return a conditional expression with the same value, without a conditional expression in its first case.

    The cases of the inner expression become cases of the outer one: `(x if B else y) if A else z` becomes
    `x if A and B else y if A and not B else z`. This is done only if B is a comparison of integers, and if no case gets
    more than MOST_TOGETHER conditions.
    """
    rest = term.other
    for conditions, value in reversed(list(_list_cases(term.then, (term.condition,)))):
        rest = replace(term, condition=_join_all(term, *conditions), then=value, other=rest)
    return rest


def _list_cases(term: t.Term, conditions: tuple[t.Term, ...]) -> Iterator[tuple[tuple[t.Term, ...], t.Term]]:
    """Yield the conditions and the value of each case of a term, which may be a conditional expression.

    The cases exclude each other. A conditional expression is split only if its condition is a comparison of integers.

    `conditions`: conditions that hold in all cases; they are part of each result.
    """
    match term:
        case t.IfElse(condition=t.Operation(op=op) as inner, then=x, other=y) if (
            op in OPPOSITES and inner.args[0].type == INT and len(conditions) < MOST_TOGETHER
        ):
            yield from _list_cases(x, (*conditions, inner))
            yield from _list_cases(y, (*conditions, _deny(inner)))
        case _:
            yield conditions, term


def _join_all(place: t.Term, *conditions: t.Term) -> t.Term:
    """Return the conjunction of the conditions, with the offsets of `place`.

    Conjunctions among the conditions are flattened, except chains of comparisons.
    """
    args = [y for x in conditions for y in (x.args if isinstance(x, t.AllOf) and not is_chain(x.args) else (x,))]
    return _join(t.AllOf(BOOL, place.start, place.end, tuple(args)), tuple(args), neutral=True)


def _truth(place: t.Term, value: bool) -> t.Term:
    return t.Literal(BOOL, place.start, place.end, value=value)


def _join(term: t.AllOf | t.AnyOf, args: tuple[t.Term, ...], neutral: bool) -> t.Term:
    """Return a conjunction or disjunction of `args` without repetitions and without the truth value `neutral`.

    If a part is the opposite truth value, return this value.

    `neutral`: True for a conjunction, False for a disjunction. `term`: the term to return if nothing changes.
    """
    if any(_is(x, not neutral) for x in args):
        return _truth(term, not neutral)
    kept: list[t.Term] = []
    for x in args:
        if not (_is(x, neutral) or any(_is_same(x, y) for y in kept)):
            kept.append(x)
    if len(kept) == len(args):
        return term
    if not kept:
        return _truth(term, neutral)
    return kept[0] if len(kept) == 1 else replace(term, args=tuple(kept))


def _power(x: t.Term, y: t.Term) -> tuple[t.Term, int] | None:
    """Return the base and the exponent if `x * y` is a power, as in `y * y` or `y ** 2 * y`; otherwise None."""
    if isinstance(y, t.Literal):
        return None
    if _is_same(x, y):
        return y, 2
    match x:
        case t.Operation(op="pow", args=(base, t.Literal(value=int(exponent)))) if exponent > 0 and _is_same(base, y):
            return y, exponent + 1
    return None


def _raise(term: t.Operation, base: t.Term, exponent: int) -> t.Term:
    return replace(term, op="pow", args=(base, t.Literal(INT, term.start, term.end, exponent)))


def _is(term: t.Term, value: int | bool) -> bool:
    return isinstance(term, t.Literal) and (term.type == BOOL) is isinstance(value, bool) and term.value == value


def _is_simple(term: t.Term) -> bool:
    """Return whether a term is a variable or a literal, so that it has a value in every case."""
    return isinstance(term, t.Variable | t.Literal)


def _is_same(x: t.Term, y: t.Term) -> bool:
    try:
        return structural_key(x) == structural_key(y)
    except ValueError:  # calls of definitions
        return x == y
