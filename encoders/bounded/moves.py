"""The moves of a game at a position whose heaps may be symbols: each option with the condition that it is legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from claims.language.statement.domains import Interval
from claims.language.statement.rulesets import Move, Pick
from claims.language.terms import terms as t
from encoders.bounded.numbers import Position
from encoders.bounded.values import Elements, Value, Values
from encoders.ground.refusals import Unsupported
from encoders.logic.smt.formulas import FALSE, TRUE, Formula, conjunction, implies
from encoders.logic.smt.words import Number

Env = Mapping[str, Value]
"""Variable -> what it stands for."""


class TermReading(Protocol):
    """Reads terms. Each raises Unsupported, and OutOfTime."""

    def value(self, term: t.Term, env: Env) -> Value: ...

    def truth(self, term: t.Term, env: Env) -> Formula: ...

    def number(self, term: t.Term, env: Env) -> Number: ...


def follow(
    values: Values, reader: TermReading, move: Move, s: Position, env: Env
) -> Iterator[tuple[Formula, Position]]:
    """The positions one move of this kind away, each with the condition that the move is legal.

    `env`: the game's parameters and the mover.  Raises Unsupported.
    """
    n = values.numbers
    for i, h in enumerate(s):
        there = _may_choose(values, move, s, i)
        if there is FALSE:
            continue
        with values.needs.under(there):
            for legal, new in _pick(values, reader, move, h, env):
                inside = conjunction((there, legal, n.relation("ge", new, values.zero), n.relation("lt", new, h)))
                if inside is not FALSE:
                    yield inside, n.sort([*s[:i], *s[i + 1 :], new.narrowed(0, h.hi)])


def _may_choose(values: Values, move: Move, s: Position, place: int) -> Formula:
    """Whether the heap at this place is there, and is the one of its size that the move is made on."""
    n, h = values.numbers, s[place]
    conditions = [n.relation("gt", h, values.zero)]
    last = place + 1 == len(s)
    if move.choose == "smallest" and place:
        conditions.append(n.equal(s[place - 1], values.zero))
    if move.choose == "any" and not last:  # of equal heaps one is enough
        conditions.append(n.relation("ne", h, s[place + 1]))
    return FALSE if move.choose == "largest" and not last else conjunction(conditions)


def _pick(values: Values, reader: TermReading, move: Move, heap: Number, env: Env) -> Iterator[tuple[Formula, Number]]:
    """What the heap becomes, with whether the picks are allowed; it must become smaller wherever they are."""
    n = values.numbers
    ways: list[tuple[Formula, Env]] = [(TRUE, {**env, move.heaps[0]: heap})]
    for pick in move.picks:
        more: list[tuple[Formula, Env]] = []
        for present, inner in ways:
            with values.needs.under(present):
                elements = _range_of(values, reader, pick, inner)
            both = ((conjunction((present, p)), v) for p, v in elements)
            more += [(there, {**inner, pick.name: v}) for there, v in both if there is not FALSE]
        ways = more
    for present, inner in ways:
        with values.needs.under(present):
            legal = present if move.where is None else conjunction((present, reader.truth(move.where, inner)))
            with values.needs.under(legal):
                new = reader.number(move.become[0], inner)
                smaller = conjunction((n.relation("ge", new, values.zero), n.relation("lt", new, heap)))
                values.needs.require(implies(legal, smaller))
        yield legal, new


def _range_of(values: Values, reader: TermReading, pick: Pick, env: Env) -> Elements:
    """What may be picked."""
    if not isinstance(pick.domain, Interval):
        return values.elements(reader.value(pick.domain, env))
    if pick.domain.hi is None:
        raise Unsupported(f"{pick.name} is picked without bound")
    low, high = reader.number(pick.domain.lo, env), reader.number(pick.domain.hi, env)
    return values.range(low, values.numbers.add(high, values.one)).items
