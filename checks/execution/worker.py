"""The program of a Dask worker: it makes a call.

The folders of the claim files may differ from the folders on the sender's machine.
"""

from __future__ import annotations

import io
import os
import pickle
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from checks.cache.certificates import CertificateSources, open_certificates
from checks.cache.keys import digest_source, list_files, list_versions
from checks.execution.limits import capping_memory
from claims.language.errors import ClaimError, NimChecksError
from claims.language.files.library import LIBRARY, Entry
from claims.language.files.toml import View, viewing_from
from encoders.proving.reading import load_claim
from encoders.solvers.effort import CertificateStore, using_store

# == parcels ==========================================================================================================
# A call as it is sent to another machine, where the same files may be in other folders.
#
# A claim of the library is read from the library of the receiver. All other files have the same path on both machines.
REAL_LIBRARY = Path(os.path.realpath(LIBRARY))
SHIPPED, REALLY_SHIPPED, ELSEWHERE = "shipped", "really shipped", "elsewhere"


@dataclass(frozen=True)
class Parcel:
    """A call for a worker on another machine.

    `entry`: the claim whose files the call needs, if any.
    `digest`, `files`: the digest of this claim, and pairs (name, SHA-256) for its files.
    `function`, `args`: the function to call, and its arguments.
    `anew`: whether the certificates of the library are not used.
    `here`: the working folder of the sender.
    `library`: the path of the sender's library, possibly with symbolic links.
    `real_library`: the same path with symbolic links followed.
    """

    entry: Entry | None
    digest: str
    files: tuple[tuple[str, str], ...]
    function: Callable[..., object]
    args: tuple[object, ...]
    anew: bool
    here: str
    library: str
    real_library: str

    @property
    def view(self) -> View:
        """The file names of the sender, which messages of the worker use."""
        moved = ((LIBRARY, Path(self.library)), (REAL_LIBRARY, Path(self.real_library)))
        return View(Path(self.here), moved)


def pack_parcel(
    entry: Entry | None,
    basis: tuple[str, tuple[tuple[str, str], ...]],
    function: Callable[..., object],
    args: tuple[object, ...],
    anew: bool = False,
) -> bytes:
    """Return a packed parcel from this machine. `basis`: the digest and the files of the claim."""
    return pack(Parcel(entry, *basis, function, args, anew, str(Path.cwd()), str(LIBRARY), str(REAL_LIBRARY)))


class _Packer(pickle.Pickler):
    def persistent_id(self, value: object) -> tuple[str, str] | None:
        """Return the form in which a path is sent: relative to the library or, outside the library, absolute."""
        if not isinstance(value, Path):
            return None
        absolute = Path.cwd() / value
        for name, folder in ((SHIPPED, LIBRARY), (REALLY_SHIPPED, REAL_LIBRARY)):
            if absolute.is_relative_to(folder):
                return name, absolute.relative_to(folder).as_posix()
        return ELSEWHERE, str(absolute)


class _Unpacker(pickle.Unpickler):
    def persistent_load(self, key: object) -> Path:
        """Return the path on this machine for a path in the form of `_Packer.persistent_id`. Raises UnpicklingError."""
        match key:
            case (str(name), str(rest)) if name in (SHIPPED, REALLY_SHIPPED, ELSEWHERE):
                return {SHIPPED: LIBRARY, REALLY_SHIPPED: REAL_LIBRARY, ELSEWHERE: Path()}[name] / rest
        raise pickle.UnpicklingError(f"no path: {key!r}")


