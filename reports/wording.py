"""The words and numbers that every report uses, so that no two of them say the same thing differently."""

from __future__ import annotations

import re
import shlex
from typing import Any

from checks.results import ClaimResult, RunResult, Values, Work, verdict_phrase
from checks.verdicts import Verdict

TOOL = "checks"

LABELS = {v: v.value for v in Verdict} | {Verdict.VERIFIED: "verified in scope"}
"""A verdict where it stands without a claim: in a count or a filter. `verified` is never said without a scope."""

MARKS = {
    Verdict.PROVED: "∎",
    Verdict.VERIFIED: "✓",
    Verdict.REFUTED: "✗",
    Verdict.VACUOUS: "∅",
    Verdict.INCONCLUSIVE: "?",
    Verdict.ERROR: "!",
    Verdict.INCONSISTENT: "≠",
}
"""A sign that goes before the word, never in its place."""

MEANINGS = {
    Verdict.PROVED: "holds in every case of its stated domains",
    Verdict.VERIFIED: "no counterexample among the cases of the scope, which stands beside the word; "
    "nothing is said of cases outside it",
    Verdict.REFUTED: "there is a counterexample; or the claim that something exists was searched for in its whole "
    "finite domain, in vain",
    Verdict.VACUOUS: "the hypotheses hold nowhere in the scope: nothing was checked",
    Verdict.INCONCLUSIVE: "a limit of time, memory or method was met, or the run was interrupted: nothing is settled",
    Verdict.ERROR: "the claim could not be read or evaluated, or has no value at a case that is named",
    Verdict.INCONSISTENT: "two routes disagree, or the referee could not reproduce an answer: a bug of this tool",
}

_UNSAFE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]"
)


def visible(text: str) -> str:
    r"""The text with control characters, and those that reorder or hide what stands beside them, spelt out.

    >>> visible("a\u202eb"), visible("K-L-Nim, 2 ⊕ 3")
    ('a\\u202eb', 'K-L-Nim, 2 ⊕ 3')
    """
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def number(value: int) -> str:
    """An integer with its digits in threes.

    >>> number(812340), number(7)
    ('812 340', '7')
    """
    return f"{value:,}".replace(",", " ")


def count(value: int, noun: str, plural: str = "") -> str:
    """So many of something.

    >>> count(1, "claim"), count(2000, "case")
    ('1 claim', '2 000 cases')
    """
    return f"{number(value)} {noun if value == 1 else plural or noun + 's'}"


def value_text(value: Any) -> str:
    """A value as the claim language writes it.

    >>> value_text((2, 2, 4)), value_text(()), value_text(True), value_text("P1"), value_text(2**60)
    ('[2, 2, 4]', '[]', 'true', 'P1', '1152921504606846976')
    """
    if isinstance(value, tuple | list):
        return "[" + ", ".join(value_text(v) for v in value) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def assignment(values: Values) -> str:
    """A case in one line.

    >>> assignment((("k", 3), ("s", (2, 2, 4))))
    'k = 3, s = [2, 2, 4]'
    """
    return ", ".join(f"{name} = {value_text(value)}" for name, value in values)


def verdict_text(result: ClaimResult) -> str:
    """The verdict with its scope; if a `verified` has come without one, that is said."""
    phrase = verdict_phrase(result)
    unscoped = result.verdict is Verdict.VERIFIED and phrase == result.verdict.value
    return phrase + " (scope not given)" if unscoped else phrase


def expectation(result: ClaimResult) -> str:
    """Whether the verdict is what the claim's file expects, in words; empty where the file expects nothing."""
    if result.as_expected is None:
        return ""
    return "as its file expects" if result.as_expected else f"not as its file expects ({result.expected})"


def hypotheses(result: ClaimResult) -> str:
    """How many cases were looked at and in how many the hypotheses held."""
    if result.cases == result.cases_with_hypotheses:
        return f"{count(result.cases, 'case')}; the hypotheses held in {'it' if result.cases == 1 else 'all of them'}"
    return f"{count(result.cases, 'case')}; the hypotheses held in {number(result.cases_with_hypotheses)}"


def reason(result: ClaimResult) -> str:
    """Why a claim is not green, in one line; empty for one that is."""
    match result.verdict:
        case Verdict.REFUTED:
            return _refutation(result)
        case Verdict.VACUOUS:
            return f"the hypotheses hold in none of {count(result.cases, 'case')}"
        case Verdict.ERROR:
            return _first_line(result.error) or "no reason was given"
        case Verdict.INCONCLUSIVE:
            told = [_first_line(r.detail) for r in result.routes if r.detail and r.answer not in ("holds", "fails")]
            return told[0] if told else f"stopped after {count(result.cases, 'case')}"
        case Verdict.INCONSISTENT:
            return "; ".join(f"{r.encoder}: {r.answer}" for r in result.routes) or "an answer could not be reproduced"
        case _:
            return ""


def _refutation(result: ClaimResult) -> str:
    found = result.counterexample
    if found is None:
        searched = result.quantifier == "exists"
        return f"no witness among {count(result.cases, 'case')}" if searched else "the computation comes out false"
    if found.variables:
        return "fails at " + assignment(found.variables)
    return _first_line(found.explanation[0].text) if found.explanation else "the computation comes out false"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def bibliography(work: Work) -> tuple[str, str]:
    """What stands before and after the title of a work.

    >>> bibliography(Work("x", "On Nim", "A. Author", "1901", "Annals 3"))
    ('A. Author (1901).', 'Annals 3.')
    """
    year = f"({work.year})" if work.year else ""
    before = " ".join(part for part in (work.authors, year) if part)
    return before and before.rstrip(".") + ".", work.source and work.source.rstrip(".") + "."


def name(result: ClaimResult) -> str:
    """What the work calls the statement; its role where it has no name there."""
    return result.locator or result.role.capitalize()


def rerun(run: RunResult, result: ClaimResult) -> str:
    """The command that checks this claim again, within the same scope."""
    words = ["python", "-m", "checks", "run", result.id]
    if run.profile != "quick":
        words += ["--scope", run.profile]
    for key, bound in run.overrides:
        words += ["--set", f"{key}={bound}"]
    return shlex.join(words)
