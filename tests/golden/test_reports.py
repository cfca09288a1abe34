"""What a person or a tool reads of a run, byte for byte."""

import re

import pytest
from samples import CALM, EMPTY, RUN

from checks.results.model import RunResult
from reports.html import to_html
from reports.json_report import to_json
from reports.markdown import to_markdown


def without_style(run: RunResult) -> str:
    """The page without what only makes it look and behave as it does; tests of the page look at those."""
    return re.sub(r"(<style>|<script>|'sha256-).*?(</style>|</script>|')", r"\1...\2", to_html(run), flags=re.DOTALL)


RENDERINGS = {"json": to_json, "md": to_markdown, "html": without_style}


@pytest.mark.parametrize("ending", RENDERINGS)
@pytest.mark.parametrize(("name", "run"), [("every", RUN), ("calm", CALM), ("empty", EMPTY)])
def test_report(golden, name, run, ending):
    golden(f"reports/{name}.{ending}", RENDERINGS[ending](run))
