"""A script for a solver has the meaning of the sequent: Z3 finds a counterexample if and only if there is one."""

from itertools import product

import pytest
import z3
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_terms import (
    INTEGERS,
    NATURALS,
    RANGES,
    TRUTHS,
    apply,
    names,
    number,
    numbers,
    rows_of,
    truths,
    values_of,
    variable,
)

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT
from encoders.logic.sequents import (
    NO,
    ONE,
    YES,
    ZERO,
    Hypothesis,
    Sequent,
    Symbol,
    add,
    at_least,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    less_than,
    mul,
    sub,
)
from encoders.logic.smt import script_of, translator
from encoders.refusals import Unsupported
from encoders.solvers.cvc5_solver import Cvc5
from encoders.solvers.solver import Capability, Limits, SolverStatus, find_required_capabilities
from encoders.solvers.z3_solver import Z3

SOLVER = Z3()
LIMITS = Limits(100_000, 17)  # queries that need more steps are skipped
X, Y, P = variable("x"), variable("h"), variable("p")
TOP = (1 << 63) - 1


def sequent(assume: list[t.Term], show: t.Term, words: bool, hypotheses: tuple[t.Term, ...] = ()) -> Sequent:
    """Return a sequent over small values, as ranges of words or as premises about unbounded integers."""
    symbols, inside = [], list[t.Term]()
    for name in names(*assume, *hypotheses, show):
        lo, hi = RANGES[name][0], RANGES[name][-1]
        if name in TRUTHS:
            symbols.append(Symbol(name, BOOL))
        elif words:
            symbols.append(Symbol(name, INT, lo, hi))
        else:
            symbols.append(Symbol(name, INT))
            inside.append(conjunction(at_least(variable(name), number(lo)), at_most(variable(name), number(hi))))
    told = tuple(Hypothesis(f"hypothesis {i}", x) for i, x in enumerate(hypotheses))
    return Sequent("random", tuple(symbols), (*inside, *assume), show, told)


def check(posed: Sequent, shown: t.Term, premises: list[t.Term]) -> None:
    false = [row for row in values_of(shown, *premises) if all(row[1:]) and not row[0]]
    outcome = SOLVER.check(posed, LIMITS)
    if outcome.found is SolverStatus.UNKNOWN:
        return
    assert outcome.found is (SolverStatus.FAILS if false else SolverStatus.PROVED)
    if false:
        values = {name: outcome.values.get(name, RANGES[name][0]) for name in names(shown, *premises)}
        assert all(values[name] in RANGES[name] for name in values)
        ((found, *met),) = values_of(shown, *premises, rows=[values or {"unused": 0}])
        assert all(met)
        assert not found


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.one_of(*(st.tuples(st.just(w), st.lists(truths(1, w), max_size=2), truths(2, w)) for w in (True, False))))
@pytest.mark.slow
def test_a_falsehood_is_found_just_where_there_is_one(drawn: tuple[bool, list[t.Term], t.Term]) -> None:
    words, premises, shown = drawn
    try:
        posed = sequent(premises, shown, words)
        script_of(posed)
    except Unsupported:
        assume(False)
    check(posed, shown, premises)


