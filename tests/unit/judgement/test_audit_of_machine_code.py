"""The referee evaluates a part of the results of machine code again, and engines that do not answer are recorded."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from commands import run_within

from checks.command.replay import replay
from checks.execution.settle import settle_entry
from checks.judgement import findings
from checks.judgement.scopes import Options
from checks.receipts.receipt import BadReceipt, make_receipt, read_receipt, seal
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from claims.language.files.library import select
from encoders.compute.arrays import bit_plan as plan
from encoders.compute.arrays import bit_search as grounds
from encoders.compute.arrays.bit_rows import NotApplicable
from encoders.compute.arrays.case_sample import RANDOM, CaseSample
from encoders.compute.native import entry
from encoders.compute.native.pieces import Bounds
from encoders.kernel import values
from encoders.logic.answer import Fallback

SCHEMA = json.loads((Path(findings.__file__).parents[1] / "receipts" / "receipt.schema.json").read_text("utf-8"))
LARGE = "a number has more than 62 bits, or a number in a heap has more than 30"
CLAIM = """format = 1
title = "T"
statement = "S."
work = "own"
locator = "x"
role = "conjecture"
ruleset = "take"
"""
GAME = """format = 1
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
FAR = "max(c * n for c in [2147483648, 0])"
WRAPS = f"{FAR} * {FAR} * 4 == 0"  # true modulo 2^64 wherever n is not 0


def _write(folder: Path, then: str, name: str = "mine", scope: str = "0..90", more: str = "", where: str = "") -> Path:
    (folder / "rulesets").mkdir(exist_ok=True)
    (folder / "rulesets" / "take.toml").write_text(GAME + where, "utf-8")
    path = folder / f"{name}.toml"
    text = f'{CLAIM}{more}[forall]\nn = "0.."\n[claim]\nthen = "{then}"\n[scope]\nn = "{scope}"\n'
    path.write_text(text, "utf-8")
    return path


