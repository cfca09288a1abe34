"""A sequent as a formula over naturals: at each small value it is true if and only if the sequent fails there."""

from collections.abc import Sequence
from functools import reduce
from itertools import product
from operator import and_, or_

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_terms import (
    INTEGERS,
    NATURALS,
    RANGES,
    TRUTHS,
    apply,
    choice,
    names,
    numbers,
    rows_of,
    sequent,
    truths,
    values_of,
    variable,
)

from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT
from encoders.logic.certificates import Atom, Stream, values
from encoders.logic.certificates import problem as find_problem
from encoders.logic.natural_formulas import (
    FALSE,
    MOST_ALTERNATIVES,
    TRUE,
    Conjunction,
    Equivalence,
    Formulas,
    NaturalNumber,
    Naturals,
    find_values,
    read_problem,
)
from encoders.logic.sequents import (
    ONE,
    ZERO,
    Hypothesis,
    Sequent,
    Symbol,
    add,
    at_least,
    at_most,
    compare,
    equal,
    integer,
    less_than,
    mul,
)
from encoders.refusals import Unsupported
from encoders.solvers.automaton import fails_at, settle

LEAST = {**dict.fromkeys(NATURALS, 0), **dict.fromkeys(INTEGERS, -2)}


def symbols_of(*terms: t.Term, bounded: bool = True) -> tuple[Symbol, ...]:
    """Return the symbols that occur: naturals from 0 on, integers within RANGES, or unbounded ones."""
    found = []
    for name in names(*terms):
        if name in TRUTHS:
            found.append(Symbol(name, BOOL))
        elif bounded:
            found.append(Symbol(name, INT, min(RANGES[name]), max(RANGES[name])))
        else:
            found.append(Symbol(name, INT, 0 if name in NATURALS else None))
    return tuple(found)


@pytest.mark.parametrize(
    ("show", "holds"),
    [("x ^ x == 0", True), ("x ^ y ^ x == y", True), ("x ^ x == x", False), ("x ^ y ^ x == x", False)],
)
def test_a_number_in_a_nim_sum_twice_is_not_in_it(show: str, holds: bool) -> None:
    asked = sequent(("x >= 0", "y >= 0"), show)
    found = settle(asked)
    assert (found.certificate is not None) is holds
    assert holds or fails_at(asked, found.values)


@settings(max_examples=80, deadline=None)
@given(truths(2, True), truths(1, True), truths(1, True))
@pytest.mark.slow
def test_what_is_found_of_a_random_sequent_is_so(show: t.Term, assumed: t.Term, told: t.Term) -> None:
    """With a certificate, it fails at none of the small values. Numbers from the engine are a counterexample."""
    sequent = Sequent("o", symbols_of(show, assumed, told), (assumed,), show, (Hypothesis("told", told),))
    rows = rows_of({s.name: RANGES[s.name] for s in sequent.variables})
    try:
        found = settle(sequent)
    except Unsupported:
        return
    columns = values_of(assumed, told, show, rows=rows) if rows[0] else values_of(assumed, told, show)
    fails = [row for row, (a, b, c) in zip(rows, columns, strict=True) if a is True and b is True and c is False]
    if found.certificate is not None:
        assert find_problem(found.certificate) == ""
        assert not fails
    elif found.values:
        assert found.is_open or fails_at(sequent, found.values)
        assert found.is_open or fails, "the ranges are the whole"


@settings(max_examples=100, deadline=None)
@given(truths(2, True))
@pytest.mark.slow
def test_what_is_found_of_numbers_without_bounds_is_so(show: t.Term) -> None:
    sequent = Sequent("o", symbols_of(show, bounded=False), (), show)
    try:
        found = settle(sequent)
    except Unsupported:
        return
    if found.certificate is not None:
        assert all(x is not False for (x,) in values_of(show))
    elif found.values and not found.is_open:
        assert fails_at(sequent, found.values)


