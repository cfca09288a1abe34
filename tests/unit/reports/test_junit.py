"""junit.xml: valid, inert, and with failures if and only if the exit code is nonzero."""

import io
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import xmlschema
from samples import (
    BARE,
    BETTER,
    BOUTON,
    CALM,
    EMPTY,
    EVERY,
    HIDDEN,
    HOSTILE,
    LEMMA_11,
    N_TEST,
    NASTY,
    RUN,
    UNREADABLE,
    VACUOUS,
    alter,
    huge,
)

from checks.results.verdicts import Verdict, exit_code
from claims.language.errors import escape_invisible
from reports.ci import to_junit

SCHEMAS = Path(__file__).parent / "schemas"


@cache
def extended() -> xmlschema.XMLSchema:
    """Return the schema of Jenkins, with the three additions of this project."""
    text = (SCHEMAS / "junit-10.xsd").read_text("utf-8")
    before, testcase, after = text.partition('<xs:element name="testcase">')
    first = '<xs:element ref="skipped"/>'
    assert first in after
    after = after.replace(first, f'{first}<xs:element ref="properties"/>', 1)
    last = '<xs:attribute name="classname" type="xs:string"/>'
    assert last in after
    more = "".join(f'<xs:attribute name="{name}" type="xs:string"/>' for name in ("file", "line"))
    return xmlschema.XMLSchema(io.StringIO(before + testcase + after.replace(last, last + more, 1)))


def cases(run):
    return {case.get("name"): case for case in ET.fromstring(to_junit(run)).iter("testcase")}


@pytest.mark.parametrize(
    "run", [RUN, CALM, EMPTY, huge(20, 50), replace(RUN, started="2026-11-21T18:00+01:00")], ids=lambda run: run.profile
)
def test_it_follows_the_schema(run):
    extended().validate(to_junit(run))


@pytest.mark.parametrize(("old", "new"), [("testcase", "test"), ("failure", "failed"), (' tests="', ' test="')])
def test_the_schema_refuses(old, new):
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        extended().validate(to_junit(RUN).replace(old, new))


@pytest.mark.parametrize("claim", EVERY)
def test_a_claim_fails_exactly_if_it_makes_the_exit_code_other_than_0(claim):
    (case,) = cases(replace(RUN, claims=(claim,))).values()
    code = exit_code([(claim.verdict, claim.finding.as_expected)])
    assert [e.tag for e in case if e.tag in ("failure", "error", "skipped")] == (
        [] if code == 0 else ["failure"] if code == 1 else ["error"]
    )


@pytest.mark.parametrize(
    ("claim", "tag"),
    [
        (BOUTON, None),
        (N_TEST, None),  # refuted, as its file expects
        (alter(N_TEST, expected=None, as_expected=None), "failure"),
        (alter(N_TEST, expected="holds", as_expected=False), "failure"),
        (BETTER, "failure"),  # holds, but its file expects a refutation
        (VACUOUS, "failure"),
        (UNREADABLE, "error"),
        (BARE, "error"),  # inconclusive
        (replace(BARE, verdict=Verdict.INCONSISTENT), "error"),
    ],
)
def test_what_passes(claim, tag):
    case = cases(replace(RUN, claims=(claim,)))[claim.id]
    assert [e.tag for e in case if e.tag in ("failure", "error", "skipped")] == ([tag] if tag else [])
    facts = {e.get("name"): e.get("value") for e in case.iter("property")}
    assert facts["verdict"] == claim.verdict.value


def test_the_counts_are_those_of_the_cases():
    root = ET.fromstring(to_junit(RUN))
    for element in (root, *root.iter("testsuite")):
        inside = list(element.iter("testcase"))
        assert element.get("tests") == str(len(inside))
        assert element.get("failures") == str(sum(c.find("failure") is not None for c in inside))
        assert element.get("errors") == str(sum(c.find("error") is not None for c in inside))


def test_a_case_names_its_file_and_line_and_scope():
    case = cases(replace(RUN, claims=(alter(LEMMA_11, line=21),)))[LEMMA_11.id]
    assert (case.get("file"), case.get("line")) == ("claims/kl-nim/lemma-11.toml", "21")
    facts = {e.get("name"): e.get("value") for e in case.iter("property")}
    assert facts["scope"] == "k 1..6, l 2..9, s: at most 4 heaps of 1..10"
    assert "verified (k 1..6" in case.findtext("system-out", "")


def test_hostile_text_stays_text():
    hostile = "\ufffe\uffff\x00\x1b[31m]]>" + HIDDEN
    claim = alter(NASTY, title=hostile, file=hostile)
    root = ET.fromstring(to_junit(replace(RUN, claims=(claim,))))
    tame = ET.fromstring(to_junit(replace(RUN, claims=(alter(N_TEST, as_expected=None, error="x"),))))
    assert {e.tag for e in root.iter()} == {e.tag for e in tame.iter()}
    (case,) = root.iter("testcase")
    assert case.get("name") == f"x/{HOSTILE}"
    assert {e.get("name"): e.get("value") for e in case.iter("property")}["title"] == (
        "\\ufffe\\uffff\\u0000\\u001b[31m]]>" + escape_invisible(HIDDEN)
    )
