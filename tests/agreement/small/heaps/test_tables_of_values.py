"""Tables of Grundy values that the referee verifies: only the right table is accepted, from any source."""

import tempfile
from dataclasses import replace
from itertools import accumulate, combinations_with_replacement
from pathlib import Path

import pytest
from claim_texts import HEAD
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from one_heap import OCTAL, by_engine, heaps_of, list_options, loaded, play, rules, splitting, table_of, taking, written

from checks.execution.settle import settle_claim
from checks.judgement.findings import TABLE_STEPS
from checks.referee.breaking import TakeSets, Unknown, read_breaking
from checks.referee.given import HeapTables
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps
from checks.referee.play import RefereeGame
from checks.referee.tables import WrongTable, check_values, is_less
from checks.referee.tables import verify as verify_within
from checks.results.verdicts import Verdict
from encoders.compute.arrays.heap_tables import BY_CODE
from encoders.compute.exhaustive import decide_by_search
from encoders.logic.answer import RouteResult, SolvedTables
from encoders.proving.reading import load_claim

FIXED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
SIZE = 30

GRUNDY = written(splitting('a = "1..(h - 1) // 2"'), measure="sum(h - 1 for h in s)")
LASKER = written(splitting('a = "1..h // 2"') + taking("1..h"), measure="sum(2 * h - 1 for h in s)")
GAMES = {
    "nim": (written(taking("1..h")), ()),
    "all but three": (written(taking("1..h", "m != 3")), ()),
    "one, three or four": (written(taking("S", "m <= h", '["h - m"]'), '{ S = "set" }'), ((1, 3, 4),)),
    "one or two": (written(taking("1..min(h, 2)")), ()),
    "never the whole heap": (written(taking("1..h - 1", "m != 2")), ()),
    "kayles": (OCTAL, ([7, 7],)),
    "0.16": (OCTAL, ([1, 6],)),
    "0.156": (OCTAL, ([1, 5, 6],)),
    "0.007": (OCTAL, ([0, 0, 7],)),
    "unequal heaps": (written(splitting('a = "0..(h - 2) // 2"', become='["a", "h - 1 - a"]')), ()),
    "equal heaps": (
        written(splitting('a = "1..h - 2"', "h - 1 - a == a", '["a", "h - 1 - a"]') + taking("2..3", "m <= h")), (),
    ),
    "taking any and splitting": (
        written(taking("1..h") + splitting('a = "1..(h - 1) // 2"', become='["a", "h - 1 - a"]')),
        (),
    ),
    "grundy's game": (GRUNDY, ()),
    "lasker's nim": (LASKER, ()),
    "a measure in parts": (written(taking("1..h", "m != 3"), measure="3 * sum(s) - len(s)"), ()),
}  # fmt: skip


def verify(game: RefereeGame, values) -> None:
    verify_within(game, values, TABLE_STEPS)


@pytest.mark.slow
def test_no_table_but_the_right_one_whatever_may_be_taken() -> None:
    sets = [st.sets(st.integers(low, 3)) for low in (1, 1, 0, 0)]
    given_ = given(st.integers(1, 4), *sets, st.booleans(), st.booleans(), st.sampled_from([0, 1 << 40]))
    settings(FIXED, max_examples=150)(given_(believe_no_other))()


def believe_no_other(
    bound: int, end: set[int], one: set[int], two: set[int], equal: set[int], all_end: bool, all_one: bool, dense: int
) -> None:
    below = (frozenset(m for m in x if m < bound) for x in (end, one, two, equal))
    moves = TakeSets(bound, *below, all_end=all_end, all_one=all_one)
    values: list[int] = [0]
    for h in range(1, 14):
        seen = {
            values[o[0]] ^ values[o[1]] if len(o) == 2 else sum(values[x] for x in o) for o in list_options(moves, h)
        }
        values.append(next(v for v in range(len(seen) + 1) if v not in seen))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("checks.referee.tables._DENSE", dense)
        check_values(moves, values, RefereeSteps(10**6))
        for h in range(1, 14):
            for value in range(max(values) + 3):
                for rest in ([], values[h + 1 :]):
                    if value != values[h]:
                        with pytest.raises(WrongTable):
                            check_values(moves, [*values[:h], value, *rest], RefereeSteps(10**6))


@pytest.mark.parametrize("name", ["nim", "kayles", "lasker's nim", "grundy's game"])
def test_a_value_beyond_all_bounds_is_refused_at_once(name: str, tmp_path: Path) -> None:
    game = play(*GAMES[name], tmp_path)
    values = table_of(game, SIZE)
    with pytest.raises(WrongTable):
        check_values(read_breaking(game), [*values[:9], 10**15, *values[10:]], RefereeSteps(10**6))


