"""Lists of lost positions with several heaps: play verifies the right ones, and no other list gives a wrong answer."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from settling import settled, written

from checks.judgement import findings
from checks.referee import play
from checks.referee.breaking import Unknown
from checks.referee.given import LostPositions, read_plain
from checks.referee.judge import Referee
from checks.referee.meaning import LimitReached, RefereeSteps
from checks.referee.play import RefereeGame
from checks.referee.tables import WrongTable
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from claims.language.files.library import LIBRARY
from claims.language.files.rulesets import Ruleset, load_ruleset
from claims.language.syntax.meanings import Position, position
from encoders.compute.arrays import beyond_scope as proposing
from encoders.compute.arrays.beyond_scope import list_losing

HEAD = 'format = 1\ntitle = "t"\nplayers = ["A", "B"]\nstuck = "{stuck}"\nnotes = "n"\n'
ONE = '[[moves]]\nchoose = "any heap h"\npick = {{ m = "{pick}" }}\nwhere = "{where}"\nbecome = ["{become}"]\n'
PAIR = '[[moves]]\nchoose = "any two heaps g, h"\npick = { m = "1..min(g, h)" }\nbecome = ["g - m", "h"]\n'
SHIPPED: list[tuple[str, dict[str, int], Position]] = [
    ("wythoff", {}, (6, 9)),
    ("nim", {}, (2, 3, 4)),
    ("misere-nim", {}, (2, 3, 4)),
    ("bash-nim", {"k": 3}, (6, 7)),
    ("kl-nim", {"k": 2, "l": 3}, (5, 6)),
]


def shipped(name: str) -> Ruleset:
    return load_ruleset(LIBRARY / "rulesets" / f"{name}.toml")


def write(folder: Path, *moves: str, stuck: str = "loses") -> Ruleset:
    path = folder / "own.toml"
    path.write_text(HEAD.format(stuck=stuck) + "".join(moves), "utf-8")
    return load_ruleset(path)


def one(pick: str = "1..h", where: str = "m >= 1", become: str = "h - m") -> str:
    return ONE.format(pick=pick, where=where, become=become)


def below(greatest: Position) -> list[Position]:
    """Return all positions that a list up to `greatest` covers."""
    rows = combinations_with_replacement(range(max(greatest) + 1), len(greatest))
    return [position(s) for s in rows if all(x <= y for x, y in zip(s, greatest, strict=True))]


def tell(
    game: RefereeGame, lost: tuple[frozenset[Position], ...], greatest: Position, s: Position, mover: int
) -> bool | None:
    """Return whether the mover wins, by a list; None if the list is refused."""
    try:
        return LostPositions(game, lost, greatest, 10**6).wins(s, mover)
    except WrongTable:
        return None


def play_all(ruleset: Ruleset, parameters: Mapping[str, int], greatest: Position) -> dict[tuple[Position, int], bool]:
    game = RefereeGame(ruleset, parameters, RefereeSteps(10**7))
    return {(s, mover): game.wins(s, mover) for s in below(greatest) for mover in (0, 1)}


@pytest.mark.parametrize(("name", "parameters", "greatest"), SHIPPED)
def test_the_right_list_is_verified_and_no_other_says_what_is_wrong(
    name: str, parameters: dict[str, int], greatest: Position
) -> None:
    ruleset, game = shipped(name), RefereeGame(shipped(name), parameters, RefereeSteps(10**7))
    lost, right = list_losing(ruleset, parameters, greatest), play_all(ruleset, parameters, greatest)
    assert lost is not None
    known = LostPositions(game, lost, greatest, 10**6)
    assert {(s, mover): known.wins(s, mover) for s, mover in right} == right
    refused = 0
    for row in range(len(lost)):
        for changed in below(greatest):
            lie = tuple(x ^ {changed} if i == row else x for i, x in enumerate(lost))
            assert tell(game, lie, greatest, changed, row) is None  # it is wrong there
            said = tell(game, lie, greatest, greatest, row)
            assert said in (None, right[greatest, row])
            refused += said is None
    assert refused


def test_a_list_that_is_wrong_only_far_below_is_refused() -> None:
    """Bash-Nim with up to 3 objects: each line of this list fits the others, except the line of the empty position."""
    game = RefereeGame(shipped("bash-nim"), {"k": 3}, RefereeSteps(10**6))
    lost = (frozenset((h,) for h in range(1, 41, 4)),)
    with pytest.raises(WrongTable, match=r"player 1, who is to move at \(\), loses"):
        LostPositions(game, lost, (41,), 10**6).wins((37,), 0)


def test_what_the_list_is_not_about_is_not_told() -> None:
    game = RefereeGame(shipped("wythoff"), {}, RefereeSteps(10**7))
    lost = list_losing(game.ruleset, {}, (3, 5))
    assert lost is not None
    for s in ((4, 5), (3, 6), (1, 3, 5)):
        with pytest.raises(Unknown):
            LostPositions(game, lost, (3, 5), 10**6).wins(s, 0)
    with pytest.raises(Unknown):
        LostPositions(game, (*lost, *lost), (3, 5), 10**6)
    with pytest.raises(LimitReached):
        LostPositions(game, lost, (3, 5), 10).wins((3, 5), 0)


# -- moves that can always be played ----------------------------------------------------------------------------------
def test_which_moves_can_plainly_be_played(tmp_path: Path) -> None:
    assert [x.takes for x in read_plain(shipped("wythoff"))] == [(True,), (True, True)]
    assert [x.takes for x in read_plain(write(tmp_path, one(), PAIR))] == [(True,), (True, False)]
    for plain in (one("1..min(h, 3)"), one(where="m % 2 == 1 or m * m > 5 and not (m in {3, 4})")):
        assert read_plain(write(tmp_path, plain))


@pytest.mark.parametrize(
    "move",
    [
        one("0..h"),  # a move that takes nothing
        one("1..3"),  # a heap below 0
        one("1..max(h, 3)"),
        one("1..h + 1"),
        one(where="12 // (h - 3) >= 0"),  # no value at a heap of 3
        one(where="6 % (h - 3) >= 0"),
        one(where="m ^ (h - 3) >= 0"),
        one(where="len(s) >= 2"),  # it depends on other heaps, which may change while one move is examined
        one(become="h // 2"),
        one(become="m"),
        one().replace("any heap h", "a largest heap h"),
        one().replace("[[moves]]", 'measure = "sum(s) + len(s)"\n[[moves]]'),
    ],
)
def test_of_others_no_list_is_believed(move: str, tmp_path: Path) -> None:
    """A position that needs only one option to be decided may be above a position with an error."""
    ruleset = write(tmp_path, move, one().replace('where = "m >= 1"\n', ""))
    assert read_plain(ruleset) == ()
    with pytest.raises(Unknown):
        LostPositions(RefereeGame(ruleset, {}, RefereeSteps(10**6)), (frozenset(),), (3, 4), 10**6)


# -- claims -----------------------------------------------------------------------------------------------------------
BODY = """ruleset = "wythoff"
[forall]
a = "0.."
[claim]
then = "wins(position([a, a + 55]))"
[scope]
a = "87..89"
"""


def of_few_steps(claim: Claim, steps: int, *others: object) -> Referee:
    """Return a referee who plays only small positions."""
    return Referee(claim, min(steps, 200_000), *others)


@pytest.mark.slow
def test_a_case_too_large_to_be_played_is_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "Referee", of_few_steps)
    found = settled(written(tmp_path, BODY)).finding
    assert found.counterexample is not None and found.counterexample.variables == (("a", 88),)
    told = [line.text for line in found.counterexample.explanation]
    assert "the mover loses at (88, 143)" in "".join(told)
    assert told[-1].startswith(
        "For more than 200 objects in several heaps of wythoff the referee used a list of losing positions"
    )


@pytest.mark.slow
def test_without_a_list_it_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "Referee", of_few_steps)
    monkeypatch.setattr(proposing, "list_losing", lambda *_: None)
    assert settled(written(tmp_path, BODY)).verdict is Verdict.INCONCLUSIVE
    monkeypatch.setattr(proposing, "MOST", 1_000)
    monkeypatch.setattr(proposing, "list_losing", list_losing)
    assert settled(written(tmp_path, BODY)).verdict is Verdict.INCONCLUSIVE


@pytest.mark.slow
def test_a_list_that_lies_is_said_to_be_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lie(*asked: object) -> object:
        (lost,) = list_losing(*asked)
        return (lost - {(1, 2)},)

    monkeypatch.setattr(proposing, "list_losing", lie)
    found = settled(written(tmp_path, BODY))
    assert found.verdict is Verdict.INCONSISTENT
    assert "the list of losing positions is wrong: player 1, who is to move at " in found.finding.error
    assert play.MANY < 88 + 143
