"""Pictures and boards on the page: their numbers are readable, and their data is inert, also for hostile names."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from samples import HOSTILE, LEMMA_11, N_TEST, NASTY, alter

from checks.results.model import ClaimResult
from checks.results.shown import (
    BoardPlace,
    Failures,
    GrundySequence,
    OutcomeMap,
    PlayableClaim,
    TypesetFormula,
    Undrawn,
)
from reports.html import environment_of_works
from reports.page.pictures import draw_outcomes, draw_values, heat_tables, list_failing_values, list_tree, write_data

FAILURES = Failures(
    failing=3,
    met=40,
    by=((("number of heaps of s",), (((2,), 1, 10), ((3,), 2, 30))), (("k", "l"), (((1, 2), 0, 5), ((3, 4), 3, 35)))),
    next=((("k", "3"), ("s", "(2, 2, 7)")),),
    matters=("k: with s = (2, 2, 4), of 1..3, only 3 fails; the others hold.",),
    undefined=1,
)
MAP = OutcomeMap(
    "P2 to move",
    "K-L-Nim (k = 3, l = 4)",
    "P1 wins",
    "P2 wins",
    0,
    ((True, False, False), (False, True, True), (False, True, True)),
    ((True, False, False), (False, True, True), (False, True, False)),
    TypesetFormula("not wins(s, P2)", "P2 loses at <math><mi>s</mi></math>"),
    TypesetFormula("nim_sum(s) == 0", "<math><mi>Σ</mi></math>"),
)
GRUNDY, LESS = (
    TypesetFormula("grundy([x])", "<math><mi>G</mi></math>"),
    TypesetFormula("x - 2", "<math><mi>x</mi></math>"),
)
VALUES = GrundySequence("Grundy values", "Nim", 2, (0, 1, 3, 4), (0, 1, 2, 4), 2, 3, GRUNDY, LESS)
BOARD = PlayableClaim(
    "Nim",
    "Normal play: whoever takes the last object wins. More.",
    "P1",
    "You are P1, to move at (1, 1). The claim says that you can win. Try it.",
    "Every move is answered.",
    (
        BoardPlace((1, 1), "P1", "", (((1,), 1),), refused=(((), "P1 may not take 2 from 1"),)),
        BoardPlace((1,), "P2", "the nim-sum is 1", (((), 2),), True),
        BoardPlace((), "P1", "P1 cannot move and loses"),
    ),
)


def rendered(claim: ClaimResult) -> str:
    env = environment_of_works()
    macros = '{% import "pictures.html" as p with context %}{% import "board.html" as b with context %}'
    return env.from_string(macros + "{{ b.board(claim) }}{{ p.pictures(claim) }}").render(claim=claim)


class Texts(HTMLParser):
    """The visible texts, the elements, and the text alternatives of the drawings."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.elements: list[str] = []
        self.labels: list[str] = []
        self.data: list[str] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.inside = tag == "script"
        self.words += [" "] if tag in ("td", "th") else []
        found = dict(attrs)
        assert not any(name.startswith("on") or name == "style" for name in found)
        if tag == "svg":
            assert found["role"] == "img"
            self.labels.append(found["aria-label"] or "")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        (self.data if self.inside else self.words).append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def test_where_a_claim_fails_can_be_read() -> None:
    page = Texts(rendered(alter(LEMMA_11, pictures=(FAILURES,))))
    assert (
        "At 3 of the 40 cases that satisfy the hypotheses: 7.5 %. In 1 other case, the claim has no truth value."
        in page.text
    )
    assert "By k and l l = 2 4 k = 1 0 of 5 no case k = 3 no case 3 of 35" in page.text
    assert "By number of heaps of s 2 3 fails 1 of 10 2 of 30" in page.text
    assert "k = 3, s = (2, 2, 7)" in page.text and "of 1…3, only 3 fails" in page.text


def test_values_that_determine_the_case_are_listed_instead_of_a_table() -> None:
    failing = (1, 2, 5, 7, 8, 9)
    groups = tuple(((n,), int(n in failing), 1) for n in range(12) if n != 4)  # no case with n = 4
    found = Failures(6, 11, ((("n",), groups),), next=((("n", "2"),),))
    assert list_failing_values(found) == [("n", "1, 2, 5, 7..9")] and heat_tables(found) == []
    page = Texts(rendered(alter(LEMMA_11, pictures=(found,))))
    assert "It fails at n = 1, 2, 5, 7…9." in page.text and "counterexamples after" not in page.text
    several = Failures(6, 12, ((("n",), (*groups, ((4,), 0, 2))),), next=())  # two cases with n = 4
    assert list_failing_values(several) == [] and len(heat_tables(several)) == 1
    many = Failures(50, 100, ((("n",), tuple(((n,), n % 2, 1) for n in range(100))),), next=())
    assert list_failing_values(many)[0][1].endswith("77, 79, ...")


