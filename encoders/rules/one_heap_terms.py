"""The translation of terms about a heap with lists into terms over the single numbers in the heap.

The lists have known lengths, so `sum(h.c)` becomes `a + b` if the list c consists of a and b.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, reduce
from typing import TypeVar, cast

from claims.language.files.claim import Claim, Game
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.meanings import AtLeast, NotZero
from claims.language.syntax.printing import find_free_names, print_term, structural_key
from claims.language.syntax.terms import BOOL, INT, PLAYER
from encoders.logic.definedness import DefinednessCondition, needs_of_heaps
from encoders.logic.intervals import intervals_of, read_binary_digits
from encoders.logic.reader import Entailment, Env
from encoders.logic.sequents import (
    ONE,
    ZERO,
    Sequent,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    holds,
    implies,
    integer,
    is_same_polynomial,
    largest,
    less_than,
    neg,
    negation,
    nim,
    sub,
)
from encoders.refusals import Unsupported
from encoders.rules.base.lemmas import LemmaReader, NamedLemma
from encoders.rules.base.rule import build_sequent
from encoders.rules.base.shape import RULES, has_outcome
from encoders.trust import Reason

# == flat =============================================================================================================
# Terms about one heap with parts, whose lists have known lengths, as terms over its numbers only.
#
# A value is an integer term, a truth value, or a tuple: a list, a heap, a position.  If a list depends on a condition,
# the reader explores both branches, one after the other; the same for the numbers of an explicit range.
Value = object
FlatEnv = Mapping[str, Value]
Asks = Callable[["Flattener", t.GameCall, FlatEnv], t.Term]
F = TypeVar("F", bound="Flattener")
R = TypeVar("R")

_NONE: t.Term = ZERO
MOST_WAYS = 2000  # the most branches for one question
_PLAIN = {"add", "sub", "mul", "neg", "eq", "ne", "lt", "le", "gt", "ge", "abs", "largest", "smallest"}
_PARTIAL = {"bit_and", "bit_or", "valuation"}  # the condition under which the result exists is in the table of builtins
_RUN = ("sum", "count", "nim_sum", "any", "all", "list", "min", "max")


def _refuse_question(flat: Flattener, term: t.GameCall, env: FlatEnv) -> t.Term:
    raise Unsupported(f"{print_term(term)}: a question about a game is not supported in this place")


def refuse_term(term: t.Term) -> Unsupported:
    """Return the error for a term that rules for heaps with parts do not support. The caller raises it."""
    instead = "use sums, differences, products, quotients, comparisons and elements of lists"
    return Unsupported(f"{print_term(term)} is not supported by rules for heaps with parts", instead=instead)


class Flattener:
    """A translator of terms about heaps with lists into terms over numbers, in one case of a case distinction.

    A case distinction is needed if a list depends on a condition. `explore` makes a translator for each case. A case
    is a sequence of choices between alternatives, and its first choices are given.

    `given`: the first choices, as indices of alternatives. Each later choice is 0, the first alternative.
    `asks`: the function that translates questions about a game, such as wins(s).
    `taken`: pairs (choice, number of alternatives), for all choices so far.
    `met`: the conditions of this case.
    `owed`: the conditions under which the terms translated so far are defined.
    """

    def __init__(self, given: Sequence[int] = (), asks: Asks = _refuse_question) -> None:
        self.given, self.asks = given, asks
        self.taken: list[tuple[int, int]] = []  # (choice, number of alternatives)
        self.met: list[t.Term] = []
        self.owed: list[t.Term] = []
        self._inside: list[t.Term] = []
        self._decided: dict[object, bool] = {}

    # -- ways ---------------------------------------------------------------------------------------------------------
    def choose(self, count: int) -> int:
        """Return which of `count` alternatives this case chooses, as an index, and record the choice."""
        at = len(self.taken)
        choice = self.given[at] if at < len(self.given) else 0
        self.taken.append((choice, count))
        return choice

    def decide(self, condition: t.Term) -> bool:
        """Return whether a condition holds in this case.

        If the condition is not a literal and is new, this is a choice: both cases will be explored.
        """
        if isinstance(condition, t.Literal):
            return bool(condition.value)
        key = structural_key(condition)
        if key not in self._decided:
            self._decided[key] = self.choose(2) == 0
            self.met.append(condition if self._decided[key] else negation(condition))
        return self._decided[key]

    def owe(self, condition: t.Term) -> None:
        """Record in `owed` that `condition` must hold.

        It must hold only under the conditions of this case and of the surrounding `with` blocks of `assuming`.
        """
        self.owed.append(implies(conjunction(*self.met, *self._inside), condition))

    @contextmanager
    def assuming(self, *conditions: t.Term) -> Iterator[None]:
        before = len(self._inside)
        self._inside += conditions
        try:
            yield
        finally:
            del self._inside[before:]

    # -- terms --------------------------------------------------------------------------------------------------------
    def number(self, term: t.Term, env: FlatEnv) -> t.Term:
        """Return the translation of a term that is an integer or a truth value.

        `env`: the values of the names in the term. This and the following methods raise Unsupported.
        """
        found = self.read(term, env)
        assert isinstance(found, t.Term)
        return found

    truth = number

    def items(self, term: t.Term, env: FlatEnv) -> tuple[Value, ...]:
        """Return the translated elements of a term that is a list, a heap or a position."""
        found = self.read(term, env)
        assert isinstance(found, tuple)
        return found

    def read(self, term: t.Term, env: FlatEnv) -> Value:
        match term:
            case t.Literal():
                return term
            case t.Variable(name=name):
                return env[name]
            case t.AllOf(args=args):
                return self._join(args, env, True)
            case t.AnyOf(args=args):
                return self._join(args, env, False)
            case t.IfElse(condition=c, then=x, other=y):
                return self._branch(self.truth(c, env), x, y, env)
            case t.Collection(items=items) if term.type.kind == "list":
                return tuple(self.read(x, env) for x in items)
            case t.Collection(items=items):
                values = [self.read(x, env) for x in items]
                if not all(isinstance(x, t.Literal) and x.type == INT for x in values):
                    instead = "write a list, or conditions: m == 1 or m == h.n"
                    raise Unsupported(f"{print_term(term)}: a set must consist of literal numbers", instead=instead)
                return tuple(map(integer, sorted({cast(t.Literal, x).value for x in values})))
            case t.GameCall():
                return self.asks(self, term, env)
            case t.Comprehension(reducer=reducer) if reducer in _RUN:
                return _gather(self, reducer, list(self._run(term, term.clauses, env)))
            case t.Operation(
                op="eq" | "ne" as op, args=(t.GameCall(function="outcome") as asked, t.Literal(value=outcome))
            ):
                found = self._read_outcome(asked, t.OUTCOMES[outcome], env)
                return found if op == "eq" else negation(found)
            case t.Operation(op=op, args=args):
                return self._operate(term, op, [self.read(x, env) for x in args])
        raise refuse_term(term)

    def _read_outcome(self, asked: t.GameCall, outcome: str, env: FlatEnv) -> t.Term:
        """Return the condition that the position in the question `asked` has this outcome.

        It is composed of the questions whether the mover wins, for each of the two players.
        """
        (s,) = asked.args
        movers = (t.Literal(PLAYER, asked.end, asked.end, player) for player in (0, 1))
        wins = (replace(asked, type=BOOL, function="wins", args=(s, mover)) for mover in movers)
        return has_outcome(outcome, *(negation(self.truth(x, env)) for x in wins))

    def _join(self, args: tuple[t.Term, ...], env: FlatEnv, wanted: bool) -> t.Term:
        """Return the translation of `x and y and ...` (if `wanted`) or of `x or y or ...`.

        As in Python, a term needs to be defined only if the earlier terms do not decide the result.
        """
        found: list[t.Term] = []
        for x in args:
            with self.assuming(*(x if wanted else negation(x) for x in found)):
                found.append(self.truth(x, env))
            if isinstance(found[-1], t.Literal) and bool(found[-1].value) != wanted:
                break
        return conjunction(*found) if wanted else disjunction(*found)

    def _branch(self, condition: t.Term, x: t.Term, y: t.Term, env: FlatEnv) -> Value:
        if isinstance(condition, t.Literal) or x.type not in (INT, BOOL):
            return self.read(x if self.decide(condition) else y, env)
        with self.assuming(condition):
            then = self.truth(x, env)
        with self.assuming(negation(condition)):
            other = self.truth(y, env)
        if x.type == BOOL:
            return conjunction(implies(condition, then), disjunction(condition, other))
        return choose(condition, then, other)

    def _run(
        self, term: t.Comprehension, clauses: tuple[t.Clause, ...], env: FlatEnv, met: tuple[t.Term, ...] = ()
    ) -> Iterator[tuple[t.Term, Value]]:
        """Yield (condition, value) for each element of a comprehension; the element counts if the condition holds.

        For `list`, `min` and `max`, the case decides which elements count, and only these are yielded.
        `clauses`: the clauses that remain. `met`: the conditions of the earlier clauses.
        """
        if not clauses:
            with self.assuming(*met):
                yield conjunction(*met), self.read(term.body, env)
            return
        clause, *others = clauses
        for item in self.items(clause.source, env):
            inner, own = {**env, clause.variable: item}, list(met)
            for x in clause.conditions:
                with self.assuming(*own):
                    own.append(self.truth(x, inner))
                if term.reducer in ("list", "min", "max") and not self.decide(own.pop()):
                    break
                if own and isinstance(own[-1], t.Literal) and not own[-1].value:
                    break
            else:
                yield from self._run(term, tuple(others), inner, tuple(own))

    def _operate(self, term: t.Term, op: str, args: list[Value]) -> Value:
        if all(isinstance(x, t.Literal) for x in args) and op not in ("heap", "position"):
            return self._compute(term, op, [cast(t.Literal, x).value for x in args])
        if any(isinstance(x, tuple) for x in args) or op == "heap":
            return _apply_to_tuples(self, term, op, args)
        made = cast("list[t.Term]", args)
        if op == "not":
            return negation(made[0])
        if op in ("floordiv", "mod"):
            self.owe(negation(equal(made[1], _NONE)))
        elif op == "nim":
            for x in made:
                self.owe(at_least(x, ZERO))
        elif op in _PARTIAL:
            self._owe_needs(op, made)
        elif op not in _PLAIN:
            found = t.Operation(term.type, 0, 0, op, tuple(made))
            if find_lowest_bit_of(found) is None:
                raise refuse_term(term)
            return found  # the exponent is never negative
        return t.Operation(term.type, 0, 0, op, tuple(made))

    def _owe_needs(self, op: str, args: list[t.Term]) -> None:
        """Record in `owed` the conditions under which the builtin `op` is defined for the numbers `args`."""
        for need in BUILTINS[op].needs:
            match need:
                case NotZero(at=at):
                    self.owe(negation(equal(args[at], ZERO)))
                case AtLeast(at=at, least=least):
                    self.owe(at_least(args[at], integer(least)))
                case _:
                    raise AssertionError(f"{op} has a condition on a list")

    def _compute(self, term: t.Term, op: str, args: list[int]) -> Value:
        row = BUILTINS[op]
        if any(need.fault(args) for need in row.needs):
            self.owe(holds(False))
            return ZERO if term.type == INT else holds(False)
        if row.limit and row.limit(*args):
            raise Unsupported(f"{print_term(term)} is too large to be evaluated")
        value = row.evaluate(*args)
        if isinstance(value, tuple):
            if len(value) > MOST_WAYS:
                raise Unsupported(f"{print_term(term)} has more than {MOST_WAYS} numbers")
            return tuple(integer(cast(int, x)) for x in value)
        assert term.type in (INT, BOOL)
        return holds(bool(value)) if term.type == BOOL else integer(cast(int, value))

    def select_element(self, group: tuple[Value, ...], place: t.Term) -> Value:
        """Return the element of `group` with the index `place`. Record in `owed` that the index is valid."""
        self.owe(conjunction(at_least(place, ZERO), less_than(place, integer(len(group)))))
        if not group:
            return ZERO
        if isinstance(place, t.Literal):
            return group[place.value] if 0 <= place.value < len(group) else group[0]
        if not all(isinstance(x, t.Term) for x in group):
            instead = "write the index as a number, as in s[0]"
            raise Unsupported(
                f"the index {print_term(place)} of a heap or list is not a literal number", instead=instead
            )
        found = cast(t.Term, group[0])
        for i, x in enumerate(group[1:], 1):
            found = choose(equal(place, integer(i)), cast(t.Term, x), found)
        return found


def find_lowest_bit_of(term: t.Term) -> t.Term | None:
    """Return x if the term is `2 ** valuation(x, 2)`, the lowest 1 in the binary digits of x; otherwise None."""
    match term:
        case t.Operation(
            op="pow",
            args=(t.Literal(value=2), t.Operation(op="valuation", args=(x, t.Literal(value=2)))),
        ):
            return x
    return None


def _gather(flat: Flattener, reducer: str, found: list[tuple[t.Term, Value]]) -> Value:
    """Return the value of a comprehension such as a sum, from the pairs (condition, value) that `_run` yields."""
    if reducer == "list":
        return tuple(x for _, x in found)
    pairs = cast("list[tuple[t.Term, t.Term]]", found)
    match reducer:
        case "any":
            return disjunction(*(conjunction(met, x) for met, x in pairs))
        case "all":
            return conjunction(*(implies(met, x) for met, x in pairs))
        case "sum":
            return reduce(add, [_zero_unless(met, x) for met, x in pairs], _NONE)
        case "count":
            return reduce(add, [choose(conjunction(met, x), ONE, ZERO) for met, x in pairs], _NONE)
        case "nim_sum":
            for met, x in pairs:
                flat.owe(implies(met, at_least(x, ZERO)))
            return _nim_sum([_zero_unless(met, x) for met, x in pairs])
    return _extreme(flat, reducer, [x for _, x in pairs])


def _zero_unless(met: t.Term, x: t.Term) -> t.Term:
    if isinstance(met, t.Literal):
        return x if met.value else ZERO
    return choose(met, x, ZERO)


def _nim_sum(numbers: Sequence[t.Term]) -> t.Term:
    return reduce(nim, numbers) if numbers else ZERO


def _extreme(flat: Flattener, op: str, numbers: Sequence[t.Term]) -> t.Term:
    if not numbers:
        flat.owe(holds(False))
        return ZERO
    if len(numbers) == 1:
        return numbers[0]
    return t.Operation(INT, 0, 0, "smallest" if op == "min" else "largest", tuple(numbers))


def _apply_to_tuples(flat: Flattener, term: t.Term, op: str, args: list[Value]) -> Value:
    """Return the translation of the operation `op`, if an argument is a list, a heap or a position.

    Raises Unsupported for an operation that cannot be translated. `term` is for the message.
    """
    match op, args:
        case "heap", _:
            return tuple(args)
        case "position", [tuple(items)] if len(items) <= 1 and all(isinstance(x, tuple) for x in items):
            return items  # order would matter for several heaps; a numeric heap of 0 is missing
        case "part", [tuple(heap), t.Literal(value=at)]:
            return heap[at]
        case "len", [tuple(items)]:
            return integer(len(items))
        case "index", [tuple(items), t.Term() as place]:
            return flat.select_element(items, place)
        case "put", [tuple(items), t.Literal(value=at), x]:
            flat.owe(holds(0 <= at < len(items)))
            return tuple(x if i == at else old for i, old in enumerate(items))
        case "slice", [tuple(items), t.Literal(value=low), t.Literal(value=high)]:
            flat.owe(holds(low >= 0 and high >= 0))
            return items[max(low, 0) : max(high, 0)]
        case "concat", [tuple(a), tuple(b)]:
            return a + b
        case (("eq" | "ne"), [tuple(a), tuple(b)]):
            same = _is_same_value(a, b)
            return same if op == "eq" else negation(same)
        case "in", [t.Term() as x, tuple(items)]:
            return disjunction(*(equal(x, cast(t.Term, y)) for y in items))
        case "sum", [tuple(items)]:
            return reduce(add, cast("tuple[t.Term, ...]", items), _NONE)
        case "sorted", [tuple(items)]:
            return _sort(flat, cast("tuple[t.Term, ...]", items))
        case "nim_sum", [tuple(items)]:
            return _gather(flat, "nim_sum", [(holds(True), x) for x in items])
        case (("min" | "max"), [tuple(items)]):
            return _extreme(flat, op, cast("tuple[t.Term, ...]", items))
    raise refuse_term(term)


def _sort(flat: Flattener, items: tuple[t.Term, ...]) -> tuple[Value, ...]:
    """Return the numbers in ascending order. The order depends on the case: `flat.decide` decides the comparisons."""
    found: list[t.Term] = []
    for x in items:
        place = len(found)
        while place and not flat.decide(at_most(found[place - 1], x)):
            place -= 1
        found.insert(place, x)
    return tuple(found)


def _is_same_value(a: Value, b: Value) -> t.Term:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return conjunction(*map(_is_same_value, a, b)) if len(a) == len(b) else holds(False)
    return equal(cast(t.Term, a), cast(t.Term, b))


def explore(build: Callable[[Flattener], R], asks: Asks = _refuse_question) -> Iterator[R]:
    """Call `build` once for each case of the case distinctions that it needs, and yield the results.

    `build` gets the translator of the case. `asks` translates questions about a game.
    Raises Unsupported for unsupported terms, and if there are more than MOST_WAYS cases.
    """
    return explore_with(lambda given: Flattener(given, asks), build)


def explore_with(start: Callable[[Sequence[int]], F], build: Callable[[F], R]) -> Iterator[R]:
    """Call `build` once for each case, as `explore` does, but with translators of another class. Yield the results.

    `start` makes the translator of a case from the first choices of this case, which are indices of alternatives.
    """
    todo: list[tuple[int, ...]] = [()]
    for _ in range(MOST_WAYS):
        if not todo:
            return
        given = todo.pop()
        flat = start(given)
        yield build(flat)
        made = [choice for choice, _ in flat.taken]
        for at in reversed(range(len(given), len(flat.taken))):
            todo += ((*made[:at], other) for other in reversed(range(1, flat.taken[at][1])))
    instead = "prove the claim for heaps with shorter lists, or use fewer conditions on the elements of lists"
    raise Unsupported(f"too many cases: more than {MOST_WAYS} combinations of conditions", instead=instead)


# == reader ===========================================================================================================
# Numbers of heaps with parts, as integers without bound, including nim-sums.
class NimReader(LemmaReader):
    """A translator of terms over the claim's integers into obligations for solvers. It supports nim-sums.

    In a nim-sum, a negative number counts as 0. For nim-sums in the claim and the game, obligations show that no term
    is negative. In the invariant of a proof, negative terms are allowed.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self._intervals = intervals_of(self.symbols.by_name)

    def number(self, term: t.Term, env: Env) -> t.Term:
        if (x := find_lowest_bit_of(term)) is not None:
            return self._find_lowest_bit(self.number(x, env))
        return super().number(term, env)

    def _find_lowest_bit(self, number: t.Term) -> t.Term:
        """Return a term for 2 ** valuation(number, 2), or for 0 if the number is 0.

        The term is y ^ (y & (y - 1)) with y = abs(number), because solvers support only binary digits.
        """
        y = number if self._intervals.number(number).natural else largest(number, neg(number), ZERO)
        both = read_binary_digits(t.Operation(INT, 0, 0, "bit_and", (y, sub(y, ONE))), self._intervals)
        return nim(y, both)

    def operation(self, term: t.Operation) -> t.Term:
        if term.op in ("nim", "bit_and"):
            return read_binary_digits(term, self._intervals)
        return super().operation(term)


