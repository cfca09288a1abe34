"""Limits that stop work: memory, and faulty remote workers."""

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
# What can go wrong with workers elsewhere, in words for whoever started the run.
class Unfit(NimChecksError):
    """Nothing can be settled there: no scheduler, or a worker that is not as this program. The run has no result."""


class SchedulerGone(NimChecksError):
    """The scheduler no longer answers. What came in before stands."""


class Lost(NimChecksError):
    """Several workers died of one piece of work, one after the other."""


# == memory ===========================================================================================================
# The memory that settling claims may take: what needs more ends in `inconclusive`, not in a machine that swaps.
#
# What counts is memory that can be written to, not addresses: wasmtime reserves 4 GiB of those and uses few.
MOST = 2 << 30
"""Bytes for a worker, or beyond what a process had when it began to settle claims itself."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _LARGEST = -1, -3, 32 << 20  # of glibc's malloc.h, and bytes: the most it takes


def cap_memory(most: int | None = MOST) -> None:
    """Cap this process for good, where the system allows it. `most`: bytes, None for no limit."""
    if most is None:
        return
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


@contextmanager
def capping_cpu(seconds: float | None) -> Iterator[None]:
    """Have the system end this worker process once it has used `seconds` of CPU time while this lasts.

    This is for C code that does not return; a process that is no worker is not ended.
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
    """Cap this process as long as this lasts, where the system allows it and tells what the process has.

    `most`: bytes beyond what it has, None for no limit.
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
    """Have this process make large arrays where others were, for good, where the system is one with glibc.

    By itself it learns to, of some sizes, after it has asked for them several times; a worker of Dask is told to give
    all of it back at once, and spends a third of its time on asking for it again.
    """
    with suppress(OSError, AttributeError):
        set_option = ctypes.CDLL(None).mallopt
        set_option(_TRIM_THRESHOLD, 2 * _LARGEST)
        set_option(_MMAP_THRESHOLD, _LARGEST)


@contextmanager
def pausing_garbage_collection() -> Iterator[None]:
    """What is made meanwhile is there to stay: nobody looks for what of it could be freed."""
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
    """Bytes that this process can write to. Raises OSError where that is not told."""
    import resource

    return int(Path("/proc/self/statm").read_text("ascii").split()[5]) * resource.getpagesize()


def _is_worker() -> bool:
    """Whether this process was started by multiprocessing, which it then has loaded."""
    loaded = sys.modules.get("multiprocessing")
    return loaded is not None and loaded.parent_process() is not None
