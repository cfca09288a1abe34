"""Certificates of obligations, kept between runs and shared by processes, for `encoders.logic.naturals.memory`."""

from __future__ import annotations

from checks.cache.place import BadPlace, Place, open_place
from checks.cache.store import Store, StoreFault

CERTIFICATES = "certificates"


class Proofs:
    """The certificates of one store. Where that is lost, nothing is found and nothing kept; nothing is raised."""

    def __init__(self, store: Store) -> None:
        self._store: Store | None = store

    def get(self, key: bytes) -> bytes | None:
        if self._store is None:
            return None
        try:
            return self._store.get(CERTIFICATES, key)
        except StoreFault:
            self._store = None
            return None

    def put(self, key: bytes, value: bytes) -> None:
        if self._store is None:
            return
        try:
            self._store.put(CERTIFICATES, key, value)
        except StoreFault:
            self._store = None


def open_proofs(place: Place | None) -> Proofs | None:
    """The certificates that lie at a place; None where there can be none: who opens the results there says why."""
    if place is None:
        return None
    try:
        return Proofs(Store(place.database, open_place(place)))
    except (BadPlace, StoreFault):
        return None
