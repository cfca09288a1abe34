"""The automaton of literals agrees with brute force below 2^6, and its numbers satisfy the literals."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoders.logic.certificates import MOST_VARIABLES, Atom, Literal, Stream, VerifierSteps, is_closed
from encoders.solvers.exclusions import AutomatonTooWide, explore

BITS = 6
NAMES = "xy"
BELOW = dict(zip(NAMES, np.indices((1 << BITS, 1 << BITS)), strict=True))  # all numbers below 2^6
STREAMS = st.recursive(
    st.sampled_from(NAMES),
    lambda s: st.one_of(st.tuples(st.sampled_from(["xor", "and"]), s, s), st.tuples(st.just("xor"), s, s, s)),
    max_leaves=3,
)


def atoms() -> st.SearchStrategy[Atom]:
    terms = st.dictionaries(STREAMS, st.integers(-3, 3).filter(bool), min_size=1, max_size=3)
    return st.builds(
        lambda kind, found, constant: Atom(kind, tuple((k, s) for s, k in found.items()), constant),
        st.sampled_from(["le", "eq"]),
        terms,
        st.integers(-9, 9),
    )


LITERALS = st.lists(st.tuples(atoms(), st.booleans()), min_size=1, max_size=3)


def stream_at(stream: Stream, values: Mapping[Stream, Any]) -> Any:
    if isinstance(stream, str) or stream[0] == "times":
        return values[stream]
    first, *others = (stream_at(s, values) for s in stream[1:])
    for x in others:
        first = first ^ x if stream[0] == "xor" else first & x
    return first


def holds(literal: Literal, values: Mapping[Stream, Any]) -> Any:
    """Return whether the literal holds; for arrays, where it holds."""
    atom, wanted = literal
    total = atom.constant + sum(k * stream_at(s, values) for k, s in atom.terms)
    return (total <= 0 if atom.kind == "le" else total == 0) == wanted


def hold_together(literals: Sequence[Literal]) -> bool:
    """Whether all of them hold somewhere below 2^6."""
    return bool(np.all([holds(x, BELOW) for x in literals], axis=0).any())


@settings(deadline=None)
@given(LITERALS)
@pytest.mark.slow
def test_it_says_what_brute_force_says(literals: Sequence[Literal]) -> None:
    found = explore(literals)
    if isinstance(found, dict):
        values = dict.fromkeys(NAMES, 0) | found
        assert all(holds(x, values) for x in literals)
    else:
        assert not hold_together(literals)
        assert is_closed(literals, found, VerifierSteps())


@settings(deadline=None)
@given(LITERALS, st.data())
@pytest.mark.slow
def test_what_is_closed_has_no_model_whatever_states_are_said(literals: Sequence[Literal], data: st.DataObject) -> None:
    """If a state is removed, added or changed, the check still accepts only valid invariants."""
    found = explore(literals)
    states = (
        list(found) if isinstance(found, tuple) else [data.draw(st.tuples(*(st.integers(-9, 9) for _ in literals)))]
    )
    place = data.draw(st.integers(0, len(states) - 1))
    other = tuple(data.draw(st.one_of(st.none(), st.integers(-9, 9))) for _ in literals)
    for said in (
        states[:place] + states[place + 1 :],
        [*states, other],
        [*states[:place], other, *states[place + 1 :]],
    ):
        if is_closed(literals, said, VerifierSteps()):
            assert not hold_together(literals)


def test_no_state_may_be_left_out() -> None:
    """x ^ y <= x + y, 2x != 2y + 1, x & y <= x: all reachable states are needed."""
    both: Stream = ("and", "x", "y")
    for literals in (
        [(Atom("le", ((1, "x"), (1, "y"), (-1, ("xor", "x", "y"))), 1), True)],
        [(Atom("eq", ((2, "x"), (-2, "y")), -1), True)],
        [(Atom("le", ((1, both), (-1, "x")), 0), False)],
    ):
        states = explore(literals)
        assert isinstance(states, tuple)
        assert is_closed(literals, states, VerifierSteps())
        for left_out in states:
            assert not is_closed(literals, [s for s in states if s != left_out], VerifierSteps())


def test_numbers_of_any_size_are_found() -> None:
    far = (1 << 200) + 3
    found = explore([(Atom("eq", ((1, "x"),), -far), True), (Atom("le", ((1, "y"),), -far), False)])
    assert isinstance(found, dict)
    assert found["x"] == far < found["y"]


def test_products_are_numbers_of_which_nothing_is_known() -> None:
    product_: Stream = ("times", "x", "y")
    seven, zero = Atom("eq", ((1, product_),), -7), Atom("eq", ((1, "x"),), 0)
    assert explore([(seven, True), (zero, True)]) == {product_: 7, "x": 0}


def test_limits_are_told() -> None:
    wide = Atom("le", tuple((1, f"x{i}") for i in range(MOST_VARIABLES + 1)), -1)
    with pytest.raises(AutomatonTooWide, match="a lemma has 15 variables"):
        explore([(wide, True)])
    with pytest.raises(AutomatonTooWide, match="more than 2 states"):
        explore([(Atom("eq", ((7, "x"), (-5, "y")), -1), True), (Atom("le", ((1, "y"), (1, "x")), 30), False)], 2)
