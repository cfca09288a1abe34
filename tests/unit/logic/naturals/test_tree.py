"""Trees of case distinctions exist if and only if there is no model, and are never too deep to read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_terms import apply

from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL
from encoders.logic.certificates import MOST_DEPTH, Certificate, Tree, problem, values
from encoders.logic.natural_formulas import FALSE, TRUE, Formulas, Problem
from encoders.logic.sequents import Sequent, Symbol
from encoders.solvers import tree as trees
from encoders.solvers.automaton import NESTED, NaturalsSolver, Refuted, certify, settle
from encoders.solvers.solver import Limits, SolverStatus
from encoders.solvers.tree import Closed, TreeTooLarge, build_tree

LIMITS = Limits(1_000_000, 17)
DEEP = f"the certificate is invalid: it has more than {MOST_DEPTH} nested levels"


def certified(formulas: Formulas, parts: Sequence[int], learnt: Sequence[Closed] = ()) -> Certificate:
    """Return a certificate, valid or not, that the parts exclude each other. Raises TreeTooLarge."""
    shared, definitions = formulas.share(parts)
    whole = Problem(formulas, shared, (), definitions, {}, {})
    return certify(whole, Refuted(frozenset(range(len(whole.parts))), tuple(learnt)))


def named(tree: Tree) -> Iterator[int]:
    """Yield the lemmas in its leaves."""
    if isinstance(tree, tuple):
        for x in tree[1:]:
            yield from named(x)
    elif tree:
        yield -tree


# -- found if and only if there is no model ---------------------------------------------------------------------------
@settings(max_examples=settings().max_examples // 4, deadline=None)
@given(st.data())
@pytest.mark.slow
def test_a_tree_is_found_just_where_there_is_no_model(data: st.DataObject) -> None:
    formulas = Formulas()
    letters = [formulas.truth(name) for name in "abcde"]
    known = list(letters)
    signs = st.sampled_from([1, -1])
    for _ in range(12):
        drawn = data.draw(st.lists(st.tuples(st.sampled_from(known), signs), min_size=2, max_size=3))
        places = [x * sign for x, sign in drawn]
        made = formulas.same(*places[:2]) if data.draw(st.booleans()) else formulas.conjunction(places)
        if abs(made) != TRUE:
            known.append(abs(made))
    parts = [x * data.draw(signs) for x in known[-data.draw(st.integers(2, 8)) :]]
    numbers = {x: i for i, x in enumerate(letters, 1)}
    written = [formulas.write(x, numbers) for x in parts]
    rows = [dict(zip(range(1, 6), bits, strict=True)) for bits in product((False, True), repeat=5)]
    if any(map(all, zip(*(values(x, rows) for x in written), strict=True))):
        if formulas.conjunction(parts) != FALSE:
            with pytest.raises(TreeTooLarge, match="and there is no contradiction"):
                build_tree(formulas, parts, (), {})
    else:
        certificate = certified(formulas, parts)
        assert problem(certificate) == ""


# -- shared subtrees --------------------------------------------------------------------------------------------------
def pigeons(formulas: Formulas, holes: int) -> list[int]:
    """Return the pigeonhole principle: each pigeon sits in a hole, no two in one, with one pigeon too many."""
    sits = [[formulas.truth(f"{i} in {j}") for j in range(holes)] for i in range(holes + 1)]
    alone = [-formulas.conjunction((a[j], b[j])) for a, b in combinations(sits, 2) for j in range(holes)]
    return [*map(formulas.disjunction, sits), *alone]


def test_what_is_closed_in_several_places_is_a_lemma_named_by_later_ones() -> None:
    formulas = Formulas()
    certificate = certified(formulas, pigeons(formulas, 4))
    assert problem(certificate) == ""
    by_trees = [(i, x) for i, x in enumerate(certificate.lemmas, 1) if x.tree is not None]
    assert len(by_trees) > 3
    times = Counter(named(certificate.tree))
    for i, lemma in by_trees:
        assert lemma.tree is not None
        below = list(named(lemma.tree))
        assert all(j < i for j in below)
        times.update(below)
    assert all(times[i] > 1 for i, _ in by_trees), "what stands in one place stands there"


def test_a_pigeon_less_has_no_tree() -> None:
    formulas = Formulas()
    with pytest.raises(TreeTooLarge):
        build_tree(formulas, pigeons(formulas, 4)[1:], (), {})


# -- limits -----------------------------------------------------------------------------------------------------------
def truths(length: int) -> list[t.Variable]:
    return [t.Variable(BOOL, 0, 0, f"p{i}") for i in range(length)]


def follows(pairs: Iterable[tuple[t.Variable, t.Variable]], every: Sequence[t.Variable], begun: bool) -> Sequent:
    """Return a sequent: the first is true and each pair is an implication, so the last is true."""
    steps = (t.AnyOf(BOOL, 0, 0, (apply("not", a), b)) for a, b in pairs)
    assumed = (*every[:begun], *steps)
    return Sequent("o", tuple(Symbol(x.name, BOOL) for x in every), assumed, every[-1])


def chain(length: int, begun: bool) -> Sequent:
    """Return the sequent in which each follows from the one before it."""
    every = truths(length)
    return follows(pairwise(every), every, begun)


def fan(length: int, begun: bool) -> Sequent:
    """Return the sequent in which each follows from the first."""
    every = truths(length)
    return follows(((every[0], x) for x in every[1:]), every, begun)


@pytest.mark.parametrize(
    ("sequent", "reasons"),
    [
        (chain(100, True), ()),
        (chain(200, True), (DEEP,)),
        (chain(1100, True), (DEEP, NESTED)),  # the result depends on the remaining stack
        (fan(3000, True), ()),
    ],
    ids=["few", "hundreds", "a thousand", "thousands at once"],
)
@pytest.mark.slow
def test_letters_that_force_each_other_are_a_proof_or_a_limit_that_is_told(
    sequent: Sequent, reasons: tuple[str, ...]
) -> None:
    found = NaturalsSolver().check(sequent, LIMITS)
    assert found.found is (SolverStatus.UNKNOWN if reasons else SolverStatus.PROVED)
    assert found.reason in (reasons or ("",))
    if not reasons:
        assert found.certificate is not None
        assert problem(found.certificate) == ""


@pytest.mark.parametrize("sequent", [chain(3000, False), fan(3000, False)], ids=["one by one", "at once"])
@pytest.mark.slow
def test_thousands_of_letters_of_which_none_is_forced_prove_nothing(sequent: Sequent) -> None:
    found = NaturalsSolver().check(sequent, LIMITS)
    assert found.found is SolverStatus.FAILS
    assert found.values["p2999"] is False


def test_a_tree_of_too_many_nodes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MOST_NODES", 20)
    found = settle(chain(30, True))
    assert (found.certificate, found.reason) == (None, "the tree of case distinctions has more than 20 nodes")
