"""Moves that leave a list of heaps, and moves that take alike from several heaps: referee, engine, other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import pytest
from claim_texts import HEAD
from two_games import play_twice, write_ruleset

from checks.boards.solver import PositionSolver
from checks.execution.settle import settle_entry
from checks.judgement.mutants import make_mutants
from checks.judgement.scopes import Options
from checks.referee.meaning import IllDefined, RefereeSteps
from checks.referee.play import RefereeGame
from checks.results.verdicts import Verdict
from claims.language.files.domains import PositionRange, Range
from claims.language.files.library import LIBRARY, select
from claims.language.files.rulesets import Ruleset
from claims.language.syntax.terms import Term
from encoders.bounded.encoder import decide_by_smt as settle_bounded
from encoders.compute.arrays.limits import BadRuleset, Deadline
from encoders.compute.compound.order import is_additive
from encoders.compute.compound.play import EngineGame as Played
from encoders.compute.exhaustive import decide_by_search as settle_exhaustive
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim

Position = tuple[int, ...]
GAME = 'format = 1\ntitle = "G"\nplayers = ["A", "B"]\nstuck = "STUCK"\nMEASURE\n[[moves]]\n'


def read(folder: Path, move: str, stuck: str = "loses", measure: str = "") -> Ruleset:
    text = GAME.replace("STUCK", stuck).replace("MEASURE", f'measure = "{measure}"' if measure else "") + move
    return write_ruleset(folder, text)


def gathered(heaps: Iterable[int]) -> Position:
    return tuple(sorted(h for h in heaps if h))


def change_one(s: Position, leave: Callable[[int], Iterable[tuple[int, ...]]]) -> set[Position]:
    return {gathered((*s[:i], *made, *s[i + 1 :])) for i, h in enumerate(s) for made in leave(h)}


def change_alike(s: Position, low: int, high: int, leave: Callable[[int], dict[int, tuple[int, ...]]]) -> set[Position]:
    found = set()
    for count in range(low, min(high, len(s)) + 1):
        for places in combinations(range(len(s)), count):
            ways = [leave(s[i]) for i in places]
            for m in set.intersection(*map(set, ways)):
                rest = [h for i, h in enumerate(s) if i not in places]
                found.add(gathered([*rest, *(x for way in ways for x in way[m])]))
    return found


ANY = 'choose = "any heap h"\n'
Options_ = Callable[[Position, int], set[Position]]
MOVES: dict[str, tuple[str, Options_]] = {
    "k heaps of one size": (
        ANY + 'pick = { m = "0..h - 1", k = "1..h" }\nwhere = "k * m < h"\nbecome = "[m for i in range(k)]"',
        lambda s, mover: change_one(s, lambda h: ((m,) * k for m in range(h) for k in range(1, h + 1) if k * m < h)),
    ),
    "equal parts": (
        'choose = "any heap h"\npick = { k = "2..h" }\nwhere = "h % k == 0"\nbecome = "[h // k for i in range(k)]"',
        lambda s, mover: change_one(s, lambda h: ((h // k,) * k for k in range(2, h + 1) if h % k == 0)),
    ),
    "a range": (
        'choose = "any heap h"\npick = { m = "0..h" }\nwhere = "m * (m - 1) < 2 * h"\nbecome = "range(m)"',
        lambda s, mover: change_one(s, lambda h: (tuple(range(m)) for m in range(h + 1) if m * (m - 1) < 2 * h)),
    ),
    "nothing or two": (
        'choose = "a largest heap h"\npick = { m = "1..h" }\nbecome = "[] if m % 2 == 0 else [h - m, (m - 1) // 2]"',
        lambda s, mover: (
            {gathered((*s[:-1], *(() if m % 2 == 0 else (s[-1] - m, m // 2)))) for m in range(1, s[-1] + 1)}
            if s
            else set()
        ),
    ),
    "the mover decides": (
        'choose = "any heap h"\npick = { k = "1..h - 1" }\nbecome = "[1 for i in range(k if mover == A else k // 2)]"',
        lambda s, mover: change_one(s, lambda h: ((1,) * (k if mover == 0 else k // 2) for k in range(1, h))),
    ),
    "the other heaps decide": (
        'choose = "any heap h"\nbecome = "[h - 1 for i in range(1 if len(s) > 1 else 0)]"',
        lambda s, mover: change_one(s, lambda h: [(h - 1,) if len(s) > 1 else ()]),
    ),
    "two heaps": (
        'choose = "any two heaps g, h"\npick = { m = "1..min(g, h)" }\nbecome = "[x - m for x in [g, h]]"',
        lambda s, mover: change_alike(s, 2, 2, lambda h: {m: (h - m,) for m in range(1, h + 1)}),
    ),
    "alike": (
        'choose = "each of 1..2 heaps h alike"\npick = { m = "1..h" }\nbecome = ["h - m"]',
        lambda s, mover: change_alike(s, 1, 2, lambda h: {m: (h - m,) for m in range(1, h + 1)}),
    ),
    "alike from all heaps": (
        """choose = "each of max(1, len(s))..len(s) heaps h alike"
