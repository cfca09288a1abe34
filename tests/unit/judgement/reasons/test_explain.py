"""The explanation why a claim fails, with the game and the question."""

from pathlib import Path

import pytest
from settling import written

from checks.judgement.explain import explain
from checks.referee.judge import Referee

TWO = """
[games]
nim = "nim"
taking = "subtraction(S = {{1, 2}})"
[forall]
n = "0.."
[claim]
then = "{}"
[scope]
n = "0..9"
"""


def lines(folder: Path, then: str) -> list[tuple[str, int]]:
    """Return the explanation for n = 3."""
    claim = written(folder, TWO.format(then))
    return [(line.text, line.depth) for line in explain(Referee(claim), {"n": 3})]


def test_the_values_of_both_sides_are_told_with_game_and_position(tmp_path: Path) -> None:
    then = "nim.grundy(position([n])) == taking.grundy(position([n, n + 1]))"
    assert lines(tmp_path, then)[-1] == (
        "the Grundy value of (3) in Nim is 3, but the Grundy value of (3, 4) in Subtraction game is 1",
        1,
    )


def test_a_side_that_asks_nothing_is_told_as_it_is_written(tmp_path: Path) -> None:
    then = "nim.grundy(position([n])) < n"
    assert lines(tmp_path, then)[-1] == ("the Grundy value of (3) in Nim is 3, not less than n = 3", 1)


def test_of_two_conditions_that_should_agree_each_is_told(tmp_path: Path) -> None:
    then = "iff(nim.grundy(position([n])) == 0, n % 3 == 0)"
    told = "the Grundy value of (3) in Nim is 3, not 0, but n % 3 = 0"
    assert lines(tmp_path, then)[2:] == [(told, 1)]


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ("nim.wins(position([n])) == (nim_sum(position([n])) == 0)", "the mover wins at (3), but its nim-sum is 3"),
        (
            "nim.wins(position([n])) == (nim_sum(position([n, n])) == n)",
            "the mover wins at (3), but nim_sum(position([n, n])) == n fails",
        ),
        (
            "nim.wins(position([n])) == (nim_sum(position([n, n])) == 1)",
            "the mover wins at (3), but the nim-sum of (3, 3) is 0, not 1",
        ),
        ("nim.outcome(position([n])) == P_position", "(3) is an N-position, not a P-position"),
        ("nim_sum(position([n])) != 3", "the nim-sum of (3) is 3"),
        ("0 == n", "n = 3, not 0"),
        ("n < nim_sum(position([n]))", "n = 3, but the nim-sum of (3) is 3"),
        (
            "nim.grundy(position([n])) <= taking.grundy(position([n]))",
            "the Grundy value of (3) in Nim is 3, not at most the Grundy value of (3) in Subtraction game, 0",
        ),
    ],
)
def test_what_fails_is_said_in_words(tmp_path: Path, then: str, told: str) -> None:
    assert lines(tmp_path, then)[2] == (told, 1)


ADJECTIVES = """
ruleset = "nim"
[forall]
n = "0.."
s = "position"
[claim]
then = "odd(position([n]))"
[define]
"odd(t)" = "{}"
[scope]
n = "0..9"
s = {{ heaps = "0..2", size = "1..3" }}
"""


@pytest.mark.parametrize(
    ("meant", "told"),
    [
        ("nim_sum(t) == 1", "(3) is not odd: the nim-sum of (3) is 3, not 1"),
        ("len(t) == 2", "(3) is not odd (t = (3)): len(t) = 1, not 2"),
    ],
)
def test_a_definition_of_one_word_is_said_of_its_position(tmp_path: Path, meant: str, told: str) -> None:
    claim = written(tmp_path, ADJECTIVES.format(meant))
    assert explain(Referee(claim), {"n": 3, "s": (1,)})[-1].text == told


def test_a_referee_that_has_judged_the_case_solves_no_position_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, case = written(tmp_path, TWO.format("taking.wins(position([n, n, n]))")), {"n": 3}
    monkeypatch.setattr("checks.judgement.explain.EXPLANATION_STEPS", 30)
    referee = Referee(claim)
    assert referee.judge(case) == "fails"
    assert "too long" not in explain(referee, case)[-1].text
    assert "too long" in explain(Referee(claim), case)[-1].text
