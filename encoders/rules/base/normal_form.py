"""The normal form of a game, which does not depend on the way its file is written. Proof rules work on this form."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import permutations

from claims.language.files.claim import Game, expand_definitions
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Parameter, Pick
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.printing import find_free_names, rebuild, structural_key, substitute, walk
from claims.language.syntax.terms import INT, POSITION
from encoders.logic.moves import MOST_HEAPS, format_pick_name
from encoders.logic.sequents import (
    ONE,
    ZERO,
    Polynomial,
    add,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
    holds,
    integer,
    is_plain,
    membership,
    mul,
    negation,
    opposite,
    polynomial,
    sub,
)

# == spelling =========================================================================================================
# Terms of rulesets, in whatever form they are written: which terms are total, and which have the same meaning.
#
# A term is *total* if no operation in it may fail.  Only a total term may be evaluated earlier or later than in the
# file, or not at all, without making something undefined defined.
COMPARED = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def is_total(term: t.Term) -> bool:
    """Whether the term is certainly defined for all values of its variables."""
    match term:
        case t.GameCall() | t.Apply():
            return False
        case t.Operation(op="floordiv" | "mod", args=(a, t.Literal(value=d))):
            return d != 0 and is_total(a)
        case t.Operation(op=name) | t.Comprehension(reducer=name) if name in BUILTINS and BUILTINS[name].needs:
            return False
    return all(map(is_total, t.subterms(term)))


def difference(a: t.Term, b: t.Term) -> int | None:
    """Return a - b if this difference is constant; else None."""
    return polynomial(sub(a, b)).constant


# -- known arguments --------------------------------------------------------------------------------------------------
def write_out(term: t.Term, known: Mapping[str, t.Term]) -> t.Term:
    """Return the term with known values substituted, and with explicit sets and lists in conditions expanded.

    `m in {1, 2}` becomes m == 1 or m == 2. A condition that is known to be true or false is simplified if the
    conditions next to it are total (defined for all values of their variables).
    """
    return _spell_out(substitute(term, known))


def _spell_out(term: t.Term) -> t.Term:
    term = rebuild(term, _spell_out)
    match term:
        case t.Operation(op="in", args=(item, source)) if is_total(term):
            said = membership(item, source)
            return term if said is None else said
        case t.Operation(op="len", args=(t.Collection(items=items),)) if evaluate_members(term.args[0]) is not None:
            return integer(len(set(evaluate_members(term.args[0]) or ())) if _is_set(term.args[0]) else len(items))
        case t.Operation(op="index", args=(t.Collection(items=items), t.Literal(value=i))) if 0 <= i < len(items):
            return items[i] if all(map(is_total, items)) else term
        case t.Comprehension(reducer="any" | "all" as reducer, clauses=(clause,)) if is_total(term):
            if isinstance(clause.source, t.Collection):
                return _expand_items(term.body, clause, clause.source.items, reducer == "all")
        case t.Operation(op=op, args=(a, b)) if op in COMPARED and a.type == INT and is_total(term):
            apart = difference(a, b)
            return term if apart is None else holds(COMPARED[op](apart, 0))
        case t.Operation(op="not", args=(x,)):
            return _push_negation(x)
        case t.AllOf(args=args) if all(map(is_total, args)):
            return conjunction(*args) if any(isinstance(x, t.Literal) for x in args) else term
        case t.AnyOf(args=args) if all(map(is_total, args)):
            return disjunction(*args) if any(isinstance(x, t.Literal) for x in args) else term
        case t.IfElse(condition=t.Literal(value=value), then=x, other=y):
            return x if value else y
    return term


def _push_negation(term: t.Term) -> t.Term:
    """Return the negation of a condition. For a conjunction or disjunction, each part is negated."""
    if isinstance(term, t.AllOf | t.AnyOf):
        return (disjunction if isinstance(term, t.AllOf) else conjunction)(*map(_push_negation, term.args))
    return opposite(term)


def _expand_items(body: t.Term, clause: t.Clause, items: tuple[t.Term, ...], every: bool) -> t.Term:
    """Return an `any` (or an `all` if `every`) over explicit items as a condition without quantifiers.

    For example, `any(x > a for x in [1, b])` becomes `1 > a or b > a`.
    """
    made = []
    for x in items:
        *conditions, last = (_spell_out(substitute(c, {clause.variable: x})) for c in (*clause.conditions, body))
        made.append(disjunction(*map(negation, conditions), last) if every else conjunction(*conditions, last))
    return conjunction(*made) if every else disjunction(*made)


def _is_set(term: t.Term) -> bool:
    return term.type.kind == "set"


def evaluate_members(term: t.Term) -> tuple[int, ...] | None:
    """Return the members of an explicit set or list of constant numbers; None for another term."""
    if not isinstance(term, t.Collection):
        return None
    numbers = [evaluate_literal(x) for x in term.items]
    return None if None in numbers else tuple(x for x in numbers if x is not None)


def evaluate_literal(term: t.Term) -> int | None:
    """Return the value of a constant integer term, such as 2 + 3; None for another term."""
    return polynomial(term).constant if term.type == INT and is_total(term) else None


# -- equal meaning ----------------------------------------------------------------------------------------------------
def canonical_key(move: Move) -> Hashable:
    """Return a key that is equal for kinds of moves that differ only in form.

    The key ignores names and the form of comparisons. If all terms of the move are total (see `is_total`), the key also
    ignores the order of conditions.
    """
    keys = (_make_ordered_key(move, order) for order in permutations(range(len(move.heaps))))
    return min(keys, key=repr)


def _make_ordered_key(move: Move, order: tuple[int, ...]) -> Hashable:
    """Return the key of a move for one order of its heaps; `canonical_key` takes the smallest key of all orders.

    `order`: the indices of the heaps, in this order.
    """
    heaps = [move.heaps[i] for i in order]
    names = {name: f"heap {i}" for i, name in enumerate(heaps)}
    names |= {p.name: f"pick {i}" for i, p in enumerate(move.picks)}
    values = {old: t.Variable(INT, 0, 0, new) for old, new in names.items()}
    picks: list[Hashable] = []
    for p in move.picks:
        if isinstance(p.domain, IntervalDomain):
            lo, hi = (None if x is None else number_key(substitute(x, values)) for x in (p.domain.lo, p.domain.hi))
            picks += [(lo, hi)] if lo != hi else []  # a range of one number is not a choice
        else:
            picks.append(structural_key(substitute(p.domain, values)))
    whole = is_total_move(move)
    said = (x for x in conditions_of(move) if not _is_of_heap(x, move.heaps))
    where = [condition_key(substitute(x, values), whole) for x in said]
    become = tuple(sorted((number_key(substitute(x, values)) for x in move.become), key=repr))
    counts = tuple(None if x is None else structural_key(x) for x in (move.at_least, move.at_most))
    return move.choose, len(heaps), tuple(picks), frozenset(where) if whole else tuple(where), become, counts


def _is_of_heap(condition: t.Term, heaps: tuple[str, ...]) -> bool:
    """Whether a condition is true because a heap is at least 1, as h + 2 > 0 is for a heap h."""
    if not isinstance(condition, t.Operation) or condition.op not in ("le", "ge", "lt", "gt"):
        return False
    less, more = condition.args if condition.op in ("le", "lt") else condition.args[::-1]
    apart = polynomial(sub(more, less)).coefficients
    least = 1 if condition.op in ("lt", "gt") else 0  # h + c >= least, for h >= 1
    return any(set(apart) <= {(h,), ()} and apart.get((h,)) == 1 and apart.get((), 0) + 1 >= least for h in heaps)


def conditions_of(move: Move) -> tuple[t.Term, ...]:
    """Return the conditions whose conjunction is the `where` of the move; none if the move does not have one."""
    return () if move.where is None else tuple(t.conjuncts(move.where))


def is_total_move(move: Move) -> bool:
    """Whether all terms of the move are certainly defined for all values of their variables."""
    terms: list[t.Term] = [*move.become, *conditions_of(move)]
    for p in move.picks:
        bounds = (p.domain.lo, p.domain.hi) if isinstance(p.domain, IntervalDomain) else (p.domain,)
        terms += (x for x in bounds if x is not None)
    return all(map(is_total, terms))


def number_key(term: t.Term) -> Hashable:
    """Return a key of an integer term. Terms that are equal as polynomials, such as h + 1 and 1 + h, have one key."""
    return structural_key(sort_operands(term))


def sort_operands(term: t.Term) -> t.Term:
    """Return an equal term in which the operands of sums, products, maxima and minima are in a fixed order."""
    match term:
        case t.Operation(op="largest" | "smallest" as op, args=args):
            parts = {repr(structural_key(x)): x for part in map(sort_operands, args) for x in _parts_of(op, part)}
            kept = tuple(parts[key] for key in sorted(parts))
            return kept[0] if len(kept) == 1 else t.Operation(INT, 0, 0, op, kept)
        case t.Operation(op="add" | "sub" | "mul" | "neg", type=kind) if kind == INT:
            found = polynomial(_insides(term))
            return Polynomial(dict(sorted(found.coefficients.items())), found.atoms).term()
    return rebuild(term, lambda x: sort_operands(x) if x.type == INT else x)


def _insides(term: t.Term) -> t.Term:
    """Return the term with `sort_operands` applied to the innermost operands of its sums, differences and products."""
    if isinstance(term, t.Operation) and term.op in ("add", "sub", "mul", "neg") and term.type == INT:
        return rebuild(term, _insides)
    return sort_operands(term)


def _parts_of(op: str, term: t.Term) -> tuple[t.Term, ...]:
    return term.args if isinstance(term, t.Operation) and term.op == op else (term,)


def condition_key(term: t.Term, whole: bool) -> Hashable:
    """Return a key that is equal for conditions that differ only in form.

    `whole`: whether the key ignores the order of the parts of conjunctions and disjunctions. This is allowed only if no
    part can be undefined.
    """
    match term:
        case t.AllOf(args=args) | t.AnyOf(args=args):
            return _flatten_keys(type(term).__name__, (condition_key(x, whole) for x in args), whole)
        case t.Operation(op=op, args=(a, b)) if op in COMPARED and a.type == INT:
            return _comparison_key(op, a, b)
        case t.IfElse(condition=c, then=x, other=y):
            return "if", *(condition_key(part, whole) for part in (c, x, y))
    return structural_key(term)


def _flatten_keys(name: str, keys: Iterable[Hashable], whole: bool) -> Hashable:
    flat: list[Hashable] = []
    for key in keys:
        flat += key[1] if isinstance(key, tuple) and key[0] == name else (key,)
    return name, frozenset(flat) if whole else tuple(flat)


def _comparison_key(op: str, a: t.Term, b: t.Term) -> Hashable:
    """Return a canonical key of a comparison.

    For an inequality this is the polynomial P in P <= 0. For an equation it is the difference of the sides, up to sign.
    """
    there, back = number_key(sub(a, b)), number_key(sub(b, a))
    if op in ("eq", "ne"):
        return op, min((there, back), key=repr)
    less = sub(a, b) if op in ("lt", "le") else sub(b, a)
    return "le", number_key(less if op in ("le", "ge") else t.Operation(INT, 0, 0, "add", (less, integer(1))))


def conjoin_nontrivial(*conditions: t.Term) -> t.Term | None:
    """Return the conjunction of the conditions; None if it is the literal true."""
    made = conjunction(*conditions)
    return None if is_plain(made, True) else made


# == kinds ============================================================================================================
# The normal form of a kind of moves: numbers are picked from ranges, all bounds are in the ranges, the rest in `where`.
#
# `pick = { m = "1..h" }` with `where = "2 * m <= g"`, `"1..min(h, g // 2)"` and `{x for x in range(1, h + 1) if 2 * x
# <= g}` have the same normal form.  A bound by division stays in the range only if there is no other bound; otherwise
# it is a condition, because m <= g // 2 is equivalent to 2 * m <= g.  If a bound or a new size is a conditional, there
# is a kind of moves for each case.
MOST_KINDS = 16  # the most kinds into which one kind of moves is split
_MOVER = "mover"


def normal_kinds(move: Move) -> tuple[Move, ...]:
    """Return kinds of moves in normal form that together are equivalent to this one; the move itself if it is normal.

    In normal form, each number is picked from a range, `where` does not contain further bounds of the number, and no
    bound or new size is a conditional. Kinds that are never legal are omitted.
    In three cases, the only change is that sets of numbers become ranges where possible: if some term may be undefined,
    if some set does not have an equivalent range with conditions, or if there are too many kinds.
    """
    made = _pick_from_ranges(move)
    if not is_total_move(made) or not all(isinstance(p.domain, IntervalDomain) for p in made.picks):
        return (move if canonical_key(made) == canonical_key(move) else made,)
    kinds = [made]
    for _ in range(MOST_KINDS):
        bounded = [_gather_bounds(kind) for kind in kinds]
        split = [part for kind in bounded for part in _cases(kind)]
        if len(split) == len(kinds) and all(
            canonical_key(x) == canonical_key(y) for x, y in zip(split, kinds, strict=True)
        ):
            kept = tuple(kind for kind in bounded if kind.where is None or not is_plain(kind.where, False))
            return (move,) if len(kept) == 1 and canonical_key(kept[0]) == canonical_key(move) else kept
        if len(split) > MOST_KINDS:
            break
        kinds = split
    return (made,)


# -- ranges -----------------------------------------------------------------------------------------------------------
def _pick_from_ranges(move: Move) -> Move:
    """Return the move with picks from ranges instead of sets if possible. Heaps without a new size get the size 0."""
    picks: list[Pick] = []
    conditions: list[t.Term] = []
    for number, p in enumerate(move.picks):
        later = [x for other in move.picks[number + 1 :] for x in _terms_of(other)]
        range_ = None if isinstance(p.domain, IntervalDomain) else _convert_to_range(p.name, p.domain)
        if range_ is not None and all(map(is_total, later)):
            p, conditions = Pick(p.name, range_[0]), [*conditions, *range_[1]]
        picks.append(p)
    missing = len(move.heaps) - len(move.become)
    become = (*move.become, *(ZERO for _ in range(missing)))
    if not conditions and missing <= 0 and tuple(picks) == move.picks:
        return move
    return replace(move, picks=tuple(picks), where=conjoin_nontrivial(*conditions, *conditions_of(move)), result=become)


def _terms_of(pick: Pick) -> tuple[t.Term, ...]:
    """Return (low end, high end) of the range of a pick; (low end,) without a high end; (set,) for a set of numbers."""
    if not isinstance(pick.domain, IntervalDomain):
        return (pick.domain,)
    return (pick.domain.lo,) if pick.domain.hi is None else (pick.domain.lo, pick.domain.hi)


def _convert_to_range(name: str, source: t.Term) -> tuple[IntervalDomain, list[t.Term]] | None:
    """Return a range and conditions that are equivalent to a set or list of numbers; None if the form is unsupported.

    For the pick m, `{x for x in range(1, h + 1) if 2 * x <= g}` gives the range 1..h and the condition `2 * m <= g`.
    `name`: the name of the pick in the conditions.
    """
    x = t.Variable(INT, 0, 0, name)
    if not is_total(source):
        return None
    match source:
        case t.Collection(items=()):
            return IntervalDomain(ONE, ZERO), []
        case t.Collection(items=items):
            lo, hi = (extreme(op, items) for op in ("smallest", "largest"))
            return IntervalDomain(lo, hi), [t.AnyOf(source.type, 0, 0, tuple(equal(x, item) for item in items))]
        case t.Operation(op="range", args=(low, after)):
            return IntervalDomain(low, write_out(sub(after, ONE), {})), []
        case t.Comprehension(reducer="set" | "list", body=t.Variable(name=body), clauses=(clause,)):
            inner = _convert_to_range(name, clause.source)
            if body == clause.variable and inner is not None:
                more = [write_out(c, {clause.variable: x}) for c in clause.conditions]
                return inner[0], [*inner[1], *more]
    return None


def extreme(op: str, items: tuple[t.Term, ...]) -> t.Term:
    """Return the term for the maximum (`op` = "largest") or the minimum ("smallest") of numbers.

    A single number is returned unchanged. If all numbers are constant, the result is a literal.
    """
    if len(items) == 1:
        return items[0]
    numbers = [evaluate_literal(x) for x in items]
    if None not in numbers:
        return integer((max if op == "largest" else min)(x for x in numbers if x is not None))
    return t.Operation(INT, 0, 0, op, items)


# -- bounds -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class LinearBound:
    """A bound of a number m: `times` * m <= `than` (above) or `times` * m >= `than` (below), with `times` >= 1."""

    than: t.Term
    times: int = 1

    def implies(self, other: LinearBound, above: bool) -> bool:
        """Whether this bound implies the other bound for all values of the variables.

        The result is False unless the bounds have the same `times`, and their `than` differ by a constant.
        `above`: whether both are upper bounds; otherwise both are lower bounds.
        """
        apart = difference(other.than, self.than) if self.times == other.times else None
        return apart is not None and (apart >= 0 if above else apart <= 0)

    def heap(self, heaps: tuple[str, ...]) -> LinearBound | None:
        """Return the bound m <= h if this upper bound implies it for a heap h of `heaps`; otherwise None.

        The reason: d * m <= h + c implies m <= h if h >= 1 and c <= 2 * d - 2.
        """
        for name in heaps:
            x = t.Variable(INT, 0, 0, name)
            more = difference(self.than, x)
            if more is not None and more <= 2 * self.times - 2:
                return LinearBound(x)
        return None


@dataclass(eq=False)
class _Sides:
    """The lower and upper bounds of one pick."""

    below: list[LinearBound] = field(default_factory=list)
    above: list[LinearBound] = field(default_factory=list)


def _gather_bounds(move: Move) -> Move:
    """Return the move with the bounds on picks moved from `where` into the ranges of the picks, if possible."""
    sides = {p.name: _Sides() for p in move.picks}
    for p in move.picks:
        assert isinstance(p.domain, IntervalDomain) and p.domain.hi is not None
        sides[p.name].below += (_part(x, above=False) for x in _parts("largest", p.domain.lo))
        sides[p.name].above += (_part(x, above=True) for x in _parts("smallest", p.domain.hi))
    others = [x for c in conditions_of(move) for x in _read(c, sides)]
    picks: list[Pick] = []
    conditions: list[t.Term] = []
    values: dict[str, t.Term] = {}
    for name, found in sides.items():
        if all(b.times > 1 for b in found.above):
            found.above += (heap for b in found.above[:] if (heap := b.heap(move.heaps)) is not None)
        below, above = _drop_implied(found.below, False), _drop_implied(found.above, True)
        for side in (below, above):
            side[:] = [LinearBound(write_out(b.than, values), b.times) for b in side]
        fixed = next((b.than for b in above if b.times == 1 and any(_is_same_bound(b, c) for c in below)), None)
        if fixed is not None:
            values[name] = fixed
        x = values.get(name, t.Variable(INT, 0, 0, name))
        lo, more = _range_side(x, below, False, fixed)
        hi, less = _range_side(x, above, True, fixed)
        picks.append(Pick(name, IntervalDomain(lo, hi)))
        conditions += (*more, *less)
    said = {condition_key(c, True): c for c in (write_out(c, values) for c in (*conditions, *others))}
    where = conjoin_nontrivial(*said.values())
    return replace(move, picks=tuple(picks), where=where, result=tuple(_size(x, values) for x in move.become))


def _size(term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
    """Return the new size of a heap, with the picks in `values` replaced by their values.

    A constant size becomes a literal.
    """
    made = write_out(term, values)
    number = evaluate_literal(made)
    return made if number is None else integer(number)


def _is_same_bound(a: LinearBound, b: LinearBound) -> bool:
    return a.times == b.times == 1 and difference(a.than, b.than) == 0


def _parts(op: str, term: t.Term) -> Iterator[t.Term]:
    """Yield the operands of a bound that is a maximum (`op` = "largest") or a minimum ("smallest").

    Yield any other bound itself.
    """
    if isinstance(term, t.Operation) and term.op == op:
        for x in term.args:
            yield from _parts(op, x)
    else:
        yield term


def _part(term: t.Term, above: bool) -> LinearBound:
    """Return a bound without division: m <= x // d becomes d * m <= x, and m >= x // d becomes d * m >= x - (d - 1)."""
    match term:
        case t.Operation(op="floordiv", args=(a, t.Literal(value=d))) if d >= 1:
            return LinearBound(a if above else polynomial(sub(a, integer(d - 1))).term(), d)
    return LinearBound(term)


