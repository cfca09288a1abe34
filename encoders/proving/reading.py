"""Loading of claim files with their [proof] sections, and the services that a proof rule may use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from claims.language.errors import ClaimError
from claims.language.files.claim import Claim, Proof
from claims.language.files.library import find_faults as find_all
from claims.language.files.library import read_claim, read_with_proof
from claims.language.files.proofs import ProofSection, ReadSection
from encoders.logic.certificates import Certificate
from encoders.logic.sequents import Sequent
from encoders.proving.registry import OF_PARTS, RULES
from encoders.refusals import Unsupported
from encoders.rules.base.rule import MANY_HEAPS, Rule


# == reading ==========================================================================================================
# Claims loaded with every registered proof rule.
def load_claim(path: Path, id: str, text: str | None = None) -> Claim:
    """Return the claim in the file at `path`, with its parsed [proof]. Raises ClaimError for an invalid file.

    `id`: the id of the claim.
    `text`: the contents of the file; None if they must be read from `path`.
    """
    return read_claim(path, id, _readers(), text)


def load_with_proof(claim: Claim, path: Path, proof: Mapping[str, object]) -> Claim:
    """Return a copy of the claim with another [proof] section.

    `path`: the file of the claim.
    `proof`: the new section as decoded TOML. Raises ClaimError if it is invalid.
    """
    return read_with_proof(claim, path, proof, _readers())


def _readers() -> dict[str, ReadSection]:
    return {name: partial(_read_section, name) for name in RULES}


def _read_section(name: str, section: ProofSection) -> Proof:
    if unusual := next((ruleset.unusual for ruleset in section.rulesets if ruleset.unusual), ""):
        expected = "no [proof]: the run then evaluates every case of the scope"
        raise section.source.key_fault(("proof",), f"no proof rule supports the game: {unusual}", expected)
    if name not in OF_PARTS and any(ruleset.heap is not None for ruleset in section.rulesets):
        problem = f"the rule {name!r} does not support games whose heaps have parts"
        rules = " or ".join(f'rule = "{x}"' for x in sorted(OF_PARTS))
        expected = f"{rules}, or no [proof]: the run then evaluates every case of the scope"
        raise section.source.key_fault(("proof",), problem, expected)
    return RULES[name].read(section)


def find_faults(path: Path, id: str) -> tuple[ClaimError, ...]:
    """Return all errors in the claim file at `path`, in the order of `FaultCollector.faults`; () for a valid file."""
    return find_all(path, id, _readers())


def rule_name(claim: Claim) -> str:
    """Return the name of the rule in the [proof] of a claim; "" if there is no [proof]."""
    return "" if claim.proof is None else claim.proof.rule


# == prover ===========================================================================================================
# The services that a proof rule may use. They are separate from the route of proofs, so that showing a proof does not
# load a solver.
class Prover:
    """The services that a proof rule may use (`ProofServices`): the solvers, and the rules of other proofs."""

    def __init__(self, most_heaps: int = MANY_HEAPS) -> None:
        self.most_heaps = most_heaps

    def decide(self, sequent: Sequent) -> bool:
        from encoders.solvers.discharge import decide

        return decide(sequent)

    def is_certain(self, sequent: Sequent) -> bool:
        from encoders.solvers.discharge import is_certain

        return is_certain(sequent)

    def find_certificate(self, sequent: Sequent) -> Certificate:
        from encoders.solvers.automaton import settle
        from encoders.solvers.shipped import find_shipped_certificate

        known = find_shipped_certificate(sequent)
        if known is not None:
            return known
        found = settle(sequent)
        if found.certificate is None:
            reason = f": {found.reason}" if found.reason else ""
            raise Unsupported(f"no certificate of the obligation {sequent.name!r} is found{reason}")
        return found.certificate

    def rule_of(self, claim: Claim) -> Rule:
        return RULES[rule_name(claim)]
