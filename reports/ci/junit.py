"""junit.xml: a test suite for each work, a test case for each claim.

A claim that makes the exit code 1 is a failure; one that makes it larger (unreadable, inconclusive, inconsistent) is an
error; nothing is ever "skipped", which most readers of the format show green.  A refutation that the claim's file
expects passes, and its properties say that it is one.
"""

from __future__ import annotations

import re
from datetime import datetime
from xml.etree import ElementTree as ET

from checks.results.model import ClaimResult, Repository, RunResult
from checks.results.phrases import scope_phrase
from reports.ci.level import code_of
from reports.ground.digest import Group, ReportView, make_view
from reports.ground.wording import TOOL, explanation, headline, reason, verdict_text, visible

_NO_CHARACTER = re.compile("[\ufffe\uffff]")  # what XML forbids besides the characters that `visible` spells out


def to_junit(run: RunResult) -> str:
    """junit.xml of a run."""
    view = make_view(run)
    root = ET.Element("testsuites", {"name": xml_text(f"{TOOL}: {headline(run)}"), **_counts(run.claims)})
    for group in view.groups:
        root.append(_suite(view, group))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def xml_text(text: str) -> str:
    r"""The text without what no XML document may contain.

    >>> xml_text("a\x00b\uffff")
    'a\\u0000b\\uffff'
    """
    return _NO_CHARACTER.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))


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
