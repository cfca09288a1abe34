"""Ruleset files as frozen rulesets. The referee's tests cover the meaning of moves."""

import pytest

from claims.language.errors import ClaimError
from claims.language.files.domains import IntervalDomain
from claims.language.files.library import LIBRARY
from claims.language.files.rulesets import Parameter, load_ruleset
from claims.language.syntax.printing import print_term
from claims.language.syntax.terms import Literal, Variable

HEAD = """format = 1
title = "Test"
players = ["A", "B"]
parameters = { k = "2..9", S = "set", L = "list" }
stuck = "loses"
"""
MOVE = """
[[moves]]
choose = "any heap h"
pick = { m = "1..h" }
become = ["h - m"]
"""


@pytest.fixture
def ruleset(tmp_path):
    def load(text):
        path = tmp_path / "test.toml"
        path.write_text(text, "utf-8")
        return load_ruleset(path)

    return load


# name: (players, parameters, stuck wins, impartial, single heap)
SHIPPED = {
    "nim": (("P1", "P2"), "", False, True, True),
    "misere-nim": (("P1", "P2"), "", True, True, True),
    "kl-nim": (("P1", "P2"), "k l", False, False, True),
    "bash-nim": (("A", "B"), "k", False, True, True),
    "large-nim": ((), "n", True, True, True),
    "subtraction": (("P1", "P2"), "S", False, True, True),
    "wythoff": (("P1", "P2"), "", False, True, False),
    "cyclic-nimhoff": (("P1", "P2"), "", False, True, False),
    "moore": (("P1", "P2"), "w", False, True, False),
    "misere-moore": (("P1", "P2"), "w", True, True, False),
    "half-nim": (("A", "B"), "", False, True, True),
    "greedy-nim": (("P1", "P2"), "", False, True, True),
    "misere-greedy-nim": (("P1", "P2"), "", True, True, True),
    "small-nim": (("P1", "P2"), "", False, True, True),
    "antonim": (("P1", "P2"), "", False, True, False),
    "cutting": (("P1", "P2"), "", False, True, False),
    "slow-nim": (("P1", "P2"), "", False, True, False),
    "whole-heaps": (("P1", "P2"), "t", False, True, True),
    "min-nim": (("P1", "P2"), "", False, True, False),
    "squarefree": (("P1", "P2"), "", False, True, True),
    "digit-sum": (("P1", "P2"), "", False, True, True),
    "mark": (("P1", "P2"), "t", False, True, True),
    "upmark": (("P1", "P2"), "", False, True, True),
    "misere-bash-nim": (("A", "B"), "k", True, True, True),
    "kayles": (("P1", "P2"), "", False, True, False),
    "octal": (("P1", "P2"), "code", False, True, False),
    "misere-octal": (("P1", "P2"), "code", True, True, False),
    "hexadecimal": (("P1", "P2"), "code", False, True, False),
    "all-but": (("P1", "P2"), "X", False, True, True),
    "misere-subtraction": (("P1", "P2"), "S", True, True, True),
    "n-player-subtraction": ((), "n S", False, True, True),
    "partizan-subtraction": (("Left", "Right"), "S T", False, False, True),
}


def test_every_shipped_ruleset_is_in_the_table():
    assert set(SHIPPED) == {p.stem for p in (LIBRARY / "rulesets").glob("*.toml")}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_rulesets(name):
    found = load_ruleset(LIBRARY / "rulesets" / f"{name}.toml")
    parameters = " ".join(p.name for p in found.parameters)
    row = (found.players, parameters, found.stuck_wins, found.impartial, found.single_heap)
    assert row == SHIPPED[name]
    assert found.id == name
    assert found.player_count == ("" if found.players else "n")


def test_parameters(ruleset):
    k, s, l = ruleset(HEAD + MOVE).parameters
    assert (k, s, l) == (Parameter("k", "int", 2, 9), Parameter("S", "set"), Parameter("L", "list"))
    assert [k.domain, s.domain, l.domain] == ["2..9", "set", "list"]
    assert [k.admits(x) for x in (1, 2, 9, 10)] == [False, True, True, False]
    assert Parameter("n", "int", 1).admits(10**30)
    assert Parameter("n", "int", 1).domain == "1.."


@pytest.mark.parametrize(
    ("choose", "kind", "heaps"),
    [
        ("any heap h", "any", ("h",)),
        ("a largest heap g", "largest", ("g",)),
        ("a smallest heap g", "smallest", ("g",)),
        ("any two heaps g, h", "any", ("g", "h")),
        ("any three heaps f, g,h", "any", ("f", "g", "h")),
        ("any four heaps a, b, c, d", "any", ("a", "b", "c", "d")),
        ("each of 1..k heaps h", "each", ("h",)),
    ],
)
def test_choices(ruleset, choose, kind, heaps):
    first = heaps[0]
    move = ruleset(f'{HEAD}\n[[moves]]\nchoose = "{choose}"\nbecome = ["{first} - 1"]\n').moves[0]
    assert (move.choose, move.heaps, move.picks, move.where) == (kind, heaps, (), None)
    assert isinstance(move.at_most, Variable if kind == "each" else type(None))
    assert isinstance(move.at_least, Literal if kind == "each" else type(None))


