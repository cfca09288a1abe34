"""The domains of variables, and the part that a scope covers."""

import pytest

from claims.language.errors import LanguageError
from claims.language.files import domains as d
from claims.language.files.domains import needs_scope, scope_of
from claims.language.syntax.terms import INT, PLAYER, POSITION, Literal

ONE = Literal(INT, 0, 1, 1)
SIX = Literal(INT, 0, 1, 6)
NATURAL = d.ClaimVariable("n", INT, d.IntervalDomain(ONE, None), "1..")
DIE = d.ClaimVariable("d", INT, d.IntervalDomain(ONE, SIX), "1..6")
POSITIONS = d.ClaimVariable("s", POSITION, d.Positions(), "position")
MOVER = d.ClaimVariable("p", PLAYER, d.Players(2), "player")
TABLE = d.ClaimVariable("t", POSITION, d.ListedDomain(((1, 1),)), "in [[1, 1]]")


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("1..", ("1", "")),
        ("..", ("", "")),
        ("0..k-1", ("0", "k-1")),
        (" max(1, 2) .. s[0] ", ("max(1, 2)", "s[0]")),
        ("1..2..3", ("1", "2..3")),
        ("f(1..2)", None),
        ("S", None),
        ("", None),
    ],
)
def test_a_range_has_two_sides(text, sides):
    assert d.split_range(text) == sides


@pytest.mark.parametrize(
    ("text", "lo", "hi"),
    [("1..6", 1, 6), (" -3 .. +4 ", -3, 4), ("5", 5, 5), ("0..0", 0, 0), ("7..7", 7, 7)],
)
def test_constant_ranges(text, lo, hi):
    assert d.constant_range(text) == d.Range(lo, hi)
    assert d.constant_range(str(d.Range(lo, hi))) == d.Range(lo, hi)


@pytest.mark.parametrize("text", ["", "..", "1..", "..6", "6..5", "1..k", "1-6", "1..2..3", "1.5", "1" * 41])
def test_no_constant_ranges(text):
    with pytest.raises(LanguageError):
        d.constant_range(text)


def test_what_needs_a_scope():
    assert [needs_scope(v) for v in (NATURAL, DIE, POSITIONS, MOVER, TABLE)] == [True, False, True, False, False]


def test_scopes():
    assert scope_of(NATURAL, "1..6") == d.Range(1, 6)
    assert scope_of(NATURAL, 4) == d.Range(4, 4)
    assert scope_of(DIE, "2..3") == d.Range(2, 3)
    box = scope_of(POSITIONS, {"heaps": "0..4", "size": "1..10"})
    assert box == d.PositionRange(d.Range(0, 4), d.Range(1, 10), None)
    assert scope_of(POSITIONS, {"heaps": 3, "size": "1..9", "total": "0..12"}).total == d.Range(0, 12)


@pytest.mark.parametrize(
    ("variable", "value", "where"),
    [
        (NATURAL, "1..", ()),
        (NATURAL, "9..1", ()),
        (NATURAL, True, ()),
        (NATURAL, {"heaps": "1..2"}, ()),
        (POSITIONS, "1..6", ()),
        (POSITIONS, {"heaps": "0..4"}, ()),
        (POSITIONS, {"heaps": "0..4", "size": "1..9", "sum": 3}, ("sum",)),
        (POSITIONS, {"heaps": "0..4", "size": "0..9"}, ("size",)),
        (POSITIONS, {"heaps": "-1..4", "size": "1..9"}, ("heaps",)),
        (POSITIONS, {"heaps": "0..4", "size": "9..1"}, ("size",)),
        (POSITIONS, {"heaps": "0..4", "size": "1..9", "total": "x"}, ("total",)),
        (MOVER, "0..1", ()),
        (TABLE, {"heaps": "0..4", "size": "1..9"}, ()),
    ],
)
def test_scopes_that_are_refused(variable, value, where):
    """`where` is the key inside the invalid value."""
    with pytest.raises(LanguageError) as caught:
        scope_of(variable, value)
    assert caught.value.where == where
