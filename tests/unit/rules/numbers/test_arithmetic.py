"""The rule of arithmetic: true claims about integers, directly and by induction, and similar false ones."""

from pathlib import Path

import pytest
from proofs import HEAD, asked

from claims.language.errors import ClaimError
from claims.language.files.claim import Claim
from encoders.logic.answer import RouteResult
from encoders.proving.reading import Prover, load_claim
from encoders.refusals import Unsupported
from encoders.rules.arithmetic import ARITHMETIC
from encoders.trust import All

N, NX, XY = {"n": "0.."}, {"n": "0..", "x": "1.."}, {"x": "-9..", "y": "-9.."}
XK = {"x": "0..", "k": "1.."}
TRIANGULAR = "2 * sum(i for i in range(0, n + 1)) == n * (n + 1)"


def write(folder: Path, name: str, domains: dict[str, str], then: str, proof: str = "", given: str = "") -> Claim:
    """Return a claim by arithmetic with a tiny scope."""
    lines, scope = "", ""
    for variable, domain in domains.items():
        low = domain.split("..")[0]
        least = int(low) if low.lstrip("-").isdecimal() else 0
        lines += f'{variable} = "{domain}"\n'
        scope += f'{variable} = "{least}..{least + 1}"\n'
    condition = f'if = "{given}"\n' if given else ""
    body = f'[forall]\n{lines}[claim]\n{condition}then = "{then}"\n[scope]\n{scope}'
    (folder / f"{name}.toml").write_text(f'{HEAD}{body}[proof]\nrule = "arithmetic"\n{proof}', "utf-8")
    return load_claim(folder / f"{name}.toml", name)


def prove(folder: Path, domains: dict[str, str], then: str, proof: str = "", given: str = "") -> RouteResult:
    return asked(write(folder, "claim", domains, then, proof, given))


DIRECT = [
    (XY, "(x + y) ** 2 <= 2 * (x ** 2 + y ** 2)"),
    (XY, "2 * x * y <= x * x + y * y"),
    (XY, "x ** 3 - y ** 3 == (x - y) * (x * x + x * y + y * y)"),
    (XY, "max(x, y) + min(x, y) == x + y and abs(x - y) == max(x, y) - min(x, y)"),
    (XK, "x // k * k + x % k == x"),
    (XK, "(x + k) // k == x // k + 1"),
    (XK, "x // 2 // 3 == x // 6"),
    (XK, "isqrt(x * x) == x and isqrt(x) <= x"),
    (XK, "isqrt(x * x + 2 * x) == x"),
    (N, "sum(i for i in range(0, 5)) == 10 and sum(range(n, n + 3)) == 3 * n + 3"),
    (N, "any(i * i >= n for i in range(0, n + 1))"),
    (N, "all(i < n for i in range(n, n))"),
    (N, "sum(1 for i in range(5, n + 1)) == sum(1 for i in range(5, n)) + 1 or n < 5"),
    (N, "2 ** (n + 3) == 8 * 2 ** n and 2 ** 10 == 1024"),
    (N, "sum(i * i for i in range(0, n + 2)) == sum(i * i for i in range(0, n)) + 2 * n * n + 2 * n + 1"),
]
NOT_DIRECT = [
    (XY, "(x + y) ** 2 <= 2 * (x ** 2 + y ** 2) - (1 if x > 40 and x == y else 0)"),
    (XY, "x * x >= x + 12 or x < 3"),
    (XK, "(x + k) // k == x // k + 1 and x % k != 12"),
    (XK, "x // 2 // 3 == x // 5 or x < 9"),
    ({"x": "-9..", "k": "1.."}, "x % k == x or x >= k"),
    (XK, "isqrt(x * x + 2 * x + 1) == x or x > 2"),
    (N, "sum(i for i in range(0, n)) <= 40"),
    (N, "sum(i for i in range(0, n + 2)) == sum(i for i in range(0, n)) + 2 * n"),
    (N, "sum(i for i in range(0, n)) == sum(j + 0 * n for j in range(1, n)) + n // 40"),
    (N, "sum(n for i in range(0, n)) == sum(i for i in range(0, n)) or n < 3"),
    (NX, "sum(x * i for i in range(0, n)) == sum(n * i for i in range(0, n)) or n < 3"),
    (N, "sum(1 for i in range(5, n + 1)) == sum(1 for i in range(5, n)) + 1"),
    (N, "sum(1 for i in range(0, n)) == 0 or n >= 2"),
    (N, "sum(1 for i in range(0, n)) == sum(1 for i in range(1, n)) or n < 3"),
    (N, "any(i * i > n for i in range(0, n + 1))"),
    (N, "all(i < 9 for i in range(0, n))"),
    (N, "2 ** (n + 3) == 8 * 3 ** n or n < 3"),
    (NX, "x ** n == n ** x or n < 3 and x < 3"),
    (N, "isqrt(n) * isqrt(n) == n or n % 4 != 1"),
]


