"""Loopy games: who wins, who loses and who draws, by referee, engine, and a count of moves to the win."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random

import pytest
from claim_texts import HEAD

from checks.boards.solver import PositionSolver
from checks.execution.settle import settle_entry
from checks.judgement.mutants import make_mutants
from checks.judgement.scopes import Options
from checks.referee.meaning import LimitReached, RefereeSteps
from checks.referee.play import RefereeGame
from checks.results.shown import Undrawn
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.files.library import select
from claims.language.files.rulesets import load_ruleset
from claims.language.typesetting.formulas import typeset_math
from encoders.bounded.encoder import decide_by_smt as settle_bounded
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound import play as endless
from encoders.compute.compound.play import EngineGame as Played
from encoders.logic.answer import Decision
from encoders.proving.reading import load_claim

BOARDS = Path(__file__).parents[5] / "examples" / "boards" / "rulesets"
STATED = (
    HEAD
    + """ruleset = "game"
[forall]
s = "position"
[claim]
then = "THEN"
[scope]
s = { heaps = "0..2", size = "1..4" }
"""
)


def forced(turns: list, follow, ends) -> dict:
    """Return, for each turn, 1, -1 or 0: the mover wins, loses or draws.

    It counts the moves within which a win is forced.

    `follow`: the turns after a turn. `ends`: whether the mover wins at a turn without moves.
    """

    @cache
    def wins(turn, moves: int) -> bool:
        after = follow(turn)
        return ends(turn) if not after else moves > 0 and any(loses(x, moves - 1) for x in after)

    @cache
    def loses(turn, moves: int) -> bool:
        after = follow(turn)
        return not ends(turn) if not after else moves > 0 and all(wins(x, moves - 1) for x in after)

    most = len(turns)
    return {x: wins(x, most) - loses(x, most) for x in turns}


def asked(played: Played, s: tuple, mover: int = 0) -> int:
    wins, draws = played.answer("wins", [s, mover]), played.answer("draws", [s, mover])
    assert not (wins and draws)
    return 0 if draws else 1 if wins else -1


def judged(referee: RefereeGame, s: tuple, mover: int = 0) -> int:
    wins, loses, draws = referee.wins(s, mover), referee.loses(s, mover), referee.draws(s, mover)
    assert wins + loses + draws == 1
    return wins - loses


@pytest.mark.parametrize("seed", range(12))
def test_a_token_on_a_graph(seed: int) -> None:
    random, size = Random(seed), 5
    arrows = sorted({(random.randrange(size), random.randrange(size)) for _ in range(random.randrange(3, 10))})
    ruleset, parameters = load_ruleset(BOARDS / "token-on-a-graph.toml"), {"E": tuple(x for e in arrows for x in e)}
    referee, played = RefereeGame(ruleset, parameters, RefereeSteps(10**7)), Played(ruleset, parameters, Deadline(None))

    def follow(s):
        found = {(*s[:i], b, *s[i + 1 :]) for i, v in enumerate(s) for a, b in arrows if a == v}
        return [tuple(sorted(x)) for x in found]

    for count in (1, 2):
        tokens = list(combinations_with_replacement(range(size), count))
        known = forced(tokens, follow, lambda _: False)
        for s in tokens:
            heaps = tuple((v,) for v in s)
            assert judged(referee, heaps) == asked(played, heaps) == known[s], (arrows, s)


PARTIZAN = """
format = 1
title = "P1 goes on, P2 may go back"
players = ["P1", "P2"]
stuck = "STUCK"
measure = "none"
[heap]
v = "0..4"
[[moves]]
choose = "any heap h"
pick = { w = "[h.v + 1, h.v + 2] if mover == P1 else [h.v - 1, h.v - 2, h.v + 1]" }
where = "0 <= w <= 4 and h.v != 4"
become = [{ v = "w" }]
"""


@pytest.mark.parametrize("stuck", ["loses", "wins", "P1 if any(h.v == 4 for h in s) else P2"])
def test_players_with_moves_of_their_own(tmp_path: Path, stuck: str) -> None:
    (tmp_path / "game.toml").write_text(PARTIZAN.replace("STUCK", stuck))
    ruleset = load_ruleset(tmp_path / "game.toml")
    referee, played = RefereeGame(ruleset, {}, RefereeSteps(10**7)), Played(ruleset, {}, Deadline(None))

    def follow(turn):
        v, mover = turn
        there = [v + 1, v + 2] if mover == 0 else [v - 1, v - 2, v + 1]
        return [(w, 1 - mover) for w in there if 0 <= w <= 4 and v != 4]

    turns = list(product(range(5), (0, 1)))
    ends = {"loses": lambda x: False, "wins": lambda x: True}.get(stuck, lambda x: (x[0] == 4) == (x[1] == 0))
    known = forced(turns, follow, ends)
    assert len({*known.values()}) > 1
    for v, mover in turns:
        assert judged(referee, ((v,),), mover) == asked(played, ((v,),), mover) == known[v, mover], (v, mover)


def test_what_was_asked_before_makes_no_difference() -> None:
    """The engine keeps its labels and continues from them."""
    arrows = [(0, 1), (1, 0), (1, 2), (2, 3), (3, 3), (4, 0), (4, 2), (5, 4), (5, 1)]
    ruleset, parameters = load_ruleset(BOARDS / "token-on-a-graph.toml"), {"E": tuple(x for e in arrows for x in e)}
    fresh = {v: asked(Played(ruleset, parameters, Deadline(None)), ((v,),)) for v in range(6)}
    for order in (range(6), range(5, -1, -1), (2, 5, 0, 4, 1, 3)):
        played = Played(ruleset, parameters, Deadline(None))
        assert {v: asked(played, ((v,),)) for v in order} == fresh


def test_top_entails() -> None:
    """Stacks of cards; a player may have to move in the stack that the opponent has just named."""
    ruleset = load_ruleset(BOARDS / "top-entails.toml")
    referee, played = RefereeGame(ruleset, {}, RefereeSteps(10**8)), Played(ruleset, {}, Deadline(None))

    @cache
    def wins(free: tuple[int, ...], called: int | None) -> bool:
        """Return whether the mover wins, given the free stacks, and the stack that must be moved in, if any."""
        for stack in [called] if called is not None else free:
            rest = list(free)
            if called is None:
                rest.remove(stack)
            splits = [tuple(sorted((*rest, a, stack - a))) for a in range(1, stack // 2 + 1)]
            taken = [(tuple(rest), stack - 1)] if stack else []
            if any(not wins(*x) for x in [*((s, None) for s in splits), *taken]):
                return True
        return False

    for free in (s for n in (0, 1, 2) for s in combinations_with_replacement(range(1, 6), n)):
        for called in (None, 0, 1, 3):
            s = tuple(sorted([(n, 0) for n in free] + [(called, 1)] * (called is not None), key=lambda h: (sum(h), h)))
            assert referee.wins(s, 0) == (played.value(s, 0) == 0) == wins(free, called), s
    assert [n for n in range(1, 13) if not wins((n,), None)] == [2, 5, 9]


# -- a player who does not win may draw -------------------------------------------------------------------------------
LOOP = """
format = 1
title = "Nim with a loop"
players = ["P1", "P2"]
stuck = "loses"
measure = "none"
[[moves]]
choose = "any heap h"
pick = { m = "0..h" }
where = "m > 0 or h > 2"
become = ["h - m"]
"""
"""Nim in which a heap above 2 may be left unchanged: (3, 3) is the smallest draw, and (3, 4) the next."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.toml").write_text(LOOP)
    return tmp_path


