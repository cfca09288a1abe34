"""The page and the Markdown claim no more than the verdicts, in words, and all links have targets."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from samples import (
    BARE,
    BETTER,
    CALM,
    EMPTY,
    EVERY,
    LEMMA_11,
    N_TEST,
    RUN,
    SHARE,
    VACUOUS,
    alter,
    huge,
)
from test_report_escaping import Page

import reports
from checks.results.shown import ExplanationLine
from checks.results.verdicts import Verdict
from checks.results.wording import reason, rerun, verdict_text
from reports.html import TEMPLATES
from reports.html import to_plain as to_html
from reports.markdown import to_markdown
from reports.model.digest import make_view, outline
from reports.page.typography import names_of, set_text

CSS = (TEMPLATES / "style.css").read_text("utf-8")


def body(page):
    """Return the text of a page up to the legend, which explains the words."""
    return "".join(Page(page).text).rpartition("How to read this")[0]


@pytest.mark.parametrize("run", [RUN, CALM])
def test_verified_never_stands_without_its_scope(run):
    tame = replace(run, claims=tuple(c for c in run.claims if not c.id.startswith("x/")))
    page, markdown = to_html(tame), to_markdown(tame).partition("## What the verdicts mean")[0]
    found = re.findall(r"verified\b(.{0,4})", markdown, re.DOTALL)
    assert len(found) >= 2
    assert set(found) <= {" (k ", " in "}
    # on the page it is a chip next to the scope, or one word for many
    page = page.partition('id="page:legend"')[0].partition("<body>")[2]
    beside = re.findall(r'<span class="chip verified">.*?</span>(.*?)</span>', page, re.DOTALL)
    assert beside
    assert all(re.match(r' <span class="scope">\S+', scope) for scope in beside)
    words = re.sub(r'<span class="chip verified">.*?</span>|<[^>]*>', "", page)
    assert set(re.findall(r"verified\b(.{0,9})", words, re.DOTALL)) <= {" in scope"}


def test_a_verified_without_a_scope_says_so():
    assert verdict_text(alter(LEMMA_11, scope=())) == "verified (scope not given)"


@pytest.mark.slow
def test_every_verdict_is_said_in_a_word():
    page = Page(to_html(RUN))
    classes = [value for _, name, value in page.attributes if name == "class"]
    for verdict in Verdict:
        assert verdict.value in "".join(page.text)
        assert any(value == f"chip {verdict.value}" for value in classes)
        assert re.search(rf"\.{verdict.value}\b[^{{]*{{ --colour", CSS)
        assert f'<symbol id="sign:{verdict.value}"' in to_html(RUN)


def test_links_lead_somewhere_and_places_are_unique():
    for run in (RUN, CALM, EMPTY):
        page = Page(to_html(run))
        places = [value for _, name, value in page.attributes if name == "id"]
        assert len(places) == len(set(places))
        assert {x[1:] for _, name, x in page.attributes if name == "href" and x[:1] == "#"} <= set(places)
        assert {value for _, name, value in page.attributes if name == "aria-labelledby"} <= set(places)
        markdown = to_markdown(run)
        assert set(re.findall(r"\]\(#(.*?)\)", markdown)) <= set(re.findall(r'<a id="(.*?)">', markdown))
        assert all(c.id in map(unquote, places) for c in run.claims)


def test_the_front_says_what_is_wrong_first():
    text = body(to_html(RUN))
    front = text[: text.index("Check it yourself")]
    assert front.index("Not settled") < front.index("5 refuted statements of other kinds")
    assert "Fails at s = (1, 1)" in front.replace("\u00a0", " ")
    assert "Of 15 statements, 5 hold as far as checked, 5 are refuted and 5 are not settled" in front


def test_uses_are_followed_in_both_directions():
    view = make_view(RUN)
    assert view.used_by["kl-nim/lemma-11"] == ("kl-nim/theorem-14-small",)
    text = body(to_html(RUN))
    assert "Introduction (refuted)" in text
    assert "nim/not-in-this-run (not in this run)" in text
    assert "Used by" in text


def test_what_is_listed_where():
    view = make_view(RUN)
    assert {c.verdict for c in view.refuted} == {Verdict.REFUTED}
    assert view.unsettled[0].verdict is Verdict.INCONSISTENT
    assert VACUOUS in view.unsettled
    assert view.unexpected == (BETTER,)
    assert view.exit_code == 4
    assert sum(len(g.claims) for g in view.groups) == len(EVERY)


@pytest.mark.parametrize("claim", EVERY)
def test_all_that_is_not_green_has_a_reason(claim):
    assert bool(reason(claim)) is not claim.verdict.holds


def test_a_computation_is_not_called_a_counterexample():
    run = replace(RUN, claims=(SHARE,))
    assert reason(SHARE) == "share < 1/2 fails: 7012/8191 >= 1/2"
    for text in (body(to_html(run)), to_markdown(run)):
        assert "Why it fails" in text
        assert "ounterexample:" not in text
        assert "smallest in" not in text


def test_the_command_repeats_the_scope():
    assert rerun(CALM, LEMMA_11) == "python -m checks run kl-nim/lemma-11"
    assert rerun(CALM, alter(BARE, id="my/own", file="my/own.toml")) == "python -m checks run my/own.toml"
    assert rerun(RUN, replace(BARE, id="a b")) == "python -m checks run 'a b' --scope deep --set k=1..6"


@pytest.mark.parametrize(
    ("depths", "tree"),
    [
        ([], []),
        ([0, 1, 1, 0], [[[], []], []]),
        ([0, 3, 1], [[[], []]]),
        ([2, 0], [[], []]),
        ([0, 1, 2, 1], [[[[]], []]]),
    ],
)
def test_an_outline(depths, tree):
    def shape(nodes):
        return [shape(node.children) for node in nodes]

    assert shape(outline(tuple(ExplanationLine("x", d) for d in depths))) == tree


@pytest.mark.slow
def test_very_much_is_rendered_whole():
    run = huge(300, 3000)
    assert to_html(run).count("<li>move ") == to_markdown(run).count("* move ") == 3000
    assert "4999)" in to_html(run)
    assert N_TEST.statement.title in to_markdown(run)


def luminance(colour):
    colour = colour.removeprefix("#")
    digits = [colour[i : i + 2] for i in (0, 2, 4)] if len(colour) == 6 else [c * 2 for c in colour]
    parts = [int(d, 16) / 255 for d in digits]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_the_colours_can_be_read(theme):
    blocks = re.findall(r":root \{(.*?)\n *\}", CSS, re.DOTALL)[:2]
    colours = dict(re.findall(r"--([\w-]+): (#\w+);", blocks[theme]))
    names = ("proved", "verified", "refuted", "open", "broken")
    pairs = [(ink, on) for ink in ("ink", "mute", "link", "ours", *names) for on in ("paper", "card", "wash")]
    pairs += [(ink, f"{name}-wash") for name in names for ink in ("ink", "mute", "link", name)]
    for ink, on in pairs:
        high, low = sorted((luminance(colours[ink]), luminance(colours[on])), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, on)


@pytest.mark.slow
def test_jinja_is_imported_only_when_a_page_is_made():
    code = "import sys, reports.write; sys.exit('jinja2' in sys.modules or 'markupsafe' in sys.modules)"
    root = Path(reports.__file__).parent.parent
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_letters_that_a_statement_brings_in_are_set_as_those_of_the_claim() -> None:
    text = "Let q be x // (2k), e.g. 3, in K-L-Nim: a heap of h (case b), P1's and isn't, has 2qk."
    claim = alter(BARE, text=text, domains=(("x", "Int"), ("k", "1..")))
    assert names_of(claim) == {"q", "x", "h", "k"}
    assert "<i>qk</i>" in set_text(text, names_of(claim))
