"""Copies of the tree in which one change at a time is made and its tests are run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from .table import PACKAGES, ROOT, Row, Stale, changed

LONG = 3600  # seconds for many tests at once: what is still running then has shown nothing
PATIENCE = 300  # seconds for the tests of one change: one that is still running then has been noticed
_LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*", "out", "*.egg-info", "build", "dist")
_ORIGIN = f"import {', '.join(PACKAGES)}; print(*(m.__path__[0] for m in ({', '.join(PACKAGES)})), sep='\\n')"


class Refused(Exception):
    """The table cannot be run: the tests fail without any change, or other code than the copy would be imported."""


@dataclass(frozen=True)
class Outcome:
    """What became of a row: killed, survived, stale or broken; `detail` says by which test, or what is wrong."""

    row: Row
    word: str
    detail: str
    seconds: float

    @property
    def right(self) -> bool:
        """Whether that is as it should be."""
        return self.word == ("survived" if self.row.equal else "killed")


class Copy:
    """A copy of the tree in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        """Raises Refused where Python would import the packages from somewhere else."""
        self.folder = folder
        shutil.copytree(ROOT, folder, ignore=_LEFT_OUT, dirs_exist_ok=True)
        found = self._run("-c", _ORIGIN)
        origins = [Path(line).resolve() for line in found.stdout.splitlines()]
        if origins != [folder.resolve() / package for package in PACKAGES]:
            raise Refused(f"not the copy in {folder} is imported: {found.stdout}{found.stderr}")

    def _run(self, *words: str, patience: float = PATIENCE) -> subprocess.CompletedProcess[str]:
        environment = {n: v for n, v in os.environ.items() if not n.startswith(("PYTEST", "COV"))}
        environment["PYTHONPATH"] = str(self.folder)
        command = [sys.executable, *words]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=patience
        )

    def test(self, tests: Iterable[str], patience: float = PATIENCE) -> tuple[int, str, str]:
        """The exit code of pytest on these tests, the first that failed, and all that it printed."""
        words = (
            "-x",
            "-q",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            "--tb=short",
            "-rfE",
            "--budget",
            "0",
            "-m",
            "not slow",
        )
        done = self._run("-m", "pytest", *words, *dict.fromkeys(tests), patience=patience)
        first = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        return done.returncode, first[1] if first else "", done.stdout + done.stderr

    @contextmanager
    def with_change(self, row: Row, text: str, number: int) -> Iterator[None]:
        """The row's file as it is after the change, for a while.

        Its time is one that no other version of it has: Python tells compiled files apart by time and size.
        """
        path = self.folder / row.file
        before, times = path.read_bytes(), path.stat()
        path.write_text(text, "utf-8")
        os.utime(path, (number + 1, number + 1))
        try:
            yield
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def tried(row: Row, copy: Copy, number: int) -> Outcome:
    """What becomes of one row."""
    started = time.monotonic()

    def outcome(word: str, detail: str) -> Outcome:
        return Outcome(row, word, detail, time.monotonic() - started)

    try:
        text = changed(row, copy.folder)
    except Stale as error:
        return outcome("stale", str(error))
    try:
        with copy.with_change(row, text, number):
            try:
                code, first, printed = copy.test(row.tests) if row.tests else (0, "", "")
            except subprocess.TimeoutExpired:
                return outcome("killed", f"still running after {PATIENCE} s")
            if code == 0 and row.then:
                code, first, printed = copy.test(row.then, LONG)
    except subprocess.TimeoutExpired:
        return outcome("survived", f"no test has failed within {LONG} s")
    if code == 0:
        return outcome("survived", row.equal)
    if code == 1:
        return outcome("killed", f"by {first}")
    return outcome("broken", "\n".join(printed.splitlines()[-15:]))


def run_rows(wanted: list[Row], jobs: int) -> Iterator[Outcome]:
    """The outcomes, in order. Raises Refused, before the first, where the tests fail on unchanged code."""
    with TemporaryDirectory(prefix="harness-") as folder, ThreadPoolExecutor(jobs) as pool:
        free: SimpleQueue[Copy] = SimpleQueue()
        copies = [Copy(Path(folder) / str(i)) for i in range(max(1, jobs))]
        tests = list(dict.fromkeys(test for row in wanted for test in row.tests))
        parts = [tests[i::jobs] for i in range(min(jobs, len(tests)))]
        try:
            for code, first, printed in pool.map(Copy.test, copies, parts, [LONG] * len(parts)):
                if code:
                    raise Refused(f"without any change {first or 'pytest'} fails:\n{printed}")
        except subprocess.TimeoutExpired:
            raise Refused(f"without any change the tests take longer than {LONG} s") from None
        for copy in copies:
            free.put(copy)

        def one(numbered: tuple[int, Row]) -> Outcome:
            copy = free.get()
            try:
                return tried(numbered[1], copy, numbered[0])
            finally:
                free.put(copy)

        yield from pool.map(one, enumerate(wanted))
