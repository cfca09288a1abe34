"""The inputs of a cached result: the program, the claim, the options, and the files that are read."""

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
# The program that settles claims: its source and the packages that it calls. Another program may give other results.
PACKAGES = ("claims", "encoders", "checks")
"""Our packages that produce results. Reports are made from results, so `reports` is not included."""
DISTRIBUTIONS = ("numpy", "sympy", "mpmath", "z3-solver", "cvc5", "tree-sitter", "tree-sitter-toml", "wasmtime")
"""The third-party distributions that produce results, if they are installed."""
PASSED = (".toml", ".pyc")
TEMPLATING = ("jinja2", "markupsafe")
"""The third-party distributions that produce pages."""


def digest_source(folders: tuple[Path, ...] = ()) -> str:
    """Return the SHA-256 of all files of the packages and their names: modules, lists, schemas, kernels and others.

    Claims and rulesets (*.toml) are left out, because the key of a result contains each such file that was read.
    Compiled Python is left out too.
    """
    return digest_files(list_files(folders))


def digest_files(files: Iterable[tuple[str, Path]]) -> str:
    """Return SHA-256 of files with their names."""
    total = hashlib.sha256()
    for name, path in files:
        data = path.read_bytes()
        total.update(f"{name}\0{len(data)}\0".encode())
        total.update(data)
    return total.hexdigest()


def list_files(folders: tuple[Path, ...] = ()) -> Iterator[tuple[str, Path]]:
    """Yield the files that `digest_source` covers as pairs (name, path). A name begins with the name of its package."""
    for folder in folders or tuple(map(find_package, PACKAGES)):
        names = sorted((path.relative_to(folder).as_posix(), path) for path in list_below(folder))
        yield from ((f"{folder.name}/{name}", path) for name, path in names)


def list_below(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders, except files with a suffix in PASSED."""
    for place, _, names in os.walk(folder):  # much faster than Path.rglob
        yield from (path for name in names if not name.endswith(PASSED) and (path := Path(place, name)).is_file())


def list_reporter(root: Path | None = None) -> Iterator[tuple[str, Path]]:
    """Yield the modules and templates of the package `reports`, or of `root`, as pairs (name, path).

    Files that a run has written there are left out.
    """
    root = root or find_package("reports")
    rooms = {root / "templates", *(module.parent for module in root.rglob("__init__.py"))}
    files = sorted(path for room in rooms for path in room.iterdir() if _counts(path))
    yield from ((path.relative_to(root).as_posix(), path) for path in files)


def _counts(path: Path) -> bool:
    return not path.name.endswith(PASSED) and path.is_file()


def find_package(package: str) -> Path:
    """Return the folder of a package."""
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def list_versions(distributions: tuple[str, ...] = DISTRIBUTIONS) -> tuple[str, ...]:
    """Return the Python version, its flags, the platform and the machine, then each distribution with its version."""
    flags = f"optimize={sys.flags.optimize}"
    found = [f"{platform.python_implementation()} {sys.version}", flags, sys.platform, platform.machine()]
    return (*found, *(f"{name} {find_version(name) or 'none'}" for name in distributions))


# == keys =============================================================================================================
# The inputs of a result, and the key under which it is stored. A different input gives a different key.
FORMAT = 1  # of the stored data


class Digested:
    """A record with a digest of its whole content."""

    @property
    def digest(self) -> bytes:
        """SHA-256 of the content."""
        return hashlib.sha256(dump(pack(self))).digest()


@dataclass(frozen=True)
class Program(Digested):
    """The program that settles claims.

    `source`: the SHA-256 of the source of nim-checks.
    `versions`: the versions of Python and the third-party packages.
    """

    source: str
    versions: tuple[str, ...]


@dataclass(frozen=True)
class CacheQuestion:
    """The claim and the options of a run that determine a result.

    `id`: the id of the claim.
    `file`: the displayed name of its file.
    `library`: the displayed path of the library.
    `overrides`: the options --set for variables of the claim.
    `lemmas`: pairs (file, result) for the lemmas of its proof. The other fields are as in `Options`.
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
    """All inputs of a result. `seen`: the states of the files and folders that are read when the claim is settled."""

    format: int
    program: Program
    question: CacheQuestion
    seen: FileStates


@dataclass(frozen=True)
class TrailKey(Digested):
    """The key under which the names of the files and folders of a claim are stored. It is known before a file is read.

    If the stored names are wrong, the `ResultKey` that is made from them does not match.
    """

    format: int
    program: Program
    id: str
    file: str
    library: str


def narrow(options: Options, variables: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the overrides for variables with these names."""
    return tuple((name, value) for name, value in options.overrides if name.partition(".")[0] in variables)
