"""Annotations of GitHub: one line for each cause of a nonzero exit code, and no other commands."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import BARE, BETTER, BOUTON, CALM, EVERY, HOSTILE, LEMMA_11, N_TEST, NASTY, RUN, alter

from checks.results.shown import ExplanationLine
from checks.results.verdicts import exit_code
from claims.language.errors import escape_invisible
from reports.ci import LINES, to_annotations

COMMAND = re.compile(r"::(error|warning) (?:(?:file|line|title)=[^:,]*,?)+::(.*)")


def lines(*claims):
    return to_annotations(replace(RUN, claims=claims)).splitlines()


def unescaped(text):
    return text.replace("%0A", "\n").replace("%0D", "\r").replace("%3A", ":").replace("%2C", ",").replace("%25", "%")


def test_a_run_that_ends_in_0_has_none():
    assert to_annotations(CALM) == ""


@pytest.mark.parametrize("claim", EVERY)
def test_what_makes_the_exit_code_other_than_0_is_told(claim):
    assert len(lines(claim)) == bool(exit_code([(claim.verdict, claim.finding.as_expected)]))


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        (
            alter(N_TEST, as_expected=None, line=17),
            "::error file=claims/kl-nim/n-position-test.toml,line=17,title=refuted%3A Introduction::kl-nim/n-position-",
        ),
        (
            alter(BETTER, line=3),
            "::error file=claims/kl-nim/lemma-11.toml,line=3,title=verified%3A Lemma 13::kl-nim/lemma-13: From",
        ),
        (BARE, "::warning title=inconclusive%3A bare::bare%0Ainconclusive"),
    ],
)
def test_an_annotation(claim, line):
    assert lines(claim)[0].startswith(line)


def test_an_unexpected_verdict_says_so():
    assert lines(BETTER)[0].endswith("but its file expects it to be refuted")


def test_errors_come_before_warnings():
    found = [line.split()[0] for line in lines(BARE, BOUTON, BETTER, LEMMA_11)]
    assert found == ["::error", "::warning"]


def test_a_long_explanation_is_cut():
    long = replace(
        N_TEST.finding.counterexample, explanation=tuple(ExplanationLine(f"line {i}") for i in range(LINES + 1))
    )
    text = unescaped(lines(alter(N_TEST, as_expected=None, counterexample=long))[0])
    assert text.endswith(f"line {LINES - 1}\n...")


def test_hostile_text_gives_no_command_of_its_own():
    claim = alter(NASTY, title="x\n::set-output name=a::b\r\n::error::c", file="a,line=7::x", locator="l:,\n::stop::")
    (line,) = lines(claim)
    assert COMMAND.fullmatch(line)
    assert "::set-output name=a::b" in unescaped(line)
    assert escape_invisible(HOSTILE) in unescaped(line)


@given(st.text(), st.text(), st.text())
@pytest.mark.slow
def test_any_text_is_one_line(title, locator, file):
    found = to_annotations(replace(RUN, claims=(alter(BARE, title=title, locator=locator, file=file),)))
    assert found.count("\n") == 1
    assert COMMAND.fullmatch(found.rstrip("\n"))
