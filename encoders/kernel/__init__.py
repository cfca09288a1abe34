"""The *kernel*: functions in C that solve games, compiled to WebAssembly, and the machine that runs them.

The sources are boxes.c, counts.c, heaps.c and lines.c. The script .ci/kernel compiles them to kernel.wasm.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy.typing as npt

KERNEL = "kernel"  # its name among the engines
MAX_HEAPS, MAX_WORDS = 16, 64  # limits of boxes.c: heaps of a position, and words of a row of bits
Array = npt.NDArray[Any]  # of int64, bool, or Python objects; numpy knows which only at run time


def is_loaded() -> bool:
    """Return whether the module with the machine is already imported, so that its use costs no start-up time."""
    return f"{__name__}.machine" in sys.modules
