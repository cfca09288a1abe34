"""The order of solvers and the result of an obligation: a certificate comes first, and values may exceed words."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from random_terms import apply, variable
from settling import Beyond, Told

from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT
from encoders.logic.answer import ObligationStatus
from encoders.logic.certificates import problem
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
    implies,
    integer,
    less_than,
    mul,
)
from encoders.refusals import Unsupported
from encoders.solvers import automaton
from encoders.solvers import discharge as discharging
from encoders.solvers.automaton import NaturalsFinding, fails_at
from encoders.solvers.discharge import BoxCheck, decide, discharge
from encoders.solvers.effort import USUAL
from encoders.solvers.solver import NotInstalled, SolverStatus

X, H = variable("x"), variable("h")
NIM = apply("nim", X, H)
HELD = (1 << 62) - 1
SECOND = replace(USUAL, second=True)


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discharging, "_proved", {})


def over_naturals(show: t.Term, *assume: t.Term, hi: int | None = None) -> Sequent:
    return Sequent("o", (Symbol("x", INT, 0, hi), Symbol("h", INT, 0, hi)), assume, show)


AT_MOST_THE_SUM = over_naturals(at_most(NIM, add(X, H)))
TRUE_OF_WORDS = over_naturals(at_most(NIM, integer(HELD)))


def nobody() -> None:
    raise AssertionError("a solver was asked")


@pytest.fixture
def no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forbid all other solvers."""
    monkeypatch.setattr(discharging, "default_solver", nobody)
    monkeypatch.setattr(discharging, "list_confirming_solvers", nobody)


@pytest.fixture
def liar(monkeypatch: pytest.MonkeyPatch) -> Told:
    """Use a first solver that proves everything."""
    solver = Told(SolverStatus.PROVED)
    monkeypatch.setattr(discharging, "default_solver", lambda: solver)
    return solver


def listed(monkeypatch: pytest.MonkeyPatch, *solvers: Told) -> None:
    monkeypatch.setattr(discharging, "list_confirming_solvers", lambda: solvers)


# -- the certificate --------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("no_solver")
def test_a_certificate_is_asked_first_and_rests_on_no_solver() -> None:
    found = discharge(AT_MOST_THE_SUM, USUAL, None)
    assert (found.result, found.solvers, found.note) == (ObligationStatus.PROVED, ("certificate",), "")
    assert found.certificate is not None
    assert problem(found.certificate) == ""
    assert discharge(replace(AT_MOST_THE_SUM, name="again"), USUAL, None).certificate == found.certificate


def test_where_a_limit_stops_the_search_a_solver_is_asked_and_named(
    liar: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(automaton, "MOST_ROUNDS", 1)
    listed(monkeypatch)
    found = discharge(AT_MOST_THE_SUM, USUAL, None)
    assert (found.result, found.solvers, found.certificate) == (ObligationStatus.PROVED, ("told",), None)
    assert [x.seed for _, x in liar.asked][:3] == list(USUAL.seeds)
    assert liar.asked[0][1].steps == USUAL.steps // discharging.PART


def test_what_nobody_settles_names_the_limit_and_what_moves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "MOST_ROUNDS", 1)
    monkeypatch.setattr(discharging, "default_solver", lambda: Told(SolverStatus.UNKNOWN))
    listed(monkeypatch)
    found = discharge(AT_MOST_THE_SUM, USUAL, None)
    assert found.result is ObligationStatus.UNKNOWN
    assert found.detail.startswith(
        "the solver gave up: no result after 1 rounds; --effort 2 allows twice as many; told: "
    )
    assert discharge(AT_MOST_THE_SUM, replace(USUAL, steps=3 * USUAL.steps), None).solvers == ("certificate",)


def test_where_the_first_solver_gives_up_another_that_is_there_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "MOST_ROUNDS", 1)
    monkeypatch.setattr(discharging, "default_solver", lambda: Told(SolverStatus.UNKNOWN))
    absent, other = Told(NotInstalled("not there")), Told(SolverStatus.PROVED)
    absent.name, other.name = "absent", "other"
    listed(monkeypatch, absent, other)
    found = discharge(AT_MOST_THE_SUM, USUAL, None)
    assert (found.result, found.solvers) == (ObligationStatus.PROVED, ("other",))


def test_that_others_find_a_counterexample_without_values_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "MOST_ROUNDS", 1)
    monkeypatch.setattr(discharging, "default_solver", lambda: Told(SolverStatus.UNKNOWN))
    other = Told(SolverStatus.FAILS)
    other.name = "other"
    listed(monkeypatch, other)
    assert discharge(AT_MOST_THE_SUM, USUAL, None).result is ObligationStatus.UNKNOWN


def test_states_grow_with_the_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    assert automaton.MOST_STATES == 30_000
    monkeypatch.setattr(automaton, "FEW_STATES", 1)
    monkeypatch.setattr(automaton, "MOST_STATES", 1)
    monkeypatch.setattr(discharging, "default_solver", lambda: Told(SolverStatus.UNKNOWN))
    listed(monkeypatch)
    found = discharge(AT_MOST_THE_SUM, USUAL, None)
    assert "the automaton for a lemma has more than 1 states; --effort 2 allows twice as many" in found.detail
    assert discharge(AT_MOST_THE_SUM, replace(USUAL, steps=40 * USUAL.steps), None).solvers == ("certificate",)


