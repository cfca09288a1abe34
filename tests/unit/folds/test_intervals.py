"""The known bounds of numbers, with and without bounds of their variables."""

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from proofs import FOLDS, asked, written
from random_terms import RANGES, TRUTHS, apply, names, numbers, truths, values_of, variable

from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT
from encoders.logic.intervals import Interval, IntervalAlgebra, intervals_of
from encoders.logic.sequents import ONE, ZERO, Symbol, add, integer, mul, neg, sub
from encoders.refusals import Unsupported
from encoders.rules.folds.reader import FoldReader
from encoders.rules.folds.section import FoldsProof


def interval(term: t.Term, above: bool = True, below: bool = True) -> Interval:
    """Return the interval if variables have the bounds of RANGES on these sides."""
    symbols = {
        name: Symbol(name, BOOL)
        if name in TRUTHS
        else Symbol(name, INT, RANGES[name][0] if below else None, RANGES[name][-1] if above else None)
        for name in names(term)
    }
    return intervals_of(symbols).number(term)


@settings(derandomize=True, deadline=None)
@given(numbers(2, True))
@pytest.mark.slow
def test_a_number_lies_in_its_interval(term: t.Term) -> None:
    for above, below in ((True, True), (False, True), (True, False), (False, False)):
        try:
            found = interval(term, above, below)
        except Unsupported:
            assume(above or below)
            continue
        for (value,) in values_of(term):
            if value is not None:
                assert found.lo is None or found.lo <= value
                assert found.hi is None or value <= found.hi
                assert found.value in (None, value)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(truths(2, True))
@pytest.mark.slow
def test_a_condition_that_is_known_is_so(term: t.Term) -> None:
    symbols = {
        n: Symbol(n, BOOL) if n in TRUTHS else Symbol(n, INT, *RANGES[n][:: len(RANGES[n]) - 1]) for n in names(term)
    }
    try:
        found = intervals_of(symbols).truth(term)
    except Unsupported:
        assume(False)
    assert found is None or all(value is None or bool(value) is found for (value,) in values_of(term))


X, H = variable("x"), variable("h")  # an integer, a natural number


@pytest.mark.parametrize(
    ("term", "lo", "hi"),
    [
        (H, 0, None),
        (add(H, ONE), 1, None),
        (sub(H, ONE), -1, None),
        (sub(ONE, H), None, 1),
        (sub(H, H), None, None),
        (mul(H, add(H, integer(2))), 0, None),
        (mul(add(H, ONE), integer(-3)), None, -3),
        (mul(integer(-3), add(H, ONE)), None, -3),
        (mul(neg(H), neg(H)), None, None),
        (apply("nim", H, integer(9)), 0, None),
        (apply("bit_and", H, integer(9)), 0, 9),
        (apply("mod", sub(ONE, H), integer(3)), 0, 2),
        (apply("floordiv", add(H, integer(5)), integer(3)), 1, None),
    ],
)
def test_of_a_natural_number_without_a_bound(term: t.Term, lo: int | None, hi: int | None) -> None:
    assert (interval(term, above=False).lo, interval(term, above=False).hi) == (lo, hi)


@pytest.mark.parametrize("op", ["nim", "bit_and"])
def test_what_may_be_negative_has_no_binary_digits(op: str) -> None:
    for other in (sub(H, ONE), neg(H), sub(H, H), X, add(X, H)):
        for args in ((other, H), (H, other), (other, other)):
            with pytest.raises(Unsupported, match="of a number that may be negative"):
                interval(apply(op, *args), above=False, below=True)


def test_divisors_are_positive_literals() -> None:
    for by in (H, ZERO, integer(-2), add(H, ONE)):
        for op in ("floordiv", "mod"):
            with pytest.raises(Unsupported, match="whose divisor is not a positive literal number"):
                interval(apply(op, H, by))


