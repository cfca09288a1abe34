"""Text from a stranger's claim file reaches the reader as text, in HTML and in Markdown."""

import base64
import hashlib
import re
from collections import Counter
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from samples import HIDDEN, HOSTILE, NASTY, RUN, alter

from checks.results.verdicts import Verdict
from claims.language.errors import escape_invisible
from reports.html import make_pages
from reports.html import to_html as to_index
from reports.html import to_plain as to_html
from reports.markdown import block, code, code_cell, escape, escape_html, to_markdown, to_summary

VOID = {"meta", "input", "br", "link", "img"}


class Page(HTMLParser):
    """The tags in order, the attributes, the text, and whether every element is closed at the right place."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text, self.open, self.scripts = [], [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *a) for a in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag in VOID or self.open.pop() == tag

    def handle_data(self, data):
        (self.scripts if self.open and self.open[-1] in ("script", "style") else self.text).append(data)


def tamed(value):
    """Return the result with a harmless word for every hostile text."""
    if isinstance(value, str):
        return value.replace(HOSTILE, "word").replace(HIDDEN, "word")
    if isinstance(value, tuple):
        return tuple(tamed(v) for v in value)
    if is_dataclass(value):
        return replace(value, **{f.name: tamed(getattr(value, f.name)) for f in fields(value)})
    return value


NASTY_RUN = replace(RUN, claims=(NASTY,), command=HOSTILE, overrides=((HOSTILE, HOSTILE),), version=HOSTILE)


@pytest.mark.parametrize(
    "claim", [alter(NASTY, short="short"), alter(NASTY, short=HOSTILE, uses=())], ids=["in a map", "alone"]
)
def test_hostile_text_adds_no_element_and_no_attribute(claim):
    """Another test covers hostile names in a map, where names are shortened and wrapped."""
    run = replace(NASTY_RUN, claims=(claim,))
    hostile, tame = Page(to_html(run)), Page(to_html(tamed(run)))
    assert hostile.tags == tame.tags
    assert [(tag, name) for tag, name, _ in hostile.attributes] == [(tag, name) for tag, name, _ in tame.attributes]
    assert hostile.scripts == tame.scripts
    assert words(hostile) == words(tame)


def words(page):
    """Return the text with a harmless word for every hostile one, without the quotes for the shell."""
    text = (
        "".join(page.text).replace("""'"'"'""", "'").replace(HOSTILE, "word").replace(escape_invisible(HIDDEN), "word")
    )
    text = text.replace(f"{HOSTILE[:27]}…", "word")  # the room in a node of the map
    return text.replace("'", "").lower()  # a sentence begins with a capital letter


def test_every_text_is_shown_as_it_was_written():
    text = "".join(Page(to_html(NASTY_RUN)).text)
    assert HOSTILE in text
    assert HIDDEN not in text
    assert escape_invisible(HIDDEN) == "a\\u202eb\\u0007c"
    assert escape_invisible(HIDDEN) in text


def test_the_page_runs_its_own_script_and_no_other():
    page = to_html(NASTY_RUN)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    allowed = "sha256-" + base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    policy = next(
        value for tag, name, value in Page(page).attributes if tag == "meta" and "script-src" in (value or "")
    )
    assert f"script-src '{allowed}'" in policy
    assert "default-src 'none'" in policy


def test_the_page_loads_nothing():
    for page in (to_html(RUN), to_html(NASTY_RUN), to_index(RUN), to_index(NASTY_RUN)):
        parsed = Page(page)
        assert not {"link", "img", "iframe", "object", "embed"} & set(parsed.tags)
        assert not [a for a in parsed.attributes if a[1] == "src" or a[1].startswith("on")]
        assert all(
            value.startswith(("#", "claims/", "plain.html")) for _, name, value in parsed.attributes if name == "href"
        )
        assert not re.search(r"@import|url\((?!data:font/woff2;base64,)", "".join(parsed.scripts))


