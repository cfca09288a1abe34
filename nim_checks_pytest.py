"""The pytest plugin of nim-checks: `pytest --claims FOLDER` settles each claim as a test.

A claim has the node id `FILE.toml::ID`, and `pytest FILE.toml::ID` settles it again, without --claims.

pytest imports this module in every project of an environment, whether or not the project has claims.  Therefore it is
not in the package `checks`, whose name another project may use, and it imports that package only to settle claims.
"""

from __future__ import annotations

import importlib
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGES = ("claims", "encoders", "checks", "reports")
MOST_BYTES = 1 << 20  # of a claim file
WANTED = pytest.StashKey["dict[Path, list[str]]"]()
"""The claims of --claims: the ids by the absolute path of their file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("nim-checks", "claims about combinatorial games")
    group.addoption(
        "--claims",
        action="append",
        default=[],
        metavar="ID|GLOB|FILE|FOLDER",
        help="Settle these claims, each as a test. Repeat it for several.",
    )


@pytest.hookimpl(tryfirst=True)  # before pytest collects, and counts
def pytest_collection(session: pytest.Session) -> None:
    """Add the claims of --claims to the tests that pytest collects.

    pytest finds a claim file below a folder that is an argument.  Other claims become arguments, FILE::ID.
    """
    if words := session.config.getoption("--claims"):
        refuse_other_packages()
        from checks.command.plugin import list_claims

        session.config.stash[WANTED] = wanted = list_claims(tuple(words))
        arguments = session.config.args
        named = [Path(session.config.invocation_params.dir, x) for x in arguments if "::" not in x]
        for path, ids in wanted.items():
            if not any(path.is_relative_to(place) for place in named):
                arguments += [x for id in ids if (x := f"{path}::{id}") not in arguments]


@pytest.hookimpl(tryfirst=True)
def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Look also into folders that pytest skips, such as hidden ones, if they have a claim of --claims."""
    wanted = config.stash.get(WANTED, {})
    return False if any(path.is_relative_to(collection_path) for path in wanted) else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return a collector for a claim file that --claims or an argument names; None for any other file."""
    if file_path.suffix != ".toml":
        return None
    ids = parent.config.stash.get(WANTED, {}).get(file_path)
    named = parent.session.isinitpath(file_path)  # pytest itself selects among the ids of an argument
    if ids is None and not (named and is_claim_file(file_path)):
        return None
    refuse_other_packages()
    from checks.command.plugin import ClaimFile

    root = parent.config.rootpath  # pytest would leave the path of a file elsewhere out of its node id
    nodeid = None if file_path.is_relative_to(root) else Path(os.path.relpath(file_path, root)).as_posix()
    found = ClaimFile.from_parent(parent, path=file_path, nodeid=nodeid)
    found.ids = None if named else ids
    return found


def is_claim_file(path: Path) -> bool:
    """Whether a file looks like a claim. One that is not valid TOML does, so that its errors are reported."""
    try:
        with path.open("rb") as file:
            data: Mapping[str, object] = tomllib.loads(file.read(MOST_BYTES).decode("utf-8"))
    except OSError:
        return False
    except (ValueError, RecursionError):
        return True
    return "moves" not in data and any(key in data for key in ("claim", "statement", "forall", "exists"))


def refuse_other_packages() -> None:
    """Raise UsageError if Python finds another package under one of the names that nim-checks uses."""
    home = Path(__file__).resolve().parent
    for name in PACKAGES:
        found = importlib.import_module(name)
        places = {Path(path).resolve() for path in found.__path__} if hasattr(found, "__path__") else set()
        if places != {home / name}:
            where = ", ".join(map(str, sorted(places))) or found.__file__
            raise pytest.UsageError(
                f"--claims: this project has its own module {name!r} ({where}), which hides the one of nim-checks; "
                "use `checks run` instead of --claims, or see docs/start.md"
            )
