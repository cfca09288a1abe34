"""What the obligations of a proof by cases are called."""

from __future__ import annotations

from encoders.rules.cases.section import Case

COVER = "cases cover"


def within(case: Case, name: str) -> str:
    """What an obligation of the case's proof is called in that of the whole claim."""
    return f"{case.text}: {name}"
