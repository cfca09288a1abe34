"""A test of hints: for each hint with a rule, a draft of a proof by it is tried as if it were in the file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from library import load_once
from samples import BARE, alter

from checks.presentation.hints import give_hints
from checks.results.verdicts import Verdict
from claims.language.errors import ClaimError
from claims.language.files.claim import Claim
from claims.language.files.library import list_library
from claims.language.syntax.printing import TooLong
from encoders.proving.reading import Prover, load_with_proof, rule_name
from encoders.proving.suggestions import Suggestion, suggest
from encoders.refusals import Unsupported
from encoders.solvers.discharge import identify

TESTS = Path(__file__).parents[2]
FOLDERS = tuple(TESTS / name for name in ("claims/conjectures", "claims/restricted", "workshop/parents"))
UNTOLD = 45  # attacks without a hint for the rule that they misuse; most of them should get none


def list_claims(*folders: Path) -> Iterator[tuple[Path, Claim]]:
    """Yield the valid claims of the folders, each with the path of its file."""
    for path in (x for folder in folders for x in sorted(folder.glob("*.toml"))):
        try:
            yield path, load_once(path, f"{path.parent.name}/{path.stem}")
        except ClaimError:
            continue  # some attacks have invalid files


def suggest_all(path: Path, claim: Claim) -> tuple[Suggestion, ...]:
    """Return the rules suggested for a claim without its [proof]."""
    beside = [x.stem for x in sorted(path.parent.glob("*.toml")) if x != path and "[proof]" in x.read_text("utf-8")]
    return tuple(suggest(replace(claim, proof=None), path, beside[:6]))


def is_read(path: Path, claim: Claim, hint: Suggestion) -> bool:
    """Whether every obligation of the draft can be stated, and given to a solver."""
    try:
        made = load_with_proof(replace(claim, proof=None), path, hint.draft)
        rule = Prover().rule_of(made)
        return all(identify(sequent) for sequent in rule.obligations(made, Prover()))
    except (ClaimError, Unsupported, TooLong):
        return False


def probe(claims: list[tuple[Path, Claim]]) -> tuple[int, int, list[str]]:
    """Return (number of hints with a rule, number of accepted drafts, claims without a hint for their own rule)."""
    named = read = 0
    untold = []
    for path, claim in claims:
        hints = suggest_all(path, claim)
        named += len(hints)
        read += sum(is_read(path, claim, hint) for hint in hints)
        if claim.proof is not None and not claim.lemmas and rule_name(claim) not in {x.rule for x in hints}:
            untold.append(f"{claim.id}: {rule_name(claim)}")
    told = f"{read} of {named} hints name a rule that reads a draft for the claim"
    sys.stdout.write(f"{told}; {len(untold)} claims are not told their own rule\n")
    return named, read, untold


@pytest.mark.slow
def test_rules_that_hints_name_read_a_draft() -> None:
    """Claims without lemmas also get a hint for the rule of their own proof."""
    named, read, untold = probe(list(list_claims(*FOLDERS)))
    assert named >= 15 and read >= 0.95 * named
    assert untold == ["parents/some-whole: cases"]  # its cases fix a number of heaps, which no hint proposes


@pytest.mark.slow  # test_hints.py covers a sample of the shipped claims without their proofs
@pytest.mark.parametrize("of", ["the library", "the tests"])
def test_of_all_claims_that_there_are(of: str, attacks: Path) -> None:
    entries = [(e.path, load_once(e.path, e.id)) for e in list_library()]
    named, read, untold = probe(entries if of == "the library" else list(list_claims(*FOLDERS, attacks)))
    assert named >= 100 and read >= 0.95 * named
    if of == "the library":
        # hints search few heaps for a period; the elements of the quotient are stated, and no draft finds them
        assert untold == ["heaps/octal-127: periodic", "heaps/octal-16: periodic", "heaps/misere-kayles: quotient"]
    assert len(untold) <= UNTOLD, untold


@pytest.mark.slow
def test_what_a_run_says_is_what_is_probed() -> None:
    for path, claim in list_claims(FOLDERS[-1]):
        bare = replace(claim, proof=None)
        said = give_hints(bare, path, alter(BARE, verdict=Verdict.VERIFIED))
        for hint in suggest_all(path, claim):
            assert any(x == f"might be proved by {hint.words}" for x in said), path
