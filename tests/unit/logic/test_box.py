"""A sequent is evaluated on a box before any solver is asked; the box reports only false sequents."""

from dataclasses import replace

import pytest
from library import POSED, WITH_PROOF, posed

from claims.language.syntax import terms as t
from encoders.logic.answer import ObligationStatus
from encoders.logic.sequents import (  # fmt: skip
    NO,
    ONE,
    YES,
    ZERO,
    Sequent,
    Symbols,
    add,
    at_least,
    at_most,
    choose,
    compare,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    less_than,
    mul,
    negation,
    nim,
    sub,
)
from encoders.solvers import discharge as discharging
from encoders.solvers.discharge import check_on_box, decide, discharge
from encoders.solvers.effort import USUAL

REPLY = ("heap", "legal", "leads to a loss")
WYTHOFF = ("wythoff", "wythoff-doubled", "wythoff-fibonacci-repaired")
NEVER_MET = {  # a case of the claim that its hypotheses exclude
    ("kl-nim/lemma-11-move-two-heaps", "claim, where b - a != l"),
    ("kl-nim/lemma-11-two-heaps", "claim, where b - a != l"),
    # From 2a - 1 and 2a, every move on the larger heap makes it smaller than the other.
    ("classics/antonim-two-heaps", "closed: b, leaves a, b'"),
    # Equal numbers from both heaps keep their order.
    *((f"classics/{id}", f"closed: move 2 on {on}, leaves b', a'") for id in WYTHOFF for on in ("a, b", "b, a")),
}
OUT_OF_REACH = {  # with so many variables that no tried combination satisfies all premises
    ("large-nim/analysis-3", "claim"),
    ("large-nim/theorem-3-case-b22", "claim"),
    ("kl-nim/theorem-14", "reply 6 (P2 to move): heap"),
    ("kl-nim/corollary-15", "reply 6 (P1 to move): heap"),
    ("kl-nim/complete-solution", "k > l: reply 5 (P1 to move): heap"),
    ("kl-nim/complete-solution", "k > l: reply 6 (P1 to move): heap"),
    # heaps of eight and more
    ("classics/digit-sum", "closed: a"),
    *(("classics/mark-3", f"reply {i}: {step}") for i in (1, 3) for step in REPLY),
    *(("classics/upmark", f"reply 4: {step}") for step in REPLY),
    *(("classics/min-nim-two-heaps", f"reply {i}: {step}") for i in (6, 7) for step in REPLY),
}


@POSED
@pytest.mark.parametrize("id", WITH_PROOF)
@pytest.mark.slow
def test_each_obligation_of_the_library_holds_on_a_box(id: str) -> None:
    unseen = set()
    for sequent in posed(id):
        if sequent.table is not None:
            continue  # a table proves nothing here; its verification does
        seen = check_on_box(sequent)
        assert seen.falsified is None, sequent.name
        if not seen.cases:
            unseen.add((id, sequent.name))
            assert decide(replace(sequent, show=NO), USUAL.steps) is ((id, sequent.name) in NEVER_MET)
    if id.startswith("heaps/"):
        return  # many integers begin beyond the box; above it was decided that some exist
    assert unseen == {x for x in NEVER_MET | OUT_OF_REACH if x[0] == id}


def sequent(assume: list[t.Term], show: t.Term, symbols: Symbols) -> Sequent:
    return symbols.sequent("o", tuple(assume), show)


def test_what_is_false_on_the_box_is_told_before_a_solver_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("a solver was asked")

    monkeypatch.setattr(discharging, "default_solver", refuse)
    symbols = Symbols()
    x, y = symbols.integer("x", 0, 1 << 40), symbols.integer("y", 0, 1 << 40)
    found = discharge(sequent([at_least(x, ONE)], less_than(nim(x, y), x), symbols), USUAL, None)
    assert (found.result, found.detail) == (ObligationStatus.FAILED, "fails at x = 1, y = 0")
    assert "(assert" in found.smt2


