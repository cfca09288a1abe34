"""Tables of winners that the referee verifies: only the right table is accepted, from any source."""

from dataclasses import replace
from pathlib import Path

import pytest
from claim_texts import HEAD
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from one_heap import by_engine, heaps_of, loaded, splitting, taking, written

from checks.execution.settle import settle_claim
from checks.judgement.findings import TABLE_STEPS
from checks.referee.breaking import TakeSets, Unknown
from checks.referee.given import HeapTables
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps
from checks.referee.play import RefereeGame
from checks.referee.tables import WrongTable, check_winners, count_rows, verify_winners
from checks.results.verdicts import Verdict
from encoders.compute.arrays.cases import Tally
from encoders.compute.exhaustive import decide_by_search
from encoders.logic.answer import RouteResult, SolvedTables
from encoders.proving.reading import load_claim

SIZE = 24
FEW = taking("[1, 3, 4]", "m <= h")
PARTISAN = taking("1..h", "m != (2 if mover == A else 3)")
THREE = '["A", "B", "C"]'
GAMES = {
    "nim": (written(taking("1..h")), {}),
    "misere nim": (written(taking("1..h"), stuck="wins"), {}),
    "few": (written(FEW), {}),
    "few, misere": (written(FEW, stuck="wins"), {}),
    "three players": (written(FEW, players=THREE), {}),
    "three players, misere": (written(FEW, players=THREE, stuck="wins"), {}),
    "as many players as one likes": (written(taking("1..3", "m <= h"), '{ n = "2.." }', players='"n"'), {"n": 5}),
    "two players of unlike moves": (written(PARTISAN), {}),
    "the same, misere": (written(PARTISAN, stuck="wins"), {}),
    "a large number, for one": (written(taking("1..h", "m == 1 or m == (2 if mover == A else 20)")), {}),
    "three of unlike moves": (written(taking("1..h", "m != 1 or mover == B") + FEW, players=THREE), {}),
    "all but some": (written(taking("1..h", "m not in S"), '{ S = "set" }', stuck="wins"), {"S": (2, 3)}),
    "squares, misere": (written(taking("1..h", "isqrt(m) * isqrt(m) == m"), stuck="wins"), {}),
    "never the whole heap": (written(taking("1..h - 1", "m % 3 != 1"), players=THREE), {}),
    "a largest heap": (written(FEW.replace("any", "a largest"), stuck="wins"), {}),
    "with a measure": (written(FEW, measure="3 * sum(s) - len(s)", stuck="wins"), {}),
}
UNREAD = {
    "two heaps are left": written(splitting('a = "0..h - 1"', become='["a", "h - 1 - a"]'), stuck="wins"),
    "two heaps are chosen": written(
        taking("1..min(g, h)", become='["g - m", "h - m"]').replace("heap h", "two heaps g, h")
    ),
    "heaps are chosen together": written(taking("1..h").replace("any heap", "each of 1..2 heaps"), stuck="wins"),
    "a rule looks at other heaps": written(taking("1..h", "len(s) < 3 or m == 1"), stuck="wins"),
    "a rule looks at the heap": written(taking("1..h", "h % 2 == 0 or m == 1"), stuck="wins"),
    "a measure that does not always fall": written(FEW, measure="sum(h % 20 for h in s)"),
    "a measure that is not told": written(FEW, measure="sum(abs(h - 3) for h in s)"),
}  # fmt: skip


def play(text: str, parameters: dict, folder: Path) -> RefereeGame:
    return RefereeGame(loaded(text, folder), parameters, RefereeSteps(10**8))


def table_of(game: RefereeGame, size: int) -> list[list[int]]:
    """Return the winners by the referee's recursion."""
    return [[game.value((h,) if h else (), mover) for h in range(size + 1)] for mover in range(count_rows(game))]


def change(rows, mover: int, h: int, offset: int) -> list[list[int]]:
    return [[*row[:h], offset, *row[h + 1 :]] if i == mover else row for i, row in enumerate(rows)]


