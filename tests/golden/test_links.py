"""The targets of all links in the documentation exist: files, and anchors in them."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from commands import ROOT
from markdown_it import MarkdownIt

MARKDOWN = MarkdownIt("commonmark").enable("table")
FOLDERS = (
    ".",
    "benchmarks",
    "coq",
    "docs",
    "docs/decisions",
    "docs/families",
    "docs/rules",
    "docs/sample-report",
    "examples",
    "tests",
)
PAGES = sorted(page for folder in FOLDERS for page in (ROOT / folder).glob("*.md"))


class SiteLoader(yaml.SafeLoader):
    """A loader for mkdocs.yml that ignores tags with names of Python functions, as for slugs."""


SiteLoader.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: None)


def list_targets(text: str) -> Iterator[str]:
    """Yield the targets of links and pictures, except external ones."""
    for token in MARKDOWN.parse(text):
        for part in token.children or ():
            target = part.attrGet("href") or part.attrGet("src")
            if isinstance(target, str) and not re.match(r"[a-z]+:", target):
                yield target


def list_places(text: str) -> set[str]:
    """Return the names that GitHub gives to the headings of a page, and the anchors in the page."""
    met = Counter[str]()
    found = set(re.findall(r'<a id="([^"]*)"></a>', text))
    tokens = MARKDOWN.parse(text)
    for token, inside in zip(tokens, tokens[1:], strict=False):
        if token.type != "heading_open":
            continue
        words = "".join(part.content for part in inside.children or () if part.type in ("text", "code_inline"))
        name = re.sub(r"[^\w -]", "", words.lower()).replace(" ", "-")
        found.add(f"{name}-{met[name]}" if met[name] else name)
        met[name] += 1
    return found


@cache
def places_of(page: Path) -> set[str]:
    return list_places(page.read_text("utf-8"))


def find_dead(page: Path) -> list[str]:
    dead = []
    for target in list_targets(page.read_text("utf-8")):
        name, _, place = target.partition("#")
        path = (page.parent / unquote(name)).resolve() if name else page
        there = path.exists() and (not place or path.suffix != ".md" or {place, unquote(place)} & places_of(path))
        if not there:
            dead.append(target)
    return dead


@pytest.mark.parametrize("page", PAGES)
def test_no_link_is_dead(page: Path) -> None:
    assert find_dead(page) == []


def test_a_dead_link_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A `b` heading, twice\n\n# A b heading twice\n", "utf-8")
    text = (
        "![](no.png) [a](other.md#a-b-heading-twice) [b](other.md#a-b-heading-twice-1) [c](other.md#c) [d](none.md)\n"
    )
    (tmp_path / "page.md").write_text(
        f'{text} [e](#here) [f](#there) [g](https://elsewhere/)\n\n<a id="here"></a>\n', "utf-8"
    )
    assert find_dead(tmp_path / "page.md") == ["no.png", "other.md#c", "none.md", "#there"]


def test_the_index_of_decisions_lists_every_record_with_its_title() -> None:
    folder = ROOT / "docs" / "decisions"
    titles = {page.name: page.read_text("utf-8").splitlines()[0] for page in folder.glob("0*.md")}
    rows = re.findall(
        r"^\| (\d+) \| [\d-]+ \| \[(.*?)\]\((\d{4}-[\w-]*\.md)\) \|",
        (folder / "index.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert {name: f"# {number}. {title}" for number, title, name in rows} == titles
    assert all(int(name[:4]) == int(number) for number, _, name in rows)


def test_the_page_of_incidents_names_tests_that_exist() -> None:
    named = re.findall(
        r"`((?:tests|encoders|checks)/[\w/.]+)`", (ROOT / "docs/soundness-incidents.md").read_text("utf-8")
    )
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


# -- other uses of the pages ------------------------------------------------------------------------------------------
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_the_page_of_a_package_index_links_to_nothing_that_is_not_there() -> None:
    """The hook of the build makes the page from the same table: no link into the repository and no comment remains."""
    hook = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    text = "".join(x["text"] if "text" in x else (ROOT / x["path"]).read_text("utf-8") for x in hook["fragments"])
    assert list(list_targets(text))
    for change in hook["substitutions"]:
        text = re.sub(change["pattern"], change["replacement"], text)
    assert [target for target in list_targets(text) if not target.startswith("#")] == []
    assert "<!--" not in text
    assert "<picture" not in text and "*Picture: The report on Lemma 11" in text
    assert "`docs/claim-language.md`" in text, "the name of a page stays"
    assert "claim-language.md (`docs/claim-language.md`)" not in text, "and appears once"


def test_the_citation_is_of_this_project() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = PROJECT["project"]
    assert {key: cited[key] for key in ("cff-version", "title", "license", "type")} == {
        "cff-version": "1.2.0",
        "title": project["name"],
        "license": project["license"],
        "type": "software",
    }
    assert [author["name"] for author in cited["authors"]] == [author["name"] for author in project["authors"]]
    assert cited["message"]
    released = re.search(r"^## \[\d", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert released or "version" not in cited, "no version has been released"
    assert set(cited["keywords"]) <= set(project["keywords"])


def test_pages_name_no_release_and_no_extra_that_there_is_not() -> None:
    extras = set(PROJECT["project"]["optional-dependencies"])
    pages = (ROOT / name for name in (".github", "docs", "benchmarks", ".ci"))
    files = [p for folder in pages for p in folder.rglob("*") if p.suffix in (".md", ".yml", ".toml", "")]
    files += [*ROOT.glob("*.md"), *ROOT.glob("*.yml"), *ROOT.glob(".*.yaml"), ROOT / "CITATION.cff"]
    told = []
    for path in (p for p in files if p.is_file() and "decisions" not in p.relative_to(ROOT).parts):
        text = path.read_text("utf-8")
        told += re.findall(r"\.\[(\w+)\]'", text)
        assert not re.search(r"nim-checks(@|==|>=)v?\d|(?<!/)nim-checks\[|rev: v\d|nim-checks/nim-checks", text), path
    assert {"dev", "docs", "mcp"} <= set(told) <= extras
    table = (ROOT / "docs/start.md").read_text("utf-8").partition("| extra | for |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == extras


def list_pages(part: object) -> Iterator[str]:
    """The pages in a part of the navigation, without the titles of its sections."""
    if isinstance(part, str):
        yield part
    else:
        for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            yield from list_pages(inner)


def test_the_site_has_every_page_in_its_navigation() -> None:
    site = yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), Loader=SiteLoader)
    pages = [page for page in (ROOT / "docs").rglob("*.md") if "decisions" not in page.relative_to(ROOT).parts]
    assert sorted(list_pages(site["nav"])) == sorted(str(page.relative_to(ROOT / "docs")) for page in pages)
    assert site["theme"]["font"] is False, "nothing is fetched from elsewhere"


@pytest.mark.parametrize("name", ["refuted-theorem", "wrong-verdict", "game"])
def test_a_template_for_issues_is_a_form(name: str) -> None:
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml").read_text("utf-8"))
    assert set(form) >= {"name", "description", "body"}
    ids = [part["id"] for part in form["body"] if part["type"] != "markdown"]
    assert len(ids) == len(set(ids))
    assert all(part["type"] in {"markdown", "input", "textarea"} for part in form["body"])
    assert any(part.get("validations", {}).get("required") for part in form["body"])
