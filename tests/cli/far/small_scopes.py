"""A run, or a worker of Dask, in which small scopes count as heavy: `small_scopes.py checks ...`, `... worker ...`.

Environment: SEARCHED, a file that gets a line for each shard searched; DIES, at which shard of this process that is
killed; KEPT_DIES, after how many receipts; SLOW, seconds for each shard.
"""

import os
import signal
import sys
import time
from pathlib import Path

SMALL = {"AT_ONCE": 20, "FIRST": 30, "GROWTH": 5, "BY_PARAMETERS": 60, "BY_POSITIONS": 150}


def shrink() -> dict[str, int]:
    from checks.execution import floor
    from checks.execution.shards import drive, shelf, task
    from encoders.exhaustive.cases import shards, slabs

    for name, value in SMALL.items():
        setattr(shards if name.startswith("BY") else slabs, name, value)
    search, keep, count = task.run_task, shelf.Shelf.keep, {"searched": 0, "kept": 0}

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

    task.run_task = floor.run_task = drive.run_task = run_task
    shelf.Shelf.keep = keep_and_count
    return count


def main() -> None:
    what = sys.argv.pop(1)
    count = shrink()
    if what == "checks":
        from checks.execution.far import cluster
        from reports.write import RENDERINGS

        for name in ("index.html", "report.md", "report.sarif"):  # they take longer than the rest
            del RENDERINGS[name]
        cluster.ANSWER = float(os.environ.get("ANSWER", cluster.ANSWER))
        from checks.cli import main as run
    else:
        from distributed.cli.dask_worker import main as run
    try:
        run()
    finally:
        sys.stderr.write(f"receipts {count['kept']}\n")


if __name__ == "__main__":
    main()