@pytest.mark.parametrize("name", GAMES)
def test_the_engine_makes_that_table(name: str, tmp_path: Path) -> None:
    text, parameters = GAMES[name]
    game = play(text, parameters, tmp_path)
    heaps, choices = heaps_of(game.ruleset), [tuple(parameters.values())]
    for size in (SIZE, 600):
        assert by_engine(heaps, "value", choices, size) is not None
        ((choice, rows),) = heaps.list_winners()
        assert [choice] == choices and {len(row) for row in rows} == {size + 1}
        verify_winners(game, rows, TABLE_STEPS)
    assert [row[: SIZE + 1] for row in rows] == table_of(game, SIZE)
    for mover, row in enumerate(rows):
        for h in (101, 599, 600):
            with pytest.raises(WrongTable):
                verify_winners(game, change(rows, mover, h, (row[h] + 1) % game.players), TABLE_STEPS)


@st.composite
def found_moves(draw: st.DrawFn) -> TakeSets:
    bound = draw(st.integers(1, 4))
    end, one = (frozenset(draw(st.sets(st.integers(1, 3)))) & frozenset(range(bound)) for _ in range(2))
    return TakeSets(bound, end, one, frozenset(), frozenset(), draw(st.booleans()), draw(st.booleans()))


@settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck), max_examples=150)
@given(st.lists(found_moves(), min_size=2, max_size=3), st.booleans(), st.booleans())
@pytest.mark.slow
def test_no_table_but_the_right_one_whatever_may_be_taken(moves: list[TakeSets], alike: bool, wins: bool) -> None:
    players = len(moves)
    stuck = 0 if wins else players - 1
    moves = moves[:1] if alike else moves
    rows: list[list[int]] = [[stuck] for _ in moves]
    for h in range(1, 12):
        found = []
        for mover, own in enumerate(moves):
            after = rows[(mover + 1) % len(rows)]
            offers = []
            for taken in range(1, h + 1):
                every = own.all_end if taken == h else own.all_one
                if taken in (own.end if taken == h else own.one) or (every and taken >= own.bound):
                    offers.append((after[h - taken] + 1) % players)
            found.append(min(offers, default=stuck))
        for row, value in zip(rows, found, strict=True):
            row.append(value)
    check_winners(moves, rows, players, stuck, RefereeSteps(10**6))
    for mover in range(len(rows)):
        for h in range(12):
            for offset in range(players):
                if offset != rows[mover][h]:
                    with pytest.raises(WrongTable):
                        check_winners(moves, change(rows, mover, h, offset), players, stuck, RefereeSteps(10**6))


def test_a_table_of_another_shape_is_wrong(tmp_path: Path) -> None:
    game = play(*GAMES["two players of unlike moves"], tmp_path)
    first, second = table_of(game, SIZE)
    for rows in ([first], [first, second, first], [first, second[:-1]], [[], []]):
        with pytest.raises(WrongTable):
            verify_winners(game, rows, TABLE_STEPS)
    with pytest.raises(WrongTable):
        verify_winners(game, [second, first], TABLE_STEPS)


@pytest.mark.parametrize("name", UNREAD)
def test_games_of_another_kind_have_no_table(name: str, tmp_path: Path) -> None:
    game = play(UNREAD[name], {}, tmp_path)
    with pytest.raises((Unknown, IllDefined)):
        verify_winners(game, [[game.stuck] * (SIZE + 1)], TABLE_STEPS)


# -- in a claim -------------------------------------------------------------------------------------------------------
CLAIM = (
    HEAD
    + """ruleset = "rules"
expect = "holds"

[forall]
k = "1..9"
n = "0.."

[claim]
then = "{then}"

[scope]
k = "{k}..{k}"
n = "{low}..{high}"
"""
)
# Misère: 1 to k objects are taken, so the mover loses at the heaps congruent to 1 modulo k + 1.
LOSES = "iff(wins(position([n])), n % (k + 1) != 1)"
UNTIL = "iff(wins(position([n])), n % (k + 1) != 1 or n > 9000)"


def claim_of(folder: Path, then: str, low: int, high: int, k: int = 3):
    loaded(written(taking("1..min(h, k)"), '{ k = "1.." }', stuck="wins"), folder)
    path = folder / "claim.toml"
    path.write_text(CLAIM.format(then=then, low=low, high=high, k=k), "utf-8")
    return load_claim(path, "claim")


