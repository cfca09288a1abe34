"""Reading a claim file: from TOML to a frozen, typed `Claim`. See docs/claim-language.md for the format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from claims import domains as d
from claims.elaborate import Definition, Elaborator, definition
from claims.errors import ClaimError, LanguageError, nearest
from claims.model import EXPECTATIONS, ROLES, Claim, Game
from claims.parser import parse
from claims.reader import Table
from claims.rulesets import Ruleset, load_ruleset
from claims.source import Source, read
from claims.syntax import Call, Compare, Name
from claims.terms import Term
from claims.types import BOOL, INT, PLAYER, POSITION, Type, items_of, set_of, unify

FORMAT = 1
PROFILES = ("quick", "deep")
LIBRARY = Path(__file__).parent
MAX_SUBSET_RANGE = 20  # subsets of at most this many integers: 2**20 sets


def load_claim(path: Path, id: str) -> Claim:
    """Read the claim file at `path`. Raises ClaimError with the place and what was expected."""
    source = read(path)
    top = Table(source, (), source.data)
    top.format(FORMAT)
    if "proof" in source.data:
        raise source.fault(("proof",), "[proof] is reserved: proof rules are not supported yet", "a claim without it")
    title, statement = top.text("title"), top.text("statement")
    work, locator = top.text("work"), top.text("locator")
    role = top.choice("role", ROLES)
    uses = top.texts("uses") if "uses" in source.data else ()
    expect = top.choice("expect", tuple(EXPECTATIONS)) if "expect" in source.data else ""
    notes, caveat = top.optional_text("notes"), top.optional_text("caveat")
    top.asked += ["uses", "expect", "ruleset", "games", "forall", "exists", "define", "claim", "scope"]
    top.finish()

    rulesets = _rulesets(source, path.parent)
    definitions = _definitions(source, path.parent)
    reader = _ClaimReader(source, rulesets, definitions)
    quantifier, variables = reader.variables()
    games = reader.games()
    elaborator = reader.elaborator
    claim = Table(source, ("claim",), top.optional_table("claim"))
    if not claim.data:
        raise source.fault(("claim",), "there is no [claim]", '[claim] with then = "..."')
    hypothesis_text = claim.optional_text("if")
    hypothesis = reader.term(("claim", "if"), hypothesis_text, BOOL) if hypothesis_text else None
    conclusion_text = claim.text("then")
    conclusion = reader.term(("claim", "then"), conclusion_text, BOOL)
    claim.finish()
    used = [n for n in definitions if any(name == n for name, _ in elaborator._made)]
    texts = [("if", hypothesis_text)] if hypothesis_text else []
    texts.append(("then", conclusion_text))
    for name in used:
        found = definitions[name]
        head = f"{name}({', '.join(found.parameters)})" if found.parameters else name
        texts.append((head, found.text))
    scopes = _scopes(source, top.optional_table("scope"), variables)
    return Claim(
        id=id,
        title=title,
        statement=" ".join(statement.split()),
        work=work,
        locator=locator,
        role=role,
        uses=uses,
        expect=expect,
        notes=" ".join(notes.split()),
        caveat=" ".join(caveat.split()),
        quantifier=quantifier,
        variables=variables,
        games=games,
        hypothesis=hypothesis,
        conclusion=conclusion,
        texts=tuple(texts),
        scopes=scopes,
        source=source,
    )


# -- what a claim refers to -----------------------------------------------------------------------------------------
def _rulesets(source: Source, folder: Path) -> dict[str, tuple[Ruleset, str, tuple[str, ...]]]:
    """Game name -> (ruleset, text of its arguments, key). A file beside the claim goes before the library's."""
    named: dict[str, tuple[str, tuple[str, ...]]] = {}
    if "ruleset" in source.data:
        named[""] = (source.data["ruleset"], ("ruleset",))
    games = source.data.get("games", {})
    if not isinstance(games, dict):
        raise source.fault(("games",), "games is not a table", '[games] with lines such as normal = "nim"')
    for name, text in games.items():
        if not re.fullmatch(r"[^\W\d]\w*", name):
            raise source.fault(("games", name), f"{name!r} cannot name a game", "a name, such as normal")
        named[name] = (text, ("games", name))
    found = {}
    for name, (text, keys) in named.items():
        match = re.fullmatch(r"\s*([A-Za-z0-9][\w-]*)\s*(?:\((.*)\))?\s*", text) if isinstance(text, str) else None
        if not match:
            raise source.fault(keys, f"{text!r} names no ruleset", '"nim", or with arguments "kl-nim(k = t, l = t)"')
        places = [folder, folder / "rulesets", LIBRARY / "rulesets"]
        file = next((p for p in (x / f"{match[1]}.toml" for x in places) if p.is_file()), None)
        if file is None:
            known = sorted(p.stem for p in (LIBRARY / "rulesets").glob("*.toml"))
            raise source.fault(
                keys,
                f"no ruleset {match[1]!r}",
                f"a file {match[1]}.toml beside the claim, or one of {', '.join(known)}{nearest(match[1], known)}",
            )
        found[name or match[1]] = (load_ruleset(file), match[2] or "", keys)
    return found