def test_a_variable_is_a_number_or_a_truth_value() -> None:
    """Nothing is known about a Boolean variable, and a numeric variable is not a condition."""
    symbols = {"p": Symbol("p", BOOL), "h": Symbol("h", INT, 0)}
    assert intervals_of(symbols).truth(t.Variable(BOOL, 0, 0, "p")) is None
    with pytest.raises(Unsupported, match="h has no translation"):
        intervals_of(symbols).truth(t.Variable(BOOL, 0, 0, "h"))


# -- the operations ----------------------------------------------------------------------------------------------------
# An interval is (lo, hi), None for no bound; a literal is an int.
Ends = tuple[int | None, int | None] | int
ANY, NATURAL = (None, None), (0, None)


def made(x: Ends) -> Interval:
    return Interval(x, x, literal=True) if isinstance(x, int) else Interval(*x)


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        ("add", (1, 5), (10, 20), (11, 25)),
        ("add", (1, None), (10, 20), (11, None)),
        ("add", (None, 5), (10, 20), (None, 25)),
        ("add", (1, 5), (None, 20), (None, 25)),
        ("add", 2, 3, 5),
        ("add", 2, (3, 3), (5, 5)),
        ("add", (3, 3), 2, (5, 5)),
        ("sub", (1, 5), (10, 20), (-19, -5)),
        ("sub", (1, None), (10, None), ANY),
        ("sub", (1, None), (None, 20), (-19, None)),
        ("sub", 2, 3, -1),
        # products
        ("mul", (2, 3), (5, 7), (10, 21)),
        ("mul", (-2, 3), (5, 7), (-14, 21)),
        ("mul", (2, 3), (-5, 7), (-15, 21)),
        ("mul", (-3, -2), (5, 7), (-21, -10)),
        ("mul", (2, 3), (-7, -5), (-21, -10)),
        ("mul", (-3, -2), (-7, -5), (10, 21)),
        ("mul", (-2, 3), (-5, 7), (-15, 21)),
        ("mul", (-3, 2), (-7, 5), (-15, 21)),
        ("mul", 3, (2, None), (6, None)),
        ("mul", (2, None), 3, (6, None)),
        ("mul", -3, (2, None), (None, -6)),
        ("mul", (None, 2), -3, (-6, None)),
        ("mul", (None, 2), 3, (None, 6)),
        ("mul", 0, ANY, (0, 0)),
        ("mul", ANY, 0, (0, 0)),
        ("mul", 1, (None, 4), (None, 4)),
        ("mul", (2, None), (3, None), (6, None)),
        ("mul", NATURAL, (3, 9), (0, None)),
        ("mul", (3, 9), NATURAL, (0, None)),
        ("mul", NATURAL, (-1, None), ANY),
        ("mul", (-1, None), NATURAL, ANY),
        ("mul", (None, 5), NATURAL, ANY),
        ("mul", NATURAL, (None, 5), ANY),
        ("mul", ANY, (2, 3), ANY),
        ("mul", 3, 4, 12),
        ("mul", 3, (4, 4), (12, 12)),
        ("mul", (4, 4), 3, (12, 12)),
        # quotients and remainders
        ("floordiv", (7, 20), 3, (2, 6)),
        ("floordiv", (-7, None), 3, (-3, None)),
        ("floordiv", (None, -1), 3, (None, -1)),
        ("floordiv", (5, 9), 1, (5, 9)),
        ("floordiv", 7, 3, 2),
        ("mod", (-100, 100), 7, (0, 6)),
        ("mod", ANY, 1, (0, 0)),
        ("mod", (10, 10), 7, (0, 6)),
        ("mod", 10, 7, 3),
        ("mod", -1, 7, 6),
        # binary digits
        ("nim", (0, 4), (0, 2), (0, 7)),
        ("nim", (0, 2), (0, 4), (0, 7)),
        ("nim", (0, 3), (0, 2), (0, 3)),
        ("nim", (5, None), (0, 2), NATURAL),
        ("nim", (0, 2), (5, None), NATURAL),
        ("nim", 12, 10, 6),
        ("nim", 12, (10, 10), (0, 15)),
        ("nim", (12, 12), 10, (0, 15)),
        ("nim", 0, (0, 0), (0, 0)),
        ("bit_and", (3, 4), (0, 9), (0, 4)),
        ("bit_and", (0, 9), (3, 4), (0, 4)),
        ("bit_and", NATURAL, (3, 4), (0, 4)),
        ("bit_and", (3, 4), NATURAL, (0, 4)),
        ("bit_and", NATURAL, NATURAL, NATURAL),
        ("bit_and", 12, 10, 8),
        ("bit_and", 12, (10, 10), (0, 10)),
        ("bit_and", (12, 12), 10, (0, 10)),
    ],
)
def test_the_bounds_of_an_operation(op: str, a: Ends, b: Ends, expected: Ends) -> None:
    """The smallest and the largest value were computed by hand. Only literals have a known value."""
    assert IntervalAlgebra().operations[op](made(a), made(b)) == made(expected)


