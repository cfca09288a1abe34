"""The referee: rules of play and the meaning of expressions, each guard with a case that only this guard stops."""

import gc
from fractions import Fraction
from pathlib import Path
from typing import Any
from weakref import ref

import pytest
from library import claim_of

from checks.referee.given import HeapTables
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, ask, position_key
from claims.language.syntax import terms as t
from encoders.proving.reading import load_claim

NIM = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n'
KAYLES = '[[moves]]\nchoose = "any heap h"\npick = { a = "0..h - 1" }\nbecome = ["a", "h - 1 - a"]\n'
CLAIM = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "mine"\nlocator = "L"\nrole = "conjecture"\n'


@pytest.fixture
def judge(tmp_path: Path) -> Any:
    """Return the referee's judgements of the cases of a claim."""

    def make(variables: str, then: str, when: str = "True", scope: str = "", steps: int = 100_000, **case: Any) -> str:
        path = tmp_path / "claim.toml"
        text = f'{CLAIM}ruleset = "nim"\n[forall]\n{variables}\n[claim]\nif = "{when}"\nthen = "{then}"\n{scope}'
        path.write_text(text, "utf-8")
        return Referee(load_claim(path, "claim"), steps).judge(case)

    return make


# -- rules of play ----------------------------------------------------------------------------------------------------
def test_positions_are_ordered_by_heaps_then_total_then_heaps(game: Any) -> None:
    assert sorted([(1, 3), (5,), (2, 2), (), (1, 1, 1), (4,)], key=position_key) == [
        (), (4,), (5,), (1, 3), (2, 2), (1, 1, 1),
    ]  # fmt: skip
    assert game().options((1, 2), 0) == ((1,), (2,), (1, 1))


def test_heaps_that_are_picked_whole_vanish(game: Any) -> None:
    assert game().options((2,), 1) == ((), (1,))


@pytest.mark.parametrize("mover", [-1, 2])
def test_a_player_who_does_not_exist_cannot_be_asked_about(game: Any, mover: int) -> None:
    with pytest.raises(IllDefined, match="does not exist"):
        game().options((1,), mover)


def test_each_player_has_moves_of_his_own(game: Any) -> None:
    played = game(NIM.replace("become", 'where = "m != 1 or mover == A"\nbecome'))
    assert played.options((2,), 0) == ((), (1,))
    assert played.options((2,), 1) == ((),)
    assert (played.wins((1,), 0), played.wins((1,), 1)) == (True, False)


@pytest.mark.parametrize(("k", "inside"), [(1, False), (2, True), (5, True), (6, False)])
def test_a_parameter_lies_in_its_domain(game: Any, k: int, inside: bool) -> None:
    if inside:
        assert game(head='parameters = { k = "2..5" }\n', k=k).players == 2
    else:
        with pytest.raises(IllDefined, match="outside 2"):
            game(head='parameters = { k = "2..5" }\n', k=k)


@pytest.mark.parametrize(
    ("become", "measure", "s"),
    [
        ('["h"]', "", (3,)),
        ('["h", "h"]', "", (3,)),
        ('["h - 1"]', "len(s)", (3,)),
        ('["h - 1"]', "0 - len(s)", (1,)),  # from -1 to 0
        ('["h - 1", "1"]', "sum(s) - 5", (2,)),  # no lower, and below 0
        ('["h - 1"]', "sum(s) - 9", (3,)),  # lower, and below 0
    ],
)
def test_a_move_that_does_not_lower_a_natural_measure_is_no_move(
    game: Any, become: str, measure: str, s: tuple[int, ...]
) -> None:
    moves = f'[[moves]]\nchoose = "any heap h"\nbecome = {become}\n'
    with pytest.raises(IllDefined, match="does not decrease"):
        game(moves, f'measure = "{measure}"\n' if measure else "").options(s, 0)


def test_moves_on_several_heaps_at_once_are_counted_before_they_are_made(game: Any) -> None:
    moves = '[[moves]]\nchoose = "each of 1..4 heaps h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n'
    with pytest.raises(LimitReached, match="steps"):
        game(moves).options((90, 90, 90, 90), 0)  # 66 million options, by four heaps of 90 sizes each
    assert len(game(moves).options((2, 2, 2, 2), 0)) == 14


