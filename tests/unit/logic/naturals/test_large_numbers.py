"""Sums of integers with coefficients of any size: true sequents are certified, false ones are not."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_terms import sequent

from encoders.logic.certificates import EQ, LE, Atom, Stream, problem
from encoders.logic.natural_formulas import Formulas, Problem
from encoders.logic.sequents import Sequent
from encoders.solvers import exclusions as integers
from encoders.solvers.automaton import Refuted, certify, fails_at, settle
from encoders.solvers.exclusions import literal, refute_integers, solve_equations
from encoders.solvers.proposals import are_right

# necessary premises about integers, and a conclusion; N and M are large numbers
THEOREMS: list[tuple[tuple[str, ...], str]] = [
    ((), "(x + y) % N == (x % N + y % N) % N"),
    ((), "(3 * x) % N == (3 * (x % N)) % N"),
    ((), "(x % (N * M)) % N == x % N"),
    ((), "(x // N) // M == x // (N * M)"),
    ((), "(x + N) // N == x // N + 1"),
    (("x % N == y % N", "x < y"), "y >= x + N"),
    (("x % N < y % N",), "(y - (y % N - x % N)) % N == x % N"),
    (("x % N == 1", "N == 2 * M"), "x % 2 == 1"),
    (("x >= 0", "y >= 0", "x // N < y // N"), "x < y"),
    (("x % N == (y + 2 * z) % N",), "(x + 1) % N == (y + 2 * z + 1) % N"),
]
FALSE = [
    ((), "(x + y) % N == x % N + y % N"),
    ((), "(x + y) // N == x // N + y // N"),
    ((), "x % N != N - 1"),
    (("x % M == y % M",), "x % N == y % N"),
    (("x % N <= y % N",), "x <= y"),
    (("x % N == y % N", "x < y"), "y > x + N"),
    (("x % N == (y + 2 * z) % N",), "(x + 1) % N == (y + 2 * z) % N"),
]
NUMBERS = {"of three digits": (1000, 500), "of many digits": (2**40, 2**39)}


def written(assume: tuple[str, ...], show: str, numbers: str) -> tuple[tuple[str, ...], str]:
    """Return the sequent with numbers for N and M, without premises about N and M alone."""
    n, m = NUMBERS[numbers]
    some = [x for x in assume if "x" in x or "y" in x]
    told = [x.replace("(N * M)", str(n * m)).replace("N", str(n)).replace("M", str(m)) for x in (*some, show)]
    return tuple(told[:-1]), told[-1]


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize(("assume", "show"), THEOREMS)
def test_what_holds_of_remainders_by_large_numbers_is_certified(
    assume: tuple[str, ...], show: str, numbers: str
) -> None:
    found = settle(sequent(*written(assume, show, numbers)))
    assert found.reason == ""
    assert found.certificate is not None
    assert problem(found.certificate) == ""


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize(("assume", "show"), FALSE)
def test_what_fails_somewhere_is_not(assume: tuple[str, ...], show: str, numbers: str) -> None:
    asked = sequent(*written(assume, show, numbers))
    found = settle(asked)
    assert found.certificate is None
    assert fails_at(asked, found.values)


# -- equations --------------------------------------------------------------------------------------------------------
# Equations from nim-sums for sums, and from sums for nim-sums: necessary premises about naturals.
EQUAL = [
    (("(x // N) ^ z == 0", "(y // N) ^ z == 0", "x % N == y % N"), "x == y"),
    (("(x // N) ^ z == w", "(y // N) ^ z == w", "x % N == y % N"), "x == y"),
    (("x % 3 >= 1",), "(x // 3) ^ z == ((x - 1) // 3) ^ z"),
    (("x % 3 >= 1", "y % 3 >= 1"), "(x // 3) ^ (y // 3) ^ z ^ w == ((x - 1) // 3) ^ ((y - 1) // 3) ^ z ^ w"),
]


def of_naturals(assume: tuple[str, ...], show: str) -> Sequent:
    asked = sequent(*written(assume, show, "of three digits"))
    return replace(asked, variables=tuple(replace(x, lo=1 if x.name in "xy" else 0) for x in asked.variables))


@pytest.mark.parametrize(("assume", "show"), EQUAL)
@pytest.mark.slow
def test_nim_sums_and_sums_tell_each_other_what_is_equal(assume: tuple[str, ...], show: str) -> None:
    found = settle(of_naturals(assume, show))
    assert found.certificate is not None, found.reason
    assert problem(found.certificate) == ""


@pytest.mark.parametrize(("assume", "show"), EQUAL)
def test_what_is_not_equal_is_not_told(assume: tuple[str, ...], show: str) -> None:
    for i in range(len(assume)):
        asked = of_naturals((*assume[:i], *assume[i + 1 :]), show)
        found = settle(asked)
        assert found.certificate is None
        assert fails_at(asked, found.values)


# -- literals ---------------------------------------------------------------------------------------------------------
def excluded(*literals: tuple[str, dict[Stream, int], int, bool]) -> bool:
    """Whether they are found to exclude each other; the certificate is then verified."""
    formulas = Formulas()
    nodes = [
        formulas.compare(kind, terms, constant) * (1 if wanted else -1) for kind, terms, constant, wanted in literals
    ]
    assert not {1, -1} & set(nodes)
    found = refute_integers(formulas, nodes)
    if found is None:
        return False
    asked = Problem(formulas, tuple(nodes), (), {}, {}, {})
    certificate = certify(asked, Refuted(frozenset(range(len(nodes))), (found,)))
    assert problem(certificate) == ""
    return True


ODD = (EQ, {"x": 2, "y": -2, "z": -1}, 0, True), (EQ, {"z": 1, "w": -2}, -1, True)
BETWEEN = (LE, {"x": -3, "y": 3}, 1, True), (LE, {"x": 3, "y": -3}, -2, True)


@pytest.mark.parametrize(
    "literals",
    [
        pytest.param(ODD, id="an equation that no integers fulfil"),
        pytest.param(BETWEEN, id="a sum between two multiples"),
        pytest.param(
            ((EQ, {"x": 1, "y": -1}, 0, False), (LE, {"x": 1, "y": -1}, 0, True), (LE, {"y": 1, "x": -1}, 0, True)),
            id="a sum that is neither 0 nor below nor above",
        ),
        pytest.param(((LE, {"x": 2, "y": 1}, -1, True), (EQ, {"x": 2, "y": 1}, -1, False), (LE, {"y": 1}, 0, False)),
                     id="streams are natural"),
    ],
)  # fmt: skip
def test_these_exclude_each_other(literals: Sequence[tuple[str, dict[Stream, int], int, bool]]) -> None:
    assert excluded(*literals)
    assert not any(excluded(*literals[:i], *literals[i + 1 :]) for i in range(len(literals)))


def test_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integers, "MOST_SUMS", 0)
    assert not excluded(*ODD)


SUMS = st.dictionaries(st.sampled_from(("x", "y", "z")), st.integers(-7, 7), min_size=1)
COMPARED = st.tuples(st.sampled_from((EQ, EQ, LE)), SUMS, st.integers(-9, 9), st.booleans())


@settings(deadline=None, derandomize=True)
@given(st.lists(COMPARED, min_size=2, max_size=5))
@pytest.mark.slow
def test_what_holds_somewhere_is_not_excluded(drawn: list[tuple[str, dict[Stream, int], int, bool]]) -> None:
    formulas = Formulas()
    nodes = [formulas.compare(*told) * (1 if wanted else -1) for *told, wanted in drawn]
    nodes = [x for x in dict.fromkeys(nodes) if formulas.node(x) is not None]
    literals = [literal(formulas, x) for x in nodes]
    if not nodes or -1 in nodes or any(-x in nodes for x in nodes):
        return
    found = refute_integers(formulas, nodes)
    if found is not None:
        assert not any(are_right(dict(zip("xyz", v, strict=True)), literals) for v in product(range(10), repeat=3))
        certificate = certify(
            Problem(formulas, tuple(nodes), (), {}, {}, {}), Refuted(frozenset(range(len(nodes))), (found,))
        )
        assert problem(certificate) == ""


# -- equations --------------------------------------------------------------------------------------------------------
EQUATIONS = st.lists(st.tuples(SUMS, st.integers(-9, 9)), min_size=1, max_size=3)


@settings(deadline=None, derandomize=True)
@given(EQUATIONS)
@pytest.mark.slow
def test_parameters_are_what_they_say(drawn: list[tuple[dict[Stream, int], int]]) -> None:
    """At all solutions of the equations, each stream is its sum of parameters."""
    equations = [(Atom(EQ, tuple((k, s) for s, k in terms.items() if k), c), True) for terms, c in drawn]
    equations = [x for x in equations if x[0].terms]
    solved = solve_equations(equations)
    for numbers in product(range(-4, 5), repeat=3):
        whole = dict(zip("xyz", numbers, strict=True))
        if all(sum(k * whole[str(s)] for k, s in a.terms) == -a.constant for a, _ in equations):
            values = {s: Fraction(x) for s, x in whole.items()}
            parameters = [sum(k * values[str(s)] for s, k in p.items()) for p in solved.parameters]
            for s, form in solved.streams.items():
                assert values[str(s)] == form.constant + sum(k * parameters[j] for j, k in form.terms.items())
