"""Certificates that come with the library: found once, checked by each run, searched for by none.

A packed text of lines: what a certificate is for, as `encoders.logic.naturals.memory` names it, in hexadecimal digits,
a space, and the certificate.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from claims.language.library.works import LIBRARY

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
