"""Moves of one heap with parts as terms over its numbers: all ways together agree with the referee."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from proofs import HEAD, RULES, asked
from random_terms import values_of
from settling import settle_whole

from checks.judgement.scopes import Options
from checks.referee.judge import Referee
from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame
from checks.results.verdicts import Verdict
from checks.results.wording import count_certified
from claims.language.errors import ClaimError
from claims.language.files.library import select
from claims.language.syntax import terms as t
from claims.language.syntax.printing import find_free_names
from claims.language.syntax.terms import INT
from encoders.logic.answer import Decision, RouteResult
from encoders.logic.sequents import integer
from encoders.proving.reading import load_claim
from encoders.rules.one_heap import OneHeapGame, list_names
from encoders.rules.one_heap_terms import NimReader

SECOND = '[[proof.heaps]]\nx = "a"\ny = "b"\nloses = "False"\n[[proof.moves]]'
BOARDS = Path(__file__).parents[3] / "examples" / "boards"
# For each claim the largest number of a heap, and the largest pick.
CLAIMS = {
    "white-knight-mod-4": (6, 1),
    "circular-three-one": (2, 2),
    "euclid-golden": (7, 7),
    "end-nim-two": (4, 4),
    "end-nim-three": (3, 3),
    "circular-four-two": (2, 2),
    "circular-three-two": (2, 2),
    "staircase-three": (2, 4),
    "coins-three": (5, 5),
    "welter-two-lost": (6, 6),
    "chomp-two-rows": (4, 4),
}


def numbers_in(x):
    return tuple(map(numbers_in, x)) if isinstance(x, tuple) else x


@pytest.mark.parametrize("name", CLAIMS)
def test_the_ways_are_the_moves_of_the_referee(name: str) -> None:
    claim = load_claim(BOARDS / f"{name}.toml", name)
    play, referee, (most, picked) = OneHeapGame(claim), Referee(claim), CLAIMS[name]
    game: RefereeGame = referee.game(claim.games[0].name, {})
    moved = 0

    def value(term, env):
        return tuple(value(x, env) for x in term) if isinstance(term, tuple) else game.meanings.evaluate(term, env)

    for form in play.forms:
        names = list(list_names(form, form.heap))
        ways = [way for number in range(len(game.ruleset.moves)) for way in play.list_ways(form, number)]
        for numbers in product(range(most + 1), repeat=len(names)):
            env = dict(zip(names, numbers, strict=True))
            heap = value(form.heap, env)
            game.steps = game.meanings.steps = RefereeSteps(10**6)
            if not game.parts.has(heap):
                continue
            found = set()
            for way in ways:
                more = [x for x in dict.fromkeys(find_free_names(way.met)) if x not in env]
                for choice in product(range(picked + 1), repeat=len(more)):
                    here = {**env, **dict(zip(more, choice, strict=True))}
                    if value(way.met, here):
                        assert value(way.owed, here) and value(way.is_heap, here) and value(way.less, here)
                        found.add((value(way.left, here),))
            assert found == set(game.options((heap,), 0)), heap
            moved += len(found)
    assert moved > 10


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.slow
def test_the_claim_is_proved_with_certificates(name: str) -> None:
    found = settle_whole(select((str(BOARDS / f"{name}.toml"),))[0], Options())
    assert found.verdict is Verdict.PROVED, found.finding.not_established
    certified, number = count_certified([found])
    assert certified == number > 8


NAMED = """measure = "sum(sum(h.c) + h.q for h in s)"
parameters = { k = "0.." }
[heap]
c = "list of 1.."
q = "k.."
p = "0.."
[[moves]]
choose = "any heap h"
pick = { m = "1..h.p" }
become = [{ p = "h.p - m" }]
"""


def test_a_name_has_the_least_bound_of_all_its_numbers(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(RULES + NAMED, "utf-8")
    claim = 'ruleset = "own(k = 0)"\n[forall]\ns = "position"\n[claim]\nif = "len(s) == 1 and len(s[0].c) == 1"\n'
    scope = 'then = "wins(s)"\n[scope]\ns = { c = { length = "1", each = "1" }, q = "0", p = "1" }\n'
    proof = '[proof]\nrule = "one heap"\n[[proof.heaps]]\nc = ["a"]\nq = "x"\np = "y"\nloses = "y == 0"\n'
    more = '[[proof.heaps]]\nc = ["b", "y"]\nq = "a"\np = "z"\nloses = "z == 0"\n'
    path = tmp_path / "claim.toml"
    path.write_text(HEAD + claim + scope + proof + more, "utf-8")
    assert OneHeapGame(load_claim(path, "claim")).list_lows() == {"b": 1, "y": 0, "z": 0}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('y = "y"\nloses', 'y = "x"\nloses', "the name 'x' is taken"),
        ('y = "y"\nloses', 'y = "s"\nloses', "the name 's' is taken"),
        ('y = "y"\nloses', "loses", "no 'y'"),
        ("move = 2", "move = 3", "invalid number 3"),
        ('take = { d = "1 if y', 'take = { e = "1 if y', "does not pick 'e'"),
        ('take = { d = "1 if y % 4 == 0 or y % 4 == 3 else -1" }', "", "the pick d is missing"),
        (
            "[[proof.moves]]",
            '[[proof.heaps]]\nx = "a"\ny = "b"\nloses = "False"\n[[proof.moves]]',
            "a second table for heaps of this form",
        ),
    ],
)
def test_what_the_section_may_not_say(old: str, new: str, words: str, tmp_path: Path) -> None:
    text = (BOARDS / "white-knight-mod-4.toml").read_text("utf-8").partition("[[variants]]")[0]
    assert text.count(old) >= 1
    path = tmp_path / "claim.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    (tmp_path / "white-knight.toml").write_bytes((BOARDS / "rulesets" / "white-knight.toml").read_bytes())
    with pytest.raises(ClaimError, match=re.escape(words)):
        load_claim(path, "claim")


BOUNDED = """measure = "sum(h.n for h in s)"
parameters = { k = "1.." }
[heap]
n = "0.."
[[moves]]
choose = "any heap h"
pick = { m = "1..min(k, h.n)" }
become = [{ n = "h.n - m" }]
"""


@pytest.mark.parametrize(("domain", "proved"), [("2..2", True), ("1..1", False)])
def test_a_take_may_name_an_integer_of_the_claim(tmp_path: Path, domain: str, proved: bool) -> None:
    """The parameter of the game is called k too, but a `take` never refers to it."""
    (tmp_path / "own.toml").write_text(RULES + BOUNDED, "utf-8")
    claim = f'ruleset = "own(k = 2)"\n[forall]\nk = "{domain}"\nn = "0.."\n[claim]\n'
    claim += 'then = "implies(n == 2, wins(position([heap(n)])))"\n[scope]\nn = "0..9"\n'
    proof = '[proof]\nrule = "one heap"\n[[proof.heaps]]\nn = "x"\nloses = "x % 3 == 0"\n'
    first = '[[proof.moves]]\nwhen = "x % 3 == 2"\nmove = 1\ntake = { m = "k" }\n'
    rest = '[[proof.moves]]\nwhen = "True"\nmove = 1\ntake = { m = "x % 3" }\n'
    path = tmp_path / "claim.toml"
    path.write_text(HEAD + claim + proof + first + rest, "utf-8")
    found = settle_whole(select((str(path),))[0], Options())
    assert (found.verdict is Verdict.PROVED) is proved, found.finding.not_established or found.finding.error
    assert proved or "leads to a loss: fails at" in found.finding.not_established


@pytest.mark.parametrize("rule", ["one heap", "places"])
@pytest.mark.parametrize(
    "then",
    [
        "implies(x < y, position([heap(x), heap(y)]) != position([heap(y), heap(x)]))",  # false: they are equal
        "x < 40 or y >= 40 or position([heap(x), heap(y)])[0] == heap(x)",  # false at x = 40, y = 0
        "x != 50 or y != 50 or position([x - y]) != position([])",  # false at x = y = 50
        "implies(x == 50, position([y - x]) == position([y - x]))",  # undefined at x = 50, y = 0
    ],
)
def test_positions_have_no_order_and_no_zeros(tmp_path: Path, then: str, rule: str) -> None:
    (tmp_path / "own.toml").write_text(RULES + BOUNDED, "utf-8")
    claim = f'ruleset = "own(k = 1)"\n[forall]\nx = "0.."\ny = "0.."\n[claim]\nthen = "{then}"\n'
    scope = f'[scope]\nx = "3..4"\ny = "0..1"\n[proof]\nrule = "{rule}"\n'
    heaps = (
        '[[proof.heaps]]\nn = "n"\nloses = "n % 2 == 0"\n[[proof.moves]]\nwhen = "True"\nmove = 1\ntake = { m = "1" }\n'
    )
    path = tmp_path / "claim.toml"
    path.write_text(
        HEAD + claim + scope + (heaps if rule == "one heap" else 'loses = "True"\n[proof.folds]\n'), "utf-8"
    )
    found = settle_whole(select((str(path),))[0], Options())
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "is not supported by rules for heaps with parts" in found.finding.not_established


# -- the lowest binary place ------------------------------------------------------------------------------------------
LIMITED = """measure = "sum(h.n for h in s)"
[heap]
n = "0.."
q = "0.."
[[moves]]
choose = "any heap h"
pick = { m = "1..min(h.n, h.q)" }
become = [{ n = "h.n - m", q = "m" }]
"""
LOST = "a == 0 or 2 ** valuation(a, 2) > b"
LOWEST, STATED = "2 ** valuation(a, 2)", "iff(not wins(position([heap(n, q)])), 2 ** valuation(n, 2) > q)"


def ask_limited(folder: Path, then: str = STATED, loses: str = LOST, take: str = LOWEST, least: int = 1) -> RouteResult:
    """Return the answer about a game in which no player takes more than the player before. The scope is tiny."""
    (folder / "own.toml").write_text(RULES + LIMITED, "utf-8")
    variables, scope = f'[forall]\nn = "{least}.."\nq = "1.."\n', '[scope]\nn = "1..2"\nq = "1..2"\n'
    body = f'ruleset = "own"\n{variables}[claim]\nthen = "{then}"\n{scope}'
    proof = f'[proof]\nrule = "one heap"\n[[proof.heaps]]\nn = "a"\nq = "b"\nloses = "{loses}"\n'
    reply = f'[[proof.moves]]\nwhen = "True"\ntake = {{ m = "{take}" }}\n'
    (folder / "claim.toml").write_text(f"{HEAD}{body}{proof}{reply}", "utf-8")
    return asked(load_claim(folder / "claim.toml", "claim"))


@pytest.mark.parametrize(
    ("then", "take"),
    [
        (STATED, LOWEST),
        (STATED, "a ^ bit_and(a, a - 1)"),
        ("iff(wins(position([heap(n, q)])), n ^ bit_and(n, n - 1) <= q)", LOWEST),
        ("iff(wins(position([heap(n, q)])), 2 ** valuation(0 - n, 2) <= q)", LOWEST),
        ("iff(wins(position([heap(n, q)])), bit_or(n, n - 1) - (n - 1) <= q) and valuation(2 * n, 2) > 0", LOWEST),
    ],
)
def test_who_may_take_the_lowest_binary_place_wins(tmp_path: Path, then: str, take: str) -> None:
    found = ask_limited(tmp_path, then, take=take)
    assert found.decision is Decision.HOLDS, found.detail
    assert all(o.certificate is not None for o in found.obligations)


@pytest.mark.parametrize(
    "changed",
    [
        {"then": STATED.replace("> q", ">= q")},
        {"then": STATED.replace("(n, 2)", "(2 * n, 2)")},
        {"then": STATED.replace("(n, 2)", "(n - 1, 2)")},
        {"then": STATED.replace("2 ** valuation(n, 2)", "valuation(n, 2)")},
        {"then": STATED.replace("> q", "> q and n != 5000")},
        {"then": f"{STATED} and valuation(n, 2) < 60"},
        {"least": 0},  # 2 divides 0 arbitrarily often
        {"loses": "2 ** valuation(a, 2) > b"},
        {"loses": "a == 0 or 2 ** valuation(a, 2) >= b"},
        {"loses": "a == 0 or 2 ** valuation(a, 2) > b + 1"},
        {"loses": "a == 0 or 2 ** valuation(a, 2) > b and a != 5000"},
        {"loses": "a == 0 or 2 ** valuation(a, 2) > b or a == 5001 and b == 4000"},
        {"take": "2 ** valuation(b, 2)"},
        {"take": "2 ** valuation(2 * a, 2)"},
        {"take": "bit_and(a, b)"},
    ],
)
def test_what_is_false_of_the_lowest_binary_place_is_not_proved(tmp_path: Path, changed: dict[str, Any]) -> None:
    found = ask_limited(tmp_path, **changed)
    assert found.decision is Decision.UNKNOWN, found.detail


@pytest.mark.parametrize(
    "power", ["2 ** valuation(n, 3)", "4 ** valuation(n, 2)", "2 ** q", "2 ** (0 - valuation(n, 2))"]
)
def test_other_powers_are_not_read(tmp_path: Path, power: str) -> None:
    found = ask_limited(tmp_path, STATED.replace("2 ** valuation(n, 2)", power))
    assert found.decision is Decision.UNSUPPORTED
    assert f"{power} is not supported by rules for heaps with parts" in found.detail


def test_the_lowest_binary_place_is_read_as_its_value(tmp_path: Path) -> None:
    ask_limited(tmp_path)
    claim = load_claim(tmp_path / "claim.toml", "claim")
    reader = NimReader(claim)
    two, number = integer(2), reader.symbols.integer("x")
    power = t.Operation(INT, 0, 0, "pow", (two, t.Operation(INT, 0, 0, "valuation", (number, two))))
    read = reader.number(power, {"x": number})
    rows = [x for x in range(-70, 70) if x]
    assert [value for (value,) in values_of(read, rows=[{"x": x} for x in rows])] == [x & -x for x in rows]
