"""What a person or a tool reads of a run, byte for byte."""

import pytest
from samples import CALM, EMPTY, RUN

from reports.html import to_html
from reports.json_report import to_json
from reports.markdown import to_markdown

RENDERINGS = {"json": to_json, "md": to_markdown, "html": to_html}


@pytest.mark.parametrize("ending", RENDERINGS)
@pytest.mark.parametrize(("name", "run"), [("every", RUN), ("calm", CALM), ("empty", EMPTY)])
def test_report(golden, name, run, ending):
    golden(f"reports/{name}.{ending}", RENDERINGS[ending](run))
