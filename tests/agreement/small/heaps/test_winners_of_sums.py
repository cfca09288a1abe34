"""The winner from one heap that may split: Grundy values determine it in normal play, and only there."""

from pathlib import Path

import pytest
from claim_texts import HEAD
from one_heap import OCTAL, loaded, splitting, taking, written

from checks.execution.settle import settle_claim
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from encoders.compute.arrays.board import GameSolver
from encoders.compute.exhaustive import decide_by_search
from encoders.proving.reading import load_claim
from encoders.trust import Trust

GRUNDY = written(splitting('a = "1..(h - 1) // 2"'), measure="sum(h - 1 for h in s)")
DAWSON, ANY = "d = [1, 3, 7]", ""
CLAIM = (
    HEAD
    + """ruleset = "rules({given})"
[forall]
n = "{low}.."
[claim]
then = "{then}"
[scope]
n = "{low}..{high}"
"""
)


def settled(folder: Path, rules: str, given: str, then: str, low: int, high: int) -> ClaimResult:
    loaded(rules, folder)
    path = folder / "claim.toml"
    path.write_text(CLAIM.format(given=given, then=then, low=low, high=high).replace("()", ""), "utf-8")
    claim = load_claim(path, "claim")
    return settle_claim(claim, claim.scope("quick"), decide_by_search, 60.0)


@pytest.mark.parametrize(
    ("rules", "given", "lost"), [(OCTAL, DAWSON, 300), (GRUNDY, ANY, 270)], ids=["Dawson's Chess", "Grundy's game"]
)
@pytest.mark.parametrize(
    "then", ["wins(position([n]))", "outcome(position([n])) == N_position", "value(position([n])) == 0"]
)
def test_the_first_loss_far_out_is_found_and_confirmed(
    rules: str, given: str, lost: int, then: str, tmp_path: Path
) -> None:
    """Heaps of 300 in Dawson's Chess (Winning Ways, chapter 4) and of 270 in Grundy's game (OEIS A036685)."""
    low = 297 if rules is OCTAL else 60
    result = settled(tmp_path, rules, given, then, low, 400)
    assert result.verdict is Verdict.REFUTED, result.finding.not_established
    assert result.finding.counterexample.variables == (("n", lost),)
    assert result.finding.counterexample.replayed
    assert str(Trust.SPRAGUE_GRUNDY) in result.finding.trusted


def test_a_terminal_heap_far_out_is_told_by_its_own_moves(tmp_path: Path) -> None:
    """In 0.04 two objects are taken if that leaves two heaps: a heap of three has no move, a heap of four has one."""
    result = settled(tmp_path, OCTAL, "d = [0, 4]", "iff(terminal(position([n])), n <= 3)", 1, 400)
    assert result.verdict is Verdict.VERIFIED, result.finding.not_established
    assert result.finding.trusted == ()


NIM = written(taking("1..h"))


@pytest.mark.parametrize(
    ("then", "verdict"),
    [
        ("iff(not wins(position([n, 2 * n, 3 * n])), bit_and(n, 2 * n) == 0)", Verdict.VERIFIED),
        ("grundy(position([n, 2 * n, 4 * n])) == n ^ 2 * n ^ 4 * n", Verdict.VERIFIED),
        ("outcome(position([n, 2 * n, 3 * n])) == P_position or n != 1024", Verdict.VERIFIED),
        ("wins(position([n, 2 * n, 3 * n])) or n < 1024", Verdict.REFUTED),
    ],
)
def test_three_large_heaps_are_solved_by_their_values(then: str, verdict: Verdict, tmp_path: Path) -> None:
    """There are more positions below (1024, 2048, 3072) than are ever played."""
    result = settled(tmp_path, NIM, ANY, then, 1, 1024)
    assert result.verdict is verdict, result.finding.not_established
    assert str(Trust.SPRAGUE_GRUNDY) in result.finding.trusted


@pytest.mark.parametrize(
    ("then", "lost"),
    [
        ("wins(position([n, n + 1, n * n]))", None),
        ("grundy(position([n, n * n])) == nim_sum([n, n * n]) and n != 140", 140),
        ("wins(position([n, n * n, n + n * n])) or n < 5", 8),  # the nim-sum of 8 and 64 is 72
    ],
)
def test_heaps_as_large_as_squares_are_solved_from_a_table_of_amounts(
    then: str, lost: int | None, tmp_path: Path
) -> None:
    result = settled(tmp_path, NIM, ANY, then, 0, 150)
    assert str(Trust.SPRAGUE_GRUNDY) in result.finding.trusted or lost is not None
    found = result.finding.counterexample
    assert (found and found.variables) == (lost and (("n", lost),))


TWO = 'choose = "any two heaps g, h"\npick = { m = "1..min(g, h)" }\nbecome = ["g - m", "h - m"]\n'


@pytest.mark.parametrize(
    ("rules", "mover"),
    [
        (written(taking("1..h"), stuck="wins"), ""),
        (written(taking("1..h", "mover == A or m % 2 == 1")), ", A"),
        (written(taking("1..h", "len(s) > 1 or m == 1")), ""),
        (written(taking("1..h") + f"[[moves]]\n{TWO}"), ""),
    ],
    ids=["misère play", "a partizan game", "moves that see the position", "moves of two heaps"],
)
def test_two_equal_heaps_may_be_won_where_values_are_not_added(
    rules: str, mover: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their nim-sum is 0, and yet the mover wins: the Sprague-Grundy theorem does not apply to these rules."""
    monkeypatch.setattr(GameSolver, "_can_play", lambda *_: False)
    result = settled(tmp_path, rules, ANY, f"not wins(position([n, n]){mover})", 1, 6)
    assert result.verdict is Verdict.REFUTED, result.finding.not_established
    assert str(Trust.SPRAGUE_GRUNDY) not in result.finding.trusted


def test_heaps_of_few_positions_are_played_and_nothing_is_trusted(tmp_path: Path) -> None:
    result = settled(tmp_path, NIM, ANY, "wins(position([n, n + 1, n + 3]))", 1, 12)
    assert (result.verdict, result.finding.trusted) == (Verdict.VERIFIED, ())


@pytest.mark.slow
def test_small_heaps_are_played_and_nothing_is_trusted(tmp_path: Path) -> None:
    result = settled(tmp_path, GRUNDY, ANY, "wins(position([n])) or n in {1, 2, 4, 7, 10, 20, 23, 26}", 1, 30)
    assert result.verdict is Verdict.VERIFIED
    assert result.finding.trusted == ()


@pytest.mark.parametrize("kind", [{"stuck": "wins"}, {"players": '["A", "B", "C"]'}], ids=["misère", "three players"])
@pytest.mark.slow
def test_values_say_nothing_of_other_winners(kind: dict[str, str], tmp_path: Path) -> None:
    """The value of a heap of one says that the mover wins; under these rules another player does."""
    moves = splitting('m = "1..min(2, h)", a = "0..(h - m) // 2"', become='["a", "h - m - a"]')
    result = settled(tmp_path, written(moves, **kind), ANY, "value(position([n])) == 0", 31, 33)
    assert str(Trust.SPRAGUE_GRUNDY) not in result.finding.trusted
    assert settled(tmp_path, written(moves, **kind), ANY, "value(position([n])) == 0", 1, 9).verdict is Verdict.REFUTED
