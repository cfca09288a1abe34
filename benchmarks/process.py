"""Run one command in a separate process: its output and the resources it uses."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MEMORY = 12 << 30  # bytes of address space for a command


@dataclass(frozen=True)
class Finished:
    """The result of a command.

    `cpu`, `wall`: seconds; `cpu` includes all processes that the command waited for.
    `peak`: bytes of the largest of these processes.
    `code`: the exit code; None if the command was stopped at the limit.
    """

    cpu: float
    wall: float
    peak: int
    code: int | None
    out: str
    err: str


def run(command: list[str], limit: float) -> Finished:
    """Run a command in the root of the repository; stop it and its children after `limit` seconds.

    The peak includes the memory of this process, which must therefore stay small. Python caches compiled modules, as
    for a user, whatever is set here.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        started = time.perf_counter()
        child = subprocess.Popen(  # noqa: S603 - our own commands
            command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
            env=environment | {"PYTHONPATH": str(ROOT)},
        )
        if sys.platform == "linux":
            resource.prlimit(child.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        stopped = threading.Event()

        def stop() -> None:
            stopped.set()
            os.killpg(child.pid, signal.SIGKILL)

        timer = threading.Timer(limit, stop)
        timer.start()
        _, status, used = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - started
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    code = None if stopped.is_set() else child.returncode
    return Finished(used.ru_utime + used.ru_stime, wall, peak, code, *texts)
