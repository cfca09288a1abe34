"""Two files with the same game have the same normal form, and the same [proof] proves claims about both."""

from pathlib import Path

import pytest
from proofs import ANY, BOUTON, BY_ONE, NIM, TWO_HEAPS, asked, written

from claims.language.files.claim import Game
from encoders.logic.answer import Decision, RouteResult
from encoders.rules.base.normal_form import canonical_key
from encoders.rules.normal import normal_claim

ONE, TWO = '[[moves]]\nchoose = "any heap h"\n', '[[moves]]\nchoose = "any two heaps g, h"\n'
LESS = 'become = ["h - m"]\n'
EQUALISE = 'become = ["g - m", "h - 2 * m"]\n'
PAIR = '[forall]\nx = "0.."\ny = "0.."\n[scope]\nx = "0..2"\ny = "0..2"\n'
HEAP = '[forall]\nn = "0.."\n[scope]\nn = "0..2"\n'

OF_NIM = (ANY + "[proof]" + BOUTON, "iff(not wins(s), nim_sum(s) == 0)")
OF_MOVES = (
    ANY + '[proof]\nrule = "folds"\n',
    "all(count(h > 5 for h in t) <= count(h > 5 for h in s) for t in options(s))",
)
BY_THREE = """[proof]
rule = "grundy"
heap = "3*q + r"
value = "r"
below = "3*w + v"
[proof.digits]
q = "0.."
r = "0..2"
[proof.below_digits]
w = "0.."
v = "0..2"
[proof.lemmas]
"it is small" = "w == 0"
[[proof.options]]
digits = { q = "q", r = "v" }
take = { m = "h - y" }
[[proof.at]]
heap = "n"
digits = { q = "n // 3", r = "n % 3" }
"""
UP_TO_TWO = (HEAP + BY_THREE, "grundy(position([n])) == n % 3")
OF_HALF = (
    """[forall]
x = "1.."
y = "1.."
[scope]
x = "1..1"
y = "1..1"
[proof]
rule = "folds"
[[proof.moves]]
when = "True"
heap = "any"
take = { m = "x - y" }
to = "anywhere"
""",
    "iff(legal(position([x]), position([y])), y < x and 2 * y >= x)",
)
EQUAL_HEAPS = (PAIR + TWO_HEAPS, "iff(wins(position([x, y])), x != y)")
CLEARED = """[proof]
rule = "few heaps"
heaps = ["a", "b"]
[proof.loses]
mover = "b == 0"
[[proof.moves]]
when = "a == 0 and b > 0"
heaps = ["b"]
take = { m = "b" }
[[proof.moves]]
when = "a > 0"
heaps = ["a", "b"]
take = { m = "a", m2 = "b" }
"""
ALL_AT_ONCE = (PAIR + CLEARED, "iff(wins(position([x, y])), x + y > 0)")
BY_PARITY = """[proof]
rule = "few heaps"
heaps = ["a", "b"]
[proof.loses]
mover = "(a + b) % 3 == 0"
[[proof.moves]]
when = "(a + b) % 3 == 1"
heaps = ["b"]
take = { m = "1" }
[[proof.moves]]
when = "(a + b) % 3 == 2 and a >= 1"
heaps = ["a", "b"]
take = {}
[[proof.moves]]
when = "(a + b) % 3 == 2 and a == 0"
heaps = ["b"]
take = { m = "2" }
"""
BY_ONE_OR_TWO = (PAIR + BY_PARITY, "iff(wins(position([x, y])), (x + y) % 3 != 0)")
CLEAR_BOTH = TWO + 'where = "g >= 1"\nbecome = ["g - 1", "h - 1"]\n'
FROM_ONE = ONE + 'pick = { m = "1..min(2, h)" }\n' + LESS
TAKE = NIM.split("become", maxsplit=1)[0]

