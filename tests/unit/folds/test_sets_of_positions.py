"""Sets of positions, heaps by name and literal lists in proofs by folds: valid and invalid proofs."""

from pathlib import Path

import pytest
from proofs import ANY_MOVE, BY_ONE, FOLDS, NIM, asked, written

from claims.language.errors import ClaimError

GAMES = '[games]\nmine = "mine"\nkl = "kl-nim(k = k, l = j)"'
BELOW = "all(h < k for h in s)"
OPTIONS = "mine.options(s, A) == kl.options(s, P1)"
ALL = ANY_MOVE.replace('m = "1"', 'm = "h"')
THREE = FOLDS + 'heaps = ["a", "b", "c"]\n'


@pytest.mark.parametrize(
    ("given", "then"),
    [
        (BELOW, OPTIONS),
        (BELOW, "kl.options(s, P1) == mine.options(s, A)"),
        (BELOW, "{t for t in mine.options(s, A) if len(t) == 1} == {t for t in kl.options(s, P1) if len(t) == 1}"),
        (BELOW, "{t for t in {u for u in mine.options(s, A) if u != s}} == {t for t in kl.options(s, P1) if t != s}"),
        (BELOW, "all(t in kl.options(s, P1) or not t in kl.options(s, P1) for t in mine.options(s, A))"),
        ("", "all(len(t) <= len(s) for t in {u for u in kl.options(s, P1) if nim_sum(u) > 3})"),
        ("", "all(nim_sum(t) > 3 for t in {u for u in kl.options(s, P1) if nim_sum(u) > 3})"),
        ("", "{t for t in mine.options(s, A) if len(t) > len(s)} == {t for t in kl.options(s, P2) if len(t) > len(s)}"),
    ],
)  # fmt: skip
def test_options_of_two_games_are_the_same(tmp_path: Path, given: str, then: str) -> None:
    found = asked(written(tmp_path, FOLDS, then, given, game=GAMES))
    assert (found.decision, found.detail) == ("holds", "")


@pytest.mark.parametrize(
    ("given", "then", "rules"),
    [
        ("all(h <= k for h in s)", OPTIONS, NIM),
        (BELOW, "mine.options(s, A) == kl.options(s, P2)", NIM),
        (BELOW, OPTIONS, BY_ONE),
        (BELOW, "mine.options(s, A) != kl.options(s, P1)", NIM),
        (BELOW, "kl.options(s, P1) == mine.options(s, A)", BY_ONE),
        (BELOW, OPTIONS, NIM.replace("h - m", "m - 1 if h > 1 else 0").replace("1..h", "1..2")),
        (BELOW, "{t for t in mine.options(s, A) if len(t) > 1} == kl.options(s, P1)", NIM),
        (BELOW, "mine.options(s, A) == {t for t in kl.options(s, P1) if nim_sum(t) > 0}", NIM),
        (BELOW, "{t for t in {u for u in mine.options(s, A) if len(u) > 1} if len(t) >= 0} == kl.options(s, P1)", NIM),
        (BELOW, OPTIONS, NIM.replace("h - m", "h - 1 if m == 1 else 0")),
        ("len(s) >= 1", "any(len(t) >= 0 for t in {u for u in mine.options(s, A) if len(u) > 9})", NIM),
        (BELOW, "mine.options(s, A) == {position([])}", NIM),
        ("", "all(nim_sum(t) > 3 for t in {u for u in kl.options(s, P1) if nim_sum(u) > 2})", NIM),
        ("", "any(nim_sum(t) > 3 for t in {u for u in kl.options(s, P1) if nim_sum(u) > 3})", NIM),
    ],
)
def test_options_that_differ_are_not_proved_to_be_the_same(tmp_path: Path, given: str, then: str, rules: str) -> None:
    found = asked(written(tmp_path, FOLDS + ANY_MOVE + ALL, then, given, rules=rules, game=GAMES))
    assert found.decision in ("unknown", "unsupported")


@pytest.mark.parametrize(
    "then",
    [
        "options(position([2])) == {position([1]), position([])}",
        "{position([]), position([1])} == options(position([2]))",
        "options(position([])) == {t for t in options(position([1])) if len(t) > 0}",
        "position([k, j]) == position([j, k])",
        "position([k, j]) in {position([j]), position([j, k])}",
        "position([k]) in options(position([k, j]))",
        "not position([k, k]) in options(position([k, j]))",
        "position([k, 2]) != position([k])",
    ],
)
def test_positions_that_are_written_down_are_compared(tmp_path: Path, then: str) -> None:
    found = asked(written(tmp_path, FOLDS + ANY_MOVE + ALL, then, "k >= j"))
    assert (found.decision, found.detail) == ("holds", "")


