"""The tests of `pytest --claims FOLDER`: one test for each claim, with the same result as `checks run`.

The test of a refuted claim fails with the counterexample, unless the claim file expects *refuted*. The test of an
invalid claim fails with all errors. The plugin itself is the module `nim_checks_pytest`, which pytest can always
import.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from claims.language.errors import ClaimError, NimChecksError

if TYPE_CHECKING:
    from checks.results.model import ClaimResult
    from claims.language.files.library import Entry


class ClaimFailure(NimChecksError, AssertionError):
    """The error with which a test fails if the verdict on its claim is not the expected one."""

    def __init__(self, result: ClaimResult) -> None:
        super().__init__(result.id)
        self.result = result


def list_claims(words: tuple[str, ...]) -> dict[Path, list[str]]:
    """Return the ids of the claims that the arguments `words` name, grouped by the absolute path of the claim file.

    Raises pytest.UsageError if a word does not name a claim.
    """
    from claims.language.files.library import select

    found: dict[Path, list[str]] = {}
    try:
        for entry in select(words):
            found.setdefault(entry.path.absolute(), []).append(entry.id)
    except ClaimError as error:
        raise pytest.UsageError(f"--claims: {error}") from None
    return found


class ClaimFile(pytest.File):
    """The tests of a claim file: one for the claim, and one for each variant.

    `ids`: the wanted claims; None for all.
    """

    ids: list[str] | None = None

    def collect(self) -> Iterator[ClaimItem]:
        from claims.language.files.library import select

        here = Path.cwd()
        below = self.path.is_relative_to(here)  # then the ids are those of `checks run`
        word = f".{os.sep}{self.path.relative_to(here)}" if below else str(self.path)
        for entry in select((word,)):
            if self.ids is None or entry.id in self.ids:
                item = ClaimItem.from_parent(self, name=entry.id)
                item.entry = entry
                yield item


class ClaimItem(pytest.Item):
    """The test of one claim or variant."""

    entry: Entry

    def runtest(self) -> None:
        from checks.command.api import settle_entries
        from checks.results.verdicts import passes

        result = settle_entries((self.entry,)).claims[0]
        self.user_properties.append(("verdict", result.verdict.value))
        if not passes(result.verdict, result.finding.as_expected):
            raise ClaimFailure(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if not isinstance(excinfo.value, ClaimFailure):
            return str(super().repr_failure(excinfo))
        from checks.command.screen import explain_result

        return "\n".join(explain_result(excinfo.value.result))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.entry.path, None, self.name