PAIRS = {
    "the name of the heap": (
        OF_NIM, NIM, NIM.replace("heap h", "heap n").replace("1..h", "1..n").replace("h -", "n -"),
    ),
    "a lower bound in where": (OF_NIM, NIM, ONE + 'pick = { m = "0..h" }\nwhere = "m >= 1"\n' + LESS),
    "an upper bound in where": (OF_NIM, NIM, ONE + 'pick = { m = "1..h + 3" }\nwhere = "not m > h"\n' + LESS),
    "each of one heap": (OF_NIM, NIM, NIM.replace("any heap", "each of 1..1 heaps")),
    "numbers that are listed": (OF_NIM, NIM, ONE + 'pick = { m = "{i for i in range(0, h + 1) if i > 0}" }\n' + LESS),
    "a heap that is emptied apart": (
        OF_NIM,
        TAKE + 'become = ["h - m if m < h else 0"]\n',
        TAKE + 'where = "m < h"\nbecome = ["h - m"]\n' + TAKE + 'where = "m == h"\nbecome = []\n',
    ),
    "a set or a range": (
        UP_TO_TWO,
        ONE + 'pick = { m = "{1, 2}" }\nwhere = "m <= h"\n' + LESS,
        ONE + 'pick = { m = "1..2" }\nwhere = "m <= h"\n' + LESS,
    ),
    "a range or its members": (UP_TO_TWO, FROM_ONE, TAKE + 'where = "m == 1 or m == 2"\n' + LESS),
    "a bound by min or in where": (UP_TO_TWO, FROM_ONE, TAKE + 'where = "m < 3"\n' + LESS),
    "a bound in another order": (UP_TO_TWO, FROM_ONE, FROM_ONE.replace("min(2, h)", "min(h, 7, 2)")),
    "members of a set parameter": (
        UP_TO_TWO, TAKE + 'where = "m in {1, 2}"\n' + LESS, TAKE + 'where = "m in S"\n' + LESS,
    ),
    "a set parameter to pick from": (UP_TO_TWO, FROM_ONE, ONE + 'pick = { m = "S" }\nwhere = "m <= h"\n' + LESS),
    "some member of a list": (UP_TO_TWO, FROM_ONE, TAKE + 'where = "any(m == i + 1 for i in [0, 1])"\n' + LESS),
    "a number parameter": (UP_TO_TWO, FROM_ONE, FROM_ONE.replace("2, h", "k, h")),
    "a condition denied": (UP_TO_TWO, FROM_ONE, TAKE + 'where = "not (m != 1 and not m == 2)"\n' + LESS),
    "half of a heap": (OF_HALF, ONE + 'pick = { m = "1..h // 2" }\n' + LESS, TAKE + 'where = "2 * m <= h"\n' + LESS),
    "half of a heap, told by the rest": (
        OF_HALF, ONE + 'pick = { m = "1..h // 2" }\n' + LESS, TAKE + 'where = "h - m >= m"\n' + LESS,
    ),
    "a bound that divides": (
        OF_MOVES,
        TWO + 'pick = { m = "1..min(g, h // 2)" }\n' + EQUALISE,
        TWO + 'pick = { m = "1..g" }\nwhere = "2 * m <= h"\n' + EQUALISE,
    ),
    "the other heap first": (
        OF_MOVES,
        TWO + 'pick = { m = "1..min(g, h // 2)" }\n' + EQUALISE,
        TWO + 'pick = { m = "1..min(h, g // 2)" }\nbecome = ["g - 2 * m", "h - m"]\n',
    ),
    "a lower bound that divides": (
        OF_MOVES, ONE + 'pick = { m = "max(1, h // 2)..h" }\n' + LESS, TAKE + 'where = "2 * m >= h - 1"\n' + LESS,
    ),
    "a bound by a case": (
        OF_MOVES,
        ONE + 'pick = { m = "1..min(h, 2 if h > 5 else 1)" }\n' + LESS,
        TAKE + 'where = "m <= 2 and h > 5"\n' + LESS + TAKE + 'where = "m <= 1 and h <= 5"\n' + LESS,
    ),
    "each of two heaps, or two kinds of move": (
        ALL_AT_ONCE,
        ONE.replace("any heap", "each of 1..2 heaps") + 'pick = { m = "1..h" }\n' + LESS,
        NIM + '[[moves]]\nchoose = "any two heaps h, h2"\npick = { m = "1..h", m2 = "1..h2" }\n'
        'become = ["h - m", "h2 - m2"]\n',
    ),
    "the order of the moves": (BY_ONE_OR_TWO, FROM_ONE + CLEAR_BOTH, CLEAR_BOTH + FROM_ONE),
    "that there are two heaps": (
        BY_ONE_OR_TWO, FROM_ONE + CLEAR_BOTH, FROM_ONE + CLEAR_BOTH.replace("g >= 1", "len(s) == 2"),
    ),
    "a move that there is no position for": (
        EQUAL_HEAPS,
        NIM,
        NIM + '[[moves]]\nchoose = "any two heaps g, h"\nwhere = "len(s) == 3"\nbecome = ["0", "0"]\n',
    ),
    "a number that is known": (
        (HEAP + '[proof]\nrule = "few heaps"\nheaps = ["a"]\n[proof.loses]\nmover = "a % 2 == 0"\n'
         '[[proof.moves]]\nwhen = "a >= 1"\nheaps = ["a"]\ntake = {}\n', "iff(wins(position([n])), n % 2 == 1)"),
        BY_ONE,
        ONE + 'become = ["h - 1"]\n',
    ),
}  # fmt: skip
PARAMETERS = 'parameters = { S = "set", k = "1.." }\n'


def of(rules: str) -> tuple[str, str]:
    """Return (the rules with the parameters that they mention, the game of a claim with these parameters)."""
    given = {name: value for name, value in {"S": "{1, 2}", "k": "2"}.items() if name in rules.replace("S =", "")}
    kinds = {"S": '"set"', "k": '"1.."'}
    head = f"parameters = {{ {', '.join(f'{x} = {kinds[x]}' for x in given)} }}\n" if given else ""
    game = f"mine({', '.join(f'{x} = {y}' for x, y in given.items())})" if given else "mine"
    return head + rules, f'ruleset = "{game}"'


