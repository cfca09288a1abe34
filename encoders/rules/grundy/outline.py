"""The outline of a proof about single heaps: heaps and their values in digits, how values are reached, the claim."""

from __future__ import annotations

from collections.abc import Iterator

from claims.language.expressions import terms as t
from claims.language.expressions.types import INT
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Positions
from encoders.rules.grundy import labels
from encoders.rules.grundy.digits import Arising, Digit, PowerDigit, PowerPick
from encoders.rules.grundy.section import At, GrundyProof, Option
from encoders.rules.grundy.statement import stands_for_any_heap
from encoders.rules.outline import Cell, Line, Outline, Table, say, when

SUMMARY = (
    "Heaps are written with digits. By induction on the heap, no option has the value claimed, and every smaller value "
    "is reached by a move that it names: so the value is the least that is not reached."
)
Shown = tuple[tuple[str, str], ...]


def outline(claim: Claim, proof: GrundyProof) -> Outline:
    """Its tables, empty ones left out."""
    number = "this move" if len(proof.options) == 1 else f"one of these {len(proof.options)} moves"
    tables = (
        Table("digits", "Heaps and their values", ("What", "Is written", "With"), tuple(_numbers(proof))),
        Table(
            "arising",
            "How every heap h gets its digits",
            ("When", "From those of", "Digits"),
            tuple(_arising(i, case) for i, case in enumerate(proof.arising)),
        ),
        Table("facts", "What holds of a value below", ("Fact", "In full"), tuple(_lemmas(proof))),
        Table(
            "moves",
            f"Every value below is reached by {number}",
            ("When", "To the heap y with", "By picking"),
            tuple(_option(i, option) for i, option in enumerate(proof.options)),
        ),
        Table("claim", "What follows", ("Statement", "With"), tuple(_claim(claim, proof))),
    )
    return Outline(SUMMARY, tuple(table for table in tables if table.lines))


def _numbers(proof: GrundyProof) -> Iterator[Line]:
    arise = (("every heap has digits", labels.arising_covers()),) if proof.arising else _written(labels.HEAP)
    yield Line((say("a heap"), say(proof.heap), _ranges(proof.digits)), arise)
    shown = (
        ("is no negative number", labels.NATURAL),
        ("is 0 where nothing is left", labels.EMPTY),
        ("no move keeps it", labels.AVOID),
    )
    yield Line((say("its value"), say(proof.value), Cell()), shown)
    cover = (*_written(labels.BELOW), ("the moves below reach it", labels.COVER))
    yield Line((say("a value below"), say(proof.below), _ranges(proof.below_digits)), cover)


def _written(what: str) -> Shown:
    return ("0 has digits", labels.zero(what)), ("so has the next", labels.following(what))


def _ranges(digits: tuple[Digit | PowerDigit, ...]) -> Cell:
    parts: list[str | t.Term] = []
    for digit in digits:
        if isinstance(digit, PowerDigit):
            parts += [", " if parts else "", t.Variable(INT, 0, 0, digit.name), f"a power of {digit.base}"]
            continue
        end: tuple[str | t.Term, ...] = ("up",) if digit.hi is None else ("to", digit.hi)
        parts += [", " if parts else "", t.Variable(INT, 0, 0, digit.name), "from", digit.lo, *end]
    return say(*parts)


def _lemmas(proof: GrundyProof) -> Iterator[Line]:
    for name, term in proof.lemmas:
        yield Line((say(name), say(term)), (("it holds", labels.lemma(name)),))


def _arising(number: int, case: Arising) -> Line:
    smaller: Shown = () if case.smaller is None else (("which is smaller", labels.arising_smaller(number)),)
    origin = Cell() if case.smaller is None else say(case.smaller)
    shown = (*smaller, ("they are its digits", labels.arising(number)))
    parts: list[str | t.Term] = []
    for name, term in case.digits:
        word = "is" if case.smaller is None else "becomes"
        parts += [", " if parts else "", t.Variable(INT, 0, 0, name), word, term]
    return Line((when(case.when), origin, say(*parts)), shown)


def _option(number: int, option: Option) -> Line:
    picked: Shown = ()
    for x in option.picks:
        there, bounded = labels.pick_there(number, x.name), labels.pick_bounded(number, x.name)
        picked += (f"{x.name} can be 1", there), (f"{x.name} is bounded", bounded)
    shown = (
        *picked,
        ("is a heap", labels.option_digits(number)),
        ("legal", labels.option_legal(number)),
        ("has the value", labels.option_value(number)),
    )
    digits = _values(option.digits)
    powers = (part for x in option.picks for part in _power(x))
    return Line((when(option.when), Cell((*digits.parts, *powers)), _values(option.take)), shown)


def _power(pick: PowerPick) -> tuple[str | t.Term, ...]:
    return ", ", t.Variable(INT, 0, 0, pick.name), f"the largest power of {pick.base} with", pick.condition


def _values(pairs: tuple[tuple[str, t.Term], ...]) -> Cell:
    parts: list[str | t.Term] = []
    for name, term in pairs:
        parts += [", " if parts else "", t.Operation(term.type, 0, 0, "eq", (t.Variable(INT, 0, 0, name), term))]
    return say(*parts)


def _claim(claim: Claim, proof: GrundyProof) -> Iterator[Line]:
    for number, at in enumerate(proof.at):
        yield _heap(claim, number, at)
    for number, x in enumerate(proof.divisions):
        parts = (x.dividend, "divided by", x.divisor)
        result = say("quotient", x.quotient, ", remainder", x.remainder)
        yield Line((say(*parts), result), (("it is so", labels.division(number)),))
    if proof.witness is not None:
        shown = () if proof.witness.lemma is None else (("its lemma holds", labels.WITNESS),)
        lemma: tuple[str | t.Term, ...] = () if proof.witness.lemma is None else ("where", proof.witness.lemma)
        digits = _values(proof.witness.digits)
        yield Line((say("a heap that has a given value"), Cell((*digits.parts, *lemma))), shown)
    if any(isinstance(v.domain, Positions) for v in claim.variables):
        sums = (
            ("it adds the heaps' values", labels.TERMS),
            ("from 0 a move changes it", labels.FROM_ZERO),
            ("some value has a 1 at its highest place", labels.ODD),
            ("which it lowers", labels.LOWERED),
            ("that move restores it", labels.TO_ZERO),
        )
        yield Line((say("who moves loses just where the nim-sum is 0"), Cell()), sums)
    yield Line((say(claim.conclusion), Cell()), (("it follows", labels.CLAIM),))


def _heap(claim: Claim, number: int, at: At) -> Line:
    what = say("a heap of the claim,", at.heap)
    if at.digits:
        return Line((what, _values(at.digits)), (("those are its digits", labels.heap_digits(number)),))
    if stands_for_any_heap(claim, at):
        return Line((what, say("digits of those names")))
    return Line((what, say("digits of those names")), (("is not negative", labels.heap_natural(number)),))
