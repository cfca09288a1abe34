"""index.html: one self-contained page of a run. It loads nothing, works without scripts, and every value is escaped.

What the page says is decided in digest and wording; how it looks, in templates/.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from checks.results.model import RunResult
from checks.results.phrases import mutants_phrase, period_phrase, scope_phrase, survivors
from checks.results.verdicts import EXIT_CODES, Verdict
from reports import legend, wording
from reports.digest import digest, is_green, outline, standing

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
SCRIPT = "filter.js"

CONCLUSIONS = EXIT_CODES | {0: "every claim holds as far as its verdict says, or came out as its file expects"}


def to_html(run: RunResult) -> str:
    """index.html of a run: the whole page, in one file."""
    return environment().get_template("page.html").render(view=digest(run), run=run) + "\n"


def environment() -> Environment:
    """The templates with the words of the reports; escaping is on for everything, undefined names are errors."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals |= {"Verdict": Verdict, "words": wording, "legend": legend, "outline": outline, "is_green": is_green}
    env.globals |= {
        "scope_phrase": scope_phrase,
        "mutants_phrase": mutants_phrase,
        "survivors": survivors,
        "standing": standing,
        "period_phrase": period_phrase,
        "conclusions": CONCLUSIONS,
        "script_hash": script_hash(),
        "quantifiers": QUANTIFIERS,
    }
    env.filters |= {"thin": thin, "paragraphs": paragraphs, "anchor": wording.anchor}
    return env


QUANTIFIERS = {"forall": "for all", "exists": "there exist"}


def script_hash() -> str:
    """What the page's content security policy allows: the one script of ours, by its hash, and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()


def _script() -> str:
    return (TEMPLATES / SCRIPT).read_text("utf-8").rstrip("\n")  # as jinja includes it: without the last newline


def thin(text: str) -> str:
    r"""Digits in threes held together by narrow spaces that do not break; the text has no markup yet.

    >>> thin("812 340 cases") == "812\u202f340 cases"
    True
    """
    return re.sub(r"(?<=\d) (?=\d{3}(?!\d))", "\u202f", text)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, which empty lines separate."""
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]


def _visible(value: object) -> object:
    from markupsafe import Markup

    return wording.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
