"""What a person or a tool reads of a run, byte for byte."""

import re
from dataclasses import replace

import pytest
from samples import BOUTON, CALM, COMPUTED, EMPTY, LEMMA_11, RUN

from checks.results.model import RunResult
from checks.results.verdicts import Verdict
from reports.ci.annotations import to_annotations
from reports.ci.junit import to_junit
from reports.ci.sarif import to_sarif
from reports.html import to_html
from reports.json_report import to_json
from reports.markdown.summary import to_summary
from reports.markdown.whole import to_markdown
from reports.write import RENDERINGS as FILES


def without_style(run: RunResult) -> str:
    """The page without what only makes it look and behave as it does; tests of the page look at those."""
    return re.sub(r"(<style>|<script>|'sha256-).*?(</style>|</script>|')", r"\1...\2", to_html(run), flags=re.DOTALL)


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
    assert set(FILES.values()) <= set(RENDERINGS.values())


@pytest.mark.parametrize("ending", RENDERINGS)
@pytest.mark.parametrize("verdict", Verdict)
def test_a_changed_verdict_is_a_changed_report(verdict, ending):
    """LEMMA_11, in truth verified, in the midst of a run in which nothing else changes."""

    def render(found):
        changed = replace(LEMMA_11, verdict=found)
        return RENDERINGS[ending](replace(CALM, claims=(BOUTON, changed, COMPUTED)))

    quiet = {Verdict.PROVED, Verdict.VERIFIED} if ending == "annotations" else set()
    for other in set(Verdict) - {verdict}:
        same = render(verdict) == render(other)
        assert same is (verdict in quiet and other in quiet), f"{verdict.value} reads as {other.value}"
    loud = verdict.value in render(verdict)
    assert loud or (ending in ("sarif", "annotations") and verdict.holds), "the word itself stands there"
