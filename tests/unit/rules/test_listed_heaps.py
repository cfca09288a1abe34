"""Proofs by Grundy values about several listed heaps: their value is the nim-sum of the values of the heaps."""

from pathlib import Path

import pytest
from claim_texts import HEAD, NIM_FILE
from proofs import EFFORT

from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import Prover, load_claim
from encoders.proving.registry import RULES
from encoders.proving.theorem import generate
from encoders.refusals import Unsupported

OF_NIM = """[proof]
rule = "grundy"
heap = "q"
value = "q"
below = "v"
[proof.digits]
q = "0.."
[proof.below_digits]
v = "0.."
[[proof.options]]
digits = { q = "v" }
take = { m = "h - y" }
"""
OF_BASH = OF_NIM.replace('heap = "q"', 'heap = "(k + 1)*q + r"').replace('value = "q"', 'value = "r"')
OF_BASH = OF_BASH.replace('q = "0.."', 'q = "0.."\nr = "0..k"').replace('{ q = "v" }', '{ q = "q", r = "v" }')
OF_THREE = OF_BASH.replace("(k + 1)", "4").replace("0..k", "0..3")

ONE_HEAP = "only two players, and moves on one arbitrary heap"


def at(*heaps: str, divisor: str) -> str:
    """Return the digits of each heap: its quotient and its remainder."""
    rows = (f'q = "({x}) // ({divisor})", r = "({x}) % ({divisor})"' for x in heaps)
    return "".join(f'[[proof.at]]\nheap = "{x}"\ndigits = {{ {row} }}\n' for x, row in zip(heaps, rows, strict=True))


def decided(folder: Path, game: str, names: str, claim: str, proof: str, assumed: str = "") -> Decision:
    ranges = "".join(f'{name} = "{1 if name == "k" else 0}.."\n' for name in names)
    scope = "".join(f'{name} = "0..0"\n' for name in names)
    guard = f'if = "{assumed}"\n' if assumed else ""
    text = f'{HEAD}ruleset = "{game}"\n[forall]\n{ranges}[claim]\n{guard}then = "{claim}"\n[scope]\n{scope}{proof}'
    (folder / "claim.toml").write_text(text.replace('k = "0..0"', 'k = "1..1"'), "utf-8")
    return prove(load_claim(folder / "claim.toml", "claim"), None, EFFORT).decision


NIM_CLAIMS = [
    ("ab", "grundy(position([a, b])) == a ^ b"),
    ("abc", "grundy(position([a, b, c])) == a ^ b ^ c"),
    ("abc", "iff(wins(position([a, b, c])), a ^ b ^ c != 0)"),
    ("ab", "iff(not wins(position([a, b])), a == b)"),
    ("n", "grundy(position([n, n + 3])) == n ^ (n + 3)"),
    ("n", "grundy(position([n, 2*n, 3*n])) == n ^ (2*n) ^ (3*n)"),
    ("n", "grundy(position([2*n, 2*n + 1])) == 1"),
    ("n", "not wins(position([n, n])) and grundy(position([n, n, n])) == n"),
    ("n", "grundy(position([0, n])) == n and not wins(position([0, 0]))"),
    ("n", "not wins(position([n, 2*n, n ^ (2*n)]))"),
    ("ab", "grundy(position([a, b])) == bit_or(a, b) - bit_and(a, b)"),
]


@pytest.mark.parametrize(("names", "claim"), NIM_CLAIMS, ids=[x for _, x in NIM_CLAIMS])
def test_the_heaps_of_nim_add_up(tmp_path: Path, names: str, claim: str) -> None:
    assert decided(tmp_path, "nim", names, claim, OF_NIM) is Decision.HOLDS


FALSE_CLAIMS = [  # with values at which they are false
    ("ab", "grundy(position([a, b])) == a + b"),  # 1, 1
    ("ab", "grundy(position([a, b])) == bit_or(a, b)"),  # 1, 1
    ("ab", "grundy(position([a, b])) == a ^ b ^ 1"),  # 0, 0
    ("ab", "grundy(position([a, b])) == max([a, b]) - min([a, b])"),  # 1, 2
    ("ab", "grundy(position([a, b])) == a"),  # 0, 1
    ("ab", "grundy(position([a, b])) == a ^ (b if b < 1000 else b + 1)"),  # 0, 1000
    ("ab", "not wins(position([a, b]))"),  # 0, 1
    ("ab", "wins(position([a, b])) or a + b == 0"),  # 1, 1
    ("abc", "iff(wins(position([a, b, c])), a + b != c)"),  # 1, 1, 2
    ("abc", "iff(wins(position([a, b, c])), a ^ b != 0)"),  # 0, 0, 1
    ("abc", "grundy(position([a, b, c])) <= a + b"),  # 0, 0, 1
    ("n", "grundy(position([n, n + 3])) == 3"),  # 1
    ("n", "grundy(position([n, n + 1])) == 1"),  # 1
    ("n", "not wins(position([n, 2*n, 3*n]))"),  # 3
    ("n", "grundy(position([n, n])) == n"),  # 1
    ("n", "grundy(position([n, n, n])) == 0"),  # 1
    ("n", "grundy(position([n, n - 1])) == n ^ (n - 1)"),  # 0, where it is not defined
    ("ab", "grundy(position([a - b, b])) == (a - b) ^ b"),  # 0, 1, where it is not defined
    ("ab", "grundy(position([a, a])) == (a - b) ^ (a - b)"),  # 0, 1, where it is not defined
]


@pytest.mark.parametrize(("names", "claim"), FALSE_CLAIMS, ids=[x for _, x in FALSE_CLAIMS])
def test_a_false_claim_about_several_heaps_is_not_proved(tmp_path: Path, names: str, claim: str) -> None:
    assert decided(tmp_path, "nim", names, claim, OF_NIM) is not Decision.HOLDS


