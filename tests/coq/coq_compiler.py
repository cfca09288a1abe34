"""Coq for tests: each session compiles the modules of coq/ that its tests need once, and loads them once.

What `make -C coq` has compiled is used as it is, unless a source file is newer. The texts of theorems are given to one
process `coqtop`, because for a short text coqc spends most of its time on loading the theory.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from claims.language.files.library import LIBRARY
from encoders.proving.reading import load_claim
from encoders.proving.theorem import generate, lemmas_of
from tests.workshop.coq.mutants import grant

SOURCES = Path(__file__).resolve().parents[2] / "coq"
CERTIFICATES = "Streams Automata Sums Certificates Written Obligations Linear Guarded Sequents".split()
THEORY = """
Positions Folds NimAddition Games Tactics Grundy Digits Least Splitting Rules Language Evaluator Finite Periodic Sparse
Tables Quotient Ahead Equal Folded Few Shapes Recursion Formula Values
""".split()
PROMPT = re.compile(rb"<prompt>\S+ < (\d+) \|[^|]*\| \d+ < </prompt>$")
LIMIT = 300  # seconds for one text
NO_REFUSAL = re.compile(
    r"Syntax error|Lexical error|already exists|not found in the current|Cannot find a physical path|Can't find file"
)
"""Why Coq stops at a text that is no Coq, or that meets what an earlier text has left behind."""


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


class Objection(Exception):
    """Coq does not accept what it must accept."""


class Toplevel:
    """A process `coqtop` that has loaded the theory. It forgets each text before the next."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            ["coqtop", "-q", "-emacs", "-R", ".", "NimChecks"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.state = 0  # the number that Coq gives to its state; a command that fails does not change it
        self._answer()
        compiled = [*(f"certificates.{name}" for name in CERTIFICATES), *(f"theory.{name}" for name in THEORY)]
        for modules in ("Coq Require Lia ZifyBool ZArith", f"NimChecks Require {' '.join(compiled)}"):
            self._say(f"From {modules}.")
        self.loaded = self.state

    def close(self) -> None:
        with self.process:
            self.process.kill()

    def forget(self) -> None:
        """Forget every text."""
        if self.state != self.loaded:
            self._say(f"BackTo {self.loaded}.")
        self._say('Add Rec LoadPath "." as NimChecks.')  # for lemmas in folders that are made later

    def read(self, text: str) -> None:
        """Read a text to which Coq must not object."""
        (self.folder / "Text.v").write_text(text, "utf-8")
        self._say('Load "Text.v".')

    def objection(self, text: str) -> str:
        """Return the objection of Coq to a text after those that it has read; "" if there is none."""
        (self.folder / "Text.v").write_text(text, "utf-8")
        try:
            found = self._say('Fail Load "Text.v".')
        except Objection as e:
            if "The command has not failed!" not in str(e):
                raise
            return ""
        assert found.startswith("The command has indeed failed with message:"), found
        if NO_REFUSAL.search(found):
            raise Objection(found)
        return found

    def _say(self, command: str) -> str:
        """Return what Coq prints. Raises Objection if the command fails."""
        assert self.process.stdin is not None
        before = self.state
        self.process.stdin.write(f"{command}\n".encode())
        self.process.stdin.flush()
        answer = self._answer()
        if self.state == before:
            raise Objection(answer)
        return answer

    def _answer(self) -> str:
        """Read what Coq prints before its next prompt, which shows its state."""
        assert self.process.stdout is not None
        timer = threading.Timer(LIMIT, self.process.kill)
        timer.start()
        printed = b""
        while (prompt := PROMPT.search(printed)) is None:
            part = os.read(self.process.stdout.fileno(), 1 << 16)
            assert part, f"Coq has ended, or took more than {LIMIT} s: {printed.decode()}"
            printed += part
        timer.cancel()
        self.state = int(prompt[1])
        return printed[: prompt.start()].decode().strip()


@cache
def toplevel(folder: Path) -> Toplevel:
    """Return the process that reads texts with the theory compiled in this folder."""
    return Toplevel(folder)


def objection(folder: Path, text: str) -> str:
    """Return the objection of Coq to the text of a theorem; "" if there is none.

    The last line, which prints the axioms used, takes Coq as long as many proofs, so it is omitted. `.ci/coq` runs it
    for all theorems.
    """
    proved, _, name = text.rpartition("Print Assumptions ")
    assert f"\nTheorem {name.strip().removesuffix('.')} : " in proved
    coq = toplevel(folder)
    coq.forget()
    return coq.objection(proved)


@cache
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
    """Return the lemma `at` if Coq stops there, another text if it stops after it, and "" if it accepts the file.

    The lemmas before `at` are admitted. Raises Objection if Coq stops before `at`.
    """
    lemma = re.search(rf"^(?:Lemma|Theorem) {at}\b.*?\bQed\.\n", text, re.MULTILINE | re.DOTALL)
    assert lemma is not None, f"there is no lemma {at}"
    after, _, _ = text[lemma.end() :].rpartition("Print Assumptions ")
    coq = toplevel(folder)
    coq.forget()
    coq.read(grant(text[: lemma.start()]))
    if coq.objection(lemma[0]):
        return at
    coq.read(lemma[0])
    return coq.objection(after)


def refused_after(folder: Path, id: str, old: str, new: str, at: str) -> str:
    """Return the lemma at which Coq stops after one text in the file of a claim is replaced; `at` as in `refused_at`.

    `id`: a claim of the library. `old`, `new`: a text that occurs once in its Coq file, and the text in its place.
    """
    text = _write_shipped(id)
    assert text.count(old) == 1
    compile_lemmas(folder, id)
    return refused_at(folder, text.replace(old, new), at)


def write(library: Path, id: str) -> str:
    """Return the Coq text of a claim in a folder with the layout of the library."""
    return generate(load_claim(library / f"{id}.toml", id)).text


@cache
def _write_shipped(id: str) -> str:
    return write(LIBRARY, id)


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
