"""Values of partizan positions: the referee, who compares all options, canonical forms, and known values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest
from claim_texts import HEAD
from two_games import play_twice

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.referee.meaning import IllDefined, ask
from checks.results.shown import Undrawn
from checks.results.verdicts import Verdict
from claims.language.files.domains import PositionRange, Range, Scope
from claims.language.files.library import LIBRARY, select
from claims.language.files.rulesets import load_ruleset
from encoders.bounded.encoder import decide_by_smt as settle_bounded
from encoders.compute.compound.meaning import Undefined
from encoders.compute.compound.order import rank_position
from encoders.compute.engines import CaseQuery, Shard
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim
from encoders.trust import Trust

BOARDS = Path(__file__).parents[5] / "examples" / "boards" / "rulesets"


def positions(heaps: list) -> list[tuple]:
    chosen = (x for n in (0, 1, 2) for x in combinations_with_replacement(heaps, n))
    return [tuple(sorted(s, key=lambda h: rank_position((h,)))) for s in chosen]


GAMES = {
    "stalks": (BOARDS / "stalks.toml", {}, [(c,) for n in range(1, 4) for c in product((-1, 1), repeat=n)]),
    "domineering": (BOARDS / "domineering.toml", {}, [((1,) * w * h, w) for w in (1, 2, 3) for h in (1, 2)]),
    "toads": (BOARDS / "toads-and-frogs.toml", {}, [(c,) for c in product((-1, 0, 1), repeat=3)]),
    "subtraction": (LIBRARY / "rulesets/partizan-subtraction.toml", {"S": (1, 2), "T": (1, 3)}, list(range(1, 7))),
    "nim": (LIBRARY / "rulesets/nim.toml", {}, [1, 2, 3]),
}


@pytest.mark.parametrize("name", GAMES)
def test_referee_and_canonical_forms_agree(name: str) -> None:
    """For one heap and for two: the referee plays them together, the engine adds their forms."""
    path, parameters, heaps = GAMES[name]
    ruleset = load_ruleset(path)
    referee, played = play_twice(ruleset, parameters, 10**8)
    found = positions(heaps)[: 70 if name == "stalks" else 40]
    for s in found:
        assert referee.worth.temperature(s) == played.answer("temperature", [s]), s
        assert referee.worth.mean(s) == played.answer("mean", [s]), s
        for question in ("left_stop", "right_stop", "birthday"):
            assert ask(referee, question, [s]) == played.answer(question, [s]), (s, question)
        assert referee.worth.find_number(s) == played.worth.games.value_of(played.worth.form(s)), s
    for s, t in product(found[:16], found[-16:]):
        assert referee.worth.is_at_most(s, t) == played.answer("le", [s, t]), (s, t)
        assert referee.worth.is_at_most(t, s) == played.answer("le", [t, s]), (s, t)
        assert ask(referee, "equals", [s, t]) == played.answer("equals", [s, t]), (s, t)


def test_a_number_may_have_options_that_are_none(tmp_path: Path) -> None:
    """1 is a star.

    From 4 both players move to a star, from 3 only Left: {* | *} and {* | } are 0, by the simplicity rule.
    """
    (tmp_path / "game.toml").write_text("""
format = 1
title = "G"
players = ["Left", "Right"]
stuck = "loses"
[[moves]]
choose = "any heap h"
pick = { m = "1..h" }
where = "h - m == (0 if h == 1 else 1) and (h in [1, 4] or (h == 3 and mover == Left))"
become = ["h - m"]
""")
    ruleset = load_ruleset(tmp_path / "game.toml")
    referee, played = play_twice(ruleset, {}, 10**6)
    for s in ((4,), (3,), (1, 1)):
        assert referee.worth.number(s) == played.answer("number", [s]) == 0
    for s in ((1,), (1, 4), (1, 1, 1)):
        with pytest.raises(IllDefined):
            referee.worth.number(s)
        with pytest.raises(Undefined):
            played.answer("number", [s])


ABOUT_ONE = ["number", "mean", "temperature", "left_stop", "right_stop", "birthday"]


@pytest.mark.parametrize("question", ["le", "equals", "cool", "heat", "overheat", "atomic_weight", *ABOUT_ONE])
def test_heaps_that_are_none_are_worth_nothing(question: str) -> None:
    ruleset = load_ruleset(BOARDS / "cutcake.toml")
    referee, played = play_twice(ruleset, {}, 10**6)
    bad, good = ((0, 1),), ((1, 1),)
    two, tax = [[bad, good], [good, bad]], [[bad, 1]]
    for args in {"le": two, "equals": two, "cool": tax, "heat": tax, "overheat": [[bad, 1, 1]]}.get(question, [[bad]]):
        with pytest.raises(Undefined):
            played.answer(question, args)
        with pytest.raises(IllDefined):
            ask(referee, question, args)


def test_heaps_that_are_not_alone_are_no_sum(tmp_path: Path) -> None:
    """Left may clear the last heap, and Right one of two: two heaps have the value {|1} = 0, not twice 1."""
    (tmp_path / "game.toml").write_text("""