pick = { m = "[1, 2, h // 2]" }
where = "1 <= m <= h"
become = ["h - m"]""",
        lambda s, mover: change_alike(
            s, max(1, len(s)), len(s), lambda h: {m: (h - m,) for m in {1, 2, h // 2} if 1 <= m <= h}
        ),
    ),
    "two numbers alike": (
        """choose = "each of 1..3 heaps h alike"
pick = { m = "1..h", k = "0..h - m" }
where = "(m + h) % 2 == 0 or mover == B"
become = "[h - m - k, k // 2]\"""",
        lambda s, mover: change_alike(
            s,
            1,
            3,
            lambda h: {
                (m, k): (h - m - k, k // 2)
                for m in range(1, h + 1)
                for k in range(h - m + 1)
                if (m + h) % 2 == 0 or mover == 1
            },
        ),
    ),
}
"""For each kind of move: its lines in a ruleset, and a separate program for the options of a position."""


@pytest.mark.parametrize("stuck", ["loses", "wins"])
@pytest.mark.parametrize("name", MOVES)
def test_options_and_winners(tmp_path: Path, name: str, stuck: str) -> None:
    text, after = MOVES[name]
    ruleset = read(tmp_path, text, stuck)
    assert ruleset.unusual
    referee, played = play_twice(ruleset, {}, 10**8)

    @cache
    def wins(s: Position, mover: int) -> bool:
        options = after(s, mover)
        return not all(wins(x, 1 - mover) for x in options) if options else stuck == "wins"

    for s in (s for n in range(4) for s in combinations_with_replacement(range(1, (9, 9, 6, 4)[n]), n)):
        for mover in (0, 1):
            assert set(referee.options(s, mover)) == set(played.options(s, mover)) == after(s, mover), (s, mover)
            assert referee.wins(s, mover) is played.answer("wins", [s, mover]) is wins(s, mover), (s, mover)


def test_grundy_values_of_sums_are_those_of_play(tmp_path: Path) -> None:
    ruleset = read(tmp_path, MOVES["equal parts"][0])
    referee, played = play_twice(ruleset, {})
    for s in ((12,), (4, 6), (3, 3, 5), (2, 9), (1, 1)):
        assert referee.grundy(s) == played.grundy(s), s


def test_heaps_with_parts(tmp_path: Path) -> None:
    """A heap (a, b) becomes at most b heaps (a - 1, 0), ..., (a - 1, b - 1)."""
    text = """format = 1
title = "G"
players = ["A", "B"]
stuck = "loses"
measure = "sum(10 ** h.a for h in s)"
[heap]
a = "0.."
b = "0.."
gone = "h.a == 0"
[[moves]]
choose = "any heap h"
pick = { k = "0..h.b" }
become = "[heap(h.a - 1, i) for i in range(k)]"
"""
    ruleset = write_ruleset(tmp_path, text)
    referee, played = play_twice(ruleset, {})

    def after(s: tuple) -> set:
        return {
            tuple(sorted((*s[:i], *((a - 1, x) for x in range(k) if a > 1), *s[i + 1 :])))
            for i, (a, b) in enumerate(s)
            for k in range(b + 1)
        }

    for s in (((2, 3),), ((3, 2),), ((1, 1), (2, 2)), ((2, 0), (2, 1)), ()):
        assert {tuple(sorted(x)) for x in referee.options(s, 0)} == after(s), s
        assert {tuple(sorted(x)) for x in played.options(s, 0)} == after(s), s
        assert referee.wins(s, 0) is played.answer("wins", [s, 0])


def test_points_of_moves_alike_are_added(tmp_path: Path) -> None:
    move = 'choose = "each of 1..2 heaps h alike"\npick = { m = "1..h" }\nbecome = "[h - m]"\nscore = "m * h"'
    ruleset = read(tmp_path, move)
    referee, played = play_twice(ruleset, {})

    @cache
    def score(s: Position) -> int:
        found = [0] if not s else []
        for count in (1, 2):
            for places in combinations(range(len(s)), count):
                for m in range(1, min(s[i] for i in places) + 1):
                    left = gathered(h - m if i in places else h for i, h in enumerate(s))
                    found.append(m * sum(s[i] for i in places) - score(left))
        return max(found)

    for s in ((), (3,), (1, 2), (2, 2), (3, 4), (1, 2, 3)):
        assert referee.score(s, 0) == played.answer("score", [s, 0]) == score(s), s


