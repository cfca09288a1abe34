"""Valid certificates are accepted, and every change of a valid certificate is rejected."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoders.logic import certificates as verify
from encoders.logic.certificates import (  # fmt: skip
    Atom,
    Certificate,
    CertificateLemma,
    Formula,
    Malformed,
    Stream,
    Summand,
    Tree,
    VerifierSteps,
    is_closed,
    is_negative,
    problem,
    read_certificate,
    values,
)

NIM: Stream = ("xor", "x", "y")
ABOVE = Atom("le", ((1, "x"), (1, "y"), (-1, NIM)), 1)  # x + y + 1 <= x ^ y
ODD = Atom("eq", ((2, "x"), (-2, "y")), -1)  # 2x - 2y == 1
SMALLER, LARGER = Atom("le", ((1, "x"), (-1, "y")), 0), Atom("le", ((-1, "x"), (1, "y")), 1)  # x <= y, x > y
BY_STATES = Certificate(1, (ODD,), 1, (CertificateLemma((1,), ((-1,),)),), (1, -1, 0))
BY_SUM = Certificate(
    2,
    (SMALLER, LARGER),
    ("and", 1, 2),
    (CertificateLemma((1, 2), summands=(Summand(1, (0,), ()), Summand(1, (1,), ()))),),
    (1, (2, -1, 0), 0),
)
BY_TREE = Certificate(
    3,
    (SMALLER, LARGER),
    ("and", ("or", 1, 3), ("iff", 1, 3), 2),
    (*BY_SUM.lemmas, CertificateLemma((1,), tree=(2, -1, 0))),
    (1, -2, (3, 0, 0)),
)
HOLD = {"states": BY_STATES, "sum": BY_SUM, "tree": BY_TREE}


@pytest.mark.parametrize("certificate", HOLD.values(), ids=HOLD)
def test_what_holds_holds_as_it_is_written_too(certificate: Certificate) -> None:
    assert problem(certificate) == ""
    written = json.loads(json.dumps(certificate.to_json()))
    assert certificate.to_json() == written, "a tuple is no list"
    again = read_certificate(written)
    assert again == certificate
    assert problem(again) == ""


def changed(certificate: Certificate, place: int, lemma: CertificateLemma) -> Certificate:
    """Return the certificate with another lemma at a place."""
    lemmas = certificate.lemmas
    return replace(certificate, lemmas=(*lemmas[:place], lemma, *lemmas[place + 1 :]))


def with_tree(certificate: Certificate, tree: Tree) -> Certificate:
    return replace(certificate, tree=tree)


WIDE = Atom("eq", tuple((2, f"x{i}") for i in range(verify.MOST_VARIABLES + 1)), 1)
REFUSED: dict[str, tuple[Certificate, str]] = {
    "a state removed": (
        changed(BY_STATES, 0, replace(BY_STATES.lemmas[0], states=())),
        "lemma 1 is not shown: its states",
    ),
    "a state of another length": (
        changed(BY_STATES, 0, replace(BY_STATES.lemmas[0], states=((-1,), (-1, 0)))),
        "lemma 1 is not shown",
    ),
    "a state that accepts": (
        changed(BY_STATES, 0, replace(BY_STATES.lemmas[0], states=((-1,), (0,)))),
        "lemma 1 is not shown",
    ),
    "an atom's coefficient": (replace(BY_STATES, atoms=(replace(ODD, terms=((2, "x"), (-1, "y"))),)), "lemma 1"),
    "an atom's constant": (replace(BY_STATES, atoms=(replace(ODD, constant=-2),)), "lemma 1"),
    "an atom's kind": (replace(BY_STATES, atoms=(replace(ODD, kind="le"),)), "lemma 1"),
    "the sign of a literal": (changed(BY_STATES, 0, replace(BY_STATES.lemmas[0], literals=(-1,))), "lemma 1"),
    "a summand's coefficient": (
        changed(BY_SUM, 0, replace(BY_SUM.lemmas[0], summands=(Summand(2, (0,), ()), Summand(1, (1,), ())))),
        "lemma 1 is not shown: its sum is not a negative constant",
    ),
    "a summand removed": (changed(BY_SUM, 0, replace(BY_SUM.lemmas[0], summands=(Summand(1, (0,), ()),))), "lemma 1"),
    "a summand's place beyond the literals": (
        changed(BY_SUM, 0, replace(BY_SUM.lemmas[0], summands=(Summand(1, (0,), ()), Summand(1, (2,), ())))),
        "lemma 1",
    ),
    "a summand's place from the end": (
        changed(BY_SUM, 0, replace(BY_SUM.lemmas[0], summands=(Summand(1, (0,), ()), Summand(1, (-1,), ())))),
        "lemma 1",
    ),
    "a leaf that names no lemma": (with_tree(BY_SUM, (1, (2, -2, 0), 0)), "a leaf refers to lemma 2"),
    "a leaf above 0": (with_tree(BY_SUM, (1, (2, 1, 0), 0)), "a leaf refers to lemma -1"),
    "a leaf where the formula is not false": (
        with_tree(BY_SUM, (1, (2, 0, 0), 0)),
        "does not contradict the known literals (1, 2)",
    ),
    "a leaf where the formula is undecided": (with_tree(BY_SUM, 0), "does not contradict the known literals (none)"),
    "a leaf where half of the formula is known": (
        with_tree(BY_SUM, (1, 0, 0)),
        "does not contradict the known literals (1)",
    ),
    "a leaf where the lemma says nothing": (
        with_tree(BY_SUM, (1, (2, -1, -1), 0)),
        "lemma 1 does not contradict the known literals (1, -2)",
    ),
    "branches exchanged": (with_tree(BY_SUM, (1, 0, (2, -1, 0))), "a leaf is open"),
    "a lemma removed": (replace(BY_SUM, lemmas=()), "a leaf refers to lemma 1, which does not exist"),
    "another formula": (replace(BY_SUM, formula=("or", 1, 2)), "a leaf is open"),
    "a formula that is true": (replace(BY_SUM, formula=True), "a leaf is open"),
    "a split on no letter": (with_tree(BY_SUM, (0, 0, 0)), "the tree splits on 0"),
    "a split on a letter beyond": (
        with_tree(BY_SUM, (3, BY_SUM.tree, BY_SUM.tree)),
        "the tree splits on 3",
    ),
    "a split on a negation": (with_tree(BY_SUM, (-1, 0, (2, -1, 0))), "the tree splits on -1"),
    "fewer letters than atoms": (replace(BY_SUM, letters=1), "there are fewer letters than atoms"),
    "a lemma about a truth value": (
        changed(BY_TREE, 0, replace(BY_TREE.lemmas[0], literals=(1, 3))),
        "lemma 1 is not shown: a literal is not",
    ),
    "a lemma about letter 0": (
        changed(BY_SUM, 0, replace(BY_SUM.lemmas[0], literals=(1, 0))),
        "lemma 1 is not shown: a literal is not",
    ),
    "a lemma about a letter beyond": (
        changed(BY_SUM, 0, replace(BY_SUM.lemmas[0], literals=(1, 3))),
        "lemma 1 is not shown: a literal is not",
    ),
    "a tree of a lemma about no letter": (
        changed(BY_TREE, 1, replace(BY_TREE.lemmas[1], literals=(1, 4))),
        "lemma 2 is not shown: a literal is not",
    ),
    "a lemma whose tree names itself": (
        changed(BY_TREE, 1, replace(BY_TREE.lemmas[1], tree=-2)),
        "lemma 2 is not shown: a leaf refers to lemma 2",
    ),
    "a lemma whose tree names a later one": (
        replace(BY_TREE, lemmas=BY_TREE.lemmas[::-1]),
        "lemma 1 is not shown: a leaf refers to lemma 1",
    ),
    "a lemma by a tree with less to start from": (
        changed(BY_TREE, 1, replace(BY_TREE.lemmas[1], literals=())),
        "lemma 2 is not shown: a leaf",
    ),
    "a lemma that is not shown": (
        changed(BY_TREE, 1, replace(BY_TREE.lemmas[1], tree=None)),
        "lemma 2 is not shown: its states",
    ),
    "a lemma of too many variables": (
        Certificate(1, (WIDE,), 1, (CertificateLemma((1,), ((1,),)),), (1, -1, 0)),
        "lemma 1 is not shown: its states",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_changed_is_refused(case: str) -> None:
    certificate, words = REFUSED[case]
    assert words in problem(certificate)
    assert problem(read_certificate(json.loads(json.dumps(certificate.to_json())))) == problem(certificate)


def test_an_unequation_may_not_be_a_factor() -> None:
    """The literal x != 1 bounds x neither from below nor from above, so no product may contain it."""
    nonzero = (Atom("eq", ((1, "x"),), -1), False)
    assert not is_negative([nonzero], (Summand(-1, (0,), ()),), VerifierSteps())
    assert not is_negative([nonzero], (Summand(1, (0,), ()), Summand(-1, (), ("x",))), VerifierSteps())
    equal = (nonzero[0], True)
    assert not is_negative([equal], (Summand(1, (0,), ()), Summand(-1, (), ("x",))), VerifierSteps()), (
        "x is not at most 0"
    )
    small = (Atom("le", ((1, "x"),), 1), True)  # x + 1 <= 0
    assert is_negative([small], (Summand(1, (0,), ()), Summand(1, (), ("x",))), VerifierSteps())
    assert not is_negative([small], (Summand(0, (0,), ()),), VerifierSteps())


def test_what_differs_may_be_larger_or_smaller() -> None:
    """x != y and x < y hold at 0 and 1; x != -1 holds at all naturals."""
    unequal = (Atom("eq", ((1, "x"), (-1, "y")), 0), False)
    smaller = (Atom("le", ((1, "x"), (-1, "y")), 1), True)
    once = (Summand(1, (0,), ()), Summand(1, (1,), ()))
    assert not is_negative([unequal, smaller], once, VerifierSteps())
    assert is_negative([(unequal[0], True), smaller], once, VerifierSteps())
    negative = (Atom("eq", ((1, "x"),), 1), False)
    assert not is_negative([negative], (Summand(-1, (0,), ()), Summand(1, (), ("x",))), VerifierSteps())


def test_a_sum_that_is_not_negative_is_no_contradiction() -> None:
    """x <= y and y <= x + 3 hold together; so do x <= y and y <= x, whose sum is 0."""
    for further, excluded in ((3, False), (0, False), (-1, True)):
        literals = [(SMALLER, True), (Atom("le", ((-1, "x"), (1, "y")), -further), True)]
        assert is_negative(literals, (Summand(1, (0,), ()), Summand(1, (1,), ())), VerifierSteps()) is excluded


def test_what_is_not_at_most_0_is_at_least_1() -> None:
    """x <= y and not x <= y exclude each other, but not x <= y and x <= y + 1 hold together."""
    twice = (Summand(1, (0,), ()), Summand(1, (1,), ()))
    assert is_negative([(SMALLER, True), (SMALLER, False)], twice, VerifierSteps())
    assert not is_negative([(Atom("le", SMALLER.terms, -1), True), (SMALLER, False)], twice, VerifierSteps())


def test_a_product_with_a_difference_that_may_be_negative_has_no_sign() -> None:
    """x * (y - z) >= 0 needs a literal y >= z."""
    ahead = Atom("le", ((-1, "y"), (1, "z")), 0)
    behind = Atom("le", ((1, ("times", "x", "y")), (-1, ("times", "x", "z"))), 1)
    both = [(ahead, True), (behind, True)]
    assert is_negative(both, (Summand(1, (0,), ("x",)), Summand(1, (1,), ())), VerifierSteps())
    assert not is_negative(both, (Summand(1, (0,), ()), Summand(1, (1,), ())), VerifierSteps())
    assert not is_negative(both[1:], (Summand(1, (0,), ()), Summand(1, (), (("times", "x", "y"),))), VerifierSteps())


@pytest.mark.parametrize("field", ["letters", "atoms", "formula", "lemmas", "tree"])
def test_a_certificate_with_a_field_less_is_none(field: str) -> None:
    fields = BY_TREE.to_json()
    del fields[field]
    with pytest.raises(Malformed):
        read_certificate(fields)


def spoiled(change: Callable[[dict[str, list[object]]], object]) -> object:
    fields = json.loads(json.dumps(BY_TREE.to_json()))
    change(fields)
    return fields


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.update(letters=True),
        lambda f: f.update(letters="3"),
        lambda f: f.update(formula=["nor", 1, 2]),
        lambda f: f.update(formula=["iff", 1]),
        lambda f: f.update(formula=["not", 1, 2]),
        lambda f: f.update(formula=[]),
        lambda f: f.update(formula=["not", "x"]),
        lambda f: f.update(formula=["and", 1, "x"]),
        lambda f: f.update(formula=["and", "x", 1]),
        lambda f: f.update(formula=[{}, 1]),
        lambda f: f.update(formula=1.5),
        lambda f: f.update(tree=None),
        lambda f: f.update(tree=[1, 0]),
        lambda f: f.update(tree=[True, 0, 0]),
        lambda f: f.update(tree=[1, False, 0]),
        lambda f: f.update(tree=["x", 0, 0]),
        lambda f: f.update(tree=[[1, 0, 0], 0, 0]),
        lambda f: f["atoms"].append(["lt", [[1, "x"]], 0]),
        lambda f: f["atoms"].append(["le", [[1, ["plus", "x", "y"]]], 0]),
        lambda f: f["atoms"].append(["le", [[1, ["xor", "x"]]], 0]),
        lambda f: f["atoms"].append(["le", [[1, ["xor", "x", 1]]], 0]),
        lambda f: f["atoms"].append(["le", [[1, ["xor", 1, "x"]]], 0]),
        lambda f: f["atoms"].append(["le", [[1.0, "x"]], 0]),
        lambda f: f["lemmas"].append({"literals": [1]}),
        lambda f: f["lemmas"].append({"literals": [1], "states": [], "sum": []}),
        lambda f: f["lemmas"].append({"literals": [1], "states": [[1.5]]}),
        lambda f: f["lemmas"].append({"literals": [1], "tree": "x"}),
        lambda f: f["lemmas"].append({"states": [], "sum": []}),
        lambda f: f["lemmas"].append(["literals", "states"]),
        lambda f: f["lemmas"].append([]),
    ],
)
def test_what_is_no_certificate_is_refused_before_it_is_looked_at(
    change: Callable[[dict[str, list[object]]], object],
) -> None:
    with pytest.raises(Malformed):
        read_certificate(spoiled(change))


@pytest.mark.parametrize("fields", [[], "certificate", 1, None])
def test_a_certificate_is_a_table(fields: object) -> None:
    with pytest.raises(Malformed):
        read_certificate(fields)


# -- depth ------------------------------------------------------------------------------------------------------------
def nested_tree(depth: int) -> Tree:
    tree: Tree = (2, -1, 0)
    for _ in range(depth - 2):
        tree = (2, tree, 0)
    return tree


@pytest.mark.parametrize("depth", [100, 148, 20_000])
def test_what_is_nested_too_deeply_is_refused_in_words(depth: int) -> None:
    formula: Formula = ("and", 1, 2)
    for _ in range(depth):
        formula = ("not", formula)
    deep = with_tree(BY_SUM, (1, nested_tree(depth), 0))
    for certificate in (
        deep,
        replace(BY_SUM, formula=formula),
        changed(BY_TREE, 1, replace(BY_TREE.lemmas[1], tree=nested_tree(depth))),
    ):
        said = problem(certificate)
        assert said == ("" if depth < 149 else f"it has more than {verify.MOST_DEPTH} nested levels")
        if depth < 149:
            assert read_certificate(json.loads(json.dumps(certificate.to_json()))) == certificate


# -- against brute force ----------------------------------------------------------------------------------------------
LETTERS = st.integers(1, 4)
FORMULAS: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(LETTERS, st.booleans()),
    lambda f: st.one_of(
        st.tuples(st.just("not"), f),
        st.tuples(st.just("iff"), f, f),
        st.tuples(st.sampled_from(["and", "or"]), f, f),
        st.tuples(st.sampled_from(["and", "or"]), f, f, f),
        st.tuples(st.sampled_from(["and", "or"])),
    ),
    max_leaves=8,
)


def meaning(formula: Formula, values: dict[int, bool]) -> bool:
    match formula:
        case bool():
            return formula
        case int():
            return values[formula]
        case "not", f:
            return not meaning(f, values)
        case "iff", f, g:
            return meaning(f, values) is meaning(g, values)
        case "and", *parts:
            return all(meaning(f, values) for f in parts)
        case "or", *parts:
            return any(meaning(f, values) for f in parts)
    raise AssertionError


@settings(deadline=None)
@given(FORMULAS, st.lists(st.dictionaries(LETTERS, st.booleans()), max_size=4))
@pytest.mark.slow
def test_a_value_is_that_whatever_the_other_letters_are(formula: Formula, rows: list[dict[int, bool]]) -> None:
    every = [dict(zip(range(1, 5), bits, strict=True)) for bits in product((False, True), repeat=4)]
    for found, known in zip(values(formula, rows), rows, strict=True):
        meanings = {meaning(formula, v) for v in every if all(v[x] is known[x] for x in known)}
        assert found is None or meanings == {found}
        if len(known) == 4:
            assert {found} == meanings


def test_a_lemma_of_states_by_hand() -> None:
    """x ^ y <= x + y: the carry of x + y + 1 - (x ^ y) - 1 is always 0 or 1."""
    assert is_closed([(ABOVE, True)], ((0,), (1,)), VerifierSteps())
    assert not is_closed([(ABOVE, True)], ((0,),), VerifierSteps())
    assert not is_closed([(ABOVE, True)], ((1,),), VerifierSteps())
    assert not is_closed([(ABOVE, False)], ((0,), (1,)), VerifierSteps())
