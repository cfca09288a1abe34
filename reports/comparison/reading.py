"""A report.json read again, of this version or an older one: its claims by id."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from checks.results.values import Json
from checks.results.verdicts import Verdict, passes
from claims.language.ground.errors import NimChecksError
from reports.ground.json_report import FORMAT

Claim = dict[str, Json]
WORDS = {verdict.value for verdict in Verdict}


class NotAReport(NimChecksError):
    """The text is no report.json; the message says what is wrong."""


@dataclass(frozen=True)
class Report:
    """`profile`: quick, deep. `keys`: all that some claim of the report has."""

    profile: str
    claims: dict[str, Claim]
    keys: frozenset[str]


def load_report(path: Path) -> Report:
    """The report that a file has. Raises NotAReport, which names the file."""
    if path.is_dir():
        raise NotAReport(f"{path}: this is a folder; expected a file, such as {path / 'report.json'}")
    try:
        return read_report(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, NotAReport) as error:
        raise NotAReport(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def read_report(text: str) -> Report:
    """The report. Raises NotAReport.

    >>> read_report('{"format": 1, "claims": [{"id": "a", "verdict": "proved"}]}').claims["a"]["verdict"]
    'proved'
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAReport(f"not JSON: {error}") from None
    claims = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(claims, list):
        raise NotAReport("not a report: expected an object with a list of claims")
    if data.get("format") != FORMAT:
        raise NotAReport(f"format {data.get('format')!r} is not known; expected {FORMAT}")
    by_id: dict[str, Claim] = {}
    for claim in claims:
        id = claim.get("id") if isinstance(claim, dict) else None
        if not isinstance(id, str) or id in by_id:
            raise NotAReport(f"not a report: a claim with the id {id!r}; expected claims with different ids")
        if claim.get("verdict") not in WORDS:
            raise NotAReport(f"not a report: {id} has the verdict {claim.get('verdict')!r}")
        by_id[id] = claim
    keys = frozenset(key for claim in by_id.values() for key in claim)
    return Report(str(data.get("scope_profile", "")), by_id, keys)


def is_ordered(claim: Claim) -> bool:
    """Whether a run of this claim alone would have ended in 0."""
    expected = claim.get("as_expected")
    return passes(Verdict(claim["verdict"]), expected if isinstance(expected, bool) else None)


def count_of(value: Json) -> int:
    """A number of a report, which is text beyond 2^53; 0 for what is none.

    >>> count_of("18014398509481984"), count_of(True), count_of(None)
    (18014398509481984, 0, 0)
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 1000 else 0
