"""Give refuted mutants to Coq: claims that are theorems in Coq, changed until they are false, must not compile.

    python -m tests.workshop.coq --coq FOLDER --count 500 --jobs 2 --seed 1 --log refuted.jsonl

FOLDER has the contents of coq/, and in claims/ the generated files, compiled, as in `.ci/coq`. A mutant keeps the proof
of the true claim, so that most of its generated text is right. It counts if the exhaustive route refutes it, or finds a
case without a truth value. If no proof is generated for it, because an obligation is false, its statement is put into
the file of the true claim ("forged"). Each rule of proof is drawn equally often; `--rule folds` draws only theorems by
this rule. The seed, the number and the rule of a mutant determine it:
`--only 17 --write FILE` makes it again, if all files that it may need are compiled. An existing log is continued. The
exit code is 1 if Coq accepts a mutant.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from .mutants import Refusal, make, perform, summary


def logged(log: Path | None) -> Iterator[Refusal]:
    """Yield the lines of a log, without an incomplete last line."""
    for line in log.read_text("utf-8").splitlines() if log and log.exists() else ():
        try:
            data = json.loads(line)
        except ValueError:
            continue
        yield Refusal(**data | {"changes": tuple(data["changes"])})


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.workshop.coq", description=__doc__)
    parser.add_argument("--coq", type=Path, help="the folder with the compiled files of coq/ and claims/")
    parser.add_argument("--count", type=int, default=30, help="how many mutants")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--seed", type=int, default=1, help="from which all is drawn")
    parser.add_argument("--rule", default="", help="only theorems by this rule of proof; computation: without [proof]")
    parser.add_argument("--log", type=Path, help="a file with a line of JSON for each; one seed and rule to a log")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="show one mutant, and do not ask Coq")
    parser.add_argument("--write", type=Path, metavar="FILE", help="with --only: where its text goes")
    asked = parser.parse_args()
    if asked.only is not None:
        mutant = make(asked.seed, asked.only, rule=asked.rule)
        click.echo("\n".join((mutant.parent, *mutant.changes, mutant.why)))
        if asked.write:
            asked.write.write_text(mutant.text, "utf-8")
        return 0
    if asked.coq is None or not (asked.coq / "theory" / "Tactics.vo").is_file():
        parser.error("--coq FOLDER: expected a folder in which theory/Tactics.v is compiled")
    numbers = set(range(asked.count))
    found = [r for r in logged(asked.log) if r.number in numbers]
    left = sorted(numbers - {r.number for r in found})

    with ProcessPoolExecutor(asked.jobs) as pool:
        for refusal in pool.map(partial(perform, asked.seed, asked.coq.resolve(), asked.rule), left):
            found.append(refusal)
            if asked.log:
                with asked.log.open("a", encoding="utf-8") as log:
                    log.write(json.dumps(asdict(refusal)) + "\n")
    click.echo(summary(found))
    return 1 if any(not r.at for r in found) else 0


if __name__ == "__main__":
    sys.exit(main())
