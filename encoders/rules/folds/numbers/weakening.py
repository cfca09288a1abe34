"""A sequent that says more: over integers instead of words, of nim-sums only that they are natural numbers.

It takes nim-addition out of what is really arithmetic; whoever proves it has proved the sequent it was made from.
What moves do to remainders is sought by it (`cuts`): of the sequents as they are some are not seen to hold, and the
search takes longer.
"""

from __future__ import annotations

from collections.abc import Hashable

from claims.language.expressions import terms as t
from claims.language.expressions.types import BOOL
from claims.language.expressions.walk import identity, rebuild
from encoders.logic.sequent import Hypothesis, Sequent, Symbols
from encoders.logic.terms import at_most, integer


def forget_nim_sums(sequent: Sequent) -> Sequent:
    """The same with a natural number for each nim-sum; the greatest values of integers are assumed as anything else."""
    symbols = Symbols()
    ranges: list[t.Term] = []
    for s in sequent.variables:
        if s.type == BOOL:
            symbols.truth(s.name, s.aside)
        else:
            x = symbols.integer(s.name, s.lo, None, s.aside)
            ranges += () if s.hi is None else (at_most(x, integer(s.hi)),)
    sums: dict[Hashable, t.Term] = {}
    done: dict[int, t.Term] = {}

    def change(term: t.Term) -> t.Term:
        if id(term) not in done:
            if isinstance(term, t.Operation) and term.op == "nim":
                key = identity(term)
                if key not in sums:
                    sums[key] = symbols.integer("nim-sum", 0, aside=True)
                done[id(term)] = sums[key]
            else:
                done[id(term)] = rebuild(term, change)
        return done[id(term)]

    hypotheses = tuple(Hypothesis(h.words, change(h.term)) for h in sequent.hypotheses)
    assume = (*ranges, *(change(x) for x in sequent.assume))
    lemmas = tuple((id, tuple(map(change, said))) for id, said in sequent.lemmas)
    return symbols.sequent(sequent.name, assume, change(sequent.show), hypotheses, lemmas)
