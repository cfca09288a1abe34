"""Numbers of heaps with parts, as integers without bound whose nim-sums are read too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from claims.language.expressions.walk import free_names
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from encoders.logic.reader import Posed
from encoders.logic.terms import ZERO, largest
from encoders.rules.folds.numbers.intervals import intervals_of
from encoders.rules.kit.lemmas import LemmaReader, NamedLemma


class NimReader(LemmaReader):
    """The integer variables of a claim, and what else it makes. In a nim-sum what is below 0 is read as 0.

    Where a claim or a game adds such numbers that none is below 0 is shown before; an invariant that does means this.
    """

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self._intervals = intervals_of(self.symbols.by_name)

    def operation(self, term: t.Operation) -> t.Term:
        if term.op in ("nim", "bit_and"):
            return replace(term, args=tuple(map(self.natural, term.args)))
        return super().operation(term)

    def natural(self, number: t.Term) -> t.Term:
        """The number, or 0 where it is below 0."""
        return number if self._intervals.number(number).natural else largest(number, ZERO)


def pose_with(
    reader: NimReader,
    lows: Mapping[str, int],
    known: t.Term,
    show: t.Term,
    lemmas: Sequence[NamedLemma] = (),
    prefix: str = "",
) -> Posed:
    """Whatever the claim has no name for is a number of a heap, or made of such. `lows`: the least of some.

    `lemmas`: those that are known where they speak of these; what is picked they call by its name without the prefix.
    """
    for name in dict.fromkeys((*free_names(known), *free_names(show))):
        if name not in reader.env:
            reader.env[name] = reader.symbols.integer(name, lows.get(name))
    posed = Posed((reader.truth(known, reader.env),), reader.truth(show, reader.env))
    picked = {name.removeprefix(prefix): x for name, x in reader.env.items() if prefix and name.startswith(prefix)}
    reader.learn_lemmas(lemmas, {**picked, **reader.env})
    return posed


def divides(term: t.Term) -> bool:
    """Whether it is a division by a number that is not written down."""
    found = isinstance(term, t.Operation) and term.op in ("floordiv", "mod")
    return found and not isinstance(t.subterms(term)[1], t.Literal)
