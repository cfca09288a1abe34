"""What Z3 found of a script earlier in the same run of pytest, so that many tests may ask the same.

Many claims rest on one proof, and a test that changes one entry of a proof leaves most of its obligations as they were.
An outcome is remembered under the whole text of the script, the seed and the steps; whatever the code under test does
to a script makes another of it.  Never remembered: that Z3 gave up, and what it is given little time for.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar, cast

import pytest

from encoders.logic.sequent import Sequent
from encoders.logic.smt.scripts import Script, script_of
from encoders.logic.solvers.solver import Found, Limits, Outcome
from encoders.logic.solvers.z3 import Z3

LITTLE = 5.0  # seconds
T = TypeVar("T")


def remember(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Let each Z3 look into the folder before it is started, and leave there what it finds."""
    folder = folder / "answers"
    folder.mkdir(exist_ok=True)
    known: dict[str, object] = {}
    check_script, used = Z3.check_script, Z3.used

    def recall(what: str, script: Script, limits: Limits, ask: Callable[[], T], keep: Callable[[T], bool]) -> T:
        if limits.seconds is not None and limits.seconds < LITTLE:
            return ask()
        key = hashlib.sha256(f"{what} {limits.seed} {limits.steps}\n{script.text}".encode()).hexdigest()
        path = folder / key
        if key not in known and path.exists():
            known[key] = pickle.loads(path.read_bytes())
        if key in known:
            return cast(T, known[key])
        found = ask()
        if keep(found):
            known[key] = found
            beside = path.with_suffix(f".{os.getpid()}")
            beside.write_bytes(pickle.dumps(found))
            beside.replace(path)
        return found

    def check(self: Z3, script: Script, limits: Limits) -> Outcome:
        found = recall(
            "check", script, limits, lambda: check_script(self, script, limits), lambda o: o.found is not Found.UNKNOWN
        )
        return replace(found, limits=limits)

    def need(self: Z3, sequent: Sequent, limits: Limits) -> frozenset[int] | None:
        script = script_of(sequent, tuple(f"apart {i}" for i in range(len(sequent.apart))))
        return recall("used", script, limits, lambda: used(self, sequent, limits), lambda places: places is not None)

    patch.setattr(Z3, "check_script", check)
    patch.setattr(Z3, "used", need)
