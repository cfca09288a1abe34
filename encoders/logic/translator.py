"""The translation of terms about integers and truth values into another form: for a solver, for sympy, or as intervals.

The target form is an *algebra*: its numbers, its truth values and the operations on them. Terms about positions or
games must be replaced before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT
from encoders.refusals import Unsupported

N = TypeVar("N")  # a number of the algebra
B = TypeVar("B")  # a truth value of the algebra
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


class Algebra(Protocol[N, B]):
    """A target of translation: operations on its numbers (of type N) and truth values (of type B).

    Each operation may raise Unsupported for operands that it cannot treat.
    """

    words: str
    """The name of the theory, for "x has no translation into ..."."""

    @property
    def operations(self) -> Mapping[str, Callable[..., N]]:
        """The operations on numbers, by the names of the builtin functions that they translate, such as "add"."""

    def literal(self, value: int) -> N: ...

    def choose(self, condition: B, a: N, b: N) -> N: ...

    def extreme(self, op: str, numbers: Sequence[N]) -> N:
        """Return the "largest" or "smallest" (`op`) of at least one number."""

    def relation(self, op: str, a: N, b: N) -> B: ...

    def constant(self, value: bool) -> B: ...

    def conjunction(self, parts: Sequence[B]) -> B: ...

    def disjunction(self, parts: Sequence[B]) -> B: ...

    def negate(self, x: B) -> B: ...

    def iff(self, a: B, b: B) -> B: ...

    def decide(self, condition: B, a: B, b: B) -> B: ...


class Choosing(Protocol[N, B]):
    """The part of an algebra that `choose_extreme` needs: it compares numbers and chooses between them."""

    def choose(self, condition: B, a: N, b: N) -> N: ...

    def relation(self, op: str, a: N, b: N) -> B: ...


def choose_extreme(algebra: Choosing[N, B], op: str, numbers: Sequence[N]) -> N:
    """Return the "largest" or the "smallest" (`op`) of at least one number, built from comparisons and choices."""
    best, *others = numbers
    sign = "ge" if op == "largest" else "le"
    for other in others:
        best = algebra.choose(algebra.relation(sign, best, other), best, other)
    return best


def bounds_of_extreme(op: str, bounds: Iterable[tuple[int | None, int | None]]) -> tuple[int | None, int | None]:
    """Return bounds (lo, hi) of the "largest" or "smallest" (`op`) of numbers with these bounds (None: unknown).

    Each lower bound of a number is a lower bound of the largest one. The largest one has an upper bound only if all
    numbers have one.

    >>> bounds_of_extreme("largest", [(None, None), (0, 0)])
    (0, None)
    >>> bounds_of_extreme("smallest", [(None, None), (0, 0)])
    (None, 0)
    """
    if op == "smallest":
        lo, hi = bounds_of_extreme("largest", ((_minus(hi), _minus(lo)) for lo, hi in bounds))
        return _minus(hi), _minus(lo)
    lows, highs = zip(*bounds, strict=True)
    known = [x for x in highs if x is not None]
    return max((x for x in lows if x is not None), default=None), max(known) if len(known) == len(highs) else None


def _minus(a: int | None) -> int | None:
    return None if a is None else -a


class Translator(Generic[N, B]):
    """A translator of terms into an algebra. A term object that occurs several times is translated only once.

    `numbers`, `truths`: the translations of the variables, by name.
    """

    def __init__(self, algebra: Algebra[N, B], numbers: Mapping[str, N], truths: Mapping[str, B]) -> None:
        self.algebra, self.numbers, self.truths = algebra, numbers, truths
        self._operations = algebra.operations
        self._numbers: dict[int, tuple[t.Term, N]] = {}  # the terms are stored so that Python does not reuse their ids
        self._truths: dict[int, tuple[t.Term, B]] = {}

    def number(self, term: t.Term) -> N:
        """Return the translation of an integer term. Raises Unsupported if the algebra has none."""
        if id(term) not in self._numbers:
            self._numbers[id(term)] = term, self._number(term)
        return self._numbers[id(term)][1]

    def truth(self, term: t.Term) -> B:
        """Return the translation of a condition. Raises Unsupported if the algebra has none."""
        if id(term) not in self._truths:
            self._truths[id(term)] = term, self._truth(term)
        return self._truths[id(term)][1]

    def list_numbers(self) -> Iterator[tuple[t.Term, N]]:
        """Yield the integer terms that have been translated, with their translations. Parts of a term come first."""
        yield from self._numbers.values()

    def check(self, term: t.Term) -> None:
        """Raise Unsupported if a number or condition has no translation."""
        if term.type == INT:
            self.number(term)
        else:
            self.truth(term)

    def _number(self, term: t.Term) -> N:
        match term:
            case t.Literal(value=value) if term.type == INT:
                return self.algebra.literal(value)
            case t.Variable(name=name) if name in self.numbers:
                return self.numbers[name]
            case t.IfElse(condition=c, then=x, other=y):
                return self.algebra.choose(self.truth(c), self.number(x), self.number(y))
            case t.Operation(op="largest" | "smallest" as op, args=args):
                return self.algebra.extreme(op, tuple(map(self.number, args)))
            case t.Operation(op=op, args=args) if op in self._operations:
                return self._operations[op](*map(self.number, args))
        raise Unsupported(f"{print_term(term)} has no translation into {self.algebra.words}")

    def _truth(self, term: t.Term) -> B:
        match term:
            case t.Literal(value=value) if term.type == BOOL:
                return self.algebra.constant(bool(value))
            case t.Variable(name=name) if name in self.truths:
                return self.truths[name]
            case t.AllOf(args=args):
                return self.algebra.conjunction([self.truth(x) for x in args])
            case t.AnyOf(args=args):
                return self.algebra.disjunction([self.truth(x) for x in args])
            case t.IfElse(condition=c, then=x, other=y):
                return self.algebra.decide(self.truth(c), self.truth(x), self.truth(y))
            case t.Operation(op="not", args=(x,)):
                return self.algebra.negate(self.truth(x))
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type == BOOL:
                same = self.algebra.iff(self.truth(a), self.truth(b))
                return same if op == "eq" else self.algebra.negate(same)
            case t.Operation(op=op, args=(a, b)) if op in COMPARISONS and a.type == INT:
                return self.algebra.relation(op, self.number(a), self.number(b))
        raise Unsupported(f"{print_term(term)} has no translation into {self.algebra.words}")
