"""The functions of check.py one by one: accepted and rejected arguments, by mathematics done by hand."""

from __future__ import annotations

import hashlib
import zlib
from base64 import b64encode
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, cast

import pytest
from forging import FILE, alone, write

from checks.receipts import check
from encoders.logic import certificates as verify
from encoders.logic.certificates import Atom, Certificate, CertificateLemma, Summand


@pytest.fixture(autouse=True)
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "left", [10_000_000])


def accepts(function: Any, *args: Any, **named: Any) -> str:
    """Return the objection of the function; "" if it accepts."""
    try:
        function(*args, **named)
    except ValueError as error:
        return str(error)
    return ""


# -- forms ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("x", "form", "fits"),
    [
        (1, int, True),
        (True, int, False),
        (1.0, int, False),
        ("a", str, True),
        (None, object, True),
        ([], [int], True),
        ([1, 2], [int], True),
        ([1, "a"], [int], False),
        ({}, [int], False),
        ("ab", [str], False),
        ([1, "a"], (int, str), True),
        ([1], (int, str), False),
        ([1, "a", "b"], (int, str), False),
        (["a", 1], (int, str), False),
        ("ab", (str, str), False),
        ({"a": 1}, {"a": int}, True),
        ({"a": "1"}, {"a": int}, False),
        ({"a": 1, "b": 2}, {"a": int}, False),
        ({}, {"a": int}, False),
        ([], {}, False),
        (5, lambda x: x > 4, True),
        (4, lambda x: x > 4, False),
    ],
)
def test_what_has_a_form(x: object, form: object, fits: bool) -> None:
    assert check.fits(x, form) is fits


@pytest.mark.parametrize(
    ("x", "stream"),
    [
        ("x", True),
        (["xor", "x", "y"], True),
        (["and", "x", "y", "z"], True),
        (["times", ["xor", "x", "y"], "z"], True),
        (["xor", "x"], False),
        (["xor"], False),
        ([], False),
        (["or", "x", "y"], False),
        (["xor", "x", 7], False),
        (["xor", 7, "x"], False),
        (["xor", "x", ["and", "y"]], False),
        (7, False),
        ({"xor": "x"}, False),
    ],
)
def test_what_is_a_stream(x: object, stream: bool) -> None:
    assert check.is_stream(x) is stream


ATOM = ["le", [[1, "x"]], 0]
TABLE = {
    "question": "grundy", "misere": False, "beyond": False, "players": 2, "last": 2, "preperiod": 0, "period": 3,
    "saltus": 0, "moves": [{"end": [1, 2], "one": [1, 2], "two": [], "equal": []}], "rows": [[0, 1, 2]],
}  # fmt: skip
CERTIFIED = {"name": "n", "says": [], "letters": 1, "atoms": [ATOM], "formula": 1, "lemmas": [], "tree": 0}


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({}, True),
        ({"atoms": [["eq", [], 5]]}, True),
        ({"atoms": [["ge", [], 5]]}, False),
        ({"lemmas": [{"literals": [1], "states": [[0, None], []]}]}, True),
        ({"lemmas": [{"literals": [1], "states": [["0"]]}]}, False),
        ({"lemmas": [{"literals": [1], "sum": [[1, [0], ["x"]]]}]}, True),
        ({"lemmas": [{"literals": [1], "sum": [[1, [0], [7]]]}]}, False),
        ({"lemmas": [{"literals": [1], "tree": 0}]}, True),
        ({"lemmas": [{"literals": [1], "tree": 0, "sum": []}]}, False),
        ({"lemmas": [{"literals": [1]}]}, False),
        ({"letters": True}, False),
    ],
)
def test_what_is_an_obligation(change: dict[str, Any], fits: bool) -> None:
    data = {"format": 1, "claim": "c", "files": {}, "obligations": [CERTIFIED | change]}
    assert check.fits(data, check.FILE) is fits


@pytest.mark.parametrize(
    ("obligation", "fits"),
    [
        ({"name": "n", "says": ["s"], "trusted": ["Z3"]}, True),
        ({"name": "n", "says": ["s"], "trusted": []}, False),
        ({"name": "n", "says": ["s"], "trusted": [1]}, False),
        ({"name": "n", "says": ["s"], "table": TABLE}, True),
        ({"name": "n", "says": ["s"], "table": TABLE | {"rows": ["packed"]}}, True),
        ({"name": "n", "says": ["s"], "table": TABLE | {"rows": [7]}}, False),
        ({"name": "n", "says": ["s"], "table": TABLE | {"saltus": "0"}}, False),
        ({"name": "n", "says": ["s"]}, False),
    ],
)
def test_an_obligation_is_trusted_or_has_a_table(obligation: dict[str, Any], fits: bool) -> None:
    assert check.fits({"format": 1, "claim": "c", "files": {}, "obligations": [obligation]}, check.FILE) is fits


def test_steps_are_counted_and_names_take_one_line() -> None:
    check.left[0] = 5
    check.spend(5)
    with pytest.raises(ValueError, match="too large to check"):
        check.spend(1)
    assert check.escape("a\nb\u202eß") == "a\\nb\\u202e\\xdf"
    numbers = ((), (0,), (None,), (2**62,), (1, 2**64), (-(2**63),))
    assert [check.width(*x) for x in numbers] == [1, 1, 1, 1, 2, 2]


# -- lemmas by states -------------------------------------------------------------------------------------------------
def test_the_parts_and_the_bits_of_a_stream() -> None:
    nested = ["xor", "x", ["and", "y", ["times", "x", "y"]], ["xor", "y", "z"]]
    assert sorted(check.parts_of(nested, "xor")) == ["'x'", "'y'", "'z'", "['and', 'y', ['times', 'x', 'y']]"]
    assert sorted(check.parts_of(nested, "xor", "and")) == ["'x'", "'y'", "'y'", "'z'", "['times', 'x', 'y']"]
    known = {"'x'": (0, 0, 1, 1), "'y'": (0, 1, 0, 1), "'z'": (1, 1, 1, 1), "['times', 'x', 'y']": (1, 0, 1, 0)}
    assert check.bits("x", known) == [0, 0, 1, 1]
    assert check.bits(["xor", "x", "y"], known) == [0, 1, 1, 0]
    assert check.bits(["xor", "x", "y", "z"], known) == [1, 0, 0, 1]
    assert check.bits(["and", "x", "y"], known) == [0, 0, 0, 1]
    assert check.bits(["times", "x", "y"], known) == [1, 0, 1, 0]
    assert check.bits(["and", "z", ["xor", "x", "y"]], known) == [0, 1, 1, 0]


