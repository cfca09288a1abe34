"""The moves on one heap as a code for taking and breaking, as in octal games.

A code states which numbers of objects a move may take, and how many heaps it may leave. It is derived from the rules,
and holds for heaps of every size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from claims.language.errors import NimChecksError
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, rebuild, walk
from claims.language.syntax.terms import BOOL, INT, PLAYER, Type
from encoders.compute.arrays.limits import SAFE, TooLarge
from encoders.compute.arrays.moves import Evaluator, Parameters
from encoders.compute.arrays.values import Array, Frame, Ragged, Scalars, list_distinct

# == atoms ============================================================================================================
# Conditions on one move, as linear comparisons between the numbers that it takes and leaves.
#
# A move on a heap of x + y + t takes t objects and leaves parts x and y, which may be empty. If each number that the
# mover picks is one of these three, up to a constant, a condition compares a linear form in them with 0.
Coefficients = dict[str, int]
"""A linear form: variable -> nonzero coefficient; the constant has the key ""."""

Constant = Callable[[t.Term], int | None]
"""A function that returns the value of a term without variables; None if it is not a defined integer or truth value."""


class Unread(NimChecksError):
    """A move has a form that is not supported; the message gives the reason. Its picks are then tried one by one."""


def add(a: Coefficients, b: Coefficients, times: int = 1) -> Coefficients:
    """Return the linear form a + times * b."""
    names = dict.fromkeys((*a, *b))
    return {n: v for n in names if (v := a.get(n, 0) + times * b.get(n, 0))}


def read_form(term: t.Term, constant: Constant) -> Coefficients | None:
    """Return a term as a linear form in its variables; None if it is not linear.

    `2 * x - 3` gives `{"x": 2, "": -3}`. `constant` evaluates the terms without variables.
    """
    if not any(find_free_names(term)):
        value = constant(term)
        return None if value is None else {"": value} if value else {}
    match term:
        case t.Variable(name=name):
            return {name: 1}
        case t.Operation(op="add" | "sub" as op, args=(a, b)):
            first, second = read_form(a, constant), read_form(b, constant)
            return None if first is None or second is None else add(first, second, 1 if op == "add" else -1)
        case t.Operation(op="neg", args=(a,)):
            inner = read_form(a, constant)
            return None if inner is None else add({}, inner, -1)
        case t.Operation(op="mul", args=(a, b)):
            first, second = read_form(a, constant), read_form(b, constant)
            if first is None or second is None or (first.keys() - {""} and second.keys() - {""}):
                return None
            factor, form = (first, second) if not first.keys() - {""} else (second, first)
            return add({}, form, factor.get("", 0))
    return None


def substitute_values(term: t.Term, values: Mapping[str, t.Term]) -> t.Term:
    """Return the term in which each variable in `values` is replaced by its term.

    `values` must not contain a variable that is bound in the term.
    """
    if isinstance(term, t.Variable):
        return values.get(term.name, term)
    return rebuild(term, lambda x: substitute_values(x, values))


def substitute(form: Coefficients, values: dict[str, Coefficients]) -> Coefficients:
    """Return the linear form in which each variable is replaced by its linear form in `values`.

    Raise Unread if a variable is not in `values`.
    """
    out: Coefficients = {}
    for name, times in form.items():
        if name and name not in values:
            raise Unread(f"{name} is not a linear form in the numbers taken and left")
        out = add(out, values[name] if name else {"": 1}, times)
    return out


def _show(term: t.Term) -> str:
    """Return a term as text for a message; "..." if it has many parts, or a literal of SAFE or more."""
    parts = list(islice(walk(term), MOST_SHOWN))
    large = any(isinstance(x, t.Literal) and abs(x.value) >= SAFE for x in parts)
    return "..." if large or len(parts) == MOST_SHOWN else print_term(term)


@dataclass(frozen=True)
class HeapAtom:
    """A condition on a move: a linear form is at least 0; if `equal` is true, it is equal to 0.

    The variables of the form are t (the number of objects taken), x and y (the heaps left).
    """

    form: tuple[tuple[str, int], ...]
    equal: bool = False

    @property
    def reach(self) -> int:
        """A bound: if variables are larger, their exact values do not matter for this condition.

        If the condition compares x with y, as in x <= y, only their order matters, and the bound is 0. Raises Unread if
        there is no bound, because the form has coefficients of both signs and does not just compare x with y.
        """
        signs = {value > 0 for name, value in self.form if name}
        constant = dict(self.form).get("", 0)
        if len(signs) <= 1:
            return abs(constant) + 1
        parts = dict(self.form)
        times = abs(parts.get("x", 0))
        alike = parts.keys() - {""} == {"x", "y"} and parts["x"] == -parts["y"]
        if alike and (constant == 0 or (not self.equal and -times <= constant < times)):  # x <= y, or x < y
            return 0
        raise Unread("a condition compares the numbers taken and left with each other")


def make_atom(form: Coefficients, equal: bool = False) -> HeapAtom:
    return HeapAtom(tuple(sorted(form.items())), equal)


_MIRRORED = {"ge": "le", "gt": "lt"}


def read_comparison(op: str, left: t.Term, right: t.Term, form: Callable[[t.Term], Coefficients]) -> list[HeapAtom]:
    """Return conditions on linear forms that together are equivalent to a comparison of two integers.

    There is one exception: for a != b, the result is its negation, the condition a == b. Bounds with `min`, `max` and
    floored quotients are split: a <= min(b, c) becomes a <= b and a <= c, and a <= b // d becomes d * a <= b. Raises
    Unread.

    `op`: "eq", "ne", "lt", "le", "gt" or "ge". `form`: converts a term to a linear form.
    """
    if op in _MIRRORED:
        return read_comparison(_MIRRORED[op], right, left, form)
    if op in ("eq", "ne"):
        return [make_atom(add(form(left), form(right), -1), equal=True)]
    match left, right:
        case t.Operation(op="largest", args=args), _:
            return [x for a in args for x in read_comparison(op, a, right, form)]
        case _, t.Operation(op="smallest", args=args):
            return [x for a in args for x in read_comparison(op, left, a, form)]
        case _, t.Operation(op="floordiv", args=(a, b)) if any(find_free_names(a)):
            by = form(b)
            if by.keys() - {""} or by.get("", 0) < 1:
                raise Unread("the divisor of a floored quotient is not a positive constant")
            least = add(form(left), {"": 1}) if op == "lt" else form(left)
            return [make_atom(add(form(a), least, -by[""]))]
    difference = add(form(right), form(left), -1)
    return [make_atom(add(difference, {"": -1}) if op == "lt" else difference)]


# == code =============================================================================================================
# The code of a game of taking and breaking: the numbers that a move may take, and the heaps that it may leave.
#
# Source: Guy and Smith (1956). Here a move may take any number of objects, and a split into equal halves is separate.
@dataclass(frozen=True)
class MoveKind:
    """One move of a ruleset on one heap, described by the numbers of objects that it may take.

    `end[t]`: whether the move may take t objects and leave nothing.
    `one[t]`: whether the move may take t objects and leave one heap.
    `tail`: two truth values, which replace `end[t]` and `one[t]` for every t beyond these arrays.
    `two`: the numbers of objects that the move may take and leave two different heaps.
    `equal`: the numbers of objects that the move may take and leave two equal heaps.
    `sieve`: a further condition for `end` and `one`: it returns, for an array of numbers t, whether each of them may be
    taken. None if there is no further condition.
    """

    end: Array
    one: Array
    tail: tuple[bool, bool]
    two: frozenset[int]
    equal: frozenset[int]
    sieve: Callable[[Array], Array] | None


@dataclass(frozen=True)
class Code:
    """All moves of one mover on one heap, of any size.

    `kinds`: the moves. `two`, `equal`: the numbers in `two` and `equal` of all kinds together, ascending.
    """

    kinds: tuple[MoveKind, ...]
    two: tuple[int, ...]
    equal: tuple[int, ...]

    @property
    def splits(self) -> bool:
        """Whether a move may leave two heaps."""
        return bool(self.two or self.equal)

    def may_split(self, size: int) -> Array:
        """Return an array: element [h] is whether a move on a heap h may leave two heaps, for h = 0, ..., `size`."""
        heaps = np.arange(size + 1)
        found = np.asarray(heaps >= min(self.two, default=size) + 3)
        for taken in self.equal:
            found |= (heaps >= taken + 2) & ((heaps - taken) % 2 == 0)
        return found

    def list_takes(self, size: int) -> tuple[Array, Array]:
        """Return two arrays: element [t] is whether a move may take t objects, for t = 0, ..., `size`.

        The first array is about moves that leave nothing, the second about moves that leave one heap. Raise Unread if a
        condition is undefined for some t.
        """
        end, one = np.zeros(size + 1, dtype=bool), np.zeros(size + 1, dtype=bool)
        for kind in self.kinds:
            for out, part, tail in ((end, kind.end, kind.tail[0]), (one, kind.one, kind.tail[1])):
                if kind.sieve is None:
                    out[: len(part)] |= part[: size + 1]
                    if tail:
                        out[len(part) :] = True
                    continue
                mine = np.full(size + 1, tail)
                mine[: len(part)] = part[: size + 1]
                at = np.flatnonzero(mine)
                if len(at):
                    out[at] |= kind.sieve(at)
        return end, one


def ends(code: Code, weights: Array | None) -> bool:
    """Whether a simple test shows that every move decreases the sum of the weights of the heaps.

    `weights[h]`: the weight of a heap h; None if the weight of each heap is its size. If the result is False, the moves
    may still decrease the sum; they must be checked one by one.
    """
    if weights is None:
        end, one = code.list_takes(0)
        return not (end[0] or one[0] or 0 in (*code.two, *code.equal))
    end, one = code.list_takes(len(weights) - 1)
    if not (weights[end] > 0).all() or one[0] or (one.any() and not (weights[2:] > weights[1:-1]).all()):
        return False
    if not code.splits or len(weights) < 3:
        return True
    steps = np.diff(weights)[1:]  # the increase from each heap to the next
    least, first = min((*code.two, *code.equal)), int(weights[1])
    if (steps == steps[0]).all():  # weights a * h + b: two heaps weigh a * taken less, and b more
        return int(steps[0]) * least > first - int(steps[0])
    # Convex weights: two heaps weigh no more than one heap of their sum, and less if the growth is strict.
    growth = np.diff(steps, prepend=first)
    return bool((growth > 0).all() or ((growth >= 0).all() and (steps > 0).all() and least > 0))


# == bounded differences ==============================================================================================
# A move that leaves max(h - m, 0) is replaced by several moves. One of them leaves h - m if m <= h. For each m, another
# move takes a complete heap that is smaller than m.
MOST = 400  # bound for the number of values m
ZERO = t.Literal(INT, 0, 0, 0)


def list_cases(move: Move, evaluator: Evaluator, values: Mapping[str, t.Term]) -> Iterator[Move]:
    """Replace a move that leaves max(a, 0) by moves that leave a or nothing. Together they have the same options.

    For other moves, yield the move unchanged. `values`: the values of the parameters and of the mover. Raise Unread if
    the move has several heaps or not exactly one pick, or if its picks are unsuitable (see `_list_values`).
    """
    if len(move.become) != 1 or (left := _read_max_with_zero(move.become[0])) is None:
        yield move
        return
    if len(move.picks) != 1 or len(move.heaps) != 1:
        raise Unread("a move that leaves max(..., 0) must choose exactly one heap and have exactly one pick")
    (pick,) = move.picks
    yield replace(move, result=(left,), where=_conjoin(move.where, t.Operation(BOOL, 0, 0, "ge", (left, ZERO))))
    below = _conjoin(move.where, t.Operation(BOOL, 0, 0, "lt", (left, ZERO)))
    for m in _list_values(pick.domain, evaluator, values):
        chosen = substitute_values(below, {pick.name: t.Literal(INT, 0, 0, m)})
        yield replace(move, picks=(), result=(), where=chosen)


def _read_max_with_zero(term: t.Term) -> t.Term | None:
    """Return a for a term max(a, 0) or max(0, a), and None for any other term."""
    match term:
        case (
            t.Operation(op="largest", args=(a, t.Literal(value=0)))
            | t.Operation(op="largest", args=(t.Literal(value=0), a))
        ):
            return a
    return None


def _conjoin(where: t.Term | None, term: t.Term) -> t.Term:
    return term if where is None else t.AllOf(BOOL, 0, 0, (where, term))


def _list_values(domain: IntervalDomain | t.Term, evaluator: Evaluator, values: Mapping[str, t.Term]) -> list[int]:
    """Return the numbers that may be picked from a domain.

    Raise Unread if they depend on the heap, are undefined, or are more than MOST.
    """
    if isinstance(domain, IntervalDomain):
        assert domain.hi is not None
        lo, hi = (_evaluate(substitute_values(x, values), evaluator) for x in (domain.lo, domain.hi))
        if not isinstance(lo, int) or not isinstance(hi, int) or hi - lo >= MOST:
            raise Unread(
                "the picks of a move that leaves max(..., 0) depend on the heap, are undefined, or are too many"
            )
        return list(range(lo, hi + 1))
    found = _evaluate(substitute_values(domain, values), evaluator)
    if not isinstance(found, list) or len(found) > MOST:
        raise Unread(
            "the set of picks of a move that leaves max(..., 0) depends on the heap, is undefined, or is too large"
        )
    return found


def _evaluate(term: t.Term, evaluator: Evaluator) -> int | list[int] | None:
    if any(find_free_names(term)):
        return None
    match evaluator.evaluate(term, Frame(1, 1)):
        case Scalars(data=data, bad=None) if data.dtype != object:
            return int(data[0, 0])
        case Ragged(items=items, bad=None) if items.dtype != object:
            return [int(x) for x in list_distinct(items)]
    return None


# == reading ==========================================================================================================
# The code of the moves of a ruleset on one heap, derived from its terms.
#
# The conditions of a supported move compare linear forms in t (taken) and x and y (left). From some bound on, the
# numbers do not change the results of such comparisons, except for the order of x and y. The code is therefore found by
# evaluation of the move's own terms at small x, y and t, and holds for all heaps.
MOST_SMALL = 200_000  # triples (x, y, t) at which one move is evaluated
MOST_LISTED = 100_000  # numbers in a list that is the value of a parameter
MOST_SPLITS = 64  # numbers that may be taken in a move that leaves two heaps
MOST_SHOWN = 60  # parts of a term that a message shows
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def read_code(ruleset: Ruleset, evaluator: Evaluator, parameters: Parameters, mover: int) -> Code:
    """Return the moves of a player on one heap as a code. The moves must not refer to the position.

    Raises Unread if they do not have this form, OutOfTime, and TooLarge.
    """
    values: dict[str, t.Term] = {"mover": t.Literal(PLAYER, 0, 0, mover)}
    for p, value in zip(ruleset.parameters, parameters, strict=True):
        if isinstance(value, tuple) and len(value) > MOST_LISTED:
            raise Unread(f"a parameter is a list of more than {MOST_LISTED} numbers")
        values[p.name] = _write(value, p.type)
    moves = (case for move in ruleset.moves for case in list_cases(move, evaluator, values))
    kinds = tuple(_Reader(move, evaluator, values).read() for move in moves)
    two, equal = (frozenset[int]().union(*x) for x in ((k.two for k in kinds), (k.equal for k in kinds)))
    return Code(kinds, tuple(sorted(two)), tuple(sorted(equal)))


def _write(value: int | tuple[int, ...], kind: Type) -> t.Term:
    if isinstance(value, int):
        return t.Literal(INT, 0, 0, value)
    return t.Collection(kind, 0, 0, tuple(t.Literal(INT, 0, 0, x) for x in value))


@dataclass
class _Reader:
    """The derivation of the code of one move.

    The move turns a heap of x + y + t into heaps x and y, by taking t objects; x and y may be 0.

    `values`: the values of the parameters and of the mover, as terms.
    `places`: the chosen heap and the picks, as linear forms in x, y and t.
    `atoms`: all comparisons in the conditions of the move. `needed`: those that must hold in every legal move.
    `tests`: the conditions that are evaluated, in this order, at small x, y and t.
    `among`: picks from a set: the name of the pick, and the numbers in the set.
    `sieves`: conditions on t alone that are evaluated later, each with the least t for which it is needed.
    """

    move: Move
    evaluator: Evaluator
    values: dict[str, t.Term]
    places: dict[str, Coefficients] = field(default_factory=dict)
    atoms: list[HeapAtom] = field(default_factory=list)
    needed: list[HeapAtom] = field(default_factory=list)
    tests: list[t.Term] = field(default_factory=list)
    among: list[tuple[str, Array]] = field(default_factory=list)
    sieves: list[tuple[t.Term, int]] = field(default_factory=list)

    def read(self) -> MoveKind:
        """Return the code of the move. Raise Unread if the form of the move is not supported."""
        move = self.move
        if len(move.heaps) != 1 or move.choose not in ("any", "largest", "smallest"):
            raise Unread("a move chooses several heaps")
        self._place()
        for pick in move.picks:
            if isinstance(pick.domain, IntervalDomain):
                assert pick.domain.hi is not None
                name = t.Variable(INT, 0, 0, pick.name)
                self._require(self._substitute(pick.domain.lo), "le", name)
                self._require(name, "le", self._substitute(pick.domain.hi))
            else:
                self._draw(pick.name, self._substitute(pick.domain))
        if move.where is not None:
            for part in t.conjuncts(self._substitute(move.where)):
                self._filter(part)
        return self._evaluate(self._find_bound())

    def _substitute(self, term: t.Term) -> t.Term:
        """Return the term in which the parameters and the mover are replaced by their values."""
        return substitute_values(term, self.values)

    def _constant(self, term: t.Term) -> int | None:
        value = self.evaluator.evaluate(term, Frame(1, 1))
        if not isinstance(value, Scalars) or value.bad is not None or value.data.dtype == object:
            return None
        found = int(value.data[0, 0])
        return found if abs(found) < SAFE else None

    def _form(self, term: t.Term) -> Coefficients:
        """Return a term as a linear form in the number taken and the heaps left. Raise Unread if it is not linear."""
        form = read_form(term, self._constant)
        if form is None:
            raise Unread(f"{_show(term)} in a move is not linear in the heap and the picks")
        return substitute(form, self.places)

    # -- the meaning of x, y and t ------------------------------------------------------------------------------------
    def _place(self) -> None:
        """Express the heap and each pick by t (the number taken) and x, y (the heaps left). Store this in `places`.

        Each pick must be equal to x, y or t, up to a constant. Otherwise raise Unread.
        """
        heap = self.move.heaps[0]
        sizes = [read_form(self._substitute(x), self._constant) for x in self.move.become]
        parts = [x for x in sizes if x != {}]
        if len(parts) > 2:
            raise Unread(f"a move may leave {len(parts)} heaps; for large heaps at most two are supported")
        if any(x is None or not x.keys() - {""} for x in parts):
            raise Unread("the size of a heap that is left is a constant, or is not linear in the heap and the picks")
        forms = dict(zip("xy", (x for x in parts if x is not None), strict=False))
        taken: Coefficients = {heap: 1}
        for form in forms.values():
            taken = add(taken, form, -1)
        fixed = not taken.keys() - {""}
        unit: Coefficients = dict(taken) if fixed else {"t": 1}
        for name in forms:
            unit = add(unit, {name: 1})
        self.places[heap] = unit
        for pick in self.move.picks:
            for name, form in (*forms.items(), ("t", taken)):
                if form.keys() - {""} == {pick.name} and form[pick.name] == 1:
                    self.places[pick.name] = add({name: 1}, {"": form.get("", 0)}, -1)
                    break
            else:
                raise Unread(f"the pick {pick.name} is neither the number taken nor a heap that is left")
        if not forms:  # the move takes a whole heap, of at least 1
            self.needed.append(make_atom({"t": 1, "": -1}))
        same = [make_atom(add(substitute(form, self.places), {name: 1}, -1), True) for name, form in forms.items()]
        if fixed:
            same.append(make_atom(add({"t": 1}, taken, -1), True))
        self.atoms += same  # the sizes left and the number taken, as the file defines them
        self.needed += same

    # -- conditions ---------------------------------------------------------------------------------------------------
    def _require(self, left: t.Term, op: str, right: t.Term) -> None:
        self._filter(t.Operation(BOOL, 0, 0, op, (left, right)))

    def _draw(self, name: str, source: t.Term) -> None:
        """Add the condition that the pick `name` is in the set or list `source`. Raise Unread."""
        if isinstance(source, t.Comprehension) and source.reducer in ("set", "list") and len(source.clauses) == 1:
            clause = source.clauses[0]
            if not isinstance(source.body, t.Variable) or source.body.name != clause.variable:
                raise Unread(
                    f"{name} is picked from a set such as {{2 * x for x in ...}}; expected {{x for x in ... if ...}}"
                )
            self._draw(name, clause.source)
            own = {clause.variable: t.Variable(INT, 0, 0, name)}
            for condition in clause.conditions:
                for part in t.conjuncts(condition):
                    self._filter(substitute_values(part, own))
            return
        if any(find_free_names(source)):
            raise Unread(f"the set {_show(source)}, from which {name} is picked, depends on the heap")
        value = self.evaluator.evaluate(source, Frame(1, 1))
        if not isinstance(value, Ragged) or value.bad is not None or value.items.dtype == object:
            raise Unread(f"the set from which {name} is picked is undefined, or contains numbers of 2^62 or more")
        found = list_distinct(value.items)
        self.among.append((name, found))
        place = self.places[name]
        reach = int(np.abs(found).max(initial=0)) + abs(place.get("", 0)) + 1
        (variable,) = place.keys() - {""}
        self.atoms.append(make_atom({variable: 1, "": -reach}))
        self.needed += [make_atom({variable: 1, "": -int(found.min()) + place.get("", 0)})] if len(found) else []

    def _filter(self, term: t.Term) -> None:
        """Add a condition that must hold in every legal move. Raise Unread if its form is not supported.

        A condition on the number taken alone may have any form. If it cannot be evaluated for all numbers now, it is
        stored in `sieves`.
        """
        self.tests.append(term)
        mark = len(self.atoms)
        try:
            if isinstance(term, t.Operation) and term.op in ("eq", "lt", "le", "gt", "ge"):
                left, right = term.args
                read = read_comparison(term.op, left, right, self._form)
                self.needed += read
                self.atoms += read
            else:
                self._look(term)
        except Unread:
            del self.atoms[mark:]
            try:
                self._read_bounded(term)
            except Unread:
                if not self._is_of_taken(term):
                    raise
                self.tests.pop()
                self.sieves.append((term, self._find_least_taken()))

    def _look(self, term: t.Term) -> None:
        """Add the comparisons in a condition to `atoms`. Raise Unread if its form is not supported."""
        if not any(find_free_names(term)):
            if self._constant(term) is None:
                raise Unread(f"the condition {_show(term)} is undefined")
            return
        match term:
            case t.AllOf(args=args) | t.AnyOf(args=args) | t.Operation(op="not", args=args):
                for x in args:
                    self._look(x)
            case t.IfElse(condition=c, then=x, other=y) if term.type == BOOL:
                for part in (c, x, y):
                    self._look(part)
            case t.Operation(op=op, args=(a, b)) if op in _COMPARISONS and a.type == b.type == INT:
                self._compare(op, a, b)
            case t.Operation(op="in", args=(a, b)) if not any(find_free_names(b)):
                value = self.evaluator.evaluate(b, Frame(1, 1))
                if not isinstance(value, Ragged) or value.bad is not None or value.items.dtype == object:
                    raise Unread("a set in a condition is undefined, or contains numbers of 2^62 or more")
                reach = int(np.abs(value.items).max(initial=0))
                self.atoms += [make_atom(add(self._form(a), {"": x})) for x in (-reach - 1, reach + 1)]
            case _:
                self._read_bounded(term)

    def _compare(self, op: str, a: t.Term, b: t.Term) -> None:
        mark = len(self.atoms)
        try:
            self.atoms += read_comparison(op, a, b, self._form)
        except Unread:
            del self.atoms[mark:]
            self._read_bounded(t.Operation(BOOL, 0, 0, op, (a, b)))

    def _read_bounded(self, term: t.Term) -> None:
        """Raise Unread unless a condition depends only on the number taken, and can be evaluated for all such numbers.

        The second requirement means that the number has an upper bound, and that the condition is always defined.
        """
        largest = self._find_largest_taken()
        if not self._is_of_taken(term):
            raise Unread(
                f"the condition {_show(term)} of a move is not a comparison of linear terms, and is not about the "
                "number taken alone"
            )
        if largest is None:
            raise Unread(f"the condition {_show(term)} is about the number taken, which has no upper bound")
        self._ask(term, np.arange(self._find_least_taken(), largest + 1))

    def _is_of_taken(self, term: t.Term) -> bool:
        """Whether a condition has exactly one variable, and this variable is the number taken, up to a constant."""
        names = set(find_free_names(term))
        return len(names) == 1 and self.places.get(min(names), {}).keys() - {""} == {"t"}

    def _ask(self, term: t.Term, taken: Array) -> Array:
        """Return, for each number in `taken`, whether a condition on the number taken holds.

        Raise Unread if the condition is undefined for one of the numbers.
        """
        (name,) = set(find_free_names(term))
        values = taken + self.places[name].get("", 0)
        frame = Frame(1, len(taken), {name: Scalars(values[None, :])})
        try:
            found = self.evaluator.evaluate_scalars(term, frame)
        except TooLarge:
            raise Unread(f"the condition {_show(term)} would have to be evaluated for too many numbers") from None
        if found.bad is not None:
            raise Unread(f"the condition {_show(term)} is undefined for some number taken")
        return np.asarray(np.broadcast_to(found.data, (1, len(taken)))[0])

    def _find_largest_taken(self) -> int | None:
        """Return an upper bound of the number taken that follows from the conditions so far; None if there is none."""
        ends = [high for _, high in self._list_bounds() if high is not None]
        return min(ends) if ends else None

    def _find_least_taken(self) -> int:
        """Return a lower bound of the number taken that follows from the conditions so far.

        Raise Unread if the number may be negative.
        """
        starts = [low for low, _ in self._list_bounds() if low is not None]
        if not starts or max(starts) < 0:
            raise Unread("the number taken may be negative")
        return max(starts)

    def _list_bounds(self) -> Iterator[tuple[int | None, int | None]]:
        """Yield pairs (low, high) such that every legal move takes at least `low` and at most `high` objects.

        None instead of a number means that there is no bound.
        """
        for atom in self.needed:
            form = dict(atom.form)
            times, constant = form.pop("t", 0), form.pop("", 0)
            if times and not form:
                low, high = -(constant // times), constant // -times
                yield (low, high) if atom.equal else (low, None) if times > 0 else (None, high)
        for name, values in self.among:
            if self.places[name].keys() - {""} == {"t"} and len(values):
                constant = self.places[name].get("", 0)
                yield int(values.min()) - constant, int(values.max()) - constant

    # -- the code -----------------------------------------------------------------------------------------------------
    def _find_bound(self) -> int:
        """Return a bound K: if the number taken or a heap left is at least K, its exact size does not matter.

        Only the order of two heaps left may still matter for the conditions of the move. Raise Unread if there is no
        such bound, if it is too large, or if one of these numbers may be negative.
        """
        forms = [dict(atom.form) for atom in self.needed]
        for name in self._variables():
            if not any(_is_least(form, atom.equal, name) for form, atom in zip(forms, self.needed, strict=True)):
                order = {"y": 1, "x": -1} if name == "y" else {"x": 1, "y": -1}
                if name == "t" or not any(_is_order(form, order) for form in forms):
                    raise Unread("the number taken or a heap that is left may be negative")
        bound = max((atom.reach for atom in self.atoms), default=0) + 1
        largest = self._find_largest_taken()
        bound = max(bound, 2, 0 if largest is None else largest + 2)
        if (bound + 2) ** len(self._variables()) > MOST_SMALL:
            raise Unread("the constants in the conditions of a move are too large")
        return bound

    def _variables(self) -> list[str]:
        return sorted(({"t"} | self.places[self.move.heaps[0]].keys()) - {""})

    def _evaluate(self, bound: int) -> MoveKind:
        """Return the code of the move. Raise Unread.

        The conditions of the move are evaluated for the heaps left 0, ..., `bound` + 1 and the numbers taken 0, ...,
        `bound`.
        """
        pair = "y" in self._variables()
        single = np.arange(bound + 2 if "x" in self._variables() else 1)
        x, y, taken = (
            a.ravel()
            for a in np.meshgrid(single, single if pair else np.zeros(1, int), np.arange(bound + 1), indexing="ij")
        )
        legal = np.asarray(x + y + taken > 0)
        names = {"x": x, "y": y, "t": taken, "": np.ones_like(x)}

        def compute(form: Iterable[tuple[str, int]]) -> Array:
            form = list(form)
            if sum(abs(times) for _, times in form) * (bound + 2) >= SAFE:
                raise Unread("the constants in the conditions of a move are too large")
            return np.asarray(sum((names[v] * times for v, times in form), np.zeros_like(x)))

        places = {name: compute(form.items()) for name, form in self.places.items()}
        frame = Frame(1, len(x), {name: Scalars(v[None, :]) for name, v in places.items()})
        for atom in self.needed:
            if atom.equal:
                legal &= np.asarray(compute(atom.form) == 0)
        for name, values in self.among:
            legal &= np.isin(places[name], values)
        for test in self.tests:
            value = self.evaluator.evaluate_scalars(test, frame)
            if value.bad is not None and bool((np.broadcast_to(value.bad, (1, len(x)))[0] & legal).any()):
                raise Unread(f"the condition {_show(test)} is undefined for some move")
            legal &= np.broadcast_to(value.data, (1, len(x)))[0]
        cube = legal.reshape(len(single), len(single) if pair else 1, bound + 1)
        return self._shape(cube, bound)

    def _shape(self, cube: Array, bound: int) -> MoveKind:
        """Return the code of the move. `cube[x, y, t]`: whether it is legal to take t objects and leave heaps x and y.

        In a code, this may depend only on t, on which of x and y are 0, and on whether they are equal. Otherwise raise
        Unread.
        """
        n = max(cube.shape[:2])
        either = np.zeros((n, n, bound + 1), dtype=bool)
        either[: cube.shape[0], : cube.shape[1]] |= cube
        either[: cube.shape[1], : cube.shape[0]] |= np.swapaxes(cube, 0, 1)
        end = either[0, 0]
        none = np.zeros((1, bound + 1), dtype=bool)
        upper = either[np.triu_indices(n, 1)].reshape(-1, bound + 1)
        first = np.triu_indices(n, 1)[0] == 0
        kinds = [upper[first], upper[~first], np.array([either[i, i] for i in range(1, n)])]
        one, two, equal = (x if len(x) else none for x in kinds)
        for rows in (one, two, equal):
            if not (rows == rows[0]).all():
                raise Unread("whether a move is legal depends on the sizes of the heaps that it leaves")
        if two[0, bound] or equal[0, bound] or (self.sieves and (two[0].any() or equal[0].any())):
            raise Unread("a move that leaves two heaps may take arbitrarily many objects")
        splits = [frozenset(np.flatnonzero(x[0]).tolist()) for x in (two, equal)]
        if max(map(len, splits)) > MOST_SPLITS:
            raise Unread(f"more than {MOST_SPLITS} numbers may be taken to leave two heaps")
        tail = bool(end[bound]), bool(one[0, bound])
        return MoveKind(end[:bound], one[0, :bound], tail, splits[0], splits[1], self._sift if self.sieves else None)

    def _sift(self, taken: Array) -> Array:
        """Return, for each number in `taken`, whether all `sieves` hold. Raise Unread if one of them is undefined."""
        held = np.ones(len(taken), dtype=bool)
        for term, least in self.sieves:
            held &= self._ask(term, np.arange(least, int(taken.max(initial=least)) + 1))[taken - least]
        return held


def _is_least(form: Coefficients, equal: bool, name: str) -> bool:
    """Whether `form` >= 0 (or `form` == 0 if `equal` is true) implies `name` >= 0, where `name` is a variable."""
    if form.keys() - {name, ""}:
        return False
    times, constant = form.get(name, 0), form.get("", 0)
    if equal and times:
        return -constant * times >= 0
    return times > 0 and constant < times


def _is_order(form: Coefficients, order: Coefficients) -> bool:
    """Whether `form` >= 0 implies `order` >= 0, where `order` is a difference such as x - y."""
    times = [form.get(n, 0) * v for n, v in order.items()]
    return form.keys() - {""} == order.keys() and times[0] == times[1] > form.get("", 0)
