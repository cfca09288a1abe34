"""What a solver is asked, as SMT-LIB; of a sequent, the ranges, what is assumed, and that what is shown fails."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache

from encoders.logic.sequent import Sequent
from encoders.logic.smt import formulas as smtlib
from encoders.logic.smt.formulas import Declaration, Formula
from encoders.logic.smt.words import Words, translator


@dataclass(frozen=True, eq=False)
class Script:
    """Whether there are values of what is declared at which all that is asserted holds."""

    declared: tuple[Declaration, ...]
    asserted: tuple[Formula, ...]

    @cached_property
    def text(self) -> str:
        """The text, without check-sat."""
        return smtlib.script(self.declared, self.asserted)

    def digest(self) -> str:
        """The SHA-256 of the text, by which two runs can be told to have asked the same."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def name_of(self, symbol: str) -> str | None:
        """The variable that a solver calls so; None for a function, and for what is not declared here."""
        named = (x.name for x in self.declared if not x.takes)
        return next((n for n in named if smtlib.quoted(n).strip("|") == symbol.strip("|")), None)


@lru_cache(maxsize=2)
def script_of(sequent: Sequent, marks: tuple[str, ...] = ()) -> Script:
    """The script: unsatisfiable just if the sequent holds. Raises Unsupported for what has no exact translation.

    `marks`: for each group that stands `apart` a truth value where it is to be assumed.
    """
    made = translator({s.name: s for s in sequent.variables})
    algebra = Words()
    ranges: list[Formula] = []
    declared = []
    for s in sequent.variables:
        if s.name in made.truths:
            declared.append(Declaration(s.name, smtlib.BOOLEAN))
            continue
        number = made.numbers[s.name]
        declared.append(Declaration(s.name, number.kind.value))
        for op, bound in (("ge", s.lo), ("le", s.hi)):
            if bound is not None:
                ranges.append(algebra.relation(op, number, algebra.literal(bound)))
    assumed = [made.truth(x) for x in sequent.assume]
    apart = [[made.truth(x) for x in group] for group in sequent.apart]
    if marks:
        wanted = [Declaration(mark, smtlib.BOOLEAN) for mark in marks]
        declared += wanted
        apart = [[smtlib.implies(m.variable(), x) for x in group] for m, group in zip(wanted, apart, strict=True)]
    asserted = (
        *ranges,
        *assumed,
        *(x for group in apart for x in group),
        smtlib.negated(made.truth(sequent.show)),
    )
    return Script(tuple(declared), asserted)
