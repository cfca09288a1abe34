"""report.json: its keys, its numbers, and the places of times."""

import json
import re
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import BIG, BOUTON, CALM, EMPTY, LEMMA_11, N_TEST, RUN, alter, huge

from checks.results.shown import encode
from checks.results.verdicts import Verdict
from encoders.logic.answer import Obligation, ObligationStatus
from encoders.logic.certificates import Certificate
from reports.html import to_html
from reports.markdown import to_markdown
from reports.model.json_report import dump, make_report_schema, model, to_json

SCHEMA = make_report_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_that_is_shipped_is_made_from_the_record(golden):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    golden("../../reports/report.schema.json", dump(SCHEMA) + "\n")


@pytest.mark.parametrize("run", [RUN, EMPTY, CALM, huge(20, 50)], ids=["every", "empty", "calm", "huge"])
def test_reports_follow_the_schema(run):
    VALIDATOR.validate(json.loads(to_json(run)))


def test_the_schema_knows_every_verdict():
    words = [v.value for v in Verdict]
    assert SCHEMA["properties"]["summary"]["required"] == words
    assert SCHEMA["properties"]["claims"]["items"]["properties"]["verdict"]["enum"] == words


@pytest.mark.parametrize(
    "spoil",
    [
        lambda report: report.update(format=2),
        lambda report: report.update(more=1),
        lambda report: report["summary"].pop("vacuous"),
        lambda report: report["claims"][0].pop("seconds"),
        lambda report: report["claims"][0].update(cases=2**53 + 1),
        lambda report: report["claims"][0].update(cases="12"),
        lambda report: report["claims"][0].update(verdict="true"),
        lambda report: report["claims"][0].update(witness={"x": None}),
    ],
)
def test_the_schema_refuses(spoil):
    report = json.loads(to_json(RUN))
    spoil(report)
    assert not VALIDATOR.is_valid(report)


def test_what_a_proof_rests_on_is_said():
    shown = Obligation(
        "reply", ObligationStatus.PROVED, solvers=("certificate",), certificate=Certificate(0, (), False, (), 0)
    )
    trusted = Obligation("product", ObligationStatus.PROVED, solvers=("Z3", "cvc5"))
    claim = alter(BOUTON, obligations=(shown, trusted), certificate="certificates/nim/bouton.json")
    report = json.loads(to_json(replace(RUN, claims=(claim, LEMMA_11))))
    assert report["claims"][0]["rests_on"] == {
        "certificate": "certificates/nim/bouton.json",
        "certified": 1,
        "trusted": [{"obligation": "product", "solvers": ["Z3", "cvc5"]}],
    }
    assert report["claims"][1]["rests_on"] is None
    assert report["obligations"] == {"certified": 1, "proved": 2}
    VALIDATOR.validate(report)
    page = to_html(replace(RUN, claims=(claim,)))
    assert '<a href="certificates/nim/bouton.json">' in page
    assert '<a href="certificates/check.py">' in page
    assert "1 of 2 conditions" in page
    assert "trusted to Z3 and cvc5: product" in page


def test_integers_beyond_what_a_double_carries_are_strings():
    claim = json.loads(to_json(replace(RUN, claims=(BIG,))))["claims"][0]
    assert claim["cases"] == "9007199254740993"
    assert claim["counterexample"]["variables"] == {
        "m": "9007199254740993",
        "least": "-9007199254740993",
        "exact": 9007199254740992,
        "A": [1, 3],
        "rows": [[1, 2], []],
        "odd": True,
    }


@given(st.integers())
def test_an_integer_survives_a_reader_that_knows_only_doubles(value):
    read = json.loads(json.dumps(encode(value)), parse_int=lambda digits: int(float(digits)))
    assert int(read) == value


def test_a_value_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="of type float"):
        encode(0.5)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
DATA = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("seconds"), inner))


@settings(max_examples=settings().max_examples // 4, deadline=None)
@given(DATA)
@pytest.mark.slow
def test_the_layout_does_not_change_the_data(data):
    assert json.loads(dump(data)) == data


def slower(run):
    """Return the same findings on another day, reused from an earlier run."""
    claims = tuple(
        alter(
            c,
            seconds=c.provenance.seconds + 7.5,
            cached=not c.provenance.cached,
            routes=tuple(replace(r, seconds=r.seconds * 2 + 1 / 3) for r in c.finding.routes),
        )
        for c in run.claims
    )
    return replace(run, claims=claims, seconds=run.seconds + 99, started="2031-01-01T00:00+00:00")


def test_grep_makes_two_reports_comparable():
    timed = re.compile('"(seconds|started|cached)"')
    one, other = ([line for line in to_json(run).splitlines() if not timed.search(line)] for run in (RUN, slower(RUN)))
    assert one == other
    assert any(LEMMA_11.id in line for line in one)


def test_the_markdown_has_times_in_its_last_section_alone():
    (one, first), (other, last) = (to_markdown(run).split("## The run") for run in (RUN, slower(RUN)))
    assert one == other
    assert first != last


@pytest.mark.parametrize(("replayed", "smallest"), [(True, True), (True, False), (False, True), (False, False)])
def test_what_is_known_of_a_counterexample_is_said(replayed: bool, smallest: bool) -> None:
    assert N_TEST.finding.counterexample is not None
    found = replace(N_TEST.finding.counterexample, replayed=replayed, smallest=smallest)
    (claim,) = model(replace(RUN, claims=(alter(N_TEST, counterexample=found),)))["claims"]
    assert (claim["counterexample"]["replayed"], claim["counterexample"]["smallest"]) == (replayed, smallest)
