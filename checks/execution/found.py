"""Settle a claim that a search found. This is done as in a run, so that the search need not be trusted."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from checks.execution.execute import execute
from checks.execution.settle import settle_claim, settle_entry_safely
from checks.judgement.routes import choose_prover
from checks.judgement.scopes import Options, Overrides, scope_for
from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict
from checks.results.wording import scope_phrase, verdict_phrase
from claims.language.files.claim import Claim
from claims.language.files.library import Entry, add_lemmas
from encoders.compute.exhaustive import decide_by_search as exhaustive
from encoders.proving.reading import load_with_proof
from encoders.search.find import SearchProgress, SearchStage, open_workspace
from encoders.search.question import SearchProblem
from encoders.search.writing import FOUND

MORE_HEAPS, MORE_SIZES = "5..6", "1..4"  # positions at which a fitted formula is tested before it is written
FIRST_SEARCH = 5.0  # seconds of the search for a counterexample, before a proof is searched for


@dataclass(frozen=True)
class SettledOutcome:
    """The outcome of a search after its claim was settled.

    `text`: the claim file if the claim is proved or verified, otherwise "".
    `result`: the result for this file. If `text` is "", the result of the last claim that was settled, or None.
    `obstacle`: the reason why the claim is not proved.
    """

    text: str
    result: ClaimResult | None
    obstacle: str


def settle_outcome(question: SearchProblem, outcome: SearchProgress) -> SettledOutcome:
    """Settle the claim that a search found, with its [proof]. If it is not proved, settle it without the [proof].

    A claim that is only verified is also settled at larger positions. If it is refuted there, it is not returned.
    """
    texts = {
        SearchStage.NOTHING: [],
        SearchStage.FORMULA: [outcome.text],
        SearchStage.PROOF: [outcome.text, outcome.formula],
    }
    obstacle, result = outcome.obstacle, None
    for text in texts[outcome.stage]:
        result = settle_text(question, text)
        if result.verdict is Verdict.PROVED:
            return SettledOutcome(text, result, obstacle)
        if result.verdict is Verdict.VERIFIED:
            beyond = _settle_beyond(question, text)
            if beyond is None or beyond.verdict is not Verdict.REFUTED:
                return SettledOutcome(_mark_guess(text, beyond), result, obstacle)
            obstacle = f"a formula that fits small positions is {verdict_phrase(beyond)}"
            continue
        if result.verdict is Verdict.INCONSISTENT:
            return SettledOutcome("", result, result.finding.error)
        obstacle = f"the checker reports {verdict_phrase(result)}: {result.statement.text}"
    return SettledOutcome("", result, obstacle)


def settle_text(question: SearchProblem, text: str, overrides: Overrides = ()) -> ClaimResult:
    """Return the result of `run` for a claim file about the game of the search."""
    with open_workspace(question) as workspace:
        return settle_entry_safely(Entry("found", workspace.write_claim(text)), Options(overrides=overrides))


def _settle_beyond(question: SearchProblem, text: str) -> ClaimResult | None:
    """Settle a claim in a larger scope: with more heaps, and up to larger sizes, than the scope in its file.

    Return None if the scope of the claim has no position.
    """
    scope = tomllib.loads(text)["scope"]
    names = [name for name, bound in scope.items() if isinstance(bound, dict) and "heaps" in bound]
    more = tuple(x for name in names for x in ((f"{name}.heaps", MORE_HEAPS), (f"{name}.size", MORE_SIZES)))
    return settle_text(question, text, more) if more else None


def _mark_guess(text: str, beyond: ClaimResult | None) -> str:
    """Return the claim file with a comment that its formula is a guess.

    If the claim was also verified in a larger scope, the comment contains this scope.
    """
    tested = ""
    if beyond is not None and beyond.verdict is Verdict.VERIFIED:
        tested = f" It was tested beyond them: {scope_phrase(beyond.finding.scope)}."
    return text.replace(FOUND, f"# A guess: this formula was fitted to small positions, and has no proof.{tested}", 1)


def find_refutation(claim: Claim) -> ClaimResult | None:
    """Return the result of a claim if a search of a few seconds refutes the claim in its scope, otherwise None."""
    options = Options()
    scope = scope_for(claim, options.profile, options.overrides)
    result = settle_claim(claim, scope, exhaustive, FIRST_SEARCH)
    return result if result.verdict is Verdict.REFUTED else None


def settle_with(claim: Claim, path: Path, proof: str) -> ClaimResult:
    """Settle the lemmas of this [proof], then the claim with this [proof], and return its result."""
    options = Options()
    made = load_with_proof(claim, path, tomllib.loads(proof)["proof"])
    entries = add_lemmas(Entry(lemma.id, lemma.path) for lemma in made.lemmas)
    found = execute(entries, options, 1, lambda _, __: None).results
    settled = {entry.file: result.as_lemma for entry, result in zip(entries, found, strict=True)}
    scope = scope_for(made, options.profile, options.overrides)
    prover = choose_prover(made, (), options.effort)
    return settle_claim(made, scope, exhaustive, options.budget, prover, settled=settled)
