"""Loading any file ends in a claim or in an error that gives the reason."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.language.errors import ClaimError, LanguageError
from claims.language.files.library import LIBRARY
from claims.language.files.rulesets import load_ruleset
from claims.language.files.toml import MAX_BYTES
from claims.language.syntax import elaborate
from claims.language.syntax.elaborate import Elaborator
from claims.language.syntax.grammar import MAX_LENGTH
from claims.language.syntax.names import read_definition
from claims.language.syntax.questions import GameFacts
from claims.language.syntax.terms import INT, POSITION
from encoders.proving.reading import load_claim

WORDS = (
    "and or not if else for in True False lambda is ( ) [ ] { } , . == = != < <= + - * ** / // % ^ .. 0 7 1_0 s k P1 "
    "P2 any all sum options wins grundy legal position replace range len count ' # \\ é ² \u3000"
).split(" ")
SOUP = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)
GAMES = {"nim": GameFacts("nim", ("P1", "P2"), impartial=True, normal=True)}


def read(text):
    """Parse and type the text.

    Only a LanguageError may be raised, with a place inside the text or directly after it.
    """
    fault = None
    try:
        Elaborator({"s": POSITION, "k": INT}, GAMES).term(text)
    except LanguageError as error:
        fault = error
    assert fault is None or 0 <= fault.start < fault.end <= len(text) + 1
    assert fault is None or (fault.message and fault.expected)


@given(st.one_of(st.text(), SOUP))
@pytest.mark.slow
def test_any_text_is_an_expression_or_a_fault(text):
    read(text)


@pytest.mark.parametrize(
    "piece",
    ["(", "[", "{", "f(", "s[", "not ", "-", "- (", "2**", "1+", "1-(", "x.", "s.count(", "1 if 1 else ", "any(", "1<",
     "1 and ", "1 or not ", "[h for h in ", "any(h for h in s if ", "1_", "9", "a", "é", "^", "1^", "s[0]", ".."],
)  # fmt: skip
@pytest.mark.parametrize("tail", ["", "1", "s"])
def test_no_depth_exhausts_the_stack(piece, tail):
    read(piece * ((MAX_LENGTH - 1) // len(piece)) + tail)


def shipped(folder):
    return [p.read_text("utf-8") for p in sorted((LIBRARY / folder).glob("*.toml"))]


TEXTS = {"claim": [*shipped("nim"), *shipped("kl-nim")], "ruleset": shipped("rulesets")}
PIECES = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        ['"', "'", '"""', "[", "]", "[[", "{", "}", "=", "\n", "\r\n", "\\", "#", "1", "-1", "true", '"1.."',
         "[scope]", "[define]", "a.b = 1", '"f(x)" = "f(x)"', "in", "deep", '"', "(", ")", "..", "nan",
         '"position"', "1e999", "1979-05-27", "[]", "{}", '""', '"k+1.."', "\x00", "\u2028", "\ufeff",
         '"subsets of 1..3"']
    ),
)  # fmt: skip


@st.composite
def mutated(draw, kind):
    text = draw(st.sampled_from(TEXTS[kind]))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(PIECES) + text[at + draw(st.integers(0, 12)) :]
    return text


def load(kind, content):
    with tempfile.TemporaryDirectory() as folder:
        path, refused = Path(folder) / "file.toml", None
        path.write_bytes(content)
        try:
            if kind == "claim":
                load_claim(path, "file")
            else:
                load_ruleset(path)
        except ClaimError as error:
            refused = error
        assert refused is None or (str(refused).startswith(str(refused.place)) and refused.expected)


@settings(deadline=None)
@given(mutated("claim"))
@pytest.mark.slow
def test_a_damaged_claim_is_read_or_refused(text):
    load("claim", text.encode("utf-8", "surrogatepass"))


@settings(deadline=None)
@given(mutated("ruleset"))
@pytest.mark.slow
def test_a_damaged_ruleset_is_read_or_refused(text):
    load("ruleset", text.encode("utf-8", "surrogatepass"))


@settings(max_examples=50)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content):
    load("claim", content)


HOSTILE = {
    "arrays": "a = " + "[" * 50_000,
    "closed arrays": "a = " + "[" * 200 + "]" * 200,
    "tables": "a = " + "{a = " * 20_000,
    "dotted keys": "a" + ".a" * 100_000 + " = 1",
    "digits": "a = " + "9" * 10_000,
    "a claim of one long line": "format = 1\n" + "#" * (MAX_BYTES - 20),
}


@pytest.mark.parametrize("content", HOSTILE.values())
def test_hostile_files_are_refused_at_once(content, tmp_path):
    path = tmp_path / "file.toml"
    path.write_text(content)
    with pytest.raises(ClaimError):
        load_claim(path, "file")


def test_definitions_do_not_multiply(monkeypatch):
    """Each definition calls the next in two ways, with one more argument: 2**12 combinations of types."""
    monkeypatch.setattr(elaborate, "MAX_INSTANCES", 100)
    definitions = {}
    for i in range(12):
        names = ", ".join(f"x{n}" for n in range(i + 1))
        definitions[f"f{i}"] = read_definition(f"f{i}({names})", f"f{i + 1}({names}, 0) or f{i + 1}({names}, True)", ())
    names = ", ".join(f"x{n}" for n in range(13))
    definitions["f12"] = read_definition(f"f12({names})", "True", ())
    with pytest.raises(LanguageError, match="more than 100 combinations of a definition and the types"):
        Elaborator({}, {}, definitions).term("f0(1)")
