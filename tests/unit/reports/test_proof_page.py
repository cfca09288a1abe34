"""The proof of a claim on the page: tables that can be read aloud, obligations packed once, hostile text inert."""

import base64
import json
import re
import zlib
from dataclasses import replace

import pytest
from samples import BARE, CALM, HIDDEN, HOSTILE, alter
from shown_proofs import load, load_wrong, settle_by_hand
from test_report_escaping import Page, tamed

from checks.results.model import ClaimResult, RunResult
from checks.results.shown import (
    ExampleMove,
    ObligationText,
    ProofCell,
    ProofPresentation,
    ProofRow,
    ProofTable,
    Step,
    TypesetFormula,
)
from checks.results.wording import ObligationMark
from claims.language.errors import escape_invisible
from encoders.logic.answer import Obligation, ObligationStatus
from reports.html import render_works
from reports.html import to_plain as to_html
from reports.markdown import proof_blocks
from reports.page.proof import LONGEST, Packed, pack, proof_names, sort_ground
from reports.page.typography import set_source

FOLDS, GRUNDY, VALUE = "nim/bouton", "kl-nim/theorem-6", "large-nim/theorem-1"


def page_of(*claims: ClaimResult) -> str:
    return to_html(RunResult("0.0", "quick", claims))


def unpack(packed: Packed) -> list[list[str]]:
    found: list[list[str]] = json.loads(zlib.decompress(base64.b64decode(packed.block)))
    return found


def rows(page: str) -> list[str]:
    return re.findall(r'<tr role="row".*?</tr>', page, re.DOTALL)


# -- the text ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("id", [FOLDS, GRUNDY, VALUE])
def test_the_proofs_of_every_rule_are_shown(id: str) -> None:
    result = settle_by_hand(load(id))
    page = page_of(result)
    text = " ".join("".join(Page(page).text).split())
    assert f"{len(result.finding.obligations)} of {len(result.finding.obligations)} conditions proved, by Z3" in text
    assert result.presentation.proof is not None
    for table in result.presentation.proof.tables:
        assert f"<caption>{table.title}</caption>" in page
    for o in result.finding.obligations:
        name = set_source(o.name, proof_names(result)).striptags()
        assert f"{name}: proved by Z3, 0.03 s" in text or f"{name}: provedproved by Z3, 0.03 s" in text


def test_the_rows_of_a_table_have_as_many_cells_as_its_head_and_roles_for_all() -> None:
    page = page_of(settle_by_hand(load(FOLDS)))
    for table in re.findall(r"<table class=\"of-.*?</table>", page, re.DOTALL):
        head, *body = rows(table)
        width = head.count('role="columnheader"')
        assert width
        assert head.count("<th ") == width
        for row in body:
            assert row.count('role="rowheader"') <= 1
            assert row.count('role="rowheader"') + row.count('role="cell"') == width
            assert row.count("<td ") == row.count('role="cell"')


def test_the_line_that_fails_is_marked_with_its_values_and_no_other(tmp_path) -> None:
    page = page_of(settle_by_hand(load_wrong(tmp_path), "reply 1: leads to a loss"))
    marked = [row for row in rows(page) if 'class="open"' in row]
    assert len(marked) == 1
    assert "leads to a loss</b>: fails at X of s = 1, heap of s = 3, new size = 0, found by evaluation" in marked[0]
    assert "<svg" not in marked[0], "an instance would seem to confirm it"
    text = "".join(Page(page).text)
    assert "7 of 9 conditions proved" in text
    assert page.count('<details class="failed"') == 1
    assert page.count('<details class="untried"') == 1
    assert "claim: not tried" in text


def test_a_failed_obligation_is_nowhere_said_to_be_proved(tmp_path) -> None:
    result = settle_by_hand(load_wrong(tmp_path), "closed")
    page, markdown = page_of(result), "\n".join(proof_blocks(result))
    (mark,) = re.findall(r"<details class=\"failed\".*?</details>", page)
    assert "no move leads to a loss" in mark
    assert "proved" not in mark
    assert "**no move leads to a loss: fails at X of s = 1" in markdown
    assert "not tried: the moves below cover the rest" in markdown
    assert "not tried: exists, legal, leads to a loss" in markdown


def test_a_claim_without_a_proof_has_no_section() -> None:
    assert 'class="proof"' not in to_html(CALM)
    assert list(proof_blocks(BARE)) == []


def test_the_commands_name_the_file_of_a_claim_outside_the_library() -> None:
    inside = settle_by_hand(load(FOLDS))
    assert "python -m checks show nim/bouton --obligations" in page_of(inside)
    outside = alter(inside, id="/tmp/my claim", file="/tmp/my claim.toml")
    assert "python -m checks show &#39;/tmp/my claim.toml&#39; --smt2 NAME" in page_of(outside)


def test_times_stand_on_the_page_alone() -> None:
    result = settle_by_hand(load(FOLDS))
    assert "0.03 s" in page_of(result)
    assert "0.03" not in "\n".join(proof_blocks(result))


