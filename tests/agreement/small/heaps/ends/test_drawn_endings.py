"""Games that may end in a draw: who wins and who draws, by referee, engine, and a separate program."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random

import pytest
from claim_texts import HEAD
from two_games import play_twice, write_ruleset

from checks.boards.solver import PositionSolver
from checks.command.position_text import describe_turn
from checks.execution.settle import settle_entry
from checks.judgement.mutants import make_mutants
from checks.judgement.scopes import Options
from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.files.domains import PositionRange, Range
from claims.language.files.library import select
from claims.language.files.rulesets import Ruleset, load_ruleset
from encoders.bounded.encoder import decide_by_smt as settle_bounded
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.play import EngineGame as Played
from encoders.compute.exhaustive import decide_by_search as settle_exhaustive
from encoders.logic.answer import Decision
from encoders.proving.reading import load_claim

BOARDS = Path(__file__).parents[5] / "examples" / "boards" / "rulesets"
TAKE = """
format = 1
title = "Take a number of one heap"
players = ["A", "B"]
parameters = { S = "set", T = "set" }
stuck = "STUCK"
[[moves]]
choose = "any heap h"
pick = { m = "S if mover == A else T" }
where = "1 <= m <= h"
become = ["h - m"]
"""
STATED = (
    HEAD
    + """ruleset = "game(S = {2, 3}, T = {2, 3})"
