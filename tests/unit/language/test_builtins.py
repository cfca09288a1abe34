"""A builtin is one row of one table: the features that follow from it, and the parts that reject it by name."""

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from proofs import FOLDS, HEAD, NIM, asked, written
from settling import settled

from checks.presentation.account import list_warnings
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.syntax import builtins as table
from claims.language.syntax.builtins import Builtin, takes
from claims.language.syntax.meanings import AtLeast, NotEmpty, mex, nim_product
from claims.language.syntax.printing import print_term
from claims.language.syntax.questions import QUESTIONS, TAKEN
from claims.language.syntax.terms import INT, POSITION
from claims.language.typesetting.formulas import typeset_math
from encoders.bounded.encoder import decide_by_smt as bounded
from encoders.compute.exhaustive import decide_by_search as exhaustive
from encoders.logic.answer import Decision
from encoders.logic.definedness import needs_of_claim
from encoders.proving.reading import load_claim
from encoders.refusals import Unsupported
from encoders.search.closed_forms import translate

PAGE = Path(__file__).parents[3] / "docs" / "extending.md"
NUMBERS = """
[forall]
n = "LEAST..300"
[claim]
then = "THEN"
"""


@pytest.fixture(autouse=True)
def digit_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the row of the documentation page to the table."""
    match = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert match
    row = eval(match[1], vars(table))
    monkeypatch.setitem(table.BUILTINS, row.name, row)


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    def load(then: str, least: int = 0, body: str = NUMBERS) -> Any:
        path = tmp_path / "claim.toml"
        path.write_text(HEAD + body.replace("LEAST", str(least)).replace("THEN", then), "utf-8")
        return load_claim(path, "claim")

    return load


def test_it_is_read_printed_judged_and_settled(claim: Any) -> None:
    made = claim("digit_sum(n) % 9 == n % 9")
    assert print_term(made.conclusion) == "digit_sum(n) % 9 == n % 9"
    assert "<mi>digit\u00a0sum</mi>" in typeset_math(made.conclusion)
    assert Referee(made).evaluate(made.conclusion.args[0].args[0], {"n": 299}) == 20
    result = settled(made)
    assert (result.verdict, result.finding.cases) == (Verdict.PROVED, 301)  # a finite computation
    assert result.finding.rechecked > 0


def test_what_is_false_of_it_is_refuted_at_the_smallest_case(claim: Any) -> None:
    result = settled(claim("digit_sum(n) < 19"))
    assert result.verdict is Verdict.REFUTED
    assert dict(result.finding.counterexample.variables) == {"n": 199}
    assert result.finding.counterexample.replayed


def test_it_works_beyond_62_bits(claim: Any) -> None:
    assert settled(claim("digit_sum(10 ** 30 + n) == 1 + digit_sum(n)")).verdict is Verdict.PROVED


def test_where_it_is_not_defined_the_case_is_named(claim: Any) -> None:
    result = settled(claim("digit_sum(n) >= 0", least=-2))
    assert result.verdict is Verdict.ERROR
    assert "ill-defined at n = -2: digit_sum of a negative number" in result.finding.error


def test_what_its_row_needs_counts_though_it_could_be_computed(claim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python has no digits of a negative number, and would raise; it can halve one."""
    fault = "half of a negative number"
    row = Builtin(
        "half", f"half(n): {fault}", takes("half", INT, gives=INT), lambda n: n // 2, needs=(AtLeast(0, fault),)
    )
    monkeypatch.setitem(table.BUILTINS, "half", row)
    made = claim("half(n) <= 150", least=-2)
    assert exhaustive(made, made.scope("quick")).ill_defined == {"n": -2}
    assert f"ill-defined at n = -2: {fault}" in settled(made).finding.error


def test_its_types_are_checked(claim: Any) -> None:
    with pytest.raises(ClaimError, match=r"digit_sum\(Bool\) has no meaning") as caught:
        claim("digit_sum(n > 1) == 1")
    assert caught.value.expected == "digit_sum(Int)"


