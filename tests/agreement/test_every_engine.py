"""Every engine gives the referee's answers at all small positions of 2 000 random games of every kind.

For each game, the referee computes the answer at each case. A claim then states these answers, and must hold; a second
claim states all but one of them, and must fail exactly there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import pytest
from claim_texts import HEAD
from random_games import KINDS, SCOPES, RandomGame, draw_game

from checks.receipts.enumeration import list_cases
from checks.referee.judge import Referee
from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.printing import walk
from encoders.compute.arrays import bit_plan, board, boxes, two_heaps
from encoders.compute.arrays.bit_plan import BoxPlan
from encoders.compute.compound import play, search
from encoders.compute.compound.play import CountedPositions
from encoders.compute.exhaustive import decide_by_search
from encoders.compute.native import entry, estimate
from encoders.kernel import values
from encoders.kernel.counts import CountedWinners, KindMove
from encoders.kernel.machine import Machine
from encoders.logic.answer import Case, Decision, RouteResult
from encoders.proving.reading import load_claim
from encoders.trust import Trust

RUN, CHUNK = 2_000, 500
# The limits below which an engine is not worth its start. Three of four games are searched without these limits.
LIMITS: list[tuple[object, str, object]] = [
    (entry, "FEW", 0),
    (bit_plan, "LEAST", 0),
    (board, "SMALL", 0),
    (board, "FEW", 0),
    (board.GameSolver, "_can_play", lambda *_: False),
    (search, "PLAYED", 0),
    (boxes, "estimate_box", lambda *_: 0),
    (two_heaps, "LARGE", 0),
]
# Three of eight games are searched by machine code, also if its heaps are few and small numbers.
BY_CODE: list[tuple[object, str, object]] = [
    (estimate, "START", -(10**12)),
    (estimate, "LARGE", 0),
    (estimate, "PLAYED", -1),
    (estimate, "ALONE", 2),
    (estimate, "_reads", lambda *_: False),
    (estimate, "_reaches_few", lambda *_: False),
]
COUNTS, PARTNERS, VALUES = "counts of equal heaps", "lost positions of two heaps", "values of two heaps"
NUMBERS = f"{entry.NAME}, of numbers"
ENGINES = {
    "boxes",
    "moves",
    "heaps",
    "heaps by moves",
    "line bits",
    "parameter bits",
    search.ENGINE,
    entry.NAME,
    NUMBERS,
    f"{NUMBERS}, {Trust.SPRAGUE_GRUNDY}",
    *(f"{NUMBERS}: {x}" for x in ("numbers", "splits", "partizan numbers", "misère")),
    *(f"{NUMBERS}: {x}" for x in ("positions", "parameters", "one integer", "two integers", "equal heaps")),
    COUNTS,
    PARTNERS,
    f"{PARTNERS}, misère",
    VALUES,
    f"arrays, {Trust.SPRAGUE_GRUNDY}",
    f"{search.ENGINE}, {Trust.SPRAGUE_GRUNDY}",
    f"{search.ENGINE}, {Trust.CANONICAL_FORMS}",
}
"""What every chunk must reach: each engine, and each theorem that an engine uses."""


def _load(folder: Path, game: RandomGame, then: str) -> Claim:
    path = folder / "claim.toml"
    path.write_text(
        f"{HEAD}ruleset = '{game.game}'\n[forall]\n{game.variables}[claim]\nthen = \"{then}\"\n[scope]\n{game.scope}",
        "utf-8",
    )
    return load_claim(path, "claim")


def _is_truth_value(game: RandomGame) -> bool:
    return game.answer.startswith("wins")


def _answer(folder: Path, game: RandomGame) -> list[tuple[Case, int, int]]:
    """Return each case with its code and the referee's answer as a number."""
    number = f"(1 if {game.answer} else 0)" if _is_truth_value(game) else game.answer
    pair = _load(folder, game, f"len([{game.code}, {number}]) == 2")
    referee = Referee(pair, 20_000_000)
    terms = next(x for x in walk(pair.conclusion) if isinstance(x, t.Collection))
    found = []
    for case in list_cases(pair, pair.scope("quick"), referee):
        if referee.judge(case) != "outside":
            code, answer = referee.evaluate(terms, case)
            found.append((case, code, answer))
    return found


