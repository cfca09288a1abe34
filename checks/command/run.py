"""`run`: settle claims, write reports, compare with an earlier report, and choose the exit code."""

from __future__ import annotations

import hashlib
import platform
import shlex
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from checks.cache.certificates import CertificateSources
from checks.cache.results import CacheSession, open_session
from checks.command.github import disabling_commands, find_repository
from checks.command.output import say, warn
from checks.command.screen import (
    Screen,
    choose_lines,
    print_details,
    print_interruption,
    print_lemmas,
    print_stale,
    print_summary,
)
from checks.command.selection import keep_failed, select_dependents, taking_input
from checks.execution.execute import Execution, execute
from checks.execution.limits import MOST, Unfit
from checks.execution.work import Opener
from checks.judgement.scopes import BadOverride, Options
from checks.receipts.certificates import list_evidence, write_certificate, write_checker
from checks.receipts.receipt import (
    OBLIGATIONS,
    QUERIES,
    RECEIPTS,
    find_twice,
    list_stale,
    version,
    write_obligations,
    write_queries,
    write_receipt,
)
from checks.receipts.sources import add_places, write_sources
from checks.results.model import ClaimResult, RunResult, Work
from checks.results.verdicts import EXIT_CODES, Verdict, exit_code, passes
from claims.language.errors import (
    ClaimError,
    FaultCollector,
    NimChecksError,
    collect_faults,
    escape_invisible,
    format_count,
)
from claims.language.files.library import Entry, WorkEntry, add_lemmas, bibliography, select
from claims.language.files.toml import display_path
from claims.language.interrupts import EXIT_CODE, Interrupted, Phase, end, entering_phase
from claims.language.versions import find_version
from encoders.solvers.effort import Effort
from reports.ci import to_annotations
from reports.comparison import Comparison, NotAReport, Report, compare, load_report, read_report, to_brief
from reports.write import INTERRUPTED, RENDERINGS, NewReport, ReportNotWritten, check_folder, find_folder, write_reports

if TYPE_CHECKING:
    from checks.execution.shards import ShardStores


# == standing =========================================================================================================
# Comparison of a run with an earlier report (--against), and the exit code if only worse claims fail (--fail-on worse).
MOST_NAMED = 3  # claims of the earlier report that are not in this run


@dataclass(frozen=True)
class Baseline:
    """The option --against. `report`: the earlier report. `worse`: whether a run fails only if a claim became worse."""

    report: Path | None = None
    worse: bool = False


class RunOutcome(NamedTuple):
    """The exit code of a run, and the reason for it.

    `meant`: the meaning of the code if it differs from the usual meaning, or "".
    `lines`: the differences from the earlier report.
    `worse`: the ids of the claims that became worse; None if other claims can also make the run fail.
    """

    code: int
    meant: str = ""
    lines: tuple[str, ...] = ()
    worse: frozenset[str] | None = None

    def at_least(self, code: int, meant: str) -> RunOutcome:
        """Return the outcome with the exit code `code` and its meaning `meant`.

        If the exit code is already as large as `code`, return the outcome unchanged.
        """
        return self if self.code >= code else self._replace(code=code, meant=meant)


class BaselineComparison:
    """The comparison of a run with an earlier report.

    The constructor reads the earlier report, because the run may overwrite the file. It raises NotAReport if the file
    is not a report.
    """

    def __init__(self, standard: Baseline) -> None:
        self.older = None if standard.report is None else load_report(standard.report)
        self.name = "" if standard.report is None else display_path(standard.report)
        self.worse = standard.worse

    def judge(self, run: RunResult, settled: Sequence[ClaimResult], code: int) -> RunOutcome:
        """Return the exit code of a run, with the differences from the earlier report.

        `settled`: the claims that determine the exit code.
        `code`: the exit code without a comparison.
        """
        if self.older is None:
            return RunOutcome(code)
        found = _compare(self.older, run, settled)
        lines = (*_tell(found, self.older, self.name, settled),)
        if not self.worse:
            return RunOutcome(code, "", lines)
        failing = {r.id for r in settled if r.verdict is Verdict.INCONSISTENT}  # an internal error always fails
        worse = frozenset(x.id for x in found.worse) | failing
        codes = [exit_code([(r.verdict, r.finding.as_expected)]) for r in settled if r.id in worse]
        stopped = 3 if run.interrupted and len(settled) == len(run.claims) else 0
        code = max(*codes, stopped, 1 if worse else 0, 0)
        return RunOutcome(code, _say_code(found, self.name, settled), lines, worse)


