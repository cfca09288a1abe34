"""The certificates that come with the library. A search found them once; every run checks them.

They are in one file of compressed text. Each line contains the key of a certificate in hexadecimal digits, a space, and
the certificate. `encoders.solvers.effort` defines the key.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from claims.language.files.library import LIBRARY
from encoders.logic.certificates import Certificate

if TYPE_CHECKING:
    from encoders.logic.sequents import Sequent

OBVIOUS = Certificate(0, (), False, (), 0)
"""The certificate that the formula `false` has no model."""

FILE = LIBRARY / "certificates.gz"


class Shipped:
    """The certificates in a file of the library. The file is read when the first certificate is requested.

    A missing or broken file contains no certificates; no method raises an exception.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, key: bytes) -> bytes | None:
        return self._found.get(key)

    def put(self, key: bytes, value: bytes) -> None:
        """Do nothing: the file is written only by `write`."""

    @cached_property
    def _found(self) -> Mapping[bytes, bytes]:
        try:
            return read(self._file)
        except (OSError, EOFError, ValueError, zlib.error):  # a missing or broken file
            return {}


def read(file: Path) -> dict[bytes, bytes]:
    """Return all certificates in a file, by key. Raises OSError, EOFError, zlib.error or ValueError if that fails."""
    lines = (line.split(b" ", 1) for line in gzip.decompress(file.read_bytes()).splitlines())
    return {bytes.fromhex(key.decode()): value for key, value in lines}


def write(found: Mapping[bytes, bytes], file: Path) -> None:
    """Write certificates, by key, to a file. Equal certificates give files with equal bytes."""
    text = b"".join(b"%s %s\n" % (key.hex().encode(), value) for key, value in sorted(found.items()))
    file.write_bytes(gzip.compress(text, mtime=0))


@lru_cache(maxsize=1)
def _open() -> Shipped:
    return Shipped(FILE)


def find_shipped_certificate(sequent: Sequent) -> Certificate | None:
    """Return the certificate that the library contains for an obligation, after a check; None if there is none.

    An obligation whose negation is obviously false needs no certificate in the library.
    """
    from encoders.logic.natural_formulas import FALSE, read_problem
    from encoders.solvers.effort import recall, using_store

    problem = read_problem(sequent)
    if problem.formulas.conjunction(problem.parts) == FALSE:
        return OBVIOUS
    with using_store(_open()):
        known = recall(problem)
    return known[0] if known else None
