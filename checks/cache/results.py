"""Results of earlier runs, found by everything that they depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from checks.cache.certificates import CertificateSources, Partition
from checks.cache.coding import StrictCodec, Unreadable
from checks.cache.keys import (
    FORMAT,
    TEMPLATING,
    CacheQuestion,
    Digested,
    Program,
    ResultKey,
    TrailKey,
    digest_files,
    digest_source,
    list_reporter,
    list_versions,
    narrow,
)
from checks.cache.store import BadPlace, Store, StoreFault, find_place, open_place
from checks.judgement.scopes import Options
from checks.results.model import ClaimResult, MutantFate, Provenance, RouteRecord, RunResult, SettledLemmas
from checks.results.shown import PlainValue, Undrawn
from checks.results.verdicts import Verdict, matches_expectation
from claims.language.files.claim import Judgement
from claims.language.files.library import LIBRARY, Entry
from claims.language.files.toml import FileStates, display_path, look
from encoders.logic.answer import Decision, Obligation, ObligationStatus

# == comparing ========================================================================================================
# What a result says otherwise than another of the same claim, but for the time that it took.
APART = (
    "seconds",
    "seen",
    "cached",
    "sequent",
    "of_kind",
    "cause",
)  # fields that may differ between two runs that found the same
FEW = 5  # differences that are told
LONG = 200  # characters of a value that are told


def list_differences(kept: object, found: object, where: str = "") -> Iterator[tuple[str, object, object]]:
    """(place, value in one, value in the other) of all that differs."""
    if type(kept) is not type(found):
        yield where, kept, found
    elif is_dataclass(kept) and not isinstance(kept, type):
        for field in fields(kept):
            if field.name not in APART:
                name = f"{where}.{field.name}" if where else field.name
                yield from list_differences(getattr(kept, field.name), getattr(found, field.name), name)
    elif isinstance(kept, tuple) and isinstance(found, tuple) and len(kept) == len(found):
        for number, (x, y) in enumerate(zip(kept, found, strict=True)):
            yield from list_differences(x, y, f"{where}[{number}]")
    elif kept != found:
        yield where, kept, found


def contradict(kept: ClaimResult, found: ClaimResult) -> ClaimResult:
    """The result that was found, if the one that was kept says the same; else an inconsistent one that tells both."""
    told = []
    for where, one, other in list_differences(kept, found):
        told.append(f"  {where}: {_show(one)} in the cache, {_show(other)} now")
        if len(told) == FEW:
            break
    if not told:
        return found
    error = "\n".join(("the cache holds another result than this run comes to; please report it:", *told))
    evidence = None if found.finding.evidence is None else replace(found.finding.evidence, differs=True)
    finding = replace(
        found.finding,
        as_expected=matches_expectation(Verdict.INCONSISTENT, found.statement.expected),
        error=error,
        not_established=f"anything: {error.splitlines()[0]}",
        evidence=evidence,
    )
    provenance = replace(found.provenance, certificate="", seen=())
    return replace(found, verdict=Verdict.INCONSISTENT, finding=finding, provenance=provenance)


def _show(value: object) -> str:
    text = value.value if isinstance(value, Verdict) else repr(value)
    return text if len(text) <= LONG else f"{text[:LONG]}..."


# == results ==========================================================================================================
# Results of earlier runs: found where nothing has changed that they depend on, kept where they are settled.
RESULTS, TRAILS = "results", "trails"
SETTLED = (Verdict.PROVED, Verdict.VERIFIED, Verdict.REFUTED, Verdict.VACUOUS)


@dataclass(frozen=True)
class Whereabouts:
    """Where to look before a claim is settled: the names of files and folders, and of the claim's variables."""

    names: tuple[str, ...]
    variables: tuple[str, ...]


@dataclass(frozen=True)
class CachedResult:
    """A result beside its whole key, so that two keys of one digest would be noticed."""

    key: ResultKey
    result: ClaimResult


PLACES = StrictCodec(Whereabouts)
NOT_KEPT = frozenset[tuple[type, str]](
    {(Obligation, name) for name in ("sequent", "of_kind", "cause")}
    | {(RouteRecord, "cause"), (Provenance, "seen"), (Provenance, "cached")}
)
"""What hints and pages are made of, and what is of one run alone: (class, field)."""


@cache
def make_coder() -> StrictCodec:
    """Of results, which hold no terms, and certificates as text."""
    from encoders.logic.certificates import CertificateText

    narrowed: dict[tuple[type, str], object] = {(Obligation, "certificate"): CertificateText | None}
    names = {"PlainValue": PlainValue, "Sequent": object, "Certificate": object, "CertificateText": CertificateText}
    return StrictCodec(CachedResult, names, NOT_KEPT, narrowed)


