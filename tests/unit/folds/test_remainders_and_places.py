"""Remainders by a variable, binary digits, values fixed over a fold, images of positions, variables for heaps."""

import re
from pathlib import Path

import pytest
from proofs import ANY_MOVE, NIM, asked, written

from encoders.logic.answer import RouteResult
from encoders.logic.sequents import ONE, ZERO, Symbols, add, at_least, conjunction, equal, less_than, nim
from encoders.proving.reading import Prover
from encoders.proving.registry import RULES
from encoders.rules.folds.obligations import forget_nim_sums
from encoders.solvers.discharge import decide

NUMBERS = """
[forall]
k = "-9.."
j = "-9.."
n = "0.."
m = "0.."
i = "0.."
s = "position"
[scope]
k = "1..1"
j = "1..1"
n = "1..1"
m = "1..1"
i = "1..1"
s = { heaps = "0..1", size = "1..1" }
[proof]
sizes = "< 2^62"
"""
UNBOUNDED = NUMBERS.replace('sizes = "< 2^62"', 'rule = "folds"')
DRAWN = NUMBERS.replace('s = "position"', 's = "position"\nh = { in = "s" }')
BASH = NIM.replace("1..h", "1..min(k, h)")
TAKES_UP_TO_K = 'players = ["A", "B"]\nparameters = { k = "1.." }\nstuck = "loses"\n'
HEAD = 'format = 1\ntitle = "R"\n' + TAKES_UP_TO_K
GAME = 'ruleset = "mine(k = d)"'
THEOREM = """
[forall]
d = "1.."
s = "position"
[scope]
d = "1..1"
s = { heaps = "0..1", size = "1..1" }
[proof]
sizes = "< 2^62"
[proof.folds]
X = "nim_sum(h % (d + 1) for h in s)"
[proof.loses]
mover = "X == 0"
[[proof.moves]]
when = "X != 0"
heap = "top bit of X"
take = { m = "h % (d + 1) - ((h % (d + 1)) ^ X)" }
"""
LOST = "iff(wins(s, A), nim_sum(h % (d + 1) for h in s) != 0)"


def found(folder: Path, body: str, then: str, given: str = "", rules: str = NIM) -> str:
    return asked(written(folder, body, then, given, rules)).decision


def proof_of(folder: Path, rules: str, body: str = THEOREM) -> RouteResult:
    return asked(written(folder, body, LOST, rules=rules, game=GAME, head=HEAD))


# -- remainders -------------------------------------------------------------------------------------------------------
REMAINDERS = [
    ("k >= 1", "0 <= n % k and n % k < k and n % k <= n"),
    ("k >= 1 and n % k == 0 and m % k == 0 and n > m", "n >= m + k"),
    ("k >= 1 and n % k == 0 and m % k == 0 and n > m and n != m + k", "n >= m + 2*k"),
    ("k >= 1 and n % k == m % k and n > m", "n >= m + k"),
    ("k >= 1", "(n % k) % k == n % k and (n - n % k) % k == 0"),
]


@pytest.mark.parametrize(("given", "then"), REMAINDERS)
@pytest.mark.parametrize("body", [NUMBERS.replace("2^62", "2^8"), UNBOUNDED], ids=["words", "unbounded"])
def test_what_holds_of_remainders_is_proved(tmp_path: Path, body: str, given: str, then: str) -> None:
    body = body.replace('k = "-9.."', 'k = "1.."')
    assert found(tmp_path, body, then, given) == "holds"


