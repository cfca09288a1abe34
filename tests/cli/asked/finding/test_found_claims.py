"""From the rules alone to a claim with its proof; a result that the search only assumes is never called proved."""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from searched_games import (
    BANNED,
    CAPPED,
    GREEDY,
    HALF,
    MISERE,
    NIM,
    TWO_BANS,
    question_of,
    rename,
    search,
    verdict_of,
    with_rule,
)

from checks.results.verdicts import Verdict
from encoders.compute.arrays.limits import Deadline
from encoders.search import find
from encoders.search.find import SearchProgress, SearchStage, find_who_wins

GAMES = {
    "nim": (NIM, ""),
    "misere": (MISERE, ""),
    "greedy": (GREEDY, ""),
    "misere-greedy": (MISERE.replace("any heap", "a largest heap"), ""),
    "capped": (CAPPED, ""),
    "misere-capped": (CAPPED.replace("loses", "wins"), ""),
    "half": (HALF, ""),
    "odd": (with_rule("m % 2 == 1"), ""),
    "1 to 3": (with_rule("m <= 3"), ""),
    "1, 3, 4": (with_rule("m in {1, 3, 4}"), ""),
    "banned": (BANNED, ""),
    "k < l": (TWO_BANS, "k < l"),
    "k > l": (TWO_BANS, "k > l"),
    "k == l": (TWO_BANS, "k == l"),
    "whole heaps": (with_rule("mover == P2 or m == h"), ""),
    "odd for one": (with_rule("mover == P2 or m % 2 == 1"), ""),
    "one or two heaps": (NIM.replace("any heap h", "each of 1..2 heaps h"), ""),
    "split": (NIM.replace("1..h", "1..h // 2").replace('["h - m"]', '["m", "h - m"]'), ""),
    "what is left": (NIM.replace("1..h", "0..h - 1").replace('"h - m"', '"m"'), ""),
    "no heap of 2 is left": (with_rule("h - m != 2"), ""),
    "two at least": (with_rule("m >= 2"), ""),
    "half or more for one": (with_rule("mover == P2 or 2*m >= h"), ""),
    "no large heap is removed": (with_rule("mover == P2 or m < h or h == 1"), ""),
    "small heaps for one": (BANNED.replace("m != k", "h <= k"), ""),
    "k is not left": (BANNED.replace("m != k", "h - m != k"), ""),
    "k is left, or nothing": (BANNED.replace("mover == P2 or m != k", "h - m >= k or m == h"), ""),
    "large heaps": (BANNED.replace("mover == P2 or m != k", "h >= k"), ""),
    "whole heaps, or odd": (with_rule("(mover == P2 or m == h) and (mover == P1 or m % 2 == 1)"), ""),
    "even, or whole": (with_rule("m % 2 == 0 or m == h"), ""),
    "even, or one": (with_rule("m % 2 == 0 or m == 1"), ""),
    "misère, odd": (with_rule("m % 2 == 1", MISERE), ""),
    "misère, odd for one": (with_rule("mover == P2 or m % 2 == 1", MISERE), ""),
    "no whole heap": (with_rule("m < h or h == 1"), ""),
    "misère, large heaps for one": (with_rule("mover == P1 or h >= 2", MISERE), ""),
    "misère, half for one": (with_rule("mover == P2 or 2*m <= h or h == 1", MISERE), ""),
}


LONG = {  # the searches of more than five seconds
    *("split", "1, 3, 4", "misère, odd for one", "k < l", "k > l", "banned", "no large heap is removed"),
    *("misère, half for one", "small heaps for one", "misere-capped"),
}


def list_games(names: Iterable[str], long: Collection[str]) -> list[ParameterSet]:
    return [pytest.param(name, id=name, marks=[pytest.mark.long] * (name in long)) for name in names]


@pytest.mark.parametrize("name", list_games(GAMES, LONG))
@pytest.mark.slow
def test_from_the_rules_alone_it_is_proved(tmp_path: Path, name: str) -> None:
    question = question_of(tmp_path, *GAMES[name])
    outcome = search(question)
    assert outcome.stage is SearchStage.PROOF, outcome.obstacle
    assert verdict_of(question, outcome) is Verdict.PROVED


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        (NIM, "h"),
        (HALF, "g"),
        (CAPPED, "h % (k + 1)"),
        (with_rule("m >= k", CAPPED.replace("min(k, h)", "h")), "(h // k)"),
        (with_rule("m % 3 == 0 or m == h"), "(h + 2) // 3"),
    ],
)
@pytest.mark.slow
def test_values_of_one_heap(tmp_path: Path, rules: str, value: str) -> None:
    question = question_of(tmp_path, rules)
    outcome = search(question, values=True)
    heap = "2**e * (2*g + 1) - 1" if value == "g" else "h"
    assert f'then = "grundy(position([{heap}])) == {value}"' in outcome.text
    assert verdict_of(question, outcome) is Verdict.PROVED


