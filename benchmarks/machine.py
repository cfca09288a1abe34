"""Describe the machine of a table, without names of persons or paths."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import time
from pathlib import Path
from typing import TypedDict

from benchmarks.ways.machine_code import describe_compiler

PACKAGES = ("numpy", "z3-solver", "wasmtime", "clingo", "open_spiel")


class Machine(TypedDict):
    """A machine. `additions`: CPU seconds for ten million additions in Python, which measure its current speed."""

    cpu: str
    cores: int
    memory: str
    system: str
    python: str
    compiler: str
    packages: dict[str, str]
    additions: float


def describe() -> Machine:
    """Describe the machine in its current state."""
    return {
        "cpu": _find(Path("/proc/cpuinfo"), r"model name\s*:\s*(.*)") or platform.processor() or platform.machine(),
        "cores": os.cpu_count() or 1,
        "memory": _describe_memory(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": describe_compiler(),
        "packages": {name: version for name in PACKAGES if (version := _find_version(name))},
        "additions": round(time_additions(), 2),
    }


def time_additions() -> float:
    """Return the CPU seconds for ten million additions."""
    started, x = time.process_time(), 0
    for i in range(10_000_000):
        x += i
    return time.process_time() - started


def _find(path: Path, pattern: str) -> str:
    found = re.search(pattern, path.read_text()) if path.exists() else None
    return found[1].strip() if found else ""


def _describe_memory() -> str:
    kilobytes = _find(Path("/proc/meminfo"), r"MemTotal:\s*(\d+) kB")
    return f"{int(kilobytes) / 2**20:.0f} GB" if kilobytes else "unknown"


def _find_version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
