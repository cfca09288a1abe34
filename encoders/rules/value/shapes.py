"""Shapes of positions, and the sequents over them: how many heaps, the least, how often it occurs, the largest.

These are folds over any number of heaps.  Where a proof wants it, the heaps themselves belong to the shape of a
position that has few.  The shape of {h} + R follows from h and the shape of R (`beside`), and all shapes of positions
satisfy `possible`; both are obligations of the rule, proved by induction on the number of heaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from claims.language.expressions.printing import print_term
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION, set_of
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.integers import IntegerReader
from encoders.logic.reader import Env
from encoders.logic.terms import (  # fmt: skip
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
    iff,
    implies,
    integer,
    less_than,
    negation,
)
from encoders.rules.kit.common import refuse_others
from encoders.rules.value.section import ValueProof, names


@dataclass(frozen=True, eq=False)
class PositionShape:
    """Integers of a sequent; all 0 for the empty position.

    `sizes`: as many as a proof wants, the heaps in ascending order, then 0; all 0 for a position with more heaps.
    """

    heaps: t.Term
    least: t.Term
    times: t.Term
    largest: t.Term
    sizes: tuple[t.Term, ...] = ()

    @property
    def parts(self) -> tuple[t.Term, ...]:
        return (self.heaps, self.least, self.times, self.largest, *self.sizes)

    def env(self) -> dict[str, object]:
        """The parts by the names that a formula calls them."""
        return dict(zip(names(len(self.sizes)), self.parts, strict=True))


def of_parts(parts: Iterable[t.Term]) -> PositionShape:
    heaps, least, times, largest, *sizes = parts
    return PositionShape(heaps, least, times, largest, tuple(sizes))


def empty(ordered: int = 0) -> PositionShape:
    """The shape of no heap."""
    return PositionShape(ZERO, ZERO, ZERO, ZERO, (ZERO,) * ordered)


def possible(s: PositionShape) -> t.Term:
    """What holds of the shape of every position."""
    some = conjunction(
        at_least(s.heaps, ONE),
        at_least(s.least, ONE),
        at_least(s.times, ONE),
        at_most(s.times, s.heaps),
        at_least(s.largest, s.least),
        iff(equal(s.times, s.heaps), equal(s.largest, s.least)),
    )
    none = conjunction(*(equal(part, ZERO) for part in s.parts))
    in_order = (implies(equal(s.heaps, integer(count)), x) for count, x in _in_order(s))
    return conjunction(disjunction(none, some), *in_order, _too_many(s))


def _in_order(s: PositionShape) -> Iterator[tuple[int, t.Term]]:
    """For each number of heaps: what holds of the sizes of so many."""
    for count in range(1, len(s.sizes) + 1):
        used, rest = s.sizes[:count], s.sizes[count:]
        ascending = [at_most(a, b) for a, b in pairwise(used)]
        least = reduce(add, (choose(equal(x, s.least), ONE, ZERO) for x in used))
        ends = [equal(used[0], s.least), equal(used[-1], s.largest), equal(least, s.times)]
        yield count, conjunction(*ascending, *ends, *(equal(x, ZERO) for x in rest))


def _too_many(s: PositionShape) -> t.Term:
    return implies(compare("gt", s.heaps, integer(len(s.sizes))), conjunction(*(equal(x, ZERO) for x in s.sizes)))


def beside(rest: PositionShape, heap: t.Term) -> PositionShape:
    """The shape of the rest with one more heap, `heap` >= 1."""
    alone = equal(rest.heaps, ZERO)
    lower = disjunction(alone, less_than(heap, rest.least))
    again = choose(equal(heap, rest.least), add(rest.times, ONE), rest.times)
    return PositionShape(
        add(rest.heaps, ONE),
        choose(lower, heap, rest.least),
        choose(lower, ONE, again),
        choose(disjunction(alone, compare("gt", heap, rest.largest)), heap, rest.largest),
        tuple(_insert(rest, heap)),
    )


def _insert(rest: PositionShape, heap: t.Term) -> Iterator[t.Term]:
    """The sizes with one more among them: those up to it stay, the others move on by one."""
    there = [compare("gt", rest.heaps, integer(i)) for i in range(len(rest.sizes))]
    stays = [conjunction(there[i], at_most(x, heap)) for i, x in enumerate(rest.sizes)]
    for i, x in enumerate(rest.sizes):
        moved = heap if i == 0 else choose(conjunction(there[i - 1], negation(stays[i - 1])), rest.sizes[i - 1], heap)
        here = choose(stays[i], x, choose(at_least(rest.heaps, integer(i)), moved, ZERO))
        yield choose(less_than(rest.heaps, integer(len(rest.sizes))), here, ZERO)


def choose_shape(condition: t.Term, a: PositionShape, b: PositionShape) -> PositionShape:
    """a where the condition holds, else b."""
    return of_parts(choose(condition, x, y) for x, y in zip(a.parts, b.parts, strict=True))


class ShapeReader(IntegerReader):
    """The claim's integers with their domains, the number of players, and shapes of positions.

    The claim's questions are values of the formula: a value is owed that the position lies in the region, the heaps in
    order that there are few.  Raises Unsupported where a variable is no integer and no position.
    """

    def __init__(self, claim: Claim, proof: ValueProof) -> None:
        refuse_others(claim)
        self.proof = proof
        self.about_positions = False  # whether the claim is being read, and not a proof
        super().__init__(claim)  # which reads the domains by now
        game = claim.games[0]
        self.players = self.number(dict(game.arguments)[game.ruleset.player_count], self.env)

    def empty(self) -> PositionShape:
        """The shape of no heap."""
        return empty(self.proof.ordered)

    def shape(self, name: str) -> PositionShape:
        """A shape of which nothing is known."""
        return of_parts(self.fresh(f"{part} of {name}") for part in names(self.proof.ordered))

    def some(self, name: str) -> PositionShape:
        """The shape of any position."""
        made = self.shape(name)
        self.learn(Reason.SHAPES, possible(made))
        return made

    def value(self, s: PositionShape) -> t.Term:
        """The formula."""
        return self.number(self.proof.value, {**self.env, **s.env()})

    def region(self, s: PositionShape) -> t.Term:
        """Whether the formula is about positions of that shape."""
        return self.truth(self.proof.region, {**self.env, **s.env()})

    def next(self, value: t.Term) -> t.Term:
        """(value + 1) mod n, for 0 <= value < n."""
        return choose(equal(add(value, ONE), self.players), ZERO, add(value, ONE))

    def moved(self, name: str) -> tuple[PositionShape, PositionShape, t.Term, tuple[t.Term, ...]]:
        """A position of the region with a largest heap h over the rest R: (s, R, h, what is known)."""
        rest, heap = self.shape(name), self.fresh("h")
        s = beside(rest, heap)
        return s, rest, heap, (possible(rest), at_least(heap, ONE), at_least(heap, rest.largest), self.region(s))

    def after(self, rest: PositionShape, size: t.Term) -> PositionShape:
        """The rest with a heap of `size` beside it; none if that is 0."""
        return choose_shape(equal(size, ZERO), rest, beside(rest, size))

    # -- the claim ----------------------------------------------------------------------------------------------------
    def claim_env(self) -> Env:
        """The claim's variables; from here on its questions about positions are answered."""
        self.about_positions = True
        return {**self.env, **{v.name: self.some(v.name) for v in self.claim.variables if v.type == POSITION}}

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Something that runs over a range, a position, or positions, which are told as any. Raises Unsupported."""
        found = self.in_range(source, env)
        if found is not None:
            return found
        assert source is not None
        if source.type == set_of(POSITION):
            return self.some("element"), YES
        if source.type != POSITION:
            instead = "say it of each element by itself"
            raise Unsupported(f"{print_term(source)} is no range and no position of rule value", instead=instead)
        s, heap = self._shape_of(source, env), self.fresh("heap")
        return heap, conjunction(at_least(s.heaps, ONE), at_least(heap, s.least), at_most(heap, s.largest))

    def _shape_of(self, term: t.Term, env: Env) -> PositionShape:
        if isinstance(term, t.Variable):
            found = env.get(term.name)
            if isinstance(found, PositionShape):
                return found
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                made = self.empty()
                for item in items:  # that none is negative is an obligation of its own (defined)
                    heap = self.number(item, env)
                    made = choose_shape(equal(heap, ZERO), made, beside(made, heap))
                return made
            case t.Operation(  # position([c for i in range(0, N)]): N heaps of c
                op="position",
                args=(
                    t.Comprehension(
                        reducer="list",
                        body=t.Literal(value=size),
                        clauses=(
                            t.Clause(source=t.Operation(op="range", args=(t.Literal(value=0), count)), conditions=()),
                        ),
                    ),
                ),
            ) if size >= 1:
                if self.proof.ordered:
                    instead = "write it heap by heap, or leave out `sorted`"
                    raise Unsupported(f"{print_term(term)} beside heaps in order", instead=instead)
                number = self.number(count, env)
                heaps = choose(compare("gt", number, ZERO), number, ZERO)
                each = choose(compare("gt", heaps, ZERO), integer(size), ZERO)
                return PositionShape(heaps, each, heaps, each)
        instead = "write it heap by heap, or as position([c for i in range(0, N)])"
        raise Unsupported(f"{print_term(term)} is no position that rule value knows", instead=instead)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        """A number about a position; that it has one is an obligation of its own (defined)."""
        if not self.about_positions:
            return super().about_number(term, env)
        match term:
            case t.GameCall(function="value", args=(s, *_)):
                found = self._shape_of(s, env)
                self.owed.append(self.region(found))
                return self.value(found)
            case t.Operation(op="len", args=(s,)) if s.type == POSITION:
                return self._shape_of(s, env).heaps
            case t.Operation(op="min" | "max" as op, args=(s,)) if s.type == POSITION:
                found = self._shape_of(s, env)
                return found.least if op == "min" else found.largest
            case t.Operation(op="occurrences", args=(s, t.Operation(op="min", args=(again,)))) if s.type == POSITION:
                if again.type == POSITION and self._shape_of(again, env) is self._shape_of(s, env):
                    return self._shape_of(s, env).times
            case t.Operation(op="index", args=(s, t.Literal(value=i))) if s.type == POSITION:
                if 0 <= i < self.proof.ordered:
                    found = self._shape_of(s, env)
                    self.owed.append(at_most(found.heaps, integer(self.proof.ordered)))
                    return found.sizes[i]
        instead = "say it by the value, the number of heaps, the least and the largest, and how often the least occurs"
        raise Unsupported(f"{print_term(term)} has no translation into the shape of a position", instead=instead)
