"""The plugin that nim-checks gives pytest: `pytest --claims FOLDER` settles each claim as a test.

pytest imports this module in every project of an environment, whether or not the project has claims. So it stands
outside the package `checks`, whose name another project may use for its own, and imports that only for `--claims`.
"""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

PACKAGES = ("claims", "encoders", "checks", "reports")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("nim-checks", "claims about combinatorial games")
    group.addoption(
        "--claims",
        action="append",
        default=[],
        metavar="ID|GLOB|FILE|FOLDER",
        help="Settle these claims, each as a test. May be given several times.",
    )


@pytest.hookimpl(tryfirst=True)  # before the hooks that select among the items
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    if words := session.config.getoption("--claims"):
        refuse_other_packages()
        from checks.command.plugin import collect

        items.extend(collect(session, tuple(words)))


def refuse_other_packages() -> None:
    """Raise UsageError if Python finds another package under one of the names that nim-checks uses."""
    home = Path(__file__).resolve().parent
    for name in PACKAGES:
        found = importlib.import_module(name)
        places = {Path(path).resolve() for path in found.__path__} if hasattr(found, "__path__") else set()
        if places != {home / name}:
            where = ", ".join(map(str, sorted(places))) or found.__file__
            raise pytest.UsageError(
                f"--claims: this project has a module {name!r} of its own ({where}), which hides ours; "
                "run `checks run` in place of --claims, or see docs/installing.md"
            )