@pytest.mark.parametrize(
    ("a", "expected"), [((1, 5), (-5, -1)), ((1, None), (None, -1)), ((None, 5), (-5, None)), (3, -3)]
)
def test_the_bounds_of_a_negative(a: Ends, expected: Ends) -> None:
    assert IntervalAlgebra().neg(made(a)) == made(expected)


@pytest.mark.parametrize(
    ("condition", "a", "b", "expected"),
    [
        (True, 1, (5, 9), 1),
        (False, (5, 9), 1, 1),
        (None, (1, 3), (5, 9), (1, 9)),
        (None, (5, 9), (1, 3), (1, 9)),
        (None, (None, 3), (5, 9), (None, 9)),
        (None, (5, 9), (None, 3), (None, 9)),
        (None, (1, None), (5, 9), (1, None)),
        (None, (5, 9), (1, None), (1, None)),
        (None, 1, (1, 1), (1, 1)),
        (None, (1, 1), 1, (1, 1)),
        (None, 1, 1, 1),
    ],
)
def test_the_bounds_of_a_choice(condition: bool | None, a: Ends, b: Ends, expected: Ends) -> None:
    """The interval contains both branches, unless the condition is known."""
    assert IntervalAlgebra().choose(condition, made(a), made(b)) == made(expected)


@pytest.mark.parametrize(
    ("op", "numbers", "expected"),
    [
        ("largest", ((1, 5), (3, 4)), (3, 5)),
        ("smallest", ((1, 5), (3, 4)), (1, 4)),
        ("largest", ((1, None), (3, 4)), (3, None)),
        ("smallest", ((None, 5), (3, 4)), (None, 4)),
        ("largest", (2, 7), 7),
        ("smallest", (2, 7), 2),
        ("largest", (2, (7, 7)), (7, 7)),
        ("largest", ((2, 2), 7), (7, 7)),
    ],
)
def test_the_bounds_of_the_largest_and_the_smallest(op: str, numbers: tuple[Ends, ...], expected: Ends) -> None:
    assert IntervalAlgebra().extreme(op, list(map(made, numbers))) == made(expected)


@pytest.mark.parametrize("op", ["nim", "bit_and"])
@pytest.mark.parametrize("other", [(-1, 5), -1, (None, 5)])
def test_binary_digits_are_refused_where_one_of_two_may_be_negative(op: str, other: Ends) -> None:
    for a, b in (((0, 5), other), (other, (0, 5)), (3, other), (other, 3)):
        with pytest.raises(Unsupported, match="of a number that may be negative"):
            IntervalAlgebra().operations[op](made(a), made(b))


