"""A claim with a small scope, and settings with which small scopes count as large, so that they are split into shards.

As a script, this file is a run or a worker of Dask with these settings: `small_scopes.py checks ...`,
`small_scopes.py worker ...`.
Environment variables:
- SEARCHED: a file to which a line is added for each shard that is searched
- DIES: the number of shards after which this process is killed
- KEPT_DIES: the number of receipts after which it is killed
- SLOW: the seconds that each shard takes
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from claim_texts import HEAD

if TYPE_CHECKING:
    from claims.language.files.library import Entry

TRUE = "iff(wins(s), nim_sum(h % (k + 1) for h in s) > 0)"
FALSE = "sum(s) < 13 or k % 2 == 0"
"""It fails at (3, 5, 5) and k = 1."""
STATED = (
    HEAD
    + """ruleset = "bash-nim(k = k)"
[forall]
k = "1.."
s = "position"
[scope]
k = "1..6"
s = { heaps = "0..3", size = "1..5" }
[claim]
then = "THEN"
"""
)


def state(then: str = TRUE) -> str:
    """Return the text of a claim file."""
    return STATED.replace("THEN", then)


def put_heavy(folder: Path, then: str = TRUE) -> Entry:
    """Write the claim into the folder."""
    from claims.language.files.library import Entry

    path = folder / "claim.toml"
    path.write_text(state(then))
    return Entry("claim", path)


def shrink(put: Callable[[object, str, object], None] = setattr) -> None:
    """Make small scopes count as heavy."""
    from encoders.compute import exhaustive as cover
    from encoders.compute.arrays import cases as slabs

    for name, value in (("AT_ONCE", 20), ("FIRST", 30), ("GROWTH", 3)):
        put(slabs, name, value)
    for name, value in (("BY_PARAMETERS", 60), ("BY_POSITIONS", 150)):
        put(cover, name, value)


def watch() -> dict[str, int]:
    """Count the searched shards and the stored receipts. Kill the process if the environment variables say so."""
    from checks.execution import shards

    search, keep, count = shards.run_task, shards.ShardStore.keep, {"searched": 0, "kept": 0}

    def kill_at(what: str, variable: str) -> None:
        count[what] += 1
        if count[what] == int(os.environ.get(variable, "-1")):
            os.kill(os.getpid(), signal.SIGKILL)

    def run_task(*args):
        kill_at("searched", "DIES")
        time.sleep(float(os.environ.get("SLOW", "0")))
        with Path(os.environ["SEARCHED"]).open("a") as file:
            file.write(f"{os.getpid()}\n")
        return search(*args)

    run_task.__module__, run_task.__qualname__ = search.__module__, search.__qualname__

    def keep_and_count(*args) -> None:
        keep(*args)
        kill_at("kept", "KEPT_DIES")

    shards.run_task = run_task
    shards.ShardStore.keep = keep_and_count
    return count


def main() -> None:
    what = sys.argv.pop(1)
    shrink()
    count = watch()
    if what == "checks":
        from checks.execution import far as cluster
        from reports.write import RENDERINGS

        for name in ("index.html", "report.md", "report.sarif"):  # they take longer than the rest
            del RENDERINGS[name]
        cluster.ANSWER = float(os.environ.get("ANSWER", cluster.ANSWER))
        from checks.command.cli import main as run
        from claims.language.interrupts import catch_signals

        catch_signals()  # as checks.__main__ does
    else:
        from distributed.cli.dask_worker import main as run
    try:
        run()
    finally:
        sys.stderr.write(f"receipts {count['kept']}\n")


if __name__ == "__main__":
    main()
elif __name__ == "__mp_main__":  # a worker process of a run
    shrink()
    watch()
