"""The database of the cache, its folder, and the secret key with which the rows of the database are authenticated."""

from __future__ import annotations

import hashlib
import hmac
import os
import sqlite3
import stat
import time
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from claims.language.errors import NimChecksError

# == place ============================================================================================================
# The place of the cache: the folder of its database, and the file of the secret that seals its rows.
#
# Both are trusted only if no other user could have written them. The secret is stored separately from the database, so
# a copied folder, with everything next to the database, is useless without the secret.
FOLDER, SECRET = "CHECKS_CACHE", "CHECKS_CACHE_SECRET"
"""Environment variables: the folder, or OFF; the file of the secret."""
OFF = "off"
DATABASE = "nim-checks.sqlite"
LENGTH = 32  # bytes of the secret


class BadPlace(NimChecksError):
    """The cache cannot use its folder or one of its files. The message gives the reason."""


@dataclass(frozen=True)
class CachePlace:
    """The paths of the cache. `folder`: the folder of the database. `secret`: the file that contains the secret key."""

    folder: Path
    secret: Path

    @property
    def database(self) -> Path:
        return self.folder / DATABASE


def find_place(wanted: Path | None = None) -> CachePlace | None:
    """Return the paths of the cache.

    The folder is `wanted`. If this is None, it is the folder in the environment variable CHECKS_CACHE or, if this is
    not set, the default folder of the system. Return None if `wanted` is None and CHECKS_CACHE is `off`.
    """
    from platformdirs import user_cache_path, user_state_path

    said = os.environ.get(FOLDER, "")
    if wanted is None and said == OFF:
        return None
    folder = wanted or (Path(said) if said else user_cache_path("nim-checks", appauthor=False))
    told = os.environ.get(SECRET, "")
    return CachePlace(folder, Path(told) if told else user_state_path("nim-checks", appauthor=False) / "cache-secret")


def open_place(place: CachePlace) -> bytes:
    """Return the secret key of the cache. Create its file and the folder of the cache if they are missing.

    Raises BadPlace if another user owns the folder, the database or the file of the secret, or can write to them.
    """
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
        raise BadPlace(f"{file} does not contain a secret of {LENGTH} bytes; remove this file to start a new cache")
    return found


def _make_secret(file: Path) -> None:
    """Create the file of the secret with random bytes, unless it exists. No process sees an incomplete file.

    Raises FileExistsError if another process creates the file at the same time.
    """
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
    """Raise BadPlace if a path has the wrong kind, belongs to another user, or can be written by other users.

    `found`: the status of the path. `is_kind`: `stat.S_ISDIR` for a folder or `stat.S_ISREG` for a regular file.
    `private`: whether other users must not be able to read the file either.
    """
    if not (callable(is_kind) and is_kind(found.st_mode)):
        raise BadPlace(f"{path} is not a {'folder' if is_kind is stat.S_ISDIR else 'regular file'}")
    if not hasattr(os, "getuid"):  # Windows has another model of ownership and permissions
        return
    if found.st_uid != os.getuid():
        raise BadPlace(f"{path} belongs to another user")
    if found.st_mode & (0o077 if private else 0o022):
        rights = "go-rwx" if private else "go-w"
        raise BadPlace(
            f"{path}: other users may {'read or ' if private else ''}write it; change that with chmod {rights}"
        )


# == store ============================================================================================================
# Rows of bytes that outlive a run, each under a name and a key: an SQLite database, shared by all runs of a user.
#
# A row is used only if its seal is valid: an HMAC of name, key and value with a secret that is not in the database. A
# row with another seal is ignored. A database that is broken, or has another schema, is deleted and created again.
MAGIC = 0x4E494D43  # "NIMC", in the header of the database
VERSION = 1
SCHEMA = (
    "CREATE TABLE rows (space TEXT NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, seal BLOB NOT NULL, "
    "used INTEGER NOT NULL, PRIMARY KEY (space, key))"
)
MOST_BYTES = 512 << 20  # of all values together; beyond it, the least recently used are deleted
LARGEST = 64 << 20  # bytes of one value, unpacked
OFTEN = 86_400  # seconds between updates of the time of last use
PATIENCE = 10.0  # seconds to wait for another process that uses the database
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_GARBLED = (UnicodeDecodeError, OverflowError)  # raised by Python for a corrupt text or number from a broken database
_T = TypeVar("_T")


