"""The options of a run, and scopes: the cases that a result covers, and the cases that it does not cover."""

from __future__ import annotations

import re
from dataclasses import dataclass

from claims.language.errors import LanguageError, NimChecksError
from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.files.domains import scope_of
from encoders.logic.answer import CaseValue
from encoders.solvers.effort import USUAL, Effort
from encoders.trust import All, Below, Classes, Coverage, Limits

Overrides = tuple[tuple[str, str], ...]  # ("k", "1..20"), ("s.heaps", "0..5")


class BadOverride(NimChecksError):
    """The error for an invalid option `--set`: it cannot be parsed, or does not fit the scope of a claim."""


@dataclass(frozen=True)
class Options:
    """The options with which a run settles its claims.

    `profile`: the name of the scope, quick or deep.
    `overrides`: the options `--set`, as pairs (name, range).
    `budget`: CPU seconds for each claim; None for no limit.
    `routes`: the routes to use; () for the usual routes.
    `mutants`: whether to test mutants of the claims that hold. The mutants of one claim together have a second budget
    of the same size.
    `effort`: the limits for each obligation of a proof.
    """

    profile: str = "quick"
    overrides: Overrides = ()
    budget: float | None = 60.0
    routes: tuple[str, ...] = ()
    mutants: bool = False
    effort: Effort = USUAL


def read_override(text: str) -> tuple[str, str]:
    """Return the name and the range of an override, such as "k=1..20" or "s.heaps=0..5".

    Raises BadOverride if the text cannot be read.

    >>> read_override("s.heaps=0..5")
    ('s.heaps', '0..5')
    """
    match = re.fullmatch(r"\s*([^\W\d]\w*(?:\.[^\W\d]\w*(?:\.(?:length|each))?)?)\s*=\s*(\S.*)", text)
    if not match:
        raise BadOverride(
            f"cannot read {text!r}; expected a bound such as k=1..20, s.heaps=0..5, s.size=1..12 or s.total=0..30"
        )
    try:
        d.constant_range(match[2])
    except LanguageError as error:
        raise BadOverride(f"cannot read {text!r}: {error.message}; expected {error.expected}") from None
    return match[1], match[2].strip()


def scope_for(claim: Claim, profile: str, overrides: Overrides) -> d.Scope:
    """Return the scope of a claim in a profile, changed by the overrides for its variables.

    Raises BadOverride if an override is not valid for its variable.
    """
    scope = claim.scope(profile)
    by_name = {v.name: v for v in claim.variables}
    for name, value in overrides:
        variable, _, aspect = name.partition(".")
        if variable not in by_name:
            continue
        try:
            if aspect:
                old = scope.get(variable)
                if old is None or isinstance(old, d.Range):
                    raise BadOverride(
                        f"{name} is a bound for positions and lists, but {variable} of {claim.id} is neither a "
                        "position nor a list with a scope"
                    )
                scope[variable] = scope_of(by_name[variable], _override(old, aspect, value))
            else:
                scope[variable] = scope_of(by_name[variable], value)
        except LanguageError as error:
            raise BadOverride(f"{name}={value} for {claim.id}: {error.message}; expected {error.expected}") from None
    return scope


def _override(bound: d.PositionRange | d.ListRange, aspect: str, value: str) -> dict[str, object]:
    """Return the scope of a position or a list in the form of a claim file, with one bound replaced or added."""
    found: dict[str, object] = {}
    for name, limits in (*((x, str(y)) for x, y in bound.aspects), (aspect, value)):
        part, _, which = name.partition(".")
        inside = found.get(part)
        found[part] = {**(inside if isinstance(inside, dict) else {}), which: limits} if which else limits
    return found


def find_concerned(claim: Claim, overrides: Overrides) -> set[str]:
    """Return the names of the overrides that are for a variable of the claim."""
    names = {v.name for v in claim.variables}
    return {name for name, _ in overrides if name.partition(".")[0] in names}


