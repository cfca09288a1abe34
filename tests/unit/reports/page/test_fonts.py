"""Each page contains its fonts, and they have the characters of the pages."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator

import pytest
from library import ENTRIES, Library
from samples import RUN

from checks.results.model import RunResult
from reports.html import FACES, FONTS, to_html, to_plain


def list_characters(name: str) -> set[str]:
    lines = (FONTS / name).read_text("ascii").splitlines()
    ranges = re.findall(r"U\+(\w+)(?:-(\w+))?", "\n".join(line for line in lines if not line.startswith("#")))
    return {chr(code) for first, last in ranges for code in range(int(first, 16), int(last or first, 16) + 1)}


def read_texts(page: str) -> Iterator[tuple[bool, str]]:
    """The texts of a page, each with whether it is inside a formula."""
    body = re.sub(r"<(script|style|pre|code)\b.*?</\1>", "", page.partition("<body>")[2], flags=re.DOTALL)
    for part in re.split(r"(<math.*?</math>)", body, flags=re.DOTALL):
        yield part.startswith("<math"), html.unescape(re.sub(r"<[^>]*>", "", part))


def test_a_page_contains_each_font_once() -> None:
    page = to_html(RUN)
    for name, family, *_ in FACES:
        assert page.count(base64.b64encode((FONTS / name).read_bytes()).decode()) == 1
        assert f"font-family: {family};" in page
        assert (FONTS / name).read_bytes().startswith(b"wOF2")
    assert "font-src data:" in page


def test_the_fonts_are_small_and_have_their_licence() -> None:
    assert sum((FONTS / name).stat().st_size for name, *_ in FACES) * 4 / 3 < 250_000
    assert "GUST Font License" in (FONTS / "LICENSE.txt").read_text("utf-8")


@pytest.mark.slow
def test_the_fonts_have_all_characters_of_the_library(library: Library) -> None:
    text, math = list_characters("text.txt"), list_characters("math.txt")
    found = RunResult("0.0", "quick", tuple(map(library, ENTRIES)))
    lacking = {False: set[str](), True: set[str]()}
    for formula, part in read_texts(to_plain(found)):
        lacking[formula] |= set(part) - {"\n"} - math - (set() if formula else text)
    assert lacking == {False: set(), True: set()}
