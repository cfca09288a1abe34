"""Unbounded integers: the domains of a claim, divisions, primes, and moves of a game."""

from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from proofs import NIM, written
from random_terms import values_of

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import is_prime
from claims.language.syntax.terms import BOOL, INT, POSITION, list_of
from encoders.logic.integers import IntegerReader, UnboundedReader, bounds_of, natural_product, successive
from encoders.logic.moves import open_moves
from encoders.logic.reader import Entailment
from encoders.logic.sequents import NO, ONE, YES, ZERO, add, at_most, conjunction, equal, integer, mul, neg, nim, sub
from encoders.refusals import Unsupported
from encoders.trust import All, Below, Reason


@pytest.fixture
def claim(tmp_path: Path) -> Callable[..., Claim]:
    return partial(written, tmp_path)


def body(variables: str) -> str:
    return f"[forall]\n{variables}\n[scope]\nk = 4\n"


def true(term: t.Term, **values: int) -> bool:
    """Whether a condition over the variables of these names is true for these values."""
    ((found,),) = values_of(term, rows=[values])
    return bool(found)


# -- variables --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("domains", "inside"),
    [
        ('k = "2..5"\nj = "0.."', lambda k, j: 2 <= k <= 5 and j >= 0),
        ('k = "-2.."\nj = "k..4"', lambda k, j: k >= -2 and k <= j <= 4),
        ('k = { in = [4, -1, 2] }\nj = "k + 1..2 * k"', lambda k, j: k in (4, -1, 2) and k + 1 <= j <= 2 * k),
    ],
)
def test_a_variable_has_the_values_of_its_domain_and_no_others(
    claim: Callable[..., Claim], domains: str, inside: Callable[[int, int], bool]
) -> None:
    scope = "j = 4\n" if "in =" in domains else "k = 4\nj = 4\n"
    reader = IntegerReader(claim(f"[forall]\n{domains}\n[scope]\n{scope}", "k == k"))
    known = conjunction(*(x.term for x in reader.known))
    for k, j in product(range(-4, 8), repeat=2):
        assert true(known, k=k, j=j) is inside(k, j), (k, j)


def test_the_parameters_of_a_game_lie_in_their_domains(claim: Callable[..., Claim]) -> None:
    rules = 'parameters = { q = "1..3", r = "0.." }\n' + NIM
    made = claim(body('k = "-5.."'), "k == k", rules=rules, game='ruleset = "mine(q = k - 1, r = 3 - k)"')
    parameters = IntegerReader(made).parameters()
    for k in range(-5, 8):
        assert true(parameters, k=k) is (1 <= k - 1 <= 3 and 3 - k >= 0)


def test_a_move_is_what_the_rules_say(claim: Callable[..., Claim]) -> None:
    rules = '[[moves]]\nchoose = "any heap h"\npick = { m = "k..h - 1" }\nwhere = "m != 2"\nbecome = ["h - m"]\n'
    rules = 'parameters = { k = "0.." }\n' + rules
    made = claim(body('k = "0.."'), "k == k", rules=rules, game='ruleset = "mine(k = k)"')
    (move,) = open_moves(made.games[0], 0)
    heap, pick = (t.Variable(INT, 0, 0, name) for name in ("h", "x"))
    legal, left = IntegerReader(made).play(move, heap, {"m": pick})
    for k, h, m in product(range(3), range(5), range(-1, 6)):
        assert true(legal, k=k, h=h, x=m) is (k <= m <= h - 1 and m != 2), (k, h, m)
        assert true(equal(left, sub(heap, pick)), h=h, x=m, k=k)
    assert IntegerReader(made).free_picks(move).keys() == {"m"}


def test_what_runs_over_a_range_is_in_it(claim: Callable[..., Claim]) -> None:
    reader = IntegerReader(claim(body('k = "0.."'), "k == k"))
    source = t.Operation(list_of(INT), 0, 0, "range", (integer(-1), t.Variable(INT, 0, 0, "k")))
    found = reader.read_element(source, reader.env)
    assert found is not None
    x, inside = found
    assert isinstance(x, t.Variable)
    for value in range(-3, 6):
        assert true(inside, **{x.name: value, "k": 4}) is (-1 <= value < 4)
    heap = reader.read_element(None, reader.env)
    assert heap is not None
    h, positive = heap
    assert isinstance(h, t.Variable)
    assert [value for value in range(-3, 4) if true(positive, **{h.name: value})] == [1, 2, 3]
    assert reader.read_element(t.Variable(POSITION, 0, 0, "s"), reader.env) is None


# -- divisions --------------------------------------------------------------------------------------------------------
def divide(op: str, a: t.Term, b: t.Term) -> t.Operation:
    return t.Operation(INT, 0, 0, op, (a, b))


