"""Proofs whose invariant is the formula of the claim: found for true claims, and for no false variant of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from claim_texts import HEAD

from checks.execution.found import settle_with
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim, unfold_claim
from encoders.compute.arrays.limits import Deadline, OutOfTime
from encoders.proving.reading import load_claim
from encoders.search import proofs
from encoders.search.find import SearchProgress, SearchStage, attempt
from encoders.search.proofs import ClaimFile, Nearby, find_proof
from encoders.search.stated_proofs import find_stated_proof
from encoders.search.stated_values import list_block_proofs
from encoders.search.statement import read_answers, read_statement, state_as_hypothesis

GAME = 'format = 1\ntitle = "Mine"\nplayers = ["P1", "P2"]\nstuck = "loses"\n'
NIM = f'{GAME}[[moves]]\nchoose = "any heap h"\npick = {{ m = "1..h" }}\nbecome = ["h - m"]\n'
BASH = (
    f'{GAME}parameters = {{ k = "1.." }}\n'
    '[[moves]]\nchoose = "any heap h"\npick = { m = "1..k" }\nwhere = "m <= h"\nbecome = ["h - m"]\n'
)
KING = (
    f'{GAME}[[moves]]\nchoose = "any heap h"\nbecome = ["h - 1"]\n'
    '[[moves]]\nchoose = "any two heaps g, h"\nbecome = ["g - 1", "h - 1"]\n'
)
THREE = (
    f'{GAME}[[moves]]\nchoose = "any heap h"\nbecome = ["h - 1"]\n'
    '[[moves]]\nchoose = "any three heaps f, g, h"\nbecome = ["f - 1", "g - 1", "h - 1"]\n'
)
INTERVAL = (
    f'{GAME}parameters = {{ a = "1..", b = "1.." }}\n'
    '[[moves]]\nchoose = "any heap h"\npick = { m = "a..b" }\nwhere = "m <= h"\nbecome = ["h - m"]\n'
)
YAMA = (
    f'{GAME}measure = "sum(h.x + h.y for h in s)"\n[heap]\nx = "0.."\ny = "0.."\n'
    '[[moves]]\nchoose = "any heap h"\npick = { m = "2..h.x" }\nbecome = [{ x = "h.x - m", y = "h.y + 1" }]\n'
    '[[moves]]\nchoose = "any heap h"\npick = { m = "2..h.y" }\nbecome = [{ x = "h.x + 1", y = "h.y - m" }]\n'
)
LIMITED = (
    f'{GAME}measure = "sum(h.n for h in s)"\n[heap]\nn = "0.."\nq = "0.."\n'
    '[[moves]]\nchoose = "any heap h"\npick = { m = "1..min(h.n, h.q)" }\nbecome = [{ n = "h.n - m", q = "m" }]\n'
)
PATH = (
    f'{GAME}parameters = {{ k = "1.." }}\nmeasure = "sum(sum(h.c) for h in s)"\n'
    '[heap]\nc = "list of 0.."\nwhere = "len(h.c) >= k"\n[[moves]]\nchoose = "any heap h"\n'
    'pick = { j = "0..len(h.c) - k", d = "[0..h.c[j + i] for i in range(k)]" }\nwhere = "sum(d) > 0"\n'
    'become = [{ c = "[h.c[n] - (d[n - j] if j <= n < j + k else 0) for n in range(len(h.c))]" }]\n'
)
DIVISORS = (
    f'{GAME}[[moves]]\nchoose = "any heap h"\npick = {{ d = "1..h - 1" }}\nwhere = "h % d == 0"\nbecome = ["h - d"]\n'
)
PRIMES = NIM.replace("become", 'where = "m == 1 or is_prime(m)"\nbecome')
HALVES = DIVISORS.replace("h % d == 0", "2 * h % d == 0")
LASKERS = f'{NIM}[[moves]]\nchoose = "any heap h"\npick = {{ a = "1..h // 2" }}\nbecome = ["a", "h - a"]\n'
OF_LASKER = "h if h % 4 in [1, 2] else h - 1 if h % 4 == 0 else h + 1"
MISERE, MISERE_BASH = (x.replace('stuck = "loses"', 'stuck = "wins"') for x in (NIM, BASH))
EXACT = (
    f'{GAME}[[moves]]\nchoose = "any two heaps g, h"\npick = {{ m = "1..g", n = "1..h" }}\n'
    'become = ["g - m", "h - n"]\n'
)
UNEQUAL = (
    f'{GAME.replace("P1", "Left").replace("P2", "Right")}parameters = {{ a = "1..", b = "1.." }}\n'
    '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nwhere = "m <= (a if mover == Left else b)"\n'
    'become = ["h - m"]\n'
)


@dataclass(frozen=True)
class Posed:
    """A claim about a game: its domains, hypothesis and conclusion. `call`: the ruleset with its arguments."""

    rules: str
    domains: tuple[str, ...]
    then: str
    given: str = ""
    call: str = "mine"

    def write(self, folder: Path) -> tuple[Claim, Path]:
        (folder / "mine.toml").write_text(self.rules, "utf-8")
        shape = 'c = { length = "3", each = "0..3" }' if "[heap]" in self.rules else 'heaps = "0..4", size = "1..4"'
        lists = f"s = {{ {shape} }}\n"
        domains = "".join(f"{x}\n" for x in self.domains)
        names = [x.split(" ")[0] for x in self.domains]
        scope = "".join(lists if name == "s" else f'{name} = "0..6"\n' for name in names)
        hypothesis = f'if = "{self.given}"\n' if self.given else ""
        path = folder / "stated.toml"
        text = f'{HEAD}ruleset = "{self.call}"\n[forall]\n{domains}[claim]\n{hypothesis}then = "{self.then}"\n'
        path.write_text(f"{text}[scope]\n{scope}", "utf-8")
        return replace(load_claim(path, "stated"), proof=None), path


ONE, TWO, PARTS = ('n = "0.."',), ('a = "0.."', 'b = "0.."'), ('u = "0.."', 'v = "0.."')
POSITIVE = ('n = "1.."', 'q = "1.."')
ASCENDING = ('a = "0.."', 'b = "a.."')
BASHES = ('k = "1.."', 'n = "0.."')
BOTH = ('b = "1.."', 'a = "b + 1.."', 'n = "0.."')
LIST = ('s = "position"',)
OF_LIST = "len(s) == 1 and len(s[0].c) == 3"
LEFT, RIGHT = "iff(wins(position([n]), Left), n >= 1)", "iff(wins(position([n]), Right), 1 <= n <= b)"

ABC, TETRIS = "position([a, b, c])", "min((a + b + c) // 2, a + b)"

TRUE = {
    "two equal heaps": Posed(NIM, TWO, "iff(not wins(position([a, b])), a == b)"),
    "won where they differ": Posed(NIM, ASCENDING, "iff(wins(position([a, b])), a != b)"),
    "by its outcome": Posed(NIM, TWO, "iff(outcome(position([a, b])) == P_position, a == b)"),
    "one heap of a parameter": Posed(
        BASH, BASHES, "iff(not wins(position([n])), n % (k + 1) == 0)", call="mine(k = k)"
    ),
    "other names": Posed(
        BASH, ('x = "1.."', 'm = "0.."'), "iff(not wins(position([m])), m % (x + 1) == 0)", call="mine(k = x)"
    ),
    "with a hypothesis": Posed(
        KING, TWO, "iff(not wins(position([a, b])), a % 2 == 0 and b % 2 == 0)", "a <= b and b >= 2"
    ),
    "lost under a condition": Posed(NIM, TWO, "implies(a == b, not wins(position([a, b])))"),
    "won under a hypothesis": Posed(NIM, TWO, "wins(position([a, b]))", "a != b"),
    "won under a condition": Posed(BASH, BASHES, "implies(n % (k + 1) != 0, wins(position([n])))", call="mine(k = k)"),
    "changed outside the hypothesis": Posed(KING, TWO, "iff(not wins(position([a, b])), b % 2 == 0)", "a == 0"),
    "exactly two heaps": Posed(KING, LIST, "iff(not wins(s), s[0] % 2 == 0 and s[1] % 2 == 0)", "len(s) == 2"),
    "two heaps with an odd one": Posed(KING, LIST, "iff(wins(s), s[1] % 2 == 1)", "len(s) == 2 and s[0] % 2 == 0"),
    "one from each": Posed(KING, TWO, "iff(not wins(position([a, b])), a % 2 == 0 and b % 2 == 0)"),
    "a heap with parts": Posed(YAMA, PARTS, "iff(not wins(position([heap(u, v)])), abs(u - v) <= 1)"),
    "takes no more than before": Posed(
        LIMITED, POSITIVE, "iff(not wins(position([heap(n, q)])), 2 ** valuation(n, 2) > q)"
    ),
    "equal heaps": Posed(KING, ONE, "iff(not wins(position([n, n])), n % 2 == 0)"),
    "a heap and the next": Posed(KING, ONE, "wins(position([n, n + 1]))"),
    "a heap and three more": Posed(KING, ONE, "iff(wins(position([2 * n, n + 3])), n % 2 == 0)"),
    "equal parts": Posed(YAMA, ONE, "not wins(position([heap(n, n)]))"),
    "any number of heaps": Posed(THREE, LIST, "iff(not wins(s), sum(s) % 2 == 0)"),
    "by the nim-sum": Posed(NIM, LIST, "iff(wins(s), nim_sum(s) > 0)"),
    "misère play": Posed(MISERE, TWO, "iff(not wins(position([a, b])), a == b and a >= 2 or a + b == 1)"),
    "misère play from one heap": Posed(
        MISERE_BASH, BASHES, "iff(not wins(position([n])), n % (k + 1) == 1)", call="mine(k = k)"
    ),
    "values of a king": Posed(KING, ASCENDING, "grundy(position([a, b])) == 2 * (a % 2) + (a + b) % 2"),
    "values of exact Nim": Posed(EXACT, ('a = "0.."', 'b = "a.."', 'c = "b.."'), f"grundy({ABC}) == {TETRIS}"),
    "takes a divisor": Posed(DIVISORS, ONE, "iff(wins(position([n])), n % 2 == 0)", "n >= 1"),
    "takes a divisor, by its losses": Posed(DIVISORS, ONE, "iff(not wins(position([n])), n == 0 or n % 2 == 1)"),
    "takes one or a prime": Posed(PRIMES, ONE, "iff(not wins(position([n])), n % 4 == 0)"),
    "takes one or a prime from two heaps": Posed(PRIMES, TWO, "iff(wins(position([a, b])), a % 4 != b % 4)"),
    "by a nim-sum of values": Posed(LASKERS, LIST, f"iff(not wins(s), nim_sum({OF_LASKER} for h in s) == 0)"),
    "by a nim-sum of remainders": Posed(
        BASH, ('k = "1.."', *LIST), "iff(wins(s), nim_sum(x % (k + 1) for x in s) != 0)", call="mine(k = k)"
    ),
    "both players": Posed(UNEQUAL, BOTH, f"{LEFT} and {RIGHT}", call="mine(a = a, b = b)"),
    "a list": Posed(PATH, LIST, "iff(not wins(s), s[0].c[0] == s[0].c[2] and s[0].c[1] == 0)", OF_LIST, "mine(k = 2)"),
}

FALSE = {
    "another relation": Posed(NIM, TWO, "iff(not wins(position([a, b])), a <= b)"),
    "another difference": Posed(NIM, ASCENDING, "iff(not wins(position([a, b])), b == a + 1)"),
    "the other player": Posed(NIM, TWO, "iff(wins(position([a, b])), a == b)"),
    "false far away": Posed(NIM, TWO, "iff(not wins(position([a, b])), a == b or a == 99 - b)"),
    "false at one far position": Posed(NIM, TWO, "iff(not wins(position([a, b])), a == b and a != 5000)"),
    "lost under a weaker condition": Posed(NIM, TWO, "implies(a <= b, not wins(position([a, b])))"),
    "lost under a condition, false far away": Posed(
        NIM, TWO, "implies(a == b or a == 5000 and b == 1, not wins(position([a, b])))"
    ),
    "won under a weaker hypothesis": Posed(NIM, TWO, "wins(position([a, b]))", "a != b or a == 7"),
    "won under a condition on k": Posed(
        BASH, BASHES, "implies(n % k != 0, wins(position([n])))", "k >= 2", call="mine(k = k)"
    ),
    "equal heaps, by threes": Posed(KING, ONE, "iff(not wins(position([n, n])), n % 3 == 0)"),
    "equal heaps, false far away": Posed(KING, ONE, "iff(not wins(position([n, n])), n % 2 == 0 and n != 5000)"),
    "a heap and two more": Posed(KING, ONE, "wins(position([n, n + 2]))"),
    "a heap and the next, false far away": Posed(KING, ONE, "wins(position([n, n + 1 + n // 5000]))"),
    "a heap and four more": Posed(KING, ONE, "iff(wins(position([2 * n, n + 4])), n % 2 == 0)"),
    "a heap and three more, false far away": Posed(
        KING, ONE, "iff(wins(position([2 * n, n + 3])), n % 2 == 0 or n == 4001)"
    ),
    "parts that differ by two": Posed(YAMA, ONE, "not wins(position([heap(n, n + 2)]))"),
    "equal parts, false far away": Posed(YAMA, ONE, "not wins(position([heap(n, n + n // 3000)]))"),
    "three equal heaps": Posed(
        NIM, ('a = "0.."', 'b = "0.."', 'c = "0.."'), "iff(not wins(position([a, b, c])), a == b and b == c)"
    ),
    "a smaller period": Posed(BASH, BASHES, "iff(not wins(position([n])), n % k == 0)", call="mine(k = k)"),
    "a larger period": Posed(BASH, BASHES, "iff(not wins(position([n])), n % (k + 2) == 0)", call="mine(k = k)"),
    "another remainder": Posed(BASH, BASHES, "iff(not wins(position([n])), n % (k + 1) == 1)", call="mine(k = k)"),
    "a constant period": Posed(BASH, BASHES, "iff(not wins(position([n])), n % 2 == 0)", call="mine(k = k)"),
    "a wider hypothesis": Posed(BASH, BASHES, "iff(not wins(position([n])), n % 2 == 0)", "k <= 2", call="mine(k = k)"),
    "a hypothesis false far away": Posed(
        BASH, BASHES, "iff(not wins(position([n])), n % 2 == 0)", "k == 1 or k == 77", call="mine(k = k)"
    ),
    "changed outside a weaker hypothesis": Posed(
        KING, TWO, "iff(not wins(position([a, b])), b % 2 == 0)", "a == 0 or a == 41"
    ),
    "exactly two heaps with equal remainders": Posed(
        KING, LIST, "iff(not wins(s), s[0] % 2 == s[1] % 2)", "len(s) == 2"
    ),
    "two heaps, the other odd": Posed(KING, LIST, "iff(wins(s), s[1] % 2 == 1)", "len(s) == 2 and s[0] >= 2"),
    "either is even": Posed(KING, TWO, "iff(not wins(position([a, b])), a % 2 == 0 or b % 2 == 0)"),
    "the sum is even": Posed(KING, TWO, "iff(not wins(position([a, b])), (a + b) % 2 == 0)"),
    "by threes": Posed(KING, TWO, "iff(not wins(position([a, b])), a % 3 == 0 and b % 3 == 0)"),
    "a sum by threes": Posed(THREE, LIST, "iff(not wins(s), sum(s) % 3 == 0)"),
    "an odd sum": Posed(THREE, LIST, "iff(not wins(s), sum(s) % 2 == 1)"),
    "the number of heaps is even": Posed(THREE, LIST, "iff(not wins(s), len(s) % 2 == 0)"),
    "the sum far away": Posed(THREE, LIST, "iff(not wins(s), sum(s) % 2 == 0 and sum(s) != 5000)"),
    "a larger nim-sum": Posed(NIM, LIST, "iff(wins(s), nim_sum(s) > 1)"),
    "the sum of Nim": Posed(NIM, LIST, "iff(wins(s), sum(s) > 0)"),
    "differ by two": Posed(YAMA, PARTS, "iff(not wins(position([heap(u, v)])), abs(u - v) <= 2)"),
    "parts are equal": Posed(YAMA, PARTS, "iff(not wins(position([heap(u, v)])), abs(u - v) < 1)"),
    "one-sided": Posed(YAMA, PARTS, "iff(not wins(position([heap(u, v)])), u - v <= 1)"),
    "parts far away": Posed(YAMA, PARTS, "iff(not wins(position([heap(u, v)])), abs(u - v) <= 1 and u + v != 3001)"),
    "takes no more than before, one more": Posed(
        LIMITED, POSITIVE, "iff(not wins(position([heap(n, q)])), 2 ** valuation(n, 2) >= q)"
    ),
    "takes no more than before, by the exponent": Posed(
        LIMITED, POSITIVE, "iff(not wins(position([heap(n, q)])), valuation(n, 2) > q)"
    ),
    "takes no more than before, false far away": Posed(
        LIMITED, POSITIVE, "iff(not wins(position([heap(n, q)])), 2 ** valuation(n, 2) > q and n != 5000)"
    ),
    "misère play as normal play": Posed(MISERE, TWO, "iff(not wins(position([a, b])), a == b)"),
    "misère play, lost at nothing": Posed(
        MISERE, TWO, "iff(not wins(position([a, b])), a == b and a != 1 or a + b == 1)"
    ),
    "misère play, false far away": Posed(
        MISERE, TWO, "iff(not wins(position([a, b])), a == b and a >= 2 and a != 5000 or a + b == 1)"
    ),
    "misère play from one heap, as normal play": Posed(
        MISERE_BASH, BASHES, "iff(not wins(position([n])), n % (k + 1) == 0)", call="mine(k = k)"
    ),
    "misère play from one heap, with k as the period": Posed(
        MISERE_BASH, BASHES, "iff(not wins(position([n])), n % k == 1)", call="mine(k = k)"
    ),
    "values of a king in another order": Posed(
        KING, ASCENDING, "grundy(position([a, b])) == 2 * (b % 2) + (a + b) % 2"
    ),
    "values of a king in any order": Posed(KING, TWO, "grundy(position([a, b])) == 2 * (a % 2) + (a + b) % 2"),
    "values of a king, one more": Posed(KING, ASCENDING, "grundy(position([a, b])) == 1 + 2 * (a % 2) + (a + b) % 2"),
    "values of a king, false far away": Posed(
        KING, ASCENDING, "grundy(position([a, b])) == (7 if b == 5000 else 2 * (a % 2) + (a + b) % 2)"
    ),
    "values of exact Nim without a bound": Posed(
        EXACT, ('a = "0.."', 'b = "a.."', 'c = "b.."'), f"grundy({ABC}) == (a + b + c) // 2"
    ),
    "values of Nim as zero or one": Posed(NIM, ASCENDING, "grundy(position([a, b])) == (0 if a == b else 1)"),
    "values of Nim as differences": Posed(NIM, ASCENDING, "grundy(position([a, b])) == b - a"),
    "takes a divisor, wins at odd": Posed(DIVISORS, ONE, "iff(wins(position([n])), n % 2 == 1)", "n >= 1"),
    "takes a divisor, by threes": Posed(DIVISORS, ONE, "iff(wins(position([n])), n % 3 == 0)", "n >= 1"),
    "takes a divisor, false far away": Posed(DIVISORS, ONE, "iff(wins(position([n])), n % 2 == 0 and n != 5000)"),
    "takes a divisor of the double": Posed(HALVES, ONE, "iff(wins(position([n])), n % 2 == 0)", "n >= 1"),
    "takes one or a prime, by threes": Posed(PRIMES, ONE, "iff(not wins(position([n])), n % 3 == 0)"),
    "takes one or a prime, by twos": Posed(PRIMES, ONE, "iff(not wins(position([n])), n % 2 == 0)"),
    "takes one or a prime, false far away": Posed(
        PRIMES, ONE, "iff(not wins(position([n])), n % 4 == 0 and n != 5000)"
    ),
    "takes one, a prime or a large even number": Posed(
        PRIMES.replace("is_prime(m)", "is_prime(m) or m == 5000"), ONE, "iff(not wins(position([n])), n % 4 == 0)"
    ),
    "by a nim-sum of other values": Posed(
        LASKERS, LIST, f"iff(not wins(s), nim_sum({OF_LASKER.replace('[1, 2]', '[1]')} for h in s) == 0)"
    ),
    "by a nim-sum of heaps that split": Posed(LASKERS, LIST, "iff(not wins(s), nim_sum(h for h in s) == 0)"),
    "by a nim-sum of values, false far away": Posed(
        LASKERS, LIST, f"iff(not wins(s), nim_sum(4000 if h == 4001 else {OF_LASKER} for h in s) == 0)"
    ),
    "by a nim-sum of other remainders": Posed(
        BASH, ('k = "1.."', *LIST), "iff(wins(s), nim_sum(x % (k + 2) for x in s) != 0)", call="mine(k = k)"
    ),
    "by a nim-sum of some heaps": Posed(NIM, LIST, "iff(wins(s), nim_sum(x for x in s if x != 70) != 0)"),
    "Left needs two": Posed(
        UNEQUAL, BOTH, f"{LEFT.replace('n >= 1', 'n >= 2')} and {RIGHT}", call="mine(a = a, b = b)"
    ),
    "Right has one more": Posed(
        UNEQUAL, BOTH, f"{LEFT} and {RIGHT.replace('n <= b', 'n <= b + 1')}", call="mine(a = a, b = b)"
    ),
    "Left takes as many": Posed(
        UNEQUAL, (BOTH[0], 'a = "b.."', BOTH[2]), f"{LEFT} and {RIGHT}", call="mine(a = a, b = b)"
    ),
    "ends are equal": Posed(PATH, LIST, "iff(not wins(s), s[0].c[0] == s[0].c[2])", OF_LIST, "mine(k = 2)"),
    "one in the middle": Posed(
        PATH, LIST, "iff(not wins(s), s[0].c[0] == s[0].c[2] and s[0].c[1] <= 1)", OF_LIST, "mine(k = 2)"
    ),
    "single heaps of the path": Posed(
        PATH, LIST, "iff(not wins(s), s[0].c[0] == s[0].c[2] and s[0].c[1] == 0)", OF_LIST, "mine(k = 1)"
    ),
}

BLOCKS = ('a = "1.."', 'b = "a.."', 'n = "0.."')


@pytest.mark.parametrize(
    ("domains", "value", "arguments", "proved"),
    [
        (BLOCKS, "n % (a + b) // a", "a = a, b = b", True),
        (('k = "1.."', 'r = "k.."', 'h = "0.."'), "h % (k + r) // k", "a = k, b = r", True),
        (ONE, "n % 5 // 2", "a = 2, b = 3", True),
        (BLOCKS, "n % (a + b) // b", "a = a, b = b", False),
        (BLOCKS, "n % (a + b + 1) // a", "a = a, b = b", False),
        (BLOCKS, "n % (a + b) // (a + 1)", "a = a, b = b", False),
        (BLOCKS, "n % (a + b) // a", "a = b, b = a", False),
        (('a = "1.."', 'b = "1.."', 'n = "0.."'), "n % (a + b) // a", "a = a, b = b", False),
        (ONE, "n % 5 // 2", "a = 2, b = 4", False),
        (ONE, "n % 6 // 2", "a = 2, b = 3", False),
    ],
)
@pytest.mark.slow
def test_values_in_blocks_are_proved_for_intervals_and_for_no_other_numbers(
    tmp_path: Path, domains: tuple[str, ...], value: str, arguments: str, proved: bool
) -> None:
    heap = domains[-1][0]
    posed = Posed(INTERVAL, domains, f"grundy(position([{heap}])) == {value}", call=f"mine({arguments})")
    claim, path = posed.write(tmp_path)
    (draft,) = list_block_proofs(claim)
    assert attempt(ClaimFile(claim, path), draft, Deadline(300 if proved else 60), first=True).is_proved is proved


@pytest.mark.parametrize(("value", "proved"), [("n % 4", True), ("n % 3", False), ("n % 2", False)])
def test_values_are_found_where_a_move_takes_a_prime(tmp_path: Path, value: str, proved: bool) -> None:
    claim, path = Posed(PRIMES, ONE, f"grundy(position([n])) == {value}").write(tmp_path)
    outcome = SearchProgress()
    find_proof(claim, path, Nearby(), Deadline(60), lambda _: None, outcome)
    assert (outcome.stage is SearchStage.PROOF) is proved, outcome.obstacle


@pytest.mark.parametrize(
    ("statement", "proved"),
    [
        ("grundy(position([n, m])) == (n % (a + b) // a) ^ (m % (a + b) // a)", True),
        ("iff(wins(position([n, m + 3])), (n % (a + b) // a) ^ ((m + 3) % (a + b) // a) != 0)", True),
        ("grundy(position([n, m])) == (n % (a + b) // b) ^ (m % (a + b) // b)", False),
        ("grundy(position([n, m, m])) == (n % (a + b) // a) ^ (m % (a + b) // a) ^ (m % (a + b) // a) + 1", None),
        ("grundy(position([n, m])) == (n % (a + b) // a) ^ (m % (a + b) // b)", None),
        ("grundy(position([n, m])) == (m % (a + b) // a) ^ (n % (a + b) // a)", None),
    ],
)
@pytest.mark.slow
def test_values_in_blocks_are_added(tmp_path: Path, statement: str, proved: bool | None) -> None:
    """None: no proof is tried, because the terms do not have the same form or are not in the order of the heaps."""
    posed = Posed(INTERVAL, (*BLOCKS, 'm = "0.."'), statement, call="mine(a = a, b = b)")
    claim, path = posed.write(tmp_path)
    drafts = list(list_block_proofs(claim))
    assert len(drafts) == (0 if proved is None else 1)
    for draft in drafts:
        assert attempt(ClaimFile(claim, path), draft, Deadline(300 if proved else 60), first=True).is_proved is proved


def search(claim: Claim, path: Path, seconds: float = 60) -> SearchProgress:
    outcome = SearchProgress()
    find_stated_proof(claim, path, ClaimFile(claim, path), Deadline(seconds), lambda _: None, outcome)
    return outcome


# The searches that take more than four seconds each. Shorter ones of the same kinds are in the tables too.
LONG = {
    *("misère play from one heap", "values of a king", "values of exact Nim", "parts far away", "false far away"),
    *("values of a king in any order", "takes one, a prime or a large even number", "misère play, false far away"),
    *("three equal heaps", "false at one far position", "equal parts, false far away"),
    *("by a nim-sum of values", "by a nim-sum of values, false far away", "by a nim-sum of heaps that split"),
    *("a list", "other names", "won under a condition", "lost under a condition, false far away"),
    *("takes one or a prime from two heaps", "takes one or a prime, false far away", "another relation"),
    *("takes no more than before, false far away", "one heap of a parameter"),
}


def list_cases(table: Mapping[str, Posed]) -> list[ParameterSet]:
    assert {*TRUE, *FALSE} >= LONG
    return [pytest.param(x, id=name, marks=[pytest.mark.long] * (name in LONG)) for name, x in table.items()]


@pytest.mark.parametrize("posed", list_cases(TRUE))
@pytest.mark.slow
def test_the_formula_of_a_true_claim_is_proved_to_be_an_invariant(tmp_path: Path, posed: Posed) -> None:
    claim, path = posed.write(tmp_path)
    outcome = search(claim, path, 600)
    assert outcome.stage is SearchStage.PROOF, outcome.obstacle
    assert settle_with(claim, path, outcome.text).verdict is Verdict.PROVED


@pytest.mark.parametrize("posed", list_cases(FALSE))
@pytest.mark.slow
def test_no_proof_is_found_for_a_false_variant(tmp_path: Path, posed: Posed) -> None:
    claim, path = posed.write(tmp_path)
    assert read_answers(state_as_hypothesis(unfold_claim(claim))) is not None or "grundy" in posed.then
    outcome = search(claim, path)
    assert outcome.stage is not SearchStage.PROOF, outcome.text
    assert not outcome.text


@pytest.mark.parametrize("name", ["another relation", "parts are equal", "ends are equal"])
@pytest.mark.slow
def test_the_closest_attempt_is_reported(tmp_path: Path, name: str) -> None:
    claim, path = FALSE[name].write(tmp_path)
    outcome = SearchProgress()
    find_proof(claim, path, Nearby(), Deadline(60), lambda _: None, outcome)
    assert outcome.stage is not SearchStage.PROOF
    assert outcome.obstacle.startswith("closest attempt: rule ")
    assert "by the formula" in outcome.obstacle


def test_the_statement_does_not_depend_on_the_names_of_variables(tmp_path: Path) -> None:
    told = []
    for names in ("ab", "xy", "hg"):
        first, second = names
        domains = (f'{first} = "0.."', f'{second} = "{first}.."')
        posed = Posed(NIM, domains, f"iff(not wins(position([{first}, {second}])), {first} == {second})")
        statement = read_statement(*posed.write(tmp_path))
        assert statement is not None
        assert len(statement.moves) == 2
        told.append(statement)
    assert [len(x.names) for x in told] == [2, 2, 2]
    assert not set(told[1].names) & {"x", "y"}


@pytest.mark.parametrize(
    "then",
    [
        "grundy(position([a, b])) == a ^ b",
        "grundy(position([a, b])) == a + b",
        "iff(grundy(position([a, b])) == 0, a == b)",
        "iff(not wins(position([a, b])), wins(position([b, a])))",
        "iff(not wins(position([a, a])), True)",
        "iff(not wins(position([a, b])), a == b) and iff(not wins(position([b, a])), a == b)",
    ],
)
def test_a_claim_of_another_form_has_no_statement_about_losses(tmp_path: Path, then: str) -> None:
    assert read_statement(*Posed(NIM, TWO, then).write(tmp_path)) is None


@pytest.mark.slow
def test_the_other_searches_follow_when_the_statement_used_its_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[Deadline] = []

    def run_out(*given: object) -> None:
        shares.extend(x for x in given if isinstance(x, Deadline))
        raise OutOfTime

    monkeypatch.setattr(proofs, "find_stated_proof", run_out)
    claim, path = Posed(NIM, LIST, "iff(wins(s), nim_sum(s) != 0)").write(tmp_path)
    outcome, clock, told = SearchProgress(), Deadline(600), list[str]()
    find_proof(claim, path, Nearby(), clock, told.append, outcome)
    assert outcome.stage is SearchStage.PROOF
    assert any("reached its time limit" in line for line in told)
    assert clock.deadline is not None
    assert [x.deadline is not None and x.deadline < clock.deadline for x in shares] == [True]