def row_wise(term: t.Term, words: bool) -> Sequent:
    """Return a sequent which states the value of the term at each of some rows."""
    rows = rows_of({name: RANGES[name] for name in names(term)})
    rows = rows[:: max(1, len(rows) // 6)]
    goals = []
    for row, (found,) in zip(rows, values_of(term, rows=rows or [{"unused": 0}]), strict=True):
        assert found is not None
        here = conjunction(*(equal(variable(name), literal(name, value)) for name, value in row.items()))
        goals.append(implies(here, equal(term, t.Literal(term.type, 0, 0, int(found)))))
    return sequent([], conjunction(*goals), words)


def literal(name: str, value: int) -> t.Literal:
    return t.Literal(variable(name).type, 0, 0, int(value))


@settings(derandomize=True, deadline=None)
@given(st.one_of(*(st.tuples(st.just(w), numbers(2, w) | truths(2, w)) for w in (True, False))))
@pytest.mark.slow
def test_a_term_has_the_values_that_it_has(drawn: tuple[bool, t.Term]) -> None:
    words, term = drawn
    posed = row_wise(term, words)
    try:
        script_of(posed)
    except Unsupported as error:
        if words or "may be negative" not in str(error):
            raise
        assume(False)
    outcome = SOLVER.check(posed, LIMITS)
    assert outcome.found is not SolverStatus.FAILS, (print_term(term), outcome.values)


SMALL = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "nim": lambda a, b: a ^ b,
    "bit_and": lambda a, b: a & b,
    "largest": max,
    "smallest": min,
}


@pytest.mark.parametrize("op", SMALL)
@pytest.mark.slow
def test_numbers_that_are_written_down_have_their_values(op: str) -> None:
    for a, b in product((0, 1, 2, 5, 6), (1, 2, 5)):
        found = apply(op, number(a), number(b))
        show = conjunction(equal(found, number(SMALL[op](a, b))), equal(add(found, X), add(number(SMALL[op](a, b)), X)))
        here = implies(equal(X, number(a)), equal(apply(op, X, number(b)), number(SMALL[op](a, b))))
        for symbol in (Symbol("x", INT, 0, 7), Symbol("x", INT)):
            if op not in ("nim", "bit_and") or symbol.hi is not None:
                assert (
                    SOLVER.check(Sequent("o", (symbol,), (), conjunction(show, here)), LIMITS).found
                    is SolverStatus.PROVED
                ), (a, b)


def test_what_is_plain() -> None:
    for show, found in ((YES, SolverStatus.PROVED), (NO, SolverStatus.FAILS)):
        for term in (show, apply("not", apply("not", show)), apply("not", NO if show is YES else YES)):
            assert SOLVER.check(Sequent("o", (), (), term), LIMITS).found is found
            assert SOLVER.check(Sequent("o", (), (NO,), term), LIMITS).found is SolverStatus.PROVED


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.lists(truths(1, words=True), min_size=1, max_size=3), truths(1, words=True))
@pytest.mark.slow
def test_hypotheses_are_assumed_and_those_that_are_not_used_are_not_needed(
    hypotheses: list[t.Term], shown: t.Term
) -> None:
    posed = sequent([], shown, True, tuple(hypotheses))
    check(posed, shown, hypotheses)
    used = SOLVER.find_used_premises(posed, LIMITS)
    assert (used is None) == (SOLVER.check(posed, LIMITS).found is not SolverStatus.PROVED)
    if used is not None:
        assert all(row[0] or not all(row[1:]) for row in values_of(shown, *(hypotheses[i] for i in used)))


def test_only_a_hypothesis_that_a_proof_uses_is_used() -> None:
    free = (Symbol("x", INT), Symbol("h", INT), Symbol("p", BOOL))
    told = (Hypothesis("", at_least(X, ONE)), Hypothesis("", at_least(Y, ONE)))
    assert SOLVER.find_used_premises(Sequent("o", free, (), at_least(X, ZERO), told), LIMITS) == {0}
    assert SOLVER.find_used_premises(Sequent("o", free, (), at_least(Y, ZERO), told), LIMITS) == {1}
    assert SOLVER.find_used_premises(Sequent("o", free, (), at_least(add(X, Y), ZERO), told), LIMITS) == {0, 1}
    assert SOLVER.find_used_premises(Sequent("o", free, (), P, told), LIMITS) is None


# -- ranges -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("lo", "hi"), [(2, 5), (-3, 4), (2, None), (None, 5), (0, (1 << 62) - 1), (-TOP, TOP)])
def test_a_variable_is_what_its_range_says_and_no_less(lo: int | None, hi: int | None) -> None:
    def found(show: t.Term) -> tuple[SolverStatus, int | bool | None]:
        outcome = SOLVER.check(Sequent("range", (Symbol("x", INT, lo, hi),), (), show), LIMITS)
        return outcome.found, outcome.values.get("x")

    if lo is not None:
        assert found(at_least(X, integer(lo))) == (SolverStatus.PROVED, None)
        assert found(less_than(integer(lo), X)) == (SolverStatus.FAILS, lo)
    if hi is not None:
        assert found(at_most(X, integer(hi))) == (SolverStatus.PROVED, None)
        assert found(less_than(X, integer(hi))) == (SolverStatus.FAILS, hi)
    if lo is None or hi is None:
        far = integer(10**30 if hi is None else -(10**30))
        assert found(at_least(far, X) if hi is None else at_most(far, X))[0] is SolverStatus.FAILS


