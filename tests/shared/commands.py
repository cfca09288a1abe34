"""Functions that run the command line, in a separate process or within the process of the test."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from checks.command.cli import main

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 120  # seconds


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Done]


def run_process(*words: str, cwd: Path | None = None) -> Done:
    """Run `python -m checks ...` in a folder, with the packages of this working copy."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "checks", *words]
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", timeout=LIMIT, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


def run_within(*words: str, cwd: Path | None = None) -> Done:
    """Run the command within this process, which reuses results of Z3. Internal errors are raised.

    All claims are settled in this process, unless `words` contain `--jobs`, because worker processes take time to
    start.
    """
    several = len(words) > 2 and words[0] in ("run", "mutate") and not {"-j", "--jobs"} & set(words)
    out, err, code = StringIO(), StringIO(), 0
    with chdir(cwd or ROOT), redirect_stdout(out), redirect_stderr(err):
        try:
            main.main([*words, *(("--jobs", "1") if several else ())], prog_name="python -m checks")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    return Done(code, out.getvalue(), err.getvalue())


def read_untimed(path: Path, *others: str) -> object:
    """Return the data of a JSON file without times, and without the other keys that are named."""

    def strip(value: object) -> object:
        if isinstance(value, dict):
            return {k: strip(v) for k, v in value.items() if k not in ("seconds", "started", *others)}
        return [strip(x) for x in value] if isinstance(value, list) else value

    return strip(json.loads(path.read_text("utf-8")))
