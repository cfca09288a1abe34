"""Terms and sequents from text, random terms, and the values of terms for all small arguments (exhaustive engine)."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

import numpy as np
from hypothesis import strategies as st

from claims.language.syntax import terms as t
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.terms import BOOL, INT
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.logic.sequents import Sequent, Symbol

NATURALS = ("h", "rest of s")  # some names need quotes
INTEGERS = ("x", "heap' |2|")
TRUTHS = ("p", "not")
NATURAL, INTEGER = range(4), range(-2, 3)
RANGES: dict[str, Sequence[int]] = {
    **dict.fromkeys(NATURALS, NATURAL),
    **dict.fromkeys(INTEGERS, INTEGER),
    **dict.fromkeys(TRUTHS, (False, True)),
}
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def variable(name: str) -> t.Variable:
    return t.Variable(BOOL if name in TRUTHS else INT, 0, 0, name)


def number(value: int) -> t.Literal:
    return t.Literal(INT, 0, 0, value)


def apply(op: str, *args: t.Term) -> t.Operation:
    return t.Operation(BOOL if op in (*COMPARISONS, "not") else INT, 0, 0, op, args)


def choice(condition: t.Term, a: t.Term, b: t.Term) -> t.Term:
    return t.IfElse(a.type, 0, 0, condition, a, b)


def _joined(args: tuple[list[t.Term], bool]) -> t.Term:
    parts, every = args
    return (t.AllOf if every else t.AnyOf)(BOOL, 0, 0, tuple(parts))


@cache
def numbers(depth: int, words: bool, natural: bool = False) -> st.SearchStrategy[t.Term]:
    """Return a strategy for terms of type Int.

    `words`: include nim-sums. `natural`: include only terms that cannot be negative.
    """
    leaves = [st.sampled_from(NATURALS).map(variable), st.integers(0, 3).map(number)]
    if not natural:
        leaves += [st.sampled_from(INTEGERS).map(variable), st.integers(-3, -1).map(number)]
    if depth == 0:
        return st.one_of(leaves)
    part, conditions = numbers(depth - 1, words, natural), truths(depth - 1, words)
    small = numbers(0, words, natural)
    made = [
        *leaves,
        st.builds(apply, st.just("add"), part, part),
        st.builds(apply, st.just("mul"), small, small),
        st.builds(apply, st.sampled_from(["largest", "smallest"]), part, part, small),
        st.builds(choice, conditions, part, part),
        st.builds(
            apply,
            st.sampled_from(["floordiv", "mod"]),
            numbers(depth - 1, words, natural=True) if words else part,
            st.integers(1, 3).map(number),
        ),
    ]
    if not natural:
        made += [st.builds(apply, st.just("sub"), part, part), st.builds(apply, st.just("neg"), part)]
    if words:
        naturals = numbers(depth - 1, words, natural=True)
        made.append(st.builds(apply, st.sampled_from(("nim", "bit_and")), naturals, naturals))
    return st.one_of(made)


@cache
def truths(depth: int, words: bool) -> st.SearchStrategy[t.Term]:
    """Return a strategy for terms of type Bool. `words`: include nim-sums."""
    small = numbers(0, words)
    leaves = [
        st.sampled_from(TRUTHS).map(variable),
        st.booleans().map(lambda x: t.Literal(BOOL, 0, 0, int(x))),
        st.builds(apply, st.sampled_from(COMPARISONS), small, small),
    ]
    if depth == 0:
        return st.one_of(leaves)
    part, inner = truths(depth - 1, words), numbers(depth, words)
    return st.one_of(
        st.builds(apply, st.sampled_from(COMPARISONS), inner, inner),
        st.builds(apply, st.just("not"), part),
        st.builds(apply, st.sampled_from(["eq", "ne"]), part, part),
        st.builds(choice, part, part, part),
        st.tuples(st.lists(part, min_size=1, max_size=3), st.booleans()).map(_joined),
    )


def names(*terms: t.Term) -> list[str]:
    """Return the names of the variables in the terms, in the order of RANGES."""
    found = set[str]()
    todo = list(terms)
    while todo:
        term = todo.pop()
        todo += t.subterms(term)
        if isinstance(term, t.Variable):
            found.add(term.name)
    return [name for name in RANGES if name in found]


def rows_of(ranges: Mapping[str, Sequence[int]]) -> list[dict[str, int]]:
    """Return all combinations of values."""
    return [dict(zip(ranges, row, strict=True)) for row in product(*ranges.values())]


def values_of(*terms: t.Term, rows: Sequence[Mapping[str, int]] | None = None) -> list[tuple[int | None, ...]]:
    """Return the values of the terms at each row, in order; None for a value that is not defined.

    Without rows, the rows are all combinations of small values.
    """
    wanted = rows_of({name: RANGES[name] for name in names(*terms)}) if rows is None else rows
    columns = {name: np.array([row[name] for row in wanted]) for name in (wanted[0] if wanted else ())}
    table = ColumnTable(columns)
    found = []
    for term in terms:
        column = table.evaluate(term)
        values = [None if bad else x for x, bad in zip(column.values.tolist(), column.undefined.tolist(), strict=True)]
        found.append(values * len(wanted) if len(values) == 1 else values)
    return list(zip(*found, strict=True))


def sequent(assume: Sequence[str], show: str) -> Sequent:
    """Return a sequent over all integers. The variables are single letters."""
    names = sorted({x for text in (*assume, show) for x in re.findall(r"\b[a-z]\b", text)})
    terms = Elaborator(dict.fromkeys(names, INT))
    said = tuple(terms.term(x, BOOL) for x in assume)
    return Sequent("o", tuple(Symbol(x, INT) for x in names), said, terms.term(show, BOOL))