@pytest.mark.parametrize("name", GAMES)
def test_the_engine_makes_that_table(name: str, tmp_path: Path) -> None:
    text, choice = GAMES[name]
    game = play(text, choice, tmp_path)
    choices = [tuple(tuple(x) for x in choice)]
    for size in (SIZE, 700):
        (values,) = by_engine(heaps_of(game.ruleset), "grundy", choices, size)[0]
        verify(game, values)
    assert values[: SIZE + 1] == table_of(game, SIZE)
    middle = next(h for h in range(400, 700) if values[h] > 0)
    with pytest.raises(WrongTable):
        verify(game, [*values[:middle], values[middle] - 1, *values[middle + 1 :]])


@pytest.mark.slow
def test_what_is_read_of_small_heaps_holds_of_larger_ones() -> None:
    settings(FIXED, max_examples=120)(given(rules())(have_the_options_of_the_code))()


def have_the_options_of_the_code(found: tuple[str, tuple[tuple, ...]]) -> None:
    """The options of the other heaps agree with the code."""
    text, choices = found
    with tempfile.TemporaryDirectory() as folder:
        game = play(text.replace("_", ""), choices[0], Path(folder))
    try:
        moves = read_breaking(game)
    except (Unknown, IllDefined, LimitReached):
        return
    for h in range(3 * moves.bound + 3, 3 * moves.bound + 14):
        assert set(game.options((h,), 0)) == set(list_options(moves, h)), (h, text)


def test_rules_are_read_often_enough(tmp_path: Path) -> None:
    """It shows that the test above is not empty: these rules are read, and those are not."""
    for text, choice in GAMES.values():
        read_breaking(play(text, choice, tmp_path))


@pytest.mark.parametrize("large", [41, 53])
@pytest.mark.slow
def test_numbers_are_read_as_far_as_the_engine_reads_them(large: int, tmp_path: Path) -> None:
    text = written(splitting(f'm = "{{{large}}}", a = "0..(h - m) // 2"', "m <= h", '["a", "h - m - a"]'))
    moves = read_breaking(play(text, (), tmp_path))
    assert [*map(set, (moves.end, moves.one, moves.two, moves.equal))] == [{large}] * 4
    heaps = heaps_of(loaded(text, tmp_path))
    assert by_engine(heaps, "grundy", [()], 60) is not None and heaps.engines == {BY_CODE}


UNREAD = {
    "half": taking("1..h // 2"),
    "an even heap": taking("1..h", "h % 2 == 0"),
    "an odd number": taking("1..h", "m % 2 == 1"),
    "another number from a large heap": taking("1..h", "m != 1 or h < 90"),
    "a number that is large": taking("1..h", "m != 900"),
    "not a heap of two": taking("1..h", "h - m != 2"),
    "parts of at least two": splitting('a = "2..h - 3"', become='["a", "h - 1 - a"]'),
    "much less than is left": splitting('a = "0..h - 1"', "h - 1 - a > a + 1", '["a", "h - 1 - a"]'),
    "twice a number": taking("1..h", become='["h - m - m"]', where="2 * m <= h"),
    "three heaps": splitting('a = "1..h - 2"', become='["a", "1", "h - 2 - a"]'),
    "a heap below 0, beyond what is played": taking("1..h + 1", "m <= h or h < 0 or m < 0"),
    "any number and two heaps": splitting('m = "1..h", a = "0..h - m"', become='["a", "h - m - a"]'),
    "a list that ends": taking("1..h", "[1, 0, 1, 1][m] == 1"),
}


@pytest.mark.parametrize("name", UNREAD)
@pytest.mark.slow
def test_rules_of_another_form_are_not_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(Unknown):
        read_breaking(play(written(UNREAD[name]), (), tmp_path))