@pytest.mark.parametrize("divisor", [0, -1, -2])
@pytest.mark.parametrize("op", ["floordiv", "mod"])
def test_only_a_division_by_a_positive_number_is_left_to_solvers(op: str, divisor: int) -> None:
    reader = UnboundedReader()
    x = reader.fresh("x")
    read = reader.operation(divide(op, x, sub(integer(5), integer(3))))
    assert isinstance(read, t.Operation)
    assert read.op == op
    assert isinstance(read.args[1], t.Literal)
    assert (read.args[0], read.args[1].value) == (x, 2)
    for term in (integer(divisor), neg(integer(-divisor))):
        assert isinstance(UnboundedReader().operation(divide(op, x, term)), t.Variable)


def test_an_invented_quotient_is_the_quotient_and_nothing_is_known_of_others() -> None:
    reader = UnboundedReader()
    a, c, b = (reader.fresh(name) for name in "acb")
    quotient, remainder, another = (
        reader.operation(divide(*x)) for x in (("floordiv", a, b), ("mod", a, b), ("mod", c, b))
    )
    assert reader.operation(divide("floordiv", add(a, ZERO), mul(b, ONE))) is quotient
    assert len(reader.divided) == 2
    names = [x.name for x in (quotient, remainder, another, reader.divided[1][2]) if isinstance(x, t.Variable)]
    rows, known = [], conjunction(*(x.term for x in reader.known))
    for x, z, y in product(range(-4, 5), range(-4, 5), range(1, 4)):
        right = {"a": x, "c": z, "b": y, **dict(zip(names, (x // y, x % y, z % y, z // y), strict=True))}
        rows.append((right, True))
        rows += [({**right, name: right[name] + off}, False) for name in names for off in (-1, 1, y)]
    rows += [
        ({"a": 5, "c": 3, "b": y, **dict(zip(names, values, strict=True))}, True)
        for y in (0, -1, -3)
        for values in product((-2, 0, 1), repeat=4)
    ]
    found = values_of(known, rows=[row for row, _ in rows])
    assert [bool(x) for (x,) in found] == [right for _, right in rows]


def test_what_is_known_of_remainders_by_several_numbers_is_true() -> None:
    reader = UnboundedReader()
    a, c, b, d = (reader.fresh(name) for name in "acbd")
    for x, y in ((a, b), (c, d), (c, b), (a, d)):
        reader.operation(divide("mod", x, y))
    assert len(reader.divided) == 4
    rows = []
    for x, z, y, w in product(range(-3, 6), range(-3, 6), range(1, 4), range(1, 4)):
        values = {"a": x, "c": z, "b": y, "d": w}
        for dividend, divisor, quotient, remainder in reader.divided:
            top, by = (values[v.name] for v in (dividend, divisor) if isinstance(v, t.Variable))
            for made, value in ((quotient, top // by), (remainder, top % by)):
                assert isinstance(made, t.Variable)
                values[made.name] = value
        rows.append(values)
    assert all(found for (found,) in values_of(conjunction(*(x.term for x in reader.known)), rows=rows))


def test_what_a_proof_says_of_a_division_is_believed_of_that_division_alone() -> None:
    reader = UnboundedReader()
    a, b, q, r = (reader.fresh(name) for name in "abqr")
    reader.divided.append((a, b, q, r))
    assert reader.operation(divide("floordiv", sub(add(a, b), b), b)) is q
    assert reader.operation(divide("mod", a, b)) is r
    for other in ((a, add(b, ONE)), (add(a, ONE), b), (b, a)):
        assert reader.operation(divide("mod", *other)) is not r


def test_integers_without_bound_have_no_nim_sum() -> None:
    reader = UnboundedReader()
    with pytest.raises(Unsupported, match="has no translation into unbounded arithmetic"):
        reader.operation(nim(reader.fresh("x"), ONE))


# -- primes -----------------------------------------------------------------------------------------------------------
def ask_prime(reader: UnboundedReader, x: t.Term) -> t.Term:
    return reader.truth(
        t.Operation(BOOL, 0, 0, "is_prime", (x,)),
        {name: t.Variable(INT, 0, 0, name) for name in reader.symbols.by_name},
    )


@pytest.mark.parametrize(
    ("told", "decided"),
    [
        ([], lambda x: x <= 2),
        ([at_most(integer(-7), integer(5))], lambda x: x <= 7),
        ([at_most(integer(31), integer(30))], lambda x: x <= 30),
        ([equal(mul(integer(-15), ONE), ZERO)], lambda x: x <= 15 or x % 3 == 0 or x % 5 == 0),
        ([equal(divide("mod", ZERO, integer(44)), ZERO)], lambda x: x <= 2 or x % 2 == 0 or x % 11 == 0),
        ([equal(divide("floordiv", ZERO, integer(49)), ZERO)], lambda x: x <= 2 or x % 7 == 0),
        ([equal(mul(integer(1001 * 2), ONE), ZERO)], lambda x: x <= 2),
        ([equal(mul(integer(2 * 3 * 5 * 7), mul(integer(11 * 13), integer(17))), ZERO)],
         lambda x: x <= 17 or any(x % p == 0 for p in (2, 3, 5, 7, 11, 13))),
    ],
)  # fmt: skip
def test_what_is_known_of_primes_is_true_and_decides_multiples_and_small_numbers(
    told: list[t.Term], decided: Callable[[int], bool]
) -> None:
    reader = UnboundedReader()
    x = reader.fresh("x")
    prime = ask_prime(reader, x)
    made = reader.sequent("primes", Entailment(tuple(told), prime))
    assert Reason.PRIME in made.by
    facts, small = conjunction(*made.assume[len(told) :]), [(n, p) for n in range(-30, 310) for p in (False, True)]
    rows = [{"x": n, "prime": p} for n, p in small]
    allowed = {pair for pair, (found,) in zip(small, values_of(facts, rows=rows), strict=True) if found}
    for n in range(-30, 310):
        assert (n, is_prime(n)) in allowed, n
        assert ((n, not is_prime(n)) not in allowed) is decided(n), n


def test_equal_numbers_are_prime_together_and_literals_are_evaluated() -> None:
    reader = UnboundedReader()
    x, y = reader.fresh("x"), reader.fresh("y")
    first, second = ask_prime(reader, x), ask_prime(reader, y)
    assert ask_prime(reader, sub(add(x, ONE), ONE)) is first is not second
    assert [ask_prime(reader, integer(n)) for n in (-7, 0, 1, 2, 4, 9, 2**61 - 1)] == [NO, NO, NO, YES, NO, NO, YES]
    assert isinstance(ask_prime(reader, integer(1 << 90)), t.Variable)  # larger than every number that is evaluated
    facts, pairs = conjunction(*(f.term for f in reader.known)), list(product(range(-2, 14), repeat=2))
    assert isinstance(first, t.Variable)
    assert isinstance(second, t.Variable)
    names = [s for s in reader.symbols.by_name if s.startswith("prime")]
    for p, q in product((False, True), repeat=2):
        rows = [{"x": a, "y": b, **dict.fromkeys(names, False), first.name: p, second.name: q} for a, b in pairs]
        for (a, b), (found,) in zip(pairs, values_of(facts, rows=rows), strict=True):
            possible = (p == q or a != b) and (a >= 2 or not p) and (b >= 2 or not q)
            assert bool(found) is possible, (a, b, p, q)


def test_a_sequent_without_primes_assumes_nothing_about_them() -> None:
    reader = UnboundedReader()
    made = reader.sequent("none", Entailment((), equal(mul(integer(6), reader.fresh("x")), ZERO)))
    assert made.assume == () and made.by == frozenset()


# -- facts that guide a search are true -------------------------------------------------------------------------------
@pytest.mark.slow
def test_what_guides_a_search_is_true() -> None:
    names = ("b", "a", "c")
    b, a, c = (t.Variable(INT, 0, 0, name) for name in names)
    for y, x, z in product(range(-2, 5), range(-4, 6), range(-4, 6)):
        row = {"b": y, "a": x, "c": z}
        assert true(natural_product(a, c), **row)
        of_a, of_c = (integer(x % y), integer(z % y)) if y > 0 else (ONE, ZERO)
        assert true(successive(b, a, of_a, c, of_c), **row)
    wrong = successive(integer(3), integer(5), integer(1), integer(4), integer(1))
    assert not true(wrong, unused=0)
    assert not true(successive(integer(3), integer(4), ONE, integer(4), ZERO), unused=0)


# -- reach ------------------------------------------------------------------------------------------------------------
def test_numbers_are_covered_up_to_a_bound_and_however_many_heaps(claim: Callable[..., Claim]) -> None:
    variables = '[forall]\nk = "0..3"\ns = "position"\np = "player"\n'
    made = claim(f'{variables}[scope]\nk = 1\ns = {{ heaps = "0..1", size = "1..2" }}', "k == k")
    expected = (("k", Below(9)), ("s.heaps", All()), ("s.size", Below(9)), ("p", All()))
    assert bounds_of(made, Below(9)) == expected
    assert dict(bounds_of(made, All())) == dict.fromkeys(("k", "s.heaps", "s.size", "p"), All())
