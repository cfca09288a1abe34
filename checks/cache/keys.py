"""What a cached result depends on: the program, the claim and its files."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from checks.cache.coding import dump, pack
from checks.judgement.scopes import Options
from checks.results.model import SettledLemma
from claims.language.files.toml import FileStates
from claims.language.versions import find_version
from encoders.solvers.effort import Effort

# == identity =========================================================================================================
# Which program settles claims here: its own source, and what it calls. Another program may settle them otherwise.
PACKAGES = ("claims", "encoders", "checks")
"""Ours that results are made by; reports are made of results, and no result of a report."""
DISTRIBUTIONS = ("numpy", "sympy", "mpmath", "z3-solver", "cvc5", "tree-sitter", "tree-sitter-toml", "wasmtime")
"""Those of others that results are made by, as far as they are installed."""
PASSED = (".toml", ".pyc")
TEMPLATING = ("jinja2", "markupsafe")
"""Those of others that pages are made by."""


def digest_source(folders: tuple[Path, ...] = ()) -> str:
    """SHA-256 of all files of the packages by their names: modules, lists, schemas, kernels, whatever lies there.

    Left out are claims and rulesets, *.toml, each of which counts where it is read, and what Python compiles.
    """
    return digest_files(list_files(folders))


def digest_files(files: Iterable[tuple[str, Path]]) -> str:
    """SHA-256 of files, each with its name."""
    total = hashlib.sha256()
    for name, path in files:
        data = path.read_bytes()
        total.update(f"{name}\0{len(data)}\0".encode())
        total.update(data)
    return total.hexdigest()


def list_files(folders: tuple[Path, ...] = ()) -> Iterator[tuple[str, Path]]:
    """Those files, each by the name of its package and its own."""
    for folder in folders or tuple(map(find_package, PACKAGES)):
        names = sorted((path.relative_to(folder).as_posix(), path) for path in list_below(folder))
        yield from ((f"{folder.name}/{name}", path) for name, path in names)


def list_below(folder: Path) -> Iterator[Path]:
    """The files in a folder, and in those in it, that count."""
    for place, _, names in os.walk(folder):  # quicker by far than Path.rglob
        yield from (path for name in names if not name.endswith(PASSED) and (path := Path(place, name)).is_file())


def list_reporter(root: Path | None = None) -> Iterator[tuple[str, Path]]:
    """The modules and templates of `reports`, or of `root`: not what a run has written into a folder inside it."""
    root = root or find_package("reports")
    rooms = {root / "templates", *(module.parent for module in root.rglob("__init__.py"))}
    files = sorted(path for room in rooms for path in room.iterdir() if _counts(path))
    yield from ((path.relative_to(root).as_posix(), path) for path in files)


def _counts(path: Path) -> bool:
    return not path.name.endswith(PASSED) and path.is_file()


def find_package(package: str) -> Path:
    """The folder of a package."""
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def list_versions(distributions: tuple[str, ...] = DISTRIBUTIONS) -> tuple[str, ...]:
    """Python, how it runs and on what, then each distribution with its version."""
    flags = f"optimize={sys.flags.optimize}"
    found = [f"{platform.python_implementation()} {sys.version}", flags, sys.platform, platform.machine()]
    return (*found, *(f"{name} {find_version(name) or 'none'}" for name in distributions))


# == keys =============================================================================================================
# What a result depends on, and the key under which it is kept: another value of any of it is another key.
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
