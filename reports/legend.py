"""The verdicts as reports show them: the word for a count, the sign, and one sentence of meaning."""

from __future__ import annotations

from checks.results.verdicts import Verdict

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
    Verdict.PROVED: "settled without bound: it holds in every case of its stated domains, or what it says exists "
    "was found",
    Verdict.VERIFIED: "no counterexample among the cases of the scope, which stands beside the word; "
    "nothing is said of cases outside it",
    Verdict.REFUTED: "there is a counterexample; or the claim that something exists was searched for in its whole "
    "finite domain, in vain",
    Verdict.VACUOUS: "the hypotheses hold nowhere in the scope: nothing was checked",
    Verdict.INCONCLUSIVE: "a limit of time, memory or method was met, or the run was interrupted: nothing is settled",
    Verdict.ERROR: "the claim could not be read or evaluated, or has no value at a case that is named",
    Verdict.INCONSISTENT: "two routes disagree, or the referee could not reproduce an answer: a bug of this tool",
}
