"""A Dask scheduler and workers, as processes on 127.0.0.1, and runs that use them."""

import json
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import small_scopes
from commands import read_untimed

ROOT = Path(__file__).parents[3]
PACKAGES = Path(sysconfig.get_path("purelib"))
SCRIPT = str(small_scopes.__file__)
LIMIT = 120.0  # seconds
QUIET = {"DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "false", "CHECKS_CACHE": "off"}


def wait_for(what: Callable[[], object], limit: float = LIMIT) -> None:
    until = time.monotonic() + limit
    while not what():
        assert time.monotonic() < until, what
        time.sleep(0.05)


class Dask:
    """One scheduler, with a changing set of workers. `address`: where it listens."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, list[subprocess.Popen[bytes]]()
        told = folder / "scheduler.json"
        # -S ignores installed packages: nim-checks may be installed by a link to this folder, but the scheduler must
        # not need it.
        words = ["-S", "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self.scheduler = self.start([*words, "--no-show", "--scheduler-file", str(told)], PACKAGES)
        wait_for(told.exists)
        wait_for(lambda: told.read_text().endswith("}"))
        self.address = str(json.loads(told.read_text())["address"])

    def start(self, words: list[str], source: Path, **variables: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **QUIET, **variables, "PYTHONPATH": str(source)}
        log = (self.folder / f"log-{len(self.processes)}").open("wb")
        command = [sys.executable, *words]
        process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)
        log.close()
        self.processes.append(process)
        return process

    def add_worker(self, source: Path = ROOT, **variables: str) -> subprocess.Popen[bytes]:
        """Start a worker with the packages at `source`; the function does not wait until it is ready."""
        own = self.folder / f"worker-{len(self.processes)}"
        words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(own)]
        searched = {"SEARCHED": str(self.folder / "searched"), **variables}
        return self.start([SCRIPT, "worker", self.address, *words], source, **searched)

    def end_workers(self) -> None:
        for process in self.processes:
            if process is not self.scheduler:
                process.kill()
                process.wait()

    def close(self) -> None:
        self.end_workers()
        self.scheduler.kill()
        self.scheduler.wait()


class Runs:
    """A folder with a claim, in which runs are started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        small_scopes.put_heavy(folder)

    def start(self, report: str, *words: str, **variables: str) -> subprocess.Popen[str]:
        """Start a run of the claim, or of the claims named first in `words`, with a separate report folder."""
        what = [] if words and not words[0].startswith("-") else ["claim.toml"]
        command = [sys.executable, SCRIPT, "checks", "run", *what, *words, "--report", report]
        searched = {"SEARCHED": str(self.folder / f"searched-{report}")}
        environment = {**os.environ, **QUIET, "PYTHONPATH": str(ROOT), **searched, **variables}
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=self.folder, env=environment, stdout=pipe, stderr=pipe, text=True)

    def run(self, report: str, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        process = self.start(report, *words, **variables)
        out, err = process.communicate(timeout=LIMIT)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def read(self, report: str) -> object:
        """Return the content of the report, except times and the command."""
        return read_untimed(self.folder / report / "report.json", "command")

    def count_receipts(self, report: str) -> int:
        return len(list((self.folder / report / "shards").rglob("*.json")))


def count_lines(file: Path) -> int:
    return len(file.read_text().splitlines()) if file.exists() else 0
