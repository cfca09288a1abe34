"""Annotations of GitHub's workflows: a line for each claim that makes the exit code other than 0.

Refutations that a claim's file expects are no news, and GitHub shows few annotations of each step: they are left out.
Files are named from the root of the repository, whichever folder the run was made in: so GitHub looks for them.
"""

from __future__ import annotations

from checks.results.faults import Fault, Severity
from checks.results.model import NOWHERE, ClaimResult, Repository, RunResult
from reports.ci.level import SarifLevel, level_of
from reports.ground.wording import expectation, explanation, name, reason, verdict_text, visible

LINES = 12  # of an explanation; report.md has the rest
COMMANDS = {SarifLevel.ERROR: "error", SarifLevel.WARNING: "warning"}


def to_annotations(run: RunResult) -> str:
    """The annotations of a run, errors first; "" where there are none."""
    told = sorted((c for c in run.claims if level_of(c) in COMMANDS), key=lambda c: level_of(c) is SarifLevel.WARNING)
    return "".join(line + "\n" for claim in told for line in _annotate(claim, run.repository))


def _annotate(claim: ClaimResult, repository: Repository) -> list[str]:
    """One annotation; of a file that cannot be read, one for each fault."""
    return [annotate_fault(fault, repository) for fault in claim.finding.faults] or [_annotation(claim, repository)]


def _annotation(claim: ClaimResult, repository: Repository) -> str:
    title = ": ".join(part for part in (claim.verdict.value, name(claim)) if part)
    file, line = repository.locate(claim.provenance.file), str(claim.provenance.line or "")
    facts = [("file", file), ("line", line), ("title", title)]
    where = ",".join(f"{key}={escape_property(value)}" for key, value in facts if value)
    said = [f"{claim.id}: {claim.statement.title}".removesuffix(": "), verdict_text(claim)]
    said += [reason(claim)] if reason(claim) else []
    said += [expectation(claim)] if claim.finding.as_expected is False else []
    lines = explanation(claim)
    said += [*lines[:LINES], "..."] if len(lines) > LINES else lines
    return f"::{COMMANDS[level_of(claim)]} {where}::{escape_data(chr(10).join(said))}"


def annotate_fault(fault: Fault, repository: Repository = NOWHERE) -> str:
    """The annotation of one fault of a file."""
    command = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}[fault.severity]
    facts = [("file", repository.locate(fault.file)), ("line", str(fault.line or "")), ("col", str(fault.column or ""))]
    facts += [("endColumn", str(fault.column + fault.width if fault.column else "")), ("title", fault.kind.value)]
    where = ",".join(f"{key}={escape_property(value)}" for key, value in facts if value)
    return f"::{command} {where}::{escape_data(fault.told)}"


def escape_data(text: str) -> str:
    r"""The text of a workflow command, which ends with its line.

    >>> escape_data("50%\n::error::x")
    '50%25%0A::error::x'
    """
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """A property of a workflow command, which ends with a comma or two colons.

    >>> escape_property("a:b,c")
    'a%3Ab%2Cc'
    """
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")