def test_a_counterexample_far_out_is_confirmed_and_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checks.judgement.findings.REPLAY_STEPS", 50_000)  # too few for play
    claim = claim_of(tmp_path, UNTIL, 0, 9100)
    result = settle_claim(claim, claim.scope("quick"), decide_by_search, None)
    assert result.verdict is Verdict.REFUTED
    assert result.finding.counterexample is not None and result.finding.counterexample.variables == (
        ("k", 3),
        ("n", 9001),
    )
    assert result.finding.counterexample.replayed
    assert result.finding.counterexample.explanation[-1].text == (
        "For heaps of more than 100 objects in rules "
        "the referee used a table of winners of the heaps 0 to 9100, which it had verified."
    )


def test_of_what_is_played_no_table_is_told(tmp_path: Path) -> None:
    claim = claim_of(tmp_path, UNTIL.replace("9000", "60"), 0, 9100)
    result = settle_claim(claim, claim.scope("quick"), decide_by_search, None)
    assert result.finding.counterexample is not None and result.finding.counterexample.variables == (
        ("k", 3),
        ("n", 61),
    )
    assert not any("table" in line.text for line in result.finding.counterexample.explanation)


def change_answer(answer: RouteResult, heap: int) -> RouteResult:
    ((key, (row,)),) = answer.solved.winners.items()
    return replace(answer, solved=SolvedTables(winners={key: change([row], 0, heap, 1 - row[heap])}))


@pytest.mark.parametrize("heap", [1, 77, 3000, 3500, 3520])
def test_a_wrong_table_is_inconsistent(heap: int, tmp_path: Path) -> None:
    """It is inconsistent wherever the error is, and whether or not the claim uses it."""
    claim = claim_of(tmp_path, LOSES, 3450, 3520)
    scope = claim.scope("quick")
    assert settle_claim(claim, scope, decide_by_search, None).verdict is Verdict.VERIFIED
    result = settle_claim(claim, scope, lambda *args: change_answer(decide_by_search(*args), heap), None)
    assert result.verdict is Verdict.INCONSISTENT
    assert "a table of the exhaustive route is wrong" in result.finding.error


def test_a_table_is_of_its_game_and_parameters(tmp_path: Path) -> None:
    """A table for another number of objects is never used, nor an unverified one."""
    claim, other = (claim_of(tmp_path, UNTIL, 9000, 9001, k) for k in (3, 4))
    case = {"k": 3, "n": 9001}
    right, wrong = (decide_by_search(x, x.scope("quick")).solved.winners for x in (claim, other))
    assert Referee(claim, 5_000, False, HeapTables({}, right, steps=10**6)).judge(case) == "fails"
    for known in (HeapTables(), HeapTables({}, wrong, 10**6), HeapTables({}, right, 1_000)):
        with pytest.raises(LimitReached):
            Referee(claim, 5_000, False, known).judge(case)


def test_small_heaps_are_played(tmp_path: Path) -> None:
    """Up to a hundred objects no table is used."""
    claim = claim_of(tmp_path, LOSES, 0, 300)
    answer = decide_by_search(claim, claim.scope("quick"))
    wrong = HeapTables({}, change_answer(answer, 50).solved.winners, steps=10**6)
    assert Referee(claim, 100_000, False, wrong).judge({"k": 3, "n": 100}) == "holds"
    with pytest.raises(WrongTable):
        Referee(claim, 100_000, False, wrong).judge({"k": 3, "n": 101})


def test_a_player_who_is_not_there_wins_nowhere(tmp_path: Path) -> None:
    game = play(*GAMES["three players"], tmp_path)
    game.winners = lambda: [[0] * 200]
    for mover in (-1, 3):
        with pytest.raises(IllDefined, match="does not exist"):
            game.value((150,), mover)
    assert game.value((150,), 2) == 0


def test_each_player_has_a_row(tmp_path: Path) -> None:
    game = play(*GAMES["three of unlike moves"], tmp_path)
    game.winners = lambda: [[2] * 200, [0] * 200, [1] * 200]
    assert [game.value((150,), mover) for mover in range(3)] == [2, 0, 1]


def test_of_the_tables_of_several_parts_the_longest_is_kept() -> None:
    whole, key = Tally(), ("game", (("k", 3),))
    for size in (4, 9, 6):
        whole.add(Tally(tables={key: list(range(size))}, winners={key: [[0] * size]}))
    assert whole.tables == {key: list(range(9))} and whole.winners == {key: [[0] * 9]}
