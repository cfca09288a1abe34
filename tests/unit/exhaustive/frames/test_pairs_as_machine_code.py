"""Machine code for games like Wythoff's has the lost positions of a plain recursion, and refuses all other games."""

from __future__ import annotations

from pathlib import Path

import pytest
from claim_texts import HEAD

from claims.language.files.claim import Claim
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.ties import Ties, read_ties
from encoders.compute.engines import Shard, choose_engine
from encoders.compute.exhaustive import decide_by_search
from encoders.compute.native import entry
from encoders.compute.native.pieces import Stopped
from encoders.compute.native.search import CompiledSearch
from encoders.logic.answer import Decision
from encoders.proving.reading import load_claim

ONE = 'choose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]'
LEFT = 'choose = "any heap h"\npick = { m = "0..h - 1" }\nbecome = ["m"]'
SIZE = 150  # heaps cross the bounds of words, of 64 bits


def _tie(most: str = "min(g, h)", left: str = '"g - m", "h - m"', rest: str = "") -> str:
    return f'choose = "any two heaps g, h"\npick = {{ m = "1..{most}" }}\nbecome = [{left}]\n{rest}'


def _load(folder: Path, moves: list[str], then: str, scope: str, stuck: str = "loses", more: str = "") -> Claim:
    (folder / "rulesets").mkdir(exist_ok=True)
    rules = "".join(f"\n[[moves]]\n{move}\n" for move in moves)
    text = f'format = 1\ntitle = "t"\nplayers = ["A", "B"]\nstuck = "{stuck}"\n{more}{rules}'
    (folder / "rulesets" / "mine.toml").write_text(text, "utf-8")
    variables = "".join(f'{line.split(" = ")[0]} = "0.."\n' for line in scope.split("\n"))
    path = folder / "claim.toml"
    claim = f'{HEAD}ruleset = "mine"\n[forall]\n{variables}[claim]\nthen = "{then}"\n[scope]\n{scope}\n'
    path.write_text(claim, "utf-8")
    return load_claim(path, "claim")


def _find_lost(most: int, misere: bool, size: int) -> set[tuple[int, int]]:
    lost: set[tuple[int, int]] = set()
    for x in range(size + 1):
        for y in range(size + 1):
            options = [(a, y) for a in range(x)] + [(x, b) for b in range(y)]
            options += [(x - m, y - m) for m in range(1, min(x, y, most) + 1)]
            if not any(s in lost for s in options) and (options or not misere):
                lost.add((x, y))
    return lost


GAMES = [
    ([ONE, _tie()], SIZE),
    ([LEFT, _tie(left='"h - m", "g - m"')], SIZE),
    ([ONE, LEFT, _tie("min(g, h, 1)")], 1),
    ([ONE, _tie("min(2, min(h, g))"), _tie("min(g, h, 3)")], 3),
    ([ONE, _tie("min(h, g, 70)")], 70),
]
"""Moves, and the largest number that may be taken from two heaps of at most SIZE."""


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("moves", "most"), GAMES)
def test_the_lost_positions(tmp_path: Path, moves: list[str], most: int, misere: bool) -> None:
    lost = _find_lost(most, misere, SIZE)
    pairs = ", ".join(f"{x * 1000 + y}" for x, y in sorted(lost))
    then = f"(not wins(position([x, y]))) == (1000 * x + y in {{{pairs}}})"
    claim = _load(tmp_path, moves, then, f'x = "0..{SIZE}"\ny = "0..{SIZE}"', "wins" if misere else "loses")
    search = CompiledSearch(claim, claim.scope("quick"), {}, 2, False)
    found = search.search(Deadline(None))
    assert (found.cases, found.decided, found.added) == ((SIZE + 1) ** 2, None, False)


def _find_values(most: int, size: int) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    for x in range(size + 1):
        for y in range(size + 1):
            options = [(a, y) for a in range(x)] + [(x, b) for b in range(y)]
            options += [(x - m, y - m) for m in range(1, min(x, y, most) + 1)]
            reached = {found[s] for s in options}
            found[x, y] = next(v for v in range(len(options) + 1) if v not in reached)
    return found


@pytest.mark.parametrize(("moves", "most"), GAMES)
@pytest.mark.parametrize("wrong", [None, (0, 0), (13, 42), (42, 42)])
def test_the_values(tmp_path: Path, moves: list[str], most: int, wrong: tuple[int, int] | None) -> None:
    """The values are known to Python; the code must find the only one that is changed in the claim."""
    size = 42  # the values do not fit into one word
    values = _find_values(most, size)
    listed = ", ".join(str(v + (s == wrong)) for s, v in values.items())
    then = f"grundy(position([x, y])) == [{listed}][{size + 1} * x + y] and grundy(position([y])) == y"
    claim = _load(tmp_path, moves, then, f'x = "0..{size}"\ny = "0..{size}"')
    found = CompiledSearch(claim, claim.scope("quick"), {}, 2, False).search(Deadline(None))
    assert found.decided == (None if wrong is None else {"x": wrong[0], "y": wrong[1]})
    assert wrong is not None or found.cases == (size + 1) ** 2