@pytest.mark.parametrize("body", [NUMBERS.replace("2^62", "2^8"), UNBOUNDED], ids=["words", "unbounded"])
@pytest.mark.parametrize(
    ("given", "then"),
    [
        ("n > 0", "n % k == n % k"),  # undefined at k = 0
        ("k != 0", "n % k >= 0"),  # k = -2
        ("k != 0", "n % k < 3 or n % k < k"),  # n = 3, k = 4
        ("k >= 1", "n >= m or (n - m) % k <= 3"),  # n = 0, m = 1, k = 5
        ("k >= 1 and j >= 1 and n % k == 0 and m % j == 0 and n > m", "n >= m + k"),  # multiples of two numbers
        ("k >= 1 and n % k == 0 and m % k == 0 and n > m", "n == m + k"),  # twice as far
        ("k >= 1 and n % k == 0 and m % k == 0 and n > m", "n != m + k"),
        ("k >= 1 and n % k == 0", "n == 0 or n == k"),
        ("k >= 1 and j >= 1", "n % k == n % j"),
        ("k >= 1", "n % k == m % k"),
    ],
)
def test_what_is_false_of_remainders_is_not_proved(tmp_path: Path, body: str, given: str, then: str) -> None:
    assert found(tmp_path, body, then, given) in ("unknown", "unsupported")


@pytest.mark.slow
def test_bash_nim_is_proved_and_one_object_more_is_not(tmp_path: Path) -> None:
    assert proof_of(tmp_path, BASH).decision == "holds"
    assert proof_of(tmp_path, BASH.replace("min(k, h)", "min(k + 1, h)")).decision == "unknown"


def test_what_moves_do_to_remainders_is_an_obligation(tmp_path: Path) -> None:
    claim = written(tmp_path, THEOREM, LOST, rules=BASH, game=GAME, head=HEAD)
    names = [s.name for s in RULES["folds"].obligations(claim, Prover())]
    for name in (
        "a legal move changes the term of X",
        "move 1 adds that nim-sum to the term of X",
        "product of naturals",
        "multiples: two of one number are equal, or differ by it, or by at least twice as much",
    ):
        assert names.count(name) == 1


def test_what_nim_sums_are_is_forgotten_and_no_more() -> None:
    symbols = Symbols()
    a, b = symbols.integer("a", 0, 7), symbols.integer("b", 0, 7)

    def holds(show, assume=()):
        return decide(forget_nim_sums(symbols.sequent("it", tuple(assume), show)))

    assert holds(at_least(nim(a, b), ZERO))
    assert holds(equal(nim(a, b), add(nim(a, b), ZERO)))
    assert holds(less_than(a, add(symbols.integer("c", 8, 9), ONE)))
    assert not holds(at_least(nim(a, b), ONE), [equal(a, b)])
    assert not holds(equal(nim(a, a), ZERO))
    assert not holds(less_than(nim(a, b), nim(b, b)))
    assert not holds(equal(nim(a, b), nim(b, b)))
    assert not holds(conjunction(at_least(a, ONE)))


# -- places -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "then"),
    [
        ("n >= 1", "bit(n, top_bit(n)) == 1"),
        ("n >= 1 and m >= 1 and top_bit(n) < top_bit(m)", "n < m and (n ^ m) > n"),
        ("n >= 1 and i > top_bit(n)", "bit(n, i) == 0"),
        ("n >= 1 and bit(m, top_bit(n)) == 1", "(n ^ m) < n + m and m >= 1"),
        ("bit(n, 3) == 1", "n >= 8 and bit(n, 70) == 0"),
        ("i == 3", "bit(n, i) == bit(n, 3)"),
        ("bit(n, i) != bit(m, i)", "bit(n ^ m, i) == 1"),
    ],
)
@pytest.mark.slow
def test_what_holds_of_places_is_proved(tmp_path: Path, given: str, then: str) -> None:
    assert found(tmp_path, NUMBERS, then, given) == "holds"


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ("bit(n, i) == 1", "i == top_bit(n)"),  # n = 3, i = 0
        ("n >= 1 and m >= 1 and n < m", "top_bit(n) < top_bit(m)"),  # 2, 3
        ("n >= 1 and m >= 1 and top_bit(n) == top_bit(m)", "n == m"),
        ("i > 0", "bit(n, i) == 0 or bit(n, 1) == 1"),
        ("k >= 1", "top_bit(n) >= 0"),  # undefined at n = 0
        ("k >= 1", "top_bit(n) >= 0 if n >= 1 else k > 5"),  # n = 0, k = 1
        ("n >= 1", "bit(n, 70) == bit(n, 61)"),  # n = 2^61
        ("n >= 1", "bit(n, i) == bit(n, i + 1)"),
    ],
)
def test_what_is_false_of_places_is_not_proved(tmp_path: Path, given: str, then: str) -> None:
    assert found(tmp_path, NUMBERS, then, given) in ("unknown", "unsupported")


