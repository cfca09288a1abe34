"""Comparison of the output that a page of the documentation shows with the output of the command."""

from __future__ import annotations

import re


def timeless(text: str) -> str:
    """Return the text of a run without its seconds."""
    return re.sub(r"in \d+\.\d s$", "in 0.0 s", text, flags=re.MULTILINE)


def pattern(output: str) -> str:
    """Return a regular expression for the output; `...` stands for any text."""
    return ".*?".join(map(re.escape, timeless(output).split("...")))