def state(folder: Path, then: str, proof: str = "") -> Path:
    (folder / "claim.toml").write_text(STATED.replace("THEN", then) + proof)
    return folder / "claim.toml"


@pytest.mark.parametrize(
    ("then", "case"),
    [
        ("iff(not wins(s), all(wins(t) for t in options(s)))", (3, 3)),  # the meaning that "loses" would have
        ("wins(s) or nim_sum(s) == 0", (3, 4)),  # Nim
        ("not draws(s)", (3, 3)),
        ("wins(s) == any(not wins(t) for t in options(s))", (3, 3)),
    ],
)
def test_a_claim_that_takes_not_winning_for_losing_is_refuted(folder: Path, then: str, case: tuple) -> None:
    (entry,) = select((str(state(folder, then)),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.REFUTED
    found = dict(result.finding.counterexample.variables)["s"]
    referee = RefereeGame(load_ruleset(folder / "game.toml"), {}, RefereeSteps(10**6))
    assert found == case
    assert referee.draws(found, 0)
    board = result.presentation.board
    assert board is not None
    assert board.task.startswith(f"You are P1, to move at {case}. The claim ")
    assert result.presentation.pictures == ()
    said = " ".join(line.text for line in result.finding.counterexample.explanation)
    assert "draws" in said
    assert "loses" not in said


def test_routes_that_rest_on_it_refuse(folder: Path) -> None:
    claim = load_claim(state(folder, "iff(not wins(s), nim_sum(s) == 0)"), "claim")
    assert settle_bounded(claim, claim.scope("quick")).decision is Decision.UNSUPPORTED
    assert "stuck" not in {mutant.kind for mutant in make_mutants(claim)}
    with pytest.raises(ClaimError, match="may be infinite"):
        load_claim(state(folder, "not wins(s)", '[proof]\nrule = "folds"\n'), "claim")


def test_a_picture_that_is_asked_for_is_not_drawn_and_says_so(folder: Path) -> None:
    picture = '[[pictures]]\nkind = "outcomes"\ntitle = "Lost"\nheaps = "0..9"\nsolved = "not wins(s)"\n'
    path = state(folder, "wins(s) or not wins(s)", picture)
    (entry,) = select((str(path),))
    result = settle_entry(entry, Options())
    assert result.presentation.pictures == (Undrawn("Lost", "play in game may be infinite"),)


def test_on_the_page_who_does_not_win_does_not_lose(folder: Path) -> None:
    claim = load_claim(state(folder, "not wins(s) and not draws(s)"), "claim")
    shown = typeset_math(claim.conclusion, ("P1", "P2")).replace("\xa0", " ")
    assert "loses" not in shown
    assert "does not win" in shown
    assert "does not draw" in shown


@pytest.mark.slow
def test_play_that_never_comes_to_an_end_of_positions_is_given_up(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(endless, "MAX_POSITIONS", 500)
    (tmp_path / "game.toml").write_text(LOOP.replace("h - m", "h + m").replace("0..h", "1..2"))
    (entry,) = select((str(state(tmp_path, "draws(s) or len(s) == 0")),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.INCONCLUSIVE
    with pytest.raises(LimitReached):
        RefereeGame(load_ruleset(tmp_path / "game.toml"), {}, RefereeSteps(10_000)).wins((1,), 0)


def test_solve_tells_draws() -> None:
    ruleset = load_ruleset(BOARDS / "token-on-a-graph.toml")
    solver = PositionSolver(ruleset, {"E": (0, 1, 1, 0, 0, 2, 2, 0, 2, 3)})
    drawn = solver.solve(((1,),))
    assert (drawn.turns[0].drawn, drawn.turns[0].value, drawn.outcome) == (True, None, "")
    assert [(m.position, m.drawn, m.wins) for m in drawn.turns[0].moves] == [(((0,),), True, None)]
    won = solver.solve(((2,),))
    assert (won.turns[0].drawn, won.turns[0].value, won.outcome) == (False, 0, "N_position")
    assert {(m.position, m.drawn, m.wins) for m in won.turns[0].moves} == {
        (((0,),), True, None),
        (((3,),), False, True),
    }


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("not wins(position([heap(2)]))", "wins at (2) (Token on a directed graph), by (2) -> (3)"),
        ("wins(position([heap(4)]))", "(4) -> (2): then (2) -> (3)"),
        ("wins(position([heap(0)]))", "draws at (0) (Token on a directed graph), by (0) -> (1)"),
    ],
)
def test_what_is_told_of_a_move_is_so(tmp_path: Path, then: str, said: str) -> None:
    """From 2 the token may go to 0, which is a draw, or to the dead end 3; from 4 only to 2."""
    bound = 'ruleset = "game(E = [0, 1, 1, 0, 0, 2, 2, 0, 2, 3, 4, 2])"'
    text = STATED.replace("THEN", then).replace('ruleset = "game"', bound)
    text = text.replace('[forall]\ns = "position"\n', "").partition("[scope]")[0]
    (tmp_path / "game.toml").write_text((BOARDS / "token-on-a-graph.toml").read_text())
    (tmp_path / "claim.toml").write_text(text)
    (entry,) = select((str(tmp_path / "claim.toml"),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.REFUTED
    assert said in " ".join(line.text for line in result.finding.counterexample.explanation)
