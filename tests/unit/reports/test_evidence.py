"""The evidence of a verdict uses the terms of the field, and separates true hypotheses from the false conclusion."""

from __future__ import annotations

import re

import pytest
from library import Library
from samples import LEMMA_11, alter

from checks.results.model import Counterexample, RunResult
from checks.results.shown import ExplanationLine
from checks.results.wording import PROOFS
from encoders.trust import Reason, Trust, TrustedPick, TrustedRule
from reports.html import to_plain
from reports.model.evidence import ENGINES, METHODS, say_assumed, say_method, split_explanation

PRIVATE = re.compile(r"\b(?:obligations?|routes?|discharged|on trust|pick)\b|\bfolds\b(?!”)", re.IGNORECASE)


def explain(*lines: ExplanationLine):
    return split_explanation(alter(LEMMA_11, counterexample=Counterexample((("k", 3),), True, True, lines)))


def test_true_hypotheses_are_told_apart_from_the_false_conclusion() -> None:
    why = explain(
        ExplanationLine("Take k = 3."),
        ExplanationLine("The hypotheses hold:"),
        ExplanationLine("3 is odd", 1),
        ExplanationLine("The conclusion fails:"),
        ExplanationLine("3 is not even", 1),
        ExplanationLine("3 mod 2 = 1", 2),
        ExplanationLine("a limit was met"),
    )
    assert why is not None
    told = [[node.text for node in part] for part in (why.true, why.false, why.others)]
    assert told == [["3 is odd"], ["3 is not even"], ["a limit was met"]]
    assert [node.text for node in why.false[0].children] == ["3 mod 2 = 1"]
    assert why.length == 4


def test_no_line_of_another_explanation_is_lost() -> None:
    why = explain(ExplanationLine("The conclusion fails: no case was given"), ExplanationLine("so it is", 1))
    assert why is not None and why.false[0].text == "so it is"
    why = explain(ExplanationLine("Something else"), ExplanationLine("below it", 1))
    assert why is not None and [node.text for node in why.others] == ["Something else"]
    assert [node.text for node in why.others[0].children] == ["below it"]
    assert explain() is None


def test_each_fact_that_a_rule_uses_has_a_sentence() -> None:
    for pick in {pick for reason in Reason for pick in reason.trusted} | {TrustedPick("there is a place")}:
        assert say_assumed([str(pick)]) != pick.words
    assert say_assumed([str(TrustedRule("folds"))]) == "the soundness of the proof rule “folds” (docs/proof-rules.md)"
    assert say_assumed([str(Trust.SPRAGUE_GRUNDY)]).startswith("the Sprague-Grundy theorem")


@pytest.mark.parametrize("rule", PROOFS)
def test_a_method_that_is_a_proof_has_the_key_of_its_rule(rule: str) -> None:
    assert f"“{rule}”" in say_method(rule)


def test_engines_and_methods_are_told_in_words_of_the_field() -> None:
    assert not [text for text in (*ENGINES.values(), *METHODS.values()) if PRIVATE.search(text)]


@pytest.mark.slow
@pytest.mark.parametrize("id", ["kl-nim/theorem-14", "kl-nim/lemma-11", "heaps/kayles"])
def test_the_page_of_a_claim_has_no_private_words_but_the_names_of_conditions(library: Library, id: str) -> None:
    page = to_plain(RunResult("0.0", "quick", (library(id),))).partition('id="page:legend"')[0].partition("<body>")[2]
    body = re.sub(r"<(script|pre|code)\b.*?</\1>|<ul class=\"steps\">.*?</ul>", "", page, flags=re.DOTALL)
    assert PRIVATE.findall(re.sub(r"<[^>]*>", " ", body)) == []
