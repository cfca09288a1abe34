"""Arrays near 2^31, 2^62 and 2^63: each operation agrees with the referee, and numbers do not wrap around.

The same holds for the engines that solve games, and for the kernel: rules that hold only modulo a power of two, and
numbers that wrap around to small ones, change nothing.
"""

from __future__ import annotations

import random
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest
from both import Both, base_claim
from test_machine_code_of_large_numbers import AROUND, GIVEN, WRITTEN

from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached
from encoders.compute.arrays import bit_plan as plan
from encoders.compute.arrays import heap_tables as heap_values
from encoders.compute.arrays.bit_rows import BoxGrid, NotApplicable
from encoders.compute.arrays.evaluate import ColumnTable, Sheet
from encoders.compute.arrays.limits import Deadline, TooLarge
from encoders.compute.arrays.values import Scalars
from encoders.compute.exhaustive import decide_by_search
from encoders.kernel.machine import Machine
from encoders.kernel.values import HeapMoves, find_flaw, solve_values
from encoders.logic.answer import Decision
from encoders.proving.reading import load_claim

FAR = [*GIVEN, *(s * (2**63 + d) for s in (1, -1) for d in (-1, 0, 1)), 2**62, -(2**62), 2**64, 2**64 + 1]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    return Both(base_claim(Path(tmp_path_factory.mktemp("base"))))


@pytest.mark.parametrize("small", [True, False], ids=["below 2^62", "beyond"])
@pytest.mark.parametrize("op", [op for op in WRITTEN if op not in ("slice", "concat", "put", "sorted")])  # no arrays
def test_an_operation_on_columns_of_large_numbers_has_its_value(both: Both, op: str, small: bool) -> None:
    drawn = random.Random(f"{op} {small}")
    pool = GIVEN if small else FAR
    pairs = [(drawn.choice(pool), drawn.choice(pool)) for _ in range(24)]
    kind: type = np.int64 if small else object
    table = ColumnTable({name: np.array(x, dtype=kind) for name, x in zip("kl", zip(*pairs, strict=True), strict=True)})
    for text in WRITTEN[op]:
        for around in AROUND[:4]:
            term = both.term(around.replace("{}", text))
            found = table.evaluate(term)
            for i, (k, l_) in enumerate(pairs):
                both.referee.steps.left = 100_000
                try:
                    expected = both.referee.evaluate(term, {**both.case(0, 0), "k": k, "l": l_})
                except (IllDefined, LimitReached):
                    assert found.undefined[i], (text, k, l_)
                    continue
                assert not found.undefined[i], (text, k, l_)
                assert found.values[i] == expected, (text, k, l_)


# -- games ------------------------------------------------------------------------------------------------------------
FOUR = "2147483648 * m * 2147483648 * m * 4 == 0"  # true modulo 2^64
RULES = {
    "a condition": f'[[moves]]\nchoose = "any heap h"\npick = {{ m = "1..h" }}\nwhere = "m != 2 or {FOUR}"\n'
    'become = ["h - m"]\n',
    "max over a list": '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\n'
    'where = "m != 2 or max(c * m for c in [2147483648, 0]) * max(c * m for c in [2147483648, 0]) * 4 == 0"\n'
    'become = ["h - m"]\n',
    "a large coefficient": '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\n'
    'where = "4611686018427387904 * m == 23058430092136939520"\nbecome = ["h - m"]\n',
    "a large modulus": '[[moves]]\nchoose = "any heap h"\npick = { m = "-3..h" }\n'
    'where = "m % 4611686018427387903 == 2 and m >= 1"\nbecome = ["h - m"]\n',
    "ends that wrap": '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\n'
    'where = "m % 4611686018427387903 == 5 and m >= 4611686018427387903 and m < -4611686018427387903 or m == 2"\n'
    'become = ["h - m"]\n',
    "numbers that wrap": '[[moves]]\nchoose = "any heap h"\npick = { m = "{3, 4294967297, 8589934593}" }\n'
    'where = "m <= h"\nbecome = ["h - m"]\n',
    "splits that wrap": '[[moves]]\nchoose = "any heap h"\npick = { a = "1..h", b = "1..h" }\n'
    'where = "h - a - b in {2, 4294967297, 8589934595}"\nbecome = ["a", "b"]\n',
    "a pair": '[[moves]]\nchoose = "any heap h"\npick = { m = "1..h" }\nbecome = ["h - m"]\n[[moves]]\n'
    'choose = "any two heaps h, g"\npick = { m = "1..min(h, g)" }\n'
    f'where = "m != 2 or {FOUR}"\nbecome = ["h - m", "g - m"]\n',
}


def _write(folder: Path, rules: str, then: str, scope: str, measure: str = "") -> Path:
    (folder / "rulesets").mkdir()
    head = f'format = 1\ntitle = "G"\nplayers = ["A", "B"]\nstuck = "loses"\n{measure}'
    (folder / "rulesets" / "mine.toml").write_text(head + rules, "utf-8")
    path = folder / "claim.toml"
    path.write_text(
        'format = 1\ntitle = "T"\nstatement = "S."\nwork = "w"\nlocator = "l"\nrole = "conjecture"\nruleset = "mine"\n'
        f'[forall]\ns = "position"\n[claim]\nthen = "{then}"\n[scope]\ns = {scope}\n',
        "utf-8",
    )
    return path


