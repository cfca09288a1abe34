"""The keys of the cache. The key of a result contains everything on which the result depends.

These inputs are the program, the claim, the options of the run, and the files that are read.
"""

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
"""The packages of nim-checks on which results depend. No result depends on `reports`, which only shows results."""
DISTRIBUTIONS = ("numpy", "sympy", "mpmath", "z3-solver", "cvc5", "tree-sitter", "tree-sitter-toml", "wasmtime")
"""The third-party distributions on which results depend, if they are installed."""
PASSED = (".toml", ".pyc")
TEMPLATING = ("jinja2", "markupsafe")
"""The third-party distributions on which HTML pages depend."""


def digest_source(folders: tuple[Path, ...] = ()) -> str:
    """Return the SHA-256 of the names and contents of all files in the folders, by default those of PACKAGES.

    Claims and rulesets (*.toml) are omitted, because the key of a result contains each such file that was read.
    Compiled Python files are omitted too.
    """
    return digest_files(list_files(folders))


def digest_files(files: Iterable[tuple[str, Path]]) -> str:
    """Return one SHA-256 for several files, given as pairs (name, path). It covers their names and contents."""
    total = hashlib.sha256()
    for name, path in files:
        data = path.read_bytes()
        total.update(f"{name}\0{len(data)}\0".encode())
        total.update(data)
    return total.hexdigest()


def list_files(folders: tuple[Path, ...] = ()) -> Iterator[tuple[str, Path]]:
    """Yield the files that `digest_source` covers, as pairs (name, path).

    A name begins with the name of its folder, such as `checks/cache/keys.py`.
    """
    for folder in folders or tuple(map(find_package, PACKAGES)):
        names = sorted((path.relative_to(folder).as_posix(), path) for path in list_below(folder))
        yield from ((f"{folder.name}/{name}", path) for name, path in names)


def list_below(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders, in no fixed order, except files with a suffix in PASSED."""
    for place, _, names in os.walk(folder):  # much faster than Path.rglob
        yield from (path for name in names if not name.endswith(PASSED) and (path := Path(place, name)).is_file())


def list_reporter(root: Path | None = None) -> Iterator[tuple[str, Path]]:
    """Yield the files of the program that makes HTML pages: modules and templates, as pairs (name, path).

    They are in the package `reports`, or in the folder `root` if it is given. Reports that a run has written into this
    package are omitted.
    """
    root = root or find_package("reports")
    rooms = {root / "templates", *(module.parent for module in root.rglob("__init__.py"))}
    files = sorted(path for room in rooms for path in room.iterdir() if _counts(path))
    yield from ((path.relative_to(root).as_posix(), path) for path in files)


def _counts(path: Path) -> bool:
    return not path.name.endswith(PASSED) and path.is_file()


def find_package(package: str) -> Path:
    """Return the folder of the Python package with this name."""
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def list_versions(distributions: tuple[str, ...] = DISTRIBUTIONS) -> tuple[str, ...]:
    """Return a list of texts: the Python version, the optimization flag, the platform and the machine.

    Then comes each distribution with its version, such as `numpy 2.1.0`, or `cvc5 none` if it is not installed.
    """
    flags = f"optimize={sys.flags.optimize}"
    found = [f"{platform.python_implementation()} {sys.version}", flags, sys.platform, platform.machine()]
    return (*found, *(f"{name} {find_version(name) or 'none'}" for name in distributions))


# == keys =============================================================================================================
# The inputs of a result, and the key under which it is stored. A different input gives a different key.
FORMAT = 1  # of the stored data


class Digested:
    """A record whose complete content has a digest. The digest is used as a key of the cache."""

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the content."""
        return hashlib.sha256(dump(pack(self))).digest()


@dataclass(frozen=True)
class Program(Digested):
    """The identity of a program: two programs with different source or different packages may give different results.

    `source`: the SHA-256 of the source files.
    `versions`: the versions of Python and the third-party packages, as texts.
    """

    source: str
    versions: tuple[str, ...]


@dataclass(frozen=True)
class CacheQuestion:
    """The question that a result answers: settle this claim, with these options, using these settled lemmas.

    `id`: the id of the claim.
    `file`: the path of the claim file, as reports show it.
    `library`: the path of the library, as reports show it.
    `overrides`: the options --set that change variables of this claim, as pairs (name, value).
    `lemmas`: pairs (file, result) for the lemmas that the proof of the claim uses.
    The other fields are as in `Options`.
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
    """The key of a result: everything on which the result depends.

    `format`: the version of the format of stored data.
    `seen`: the files and folders that are read when the claim is settled, with the state of each.
    """

    format: int
    program: Program
    question: CacheQuestion
    seen: FileStates


@dataclass(frozen=True)
class TrailKey(Digested):
    """The key under which the cache stores which files and folders are read when a claim is settled.

    This key is known before any file is read, while a `ResultKey` requires the states of these files. If the stored
    names are out of date, they lead to a `ResultKey` that is not in the cache.
    """

    format: int
    program: Program
    id: str
    file: str
    library: str


def narrow(options: Options, variables: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the options --set that change one of these variables, as pairs (name, value)."""
    return tuple((name, value) for name, value in options.overrides if name.partition(".")[0] in variables)
