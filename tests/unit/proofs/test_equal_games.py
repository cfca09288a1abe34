"""The rule of equal games: the claims about two games that it proves, and others that it does not prove."""

from pathlib import Path

import pytest
from proofs import BY_ONE, MISERE, NIM, RULES, asked, written

from claims.language.errors import ClaimError
from encoders.logic.answer import RouteResult
from encoders.rules.folds.kinds import EXTREMES_MORE

OF_NIM = RULES.replace('["A", "B"]', '["P1", "P2"]')
BODY = """
[forall]
k = "1.."
j = "1.."
s = "position"
[scope]
k = "1..2"
j = "1..2"
s = { heaps = "0..1", size = "1..1" }
[proof]
rule = "equal games"
"""
TAKE = 'parameters = { d = "1.." }\n' + NIM.replace("1..h", "1..d").replace("become", 'where = "m <= h"\nbecome')
NIM_AND_KL = '[games]\nnim = "nim"\nkl = "kl-nim(k = k, l = j)"'
NIM_AND_TAKE = '[games]\nnim = "nim"\ntake = "mine(d = k)"'
OTHER = '[games]\nnim = "nim"\nother = "mine"'
ONE_OR_ALL = NIM.replace("h - m", "h - 1 if m == 1 else 0")
TWICE = '[games]\none = "mine(d = k)"\nother = "mine(d = k + j)"'
SMALL = "all(h < min(k, j) for h in s)"
LOW = "all(h <= k for h in s)"
ONES = "all(h <= 1 for h in s)"
HIGHEST = "len(s) == 0 or max(s) <= k"


def tried(
    folder: Path, games: str, region: str, then: str, given: str, rules: str = NIM, head: str = OF_NIM
) -> RouteResult:
    body = f"{BODY}{region}\n" if "region = " in region else f'{BODY}region = "{region}"\n'
    return asked(written(folder, body, then, given, rules, games, head))


@pytest.mark.parametrize(
    ("games", "rules", "head", "region", "given", "then"),
    [
        (NIM_AND_TAKE, TAKE, OF_NIM, LOW, LOW, "iff(nim.wins(s), take.wins(s))"),
        (NIM_AND_TAKE, TAKE, OF_NIM, LOW, LOW, "nim.outcome(s) != P_position or take.outcome(s) == P_position"),
        (TWICE, TAKE, OF_NIM, LOW, LOW, "one.options(s) == other.options(s) and iff(one.wins(s), other.wins(s))"),
        (TWICE, TAKE, MISERE, LOW, LOW, "all(iff(one.wins(t), other.wins(t)) for t in one.options(s))"),
        (NIM_AND_KL, NIM, OF_NIM, SMALL, SMALL, "iff(nim.wins(s, P1), kl.wins(s, P1))"),
        (NIM_AND_KL, NIM, OF_NIM, SMALL, "k > 2 and j > 2", "iff(kl.wins(position([2]), P2), nim.wins(position([2])))"),
        (NIM_AND_TAKE, BY_ONE, OF_NIM, ONES, ONES, "iff(nim.wins(s), take.wins(s))"),
        (NIM_AND_TAKE, TAKE, OF_NIM, HIGHEST, HIGHEST, "iff(nim.wins(s), take.wins(s))"),
    ],
)  # fmt: skip
def test_games_with_the_same_moves_have_the_same_winners(
    tmp_path: Path, games: str, rules: str, head: str, region: str, given: str, then: str
) -> None:
    games = games.replace("(d = k)", "") if rules is BY_ONE else games
    found = tried(tmp_path, games, region, then, given, rules, head)
    assert (found.decision, found.detail) == ("holds", "")