def _read(condition: t.Term, sides: Mapping[str, _Sides]) -> Iterator[t.Term]:
    """If a condition bounds a pick, add this bound to `sides`, the bounds of each pick by name.

    If the condition contains several picks, it bounds the last one. Yield the condition itself unless the bound is
    equivalent to it.
    """
    match condition:
        case t.Operation(op=op, args=(a, _)) if op in COMPARED and op != "ne" and a.type == INT:
            told = _read_linear_bound(condition, sides)
            if told is not None:
                name, times, apart = told
                # times * m + apart <= 0, unless it is an equation
                for sign in (1, -1) if op == "eq" else (1,):
                    side = sides[name].above if sign * times > 0 else sides[name].below
                    than = _solve_for(condition, name, times, apart)
                    side.append(_part(than, sign * times > 0) if abs(times) == 1 else LinearBound(than, abs(times)))
                return
        case t.AnyOf(args=args):
            found = _match_alternatives(args, sides)
            if found is not None:
                name, numbers = found
                sides[name].below.append(LinearBound(integer(min(numbers))))
                sides[name].above.append(LinearBound(integer(max(numbers))))
                if len(numbers) == max(numbers) - min(numbers) + 1:
                    return
    yield condition


def _read_linear_bound(condition: t.Operation, sides: Mapping[str, _Sides]) -> tuple[str, int, Polynomial] | None:
    """Return (m, c, P) if m is the last pick in a condition c * m + P <= 0 or c * m + P == 0; else None.

    P does not contain m. In an equation, c is 1 or -1.
    """
    a, b = condition.args
    names = set(find_free_names(condition))
    name = next((x for x in reversed(list(sides)) if x in names), None)
    if name is None:
        return None
    first, second = (a, b) if condition.op in ("le", "lt", "eq") else (b, a)
    whole = sub(first, second) if condition.op in ("le", "ge", "eq") else add(sub(first, second), ONE)
    found = polynomial(whole)
    times = found.coefficients.get((name,), 0)
    rest = Polynomial({m: c for m, c in found.coefficients.items() if m != (name,)}, found.atoms)
    if times == 0 or any(name in find_free_names(rest.atoms[key]) for m in rest.coefficients for key in m):
        return None
    return None if condition.op == "eq" and abs(times) != 1 else (name, times, rest)


