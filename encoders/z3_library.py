"""The module `z3`, which everything here takes from this one.

Z3 looks for its library first in the folder that one stands in, which may be a stranger's, unless it is told where it
lies, before it is imported: in each process, be it a worker or a program of somebody's.
"""

from __future__ import annotations

import builtins
import sys
from importlib.util import find_spec
from pathlib import Path

_FOUND = find_spec("z3")
_BESIDE = [Path(folder, "lib") for folder in (_FOUND and _FOUND.submodule_search_locations) or ()]
vars(builtins)["Z3_LIB_DIRS"] = [str(folder) for folder in (*_BESIDE, Path(sys.prefix, "lib"))]

import z3  # noqa: E402 - not before it is told

__all__ = ["z3"]
