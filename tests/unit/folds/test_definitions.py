"""The definitions of winning and values at one position: their consequences, and statements that do not follow."""

from pathlib import Path

import pytest
from proofs import HEAD, asked, written

from encoders.logic.answer import Decision
from encoders.proving.reading import Prover, load_claim
from encoders.proving.registry import RULES
from encoders.solvers.discharge import discharge
from encoders.solvers.effort import USUAL

SCOPE = '[scope]\ns = { heaps = "0..2", size = "1..2" }\n'
MOVE = """
[proof.folds]
N = "len(s)"
[[proof.moves]]
when = "N >= 1"
heap = "HEAP"
take = { m = "h" }
to = "anywhere"
"""
NIM, MISERE, LARGE = "nim", "misere-nim", "large-nim(n = 5)"
OPTIONS = "any(not wins(t) for t in options(s))"
SOME = "any(value(t) == 4 for t in options(s))"


def open_obligations(folder: Path, ruleset: str, then: str, proof: str) -> list[str]:
    claim = f'ruleset = "{ruleset}"\n[forall]\ns = "position"\n[claim]\nthen = "{then}"\n'
    path = folder / "claim.toml"
    path.write_text(f'{HEAD}{claim}{SCOPE}[proof]\nrule = "definition"\n{proof}', "utf-8")
    found = [discharge(s, USUAL, 60) for s in RULES["definition"].obligations(load_claim(path, "claim"), Prover())]
    return [o.name for o in found if not o.proved]


ANY, TOP = MOVE.replace("HEAP", "any"), MOVE.replace("HEAP", "largest")
HOLDS = [
    (NIM, f"iff(wins(s), {OPTIONS})", ""),
    (NIM, "implies(terminal(s), outcome(s) == P_position)", ""),
    (MISERE, f"iff(wins(s), terminal(s) or {OPTIONS})", ""),
    (MISERE, f"iff(wins(s), len(s) == 0 or {OPTIONS})", ANY),
    ("kl-nim(k = 1, l = 2)", "iff(wins(s, P1), any(not wins(t, P2) for t in options(s, P1)))", ""),
    ("bash-nim(k = 3)", "iff(wins(s, A), any(not wins(t, B) for t in options(s, B)))", ""),
    (LARGE, f"iff(value(s) == 0, len(s) == 0 or {SOME})", TOP),
    (LARGE, "implies(value(s) == 4, all(value(t) == 3 for t in options(s)))", ""),
    (LARGE, "all(value(s) <= value(t) + 1 for t in options(s))", ""),
    (LARGE, "0 <= value(s) < 5", ""),
]
FALSE = [
    (MISERE, f"iff(wins(s), {OPTIONS})", ""),  # false for the empty position
    (NIM, f"iff(wins(s), terminal(s) or {OPTIONS})", ""),
    (NIM, "iff(wins(s), any(wins(t) for t in options(s)))", ""),
    (NIM, "implies(wins(s), all(not wins(t) for t in options(s)))", ""),
    (
        NIM,
        "all(implies(not wins(s), any(not wins(u) for u in options(t))) for t in options(s))",
        "",
    ),  # one move too far
    ("kl-nim(k = 1, l = 2)", "iff(wins(s, P1), any(not wins(t, P1) for t in options(s, P1)))", ""),
    ("kl-nim(k = 1, l = 2)", "iff(wins(s, P1), any(not wins(t, P2) for t in options(s, P2)))", ""),
    (LARGE, f"iff(value(s) == 0, {SOME})", TOP),  # false for the empty position
    (LARGE, "iff(value(s) == 4, all(value(t) == 3 for t in options(s)))", TOP),  # false for the empty position
    (LARGE, "all(value(s) == value(t) + 1 for t in options(s))", ""),
    (LARGE, "value(s) < 4", ""),
]


@pytest.mark.parametrize(("ruleset", "then", "proof"), HOLDS, ids=[f"{x}: {y}" for x, y, _ in HOLDS])
def test_what_follows(ruleset: str, then: str, proof: str, tmp_path: Path) -> None:
    assert open_obligations(tmp_path, ruleset, then, proof) == []


@pytest.mark.parametrize(("ruleset", "then", "proof"), FALSE, ids=[f"{x}: {y}" for x, y, _ in FALSE])
def test_what_does_not(ruleset: str, then: str, proof: str, tmp_path: Path) -> None:
    assert open_obligations(tmp_path, ruleset, then, proof) == ["claim"]


@pytest.mark.parametrize(
    ("where", "answer", "words"),
    [
        ("a % 2 == 1", Decision.HOLDS, ""),
        ("gcd(a, h) == 1", Decision.UNSUPPORTED, "gcd(picked, heap) has no translation into folds"),
        ("is_prime(a + 1)", Decision.UNSUPPORTED, "the condition is_prime(picked + 1) has no translation into folds"),
    ],
)
def test_a_condition_of_a_split_that_is_not_read_is_named(
    tmp_path: Path, where: str, answer: Decision, words: str
) -> None:
    split = (
        f'[[moves]]\nchoose = "any heap h"\npick = {{ a = "1..h // 2" }}\nwhere = "{where}"\nbecome = ["a", "h - a"]\n'
    )
    body = f'[forall]\ns = "position"\n{SCOPE}[proof]\nrule = "definition"\n'
    found = asked(written(tmp_path, body, f"implies(wins(s), {OPTIONS})", rules=split))
    assert found.decision is answer, found.detail
    assert found.detail.startswith(words)


def test_an_obligation_that_rests_on_a_condition_that_is_not_read_names_the_condition(tmp_path: Path) -> None:
    body = f'[forall]\nk = "0.."\ns = "position"\n{SCOPE}k = "3..4"\n[proof]\nrule = "definition"\n'
    found = asked(written(tmp_path, body, "len(s) * (6 // (k - 1)) == len(s) * (6 // (k - 1))", "gcd(k, 2) == 2"))
    assert found.decision is Decision.UNKNOWN
    words = "the rule does not support the condition gcd(k, 2) == 2, and the proof needs it here"
    assert found.detail == f"defined: 6 // (k - 1) needs k - 1 != 0: {words}"
