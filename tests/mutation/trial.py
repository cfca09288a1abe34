"""Trials of mutants: a pytest plugin that collects the tests once and runs them in a fork for each mutant.

The mutant is written to a copy of the repository, so that new processes import it. In the fork the functions that
were already imported get the mutant's code. A change outside functions needs a new process.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from types import CodeType, FunctionType

import pytest

from .mutants import Mutant, list_mutants

PYTEST = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed", "1"]
WALL = 900  # seconds after which the tests of a mutant are stopped even if they use no CPU


class Trials:
    """The plugin. `MUTATION` is a JSON object with its arguments, such as the file and the numbers of its mutants.

    `out`: the file descriptor for outcomes.
    `memory`: the limit in GB for the data of a mutant's tests.
    """

    def __init__(self, file: str, numbers: list[int], out: int, memory: int) -> None:
        self.path, self.numbers, self.out, self.memory = Path(file).resolve(), numbers, out, memory << 30
        self.text = self.path.read_text("utf-8")
        self.mutants = list_mutants(file, self.text)
        self.child = False
        self.failed = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run the tests unchanged, then with each mutant. In a fork, return to pytest, which runs the tests."""
        gc.unfreeze()
        here = [f for f in gc.get_objects() if type(f) is FunctionType and f.__code__.co_filename == str(self.path)]
        gc.freeze()  # the forks share existing objects
        usual = self._fork([], 600)
        if usual is None:
            return None
        if usual[0] != "survived":
            return True  # the tests fail without a change: write nothing
        limit = 5 + round(5 * usual[2])
        for number in self.numbers:
            with self._written(self.mutants[number], number):
                changed = _pair(self._compile(None), self._compile(self.mutants[number]))
                if changed is None or not self.mutants[number].inside:
                    outcome = self._fork([], limit, anew=session.config.args)
                else:
                    outcome = self._fork([(f, changed[f.__code__]) for f in here], limit)
                if outcome is None:
                    return None
            os.write(self.out, (json.dumps([number, *outcome[:2]]) + "\n").encode())
        return True

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self.child:
            os.write(self.pipe, self.failed.encode())
            os._exit(int(exitstatus))

    def _fork(
        self, changes: list[tuple[FunctionType, CodeType]], limit: int, anew: Sequence[str] = ()
    ) -> tuple[str, str, float] | None:
        """Return the outcome, the test that failed, and the CPU seconds; None in the fork.

        `anew`: tests for a new process, because the change affects more than functions.
        """
        read, self.pipe = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
            resource.setrlimit(resource.RLIMIT_DATA, (self.memory, self.memory))
            if anew:
                environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "MUTATION"))}
                os.execve(sys.executable, [sys.executable, "-m", "pytest", *PYTEST, *anew], environment)
            for function, code in changes:
                function.__code__ = code
            self.child = True
            return None
        os.close(self.pipe)
        timer = Timer(WALL, _stop, [pid])
        timer.start()
        _, status, usage = os.wait4(pid, 0)
        timer.cancel()
        _stop(pid)
        with os.fdopen(read) as pipe:
            failed = pipe.read()
        code = os.waitstatus_to_exitcode(status)
        failed = failed or (f"signal {-code}: a limit of CPU or memory" if code < 0 else "a test in a new process")
        return "killed" if code else "survived", failed if code else "", usage.ru_utime + usage.ru_stime

    def _compile(self, mutant: Mutant | None) -> CodeType:
        text = self.text if mutant is None else mutant.apply(self.text)
        return compile(text, str(self.path), "exec", dont_inherit=True)

    @contextmanager
    def _written(self, mutant: Mutant, number: int) -> Iterator[None]:
        """Replace the file by the mutant.

        Python detects changes by the modification time, so each mutant gets its own.
        """
        times = self.path.stat()
        self.path.write_text(mutant.apply(self.text), "utf-8")
        os.utime(self.path, (number + 1, number + 1))
        try:
            yield
        finally:
            if not self.child:
                self.path.write_text(self.text, "utf-8")
                os.utime(self.path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _stop(pid: int) -> None:
    """Kill the process and its children."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _pair(old: CodeType, new: CodeType) -> dict[CodeType, CodeType] | None:
    """Return the functions of a module with their changed code; None if one cannot replace the other."""
    found = {old: new}
    parts = [[x for x in code.co_consts if isinstance(x, CodeType)] for code in (old, new)]
    if old.co_freevars != new.co_freevars or [x.co_name for x in parts[0]] != [x.co_name for x in parts[1]]:
        return None
    for pair in zip(*parts, strict=True):
        inner = _pair(*pair)
        if inner is None:
            return None
        found |= inner
    return found


if given := os.environ.get("MUTATION"):
    task = json.loads(given)

    def pytest_configure(config: pytest.Config) -> None:
        config.pluginmanager.register(Trials(**task))