def test_what_a_sequent_asks_of_a_solver() -> None:
    def of(*symbols: Symbol) -> frozenset[Capability]:
        return find_required_capabilities(Sequent("o", symbols, (), ONE))

    words, low, high = Symbol("x", INT, 0, 5), Symbol("h", INT, 0, None), Symbol("h", INT, None, 0)
    assert of() == of(Symbol("p", BOOL)) == frozenset()
    assert of(words) == {Capability.WORDS}
    assert of(low) == of(high) == {Capability.INTEGERS}
    assert of(words, low) == {Capability.WORDS, Capability.INTEGERS}


# -- beyond words -----------------------------------------------------------------------------------------------------
def refused(show: t.Term, *symbols: Symbol) -> str:
    """Return the reason for the rejection, or ""."""
    try:
        translator({s.name: s for s in symbols}).truth(show)
    except Unsupported as error:
        return str(error)
    return ""


WORD = Symbol("x", INT, 0, (1 << 62) - 1)
SIGNED = Symbol("x", INT, -(1 << 62), 1 << 62)
LARGE = 1 << 40
OTHER = Symbol("h", INT, 0, (1 << 62) - 1)


@pytest.mark.parametrize(
    ("show", "symbols"),
    [
        (at_least(add(X, X), X), (WORD,)),
        (at_least(add(add(X, X), ONE), X), (WORD,)),
        (at_least(X, integer(TOP)), (WORD,)),
        (at_least(X, integer(-TOP)), (SIGNED,)),
        (at_least(sub(X, Y), X), (SIGNED, Symbol("h", INT, 0, 1 << 62))),
        (at_least(mul(X, integer(-2)), X), (WORD,)),
        (at_least(add(X, X), X), (Symbol("x", INT, -(1 << 62), 0),)),
        (equal(apply("nim", X, Y), ZERO), (WORD, OTHER)),
        (at_least(choose(at_least(X, ONE), integer(1 << 62), integer(-(1 << 62))), X), (WORD,)),
        (at_least(mul(X, mul(X, integer(1 << 70))), X), (Symbol("x", INT),)),
        (at_least(choose(P, integer(1 << 70), ZERO), X), (Symbol("x", INT), Symbol("p", BOOL))),
    ],
)
def test_what_64_bits_hold_is_translated(show: t.Term, symbols: tuple[Symbol, ...]) -> None:
    assert refused(show, *symbols) == ""