EQ, LE = True, False
X, Y = "x", "y"
XOR, AND = ["xor", "x", "y"], ["and", "x", "y"]
EVEN = (EQ, True, [(2, X), (-2, Y)], -1)  # 2 x - 2 y == 1
MANY = (EQ, True, [(2, f"v{i}") for i in range(14)], -1)  # an even sum is 1


STATES: list[Any] = [
    # literals that never hold together
    ([EVEN], [[-1]], ""),
    ([(EQ, True, [], 1)], [[1], [0]], "accepts"),  # (0) does, to which nothing leads
    ([(EQ, True, [], 1)], [[1]], ""),
    ([(EQ, True, [], 2)], [[2], [1]], ""),  # 2 == 0: the second bit fails
    ([(EQ, True, [], -2)], [[-2], [-1]], ""),
    ([(LE, True, [(1, X)], 1)], [[0]], ""),  # x + 1 <= 0
    ([(LE, True, [(1, X)], 2)], [[1], [0]], ""),  # x + 2 <= 0
    ([(LE, False, [(-1, X)], 0)], [[-1]], ""),  # -x > 0
    ([(EQ, False, [(1, X), (-1, X)], 0)], [[0]], ""),  # x != x
    ([(EQ, False, [(1, XOR), (-1, X), (-1, Y), (2, AND)], 0)], [[0]], ""),  # x ^ y != x + y - 2 (x & y)
    ([(LE, True, [(1, X), (1, Y), (-1, XOR)], 1)], [[0], [1]], ""),  # x + y < x ^ y
    ([(LE, True, [(1, X), (1, Y), (-1, XOR)], 1)], [[0]], "a state is missing"),
    ([(LE, True, [(1, X), (-1, AND)], 1)], [[0]], ""),  # x < x & y
    ([(LE, True, [(1, XOR)], 1)], [[0]], ""),  # (x ^ y) + 1 <= 0
    ([(LE, True, [(1, ["and", "z", XOR])], 1)], [[0]], ""),
    ([(LE, True, [(1, X), (-1, Y)], 1), (LE, True, [(1, Y), (-1, X)], 0)], [[0, -1], [-1, 0]], ""),  # x < y <= x
    ([(EQ, False, [(1, X), (-1, Y)], 0), (EQ, True, [(1, X), (-1, Y)], 0)], [[0, 0]], ""),  # x != y and x == y
    ([MANY], [[-1]], ""),
    # literals that may hold together
    ([(EQ, True, [(1, X), (-1, Y)], 0)], [[0]], "accepts"),
    ([(EQ, False, [(1, X), (-1, Y)], 0)], [[0], [None]], "accepts"),
    ([(EQ, False, [], 1)], [[1]], "accepts"),
    ([(LE, True, [(1, X)], 0)], [[-1]], "accepts"),
    ([(LE, False, [(1, X)], 0)], [[-1]], "a state is missing"),
    ([(LE, False, [(1, X)], 0)], [[-1], [0]], "accepts"),
    ([(LE, False, [], 1)], [[0]], "accepts"),
    ([(LE, True, [(1, X), (-1, Y)], 1)], [[0]], "a state is missing"),
    ([(LE, True, [(1, X), (-1, Y)], 1)], [[0], [-1]], "accepts"),
    ([], [[]], "accepts"),
    # other states than necessary
    ([EVEN], [[0]], "the first state of a lemma is missing"),
    ([EVEN], [], "the first state of a lemma is missing"),
    ([(LE, True, [(1, X)], 1)], [[1]], "the first state of a lemma is missing"),
    ([EVEN], [[-1], [-1, 0]], "argument"),
    ([EVEN], [[-1], [None]], "no such state"),
    ([(LE, True, [(1, X)], 1)], [[0], [None]], "no such state"),
    ([(LE, False, [(-1, X)], 0)], [[-1], [None]], "no such state"),
    ([(*MANY[:2], [*MANY[2], (2, X)], -1)], [[-1]], "more than 14 variables"),
]


@pytest.mark.parametrize(("literals", "states", "said"), STATES)
def test_which_literals_exclude_each_other_by_states(literals: list[Any], states: list[Any], said: str) -> None:
    """A state contains the carry of each sum after the bits so far; for a sum <= 0 the first carry is 1 lower."""
    found = accepts(check.check_states, literals, states)
    assert said in found if said else not found


# -- lemmas by a sum --------------------------------------------------------------------------------------------------
SMALLER, LARGER = (LE, True, [(1, X), (-1, Y)], 0), (LE, False, [(1, X), (-1, Y)], 0)  # x <= y, x > y
SAME = (EQ, True, [(1, X), (-1, Y)], 0)
PRODUCT = ["times", "x", "y"]
BAD, NOT_NEGATIVE = "a summand is invalid", "a sum is not a negative constant"


SUMS: list[Any] = [
    ([SMALLER, LARGER], [[1, [0], []], [1, [1], []]], ""),  # y - x, x - y - 1
    ([SMALLER, LARGER], [[3, [0], []], [3, [1], []]], ""),
    ([SMALLER, LARGER], [[1, [0], ["z"]], [1, [1], ["z"]], [1, [], ["z"]], [1, [0], []], [1, [1], []]], ""),
    ([SAME, LARGER], [[1, [0], []], [1, [1], []]], NOT_NEGATIVE),
    ([SAME, LARGER], [[-1, [0], []], [1, [1], []]], ""),  # an equation with any sign
    ([(LE, True, [(1, PRODUCT)], 1)], [[1, [0], []], [1, [], ["x", "y"]]], ""),  # x y + 1 <= 0
    ([(LE, True, [(1, PRODUCT)], 1)], [[1, [0], []], [1, [], [["times", "y", "x"]]]], ""),
    ([(LE, True, [(1, X)], 1)], [[1, [0], []], [1, [], ["x"]]], ""),
    ([(LE, True, [(1, X)], 0)], [[1, [0], []], [1, [], ["x"]]], NOT_NEGATIVE),
    ([(LE, True, [(1, X)], -1)], [[1, [0], []], [1, [], ["x"]]], NOT_NEGATIVE),
    ([(LE, False, [(1, X)], 0)], [[1, [0], []]], NOT_NEGATIVE),  # x - 1
    # (x - y - 1)^2 where x > y; x - y - 1 times x <= y is at most 0
    ([SMALLER, LARGER], [[1, [0, 1], []], [1, [1, 1], []], [1, [1], []]], NOT_NEGATIVE),
    ([SMALLER, LARGER], [[1, [0, 1], []], [1, [1, 1], []], [1, [0], []], [2, [1], []]], ""),
    # summands of unknown sign
    ([SMALLER, LARGER], [[-1, [0], []], [1, [1], []]], BAD),
    ([SMALLER], [[-1, [], []]], BAD),
    ([SMALLER], [[0, [0], []]], BAD),
    ([SMALLER, LARGER], [[1, [0], []], [1, [1], []], [0, [0], []]], BAD),
    ([SMALLER, LARGER], [[1, [0], []], [1, [2], []]], BAD),
    ([SMALLER, LARGER], [[1, [0], []], [1, [-1], []]], BAD),
    ([(EQ, False, [(1, X)], 0)], [[1, [0], []]], BAD),
    ([(EQ, False, [(1, X)], 0), SAME], [[1, [0, 1], []]], BAD),
    ([SMALLER], [], NOT_NEGATIVE),
    ([SMALLER], [[1, [], []]], NOT_NEGATIVE),
]


