"""Columns: the binary places where so many heaps have a 1, modulo a number that is written down, as folds.

For each remainder r above 0 there is one fold, the places that have it: `columns(s, m, r)`.  At the places of one more
heap the remainder goes up by one, from m - 1 to 0, and 0 is the remainder of the places that are in none of the folds.
That is all that the rule knows of them, and it is an obligation, for any one place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce

from claims.language.terms import terms as t
from encoders.logic.reader import Entailment
from encoders.logic.terms import ONE, ZERO, add, bit_and, choose, conjunction, equal, iff, integer, nim
from encoders.rules.folds.numbers.places import any_place, has
from encoders.rules.folds.numbers.reader import Sizes
from encoders.rules.folds.positions.positions import AnyFold, Key, OptionalHeap, Position

MOST = 8  # the largest modulus


@dataclass(eq=False)
class ColumnFold:
    """The places where the number of heaps with a 1 leaves the remainder `of` modulo `modulus`.

    `beside`: the folds of all remainders above 0, this one among them.
    """

    modulus: int
    of: int
    label: str
    beside: list[AnyFold] = field(default_factory=list)
    counts = False
    natural = True

    @property
    def key(self) -> Key:
        return "columns", self.modulus, self.of

    def combine(self, first: OptionalHeap, rest: Position) -> t.Term:
        """The fold of a position made of the first heap and the rest. A heap that is absent is 0, and has no 1."""
        return one_more(first.heap, [rest.fold(x) for x in self.beside], self.of)

    def repeat(self, size: t.Term, number: t.Term) -> t.Term:
        """The fold of `number` heaps of the size, above 0 if there is one."""
        left = t.Operation(number.type, 0, 0, "mod", (number, integer(self.modulus)))
        return choose(equal(left, integer(self.of)), size, ZERO)


def all_columns(modulus: int) -> list[ColumnFold]:
    """The folds of one modulus, by their remainders from 1 on."""
    made = [ColumnFold(modulus, i, f"places with remainder {i} modulo {modulus}") for i in range(1, modulus)]
    for fold in made:
        fold.beside += made
    return made


def one_more(number: t.Term, places: list[t.Term], remainder: int) -> t.Term:
    """The places with `remainder` once there is one more number; `places`: before, by remainders 1, 2, ...

    No two of these have a place in common.
    """
    here = places[remainder - 1]
    if remainder == 1:
        if len(places) == 1:
            return nim(here, number)
        # Left are those not in the number, and new are those of the number that were in none.
        return nim(nim(here, number), bit_and(number, reduce(nim, places[1:])))
    return nim(nim(here, bit_and(here, number)), bit_and(places[remainder - 2], number))


# -- the obligations --------------------------------------------------------------------------------------------------
def pose_one_more(theory: Sizes, modulus: int) -> Entailment:
    """At any one place: if each fold has a 1 just where the remainder is its own, so it is with one number more."""
    place, single = any_place(theory.symbols, theory.highest)
    left = theory.symbols.integer("how many have a 1 there, modulo", 0, modulus - 1)
    number = theory.size("one more")
    places: list[t.Term] = [theory.size(f"places with remainder {i}") for i in range(1, modulus)]
    before = (iff(has(x, place), equal(left, integer(i))) for i, x in enumerate(places, 1))
    up = choose(equal(left, integer(modulus - 1)), ZERO, add(left, ONE))
    now = choose(has(number, place), up, left)
    after = (iff(has(one_more(number, places, i), place), equal(now, integer(i))) for i in range(1, modulus))
    return Entailment((single, *before), conjunction(*after))
