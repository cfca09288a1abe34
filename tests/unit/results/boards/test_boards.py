"""Boards: every move of the reader is possible and answered, as by the referee, and cannot be forged."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache, reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest
from library import ENTRIES, Library
from settling import settled, written

from checks.boards import board as layout
from checks.boards import illustrate
from checks.boards.positions import solve_box
from checks.boards.words import Speaker, list_refusals
from checks.command.replay import Disagreement, replay, rerun
from checks.judgement.scopes import Options
from checks.receipts.receipt import make_receipt, seal
from checks.referee.judge import Referee
from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame
from checks.results.shown import PlayableClaim
from claims.language.files.claim import Claim
from claims.language.files.rulesets import load_ruleset
from encoders.proving.reading import load_claim

# Each with the parameters of its game, the start, and the mover there.
FORMULAS = {
    "kl-nim/lemma-11": ({"k": 3, "l": 4}, (2, 2, 4), "P2"),
    "kl-nim/lemma-13": ({"k": 7, "l": 9}, (3, 9, 10), "P2"),
    "kl-nim/theorem-12-reply": ({"k": 3, "l": 4}, (2, 2, 4), "P2"),
}
OUTCOMES = {
    "kl-nim/n-position-test": ("nim", {}, (1, 1), "P1", "P1"),
    "nim/table-n-n-misere": ("misere-nim", {}, (1, 1), "P1", "P2"),
    "nim/table-1-1-n-n-misere": ("misere-nim", {}, (1, 1, 1, 1), "P1", "P2"),
    "nim/bouton": ("nim", {}, (1, 2, 3), "P1", "P1"),
    "nim/misere": ("misere-nim", {}, (1, 2, 3), "P1", "P1"),
    "bash-nim/theorem": ("bash-nim", {"k": 3}, (1, 2, 3), "A", "A"),
    "kl-nim/theorem-12": ("kl-nim", {"k": 3, "l": 4}, (1, 2, 3), "P1", "P1"),
    "kl-nim/theorem-14": ("kl-nim", {"k": 3, "l": 4}, (1, 1, 2, 2), "P2", "P2"),
    "kl-nim/corollary-15": ("kl-nim", {"l": 3, "k": 4}, (1, 2, 3), "P1", "P2"),
    "nim/table-n-n-normal": ("nim", {}, (3, 3), "P1", "P1"),
}
RULES = Path(__file__).resolve().parents[4] / "claims" / "rulesets"


def drawn(claim: Claim) -> PlayableClaim | None:
    """Return the board of a claim that is settled within its scope, without its proof."""
    return illustrate.illustrate(settled(claim), claim, claim.scope("quick")).presentation.board


def shipped(id: str) -> PlayableClaim | None:
    return drawn(load_claim(ENTRIES[id].path, id))


@cache
def board_of(id: str) -> PlayableClaim:
    found = shipped(id)
    assert found is not None
    return found


def check_moves(board: PlayableClaim, game: RefereeGame) -> None:
    """Check that all moves are the referee's, that none of the reader's is missing, and where each leads."""
    for place in board.places:
        mover = game.ruleset.players.index(place.mover)
        options, moves = game.options(place.position, mover), tuple(after for after, _ in place.moves)
        assert set(moves) <= set(options) and len(set(moves)) == len(moves)
        if place.answers:
            assert len(moves) == 1 and place.mover != board.reader
        elif moves:
            assert moves == options and place.mover == board.reader
        for after, number in place.moves:
            assert board.places[number].position == after and board.places[number].mover != place.mover
    reached, todo = set[int](), [0]
    while todo:
        number = todo.pop()
        if number not in reached:
            reached.add(number)
            todo += [n for _, n in board.places[number].moves]
    assert reached == set(range(len(board.places)))


def player(ruleset: str, parameters: dict[str, int]) -> RefereeGame:
    return RefereeGame(load_ruleset(RULES / f"{ruleset}.toml"), parameters, RefereeSteps(10_000_000))


@pytest.mark.parametrize("id", FORMULAS)
@pytest.mark.slow
def test_every_move_that_should_save_a_lemma_is_answered_by_nim_sum_0(id: str) -> None:
    parameters, start, mover = FORMULAS[id]
    board = board_of(id)
    check_moves(board, player("kl-nim", parameters))
    first = board.places[0]
    assert (first.position, first.mover, board.reader, first.answers) == (start, mover, mover, False)
    for _, number in first.moves:
        place = board.places[number]
        ((after, end),) = place.moves
        assert place.answers and reduce(xor, after, 0) == 0
        assert board.places[end].moves == () and " = 0; so " in board.places[end].says


@pytest.mark.slow
def test_lemma_11_can_be_played() -> None:
    board = board_of("kl-nim/lemma-11")
    assert board.game == "K-L-Nim (k = 3, l = 4)"
    assert board.task == (
        "You are P2, to move at (2, 2, 4). The claim says that you can leave a position that is defective for P1. "
        "Find the move."
    )
    assert board.outcome == "Every move is answered: the claim fails at k = 3, l = 4, s = (2, 2, 4)."
    first = board.places[0]
    answers = {after: board.places[number].moves[0][0] for after, number in first.moves}
    assert answers == {(2, 4): (2, 2), (1, 2, 2): (2, 2), (2, 2, 2): (2, 2), (1, 2, 4): (1, 2, 3), (2, 2, 3): (1, 2, 3)}
    assert first.refused == (((2, 2), "P2 may not take 4 from 4: m ≠ l is required, but m = 4, l = 4."),)
    last = board.places[board.places[first.moves[0][1]].moves[0][1]]
    assert last.says == "2 ⊕ 2 = 0; so (2, 4) is not defective for P1"


@pytest.mark.parametrize("id", OUTCOMES)
@pytest.mark.slow
def test_who_should_lose_loses_to_the_end(id: str) -> None:
    ruleset, parameters, start, mover, reader = OUTCOMES[id]
    board, game = board_of(id), player(ruleset, parameters)
    check_moves(board, game)
    first = board.places[0]
    assert (first.position, first.mover, board.reader) == (start, mover, reader)
    for place in board.places:
        index = game.ruleset.players.index(place.mover)
        assert game.wins(place.position, index) is (place.mover != board.reader)
        if not place.moves:
            assert game.options(place.position, index) == ()
            assert place.says.endswith(f"{place.mover} cannot move and {'wins' if game.wins((), 0) else 'loses'}")


@pytest.mark.slow
def test_what_the_claim_says_stands_at_each_position() -> None:
    board = board_of("nim/bouton")
    assert all((" = 0" in p.says or "nim-sum is 0" in p.says) for p in board.places if not p.answers and p.moves)
    assert all("not 0" in p.says for p in board.places if p.answers)


@pytest.mark.slow
def test_what_may_not_be_taken_is_refused_with_a_reason() -> None:
    game, board = player("bash-nim", {"k": 3}), board_of("bash-nim/multiples")
    for place in board.places:
        if place.moves and not place.answers:
            lowered = {
                tuple(sorted(x for x in (*place.position[:i], left, *place.position[i + 1 :]) if x))
                for i, heap in enumerate(place.position)
                for left in range(heap)
            }
            assert {p for p, _ in place.refused} == lowered - set(game.options(place.position, 0))
    assert board.places[0].refused == (((4, 4), "A may not take 4 from 4: m must be in 1..min(k, h), which is 1..3."),)


# -- claims written for the test --------------------------------------------------------------------------------------
SPLIT = """format = 1
title = "No share of two"
players = ["P1", "P2"]
stuck = "loses"
[[moves]]
choose = "any heap h"
pick = { m = "1..h" }
where = "m != 2 and m != 3"
become = ["h - m * (m - 2) // (m - 2)"]
"""


def test_reasons_are_found_once_for_all_that_may_not_be_left(tmp_path: Path) -> None:
    """A forbidden number may leave nothing; a large heap needs a step for each number, not their square."""
    path = tmp_path / "split.toml"
    path.write_text(SPLIT)
    game = RefereeGame(load_ruleset(path), {}, RefereeSteps(200_000))
    refused = dict(list_refusals(game, (600,), 0))
    assert sorted(refused) == [(597,), (598,)]
    assert refused[597,] == "P1 may not take 3 from 600: m ≠ 3 is required, but m = 3."
    assert refused[598,] == "P1 may not take 2 from 600: m must be in 1..h, which is 1..600."


def nim(then: str, start: str = "[1, 2]", ruleset: str = "nim") -> str:
    return f"""
        ruleset = "{ruleset}"
        [forall]
        s = {{ in = [{start}] }}
        [claim]
        then = "{then}"
        """


@pytest.mark.parametrize(("ruleset", "mine", "yours"), [("nim", "s", "t"), ("kl-nim(k = 9, l = 9)", "s, P2", "t, P1")])
def test_a_move_within_a_move_is_played_in_turn(ruleset: str, mine: str, yours: str, tmp_path: Path) -> None:
    inner = f"all(nim_sum(u) != 0 for u in options({yours}))"
    board = drawn(written(tmp_path, nim(f"any({inner} for t in options({mine}) if sum(t) < 4)", "[2, 3]", ruleset)))
    assert board is not None
    check_moves(board, player("nim", {}))
    ends = {p.position: p.says for p in board.places if not p.moves}
    aim = f"∑t < 4 and for every u ∈ Opt{'_P1' if 'P1' in yours else ''}(t): ⨁u ≠ 0"
    assert ends[1, 3] == f"the total of the heaps = 4 ≥ 4; so {aim} with t = (1, 3) fails"
    assert ends[1, 1] == f"1 ⊕ 1 = 0; so {aim} with t = (1, 2) fails"
    assert set(ends) == {(1, 3), (2, 2), (1, 1), ()}


def test_nobody_moves_twice(tmp_path: Path) -> None:
    then = "any(all(nim_sum(u) != 0 for u in options(t, P2)) for t in options(s, P2) if sum(t) < 4)"
    board = drawn(written(tmp_path, nim(then, "[2, 3]", "kl-nim(k = 9, l = 9)")))
    assert board is not None and all(not place.moves for place in board.places[1:])
    assert "a move shows this; so ∑t < 4 and " in {p.position: p.says for p in board.places}[1, 2]


def test_what_is_false_of_every_move_begins_with_a_move_of_the_page(tmp_path: Path) -> None:
    board = drawn(written(tmp_path, nim("all(wins(t) for t in options(s))")))  # (1, 1) is a P-position
    assert board is not None and board.places[0].answers and board.reader == "P2"
    assert board.task == "You are P2; P1 moves first, at (1, 2). The claim says that P1 does not win. Prevent it."
    check_moves(board, player("nim", {}))


def test_what_is_so_of_every_move_is_so_of_the_one_that_the_reader_takes(tmp_path: Path) -> None:
    board = drawn(written(tmp_path, nim("not all(nim_sum(t) != 0 for t in options(s))", "[1, 1]")))
    assert board is not None and not board.places[0].answers
    ends = {p.position: p.says for p in board.places if not p.moves}
    assert ends == {(1,): "the nim-sum is 1, not 0; so (1) does not have nim-sum 0"}


@pytest.mark.slow
def test_what_is_no_game_has_no_board(tmp_path: Path) -> None:
    assert drawn(written(tmp_path, nim("grundy(s) == 2"))) is None
    assert drawn(written(tmp_path, nim("sum(s) > 3"))) is None
    assert drawn(written(tmp_path, nim("any(h > 2 for h in s)"))) is None
    assert shipped("large-nim/theorem-2-case-b") is None
    assert shipped("kl-nim/theorem-6") is None


def test_a_board_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    claim = written(tmp_path, nim("not wins(s)"))
    assert drawn(claim) is not None
    monkeypatch.setattr(layout, "MOST_PLACES", 2)
    assert drawn(claim) is None
    monkeypatch.undo()
    monkeypatch.setattr(layout, "STEPS", 20)
    assert drawn(claim) is None


# -- play from another position ---------------------------------------------------------------------------------------
def read_bits(digits: str) -> str:
    return "".join(f"{int(x, 16):04b}" for x in digits)


def may_lower(heap: int, left: int, mover: int, k: int, l: int) -> bool:
    return heap - left != (k, l)[mover]


@cache
def wins_kl(s: tuple[int, ...], mover: int, k: int, l: int) -> bool:
    """Whether the mover wins K-L-Nim, by the rules in this test."""
    after = {
        tuple(sorted(x for x in (*s[:i], left, *s[i + 1 :]) if x))
        for i, heap in enumerate(s)
        for left in range(heap)
        if may_lower(heap, left, mover, k, l)
    }
    return any(not wins_kl(o, 1 - mover, k, l) for o in after)


def test_every_position_of_a_box_is_solved_as_the_rules_have_it() -> None:
    box = board_of("kl-nim/lemma-11").box
    assert box is not None and box.games[0].values == "k = 3, l = 4" and (2, 2, 4) in box.positions
    assert box.within == "at most 3 heaps of 1 to 5" and len(box.positions) == 56
    assert len({game.values for game in box.games}) == len(box.games) > 20
    assert not any(re.search(r"= 0\b", game.values) for game in box.games)  # k and l are at least 1
    for game in box.games[:7]:
        k, l = map(int, re.findall(r"\d+", game.values))
        for mover in (0, 1):
            wins, legal = read_bits(game.wins[mover]), iter(read_bits(game.legal[mover]))
            for i, s in enumerate(box.positions):
                assert (wins[i] == "1") is wins_kl(s, mover, k, l)
                for number in box.moves[i]:
                    (heap,) = Counter(s) - Counter(box.positions[number])
                    left = sum(box.positions[number]) - sum(s) + heap
                    assert (next(legal) == "1") is may_lower(heap, left, mover, k, l)


def test_no_move_leads_out_of_a_box() -> None:
    cut = player("cutting", {})
    box = solve_box(cut, (3,))
    assert box is not None and box.within == "at most 10 objects in all"
    for i, s in enumerate(box.positions):
        assert [box.positions[n] for n in box.moves[i]] == sorted(cut.options(s, 0), key=box.positions.index)
    assert solve_box(player("nim", {}), (1,) * 30) is not None  # too large itself, but small positions are solved
    assert solve_box(player("nim", {}), (40, 50, 60)) is not None


# -- receipts ---------------------------------------------------------------------------------------------------------
def receipt(library: Library, id: str, path: Path, edit: Callable[[Any], object] = lambda _: None) -> Path:
    data = json.loads(json.dumps(make_receipt(library(id), ENTRIES[id], Options(), "0")))
    edit(data)
    path.write_text(json.dumps({**data, "seal": seal(data)}))
    return path


def places(data: Any) -> Any:
    return data["board"]["places"]


FORGED: dict[str, tuple[str, Callable[[Any], object]]] = {
    "a move left out": ("kl-nim/lemma-11", lambda d: places(d)[0]["moves"].pop()),
    "a move that is not legal": ("kl-nim/lemma-11", lambda d: places(d)[0]["moves"][0].update(to=[2, 2])),
    "an answer that is none": ("kl-nim/lemma-11", lambda d: places(d)[1]["moves"][0].update(to=[1, 2])),
    "another leads on": ("kl-nim/lemma-11", lambda d: places(d)[0]["moves"][0].update(place=3)),
    "another position": ("nim/table-n-n-normal", lambda d: places(d)[2].update(position=[2, 2])),
    "another mover": ("nim/table-n-n-normal", lambda d: places(d)[0].update(mover="P2")),
    "the page moves for the reader": ("nim/table-n-n-normal", lambda d: places(d)[0].update(answers=True)),
    "another reader": ("kl-nim/lemma-11", lambda d: d["board"].update(reader="P1")),
    "no board": ("kl-nim/lemma-11", lambda d: d.update(board=None)),
    "a board of nothing": ("nim/table-n-n-normal", lambda d: d["board"].update(places=[])),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_board_is_told(what: str, library: Library, tmp_path: Path) -> None:
    id, edit = FORGED[what]
    with pytest.raises(Disagreement, match=r"board.*which the referee computes"):
        replay(receipt(library, id, tmp_path / "x.json", edit))


def test_a_board_is_replayed(library: Library, tmp_path: Path) -> None:
    found = replay(receipt(library, "kl-nim/lemma-11", tmp_path / "x.json"))
    assert "    the board: the referee replayed all of its 10 moves" in found.lines and found.confirmed


@pytest.mark.slow
def test_a_receipt_of_before_there_were_boards_is_replayed(library: Library, tmp_path: Path) -> None:
    path = receipt(library, "kl-nim/n-position-test", tmp_path / "x.json", lambda d: d.pop("board"))
    assert replay(path).confirmed and rerun(path, 60.0).confirmed


def test_a_claim_that_is_settled_again_has_the_same_board(library: Library) -> None:
    assert library("kl-nim/lemma-11").presentation.board == board_of("kl-nim/lemma-11")


SOURCE = re.compile(r"[a-z_]\(|[!=]=|[<>]=| for \w+ in |%")  # of the claim language


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("len(s) % 2 == 1", "the number of heaps is even"),
        ("count(h == max(s) for h in s) % 2 == 0", "the number of largest heaps is odd"),
        ("nim_sum(h + 1 for h in s) == 2", "the nim-sum of h + 1 over the heaps h = 1, not 2"),
        ("nim_sum(grundy(position([h])) for h in s) != 4", "the nim-sum of the Grundy values = 3, not 4"),
        ("sum(s) % 3 == 2", "the total of the heaps mod 3 = 0, not 2"),
        ("sum(s) >= 4", "the total of the heaps = 3 < 4"),
        ("nim_sum(s) == 3", "1 ⊕ 2 = 3"),
    ],
)
def test_facts_are_said_in_words(condition: str, words: str, tmp_path: Path) -> None:
    claim = written(tmp_path, nim(condition))
    said = Speaker(Referee(claim, 10_000)).say(claim.conclusion, {"s": (1, 2)})
    assert said == words and not SOURCE.search(said)


@pytest.mark.parametrize("id", [*FORMULAS, *OUTCOMES, "classics/greedy-nim", "classics/half-nim-sums"])
@pytest.mark.slow
def test_no_board_of_the_library_speaks_source(id: str) -> None:
    board = board_of(id)
    for text in (board.task, board.outcome, *(place.says for place in board.places)):
        assert not SOURCE.search(text), text


@pytest.mark.slow
def test_what_is_wanted_of_a_position_is_said_in_words() -> None:
    board = board_of("kl-nim/theorem-12-reply")
    assert "you can leave a position that has nim-sum 0 or is defective for P1. Find the move." in board.task
    says = {place.says for place in board.places if place.says}
    assert "2 ⊕ 2 = 0; so (2, 4) does not have nim-sum 0 and is not defective for P1" in says
    for id in ("kl-nim/lemma-11", "kl-nim/lemma-13", "kl-nim/theorem-12-reply"):
        assert "(" not in re.sub(r"\([\d, ]*\)", "", board_of(id).task)
