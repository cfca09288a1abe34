"""A run against the report of an older one: what is worse, and the exit code where nothing else is to fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from checks.results.model import ClaimResult, RunResult
from checks.results.verdicts import Verdict, exit_code, passes
from claims.language.ground.errors import format_count
from claims.language.toml.source import display_path
from reports.comparison.changes import Comparison, compare
from reports.comparison.reading import Report, load_report, read_report
from reports.comparison.telling import to_brief
from reports.write import RENDERINGS

MOST_NAMED = 3  # claims of the older report that this run was not asked for


@dataclass(frozen=True)
class Baseline:
    """The report of an older run that a run is compared with, if any; `worse`: only what is worse there fails."""

    report: Path | None = None
    worse: bool = False


class RunOutcome(NamedTuple):
    """`code`: the exit code; `meant`: what it means where that is other than usual, or "".

    `lines`: what differs.  `worse`: the ids of the claims that alone fail, None where all may.
    """

    code: int
    meant: str = ""
    lines: tuple[str, ...] = ()
    worse: frozenset[str] | None = None

    def at_least(self, code: int, meant: str) -> RunOutcome:
        """The same with an exit code of at least this one. `meant`: what it means."""
        return self if self.code >= code else self._replace(code=code, meant=meant)


class BaselineComparison:
    """How a run stands against an older one. Raises NotAReport before the run, whose own report may replace it."""

    def __init__(self, standard: Baseline) -> None:
        self.older = None if standard.report is None else load_report(standard.report)
        self.name = "" if standard.report is None else display_path(standard.report)
        self.worse = standard.worse

    def judge(self, run: RunResult, settled: Sequence[ClaimResult], code: int) -> RunOutcome:
        """How it stands. `settled`: the claims that count; `code`: the exit code without an older report."""
        if self.older is None:
            return RunOutcome(code)
        found = _compare(self.older, run, settled)
        lines = (*_tell(found, self.older, self.name, settled),)
        if not self.worse:
            return RunOutcome(code, "", lines)
        failing = {r.id for r in settled if r.verdict is Verdict.INCONSISTENT}  # an error of ours always counts
        worse = frozenset(x.id for x in found.worse) | failing
        codes = [exit_code([(r.verdict, r.finding.as_expected)]) for r in settled if r.id in worse]
        stopped = 3 if run.interrupted and len(settled) == len(run.claims) else 0
        code = max(*codes, stopped, 1 if worse else 0, 0)
        return RunOutcome(code, _say_code(found, self.name, settled), lines, worse)


def _compare(older: Report, run: RunResult, settled: Sequence[ClaimResult]) -> Comparison:
    """What of the settled claims differs; claims that the run was not asked for do not."""
    newer = read_report(RENDERINGS["report.json"](replace(run, claims=tuple(settled))))
    return compare(replace(older, claims={id: older.claims[id] for id in newer.claims if id in older.claims}), newer)


def _tell(found: Comparison, older: Report, name: str, settled: Sequence[ClaimResult]) -> Iterator[str]:
    ids = {claim.id for claim in settled}
    yield f"against {name}:"
    yield from (f"  {line}" for line in to_brief(found).splitlines())
    if missing := [id for id in older.claims if id not in ids]:
        more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        yield f"  not in this run: {', '.join(missing[:MOST_NAMED])}{more}"


def _say_code(found: Comparison, name: str, settled: Sequence[ClaimResult]) -> str:
    number, left = len(found.worse), sum(not passes(r.verdict, r.finding.as_expected) for r in settled)
    if number:
        return f"{format_count(number, 'claim')} worse than in {name}"
    still = f"; {format_count(left, 'claim')} not in order, as before" if left else ""
    return f"nothing is worse than in {name}{still}"