[forall]
s = "position"
[claim]
then = "THEN"
[scope]
s = { heaps = "0..3", size = "1..5" }
"""
)
Result = Callable[[tuple[int, ...], int], int]
ENDINGS: dict[str, Result] = {
    "draws": lambda s, mover: 0,
    "draws if len(s) == 1 else mover": lambda s, mover: 0 if len(s) == 1 else 1,
    "A if sum(s) % 3 == 0 else draws": lambda s, mover: 0 if sum(s) % 3 else 1 if mover == 0 else -1,
    "B if len(s) > 1 else draws if 1 in s and mover == A else mover": lambda s, mover: (
        (1 if mover == 1 else -1) if len(s) > 1 else 0 if 1 in s and mover == 0 else 1
    ),
}
"""For each `stuck`: 1, 0 or -1 if the player who cannot move wins, draws or loses."""


def read(folder: Path, stuck: str, text: str = TAKE) -> Ruleset:
    return write_ruleset(folder, text.replace("STUCK", stuck))


def told(game: RefereeGame | Played, s: tuple, mover: int) -> int:
    """Return 1, 0 or -1: the mover wins, draws or loses."""
    if isinstance(game, Played):
        wins, draws = game.answer("wins", [s, mover]), game.answer("draws", [s, mover])
        assert not (wins and draws)
    else:
        wins, draws = game.wins(s, mover), game.draws(s, mover)
        assert wins + draws + game.loses(s, mover) == 1
    return 1 if wins else 0 if draws else -1


@pytest.mark.parametrize("stuck", ENDINGS)
@pytest.mark.parametrize("seed", range(6))
def test_a_player_prefers_a_win_to_a_draw_and_a_draw_to_a_loss(tmp_path: Path, stuck: str, seed: int) -> None:
    random = Random(seed)
    takes = [tuple(sorted(random.sample(range(1, 6), random.randrange(1, 4)))) for _ in range(2)]
    ruleset, parameters = read(tmp_path, stuck), dict(zip("ST", takes, strict=True))
    assert not ruleset.impartial
    referee, played = play_twice(ruleset, parameters)

    @cache
    def best(s: tuple[int, ...], mover: int) -> int:
        after = {
            tuple(sorted(x for x in (*s[:i], h - m, *s[i + 1 :]) if x))
            for i, h in enumerate(s)
            for m in takes[mover]
            if m <= h
        }
        return max(-best(x, 1 - mover) for x in after) if after else ENDINGS[stuck](s, mover)

    places = [s for n in range(4) for s in combinations_with_replacement(range(1, (20, 20, 8, 5)[n]), n)]
    random.shuffle(places)  # known results of some positions must not change those of others
    for s, mover in product(places, (0, 1)):
        assert told(referee, s, mover) == told(played, s, mover) == best(s, mover), (takes, s, mover)


LOOPY = """
format = 1
title = "A token on a graph"
players = ["A", "B"]
parameters = { E = "list", D = "set" }
stuck = "draws if any(h.v in D for h in s) else mover"
measure = "none"
[heap]
v = "0.."
[[moves]]
choose = "any heap h"
pick = { e = "0..len(E) // 2 - 1" }
where = "E[2 * e] == h.v"
become = [{ v = "E[2 * e + 1]" }]
"""


@pytest.mark.parametrize("seed", range(12))
def test_a_loopy_game_may_also_end_in_a_draw(tmp_path: Path, seed: int) -> None:
    random, size = Random(seed), 6
    arrows = sorted({(random.randrange(4), random.randrange(size)) for _ in range(random.randrange(4, 9))})
    ruleset, parameters = read(tmp_path, "", LOOPY), {"E": tuple(x for e in arrows for x in e), "D": (4,)}
    referee, played = play_twice(ruleset, parameters)
    follow = {v: [b for a, b in arrows if a == v] for v in range(size)}

    @cache
    def forced(v: int, moves: int) -> int:
        """Return 1 or -1 if the mover wins or loses within so many moves, else 0."""
        if not follow[v]:
            return int(v != 4)
        return max(-forced(x, moves - 1) for x in follow[v]) if moves else 0

    for v, mover in product(range(size), (0, 1)):
        heaps = ((v,),)
        assert told(referee, heaps, mover) == told(played, heaps, mover) == forced(v, 2 * size), (arrows, v)


FALSE = {
    "who does not win loses": ("wins(s, A) or all(wins(t, B) for t in options(s, A))", (3,)),
    "at the end of play somebody wins": ("implies(terminal(s, A), wins(s, A) or wins(s, B))", (1,)),
    "at the end of play nobody wins": ("not terminal(s, A) or draws(s, A)", ()),
    "at a draw some move keeps the draw": (
        "not (draws(s, A) and not any(draws(t, B) for t in options(s, A)))",
        (1,),
    ),
    "both players win at the end": ("implies(terminal(s, A), wins(s, A))", (1,)),
    "nothing is a draw": ("not draws(s, B)", (1,)),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_refuted_at_the_smallest_position(tmp_path: Path, name: str) -> None:
    """Only the engine and the referee answer; the other routes refuse, and no mutant has another end."""
    then, case = FALSE[name]
    read(tmp_path, "draws if 1 in s else mover")
    (tmp_path / "claim.toml").write_text(STATED.replace("THEN", then))
    (entry,) = select((str(tmp_path / "claim.toml"),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.REFUTED
    assert dict(result.finding.counterexample.variables) == {"s": case}
    told_why = "\n".join(x.text for x in result.finding.counterexample.explanation)
    if "not draws" in then:
        assert "at (1) B cannot move and so draws" in told_why
    if case == (3,):
        assert "A draws at (3)" in told_why
        board = result.presentation.board
        assert board is not None
        assert "B cannot move, and at (1) the game is a draw" in [place.says for place in board.places]
    claim = load_claim(entry.path, entry.id)
    answer = settle_bounded(claim, claim.scope("quick"))
    assert (answer.decision, "may end in a draw" in answer.detail) == (Decision.UNSUPPORTED, True)
    assert "stuck" not in {mutant.kind for mutant in make_mutants(claim)}


def test_a_large_scope_goes_case_by_case(tmp_path: Path) -> None:
    """No engine for many cases at a time and no machine code knows draws."""
    read(tmp_path, "draws if 1 in s else mover")
    (tmp_path / "claim.toml").write_text(STATED.replace("THEN", "wins(s, A) or draws(s, A) or len(s) > 0"))
    claim = load_claim(tmp_path / "claim.toml", "claim")
    answer = settle_exhaustive(claim, {"s": PositionRange(Range(0, 3), Range(1, 14))})
    assert answer.decision is Decision.HOLDS
    assert answer.engines.searched == ("case by case",)


def test_the_solver_tells_draws(tmp_path: Path) -> None:
    ruleset = read(tmp_path, "draws if 1 in s else mover")
    solver = PositionSolver(ruleset, {"S": (2, 3), "T": (2, 3)})
    found = {s: [describe_turn(x, ruleset.players)[0] for x in solver.solve(s).turns] for s in ((1,), (3,), (2,), ())}
    assert found[1,] == ["A to move draws: there is no move", "B to move draws: there is no move"]
    assert found[()][0] == "A to move wins: there is no move"
    assert found[3,][0] == "A to move draws: neither player can force a win; there are 2 moves:"
    assert found[2,][1] == "B to move loses; there is 1 move:"
    assert solver.solve((1,)).outcome == ""
    with pytest.raises(ClaimError, match="may end in a draw"):
        solver.tabulate(1, 0, 5)


@pytest.mark.parametrize(
    ("old", "new"),
    [('["A", "B"]', '["A", "draws"]'), ('T = "set" }', 'T = "set", draws = "1..5" }')],
)
def test_a_name_of_the_file_keeps_its_meaning(tmp_path: Path, old: str, new: str) -> None:
    stuck = "A if draws > 1 else A" if "1..5" in new else "draws"
    ruleset = read(tmp_path, stuck, TAKE.replace(old, new))
    assert not ruleset.ending.drawn
    values = {"S": (1,), "T": (1,), "draws": 2}
    for game in (RefereeGame(ruleset, values, RefereeSteps(1000)), Played(ruleset, values, Deadline(None))):
        last = 0 if "1..5" in new else 1  # the player who wins at the end
        assert game.value((), last) == 0
        assert game.value((), 1 - last) == 1


def test_the_loser_may_depend_on_the_mover(tmp_path: Path) -> None:
    """`mover` is the player who cannot move: `stuck = "mover"` is misère play."""
    parameters = {"S": (1, 2), "T": (1, 2)}
    named, usual = (read(tmp_path, stuck) for stuck in ("mover", "wins"))
    for s in ((), (1,), (2,), (3,), (1, 1), (1, 2), (2, 2)):
        values = [
            RefereeGame(r, parameters, RefereeSteps(10**5)).value(s, mover) for r in (named, usual) for mover in (0, 1)
        ]
        assert values[:2] == values[2:] == [Played(named, parameters, Deadline(None)).value(s, m) for m in (0, 1)]


def test_tic_tac_toe_on_a_row() -> None:
    """On a row of 5 squares, 3 in a line, both players draw; with 2 in a line the first player wins."""
    ruleset = load_ruleset(BOARDS / "tic-tac-toe.toml")
    row = (((0, 0, 0, 0, 0),),)
    for k, result in ((3, 0), (2, 1)):
        referee = RefereeGame(ruleset, {"w": 5, "k": k}, RefereeSteps(10**8))
        assert told(referee, row, 0) == told(Played(ruleset, {"w": 5, "k": k}, Deadline(None)), row, 0) == result