def test_the_page_of_a_hostile_claim_is_as_that_of_a_tame_one():
    hostile, tame = (dict(make_pages(run)) for run in (NASTY_RUN, tamed(NASTY_RUN)))
    (bad,), (good,) = (
        [text for name, text in pages.items() if name.startswith("claims/")] for pages in (hostile, tame)
    )
    assert Page(bad).tags == Page(good).tags
    key = re.compile("@misc.*")  # only the letters of the id
    assert key.sub("", words(Page(bad))) == key.sub("", words(Page(good)))
    assert re.search(r"@misc{nim-checks-[A-Za-z0-9-]+,", bad)
    assert all(re.fullmatch(r"claims/_outside/[0-9a-f]{32}\.html|index\.html|plain\.html", name) for name in hostile)


def test_a_placeholder_in_a_text_is_not_filled_in():
    assert "{{ 7 * 7 }}" in to_html(NASTY_RUN)


def rendered(markdown):
    """Return the text and the tags that a reader of the Markdown sees."""
    page = Page(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown))
    return "".join(page.text), page.tags


PLAIN = st.text(
    st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" *_`[]()<>|&#;~\\!$-+=.:1ax"), max_size=40
)


@given(PLAIN)
@pytest.mark.slow
def test_escaped_text_reads_as_it_was_written(text):
    for frame in ("{}", "- {}", "## {}", "> {}", "**x** {}"):
        shown, tags = rendered(frame.format(escape(f"{text}x")) + "\n\nend")
        expected, twin = rendered(frame.format("x") + "\n\nend")
        before, _, after = expected.rpartition("x")
        assert shown == before + " ".join(f"{text}x".split()) + after
        assert tags == twin


@given(PLAIN)
@pytest.mark.slow
def test_text_in_a_table_stays_in_its_cell(text):
    for shape in (escape, code_cell):
        shown, tags = rendered(f"| a | b |\n| --- | --- |\n| {shape(text + 'x')} | end |\n")
        assert Counter(tags)["td"] == 2
        assert set(tags) <= {"table", "thead", "tbody", "tr", "th", "td", "code"}
        assert " ".join(f"{text}x".split()) in shown


@given(PLAIN)
def test_code_reads_as_it_was_written(text):
    shown, tags = rendered(f"a {code(text + 'x')} b")
    assert shown == f"a {' '.join((text + 'x').split())} b\n"
    assert tags == ["p", "code"]


@given(st.lists(PLAIN, min_size=1, max_size=4))
@pytest.mark.slow
def test_a_block_ends_where_we_end_it(lines):
    shown, tags = rendered(block("x\n" + "\n".join(lines) + "\nx") + "\n\nend")
    assert tags == ["pre", "code", "p"]
    assert shown == "x\n" + "\n".join(lines) + "\nx\n\nend\n"


@pytest.mark.parametrize("render", [to_markdown, to_summary])
@pytest.mark.parametrize("verdict", [Verdict.REFUTED, Verdict.VERIFIED, Verdict.ERROR])
def test_hostile_text_adds_nothing_to_the_markdown(render, verdict):
    run = replace(NASTY_RUN, claims=(replace(NASTY, verdict=verdict),), command=HOSTILE * 5)
    _, hostile = rendered(render(run))
    _, tame = rendered(render(tamed(run)))
    # a text with "|" is not shown as code in a table
    assert [t for t in hostile if t != "code"] == [t for t in tame if t != "code"]


@given(PLAIN)
def test_text_in_html_reads_as_it_was_written(text):
    shown, tags = rendered(f"<details><summary><b>{escape_html(text + 'x')}</b></summary>\n\nend\n\n</details>")
    assert shown.strip().partition("\n")[0] == " ".join(f"{text}x".split())
    assert tags == ["details", "summary", "b", "p"]


def test_nobody_is_called():
    for text in (escape("by @someone, a@b.c"), escape_html("by @someone, a@b.c")):
        assert not re.search(r"@\w", text)


@pytest.mark.parametrize("text", ["https://x.y", "www.x.y"])
def test_an_address_does_not_become_a_link_by_itself(text):
    assert "\\" in escape(text)
