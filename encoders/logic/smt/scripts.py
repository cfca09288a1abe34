"""What a solver is asked, as SMT-LIB; of a sequent, the ranges, what is assumed, and that what is shown fails.

Numbers without a bound are integers of SMT-LIB, which have no binary digits.  A sequent that asks for theirs is written
in words, with every such number held below 2^62, or less where sums of them would not fit: to find no values then says
nothing of larger ones, and the script says that it is such a one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from claims.language.terms import terms as t
from claims.language.terms.types import BOOL
from encoders.ground.refusals import Unsupported
from encoders.logic.sequent import Sequent, Symbol
from encoders.logic.smt import formulas as smtlib
from encoders.logic.smt.formulas import Declaration, SmtFormula
from encoders.logic.smt.words import WordReader, translator

HELD = (62, 59, 48, 31)  # bits of a number that has no bound, where all are words: the most with which all fit


@dataclass(frozen=True, eq=False)
class Script:
    """Whether there are values of what is declared at which all that is asserted holds.

    `bounded_to`: it asserts, of every number that had no bound on a side, that it lies below 2**bounded_to on that side
    (above -2**bounded_to); so it may have no such values where what it was made of has.  None: nothing was added.
    """

    declared: tuple[Declaration, ...]
    asserted: tuple[SmtFormula, ...]
    bounded_to: int | None = None

    @cached_property
    def text(self) -> str:
        """The text, without check-sat."""
        made = smtlib.script(self.declared, self.asserted)
        if self.bounded_to is None:
            return made
        return f"; numbers without a bound are held below 2^{self.bounded_to}\n{made}"

    def digest(self) -> str:
        """The SHA-256 of the text, by which two runs can be told to have asked the same."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def name_of(self, symbol: str) -> str | None:
        """The variable that a solver calls so; None for a function, and for what is not declared here."""
        named = (x.name for x in self.declared if not x.takes)
        return next((n for n in named if smtlib.quoted(n).strip("|") == symbol.strip("|")), None)


@lru_cache(maxsize=2)
def script_of(sequent: Sequent, marks: tuple[str, ...] = ()) -> Script:
    """The script: unsatisfiable just if the sequent holds, or holds within its bound if it is `bounded_to` one.

    Raises Unsupported for what has no exact translation.
    `marks`: for each group that stands `apart` a truth value where it is to be assumed.
    """
    symbols = {s.name: s for s in sequent.variables}
    try:
        return _write(sequent, symbols, marks)
    except Unsupported:
        if not (_has_unbounded(sequent) and _has_digits(sequent)):
            raise
    for bits in HELD[:-1]:
        with suppress(Unsupported):
            return _write_held(sequent, bits, marks)
    return _write_held(sequent, HELD[-1], marks)


def _write_held(sequent: Sequent, bits: int, marks: tuple[str, ...]) -> Script:
    held = {s.name: _hold(s, bits) for s in sequent.variables}
    return replace(_write(sequent, held, marks), bounded_to=bits)


def _hold(symbol: Symbol, bits: int) -> Symbol:
    """The variable, below 2**bits where it has no bound and above -2**bits where it has none below."""
    if symbol.type == BOOL:
        return symbol
    most = (1 << bits) - 1
    return replace(symbol, lo=-most if symbol.lo is None else symbol.lo, hi=most if symbol.hi is None else symbol.hi)


def _has_unbounded(sequent: Sequent) -> bool:
    """Whether some number has no bound on a side."""
    return any(s.type != BOOL and None in (s.lo, s.hi) for s in sequent.variables)


def _has_digits(sequent: Sequent) -> bool:
    """Whether binary digits are asked for."""
    seen: set[int] = set()
    todo = [*sequent.premises, sequent.show]
    while todo:
        term = todo.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        if isinstance(term, t.Operation) and term.op in ("nim", "bit_and"):
            return True
        todo += t.subterms(term)
    return False


def _write(sequent: Sequent, symbols: Mapping[str, Symbol], marks: tuple[str, ...]) -> Script:
    """The script, over these variables in place of the sequent's."""
    made = translator(symbols)
    algebra = WordReader()
    ranges: list[SmtFormula] = []
    declared = []
    for s in symbols.values():
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
