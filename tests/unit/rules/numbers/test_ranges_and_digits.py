"""Conditions on all numbers of a range, exponents, digit sums and primes, in claims, rules of games and proofs."""

from pathlib import Path

import pytest
from proofs import HEAD, NIM, RULES, asked

from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import load_claim

MANY = " + ".join(f"popcount(x * x + {i})" for i in range(14))


def prove(folder: Path, domain: str, then: str, proof: str, rules: str = "") -> RouteResult:
    """Return the answer about a claim on n, or x, with a tiny scope; on `own` if there are rules."""
    name = "n" if rules else "x"
    low = domain.split("..", maxsplit=1)[0]
    game = 'ruleset = "own"\n' if rules else ""
    body = f'{game}[forall]\n{name} = "{domain}"\n[claim]\nthen = "{then}"\n[scope]\n{name} = "{low}..{low}"\n'
    (folder / "claim.toml").write_text(f"{HEAD}{body}[proof]\n{proof}", "utf-8")
    if rules:
        (folder / "own.toml").write_text(RULES + rules, "utf-8")
    return asked(load_claim(folder / "claim.toml", "claim"))


def play(folder: Path, where: str, then: str, loses: str, take: str = "", rules: str = NIM) -> RouteResult:
    """Return the answer about one heap of n, by few heaps. A named move wins from every heap that is not lost."""
    if where:
        rules = rules.replace("become", f'where = "{where}"\nbecome')
    moves = f'[[proof.moves]]\nwhen = "True"\nheaps = ["a"]\ntake = {{ m = "{take}" }}\n' if take else ""
    proof = f'rule = "few heaps"\nheaps = ["a"]\n[proof.loses]\nmover = "{loses}"\n{moves}'
    return prove(folder, "0..", then, proof, rules)


# -- integers alone ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("domain", "then"),
    [
        ("1..", "valuation(3 * x, 3) == valuation(x, 3) + 1 and valuation(9 * x, 3) >= 2"),
        ("1..", "valuation(3 * x + 2, 3) == 0 and iff(valuation(x, 3) >= 1, x % 3 == 0)"),
        ("1..", "valuation(0 - x, 2) >= 0 and valuation(2 * x + 4, 2) == valuation(x + 2, 2) + 1"),
        ("0..", "popcount(2 * x + 1) == popcount(x) + 1 and popcount(x) == digit_sum(x, 2)"),
        ("0..", "digit_sum(10 * x + 7, 10) == digit_sum(x, 10) + 7 and digit_sum(x, 10) <= x"),
        (
            "1..",
            "popcount(x) >= 1 and popcount(4) == 1 and digit_sum(19, 10) == 10 and popcount(4 * x) == popcount(2 * x)",
        ),
    ],
)
def test_what_is_known_of_exponents_and_digits_is_certified(tmp_path: Path, domain: str, then: str) -> None:
    found = prove(tmp_path, domain, then, 'rule = "arithmetic"\n')
    assert found.decision is Decision.HOLDS, found.detail
    assert all(o.certificate is not None for o in found.obligations)


@pytest.mark.parametrize(
    ("domain", "then"),
    [
        ("1..", "valuation(3 * x, 3) == valuation(x, 3) + 2"),
        ("1..", "valuation(2 * x, 3) == valuation(x, 2) + 1"),
        ("1..", "valuation(2 * x, 4) == valuation(x, 4)"),
        ("1..", "implies(x % 3 == 0, valuation(x, 3) == 1)"),
        ("2..3", "digit_sum(x + 30, 10) == digit_sum(x, 10) + 30 - 9 * x"),  # the last digit of 32 is not 12
        ("0..", "digit_sum(x, 10) == x or x < 5"),
        ("0..", "popcount(x) == digit_sum(x, 3)"),
        ("0..", "digit_sum(x, 10) >= 1"),
        ("0..", "valuation(x, 2) >= 0"),
        ("-3..", "popcount(x) >= 0"),
    ],
)
@pytest.mark.slow
def test_what_is_false_of_them_is_not(tmp_path: Path, domain: str, then: str) -> None:
    assert prove(tmp_path, domain, then, 'rule = "arithmetic"\n').decision is Decision.UNKNOWN


