"""Whether a claim came out worse than in an older report: what `--fail-on worse` fails on.

Worse is whatever an older run had and this one has not: a claim in order that is not, a verdict further from *proved*,
a smaller scope, a proof that takes more on trust, a claim that is gone.  A claim that is not in order, as it was not
before, is no worse: but a counterexample that was not there is news.
"""

from __future__ import annotations

from checks.results.verdicts import Verdict
from reports.comparison.reading import Claim, count_of, is_ordered


def find_worse(old: Claim | None, new: Claim | None) -> str:
    """Why a claim is worse than it was, in words; "" where it is not. None: the report has no such claim.

    >>> proved, verified = ({"verdict": word, "as_expected": None, "cases": 9} for word in ("proved", "verified"))
    >>> find_worse(proved, verified), find_worse(verified, proved), find_worse(proved, None)
    ('verified is less than proved', '', 'gone')
    """
    if new is None:
        return "gone"
    verdict, ordered = Verdict(new["verdict"]), is_ordered(new)
    if old is None:
        return "" if ordered else "new, and not in order"
    before, was_ordered = Verdict(old["verdict"]), is_ordered(old)
    if was_ordered and not ordered:
        return "no longer in order"
    if ordered and not was_ordered:
        return ""
    if verdict.rank > before.rank:
        return f"{verdict.value} is less than {before.value}"
    if verdict is not before:
        return "a counterexample that was not known" if verdict is Verdict.REFUTED and not ordered else ""
    return _find_less(old, new, verdict)


def _find_less(old: Claim, new: Claim, verdict: Verdict) -> str:
    """Of two of the same verdict: whether the newer looked at fewer cases, or its proof takes more on trust."""
    if verdict is Verdict.VERIFIED and old.get("scope") != new.get("scope"):
        cases, were = count_of(new.get("cases")), count_of(old.get("cases"))
        return f"{cases} cases where there were {were}" if cases < were else ""
    trusts, trusted = _count_trusted(new), _count_trusted(old)
    return f"its proof trusts solvers with {trusts} obligations, before with {trusted}" if trusts > trusted else ""


def _count_trusted(claim: Claim) -> int:
    rests = claim.get("rests_on")
    trusted = rests.get("trusted") if isinstance(rests, dict) else None
    return len(trusted) if isinstance(trusted, list) else 0