def _solve_for(condition: t.Operation, name: str, times: int, rest: Polynomial) -> t.Term:
    """Return the term with which the condition compares a multiple of m, where m is the pick `name`.

    The condition is `times` * m + `rest` <= 0, or == 0. If one side is m alone, return the other side as in the file.
    """
    for x, other in (condition.args, condition.args[::-1]):
        plain = condition.op in ("le", "ge", "eq") and isinstance(x, t.Variable) and x.name == name
        if plain and not any(isinstance(y, t.Variable) and y.name == name for y in walk(other)):
            return other
    sign = -1 if times > 0 else 1
    return Polynomial({m: sign * c for m, c in rest.coefficients.items()}, rest.atoms).term()


def _match_alternatives(args: tuple[t.Term, ...], sides: Mapping[str, _Sides]) -> tuple[str, list[int]] | None:
    """Return (m, numbers) for alternatives such as m == 1 and m == 3, where m is a pick in `sides`; otherwise None."""
    found = [_match_equation(x) for x in args]
    names = {name for name, _ in found}
    if len(names) != 1 or not names <= set(sides):
        return None
    return names.pop(), sorted({number for _, number in found})


def _match_equation(condition: t.Term) -> tuple[str, int]:
    """Return (m, c) for a condition m == c with a constant c, and ("", 0) for another condition."""
    if isinstance(condition, t.Operation) and condition.op == "eq" and condition.args[0].type == INT:
        for x, other in (condition.args, condition.args[::-1]):
            number = evaluate_literal(other)
            if isinstance(x, t.Variable) and number is not None:
                return x.name, number
    return "", 0


