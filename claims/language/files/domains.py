"""Domains of variables ("1..", "position", "0..k-1") and the finite scopes that a run checks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from claims.language.errors import (
    ANYTHING,
    ClaimError,
    FollowOnFault,
    LanguageError,
    attempt,
    find_closest,
    is_unreadable,
    join_words,
    report_fault,
)
from claims.language.files.toml import Keys, SourceFile, TomlTable, format_value
from claims.language.syntax.terms import Literal, Operation, Term, Type


# == domains ==========================================================================================================
# The domain of a variable ("1..", "position", "0..k-1"), and the finite part of it that a check covers ("1..6").
@dataclass(frozen=True)
class IntervalDomain:
    """The integers x with lo <= x <= hi. If `hi` is None, there is no upper bound.

    The bounds may use variables that the file declares earlier.
    """

    lo: Term
    hi: Term | None


@dataclass(frozen=True)
class Positions:
    """All positions of the claim's games: finite multisets of heaps.

    `parts`: the name of each part of a heap, and whether the part is a list; () if heaps are positive numbers.
    """

    parts: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True)
class Players:
    """All players of the ruleset, in the order of the ruleset."""

    count: int


@dataclass(frozen=True)
class ListedDomain:
    """Listed values: integers, or positions as ascending tuples of heap sizes."""

    values: tuple[int, ...] | tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ElementsOf:
    """The distinct elements of a collection, such as the heap sizes of s.

    The collection may use variables declared above.
    """

    source: Term


@dataclass(frozen=True)
class Subsets:
    """All sets of integers from lo..hi, in the order {}, {lo}, {lo + 1}, {lo, lo + 1}, {lo + 2}, and so on."""

    lo: int
    hi: int


@dataclass(frozen=True)
class Lists:
    """All finite lists of integers x with lo <= x <= hi. If `hi` is None, there is no upper bound.

    The bounds may use variables declared above.
    """

    lo: Term
    hi: Term | None


@dataclass(frozen=True)
class Permutations:
    """All lists that contain each integer of lo..hi once, in lexicographic order.

    The bounds may use variables declared above.
    """

    lo: Term
    hi: Term


@dataclass(frozen=True)
class Graphs:
    """All graphs with the vertices lo..hi: ascending lists of edges (a, b) with a < b, each at most once.

    The bounds may use variables declared above. If lo > hi, the only graph has no vertices.

    `connected`: whether the domain contains only the connected graphs, which have at least one vertex.
    `classes`: whether the domain contains only the first graph of each isomorphism class. The order is that of
    counterexamples: fewer edges first, then a smaller sum of the vertices of all edges, then edge by edge.
    """

    lo: Term
    hi: Term
    connected: bool
    classes: bool


@dataclass(frozen=True)
class Trees:
    """All rooted trees with the vertices lo..hi and the root lo, in which each vertex is above its parent.

    A tree is the list of the parents of lo + 1, lo + 2, ..., hi. The bounds may use variables declared above. If lo >
    hi, there is no tree.

    `classes`: whether the domain contains only the first tree of each isomorphism class: the tree with the smallest sum
    of its parents, and of several, the lexicographically smallest.
    """

    lo: Term
    hi: Term
    classes: bool


Domain = (
    IntervalDomain | Positions | Players | ListedDomain | ElementsOf | Subsets | Lists | Permutations | Graphs | Trees
)


def list_bounds(domain: Domain) -> tuple[Term, ...]:
    """Return the terms in a domain: its bounds, or the collection of `ElementsOf`; () for other domains."""
    match domain:
        case IntervalDomain(lo=lo, hi=hi) | Lists(lo=lo, hi=hi):
            return (lo,) if hi is None else (lo, hi)
        case Permutations(lo=lo, hi=hi) | Graphs(lo=lo, hi=hi) | Trees(lo=lo, hi=hi):
            return (lo, hi)
        case ElementsOf(source=source):
            return (source,)
    return ()


@dataclass(frozen=True)
class ClaimVariable:
    """A quantified variable of a claim; `text` is its domain in the file."""

    name: str
    type: Type
    domain: Domain
    text: str


@dataclass(frozen=True)
class Range:
    """The integers lo..hi, both included."""

    lo: int
    hi: int

    def __str__(self) -> str:
        return f"{self.lo}..{self.hi}"


@dataclass(frozen=True)
class ListRange:
    """The lists whose length is in `length`, and whose elements are all in `each`."""

    length: Range
    each: Range

    @property
    def aspects(self) -> tuple[tuple[str, Range], ...]:
        """Pairs of a key in [scope] and its range: "length" and `length`, "each" and `each`."""
        return ("length", self.length), ("each", self.each)

    def limit_aspects(self, most: Mapping[str, int]) -> ListRange:
        """Return the bounds with other upper ends. `most`: maps keys as in `aspects` to these ends."""
        return ListRange(*(Range(bound.lo, most.get(key, bound.hi)) for key, bound in self.aspects))

    def admits(self, value: object) -> bool:
        """Whether `value` is one of these lists, as a tuple of integers."""
        if not isinstance(value, tuple) or not self.length.lo <= len(value) <= self.length.hi:
            return False
        return all(isinstance(x, int) and self.each.lo <= x <= self.each.hi for x in value)


@dataclass(frozen=True)
class PositionRange:
    """The positions within bounds on the number of heaps, on each heap size, and on the sum of heap sizes (`total`).

    `total`: None if the sum has no bounds.
    `parts`: the name and the bounds of each part, if heaps have parts; otherwise (). With parts, `size` is 0..hi, where
    hi is an upper bound for the sum of the absolute values of all numbers in a heap.
    """

    heaps: Range
    size: Range
    total: Range | None = None
    parts: tuple[tuple[str, Range | ListRange], ...] = ()

    def admits(self, heap: object) -> bool:
        """Whether `heap` is a heap with parts, and each part is within its bounds."""

        def lies(x: object, bound: Range) -> bool:
            return isinstance(x, int) and bound.lo <= x <= bound.hi

        if not isinstance(heap, tuple) or len(heap) != len(self.parts):
            return False
        return all(
            lies(value, bound) if isinstance(bound, Range) else bound.admits(value)
            for value, (_, bound) in zip(heap, self.parts, strict=True)
        )

    def contains(self, position: tuple[object, ...]) -> bool:
        """Whether a position, as a tuple of heaps, is within the bounds."""
        if not self.heaps.lo <= len(position) <= self.heaps.hi:
            return False
        if self.parts:
            return all(map(self.admits, position))
        heaps = [h for h in position if isinstance(h, int)]
        within = self.total is None or self.total.lo <= sum(heaps) <= self.total.hi
        return within and all(self.size.lo <= h <= self.size.hi for h in heaps)

    def limit_aspects(self, most: Mapping[str, int]) -> PositionRange:
        """Return the bounds with other upper ends. `most`: maps keys as in `aspects` to these ends."""

        def limit(key: str, bound: Range) -> Range:
            return Range(bound.lo, most.get(key, bound.hi))

        if not self.parts:
            total = None if self.total is None else limit("total", self.total)
            return PositionRange(limit("heaps", self.heaps), limit("size", self.size), total)
        parts = tuple(
            (name, limit(name, x))
            if isinstance(x, Range)
            else (name, ListRange(limit(f"{name}.length", x.length), limit(f"{name}.each", x.each)))
            for name, x in self.parts
        )
        return replace(self, heaps=limit("heaps", self.heaps), parts=parts)

    @property
    def aspects(self) -> tuple[tuple[str, Range], ...]:
        """Pairs of a key in [scope] and its range.

        The keys are `heaps`, `size` and `total`. If heaps have parts, they are `heaps`, the name of each part that is a
        number, and `c.length` and `c.each` for each part c that is a list.
        """
        if not self.parts:
            total = () if self.total is None else (("total", self.total),)
            return ("heaps", self.heaps), ("size", self.size), *total
        found = [("heaps", self.heaps)]
        for name, bound in self.parts:
            if isinstance(bound, ListRange):
                found += [(f"{name}.length", bound.length), (f"{name}.each", bound.each)]
            else:
                found.append((name, bound))
        return tuple(found)


Bound = Range | ListRange | PositionRange
Scope = dict[str, Bound]


def cut_range(domain: IntervalDomain, bound: Range) -> Range:
    """Return the intersection of `bound` with the domain, ignoring bounds of the domain that are not literal integers.

    If the intersection is empty, return `bound` unchanged.
    """
    lo, hi = read_literal(domain.lo), read_literal(domain.hi)
    low = bound.lo if lo is None else max(lo, bound.lo)
    high = bound.hi if hi is None else min(hi, bound.hi)
    return Range(low, high) if low <= high else bound


def read_literal(term: Term | None) -> int | None:
    """Return the integer if the term is an integer in digits, such as 3 or -3; None for any other term and for None."""
    match term:
        case Literal(value=value):
            return value
        case Operation(op="neg", args=(Literal(value=value),)):
            return -value
    return None


def split_range(text: str) -> tuple[str, str] | None:
    """Split a text at the first ".." that is not inside brackets. Return None if there is no such "..".

    >>> split_range("0..max(k, l)-1"), split_range("1.."), split_range("S")
    (('0', 'max(k, l)-1'), ('1', ''), None)
    """
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and text.startswith("..", at):
            return text[:at].strip(), text[at + 2 :].strip()
    return None


def constant_range(text: str) -> Range:
    """Return the range that "a..b" or "a" means, for integers a <= b in digits. Raises LanguageError for another text.

    >>> constant_range("1..6"), constant_range("-3")
    (Range(lo=1, hi=6), Range(lo=-3, hi=-3))
    """
    match = re.fullmatch(r"\s*([-+]?[0-9]{1,40})\s*(?:\.\.\s*([-+]?[0-9]{1,40}))?\s*", text)
    if not match:
        if re.fullmatch(r"\s*[-+]?[0-9]+\s*\.\.\s*", text):
            expected = 'a range with both bounds, such as "1..6"'
            raise LanguageError(f"{text!r} has no upper bound", expected, 0, len(text))
        raise LanguageError(f"{text!r} is not a range of integers", _RANGE, 0, len(text))
    lo, hi = int(match[1]), int(match[2] or match[1])
    if lo > hi:
        raise LanguageError(f"{text!r} is empty", "the smaller bound first", 0, len(text))
    return Range(lo, hi)


def _suggest_domain(text: str) -> str:
    """Return the end of a message that states what to write instead of a scope such as "a..8"; "" for other texts.

    >>> _suggest_domain("a..8")
    '; write the domain "a.." in [forall] or [exists], and here "0..8"'
    >>> _suggest_domain("1..k")
    '; write the domain "1..k" in [forall] or [exists], which needs no scope'
    """
    lo, hi = split_range(text) or ("", "")
    if not lo or not re.search(r"[^\W\d]", text):
        return ""
    if re.search(r"[^\W\d]", hi):
        return f'; write the domain "{lo}..{hi}" in [forall] or [exists], which needs no scope'
    return f'; write the domain "{lo}.." in [forall] or [exists], and here "0..{hi or 8}"'


# == scopes ===========================================================================================================
# The scopes of a claim: the finite set of cases that a check covers, for each profile.
PROFILES = ("quick", "deep")
ASPECTS = ("heaps", "size", "total")
MOST_LENGTH = 62  # length of a list in a scope
_POSITION = '{ heaps = "0..4", size = "1..10" }'
_RANGE = 'a range such as "1..6", or one integer'
_NUMBER, _LIST = '"0..6"', '{ length = "0..4", each = "0..6" }'


def needs_scope(variable: ClaimVariable) -> bool:
    """Return whether the domain of a variable is infinite: positions, lists, or integers without an upper bound."""
    domain = variable.domain
    return isinstance(domain, Positions | Lists) or (isinstance(domain, IntervalDomain) and domain.hi is None)


def read_scopes(
    source: SourceFile, table: dict[str, Any], variables: tuple[ClaimVariable, ...], quantifier: str
) -> tuple[tuple[str, Scope], ...]:
    """Return the pairs ("quick", scope) and ("deep", scope) that the table [scope] describes. Raises ClaimError.

    A scope maps the name of a variable to the bounds of its values.

    The table [scope.deep] may omit a variable; its bounds are then the same as for "quick".

    `quantifier`: "forall" or "exists", the table of the file that declares the variables.
    """
    deep = table.get("deep", {})
    if not isinstance(deep, dict):
        raise source.fault(("scope", "deep"), f"'deep' is {format_value(deep)}", "a table [scope.deep]")
    quick = _read_scope(source, ("scope",), {k: v for k, v in table.items() if k != "deep"}, variables)
    for variable in variables:
        if needs_scope(variable) and variable.name not in quick:
            how = _say_scope(variable)
            problem = f"{variable.name!r} has infinitely many values, and the scope does not bound them"
            keys = ("scope",) if table else (quantifier, variable.name)
            if not is_unreadable(variable.name) and not is_unreadable("scope"):
                report_fault(source.fault(keys, problem, f"a line such as {variable.name} = {how} in [scope]"))
    return (("quick", quick), ("deep", quick | _read_scope(source, ("scope", "deep"), deep, variables)))


def _say_scope(variable: ClaimVariable) -> str:
    """Return an example of a value for this variable in [scope], as TOML."""
    if isinstance(variable.domain, Lists):
        return _LIST
    if not isinstance(variable.domain, Positions):
        return '"1..6"'
    parts = [f"{name} = {_LIST if is_list else _NUMBER}" for name, is_list in variable.domain.parts]
    return f'{{ heaps = "1..2", {", ".join(parts)} }}' if parts else _POSITION


def _read_scope(source: SourceFile, at: Keys, table: dict[str, Any], variables: tuple[ClaimVariable, ...]) -> Scope:
    by_name = {v.name: v for v in variables}
    found: Scope = {}
    for name, value in table.items():
        bound = attempt(partial(_read_bound, source, (*at, name), by_name, value), None, name)
        if bound is not None:
            found[name] = bound
    return found


def _read_bound(source: SourceFile, keys: Keys, by_name: dict[str, ClaimVariable], value: object) -> Bound:
    name = str(keys[-1])
    if name in PROFILES:
        raise source.key_fault(
            keys, f"unknown table [{'.'.join(map(str, keys))}]", "[scope], and optionally [scope.deep]"
        )
    if name not in by_name:
        if is_unreadable(name):
            raise FollowOnFault(source.place(keys), f"{name!r} is invalid itself")
        near = find_closest(name, by_name)
        known = f"one of {join_words(by_name)}" if by_name else "no line, because the claim has no variables"
        raise source.key_fault(keys, f"the scope names {name!r}, which is not a variable of the claim", known, near)
    domain = by_name[name].domain
    if isinstance(domain, Positions) and isinstance(value, dict):
        if is_unreadable(ANYTHING):
            raise FollowOnFault(source.place(keys), "the parts of heaps are unknown")
        aspects = ("heaps", *(part for part, _ in domain.parts)) if domain.parts else ASPECTS
        TomlTable(source, keys, value).reject_unknown_keys(*aspects)
        if not set(value) <= set(aspects):
            raise FollowOnFault(source.place(keys), "a key of this table is invalid")
    try:
        return scope_of(by_name[name], value)
    except LanguageError as error:
        raise _fault(source, (*keys, *error.where), error) from None


def _fault(source: SourceFile, keys: Keys, error: LanguageError) -> ClaimError:
    return source.fault(keys, error.message, error.expected)


def scope_of(variable: ClaimVariable, value: Any) -> Bound:
    """Return the bounds that a [scope] gives to this variable by the TOML value `value`.

    Raises LanguageError. Its `where` is the path to the invalid key inside `value`; () if the whole value is invalid.
    """
    if isinstance(variable.domain, Positions):
        return _read_box(variable, value)
    if isinstance(variable.domain, Lists):
        return _read_list_scope(variable, value)
    if not isinstance(variable.domain, IntervalDomain):
        problem = f"{variable.name!r} does not need a scope, because every value of its domain is checked"
        raise LanguageError(problem, "only positions, lists, and integers with a domain such as 1.. in [scope]", 0, 1)
    try:
        return _read_integers(value)
    except LanguageError as error:
        error.expected += _suggest_domain(value) if isinstance(value, str) else ""
        raise


def _read_box(variable: ClaimVariable, value: Any) -> PositionRange:
    assert isinstance(variable.domain, Positions)
    if variable.domain.parts:
        return _read_parts(variable, variable.domain.parts, value)
    if not isinstance(value, dict):
        raise LanguageError(
            f"the scope of the position {variable.name!r} is {format_value(value)}",
            f"a table such as {_POSITION}",
            0,
            1,
        )
    for key in value:
        if key not in ASPECTS:
            raise _point_inside(
                key, LanguageError(f"unknown key {key!r}", "the keys heaps, size and optionally total", 0, 1)
            )
    for key in ("heaps", "size"):
        if key not in value:
            raise LanguageError(
                f"the scope of the position {variable.name!r} has no key {key!r}", f"a table such as {_POSITION}", 0, 1
            )
    parts: dict[str, Range] = {}
    for key, least in (("heaps", 0), ("size", 1), ("total", 0)):
        if key in value:
            try:
                parts[key] = _read_integers(value[key])
            except LanguageError as error:
                raise _point_inside(key, error) from None
            if parts[key].lo < least:
                below = "sizes below 1, but a heap has at least one object" if key == "size" else "numbers below 0"
                problem = f"{key!r} contains {below}"
                raise _point_inside(
                    key, LanguageError(problem, f'{key} = "{least}..{max(least, parts[key].hi)}"', 0, 1)
                )
    return PositionRange(parts["heaps"], parts["size"], parts.get("total"))


def _read_parts(variable: ClaimVariable, parts: tuple[tuple[str, bool], ...], value: object) -> PositionRange:
    """Return the bounds for positions whose heaps have parts: the number of heaps, by default 1, and each part.

    `parts`: the name of each part, and whether it is a list. `value`: the TOML value in [scope].
    """
    if not isinstance(value, dict):
        problem = f"the scope of the position {variable.name!r} is {format_value(value)}"
        raise LanguageError(problem, f"a table such as {_say_scope(variable)}", 0, 1)
    for key in value:
        if key != "heaps" and key not in dict(parts):
            known = join_words(["heaps", *dict(parts)])
            raise _point_inside(
                key, LanguageError(f"unknown key {key!r}", f"one of {known}; the heaps of this game have parts", 0, 1)
            )
    heaps = _read_inside("heaps", value.get("heaps", 1))
    if heaps.lo < 0:
        raise _point_inside(
            "heaps", LanguageError("'heaps' contains numbers below 0", f'heaps = "0..{max(0, heaps.hi)}"', 0, 1)
        )
    found: list[tuple[str, Range | ListRange]] = []
    for name, is_list in parts:
        if name not in value:
            expected = f"a key such as {name} = {_LIST if is_list else _NUMBER}"
            raise LanguageError(f"the scope of the position {variable.name!r} has no key {name!r}", expected, 0, 1)
        found.append((name, _read_list(name, value[name]) if is_list else _read_inside(name, value[name])))
    return PositionRange(heaps, Range(0, sum(_find_most(bound) for _, bound in found)), None, tuple(found))


def _read_list_scope(variable: ClaimVariable, value: object) -> ListRange:
    """Return the bounds for a variable that is a list.

    If the value in [scope] omits `each`, the bounds of the domain are used. They must then be integers in digits.
    """
    assert isinstance(variable.domain, Lists)
    lo, hi = read_literal(variable.domain.lo), read_literal(variable.domain.hi)
    if isinstance(value, dict) and set(value) == {"length"} and lo is not None and hi is not None and lo <= hi:
        value = {**value, "each": f"{lo}..{hi}"}
    try:
        return _read_list(variable.name, value)
    except LanguageError as error:
        error.where = error.where[1:]
        raise


_LIST_KEYS = {
    "length": 'a key such as length = "0..4": how many numbers the list contains',
    "each": 'a key such as each = "0..6": the range of the numbers in the list',
}


def _read_list(name: str, value: object) -> ListRange:
    if not isinstance(value, dict):
        raise _point_inside(
            name,
            LanguageError(
                f"{format_value(value)} does not give the bounds of a list", f"bounds such as {name} = {_LIST}", 0, 1
            ),
        )
    for key in value:
        if key not in _LIST_KEYS:
            problem = f"the bounds of a list have no key {key!r}"
            raise _point_inside(name, LanguageError(problem, f"bounds such as {name} = {_LIST}", 0, 1), key)
    for key, said in _LIST_KEYS.items():
        if key not in value:
            problem = f"the bounds of the list {name!r} do not contain the key {key!r}"
            raise _point_inside(name, LanguageError(problem, said, 0, 1))
    length, each = (_read_inside(name, value[key], key) for key in _LIST_KEYS)
    if length.lo < 0 or length.hi > MOST_LENGTH:
        fault = LanguageError(f"the length {length} is out of range", f"lengths from 0 to {MOST_LENGTH}", 0, 1)
        raise _point_inside(name, fault, "length")
    return ListRange(length, each)


def _read_inside(key: str, value: object, *inner: str) -> Range:
    try:
        return _read_integers(value)
    except LanguageError as error:
        raise _point_inside(key, error, *inner) from None


def _find_most(bound: Range | ListRange) -> int:
    """Return the largest sum of the absolute values of the numbers in a part of a heap, within these bounds."""
    if isinstance(bound, ListRange):
        return bound.length.hi * _find_most(bound.each)
    return max(abs(bound.lo), abs(bound.hi))


def _point_inside(key: str, error: LanguageError, *inner: str) -> LanguageError:
    error.where = (key, *inner)
    return error


def _read_integers(value: Any) -> Range:
    if type(value) is int:
        return Range(value, value)
    if not isinstance(value, str):
        raise LanguageError(f"{format_value(value)} is not a range of integers", _RANGE, 0, 1)
    return constant_range(value)