def _definitions(source: Source, folder: Path) -> dict[str, Definition]:
    """The shared definitions of the folder, then the claim's own; the latter win."""
    found: dict[str, Definition] = {}
    shared = folder / "definitions.toml"
    if shared.is_file() and folder.name != "rulesets":
        other = read(shared)
        table = Table(other, (), other.data)
        table.format(FORMAT)
        found |= _define(other, table.optional_table("define"), shared=True)
        table.finish()
    table_ = source.data.get("define", {})
    if not isinstance(table_, dict):
        raise source.fault(("define",), "define is not a table", '[define] with lines such as "f(x)" = "x + 1"')
    return found | _define(source, table_, shared=False)


def _define(source: Source, table: Mapping[str, Any], shared: bool) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for key, text in table.items():
        where = ("define", key)
        if not isinstance(text, str):
            raise source.fault(where, f"the definition of {key!r} is not a string", 'an expression in quotes')
        try:
            made = definition(key, text, (source.name, *where) if shared else where)
            parse(text)
        except LanguageError as error:
            raise source.language_fault(where, error) from None
        if made.name in found:
            raise source.fault(where, f"{made.name!r} is defined twice", "one definition for each name")
        found[made.name] = made
    return found


class _ClaimReader:
    """Reads the parts of one claim that hold expressions, growing the context as variables are declared."""

    def __init__(
        self,
        source: Source,
        rulesets: dict[str, tuple[Ruleset, str, tuple[str, ...]]],
        definitions: dict[str, Definition],
    ) -> None:
        self.source, self.rulesets, self.definitions = source, rulesets, definitions
        self.types: dict[str, Type] = {}
        self._check_players()
        self.elaborator = self._fresh()

    def _fresh(self) -> Elaborator:
        facts = {name: ruleset.facts for name, (ruleset, _, _) in self.rulesets.items()}
        return Elaborator(dict(self.types), facts, self.definitions)

    def _check_players(self) -> None:
        index: dict[str, int] = {}
        for ruleset, _, keys in self.rulesets.values():
            for i, player in enumerate(ruleset.players):
                if index.setdefault(player, i) != i:
                    raise self.source.fault(
                        keys, f"player {player!r} is not in the same place in every ruleset", "rulesets with like players"
                    )

    def term(self, keys: tuple[Any, ...], text: str, kind: Type | None) -> Term:
        try:
            return self.elaborator.term(text, kind)
        except LanguageError as error:
            raise self.fault(keys, error) from None

    def fault(self, keys: tuple[Any, ...], error: LanguageError) -> ClaimError:
        """A fault of an expression; one inside a shared definition is shown in the file that holds it."""
        if error.where and error.where[0] not in ("define",):
            path = Path(error.where[0])
            other = read(path)
            error.where = error.where[1:]
            return other.language_fault(("define",), error)
        return self.source.language_fault(keys, error)

    # -- variables ------------------------------------------------------------------------------------------------
    def variables(self) -> tuple[str, tuple[d.Variable, ...]]:
        data = self.source.data
        if "forall" in data and "exists" in data:
            raise self.source.fault(("exists",), "both [forall] and [exists]", "one of them")
        quantifier = next((q for q in ("forall", "exists") if q in data), "")
        table = data.get(quantifier, {}) if quantifier else {}
        if quantifier and (not isinstance(table, dict) or not table):
            raise self.source.fault((quantifier,), f"[{quantifier}] names no variable", 'lines such as k = "1.."')
        found = []
        for name, value in table.items():
            keys = (quantifier, name)
            if not re.fullmatch(r"[^\W\d]\w*", name) or name in self.elaborator.constants:
                raise self.source.fault(keys, f"{name!r} cannot name a variable", "a name that is not taken")
            variable = self._variable(keys, name, value)
            found.append(variable)
            self.types[name] = variable.type
            self.elaborator = self._fresh()
        return quantifier, tuple(found)

    def _variable(self, keys: tuple[str, str], name: str, value: Any) -> d.Variable:
        expected = (
            'such as "1..", "0..k-1", "position", "player", "subsets of 1..6", '
            '{ in = [1, 2, 3] }, { in = [[1, 1], [2, 2]] } or { in = "s" }'
        )
        if isinstance(value, dict):
            if list(value) != ["in"]:
                raise self.source.fault(keys, f"{name!r} has no such domain", expected)
            return self._elements((*keys, "in"), name, value["in"])
        if not isinstance(value, str):
            raise self.source.fault(keys, f"the domain of {name!r} is not a string", expected)
        text = value.strip()
        if text == "position":
            return d.Variable(name, POSITION, d.Positions(), text)
        if text == "player":
            counts = {len(r.players) for r, _, _ in self.rulesets.values()}
            if len(counts) != 1 or counts == {0}:
                raise self.source.fault(keys, "which players?", "a ruleset that names its players")
            return d.Variable(name, PLAYER, d.Players(counts.pop()), text)
        if text.startswith("subsets of "):
            try:
                bounds = d.constant_range(text.removeprefix("subsets of "))
            except LanguageError as error:
                raise self.source.fault(keys, error.message, '"subsets of 1..6"') from None
            if bounds.hi - bounds.lo >= MAX_SUBSET_RANGE:
                raise self.source.fault(keys, "too many subsets", f"subsets of at most {MAX_SUBSET_RANGE} integers")
            return d.Variable(name, set_of(INT), d.Subsets(bounds.lo, bounds.hi), text)
        sides = d.split_range(text)
        if sides is None or not sides[0]:
            raise self.source.fault(keys, f"{text!r} is no domain", expected)
        offset = value.index(sides[1], value.index("..", len(sides[0])) + 2) if sides[1] else 0
        lo = self._bound(keys, sides[0], value.index(sides[0]))
        hi = self._bound(keys, sides[1], offset) if sides[1] else None
        return d.Variable(name, INT, d.Interval(lo, hi), text)

    def _bound(self, keys: tuple[str, str], text: str, offset: int) -> Term:
        try:
            return self.elaborator.term(text, INT)
        except LanguageError as error:
            error.start, error.end = error.start + offset, error.end + offset
            raise self.fault(keys, error) from None

    def _elements(self, keys: tuple[str, ...], name: str, value: Any) -> d.Variable:
        if isinstance(value, str):
            term = self.term(keys, value, None)
            element = items_of(term.type)
            if element is None:
                raise self.source.fault(keys, f"{value!r} is of type {term.type}", "a list, a set or a position")
            return d.Variable(name, element, d.ElementsOf(term), f"in {value}")
        if isinstance(value, list) and value:
            if all(type(v) is int for v in value):
                return d.Variable(name, INT, d.Listed(tuple(value)), f"in {value}")
            if all(isinstance(v, list) and all(type(h) is int and h >= 0 for h in v) for v in value):
                positions = tuple(dict.fromkeys(tuple(sorted(h for h in v if h)) for v in value))
                return d.Variable(name, POSITION, d.Listed(positions), f"in {value}")
        raise self.source.fault(keys, "these are no values", "integers, lists of heap sizes, or an expression")

    # -- games ----------------------------------------------------------------------------------------------------
    def games(self) -> tuple[Game, ...]:
        return tuple(Game(n, r, self._bind(n, r, text, keys)) for n, (r, text, keys) in self.rulesets.items())

    def _bind(self, name: str, ruleset: Ruleset, text: str, keys: tuple[str, ...]) -> tuple[tuple[str, Term], ...]:
        given: dict[str, str] = {}
        depth, start = 0, 0
        for at, char in enumerate(text + ","):
            depth += (char in "([{") - (char in ")]}")
            if depth == 0 and char == ",":
                part = text[start:at]
                start = at + 1
                match = re.fullmatch(r"\s*([^\W\d]\w*)\s*=(?!=)\s*(.+)", part, re.DOTALL)
                if match:
                    given[match[1]] = match[2]
                elif part.strip():
                    raise self.source.fault(keys, f"{part.strip()!r} binds no parameter", "such as k = t")
        known = [p.name for p in ruleset.parameters]
        for extra in given:
            if extra not in known:
                raise self.source.fault(
                    keys, f"{ruleset.id} has no parameter {extra!r}", f"one of {', '.join(known) or 'none'}"
                )
        bound = []
        for parameter in ruleset.parameters:
            expression = given.get(parameter.name, parameter.name)
            if parameter.name not in given and parameter.name not in self.types and parameter.name not in self.definitions:
                raise self.source.fault(
                    keys,
                    f"parameter {parameter.name!r} of {ruleset.id} is not bound",
                    f'a variable named {parameter.name}, or "{ruleset.id}({parameter.name} = ...)"',
                )
            try:
                term = self.elaborator.term(expression)
            except LanguageError as error:
                raise self.source.fault(keys, error.message, error.expected) from None
            if unify(term.type, parameter.type) != parameter.type:
                raise self.source.fault(
                    keys, f"parameter {parameter.name!r} is {parameter.type}, not {term.type}", f"{parameter.type}"
                )
            bound.append((parameter.name, term))
        return tuple(bound)


