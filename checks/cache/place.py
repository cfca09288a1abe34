"""Where the cache lies: the folder of its database, and the file of the secret that seals its rows.

Both are trusted only where nobody else could have written them.  The secret lies apart from the database, so that one
that was copied from elsewhere, with all that is beside it, is worth nothing here.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from claims.language.ground.errors import NimChecksError

FOLDER, SECRET = "CHECKS_CACHE", "CHECKS_CACHE_SECRET"
"""Variables of the environment: the folder, or OFF; the file of the secret."""
OFF = "off"
DATABASE = "nim-checks.sqlite"
LENGTH = 32  # bytes of the secret


class BadPlace(NimChecksError):
    """The cache cannot lie there; the message says why."""


@dataclass(frozen=True)
class CachePlace:
    """`folder`: of the database; `secret`: the file of the secret."""

    folder: Path
    secret: Path

    @property
    def database(self) -> Path:
        return self.folder / DATABASE


def find_place(wanted: Path | None = None) -> CachePlace | None:
    """Where the cache lies: in the folder that is wanted, else where the environment says; None if that says OFF."""
    from platformdirs import user_cache_path, user_state_path

    said = os.environ.get(FOLDER, "")
    if wanted is None and said == OFF:
        return None
    folder = wanted or (Path(said) if said else user_cache_path("nim-checks", appauthor=False))
    told = os.environ.get(SECRET, "")
    return CachePlace(folder, Path(told) if told else user_state_path("nim-checks", appauthor=False) / "cache-secret")


def open_place(place: CachePlace) -> bytes:
    """The secret; what is not there yet is made. Raises BadPlace for what others could have written."""
    try:
        for folder in (place.folder, place.secret.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check(folder, folder.stat(), stat.S_ISDIR)
        if place.database.exists() or place.database.is_symlink():
            _check(place.database, place.database.lstat(), stat.S_ISREG)
        return _read_secret(place.secret)
    except OSError as error:
        raise BadPlace(f"{error.filename or place.folder}: {error.strerror or error}") from None


def _read_secret(file: Path) -> bytes:
    with suppress(FileExistsError):
        _make_secret(file)
    _check(file, file.lstat(), stat.S_ISREG, private=True)
    with file.open("rb") as opened:
        found = opened.read(LENGTH + 1)
    if len(found) != LENGTH:
        raise BadPlace(f"{file} holds no secret of {LENGTH} bytes; remove it, and the cache begins anew")
    return found


def _make_secret(file: Path) -> None:
    """Make the file, whole or not at all. Raises FileExistsError where it is there."""
    if file.exists():
        return
    aside = file.with_name(f"{file.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
    opened = os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(opened, "wb") as writing:
            writing.write(os.urandom(LENGTH))
        os.link(aside, file)
    finally:
        aside.unlink(missing_ok=True)


def _check(path: Path, found: os.stat_result, is_kind: object, private: bool = False) -> None:
    """Raises BadPlace for what is of another kind, belongs to another user, or lets others write."""
    if not (callable(is_kind) and is_kind(found.st_mode)):
        raise BadPlace(f"{path} is not what the cache would have put there")
    if not hasattr(os, "getuid"):  # who owns a file, and who may write it, is told otherwise there
        return
    if found.st_uid != os.getuid():
        raise BadPlace(f"{path} belongs to another user")
    if found.st_mode & (0o077 if private else 0o022):
        raise BadPlace(f"{path}: others may {'read or ' if private else ''}write it")
