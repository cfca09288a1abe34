"""The layers of the house, from the ground up: which folders are one, and which of those below it each may import.

A module belongs to the longest name here that begins its own; it may import its own layer and those that stand beside
it.  A layer names only layers above it in this table, so that none rests on itself by way of others.
"""

from __future__ import annotations

LANGUAGE = "claims.language"
TERMS = f"{LANGUAGE}.terms {LANGUAGE}.builtins {LANGUAGE}.expressions"
FOUND = "claims encoders.ground encoders.answer"  # what encoders are asked, and what they say

LAYERS: dict[str, str] = {
    # what is claimed
    f"{LANGUAGE}.ground": "",
    f"{LANGUAGE}.toml": f"{LANGUAGE}.ground",
    f"{LANGUAGE}.grammar": f"{LANGUAGE}.ground",
    f"{LANGUAGE}.terms": "",
    f"{LANGUAGE}.builtins": f"{LANGUAGE}.grammar {LANGUAGE}.terms",
    f"{LANGUAGE}.expressions": f"{LANGUAGE}.ground {LANGUAGE}.grammar {LANGUAGE}.terms {LANGUAGE}.builtins",
    f"{LANGUAGE}.typeset": TERMS,
    f"{LANGUAGE}.heaps": f"{LANGUAGE}.ground {LANGUAGE}.toml {LANGUAGE}.grammar {TERMS}",
    f"{LANGUAGE}.statement": f"{LANGUAGE}.ground {LANGUAGE}.toml {LANGUAGE}.grammar {LANGUAGE}.heaps {TERMS}",
    f"{LANGUAGE}.proofs": f"{LANGUAGE}.ground {LANGUAGE}.toml {LANGUAGE}.statement {TERMS}",
    f"{LANGUAGE}.library": " ".join(
        (*(f"{LANGUAGE}.{room}" for room in ("ground", "toml", "heaps", "statement", "proofs")), TERMS)
    ),
    # ways to settle a claim
    "encoders.ground": "claims",
    "encoders.kernel": f"{LANGUAGE}.ground encoders.ground",
    "encoders.periods": f"{LANGUAGE}.ground encoders.ground encoders.kernel",
    "encoders.logic": "claims encoders.ground encoders.periods",
    "encoders.logic.smt": "claims encoders.ground encoders.logic",
    "encoders.logic.naturals.certificates": f"{LANGUAGE}.ground",
    "encoders.answer": "claims encoders.ground encoders.logic encoders.logic.naturals.certificates",
    "encoders.exhaustive": f"{FOUND} encoders.kernel",
    "encoders.logic.naturals": "claims encoders.ground encoders.logic encoders.logic.naturals.certificates",
    "encoders.logic.solvers": "claims encoders.ground encoders.logic encoders.logic.smt encoders.exhaustive "
    "encoders.logic.naturals encoders.logic.naturals.certificates",
    "encoders.logic.discharge": f"{FOUND} encoders.periods encoders.logic encoders.logic.smt encoders.exhaustive "
    "encoders.logic.naturals encoders.logic.naturals.certificates encoders.logic.solvers",
    "encoders.rules": "claims encoders.ground encoders.periods encoders.logic encoders.logic.smt encoders.exhaustive",
    "encoders.bounded": f"{FOUND} encoders.logic encoders.logic.smt encoders.logic.solvers",
    "encoders.closed": f"{FOUND} encoders.logic encoders.logic.discharge encoders.rules",
    "encoders.proving": f"{FOUND} encoders.periods encoders.logic encoders.logic.solvers encoders.logic.discharge "
    "encoders.rules",
    "encoders.search": f"{FOUND} encoders.exhaustive encoders.logic encoders.logic.solvers encoders.logic.discharge "
    "encoders.rules encoders.proving",
    "encoders.coq": "claims encoders.ground encoders.periods encoders.logic encoders.logic.naturals.certificates "
    "encoders.rules encoders.proving",
    # the run
    "checks.referee": "claims",
    "checks.tables": "claims checks.referee",
    "checks.results.evidence": FOUND,
    "checks.results": f"{FOUND} checks.results.evidence",
    "checks.judgement": "claims encoders checks.referee checks.tables checks.results checks.results.evidence",
    "checks.illustration": f"{FOUND} encoders.exhaustive checks.referee checks.results checks.results.evidence "
    "checks.judgement",
    "checks.mutation": f"{FOUND} checks.results",
    "checks.cache": "claims encoders checks.results checks.judgement",
    "checks.receipts": "claims encoders checks.referee checks.results checks.results.evidence checks.judgement "
    "checks.illustration",
    "checks.execution": "claims encoders checks.results checks.judgement checks.illustration checks.mutation "
    "checks.receipts checks.cache",
    "checks.terminal": "claims encoders checks.results checks.judgement checks.cache",
    # what people read
    "reports.ground": "checks.results",
    "reports": f"{LANGUAGE}.ground checks.results reports.ground",
    "reports.comparison": f"{LANGUAGE}.ground checks.results reports.ground reports",
    # what is called
    "checks.command": "claims encoders checks.referee checks.results checks.results.evidence checks.judgement "
    "checks.illustration checks.mutation checks.receipts checks.cache checks.execution checks.terminal reports "
    "reports.comparison",
    "checks": "claims encoders checks.results checks.judgement checks.execution checks.command",
}


def layer_of(module: str) -> str | None:
    """The layer that a module belongs to."""
    found = (layer for layer in LAYERS if module == layer or module.startswith(f"{layer}."))
    return max(found, key=len, default=None)


def allowed(layer: str) -> set[str]:
    """The layers that one may import, itself among them; `claims` and `encoders` stand for all of theirs."""
    words = LAYERS[layer].split()
    wings = tuple(f"{word}." for word in words if word in ("claims", "encoders"))
    return {layer, *words, *(other for other in LAYERS if wings and other.startswith(wings))}
