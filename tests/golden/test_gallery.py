"""The pages of the gallery show the titles, statements, pictures and verdicts of the examples.

An entry begins with a line `<!-- example: NAME VALUES -->`. NAME is the name of an example. VALUES is a JSON object,
the value of each variable in a case. The picture shows the first position in this case. Without VALUES, there is no
picture. The rest of an entry is generated: `pytest tests/golden/test_gallery.py --renew-golden` settles the examples,
and writes the entries and the pictures.
"""

import json
import re
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import ROOT

from checks.boards.positions import draw_heaps, find_positions
from checks.command.examples import find_folder, list_examples
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.referee.judge import Referee
from checks.results.shown import DrawnAs, HeapDrawing
from checks.results.wording import verdict_phrase
from claims.language.files.claim import Claim
from encoders.proving.reading import load_claim
from reports.page.heaps import draw_alone

PAGES = [ROOT / "docs" / name for name in ("gallery.md", "gallery-of-boards.md")]
PICTURES = ROOT / "docs" / "pictures" / "gallery"
STEPS = 200_000  # of the referee for the values in one case
HEAPS = HeapDrawing(DrawnAs.STACKS, ("size",), (0,))
ENTRY = re.compile(r"^<!-- example: (\S+)(?: (\{.*\}))? -->\n((?:(?!<!-- |## ).*\n)*)", re.MULTILINE)
VERDICT = re.compile(r"^\*(\w+)\*([^*]*):\s+\[", re.MULTILINE)
ALLOWED = {"holds": {"proved", "verified"}, "proved": {"proved"}, "refuted": {"refuted"}}


class GalleryEntry(NamedTuple):
    """An entry of the page. `values` is "" if it has no picture. `text` is what follows the line with the name."""

    name: str
    values: str
    text: str


ENTRIES = [GalleryEntry(*found) for page in PAGES for found in ENTRY.findall(page.read_text("utf-8"))]
each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)


@cache
def load(name: str) -> Claim:
    example = list_examples()[name][0]
    return load_claim(example.path, name)


def freeze(value: object) -> object:
    return tuple(map(freeze, value)) if isinstance(value, list) else value


def draw(entry: GalleryEntry) -> str:
    """The text of the SVG file with the first position in the case."""
    values = {name: freeze(value) for name, value in json.loads(entry.values).items()}
    _, game, position = find_positions(Referee(load(entry.name), STEPS), values)[0]
    drawing = draw_heaps(game)
    text = draw_alone(drawing or HEAPS, position if drawing else tuple((h,) for h in position))
    assert "<svg" in text, "the position is too large for a picture"
    return text


def show(entry: GalleryEntry, verdict: str) -> str:
    """The text of an entry, with this verdict."""
    claim = load(entry.name)
    about = claim.description
    games = {game.ruleset.title: game.ruleset for game in claim.games}.values()
    own = [ruleset for ruleset in games if "examples" in Path(ruleset.source.name).parts]
    rules = [f"*{ruleset.title}.* {' '.join(ruleset.notes.split())}" for ruleset in own]
    statement = [] if about.statement.rstrip(".") == about.title else [about.statement]
    file = list_examples()[entry.name][0].path.relative_to(find_folder()).as_posix()
    paragraphs = [f"### {about.title}"]
    if entry.values:
        (alternative,) = re.findall('aria-label="(.*?)"', draw(entry))
        paragraphs.append(f"![{re.sub(r'[][]', '', alternative)}](pictures/gallery/{entry.name}.svg)")
    ending = re.sub(r"^\w+", r"*\g<0>*", verdict)
    paragraphs.append(" ".join(rules + statement))
    paragraphs.append(f"{ending}: [{entry.name}](../examples/{file}), `checks new --from {entry.name}`")
    return "\n".join(f"{fill(paragraph)}\n" for paragraph in paragraphs if paragraph) + "\n"


def fill(paragraph: str) -> str:
    if paragraph.startswith(("#", "!")):
        return paragraph
    tied = re.sub(r"`.*?`|\]\(.*?\)", lambda match: match[0].replace(" ", "\0"), paragraph)
    return textwrap.fill(tied, 120, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def find_verdict(entry: GalleryEntry) -> str:
    (found,) = VERDICT.findall(entry.text)
    return " ".join("".join(found).split())


def settle(entry: GalleryEntry) -> str:
    return verdict_phrase(settle_entry(list_examples()[entry.name][0], Options()))


def renew(page: Path, verdicts: Callable[[GalleryEntry], str]) -> str:
    """The page with generated entries."""

    def write(match: re.Match[str]) -> str:
        entry = GalleryEntry(*match.groups(""))
        return f"{match[0].partition('-->')[0]}-->\n{show(entry, verdicts(entry))}"

    return ENTRY.sub(write, page.read_text("utf-8")).rstrip("\n") + "\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_the_examples(page: Path, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--renew-golden"):
        page.write_text(renew(page, settle), "utf-8", newline="\n")
        return
    assert renew(page, find_verdict) == page.read_text("utf-8"), f"{page.name} differs: run pytest --renew-golden"


def test_no_example_is_shown_twice() -> None:
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES) > 25


@each_entry
def test_a_verdict_is_one_that_the_example_expects(entry: GalleryEntry) -> None:
    assert find_verdict(entry).split()[0] in ALLOWED[load(entry.name).description.expect]


@each_entry
@pytest.mark.slow
def test_a_verdict_is_the_result_of_a_run(entry: GalleryEntry) -> None:
    assert settle(entry) == find_verdict(entry)


def test_the_pictures_are_drawn_by_the_program(request: pytest.FixtureRequest) -> None:
    drawn = {f"{entry.name}.svg": draw(entry) for entry in ENTRIES if entry.values}
    if request.config.getoption("--renew-golden"):
        for path in PICTURES.iterdir():
            path.unlink()
        for name, text in drawn.items():
            (PICTURES / name).write_text(text, "utf-8", newline="\n")
    assert {path.name: path.read_text("utf-8") for path in PICTURES.iterdir()} == drawn
    assert all("prefers-color-scheme:dark" in text and len(text) < 20_000 for text in drawn.values())