class ResultCache:
    """Looks for results in a store, and keeps them there. Each method may raise StoreFault.

    `digests`: SHA-256 of each result that was found or kept, by the id of its claim.
    """

    def __init__(self, store: Store, program: Program) -> None:
        self.store, self.program = store, program
        self.digests: dict[str, str] = {}
        self._now: dict[str, str | None] = {}

    def find(self, entry: Entry, options: Options, settled: SettledLemmas) -> ClaimResult | None:
        """The result that an earlier run came to, and this one would; None where there is none to be had."""
        try:
            kept = self.store.get(TRAILS, self._trail_key(entry).digest)
            where = None if kept is None else PLACES.read(kept)
            if not isinstance(where, Whereabouts):
                return None
            seen = tuple((name, self._look(name)) for name in where.names)
            key = self._key(entry, options, settled, where.variables, seen)
            value = self.store.get(RESULTS, key.digest)
            if value is None:
                return None
            found = make_coder().read(value)
        except (Unreadable, OSError):
            return None
        if not isinstance(found, CachedResult) or found.key != key or not is_final(found.result):
            return None
        self._note(entry, value)
        return replace(found.result, provenance=replace(found.result.provenance, cached=True))

    def keep(self, entry: Entry, options: Options, settled: SettledLemmas, result: ClaimResult) -> None:
        """Keep a result, if it is settled for good, and by files that stayed as they were."""
        source = result.provenance
        if not is_final(result) or not source.seen or source.cached:
            return
        variables = tuple(name for name, _ in result.statement.domains)
        key = self._key(entry, options, settled, variables, source.seen)
        with suppress(Unreadable):
            value = make_coder().write(CachedResult(key, result))
            self.store.put(RESULTS, key.digest, value)
            where = Whereabouts(tuple(name for name, _ in source.seen), variables)
            self.store.put(TRAILS, self._trail_key(entry).digest, PLACES.write(where))
            self._note(entry, value)

    def drop(self, entry: Entry, options: Options, settled: SettledLemmas, result: ClaimResult) -> None:
        """Forget what is kept in place of a result."""
        variables = tuple(name for name, _ in result.statement.domains)
        self.digests.pop(entry.id, None)
        self.store.drop(RESULTS, self._key(entry, options, settled, variables, result.provenance.seen).digest)

    def _note(self, entry: Entry, value: bytes) -> None:
        self.digests[entry.id] = hashlib.sha256(value).hexdigest()

    def _key(
        self,
        entry: Entry,
        options: Options,
        settled: SettledLemmas,
        variables: tuple[str, ...],
        seen: FileStates,
    ) -> ResultKey:
        question = CacheQuestion(
            id=entry.id,
            file=display_path(entry.path),
            library=display_path(LIBRARY),
            profile=options.profile,
            overrides=narrow(options, variables),
            budget=None if options.budget is None else float(options.budget),
            routes=options.routes,
            mutants=options.mutants,
            effort=options.effort,
            lemmas=tuple(sorted(((display_path(file), lemma) for file, lemma in settled.items()), key=lambda x: x[0])),
        )
        return ResultKey(FORMAT, self.program, question, seen)

    def _trail_key(self, entry: Entry) -> TrailKey:
        return TrailKey(FORMAT, self.program, entry.id, display_path(entry.path), display_path(LIBRARY))

    def _look(self, name: str) -> str:
        """The state of a file or folder, looked at once in a run."""
        if name not in self._now:
            try:
                self._now[name] = look(Path(name))
            except OSError:
                self._now[name] = None
        state = self._now[name]
        if state is None:
            raise Unreadable(f"{name} cannot be looked at")
        return state


def is_final(result: ClaimResult) -> bool:
    """Whether more time or another try could change nothing of it: no limit was met, and nothing went wrong."""
    found = result.finding
    evidence = found.evidence
    return (
        result.verdict in SETTLED
        and not found.error
        and evidence is not None
        and not evidence.differs
        and all(judgement is not Judgement.TOO_LARGE for _, judgement in evidence.replays)
        and all(o.result in (ObligationStatus.PROVED, ObligationStatus.FAILED) for o in found.obligations)
        and all(o.is_reproducible for o in found.obligations)
        and all(r.answer.settles or _is_answered(result, r.answer) for r in found.routes)
        and not any(isinstance(x, Undrawn) for x in result.presentation.pictures)
        and all(m.outcome is not MutantFate.UNDECIDED for m in found.mutants or ())
    )


def _is_answered(result: ClaimResult, answer: Decision) -> bool:
    """Whether a route that does not settle the claim would say the same again."""
    failed = any(o.result is ObligationStatus.FAILED for o in result.finding.obligations)
    return answer is Decision.UNSUPPORTED or (answer is Decision.UNKNOWN and failed)


# == pages ============================================================================================================
# What the page says of the works of a run, made before: found where all of it was made of is as it was.
PAGES = "pages"


@dataclass(frozen=True)
class PageKey(Digested):
    """All that it is made of. `program`: whose are the results; `reporter`: who makes pages of them.

    `run`: without its claims.  `claims`: the id of each, and SHA-256 of its result, in the order of the run.
    """

    format: int
    program: Program
    reporter: Program
    run: RunResult
    claims: tuple[tuple[str, str], ...]


