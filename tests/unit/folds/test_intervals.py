"""Between which integers numbers are known to lie, with and without a bound."""

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from proofs import FOLDS, asked, written
from random_terms import RANGES, TRUTHS, apply, names, numbers, truths, values_of, variable

from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT
from encoders.ground.refusals import Unsupported
from encoders.logic.sequent import Symbol
from encoders.logic.terms import ONE, ZERO, add, integer, mul, neg, sub
from encoders.rules.folds.numbers.intervals import Interval, intervals_of
from encoders.rules.folds.reading.reader import FoldReader
from encoders.rules.folds.statement.section import FoldsProof


def interval(term: t.Term, above: bool = True, below: bool = True) -> Interval:
    """The interval, where variables have the bounds of RANGES on these sides."""
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
            with pytest.raises(Unsupported, match="of something that may be negative"):
                interval(apply(op, *args), above=False, below=True)


def test_divisors_are_positive_literals() -> None:
    for by in (H, ZERO, integer(-2), add(H, ONE)):
        for op in ("floordiv", "mod"):
            with pytest.raises(Unsupported, match="by something other than a positive literal"):
                interval(apply(op, H, by))


# -- a reader without a bound -----------------------------------------------------------------------------------------
@pytest.fixture
def reader(tmp_path: Path) -> FoldReader:
    """For a claim with k and j from 1 to 9 and a position s, in a proof without a bound."""
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
        x, _ = reader.within("m", low, high)
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
    assert answer.answer == "unknown"
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
    assert answer.answer == ("holds" if holds else "unknown"), answer.detail
