"""A sequent as SMT-LIB: its variables with their ranges, what is assumed, and the negation of what is shown."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from encoders.logic.sequent import Sequent
from encoders.logic.smt import formulas as smtlib
from encoders.logic.smt.formulas import Formula
from encoders.logic.smt.words import Words, translator


@dataclass(frozen=True, eq=False)
class Script:
    """`known`: ranges and what is assumed; `hypotheses`: those of the claim; `negated`: that the goal fails."""

    declared: tuple[tuple[str, str], ...]
    known: tuple[Formula, ...]
    hypotheses: tuple[Formula, ...]
    negated: Formula

    def text(self, marks: Sequence[str] = ()) -> str:
        """The text, without check-sat. `marks`: for each hypothesis a truth value where it is to be assumed."""
        hypotheses: Iterable[Formula] = self.hypotheses
        if marks:
            conditions = (smtlib.variable(mark, smtlib.BOOLEAN) for mark in marks)
            hypotheses = (
                smtlib.disjunction((smtlib.negated(c), h)) for c, h in zip(conditions, self.hypotheses, strict=True)
            )
        declared = (*self.declared, *((mark, smtlib.BOOLEAN) for mark in marks))
        return smtlib.script(declared, (*self.known, *hypotheses, self.negated))

    def digest(self) -> str:
        """The SHA-256 of the text, by which two runs can be told to have asked the same."""
        return hashlib.sha256(self.text().encode()).hexdigest()

    def name_of(self, symbol: str) -> str | None:
        """The variable that a solver calls so."""
        return next((n for n, _ in self.declared if smtlib.quoted(n).strip("|") == symbol.strip("|")), None)


@lru_cache(maxsize=2)
def script_of(sequent: Sequent) -> Script:
    """The script: unsatisfiable just if the sequent holds. Raises Unsupported for what has no exact translation."""
    made = translator({s.name: s for s in sequent.variables})
    algebra = Words()
    ranges: list[Formula] = []
    declared = []
    for s in sequent.variables:
        if s.name in made.truths:
            declared.append((s.name, smtlib.BOOLEAN))
            continue
        number = made.numbers[s.name]
        declared.append((s.name, number.kind.value))
        for op, bound in (("ge", s.lo), ("le", s.hi)):
            if bound is not None:
                ranges.append(algebra.relation(op, number, algebra.literal(bound)))
    return Script(
        tuple(declared),
        (*ranges, *(made.truth(x) for x in sequent.assume)),
        tuple(made.truth(h.term) for h in sequent.hypotheses),
        smtlib.negated(made.truth(sequent.show)),
    )
