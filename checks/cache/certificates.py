"""Certificates of obligations: shipped with the library, kept between runs, and shared by processes."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from checks.cache.keys import Program
from checks.cache.store import BadPlace, CachePlace, Store, StoreFault, open_place
from claims.language.files.library import LIBRARY

if TYPE_CHECKING:
    from encoders.solvers.effort import CertificateStore


# == shipped ==========================================================================================================
# Certificates that come with the library: found once, checked by each run, searched for by none.
#
# A packed text of lines: what a certificate is for, as `encoders.solvers.effort` names it, in hexadecimal digits, a
# space, and the certificate.
FILE = LIBRARY / "certificates.gz"


class Shipped:
    """The certificates of a file, which is read when the first is asked for. Nothing is raised."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, key: bytes) -> bytes | None:
        return self._found.get(key)

    @cached_property
    def _found(self) -> Mapping[bytes, bytes]:
        try:
            return read(self._file)
        except (OSError, EOFError, ValueError, zlib.error):  # no such file, or a broken one: all is searched for
            return {}


def read(file: Path) -> dict[bytes, bytes]:
    """All that is in a file. Raises OSError, EOFError, zlib.error and ValueError."""
    lines = (line.split(b" ", 1) for line in gzip.decompress(file.read_bytes()).splitlines())
    return {bytes.fromhex(key.decode()): value for key, value in lines}


def write(found: Mapping[bytes, bytes], file: Path) -> None:
    """The same bytes whenever the same was found."""
    text = b"".join(b"%s %s\n" % (key.hex().encode(), value) for key, value in sorted(found.items()))
    file.write_bytes(gzip.compress(text, mtime=0))


# == proofs ===========================================================================================================
# Certificates of obligations, kept between runs and shared by processes, for `encoders.solvers.effort`.
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