def _state(game: RandomGame, answers: list[tuple[Case, int, int]]) -> str:
    """Return the statement that the answers are exactly these."""
    if not _is_truth_value(game):
        numbers = ", ".join(str(code * 64 + x) for _, code, x in answers)
        return f"({game.code}) * 64 + {game.answer} in {{{numbers}}}"
    codes = [code for _, code, x in answers if x]
    if game.kind.endswith("numbers") and game.shape in ("positions", "parameters"):  # bits do not support sets
        return f"({game.answer}) == ({' or '.join(f'{game.code} == {x}' for x in codes) or 'False'})"
    return f"({game.answer}) == ({game.code} in {{{', '.join(map(str, codes))}}})"


def _deny(answers: list[tuple[Case, int, int]], at: int) -> list[tuple[Case, int, int]]:
    """Return the answers with another one at place `at`; truth values are reversed."""
    return [
        (case, code, 1 - x if x < 2 else 0) if i == at else (case, code, x) for i, (case, code, x) in enumerate(answers)
    ]


def _name(game: RandomGame, answer: RouteResult, calls: dict[str, mock.Mock]) -> set[str]:
    names = set(answer.engines.names)
    if entry.NAME in names and not game.kind.endswith("parts"):
        names.add(NUMBERS)
        names |= {f"{NUMBERS}, {x}" for x in answer.trusted} | {f"{NUMBERS}: {game.kind}", f"{NUMBERS}: {game.shape}"}
        names |= {f"{NUMBERS}: misère"} if game.misere else set()
    way = search.ENGINE if search.ENGINE in names else "arrays"
    names |= {f"{way}, {x}" for x in (Trust.SPRAGUE_GRUNDY, Trust.CANONICAL_FORMS) if x in answer.trusted}
    called = {name for name, call in calls.items() if call.called}
    return names | called | ({f"{PARTNERS}, misère"} if PARTNERS in called and game.misere else set())


def agree(folder: Path, seed: int) -> tuple[RandomGame, set[str], bool]:
    """Compare the search of one game with the referee. Return what was reached, and whether the answers differ."""
    game = draw_game(seed)
    (folder / "rulesets").mkdir(exist_ok=True)
    (folder / "rulesets" / "mine.toml").write_text(game.ruleset, "utf-8")
    answers = _answer(folder, game)
    codes = [code for _, code, _ in answers]
    assert len(set(codes)) == len(codes), "the codes of two cases are equal"
    reached: set[str] = set()
    wrong = seed % len(answers)
    for at, stated in ((None, answers), (wrong, _deny(answers, wrong))):
        claim = _load(folder, game, _state(game, stated))
        places = {
            COUNTS: (play, "CountedPositions"),
            PARTNERS: (values, "find_partners"),
            VALUES: (values, "solve_pairs"),
        }
        with ExitStack() as stack:
            calls = {
                name: stack.enter_context(mock.patch.object(*place, side_effect=getattr(*place)))
                for name, place in places.items()
            }
            found = decide_by_search(claim, claim.scope("quick"))
        text = f"seed {seed}: {found.decision}, {found.detail}, {found.counterexample}\n{game.ruleset}{game.answer}"
        assert found.decision is (Decision.HOLDS if at is None else Decision.FAILS), text
        assert found.counterexample == (None if at is None else answers[at][0]), text
        if at is None:
            assert found.cases == len(answers), text
        reached |= _name(game, found, calls)
    return game, reached, len({x for _, _, x in answers}) > 1


def agree_on_all(folder: Path, seeds: range, monkeypatch: pytest.MonkeyPatch) -> tuple[Counter[str], int]:
    """Compare all games of a range. Return how often each engine and each kind was reached."""
    reached: Counter[str] = Counter()
    decided = 0
    for seed in seeds:
        with monkeypatch.context() as patch:
            for owner, name, value in LIMITS if seed % 4 else []:
                patch.setattr(owner, name, value)
            for owner, name, value in BY_CODE if seed % 4 == 2 or seed % 8 == 7 else []:
                patch.setattr(owner, name, value)
            if seed % 4 == 1:
                patch.setattr(bit_plan, "_choose", lambda name, box, _: BoxPlan(name, box, True, 2))
            game, names, differ = agree(folder, seed)
        decided += differ
        reached.update(names)
        reached.update([f"kind: {game.kind}", f"scope: {game.shape}", f"misère: {game.misere}"])
    return reached, decided


