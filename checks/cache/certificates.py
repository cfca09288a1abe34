"""Stored certificates of obligations: some are in a file of the library, and the cache contains those of earlier runs.

A certificate is stored as bytes. `encoders.solvers.effort` computes its key from the obligation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from checks.cache.keys import Program
from checks.cache.store import BadPlace, CachePlace, Store, StoreFault, open_place
from encoders.solvers.shipped import FILE, Shipped

if TYPE_CHECKING:
    from encoders.solvers.effort import CertificateStore


# == proofs ===========================================================================================================
# Certificates of obligations, cached between runs and shared by processes, for `encoders.solvers.effort`.
CERTIFICATES = "certificates"
_T = TypeVar("_T")


@dataclass(frozen=True)
class Partition:
    """The part of a cache that contains the certificates found by one program, that is, one version of nim-checks.

    `place`: the paths of the cache.
    `program`: the program, including the versions of its packages. Another program may find other certificates.
    """

    place: CachePlace
    program: Program


@dataclass(frozen=True)
class CertificateSources:
    """The places in which a run looks for certificates before it searches for new ones.

    `partition`: the part of the cache from which certificates are taken, and to which new ones are added; None for no
    cache. The certificates in the library are always a source, except if `anew` is true.
    `anew`: if true, ignore all existing certificates, and only store the new ones.
    """

    partition: Partition | None = None
    anew: bool = False


class CertificateCache:
    """The cached certificates that one program has found.

    The certificates of other programs are not used, so that no result depends on the searches of another program.
    If the database fails, the cache behaves as if it were empty, stores nothing, and raises no exception.
    """

    def __init__(self, store: Store, program: Program) -> None:
        self._store: Store | None = store
        self._program = program.digest

    def get(self, key: bytes) -> bytes | None:
        return self._try(lambda store: store.get(CERTIFICATES, self._program + key))

    def put(self, key: bytes, value: bytes) -> None:
        self._try(lambda store: store.put(CERTIFICATES, self._program + key, value))

    def read(self) -> dict[bytes, bytes]:
        """Return all cached certificates, by key."""
        names = self._try(lambda store: store.list_keys(CERTIFICATES)) or []
        keys = (name[len(self._program) :] for name in names)
        return {key: value for key in keys if (value := self.get(key)) is not None}

    def _try(self, work: Callable[[Store], _T]) -> _T | None:
        if self._store is None:
            return None
        try:
            return work(self._store)
        except StoreFault:
            self._store = None
            return None


class _Stores:
    """Several sources of certificates, which are tried one after another.

    New certificates are stored in the cache `kept`, or not at all if `kept` is None.
    """

    def __init__(self, places: Sequence[Shipped | CertificateCache], kept: CertificateCache | None) -> None:
        self._places, self._kept = places, kept

    def get(self, key: bytes) -> bytes | None:
        found = (place.get(key) for place in self._places)
        return next((value for value in found if value is not None), None)

    def put(self, key: bytes, value: bytes) -> None:
        if self._kept is not None:
            self._kept.put(key, value)


def open_certificates(sources: CertificateSources) -> CertificateStore | None:
    """Return a store that looks up certificates in these sources, and stores new ones in the cache.

    If `sources.anew` is true, it finds no certificate. If there is no cache either, return None.
    """
    kept = open_proofs(sources.partition)
    if sources.anew:
        return None if kept is None else _Stores((), kept)
    return _Stores((Shipped(FILE),) if kept is None else (Shipped(FILE), kept), kept)


def open_proofs(partition: Partition | None) -> CertificateCache | None:
    """Return the certificates in a part of the cache, or None if `partition` is None or the cache cannot be opened.

    In this case there is no warning, because `open_session` opens the same cache and reports the reason.
    """
    if partition is None:
        return None
    try:
        return CertificateCache(Store(partition.place.database, open_place(partition.place)), partition.program)
    except (BadPlace, StoreFault):
        return None
