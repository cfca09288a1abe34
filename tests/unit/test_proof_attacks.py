"""Proofs that are wrong, queries that could lie, solvers that err: none is green, each is told in the right words."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import z3

import claims
from checks.judgement.settle import Options, settle
from checks.results.results import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.library import select
from encoders.coverage import All, Below
from encoders.logic import obligations
from encoders.logic.effort import USUAL, Effort
from encoders.logic.obligations import Query, discharged

LIBRARY = Path(claims.__file__).parent
QUICK = Options(effort=replace(USUAL, seeds=(17,)))


@pytest.fixture
def settled(tmp_path: Path):
    """The result for a shipped claim with its text changed, the claims beside it as they are."""

    def run(id: str, *changes: tuple[str, str], options: Options = QUICK) -> ClaimResult:
        folder = tmp_path / "work"
        shutil.copytree((LIBRARY / id).parent, folder, dirs_exist_ok=True)
        path = folder / f"{Path(id).name}.toml"
        text = path.read_text("utf-8")
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} must occur exactly once in {id}"
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
        return settle(select((str(path),))[0], options)

    return run


def rests(result: ClaimResult) -> str:
    assert result.verdict is Verdict.INCONCLUSIVE, result.error
    return result.not_established


# -- wrong proofs of true claims --------------------------------------------------------------------------------------
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
    ("kl-nim/theorem-14", ('when = "c >= 3"', 'when = "c >= 4"'), "cases cover (P2 to move)", "is right for"),
    ("kl-nim/theorem-14", ('heap = "any with h < k"', 'heap = "any with h > k"'), "reply 7 (P2 to move): heap", ""),
    (
        "kl-nim/theorem-6",
        ('digits = { q = "a", e = "0", r', 'digits = { q = "a", e = "1", r'),
        "option 1: legal",
        "is right for",
    ),
    (
        "kl-nim/theorem-6",
        ('digits = { q = "a", e = "0", r = "b" }', 'digits = { q = "a", e = "0", r = "0" }'),
        "option 1: value",
        "is right for",
    ),
    (
        "large-nim/theorem-3",
        ('becomes = "0 if largest == 1 else 1"', 'becomes = "0"'),
        "option 2: attains",
        "is right for",
    ),
]


@pytest.mark.parametrize(("id", "change", "where", "why"), WRONG_REPLIES)
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
        ("(x2 == x3 < x4 or x2 < x3)", "x2 < x3", "option 4: attains", "is right for"),
        ('region = "heaps <= 4"', 'region = "heaps == 4"', "region closed", "is right for"),
        ('region = "heaps <= 4"', 'region = "heaps <= 5"', "", "is right for s: at most 4 heaps"),
        ("sorted = 4", "sorted = 5", "proved", ""),
    ],
)
def test_the_formula_for_four_heaps(settled: Any, old: str, new: str, where: str, why: str) -> None:
    result = settled("large-nim/equation-5", (old, new))
    if where == "proved":
        assert result.verdict is Verdict.PROVED
    else:
        assert f": {where}" in rests(result) and why in rests(result)


def test_a_false_fact_is_no_fact(settled: Any) -> None:
    words = rests(settled("kl-nim/theorem-14", ('"bigger <= c"', '"c <= bigger"')))
    assert ": fact 'one large heap', one more heap: fails at" in words  # facts are proved together


def test_a_fact_that_contradicts_itself_proves_nothing(settled: Any) -> None:
    words = rests(settled("nim/bouton", ("[proof.loses]", '[proof.facts]\nabsurd = "X < 0"\n\n[proof.loses]')))
    assert ": fact 'absurd', no heap" in words


# -- false claims, true proofs ----------------------------------------------------------------------------------------
def test_what_the_scope_refutes_no_proof_can_save(settled: Any) -> None:
    result = settled("nim/bouton", ("nim_sum(s) == 0)", "nim_sum(s) == 3)"))
    assert result.verdict is Verdict.REFUTED
    assert [r.answer for r in result.routes] == ["fails", "unknown"]


@pytest.mark.parametrize(
    ("id", "change", "where"),
    [
        # True in the scope, false beyond it: only the proof can tell.
        ("nim/bouton", ("nim_sum(s) == 0)", "nim_sum(s) % 1099511627776 == 0)"), "claim"),
        (
            "kl-nim/theorem-14",
            ('all(h < k for h in s))"', 'all(h < k for h in s) or len(s) > 9)"'),
            "claim",
        ),
        (
            "nim/bouton",
            ('nim_sum(s) == 0)"', 'nim_sum(s) == 0 and all(h < 4611686018427387898 for h in s))"'),
            "claim",
        ),
        ("kl-nim/theorem-6", ('== k*s + i"', '== k*s + i + (1 if s > 1000000 else 0)"'), "claim"),
        (
            "large-nim/theorem-3",
            ('then = "value(s) == formula_4"', 'then = "value(s) == formula_4 + (1 if N > 50 else 0)"'),
            "claim",
        ),
        ("bash-nim/theorem", ("G(s) != 0)", "G(s) != 0 or k > 1000000)"), "claim"),
    ],
)
def test_what_is_false_beyond_the_scope_is_not_proved(
    settled: Any, id: str, change: tuple[str, str], where: str | None
) -> None:
    result = settled(id, change)
    assert result.verdict is not Verdict.PROVED
    if where:
        assert f": {where}: fails at" in rests(result)


# -- overflow and signs -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        # 2 * X may need 63 bits and does not wrap; 4 * X and sums of three may, and are refused.
        ((('"X == 0"', '"2 * X == 0"'),), "proved"),
        ((('"X == 0"', '"4 * X == 0"'),), "63 are exact here"),
        ((('"X == 0"', '"X * X == 0"'),), "63 are exact here"),
        ((('sizes = "< 2^62"', 'sizes = "< 2^30"'), ('"X == 0"', '"X * X == 0"')), "proved"),
        # a difference may be negative and is compared as an integer, not as a word of 64 bits
        ((('"X == 0"', '"X - 5 <= 0 - 5"'),), "proved"),
        ((('"X == 0"', '"0 - X >= 0"'),), "proved"),
        ((('"X == 0"', '"X - 5 < 0"'),), "closed: fails at"),
        ((('"X == 0"', '"(X - 5) ^ 3 == 0"'),), "a nim-sum of something that may be negative"),
    ],
)
def test_words_of_64_bits_mean_integers_or_are_refused(
    settled: Any, changes: tuple[tuple[str, str], ...], words: str
) -> None:
    result = settled(
        "nim/bouton", *((f"mover = {old}", f"mover = {new}") if "X" in old else (old, new) for old, new in changes)
    )
    if words == "proved":
        assert result.verdict is Verdict.PROVED
        assert dict(result.scope)["s.heaps"] == All()
    else:
        assert words in rests(result)


def test_a_heap_near_the_top_is_no_counterexample_by_overflow(settled: Any) -> None:
    """h + 1 > h for every heap below 2^62: in words of 62 bits it would fail at the top."""
    grown = '[proof.folds]\nwrapped = "count(h + 1 <= h for h in s)"\n'
    result = settled(
        "nim/bouton",
        ("[proof.folds]\n", grown),
        ("[proof.loses]", '[proof.facts]\n"no heap wraps around" = "wrapped == 0"\n\n[proof.loses]'),
    )
    assert result.verdict is Verdict.PROVED


def written_down(tmp_path: Path, then: str) -> ClaimResult:
    """The result for a claim of Nim about positions of heaps a, b, ..., by Bouton's proof."""
    shutil.copytree(LIBRARY / "nim", tmp_path / "nim")
    path = tmp_path / "nim" / "written.toml"
    path.write_text(
        f"""format = 1
title = "T"
statement = "S."
work = "mine"
locator = "L"
role = "conjecture"
ruleset = "nim"
[forall]
a = "0.."
b = "0.."
[claim]
if = "a >= 0"
then = "{then}"
[scope]
a = "0..6"
b = "0..6"
[proof]
from = "bouton"
"""
    )
    return settle(select((str(path),))[0], QUICK)


