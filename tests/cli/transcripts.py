"""What a page of the documentation says that a command prints, against what it prints."""

from __future__ import annotations

import re


def timeless(text: str) -> str:
    """The text of a run without its seconds."""
    return re.sub(r"in \d+\.\d s$", "in 0.0 s", text, flags=re.MULTILINE)


def pattern(output: str) -> str:
    """A regular expression for the output: `...` stands for anything."""
    return ".*?".join(map(re.escape, timeless(output).split("...")))
