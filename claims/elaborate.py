"""From syntax to typed terms: names are resolved, types checked, definitions instantiated.

Whatever cannot be given a meaning is a LanguageError that says what was expected.  A definition is elaborated once for
each combination of argument types it is called with; one that calls itself, directly or not, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from claims import syntax as s
from claims import terms as t
from claims.builtins import FUNCTIONS, REDUCERS, overload, reduced
from claims.errors import LanguageError, nearest
from claims.parser import parse
from claims.types import BOOL, INT, NOTHING, OUTCOME, PLAYER, POSITION, RATIONAL, Type, items_of, list_of, set_of, unify

_SYMBOLS = {"+": "add", "-": "sub", "*": "mul", "//": "floordiv", "%": "mod", "/": "div", "**": "pow", "^": "nim"}
_RELATIONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_GAME_FUNCTIONS = {
    "options": ((POSITION,), set_of(POSITION)),
    "legal": ((POSITION, POSITION), BOOL),
    "terminal": ((POSITION,), BOOL),
    "wins": ((POSITION,), BOOL),
    "value": ((POSITION,), INT),
    "grundy": ((POSITION,), INT),
    "outcome": ((POSITION,), OUTCOME),
}
_WITHOUT_MOVER = ("grundy", "outcome")


@dataclass(frozen=True)
class GameFacts:
    """What the types need to know of a ruleset."""

    ruleset: str
    players: tuple[str, ...]  # empty: the number of players is a parameter, players are the integers 0, 1, ...
    impartial: bool
    normal: bool  # the mover with no legal move loses


@dataclass(frozen=True)
class Definition:
    """`name(parameters) = text`; `where` is the key under which a fault is reported."""

    name: str
    parameters: tuple[str, ...]
    text: str
    where: tuple[str, ...]


def definition(key: str, text: str, where: tuple[str, ...]) -> Definition:
    """Read the left side of a definition, `name` or `name(a, b)`. Raises LanguageError."""
    match = re.fullmatch(r"\s*([^\W\d]\w*)\s*(?:\(([^()]*)\))?\s*", key)
    names = tuple(p.strip() for p in match[2].split(",")) if match and match[2] else ()
    if not match or not all(re.fullmatch(r"[^\W\d]\w*", n) for n in names) or len(set(names)) != len(names):
        raise LanguageError(
            f"{key!r} is not the left side of a definition", 'name or name(a, b), such as "defective(s, p)"', 0, 1
        )
    return Definition(match[1], names, text, where)


@dataclass
class Elaborator:
    """Gives terms to texts in one context: its variables, games and definitions."""

    variables: Mapping[str, Type]
    games: Mapping[str, GameFacts] = field(default_factory=dict)
    definitions: Mapping[str, Definition] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.constants: dict[str, tuple[Type, int]] = {"True": (BOOL, 1), "False": (BOOL, 0)}
        if self.games:
            self.constants |= {name: (OUTCOME, i) for i, name in enumerate(t.OUTCOMES)}
        for game in self.games.values():
            self.constants |= {name: (PLAYER, i) for i, name in enumerate(game.players)}
        self._made: dict[tuple[str, tuple[Type, ...]], t.Function] = {}
        self._open: list[str] = []
        self._count = 0
        self.used: set[str] = set()

    def term(self, text: str, expected: Type | None = None) -> t.Term:
        """The term of `text`. Raises LanguageError, also when its type is not `expected`."""
        term = self._node(parse(text), {n: (n, ty) for n, ty in self.variables.items()})
        if expected == RATIONAL and term.type == INT:
            return t.Operation(RATIONAL, term.start, term.end, "rational", (term,))
        if expected is not None and unify(term.type, expected) != expected:
            raise LanguageError(f"this is of type {term.type}", f"an expression of type {expected}", 0, len(text))
        return term

    # -- nodes ----------------------------------------------------------------------------------------------------
    def _node(self, node: s.Node, scope: _Scope) -> t.Term:
        a, b = node.start, node.end
        match node:
            case s.Number(value=value):
                return t.Literal(INT, a, b, value)
            case s.Name():
                return self._name(node, scope)
            case s.Unary(op="not", operand=x):
                return t.Operation(BOOL, a, b, "not", (self._of(x, scope, BOOL),))
            case s.Unary(op=op, operand=x):
                inner = self._number(x, scope)
                return inner if op == "+" else t.Operation(inner.type, a, b, "neg", (inner,))
            case s.Binary():
                return self._binary(node, scope)
            case s.Compare(first=first, links=links):
                return self._compare(first, links, scope)
            case s.Logic(op=op, parts=parts):
                made = tuple(self._of(p, scope, BOOL) for p in parts)
                return t.AllOf(BOOL, a, b, made) if op == "and" else t.AnyOf(BOOL, a, b, made)
            case s.Choice(condition=c, then=x, other=y):
                condition = self._of(c, scope, BOOL)
                then, other = self._node(x, scope), self._node(y, scope)
                kind = self._common(then, other)
                return t.IfElse(kind, a, b, condition, self._as(then, kind), self._as(other, kind))
            case s.Display(kind=kind, items=items):
                parts_ = [self._node(i, scope) for i in items]
                return self._collect(kind, parts_, a, b)
            case s.Generator(kind="bare"):
                raise LanguageError("a comprehension must stand alone in a call", "any(... for ...), all, sum, ...", a, b)
            case s.Generator(kind=kind):
                return self._comprehension(node, kind, scope)
            case s.Index(subject=x, index=i):
                subject, index = self._node(x, scope), self._of(i, scope, INT)
                element = items_of(subject.type)
                if element is None or subject.type.kind == "set":
                    raise LanguageError(f"{subject.type} cannot be indexed", "a list or a position", x.start, x.end)
                return t.Operation(element, a, b, "index", (subject, index))
            case s.Method():
                return self._method(node, scope)
            case s.Call():
                return self._call(node, scope)
        raise AssertionError(node)

    def _name(self, node: s.Name, scope: _Scope) -> t.Term:
        if node.game:
            raise LanguageError(f"{node.game}.{node.name} stands alone", "a call, such as normal.wins(s)", node.start, node.end)
        if node.name in scope:
            unique, kind = scope[node.name]
            self.used.add(unique)
            return t.Variable(kind, node.start, node.end, unique)
        if node.name in self.definitions:
            return self._apply(node.name, (), node)
        if node.name in self.constants:
            kind, value = self.constants[node.name]
            return t.Literal(kind, node.start, node.end, value)
        known = [*scope, *self.definitions, *self.constants]
        raise LanguageError(
            f"unknown name {node.name!r}",
            f"one of {', '.join(sorted(set(known))[:12])}{nearest(node.name, known)}",
            node.start,
            node.end,
        )

    def _binary(self, node: s.Binary, scope: _Scope) -> t.Term:
        op = _SYMBOLS[node.op]
        if op in ("floordiv", "mod", "nim"):
            x, y = self._of(node.left, scope, INT), self._of(node.right, scope, INT)
            return t.Operation(INT, node.start, node.end, op, (x, y))
        x = self._number(node.left, scope)
        y = self._of(node.right, scope, INT) if op == "pow" else self._number(node.right, scope)
        kind = RATIONAL if op == "div" else x.type if op == "pow" else self._common(x, y)
        args = (x, y) if op == "pow" else (self._as(x, kind), self._as(y, kind))
        return t.Operation(kind, node.start, node.end, op, args)

    def _compare(self, first: s.Node, links: tuple[tuple[str, s.Node], ...], scope: _Scope) -> t.Term:
        left, made = self._node(first, scope), list[t.Term]()
        for op, node in links:
            right = self._node(node, scope)
            made.append(self._link(op, left, right))
            left = right
        if len(made) == 1:
            return made[0]
        return t.AllOf(BOOL, first.start, links[-1][1].end, tuple(made))

    def _link(self, op: str, left: t.Term, right: t.Term) -> t.Term:
        start, end = min(left.start, right.start), max(left.end, right.end)
        if op in ("in", "not in"):
            element = items_of(right.type)
            if element is None:
                raise LanguageError(f"{right.type} has no elements", "a list, a set or a position", right.start, right.end)
            if unify(left.type, element) != left.type:
                raise LanguageError(
                    f"{left.type} is never in a {right.type}", f"an element of type {element}", left.start, left.end
                )
            inside = t.Operation(BOOL, start, end, "in", (left, right))
            return inside if op == "in" else t.Operation(BOOL, start, end, "not", (inside,))
        kind = self._common(left, right)
        if op not in ("==", "!=") and kind not in (INT, RATIONAL):
            raise LanguageError(f"{kind} has no order", "numbers on both sides, or == and !=", start, end)
        return t.Operation(BOOL, start, end, _RELATIONS[op], (self._as(left, kind), self._as(right, kind)))

    def _collect(self, kind: str, parts: list[t.Term], start: int, end: int) -> t.Term:
        element = NOTHING
        for part in parts:
            common = unify(element, part.type)
            if common is None or (element != NOTHING and common != element):
                raise LanguageError(
                    f"a {kind} holds one type; this is {part.type}", f"{element}, as before it", part.start, part.end
                )
            element = common
        self._element(element, start, end)
        return t.Collection(Type(kind, element), start, end, tuple(parts))

    @staticmethod
    def _element(element: Type, start: int, end: int) -> None:
        if element.is_collection:
            raise LanguageError(f"a collection of {element}", "elements that are no lists or sets", start, end)

    def _comprehension(self, node: s.Generator, reducer: str, scope: _Scope) -> t.Term:
        inner, clauses = dict(scope), list[t.Clause]()
        for clause in node.clauses:
            source = self._node(clause.source, inner)
            element = items_of(source.type)
            if element is None:
                raise LanguageError(
                    f"{source.type} has no elements to run over",
                    "a list, a set, a position, range(...) or options(...)",
                    clause.source.start,
                    clause.source.end,
                )
            self._count += 1
            unique = f"{clause.name}'{self._count}"
            inner[clause.name] = (unique, element)
            clauses.append(t.Clause(unique, source, tuple(self._of(c, inner, BOOL) for c in clause.conditions)))
        body = self._node(node.body, inner)
        if reducer in ("list", "set"):
            self._element(body.type, node.body.start, node.body.end)
            kind: Type | None = Type(reducer, body.type)
        else:
            kind = reduced(reducer, body.type)
        if kind is None:
            raise LanguageError(
                f"{reducer} cannot run over {body.type}",
                "Bool" if reducer in ("any", "all", "count") else "numbers",
                node.body.start,
                node.body.end,
            )
        return t.Comprehension(kind, node.start, node.end, reducer, body, tuple(clauses))

    def _method(self, node: s.Method, scope: _Scope) -> t.Term:
        subject = self._node(node.subject, scope)
        element = items_of(subject.type)
        if node.name != "count" or element is None:
            raise LanguageError(f"{subject.type} has no .{node.name}", "s.count(h) of a list, set or position", node.start, node.end)
        if len(node.arguments) != 1:
            raise LanguageError(f".count of {len(node.arguments)} arguments", "one argument", node.start, node.end)
        item = self._node(node.arguments[0], scope)
        if unify(item.type, element) != item.type:
            raise LanguageError(f"{item.type} is never in a {subject.type}", f"{element}", item.start, item.end)
        return t.Operation(INT, node.start, node.end, "occurrences", (subject, item))

    # -- calls ----------------------------------------------------------------------------------------------------
    def _call(self, node: s.Call, scope: _Scope) -> t.Term:
        name, game = node.function.name, node.function.game
        arguments = node.arguments
        if game or (name in _GAME_FUNCTIONS and name not in self.definitions):
            return self._game_call(node, scope)
        if name in self.definitions:
            if len(arguments) == 1 and isinstance(arguments[0], s.Generator) and arguments[0].kind == "bare":
                raise LanguageError(f"{name} takes values", "[... for ...] for a list", node.start, node.end)
            return self._apply(name, tuple(self._node(x, scope) for x in arguments), node)
        if name in REDUCERS and len(arguments) == 1:
            only = arguments[0]
            if isinstance(only, s.Generator) and only.kind == "bare":
                return self._comprehension(s.Generator(node.start, node.end, "bare", only.body, only.clauses), name, scope)
        if name in ("implies", "iff"):
            if len(arguments) != 2:
                raise LanguageError(f"{name} of {len(arguments)} arguments", f"{name}(Bool, Bool)", node.start, node.end)
            x, y = (self._of(p, scope, BOOL) for p in arguments)
            if name == "iff":
                return t.Operation(BOOL, node.start, node.end, "eq", (x, y))
            return t.AnyOf(BOOL, node.start, node.end, (t.Operation(BOOL, x.start, x.end, "not", (x,)), y))
        if name not in FUNCTIONS:
            known = [*FUNCTIONS, *self.definitions, *(_GAME_FUNCTIONS if self.games else ())]
            raise LanguageError(
                f"unknown function {name!r}",
                f"a definition or a function of the language{nearest(name, known)}",
                node.function.start,
                node.function.end,
            )
        args = tuple(self._node(x, scope) for x in arguments)
        found = overload(name, tuple(x.type for x in args))
        if isinstance(found, str):
            types = ", ".join(str(x.type) for x in args) or "nothing"
            raise LanguageError(f"{name} of {types}", found, node.start, node.end)
        op, kind = found
        if op == "range" and len(args) == 1:
            args = (t.Literal(INT, node.start, node.start, 0), *args)
        if op in ("largest", "smallest"):
            args = tuple(self._as(x, kind) for x in args)
        return t.Operation(kind, node.start, node.end, op, args)

    def _game_call(self, node: s.Call, scope: _Scope) -> t.Term:
        name, prefix = node.function.name, node.function.game
        game = prefix or (next(iter(self.games)) if len(self.games) == 1 else "")
        if game not in self.games:
            names = ", ".join(self.games)
            if not self.games:
                problem, expected = f"{name} needs a game", 'ruleset = "nim", or a [games] table'
            elif prefix:
                problem, expected = f"no game is named {prefix!r}", f"one of {names}{nearest(prefix, list(self.games))}"
            else:
                problem, expected = f"{name} of which game?", f"a prefix, one of {names}, as in {names.split(',')[0]}.{name}(s)"
            raise LanguageError(problem, expected, node.function.start, node.function.end)
        if name not in _GAME_FUNCTIONS:
            raise LanguageError(
                f"a game has no function {name!r}",
                f"one of {', '.join(_GAME_FUNCTIONS)}{nearest(name, list(_GAME_FUNCTIONS))}",
                node.function.start,
                node.function.end,
            )
        facts = self.games[game]
        self._suits(name, facts, node)
        wanted, kind = _GAME_FUNCTIONS[name]
        mover_type = PLAYER if facts.players else INT
        if name not in _WITHOUT_MOVER and (len(node.arguments) > len(wanted) or not facts.impartial):
            wanted = (*wanted, mover_type)
        if len(node.arguments) != len(wanted):
            why = "" if facts.impartial or name in _WITHOUT_MOVER else f" ({facts.ruleset} is not impartial: say who moves)"
            raise LanguageError(
                f"{name} of {len(node.arguments)} arguments",
                f"{name}({', '.join(map(str, wanted))}){why}",
                node.start,
                node.end,
            )
        args = [self._of(x, scope, w) for x, w in zip(node.arguments, wanted, strict=True)]
        if name not in _WITHOUT_MOVER and len(args) == len(_GAME_FUNCTIONS[name][0]):
            args.append(t.Literal(mover_type, node.start, node.start, 0))
        return t.GameCall(kind, node.start, node.end, name, game, tuple(args))

    @staticmethod
    def _suits(name: str, facts: GameFacts, node: s.Call) -> None:
        expected = ""
        if name in ("wins", "outcome", "grundy") and len(facts.players) != 2:
            expected = "a ruleset of two players; value(s) says who wins among n"
        elif name == "grundy" and not facts.normal:
            expected = 'a ruleset under normal play (stuck = "loses")'
        if expected:
            raise LanguageError(f"{name} has no meaning for {facts.ruleset}", expected, node.start, node.end)

    def _apply(self, name: str, args: tuple[t.Term, ...], node: s.Node) -> t.Term:
        found = self.definitions[name]
        if len(args) != len(found.parameters):
            head = f"{name}({', '.join(found.parameters)})" if found.parameters else f"{name}, without arguments"
            raise LanguageError(f"{name} with {len(args)} arguments", head, node.start, node.end)
        if name in self._open:
            raise LanguageError(
                f"the definition of {name!r} leads back to itself ({' -> '.join([*self._open, name])})",
                "definitions without a cycle",
                node.start,
                node.end,
            )
        types = tuple(x.type for x in args)
        function = self._made.get((name, types))
        if function is None:
            scope: _Scope = {n: (n, ty) for n, ty in self.variables.items()}
            unique = []
            for parameter, kind in zip(found.parameters, types, strict=True):
                self._count += 1
                unique.append(f"{parameter}'{self._count}")
                scope[parameter] = (unique[-1], kind)
            self._open.append(name)
            body = located(found.where, lambda: self._node(parse(found.text), scope))
            self._open.pop()
            function = self._made[name, types] = t.Function(name, tuple(unique), body)
        return t.Apply(function.body.type, node.start, node.end, function, args)

    # -- types ----------------------------------------------------------------------------------------------------
    def _of(self, node: s.Node, scope: _Scope, wanted: Type) -> t.Term:
        term = self._node(node, scope)
        if unify(term.type, wanted) != wanted or (term.type == INT and wanted == RATIONAL):
            raise LanguageError(f"this is of type {term.type}", f"an expression of type {wanted}", node.start, node.end)
        return term

    def _number(self, node: s.Node, scope: _Scope) -> t.Term:
        term = self._node(node, scope)
        if term.type not in (INT, RATIONAL):
            raise LanguageError(f"this is of type {term.type}", "a number", node.start, node.end)
        return term

    @staticmethod
    def _common(a: t.Term, b: t.Term) -> Type:
        kind = unify(a.type, b.type)
        if kind is None:
            hint = " (a set is written {...}, a list [...])" if {a.type.kind, b.type.kind} == {"list", "set"} else ""
            raise LanguageError(
                f"{a.type} beside {b.type}", f"two of one type{hint}", min(a.start, b.start), max(a.end, b.end)
            )
        return kind

    @staticmethod
    def _as(term: t.Term, kind: Type) -> t.Term:
        if kind == RATIONAL and term.type == INT:
            return t.Operation(RATIONAL, term.start, term.end, "rational", (term,))
        return term


T = TypeVar("T")
_Scope = dict[str, tuple[str, Type]]  # what the file calls it -> (unique name, type)


def located(where: tuple[str, ...], make: Callable[[], T]) -> T:
    """Run `make`; a LanguageError that names no place yet gets `where`, the key of the text it is about."""
    try:
        return make()
    except LanguageError as error:
        if not error.where:
            error.where = where
        raise