# -- formulas ---------------------------------------------------------------------------------------------------------
class Columns:
    """The value of formulas for all truth values of the letters: a number with a bit for each row of the table."""

    def __init__(self, formulas: Formulas, letters: Sequence[int]) -> None:
        self.formulas = formulas
        self.rows = [dict(zip(letters, bits, strict=True)) for bits in product((False, True), repeat=len(letters))]
        self.every = (1 << len(self.rows)) - 1
        self.known = {x: sum(row[x] << i for i, row in enumerate(self.rows)) for x in letters}

    def __call__(self, f: int) -> int:
        """Return the value, computed from the nodes of the formula."""
        if abs(f) not in self.known:
            match self.formulas.node(f):
                case None:
                    found = self.every
                case Conjunction(parts):
                    found = reduce(and_, map(self, parts))
                case Equivalence(a, b):
                    found = self.every ^ self(a) ^ self(b)
                case letter:
                    raise AssertionError(letter)
            self.known[abs(f)] = found
        return self.known[f] if f > 0 else self.every ^ self.known[-f]


@settings(deadline=None)
@given(st.data())
@pytest.mark.slow
def test_what_is_made_simpler_stays_as_true(data: st.DataObject) -> None:
    formulas = Formulas()
    known = [TRUE, FALSE, *(formulas.truth(name) for name in "abc")]
    columns = Columns(formulas, known[2:])
    meanings = [(x, columns(x)) for x in known]
    for _ in range(data.draw(st.integers(1, 12))):
        picked = data.draw(st.lists(st.tuples(st.sampled_from(meanings), st.booleans()), min_size=2, max_size=4))
        places = [x if sign else -x for (x, _), sign in picked]
        meant = [meaning if sign else columns.every ^ meaning for (_, meaning), sign in picked]
        op = data.draw(st.sampled_from(["and", "or", "same"]))
        if op == "same":
            made, told = formulas.same(*places[:2]), columns.every ^ meant[0] ^ meant[1]
        elif op == "and":
            made, told = formulas.conjunction(places), reduce(and_, meant)
        else:
            made, told = formulas.disjunction(places), reduce(or_, meant)
        assert columns(made) == told
        meanings.append((made, told))
    whole = [x for x, _ in meanings[-3:]]
    numbered = formulas.number_letters(whole)
    rows = [{numbered[k]: v for k, v in row.items() if k in numbered} for row in columns.rows]
    for x, told in meanings[-3:]:
        written = formulas.write(x, numbered)
        assert values(written, rows) == [bool(told >> i & 1) for i in range(len(rows))]


@settings(deadline=None)
@given(st.data())
@pytest.mark.slow
def test_shared_parts_can_be_true_just_if_they_could_before(data: st.DataObject) -> None:
    formulas = Formulas()
    letters = [formulas.truth(name) for name in "abcd"] + [formulas.truth("part 1'")]
    known = list(letters)
    for _ in range(10):
        signed = st.tuples(st.sampled_from(known), st.sampled_from([1, -1]))
        places = [x * sign for x, sign in data.draw(st.lists(signed, min_size=2, max_size=3))]
        made = formulas.same(*places[:2]) if data.draw(st.booleans()) else formulas.conjunction(places)
        if abs(made) != TRUE:
            known.append(abs(made))
    parts = [x * data.draw(st.sampled_from([1, -1])) for x in known[-3:]]
    is_shared_rightly(formulas, parts, letters)


def is_shared_rightly(formulas: Formulas, parts: list[int], letters: list[int]) -> int:
    """Return the number of new truth values. With their definitions, the parts are equivalent to the original ones."""
    before, after = Columns(formulas, letters), Columns(formulas, letters)
    shared, definitions = formulas.share(parts)
    assert not set(definitions) & set(letters)
    for letter, meant in definitions.items():
        after.known[letter] = after(meant)
    assert list(map(after, shared)) == list(map(before, parts))
    return len(definitions)


def test_a_large_part_that_stands_twice_has_a_truth_value_of_its_own() -> None:
    formulas = Formulas()
    letters = [formulas.truth(name) for name in (*"abcdefgh", "part 1'", "q")]  # one has the name of a part
    *some, p, q = letters
    large = formulas.conjunction(formulas.disjunction(x) for x in zip(some[::2], some[1::2], strict=True))
    parts = [formulas.disjunction((large, p)), formulas.disjunction((-large, q)), formulas.same(large, p)]
    assert is_shared_rightly(formulas, parts, letters) == 1


