"""`python -m tests.mutation`: change the trusted core in copies of the repository; a test must fail for each change."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

import click

from .mutants import Mutant, list_mutants
from .trial import PYTEST

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("table.toml")
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*", "out", "*.egg-info", "build", "dist")


@dataclass(frozen=True)
class Outcome:
    """The outcome for a mutant: killed or survived. `by`: the test that failed."""

    mutant: Mutant
    word: str
    by: str
    reason: str  # why the mutant changes nothing; "" if it should be killed

    @property
    def unexplained(self) -> bool:
        return self.word == "survived" and not self.reason

    def __str__(self) -> str:
        m = self.mutant
        told = f"{self.word} by {self.by}" if self.by else self.word
        lines = [f"{m.file}:{m.line} {m.place}: {told}", f"  - {m.before}", f"  + {m.after}"]
        if self.reason:
            lines.append(f"  explained: {self.reason}")
        return "\n".join(lines)


@cache
def read_modules() -> dict[str, dict[str, Any]]:
    """Return the modules of the trusted core. The `tests` of each should kill its mutants, within `memory` GB."""
    return {file: {"memory": 4, **entry} for entry in _read()["module"] for file in entry["files"]}


@cache
def read_explained() -> dict[tuple[str, str, str, str], str]:
    """Return the mutants that change nothing, by their keys, with the reasons."""
    rows = _read()["explained"]
    return {(x["file"], x["place"], x["line"], new): x["reason"] for x in rows for new in x["becomes"]}


def _read() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(TABLE.read_text("utf-8"))


def mutants_of(file: str) -> list[Mutant]:
    return list_mutants(file, (ROOT / file).read_text("utf-8"))


def try_mutants(chosen: dict[str, dict[int, Mutant]], jobs: int) -> Iterator[Outcome]:
    """Yield the outcomes of mutants (given by file and number) as they become known."""
    parts = [(file, [*numbers][i::jobs]) for file, numbers in chosen.items() for i in range(jobs)]
    found: SimpleQueue[Outcome] = SimpleQueue()
    copies: SimpleQueue[Path] = SimpleQueue()

    def run(file: str, numbers: list[int]) -> None:
        """Run pytest in a copy of the repository, with the plugin, and read its output."""
        folder = copies.get()
        read, write = os.pipe()
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COV", "SETTLED"))}
        environment |= {"PYTHONPATH": str(folder), "PYTHONHASHSEED": "0"}
        module = read_modules()[file]
        task = {"file": file, "numbers": numbers, "out": write, "memory": module["memory"]}
        environment["MUTATION"] = json.dumps(task)
        base = ["--basetemp", f"{folder}-temp"]
        command = [sys.executable, "-m", "pytest", "-p", "tests.mutation.trial", *PYTEST, *base, *module["tests"]]
        with (folder / "printed").open("w+") as printed:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, pass_fds=[write], stdout=printed, stderr=printed
            )
            os.close(write)
            left = set(numbers)
            with os.fdopen(read) as pipe:
                for line in pipe:
                    number, word, by = json.loads(line)
                    mutant = chosen[file][number]
                    found.put(Outcome(mutant, word, by, read_explained().get(mutant.key, "")))
                    left.remove(number)
            process.wait()
            if left:
                printed.seek(0)
                raise click.ClickException(f"the tests of {file} fail without a change:\n{printed.read()[-5000:]}")
        copies.put(folder)

    with TemporaryDirectory(prefix="mutation-") as folder, ThreadPoolExecutor(jobs) as pool:
        for i in range(jobs):
            shutil.copytree(ROOT, Path(folder) / str(i), ignore=LEFT_OUT)
            copies.put(Path(folder) / str(i))
        work = [pool.submit(run, *part) for part in parts if part[1]]
        while not all(x.done() for x in work) or not found.empty():
            try:
                yield found.get(timeout=0.5)
            except Empty:
                for x in work:
                    if x.done():
                        x.result()


def find_wrong(outcomes: list[Outcome]) -> list[Outcome]:
    """Return survivors without a reason, and killed mutants with one, unless an equal mutant may have survived."""
    killed = Counter(o.mutant.key for o in outcomes if o.word == "killed")
    alike = Counter(m.key for file in {o.mutant.file for o in outcomes} for m in mutants_of(file))
    return [o for o in outcomes if o.unexplained or (o.reason and killed[o.mutant.key] == alike[o.mutant.key])]


def summarize(outcomes: list[Outcome]) -> str:
    """Return the counts by module, and the outcomes that need attention."""
    lines = ["mutants  killed  explained  survived  module"]
    for file in [*dict.fromkeys(o.mutant.file for o in outcomes), ""]:
        here = [o for o in outcomes if file in ("", o.mutant.file)]
        count = Counter("explained" if o.reason and o.word == "survived" else o.word for o in here)
        numbers = f"{len(here):7}{count['killed']:8}{count['explained']:11}{count['survived']:10}"
        lines.append(f"{numbers}  {file or 'in all'}")
    if find_wrong(outcomes):
        lines += ["", "Write a test that kills a survivor, or say in tests/mutation/table.toml why it changes nothing.",
                  "Remove a row of the table if its mutant is killed."]  # fmt: skip
    return "\n".join([*lines, *(str(o) for o in find_wrong(outcomes) if not o.unexplained)])


@click.command()
@click.argument("modules", nargs=-1, metavar="[PATH]...")
@click.option("--list", "listed", is_flag=True, help="List the mutants and run nothing.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Try N mutants drawn at random.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of --sample.")
@click.option("--survivors", is_flag=True, help="Try only the mutants that the table explains.")
@click.option("--jobs", "-j", type=click.IntRange(1), default=2, show_default=True)
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="Write every outcome to this file.")
@click.pass_context
def main(
    context: click.Context,
    modules: tuple[str, ...],
    listed: bool,
    sample: int | None,
    seed: int,
    survivors: bool,
    jobs: int,
    report: Path | None,
) -> None:
    """Try the mutants of the trusted core, or of the modules whose path contains PATH.

    Exit code 1 if a mutant survives that the table does not explain, or one is killed that it does.
    """
    files = [file for file in read_modules() if not modules or any(x in file for x in modules)]
    if not files:
        raise click.BadParameter(f"no module is called so; there are {', '.join(read_modules())}")
    drawn = [(file, number, m) for file in files for number, m in enumerate(mutants_of(file))]
    if survivors:
        drawn = [x for x in drawn if x[2].key in read_explained()]
    if sample is not None:
        drawn = sorted(random.Random(seed).sample(drawn, min(sample, len(drawn))), key=lambda x: x[:2])
    if listed:
        for _, _, m in drawn:
            click.echo(f"{m.file}:{m.line} {m.place}\n  - {m.before}\n  + {m.after}")
        return
    chosen = {file: {number: m for other, number, m in drawn if other == file} for file in files}
    outcomes = []
    for outcome in try_mutants(chosen, jobs):
        outcomes.append(outcome)
        if outcome.unexplained:
            click.echo(str(outcome))
        if len(outcomes) % 100 == 0:
            click.echo(f"{len(outcomes)} of {len(drawn)}", err=True)
    click.echo(f"\n{summarize(outcomes)}")
    if report is not None:
        report.write_text("\n".join([summarize(outcomes), "", *map(str, outcomes)]) + "\n", "utf-8")
    context.exit(bool(find_wrong(outcomes)) or not outcomes)


if __name__ == "__main__":
    main()