@pytest.mark.parametrize(
    ("games", "rules", "region", "given", "then", "fails"),
    [
        (NIM_AND_TAKE, TAKE, "all(h <= k + 1 for h in s)", LOW, "iff(nim.wins(s), take.wins(s))", "same moves: "),
        (NIM_AND_TAKE, TAKE, LOW, "len(s) <= 2", "iff(nim.wins(s), take.wins(s))", "claim: "),
        (NIM_AND_TAKE, TAKE, LOW, LOW, "nim.wins(s)", "claim: "),
        (NIM_AND_TAKE, TAKE, LOW, LOW, "iff(nim.wins(s), take.wins(position([k, k])))", "claim: "),
        (NIM_AND_TAKE, TAKE, "k < 1", LOW, "iff(nim.wins(s), take.wins(s))", "claim: "),
        (OTHER, ONE_OR_ALL, LOW, LOW, "iff(nim.wins(s), other.wins(s))", "same moves: "),
        (TWICE, TAKE, "nim_sum(s) == 0", LOW, "iff(one.wins(s), other.wins(s))", "region closed: "),
        (TWICE, TAKE, "len(s) >= 2", LOW, "iff(one.wins(s), other.wins(s))", "region closed: "),
        (NIM_AND_KL, NIM, SMALL, SMALL, "iff(nim.wins(s, P1), kl.wins(s, P2)) and len(s) < 3", "claim: "),
        (NIM_AND_KL, NIM, "all(h < k for h in s)", SMALL, "len(s) >= 0", "same moves (P2 to move): "),
    ],
)  # fmt: skip
def test_games_that_differ_are_not_proved_to_have_the_same_winners(
    tmp_path: Path, games: str, rules: str, region: str, given: str, then: str, fails: str
) -> None:
    line = f'sizes = "< 2^8"\nregion = "{region}"' if "nim_sum" in region else f'region = "{region}"'
    found = tried(tmp_path, games, line, then, given, rules)
    assert found.decision == "unknown"
    assert found.detail.startswith(fails)


def test_a_claim_about_any_player_is_shown_of_each(tmp_path: Path) -> None:
    body = BODY.replace('s = "position"', 's = "position"\np = "player"') + f'region = "{SMALL}"\n'
    found = asked(written(tmp_path, body, "iff(nim.wins(s, p), kl.wins(s, p))", SMALL, NIM, NIM_AND_KL, OF_NIM))
    assert (found.decision, [str(limit) for _, limit in found.reach.limits]) == ("holds", ["all"] * 5)
    assert [o.name for o in found.obligations][-2:] == ["p = P1: claim", "p = P2: claim"]
    found = asked(written(tmp_path, body, "p == P1 or nim.wins(s, p)", SMALL, NIM, NIM_AND_KL, OF_NIM))
    assert found.detail.startswith("p = P2: claim: ")


def test_a_proof_below_a_bound_says_nothing_of_larger_heaps(tmp_path: Path) -> None:
    line = f'sizes = "< 2^8"\nregion = "{LOW}"'
    found = tried(tmp_path, NIM_AND_TAKE, line, "iff(nim.wins(s), take.wins(s))", LOW, TAKE)
    assert {str(limit) for _, limit in found.reach.limits} == {"all", "< 2^8"}
    assert found.decision == "holds"
    then = "iff(nim.wins(position([k + j])), take.wins(position([k + j]))) or k >= 0"
    assert tried(tmp_path, NIM_AND_TAKE, line, then, LOW, TAKE).detail.startswith("defined: position([k + j]) needs ")


def test_what_is_known_of_largest_heaps_is_shown(tmp_path: Path) -> None:
    found = tried(tmp_path, NIM_AND_TAKE, HIGHEST, "iff(nim.wins(s), take.wins(s))", HIGHEST, TAKE)
    assert [o.name for o in found.obligations][-1] == EXTREMES_MORE.make_label().name


def test_numbers_picked_count_by_their_names(tmp_path: Path) -> None:
    rules = NIM.replace("m = ", "y = ").replace("h - m", "y - 1")
    found = tried(tmp_path, OTHER, LOW, "iff(nim.wins(s), other.wins(s))", LOW, rules)
    assert found.detail.startswith("same moves: each of nim is one of other: ")


def test_the_region_has_a_value_at_every_position(tmp_path: Path) -> None:
    found = tried(tmp_path, NIM_AND_TAKE, "max(s) <= k", "iff(nim.wins(s), take.wins(s))", LOW, TAKE)
    assert found.detail.startswith("the region is defined: max(s) needs len(s) >= 1: ")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "region"),
        ('region = "max(s)"', "Int"),
        ('region = "nim.wins(s)"', "nim"),
        ('region = "all(h < n for h in s)"', "'n'"),
        ('region = "k > 1"\nloses = { mover = "k > 1" }', "loses"),
    ],
)
def test_a_region_is_a_condition_on_positions(tmp_path: Path, line: str, problem: str) -> None:
    with pytest.raises(ClaimError, match=problem):
        written(tmp_path, BODY + line + "\n", "len(s) >= 0", game=NIM_AND_KL)
