"""The moves of a ruleset on a single heap of any size, determined from all options of small heaps.

A move takes t objects from a heap of h and leaves parts x and y, which may be empty: h = x + y + t. This module needs
two assumptions:
- each number that the player chooses in a move is t, x or y, up to a constant;
- each comparison in the rules compares x with y, or compares a sum of some of t, x and y with a constant.

Then there is a bound K with the following property. Let (t, x, y) and (t', x', y') agree in min(t, K), min(x, K),
min(y, K) and the order of x and y. Then every comparison has the same result for both triples, so the rules allow both
or neither. Therefore the options of the heaps up to 3 * K + 2 determine the options of all heaps. This module computes
the options of these heaps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from checks.referee.meaning import IllDefined, Values, as_elements, as_integer
from checks.referee.play import RefereeGame
from claims.language.errors import NimChecksError
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value
from claims.language.syntax.printing import find_free_names, rebuild
from claims.language.syntax.terms import BOOL, INT

MOST, MOST_ALONE = 60, 400  # the largest K: in general (the engine supports less); if no move leaves two heaps
Sum = dict[str, int]
"""A linear form in variables such as t, x and y: `{"x": 2, "1": -3}` is 2x - 3. The constant has the key "1"."""


class Unknown(NimChecksError):
    """The rules do not have the required form, so their moves on large heaps are unknown."""


@dataclass(frozen=True)
class TakeSets:
    """The numbers of objects that a move may take from a heap, depending on what the move leaves of this heap.

    `end`, `one`, `two`, `equal`: the numbers below `bound` that may be taken if the move leaves nothing, one heap, two
    different heaps, or two equal heaps. The number 0 occurs only in `two` and `equal`.
    `all_end`: whether every number from `bound` on may be taken if the move leaves nothing.
    `all_one`: whether every number from `bound` on may be taken if the move leaves one heap.
    """

    bound: int
    end: frozenset[int]
    one: frozenset[int]
    two: frozenset[int]
    equal: frozenset[int]
    all_end: bool
    all_one: bool


def read_breaking(game: RefereeGame, mover: int = 0) -> TakeSets:
    """Return the numbers of objects that the mover may take from a single heap of any size.

    They are derived from the options of small heaps, as the docstring of this module describes. Raises Unknown if the
    rules do not satisfy its assumptions, IllDefined if the rules are invalid, and LimitReached.
    """
    _require_one_heap(game)
    cases = [case for move in game.ruleset.moves for case in _list_cases(move, game, mover)]
    bound = max(_Rule(case, game, mover).find_bound() for case in cases)
    alone = all(len(move.become) < 2 for move in game.ruleset.moves)
    if bound > (MOST_ALONE if alone else MOST):
        raise Unknown
    return _play(game, mover, bound, alone)


def _list_cases(move: Move, game: RefereeGame, mover: int) -> list[Move]:
    """Split a move that leaves max(h - m, 0) into moves without a maximum, which together allow the same options.

    The first move leaves h - m and requires h >= m. For each number m that the player may choose, a further move takes
    the whole heap if h < m. If the move has another form, return [move].
    """
    match move.become:
        case (t.Operation(op="largest", args=(a, b)),) if len(move.picks) == 1:
            rule, (pick,) = _Rule(move, game, mover), move.picks
            left = next((x for x, y in ((a, b), (b, a)) if isinstance(y, t.Literal) and y.value == 0), None)
            if left is None:
                raise Unknown
            zero = t.Literal(INT, 0, 0, 0)
            more, less = (t.Operation(BOOL, 0, 0, op, (left, zero)) for op in ("ge", "lt"))
            found = [replace(move, result=(left,), where=_conjoin(move.where, more))]
            for m in rule.list_picked(pick.domain):
                chosen = _fill_in(_conjoin(move.where, less), pick.name, m)
                found.append(replace(move, picks=(), result=(), where=chosen))
            return found
    return [move]


def _conjoin(where: t.Term | None, term: t.Term) -> t.Term:
    return term if where is None else t.AllOf(BOOL, 0, 0, (where, term))


def _fill_in(term: t.Term, name: str, value: int) -> t.Term:
    """Return the term in which the number `value` replaces the variable `name`."""
    if isinstance(term, t.Variable) and term.name == name:
        return t.Literal(INT, 0, 0, value)
    return rebuild(term, lambda x: _fill_in(x, name, value))


def read_takes(game: RefereeGame, mover: int, size: int) -> TakeSets:
    """Return the numbers of objects that the mover may take from heaps up to `size`, by testing each number.

    This requires that every move takes m objects from a heap and leaves one heap or nothing, and that the rules depend
    only on m, in any way. Raises Unknown if they do not. Also raises IllDefined and LimitReached.
    """
    _require_one_heap(game)
    end, one = set[int](), set[int]()
    for move in game.ruleset.moves:
        rule = _Rule(move, game, mover)
        least, whole = rule.find_takes()
        for taken in range(least, size + 1):
            if rule.allows(taken):
                if taken < 1:
                    raise Unknown
                one.add(taken)
                end |= {taken} if whole else set()
    nothing = frozenset[int]()
    return TakeSets(size + 1, frozenset(end), frozenset(one), nothing, nothing, all_end=False, all_one=False)


def _require_one_heap(game: RefereeGame) -> None:
    """Raise Unknown if a move may choose several heaps, or may depend on other heaps."""
    if game.ruleset.sees_position or any(len(m.heaps) != 1 or m.choose == "each" for m in game.ruleset.moves):
        raise Unknown


def _play(game: RefereeGame, mover: int, bound: int, alone: bool) -> TakeSets:
    """Compute the options of all heaps up to 3 * `bound` + 2, and return the numbers of objects that may be taken.

    `alone`: whether no move leaves two heaps.
    Raises Unknown unless the following two facts determine whether a move is legal: min(t, `bound`) for the number t of
    objects taken, and whether the move leaves nothing, one heap, two different heaps or two equal heaps.
    """
    seen: dict[tuple[int, str], set[bool]] = {}
    for h in range(1, 3 * bound + 3):
        options = set(game.options((h,), mover))
        if any(len(s) > (1 if alone else 2) for s in options):
            raise Unknown
        for taken in range(h + 1):
            kinds = {(x, h - taken - x) for x in range(1 if alone else (h - taken) // 2 + 1)}
            for x, y in kinds:
                kind = "end" if not y else "one" if not x else "two" if x < y else "equal"
                seen.setdefault((min(taken, bound), kind), set()).add(tuple(p for p in (x, y) if p) in options)
    if any(len(found) > 1 for found in seen.values()):
        raise Unknown
    allowed = {kind: {n for (n, k), found in seen.items() if k == kind and True in found} for kind in _KINDS}
    if bound in allowed["two"] | allowed["equal"]:  # 0 is in no other set: such a move is ill-defined
        raise Unknown
    end, one, two, equal = (frozenset(n for n in allowed[kind] if n < bound) for kind in _KINDS)
    return TakeSets(bound, end, one, two, equal, all_end=bound in allowed["end"], all_one=bound in allowed["one"])


_KINDS = ("end", "one", "two", "equal")


class _Rule:
    """The rules for one kind of move on a single heap, in terms of three numbers t, x and y.

    The move takes t objects and leaves two heaps of x and y, which may be empty.
    """

    def __init__(self, move: Move, game: RefereeGame, mover: int) -> None:
        self.move, self.game = move, game
        self.given: Values = {**game.parameters, "mover": mover}
        self.means: dict[str, Sum] = {}
        self.reach = 1
        self.least: set[str] = set()  # the names among t, x, y that the rules keep non-negative
        self.ordered = False  # whether x <= y, or y <= x, must hold
        self.most_taken: int | None = None
        self.least_taken = 0

    def find_bound(self) -> int:
        """Return a bound K beyond which the rules do not distinguish numbers.

        If two moves agree in min(t, K), min(x, K), min(y, K) and the order of x and y, both are legal, or neither is.
        Raises Unknown if the rules do not satisfy the assumptions in the docstring of this module.
        """
        move = self.move
        parts = [s for s in map(self._affine, move.become) if s]
        if len(parts) > 2:
            raise Unknown
        rest: Sum = {move.heaps[0]: 1}
        for part in parts:
            rest = _plus(rest, part, -1)
        if not parts:
            self.least.add("t")  # the whole heap, at least 1
        named = [("t", rest), *zip("xy", parts, strict=False)]
        for pick in move.picks:
            found = [(name, s) for name, s in named if s.keys() - {"1"} == {pick.name} and s[pick.name] == 1]
            if not found:
                raise Unknown
            name, form = found[0]
            self.means[pick.name] = _plus({name: 1}, {"1": form["1"]} if "1" in form else {}, -1)
        fixed = not rest.keys() - {"1"}
        self.means[move.heaps[0]] = _plus(rest if fixed else {"t": 1}, dict.fromkeys("xy"[: len(parts)], 1))
        if fixed:
            self._meet({"t": 1}, "==", rest, demanded=True)
        for name, form in named[1:]:
            self._meet({name: 1}, "==", self._translate(form), demanded=True)
        self._read_conditions()
        safe = {"t", *"xy"[: len(parts)]} - self.least
        if safe and not (self.ordered and safe < {"x", "y"}):
            raise Unknown
        return self.reach + 1

    def find_takes(self) -> tuple[int, bool]:
        """Return the least number m that the player may choose, and whether m may be h, for a move from h to h - m.

        Raises Unknown if the move has another form, if the largest allowed m is neither h - 1 nor h, or if a rule
        depends on h in another way.
        """
        move = self.move
        if len(move.picks) != 1 or not isinstance(move.picks[0].domain, IntervalDomain):
            raise Unknown
        (pick,), (heap,), interval = move.picks, move.heaps, move.picks[0].domain
        assert interval.hi is not None
        left = [x for x in map(self._affine, move.become) if x]
        most = self._affine(interval.hi)
        spared = -most.pop("1", 0)
        if left != [{heap: 1, pick.name: -1}] or most != {heap: 1} or spared not in (0, 1):
            raise Unknown
        if move.where is not None and not set(find_free_names(move.where)) <= {*self.given, pick.name}:
            raise Unknown
        return as_integer(self._constant(interval.lo)), not spared

    def list_picked(self, domain: IntervalDomain | t.Term) -> list[int]:
        """Return the numbers that the player may choose from a domain. Raises Unknown if they depend on the heap."""
        if not isinstance(domain, IntervalDomain):
            return [as_integer(v) for v in as_elements(self._constant(domain))]
        assert domain.hi is not None
        lo, hi = (as_integer(self._constant(x)) for x in (domain.lo, domain.hi))
        if hi - lo > MOST_ALONE:
            raise Unknown
        return list(range(lo, hi + 1))

    def allows(self, picked: int) -> bool:
        """Return whether the condition `where` is true for the number `picked` that the player chooses.

        The condition must not depend on the heap. Raises IllDefined.
        """
        where = self.move.where
        return where is None or bool(
            self.game.meanings.evaluate(where, {**self.given, self.move.picks[0].name: picked})
        )

    def _read_conditions(self) -> None:
        for pick in self.move.picks:
            own = t.Variable(self.move.become[0].type, 0, 0, pick.name)
            if isinstance(pick.domain, IntervalDomain):
                assert pick.domain.hi is not None
                self._compare("le", pick.domain.lo, own, demanded=True)
                self._compare("le", own, pick.domain.hi, demanded=True)
            else:
                values = [as_integer(v) for v in as_elements(self._constant(pick.domain))]
                self._read_membership(own, values)
        if self.move.where is not None:
            for condition in t.conjuncts(self.move.where):
                self._condition(condition, demanded=True)

    # -- terms --------------------------------------------------------------------------------------------------------
    def _is_constant(self, term: t.Term) -> bool:
        return set(find_free_names(term)) <= {*self.given}

    def _constant(self, term: t.Term) -> Value:
        if not self._is_constant(term):
            raise Unknown
        try:
            return self.game.meanings.evaluate(term, self.given)
        except IllDefined:
            raise Unknown from None

    def _affine(self, term: t.Term) -> Sum:
        """Return a term as a linear form in the heap size and the numbers that the player chooses.

        Raises Unknown if the term is not such a linear form.
        """
        if self._is_constant(term):
            value = self._constant(term)
            if not isinstance(value, int):
                raise Unknown
            return {"1": int(value)} if value else {}
        match term:
            case t.Variable(name=name):
                return {name: 1}
            case t.Operation(op="add", args=(a, b)):
                return _plus(self._affine(a), self._affine(b))
            case t.Operation(op="sub", args=(a, b)):
                return _plus(self._affine(a), self._affine(b), -1)
        raise Unknown

    def _translate(self, form: Sum) -> Sum:
        """Rewrite a linear form in the heap size and the chosen numbers as a linear form in t, x and y."""
        total: Sum = {}
        for name, times in form.items():
            total = _plus(total, {"1": 1} if name == "1" else self.means[name], times)
        return total

    # -- conditions ---------------------------------------------------------------------------------------------------
    def _condition(self, term: t.Term, demanded: bool = False) -> None:
        """Increase `reach`, the bound that `find_bound` returns, as far as the comparisons in a condition require it.

        `demanded`: whether every legal move satisfies the condition.
        Raises Unknown if a comparison does not satisfy the assumptions in the docstring of this module.
        """
        if self._is_constant(term):
            self._constant(term)
            return
        match term:
            case t.AllOf(args=args) | t.AnyOf(args=args) | t.Operation(op="not", args=args):
                for part in args:
                    self._condition(part)
            case t.IfElse(condition=a, then=b, other=c):
                for part in (a, b, c):
                    self._condition(part)
            case t.Operation(op="in", args=(a, b)) if self._is_constant(b):
                self._read_membership(a, [as_integer(v) for v in as_elements(self._constant(b))], demanded)
            case t.Operation(op="eq" | "ne" | "lt" | "le" | "gt" | "ge" as op, args=(a, b)):
                reach, least = self.reach, set(self.least)
                try:
                    self._compare(op, a, b, demanded)
                except Unknown:
                    self.reach, self.least = reach, least
                    self._table(term)
            case _:
                self._table(term)

    def _table(self, term: t.Term) -> None:
        """Handle a condition of any form that depends only on the number t of objects taken.

        Earlier conditions must bound t. Increase `reach`, the bound that `find_bound` returns, beyond all possible t.
        Raises Unknown if the condition depends on more than t, if t has no bound, or if the condition is undefined for
        a possible t.
        """
        names = set(find_free_names(term)) - {*self.given}
        means = self.means.get(min(names), {}) if len(names) == 1 else {}
        if means.keys() - {"1"} != {"t"} or self.most_taken is None or "t" not in self.least:
            raise Unknown
        self.reach = max(self.reach, self.most_taken + 1)
        for taken in range(self.least_taken, self.most_taken + 1):
            env = {**self.given, min(names): taken + means.get("1", 0)}
            try:
                self.game.meanings.evaluate(term, env)
            except IllDefined:
                raise Unknown from None

    def _read_membership(self, term: t.Term, values: list[int], demanded: bool = True) -> None:
        """Increase the bound `reach` as far as a condition such as `m in {1, 3}` requires it.

        `values`: the elements of the set, here 1 and 3.
        `demanded`: whether every legal move satisfies the condition. Raises Unknown as `_condition` does.
        """
        form = self._translate(self._affine(term))
        for value in {min(values, default=0) - 1, max(values, default=0) + 1}:
            self._meet(form, "<=", {"1": value}, demanded=False)
        if demanded and values:
            self._meet({"1": min(values)}, "<=", form, demanded=True)
            self._meet(form, "<=", {"1": max(values)}, demanded=True)

    def _compare(self, op: str, a: t.Term, b: t.Term, demanded: bool) -> None:
        """Increase the bound `reach` as far as a comparison of two integers requires it. Raises Unknown.

        A comparison such as max(a, b) <= c is split into a <= c and b <= c. A comparison such as a <= b // 2 becomes
        2 * a <= b. `demanded`: whether every legal move satisfies the comparison.
        """
        if op in ("gt", "ge"):
            op, a, b = {"gt": "lt", "ge": "le"}[op], b, a
        if op in ("lt", "le"):
            for side, name in ((a, "largest"), (b, "smallest")):
                if isinstance(side, t.Operation) and side.op == name:
                    for x in side.args:
                        self._compare(op, *((x, b) if side is a else (a, x)), demanded)
                    return
            if isinstance(b, t.Operation) and b.op == "floordiv" and not self._is_constant(b):
                by = self._constant(b.args[1])
                if not isinstance(by, int) or by < 1:
                    raise Unknown
                left = self._translate(self._affine(a))  # a <= n // d is d * a <= n, a < n // d is d * (a + 1) <= n
                left = _plus({}, _plus(left, {"1": 1}) if op == "lt" else left, by)
                self._meet(left, "<=", self._translate(self._affine(b.args[0])), demanded)
                return
        left, right = (self._translate(self._affine(side)) for side in (a, b))
        if op == "lt":
            left = _plus(left, {"1": 1})
        self._meet(left, "==" if op in ("eq", "ne") else "<=", right, demanded and op != "ne")

    def _meet(self, left: Sum, sign: str, right: Sum, demanded: bool) -> None:
        """Increase the bound `reach` as far as a comparison of two linear forms in t, x and y requires it.

        `sign`: "==" or "<=". `demanded`: whether every legal move satisfies the comparison.
        Raises Unknown unless the comparison is between x and y, or between a constant and a sum of some of t, x and y.
        """
        form = _plus(right, left, -1)  # >= 0, or == 0
        constant = form.pop("1", 0)
        positive, negative = ({n: v for n, v in form.items() if v * s > 0} for s in (1, -1))
        if positive and negative:
            times = abs(form.get("x", 0))
            # x <= y or x < y, in either direction. A comparison such as x <= y - 2 is not supported.
            order = form.keys() == {"x", "y"} and form["x"] == -form["y"]
            if not order or not (constant == 0 if sign == "==" else -times <= constant < times):
                raise Unknown
            self.ordered |= demanded
            return
        self.reach = max(self.reach, abs(constant) + 1)
        if not demanded or len(form) != 1:
            return
        ((name, times),) = form.items()
        if (sign == "==" and constant * times <= 0) or (sign == "<=" and times > 0 and constant < times):
            self.least.add(name)
        if name == "t" and (sign == "==" or times > 0):
            self.least_taken = max(self.least_taken, -(constant // times))
        if name == "t" and (sign == "==" or times < 0):
            most = abs(constant) // abs(times)
            self.most_taken = most if self.most_taken is None else min(most, self.most_taken)


def _plus(a: Mapping[str, int], b: Mapping[str, int], times: int = 1) -> Sum:
    """Return the linear form a + times * b."""
    total = {name: a.get(name, 0) + times * b.get(name, 0) for name in (*a, *b)}
    return {name: value for name, value in total.items() if value}
