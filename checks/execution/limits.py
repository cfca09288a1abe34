"""Limits on memory and CPU time, and the exceptions for failed workers."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path

from claims.language.errors import NimChecksError


# == faults ===========================================================================================================
# The exceptions for failed workers, with messages for the person who started the run.
class Unfit(NimChecksError):
    """The error for a scheduler that cannot be used, or a worker whose program or files differ.

    The run has no result.
    """


class SchedulerGone(NimChecksError):
    """The error for a scheduler that no longer answers. Results that arrived earlier remain valid."""


class Lost(NimChecksError):
    """The error for a task during which several workers died, one after another."""


# == memory ===========================================================================================================
# The memory for settling claims: a claim that needs more becomes `inconclusive`, and the machine does not swap.
#
# The limit applies to writable memory, not to address space: wasmtime reserves 4 GiB of addresses and uses few.
MOST = 2 << 30
"""Bytes for a worker process. A process that settles claims itself may use that many bytes more than before."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # constants of glibc's malloc.h
_LARGEST = 32 << 20  # bytes: the largest value that glibc accepts for _MMAP_THRESHOLD


def cap_memory(most: int | None = MOST) -> None:
    """Limit the memory of this process permanently, if the system allows it. `most`: bytes, None for no limit."""
    if most is None:
        return
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


@contextmanager
def capping_cpu(seconds: float | None) -> Iterator[None]:
    """Let the system end this worker process if the block uses more than `seconds` of CPU time.

    This also ends C code that does not return. If this process is not a worker, there is no limit.
    """
    with ExitStack() as afterwards:
        if seconds is not None and _is_worker():
            with suppress(ImportError, ValueError, OSError):
                import resource

                soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
                most = int(time.process_time() + seconds) + 1
                limits = [x for x in (soft, hard, most) if x != resource.RLIM_INFINITY]
                resource.setrlimit(resource.RLIMIT_CPU, (min(limits), hard))
                afterwards.callback(resource.setrlimit, resource.RLIMIT_CPU, (soft, hard))
        yield


@contextmanager
def capping_memory(most: int | None = MOST) -> Iterator[None]:
    """Limit the memory of this process during the block, if the system allows it and reports the memory in use.

    `most`: bytes in addition to the memory in use, None for no limit.
    """
    if most is None:
        yield
        return
    with ExitStack() as afterwards:
        with suppress(ImportError, ValueError, OSError):
            import resource

            soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
            limits = [x for x in (soft, hard, _count_used() + most) if x != resource.RLIM_INFINITY]
            resource.setrlimit(resource.RLIMIT_DATA, (min(limits), hard))
            afterwards.callback(_give_back, soft, hard)
        yield


@cache
def reuse_freed() -> None:
    """Keep the freed memory of large arrays in this process for later use, if the system uses glibc. This is permanent.

    Dask configures its workers to return freed memory immediately. Without this function, they would spend a third of
    their time on requesting memory again.
    """
    with suppress(OSError, AttributeError):
        set_option = ctypes.CDLL(None).mallopt
        set_option(_TRIM_THRESHOLD, 2 * _LARGEST)
        set_option(_MMAP_THRESHOLD, _LARGEST)


@contextmanager
def pausing_garbage_collection() -> Iterator[None]:
    """Pause garbage collection during the block. This helps code that creates many objects and keeps them."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _give_back(soft: int, hard: int) -> None:
    import resource

    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _count_used() -> int:
    """Return the bytes that this process can write to. Raises OSError if the system does not report them."""
    import resource

    return int(Path("/proc/self/statm").read_text("ascii").split()[5]) * resource.getpagesize()


def _is_worker() -> bool:
    """Return whether multiprocessing started this process."""
    loaded = sys.modules.get("multiprocessing")
    return loaded is not None and loaded.parent_process() is not None