def _drop_implied(bounds: list[LinearBound], above: bool) -> list[LinearBound]:
    """Return the bounds that no other bound implies. If two bounds imply each other, keep only the first."""
    kept: list[LinearBound] = []
    for i, b in enumerate(bounds):
        others = (*kept, *bounds[i + 1 :])
        first = not any(x.implies(b, above) for x in kept)
        if first and not any(x.implies(b, above) and not b.implies(x, above) for x in others):
            kept.append(b)
    return kept


def _range_side(x: t.Term, bounds: list[LinearBound], above: bool, fixed: t.Term | None) -> tuple[t.Term, list[t.Term]]:
    """Return one end of the range of the pick x, and conditions for the bounds that this end does not express.

    `above`: whether this is the upper end.
    `fixed`: the only possible value of the pick; None if there may be several values.
    """
    if fixed is not None:
        kept, rest = [fixed], [b for b in bounds if difference(b.than, fixed) != 0 or b.times != 1]
    elif whole := [b for b in bounds if b.times == 1]:
        kept, rest = [b.than for b in whole], [b for b in bounds if b.times != 1]
    else:
        kept, rest = [_divide_bound(b, above) for b in bounds], []
    compare = at_most if above else at_least
    said: list[t.Term] = [compare(x if b.times == 1 else mul(integer(b.times), x), b.than) for b in rest]
    return extreme("smallest" if above else "largest", tuple(kept)), said