WYTHOFF = (
    NIM
    + """
[[moves]]
choose = "any two heaps g, h"
pick = { m = "1..min(g, h)" }
become = ["g - m", "h - m"]
"""
)


MANY = (
    NIM.replace('["P1", "P2"]', '"n"')
    .replace("[[", 'parameters = { n = "2.." }\n[[', 1)
    .replace("loses", "wins")
    .replace("any heap", "a largest heap")
)


@pytest.mark.slow
def test_values_of_n_players(tmp_path: Path) -> None:
    """The three theorems on Large Nim as one claim, under any names."""
    question = question_of(tmp_path, MANY)
    outcome = search(question)
    assert 'region = "heaps <= n"' in outcome.text
    assert "value(s) == (len(s) if n > len(s) + 1 else" in outcome.text
    assert verdict_of(question, outcome) is Verdict.PROVED
    again = search(question_of(tmp_path, rename(MANY, n="w", m="t", h="g"), name="other")).text
    assert re.sub(r"\bw\b", "n", again.replace("other", "mine")) == outcome.text
    taken = question_of(tmp_path, rename(MANY, n="heaps"))
    assert taken.names == ("heaps_",)
    assert search(taken).stage is SearchStage.PROOF


@pytest.mark.parametrize(
    ("rules", "where", "stage"),
    [
        (with_rule("h < 40 or m == 1", MANY), "", SearchStage.FORMULA),
        (MANY, "n == 2", SearchStage.PROOF),
        (MANY.replace("a largest heap", "any heap"), "", SearchStage.NOTHING),
        (with_rule("m <= 2", MANY), "n == 3", SearchStage.FORMULA),
    ],
    ids=["shows far away", "two players", "any heap", "a cap"],
)
@pytest.mark.slow
def test_values_of_n_players_are_those_of_the_rules(tmp_path: Path, rules: str, where: str, stage: SearchStage) -> None:
    question = question_of(tmp_path, rules, where)
    outcome = search(question)
    assert outcome.stage is stage
    if stage is SearchStage.NOTHING:
        assert outcome.obstacle
    else:
        verdict = verdict_of(question, outcome)
        assert verdict is (Verdict.PROVED if stage is SearchStage.PROOF else Verdict.VERIFIED)


LESS_THAN_TWO_APART = (  # with the names that the proof uses for other numbers
    rename(WYTHOFF, m="a", h="n", g="c")
    .replace('a = "1..n" }', 'a = "0..n - 1" }')
    .replace('["n - a"]', '["a"]')
    .replace('a = "1..min(c, n)" }', 'a = "1..c", d = "1..n" }\nwhere = "a - d < 2 and d - a < 2"')
    .replace('"c - a", "n - a"', '"c - a", "n - d"')
)


@pytest.mark.parametrize(
    ("rules", "norm"),
    [(WYTHOFF, "x*x - x*d - d*d"), (LESS_THAN_TWO_APART, "2*x*x - d*d")],
    ids=["Wythoff", "less than two apart, told by what is left"],
)
@pytest.mark.slow
def test_two_heaps_of_a_game_that_moves_in_both(tmp_path: Path, rules: str, norm: str) -> None:
    question = question_of(tmp_path, rules)
    outcome = search(question)
    assert outcome.stage is SearchStage.PROOF, outcome.obstacle
    assert f'"norm(x, d)" = "{norm}"' in outcome.text
    assert verdict_of(question, outcome) is Verdict.PROVED


@pytest.mark.slow
def test_pairs_that_fail_outside_the_box_are_never_proved(tmp_path: Path) -> None:
    """Equal numbers may be taken from both only if the heaps are small; the position (199, 200) is lost first."""
    question = question_of(tmp_path, WYTHOFF.replace('become = ["g', 'where = "h < 200 or m == 1"\nbecome = ["g'))
    outcome = search(question)
    assert outcome.stage is SearchStage.FORMULA
    assert "closed" in outcome.obstacle or "reply" in outcome.obstacle
    assert verdict_of(question, outcome) is Verdict.VERIFIED


