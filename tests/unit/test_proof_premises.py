"""Parts of premises, each with a false claim that is proved where the part is left out; and what a claim needs.

Whole premises stand in tests/premises.  Here the routes are asked directly: what they answer is no verdict yet.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from claims.case_proofs import CaseProof
from claims.errors import ClaimError
from claims.files import load_claim
from claims.printing import text
from encoders.answer import Answer
from encoders.cases.encoder import settle as by_cases
from encoders.cases.narrow import narrowed
from encoders.definedness import needs_of_claim, needs_of_game
from encoders.effort import USUAL
from encoders.folds.encoder import settle as by_folds
from encoders.heaps.encoder import settle as by_heaps
from encoders.least.encoder import settle as by_least
from encoders.obligations import Plan, prove

EFFORT = replace(USUAL, seeds=(17,))
HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "conjecture"\n'
RULES = 'format = 1\ntitle = "R"\nplayers = ["A", "B"]\nstuck = "loses"\n'
MISERE = RULES.replace("loses", "wins")
N_PLAYERS = 'format = 1\ntitle = "R"\nplayers = "n"\nparameters = { n = "2.." }\nstuck = "wins"\n'
NIM = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n'
NEVER = NIM.replace("become", 'where = "h < 0"\nbecome')
LATE = NIM.replace("become", 'where = "h > 5"\nbecome')
BY_ONE = NIM.replace("1..h", "1..1")
LARGEST = NIM.replace("any heap", "a largest heap")
ONLY_A = NIM.replace("become", 'where = "mover == A"\nbecome')
FOLDS = """
[forall]
k = "1..9"
j = "1..9"
s = "position"
[define]
"low(x)" = "nim_sum(position([x - 5]))"
[scope]
s = { heaps = "0..1", size = "1..1" }
[proof]
sizes = "< 2^8"
"""
BOUTON = """
[proof.folds]
X = "nim_sum(s)"
N = "len(s)"
B = "count(h > 1 for h in s)"
[proof.loses]
mover = "X == 0"
[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = { m = "h - (h ^ X)" }
"""
ANY_MOVE = '[[proof.moves]]\nwhen = "True"\nheap = "any"\ntake = { m = "1" }\nto = "anywhere"\n'


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    def make(
        body: str, then: str, given: str = "", rules: str = NIM, game: str = 'ruleset = "mine"', head: str = RULES
    ) -> Any:
        (tmp_path / "mine.toml").write_text(head + rules, "utf-8")
        condition = f'if = "{given}"\n' if given else ""
        path = tmp_path / "claim.toml"
        path.write_text(f'{HEAD}{game}\n{body}\n[claim]\n{condition}then = "{then}"\n', "utf-8")
        return load_claim(path, "claim")

    return make


def asked(claim: Any, route: Any) -> Answer:
    found: Answer = route(claim, claim.scope("quick"), None, EFFORT)
    return found


# -- folds ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "then",
    [
        # numbers, and the integers of the claim
        "k < 9",
        "k > 1",
        "max(k, 5) <= 5",
        "min(k, 5) >= 5",
        "(6 if k > 5 else k) > 5",
        "k < 10 if k > 5 else k > 5",
        "k < 7 and k < 10",
        "A != A",
        "implies(k == 1 and j == 2, (k - j) % 3 == 0)",
        "implies(k == 4, (0 if k > 5 else k - 5) % 3 == 0)",
        # positions of heaps below the bound, all of them
        "all(h < 255 for h in s)",
        "all(h > 1 for h in s)",
        "all(h != 0 for h in s) and len(s) > 0",
        "nim_sum(2*h for h in s) < 256",
        # what runs over the heaps
        "s.count(2) == count(h >= 2 for h in s)",
        "implies(all(h < 5 for h in s), count(h < 5 for h in s) == 0)",
        "any(h < 5 for h in s)",
        "implies(all(not (h < 5) for h in s), count(not (h < 5) for h in s) == 0)",
        "implies(count(h > 5 for h in s) == 0, all(h < 5 for h in s))",
        "implies(all(h >= 5 for h in s), count(h <= 5 for h in s) == 0)",
        "nim_sum(h % 4 for h in s) == nim_sum(s)",
        "count(h > 1 for h in s) == count(h > 2 for h in s)",
        "count(h < 5 for h in s) == count(h <= 5 for h in s)",
        "count(5 < h for h in s) == count(5 <= h for h in s)",
        "count(h > 5 for h in s) == count(h < 5 for h in s)",
        "count(h == 5 for h in s) == count(h != 5 for h in s)",
        "count(h == 5 for h in s) == count(h == 6 for h in s)",
        "count(h == k for h in s) == count(h == j for h in s)",
        "count(h % 2 == 0 for h in s) == count(h % 3 == 0 for h in s)",
        "count(h + k == 8 for h in s) == count(h - k == 8 for h in s)",
        "count(h > 3 or h > 5 for h in s) == count(h > 3 or h > 6 for h in s)",
        "count(implies(h > 3, h > 9) for h in s) == count(implies(h > 4, h > 9) for h in s)",
        "count((k if h > 2 else j) == 1 for h in s) == count((k if h > 3 else j) == 1 for h in s)",
        "count((k if h > 2 else 1) == 1 for h in s) == count((k if h > 2 else 2) == 1 for h in s)",
        # positions written down
        "nim_sum(position([k])) == nim_sum(position([j]))",
        "len(position([k - 1])) == 1",
        "all(len(t) > 1 for t in options(position([k, 3])))",
        "k == 2 or not legal(position([3, k]), position([2, k]))",
        "{t for t in options(position([2]))} == {t for t in options(position([3]))}",
        # moves
        "all(len(t) == len(s) for t in options(s))",
        "any(nim_sum(t) == 0 for t in options(s) if len(t) > 9) or nim_sum(s) == 0",
        "any(len(t) >= 0 for t in options(s))",
        "implies(any(len(t) >= 0 for t in options(position([k]))), any(len(t) >= 0 for t in options(position([]))))",
        "all(nim_sum(t) != 2 for t in options(s))",
        "all(all(nim_sum(u) != 2 for u in options(t)) for t in options(s))",
    ],
)
def test_what_is_false_of_some_position_is_not_proved(claim: Any, then: str) -> None:
    assert asked(claim(FOLDS + BOUTON + ANY_MOVE, then), by_folds).answer in ("unknown", "unsupported")


def test_a_hypothesis_is_as_weak_as_it_says(claim: Any) -> None:
    assert asked(claim(FOLDS + BOUTON, "k < 3", "k < 7 or k < 3"), by_folds).answer == "unknown"


@pytest.mark.parametrize(
    ("rules", "then", "proof"),
    [
        (NEVER + NIM, "not wins(s)", '[proof.loses]\nmover = "True"\n'),
        (NEVER + NIM, "all(len(t) < 0 for t in options(s))", ""),
        (NIM.replace("become", 'where = "h < 2"\nbecome'), "not wins(s)", '[proof.loses]\nmover = "True"\n'),
        (NIM.replace("1..h", "2..h"), "any(len(t) <= len(s) for t in options(s)) or len(s) == 0", ANY_MOVE),
        (NIM.replace("1..h", "1..h - 1"), "any(len(t) <= len(s) for t in options(s)) or len(s) == 0", ANY_MOVE),
        (BY_ONE, "{t for t in options(position([2]))} == {t for t in options(position([3]))}", ANY_MOVE),
        (BY_ONE, "{t for t in options(s) if len(t) > 9} == {t for t in options(s)}", ANY_MOVE),
        (BY_ONE, "{replace(s, h, h - 1) for h in s if h > 5} == {t for t in options(s)}", ANY_MOVE),
        (LARGEST, "any(nim_sum(t) == 0 for t in options(s)) or nim_sum(s) == 0", BOUTON),
        (LATE, "any(len(t) <= len(s) for t in options(s)) or len(s) == 0", BOUTON + ANY_MOVE),
        (LATE, "any(nim_sum(t) == 0 for t in options(s)) or nim_sum(s) == 0", BOUTON),
    ],
)
def test_a_game_is_played_by_all_of_its_rules(claim: Any, rules: str, then: str, proof: str) -> None:
    assert asked(claim(FOLDS + proof, then, rules=rules), by_folds).answer in ("unknown", "unsupported")


ONE_MOVES = """
[proof.folds]
N = "len(s)"
[proof.loses]
A = "N == 0"
B = "True"
[[proof.moves]]
player = "A"
when = "True"
heap = "any"
take = { m = "1" }
"""


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("outcome(s) != first_wins", False),
        ("outcome(s) != second_wins", True),
        ("wins(s, B)", False),
        ("wins(s, A)", False),
        ("iff(wins(s, A), len(s) > 0)", True),
        ("implies(any(len(t) <= 9 for t in options(s, A)), any(len(t) <= 9 for t in options(s, B)))", False),
        ("all(len(t) < 0 for t in options(s, B))", True),
        ("all(len(t) < 0 for t in options(s, A))", False),
    ],
)
def test_whose_move_it_is_matters(claim: Any, then: str, holds: bool) -> None:
    found = asked(claim(FOLDS + ONE_MOVES, then, rules=ONLY_A), by_folds)
    assert (found.answer == "holds") is holds, found.detail


def test_the_sets_that_are_equal_are_proved_to_be(claim: Any) -> None:
    then = "{replace(s, h, h - 1) for h in s} == {t for t in options(s)}"
    assert asked(claim(FOLDS + ANY_MOVE, then, rules=BY_ONE), by_folds).answer == "holds"


def test_who_moves_next_matters(claim: Any) -> None:
    """Only A moves, a whole heap each time, and so wins wherever there is one: not where their number is odd."""
    rules = ONLY_A.replace("1..h", "h..h")
    body = FOLDS + ONE_MOVES.replace("N == 0", "N % 2 == 0").replace('"1"', '"h"')
    found = asked(claim(body, "iff(wins(s, A), len(s) % 2 == 1)", rules=rules), by_folds)
    assert found.detail.startswith("closed (A to move): ")


TWO_GAMES = '[games]\nfull = "nim"\nlate = "mine"\n'


def test_the_moves_of_one_game_are_not_those_of_another(claim: Any) -> None:
    then = "implies(any(len(t) <= 9 for t in full.options(s)), any(len(t) <= 9 for t in late.options(s)))"
    made = claim(TWO_GAMES + FOLDS + ANY_MOVE, then, rules=LATE, game="")
    assert asked(made, by_folds).answer in ("unknown", "unsupported")


@pytest.mark.parametrize(
    ("obligation", "changes"),
    [
        ("cases cover", ('mover = "X == 0"', 'mover = "X == 0 and N >= 1"')),
        ("fact 'large', one more heap", ("[proof.loses]", '[proof.facts]\nlarge = "B == N"\n[proof.loses]')),
        (
            "fact 'small', one more heap",
            ('count(h > 1 for h in s)"\n', 'count(h > 254 for h in s)"\n[proof.facts]\nsmall = "B == 0"\n'),
        ),
        ("claim, where k < 5", ('sizes = "< 2^8"', 'sizes = "< 2^8"\nsplit = ["k < 5", "k >= 5"]')),
        ("cases of the claim cover", ('sizes = "< 2^8"', 'sizes = "< 2^8"\nsplit = ["k < 5", "k > 5"]')),
    ],
)
def test_the_obligation_that_fails_is_named(claim: Any, obligation: str, changes: tuple[str, str]) -> None:
    body = (FOLDS + BOUTON).replace(*changes)
    found = asked(claim(body, "iff(wins(s), nim_sum(s) > 1 or k > 9)"), by_folds)
    assert [o.name for o in found.obligations if o.result != "proved"] == [obligation], found.detail


@pytest.mark.parametrize(
    ("obligation", "rules"),
    [
        ("measure of mine", 'pick = { m = "0..h" }\nbecome = ["h - m"]'),
        ("measure of mine", 'pick = { m = "1..h + 1" }\nbecome = ["h - m"]'),
        ("measure of mine", 'pick = { m = "1..h" }\nbecome = ["h - m if m < h else h"]'),
        ("measure of mine", 'pick = { m = "1..h" }\nbecome = ["h - m if h > 1 else 1"]'),
        ("rules of mine are defined", 'pick = { m = "1..h" }\nwhere = "6 // (h - 3) < 9"\nbecome = ["h - m"]'),
    ],
)
def test_a_game_that_is_none_is_named(claim: Any, obligation: str, rules: str) -> None:
    made = claim(FOLDS + BOUTON, "len(s) >= 0", rules=f'[[moves]]\nchoose = "any heap h"\n{rules}\n')
    found = asked(made, by_folds)
    assert [o.name for o in found.obligations if o.result != "proved"] == [obligation], found.detail


def test_a_game_that_has_no_end_for_the_second_player_is_named(claim: Any) -> None:
    made = claim(FOLDS, "len(s) >= 0", rules=NIM.replace("h - m", "h - m if mover == A else h"))
    assert asked(made, by_folds).detail.startswith("measure of mine: ")


def test_a_parameter_has_an_upper_bound_too(claim: Any) -> None:
    rules = 'parameters = { q = "1..5" }\n' + NIM
    made = claim(FOLDS, "len(s) >= 0", rules=rules, game='ruleset = "mine(q = k)"')
    assert asked(made, by_folds).detail.startswith("parameters of mine: ")


# -- what a claim needs -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("then", "need"),
    [
        ("k // (j - 1) >= 0", "j - 1 != 0"),
        ("k % (j - 1) >= 0", "j - 1 != 0"),
        ("k // 0 >= 0", "0 != 0"),
        ("k / (j - 1) >= 0", "j - 1 != 0"),
        ("k ^ (j - 5) >= 0", "j - 5 >= 0"),
        ("k ^ (0 - 1) >= 0", "0 - 1 >= 0"),
        ("k ** (j - 5) >= 0", "j - 5 >= 0"),
        ("isqrt(j - 5) >= 0", "j - 5 >= 0"),
        ("top_bit(j - 5) >= 0", "j - 5 >= 1"),
        ("max(s) >= 0", "len(s) >= 1"),
        ("max(h for h in s) >= 0", "needs an element"),
        ("nim_sum(h - 5 for h in s) >= 0", "h - 5 >= 0"),
        ("nim_sum([k - 5]) >= 0", "k - 5 >= 0"),
        ("len(position([k - 5])) >= 0", "k - 5 >= 0"),
        ("len(position([h - 5 for h in s])) >= 0", "h - 5 >= 0"),
        ("len(position([256])) >= 0", "256 < 2^8"),
        ("len(position([k + 250])) >= 0", "k + 250 < 2^8"),
        ("s[k] >= 0", "0 <= k < len(s)"),
        ("len(replace(s, k, 1)) >= 0", "k in s"),
        ("len(replace(s, 1, k - 5)) >= 0", "k - 5 >= 0"),
        ("all(len(replace(s, h, 0)) >= 0 for h in position([3]))", "h in s"),
        ("1 + low(k) >= 0", "k - 5 >= 0"),
        ("wins(position([k - 5]))", "k - 5 >= 0"),
        ("(0 if low(k) >= 0 else 0) >= 0", "k - 5 >= 0"),
        ("all(low(k) >= 0 for t in options(s))", "k - 5 >= 0"),
        ("all(len(t) >= 0 for t in options(s) if low(k) >= 0)", "k - 5 >= 0"),
        ("all(len(t) >= 0 for t in options(position([k - 5])))", "k - 5 >= 0"),
    ],
)
def test_what_a_claim_needs_to_have_a_value(claim: Any, then: str, need: str) -> None:
    made = claim(FOLDS, then)
    words = [x.words for x in needs_of_claim(made, 1 << 8)]
    assert any(need in x for x in words), words


@pytest.mark.parametrize(
    ("then", "given"),
    [
        ("k >= 5 or low(k) >= 0", ""),
        ("k >= 1", "k < 5 and low(k) >= 0"),
        ("(low(k) if k < 5 else 0) >= 0", ""),
        ("(0 if k < 5 else low(k)) >= 0 and (0 if k >= 5 else low(k)) >= 0", ""),
        ("(0 if low(k) >= 0 else 0) >= 0", ""),
        ("1 + low(k) >= 0", ""),
        ("k >= 1", "low(k) >= 0"),
        ("all(low(k) >= 0 for t in options(s))", ""),
    ],
)
def test_what_has_no_value_in_some_case_is_not_proved(claim: Any, then: str, given: str) -> None:
    assert asked(claim(FOLDS, then, given), by_folds).detail.startswith("defined: ")


@pytest.mark.parametrize(
    ("then", "given"),
    [
        ("k < 5 or low(k) >= 0", ""),
        ("k >= 1", "k >= 5 and low(k) >= 0"),
        ("low(k) >= 0", "k >= 5"),
        ("(low(k) if k >= 5 else 0) >= 0", ""),
        ("(0 if k < 5 else low(k)) >= 0", ""),
    ],
)
def test_what_is_not_evaluated_needs_no_value(claim: Any, then: str, given: str) -> None:
    assert asked(claim(FOLDS, then, given), by_folds).answer == "holds"


@pytest.mark.parametrize(
    ("rules", "need"),
    [
        ('pick = { m = "6 // (h - 3)..h" }\nbecome = ["h - m"]', "h"),
        ('pick = { m = "1..6 // (h - 3)" }\nbecome = ["h - m"]', "h"),
        ('pick = { m = "1..h" }\nwhere = "6 // (h - 3) < 9"\nbecome = ["h - m"]', "h"),
        ('pick = { m = "1..h" }\nbecome = ["h - m + 0 // (h - 3)"]', "h"),
    ],
)
def test_what_the_rules_of_a_game_need_to_have_a_value(claim: Any, rules: str, need: str) -> None:
    made = claim(FOLDS, "len(s) >= 0", rules=f'[[moves]]\nchoose = "any heap h"\n{rules}\n')
    (words,) = [x.words for x in needs_of_game(made, made.games[0])]
    assert words.endswith(" - 3 != 0")


def test_what_the_arguments_of_a_game_need_to_have_a_value(claim: Any) -> None:
    rules = 'parameters = { q = "1.." }\n' + NIM
    made = claim(FOLDS, "len(s) >= 0", rules=rules, game='ruleset = "mine(q = 9 // (k - 3))"')
    assert [x.words for x in needs_of_game(made, made.games[0])] == ["9 // (k - 3) needs k - 3 != 0"]


def test_a_rule_that_asks_for_nothing_shows_nothing() -> None:
    assert prove("folds", lambda: Plan((), (), ()), EFFORT, None).answer == "unknown"


# -- Grundy values of one heap ----------------------------------------------------------------------------------------
HEAPS = """
[forall]
k = "0..9"
j = "-9..-1"
[scope]
k = "0..1"
[proof]
rule = "grundy"
heap = "q"
value = "q"
below = "v"
[proof.digits]
q = "0.."
[proof.below_digits]
v = "0.."
[[proof.options]]
digits = { q = "v" }
take = { m = "h - y" }
[[proof.at]]
heap = "k"
"""


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("grundy(position([k])) == k", True),
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
    found = asked(claim(HEAPS, then), by_heaps)
    assert (found.answer == "holds") is holds, found.detail


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (NIM + NIM, "by one kind of move"),
        (LARGEST, "who take from any one heap"),
        ('[[moves]]\nchoose = "any heap h"\npick = { m = "1..h - 1" }\nbecome = ["h - m"]\n', "option 1: legal"),
        (NIM.replace("become", 'where = "m < 7"\nbecome'), "option 1: legal"),
        (NIM.replace('"1..h"', '"2..h"'), "option 1: legal"),
        (NIM.replace("h - m", "h - m if m < h else h"), "measure"),
        (NIM.replace("h - m", "h - m if h > 1 else 1"), "measure"),
    ],
)
def test_a_game_that_the_rule_for_grundy_values_does_not_follow(claim: Any, rules: str, words: str) -> None:
    found = asked(claim(HEAPS, "grundy(position([k])) == k", rules=rules), by_heaps)
    assert words in found.detail


def test_grundy_values_belong_to_normal_play(claim: Any) -> None:
    found = asked(claim(HEAPS, "iff(wins(position([k])), k != 0)", head=MISERE), by_heaps)
    assert "Grundy values belong to normal play" in found.detail


# -- values of n players ----------------------------------------------------------------------------------------------
LEAST = """
ruleset = "large-nim"
[forall]
n = "2.."
j = "-9..-1"
s = "position"
[scope]
n = "6..8"
s = { heaps = "0..3", size = "1..4" }
[proof]
rule = "value"
region = "n > heaps + 1"
value = "heaps"
[[proof.options]]
when = "heaps >= 1"
becomes = "0"
"""
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
        ("value(s) > 1 or value(s) < 1", INSIDE, False),
        ("value(position([n])) == 1", "", False),
        ("value(position([n])) == 1", "n > 2", True),
        ("len(position([n - 3])) == 1", "n >= 3", False),
        ("all(h > 1 for h in s)", "", False),
    ],
)
def test_what_is_false_of_some_number_of_players_is_not_proved(claim: Any, then: str, given: str, holds: bool) -> None:
    found = asked(claim(LEAST, then, given, game=""), by_least)
    assert (found.answer == "holds") is holds, found.detail


def test_what_is_owed_is_shown_where_the_path_has_led(claim: Any) -> None:
    found = asked(claim(LEAST, "n // (value(s) + 1) >= 0", game=""), by_least)
    assert found.detail.startswith("defined: ")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (LARGEST.replace('"1..h"', '"2..h"'), "moves: "),
        (LARGEST.replace('"1..h"', '"0..h"'), "moves: "),
        (NIM, "take from a largest heap"),
    ],
)
def test_a_largest_heap_becomes_anything_smaller_and_nothing_else(claim: Any, rules: str, words: str) -> None:
    own = LEAST.replace("large-nim", "mine")
    found = asked(claim(own, "value(s) == len(s)", INSIDE, game="", rules=rules, head=N_PLAYERS), by_least)
    assert words in found.detail


def test_a_formula_has_a_value_in_its_region(claim: Any) -> None:
    own = LEAST.replace('value = "heaps"', 'value = "heaps + 0 * (1 // (n - 9))"')
    assert asked(claim(own, "len(s) >= 0", game=""), by_least).detail.startswith("the formula is defined: ")


def test_a_value_is_one_of_a_player(claim: Any) -> None:
    own = LEAST.replace("n > heaps + 1", "n >= heaps")
    assert asked(claim(own, "len(s) >= 0", game=""), by_least).detail.startswith("range: ")


@pytest.mark.parametrize("becomes", ["2", "-1"])
def test_an_option_is_reached_by_a_move(claim: Any, becomes: str) -> None:
    """A heap of 1 is worth 1 to whoever takes it; the formula says 0, by a move to a heap of 2, or of -1."""
    own = LEAST.replace("n > heaps + 1", "n == 2 and heaps <= 1 and largest <= 2")
    own = own.replace('value = "heaps"', 'value = "1 if largest == 2 or largest < 0 else 0"')
    own = own.replace('when = "heaps >= 1"\nbecomes = "0"', f'when = "largest == 1"\nbecomes = "{becomes}"')
    own += '[[proof.options]]\nwhen = "largest == 2"\nbecomes = "0"\n'
    found = asked(claim(own, "n != 2 or value(position([1])) == 0", game=""), by_least)
    assert found.detail.startswith("option 1: attains: ")


def test_heaps_in_order_are_those_of_few(claim: Any) -> None:
    own = LEAST.replace('rule = "value"', 'rule = "value"\nsorted = 3')
    assert asked(claim(own, "len(s) != 4 or s[2] == 0", game=""), by_least).answer == "unknown"


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
    found = asked(by_two_cases("k >= 1"), by_cases)
    assert (found.answer, found.below, dict(found.proved)["k"]) == ("holds", 1 << 8, "< 2^8")


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
    assert isinstance(made.proof, CaseProof)
    assert text(narrowed(made, made.proof.cases[0].when).conclusion) == low


# -- what is no proof -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[forall]", "[exists]", "a proof shows that a claim holds in every case"),
        ("2^8", "2^63", "this is no bound"),
        ('s = "position"', 's = "position"\nt = "position"', "a proof is about one position"),
        ('N = "len(s)"', 'k = "len(s)"', "the name 'k' is taken"),
        ('N = "len(s)"', 'N = "sum(h for h in s)"', "this is no fold over the heaps"),
        ('j = "1..9"', 'h = "1..9"', "which is what named moves call the heap"),
        ('B = "True"\n', "", "nothing says where B loses"),
        ('{ m = "1" }', '{ z = "1" }', "the moves of the game pick no 'z'"),
    ],
)
def test_a_proof_that_is_none_is_refused(claim: Any, old: str, new: str, words: str) -> None:
    body = FOLDS + ONE_MOVES
    assert body.count(old) == 1, old
    with pytest.raises(ClaimError, match=words):
        claim(body.replace(old, new), "k >= 1", rules=ONLY_A)
