"""Results and HTML pages of earlier runs, which a run reuses if everything on which they depend is unchanged."""

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
# Differences between two results of a claim, except the time that they took.
APART = (
    "seconds",
    "seen",
    "cached",
    "sequent",
    "of_kind",
    "cause",
)  # fields that may differ between two runs with the same result
FEW = 5  # differences that are reported
LONG = 200  # at most this many characters of a value are reported


def list_differences(kept: object, found: object, where: str = "") -> Iterator[tuple[str, object, object]]:
    """Yield (location, value in `kept`, value in `found`) for every difference between two results.

    A location is a path of fields and indices, such as `finding.routes[0].answer`. The fields in APART are not
    compared.
    """
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
    """Compare a cached result with a new one. Return the new one if both agree.

    Otherwise return a result with the verdict "inconsistent". Its error message lists the first differences.
    """
    told = []
    for where, one, other in list_differences(kept, found):
        told.append(f"  {where}: {_show(one)} in the cache, {_show(other)} now")
        if len(told) == FEW:
            break
    if not told:
        return found
    error = "\n".join(("the cached result differs from the result of this run; please report this:", *told))
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
# Results of earlier runs: reused if no input has changed, stored when a claim is settled.
RESULTS, TRAILS = "results", "trails"
SETTLED = (Verdict.PROVED, Verdict.VERIFIED, Verdict.REFUTED, Verdict.VACUOUS)


@dataclass(frozen=True)
class Whereabouts:
    """The facts about a claim that the cache needs to compute the key of its result without reading the claim.

    `names`: the files and folders that are read when the claim is settled. `variables`: the variables of the claim.
    """

    names: tuple[str, ...]
    variables: tuple[str, ...]


@dataclass(frozen=True)
class CachedResult:
    """A stored result with its complete key.

    Results are stored under the digest of the key. The complete key is compared too, so that two keys with equal
    digests cannot be confused.
    """

    key: ResultKey
    result: ClaimResult


PLACES = StrictCodec(Whereabouts)
NOT_KEPT = frozenset[tuple[type, str]](
    {(Obligation, name) for name in ("sequent", "of_kind", "cause")}
    | {(RouteRecord, "cause"), (Provenance, "seen"), (Provenance, "cached")}
)
"""The fields that are not stored, as pairs (class, field). They are needed only in the run that settles the claim."""


@cache
def make_coder() -> StrictCodec:
    """Return the codec of results. It does not store expressions, and it stores certificates only as text."""
    from encoders.logic.certificates import CertificateText

    narrowed: dict[tuple[type, str], object] = {(Obligation, "certificate"): CertificateText | None}
    names = {"PlainValue": PlainValue, "Sequent": object, "Certificate": object, "CertificateText": CertificateText}
    return StrictCodec(CachedResult, names, NOT_KEPT, narrowed)


class ResultCache:
    """The results in the cache. It finds results of earlier runs and stores new ones.

    `digests`: the SHA-256 of each result that this run found or stored, by the id of its claim.
    Each method raises StoreFault if the database cannot be used.
    """

    def __init__(self, store: Store, program: Program) -> None:
        self.store, self.program = store, program
        self.digests: dict[str, str] = {}
        self._now: dict[str, str | None] = {}

    def find(self, entry: Entry, options: Options, settled: SettledLemmas) -> ClaimResult | None:
        """Return the stored result for the same claim, options, lemmas and file contents, or None if there is none.

        `settled`: the results of the lemmas of the claim's proof.
        """
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
        """Store a result that this run has found, if `is_final` holds for it.

        A result is not stored if its files changed while the claim was settled; then `result.provenance.seen` is empty.
        """
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
        """Delete the stored result that has the same key as `result`, if there is one."""
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
        """Return a text that changes whenever the file or folder changes, such as a digest of its content.

        Each file or folder is examined only once in a run. Raises Unreadable if it cannot be read.
        """
        if name not in self._now:
            try:
                self._now[name] = look(Path(name))
            except OSError:
                self._now[name] = None
        state = self._now[name]
        if state is None:
            raise Unreadable(f"{name} cannot be read")
        return state