@pytest.mark.parametrize(
    ("show", "symbols", "words"),
    [
        (at_least(add(add(X, X), integer(2)), X), (WORD,), "a number may need 64 bits"),
        (at_least(add(X, X), X), (SIGNED,), "a number may need 64 bits"),
        (at_least(sub(sub(ZERO, X), X), integer(3)), (Symbol("x", INT, 0, TOP),), "a number may need 64 bits"),
        (at_least(sub(X, Y), X), (SIGNED, Symbol("h", INT, -(1 << 62), 0)), "a number may need 64 bits"),
        (at_least(mul(X, integer(4)), X), (WORD,), "a number may need 64 bits"),
        (at_least(mul(X, integer(-4)), X), (WORD,), "a number may need 64 bits"),
        (at_least(mul(X, X), X), (SIGNED,), "at most 63 are supported"),
        (at_least(mul(X, Y), X), (Symbol("x", INT, -LARGE, 1), Symbol("h", INT, 0, LARGE)), "at most 63 are supported"),
        (at_least(mul(X, Y), X), (Symbol("x", INT, 0, LARGE), Symbol("h", INT, -LARGE, 1)), "at most 63 are supported"),
        (at_least(mul(apply("floordiv", X, integer(2)), integer(16)), X), (WORD,), "at most 63 are supported"),
        (at_least(mul(apply("mod", X, integer(LARGE)), integer(LARGE)), X), (WORD,), "at most 63 are supported"),
        (at_least(mul(X, Y), X), (SIGNED, OTHER), "at most 63 are supported"),
        (at_least(X, integer(TOP + 1)), (WORD,), "needs more than 63 bits"),
        (at_least(X, integer(-TOP - 2)), (WORD,), "needs more than 63 bits"),
        (at_least(X, ZERO), (Symbol("x", INT, 0, TOP + 1),), "at most 63 are supported"),
        (at_least(X, ZERO), (Symbol("x", INT, -TOP - 2, 0),), "at most 63 are supported"),
        (at_least(choose(at_least(X, ONE), integer(1 << 70), ZERO), X), (WORD,), "at most 63 are supported"),
        (at_least(X, Y), (WORD, Symbol("h", INT)), "cannot mix a number of heaps"),
        (at_least(add(X, Y), ZERO), (WORD, Symbol("h", INT, 0)), "cannot mix a number of heaps"),
        (at_least(choose(P, X, Y), ZERO), (WORD, Symbol("h", INT), Symbol("p", BOOL)), "cannot mix a number of heaps"),
        (equal(apply("nim", X, Y), ZERO), (WORD, Symbol("h", INT, -1, 5)), "may be negative"),
        (equal(apply("nim", Y, X), ZERO), (WORD, Symbol("h", INT, -1, 5)), "may be negative"),
        (equal(apply("nim", X, Y), ZERO), (Symbol("x", INT, 0), Symbol("h", INT, 0)), "a nim-sum that contains a"),
        (equal(apply("bit_and", X, Y), ZERO), (WORD, Symbol("h", INT, -1, 5)), "may be negative"),
        (equal(apply("bit_and", Y, X), ZERO), (WORD, Symbol("h", INT, -1, 5)), "may be negative"),
        (equal(apply("bit_and", X, ONE), ZERO), (Symbol("x", INT, 0),), "bit_and that contains a"),
        (equal(apply("mod", X, integer(2)), ZERO), (SIGNED,), "a size that may be negative"),
        (equal(apply("floordiv", X, integer(2)), ZERO), (SIGNED,), "a size that may be negative"),
        (equal(apply("floordiv", X, integer(-2)), ZERO), (WORD,), "is not a positive literal"),
        (equal(apply("mod", X, ZERO), ZERO), (Symbol("x", INT),), "is not a positive literal"),
        (equal(apply("mod", X, Y), ZERO), (WORD, OTHER), "is not a positive literal"),
        (equal(apply("mod", X, choose(P, ONE, integer(2))), ZERO), (WORD, Symbol("p", BOOL)), "a positive literal"),
    ],
)
def test_what_64_bits_may_not_hold_is_refused(show: t.Term, symbols: tuple[Symbol, ...], words: str) -> None:
    assert words in refused(show, *symbols)


@pytest.mark.parametrize(
    ("show", "found"),
    [
        (at_least(add(X, X), X), SolverStatus.PROVED),
        (less_than(sub(X, Y), ZERO), SolverStatus.FAILS),
        (at_least(sub(X, Y), ZERO), SolverStatus.FAILS),
        (at_least(sub(X, Y), integer(1 - (1 << 62))), SolverStatus.PROVED),
        (at_most(apply("nim", X, Y), integer((1 << 62) - 1)), SolverStatus.PROVED),
        (at_most(apply("nim", X, Y), integer((1 << 62) - 2)), SolverStatus.FAILS),
        (at_most(mul(apply("nim", X, Y), integer(2)), integer(TOP - 1)), SolverStatus.PROVED),
        (at_most(apply("bit_and", X, Y), X), SolverStatus.PROVED),
        (less_than(apply("bit_and", X, Y), X), SolverStatus.FAILS),
    ],
)
def test_words_near_the_top_are_integers(show: t.Term, found: SolverStatus) -> None:
    assert SOLVER.check(Sequent("o", (WORD, OTHER), (), show), LIMITS).found is found