@pytest.mark.parametrize(("domains", "then"), DIRECT, ids=[then for _, then in DIRECT])
def test_what_holds_of_all_integers_is_proved_by_certificates(
    tmp_path: Path, domains: dict[str, str], then: str
) -> None:
    found = prove(tmp_path, domains, then)
    assert found.decision == "holds", found.detail
    assert {limit for _, limit in found.reach.limits} == {All()}
    assert all(o.certificate is not None for o in found.obligations)


@pytest.mark.parametrize(("domains", "then"), NOT_DIRECT, ids=[then for _, then in NOT_DIRECT])
def test_what_is_false_of_some_is_not(tmp_path: Path, domains: dict[str, str], then: str) -> None:
    assert prove(tmp_path, domains, then).decision == "unknown"


INDUCTIVE = [
    (N, TRIANGULAR, ""),
    (N, "sum(2 * i + 1 for i in range(0, n)) == n * n", ""),
    (N, "6 * sum(i * i for i in range(0, n + 1)) == n * (n + 1) * (2 * n + 1)", ""),
    (N, "sum(2 ** i for i in range(0, n)) == 2 ** n - 1 and 2 ** n > n", ""),
    (N, "(8 ** n - 1) % 7 == 0", ""),
    (NX, "sum(x ** i for i in range(0, n)) * (x - 1) == x ** n - 1", ""),
    (N, "count(i % 2 == 0 for i in range(0, 2 * n)) == n", ""),
    (N, "sum(i for i in range(0, n) if i % 2 == 0) <= n * n", ""),
    ({"n": "3.."}, "2 ** n > 2 * n", ""),
    ({"n": "3.."}, "2 ** n >= 2 * n + 2", ""),
    ({"k": "0..", "n": "k.."}, "sum(1 for i in range(k, n)) == n - k", ""),
    ({"k": "0..", "n": "0..k"}, "sum(1 for i in range(0, n)) == n", ""),
]
NOT_INDUCTIVE = [
    (N, "2 * sum(i for i in range(0, n + 1)) == n * (n + 1) + 2", "", "claim, base: fails at"),
    (N, "2 * sum(i if i < 9 else 0 for i in range(0, n + 1)) == n * (n + 1)", "", "claim, step: fails at"),
    (N, "(8 ** n - 1) % 7 == 0 and 8 ** n % 3 == 1", "", "claim, step: fails at"),
    (N, "2 ** n > n * n", "n > 4", "claim, step: fails at"),  # true, but not inductive
    (N, "n * n <= 100", "n % 2 == 0", "claim, step: fails at"),
    (N, "2 * sum(n for i in range(0, n)) == n * (n - 1)", "", "claim, step: fails at"),
    ({"n": "0..", "k": "n.."}, "k >= n", "", "the domain of k depends on n"),
    ({"n": "0..1"}, "n * n == n", "", ""),
    ({"n": "0..2"}, "n * n == n", "", "claim, step: fails at n = 1"),
]


@pytest.mark.parametrize(("domains", "then", "given"), INDUCTIVE, ids=[then for _, then, _ in INDUCTIVE])
def test_by_induction(tmp_path: Path, domains: dict[str, str], then: str, given: str) -> None:
    found = prove(tmp_path, domains, then, 'induct = "n"\n', given)
    assert found.decision == "holds", found.detail
    assert all(o.certificate is not None for o in found.obligations)


