"""Boards of heaps with parts: moves agree with the referee, listed positions are solved, receipts have contents."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commands import run_within
from test_boards import check_moves, read_bits

from checks.boards.board import board_of
from checks.boards.positions import draw_case, draw_heaps, reach, solve_box
from checks.command.replay import Disagreement, replay
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options, read_override, scope_for
from checks.receipts.receipt import make_receipt, seal
from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame
from checks.results.model import ClaimResult
from checks.results.shown import DrawnAs
from checks.results.verdicts import Verdict
from claims.language.files.library import Entry, select
from claims.language.files.rulesets import load_ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL
from encoders.proving.reading import load_claim

BOARDS = Path(__file__).parents[4] / "examples" / "boards"
KINDS: dict[str, tuple[str, dict[str, int], DrawnAs]] = {
    "staircase-three@second": ("staircase", {}, DrawnAs.STAIRS),
    "staircase-odd-steps@even-steps": ("staircase", {}, DrawnAs.STAIRS),
    "coins-three@all-gaps": ("coins-on-a-strip", {}, DrawnAs.STRIP),
    "circular-three-two@two-equal": ("circular-nim", {"k": 2}, DrawnAs.RING),
    "chomp-rectangles@two-rows-equal": ("chomp", {}, DrawnAs.DIAGRAM),
    "white-knight-mod-4@one-coordinate": ("white-knight", {}, DrawnAs.MAP),
    "end-nim-two@three": ("end-nim", {}, DrawnAs.STACKS),
    "mock-turtles-odious@evil": ("mock-turtles", {}, DrawnAs.ROW),
    "pass-two-heaps@as-nim": ("nim-with-a-pass", {}, DrawnAs.STACKS),
}


def play(ruleset: str, parameters: dict[str, Any]) -> RefereeGame:
    return RefereeGame(load_ruleset(BOARDS / "rulesets" / f"{ruleset}.toml"), parameters, RefereeSteps(1_000_000))


def settle(id: str) -> tuple[Entry, ClaimResult]:
    name, _, variant = id.partition("@")
    (entry,) = (e for e in select((str(BOARDS / f"{name}.toml"),)) if e.id.endswith(f"@{variant}"))
    return entry, settle_entry(entry, Options())


@pytest.mark.parametrize("id", KINDS)
@pytest.mark.slow
def test_a_false_claim_of_each_kind_is_refuted_drawn_playable_and_replayed(id: str, tmp_path: Path) -> None:
    ruleset, parameters, kind = KINDS[id]
    entry, result = settle(id)
    board, shown, counterexample = result.presentation.board, result.presentation.drawn, result.finding.counterexample
    assert result.verdict is Verdict.REFUTED and counterexample is not None and counterexample.explanation
    assert counterexample.replayed and counterexample.smallest
    assert shown is not None and shown.drawing.kind is kind and shown.positions
    assert board is not None and board.drawing == shown.drawing and board.at_stake is ("The claim says" in board.task)
    game = play(ruleset, parameters)
    check_moves(board, game)
    for place in board.places:  # the reader loses there, until the end
        mover = game.ruleset.players.index(place.mover)
        assert game.wins(place.position, mover) is (place.mover != board.reader)
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(make_receipt(result, entry, Options(), "0")), "utf-8")
    moves = sum(len(place.moves) for place in board.places)
    assert f"    the board: the referee replayed all of its {moves} moves" in replay(path).lines


BOXES: dict[str, tuple[str, dict[str, int], Any]] = {
    "stairs": ("staircase", {}, ((0, 1, 2),)),
    "a ring": ("circular-nim", {"k": 2}, ((1, 0, 1),)),
    "coins": ("coins-on-a-strip", {}, ((1, 3),)),
    "players who move differently": ("partizan-end-nim", {}, ((1, 2),)),
}


@pytest.mark.parametrize("what", BOXES)
@pytest.mark.slow
def test_every_position_of_the_list_is_solved_as_the_rules_have_it(what: str) -> None:
    ruleset, parameters, heap = BOXES[what]
    game = play(ruleset, parameters)
    box = solve_box(game, (heap,))
    assert box is not None and (heap,) in box.positions and len(box.positions) > 9
    (solved,) = box.games
    for mover, (wins, legal) in enumerate(zip(solved.wins, solved.legal, strict=True)):
        bits = iter(read_bits(legal))
        for won, s, moves in zip(read_bits(wins), box.positions, box.moves, strict=False):
            assert (won == "1") is game.wins(s, mover)
            after = [box.positions[i] for i in moves if next(bits) == "1"]
            assert sorted(after) == sorted(game.options(s, mover))


@pytest.mark.slow
def test_a_sum_most_of_whose_cases_are_too_large_has_a_board_at_a_smaller_one() -> None:
    claim = load_claim(BOARDS / "staircase-odd-steps.toml", "claim")
    sets = ("s.heaps=2", "s.c.length=3", "s.c.each=0..7")
    board = board_of(claim, scope_for(claim, "quick", tuple(map(read_override, sets))), None, False)
    assert board is not None and len(board.places[0].position) == 2


def test_edges_are_those_of_the_game() -> None:
    drawing = draw_heaps(play("node-kayles", {"E": (0, 1, 1, 2)}))
    assert drawing is not None and (drawing.kind, drawing.edges, drawing.shown) == (DrawnAs.GRAPH, (0, 1, 1, 2), (0,))


def test_a_row_is_as_long_as_the_parameter_says() -> None:
    drawing = draw_heaps(play("tic-tac-toe", {"w": 3, "k": 2}))
    assert drawing is not None and (drawing.kind, drawing.width) == (DrawnAs.SQUARES, 3)
    drawing = draw_heaps(play("clobber", {}))
    assert drawing is not None and (drawing.kind, drawing.width, drawing.shown) == (DrawnAs.SQUARES, None, (0, 1))


@pytest.mark.parametrize("name", ["a", "z"])
def test_positions_of_two_games_are_not_drawn_by_the_same_rule(name: str) -> None:
    """In a claim about Dawson's Kayles and Cram, only positions of Cram have boards, whichever game is first."""
    claim = load_claim(BOARDS / "cram-strips.toml", "claim")
    games = sorted(claim.games, key=lambda game: game.name if name == "a" else game.ruleset.title)
    one = t.Operation(BOOL, 0, 0, "eq", (*claim.conclusion.args[:: 1 if name == "a" else -1],))
    drawn = draw_case(replace(claim, games=tuple(games), conclusion=one), {"n": 3})
    assert drawn is not None and drawn.drawing.kind is DrawnAs.BOARD
    assert [s for _, s in drawn.positions] == [(((1, 1, 1), 3),)]


