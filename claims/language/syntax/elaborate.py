"""From syntax trees to typed terms: resolve names, check types, expand definitions."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from claims.language.errors import (
    CallStep,
    CircleError,
    LanguageError,
    UnknownName,
    find_closest,
    format_count,
    join_words,
)
from claims.language.syntax import grammar as s
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS, REDUCERS, SIGNS, list_functions, overload, reduce_type
from claims.language.syntax.grammar import NO_POWER, Binary, Node, parse
from claims.language.syntax.names import (
    Definition,
    NameScope,
    check_quotation,
    refuse_attribute,
    refuse_count,
    refuse_function,
    refuse_name,
)
from claims.language.syntax.printing import print_term, walk_through
from claims.language.syntax.questions import (
    QUESTIONS,
    GameFacts,
    find_game,
    find_parameters,
    refuse_question,
    require_normal_play,
)
from claims.language.syntax.terms import (
    BOOL,
    GAME,
    INT,
    NOTHING,
    OUTCOME,
    PLAYER,
    POSITION,
    RATIONAL,
    Type,
    describe_type,
    first_number,
    hint,
    items_of,
    list_of,
    position_of,
    unify,
)

LONG = 30  # characters of the text of a list that an error repeats

# == fitting ==========================================================================================================
# Functions that fit a term to its context: each returns the fitted term, or raises an error with the expected type.
#
# `players` are the names of the players of the current games. Messages suggest them where a player is missing.
Players = tuple[str, ...]


def require_type(term: t.Term, node: Node, wanted: Type, role: str, note: str, players: Players) -> t.Term:
    """Return `term`, the typed form of `node`, after a check that it has the type `wanted`. Raises LanguageError.

    An empty list, set or position gets the type `wanted`.

    `role`: words for the place of the term in the text, such as " after 'not'", for the error.
    `note`: a further remark for the error.
    `players`: the names of the players, which the error suggests if a player is missing.
    """
    if term.type == wanted or (wanted.is_collection and unify(term.type, wanted) == wanted):
        return term
    if wanted.is_position and _has_no_heaps(term):
        return replace(term, type=wanted)
    expected = f"{describe_type(wanted)}{role}{_hint(term.type, wanted, players)}{note}"
    raise LanguageError(f"this is {describe_type(term.type)}", expected, node.start, node.end)


COMPARING = [name for name, question in QUESTIONS.items() if question.compares]
QUOTED = "no quotes: only a game in the notation of CGSuite is written in quotes, as in equals(s, '^*')"
_COOLING = [name for name in COMPARING if QUESTIONS[name].result == GAME]
COMPARED = "equals(G, H) for equal values, or le(G, H) for the order of games"


def require_game(term: t.Term, node: Node, wanted: Type, players: Players) -> t.Term:
    """Return `term`, the typed form of `node`, after a check that it is a game.

    `wanted`: the type of positions, or Game. If it is Game, a number is also accepted; its term is a Rational.
    Raises LanguageError.
    """
    if term.type == GAME:
        return term
    if wanted == GAME and term.type in (INT, RATIONAL):
        return convert(term, RATIONAL)
    if wanted == GAME:
        expected = "a number, or a game in quotes, such as '1*'"
        raise LanguageError(f"this is {describe_type(term.type)}", expected, node.start, node.end)
    return require_type(term, node, wanted, "", "", players)


_COMBINED = {"add": "add_games", "sub": "subtract_games", "mul": "multiply_games"}  # also for games as values


def combine(op: str, x: t.Term, y: t.Term, node: Binary) -> t.Term:
    """Return the term `x op y` for two games as values, where `op` is "add", "sub" or "mul". Raises LanguageError."""
    for part in (x, y):
        if part.type != GAME:
            how = "game(...) is the position as a game" if part.type.is_position else "a number is in quotes: '1/2'"
            expected = f"a game on each side of {node.op!r}; {how}"
            raise LanguageError(f"this is {describe_type(part.type)}", expected, part.start, part.end)
    return t.Operation(GAME, node.start, node.end, _COMBINED[op], (x, y))


def require_shared_players(games: Mapping[str, GameFacts], node: Node) -> None:
    """Raise LanguageError if two games give the players different names, and the players have different moves in both.

    `games`: the games that a term of type Game combines. `node`: the term, for the error.
    """
    named = {name: facts.players for name, facts in games.items() if not facts.impartial}
    first = next(iter(named), "")
    for name, players in named.items():
        if players != named[first]:
            problem = f"the players of {name} are {_write_players(players)}, and those of {first} are "
            problem += _write_players(named[first])
            expected = "rulesets with the same players; the names matter if the players have different moves"
            raise LanguageError(problem, expected, node.start, node.end)


def require_number(term: t.Term, node: Node, role: str) -> t.Term:
    """Return `term`, the typed form of `node`, after a check that it is an Int or a Rational. Raises LanguageError.

    `role`: words for the place of the term in the text, such as " after '-'", for the error.
    """
    if term.type not in (INT, RATIONAL):
        expected = f"a number{role}{hint(term.type, INT)}"
        raise LanguageError(f"this is {describe_type(term.type)}", expected, node.start, node.end)
    return term


def require_element(collection: t.Term, item: t.Term) -> t.Term:
    """Return `item` with the type of the elements of `collection`. Raises LanguageError if it cannot be an element.

    An Int is converted if the elements are Rationals.
    """
    element = items_of(collection.type)
    if element is None:
        raise LanguageError(
            f"{describe_type(collection.type)} has no elements",
            "a list, a set or a position",
            collection.start,
            collection.end,
        )
    if element == NOTHING:  # NOTHING fits every type, but a set cannot be an element
        require_storable(item)
    if element != NOTHING and unify(element, item.type) != element:
        problem = f"{describe_type(item.type)} is never in {describe_type(collection.type)}"
        raise LanguageError(problem, describe_type(element), item.start, item.end)
    return convert(item, element)


def _write_players(players: Players) -> str:
    return " and ".join(players)


def require_storable(element: t.Term) -> None:
    """Raise LanguageError if `element`, an element of a list or set, is a set or a game, which cannot be elements."""
    if element.type == GAME:
        expected = "elements that are numbers or positions; game(s) for each position s of the list"
        raise LanguageError("a Game cannot be an element", expected, element.start, element.end)
    if element.type.kind == "set":
        problem = f"{describe_type(element.type)} cannot be an element"
        expected = "elements that are not sets, such as lists [3, 4]; position([3, 4]) turns a list into a position"
        raise LanguageError(problem, expected, element.start, element.end)


def find_common_type(a: t.Term, b: t.Term, players: Players, expected: str = "two values of one type") -> Type:
    """Return the type that both terms have or can be converted to. Raises LanguageError if there is no such type.

    `players`: the names of the players, which the error suggests if a player is missing.
    `expected`: the beginning of the expected text in the error.
    """
    kind = unify(a.type, b.type)
    if kind is None:
        kinds = {a.type, b.type}
        why = ""
        if {a.type.kind, b.type.kind} == {"list", "set"}:
            why = ": a list is written [...], a set {...}"
        elif GAME in kinds:
            why = f"; games are compared by {COMPARED}"
        elif kinds == {POSITION, list_of(INT)}:
            why = hint(list_of(INT), POSITION)
        elif a.type.is_position and b.type.is_position:
            why = "; the heaps of this game have parts: write heap(...)"
        elif BOOL in kinds and kinds & {INT, RATIONAL} and expected == "two values of one type":
            why = "; iff(A, B) says that two conditions agree, as in iff(wins(s), nim_sum(s) != 0)"
        elif PLAYER in kinds:
            why = "; a Player is" + _hint(INT, PLAYER, players).replace(":", "", 1)
        start, end = min(a.start, b.start), max(a.end, b.end)
        raise LanguageError(
            f"type mismatch: {describe_type(a.type)} and {describe_type(b.type)}", expected + why, start, end
        )
    return kind


def convert(term: t.Term, kind: Type) -> t.Term:
    """Return the term converted to a Rational if it is an Int and `kind` is Rational; otherwise the term itself."""
    if kind == RATIONAL and term.type == INT:
        return t.Operation(RATIONAL, term.start, term.end, "rational", (term,))
    return term


def is_whole(op: str, at: int) -> bool:
    """Return whether operand `at`, 0 or 1, of the operator `op` must be an Int if the other operand is an Int.

    For example, this holds for the exponent of `**`, but not for its base.
    """
    return isinstance(BUILTINS[op].typed((INT, RATIONAL) if at == 1 else (RATIONAL, INT)), str)


def calculate(op: str, x: t.Term, y: t.Term, node: Node, players: Players) -> t.Term:
    """Return the term `x op y` for an arithmetic operator and two numbers.

    If both operands may be Rationals, an Int is converted to a Rational if the other operand is a Rational.
    """
    if not is_whole(op, 0) and not is_whole(op, 1):
        common = find_common_type(x, y, players)
        x, y = convert(x, common), convert(y, common)
    kind = BUILTINS[op].typed((x.type, y.type))
    assert isinstance(kind, Type), op
    return t.Operation(kind, node.start, node.end, op, (x, y))


def join(x: t.Term, y: t.Term, node: Binary) -> t.Term:
    """Return the term `x + y` for two positions. One of the two may be a list of heaps. Raises LanguageError.

    If both are written as lists of heaps, so is the result: `position([1, 2]) + [3]` becomes `position([1, 2, 3])`.
    """
    kind = x.type if x.type.is_position else y.type
    parts = [_convert_to_position(part, kind) for part in (x, y)]
    heaps = [part.args[0] if isinstance(part, t.Operation) and part.op == "position" else None for part in parts]
    first, second = heaps
    if isinstance(first, t.Collection) and isinstance(second, t.Collection):
        items = t.Collection(list_of(kind.element or INT), node.start, node.end, (*first.items, *second.items))
        return t.Operation(kind, node.start, node.end, "position", (items,))
    return t.Operation(kind, node.start, node.end, "join", tuple(parts))


def _convert_to_position(part: t.Term, kind: Type) -> t.Term:
    if part.type in (list_of(kind.element or INT), list_of(NOTHING)):
        return t.Operation(kind, part.start, part.end, "position", (part,))
    if part.type != kind:
        expected = "a position, or a list of heaps such as [h], on each side of '+'"
        raise LanguageError(f"{describe_type(part.type)} cannot be added to a position", expected, part.start, part.end)
    return part


def join_lists(left: t.Term, right: t.Term, node: Node) -> t.Term:
    """Return the term `left + right` for two lists. Raises LanguageError if they are not lists of one type."""
    kind = unify(left.type, right.type)
    if kind is None or kind.kind != "list":
        at = right if left.type.kind == "list" else left
        expected = "a list, or a number, on each side of '+'"
        raise LanguageError(f"this is {describe_type(at.type)}", expected, at.start, at.end)
    return t.Operation(kind, node.start, node.end, "concat", (left, right))


def pick_out(c: t.Term, index: t.Term, node: Node) -> t.Term:
    """Return the term `c[index]`. Raises LanguageError if c is not a list or a position."""
    element = items_of(c.type)
    if element is None or c.type.kind == "set":
        raise LanguageError(f"{describe_type(c.type)} cannot be indexed", "a list or a position", c.start, c.end)
    if (last := _read_negative(index)) is not None:
        raise refuse_negative(index, f"{_name_list(c)}[len({_name_list(c)}) - {last}]")
    return t.Operation(element, node.start, node.end, "index", (c, index))


def _read_negative(index: t.Term) -> int | None:
    """Return the number n if an index is written -n, such as -1; otherwise None."""
    match index:
        case t.Operation(op="neg", args=(t.Literal(value=n),)) if n > 0:
            return n
    return None


def _name_list(c: t.Term) -> str:
    """Return the text of a list or position; "c" if this text has more than LONG characters."""
    text = print_term(c)
    return text if len(text) <= LONG else "c"


def refuse_negative(index: t.Term, wanted: str) -> LanguageError:
    """Return the error for a negative index that is written in digits. `wanted`: what to write instead."""
    problem = f"the index {print_term(index)} is negative, but elements are counted from 0"
    return LanguageError(problem, wanted, index.start, index.end)


def cut_out(c: t.Term, first: t.Term | None, last: t.Term | None, node: Node) -> t.Term:
    """Return the term `c[first:last]`. Raises LanguageError if c is not a list.

    `first`: None for the beginning of the list. `last`: None for the end of the list.
    """
    if c.type.kind != "list":
        raise LanguageError(f"{describe_type(c.type)} cannot be sliced", "a list", c.start, c.end)
    ends = ["" if x is None else _end_from_start(x, c) for x in (first, last)]
    for bound in (first, last):
        if bound is not None and _read_negative(bound) is not None:
            raise refuse_negative(bound, f"{_name_list(c)}[{ends[0]}:{ends[1]}]")
    if first is None:
        first = t.Literal(INT, node.start, node.start, 0)
    if last is None:
        last = t.Operation(INT, node.end, node.end, "len", (c,))
    return t.Operation(c.type, node.start, node.end, "slice", (c, first, last))


def _end_from_start(bound: t.Term, c: t.Term) -> str:
    """Return the text of a bound of a slice of c; `len(c) - 1` for the bound -1."""
    last = _read_negative(bound)
    return print_term(bound) if last is None else f"len({_name_list(c)}) - {last}"


def relate(sign: str, left: t.Term, right: t.Term, span: tuple[int, int], players: Players) -> t.Term:
    """Return the comparison `left sign right`, one link of a chain. Raises LanguageError.

    `span`: the offsets of this comparison.
    """
    start, end = span
    if sign in ("in", "not in"):
        inside = t.Operation(BOOL, start, end, "in", (require_element(right, left), right))
        return inside if sign == "in" else t.Operation(BOOL, start, end, "not", (inside,))
    if _has_no_heaps(left) and right.type.is_position:
        left = replace(left, type=right.type)
    elif _has_no_heaps(right) and left.type.is_position:
        right = replace(right, type=left.type)
    kind = find_common_type(left, right, players)
    if kind == GAME:
        raise LanguageError(f"{sign} does not compare games", COMPARED, start, end)
    if sign not in ("==", "!=") and kind not in (INT, RATIONAL):
        problem = f"{describe_type(kind)} has no order"
        raise LanguageError(problem, "numbers on both sides, or the sign == or !=", start, end)
    return t.Operation(BOOL, start, end, SIGNS[sign], (convert(left, kind), convert(right, kind)))


def collect(kind: str, parts: list[t.Term], node: Node) -> t.Term:
    """Return the term of a list or set that is written with these elements. `kind`: "list" or "set".

    Raises LanguageError if the elements have different types, or if an element is a set.
    """
    element = NOTHING
    for part in parts:
        if (common := _join_elements(element, part.type)) is None:
            raise LanguageError(
                f"the elements of a {kind} must all have the same type; this element is {describe_type(part.type)}",
                f"{describe_type(element)}, like the elements before it",
                part.start,
                part.end,
            )
        element = common
        require_storable(part)
    return t.Collection(Type(kind, element), node.start, node.end, tuple(parts))


def _join_elements(before: Type, following: Type) -> Type | None:
    """Return the common type of the elements of a list, after one more element; None if the types differ.

    Numbers are not converted. An empty list fits every list.

    `before`: the common type of the earlier elements. `following`: the type of the new element.
    """
    if before.is_collection and before.kind == following.kind and before.element and following.element:
        inner = _join_elements(before.element, following.element)
        return None if inner is None else Type(before.kind, inner)
    return following if before in (NOTHING, following) else before if following == NOTHING else None


def read_part(heap: t.Term, name: str, node: Node) -> t.Term:
    """Return the term `heap.name`, a part of a heap. Raises LanguageError if the heap has no part with this name.

    `node`: the text `heap.name`, for the error.
    """
    names = [part for part, _ in heap.type.parts]
    if name in names:
        at = names.index(name)
        place = t.Literal(INT, node.end, node.end, at)
        return t.Operation(heap.type.parts[at][1], node.start, node.end, "part", (heap, place))
    start = node.end - len(name)
    if not names:
        expected = ".count(x), of a list, a set or a position"
        raise LanguageError(f"unexpected .{name}", expected, start, node.end)
    raise LanguageError(
        f"a heap has no part {name!r}", f"one of {join_words(names)}", start, node.end, find_closest(name, names)
    )


def make_heap(kind: Type, args: tuple[t.Term, ...], node: Node) -> t.Term:
    """Return the term `heap(a, b, ...)`, a heap of the type `kind`. Raises LanguageError for invalid arguments.

    `args`: a term for each part, in the order of the ruleset.
    """
    wanted = [part for _, part in kind.parts]
    if len(args) != len(wanted) or any(unify(x.type, w) != w for x, w in zip(args, wanted, strict=True)):
        problem = f"heap({', '.join(str(x.type) for x in args)}) has no meaning"
        expected = f"heap({', '.join(f'{name}: {part}' for name, part in kind.parts)})"
        raise LanguageError(problem, expected, node.start, node.end)
    return t.Operation(kind, node.start, node.end, "heap", args)


def _hint(got: Type, wanted: Type, players: Players) -> str:
    return f": {' or '.join(players)}" if wanted == PLAYER else hint(got, wanted)


def suit_position(kind: Type, args: tuple[t.Term, ...], heap: Type | None) -> Type:
    """Return the type of a call: `kind`, except that `position([])` has the type of positions with the heaps `heap`.

    `heap`: the type of heaps with parts; None if heaps are numbers.
    """
    bare = kind == POSITION and len(args) == 1 and args[0].type.element == NOTHING
    return position_of(heap) if bare else kind


def _may_be_partizan(term: t.Term) -> bool:
    """Return whether a term is a game in quotes, or the result of a question such as `cool`.

    In these games the players may have different moves.
    """
    if isinstance(term, t.GameCall):
        return term.function in _COOLING
    return isinstance(term, t.Quotation)


def _has_no_heaps(term: t.Term) -> bool:
    """Return whether the term is written as `position([])`, which can be a position of every game."""
    return isinstance(term, t.Operation) and term.op == "position" and term.args[0].type.element == NOTHING


def _list_lengths(source: t.Term) -> list[int] | None:
    """Return the lengths of the lists that are the elements of `source`, if the text shows them; otherwise None."""
    match source:
        case t.Apply(function=function):
            return _list_lengths(function.body)
        case t.Collection(items=items):
            found = [len(x.items) for x in items if isinstance(x, t.Collection)]
            return found if len(found) == len(items) else None
        case t.Comprehension(reducer="list" | "set", body=t.Collection(items=items)):
            return [len(items)]
    return None


# == elaborate ========================================================================================================
# From syntax to typed terms: names are resolved, types checked, definitions instantiated.
#
# A text without a meaning raises a LanguageError that says what was expected. A definition is elaborated once for each
# combination of argument types in its calls. A definition that calls itself, directly or not, is rejected.
MAX_DEPTH = 100  # of terms, definitions included, because interpreters walk them recursively
MAX_RUNNING = 8  # nested running variables in the comprehensions of one text
MAX_INSTANCES = 500  # of definitions, one for each combination of argument types

COUNTED = "; count(...) is the number of conditions that are true, as in count(h > 1 for h in s)"
NO_GAME = (
    'a line such as ruleset = "nim", or a table [games]'  # expected where a text mentions a game and none is declared
)

NO_CIRCLE = (
    "a definition that does not call itself; write a repetition as a comprehension, such as sum(... for i in "
    "range(n)), and paths along edges by reachable(edges, v)"
)

_Scope = dict[str, tuple[str, Type]]  # name in the file -> (unique name, type)


@dataclass
class Elaborator:
    """A builder of typed terms from the texts of expressions, which may use the same variables, games and definitions.

    `variables`: the types of the variables by name. The mapping may grow between two texts.
    `without_game`: the text after "expected:" in the error for a question such as wins(s), if there is no game.
    `numbers`: the numbers that make the names of running variables unique.
    `heap`: the type of heaps with parts; None if heaps are numbers.
    `visible`: the variables that definitions may use; None for all variables.
    """

    variables: Mapping[str, Type]
    games: Mapping[str, GameFacts] = field(default_factory=dict)
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    without_game: str = NO_GAME
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    heap: Type | None = None
    visible: Collection[str] | None = None

    def __post_init__(self) -> None:
        self.constants: dict[str, tuple[Type, int]] = {"True": (BOOL, 1), "False": (BOOL, 0)}
        self.later: set[str] = set()  # names that the file declares later
        if self.games:
            self.constants |= {name: (OUTCOME, i) for i, name in enumerate(t.OUTCOMES)}
        for game in self.games.values():
            self.constants |= {name: (PLAYER, i) for i, name in enumerate(game.players)}
        self.used: set[str] = set()  # unique names of the variables that occur in a text
        self.called: set[str] = set()  # names of the definitions that a text calls, directly or not
        self._made: dict[tuple[str, tuple[Type, ...]], tuple[t.Function, int]] = {}  # the int: depth of the body
        self._elements: dict[str, tuple[t.Variable, int]] = {}  # by the unique name of a variable: the list that has it
        self._peeked: dict[int, tuple[Node, t.Term]] = {}  # by the id of a node: its term, elaborated in advance
        self._open: list[Definition] = []
        self._depth = self._deepest = self._running = 0

    def term(self, text: str, expected: Type | None = None) -> t.Term:
        """Return the term of `text`. Raises LanguageError, also if the term does not have the type `expected`."""
        self._open, self._depth, self._deepest, self._running = [], 0, 0, 0
        self._peeked.clear()
        tree = parse(text)
        scope = {n: (n, kind) for n, kind in self.variables.items()}
        if expected is None:
            return self._elaborate(tree, scope)
        if expected == RATIONAL:
            return convert(self._require_number(tree, scope), RATIONAL)
        return self._require(tree, scope, expected)

    def list_unknown(self, tree: s.Node, parameters: tuple[str, ...] = ()) -> Iterator[LanguageError]:
        """Yield the errors for unknown names and invalid calls in a syntax tree, without checking types.

        So a definition that is never called can be checked, although the types of its parameters are unknown.

        `parameters`: further names that the text may use.
        """
        vocabulary = NameScope(self.variables, self._offer_constants(), self.definitions, self.games, self.without_game)
        return vocabulary.list_faults(tree, (*parameters, *(v for v in self.variables if v not in parameters)))

    # -- nodes ----------------------------------------------------------------------------------------------------
    def _elaborate(self, node: s.Node, scope: _Scope) -> t.Term:
        if id(node) in self._peeked:
            return self._peeked.pop(id(node))[1]
        self._enter(1, node)
        term = self._elaborate_node(node, scope)
        self._depth -= 1
        return term

    def _enter(self, levels: int, node: s.Node) -> None:
        """Increase the depth of nesting by one. Raise LanguageError if the depth plus `levels` exceeds MAX_DEPTH.

        `levels`: the number of levels that the term of `node` needs.
        """
        self._deepest = max(self._deepest, self._depth + levels)
        self._depth += 1
        if self._deepest > MAX_DEPTH:
            raise LanguageError(
                f"the expression with its definitions is nested deeper than {MAX_DEPTH} levels",
                "less nesting; write a long sum as sum([a, b, ...])",
                node.start,
                node.end,
            )

    def _elaborate_node(self, node: s.Node, scope: _Scope) -> t.Term:
        a, b = node.start, node.end
        match node:
            case s.Numeral(value=value):
                return t.Literal(INT, a, b, value)
            case s.Quotation():
                return self._quote(node)
            case s.Name():
                return self._resolve(node, scope)
            case s.Unary(op="not", operand=x):
                return t.Operation(BOOL, a, b, "not", (self._require(x, scope, BOOL, " after 'not'"),))
            case s.Unary(op=op, operand=x):
                inner = self._elaborate(x, scope)
                if inner.type == GAME and op == "-":
                    return t.Operation(GAME, a, b, "negate_game", (inner,))
                inner = require_number(inner, x, f" after {op!r}")
                return inner if op == "+" else t.Operation(inner.type, a, b, "neg", (inner,))
            case s.Binary():
                return self._calculate(node, scope)
            case s.Compare(first=first, links=links):
                return self._compare(node, first, links, scope)
            case s.Logic(op=op, parts=parts):
                made = tuple(self._require(p, scope, BOOL, f" on each side of {op!r}") for p in parts)
                return t.AllOf(BOOL, a, b, made) if op == "and" else t.AnyOf(BOOL, a, b, made)
            case s.ConditionalNode(condition=c, then=x, other=y):
                # Follow the order of the text, so that the first fault is reported.
                then = self._elaborate(x, scope)
                condition = self._require(c, scope, BOOL, " between 'if' and 'else'")
                other = self._elaborate(y, scope)
                kind = find_common_type(
                    then, other, self._players, "two values of one type before 'if' and after 'else'"
                )
                return t.IfElse(kind, a, b, condition, convert(then, kind), convert(other, kind))
            case s.Display(kind=kind, items=items):
                return collect(kind, [self._elaborate(i, scope) for i in items], node)
            case s.Generator(kind="bare"):
                raise LanguageError(
                    "a comprehension outside brackets must be the only argument of a call",
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
            if unique in self._elements:
                unpacked, i = self._elements[unique]
                return pick_out(unpacked, t.Literal(INT, node.start, node.end, i), node)
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
        """Return the names of the constants in the order of suggestions: players, outcomes, truth values."""
        kinds = (PLAYER, OUTCOME, BOOL)
        return sorted(self.constants, key=lambda c: kinds.index(self.constants[c][0]))

    def _refuse_attribute(self, node: s.Name, scope: _Scope) -> LanguageError:
        """Return the error for a dotted name, such as `game.word`, that is not a part of a heap or a question."""
        collections = [name for name, (_, kind) in scope.items() if items_of(kind)]
        return refuse_attribute(node, self.games, collections)

    def _calculate(self, node: s.Binary, scope: _Scope) -> t.Term:
        op = SIGNS[node.op]
        if op == "add":
            x, y = (self._elaborate(part, scope) for part in (node.left, node.right))
            if GAME in (x.type, y.type):
                return combine(op, x, y, node)
            if x.type.is_position or y.type.is_position:
                return join(x, y, node)
            if "list" in (x.type.kind, y.type.kind):
                return join_lists(x, y, node)
            role = f" on each side of {node.op!r}"
            x, y = require_number(x, node.left, role), require_number(y, node.right, role)
            return calculate(op, x, y, node, self._players)
        if op in _COMBINED:
            return self._subtract_or_multiply(op, node, scope)
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

    def _subtract_or_multiply(self, op: str, node: s.Binary, scope: _Scope) -> t.Term:
        """Return the term of a difference or a product of two numbers or two games. Raises LanguageError."""
        role = f" on each side of {node.op!r}"
        x = self._elaborate(node.left, scope)
        if x.type != GAME and not x.type.is_position:
            x = require_number(x, node.left, role)
        y = self._elaborate(node.right, scope)
        if GAME in (x.type, y.type):
            return combine(op, x, y, node)
        x, y = require_number(x, node.left, role), require_number(y, node.right, role)
        return calculate(op, x, y, node, self._players)

    def _quote(self, node: s.Quotation) -> t.Term:
        """Return the term of a game in quotes. Raises LanguageError, also for a text that does not look like a game."""
        try:
            check_quotation(node)
        except LanguageError:
            if any(sign in node.text for sign in "*^{|}"):
                raise
            raise LanguageError("a text in quotes has no meaning here", QUOTED, node.start, node.end) from None
        return t.Quotation(GAME, node.start, node.end, node.text)

    def _slice(self, node: s.Slice, scope: _Scope) -> t.Term:
        subject = self._elaborate(node.subject, scope)
        first, last = (
            None if bound is None else self._require(bound, scope, INT, " next to ':'")
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
                    f"a variable cannot run over {describe_type(source.type)}",
                    "a list, a set, a position, range(...) or options(...)",
                    source.start,
                    source.end,
                )
            self._running += 1
            if self._running > MAX_RUNNING:
                raise LanguageError(
                    f"more than {MAX_RUNNING} nested running variables",
                    "fewer comprehensions inside comprehensions; define inner comprehensions in [define]",
                    clause.name_start,
                    clause.name_start + len(clause.names[0]),
                )
            if len(clause.names) > 1:
                unique, conditions = self._unpack(clause, source, inner)
            else:
                unique, conditions = self._bind(clause.names[0], element, inner), []
            conditions += [self._require(c, inner, BOOL, " after 'if'") for c in clause.conditions]
            clauses.append(t.Clause(unique, source, tuple(conditions)))
        body = self._elaborate(node.body, inner)
        self._running -= len(clauses)
        if reducer in ("list", "set"):
            require_storable(body)
            kind: Type | None = Type(reducer, body.type)
        else:
            kind = reduce_type(reducer, body.type)
        if kind is None:
            wanted = "a condition, of type Bool" if reducer in ("any", "all", "count") else "a number"
            wanted += f": a part of the heap, such as {first_number(body.type)}" if body.type.parts else ""
            wanted += COUNTED if reducer == "sum" and body.type == BOOL else ""
            raise LanguageError(f"{reducer} cannot run over {describe_type(body.type)}", wanted, body.start, body.end)
        return t.Comprehension(kind, node.start, node.end, reducer, body, tuple(clauses))

    def _unpack(self, clause: s.SyntaxClause, source: t.Term, scope: _Scope) -> tuple[str, list[t.Term]]:
        """Add the variables of `for x, y in source` to `scope`, which is changed.

        They stand for the elements of a list, itself an element of `source`. Return a unique name of this list, such as
        "x_y'3", and a condition that has no value if the list has another length. There is no condition if `source`
        shows that all its lists have the right length. Raises LanguageError.
        """
        element, number = t.get_element_type(source), len(clause.names)
        if element.kind != "list" or element.element is None:
            expected = "one variable, or lists as elements, as in [(i, c[i]) for i in range(len(c))]"
            if element.parts:
                expected = f"one variable h, and its parts {join_words([f'h.{part}' for part, _ in element.parts])}"
            problem = f"{describe_type(element)} cannot be divided among {number} variables"
            raise LanguageError(problem, expected, source.start, source.end)
        lengths = _list_lengths(source)
        if wrong := [x for x in lengths or () if x != number]:
            problem = f"one of these elements is a list of {wrong[0]} elements"
            raise LanguageError(problem, f"lists of {number} elements, one for each variable", source.start, source.end)
        name = "_".join(clause.names)
        while name in scope or name in self.definitions or name in self.constants:
            name += "_"
        unique, at = f"{name}'{next(self.numbers)}", (source.start, source.end)
        whole = t.Variable(element, *at, unique)
        for i, each in enumerate(clause.names):
            self._elements[self._bind(each, element.element, scope)] = (whole, i)
        if lengths is not None:
            return unique, []
        length = t.Operation(INT, *at, "len", (whole,))
        fits = t.Operation(BOOL, *at, "eq", (length, t.Literal(INT, *at, number)))
        beyond = t.Operation(element.element, *at, "index", (whole, length))
        other = t.Literal(INT, *at, 0) if element.element == INT else beyond
        return unique, [t.AnyOf(BOOL, *at, (fits, t.Operation(BOOL, *at, "eq", (beyond, other))))]

    def _bind(self, name: str, kind: Type, scope: _Scope) -> str:
        """Add a running variable or a parameter to `scope`, which is changed. Return its unique name, such as "h'3"."""
        unique = f"{name}'{next(self.numbers)}"
        scope[name] = (unique, kind)
        return unique

    def _count(self, node: s.Method, scope: _Scope) -> t.Term:
        subject = self._elaborate(node.subject, scope)
        if node.name != "count" or items_of(subject.type) is None:
            raise LanguageError(
                f"{describe_type(subject.type)} has no .{node.name}",
                "c.count(x), where c is a list, a set or a position",
                node.start,
                node.end,
            )
        if len(node.arguments) != 1:
            problem = f".count is called with {format_count(len(node.arguments), 'argument')}"
            raise LanguageError(problem, ".count(x), with one argument", node.start, node.end)
        item = require_element(subject, self._elaborate(node.arguments[0], scope))
        return t.Operation(INT, node.start, node.end, "occurrences", (subject, item))

    # -- calls ----------------------------------------------------------------------------------------------------
    def _call(self, node: s.Call, scope: _Scope) -> t.Term:
        name, arguments = node.function.name, node.arguments
        if self._is_question(node):
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
            if name == "position" and self.heap is not None:
                found = f"{t.write_heap_example(self.heap)}: a list of heaps, each with its parts"
            elif name == "position" and len(args) > 1:
                found = "its heaps as one list: position([a, b])"
            elif name == "sum" and len(args) == 1 and args[0].type.element == BOOL:
                found += COUNTED
            raise LanguageError(f"{name}({types}) has no meaning", found, node.start, node.end)
        if name == "put" and (back := _read_negative(args[1])) is not None:
            text = _name_list(args[0])
            raise refuse_negative(args[1], f"put({text}, len({text}) - {back}, ...)")
        op, kind = found[0], suit_position(found[1], args, self.heap)
        if op == "range" and len(args) == 1:
            args = (t.Literal(INT, node.start, node.start, 0), *args)
        if op in ("largest", "smallest"):
            args = tuple(convert(x, kind) for x in args)
        return t.Operation(kind, node.start, node.end, op, args)

    def _is_question(self, node: s.Call) -> bool:
        """Return whether a call is a question about a game. A definition with the name of a question replaces it."""
        name = node.function.name
        return bool(node.function.game) or (name in QUESTIONS and name not in self.definitions)

    def _refuse_function(self, node: s.Name, scope: _Scope) -> LanguageError:
        name = node.name
        if name in scope or name in self.constants:
            kind = scope[name][1] if name in scope else self.constants[name][0]
            expected = f"{name}[i] for one of its elements" if items_of(kind) else "an operator after it"
            return LanguageError(f"{name!r} is {describe_type(kind)}, not a function", expected, node.start, node.end)
        return refuse_function(node, self.definitions)

    def _ask(self, node: s.Call, scope: _Scope) -> t.Term:
        function = node.function
        if function.name == "heap" and function.game in self.games:
            return self._make_heap_of(node, scope)
        if function.name not in QUESTIONS:
            raise refuse_question(function) if function.game in self.games else self._refuse_attribute(function, scope)
        if self._is_about_games(node, scope):
            return self._ask_about_games(node, scope)
        game = find_game(function, self.games, self.without_game)
        facts = self.games[game]
        wanted, mover_left_out = find_parameters(node, facts)
        read = self._read_compared if function.name in COMPARING else self._read_argument
        args = [read(x, scope, w) for x, w in zip(node.arguments, wanted, strict=True)]
        if mover_left_out:
            args.append(t.Literal(facts.mover, node.start, node.start, 0))
        kind, named = facts.suit(QUESTIONS[function.name].result), bool(function.game)
        return t.GameCall(kind, node.start, node.end, function.name, game, tuple(args), named, facts.may_draw)

    def _read_argument(self, node: s.Node, scope: _Scope, wanted: Type) -> t.Term:
        if wanted == RATIONAL:
            return convert(self._require_number(node, scope), RATIONAL)
        return self._require(node, scope, wanted)

    def _read_compared(self, node: s.Node, scope: _Scope, wanted: Type) -> t.Term:
        """Return the term for an argument of a question such as `le` or `heat`.

        It is a game in quotes, a question of type Game such as `cool(s, 1)`, or an expression. `wanted`: the type of
        positions; Game for an argument that may be a number; Rational for an argument that must be one.
        """
        if isinstance(node, s.Quotation) and wanted == RATIONAL:
            raise LanguageError(
                "a game in quotes is not a number here", "a number, such as 1 / 2", node.start, node.end
            )
        if wanted == RATIONAL:
            return self._read_argument(node, scope, wanted)
        if isinstance(node, s.Quotation):
            check_quotation(node)
            return t.Quotation(GAME, node.start, node.end, node.text)
        asked = isinstance(node, s.Call) and self._is_question(node)
        term = self._ask(node, scope) if isinstance(node, s.Call) and asked else self._elaborate(node, scope)
        return require_game(term, node, wanted, self._players)

    def _make_heap_of(self, node: s.Call, scope: _Scope) -> t.Term:
        """Return the term of `g.heap(a, b, ...)`, a heap of the game g. Raises LanguageError."""
        name = node.function.game
        heap = self.games[name].heap
        if heap is None:
            problem = f"the heaps of {name} are numbers"
            raise LanguageError(problem, "a number instead of heap(...)", node.start, node.end)
        return make_heap(heap, tuple(self._elaborate(x, scope) for x in node.arguments), node)

    # -- games as values ------------------------------------------------------------------------------------------
    def _is_about_games(self, node: s.Call, scope: _Scope) -> bool:
        """Return whether an argument of a question has the type Game. The question is then not about a single game.

        A question such as `equals(s, '^*')` or `le(s, cool(t, 1))` is about one game.
        """
        name = node.function.name
        if not QUESTIONS[name].of_games or not self.games:
            return False
        asked = zip(node.arguments, QUESTIONS[name].parameters, strict=False)
        games = [x for x, kind in asked if kind in (POSITION, GAME) and self._gives_game(x, scope)]
        simple = name in COMPARING and all(isinstance(x, s.Quotation) or self._is_cooled(x) for x in games)
        return bool(games) and not (simple and self._find_own_game(node.function))

    def _gives_game(self, node: s.Node, scope: _Scope) -> bool:
        """Return whether a term has the type Game. A call of a definition or of `sum` is elaborated, and kept."""
        match node:
            case s.Quotation():
                return True
            case s.Unary(operand=x):
                return self._gives_game(x, scope)
            case s.Binary(left=x, right=y, op="+" | "-" | "*") | s.ConditionalNode(then=x, other=y):
                return self._gives_game(x, scope) or self._gives_game(y, scope)
            case s.Name(name=name, game="") if name in scope:
                return scope[name][1] == GAME
            case s.Call(function=function) if self._is_question(node) and function.name in QUESTIONS:
                return QUESTIONS[function.name].result == GAME
            case s.Call(function=s.Name(name=name, game="")) | s.Name(name=name, game="") if (
                name in self.definitions or (name == "sum" and isinstance(node, s.Call))
            ):
                term = self._elaborate(node, scope)
                self._peeked[id(node)] = node, term
                return term.type == GAME
            case s.Call(function=s.Name(name=name, game="")):
                return name == "ordinal_sum"
        return False

    def _is_cooled(self, node: s.Node) -> bool:
        """Return whether a node is a question such as cool(s, t), whose result is a game and not a position."""
        return isinstance(node, s.Call) and node.function.name in _COOLING and self._is_question(node)

    def _find_own_game(self, function: s.Name) -> str:
        """Return the game that a question names, or the only game of the claim; "" if there is neither.

        Raises LanguageError if the question names an unknown game.
        """
        if function.game or len(self.games) == 1:
            return find_game(function, self.games, self.without_game)
        return ""

    def _ask_about_games(self, node: s.Call, scope: _Scope) -> t.Term:
        """Return the term of a question about games as values, such as `grundy(a.game(s) + b.game(t))`.

        Raises LanguageError.
        """
        function, asked = node.function, QUESTIONS[node.function.name]
        own, count = self._find_own_game(function), len(asked.parameters)
        head = asked.head.replace("(s", "(G").replace(", t)", ", H)" if asked.parameters[-1] == POSITION else ", t)")
        problem = f"{function.name} is called with {format_count(len(node.arguments), 'argument')}"
        if not count <= len(node.arguments) <= count + asked.mover:
            raise LanguageError(problem, head, node.start, node.end)
        args = [
            self._read_game(x, scope, own) if kind == POSITION else self._read_compared(x, scope, kind)
            for x, kind in zip(node.arguments, asked.parameters, strict=False)
        ]
        games = {name: self.games[name] for name in sorted(t.names_of(args)[1])}
        require_shared_players(games, node)
        if asked.mover and len(node.arguments) > count:
            args.append(self._require(node.arguments[-1], scope, PLAYER))
        elif asked.mover:
            impartial = all(facts.impartial for facts in games.values())
            if not impartial or any(map(_may_be_partizan, walk_through((*args,)))):
                why = "; not all games are impartial: name the mover"
                raise LanguageError(problem, head + why, node.start, node.end)
            args.append(t.Literal(PLAYER, node.start, node.start, 0))
        return t.GameCall(asked.result, node.start, node.end, function.name, "", tuple(args))

    def _read_game(self, node: s.Node, scope: _Scope, own: str) -> t.Term:
        """Return the term of a game. A position s becomes `own.game(s)`. Raises LanguageError.

        `own`: the name of the game of positions; "" if they must name their game.
        """
        if isinstance(node, s.Quotation):
            check_quotation(node)
            return t.Quotation(GAME, node.start, node.end, node.text)
        term = self._elaborate(node, scope)
        if term.type == GAME:
            return term
        if own:
            facts = self.games[own]
            term = require_type(term, node, facts.suit(POSITION), "", "", self._players)
            require_normal_play(node, facts)
            return t.GameCall(GAME, node.start, node.end, "game", own, (term,), len(self.games) > 1)
        expected = "a game, such as '^*'"
        if term.type.is_position:
            expected = f"one of {join_words([f'{name}.game(...)' for name in self.games])}"
        raise LanguageError(f"this is {describe_type(term.type)}", expected, node.start, node.end)

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
        """Return the typed form of a definition for arguments of these types, and the depth of nesting of its body.

        Raises LanguageError, also if the definition calls itself. `node`: the call, for the error.
        """
        if found in self._open:
            circle = [d.name for d in self._open[self._open.index(found) :]] + [found.name]
            problem = f"the definition of {found.name!r} is circular: {' -> '.join(circle)}"
            raise CircleError(problem, NO_CIRCLE, node.start, node.end)
        if len(self._made) >= MAX_INSTANCES:
            raise LanguageError(
                f"more than {MAX_INSTANCES} combinations of a definition and the types of its arguments",
                "fewer definitions",
                node.start,
                node.end,
            )
        self.called.add(found.name)
        visible = self.variables if self.visible is None else self.visible
        scope: _Scope = {n: (n, kind) for n, kind in self.variables.items() if n in visible}
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
