"""Whether the output is in colour."""

from __future__ import annotations

import os


def wants_colour() -> bool | None:
    """What NO_COLOR (no-color.org) and FORCE_COLOR say; None where they say nothing, and the terminal decides."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None