class StoreFault(NimChecksError):
    """The database cannot be used. The message gives the reason: a missing folder, for example, or a full disk."""


class Store:
    """A database of byte strings, each stored under a pair of a name (`space`) and a key.

    Each row has a *seal*, that is, an authentication code for its name, key and value.
    `secret`: the secret key from which the seals are computed.
    `most_bytes`: the limit for the size of all values together.
    `now`: a function that returns the time in seconds. All users of one database must use the same clock.
    Each method raises StoreFault if the database cannot be used. Reasons are a missing folder, missing rights, a full
    disk, or a lock of another process.
    """

    def __init__(
        self, file: Path, secret: bytes, most_bytes: int = MOST_BYTES, now: Callable[[], float] = time.time
    ) -> None:
        self.file, self.most_bytes, self._secret, self._now = file, most_bytes, secret, now
        self._added = False
        self._connection = self._work(self._open)

    def get(self, space: str, key: bytes) -> bytes | None:
        """Return the stored value, or None if there is none or its seal is invalid."""
        found = self._run(
            lambda c: c.execute(
                "SELECT value, seal, used FROM rows WHERE space = ? AND key = ?", (space, key)
            ).fetchone()
        )
        if found is None:
            return None
        packed, seal, used = found
        if not (isinstance(packed, bytes) and isinstance(seal, bytes) and isinstance(used, int)):
            return None
        if not hmac.compare_digest(seal, self._seal(space, key, packed)):
            return None
        if self._now() - used > OFTEN:
            row = (int(self._now()), space, key)
            self._run(lambda c: c.execute("UPDATE rows SET used = ? WHERE space = ? AND key = ?", row))
        return _unpack(packed)

    def put(self, space: str, key: bytes, value: bytes) -> None:
        """Store a value under a name and a key, and replace the old value. A value that is too large is not stored."""
        packed = zlib.compress(value, 1)
        if len(value) > LARGEST or 4 * len(packed) > self.most_bytes:
            return
        row = (space, key, packed, self._seal(space, key, packed), int(self._now()))
        self._run(lambda c: c.execute("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?)", row))
        self._added = True

    def list_keys(self, space: str) -> list[bytes]:
        """Return the keys of all rows with the name `space`, including rows with an invalid seal."""
        found = self._run(lambda c: c.execute("SELECT key FROM rows WHERE space = ?", (space,)).fetchall())
        return [key for (key,) in found or () if isinstance(key, bytes)]

    def drop(self, space: str, key: bytes) -> None:
        """Delete the value under a name and a key, if there is one."""
        self._run(lambda c: c.execute("DELETE FROM rows WHERE space = ? AND key = ?", (space, key)))

    def clear(self) -> None:
        """Delete all rows."""
        self._run(lambda c: c.execute("DELETE FROM rows"))

    def measure(self) -> tuple[int, int]:
        """Return the number of rows, and the total number of bytes of their compressed values."""
        found = self._run(lambda c: c.execute("SELECT count(*), coalesce(sum(length(value)), 0) FROM rows").fetchone())
        rows, total = found if found is not None else (0, 0)
        return int(rows), int(total)

    def close(self) -> None:
        """Delete the least recently used values if there are too many, and close the database. Raise no exception."""
        with suppress(StoreFault):
            if self._added:
                self._shrink()
        with suppress(sqlite3.Error):
            self._connection.close()

    def _shrink(self) -> None:
        total = self.measure()[1]
        if total <= self.most_bytes:
            return
        rows = self._run(lambda c: c.execute("SELECT space, key, length(value) FROM rows ORDER BY used").fetchall())
        going = []
        for space, key, size in rows or ():
            if 10 * total <= 9 * self.most_bytes:
                break
            going.append((space, key))
            total -= size
        self._run(lambda c: c.executemany("DELETE FROM rows WHERE space = ? AND key = ?", going))

    def _seal(self, space: str, key: bytes, packed: bytes) -> bytes:
        found = hmac.new(self._secret, digestmod=hashlib.sha256)
        for part in (space.encode(), key, packed):
            found.update(len(part).to_bytes(8) + part)
        return found.digest()

    # -- the database -------------------------------------------------------------------------------------------------
    def _open(self) -> sqlite3.Connection:
        """Return a connection to the database. Create it if it is missing.

        If the file is not a valid database of this cache, delete it and create a new one.
        """
        for _ in range(2):
            try:
                connection = self._connect()
                if _is_ours(connection):
                    return connection
                connection.close()
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", None) not in _BROKEN:
                    raise
            except _GARBLED:
                pass
            remove(self.file)
        raise StoreFault(f"{self.file} is broken and cannot be replaced")

    def _connect(self) -> sqlite3.Connection:
        if not self.file.exists():
            self._begin()
        connection = sqlite3.connect(self.file, timeout=PATIENCE, isolation_level=None)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA synchronous = OFF")  # a row damaged by a crash has no valid seal
        return connection

    def _begin(self) -> None:
        """Create an empty database under a temporary name, then link it to its final name.

        Thus no process sees an incomplete database. If several processes do this at the same time, all use the first
        database.
        """
        aside = self.file.with_name(f"{self.file.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
        os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            with closing(sqlite3.connect(aside, isolation_level=None)) as connection:
                connection.execute("PRAGMA auto_vacuum = FULL")
                connection.execute(f"PRAGMA application_id = {MAGIC}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
                connection.execute(SCHEMA)
            try:
                os.link(aside, self.file)
            except FileExistsError:
                pass
            except OSError:  # a file system without links
                aside.replace(self.file)
        finally:
            aside.unlink(missing_ok=True)

    def _run(self, work: Callable[[sqlite3.Connection], _T]) -> _T | None:
        """Run `work` as one transaction, and return its result.

        If the database is broken, replace it by an empty one and return None.
        """
        try:
            return self._work(lambda: _run_transaction(self._connection, work))
        except _Broken:
            remove(self.file)
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = self._work(self._open)
            return None

    def _work(self, work: Callable[[], _T]) -> _T:
        try:
            return work()
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", None) in _BROKEN:
                raise _Broken from None
            raise StoreFault(f"{self.file}: {error}") from None
        except _GARBLED:
            raise _Broken from None
        except (sqlite3.Error, OSError, MemoryError) as error:
            raise StoreFault(f"{self.file}: {error}") from None


class _Broken(NimChecksError):
    """The file is not a valid database."""


def _run_transaction(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], _T]) -> _T:
    connection.execute("BEGIN")
    try:
        found = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    return found


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Return whether a database is one of this cache: correct header, the table `rows` and its index, and no more.

    A database with another table, view, trigger or index is rejected.
    """
    header = [connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")]
    schema = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    return header == [(MAGIC,), (VERSION,)] and schema == [
        ("table", "rows", SCHEMA),
        ("index", "sqlite_autoindex_rows_1", None),
    ]


def _unpack(packed: bytes) -> bytes | None:
    unpacking = zlib.decompressobj()
    try:
        value = unpacking.decompress(packed, LARGEST)
    except zlib.error:
        return None
    return value if unpacking.eof else None


def remove(file: Path) -> None:
    """Delete a database and the files that SQLite writes next to it, if they exist. Raises StoreFault if that fails."""
    try:
        for name in (file.name, f"{file.name}-journal", f"{file.name}-wal", f"{file.name}-shm"):
            file.with_name(name).unlink(missing_ok=True)
    except OSError as error:
        raise StoreFault(f"{file}: {error.strerror or error}") from None
