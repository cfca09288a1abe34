"""Results of claims with proofs, made without a solver.

Either every obligation is proved, or every obligation before one that fails.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from samples import BARE, alter

from checks.presentation.mathematics import show_proof
from checks.results.model import ClaimResult, RouteRecord
from checks.results.verdicts import Verdict
from claims.language.files.claim import Claim
from claims.language.files.library import list_library
from encoders.logic.answer import Decision, Obligation, ObligationStatus
from encoders.proving.reading import Prover, load_claim, rule_name
from encoders.proving.registry import RULES

ENTRIES = {e.id: e for e in list_library()}
VALUES = (("X of s", 1), ("heap of s", 3), ("new size", 0))


def load(id: str) -> Claim:
    """Return a shipped claim."""
    return load_claim(ENTRIES[id].path, id)


def load_wrong(folder: Path) -> Claim:
    """Return Bouton's theorem with a wrong move in its proof: the move takes the whole heap."""
    path = folder / "wrong.toml"
    path.write_text(ENTRIES["nim/bouton"].path.read_text("utf-8").replace("h - (h ^ X)", "h"), "utf-8")
    return load_claim(path, "wrong")


def settle_by_hand(claim: Claim, failing: str = "") -> ClaimResult:
    """Return the result of a claim as if Z3 had proved each obligation in 0.03 s.

    `failing`: the name of an obligation that fails. The proof stops there.
    """
    tried: list[Obligation] = []
    for sequent in RULES[rule_name(claim)].obligations(claim, Prover()):
        found = Obligation(
            sequent.name, ObligationStatus.PROVED, seconds=0.03, formula="ab" * 32, solvers=("Z3",), sequent=sequent
        )
        if sequent.name == failing:
            at = "fails at " + ", ".join(f"{n} = {v}" for n, v in VALUES)
            found = replace(found, result=ObligationStatus.FAILED, detail=at, values=VALUES, solvers=("evaluation",))
        tried.append(found)
        if not found.proved:
            break
    done = all(o.proved for o in tried)
    rule = rule_name(claim)
    return alter(
        BARE,
        id=claim.id,
        title=claim.description.title,
        work=claim.description.work,
        locator=claim.description.locator,
        text=claim.description.statement,
        domains=tuple((v.name, v.text) for v in claim.variables),
        verdict=Verdict.PROVED if done else Verdict.INCONCLUSIVE,
        not_established="" if done else f"a proof: {failing}",
        routes=(RouteRecord(rule, Decision.HOLDS if done else Decision.UNKNOWN, (), 0, 0.5, ""),),
        obligations=tuple(replace(o, sequent=None) for o in tried),
        proof=show_proof(claim, tuple(tried)),
    )
