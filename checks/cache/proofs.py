"""Certificates of obligations, kept between runs and shared by processes, for `encoders.logic.naturals.memory`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from checks.cache.keys import Program
from checks.cache.place import BadPlace, Place, open_place
from checks.cache.store import Store, StoreFault

CERTIFICATES = "certificates"


@dataclass(frozen=True)
class Drawer:
    """Where certificates lie, and the program that finds them: another may find others, as good as these."""

    place: Place
    program: Program


class Proofs:
    """The certificates of one store. Where that is lost, nothing is found and nothing kept; nothing is raised.

    Each is kept for one program, so that no result depends on what another had searched before.
    """

    def __init__(self, store: Store, program: Program) -> None:
        self._store: Store | None = store
        self._program = program.digest

    def get(self, key: bytes) -> bytes | None:
        if self._store is None:
            return None
        try:
            return self._store.get(CERTIFICATES, self._name(key))
        except StoreFault:
            self._store = None
            return None

    def put(self, key: bytes, value: bytes) -> None:
        if self._store is None:
            return
        try:
            self._store.put(CERTIFICATES, self._name(key), value)
        except StoreFault:
            self._store = None

    def _name(self, key: bytes) -> bytes:
        return hashlib.sha256(self._program + key).digest()


def open_proofs(drawer: Drawer | None) -> Proofs | None:
    """The certificates in a drawer; None where there can be none: who opens the results there says why."""
    if drawer is None:
        return None
    try:
        return Proofs(Store(drawer.place.database, open_place(drawer.place)), drawer.program)
    except (BadPlace, StoreFault):
        return None
