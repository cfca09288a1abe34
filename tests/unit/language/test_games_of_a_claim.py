"""The games and variables of a claim: expressions about another game, or without effect, are rejected."""

from pathlib import Path
from typing import Any

import pytest
from proofs import HEAD

from checks.presentation.account import find_captured
from claims.language.errors import ClaimError
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.files.library import find_shipped
from encoders.proving.reading import load_claim

RULES = 'format = 1\ntitle = "{0}"\nplayers = {1}\nparameters = {{ {2} }}\nstuck = "loses"\n[[moves]]\n{3}\n'
TAKE = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
RULESETS = {
    "ab": ('["A", "B"]', "", TAKE),
    "ba": ('["B", "A"]', "", TAKE),
    "cab": ('["C", "A", "B"]', "", TAKE),
    "abc": ('["A", "B", "C"]', "", TAKE),
    "some": ('"n"', 'n = "2.."', TAKE),
    "with-k": ('["A", "B"]', 'k = "2..5"', TAKE),
    "with-set": ('["A", "B"]', 'S = "set"', TAKE),
    "nim": ('["A", "B"]', "", TAKE),
}


@pytest.fixture
def load(tmp_path: Path) -> Any:
    for name, parts in RULESETS.items():
        (tmp_path / f"{name}.toml").write_text(RULES.format(name, *parts), "utf-8")

    def make(games: str, variables: str = 'x = "0..3"', then: str = "True") -> Claim:
        path = tmp_path / "claim.toml"
        path.write_text(f'{HEAD}{games}\n[forall]\n{variables}\n[claim]\nthen = "{then}"\n', "utf-8")
        return load_claim(path, "claim")

    return make


def two(first: str, second: str) -> str:
    return f'[games]\nf = "{first}"\ng = "{second}"'


@pytest.mark.parametrize(
    ("games", "variables", "words"),
    [
        (two("ab", "ba"), 'x = "0..3"', "player 'B' is number 1 in g and number 2 in f"),
        (two("ba", "ab"), 'x = "0..3"', "is number"),
        (two("ab", "cab"), 'x = "0..3"', "is number"),
        (two("cab", "ab"), 'x = "0..3"', "is number"),
        (two("ab", "abc"), 'p = "player"', "the games differ in the number of players"),
        (two("some(n = 2)", "ab"), 'p = "player"', "the number of players is not fixed"),
        ('ruleset = "with-k(k = 1)"', 'x = "0..3"', "1 is outside the domain of 'k'"),
        ('ruleset = "with-k(k = 6)"', 'x = "0..3"', "6 is outside the domain of 'k'"),
        ('ruleset = "with-k(k = 5 / 2)"', 'x = "0..3"', "is a Rational"),
        ('ruleset = "with-set(S = [1, 2])"', 'x = "0..3"', "is a list"),
        ('ruleset = "with-set(S = {1 / 2})"', 'x = "0..3"', "is a set of Rational"),
    ],
)
def test_what_is_refused(load: Any, games: str, variables: str, words: str) -> None:
    with pytest.raises(ClaimError) as caught:
        load(games, variables)
    assert words in str(caught.value)


def test_players_are_those_of_every_game(load: Any) -> None:
    assert load(two("ab", "nim"), 'p = "player"').variables[0].domain == d.Players(2)
    assert load('ruleset = "abc"', 'p = "player"').variables[0].domain == d.Players(3)


def test_the_bounds_of_a_parameter_are_inside(load: Any) -> None:
    for k in (2, 5):
        assert load(f'ruleset = "with-k(k = {k})"').games[0].arguments[0][1].value == k


@pytest.mark.parametrize(
    ("games", "variables", "said"),
    [
        (
            'ruleset = "bash-nim"',
            'k = "1..3"',
            ['bash-nim takes k from a variable with the same name; write "bash-nim(k = k)"'],
        ),
        (
            two("nim", "kl-nim"),
            'l = "1..3"\nk = "1..3"',
            ["kl-nim takes k and l from a variable with the same name; "],
        ),
        ('ruleset = "bash-nim(k = k)"', 'k = "1..3"', []),
        ('ruleset = "with-k"', 'k = "2..3"', []),  # it is next to the claim
        ('ruleset = "nim"', 'k = "1..3"', []),
    ],
)
def test_a_run_warns_of_a_parameter_that_the_library_takes_from_the_claim(
    load: Any, games: str, variables: str, said: list[str]
) -> None:
    told = list(find_captured(load(games, variables)))
    assert [x[: len(y)] for x, y in zip(told, said, strict=True)] == said


def test_the_works_of_the_library_are_not_warned_of() -> None:
    entry = find_shipped("kl-nim/lemma-11")
    assert entry is not None
    claim = load_claim(entry.path, entry.id)
    assert claim.games[0].captured
    assert list(find_captured(claim)) == []


@pytest.mark.parametrize("code", ["'octal(code = \"0.27\")'", "\"octal(code = '0.27')\"", '"octal(code = [2, 7])"'])
def test_a_code_may_have_either_kind_of_quotes(load: Any, code: str) -> None:
    ((_, term),) = load(f"ruleset = {code}").games[0].arguments
    assert [item.value for item in term.items] == [2, 7]


def test_a_code_ends_with_the_quote_that_it_begins_with(load: Any) -> None:
    with pytest.raises(ClaimError, match="is not an octal code"):
        load("ruleset = '''octal(code = '0.27\")'''")
