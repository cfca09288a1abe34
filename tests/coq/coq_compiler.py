"""Coq for tests: each session compiles the modules of coq/ that its tests need once.

What `make -C coq` has compiled is used as it is, unless a source file is newer.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from claims.language.files.library import LIBRARY
from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate, lemmas_of
from tests.workshop.coq.mutants import grant, line_of

SOURCES = Path(__file__).resolve().parents[2] / "coq"
CERTIFICATES = "Streams Automata Sums Certificates Written Obligations Linear Guarded Sequents".split()
THEORY = """
Positions Folds NimAddition Games Tactics Grundy Digits Least Splitting Rules Language Evaluator Finite Periodic Sparse
Tables Quotient Ahead Equal Folded Few Shapes Recursion Formula Values
""".split()


def needs_coq(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that runs Coq: it is slow, skipped without Coq, and runs in one process with those of its file."""
    missing = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
    return pytest.mark.slow(pytest.mark.xdist_group(test.__module__)(missing(test)))


def copy_sources(folder: Path) -> None:
    """Copy coq/ into the folder, with its compiled files and the times of all files."""
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*", "claims"))


def compile_in(folder: Path, modules: Iterable[str]) -> None:
    """Compile modules, named "folder/Module", in the order of their imports, unless they are compiled already.

    If one is compiled, then also those after it, which may import it.
    """
    fresh = True
    for module in modules:
        source = folder / f"{module}.v"
        compiled = source.with_suffix(".vo")
        fresh = fresh and compiled.is_file() and compiled.stat().st_mtime_ns > source.stat().st_mtime_ns
        if not fresh:
            assert run_coq(folder, f"{module}.v") == ""


def run_coq(folder: Path, file: str) -> str:
    """Return the objection of Coq to the file; "" if there is none."""
    done = subprocess.run(
        ["coqc", "-q", "-R", ".", "NimChecks", file],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return "" if done.returncode == 0 else done.stderr or "no reason given"


def objection(folder: Path, text: str) -> str:
    """Return the objection of Coq to the text of a theorem; "" if there is none.

    The last line, which prints the axioms used, takes Coq as long as many proofs, so it is omitted. `.ci/coq` runs it
    for all theorems.
    """
    proved, _, name = text.rpartition("Print Assumptions ")
    assert f"\nTheorem {name.strip().removesuffix('.')} : " in proved
    (folder / "Text.v").write_text(proved, "utf-8")
    return run_coq(folder, "Text.v")


def compile_lemmas(folder: Path, id: str) -> None:
    """Compile the theorems that the theorem of a claim of the library imports, unless they are compiled already."""
    for lemma in lemmas_of(load_claim(LIBRARY / f"{id}.toml", id)):
        theorem = generate(lemma.claim)
        path = folder / f"{theorem.module.replace('.', '/')}.v"
        if not path.with_suffix(".vo").is_file():
            path.parent.mkdir(exist_ok=True)
            path.write_text(theorem.text, "utf-8")
            assert run_coq(folder, str(path.relative_to(folder))) == ""


def refused_at(folder: Path, text: str, at: str) -> str:
    """Return the lemma at which Coq stops, "" if it accepts the file. The lemmas before `at` are admitted."""
    first = re.search(rf"^(?:Lemma|Theorem) {at}\b", text, re.MULTILINE)
    assert first is not None, f"there is no lemma {at}"
    found = objection(folder, grant(text[: first.start()]) + text[first.start() :])
    if not found:
        return ""
    assert "Error" in found
    lines = (folder / "Text.v").read_text("utf-8").splitlines()[: line_of(found)]
    return re.findall(r"^(?:Lemma|Theorem) (\w+)", "\n".join(lines), re.MULTILINE)[-1]


def refused_after(folder: Path, id: str, old: str, new: str, at: str) -> str:
    """Return the lemma at which Coq stops after one text in the file of a claim is replaced; `at` as in `refused_at`.

    `id`: a claim of the library. `old`, `new`: a text that occurs once in its Coq file, and the text in its place.
    """
    text = write(LIBRARY, id)
    assert text.count(old) == 1
    compile_lemmas(folder, id)
    return refused_at(folder, text.replace(old, new), at)


def write(library: Path, id: str) -> str:
    """Return the Coq text of a claim in a folder with the layout of the library."""
    return generate(load_claim(library / f"{id}.toml", id)).text


def spoil(library: Path, ruleset: str, works: Iterable[str], change: tuple[str, str, str]) -> None:
    """Copy these works to a folder, with a ruleset in the first, and change a text: (file, old text, new text)."""
    first, *_ = works
    for work in works:
        shutil.copytree(LIBRARY / work, library / work)
    shutil.copy(LIBRARY / "rulesets" / f"{ruleset}.toml", library / first)  # this copy is found first
    file, old, new = change
    text = (library / file).read_text("utf-8")
    assert old in text
    (library / file).write_text(text.replace(old, new), "utf-8")
