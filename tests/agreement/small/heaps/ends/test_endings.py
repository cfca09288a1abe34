"""Winners that depend on the last position or on preferences: referee, engine, and separate programs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest
from claim_texts import HEAD
from two_games import play_twice, write_ruleset

from checks.execution.settle import settle_entry
from checks.judgement.mutants import make_mutants
from checks.judgement.scopes import Options
from checks.referee.meaning import IllDefined, RefereeSteps
from checks.referee.play import RefereeGame
from checks.results.verdicts import Verdict
from claims.language.files.domains import PositionRange, Range
from claims.language.files.library import LIBRARY, select
from claims.language.files.rulesets import Ending, load_ruleset
from encoders.bounded.encoder import decide_by_smt as settle_bounded
from encoders.compute.arrays.cases import grow
from encoders.compute.arrays.limits import BadRuleset, Deadline
from encoders.compute.compound.meaning import Undefined
from encoders.compute.compound.play import EngineGame as Played
from encoders.compute.engines import CaseQuery, Shard
from encoders.compute.exhaustive import decide_by_search as settle_exhaustive
from encoders.compute.exhaustive import split_into_shards
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim
from encoders.trust import count_cases

BOARDS = Path(__file__).parents[5] / "examples" / "boards" / "rulesets"
NIM = """
format = 1
title = "G"
players = ["P1", "P2"]
stuck = "STUCK"
[[moves]]
choose = "any heap h"
pick = { m = "1..h" }
become = ["h - m"]
"""


def positions(heaps: int, size: int):
    return (s for n in range(heaps + 1) for s in combinations_with_replacement(range(1, size + 1), n))


def smaller(s: tuple[int, ...], take) -> set[tuple[int, ...]]:
    return {tuple(sorted(x for x in (*s[:i], h - m, *s[i + 1 :]) if x)) for i, h in enumerate(s) for m in take(h)}


@pytest.mark.parametrize("takes", [(3, 5, 8), (1, 2), (2,), (2, 7)])
def test_the_parity_of_what_is_left_decides(takes: tuple[int, ...]) -> None:
    parameters = {"S": takes}
    ruleset = load_ruleset(BOARDS / "ending-partizan.toml")
    referee, played = play_twice(ruleset, parameters)

    @cache
    def left_wins(s: tuple[int, ...], mover: int) -> bool:
        after = [left_wins(x, 1 - mover) for x in smaller(s, lambda h: [m for m in takes if m <= h])]
        return (any if mover == 0 else all)(after) if after else sum(s) % 2 == 0

    for s in (*positions(1, 30), *positions(2, 9)):
        for mover in (0, 1):
            wins = left_wins(s, mover) == (mover == 0)
            assert referee.wins(s, mover) is wins, (s, mover)
            assert played.answer("wins", [s, mover]) is wins, (s, mover)


@pytest.mark.parametrize(("n", "i"), [*product((2, 3, 4), range(4))])
def test_who_moves_last_is_whom_the_players_like(n: int, i: int) -> None:
    parameters = {"n": n, "i": i}
    ruleset = load_ruleset(BOARDS / "preference-nim.toml")
    referee, played = play_twice(ruleset, parameters)

    @cache
    def last(s: tuple[int, ...], mover: int) -> int:
        """Return the player who makes the last move if `mover` is to move; the players sit at a round table."""
        offers = {last(x, (mover + 1) % n) for x in smaller(s, lambda h: range(1, h + 1))}
        return min(offers, key=lambda who: (who - mover - i) % n) if offers else (mover - 1) % n

    for s in positions(3, 4):
        assert referee.value(s, 0) == played.answer("value", [s, 0]) == last(s, 0), s
        assert referee.value(s, 1) == played.answer("value", [s, 1]) == (last(s, 1) - 1) % n, s
        if (n, i % n) == (2, 1):  # misère Nim: the opponent moves last if the mover can arrange it
            lost = len(s) % 2 == 1 if max(s, default=0) < 2 else s[0] ^ sum(s[1:2]) ^ sum(s[2:]) == 0
            assert (last(s, 0) == 1) is not lost, s


# -- false claims about such games -------------------------------------------------------------------------------------
@pytest.fixture
def unusual(tmp_path: Path) -> dict[str, Ending]:
    """Games that are Nim except for the end of play."""
    told = {
        "winner": NIM.replace("STUCK", "P1 if True else P2"),
        "drawn": NIM.replace("STUCK", "draws if len(s) > 1 else P1"),
        "prefer": NIM.replace('"STUCK"', '"loses"\nprefer = "[1, 0]"'),
        "endless": NIM.replace('"STUCK"', '"loses"\nmeasure = "none"'),
    }
    found = {}
    for name, text in told.items():
        (tmp_path / "game.toml").write_text(text)
        found[name] = load_ruleset(tmp_path / "game.toml").ending
    return found


RULES = (
    "bash-nim/dp-agrees",
    "kl-nim/small-heaps",
    "classics/wythoff",
    "nim/bouton",
    "bash-nim/grundy",
    "heaps/all-but-2-3-5-7",
    "heaps/misere-kayles",
    "large-nim/lemma-1",
    "boards/white-knight-mod-4",
    "boards/staircase-odd-steps",
)
"""A claim for each rule that reads a game."""


@pytest.mark.parametrize("id", RULES)
def test_no_rule_of_proof_takes_the_last_move_for_the_win(id: str, unusual: dict[str, Ending]) -> None:
    """Each claim is false or meaningless with such an end, although its proof would be accepted unchanged."""
    folder = BOARDS.parents[1] if id.startswith("boards/") else LIBRARY
    claim = load_claim(folder / f"{id}.toml", id)
    for end in unusual.values():
        games = tuple(replace(g, ruleset=replace(g.ruleset, ending=end)) for g in claim.games)
        answer = prove(replace(claim, games=games))
        assert (answer.decision, answer.obligations) == (Decision.UNSUPPORTED, ()), answer.detail
        assert "only the search of the scope supports this" in answer.detail


STATED = (
    HEAD
    + """ruleset = "game"
