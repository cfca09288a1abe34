"""The normal form of a game. Rules of proof see this form, however the file is written."""

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
# Terms of rulesets, whatever way they are written: which have a value everywhere, and which say the same.
#
# A term *has a value everywhere* if no operation in it may fail: only such a term may be looked at earlier or later
# than the file says, or not at all, without making something undefined defined.
COMPARED = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def is_total(term: t.Term) -> bool:
    """Whether the term has a value everywhere."""
    match term:
        case t.GameCall() | t.Apply():
            return False
        case t.Operation(op="floordiv" | "mod", args=(a, t.Literal(value=d))):
            return d != 0 and is_total(a)
        case t.Operation(op=name) | t.Comprehension(reducer=name) if name in BUILTINS and BUILTINS[name].needs:
            return False
    return all(map(is_total, t.subterms(term)))


def difference(a: t.Term, b: t.Term) -> int | None:
    """a - b where that is the same number whatever their variables are."""
    return polynomial(sub(a, b)).constant


# -- what is known when the game is ------------------------------------------------------------------------------------
def write_out(term: t.Term, known: Mapping[str, t.Term]) -> t.Term:
    """The term with what is known for the names; with sets and lists that are written down spelled out in conditions.

    `m in {1, 2}` says m == 1 or m == 2.  Conditions that are decided go, if all that they stand among has a value.
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
    """`not` a condition, said of its parts."""
    if isinstance(term, t.AllOf | t.AnyOf):
        return (disjunction if isinstance(term, t.AllOf) else conjunction)(*map(_push_negation, term.args))
    return opposite(term)


def _expand_items(body: t.Term, clause: t.Clause, items: tuple[t.Term, ...], every: bool) -> t.Term:
    """That some of the items, or every one, meets the conditions of the clause and the body."""
    made = []
    for x in items:
        *conditions, last = (_spell_out(substitute(c, {clause.variable: x})) for c in (*clause.conditions, body))
        made.append(disjunction(*map(negation, conditions), last) if every else conjunction(*conditions, last))
    return conjunction(*made) if every else disjunction(*made)


def _is_set(term: t.Term) -> bool:
    return term.type.kind == "set"


def evaluate_members(term: t.Term) -> tuple[int, ...] | None:
    """The members of a set or list of numbers that is written down."""
    if not isinstance(term, t.Collection):
        return None
    numbers = [evaluate_literal(x) for x in term.items]
    return None if None in numbers else tuple(x for x in numbers if x is not None)


def evaluate_literal(term: t.Term) -> int | None:
    """The number that a term of literals is."""
    return polynomial(term).constant if term.type == INT and is_total(term) else None


# -- what says the same ------------------------------------------------------------------------------------------------
def canonical_key(move: Move) -> Hashable:
    """Equal for two kinds of moves that differ in names, in the order of conditions, or in how a comparison is written.

    Where some term of it may have no value the order of its conditions counts.
    """
    keys = (_make_ordered_key(move, order) for order in permutations(range(len(move.heaps))))
    return min(keys, key=repr)


def _make_ordered_key(move: Move, order: tuple[int, ...]) -> Hashable:
    """As `spelled`, its heaps taken in the order."""
    heaps = [move.heaps[i] for i in order]
    names = {name: f"heap {i}" for i, name in enumerate(heaps)}
    names |= {p.name: f"pick {i}" for i, p in enumerate(move.picks)}
    values = {old: t.Variable(INT, 0, 0, new) for old, new in names.items()}
    picks: list[Hashable] = []
    for p in move.picks:
        if isinstance(p.domain, IntervalDomain):
            lo, hi = (None if x is None else number_key(substitute(x, values)) for x in (p.domain.lo, p.domain.hi))
            picks += [(lo, hi)] if lo != hi else []  # nothing is picked where there is one number
        else:
            picks.append(structural_key(substitute(p.domain, values)))
    whole = is_total_move(move)
    said = (x for x in conditions_of(move) if not _is_of_heap(x, move.heaps))
    where = [condition_key(substitute(x, values), whole) for x in said]
    become = tuple(sorted((number_key(substitute(x, values)) for x in move.become), key=repr))
    counts = tuple(None if x is None else structural_key(x) for x in (move.at_least, move.at_most))
    return move.choose, len(heaps), tuple(picks), frozenset(where) if whole else tuple(where), become, counts


def _is_of_heap(condition: t.Term, heaps: tuple[str, ...]) -> bool:
    """Whether a condition says no more than that a heap is at least 1, as each is."""
    if not isinstance(condition, t.Operation) or condition.op not in ("le", "ge", "lt", "gt"):
        return False
    less, more = condition.args if condition.op in ("le", "lt") else condition.args[::-1]
    apart = polynomial(sub(more, less)).coefficients
    least = 1 if condition.op in ("lt", "gt") else 0  # h + c >= least, for h >= 1
    return any(set(apart) <= {(h,), ()} and apart.get((h,)) == 1 and apart.get((), 0) + 1 >= least for h in heaps)


def conditions_of(move: Move) -> tuple[t.Term, ...]:
    """What `where` demands, one by one."""
    return () if move.where is None else tuple(t.conjuncts(move.where))


def is_total_move(move: Move) -> bool:
    """Whether all of its terms have a value everywhere."""
    terms: list[t.Term] = [*move.become, *conditions_of(move)]
    for p in move.picks:
        bounds = (p.domain.lo, p.domain.hi) if isinstance(p.domain, IntervalDomain) else (p.domain,)
        terms += (x for x in bounds if x is not None)
    return all(map(is_total, terms))


def number_key(term: t.Term) -> Hashable:
    """Equal for two integers that are the same polynomial of the same parts."""
    return structural_key(sort_operands(term))


def sort_operands(term: t.Term) -> t.Term:
    """The same number with its sums, products, least and largest parts in one order."""
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
    """A sum or product with what it is made of in order."""
    if isinstance(term, t.Operation) and term.op in ("add", "sub", "mul", "neg") and term.type == INT:
        return rebuild(term, _insides)
    return sort_operands(term)


def _parts_of(op: str, term: t.Term) -> tuple[t.Term, ...]:
    return term.args if isinstance(term, t.Operation) and term.op == op else (term,)


def condition_key(term: t.Term, whole: bool) -> Hashable:
    """Equal for two conditions that say the same in other words. `whole`: the order of their parts does not count."""
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
    """Of a <= b and the like by what is at most 0; of equality by the difference, whichever way round."""
    there, back = number_key(sub(a, b)), number_key(sub(b, a))
    if op in ("eq", "ne"):
        return op, min((there, back), key=repr)
    less = sub(a, b) if op in ("lt", "le") else sub(b, a)
    return "le", number_key(less if op in ("le", "ge") else t.Operation(INT, 0, 0, "add", (less, integer(1))))


def conjoin_nontrivial(*conditions: t.Term) -> t.Term | None:
    """All of the conditions; None where they say nothing."""
    made = conjunction(*conditions)
    return None if is_plain(made, True) else made


# == kinds ============================================================================================================
# A kind of move in normal form: what is picked from ranges, whatever bounds it in those, all else in `where`.
#
# `pick = { m = "1..h" }` with `where = "2 * m <= g"`, `"1..min(h, g // 2)"` and `{x for x in range(1, h + 1) if 2 * x
# <= g}` are the same kind.  A bound is kept in the range; one that divides is a condition beside another bound, for 2 *
# m <= g says what m <= g // 2 says.  Where a bound, or what a heap becomes, is chosen by a case there is a kind of move
# for each.
MOST_KINDS = 16  # that the cases of one kind of move make
_MOVER = "mover"


def normal_kinds(move: Move) -> tuple[Move, ...]:
    """The kinds of moves, in normal form, that together are this one; itself if it is one in normal form.

    A kind that is never allowed is none of them.  A kind some term of which may have no value stays as it is written,
    and so does one of too many cases.
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
    """The move with its numbers picked from ranges, as far as they can be; and with as many sizes as it has heaps."""
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
    return replace(move, picks=tuple(picks), where=conjoin_nontrivial(*conditions, *conditions_of(move)), become=become)