class AnyList:
    """A list of unknown length. Its numbers are at least `low` and, unless `high` is None, at most `high`.

    `length`: the variable for the length.
    `numbers`: pairs (index, variable for the number with this index), for the indices that terms have mentioned.
    """

    def __init__(self, length: t.Variable, low: t.Term, high: t.Term | None) -> None:
        self.length, self.low, self.high = length, low, high
        self.numbers: list[tuple[t.Term, t.Variable]] = []


class HeapsReader(NimReader):
    """A translator of the expressions in [heap] of a ruleset, for an arbitrary heap whose lists have any length."""

    words = "numbers of a heap"
    reads = "use sums, differences, products, quotients and comparisons of h.n, len(h.c) and h.c[i]"

    def __init__(self, claim: Claim, game: Game) -> None:
        super().__init__(claim)
        assert game.ruleset.heap is not None
        self.shape = game.ruleset.heap
        self.arguments = {name: self.number(x, self.env) for name, x in game.arguments if x.type == INT}

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Return (variable for an element of `source`, condition that it is an element).

        The source is a range of integers, a list in the heap, or None. For None, the result is an arbitrary heap.
        Raises Unsupported for other sources.
        """
        if source is None:
            return self._make_heap()
        if isinstance(found := self._list(source, env), AnyList):
            return self._number_of(found, source)
        return super().element(source, env)

    def _make_heap(self) -> tuple[object, t.Term]:
        parts: list[object] = []
        known: list[t.Term] = []
        env = {**self.env, **self.arguments}
        for part in self.shape.parts:
            low = self.number(part.lo, env)
            high = None if part.hi is None else self.number(part.hi, env)
            if part.is_list:
                length = self.symbols.integer(f"len(h.{part.name})", 0)
                parts.append(AnyList(length, low, high))
            else:
                number = self.symbols.integer(f"h.{part.name}")
                parts.append(number)
                known += [at_least(number, low), *([] if high is None else [at_most(number, high)])]
        return tuple(parts), conjunction(*known)

    def _number_of(self, of: AnyList, source: t.Term) -> tuple[t.Variable, t.Term]:
        """Return (variable for a number in the list, condition that the list is not empty and can contain it).

        `source`: the list as a term, for the name of the variable.
        """
        number = self.symbols.integer(f"a number of {print_term(source)}")
        top = [] if of.high is None else [at_most(number, of.high)]
        return number, conjunction(at_least(of.length, ONE), at_least(number, of.low), *top)

    def _list(self, term: t.Term, env: Env) -> AnyList | None:
        found = self._part(term, env)
        return found if isinstance(found, AnyList) else None

    def _part(self, term: t.Term, env: Env) -> object:
        match term:
            case t.Operation(op="part", args=(t.Variable(name=name), t.Literal(value=at))):
                heap = env.get(name)
                return heap[at] if isinstance(heap, tuple) else None
        return None

    def number(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="part") if isinstance(found := self._part(term, env), t.Term):
                return found
            case t.Operation(op="len", args=(group,)) if (found := self._list(group, env)) is not None:
                return found.length
            case t.Operation(op="index", args=(group, place)) if (found := self._list(group, env)) is not None:
                return self._read_entry(found, self.number(place, env), group)
        return super().number(term, env)

    def _read_entry(self, of: AnyList, place: t.Term, group: t.Term) -> t.Term:
        """Return the variable for the number with the index `place`. It is unrestricted if the index is invalid.

        `group`: the list as a term, for the name of the variable.
        """
        for other, number in of.numbers:
            if is_same_polynomial(other, place):
                return number
        number = self.symbols.integer(f"{print_term(group)}[{print_term(place)}]")
        of.numbers.append((place, number))
        inside = conjunction(at_least(place, ZERO), less_than(place, of.length))
        top = [] if of.high is None else [at_most(number, of.high)]
        self.assume(Reason.DOMAIN, implies(inside, conjunction(at_least(number, of.low), *top)))
        return number


def pose_heaps(claim: Claim, game: Game) -> Iterator[Sequent]:
    """Yield an obligation for each operation in [heap] of the ruleset, such as a division, that may be undefined.

    The obligation states that the operation is defined for every heap.
    """
    for need in needs_of_heaps(claim, game):
        label = RULES.make_label(part=need.part, words=need.words)
        yield build_sequent(label, partial(_heaps_defined, need=need), partial(HeapsReader, claim, game))


def _heaps_defined(q: HeapsReader, need: DefinednessCondition) -> Entailment:
    return Entailment((), q.require_defined([need], {**q.env, **q.arguments}, q.element))


def pose_with(
    reader: NimReader,
    lows: Mapping[str, int],
    known: t.Term,
    show: t.Term,
    lemmas: Sequence[NamedLemma] = (),
    prefix: str = "",
) -> Entailment:
    """Return the obligation that `known` implies `show`.

    A name in these conditions that is not a variable of the claim denotes a number in a heap, or a pick.
    `lows`: lower bounds of some of these numbers, by name.
    `lemmas`: lemmas to assume. Each is applied to the terms that the proof lists for it.
    `prefix`: the prefix of the names of picks. The listed terms of lemmas use the names without this prefix.
    """
    for name in dict.fromkeys((*find_free_names(known), *find_free_names(show))):
        if name not in reader.env:
            reader.env[name] = reader.symbols.integer(name, lows.get(name))
    posed = Entailment((reader.truth(known, reader.env),), reader.truth(show, reader.env))
    picked = {name.removeprefix(prefix): x for name, x in reader.env.items() if prefix and name.startswith(prefix)}
    reader.learn_lemmas(lemmas, {**picked, **reader.env})
    return posed


def divides(term: t.Term) -> bool:
    """Whether a term is a division by a term that is not a literal."""
    found = isinstance(term, t.Operation) and term.op in ("floordiv", "mod")
    return found and not isinstance(t.subterms(term)[1], t.Literal)
