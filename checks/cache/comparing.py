"""What a result says otherwise than another of the same claim, but for the time that it took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

from checks.results.model import ClaimResult
from checks.results.verdicts import Verdict, matches_expectation

APART = (
    "seconds",
    "seen",
    "cached",
    "sequent",
    "of_kind",
    "cause",
)  # fields that may differ between two runs that found the same
FEW = 5  # differences that are told
LONG = 200  # characters of a value that are told


def list_differences(kept: object, found: object, where: str = "") -> Iterator[tuple[str, object, object]]:
    """(place, value in one, value in the other) of all that differs."""
    if type(kept) is not type(found):
        yield where, kept, found
    elif is_dataclass(kept) and not isinstance(kept, type):
        for field in fields(kept):
            if field.name not in APART:
                name = f"{where}.{field.name}" if where else field.name
                yield from list_differences(getattr(kept, field.name), getattr(found, field.name), name)
    elif isinstance(kept, tuple) and isinstance(found, tuple) and len(kept) == len(found):
        for number, (x, y) in enumerate(zip(kept, found, strict=True)):
            yield from list_differences(x, y, f"{where}[{number}]")
    elif kept != found:
        yield where, kept, found


def contradict(kept: ClaimResult, found: ClaimResult) -> ClaimResult:
    """The result that was found, if the one that was kept says the same; else an inconsistent one that tells both."""
    told = []
    for where, one, other in list_differences(kept, found):
        told.append(f"  {where}: {_show(one)} in the cache, {_show(other)} now")
        if len(told) == FEW:
            break
    if not told:
        return found
    error = "\n".join(("the cache holds another result than this run comes to; please report it:", *told))
    evidence = None if found.finding.evidence is None else replace(found.finding.evidence, differs=True)
    finding = replace(
        found.finding,
        as_expected=matches_expectation(Verdict.INCONSISTENT, found.statement.expected),
        error=error,
        not_established=f"anything: {error.splitlines()[0]}",
        evidence=evidence,
    )
    provenance = replace(found.provenance, certificate="", seen=())
    return replace(found, verdict=Verdict.INCONSISTENT, finding=finding, provenance=provenance)


def _show(value: object) -> str:
    text = value.value if isinstance(value, Verdict) else repr(value)
    return text if len(text) <= LONG else f"{text[:LONG]}..."