def _compare(older: Report, run: RunResult, settled: Sequence[ClaimResult]) -> Comparison:
    """Return the differences between the earlier report and `settled`, without claims that only `older` contains."""
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
    still = f"; {format_count(left, 'claim')} failed before, too" if left else ""
    return f"no claim has a worse result than in {name}{still}"


# == run ==============================================================================================================
# A complete run: select and settle claims, print lines, write the reports, and return the exit code.
@dataclass(frozen=True)
class OutputOptions:
    """The options that determine the output of a run on the screen.

    `verbose`: print a line for each claim, and how it was settled.
    `quiet`: print lines only for claims that fail.
    `slowest`: the number of slowest claims to list.
    `opened`: open the page of the report in a browser.
    """

    verbose: bool = False
    quiet: bool = False
    slowest: int = 0
    opened: bool = False


@dataclass(frozen=True)
class Settings:
    """The settings of a run.

    `wanted`: ids, globs, files and folders; empty for the whole library.
    `report`: the folder of the reports. `written`: whether reports are written.
    `jobs`: the number of worker processes.
    `options`: the options on which verdicts depend.
    `github`: print annotations for a GitHub workflow. `as_data`: print only report.json.
    `cache`: use and store cached results, in `folder`, or in the default folder if it is None.
    `recheck`: settle every claim and compare it with the cache.
    `anew`: settle every claim again, and search for all certificates again.
    `resume`: reuse the shards that an earlier run with the same report folder has finished.
    `scheduler`: the address of a Dask scheduler, "" for local processes.
    `title`: the title of the reports, "" for none.
    `last_failed`: settle only claims that failed in the last run with this report folder.
    `exit_first`: stop at the first claim that fails.
    `shown`: the options of the output. `standard`: the earlier report to compare with.
    `changed`: `wanted` names changed files; settle the claims that depend on these files.
    `memory`: bytes for each process, None for no limit.
    """

    wanted: tuple[str, ...]
    report: Path
    jobs: int = 1
    options: Options = field(default_factory=Options)
    github: bool = False
    as_data: bool = False
    cache: bool = True
    folder: Path | None = None
    recheck: bool = False
    anew: bool = False
    resume: bool = False
    scheduler: str = ""
    title: str = ""
    last_failed: bool = False
    exit_first: bool = False
    shown: OutputOptions = OutputOptions()
    standard: Baseline = field(default_factory=Baseline)
    changed: bool = False
    written: bool = True
    memory: int | None = MOST


def run_claims(settings: Settings) -> int:
    """Settle claims, print lines, write reports, and return the exit code.

    The argument `-` is a claim on standard input.
    """
    try:
        with (
            entering_phase(Phase.WORKING),
            taking_input(settings.wanted, shown_here=True) as wanted,
            _placing(settings) as placed,
        ):
            # A result for standard input is not cached: another claim may have the same name next time.
            kept = settings.cache and wanted == settings.wanted
            return _run_all(replace(placed, wanted=wanted, cache=kept))
    except ClaimError as error:
        warn(str(error))
        return 2
    except KeyboardInterrupt:
        warn("interrupted: no report of this run was written")
        return EXIT_CODE


@contextmanager
def _placing(settings: Settings) -> Iterator[Settings]:
    """Yield the settings. If `written` is false, the folder `report` is replaced by a temporary folder."""
    if settings.written:
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="checks-") as folder:
        yield replace(settings, report=Path(folder))


