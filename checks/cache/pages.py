"""What the page says of the works of a run, made before: found where all of it was made of is as it was."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from checks.cache.identity import TEMPLATING, digest_files, list_reporter, list_versions
from checks.cache.keys import FORMAT, Digested, Program
from checks.cache.results import ResultCache
from checks.results.model import RunResult

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
