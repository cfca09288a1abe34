"""Coq, for tests: what of coq/ they need is compiled once in a run, or lies compiled where CHECKS_COQ says."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[3] / "coq"
CERTIFICATES = ("Streams", "Automata", "Sums", "Certificates", "Written")
THEORY = (
    "Positions Folds NimAddition Games Tactics Grundy Digits Least Splitting Periodic Sparse Tables Quotient".split()
)

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")


def compile_in(folder: Path, modules: Iterable[str]) -> None:
    """Compile modules of coq/, named "room/Module" in the order of what they need, in a copy of it in the folder."""
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.vo*", "*.glob", ".*"))
    compiled = Path(os.environ.get("CHECKS_COQ", folder))
    for module in modules:
        if compiled != folder and (compiled / f"{module}.v").read_bytes() == (folder / f"{module}.v").read_bytes():
            for kind in ("vo", "glob"):
                shutil.copy2(compiled / f"{module}.{kind}", folder / f"{module}.{kind}")
        else:
            assert run_coq(folder, f"{module}.v") == ""


def run_coq(folder: Path, file: str) -> str:
    """What Coq objects to in the file; "" if nothing."""
    done = subprocess.run(
        ["coqc", "-q", "-R", ".", "NimChecks", file],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return "" if done.returncode == 0 else done.stderr or "no reason given"