def test_where_nothing_is_said_the_parts_are_shown(tmp_path: Path) -> None:
    text = (BOARDS / "rulesets" / "staircase.toml").read_text("utf-8")
    (tmp_path / "plain.toml").write_text(text.replace('drawn = "stairs of c"\n', ""), "utf-8")
    drawing = draw_heaps(RefereeGame(load_ruleset(tmp_path / "plain.toml"), {}, RefereeSteps(1_000)))
    assert drawing is not None and (drawing.kind, drawing.names, drawing.shown) == (DrawnAs.PARTS, ("c",), ())


@pytest.mark.slow
def test_a_receipt_whose_proof_leaves_out_a_variable_is_told(tmp_path: Path) -> None:
    entry, result = settle("staircase-three@second")
    data = json.loads(json.dumps(make_receipt(result, entry, Options(), "0")))
    (route,) = (route for route in data["routes"] if route["encoder"] == "one heap")
    assert route["scope"] == {"s": "all"}
    route["scope"] = {}
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps({**data, "seal": seal(data)}), "utf-8")
    with pytest.raises(Disagreement, match="the scope of the route one heap"):
        replay(path)


def test_a_solved_position_has_a_page_with_its_drawing(tmp_path: Path) -> None:
    done = run_within(
        "solve", str(BOARDS / "rulesets" / "staircase.toml"), "([0, 1])", "--html", "a.html", cwd=tmp_path
    )
    assert done.returncode == 0
    assert '"heaps":[["[0, 1]","stairs of 0, 1, the lowest step first",' in (tmp_path / "a.html").read_text("utf-8")


def test_what_the_second_player_reaches_is_in_the_list() -> None:
    """Left takes from the first heap, Right from the last: only Right leaves [2]."""
    found = reach(play("partizan-end-nim", {}), [(((2, 1),),)], 50)
    assert found == ((((),),), (((1,),),), (((1, 1),),), (((2,),),), (((2, 1),),))
    assert reach(play("partizan-end-nim", {}), [(((2, 1),),)], 4) is None