@pytest.mark.parametrize("most", [3, 1 << 40])
def test_values_outside_a_range_falsify_nothing(most: int) -> None:
    symbols = Symbols()
    x = symbols.integer("x", 2, most)
    y = symbols.integer("y", 0, most)
    assert check_on_box(sequent([], at_least(x, integer(2)), symbols)).falsified is None
    assert check_on_box(sequent([equal(y, sub(x, integer(5)))], at_least(y, ZERO), symbols)).falsified is None
    assert check_on_box(sequent([equal(y, add(x, integer(5)))], at_most(y, integer(most)), symbols)).falsified is None


def test_what_an_equation_makes_certain_is_reached_beyond_small_values() -> None:
    symbols = Symbols()
    x, y = symbols.integer("x"), symbols.integer("y")
    far = sequent([equal(y, mul(add(x, integer(10)), integer(1000)))], less_than(y, integer(9000)), symbols)
    assert check_on_box(far).falsified == {"x": -1, "y": 9000}


def test_equations_under_conditions_are_tried_and_not_believed() -> None:
    symbols = Symbols()
    b, x = symbols.truth("b"), symbols.integer("x", 0, 1 << 20)
    either_way = sequent([implies(b, equal(x, integer(777)))], implies(b, less_than(x, integer(777))), symbols)
    assert check_on_box(either_way).falsified == {"b": True, "x": 777}
    assert check_on_box(sequent([implies(b, equal(x, integer(777)))], equal(x, integer(777)), symbols)).falsified == {
        "b": False,
        "x": 0,
    }


def test_what_follows_from_what_is_assumed_is_used_and_no_more() -> None:
    symbols = Symbols()
    x, y = symbols.integer("x", 0, 9), symbols.integer("y", 0, 9)
    small = less_than(x, ONE)
    follows = sequent([small, implies(conjunction(small, equal(y, y)), equal(y, integer(9)))], NO, symbols)
    assert check_on_box(follows).falsified == {"x": 0, "y": 9}
    apart = sequent([implies(small, equal(y, integer(9)))], disjunction(negation(small), equal(y, integer(9))), symbols)
    assert check_on_box(apart).falsified is None
    assert check_on_box(sequent([disjunction(small, equal(y, integer(9)))], small, symbols)).falsified == {
        "x": 1,
        "y": 9,
    }


def test_where_what_is_shown_has_no_value_nothing_is_said() -> None:
    symbols = Symbols()
    x = symbols.integer("x")
    quotient = t.Operation(x.type, 0, 0, "floordiv", (ONE, x))
    assert check_on_box(sequent([], equal(quotient, integer(7)), symbols)).falsified == {"x": -1}
    assert check_on_box(sequent([equal(x, ZERO)], equal(quotient, integer(7)), symbols)).cases == 0
    assert check_on_box(sequent([equal(quotient, ONE)], compare("ne", x, ZERO), symbols)).falsified is None


def test_many_variables_are_thinned_and_the_smallest_kept() -> None:
    symbols = Symbols()
    many = [symbols.integer(f"x{i}", 0, 1 << 30) for i in range(12)]
    total: t.Term = ZERO
    for x in many:
        total = add(total, x)
    assert check_on_box(sequent([], at_least(total, ONE), symbols)).falsified == {x.name: 0 for x in many}
    assert check_on_box(sequent([equal(total, ZERO)], NO, symbols)).cases > 0
    assert check_on_box(sequent([], at_most(total, integer(36)), symbols)).cases > 100


def test_truth_values_take_both_values() -> None:
    symbols = Symbols()
    a, b = symbols.truth("a"), symbols.truth("b")
    assert check_on_box(sequent([a], b, symbols)).falsified == {"a": True, "b": False}
    assert check_on_box(sequent([a], choose(a, YES, b), symbols)) == check_on_box(
        sequent([a, disjunction(a, b)], a, symbols)
    )
    assert check_on_box(sequent([NO], NO, symbols)).cases == 0
