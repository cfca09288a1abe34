"""Run each way of a row and read its answer and resources; compare the answers."""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import process
from benchmarks.rows import Row, Scale
from benchmarks.ways import machine_code
from benchmarks.ways.problem import KLNim, Problem, tell_failure, write

OURS = "checks"
C = "C"
SEARCH = "search"
SHORT, TIMES = 0.5, 5  # a run of `search` or C up to SHORT seconds is repeated, TIMES runs in all; the minimum counts
_PYTHON_WAYS = {"recursion": "recursion", "clingo": "answer_sets", "OpenSpiel": "openspiel"}
_NEEDS = {"clingo": "clingo", "OpenSpiel": "pyspiel"}


@dataclass(frozen=True)
class Entry:
    """One line of the table.

    `scale`: whole, part or tiny.
    `answer`: "" if there is none; then `said` gives the reason. `cases`, `digest`: of the cases searched, if the way
    reports them.
    `wrong`: a contradiction to another way or to the known answer.
    """

    row: str
    title: str
    scale: str
    way: str
    answer: str
    cases: int | None
    digest: str
    cpu: float
    wall: float
    peak: int
    states: int
    said: str = ""
    wrong: str = ""

    @property
    def rate(self) -> float:
        """The number of states per CPU second; 0 for a way without an answer."""
        return self.states / max(self.cpu, 1e-3) if self.answer else 0.0


def measure(row: Row, tiny: bool, limit: float, folder: Path, start_up: float) -> Iterator[Entry]:
    """Run every way of a row at its scales, each for at most `limit` seconds. C programs are compiled into `folder`.

    `start_up`: the seconds of a run with nothing to do; budgets do not include them.
    """
    scales = {"tiny": row.tiny} if tiny else {"whole": row.whole, "part": row.part}
    for name, scale in scales.items():
        if scale is not None:
            yield from _check(_measure_scale(row, name, scale, limit, folder, start_up), scale)


def _measure_scale(row: Row, name: str, scale: Scale, limit: float, folder: Path, start_up: float) -> list[Entry]:
    found = [_measure_ours(row, name, scale, limit, folder, start_up)]
    if scale.problem is not None:
        if name != "whole":
            found += [e for way in _PYTHON_WAYS if (e := _measure_python(row, name, scale, way, limit)) is not None]
        # With the digest of a large K-L-Nim the table itself would be most of the time.
        command = machine_code.make_command(scale.problem, folder, name != "whole")
        if command is not None:
            if name != "part":
                search = [sys.executable, "-m", "benchmarks.ways.search", *scale.words[1:]]
                found.append(_take_least(lambda: _read_way(row, name, scale, SEARCH, process.run(search, limit)), name))
            found.append(_take_least(lambda: _read_way(row, name, scale, C, process.run(command, limit)), name))
    return found


def _take_least(run: Callable[[], Entry], scale: str) -> Entry:
    """Return the fastest of several runs if one is short: other activity on the machine can only slow a run down."""
    first = run()
    if scale == "tiny" or not first.answer or first.cpu > SHORT:
        return first
    return min([first, *(run() for _ in range(1, TIMES))], key=lambda e: e.cpu)


def _check(entries: list[Entry], scale: Scale) -> Iterator[Entry]:
    """Yield the entries, with a mark on each that disagrees with the known answer or with other digests."""
    digests = {e.digest for e in entries if e.digest and e.answer}
    cases = {e.cases for e in entries if e.answer == "holds"}
    for e in entries:
        wrong = []
        if e.answer and scale.answer and e.answer != scale.answer:
            wrong.append(f"WRONG: {scale.answer} is right")
        if e.answer and e.digest and len(digests) > 1:
            wrong.append(f"WAYS DISAGREE: digest {e.digest}")
        if e.answer == "holds" and len(cases) > 1:
            wrong.append(f"WAYS DISAGREE: {e.cases} cases")
        yield replace(e, wrong="; ".join(wrong))


# -- the tool itself --------------------------------------------------------------------------------------------------
def _measure_ours(row: Row, name: str, scale: Scale, limit: float, folder: Path, start_up: float) -> Entry:
    with tempfile.TemporaryDirectory() as reports:
        extra = ["--report", reports] if scale.words[0] == "run" else []
        if scale.words == ("run",):  # the library: the cache is empty in the first run and full in the second
            extra += ["--cache", str(folder / "cache")]
        done = process.run([sys.executable, "-m", "checks", *scale.words, *extra], limit)
        answer, cases, said = _read_report(Path(reports) / "report.json", scale, done)
    if scale.budget is not None:
        allowed = scale.budget * 1.1 + 1 + start_up
        kept = f"{done.wall:.1f} s of time, {allowed:.0f} s allowed"
        said = f"{said}; {kept}" if done.wall <= allowed else f"{said}; BUDGET NOT KEPT: {kept}"
    size = (done.cpu, done.wall, done.peak, scale.states)
    return Entry(row.name, row.title, name, OURS, answer, cases, "", *size, said)


def _read_report(path: Path, scale: Scale, done: process.Finished) -> tuple[str, int | None, str]:
    """Return the answer, the cases, and the tool's message if there is no answer."""
    if done.code is None:
        return "", None, "stopped at the limit of time"
    if not scale.answer and scale.budget is None:  # no claim, or many
        said = done.out.strip().rpartition("\n")[0].rpartition("\n")[2] if scale.words[0] == "run" else ""
        return ("", None, f"exit code {done.code}") if done.code else ("done", None, said)
    if not path.exists():
        return "", None, f"exit code {done.code}: {done.err.strip()[-200:]}"
    (claim,) = json.loads(path.read_text("utf-8"))["claims"]
    detail = "; ".join(r["detail"] for r in claim["routes"] if r["detail"])
    engines = sorted({x for r in claim["routes"] for x in r.get("engines", [])})
    by = f"by {', '.join(engines)}" if engines else ""
    match claim["verdict"]:
        case "verified" | "proved":
            return "holds", claim["cases"], by
        case "refuted":
            return tell_failure(claim["counterexample"]["variables"]), claim["cases"], by
        case verdict:
            return "", None, f"{verdict}: {detail}" if detail else verdict


# -- other ways -------------------------------------------------------------------------------------------------------
def _measure_python(row: Row, name: str, scale: Scale, way: str, limit: float) -> Entry | None:
    if way in _NEEDS and importlib.util.find_spec(_NEEDS[way]) is None:
        return None
    assert scale.problem is not None
    if way == "OpenSpiel" and not _is_nim(scale.problem):
        return None
    command = [sys.executable, "-m", f"benchmarks.ways.{_PYTHON_WAYS[way]}", write(scale.problem)]
    done = process.run(command, limit)
    return None if done.code == 0 and not done.out else _read_way(row, name, scale, way, done)


def _is_nim(problem: Problem) -> bool:
    return isinstance(problem, KLNim) and problem.k[0] > problem.size


def _read_way(row: Row, name: str, scale: Scale, way: str, done: process.Finished) -> Entry:
    size = (done.cpu, done.wall, done.peak, scale.states)
    if done.code != 0:
        lines = done.err.strip().splitlines()
        said = "stopped at the limit of time" if done.code is None else f"exit code {done.code}: {''.join(lines[-1:])}"
        return Entry(row.name, row.title, name, way, "", None, "", *size, said)
    found = json.loads(done.out)
    digest = "" if way == C and name == "whole" else found["digest"]
    size = (found.get("cpu", done.cpu), *size[1:])
    return Entry(row.name, row.title, name, way, found["answer"], found["cases"], digest, *size)
