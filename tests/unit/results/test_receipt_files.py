"""Invalid receipts: each is rejected in one sentence with the file, the key and the expected value."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from forgeries import Edit, drop, forged, put, real, turned
from test_receipts import VALIDATOR

from checks.command.replay import BadReceipt, Disagreement, replay

TEXTS: list[tuple[str, Callable[[str], str | bytes], str]] = [
    ("empty", lambda t: "", "not JSON"),
    ("no JSON", lambda t: "proved", "not JSON"),
    ("cut off", lambda t: t[:-20], "not JSON"),
    ("more after the end", lambda t: t + "{}", "not JSON"),
    ("a list", lambda t: f"[{t}]", "a receipt of format 2"),
    ("a number", lambda t: "2", "a receipt of format 2"),
    ("null", lambda t: "null", "a receipt of format 2"),
    ("an empty object", lambda t: "{}", "a receipt of format 2"),
    ("not UTF-8", lambda t: t.encode() + b"\xff", "is not UTF-8"),
    ("nested 100 000 lists deep", lambda t: "[" * 100_000 + "]" * 100_000, "nested too deeply"),
    ("nested 100 000 objects deep", lambda t: '{"a":' * 100_000 + "1" + "}" * 100_000, "nested too deeply"),
    (
        "nested deep in a value",
        lambda t: t.replace('"error": ""', f'"error": {"[" * 10}{"]" * 10}'),
        "nested too deeply",
    ),
    ("a key twice", lambda t: t.replace('"verdict":', '"verdict": "proved", "verdict":'), "'verdict' is given twice"),
    ("a key twice, inside", lambda t: t.replace('"k":', '"k": 1, "k":'), "'k' is given twice"),
    ("NaN", lambda t: t.replace('"cases": 45045', '"cases": NaN'), "'NaN' is not an integer; expected only integers"),
    ("infinity", lambda t: t.replace('"cases": 45045', '"cases": -Infinity'), "expected only integers"),
    ("a float", lambda t: t.replace('"cases": 45045', '"cases": 45045.0'), "'45045.0' is not an integer; expected"),
    ("a power of ten", lambda t: t.replace('"cases": 45045', '"cases": 1e999'), "'1e999' is not an integer; expected"),
    ("an integer of 5000 digits", lambda t: t.replace('"k": 3', f'"k": {"9" * 5000}'), "at most 40 digits"),
    ("a heap of 41 digits", lambda t: t.replace("[2, 2, 4]", f"[2, 2, {'9' * 41}]"), "at most 40 digits"),
    ("more than a mebibyte", lambda t: t + " " * (1 << 20), "too large; expected at most 1024 KiB"),
    ("a hundred thousand heaps", lambda t: t.replace("[2, 2, 4]", str([2] * 100_000)), "too many values"),
]
KEYS = [
    "format", "tool", "claim", "file", "digest", "asked", "verdict", "scope", "cases", "cases_with_hypotheses",
    "not_established", "error", "replay", "referee", "routes", "obligations", "trusted", "closed_form", "mutants",
    "seal",
]  # fmt: skip
EDITS: list[tuple[str, Edit, str]] = [
    ("format 1", put(1, "format"), "format 1; expected a receipt of format"),
    ("format true", put(True, "format"), "format True"),
    ("format as a text", put("2", "format"), "format '2'"),
    ("an unknown key", put(1, "note"), "the key 'note' is unknown; expected format, tool,"),
    ("a key that is misspelt", put("", "errror"), "the key 'errror' is unknown; expected format, "),
    ("a key that is misspelt, the nearest", put("", "errror"), "seal; did you mean 'error'?"),
    ("an unknown key of a route", put(1, "routes", 0, "note"), "routes[0]: the key 'note' is unknown"),
    ("an unknown key of a case", put(1, "replay", 0, "note"), "replay[0]: the key 'note' is unknown"),
    ("a route without an answer", drop("routes", 0, "answer"), "routes[0]: the key 'answer' is missing"),
    ("keys of what was asked in another order", turned("asked"), "asked: the keys are in the order second, steps"),
    ("another tool", put("other", "tool", "name"), "tool.name is 'other'; expected one of checks"),
    ("a verdict that is none", put("true", "verdict"), "verdict is 'true'; expected one of proved, verified"),
    ("the verdict error, which leaves no receipt", put("error", "verdict"), "verdict is 'error'; expected one of"),
    ("a verdict in capitals", put("PROVED", "verdict"), "verdict is 'PROVED'"),
    ("cases true", put(True, "cases"), "cases is True; expected an integer of at least 0"),
    ("cases below 0", put(-1, "cases"), "cases is -1; expected an integer of at least 0"),
    ("cases as a text", put("45045", "cases"), "cases is '45045'; expected an integer"),
    ("no step", put(0, "asked", "steps"), "asked.steps is 0; expected an integer of at least 1"),
    ("second as a number", put(0, "asked", "second"), "asked.second is 0; expected true or false"),
    ("a profile that is none", put("all", "asked", "profile"), "asked.profile is 'all'; expected one of quick, deep"),
    ("a bound that is a number", put(9, "scope", "k"), "scope.k is 9; expected a text"),
    ("an answer that is none", put("yes", "routes", 0, "answer"), "routes[0].answer is 'yes'; expected one of holds"),
    (
        "a bound that is a number",
        put(5, "routes", 0, "below"),
        "routes[0].below is 5; expected null, or a text of digits",
    ),
    ("an encoder that is none", put("the oracle", "routes", 0, "encoder"), "routes[0].encoder is 'the oracle'"),
    ("no route", put([], "routes"), "routes is []; expected a list of at least 1 element"),
    ("a judgement that is none", put("maybe", "replay", 0, "judgement"), "replay[0].judgement is 'maybe'"),
    ("a case of another kind", put("example", "replay", 0, "kind"), "replay[0].kind is 'example'"),
    ("a case without variables", put([], "replay", 0, "variables"), "replay[0].variables is []; expected an object"),
    ("the digest in capitals", put("A" * 64, "digest"), "expected a SHA-256: 64 hexadecimal digits"),
    ("half a seal", put("0" * 32, "seal"), "seal is '00000000000000000000000000000000'; expected a SHA-256"),
    ("trusted as a text", put("Z3", "trusted"), "trusted is 'Z3'; expected a list"),
    ("mutants as a number", put(7, "mutants"), "mutants is 7; expected null, or a list"),
    ("a mutant that is a text", put(["x"], "mutants"), "mutants[0] is 'x'; expected an object with the keys kind"),
    ("a closed form that is a list", put([], "closed_form"), "closed_form is []; expected null, or an object"),
    (
        "a closed form without its texts",
        put({"steps": [], "checks": []}, "closed_form"),
        "closed_form: the key 'variable' is missing; expected variable, ",
    ),
]


@pytest.mark.parametrize(("change", "words"), [pytest.param(f, w, id=n) for n, f, w in TEXTS])
@pytest.mark.slow
def test_a_file_that_is_no_receipt_is_refused(change: Callable[[str], str | bytes], words: str, tmp_path: Path) -> None:
    before = json.dumps(real("refuted"))
    text = change(before)
    assert text != before
    path = tmp_path / "x.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadReceipt) as caught:
        replay(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(("edit", "words"), [pytest.param(e, w, id=n) for n, e, w in EDITS])
def test_a_value_of_the_wrong_form_is_refused_by_name(edit: Edit, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadReceipt) as caught:
        replay(forged("refuted", edit, tmp_path / "x.json", False))
    assert words in str(caught.value)
    assert "expected" in str(caught.value)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("value", [None, True, 1.5, -7, "x\x1b[2J\ud800", [], [[]], {}, {"x": {}}], ids=repr)
def test_no_value_of_any_type_makes_a_receipt_believed_or_breaks_the_reader(
    key: str, value: Any, tmp_path: Path
) -> None:
    """For any value under a key, the answer is a rejection in plain characters."""
    if value == real("refuted")[key]:
        return  # this is the original value
    with pytest.raises((BadReceipt, Disagreement)) as caught:
        replay(forged("refuted", put(value, key), tmp_path / "x.json", False))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("key", KEYS)
def test_no_key_may_be_missing(key: str, tmp_path: Path) -> None:
    with pytest.raises(BadReceipt, match="expected"):
        replay(forged("refuted", drop(key), tmp_path / "x.json", False))


@pytest.mark.parametrize("name", [n for n, _, _ in EDITS if "order" not in n and n != "format true"])
def test_the_schema_refuses_what_the_reader_refuses(name: str) -> None:
    data = real("refuted")
    next(e for n, e, _ in EDITS if n == name)(data)
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(data)


def test_a_folder_and_a_name_that_no_file_can_have_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json", Path("a\0b"), Path("x" * 5000)):
        with pytest.raises(BadReceipt, match=r"cannot be read|not a regular file"):
            replay(path)
