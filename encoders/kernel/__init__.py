"""The machine code of boxes.c, counts.c, heaps.c and lines.c, compiled by .ci/kernel, and the machine that runs it."""

from __future__ import annotations

import sys
from typing import Any

import numpy.typing as npt

KERNEL = "kernel"  # its name among the engines
Array = npt.NDArray[Any]  # of int64, bool, or Python objects; numpy knows which only at run time


def is_loaded() -> bool:
    """Whether the machine is already loaded, so that its use costs no start-up time."""
    return f"{__name__}.machine" in sys.modules