@pytest.mark.parametrize(
    ("then", "words"),
    [
        ("valuation(x, x + 2) >= 0", "valuation(x, x + 2): the base must be a number, at least 2"),
        (f"{MANY} >= 0", "popcount(x * x + 12): one obligation contains digits of more than 24 numbers"),
    ],
)
def test_what_is_not_read_is_told(tmp_path: Path, then: str, words: str) -> None:
    found = prove(tmp_path, "1..", then, 'rule = "arithmetic"\n')
    assert found.decision is Decision.UNSUPPORTED and words in found.detail


# -- games ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("where", "then", "loses", "take"),
    [
        ("all(d < 0 for d in range(5, m))", "iff(not wins(position([n])), n % 6 == 0)", "a % 6 == 0", "a % 6"),
        ("not any(d >= 5 for d in range(5, m))", "iff(not wins(position([n])), n % 6 == 0)", "a % 6 == 0", "a % 6"),
        ("all(d != 2 for d in range(0, m))", "iff(not wins(position([n])), n % 3 == 0)", "a % 3 == 0", "a % 3"),
        ("all(d * d != m for d in range(0, 2))", "iff(not wins(position([n])), n < 2)", "a < 2", "a"),
        ("any(d == m for d in range(1, 4))", "iff(wins(position([n])), n % 4 != 0)", "a % 4 == 0", "a % 4"),
        ("all(m % d != 0 for d in range(2, m))", "iff(not wins(position([n])), n % 4 == 0)", "a % 4 == 0", "a % 4"),
    ],
)  # fmt: skip
def test_rules_that_ask_of_a_range(tmp_path: Path, where: str, then: str, loses: str, take: str) -> None:
    found = play(tmp_path, where, then, loses, take)
    assert found.decision is Decision.HOLDS, found.detail


@pytest.mark.parametrize(
    ("where", "then", "loses", "take"),
    [
        # At most 5, or at most 100, may be taken: only the heap 0 is lost without a move.
        ("not any(d >= 5 for d in range(5, m))", "not wins(position([n]))", "True", ""),
        ("not any(d > 99 for d in range(0, m))", "not wins(position([n]))", "True", ""),
        ("not any(d >= 0 for d in range(0, m) if d > 5)", "not wins(position([n]))", "True", ""),
        ("all(d <= 99 for d in range(0, m) if d >= 99)", "not wins(position([n]))", "True", ""),
        # The heap of 4, or the heaps of 3 and 5, cannot be taken as a whole. The questions differ in their condition or
        # their heap.
        ("iff(any(d == 3 for d in range(0, m)), any(d == 4 for d in range(0, m)))", "{}", "a == 0", "a"),
        ("iff(any(d == 3 for d in range(0, m)), any(d == 3 for d in range(0, m + 1)))", "{}", "a == 0", "a"),
        ("iff(any(d <= 5 for d in range(5, m)), any(d <= 5 for d in range(4, m)))", "{}", "a == 0", "a"),
        ("iff(any(d == m - 1 for d in range(4, m)), any(d == h + 9 for d in range(4, m)))", "{}", "a == 0", "a"),
        ("all(d != 20 for d in range(0, 21) if m > 20)", "{}", "a == 0", "a"),
        ("all(m % d != 0 for d in range(2, m))", "{}", "a == 0", "a"),
    ],
)
def test_what_is_false_of_such_games_is_not_proved(
    tmp_path: Path, where: str, then: str, loses: str, take: str
) -> None:
    found = play(tmp_path, where, then.format("iff(not wins(position([n])), n == 0)"), loses, take)
    assert found.decision is Decision.UNKNOWN, found.detail


def test_each_number_of_a_range_has_to_have_a_value(tmp_path: Path) -> None:
    found = play(tmp_path, "all(6 // (5 - d) < 9 for d in range(0, m))", "wins(position([n])) or n == 0", "a == 0", "a")
    (open_,) = (o.name for o in found.obligations if not o.proved)
    assert open_ == "`where` of move 1 of own is defined: 6 // (5 - d) needs 5 - d != 0"