@pytest.mark.parametrize("op", ["floordiv", "mod"])
@pytest.mark.parametrize("by", [0, -3, (3, 3), (1, 5), ANY])
def test_a_divisor_is_a_literal_above_0(op: str, by: Ends) -> None:
    with pytest.raises(Unsupported, match="whose divisor is not a positive literal number"):
        IntervalAlgebra().operations[op](made((1, 5)), made(by))


@pytest.mark.parametrize(
    ("x", "value", "natural", "bounded"),
    [
        (5, 5, True, True),
        (0, 0, True, True),
        (-1, -1, False, True),
        ((5, 5), None, True, True),
        ((0, 9), None, True, True),
        ((-1, 9), None, False, True),
        ((0, None), None, True, False),
        ((None, 9), None, False, False),
        (ANY, None, False, False),
    ],
)
def test_what_is_known_of_an_interval(x: Ends, value: int | None, natural: bool, bounded: bool) -> None:
    assert (made(x).value, made(x).natural, made(x).bounded) == (value, natural, bounded)


def test_an_interval_of_literals_is_no_value_unless_its_ends_are_equal() -> None:
    assert Interval(1, 2, literal=True).value is None


@pytest.mark.parametrize(
    ("x", "lo", "hi", "within"),
    [
        ((2, 5), 2, 5, True),
        ((2, 5), 3, 5, False),
        ((2, 5), 2, 4, False),
        ((2, 5), 2, None, True),
        ((2, 5), 3, None, False),
        ((2, None), 2, None, True),
        ((2, None), 2, 99, False),
        ((None, 5), 2, 5, False),
    ],
)
def test_whether_an_interval_lies_in_bounds(x: Ends, lo: int, hi: int | None, within: bool) -> None:
    assert made(x).is_within(lo, hi) is within


@pytest.mark.parametrize(
    ("op", "a", "b", "truth"),
    [
        ("lt", 1, 2, True),
        ("lt", 2, 2, False),
        ("le", 2, 2, True),
        ("eq", 2, 2, True),
        ("eq", 2, 3, False),
        ("lt", (1, 1), 2, None),
        ("lt", 1, (2, 2), None),
        ("lt", (1, 1), (2, 2), None),
    ],
)
def test_a_comparison_is_known_of_literals_alone(op: str, a: Ends, b: Ends, truth: bool | None) -> None:
    assert IntervalAlgebra().relation(op, made(a), made(b)) is truth


T, F, U = True, False, None


def test_what_is_known_of_conditions_is_kleenes_logic() -> None:
    """A condition holds, fails, or is unknown."""
    algebra, all_three = IntervalAlgebra(), (T, F, U)
    pairs = [(a, b) for a in all_three for b in all_three]
    assert [algebra.conjunction(x) for x in pairs] == [T, F, U, F, F, F, U, F, U]
    assert [algebra.disjunction(x) for x in pairs] == [T, T, T, T, F, U, T, U, U]
    assert [algebra.iff(*x) for x in pairs] == [T, F, U, F, T, U, U, U, U]
    assert [algebra.negate(x) for x in all_three] == [F, T, U]
    assert [algebra.constant(x) for x in (T, F)] == [T, F]
    assert (algebra.conjunction(()), algebra.disjunction(())) == (T, F)
    assert [algebra.decide(c, a, b) for c in all_three for a, b in ((T, F), (F, T), (U, T))] == [
        T,
        F,
        U,
        F,
        T,
        T,
        U,
        U,
        U,
    ]


# -- a reader without a bound -----------------------------------------------------------------------------------------
@pytest.fixture
def reader(tmp_path: Path) -> FoldReader:
    """Return a reader for a claim with k and j from 1 to 9 and a position s, in a proof without a bound."""
    claim = written(tmp_path, UNBOUNDED, "len(s) >= 0")
    assert isinstance(claim.proof, FoldsProof)
    return FoldReader(claim, claim.proof)


UNBOUNDED = FOLDS.replace('sizes = "< 2^8"', 'rule = "folds"')


