"""The command of the workshop.

    python -m tests.workshop --siblings 20000 --games 5000 --jobs 2 --seed 1 --log log.jsonl

An existing log is continued. The exit code is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from .judge import Judge
from .tasks import Task, guard, perform, repeating, steps_of, summary, suspect
from .workers import performed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.workshop", description=__doc__)
    parser.add_argument("--siblings", type=int, default=200, help="how many changed claims of the library")
    parser.add_argument("--games", type=int, default=50, help="how many random games")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    parser.add_argument("--seed", type=int, default=1, help="from which all is drawn")
    parser.add_argument("--log", type=Path, help="a file with a line of JSON for each suspect")
    parser.add_argument(
        "--only", nargs=2, metavar=("KIND", "NUMBER"), help="one suspect: sibling or game, and its number"
    )
    parser.add_argument("--write", type=Path, help="with --only: the folder for its files")
    parser.add_argument("--summary", action="store_true", help="only say what the log says")
    asked = parser.parse_args()
    if asked.only:
        return one(asked.seed, (asked.only[0], int(asked.only[1])), asked.write)
    if asked.summary:
        print(summary(logged(asked.log)))
        return 0
    return many(asked.seed, asked.siblings, asked.games, asked.jobs, asked.log)


def one(seed: int, task: Task, folder: Path | None) -> int:
    """Make one suspect again, show it, and judge it."""
    guard()
    parent, said, bundle, _ = suspect(seed, task)
    print(f"{parent}\n" + "\n".join(f"  {x}" for x in said))
    if folder:
        print(f"written to {bundle.written(folder).path}")
    line = perform(Judge(), seed, task, guarded=True)
    line.pop("files", None)
    print(json.dumps(line, indent=2))
    print(f"by hand: checks run claim.toml --solver-steps {steps_of(task)}")
    return 1 if "finding" in line else 0


def many(seed: int, siblings: int, games: int, jobs: int, log: Path | None) -> int:
    """Perform all tasks that are not in the log; then print the summary of the whole log."""
    lines = [x for x in logged(log) if x["seed"] == seed]
    done = {(x["kind"], x["number"]) for x in lines}
    tasks = [("sibling", i) for i in range(siblings)] + [("game", i) for i in range(games)]
    tasks = [t for t in tasks if t not in done]
    started, last = time.monotonic(), 0.0
    file = log.open("a", encoding="utf-8") if log else None
    try:
        for number, line in enumerate(performed(tasks, seed, jobs), 1):
            lines.append(line)
            if file:
                file.write(json.dumps(line) + "\n")
                file.flush()
            if "finding" in line:
                print(
                    f"{line['finding'][:300]}\n  {line['parent']}: {line['changes']}\n  {repeating(line)}", flush=True
                )
            passed = time.monotonic() - started
            if passed - last > 60:
                last = passed
                print(f"{number} of {len(tasks)} after {passed:.0f} s", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    finally:
        if file:
            file.close()
    print(summary(lines))
    return 1 if any("finding" in x for x in lines) else 0


def logged(log: Path | None) -> list[dict]:
    """Return the lines of a log, without an incomplete last line."""
    if log is None or not log.exists():
        return []
    found = []
    for text in log.read_text("utf-8").splitlines():
        try:
            found.append(json.loads(text))
        except ValueError:
            continue
    return found


if __name__ == "__main__":
    sys.exit(main())