@cache
def find_reporter() -> Program:
    """Who makes pages here."""
    return Program(digest_files(list_reporter()), list_versions(TEMPLATING))


def find_page(results: ResultCache, run: RunResult) -> str | None:
    """What was made of such a run; None if nothing was, or it is not known whether it was. May raise StoreFault."""
    key = _make_key(results, run)
    kept = None if key is None else results.store.get(PAGES, key.digest)
    with suppress(UnicodeDecodeError):
        return None if kept is None else kept.decode()
    return None


def keep_page(results: ResultCache, run: RunResult, text: str) -> None:
    """Keep what was made of a run, if each of its results is kept. May raise StoreFault."""
    key = _make_key(results, run)
    if key is not None:
        with suppress(UnicodeEncodeError):  # a name of a file that is no text
            results.store.put(PAGES, key.digest, text.encode())


def _make_key(results: ResultCache, run: RunResult) -> PageKey | None:
    digests = [(claim.id, results.digests.get(claim.id)) for claim in run.claims]
    claims = tuple((id, digest) for id, digest in digests if digest is not None)
    if len(claims) < len(digests):
        return None
    return PageKey(FORMAT, results.program, find_reporter(), replace(run, claims=()), claims)


# == session ==========================================================================================================
# The cache during one run. It may be lost on the way, which is said once; the run goes on without it.
_T = TypeVar("_T")
TAKEN = CertificateSources()  # those that come with the library


class CacheSession:
    """Finds and keeps results; without `results` it does neither. Nothing is raised.

    `recheck`: nothing is taken over; what is found is compared with what is settled anew.  `warn`: says why the cache
    was lost.  `compared`: how many results were.  `sources`: from where those who settle claims take certificates.
    """

    def __init__(
        self,
        results: ResultCache | None = None,
        recheck: bool = False,
        warn: Callable[[str], None] = lambda _: None,
        sources: CertificateSources = TAKEN,
    ) -> None:
        self._results, self._recheck, self._warn = results, recheck, warn
        self.sources = replace(sources, partition=None) if recheck else sources
        self.compared = 0

    def find(self, entry: Entry, options: Options, settled: SettledLemmas) -> ClaimResult | None:
        """The result of an earlier run, to be taken over."""
        return None if self._recheck else self._find(entry, options, settled)

    def store_or_compare(
        self, entry: Entry, options: Options, settled: SettledLemmas, result: ClaimResult
    ) -> ClaimResult:
        """The result that this run came to, which is kept; or a loud one where, on a recheck, another is kept.

        Where this run met a limit it contradicts nothing.
        """
        kept = self._find(entry, options, settled) if self._recheck else None
        self.compared += kept is not None
        told = contradict(kept, result) if kept is not None and is_final(result) else result
        if told is not result:
            self._try(lambda results: results.drop(entry, options, settled, result))
        elif kept is None:
            self._try(lambda results: results.keep(entry, options, settled, result))
        return told

    def remember(self, run: RunResult, make: Callable[[], str]) -> str:
        """What is made of a run; taken over if it was made before, of the very results that are kept now.

        On a recheck the results are this run's own, whatever is kept: it is made.
        """
        if self._recheck:
            return make()
        found = self._try(lambda results: find_page(results, run))
        if found is not None:
            return found
        text = make()
        self._try(lambda results: keep_page(results, run, text))
        return text

    def close(self) -> None:
        """Let go of the database."""
        if self._results is not None:
            self._results.store.close()

    def _find(self, entry: Entry, options: Options, settled: SettledLemmas) -> ClaimResult | None:
        return self._try(lambda results: results.find(entry, options, settled))

    def _try(self, work: Callable[[ResultCache], _T]) -> _T | None:
        if self._results is None:
            return None
        try:
            return work(self._results)
        except StoreFault as fault:
            self.close()
            self._results = None
            self._warn(f"no cache from here on: {fault}")
            return None


@contextmanager
def open_session(folder: Path | None, recheck: bool, anew: bool, warn: Callable[[str], None]) -> Iterator[CacheSession]:
    """The cache of a run. `folder`: where it is to lie, None for where the environment says or the system has such.

    `anew`: all certificates are searched for; they are kept, but no results, which might be others by another Z3.
    Where there can be none, it is said why.
    """
    session = CacheSession(sources=CertificateSources(anew=anew))
    place = find_place(folder)
    if place is not None:
        try:
            secret, program = open_place(place), Program(digest_source(), list_versions())
            results = None if anew else ResultCache(Store(place.database, secret), program)
            session = CacheSession(results, recheck, warn, CertificateSources(Partition(place, program), anew))
        except (BadPlace, StoreFault) as fault:
            warn(f"no cache: {fault}")
    elif recheck:
        warn("no cache: the environment says off; there is nothing to compare with")
    try:
        yield session
    finally:
        session.close()
