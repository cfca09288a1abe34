"""Output for continuous integration: GitHub annotations, junit.xml and report.sarif."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree as ET

from checks.results.model import NOWHERE, ClaimResult, Fault, Repository, RunResult, Severity
from checks.results.shown import Json
from checks.results.verdicts import Verdict, exit_code
from checks.results.wording import (
    MEANINGS,
    TOOL,
    expectation,
    explanation,
    headline,
    limit_texts,
    reason,
    scope_phrase,
    verdict_text,
)
from checks.results.wording import name as name_of
from claims.language.errors import escape_invisible
from reports.model.digest import Group, ReportView, count_verdicts, make_view
from reports.model.json_report import dump


# == level ============================================================================================================
# The severity of a claim in continuous integration. A claim fails there if and only if it makes the exit code nonzero.
class SarifLevel(StrEnum):
    """The severity of a claim in SARIF, the format in which code analysis tools exchange their findings."""

    ERROR = "error"
    """The claim makes the exit code nonzero."""

    WARNING = "warning"
    """The claim makes the exit code nonzero only because a limit was reached; nothing contradicts it."""

    NOTE = "note"
    """The claim is refuted, as its file expects."""

    NONE = "none"
    """The claim holds, to the extent of its verdict."""


def code_of(result: ClaimResult) -> int:
    """Return the exit code that a run of only this claim would have."""
    return exit_code([(result.verdict, result.finding.as_expected)])


def level_of(result: ClaimResult) -> SarifLevel:
    """Return the severity of a claim: ERROR or WARNING if and only if it makes the exit code nonzero."""
    if code_of(result):
        return SarifLevel.WARNING if result.verdict is Verdict.INCONCLUSIVE else SarifLevel.ERROR
    return SarifLevel.NONE if result.verdict.holds else SarifLevel.NOTE


# == annotations ======================================================================================================
# Annotations of GitHub's workflows: a line for each claim that makes the exit code nonzero.
#
# Expected refutations are left out, because GitHub shows only a few annotations of each step. Paths of files start at
# the root of the repository, where GitHub looks for them.
LINES = 12  # lines of an explanation; report.md has all
COMMANDS = {SarifLevel.ERROR: "error", SarifLevel.WARNING: "warning"}


def to_annotations(run: RunResult) -> str:
    """Return one line for each GitHub annotation of a run, errors before warnings; "" if there are none."""
    told = sorted((c for c in run.claims if level_of(c) in COMMANDS), key=lambda c: level_of(c) is SarifLevel.WARNING)
    return "".join(line + "\n" for claim in told for line in _annotate(claim, run.repository))


def _annotate(claim: ClaimResult, repository: Repository) -> list[str]:
    """Return the annotations of a claim: one, or one for each fault if its file cannot be read."""
    return [annotate_fault(fault, repository) for fault in claim.finding.faults] or [_annotation(claim, repository)]


def _annotation(claim: ClaimResult, repository: Repository) -> str:
    title = ": ".join(part for part in (claim.verdict.value, name_of(claim)) if part)
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
    """Return the GitHub annotation of one fault of a claim file or ruleset file."""
    command = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}[fault.severity]
    facts = [("file", repository.locate(fault.file)), ("line", str(fault.line or "")), ("col", str(fault.column or ""))]
    facts += [("endColumn", str(fault.column + fault.width if fault.column else "")), ("title", fault.kind.value)]
    where = ",".join(f"{key}={escape_property(value)}" for key, value in facts if value)
    return f"::{command} {where}::{escape_data(fault.full_message)}"


def escape_data(text: str) -> str:
    r"""Escape the message of a GitHub workflow command, so that it stays on one line.

    >>> escape_data("50%\n::error::x")
    '50%25%0A::error::x'
    """
    return escape_invisible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Escape the value of a property of a GitHub workflow command. An unescaped comma or `::` would end the value.

    >>> escape_property("a:b,c")
    'a%3Ab%2Cc'
    """
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