@pytest.mark.parametrize(
    ("then", "words"),
    [
        ("bit(n - k, i) <= 1", "defined: bit(n - k, i) needs n - k >= 0: fails at"),
        ("bit(n, i - m) <= 1", "defined: bit(n, i - m) needs i - m >= 0: fails at"),
        ("top_bit(k) >= 0", "defined: top_bit(k) needs k >= 1: fails at"),
        ("k < 1 or top_bit(k) >= 0", ""),
        ("bit(n, 1001) <= 1", "the binary place 1001 is too high: a proof may name places up to 1000"),
    ],
)
def test_places_without_a_bound_are_those_of_natural_numbers(tmp_path: Path, then: str, words: str) -> None:
    answer = asked(written(tmp_path, UNBOUNDED, then))
    assert (answer.decision == "holds") is not bool(words)
    assert words in answer.detail


# -- values that are equal for all heaps ------------------------------------------------------------------------------
PICK = '[proof.folds]\nX = "nim_sum(s)"\n[[proof.picks]]\nwhen = "X != 0"\nheap = "top bit of X"\n'


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ("nim_sum(s) != 0", "any((h ^ nim_sum(s)) < h for h in s)"),
        ("nim_sum(s) != 0", "any(bit(h, top_bit(nim_sum(s))) == 1 for h in s)"),
        ("any(h > nim_sum(s) for h in s)", "len(s) > 0"),
    ],
)
def test_a_fold_may_hold_what_is_the_same_for_all_heaps(tmp_path: Path, given: str, then: str) -> None:
    assert found(tmp_path, NUMBERS + PICK, then, given) == "holds"


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ("", "iff(any(h > nim_sum(s) for h in s), any(h > nim_sum(g for g in s if g > 1) for h in s))"),  # s = (1)
        ("", "any(h >= nim_sum(s) for h in s)"),  # the empty position
        ("", "any((h ^ nim_sum(s)) < h for h in s)"),  # the empty position
        ("nim_sum(s) != 0", "all((h ^ nim_sum(s)) < h for h in s)"),
        ("nim_sum(s) != 0", "all(bit(h, top_bit(nim_sum(s))) == 1 for h in s)"),
        ("", "all(any(g > h for g in s) for h in s)"),
        ("", "count(h > nim_sum(s) for h in s) == count(h > nim_sum(s) + n for h in s)"),
    ],
)
def test_what_is_false_of_all_heaps_is_not_proved(tmp_path: Path, given: str, then: str) -> None:
    assert found(tmp_path, NUMBERS + PICK, then, given) in ("unknown", "unsupported")


# -- images -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "then",
    [
        "len(position([h + 0 for h in s])) == len(s)",
        "implies(all(h > 1 for h in s), len(position([h - 1 for h in s])) == len(s))",
        "len(position([h for h in s if h > 3])) == count(h > 3 for h in s)",
        "nim_sum(position([h - 1 for h in s])) == nim_sum(h - 1 for h in s if h > 1)",
        "len(position([h - 1 for h in position([1, 3, 4])])) == 2",
    ],
)
def test_what_holds_of_images_is_proved(tmp_path: Path, then: str) -> None:
    folds = """[proof.folds]
A = "len(position([h + 0 for h in s]))"
B = "len(s)"
C = "len(position([h - 1 for h in s]))"
D = "count(h < 2 for h in s)"
E = "len(position([h for h in s if h > 3]))"
F = "count(h > 3 for h in s)"
G = "nim_sum(position([h - 1 for h in s]))"
H = "nim_sum(h - 1 for h in s if h > 1)"
[proof.facts]
all = "A == B and implies(D == 0, C == B) and E == F and G == H"
"""
    assert found(tmp_path, NUMBERS + folds, then) == "holds"