def _terms_of(pick: Pick) -> tuple[t.Term, ...]:
    """What says which numbers may be picked."""
    if not isinstance(pick.domain, IntervalDomain):
        return (pick.domain,)
    return (pick.domain.lo,) if pick.domain.hi is None else (pick.domain.lo, pick.domain.hi)


def _convert_to_range(name: str, source: t.Term) -> tuple[IntervalDomain, list[t.Term]] | None:
    """What picks a number from a set or a list, as a range and conditions; None where it cannot be."""
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
    """The largest or smallest of some numbers; the number itself of one, and of known ones the number that it is."""
    if len(items) == 1:
        return items[0]
    numbers = [evaluate_literal(x) for x in items]
    if None not in numbers:
        return integer((max if op == "largest" else min)(x for x in numbers if x is not None))
    return t.Operation(INT, 0, 0, op, items)


# -- bounds -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class LinearBound:
    """Above: `times` * the number <= `than`; below: it is at least that. `times` >= 1."""

    than: t.Term
    times: int = 1

    def implies(self, other: LinearBound, above: bool) -> bool:
        """Whether whatever meets this one plainly meets the other."""
        apart = difference(other.than, self.than) if self.times == other.times else None
        return apart is not None and (apart >= 0 if above else apart <= 0)

    def heap(self, heaps: tuple[str, ...]) -> LinearBound | None:
        """A heap that what meets this bound above is at most: d * m <= h + c says so if c <= 2 * d - 2, for h >= 1."""
        for name in heaps:
            x = t.Variable(INT, 0, 0, name)
            more = difference(self.than, x)
            if more is not None and more <= 2 * self.times - 2:
                return LinearBound(x)
        return None