def test_a_few_random_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, decided = agree_on_all(tmp_path, range(RUN, RUN + 40), monkeypatch)
    assert decided > 20


# -- wrong counts of equal heaps -------------------------------------------------------------------------------------
COUNTING = (
    14,
    19,
    37,
    68,
    71,
    72,
    89,
    91,
    95,
    98,
    105,
    134,
    135,
    155,
    160,
    163,
    168,
    170,
    178,
    194,
    219,
    233,
    235,
    253,
)
"""Seeds of games with positions of equal heaps, of several kinds, that are solved by counts of the heaps."""
_count, _find, _init = CountedPositions._count, CountedWinners.find, CountedWinners.__init__
_set_moves, _get = CountedWinners.set_moves, CountedPositions.get


def _keep_one_move(winners: CountedWinners, kinds: int, moves: Sequence[Sequence[KindMove]]) -> None:
    _set_moves(winners, kinds, [row[:1] for row in moves])


def _lose_kind(winners: CountedWinners, kinds: int, moves: Sequence[Sequence[KindMove]]) -> None:
    _set_moves(winners, kinds, [[x for x in row if x.kind != 1] for row in moves])


def _lose_new_heaps(winners: CountedWinners, kinds: int, moves: Sequence[Sequence[KindMove]]) -> None:
    _set_moves(winners, kinds, [[KindMove(x.kind, {}) for x in row] for row in moves])


def _reverse_stuck(winners: CountedWinners, movers: int, players: int, stuck: int, machine: Machine) -> None:
    _init(winners, movers, players, 0 if stuck else players - 1, machine)


WRONG: dict[str, tuple[type, str, Callable[..., object]]] = {
    "a heap is counted twice": (
        CountedPositions,
        "_count",
        lambda counted, s: {kind: count + 1 for kind, count in _count(counted, s).items()},
    ),
    "a heap is left out": (
        CountedPositions,
        "_count",
        lambda counted, s: {kind: max(count - 1, 0) for kind, count in _count(counted, s).items()},
    ),
    "the heaps of a kind have no moves": (CountedWinners, "set_moves", _lose_kind),
    "only the first move is known": (CountedWinners, "set_moves", _keep_one_move),
    "the heaps that a move leaves are ignored": (CountedWinners, "set_moves", _lose_new_heaps),
    "a stuck player has the other result": (CountedWinners, "__init__", _reverse_stuck),
    "another player moves": (
        CountedPositions,
        "get",
        lambda counted, s, who: _get(counted, s, (who + 1) % len(counted._moves)),
    ),
    "the winner is counted from the next player": (
        CountedWinners,
        "find",
        lambda winners, *given: max(_find(winners, *given) - 1, 0),
    ),
}


def _differs(folder: Path, seed: int) -> bool:
    """Whether the search of a game differs from the referee."""
    try:
        agree(folder, seed)
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("bug", [None, *WRONG])
def test_wrong_counts_of_equal_heaps_are_noticed(
    bug: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if bug is None:
        assert all(COUNTS in agree(tmp_path, seed)[1] for seed in COUNTING)
        return
    owner, name, wrong = WRONG[bug]
    monkeypatch.setattr(owner, name, wrong)
    assert any(_differs(tmp_path, seed) for seed in COUNTING)


@pytest.mark.slow
@pytest.mark.parametrize("start", [0, *(pytest.param(x, marks=pytest.mark.long) for x in range(CHUNK, RUN, CHUNK))])
def test_random_games_of_every_kind_reach_every_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: int
) -> None:
    reached, decided = agree_on_all(tmp_path, range(start, start + CHUNK), monkeypatch)
    wanted = ENGINES | {f"kind: {x}" for x in KINDS} | {f"scope: {x}" for x in SCOPES} | {"misère: True"}
    assert wanted <= set(reached), wanted - set(reached)
    assert decided > CHUNK // 2
