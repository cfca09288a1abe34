"""The README and the first pages of the documentation are true: their commands print what the pages show."""

import json
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import ROOT, run_within
from library import Library
from transcripts import pattern, timeless

from checks.results.model import RunResult
from checks.results.verdicts import Verdict
from checks.results.wording import values_phrase
from claims.language.files.claim import Claim
from claims.language.files.library import list_library
from encoders.proving.reading import load_claim
from reports.markdown import to_summary
from reports.model.json_report import to_json

README = (ROOT / "README.md").read_text("utf-8")
PAGES = ("README.md", "docs/index.md", "docs/start.md", "docs/solve-and-play.md", "docs/performance.md")
RESULTS = (ROOT / "docs/results.md").read_text("utf-8")


class Transcript(NamedTuple):
    page: str
    command: str
    output: str


def read_files(page: str) -> dict[str, str]:
    """The files that a page shows."""
    text = (ROOT / page).read_text("utf-8")
    return dict(re.findall(r"^<!-- file: (\S+) -->\n```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


FILES = read_files("README.md")
TRANSCRIPTS = [
    Transcript(page, *found)
    for page in PAGES
    for found in re.findall(
        r"^```console\n\$ (.*?)\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
]


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda t: f"{t.page}: {t.command}")
@pytest.mark.slow
def test_a_command_prints_what_the_page_shows(transcript: Transcript, tmp_path: Path) -> None:
    for name, text in (FILES | read_files(transcript.page)).items():
        (tmp_path / name).write_text(text, "utf-8")
    program, *words = shlex.split(transcript.command)
    assert program == "checks"
    found = run_within(*words, cwd=tmp_path)
    assert found.stderr == ""
    assert re.fullmatch(pattern(transcript.output), timeless(found.stdout), re.DOTALL), found.stdout


def test_every_file_of_the_readme_is_run() -> None:
    assert len(FILES) == 2
    assert {t.page for t in TRANSCRIPTS} == set(PAGES)
    rulesets = {name for name, text in FILES.items() if "[[moves]]" in text}
    run = {word for t in TRANSCRIPTS if t.page == "README.md" for word in t.command.split() if word.endswith(".toml")}
    assert rulesets | run == set(FILES)
    assert rulesets and run


def papers() -> list[Claim]:
    """The claims of the four papers, without the classics and single heaps."""
    return [load_claim(e.path, e.id) for e in list_library() if not e.id.startswith(("classics/", "heaps/"))]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    """A folder with report.json and summary.md of a run of the library."""
    run = RunResult("", "quick", tuple(library(entry.id) for entry in list_library()))
    folder = tmp_path_factory.mktemp("written")
    for name, text in {"report.json": to_json(run), "summary.md": to_summary(run)}.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.slow
def test_every_statement_that_holds_is_proved(written: Path) -> None:
    assert "and all others are proved" in " ".join(README.split())
    verdicts = {c["id"]: c["verdict"] for c in json.loads((written / "report.json").read_text("utf-8"))["claims"]}
    assert {verdicts[c.id] for c in papers() if c.description.expect != "refuted"} == {Verdict.PROVED.value}


@pytest.mark.slow
def test_the_table_of_refutations_is_that_of_the_library(library: Library) -> None:
    table = re.search(r"<!-- table: refuted -->\n(.*?)<!-- end -->", RESULTS, re.DOTALL)
    assert table
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].strip().split("\n")[2:]]
    claims = papers()
    assert [row[0].strip("`") for row in rows] == [c.id for c in claims if c.description.expect == "refuted"]
    for c, row in zip((library(c.id) for c in claims if c.description.expect == "refuted"), rows, strict=True):
        assert c.verdict is Verdict.REFUTED
        assert c.finding.counterexample is not None
        assert row[1:3] == [c.statement.locator, values_phrase(c.finding.counterexample.variables)]


@pytest.mark.slow
def test_the_numbers_in_the_introduction_are_those_of_the_library() -> None:
    claims = papers()
    assert sum(bool(c.description.repairs) for c in claims) == 20
    for page in (README, RESULTS):
        text = " ".join(page.split())
        assert f"all {sum(not c.description.repairs for c in claims)} statements" in text
        assert re.search("Twenty corrections (say|state) what holds instead", text)
        assert f"{sum(c.description.expect == 'refuted' for c in claims)} of them are refuted" in text


def test_the_quickstart_has_two_commands_that_are_complete() -> None:
    section = re.search(r"^## Quickstart\n(.*?)^## ", README, re.MULTILINE | re.DOTALL)
    assert section
    first, second = re.findall(r"^```sh\n(.*?)\n```$", section[1], re.MULTILINE | re.DOTALL)
    for line, end in ((first, "&& python -m checks run"), (second, "pytest")):
        assert line.startswith("python3 -m venv ") and line.endswith(end) and "\n" not in line


@pytest.mark.slow
def test_the_sample_report_has_the_counts_of_the_library(written: Path) -> None:
    first, sample = (
        (folder / "summary.md").read_text("utf-8").split("\n")[0] for folder in (written, ROOT / "docs/sample-report")
    )
    assert sample == first
