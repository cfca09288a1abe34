"""A page with only boards and pictures, under the security policy of the real page."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from playwright.sync_api import Page

from checks.results.model import ClaimResult
from reports.html import BOARD_SCRIPTS, TEMPLATES, environment_of_works, read_script

Open = Callable[..., Page]
STYLES = ("style.css", "claim.css", "pictures.css", "board.css")
TEXT = """{% import "pictures.html" as p with context %}{% import "board.html" as b with context %}
{% import "claim.html" as c with context %}<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Boards</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'HASH'">
<meta name="viewport" content="width=device-width, initial-scale=1"><style>STYLE</style></head><body><main>
<h1>Boards</h1><h2>All</h2><h3>Of them</h3>{% for claim in claims %}
<section class="claim {{ claim.verdict.value }}" id="{{ claim.id | anchor }}" aria-label="{{ claim.id }}">
<h4>{{ claim.id }}</h4>
{% if claim.presentation.drawn is not none %}{{ c.positions(claim.presentation.drawn) }}{% endif %}
{{ b.board(claim) }}{{ p.pictures(claim) }}</section>{% endfor %}</main><script>SCRIPT</script></body></html>"""


def write_boards(path: Path, claims: Iterable[ClaimResult]) -> Path:
    """Write the page of these claims."""
    script = read_script(BOARD_SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    style = "\n".join((TEMPLATES / name).read_text("utf-8") for name in STYLES)
    page = environment_of_works().from_string(TEXT).render(claims=[*claims])
    path.write_text(page.replace("HASH", f"sha256-{digest}").replace("STYLE", style).replace("SCRIPT", script), "utf-8")
    return path
