"""Sums, choices, powers of 2 and empty positions in proofs by folds: true claims, and similar false ones."""

from pathlib import Path

import pytest
from proofs import NIM, RULES, asked, written

from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import load_claim

POSITION = '[forall]\nk = "1.."\ns = "position"\n[scope]\nk = "1..2"\ns = { heaps = "0..1", size = "1..1" }\n'
NUMBERS = '[forall]\nn = "0.."\nm = "0.."\nk = "1.."\n[scope]\nn = "0..1"\nm = "0..1"\nk = "1..1"\n'
PROOF = '[proof]\nrule = "folds"\n'


def prove(folder: Path, then: str, folds: tuple[str, ...] = (), facts: tuple[str, ...] = ()) -> RouteResult:
    """Return the answer about a claim on all positions."""
    proof = PROOF + "[proof.folds]\n" + "".join(f'{x[0]} = "{x[4:]}"\n' for x in folds)
    return asked(
        written(folder, POSITION + proof + "[proof.facts]\n" + "".join(f'"{x}" = "{x}"\n' for x in facts), then)
    )


X, T, N = "X = nim_sum(s)", "T = sum(s)", "N = len(s)"
C = "C = nim_sum(max(h - k, 0) for h in s)"
D = "D = nim_sum(h - k if h > k else 0 for h in s)"
E = "E = nim_sum(h - k for h in s if h > k)"
OF_POSITIONS = [
    ((X, T), "T % 2 == X % 2", "sum(s) % 2 == nim_sum(s) % 2", True),
    ((X, T), "T % 4 == X % 4", "sum(s) % 4 == nim_sum(s) % 4", False),
    ((X, T), "X <= T", "nim_sum(s) <= sum(s)", True),
    ((X, T), "X < T", "nim_sum(s) < sum(s)", False),
    ((N, T), "N <= T", "len(s) <= sum(s)", True),
    ((N, T), "2 * N <= T", "2 * len(s) <= sum(s)", False),
    (
        ("P = sum(h - k for h in s)", "Q = sum(k - h for h in s)"),
        "P + Q == 0",
        "sum(h - k for h in s) == -sum(k - h for h in s)",
        True,
    ),
    (("P = sum(h - k for h in s)",), "P >= 0", "sum(h - k for h in s) >= 0", False),
    ((C, D), "C == D", "nim_sum(max(h - k, 0) for h in s) == nim_sum(h - k if h > k else 0 for h in s)", True),
    ((C, E), "C == E", "nim_sum(max(h - k, 0) for h in s) == nim_sum(h - k for h in s if h > k)", True),
    ((C, X), "C <= X", "nim_sum(max(h - k, 0) for h in s) <= nim_sum(s)", False),
    ((X, "Y = nim_sum(h % 8 for h in s)"), "Y == X % 8", "nim_sum(h % 8 for h in s) == nim_sum(s) % 8", True),
    ((X, "Y = nim_sum(h % 8 for h in s)"), "Y == X % 16", "nim_sum(h % 8 for h in s) == nim_sum(s) % 16", False),
    ((X, "Y = nim_sum(h % 6 for h in s)"), "Y == X % 6", "nim_sum(h % 6 for h in s) == nim_sum(s) % 6", False),
    ((X, "Y = nim_sum(h // 2 for h in s)"), "Y == X // 2", "nim_sum(h // 2 for h in s) == nim_sum(s) // 2", True),
    ((X, "Y = nim_sum(h // 3 for h in s)"), "Y == X // 3", "nim_sum(h // 3 for h in s) == nim_sum(s) // 3", False),
    (("A = sum(isqrt(h) for h in s)", T), "A <= T", "sum(isqrt(h) for h in s) <= sum(s)", True),
    (("A = sum(isqrt(h) for h in s)", T), "A < T", "sum(isqrt(h) for h in s) < sum(s)", False),
    (
        ("A = count(isqrt(h) >= 2 for h in s)", "B = count(h >= 4 for h in s)"),
        "A == B",
        "count(isqrt(h) >= 2 for h in s) == count(h >= 4 for h in s)",
        True,
    ),
    (
        ("A = count(isqrt(h) >= 2 for h in s)", "B = count(h > 4 for h in s)"),
        "A == B",
        "count(isqrt(h) >= 2 for h in s) == count(h > 4 for h in s)",
        False,
    ),
    (
        ("A = count(h // k >= 1 for h in s)", "B = count(h >= k for h in s)"),
        "A == B",
        "count(h // k >= 1 for h in s) == count(h >= k for h in s)",
        True,
    ),
    (
        ("A = count(h // k >= 2 for h in s)", "B = count(h > k for h in s)"),
        "A == B",
        "count(h // k >= 2 for h in s) == count(h > k for h in s)",
        False,
    ),
]


