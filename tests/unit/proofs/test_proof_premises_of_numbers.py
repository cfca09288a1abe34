"""Parts of the premises of proofs about Grundy values, values of n players, and cases; each with a false claim."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from proofs import FEW_HEAPS, HEAP_BY_HEAP, LARGEST, MISERE, N_PLAYERS, NIM, asked, written

from claims.language.syntax.printing import print_term
from encoders.proving.reading import Prover
from encoders.rules.cases import CasesProof, narrow
from encoders.trust import Below


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    return partial(written, tmp_path)


# -- Grundy values of one heap ----------------------------------------------------------------------------------------
HEAPS = (
    """
[forall]
k = "0..9"
j = "-9..-1"
[scope]
k = "0..1"
"""
    + HEAP_BY_HEAP
    + 'heap = "k"\n'
)


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("grundy(position([k])) == k", True),
        ("iff(wins(position([k])), k > 0)", True),
        ("iff(wins(position([k])), k == 0)", False),
        ("grundy(position([k])) == k and k < 9", False),
        ("grundy(position([k])) == k and k > 0", False),
        ("grundy(position([k])) == k and j < -1", False),
        ("grundy(position([k])) == k and k // -2 >= -4", False),
        ("grundy(position([k, k + 1])) == k", False),
        ("(k if k > 5 else 6) > 6 or grundy(position([k])) == k + 1", False),
        ("max(k, 5) <= 5 and grundy(position([k])) == k", False),
        ("(6 if k > 5 else k) > 5", False),
        ("k < 10 if k > 5 else k > 5", False),
        ("{grundy(position([x])) for x in range(0, k)} == {v for v in range(0, k + 1)}", False),
        ("{v for v in range(0, k + 1)} == {v for v in range(0, k)}", False),
        ("{v for v in range(0, k)} == {v for v in range(0, k + 1)}", False),
        ("{v for v in range(0, k)} == {v for v in range(1, k)}", False),
        ("{v for v in range(1, k)} == {v for v in range(0, k)}", False),
        ("{v for v in range(0, k) if v != 3} == {v for v in range(0, k)}", False),
        ("{v for v in range(0, k)} == {v for v in range(0, k) if v != 3}", False),
        ("{v for v in range(0, k)} == {v for v in range(0, k)}", True),
    ],
)
def test_what_is_false_of_some_heap_is_not_proved(claim: Any, then: str, holds: bool) -> None:
    found = asked(claim(HEAPS, then))
    assert (found.decision == "holds") is holds, found.detail


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (LARGEST, "moves on one arbitrary heap"),
        ('[[moves]]\nchoose = "any heap h"\npick = { m = "1..h - 1" }\nbecome = ["h - m"]\n', "option 1: legal"),
        (NIM.replace("become", 'where = "m < 7"\nbecome'), "option 1: legal"),
        (NIM.replace('"1..h"', '"2..h"'), "option 1: legal"),
        (NIM.replace("h - m", "max(h - 2*m, 0)"), "option 1: legal"),
        (NIM.replace("h - m", "h - m if m < h else h"), "measure"),
        (NIM.replace("h - m", "h - m if h > 1 else 1"), "measure"),
    ],
)
def test_a_game_that_the_rule_for_grundy_values_does_not_follow(claim: Any, rules: str, words: str) -> None:
    found = asked(claim(HEAPS, "grundy(position([k])) == k", rules=rules))
    assert words in found.detail


def test_a_remainder_lies_below_its_divisor(claim: Any) -> None:
    divide = '[[proof.divide]]\ndividend = "k"\ndivisor = "2"\nquotient = "0"\nremainder = "k"\n'
    found = asked(claim(HEAPS + divide, "grundy(position([k])) == k and k % 2 == k"))
    assert found.detail.startswith("division 1: ")


def test_an_option_by_the_only_pick_is_seen(claim: Any) -> None:
    body = HEAPS.replace('value = "q"', 'value = "0"')
    found = asked(claim(body, "grundy(position([k])) == 0", rules=NIM.replace("1..h", "h..h")))
    assert found.detail.startswith("avoid: ")


# -- values of n players ----------------------------------------------------------------------------------------------
LEAST = (
    """