def test_what_is_known_to_be_a_size_without_a_bound(reader: FoldReader) -> None:
    heap = reader.size("heap")
    assert (reader.symbols.by_name["heap"].lo, reader.symbols.by_name["heap"].hi) == (0, None)
    for size in (heap, add(heap, heap), integer(1 << 70), apply("nim", heap, ONE), mul(heap, heap)):
        assert reader.is_size(size)
    for other in (neg(heap), sub(heap, ONE), integer(-1), reader.symbols.integer("integer")):
        assert not reader.is_size(other)


def test_a_number_between_others_has_the_bounds_that_they_have(reader: FoldReader) -> None:
    heap, integer_ = reader.size("heap", low=1), reader.symbols.integer("integer")
    for low, high, lo, hi in (
        (ONE, heap, 1, None),
        (sub(heap, integer(3)), integer(9), -2, 9),
        (integer(7), integer(5), 7, 7),
        (integer_, heap, None, None),
        (integer_, integer(5), None, 5),
        (sub(ONE, heap), heap, None, None),
    ):
        x, _ = reader.make_number("m", low, high)
        assert (reader.symbols.by_name[x.name].lo, reader.symbols.by_name[x.name].hi) == (lo, hi)


def test_the_integers_of_a_claim_have_the_bounds_of_their_domains(tmp_path: Path) -> None:
    body = UNBOUNDED.replace('j = "1..9"', 'j = "k + 1.."').replace('k = "1..9"', 'k = "-10.."')
    body = body.replace("[scope]", '[scope]\nk = "1..2"\nj = "1..2"')
    claim = written(tmp_path, body, "len(s) >= 0")
    assert isinstance(claim.proof, FoldsProof)
    found = FoldReader(claim, claim.proof).symbols.by_name
    assert [(found[name].lo, found[name].hi) for name in ("k", "j")] == [(-10, None), (-9, None)]


@pytest.mark.parametrize(
    ("then", "needs"),
    [
        ("nim_sum(h - 2 for h in s) >= 0", "h - 2 >= 0"),
        ("(k - j) ^ k >= 0", "k - j >= 0"),
        ("bit_and(k, k - 2) >= 0", "k - 2 >= 0"),
        ("nim_sum(position([h - k for h in s])) >= 0", "h - k >= 0"),
    ],
)
@pytest.mark.parametrize("proof", [UNBOUNDED, FOLDS])
def test_that_the_terms_of_a_nim_sum_are_natural_is_to_be_shown(
    tmp_path: Path, then: str, needs: str, proof: str
) -> None:
    answer = asked(written(tmp_path, proof, then))
    assert answer.decision == "unknown"
    assert answer.detail.startswith("defined: ") and f"needs {needs}: fails at" in answer.detail


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("nim_sum(h - 2 if h > 2 else 0 for h in s) >= 0", True),
        ("nim_sum(h - 2 if h > 1 else 0 for h in s) >= 0", True),
        ("nim_sum(h - 2 if h > 0 else 0 for h in s) >= 0", False),
        ("nim_sum(h - k for h in s if h >= k) == nim_sum(h - k for h in s if k <= h)", True),
        ("nim_sum(h - k for h in s if h >= k - 1) >= 0", False),
        ("nim_sum(max(h - k, 0) for h in s) >= 0", True),
        ("nim_sum(max(h - k, -1) for h in s) >= 0", False),
        ("abs(k - j) ^ abs(j - k) == 0", True),
        ("abs(k - j) ^ (k - j) == 0", False),
        ("implies(j <= k, abs(k - j) ^ (k - j) == 0)", True),
        ("implies(j <= k + 1, abs(k - j) ^ (k - j) == 0)", False),
    ],
)
def test_whether_they_are_is_told_by_guards_and_choices(tmp_path: Path, then: str, holds: bool) -> None:
    answer = asked(written(tmp_path, UNBOUNDED, then))
    assert answer.decision == ("holds" if holds else "unknown"), answer.detail
