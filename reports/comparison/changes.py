"""What differs between two reports, claim by claim, outside times, places in files, hints, and who ran it when.

The verdict, the scope, the counterexample and the proof are told in words; whatever else differs is told by its key, so
that two reports without a change say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from checks.results.values import Json
from reports.comparison.reading import Claim, Report
from reports.comparison.worse import find_worse
from reports.ground.wording import value_text

NOT_FINDINGS = frozenset({"id", "seconds", "file", "line", "hints", "cached"})
TOLD = ("verdict", "scope", "counterexample", "obligations", "routes")
NONE = "none"


@dataclass(frozen=True)
class ClaimChange:
    """`what`: verdict, scope, counterexample, proof, route or the key; `old` and `new`: what was, what is, in words."""

    what: str
    old: str
    new: str


@dataclass(frozen=True)
class ChangedClaim:
    """A claim with its changes. `old` and `new`: its verdicts, "" where the report has no such claim.

    `worse`: why it is worse than it was, "" where it is not.
    """

    id: str
    old: str
    new: str
    changes: tuple[ClaimChange, ...] = ()
    worse: str = ""


@dataclass(frozen=True)
class Comparison:
    """`same`: how many claims say the same in both. `unknown`: keys that only one report knows; not compared."""

    claims: tuple[ChangedClaim, ...]
    same: int
    unknown: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether nothing was found to differ."""
        return not self.claims

    @property
    def worse(self) -> tuple[ChangedClaim, ...]:
        """The claims that are worse in the newer report, or gone."""
        return tuple(claim for claim in self.claims if claim.worse)


def compare(old: Report, new: Report, renamed: Mapping[str, str] | None = None) -> Comparison:
    """The claims that differ, in the order of the newer report, then those that are gone.

    `renamed`: old name of a route -> new name.
    """
    unknown = old.keys ^ new.keys if old.claims and new.claims else frozenset[str]()
    found = []
    for id in dict.fromkeys((*new.claims, *old.claims)):
        before, after = old.claims.get(id), new.claims.get(id)
        changes, worse = tuple[ClaimChange, ...](), find_worse(before, after)
        if before is not None and after is not None:
            changes = tuple(_compare(before, after, unknown, renamed or {}))
        if changes or before is None or after is None:
            found.append(ChangedClaim(id, _verdict(before), _verdict(after), changes, worse))
    total = len(old.claims.keys() | new.claims.keys())
    return Comparison(tuple(found), total - len(found), tuple(sorted(unknown - NOT_FINDINGS)))


def _verdict(claim: Claim | None) -> str:
    return "" if claim is None else str(claim["verdict"])


def _compare(old: Claim, new: Claim, unknown: frozenset[str], renamed: Mapping[str, str]) -> Iterator[ClaimChange]:
    keys = [key for key in dict.fromkeys((*TOLD, *old, *new)) if key not in unknown | NOT_FINDINGS]
    for key in keys:
        before, after = old.get(key), new.get(key)
        if key == "routes":
            yield from _compare_named("route", _named(before, "encoder", renamed), _named(after, "encoder", {}))
        elif key == "obligations":
            yield from _compare_named("obligation", _named(before, "name", {}), _named(after, "name", {}))
        elif not _equal(before, after):
            shown = tuple(say_case(x) if key == "counterexample" else say(x) for x in (before, after))
            if shown[0] == shown[1]:  # it is the same in short: something inside it differs
                yield from _compare_values(key, before, after)
            else:
                yield ClaimChange(key, *shown)


def _compare_named(what: str, old: dict[str, Json], new: dict[str, Json]) -> Iterator[ClaimChange]:
    """The parts of a proof, told apart by their names: those that differ, that are gone, that are new."""
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        if before is None or after is None or not _equal(before, after):
            one, other = (NONE if part is None else _say_part(part) for part in (before, after))
            if one == other:
                yield from _compare_values(f"{what} {name}", before, after)
            else:
                yield ClaimChange(f"{what} {name}", one, other)


def _named(parts: Json, key: str, renamed: Mapping[str, str]) -> dict[str, Json]:
    """The parts by name; of two with one name the second has a number."""
    found: dict[str, Json] = {}
    for part in parts if isinstance(parts, list) else ():
        if not isinstance(part, dict):
            continue
        name = str(part.get(key))
        name, number = renamed.get(name, name), 1
        unique = name
        while unique in found:
            number += 1
            unique = f"{name} ({number})"
        found[unique] = {k: v for k, v in part.items() if k not in ("seconds", key)}
    return found


def _say_part(part: Json) -> str:
    """An obligation or a route by its result, and what stands beside it."""
    if not isinstance(part, dict):
        return say(part)
    result = str(part.get("result", part.get("answer", "")))
    return f"{result}, {part['detail']}" if part.get("detail") else result


def _compare_values(key: str, old: Json, new: Json) -> Iterator[ClaimChange]:
    """The differences inside two values, by the way that leads to them."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*old, *new)):
            if name != "seconds" and not _equal(old.get(name), new.get(name)):
                yield from _compare_values(f"{key}.{name}", old.get(name), new.get(name))
    else:
        yield ClaimChange(key, say(old), say(new))


def _equal(old: Json, new: Json) -> bool:
    """Equal as JSON: 1 is not true, and the order of keys says nothing; `seconds` is not looked at."""
    if isinstance(old, dict) and isinstance(new, dict):
        names = (old.keys() | new.keys()) - {"seconds"}
        return all(name in old and name in new and _equal(old[name], new[name]) for name in names)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(_equal(x, y) for x, y in zip(old, new, strict=True))
    return type(old) is type(new) and old == new


def say_case(found: Json) -> str:
    """A counterexample by its values.

    >>> say_case({"variables": {"k": 3, "s": [2, 2, 4]}}), say_case(None)
    ('k = 3, s = (2, 2, 4)', 'none')
    """
    variables = found.get("variables") if isinstance(found, dict) else None
    if not isinstance(variables, dict):
        return say(found)
    return ", ".join(f"{name} = {_say_value(value)}" for name, value in variables.items()) or "without variables"


def _say_value(value: Json) -> str:
    return value_text(_tuples(value), "()") if isinstance(value, list) else say(value)


def _tuples(value: Json) -> tuple[int | str, ...]:
    return tuple(x if isinstance(x, int | str) else say(x) for x in value) if isinstance(value, list) else ()


def say(value: Json) -> str:
    """A value of a report in words: a scope as `k 1..6, s.heaps 0..4`.

    >>> say({"k": "1..6"}), say(None), say(["a", "b"]), say(True)
    ('k 1..6', 'none', 'a, b', 'true')
    """
    if value is None or value in ("", [], {}):
        return NONE
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return ", ".join(f"{name} {say(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return ", ".join(say(inner) for inner in value)
    return str(value)