ruleset = "large-nim"
[forall]
n = "2.."
j = "-9..-1"
s = "position"
[scope]
n = "6..8"
s = { heaps = "0..3", size = "1..4" }
"""
    + FEW_HEAPS
)
INSIDE = "n > len(s) + 1"


@pytest.mark.parametrize(
    ("then", "given", "holds"),
    [
        ("value(s) == len(s)", INSIDE, True),
        ("value(s) == len(s) and n > 3", INSIDE, False),
        ("n // j >= 0", "", False),
        ("value(s) == s.count(min(s))", f"{INSIDE} and len(s) > 0", False),
        ("value(s) == max(s)", f"{INSIDE} and len(s) > 0", False),
        ("len(s) >= 0", "value(s) == len(s)", False),
        ("len(s) < n - 1", "value(s) < n - 1", False),
        ("value(s) > 1 or value(s) < 1", INSIDE, False),
        ("value(position([n])) == 1", "", False),
        ("value(position([n])) == 1", "n > 2", True),
        ("len(position([n - 3])) == 1", "n >= 3", False),
        ("all(h > 1 for h in s)", "", False),
    ],
)
def test_what_is_false_of_some_number_of_players_is_not_proved(claim: Any, then: str, given: str, holds: bool) -> None:
    found = asked(claim(LEAST, then, given, game=""))
    assert (found.decision == "holds") is holds, found.detail


def test_what_is_owed_is_shown_where_the_path_has_led(claim: Any) -> None:
    found = asked(claim(LEAST, "n // (value(s) + 1) >= 0", game=""))
    assert found.detail.startswith("defined: ")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (LARGEST.replace('"1..h"', '"2..h"'), "moves: "),
        (LARGEST.replace('"1..h"', '"0..h"'), "moves: "),
        (NIM, "on a largest heap"),
    ],
)
def test_a_largest_heap_becomes_anything_smaller_and_nothing_else(claim: Any, rules: str, words: str) -> None:
    own = LEAST.replace("large-nim", "mine")
    found = asked(claim(own, "value(s) == len(s)", INSIDE, game="", rules=rules, head=N_PLAYERS))
    assert words in found.detail


def test_a_formula_has_a_value_in_its_region(claim: Any) -> None:
    own = LEAST.replace('value = "heaps"', 'value = "heaps + 0 * (1 // (n - 9))"')
    assert asked(claim(own, "len(s) >= 0", game="")).detail.startswith("the formula is defined: ")


def test_a_value_is_one_of_a_player(claim: Any) -> None:
    own = LEAST.replace("n > heaps + 1", "n >= heaps")
    assert asked(claim(own, "len(s) >= 0", game="")).detail.startswith("range: ")


def test_after_the_last_player_comes_the_first(claim: Any) -> None:
    own = LEAST.replace("n > heaps + 1", "n > heaps")
    assert asked(claim(own, "len(s) >= 0", game="")).detail.startswith("least: ")


@pytest.mark.parametrize("becomes", ["2", "-1"])
def test_an_option_is_reached_by_a_move(claim: Any, becomes: str) -> None:
    """A heap of 1 gives value 1 to the player who takes it; the formula says 0, by a move to a heap of 2, or of -1."""
    own = LEAST.replace("n > heaps + 1", "n == 2 and heaps <= 1 and largest <= 2")
    own = own.replace('value = "heaps"', 'value = "1 if largest == 2 or largest < 0 else 0"')
    own = own.replace('when = "heaps >= 1"\nbecomes = "0"', f'when = "largest == 1"\nbecomes = "{becomes}"')
    own += '[[proof.options]]\nwhen = "largest == 2"\nbecomes = "0"\n'
    found = asked(claim(own, "n != 2 or value(position([1])) == 0", game=""))
    assert found.detail.startswith("option 1: attains: ")


@pytest.mark.slow
def test_heaps_in_order_are_those_of_few(claim: Any) -> None:
    own = LEAST.replace('rule = "value"', 'rule = "value"\nsorted = 3')
    assert asked(claim(own, "len(s) != 4 or s[2] == 0", game="")).decision == "unknown"


# -- cases ------------------------------------------------------------------------------------------------------------
CASES = """
[forall]
k = "1.."
s = "position"
[scope]
k = "1..9"
s = { heaps = "0..1", size = "1..1" }
"""
LOW_AND_HIGH = """
[[proof.cases]]
when = "k < 5"
from = "low"
[[proof.cases]]
when = "k >= 5"
from = "high"
"""


@pytest.fixture
def by_two_cases(claim: Any, tmp_path: Path) -> Any:
    for name, bits in (("low", 8), ("high", 62)):
        made = claim(f'{CASES}[proof]\nsizes = "< 2^{bits}"\n', "k >= 1")
        (tmp_path / f"{name}.toml").write_text(made.source.text, "utf-8")
    return lambda then: claim(CASES + LOW_AND_HIGH, then)


def test_cases_cover_what_the_weakest_of_them_does(by_two_cases: Any) -> None:
    found = asked(by_two_cases("k >= 1"))
    assert (found.decision, found.reach.below, dict(found.reach.limits)["k"]) == ("holds", 1 << 8, Below(8))


@pytest.mark.parametrize(
    ("then", "low"),
    [
        ("k > 7 and len(s) > 9", "False"),
        ("k > 7 or len(s) > 9", "len(s) > 9"),
        ("k < 7 or len(s) > 9", "True"),
        ("k < 3 and len(s) > 9", "k < 3 and len(s) > 9"),
        ("len(s) > 9 or 1 // (k - 2) > 9", "len(s) > 9 or 1 // (k - 2) > 9"),
        ("max(k, 5) == 1 // (k - 2)", "5 == 1 // (k - 2)"),
    ],
)
def test_a_case_leaves_what_may_have_no_value(by_two_cases: Any, then: str, low: str) -> None:
    made = by_two_cases(then)
    assert isinstance(made.proof, CasesProof)
    assert print_term(narrow(made, made.proof.cases[0].when, Prover()).conclusion) == low


@pytest.mark.parametrize(
    "then",
    [
        "k >= 5 and grundy(position([k - 5])) == k - 5",
        "k > 0 or {v for v in range(k - 5, k - 4)} == {grundy(position([x])) for x in range(0, k)}",
        "k > 0 or {v for v in range(0, k)} == {v for v in range(0, 1)}",
    ],
)
def test_what_is_not_there_proves_nothing(claim: Any, then: str) -> None:
    """Heaps below 0 have no digits, and the empty set has no elements."""
    found = asked(claim(HEAPS + '[proof.witness]\ndigits = { q = "v" }\n', then))
    assert found.detail.startswith("claim: fails at"), found.detail


# -- unsupported claims -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "rules"),
    [
        (N_PLAYERS.replace("wins", "loses"), LARGEST),
        (N_PLAYERS, LARGEST.replace("become", 'where = "mover != 1"\nbecome')),
        (MISERE, LARGEST),
    ],
)
def test_what_the_rule_of_values_does_not_follow(claim: Any, head: str, rules: str) -> None:
    own = "mine(n = n)" if 'players = "n"' in head else "mine"
    body = LEAST.replace('ruleset = "large-nim"', f'ruleset = "{own}"')
    found = asked(claim(body, "len(s) >= 0", head=head, rules=rules, game=""))
    assert "the rule needs n players with the same moves, where a player who cannot move wins" in found.detail


def test_the_least_heap_of_another_position_is_not_counted(claim: Any) -> None:
    body = LEAST.replace('s = "position"', 's = "position"\nu = "position"').replace(
        "s = { heaps", 'u = { heaps = "0..1", size = "1..2" }\ns = { heaps'
    )
    given = "len(s) >= 1 and len(u) >= 1"
    assert asked(claim(body, "s.count(min(s)) >= 1", given, game="")).decision == "holds"
    assert asked(claim(body, "s.count(min(u)) >= 1", given, game="")).decision != "holds"
