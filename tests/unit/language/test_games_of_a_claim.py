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


HALVES = """format = 1
title = "Halves"
players = ["A", "B"]
parameters = { k = "1.." }
stuck = "loses"
[define]
"half(x)" = "(x + 1) // 2"
"low(x)" = "x < k"
[[moves]]
choose = "any heap h"
pick = { m = "1..half(h)" }
where = "low(m) or m == 1"
become = ["h - m"]
"""


def test_a_claim_may_call_definitions_of_its_ruleset(load: Any, tmp_path: Path) -> None:
    """`half` has no other names in it. `low` depends on a parameter, which the claim would have to give."""
    (tmp_path / "halves.toml").write_text(HALVES, "utf-8")
    (tmp_path / "other.toml").write_text(HALVES.replace("(x + 1) // 2", "x"), "utf-8")
    game = 'ruleset = "halves(k = 2)"'
    claim = load(game, then="half(x) <= x")
    assert "half(x)" in dict(claim.texts)
    assert "low" not in str(load(game).texts)
    for games, then, words in (
        (game, "low(x)", "unknown function 'low'"),
        (two("halves(k = 2)", "other(k = 2)"), "half(x) <= x", "unknown function 'half'"),
        (f'{game}\n[define]\n"half(y)" = "y"', "half(x) <= x", "'half' is defined twice"),
    ):
        with pytest.raises(ClaimError) as caught:
            load(games, then=then)
        assert words in str(caught.value)
    assert load(two("halves(k = 2)", "halves(k = 3)"), then="half(x) <= x")


def test_a_parameter_does_not_take_the_value_of_a_definition_of_another_ruleset(load: Any, tmp_path: Path) -> None:
    text = HALVES.replace("[define]", '[define]\nw = "1"').replace('{ k = "1.." }', '{ k = "1.." }')
    (tmp_path / "halves.toml").write_text(text, "utf-8")
    (tmp_path / "wide.toml").write_text(RULES.format("wide", '["A", "B"]', 'w = "1.."', TAKE), "utf-8")
    with pytest.raises(ClaimError) as caught:
        load(two("halves(k = 2)", "wide"))
    assert "w" in str(caught.value)


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
            ['bash-nim takes k from the variables of the claim; if this is intended, write "bash-nim(k = k)"'],
        ),
        (
            two("nim", "kl-nim"),
            'l = "1..3"\nk = "1..3"',
            ["kl-nim takes k and l from the variables of the claim; "],
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
