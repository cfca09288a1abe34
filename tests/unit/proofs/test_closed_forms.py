"""Closed forms: sympy's results for a claimed formula are trusted only as far as they were checked."""

from pathlib import Path

import pytest
import sympy as sp
from proofs import HEAD

from checks.presentation.mathematics import find_closed_form, lines
from checks.referee.meaning import RefereeSteps, TermEvaluator, refuse_game
from claims.language.files.library import select
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.terms import INT
from encoders.proving.reading import load_claim
from encoders.search import closed_forms as forms
from encoders.search.closed_forms import make_symbol, translate, write

CLAIM = """ruleset = "nim"
[forall]
k = "1.."
x = "0.."
[claim]
then = "grundy(position([x])) == {formula}"
[scope]
k = "1..3"
x = "0..9"
"""


def shipped(id: str):
    (entry,) = select((id,))
    return find_closed_form(load_claim(entry.path, id))


def of(folder: Path, formula: str):
    path = folder / "claim.toml"
    path.write_text(HEAD + CLAIM.format(formula=formula))
    return find_closed_form(load_claim(path, "claim"))


@pytest.mark.slow
def test_corollary_7_is_simplified_and_is_theorem_6() -> None:
    form = shipped("kl-nim/corollary-7")
    assert form is not None
    assert form.simplified == "k * (x // (2 * k)) + x % k"
    assert (form.period, form.saltus) == ("2 * k", "k")
    assert form.latex == r"k \left\lfloor{\frac{x}{2 k}}\right\rfloor + \left(x \bmod k\right)"
    assert form.mathml.startswith("<mrow>")
    assert [s for s in form.steps if "kl-nim/theorem-6" in s] == [
        "2 * k * q + low is the heap 2 * k * s + i of kl-nim/theorem-6 with s = q, i = low: the same value",
        "2 * k * q + k + low is the heap 2 * k * s + k + i of kl-nim/theorem-6 with s = q, i = low: the same value",
    ]
    assert all("confirmed by Z3 for all integers, and by the referee at 240 arguments" in c for c in form.checks)
    assert len(form.checks) == 2


@pytest.mark.parametrize(
    ("id", "period", "saltus"),
    [
        ("kl-nim/theorem-6", "2 * k", "k"),
        ("kl-nim/sums", "2 * k", "k"),
        ("bash-nim/grundy", "k + 1", "0"),
        ("bash-nim/single-heap", "m + 1", "0"),
        ("heaps/subtraction-a-b", "a + b", "0"),
    ],
)
def test_period_and_saltus_of_the_library(id: str, period: str, saltus: str) -> None:
    form = shipped(id)
    assert form is not None
    assert (form.period, form.saltus) == (period, saltus)


@pytest.mark.parametrize("id", ["nim/bouton", "kl-nim/theorem-14", "large-nim/lemma-1", "kl-nim/example-8"])
def test_a_claim_without_a_formula_has_no_closed_form(id: str) -> None:
    assert shipped(id) is None


@pytest.mark.parametrize(
    ("formula", "simplified", "period", "saltus"),
    [
        ("x", "x", "", ""),
        ("x % 3 + 0 * k", "x % 3", "3", "0"),
        ("x // k * k + x % k", "x", "", ""),
        ("x - x % (3*k)", "x - x % (3 * k)", "3 * k", "3 * k"),
        ("2 * (x // (4*k)) + (0 if x % (4*k) < 2 * k else 1)", None, "4 * k", "2"),
        ("(x + k) % (2*k)", None, "2 * k", "0"),
        ("x % (3*k) // k", "(x % (3 * k)) // k", "3 * k", "0"),  # a floor within a floor
    ],
)
def test_other_formulas(tmp_path: Path, formula: str, simplified: str | None, period: str, saltus: str) -> None:
    form = of(tmp_path, formula)
    assert form is not None
    if simplified is not None:
        assert form.simplified == simplified
    if period:
        assert (form.period, form.saltus) == (period, saltus)


def test_a_wrong_simplification_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms.sp, "simplify", lambda e: sp.Integer(0))
    form = of(tmp_path, "x // (2*k) * k + x % (2*k)")
    assert form is not None
    assert form.simplified == "k * (x // (2 * k)) + x % (2 * k)"
    assert form.period == ""  # the saltus would be 0


def test_what_is_right_on_the_box_alone_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    far = "x + (1 if x > 1000000 else 0)"
    monkeypatch.setattr(forms.sp, "simplify", lambda e: make_symbol("x", False))
    form = of(tmp_path, far)
    assert form is not None
    assert form.simplified != "x" or any("not by Z3" in c for c in form.checks)


@pytest.mark.parametrize(
    "text",
    [
        "x // (2 * k) * k + x % k",
        "x if x % k < 3 else -k",
        "1 if x == k and k > 2 else 2 if x != k else 3",
        "x - (k - x)",
    ],
)
def test_what_is_written_means_the_same(text: str) -> None:
    terms = Elaborator({"x": INT, "k": INT})
    term = terms.term(text, INT)
    again = terms.term(write(translate(term, {"x": make_symbol("x", False), "k": make_symbol("k", True)})), INT)
    for x in range(12):
        for k in range(1, 6):
            case = {"x": x, "k": k}
            assert TermEvaluator(refuse_game, RefereeSteps(9999)).evaluate(term, case) == TermEvaluator(
                refuse_game, RefereeSteps(9999)
            ).evaluate(again, case)


def test_lines_for_a_person() -> None:
    form = shipped("bash-nim/grundy")
    assert form is not None
    assert list(lines(form))[:2] == ["value of a heap h: h % (k + 1)", "period k + 1, preperiod 0, saltus 0"]
