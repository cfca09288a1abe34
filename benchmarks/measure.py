"""Measure one call in a fresh process, so that its peak memory is separate and nothing is already loaded."""

from __future__ import annotations

import multiprocessing
import re
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Measurement:
    """A measurement: `seconds` of the call with its imports, `peak` bytes of its process, and the result."""

    seconds: float
    peak: int
    result: Any


def measured(function: Callable[..., Any], *args: Any) -> Measurement:
    """Call `function(*args)` in a new process on one core; it must be a module's function with plain arguments."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_timed, function, args).result()


def _timed(function: Callable[..., Any], args: tuple[Any, ...]) -> Measurement:
    started = time.perf_counter()
    result = function(*args)
    seconds = time.perf_counter() - started
    return Measurement(seconds, _peak(), result)


def _peak() -> int:
    status = Path("/proc/self/status")  # on Linux, because the peak of `getrusage` includes the parent's
    if status.exists():
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text())
        if found:
            return int(found[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def thousands(value: float) -> str:
    """Format a whole number with its digits in groups of three.

    >>> thousands(62914560)
    '62 914 560'
    """
    return f"{value:,.0f}".replace(",", " ")