def test_a_heap_below_0_is_no_heap(game: Any) -> None:
    with pytest.raises(IllDefined, match="a heap of size -1"):
        game('[[moves]]\nchoose = "any heap h"\nbecome = ["h - 2"]\n').options((1,), 0)


@pytest.mark.parametrize(
    ("choose", "options"),
    [
        ("any heap h", ((1, 1, 3), (1, 2, 2))),
        ("a largest heap h", ((1, 2, 2),)),
        ("a smallest heap h", ((2, 3),)),
        ("each of 1..2 heaps h", ((1, 3), (2, 2), (2, 3), (1, 1, 2), (1, 1, 3), (1, 2, 2))),
        ("each of 2..9 heaps h", ((1, 2), (1, 3), (2, 2), (1, 1, 2))),
        ("each of 2..2 heaps h", ((1, 3), (2, 2), (1, 1, 2))),
    ],
)
def test_which_heaps_a_move_chooses(game: Any, choose: str, options: tuple[Any, ...]) -> None:
    played = game(f'[[moves]]\nchoose = "{choose}"\nbecome = ["h - 1"]\n')
    expected = options if choose != "any heap h" else ((2, 3), *options)
    assert played.options((1, 2, 3), 0) == tuple(sorted(expected, key=position_key))


def test_two_heaps_are_chosen_in_either_order(game: Any) -> None:
    played = game('[[moves]]\nchoose = "any two heaps g, h"\nbecome = ["g - 1", "h"]\n')
    assert played.options((1, 3), 0) == ((3,), (1, 2))
    assert played.options((3,), 0) == ()


def test_no_heap_at_all_is_no_choice(game: Any) -> None:
    with pytest.raises(IllDefined, match="does not decrease"):
        game('[[moves]]\nchoose = "each of 0..1 heaps h"\nbecome = ["h - 1"]\n').options((1,), 0)


def test_who_cannot_move(game: Any) -> None:
    """There are three players A, B, C. A stuck player makes the previous player win, or wins."""
    three = 'players = ["A", "B", "C"]\n'
    assert game(head=three).value((), 0) == 2
    assert game(head=three + 'stuck = "wins"\n').value((), 0) == 0
    assert game().wins((), 0) is False
    assert game(head='stuck = "wins"\n').wins((), 0) is True


def test_of_three_players_the_next_one_moves_next(game: Any) -> None:
    """A takes one object, B two, C three; the predecessor of the stuck player wins."""
    moves = '[[moves]]\nchoose = "any heap h"\nwhere = "{}"\nbecome = ["h - {}"]\n'
    played = game(
        "".join(moves.format(f"mover == {p} and h >= {n}", n) for n, p in enumerate("ABC", 1)),
        'players = ["A", "B", "C"]\n',
    )
    # From 3, A leaves 2, B takes both, C is stuck: B has won, and B's offset from A is 1.
    assert played.value((3,), 0) == 1
    # From 4, A leaves 3, B leaves 1, C is stuck.
    assert played.value((4,), 0) == 1
    # From 6, A leaves 5, B leaves 3, C takes all, A is stuck: C has won.
    assert played.value((6,), 0) == 2


def test_everyone_prefers_the_winner_soonest_after_himself(game: Any) -> None:
    """Three players, normal play. A move from 1 to 0 wins, and from 2 the mover takes both and wins."""
    played = game(head='players = ["A", "B", "C"]\n')
    assert [played.value((h,), 0) for h in range(1, 4)] == [0, 0, 0]
    assert played.value((1, 1), 0) == 1


def test_grundy_values_need_players_with_the_same_options_at_the_position_and_below(game: Any) -> None:
    played = game(NIM.replace("become", 'where = "m != 2 or mover == A"\nbecome'))
    assert played.grundy((1,)) == 1
    for s in ((2,), (3,), (1, 2)):
        with pytest.raises(IllDefined, match="differ"):
            played.grundy(s)


