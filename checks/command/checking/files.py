"""Each file of a folder of claims, looked at: all its faults at once, in the order of its lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from checks.command.checking.claims import inspect, list_definitions, note
from checks.command.checking.reading import list_faults
from checks.judgement.faults import Exhausted, guard, within_budget
from checks.results.circles import find_rings
from checks.results.faults import Fault, FaultKind, deduplicate, fault_of, make_fault
from claims.language.ground.errors import ClaimError, SourceLocation, describe_circle
from claims.language.library.entries import Entry
from claims.language.statement.claim import Claim
from claims.language.toml.source import display_path
from encoders.proving.reading import find_faults, load_claim

BUDGET = 10.0  # seconds of CPU time for a file


def check_all(
    entries: Sequence[Entry], others: Iterable[Path], notes: bool = False, budget: float | None = BUDGET
) -> list[Fault]:
    """The faults of the claims, then those of other files; `notes`: and what is only worth a look.

    `budget`: seconds of CPU time for each file, None for no limit.
    """
    found = [*check_claims(entries, notes, budget)]
    for path in others:
        found += _within(budget, path, str(path), partial(_list_other, path))
    return list(deduplicate(found))


def _list_other(path: Path) -> list[Fault]:
    return [fault_of(error) for error in list_faults(path)]


def _within(budget: float | None, path: Path, name: str, work: Callable[[], list[Fault]]) -> list[Fault]:
    """The faults that `work` finds; where time or memory runs out, one that says so."""
    try:
        return within_budget(budget, lambda: guard(f"while checking {name}", work))
    except Exhausted as limit:
        return [make_fault(FaultKind.NOT_CHECKED, SourceLocation(display_path(path)), f"not checked: {limit}")]


def check_claims(entries: Sequence[Entry], notes: bool = False, budget: float | None = BUDGET) -> Iterator[Fault]:
    """The faults of claims and their variants, file by file; then circles among those that can be read.

    Nothing is settled, nothing is raised but InternalFault. `budget`: as in `check_all`.
    """
    known = {entry.id for entry in entries}
    found, claims = list[Fault](), dict[str, Claim]()
    for entry in entries:
        found += _within(budget, entry.path, entry.id, partial(_check, entry, known, claims, notes))
    yield from deduplicate(found)
    for ring in find_rings({id: claim.uses for id, claim in claims.items()}):
        claim = claims[ring[0]]
        number = next(i for i, name in enumerate(claim.uses) if name == ring[1 % len(ring)])
        yield make_fault(FaultKind.CIRCULAR_USES, claim.source.place(("uses", number)), describe_circle(ring))


def _check(entry: Entry, known: set[str], claims: dict[str, Claim], notes: bool) -> list[Fault]:
    """The faults of one claim. One that can be read is put among the `claims`."""
    try:
        claim = load_claim(entry.path, entry.id)
    except ClaimError:
        return [fault_of(error) for error in find_faults(entry.path, entry.id)]
    claims[entry.id] = claim
    found = [*inspect(claim, entry, known.__contains__)]
    if not claim.variant:
        found += list_definitions(claim, entry.path)
    return [*sorted(found, key=lambda x: (x.line, x.column)), *(note(claim, entry) if notes else ())]
