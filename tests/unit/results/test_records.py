"""Records: one declaration gives the reader, the writer and the schema, and reader and schema reject the same data."""

import json
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import jsonschema
import pytest

from checks.results.records import (
    INLINE,
    KEYED,
    OMITTED,
    SINCE,
    Among,
    AtLeast,
    BadRecord,
    Form,
    make_schema,
    read_record,
    write_record,
)

DOUBLED = Form[int](
    "an even number",
    {"type": "integer", "multipleOf": 2},
    lambda x: 2 * x,
    lambda x: x // 2 if isinstance(x, int) and x % 2 == 0 else None,
)


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    first: int
    second: Annotated[int, AtLeast(1), "from 1 on"] = 1

    def fault(self) -> tuple[str, str] | None:
        return ("second", "no more than first") if self.second > self.first else None


@dataclass(frozen=True)
class Part:
    low: bool
    high: str | None


@dataclass(frozen=True)
class Example:
    """A record with a field of each kind."""

    format: Literal[1]
    name: Annotated[str, "what it is called"]
    part: Annotated[Part, INLINE]
    colour: Colour
    bright: Annotated[Colour, Among((Colour.RED, Colour.GREEN))]
    word: Annotated[str, Among(("a", "b"))]
    half: Annotated[int, DOUBLED]
    exact: Annotated[int, AtLeast(None)]
    mixed: tuple[Annotated[int, AtLeast(1)] | tuple[bool, ...], ...]
    table: dict[str, Inner]
    pairs: Annotated[tuple[tuple[str, str], ...], KEYED]
    inner: Inner | None
    several: Annotated[tuple[str, ...], AtLeast(2)]
    added: Annotated[tuple[str, ...], SINCE] = ()
    rare: Annotated[int, AtLeast(1), OMITTED] = 0
    parts: tuple[Part, ...] = field(default=())


PATH = Path("x.json")
FULL = Example(
    format=1, name="n", part=Part(True, None), colour=Colour.BLUE, bright=Colour.RED, word="b", half=2, exact=2**70,
    mixed=(3, (True, False), ()), table={"t": Inner(5, 2)}, pairs=(("z", "1"), ("a", "2")), inner=None,
    several=("p", "q"), added=("r",), rare=7, parts=(Part(False, "h"),),
)  # fmt: skip
DATA: dict[str, Any] = {
    "format": 1, "name": "n", "low": True, "high": None, "colour": "blue", "bright": "red", "word": "b", "half": 4,
    "exact": 2**70, "mixed": [3, [True, False], []], "table": {"t": {"first": 5, "second": 2}},
    "pairs": {"z": "1", "a": "2"}, "inner": None, "several": ["p", "q"], "added": ["r"], "rare": 7,
    "parts": [{"low": False, "high": "h"}],
}  # fmt: skip
SCHEMA = make_schema(Example, "An example", "of all kinds")


def test_a_record_is_written_as_it_is_declared_and_read_again() -> None:
    assert json.dumps(write_record(FULL)) == json.dumps(DATA)
    assert read_record(Example, PATH, DATA) == FULL
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(DATA, SCHEMA)


def test_large_integers_are_texts_unless_the_declaration_says_no() -> None:
    made = write_record(Inner(2**53 + 1))
    assert made == {"first": str(2**53 + 1), "second": 1}


def test_a_key_is_omitted_with_its_default_and_older_files_lack_newer_keys() -> None:
    data = {key: value for key, value in DATA.items() if key not in ("added", "rare")}
    read = read_record(Example, PATH, data)
    assert (read.added, read.rare) == ((), 0)
    assert "rare" not in write_record(read) and write_record(read)["added"] == []
    jsonschema.validate(data, SCHEMA)


def changed(key: str, value: object) -> dict[str, Any]:
    return {**DATA, key: value}


WRONG: dict[str, tuple[Any, str]] = {
    "no object": ([], "x.json: the content is []; expected an object with the keys format, name, low, high, colour"),
    "unknown": ({**DATA, "nmae": 1}, "x.json: the key 'nmae' is unknown; expected format, name, "),
    "nearest": ({**DATA, "nmae": 1}, "parts; did you mean 'name'?"),
    "missing": ({k: v for k, v in DATA.items() if k != "high"}, "the key 'high' is missing; expected format,"),
    "missing with a default": ({k: v for k, v in DATA.items() if k != "parts"}, "the key 'parts' is missing"),
    "another format": (changed("format", 2), "format is 2; expected one of 1"),
    "a truth value": (changed("format", True), "format is True; expected one of 1"),
    "no text": (changed("name", 1), "name is 1; expected a text"),
    "no truth value": (changed("low", 0), "low is 0; expected true or false"),
    "nothing that may be": (changed("high", 0), "high is 0; expected null, or a text"),
    "no member": (changed("colour", "pink"), "colour is 'pink'; expected one of red, green, blue"),
    "another member": (changed("bright", "blue"), "bright is 'blue'; expected one of red, green"),
    "another word": (changed("word", "c"), "word is 'c'; expected one of a, b"),
    "another form": (changed("half", 3), "half is 3; expected an even number"),
    "no integer": (changed("exact", True), "exact is True; expected an integer"),
    "too small": (changed("mixed", [0]), "mixed[0] is 0; expected an integer of at least 1, or a list"),
    "inside a list": (changed("mixed", [3, [1]]), "mixed[1][0] is 1; expected true or false"),
    "inside a table": (changed("table", {"t": {"first": 5, "second": 0}}), "table.t.second is 0; expected an integer"),
    "a condition": (changed("table", {"t": {"first": 1, "second": 2}}), "table.t.second is 2; expected no more than"),
    "no table": (changed("table", []), "table is []; expected an object"),
    "no pair": (changed("pairs", {"z": 1}), "pairs.z is 1; expected a text"),
    "neither": (changed("inner", 0), "inner is 0; expected null, or an object with the keys first, second"),
    "too few": (changed("several", ["p"]), "several is ['p']; expected a list of at least 2 elements"),
    "no list": (changed("parts", {}), "parts is {}; expected a list"),
    "the default is written": (changed("rare", 0), "rare is 0; expected an integer of at least 1"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_declared_is_refused_by_file_key_and_value(name: str) -> None:
    data, words = WRONG[name]
    with pytest.raises(BadRecord) as caught:
        read_record(Example, PATH, data)
    assert words in str(caught.value)
    if name not in ("a condition", "a truth value"):  # a schema cannot express conditions, or distinguish true from 1
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data, SCHEMA)


@dataclass(frozen=True)
class Sparse:
    names: Annotated[tuple[str, ...], OMITTED] = ()


def test_a_key_that_may_be_omitted_is_not_written_with_its_default() -> None:
    assert write_record(Sparse()) == {} and read_record(Sparse, PATH, {}) == Sparse()
    with pytest.raises(BadRecord, match=r"names is .*expected another value; omit the key"):
        read_record(Sparse, PATH, {"names": []})


def test_keys_stand_in_their_order() -> None:
    with pytest.raises(BadRecord, match=r"parts\[0\]: the keys are in the order high, low; expected the order low"):
        read_record(Example, PATH, changed("parts", [{"high": None, "low": True}]))
