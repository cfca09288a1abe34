"""The translation of terms into an algebra, such as words and integers for solvers, or sympy expressions.

A translator handles integers, truth values and the operations of the algebra. Terms about positions or games must be
replaced first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT
from encoders.refusals import Unsupported

N = TypeVar("N")  # a number of the algebra
B = TypeVar("B")  # a truth value of the algebra
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


class Algebra(Protocol[N, B]):
    """The numbers and truth values of a theory. Each operation may raise Unsupported."""

    words: str
    """The name of the theory, for "x has no translation into ..."."""

    @property
    def operations(self) -> Mapping[str, Callable[..., N]]:
        """The operations on integers, by their names in the table of builtin functions."""

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
    """An algebra that can compare numbers and choose between them."""

    def choose(self, condition: B, a: N, b: N) -> N: ...

    def relation(self, op: str, a: N, b: N) -> B: ...


def choose_extreme(algebra: Choosing[N, B], op: str, numbers: Sequence[N]) -> N:
    """Return the "largest" or the "smallest" (`op`) of some numbers. They are compared one after the other."""
    best, *others = numbers
    sign = "ge" if op == "largest" else "le"
    for other in others:
        best = algebra.choose(algebra.relation(sign, best, other), best, other)
    return best


def bounds_of_extreme(op: str, bounds: Iterable[tuple[int | None, int | None]]) -> tuple[int | None, int | None]:
    """Return (lo, hi) of the largest or smallest of several numbers with these bounds (None: unknown).

    A lower bound of any number is a lower bound of the largest. An upper bound of the largest requires upper bounds of
    all.

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
    """A translator of terms over the given variables. A term that occurs several times is translated once."""

    def __init__(self, algebra: Algebra[N, B], numbers: Mapping[str, N], truths: Mapping[str, B]) -> None:
        self.algebra, self.numbers, self.truths = algebra, numbers, truths
        self._operations = algebra.operations
        self._numbers: dict[int, tuple[t.Term, N]] = {}  # the terms are stored so that Python does not reuse their ids
        self._truths: dict[int, tuple[t.Term, B]] = {}

    def number(self, term: t.Term) -> N:
        """Return the translation of an integer term. Raises Unsupported."""
        if id(term) not in self._numbers:
            self._numbers[id(term)] = term, self._number(term)
        return self._numbers[id(term)][1]

    def truth(self, term: t.Term) -> B:
        """Return the translation of a condition. Raises Unsupported."""
        if id(term) not in self._truths:
            self._truths[id(term)] = term, self._truth(term)
        return self._truths[id(term)][1]

    def check(self, term: t.Term) -> None:
        """Raise Unsupported for a term without a translation."""
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