OTHERS = {
    "a measure that is no sum": written(taking("1..h"), measure="sum(s) * sum(s)"),
    "a measure of nothing": written(taking("1..h"), measure="sum(s) + 1"),
    "misere": written(taking("1..h"), stuck="wins"),
    "moves of one player": written(taking("1..h", "m != 2 or mover == A")),
    "a largest heap": written(taking("1..h").replace("any", "a largest")),
    "two heaps": written(taking("1..min(g, h)", become='["g - m", "h - m"]').replace("heap h", "two heaps g, h")),
    "a rule about other heaps": written(taking("1..h", "len(s) < 3 or m == 1")),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_nor_has_a_game_of_another_kind_a_table(name: str, tmp_path: Path) -> None:
    with pytest.raises(Unknown):
        verify(play(OTHERS[name], (), tmp_path), list(range(9)))


def test_without_the_theorem_no_values_are_added(tmp_path: Path) -> None:
    game = play(*GAMES["kayles"], tmp_path)
    values = table_of(game, SIZE)
    with pytest.raises(Unknown):
        verify(play(*GAMES["kayles"], tmp_path, sums=False), values)
    nim = play(*GAMES["nim"], tmp_path, sums=False)
    verify(nim, list(range(SIZE)))


# -- with a measure ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [name for name, (text, _) in GAMES.items() if "measure" in text])
def test_heaps_that_are_played_apart_have_the_values_of_whole_play(name: str, tmp_path: Path) -> None:
    apart, whole = (play(*GAMES[name], tmp_path, sums=sums) for sums in (True, False))
    assert apart.sums and not whole.sums
    for s in [(h,) for h in range(1, 15)] + list(combinations_with_replacement(range(1, 6), 3)):
        assert apart.grundy(s) == whole.grundy(s), s


WITHOUT_END = {
    "grows by less": ("sum(min(h, 40) - 1 for h in s)", 41),
    "grows by less and less": ("sum(100 * h - h * h for h in s)", 1),
    "two heaps weigh as much as one": ("sum(h for h in s)", 1),
    "one object weighs much": ("sum(h + 5 for h in s)", 1),
    "negative": ("sum(h - 2 for h in s)", 1),
}


@pytest.mark.parametrize("name", WITHOUT_END)
def test_a_table_counts_as_far_as_moves_are_seen_to_end(name: str, tmp_path: Path) -> None:
    """If the measure does not decrease with every move, the game has no values, whatever table is offered."""
    measure, most = WITHOUT_END[name]
    right = table_of(play(GRUNDY, (), tmp_path), 60)
    game = play(written(splitting('a = "1..(h - 1) // 2"'), measure=measure), (), tmp_path)
    if most > 30:
        verify(game, right[:most])
    with pytest.raises((Unknown, IllDefined)):
        verify(game, right)


@settings(FIXED, max_examples=300)
@given(
    st.lists(st.integers(-1, 6), min_size=1, max_size=9),
    st.integers(0, 9),
    *[st.sets(st.integers(low, 4)) for low in (1, 1, 0, 0)],
    st.booleans(),
)
@example([5, 1, 1, 1], 0, set(), set(), {0}, set(), True)  # of 5 objects, 2 and 3 weigh more, 1 and 4 do not
@pytest.mark.slow
def test_what_is_seen_to_be_less_is_less(
    steps: list[int], first: int, end: set[int], one: set[int], two: set[int], equal: set[int], more: bool
) -> None:
    weights = [0, *accumulate(steps if more else sorted(steps), initial=first)]
    moves = TakeSets(5, *map(frozenset, (end, one, two, equal)), all_end=more, all_one=more)
    if not is_less(moves, weights):
        return
    for h in range(1, len(weights)):
        for taken in range(h + 1):
            rest = h - taken
            left = [0] if taken in end or (more and taken >= 5) else []
            left += [weights[rest]] if rest and (taken in one or (more and taken >= 5)) else []
            pairs = [(x, rest - x) for x in range(1, rest // 2 + 1)]
            left += [weights[x] + weights[y] for x, y in pairs if taken in (equal if x == y else two)]
            if not rest:
                left = left if taken in end or (more and taken >= 5) else []
            assert all(weight < weights[h] for weight in left), (weights, h, taken)


def test_heaps_whose_moves_end_only_together_are_not_played_apart(tmp_path: Path) -> None:
    """At most ten heaps may be made, and some position with ten heaps can still be split."""
    game = written(splitting('a = "1..h // 2"'), measure="10 - len(s)")
    for sums in (True, False):
        with pytest.raises(IllDefined):
            play(game, (), tmp_path, sums=sums).grundy((13,))


def test_heaps_of_negative_measure_are_not_played_apart(tmp_path: Path) -> None:
    """A sum may be playable although one of its heaps is not: the sum has no answer then."""
    game = written(splitting('a = "1..(h - 1) // 2"'), measure="sum(h - 2 for h in s)")
    assert play(game, (), tmp_path, sums=False).grundy((1, 3)) == 1
    with pytest.raises(LimitReached):
        play(game, (), tmp_path).grundy((1, 3))


# -- winners ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["kayles", "0.156", "grundy's game", "lasker's nim"])
def test_who_wins_by_values_is_who_wins_by_play(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checks.referee.play.FEW", 5)
    by_values, by_play = (play(*GAMES[name], tmp_path, sums=sums) for sums in (True, False))
    for s in [(h,) for h in range(15)] + [(1, 4, 8), (6, 7), (1, 11), (5, 5), (2, 2, 2), (4, 5, 5)]:
        assert by_values.wins(s, 0) == by_play.wins(s, 0)
        assert by_values.value(s, 0) == by_play.value(s, 0)


def test_a_player_who_is_not_there_wins_nowhere(tmp_path: Path) -> None:
    for h in (8, 80):  # played, and told by values
        for mover in (-1, 2):
            with pytest.raises(IllDefined, match="does not exist"):
                play(*GAMES["kayles"], tmp_path).value((h,), mover)


def test_only_the_last_of_two_players_to_move_is_told_by_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checks.referee.play.FEW", 5)
    moves = splitting('m = "1..min(2, h)", a = "0..(h - m) // 2"', become='["a", "h - m - a"]')
    for kind in ({"stuck": "wins"}, {"players": '["A", "B", "C"]'}):
        by_values, by_play = (play(written(moves, **kind), (), tmp_path, sums=sums) for sums in (True, False))
        for s in ((9,), (1,) * 9, (2,) * 5, (3, 7), (4, 6)):
            assert by_values.value(s, 0) == by_play.value(s, 0)


# -- in a claim -------------------------------------------------------------------------------------------------------
CLAIM = (
    HEAD
    + """ruleset = "rules(d = [1, 5, 6])"
[forall]
n = "{low}.."
[claim]
then = "grundy(position([n + 349])) == grundy(position([n]))"
[scope]
n = "{low}..{high}"
"""
)


def claim_of(folder: Path, low: int, high: int):
    """Return the claim that 0.156 has the period 349 from some heap on: true after 3478 (Winning Ways, chapter 4)."""
    loaded(OCTAL, folder)
    path = folder / "claim.toml"
    path.write_text(CLAIM.format(low=low, high=high), "utf-8")
    return load_claim(path, "claim")


def test_a_counterexample_far_out_is_confirmed_and_explained(tmp_path: Path) -> None:
    claim = claim_of(tmp_path, 3478, 3700)
    result = settle_claim(claim, claim.scope("quick"), decide_by_search, None)
    assert result.verdict is Verdict.REFUTED
    assert result.finding.counterexample is not None and result.finding.counterexample.variables == (("n", 3478),)
    assert any(
        "of (3827) is 1, but the Grundy value of (3478) is 8" in line.text
        for line in result.finding.counterexample.explanation
    )
    assert result.finding.counterexample.explanation[-1].text == (
        "For heaps of more than 100 objects in rules "
        "the referee used a table of Grundy values of the heaps 0 to 4049, which it had verified."
    )


def test_a_sample_far_out_is_confirmed(tmp_path: Path) -> None:
    claim = claim_of(tmp_path, 3479, 3900)
    result = settle_claim(claim, claim.scope("quick"), decide_by_search, None)
    assert result.verdict is Verdict.VERIFIED
    assert result.finding.rechecked >= 8


def change(answer: RouteResult, heap: int) -> RouteResult:
    ((key, values),) = answer.solved.values.items()
    return replace(answer, solved=SolvedTables({key: [*values[:heap], values[heap] + 1, *values[heap + 1 :]]}))


@pytest.mark.parametrize("heap", [1, 77, 3478, 3827, 3840])
@pytest.mark.parametrize("low", [3478, 3479])
def test_a_wrong_table_is_inconsistent(low: int, heap: int, tmp_path: Path) -> None:
    """It is inconsistent wherever the error is, and whether or not the claim uses it."""
    claim = claim_of(tmp_path, low, 3520)
    scope = claim.scope("quick")
    result = settle_claim(claim, scope, lambda *args: change(decide_by_search(*args), heap), None)
    assert result.verdict is Verdict.INCONSISTENT
    assert "a table of the exhaustive route is wrong" in result.finding.error


@pytest.mark.slow
def test_without_a_table_nothing_is_confirmed(tmp_path: Path) -> None:
    claim = claim_of(tmp_path, 3478, 3480)
    answer = decide_by_search(claim, claim.scope("quick"))
    assert answer.counterexample is not None
    tables = HeapTables(answer.solved.values, steps=10**7)
    assert Referee(claim, 100_000, True, tables).judge(answer.counterexample) == "fails"
    for sums, known in ((True, HeapTables()), (False, tables), (True, HeapTables(answer.solved.values, steps=1_000))):
        with pytest.raises(LimitReached):
            Referee(claim, 100_000, sums, known).judge(answer.counterexample)
