"""Sums of heaps with parts by their values: a false claim for each premise, and for each check of a move.

Each claim would hold if the engine forgot the premise. The smallest counterexample is found all the same.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame
from claims.language.files.claim import Claim
from claims.language.files.rulesets import load_ruleset
from encoders.compute.compound import described, play, search
from encoders.compute.compound.described import has_many_positions
from encoders.compute.exhaustive import decide_by_search
from encoders.compute.native import entry
from encoders.logic.answer import Decision
from encoders.proving.reading import load_claim
from encoders.trust import Trust

HEAD = 'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "l"\nrole = "conjecture"\nruleset = "mine"\n'
TAKE = 'choose = "any heap h"\npick = { m = "1..min(h.n, 2)" }\nbecome = [{ n = "h.n - m" }]'
SPLIT = (
    'choose = "any heap h"\npick = { m = "1..min(h.n, 2)", a = "0..h.n - m" }\n'
    'become = [{ n = "a" }, { n = "h.n - m - a" }]'
)
BOTH = 'choose = "any two heaps g, h"\nwhere = "g.n == h.n"\nbecome = [{ n = "0" }, { n = "0" }]'
LAST = "n > 4 or m > 4"


def write(
    folder: Path,
    moves: str,
    then: str,
    stuck: str = "loses",
    players: str = '["A", "B"]',
    measure: str = "sum(h.n for h in s)",
    bound: str = "0..6",
) -> Claim:
    (folder / "rulesets").mkdir(exist_ok=True)
    rules = f'format = 1\ntitle = "G"\nplayers = {players}\nstuck = "{stuck}"\nmeasure = "{measure}"\n'
    rules += '[heap]\nn = "0.."\ngone = "h.n == 0"\n' + "".join(f"[[moves]]\n{x}\n" for x in moves.split("\n\n"))
    (folder / "rulesets" / "mine.toml").write_text(rules, "utf-8")
    text = f'{HEAD}[forall]\nn = "0.."\nm = "0.."\n[claim]\nthen = "{then}"\n[scope]\nn = "{bound}"\nm = "{bound}"\n'
    (folder / "claim.toml").write_text(text, "utf-8")
    return load_claim(folder / "claim.toml", "claim")


@pytest.fixture(autouse=True)
def _always_add(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use machine code, and add values wherever the engine may."""
    monkeypatch.setattr(entry, "FEW", 0)
    monkeypatch.setattr(search, "PLAYED", 0)


PAIR = "wins(position([heap(n), heap(m)]), A)"
ADDED = f"{PAIR} == (n % 3 != m % 3)"
VALUE = "(value(position([heap(n), heap(m)]), A) == 0)"
DIFFERENT = f"{PAIR} == (grundy(position([heap(n)])) != grundy(position([heap(m)])))"
PREMISES = {
    "misère play": {"moves": TAKE, "stuck": "wins"},
    "moves of one player": {"moves": f'{TAKE}\nwhere = "m == 1 or mover == A"'},
    "a third player": {
        "moves": TAKE,
        "players": '["A", "B", "C"]',
        "then": f"{VALUE} == (n % 3 != m % 3)",
    },
    "a move that depends on other heaps": {"moves": f'{TAKE}\nwhere = "len(s) != 2 or m == 2"'},
    "a move of two heaps": {"moves": f"{TAKE}\n\n{BOTH}"},
    "a move of the largest heap": {
        "moves": TAKE.replace("1..min(h.n, 2)", "2..min(h.n, 3)").replace("any heap", "a largest heap"),
        "then": f"{PAIR} == ((n % 5) // 2 != (m % 5) // 2)",
    },
}