def pack(value: object) -> bytes:
    """Return the value as bytes, with paths relative to the library."""
    buffer = io.BytesIO()
    _Packer(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def unpacker(data: bytes) -> pickle.Unpickler:
    """Return an unpickler that replaces paths in the sender's library by paths in this machine's library."""
    return _Unpacker(io.BytesIO(data))


# == worker ===========================================================================================================
# A worker of a Dask scheduler first compares its program and claim files with those of the sender.
#
# If they differ, the worker refuses and names the difference, and the run ends with this message.
Stamps = tuple[tuple[Path, int, int], ...]


@dataclass(frozen=True)
class WorkerReply:
    """The reply of a worker.

    `host`: the name of the machine.
    `refused`: the reason why the worker refused the call, or "".
    `content`: the packed result, or the packed exception if `raised`.
    """

    host: str
    refused: str
    content: bytes = b""
    raised: bool = False


class ProgramDiffers(NimChecksError):
    """The error for a program or a claim that differs from the sender's.

    `what`: the id of the claim, "" for the program.
    """

    def __init__(self, message: str, what: str = "") -> None:
        super().__init__(message)
        self.what = what


def serve(program: tuple[str, ...], data: bytes, threads: int) -> WorkerReply:
    """Make the call of a packed parcel, and return the reply.

    `program`: the sender's program. `threads`: the number of this worker's threads.
    The reply is a refusal if the program or the claim differs from the sender's. It is also a refusal if there are
    several threads, because the solvers are not thread-safe.
    """
    host = socket.gethostname()
    if threads != 1:
        return WorkerReply(host, f"{host}: a worker has {threads} threads; start workers with --nthreads 1")
    try:
        source = _look_at_source()
        _compare_programs(program, source.program)
        parcel = unpacker(data).load()
        assert isinstance(parcel, Parcel)
        with viewing_from(parcel.view), capping_memory():
            _compare_claims(parcel)
            with using_store(_open_certificates(parcel.anew)):
                found, raised = _call(parcel)
        source.check()
        return WorkerReply(host, "", found, raised)
    except ProgramDiffers as why:
        return WorkerReply(host, f"{why.what or 'the program'} differs on {host}: {why}")


@cache
def _open_certificates(anew: bool) -> CertificateStore | None:
    return open_certificates(CertificateSources(anew=anew))


def _call(parcel: Parcel) -> tuple[bytes, bool]:
    try:
        return pack(parcel.function(*parcel.args)), False
    except Exception as error:  # noqa: BLE001 - the sender decides what it means
        error.add_note(f"on {socket.gethostname()}")
        return pack(error), True


# -- the program ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class WorkerSource:
    """The program of this process, and the sizes and times of its source files when they were first read."""

    program: tuple[str, ...]
    stamps: Stamps

    def check(self) -> None:
        """Raise ProgramDiffers if a source file has changed since the stamps were made."""
        if _stamp() != self.stamps:
            raise ProgramDiffers(
                "the source of nim-checks has changed since the worker started; start the worker again"
            )


@cache
def _remember_source() -> WorkerSource:
    stamps = _stamp()
    return WorkerSource((digest_source(), *list_versions()), stamps)


def _look_at_source() -> WorkerSource:
    source = _remember_source()
    source.check()
    return source


@cache
def _list_paths() -> tuple[Path, ...]:
    return tuple(path for _, path in list_files())


def _stamp() -> Stamps:
    try:
        found = [(path, path.stat()) for path in _list_paths()]
    except OSError:
        return ()
    return tuple((path, stat.st_size, stat.st_mtime_ns) for path, stat in found)


def _compare_programs(asked: tuple[str, ...], own: tuple[str, ...]) -> None:
    """Raise ProgramDiffers if the program `own` of the worker is not `asked`.

    The message states the first difference.
    """
    if asked[:1] != own[:1]:
        raise ProgramDiffers("the worker has another version of the source of nim-checks")
    for wanted, found in zip(asked, own, strict=False):
        if wanted != found:
            raise ProgramDiffers(f"{found} there, {wanted} here")
    if asked != own:
        raise ProgramDiffers("the installed packages differ there")


# -- the claim --------------------------------------------------------------------------------------------------------
def _compare_claims(parcel: Parcel) -> None:
    """Raise ProgramDiffers if the claim, or a file that it depends on, differs on this machine."""
    entry = parcel.entry
    if entry is None:
        return
    try:
        claim = load_claim(entry.path, entry.id)
    except ClaimError as error:
        raise ProgramDiffers(str(error).splitlines()[0], entry.id) from None
    if claim.digest == parcel.digest:
        return
    own = dict(claim.basis.files)
    other = [name for name, digest in parcel.files if own.get(name) != digest]
    raise ProgramDiffers(
        f"the worker has another version of {', '.join(other) or 'a file that the claim uses'}", entry.id
    )
