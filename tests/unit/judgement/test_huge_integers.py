"""Integers of any size at every place of a file: a verdict or a named limit, never an internal error."""

from pathlib import Path

import pytest
from commands import run_within
from settling import exhaustive, settle_claim, written

from checks.judgement.routes import choose_prover
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from encoders.solvers.effort import USUAL

NUMBERS = ("10 ** 30", "2 ** 20000", "2 ** (10 ** 9)", "2 ** 62", "2 ** 63 - 1", "2 ** 64", "-10 ** 30")
LITERALS = {"10^30": 10**30, "10^399": 10**399, "2^62": 2**62, "2^63 - 1": 2**63 - 1, "2^64": 2**64}
FEW = 2  # numbers at each place; with the others the test is slow

PARTS = """
format = 1
title = "Lists"
players = ["A", "B"]
stuck = "loses"
measure = "sum(sum(h.c) for h in s)"
[heap]
c = "list of 0.."
[[moves]]
choose = "any heap h"
where = "sum(h.c) > 0"
become = [{ c = "[]" }]
"""


def about(game: str, then: str, domain: str = 'h = "1.."', scope: str = 'h = "1..5"') -> str:
    return f'ruleset = "{game}"\n[forall]\n{domain}\n[claim]\nthen = "{then}"\n[scope]\n{scope}\n'


def of_numbers(then: str, domain: str = 'n = "1..3"', scope: str = "") -> str:
    return f'[forall]\n{domain}\n[claim]\nthen = "{then}"\n' + (f"[scope]\n{scope}\n" if scope else "")


S, SCOPE = 's = "position"', 's = {{ heaps = "0..2", size = "1..3" }}'
PLACES = {
    "players": about("n-player-subtraction(n = {}, S = {{1, 2}})", "value(position([h]), 0) >= 0"),
    "a player": about("n-player-subtraction(n = 3, S = {{1, 2}})", "value(position([h]), {}) >= 0"),
    "an element of a set": about("subtraction(S = {{1, {}}})", "wins(position([h])) == (h % 2 == 1)"),
    "a digit of an octal code": about("octal(code = [7, {}])", "grundy(position([h])) >= 0"),
    "a parameter": about("bash-nim(k = {})", "grundy(position([h])) >= 0"),
    "parameters of players": about("kl-nim(k = {0}, l = {0})", "wins(s, P1) or not wins(s, P1)", S, SCOPE),
    "a heap": about("nim", "wins(position([h, {}]))"),
    "the value of a heap": about("nim", "grundy(position([{0}])) == {0}"),
    "options of a heap": about("nim", "len(options(position([{}]))) > h"),
    "so many heaps": about("nim", "wins(position([1 for x in range({})]))"),
    "a heap that replaces": of_numbers("replace(position([n]), n, {0}) == position([{0}])"),
    "a lower bound": of_numbers("n * n >= n", 'n = "{}.."', 'n = "1..5"'),
    "an upper bound": of_numbers("n * n >= n", 'n = "1..{}"', 'n = "1..5"'),
    "an upper bound alone": of_numbers("n * n < 9", 'n = "1..{}"'),
    "both bounds": of_numbers("n * n >= n", 'n = "{0}..{0} + 3"'),
    "bounds outside the scope": of_numbers("n * n >= n", 'n = "{0}..{0} + 3"', 'n = "1..5"'),
    "a listed value": of_numbers("n * n >= n", 'n = {{ in = "[1, {}]" }}'),
    "so many listed values": of_numbers("n * n < 9", 'n = {{ in = "range({})" }}'),
    "an exponent": of_numbers("n ** ({}) > 0"),
    "a base": of_numbers("({0}) ** n != 0 and abs({0}) > 0"),
    "a binary place": of_numbers("bit(n, {0}) == 0 and bit({0}, n) <= 1"),
    "an index": of_numbers("[1, 2, 3][{}] == n"),
    "the end of a slice": of_numbers("len([1, 2, 3][1:{}]) == 2"),
    "a place that is changed": of_numbers("put([1, 2, 3], {}, n) == [1]"),
    "digits": of_numbers("digit_sum({0} + n, {0} + 2) + valuation({0}, {0} + 2) + gcd({0}, n) + popcount({0}) > 0"),
    "a root": of_numbers("isqrt({0}) + top_bit({0}) > 0 and columns([n, {0}], {0}, {0}) >= 0"),
    "a divisor": of_numbers("n % ({0}) + n // ({0}) + ({0}) // n >= 0 and n / ({0}) < 7"),
    "a prime": of_numbers("is_prime({} + n) or n > 0"),
    "draws": of_numbers("nim_sum_ways([1, 1], {})[0] > 0"),
    "a weight": of_numbers("nim_sum_ways([1, {}], n)[0] > 0"),
    "a sum over a range": of_numbers("sum(x for x in range({})) > 0"),
    "a slack exponent": of_numbers("1 ** ({0}) + 0 ** ({0}) > 0"),
}
LITERAL = {
    "the scope of a number": of_numbers("n != 77", 'n = "1.."', 'n = "1..{}"'),
    "the scope of one number": of_numbers("n > 0", 'n = "1.."', 'n = "{0}..{0}"'),
    "the number in a scope": of_numbers("n > 0", 'n = "1.."', "n = {}"),
    "so many heaps in a scope": about("nim", "wins(s) or len(s) < 2", S, 's = {{ heaps = "0..{}", size = "1..3" }}'),
    "heaps of a scope": about("nim", "wins(s) or len(s) < 2", S, 's = {{ heaps = "0..2", size = "1..{}" }}'),
    "large heaps of a scope": about("nim", "wins(s)", S, 's = {{ heaps = "1..2", size = "{0}..{0}" }}'),
    "heaps and sizes of a scope": about("nim", "wins(s)", S, 's = {{ heaps = "0..{0}", size = "1..{0}" }}'),
    "heaps with parts of a scope": about(
        "lists", "len(s) >= 0", S, 's = {{ heaps = "0..{}", c = {{ length = "0..1", each = "0..2" }} }}'
    ),
    "a total": about("nim", "wins(s) or s == s", S, 's = {{ heaps = "0..2", size = "1..3", total = "0..{}" }}'),
    "a listed position": about("nim", "wins(s)", "s = {{ in = [[1, {}]] }}", ""),
    "a listed number": of_numbers("n * n > 0", "n = {{ in = [1, {}] }}"),
    "lists of a scope": about(
        "lists", "len(s) >= 0", S, 's = {{ heaps = "0..1", c = {{ length = "0..{}", each = "0..2" }} }}'
    ),
    "elements of lists": about(
        "lists", "len(s) >= 0", S, 's = {{ heaps = "0..1", c = {{ length = "0..1", each = "0..{}" }} }}'
    ),
    "the domain of an obligation": of_numbers("n != 77", 'n = "{}.."', 'n = "1..9"') + '[proof]\nrule = "definition"\n',
    "a set": of_numbers("len(A) >= 0", 'A = "subsets of {0}..{0}"'),
}
TABLES = ((PLACES, NUMBERS), (LITERAL, tuple(LITERALS)))
ROWS = [
    pytest.param(text, number, id=f"{place}, {number}", marks=() if numbers.index(number) < FEW else pytest.mark.slow)
    for table, numbers in TABLES
    for place, text in table.items()
    for number in numbers
]


