"""What a claim comes to at one case: the closed list of judgements."""

from __future__ import annotations

from enum import StrEnum


class Judgement(StrEnum):
    """What is said of one case of a claim. The values stand in receipts."""

    HOLDS = "holds"
    """The hypotheses and the conclusion are true."""

    FAILS = "fails"
    """The hypotheses are true and the conclusion is false."""

    HYPOTHESES_FAIL = "hypotheses fail"
    """The hypotheses are false: the claim says nothing of this case."""

    OUTSIDE = "outside"
    """It is no case: a value lies outside the domain of its variable."""

    ILL_DEFINED = "ill-defined"
    """The claim has no truth value there: a division by zero, an index outside its list, ..."""

    TOO_LARGE = "too large"
    """A truth value may well be there, but is too much to compute."""
