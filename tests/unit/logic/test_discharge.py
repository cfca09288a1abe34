"""The result of an obligation: proved only if every run agrees and the premises can hold."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from settling import Beyond

from claims.language.syntax import terms as t
from encoders.logic.answer import ObligationStatus
from encoders.logic.sequents import (
    ONE,
    ZERO,
    Hypothesis,
    Sequent,
    Symbols,
    add,
    at_least,
    compare,
    equal,
    integer,
    less_than,
    mul,
)
from encoders.refusals import Unsupported
from encoders.solvers import discharge as discharging
from encoders.solvers.discharge import BoxCheck, decide, discharge, format_values
from encoders.solvers.effort import USUAL, Effort
from encoders.solvers.solver import Capability, Limits, SolverResult, SolverStatus
from encoders.solvers.z3_solver import Z3

FAR = 1_000_003  # beyond every box


def posed(assume: tuple[t.Term, ...], show: t.Term, symbols: Symbols, *told: t.Term) -> Sequent:
    return symbols.sequent("o", assume, show, tuple(Hypothesis(f"told {i}", x) for i, x in enumerate(told, 1)))


class Scripted(Z3):
    """A solver that gives scripted answers in turn, and then proves. It records its queries."""

    name = "scripted"

    def __init__(self, *answers: SolverStatus) -> None:
        super().__init__()
        self.answers, self.asked = list(answers), list[tuple[Sequent, Limits]]()

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        self.asked.append((sequent, limits))
        found = self.answers.pop(0) if self.answers else SolverStatus.PROVED
        return SolverResult(self.name, found, limits, {}, "its mood" if found is SolverStatus.UNKNOWN else "")

    def find_used_premises(self, sequent: Sequent, limits: Limits) -> frozenset[int] | None:
        self.asked.append((sequent, limits))
        return frozenset({1})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """Return the first solver, which proves; the box finds nothing, and there are no certificates."""
    solver = Scripted()
    monkeypatch.setattr(discharging, "exact", Beyond)
    monkeypatch.setattr(discharging, "default_solver", lambda: solver)
    monkeypatch.setattr(discharging, "list_confirming_solvers", lambda: ())
    monkeypatch.setattr(discharging, "check_on_box", lambda sequent: BoxCheck(0))
    return solver


def plain() -> Sequent:
    symbols = Symbols()
    x = symbols.integer("x")
    return posed((at_least(x, ONE),), at_least(x, ZERO), symbols)


# -- false obligations ------------------------------------------------------------------------------------------------
def test_what_is_false_far_from_0_is_not_proved() -> None:
    symbols = Symbols()
    x = symbols.integer("x", 0)
    found = discharge(posed((), compare("ne", x, integer(FAR)), symbols), USUAL, None)
    assert (found.result, found.detail) == (ObligationStatus.FAILED, f"fails at x = {FAR}")


def test_what_is_false_of_words_far_from_0_is_shown_with_its_values() -> None:
    symbols = Symbols()
    x = symbols.integer("x", 0, 1 << 40)
    found = discharge(posed((), less_than(x, integer(FAR)), symbols), USUAL, None)
    assert found.result is ObligationStatus.FAILED
    assert found.detail.startswith("fails at x = ")
    assert int(found.detail.rpartition(" ")[2]) >= FAR
    assert "(check-sat)" not in found.smt2
    assert found.smt2
    ((name, value),) = found.values
    assert (name, f"fails at x = {value}") == ("x", found.detail), "the values are those of the sentence"
    assert found.solvers == ("evaluation",)


def test_what_the_box_finds_false_is_not_put_to_a_solver(asked: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discharging, "check_on_box", lambda sequent: BoxCheck(1, {"x": 5}))
    found = discharge(plain(), USUAL, None)
    assert (found.result, found.detail) == (ObligationStatus.FAILED, "fails at x = 5")
    assert not asked.asked


def test_the_values_made_on_the_way_are_not_shown() -> None:
    symbols = Symbols()
    x, y = symbols.integer("x"), symbols.integer("y", aside=True)
    found = posed((), equal(x, y), symbols)
    assert format_values(found, {"x": 1, "y": 2, "z": 3}) == "fails at x = 1"
    assert format_values(found, {"y": 2}) == "fails at all values"


# -- the solvers and their questions ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("answers", "result", "words"),
    [
        ([SolverStatus.FAILS], ObligationStatus.FAILED, "fails at all values"),
        ([SolverStatus.UNKNOWN], ObligationStatus.UNKNOWN, "the solver gave up: its mood"),
        (
            [SolverStatus.PROVED, SolverStatus.FAILS],
            ObligationStatus.CONTRADICTION,
            "two solvers disagree: scripted with the seed 1 ",
        ),
        (
            [SolverStatus.PROVED, SolverStatus.UNKNOWN, SolverStatus.FAILS],
            ObligationStatus.CONTRADICTION,
            "scripted with the seed 4711 ",
        ),
        ([SolverStatus.PROVED] * 3 + [SolverStatus.FAILS], ObligationStatus.PROVED, ""),
        ([SolverStatus.PROVED] * 3 + [SolverStatus.UNKNOWN], ObligationStatus.PROVED, ""),
    ],
)
def test_each_answer(asked: Scripted, answers: list[SolverStatus], result: ObligationStatus, words: str) -> None:
    asked.answers = answers
    found = discharge(plain(), USUAL, None)
    assert found.result is result
    assert words in found.detail
    assert bool(found.smt2) is (result is not ObligationStatus.PROVED)


def test_every_seed_is_asked_and_what_is_assumed_is_tried_with_a_part_of_the_steps(asked: Scripted) -> None:
    sequent = plain()
    found = discharge(sequent, Effort(steps=2000, seeds=(3, 5, 8)), None)
    assert (found.result, found.note) == (ObligationStatus.PROVED, "never needed: its premises cannot hold")
    *proofs, (vacuous, aside) = asked.asked
    assert proofs == [(sequent, Limits(2000, seed)) for seed in (3, 5, 8)]
    assert aside == Limits(100, 3)
    assert vacuous.assume == sequent.assume
    assert vacuous.variables == sequent.variables
    assert isinstance(vacuous.show, t.Literal)
    assert not vacuous.show.value


def test_seeds_that_give_up_are_noted(asked: Scripted) -> None:
    asked.answers = [SolverStatus.PROVED, SolverStatus.UNKNOWN, SolverStatus.UNKNOWN, SolverStatus.FAILS]
    assert discharge(plain(), USUAL, None).note == "unstable: scripted gives up with seed 1, 4711"


@pytest.mark.parametrize(
    ("answer", "result", "words"),
    [
        (SolverStatus.PROVED, ObligationStatus.PROVED, "confirmed by second"),
        (SolverStatus.UNKNOWN, ObligationStatus.PROVED, "not confirmed by second: its mood"),
        (SolverStatus.FAILS, ObligationStatus.CONTRADICTION, "two solvers disagree: second has a counterexample"),
    ],
)
def test_the_second_solver(
    asked: Scripted, monkeypatch: pytest.MonkeyPatch, answer: SolverStatus, result: ObligationStatus, words: str
) -> None:
    second = Scripted(answer)
    second.name = "second"
    monkeypatch.setattr(discharging, "list_confirming_solvers", lambda: (second,))
    asked.answers = [SolverStatus.PROVED] * 3 + [SolverStatus.FAILS]
    found = discharge(plain(), replace(USUAL, second=True), None)
    assert found.result is result
    assert words in (found.note or found.detail)
    asked.answers = [SolverStatus.PROVED] * 3 + [SolverStatus.FAILS]
    assert discharge(plain(), USUAL, None).note == ""
    assert len(second.asked) == 1


def test_a_solver_is_not_asked_what_it_does_not_know(asked: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    asked.capabilities = frozenset({Capability.WORDS})
    with pytest.raises(Unsupported, match="scripted does not support integers without bound"):
        discharge(plain(), USUAL, None)
    assert not asked.asked
    asked.capabilities = frozenset(Capability)
    second = Scripted()
    second.name, second.capabilities = "second", frozenset({Capability.WORDS})
    monkeypatch.setattr(discharging, "list_confirming_solvers", lambda: (second,))
    with pytest.raises(Unsupported, match="does not support integers without bound"):
        discharge(plain(), replace(USUAL, second=True), None)


# -- premises ---------------------------------------------------------------------------------------------------------
def test_what_is_assumed_must_be_able_to_hold() -> None:
    symbols = Symbols()
    x = symbols.integer("x")
    never = (at_least(x, integer(2)), less_than(x, ONE))
    found = discharge(posed(never, equal(x, integer(7)), symbols), USUAL, None)
    assert (found.result, found.note) == (ObligationStatus.PROVED, "never needed: its premises cannot hold")


@pytest.mark.parametrize("apart", [False, True])
def test_hypotheses_that_contradict_each_other_claim_nothing(apart: bool) -> None:
    symbols = Symbols()
    x = symbols.integer("x")
    one, other = at_least(x, ONE), less_than(x, ONE)
    sequent = posed((one,), ZERO_IS_ONE, symbols, other) if apart else posed((), ZERO_IS_ONE, symbols, one, other)
    found = discharge(sequent, USUAL, None)
    assert (found.result, found.detail) == (
        ObligationStatus.FAILED,
        "the hypotheses contradict each other: nothing is claimed",
    )


ZERO_IS_ONE = equal(ZERO, ONE)


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (SolverStatus.PROVED, "never needed: its premises cannot hold"),
        (SolverStatus.UNKNOWN, ""),
        (SolverStatus.FAILS, ""),
    ],
)
def test_each_answer_about_what_is_assumed(asked: Scripted, answer: SolverStatus, note: str) -> None:
    asked.answers = [SolverStatus.PROVED] * 3 + [answer]
    assert discharge(plain(), USUAL, None).note == note


def test_what_asks_nothing_is_noted() -> None:
    """Its negation simplifies to false: `n < n + 1`, as if two names had become one."""
    symbols = Symbols()
    n, m = symbols.integer("n"), symbols.integer("m")
    assert discharge(posed((), less_than(n, add(n, ONE)), symbols), USUAL, None).note == "trivial"
    assert discharge(posed((at_least(n, m),), less_than(m, add(n, ONE)), symbols), USUAL, None).note == "trivial"
    assert discharge(posed((at_least(n, m),), less_than(m, add(n, integer(2))), symbols), USUAL, None).note == ""


def test_which_hypotheses_a_proof_does_without() -> None:
    symbols = Symbols()
    x, y = symbols.integer("x"), symbols.integer("y")
    found = discharge(posed((), at_least(x, ZERO), symbols, at_least(x, ONE), at_least(y, ONE)), USUAL, None)
    assert (found.result, found.note) == (ObligationStatus.PROVED, "does not need: told 2")
    found = discharge(posed((), at_least(mul(x, y), ONE), symbols, at_least(x, ONE), at_least(y, ONE)), USUAL, None)
    assert (found.result, found.note) == (ObligationStatus.PROVED, "")


def test_hypotheses_of_which_nobody_can_tell_are_not_said_to_be_superfluous(
    asked: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    symbols = Symbols()
    x = symbols.integer("x")
    sequent = posed((), at_least(x, ZERO), symbols, at_least(x, ONE), at_least(x, ZERO))
    asked.answers = [SolverStatus.PROVED] * 3 + [SolverStatus.FAILS]
    assert discharge(sequent, USUAL, None).note == "does not need: told 1"
    assert asked.asked[-1][1] == Limits(USUAL.steps // 20, USUAL.seeds[0])
    monkeypatch.setattr(asked, "find_used_premises", lambda sequent, limits: None)
    monkeypatch.setattr(discharging, "_proved", {})
    asked.answers = [SolverStatus.PROVED] * 3 + [SolverStatus.FAILS]
    assert discharge(sequent, USUAL, None).note == ""


# -- lemmas -----------------------------------------------------------------------------------------------------------
def with_lemmas(names: str = "pq") -> Sequent:
    """Return a sequent in which x >= 2 follows from a hypothesis and the second of two lemmas."""
    symbols = Symbols()
    x, y, z = (symbols.integer(name) for name in "xyz")
    told = Hypothesis("y > 0", at_least(y, ONE))
    lemmas = ((names[0], (at_least(z, ONE),)), (names[1], (at_least(z, y), at_least(x, add(y, ONE)))))
    return symbols.sequent("o", (), at_least(x, integer(2)), (told,), lemmas)


def test_which_lemmas_a_proof_makes_use_of() -> None:
    found = discharge(with_lemmas(), USUAL, None)
    assert (found.result, found.note, found.lemmas) == (ObligationStatus.PROVED, "", ("q",))
    without = discharge(replace(with_lemmas(), lemmas=with_lemmas().lemmas[:1]), USUAL, None)
    assert (without.result, without.lemmas) == (ObligationStatus.FAILED, ())


def test_lemmas_of_other_names_are_told_in_those() -> None:
    assert discharge(with_lemmas("pq"), USUAL, None).lemmas == ("q",)
    assert discharge(with_lemmas("rs"), USUAL, None).lemmas == ("s",)


def test_lemmas_of_which_nobody_can_tell_are_needed(asked: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "find_used_premises", lambda sequent, limits: None)
    asked.answers = [SolverStatus.PROVED] * 3 + [SolverStatus.FAILS]
    assert discharge(with_lemmas(), USUAL, None).lemmas == ("p", "q")


@pytest.mark.parametrize(
    ("known", "told", "said"),
    [
        ("x < 1", "", "never needed: its premises cannot hold, by the lemmas"),
        ("", "x < 1", "the hypotheses contradict the lemmas: nothing is claimed"),
        ("x < 1, x > 1", "", "never needed: its premises cannot hold"),
        ("x > 1", "x < 1", "the hypotheses contradict each other: nothing is claimed"),
    ],
)
def test_lemmas_that_contradict_what_is_known_are_told(known: str, told: str, said: str) -> None:
    symbols = Symbols()
    x = symbols.integer("x")
    terms = {"x < 1": less_than(x, ONE), "x > 1": compare("gt", x, ONE)}
    hypotheses = (Hypothesis(told, terms[told]),) if told else ()
    assume = tuple(terms[text] for text in known.split(", ") if text)
    lemmas = (("p", (at_least(x, ONE),)),)
    found = discharge(symbols.sequent("o", assume, ZERO_IS_ONE, hypotheses, lemmas), USUAL, None)
    assert (found.detail or found.note.removeprefix("trivial; "), found.proved) == (said, not told)


# -- earlier proofs ---------------------------------------------------------------------------------------------------
def test_what_was_proved_is_not_asked_again_under_another_name(asked: Scripted) -> None:
    before = discharge(plain(), USUAL, None)
    runs = len(asked.asked)
    again = discharge(replace(plain(), name="another"), USUAL, None)
    assert (again.name, again.proved, len(asked.asked)) == ("another", True, runs)
    assert again.seconds == before.seconds > 0  # the time of the first proof


@pytest.mark.parametrize("answer", [SolverStatus.FAILS, SolverStatus.UNKNOWN])
def test_only_what_was_proved_is_remembered(asked: Scripted, answer: SolverStatus) -> None:
    asked.answers = [answer]
    assert not discharge(plain(), USUAL, None).proved
    assert discharge(plain(), USUAL, None).proved
    asked.answers = [SolverStatus.PROVED, answer]
    assert discharge(false(), USUAL, None).result is (
        ObligationStatus.CONTRADICTION if answer is SolverStatus.FAILS else ObligationStatus.PROVED
    )


def false() -> Sequent:
    """Return a sequent that differs from `plain` in one number."""
    symbols = Symbols()
    x = symbols.integer("x")
    return posed((at_least(x, ONE),), at_least(x, integer(2)), symbols)


def test_what_is_false_is_not_taken_for_what_was_proved() -> None:
    assert discharge(plain(), USUAL, None).proved
    assert discharge(false(), USUAL, None).result is ObligationStatus.FAILED
    assert discharge(replace(plain(), assume=()), USUAL, None).result is ObligationStatus.FAILED


def test_who_asks_for_a_second_solver_is_not_told_what_was_proved_by_one(
    asked: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert discharge(plain(), USUAL, None).proved
    second = Scripted(SolverStatus.FAILS)
    second.name = "second"
    monkeypatch.setattr(discharging, "list_confirming_solvers", lambda: (second,))
    assert discharge(plain(), USUAL, None).proved
    assert not second.asked
    assert discharge(plain(), Effort(second=True), None).result is ObligationStatus.CONTRADICTION


def test_hypotheses_in_other_words_are_told_in_those(asked: Scripted) -> None:
    symbols = Symbols()
    x = symbols.integer("x")
    sequent = posed((), at_least(x, ZERO), symbols, at_least(x, ONE), at_least(x, ZERO))
    for words in ("told 1", "heard"):
        asked.answers = [SolverStatus.PROVED] * 3 + [SolverStatus.FAILS]
        told = (Hypothesis(words, at_least(x, ONE)), *sequent.hypotheses[1:])
        assert discharge(replace(sequent, hypotheses=told), USUAL, None).note == f"does not need: {words}"


def test_no_more_is_remembered_than_there_is_room_for(asked: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discharging, "REMEMBERED", 1)
    monkeypatch.setattr(discharging, "_proved", {})
    for sequent in (plain(), replace(plain(), assume=()), plain()):
        discharge(sequent, USUAL, None)
        assert len(discharging._proved) == 1


# -- time -------------------------------------------------------------------------------------------------------------
def test_each_run_gets_the_time_that_is_left(asked: Scripted) -> None:
    assert discharge(plain(), USUAL, 50.0).result is ObligationStatus.PROVED
    for _, limits in asked.asked:
        assert limits.seconds is not None
        assert 0 < limits.seconds <= 50
    assert len(asked.asked) == 4


# -- decisions --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("answer", "decided"), [(SolverStatus.PROVED, True), (SolverStatus.FAILS, False), (SolverStatus.UNKNOWN, False)]
)
def test_a_decision_is_a_proof(asked: Scripted, answer: SolverStatus, decided: bool) -> None:
    asked.answers = [answer]
    assert decide(plain()) is decided


def test_decisions() -> None:
    symbols = Symbols()
    x = symbols.integer("x")
    goals: Mapping[bool, t.Term] = {True: at_least(x, ZERO), False: at_least(x, integer(2))}
    for truth, goal in goals.items():
        assert decide(posed((at_least(x, ONE),), goal, symbols)) is truth


# -- the sources of a proof -------------------------------------------------------------------------------------------
def test_what_is_proved_says_by_whom_and_what_was_asked(asked: Scripted) -> None:
    sequent = plain()
    found = discharge(sequent, USUAL, None)
    assert (found.result, found.solvers, found.values) == (ObligationStatus.PROVED, ("scripted",), ())
    assert found.sequent is sequent


def test_who_confirms_is_named_who_gives_up_is_not(asked: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    sure, unsure = Scripted(), Scripted(SolverStatus.UNKNOWN)
    sure.name, unsure.name = "sure", "unsure"
    monkeypatch.setattr(discharging, "list_confirming_solvers", lambda: (sure, unsure))
    assert discharge(plain(), replace(USUAL, second=True), None).solvers == ("scripted", "sure")


def test_what_small_values_show_is_said_by_no_solver() -> None:
    symbols = Symbols()
    x = symbols.integer("x", 0, 9)
    found = discharge(posed((), less_than(x, ONE), symbols), USUAL, None)
    assert (found.result, found.solvers, found.values) == (ObligationStatus.FAILED, ("evaluation",), (("x", 1),))


def test_what_was_proved_before_is_shown_with_what_was_asked_now(asked: Scripted) -> None:
    first, second = plain(), plain()
    discharge(first, USUAL, None)
    assert discharge(second, USUAL, None).sequent is second
