"""A sequent as a formula over naturals that has a model just if the sequent does not hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice

from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT
from encoders.logic.naturals.certificates.certificate import TIMES, Atom, Stream
from encoders.logic.naturals.formulas.algebra import NaturalNumber, Naturals
from encoders.logic.naturals.formulas.formulas import Formulas
from encoders.logic.sequent import Sequent
from encoders.logic.translator import COMPARISONS, Translator


@dataclass(frozen=True, eq=False)
class Problem:
    """All of `always`, and of each of the groups that stand `apart`, shall hold; `always` ends with what is denied.

    `definitions`: letters, and what each stands for.  `numbers`, `truths`: the variables of the sequent.
    """

    formulas: Formulas
    always: tuple[int, ...]
    apart: tuple[tuple[int, ...], ...]
    definitions: Mapping[int, int]
    numbers: Mapping[str, NaturalNumber] = field(repr=False)
    truths: Mapping[str, int] = field(repr=False)

    @property
    def parts(self) -> tuple[int, ...]:
        """All of it; the definitions last."""
        told = (self.formulas.same(x, y) for x, y in self.definitions.items())
        return (*self.always, *(x for group in self.apart for x in group), *told)

    @property
    def has_products(self) -> bool:
        """Whether it speaks of products, of which the engine knows no more than that they are natural."""
        nodes = (self.formulas.node(x) for x in self.formulas.below(self.parts))
        return any(is_product(s) for a in nodes if isinstance(a, Atom) for _, s in a.terms)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the formula, group by group, by which two runs can be told to have asked the same."""
        numbers = self.formulas.number_letters(self.parts)
        groups = self.always, *self.apart, tuple(self.formulas.same(x, y) for x, y in self.definitions.items())
        written = [[self.formulas.write(x, numbers) for x in group] for group in groups]
        letters = [repr(self.formulas.node(x)) for x in numbers]
        return hashlib.sha256(json.dumps([letters, written]).encode()).hexdigest()


def is_product(stream: Stream) -> bool:
    """Whether a stream is a product, or made of some."""
    return not isinstance(stream, str) and (stream[0] == TIMES or any(map(is_product, stream[1:])))


@lru_cache(maxsize=2)
def read_problem(sequent: Sequent) -> Problem:
    """The sequent, denied. Raises Unsupported for what has no exact translation."""
    algebra = Naturals()
    least = _find_least(sequent)
    numbers: dict[str, NaturalNumber] = {}
    truths: dict[str, int] = {}
    for s in sequent.variables:
        if s.type == BOOL:
            truths[s.name] = algebra.formulas.truth(s.name)
        else:
            numbers[s.name] = algebra.variable(s.name, least.get(s.name, s.lo), s.hi)
    made = Translator(algebra, numbers, truths)
    assumed = [made.truth(x) for x in sequent.assume]
    apart = tuple(tuple(made.truth(x) for x in group) for group in sequent.apart)
    denied = -made.truth(sequent.show)
    always = (*algebra.definitions, *assumed, denied)
    parts, definitions = algebra.formulas.share((*always, *(x for group in apart for x in group)))
    rest = iter(parts[len(always) :])
    apart = tuple(tuple(islice(rest, len(group))) for group in apart)
    return Problem(algebra.formulas, parts[: len(always)], apart, definitions, numbers, truths)


# -- what is natural --------------------------------------------------------------------------------------------------
def _find_least(sequent: Sequent) -> dict[str, int]:
    """Least values of variables, where the sequent says them outright or by one that is known already.

    What is assumed of them stays assumed; that they are natural only spares their negative parts.
    """
    found: dict[str, int] = {s.name: s.lo for s in sequent.variables if s.lo is not None}
    bounds = [b for x in sequent.assume for part in t.conjuncts(x) for b in _bounds(part)]
    for _ in range(len(sequent.variables)):
        before = len(found)
        for name, low in bounds:
            value = _least_of(low, found)
            if name not in found and value is not None:
                found[name] = value
        if len(found) == before:
            break
    return found


def _bounds(term: t.Term) -> list[tuple[str, t.Term]]:
    """Variables, each with a term that it is at least; of alternatives those that all of them bound."""
    if isinstance(term, t.AnyOf):
        branches = [dict(b for part in t.conjuncts(x) for b in _bounds(part)) for x in term.args]
        shared = [name for name in branches[0] if all(name in branch for branch in branches)]
        return [(name, _smallest(*(branch[name] for branch in branches))) for name in shared]
    if not isinstance(term, t.Operation) or term.op not in COMPARISONS:
        return []
    a, b = term.args
    pairs = {"ge": [(a, b)], "gt": [(a, b)], "le": [(b, a)], "lt": [(b, a)], "eq": [(a, b), (b, a)], "ne": []}
    return [(x.name, low) for x, low in pairs[term.op] if isinstance(x, t.Variable)]


def _smallest(*terms: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, "smallest", terms)


def _least_of(term: t.Term, known: Mapping[str, int]) -> int | None:
    """A number that a term is at least; None if none is known."""
    match term:
        case t.Literal(value=value):
            return value
        case t.Variable(name=name):
            return known.get(name)
        case t.Operation(op="add" | "mul" as op, args=(a, b)):
            x, y = _least_of(a, known), _least_of(b, known)
            if x is None or y is None or (op == "mul" and min(x, y) < 0):
                return None
            return x + y if op == "add" else x * y
        case t.Operation(op="smallest", args=args):
            least = [_least_of(x, known) for x in args]
            return None if None in least else min(x for x in least if x is not None)
        case t.Operation(op="mod", args=(_, t.Literal(value=by))) if by > 0:
            return 0
    return None


def find_values(problem: Problem, streams: Mapping[Stream, int], truths: Mapping[str, bool]) -> dict[str, int | bool]:
    """The values of the sequent's variables; streams and truth values that are not told are 0 and false."""
    found: dict[str, int | bool] = {}
    for name, number in problem.numbers.items():
        ((_, (terms, constant)),) = number.alternatives
        found[name] = constant + sum(k * streams.get(s, 0) for s, k in terms)
    for name, node in problem.truths.items():
        found[name] = truths.get(str(problem.formulas.node(node)), False)
    return found
