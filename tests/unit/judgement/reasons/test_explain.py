"""How it is told why a claim fails: which game, asked of what."""

from pathlib import Path

from settling import written

from checks.judgement.explain import explain

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
    """Why it fails for n = 3."""
    claim = written(folder, TWO.format(then))
    return [(line.text, line.depth) for line in explain(claim, {"n": 3})]


def test_the_values_of_both_sides_are_told_with_game_and_position(tmp_path: Path) -> None:
    then = "nim.grundy(position([n])) == taking.grundy(position([n, n + 1]))"
    assert lines(tmp_path, then)[-1] == (f"{then} fails: nim.grundy(3) = 3, taking.grundy(3, 4) = 1", 1)


def test_a_side_that_asks_nothing_is_told_as_it_is_written(tmp_path: Path) -> None:
    then = "nim.grundy(position([n])) < n"
    assert lines(tmp_path, then)[-1] == (f"{then} fails: nim.grundy(3) = 3, n = 3", 1)


def test_of_two_conditions_that_should_agree_each_is_told(tmp_path: Path) -> None:
    then = "iff(nim.grundy(position([n])) == 0, n % 3 == 0)"
    told = "nim.grundy(position([n])) = 3, not 0, but n % 3 = 0"
    assert lines(tmp_path, then)[2:] == [(f"(nim.grundy(position([n])) == 0) == (n % 3 == 0) fails: {told}", 1)]
