"""The formal statement of a claim, typeset from its own terms, and its part of the page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from linear import linear
from reading import CORE, parse_fragment
from samples import BARE, HOSTILE, alter

from checks.presentation.mathematics import formal_of
from checks.results.shown import FormalStatement, TypesetFormula
from claims.language.files.library import Entry, list_library, select
from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT, PLAYER
from claims.language.typesetting.formulas import flow
from encoders.proving.reading import load_claim
from reports.html import environment

ROOT = Path(__file__).parents[4]
ENTRIES = (*list_library(), *select((str(ROOT / "examples"), str(ROOT / "tests/claims/conjectures"))))
GAME_IN_QUOTES = re.compile(r"(equals |overheat)\S+")  # such as equals 3/4*, in the notation of games
LEFT_OVER = re.compile(r"\^|==|\*|//|<=|>=|!=|_|%|\b(True|False)\b|\b(wins|count|any|all|nim_sum|iff)\(")


def formulas_of(formal: FormalStatement) -> list[TypesetFormula]:
    sides = [side for pair in formal.definitions for side in pair]
    return [*formal.quantified, *([formal.hypothesis] if formal.hypothesis else []), formal.conclusion, *sides]


def formal_statement(id: str) -> FormalStatement:
    (entry,) = select((id,))
    return formal_of(load_claim(entry.path, entry.id))


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.slow
def test_each_formula_is_well_formed_and_nothing_is_left_of_its_source(entry: Entry) -> None:
    for formula in formulas_of(formal_of(load_claim(entry.path, entry.id))):
        root = parse_fragment(formula.markup)
        inside = [x for part in root.iter("math") for x in part.iter()]
        assert inside or root.findall("span"), formula
        assert {x.tag for x in inside} <= CORE
        assert {x.tag for x in root.iter()} - {x.tag for x in inside} <= {"p", "span"}
        shown = "".join(root.itertext())
        assert shown.strip()
        assert not LEFT_OVER.search(GAME_IN_QUOTES.sub("equals", shown)), shown
        assert formula.text


def shown(formal: FormalStatement) -> list[str]:
    return [linear(x.markup) for x in formulas_of(formal)]


def test_what_is_quantified_comes_first_and_definitions_as_they_are_met() -> None:
    assert shown(formal_statement("kl-nim/theorem-12")) == [
        "k ≥ 1",
        "l > k",
        "position s",
        "(there is h ∈ s with h ≥ k) and (s is defective for P1 or ⨁s = 0)",
        "P1 loses at s",
        "s is defective for p means",
        "⨁s ≠ 0 and there is no t ∈ Opt_{p} (s) with ⨁t = 0",
    ]
    assert shown(formal_statement("large-nim/theorem-3"))[2:] == [
        "n = N ≥ 3",
        "value(s) = formula 4",
        "N =",
        "|s|",
        "formula 4 =",
        "{0 if β(s) = N ∧ min s = 1; N − 1 if β(s) = N ∧ min s ≠ 1; N − 1 − β(s) otherwise",
        "β(s) =",
        "#(min s in s)",
    ]


def test_each_kind_of_domain_is_shown() -> None:
    assert shown(formal_statement("kl-nim/table-1"))[:2] == ["t ≥ 1", "0 ≤ x < 2t"]
    assert shown(formal_statement("kl-nim/sums"))[:3] == ["k ≥ 1", "position s", "player p"]
    assert shown(formal_statement("kl-nim/lemma-11-move"))[3] == "h ∈ s"
    assert shown(formal_statement("nim/table-one-star"))[0] == "s ∈ {(1, 1), (1, 1, 1, 1)}"
    many = formal_statement("nim/table-misere").quantified[0]
    assert linear(many.markup).startswith("s ∈ {(2, 2), (3, 3), (4, 4), ")
    assert many.markup.count("<math>") == 30
    assert many.text.startswith("s in [[2, 2], ")


def test_subsets_are_shown(tmp_path: Path) -> None:
    file = tmp_path / "subsets.toml"
    file.write_text(
        CLAIM.replace('n = "1.."', 'S = "subsets of 1..6"\nx = { in = [3] }')
        .replace("THEN", "x in S")
        .replace('n = "1..2"', "")
    )
    assert shown(formal_of(load_claim(file, "subsets"))) == ["S ⊆ {1, …, 6}", "x ∈ {3}", "x ∈ S"]


def test_the_source_is_as_the_file_writes_it() -> None:
    formal = formal_statement("kl-nim/theorem-14")
    assert formal.conclusion.text == "iff(not wins(s, P2), nim_sum(s) == 0 and all(h < k for h in s))"
    assert [x.text for x in formal.quantified] == ["k : 1..", "l : k+1..", "s : position"]
    defective = formal_statement("kl-nim/lemma-11").definitions[0]
    assert defective[0].text == "defective(s, p)"
    assert defective[1].text == "nim_sum(s) != 0 and not any(nim_sum(t) == 0 for t in options(s, p))"


CLAIM = """format = 1
title = "t"
statement = "s"
work = "w"
locator = "l"
role = "lemma"

