"""Proofs that are wrong: none is green, and each is told in the right words."""

from typing import Any

import pytest
from proofs import rests

from checks.results.verdicts import Verdict

FALSE_INVARIANTS = [
    (
        "nim/bouton",
        ('mover = "X == 0"', 'mover = "X <= 1"'),
        "closed",
        "confirms that the invariant is wrong, first at s = (1)",
    ),
    ("nim/bouton", ('mover = "X == 0"', 'mover = "False"'), "cases cover", "wrong, first at s = ()"),
    (
        "nim/misere",
        ('big == 0 and ones % 2 == 1"\n\n[[', 'big == 0 and ones % 2 == 0"\n\n[['),
        "",
        "the invariant is wrong",
    ),
    (
        "kl-nim/theorem-14",
        ('P2 = "c == 0 and X == 0"', 'P2 = "X == 0"'),
        "closed (P1 to move)",
        "confirms that the invariant of P2 is wrong, first at k = 1, l = 2, s = (1, 1)",
    ),
    ("kl-nim/theorem-6", ('value = "k*q + r"', 'value = "k*q + r + e"'), "", "confirms that the closed form is wrong"),
    ("kl-nim/theorem-6", ('heap = "2*k*q + k*e + r"', 'heap = "2*k*q + k*e + 2*r"'), "digits of the next heap", ""),
    ("large-nim/theorem-3", ("(0 if least == 1", "(1 if least == 1"), "", "confirms that the formula is wrong"),
    ("large-nim/theorem-3", ('else heaps - 1 - times)"""', 'else heaps - times)"""'), "", "the formula is wrong"),
]


@pytest.mark.parametrize(("id", "change", "where", "why"), FALSE_INVARIANTS)
@pytest.mark.slow
def test_a_wrong_invariant_is_no_proof_and_is_shown_to_be_wrong(
    settled: Any, id: str, change: tuple[str, str], where: str, why: str
) -> None:
    result = settled(id, change)
    words = rests(result)
    assert "a proof beyond the scope" in words
    assert f": {where}" in words
    assert "fails at" in words
    assert why in words


WRONG_REPLIES = [
    (
        "nim/bouton",
        ('take = { m = "h - (h ^ X)" }', 'take = { m = "h" }'),
        "reply 1: leads to a loss",
        "number 1 is wrong",
    ),
    ("nim/bouton", ('take = { m = "h - (h ^ X)" }', 'take = { m = "h ^ X" }'), "reply 1", "number 1 is wrong"),
    (
        "nim/bouton",
        ('heap = "top bit of X"', 'heap = "any"'),
        "reply 1",
        "[[proof.moves]] number 1 is wrong, first at s =",
    ),
    (
        "kl-nim/theorem-14",
        ('take = { m = "l - k" }', 'take = { m = "h - r" }'),
        "reply 3 (P2 to move): legal",
        "is wrong",
    ),
    (
        "kl-nim/theorem-14",
        ('when = "c == 1 and r < k and g - r != l"', 'when = "c == 1 and r < k"'),
        "reply 2 (P2 to move): legal",
        "number 4 is wrong, first at k = 1, l = 2, s = (2)",
    ),
    (
        "kl-nim/theorem-14",
        ('when = "c >= 2 and bigger > 0"', 'when = "c == 2 and bigger > 0"'),
        "cases cover (P2 to move)",
        "[[proof.moves]] of P2 has no case",
    ),
    ("kl-nim/theorem-14", ('heap = "any with h < k"', 'heap = "any with h > k"'), "reply 7 (P2 to move): heap", ""),
    (
        "kl-nim/theorem-6",
        ('digits = { q = "a", e = "0", r', 'digits = { q = "a", e = "1", r'),
        "option 1: legal",
        "[[proof.options]] number 1 is wrong, first at k =",
    ),
    (
        "kl-nim/theorem-6",
        ('digits = { q = "a", e = "0", r = "b" }', 'digits = { q = "a", e = "0", r = "0" }'),
        "option 1: value",
        "[[proof.options]] number 1 is wrong, first at k =",
    ),
    (
        "large-nim/theorem-3",
        ('becomes = "0 if largest == 1 else 1"', 'becomes = "0"'),
        "option 2: attains",
        "[[proof.options]] number 2 is wrong, first at n = 3, s = (1, 2)",
    ),
]


@pytest.mark.parametrize(("id", "change", "where", "why"), WRONG_REPLIES)
@pytest.mark.slow
def test_a_wrong_reply_is_no_proof_and_is_named(
    settled: Any, id: str, change: tuple[str, str], where: str, why: str
) -> None:
    words = rests(settled(id, change))
    assert f": {where}" in words
    assert why in words


@pytest.mark.parametrize(
    ("old", "new", "where", "why"),
    [
        (
            "2 if x1 < x2 == x3 == x4 else",
            "2 if x1 <= x2 == x3 == x4 else",
            "least",
            "the formula is wrong, first at s = (1, 1, 1, 1)",
        ),
        (
            "or 1 < x1 == x2 == x3 else 1",
            "or 1 <= x1 == x2 == x3 else 1",
            "",
            "the formula is wrong, first at s = (1, 1, 1, 1)",
        ),
        ("else 2 - times) if heaps == 3", "else 1 - times) if heaps == 3", "range", "the formula is wrong"),
        ("(x2 == x3 < x4 or x2 < x3)", "x2 < x3", "option 4: attains", "number 4 is wrong, first at s = (1, 2, 2, 3)"),
        (
            'region = "heaps <= 4"',
            'region = "heaps == 4"',
            "region closed",
            "the region is left by a move, first at s = (1, 1, 1, 1)",
        ),
        ('region = "heaps <= 4"', 'region = "heaps <= 5"', "", "is right for s: at most 4 heaps"),
        ("sorted = 4", "sorted = 5", "proved", ""),
    ],
)
@pytest.mark.slow
def test_the_formula_for_four_heaps(settled: Any, old: str, new: str, where: str, why: str) -> None:
    result = settled("large-nim/equation-5", (old, new))
    if where == "proved":
        assert result.verdict is Verdict.PROVED
    else:
        assert f": {where}" in rests(result) and why in rests(result)


@pytest.mark.slow
def test_a_false_fact_is_no_fact(settled: Any) -> None:
    words = rests(settled("kl-nim/theorem-14", ('"bigger <= c"', '"c <= bigger"')))
    assert ": fact 'one large heap', one more heap: fails at" in words  # facts are proved together


def test_a_fact_that_contradicts_itself_proves_nothing(settled: Any) -> None:
    words = rests(settled("nim/bouton", ("[proof.loses]", '[proof.facts]\nabsurd = "X < 0"\n\n[proof.loses]')))
    assert ": fact 'absurd', no heap" in words


@pytest.mark.parametrize("rule", ['rule = "folds"\n', ""])
def test_a_proof_by_folds_may_name_its_rule(settled: Any, rule: str) -> None:
    result = settled("nim/bouton", ('[proof]\nrule = "folds"\n', f"[proof]\n{rule}"))
    assert result.verdict is Verdict.PROVED


@pytest.mark.parametrize("named", ["grundy", "value", "cases"])
def test_a_proof_is_read_by_the_rule_that_it_names(settled: Any, named: str) -> None:
    result = settled("nim/bouton", ('[proof]\nrule = "folds"\n', f'[proof]\nrule = "{named}"\n'))
    assert result.verdict is Verdict.ERROR
