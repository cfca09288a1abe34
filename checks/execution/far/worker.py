"""What a worker of a Dask scheduler does with a piece of work: first see whether it is the same program and claim.

Nothing is settled by a worker that differs: it says in what, and the run that sent the work ends with that.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from checks.cache.identity import digest_source, list_files, list_versions
from checks.cache.proofs import CertificateSources, open_certificates
from checks.execution.far.parcels import Parcel, ParcelWork, pack, unpacker
from checks.execution.ground.memory import capping_memory
from claims.language.ground.errors import ClaimError, NimChecksError
from claims.language.toml.trail import seen_from
from encoders.logic.naturals.memory import CertificateStore, using
from encoders.proving.reading import load_claim

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
        with seen_from(parcel.view), capping_memory():
            work = unpacker(parcel.content).load()
            assert isinstance(work, ParcelWork)
            _compare_claims(parcel, work)
            with using(_open_certificates(work.anew)):
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
