"""Load claims with all rules of proof, and let a rule ask another rule."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from claims.language.errors import ClaimError
from claims.language.files.claim import Claim, Proof
from claims.language.files.library import find_faults as find_all
from claims.language.files.library import read_claim, read_with_proof
from claims.language.files.proofs import ProofSection, ReadSection
from encoders.logic.sequents import Sequent
from encoders.proving.registry import OF_PARTS, RULES
from encoders.rules.base.rule import Rule


# == reading ==========================================================================================================
# Claims read with all the rules of proof that there are.
def load_claim(path: Path, id: str, text: str | None = None) -> Claim:
    """Read the claim file at `path`, or this `text` as if it stood there, its [proof] by the rule that it names.

    Raises ClaimError.
    """
    return read_claim(path, id, _readers(), text)


def load_with_proof(claim: Claim, path: Path, proof: Mapping[str, object]) -> Claim:
    """The claim of the file at `path` with another [proof], read by the rule that that names. Raises ClaimError."""
    return read_with_proof(claim, path, proof, _readers())


def _readers() -> dict[str, ReadSection]:
    return {name: partial(_read_section, name) for name in RULES}


def _read_section(name: str, section: ProofSection) -> Proof:
    if unusual := next((ruleset.unusual for ruleset in section.rulesets if ruleset.unusual), ""):
        expected = "no [proof]: every case of the scope is looked at"
        raise section.source.key_fault(("proof",), f"no rule of proof reads the game: {unusual}", expected)
    if name not in OF_PARTS and any(ruleset.heap is not None for ruleset in section.rulesets):
        problem = f"the rule {name!r} reads no game whose heaps have parts"
        rules = " or ".join(f'rule = "{x}"' for x in sorted(OF_PARTS))
        expected = f"{rules}, or no [proof]: every case of the scope is looked at"
        raise section.source.key_fault(("proof",), problem, expected)
    return RULES[name].read(section)


def find_faults(path: Path, id: str) -> tuple[ClaimError, ...]:
    """All faults of the claim file at `path`, as `Gathered.faults` orders them; () for one that can be read."""
    return find_all(path, id, _readers())


def rule_name(claim: Claim) -> str:
    """The name of the rule that a claim's [proof] names; "" without one."""
    return "" if claim.proof is None else claim.proof.rule


# == prover ===========================================================================================================
# What rules of proof may ask of others. Apart from the route of proofs, so that showing a proof loads no solver.
class Prover:
    """See `Surroundings`."""

    def decide(self, sequent: Sequent) -> bool:
        from encoders.solvers.discharge import decide

        return decide(sequent)

    def is_certain(self, sequent: Sequent) -> bool:
        from encoders.solvers.discharge import is_certain

        return is_certain(sequent)

    def rule_of(self, claim: Claim) -> Rule:
        return RULES[rule_name(claim)]