def test_of_what_is_beyond_certificates_the_first_solver_is_asked(liar: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "refute_products", lambda *_: None)
    of_products = over_naturals(at_least(mul(X, H), mul(X, X)), at_least(H, X))
    found = discharge(of_products, USUAL, None)
    assert (found.result, found.solvers) == (ObligationStatus.PROVED, ("told",))
    assert found.certificate is None
    assert [x.seed for _, x in liar.asked][:3] == list(USUAL.seeds)


def test_what_is_nested_too_deeply_is_unknown() -> None:
    deep: t.Term = X
    for _ in range(5_000):
        deep = apply("nim", apply("add", deep, ONE), H)
    found = discharge(over_naturals(equal(deep, deep)), USUAL, None)
    assert found.result is ObligationStatus.UNKNOWN
    assert "nested too deeply" in found.detail
    assert not decide(over_naturals(equal(deep, deep)))


# -- failures ---------------------------------------------------------------------------------------------------------
BEYOND: Mapping[str, Sequent] = {
    "a number itself": over_naturals(less_than(X, integer(1 << 62))),
    "a nim-sum": TRUE_OF_WORDS,
    "a place": over_naturals(equal(apply("bit_and", X, integer(1 << 100)), ZERO)),
    "a sum": over_naturals(less_than(add(NIM, X), integer((1 << 63) - 1))),
    "twice": over_naturals(compare("ne", add(X, X), integer(1 << 90)), equal(NIM, ZERO)),
    "far below 0": Sequent("o", (Symbol("x", INT),), (), at_least(X, integer(-(1 << 70)))),
}


@pytest.mark.usefixtures("no_solver")
@pytest.mark.parametrize("case", BEYOND)
def test_numbers_beyond_words_are_found_and_confirmed(case: str) -> None:
    found = discharge(BEYOND[case], USUAL, None)
    assert (found.result, found.solvers) == (ObligationStatus.FAILED, ("evaluation",))
    values = dict(found.values)
    assert max(map(abs, values.values())) >= 1 << 62
    assert fails_at(BEYOND[case], values)
    assert found.detail == "fails at " + ", ".join(f"{name} = {value}" for name, value in found.values)


@pytest.mark.parametrize("values", [{"x": 5, "h": 5}, {"x": -1, "h": 0}, {"x": HELD, "h": 0}])
def test_values_that_evaluation_does_not_confirm_refute_nothing(
    liar: Told, monkeypatch: pytest.MonkeyPatch, values: dict[str, int]
) -> None:
    monkeypatch.setattr(automaton, "settle", lambda sequent, until, scale: NaturalsFinding(values=values))
    assert not fails_at(TRUE_OF_WORDS, values)
    found = discharge(TRUE_OF_WORDS, USUAL, None)
    assert (found.result, found.values) == (ObligationStatus.UNKNOWN, ())
    assert found.detail == "the solver gave up: evaluation does not confirm the counterexample that was found"
    assert not liar.asked


def test_what_fails_is_so_where_all_that_is_assumed_holds_and_only_there() -> None:
    told = Hypothesis("x is 7", equal(X, integer(7)))
    sequent = replace(over_naturals(less_than(H, X), at_least(H, ONE), hi=9), hypotheses=(told,))
    sequent = replace(sequent, lemmas=(("l", (compare("ne", H, integer(8)),)),))
    assert fails_at(sequent, {"x": 7, "h": 7})
    assert fails_at(sequent, {"x": 7, "h": 9})
    for x, h in ((7, 6), (6, 6), (7, 8), (7, 10), (0, 0), (7, 0)):
        assert not fails_at(sequent, {"x": x, "h": h})
    assert not fails_at(over_naturals(ZERO_BY_ZERO), {"x": 0, "h": 0}), "where it has no value it does not fail"


ZERO_BY_ZERO = equal(apply("floordiv", X, H), ONE)


# -- the others -------------------------------------------------------------------------------------------------------
def test_words_confirm_below_their_bound() -> None:
    found = discharge(AT_MOST_THE_SUM, SECOND, None)
    assert (found.result, found.note) == (
        ObligationStatus.PROVED,
        "confirmed below 2^62 by Z3; confirmed below 2^62 by cvc5",
    )
    assert found.solvers == ("certificate",)
    within = discharge(over_naturals(AT_MOST_THE_SUM.show, hi=HELD >> 1), SECOND, None)
    assert (within.note, within.solvers) == ("confirmed by Z3; confirmed by cvc5", ("certificate", "Z3", "cvc5"))


def test_a_counterexample_to_a_certificate_is_a_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    listed(monkeypatch, Told(SolverStatus.FAILS))
    found = discharge(AT_MOST_THE_SUM, SECOND, None)
    assert (found.result, found.certificate) == (ObligationStatus.CONTRADICTION, None)
    assert found.detail == "two solvers disagree: told has a counterexample, but certificate has a proof"


