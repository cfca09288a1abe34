"""The choice of the engine that searches the cases: the cheapest that can answer, with the reasons of the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run_within

from claims.language.files.claim import Claim
from encoders.compute import engines
from encoders.compute.arrays import bit_plan, boxes, heap_tables, limits
from encoders.compute.arrays.board import HEAPS as HEAPS_NAME
from encoders.compute.arrays.board import MOVES, PLAYED, SUMS
from encoders.compute.arrays.limits import Deadline
from encoders.compute.compound import play
from encoders.compute.engines import (
    ARRAYS,
    BITS,
    DEARER,
    ENGINES,
    PER_CASE,
    TOGETHER,
    CaseEngine,
    CaseQuery,
    Shard,
    choose_engine,
)
from encoders.compute.exhaustive import ExhaustiveSearch, decide_by_search, search_shard
from encoders.compute.native import entry
from encoders.logic.answer import Decision
from encoders.proving.reading import load_claim
from encoders.trust import Trust

CASES, CODE = "case by case", entry.NAME
HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "L"\nrole = "conjecture"\n'
PARTS = """format = 1
title = "G"
players = ["A", "B"]
stuck = "loses"
measure = "sum(h.n for h in s)"
[heap]
n = "0.."
[[moves]]
choose = "any heap h"
pick = { m = "1..min(h.n, 3)" }
become = [{ n = "h.n - m" }]
"""
ONE = "the claim does not have exactly one position as a variable"


def _load(folder: Path, game: str, variables: str, then: str, scope: str) -> Claim:
    (folder / "rulesets").mkdir(exist_ok=True)
    (folder / "rulesets" / "parts.toml").write_text(PARTS, "utf-8")
    path = folder / "claim.toml"
    text = f'{HEAD}ruleset = "{game}"\n[forall]\n{variables}\n[claim]\nthen = "{then}"\n[scope]\n{scope}\n'
    path.write_text(text, "utf-8")
    return load_claim(path, "claim")


BOX = ("nim", 's = "position"', "iff(wins(s, P1), nim_sum(s) != 0)")
HEAPS = ("parts", 'n = "0.."', "wins(position([heap(n)]), A) == (n % 4 != 0)")
MANY = ("cutting", 'n = "0.."', "wins(position([2 for i in range(n)]), P1) == (n % 2 == 1)")


@pytest.mark.parametrize(
    ("claim", "scope", "first", "reasons"),
    [
        (BOX, 's = { heaps = "0..3", size = "1..5" }', ARRAYS, {BITS: DEARER.format(ARRAYS), CASES: TOGETHER}),
        (BOX, 's = { heaps = "0..3", size = "1..60" }', BITS, {ARRAYS: DEARER.format(BITS), CASES: TOGETHER}),
        (
            BOX,
            's = { heaps = "0..17", size = "1..2" }',
            ARRAYS,
            {BITS: "the positions do not have between 1 and 16 heaps"},
        ),
        (("nim", 'n = "0.."', "wins(position([n]), P1) == (n > 0)"), 'n = "0..9"', ARRAYS, {BITS: ONE}),
        (HEAPS, 'n = "0..999"', CASES, {CODE: DEARER.format(CASES), ARRAYS: "the heaps have parts"}),
        (HEAPS, 'n = "0..1000"', CODE, {CASES: DEARER.format(CODE), ARRAYS: "the heaps have parts"}),
        (
            MANY,
            'n = "0..12"',
            CASES,
            {ARRAYS: "the integers describe a position of more than 8 heaps, or of more than 2 equal heaps", BITS: ONE},
        ),
    ],
)
def test_the_cheapest_engine_is_chosen(
    tmp_path: Path, claim: tuple[str, str, str], scope: str, first: str, reasons: dict[str, str]
) -> None:
    loaded = _load(tmp_path, *claim, scope)
    choice = choose_engine(loaded, Shard(loaded.scope("quick"), None))
    assert choice.able[0].name == first
    others = {x.engine: x.reason for x in choice.list_others(choice.able[0])}
    assert set(others) == {x.name for x in ENGINES} - {first}
    assert reasons.items() <= others.items()


def test_bits_are_chosen_from_the_cost_at_which_they_equal_arrays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = _load(tmp_path, *BOX, 's = { heaps = "0..3", size = "1..5" }')
    cost = bit_plan.estimate_arrays(claim, claim.scope("quick"))
    for least, first in ((cost, BITS), (cost + 1, ARRAYS)):
        monkeypatch.setattr(bit_plan, "LEAST", least)
        assert choose_engine(claim, Shard(claim.scope("quick"), None)).able[0].name == first
        assert (CaseQuery(claim, Shard(claim.scope("quick"), None)).bits is not None) == (first == BITS)


def test_machine_code_is_not_asked_if_a_deciding_case_is_known(tmp_path: Path) -> None:
    claim = _load(tmp_path, "parts", 'n = "0.."', "n != 2500", 'n = "0..3000"')
    scope = claim.scope("quick")
    best = search_shard(claim, Shard(scope, None), Deadline(None)).tally.best
    assert best is not None
    choice = choose_engine(claim, Shard(scope, None, best))
    assert [x.name for x in choice.able] == [CASES]
    assert any(x.engine == CODE and x.reason.startswith("a case that decides") for x in choice.refusals)


@pytest.mark.parametrize("claim", [(*BOX, 's = { heaps = "0..3", size = "1..60" }'), (*HEAPS, 'n = "0..2000"')])
def test_every_engine_that_can_answer_gives_the_same_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claim: tuple[str, str, str, str]
) -> None:
    """If the engines before it fail, the next engine answers."""
    loaded = _load(tmp_path, *claim)
    able = choose_engine(loaded, Shard(loaded.scope("quick"), None)).able
    assert len(able) == 2
    answers = [decide_by_search(loaded, loaded.scope("quick"))]
    failing = tuple(CaseEngine(x.name, x.estimate, lambda *_: False) if x.name == able[0].name else x for x in ENGINES)
    monkeypatch.setattr(engines, "ENGINES", failing)
    answers.append(decide_by_search(loaded, loaded.scope("quick")))
    assert {(x.decision, x.cases, x.cases_with_hypotheses) for x in answers} == {
        (Decision.HOLDS, answers[0].cases, answers[0].cases)
    }
    assert [able[i].name in x.engines.searched for i, x in enumerate(answers)] == [True, True]
    assert able[0].name not in answers[1].engines.searched


def test_an_engine_that_was_used_is_not_among_those_passed_over(tmp_path: Path) -> None:
    """The slabs of a scope may use different engines."""
    claim = _load(tmp_path, *BOX, 's = { heaps = "0..3", size = "1..60" }')
    found = ExhaustiveSearch(claim, claim.scope("quick")).run(Deadline(None)).engines
    assert {x.engine for x in found.passed_over}.isdisjoint({*found.searched, *found.names})


def test_a_verbose_run_names_the_engines_and_the_reasons(tmp_path: Path) -> None:
    _load(tmp_path, "nim", 'n = "0.."', "wins(position([n]), P1) == (n > 0)", 'n = "0..300"')
    words = ("run", "claim.toml", "--no-cache", "--no-report")
    shown = run_within(*words, "-v", cwd=tmp_path).stdout
    assert "engine: arrays; games solved by: heaps" in shown
    assert f"not used: {BITS}: {ONE}" in shown
    assert f"not used: {CASES}: {TOGETHER}" in shown
    plain = run_within(*words, cwd=tmp_path).stdout
    assert "engine" not in plain
    assert "not used" not in plain


@pytest.mark.parametrize(
    ("then", "engine", "reason"),
    [
        ("wins(position([n]), P1) == (n > 0)", "heaps", "the heaps are small, so a box of positions is solved as fast"),
        (
            "wins(position([n, n]), P1) == (n < 0)",
            "sums of heaps",
            "few positions are reachable, so all of them are solved, and no theorem needs to be trusted",
        ),
        (
            "wins(position([n, 1]), P1) == (n != 1)",
            "sums of heaps",
            "the Sprague-Grundy theorem does not apply to the game",
        ),
    ],
)
def test_the_solver_of_a_game_gives_the_reason_against_each_engine(
    tmp_path: Path, then: str, engine: str, reason: str
) -> None:
    game = "greedy-nim" if "[n, 1]" in then else "nim"
    claim = _load(tmp_path, game, 'n = "0.."', then, 'n = "0..20"')
    found = decide_by_search(claim, claim.scope("quick")).engines
    assert (engine, reason) in {(x.engine, x.reason) for x in found.passed_over}
    assert found.names


def test_values_of_rows_are_added_if_play_leaves_the_box(tmp_path: Path) -> None:
    """Three rows of Kayles to 30 are 5 456 positions, but a move splits a row, so play reaches far more positions."""
    box = 's = { heaps = "0..3", size = "1..30" }'
    claim = _load(tmp_path, "kayles", 's = "position"', "iff(wins(s), grundy(s) > 0)", box)
    found = decide_by_search(claim, claim.scope("quick"))
    assert (found.decision, found.engines.names) == (Decision.HOLDS, ("heaps",))
    assert Trust.SPRAGUE_GRUNDY in found.trusted


def test_the_engine_of_a_search_that_ran_out_of_time_is_named(tmp_path: Path) -> None:
    claim = _load(tmp_path, *HEAPS, 'n = "0..100"')
    found = decide_by_search(claim, claim.scope("quick"), clock=Deadline(-1.0, lambda: 1.0))
    assert found.detail.startswith("out of time")
    assert found.engines.searched == (CASES,)
    assert CODE in {x.engine for x in found.engines.passed_over}


def test_the_page_about_engines_names_each_engine_and_its_costs_and_limits() -> None:
    page = (Path(engines.__file__).parents[2] / "docs" / "performance.md").read_text("utf-8")
    assert all(f"| `{x.name}` |" in page for x in ENGINES)
    assert all(f"`{name}`" in page for name in (HEAPS_NAME, SUMS, MOVES, boxes.NAME))
    numbers = (
        bit_plan.LEAST,
        bit_plan.LEAST // bit_plan.LOADED,
        bit_plan.PER_POSITION,
        PER_CASE,
        PER_CASE * entry.FEW,
        limits.MAX_POSITIONS,
        limits.MAX_POSITIONS // 4,
        limits.MAX_EDGES,
        limits.MAX_CASES,
        heap_tables.MOST_LISTED,
        play.MOST_KINDS,
        play.WIDE,
        play.MOST_PLAYED,
        PLAYED,
    )
    assert [n for n in numbers if limits.group_digits(n) not in page] == []