@pytest.mark.parametrize(
    ("domains", "then", "given", "words"),
    NOT_INDUCTIVE,
)
def test_what_does_not_follow_by_induction(
    tmp_path: Path, domains: dict[str, str], then: str, given: str, words: str
) -> None:
    found = prove(tmp_path, domains, then, 'induct = "n"\n', given)
    assert (found.decision == "holds") is not bool(words)
    assert words in found.detail


CUBES = "sum(i ** 3 for i in range(0, n + 1)) == sum(i for i in range(0, n + 1)) ** 2"


@pytest.mark.slow
def test_a_closed_form_follows_from_another(tmp_path: Path) -> None:
    write(tmp_path, "triangular", N, TRIANGULAR, 'induct = "n"\n')
    assert prove(tmp_path, N, CUBES, 'induct = "n"\nby = ["triangular"]\n').decision == "holds"
    assert "claim, step: " in prove(tmp_path, N, CUBES, 'induct = "n"\n').detail
    write(tmp_path, "triangular", {"n": "5.."}, TRIANGULAR, 'induct = "n"\n')  # it says nothing about 0 to 4
    assert "claim, step: fails at" in prove(tmp_path, N, CUBES, 'induct = "n"\nby = ["triangular"]\n').detail
    write(tmp_path, "triangular", {"m": "0.."}, "m >= 0")
    with pytest.raises(Unsupported, match="has a variable m, and the claim has no integer of that name"):
        list(ARITHMETIC.obligations(write(tmp_path, "claim", N, CUBES, 'by = ["triangular"]\n'), Prover()))


def test_steps_are_shown_in_order_and_hold_where_the_hypotheses_do(tmp_path: Path) -> None:
    steps = '[proof.steps]\nfirst = "x >= 3"\nsecond = "x * x >= 3 * x"\n'
    found = prove(tmp_path, XK, "x * x >= 9", steps, "x > 2")
    assert found.decision == "holds", found.detail
    found = prove(tmp_path, XK, "x * x >= 9", steps, "x > 1")
    assert found.detail.startswith("step 'first': fails at")
    found = prove(tmp_path, XK, "x * x >= 9 or x < 3", steps, "x > 2 or k > 90")
    assert found.detail.startswith("step 'first': fails at")
    other = 'induct = "n"\n[proof.steps]\nother = "n != 4"\n'
    assert prove(tmp_path, N, "n <= 3", other, "n != 4").detail.startswith("claim, step: fails at n = 4")


@pytest.mark.parametrize(
    ("proof", "words"),
    [
        ('induct = "m"\n', "'m' is not an integer of the claim"),
        ("induct = 3\n", "induct"),
        ('[proof.steps]\nfirst = "n"\n', "first"),
        ('[proof.folds]\nX = "n"\n', "folds"),
    ],
)
def test_a_section_that_is_none_is_refused_at_its_place(tmp_path: Path, proof: str, words: str) -> None:
    with pytest.raises(ClaimError, match=words):
        prove(tmp_path, N, "n >= 0", proof)


@pytest.mark.parametrize(
    ("then", "holds"),
    [
        ("gcd(6, 4) == 2 and gcd(0, 0) == 0 and is_prime(7) and not is_prime(1)", True),
        ("6 ^ 3 == 5 and bit_or(1, 2) == 3", True),
        ("gcd(6, 4) == 3", False),
        ("is_prime(9)", False),
        ("6 ^ 3 == 7", False),
    ],
)
def test_what_is_asked_of_numbers_that_are_written_down_is_worked_out(tmp_path: Path, then: str, holds: bool) -> None:
    found = prove(tmp_path, N, f"n >= 0 and {then}")
    assert (found.decision == "holds") is holds, found.detail
    assert found.decision != "unsupported"


def test_what_is_used_of_numbers_is_shown(tmp_path: Path) -> None:
    names = [o.name for o in prove(tmp_path, XY, "2 * x * y <= x * x + y * y").obligations]
    assert names == ["claim", "product of naturals", "squares: each is natural"]
    names = [o.name for o in prove(tmp_path, XK, "(x + k) // k == x // k + 1").obligations]
    assert names[-2:] == ["squares: each is natural", "remainders"] and "product of naturals" in names
    names = [o.name for o in prove(tmp_path, N, "n >= 0").obligations]
    assert names == ["claim"]
