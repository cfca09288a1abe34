"""The variables of a claim: what [forall] or [exists] says that each ranges over."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from claims.language.grammar.tokens import is_name
from claims.language.ground.errors import ClaimError, LanguageError, closest, join_words
from claims.language.ground.gathering import ANYTHING, FollowOnFault, attempt, is_unreadable
from claims.language.statement import domains as d
from claims.language.statement.claim import Game
from claims.language.statement.context import ExpressionContext
from claims.language.statement.games import NamedRuleset
from claims.language.statement.scopes import PROFILES
from claims.language.terms.terms import Term, names_of
from claims.language.terms.types import INT, PLAYER, POSITION, Type, describe_type, items_of, position_of, set_of
from claims.language.toml.reader import format_value
from claims.language.toml.source import Keys, SourceFile

MAX_SUBSET_RANGE = 20  # subsets of at most this many integers: 2**20 sets
_EXPECTED = (
    '"1..", "0..k-1", "position", "player", "subsets of 1..6", '
    '{ in = [1, 2, 3] }, { in = [[1, 1], [2, 2]] } or { in = "s" }'
)


def declare(context: ExpressionContext, named: dict[str, NamedRuleset]) -> tuple[str, tuple[d.ClaimVariable, ...]]:
    """The quantifier ("forall", "exists" or "") and the variables, which the context knows from then on.

    Raises ClaimError.
    """
    source, data = context.source, context.source.data
    if "forall" in data and "exists" in data:
        raise source.key_fault(("exists",), "both [forall] and [exists]", "one of them")
    quantifier = next((q for q in ("forall", "exists") if q in data), "")
    table = data.get(quantifier, {}) if quantifier else {}
    if quantifier and (not isinstance(table, dict) or not table):
        raise source.fault((quantifier,), f"[{quantifier}] declares no variable", 'lines such as k = "1.."')
    found = []
    context.later.update(table)
    for name, value in table.items():
        keys = (quantifier, name)
        variable = attempt(partial(_read_named, context, named, keys, name, value), None, name)
        if variable is not None:
            context.types[name] = variable.type
            context.later.remove(name)
            found.append(variable)
    return quantifier, tuple(found)


def _read_named(
    context: ExpressionContext, named: dict[str, NamedRuleset], keys: Keys, name: str, value: object
) -> d.ClaimVariable:
    _check_name(context, named, keys, name)
    return _read_variable(context, named, keys, name, value)


def _check_name(context: ExpressionContext, named: dict[str, NamedRuleset], keys: Keys, name: str) -> None:
    problem = ""
    if not is_name(name) or name in PROFILES:
        problem = f"{name!r} cannot name a variable"
    elif name in context.constants:
        problem = f"{name!r} already names {describe_type(context.constants[name])}"
    elif name in context.definitions and not context.definitions[name].parameters:
        where = context.definitions[name].where[0]
        problem = f"{name!r} already names a definition{f' of {where}' if where in context.files else ''}"
    elif name in named:
        problem = f"{name!r} already names a game"
    if problem:
        expected = "a name that is free: letters, digits and _, no word of Python's"
        if "," in name:
            expected = "one variable on each line"
        raise context.source.key_fault(keys, problem, expected)


def _read_variable(
    context: ExpressionContext, named: dict[str, NamedRuleset], keys: Keys, name: str, value: Any
) -> d.ClaimVariable:
    source = context.source
    if isinstance(value, dict):
        if list(value) != ["in"]:
            raise source.fault(keys, f"{name!r} has no such domain", _EXPECTED)
        return _read_elements(context, (*keys, "in"), name, value["in"])
    if not isinstance(value, str):
        meant = f"{{ in = {format_value(value)} }}" if isinstance(value, list) else f"{value}..{value}"
        near = meant if type(value) is int or (isinstance(value, list) and value and type(value[0]) is int) else ""
        raise source.fault(keys, f"the domain of {name!r} is {format_value(value)}", _EXPECTED, near=near)
    text = value.strip()
    if text == "position":
        heap = _find_heap(source, keys, named)
        parts = () if heap is None else tuple((part, kind.is_collection) for part, kind in heap.parts)
        return d.ClaimVariable(name, position_of(heap), d.Positions(parts), text)
    if text == "player":
        if is_unreadable(ANYTHING):
            raise FollowOnFault(source.place(keys), "the players are not known")
        counts = {len(n.ruleset.players) for n in named.values()}
        if not counts:
            raise source.fault(keys, "there is no game, and so no player", 'ruleset = "nim", or a table [games]')
        if len(counts) > 1 or counts == {0}:
            problem = (
                "the number of players is not fixed" if 0 in counts else "the games differ in the number of players"
            )
            raise source.fault(keys, problem, '"0..n-1", where n is their number')
        return d.ClaimVariable(name, PLAYER, d.Players(counts.pop()), text)
    if text.startswith("subsets of "):
        return d.ClaimVariable(name, set_of(INT), _read_subsets(context, keys, value), text)
    sides = d.split_range(text)
    if sides is None or not sides[0]:
        words = ("position", "player", "subsets of 1..6")
        raise source.fault(keys, f"{value!r} is no domain", _EXPECTED, near=_guess(text) or closest(text, words))
    if sides[1].startswith(".") or sides[1] in _ENDLESS:
        end = "" if sides[1] in _ENDLESS else sides[1].lstrip(".")
        raise source.fault(keys, f"{value!r} is no domain", _EXPECTED, near=f"{sides[0]}..{end}")
    middle = value.index("..", value.index(sides[0]) + len(sides[0])) + 2
    lo = context.term(keys, sides[0], INT, value.index(sides[0]))
    hi = context.term(keys, sides[1], INT, value.index(sides[1], middle)) if sides[1] else None
    _check_order(context, keys, text)
    return d.ClaimVariable(name, INT, d.IntervalDomain(lo, hi), text)


def _find_heap(source: SourceFile, keys: Keys, named: dict[str, NamedRuleset]) -> Type | None:
    """The type of the heaps of all games, None where they are numbers. Raises ClaimError where games differ."""
    found = {game: n.ruleset.facts.heap for game, n in named.items()}
    kinds = list(dict.fromkeys(found.values()))
    if len(kinds) > 1:
        problem = f"of which game? The heaps of {join_words(list(found))} have other parts"
        raise source.fault(keys, problem, "games whose heaps have the same parts")
    return kinds[0] if kinds else None


_ENDLESS = ("inf", "infinity", "oo", "∞", "...")
_GUESSES = (
    (r"[\[({]?\s*(\w+)\s*(?:-|–|,|to|…|,\s*(?:\.\.\.|…)\s*,)\s*(\w+)\s*[\])}]?", "{0}..{1}"),
    (r"\w+\s*(?:>=|≥)\s*(\w+)", "{0}.."),
    (r"\w+\s*>\s*(\w+)", "{0}+1.."),
    (r"(\w+)\s*(?:<=|≤)\s*\w+\s*(?:<=|≤)\s*(\w+)", "{0}..{1}"),
    (r"(?i:naturals?(?: numbers?)?|nat|int|integers?|N|ℕ|ℕ0|N0)", "0.."),
    (r"(?i:positives?(?: integers?)?|ℕ\+|Z\+)", "1.."),
    (r"(?:\w+ (?:in|of) |∈\s*|heaps? (?:in|of) )(\w+)", '{{ in = "{0}" }}'),
)
"""How people write domains, and how they are written here."""


def _guess(text: str) -> str:
    """The domain that a text may mean; "" where none can be guessed."""
    found = ((re.fullmatch(pattern, text), form) for pattern, form in _GUESSES)
    return next((form.format(*match.groups()) for match, form in found if match), "")


def _check_order(context: ExpressionContext, keys: Keys, text: str) -> None:
    """Refuse "6..1"; whether bounds with variables leave anything is seen when the claim is run."""
    match = re.fullmatch(r"([-+]?[0-9]{1,40})\s*\.\.\s*([-+]?[0-9]{1,40})", text)
    if match and int(match[1]) > int(match[2]):
        raise context.source.fault(keys, f"{text!r} is empty", "the smaller bound first")


def _read_subsets(context: ExpressionContext, keys: Keys, text: str) -> d.Subsets:
    prefix = "subsets of "
    offset = text.index(prefix) + len(prefix)
    try:
        bounds = d.constant_range(text[offset:])
    except LanguageError as error:
        span = (offset, len(text))
        raise context.source.fault(keys, error.message, '"subsets of 1..6", with integers as bounds', span) from None
    if bounds.hi - bounds.lo >= MAX_SUBSET_RANGE:
        problem = f"{bounds} has 2**{bounds.hi - bounds.lo + 1} subsets"
        expected = f"subsets of at most {MAX_SUBSET_RANGE} integers"
        raise context.source.fault(keys, problem, expected, (offset, len(text)))
    return d.Subsets(bounds.lo, bounds.hi)


def _read_elements(context: ExpressionContext, keys: Keys, name: str, value: Any) -> d.ClaimVariable:
    source = context.source
    if isinstance(value, str):
        term = context.term(keys, value, None)
        element = items_of(term.type)
        if element is None:
            expected = "a list, a set or a position, whose elements are the values"
            raise source.fault(keys, f"this is {describe_type(term.type)}", expected, (term.start, term.end))
        if element.parts:
            expected = "integers or positions: a heap with parts runs in any(... for h in s)"
            raise source.fault(keys, "the elements are heaps with parts", expected, (term.start, term.end))
        return d.ClaimVariable(name, element, d.ElementsOf(term), f"in {value}")
    if not isinstance(value, list) or not value:
        raise source.fault(
            keys, f"{format_value(value)} lists no values", "integers, lists of heap sizes, or an expression"
        )
    if type(value[0]) is not int and context.heap is not None:
        expected = 'integers, or "position" with a scope: heaps have parts here'
        raise source.fault(keys, f"{format_value(value)} lists no positions of such heaps", expected)
    if type(value[0]) is int:
        for i, item in enumerate(value):
            if type(item) is not int:
                raise source.fault(
                    (*keys, i), f"this is {format_value(item)}", "an integer, like the first of the list"
                )
        return d.ClaimVariable(name, INT, d.ListedDomain(tuple(dict.fromkeys(value))), f"in {value}")
    for i, item in enumerate(value):
        if not isinstance(item, list) or not all(type(h) is int and h >= 0 for h in item):
            raise source.fault((*keys, i), f"{format_value(item)} is no position", "its heap sizes, such as [3, 4, 5]")
    positions = tuple(dict.fromkeys(tuple(sorted(h for h in item if h)) for item in value))
    return d.ClaimVariable(name, POSITION, d.ListedDomain(positions), f"in {value}")


def check_games_are_known(
    context: ExpressionContext, quantifier: str, variables: tuple[d.ClaimVariable, ...], games: tuple[Game, ...]
) -> None:
    """Refuse a domain that asks about a game whose parameters depend on variables declared only later."""
    needed = {g.name: names_of(term for _, term in g.arguments)[0] & set(context.types) for g in games}
    before: set[str] = set()
    for variable in variables:
        for game in sorted(names_of(_list_terms(variable.domain))[1]):
            late = sorted(needed[game] - before)
            if late:
                raise _refuse_late(context, (quantifier, variable.name), game, late[0])
        before.add(variable.name)


def _list_terms(domain: d.Domain) -> tuple[Term, ...]:
    match domain:
        case d.IntervalDomain(lo=lo, hi=hi):
            return (lo,) if hi is None else (lo, hi)
        case d.ElementsOf(source=source):
            return (source,)
    return ()


def _refuse_late(context: ExpressionContext, keys: Keys, game: str, variable: str) -> ClaimError:
    problem = f"this domain asks about {game}, whose parameters depend on {variable!r}"
    return context.source.fault(keys, problem, f"{variable} declared before it")