def test_a_map_says_what_is_to_be_seen_and_has_its_numbers() -> None:
    page = Texts(rendered(alter(N_TEST, pictures=(MAP,))))
    seen = "P1 wins at 5 of 9 pairs of heaps of 0..2"
    assert page.labels == [f"P2 to move: {seen}. The claimed rule differs at 1 pair: (2, 2)."]
    assert "Two heaps: P2 to move" in page.text and "K-L-Nim (k = 3, l = 4): P1 wins at 5 of 9 pairs" in page.text
    assert page.text.endswith("P1 wins one heap the other heap 0 0 1 1, 2 2 1, 2")


def test_a_map_is_drawn_square_by_square() -> None:
    svg = str(draw_outcomes(MAP).drawing)
    areas = set(re.findall(r"M(\d+) (\d+)h(\d+)v12", svg.split('class="yes"')[1].split("/>", maxsplit=1)[0]))
    assert areas == {("0", "24", "12"), ("12", "12", "24"), ("12", "0", "24")}  # (0, 0); (1, 1), (2, 1); (1, 2), (2, 2)
    crosses = svg.split('class="differs"')[1].split("/>", maxsplit=1)[0]
    assert re.findall(r"M(\d+) (\d+)l8", crosses) == [("26", "2")]
    assert svg.split('class="rule"')[1].split("/>", maxsplit=1)[0].count("M") == 4


def test_a_rule_that_agrees_is_said_to() -> None:
    drawn = draw_outcomes(replace(MAP, claimed=MAP.solved))
    assert drawn.agreement == "The claimed rule agrees at each of the 9 pairs." and not drawn.differs
    assert draw_outcomes(replace(MAP, claimed=None)).agreement == ""
    too_much = draw_outcomes(replace(MAP, claimed=((True, True, False), *MAP.solved[1:])))
    assert too_much.agreement == "The claimed rule differs at 1 pair: (1, 0)." and too_much.differs


def test_values_say_their_period_as_far_as_computed() -> None:
    drawn = draw_values(VALUES)
    assert drawn.summary == "Period 2, saltus 3: value(x + 2) = value(x) + 3, as far as computed, x from 2 to 5."
    assert drawn.agreement == "The claimed formula differs at 1 heap: x = 4."
    assert str(drawn.drawing).split('class="differs"')[1].split("/>")[0].count("M") == 1
    assert drawn.table == ((2, 0, 0), (3, 1, 1), (4, 3, 2), (5, 4, 4))
    without = draw_values(replace(VALUES, period=0, claimed=None))
    assert (without.summary, without.agreement) == ("No period of at most 2 for x from 2 to 5.", "")
    page = Texts(rendered(alter(LEMMA_11, pictures=(VALUES,))))
    assert (
        page.text.endswith("heap 2 3 4 5 value 0 1 3 4 claimed 0 1 2 4") and "The values: 0, 1, 3, 4." in page.labels[0]
    )


def test_what_is_left_out_is_said() -> None:
    page = Texts(rendered(alter(LEMMA_11, pictures=(Undrawn("where it fails", "too large: 9 cases"),))))
    assert page.text == "Not shown: where it fails. Too large: 9 cases."


def test_without_a_script_the_board_is_a_list() -> None:
    page = Texts(rendered(alter(N_TEST, board=BOARD)))
    assert (
        "P1 takes 1 from 1 and leaves (1): the nim-sum is 1 P2 takes 1 from 1 and leaves no heap: P1 cannot"
        in page.text
    )
    assert "Nim. Normal play: whoever takes the last object wins." in page.text and "More." not in page.text
    data = json.loads("".join(page.data))
    assert data["places"][0] == [[1, 1], "P1", "", False, [[[1], 1]], [[[], "P1 may not take 2 from 1"]]]


def test_what_follows_a_place_stands_in_the_list_once() -> None:
    places = (
        BoardPlace((1, 2), "P1", "", (((1,), 1), ((2,), 1))),
        BoardPlace((1,), "P2", "", (((), 2),), True),
        BoardPlace((), "P1", "the end"),
    )
    first, second = list_tree(replace(BOARD, places=places))
    assert not first.again and first.children and second.again and not second.children


@pytest.mark.parametrize("text", [HOSTILE, "</script><script>alert(1)</script>", "<!--", "]]>", "\u2028"])
def test_names_are_inert(text: str) -> None:
    places = (BoardPlace((1,), text, text, (((), 1),), refused=(((), text),)), BoardPlace((), text, text))
    claim = alter(
        NASTY,
        board=PlayableClaim(text, text, text, text, text, places),
        pictures=(
            replace(FAILURES, by=(((text, text), (((1, 1), 1, 1),)),), next=(((text, text),),), matters=(text,)),
            replace(MAP, title=text, game=text, yes=text, no=text),
            replace(VALUES, title=text, game=text),
            Undrawn(text, text),
        ),
    )
    page = Texts(rendered(claim))
    assert page.elements.count("script") == 1 and "img" not in page.elements and "b" not in page.elements
    (data,) = page.data
    assert "<" not in data and len(json.loads(data)["places"]) == 2
    assert write_data(claim.presentation.board) == data
