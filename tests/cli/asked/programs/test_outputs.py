"""The output of --json follows outputs.schema.json, which is made from the types of the data."""

import json
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import jsonschema
import pytest
from claim_texts import HEAD
from commands import ROOT, run_within

from checks.command.outputs import make_output_schema
from checks.results.model import Fault

SCHEMA = make_output_schema()
DEPRECATED = {
    old: f"deprecated: `checks {old}` will be removed in version 1.0; use `checks {new}`\n"
    for old, new in (("list", "show"), ("certify", "verify"))
}
REPORT = json.loads((Path(__file__).parents[4] / "reports/report.schema.json").read_text("utf-8"))
FALSE = (
    HEAD
    + """ruleset = "nim"

[forall]
s = "position"

[claim]
then = "iff(wins(s), sum(s) % 2 == 1)"

[scope]
s = { heaps = "0..3", size = "1..4" }
"""
)


def validate(command: str, data: object) -> None:
    jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{command}"}).validate(data)


def test_the_schema_that_is_shipped_is_made_from_the_types(golden: Callable[[str, str], None]) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    golden("../../reports/outputs.schema.json", json.dumps(SCHEMA, indent=2, ensure_ascii=False) + "\n")


@pytest.mark.parametrize(
    "words",
    [
        ("check", "nim/bouton"),
        ("solve", "kl-nim", "(2, 2, 4)", "--set", "k=3", "--set", "l=4"),
        ("solve", "subtraction", "(5)", "--set", "S={1, 3}"),
        ("solve", "wythoff", "--table", "0..4", "--heaps", "2"),
        ("list", "nim", "kl-nim/lemma-11"),
        ("show", "nim"),
        ("show", "nim/bouton"),
        ("show", "kl-nim/lemma-11"),
        ("explain", "nim/bouton"),
        ("explain", "kl-nim/lemma-11", "--set", "k=3", "--set", "l=4", "--set", "s=(2, 2, 4)"),
        ("coq", "--list", "nim/bouton"),
        ("coq", "nim/bouton"),
    ],
)
def test_what_is_printed_fits_it(words: tuple[str, ...]) -> None:
    done = run_within(*words, "--json")
    assert (done.returncode, done.stderr) == (0, DEPRECATED["list"] if words[0] == "list" else "")
    validate(words[0], json.loads(done.stdout))


def test_a_run_prints_its_report_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(FALSE.encode())))
    done = run_within("run", "-", "--json", "--report", "out", "--no-cache", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    data = json.loads(done.stdout)
    jsonschema.Draft202012Validator(REPORT).validate(data)
    assert done.stdout == (tmp_path / "out/report.json").read_text("utf-8")
    assert data["claims"][0]["verdict"] == "refuted"


@pytest.mark.slow
def test_a_claim_on_standard_input_is_never_taken_for_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its ruleset is the library's, whatever files are in the folder, and a result of another claim is not reused."""
    monkeypatch.setenv("CHECKS_CACHE", str(tmp_path / "cache"))
    rules = (ROOT / "claims/rulesets/nim.toml").read_text("utf-8").replace('"1..h"', '"1..min(h, 1)"')
    (tmp_path / "nim.toml").write_text(rules, "utf-8")
    (tmp_path / "stdin.toml").write_text(FALSE, "utf-8")
    done = run_within("run", "stdin.toml", "--no-report", "--json", cwd=tmp_path)
    assert [x["verdict"] for x in json.loads(done.stdout)["claims"]] == ["verified"]
    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(FALSE.encode())))
        done = run_within("run", "-", "--no-report", "--json", cwd=tmp_path)
        (claim,) = json.loads(done.stdout)["claims"]
        assert (claim["id"], claim["file"], claim["verdict"]) == ("stdin", "stdin.toml", "refuted")
    done = run_within("run", "stdin.toml", "--no-report", "--json", cwd=tmp_path)
    assert [x["verdict"] for x in json.loads(done.stdout)["claims"]] == ["verified"]


def test_certificates_of_no_run_are_none_as_data(tmp_path: Path) -> None:
    for command in ("verify", "certify"):
        done = run_within(command, "--json", "--report", "out", cwd=tmp_path)
        assert done.returncode == 2
        validate(command, json.loads(done.stdout))


@pytest.mark.slow
def test_theorems_of_coq_as_data(tmp_path: Path) -> None:
    (tmp_path / "false.toml").write_text(FALSE, "utf-8")
    text = run_within("coq", "nim/bouton", cwd=tmp_path).stdout
    for words, code, expected in (
        (["nim/bouton"], 0, [("nim/bouton", True, "", text)]),
        (["nim/bouton", "false.toml"], 2, [("nim/bouton", True, "", text), ("false", False, "", "")]),
        (["nim/bouton", "--out", "b.v"], 0, [("nim/bouton", True, "b.v", "")]),
        (["nim/bouton", "false.toml", "--all", "--out", "a"], 0, [("nim/bouton", True, "a/nim/bouton.v", "")]),
    ):
        done = run_within("coq", *words, "--json", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (code, "")
        data = json.loads(done.stdout)
        validate("coq", data)
        assert [(x["id"], x["generated"], x["file"], x["text"]) for x in data["claims"]] == expected
        assert all(bool(x["missing"]) != x["generated"] for x in data["claims"])
    assert (tmp_path / "b.v").read_text("utf-8") == (tmp_path / "a/nim/bouton.v").read_text("utf-8") == text


def test_one_file_is_not_written_for_two_theorems(tmp_path: Path) -> None:
    done = run_within("coq", "nim/*", "--out", "b.v", cwd=tmp_path)
    assert (done.returncode, done.stdout, (tmp_path / "b.v").exists()) == (2, "", False)
    assert "--out b.v names one file" in done.stderr


@pytest.mark.slow
def test_certificates_of_a_run_as_data(tmp_path: Path) -> None:
    run_within("run", "nim/bouton", "--report", "out", "--no-cache", cwd=tmp_path)
    for command, told in (("verify", ""), ("certify", DEPRECATED["certify"])):
        done = run_within(command, "--json", "--report", "out", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, told)
        data = json.loads(done.stdout)
        validate(command, data)
        assert [(x["claim"], x["certified"] > 0) for x in data["claims"]] == [("nim/bouton", True)]
        assert (data["certified"], data["refused"]) == (data["claims"][0]["certified"], 0)


def test_a_wrong_word_prints_no_json(tmp_path: Path) -> None:
    done = run_within("run", "nothing/here", "--json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such claim" in done.stderr


def test_a_fault_of_a_report_is_one_of_check() -> None:
    ours = SCHEMA["$defs"]["check"]["properties"]["faults"]["items"]
    theirs = REPORT["properties"]["claims"]["items"]["properties"]["faults"]["items"]
    assert ours == theirs
    assert list(ours["properties"]) == ours["required"] == list(Fault.__dataclass_fields__)