def test_the_table_of_values_grows_without_a_change_of_the_answers(tmp_path: Path) -> None:
    """The table is enlarged from 256 heaps to 512 or more; small heaps are asked about in between."""
    size = 300
    values = _find_values(size, size)
    listed = ", ".join(str(values[n, n // 2]) for n in range(size + 1))
    then = f"all(grundy(position([m, m // 2])) == [{listed}][m] for m in {{n, n // 3}})"
    claim = _load(tmp_path, [ONE, _tie()], then, f'n = "0..{size}"')
    found = CompiledSearch(claim, claim.scope("quick"), {}, 2, False).search(Deadline(None))
    assert (found.cases, found.decided) == (size + 1, None)


def test_the_table_grows_without_a_change_of_the_answers(tmp_path: Path) -> None:
    """The table is enlarged from 4 096 heaps to 10 000, and then to 40 000; small heaps are asked about in between."""
    a, b = "(n + isqrt(5 * n * n)) // 2", "(n // 7 + isqrt(5 * (n // 7) ** 2)) // 2"
    then = f"not wins(position([{a}, {a} + n])) and wins(position([{a} + 1, {a} + n]))"
    then += f" and not wins(position([{b} + n // 7, {b}]))"
    claim = _load(tmp_path, [ONE, _tie()], then, 'n = "1..15000"')
    found = decide_by_search(claim, claim.scope("quick"))
    assert (found.decision, found.cases, found.engines.names) == (Decision.HOLDS, 15_000, (entry.NAME,))
    assert not found.trusted


def test_a_third_heap_stops_the_code(tmp_path: Path) -> None:
    claim = _load(tmp_path, [ONE, _tie()], "wins(position([x, 1, x])) or x >= 0", 'x = "0..3"')
    with pytest.raises(Stopped):
        CompiledSearch(claim, claim.scope("quick"), {}, 2, False).search(Deadline(None))


@pytest.mark.parametrize(
    ("moves", "ties"),
    [
        ([ONE, _tie()], Ties(True, 0)),
        ([LEFT], Ties(False, 0)),
        ([ONE, _tie("min(g, h, 4)"), _tie()], Ties(True, 4)),
        ([ONE, _tie("min(g, h)", '"g - m", "h"')], None),
        ([ONE, _tie("min(g, h)", '"g - m", "g - m"')], None),
        ([ONE, _tie("min(g, g)")], None),
        ([ONE, _tie("g")], None),
        ([ONE, _tie("min(g, h, 0)")], None),
        ([ONE, _tie("min(g, h, 2 * h)")], None),
        ([ONE, _tie("max(g, h)")], None),
        ([ONE, _tie(rest='where = "m != 2"')], None),
        ([ONE, _tie().replace("1..", "0..")], None),
        ([ONE, _tie().replace("1..", "2..")], None),
        ([ONE, _tie().replace("any two heaps g, h", "any three heaps g, h, i")], None),
        ([_tie()], None),
        ([ONE.replace("1..h", "2..h"), _tie()], None),
        ([ONE.replace("1..h", "1..min(h, 9)"), _tie()], None),
        ([ONE.replace("any heap", "a largest heap"), _tie()], None),
        ([LEFT.replace("h - 1", "h - 2"), _tie()], None),
        ([LEFT.replace("0..", "1.."), _tie()], None),
        ([ONE, LEFT.replace('"m"', '"m // 2"'), _tie()], None),
        ([ONE + '\nwhere = "mover == A"', _tie()], None),
        ([ONE + '\nwhere = "len(s) > 1"', _tie()], None),
    ],
)
def test_which_games_are_like_wythoffs(tmp_path: Path, moves: list[str], ties: Ties | None) -> None:
    claim = _load(tmp_path, moves, "wins(position([x, x]), A)", 'x = "0..3"')
    assert read_ties(claim.games[0].ruleset) == ties


def test_a_declared_measure_is_left_to_other_engines(tmp_path: Path) -> None:
    claim = _load(tmp_path, [ONE, _tie()], "wins(position([x, x]))", 'x = "0..3"', more='measure = "5 - sum(s)"\n')
    assert read_ties(claim.games[0].ruleset) is None


@pytest.mark.parametrize(
    ("then", "reason"),
    [
        ("grundy(position([x, x])) >= 0", "the claim asks for values of two heaps, of which one may have 8192"),
        ("wins(position([x, x, x]))", "the moves are on two heaps"),
        ("grundy(position([x // 9, x // 9, x // 9])) >= 0", "the moves are on two heaps"),
    ],
)
def test_what_is_left_to_arrays(tmp_path: Path, then: str, reason: str) -> None:
    claim = _load(tmp_path, [ONE, _tie()], then, 'x = "0..9000"')
    refusals = {x.engine: x.reason for x in choose_engine(claim, Shard(claim.scope("quick"), None)).refusals}
    assert refusals[entry.NAME].startswith(reason)
