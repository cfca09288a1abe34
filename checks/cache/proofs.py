"""Certificates of obligations, kept between runs and shared by processes, for `encoders.logic.naturals.memory`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from checks.cache.keys import Program
from checks.cache.place import BadPlace, CachePlace, open_place
from checks.cache.shipped import FILE, Shipped
from checks.cache.store import Store, StoreFault

if TYPE_CHECKING:
    from encoders.logic.naturals.memory import CertificateStore

CERTIFICATES = "certificates"
_T = TypeVar("_T")


@dataclass(frozen=True)
class Partition:
    """Where certificates lie, and the program that finds them: another may find others, as good as these."""

    place: CachePlace
    program: Program


@dataclass(frozen=True)
class CertificateSources:
    """Where certificates come from. `partition`: where those are kept that are found; None: nowhere.

    `anew`: none is taken, from there or from those that come with the library; all are searched for.
    """

    partition: Partition | None = None
    anew: bool = False


class CertificateCache:
    """The certificates of one store. Where that is lost, nothing is found and nothing kept; nothing is raised.

    Each is kept for one program, so that no result depends on what another had searched before.
    """

    def __init__(self, store: Store, program: Program) -> None:
        self._store: Store | None = store
        self._program = program.digest

    def get(self, key: bytes) -> bytes | None:
        return self._try(lambda store: store.get(CERTIFICATES, self._program + key))

    def put(self, key: bytes, value: bytes) -> None:
        self._try(lambda store: store.put(CERTIFICATES, self._program + key, value))

    def read(self) -> dict[bytes, bytes]:
        """All of them."""
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
    """What the first of several places has; what is found is kept in one, if there is one."""

    def __init__(self, places: Sequence[Shipped | CertificateCache], kept: CertificateCache | None) -> None:
        self._places, self._kept = places, kept

    def get(self, key: bytes) -> bytes | None:
        found = (place.get(key) for place in self._places)
        return next((value for value in found if value is not None), None)

    def put(self, key: bytes, value: bytes) -> None:
        if self._kept is not None:
            self._kept.put(key, value)


def open_certificates(sources: CertificateSources) -> CertificateStore | None:
    """Where those who settle claims look for certificates, and put what they find; None: nowhere."""
    kept = open_proofs(sources.partition)
    if sources.anew:
        return None if kept is None else _Stores((), kept)
    return _Stores((Shipped(FILE),) if kept is None else (Shipped(FILE), kept), kept)


def open_proofs(partition: Partition | None) -> CertificateCache | None:
    """The certificates in a partition; None where there can be none: who opens the results there says why."""
    if partition is None:
        return None
    try:
        return CertificateCache(Store(partition.place.database, open_place(partition.place)), partition.program)
    except (BadPlace, StoreFault):
        return None
