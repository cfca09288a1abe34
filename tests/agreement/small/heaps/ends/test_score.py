"""The best score: the referee, the search case by case, separate programs, and false claims."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest
from claim_texts import HEAD, NIM_FILE, RULES

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.referee.meaning import IllDefined, RefereeSteps, ask
from checks.referee.play import RefereeGame
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.files.library import LIBRARY, select
from claims.language.files.rulesets import Ruleset, load_ruleset
from encoders.bounded.encoder import decide_by_smt
from encoders.compute.arrays.limits import Deadline, TooLarge
from encoders.compute.compound import play
from encoders.compute.compound.meaning import Undefined
from encoders.compute.compound.play import EngineGame
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim

BOARDS = Path(__file__).parents[5] / "examples" / "boards" / "rulesets"
Load = Callable[[str], Ruleset]


def make_move(choose: str, become: str, score: str, pick: str = "", where: str = "") -> str:
    lines = [f'choose = "{choose}"', f"pick = {{ {pick} }}" * bool(pick), f'where = "{where}"' * bool(where)]
    return "\n".join(["[[moves]]", *lines, f"become = [{become}]", f'score = "{score}"', ""])


TAKE = make_move("any heap h", '"h - m"', "m", 'm = "1..min(h, 3)"')
# Each game with two or three kinds of chosen heaps, picks, points, and with points that use every name.
GAMES = {
    "take": TAKE,
    "what is left": make_move("any heap h", '"h - m"', "h - m", 'm = "1..h"'),
    "negative": make_move("any heap h", '"h - m"', "1 - m * m", 'm = "1..2"', "m <= h"),
    "mover": make_move("any heap h", '"h - m"', "m if mover == A else 2 - m", 'm = "1..h"'),
    "position": make_move("any heap h", '"h - m"', "m * len(s) - max(s)", 'm = "1..h"'),
    "only heaps in the rules": make_move("any heap h", '"h - m"', "s.count(h - m)", 'm = "1..h"'),
    "partizan": make_move("any heap h", '"h - m"', "m", 'm = "1..h"', "m % 2 == (1 if mover == A else 0)"),
    "extremes": make_move("a largest heap h", '"h - m"', "m", 'm = "1..h"')
    + make_move("a smallest heap h", '"h - 1"', "3 * h"),
    "same option": make_move("any heap h", '"h - 1"', "1")
    + make_move("any heap h", '"h - 1"', "h % 3", where="h > 0")
    + make_move("any heap h", '"h - m"', "0", 'm = "1..2"', "m <= h"),
    "two heaps": make_move("any two heaps g, h", '"g - a", "h - b"', "2 * a - b", 'a = "1..g", b = "0..h"'),
    "split": make_move("any heap h", '"a", "h - 1 - a"', "a * a - h", 'a = "0..h - 1"'),
    "each": make_move("each of 1..2 heaps h", '"h - m"', "m * h - 2", 'm = "1..min(h, 2)"'),
}
POSITIONS = [s for n in (0, 1, 2, 3) for s in combinations_with_replacement(range(1, 5), n)]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def make(text: str) -> Ruleset:
        (tmp_path / "game.toml").write_text(text)
        return load_ruleset(tmp_path / "game.toml")

    return make


def both(ruleset: Ruleset, parameters: dict | None = None) -> tuple[RefereeGame, EngineGame]:
    given = parameters or {}
    return RefereeGame(ruleset, given, RefereeSteps(10**8)), EngineGame(ruleset, given, Deadline(None))


# -- agreement --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("stuck", ["loses", "wins"])
def test_referee_and_search_agree(load: Load, name: str, stuck: str) -> None:
    referee, engine = both(load(RULES.replace("loses", stuck) + GAMES[name]))
    for s, mover in product(POSITIONS, (0, 1)):
        assert ask(referee, "score", [s, mover]) == engine.answer("score", [s, mover]), (s, mover)


def replace_heaps(s: tuple[int, ...], old: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
    rest = list(s)
    for h in old:
        rest.remove(h)
    return tuple(sorted(x for x in (*rest, *new) if x))


def take(s: tuple, mover: int) -> Iterator[tuple[tuple, int]]:
    yield from ((replace_heaps(s, (h,), (h - m,)), m) for h in s for m in (1, 2, 3) if m <= h)


def give(s: tuple, mover: int) -> Iterator[tuple[tuple, int]]:
    for heap in s:
        yield from ((replace_heaps(s, (heap,), (heap - m,)), (m, 2 - m)[mover]) for m in range(1, heap + 1))


def take_twice(s: tuple, mover: int) -> Iterator[tuple[tuple, int]]:
    for h in s:
        yield replace_heaps(s, (h,), (h - 1,)), 1
        yield replace_heaps(s, (h,), (h - 1,)), h % 3
        yield from ((replace_heaps(s, (h,), (h - m,)), 0) for m in (1, 2) if m <= h)


def take_from_each(s: tuple, mover: int) -> Iterator[tuple[tuple, int]]:
    """Take one or two objects from one heap, or from two heaps. The points of the two heaps are added."""
    amounts = [[m for m in (0, 1, 2) if m <= h] for h in s]
    for taken in product(*amounts):
        if 1 <= sum(m > 0 for m in taken) <= 2:
            points = sum(m * h - 2 for m, h in zip(taken, s, strict=True) if m)
            yield tuple(sorted(h - m for m, h in zip(taken, s, strict=True) if h > m)), points


@pytest.mark.parametrize(
    ("name", "moves"), [("take", take), ("mover", give), ("same option", take_twice), ("each", take_from_each)]
)
def test_a_separate_program_finds_the_same_scores(load: Load, name: str, moves: Callable) -> None:
    """It keeps the points of both players as a pair, so it has no sign that could be forgotten."""
    referee, engine = both(load(RULES + GAMES[name]))

    @cache
    def play_on(s: tuple, mover: int) -> tuple[int, int]:
        found = []
        for after, points in moves(s, mover):
            earned = list(play_on(after, 1 - mover))
            earned[mover] += points
            found.append(tuple(earned))
        return max(found, key=lambda pair: pair[mover] - pair[1 - mover], default=(0, 0))

    for s, mover in product(POSITIONS, (0, 1)):
        pair = play_on(s, mover)
        assert engine.answer("score", [s, mover]) == pair[mover] - pair[1 - mover], (s, mover)
        assert ask(referee, "score", [s, mover]) == pair[mover] - pair[1 - mover], (s, mover)


def test_coins_in_a_row_by_intervals() -> None:
    referee, engine = both(load_ruleset(BOARDS / "coin-row.toml"))
    for length, row in ((n, row) for n in range(6) for row in product((0, 1, 3), repeat=n)):
        lead = [[0] * (length + 1) for _ in range(length + 1)]  # lead[i][j]: of the coins i to j - 1
        for width, i in ((w, i) for w in range(1, length + 1) for i in range(length - w + 1)):
            j = i + width
            lead[i][j] = max(row[i] - lead[i + 1][j], row[j - 1] - lead[i][j - 1])
        s = ((row,),)
        assert ask(referee, "score", [s, 0]) == engine.answer("score", [s, 0]) == lead[0][length], row


def test_rows_of_coins_agree() -> None:
    referee, engine = both(load_ruleset(BOARDS / "coin-row.toml"))
    rows = [(row,) for n in (1, 2, 3) for row in product((0, 1, 2), repeat=n)]
    for s in combinations_with_replacement(sorted(rows, key=lambda h: (sum(h[0]), h)), 2):
        assert ask(referee, "score", [s, 0]) == engine.answer("score", [s, 0]), s


# -- the rest of the game does not change -----------------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
def test_points_change_no_other_question(load: Load, name: str) -> None:
    text = RULES + GAMES[name]
    plain = "\n".join(line for line in text.split("\n") if not line.startswith("score"))
    scored, unscored = load(text), load(plain)
    assert scored.sees_position is unscored.sees_position
    games = (*both(scored), *both(unscored))
    functions = ["options", "wins", "value", "terminal", "remoteness", "suspense"]
    for s, mover, function in product(POSITIONS, (0, 1), functions):
        found = [
            x.answer(function, [s, mover]) if isinstance(x, EngineGame) else ask(x, function, [s, mover]) for x in games
        ]
        assert all(x == found[0] for x in found), (s, mover, function)


@pytest.mark.parametrize(
    ("score", "define", "impartial"),
    [
        ("m", "", True),
        ("len(s)", "", True),
        ("m if mover == A else 0", "", False),
        ("f(m)", '[define]\n"f(x)" = "x if mover == A else 0"\n', False),
        ("f(m)", '[define]\n"f(x)" = "x + len(s)"\n', True),
    ],
)
def test_points_that_mention_the_mover_make_a_ruleset_partizan(
    load: Load, score: str, define: str, impartial: bool
) -> None:
    ruleset = load(RULES + define + make_move("any heap h", '"h - m"', score, 'm = "1..h"'))
    assert ruleset.impartial is impartial
    assert not ruleset.sees_position


def test_points_without_a_value_matter_only_for_the_score(load: Load) -> None:
    referee, engine = both(load(RULES + make_move("any heap h", '"h - 1"', "6 // (h - 2)")))
    assert ask(referee, "wins", [(3,), 0]) is engine.answer("wins", [(3,), 0]) is True
    assert ask(referee, "score", [(1,), 0]) == engine.answer("score", [(1,), 0]) == -6
    with pytest.raises(IllDefined, match=r"`score` of game has no value for a move from \(2\): division by zero"):
        ask(referee, "score", [(3,), 0])
    with pytest.raises(Undefined):
        engine.answer("score", [(3,), 0])


def test_a_score_needs_a_player_and_heaps() -> None:
    referee, engine = both(load_ruleset(BOARDS / "coin-row.toml"))
    for args in ([(), 2], [(((-1,),),), 0]):
        with pytest.raises(IllDefined):
            ask(referee, "score", args)
        with pytest.raises(Undefined):
            engine.answer("score", args)


def test_the_search_counts_the_positions(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "MAX_POSITIONS", 20)
    engine = EngineGame(load(RULES + TAKE), {}, Deadline(None))
    assert engine.answer("score", [(9,), 0]) == 3
    with pytest.raises(TooLarge):
        engine.answer("score", [(9, 9), 0])


# -- claims -----------------------------------------------------------------------------------------------------------
ONE_HEAP = """ruleset = "game"
[forall]
n = "0.."
[define]
s = "position([n])"
[claim]
then = "THEN"
[scope]
n = "0..30"
"""


@pytest.fixture
def stated(tmp_path: Path) -> Callable[[str, str], str]:
    def write(game: str, claim: str) -> str:
        (tmp_path / "game.toml").write_text(game)
        (tmp_path / "claim.toml").write_text(HEAD + claim)
        return str(tmp_path / "claim.toml")

    return write


PENALTY = make_move("any heap h", '"h - m"', "-m", 'm = "1..min(h, 2)"')
BETTER_LAST = make_move("any heap h", '"h - 1"', "1", where="h > 0") + make_move("any heap h", '"h - 1"', "3")
BETTER_FIRST = make_move("any heap h", '"h - 1"', "3", where="h > 0") + make_move("any heap h", '"h - 1"', "1")
SIDES = make_move("any heap h", '"h - 1"', "1 if mover == A else 3", where="h > 0")


@pytest.mark.parametrize(
    ("moves", "then", "smallest"),
    [
        # take 1..3 objects, and score what you take
        (TAKE, "score(s) == min(n % 6, -n % 6)", None),
        (TAKE, "score(s) == min(n % 4, -n % 4)", {"n": 3}),
        (TAKE, "n == 0 or score(s) == max(m - score(position([n - m])) for m in range(1, min(3, n) + 1))", None),
        (TAKE, "n == 0 or score(s) == max(sum(s) - sum(t) - score(t) for t in options(s))", None),
        # the sign of the second player is forgotten
        (TAKE, "n == 0 or score(s) == max(sum(s) - sum(t) + score(t) for t in options(s))", {"n": 4}),
        # the players add their points, or the mover takes the least
        (TAKE, "n == 0 or score(s) == n", {"n": 4}),
        (TAKE, "n == 0 or score(s) == min(sum(s) - sum(t) - score(t) for t in options(s))", {"n": 2}),
        # a negative score counts as 0
        (PENALTY, "score(s) >= 0", {"n": 1}),
        (PENALTY, "score(s) <= 0", None),
        (PENALTY, "score(s) == -(n % 2)", None),
        # the points of the better of two moves to the same option
        (BETTER_LAST, "score(s) == n % 2", {"n": 1}),
        (BETTER_FIRST, "score(s) == n % 2", {"n": 1}),
        (BETTER_LAST, "score(s) == 3 * (n % 2)", None),
        (BETTER_FIRST, "score(s) == 3 * (n % 2)", None),
        # the roles of the mover and the opponent
        (SIDES, "score(s, A) == (n + 1) // 2 - 3 * (n // 2) and score(s, B) == 3 * ((n + 1) // 2) - n // 2", None),
        (SIDES, "score(s, A) == 3 * ((n + 1) // 2) - n // 2", {"n": 1}),
        (SIDES, "score(s, A) == score(s, B)", {"n": 1}),
        (SIDES, "score(s, A) == -score(s, B)", {"n": 1}),
    ],
)
def test_claims_about_one_heap(
    stated: Callable[[str, str], str], moves: str, then: str, smallest: dict[str, int] | None
) -> None:
    (entry,) = select((stated(RULES + moves, ONE_HEAP.replace("THEN", then)),))
    result = settle_entry(entry, Options())
    if smallest is None:
        assert result.verdict is Verdict.VERIFIED
    else:
        assert result.verdict is Verdict.REFUTED
        assert dict(result.finding.counterexample.variables) == smallest


ROWS = """ruleset = "coin-row"
[forall]
s = "position"
[claim]
if = "len(s) == 1"
then = "THEN"
[scope]
s = { heaps = "1", c = { length = "0..4", each = "0..3" } }
"""
ENDS = "s[0].c[0], s[0].c[len(s[0].c) - 1]"


@pytest.mark.parametrize(
    ("then", "smallest"),
    [
        ("len(s[0].c) % 2 == 1 or score(s) >= 0", None),
        ("score(s) >= 0", ((0, 1, 0),)),  # a single row: three coins are the fewest
        # each player takes the larger end; and the order of the coins does not matter
        (f"len(s[0].c) == 0 or score(s) >= max({ENDS}) - 2", ((0, 3, 0),)),
        ("score(s) == score(position([heap(sorted(s[0].c))]))", ((0, 1, 0),)),
        ("score(s) == score(position([heap([s[0].c[len(s[0].c) - 1 - i] for i in range(len(s[0].c))])]))", None),
    ],
)
def test_claims_about_rows(stated: Callable[[str, str], str], then: str, smallest: tuple | None) -> None:
    path = stated("", ROWS.replace("THEN", then))
    (Path(path).parent / "coin-row.toml").write_text((BOARDS / "coin-row.toml").read_text("utf-8"))
    (entry,) = select((path,))
    result = settle_entry(entry, Options())
    if smallest is None:
        assert result.verdict is Verdict.VERIFIED
    else:
        assert result.verdict is Verdict.REFUTED
        assert dict(result.finding.counterexample.variables) == {"s": (smallest,)}


def test_a_claim_without_a_value_is_an_error(stated: Callable[[str, str], str]) -> None:
    game = RULES + make_move("any heap h", '"h - 1"', "6 // (h - 2)")
    (entry,) = select((stated(game, ONE_HEAP.replace("THEN", "score(s) >= -6")),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.ERROR
    assert "ill-defined at n = 2" in (result.finding.error or "")
    error = result.finding.error or ""
    assert "`score` of game has no value for a move from (2)" in error
    assert re.search(r"game\.toml:\d+:9: ill-defined at n = 2.*\n  score = \"6 // \(h - 2\)\"\n", error)
    assert "expected: a value for every heap and every picked number" in error


def test_an_error_of_the_claim_itself_is_shown_at_the_claim(stated: Callable[[str, str], str]) -> None:
    game = RULES + make_move("any heap h", '"h - 1"', "h")
    (entry,) = select((stated(game, ONE_HEAP.replace("THEN", "6 // (n - 2) > score(s) - 99")),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.ERROR
    assert re.search(r"^\S*claim\.toml:\d+:8: ill-defined at n = 2: ", result.finding.error or "")


def test_no_other_route_is_asked(stated: Callable[[str, str], str]) -> None:
    game = NIM_FILE + 'score = "m"\n'
    claim = load_claim(Path(stated(game, ONE_HEAP.replace("THEN", "score(s) >= 0"))), "claim")
    assert claim.goes_case_by_case
    assert decide_by_smt(claim, claim.scope("quick")).decision is Decision.UNSUPPORTED
    text = ONE_HEAP.replace("THEN", "iff(wins(s), score(s) > 0)")
    text += '[proof]\nrule = "folds"\n[proof.folds]\nX = "nim_sum(s)"\n'
    assert prove(load_claim(Path(stated(game, text)), "claim")).decision is Decision.UNSUPPORTED


BOUTON = (LIBRARY / "nim" / "bouton.toml").read_text("utf-8")


@pytest.mark.parametrize("score", ["m", "len(s)", "s.count(h) + m"])
def test_a_proof_about_a_game_with_points(stated: Callable[[str, str], str], score: str) -> None:
    """Points do not hinder a proof about the winner, even if they mention the other heaps."""
    game = NIM_FILE.replace('"1..h" }', '"0..h" }\nwhere = "m > 0"')  # its normal form differs
    path = Path(stated(f'{game}score = "{score}"\n', ""))
    path.write_text(BOUTON.replace('"nim"', '"game"'))
    claim = load_claim(path, "claim")
    assert claim.games[0].ruleset.scored
    assert prove(claim).decision is Decision.HOLDS


# -- refusals ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "then", "message"),
    [
        (NIM_FILE, "score(s) == 0", 'whose moves have points: a line such as score = "m" in each [[moves]]'),
        (RULES.replace("stuck", 'measure = "none"\nstuck') + TAKE, "score(s) == 0", "a ruleset whose play always ends"),
        (RULES.replace('["A", "B"]', '["A", "B", "C"]') + TAKE, "score(s) == 0", "a ruleset of two players"),
        (RULES + SIDES, "score(s) == 0", "game is not impartial: name the mover"),
        (RULES + TAKE, "score(s, A, B) == 0", "expected: score(s, mover)"),
        (RULES + TAKE, "score(s)", "expected: a Bool"),
    ],
)
def test_questions_about_scores_that_are_refused(
    stated: Callable[[str, str], str], game: str, then: str, message: str
) -> None:
    with pytest.raises(ClaimError) as refused:
        load_claim(Path(stated(game, ONE_HEAP.replace("THEN", then))), "claim")
    assert message in str(refused.value)
