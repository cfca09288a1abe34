"""The normal form of a game against the original, both played by the referee: the same options everywhere."""

import tempfile
from pathlib import Path

import pytest
from boards import loaded, positions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_rulesets import Written, rulesets

from checks.referee.meaning import IllDefined, RefereeSteps
from checks.referee.play import RefereeGame
from claims.language.files import claim
from claims.language.files.rulesets import Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.terms import INT
from encoders.rules.base.normal_form import normal_game

FIXED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
SOME = FIXED.max_examples // 2
HEAD = 'format = 1\ntitle = "t"\nplayers = ["A", "B"]\nstuck = "loses"\n'
SET, NAMES = 'parameters = { S = "set" }\n', 'parameters = { h2 = "1..", m2 = "1.." }\n'
ONE, TWO = '[[moves]]\nchoose = "any heap h"\n', '[[moves]]\nchoose = "any two heaps g, h"\n'
EACH = '[[moves]]\nchoose = "each of {} heaps h"\n'
LESS, BOTH = 'become = ["h - m"]\n', 'become = ["g - m", "h - m"]\n'
WRITTEN = {
    "each of one or two": EACH.format("1..2") + 'pick = { m = "1..1" }\n' + LESS,
    "each of up to three": EACH.format("1..3") + 'pick = { m = "1..h" }\n' + LESS,
    "each of none": EACH.format("0..1") + 'pick = { m = "1..h" }\n' + LESS,
    "each of two, with a condition": EACH.format("2..2")
    + 'pick = { m = "1..h", l = "0..m" }\nwhere = "m != 2 or l == 1"\n'
    + LESS,
    "each of some, ill-defined": EACH.format("2..3") + 'pick = { m = "1..h" }\nwhere = "6 // (h - 3) >= m"\n' + LESS,
    "each of two, ill-defined where the other may not be moved": EACH.format("2..2")
    + 'pick = { m = "1..h" }\nwhere = "h % 2 == 0"\nbecome = ["h // (h - 2) - m"]\n',
    "each of some, by the mover": EACH.format("1..2")
    + 'pick = { m = "1..2" }\nwhere = "m <= h and (m == 1 or mover == A)"\n'
    + LESS,
    "names that are taken": NAMES + EACH.format("1..2") + 'pick = { m = "1..min(h, h2 + m2)" }\n' + LESS,
    "a bound that divides": TWO + 'pick = { m = "1..min(g, h // 2)" }\nbecome = ["g - m", "h - 2 * m"]\n',
    "two bounds that divide": TWO + 'pick = { m = "1..min(g, h // 2, (g + h) // 3)" }\n' + BOTH,
    "a lower bound that divides": ONE + 'pick = { m = "max(1, h // 2)..h" }\n' + LESS,
    "a lower bound that divides by 3": ONE + 'pick = { m = "max(1, (2 * h - 1) // 3)..h" }\n' + LESS,
    "an ill-defined bound": TWO + 'pick = { m = "1..min(g, (12 // (h - 4)) // 2)" }\nbecome = ["g - m", "h"]\n',
    "an ill-defined bound of no number": TWO
    + 'pick = { m = "1..min(g - 1, (12 // (h - 4)) // 2)" }\nbecome = ["g - m", "h"]\n',
    "a bound of a later number": TWO
    + 'pick = { m = "1..min(g, h // 2)", l = "0..min(h, (h - m) // 2)" }\nwhere = "m != l"\n'
    + 'become = ["g - m", "h - l"]\n',
    "a bound that guards a condition": TWO
    + 'pick = { m = "1..min(g, h // 2)" }\nwhere = "6 // (h // 2 - m + 1) >= 1"\nbecome = ["g - m", "h"]\n',
    "a bound that guards a later bound": TWO
    + 'pick = { m = "1..min(g, h // 2)", l = "0..6 // (h // 2 - m + 1)" }\nwhere = "l <= h"\n'
    + 'become = ["g - m", "h - l"]\n',
    "a condition that guards another": ONE + 'pick = { m = "1..h" }\nwhere = "h != 3 and 6 // (h - 3) >= m"\n' + LESS,
    "a condition that guards what is left": ONE
    + 'pick = { m = "1..h" }\nwhere = "m < h"\nbecome = ["h - m - 6 // h + 6 // h"]\n',
    "a set": SET + ONE + 'pick = { m = "S" }\nwhere = "m <= h and m >= 1"\n' + LESS,
    "a set, and less is left": SET + ONE + 'pick = { m = "S" }\nwhere = "m < h and m >= 0"\nbecome = ["h - m - 1"]\n',
    "a set in a condition": SET + ONE + 'pick = { m = "1..h" }\nwhere = "m in S or not (h in S)"\n' + LESS,
    "a set by the mover": SET + ONE + 'pick = { m = "1..h" }\nwhere = "m in S if mover == A else m not in S"\n' + LESS,
    "a set, ill-defined": SET + ONE + 'pick = { m = "1..h" }\nwhere = "6 // (h - 3) in S or m == 1"\n' + LESS,
    "what is left by a case": ONE + 'pick = { m = "1..h" }\nbecome = ["h - m if m % 2 == 0 else h - 1"]\n',
    "what is left by a least": TWO + 'pick = { m = "1..g" }\nbecome = ["g - m", "min(h, g - m)"]\n',
    "a bound by a case": ONE + 'pick = { m = "1..(h if h < 3 else 2)" }\n' + LESS,
    "the number of heaps": TWO + 'pick = { m = "1..h // 2" }\nwhere = "len(s) == 2"\nbecome = ["g", "h - m"]\n',
    "the number of heaps, or not": TWO
    + 'pick = { m = "1..h" }\nwhere = "len(s) == 3 or m == 1"\nbecome = ["g", "h - m"]\n',
    "the number of heaps of one": ONE + 'pick = { m = "1..h" }\nwhere = "len(s) >= 2 or m == 1"\n' + LESS,
    "heaps that differ": TWO + 'pick = { m = "1..min(g, h)" }\nwhere = "g != h"\n' + BOTH,
}


