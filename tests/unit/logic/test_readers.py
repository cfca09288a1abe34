"""The translation of a claim's terms into a sequent preserves their meaning, given the side conditions."""

import pytest
from hypothesis import given, settings
from random_terms import RANGES, numbers, truths, values_of, variable

from claims.language.syntax import terms as t
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION, list_of
from encoders.logic.definedness import DefinednessCondition, Guard, Over
from encoders.logic.reader import Entailment, Env, SequentReader
from encoders.logic.sequents import NO, ONE, YES, ZERO, add, at_least, conjunction, equal, implies, integer, less_than
from encoders.refusals import Unsupported
from encoders.trust import Reason

RANDOM = settings(max_examples=80, derandomize=True, deadline=None)
AS_THEY_ARE: Env = {name: variable(name) for name in RANGES}
X, H, P, Q = variable("x"), variable("h"), variable("p"), variable("not")


@RANDOM
@given(truths(2, words=True), numbers(2, words=True))
@pytest.mark.slow
def test_what_is_read_means_what_was_written(condition: t.Term, number: t.Term) -> None:
    reader = SequentReader()
    for before, after, value, read in values_of(
        condition, reader.truth(condition, AS_THEY_ARE), number, reader.number(number, AS_THEY_ARE)
    ):
        assert before == after
        assert value == read


def test_a_variable_stands_for_what_it_is_said_to() -> None:
    reader, env = SequentReader(), {"a": add(H, ONE), "b": at_least(H, ONE)}
    a, b = t.Variable(INT, 0, 0, "a"), t.Variable(BOOL, 0, 0, "b")
    assert print_term(reader.number(add(a, a), env)) == "h + 1 + (h + 1)"
    assert print_term(reader.truth(conjunction(b, b), env)) == "h >= 1 and h >= 1"
    for kind in (INT, BOOL):
        unknown = t.Variable(kind, 0, 0, "c")
        with pytest.raises(Unsupported, match="c has no translation into a proof"):
            (reader.number if kind == INT else reader.truth)(unknown, env)


def player(name: str) -> t.Variable:
    return t.Variable(PLAYER, 0, 0, name)


@pytest.mark.parametrize("op", ["eq", "ne"])
@pytest.mark.parametrize(("a", "b"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_players_are_told_apart_outright(op: str, a: int, b: int) -> None:
    env: Env = {"a": a, "b": b, "c": ONE}
    said = t.Operation(BOOL, 0, 0, op, (player("a"), player("b")))
    assert SequentReader().truth(said, env) is (YES if (a == b) is (op == "eq") else NO)
    written = t.Operation(BOOL, 0, 0, op, (player("a"), t.Literal(PLAYER, 0, 0, b)))
    assert SequentReader().truth(written, env) is (YES if (a == b) is (op == "eq") else NO)
    for other in ("c", "d"):
        with pytest.raises(Unsupported, match="must be given by name"):
            SequentReader().player(player(other), env)


def test_each_hypothesis_of_a_claim_is_assumed_with_its_text() -> None:
    reader = SequentReader()
    first, second = at_least(X, ONE), at_least(H, X)
    reader.assume_hypotheses(conjunction(first, second), AS_THEY_ARE)
    assert [(h.words, print_term(h.term)) for h in reader.hypotheses] == [("x >= 1", "x >= 1"), ("h >= x", "h >= x")]
    reader.assume(Reason.DOMAIN, P)
    posed = reader.sequent("o", Entailment((Q,), X))
    assert list(map(print_term, posed.premises)) == ["not", "p", "x >= 1", "h >= x"]
    assert posed.show is X


def test_what_a_lemma_says_is_assumed_in_its_name() -> None:
    reader = SequentReader()
    reader.lemmas = {"nim/one": [P, Q], "nim/none": []}
    posed = reader.sequent("o", Entailment((), X))
    assert posed.lemmas == (("nim/one", (P, Q)),)
    assert posed.premises == (P, Q)


# -- definedness ------------------------------------------------------------------------------------------------------
class Owing(SequentReader):
    """A reader in which len of a position is 3 if x >= 2, and min cannot be translated but requires p first."""

    def about_number(self, term: t.Term, env: Env) -> t.Term:
        if isinstance(term, t.Operation) and term.op == "len":
            self.side_conditions.append(at_least(X, integer(2)))
            return integer(3)
        self.side_conditions.append(P)
        return super().about_number(term, env)


S = t.Variable(POSITION, 0, 0, "s")
LENGTH, LEAST = (t.Operation(INT, 0, 0, op, (S,)) for op in ("len", "min"))
NEVER = equal(LEAST, ZERO)


def element(source: t.Term | None, env: Env) -> tuple[object, t.Term]:
    return H, at_least(H, ONE if source is None else integer(2))


def inside(h: t.Term, x: t.Term) -> t.Term:
    return conjunction(at_least(h, integer(2)), at_least(x, h))


RANGE = t.Operation(list_of(INT), 0, 0, "range", (ZERO, ONE))
G = t.Variable(INT, 0, 0, "g")
ENOUGH = at_least(X, integer(2))


def asks(holds: t.Term, *path: t.Term | Over) -> DefinednessCondition:
    return DefinednessCondition("", tuple(x if isinstance(x, Over) else Guard(x) for x in path), holds)


@pytest.mark.parametrize(
    ("needs", "means"),
    [
        ([], YES),
        ([asks(P)], P),
        ([asks(P), asks(Q)], conjunction(P, Q)),
        ([asks(Q, P)], implies(P, Q)),
        ([asks(ENOUGH, P, Q)], implies(conjunction(P, Q), ENOUGH)),
        ([asks(Q, P), asks(P)], conjunction(implies(P, Q), P)),
        # a bound variable of a requirement is any element of its source
        ([asks(at_least(G, ONE), Over("g", None))], YES),
        ([asks(at_least(G, integer(2)), Over("g", None))], implies(at_least(H, ONE), at_least(H, integer(2)))),
        ([asks(at_least(G, integer(2)), Over("g", RANGE))], YES),
        ([asks(less_than(G, X), Over("g", RANGE), at_least(X, G))], implies(inside(H, X), less_than(H, X))),
        # a guard that cannot be translated is not assumed, and requires nothing
        ([asks(Q, NEVER)], Q),
        ([asks(Q, P, NEVER)], implies(P, Q)),
        # a side condition is shown under the path so far, before its term is assumed
        ([asks(at_least(LENGTH, integer(3)))], ENOUGH),
        ([asks(at_least(LENGTH, integer(3)), P)], implies(P, ENOUGH)),
        ([asks(Q, less_than(LENGTH, ZERO))], ENOUGH),
        ([asks(Q, P, less_than(LENGTH, ZERO))], implies(P, ENOUGH)),
        ([asks(Q, at_least(LENGTH, ZERO))], conjunction(ENOUGH, Q)),
    ],
)
def test_what_is_needed_is_shown_where_its_path_leads(needs: list[DefinednessCondition], means: t.Term) -> None:
    reader = Owing()
    reader.side_conditions.append(NO)  # from an earlier term, independent of the requirements
    for found, expected in values_of(reader.require_defined(needs, AS_THEY_ARE, element), means):
        assert bool(found) is bool(expected)
    assert reader.side_conditions == [NO]


def test_what_is_needed_has_to_be_read() -> None:
    reader = Owing()
    with pytest.raises(Unsupported, match="has no translation"):
        reader.require_defined([asks(NEVER)], AS_THEY_ARE, element)
    assert not reader.side_conditions
