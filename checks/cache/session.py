"""The cache during one run. It may be lost on the way, which is said once; the run goes on without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from checks.cache.comparing import contradict
from checks.cache.identity import digest_source, list_versions
from checks.cache.keys import Program
from checks.cache.pages import find_page, keep_page
from checks.cache.place import BadPlace, find_place, open_place
from checks.cache.proofs import CertificateSources, Partition
from checks.cache.results import ResultCache, is_final
from checks.cache.store import Store, StoreFault
from checks.judgement.options import Options
from checks.results.lemmas import SettledLemmas
from checks.results.model import ClaimResult, RunResult
from claims.language.library.entries import Entry

_T = TypeVar("_T")
TAKEN = CertificateSources()  # those that come with the library


class CacheSession:
    """Finds and keeps results; without `results` it does neither. Nothing is raised.

    `recheck`: nothing is taken over; what is found is compared with what is settled anew.  `warn`: says why the cache
    was lost.  `compared`: how many results were.  `sources`: from where those who settle claims take certificates.
    """

    def __init__(
        self,
        results: ResultCache | None = None,
        recheck: bool = False,
        warn: Callable[[str], None] = lambda _: None,
        sources: CertificateSources = TAKEN,
    ) -> None:
        self._results, self._recheck, self._warn = results, recheck, warn
        self.sources = replace(sources, partition=None) if recheck else sources
        self.compared = 0

    def find(self, entry: Entry, options: Options, settled: SettledLemmas) -> ClaimResult | None:
        """The result of an earlier run, to be taken over."""
        return None if self._recheck else self._find(entry, options, settled)

    def take(self, entry: Entry, options: Options, settled: SettledLemmas, result: ClaimResult) -> ClaimResult:
        """The result that this run came to, which is kept; or a loud one where, on a recheck, another is kept.

        Where this run met a limit it contradicts nothing.
        """
        kept = self._find(entry, options, settled) if self._recheck else None
        self.compared += kept is not None
        told = contradict(kept, result) if kept is not None and is_final(result) else result
        if told is not result:
            self._try(lambda results: results.drop(entry, options, settled, result))
        elif kept is None:
            self._try(lambda results: results.keep(entry, options, settled, result))
        return told

    def remember(self, run: RunResult, make: Callable[[], str]) -> str:
        """What is made of a run; taken over if it was made before, of the very results that are kept now.

        On a recheck the results are this run's own, whatever is kept: it is made.
        """
        if self._recheck:
            return make()
        found = self._try(lambda results: find_page(results, run))
        if found is not None:
            return found
        text = make()
        self._try(lambda results: keep_page(results, run, text))
        return text

    def close(self) -> None:
        """Let go of the database."""
        if self._results is not None:
            self._results.store.close()

    def _find(self, entry: Entry, options: Options, settled: SettledLemmas) -> ClaimResult | None:
        return self._try(lambda results: results.find(entry, options, settled))

    def _try(self, work: Callable[[ResultCache], _T]) -> _T | None:
        if self._results is None:
            return None
        try:
            return work(self._results)
        except StoreFault as fault:
            self.close()
            self._results = None
            self._warn(f"no cache from here on: {fault}")
            return None


@contextmanager
def open_session(folder: Path | None, recheck: bool, anew: bool, warn: Callable[[str], None]) -> Iterator[CacheSession]:
    """The cache of a run. `folder`: where it is to lie, None for where the environment says or the system has such.

    `anew`: all certificates are searched for; they are kept, but no results, which might be others by another Z3.
    Where there can be none, it is said why.
    """
    session = CacheSession(sources=CertificateSources(anew=anew))
    place = find_place(folder)
    if place is not None:
        try:
            secret, program = open_place(place), Program(digest_source(), list_versions())
            results = None if anew else ResultCache(Store(place.database, secret), program)
            session = CacheSession(results, recheck, warn, CertificateSources(Partition(place, program), anew))
        except (BadPlace, StoreFault) as fault:
            warn(f"no cache: {fault}")
    elif recheck:
        warn("no cache: the environment says off; there is nothing to compare with")
    try:
        yield session
    finally:
        session.close()