@pytest.mark.parametrize(("folds", "fact", "then", "holds"), OF_POSITIONS, ids=[then for _, _, then, _ in OF_POSITIONS])
def test_facts_about_any_position(tmp_path: Path, folds: tuple[str, ...], fact: str, then: str, holds: bool) -> None:
    found = prove(tmp_path, then, folds, (fact,))
    assert found.decision == ("holds" if holds else "unknown"), found.detail
    assert holds or f"fact '{fact}'" in found.detail


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("implies(len(s) == 0, nim_sum(s) == 0 and sum(s) == 0 and count(h > k for h in s) == 0)", True),
        ("implies(len(s) == 0, columns(s, 3, 1) == 0 and nim_sum(h + k for h in s if h > k) == 0)", True),
        ("implies(len(s) == 0, nim_sum(position([h % 2 for h in s])) == 0)", True),
        ("implies(len(s) <= 1, nim_sum(s) == 0)", False),
        ("implies(nim_sum(s) == 0, len(s) == 0)", False),
        ("count(h >= 1 for h in s) == len(s) and count(h != 0 for h in s if h > 0) == len(s)", True),
        ("count(h >= 2 for h in s) == len(s)", False),
        ("count(k >= 1 for h in s) == len(s)", False),  # true, but the rule does not look for the reason
        ("count(not (h % 2 == 1) for h in s) == count(h % 2 == 0 for h in s)", True),
        ("all(h % 2 == 0 for h in s) == (count(h % 2 == 1 for h in s) == 0)", True),
        ("count(h % 2 != 0 for h in s) == count(h % 2 == 1 for h in s)", True),
        ("count(not (h > k or h % 2 == 0) for h in s) == count(h <= k and h % 2 == 1 for h in s)", True),
        ("count(h % 2 != 0 for h in s) == count(h % 2 == 0 for h in s)", False),
        ("count(h % 3 != 0 for h in s) == count(h % 3 == 1 for h in s)", False),
        ("count(h % 2 != 2 for h in s) == count(h % 2 == -1 for h in s)", False),
        ("nim_sum(h % 2 ** 3 for h in s) == nim_sum(h % 8 for h in s)", True),
        ("nim_sum(h % 2 ** 3 for h in s) == nim_sum(h % 9 for h in s)", False),
        ("count(isqrt(h) * isqrt(h) > h for h in s) == 0", False),  # true, but it must be stated as a fact
        ("all(h >= 4 for h in s if isqrt(h) >= 2)", False),
        ("nim_sum(s + [k]) == (nim_sum(s) ^ k) and [k] + s == s + [k] and len(s + s) == 2 * len(s)", True),
        ("nim_sum(s + s) == 0 and sum([k, 2] + s) == sum(s) + k + 2", True),
        ("nim_sum(s + [k]) == nim_sum(s) + k", False),
        ("len(s + [k - 1]) == len(s) + 1", False),
        ("len(s + [k - 1]) == len(s) + (1 if k > 1 else 0)", True),
        ("len(s + [k - 2]) >= 0", False),  # k may be 1
        ("count(h == 1 for h in s + [1]) == s.count(1) + 1 and any(h == 1 for h in s + [1])", True),
        ("count(h == 1 for h in s + [1]) == s.count(1)", False),
        ("all(h > 1 for h in s + s) == all(h > 1 for h in s)", True),
        ("max(s + [k]) >= max(s)", False),  # the rule has no such fact about sums
        ("implies(len(s) in [2, 3] and len(s) not in {3}, len(s) == 2)", True),
        ("implies(len(s) in [2, 3], len(s) == 2)", False),
        ("implies(len(s) in range(2, 4), len(s) in [3, 2] and len(s) not in [])", True),
        ("implies(len(s) in range(2, 5), len(s) in [3, 2])", False),
        ("implies(len(s) in [k, k + 2], len(s) in {k + 2, k})", True),
        ("count(h in [1, 2] for h in s) == count(h in {2, 1, 2} for h in s)", True),
        ("count(h not in [1, 2] for h in s) == count(h != 1 and h != 2 for h in s)", True),
        ("count(h in [1, 2] for h in s) == count(h in [1, 3] for h in s)", False),
        ("count(h in range(2, 5) for h in s) == count(h >= 2 and h < 5 for h in s)", True),
        ("count(h in range(2, 5) for h in s) == count(h >= 2 and h <= 5 for h in s)", False),
    ],
)
@pytest.mark.slow
def test_what_is_known_without_being_said(tmp_path: Path, then: str, holds: bool) -> None:
    found = prove(tmp_path, then)
    assert found.decision == ("holds" if holds else "unknown"), found.detail


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("(n ^ m) % 64 == ((n % 64) ^ (m % 64))", True),
        ("(n ^ m) % 64 == ((n % 64) ^ (m % 32))", False),
        ("n % 256 == bit_and(n, 255)", True),
        ("n % 255 == bit_and(n, 254)", False),
        ("n % 1024 == n - 1024 * (n // 1024)", True),
        ("implies(n >= m, (n - m) % 8 == (n + 7 * m) % 8)", True),
        ("(n - m) % 8 == (n + 7 * m) % 8", True),  # the dividend may be negative, and the division is kept
        ("(n - m) % 8 == (n + m) % 8", False),
        ("implies(n < k, n // k == 0) and implies(n // k == 0, n < k)", True),
        ("n // k <= n", True),
        ("n // k < n", False),
        ("n == k * (n // k) + n % k", True),
        ("n == k * (n // k) + m % k", False),
    ],
)
def test_remainders_and_quotients(tmp_path: Path, then: str, holds: bool) -> None:
    found = asked(written(tmp_path, NUMBERS + PROOF, then))
    assert found.decision == ("holds" if holds else "unknown"), found.detail