@pytest.mark.parametrize(
    "then",
    [
        "len(position([h - 1 for h in s])) == len(s)",  # a heap of 1
        "len(position([h for h in s if h > 3])) == len(s)",
        "nim_sum(position([h - 1 for h in s])) == nim_sum(s)",
        "len(position([h - 1 for h in s])) == len(position([h for h in s if h > 2]))",
    ],
)
@pytest.mark.parametrize("fact", ["C == B", "E == B", "G == H", "C == E", ""])
def test_what_is_false_of_images_is_not_proved(tmp_path: Path, then: str, fact: str) -> None:
    folds = """[proof.folds]
B = "len(s)"
C = "len(position([h - 1 for h in s]))"
E = "len(position([h for h in s if h > 3]))"
G = "nim_sum(position([h - 1 for h in s]))"
H = "nim_sum(s)"
"""
    folds += f'[proof.facts]\nfact = "{fact}"\n' if fact else ""
    assert found(tmp_path, NUMBERS + folds, then) in ("unknown", "unsupported")


# -- a heap drawn from a position -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "then"),
    [
        ("", "h in s and len(s) >= 1 and legal(s, replace(s, h, h - 1))"),
        ("", "nim_sum(replace(s, h, h - 1)) == (nim_sum(s) ^ h ^ (h - 1))"),
        ("h >= 2", "legal(s, replace(s, h, h % 2))"),
        ("h == 1", "not legal(s, replace(s, h, h % 2))"),
        ("", "not legal(s, replace(s, h, h))"),
    ],
)
def test_what_holds_of_a_heap_replaced_is_proved(tmp_path: Path, given: str, then: str) -> None:
    assert found(tmp_path, DRAWN, then, given) == "holds"


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ("", "legal(s, replace(s, h, h % 2))"),  # h = 1
        ("", "not legal(s, replace(s, h, h % 2))"),  # h = 2
        ("", "nim_sum(replace(s, h, h - 1)) == nim_sum(s)"),
        ("", "len(replace(s, h, h - 1)) == len(s)"),
        ("", "len(replace(s, h, h - 2)) <= len(s)"),  # undefined at h = 1
        ("", "len(s) >= 2"),
        ("h == n", "legal(s, replace(s, n, 0)) or len(s) > 1"),  # it is not known which heap n is
    ],
)
@pytest.mark.parametrize("moves", ["", ANY_MOVE], ids=["no move is named", "a move is"])
def test_what_is_false_of_a_heap_replaced_is_not_proved(tmp_path: Path, given: str, then: str, moves: str) -> None:
    """The heap is called x, because h is the heap of a named move."""
    body, given, then = (re.sub(r"\bh\b", "x", text) for text in (DRAWN, given, then))
    assert found(tmp_path, body + moves, then, given) in ("unknown", "unsupported")


# -- terminal positions, steps ----------------------------------------------------------------------------------------
def test_a_named_move_shows_that_a_position_is_not_terminal(tmp_path: Path) -> None:
    assert found(tmp_path, NUMBERS + ANY_MOVE, "len(s) == 0", "terminal(s)") == "holds"
    assert found(tmp_path, NUMBERS, "len(s) == 0", "terminal(s)") == "unknown"
    assert found(tmp_path, NUMBERS + ANY_MOVE, "len(s) <= 1 or nim_sum(s) == 0", "not terminal(s)") == "unknown"


def test_a_step_is_shown_before_it_is_used(tmp_path: Path) -> None:
    step = '[proof.steps]\nfirst = "{}"\nsecond = "n >= 2"\n'
    assert found(tmp_path, NUMBERS + step.format("n >= 3"), "n >= 1", "n >= 4") == "holds"
    assert found(tmp_path, NUMBERS + step.format("n >= 3"), "n >= 1", "n >= 2") == "unknown"
    assert found(tmp_path, NUMBERS + step.format("n >= 3 or m == 7"), "m == 7", "n >= 2") == "unknown"
