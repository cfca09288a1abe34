"""What a result depends on, and the key under which it is kept: another value of any of it is another key."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from checks.cache.coding import dump, pack
from checks.judgement.options import Options
from checks.results.lemmas import SettledLemma
from claims.language.toml.trail import FileStates
from encoders.logic.solvers.effort import Effort

FORMAT = 1  # of what is kept under a key


class Digested:
    """What is known by the digest of all that it says."""

    @property
    def digest(self) -> bytes:
        """SHA-256 of all of it."""
        return hashlib.sha256(dump(pack(self))).digest()


@dataclass(frozen=True)
class Program(Digested):
    """Who settles: SHA-256 of our source, and Python and the packages of others with their versions."""

    source: str
    versions: tuple[str, ...]


@dataclass(frozen=True)
class CacheQuestion:
    """What is asked of a claim. `id`, `file`: of the claim, and its file as it is shown to a person.

    `library`: where the library is, as it is shown.  `overrides`: those of the claim's own variables.  `lemmas`: what
    the run found of those that its proof names, each with its file.  The others as in `Options`.
    """

    id: str
    file: str
    library: str
    profile: str
    overrides: tuple[tuple[str, str], ...]
    budget: float | None
    routes: tuple[str, ...]
    mutants: bool
    effort: Effort
    lemmas: tuple[tuple[str, SettledLemma], ...]


@dataclass(frozen=True)
class ResultKey(Digested):
    """All that a result depends on. `seen`: the files and folders that are looked at to settle the claim."""

    format: int
    program: Program
    question: CacheQuestion
    seen: FileStates


@dataclass(frozen=True)
class TrailKey(Digested):
    """What is known before a file is read: under it is kept where to look. A wrong place leads to another `Key`."""

    format: int
    program: Program
    id: str
    file: str
    library: str


def narrow(options: Options, variables: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The overrides that concern variables of these names."""
    return tuple((name, value) for name, value in options.overrides if name.partition(".")[0] in variables)
