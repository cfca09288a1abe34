"""Each message about a limit names the part of the scope that fits, and a run of this part settles the claim."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from claim_texts import HEAD, RULES

from checks.execution.settle import settle_by_search
from checks.judgement.findings import examine
from checks.judgement.scopes import scope_for
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from encoders.compute.arrays.cases import Tally, intersect
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound.search import search_by_cases
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import load_claim

LIMITS, PLAY, ORDER = (f"encoders.compute.{x}" for x in ("arrays.limits", "compound.play", "compound.order"))
SLABS = {"encoders.compute.arrays.cases.FIRST": 62_500, "encoders.compute.arrays.cases.GROWTH": 16}  # more slabs
POSITIONS = f"{LIMITS}.MAX_POSITIONS"
COUNTED = "encoders.kernel.counts.MOST_COUNTED"
GRAPHS = "encoders.compute.compound.graphs.MAX_POSITIONS"
FEW_OF_CASES = {f"{PLAY}.MAX_POSITIONS": 200, f"{ORDER}.MAX_POSITIONS": 200}
LISTED = (
    f'{RULES}measure = "sum(sum(h.c) for h in s)"\n[heap]\nc = "list of 0.."\n[[moves]]\nchoose = "any heap h"\n'
    'pick = { i = "0..len(h.c) - 1", y = "0..h.c[i] - 1" }\nbecome = [{ c = "put(h.c, i, y)" }]\n'
)


@dataclass(frozen=True)
class Limited:
    """A claim that a limit leaves open.

    `says`: the message, as a regular expression. If it contains "this fits", a run with these options settles the
    claim with the verdict `ends`; `cases` is then the number of its cases.
    `limits`: constants of the program, by module and name, with the values that replace them.
    """

    says: str
    body: str
    limits: Mapping[str, int] = field(default_factory=dict)
    cases: int = 0
    ends: Verdict = Verdict.VERIFIED
    rules: str = ""


def state(game: str, given: str, then: str, scope: str, kind: str = "forall") -> str:
    ruleset = f'ruleset = "{game}"\n' if game else ""
    return f'{ruleset}[{kind}]\n{given}\n[claim]\nthen = "{then}"\n[scope]\n{scope}\n'


S, N = 's = "position"', 'n = "0.."'
TIED = (  # Wythoff's game with a condition, for which there is no table of two heaps
    f'{RULES}[[moves]]\nchoose = "any heap h"\npick = {{ m = "1..h" }}\nbecome = ["h - m"]\n[[moves]]\n'
    'choose = "any two heaps g, h"\npick = { m = "1..min(g, h)" }\nwhere = "m > 0"\nbecome = ["g - m", "h - m"]\n'
)
TWO_HEAPS = state("own", N, "grundy(position([n, 2 * n])) >= 0", 'n = "0..60"')
EXISTS = TWO_HEAPS.replace("[forall]", "[exists]")
TABLE = {
    "positions of a box": Limited(
        "anything beyond s: at most 4 heaps of 1..8, in which there is no counterexample: too large: 10 626 positions "
        "with at most 4 heaps of at most 20 would be needed; this fits: --set s.size=1..8",
        state("nim", S, "wins(s) or True", 's = { heaps = "0..4", size = "1..20" }'),
        {POSITIONS: 500},
        495,
    ),
    "positions of two variables": Limited(
        "anything beyond s: at most 3 heaps of 1..10, t: .*: at least 661 827 cases at once, more than 100 000; "
        "this fits: --set s.size=1..10 --set t.size=1..10",
        state(
            "nim",
            f'{S}\nt = "position"',
            "wins(s) or wins(t) or True",
            's = { heaps = "0..3", size = "1..30" }\nt = { heaps = "0..3", size = "1..30" }',
        ),
        {f"{LIMITS}.MAX_CASES": 100_000} | SLABS,
        81_796,
    ),
    "reachable positions": Limited(
        "anything beyond n 0..30, .*: more than 500 positions are reachable; this fits: --set n=0..30",
        TWO_HEAPS,
        {POSITIONS: 2_000},
        31,
        rules=TIED,
    ),
    "reachable positions of a false claim": Limited(
        "anything beyond n 0..30, .*; this fits: --set n=0..30",
        TWO_HEAPS.replace(">= 0", "!= 90"),
        {POSITIONS: 2_000},
        31,
        rules=TIED,
    ),
    "reachable positions with parameters": Limited(
        "anything beyond k 1..3, l 1..3, n 0..23, .*: more than 5 000 positions are reachable; "
        "this fits: --set n=0..23",
        state(
            "kl-nim(k = k, l = l)",
            f'k = "1.."\nl = "1.."\n{N}',
            "wins(position([n, 2 * n, n + 1]), P1) or True",
            'k = "1..3"\nl = "1..3"\nn = "0..60"',
        ),
        {POSITIONS: 20_000},
        216,
    ),
    "moves in memory": Limited(
        "anything beyond c 0..2, d 0..2, s: at most 3 heaps of 1..8, .*: more than 3 000 moves, for all parameters "
        "together, would be needed; this fits: --set c=0..2 --set d=0..2",
        state(
            "misere-octal(code = [c, d])",
            f'c = "0..7"\nd = "0..7"\n{S}',
            "wins(s) or True",
            's = { heaps = "0..3", size = "1..8" }',
        ),
        {f"{LIMITS}.MAX_EDGES": 3_000},
        1_485,
    ),
    "values of one integer": Limited(
        "anything beyond a 0..7935, .*: a has 9 001 values at once, more than 3 000; this fits: --set a=0..7935",
        state("", 'a = "0.."', "a >= 0", 'a = "0..10000"'),
        {f"{LIMITS}.MAX_ROWS": 3_000},
        7_936,
    ),
    "cases at once": Limited(
        "anything beyond n 0..47, s: at most 3 heaps of 1..5, .*: at least 16 874 cases at once, more than 3 000; "
        "this fits: --set n=0..47 --set s.size=1..5",
        state("nim", f"{N}\n{S}", "wins(s) or n >= 0", 'n = "0..100"\ns = { heaps = "0..3", size = "1..10" }'),
        {f"{LIMITS}.MAX_CASES": 3_000} | SLABS,
        2_688,
    ),
    "values of subsets": Limited(
        "anything: too large: at least 8 192 choices of values for S at once, more than 3 000; no smaller scope fits",
        state("", 'S = "subsets of 1..13"', "len(S) >= 0", ""),
        {f"{LIMITS}.MAX_ROWS": 3_000},
    ),
    "lists": Limited(
        "anything beyond c 3 numbers of 0..4, .*: the scope contains more than 200 lists of 3 numbers; "
        "this fits: --set c.each=0..4",
        state("", 'c = "list of 0.."', "len(c) >= 0", 'c = { length = "3..3", each = "0..30" }'),
        FEW_OF_CASES,
        125,
    ),
    "positions in order": Limited(
        "anything beyond s: at most 3 heaps of 1..9, .*: the scope contains more than 200 positions of 3 heaps; "
        "this fits: --set s.size=1..9",
        state("nim", S, "remoteness(s) >= 0", 's = { heaps = "0..3", size = "1..12" }'),
        FEW_OF_CASES,
        220,
    ),
    "heaps with parts": Limited(
        "anything beyond s: at most 1 heap with c 0..2 numbers of 0..2, .*: the scope contains more than 200 "
        "positions of 2 heaps; this fits: --set s.heaps=0..1 --set s.c.length=0..2 --set s.c.each=0..2",
        state("own", S, "remoteness(s) >= 0", 's = { heaps = "0..2", c = { length = "0..3", each = "0..4" } }'),
        FEW_OF_CASES,
        14,
        rules=LISTED,
    ),
    "equal heaps": Limited(
        "anything beyond n 1..6, .*: more than 3 000 positions would be needed; this fits: --set n=1..6",
        state("misere-nim", 'n = "1.."', "wins(position([n for i in range(0, 9)])) or True", 'n = "1..60"'),
        {COUNTED: 3_000, POSITIONS: 1_000},
        6,
    ),
    "comparisons of games": Limited(
        "anything beyond s: at most 3 heaps of 1..7, .*: more than 2000 comparisons of games would be needed; "
        "this fits: --set s.size=1..7",
        state(
            "partizan-subtraction(S = {1, 4}, T = {2, 3})",
            S,
            "temperature(s) >= 0 - 1",
            's = { heaps = "0..3", size = "1..12" }',
        ),
        {f"{PLAY}.COMPARISONS": 2_000},
        120,
    ),
    "a power": Limited(
        "anything beyond n 99995..99999, .*: a limit was reached at n = 100000: a power of more than 100 000 bits; "
        "this fits: --set n=99995..99999",
        state("", N, "2 ** n >= 0", 'n = "99995..100005"'),
        {},
        5,
    ),
    "a power, where the hypotheses hold nowhere before": Limited(
        "anything: a limit was reached at n = 100000: a power of more than 100 000 bits",
        state("", N, "2 ** n >= 0", 'n = "99995..100005"').replace("then =", 'if = "n >= 100000"\nthen ='),
    ),
    "no witness": Limited(
        "anything beyond n 0..30, in which there is no witness: too large: more than 500 positions are reachable",
        EXISTS.replace(">= 0", "< 0"),
        {POSITIONS: 2_000},
        rules=TIED,
    ),
    "no case with the hypotheses": Limited(
        "anything: too large: more than 500 positions are reachable; the hypotheses hold at no case of the part that "
        "fits",
        TWO_HEAPS.replace("then =", 'if = "n > 55"\nthen ='),
        {POSITIONS: 2_000},
        rules=TIED,
    ),
    "a first case that is too large": Limited(
        "anything: too large: more than 500 positions are reachable; no smaller scope fits: even n 9000..9000 is too "
        "large",
        TWO_HEAPS.replace("0..60", "9000..9005"),
        {POSITIONS: 2_000},
        rules=TIED,
    ),
    "an integer that only its domain bounds": Limited(
        "anything beyond n 1..7, every t, .*: more than 1 000 rooted trees have 8 vertices; this fits: --set n=1..7",
        state("", 'n = "1..11"\nt = "rooted tree on 0..n-1"', "len(t) == n - 1", ""),
        {GRAPHS: 1_000},
        874,
    ),
    "an integer whose domain is too large from its first value on": Limited(
        "anything: too large: more than 1 000 rooted trees have 9 vertices; no smaller scope fits: even n 9..9, every "
        "t is too large",
        state("", 'n = "9..11"\nt = "rooted tree on 0..n-1"', "len(t) == n - 1", ""),
        {GRAPHS: 1_000},
    ),
}


def settle(folder: Path, row: Limited, overrides: tuple[tuple[str, str], ...] = ()) -> ClaimResult:
    if row.rules:
        (folder / "own.toml").write_text(row.rules, "utf-8")
    (folder / "claim.toml").write_text(HEAD + row.body, "utf-8")
    claim = load_claim(folder / "claim.toml", "claim")
    return settle_by_search(claim, scope_for(claim, "quick", overrides), 60.0)


def limit(row: Limited, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in row.limits.items():
        monkeypatch.setattr(name, value)


@pytest.mark.parametrize("name", TABLE)
def test_a_run_with_the_options_of_the_message_settles_the_claim(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = TABLE[name]
    limit(row, monkeypatch)
    found = settle(tmp_path, row)
    message = found.finding.not_established.replace("\u00a0", " ")
    assert (found.verdict, bool(re.fullmatch(row.says, message))) == (Verdict.INCONCLUSIVE, True), message
    fits = re.findall(r"--set ([\w.]+)=([-\d.]+)", message.partition("this fits: ")[2])
    assert bool(fits) is bool(row.cases)
    if fits:
        assert found.finding.cases == row.cases or name == "a power", "no case counts twice"
        again = settle(tmp_path, row, tuple(fits))
        assert (again.verdict, again.finding.cases) == (row.ends, row.cases), again.finding.not_established


def test_the_cases_before_one_that_the_referee_cannot_evaluate_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checks.judgement.findings.REPLAY_STEPS", 5)
    row = Limited("", state("nim", S, "wins(s) or len(s) != 2", 's = { heaps = "0..3", size = "1..9" }'))
    found = settle(tmp_path, row)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert re.fullmatch(
        r"anything beyond s: at most 1 heap of 1..9, in which there is no counterexample: the case .* is too large for "
        r"the referee to evaluate again .*; this fits: --set s.heaps=0..1",
        found.finding.not_established,
    ), found.finding.not_established
    assert settle(tmp_path, row, (("s.heaps", "0..1"),)).verdict is Verdict.VERIFIED


def test_what_is_before_a_counterexample_that_need_not_be_the_smallest_is_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checks.judgement.findings.REPLAY_STEPS", 5)
    (tmp_path / "claim.toml").write_text(HEAD + state("nim", S, "wins(s)", 's = { heaps = "0..3", size = "1..9" }'))
    claim = load_claim(tmp_path / "claim.toml", "claim")
    answer = RouteResult("exhaustive", Decision.FAILS, 9, 9, {"s": (1, 1)}, smallest=False, witness={"s": ()})
    assert examine(claim, claim.scope("quick"), answer).not_established.startswith("anything: the case")
    found = examine(claim, claim.scope("quick"), replace(answer, smallest=True))
    assert found.not_established.startswith("anything beyond s: at most 1 heap")


@pytest.mark.parametrize("then", ["remoteness(s) >= 0", "wins(s) or True"])
def test_cases_in_order_leave_out_only_those_within_all_bounds(then: str, tmp_path: Path) -> None:
    """A search that left out more would pass over counterexamples."""
    (tmp_path / "own.toml").write_text(LISTED, "utf-8")
    scope = 's = { heaps = "0..2", c = { length = "0..2", each = "0..2" } }'
    (tmp_path / "claim.toml").write_text(HEAD + state("own", S, then, scope), "utf-8")
    claim = load_claim(tmp_path / "claim.toml", "claim")
    whole = claim.scope("quick")
    few = scope_for(claim, "quick", (("s.heaps", "0..1"), ("s.c.each", "0..1")))
    known = intersect(few, whole)
    assert known is not None
    counts = []
    for earlier in (None, few, known):
        search_by_cases(claim, whole, Deadline(None), tally := Tally(), earlier)
        counts.append(tally.cases)
    assert counts == [1 + 13 + 13 * 14 // 2, counts[0] - 1 - 7, counts[0] - 1 - 7]