@pytest.mark.slow
def test_the_pairs_that_miss_fewest_positions_are_told(tmp_path: Path) -> None:
    question = question_of(tmp_path, WYTHOFF.replace('become = ["g', 'where = "m != 2"\nbecome = ["g'))
    outcome = search(question)
    assert outcome.stage is SearchStage.NOTHING
    assert re.search(r"the pairs x and x \+ (\d\*)?n fail at \d+ of \d+ positions, such as \(", outcome.nearest)


@pytest.mark.parametrize(
    "name",
    list_games(
        ["nim", "misere", "capped", "misere-capped", "banned", "no large heap is removed"], {"misere-capped", "banned"}
    ),
)
@pytest.mark.slow
def test_names_make_no_difference(tmp_path: Path, name: str) -> None:
    """With other names for game, players, parameters, heaps and numbers, the same file is found, up to names."""
    rules, where = GAMES[name]
    renamed = question_of(tmp_path, rename(rules, P1="A1", P2="A2", k="w", m="t", h="g"), where, name="four")
    found = search(renamed, shorten=False).text  # with all facts, because each of them contains names
    for new, old in {"A1": "P1", "A2": "P2", "w": "k", "t": "m", "four": "mine"}.items():
        found = re.sub(rf"(?<![A-Za-z]){new}(?![A-Za-z0-9])", old, found)
    assert found == search(question_of(tmp_path, rules, where), shorten=False).text


@pytest.mark.slow
def test_names_that_the_search_gives_itself_may_be_taken(tmp_path: Path) -> None:
    names = {"P1": "X", "P2": "heaps", "k": "n_from_k", "m": "t", "h": "g"}
    question = question_of(tmp_path, rename(BANNED, **names))
    assert verdict_of(question, search(question, shorten=False)) is Verdict.PROVED


@pytest.mark.slow
def test_a_rule_that_first_shows_outside_the_box_is_never_proved(tmp_path: Path) -> None:
    """The search only sees Nim; beyond its box only a single object may be taken."""
    question = question_of(tmp_path, with_rule("h < 40 or m == 1"))
    outcome = search(question)
    assert outcome.stage is SearchStage.FORMULA
    assert "nim_sum(s) == 0" in outcome.text
    assert "legal" in outcome.obstacle
    assert verdict_of(question, outcome) is Verdict.VERIFIED


@pytest.mark.slow
def test_values_that_change_outside_the_box_are_never_proved(tmp_path: Path) -> None:
    question = question_of(tmp_path, with_rule("(m % 2 == 0 or m == h) and (h < 300 or m == 2)"))
    outcome = search(question)
    assert outcome.stage is SearchStage.FORMULA
    assert "nim_sum((h // 2) + h % 2 for h in s) == 0" in outcome.text
    assert verdict_of(question, outcome) is Verdict.VERIFIED


@pytest.mark.slow
def test_the_checker_finds_out_what_the_search_did_not_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "choose_box", lambda _: replace(find.SMALL, heaps=4))
    question = question_of(tmp_path, with_rule("h < 11 or m == 1"))
    outcome = search(question)
    assert outcome.stage is SearchStage.FORMULA
    assert verdict_of(question, outcome) is Verdict.REFUTED


@pytest.mark.slow
def test_a_proof_that_the_search_believes_is_settled_all_the_same(tmp_path: Path) -> None:
    """Only the file counts: with a wrong formula it is not proved, whatever the search claims."""
    question = question_of(tmp_path, NIM)
    outcome = search(question)
    outcome.text = outcome.text.replace("== 0", "== 1")
    assert verdict_of(question, outcome) not in (Verdict.PROVED, Verdict.VERIFIED)


@pytest.mark.slow
def test_the_same_file_byte_for_byte(tmp_path: Path) -> None:
    rules = with_rule("m % 2 == 1", MISERE)
    assert search(question_of(tmp_path, rules)).text == search(question_of(tmp_path, rules)).text


@pytest.mark.slow
def test_a_budget_that_is_used_up_is_said_and_keeps_what_was_found(tmp_path: Path) -> None:
    question = question_of(tmp_path, MISERE)
    outcome = SearchProgress()
    clock = Deadline(1.0, lambda: 2.0 if outcome.stage is SearchStage.FORMULA else 0.0)
    find_who_wins(question, clock, lambda _: None, outcome)
    assert outcome.stage is SearchStage.FORMULA
    assert "the budget ran out" in outcome.obstacle


@pytest.mark.slow
def test_what_has_no_formula_says_so(tmp_path: Path) -> None:
    outcome = search(question_of(tmp_path, with_rule("m*m <= h or h <= 2")))
    assert outcome.stage is SearchStage.NOTHING
    assert outcome.obstacle
    assert len(outcome.searched) > 4
