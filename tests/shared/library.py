"""The shipped claims: each settled once in a run of pytest, whichever test and whichever process asks first.

Posing all that their proofs have to show takes seconds: a process does so once. Tests that ask for most of it belong to
the group POSED, so that one process of `pytest -n` runs them.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import time
from collections.abc import Callable
from contextlib import chdir
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
from selection import TESTS, shared

from checks.cache.identity import digest_files, digest_source, list_versions
from checks.cache.keys import Program
from checks.cache.place import CachePlace, open_place
from checks.cache.proofs import Sources, open_certificates
from checks.cache.results import Results
from checks.cache.store import Store
from checks.execution.entry import settle_entry
from checks.judgement.account.hints import _text_of as look_at
from checks.judgement.options import Options
from checks.results.model import ClaimResult
from claims.language.library import entries
from claims.language.library.entries import Entry, list_lemmas, shipped
from claims.language.library.entries import _list_shipped as list_shipped
from claims.language.library.works import LIBRARY
from claims.language.statement.claim import Claim
from claims.language.statement.variants import find_variant
from claims.language.toml.trail import Seen, follow
from encoders.logic.naturals.memory import CertificateStore, using
from encoders.logic.sequent import Sequent
from encoders.logic.solvers.effort import USUAL
from encoders.proving.prover import Prover
from encoders.proving.reading import load_claim, rule_name
from encoders.proving.registry import RULES

ENTRIES = {e.id: e for e in shipped()}
WITH_PROOF = [  # variants of the library have none
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
DEAR = {"kl-nim/complete-solution"}  # the proofs of three others, again for what each case leaves of the claim
# Of these the tests want to know that all seeds agree; of the dear ones the slow tests do.
STABLE = {id for ids in PROVED.values() for id in ids.split()} - DEAR
ONE_SEED = Options(effort=replace(USUAL, seeds=USUAL.seeds[:1]))
T = TypeVar("T")
PATIENCE = 300  # seconds for another process to settle a claim


def digest_tree() -> str:
    """Of all that shared results come from: whatever is changed, they are found anew."""
    files = (*LIBRARY.rglob("*.toml"), *Path(__file__).parent.glob("*.py"))
    parts = digest_source(), *list_versions(), digest_files((path.as_posix(), path) for path in sorted(files))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def certificates() -> CertificateStore | None:
    """Those that come with the library, as in a plain run; read once in a process."""
    return open_certificates(Sources())


@lru_cache(maxsize=5_000)
def _find_once(find: Callable[..., Any], here: str, *asked: Any) -> tuple[Any, Seen]:
    with shared(), follow() as trail:
        return find(*asked), trail.seen


def _once(find: Callable[..., T], *asked: Any) -> T:
    """What is found in the library, once in a process; what was seen for it is noted each time to have been seen."""
    found, seen = _find_once(find, str(Path.cwd()), *asked)  # what was seen is named as one calls it from here
    with follow() as trail:
        for name, state in seen:
            trail.note(Path(name), state)
    return cast(T, found)


def load_once(path: Path, id: str) -> Claim:
    """As `load_claim`, of a shipped claim once."""
    return _once(load_claim, path, id) if path.is_relative_to(LIBRARY) else load_claim(path, id)


def look_once(path: Path) -> bytes:
    """As hints look at a text, at a shipped one once."""
    return _once(look_at, path) if path.is_relative_to(LIBRARY) else look_at(path)


def list_once() -> tuple[Entry, ...]:
    """As claims are listed, those of the library once."""
    return _once(list_shipped) if entries.LIBRARY == LIBRARY else list_shipped()


def claim_of(id: str) -> Claim:
    """A shipped claim."""
    return load_once(ENTRIES[id].path, id)


@cache
def posed(id: str) -> tuple[Sequent, ...]:
    """The obligations of its proof, in their order."""
    claim = claim_of(id)
    return tuple(RULES[rule_name(claim)].obligations(claim, Prover()))


def open_kept() -> Results | None:
    """What a run of this tree has kept, where CHECKS_KEPT was its cache and a file beside that its secret.

    It had no second solver, which tests have, and a plain run does not ask.
    """
    if not (given := os.environ.get("CHECKS_KEPT")):
        return None
    place = CachePlace(Path(given), Path(f"{given}-secret"))
    versions = tuple("cvc5 none" if version.startswith("cvc5 ") else version for version in list_versions())
    return Results(Store(place.database, open_place(place)), Program(digest_source(), versions))


class Library:
    """`library(id)`: the result for a shipped claim with the options of a plain run, shared through the folder.

    With one seed of Z3 instead of three where no test asks for more: .ci/run settles the whole library with all three.
    Certificates are those that come with the library, checked, as in a plain run. `kept`: from there all is taken over.
    """

    def __init__(self, folder: Path, kept: Results | None = None) -> None:
        self.folder, self.kept = folder / "library", kept
        self.folder.mkdir(exist_ok=True)
        self.known: dict[str, ClaimResult] = {}

    def __call__(self, id: str) -> ClaimResult:
        if id not in self.known:
            with shared():
                self.known[id] = self._found(id)
        return self.known[id]

    def _found(self, id: str) -> ClaimResult:
        settled = {lemma.file: self(lemma.id).as_lemma for lemma in list_lemmas(ENTRIES[id])}
        if self.kept:
            with chdir(TESTS.parent):  # what is kept names files as one calls them from there
                kept = self.kept.find(ENTRIES[id], Options(), settled)
            assert kept is not None, f"the run whose results are to be taken has kept none of {id}"
            return kept
        path = self._locate(id)
        if self._is_ours(path.with_suffix(".lock")):
            with using(certificates()):
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