@pytest.mark.parametrize(("literals", "summands", "said"), SUMS)
def test_which_literals_exclude_each_other_by_a_sum(literals: list[Any], summands: list[Any], said: str) -> None:
    """Each summand is a natural number times a product that is at least 0, yet the sum is negative."""
    assert accepts(check.check_sum, literals, summands) == said


# -- formulas and trees -----------------------------------------------------------------------------------------------
FORMULAS: list[Any] = [
    (True, {1: 2}, 2),
    (False, {1: 2}, 0),
    (1, {1: 2}, 2),
    (1, {1: 0}, 0),
    (1, {2: 2}, 1),
    (["not", 1], {1: 2}, 0),
    (["not", 1], {1: 0}, 2),
    (["not", 1], {2: 0}, 1),
    (["and"], {1: 0}, 2),
    (["or"], {1: 0}, 0),
    (["not", True], {1: 2}, 0),
    (["not", False], {1: 2}, 2),
    (["and", True, 1], {1: 2}, 2),
    (["or", False, 1], {1: 0}, 0),
    (["not", ["iff", 1, 2]], {1: 2, 2: 2}, 0),
    (["not", ["iff", 1, 2]], {1: 0, 2: 2}, 2),
    (["not", ["and", 1, 2]], {1: 2, 2: 2}, 0),
    (["not", ["or", 1, 2]], {1: 0, 2: 0}, 2),
    (["and", 1, 2], {1: 2, 2: 2}, 2),
    (["and", 1, 2], {1: 2, 2: 0}, 0),
    (["and", 1, 2], {1: 0}, 0),
    (["and", 2, 1], {1: 0}, 0),
    (["and", 1, 2], {1: 2}, 1),
    (["or", 1, 2], {1: 2}, 2),
    (["or", 2, 1], {1: 2}, 2),
    (["or", 1, 2], {1: 0}, 1),
    (["or", 1, 2], {1: 0, 2: 0}, 0),
    (["iff", 1, 2], {1: 2, 2: 2}, 2),
    (["iff", 1, 2], {1: 0, 2: 0}, 2),
    (["iff", 1, 2], {1: 0, 2: 2}, 0),
    (["iff", 1, 2], {1: 2, 2: 0}, 0),
    (["iff", 1, 2], {1: 2}, 1),
    (["iff", 1, 2], {2: 0}, 1),
    (["and", ["or", 1, 2], ["not", 1]], {1: 0}, 1),
    (["and", ["or", 1, 2], ["not", 1]], {1: 2}, 0),
]


@pytest.mark.parametrize(("formula", "known", "value"), FORMULAS)
def test_the_value_of_a_formula(formula: object, known: dict[object, int], value: int) -> None:
    """The value is 2 for true, 0 for false, 1 if the known letters do not decide it."""
    assert check.value(formula, known, 2) == value


@pytest.mark.parametrize(
    ("formula", "well_formed"),
    [
        (1, True),
        (2, True),
        (3, False),
        (0, False),
        (-1, False),
        (True, True),
        (False, True),
        ("1", False),
        (None, False),
        (1.0, False),
        ([], False),
        (["and"], True),
        (["or", 1, 2, 1], True),
        (["xor", 1, 2], False),
        (["not", 1], True),
        (["not"], False),
        (["not", 1, 2], False),
        (["iff", 1, 2], True),
        (["iff", 1], False),
        (["iff", 1, 2, 1], False),
        (["and", 1, ["or", 3]], False),
        (["and", False, 3], False),
        (["or", True, ["not"]], False),
        (["and", 3, False], False),
    ],
)
def test_the_form_of_a_formula(formula: object, well_formed: bool) -> None:
    """Without known letters the whole formula is examined, also after a part that would decide it."""
    assert (accepts(check.value, formula, {}, 2) == "") is well_formed


LEMMAS = [{"literals": [1, -2]}, {"literals": [2]}]


TREES: list[Any] = [
    (0, [], False, ""),
    (0, [], True, "open"),
    (0, [1], ["not", 1], ""),
    (0, [-1], 1, ""),
    (0, [1], 1, "open"),
    ([1, 0, 0], [], ["iff", 1, ["not", 1]], ""),
    ([1, 0, 0], [], 1, "open"),
    ([1, 0, 0], [], ["not", 1], "open"),
    ([1, -1, 0], [-2], 1, ""),
    ([1, -1, 0], [2], 1, "open"),
    ([1, -1, 0], [], 1, "open"),
    ([1, 0, -1], [-2], ["not", 1], "open"),
    ([2, -2, [1, -1, 0]], [], 1, ""),
    ([2, [1, -1, 0], -2], [], 1, "open"),
    (-3, [1, 2], False, "not a leaf"),
    (1, [], False, "not a leaf"),
    (True, [], False, "not a leaf"),
    (None, [], False, "not a leaf"),
    ([1, 0], [], False, "splits on no letter"),
    ([1, 0, 0, 0], [], False, "splits on no letter"),
    ([0, 0, 0], [], False, "splits on no letter"),
    ([3, 0, 0], [], False, "splits on no letter"),
    ([2, 0, 0], [], False, ""),
    ([True, 0, 0], [], False, "splits on no letter"),
]


