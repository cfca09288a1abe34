"""Symbolic heaps, that is, heaps whose numbers are variables, with lists of any length; and the effect of a move.

A place is an index of a list. A fold is a number that is computed from a position, such as a nim-sum over all places
of all heaps. A position is described by the values of folds, and a move changes these values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations

from claims.language.files.claim import Claim
from claims.language.files.heaps import HeapPart, HeapShape
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names, print_term, rebuild, structural_key, substitute
from claims.language.syntax.terms import INT
from encoders.logic.sequents import (
    ONE,
    YES,
    ZERO,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    equal,
    holds,
    implies,
    integer,
    is_plain,
    is_same_polynomial,
    less_than,
    names_in,
    negation,
    nim,
    polynomial,
    sub,
)
from encoders.refusals import Unsupported
from encoders.rules.base.shape import require_one_game
from encoders.rules.one_heap import list_parameters, make_move, refuse_games
from encoders.rules.one_heap_terms import FlatEnv, Flattener, Value, explore_with

# == folds ============================================================================================================
# Folds over the places of lists, or over heaps: nim-sums, sums and counts, in a common form.
NIM_SUM, SUM, COUNT = "nim_sum", "sum", "count"
HEAP, PLACE = "heap'", "place'"  # no name in a file contains this mark


@dataclass(frozen=True, eq=False)
class PlaceFold:
    """A fold: a nim-sum, a sum or a count over the heaps of a position, or over the places of their lists.

    For example, the fold `nim_sum(h.c[i] for h in s if h.x > 0 for i in range(0, len(h.c)) if i % 2 == 0)` has these
    fields; in the terms, h is called HEAP and i is called PLACE:

    `reducer`: NIM_SUM, SUM or COUNT.
    `having`: the condition on heaps, h.x > 0.
    `low`, `after`: the ends of the range of places, 0 and len(h.c); None for a fold over heaps only.
    `when`: the condition on places, i % 2 == 0.
    `term`: the number h.c[i] that is added; for COUNT, the condition that is counted.
    """

    reducer: str
    having: t.Term
    term: t.Term
    when: t.Term = YES
    low: t.Term | None = None
    after: t.Term | None = None

    @property
    def key(self) -> Hashable:
        """A hashable key. Two folds with the same key are equal at every position."""
        places = () if self.low is None or self.after is None else (self.low, self.after)
        return (self.reducer, *map(structural_key, (self.having, self.term, self.when, *places)))

    @property
    def natural(self) -> bool:
        """Whether the fold is never negative: true for nim-sums and counts, not for sums."""
        return self.reducer != SUM

    def join(self, a: t.Term, b: t.Term) -> t.Term:
        """Return the fold over the union of two disjoint sets of places or heaps: a + b, or a ^ b for a nim-sum.

        `a`, `b`: the folds over each set.
        """
        return nim(a, b) if self.reducer == NIM_SUM else add(a, b)


def find_fold(term: t.Term, is_position: Callable[[str], bool]) -> tuple[str, PlaceFold] | None:
    """Return (name of the position, fold) if the term is a fold over a position; otherwise None.

    `is_position`: whether a name in the term denotes a position.
    The term must not contain calls of definitions.
    """
    match term:
        case t.Operation(op="len", args=(t.Variable(name=name),)) if is_position(name):
            return name, PlaceFold(COUNT, YES, YES)
        case t.Comprehension(
            reducer=reducer, body=body, clauses=(t.Clause(heap, t.Variable(name=name) as s, conditions), *others)
        ) if reducer in (NIM_SUM, SUM, COUNT) and is_position(name):
            found = _read(reducer, body, conjunction(*conditions), tuple(others))
            return (
                None if found is None else (name, _rename(found, heap, t.Variable(t.get_element_type(s), 0, 0, HEAP)))
            )
    return None


def _read(reducer: str, body: t.Term, having: t.Term, clauses: tuple[t.Clause, ...]) -> PlaceFold | None:
    """Return the fold of `reducer(body for heap in s if having CLAUSES)`; None if the rule does not support it.

    `clauses`: the clauses after the first one, which ranges over the heaps.
    """
    if not clauses:
        return _unnest(reducer, body, having)
    if len(clauses) > 1:
        return None
    (clause,) = clauses
    when = conjunction(*clause.conditions)
    match clause.source:
        case t.Operation(op="range", args=(low, after)):
            return _rename(
                PlaceFold(reducer, having, body, when, low, after), clause.variable, t.Variable(INT, 0, 0, PLACE)
            )
        case t.Operation(op="part") as part if part.type.is_collection:
            made = PlaceFold(reducer, having, body, when, ZERO, _length(part))
            return _substitute(made, {clause.variable: _index_entry(part)})
    return None


def _unnest(reducer: str, body: t.Term, having: t.Term) -> PlaceFold | None:
    """Return the fold of `reducer(body for heap in s if having)`; None if the rule does not support it.

    If the body is a sum inside a sum, or a nim-sum inside a nim-sum, the result is a fold over places. For other bodies
    it is a fold over heaps.
    """
    match body:
        case t.Comprehension(reducer=inner, body=term, clauses=clauses) if inner == reducer != COUNT:
            return _read(reducer, term, having, clauses)
        case t.Operation(op=op, args=(t.Operation(op="part") as part,)) if op == reducer and part.type.is_collection:
            return PlaceFold(reducer, having, _index_entry(part), YES, ZERO, _length(part))
    return PlaceFold(reducer, having, body)


def _index_entry(part: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, "index", (part, t.Variable(INT, 0, 0, PLACE)))


def _length(part: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, "len", (part,))


def _rename(fold: PlaceFold, name: str, to: t.Variable) -> PlaceFold:
    return _substitute(fold, {name: to})


def _substitute(fold: PlaceFold, values: Mapping[str, t.Term]) -> PlaceFold:
    having, term, when = (substitute(x, values) for x in (fold.having, fold.term, fold.when))
    low, after = (None if x is None else substitute(x, values) for x in (fold.low, fold.after))
    return PlaceFold(fold.reducer, having, term, when, low, after)


# -- a single heap ----------------------------------------------------------------------------------------------------
ALONE = "alone'"


def says_alone(condition: t.Term, position: str) -> bool:
    """Whether the condition is len(position) == 1."""
    match condition:
        case t.Operation(op="eq", args=(t.Operation(op="len", args=(t.Variable(name=name),)), t.Literal(value=1))):
            return name == position
    return False


def see_alone(term: t.Term, position: t.Variable) -> t.Term:
    """Return the term with each part about the heap s[0] replaced by a fold over s, where s is `position`.

    The new term has the same value at every position with exactly one heap: `s[0].x` becomes `sum(h.x for h in s)`.
    """
    made = _replace_first(term, position)
    if made is not term and position.name not in find_free_names(made):
        over = t.Clause(ALONE, position, ())
        match made:
            case t.Comprehension(reducer=reducer, clauses=clauses) if reducer in (NIM_SUM, SUM, COUNT):
                return replace(made, clauses=(over, *clauses))
            case t.Operation(op="part" | "len" | "sum" | "nim_sum") if made.type == INT:
                return t.Comprehension(INT, made.start, made.end, SUM, made, (over,))
    return rebuild(term, lambda x: see_alone(x, position))


def _replace_first(term: t.Term, position: t.Variable) -> t.Term:
    """Return the term with the variable ALONE instead of `s[0]`, where s is `position`."""
    match term:
        case t.Operation(op="index", args=(t.Variable(name=name), t.Literal(value=0))) if name == position.name:
            return t.Variable(term.type, term.start, term.end, ALONE)
    return rebuild(term, lambda x: _replace_first(x, position))


# == lists ============================================================================================================
# Lists of any length, represented by the places that terms mention, and terms about heaps with such lists.
#
# A list is represented by its length and a number for each mentioned place.  A statement that is true for all these
# numbers is true for every list.  A move changes the numbers at some places.  Equal places have equal numbers, which is
# assumed for every two places.
Heap = tuple[Value, ...]


class ListEntries:
    """A list of unknown length and content, before a move.

    Only the places that terms mention are represented, each by a variable for the number at this place.
    `part`: the part of the heap that the list is. `name`: the beginning of the names of the variables.
    `length`: the variable for the length of the list.
    `places`: pairs (place, variable), in the order in which terms mentioned the places.
    """

    def __init__(self, part: HeapPart, name: str) -> None:
        self.part, self.name = part, name
        self.length = t.Variable(INT, 0, 0, f"len({name})")
        self.places: list[tuple[t.Term, t.Variable]] = []

    def get_entry(self, place: t.Term) -> t.Term:
        """Return the variable for the number at a place. It is unrestricted if the place is outside the list."""
        for other, number in self.places:
            if is_same_polynomial(other, place):
                return number
        number = t.Variable(INT, 0, 0, f"{self.name}[{print_term(polynomial(place).term())}]")
        assert all(number.name != x.name for _, x in self.places)  # equal names would identify different numbers
        self.places.append((place, number))
        return number

    def has(self, place: t.Term) -> t.Term:
        return conjunction(at_least(place, ZERO), less_than(place, self.length))

    def list_facts(self, low: t.Term, high: t.Term | None) -> Iterator[t.Term]:
        """Yield what is known about the numbers at the places that terms mentioned.

        A number is at least `low` and, unless `high` is None, at most `high`, if its place is in the list. The numbers
        at two places are equal if the places are equal.
        """
        for place, number in self.places:
            top = () if high is None else (at_most(number, high),)
            yield implies(self.has(place), conjunction(at_least(number, low), *top))
        for (p, x), (q, y) in combinations(self.places, 2):
            if not is_plain(alike := is_same_place(p, q), False):
                yield implies(alike, equal(x, y))


@dataclass(frozen=True, eq=False)
class SymbolicList:
    """A list of unknown length in which the numbers at some places were replaced.

    `numbers`: the list before the changes.
    `changes`: pairs (place, new number), oldest first. The latest change of a place counts.
    """

    numbers: ListEntries
    changes: tuple[tuple[t.Term, t.Term], ...] = ()

    def get_entry(self, place: t.Term) -> t.Term:
        """Return the number at a place after the changes. It is unrestricted if the place is outside the list."""
        over: list[tuple[t.Term, t.Term]] = []
        for where, number in reversed(self.changes):
            alike = is_same_place(place, where)
            if is_plain(alike, True):
                found = number
                break
            if not is_plain(alike, False):
                over.append((alike, number))
        else:
            found = self.numbers.get_entry(place)
        for alike, number in reversed(over):
            found = choose(alike, number, found)
        return found

    def replace_entry(self, place: t.Term, number: t.Term) -> SymbolicList:
        return replace(self, changes=(*self.changes, (place, number)))


def is_same_place(a: t.Term, b: t.Term) -> t.Term:
    """Return the condition a == b; true or false as a literal if the difference of a and b is constant."""
    apart = polynomial(sub(a, b)).constant
    return equal(a, b) if apart is None else holds(apart == 0)


def make_heap(shape: HeapShape) -> Heap:
    """Return a heap whose numbers are variables. The names of the variables cannot occur in a file."""
    return tuple(
        SymbolicList(ListEntries(part, part.name)) if part.is_list else t.Variable(INT, 0, 0, f"h.{part.name}")
        for part in shape.parts
    )


def rows_of(heap: Heap) -> Iterator[tuple[int, SymbolicList]]:
    """Yield (index of the part, list) for each part of the heap that is a list."""
    return ((i, x) for i, x in enumerate(heap) if isinstance(x, SymbolicList))


class PositionView(ABC):
    """A symbolic position. Its heaps are unknown; only the values of folds over it can be requested."""

    @abstractmethod
    def value(self, fold: PlaceFold) -> t.Term:
        """Return a term for the value of the fold at this position. Raises Unsupported for an unsupported fold."""


def refuse_list(term: t.Term) -> Unsupported:
    """Return the error for a term that needs all elements of a list, although its length is unknown."""
    instead = 'h.c[i], len(h.c), put(h.c, i, x) or a fold over places; or rule = "one heap" for lists of fixed length'
    return Unsupported(f"{print_term(term)} is not supported for lists of any length", instead=f"use {instead}")


def refuse_position(term: t.Term) -> Unsupported:
    """Return the error for a term that mentions a position outside a fold."""
    instead = "write a fold over the places, such as nim_sum(h.c[i] for h in s for i in range(len(h.c))); "
    instead += "if the first hypothesis is len(s) == 1, folds over s[0].c are supported too"
    words = f"{print_term(term)}: the rule supports only folds over all heaps of a position"
    return Unsupported(words, instead=instead)


class PlaceReader(Flattener):
    """A translator of terms about heaps with lists of any length, and about positions that are described by folds."""

    def read(self, term: t.Term, env: FlatEnv) -> Value:
        if (found := find_fold(term, lambda name: isinstance(env.get(name), PositionView))) is not None:
            seen = env[found[0]]
            assert isinstance(seen, PositionView)
            return seen.value(found[1])
        return super().read(term, env)

    def items(self, term: t.Term, env: FlatEnv) -> tuple[Value, ...]:
        found = self.read(term, env)
        if not isinstance(found, tuple):
            raise refuse_list(term)
        return found

    def _operate(self, term: t.Term, op: str, args: list[Value]) -> Value:
        match op, args:
            case "len", [SymbolicList(numbers=numbers)]:
                return numbers.length
            case "index", [SymbolicList() as row, t.Term() as place]:
                self.owe(row.numbers.has(place))
                return row.get_entry(place)
            case "put", [SymbolicList() as row, t.Term() as place, t.Term() as number]:
                self.owe(row.numbers.has(place))
                return row.replace_entry(place, number)
            case "part", [tuple(heap), t.Literal(value=at)]:
                return heap[at]
            case "heap", _:
                return tuple(args)
        if any(isinstance(x, PositionView) for x in args):
            raise refuse_position(term)
        if any(isinstance(x, SymbolicList) for x in args):
            raise refuse_list(term)
        return super()._operate(term, op, args)


class OnOneWay(PlaceReader):
    """A translator of terms whose translation needs no case distinction.

    Its methods raise Unsupported if a term chooses between lists by a condition.
    """

    def choose(self, count: int) -> int:
        words = "a condition chooses between two lists, which is supported only in the rules of moves"
        raise Unsupported(words, instead="choose between numbers instead of lists, as in h.c[i] if ... else 0")


# == board ============================================================================================================
# A game whose heaps have lists of any length: its heaps, and the effects of its moves on folds.
@dataclass(frozen=True, eq=False)
class PlacesMoveBranch:
    """A move on a heap that contains lists of any length, in one case of a case distinction.

    `met`: the condition of this case.
    `legal`: the condition that the numbers which the mover picks are legal.
    `owed`: the condition that the terms in the rules of the move are defined.
    `is_heap`: the condition that `left` is a heap of the game.
    `left`: the heap after the move.
    """

    met: t.Term
    legal: t.Term
    owed: t.Term
    is_heap: t.Term
    left: Heap


class PlacesGame:
    """The game of a claim about heaps that contain lists of any length.

    The constructor raises Unsupported for a game that the rule "places" does not support.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim, self.game = claim, require_one_game(claim)
        refuse_games(self.game)
        if self.game.ruleset.sees_position:
            words = "the rule does not support moves that depend on heaps other than the chosen one"
            raise Unsupported(f"{self.game.ruleset.id}: {words}")
        assert self.game.ruleset.heap is not None
        self.shape = self.game.ruleset.heap

    def list_parameters(self, flat: PlaceReader) -> dict[str, Value]:
        """Return terms for the claim's integers and for the parameters of the game, by name."""
        return list_parameters(self.claim, self.game, flat)

    # -- heaps --------------------------------------------------------------------------------------------------------
    def conjoin_facts(self, heap: Heap) -> t.Term:
        """Return the conjunction of the facts about `heap`: the bounds of its numbers, and the condition `where`.

        Both are from [heap] in the ruleset. The facts cover only the places that terms mentioned before the call, so
        call this method after all terms about the heap are translated.
        """
        flat = OnOneWay()
        env = {**self.list_parameters(flat), "h": heap}
        found: list[t.Term] = []
        named = {i: [place for place, _ in row.numbers.places] for i, row in rows_of(heap)}
        for x in () if self.shape.where is None else t.conjuncts(self.shape.where):
            found += self._instances(flat, x, env, named)
        for part, value in zip(self.shape.parts, heap, strict=True):
            low, high = (None if x is None else flat.number(x, env) for x in (part.lo, part.hi))
            assert low is not None
            if isinstance(value, SymbolicList):
                found += [at_least(value.numbers.length, ZERO), *value.numbers.list_facts(low, high)]
            else:
                assert isinstance(value, t.Term)
                found += [at_least(value, low), *(() if high is None else (at_most(value, high),))]
        return conjunction(*found)

    def _instances(
        self, flat: PlaceReader, x: t.Term, env: FlatEnv, named: dict[int, list[t.Term]]
    ) -> Iterator[t.Term]:
        """Yield facts about the heap `env["h"]`, from a condition x that holds for every heap of the game.

        If x is of the form `all(... for i in range(a, b))`, it is stated only for the places i at which it uses a
        number that terms have mentioned.
        `named`: the places that have been mentioned, for each part of the heap that is a list.
        """
        parts = _match_all_places(x)
        if parts is None:
            yield flat.truth(x, env)
            return
        heap = env["h"]
        assert isinstance(heap, tuple)
        places: list[t.Term] = []
        for i, apart in self._find_distances(partial(self._read_all, parts=parts, env=env)):
            for place in named[i]:
                here = polynomial(sub(place, integer(apart))).term()
                if not any(is_plain(is_same_place(here, other), True) for other in places):
                    places.append(here)
        yield from (self._read_all(flat, heap, place, parts=parts, env=env) for place in places)

    def is_heap(self, flat: PlaceReader, heap: Heap) -> t.Term:
        """Return the condition, to be proved, that `heap` is a heap of the game after a move.

        A condition of the form `all(... for i in range(a, b))` is stated for a variable i.
        """
        env = {**self.list_parameters(flat), "h": heap}
        found: list[t.Term] = []
        for part, value in zip(self.shape.parts, heap, strict=True):
            numbers = [x for _, x in value.changes] if isinstance(value, SymbolicList) else [value]
            for x in numbers:
                assert isinstance(x, t.Term)
                found.append(at_least(x, flat.number(part.lo, env)))
                found += [] if part.hi is None else [at_most(x, flat.number(part.hi, env))]
        for i, x in enumerate(() if self.shape.where is None else t.conjuncts(self.shape.where)):
            parts = _match_all_places(x)
            if parts is None:
                found.append(flat.truth(x, env))
            else:
                found.append(self._read_all(flat, heap, t.Variable(INT, 0, 0, f"place {i}"), parts, env))
        return conjunction(*found)

    def _read_all(
        self, flat: PlaceReader, heap: Heap, place: t.Term, parts: tuple[t.Term, t.Clause], env: FlatEnv
    ) -> t.Term:
        """Return the instance of `all(body for i in range(a, b) if ...)` for i = `place`.

        `parts`: the body and the clause, from `_match_all_places`.
        """
        body, clause = parts
        assert isinstance(clause.source, t.Operation)
        low, after = (flat.number(x, {**env, "h": heap}) for x in clause.source.args)
        met: list[t.Term] = [at_least(place, low), less_than(place, after)]
        here = {**env, "h": heap, clause.variable: place}
        for x in (*clause.conditions, body):
            with flat.assuming(*met):
                met.append(flat.truth(x, here))
        return implies(conjunction(*met[:-1]), met[-1])

    # -- moves --------------------------------------------------------------------------------------------------------
    def list_ways(self, heap: Heap, number: int) -> Iterator[PlacesMoveBranch]:
        """Yield the moves from the heap by the [[moves]] table with the index `number`.

        The numbers that the mover picks are variables, which are assumed to be legal. If the result depends on
        conditions, yield one move for each case.
        """
        yield from explore_with(PlaceReader, partial(self._play, heap=heap, number=number, take=None, here={}))

    def list_named(self, heap: Heap, number: int, take: dict[str, t.Term], here: FlatEnv) -> Iterator[PlacesMoveBranch]:
        """Yield the move from the heap that picks the numbers `take`; several moves if its result depends on cases.

        `number`: the index of the [[moves]] table in the ruleset.
        `take`: the picked numbers, as terms over the names in `here`.
        """
        yield from explore_with(PlaceReader, partial(self._play, heap=heap, number=number, take=take, here=here))

    def _play(
        self, flat: PlaceReader, heap: Heap, number: int, take: dict[str, t.Term] | None, here: FlatEnv
    ) -> PlacesMoveBranch:
        move, env = self.game.ruleset.moves[number], self.list_parameters(flat)
        legal, left = make_move(flat, move, heap, env, take, here)
        for before, after in zip(heap, left, strict=True):
            if isinstance(before, SymbolicList) and not (
                isinstance(after, SymbolicList) and after.numbers is before.numbers
            ):
                words = f"{print_term(move.become[0])}: the new list must be the old list with changed numbers"
                raise Unsupported(words, instead='use rule = "one heap" for lists of fixed length')
        is_heap = self.is_heap(flat, left)
        return PlacesMoveBranch(conjunction(*flat.met), legal, conjunction(*flat.owed), is_heap, left)

    # -- folds --------------------------------------------------------------------------------------------------------
    def find_distances(self, fold: PlaceFold) -> list[tuple[int, int]]:
        """Return the pairs (p, d) such that the term of the fold for place i uses the number at place i + d.

        p is the index of the part that contains this number. For the term `h.c[i] ^ h.c[i + 1]`, the distances d are 0
        and 1. Raises Unsupported if a distance is not constant, as in `h.c[2 * i]`.
        """
        return self._find_distances(lambda flat, heap, place: self.add_at(flat, fold, heap, place))

    def _find_distances(self, read: Callable[[PlaceReader, Heap, t.Term], object]) -> list[tuple[int, int]]:
        place, heap = t.Variable(INT, 0, 0, PLACE), make_heap(self.shape)
        read(OnOneWay(), heap, place)
        found = []
        for i, row in rows_of(heap):
            for where, _ in row.numbers.places:
                apart = polynomial(sub(where, place)).constant
                if apart is None:
                    words = print_term(substitute(where, {PLACE: t.Variable(INT, 0, 0, "i")}))
                    words = f"{self.shape.parts[i].name}[{words}]"
                    raise Unsupported(
                        f"{words} is not supported: a term over all indices i of a list may use only h.c[i], "
                        "h.c[i + 1], h.c[i - 1] and so on"
                    )
                found.append((i, apart))
        return found

    def add_at(self, flat: PlaceReader, fold: PlaceFold, heap: Heap, place: t.Term | None) -> tuple[t.Term, t.Term]:
        """Return (condition, number): if the condition holds, the heap contributes the number to the fold at `place`.

        `place`: None for a fold over heaps only.
        """
        env = {**self.list_parameters(flat), HEAP: heap, **({} if place is None else {PLACE: place})}
        met = [flat.truth(fold.having, env)]
        if fold.low is not None and fold.after is not None:
            assert place is not None
            with flat.assuming(*met):
                inside = at_least(place, flat.number(fold.low, env)), less_than(place, flat.number(fold.after, env))
            met += inside
        with flat.assuming(*met):
            met.append(flat.truth(fold.when, env))
        with flat.assuming(*met):
            added = flat.truth(fold.term, env) if fold.reducer == COUNT else flat.number(fold.term, env)
            if fold.reducer == NIM_SUM:
                flat.owe(at_least(added, ZERO))
        return (conjunction(*met, added), ONE) if fold.reducer == COUNT else (conjunction(*met), added)