def said(game: Game) -> set[object]:
    """Return the content of the kinds of moves."""
    return {canonical_key(move) for move in game.ruleset.moves}


PROVED = dict[tuple[str, ...], RouteResult]()
"""The result of the proof of a claim about these rules. Some rules belong to several pairs."""


@pytest.mark.parametrize("name", PAIRS)
def test_two_phrasings_are_one_game_to_a_proof(name: str, tmp_path: Path) -> None:
    (body, then), *phrasings = PAIRS[name]
    found, forms = [], []
    for number, rules in enumerate(phrasings):
        folder = tmp_path / str(number)
        folder.mkdir()
        text, game = of(rules)
        claim = written(folder, body, then, rules=text, game=game)
        stated = body, then, text, game
        if stated not in PROVED:
            PROVED[stated] = asked(claim)
        found.append(PROVED[stated])
        forms.append(normal_claim(claim).games[0])
        assert normal_claim(normal_claim(claim)) is normal_claim(claim)
    assert said(forms[0]) == said(forms[1])
    for answer in found:
        assert answer.decision is Decision.HOLDS, (answer.detail, [o.name for o in answer.obligations if not o.proved])


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (TAKE + LESS, TAKE + 'where = "0 < h"\n' + LESS, True),
        (TAKE + LESS, TAKE + 'where = "h >= 1"\n' + LESS, True),
        (TAKE + LESS, TAKE + 'where = "1 < h"\n' + LESS, False),
        (TAKE + LESS, TAKE + 'where = "h > 1"\n' + LESS, False),
        (TAKE + LESS, TAKE + 'where = "2 <= h"\n' + LESS, False),
        (ONE + "become = []\n", TWO + "become = []\n", False),
    ],
)
def test_moves_are_spelled_alike_where_a_condition_says_no_more_than_that_a_heap_is_one(
    one: str, other: str, alike: bool, tmp_path: Path
) -> None:
    body, then = OF_MOVES
    found = []
    for number, rules in enumerate((one, other)):
        (folder := tmp_path / str(number)).mkdir()
        found.append(said(written(folder, body, then, rules=rules).games[0]))
    assert (found[0] == found[1]) == alike


@pytest.mark.slow
def test_members_of_a_set_that_are_no_numbers(tmp_path: Path) -> None:
    """If 1 or k objects may be taken, parity decides the winner for odd k, but not for even k."""
    body = HEAP.replace('n = "0.."\n', 'n = "0.."\nk = "1.."\n', 1).replace('n = "0..2"\n', 'n = "0..2"\nk = "1..3"\n')
    proof = """[proof]
rule = "few heaps"
heaps = ["a"]
[proof.loses]
mover = "a % 2 == 0"
[[proof.moves]]
when = "a % 2 == 1"
heaps = ["a"]
take = { m = "1" }
"""
    rules = 'parameters = { S = "set" }\n' + ONE + 'pick = { m = "S" }\nwhere = "m <= h"\n' + LESS
    for members, holds in {"1, 2 * k - 1": True, "1, 2 * k": False, "2 * k - 1": False, "k - 5, 1": False}.items():
        game = f'ruleset = "mine(S = {{{members}}})"'
        answer = asked(written(tmp_path, body + proof, "iff(wins(position([n])), n % 2 == 1)", rules=rules, game=game))
        assert (answer.decision is Decision.HOLDS) == holds, (members, answer.detail)


@pytest.mark.slow
def test_a_rule_of_few_heaps_looks_at_the_position(tmp_path: Path) -> None:
    """A single heap cannot be moved, so the player who takes one of two heaps wins."""
    body = PAIR + TWO_HEAPS.replace("a == b", "a == 0").replace("a < b", "a >= 1").replace("b - a", "b")
    for condition in ("len(s) == 2", "min(s) < max(s) or s.count(h) == 2", "sum(s) > h"):
        rules = TAKE + f'where = "{condition}"\n' + LESS
        answer = asked(written(tmp_path, body, "iff(wins(position([x, y])), x > 0 and y > 0)", rules=rules))
        assert answer.decision is Decision.HOLDS, (condition, answer.detail)


def test_values_of_two_kinds_of_move(tmp_path: Path) -> None:
    """One object or two, as separate kinds of moves without a number: the options name the remaining heap."""
    rules = ONE + 'become = ["h - 1"]\n' + ONE + 'where = "h >= 2"\nbecome = ["h - 2"]\n'
    body, then = UP_TO_TWO[0].replace('take = { m = "h - y" }\n', ""), UP_TO_TWO[1]
    answer = asked(written(tmp_path, body, then, rules=rules))
    assert answer.decision is Decision.HOLDS, answer.detail