@pytest.mark.parametrize(("tree", "given", "formula", "said"), TREES)
def test_which_trees_have_no_open_leaf(tree: object, given: list[int], formula: object, said: str) -> None:
    """A leaf 0 means that the formula is false; -n means that all literals of the n-th lemma are true."""
    found = accepts(check.check_tree, tree, given, formula, 2, LEMMAS)
    assert said in found if said else not found


# -- tables -----------------------------------------------------------------------------------------------------------
def packed(data: bytes) -> str:
    return b64encode(zlib.compress(data)).decode()


def test_the_heaps_of_tables_and_quotients_are_counted() -> None:
    counted = {"preperiod": 3, "period": 4, "last": 2, "saltus": 7}
    assert [check.count_heaps(x) for x in ({"table": counted}, {"quotient": counted}, {})] == [9, 9, 0]
    assert check.count_heaps({"table": {**counted, "last": -5}}) == 7


def test_rows_are_lists_or_packed() -> None:
    assert check.unpack([5, 300], 2) == [5, 300]
    assert check.unpack(packed(bytes([5, 0, 44, 1])), 2) == [5, 300]
    assert check.unpack(packed(bytes(6)), 3) == [0, 0, 0]
    for row in (packed(bytes(2)), packed(bytes(3)), packed(bytes(5)), packed(bytes(6)), packed(bytes(600))):
        assert "a row has the wrong length" in accepts(check.unpack, row, 2)
    cut = b64encode(zlib.compress(bytes(4))[:-1]).decode()
    more = b64encode(zlib.compress(bytes(4)) + b"x").decode()
    for row in (cut, more, "?", packed(bytes(4)) + "?"):
        assert accepts(check.unpack, row, 2)


def test_a_mask_tells_numbers_apart_by_the_parity_of_their_digits() -> None:
    assert [check.is_even(x) for x in range(8)] == [True, False, False, True, False, True, True, False]
    assert [check.is_even(x) for x in (15, 16, 31)] == [True, False, False]


ROW = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2]  # Kayles


@pytest.mark.parametrize("two", [[1, 2], [0], [3], [2, 5]])
@pytest.mark.parametrize("row", [ROW, ROW[::-1], [0] * 20, list(range(20))])
def test_the_values_of_two_heaps(two: list[int], row: list[int]) -> None:
    """With every mask, the result has all values of different heaps: all common ones, and rare ones up to its own."""
    for mask in range(8):
        rare: list[int] = []
        for h, v in enumerate(row):
            got: set[int] = set()
            check.add_pairs(got, row, h, two, rare, mask)
            there = {row[a] ^ row[b] for a, b in product(range(1, h), repeat=2) if a != b and h - a - b in two}
            few = {x for x in there if x <= v or not check.is_even(x & mask)}
            assert few <= got <= there, (mask, h)


def listed(one: list[int], two: Any = (), end: Any = None, equal: Any = None) -> dict[str, Any]:
    """Return the numbers that one kind of move may take; in equal heaps as in two."""
    two = list(two)
    return {"end": one if end is None else end, "one": one, "two": two, "equal": two if equal is None else equal}


def table(**changes: Any) -> dict[str, Any]:
    """Return the table of Nim with one or two objects taken: the value of h is h mod 3."""
    return TABLE | {"moves": [listed([1, 2])]} | changes


WINS = {"question": "value", "rows": [[1, 0, 0]]}  # with 0 the mover has lost, to the previous player
SAME_WINS = {"question": "value", "moves": [listed([1, 2])] * 3, "players": 3}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"preperiod": 1, "rows": [[0, 1, 2, 0]]}, ""),
        ({"period": 6, "rows": [[0, 1, 2, 0, 1, 2]]}, ""),
        ({"last": 5}, ""),
        # each value is the mex of the options
        ({"rows": [[0, 1, 1]]}, "a heap of 2 does not have the value 1"),
        ({"rows": [[0, 0, 2]]}, "a heap of 1 does not have the value 0"),
        ({"rows": [[0, 1, 0]]}, "a heap of 2 does not have the value 0"),
        ({"rows": [[0, 1, 2, 3]], "period": 4}, "a heap of 3 does not have the value 3"),
        ({"rows": [[0, 1]], "period": 2}, "a heap of 2 does not have the value 0"),
        ({"rows": [[0, 1, 2, 0]], "period": 4}, "a heap of 4 does not have the value 0"),
        ({"moves": [listed([1, 2], end=[1])], "preperiod": 1, "rows": [[0, 1, 2, 0]]}, "a heap of 2"),
        # the winner: the least (v + 1) mod n
        (WINS, ""),
        (WINS | {"misere": True}, "a heap of 0 does not have the value 1"),
        (WINS | {"misere": True, "rows": [[0, 1, 0]]}, ""),
        (WINS | {"rows": [[1, 0, 1]]}, "a heap of 2 does not have the value 1"),
        (WINS | {"rows": [[1, 0, 2]]}, "a value is out of range"),
        (SAME_WINS | {"rows": [[2, 0, 0]] * 3}, "a heap of 3"),
        # three players, one or two are taken: 2 0 0 1 1 repeats
        (SAME_WINS | {"rows": [[2, 0, 0, 1, 1]] * 3, "period": 5}, ""),
        (SAME_WINS | {"rows": [[2, 0, 0, 1, 1]], "period": 5, "moves": [listed([1, 2])]}, ""),
        (SAME_WINS | {"rows": [[2, 0, 0, 1]] * 3, "period": 4}, "a heap of 4 does not have the value 2"),
        (SAME_WINS | {"rows": [[2, 0, 0, 1]] * 2, "period": 4}, "the rows have the wrong form"),
        (
            SAME_WINS | {"rows": [[2, 0, 0, 1]] * 2, "period": 4, "moves": [listed([1, 2])] * 2},
            "the rows have the wrong form",
        ),
        # forms
        ({"preperiod": -1, "rows": [[0, 1]]}, "no preperiod"),
        ({"period": 0, "rows": [[]]}, "no preperiod"),
        ({"saltus": -1}, "no preperiod"),
        ({"saltus": 4}, "no preperiod"),
        ({"last": -1, "moves": [listed([])]}, "no preperiod"),
        ({"players": 1}, "no preperiod"),
        ({"rows": [[0, 1]]}, "the rows have the wrong form"),
        ({"rows": [[0, 1, 2], [0, 1, 2]]}, "the rows have the wrong form"),
        ({"rows": []}, "the rows have the wrong form"),
        ({"rows": [[0, 1, 3]]}, "a value is out of range"),
        ({"rows": [[0, -1, 2]]}, "a value is out of range"),
        ({"moves": [listed([0, 1])]}, "a number that may not be taken"),
        ({"moves": [listed([1, 3])]}, "a number that may not be taken"),
        ({"moves": [listed([1, 2], end=[1, 2, 3])]}, "a number that may not be taken"),
        (WINS | {"question": "values"}, "the winners from single heaps"),
        (WINS | {"moves": [listed([1, 2], [1])]}, "the winners from single heaps"),
        ({"players": 3}, "no Grundy values"),
        ({"misere": True}, "no Grundy values"),
        ({"saltus": 1}, "no theorem supports"),
        ({"beyond": True, "moves": [listed([1, 2], [1])]}, "no theorem supports"),
        (WINS | {"beyond": True, "saltus": 1}, "no theorem supports"),
        ({"moves": [listed([1, 2], [1])]}, "a preperiod of 0"),
        ({"moves": [listed([1, 2], end=[1])]}, "a preperiod of 0"),
        (
            {"moves": [listed([1, 2], end=[1, 2], equal=[1])], "preperiod": 1, "rows": [[0, 1, 2, 0]]},
            "a move may leave two heaps only if they are equal, but the period is odd",
        ),
    ],
)
def test_which_tables_repeat(changes: dict[str, Any], said: str) -> None:
    found = accepts(check.check_table, **table(**changes))
    assert said in found if said else not found