def _settle(path: Path) -> ClaimResult:
    return settle_entry(select((str(path),))[0], Options())


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "FEW", 20)


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use machine code without checks, so that numbers wrap around."""
    monkeypatch.setattr(Bounds, "fits", True)


TRUE = "wins(position([heap(n)])) == (n % 4 != 0)"


# -- the referee and machine code -------------------------------------------------------------------------------------
def test_what_machine_code_verifies_is_evaluated_again(tmp_path: Path) -> None:
    found = _settle(_write(tmp_path, TRUE)).finding
    assert found.routes[0].engines == (entry.NAME,)
    assert RANDOM <= found.sampled == found.rechecked <= 91


@pytest.mark.usefixtures("lying")
def test_machine_code_that_wraps_is_contradicted_by_the_referee(tmp_path: Path) -> None:
    result = _settle(_write(tmp_path, f"n < 2 or {WRAPS}"))
    assert result.finding.routes[0].engines == (entry.NAME,)
    assert result.verdict is Verdict.INCONSISTENT
    words = 'at n = 2, the engine "case by case, as machine code" says: holds; the referee says: fails'
    assert result.finding.error == words


def test_cases_beyond_the_limits_of_the_referee_are_skipped_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(findings, "AUDIT_STEPS", 300)  # it knows no smaller position
    far = "wins(position([heap(97 * n)])) == (97 * n % 4 != 0)"
    result = _settle(_write(tmp_path, far))
    assert result.verdict is Verdict.VERIFIED
    assert 0 < result.finding.rechecked < result.finding.sampled
    monkeypatch.setattr(findings, "AUDIT_TOTAL", 0)
    assert _settle(_write(tmp_path, far)).finding.rechecked <= 1


@pytest.mark.parametrize("parts", [1, 7, 1000])
def test_the_sample_has_all_ends_and_many_cases_at_random(parts: int) -> None:
    rows = np.array([(p, a, b, 1 + (a == b)) for p in range(40) for a in range(5) for b in range(-3, 4)])
    sample = CaseSample("seed", 4)
    sample.want({0, 17, 39})
    for part in np.array_split(rows, parts):
        sample.read(part)
    found = sample.list_rows()
    assert found == sorted(set(found), key=[tuple(row) for row in rows.tolist()].index)
    assert RANDOM < len(found) <= RANDOM + 25
    assert {tuple(rows[1 << i].tolist()) for i in range(11)} <= set(found)
    assert {(0, 0, -3, 1), (39, 4, 3, 1), (17, 0, -3, 1), (39, 0, -3, 1)} <= set(found)  # first, last, wanted
    assert {(0, 4, -3, 1), (39, 0, 3, 1), (0, 0, 3, 1), (39, 4, -3, 1)} <= set(found)  # ends of a and b
    whole = CaseSample("seed", 4)
    whole.want({0, 17, 39})
    whole.read(rows)
    assert found == whole.list_rows()
    backwards = CaseSample("seed", 4)
    starts = np.cumsum([0, *map(len, np.array_split(rows, parts))])
    for start, part in reversed(list(zip(starts.tolist(), np.array_split(rows, parts), strict=False))):
        backwards.read(part, start)
    others = backwards.list_rows()
    assert others == sorted(set(others), key=[tuple(row) for row in rows.tolist()].index)
    assert {x for x in found if x not in set(others)}.isdisjoint({tuple(rows[1 << i].tolist()) for i in range(11)})
    assert {(0, 0, -3, 1), (39, 4, 3, 1), (0, 4, -3, 1), (39, 0, 3, 1), (0, 0, 3, 1), (39, 4, -3, 1)} <= set(others)
    assert RANDOM < len(others) <= RANDOM + 25
    other = CaseSample("another", 4)
    other.read(rows)
    assert len(set(found) & set(other.list_rows())) < RANDOM // 2


def test_of_a_large_scope_the_referee_evaluates_small_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "AUDIT_STEPS", 2_000)
    monkeypatch.setattr(findings, "AUDIT_TOTAL", 40_000)
    found = _settle(_write(tmp_path, "wins(position([heap(n)])) == (n % 4 != 0) and n % 2 ** 40 >= 0", scope="0..3000"))
    assert found.finding.routes[0].engines == (entry.NAME,)
    assert found.finding.rechecked >= 5


# -- tables of two heaps ----------------------------------------------------------------------------------------------
PAIRS = """format = 1
title = "W"
players = ["A", "B"]
stuck = "{stuck}"
[[moves]]
choose = "any heap h"
pick = {{ m = "1..h" }}
become = ["h - m"]
[[moves]]
choose = "any two heaps g, h"
pick = {{ m = "1..min(g, h, 9)" }}
become = ["g - m", "h - m"]
"""


def _write_pairs(folder: Path, then: str, stuck: str = "loses") -> Path:
    path = _write(folder, then, scope="0..700")
    (folder / "rulesets" / "take.toml").write_text(PAIRS.format(stuck=stuck), "utf-8")
    return path


@pytest.mark.parametrize("stuck", ["loses", "wins"])
def test_what_large_tables_of_two_heaps_verify_is_evaluated_again(tmp_path: Path, stuck: str) -> None:
    found = _settle(_write_pairs(tmp_path, "wins(position([n + 1])) or n == 0", stuck)).finding
    assert found.routes[0].engines == ("boxes",)
    assert RANDOM < found.sampled <= 701
    assert found.rechecked >= 8


def test_tables_of_two_heaps_that_are_wrong_are_contradicted_by_the_referee(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "find_partners", lambda size, *_: np.full(size + 1, -1))
    result = _settle(_write_pairs(tmp_path, "wins(position([n, n + n % 2])) or n % 10 > 0"))
    assert result.verdict is Verdict.INCONSISTENT
    assert result.finding.error == 'at n = 0, the engine "boxes" says: holds; the referee says: fails'


def test_two_tables_that_were_compared_need_no_large_sample(tmp_path: Path) -> None:
    found = _settle(_write_pairs(tmp_path, "iff(wins(position([n, n])), grundy(position([n, n])) != 0)")).finding
    assert (found.routes[0].engines, found.sampled) == (("boxes",), 0)


def test_the_random_cases_come_from_everywhere() -> None:
    counts = np.zeros(10, dtype=int)
    for seed in range(60):
        sample = CaseSample(str(seed), 3)
        sample.read(np.array([(0, n, 1) for n in range(5000)]))
        for _, n, _ in sample.list_rows():
            counts[n // 500] += n & (n - 1) != 0  # the others are always present
    assert counts.min() > 300
    assert counts.max() < 620


# -- the record -------------------------------------------------------------------------------------------------------
def test_an_engine_that_does_not_answer_is_recorded_and_another_one_answers(tmp_path: Path) -> None:
    result = _settle(_write(tmp_path, f"n != 37 or {WRAPS}"))
    assert result.verdict is Verdict.REFUTED
    (route,) = (r for r in result.finding.routes if r.encoder == "exhaustive")
    assert route.fallbacks == (Fallback(entry.NAME, LARGE),)
    assert result.finding.counterexample is not None
    assert result.finding.counterexample.variables == (("n", 37),)
    assert result.finding.sampled == 0


@pytest.mark.parametrize(
    ("then", "reason"),
    [
        ("n // (n - 7) < 99 or wins(position([heap(n)]))", "a term is ill-defined"),
        (
            "len(range(0, n // 25 * 1100000)) >= 0 or wins(position([heap(n)]))",
            "there is not enough room for all numbers",
        ),
        ("wins(position([heap(n), heap(n)])) or n >= 0", "a term is ill-defined"),
        ("gcd(n, 6) > 0 or wins(position([heap(n)]))", "gcd"),
        ("wins(position([heap(6000)])) or n >= 0", "the recursion is too deep"),
    ],
)
def test_the_reason_is_told(tmp_path: Path, then: str, reason: str) -> None:
    (fallback,) = _settle(_write(tmp_path, then, scope="0..25")).finding.routes[0].fallbacks
    assert fallback.engine == entry.NAME
    assert fallback.reason.startswith(reason)


def test_a_large_scope_without_a_game_is_looked_at_case_by_case(tmp_path: Path) -> None:
    path = _write(tmp_path, "sorted([n, 3])[0] <= 3")
    path.write_text(path.read_text("utf-8").replace('ruleset = "take"\n', ""), "utf-8")
    result = _settle(path)
    assert (result.verdict, result.finding.cases) == (Verdict.VERIFIED, 91)
    assert not result.finding.routes[0].fallbacks
    assert Fallback(entry.NAME, "the claim has no question about a game") in result.finding.routes[0].passed_over


def test_bits_that_do_not_serve_are_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> object:
        raise NotApplicable("the kernel cannot run here: no memory")

    monkeypatch.setattr(plan, "LEAST", 1)
    monkeypatch.setattr(grounds, "open_machine", refuse)
    path = tmp_path / "plain.toml"
    text = CLAIM.replace("take", "nim") + '[forall]\ns = "position"\n[claim]\nthen = "iff(wins(s), nim_sum(s) != 0)"\n'
    path.write_text(f'{text}[scope]\ns = {{ heaps = "0..2", size = "1..9" }}\n', "utf-8")
    result = _settle(path)
    assert result.verdict is Verdict.VERIFIED
    (fallback,) = result.finding.routes[0].fallbacks
    assert fallback.engine in ("line bits", "parameter bits")
    assert fallback.reason == "the kernel cannot run here: no memory"


def _receive(path: Path) -> dict[str, object]:
    (chosen,) = select((str(path),))
    return make_receipt(settle_entry(chosen, Options()), chosen, Options(), "test")


@pytest.mark.parametrize(
    ("then", "fallen", "sampled"),
    [(TRUE, False, True), (f"n != 37 or {WRAPS}", True, False), (TRUE.replace("n % 4", "gcd(n, 4)"), True, False)],
)
def test_a_receipt_tells_fallbacks_and_the_sample_where_there_are_any(
    tmp_path: Path, then: str, fallen: bool, sampled: bool
) -> None:
    data = json.loads(json.dumps(_receive(_write(tmp_path, then))))
    jsonschema.Draft202012Validator(SCHEMA).validate(data)
    assert ("fallbacks" in data["routes"][0], "sampled" in data["referee"]) == (fallen, sampled)
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(data), "utf-8")
    read = read_receipt(path)
    assert (bool(read.routes[0].fallbacks), bool(read.referee.sampled)) == (fallen, sampled)
    assert not any("contradict" in line for line in replay(path).lines)


@pytest.mark.parametrize("edit", ["none", "a number", "more", "no reason"])
def test_a_receipt_with_other_fallbacks_or_sample_is_refused(tmp_path: Path, edit: str) -> None:
    data = json.loads(json.dumps(_receive(_write(tmp_path, TRUE if edit == "more" else f"n != 37 or {WRAPS}"))))
    match edit:
        case "none":
            data["routes"][0]["fallbacks"] = []
        case "a number":
            data["routes"][0]["fallbacks"] = 3
        case "no reason":
            del data["routes"][0]["fallbacks"][0]["reason"]
        case "more":
            data["referee"]["sampled"] = 1
    data["seal"] = seal(data)
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(Exception, match=r"fallbacks|referee\.rechecked") as caught:
        replay(path)
    assert isinstance(caught.value, BadReceipt) or edit == "more"


def test_a_verbose_run_prints_fallbacks_and_the_sample(tmp_path: Path) -> None:
    _write(tmp_path, TRUE, "holds")
    _write(tmp_path, f"n != 37 or {WRAPS}", "fails")
    words = ("run", "holds.toml", "fails.toml", "--no-cache", "--no-report")
    shown = run_within(*words, "-v", cwd=tmp_path).stdout
    assert f"fallback: {entry.NAME} did not answer: {LARGE}" in shown
    assert "sampled cases again and agreed" in shown
    plain = run_within(*words, cwd=tmp_path).stdout
    assert "fallback" not in plain
    assert "sampled" not in plain
