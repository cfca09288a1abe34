"""Written data is read unchanged; data of another form is rejected and never repaired."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import RUN, alter

from checks.cache.coding import StrictCodec, Unreadable, pack
from checks.cache.keys import FORMAT, CacheQuestion, Program, ResultKey
from checks.cache.results import NOT_KEPT, CachedResult, make_coder
from checks.results.model import ClaimResult, Counterexample
from checks.results.shown import PlainValue
from encoders.logic.answer import Obligation, ObligationStatus
from encoders.logic.certificates import CertificateText
from encoders.solvers.effort import USUAL

QUESTION = CacheQuestion("a/b", "a/b.toml", "claims", "quick", (), 60.0, (), False, USUAL, ())
KEY = ResultKey(FORMAT, Program("source", ("numpy 2",)), QUESTION, (("a/b.toml", "file 12"),))


def kept(result: ClaimResult) -> CachedResult:
    return CachedResult(KEY, alter(result, seen=(), cached=False))


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class One:
    a: int
    b: tuple[str, ...] = ()


@dataclass(frozen=True)
class Two:
    x: One | float | None
    y: tuple[int, bool] = (1, True)
    z: frozenset[str] = frozenset()
    v: PlainValue = 0
    c: Colour | None = None


@pytest.mark.parametrize("result", RUN.claims)
def test_every_result_is_read_as_it_was_written(result: ClaimResult) -> None:
    assert make_coder().read(make_coder().write(kept(result))) == kept(result)


def test_what_equality_does_not_see_is_read_again_too() -> None:
    result = alter(
        RUN.claims[0],
        obligations=(
            Obligation("o", ObligationStatus.PROVED, seconds=2.5, solvers=("Z3",), certificate=CertificateText("[1]")),
        ),
        seen=(),
        cached=False,
    )
    found = make_coder().read(make_coder().write(kept(result)))
    assert isinstance(found, CachedResult)
    (obligation,) = found.result.finding.obligations
    assert (obligation.seconds, obligation.solvers, obligation.certificate) == (2.5, ("Z3",), CertificateText("[1]"))


TEXT = st.text('a0"\\/[,\n\0\x7f\u00e9\u2028\ufeff\U0001f600')  # with all characters, this takes seconds
SHOWN = st.recursive(st.booleans() | st.integers() | TEXT, lambda x: st.lists(x).map(tuple))


@settings(max_examples=settings().max_examples // 4, deadline=None)
@given(SHOWN)
@pytest.mark.slow
def test_values_keep_their_types(value: PlainValue) -> None:
    coder = StrictCodec(Two, {"PlainValue": PlainValue})
    found = coder.read(coder.write(Two(None, v=value)))
    assert isinstance(found, Two)
    assert repr(found.v) == repr(value)


GOOD = Two(One(3, ("u",)), (2, False), frozenset({"a", "b"}), (1, (True, "x")), Colour.RED)
BAD = [
    '["Two",["One",true,["u"]],[2,false],["a","b"],0,null]',
    '["Two",["One",3.0,["u"]],[2,false],["a","b"],0,null]',
    '["Two",["One","3",["u"]],[2,false],["a","b"],0,null]',
    '["Two",["One",3,"u"],[2,false],["a","b"],0,null]',
    '["Two",["One",3,[1]],[2,false],["a","b"],0,null]',
    '["Two",["One",3],[2,false],["a","b"],0,null]',
    '["Two",["One",3,["u"],0],[2,false],["a","b"],0,null]',
    '["Two",["Two",3,["u"]],[2,false],["a","b"],0,null]',
    '["Two",[],[2,false],["a","b"],0,null]',
    '["Two",3,[2,false],["a","b"],0,null]',
    '["Two","blue",[2,false],["a","b"],0,null]',
    '["Two",null,[2],["a","b"],0,null]',
    '["Two",null,[2,false,1],["a","b"],0,null]',
    '["Two",null,[2,0],["a","b"],0,null]',
    '["Two",null,[2,false],["b","a"],0,null]',
    '["Two",null,[2,false],["a","a"],0,null]',
    '["Two",null,[2,false],["a"],1.5,null]',
    '["Two",null,[2,false],["a"],null,null]',
    '["Two",null,[2,false],["a"],{"a":1},null]',
    '["Two",null,[2,false],["a"],0]',
    '["Two",null,[2,false],["a"],0,"blue"]',
    '["Two",null,[2,false],["a"],0,1]',
    '["Two",null,[2,false],["a"],0,null,null]',
    '["One",3,["u"]]',
    '{"Two":1}',
    "null",
    "",
    "[" * 100_000,
    "\x80",
    '["Two",NaN,[2,false],[],0,null]',
]


@pytest.mark.parametrize("text", BAD)
def test_another_form_is_refused(text: str) -> None:
    coder = StrictCodec(Two, {"PlainValue": PlainValue})
    assert coder.read(coder.write(GOOD)) == GOOD
    with pytest.raises(Unreadable):
        coder.read(text.encode("latin-1"))


def test_what_the_model_has_not_is_not_written() -> None:
    for value in ([1], {"a": 1}, b"bytes", object(), 1 + 2j):
        with pytest.raises(Unreadable, match="cannot be stored"):
            pack(value)
    with pytest.raises(Unreadable):
        StrictCodec(Two, {"PlainValue": PlainValue}).write(Two(float("nan")))
    with pytest.raises(Unreadable):
        StrictCodec(One).write(One("3"))


def test_types_that_cannot_be_told_apart_are_refused_at_once() -> None:
    with pytest.raises(TypeError, match="cannot distinguish the types"):
        StrictCodec(tuple[int, ...] | tuple[str, str])
    with pytest.raises(TypeError, match="cannot be stored"):
        StrictCodec(dict[str, int])


def places(data: object, at: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    yield at
    if isinstance(data, list):
        for i, x in enumerate(data):
            yield from places(x, (*at, i))


def test_no_value_of_a_result_may_have_another_type() -> None:
    """Each value in turn is replaced by a JSON object, which has no type of the model."""
    result = max(
        RUN.claims,
        key=lambda c: len(c.finding.routes) + len(c.finding.obligations) + 3 * (c.finding.counterexample is not None),
    )
    data = pack(kept(result), NOT_KEPT)
    assert make_coder().read(json.dumps(data).encode()) == kept(result)
    for place in places(data):
        broken: object = deepcopy(data)
        if place:
            inside = broken
            for i in place[:-1]:
                inside = inside[i]
            inside[place[-1]] = {}
        else:
            broken = {}
        with pytest.raises(Unreadable):
            make_coder().read(json.dumps(broken).encode())


def test_a_class_is_known_by_its_name_alone() -> None:
    with pytest.raises(Unreadable):
        StrictCodec(Counterexample, {"PlainValue": PlainValue}).read(b'["os.system","ls",true,true,[]]')
