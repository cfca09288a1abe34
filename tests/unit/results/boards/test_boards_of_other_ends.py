"""Boards of loopy games, and of games whose last position determines the winner; and reasons for other games."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from test_boards import check_moves

from checks.boards.board import board_of
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame
from checks.results.shown import PlayableClaim, Undrawn
from claims.language.files.library import select
from claims.language.files.rulesets import load_ruleset
from encoders.compute.exhaustive import decide_by_search
from encoders.proving.reading import load_claim

BOARDS = Path(__file__).parents[4] / "examples" / "boards"
HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "l"\nrole = "conjecture"\n'
# 0 is terminal. From 6, one winning move leads back to 6, and another to the end.
EDGES = [1, 0, 9, 1, 3, 9, 3, 4, 4, 5, 5, 4, 5, 1, 6, 7, 6, 9, 7, 6, 7, 1]
WON, LOST = (1, 3, 6), (0, 7, 9)  # 4 and 5 are drawn
AT = "position([heap(v)])"


def write(folder: Path, game: str, body: str) -> Path:
    shutil.copytree(BOARDS / "rulesets", folder / "rulesets")
    (folder / "claim.toml").write_text(f"{HEAD}ruleset = '{game}'\n{body}", "utf-8")
    return folder / "claim.toml"


def lay_out(path: Path) -> PlayableClaim:
    claim = load_claim(path, "claim")
    failing = decide_by_search(claim, claim.scope("quick")).counterexample
    board = board_of(claim, claim.scope("quick"), failing, False)
    assert board is not None and board.at_stake and board.box is None
    return board


ENDLESS = {
    "a draw that is said to be won": (
        f"wins({AT})",
        4,
        "You are P1, to move at (4). The claim holds there if you can win. Try it.",
    ),
    "a loss that is said to be won": (
        f"wins({AT})",
        7,
        "You are P1, to move at (7). The claim says that you can win. Try it.",
    ),
    "a win that is said to be none": (
        f"not wins({AT})",
        6,
        "You are P2; P1 moves first, at (6). The claim says that P1 does not win. Prevent it.",
    ),
    "a win that is said to be drawn": (
        f"draws({AT})",
        3,
        "You are P2; P1 moves first, at (3). The claim says that play is drawn. Keep P1 from winning.",
    ),
    "a loss that is said to be drawn": (
        f"draws({AT})",
        9,
        "You are P1, to move at (9). The claim says that play is drawn. Try not to lose.",
    ),
    "a draw that is said to be none": (
        f"not draws({AT})",
        5,
        "You are P1, to move at (5). The claim says that one of you wins. Try to win.",
    ),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_a_false_claim_about_play_without_end_is_played(tmp_path: Path, what: str) -> None:
    then, v, task = ENDLESS[what]
    body = f'[forall]\nv = "0.."\n[claim]\nthen = "{then}"\n[scope]\nv = "{v}..{v}"\n'
    board = lay_out(write(tmp_path, f"token-on-a-graph(E = {EDGES})", body))
    assert board.task == task
    check_moves(
        board,
        RefereeGame(
            load_ruleset(BOARDS / "rulesets" / "token-on-a-graph.toml"), {"E": tuple(EDGES)}, RefereeSteps(9_999)
        ),
    )
    drawn = v in (4, 5)
    for place in board.places:
        ((at,),) = place.position
        if place.mover == board.reader:
            assert at not in WON and (drawn or at in LOST)
        else:
            assert at not in LOST and (drawn or at in WON)
    if not drawn:  # then play ends for all moves of the reader
        assert runs_out(board, 0, ())
    else:
        assert any(to <= i for i, place in enumerate(board.places) for _, to in place.moves)


def runs_out(board: PlayableClaim, number: int, met: tuple[int, ...]) -> bool:
    return number not in met and all(runs_out(board, to, (*met, number)) for _, to in board.places[number].moves)


@pytest.mark.parametrize(
    ("then", "at", "reader"),
    [
        ("outcome(s) == second_wins", (), None),
        ("s == position([]) or outcome(s) == second_wins", (2,), None),
        ("sum(s) < 8 or outcome(s) == second_wins", (8,), "Right"),
        ("sum(s) < 9 or wins(s, Left)", (9,), "Left"),
    ],
)
def test_where_the_last_position_tells_who_wins_its_winner_is_named(
    tmp_path: Path, then: str, at: tuple[int, ...], reader: str | None
) -> None:
    body = f'[forall]\ns = "position"\n[claim]\nthen = "{then}"\n[scope]\ns = {{ heaps = "0..1", size = "1..12" }}\n'
    path = write(tmp_path, "ending-partizan(S = {3, 5, 8})", body)
    claim = load_claim(path, "claim")
    failing = decide_by_search(claim, claim.scope("quick")).counterexample
    assert failing == {"s": at}
    board = board_of(claim, claim.scope("quick"), failing, False)
    if reader is None:  # nobody can move there, so the game is played from another position, or not at all
        assert board is None or not board.at_stake
        return
    assert board is not None and board.at_stake and board.box is None and board.reader == reader
    game = RefereeGame(
        load_ruleset(BOARDS / "rulesets" / "ending-partizan.toml"), {"S": (3, 5, 8)}, RefereeSteps(99_999)
    )
    check_moves(board, game)
    ends = [place for place in board.places if not place.moves]
    assert ends
    for place in ends:
        total = sum(x for x in place.position if isinstance(x, int))
        winner = ("Left", "Right")[total % 2]
        assert winner != reader and place.says.endswith(f"{winner} wins")


def test_why_a_claim_about_preferences_has_no_board_is_said() -> None:
    (entry,) = (e for e in select((str(BOARDS / "preference-nim-podium.toml"),)) if e.id.endswith("@nim-sum"))
    shown = settle_entry(entry, Options()).presentation
    assert shown.board is None
    (picture,) = shown.pictures
    assert isinstance(picture, Undrawn) and picture.title == "the board"
    assert picture.reason.startswith("a board shows which player can force a win")


@pytest.mark.parametrize("offset", [0, 1])
def test_two_players_with_preferences_have_none_either(tmp_path: Path, offset: int) -> None:
    body = '[forall]\ns = "position"\n[scope]\ns = { heaps = "0..2", size = "1..3" }\n'
    body += f'[claim]\nthen = "value(s) == {offset}"\n'
    claim = load_claim(write(tmp_path, "preference-nim(n = 2, i = 1)", body), "claim")
    failing = decide_by_search(claim, claim.scope("quick")).counterexample
    assert failing is not None and board_of(claim, claim.scope("quick"), failing, False) is None


def test_a_draw_without_moves_is_told_without_a_safe_move(tmp_path: Path) -> None:
    rules = 'format = 1\ntitle = "G"\nplayers = ["A", "B"]\nstuck = "draws"\n[[moves]]\nchoose = "any heap h"\n'
    (tmp_path / "game.toml").write_text(f'{rules}pick = {{ m = "1..h" }}\nbecome = ["h - m"]\n', "utf-8")
    then = "s == position([]) or any(not draws(x, B) for x in options(s, A))"
    body = f'[forall]\ns = "position"\n[claim]\nthen = "{then}"\n[scope]\ns = {{ heaps = "0..1", size = "1..3" }}\n'
    (tmp_path / "claim.toml").write_text(f'{HEAD}ruleset = "game"\n{body}', "utf-8")
    claim = load_claim(tmp_path / "claim.toml", "claim")
    board = board_of(claim, claim.scope("quick"), {"s": (1,)}, False)
    assert board is not None
    start, end = board.places
    assert (start.position, end.position, end.moves) == ((1,), (), ())
    assert end.says == (
        "B cannot move, and at the empty position () the game is a draw; so B does not draw at x with x = () fails"
    )
