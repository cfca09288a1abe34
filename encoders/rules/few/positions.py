"""Positions of few heaps, all written down in ascending order, 0 where there is none; and sequents over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise, permutations

from claims.language.expressions.printing import print_term
from claims.language.statement.claim import Claim, Game
from claims.language.terms import terms as t
from claims.language.terms.types import POSITION
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.moves import WHOLE, OpenMove
from encoders.logic.reader import Env
from encoders.logic.terms import (
    ONE,
    ZERO,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    implies,
    negation,
    sub,
)
from encoders.rules.few.section import FewProof, LeastNumberDefinition
from encoders.rules.kit.common import refuse_others
from encoders.rules.kit.lemmas import LemmaReader

Sizes = tuple[t.Term, ...]
Order = tuple[int | None, ...]
"""Heaps after a move: one that was at a place and stays so, -1, -2, ... for those that others became, None for none."""


@dataclass(frozen=True, eq=False)
class FewHeapsPosition:
    """A position. `sizes`: of its largest heaps, ascending, 0 where there is none; `more`: how many more it has."""

    sizes: Sizes
    more: t.Term = ZERO


def ascending(sizes: Sizes) -> t.Term:
    """Whether they are in ascending order, equal ones included."""
    return conjunction(*(at_most(x, y) for x, y in pairwise(sizes)))


def count(sizes: Sizes) -> t.Term:
    """How many heaps there are."""
    number: t.Term = ZERO
    for size in sizes:
        number = add(number, choose(at_least(size, ONE), ONE, ZERO))
    return number


def at_place(sizes: Sizes, place: int) -> t.Term:
    """The heap at a place from 0 on, the least first; 0 where there are no more."""
    found: t.Term = ZERO
    for first in reversed(range(len(sizes))):
        here = sizes[first + place] if first + place < len(sizes) else ZERO
        found = choose(at_least(sizes[first], ONE), here, found)
    return found


def sorted_as(sizes: Sizes, items: Sizes) -> t.Term:
    """That `sizes` are the items in ascending order. Whatever numbers the items are, just one choice of sizes is."""
    ways = (conjunction(*(equal(x, y) for x, y in zip(sizes, order, strict=True))) for order in permutations(items))
    return conjunction(disjunction(*ways), ascending(sizes))


# -- moves ------------------------------------------------------------------------------------------------------------
def choices(move: OpenMove, heaps: int) -> Iterator[tuple[int, ...]]:
    """The ways to choose heaps for a move, by their places."""
    return permutations(range(heaps), len(move.heaps))


def may_choose(move: OpenMove, sizes: Sizes, places: tuple[int, ...]) -> t.Term:
    """Whether there are heaps at these places, and the move may choose them."""
    there: list[t.Term] = [at_least(sizes[i], ONE) for i in places]
    for i in places:
        if move.choose == "largest":
            there.append(equal(sizes[i], sizes[-1]))
        elif move.choose == "smallest":
            there += (disjunction(equal(other, ZERO), at_most(sizes[i], other)) for other in sizes[:i])
    return conjunction(*there)


def orders(heaps: int, places: tuple[int, ...], new: int) -> Iterator[Order]:
    """The orders of what is left where the heaps at the places become `new` others; the rest stays in its order.

    One of these orders ascends, and all that do are the same position.  A single heap that becomes another is smaller
    then, by the measure: it does not come to stand behind one that it stood before.
    """
    kept = [i for i in range(heaps) if i not in places]
    made = [*(-1 - i for i in range(new)), *[None] * (len(places) - new)]
    seen: set[Order] = set()
    last = places[0] if len(places) == new == 1 else heaps
    for at in permutations(range(heaps), len(made)):
        if any(place > last for place in at):
            continue
        there = dict(zip(at, made, strict=True))
        rest = iter(kept)
        order = tuple(there[i] if i in there else next(rest) for i in range(heaps))
        if order not in seen:
            seen.add(order)
            yield order


def after(sizes: Sizes, becomes: Sizes, order: Order) -> Sizes:
    """What is left, told in that order."""
    return tuple(ZERO if i is None else sizes[i] if i >= 0 else becomes[-1 - i] for i in order)


# -- sequents ---------------------------------------------------------------------------------------------------------
class FewReader(LemmaReader):
    """The claim's integers with their domains, positions of few heaps, their numbers, lemmas.

    Raises Unsupported where a variable is no integer and no position.
    """

    words = "a proof about few heaps"
    reads = "say it by integers, and by who wins from positions that are written down"

    def __init__(self, claim: Claim, proof: FewProof) -> None:
        refuse_others(claim)
        self.proof = proof
        super().__init__(claim)  # which reads the domains by now

    @property
    def game(self) -> Game:
        (game,) = self.claim.games
        return game

    # -- positions ----------------------------------------------------------------------------------------------------
    def position(self, of: str = "") -> Sizes:
        """A position of which nothing is known, but that it has few heaps."""
        sizes = tuple(self.symbols.integer(f"{name}{of}", 0) for name in self.proof.heaps)
        self.learn(Reason.IN_ORDER, ascending(sizes))
        return sizes

    def seen(self, sizes: Sizes) -> dict[str, object]:
        """The names of the proof's heaps, with their sizes at a position."""
        return {**self.env, **dict(zip(self.proof.heaps, sizes, strict=True))}

    def loses(self, sizes: Sizes, player: int) -> t.Term:
        """The invariant: the player, to move at the position, loses. Raises Unsupported where the proof has none."""
        who = 0 if self.game.ruleset.impartial else player
        return self.truth(dict(self.proof.loses)[who], self.seen(sizes))

    def play_at(
        self, move: OpenMove, sizes: Sizes, places: tuple[int, ...], picks: Mapping[str, t.Term]
    ) -> tuple[t.Term, Sizes]:
        """A move on the heaps at these places of a position: as `play_on`."""
        return self.play_on(move, tuple(sizes[i] for i in places), picks, {WHOLE: FewHeapsPosition(sizes)})

    def somewhere(self, game: Game) -> Env:
        """The claim's integers, and a position if the rules of the game look at it."""
        return {**self.env, WHOLE: FewHeapsPosition(self.position())} if game.ruleset.sees_position else self.env

    def heap_of(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """As `element`; of no source a heap of the position that rules look at."""
        looked_at = source is None and WHOLE in env
        return self.element(t.Variable(POSITION, 0, 0, WHOLE) if looked_at else source, env)

    # -- lemmas and numbers -------------------------------------------------------------------------------------------
    def use_lemmas(self, env: Env) -> None:
        """Learn the lemmas at all values that can be read where these names are known."""
        self.learn_lemmas(self.proof.lemmas, env)

    def use_lemmas_after(self, env: Env, left: Sizes) -> None:
        """Learn the lemmas at the values that speak of the heaps that a move leaves."""
        after = dict(zip(self.proof.after, left, strict=False))
        self.learn_lemmas(self.proof.lemmas, {**env, **after}, frozenset(after))

    def name_numbers(self, env: dict[str, object], numbers: Iterable[LeastNumberDefinition]) -> None:
        """Learn what these numbers of a position are, each after those before it; `env` gets them."""
        for number in numbers:
            when, low, high = self.where(number, env)
            found = self.symbols.integer(number.name)
            last = self.truth(number.having, {**env, number.name: found})
            before = self.truth(number.having, {**env, number.name: sub(found, ONE)})
            least = disjunction(equal(found, low), negation(before))
            inside = conjunction(at_least(found, low), at_most(found, high), last, least)
            self.learn(Reason.LEAST_NUMBER, implies(when, inside))
            env[number.name] = found

    def where(self, number: LeastNumberDefinition, env: Env) -> tuple[t.Term, t.Term, t.Term]:
        """When there is such a number, and the range in which it lies."""
        return self.truth(number.when, env), self.number(number.lo, env), self.number(number.hi, env)

    # -- terms about positions ----------------------------------------------------------------------------------------
    def position_of(self, term: t.Term, env: Env) -> FewHeapsPosition:
        """A position that has a name. Raises Unsupported for others."""
        found = env.get(term.name) if isinstance(term, t.Variable) else None
        if isinstance(found, FewHeapsPosition):
            return found
        instead = "write it heap by heap, as in position([x, y])"
        raise Unsupported(f"{print_term(term)} is no position that the rule knows", instead=instead)

    def heaps(self, term: t.Term, env: Env) -> Sizes:
        """All heaps of a position: it is owed that it has no more."""
        found = self.position_of(term, env)
        if found.more is not ZERO:
            self.owed.append(equal(found.more, ZERO))
        return found.sizes

    def element(self, source: t.Term | None, env: Env) -> tuple[object, t.Term]:
        """Also a heap of a position, however many it has. Raises Unsupported for options."""
        if source is None or source.type != POSITION:
            return super().element(source, env)
        s, heap = self.position_of(source, env), self.fresh("heap")
        known = disjunction(at_least(s.more, ONE), *(equal(heap, size) for size in s.sizes))
        return heap, conjunction(at_least(heap, ONE), known)

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        """A number about a position; that it has one is an obligation of its own (defined)."""
        match term:
            case t.Operation(op="len", args=(s,)) if s.type == POSITION:
                found = self.position_of(s, env)
                return add(count(found.sizes), found.more)
            case t.Operation(op="min", args=(s,)) if s.type == POSITION:
                return at_place(self.heaps(s, env), 0)
            case t.Operation(op="max", args=(s,)) if s.type == POSITION:
                return self.heaps(s, env)[-1]
            case t.Operation(op="sum", args=(s,)) if s.type == POSITION:
                return reduce(add, self.heaps(s, env))
            case t.Operation(op="index", args=(s, t.Literal(value=place))) if s.type == POSITION and place >= 0:
                return at_place(self.heaps(s, env), place)
            case t.Operation(op="occurrences", args=(s, item)) if s.type == POSITION:
                wanted = self.number(item, env)
                return self._total(s, env, lambda heap: choose(equal(heap, wanted), ONE, ZERO))
            case t.Comprehension(reducer="sum" | "count", clauses=(clause,)) if clause.source.type == POSITION:
                return self._total(clause.source, env, lambda heap: self._share(term, clause, env, heap))
        return super().about_number(term, env)

    def _total(self, s: t.Term, env: Env, share: Callable[[t.Term], t.Term]) -> t.Term:
        """What the heaps of a position have together; one that is absent has nothing."""
        return reduce(add, [choose(at_least(heap, ONE), share(heap), ZERO) for heap in self.heaps(s, env)])

    def _share(self, term: t.Comprehension, clause: t.Clause, env: Env, heap: t.Term) -> t.Term:
        """What a heap adds to a sum, or to a count."""
        met, inner = self._met(clause, env, heap)
        if term.reducer == "count":
            return choose(conjunction(met, self.truth(term.body, inner)), ONE, ZERO)
        return choose(met, self.number(term.body, inner), ZERO)

    def _met(self, clause: t.Clause, env: Env, heap: t.Term) -> tuple[t.Term, Env]:
        """Whether a heap meets the conditions of what runs over it, and the names there."""
        inner = {**env, clause.variable: heap}
        return conjunction(*(self.truth(x, inner) for x in clause.conditions)), inner

    def about_truth(self, term: t.Term, env: Env) -> t.Term:
        match term:
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == POSITION:
                pairs = zip(self.heaps(a, env), self.heaps(b, env), strict=True)
                same = conjunction(*(equal(x, y) for x, y in pairs))
                return same if op == "eq" else negation(same)
            case t.Operation(op="in", args=(item, s)) if s.type == POSITION:
                wanted = self.number(item, env)
                return conjunction(
                    at_least(wanted, ONE), disjunction(*(equal(wanted, heap) for heap in self.heaps(s, env)))
                )
            case t.Comprehension(reducer="any" | "all", clauses=(clause,)) if clause.source.type == POSITION:
                return self._quantified(term, clause, env)
        return super().about_truth(term, env)

    def _quantified(self, term: t.Comprehension, clause: t.Clause, env: Env) -> t.Term:
        """Whether some heap of a position meets a condition, or all do."""
        found = []
        for heap in self.heaps(clause.source, env):
            met, inner = self._met(clause, env, heap)
            there, body = conjunction(at_least(heap, ONE), met), self.truth(term.body, inner)
            found.append(conjunction(there, body) if term.reducer == "any" else implies(there, body))
        return disjunction(*found) if term.reducer == "any" else conjunction(*found)