# == junit ============================================================================================================
# junit.xml: a test suite for each work, a test case for each claim.
#
# A claim that makes the exit code 1 is a failure. A claim that makes it larger (unreadable, inconclusive, inconsistent)
# is an error. Nothing is "skipped", because most readers of the format show that as a success. An expected refutation
# passes; its properties have the verdict.
_NO_CHARACTER = re.compile("[\ufffe\uffff]")  # characters that XML forbids and that `escape_invisible` keeps


def to_junit(run: RunResult) -> str:
    """Return junit.xml of a run: a test suite for each paper or other source, with a test case for each claim."""
    view = make_view(run)
    root = ET.Element("testsuites", {"name": xml_text(f"{TOOL}: {headline(run)}"), **_counts(run.claims)})
    for group in view.groups:
        root.append(_suite(view, group))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def xml_text(text: str) -> str:
    r"""Replace each character that XML forbids by an escape sequence such as `\u0000`.

    >>> xml_text("a\x00b\uffff")
    'a\\u0000b\\uffff'
    """
    return _NO_CHARACTER.sub(lambda found: f"\\u{ord(found[0]):04x}", escape_invisible(text))


def _suite(view: ReportView, group: Group) -> ET.Element:
    run = view.run
    counts = {"skipped": "0", **_counts(group.claims)}
    suite = ET.Element("testsuite", {"name": xml_text(group.work.title), **counts})
    if run.started:
        suite.set("timestamp", datetime.fromisoformat(run.started).isoformat(timespec="seconds"))
    facts = [("scope profile", run.profile), ("command", run.command), ("library", run.library), *run.versions]
    _properties(suite, [(name, value) for name, value in facts if value])
    for claim in group.claims:
        suite.append(_case(claim, run.repository))
    return suite


def _case(claim: ClaimResult, repository: Repository) -> ET.Element:
    stated, source = claim.statement, claim.provenance
    case = ET.Element("testcase", {"classname": xml_text(stated.work or "claims"), "name": xml_text(claim.id)})
    case.set("time", f"{source.seconds:.3f}")
    if source.file:
        case.set("file", xml_text(repository.locate(source.file)))
    if source.line:
        case.set("line", str(source.line))
    facts = [
        ("verdict", claim.verdict.value),
        ("scope", scope_phrase(claim.finding.scope)),
        ("cases", str(claim.finding.cases)),
    ]
    facts += [
        ("expected", stated.expected or ""),
        ("title", stated.title),
        ("locator", stated.locator),
    ]
    _properties(case, [(name, value) for name, value in facts if value])
    told = [verdict_text(claim), *explanation(claim)]
    if code := code_of(claim):
        kind = "failure" if code == 1 else "error"
        message = f"{claim.verdict.value}: {reason(claim)}" if reason(claim) else verdict_text(claim)
        if claim.finding.as_expected is False:
            message += f" (its file expects: {stated.expected})"
        found = ET.SubElement(case, kind, {"type": claim.verdict.value, "message": xml_text(message)})
        found.text = xml_text("\n".join([*told, claim.finding.error] if claim.finding.error else told))
    else:
        ET.SubElement(case, "system-out").text = xml_text("\n".join(told))
    return case


def _counts(claims: tuple[ClaimResult, ...]) -> dict[str, str]:
    codes = [code_of(claim) for claim in claims]
    return {
        "tests": str(len(claims)),
        "failures": str(sum(code == 1 for code in codes)),
        "errors": str(sum(code > 1 for code in codes)),
        "time": f"{sum(claim.provenance.seconds for claim in claims):.3f}",
    }


def _properties(element: ET.Element, facts: list[tuple[str, str]]) -> None:
    inside = ET.SubElement(element, "properties")
    for name, value in facts:
        ET.SubElement(inside, "property", {"name": name, "value": xml_text(value)})


# == sarif ============================================================================================================
# report.sarif: the claims that do not hold or are not settled, with their places in the files (SARIF 2.1.0, OASIS).
#
# Claims that hold are not results, as in the report of a linter; `properties` of the run counts them.
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def to_sarif(run: RunResult) -> str:
    """Return report.sarif of a run, in the format SARIF 2.1.0. It lists the claims that fail or are not settled."""
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(make_view(run))]}) + "\n"


