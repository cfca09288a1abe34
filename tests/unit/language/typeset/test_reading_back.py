"""Every typeset formula can be parsed to the intended one, so no parenthesis or sign is missing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_terms import apply, numbers, truths
from reading import read, tokens_of

from claims.language.syntax import terms as t
from claims.language.syntax.printing import display
from claims.language.syntax.terms import BOOL, INT, POSITION
from claims.language.typesetting.formulas import flow, math, typeset_math

S = t.Variable(POSITION, 0, 0, "s")
RUNNING = t.Variable(INT, 0, 0, "y'1")


def run(reducer: str, body: t.Term, *conditions: t.Term) -> t.Comprehension:
    kind = BOOL if reducer in ("any", "all") else INT
    return t.Comprehension(kind, 0, 0, reducer, body, (t.Clause(RUNNING.name, S, conditions),))


def _with_comprehensions() -> st.SearchStrategy[t.Term]:
    """Return conditions with a bound variable over the heaps of a position, at every place."""
    small, wide = truths(1, words=True), numbers(1, words=True)
    many = st.builds(run, st.sampled_from(["nim_sum", "sum", "count"]), wide)
    counted = st.builds(run, st.just("count"), small)
    leaves = st.one_of(
        small,
        st.builds(run, st.sampled_from(["any", "all"]), small),
        st.builds(run, st.sampled_from(["any", "all"]), small, small),
        st.builds(
            apply, st.sampled_from(["lt", "ge", "eq"]), st.builds(run, st.sampled_from(["nim_sum", "sum"]), wide), wide
        ),
        st.builds(apply, st.sampled_from(["lt", "ge"]), counted, wide),
        st.builds(apply, st.just("lt"), st.builds(apply, st.sampled_from(["add", "sub", "mul"]), wide, many), wide),
        st.builds(apply, st.just("eq"), st.builds(apply, st.just("pow"), wide, wide), wide),
    )

    def extend(part: st.SearchStrategy[t.Term]) -> st.SearchStrategy[t.Term]:
        return st.one_of(
            st.builds(lambda x, y: t.AllOf(BOOL, 0, 0, (x, y)), part, part),
            st.builds(lambda x, y: t.AnyOf(BOOL, 0, 0, (x, y)), part, part),
            st.builds(apply, st.sampled_from(["eq", "ne"]), part, part),
            st.builds(apply, st.just("not"), part),
            st.builds(run, st.sampled_from(["any", "all"]), part),
            st.builds(lambda c, x, y: t.IfElse(BOOL, 0, 0, c, x, y), part, part, part),
        )

    return st.recursive(leaves, extend, max_leaves=6)


def meant(term: t.Term) -> object:
    """Return the expected parse of the formula."""
    match term:
        case t.Literal(value=v):
            return bool(v) if term.type == BOOL else v if v >= 0 else ("neg", -v)
        case t.Variable(name=name):
            return display(name)
        case t.AllOf(args=(x,)) | t.AnyOf(args=(x,)):
            return meant(x)
        case t.AllOf(args=args):
            return ("and", *map(meant, args))
        case t.AnyOf(args=(t.Operation(op="not", args=(x,)), y)):
            return ("implies", meant(x), meant(y))
        case t.AnyOf(args=args):
            return ("or", *map(meant, args))
        case t.IfElse(condition=c, then=x, other=y):
            return ("if", meant(c), meant(x), meant(y))
        case t.Operation(op="not", args=(t.Comprehension(reducer="any") as x,)):
            return ("none", *meant(x)[1:])
        case t.Operation(op="eq" | "ne" as op, args=(x, y)) if x.type == BOOL:
            return ({"eq": "iff", "ne": "differ"}[op], meant(x), meant(y))
        case t.Operation(op=op, args=args):
            return ({"largest": "max", "smallest": "min", "bit_and": "bitand"}.get(op, op), *map(meant, args))
        case t.Comprehension(reducer=reducer, body=body, clauses=(clause,)):
            where = (("in", display(clause.variable), meant(clause.source)), *map(meant, clause.conditions))
            return (reducer if reducer in ("any", "all", "count") else f"run {reducer}", where, meant(body))
    raise AssertionError(term)


WAYS: list[Callable[[t.Term], str]] = [lambda x: math(typeset_math(x)), flow]


@pytest.mark.parametrize("typeset", WAYS, ids=["one formula", "with words"])
@pytest.mark.parametrize("terms", [truths(3, words=True), _with_comprehensions()], ids=["arithmetic", "comprehensions"])
@pytest.mark.slow
def test_a_condition_is_read_as_it_is_meant(terms: st.SearchStrategy[t.Term], typeset: Callable[[t.Term], str]) -> None:
    @settings(deadline=None, derandomize=True, database=None)
    @given(terms)
    def check(term: t.Term) -> None:
        assert read(tokens_of(typeset(term))) == meant(term)

    check()


@settings(deadline=None, derandomize=True, database=None)
@given(numbers(3, words=True))
@pytest.mark.slow
def test_a_number_is_read_as_it_is_meant(term: t.Term) -> None:
    assert read(tokens_of(math(typeset_math(term)))) == meant(term)