def _run_all(settings: Settings) -> int:
    if settings.as_data:
        with redirect_stdout(StringIO()):
            judged, run = _run(settings)
        if run is not None:
            say(RENDERINGS["report.json"](run).removesuffix("\n"))
        return judged.code
    if not settings.github:
        return _run(settings)[0].code
    with disabling_commands():
        judged, run = _run(settings)
    if run is not None:
        told = tuple(claim for claim in run.claims if judged.worse is None or claim.id in judged.worse)
        if annotations := to_annotations(replace(run, claims=told)):
            say(annotations.removesuffix("\n"))
    return judged.code


def _run(settings: Settings) -> tuple[RunOutcome, RunResult | None]:
    """Settle the claims, and return the outcome and the result.

    The result is None if the run could not start, or if the workers of a scheduler cannot be used.
    """
    started, began = time.monotonic(), datetime.now(UTC).astimezone().isoformat(timespec="minutes")
    try:
        (selected, entries, faults), standing = select_claims(settings), BaselineComparison(settings.standard)
        if settings.written:
            refuse_folder(settings.report)
    except BAD_CHOICE as error:
        warn(str(error))
        return RunOutcome(2), None
    for fault in faults:
        warn(f"warning: {fault}\n")
    if settings.changed and not selected:
        say("no claim in this folder depends on a changed file")
    print_lemmas([entry.id for entry in entries[len(selected) :]])
    with _open_cache(settings) as cache, entering_phase(Phase.FINISHING):
        try:
            execution = _execute(settings, entries, cache)
        except Unfit as error:
            warn(f"nothing is reported: {error}")
            return RunOutcome(2), None
        return _finish(settings, entries, execution, cache, standing, (began, time.monotonic() - started))


def _finish(
    settings: Settings,
    entries: Sequence[Entry],
    execution: Execution,
    cache: CacheSession,
    standing: BaselineComparison,
    times: tuple[str, float],
) -> tuple[RunOutcome, RunResult]:
    """Write the reports, print the summary, and return the outcome and the result of the run.

    `times`: the start of the run, and its duration in seconds.
    """
    if execution.gone:
        warn(f"{execution.gone}; --resume continues with the finished shards")
    run = make_run_result(settings, entries, execution, *times)
    run = replace(run, claims=add_places(run.claims))
    settled = tuple(run.claims[number] for number in execution.finished)
    wrong = any(not passes(r.verdict, r.finding.as_expected) for r in settled)
    stopped = settings.exit_first and wrong and not (Interrupted.now or execution.gone)
    judged = _judge(run, settled if stopped else run.claims, standing, stopped)
    run = replace(run, code=judged.code, meant=judged.meant)
    if not run.interrupted:
        print_details(run)
    elif settings.exit_first:
        print_details(replace(run, claims=settled))
    written = _write(run, entries, settings, cache)
    end()
    if not written:
        judged = judged.at_least(2, "the reports could not be written")
    if Interrupted.now:
        all_settled = "" if run.interrupted else "; all claims were settled"
        judged = judged.at_least(EXIT_CODE, EXIT_CODES[EXIT_CODE] + all_settled)
    written = written if settings.written else {}
    if run.interrupted:
        print_interruption(run, settled, written, settings.report, judged, stopped)
    else:
        print_summary(run, written, judged, settings.shown.slowest)
        if written:
            print_stale(list_stale(run.claims, settings.report), settings.report)
    for line in judged.lines:
        say(escape_invisible(line))
    if settings.recheck and not run.interrupted:
        say(f"compared with the cache: {cache.compared} of {len(run.claims)} results")
    if settings.shown.opened and "index.html" in written:
        click.launch(str(written["index.html"]))
    return judged, run


def _judge(run: RunResult, counted: Sequence[ClaimResult], standing: BaselineComparison, stopped: bool) -> RunOutcome:
    """Return the outcome of a run, as far as the results determine it.

    `counted`: the claims that determine the exit code.
    `stopped`: whether the run stopped at a failure because of --exit-first.
    """
    judged = standing.judge(run, counted, exit_code((r.verdict, r.finding.as_expected) for r in counted))
    return judged.at_least(EXIT_CODE, EXIT_CODES[EXIT_CODE]) if run.interrupted and not stopped else judged


