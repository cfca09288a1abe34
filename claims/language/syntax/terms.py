"""The types of the claim language, and the typed terms that every interpretation uses.

>>> str(list_of(INT)), str(set_of(POSITION))
('list of Int', 'set of Position')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


# == types ============================================================================================================
@dataclass(frozen=True, slots=True)
class Type:
    """A static type. `kind` is Int, Rational, Bool, Player, Position, Heap, Outcome, Nothing, list or set.

    `element`: the type of the elements of a list or set; for a Position whose heaps have parts, the type of the heaps.
    `parts`: the name and the type of each part of a Heap.
    """

    kind: str
    element: Type | None = None
    parts: tuple[tuple[str, Type], ...] = ()

    def __eq__(self, other: object) -> bool:
        """Return whether two types are equal. Almost every term calls this, so identical objects are compared first."""
        return self is other or (
            isinstance(other, Type)
            and (self.kind, self.element, self.parts) == (other.kind, other.element, other.parts)
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.element))

    def __str__(self) -> str:
        return f"{self.kind} of {self.element}" if self.is_collection else self.kind

    @property
    def is_collection(self) -> bool:
        return self.kind in ("list", "set")

    @property
    def is_nested(self) -> bool:
        """Whether this is a type of lists or sets whose elements are lists."""
        return self.is_collection and self.element is not None and self.element.is_collection

    @property
    def is_position(self) -> bool:
        """Whether this is a type of positions. Their heaps are numbers or have parts."""
        return self.kind == "Position"


INT = Type("Int")
RATIONAL = Type("Rational")
BOOL = Type("Bool")
PLAYER = Type("Player")
POSITION = Type("Position")
OUTCOME = Type("Outcome")
NOTHING = Type("Nothing")  # the element type of an empty display; unifies with every type


def list_of(element: Type) -> Type:
    return Type("list", element)


def set_of(element: Type) -> Type:
    return Type("set", element)


def heap_of(*parts: tuple[str, Type]) -> Type:
    """Return the type of a heap with these parts."""
    return Type("Heap", None, parts)


def position_of(heap: Type | None) -> Type:
    """Return the type of positions whose heaps have this type. If the type is None, the heaps are numbers.

    >>> str(position_of(heap_of(("c", list_of(INT))))), position_of(None) == POSITION
    ('Position', True)
    """
    return POSITION if heap is None else Type("Position", heap)


def first_number(heap: Type) -> str:
    """Return an expression for a number in the first part of a heap `h`.

    >>> first_number(heap_of(("c", list_of(INT)), ("q", INT)))
    'h.c[0]'
    """
    name, kind = heap.parts[0]
    return f"h.{name}[0]" if kind.is_collection else f"h.{name}"


def unify(a: Type, b: Type) -> Type | None:
    """Return the common type of `a` and `b`, or None.

    Equal types unify, Int with Rational, and the element type of an empty list or set with every type. Two lists, sets
    or positions unify if their element types do, except Int with Rational.
    """
    if a == b:
        return a
    if {a, b} == {INT, RATIONAL}:
        return RATIONAL
    if a == NOTHING:
        return b
    if b == NOTHING:
        return a
    if a.element and b.element and a.kind == b.kind:
        inner = unify(a.element, b.element)
        return Type(a.kind, inner) if inner and RATIONAL not in (a.element, b.element) else None
    return None


def items_of(t: Type) -> Type | None:
    """Return the type of x in `for x in t`: elements of a list or set, heaps of a position; None for other types."""
    return INT if t == POSITION else t.element


def describe_type(t: Type) -> str:
    """Return the type with its article.

    >>> describe_type(INT), describe_type(set_of(POSITION))
    ('an Int', 'a set of Position')
    """
    name = str(t) if t != NOTHING else "element of an empty list"
    return f"{'an' if name[0] in 'IOe' else 'a'} {name}"


def hint(got: Type, wanted: Type) -> str:
    """Return a hint on how to convert `got` to `wanted`, for types that are easily confused; otherwise ""."""
    if wanted.is_position and got.kind in ("list", "set"):
        return ": position([...]) turns a list into one"
    if wanted == POSITION and got == INT:
        return ": position([5]) is one heap of 5, position([3, 4]) are two heaps"
    if wanted == POSITION and got == PLAYER:
        return ": the position comes first, then the mover, as in wins(s, P1)"
    if wanted == BOOL:
        return ", such as wins(s)" if got.is_position else ", such as a comparison"
    if wanted == INT and got == RATIONAL:
        return ": use // to divide and take the floor"
    if wanted == INT and got == POSITION:
        return ", such as sum(s) or len(s)"
    if wanted == INT and got == BOOL:
        return ": 1 if A else 0 turns a condition A into one"
    return ""


# == terms ============================================================================================================
# The typed terms of a claim. Every interpretation uses them: the referee, the encoders, the printed mathematics.
#
# A term is an expression with resolved names and known types. There are ten kinds of terms. Every strict operation is
# an `Operation`, so an interpreter needs ten cases and one table of operations.
#
# Values: Int is an unbounded integer, Rational an exact fraction, Bool a truth value, Player the 0-based index into the
# ruleset's players, Position a multiset of positive heap sizes, Outcome an index into `OUTCOMES`. Sets run in ascending
# order. Positions are ordered by number of heaps, then total, then ascending heaps lexicographically.
#
# Evaluation goes from left to right. `AllOf`, `AnyOf`, `IfElse` and the comprehensions of `any` and `all` are lazy:
# they stop when the result is determined. Every other term first evaluates its arguments.
OUTCOMES = ("P_position", "N_position", "first_wins", "second_wins")
"""The winner under best play: the previous player, the next player (the mover), always the first player of the ruleset,
or always its second player.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    type: Type
    start: int  # offsets in the source text, for messages
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Term):
    value: int  # a Bool is stored as 0 or 1


