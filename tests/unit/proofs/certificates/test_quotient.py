"""Quotients as certificates: quotients accepted by both checkers agree with play, and damaged ones are rejected."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest
from forging import FILE, alone, write
from proofs import LIBRARY
from settling import HEAD, settle_whole

from checks.command.run import write_certificate
from checks.judgement.scopes import Options
from checks.receipts import check
from checks.receipts.certify import certify
from checks.results.verdicts import Verdict
from claims.language.files.claim import unfold_claim
from claims.language.files.library import select
from encoders.periods.tables import (
    BadTable,
    QuotientTable,
    TableTooLarge,
    Takes,
    UnverifiedTable,
    quotient_to_text,
    read_quotient,
    verify_quotient,
)
from encoders.proving.reading import load_claim
from encoders.refusals import Unsupported
from encoders.rules.periodic.quotient import BadMonoid, find_quotient, make_monoid

# One object is taken: the heaps alternate, and in misère play the last one loses.
ONE = QuotientTable(True, Takes((1,), (1,)), 1, ((0, 1), (1, 0)), (1,), 1, 2, (0, 1, 0))
# Everything else is correct, but three of its heaps are wrong: the element 0 is not a unit.
UNITLESS = QuotientTable(
    *(True, Takes((2,), (1,), (1, 2), (1, 2)), 2),
    *(((1, 0, 0, 1), (0, 3, 2, 3), (0, 2, 2, 0), (1, 3, 0, 0)), (1, 3), 1, 1, (0, 1)),
)
# Correct except for heaps that leave two equal ones; and below n0 + p + t, where no heap has a move.
HALVES = QuotientTable(True, Takes((1,), (), (3,), (3,)), 3, ((0, 1), (1, 0)), (1,), 2, 1, (0, 1, 0))
LATE = QuotientTable(True, Takes((), (), (3,), (3,)), 3, ((0,),), (), 1, 1, (0, 0))
FORM = """
ruleset = 'misere-octal(code = "{code}")'
[forall]
n = "0.."
[claim]
then = "wins(position([n])) or not wins(position([n]))"
[scope]
n = "0..3"
[proof]
rule = "quotient"
"""


@cache
def kayles() -> QuotientTable:
    id = "heaps/misere-kayles"
    return find_quotient(unfold_claim(load_claim(LIBRARY / f"{id}.toml", id)))[0]


def check_alone(table: QuotientTable) -> None:
    """Check the table with check.py."""
    check.left[0] = 50_000_000
    check.check_quotient(**json.loads(quotient_to_text(table)))


def refusal(table: QuotientTable, by: Callable[[QuotientTable], object]) -> str:
    """Return the objection of one of the checkers; nothing if it accepts."""
    try:
        by(table)
    except (UnverifiedTable, ValueError) as error:
        return str(error)
    return ""


def accepts(table: QuotientTable) -> bool:
    """Return the answer of both checkers, which must agree."""
    own, other = (not refusal(table, by) for by in (verify_quotient, check_alone))
    assert own is other
    return own


def play(table: QuotientTable) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Yield small positions, and whether they are P-positions, by recursion over the moves."""
    x = table.moves

    def options(s: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for i, h in enumerate(s):
            rest = (*s[:i], *s[i + 1 :])
            for n in range(1, h + 1):
                if n == h and n in x.end:
                    yield rest
                if n < h and n in x.one:
                    yield tuple(sorted((*rest, h - n)))
                for a in range(1, (h - n) // 2 + 1):
                    if n in (x.equal if 2 * a == h - n else x.two):
                        yield tuple(sorted((*rest, a, h - n - a)))

    @cache
    def lost(s: tuple[int, ...]) -> bool:
        found = list(options(s))
        return not any(map(lost, found)) and (bool(found) or not table.misere)

    for count, most in ((0, 1), (1, 20), (2, 9), (3, 6), (4, 4)):
        for s in combinations_with_replacement(range(1, most + 1), count):
            yield s, lost(s)


@pytest.mark.slow
def test_misere_kayles_has_forty_elements() -> None:
    table = kayles()
    assert verify_quotient(table) == "the heaps below 168 were checked, 74 kinds of heaps, 1417 of positions"
    assert (len(table.products), len(table.lost), table.preperiod, table.period) == (40, 9, 71, 12)
    assert [h for h in range(200) if table.value(h) in table.lost] == [1, 4, 9, 12, 20]
    assert all((table.product(map(table.value, s)) in table.lost) is lost for s, lost in play(table))


# The damage, and the message of each checker.
DAMAGED = {
    "another lost element": (replace(ONE, lost=(0,)), "the element"),
    "none is lost": (replace(ONE, lost=()), "the element"),
    "an element that is none": (replace(ONE, lost=(1, 2)), "lost: expected elements|not a table of products"),
    "another element of a heap": (replace(ONE, row=(0, 1, 1)), "the element"),
    "a heap without an element": (replace(ONE, row=(0, 1, 2)), "row: expected elements|not a table of products"),
    "a heap of an element below 0": (replace(ONE, row=(0, 1, -2)), "row: expected elements|not a table of products"),
    "no heap has another element": (replace(ONE, row=(1, 1, 0)), "row: expected preperiod|the row has the wrong form"),
    "another period": (replace(ONE, period=1, row=(0, 1)), "the element"),
    "another preperiod": (replace(ONE, preperiod=2, period=1), "the element"),
    "a preperiod of 0": (replace(ONE, preperiod=0, row=(0, 1)), "at least 1|the row has the wrong form"),
    "a row that is too long": (replace(ONE, row=(0, 1, 0, 1)), "row: expected preperiod|the row has the wrong form"),
    "normal play": (replace(ONE, misere=False), "the element"),
    "more may be taken": (replace(ONE, moves=Takes((1,), (1, 2)), last=2), "the element"),
    "none is taken": (replace(ONE, moves=Takes((1,), (0, 1))), "numbers|a number"),
    "a number above the last": (replace(ONE, last=0), "numbers|a number"),
    "numbers out of order": (replace(ONE, moves=Takes((1,), (1, 1))), "ascending"),
    "equal heaps told apart": (replace(ONE, moves=Takes((1,), (1,), (), (1,))), "same numbers|equal heaps"),
    "equal halves": (HALVES, "the element"),
    "a heap beyond preperiod, period and last": (LATE, "the element"),
    "no unit": (UNITLESS, "not a unit|with the unit 0"),
    "products that do not commute": (replace(ONE, products=((0, 1, 2), (1, 0, 0), (2, 1, 0))), "commute"),
    "products that do not associate": (replace(ONE, products=((0, 1, 2), (1, 2, 0), (2, 0, 0))), "associate"),
    "products that are no square": (replace(ONE, products=((0, 1), (1,))), "table of"),
}


@pytest.mark.parametrize("damaged", DAMAGED)
def test_what_is_damaged_is_refused_for_what_it_is(damaged: str) -> None:
    table, words = DAMAGED[damaged]
    assert accepts(ONE)
    assert re.search(words, refusal(table, verify_quotient))
    if damaged != "numbers out of order":  # check.py treats it as the set that it is
        assert re.search(words, refusal(table, check_alone))


@pytest.mark.parametrize("table", [ONE, UNITLESS])
def test_the_checker_reads_a_file_with_a_quotient(table: QuotientTable, tmp_path: Path) -> None:
    obligation = {"name": "quotient", "says": [], "quotient": json.loads(quotient_to_text(table))}
    code, said = alone(write(tmp_path, {**FILE, "obligations": [obligation]}))
    assert code == int(not accepts(table)), said
    assert said.startswith("1 obligations certified, 0 only trusted, 0 files refused\n") is accepts(table)


@pytest.mark.slow
def test_every_element_of_misere_kayles_counts() -> None:
    table = kayles()
    for at in (2, 30, 82):
        other = (table.row[at] + 1) % 40
        assert not accepts(replace(table, row=(*table.row[:at], other, *table.row[at + 1 :])))
    for x in range(40):
        other = set(table.lost) ^ {x}  # one too few, or too many
        assert not accepts(replace(table, lost=tuple(sorted(other))))


@pytest.mark.parametrize("wrong", ["product", "period of 11", "period of 13", "preperiod of 70", "normal play"])
@pytest.mark.slow
def test_misere_kayles_damaged_is_refused(wrong: str) -> None:
    table = kayles()
    rows = [list(row) for row in table.products]
    rows[1][2] = rows[2][1] = (rows[1][2] + 1) % 40  # one pair, so that products still commute
    long = tuple(map(table.value, range(90)))
    damaged = {
        "product": replace(table, products=tuple(map(tuple, rows))),
        "period of 11": replace(table, period=11, row=long[:82]),
        "period of 13": replace(table, period=13, row=long[:84]),
        "preperiod of 70": replace(table, preperiod=70, row=long[:82]),
        "normal play": replace(table, misere=False),
    }
    assert not accepts(damaged[wrong])


def test_a_monoid_that_is_one_but_not_of_the_game_is_refused() -> None:
    """The test tries every commutative monoid of three elements with any losing ones, for one and two objects."""
    game = QuotientTable(True, Takes((1, 2), (1, 2)), 2, (), (), 1, 3, (0, 1, 2, 0))
    found = 0
    for a, b, c in product(range(3), repeat=3):
        for bits in range(8):
            lost = tuple(x for x in range(3) if bits >> x & 1)
            table = replace(game, products=((0, 1, 2), (1, a, b), (2, b, c)), lost=lost)
            if accepts(table):
                found += 1
                assert all((table.product(map(table.value, s)) in lost) is loses for s, loses in play(table))
    assert found == 0  # misère play of heaps of 1, 2 needs six elements


@pytest.mark.slow
def test_what_is_found_of_random_codes_agrees_with_play(tmp_path: Path) -> None:
    rng, found = random.Random(3), 0
    for _ in range(14):
        code = "0." + "".join(str(rng.choice((1, 2, 3, 4, 7))) for _ in range(rng.choice((1, 2))))
        (tmp_path / "claim.toml").write_text(HEAD + FORM.format(code=code), "utf-8")
        claim = load_claim(tmp_path / "claim.toml", "claim")
        try:
            table, _ = find_quotient(unfold_claim(claim))
        except Unsupported:
            continue
        if accepts(table):
            found += 1
            assert all((table.product(map(table.value, s)) in table.lost) is lost for s, lost in play(table)), code
    assert found >= 4


def test_it_is_read_as_it_was_written() -> None:
    assert read_quotient(json.loads(quotient_to_text(ONE))) == ONE
    for key, value in (("row", [1, True]), ("lost", 3), ("misere", 1), ("products", [1]), ("moves", {})):
        with pytest.raises(BadTable):
            read_quotient(json.loads(quotient_to_text(ONE)) | {key: value})
    with pytest.raises(BadTable, match="a quotient has the keys"):
        read_quotient({})


def test_a_monoid_is_that_of_its_relations() -> None:
    made = make_monoid("ab", ["a2 = 1", "b3 = b"])
    assert made.words == ("1", "a", "b", "ab", "b2", "ab2")
    assert made.number("b2a3") == made.number("ab2")
    for relation, words in (
        ("a2", "is not a relation"),
        ("c = a", "c in 'c' is not one of the elements a b"),
        ("A = 1", "is not a word"),
    ):
        with pytest.raises(BadMonoid, match=words):
            make_monoid("ab", [relation])
    with pytest.raises(BadMonoid, match="more than 200 elements"):
        make_monoid("a", [])


def test_limits_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("encoders.periods.tables.MOST_KINDS", 1)
    with pytest.raises(TableTooLarge, match="more than 1 kinds of positions"):
        verify_quotient(ONE)
    monkeypatch.setattr("encoders.periods.tables.MOST_ELEMENTS", 1)
    with pytest.raises(TableTooLarge, match="2 elements, more than 1"):
        verify_quotient(ONE)


def test_a_certificate_is_that_of_the_rules_and_of_the_proof(tmp_path: Path) -> None:
    path = tmp_path / "claim.toml"
    path.write_text(HEAD + FORM.format(code="0.3"), "utf-8")
    (entry,) = select((str(path),))
    found = settle_whole(entry, Options())
    assert found.verdict is Verdict.PROVED, found.finding.not_established
    write_certificate(found, tmp_path)
    file = tmp_path / found.provenance.certificate
    (told,) = certify(tmp_path, (entry,))
    assert told.problem == ""
    for key, value, words in (
        ("lost", [0], "its table does not match the moves"),
        ("row", ["a"], "expected an integer"),
    ):
        data = json.loads(file.read_text("utf-8"))
        data["obligations"][0]["quotient"][key] = value
        file.write_text(json.dumps(data), "utf-8")
        (told,) = certify(tmp_path, (entry,))
        assert words in told.problem
