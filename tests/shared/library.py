"""The claims of the library. Each is settled once in a run of pytest, by the first process that needs it.

To state the obligations of all proofs takes seconds, so a process does this only once. Tests that need most of the
obligations have the mark POSED, so that one process of `pytest -n` runs all of these tests.
"""

from __future__ import annotations

import os
import pickle
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from checks.cache.certificates import CertificateSources, open_certificates
from checks.execution.settle import settle_entry
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult
from claims.language.files.claim import Claim, find_variant
from claims.language.files.library import list_lemmas, list_library
from encoders.logic.sequents import Sequent
from encoders.proving.reading import Prover, load_claim, rule_name
from encoders.proving.registry import RULES
from encoders.solvers.effort import USUAL, CertificateStore, using_store

ENTRIES = {e.id: e for e in list_library()}
WITH_PROOF = [  # variants of the library do not have proofs
    id for id, e in ENTRIES.items() if "[proof" in e.path.read_text("utf-8") and not find_variant(id, e.path)
]
POSED = pytest.mark.xdist_group("posed")
PROVED = {  # for every value of every variable
    "all": """kl-nim/theorem-6 kl-nim/corollary-7 kl-nim/theorem-6-values-below kl-nim/theorem-6-forbidden-value
        kl-nim/table-1 bash-nim/single-heap bash-nim/grundy large-nim/lemma-1 large-nim/theorem-1-single-heap
        large-nim/theorem-1 large-nim/theorem-2 large-nim/theorem-3 large-nim/equation-5
        bash-nim/theorem kl-nim/sums classics/half-nim-sums
        classics/half-nim classics/half-nim-lost-heaps classics/half-nim-of-the-heap-repaired
        nim/bouton nim/zero-sum-moves nim/reachability nim/winning-moves nim/misere
        kl-nim/theorem-12 kl-nim/theorem-14 kl-nim/corollary-15 kl-nim/complete-solution""",
}
DEAR = {"kl-nim/complete-solution"}  # it uses the proofs of three other claims again, for each case
# The tests check that all seeds agree on these; for the expensive ones, the slow tests do.
STABLE = {id for ids in PROVED.values() for id in ids.split()} - DEAR
ONE_SEED = Options(effort=replace(USUAL, seeds=USUAL.seeds[:1]))
PATIENCE = 300  # seconds to wait while another process settles a claim


@cache
def certificates() -> CertificateStore | None:
    """Return the certificates of the library, as in a plain run. A process reads them only once."""
    return open_certificates(CertificateSources())


@cache
def load_once(path: Path, id: str) -> Claim:
    """Load a claim, once in a process."""
    return load_claim(path, id)


def claim_of(id: str) -> Claim:
    """Return a shipped claim."""
    return load_once(ENTRIES[id].path, id)


@cache
def posed(id: str) -> tuple[Sequent, ...]:
    """Return the obligations of the proof of a claim, in order."""
    claim = claim_of(id)
    return tuple(RULES[rule_name(claim)].obligations(claim, Prover()))


class Library:
    """The results of the claims of the library, with the options of a plain run. `library(id)` returns a result.

    Processes share the results in a folder. `.ci/run` names one in the variable SETTLED_LIBRARY, so that its slow tests
    use the results of its other tests.

    Z3 runs with one seed, except for claims whose tests need three seeds. The certificates of the library are checked,
    as in a plain run.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.environ.get("SETTLED_LIBRARY") or folder / "library")
        self.folder.mkdir(exist_ok=True)
        self.known: dict[str, ClaimResult] = {}

    def __call__(self, id: str) -> ClaimResult:
        if id not in self.known:
            self.known[id] = self._found(id)
        return self.known[id]

    def _found(self, id: str) -> ClaimResult:
        settled = {lemma.file: self(lemma.id).as_lemma for lemma in list_lemmas(ENTRIES[id])}
        path = self._locate(id)
        if self._is_ours(path.with_suffix(".lock")):
            with using_store(certificates()):
                result = settle_entry(ENTRIES[id], Options() if id in STABLE else ONE_SEED, settled)
            beside = path.with_suffix(".new")
            beside.write_bytes(pickle.dumps(result))
            beside.replace(path)
            return result
        until = time.monotonic() + PATIENCE
        while not path.exists():
            assert time.monotonic() < until, f"the process that settles {id} has not done so in {PATIENCE} s"
            time.sleep(0.05)
        result = pickle.loads(path.read_bytes())
        assert isinstance(result, ClaimResult)
        return result

    def _locate(self, id: str) -> Path:
        return self.folder / f"{id.replace('/', ' ')}.pickle"

    def _is_ours(self, lock: Path) -> bool:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True