def _match_all_places(x: t.Term) -> tuple[t.Term, t.Clause] | None:
    """Return (body, clause) of a term `all(body for i in range(a, b) if ...)`; None for other terms."""
    match x:
        case t.Comprehension(reducer="all", body=body, clauses=(clause,)):
            if isinstance(clause.source, t.Operation) and clause.source.op == "range":
                return body, clause
    return None


# == changes ==========================================================================================================
# The folds of a position before a move on one of its heaps, and after the move.
#
# A move changes only finitely many known terms of a fold.  The sum of all other terms is one unknown number.  A
# statement that is true for all values of that number is true for every position.
@dataclass(frozen=True, eq=False)
class Picked:
    """The choice of a place in a proof: `place` is assumed to contribute to `fold`."""

    fold: PlaceFold
    place: t.Term


@dataclass(eq=False)
class MoveEffect:
    """A move that changes one heap of an unknown position, and the values of folds before and after it.

    The value of a fold is the sum (or nim-sum) of the terms that the move may change, and of a variable for the rest.

    `board`: the game.
    `before`, `after`: the heap before and after the move; equal if there is no move.
    `names`: the name of each fold, by `PlaceFold.key`.
    `lows`: the lower bounds of variables, by name. New variables are added.
    `picked`: the place that the proof picks, if any.
    `known`: the conditions that the picked place contributes to its fold.
    `rests`, `folds`: the variable for the rest of each requested fold, and the fold, by key.
    """

    board: PlacesGame
    before: Heap
    after: Heap
    names: MutableMapping[Hashable, str]
    lows: MutableMapping[str, int]
    picked: Picked | None = None
    known: list[t.Term] = field(default_factory=list)
    rests: dict[Hashable, t.Variable] = field(default_factory=dict)
    folds: dict[Hashable, PlaceFold] = field(default_factory=dict)
    _values: dict[Hashable, tuple[t.Term, t.Term]] = field(default_factory=dict)

    def values(self, fold: PlaceFold) -> tuple[t.Term, t.Term]:
        """Return (value before the move, value after the move) of a fold. Raises Unsupported."""
        if fold.key not in self._values:
            self._values[fold.key] = self._make(fold)
        return self._values[fold.key]

    def compute_contribution(self) -> t.Term:
        """Return the number that the heap, before the move, contributes to `picked.fold` at `picked.place`."""
        assert self.picked is not None
        return self.board.add_at(OnOneWay(), self.picked.fold, self.before, self.picked.place)[1]

    def _make(self, fold: PlaceFold) -> tuple[t.Term, t.Term]:
        self.folds[fold.key] = fold
        places = list(self._list_places(fold))
        name = self.names.setdefault(fold.key, f"{fold.reducer} {len(self.names) + 1}'")
        rest = self.rests[fold.key] = name_fold(fold, f"{name} of the rest" if places else name, self.lows)
        before: t.Term = rest
        after: t.Term = rest
        for place, once in places:
            old, new = self._add(fold, place, once)
            before, after = fold.join(old, before), fold.join(new, after)
        return before, after

    def _add(self, fold: PlaceFold, place: t.Term | None, once: t.Term) -> tuple[t.Term, t.Term]:
        """Return the contributions (before, after) of the heap to the fold at a place, before and after the move.

        Both are 0 if the condition `once` is false, so that no place is counted twice. At the picked place, add the
        assumption that the heap contributes before the move.
        """
        there, old = self.board.add_at(OnOneWay(), fold, self.before, place)
        still, new = self.board.add_at(OnOneWay(), fold, self.after, place)
        after = choose(conjunction(once, still), new, ZERO)
        if self.picked is not None and self.picked.place is place:
            self.known.append(there)
            return old, after
        return choose(conjunction(once, there), old, ZERO), after

    def _list_places(self, fold: PlaceFold) -> Iterator[tuple[t.Term | None, t.Term]]:
        """Yield (place, condition) for the picked place, and for each place whose term in the fold may change.

        The condition states that the place differs from all earlier places. For a fold over heaps only, yield (None,
        true) if the move changes the heap, and nothing otherwise.
        """
        changed = [i for i, (x, y) in enumerate(zip(self.before, self.after, strict=True)) if _is_changed(x, y)]
        if fold.low is None:
            if changed:
                yield None, YES
            return
        found: list[t.Term] = []
        picked = [] if self.picked is None or self.picked.fold.key != fold.key else [self.picked.place]
        for place in (*picked, *self._find_affected(fold, changed)):
            same = [is_same_place(place, other) for other in found]
            if not any(is_plain(x, True) for x in same):
                yield place, conjunction(*(negation(x) for x in same))
                found.append(place)

    def _find_affected(self, fold: PlaceFold, changed: list[int]) -> Iterator[t.Term]:
        """Yield the places whose terms in the fold depend on a number that the move changes.

        Raises Unsupported if the terms of all places depend on a changed number, because this number is not in a list.
        `changed`: the indices of the parts of the heap that the move changes.
        """
        other, place = make_heap(self.board.shape), t.Variable(INT, 0, 0, PLACE)
        looked = names_in(*self.board.add_at(OnOneWay(), fold, other, place))
        for before in (self.before[i] for i in changed):
            if isinstance(before, t.Variable) and before.name in looked:
                instead = "use a fold over heaps: nim_sum(h.q for h in s)"
                words = "a fold over places uses a number outside the list, and a move changes this number"
                raise Unsupported(words, instead=instead)
        for i, apart in self.board.find_distances(fold):
            after = self.after[i]
            assert isinstance(after, SymbolicList)
            for where, _ in after.changes:
                yield polynomial(sub(where, integer(apart))).term()