@settings(deadline=None)
@given(
    st.sampled_from(["le", "eq"]),
    st.dictionaries(st.sampled_from("xyz"), st.integers(-6, 6), max_size=3),
    st.integers(-12, 12),
)
@pytest.mark.slow
def test_a_comparison_is_what_it_says_for_all_naturals(kind: str, terms: dict[Stream, int], constant: int) -> None:
    formulas = Formulas()
    made = formulas.compare(kind, terms, constant)
    for drawn in product(range(7), repeat=3):
        row = dict(zip("xyz", drawn, strict=True))
        total = constant + sum(k * row[str(s)] for s, k in terms.items())
        atom = formulas.node(made)
        if atom is None:
            found = made == TRUE
        else:
            assert isinstance(atom, Atom)
            left = atom.constant + sum(k * row[str(s)] for k, s in atom.terms)
            found = (left <= 0 if atom.kind == "le" else left == 0) is (made > 0)
        assert found is (total <= 0 if kind == "le" else total == 0)


# -- numbers ----------------------------------------------------------------------------------------------------------
@settings(max_examples=100, deadline=None)
@given(numbers(2, True), st.integers(-6, 6))
@pytest.mark.slow
def test_a_number_is_what_evaluation_says(term: t.Term, constant: int) -> None:
    """The certificate shows that `term == constant` is false where the value differs."""
    rows = values_of(term)
    values = {x for (x,) in rows if x is not None}
    assume(len(rows) == len([x for (x,) in rows if x is not None]))
    sequent = Sequent("o", symbols_of(term), (), compare("ne", term, integer(constant)))
    try:
        found = settle(sequent)
    except Unsupported:
        return
    if found.is_open:
        assert found.certificate is None or constant not in values
    else:
        assert (found.certificate is not None) is (constant not in values), found.reason


@pytest.mark.parametrize("op", ["floordiv", "mod"])
@pytest.mark.parametrize("by", [1, 2, 3, 7])
def test_quotients_are_rounded_down_and_remainders_natural(op: str, by: int) -> None:
    """The values are at both ends of a block of numbers with one quotient, on either side of 0."""
    x, unbounded = variable("x"), (Symbol("x", INT),)
    for a in sorted({-by - 1, -by, -1, 0, by - 1, by, 9}):
        wanted = a // by if op == "floordiv" else a % by
        shown, wrong = (equal(apply(op, x, integer(by)), integer(n)) for n in (wanted, wanted + 1))
        assert settle(Sequent("o", unbounded, (equal(x, integer(a)),), shown)).certificate is not None
        assert settle(Sequent("o", unbounded, (equal(x, integer(a)),), wrong)).values == {"x": a}


@pytest.mark.parametrize("op", ["nim", "bit_and"])
def test_digits_of_what_may_be_negative_are_refused(op: str) -> None:
    x, h = variable("x"), variable("h")
    for lo in (None, -1):
        sequent = Sequent("o", (Symbol("x", INT, lo), Symbol("h", INT, 0)), (), equal(apply(op, x, h), ZERO))
        with pytest.raises(Unsupported, match="of a number that may be negative"):
            read_problem(sequent)
    below_0 = apply(op, apply("sub", x, h), h)
    difference = Sequent("o", (Symbol("x", INT, 0), Symbol("h", INT, 0)), (), equal(below_0, ZERO))
    with pytest.raises(Unsupported, match="of a number that may be negative"):
        read_problem(difference)


def test_divisors_are_positive_literals() -> None:
    x = variable("x")
    for by in (ZERO, integer(-2), x):
        with pytest.raises(Unsupported, match="whose divisor is not a positive literal number"):
            read_problem(Sequent("o", (Symbol("x", INT, 1),), (), equal(apply("mod", x, by), ZERO)))


def test_a_number_of_too_many_alternatives_is_refused() -> None:
    algebra = Naturals()

    def one_of_two(i: int) -> NaturalNumber:
        return algebra.choose(algebra.formulas.truth(f"p{i}"), algebra.literal(1 << i), algebra.literal(0))

    with pytest.raises(Unsupported, match=f"more than {MOST_ALTERNATIVES} alternatives"):
        reduce(algebra.add, map(one_of_two, range(10)))


