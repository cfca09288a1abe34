"""The schemas that editors use: made from the readers' tables, true of every file that can be read."""

import json
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import jsonschema
import pytest
from selection import in_tables

from claims.language.library.schemas import make_schemas, name_schema
from claims.language.library.works import LIBRARY
from encoders.proving.reading import find_faults
from encoders.proving.registry import RULES

ROOT = Path(__file__).parents[4]
BAD = ROOT / "tests/golden/bad"
SCHEMAS = make_schemas(RULES)
VALIDATORS = {name: jsonschema.Draft7Validator(schema) for name, schema in SCHEMAS.items()}


def list_errors(name: str, data: object) -> Iterator[object]:
    is_ruleset = isinstance(data, dict) and "moves" in data
    return iter(VALIDATORS[name_schema(name, is_ruleset)].iter_errors(data))


@in_tables("name", SCHEMAS)
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


def test_of_what_check_refuses_a_schema_refuses_what_it_can(golden: Callable[[str, str], None]) -> None:
    """Every malformed file of tests/golden/bad is refused by `check`; the list tells which ones by a schema too."""
    refused = []
    for path in sorted(BAD.rglob("*.toml")):
        try:
            data = tomllib.loads(path.read_bytes().decode())
        except (ValueError, RecursionError):
            continue  # no TOML: no schema is asked
        if any(list_errors(path.name, data)):
            refused.append(path.relative_to(BAD).as_posix())
    assert len(refused) >= 60
    golden("schemas/refused.txt", "\n".join(refused) + "\n")


def test_a_file_that_a_schema_refuses_cannot_be_read() -> None:
    """So an editor marks nothing that is right."""
    for name in (ROOT / "tests/golden/schemas/refused.txt").read_text("utf-8").split():
        path = BAD / name
        if not path.name.startswith(("definitions", "works")) and path.parent.name != "rulesets":
            assert find_faults(path, name), name
