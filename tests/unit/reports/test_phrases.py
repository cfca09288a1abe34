"""The words of a verdict, wherever they are printed, state no more than was shown."""

import sys
from dataclasses import replace
from unicodedata import category

import pytest
from samples import BARE, BOUTON, COMPUTED, FOUND, IN_VAIN, LEMMA_11, N_TEST, alter, limits

from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from checks.results.wording import expectation, hypotheses, scope_phrase, verdict_phrase, verdict_text
from claims.language.errors import escape_invisible
from encoders.logic.answer import Obligation, ObligationStatus

HIDDEN = frozenset("\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")
ALL = limits({"k": "all", "s.heaps": "all", "s.size": "all"})
BOUNDED = limits({"k": "all", "s.heaps": "all", "s.size": "< 2^62"})
PROOF = alter(BOUTON, obligations=(Obligation("closed", ObligationStatus.PROVED),))
assert N_TEST.finding.counterexample is not None
SMALL = limits({"k": "3..3"})
ANY = alter(N_TEST, counterexample=replace(N_TEST.finding.counterexample, smallest=False))


@pytest.mark.parametrize(
    ("result", "phrase"),
    [
        (alter(PROOF, scope=ALL), "proved (all values)"),
        (alter(PROOF, scope=BOUNDED), "proved (every k, s: any number of heaps < 2^62)"),
        (alter(BOUTON, scope=ALL), "proved (every case; 4 cases)"),
        (COMPUTED, "proved (a finite computation)"),
        (FOUND, "proved (by the witness s = (1, 1, 2, 3), A = {2, 5})"),
        (replace(COMPUTED, verdict=Verdict.VERIFIED), "verified (scope not given)"),
        (alter(BOUTON, verdict=Verdict.VERIFIED, scope=limits({"k": "all"})), "verified (every k; 4 cases)"),
        (LEMMA_11, "verified (k 1..6, l 2..9, s: at most 4 heaps of 1..10; 45 045 cases, hypotheses met at 1 187)"),
        (
            alter(LEMMA_11, scope=SMALL, cases=9, cases_with_hypotheses=9),
            "verified (k 3..3; 9 cases, hypotheses met at all)",
        ),
        (
            alter(LEMMA_11, verdict=Verdict.PROVED, scope=ALL, cases=9),
            "proved (every case; 9 cases, hypotheses met at 1 187)",
        ),
        (N_TEST, "refuted at s = (1, 1) (smallest in the scope s: at most 4 heaps of 1..10)"),
        (ANY, "refuted at s = (1, 1)"),
        (alter(N_TEST, scope=ALL), "refuted at s = (1, 1) (smallest of all)"),
        (
            alter(N_TEST, scope=limits({"t": "1..8", "m": "all"})),
            "refuted at s = (1, 1) (smallest in the scope t 1..8, all m)",
        ),
        (IN_VAIN, "refuted (every s; 12 cases)"),
        (alter(BARE, verdict=Verdict.ERROR, scope=ALL), "error"),
    ],
)
def test_a_verdict_comes_with_its_scope_and_no_larger_one(result: ClaimResult, phrase: str) -> None:
    assert verdict_phrase(result) == phrase
    assert verdict_text(result) == phrase


@pytest.mark.parametrize(
    ("aspects", "phrase"),
    [
        ({"heaps": "0..4", "size": "1..10"}, "s: at most 4 heaps of 1..10"),
        ({"heaps": "2..4", "size": "1..10"}, "s: 2..4 heaps of 1..10"),
        ({"heaps": "1..1", "size": "1..10"}, "s: 1 heap of 1..10"),
        ({"heaps": "0..4", "size": "1..10", "total": "0..12"}, "s: at most 4 heaps of 1..10, total 0..12"),
        ({"heaps": "all", "size": "all"}, "s: any number of heaps of any size"),
        ({"heaps": "all", "size": "< 2^62"}, "s: any number of heaps < 2^62"),
    ],
)
def test_a_scope_of_positions_in_words(aspects: dict[str, str], phrase: str) -> None:
    assert scope_phrase(limits({f"s.{name}": bound for name, bound in aspects.items()})) == phrase


def test_how_many_cases_met_the_hypotheses_is_said() -> None:
    assert hypotheses(LEMMA_11) == "45 045 cases; the hypotheses held in 1 187"
    assert hypotheses(alter(LEMMA_11, cases=1187)) == "1 187 cases; the hypotheses held in every one"
    assert hypotheses(COMPUTED) == "1 case"


@pytest.mark.parametrize(
    ("expected", "as_expected", "words"),
    [
        (None, None, ""),
        ("holds", True, ""),
        ("holds", False, "but its file expects it to hold"),
        ("refuted", False, "but its file expects it to be refuted"),
    ],
)
def test_what_the_file_expects_is_said(expected: str | None, as_expected: bool | None, words: str) -> None:
    assert expectation(alter(BARE, expected=expected, as_expected=as_expected)) == words


@pytest.mark.slow
def test_whatever_is_spelt_out_is_seen_among_what_can_be_printed() -> None:
    hidden = [chr(code) for code in range(sys.maxunicode + 1) if is_hidden(chr(code))]
    assert len(hidden) > 2000
    assert [c for c in hidden if escape_invisible(f"a{c}b") != f"a\\u{ord(c):04x}b"] == []


def is_hidden(character: str) -> bool:
    """Whether a character is a control character except white space, hides or reorders text, or is a surrogate."""
    return character not in "\t\n\r" and (category(character) in ("Cc", "Cs", "Zl", "Zp") or character in HIDDEN)