def test_a_list_of_known_length_is_a_usual_move(tmp_path: Path) -> None:
    """Proof rules and fast engines then apply as if the heaps were listed one by one."""
    move = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = '
    written = {text: read(tmp_path, move + text) for text in ('"[h - m]"', '["h - m"]', '"[]"', "[]")}
    assert not any(x.unusual for x in written.values())
    assert [len(x.moves[0].become) for x in written.values()] == [1, 1, 0, 0]
    varied = read(tmp_path, move + '"[h - m for i in range(1)]"')
    with pytest.raises(AssertionError, match="varies"):
        _ = varied.moves[0].become


# -- the measure -------------------------------------------------------------------------------------------------------
NO_PROGRESS = {
    "a heap stays": 'choose = "any heap h"\npick = { k = "1..h" }\nbecome = "[h for i in range(k)]"',
    "one part": ANY + 'pick = { k = "1..h" }\nwhere = "h % k == 0"\nbecome = "[h // k for i in range(k)]"',
    "many heaps": 'choose = "any heap h"\npick = { k = "1..3" }\nbecome = "[h - 1 for i in range(k)]"',
    "of two heaps": 'choose = "any two heaps g, h"\nbecome = "[x for x in [g, h]]"',
    "no heap": 'choose = "each of 0..1 heaps h alike"\npick = { m = "1..h" }\nbecome = ["h - m"]',
    "alike": 'choose = "each of 1..2 heaps h alike"\npick = { m = "0..h" }\nbecome = ["h - m"]',
}
STATED = (
    HEAD
    + """ruleset = "game"
[forall]
s = "position"
[claim]
then = "THEN"
[scope]
s = { heaps = "0..2", size = "1..5" }
"""
)


def settle(folder: Path, then: str):
    (folder / "claim.toml").write_text(STATED.replace("THEN", then))
    (entry,) = select((str(folder / "claim.toml"),))
    return settle_entry(entry, Options())


@pytest.mark.parametrize("name", NO_PROGRESS)
def test_a_move_that_does_not_decrease_the_measure_is_an_error(tmp_path: Path, name: str) -> None:
    """Otherwise play might not end, and a claim about it would have no meaning."""
    ruleset = read(tmp_path, NO_PROGRESS[name])
    result = settle(tmp_path, "len(options(s)) >= 0")
    assert result.verdict is Verdict.ERROR
    assert "does not decrease the measure" in result.finding.error
    assert "game.toml:" in result.finding.error
    with pytest.raises(IllDefined):
        RefereeGame(ruleset, {}, RefereeSteps(10**6)).options((2, 2), 0)
    with pytest.raises(BadRuleset):
        Played(ruleset, {}, Deadline(None)).options((2, 2), 0)


def test_a_measure_of_the_file_may_allow_more_objects(tmp_path: Path) -> None:
    read(tmp_path, NO_PROGRESS["many heaps"], measure="sum(4 ** h - 1 for h in s)")
    assert settle(tmp_path, "iff(wins(s), nim_sum(2 - h % 2 for h in s) != 0)").verdict is Verdict.VERIFIED


@pytest.mark.parametrize("become", ['"[h - k for i in range(k)]"', '"[h // (k - 2) for i in range(1)]"'])
def test_a_list_without_a_value_is_an_error(tmp_path: Path, become: str) -> None:
    read(tmp_path, f'choose = "any heap h"\npick = {{ k = "h + 1..h + 2" }}\nbecome = {become}')
    assert settle(tmp_path, "len(options(s)) >= 0").verdict is Verdict.ERROR


