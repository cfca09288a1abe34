"""index.html: one self-contained page of a run. It loads nothing, works without scripts, and every value is escaped."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.results import RunResult, Work
from checks.verdicts import EXIT_CODES, Verdict
from reports import wording
from reports.digest import count_verdicts, digest, is_green, outline
from reports.markdown import anchor

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"


def to_html(run: RunResult) -> str:
    """index.html of a run: the whole page, in one file."""
    page = environment().get_template("page.html")
    return page.render(view=digest(run), run=run, script_hash=_script_hash(), verdicts=list(Verdict)) + "\n"
