"""From syntax to typed terms: names are resolved, types checked, definitions instantiated.

Whatever cannot be given a meaning is a LanguageError that says what was expected.  A definition is elaborated once for
each combination of argument types it is called with; one that calls itself, directly or not, is refused.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from claims.language.builtins.table import REDUCERS, SIGNS, list_functions, overload, reduce_type
from claims.language.expressions.definitions import Definition
from claims.language.expressions.fitting import (
    calculate,
    collect,
    convert,
    cut_out,
    find_common_type,
    is_whole,
    join,
    join_lists,
    make_heap,
    pick_out,
    read_part,
    relate,
    require_element,
    require_flat,
    require_number,
    require_type,
    suit_position,
)
from claims.language.expressions.names import NameScope, refuse_attribute, refuse_count, refuse_function, refuse_name
from claims.language.expressions.questions import QUESTIONS, GameFacts, find_game, find_parameters, refuse_question
from claims.language.grammar import syntax as s
from claims.language.grammar.parser import NO_POWER, parse
from claims.language.ground.errors import CallStep, CircleError, LanguageError, UnknownName, format_count, join_words
from claims.language.terms import terms as t
from claims.language.terms.types import (
    BOOL,
    INT,
    OUTCOME,
    PLAYER,
    RATIONAL,
    Type,
    describe_type,
    first_number,
    items_of,
)

MAX_DEPTH = 100  # terms inside terms, definitions included: interpreters walk them by recursion
MAX_RUNNING = 8  # variables that run inside each other in the comprehensions of one text
MAX_INSTANCES = 500  # definitions at different types of arguments

NO_GAME = 'ruleset = "nim", or a table [games]'  # what was expected where a text asks about a game and there is none

_Scope = dict[str, tuple[str, Type]]  # what the file calls it -> (unique name, type)


@dataclass
class Elaborator:
    """Gives terms to texts in one context: its variables, games and definitions.

    `variables` may grow between two texts.  `without_game` is what was expected where a text asks about a game and
    there is none.  `heap`: the type of heaps that have parts; None where a heap is a number.
    """

    variables: Mapping[str, Type]
    games: Mapping[str, GameFacts] = field(default_factory=dict)
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    without_game: str = NO_GAME
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    heap: Type | None = None

    def __post_init__(self) -> None:
        self.constants: dict[str, tuple[Type, int]] = {"True": (BOOL, 1), "False": (BOOL, 0)}
        self.later: set[str] = set()  # names that are declared after what is read now
        if self.games:
            self.constants |= {name: (OUTCOME, i) for i, name in enumerate(t.OUTCOMES)}
        for game in self.games.values():
            self.constants |= {name: (PLAYER, i) for i, name in enumerate(game.players)}
        self.used: set[str] = set()  # unique names of the variables that some text mentions
        self.called: set[str] = set()  # names of the definitions that some text calls, directly or not
        self._made: dict[tuple[str, tuple[Type, ...]], tuple[t.Function, int]] = {}  # with the depth of the body
        self._open: list[Definition] = []
        self._depth = self._deepest = self._running = 0

    def term(self, text: str, expected: Type | None = None) -> t.Term:
        """The term of `text`. Raises LanguageError, also when its type is not `expected`."""
        self._open, self._depth, self._deepest, self._running = [], 0, 0, 0
        tree = parse(text)
        scope = {n: (n, kind) for n, kind in self.variables.items()}
        if expected is None:
            return self._elaborate(tree, scope)
        if expected == RATIONAL:
            return convert(self._require_number(tree, scope), RATIONAL)
        return self._require(tree, scope, expected)

    def list_unknown(self, tree: s.Node, parameters: tuple[str, ...] = ()) -> Iterator[LanguageError]:
        """The faults of the names in a text, whatever its types are, as of a definition that nothing calls."""
        vocabulary = NameScope(self.variables, self._offer_constants(), self.definitions, self.games, self.without_game)
        return vocabulary.list_faults(tree, (*parameters, *(v for v in self.variables if v not in parameters)))

    # -- nodes ----------------------------------------------------------------------------------------------------
    def _elaborate(self, node: s.Node, scope: _Scope) -> t.Term:
        self._enter(1, node)
        term = self._elaborate_node(node, scope)
        self._depth -= 1
        return term

    def _enter(self, levels: int, node: s.Node) -> None:
        """Note that `levels` more levels of terms begin at `node`; only the first is still open afterwards."""
        self._deepest = max(self._deepest, self._depth + levels)
        self._depth += 1
        if self._deepest > MAX_DEPTH:
            raise LanguageError(
                f"the expression, with the definitions it calls, is nested deeper than {MAX_DEPTH} levels",
                "a flatter expression; a long sum is sum([a, b, ...])",
                node.start,
                node.end,
            )

    def _elaborate_node(self, node: s.Node, scope: _Scope) -> t.Term:
        a, b = node.start, node.end
        match node:
            case s.Numeral(value=value):
                return t.Literal(INT, a, b, value)
            case s.Name():
                return self._resolve(node, scope)
            case s.Unary(op="not", operand=x):
                return t.Operation(BOOL, a, b, "not", (self._require(x, scope, BOOL, " after 'not'"),))
            case s.Unary(op=op, operand=x):
                inner = self._require_number(x, scope, f" after {op!r}")
                return inner if op == "+" else t.Operation(inner.type, a, b, "neg", (inner,))
            case s.Binary():
                return self._calculate(node, scope)
            case s.Compare(first=first, links=links):
                return self._compare(node, first, links, scope)
            case s.Logic(op=op, parts=parts):
                made = tuple(self._require(p, scope, BOOL, f" on each side of {op!r}") for p in parts)
                return t.AllOf(BOOL, a, b, made) if op == "and" else t.AnyOf(BOOL, a, b, made)
            case s.ConditionalNode(condition=c, then=x, other=y):
                # In the order of the text, so that the first fault is the one reported.
                then = self._elaborate(x, scope)
                condition = self._require(c, scope, BOOL, " between 'if' and 'else'")
                other = self._elaborate(y, scope)
                kind = find_common_type(then, other, self._players, "two of one type before 'if' and after 'else'")
                return t.IfElse(kind, a, b, condition, convert(then, kind), convert(other, kind))
            case s.Display(kind=kind, items=items):
                return collect(kind, [self._elaborate(i, scope) for i in items], node)
            case s.Generator(kind="bare"):
                raise LanguageError(
                    "a comprehension must stand alone in a call",
                    f"one of {join_words(REDUCERS)}, as in any(... for ...)",
                    a,
                    b,
                )
            case s.Generator(kind=kind):
                return self._run_over(node, kind, scope)
            case s.Index(subject=x, index=i):
                subject = self._elaborate(x, scope)
                return pick_out(subject, self._require(i, scope, INT, " in [...]"), node)
            case s.PartAccess(subject=x, name=name):
                return read_part(self._elaborate(x, scope), name, node)
            case s.Slice():
                return self._slice(node, scope)
            case s.Method():
                return self._count(node, scope)
            case s.Call():
                return self._call(node, scope)
        raise AssertionError(node)

    def _resolve(self, node: s.Name, scope: _Scope) -> t.Term:
        name = node.name
        if node.game:
            if node.game in scope and scope[node.game][1].parts:
                whole = s.Name(node.start, node.start + len(node.game), node.game)
                return read_part(self._resolve(whole, scope), name, node)
            raise self._refuse_attribute(node, scope)
        if name in scope:
            unique, kind = scope[name]
            self.used.add(unique)
            return t.Variable(kind, node.start, node.end, unique)
        if name in self.definitions:
            return self._apply(name, (), node)
        if name in self.constants:
            kind, value = self.constants[name]
            return t.Literal(kind, node.start, node.end, value)
        if name in self.later:
            expected = f"{name} declared before it is used"
            raise UnknownName(name, f"{name!r} is declared later", expected, node.start, node.end)
        known = [*scope, *(n for n, d in self.definitions.items() if not d.parameters), *self._offer_constants()]
        raise refuse_name(node, known)

    def _offer_constants(self) -> list[str]:
        """The names of the constants, in the order in which they are offered."""
        kinds = (PLAYER, OUTCOME, BOOL)
        return sorted(self.constants, key=lambda c: kinds.index(self.constants[c][0]))

    def _refuse_attribute(self, node: s.Name, scope: _Scope) -> LanguageError:
        """`game.name` that is no call of a question."""
        collections = [name for name, (_, kind) in scope.items() if items_of(kind)]
        return refuse_attribute(node, self.games, collections)

    def _calculate(self, node: s.Binary, scope: _Scope) -> t.Term:
        op = SIGNS[node.op]
        if op == "add":
            x, y = (self._elaborate(part, scope) for part in (node.left, node.right))
            if x.type.is_position or y.type.is_position:
                return join(x, y, node)
            if "list" in (x.type.kind, y.type.kind):
                return join_lists(x, y, node)
            role = f" on each side of {node.op!r}"
            x, y = require_number(x, node.left, role), require_number(y, node.right, role)
            return calculate(op, x, y, node, self._players)
        note = f"; ^ is nim-addition, {NO_POWER}" if op == "nim" else ""
        args = []
        for at, part in enumerate((node.left, node.right)):
            role = " as exponent" if op == "pow" and at == 1 else f" on each side of {node.op!r}"
            whole = is_whole(op, at)
            args.append(
                self._require(part, scope, INT, role, note) if whole else self._require_number(part, scope, role)
            )
        x, y = args
        return calculate(op, x, y, node, self._players)

    def _slice(self, node: s.Slice, scope: _Scope) -> t.Term:
        subject = self._elaborate(node.subject, scope)
        first, last = (
            None if bound is None else self._require(bound, scope, INT, " beside ':'")
            for bound in (node.first, node.last)
        )
        return cut_out(subject, first, last, node)

    def _compare(self, node: s.Node, first: s.Node, links: tuple[tuple[str, s.Node], ...], scope: _Scope) -> t.Term:
        left, start, made = self._elaborate(first, scope), first.start, list[t.Term]()
        for op, part in links:
            right = self._elaborate(part, scope)
            made.append(relate(op, left, right, (start, part.end), self._players))
            left, start = right, part.start
        return made[0] if len(made) == 1 else t.AllOf(BOOL, node.start, node.end, tuple(made))

    def _run_over(self, node: s.Generator, reducer: str, scope: _Scope) -> t.Term:
        inner, clauses = dict(scope), list[t.Clause]()
        for clause in node.clauses:
            source = self._elaborate(clause.source, inner)
            element = items_of(source.type)
            if element is None:
                raise LanguageError(
                    f"{describe_type(source.type)} has no elements to run over",
                    "a list, a set, a position, range(...) or options(...)",
                    source.start,
                    source.end,
                )
            self._running += 1
            if self._running > MAX_RUNNING:
                raise LanguageError(
                    f"more than {MAX_RUNNING} variables run inside each other",
                    "fewer comprehensions inside comprehensions; name the inner ones in [define]",
                    clause.name_start,
                    clause.name_start + len(clause.name),
                )
            unique = self._bind(clause.name, element, inner)
            clauses.append(
                t.Clause(unique, source, tuple(self._require(c, inner, BOOL, " after 'if'") for c in clause.conditions))
            )
        body = self._elaborate(node.body, inner)
        self._running -= len(clauses)
        if reducer in ("list", "set"):
            require_flat(body)
            kind: Type | None = Type(reducer, body.type)
        else:
            kind = reduce_type(reducer, body.type)
        if kind is None:
            wanted = "a condition, of type Bool" if reducer in ("any", "all", "count") else "a number"
            wanted += f": a part of the heap, such as {first_number(body.type)}" if body.type.parts else ""
            raise LanguageError(f"{reducer} cannot run over {describe_type(body.type)}", wanted, body.start, body.end)
        return t.Comprehension(kind, node.start, node.end, reducer, body, tuple(clauses))

    def _bind(self, name: str, kind: Type, scope: _Scope) -> str:
        """Let `name` stand for something new in `scope`; its unique name."""
        unique = f"{name}'{next(self.numbers)}"
        scope[name] = (unique, kind)
        return unique

    def _count(self, node: s.Method, scope: _Scope) -> t.Term:
        subject = self._elaborate(node.subject, scope)
        if node.name != "count" or items_of(subject.type) is None:
            raise LanguageError(
                f"{describe_type(subject.type)} has no .{node.name}",
                "c.count(x) of a list, a set or a position",
                node.start,
                node.end,
            )
        if len(node.arguments) != 1:
            problem = f".count with {format_count(len(node.arguments), 'argument')}"
            raise LanguageError(problem, ".count(x), with one", node.start, node.end)
        item = require_element(subject, self._elaborate(node.arguments[0], scope))
        return t.Operation(INT, node.start, node.end, "occurrences", (subject, item))

    # -- calls ----------------------------------------------------------------------------------------------------
    def _call(self, node: s.Call, scope: _Scope) -> t.Term:
        name, arguments = node.function.name, node.arguments
        if node.function.game or name in QUESTIONS:
            return self._ask(node, scope)
        if name in self.definitions:
            return self._apply(name, tuple(self._elaborate(x, scope) for x in arguments), node)
        if name not in list_functions():
            raise self._refuse_function(node.function, scope)
        only = arguments[0] if len(arguments) == 1 else None
        if name in REDUCERS and isinstance(only, s.Generator) and only.kind == "bare":
            return self._run_over(s.Generator(node.start, node.end, "bare", only.body, only.clauses), name, scope)
        if name in ("implies", "iff") and len(arguments) == 2:
            x, y = (self._require(p, scope, BOOL, f" in {name}") for p in arguments)
            if name == "iff":
                return t.Operation(BOOL, node.start, node.end, "eq", (x, y))
            return t.AnyOf(BOOL, node.start, node.end, (t.Operation(BOOL, x.start, x.end, "not", (x,)), y))
        args = tuple(self._elaborate(x, scope) for x in arguments)
        if name == "heap" and self.heap is not None:
            return make_heap(self.heap, args, node)
        found = overload(name, tuple(x.type for x in args))
        if isinstance(found, str):
            types = ", ".join(str(x.type) for x in args)
            if name == "position" and len(args) > 1:
                found = "its heaps as one list: position([a, b])"
            raise LanguageError(f"{name}({types}) has no meaning", found, node.start, node.end)
        op, kind = found[0], suit_position(found[1], args, self.heap)
        if op == "range" and len(args) == 1:
            args = (t.Literal(INT, node.start, node.start, 0), *args)
        if op in ("largest", "smallest"):
            args = tuple(convert(x, kind) for x in args)
        return t.Operation(kind, node.start, node.end, op, args)

    def _refuse_function(self, node: s.Name, scope: _Scope) -> LanguageError:
        name = node.name
        if name in scope or name in self.constants:
            kind = scope[name][1] if name in scope else self.constants[name][0]
            expected = f"{name}[i] for one of its elements" if items_of(kind) else "an operator after it"
            return LanguageError(f"{name!r} is {describe_type(kind)}, not a function", expected, node.start, node.end)
        return refuse_function(node, self.definitions)

    def _ask(self, node: s.Call, scope: _Scope) -> t.Term:
        function = node.function
        if function.name not in QUESTIONS:
            raise refuse_question(function) if function.game in self.games else self._refuse_attribute(function, scope)
        game = find_game(function, self.games, self.without_game)
        facts = self.games[game]
        wanted, mover_left_out = find_parameters(node, facts)
        args = [self._require(x, scope, w) for x, w in zip(node.arguments, wanted, strict=True)]
        if mover_left_out:
            args.append(t.Literal(facts.mover, node.start, node.start, 0))
        kind, named = facts.suit(QUESTIONS[function.name].result), bool(function.game)
        return t.GameCall(kind, node.start, node.end, function.name, game, tuple(args), named, facts.endless)

    def _apply(self, name: str, args: tuple[t.Term, ...], node: s.Node) -> t.Term:
        found = self.definitions[name]
        if len(args) != len(found.parameters):
            raise refuse_count(found, len(args), node)
        types = tuple(x.type for x in args)
        if (name, types) not in self._made:
            self._made[name, types] = self._instantiate(found, types, node)
        function, depth = self._made[name, types]
        self._enter(depth, node)
        self._depth -= 1
        return t.Apply(function.body.type, node.start, node.end, function, args)

    def _instantiate(self, found: Definition, types: tuple[Type, ...], node: s.Node) -> tuple[t.Function, int]:
        """The definition at these types of arguments, and the depth of its body."""
        if found in self._open:
            circle = [d.name for d in self._open[self._open.index(found) :]] + [found.name]
            problem = f"the definition of {found.name!r} leads back to itself: {' -> '.join(circle)}"
            raise CircleError(problem, "definitions without recursion", node.start, node.end)
        if len(self._made) >= MAX_INSTANCES:
            raise LanguageError(
                f"more than {MAX_INSTANCES} definitions at different types", "fewer definitions", node.start, node.end
            )
        self.called.add(found.name)
        scope: _Scope = {n: (n, kind) for n, kind in self.variables.items()}
        caller = self._open[-1].where if self._open else ()
        before, self._deepest = self._deepest, self._depth
        running, self._running = self._running, 0
        self._open.append(found)
        try:
            unique = tuple(self._bind(p, kind, scope) for p, kind in zip(found.parameters, types, strict=True))
            body = self._elaborate(found.tree, scope)
        except LanguageError as error:
            error.where = error.where or found.where
            if not isinstance(error, CircleError):
                head = f"{found.name}({', '.join(map(str, types))})" if types else found.name
                error.trail = (*error.trail, CallStep(head, caller, node.start, node.end))
            raise
        self._open.pop()
        self._running = running
        depth, self._deepest = self._deepest - self._depth, max(before, self._deepest)
        return t.Function(found.name, unique, body), depth

    # -- types ----------------------------------------------------------------------------------------------------
    def _require(self, node: s.Node, scope: _Scope, wanted: Type, role: str = "", note: str = "") -> t.Term:
        return require_type(self._elaborate(node, scope), node, wanted, role, note, self._players)

    def _require_number(self, node: s.Node, scope: _Scope, role: str = "") -> t.Term:
        return require_number(self._elaborate(node, scope), node, role)

    @property
    def _players(self) -> tuple[str, ...]:
        return tuple(n for n, (kind, _) in self.constants.items() if kind == PLAYER)
