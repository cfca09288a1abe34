"""What the proofs of the library have to show. Posing all of it takes seconds: a process does so once, for all tests.

Tests that ask for most of it belong to the group POSED, so that one process of `pytest -n` runs them.
"""

from functools import cache

import pytest

from claims.language.library.entries import shipped
from claims.language.statement.claim import Claim
from encoders.logic.sequent import Sequent
from encoders.proving.prover import Prover
from encoders.proving.reading import load_claim, rule_name
from encoders.proving.registry import RULES

ENTRIES = {e.id: e for e in shipped()}
WITH_PROOF = [id for id, e in ENTRIES.items() if "[proof" in e.path.read_text("utf-8")]
POSED = pytest.mark.xdist_group("posed")


@cache
def claim_of(id: str) -> Claim:
    """A shipped claim."""
    return load_claim(ENTRIES[id].path, id)


@cache
def posed(id: str) -> tuple[Sequent, ...]:
    """The obligations of its proof, in their order."""
    claim = claim_of(id)
    return tuple(RULES[rule_name(claim)].obligations(claim, Prover()))
