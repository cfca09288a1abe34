"""The schemas for editors: generated from the readers' tables, and valid for every file that can be loaded."""

import json
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import jsonschema
import pytest
from case_files import read_cases

from claims.language.files.library import LIBRARY
from claims.language.files.schemas import make_schemas, name_schema
from encoders.proving.reading import find_faults
from encoders.proving.registry import RULES

ROOT = Path(__file__).parents[4]
BAD = ROOT / "tests/golden/bad"
SCHEMAS = make_schemas(RULES)
VALIDATORS = {name: jsonschema.Draft7Validator(schema) for name, schema in SCHEMAS.items()}


def list_errors(name: str, data: object) -> Iterator[object]:
    is_ruleset = isinstance(data, dict) and "moves" in data
    return iter(VALIDATORS[name_schema(name, is_ruleset)].iter_errors(data))


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_shipped_is_what_the_readers_say(name: str, golden: Callable[[str, str], None]) -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMAS[name])
    golden(f"../../claims/schemas/{name}", json.dumps(SCHEMAS[name], indent=2, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("folder", [LIBRARY, ROOT / "examples", ROOT / "tests/premises"], ids=lambda x: x.name)
def test_every_file_that_can_be_read_fits_its_schema(folder: Path) -> None:
    for path in sorted(folder.rglob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        if folder == LIBRARY or {"claim", "moves"} & set(data):
            assert [str(x) for x in list_errors(path.name, data)] == [], path


def test_taplo_is_told_the_schema_of_each_file() -> None:
    rules = tomllib.loads((ROOT / ".taplo.toml").read_text("utf-8"))["rule"]
    for path in sorted([*ROOT.glob("claims/**/*.toml"), *ROOT.glob("examples/**/*.toml")]):
        name = path.relative_to(ROOT).as_posix()
        told = [
            rule["schema"]["path"]
            for rule in rules
            if any(fnmatch(name, x) for x in rule["include"])
            and not any(fnmatch(name, x) for x in rule.get("exclude", ()))
        ]
        schema = name_schema(path.name, "moves" in tomllib.loads(path.read_text("utf-8")))
        assert told == [f"claims/schemas/{schema}"], name


def list_malformed() -> Iterator[tuple[str, str, str]]:
    """Yield each malformed file of tests/golden/bad: the name of the case, the name of the file, its text."""
    for topic in sorted(BAD.glob("*.txt")):
        for case in read_cases(topic)[1]:
            for name, text in case.files.items():
                yield f"{topic.stem}/{case.name}: {name}", name, text


@pytest.mark.slow
def test_a_schema_refuses_some_malformed_files_and_no_others(golden: Callable[[str, str], None]) -> None:
    refused = []
    for case, name, text in list_malformed():
        try:
            data = tomllib.loads(text)
        except (ValueError, RecursionError):
            continue  # not TOML, so no schema applies
        if any(list_errors(name, data)):
            refused.append(case)
    assert len(refused) >= 60
    golden("schemas/refused.txt", "\n".join(refused) + "\n")


def test_an_editor_marks_no_file_that_can_be_read(tmp_path: Path) -> None:
    refused = (ROOT / "tests/golden/schemas/refused.txt").read_text("utf-8").splitlines()
    for case, name, text in list_malformed():
        if case in refused and not name.startswith(("definitions", "works")) and "moves" not in tomllib.loads(text):
            (tmp_path / "claim.toml").write_text(text, "utf-8")
            assert find_faults(tmp_path / "claim.toml", "claim"), case
