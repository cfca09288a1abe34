"""What runs as machine code: boxes.c, heaps.c, lines.c, what .ci/kernel makes of them, and the machine that runs it."""

from __future__ import annotations

import sys
from typing import Any

import numpy.typing as npt

KERNEL = "kernel"  # what it is called among the engines
Array = npt.NDArray[Any]  # of int64, bool, or Python objects: numpy knows which only while it runs


def is_loaded() -> bool:
    """Whether the machine is there, so that it costs nothing to use it."""
    return f"{__name__}.machine" in sys.modules