def _execute(settings: Settings, entries: tuple[Entry, ...], cache: CacheSession) -> Execution:
    """Settle the claims, and print lines for them. Raises Unfit."""
    lines = choose_lines(len(entries), settings.shown.verbose, settings.shown.quiet)
    with Screen(entries, lines, settings.shown.verbose) as screen:
        take = partial(_take_first, screen) if settings.exit_first else screen.take
        stores = partial(open_stores, settings)
        workers = _use_scheduler(settings)
        return execute(
            entries, settings.options, settings.jobs, take, screen.work_on, cache, stores, workers, settings.memory
        )


def make_run_result(
    settings: Settings, entries: Sequence[Entry], execution: Execution, began: str, seconds: float
) -> RunResult:
    """Return the result of a run with its settings. `began`: the start of the run, as text."""
    options, results = settings.options, execution.results
    return RunResult(
        version=version(),
        profile=options.profile,
        claims=results,
        works=list_works(entries, results),
        seconds=seconds,
        interrupted=execution.interrupted,
        command=_command(settings),
        overrides=options.overrides,
        started=began,
        versions=list_versions(options.effort, results),
        library=digest_library(results),
        title=" ".join(settings.title.split()),
        repository=find_repository(),
    )


def _take_first(screen: Screen, number: int, result: ClaimResult) -> None:
    """Record a result for a run that stops at the first failure. If the claim fails, raise KeyboardInterrupt."""
    screen.take(number, result)
    if not passes(result.verdict, result.finding.as_expected):
        raise KeyboardInterrupt


class ClaimSelection(NamedTuple):
    """The claims of a run.

    `selected`: the claims that the arguments name. `entries`: these claims, then the lemmas that their proofs use.
    `faults`: the errors in files works.toml. They do not stop a run, because they affect only the order of the claims
    and the titles of works.
    """

    selected: tuple[Entry, ...]
    entries: tuple[Entry, ...]
    faults: tuple[ClaimError, ...]


def select_claims(settings: Settings) -> ClaimSelection:
    """Select the claims of a run. If this is not possible, raise one of the exceptions in BAD_CHOICE."""
    found = FaultCollector()
    with collect_faults(found):
        if settings.changed:
            selected = select_dependents(settings.wanted, Path()) if settings.wanted else ()
        else:
            selected = select(settings.wanted)
        if settings.last_failed:
            folders = (settings.report, settings.report / INTERRUPTED)
            selected = keep_failed(selected, folders, whole=not (settings.wanted or settings.changed))
    entries = add_lemmas(selected)
    _check_names(entries)
    _check_overrides(selected, settings.options)
    return ClaimSelection(selected, entries, found.faults)


def refuse_folder(report: Path) -> None:
    """Raise one of the exceptions in BAD_CHOICE if the reports cannot be written into a folder."""
    check_folder(report)


def _open_cache(settings: Settings) -> AbstractContextManager[CacheSession]:
    if not settings.cache:
        return nullcontext(CacheSession(sources=CertificateSources(anew=settings.anew)))
    return open_session(settings.folder, settings.recheck, settings.anew, warn)


def open_stores(settings: Settings) -> ShardStores:
    from checks.execution.shards import SHARDS, ShardStores

    return ShardStores(settings.report / SHARDS, settings.resume, warn)


def _use_scheduler(settings: Settings) -> Opener | None:
    if not settings.scheduler:
        return None
    from checks.execution.far import use_scheduler

    return use_scheduler(settings.scheduler, warn, settings.anew)


def list_versions(effort: Effort, results: Sequence[ClaimResult]) -> tuple[tuple[str, str], ...]:
    """Return pairs (name, version) of the programs that verdicts depend on.

    cvc5 is in the list if it was called, or if the second solver is used.
    """
    believed = effort.second or any("cvc5" in o.solvers for r in results for o in r.finding.obligations)
    solvers = {"Z3": "z3-solver"} | ({"cvc5": "cvc5"} if believed else {})
    found = [("Python", platform.python_version()), ("nim-checks", version())]
    found += [(name, told) for name, package in solvers.items() if (told := find_version(package)) is not None]
    return tuple(found)


