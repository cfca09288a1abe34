"""Periodic tables of values: tables accepted by both checkers are correct far beyond, and damaged ones are rejected."""

from __future__ import annotations

import json
import random
import zlib
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from settling import HEAD, settle_whole, written

from checks.command.run import write_certificate
from checks.judgement.scopes import Options
from checks.receipts import check
from checks.receipts.certify import certify
from checks.results.verdicts import Verdict
from claims.language.files.library import select
from encoders.compute.arrays.beyond_scope import HeapsAlone, ReadMoves
from encoders.compute.arrays.limits import Deadline
from encoders.kernel.values import HeapMoves, find_flaw
from encoders.periods.tables import (
    GRUNDY,
    VALUE,
    BadTable,
    PeriodicTable,
    TableTooLarge,
    Takes,
    UnverifiedTable,
    Verified,
    read_table,
    to_json,
    verify,
)
from encoders.refusals import Unsupported
from encoders.rules.periodic import rule
from encoders.rules.periodic.finding import PeriodicProof, find_table_of
from encoders.rules.periodic.rule import ResidueClass, list_alike, list_classes
from tests.workshop.games.codes import is_accepted, play, try_code

KAYLES = Takes((1, 2), (1, 2), (1, 2), (1, 2))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 2**32))
@pytest.mark.slow
def test_what_is_accepted_is_right_far_beyond_and_what_is_damaged_is_refused(seed: int) -> None:
    event(f"accepted: {try_code(random.Random(seed))['accepted']}")


FIRST = tuple(play(PeriodicTable(GRUNDY, 2, False, (KAYLES,), 2, False, 0, 1, 0, ()), 90)[0])
TABLE = PeriodicTable(GRUNDY, 2, False, (KAYLES,), 2, False, 71, 12, 0, (FIRST[:83],))

NIM = PeriodicTable(GRUNDY, 2, False, (Takes((), ()),), 0, True, 0, 1, 1, ((0,),))


def test_kayles_is_checked_below_168() -> None:
    assert verify(TABLE) == Verified(2 * 71 + 2 * 12 + 2)
    assert is_accepted(TABLE)
    assert is_accepted(replace(TABLE, preperiod=73, rows=(FIRST[:85],)))
    assert is_accepted(NIM)


def test_kayles_is_checked_alone_below_168(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    monkeypatch.setattr(check, "spend", looked.append)
    check.check_table(**cast(Any, to_json(TABLE)))
    assert looked[:2] == [20 * 83, 168 * (4 + 8)]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (replace(TABLE, preperiod=70, rows=(FIRST[:82],)), "a heap of 82 has the value 6; by its moves it has 2"),
        (replace(TABLE, period=11, rows=(FIRST[:82],)), "a heap of 82 has the value 7"),
        (replace(TABLE, preperiod=0, rows=(FIRST[:12],)), "preperiod 0"),
        (replace(TABLE, saltus=1), "a saltus"),
        (replace(TABLE, period=0, rows=(FIRST[:71],)), "preperiod, period, last: expected at least 0, 1 and 0"),
        (replace(TABLE, rows=(FIRST[:82],)), "expected preperiod . period values"),
        (replace(TABLE, rows=((-1, *FIRST[1:83]),)), "a value is negative"),
        (replace(TABLE, rows=((1, *FIRST[1:83]),)), "a Grundy value exceeds the size of its heap"),
        (replace(TABLE, misere=True), "two players with the same moves, in normal play"),
        (replace(TABLE, players=3), "two players with the same moves, in normal play"),
        (replace(TABLE, question=VALUE), "is not smaller than `players`"),
        (replace(TABLE, question=VALUE, rows=((0,) * 83,)), "the winner of two"),
        (replace(TABLE, beyond=True), "no theorem"),
        (replace(TABLE, last=1), "numbers from 1 to `last`"),
        (replace(TABLE, moves=(replace(KAYLES, one=(0, 1, 2)),)), "numbers from 1 to `last`"),
        (replace(TABLE, moves=(replace(KAYLES, one=(2, 1)),)), "expected ascending"),
        (replace(TABLE, moves=(replace(KAYLES, two=()),), period=11, rows=(FIRST[:82],)), "the period is odd"),
        (replace(NIM, period=3, saltus=0, rows=((0, 0, 2),)), "no heap has the value 1"),
        (replace(NIM, period=3, rows=((0, 0, 0),)), "a heap of 1 has the value 0; by its moves it has 1"),
        (replace(TABLE, moves=(KAYLES, KAYLES)), "rows: expected one for each mover"),
        (replace(TABLE, moves=(KAYLES,) * 3, rows=(FIRST[:83],) * 3), "one for each player"),
    ],
)
def test_each_form_is_told_apart(changed: PeriodicTable, says: str) -> None:
    with pytest.raises(UnverifiedTable, match=says):
        verify(changed)
    if "ascending" not in says:  # the order of numbers is irrelevant
        assert not is_accepted(changed)


