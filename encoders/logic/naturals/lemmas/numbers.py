"""Numbers at which literals with products hold, as Z3 finds them; or which literals seem to exclude each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from math import prod
from operator import and_, xor

from encoders.logic.naturals.certificate import EQ, TIMES, XOR, Stream
from encoders.logic.naturals.proposer import Proposer, Session, applied, integer
from encoders.logic.naturals.verify import Literal, natural

STEPS = 2_000_000  # Z3's own count, for one question


def find_numbers(literals: Sequence[Literal], session: Session | None = None) -> dict[Stream, int] | list[Literal]:
    """Variables with numbers at which the literals hold; else literals that seem to exclude each other, a proposal.

    What is no product is a number of its own here.  Raises Unsure.
    """
    solver = Proposer("QF_NIA", STEPS, session)
    unknown: dict[Stream, str] = {}

    def name(s: Stream) -> str:
        if s not in unknown:
            unknown[s] = solver.declare("Int")
            solver.say(f"(>= {unknown[s]} 0)")
        return unknown[s]

    marks: dict[str, Literal] = {}
    for atom, wanted in literals:
        polynomial = natural((atom, wanted)).items()
        total = applied("+", (applied("*", (integer(k), *map(name, m)), "") for m, k in polynomial), "0")
        op = ">=" if atom.kind != EQ else "="
        told = f"({op} {total} 0)"
        marks[solver.mark(told if atom.kind != EQ or wanted else f"(not {told})")] = atom, wanted
    if not solver.is_possible(marks):
        return [marks[x] for x in marks if x in solver.core()]
    return {s: int(x) for s, x in zip(unknown, solver.numbers(unknown.values()), strict=True)}


def are_right(values: Mapping[Stream, int], literals: Sequence[Literal]) -> bool:
    """Whether the literals hold at the values of the variables."""
    return all(_holds(literal, values) for literal in literals)


def _holds(literal: Literal, values: Mapping[Stream, int]) -> bool:
    atom, wanted = literal
    total = atom.constant + sum(k * _value(s, values) for k, s in atom.terms)
    return (total == 0 if atom.kind == EQ else total <= 0) is wanted


def _value(stream: Stream, values: Mapping[Stream, int]) -> int:
    if isinstance(stream, str):
        return values.get(stream, 0)
    parts = [_value(x, values) for x in stream[1:]]
    if stream[0] == TIMES:
        return prod(parts)
    return reduce(xor if stream[0] == XOR else and_, parts)
