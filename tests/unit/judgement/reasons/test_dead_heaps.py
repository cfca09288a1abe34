"""A heap with parts in which nobody can move makes two positions of what is played alike: a claim warns of it."""

from pathlib import Path

import pytest

from checks.judgement.account.warnings import find_dead
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


def test_the_first_such_heap_is_named(tmp_path: Path) -> None:
    (said,) = warned(tmp_path, ZEROS)
    assert said.startswith("nobody can move in a heap [0], yet it counts: ([0]) is not the empty position; `gone` in")
    assert said.endswith("[heap] of strip says which heaps vanish")


@pytest.mark.parametrize(
    ("scope", "more", "move"),
    [
        (ZEROS, 'gone = "sum(h.c) == 0"\n', MOVE),
        (ZEROS.replace("0..2", "0..1", 1), "", MOVE),  # a board is not added to another
        (ZEROS.replace('each = "0', 'each = "1'), "", MOVE),
        (ZEROS, 'where = "sum(h.c) > 0"\n', MOVE),  # what is no heap is not dead
        (ZEROS, "", MOVE.replace("h.c[i] > 0", "h.c[i] > 0 and len(s) > 0")),  # a move may be made beside others
    ],
)
def test_where_there_is_none_nothing_is_said(tmp_path: Path, scope: str, more: str, move: str) -> None:
    assert warned(tmp_path, scope, more, move) == []
