"""Numbers that grow step by step: sums and counts over a range, and powers; what is known from one step to the next.

Of `sum(f(i) for i in range(a, b))` two things are known: it is 0 if b <= a, and over one number more it is f(b) more.
That is all that there is to know of it, and it is told of those that occur, where their ends are so many apart as can
be counted.  So with `count`, with `any` and `all` as truth values, and with powers, as products of equal factors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from claims.language.terms import terms as t
from claims.language.terms.types import BOOL
from encoders.ground.trust import Reason
from encoders.logic.integers.ranges import MOST_WRITTEN, spell, spell_number
from encoders.logic.polynomials import is_same_polynomial, polynomial
from encoders.logic.reader import Env, SequentReader
from encoders.logic.terms import (
    NO,
    ONE,
    YES,
    ZERO,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    mul,
    sub,
)

MOST_APART = 8  # of two ends that are told of, one step after another
MOST_BITS = 4096  # of a power that is written as a number


@dataclass(eq=False)
class _Series:
    """Of no number `neutral`; with one more, `value`, it is `join` of what it was and `at(value)`. `low`: the first."""

    low: t.Term
    at: Callable[[t.Term], t.Term]
    join: Callable[[t.Term, t.Term], t.Term]
    neutral: t.Term
    fresh: Callable[[], t.Term]
    known: list[tuple[t.Term, t.Term]] = field(default_factory=list)  # the end of the range, and what it is there


class Growing:
    """Those of one sequent, each once."""

    def __init__(self, reader: SequentReader) -> None:
        self.reader = reader
        self._series: dict[Hashable, _Series] = {}

    def over_range(self, term: t.Comprehension, env: Env) -> t.Term | None:
        """What is made of the numbers of a range; None for other comprehensions. Raises Unsupported."""
        match term:
            case t.Comprehension(reducer="sum" | "count" | "any" | "all" as reducer, body=body, clauses=(clause,)):
                if isinstance(clause.source, t.Operation) and clause.source.op == "range":
                    low, after = (self.reader.number(x, env) for x in clause.source.args)
                    return self._value(self._of_range(reducer, body, clause, low, env), after)
        return None

    def power(self, base: t.Term, exponent: t.Term) -> t.Term:
        """A power of a natural exponent."""
        number, times = polynomial(base).constant, polynomial(exponent).constant
        if number is not None and times is not None and times >= 0 and number.bit_length() * times <= MOST_BITS:
            return integer(number**times)
        low = 1 if number is not None and number >= 1 else None
        key = "power", spell_number(base)
        if key not in self._series:

            def fresh() -> t.Term:
                return self.reader.symbols.integer("power", low, aside=True)

            self._series[key] = _Series(ZERO, lambda _: base, mul, ONE, fresh)
        return self._value(self._series[key], exponent)

    def _of_range(self, reducer: str, body: t.Term, clause: t.Clause, low: t.Term, env: Env) -> _Series:
        key = reducer, spell((*clause.conditions, body), clause.variable, env), spell_number(low)
        if key not in self._series:
            self._series[key] = self._make(reducer, body, clause, low, env)
        return self._series[key]

    def _make(self, reducer: str, body: t.Term, clause: t.Clause, low: t.Term, env: Env) -> _Series:
        q, symbols = self.reader, self.reader.symbols

        def meets(value: t.Term) -> t.Term:
            return conjunction(*(q.truth(x, {**env, clause.variable: value}) for x in clause.conditions))

        def holds(value: t.Term) -> t.Term:
            return q.truth(body, {**env, clause.variable: value})

        def term(value: t.Term) -> t.Term:
            if reducer == "count":
                return choose(conjunction(meets(value), holds(value)), ONE, ZERO)
            return choose(meets(value), q.number(body, {**env, clause.variable: value}), ZERO)

        match reducer:
            case "any":
                return _Series(
                    low, lambda x: conjunction(meets(x), holds(x)), disjunction, NO, lambda: symbols.truth("some")
                )
            case "all":
                return _Series(
                    low, lambda x: implies(meets(x), holds(x)), conjunction, YES, lambda: symbols.truth("all")
                )
        least = 0 if reducer == "count" else None
        return _Series(low, term, add, ZERO, lambda: symbols.integer(reducer, least, aside=True))

    def _value(self, series: _Series, after: t.Term) -> t.Term:
        """What it is for the numbers from its first to before `after`. Raises Unsupported."""
        for end, value in series.known:
            if is_same_polynomial(end, after):
                return value
        length = polynomial(sub(after, series.low)).constant
        if length is not None and length <= MOST_WRITTEN:
            found = series.neutral
            for i in range(length):
                found = series.join(found, series.at(add(series.low, integer(i))))
            return found
        found = series.fresh()
        before = list(series.known)
        series.known.append((after, found))
        self.reader.learn(Reason.RANGE, implies(at_most(after, series.low), equal(found, series.neutral)))
        if not before and found.type == BOOL:  # the last number may be what decides
            self._value(series, sub(after, ONE))
        for end, value in before:
            apart = polynomial(sub(after, end)).constant
            match apart:
                case 1:
                    self._step(series, end, value, found)
                case -1:
                    self._step(series, after, found, value)
                case int() if abs(apart) <= MOST_APART:
                    self._value(series, add(end if apart > 0 else after, ONE))
        return found

    def _step(self, series: _Series, end: t.Term, value: t.Term, following: t.Term) -> None:
        """Let it be known that over one number more it is `following`."""
        joined = series.join(value, series.at(end))
        self.reader.learn(Reason.RANGE, implies(at_least(end, series.low), equal(following, joined)))