def limits_of(claim: Claim, scope: d.Scope) -> Limits:
    """Return pairs (name, values that a search of the scope covers).

    A name is a variable, or one of the numbers that bound a position, such as s.heaps.
    """
    found: list[tuple[str, Coverage]] = []
    for v in claim.variables:
        bound = scope.get(v.name)
        if isinstance(bound, d.PositionRange):
            found += [(f"{v.name}.{aspect}", limits) for aspect, limits in bound.aspects]
        elif isinstance(bound, d.ListRange):
            assert isinstance(v.domain, d.Lists)
            each = All() if _covers(v.domain, bound.each) else bound.each
            found += [(f"{v.name}.length", bound.length), (f"{v.name}.each", each)]
        elif isinstance(bound, d.Range) and isinstance(v.domain, d.IntervalDomain) and not _covers(v.domain, bound):
            found.append((v.name, d.cut_range(v.domain, bound)))
        elif isinstance(v.domain, d.Graphs | d.Trees) and v.domain.classes:
            found.append((v.name, Classes()))
        else:
            found.append((v.name, All()))
    return tuple(found)


def describe_beyond(proved: Limits) -> str:
    """Return a text about the values that a proof does not cover because of its bounds, or "" if it has no bounds."""
    found: dict[int, list[str]] = {}
    for name, coverage in proved:
        if isinstance(coverage, Below):
            variable, _, aspect = name.partition(".")
            found.setdefault(coverage.bits, []).append(f"heaps of {variable}" if aspect else variable)
    return "; ".join(f"{' or '.join(names)} of 2^{bits} and more" for bits, names in found.items())


def _covers(domain: d.IntervalDomain | d.Lists, bound: d.Range) -> bool:
    lo, hi = d.read_literal(domain.lo), d.read_literal(domain.hi)
    return lo is not None and hi is not None and bound.lo <= lo and hi <= bound.hi


def describe_rest(claim: Claim, scope: d.Scope) -> str:
    """Return a text about the cases that a search of the scope does not cover, or "" if it covers all cases."""
    parts: list[str] = []
    several = sum(isinstance(b, d.PositionRange) for b in scope.values()) > 1
    for v in claim.variables:
        bound = scope.get(v.name)
        of = f" of {v.name}" if several else ""
        if isinstance(bound, d.PositionRange):
            if bound.heaps.lo > 0:
                parts.append(f"fewer than {bound.heaps.lo} heap{'s' * (bound.heaps.lo > 1)}{of}")
            parts.append(f"more than {bound.heaps.hi} heap{'s' * (bound.heaps.hi != 1)}{of}")
            if bound.parts:
                parts += [f"{aspect}{of} outside {limits}" for aspect, limits in bound.aspects[1:]]
                continue
            if bound.size.lo > 1:
                parts.append(f"heaps{of} below {bound.size.lo}")
            parts.append(f"heaps{of} above {bound.size.hi}")
            if bound.total is not None:
                parts.append(f"totals{of} outside {bound.total}")
        elif isinstance(bound, d.ListRange) and isinstance(v.domain, d.Lists):
            parts.append(f"{v.name} of a length outside {bound.length}")
            if not _covers(v.domain, bound.each):
                parts.append(f"numbers in {v.name} outside {bound.each}")
        elif isinstance(bound, d.Range) and isinstance(v.domain, d.IntervalDomain) and not _covers(v.domain, bound):
            lo, hi = d.read_literal(v.domain.lo), d.read_literal(v.domain.hi)
            if lo is not None and lo < bound.lo:
                parts.append(f"{v.name} below {bound.lo}")
            if hi is None or bound.hi < hi:
                parts.append(f"{v.name} above {bound.hi}")
        elif isinstance(v.domain, d.Graphs | d.Trees) and v.domain.classes:
            kind = "tree" if isinstance(v.domain, d.Trees) else "graph"
            parts.append(f"{v.name} other than the first {kind} of each isomorphism class")
    return "; ".join(parts)


def write_options(scope: d.Scope, other: d.Scope) -> str:
    """Return the `--set` options that turn `scope` into `other`."""
    changed = []
    for name, bound in other.items():
        old = scope.get(name)
        if bound == old:
            continue
        if not isinstance(bound, d.Range):
            assert isinstance(old, d.PositionRange | d.ListRange)
            before = dict(old.aspects)
            changed += [f"--set {name}.{key}={new}" for key, new in bound.aspects if new != before.get(key)]
        else:
            changed.append(f"--set {name}={bound}")
    return " ".join(changed)


def lies_within(value: CaseValue, bound: d.Bound | None) -> bool:
    """Return whether a value of a variable is in the scope of the variable; True if the variable has no scope."""
    if isinstance(bound, d.Range):
        return isinstance(value, int) and bound.lo <= value <= bound.hi
    if isinstance(bound, d.ListRange):
        return bound.admits(value)
    return bound is None or (isinstance(value, tuple) and bound.contains(value))