def test_a_definition_hides_it_with_a_warning(claim: Any) -> None:
    """A file written before the language had the function keeps its meaning."""
    body = NUMBERS.replace("[claim]", '[define]\n"digit_sum(x)" = "x + 1"\n[claim]')
    made = claim("digit_sum(n) == n + 1", body=body)
    result = settled(made)
    assert result.verdict is Verdict.PROVED
    said = "the definition digit_sum hides the function digit_sum of the language"
    assert list(list_warnings(made, "quick", result)) == [said]
    assert list(list_warnings(claim("n >= 0", body=body), "quick", result)) == []  # nothing calls it


@pytest.mark.parametrize("name", sorted(set(QUESTIONS) - set(TAKEN)))
def test_a_definition_hides_a_question_that_was_added_later(claim: Any, name: str) -> None:
    """A file written before the language had the question keeps its meaning, also if it has a game."""
    body = NUMBERS.replace("[claim]", f'[define]\n"{name}(x)" = "x + 1"\n[claim]')
    said = f"the definition {name} hides the function {name} of the language"
    for game in ("", 'ruleset = "nim"\n'):
        made = claim(f"{name}(n) == n + 1", body=game + body)
        assert settled(made).verdict.holds is True
        assert said in list(list_warnings(made, "quick", settled(made)))
    with pytest.raises(ClaimError, match=f"{name} is called with 2 arguments"):
        claim(f"{name}(n, n) == n + 1", body=body)
    with pytest.raises(ClaimError, match=f"{name} is called with 2 arguments"):
        claim("n >= 0", body=body.replace("[claim]", f'"f(x)" = "{name}(x, x)"\n[claim]'))


def test_the_game_before_a_hidden_question_names_the_question(claim: Any) -> None:
    define = '[define]\n"birthday(x)" = "x + 1"\n[claim]'
    body = '[games]\nnim = "nim"\n' + NUMBERS.replace("[claim]", define)
    made = claim("nim.birthday(position([n])) == n and birthday(n) == n + 1", body=body.replace("..300", "..3"))
    assert settled(made).verdict.holds is True


@pytest.mark.parametrize("name", ["sum", "any", "nim_sum", "iff", "implies", "wins", "options", "value", "le"])
def test_no_definition_hides_what_is_written_like_nothing_else(claim: Any, name: str) -> None:
    said = "a question about a game" if name in TAKEN else "a function of the language"
    with pytest.raises(ClaimError, match=f"'{name}' is {said}"):
        claim("n > 0", body=NUMBERS.replace("[claim]", f'[define]\n"{name}(x)" = "x"\n[claim]'))


def test_a_misspelled_call_is_told_of_it(claim: Any) -> None:
    with pytest.raises(ClaimError) as caught:
        claim("digits_sum(n) > 0")
    assert caught.value.near == "digit_sum"


def test_rules_of_play_may_use_it(tmp_path: Path) -> None:
    body = '[forall]\ns = "position"\n[scope]\ns = { heaps = "0..2", size = "1..14" }\n'
    rules = NIM.replace("1..h", "1..digit_sum(h)")
    few = written(tmp_path, body, "len(options(s)) <= 5", rules=rules)
    result = settled(few)
    assert (result.verdict, dict(result.finding.counterexample.variables)) == (Verdict.REFUTED, {"s": (6,)})
    again = written(tmp_path, body, "implies(len(s) == 1, len(options(s)) == digit_sum(s[0]))", rules=rules)
    assert settled(again).verdict is Verdict.VERIFIED


# -- parts without a translation reject it by name --------------------------------------------------------------------
def test_a_rule_of_proof_refuses_it_by_name_and_knows_what_it_needs(tmp_path: Path) -> None:
    made = written(tmp_path, FOLDS, "digit_sum(k) >= 0")
    found = asked(made)
    assert found.decision is Decision.UNSUPPORTED
    assert "digit_sum(k) has no translation into folds" in found.detail
    made = written(tmp_path, FOLDS, "digit_sum(k - 5) ^ digit_sum(k) >= 0")
    assert [n.words for n in needs_of_claim(made)] == ["digit_sum(k - 5) needs k - 5 >= 0", "digit_sum(k) needs k >= 0"]


def test_the_bounded_route_refuses_it_by_name(claim: Any) -> None:
    made = claim("digit_sum(n) >= 0")
    found = bounded(made, made.scope("quick"))
    assert (found.decision, found.detail) == (Decision.UNSUPPORTED, "digit_sum has no translation into constraints")