@pytest.mark.parametrize(
    ("then", "verdict"),
    [
        ("iff(wins(position([a, b])), a != b)", Verdict.PROVED),
        ("wins(position([1, 2])) and not wins(position([1, 1])) and wins(position([2])) and a >= 0", Verdict.PROVED),
        ("any(nim_sum(t) == 0 for t in options(position([a, b]))) or a == b", Verdict.PROVED),
        ("all(nim_sum(t) != nim_sum(position([a, b])) for t in options(position([a, b])))", Verdict.PROVED),
        ("iff(wins(position([a, b])), a != b or a > 1000)", Verdict.INCONCLUSIVE),
        ("wins(position([a, b, 3])) or a != 3 or b == 0", Verdict.PROVED),
        ("all(nim_sum(t) != 1000000 for t in options(position([a, b])))", Verdict.INCONCLUSIVE),
        ("any(nim_sum(t) == 0 for t in options(position([a, b]))) or a == b or a > 1000", Verdict.PROVED),
        ("wins(position([a + b])) or a + b == 0", Verdict.INCONCLUSIVE),  # a + b may leave the bound
        ("implies(a > b, wins(position([a - b])))", Verdict.PROVED),  # whether a - b is a heap is asked where a > b
        ("implies(a >= b, wins(position([a - b])) or a == b)", Verdict.PROVED),
        ("implies(a > 7, wins(position([a - b])) or a == b)", Verdict.INCONCLUSIVE),  # a - b may be negative
        ("wins(position([max(a - b, 0)])) or a <= b", Verdict.PROVED),
        ("legal(position([a, b]), position([b])) or a == 0", Verdict.INCONCLUSIVE),  # no named move takes a whole heap
        ("legal(position([a, b]), position([a, b + 1]))", Verdict.REFUTED),
        ("not legal(position([a, b]), position([a, b]))", Verdict.PROVED),
        ("legal(position([a, b]), position([b])) or a > 6", Verdict.REFUTED),
        ("not legal(position([a, b]), position([a, b, 1])) or a > 1000", Verdict.PROVED),
    ],
)
def test_positions_written_down(tmp_path: Path, then: str, verdict: Verdict) -> None:
    assert written_down(tmp_path, then).verdict is verdict


