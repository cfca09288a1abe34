"""Lists of lists are evaluated case by case. Every other engine refuses them, in the claim and in its ruleset."""

from __future__ import annotations

from pathlib import Path

import pytest
from claim_texts import HEAD

from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import select
from encoders.bounded.encoder import decide_by_smt
from encoders.compute.arrays.cases import Tally
from encoders.compute.arrays.limits import Deadline
from encoders.compute.engines import CaseQuery, Shard
from encoders.compute.native.entry import search_as_machine_code
from encoders.logic.answer import Decision
from encoders.proving.prove import prove
from encoders.proving.reading import load_claim

NUMBERS = (
    HEAD
    + """[forall]
a = "0..6"
b = "0..6"
[define]
edges = "[(0, 1), (1, 2), (4, 2)]"
table = "[[1, 2, 3], [], [4]]"
[claim]
then = "THEN"
"""
)
NIM = (
    HEAD
    + """ruleset = "game"
[forall]
s = "position"
[claim]
then = "THEN"
[scope]
s = { heaps = "0..2", size = "1..6" }
"""
)
GAME = """format = 1
title = "Game"
players = ["A", "B"]
stuck = "loses"
[[moves]]
choose = "any heap h"
pick = { m = "1..h" }
where = "m in [(1, 2), (3,), (1, 3)][h % 3]"
become = ["h - m"]
"""
BOARD = """format = 1
title = "Board"
players = ["A", "B"]
stuck = "loses"
measure = "sum(sum(h.c) for h in s)"
[heap]
c = "list of 0..1"
[[moves]]
choose = "any heap h"
pick = { i = "0..len(h.c) - 1" }
where = "h.c[i] == 1 and WHERE"
become = [{ c = "put(h.c, i, 0)" }]
"""
PARTS = 's = { heaps = "0..2", c = { length = "0..3", each = "0..1" } }'
ON_BOARD = NIM.replace('s = { heaps = "0..2", size = "1..6" }', PARTS)


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(text: str, ruleset: str = "") -> Path:
    Path("game.toml").write_text(ruleset)
    Path("claim.toml").write_text(text)
    return Path("claim.toml")


def settle(text: str, ruleset: str = "") -> ClaimResult:
    (entry,) = select((str(write(text, ruleset)),))
    return settle_entry(entry, Options())


@pytest.mark.parametrize(
    ("then", "smallest"),
    [
        ("iff((a, b) in edges, (a, b) == (0, 1) or (a, b) == (1, 2) or [a, b] == [4, 2])", None),
        ("len(table[a % 3]) == [3, 0, 1][a % 3] and sum(len(c) for c in table) == 4", None),
        ("len({p for p in edges + edges}) == 3 and edges.count((1, 2)) == 1 and put(edges, 0, [])[0] == []", None),
        ("[[[a]], [[], [b]]][1][1][0] == b and {[a], [b]} == {[b], [a]}", None),
        ("sum(v * w for v, w in edges) == 10 and [w - v for (v, w) in edges if v < w] == [1, 1]", None),
        ("all(len(c) == y - x for x, y, c in [[[0], [3], table[0]]] for x in x for y in y)", None),
        ("any(v == a and w == b for v, w in edges) or (a, b) not in edges", None),
        ("(a, b) not in edges", (0, 1)),
        ("all(v != a or w != b for v, w in edges)", (0, 1)),
        ("all(x <= y + 4 for x, y in [(a, b)])", (5, 0)),
        ("edges[a % 3][0] != 4 or b < 2", (2, 2)),
        ("any(p[1] == b for p in edges) or b != 3 or a < 5", (5, 3)),
        ("{[a], [b]} != {[0], [2]}", (0, 2)),
    ],
)
def test_claims_with_lists_of_lists(then: str, smallest: tuple | None) -> None:
    result = settle(NUMBERS.replace("THEN", then))
    if smallest is None:
        assert result.verdict is Verdict.PROVED, result.finding.error  # the scope is every case
    else:
        assert result.verdict is Verdict.REFUTED
        assert result.finding.counterexample.replayed
        assert dict(result.finding.counterexample.variables) == dict(zip("ab", smallest, strict=True))


def test_an_index_outside_an_inner_list_is_ill_defined() -> None:
    result = settle(NUMBERS.replace("THEN", "table[a % 3][b] > 0"))
    assert result.verdict is Verdict.ERROR
    assert "ill-defined at a = 0, b = 3" in result.finding.error


@pytest.mark.parametrize("then", ["count(x == y for x, y in table[0:a]) < 2", "all(False for x, y in [table[a % 3]])"])
def test_a_list_that_is_too_long_for_its_variables_is_ill_defined(then: str) -> None:
    """Without the condition, the first claim would hold, and the second one would be refuted."""
    result = settle(NUMBERS.replace("THEN", then))
    assert result.verdict is Verdict.ERROR
    assert "ill-defined at a = " in result.finding.error
    assert "index 3 of 3 elements" in result.finding.error


def test_no_other_route_takes_such_a_claim() -> None:
    claim = load_claim(write(NUMBERS.replace("THEN", "(a, b) in edges or a >= 0")), "claim")
    assert claim.unusual == "it has lists of lists"
    assert CaseQuery(claim, Shard(claim.scope("quick"), None)).bits is None
    assert decide_by_smt(claim, claim.scope("quick")).decision is Decision.UNSUPPORTED
    text = NUMBERS.replace("THEN", "(a, b) in edges or a >= 0") + '[proof]\nrule = "arithmetic"\n'
    assert prove(load_claim(write(text), "claim")).decision is Decision.UNSUPPORTED


def test_a_ruleset_with_lists_of_lists() -> None:
    """The claim itself has none. From 1 one can take 3 at most 1, so 1 is lost, and 2 leads to 1."""
    result = settle(NIM.replace("THEN", "iff(wins(s), sum(s) % 3 != 1)"), GAME)
    assert result.verdict is Verdict.REFUTED
    assert dict(result.finding.counterexample.variables) == {"s": ()}
    claim = load_claim(write(NIM.replace("THEN", "wins(s) or not wins(s)"), GAME), "claim")
    assert claim.unusual == "it has lists of lists"
    assert decide_by_smt(claim, claim.scope("quick")).decision is Decision.UNSUPPORTED


@pytest.mark.parametrize(
    ("where", "coins"),
    [
        ("put(h.c, i, 0) in [[0, 1], [1, 0], [1, 1, 0], [0, 0]]", (0, 1)),
        ("any(i == p[0] for p in [[0], [1], [2]])", (0, 0, 1)),
    ],
)
def test_machine_code_refuses_lists_of_lists(where: str, coins: tuple) -> None:
    """It would compare their addresses."""
    board = BOARD.replace("WHERE", where)
    claim = load_claim(write(ON_BOARD.replace("THEN", "wins(s) or not wins(s)"), board), "claim")
    tally = Tally()
    assert not search_as_machine_code(claim, claim.scope("quick"), Deadline(None), tally)
    assert [x.reason for x in tally.fallbacks] == ["it has lists of lists"]
    result = settle(ON_BOARD.replace("THEN", "not wins(s)"), board)
    assert result.verdict is Verdict.REFUTED
    assert dict(result.finding.counterexample.variables) == {"s": ((coins,),)}