def _is_changed(before: Value, after: Value) -> bool:
    return bool(after.changes) if isinstance(after, SymbolicList) else after is not before


def name_fold(fold: PlaceFold, name: str, lows: MutableMapping[str, int]) -> t.Variable:
    """Return the variable `name` for the value of a fold. If the fold is never negative, set `lows[name]` to 0."""
    if fold.natural:
        lows[name] = 0
    return t.Variable(INT, 0, 0, name)


@dataclass(eq=False)
class AtChange(PositionView):
    """The position before a move or, if `is_after`, the position after this move."""

    change: MoveEffect
    is_after: bool

    def value(self, fold: PlaceFold) -> t.Term:
        return self.change.values(fold)[self.is_after]


@dataclass(eq=False)
class AnyPosition(PositionView):
    """An arbitrary position. The value of each fold over it is a variable.

    `names`, `lows`: the names of folds and the lower bounds of variables, as in `MoveEffect`.
    `folds`: the folds whose values have been requested, by key.
    """

    names: MutableMapping[Hashable, str]
    lows: MutableMapping[str, int]
    folds: dict[Hashable, PlaceFold] = field(default_factory=dict)

    def value(self, fold: PlaceFold) -> t.Term:
        self.folds[fold.key] = fold
        own = self.names.setdefault(fold.key, f"{fold.reducer} {len(self.names) + 1}'")
        return name_fold(fold, own, self.lows)