def test_picks_may_use_heaps_parameters_and_earlier_picks(ruleset):
    move = ruleset(
        HEAD + '\n[[moves]]\nchoose = "any heap h"\npick = { a = "1..min(k, h)", b = "S", c = "a..h" }\nbecome = []\n'
    )
    a, b, c = move.moves[0].picks
    assert isinstance(a.domain, IntervalDomain)
    assert isinstance(b.domain, Variable)
    assert c.domain.lo.name == "a"
    assert move.moves[0].become == ()


def where(text):
    return HEAD + MOVE.replace("become", f'where = "{text}"\nbecome')


@pytest.mark.parametrize(
    ("text", "impartial", "sees_position"),
    [
        (HEAD + MOVE, True, False),
        (where("m != k"), True, False),
        (where("mover == A"), False, False),
        (where("m in s"), True, True),
        (where("any(mover == B for s in [1])"), False, False),  # this s is not the position
        (HEAD + 'measure = "sum(s) + len(s)"\n' + MOVE, True, False),
    ],
)
def test_what_the_moves_look_at(ruleset, text, impartial, sees_position):
    found = ruleset(text)
    assert (found.impartial, found.sees_position) == (impartial, sees_position)


def test_a_definition_stands_for_its_text(ruleset):
    """A definition sees parameters, players, mover and position, but not the names of the move that calls it."""
    head = (
        HEAD
        + """[define]
"small(x)" = "x <= k"
"fits(x)" = "small(x) and (x in S or mover == B)"
alone = "len(s) == 1"
"""
    )
    found = ruleset(head + MOVE.replace("become", 'where = "fits(m) or alone"\nbecome'))
    plain = ruleset(where("m <= k and (m in S or mover == B) or len(s) == 1"))
    assert print_term(found.moves[0].where, ("A", "B")) == print_term(plain.moves[0].where, ("A", "B"))
    assert (found.impartial, found.sees_position) == (plain.impartial, plain.sees_position) == (False, True)
    called = ruleset(head + MOVE.replace("become", 'where = "small(m)"\nbecome'))
    assert (called.impartial, called.sees_position) == (True, False)


def test_only_definitions_that_are_closed_are_offered_to_claims(ruleset):
    found = ruleset(
        HEAD
        + """[define]
"half(x)" = "x // 2"
"third(x)" = "half(x) + 1"
"low(x)" = "x < k"
"lower(x)" = "low(x) or x == 1"
"who(x)" = "mover == A and x > 0"
"all_of(k)" = "k + 1"
"on(s)" = "len(s)"
"""
        + MOVE
    )
    assert set(found.definitions) == {"half", "third", "all_of", "on"}


def test_the_fast_path_serves_no_measure_of_its_own(ruleset):
    assert ruleset(HEAD + MOVE).single_heap
    assert not ruleset(HEAD + 'measure = "sum(s)"\n' + MOVE).single_heap
    assert not ruleset(where("m in s")).single_heap
    assert not ruleset(HEAD + MOVE.replace('["h - m"]', '["m", "h - m"]')).single_heap
    assert not ruleset(HEAD + MOVE + MOVE.replace("any heap h", "any two heaps g, h")).single_heap


def test_facts(ruleset):
    facts = ruleset(HEAD.replace('"loses"', '"wins"') + MOVE).facts
    assert (facts.ruleset, facts.players, facts.impartial, facts.normal) == ("test", ("A", "B"), True, False)


def test_a_mover_of_n_players_is_a_number(ruleset):
    text = HEAD.replace('["A", "B"]', '"k"')
    assert ruleset(text + MOVE.replace("become", 'where = "mover < k - 1"\nbecome')).player_count == "k"
    with pytest.raises(ClaimError, match="type mismatch: a Player and an Int"):
        ruleset(where("mover == 0"))


SPLIT = """
[[moves]]
choose = "any heap h"
pick = { a = "1..h // 2" }
become = ["a", "h - a"]
"""
MERGE = """
[[moves]]
choose = "any three heaps f, g, h"
become = ["f + g + h - 1"]
"""


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        (MOVE, None),
        (SPLIT, "2 * sum(s) - len(s)"),
        (MOVE + SPLIT, "2 * sum(s) - len(s)"),
        (SPLIT.replace('"a"', '"a + k"').replace("h - a", "h - k - a"), "2 * sum(s) - len(s)"),
        (SPLIT.replace("h - a", "h - a - 1"), None),
        (SPLIT.replace("h - a", "h * 1 - a"), None),  # not syntactically
        (SPLIT.replace('"a", "h - a"', '"h"'), None),
        # three heaps become one: the objects become fewer, although twice the objects minus the heaps stays equal
        (SPLIT + MERGE, None),
        (SPLIT.replace("any heap", "each of 1..2 heaps"), None),
        ('measure = "sum(h * h for h in s)"' + SPLIT, "sum(h * h for h in s)"),
    ],
)
def test_where_a_heap_is_split_whole_both_taking_and_splitting_decrease_the_measure(ruleset, moves, found):
    measure = ruleset(HEAD + moves).measure
    assert (None if measure is None else print_term(measure)) == found