def _divide_bound(b: LinearBound, above: bool) -> t.Term:
    """Return the bound of a pick as a division: x // 3 for 3 * m <= x.

    An upper bound is rounded down, and a lower bound is rounded up.
    """
    than = b.than if above else polynomial(add(b.than, integer(b.times - 1))).term()
    return t.Operation(INT, 0, 0, "floordiv", (than, integer(b.times)))


# -- cases ------------------------------------------------------------------------------------------------------------
def _cases(move: Move) -> tuple[Move, ...]:
    """Split the move by a conditional in its bounds or sizes: return the moves for a true and for a false condition.

    If there is no such conditional, return the move alone. Conditionals on the mover are not split, because each mover
    has separate moves. Conditionals that depend on the variable of a comprehension are not split either.
    """
    for term in (*(x for p in move.picks for x in _terms_of(p)), *move.become):
        for x in walk(term):
            if isinstance(x, t.IfElse) and not {_MOVER, *_collect_bound_variables(term)} & set(
                find_free_names(x.condition)
            ):
                return tuple(_restrict_move(move, x.condition, value) for value in (True, False))
    return (move,)


def _collect_bound_variables(term: t.Term) -> set[str]:
    """Return the variables of the comprehensions in a term."""
    return {c.variable for x in walk(term) if isinstance(x, t.Comprehension) for c in x.clauses}


