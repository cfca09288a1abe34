"""Products of variables: true sequents are certified, and without a premise numbers refute them."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_terms import sequent

from encoders.logic.certificates import EQ, LE, TIMES, Stream, problem
from encoders.logic.natural_formulas import Formulas, Problem
from encoders.solvers import automaton as rounds
from encoders.solvers import exclusions as products
from encoders.solvers.automaton import NaturalsSolver, Refuted, certify, fails_at, settle
from encoders.solvers.exclusions import literal, refute_products
from encoders.solvers.proposals import are_right
from encoders.solvers.solver import Limits, SolverStatus
from encoders.solvers.tree import Closed

# necessary premises about integers, and a conclusion
THEOREMS: list[tuple[tuple[str, ...], str]] = [
    (("x >= 0", "y >= 0"), "x * y >= 0"),
    (("x >= 0", "y >= 1"), "x * y >= x"),
    (("x >= 1", "y >= 1", "z >= 1"), "x * y * z >= x"),
    (("p > q", "b >= 1"), "(p - q) * b >= b"),
    (("x * y == 0", "x >= 1"), "y == 0"),
    (("k >= 2",), "k * x != k * y + 1"),
    (("b * q + r == b * p + s", "r >= 0", "r < b", "s >= 0", "s < b"), "q == p and r == s"),
    (("b * q + r < b * p + s", "r >= 0", "s < b", "b >= 0"), "q <= p"),
    (("b * q + r == b * p + s + 1", "r >= 0", "r < b", "s >= 0", "s + 1 < b"), "r == s + 1"),
]
DROPPED = [((*assume[:i], *assume[i + 1 :]), show) for assume, show in THEOREMS for i in range(len(assume))]


MORE: list[tuple[tuple[str, ...], str]] = [
    (("x >= 0", "y >= 0"), "x * x + y * y >= 2 * x * y"),
    (
        ("x >= 0", "y >= 1", "x * x - x * y - y * y < 0"),
        "(x + 1) * (x + 1) - (x + 1) * (y + 1) - (y + 1) * (y + 1) < 0",
    ),
]


@pytest.mark.parametrize(("assume", "show"), [*THEOREMS, *MORE])
def test_what_holds_of_products_is_certified(assume: tuple[str, ...], show: str) -> None:
    found = settle(sequent(assume, show))
    assert found.reason == ""
    assert found.certificate is not None
    assert problem(found.certificate) == ""


@pytest.mark.parametrize(("assume", "show"), DROPPED)
@pytest.mark.slow
def test_without_a_premise_there_are_numbers(assume: tuple[str, ...], show: str) -> None:
    asked = sequent(assume, show)
    found = settle(asked)
    assert found.certificate is None
    assert fails_at(asked, found.values)


def test_what_is_not_found_out_of_products_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "MOST_SUMS_IN_CASES", 0)
    outcome = NaturalsSolver().check(sequent(*THEOREMS[1]), Limits(1, 1, None))
    assert outcome.found is SolverStatus.UNKNOWN
    assert outcome.reason == "neither a counterexample nor a proof was found for products of variables"
    assert outcome.incomplete


def test_numbers_that_are_wrong_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sequent is true, so there are no such numbers."""
    monkeypatch.setattr(rounds, "refute_products", lambda *_: {"x": 1, "y": 1})
    found = settle(sequent(("x >= 2", "y >= 2"), "x * y >= x + y"))
    assert not found.values
    assert found.reason == "neither a counterexample nor a proof was found for products of variables"


# -- at random --------------------------------------------------------------------------------------------------------
STREAMS: tuple[Stream, ...] = ("x", "y", "z", (TIMES, "x", "y"), (TIMES, "x", "z"), (TIMES, "x", "x"))
SUMS = st.dictionaries(st.sampled_from(STREAMS), st.integers(-2, 2), min_size=1, max_size=4)
COMPARED = st.tuples(st.sampled_from((EQ, LE, LE)), SUMS, st.integers(-3, 3), st.booleans())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(COMPARED, min_size=2, max_size=5))
@pytest.mark.slow
def test_literals_are_excluded_or_hold_somewhere(drawn: list[tuple[str, dict[Stream, int], int, bool]]) -> None:
    formulas = Formulas()
    nodes = [formulas.compare(kind, terms, constant) * (1 if wanted else -1) for kind, terms, constant, wanted in drawn]
    nodes = [x for x in dict.fromkeys(nodes) if formulas.node(x) is not None]
    literals = [literal(formulas, x) for x in nodes]
    if -1 in nodes or any(-x in nodes for x in nodes) or not nodes:
        return
    found = refute_products(formulas, nodes)
    if isinstance(found, Closed):
        assert not any(are_right(dict(zip("xyz", v, strict=True)), literals) for v in product(range(6), repeat=3))
        asked = Problem(formulas, tuple(nodes), (), {}, {}, {})
        certificate = certify(asked, Refuted(frozenset(range(len(nodes))), (found,)))
        assert problem(certificate) == ""
    elif found is not None:
        assert are_right(found, literals)
