"""The items of `pytest --claims FOLDER`: one for each claim, which passes as a run of it would.

A claim that is refuted fails with its counterexample, unless its file expects that. A claim that cannot be read fails
with all its faults. The plugin itself is the module `nim_checks_pytest`, which pytest can always import.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from claims.language.errors import ClaimError, NimChecksError

if TYPE_CHECKING:
    from checks.results.model import ClaimResult
    from claims.language.files.library import Entry


class Unsettled(NimChecksError, AssertionError):
    """A claim that did not come out as it should."""

    def __init__(self, result: ClaimResult) -> None:
        super().__init__(result.id)
        self.result = result


def collect(session: pytest.Session, words: tuple[str, ...]) -> Iterator[ClaimItem]:
    """Yield an item for each claim that the words name. Raises pytest.UsageError."""
    from claims.language.files.library import select

    try:
        entries = select(words)
    except ClaimError as error:
        raise pytest.UsageError(f"--claims: {error}") from None
    for entry in entries:
        item = ClaimItem.from_parent(session, name=entry.id)
        item.entry = entry
        yield item


class ClaimItem(pytest.Item):
    """One claim."""

    entry: Entry

    def runtest(self) -> None:
        from checks.command.api import settle_entries
        from checks.results.verdicts import passes

        result = settle_entries((self.entry,)).claims[0]
        self.user_properties.append(("verdict", result.verdict.value))
        if not passes(result.verdict, result.finding.as_expected):
            raise Unsettled(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if not isinstance(excinfo.value, Unsettled):
            return str(super().repr_failure(excinfo))
        from checks.command.screen import explain_result

        return "\n".join(explain_result(excinfo.value.result))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.entry.path, None, self.name