# -- scopes ---------------------------------------------------------------------------------------------------------
def _scopes(source: Source, table: dict[str, Any], variables: tuple[d.Variable, ...]) -> tuple[tuple[str, d.Scope], ...]:
    deep = table.get("deep", {})
    quick = {k: v for k, v in table.items() if k != "deep" or "deep" in [v.name for v in variables]}
    base = _scope(source, ("scope",), quick, variables)
    for variable in variables:
        if needs_scope(variable) and variable.name not in base:
            how = '{ heaps = "0..4", size = "1..10" }' if variable.type == POSITION else '"1..6"'
            raise source.fault(
                ("scope",), f"the scope says nothing of {variable.name!r}", f"a line {variable.name} = {how}"
            )
    if not isinstance(deep, dict):
        raise source.fault(("scope", "deep"), "scope.deep is not a table", "[scope.deep]")
    return (("quick", base), ("deep", base | _scope(source, ("scope", "deep"), deep, variables)))


def needs_scope(variable: d.Variable) -> bool:
    """Positions and intervals without upper bound: infinitely many values, of which a check covers a box."""
    domain = variable.domain
    return isinstance(domain, d.Positions) or (isinstance(domain, d.Interval) and domain.hi is None)


def _scope(
    source: Source, at: tuple[str, ...], table: dict[str, Any], variables: tuple[d.Variable, ...]
) -> d.Scope:
    by_name = {v.name: v for v in variables}
    found: d.Scope = {}
    for name, value in table.items():
        if name not in by_name:
            raise source.fault(
                (*at, name),
                f"the scope names {name!r}, which is no variable of the claim",
                f"one of {', '.join(by_name) or 'none: the claim has no variables'}{nearest(name, list(by_name))}",
            )
        found[name] = _range(source, (*at, name), by_name[name], value)
    return found


