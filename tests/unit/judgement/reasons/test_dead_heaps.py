"""A heap with parts in which nobody can move makes equal positions look different; claims produce a warning."""

from pathlib import Path

import pytest

from checks.judgement.findings import examine
from checks.presentation.account import find_dead
from encoders.logic.answer import Decision, RouteResult
from encoders.proving.reading import load_claim

HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "l"\nrole = "conjecture"\nruleset = "strip"\n'
RULES = (
    'format = 1\ntitle = "G"\nplayers = ["A", "B"]\nstuck = "loses"\nmeasure = "sum(sum(h.c) for h in s)"\n'
    '[heap]\nc = "list of 0.."\n'
)
MOVE = '[[moves]]\nchoose = "any heap h"\npick = { i = "0..len(h.c) - 1" }\nwhere = "h.c[i] > 0"\n'
MOVE += 'become = [{ c = "put(h.c, i, h.c[i] - 1)" }]\n'


def warned(folder: Path, scope: str, more: str = "", move: str = MOVE) -> list[str]:
    (folder / "rulesets").mkdir(exist_ok=True)
    (folder / "rulesets" / "strip.toml").write_text(RULES + more + move, "utf-8")
    claim = '[forall]\ns = "position"\n[claim]\nthen = "implies(not terminal(s), len(s) > 0)"\n[scope]\n'
    (folder / "claim.toml").write_text(f"{HEAD}{claim}s = {{ {scope} }}\n", "utf-8")
    return list(find_dead(load_claim(folder / "claim.toml", "claim"), "quick"))


ZEROS = 'heaps = "0..2", c = { length = "1..2", each = "0..2" }'


def test_the_first_such_heap_is_named_with_the_place_of_the_rules_and_what_to_write(tmp_path: Path) -> None:
    (said,) = warned(tmp_path, ZEROS)
    line = RULES.split("\n").index("[heap]") + 1
    start, _, rest = said.partition(": ")
    assert start.endswith(f"strip.toml:{line}:2")
    assert rest.startswith("a heap [0] has no move, but it does not vanish, so ([0]) is not the empty position; ")
    assert rest.endswith('write under [heap]: gone = "sum(h.c) == 0"')
    gone = rest.rpartition(": ")[2]
    assert warned(tmp_path, ZEROS, f"{gone}\n") == []


def test_gone_that_leaves_one_out_is_named_itself(tmp_path: Path) -> None:
    (said,) = warned(tmp_path, ZEROS, 'gone = "len(h.c) == 1 and h.c[0] == 0"\n')
    line = RULES.split("\n").index("[heap]") + 3
    assert f"strip.toml:{line}:8: a heap [0, 0] has no move, but it does not vanish" in said
    assert said.endswith("if it should vanish, write under [heap] a condition `gone` that is true for it")


@pytest.mark.parametrize(
    ("scope", "more", "move"),
    [
        (ZEROS, 'gone = "sum(h.c) == 0"\n', MOVE),
        (ZEROS.replace("0..2", "0..1", 1), "", MOVE),  # a board is not added to another one
        (ZEROS.replace('each = "0', 'each = "1'), "", MOVE),
        (ZEROS, 'where = "sum(h.c) > 0"\n', MOVE),  # a list that is not a heap is not dead
        (ZEROS, "", MOVE.replace("h.c[i] > 0", "h.c[i] > 0 and len(s) > 0")),  # a move may depend on other heaps
    ],
)
def test_where_there_is_none_nothing_is_said(tmp_path: Path, scope: str, more: str, move: str) -> None:
    assert warned(tmp_path, scope, more, move) == []


@pytest.mark.parametrize(("where", "hinted"), [("sum(h.c) > 9", True), ("", False)])
def test_a_scope_without_a_case_names_the_rule_that_may_forbid_its_heaps(
    tmp_path: Path, where: str, hinted: bool
) -> None:
    warned(tmp_path, ZEROS, f'where = "{where}"\n' * hinted)
    claim = load_claim(tmp_path / "claim.toml", "claim")
    found = examine(claim, claim.scope("quick"), RouteResult("exhaustive", Decision.HOLDS))
    assert found.not_established.startswith("anything: the scope has no case")
    assert ("strip.toml:8:9" in found.not_established) == hinted