def test_a_hypothesis_makes_differences_natural(tmp_path: Path) -> None:
    claim = "grundy(position([a - b, b])) == (a - b) ^ b"
    assert decided(tmp_path, "nim", "ab", claim, OF_NIM, "a >= b") is Decision.HOLDS


@pytest.mark.parametrize(
    ("claim", "heaps", "holds"),
    [
        ("grundy(position([a, b])) == (a % 4) ^ (b % 4)", "", True),
        ("grundy(position([a, b])) == (a % 4) ^ (b % 4)", "ab", True),
        ("iff(wins(position([a, b, c])), (a % 4) ^ (b % 4) ^ (c % 4) != 0)", "abc", True),
        ("not wins(position([a, 2*a, 3*a]))", ("a", "2*a", "3*a"), True),
        ("grundy(position([a, a + 3])) == (1 if a % 2 == 1 else 3)", ("a", "a + 3"), True),
        ("grundy(position([a, b])) == (a % 4) ^ (b % 3)", "ab", False),
        ("grundy(position([a, b])) == (a + b) % 4", "ab", False),
        ("not wins(position([a, 2*a, 4*a]))", ("a", "2*a", "4*a"), False),
        ("grundy(position([a, a + 3])) == 3", ("a", "a + 3"), False),
    ],
)
def test_values_that_repeat_add_up(tmp_path: Path, claim: str, heaps: str | tuple[str, ...], holds: bool) -> None:
    found = decided(tmp_path, "bash-nim(k = 3)", "abc", claim, OF_THREE + at(*heaps, divisor="4"))
    assert (found is Decision.HOLDS) is holds


@pytest.mark.parametrize(
    ("claim", "heaps", "holds"),
    [
        ("grundy(position([a, b])) == (a % (k + 1)) ^ (b % (k + 1))", "ab", True),
        ("iff(wins(position([a, b])), a % (k + 1) != b % (k + 1))", "ab", True),
        ("grundy(position([a, b])) == (a % (k + 1)) ^ (b % k)", "ab", False),
        ("iff(wins(position([a, b])), (a - b) % (k + 2) != 0)", "ab", False),
    ],
)
def test_values_for_all_parameters_add_up(tmp_path: Path, claim: str, heaps: str, holds: bool) -> None:
    found = decided(tmp_path, "bash-nim", "kab", claim, OF_BASH + at(*heaps, divisor="k + 1"))
    assert (found is Decision.HOLDS) is holds


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (NIM_FILE.replace("loses", "wins"), "has misère play"),
        (NIM_FILE.replace("any heap", "a largest heap"), ONE_HEAP),
        (NIM_FILE.replace("any heap", "a smallest heap"), ONE_HEAP),
        (
            NIM_FILE.replace("become", 'where = "m <= len(s)"\nbecome'),
            ONE_HEAP,
        ),
        (NIM_FILE.replace('["h - m"]', '["h - m", "m - 1"]'), ONE_HEAP),
    ],
    ids=["misère", "largest", "smallest", "sees the others", "splits"],
)
def test_values_are_not_added_in_other_games(tmp_path: Path, rules: str, words: str) -> None:
    (tmp_path / "mine.toml").write_text(rules, "utf-8")
    claim = "iff(wins(position([a, b])), a != b)"
    scope = '[forall]\na = "0.."\nb = "0.."\n[scope]\na = "0..1"\nb = "0..1"\n'
    (tmp_path / "claim.toml").write_text(f'{HEAD}ruleset = "mine"\n[claim]\nthen = "{claim}"\n{scope}{OF_NIM}', "utf-8")
    found = prove(load_claim(tmp_path / "claim.toml", "claim"), None, EFFORT)
    assert found.decision is Decision.UNSUPPORTED and words in found.detail


@pytest.mark.parametrize(
    ("define", "assumed", "claim"),
    [
        ("", "", "grundy(position([a, b])) == a ^ b"),
        ("", "grundy(position([a, b])) == 0", "a == b"),
        ("[define]\nboth = 'position([a, b])'\n", "", "grundy(both) == a ^ b"),
    ],
    ids=["conclusion", "hypothesis", "definition"],
)
def test_the_outline_and_the_coverage_name_the_sum(tmp_path: Path, define: str, assumed: str, claim: str) -> None:
    assert decided(tmp_path, "nim", "ab", claim, define + OF_NIM, assumed) is Decision.HOLDS
    read = load_claim(tmp_path / "claim.toml", "claim")
    services = Prover()
    assert "sums of heaps" in str(RULES["grundy"].coverage(read, services).trusted)
    assert "sum: a 1 in the nim-sum is an odd number of ones" in [
        x.name for x in RULES["grundy"].obligations(read, services)
    ]
    shown = str(RULES["grundy"].outline(read, services))
    assert "the value of several heaps is the nim-sum of their values" in shown


def test_a_formula_of_the_proof_contains_no_nim_sum(tmp_path: Path) -> None:
    """In a nim-sum of the proof, a negative term would count as 0 without any obligation that there is none."""
    proof = OF_NIM.replace('value = "q"', 'value = "q ^ 0 * q"')
    assert decided(tmp_path, "nim", "ab", "grundy(position([a, b])) == a ^ b", proof) is Decision.UNSUPPORTED


def test_there_is_no_theorem_for_coq(tmp_path: Path) -> None:
    decided(tmp_path, "nim", "ab", "grundy(position([a, b])) == a ^ b", OF_NIM)
    with pytest.raises(Unsupported, match="names several heaps"):
        generate(load_claim(tmp_path / "claim.toml", "claim"))
