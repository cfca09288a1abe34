"""The intervals of numbers in machine code: the interval of each operation, computed by hand."""

import pytest
from both import Both, base_claim

from claims.language.syntax.terms import (
    BOOL,
    INT,
    OUTCOME,
    PLAYER,
    POSITION,
    RATIONAL,
    heap_of,
    list_of,
    position_of,
    set_of,
)
from encoders.compute.native.pieces import (
    ANY,
    CALLED,
    COUNTS,
    LARGEST,
    NOTHING,
    ONE,
    SMALL,
    Bounds,
    Joined,
    NotNative,
    Static,
    WasmExpression,
    is_word,
    list_constants,
    repeat,
    spell,
)
from encoders.compute.native.runtime import STATIC, STATIC_END

TOP = 2**62 - 1


def test_numbers_of_machine_code_have_at_most_62_bits() -> None:
    assert (LARGEST, ANY, NOTHING) == (TOP, (-TOP, TOP), (0, 0))
    assert WasmExpression("(i64.const 1)", Bounds(1, 1)) == ONE
    assert (SMALL, COUNTS) == ((-(2**30), 2**30), (0, 2**45))
    for bounds, fits in (
        (Bounds(-TOP, TOP), True), (Bounds(0, 0), True), (Bounds(-TOP - 1, 0), False), (Bounds(0, TOP + 1), False),
    ):  # fmt: skip
        assert bounds.fits is fits


@pytest.mark.parametrize(
    ("a", "b", "join", "add", "sub", "mul"),
    [
        ((5, 7), (0, 0), (0, 7), (5, 7), (5, 7), (0, 0)),
        ((5, 7), (6, 9), (5, 9), (11, 16), (-4, 1), (30, 63)),
        ((-2, 3), (-5, 4), (-5, 4), (-7, 7), (-6, 8), (-15, 12)),
        ((-3, -2), (4, 5), (-3, 5), (1, 3), (-8, -6), (-15, -8)),
        ((-3, -2), (-5, -4), (-5, -2), (-8, -6), (1, 3), (8, 15)),
        ((TOP, TOP), (TOP, TOP), (TOP, TOP), (2 * TOP, 2 * TOP), (0, 0), (TOP * TOP, TOP * TOP)),
    ],
)
def test_the_bounds_of_sums_differences_and_products(
    a: Bounds, b: Bounds, join: Bounds, add: Bounds, sub: Bounds, mul: Bounds
) -> None:
    """The joined interval contains both, in either order."""
    a, b = Bounds(*a), Bounds(*b)
    assert (a.join(b), a.add(b), a.sub(b), a.mul(b)) == (join, add, sub, mul)
    assert (b.join(a), b.add(a), b.mul(a)) == (join, add, mul)


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        ((-5, 7), (-5, 7)),
        ((-TOP - 9, 7), (-TOP, 7)),
        ((-5, TOP + 9), (-5, TOP)),
        ((TOP + 1, TOP + 9), (TOP, TOP)),
        ((-TOP - 9, -TOP - 1), (-TOP, -TOP)),
    ],
)
def test_what_a_checked_operation_lets_through(given: Bounds, passed: Bounds) -> None:
    assert Bounds(*given).clamp() == passed


def test_the_bounds_of_several_pieces_are_around_all_of_them() -> None:
    joined = Joined()
    assert joined.bounds == (0, 0)
    for bounds, around in (((3, 9), (3, 9)), ((5, 5), (3, 9)), ((-2, 4), (-2, 9)), ((1, 1), (-2, 9))):
        joined.add(WasmExpression("", Bounds(*bounds)))
        assert joined.bounds == around


@pytest.mark.parametrize(
    ("bounds", "digits"),
    [([(0, 4), (0, 9)], 15), ([(0, 9), (0, 4)], 15), ([(-9, 0)], 0), ([(1, 7)], 7), ([(0, 8)], 15), ([(0, 1)], 1)],
)
def test_a_nim_sum_has_no_more_digits_than_the_largest(bounds: list[Bounds], digits: int) -> None:
    assert spell(*(Bounds(*x) for x in bounds)) == (0, digits)


@pytest.mark.parametrize(
    ("op", "given", "bounds"),
    [
        ("isqrt", [(3, 9)], (0, 3)),
        ("isqrt", [(-9, -3)], (0, 0)),
        ("top_bit", [(3, 9)], (0, 64)),
        ("abs", [(-5, 3)], (0, 5)),
        ("abs", [(-5, 7)], (0, 7)),
        ("bit", [(3, 9), (0, 3)], (0, 1)),
        ("largest", [(1, 5), (-3, 2)], (-3, 5)),
        ("smallest", [(-3, 2), (1, 5)], (-3, 5)),
        ("put", [(1, 5), (50, 60), (-3, 2)], (-3, 5)),
        ("slice", [(1, 5), (50, 60), (70, 80)], (1, 5)),
        ("concat", [(1, 5), (-3, 2)], (-3, 5)),
        ("occurrences", [(1, 5), (-3, 2)], (0, 2**45)),
        ("range", [(1, 5), (-3, 2)], (-3, 5)),
        ("valuation", [(1, 5), (2, 2)], (0, 64)),
    ],
)
def test_the_bounds_of_what_the_runtime_returns(op: str, given: list[Bounds], bounds: Bounds) -> None:
    """An interval that is too large is harmless; one that is too small is wrong."""
    count, found = CALLED[op]
    assert (count, found([Bounds(*x) for x in given])) == (len(given), bounds)


def test_a_loop_looks_at_the_clock() -> None:
    assert "(then (call $look))" in repeat("1", "", "", "")


# -- lists that never change ------------------------------------------------------------------------------------------
def test_lists_that_never_change_have_addresses_of_their_own() -> None:
    """A list needs eight bytes for the length and for each number, as long as there is room."""
    static = Static()
    assert (static.place([1, -2]), static.place([]), static.place([3])) == (STATIC, STATIC + 24, STATIC + 32)
    words = [int.from_bytes(static.data[i : i + 8], "little", signed=True) for i in range(0, len(static.data), 8)]
    assert words == [2, 1, -2, 0, 1, 3]
    room = (STATIC_END - STATIC) // 8
    assert Static().place([7] * (room - 1)) == STATIC
    with pytest.raises(NotNative, match="lists of constants are too long"):
        Static().place([7] * room)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("[3, 1, 3]", [3, 1, 3]),
        ("{3, 1, 3}", [1, 3]),
        ("[-2, 5]", [-2, 5]),
        (f"[{TOP}]", [TOP]),
        (f"[-{TOP}, 0]", [-TOP, 0]),
        (f"[{TOP + 1}, 0]", None),
        ("[1, k]", None),
        ("range(3)", None),
    ],
)
def test_which_lists_are_written_down(
    tmp_path_factory: pytest.TempPathFactory, text: str, numbers: list[int] | None
) -> None:
    both = Both(base_claim(tmp_path_factory.mktemp("base")))
    assert list_constants(both.term(text)) == numbers


HEAP = heap_of(("v", INT))


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (INT, True), (BOOL, True), (PLAYER, True), (OUTCOME, True), (HEAP, True), (RATIONAL, False),
        (list_of(INT), True), (set_of(BOOL), True), (list_of(HEAP), True),
        (position_of(HEAP), True), (POSITION, True),
        (list_of(list_of(INT)), False), (list_of(RATIONAL), False), (set_of(POSITION), False),
    ],
)  # fmt: skip
def test_which_values_are_one_word(kind: object, word: bool) -> None:
    """These are integers, heaps, and lists of them."""
    assert is_word(kind) is word
