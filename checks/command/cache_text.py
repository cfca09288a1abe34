"""The output of the command `cache`: the path of the cache, and the number and size of the stored results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from checks.cache.store import FOLDER, MOST_BYTES, Store, find_place, open_place

MEGABYTE = 1_000_000


def describe_cache(folder: Path | None, clear: bool) -> Iterator[str]:
    """Yield the lines that the command `cache` prints. `clear`: whether to delete all results first.

    Raises BadPlace if the cache cannot use the folder, and StoreFault if the database cannot be used.
    """
    place = find_place(folder)
    if place is None:
        yield f"no cache: {FOLDER} is off"
        return
    with closing(Store(place.database, open_place(place))) as store:
        if clear:
            rows, _ = store.measure()
            store.clear()
            yield f"deleted: {rows} row{'s' * (rows != 1)}"
        rows, total = store.measure()
    yield f"database: {place.database}"
    yield f"rows: {rows}, {total / MEGABYTE:.1f} MB of at most {MOST_BYTES / MEGABYTE:.0f} MB"
    yield f"sealed with: {place.secret}"