def _restrict_move(move: Move, condition: t.Term, value: bool) -> Move:
    """Return the move restricted to the case in which the condition has this truth value."""

    def change(term: t.Term) -> t.Term:
        if isinstance(term, t.IfElse) and structural_key(term.condition) == structural_key(condition):
            return change(term.then if value else term.other)
        return rebuild(term, change)

    said = condition if value else opposite(condition)
    made = map_terms(move, change)
    return replace(made, where=conjoin_nontrivial(*conditions_of(move), said))


# -- transformations --------------------------------------------------------------------------------------------------
def map_terms(move: Move, change: Callable[[t.Term], t.Term]) -> Move:
    """Return the move with `change` applied to each of its terms."""
    picks = []
    for p in move.picks:
        if isinstance(p.domain, IntervalDomain):
            hi = None if p.domain.hi is None else change(p.domain.hi)
            picks.append(Pick(p.name, IntervalDomain(change(p.domain.lo), hi)))
        else:
            picks.append(Pick(p.name, change(p.domain)))
    where, low, high = (None if x is None else change(x) for x in (move.where, move.at_least, move.at_most))
    become = tuple(map(change, move.become))
    return replace(move, picks=tuple(picks), where=where, result=become, at_least=low, at_most=high)


def copy_move(move: Move, place: int, used: set[str]) -> Move:
    """Return the move with new names for its heaps and picks: h becomes h2 or, if that name is used, h2_.

    `place`: 1 for the names of the second heap, and so on.
    `used`: the names that are used already. The new names are added to this set.
    """
    names: dict[str, str] = {}
    for name in (*move.heaps, *(p.name for p in move.picks)):
        names[name] = format_pick_name(name, place)
        while names[name] in used:
            names[name] += "_"
        used.add(names[name])
    values: dict[str, t.Term] = {x: t.Variable(INT, 0, 0, y) for x, y in names.items()}
    made = map_terms(move, partial(substitute, values=values))
    picks = tuple(Pick(names[p.name], p.domain) for p in made.picks)
    return replace(made, heaps=tuple(names[h] for h in move.heaps), picks=picks)