def _range(source: Source, keys: tuple[str, ...], variable: d.Variable, value: Any) -> d.Range | d.PositionRange:
    try:
        return scope_of(variable, value)
    except LanguageError as error:
        raise source.fault(keys, error.message, error.expected) from None


def scope_of(variable: d.Variable, value: Any) -> d.Range | d.PositionRange:
    """The part of a variable's domain that `value`, as in a file's [scope], covers. Raises LanguageError."""
    if isinstance(variable.domain, d.Positions):
        if not isinstance(value, dict) or not {"heaps", "size"} <= set(value) <= {"heaps", "size", "total"}:
            raise LanguageError(
                f"the scope of the position {variable.name!r} is {value!r}", '{ heaps = "0..4", size = "1..10" }', 0, 1
            )
        parts = {k: _integers(v) for k, v in value.items()}
        if parts["heaps"].lo < 0 or parts["size"].lo < 1:
            raise LanguageError("heaps count from 0, sizes from 1", "heaps 0.., size 1..", 0, 1)
        return d.PositionRange(parts["heaps"], parts["size"], parts.get("total"))
    if not isinstance(variable.domain, d.Interval):
        raise LanguageError(f"{variable.name!r} ranges over {variable.text}: all of it is checked", "no scope for it", 0, 1)
    return _integers(value)


def _integers(value: Any) -> d.Range:
    if type(value) is int:
        return d.Range(value, value)
    if not isinstance(value, str):
        raise LanguageError(f"{value!r} is not a range of integers", "such as \"1..6\", or one integer", 0, 1)
    return d.constant_range(value)


def is_definition(path: Path) -> bool:
    """Files of a claim folder that are no claims: shared definitions, the bibliography, rulesets."""
    return path.name in ("definitions.toml", "works.toml") or path.parent.name == "rulesets"