@pytest.mark.slow
def test_no_variable_is_taken_for_a_stream_made_on_the_way() -> None:
    """Rules make names with primes too."""
    for taken in ("quotient 1'", "remainder 2'", "number 1'", "x above 0'", "x below 0'", "quotient below 0 2'"):
        own, x = variable(taken), variable("x")
        for lo in (0, None):
            symbols = (Symbol(taken, INT, 0), Symbol("x", INT, lo))
            half = equal(apply("floordiv", x, integer(2)), ONE)
            halves = Sequent("o", symbols, (half,), compare("ne", own, integer(5)))
            assert settle(halves).values[taken] == 5
            assert settle(replace_order(halves)).values[taken] == 5
    nim = apply("nim", apply("add", variable("x"), ONE), variable("h"))
    own = variable("number 1'")
    symbols = (Symbol("x", INT, 0), Symbol("h", INT, 0), Symbol("number 1'", INT, 0))
    sequent = Sequent("o", symbols, (equal(nim, ZERO),), equal(own, add(variable("x"), ONE)))
    assert settle(sequent).certificate is None


def replace_order(sequent: Sequent) -> Sequent:
    return Sequent("o", sequent.variables[::-1], sequent.assume, sequent.show)


# -- natural variables ------------------------------------------------------------------------------------------------
X, H, Z = variable("x"), variable("h"), variable("rest of s")
WITHOUT = (Symbol("x", INT), Symbol("h", INT), Symbol("rest of s", INT))


@pytest.mark.parametrize(
    ("assumed", "natural"),
    [
        ((at_least(X, ZERO),), True),
        ((compare("gt", X, integer(-1)),), False),
        ((compare("gt", X, ZERO),), True),
        ((at_most(ZERO, X),), True),
        ((equal(X, integer(3)),), True),
        ((equal(integer(3), X),), True),
        ((compare("ne", X, integer(3)),), False),
        ((at_most(X, integer(3)),), False),
        ((at_least(X, H),), False),
        ((at_least(X, H), at_least(H, ONE)), True),
        ((at_least(X, H), at_least(H, X)), False),
        ((at_least(X, add(H, Z)), at_least(H, ONE), at_least(Z, ZERO)), True),
        ((at_least(X, add(H, Z)), at_least(H, ONE)), False),
        ((at_least(X, mul(H, Z)), at_least(H, ONE), at_least(Z, ZERO)), True),
        ((at_least(X, mul(H, Z)), at_least(H, integer(-2)), at_least(Z, integer(-2))), False),
        ((at_least(X, apply("sub", H, Z)), at_least(H, ONE), at_least(Z, ZERO)), False),
        ((equal(X, apply("mod", H, integer(3))),), True),
        ((t.AnyOf(BOOL, 0, 0, (at_least(X, ZERO), at_least(H, ZERO))),), False),
        ((t.AllOf(BOOL, 0, 0, (at_least(X, ZERO), at_least(H, ZERO))),), True),
        ((apply("not", less_than(X, ZERO)),), False),
    ],
)
def test_a_variable_is_natural_where_it_is_said_outright(assumed: tuple[t.Term, ...], natural: bool) -> None:
    read = read_problem(Sequent("o", WITHOUT, assumed, equal(X, H)))
    assert (read.numbers["x"].lo is not None and read.numbers["x"].lo >= 0) is natural


def test_a_hypothesis_or_a_lemma_does_not_make_a_variable_natural() -> None:
    """The use of these premises is reported, so they must not become unconditional."""
    told = (Hypothesis("x is natural", at_least(X, ZERO)),)
    sequent = Sequent("o", WITHOUT, (), at_least(add(X, ONE), ONE), told, (("l", (at_least(X, ONE),)),))
    read = read_problem(sequent)
    assert read.numbers["x"].lo is None
    assert settle(sequent).certificate is not None
    without = Sequent("o", WITHOUT, (), at_least(add(X, ONE), ONE))
    assert settle(without).values["x"] < 0


def test_what_makes_a_variable_natural_stays_assumed() -> None:
    sequent = Sequent("o", (Symbol("x", INT),), (at_least(X, integer(7)),), at_least(X, integer(8)))
    assert settle(sequent).values == {"x": 7}
    read = read_problem(sequent)
    assert find_values(read, {"x": 9}, {}) == {"x": 9}


def test_a_choice_is_one_of_two() -> None:
    p = variable("p")
    chosen = choice(p, X, H)
    symbols = (Symbol("p", BOOL), Symbol("x", INT, 0, 9), Symbol("h", INT, -9, -1))
    assert settle(Sequent("o", symbols, (p,), equal(chosen, X))).certificate is not None
    found = settle(Sequent("o", symbols, (), at_least(chosen, ZERO)))
    assert found.values["p"] is False