def said(game: RefereeGame, s: tuple[int, ...], mover: int) -> object:
    try:
        return game.options(s, mover)
    except IllDefined:
        return "ill-defined"


def agree(
    ruleset: Ruleset, values: dict[str, object], most: int | None, heaps: int, size: int, named: bool = False
) -> bool:
    """Check that both have the same options, and that a normal form is its own normal form.

    Returns whether the normal form differs from the original.
    `named`: the members of sets are variables of the claim, not literals.
    """
    arguments, given = [], {}
    for p in ruleset.parameters:
        value = values[p.name]
        numbers: tuple[t.Term, ...] = tuple(
            t.Literal(INT, 0, 0, x) for x in (value if isinstance(value, tuple) else (value,))
        )
        if named and isinstance(value, tuple):
            given |= {f"{p.name}{i}": x for i, x in enumerate(value)}
            numbers = tuple(t.Variable(INT, 0, 0, f"{p.name}{i}") for i in range(len(value)))
        arguments.append((p.name, t.Collection(p.type, 0, 0, numbers) if isinstance(value, tuple) else numbers[0]))
    game = claim.Game("mine", ruleset, tuple(arguments))
    found = normal_game(game, most)
    assert normal_game(found, most) is found
    own = {name: given[x.name] for name, x in found.arguments if isinstance(x, t.Variable) and x.name in given}
    written, normal = (RefereeGame(x.ruleset, {**values, **own}, RefereeSteps(10**9)) for x in (game, found))
    for s in positions(most or heaps, size):
        for mover in range(written.players):
            assert said(written, s, mover) == said(normal, s, mover), (s, mover)
    return found is not game


@pytest.mark.parametrize("most", [None, 2, 3])
@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.slow
def test_each_way_to_write_a_move(name: str, most: int | None, tmp_path: Path) -> None:
    ruleset = loaded(HEAD + WRITTEN[name], tmp_path)
    for members in ((1, 3), (), (-1, 0, 2)):
        agree(ruleset, {"S": members, "h2": 1, "m2": 1}, most, 2, 6)
        if not ruleset.parameters:
            break


@pytest.mark.parametrize("name", [name for name, rules in WRITTEN.items() if rules.startswith(SET)])
def test_members_of_a_set_that_are_no_numbers(name: str, tmp_path: Path) -> None:
    """Each member is a separate parameter; two may be equal."""
    ruleset = loaded(HEAD + WRITTEN[name], tmp_path)
    for members in ((1, 3), (2, 0, 2), (4,)):
        assert agree(ruleset, {"S": members}, None, 2, 6, named=True)


@pytest.mark.slow
def test_random_rulesets_and_their_normal_forms() -> None:
    """Many of these normal forms differ from the original."""
    changed: list[bool] = []

    @settings(FIXED, max_examples=SOME)
    @given(rulesets(bad=True), st.sampled_from([None, 1, 2, 3]))
    def check(written: Written, most: int | None) -> None:
        with tempfile.TemporaryDirectory() as folder:
            ruleset = loaded(written.text, Path(folder))
        for values in written.parameters[:2]:
            changed.append(agree(ruleset, dict(zip(written.names, values, strict=True)), most, 2, 5))

    check()
    assert sum(changed) * 4 > len(changed)
