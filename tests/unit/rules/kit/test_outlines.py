"""The text of a proof for readers: the outline of each rule, compared with the obligations that it states."""

from __future__ import annotations

from collections import Counter

import pytest
from library import POSED, WITH_PROOF, claim_of, posed

from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from encoders.proving.reading import Prover, rule_name
from encoders.proving.registry import RULES
from encoders.rules.base.rule import Outline, OutlineTable

pytestmark = POSED
# Obligations without a line, because every proof of the rule rests on them, by their first words.
OF_FOLDS = (
    *(
        "parameters of",
        "`",
        "the argument",
        "measure of",
        "sizes of",
        "defined:",
        "pick top bit",
        "least and largest heap,",
    ),
    *("columns modulo", "product of", "multiples:", "places:", "a legal move changes", "move "),
)
GROUND = {
    "folds": OF_FOLDS,
    "definition": OF_FOLDS,
    "equal games": OF_FOLDS,
    "few heaps": ("parameters of", "`", "the argument", "measure of", "product of", "remainders", "defined:"),
    "grundy": (
        *("parameters", "`", "the argument", "measure", "the players' moves agree", "product of", "powers of"),
        *("remainders", "defined:"),
    ),
    "periodic": ("defined:",),
    "quotient": ("defined:",),
    "arithmetic": ("product of", "squares:", "remainders", "defined:"),
    "value": (
        *("parameters", "`", "the argument", "product of", "remainders", "shape of", "moves:"),
        *("the formula is defined", "defined:"),
    ),
}


def outline_of(claim: Claim) -> Outline:
    return RULES[rule_name(claim)].outline(claim, Prover())


def named(outline: Outline) -> list[str]:
    return [name for table in outline.tables for line in table.lines for _, name in line.shown_by]


def table(outline: Outline, kind: str) -> OutlineTable:
    return next(x for x in outline.tables if x.kind == kind)


@pytest.mark.parametrize("id", WITH_PROOF)
@pytest.mark.slow
def test_each_obligation_shows_one_line_or_is_ground(id: str) -> None:
    claim = claim_of(id)
    outline, names = outline_of(claim), [s.name for s in posed(id)]
    lines = named(outline)
    known = RULES if rule_name(claim) == "cases" else (rule_name(claim),)
    assert {s.kind for s in posed(id)} <= {kind for rule in known for kind in RULES[rule].kinds}
    assert {n: c for n, c in Counter(lines).items() if c > 1} == {}, "they show two lines"
    assert set(lines) - set(names) == set(), "they are no obligations"
    rules = ("folds", "grundy", "value") if rule_name(claim) == "cases" else (rule_name(claim),)
    ground = {start for rule in rules for start in GROUND[rule]}
    for name in set(names) - set(lines):
        inside = name.partition(": ")[2] if rule_name(claim) == "cases" else name
        assert inside.startswith(tuple(ground)), f"{name} shows no line"
    assert outline.summary.endswith(".")
    for x in outline.tables:
        assert x.lines
        assert {len(line.cells) for line in x.lines} == {len(x.columns)}, x.title


def test_every_rule_has_an_outline_in_the_library() -> None:
    assert {rule_name(claim_of(id)) for id in WITH_PROOF} == set(RULES) - {"arithmetic", "one heap", "places"}


def test_values_that_repeat_are_said_in_words() -> None:
    def told(id: str) -> list[tuple[object, ...]]:
        return [tuple(cell.parts[0] for cell in line.cells) for line in outline_of(claim_of(id)).tables[0].lines]

    assert told("heaps/partizan-1-2-1-3")[1] == ("from 4 on, Left to move", "Left")
    assert told("heaps/kayles")[1][0] == "from 71 on, with period 12"
    assert outline_of(claim_of("heaps/partizan-1-2-1-3")).tables[0].title == "Winner, by heap"


def test_theorem_14_names_ten_moves() -> None:
    outline = outline_of(claim_of("kl-nim/theorem-14"))
    assert [(x.kind, len(x.lines)) for x in outline.tables] == [
        ("loses", 2), ("folds", 6), ("facts", 5), ("moves", 2), ("moves", 8), ("claim", 1),
    ]  # fmt: skip
    (last,) = table(outline, "moves").lines[1:]
    assert last.shown_by == (
        ("exists", "reply 2 (P1 to move): heap"),
        ("legal", "reply 2 (P1 to move): legal"),
        ("leads to a loss", "reply 2 (P1 to move): leads to a loss"),
    )
    words = [x for x in last.cells[2].parts if isinstance(x, str)]
    (left,) = [x for x in last.cells[2].parts if isinstance(x, t.Variable)]
    assert (words, left.name) == (["leave"], "r"), "take h - r is to leave r"


def test_a_case_names_the_obligations_as_the_whole_proof_does() -> None:
    outline = outline_of(claim_of("kl-nim/complete-solution"))
    cases = table(outline, "cases")
    assert [cell.parts[0] for line in cases.lines for cell in line.cells[1:] if cell.parts] == [
        "by the proof of sums (grundy)",
        "by the proof of theorem-12 (definition)",
        "by the proof of corollary-15 (folds)",
    ]
    assert "k > l: closed (P1 to move)" in named(outline)