@pytest.mark.parametrize("heaps", [1, 2])
@pytest.mark.parametrize("name", RULES)
def test_rules_with_large_numbers_are_played_as_the_referee_plays_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, heaps: int
) -> None:
    monkeypatch.setattr(heap_values, "SMALL", 4)  # larger ones by the kernel
    monkeypatch.setattr(heap_values, "LOADED", 4)
    claim = load_claim(_write(tmp_path, RULES[name], "wins(s)", '{ heaps = "0..2", size = "1..9" }'), "claim")
    term = claim.conclusion
    most = 6 if heaps > 1 else 12 if "splits" in name else 40
    positions = [(0,) * (heaps - len(x)) + x for n in range(heaps + 1) for x in _list_positions(n, most)]
    found = Sheet(claim, (), Deadline(None)).evaluate_positions(term, "s", np.array(positions))
    referee = Referee(claim, 10_000_000)
    assert found == [referee.evaluate(term, {"s": tuple(h for h in x if h)}) for x in positions]


def _list_positions(heaps: int, most: int) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(1, most + 1), heaps))


@pytest.mark.parametrize("name", ["a condition", "max over a list", "a large coefficient", "numbers that wrap"])
def test_rules_with_large_numbers_as_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(plan, "LEAST", 1)
    then = "wins(s) or sum(s) * 2147483648 * sum(s) * 2147483648 * 4 == 0"
    claim = load_claim(_write(tmp_path, RULES[name], then, '{ heaps = "1..2", size = "1..9" }'), "claim")
    answer = decide_by_search(claim, claim.scope("quick"))
    referee = Referee(claim, 10_000_000)
    lost = [x for n in (1, 2) for x in _list_positions(n, 9) if referee.judge({"s": x}) == "fails"]
    assert answer.decision is Decision.FAILS
    assert answer.counterexample == {"s": min(lost, key=lambda x: (len(x), sum(x), x))}
    assert set(answer.engines.names) & {"line bits", "parameter bits"}


def test_weights_whose_sum_is_past_2_to_the_63_are_not_added_up(tmp_path: Path) -> None:
    """Each of eight heaps weighs 2^60. Together they do not weigh less than the heap that was split."""
    weight = 'measure = "sum(1152921504606846976 if h == 1 else h for h in s)"\n'
    rules = '[[moves]]\nchoose = "any heap h"\npick = { m = "{9}" }\nwhere = "h == 9"\nbecome = ["1"%s]\n' % (
        ', "1"' * 7
    )
    then = "wins(s) or sum(s) < 9"  # no smaller heap is a counterexample
    claim = load_claim(_write(tmp_path, rules, then, '{ heaps = "1", size = "1..40" }', weight), "claim")
    assert decide_by_search(claim, claim.scope("quick")).decision in (Decision.UNKNOWN, Decision.UNSUPPORTED)


def test_values_that_fit_into_eight_bits_are_multiplied_without_loss(tmp_path: Path) -> None:
    """The values are 0 to 20, and 16 * 16 is 0 modulo 256. So the claim would hold in eight bits."""
    rules = '[[moves]]\nchoose = "any heap h"\npick = { m = "1..min(h, 20)" }\nbecome = ["h - m"]\n'
    then = "grundy(s) * grundy(s) < 256"
    claim = load_claim(_write(tmp_path, rules, then, '{ heaps = "1", size = "1..4000" }'), "claim")
    answer = decide_by_search(claim, claim.scope("quick"))
    assert (answer.decision, answer.counterexample) == (Decision.FAILS, {"s": (16,)})
    assert answer.engines.names == ("heaps",)


# -- the kernel -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("most", [1, 2, 61, 62, 63, 64, 65, 130, 300])
@pytest.mark.parametrize("whole", [True, False])
def test_the_kernel_solves_games_with_few_and_with_many_moves(most: int, whole: bool) -> None:
    """The values of few moves are bits of one word."""
    takes = np.arange(most + 1) > 0
    ends = takes if whole else ~takes & False
    known = np.zeros(1, dtype=np.int64)
    found = solve_values(HeapMoves(ends, takes), 700, known, Deadline(None))
    assert found.tolist() == [h % (most + 1) if whole else max(h - 1, 0) % (most + 1) for h in range(701)]
    assert solve_values(HeapMoves(ends, takes), 700, found[:300], Deadline(None)).tolist() == found.tolist()


def _moves(two: tuple[int, ...] = (), equal: tuple[int, ...] = ()) -> HeapMoves:
    one = np.zeros(50, dtype=bool)
    one[1:3] = True
    return HeapMoves(np.zeros(50, dtype=bool), one, two, equal)


def test_numbers_past_32_bits_do_not_wrap_in_the_kernel() -> None:
    first = np.zeros(1, dtype=np.int64)
    plain = solve_values(_moves((3,), (4,)), 40, first, Deadline(None)).tolist()
    far = _moves((3, 2**32 + 1, 2**33 + 5), (4, 2**32 + 2, 2**62))
    assert solve_values(far, 40, first, Deadline(None)).tolist() == plain
    assert find_flaw(far, np.array(plain), Deadline(None)) is None
    wrapped = np.array(plain) + (np.arange(len(plain)) == 7) * 2**32
    with pytest.raises(TooLarge, match="more than 32 bits"):
        find_flaw(far, wrapped, Deadline(None))


@pytest.mark.parametrize(("number", "kind"), [(2**31, "<i4"), (-(2**31) - 1, "<i4"), (2**32, "<u4"), (-1, "<u4")])
def test_the_memory_of_the_kernel_takes_no_number_that_its_type_does_not_have(number: int, kind: str) -> None:
    with pytest.raises(TooLarge, match="more than 32 bits"):
        Machine().place(np.array([0, number]), kind)


def test_numbers_that_agree_once_they_are_doubled_are_not_grouped_as_bits() -> None:
    grid = BoxGrid(2, 2, Deadline(None))
    bad = np.array([[False], [True]])
    far = Scalars(np.array([[2**62], [-(2**62)]]), bad)
    with pytest.raises(NotApplicable, match=r"values of 2\^62 or more"):
        grid.compute("add", far, Scalars(np.array([[1, 2]])))
