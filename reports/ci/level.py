"""How loud a claim is in continuous integration. A claim fails there exactly if it makes the exit code other than 0."""

from __future__ import annotations

from enum import StrEnum

from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict, exit_code


class SarifLevel(StrEnum):
    """The values are those of SARIF."""

    ERROR = "error"
    """It makes the run end in an exit code other than 0."""

    WARNING = "warning"
    """So does this, but nothing is known against the claim: a limit was met."""

    NOTE = "note"
    """Refuted, as its file expects."""

    NONE = "none"
    """It holds, as far as its verdict says."""


def code_of(result: ClaimResult) -> int:
    """The exit code that a run of this claim alone would end in."""
    return exit_code([(result.verdict, result.finding.as_expected)])


def level_of(result: ClaimResult) -> SarifLevel:
    """How loud the claim is."""
    if code_of(result):
        return SarifLevel.WARNING if result.verdict is Verdict.INCONCLUSIVE else SarifLevel.ERROR
    return SarifLevel.NONE if result.verdict.holds else SarifLevel.NOTE
