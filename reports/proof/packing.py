"""The obligations of a page in full: all that differ, compressed into one block that the page unpacks when asked."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from checks.results.model import ClaimResult
from checks.results.proof import Asked
from reports.wording import visible

LONGEST = 20_000  # characters of an obligation that a page shows; longer ones are for the command line


@dataclass(frozen=True)
class Packed:
    """`block`: zlib's format in base64, a JSON list of [HTML, digest]; `places`: (claim, obligation) -> its place."""

    block: str
    places: dict[tuple[str, str], int] = field(default_factory=dict)


def pack(claims: Iterable[ClaimResult]) -> Packed:
    """The obligations of these claims, each text once."""
    entries: dict[tuple[str, str], int] = {}
    places = {}
    for claim in claims:
        digests = {o.name: o.formula for o in claim.finding.obligations}
        for asked in () if claim.presentation.proof is None else claim.presentation.proof.asked:
            if len(asked.text) <= LONGEST:
                entry = show_asked(asked), digests.get(asked.name, "")
                places[claim.id, asked.name] = entries.setdefault(entry, len(entries))
    if not entries:
        return Packed("")
    data = json.dumps(list(entries), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    return Packed(base64.b64encode(zlib.compress(data)).decode(), places)


def show_asked(asked: Asked) -> str:
    """The obligation as HTML: typeset, or as its text."""
    if asked.markup:
        return asked.markup
    return "".join(f"<p><code>{escape(visible(line))}</code></p>" for line in asked.text.split("\n"))