[define]
"DEFINED(y)" = "y + 1"

[forall]
n = "1.."

[claim]
then = "THEN"

[scope]
n = "1..2"
"""


@pytest.mark.parametrize("name", ["x_", "_", "__proto__", "ø", "ｘ", "α1", "x00", "a_b__c", "f_1_2", "scriptalert1"])
def test_whatever_a_name_is_made_of_it_is_shown_as_text(tmp_path: Path, name: str) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(CLAIM.replace("THEN", f"{name}(n) == n").replace("DEFINED", name), encoding="utf-8")
    formal = formal_of(load_claim(file, "odd"))
    for formula in formulas_of(formal):
        assert {x.tag for x in parse_fragment(formula.markup).iter()} <= {*CORE, "p", "span"}


def test_names_of_proofs_are_escaped() -> None:
    for text in (HOSTILE, "</math><script>x</script>", 'a" onload="b', "]]>", "&lt;"):
        x = t.Variable(INT, 0, 0, text.replace("'", ""))
        markup = flow(t.Operation(BOOL, 0, 0, "lt", (x, x)), players=(text,))
        root = parse_fragment(markup)
        assert {e.tag for e in root.iter()} <= {*CORE, "p", "span"}
        assert all(e.get("class") in (None, "name", "conn") for e in root.iter())
        assert text.replace("'", "").replace(" ", "\u00a0") in "".join(root.itertext())
    player = t.Literal(PLAYER, 0, 0, 0)
    assert "<b>" not in flow(t.Operation(BOOL, 0, 0, "eq", (player, player)), players=("<b>x</b>",))


def render(formal: FormalStatement | None, quantifier: str = "forall") -> str:
    page = environment().from_string('{% from "mathematics.html" import statement %}{{ statement(claim) }}')
    return page.render(claim=alter(BARE, mathematics=formal, quantifier=quantifier))


def test_the_page_has_the_statement_and_its_source_one_click_away() -> None:
    html = render(formal_statement("kl-nim/theorem-12"))
    words = " ".join(re.sub(r"<[^>]*>", " ", html).split())
    assert words.startswith("For every k ≥ 1 , l &gt; k , position s : if (")
    assert "then P1 loses at s where s is defective for p means" in words
    assert "<details>" in html.partition("if any(h &gt;= k for h in s)")[0]
    assert "defective(s, p) = nim_sum(s) != 0 and not any(" in html
    assert render(None).strip() == ""


def test_the_page_tells_there_is_from_for_all() -> None:
    formal = formal_statement("large-nim/beta-not-enough")
    assert "For some" in render(formal, "exists")
    assert "For every" not in render(formal, "exists")


def test_a_source_text_cannot_break_out_of_the_page() -> None:
    formal = formal_statement("kl-nim/theorem-14")
    bad = replace(formal, conclusion=replace(formal.conclusion, text=HOSTILE))
    assert "<script>" not in render(bad)


def test_a_settled_claim_has_its_mathematics(library) -> None:
    result = library("nim/bouton")
    assert result.presentation.mathematics == formal_statement("nim/bouton")
