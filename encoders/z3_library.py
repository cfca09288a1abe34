"""The module `z3`. All other modules import `z3` from this module.

Z3 searches for its shared library in the current folder first, unless a path is set. The current folder may be
untrusted. Therefore this module sets the path before it imports `z3`, in every process.
"""

from __future__ import annotations

import builtins
import sys
from importlib.util import find_spec
from pathlib import Path

_FOUND = find_spec("z3")
_BESIDE = [Path(folder, "lib") for folder in (_FOUND and _FOUND.submodule_search_locations) or ()]
vars(builtins)["Z3_LIB_DIRS"] = [str(folder) for folder in (*_BESIDE, Path(sys.prefix, "lib"))]

import z3  # noqa: E402 - the path must be set first

__all__ = ["z3"]
