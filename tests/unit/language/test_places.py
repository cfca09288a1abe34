"""The position of a value in a file, in every notation of TOML."""

import pickle
import tomllib
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from claims.language.errors import ClaimError, LanguageError, SourceLocation
from claims.language.files.toml import MAX_BYTES, SourceFile, decode_offsets, display_path, read

FILE = '''\
a = "one"
b.c = "two"   # dotted
d = { e = "three", f = [1, [2, "four"], # comment
  5] }

[g]
"h(x)" = "five"

[g.i]
j = "six"

[[k]]
l = "seven"

[[k]]
l = """
eight
nine"""

[k.m]
n = 'ten'
'''
SOURCE = SourceFile("file.toml", FILE, tomllib.loads(FILE))


def marked(place: SourceLocation) -> str:
    """Return the text that the caret marks."""
    return place.text[place.column - 1 : place.column - 1 + place.width]


@pytest.mark.parametrize(
    ("keys", "line", "text"),
    [
        (("a",), 1, '"one"'),
        (("b", "c"), 2, '"two"'),
        (("b",), 2, "b.c"),
        (("d", "e"), 3, '"three"'),
        (("d", "f", 0), 3, "1"),
        (("d", "f", 1, 1), 3, '"four"'),
        (("d", "f", 2), 4, "5"),
        (("g",), 6, "g"),
        (("g", "h(x)"), 7, '"five"'),
        (("g", "i", "j"), 10, '"six"'),
        (("k", 0, "l"), 13, '"seven"'),
        (("k", 1), 15, "k"),
        (("k", 1, "m", "n"), 21, "'ten'"),
        (("g", "absent"), 6, "g"),  # the nearest existing table
        (("k", 1, "absent"), 15, "k"),
        (("d", "absent"), 3, '{ e = "three", f = [1, [2, "four"], # comment'),
    ],
)
def test_a_value_is_found(keys, line, text):
    place = SOURCE.place(keys)
    assert (place.line, marked(place)) == (line, text)


@pytest.mark.parametrize(
    ("keys", "text"),
    [(("a",), "a"), (("d", "e"), "e"), (("g", "h(x)"), '"h(x)"'), (("k", 1, "m", "n"), "n")],
)
def test_a_key_is_found(keys, text):
    assert marked(SOURCE.place(keys, at_key=True)) == text


def test_a_span_is_found_on_its_line():
    place = SOURCE.place(("k", 1, "l"), (6, 10))
    assert (place.line, place.column, marked(place)) == (18, 1, "nine")


def test_what_is_not_there_at_all_is_the_file():
    assert SOURCE.place(("absent",)) == SourceLocation("file.toml")


# -- strings ---------------------------------------------------------------------------------------------------------
def written(value: str, style: str) -> str:
    """Return the value as a TOML string."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    match style:
        case "basic":
            return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'
        case "multi-line":
            return '"""\n' + escaped + '"""'
        case "windows":
            return '"""\r\n' + escaped.replace("\n", "\r\n") + '"""'
        case "continued":
            return '"""\\\n    ' + escaped.replace(" x", " \\\n  x") + '"""'
        case "literal":
            return "'" + value + "'"
    return "'''\n" + value + "'''"


TEXT = st.text(st.sampled_from('ab x\t\n\\"é∧双'), max_size=30).map(lambda s: "a" + s + "b")


@given(TEXT, st.sampled_from(["basic", "multi-line", "windows", "continued", "literal", "multi-line literal"]))
@example("a xb\n x", "continued")
def test_each_character_of_a_string_is_found(value, style):
    assume(style != "literal" or "\n" not in value)
    raw = written(value, style)
    assert tomllib.loads(f"key = {raw}")["key"] == value
    offsets = decode_offsets(raw)
    assert len(offsets) == len(value) + 1
    for at, char in zip(offsets, value, strict=False):
        shown_as = {"\n": "\r\n" if style == "windows" else "\n"}.get(char, char)
        assert raw.startswith(shown_as, at) or raw[at] == "\\"
    assert offsets == sorted(set(offsets))


@given(TEXT, st.sampled_from(["basic", "multi-line", "windows", "literal", "multi-line literal"]), st.data())
@pytest.mark.slow
def test_a_caret_marks_the_characters_at_fault(value, style, data):
    assume(style != "literal" or "\n" not in value)
    start = data.draw(st.integers(0, len(value) - 1))
    end = data.draw(st.integers(start + 1, len(value)))
    assume(not any(c in '\\"\n\t' for c in value[start:end]))
    text = f"first = 1\n[table]\nkey = {written(value, style)} # end\n"
    source = SourceFile("file.toml", text, tomllib.loads(text))
    assert marked(source.place(("table", "key"), (start, end))) == value[start:end]


# -- reading ---------------------------------------------------------------------------------------------------------
def refusal(path):
    with pytest.raises(ClaimError) as caught:
        read(path)
    return caught.value


def test_a_file_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        str(refusal(tmp_path / "no.toml"))
        == "no.toml: cannot be read: No such file or directory\nexpected: a TOML file"
    )
    assert "cannot be read" in str(refusal(tmp_path))


def test_the_size_is_limited_exactly(tmp_path):
    path = tmp_path / "file.toml"
    path.write_text("a = 1\n" + "#" * (MAX_BYTES - 6))
    assert read(path).data == {"a": 1}
    path.write_text("a = 1\n" + "#" * (MAX_BYTES - 5))
    assert refusal(path).message == "the file has more than 256 KiB"


def test_an_endless_file_is_refused():
    assert refusal(Path("/dev/zero")).message == "the file has more than 256 KiB"


def test_paths_are_shown_as_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert display_path(tmp_path / "a" / "b.toml") == "a/b.toml"
    assert display_path(tmp_path.parent / "b.toml") == str(tmp_path.parent / "b.toml")


# -- the text of an error --------------------------------------------------------------------------------------------
def test_a_long_line_is_shown_around_the_fault():
    for at in (0, 54, 200, 399):
        text = "." * at + "X" + "." * (399 - at)
        line, caret = SourceLocation("f", 1, at + 1, 1, text).show_line()
        assert line[caret.index("^")] == "X"
        assert len(line) <= 2 + 110 + 6


def test_what_a_terminal_would_obey_is_not_shown():
    error = ClaimError(SourceLocation("f", 1, 2, 1, "a\x1b[31m\u202eb"), "no")
    assert "\x1b" not in str(error)
    assert "\u202e" not in str(error)


def test_many_calls_are_cut_short():
    calls = tuple((f"in f{i}(Int), called at", SourceLocation("f", i + 1, 1)) for i in range(9))
    lines = str(ClaimError(SourceLocation("f", 1, 1), "no", "yes", calls)).splitlines()
    assert lines == ["f:1:1: no", "expected: yes", *(f"in f{i}(Int), called at f:{i + 1}:1" for i in (0, 1, 8))]


def test_a_fault_marks_at_least_one_character():
    error = LanguageError("no", "yes", 4, 4)
    assert (error.start, error.end) == (4, 5)
    error.shift(10)
    assert (error.start, error.end) == (14, 15)
    error.where = ("define", "f")
    error.shift(10)
    assert (error.start, error.end) == (14, 15)


def test_errors_survive_the_way_between_processes():
    error = ClaimError(
        SourceLocation("f", 3, 1, 2, "text"), "no", "yes", (("in f(Int), called at", SourceLocation("g", 1, 1)),)
    )
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