# -- false claims ------------------------------------------------------------------------------------------------------
FALSE = {
    "as if one heap were left": ("k heaps of one size", "all(len(t) <= len(s) for t in options(s))", (3,)),
    "as if numbers differed": (
        "alike",
        "len(s) != 2 or max(s) < 2 or position([1]) in options(s)",
        (2, 2),
    ),
    "as if heaps added up": ("alike", "iff(wins(s), nim_sum(s) != 0)", (1, 1)),
    "as if parts were kept": ("equal parts", "all(len(t) == len(s) for t in options(s))", (2,)),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_refuted_at_the_smallest_position(tmp_path: Path, name: str) -> None:
    """Only the engine and the referee answer; the other routes refuse the claim."""
    game, then, case = FALSE[name]
    read(tmp_path, MOVES[game][0])
    result = settle(tmp_path, then)
    assert (result.verdict, dict(result.finding.counterexample.variables)) == (Verdict.REFUTED, {"s": case})
    claim = load_claim(tmp_path / "claim.toml", "claim")
    answer = settle_bounded(claim, claim.scope("quick"))
    assert answer.decision is Decision.UNSUPPORTED
    assert "a move of game" in answer.detail
    if "wins" in then:
        assert "stuck" in {mutant.kind for mutant in make_mutants(claim)}


@pytest.mark.parametrize("name", ["equal parts", "alike"])
def test_a_large_scope_goes_case_by_case(tmp_path: Path, name: str) -> None:
    """No engine for many cases at a time and no machine code knows such moves."""
    read(tmp_path, MOVES[name][0])
    (tmp_path / "claim.toml").write_text(STATED.replace("THEN", "wins(s) or len(s) != 1 or s[0] == 1"))
    claim = load_claim(tmp_path / "claim.toml", "claim")
    answer = settle_exhaustive(claim, {"s": PositionRange(Range(0, 2), Range(1, 40))})
    assert (answer.decision, answer.engines.searched) == (Decision.HOLDS, ("case by case",))


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
def test_no_rule_of_proof_reads_such_a_move(tmp_path: Path, id: str) -> None:
    """Each claim has another meaning with such a move, although its proof would be accepted unchanged."""
    list_of_heaps = read(tmp_path, MOVES["equal parts"][0]).moves[0].result
    assert isinstance(list_of_heaps, Term)
    folder = Path(__file__).parents[4] / "examples" if id.startswith("boards/") else LIBRARY
    claim = load_claim(folder / f"{id}.toml", id)
    for change in (
        lambda move: replace(move, result=list_of_heaps),
        lambda move: replace(move, alike=True),
    ):
        games = tuple(
            replace(g, ruleset=replace(g.ruleset, moves=(*g.ruleset.moves[:-1], change(g.ruleset.moves[-1]))))
            for g in claim.games
        )
        answer = prove(replace(claim, games=games))
        assert (answer.decision, answer.obligations) == (Decision.UNSUPPORTED, ()), answer.detail
        assert "only the search of the scope supports this" in answer.detail


def test_positions_are_solved(tmp_path: Path) -> None:
    solver = PositionSolver(read(tmp_path, MOVES["equal parts"][0]), {})
    turn = solver.solve((6,)).turns[0]
    assert turn.moves is not None
    assert {move.position: move.wins for move in turn.moves} == {(3, 3): True, (2, 2, 2): False, (1,) * 6: True}
    assert solver.solve((6,)).grundy == 2
    table = solver.tabulate(1, 0, 12)
    assert table.grundy == (0, 0, 1, 1, 1, 1, 2, 1, 1, 2, 2, 1, 2)


GROWING = ANY + 'pick = { k = "0..6" }\nbecome = "[h - 1 for i in range(k)]"'


def test_positions_with_very_many_followers_are_solved_by_the_values_of_heaps(tmp_path: Path) -> None:
    """A heap has the Grundy value 1 if it is odd, and 2 if it is even and not 0."""
    solver = PositionSolver(read(tmp_path, GROWING, measure="sum(8 ** h for h in s)"), {})
    found = solver.solve((3, 4))
    assert (found.grundy, found.limit) == (3, "")
    assert found.by == "the referee, trusting the Sprague-Grundy theorem"
    moves = found.turns[0].moves
    assert moves is not None
    wins = {move.position for move in moves if move.wins}
    assert wins == {(2, 4), (2, 2, 2, 4), (2,) * 5 + (4,), (3, 3), (3,) * 4, (3,) * 6}
    assert solver.solve((1, 1)).by == "the referee"
    table = solver.tabulate(1, 0, 8)
    assert table.grundy == (0, 1, 2, 1, 2, 1, 2, 1, 2)


@pytest.mark.parametrize(
    ("move", "stuck"),
    [
        (GROWING, "wins"),
        (GROWING.replace("h - 1", "h - 1 if mover == A or h > 1 else 0"), "loses"),
        (GROWING.replace("range(k)", "range(k + 0 * len(s))"), "loses"),
    ],
)
def test_values_of_heaps_are_added_only_where_the_theorem_applies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, move: str, stuck: str
) -> None:
    """Misère play, moves that mention the mover, or moves that mention the complete position."""
    monkeypatch.setattr("checks.boards.solver.MORE_STEPS", 30_000)
    found = PositionSolver(read(tmp_path, move, stuck, "sum(8 ** h for h in s)"), {}).solve((3, 4))
    assert {turn.value for turn in found.turns} == {None}
    assert found.by == "the referee"
    assert found.limit.endswith("steps of evaluation")


@pytest.mark.parametrize(
    ("measure", "adds"),
    [
        ("2 * sum(s) - len(s)", True),
        ("sum(h * h for h in s) + len(s)", True),
        ("sum(s) + 1", False),
        ("sum(s) + sum(s) // 2", False),
        ("sum(s) * sum(s)", False),
    ],
)
def test_which_measures_are_sums_over_the_heaps(tmp_path: Path, measure: str, adds: bool) -> None:
    """Only then may a heap be played alone: its own measure decreases."""
    ruleset = read(tmp_path, MOVES["equal parts"][0], measure=measure)
    assert ruleset.measure is not None
    assert is_additive(ruleset.measure) is adds
