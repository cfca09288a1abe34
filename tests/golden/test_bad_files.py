"""The exact message for each malformed claim or ruleset file.

The cases are in bad/, one file for each topic. To add a case, write its input and a line '----- expected', run
`pytest --renew-golden`, and read the text.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from case_files import check_cases, write_inputs

from checks.command.files import list_faults
from claims.language.errors import ClaimError
from claims.language.files.rulesets import load_ruleset
from encoders.proving.reading import find_faults, load_claim

TOPICS = sorted((Path(__file__).parent / "bad").glob("*.txt"))
each_topic = pytest.mark.parametrize("topic", TOPICS, ids=lambda path: path.stem)


def refusal(path: Path) -> ClaimError:
    with pytest.raises(ClaimError) as caught:
        load_ruleset(path) if path.parent.name == "rulesets" else load_claim(path, "test")
    return caught.value


def refuse_each(topic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, ClaimError]]:
    """Yield each case's file, relative to the current folder, with the error that it raises."""
    below = "rulesets" if topic.stem == "rulesets" else ""
    for case, folder in write_inputs(topic, tmp_path / below):
        monkeypatch.chdir(folder)
        path = Path(next(iter(case.files)))
        if below:
            (folder / below).mkdir(exist_ok=True)
            path = path.rename(Path(below) / path)
        yield path, refusal(path)


@each_topic
def test_the_text_of_a_refusal(
    topic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    found = [f"{error}\n" for _, error in refuse_each(topic, tmp_path, monkeypatch)]
    check_cases(topic, found, request.config.getoption("--renew-golden"))


@each_topic
def test_checks_check_lists_the_fault_and_its_place(
    topic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Editors jump to line, column and width, so these must agree with the file."""
    for path, raised in refuse_each(topic, tmp_path, monkeypatch):
        found = list_faults(path) if topic.stem == "rulesets" else find_faults(path, "test")
        assert (raised.place, raised.message) in [(x.place, x.message) for x in found], path
        place = raised.place
        if place.line and Path(place.file) == path:
            line = path.read_text("utf-8").split("\n")[place.line - 1]
            assert line == place.text, path
            assert 1 <= place.column <= len(line) + 1, path


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_file_that_is_not_utf_8_is_refused(encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("claim.toml").write_bytes('title = "Misère"\n'.encode(encoding))
    assert "UTF-8" in str(refusal(Path("claim.toml")))
