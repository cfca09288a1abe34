"""What Z3 answered to a query earlier in the same run of pytest, so that many tests may ask the same.

Many claims rest on one proof, and a test that changes one entry of a proof leaves most of its obligations as they were.
An answer is remembered under the whole text of the query and every setting of the solver; whatever the code under test
does to a query makes another query of it.  Never remembered: that Z3 gave up, and what it is given little time for.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
import z3

LITTLE = 5000  # milliseconds
ANSWERS = {"sat": z3.sat, "unsat": z3.unsat}
REST = ("model", "reason_unknown", "unsat_core", "statistics", "proof")  # what a solver must have checked itself to say


def remember(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Let each solver look into the folder before it checks, and leave its answer there."""
    folder = folder / "answers"
    folder.mkdir(exist_ok=True)
    known: dict[str, str] = {}
    check, configure, track = z3.Solver.check, z3.Solver.set, z3.Solver.assert_and_track

    def note(self: z3.Solver, *args: Any, **keys: Any) -> None:
        configure(self, *args, **keys)
        self.__dict__.setdefault("settings", {}).update({str(args[0]): args[1:]} if args else keys)

    def mark(self: z3.Solver, *args: Any) -> None:
        self.tracks = True
        track(self, *args)

    def key_of(self: z3.Solver) -> str | None:
        settings = dict(self.__dict__.get("settings", {}))
        time = settings.pop("timeout", None)
        if hasattr(self, "tracks") or (time and int(time[0] if isinstance(time, tuple) else time) < LITTLE):
            return None
        return hashlib.sha256(f"{sorted(settings.items())}\n{self.sexpr()}".encode()).hexdigest()

    def answer(self: z3.Solver, *assumptions: Any) -> Any:
        key = None if assumptions else key_of(self)
        if key is None:
            return check(self, *assumptions)
        if key not in known:
            path = folder / key
            known[key] = path.read_text() if path.exists() else ""
        if known[key] in ANSWERS:
            self.owes = True
            return ANSWERS[known[key]]
        found = check(self)
        if str(found) in ANSWERS:
            known[key] = str(found)
            (folder / key).write_text(str(found))
        return found

    patch.setattr(z3.Solver, "set", note)
    patch.setattr(z3.Solver, "assert_and_track", mark)
    patch.setattr(z3.Solver, "check", answer)
    for name in REST:
        patch.setattr(z3.Solver, name, after_checking(getattr(z3.Solver, name), check))


def after_checking(method: Any, check: Any) -> Any:
    def run(self: z3.Solver, *args: Any) -> Any:
        if self.__dict__.pop("owes", False):
            check(self)
        return method(self, *args)

    return run