@pytest.mark.parametrize(
    "loses",
    [
        "valuation(3 * a, 3) == valuation(a, 3)",  # for 0, any number: but not one more than itself
        "a == 0 and digit_sum(a - 1, 10) >= 0",  # for -1 and its quotient by 10, which is -1
        "a == 0 and popcount(a - 5) >= 0",
    ],
)
@pytest.mark.slow
def test_where_there_is_no_value_nothing_is_known(tmp_path: Path, loses: str) -> None:
    """No player wins the empty position. A false fact about it would prove this."""
    assert play(tmp_path, "", "wins(position([n]))", loses, "a").decision is Decision.UNKNOWN
    assert play(tmp_path, "", "iff(wins(position([n])), n > 0)", loses, "a").decision is Decision.HOLDS


def test_to_the_base_1_nothing_is_read(tmp_path: Path) -> None:
    """For base 1, a multiple of the base would have an exponent one more than itself."""
    found = play(tmp_path, "", "wins(position([n]))", "a == 0 and valuation(a + 1, 1) >= 0", "a")
    assert found.decision is Decision.UNSUPPORTED and "at least 2" in found.detail


def test_sums_over_ranges_are_not_read_in_games(tmp_path: Path) -> None:
    found = play(tmp_path, "sum(d for d in range(0, m)) != 3", "wins(position([n])) or n == 0", "a == 0", "a")
    assert found.decision is Decision.UNSUPPORTED and "or use digit_sum(x, b)" in found.detail


# -- primes -----------------------------------------------------------------------------------------------------------
LOST = "iff(not wins(position([n])), {})"


@pytest.mark.parametrize(
    ("domain", "then"),
    [
        ("0..", "implies(is_prime(x), x >= 2) and is_prime(2) and not is_prime(4) and not is_prime(0 - x)"),
        ("0..", "implies(is_prime(x) and x % 6 == 3, x == 3)"),
        ("3..", "implies(is_prime(x), x % 2 == 1) and not is_prime(4 * x) and not is_prime(21 * x + 7)"),
        ("0..", "implies(x < 25 and x % 2 == 1 and x % 3 > 0 and x > 1, is_prime(x))"),
        ("-9..", "iff(is_prime(x), is_prime(2 * x - x)) and implies(x % 2 == 0 and is_prime(x), x == 2)"),
    ],
)
def test_what_is_known_of_primes_is_certified(tmp_path: Path, domain: str, then: str) -> None:
    found = prove(tmp_path, domain, then, 'rule = "arithmetic"\n')
    assert found.decision is Decision.HOLDS, found.detail
    assert all(o.certificate is not None for o in found.obligations)


@pytest.mark.parametrize(
    ("domain", "then"),
    [
        ("7..", "not is_prime(x)"),
        ("24..", "is_prime(x)"),
        ("0..", "implies(is_prime(x), x % 2 == 1)"),  # false at 2 only
        ("4..", "implies(is_prime(x), x % 4 == 3)"),
        ("0..", "implies(x > 1 and x % 2 > 0 and x % 3 > 0 and x % 5 > 0, is_prime(x))"),  # false at 49
        ("4..", "implies(is_prime(x), not is_prime(x + 2))"),
        ("0..", "implies(is_prime(x), x < 1000003)"),
        ("0..", "iff(is_prime(x), is_prime(x + 1))"),
        ("0..", "implies(not is_prime(x), x < 2 or x % 2 == 0 or x % 3 == 0)"),  # false at 25
        ("0..", "is_prime(4) or x < 5"),
        ("0..", "is_prime(0 - 7) or x < 5"),
    ],
)
def test_what_is_false_of_primes_is_not_proved(tmp_path: Path, domain: str, then: str) -> None:
    assert prove(tmp_path, domain, then, 'rule = "arithmetic"\n').decision is Decision.UNKNOWN


@pytest.mark.parametrize(
    ("where", "lost", "take"),
    [
        ("m == 1 or is_prime(m)", "{n} % 4 == 0", "a % 4"),
        ("m == 1 or is_prime(m) and m != 2", "{n} % 2 == 0", "1"),
        ("is_prime(m) or not is_prime(m)", "{n} == 0", "a"),
        ("m == 1 or is_prime(m) and m != 3", "{n} % 3 == 0", "a % 3"),
    ],
)
def test_games_in_which_a_move_takes_a_prime(tmp_path: Path, where: str, lost: str, take: str) -> None:
    found = play(tmp_path, where, LOST.format(lost.format(n="n")), lost.format(n="a"), take)
    assert found.decision is Decision.HOLDS, found.detail


