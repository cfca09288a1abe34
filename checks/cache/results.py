"""Results of earlier runs: found where nothing has changed that they depend on, kept where they are settled."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from checks.cache.coding import StrictCodec, Unreadable
from checks.cache.keys import FORMAT, CacheQuestion, Program, ResultKey, TrailKey, narrow
from checks.cache.store import Store
from checks.judgement.options import Options
from checks.results.lemmas import SettledLemmas
from checks.results.model import ClaimResult, MutantFate, Provenance, RouteRecord
from checks.results.pictures import Undrawn
from checks.results.values import PlainValue
from checks.results.verdicts import Verdict
from claims.language.library.entries import Entry
from claims.language.library.works import LIBRARY
from claims.language.statement.judgement import Judgement
from claims.language.toml.trail import FileStates, display_path, look
from encoders.answer import Decision, Obligation, ObligationStatus

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
    from encoders.logic.naturals.certificates.certificate import CertificateText

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
        and all(o.steady for o in found.obligations)
        and all(r.answer.settles or _is_answered(result, r.answer) for r in found.routes)
        and not any(isinstance(x, Undrawn) for x in result.presentation.pictures)
        and all(m.outcome is not MutantFate.UNDECIDED for m in found.mutants or ())
    )


def _is_answered(result: ClaimResult, answer: Decision) -> bool:
    """Whether a route that does not settle the claim would say the same again."""
    failed = any(o.result is ObligationStatus.FAILED for o in result.finding.obligations)
    return answer is Decision.UNSUPPORTED or (answer is Decision.UNKNOWN and failed)