def digest_library(results: Sequence[ClaimResult]) -> str:
    """Return the SHA-256 of the sorted digests of the claims, one per line. Unreadable claims have no digest."""
    digests = sorted(result.provenance.digest for result in results if result.provenance.digest)
    return hashlib.sha256("".join(f"{digest}\n" for digest in digests).encode()).hexdigest()


class SameName(NimChecksError):
    """The error for two claims of a run with the same id."""


BAD_CHOICE = (ClaimError, BadOverride, SameName, NotAReport, ReportNotWritten)


def _check_names(entries: Sequence[Entry]) -> None:
    """Raise SameName if two claims have the same id; reports and receipts could not distinguish them."""
    same = find_twice(entries)
    if same:
        names = " and ".join(display_path(entry.path) for entry in same)
        ids = " and ".join(dict.fromkeys(repr(entry.id) for entry in same))
        raise SameName(f"two files have the id {ids}: {names}; rename one of them, or settle them in two runs")


def _check_overrides(entries: Sequence[Entry], options: Options) -> None:
    """Raise BadOverride if a --set option is not used by any claim, or is invalid for a claim.

    If a claim file is invalid, the check ends there, because the run reports the error.
    """
    if not options.overrides:
        return
    from checks.judgement.scopes import find_concerned, scope_for
    from encoders.proving.reading import load_claim

    met: set[str] = set()
    for entry in entries:
        try:
            claim = load_claim(entry.path, entry.id)
        except ClaimError:
            return  # the run reports the error in the file
        scope_for(claim, options.profile, options.overrides)
        met |= find_concerned(claim, options.overrides)
    for name, value in options.overrides:
        if name not in met:
            raise BadOverride(f"--set {name}={value}: none of the claims has a variable {name.partition('.')[0]!r}")


def _command(settings: Settings) -> str:
    asked = settings.options
    words = ["python", "-m", "checks", "run", *settings.wanted]
    words += ["--changed"] if settings.changed else []
    words += ["--mutants"] if asked.mutants else []
    if asked.profile != "quick":
        words += ["--scope", asked.profile]
    for name, value in asked.overrides:
        words += ["--set", f"{name}={value}"]
    return shlex.join(words)


def list_works(entries: Sequence[Entry], results: Sequence[ClaimResult]) -> tuple[Work, ...]:
    """Return the works that the claims name: first those in a bibliography, in its order, then all others."""
    with collect_faults(FaultCollector()):  # errors were reported when the claims were selected
        known = bibliography(entries)
    used = dict.fromkeys(r.statement.work for r in results)
    found = [(w, known[w]) for w in known if w in used] + [(w, WorkEntry(w)) for w in used if w and w not in known]
    return tuple(Work(key, e.title, e.authors, e.year, e.source, e.short, e.venue, e.not_shown) for key, e in found)


def _write(run: RunResult, entries: Sequence[Entry], settings: Settings, cache: CacheSession) -> dict[str, Path]:
    """Write the reports with their evidence, and return the files by name.

    On an error, print a warning and return {}.
    """
    try:
        more = partial(_write_evidence, run, entries, settings.options)
        return write_reports(run, find_folder(run, settings.report), cache.remember, more)
    except OSError as error:
        warn(str(error))
        return {}


def _write_evidence(run: RunResult, entries: Sequence[Entry], options: Options, new: NewReport) -> None:
    """Write the receipts, certificates, solver queries, obligations and claim files of a report. Raises OSError."""
    write_checker(new.path)
    write_sources(run.claims, new.path)
    for entry, result in zip(entries, run.claims, strict=True):
        new.gone.extend(list_evidence(result.id))
        write_certificate(result, new.path)
        if result.verdict is Verdict.ERROR or result.finding.evidence is None:
            continue
        write_receipt(result, entry, options, new.path / RECEIPTS, run.version)
        write_queries(result, new.path / QUERIES)
        write_obligations(result, new.path / OBLIGATIONS)