# -- hypotheses -------------------------------------------------------------------------------------------------------
def test_contradictory_hypotheses_are_not_proved(settled: Any) -> None:
    result = settled("kl-nim/corollary-15", ('if = "', 'if = "len(s) == 0 and '))
    assert result.verdict is Verdict.VACUOUS
    contradictory = Query(
        z3.main_ctx(), [], z3.BoolVal(False), [("x > 1", z3.Int("x") > 1), ("x < 1", z3.Int("x") < 1)]
    )
    found = discharged("claim", lambda: contradictory, USUAL, None)
    assert (found.result, found.detail) == ("failed", "the hypotheses contradict each other: nothing is claimed")


def test_hypotheses_that_the_proof_does_without_are_named(settled: Any) -> None:
    result = settled("kl-nim/corollary-15", ('if = "', 'if = "len(s) >= 0 and '))
    assert result.verdict is Verdict.PROVED
    (claim,) = (o for o in result.obligations if o.name == "claim")
    assert claim.note == "does without: len(s) >= 0"


# -- solvers ----------------------------------------------------------------------------------------------------------
def test_a_limit_of_almost_nothing_is_inconclusive(settled: Any) -> None:
    words = rests(settled("kl-nim/theorem-14", options=Options(effort=Effort(steps=10))))
    assert "the solver gave up" in words
    assert "limit: 10 steps" in words


def test_no_time_is_inconclusive(settled: Any) -> None:
    words = rests(settled("kl-nim/theorem-14", options=Options(budget=0.6)))
    assert "out of time" in words or "the solver gave up: " in words


def test_an_obligation_for_which_no_time_is_left_is_unknown() -> None:
    for left in (0.0, -1.0):
        found = discharged("o", simple, USUAL, left)
        assert (found.result, found.detail) == ("unknown", "out of time")


