"""The scopes of a claim: the finite box of cases that a check covers, for each profile."""

from __future__ import annotations

from functools import partial
from typing import Any

from claims.language.ground.errors import ClaimError, LanguageError, closest, listed
from claims.language.ground.gathering import Consequence, attempt, is_lost, tell
from claims.language.statement.domains import Interval, PositionRange, Positions, Range, Scope, Variable, constant_range
from claims.language.toml.reader import Table, said
from claims.language.toml.source import Keys, Source

PROFILES = ("quick", "deep")
ASPECTS = ("heaps", "size", "total")
_POSITION = '{ heaps = "0..4", size = "1..10" }'


def needs_scope(variable: Variable) -> bool:
    """Positions and intervals without upper bound: infinitely many values, of which a check covers a box."""
    domain = variable.domain
    return isinstance(domain, Positions) or (isinstance(domain, Interval) and domain.hi is None)


def read_scopes(
    source: Source, table: dict[str, Any], variables: tuple[Variable, ...], quantifier: str
) -> tuple[tuple[str, Scope], ...]:
    """(profile, scope) for each profile; what [scope.deep] leaves out is as in [scope]. Raises ClaimError."""
    deep = table.get("deep", {})
    if not isinstance(deep, dict):
        raise source.fault(("scope", "deep"), f"'deep' is {said(deep)}", "a table [scope.deep]")
    quick = _read_scope(source, ("scope",), {k: v for k, v in table.items() if k != "deep"}, variables)
    for variable in variables:
        if needs_scope(variable) and variable.name not in quick:
            how = _POSITION if isinstance(variable.domain, Positions) else '"1..6"'
            problem = f"{variable.name!r} has infinitely many values, and the scope does not say how far to check"
            keys = ("scope",) if table else (quantifier, variable.name)
            if not is_lost(variable.name) and not is_lost("scope"):
                tell(source.fault(keys, problem, f"in [scope] a line {variable.name} = {how}"))
    return (("quick", quick), ("deep", quick | _read_scope(source, ("scope", "deep"), deep, variables)))


def _read_scope(source: Source, at: Keys, table: dict[str, Any], variables: tuple[Variable, ...]) -> Scope:
    by_name = {v.name: v for v in variables}
    found: Scope = {}
    for name, value in table.items():
        bound = attempt(partial(_read_bound, source, (*at, name), by_name, value), None, name)
        if bound is not None:
            found[name] = bound
    return found


def _read_bound(source: Source, keys: Keys, by_name: dict[str, Variable], value: object) -> Range | PositionRange:
    name = str(keys[-1])
    if name in PROFILES:
        raise source.key_fault(keys, f"[{'.'.join(map(str, keys))}] is no table", "[scope], or [scope.deep] beside it")
    if name not in by_name:
        if is_lost(name):
            raise Consequence(source.place(keys), f"{name!r} is at fault itself")
        near = closest(name, by_name)
        known = f"one of {listed(by_name)}" if by_name else "no scope: the claim has no variables"
        raise source.key_fault(keys, f"the scope names {name!r}, which is no variable of the claim", known, near)
    if isinstance(by_name[name].domain, Positions) and isinstance(value, dict):
        Table(source, keys, value).only(*ASPECTS)
        if not set(value) <= set(ASPECTS):
            raise Consequence(source.place(keys), "a key of it is at fault")
    try:
        return scope_of(by_name[name], value)
    except LanguageError as error:
        raise _fault(source, (*keys, *error.where), error) from None


def _fault(source: Source, keys: Keys, error: LanguageError) -> ClaimError:
    return source.fault(keys, error.message, error.expected)


def scope_of(variable: Variable, value: Any) -> Range | PositionRange:
    """The part of a variable's domain that `value`, as in a file's [scope], covers.

    Raises LanguageError; its `where` is the key inside `value` at fault, or empty.
    """
    if isinstance(variable.domain, Positions):
        return _read_box(variable, value)
    if not isinstance(variable.domain, Interval):
        problem = f"{variable.name!r} needs no scope: every value of its domain is checked"
        raise LanguageError(problem, "a scope for positions and ranges only", 0, 1)
    return _read_integers(value)


def _read_box(variable: Variable, value: Any) -> PositionRange:
    if not isinstance(value, dict):
        raise LanguageError(f"the scope of the position {variable.name!r} is {said(value)}", _POSITION, 0, 1)
    for key in value:
        if key not in ASPECTS:
            raise _point_inside(key, LanguageError(f"unknown key {key!r}", "heaps, size and, if wanted, total", 0, 1))
    for key in ("heaps", "size"):
        if key not in value:
            raise LanguageError(f"the scope of the position {variable.name!r} has no {key!r}", _POSITION, 0, 1)
    parts: dict[str, Range] = {}
    for key, least in (("heaps", 0), ("size", 1), ("total", 0)):
        if key in value:
            try:
                parts[key] = _read_integers(value[key])
            except LanguageError as error:
                raise _point_inside(key, error) from None
            if parts[key].lo < least:
                problem = "a heap has at least one object: empty heaps are gone" if key == "size" else f"{key} below 0"
                raise _point_inside(
                    key, LanguageError(problem, f'{key} = "{least}..{max(least, parts[key].hi)}"', 0, 1)
                )
    return PositionRange(parts["heaps"], parts["size"], parts.get("total"))


def _point_inside(key: str, error: LanguageError) -> LanguageError:
    error.where = (key,)
    return error


def _read_integers(value: Any) -> Range:
    if type(value) is int:
        return Range(value, value)
    if not isinstance(value, str):
        raise LanguageError(f"{said(value)} is no range of integers", '"1..6", or one integer', 0, 1)
    return constant_range(value)
