"""Whatever parts of the engine lie, it proves nothing false: solvers, its search, its trees."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from proofs import settle_changed
from random_terms import apply, variable

from checks.results.verdicts import Verdict
from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT
from encoders.logic.answer import ObligationStatus
from encoders.logic.certificates import CertificateLemma, Literal, Summand, problem
from encoders.logic.sequents import (
    NO,
    ONE,
    ZERO,
    Sequent,
    Symbol,
    add,
    at_least,
    at_most,
    compare,
    equal,
    less_than,
    mul,
)
from encoders.solvers import automaton as engine
from encoders.solvers import discharge as discharging
from encoders.solvers.automaton import Letters, NaturalsSolver, fails_at, settle
from encoders.solvers.discharge import BoxCheck, discharge
from encoders.solvers.effort import USUAL
from encoders.solvers.proposals import Oracle, Sums, WordOracle
from encoders.solvers.solver import Limits, SolverStatus
from encoders.solvers.tree import Closed

X, H = variable("x"), variable("h")
NIM = apply("nim", X, H)
LIMITS = Limits(1_000_000, 17)
Patch = pytest.MonkeyPatch


def over_naturals(show: t.Term, *assume: t.Term) -> Sequent:
    return Sequent("o", (Symbol("x", INT, 0), Symbol("h", INT, 0)), assume, show)


TRUE = over_naturals(at_most(NIM, add(X, H)))
OF_PRODUCTS = over_naturals(at_least(mul(X, H), mul(X, X)), at_least(H, X))
FALSE = {
    "what is plainly false": over_naturals(NO),
    "two numbers": over_naturals(equal(X, H)),
    "a nim-sum": over_naturals(compare("ne", NIM, ONE)),
    "a nim-sum where something is assumed": over_naturals(compare("ne", NIM, ONE), compare("ne", X, ZERO)),
    "a sum": over_naturals(less_than(NIM, add(X, H)), at_least(H, ONE)),
    "a product": over_naturals(at_least(H, mul(X, X)), at_least(H, X)),
}


# -- lies -------------------------------------------------------------------------------------------------------------
def letters(patch: Patch) -> None:
    """No truth values are left, and everything that was asserted is needed for this."""
    patch.setattr(Letters, "model", lambda _: None)
    patch.setattr(Letters, "core", lambda x: (frozenset(range(len(x.marks))), frozenset(range(len(x.lemmas)))))


def letters_without_any(patch: Patch) -> None:
    """No truth values are left, whatever is asserted."""
    patch.setattr(Letters, "model", lambda _: None)
    patch.setattr(Letters, "core", lambda _: (frozenset(), frozenset()))


def literals_of(kind: type[Oracle], most: int | None = None) -> Callable[[Patch], None]:
    """Return a lie: all literals, or the first few, exclude each other."""
    honest = kind._core

    def core(oracle: Oracle, literals: Sequence[Literal]) -> list[Literal] | None:
        return list(literals)[:most] if literals else honest(oracle, literals)

    return lambda patch: patch.setattr(kind, "_core", core)


def numbers(patch: Patch) -> None:
    """All literals hold together, at invented numbers."""
    patch.setattr(Oracle, "_core", lambda *_: None)
    patch.setattr(Oracle, "values", lambda _, streams: {s: 7 + i for i, s in enumerate(streams)})


def automaton(patch: Patch) -> None:
    """No literals hold together; only the first state of their automaton is returned."""
    literals_of(Oracle)(patch)
    patch.setattr(engine, "explore", lambda core, _: (tuple(a.constant - (a.kind == "le") for a, _ in core),))


def stateless(patch: Patch) -> None:
    literals_of(Oracle)(patch)
    patch.setattr(engine, "explore", lambda core, _: ())


def refute(_: object, nodes: Sequence[int], __: object) -> Closed | None:
    """The literals add up to a negative number."""
    if not nodes:
        return None
    summands = tuple(Summand(1, (i,), ()) for i, _ in enumerate(nodes))
    return Closed(frozenset(nodes), CertificateLemma(tuple(nodes), summands=summands))


def integers(patch: Patch) -> None:
    literals_of(Oracle)(patch)
    patch.setattr(engine, "MANY", 0)
    patch.setattr(engine, "refute_integers", refute)


def equations(patch: Patch) -> None:
    """Tell the same lie about literals that neither sums nor a small automaton exclude."""
    literals_of(Oracle)(patch)
    patch.setattr(engine, "MANY", 1_000)
    patch.setattr(engine, "FEW_STATES", 0)
    patch.setattr(engine, "refute_integers", lambda *_: None)
    patch.setattr(engine, "refute_by_equal", refute)


def products(patch: Patch) -> None:
    """No numbers are correct, and the literals add up to a negative number."""
    patch.setattr(engine, "are_right", lambda *_: False)
    patch.setattr(engine, "refute_products", refute)


def trees(patch: Patch) -> None:
    """A tree of one leaf closes everything."""
    letters(patch)
    patch.setattr(engine, "build_tree", lambda *_: (0, ()))


def circles(patch: Patch) -> None:
    """A lemma without literals rests on itself."""
    letters(patch)
    patch.setattr(engine, "build_tree", lambda *_: (-1, (CertificateLemma((), tree=-1),)))


LIES: Mapping[str, tuple[Callable[[Patch], None], ...]] = {
    "letters": (letters,),
    "letters, of which none is needed": (letters_without_any,),
    "sums": (literals_of(Sums),),
    "words": (literals_of(WordOracle),),
    "sums and words": (literals_of(Oracle),),
    "one literal is false": (literals_of(Oracle, 1),),
    "two literals exclude each other": (literals_of(WordOracle, 2),),
    "no literals are needed": (literals_of(Oracle, 0),),
    "letters, sums and words": (letters, literals_of(Oracle)),
    "numbers": (numbers,),
    "automaton": (automaton,),
    "no states": (stateless,),
    "integers": (integers,),
    "equations": (equations,),
    "products": (products,),
    "trees": (trees,),
    "circles": (circles,),
}


@pytest.fixture(params=LIES)
def lies(request: pytest.FixtureRequest, monkeypatch: Patch) -> str:
    """No earlier proof is cached, and no box is evaluated: only the engine can reject a sequent."""
    monkeypatch.setattr(discharging, "_proved", {})
    monkeypatch.setattr(discharging, "check_on_box", lambda _: BoxCheck(1))
    for lie in LIES[request.param]:
        lie(monkeypatch)
    name: str = request.param
    return name


@pytest.mark.usefixtures("lies")
@pytest.mark.parametrize("case", FALSE)
def test_what_is_false_is_not_proved_by_a_lie(case: str) -> None:
    sequent = FALSE[case]
    found = NaturalsSolver().check(sequent, LIMITS)
    assert found.certificate is None
    assert found.found is SolverStatus.UNKNOWN or (
        found.found is SolverStatus.FAILS and fails_at(sequent, found.values)
    )


@pytest.mark.usefixtures("lies")
@pytest.mark.parametrize("case", [x for x in FALSE if x != "a product"])
def test_what_is_false_is_not_discharged_by_a_lie(case: str) -> None:
    """Products are excluded here: sequents beyond certificates are left to solvers, which are trusted."""
    found = discharge(FALSE[case], USUAL, None)
    assert found.result in (ObligationStatus.UNKNOWN, ObligationStatus.FAILED)
    assert found.certificate is None


@pytest.mark.usefixtures("lies")
@pytest.mark.parametrize("sequent", [TRUE, OF_PRODUCTS])
def test_what_is_true_is_certified_or_unknown_whatever_lies_are_told(sequent: Sequent) -> None:
    found = settle(sequent)
    assert found.certificate is None or problem(found.certificate) == ""
    assert NaturalsSolver().check(sequent, LIMITS).found in (SolverStatus.PROVED, SolverStatus.UNKNOWN)


@pytest.mark.slow
def test_a_lie_is_noticed_where_it_is_told() -> None:
    """Each lie prevents a proof of something true, or is detected; each is used."""
    for name, every in LIES.items():
        with pytest.MonkeyPatch.context() as patch:
            for lie in every:
                lie(patch)
            reasons = [settle(x).reason for x in (*FALSE.values(), TRUE, OF_PRODUCTS)]
        assert any(reasons), name


def test_a_solver_that_lies_is_not_heard_for_ever(monkeypatch: Patch) -> None:
    literals_of(Oracle)(monkeypatch)
    found = settle(FALSE["a nim-sum"])
    assert found.reason.startswith("the values that satisfy some comparisons need more than ")
    assert found.reason.endswith(" bits")


# -- a claim ----------------------------------------------------------------------------------------------------------
ELSEWHERE = (
    ('"iff(not wins(s), nim_sum(s) == 0)"', '"iff(not wins(s), nim_sum(s) == 0 or nim_sum(s) == 1000)"'),
    ('mover = "X == 0"', 'mover = "X == 0 or X == 1000"'),
    ('when = "X != 0"', 'when = "X != 0 and X != 1000"'),
)


def test_a_false_claim_is_not_green_by_a_lie(lies: str, tmp_path: Any) -> None:
    """The claim is Bouton's theorem with wrong P-positions, beyond the positions in the scope."""
    found = settle_changed(tmp_path, "nim/bouton", *ELSEWHERE, anew=True)
    assert found.verdict is not Verdict.PROVED


@pytest.mark.parametrize("changes", [(), ELSEWHERE], ids=["true", "false"])
def test_without_a_lie_the_engine_alone_tells_them_apart(
    changes: tuple[tuple[str, str], ...], tmp_path: Any, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(discharging, "_proved", {})
    monkeypatch.setattr(discharging, "check_on_box", lambda _: BoxCheck(1))
    found = settle_changed(tmp_path, "nim/bouton", *changes, anew=True)
    assert (found.verdict is Verdict.PROVED) is not bool(changes)