def simple(seed_that_lies: int | None = None, seed_that_tires: int | None = None) -> Query:
    """x >= 1 entails x > 0; under one seed the solver may not know it, or give up."""

    class Odd(Query):
        def solver(self, effort: Effort, seed: int, left: float | None) -> z3.Solver:
            if seed == seed_that_lies:
                return z3.Solver(ctx=self.context)
            if seed == seed_that_tires:
                tired = z3.Solver(ctx=self.context)
                tired.set("rlimit", 1)
                x = z3.Ints("a b c", self.context)
                tired.add(*(y > 2 for y in x), x[0] ** 3 + x[1] ** 3 == x[2] ** 3)
                return tired
            return super().solver(effort, seed, left)

    context = z3.Context()
    x = z3.Int("x", context)
    return Odd(context, [x >= 1], x > 0)


def test_three_seeds_must_agree() -> None:
    assert discharged("o", simple, USUAL, None).note == ""
    found = discharged("o", lambda: simple(seed_that_lies=4711), USUAL, None)
    assert found.result == "contradiction"
    assert "two solvers disagree: Z3 with the seed 4711" in found.detail
    assert found.smt2


def test_a_seed_that_gives_up_is_flagged() -> None:
    found = discharged("o", lambda: simple(seed_that_tires=1), USUAL, None)
    assert (found.result, found.note) == ("proved", "unstable: Z3 gives up with seed 1")


def test_a_second_solver_that_disagrees_is_inconsistent(settled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obligations, "_by_cvc5", lambda text, left: "sat")
    result = settled("nim/bouton", options=Options(effort=replace(USUAL, second=True)))
    assert result.verdict is Verdict.INCONSISTENT
    assert "two solvers disagree: cvc5" in result.error


def test_a_second_solver_that_gives_up_is_noted(settled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obligations, "_by_cvc5", lambda text, left: "unknown")
    result = settled("nim/bouton", options=Options(effort=replace(USUAL, second=True)))
    assert result.verdict is Verdict.PROVED
    assert {o.note for o in result.obligations} == {"not confirmed by cvc5: unknown"}


def test_the_second_solver_itself(settled: Any) -> None:
    result = settled("nim/misere", options=Options(effort=Effort(seeds=(17,), second=True)))
    assert result.verdict is Verdict.PROVED
    assert {o.note for o in result.obligations} == {"confirmed by cvc5"}
    assert "cvc5" in result.trusted


def test_without_the_second_solver_it_says_how_to_get_it(settled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cvc5", None)
    words = rests(settled("nim/bouton", options=Options(effort=replace(USUAL, second=True))))
    assert "pip install 'nim-checks[cvc5]'" in words


# -- what the rules do not reach --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("id", "change", "words"),
    [
        ("nim/bouton", ('ruleset = "nim"', 'ruleset = "wythoff"'), None),
        ("nim/bouton", ('X = "nim_sum(s)"', 'X = "nim_sum(2 * h for h in s)"'), "its terms may leave 0 .. 2^62 - 1"),
        ("large-nim/theorem-3", ('ruleset = "large-nim"', 'ruleset = "nim"'), None),
    ],
)
def test_what_no_rule_reaches_is_not_green(settled: Any, id: str, change: tuple[str, str], words: str | None) -> None:
    result = settled(id, change)
    assert not result.verdict.holds
    if words:
        assert words in rests(result)


def test_a_proof_below_a_bound_does_not_contradict_what_fails_above_it(settled: Any) -> None:
    changes = (
        ('s = "position"', 'k = "1.."'),
        ('"iff(not wins(s), nim_sum(s) == 0)"', '"k < 16"'),
        ('s = { heaps = "0..4", size = "1..15" }', 'k = "1..3"'),
        ('s = { heaps = "0..5", size = "1..20" }', 'k = "1..3"'),
        ("< 2^62", "< 2^4"),
    )
    small = settled("nim/bouton", *changes)
    assert (small.verdict, dict(small.scope)) == (Verdict.PROVED, {"k": Below(4)})
    large = settle(select((small.id + ".toml",))[0], replace(QUICK, overrides=(("k", "1..17"),)))
    assert large.verdict is Verdict.REFUTED
    assert [r.answer for r in large.routes] == ["fails", "holds"]
