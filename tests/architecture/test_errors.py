"""All errors have one root, so that another program can catch every error of ours."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from house import PACKAGES, imports

from checks.judgement.routes import BudgetSpent
from claims.language.errors import NimChecksError


def list_below(kind: type[BaseException]) -> Iterator[type[BaseException]]:
    for found in kind.__subclasses__():
        yield found
        yield from list_below(found)


def test_every_exception_class_has_the_root() -> None:
    for module in imports():
        if not module.endswith(".__main__"):  # it changes the path, and defines no errors
            import_module(module)
    ours = {kind for kind in list_below(BaseException) if kind.__module__.partition(".")[0] in PACKAGES}
    assert len(ours) > 40
    others = {kind for kind in ours if not issubclass(kind, NimChecksError)}
    assert others == {BudgetSpent}  # like KeyboardInterrupt: `except Exception` must not catch it, and it becomes Spent