@dataclass(frozen=True, slots=True, eq=False)
class Variable(Term):
    name: str  # unique within a claim: bound names carry a number, as in "t'3"


@dataclass(frozen=True, slots=True, eq=False)
class Operation(Term):
    """A strict operation; `op` is a key of `claims.language.syntax.builtins.BUILTINS`."""

    op: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AllOf(Term):
    """The term `a and b and ...`, evaluated lazily."""

    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AnyOf(Term):
    """The term `a or b or ...`, evaluated lazily."""

    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class IfElse(Term):
    condition: Term
    then: Term
    other: Term


@dataclass(frozen=True, slots=True, eq=False)
class Collection(Term):
    """The term `[a, b]` or `{a, b}`, according to `type.kind`."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause `for variable in source if conditions`. The source is a list, set or position."""

    variable: str
    source: Term
    conditions: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comprehension(Term):
    """A comprehension, such as `count(h > 1 for h in s)`. Each `for`, with its conditions, is one clause.

    `reducer` is any, all, sum, max, min, mex, nim_sum, count, list or set.
    """

    reducer: str
    body: Term
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GameCall(Term):
    """A question about the game `game` of the claim.

    `function`: one of `questions.QUESTIONS`.
    `args`: the arguments. If the file omits the mover (an impartial ruleset), the first player is filled in.
    `named`: whether the text names the game, which is required if there are several.
    `endless`: whether the game is loopy, so that a player who does not win need not lose.
    """

    function: str
    game: str
    args: tuple[Term, ...]
    named: bool = False
    endless: bool = False

    @property
    def called(self) -> str:
        """The name of the function in the text, with the name of the game before it if the text contains that name."""
        return f"{self.game}.{self.function}" if self.named else self.function

    @property
    def written(self) -> tuple[Term, ...]:
        """The arguments in the text, without a filled-in mover. A filled-in mover has no width in the text."""
        *args, mover = self.args
        return tuple(args) if args and mover.start == mover.end and self.start < self.end else self.args


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A definition, elaborated for one combination of argument types. All calls with these types share it."""

    name: str
    parameters: tuple[str, ...]  # unique names
    body: Term


@dataclass(frozen=True, slots=True, eq=False)
class Apply(Term):
    """A call of a definition. The arguments are evaluated first, from left to right, then the body."""

    function: Function
    args: tuple[Term, ...]


def subterms(term: Term) -> tuple[Term, ...]:
    """Return the immediate parts of `term` in evaluation order, without the body of a called definition."""
    match term:
        case Operation(args=args) | AllOf(args=args) | AnyOf(args=args) | GameCall(args=args) | Apply(args=args):
            return args
        case Collection(items=items):
            return items
        case IfElse(condition=c, then=t, other=o):
            return (c, t, o)
        case Comprehension(body=body, clauses=clauses):
            return (*(x for c in clauses for x in (c.source, *c.conditions)), body)
        case _:
            return ()


def get_element_type(source: Term) -> Type:
    """Return the type of the elements of a list or set, or of the heaps of a position."""
    kind = items_of(source.type)
    assert kind is not None
    return kind


def names_of(terms: Iterable[Term]) -> tuple[set[str], set[str]]:
    """Return the variables in the terms, and the games that the terms ask about.

    The terms inside called definitions count too.
    """
    variables, games, seen = set[str](), set[str](), set[int]()
    todo = list(terms)
    while todo:
        term = todo.pop()
        if isinstance(term, Variable):
            variables.add(term.name)
        elif isinstance(term, GameCall):
            games.add(term.game)
        elif isinstance(term, Apply) and id(term.function) not in seen:
            seen.add(id(term.function))
            todo.append(term.function.body)
        todo += subterms(term)
    return variables, games


def conjuncts(term: Term) -> Iterator[Term]:
    """Split a condition into the parts that it joins with `and`."""
    if not isinstance(term, AllOf):
        yield term
        return
    for part in term.args:
        yield from conjuncts(part)