# == game =============================================================================================================
# The normal form of a game, which is the form that the proof rules use.
#
# The steps:
# 1. Substitute the arguments of the claim, and expand known sets and lists.
# 2. Bring each kind of moves to its normal form (`kinds`).
# 3. Replace "each of a..b heaps h" by a kind of moves for each number of heaps, if a and b are known.
# 4. If a proof is about positions of at most n heaps, replace `len(s)` by n in a move that chooses n heaps.
#
# At every position in the range of a rule each mover has the same options as before.  If a rule of the file is
# undefined, so is the normal form.  See docs/decisions/0030-normal-form-of-games.md.
WHOLE = "s"  # the name of the position in rulesets


@lru_cache(maxsize=64)  # used when [proof] is parsed, and again by each rule that its lemmas name
def normal_game(game: Game, most: int | None = None) -> Game:
    """Return the game in normal form; the game itself if it is normal or no rule supports it.

    `most`: the largest number of heaps of a position in the proof; None for no bound.
    """
    if game.ruleset.heap is not None or game.ruleset.unusual:
        return game  # no rule supports such games
    game = name_members(_drop_points(game))
    arguments = {name: expand_definitions(x) for name, x in game.arguments}
    known = {name: x for name, x in arguments.items() if _is_known(x)}
    written = game.ruleset.moves
    moves: list[Move] = []
    for move in written:
        for kind in _split_heap_counts(map_terms(move, partial(write_out, known=known)), frozenset(arguments)):
            moves += normal_kinds(_count_heaps(kind, most))
    sets = {p.name for p in game.ruleset.parameters if p.kind != "int" and p.name in known}
    if not sets and [canonical_key(x) for x in moves] == [canonical_key(x) for x in written]:
        return game
    ruleset = replace(
        game.ruleset,
        moves=tuple(moves) or written,
        parameters=tuple(p for p in game.ruleset.parameters if p.name not in sets),
        sees_position=any(isinstance(x, t.Variable) and x.name == WHOLE for x in walk(tuple(moves))),
    )
    return replace(game, ruleset=ruleset)


