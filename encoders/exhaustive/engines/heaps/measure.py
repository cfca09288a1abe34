"""That the moves on heaps end: the measure of a ruleset, as a sum of weights of the heaps."""

from __future__ import annotations

import numpy as np

from claims.language.expressions.walk import free_names, rebuild
from claims.language.ground.errors import NimChecksError
from claims.language.statement.rulesets import Ruleset
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import SAFE
from encoders.exhaustive.arrays.values import Array, Scalars
from encoders.exhaustive.engines.heaps.code import Code
from encoders.exhaustive.moves.evaluator import Evaluator
from encoders.exhaustive.moves.moves import Parameters, bind_parameters

HEAP = "heap'"


class Unweighed(NimChecksError):
    """A measure that is no sum of weights, none of them negative; positions are then weighed as a whole."""


def weigh_heaps(ruleset: Ruleset, evaluator: Evaluator, parameters: Parameters, size: int) -> Array:
    """What the heaps 0..size weigh, (size + 1,) of natural numbers, 0 for no heap.

    The measure of a position is the sum over its heaps, and a constant that is not negative. Raises Unweighed.
    """
    if ruleset.measure is None:
        return np.arange(size + 1)
    heap, constant = _take_apart(ruleset.measure)
    frame = Frame(1, size, bind_parameters(ruleset, [parameters]))
    frame.names[HEAP] = Scalars(np.arange(1, size + 1)[None, :])
    weights = np.zeros(size + 1, dtype=np.int64)
    for out, term in ((weights[1:], heap), (None, constant)):
        if term is None:
            continue
        value = evaluator.evaluate(term, frame)
        if not isinstance(value, Scalars) or value.bad is not None or value.data.dtype == object:
            raise Unweighed
        if out is not None:
            out[:] = value.data[0]
        if (value.data.size and int(value.data.min()) < 0) or int(np.abs(value.data).max(initial=0)) > SAFE // 4:
            raise Unweighed
    return weights


def _take_apart(measure: t.Term) -> tuple[t.Term | None, t.Term | None]:
    """What a heap weighs, a term in HEAP, and what every position weighs besides; None for 0. Raises Unweighed."""
    heap = t.Variable(INT, 0, 0, HEAP)
    match measure:
        case t.Operation(op="sum", args=(t.Variable(name="s"),)):
            return heap, None
        case t.Operation(op="len", args=(t.Variable(name="s"),)):
            return t.Literal(INT, 0, 0, 1), None
        case t.Comprehension(reducer="sum", body=body, clauses=(t.Clause(variable, t.Variable(name="s"), ()),)):
            if "s" in free_names(body):
                raise Unweighed
            return _put(body, variable, heap), None
        case t.Operation(op="add" | "sub" as op, args=(a, b)):
            first, second = _take_apart(a), _take_apart(b)
            return _join(op, first[0], second[0]), _join(op, first[1], second[1])
        case t.Operation(op="mul", args=(a, b)):
            factor, rest = (a, b) if "s" not in free_names(a) else (b, a)
            if "s" in free_names(factor):
                raise Unweighed
            inner = _take_apart(rest)
            return _join("mul", factor, inner[0]), _join("mul", factor, inner[1])
    if "s" in free_names(measure):
        raise Unweighed
    return None, measure


def _join(op: str, a: t.Term | None, b: t.Term | None) -> t.Term | None:
    if b is None:
        return None if op == "mul" else a
    return _operate(op, t.Literal(INT, 0, 0, 0) if a is None else a, b)


def _operate(op: str, a: t.Term, b: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, op, (a, b))


def _put(term: t.Term, name: str, new: t.Term) -> t.Term:
    if isinstance(term, t.Variable):
        return new if term.name == name else term
    return rebuild(term, lambda x: _put(x, name, new))


def ends(code: Code, weights: Array) -> bool:
    """Whether every move of a code makes heaps of at most len(weights) - 1 weigh less, as can be seen at once.

    False says no more than that it cannot be seen: then the moves are to be looked at one by one.
    """
    end, one = code.list_takes(len(weights) - 1)
    steps = np.diff(weights)[1:]  # from a heap to the next larger one
    if not (weights[end] > 0).all() or one[0] or (one.any() and not (steps > 0).all()):
        return False
    if not code.splits or not len(steps):
        return True
    least, first = min((*code.two, *code.equal)), int(weights[1])
    if (steps == steps[0]).all():  # weights a * h + b: two heaps weigh a * taken less, and b more
        return int(steps[0]) * least > first - int(steps[0])
    # Convex weights: two heaps weigh no more than one of both together, and less where growth is strict.
    growth = np.diff(steps, prepend=first)
    return bool((growth > 0).all() or ((growth >= 0).all() and (steps > 0).all() and least > 0))