@pytest.mark.parametrize(("text", "number"), ROWS)
def test_it_has_a_verdict_or_meets_a_limit_or_is_refused(tmp_path: Path, text: str, number: str) -> None:
    (tmp_path / "lists.toml").write_text(PARTS, "utf-8")
    try:
        claim = written(tmp_path, text.format(LITERALS.get(number, number)))
    except ClaimError:  # golden files contain its messages
        return
    prover = choose_prover(claim, (), USUAL)
    found = settle_claim(claim, claim.scope("quick"), exhaustive, 2.0, prover)
    assert found.verdict is not Verdict.INCONSISTENT, found.finding.error
    assert "internal" not in found.finding.error
    assert found.verdict is not Verdict.INCONCLUSIVE or found.finding.not_established


def test_a_limit_names_the_number(tmp_path: Path) -> None:
    claim = written(tmp_path, PLACES["players"].format("10 ** 30"))
    found = settle_claim(claim, claim.scope("quick"), exhaustive, None)
    assert f"a game of {10**30} players; at most 10 000 are supported" in found.finding.not_established
    claim = written(tmp_path, PLACES["players"].format("10_000"))
    assert settle_claim(claim, claim.scope("quick"), exhaustive, None).verdict is Verdict.VERIFIED


def test_sets_of_numbers_beyond_64_bits(tmp_path: Path) -> None:
    claim = written(tmp_path, of_numbers("sum(A) < {0} + 3", 'A = "subsets of {0}..{1}"').format(2**64, 2**64 + 1))
    found = settle_claim(claim, claim.scope("quick"), exhaustive, None)
    assert dict(found.finding.counterexample.variables) == {"A": (2**64, 2**64 + 1)}


COMMANDS = {
    "players": (("solve", "n-player-subtraction", "--set", "n=10**12", "--set", "S={1}", "5"), 2, "at most 10_000"),
    "a heap": (("solve", "nim", "2**70"), 2, ""),
    "a long heap": (("solve", "nim", "(2**20000,)"), 2, "numbers of at most 400 digits"),
    "two heaps": (("solve", "nim", "(2**70, 2**70)"), 3, "not completely solved"),
    "a parameter": (("solve", "bash-nim", "--set", f"k={10**30}", "(5,)"), 0, ""),
    "a long parameter": (("solve", "bash-nim", "--set", "k=2**20000", "(5,)"), 2, "numbers of at most 400 digits"),
    "below its domain": (("solve", "bash-nim", "--set", f"k=-{10**30}", "(5,)"), 2, "outside the domain"),
    "an element": (("solve", "subtraction", "--set", f"S={{1, {2**70}}}", "(5,)"), 0, ""),
    "a table": (("solve", "nim", "--table", f"0..{10**30}"), 2, "at most"),
    "a table of two heaps": (("solve", "nim", "--heaps", "2", "--table", f"0..{10**30}"), 2, "at most"),
    "a case": (("explain", "nim/bouton", "--set", f"s=({10**30},)"), 0, ""),
    "what is found": (("find", "bash-nim", "--set", f"k=-{10**30}"), 2, "outside the domain"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_answers_or_refuses(name: str) -> None:
    words, code, told = COMMANDS[name]
    done = run_within(*words)
    assert (done.returncode, told in done.stdout + done.stderr) == (code, True), done