ALL = {"beyond": True, "last": 0, "moves": [listed([])]}  # any number may be taken


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (ALL | {"period": 1, "saltus": 1, "rows": [[0]]}, ""),  # Nim
        (ALL | {"period": 2, "saltus": 2, "rows": [[0, 1]]}, ""),
        (ALL | {"period": 2, "saltus": 1, "rows": [[0, 1]]}, "a heap of 2 does not have the value 1"),
        (ALL | {"period": 2, "saltus": 2, "rows": [[0, 0]]}, "a small value does not occur"),
        (ALL | {"period": 1, "saltus": 0, "rows": [[0]]}, "a heap of 1 does not have the value 0"),
        # more than one is taken: 0 0 1 1 2 2, which is 0 0, and 1 more after each two
        ({"beyond": True, "last": 1, "moves": [listed([])], "period": 2, "saltus": 1, "rows": [[0, 0]]}, ""),
        ({"beyond": True, "last": 1, "moves": [listed([])], "period": 2, "saltus": 2, "rows": [[0, 1]]}, "a heap of 1"),
        ({"beyond": True, "last": 1, "moves": [listed([1])], "period": 1, "saltus": 1, "rows": [[0]]}, ""),
        # the winner: all may be taken, so the mover wins from every heap; without 1, not from it
        (WINS | ALL | {"preperiod": 1, "period": 1, "rows": [[1, 0]]}, ""),
        (WINS | ALL | {"preperiod": 1, "period": 1, "rows": [[1, 1]]}, "a heap of 1"),
        (
            WINS | {"beyond": True, "last": 1, "moves": [listed([])], "preperiod": 2, "period": 1, "rows": [[1, 1, 0]]},
            "",
        ),
    ],
)
def test_which_tables_repeat_where_all_numbers_beyond_the_last_may_be_taken(changes: dict[str, Any], said: str) -> None:
    found = accepts(check.check_table, **table(**changes))
    assert said in found if said else not found


# -- quotients --------------------------------------------------------------------------------------------------------
# Nim with heaps of 1 and of 2 or more, of which any number is taken, would need a larger monoid; with one object taken
# only parity counts: the elements are 0 (even) and 1 (odd), and a position is lost if the number of objects is even.
PARITY = {
    "misere": False, "moves": listed([1]), "last": 1, "products": [[0, 1], [1, 0]], "lost": [0],
    "preperiod": 1, "period": 2, "row": [0, 1, 0],
}  # fmt: skip
NIM_3 = {"products": [[x ^ y for x in range(4)] for y in range(4)], "moves": listed([1, 2]), "last": 2}
NIM_3 |= {"period": 3, "row": [0, 1, 2, 0]}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"misere": True, "lost": [1]}, ""),
        ({"preperiod": 2, "row": [0, 1, 0, 1]}, ""),
        ({"last": 4}, ""),
        ({"misere": True}, "wrong for the element 0"),
        ({"lost": [1]}, "wrong for the element 0"),
        ({"lost": []}, "wrong for the element 0"),
        ({"lost": [0, 1]}, "wrong for the element"),
        ({"row": [0, 0, 1]}, "wrong for the element"),
        ({"row": [0, 1, 1]}, "wrong for the element"),
        ({"period": 1, "row": [0, 1]}, "wrong for the element"),
        ({"moves": listed([2]), "last": 2}, "wrong for the element"),
        # one or two are taken: the Grundy value h mod 3, and nim-sums
        (NIM_3, ""),
        (NIM_3 | {"preperiod": 2, "row": [0, 1, 2, 0, 1]}, ""),
        (NIM_3 | {"row": [0, 1, 2, 3]}, "wrong for the element"),
        # one is taken, or both of two: 0 1 2 0 1 0 1
        (NIM_3 | {"moves": listed([1], end=[1, 2]), "preperiod": 3, "period": 2, "row": [0, 1, 2, 0, 1]}, ""),
        # the last object may not be taken: 0 0 1 0 1
        ({"moves": listed([1], end=[]), "preperiod": 2, "row": [0, 0, 1, 0]}, ""),
        ({"moves": listed([1], end=[]), "preperiod": 2, "row": [0, 1, 0, 1]}, "wrong for the element 1"),
        # one is taken from a heap of 1, or two heaps are left of one: each move takes an object
        ({"moves": listed([], [1], end=[1])}, ""),
        # forms
        ({"products": []}, "this is not a table of products with the unit 0"),
        ({"products": [[1, 0], [0, 1]]}, "this is not a table of products with the unit 0"),
        ({"products": [[0, 1], [1]]}, "this is not a table of products with the unit 0"),
        ({"products": [[0, 1], [1, 2]]}, "this is not a table of products with the unit 0"),
        ({"products": [[0, 1], [1, -1]]}, "this is not a table of products with the unit 0"),
        ({"lost": [2]}, "this is not a table of products with the unit 0"),
        ({"row": [0, 1, 2]}, "this is not a table of products with the unit 0"),
        ({"row": [0, -1, 0]}, "this is not a table of products with the unit 0"),
        ({"products": [[0, 1], [0, 1]]}, "the products do not commute"),
        ({"products": [[0, 1, 2], [1, 2, 2], [2, 2, 1]]}, "the products do not associate"),
        ({"preperiod": 0, "row": [0, 1]}, "the row has the wrong form"),
        ({"period": 0, "row": [0]}, "the row has the wrong form"),
        ({"row": [0, 1]}, "the row has the wrong form"),
        ({"row": [1, 0, 1]}, "the row has the wrong form"),
        ({"moves": listed([0, 1])}, "a number that may not be taken"),
        ({"moves": listed([2])}, "a number that may not be taken"),
        ({"moves": listed([1], [1], equal=[])}, "equal heaps have different moves"),
        # a heap of 3 or more may also be split into two of 1 and 1, 2, ...: parity still counts
        ({"moves": listed([1], [1])}, ""),
        # without splitting off a stone, but cutting a heap in two: 0 objects are taken, which no move does
        ({"moves": listed([], [1])}, "wrong for the element 1"),
    ],
)
def test_which_monoids_tell_who_wins(changes: dict[str, Any], said: str) -> None:
    found = accepts(check.check_quotient, **PARITY | changes)
    assert said in found if said else not found


