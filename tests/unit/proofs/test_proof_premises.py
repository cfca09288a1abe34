"""Parts of the premises of proofs by folds: for each a false claim that is proved without it.

Complete premises are in tests/premises. Here the routes are called directly, so their answer is not a verdict yet.
"""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from proofs import ANY_MOVE, BOUTON, BY_ONE, FOLDS, LARGEST, LATE, NEVER, NIM, ONLY_A, SMALLEST, asked, written


@pytest.fixture
def claim(tmp_path: Path) -> Any:
    return partial(written, tmp_path)


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
        # variables over the heaps
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
        # literal positions
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
    assert asked(claim(FOLDS + BOUTON + ANY_MOVE, then)).decision in ("unknown", "unsupported")


def test_a_hypothesis_is_as_weak_as_it_says(claim: Any) -> None:
    assert asked(claim(FOLDS + BOUTON, "k < 3", "k < 7 or k < 3")).decision == "unknown"


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
        (SMALLEST, "any(nim_sum(t) == 0 for t in options(s)) or nim_sum(s) == 0", BOUTON),
        (LATE, "any(len(t) <= len(s) for t in options(s)) or len(s) == 0", BOUTON + ANY_MOVE),
        (LATE, "any(nim_sum(t) == 0 for t in options(s)) or nim_sum(s) == 0", BOUTON),
    ],
)
def test_a_game_is_played_by_all_of_its_rules(claim: Any, rules: str, then: str, proof: str) -> None:
    assert asked(claim(FOLDS + proof, then, rules=rules)).decision in ("unknown", "unsupported")


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
    found = asked(claim(FOLDS + ONE_MOVES, then, rules=ONLY_A))
    assert (found.decision == "holds") is holds, found.detail


def test_the_sets_that_are_equal_are_proved_to_be(claim: Any) -> None:
    then = "{replace(s, h, h - 1) for h in s} == {t for t in options(s)}"
    assert asked(claim(FOLDS + ANY_MOVE, then, rules=BY_ONE)).decision == "holds"


def test_who_moves_next_matters(claim: Any) -> None:
    """Only A moves, a whole heap each time, and so wins from every nonempty position, also if the number is even."""
    rules = ONLY_A.replace("1..h", "h..h")
    body = FOLDS + ONE_MOVES.replace("N == 0", "N % 2 == 0").replace('"1"', '"h"')
    found = asked(claim(body, "iff(wins(s, A), len(s) % 2 == 1)", rules=rules))
    assert found.detail.startswith("closed (A to move): ")


TWO_GAMES = '[games]\nfull = "nim"\nlate = "mine"\n'


def test_the_moves_of_one_game_are_not_those_of_another(claim: Any) -> None:
    then = "implies(any(len(t) <= 9 for t in full.options(s)), any(len(t) <= 9 for t in late.options(s)))"
    made = claim(TWO_GAMES + FOLDS + ANY_MOVE, then, rules=LATE, game="")
    assert asked(made).decision in ("unknown", "unsupported")


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
    found = asked(claim(body, "iff(wins(s), nim_sum(s) > 1 or k > 9)"))
    assert [o.name for o in found.obligations if o.result != "proved"] == [obligation], found.detail


@pytest.mark.parametrize(
    ("obligation", "rules"),
    [
        ("measure of mine", 'pick = { m = "0..h" }\nbecome = ["h - m"]'),
        ("measure of mine", 'pick = { m = "1..h + 1" }\nbecome = ["h - m"]'),
        ("measure of mine", 'pick = { m = "1..h" }\nbecome = ["h - m if m < h else h"]'),
        ("measure of mine", 'pick = { m = "1..h" }\nbecome = ["h - m if h > 1 else 1"]'),
        (
            "`where` of move 1 of mine is defined: 6 // (heap - 3) needs heap - 3 != 0",
            'pick = { m = "1..h" }\nwhere = "6 // (h - 3) < 9"\nbecome = ["h - m"]',
        ),
    ],
)
def test_a_game_that_is_none_is_named(claim: Any, obligation: str, rules: str) -> None:
    made = claim(FOLDS + BOUTON, "len(s) >= 0", rules=f'[[moves]]\nchoose = "any heap h"\n{rules}\n')
    found = asked(made)
    assert [o.name for o in found.obligations if o.result != "proved"] == [obligation], found.detail


def test_a_game_that_has_no_end_for_the_second_player_is_named(claim: Any) -> None:
    made = claim(FOLDS, "len(s) >= 0", rules=NIM.replace("h - m", "h - m if mover == A else h"))
    assert asked(made).detail.startswith("measure of mine: ")


def test_a_parameter_has_an_upper_bound_too(claim: Any) -> None:
    rules = 'parameters = { q = "1..5" }\n' + NIM
    made = claim(FOLDS, "len(s) >= 0", rules=rules, game='ruleset = "mine(q = k)"')
    assert asked(made).detail.startswith("parameters of mine: ")


# -- definedness, and expanded definitions ----------------------------------------------------------------------------
MOST_THREE = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..min(h, 3)" }\nbecome = ["h - m"]\n'
REMAINDERS = """
[forall]
s = "position"
[define]
"g(h)" = "h % 4"
[scope]
s = { heaps = "0..3", size = "1..9" }
[proof]
sizes = "< 2^8"
[proof.folds]
X = "nim_sum(FOLD for h in s)"
[proof.loses]
mover = "X == 0"
[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = { m = "TAKE" }
"""


@pytest.mark.parametrize("take", ["h % 4 - (h % 4 ^ X)", "g(h) - (g(h) ^ X)"])
@pytest.mark.parametrize(("fold", "said"), [("h % 4", "g(h)"), ("g(h)", "h % 4"), ("g(h)", "g(h)")])
def test_a_fold_is_the_same_with_a_definition_or_without(tmp_path: Path, fold: str, said: str, take: str) -> None:
    body = REMAINDERS.replace("FOLD", fold).replace("TAKE", take)
    claim = written(tmp_path, body, f"iff(wins(s), nim_sum({said} for h in s) != 0)", rules=MOST_THREE)
    found = asked(claim)
    assert found.decision == "holds", found.detail
    assert {o.result for o in found.obligations} == {"proved"}


@pytest.mark.slow
def test_a_definition_that_says_another_fold_is_told_apart(tmp_path: Path) -> None:
    body = REMAINDERS.replace("FOLD", "h % 4").replace("TAKE", "h % 4 - (h % 4 ^ X)").replace('"h % 4"', '"h % 8"', 1)
    found = asked(written(tmp_path, body, "iff(wins(s), nim_sum(g(h) for h in s) != 0)", rules=MOST_THREE))
    assert [o.name for o in found.obligations if o.result != "proved"] == ["claim"]