def _drop_points(game: Game) -> Game:
    """Return the game without the points of its moves, because no rule depends on them.

    Return the same game if its moves have no points.
    """
    if not game.ruleset.scored:
        return game
    moves = tuple(replace(move, score=None) for move in game.ruleset.moves)
    return replace(game, ruleset=replace(game.ruleset, moves=moves))


def name_members(game: Game) -> Game:
    """Return the game with a new parameter for each member of a set or list argument that is not a literal.

    If the claim gives the set {1, 2 * k} to the parameter S, the new parameter "S[1]" has the value 2 * k. As for all
    parameters without a domain, the value of the new parameter must be a natural number. The proof rules prove this.
    """
    named: list[tuple[str, t.Term]] = []

    def name(parameter: str, term: t.Term) -> t.Term:
        term = expand_definitions(term)
        if not isinstance(term, t.Collection) or evaluate_members(term) is not None:
            return term
        items: list[t.Term] = []
        for item in term.items:
            if isinstance(item, t.Literal):
                items.append(item)
                continue
            named.append((f"{parameter}[{len(items)}]", item))
            items.append(t.Variable(INT, item.start, item.end, named[-1][0]))
        return replace(term, items=tuple(items))

    sets = {p.name for p in game.ruleset.parameters if p.kind != "int"}
    arguments = tuple((key, name(key, x) if key in sets else x) for key, x in game.arguments)
    if not named:
        return game
    parameters = (*game.ruleset.parameters, *(Parameter(key, "int") for key, _ in named))
    return replace(game, ruleset=replace(game.ruleset, parameters=parameters), arguments=(*arguments, *named))


def _is_known(term: t.Term) -> bool:
    """Whether a term is a literal number, or an explicit set or list of numbers and parameters."""
    plain = isinstance(term, t.Collection) and all(isinstance(x, t.Variable | t.Literal) for x in term.items)
    return plain or isinstance(term, t.Literal) or evaluate_members(term) is not None


def _split_heap_counts(move: Move, taken: frozenset[str]) -> Iterator[Move]:
    """Yield one move for each number of heaps instead of a move on "each of a..b heaps h", if a and b are known.

    The second heap and its pick get the names h2 and m2, if these names are free. The original move evaluates the new
    size of a heap only if the other chosen heaps may be moved. A split move evaluates all new sizes. Therefore a move
    on at least two heaps is not split if one of its terms may be undefined.
    """
    low, high = (evaluate_literal(x) if x is not None else None for x in (move.at_least, move.at_most))
    assert not move.alike
    if move.choose != "each" or low is None or high is None or not 1 <= low <= high <= MOST_HEAPS:
        yield move
        return
    if low > 1 and not is_total_move(move):
        yield move
        return
    used = {x.name for x in walk(move) if isinstance(x, t.Variable)} | {p.name for p in move.picks} | taken
    parts = [move, *(copy_move(move, place, used) for place in range(1, high))]
    for count in range(low, high + 1):
        some = parts[:count]
        yield replace(
            move,
            choose="any",
            heaps=tuple(x for part in some for x in part.heaps),
            picks=tuple(x for part in some for x in part.picks),
            where=conjoin_nontrivial(*(c for part in some for c in conditions_of(part))),
            result=tuple(x for part in some for x in part.become),
            at_least=None,
            at_most=None,
        )


def _count_heaps(move: Move, most: int | None) -> Move:
    """Return the move with `most` instead of len(s) if it chooses `most` heaps; otherwise the move itself.

    No position has more than `most` heaps, so the chosen heaps are all heaps.
    """
    if most is None or len(move.heaps) != most or move.choose == "each":
        return move

    def count(term: t.Term) -> t.Term:
        match term:
            case t.Operation(op="len", args=(t.Variable(name=name, type=kind),)) if name == WHOLE and kind == POSITION:
                return integer(most)
        return rebuild(term, count)

    return map_terms(move, lambda term: write_out(count(term), {}))