# -- steps ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("function", "args", "costs"),
    [
        # 4 combinations of bits of x and y, for 2 parts and a literal, and their names of 3 letters; then for a state
        # and 3 letters, 0, 2 and -2
        (check.check_states, ([EVEN], [[-1]]), [4 * 3 + 6, 1 * (1 + 3) * (1 + 1)]),
        # for each literal its terms, then the product of each with 1
        (check.check_sum, ([SMALLER, LARGER], [[1, [0], []], [1, [1], []]]), [8, 2, 3, 3] * 2),
        (check.value, (["and", 1, ["not", 2]], {1: 2}, 2), [3, 2]),
        (check.check_tree, ([1, 0, 0], [], ["iff", 1, ["not", 1]], 2, []), [2, 1, 3, 2, 1, 3, 2]),
        (check.check_tree, ([2, -2, [1, -1, 0]], [], 1, 2, LEMMAS), [2, 4, 1, 3, 2]),
        (check.add_pairs, ({9}, ROW, 19, [1, 2], [1, 3], 1), [(10 + 2) * 2 // 8]),
    ],
)
def test_what_is_looked_at_costs_steps(
    monkeypatch: pytest.MonkeyPatch, function: Any, args: Any, costs: list[int]
) -> None:
    """Hence a stranger's certificate cannot take unlimited time."""
    looked: list[int] = []
    monkeypatch.setattr(check, "spend", looked.append)
    function(*args)
    assert looked == costs


def test_tables_cost_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    monkeypatch.setattr(check, "spend", looked.append)
    check.check_table(**table())
    assert looked[-6:] == [5 * (4 + 4), 0, 1, 2, 0, 1]  # 5 heaps and 4 numbers; then each value
    check.check_table(**table(**ALL | {"period": 1, "saltus": 1, "rows": [[0]]}))
    assert looked[-4:] == [4, 2 * 4, 0, 1]  # 4 heaps for small values; then 2
    check.check_table(**table(**WINS | ALL | {"preperiod": 1, "period": 1, "rows": [[1, 0]]}))
    assert looked[-5:] == [2, 3 * 4, 0, 1, 2]  # the same, and how many winners stand farther below
    check.check_quotient(**cast(Any, PARITY))
    assert looked[-5:] == [2**3 // 8, 7 * (1 + 1), 2, 2, 2]  # 7 heaps; then 3 kinds of positions, each with 2 of heaps
    check.check_quotient(**cast(Any, PARITY | {"period": 4, "row": [0, 1, 0, 1, 0]}))
    assert looked[-4:] == [11 * (1 + 1), 2, 2, 2]
    check.check_quotient(**cast(Any, PARITY | {"moves": listed([], [1], end=[1])}))
    assert looked[-4:] == [7 * (0 + 1 + 1 * 7 // 4), 3, 3, 3]  # of a heap of 2 nothing is left, of one of 4 is


# -- the range that is checked ----------------------------------------------------------------------------------------
KAYLES = {"moves": [listed([1, 2], [1, 2])], "preperiod": 3, "period": 4, "rows": [[0, 1, 2, 3, 1, 4, 3]]}
APART = {"moves": [listed([1, 2], [1, 2], equal=[])], "preperiod": 3, "period": 4, "rows": [[0, 1, 2, 3, 1, 4, 3]]}
ALONE = {"moves": [listed([], [], equal=[1])], "preperiod": 2, "period": 2, "last": 1, "rows": [[0, 0, 0, 1]]}


@pytest.mark.parametrize(
    ("changes", "heaps", "small"),
    [
        # without splits: n0 + p + last
        ({}, 5, []),
        ({"preperiod": 1, "rows": [[0, 1, 2, 0]], "last": 7}, 11, []),
        # with splits: 2 n0 + 2 p + last, and one period more where two equal heaps are not left
        (KAYLES, 2 * 3 + 2 * 4 + 2, []),
        (APART, 2 * 3 + 3 * 4 + 2, []),
        (ALONE, 2 * 2 + 2 * 2 + 1, []),
        # any number beyond the last: n0 + p + last, and the heap after the last that is the first of its value; of
        # the values that come again one period less
        (ALL | {"period": 1, "saltus": 1, "rows": [[0]]}, 1 + 1, [4]),
        (ALL | {"period": 2, "saltus": 2, "rows": [[0, 1]]}, 2 + 2, [2 * (2 // 2 + 3)]),
        (ALL | {"preperiod": 2, "period": 1, "saltus": 1, "rows": [[0, 1, 2]]}, 3 + 1, [2 + 6]),
        (ALL | {"preperiod": 3, "period": 2, "saltus": 2, "rows": [[0, 1, 2, 3, 4]]}, 5 + 2, [3 + 2 * (5 // 2 + 3)]),
        # the value 1 comes last, in the heap 4
        (ALL | {"period": 6, "saltus": 3, "rows": [[0, 0, 0, 0, 1, 2]]}, 6 + 6, [6 * (3 // 3 + 3)]),
        # the values 2 and 3, which come again, in the heaps 2 and 3, and 4 in 8, which is 2 after a period
        (ALL | {"period": 6, "saltus": 3, "rows": [[0, 1, 2, 0, 0, 0]]}, 6 + 3, [6 * (3 // 3 + 3)]),
        (WINS | ALL | {"preperiod": 1, "period": 1, "rows": [[1, 0]]}, 2 + 1, [2]),
        (WINS | ALL | {"preperiod": 1, "period": 3, "rows": [[1, 0, 0, 0]]}, 4 + 1, [4]),
        (WINS | ALL | {"preperiod": 4, "period": 1, "rows": [[1, 0, 0, 0, 0]]}, 5, [5]),
        # two players: the pair (0, 1) comes first in the heap 3
        (
            {"question": "value", "beyond": True, "last": 1, "moves": [listed([]), listed([1])], "preperiod": 1,
             "period": 3, "rows": [[1, 1, 0, 0], [1, 0, 0, 1]]},
            4 + 1 + 3, [8],
        ),
    ],
)  # fmt: skip
def test_how_far_a_table_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], heaps: int, small: list[int]
) -> None:
    """The theorem in docs/rules defines the range. The check costs 4 steps per heap, and one per number."""
    looked: list[int] = []
    monkeypatch.setattr(check, "spend", looked.append)
    monkeypatch.setattr(check, "choose_mask", lambda _: 0)
    data = table(**changes)
    said = accepts(check.check_table, **data)
    assert said == "" or "does not have the value" in said
    numbers = sum(len(x) for move in data["moves"] for x in move.values())
    rows = len(data["rows"])
    assert looked[rows : rows + len(small) + 1] == [*small, heaps * (4 + numbers)]


# A takes one or two, B one, and C one. The values were computed heap by heap, as the least (v + 1) mod n.
PARTISAN = {"question": "value", "preperiod": 2, "period": 1, "rows": [[1, 0, 0], [1, 0, 1]]}
PARTISAN["moves"] = [listed([1, 2]), listed([1])]
OF_THREE = {"question": "value", "players": 3, "preperiod": 6, "period": 1}
OF_THREE["rows"] = [[2, 0, 0, 1, 0, 0, 0], [2, 0, 1, 2, 2, 0, 2], [2, 0, 1, 1, 2, 1, 1]]
OF_THREE["moves"] = [listed([1, 2]), listed([1]), listed([1])]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (PARTISAN, ""),
        (PARTISAN | {"rows": [[1, 0, 0], [1, 0, 0]]}, "a heap of 3 does not have the value 0"),
        (PARTISAN | {"rows": [[1, 0, 0], [1, 0]]}, "the rows have the wrong form"),
        (PARTISAN | {"moves": [listed([1, 2]), listed([1], [1])]}, "the winners from single heaps"),
        (PARTISAN | {"preperiod": 0, "period": 3, "moves": [listed([1]), listed([1], end=[])]}, "a preperiod of 0"),
        (OF_THREE, ""),
        ({"rows": [[0, 1, 2]] * 2, "moves": [listed([1, 2])] * 2}, "no Grundy values"),
        ({"rows": [packed(bytes([0, 0, 1, 0, 2, 0]))]}, ""),
        ({"rows": [packed(bytes([0, 0, 1, 0, 1, 0]))]}, "a heap of 2 does not have the value 1"),
        # one is taken, and two equal heaps are left: 0 from 3, 5, ..., which have the value 1
        (ALONE, ""),
        (
            ALONE | {"period": 3, "rows": [[0, 0, 0, 1, 0]]},
            "a move may leave two heaps only if they are equal, but the period is odd",
        ),
        (ALONE | {"rows": [[0, 0, 0, 0]]}, "a heap of 3 does not have the value 0"),
        (ALONE | {"rows": [[0, 0, 1, 1]]}, "a heap of 2 does not have the value 1"),
    ],
)
def test_which_tables_of_unlike_players_and_of_equal_heaps_repeat(changes: dict[str, Any], said: str) -> None:
    found = accepts(check.check_table, **table(**changes))
    assert said in found if said else not found


# -- the verifier of the package --------------------------------------------------------------------------------------
def frozen(x: Any) -> Any:
    return tuple(map(frozen, x)) if isinstance(x, list | tuple) else x


def read(literals: list[Any]) -> list[tuple[Atom, bool]]:
    return [(Atom("eq" if eq else "le", frozen(terms), constant), true) for eq, true, terms, constant in literals]


def read_lemma(literals: list[int]) -> CertificateLemma:
    return CertificateLemma(tuple(literals), tree=0)


@pytest.mark.parametrize(("literals", "states", "said"), [x for x in STATES if x[2] != "no such state"])
def test_the_verifier_of_the_package_says_the_same_of_states(literals: Any, states: Any, said: str) -> None:
    """It may contain an impossible state, which is harmless."""
    assert verify.is_closed(read(literals), frozen(states), verify.VerifierSteps()) is (said == "")


@pytest.mark.parametrize(
    ("literals", "states", "closed"),
    [
        ([EVEN], [[-1], [None]], True),
        ([(LE, True, [(1, X)], 1)], [[0], [None]], True),
        ([(LE, False, [(-1, X)], 0)], [[-1], [None]], False),
    ],
)
def test_a_state_that_no_literal_has_does_no_harm(literals: Any, states: Any, closed: bool) -> None:
    """None means that the literal can no longer hold."""
    assert verify.is_closed(read(literals), frozen(states), verify.VerifierSteps()) is closed


@pytest.mark.parametrize(("literals", "summands", "said"), SUMS)
def test_the_verifier_of_the_package_says_the_same_of_sums(literals: Any, summands: Any, said: str) -> None:
    made = [Summand(coefficient, tuple(places), frozen(streams)) for coefficient, places, streams in summands]
    assert verify.is_negative(read(literals), made, verify.VerifierSteps()) is (said == "")


@pytest.mark.parametrize(("formula", "known", "value"), FORMULAS)
def test_the_verifier_of_the_package_says_the_same_of_formulas(formula: Any, known: Any, value: int) -> None:
    """The result for many rows equals the result for each: here one without known letters and one with all true."""
    rows = [{}, {letter: x == 2 for letter, x in known.items()}, {1: True, 2: True}]
    assert verify.values(frozen(formula), rows)[1] is {0: False, 1: None, 2: True}[value]
    assert verify.values(frozen(formula), rows[1:2]) == [{0: False, 1: None, 2: True}[value]]


@pytest.mark.parametrize(
    ("tree", "given", "formula", "said"), [x for x in TREES if "not a leaf" not in x[3] or x[0] == -3]
)
def test_the_verifier_of_the_package_says_the_same_of_trees(tree: Any, given: Any, formula: Any, said: str) -> None:
    if isinstance(tree, list) and (len(tree) != 3 or tree[0] is True):
        return  # loading rejects it
    lemmas = tuple(read_lemma(x["literals"]) for x in LEMMAS)
    certificate = Certificate(2, (), frozen(formula), lemmas, 0)
    found = verify.find_open(certificate, frozen(tree), len(lemmas), given, verify.VerifierSteps())
    words = {
        "not a leaf": "which does not exist",
        "splits on no letter": "the letters of the certificate are 1 to",
        "open": "a leaf is open",
    }
    assert words[said] in found if said else not found


class Recorder(verify.VerifierSteps):
    def __init__(self) -> None:
        self.taken: list[int] = []

    def take(self, count: int) -> None:
        self.taken.append(count)


def test_the_verifier_of_the_package_counts_steps() -> None:
    steps = verify.VerifierSteps()
    steps.left = 5
    steps.take(5)
    with pytest.raises(verify.CertificateTooLarge):
        steps.take(1)
    steps = Recorder()
    # 4 combinations of bits, for 2 streams and a literal; then a state and 3 letters
    assert verify.is_closed(read([EVEN]), ((-1,),), steps)
    assert steps.taken == [(2 + 1) * 4, 1 * 3 * (1 + 1)]
    steps = Recorder()
    assert verify.is_closed(read([EVEN]), ((-1,), (2**64 + 1,), (None,)), steps)
    assert steps.taken == [2 * (2 + 1) * 4, 2 * 3 * 3 * (1 + 1)]  # the carry takes two words
    steps = Recorder()
    assert verify.is_negative(read([SMALLER, LARGER]), [Summand(1, (0,), ()), Summand(1, (1,), ())], steps)
    assert steps.taken == [1 * (1 + 2 + 2)] * 2  # 1, and a sum of a constant, x and y
    steps = Recorder()
    certificate = Certificate(2, (), ("iff", 1, ("not", 1)), (read_lemma([1, -2]),), 0)
    assert not verify.find_open(certificate, (1, 0, 0), 1, (), steps)
    assert steps.taken == [1, 2, 2, 4 + 2]  # two leaves with a letter each, and a formula of 4 parts
    steps = Recorder()
    assert not verify.find_open(certificate, -1, 1, (1, -2), steps)
    assert steps.taken == [3, 2]
    certificate = Certificate(2, (), 1, (), 0)
    deep: Any = (1, 0, 0)
    for _ in range(6):
        deep = (1, deep, deep)
    steps = Recorder()
    assert verify.find_open(certificate, deep, 0, (), steps)
    assert steps.taken[-1] == (1 + 128 * 1) * 3  # 128 leaves take three words of 64 bits


def test_the_verifier_of_the_package_measures_what_it_reads() -> None:
    numbers = ((), (0,), (2**62,), (1, 2**64), (-(2**63),))
    assert [verify._width(*x) for x in numbers] == [1, 1, 1, 2, 2]
    assert [verify._measure(frozen(x)) for x in (X, "name", XOR, ["times", X, AND])] == [1, 1, 3, 5]
    formulas = (True, 1, ("not", 1), ("and",), ("iff", 1, ("or", 1, 2, False)))
    assert [verify._measure_formula(x) for x in formulas] == [1, 1, 2, 1, 6]
    assert verify.monomial(("", ("times", "y", ("times", "x", "")))) == ("", "", "x", "y")
    nested = (1, ((1, 2), "x"))
    assert [verify._is_deeper(nested, most) for most in (0, 1, 2, 3)] == [True, True, False, False]
    atom = Atom("le", ((1, "x"),), 0)
    assert [verify._is_deeper((atom,), most) for most in (0, 1, 2)] == [True, True, False]
    assert not verify._is_deeper("x", 0)


def test_what_is_too_large_or_too_deep_is_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    fine = Certificate(1, (), ("and", 1, ("not", 1)), (), (1, 0, 0))
    assert verify.problem(fine) == ""
    monkeypatch.setattr(verify, "MOST_STEPS", 3)
    assert verify.problem(fine) == "it is too large: the check needs more than 3 steps"
    monkeypatch.setattr(verify, "MOST_DEPTH", 1)
    assert verify.problem(fine) == "it is too large: the check needs more than 3 steps"
    monkeypatch.setattr(verify, "MOST_DEPTH", 0)
    assert verify.problem(fine) == "it has more than 0 nested levels"


@pytest.mark.parametrize("letter", [0, 3, -3])
def test_a_lemma_is_about_letters(letter: int) -> None:
    fine = Certificate(2, (Atom("le", ((1, "x"),), 1),), False, (), 0)
    for lemma, said in (
        (CertificateLemma((letter,), tree=0), "not a letter"),
        (CertificateLemma((letter,), states=((0,),)), "not an atom"),
    ):
        assert said in verify.problem(replace(fine, lemmas=(lemma,)))
        assert verify.problem(replace(fine, lemmas=(replace(lemma, literals=(1,)),))) == ""
    assert "not an atom" in verify.problem(replace(fine, lemmas=(CertificateLemma((2,), states=((0,),)),)))
    assert verify.problem(replace(fine, lemmas=(CertificateLemma((-2,), tree=0),))) == ""


def test_files_are_compared_with_those_of_the_first_folder_that_has_them(tmp_path: Path) -> None:
    for name, text in (("a", b"format = 1\n"), ("b", b"format = 2\n")):
        (tmp_path / name / "claims" / "games").mkdir(parents=True)
        (tmp_path / name / "claims" / "games" / "theorem.toml").write_bytes(text)
    digest = hashlib.sha256(b"format = 1\n").hexdigest()
    path = write(tmp_path / "c", {**FILE, "files": {"claims/games/theorem.toml": digest}})
    folders = {name: tmp_path / name for name in "abd"}
    for order, code in (("a", 0), ("ab", 0), ("da", 0), ("dab", 0), ("b", 1), ("ba", 1), ("d", 1)):
        assert alone(path, "--claims", *(folders[name] for name in order))[0] == code, order
