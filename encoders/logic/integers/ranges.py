"""Whether some number of a range meets a condition, or all do, where the range has ends with names.

Of `any(P(i) for i in range(a, b))` two things are known: where it holds, some number of the range is such an i; and it
holds if P holds of the first or the last number of the range, or of one that P compares i with.  Of the second more
would be true, so a proof may be too weak, but nothing false follows.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from claims.language.expressions.walk import free_names, structural_key, substitute, walk
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.ground.trust import Reason
from encoders.logic.polynomials import polynomial
from encoders.logic.reader import Env, SequentReader
from encoders.logic.terms import (
    ONE,
    add,
    at_least,
    conjunction,
    disjunction,
    implies,
    integer,
    less_than,
    negation,
    sub,
)
from encoders.logic.translator import COMPARISONS

RUNNING = "running'"  # no name of a file has this mark in it
MOST_WRITTEN = 16  # numbers of a range that are written out


def spell(parts: tuple[t.Term, ...], variable: str, env: Env) -> Hashable:
    """Equal for terms that say the same of the number that runs under that name, where `env` says the rest.

    Names that run inside are renamed where they stand, so it is that of the terms read.
    """
    values = {n: x for part in parts for n in free_names(part) if isinstance(x := env.get(n), t.Term)}
    values[variable] = t.Variable(INT, 0, 0, RUNNING)
    return tuple(structural_key(substitute(part, values), (RUNNING,)) for part in parts)


def spell_number(number: t.Term) -> Hashable:
    """Equal for two numbers only if they are the same, as sums of products."""
    return frozenset(polynomial(number).coefficients.items())


class Ranges:
    """The questions of one sequent, each once."""

    def __init__(self, reader: SequentReader) -> None:
        self.reader = reader
        self._some: dict[Hashable, t.Term] = {}

    def ask(self, term: t.Comprehension, env: Env) -> t.Term | None:
        """The truth value of `any` or `all` over a range; None for other comprehensions. Raises Unsupported."""
        match term:
            case t.Comprehension(reducer="any" | "all" as reducer, clauses=(clause,)):
                if isinstance(clause.source, t.Operation) and clause.source.op == "range":
                    low, after = (self.reader.number(x, env) for x in clause.source.args)
                    body = term.body if reducer == "any" else negation(term.body)
                    found = self._some_number((*clause.conditions, body), clause.variable, low, after, env)
                    return found if reducer == "any" else negation(found)
        return None

    def _some_number(self, parts: tuple[t.Term, ...], name: str, low: t.Term, after: t.Term, env: Env) -> t.Term:
        """Whether some number from `low` to before `after` meets all the conditions, in which it has that name."""

        def meets(value: t.Term) -> t.Term:
            return conjunction(*(self.reader.truth(x, {**env, name: value}) for x in parts))

        def inside(value: t.Term) -> t.Term:
            return conjunction(at_least(value, low), less_than(value, after))

        length = polynomial(sub(after, low)).constant
        if length is not None and length <= MOST_WRITTEN:
            return disjunction(*(meets(add(low, integer(i))) for i in range(length)))
        key = spell(parts, name, env), spell_number(low), spell_number(after)
        if key not in self._some:
            some = self._some[key] = self.reader.symbols.truth("some")
            found = self.reader.symbols.integer("number")
            self.reader.learn(Reason.SOME_NUMBER, implies(some, conjunction(inside(found), meets(found))))
            compared = [self.reader.number(x, env) for x in _compared(parts, name, env)]
            for value in (low, sub(after, ONE), *compared):
                self.reader.learn(Reason.SOME_NUMBER, implies(conjunction(inside(value), meets(value)), some))
        return self._some[key]


def _compared(parts: tuple[t.Term, ...], name: str, env: Env) -> Iterator[t.Term]:
    """What the parts compare the number of that name with, in names that are known outside."""
    for x in walk(parts):
        if isinstance(x, t.Operation) and x.op in COMPARISONS:
            for this, other in (x.args, x.args[::-1]):
                if isinstance(this, t.Variable) and this.name == name and other.type == INT:
                    known = set(free_names(other))
                    if name not in known and known <= env.keys():
                        yield other
