"""Lemmas by a sum: literals exclude each other if their products add up to a negative number; no other sum counts."""

from itertools import product

import pytest

from encoders.logic.certificates import (
    EQ,
    LE,
    TIMES,
    XOR,
    Atom,
    Certificate,
    CertificateLemma,
    Literal,
    Stream,
    Summand,
    VerifierSteps,
    is_negative,
    problem,
)
from encoders.solvers.proposals import are_right

X_Y, X_X, Y_Y = (TIMES, "x", "y"), (TIMES, "x", "x"), (TIMES, "y", "y")
Sum = tuple[Summand, ...]


def at_most(constant: int, *terms: tuple[int, Stream]) -> Literal:
    return Atom(LE, terms, -constant), True


def above(constant: int, *terms: tuple[int, Stream]) -> Literal:
    return Atom(LE, terms, -constant), False


def equal(constant: int, *terms: tuple[int, Stream]) -> Literal:
    return Atom(EQ, terms, -constant), True


def other(constant: int, *terms: tuple[int, Stream]) -> Literal:
    return Atom(EQ, terms, -constant), False


def times(coefficient: int, *places: int, by: tuple[Stream, ...] = ()) -> Summand:
    return Summand(coefficient, places, by)


EXCLUDED: dict[str, tuple[list[Literal], Sum]] = {
    "a sum": ([at_most(3, (1, "x")), above(3, (1, "x"))], (times(1, 0), times(1, 1))),
    "a literal by a variable": (
        [above(0, (1, "y")), above(0, (1, "x"), (-1, X_Y))],
        (times(1, 0, by=("x",)), times(1, 1)),
    ),
    "an equation, subtracted": ([equal(2, (1, "x")), above(2, (1, "x"))], (times(-1, 0), times(1, 1))),
    "an equation by a variable": (
        [equal(1, (1, "x")), above(0, (1, X_Y), (-1, "y"))],
        (times(-1, 0, by=("y",)), times(1, 1)),
    ),
    "a square": (
        [at_most(0, (-1, "x"), (1, "y")), above(0, (2, X_Y), (-1, X_X), (-1, Y_Y))],
        (times(1, 0, 0), times(1, 1)),
    ),
    "factors in any order": (
        [at_most(0, (1, X_Y)), above(0, (1, (TIMES, "y", "x")))],
        (times(1, 0), times(1, 1)),
    ),
    "a variable is natural": ([at_most(-1, (1, "x"))], (times(1, 0), times(1, by=("x",)))),
    "a nim-sum is natural": ([at_most(-1, (1, (XOR, "x", "y")))], (times(1, 0), times(1, by=((XOR, "x", "y"),)))),
}
# literals that some numbers satisfy, so that no sum may exclude them
HOLDING: dict[str, tuple[list[Literal], Sum]] = {
    "a literal, subtracted": ([above(-2, (1, "x"))], (times(-1, 0), times(1, by=("x",)))),
    "a variable, subtracted": ([above(0, (1, "x"))], (times(-1, by=("x",)), times(1, 0))),
    "a number, subtracted": ([above(0, (1, "x"))], (times(-1),)),
    "an equation that is false": ([other(0, (1, "x")), above(0, (1, "x"))], (times(-1, 0), times(1, 1))),
    "a sum that is 0": ([at_most(1, (1, "x")), above(0, (1, "x"))], (times(1, 0), times(1, 1))),
    "a sum above 0": ([at_most(2, (1, "x")), above(0, (1, "x"))], (times(1, 0), times(1, 1))),
    "nothing": ([above(0, (1, "x"))], ()),
    "a sum with a rest": ([above(0, (1, "y"), (-1, "x"))], (times(1, 0),)),
    "at most as if it were below": ([at_most(0, (1, "x"))], (times(1, 0), times(1, by=("x",)))),
    "an equation as if it were above": ([equal(1, (1, "x")), at_most(1, (1, "x"))], (times(1, 0), times(1, 1))),
    "above as if it were much above": ([above(0, (1, "x")), at_most(1, (1, "x"))], (times(1, 0), times(1, 1))),
    "at most as if it were at least": ([at_most(3, (1, "x")), above(-2, (-1, "x"))], (times(1, 0), times(1, 1))),
    "a square as if it were the number": ([above(3, (1, X_X)), at_most(2, (1, "x"))], (times(1, 0), times(1, 1))),
    "a product as if it were a factor": ([above(0, (1, X_Y)), at_most(1, (1, "x"))], (times(1, 0), times(1, 1))),
    "a nim-sum as if it were a product": (
        [above(0, (1, (XOR, "x", "y"))), at_most(0, (1, "x"))],
        (times(1, 0), times(1, 1, by=("y",))),
    ),
}


def values_of(literals: list[Literal]) -> dict[Stream, int] | None:
    """Return small numbers at which all literals hold."""
    pairs = ({"x": x, "y": y} for x, y in product(range(8), repeat=2))
    return next((dict[Stream, int](v) for v in pairs if are_right(dict[Stream, int](v), literals)), None)


@pytest.mark.parametrize("name", EXCLUDED)
def test_a_sum_that_is_negative_excludes(name: str) -> None:
    literals, summands = EXCLUDED[name]
    assert values_of(literals) is None
    assert is_negative(literals, summands, VerifierSteps())


@pytest.mark.parametrize("name", HOLDING)
def test_what_holds_somewhere_is_excluded_by_no_sum(name: str) -> None:
    literals, summands = HOLDING[name]
    assert values_of(literals) is not None
    assert not is_negative(literals, summands, VerifierSteps())


@pytest.mark.parametrize("place", [-1, 2])
def test_a_place_that_is_not_there_shows_nothing(place: int) -> None:
    literals, summands = EXCLUDED["a sum"]
    assert not is_negative(literals, (*summands[:1], times(1, place)), VerifierSteps())


@pytest.mark.parametrize("name", EXCLUDED)
def test_a_sum_of_which_anything_is_changed_shows_nothing(name: str) -> None:
    literals, summands = EXCLUDED[name]
    for i, s in enumerate(summands):
        rest = (*summands[:i], *summands[i + 1 :])
        assert not is_negative(literals, rest, VerifierSteps())
        assert not is_negative(literals, (*rest, Summand(s.coefficient + 1, s.places, s.streams)), VerifierSteps())
        assert not is_negative(literals, (*rest, Summand(s.coefficient, s.places, (*s.streams, "z"))), VerifierSteps())


@pytest.mark.parametrize("name", [*EXCLUDED, *HOLDING])
def test_a_certificate_holds_with_its_sum(name: str) -> None:
    literals, summands = {**EXCLUDED, **HOLDING}[name]
    letters = tuple(i if wanted else -i for i, (_, wanted) in enumerate(literals, 1))
    tree: object = -1
    for x in reversed(letters):
        tree = (abs(x), tree, 0) if x > 0 else (abs(x), 0, tree)
    formula = ("and", *(x if x > 0 else ("not", -x) for x in letters))
    atoms = tuple(atom for atom, _ in literals)
    wrong = problem(Certificate(len(atoms), atoms, formula, (CertificateLemma(letters, summands=summands),), tree))
    if name in EXCLUDED:
        assert wrong == ""
    else:
        assert wrong.startswith("lemma 1 is not shown")