def test_texts_are_made_of_the_values_that_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """For ten million values the texts would need half a gigabyte."""
    made, call = [], rule._call
    monkeypatch.setattr(rule, "_call", lambda *x, **named: made.append(x) or call(*x, **named))
    lines = list(rule._lines(replace(TABLE, preperiod=5_000, rows=((*range(5_000), *range(12)),)), ("P1", "P2")))
    assert len(made) == rule.MOST_SHOWN + 12
    assert "98 99 … 4900 4901" in repr(lines[0]) and "0 1 2 3 4 5 6 7 8 9 10 11" in repr(lines[1])


def test_a_large_table_is_left() -> None:
    with pytest.raises(TableTooLarge):
        verify(TABLE, steps=1000, calls=0)


@pytest.mark.slow
def test_every_changed_value_is_refused_by_the_kernel() -> None:
    """The kernel names the least heap that becomes wrong: the changed one, or one from which it can be left."""
    moves = HeapMoves(np.array([False, True, True]), np.array([False, True, True]), KAYLES.two, KAYLES.equal)
    values, clock = np.array(FIRST), Deadline(None)
    assert find_flaw(moves, values, clock) is None
    for h in range(len(FIRST)):
        for value in set(range(10)) - {FIRST[h]}:
            changed = values.copy()
            changed[h] = value
            flaw = find_flaw(moves, changed, clock)
            assert flaw is not None and flaw.heap == h and (flaw.taken or value > FIRST[h]), (h, value)


@pytest.mark.slow
def test_long_rows_are_packed_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("encoders.periods.tables.SHORT", 80)
    data = cast(Any, to_json(TABLE))
    assert isinstance(data["rows"][0], str) and read_table(data) == TABLE
    check.left[0] = check.MOST
    check.check_table(**data)
    wide = replace(NIM, preperiod=81, rows=((*range(81), 300),))
    assert read_table(to_json(wide)) == wide
    (_, *_, last) = TABLE.lines()
    assert last.startswith(f"{FIRST[0]} {FIRST[1]} ") and "83 values, SHA-256 " in last
    bomb = b64encode(zlib.compress(bytes(10**8))).decode()
    for wrong in (data["rows"][0][:-4], "", "?", bomb, data["rows"][0] + "AAAA", b64encode(bytes(166)).decode()):
        with pytest.raises(BadTable):
            read_table({**data, "rows": [wrong]})
        with pytest.raises((ValueError, zlib.error)):
            check.check_table(**{**data, "rows": [wrong]})


@pytest.mark.parametrize("key", ["players", "moves", "rows", "misere", "question"])
def test_what_is_no_table_is_not_read(key: str) -> None:
    data = to_json(TABLE)
    for wrong in (None, "x", [[True]], 1.0):
        with pytest.raises(BadTable):
            read_table({**data, key: wrong})
    with pytest.raises(BadTable):
        read_table({x: y for x, y in data.items() if x != key})


AGAIN = "grundy(position([n + 3])) == grundy(position([n]))"
CLAIM = """
ruleset = "subtraction(S = {2, 4, 7})"
[forall]
n = "8.."
[claim]
then = "grundy(position([n + 3])) == grundy(position([n]))"
[scope]
n = "8..12"
[proof]
rule = "periodic"
"""


def damage(folder: Path, change: object) -> str:
    """Return the output of `certify` for the claim above after a change of its table."""
    path = folder / "claim.toml"
    path.write_text(HEAD + CLAIM, "utf-8")
    (entry,) = select((str(path),))
    found = settle_whole(entry, Options())
    assert found.verdict is Verdict.PROVED, found.finding.not_established
    write_certificate(found, folder)
    file = folder / found.provenance.certificate
    data = json.loads(file.read_text("utf-8"))
    table = data["obligations"][0]["table"]
    assert table["preperiod"] == 8
    if callable(change):
        change(table)
    file.write_text(json.dumps(data), "utf-8")
    (told,) = certify(folder, (entry,))
    return told.problem