@pytest.mark.parametrize(
    "then",
    [
        "options(position([2])) == {position([1])}",
        "options(position([2])) == {position([])}",
        "options(position([2])) == {position([1]), position([]), position([2])}",
        "options(position([k])) == {position([k - 1]), position([])}",
        "position([k]) == position([j])",
        "position([k, k]) == position([k])",
        "position([k]) in {position([j]), position([j, k])}",
        "position([j + 1]) in options(position([k, j]))",
    ],
)
def test_positions_that_differ_are_not_proved_to_be_the_same(tmp_path: Path, then: str) -> None:
    assert asked(written(tmp_path, FOLDS + ANY_MOVE + ALL, then, "k >= j")).decision == "unknown"


# -- lists ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("then", "answer"),
    [
        ("count(c for c in [k <= 4, k >= 5, k >= 10]) == 1", "holds"),
        ("count(c for c in [k <= 4, k >= 4]) == 1", "unknown"),
        ("count(x >= 5 for x in [k, k] if x >= 3) == (2 if k >= 5 else 0)", "holds"),
        ("count(x >= 5 for x in [k, k] if x >= 6) == (2 if k >= 5 else 0)", "unknown"),
        ("any(x == 5 for x in [k, j]) == (k == 5 or j == 5)", "holds"),
        ("any(x == 5 for x in [k, j]) == (k == 5)", "unknown"),
        ("all(x >= 5 for x in [k, j] if x >= 4) == (k != 4 and j != 4)", "holds"),
        ("all(x >= 5 for x in [k, j])", "unknown"),
        ("any(x >= k for x in {k, j})", "holds"),
        ("count(len(x) == 1 for x in [position([k]), position([k, j]), s]) >= 1", "holds"),
    ],
)
def test_what_is_written_in_a_list_is_counted(tmp_path: Path, then: str, answer: str) -> None:
    assert asked(written(tmp_path, FOLDS, then)).decision == answer


# -- heaps by name ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("then", "answer"),
    [
        ("s[0] <= s[1] <= s[2] == max(s) and min(s) == s[0] >= 1", "holds"),
        ("s[0] < s[1]", "unknown"),
        ("s[1] == max(s)", "unknown"),
        ("min(s) == s[1]", "unknown"),
        ("s[0] == 1", "unknown"),
        ("k > 2 or s[0] <= s[k] <= s[2]", "holds"),
        ("k > 2 or s[k] == (s[1] if k == 1 else s[2])", "holds"),
        ("k > 2 or s[k] == s[2]", "unknown"),
        ("k > 3 or s[0] <= s[k]", "unknown"),
        ("nim_sum(s) == s[0] ^ s[1] ^ s[2]", "holds"),
        ("count(h >= k for h in s) == count(s[2] >= k and h >= k for h in [s[0], s[1], s[2]])", "holds"),
        ("count(h >= k for h in s) == count(h >= k for h in [s[0], s[1]])", "unknown"),
        ("all(len(t) >= 2 for t in options(s))", "holds"),
        ("all(len(t) >= 3 for t in options(s))", "unknown"),
    ],
)
def test_heaps_in_ascending_order_have_names(tmp_path: Path, then: str, answer: str) -> None:
    assert asked(written(tmp_path, THREE, then, "len(s) == 3")).decision == answer


@pytest.mark.parametrize(
    "given",
    ["len(s) >= 3", "len(s) <= 3", "len(s) == 2", "s[2] >= 1", "k >= 3", "k >= 1 and s[2] >= 1 and len(s) == 3"],
)
def test_the_hypotheses_say_how_many_heaps_there_are(tmp_path: Path, given: str) -> None:
    found = asked(written(tmp_path, THREE, "s[0] <= s[1]", given))
    assert found.decision == "unknown"
    assert found.detail.startswith(("heaps: the hypotheses say len(s) == 3: ", "defined: s[2] needs"))


def test_hypotheses_that_cannot_be_read_of_every_position_say_nothing(tmp_path: Path) -> None:
    found = asked(written(tmp_path, THREE, "s[0] >= 5", "len(s) == 3 and s[0] >= 5"))
    assert (found.decision, found.detail) == ("holds", "")
    assert not any("does not need" in o.note for o in found.obligations)


@pytest.mark.parametrize(
    ("heaps", "problem"),
    [
        ("[]", "0 names"),
        (str(list("abcdefg")).replace("'", '"'), "7 names"),
        ('["a", "a"]', "the name 'a' is taken"),
        ('["k"]', "the name 'k' is taken"),
        ('["h"]', "the name 'h' is taken"),
        ('["not"]', '"not" is not a name'),
    ],
)
def test_names_of_heaps_are_refused(tmp_path: Path, heaps: str, problem: str) -> None:
    with pytest.raises(ClaimError, match=problem):
        written(tmp_path, FOLDS + f"heaps = {heaps}\n", "len(s) >= 0")


def test_a_claim_without_a_position_has_no_heaps_to_name(tmp_path: Path) -> None:
    body = FOLDS.replace('s = "position"\n', "").replace('s = { heaps = "0..1", size = "1..1" }\n', "")
    with pytest.raises(ClaimError, match="no variable for a position"):
        written(tmp_path, body + 'heaps = ["a"]\n', "k >= 1")
