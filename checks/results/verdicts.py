"""The verdicts: the closed list, their order, and the exit code of a run.

No other module compares verdicts as strings, ranks them, or decides which verdicts fail.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """The verdicts, from best to worst."""

    PROVED = "proved"
    """The claim holds for every case of its domains. Either all obligations of a named proof rule were proved, or the
    claim is a finite computation that was carried out completely."""

    VERIFIED = "verified"
    """There is no counterexample in the scope. The scope is always printed next to the verdict. Cases beyond the scope
    are open."""

    REFUTED = "refuted"
    """There is a counterexample: the smallest one in the scope, replayed by the referee. A claim that something exists
    is refuted if its domain is finite and a complete search of the domain found nothing."""

    VACUOUS = "vacuous"
    """No case of the scope meets the hypotheses, so nothing was checked. This counts as a failure: the run ends with
    exit code 1 or a higher one."""

    INCONCLUSIVE = "inconclusive"
    """The run reached a limit on time or memory, or a limitation of the method; or it was interrupted. The report shows
    how far the run got."""

    ERROR = "error"
    """The claim cannot be read, typed or evaluated; or it has no value at some case. The report names
    this case."""

    INCONSISTENT = "inconsistent"
    """Two routes disagree, or the referee cannot reproduce an answer: an error of this program. This is the worst
    verdict."""

    @property
    def rank(self) -> int:
        """Return 0 for the best verdict, larger numbers for worse ones."""
        return list(Verdict).index(self)

    @property
    def holds(self) -> bool | None:
        """True if the claim is proved or verified, False if it is refuted, and None for every other verdict."""
        if self in (Verdict.PROVED, Verdict.VERIFIED):
            return True
        return False if self is Verdict.REFUTED else None


OPEN = (Verdict.VERIFIED, Verdict.INCONCLUSIVE)
"""The verdicts after which a proof or a counterexample may still be found."""

EXIT_CODES = {
    0: "every claim is proved or verified, or has the verdict that its file expects",
    1: "a verdict is not the expected one; without `expect`, the claim must hold",
    2: "wrong usage, a claim that cannot be read or evaluated, or a report that cannot be written",
    3: "a claim is inconclusive: a limit was reached, or the run was interrupted",
    4: "inconsistent: two routes disagree, or an internal error; please report it",
}


EXPECTED = {
    "holds": frozenset({Verdict.PROVED, Verdict.VERIFIED}),
    "proved": frozenset({Verdict.PROVED}),
    "refuted": frozenset({Verdict.REFUTED}),
}
"""The verdicts that agree with each value of `expect` in a claim file."""


def matches_expectation(verdict: Verdict, expected: str | None) -> bool | None:
    """Return whether the verdict is the one that the file expects; None if the file has no `expect`."""
    return verdict in EXPECTED[expected] if expected else None


def exit_code(verdicts: Iterable[tuple[Verdict, bool | None]]) -> int:
    """Return the exit code of a run from pairs (verdict, whether it is as expected).

    The second value is None if the file does not expect a verdict.
    >>> exit_code([(Verdict.VERIFIED, None), (Verdict.REFUTED, True)])
    0
    >>> exit_code([(Verdict.REFUTED, None), (Verdict.INCONCLUSIVE, None)])
    3
    """
    code = 0
    for verdict, expected in verdicts:
        code = max(code, _code(verdict, expected))
    return code


def passes(verdict: Verdict, expected: bool | None) -> bool:
    """Return whether a run of this claim alone has exit code 0: the claim holds, or is refuted as expected."""
    return _code(verdict, expected) == 0


def _code(verdict: Verdict, expected: bool | None) -> int:
    match verdict:
        case Verdict.INCONSISTENT:
            return 4
        case Verdict.INCONCLUSIVE:
            return 3
        case Verdict.ERROR:
            return 2
        case Verdict.VACUOUS:
            return 1
        case _:
            return 1 if expected is False or (verdict is Verdict.REFUTED and expected is None) else 0