def test_every_symbol_has_a_name_of_its_own_in_the_text() -> None:
    strange = (*INTEGERS, *NATURALS, *TRUTHS, "a\\b")
    posed = Sequent("o", tuple(Symbol(n, BOOL if n in TRUTHS else INT) for n in strange), (), equal(X, Y))
    script = script_of(posed)
    assert [script.name_of(name) for name in ("x", "|not'|", "not'", "|heap' !2!|", "rest of s")] == [
        "x", "not", "not", "heap' |2|", "rest of s",
    ]  # fmt: skip
    assert script.name_of("shared 3") is None
    assert SOLVER.check(posed, LIMITS).found is SolverStatus.FAILS


def test_a_nim_sum_may_exceed_both_its_terms() -> None:
    few = (Symbol("x", INT, 0, 4), Symbol("h", INT, 0, 3))
    low = at_most(mul(apply("nim", X, Y), integer(1 << 60)), integer(6 << 60))
    with pytest.raises(Unsupported, match="a number may need 64 bits"):
        script_of(Sequent("o", few, (), at_most(mul(apply("nim", X, Y), integer((1 << 60) + (1 << 59))), ZERO)))
    assert SOLVER.check(Sequent("o", few, (), low), LIMITS).found is SolverStatus.FAILS


# -- the solvers themselves -------------------------------------------------------------------------------------------
def hard() -> Sequent:
    """Return a sequent about factors of a product of two primes, which needs more than a few steps."""
    product = equal(mul(X, Y), integer(1_000_003 * 1_000_033))
    told = (Hypothesis("", at_least(X, integer(2))), Hypothesis("", product))
    return Sequent("o", (Symbol("x", INT, 0, 1 << 30), Symbol("h", INT, 0, 1 << 30)), (), at_most(Y, ONE), told)


def test_what_is_given_up_uses_nothing_that_is_known() -> None:
    few = Limits(1000, 17)
    assert SOLVER.check(hard(), few).found is SolverStatus.UNKNOWN
    assert SOLVER.check(hard(), few).out_of_steps
    assert SOLVER.find_used_premises(hard(), few) is None


def test_limits_and_seeds_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, object]] = []

    class Told(z3.Solver):
        def set(self, *args: object, **keys: object) -> None:
            told.append((str(args[0]), args[1]))
            super().set(*args, **keys)

    monkeypatch.setattr(z3, "Solver", Told)
    SOLVER.check(Sequent("o", (), (), at_least(ONE, ZERO)), Limits(5000, 4711, 2.5))
    assert told == [("ctrl_c", False), ("random_seed", 4711), ("rlimit", 5000)]
    told.clear()
    SOLVER.find_used_premises(Sequent("o", (), (), at_least(ONE, ZERO)), Limits(6000, 3))
    assert told == [("ctrl_c", False), ("random_seed", 3), ("rlimit", 6000)]


def test_a_query_ends_after_its_cpu_time() -> None:
    late = Limits(10**9, 17, 0.05)
    found = SOLVER.check(hard(), late)
    assert (found.found, found.reason, found.out_of_steps) == (SolverStatus.UNKNOWN, "out of time", False)
    assert SOLVER.find_used_premises(hard(), late) is None
    assert SOLVER.check(Sequent("o", (), (), at_least(ONE, ZERO)), LIMITS).found is SolverStatus.PROVED


def test_the_load_of_the_machine_does_not_end_a_query(monkeypatch: pytest.MonkeyPatch) -> None:
    """While other processes run, no CPU time of this process passes."""
    monkeypatch.setattr("encoders.solvers.z3_solver.time.process_time", lambda: 0.0)
    found = SOLVER.check(hard(), Limits(1_000_000, 17, 0.001))
    assert (found.found, found.out_of_steps) == (SolverStatus.UNKNOWN, True)


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize("show", [at_least(X, integer(-2)), at_least(X, ZERO), disjunction(at_most(Y, ONE), P)])
def test_cvc5_finds_what_z3_finds(show: t.Term, words: bool) -> None:
    posed = sequent([], show, words)
    found = Cvc5().check(posed, LIMITS).found
    assert found is SOLVER.check(posed, LIMITS).found
    assert found is not SolverStatus.UNKNOWN