@pytest.mark.parametrize("sizes", ['rule = "folds"', 'sizes = "< 2^8"'])
@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("j == 0 or n // j >= 0", False),
        ("j == 0 or n // j <= n", False),  # n = 1, j = -1: true, but the rule does not know it
        ("j < 1 or n // j <= n", True),
        ("j < 1 or (n - m) // j >= 0", False),
        ("j < 1 or (0 - n - 5) // j <= 0 - 5", False),  # n = 0, j = 9
        ("j < 1 or (0 - n - 1) // j >= 0 - n", False),
        ("n // j >= 0", False),
    ],
)
def test_quotients_of_and_by_negative_numbers(tmp_path: Path, sizes: str, then: str, holds: bool) -> None:
    domains = '[forall]\nn = "0.."\nm = "0.."\nj = "-9.."\n[scope]\nn = "0..1"\nm = "0..0"\nj = "1..1"\n'
    found = asked(written(tmp_path, f"{domains}[proof]\n{sizes}\n", then))
    assert (found.decision == "holds") is holds, found.detail


# -- heaps of at most t objects must be taken completely --------------------------------------------------------------
WHOLE = NIM.replace("become", 'where = "h > t or m == h"\nbecome')
WITH_T = RULES + 'parameters = { t = "1.." }\n'
T_AND_S = '[forall]\nt = "1.."\ns = "position"\n[scope]\nt = "1..2"\ns = { heaps = "0..1", size = "1..1" }\n'
VALUES = """[proof]
rule = "grundy"
heap = "q"
value = "max(q - t, 0) + (1 if q > 0 else 0)"
below = "v"
[proof.digits]
q = "0.."
[proof.below_digits]
v = "0.."
[[proof.options]]
when = "v <= 1"
digits = { q = "v" }
take = { m = "h - y" }
[[proof.options]]
when = "v > 1"
digits = { q = "v + t - 1" }
take = { m = "h - y" }
[[proof.at]]
heap = "h"
"""
COROLLARY = """[proof]
rule = "folds"
by = ["claim"]
[proof.folds]
X = "nim_sum(max(h - t, 0) + 1 for h in s)"
Y = "nim_sum(h - t + 1 for h in s)"
low = "count(h <= t for h in s)"
[proof.facts]
same = "implies(low == 0, X == Y)"
"""


