"""report.sarif: valid, with the position of each claim that fails, and inert."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from samples import BARE, BETTER, BOUTON, CALM, EMPTY, EVERY, LEMMA_11, N_TEST, NASTY, RUN, VACUOUS, alter, huge

from checks.results.verdicts import Verdict, exit_code
from reports.ci import address, to_sarif

SCHEMAS = Path(__file__).parent / "schemas"
PART = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "sarif-2.1.0-part.json").read_text("utf-8")))
WHOLE = SCHEMAS / "sarif-schema-2.1.0.json"


def results(*claims):
    return json.loads(to_sarif(replace(RUN, claims=claims)))["runs"][0]["results"]


@pytest.mark.parametrize(
    "run",
    [RUN, CALM, EMPTY, huge(20, 50), replace(RUN, started="2026-11-21T18:00+01:00")],
)
def test_it_follows_the_schema(run):
    data = json.loads(to_sarif(run))
    PART.validate(data)
    if WHOLE.exists():
        schema = json.loads(WHOLE.read_text("utf-8"))
        jsonschema.validators.validator_for(schema)(schema).validate(data)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda log: log.update(version="2.0.0"),
        lambda log: log["runs"][0].pop("tool"),
        lambda log: log["runs"][0]["results"][0].pop("message"),
        lambda log: log["runs"][0]["results"][0].update(level="loud"),
        lambda log: log["runs"][0]["results"][0].update(line=3),
        lambda log: log["runs"][0]["invocations"][0].update(startTimeUtc="today"),
    ],
)
def test_the_schema_refuses(spoil):
    log = json.loads(to_sarif(RUN))
    spoil(log)
    assert not PART.is_valid(log)


@pytest.mark.parametrize("claim", EVERY)
def test_what_makes_the_exit_code_other_than_0_is_an_error_or_a_warning(claim):
    loud = [r for r in results(claim) if r["level"] in ("error", "warning")]
    assert bool(loud) is bool(exit_code([(claim.verdict, claim.finding.as_expected)]))


@pytest.mark.parametrize(
    ("claim", "level"),
    [
        (BOUTON, None),
        (LEMMA_11, None),
        (N_TEST, "note"),  # refuted, as its file expects
        (alter(N_TEST, as_expected=None), "error"),
        (BETTER, "error"),
        (VACUOUS, "error"),
        (BARE, "warning"),
        (replace(BARE, verdict=Verdict.ERROR), "error"),
        (replace(BARE, verdict=Verdict.INCONSISTENT), "error"),
    ],
)
def test_how_loud_a_claim_is(claim, level):
    found = results(claim)
    assert [r["level"] for r in found] == ([level] if level else [])
    assert [r["ruleId"] for r in found] == ([claim.verdict.value] if level else [])


def test_a_result_has_its_place():
    (found,) = results(alter(N_TEST, line=17))
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "claims/kl-nim/n-position-test.toml"
    assert place["region"] == {"startLine": 17}
    (found,) = results(N_TEST)
    assert "region" not in found["locations"][0]["physicalLocation"]


def test_each_rule_that_a_result_names_is_there():
    (run,) = json.loads(to_sarif(RUN))["runs"]
    assert {r["ruleId"] for r in run["results"]} == {r["id"] for r in run["tool"]["driver"]["rules"]}


def test_the_time_is_in_utc():
    (run,) = json.loads(to_sarif(replace(CALM, started="2026-11-21T18:00+01:00")))["runs"]
    assert run["invocations"][0]["startTimeUtc"] == "2026-11-21T17:00:00Z"


@pytest.mark.parametrize(("changes", "worked"), [({}, True), ({"interrupted": True}, False)])
def test_an_interrupted_run_did_not_succeed(changes, worked):
    (run,) = json.loads(to_sarif(replace(CALM, **changes)))["runs"]
    assert run["invocations"][0]["executionSuccessful"] is worked


def test_hostile_text_makes_no_link():
    text = to_sarif(replace(RUN, claims=(NASTY,)))
    (found,) = results(NASTY)
    assert "[a] (javascript:b)" in found["message"]["text"]
    assert "](" not in found["message"]["text"]
    PART.validate(json.loads(text))
    assert "\x07" not in text


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a b/ü.toml", "a%20b/%C3%BC.toml"),
        ("/x/a:b.toml", "file:///x/a%3Ab.toml"),
        ("caf\udce9.toml", "caf%E9.toml"),
        ("\ud800.toml", "%5Cud800.toml"),
        ("javascript:x.toml", "javascript%3Ax.toml"),
    ],
)
def test_an_address_is_a_reference(file, uri):
    assert address(file) == uri