def is_final(result: ClaimResult) -> bool:
    """Return whether another attempt must give the same result, because no limit was reached and no error occurred."""
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
    """Return whether a route would give this answer again. `answer` is an answer that does not settle the claim."""
    failed = any(o.result is ObligationStatus.FAILED for o in result.finding.obligations)
    return answer is Decision.UNSUPPORTED or (answer is Decision.UNKNOWN and failed)


# == pages ============================================================================================================
# The page of a run, which is reused if all its inputs are unchanged.
PAGES = "pages"


@dataclass(frozen=True)
class PageKey(Digested):
    """The key of the HTML page about a run: everything on which the page depends.

    `format`: the version of the format of stored data.
    `program`: the program that settled the claims. `reporter`: the program that makes the page.
    `run`: the data about the complete run, without the results of its claims.
    `claims`: pairs (id of a claim, SHA-256 of its result), in the order of the run.
    """

    format: int
    program: Program
    reporter: Program
    run: RunResult
    claims: tuple[tuple[str, str], ...]


@cache
def find_reporter() -> Program:
    """Return the identity of the installed program that makes HTML pages."""
    return Program(digest_files(list_reporter()), list_versions(TEMPLATING))


def find_page(results: ResultCache, run: RunResult) -> str | None:
    """Return the stored HTML page that was made from exactly the results of this run, or None if there is none.

    Raises StoreFault if the database cannot be used.
    """
    key = _make_key(results, run)
    kept = None if key is None else results.store.get(PAGES, key.digest)
    with suppress(UnicodeDecodeError):
        return None if kept is None else kept.decode()
    return None


def keep_page(results: ResultCache, run: RunResult, text: str) -> None:
    """Store the HTML page of a run, unless some result of this run is not in the cache.

    Raises StoreFault if the database cannot be used.
    """
    key = _make_key(results, run)
    if key is not None:
        with suppress(UnicodeEncodeError):  # a file name with lone surrogates
            results.store.put(PAGES, key.digest, text.encode())


def _make_key(results: ResultCache, run: RunResult) -> PageKey | None:
    digests = [(claim.id, results.digests.get(claim.id)) for claim in run.claims]
    claims = tuple((id, digest) for id, digest in digests if digest is not None)
    if len(claims) < len(digests):
        return None
    return PageKey(FORMAT, results.program, find_reporter(), replace(run, claims=()), claims)


# == session ==========================================================================================================
# The cache during one run. If it fails, the run warns once and continues without it.
_T = TypeVar("_T")
TAKEN = CertificateSources()  # the shipped certificates


class CacheSession:
    """The cache during one run. If the database fails, the run warns once and continues without the cache.

    `results`: the stored results; None if no results are stored or found.
    `recheck`: whether every claim is settled again and its result compared with the cached one.
    `warn`: the function that reports why the cache failed.
    `compared`: the number of results that were compared so far.
    `sources`: the places in which the run looks for certificates.
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
        """Return the result of an earlier run that can be reused, or None. On a recheck, return None."""
        return None if self._recheck else self._find(entry, options, settled)

    def store_or_compare(
        self, entry: Entry, options: Options, settled: SettledLemmas, result: ClaimResult
    ) -> ClaimResult:
        """Store a result of this run and return it.

        On a recheck, if there is a stored result, compare both instead. If they differ, delete the stored result and
        return a result with the verdict "inconsistent". A result that reached a limit is not compared.
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
        """Return the HTML page about a run: the stored page, or the page that `make` returns, which is then stored.

        A stored page is reused only if it was made from exactly the results of this run. On a recheck, it is never
        reused.
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
        """Close the database."""
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
            self._warn(f"the rest of the run does not use the cache: {fault}")
            return None


@contextmanager
def open_session(folder: Path | None, recheck: bool, anew: bool, warn: Callable[[str], None]) -> Iterator[CacheSession]:
    """Open the cache of a run, and close it at the end of the `with` block.

    `folder`: the folder of the cache. None stands for the folder in the environment variable CHECKS_CACHE or, if this
    is not set, the default folder of the system.
    `recheck`: whether every claim is settled again and its result compared with the cached one.
    `anew`: whether to ignore existing certificates, search for all of them again, and store them. In this case, results
    are neither reused nor stored.
    `warn`: the function that reports why the cache cannot be opened.
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
        warn("--recheck compares nothing: the environment variable CHECKS_CACHE turns the cache off")
    try:
        yield session
    finally:
        session.close()