def test_grundy_values_add_only_where_heaps_are_played_alone(game: Any) -> None:
    """If a move depends on the whole position or on the mover, the sum theorem does not apply.

    It does not apply either if a measure is not a sum over the heaps.
    """
    assert game(KAYLES, sums=True).sums
    assert not game(KAYLES).sums
    for moves, head in (
        (KAYLES.replace("become", 'where = "len(s) < 3"\nbecome'), ""),
        (KAYLES.replace("become", 'where = "mover == A"\nbecome'), ""),
        (KAYLES, 'measure = "sum(s) * sum(s)"\n'),
        (KAYLES.replace("any heap", "a largest heap"), ""),
        (KAYLES.replace("any heap", "each of 1..2 heaps"), ""),
        (KAYLES.replace("any heap h", "any two heaps g, h"), ""),
    ):
        assert not game(moves, head, sums=True).sums, (moves, head)


def test_values_of_sums_are_the_same_with_the_theorem_and_without(game: Any) -> None:
    with_, without = game(KAYLES, sums=True), game(KAYLES)
    for s in ((1, 1), (2, 5), (1, 3, 4), (6,)):
        assert with_.grundy(s) == without.grundy(s)


# B may not take a single object
NOT_ONE = NIM.replace("become", 'where = "m != 1 or mover == A"\nbecome')  # B may not take a single object
LOOP = NIM.replace("1..h", "0..h").replace(
    "become", 'where = "m > 0 or h > 2"\nbecome'
)  # a heap above 2 may stay unchanged
STONE = '[heap]\nv = "0..4"\n{}[[moves]]\nchoose = "any heap h"\nwhere = "h.v > 0"\nbecome = [{{ v = "h.v - 1" }}]\n'


@pytest.mark.parametrize(
    ("question", "args", "answer"),
    [
        ("options", [(2,), 0], ((), (1,))),
        ("options", [(2,), 1], ((),)),
        ("legal", [(2,), (1,), 0], True),
        ("legal", [(2,), (1,), 1], False),
        ("legal", [(2,), (), 1], True),
        ("legal", [(2,), (2,), 0], False),
        ("terminal", [(1,), 0], False),
        ("terminal", [(1,), 1], True),
        ("terminal", [(), 0], True),
        ("wins", [(1,), 0], True),
        ("wins", [(1,), 1], False),
        ("draws", [(1,), 0], False),
        ("draws", [(1,), 1], False),
        ("value", [(1,), 0], 0),
        ("value", [(1,), 1], 1),
        ("grundy", [(1,)], "ill-defined"),
        ("grundy", [()], 0),
        # (1) is {0 | } = 1 to A, and (2) is {0, 1 | 0}, from which A may go to 1 and B to 0
        ("number", [(1,)], 1),
        ("number", [(2,)], "ill-defined"),
        ("mean", [(1,)], 1),
        ("mean", [(2,)], Fraction(1, 2)),
        ("temperature", [(1,)], -1),
        ("temperature", [(2,)], Fraction(1, 2)),
        ("le", [(), (1,)], True),
        ("le", [(1,), ()], False),
        ("le", [(2,), (1, 1)], True),
        ("outcome", [()], "P_position"),
        ("outcome", [(1,)], "first_wins"),
        ("outcome", [(2,)], "N_position"),
    ],
)
def test_what_a_game_answers(game: Any, question: str, args: list[Any], answer: Any) -> None:
    """A takes any number, B any number except 1."""
    try:
        found = ask(game(NOT_ONE), question, args)
    except IllDefined:
        found = "ill-defined"
    assert found == (t.OUTCOMES.index(answer) if question == "outcome" else answer)


@pytest.mark.parametrize(
    ("s", "wins", "draws"), [((), False, False), ((2,), True, False), ((3,), True, False), ((3, 3), False, True)]
)
def test_who_wins_and_who_draws_where_play_may_go_on(game: Any, s: tuple[int, ...], wins: bool, draws: bool) -> None:
    """This is Nim in which a heap above 2 may stay unchanged.

    From (3, 3) both wait, because the player who moves loses.
    """
    played = game(LOOP, 'measure = "none"\n')
    assert (ask(played, "wins", [s, 0]), ask(played, "draws", [s, 0])) == (wins, draws)


