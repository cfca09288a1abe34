"""Fast C programs in benchmarks/c/, if a compiler exists, and their arguments."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from benchmarks.ways.problem import (
    Coded,
    Components,
    Corners,
    Described,
    KLNim,
    Knight,
    Problem,
    Sequence,
    Squares,
    Staircase,
    Toads,
    Wythoff,
)

SOURCES = Path(__file__).resolve().parents[1] / "c"
COMPILERS = ("cc", "gcc", "clang")


def find_compiler() -> str | None:
    """Return the first C compiler on the path."""
    return next((found for name in COMPILERS if (found := shutil.which(name))), None)


def describe_compiler() -> str:
    """Return the first line of the compiler's version message, or "none"."""
    compiler = find_compiler()
    if compiler is None:
        return "none"
    said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    return said.stdout.partition("\n")[0]


def make_command(problem: Problem, folder: Path, digest: bool) -> list[str] | None:
    """Return the command that solves the problem, compiled into the folder; None without a compiler or a program.

    `digest`: also compute the digest of K-L-Nim, which takes longer than the solution.
    """
    match problem:
        case KLNim(size=size, k=k, l=l):
            name, arguments = "kl_nim", [str(x) for x in (size, *k, *l)] + ["digest"] * digest
        case Sequence(rule=rule, numbers=numbers):
            listed = [",".join(map(str, numbers))] if numbers else []
            ends = [str(problem.last), problem.claim, str(problem.number), str(problem.first)]
            name, arguments = "sequences", [rule, *listed, *ends]
        case Wythoff(size=size):
            name, arguments = "wythoff", [str(size)]
        case Knight(size=size):
            name, arguments = "knight", [str(size)]
        case Staircase(steps=steps, each=each, heaps=heaps):
            name, arguments = "staircase", [str(steps), str(each), str(heaps)]
        case Toads(length=length):
            name, arguments = "toads", [str(length)]
        case Described(form=form, first=first, last=last):
            name, arguments = "described", [form, str(first), str(last)]
        case Squares(last=last):
            name, arguments = "squares", [str(last)]
        case Components(last=last):
            name, arguments = "components", [str(last)]
        case Corners(size=size):
            name, arguments = "corners", [str(size)]
        case Coded():
            return None
    words = 1 if not isinstance(problem, KLNim) else _round_up(problem.size // 64 + 1)
    program = _compile(name, words, folder)
    return None if program is None else [str(program), *arguments]


def _round_up(words: int) -> int:
    return 1 << (words - 1).bit_length()


def _compile(name: str, words: int, folder: Path) -> Path | None:
    compiler = find_compiler()
    if compiler is None:
        return None
    program = folder / f"{name}-{words}"
    if not program.exists():
        options = ["-O3", "-march=native", f"-DW={words}", "-o", str(program), str(SOURCES / f"{name}.c"), "-lm"]
        subprocess.run([compiler, *options], check=True)  # noqa: S603
    return program