def _run(view: ReportView) -> dict[str, Json]:
    run = view.run
    told = [claim for claim in run.claims if level_of(claim) is not SarifLevel.NONE]
    rules: list[Json] = [
        {"id": v.value, "shortDescription": {"text": MEANINGS[v]}} for v in Verdict if any(c.verdict is v for c in told)
    ]
    return {
        "tool": {"driver": {"name": TOOL, "version": escape_invisible(run.version), "rules": rules}},
        "invocations": [_invocation(view)],
        "columnKind": "unicodeCodePoints",
        "results": [_result(claim, run.repository) for claim in told],
        "properties": {
            "claims": len(run.main_claims),
            "variants": len(run.variants),
            **{verdict.value: found for verdict, found in count_verdicts(run.main_claims)},
            "scopeProfile": escape_invisible(run.profile),
            "library": run.library,
            "versions": {escape_invisible(key): escape_invisible(value) for key, value in run.versions},
        },
    }


def _invocation(view: ReportView) -> dict[str, Json]:
    run = view.run
    worked = not run.interrupted and not any(c.verdict is Verdict.INCONSISTENT for c in run.claims)
    found: dict[str, Json] = {"executionSuccessful": worked, "exitCode": view.exit_code}
    if run.command:
        found["commandLine"] = escape_invisible(run.command)
    if run.started:
        found["startTimeUtc"] = f"{datetime.fromisoformat(run.started).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    return found


def _result(claim: ClaimResult, repository: Repository) -> dict[str, Json]:
    return {
        "ruleId": claim.verdict.value,
        "level": level_of(claim).value,
        "message": {"text": _inert(_message(claim))},
        "locations": [_location(claim, repository)],
        "partialFingerprints": {"claim/v1": escape_invisible(claim.id)},
        "properties": {
            "claim": escape_invisible(claim.id),
            "verdict": claim.verdict.value,
            "expected": claim.statement.expected,
            "scope": {
                escape_invisible(key): escape_invisible(value)
                for key, value in limit_texts(claim.finding.scope).items()
            },
        },
    }


def _message(claim: ClaimResult) -> str:
    heading = ": ".join(part for part in (name_of(claim), claim.statement.title) if part)
    said = f"{claim.verdict.value}: {reason(claim)}" if reason(claim) else verdict_text(claim)
    return f"{heading}. {said}" + (f", {expectation(claim)}" if claim.finding.as_expected is False else "")


def _inert(text: str) -> str:
    """Return the text with a space inserted in each `](`, because SARIF viewers show [text](target) as a link."""
    return escape_invisible(text).replace("](", "] (")


def _location(claim: ClaimResult, repository: Repository) -> dict[str, Json]:
    """Return the SARIF location of a claim: its file and line. If the file cannot be read: of its first fault."""
    source = claim.provenance
    file, region = source.file, dict[str, Json]({"startLine": source.line} if source.line else {})
    fault = next(iter(claim.finding.faults), None)
    if fault is not None and fault.line:
        file, region = fault.file, {"startLine": fault.line}
        if fault.column:
            region |= {"startColumn": fault.column, "endColumn": fault.column + max(1, fault.width)}
    found: dict[str, Json] = {"logicalLocations": [{"fullyQualifiedName": escape_invisible(claim.id), "kind": "claim"}]}
    if file:
        place: dict[str, Json] = {"artifactLocation": {"uri": address(repository.locate(file))}}
        found["physicalLocation"] = {**place, "region": region} if region else place
    return found


def address(file: str) -> str:
    """Return a path as a URI: a relative path as a relative reference, an absolute path with `file://`.

    >>> address("claims/nim/a b.toml"), address("/tmp/x.toml")
    ('claims/nim/a%20b.toml', 'file:///tmp/x.toml')
    """
    path = Path(file)
    text = quote(path.as_posix(), safe="/", errors="surrogateescape" if _fits(file) else "backslashreplace")
    return f"file://{'' if text.startswith('/') else '/'}{text}" if path.is_absolute() else text


def _fits(text: str) -> bool:
    """Return whether each surrogate in a text is one by which Python represents a byte of a file name."""
    return all(not "\ud800" <= c <= "\udfff" or "\udc80" <= c <= "\udcff" for c in text)
