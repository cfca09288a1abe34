"""A cache, and a claim that is settled quickly, for the tests of this folder."""

from __future__ import annotations

from pathlib import Path

from commands import Done, run_within

from checks.cache.keys import Program
from checks.cache.results import ResultCache
from checks.cache.store import Store
from claims.language.files.library import Entry

SECRET = bytes(range(32))
PROGRAM = Program("source", ("Python", "numpy 2"))
RULES = """format = 1
title = "Half-Nim"
players = ["A", "B"]
stuck = "loses"

[[moves]]
choose = "any heap h"
pick = { m = "1..h // 2" }
become = ["h - m"]
"""
CLAIM = """format = 1
title = "One heap is lost exactly at one less than a power of two"
statement = "The player to move loses exactly if n + 1 is a power of two."
work = "my-notes"
locator = "page 2"
role = "conjecture"
ruleset = "half-nim"

[forall]
n = "1.."

[claim]
then = "iff(not wins(position([n]), A), is_power(n + 1))"

[scope]
n = "1..20"
"""
SHARED = """format = 1
[define]
"is_power(x)" = "x == 2 ** top_bit(x)"
"""


def write_claim(folder: Path, name: str = "one-heap") -> Entry:
    """Write the claim into a folder, with its ruleset and definitions."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "half-nim.toml").write_text(RULES)
    (folder / "definitions.toml").write_text(SHARED)
    (folder / f"{name}.toml").write_text(CLAIM)
    return Entry(name, folder / f"{name}.toml")


def open_results(folder: Path, program: Program = PROGRAM) -> ResultCache:
    folder.mkdir(exist_ok=True)
    return ResultCache(Store(folder / "cache.sqlite", SECRET), program)


def run(folder: Path, *words: str, claim: str = "one-heap.toml") -> Done:
    return run_within("run", claim, "--jobs", "1", *words, cwd=folder)


def list_certificates(folder: Path) -> dict[Path, bytes]:
    return {p: p.read_bytes() for p in (folder / "reports/out/certificates").rglob("*/*.json")}
