"""The layers of the code, from bottom to top: the folders of each, and the lower layers that each may import.

A module belongs to the longest name here that is a prefix of its name. It may import its own layer and the layers
listed next to it. A layer lists only layers above it in this table, so no layer depends on itself through others.
"""

from __future__ import annotations

LAYERS: dict[str, str] = {
    "claims.language": "",
    "claims.language.syntax": "claims.language",
    "claims.language.files": "claims.language claims.language.syntax",
    "claims.language.typesetting": "claims.language.syntax",
    "encoders.trust": "claims",
    "encoders.refusals": "claims encoders.trust",
    "encoders.kernel": "encoders.refusals",
    "encoders.periods": "claims encoders.refusals encoders.kernel",
    "encoders.logic": "claims encoders.trust encoders.refusals encoders.periods",
    "encoders.compute.arrays": "claims encoders.trust encoders.refusals encoders.kernel encoders.logic",
    "encoders.compute.compound": "claims encoders.trust encoders.kernel encoders.logic encoders.compute.arrays",
    "encoders.compute.native": "claims encoders.trust encoders.logic encoders.compute.arrays encoders.compute.compound",
    "encoders.compute": "claims encoders.trust encoders.refusals encoders.logic encoders.compute.arrays "
    "encoders.compute.compound encoders.compute.native",
    "encoders.rules.base": "claims encoders.trust encoders.refusals encoders.logic",
    "encoders.coq": "claims encoders.trust encoders.refusals encoders.logic encoders.rules.base",
    "encoders.rules.folds": "claims encoders.trust encoders.refusals encoders.logic encoders.rules.base encoders.coq",
    "encoders.rules": "claims encoders.trust encoders.refusals encoders.logic encoders.rules.base encoders.coq "
    "encoders.rules.folds",
    "encoders.rules.grundy": "claims encoders.trust encoders.refusals encoders.logic encoders.rules.base encoders.coq",
    "encoders.rules.periodic": "claims encoders.trust encoders.refusals encoders.periods encoders.logic "
    "encoders.compute.arrays encoders.rules.base encoders.coq",
    "encoders.z3_library": "",
    "encoders.solvers": "claims encoders.trust encoders.refusals encoders.periods encoders.logic "
    "encoders.compute.arrays encoders.z3_library",
    "encoders.bounded": "claims encoders.trust encoders.refusals encoders.logic encoders.solvers",
    "encoders.proving": "claims encoders.trust encoders.refusals encoders.periods encoders.logic "
    "encoders.rules.base encoders.coq encoders.rules.folds encoders.rules "
    "encoders.rules.grundy encoders.rules.periodic encoders.solvers",
    "encoders.search": "claims encoders.trust encoders.refusals encoders.logic encoders.compute.arrays "
    "encoders.rules.base encoders.rules.folds encoders.rules encoders.rules.grundy encoders.solvers "
    "encoders.proving",
    "checks.referee": "claims",
    "checks.results": "claims encoders.trust encoders.logic",
    "checks.judgement": "claims encoders checks.referee checks.results",
    "checks.cache": "claims encoders.logic encoders.solvers checks.results checks.judgement",
    "checks.presentation": "claims encoders checks.referee checks.results checks.judgement",
    "checks.boards": "claims encoders.trust encoders.refusals encoders.logic encoders.compute.arrays "
    "encoders.compute.compound checks.referee checks.results checks.judgement "
    "checks.presentation",
    "checks.receipts": "claims encoders checks.referee checks.results checks.judgement checks.boards",
    "checks.execution": "claims encoders checks.results checks.judgement checks.cache checks.presentation "
    "checks.boards checks.receipts",
    "reports.model": "claims encoders.trust encoders.logic checks.results",
    "reports.page": "claims checks.results reports.model",
    "reports": "claims checks.results reports.model reports.page",
    "checks.command": "claims encoders checks.referee checks.results checks.judgement checks.cache "
    "checks.presentation checks.boards checks.receipts checks.execution reports",
    "checks": "claims encoders.proving checks.results checks.judgement checks.boards checks.execution checks.command",
}


def layer_of(module: str) -> str | None:
    """Return the layer of a module."""
    found = (layer for layer in LAYERS if module == layer or module.startswith(f"{layer}."))
    return max(found, key=len, default=None)


def allowed(layer: str) -> set[str]:
    """Return the layers that a layer may import, including itself; `claims` and `encoders` mean all their layers."""
    words = LAYERS[layer].split()
    wings = tuple(f"{word}." for word in words if word in ("claims", "encoders"))
    return {layer, *words, *(other for other in LAYERS if wings and other.startswith(wings))}