@pytest.mark.parametrize(
    ("value", "given", "fails"),
    [
        ("max(h - t, 0) + 1", "h > t", ""),
        ("max(h - t, 1) + 1", "h > t", "sum: the terms are Grundy values"),
        ("max(h - t, 0) + 1", "h >= t - 2", "defined: nim_sum(h - t + 1 for h in s) needs h - t + 1 >= 0"),
        ("max(h - t, 0) + 1", "h >= t", "claim"),
    ],
)
def test_a_theorem_by_values_is_the_lemma_of_its_corollary(tmp_path: Path, value: str, given: str, fails: str) -> None:
    then = f"iff(not wins(s), nim_sum({value} for h in s) == 0)"
    theorem = written(tmp_path, T_AND_S + VALUES, then, rules=WHOLE, head=WITH_T)
    text = (tmp_path / "claim.toml").read_text("utf-8").replace(f"nim_sum({value} for", "nim_sum(h - t + 1 for")
    text = text.replace("then =", f'if = "all({given} for h in s)"\nthen =').replace(VALUES, COROLLARY)
    (tmp_path / "corollary.toml").write_text(text, "utf-8")
    answers = [asked(theorem), asked(load_claim(tmp_path / "corollary.toml", "corollary"))]
    open_ = [x.detail for x in answers if x.decision is not Decision.HOLDS]
    assert open_[0].startswith(f"{fails}: ") if fails else not open_, open_


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("all(grundy(position([h])) == max(h - t, 0) + 1 for h in s)", True),
        ("all(grundy(position([h])) >= 1 and grundy(position([h])) // 2 <= h for h in s)", True),
        (
            "all(grundy(position([h])) >= 2 for h in s if h > t) and not any(grundy(position([g])) == 0 for g in s)",
            True,
        ),
        ("all(grundy(position([h])) >= 2 for h in s if h >= t)", False),
        ("all(grundy(position([h])) >= 2 or t > 1 for h in s)", False),  # a heap of 1
        ("all(grundy(position([h])) <= h for h in s) and all(grundy(position([g])) <= g for g in s)", True),
        ("all(grundy(position([h])) <= h for h in s) and all(grundy(position([g])) < g or t > 1 for g in s)", False),
        ("all(g >= 1 for g in s) and all(h >= 1 for h in s)", True),
        ("any(grundy(position([h])) == 1 for h in s)", False),
    ],
)
def test_what_is_said_of_every_heap_and_its_value(tmp_path: Path, then: str, holds: bool) -> None:
    found = asked(written(tmp_path, T_AND_S + VALUES, then, rules=WHOLE, head=WITH_T))
    assert found.decision == ("holds" if holds else "unknown"), found.detail
    assert holds or found.detail.startswith("claim: fails at")


BLOCKS = NIM.replace("become", 'where = "m % k == 0"\nbecome')
WITH_K = RULES + 'parameters = { k = "1.." }\n'
OF_A_HEAP = '[forall]\nk = "1.."\nh = "0.."\n[scope]\nk = "1..2"\nh = "0..1"\n'
QUOTIENT = """[proof]
rule = "grundy"
heap = "k*q + r"
value = "q"
below = "v"
[proof.digits]
q = "0.."
r = "0..k-1"
[proof.below_digits]
v = "0.."
[[proof.options]]
digits = { q = "v", r = "r" }
take = { m = "h - y" }
[[proof.at]]
heap = "h"
"""
DIVIDE = """[[proof.divide]]
dividend = "h"
divisor = "k"
quotient = "q"
remainder = "r"
"""


@pytest.mark.parametrize("proof", [QUOTIENT, QUOTIENT + DIVIDE], ids=["invented", "named"])
@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("grundy(position([h])) == h // k", True),
        ("grundy(position([h])) // 2 == h // k // 2 and h % k < k", True),
        ("grundy(position([h])) == h // k or h < k and h % k == h", True),
        ("grundy(position([h])) == h // (k + 1)", False),
        ("grundy(position([h])) // 2 == h // k // 3", False),
    ],
)
def test_divisions_in_a_claim_of_values(tmp_path: Path, proof: str, then: str, holds: bool) -> None:
    """The divisions are in the proof, in its definitions, or elsewhere."""
    found = asked(written(tmp_path, OF_A_HEAP + proof, then, rules=BLOCKS, head=WITH_K))
    assert found.decision == ("holds" if holds else "unknown"), found.detail


@pytest.mark.parametrize(
    ("folds", "then", "told"),
    [
        (
            (),
            "count(h > 2 for h in s) >= nim_sum(h // 2 for h in s if h > 4)",
            "nim_sum(h // 2 for h in s if h > 4) = 1",
        ),
        ((), "count(h > 2 for h in s) >= nim_sum(h // 2 for h in s if h > 4)", "count(h > 2 for h in s) = 0"),
        (("C = count(h > 2 for h in s)",), "count(h > 2 for h in s) >= 1", "C of s = 0"),
        ((), "len(s) >= 1", "number of heaps of s = 0"),
    ],
)
def test_a_fold_without_a_name_is_told_as_its_term(
    folds: tuple[str, ...], then: str, told: str, tmp_path: Path
) -> None:
    detail = prove(tmp_path, then, folds).detail
    assert told in detail and "fold " not in detail
