"""The smoke tests are tests that there are, and some of every room."""

from house import ROOT
from selection import SMOKE

TESTS = ROOT / "tests"


def test_each_entry_begins_the_name_of_some_test() -> None:
    for entry in SMOKE:
        file, _, test = entry.partition("::")
        found = sorted(TESTS.glob(f"{file}**/*.py" if file.endswith("/") else file.removesuffix(".py") + "*.py"))
        assert found, entry
        assert not test or any(f"def {test.partition('[')[0]}" in path.read_text("utf-8") for path in found), entry


def test_every_room_with_tests_takes_part() -> None:
    folders = {path.parent.relative_to(TESTS).parts for path in TESTS.rglob("test_*.py")}
    rooms = {"/".join(parts[:2] if parts[0] == "unit" else parts[:1]) for parts in folders}
    assert {room for room in rooms if not any(entry.startswith(f"{room}/") for entry in SMOKE)} == set()