@pytest.mark.slow
def test_a_certificate_is_that_of_the_rules_and_of_the_proof(tmp_path: Path) -> None:
    assert damage(tmp_path, None) == ""
    assert "its table does not match the moves" in damage(tmp_path, lambda x: x["moves"][0]["one"].remove(7))
    assert "its table does not match the moves" in damage(tmp_path, lambda x: x["rows"][0].__setitem__(3, 0))
    assert "expected an integer" in damage(tmp_path, lambda x: x.update(period=True))


def test_a_table_that_the_referee_finds_wrong_makes_the_proof_worthless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moves are read wrongly, and the check uses the same wrong moves."""
    path = tmp_path / "claim.toml"
    read = HeapsAlone.read_moves
    only_one = ReadMoves((False, True), (False, True), (True, True), (), ())  # all numbers, as in Nim

    def misread(self: HeapsAlone) -> list[ReadMoves]:
        assert len(read(self)) == 1
        return [only_one]

    monkeypatch.setattr(HeapsAlone, "read_moves", misread)
    monkeypatch.setattr(HeapsAlone, "solve", lambda self, question, size: np.arange(size + 1)[None, :])
    path.write_text(HEAD + CLAIM.replace(AGAIN, "grundy(position([n])) >= 0"), "utf-8")
    found = settle_whole(select((str(path),))[0], Options())
    assert found.verdict is Verdict.INCONSISTENT
    assert "a table of the route periodic is wrong" in found.finding.error


@pytest.mark.parametrize(("lo", "hi"), [(0, None), (5, None), (71, None), (100, None), (3, 9), (60, 200)])
def test_the_classes_cover_the_domain(lo: int, hi: int | None, tmp_path: Path) -> None:
    body = FAR_OUT.replace('"0.."', f'"{lo}..{"" if hi is None else hi}"').replace("0..40", f"{lo}..{lo + 3}")
    claim = written(tmp_path, body)
    found = list_classes(claim, TABLE)
    met = [sum(_has(part, n) for (part,) in found) for n in range(lo, (400 if hi is None else hi) + 1)]
    assert set(met) == {1}


def test_classes_alike_are_posed_once_and_others_are_not_taken_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each number has the values of some class with an obligation; if the claim mentions n, all classes have one."""
    heaps = "grundy(position([n + 12])) == grundy(position([n, 0]))"
    claim = written(tmp_path, FAR_OUT.replace("n < 2000 or grundy(position([n])) != 8", heaps))
    each = list_classes(claim, TABLE)
    monkeypatch.setattr(rule, "MOST_EACH", 11)
    alike = [part for (part,) in list_classes(claim, TABLE)]
    assert len(alike) < len(each) == 83 and sum(1 + x.others for x in alike) == 83
    posed = {(x.step, TABLE.value(x.first), TABLE.value(x.first + 12)) for x in alike}
    assert {(12 * (n > 70), TABLE.value(n), TABLE.value(n + 12)) for n in range(83)} == posed
    for other in ("n < 60 or " + heaps, heaps + " + n - n", heaps.replace("[n, 0]", "[n, 2 * n]")):
        claim = written(tmp_path, FAR_OUT.replace("n < 2000 or grundy(position([n])) != 8", other))
        assert list_alike(claim, TABLE) is None


def _has(part: ResidueClass, n: int) -> bool:
    return n == part.first if not part.step else n >= part.first and (n - part.first) % part.step == 0


FAR_OUT = """
ruleset = "kayles"
[forall]
n = "0.."
[claim]
then = "n < 2000 or grundy(position([n])) != 8"
[scope]
n = "0..40"
[proof]
rule = "periodic"
"""


@pytest.mark.slow
def test_a_false_claim_is_refuted_far_out(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(HEAD + FAR_OUT, "utf-8")
    found = settle_whole(select((str(path),))[0], Options())
    assert found.verdict is Verdict.REFUTED, found.finding.not_established
    assert found.finding.counterexample is not None
    assert found.finding.counterexample.variables == (("n", 2001),)


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("preperiod = 70", "with preperiod 70"),
        ("period = 11", "with period 11"),
        ("saltus = 1", "with saltus 1"),
        ("period = 24\nsaltus = 1", "with period 24 and saltus 1"),
    ],
)
def test_what_the_proof_says_of_repeats_is_held_to(said: str, held: str, tmp_path: Path) -> None:
    """This also holds if the other numbers have to be found."""
    claim = written(tmp_path, FAR_OUT + said + "\n")
    assert isinstance(claim.proof, PeriodicProof)
    with pytest.raises(Unsupported, match=f"up to 2000, {held}$"):
        find_table_of(claim, claim.games[0], claim.proof, 2000)