def test_the_closed_forms_refuse_it_by_name(claim: Any) -> None:
    with pytest.raises(Unsupported, match=r"digit_sum\(n\)"):
        translate(claim("digit_sum(n) >= 0").conclusion.args[0], {"n": 1})


def test_the_exhaustive_route_looks_at_one_case_after_another_where_arrays_do_not_compute_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Builtin(
        "spread",
        "spread(s): the difference of a largest and a smallest heap; of no heaps it is ill-defined",
        takes("spread", POSITION, gives=INT),
        lambda s: s[-1] - s[0],
        needs=(NotEmpty(0, "spread of nothing"),),
    )
    monkeypatch.setitem(table.BUILTINS, "spread", row)
    body = '[forall]\ns = "position"\n[scope]\ns = { heaps = "0..2", size = "1..4" }\n'
    made = written(tmp_path, body, "spread(s) >= 0", given="len(s) > 0")
    found = exhaustive(made, made.scope("quick"))
    assert (found.decision, found.engines.names) == (Decision.HOLDS, ("case by case",))
    found = exhaustive(written(tmp_path, body, "spread(s) < 3", given="len(s) > 0"), made.scope("quick"))
    assert (found.decision, found.counterexample) == (Decision.FAILS, {"s": (1, 4)})
    found = exhaustive(written(tmp_path, body, "spread(s) >= 0"), made.scope("quick"))
    assert (found.decision, found.ill_defined) == (Decision.UNKNOWN, {"s": ()})
    assert Referee(made).judge({"s": (1, 4)}) == "holds"
    with pytest.raises(IllDefined, match="spread of nothing"):
        Referee(made).evaluate(made.conclusion, {"s": ()})


PLAIN = [
    "k + 1 - 2 * k // 3 % 4 < k ** 2 and -k <= k and not k > 5 and k >= 1 and k != 2 and k == 3",
    "k / 2 < 3 / 4 + k and k ^ 1 > 0 and k in {1, 2} and abs(k) == isqrt(k) + bit(k, 0) + top_bit(k)",
    "max(k, 1) > min(k, 2) and len(range(k)) == sum(range(k)) and max(s) + min(s) > mex(s) + nim_sum(s)",
    "any([k > 1]) or all([k > 1]) or count([k > 1]) > s.count(k) or [1, 2][k] > s[0]",
    "len(position([k])) > len(replace(s, k, 1)) and nim_sum_ways([1, 1], k)[0] > 1",
    "len(s + [k]) > len(s + s) and sum([k, 1] + s) == k and position([k]) + [1] == s",
    "bit_and(k, 2) > columns(s, 3, 1) and columns([k], k, 1) > columns({1, 2}, 3, k)",
]


@pytest.mark.parametrize("route", [bounded, exhaustive, None])
@pytest.mark.parametrize("then", [part for whole in PLAIN for part in re.split(" and | or ", whole)])
@pytest.mark.slow
def test_whatever_a_route_does_not_translate_is_refused_and_no_traceback(tmp_path: Path, route: Any, then: str) -> None:
    made = written(tmp_path, FOLDS, then)
    found = route(made, made.scope("quick")) if route else asked(made)
    assert found.decision in set(Decision) - {Decision.CONTRADICTION}


def test_nim_products_are_mex_values() -> None:
    """The nim-product of a and b is the least number that is not x⊗b ⊕ a⊗y ⊕ x⊗y for any x < a and y < b."""
    least: dict[tuple[int, int], int] = {}
    for a, b in product(range(20), repeat=2):
        below = product(range(a), range(b))
        least[a, b] = mex(least[x, b] ^ least[a, y] ^ least[x, y] for x, y in below)
        assert nim_product(a, b) == least[a, b], (a, b)


def test_large_nim_products_are_associative_and_distributive() -> None:
    numbers = [3**n for n in (40, 90, 200)]
    for a, b, c in product(numbers, repeat=3):
        assert nim_product(a, nim_product(b, c)) == nim_product(nim_product(a, b), c)
        assert nim_product(a, b ^ c) == nim_product(a, b) ^ nim_product(a, c)


def test_a_nim_product_of_huge_numbers_is_a_limit(claim: Any) -> None:
    result = settled(claim("nim_product(2 ** 1024 + n, 2) > 0"))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "a nim-product of a number of more than 1 024 bits" in result.finding.not_established
