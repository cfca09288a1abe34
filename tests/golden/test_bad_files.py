"""Every way in which a claim or ruleset file can be refused, with the exact text that a person reads.

A malformed file in bad/ has its text beside it. To add one: write the file, run `pytest --renew-golden`, read the text.
"""

from pathlib import Path

import pytest
from selection import in_tables

from checks.command.checking.reading import list_faults
from claims.language.ground.errors import ClaimError
from claims.language.statement.rulesets import load_ruleset
from encoders.proving.reading import find_faults, load_claim

BAD = Path(__file__).parent / "bad"
NOT_ALONE = (
    "definitions.toml",
    "ends/rulesets/liked.toml",
    "ends/rulesets/named.toml",
    "parts/rulesets/steps.toml",
    "parts/rulesets/taken.toml",
    "players-disagree/rulesets/swapped.toml",
)  # files that others of the folder use
FILES = sorted(
    name for name in (p.relative_to(BAD).as_posix() for p in BAD.rglob("*.toml")) if not name.endswith(NOT_ALONE)
)


def refusal(name):
    load = load_ruleset if name.startswith("rulesets/") else lambda path: load_claim(path, "test")
    with pytest.raises(ClaimError) as caught:
        load(Path(name))
    return caught.value


@in_tables("name", FILES)
def test_the_text_of_a_refusal(name, golden, monkeypatch):
    monkeypatch.chdir(BAD)
    golden(f"bad/{name.removesuffix('.toml')}.txt", f"{refusal(name)}\n")


@in_tables("name", FILES)
def test_the_fault_that_is_raised_is_among_all_of_the_file(name, monkeypatch):
    monkeypatch.chdir(BAD)
    raised = refusal(name)
    found = list_faults(Path(name)) if name.startswith("rulesets/") else find_faults(Path(name), "test")
    assert (raised.place, raised.message) in [(x.place, x.message) for x in found]


def test_every_golden_text_has_its_file():
    texts = {p.relative_to(BAD).with_suffix(".toml").as_posix() for p in BAD.rglob("*.txt")}
    assert texts == set(FILES)


def test_the_marked_text_stands_at_the_place(monkeypatch):
    """Line, column and width, which editors jump to, agree with the file."""
    monkeypatch.chdir(BAD)
    for name in FILES:
        place = refusal(name).place
        if place.line and place.file.endswith(name):
            line = Path(name).read_bytes().decode("utf-8", "replace").split("\n")[place.line - 1]
            assert line == place.text
            assert 1 <= place.column <= len(line) + 1, name
