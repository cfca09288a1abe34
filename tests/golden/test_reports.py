"""The reports of a run for people and tools, byte for byte."""

import re
from dataclasses import replace
from itertools import combinations

import pytest
from samples import BOUTON, CALM, COMPUTED, EMPTY, LEMMA_11, RUN

from checks.results.model import RunResult
from checks.results.verdicts import Verdict
from reports.ci import to_annotations, to_junit, to_sarif
from reports.html import to_html as to_index
from reports.html import to_plain as to_html
from reports.markdown import to_markdown, to_summary
from reports.model.json_report import to_json
from reports.write import RENDERINGS as FILES


def without_style(run: RunResult) -> str:
    """Return the page without styles and scripts; the tests of the page cover those."""
    page = re.sub(r"<(style|script)>.*?</\1>", r"<\1>...</\1>", to_html(run), flags=re.DOTALL)
    return re.sub(r"'sha256-[^']*'", "'sha256-...'", page)


RENDERINGS = {
    "json": to_json,
    "md": to_markdown,
    "summary.md": to_summary,
    "html": without_style,
    "junit.xml": to_junit,
    "sarif": to_sarif,
    "annotations": to_annotations,
}


@pytest.mark.parametrize("ending", RENDERINGS)
@pytest.mark.parametrize(("name", "run"), [("every", RUN), ("calm", CALM), ("empty", EMPTY)])
def test_report(golden, name, run, ending):
    golden(f"reports/{name}.{ending}", RENDERINGS[ending](run))


def test_every_report_has_a_golden_file():
    assert set(FILES.values()) - {to_index} <= set(RENDERINGS.values())


@pytest.mark.parametrize("ending", RENDERINGS)
def test_a_changed_verdict_is_a_changed_report(ending):
    """The report contains LEMMA_11 with a changed verdict, and nothing else changes."""
    texts = {}
    for verdict in Verdict:
        run = replace(CALM, claims=(BOUTON, replace(LEMMA_11, verdict=verdict), COMPUTED))
        texts[verdict] = RENDERINGS[ending](run)
    quiet = {v for v in Verdict if v.holds and ending == "annotations"}
    for one, other in combinations(Verdict, 2):
        assert (texts[one] == texts[other]) is ({one, other} <= quiet), f"{one.value} reads as {other.value}"
    for verdict, text in texts.items():
        assert verdict.value in text or (ending in ("sarif", "annotations") and verdict.holds)
