"""Work as it is sent to another machine, where the same files may lie elsewhere.

Claims of the library are looked for in the library of whoever unpacks; other files at the path that they have here.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from claims.language.library.entries import Entry
from claims.language.library.files import LIBRARY
from claims.language.toml.trail import View

REAL_LIBRARY = Path(os.path.realpath(LIBRARY))
SHIPPED, REALLY_SHIPPED, ELSEWHERE = "shipped", "really shipped", "elsewhere"


@dataclass(frozen=True)
class ParcelWork:
    """A function of ours, what it is called with, and the claim that it is about, if it needs any file.

    `anew`: no certificate is taken from those that come with the library.
    """

    entry: Entry | None
    function: Callable[..., object]
    args: tuple[object, ...]
    named: Mapping[str, object]
    anew: bool = False


@dataclass(frozen=True)
class Parcel:
    """`digest`, `files`: of the claim that the work is about, as `Basis` has them.  `content`: packed `ParcelWork`.

    `here`, `library`, `real_library`: the working directory of the sender, and their library, by both its names.
    """

    digest: str
    files: tuple[tuple[str, str], ...]
    here: str
    library: str
    real_library: str
    content: bytes

    @property
    def view(self) -> View:
        """How the sender calls the files of whoever unpacks."""
        moved = ((LIBRARY, Path(self.library)), (REAL_LIBRARY, Path(self.real_library)))
        return View(Path(self.here), moved)


def make_parcel(digest: str, files: tuple[tuple[str, str], ...], work: ParcelWork) -> Parcel:
    """A parcel from here."""
    return Parcel(digest, files, str(Path.cwd()), str(LIBRARY), str(REAL_LIBRARY), pack(work))


class _Packer(pickle.Pickler):
    def persistent_id(self, value: object) -> tuple[str, str] | None:
        """How a path is written: below the library, or whole."""
        if not isinstance(value, Path):
            return None
        absolute = Path.cwd() / value
        for name, folder in ((SHIPPED, LIBRARY), (REALLY_SHIPPED, REAL_LIBRARY)):
            if absolute.is_relative_to(folder):
                return name, absolute.relative_to(folder).as_posix()
        return ELSEWHERE, str(absolute)


class _Unpacker(pickle.Unpickler):
    def persistent_load(self, key: object) -> Path:
        """The path that was written. Raises UnpicklingError for what is none."""
        match key:
            case (str(name), str(rest)) if name in (SHIPPED, REALLY_SHIPPED, ELSEWHERE):
                return {SHIPPED: LIBRARY, REALLY_SHIPPED: REAL_LIBRARY, ELSEWHERE: Path()}[name] / rest
        raise pickle.UnpicklingError(f"no path: {key!r}")


def pack(value: object) -> bytes:
    """The value, with paths of the library as such."""
    buffer = io.BytesIO()
    _Packer(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def unpacker(data: bytes) -> pickle.Unpickler:
    """What loads the value that was packed, with the paths of this machine."""
    return _Unpacker(io.BytesIO(data))