@pytest.mark.parametrize("premise", PREMISES)
def test_values_are_not_added_without_a_premise_of_the_theorem(tmp_path: Path, premise: str) -> None:
    claim = write(tmp_path, **({"then": ADDED} | PREMISES[premise]))
    answer = decide_by_search(claim, claim.scope("quick"))
    game = RefereeGame(load_ruleset(tmp_path / "rulesets" / "mine.toml"), {}, RefereeSteps(10**8))
    value = (lambda n: n % 5 // 2) if "largest" in premise else (lambda n: n % 3)
    wrong = [
        {"n": n, "m": m}
        for n, m in product(range(7), repeat=2)
        if (game.value(tuple((x,) for x in sorted((n, m)) if x), 0) == 0) != (value(n) != value(m))
    ]
    assert (answer.decision, answer.counterexample) == (Decision.FAILS, wrong[0])
    assert Trust.SPRAGUE_GRUNDY not in answer.trusted


@pytest.mark.parametrize(
    ("moves", "then"),
    [(TAKE, ADDED), (SPLIT, f"{PAIR} == (grundy(position([heap(n)])) != grundy(position([heap(m)])))")],
)
def test_values_are_added_where_all_premises_hold(tmp_path: Path, moves: str, then: str) -> None:
    claim = write(tmp_path, moves, then)
    answer = decide_by_search(claim, claim.scope("quick"))
    assert (answer.decision, answer.engines.names) == (Decision.HOLDS, (entry.NAME,))
    assert Trust.SPRAGUE_GRUNDY in answer.trusted
    false = write(tmp_path, moves, then.replace("n % 3 != m", "n % 4 != m").replace("heap(m)])))", "heap(m + n)])))"))
    assert decide_by_search(false, false.scope("quick")).decision is Decision.FAILS


def test_a_split_is_the_nim_sum_of_its_heaps_and_not_their_sum(tmp_path: Path) -> None:
    """In Kayles, a heap of 5 may become 1, 3 or 2, 2 or 4 or 1, 2 or 3: the values 2, 0, 1, 3, 3 have the mex 4."""
    for then, decision in (("== 4", Decision.HOLDS), ("== 2", Decision.FAILS)):
        claim = write(tmp_path, SPLIT, f"n != 5 or grundy(position([heap(n)])) {then}")
        answer = decide_by_search(claim, claim.scope("quick"))
        assert (answer.decision, answer.engines.names) == (decision, (entry.NAME,))


@pytest.mark.parametrize("stuck", ["loses", "wins"])
def test_heaps_that_vanish_are_left_out_of_a_position(tmp_path: Path, stuck: str) -> None:
    claim = write(tmp_path, TAKE, "wins(position([heap(n)])) or n * m != 0", stuck, bound="0..1")
    answer = decide_by_search(claim, claim.scope("quick"))
    assert answer.engines.names == (entry.NAME,)
    assert answer.counterexample == ({"n": 0, "m": 0} if stuck == "loses" else {"n": 1, "m": 0})


# -- measures that are powers -----------------------------------------------------------------------------------------
UP = 'choose = "any heap h"\nwhere = "h.n in {1, 2}"\nbecome = [{ n = "3 - h.n" }]'
THREE = 'choose = "any heap h"\nwhere = "h.n == 3"\nbecome = [{ n = "2" }, { n = "2" }, { n = "2" }]'
TOO_LARGE = {
    "as many heaps as the base": (THREE, "sum(3 ** h.n for h in s)"),
    "more heaps than the base": (THREE, "sum(2 ** h.n for h in s)"),
    "an equal exponent": (TAKE.replace("h.n - m", "h.n"), "sum(4 ** h.n for h in s)"),
    "a larger exponent": (TAKE.replace("h.n - m", "h.n + m"), "sum(4 ** h.n for h in s)"),
    "a larger exponent of the last heap": (
        'choose = "any heap h"\nwhere = "h.n == 3"\nbecome = [{ n = "2" }, { n = "5" }]',
        "sum(4 ** h.n for h in s)",
    ),
    "a negative exponent": (TAKE, "sum(4 ** (h.n - 2) for h in s)"),
    "a condition": (TAKE, "sum(4 ** h.n for h in s if h.n != 2)"),
    "the base 1": (TAKE, "sum(1 ** h.n for h in s)"),
    "a negative base": (TAKE, "sum((-4) ** h.n for h in s)"),
    "a factor that decreases": (TAKE, "sum(2 ** h.n // 2 ** (2 * h.n // 3) for h in s)"),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_measure_of_powers_must_decrease(tmp_path: Path, name: str) -> None:
    moves, measure = TOO_LARGE[name]
    claim = write(tmp_path, moves, f"{PAIR} or not {PAIR}", measure=measure)
    answer = decide_by_search(claim, claim.scope("quick"))
    assert answer.decision is Decision.UNSUPPORTED
    assert "does not decrease the measure" in answer.detail or "ill-defined" in answer.detail


@pytest.mark.parametrize("base", [4, 5, 1000])
def test_exponents_replace_powers_of_more_than_62_bits(tmp_path: Path, base: int) -> None:
    move = (
        'choose = "any heap h"\nwhere = "h.n > 0"\nbecome = [{ n = "h.n - 1" }, { n = "h.n - 1" }, { n = "h.n // 2" }]'
    )
    claim = write(tmp_path, move, DIFFERENT, measure=f"sum({base} ** h.n for h in s)", bound="0..200")
    answer = decide_by_search(claim, claim.scope("quick"))
    assert (answer.decision, answer.engines.names) == (Decision.HOLDS, (entry.NAME,))
    few = write(tmp_path, move, DIFFERENT, measure="sum(3 ** h.n for h in s)", bound="0..3")  # 3 heaps, 3 ** n
    assert decide_by_search(few, few.scope("quick")).engines.names != (entry.NAME,)


# -- the choice at the start ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("moves", "bound", "stuck", "many"),
    [
        (TAKE, "0..100", "loses", False),
        (TAKE, "0..200", "loses", True),  # more than 20 000 positions of two heaps
        (SPLIT, "0..5", "loses", False),
        (SPLIT, "0..9", "loses", True),  # a heap that splits
        (f'{TAKE}\nwhere = "m == 1 or mover == A"', "0..200", "loses", False),
    ],
)
def test_the_claim_and_the_game_determine_whether_values_are_added(
    tmp_path: Path, moves: str, bound: str, stuck: str, many: bool
) -> None:
    claim = write(tmp_path, moves, ADDED, stuck, bound=bound)
    assert has_many_positions(claim, claim.scope("quick")) == many
    assert play.MOST_PLAYED < described.MANY


def test_no_position_is_played_before_values_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "FEW", 10**6)
    monkeypatch.setattr(search, "PLAYED", 10**6)
    monkeypatch.setattr(play.EngineGame, "_solve", None)
    claim = write(tmp_path, TAKE, f"n < 199 or m < 199 or {ADDED}", bound="0..200")
    answer = decide_by_search(claim, claim.scope("quick"))
    assert (answer.decision, answer.engines.names) == (Decision.HOLDS, (search.ENGINE,))
    assert Trust.SPRAGUE_GRUNDY in answer.trusted
