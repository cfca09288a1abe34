"""Candidate facts about folds: instances of templates that are true at all sampled positions.

A fold is a number that is computed heap by heap, such as the sum of all heaps. A *cell* is a position together with
values of the parameters. A proof needs only a few of these facts. The values at which its obligations fail
(countermodels) show which facts it needs; see `FactSearch` in `encoders/search/find.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations

import numpy as np

from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT
from encoders.compute.arrays.values import Array
from encoders.logic.sequents import ONE, ZERO, add, bit_and, choose, compare, equal, iff, implies, integer, nim
from encoders.search.formulas import FOLD_PRICE, OPS, CandidateFold, FoldVocabulary, Sort, write_term
from encoders.search.question import HEAP
from encoders.search.tables import Cells, make_column_table

Countermodel = dict[str, int]
"""The values of folds and parameters, by name."""

_UNKNOWN = 48  # values that are tried for an unknown fold


@dataclass(frozen=True, eq=False)
class Fact:
    """A candidate fact: a condition that may hold for every position.

    It is about parameters and folds, that is, numbers computed heap by heap, such as the nim-sum.
    `folds`: the folds in the condition.
    `name`: a short description.
    `price`: a number that is smaller for simpler facts.
    `partition`: whether the fact states that a nim-sum or a number of heaps is composed of two others.
    """

    term: t.Term
    folds: tuple[CandidateFold, ...]
    name: str
    price: float
    partition: bool = False

    @cached_property
    def text(self) -> str:
        return _write(self.term)


def _write(term: t.Term) -> str:
    """Return a fact as text for a claim file. Implications and equivalences become `implies(a, b)` and `iff(a, b)`."""
    match term:
        case t.AnyOf(args=(t.Operation(op="not", args=(condition,)), then)):
            return f"implies({write_term(condition)}, {_write(then)})"
        case t.Operation(op="eq", args=(a, b)) if a.type == BOOL:
            return f"iff({write_term(a)}, {write_term(b)})"
    return write_term(term)


class Templates:
    """A source of candidate facts. It puts folds into templates such as "if a count is 0, a nim-sum is 0".

    A fold is a number computed heap by heap. The folds are those of the proof and, at a higher price, similar folds. A
    similar fold has the same term for a heap, or compares heaps with the same number.
    """

    def __init__(self, vocabulary: FoldVocabulary, cells: Cells, own: list[CandidateFold]) -> None:
        self.vocabulary, self.cells = vocabulary, cells
        self.own = set(own)
        self.folds = [*own, *(f for f in vocabulary.folds if f not in self.own and self._is_near(f))]
        self.sums = [f for f in self.folds if f.sort is Sort.NIM_SUM]
        self.counts = [f for f in self.folds if f.sort is Sort.COUNT]
        self.numbers = dict(vocabulary.thresholds)
        for n in ("1", "2"):
            self.numbers.setdefault(n, integer(int(n)))
        self._terms: dict[tuple[str, str, str], t.Term] = {}  # one object for each comparison: evaluated once

    def _is_near(self, fold: CandidateFold) -> bool:
        bodies = {f.body for f in self.own}
        bounds = {(f.body, f.bound) for f in self.own if f.op}
        if fold.op:
            return (fold.body, fold.bound) in bounds
        return fold.body in bodies and fold.sort in (Sort.COUNT, Sort.NIM_SUM)

    def propose(self) -> list[Fact]:
        """Return the facts that hold at all sampled positions and parameters, the simplest first."""
        best: dict[str, Fact] = {}
        for fact in self._list():
            self.vocabulary.table.clock.check()
            if self.cells.column(fact.term).all():
                best.setdefault(fact.text, fact)
        ordered = sorted(best.values(), key=lambda f: (f.price, len(f.text), f.text))
        names: dict[str, int] = {}
        found = []
        for fact in ordered:  # the facts of a proof need distinct names
            names[fact.name] = names.get(fact.name, 0) + 1
            again = names[fact.name]
            found.append(fact if again == 1 else replace(fact, name=f"{fact.name} ({again})"))
        return found

    def _make(
        self, term: t.Term, folds: tuple[CandidateFold, ...], name: str, price: float, partition: bool = False
    ) -> Fact:
        dear = 2 * FOLD_PRICE * sum(f not in self.own for f in folds)
        return Fact(term, folds, name, price + dear, partition)

    def _compare(self, op: str, fold: CandidateFold, number: t.Term) -> t.Term:
        key = op, fold.name, write_term(number)
        if key not in self._terms:
            self._terms[key] = compare(op, fold.variable, number)
        return self._terms[key]

    def _odd(self, fold: CandidateFold) -> t.Term:
        key = "odd", fold.name, ""
        if key not in self._terms:
            self._terms[key] = equal(t.Operation(INT, 0, 0, "mod", (fold.variable, integer(2))), ONE)
        return self._terms[key]

    def _list(self) -> Iterator[Fact]:
        yield from self._parts()
        yield from self._compare_counts()
        for c in self.counts:
            for x in self.sums:
                yield from self._relate_count_and_sum(c, x)
        yield from self._remainders()
        yield from self._columns()
        yield from self._extremes()
        yield from self._totals()

    def _parts(self) -> Iterator[Fact]:
        """Yield facts which state that a nim-sum is the nim-sum of two other folds."""
        for three in combinations(self.sums, 3):
            if len({f.body for f in three}) == 1:
                whole = max(three, key=lambda f: (not f.op, f.filter.count("=")))
                a, b = (f for f in three if f is not whole)
                term = equal(whole.variable, nim(a.variable, b.variable))
                yield self._make(term, three, f"{a.name} and {b.name} make {whole.name}", 1, True)

    def _compare_counts(self) -> Iterator[Fact]:
        for a, b in permutations(self.counts, 2):
            yield self._make(compare("le", a.variable, b.variable), (a, b), f"{a.name} are among {b.name}", 2)
        for three in combinations(self.counts, 3):
            for i, whole in enumerate(three):
                a, b = (f for j, f in enumerate(three) if j != i)
                both_counted = add(a.variable, b.variable)
                exact = equal(whole.variable, both_counted)
                if self.cells.column(exact).all():
                    yield self._make(exact, three, f"{a.name} and {b.name} make {whole.name}", 1.5, whole.body == HEAP)
                else:
                    term = compare("ge", whole.variable, both_counted)
                    yield self._make(term, three, f"{a.name} and {b.name} are others among {whole.name}", 2)

    def _relate_count_and_sum(self, c: CandidateFold, x: CandidateFold) -> Iterator[Fact]:
        if x.body != c.body and c.text != "len(s)":
            return
        none, single = self._compare("eq", c, ZERO), self._compare("eq", c, ONE)
        nothing = self._compare("eq", x, ZERO)
        same = c.filter == x.filter
        yield self._make(implies(none, nothing), (c, x), f"none of {c.name}: {x.name} is 0", 1 if same else 1.5)
        others = [d for d in self.counts if d is not c and d.body == c.body == x.body]
        for n, number in ((n, k) for n, k in self.numbers.items()):
            by_parity = equal(x.variable, choose(self._odd(c), number, ZERO))
            price = 1.0 if n == "1" else 1.1
            yield self._make(by_parity, (c, x), f"{x.name} is {n} or 0 by the parity of {c.name}", price)
            for d in others:
                condition = self._compare("eq", d, ZERO)
                name = f"none of {d.name}: {x.name} is {n} or 0 by the parity of {c.name}"
                yield self._make(implies(condition, by_parity), (c, d, x), name, 1.6)
            if (x.op and x.bound == n) or n.isdigit():
                for op in ("lt", "le"):
                    then = self._compare(op, x, number)
                    yield self._make(implies(none, then), (c, x), f"none of {c.name}: {write_term(then)}", 1.7)
            for op in ("ge", "gt", "lt", "le"):
                then = self._compare(op, x, number)
                name = f"one of {c.name}: {write_term(then)}"
                yield self._make(implies(single, then), (c, x), name, 1.2 if same else 2.0)
        if x.op:
            for d in others:
                if d.op and d.bound in self.numbers:
                    alone = iff(self._compare(OPS[d.op], x, self.numbers[d.bound]), self._compare("eq", d, ONE))
                    name = f"one of {c.name}: {d.name} counts it by {x.name}"
                    yield self._make(implies(single, alone), (c, x, d), name, 1.7)

    def _remainders(self) -> Iterator[Fact]:
        for x, y in permutations(self.sums, 2):
            if x.body != HEAP or y.body == HEAP or x.op or y.op:
                continue
            divisor = self.vocabulary.divisors[y.body]
            if divisor.isdigit():
                left = t.Operation(INT, 0, 0, "mod", (x.variable, integer(int(divisor))))
                yield self._make(equal(left, y.variable), (x, y), f"{y.name} is the remainder of {x.name}", 1)
            for c in self.counts:
                same = equal(x.variable, y.variable)
                term = implies(self._compare("eq", c, ZERO), same)
                yield self._make(term, (c, x, y), f"none of {c.name}: {x.name} is {y.name}", 1.5)

    def _columns(self) -> Iterator[Fact]:
        for a, b in combinations([f for f in self.folds if f.sort is Sort.COLUMN], 2):
            term = equal(bit_and(a.variable, b.variable), ZERO)
            yield self._make(term, (a, b), f"no column counts for {a.name} and {b.name}", 1)

    def _totals(self) -> Iterator[Fact]:
        """Yield facts that compare the sum of all heaps with numbers of heaps."""
        for total in (f for f in self.folds if f.sort is Sort.TOTAL):
            for c in self.counts:
                at_least = compare("ge", total.variable, c.variable)
                yield self._make(at_least, (total, c), f"an object in each of {c.name}", 1)
                for d in self.counts:
                    if d is not c:
                        term = implies(self._compare("eq", d, ZERO), equal(total.variable, c.variable))
                        yield self._make(term, (total, c, d), f"none of {d.name}: one object in each of {c.name}", 1.5)

    def _extremes(self) -> Iterator[Fact]:
        """Yield facts that compare the least and the largest heap with counts and nim-sums."""
        extremes = [f for f in self.folds if f.sort is Sort.EXTREME]
        times = [f for f in self.counts if f.text.startswith("s.count")]
        for a in extremes:
            for c in (*self.counts, *self.sums):
                zeros = self._compare("eq", c, ZERO), self._compare("gt", c, ZERO), self._compare("eq", c, ONE)
                for number in self.numbers.values():
                    for op in ("gt", "ge", "eq"):
                        for zero in zeros:
                            term = iff(self._compare(op, a, number), zero)
                            yield self._make(
                                term, (a, c), f"{write_term(zero)} says {write_term(self._compare(op, a, number))}", 1.5
                            )
            for c in self.counts:
                for b in times:
                    if b is not c:
                        for n, number in self.numbers.items():
                            term = implies(self._compare("eq", a, number), equal(b.variable, c.variable))
                            yield self._make(term, (a, b, c), f"{b.name} is {c.name} where {a.name} is {n}", 2)


# -- selection by countermodels ---------------------------------------------------------------------------------------
class CounterModels:
    """A list of countermodels: values of folds and parameters at which an obligation is false.

    A fold is a number computed heap by heap, such as the nim-sum. The methods find facts that exclude a countermodel. A
    fact excludes a countermodel if the fact is false there. Several facts together exclude a countermodel if no value
    of some unknown fold satisfies all of them.
    """

    def __init__(self, models: list[Countermodel], names: list[str]) -> None:
        self.models = models
        self.known = {n: np.array([n in m for m in models], dtype=bool) for n in names}
        self.columns = {n: np.array([m.get(n, 0) for m in models], dtype=np.int64) for n in names}
        self._table = make_column_table(self.columns)

    def false_at(self, fact: Fact) -> Array:
        """Return, for each countermodel (values at which an obligation is false), whether the fact is false there too.

        The result is False if the fact is undefined there, or if the countermodel lacks the value of a number (fold) in
        the fact.
        """
        known = np.logical_and.reduce([self.known[f.name] for f in fact.folds])
        if not known.any():
            return np.asarray(known)
        said_ = self._table.evaluate(fact.term)
        return np.asarray(known & ~said_.undefined & ~said_.values.astype(bool))

    def find_unsatisfied(self, facts: list[Fact]) -> Iterator[tuple[int, CandidateFold, tuple[Fact, ...]]]:
        """Find facts that contradict each other in a countermodel, whatever the value of some unknown number is.

        Such a number is a fold, such as a nim-sum, whose value the countermodel lacks. Yield triples (model, fold,
        facts): the index of the countermodel, the fold, and the facts. For each of the values 0 to 47 of the fold, at
        least one of the facts is false.
        """
        by_fold: dict[CandidateFold, list[Fact]] = {}
        for fact in facts:
            for f in fact.folds:
                by_fold.setdefault(f, []).append(fact)
        for fold, about in by_fold.items():
            open_ = ~self.known[fold.name]
            if not open_.any() or not any(len(f.folds) > 1 for f in about):
                continue
            columns = {n: np.repeat(c, _UNKNOWN) for n, c in self.columns.items()}
            columns[fold.name] = np.tile(np.arange(_UNKNOWN), len(self.models))
            table = make_column_table(columns)
            fails = []
            for fact in about:
                rest = [self.known[f.name] for f in fact.folds if f is not fold]
                usable = open_ & np.logical_and.reduce([open_, *rest])
                if not usable.any():
                    continue
                value = table.evaluate(fact.term)
                false = (~value.undefined & ~value.values.astype(bool)).reshape(len(self.models), _UNKNOWN)
                false &= usable[:, None]
                if false.any():
                    fails.append((fact, false))
            if not fails:
                continue
            whole = np.logical_or.reduce([x for _, x in fails]).all(axis=1)
            for model in np.flatnonzero(whole):
                yield int(model), fold, _minimize_facts([(f, x[model]) for f, x in fails if x[model].any()])


def _minimize_facts(fails: list[tuple[Fact, Array]]) -> tuple[Fact, ...]:
    """Return a small set of facts such that, for every value of some number (a fold), one of the facts is false.

    The choice is greedy. `fails`: pairs of a fact and an array. Element v of the array is true if the fact is false
    when the fold has the value v.
    """
    got = np.zeros(_UNKNOWN, dtype=bool)
    chosen: list[tuple[Fact, Array]] = []
    while not got.all():
        best = max(fails, key=lambda x: (int((x[1] & ~got).sum()) / (0.5 + x[0].price % 4), -len(x[0].text), x[0].text))
        chosen.append(best)
        got |= best[1]
    for one in list(chosen):
        rest = [x for f, x in chosen if f is not one[0]]
        if rest and np.logical_or.reduce(rest).all():
            chosen = [x for x in chosen if x[0] is not one[0]]
    return tuple(f for f, _ in chosen)
