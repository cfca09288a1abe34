"""Measure all rows on this machine, with the tool and with other ways: see benchmarks/README.md."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks import machine, process, table
from benchmarks.measured import Entry, measure
from benchmarks.rows import ROWS

BASELINE = Path(__file__).parent / "baseline.json"
_SMALL = ("run", "nim/bouton", "--no-cache", "--route", "exhaustive", "--set", "s.heaps=0..1", "--set", "s.size=1..1")


def main() -> None:
    """Print the table; exit with 1 if two ways contradict each other."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = [row.name for row in ROWS]
    parser.add_argument(
        "--row", action="append", choices=names, metavar="NAME", help=f"only this row: {', '.join(names)}"
    )
    parser.add_argument("--tiny", action="store_true", help="small scopes, to test every way in a minute")
    parser.add_argument(
        "--limit", type=float, default=150, metavar="SECONDS", help="time limit for each way of each row (150)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the table to this file")
    parser.add_argument(
        "--compare",
        type=Path,
        nargs="?",
        const=BASELINE,
        metavar="FILE",
        help="compare with a stored table (baseline.json)",
    )
    options = parser.parse_args()
    rows = [row for row in ROWS if not options.row or row.name in options.row]
    here, start_up = machine.describe(), _measure_start_up(1 if options.tiny else 3)
    print(table.describe_machine(here, start_up))
    print(table.HEADER)
    entries: list[Entry] = []
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            found = list(measure(row, options.tiny, options.limit, Path(folder), start_up))
            entries += found
            if found:
                print(table.format_row(found, start_up), flush=True)
            if options.json:  # an interrupted run keeps the rows so far
                stored = table.store(here, start_up, entries)
                options.json.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", "utf-8")
    stored = table.store(here, start_up, entries)
    if options.compare:
        print("\n".join(table.compare(stored, json.loads(options.compare.read_text("utf-8")))))
    wrong = table.find_wrong(entries)
    print("\n".join(wrong), file=sys.stderr)
    sys.exit(1 if wrong else 0)


def _measure_start_up(times: int) -> float:
    """Return the CPU seconds of a run with almost nothing to do: the minimum of several."""
    with tempfile.TemporaryDirectory() as reports:
        command = [sys.executable, "-m", "checks", *_SMALL, "--report", reports]
        return min(process.run(command, 60).cpu for _ in range(times))


if __name__ == "__main__":
    main()