format = 1
title = "G"
players = ["Left", "Right"]
stuck = "loses"
[[moves]]
choose = "any heap h"
where = "len(s) == (1 if mover == Left else 2)"
become = []
""")
    ruleset = load_ruleset(tmp_path / "game.toml")
    referee, played = play_twice(ruleset, {}, 10**6)
    for s, number in (((1,), 1), ((1, 1), 0)):
        assert referee.worth.number(s) == played.answer("number", [s]) == number


# -- claims -----------------------------------------------------------------------------------------------------------
STATED = (
    HEAD
    + """ruleset = "nim"
[forall]
s = "position"
[claim]
then = "iff(le(s, position([])), nim_sum(s) == 0)"
[scope]
s = { heaps = "0..6", size = "1..12" }
[define]
"worth(t)" = "mean(t)"
"""
)


@pytest.fixture
def stated(tmp_path: Path) -> Callable:
    def write(text: str) -> Path:
        (tmp_path / "claim.toml").write_text(text)
        return tmp_path / "claim.toml"

    return write


@pytest.mark.parametrize(
    "then",
    [
        "le(s, s)",
        "equals(s, s)",
        "equals(s, '*')",
        "worth(s) == 0",
        "all(temperature(t) >= 0 for t in options(s))",
        *(f"{x}(s) == 0" for x in ABOUT_ONE),
    ],
)
def test_no_other_route_is_asked(stated: Callable, then: str) -> None:
    """This includes a call inside a definition, in a scope that would otherwise use bits."""
    claim = load_claim(stated(STATED.replace("iff(le(s, position([])), nim_sum(s) == 0)", then)), "claim")
    assert claim.goes_case_by_case
    assert "it asks about" in claim.unusual
    large: Scope = {"s": PositionRange(Range(0, 4), Range(1, 63))}
    assert CaseQuery(
        load_claim(stated(STATED.replace("le(s, position([]))", "wins(s)")), "claim"), Shard(large, None)
    ).bits
    assert CaseQuery(claim, Shard(large, None)).bits is None
    assert settle_bounded(claim, claim.scope("quick")).decision is Decision.UNSUPPORTED
    proof = STATED.replace("[define]", '[proof]\nrule = "folds"\n[proof.folds]\nX = "nim_sum(s)"\n[define]')
    assert prove(load_claim(stated(proof), "claim")).decision is Decision.UNSUPPORTED


def test_what_has_no_number_has_no_truth_value(stated: Callable) -> None:
    """A star is not a number, so the claim does not pass; with a condition that excludes it, the claim holds."""
    small = STATED.replace('"0..6", size = "1..12"', '"0..2", size = "1..3"')
    then = "iff(le(s, position([])), nim_sum(s) == 0)"
    (entry,) = select((str(stated(small.replace(then, "number(s) == 0"))),))
    result = settle_entry(entry, Options())
    assert not result.verdict.holds
    assert result.verdict is not Verdict.REFUTED
    (entry,) = select((str(stated(small.replace(then, "implies(temperature(s) < 0, number(s) == 0)"))),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.VERIFIED
    assert result.finding.trusted == (str(Trust.CANONICAL_FORMS),)


def test_a_false_order_is_refuted_at_the_smallest_pair(stated: Callable) -> None:
    """A star is not comparable with 0."""
    text = STATED.replace("iff(le(s, position([])), nim_sum(s) == 0)", "le(s, t) or le(t, s)")
    text = text.replace('s = "position"', 's = "position"\nt = "position"')
    bounds = '{ heaps = "0..1", size = "1..2" }'
    text = text.replace('s = { heaps = "0..6", size = "1..12" }', f"s = {bounds}\nt = {bounds}")
    (entry,) = select((str(stated(text)),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.REFUTED
    assert dict(result.finding.counterexample.variables) == {"s": (), "t": (1,)}


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("left_stop(position([1])) > 0", "the left stop of (1) is 0, not greater than 0"),
        ("right_stop(position([1])) < 0", "the right stop of (1) is 0, not less than 0"),
        ("birthday(position([1])) == 2", "the birthday of (1) is 1, not 2"),
        ("mean(position([1])) == 1", "the mean value of (1) is 0, not 1"),
        ("temperature(position([1, 1])) >= 0", "the temperature of (1, 1) is -1, not at least 0"),
        ("number(position([1, 1])) > 0", "the number of (1, 1) is 0, not greater than 0"),
        ("le(position([1]), position([]))", "(1) ≰ () as games"),
        ("le('*2', position([1]))", "*2 ≰ (1) as games"),
        ("equals(position([1]), '^*')", "(1) ≠ ↑* as games"),
        ("not equals('*3', position([1, 2]))", "*3 = (1, 2) as games"),
        ("equals(cool(position([2]), 1 / 2), '*2')", "cool((2), 1/2) ≠ *2 as games"),
        ("le(atomic_weight(position([1, 2])), '-1')", "atomic_weight((1, 2)) ≰ -1 as games"),
        ("equals(heat(cool('*', 0), 1), position([]))", "heat(cool(*, 0), 1) ≠ () as games"),
        ("le(overheat('1', '^', 1), position([]))", "overheat(1, ↑, 1) ≰ () as games"),
    ],
)
def test_what_fails_is_told_in_words(stated: Callable, then: str, said: str) -> None:
    text = STATED.replace("iff(le(s, position([])), nim_sum(s) == 0)", then)
    text = text.replace('[forall]\ns = "position"\n', "").partition("[scope]")[0]
    (entry,) = select((str(stated(text)),))
    result = settle_entry(entry, Options())
    assert result.verdict is Verdict.REFUTED
    assert [line.text for line in result.finding.counterexample.explanation][-1] == said


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        # the square of four is {1 | -1}
        ("left_stop(board(4, 2)) == 1 and right_stop(board(4, 2)) == -1", True),
        ("left_stop(board(4, 2)) == right_stop(board(4, 2))", False),
        # a number is its own stop
        ("left_stop(board(3, 1)) == 1 and right_stop(board(3, 1)) == 1", True),
        # four dominoes fit on three squares by three, but the value is {1 | -1}
        ("birthday(board(9, 3)) == 2", True),
        ("birthday(board(9, 3)) == 4", False),
        # in a column of three squares, only Left has a move, and no second one
        ("birthday(board(3, 1)) == 1 and birthday(board(0, 1)) == 0", True),
    ],
)
def test_stops_and_birthdays_are_of_values_not_of_play(stated: Callable, then: str, holds: bool) -> None:
    board = '"board(n, w)" = "position([heap([1 for i in range(n)], w)])"'
    path = stated(HEAD + f'ruleset = "domineering"\n[define]\n{board}\n[claim]\nthen = "{then}"\n')
    (path.parent / "domineering.toml").write_text((BOARDS / "domineering.toml").read_text())
    (entry,) = select((str(path),))
    assert settle_entry(entry, Options()).verdict is (Verdict.PROVED if holds else Verdict.REFUTED)


@pytest.mark.parametrize(
    ("game", "then", "holds"),
    [
        ("domineering", "equals(cool(board(4, 2), 1), '*')", True),
        ("domineering", "equals(cool(board(6, 3), 1 / 2), '{3/2|0}')", True),
        # cooled by more than its temperature, a game is its mean; by the rule below it, {2 - 2 | -1/2 + 2} would be 1
        ("domineering", "equals(cool(board(6, 3), 2), '3/4')", True),
        ("domineering", "equals(cool(board(6, 3), 2), '1')", False),
        # a number does not change; {0 - 1 | } would be 0
        ("domineering", "equals(cool(board(3, 1), 1), '1')", True),
        ("domineering", "equals(cool(board(3, 1), 1), '0')", False),
        # the tax is paid by both players, and by each move
        ("domineering", "equals(cool(board(4, 2), 1 / 2), '{1/2|-1}')", False),
        ("domineering", "equals(cool(board(4, 2), 1 / 2), '+-1')", False),
        ("domineering", "le('1/4', cool(board(6, 3), 1)) and not le('1', cool(board(6, 3), 1))", True),
        ("domineering", "equals(cool(board(4, 2), 1), cool(board(4, 2) + board(6, 3) + board(3, 1), 5))", False),
        # heated by 1, star is the square of four; each move gains, and a number gains nothing
        ("domineering", "equals(board(4, 2), heat('*', 1)) and equals(board(6, 3), heat('3/4*', 5 / 4))", True),
        ("domineering", "equals(board(4, 2), heat('*', 1 / 2)) or equals(heat(board(3, 1), 1), '2')", False),
        ("domineering", "equals(heat(cool(board(4, 2), 1), 1), board(4, 2))", True),
        ("domineering", "equals(heat(cool(board(4, 2), 2), 2), board(4, 2))", False),
        ("domineering", "equals(overheat(board(3, 1), '1*', 1), '1*') and equals(heat(board(3, 1), '1*'), '1')", True),
        ("domineering", "equals(overheat(board(3, 1), 1, '1*'), '1*')", False),
        ("domineering", "equals(heat(board(4, 2), -1), '*') or True", None),
        ("domineering", "equals(heat(board(4, 2), 1 / 3), '*') or True", None),
        ("domineering", "equals(overheat(board(4, 2), 1 / 3, 1), '*') or True", None),
        (
            "clobber",
            "equals(heat(row(2), 1), '{1||0|-2}') and equals(atomic_weight(cool(heat(row(2), 1), 1)), '1')",
            True,
        ),
        ("clobber", "equals(heat(row(2), 1), '1 + +-1')", False),
        # no value
        ("domineering", "equals(cool(board(4, 2), -1), '*')", None),
        ("domineering", "equals(cool(board(4, 2), 1 / 3), '*') or len(board(4, 2)) == 1", None),
        ("domineering", "equals(atomic_weight(board(4, 2)), '1') or True", None),
        # {-2 | 2} is the integer 0, but up is above the remote star
        ("clobber", "equals(atomic_weight(row(2)), '1') and equals(atomic_weight(row(4)), '3')", True),
        ("clobber", "equals(atomic_weight(row(2)), '0')", False),
        ("clobber", "equals(atomic_weight(row(1)), '0') and not equals(row(1), '0')", True),
        # an atomic weight of 1 does not mean up
        ("clobber", "equals(atomic_weight(row(1) + row(2)), '1') and not equals(row(1) + row(2), '^')", True),
        ("clobber", "equals(row(1) + row(2), '^')", False),
    ],
)
def test_cooled_games_and_atomic_weights_in_claims(stated: Callable, game: str, then: str, holds: bool | None) -> None:
    board = '"board(n, w)" = "position([heap([1 for i in range(n)], w)])"'
    row = '"row(n)" = "position([heap([1 for i in range(n)] + [-1], n + 1)])"'
    used = board if game == "domineering" else row
    path = stated(HEAD + f'ruleset = "{game}"\n[define]\n{used}\n[claim]\nthen = "{then}"\n')
    (path.parent / f"{game}.toml").write_text((BOARDS / f"{game}.toml").read_text())
    (entry,) = select((str(path),))
    expected = {True: Verdict.PROVED, False: Verdict.REFUTED, None: Verdict.ERROR}[holds]
    assert settle_entry(entry, Options()).verdict is expected


@pytest.mark.parametrize("holds", [True, False])
def test_the_games_of_a_claim_can_be_compared(stated: Callable, holds: bool) -> None:
    """In the second game, Left takes one or two objects and Right takes one, so a heap of 2 is {0, star | star}."""
    compared = "nim.equals(part.cool(position([2]), 0), '{0,*|*}') and not nim.equals(part.cool(s, 0), nim.cool(s, 0))"
    text = (
        HEAD
        + f"""[forall]
s = {{ in = [[2]] }}
[games]
nim = "nim"
part = "partizan-subtraction(S = {{1, 2}}, T = {{1}})"
[claim]
then = "{compared if holds else compared.replace("{0,*|*}", "*2")}"
"""
    )
    (entry,) = select((str(stated(text)),))
    assert settle_entry(entry, Options()).verdict is (Verdict.PROVED if holds else Verdict.REFUTED)


def test_a_picture_of_what_positions_are_worth_says_why_it_is_not_drawn(stated: Callable) -> None:
    """The claim itself is one that other routes support."""
    text = STATED.replace("iff(le(s, position([])), nim_sum(s) == 0)", "iff(wins(s), nim_sum(s) != 0)")
    text = text.replace('"0..6", size = "1..12"', '"0..2", size = "1..3"')
    value = "2 if temperature(position([x])) < 0 else 0"
    text += f'[[pictures]]\nkind = "values"\ntitle = "V"\nheaps = "0..6"\nvalue = "{value}"\n'
    (entry,) = select((str(stated(text)),))
    (undrawn,) = settle_entry(entry, Options()).presentation.pictures
    assert undrawn == Undrawn("V", "temperature is computed case by case, not on arrays")