[forall]
s = "position"
[claim]
then = "THEN"
[scope]
s = { heaps = "0..3", size = "1..5" }
"""
)


@pytest.mark.parametrize(
    ("game", "then", "case", "task"),
    [
        (
            NIM.replace("STUCK", "P1 if True else P2"),
            "iff(wins(s, P2), nim_sum(s) != 0)",
            (1,),
            "You are P2, to move at (1). The claim says that you can win. Try it.",
        ),
        (NIM.replace('"STUCK"', '"loses"\nprefer = "[1, 0]"'), "iff(value(s) == 0, nim_sum(s) != 0)", (2,), ""),
    ],
)
def test_what_holds_in_nim_is_refuted_at_the_smallest_position(
    tmp_path: Path, game: str, then: str, case: tuple[int, ...], task: str
) -> None:
    """Only engine and referee answer, without a proof; other routes refuse the claim, and no mutant has another end."""
    (tmp_path / "game.toml").write_text(game)
    (tmp_path / "claim.toml").write_text(STATED.replace("THEN", then))
    (entry,) = select((str(tmp_path / "claim.toml"),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.REFUTED
    assert dict(result.finding.counterexample.variables) == {"s": case}
    board = result.presentation.board
    assert ("" if board is None else board.task) == task
    claim = load_claim(entry.path, entry.id)
    assert settle_bounded(claim, claim.scope("quick")).decision is Decision.UNSUPPORTED
    assert "stuck" not in {mutant.kind for mutant in make_mutants(claim)}


@pytest.mark.parametrize("prefer", ["[0]", "[0, 0]", "[1, 2]", "[0, 1, 2]", "[0, 1 // 0]"])
def test_preferences_that_are_no_order_give_no_game(tmp_path: Path, prefer: str) -> None:
    ruleset = write_ruleset(tmp_path, NIM.replace('"STUCK"', f'"loses"\nprefer = "{prefer}"'))
    with pytest.raises(IllDefined):
        RefereeGame(ruleset, {}, RefereeSteps(1000))
    with pytest.raises(Undefined):
        Played(ruleset, {}, Deadline(None))


@pytest.mark.parametrize("stuck", ["n", "-1", "1 // len(s)", "max(s)"])
def test_who_wins_at_the_end_must_be_a_player(tmp_path: Path, stuck: str) -> None:
    game = NIM.replace('["P1", "P2"]', '"n"\nparameters = { n = "2.." }').replace("STUCK", f"0 + {stuck}")
    ruleset = write_ruleset(tmp_path, game)
    with pytest.raises(IllDefined):
        RefereeGame(ruleset, {"n": 2}, RefereeSteps(1000)).value((1,), 0)
    with pytest.raises(BadRuleset):
        Played(ruleset, {"n": 2}, Deadline(None)).value((1,), 0)


def test_values_of_heaps_tell_nothing_where_players_have_preferences() -> None:
    """Games with preferences are played even in large scopes, where sums are otherwise trusted.

    This one is misère Nim.
    """
    ruleset, parameters = load_ruleset(BOARDS / "preference-nim.toml"), {"n": 2, "i": 1}
    referee, played = play_twice(ruleset, parameters, sums=True)
    for s in ((17, 17), (1, 1, 1), (1, 1), (2, 2), (1, 30), (16, 17)):
        lost = len(s) % 2 == 1 if max(s) < 2 else s[0] ^ s[1] == 0
        assert referee.value(s, 0) == played.value(s, 0) == int(not lost), s
    assert not played.added


def test_a_large_scope_is_one_piece_in_the_order_of_cases(tmp_path: Path) -> None:
    """Otherwise cases would count twice, and the first case found would not be the smallest."""
    (tmp_path / "game.toml").write_text(NIM.replace("STUCK", "P1 if True else P2"))
    (tmp_path / "claim.toml").write_text(STATED.replace("THEN", "wins(s, P1)"))
    claim = load_claim(tmp_path / "claim.toml", "claim")
    scope = {"s": PositionRange(Range(0, 9), Range(1, 60))}
    assert count_cases(scope) > 10**10
    assert grow(claim, scope) == [scope]
    assert [shard.scope for shard in split_into_shards(CaseQuery(claim, Shard(scope, None)))] == [scope]


def test_totals_bound_positions_of_numbers(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(NIM.replace("STUCK", "P1 if True else P2"))
    text = STATED.replace("THEN", "sum(s) in [3, 4] and wins(s, P1)")
    text = text.replace('size = "1..5"', 'size = "1..5", total = "3..4"')
    (tmp_path / "claim.toml").write_text(text)
    claim = load_claim(tmp_path / "claim.toml", "claim")
    answer = settle_exhaustive(claim, claim.scope("quick"))
    assert (answer.decision, answer.cases) == (Decision.HOLDS, 7)  # 3, 21, 111, 4, 31, 22, 211