@pytest.mark.parametrize("question", ["options", "terminal", "wins", "grundy", "number", "outcome", "le"])
def test_a_question_about_a_heap_that_is_none_has_no_answer(game: Any, question: str) -> None:
    played = game(STONE.format(""), 'measure = "sum(h.v for h in s)"\n')
    bad, good, match = ((5,),), ((2,),), "is not a heap of"
    more = {"options": [0], "terminal": [0], "wins": [0], "le": [good]}.get(question, [])
    with pytest.raises(IllDefined, match=match):
        ask(played, question, [bad, *more])
    assert ask(played, question, [good, *more]) is not None
    if question == "le":
        with pytest.raises(IllDefined, match=match):
            ask(played, question, [good, bad])


def test_a_worth_that_takes_long_play_to_find_is_a_limit(game: Any) -> None:
    with pytest.raises(LimitReached, match="play is too long to find the number"):
        ask(game('[[moves]]\nchoose = "any heap h"\nbecome = ["h - 1"]\n'), "number", [(3000,)])


# -- cases ------------------------------------------------------------------------------------------------------------
SCOPE = '[scope]\ns = { heaps = "0..2", size = "1..3" }\n'


@pytest.mark.parametrize(
    ("variables", "case", "inside"),
    [
        ('x = "2..5"', {"x": 1}, False),
        ('x = "2..5"', {"x": 2}, True),
        ('x = "2..5"', {"x": 5}, True),
        ('x = "2..5"', {"x": 6}, False),
        ('k = "1..3"\nx = "k..2*k"', {"k": 2, "x": 1}, False),
        ('k = "1..3"\nx = "k..2*k"', {"k": 2, "x": 4}, True),
        ('k = "1..3"\nx = "k..2*k"', {"k": 2, "x": 5}, False),
        ('s = "position"', {"s": (1, 2)}, True),
        ('s = "position"', {"s": ()}, True),
        ('s = "position"', {"s": (2, 1)}, False),
        ('s = "position"', {"s": (0, 1)}, False),
        ('s = "position"', {"s": (-1,)}, False),
        ('p = "player"', {"p": 0}, True),
        ('p = "player"', {"p": 1}, True),
        ('p = "player"', {"p": 2}, False),
        ('p = "player"', {"p": -1}, False),
        ("x = { in = [1, 4] }", {"x": 4}, True),
        ("x = { in = [1, 4] }", {"x": 3}, False),
        ("x = { in = [[1, 1], [2]] }", {"x": (2,)}, True),
        ("x = { in = [[1, 1], [2]] }", {"x": (1,)}, False),
        ('x = { in = "range(3, 5)" }', {"x": 4}, True),
        ('x = { in = "range(3, 5)" }', {"x": 5}, False),
        ('x = "subsets of 1..3"', {"x": (1, 3)}, True),
        ('x = "subsets of 1..3"', {"x": (3, 1)}, False),
        ('x = "subsets of 1..3"', {"x": (1, 1)}, False),
        ('x = "subsets of 1..3"', {"x": (0, 1)}, False),
        ('x = "subsets of 1..3"', {"x": (4,)}, False),
    ],
)
def test_what_lies_in_a_domain(judge: Any, variables: str, case: dict[str, Any], inside: bool) -> None:
    scope = SCOPE if variables.startswith("s ") else ""
    assert judge(variables, "True", scope=scope, **case) == ("holds" if inside else "outside")


def test_a_case_is_judged_by_its_hypotheses_first(judge: Any) -> None:
    assert judge('x = "0..9"', "x > 3", "x > 1", x=4) == "holds"
    assert judge('x = "0..9"', "x > 3", "x > 1", x=3) == "fails"
    assert judge('x = "0..9"', "6 // x > 3", "x > 1", x=0) == "hypotheses fail"
    with pytest.raises(IllDefined):
        judge('x = "0..9"', "x > 3", "6 // x > 1", x=0)