# -- the complete obligations ------------------------------------------------------------------------------------------
def test_each_mark_leads_to_its_own_obligation() -> None:
    result = settle_by_hand(load(FOLDS))
    packed = pack([result])
    entries = unpack(packed)
    assert result.presentation.proof is not None
    for asked in result.presentation.proof.obligation_texts:
        assert entries[packed.places[result.id, asked.name]] == [asked.markup, "ab" * 32]
    page = render_works(RunResult("0.0", "quick", (result,)))
    assert packed.block in page
    for name in ("closed", "reply 1: legal"):
        assert re.search(
            rf'data-asked="{packed.places[result.id, name]}"><summary>[^/]*</span></summary><p>{name}:', page
        )


def test_what_several_claims_ask_is_packed_once() -> None:
    one = settle_by_hand(load(FOLDS))
    two = replace(one, id="another")
    both = pack([one, two])
    assert len(unpack(both)) == len(unpack(pack([one])))
    assert both.places[one.id, "closed"] == both.places["another", "closed"]


def test_what_is_long_is_left_to_the_command() -> None:
    one = settle_by_hand(load(FOLDS))
    assert one.presentation.proof is not None
    asked = tuple(
        replace(x, text="x" * (LONGEST + 1)) if x.name == "closed" else x
        for x in one.presentation.proof.obligation_texts
    )
    long = alter(one, proof=replace(one.presentation.proof, obligation_texts=asked))
    assert (one.id, "closed") not in pack([long]).places
    page = render_works(RunResult("0.0", "quick", (long,)))
    (mark,) = re.findall(r"<details class=\"proved\"[^>]*><summary>no move leads to a loss.*?</details>", page)
    assert "data-asked" not in mark
    assert "closed: proved by Z3" in mark


def test_without_obligations_nothing_is_packed() -> None:
    assert pack([BARE]) == Packed("")
    assert "page:asked" not in to_html(CALM).partition("<script>")[0]


# -- hostile text -----------------------------------------------------------------------------------------------------
FORMULA = TypesetFormula(HOSTILE, "<math><mi>x</mi></math>")
FIRST, SECOND = f"1 {HOSTILE}", f"2 {HIDDEN}"
NASTY = alter(
    BARE,
    id=HOSTILE,
    obligations=(
        Obligation(
            FIRST, ObligationStatus.FAILED, f"fails at {HOSTILE} = 1", solvers=(HOSTILE,), values=((HOSTILE, 1),)
        ),
        Obligation(SECOND, ObligationStatus.PROVED, note=HOSTILE, formula=HOSTILE, solvers=(HIDDEN,)),
    ),
    proof=ProofPresentation(
        HOSTILE,
        HOSTILE,
        (
            ProofTable(
                "moves",
                HOSTILE,
                (HOSTILE, HIDDEN),
                (
                    ProofRow((ProofCell((HOSTILE, FORMULA), HOSTILE), ProofCell((HIDDEN,))), (Step(HOSTILE, FIRST),)),
                    ProofRow(
                        (ProofCell((FORMULA,)), ProofCell()),
                        (Step(HIDDEN, SECOND), Step(HOSTILE, "untried")),
                        ExampleMove(((HOSTILE, 3),), HOSTILE, (1, 2), (1, 1), 2, 1),
                    ),
                ),
            ),
            ProofTable("loses", HOSTILE, (HOSTILE,), (ProofRow((ProofCell((HOSTILE,)),)),)),
        ),
        (FIRST, SECOND),
        (ObligationText(FIRST, f"assume {HOSTILE}\nshow {HIDDEN}"), ObligationText(SECOND, HOSTILE)),
    ),
)


def test_hostile_text_adds_no_element_and_no_attribute() -> None:
    hostile, tame = Page(page_of(NASTY)), Page(page_of(tamed(NASTY)))
    assert hostile.tags == tame.tags
    assert [(tag, name) for tag, name, _ in hostile.attributes] == [(tag, name) for tag, name, _ in tame.attributes]
    text = "".join(hostile.text)
    assert HIDDEN not in text
    assert escape_invisible(HIDDEN) in text


def test_what_is_unpacked_is_inert_too() -> None:
    for markup, _ in unpack(pack([NASTY])):
        inside = Page(markup)
        assert set(inside.tags) <= {"p", "code"}
        assert inside.attributes == []
        assert HIDDEN not in markup
    assert HOSTILE in "".join("".join(Page(markup).text) for markup, _ in unpack(pack([NASTY])))


def test_hostile_text_starts_no_markdown() -> None:
    from markdown_it import MarkdownIt

    rendered = MarkdownIt("commonmark").enable("table").render("\n\n".join(proof_blocks(NASTY)))
    assert not re.search(r"<script|<a |<img|onload=[^&]*>", rendered)
    assert "<b>" not in rendered


def test_many_obligations_of_definedness_are_folded_but_none_that_is_open() -> None:
    proved = Obligation("x", ObligationStatus.PROVED)
    marks = [ObligationMark(name, name, proved) for name in ("measure", *(f"defined: {n}" for n in range(5)))]
    open_ = ObligationMark("defined: 5", "defined: 5", replace(proved, result=ObligationStatus.UNKNOWN))
    assert sort_ground([*marks, open_]) == ([marks[0], open_], marks[1:])
    assert sort_ground(marks[:5]) == (marks[:5], [])