@dataclass(eq=False)
class _Sides:
    """The bounds of a number, and among which numbers it is, where that is said."""

    below: list[LinearBound] = field(default_factory=list)
    above: list[LinearBound] = field(default_factory=list)


def _gather_bounds(move: Move) -> Move:
    """The move with all that bounds a number in its range."""
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
    return replace(move, picks=tuple(picks), where=where, become=tuple(_size(x, values) for x in move.become))


def _size(term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
    """What a heap becomes, with what is known for the numbers."""
    made = write_out(term, values)
    number = evaluate_literal(made)
    return made if number is None else integer(number)


def _is_same_bound(a: LinearBound, b: LinearBound) -> bool:
    return a.times == b.times == 1 and difference(a.than, b.than) == 0


def _parts(op: str, term: t.Term) -> Iterator[t.Term]:
    """The numbers of which a bound is the largest, or the smallest."""
    if isinstance(term, t.Operation) and term.op == op:
        for x in term.args:
            yield from _parts(op, x)
    else:
        yield term


def _part(term: t.Term, above: bool) -> LinearBound:
    """m <= x // d says d * m <= x; m >= x // d says d * m >= x - (d - 1)."""
    match term:
        case t.Operation(op="floordiv", args=(a, t.Literal(value=d))) if d >= 1:
            return LinearBound(a if above else polynomial(sub(a, integer(d - 1))).term(), d)
    return LinearBound(term)


def _read(condition: t.Term, sides: Mapping[str, _Sides]) -> Iterator[t.Term]:
    """Let the sides have what the condition says of the last number that it speaks of; yields it where it says more."""
    match condition:
        case t.Operation(op=op, args=(a, _)) if op in COMPARED and op != "ne" and a.type == INT:
            told = _read_linear_bound(condition, sides)
            if told is not None:
                name, times, apart = told
                # times * m + apart <= 0, where it is no equality
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
    """(m, c, P) where it says c * m + P <= 0, or == 0, of the last number m that it speaks of; None if nothing such."""
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
    """What `times` * m is compared with: as it stands in the file if that says so plainly."""
    for x, other in (condition.args, condition.args[::-1]):
        plain = condition.op in ("le", "ge", "eq") and isinstance(x, t.Variable) and x.name == name
        if plain and not any(isinstance(y, t.Variable) and y.name == name for y in walk(other)):
            return other
    sign = -1 if times > 0 else 1
    return Polynomial({m: sign * c for m, c in rest.coefficients.items()}, rest.atoms).term()


def _match_alternatives(args: tuple[t.Term, ...], sides: Mapping[str, _Sides]) -> tuple[str, list[int]] | None:
    """A number that is said to be one of some known ones, and those; None for another condition."""
    found = [_match_equation(x) for x in args]
    names = {name for name, _ in found}
    if len(names) != 1 or not names <= set(sides):
        return None
    return names.pop(), sorted({number for _, number in found})


def _match_equation(condition: t.Term) -> tuple[str, int]:
    """(m, 3) of m == 3; no name of another condition."""
    if isinstance(condition, t.Operation) and condition.op == "eq" and condition.args[0].type == INT:
        for x, other in (condition.args, condition.args[::-1]):
            number = evaluate_literal(other)
            if isinstance(x, t.Variable) and number is not None:
                return x.name, number
    return "", 0


def _drop_implied(bounds: list[LinearBound], above: bool) -> list[LinearBound]:
    """Those that no other implies; of two that imply each other the first."""
    kept: list[LinearBound] = []
    for i, b in enumerate(bounds):
        others = (*kept, *bounds[i + 1 :])
        first = not any(x.implies(b, above) for x in kept)
        if first and not any(x.implies(b, above) and not b.implies(x, above) for x in others):
            kept.append(b)
    return kept


def _range_side(x: t.Term, bounds: list[LinearBound], above: bool, fixed: t.Term | None) -> tuple[t.Term, list[t.Term]]:
    """The bound of the range, and the conditions that say the rest."""
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
    """The bound as a division, rounded down or up."""
    than = b.than if above else polynomial(add(b.than, integer(b.times - 1))).term()
    return t.Operation(INT, 0, 0, "floordiv", (than, integer(b.times)))


# -- cases ------------------------------------------------------------------------------------------------------------
def _cases(move: Move) -> tuple[Move, ...]:
    """The move where a case of its bounds or sizes holds, and where it does not; itself if there is none.

    Cases of the mover stay: each mover has moves of his own.
    """
    for term in (*(x for p in move.picks for x in _terms_of(p)), *move.become):
        for x in walk(term):
            if isinstance(x, t.IfElse) and not {_MOVER, *_collect_bound_variables(term)} & set(
                find_free_names(x.condition)
            ):
                return tuple(_restrict_move(move, x.condition, value) for value in (True, False))
    return (move,)


def _collect_bound_variables(term: t.Term) -> set[str]:
    """The names that run in a term."""
    return {c.variable for x in walk(term) if isinstance(x, t.Comprehension) for c in x.clauses}


def _restrict_move(move: Move, condition: t.Term, value: bool) -> Move:
    """The move where the condition has the value."""

    def change(term: t.Term) -> t.Term:
        if isinstance(term, t.IfElse) and structural_key(term.condition) == structural_key(condition):
            return change(term.then if value else term.other)
        return rebuild(term, change)

    said = condition if value else opposite(condition)
    made = map_terms(move, change)
    return replace(made, where=conjoin_nontrivial(*conditions_of(move), said))


# -- the same with other terms ----------------------------------------------------------------------------------------
def map_terms(move: Move, change: Callable[[t.Term], t.Term]) -> Move:
    """The move with each of its terms changed."""
    picks = []
    for p in move.picks:
        if isinstance(p.domain, IntervalDomain):
            hi = None if p.domain.hi is None else change(p.domain.hi)
            picks.append(Pick(p.name, IntervalDomain(change(p.domain.lo), hi)))
        else:
            picks.append(Pick(p.name, change(p.domain)))
    where, low, high = (None if x is None else change(x) for x in (move.where, move.at_least, move.at_most))
    become = tuple(map(change, move.become))
    return replace(move, picks=tuple(picks), where=where, become=become, at_least=low, at_most=high)


def copy_move(move: Move, place: int, used: set[str]) -> Move:
    """The move on another heap, for names that are not used: with a number, and with _ behind that if need be."""
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
# The normal form of a game: the one in which the rules of proof see it, however its file is written.
#
# In order: what the claim says of parameters is written in, and sets and lists that are known are spelled out; each
# kind of move is brought to its normal form (`kinds`); "each of a..b heaps h" becomes a kind of move for each number of
# heaps, where a and b are known; and where a proof speaks of positions of so many heaps at most, `len(s)` is known in a
# move that chooses as many.
#
# At every position that a rule speaks of each mover has the same options; and where a rule of the file has no value, so
# has one of the normal form.  See docs/decisions/0030-normal-form-of-games.md.
WHOLE = "s"  # what rules call the position


@lru_cache(maxsize=64)  # a claim's games are asked for when its [proof] is read, and by each rule that may reach it
def normal_game(game: Game, most: int | None = None) -> Game:
    """The game in normal form; itself if it is. `most`: how many heaps the positions of the proof have at most."""
    if game.ruleset.heap is not None or game.ruleset.unusual:
        return game  # which no rule reads
    game = name_members(game)
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


def name_members(game: Game) -> Game:
    """The game with a parameter of its own for each member of a set or list that is written down but no number.

    These are natural numbers, as all parameters that nothing else is said of: the rules of proof show it of each.
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
    """Whether it is a number, or a set or list of numbers and of parameters that is written down."""
    plain = isinstance(term, t.Collection) and all(isinstance(x, t.Variable | t.Literal) for x in term.items)
    return plain or isinstance(term, t.Literal) or evaluate_members(term) is not None


def _split_heap_counts(move: Move, taken: frozenset[str]) -> Iterator[Move]:
    """A kind of move for each number of heaps that "each of a..b heaps h" chooses, if a and b are known.

    The second heap and what is picked for it are called h2 and m2, where these names are free.  What a heap becomes is
    not asked where another may not be moved; so terms that may have no value stay, unless a move may be of one heap.
    """
    low, high = (evaluate_literal(x) if x is not None else None for x in (move.at_least, move.at_most))
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
            become=tuple(x for part in some for x in part.become),
            at_least=None,
            at_most=None,
        )


def _count_heaps(move: Move, most: int | None) -> Move:
    """A move that chooses as many heaps as a position may have chooses them all: `len(s)` is their number."""
    if most is None or len(move.heaps) != most or move.choose == "each":
        return move

    def count(term: t.Term) -> t.Term:
        match term:
            case t.Operation(op="len", args=(t.Variable(name=name, type=kind),)) if name == WHOLE and kind == POSITION:
                return integer(most)
        return rebuild(term, count)

    return map_terms(move, lambda term: write_out(count(term), {}))
