"""Numbers at which literals with products hold, as Z3 finds them; or which literals seem to exclude each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from math import prod
from operator import and_, xor

import z3

from encoders.logic.naturals.certificate import EQ, TIMES, XOR, Stream
from encoders.logic.naturals.oracle import Unsure
from encoders.logic.naturals.verify import Literal, Monomial, natural

STEPS = 2_000_000  # Z3's own count, for one question


def find_numbers(literals: Sequence[Literal]) -> dict[Stream, int] | list[Literal]:
    """Variables with numbers at which the literals hold; else literals that seem to exclude each other, a proposal.

    What is no product is a number of its own here.  Raises Unsure.
    """
    context = z3.Context()
    solver = z3.SolverFor("QF_NIA", ctx=context)
    solver.set("random_seed", 1)
    solver.set("rlimit", STEPS)
    unknown: dict[Stream, z3.ArithRef] = {}

    def product(m: Monomial) -> z3.ArithRef:
        for s in m:
            if s not in unknown:
                unknown[s] = z3.Int(repr(s), context)
                solver.add(unknown[s] >= 0)
        return z3.Product(*(unknown[s] for s in m)) if m else z3.IntVal(1, context)

    marks = {}
    for i, (atom, wanted) in enumerate(literals):
        total = z3.Sum(*(k * product(m) for m, k in natural((atom, wanted)).items()), z3.IntVal(0, context))
        mark = z3.Bool(f"literal {i}", context)
        solver.add(z3.Implies(mark, total >= 0 if atom.kind != EQ else total == 0 if wanted else total != 0))
        marks[str(mark)] = mark, (atom, wanted)
    answer = solver.check(*(mark for mark, _ in marks.values()))
    if answer == z3.unknown:
        raise Unsure(solver.reason_unknown())
    if answer == z3.unsat:
        return [marks[str(x)][1] for x in solver.unsat_core()]
    model = solver.model()
    return {s: model.eval(x, model_completion=True).as_long() for s, x in unknown.items()}


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