def test_a_limit_of_steps_is_a_limit(judge: Any) -> None:
    with pytest.raises(LimitReached):
        judge('x = "0..9"', "sum(i for i in range(50)) == 1225", steps=60, x=0)
    assert judge('x = "0..9"', "sum(i for i in range(50)) == 1225", steps=400, x=0) == "holds"


@pytest.mark.parametrize(
    ("x", "y", "word"),
    [(1, 1, "N_position"), (1, 3, "first_wins"), (3, 1, "second_wins"), (3, 3, "P_position")],
)
def test_outcomes_have_names_for_whoever_wins(tmp_path: Path, x: int, y: int, word: str) -> None:
    """A single heap of 2: A must take at least x, B at least y."""
    rules = NIM.replace("become", 'where = "m >= (x if mover == A else y)"\nbecome')
    (tmp_path / "mine.toml").write_text(
        'format = 1\ntitle = "R"\nplayers = ["A", "B"]\nstuck = "loses"\n'
        f'parameters = {{ x = "1..9", y = "1..9" }}\n{rules}'
    )
    path = tmp_path / "claim.toml"
    path.write_text(
        f'{CLAIM}ruleset = "mine"\n[forall]\nx = "1..9"\ny = "1..9"\n[claim]\n'
        f'then = "outcome(position([2])) == {word}"\n'
    )
    assert Referee(load_claim(path, "claim")).judge({"x": x, "y": y}) == "holds"


# -- cached results ---------------------------------------------------------------------------------------------------
ANY_HEAP = '[[moves]]\nchoose = "any heap h"\n'
BY_MOVER = ANY_HEAP + 'become = ["h - 1 if mover == A else 0"]\n'
BY_POSITION = ANY_HEAP + 'become = ["h - 1 if len(s) == 1 else 0"]\n'
BY_TWO_RULES = ANY_HEAP + 'become = ["h - 1"]\n' + ANY_HEAP + 'become = ["h - 2"]\n'
EACH_HEAP = '[[moves]]\nchoose = "each of 1..2 heaps h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n'


@pytest.mark.parametrize(
    ("moves", "first", "then", "options"),
    [
        (BY_MOVER, ((3,), 0), ((3,), 1), ((),)),
        (BY_MOVER, ((3,), 1), ((3,), 0), ((2,),)),
        (BY_POSITION, ((3,), 0), ((3, 3), 0), ((3,),)),
        (BY_TWO_RULES, ((3,), 0), ((3,), 1), ((1,), (2,))),
        (NIM, ((2,), 0), ((1, 2), 0), ((1,), (2,), (1, 1))),
    ],
)
def test_what_becomes_of_a_heap_is_not_told_of_another_case(
    game: Any, moves: str, first: tuple[Any, int], then: tuple[Any, int], options: tuple[Any, ...]
) -> None:
    played = game(moves)
    played.options(*first)
    assert played.options(*then) == options


@pytest.mark.parametrize("moves", [NIM, KAYLES, EACH_HEAP, BY_MOVER, BY_POSITION])
def test_what_was_found_before_costs_the_same_steps(game: Any, moves: str) -> None:
    """Hence the number of judged cases does not depend on their order."""

    def cost(*before: tuple[int, ...]) -> int:
        played = game(moves)
        for s in before:
            played.options(s, 0)
        left = played.steps.left
        played.options((2, 3, 3), 0)
        return left - played.steps.left

    assert cost() == cost((2,)) == cost((3,), (2, 3)) > 0


@pytest.mark.parametrize("tables", [None, HeapTables()], ids=["played", "with tables"])
def test_what_a_referee_knows_is_given_back_with_him(tables: HeapTables | None) -> None:
    """These are thousands of positions. A cycle of objects would keep them until Python's garbage collector runs."""
    referee = Referee(claim_of("nim/bouton"), tables=tables)
    assert referee.judge({"s": (1, 2, 3)}) == "holds"
    game = ref(referee.game("nim", {"s": (1, 2, 3)}))
    gc.disable()
    try:
        del referee
        assert game() is None
    finally:
        gc.enable()
