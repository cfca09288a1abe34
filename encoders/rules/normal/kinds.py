"""A kind of move in normal form: what is picked from ranges, whatever bounds it in those, all else in `where`.

`pick = { m = "1..h" }` with `where = "2 * m <= g"`, `"1..min(h, g // 2)"` and `{x for x in range(1, h + 1) if
2 * x <= g}` are the same kind.  A bound is kept in the range; one that divides is a condition beside another bound, for
2 * m <= g says what m <= g // 2 says.  Where a bound, or what a heap becomes, is chosen by a case there is a kind of
move for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from claims.language.expressions.walk import free_names, rebuild, structural_key, substitute, walk
from claims.language.statement.domains import IntervalDomain
from claims.language.statement.rulesets import Move, Pick
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.logic.moves import numbered
from encoders.logic.polynomials import Polynomial, polynomial
from encoders.logic.terms import ONE, ZERO, add, at_least, at_most, equal, integer, is_plain, mul, opposite, sub
from encoders.rules.normal.spelling import (
    COMPARED,
    condition_key,
    conditions_of,
    difference,
    is_total,
    is_total_move,
    known_number,
    spelled,
    without_true,
    write_out,
)

MOST_KINDS = 16  # that the cases of one kind of move make
_MOVER = "mover"


def normal_kinds(move: Move) -> tuple[Move, ...]:
    """The kinds of moves, in normal form, that together are this one; itself if it is one in normal form.

    A kind that is never allowed is none of them.  A kind some term of which may have no value stays as it is written,
    and so does one of too many cases.
    """
    made = _from_ranges(move)
    if not is_total_move(made) or not all(isinstance(p.domain, IntervalDomain) for p in made.picks):
        return (move if spelled(made) == spelled(move) else made,)
    kinds = [made]
    for _ in range(MOST_KINDS):
        bounded = [_bounded(kind) for kind in kinds]
        split = [part for kind in bounded for part in _cases(kind)]
        if len(split) == len(kinds) and all(spelled(x) == spelled(y) for x, y in zip(split, kinds, strict=True)):
            kept = tuple(kind for kind in bounded if kind.where is None or not is_plain(kind.where, False))
            return (move,) if len(kept) == 1 and spelled(kept[0]) == spelled(move) else kept
        if len(split) > MOST_KINDS:
            break
        kinds = split
    return (made,)


# -- ranges -----------------------------------------------------------------------------------------------------------
def _from_ranges(move: Move) -> Move:
    """The move with its numbers picked from ranges, as far as they can be; and with as many sizes as it has heaps."""
    picks: list[Pick] = []
    conditions: list[t.Term] = []
    for number, p in enumerate(move.picks):
        later = [x for other in move.picks[number + 1 :] for x in _terms_of(other)]
        range_ = None if isinstance(p.domain, IntervalDomain) else _as_range(p.name, p.domain)
        if range_ is not None and all(map(is_total, later)):
            p, conditions = Pick(p.name, range_[0]), [*conditions, *range_[1]]
        picks.append(p)
    missing = len(move.heaps) - len(move.become)
    become = (*move.become, *(ZERO for _ in range(missing)))
    if not conditions and missing <= 0 and tuple(picks) == move.picks:
        return move
    return replace(move, picks=tuple(picks), where=without_true(*conditions, *conditions_of(move)), become=become)


def _terms_of(pick: Pick) -> tuple[t.Term, ...]:
    """What says which numbers may be picked."""
    if not isinstance(pick.domain, IntervalDomain):
        return (pick.domain,)
    return (pick.domain.lo,) if pick.domain.hi is None else (pick.domain.lo, pick.domain.hi)


def _as_range(name: str, source: t.Term) -> tuple[IntervalDomain, list[t.Term]] | None:
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
            inner = _as_range(name, clause.source)
            if body == clause.variable and inner is not None:
                more = [write_out(c, {clause.variable: x}) for c in clause.conditions]
                return inner[0], [*inner[1], *more]
    return None


def extreme(op: str, items: tuple[t.Term, ...]) -> t.Term:
    """The largest or smallest of some numbers; the number itself of one, and of known ones the number that it is."""
    if len(items) == 1:
        return items[0]
    numbers = [known_number(x) for x in items]
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


def _bounded(move: Move) -> Move:
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
        below, above = _needed(found.below, False), _needed(found.above, True)
        for side in (below, above):
            side[:] = [LinearBound(write_out(b.than, values), b.times) for b in side]
        fixed = next((b.than for b in above if b.times == 1 and any(_same(b, c) for c in below)), None)
        if fixed is not None:
            values[name] = fixed
        x = values.get(name, t.Variable(INT, 0, 0, name))
        lo, more = _range_side(x, below, False, fixed)
        hi, less = _range_side(x, above, True, fixed)
        picks.append(Pick(name, IntervalDomain(lo, hi)))
        conditions += (*more, *less)
    said = {condition_key(c, True): c for c in (write_out(c, values) for c in (*conditions, *others))}
    where = without_true(*said.values())
    return replace(move, picks=tuple(picks), where=where, become=tuple(_size(x, values) for x in move.become))


def _size(term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
    """What a heap becomes, with what is known for the numbers."""
    made = write_out(term, values)
    number = known_number(made)
    return made if number is None else integer(number)


def _same(a: LinearBound, b: LinearBound) -> bool:
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
            told = _told(condition, sides)
            if told is not None:
                name, times, apart = told
                # times * m + apart <= 0, where it is no equality
                for sign in (1, -1) if op == "eq" else (1,):
                    side = sides[name].above if sign * times > 0 else sides[name].below
                    than = _solved(condition, name, times, apart)
                    side.append(_part(than, sign * times > 0) if abs(times) == 1 else LinearBound(than, abs(times)))
                return
        case t.AnyOf(args=args):
            found = _among(args, sides)
            if found is not None:
                name, numbers = found
                sides[name].below.append(LinearBound(integer(min(numbers))))
                sides[name].above.append(LinearBound(integer(max(numbers))))
                if len(numbers) == max(numbers) - min(numbers) + 1:
                    return
    yield condition


def _told(condition: t.Operation, sides: Mapping[str, _Sides]) -> tuple[str, int, Polynomial] | None:
    """(m, c, P) where it says c * m + P <= 0, or == 0, of the last number m that it speaks of; None if nothing such."""
    a, b = condition.args
    names = set(free_names(condition))
    name = next((x for x in reversed(list(sides)) if x in names), None)
    if name is None:
        return None
    first, second = (a, b) if condition.op in ("le", "lt", "eq") else (b, a)
    whole = sub(first, second) if condition.op in ("le", "ge", "eq") else add(sub(first, second), ONE)
    found = polynomial(whole)
    times = found.coefficients.get((name,), 0)
    rest = Polynomial({m: c for m, c in found.coefficients.items() if m != (name,)}, found.atoms)
    if times == 0 or any(name in free_names(rest.atoms[key]) for m in rest.coefficients for key in m):
        return None
    return None if condition.op == "eq" and abs(times) != 1 else (name, times, rest)


def _solved(condition: t.Operation, name: str, times: int, rest: Polynomial) -> t.Term:
    """What `times` * m is compared with: as it stands in the file if that says so plainly."""
    for x, other in (condition.args, condition.args[::-1]):
        plain = condition.op in ("le", "ge", "eq") and isinstance(x, t.Variable) and x.name == name
        if plain and not any(isinstance(y, t.Variable) and y.name == name for y in walk(other)):
            return other
    sign = -1 if times > 0 else 1
    return Polynomial({m: sign * c for m, c in rest.coefficients.items()}, rest.atoms).term()


def _among(args: tuple[t.Term, ...], sides: Mapping[str, _Sides]) -> tuple[str, list[int]] | None:
    """A number that is said to be one of some known ones, and those; None for another condition."""
    found = [_equated(x) for x in args]
    names = {name for name, _ in found}
    if len(names) != 1 or not names <= set(sides):
        return None
    return names.pop(), sorted({number for _, number in found})


def _equated(condition: t.Term) -> tuple[str, int]:
    """(m, 3) of m == 3; no name of another condition."""
    if isinstance(condition, t.Operation) and condition.op == "eq" and condition.args[0].type == INT:
        for x, other in (condition.args, condition.args[::-1]):
            number = known_number(other)
            if isinstance(x, t.Variable) and number is not None:
                return x.name, number
    return "", 0


def _needed(bounds: list[LinearBound], above: bool) -> list[LinearBound]:
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
        kept, rest = [_divided(b, above) for b in bounds], []
    compare = at_most if above else at_least
    said: list[t.Term] = [compare(x if b.times == 1 else mul(integer(b.times), x), b.than) for b in rest]
    return extreme("smallest" if above else "largest", tuple(kept)), said


def _divided(b: LinearBound, above: bool) -> t.Term:
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
            if isinstance(x, t.IfElse) and not {_MOVER, *_running(term)} & set(free_names(x.condition)):
                return tuple(_where(move, x.condition, value) for value in (True, False))
    return (move,)


def _running(term: t.Term) -> set[str]:
    """The names that run in a term."""
    return {c.variable for x in walk(term) if isinstance(x, t.Comprehension) for c in x.clauses}


def _where(move: Move, condition: t.Term, value: bool) -> Move:
    """The move where the condition has the value."""

    def change(term: t.Term) -> t.Term:
        if isinstance(term, t.IfElse) and structural_key(term.condition) == structural_key(condition):
            return change(term.then if value else term.other)
        return rebuild(term, change)

    said = condition if value else opposite(condition)
    made = changed(move, change)
    return replace(made, where=without_true(*conditions_of(move), said))


# -- the same with other terms ----------------------------------------------------------------------------------------
def changed(move: Move, change: Callable[[t.Term], t.Term]) -> Move:
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


def copied(move: Move, place: int, used: set[str]) -> Move:
    """The move on another heap, for names that are not used: with a number, and with _ behind that if need be."""
    names: dict[str, str] = {}
    for name in (*move.heaps, *(p.name for p in move.picks)):
        names[name] = numbered(name, place)
        while names[name] in used:
            names[name] += "_"
        used.add(names[name])
    values: dict[str, t.Term] = {x: t.Variable(INT, 0, 0, y) for x, y in names.items()}
    made = changed(move, partial(substitute, values=values))
    picks = tuple(Pick(names[p.name], p.domain) for p in made.picks)
    return replace(made, heaps=tuple(names[h] for h in move.heaps), picks=picks)
