"""A Dask worker: settle a piece of work whose files may lie elsewhere."""

from __future__ import annotations

import io
import os
import pickle
import socket
from collections.abc import Callable, Mapping
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
# Work as it is sent to another machine, where the same files may lie elsewhere.
#
# Claims of the library are looked for in the library of whoever unpacks; other files at the path that they have here.
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


# == worker ===========================================================================================================
# What a worker of a Dask scheduler does with a piece of work: first see whether it is the same program and claim.
#
# Nothing is settled by a worker that differs: it says in what, and the run that sent the work ends with that.
Stamps = tuple[tuple[Path, int, int], ...]


@dataclass(frozen=True)
class WorkerReply:
    """`host`: who answers.  `refused`: why nothing was done, or "".  `content`: the packed result, or exception."""

    host: str
    refused: str
    content: bytes = b""
    raised: bool = False


class ProgramDiffers(NimChecksError):
    """What is here is not what whoever sent the work has; the message says in what. `what`: a claim, "" the program."""

    def __init__(self, message: str, what: str = "") -> None:
        super().__init__(message)
        self.what = what


def serve(program: tuple[str, ...], data: bytes, threads: int) -> WorkerReply:
    """Do the work of a packed parcel. `program`: who sent it; `threads`: of this worker.

    Solvers are not made for several threads: a worker has one.
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
            work = unpacker(parcel.content).load()
            assert isinstance(work, ParcelWork)
            _compare_claims(parcel, work)
            with using_store(_open_certificates(work.anew)):
                found, raised = _do(work)
        source.check()
        return WorkerReply(host, "", found, raised)
    except ProgramDiffers as why:
        return WorkerReply(host, f"{why.what or host} differs{f' on {host}' if why.what else ''}: {why}")


@cache
def _open_certificates(anew: bool) -> CertificateStore | None:
    return open_certificates(CertificateSources(anew=anew))


def _do(work: ParcelWork) -> tuple[bytes, bool]:
    try:
        return pack(work.function(*work.args, **work.named)), False
    except Exception as error:  # noqa: BLE001 - whoever sent the work decides what becomes of it
        error.add_note(f"on {socket.gethostname()}")
        return pack(error), True


# -- the program ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class WorkerSource:
    """What this process runs: the program, as it was when first looked at, and what its files looked like then."""

    program: tuple[str, ...]
    stamps: Stamps

    def check(self) -> None:
        """Raises Differs once a file was written since: of what is loaded nobody knows from which text it is."""
        if _stamp() != self.stamps:
            raise ProgramDiffers("the source of nim-checks was changed under a running worker; start the worker again")


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
    """Raises Differs, by what differs first."""
    if asked[:1] != own[:1]:
        raise ProgramDiffers("the source of nim-checks is another there")
    for wanted, found in zip(asked, own, strict=False):
        if wanted != found:
            raise ProgramDiffers(f"{found} there, {wanted} here")
    if asked != own:
        raise ProgramDiffers("other packages are there")


# -- the claim --------------------------------------------------------------------------------------------------------
def _compare_claims(parcel: Parcel, work: ParcelWork) -> None:
    """Raises Differs where the claim, or what it rests on, reads otherwise here."""
    entry = work.entry
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
    raise ProgramDiffers(f"{', '.join(other) or 'what it rests on'} is not the same there", entry.id)