@pytest.mark.parametrize("case", BEYOND)
def test_what_words_prove_and_larger_numbers_refute_fails(case: str) -> None:
    """Some sequents cannot be written in words, and some are written over unbounded integers."""
    found = discharge(BEYOND[case], SECOND, None)
    assert found.result is ObligationStatus.FAILED
    fails, *notes = found.detail.split("; ")
    assert fails.startswith("fails at ")
    said = [f"{name} proves the obligation below 2^62, and these values are larger" for name in ("Z3", "cvc5")]
    assert notes == (said if case in ("a nim-sum", "a sum") else [])


@pytest.mark.parametrize(
    ("found", "bits", "result"),
    [
        (SolverStatus.FAILS, None, ObligationStatus.FAILED),
        (SolverStatus.UNKNOWN, None, ObligationStatus.FAILED),
        (SolverStatus.PROVED, None, ObligationStatus.CONTRADICTION),
        (SolverStatus.BOUNDED, 62, ObligationStatus.FAILED),
        (SolverStatus.BOUNDED, 63, ObligationStatus.CONTRADICTION),
    ],
)
def test_each_answer_about_what_fails_from_2_to_the_62_on(
    monkeypatch: pytest.MonkeyPatch, found: SolverStatus, bits: int | None, result: ObligationStatus
) -> None:
    listed(monkeypatch, Told(found, bits))
    values = {"x": 1 << 62, "h": 0}
    monkeypatch.setattr(automaton, "settle", lambda sequent, until, scale: NaturalsFinding(values=values))
    told = discharge(TRUE_OF_WORDS, SECOND, None)
    assert told.result is result
    detail = f"fails at h = 0, x = {1 << 62}"
    if result is ObligationStatus.CONTRADICTION:
        assert (
            told.detail
            == f"two solvers disagree: told has a proof, but according to evaluation the obligation {detail}"
        )
    else:
        beyond = (
            "; told proves the obligation below 2^62, and these values are larger"
            if found is SolverStatus.BOUNDED
            else ""
        )
        assert told.detail == detail + beyond


def test_a_bound_that_the_sequent_itself_has_is_none_of_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the bound of x comes from the words; a large h is irrelevant."""
    listed(monkeypatch, Told(SolverStatus.BOUNDED, 3))
    sequent = Sequent("o", (Symbol("x", INT, 0), Symbol("h", INT, 0, 99)), (), less_than(H, integer(90)))
    monkeypatch.setattr(discharging, "check_on_box", lambda sequent: BoxCheck(1, {"x": 7, "h": 95}))
    assert discharge(sequent, SECOND, None).result is ObligationStatus.CONTRADICTION
    monkeypatch.setattr(discharging, "check_on_box", lambda sequent: BoxCheck(1, {"x": 8, "h": 95}))
    assert discharge(sequent, SECOND, None).result is ObligationStatus.FAILED
    natural = replace(sequent, variables=(Symbol("x", INT, 0), Symbol("h", INT, -99, 99)), show=at_least(H, ONE))
    monkeypatch.setattr(discharging, "check_on_box", lambda sequent: BoxCheck(1, {"x": 7, "h": -95}))
    assert discharge(natural, SECOND, None).result is ObligationStatus.CONTRADICTION
    below_0 = replace(sequent, variables=(Symbol("x", INT, None, 9), Symbol("h", INT, 0, 99)))
    for x, result in (
        (-7, ObligationStatus.CONTRADICTION),
        (-8, ObligationStatus.FAILED),
        (9, ObligationStatus.CONTRADICTION),
    ):
        monkeypatch.setattr(discharging, "check_on_box", lambda sequent, x=x: BoxCheck(1, {"x": x, "h": 95}))
        assert discharge(below_0, SECOND, None).result is result


def test_what_another_cannot_read_it_does_not_confirm(monkeypatch: pytest.MonkeyPatch) -> None:
    listed(monkeypatch, Told(Unsupported("too many digits")))
    assert discharge(AT_MOST_THE_SUM, SECOND, None).note == "not confirmed by told: too many digits"
    listed(monkeypatch, Told(NotInstalled("get it")))
    with pytest.raises(NotInstalled, match="get it"):
        discharge(AT_MOST_THE_SUM, SECOND, None)


# -- decisions --------------------------------------------------------------------------------------------------------
def test_a_decision_about_all_numbers_is_one_by_certificate() -> None:
    assert decide(AT_MOST_THE_SUM)
    assert not decide(TRUE_OF_WORDS)
    assert not decide(over_naturals(implies(equal(NIM, ZERO), at_most(X, integer(HELD)))))


def test_without_certificates_words_prove_nothing_of_larger_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discharging, "exact", Beyond)
    found = discharge(AT_MOST_THE_SUM, USUAL, None)
    assert (found.result, found.detail) == (ObligationStatus.UNKNOWN, "proved below 2^62 only")
    assert not decide(AT_MOST_THE_SUM)
