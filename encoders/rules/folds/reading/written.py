"""The positions that terms stand for: those of variables, those that a claim writes down, and what is made of them.

So too lists of numbers and truth values that are written down one by one, and heaps in ascending order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

from claims.language.expressions.printing import print_term
from claims.language.expressions.walk import free_names, structural_key, substitute
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, PLAYER, POSITION
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.reader import Env
from encoders.logic.terms import (
    ONE,
    YES,
    ZERO,
    add,
    at_least,
    at_most,
    choose,
    compare,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    opposite,
    sub,
)
from encoders.rules.folds.positions.folding import Folding, mapped
from encoders.rules.folds.positions.positions import Fold, OptionalHeap, Position, of_heaps
from encoders.rules.folds.positions.theory import FoldsTheory
from encoders.rules.folds.statement.extremes import extreme_of

MOST_LISTED = 16  # numbers of a range that are written out


class PositionTermReader:
    """Finds the position of a term; one that is written down twice is the same one."""

    def __init__(self, theory: FoldsTheory, folding: Folding) -> None:
        self.theory, self.folding = theory, folding
        self._made: dict[object, Position] = {}  # by their heaps, or by what they are made of
        self._without: dict[tuple[int, str], tuple[Position, Position]] = {}  # a position, and it without an extreme
        self._drawn: dict[tuple[int, Hashable], tuple[Position, Position]] = {}  # it without a heap of it
        self._kept: list[Position] = []  # so that their identities stay theirs

    def position_of(self, term: t.Term, env: Env) -> Position:
        """A position. Raises Unsupported for one that is neither a variable nor written down."""
        if isinstance(term, t.Variable):
            found = env.get(term.name)
            if isinstance(found, Position):
                return found
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                return self._write(items, env)
            case t.Operation(
                op="position",
                args=(
                    t.Comprehension(
                        body=body,
                        clauses=(
                            t.Clause(variable=name, source=t.Operation(op="range", args=(low, after)), conditions=()),
                        ),
                    ),
                ),
            ) if name not in free_names(body):
                return self._copy(self.theory.number(body, env), self._length(low, after, env))
            case t.Operation(op="replace", args=(source, heap, size)):
                found = extreme_of(heap)
                if found is not None and not found.times and structural_key(found.source) == structural_key(source):
                    return self._replace(self.position_of(source, env), found.which, self.theory.number(size, env))
                return self._change(source, heap, size, env)
            case t.Operation(op="join", args=(a, b)):
                return self._join(self.position_of(a, env), self.position_of(b, env))
        if (image := mapped(term)) is not None:
            return self._map(image, env)
        instead = "write it heap by heap, or make it of s: s + [x], replace(s, h, x), position([h - 1 for h in s])"
        raise Unsupported(f"{print_term(term)} is no position that the proof rule knows", instead=instead)

    def draw(self, s: Position, heap: t.Term, rest: Position) -> None:
        """Note that s is the heap, and the rest."""
        self._drawn[id(s), structural_key(heap)] = s, rest

    def is_drawn(self, s: Position, heap: t.Term) -> bool:
        """Whether a heap was drawn from s."""
        return (id(s), structural_key(heap)) in self._drawn

    def _change(self, source: t.Term, heap: t.Term, becomes: t.Term, env: Env) -> Position:
        """The position with one heap, that was drawn from it, become another number."""
        theory = self.theory
        s, h, size = self.position_of(source, env), theory.number(heap, env), theory.number(becomes, env)
        if not self.is_drawn(s, h):
            raise Unsupported(
                f"{print_term(heap)} is no heap of {print_term(source)} that the proof rule can tell from the rest"
            )
        _, rest = self._drawn[id(s), structural_key(h)]
        key = "replaced", id(rest), structural_key(size)
        if key not in self._made:
            self._made[key] = theory.after(rest, self._size(size))
        return self._made[key]

    def _join(self, a: Position, b: Position) -> Position:
        """The heaps of both. What is put together of one number for each heap is put together of the two.

        The least and the largest heap, and columns, are told of a sum as of any position.
        """
        if a.listed is not None and b.listed is not None:
            return of_heaps(self.theory.symbols, self.theory.highest, "sum", (*a.listed, *b.listed))
        key = "sum", *sorted((id(a), id(b)))
        if key not in self._made:
            made = self.theory.position(f"{a.name} + {b.name}")
            made.image = lambda fold: fold.join(a.fold(fold), b.fold(fold)) if isinstance(fold, Fold) else None
            self._made[key] = made
            self._kept += (a, b)
        return self._made[key]

    def _map(self, image: t.Comprehension, env: Env) -> Position:
        """The position made of another heap by heap: its folds are folds of that."""
        theory = self.theory
        (clause,) = image.clauses
        s, mapping = self.position_of(clause.source, env), self.folding.mapping(image, env)
        key = "image", id(s), mapping.key
        if key not in self._made:
            self._kept.append(s)
            if s.listed is None:
                made, after = theory.position(f"image of {s.name}"), self.folding.after
                made.image = lambda fold: s.fold(after(mapping, fold)) if isinstance(fold, Fold) else None
            else:
                heaps = ((conjunction(x.present, mapping.kept(x.heap)), mapping.becomes(x.heap)) for x in s.listed)
                sizes = [choose(there, size, ZERO) for there, size in heaps]
                listed = tuple(OptionalHeap(size, compare("gt", size, ZERO)) for size in sizes)
                made = of_heaps(theory.symbols, theory.highest, f"image of {s.name}", listed)
            self._made[key] = made
        return self._made[key]

    def _write(self, items: tuple[t.Term, ...], env: Env) -> Position:
        """The position of the heaps that a claim writes down one by one.

        That they are heaps below the bound is an obligation of its own wherever a claim writes one down.  Where it does
        not look at them, they need not be; then they are told as none, so that what is known stays true of positions.
        """
        theory = self.theory
        numbers = [theory.number(item, env) for item in items]
        key = tuple(map(structural_key, numbers))
        if key not in self._made:
            heaps = map(self._size, numbers)
            listed = tuple(OptionalHeap(h, compare("gt", h, ZERO)) for h in heaps)
            self._made[key] = of_heaps(theory.symbols, theory.highest, "written", listed)
        return self._made[key]

    def _length(self, low: t.Term, after: t.Term, env: Env) -> t.Term:
        """How many numbers a range holds, or a number below 1."""
        last = self.theory.number(after, env)
        return last if isinstance(low, t.Literal) and low.value == 0 else sub(last, self.theory.number(low, env))

    def _copy(self, size: t.Term, number: t.Term) -> Position:
        """So many heaps of the size; none where that is below 1, or the number is."""
        key = "copies", structural_key(size), structural_key(number)
        if key not in self._made:
            heap, theory = self._size(size), self.theory
            is_heap = YES if isinstance(heap, t.Literal) and heap.value >= 1 else at_least(heap, ONE)
            many = choose(conjunction(at_least(number, ONE), is_heap), number, ZERO)
            self._made[key] = Position("written", theory.symbols, theory.highest, copies=(heap, many))
        return self._made[key]

    def _replace(self, s: Position, which: str, size: t.Term) -> Position:
        """s with a least or a largest heap become `size`; any position where s has no heap, and there is none."""
        theory = self.theory
        if (id(s), which) not in self._without:
            some = at_least(s.fold(theory.heaps), ONE)
            heap, rest = theory.split(s, some, s.name)
            theory.learn(Reason.EXTREME_HEAP, implies(some, equal(heap, s.fold(theory.extreme(which)))))
            self._without[id(s), which] = s, rest
        _, rest = self._without[id(s), which]
        key = "replaced", id(rest), structural_key(size)
        if key not in self._made:
            self._made[key] = theory.after(rest, self._size(size))
        return self._made[key]

    def _size(self, number: t.Term) -> t.Term:
        """The number as one that a heap or none may have."""
        return number if self.theory.is_size(number) else self._heap_or_none(number)

    def _heap_or_none(self, heap: t.Term) -> t.Term:
        theory = self.theory
        above = () if theory.highest is None else (at_most(heap, integer(theory.highest)),)
        made = theory.size("heap written down")
        theory.learn(Reason.WRITTEN, equal(made, choose(conjunction(at_least(heap, ZERO), *above), heap, ZERO)))
        return made


def number_of_list(theory: FoldsTheory, term: t.Term, env: Env) -> t.Term | None:
    """A number about heaps in order, or how many elements of a list meet conditions; None for other terms.

    Raises Unsupported.
    """
    match term:
        case t.Operation(op="min" | "max" as op, args=(source,)) if heaps := _ordered(theory, source, env):
            return heaps[0 if op == "min" else -1]
        case t.Operation(op="index", args=(source, place)) if heaps := _ordered(theory, source, env):
            return _at(heaps, theory.number(place, env))
        case t.Comprehension(reducer="count", body=body, clauses=(clause,)) if _is_list(clause.source):
            found: t.Term = ZERO
            for counts in _meeting(theory, body, clause, env):
                found = add(found, choose(counts, ONE, ZERO))
            return found
    return None


def quantified_over_list(theory: FoldsTheory, term: t.Comprehension, clause: t.Clause, env: Env) -> t.Term | None:
    """Whether any or all of the elements that are written down fit; None for other sources. Raises Unsupported.

    A short range of known ends is written out.
    """
    clause = replace(clause, source=_written_out(clause.source))
    if not isinstance(clause.source, t.Collection):
        return None
    if term.reducer == "any":
        return disjunction(*_meeting(theory, term.body, clause, env))
    return opposite(disjunction(*_meeting(theory, opposite(term.body), clause, env)))


def _written_out(source: t.Term) -> t.Term:
    match source:
        case t.Operation(op="range", args=(t.Literal(value=low), t.Literal(value=after))) if after - low <= MOST_LISTED:
            return t.Collection(source.type, source.start, source.end, tuple(map(integer, range(low, after))))
    return source


def _ordered(theory: FoldsTheory, source: t.Term, env: Env) -> list[t.Term]:
    """The heaps of a position whose heaps are known in ascending order, else none."""
    if isinstance(source, t.Variable) and source.type == POSITION:
        found = env.get(source.name)
        if isinstance(found, Position) and found.ordered and found.listed:
            return [x.heap for x in found.listed]
    return []


def _at(heaps: list[t.Term], place: t.Term) -> t.Term:
    """The heap at a place, counted from 0; one of them where there is no such place."""
    if isinstance(place, t.Literal):
        return heaps[max(0, min(place.value, len(heaps) - 1))]
    found = heaps[-1]
    for i, heap in enumerate(heaps[:-1]):
        found = choose(equal(place, integer(i)), heap, found)
    return found


def _is_list(source: t.Term) -> bool:
    """Whether elements are written down in a list: in a set the same one may stand twice."""
    return isinstance(source, t.Collection) and source.type.kind == "list"


def _meeting(theory: FoldsTheory, body: t.Term, clause: t.Clause, env: Env) -> Iterator[t.Term]:
    """For each element of a list that is written down, whether it meets the conditions and the body."""
    assert isinstance(clause.source, t.Collection)
    for item in clause.source.items:
        said = (*clause.conditions, body)
        if (
            isinstance(item, t.Literal) and item.type == INT
        ):  # as a number written down, which the columns of a fold are
            yield conjunction(*(theory.truth(substitute(x, {clause.variable: item}), env) for x in said))
            continue
        inner = {**env, clause.variable: _read(theory, item, env)}
        yield conjunction(*(theory.truth(x, inner) for x in said))


def _read(theory: FoldsTheory, item: t.Term, env: Env) -> object:
    if item.type == BOOL:
        return theory.truth(item, env)
    if item.type == INT:
        return theory.number(item, env)
    if item.type == POSITION:
        return theory.position_of(item, env)
    if item.type == PLAYER:
        return theory.player(item, env)
    raise Unsupported(f"{print_term(item)} is no element that the proof rule knows")
