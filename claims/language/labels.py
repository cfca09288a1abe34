"""Short labels: what a claim is called where there is no room for its locator, as in a map of an argument."""

from __future__ import annotations

import re

from claims.language.toml.reader import Table

LONGEST = 28  # characters of a label


def read_label(top: Table, locator: str) -> str:
    """The claim's `short`, or the label made from its locator. Raises ClaimError for one that is too long."""
    if "short" not in top.data:
        return make_label(locator)
    label = " ".join(top.text("short").split())
    if len(label) > LONGEST:
        raise top.fault("short", f"'short' has {len(label)} characters", f'at most {LONGEST}, such as "Lemma 11"')
    return label


def make_label(locator: str) -> str:
    """A locator made short: by what stands first in it, and at last by cutting.

    >>> make_label("Lemma 11"), make_label("Proof of Theorem 2, case (B)")
    ('Lemma 11', 'Theorem 2, case (B)')
    >>> make_label("Mathematical theory, which move to make"), make_label("An unusually long remark on the theorem")
    ('Which move to make', 'An unusually long remark on…')
    """
    text = re.sub(r"^Proof of ([^,]+,)", r"\1", " ".join(locator.split()))
    while len(text) > LONGEST and ", " in text:
        text = text.partition(", ")[2]
        text = text[:1].upper() + text[1:]
    if len(text) <= LONGEST:
        return text
    kept = text[: LONGEST - 1]
    return (kept.rpartition(" ")[0] if text[LONGEST - 1] != " " and " " in kept else kept).rstrip(" ,") + "…"
