"""The facts about powers in proofs are true for all powers, and are not applied to other numbers."""

import itertools

import numpy as np
import pytest

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import INT
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.logic.reader import SequentReader
from encoders.logic.sequents import ONE, ZERO, add, choose, compare, integer, mul, sub
from encoders.refusals import Unsupported
from encoders.rules.base.rule import build_sequents
from encoders.rules.grundy.digits import Powers, list_power_obligations
from encoders.rules.grundy.section import read_pick, read_power
from encoders.solvers.discharge import discharge
from encoders.solvers.effort import USUAL

NUMBERS = range(-7, 8)


def floor_half(x):
    return t.Operation(INT, 0, 0, "floordiv", (x, integer(2)))


@pytest.mark.parametrize("base", [2, 3, 4, 10])
def test_what_is_known_of_two_powers_holds_of_all(base):
    reader = SequentReader()
    powers = Powers(reader, {})
    a, b = powers.fresh(base, "a"), powers.fresh(base, "b")
    x, y = reader.symbols.integer("x"), reader.symbols.integer("y")
    powers.weigh(a, sub(mul(a, x), ONE))
    powers.weigh(b, sub(mul(y, b), ONE))
    rows = []
    for i, j, m, n in itertools.product(range(6), range(6), NUMBERS, NUMBERS):
        multiple = base ** (abs(i - j) - 1) if i != j else 1
        rows.append((base**i, base**j, m, n, multiple))
    names = ("a", "b", "x", "y", "multiple")
    table = ColumnTable(
        {n: np.array(column, dtype=np.int64) for n, column in zip(names, zip(*rows, strict=True), strict=True)}
    )
    assert len(reader.known) == 4
    for known, _ in reader.known:
        found = table.evaluate(known)
        assert found.values.all()
        assert not found.undefined.any()


@pytest.mark.parametrize("base", [2, 3, 10, 2**40])
@pytest.mark.slow
def test_it_is_shown_by_induction(base):
    sequents = list(build_sequents(list_power_obligations(base, by_exponents=True), SequentReader))
    assert [s.name.partition(": ")[0] for s in sequents] == [f"powers of {base}"] * 6
    assert len(list(list_power_obligations(base, by_exponents=False))) == 5
    assert all(discharge(s, USUAL, None).proved for s in sequents)


@pytest.mark.parametrize("base", [2, 3, 10])
def test_what_is_known_of_two_powers_by_their_exponents_holds_of_all(base):
    """Any number may represent a power with a negative exponent."""
    reader, used = SequentReader(), {}
    powers = Powers(reader, used)
    e, f = reader.symbols.integer("e"), reader.symbols.integer("f")
    x, y = powers.fresh(base, "x"), powers.fresh(base, "y")
    before = len(reader.known)
    powers.compare_exponents(base, e, x, f, y)
    powers.compare_exponents(base, e, x, add(e, integer(2)), y)  # f = e + 2
    powers.compare_exponents(base, add(f, integer(-2)), x, f, y)  # likewise
    powers.compare_exponents(base, add(e, integer(2)), y, e, x)  # likewise
    assert used == {base: True}
    rows = []
    for i, j in itertools.product(range(-3, 6), repeat=2):
        value = [base**k if k >= 0 else 7 for k in (i, j)]
        rows.append((i, j, *value))
    for number, (known, _) in enumerate(reader.known[before:]):
        here = [row for row in rows if number == 0 or row[1] == row[0] + 2]
        columns = dict(zip("efxy", (np.array(c, dtype=np.int64) for c in zip(*here, strict=True)), strict=True))
        found = ColumnTable(columns).evaluate(known)
        assert found.values.all()
        assert not found.undefined.any()


def test_powers_of_different_bases_are_not_compared():
    reader = SequentReader()
    used = {}
    powers = Powers(reader, used)
    powers.weigh(powers.fresh(2, "a"), ONE)
    powers.weigh(powers.fresh(4, "b"), ONE)
    assert len(reader.known) == 2  # the facts about each of them
    assert used == {2: False, 4: False}


@pytest.mark.parametrize(
    ("number", "weights"),
    [
        (lambda p, x: sub(mul(p, add(mul(integer(2), x), ONE)), ONE), ["2 * x + 1"]),
        (lambda p, x: mul(x, x), ["0"]),
        (lambda p, x: choose(compare("eq", x, ZERO), mul(p, x), add(p, p)), ["x", "2"]),
        (lambda p, x: add(mul(p, x), floor_half(sub(p, ONE))), ["2 * x + 1"]),
    ],
)
def test_what_a_power_is_multiplied_by_is_read_off(number, weights):
    reader = SequentReader()
    powers = Powers(reader, {})
    p, other, x = powers.fresh(2, "p"), powers.fresh(2, "other"), reader.symbols.integer("x")
    powers.weigh(other, other)
    before = len(reader.known)
    powers.weigh(p, number(p, x))
    powers.weigh(p, number(p, x))  # nothing new
    told = [print_term(known) for known, _ in reader.known[before:]]
    assert len(told) == len(weights)
    for line, weight in zip(told, weights, strict=True):
        assert any(f"p * {w}" in line for w in (weight, f"({weight})"))


@pytest.mark.parametrize(
    ("base", "value", "is_one"),
    [(2, 1, 1), (2, 8, 1), (2, 6, 0), (2, 0, 0), (2, -2, 0), (3, 9, 1), (4, 2, 0), (10, 20, 0)],
)
def test_numbers_that_are_powers(base, value, is_one):
    found = Powers(SequentReader(), {}).is_power(base, integer(value))
    assert isinstance(found, t.Literal)
    assert found.value == is_one


def test_what_is_not_seen_to_be_a_power_is_none():
    reader = SequentReader()
    powers = Powers(reader, {})
    p, four = powers.fresh(2, "p"), powers.fresh(4, "four")
    n = reader.symbols.integer("n", 1)
    assert powers.is_power(2, mul(mul(integer(2), p), p)).value == 1
    assert powers.is_power(2, mul(integer(6), p)).value == 0
    for term in (n, four, add(p, p), mul(p, n), sub(p, ZERO)):
        with pytest.raises(Unsupported, match="is not known to be a power of 2"):
            powers.is_power(2, term)


def test_bases_are_numbers_from_2_on():
    assert [read_power(f"power of {b}") for b in ("2", "1000", "1001", "1", "0", "k", "-2")] == [2, 1000, *[None] * 5]
    assert read_pick("largest power of 1 with t <= h") is None
