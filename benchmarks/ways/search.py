"""The search of the tool alone, which does the work of the C programs.

It solves, evaluates hypotheses and conclusion, and finds the smallest counterexample.

    python -m benchmarks.ways.search CLAIM [--set NAME=RANGE ...]

Its time excludes the start of the process, including the load of the kernel and of the modules of the engines. There is
no referee and no report.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import time

from benchmarks.ways.problem import tell_failure
from checks.execution.limits import reuse_freed
from checks.judgement.scopes import read_override, scope_for
from claims.language.files.library import select
from encoders.compute.exhaustive import decide_by_search
from encoders.kernel.instances import open_machine
from encoders.logic.answer import Decision
from encoders.proving.reading import load_claim

ENGINES = (
    "encoders.compute.arrays.bit_search",
    "encoders.compute.arrays.bit_lanes",
    "encoders.compute.native.search",
    "encoders.kernel.values",
)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("claim")
    parser.add_argument("--set", action="append", default=[])
    given, _ = parser.parse_known_args()  # the other options of a row concern only runs
    (entry,) = select((given.claim,))
    claim = load_claim(entry.path, entry.id)
    scope = scope_for(claim, "quick", tuple(map(read_override, given.set)))
    open_machine()
    for module in ENGINES:
        importlib.import_module(module)
    reuse_freed()  # a run also does this, and the next line, when it settles a claim
    gc.set_threshold(50_000, 20, 50)
    started = time.process_time()
    answer = decide_by_search(claim, scope)
    cpu = time.process_time() - started
    said = "holds" if answer.decision is Decision.HOLDS else ""
    if answer.counterexample is not None:
        said = tell_failure(answer.counterexample)
    print(json.dumps({"answer": said, "cases": answer.cases, "digest": "", "cpu": cpu}))


if __name__ == "__main__":
    main()