@pytest.mark.parametrize(
    ("where", "lost", "take"),
    [
        ("m == 1 or is_prime(m)", "{n} % 3 == 0", "a % 3"),  # taking 3 leads from 6 to 3
        ("m == 1 or m % 2 == 1", "{n} % 4 == 0", "a % 4"),
        ("is_prime(m)", "{n} % 4 == 0", "a % 4"),  # from 1 nobody can move
        ("m == 1 or not is_prime(m)", "{n} % 4 == 0", "a % 4"),
        ("m == 1 or is_prime(m + 1)", "{n} % 4 == 0", "a % 4"),
        ("m == 1 or m == 4 or is_prime(m)", "{n} % 4 == 0", "a % 4"),
        ("m == 1 or m == 1000004 or is_prime(m)", "{n} % 4 == 0", "a % 4"),
        ("m < 4 or is_prime(m) or m == 8 and not is_prime(h)", "{n} % 4 == 0", "a % 4"),
        ("m < 4 or is_prime(h - 1)", "{n} % 4 == 0", "a % 4"),  # from 4 a player may take 4
        ("m < 4 or is_prime(m - 3)", "{n} % 4 == 0", "a % 4"),  # false first at 8: 8 - 3 is prime
        ("m < 4 or is_prime(0 - m)", "{n} % 5 == 0", "a % 5"),
        ("m == 2 or m == 3 or is_prime(1)", "{n} % 4 == 0", "a % 4"),
    ],
)
def test_what_is_false_of_games_with_primes_is_not_proved(tmp_path: Path, where: str, lost: str, take: str) -> None:
    found = play(tmp_path, where, LOST.format(lost.format(n="n")), lost.format(n="a"), take)
    assert found.decision is Decision.UNKNOWN, found.detail


VALUES = """rule = "grundy"
heap = "{k}*q + e"
value = "e"
below = "v"
[proof.digits]
q = "0.."
e = "0..{k} - 1"
[proof.below_digits]
v = "0.."
[[proof.options]]
digits = {{ q = "q", e = "v" }}
take = {{ m = "h - y" }}
[[proof.at]]
heap = "h"
[[proof.divide]]
dividend = "h"
divisor = "{k}"
quotient = "q"
remainder = "e"
"""


@pytest.mark.parametrize(
    ("where", "k", "proved"),
    [
        ("m == 1 or is_prime(m)", 4, True),
        ("m == 1 or is_prime(m) and m > 2", 2, True),
        ("m == 1 or is_prime(m)", 3, False),
        ("m == 1 or is_prime(m)", 2, False),
        ("m == 1 or m % 2 == 1", 4, False),
        ("m == 1 or not is_prime(m)", 4, False),
        ("is_prime(m)", 4, False),
        ("m < 4 or is_prime(m + 1) and is_prime(m - 1)", 4, False),  # 4 and 12
        ("m < 4 or m > 1000000 and is_prime(m + 3)", 4, False),
        ("m == 1 or m == 4 or is_prime(m)", 4, False),
    ],
)
def test_values_of_games_in_which_a_move_takes_a_prime(tmp_path: Path, where: str, k: int, proved: bool) -> None:
    rules = NIM.replace("become", f'where = "{where}"\nbecome')
    found = prove(tmp_path, "0..", f"grundy(position([n])) == n % {k}", VALUES.format(k=k), rules)
    assert found.decision is (Decision.HOLDS if proved else Decision.UNKNOWN), found.detail


def test_many_conditions_on_primes_are_refused(tmp_path: Path) -> None:
    many = " or ".join(f"is_prime(x * x + {i})" for i in range(25))
    found = prove(tmp_path, "1..", f"{many} or x > 0", 'rule = "arithmetic"\n')
    assert found.decision is Decision.UNSUPPORTED
    assert "is_prime(x * x + 24): one obligation asks of more than 24 numbers whether they are prime" in found.detail
