"""Positions of few heaps, all written down in ascending order, 0 where there is none; and sequents over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, permutations

from claims.language.expressions.walk import free_names
from claims.language.statement.claim import Claim, Game
from claims.language.terms import terms as t
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.integers import IntegerReader
from encoders.logic.moves import OpenMove
from encoders.logic.reader import Env
from encoders.logic.terms import ONE, ZERO, add, at_least, at_most, both, choose, either, equal, implies, negation, sub
from encoders.rules.few.section import FewProof, NamedLemma, Number, Range, Values
from encoders.rules.kit.common import refuse_others

Sizes = tuple[t.Term, ...]
Order = tuple[int | None, ...]
"""Heaps after a move: one that was at a place and stays so, -1, -2, ... for those that others became, None for none."""


@dataclass(frozen=True, eq=False)
class Heaps:
    """A position. `sizes`: of its largest heaps, ascending, 0 where there is none; `more`: how many more it has."""

    sizes: Sizes
    more: t.Term = ZERO


def ascending(sizes: Sizes) -> t.Term:
    """Whether they are in ascending order, equal ones included."""
    return both(*(at_most(x, y) for x, y in pairwise(sizes)))


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
    ways = (both(*(equal(x, y) for x, y in zip(sizes, order, strict=True))) for order in permutations(items))
    return both(either(*ways), ascending(sizes))


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
            there += (either(equal(other, ZERO), at_most(sizes[i], other)) for other in sizes[:i])
    return both(*there)


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
class FewReader(IntegerReader):
    """The claim's integers with their domains, positions of few heaps, their numbers, lemmas.

    Raises Unsupported where a variable is no integer and no position.
    """

    words = "a proof about few heaps"

    def __init__(self, claim: Claim, proof: FewProof) -> None:
        refuse_others(claim)
        self.proof = proof
        super().__init__(claim, invent=True)  # which reads the domains by now

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
        table = dict(self.proof.loses)
        if who not in table:
            raise Unsupported("the claim asks who wins, and the proof has no [proof.loses]")
        return self.truth(table[who], self.seen(sizes))

    # -- lemmas and numbers -------------------------------------------------------------------------------------------
    def inside(self, ranges: Iterable[Range], values: Mapping[str, t.Term]) -> t.Term:
        """Whether the values lie in the ranges."""
        tests: list[t.Term] = []
        for r in ranges:
            tests.append(at_least(values[r.name], self.number(r.lo, {**self.env, **values})))
            if r.hi is not None:
                tests.append(at_most(values[r.name], self.number(r.hi, {**self.env, **values})))
        return both(*tests)

    def values(self, given: Values, env: Env) -> dict[str, t.Term]:
        """What each name of a lemma stands for."""
        return {name: self.number(term, env) for name, term in given}

    def instance(self, lemma: NamedLemma, values: Mapping[str, t.Term]) -> t.Term:
        """The lemma at these values: true wherever they lie, once it is proved."""
        return implies(self.inside(lemma.ranges, values), self.truth(lemma.holds, {**self.env, **values}))

    def use_lemmas(self, env: Env) -> None:
        """Learn the lemmas at all values that can be read where these names are known."""
        self.learn(Reason.LEMMA, *self._lemmas(env))

    def use_lemmas_after(self, env: Env, left: Sizes) -> None:
        """Learn the lemmas at the values that speak of the heaps that a move leaves."""
        after = dict(zip(self.proof.after, left, strict=False))
        self.learn(Reason.LEMMA, *self._lemmas({**env, **after}, frozenset(after)))

    def _lemmas(self, env: Env, of: frozenset[str] | None = None) -> Iterator[t.Term]:
        for lemma in self.proof.lemmas:
            for given in lemma.at:
                names = {name for _, term in given for name in free_names(term)}
                if names <= env.keys() and (of is None or names & of):
                    yield self.instance(lemma, self.values(given, env))

    def name_numbers(self, env: dict[str, object], numbers: Iterable[Number]) -> None:
        """Learn what these numbers of a position are, each after those before it; `env` gets them."""
        for number in numbers:
            when, low, high = self.where(number, env)
            found = self.symbols.integer(number.name)
            last = self.truth(number.having, {**env, number.name: found})
            before = self.truth(number.having, {**env, number.name: sub(found, ONE)})
            least = either(equal(found, low), negation(before))
            inside = both(at_least(found, low), at_most(found, high), last, least)
            self.learn(Reason.LEAST_NUMBER, implies(when, inside))
            env[number.name] = found

    def where(self, number: Number, env: Env) -> tuple[t.Term, t.Term, t.Term]:
        """When there is such a number, and the range in which it lies."""
        return self.truth(number.when, env), self.number(number.lo, env), self.number(number.hi, env)
