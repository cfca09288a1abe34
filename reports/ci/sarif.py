"""report.sarif: what does not hold or is not settled, each with its place in the claim's file (SARIF 2.1.0, OASIS).

Claims that hold are no results, as in any report of a linter; `properties` of the run counts them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from checks.results.model import ClaimResult, Repository, RunResult
from checks.results.phrases import limit_texts
from checks.results.values import Json
from checks.results.verdicts import Verdict
from reports.ci.level import SarifLevel, level_of
from reports.ground.digest import ReportView, count_verdicts, make_view
from reports.ground.json_report import dump
from reports.ground.wording import MEANINGS, TOOL, expectation, name, reason, verdict_text, visible

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def to_sarif(run: RunResult) -> str:
    """report.sarif of a run."""
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(make_view(run))]}) + "\n"


def _run(view: ReportView) -> dict[str, Json]:
    run = view.run
    told = [claim for claim in run.claims if level_of(claim) is not SarifLevel.NONE]
    rules: list[Json] = [
        {"id": v.value, "shortDescription": {"text": MEANINGS[v]}} for v in Verdict if any(c.verdict is v for c in told)
    ]
    return {
        "tool": {"driver": {"name": TOOL, "version": visible(run.version), "rules": rules}},
        "invocations": [_invocation(view)],
        "columnKind": "unicodeCodePoints",
        "results": [_result(claim, run.repository) for claim in told],
        "properties": {
            "claims": len(run.stated),
            "variants": len(run.variants),
            **{verdict.value: found for verdict, found in count_verdicts(run.stated)},
            "scopeProfile": visible(run.profile),
            "library": run.library,
            "versions": {visible(key): visible(value) for key, value in run.versions},
        },
    }


def _invocation(view: ReportView) -> dict[str, Json]:
    run = view.run
    worked = not run.interrupted and not any(c.verdict is Verdict.INCONSISTENT for c in run.claims)
    found: dict[str, Json] = {"executionSuccessful": worked, "exitCode": view.exit_code}
    if run.command:
        found["commandLine"] = visible(run.command)
    if run.started:
        found["startTimeUtc"] = f"{datetime.fromisoformat(run.started).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    return found


def _result(claim: ClaimResult, repository: Repository) -> dict[str, Json]:
    return {
        "ruleId": claim.verdict.value,
        "level": level_of(claim).value,
        "message": {"text": _inert(_message(claim))},
        "locations": [_location(claim, repository)],
        "partialFingerprints": {"claim/v1": visible(claim.id)},
        "properties": {
            "claim": visible(claim.id),
            "verdict": claim.verdict.value,
            "expected": claim.statement.expected,
            "scope": {visible(key): visible(value) for key, value in limit_texts(claim.finding.scope).items()},
        },
    }


def _message(claim: ClaimResult) -> str:
    heading = ": ".join(part for part in (name(claim), claim.statement.title) if part)
    said = f"{claim.verdict.value}: {reason(claim)}" if reason(claim) else verdict_text(claim)
    return f"{heading}. {said}" + (f", {expectation(claim)}" if claim.finding.as_expected is False else "")


def _inert(text: str) -> str:
    """The text without what readers of SARIF take for a link, [text](target)."""
    return visible(text).replace("](", "] (")


def _location(claim: ClaimResult, repository: Repository) -> dict[str, Json]:
    """Where the claim stands; of a file that cannot be read, where its first fault is."""
    source = claim.provenance
    file, region = source.file, dict[str, Json]({"startLine": source.line} if source.line else {})
    fault = next(iter(claim.finding.faults), None)
    if fault is not None and fault.line:
        file, region = fault.file, {"startLine": fault.line}
        if fault.column:
            region |= {"startColumn": fault.column, "endColumn": fault.column + max(1, fault.width)}
    found: dict[str, Json] = {"logicalLocations": [{"fullyQualifiedName": visible(claim.id), "kind": "claim"}]}
    if file:
        place: dict[str, Json] = {"artifactLocation": {"uri": address(repository.locate(file))}}
        found["physicalLocation"] = {**place, "region": region} if region else place
    return found


def address(file: str) -> str:
    """The file as a URI: relative, as the claim has it, or absolute.

    >>> address("claims/nim/a b.toml"), address("/tmp/x.toml")
    ('claims/nim/a%20b.toml', 'file:///tmp/x.toml')
    """
    path = Path(file)
    text = quote(path.as_posix(), safe="/", errors="surrogateescape" if _fits(file) else "backslashreplace")
    return f"file://{'' if text.startswith('/') else '/'}{text}" if path.is_absolute() else text


def _fits(text: str) -> bool:
    """Whether its lone surrogates are those that stand for bytes of a file's name."""
    return all(not "\ud800" <= c <= "\udfff" or "\udc80" <= c <= "\udcff" for c in text)
