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
    """The type of an expression, known before the expression is evaluated.

    `kind`: Int, Rational, Bool, Player, Position, Heap (a heap with parts), Outcome, Game, list, set, or
    Nothing (the type of the elements of an empty list or set).
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
        """Whether this is the type of positions of some game. Heaps may be numbers or have parts."""
        return self.kind == "Position"


INT = Type("Int")
RATIONAL = Type("Rational")
BOOL = Type("Bool")
PLAYER = Type("Player")
POSITION = Type("Position")
OUTCOME = Type("Outcome")
GAME = Type("Game")  # the type of a game in quotes, of a cooled game, and of game(s), which can be added
NOTHING = Type("Nothing")  # the element type of an empty display; unifies with every type


def list_of(element: Type) -> Type:
    return Type("list", element)


def set_of(element: Type) -> Type:
    return Type("set", element)


def heap_of(*parts: tuple[str, Type]) -> Type:
    """Return the type of heaps with these parts, each given by its name and its type."""
    return Type("Heap", None, parts)


def position_of(heap: Type | None) -> Type:
    """Return the type of positions whose heaps have the type `heap`. None means that heaps are numbers.

    >>> str(position_of(heap_of(("c", list_of(INT))))), position_of(None) == POSITION
    ('Position', True)
    """
    return POSITION if heap is None else Type("Position", heap)


def first_number(heap: Type) -> str:
    """Return an expression for some number in the first part of a heap `h`, as an example in a message.

    >>> first_number(heap_of(("c", list_of(INT)), ("q", INT)))
    'h.c[0]'
    """
    name, kind = heap.parts[0]
    return f"h.{name}[0]" if kind.is_collection else f"h.{name}"


def unify(a: Type, b: Type) -> Type | None:
    """Return the type to which values of both types can be converted, or None if there is no such type.

    Equal types have this common type. Int and Rational have the common type Rational. The element type of an empty list
    fits every type. Two types of lists have a common type if their elements do; the same holds for sets and positions.
    But a list of Int is never converted to a list of Rational.
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
    """Return the type of x in `for x in c` for a collection c of the type t.

    It is the type of the elements of a list or set, or of the heaps of a position. Return None for other types t.
    """
    return INT if t == POSITION else t.element


def describe_type(t: Type) -> str:
    """Return a type with an article, for a message.

    >>> describe_type(INT), describe_type(set_of(POSITION))
    ('an Int', 'a set of Position')
    """
    name = str(t) if t != NOTHING else "element of an empty list"
    return f"{'an' if name[0] in 'IOe' else 'a'} {name}"


def write_heap_example(heap: Type) -> str:
    """Return an example of a position of one heap with parts: `position([heap(a, c)])` if the parts are a and c."""
    return f"position([heap({', '.join(name for name, _ in heap.parts)})])"


def hint(got: Type, wanted: Type) -> str:
    """Return a hint for a message: how to get a value of the type `wanted` from a value of the type `got`.

    Return "" unless the two types are easily confused. A hint begins with ":" or ",".
    """
    if wanted.is_position and wanted.element is not None and wanted.element.parts and got.kind != "Player":
        return f": {write_heap_example(wanted.element)}, because the heaps of the game have parts"
    if wanted.is_position and got.kind in ("list", "set"):
        return ": position([...]) turns a list into a position"
    if wanted == POSITION and got == INT:
        return ": position([5]) has one heap of 5, position([3, 4]) has two heaps"
    if wanted == POSITION and got == PLAYER:
        return ": the position comes first, then the mover, as in wins(s, P1)"
    if wanted == BOOL:
        return ", such as wins(s)" if got.is_position else ", such as a comparison"
    if wanted == INT and got == RATIONAL:
        return ": use // to divide and take the floor"
    if wanted == INT and got == POSITION:
        return ", such as sum(s) or len(s)"
    if wanted == INT and got == BOOL:
        return ": 1 if A else 0 turns a condition A into a number"
    return ""


# == terms ============================================================================================================
# The typed terms of a claim. Every interpretation uses them: the referee, the encoders, the printed mathematics.
#
# A term is an expression with resolved names and known types. There are eleven kinds of terms. Every strict operation
# is an `Operation`, so an interpreter needs eleven cases and one table of operations.
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
class Quotation(Term):
    """A game in quotes, such as '{1|*}'.

    `text`: the text without the quotes. `parse_game` returns the game.
    """

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Variable(Term):
    name: str  # unique within a claim: bound names carry a number, as in "t'3"


@dataclass(frozen=True, slots=True, eq=False)
class Operation(Term):
    """An operation, such as `x + y` or `max(c)`, whose arguments are all evaluated first.

    `op`: the name of the operation, a key of `claims.language.syntax.builtins.BUILTINS`.
    """

    op: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AllOf(Term):
    """The term `a and b and ...`. Evaluation stops at the first argument that is false."""

    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AnyOf(Term):
    """The term `a or b or ...`. Evaluation stops at the first argument that is true."""

    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class IfElse(Term):
    condition: Term
    then: Term
    other: Term


@dataclass(frozen=True, slots=True, eq=False)
class Collection(Term):
    """A list `[a, b]` or a set `{a, b}` that is written with its elements. `type.kind` is "list" or "set"."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause `for variable in source if conditions`. The source is a list, set or position."""

    variable: str
    source: Term
    conditions: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comprehension(Term):
    """A comprehension `reducer(body for x in c if ...)`, such as `count(h > 1 for h in s)`.

    `reducer`: any, all, sum, max, min, mex, nim_sum or count; list for `[... for ...]`, set for `{... for ...}`.
    `clauses`: each `for` with its conditions.
    """

    reducer: str
    body: Term
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GameCall(Term):
    """A question about a game of the claim, such as wins(s, mover) or grundy(s).

    `function`: the name of the question, a key of `questions.QUESTIONS`.
    `game`: the name of the game. It is "" if the question is about a term of type Game, such as a sum of positions of
    several games.
    `args`: the arguments. If the text omits the mover, the first player is inserted; the game is then impartial.
    `named`: whether the text names the game, as in `normal.wins(s)`. This is required if there are several games.
    `may_draw`: whether a position of the game may be a draw, so that a player who does not win need not lose.
    """

    function: str
    game: str
    args: tuple[Term, ...]
    named: bool = False
    may_draw: bool = False

    @property
    def called(self) -> str:
        """The function as it is called in the text: "wins", or "normal.wins" if the text names the game."""
        return f"{self.game}.{self.function}" if self.named else self.function

    @property
    def written(self) -> tuple[Term, ...]:
        """The arguments that the text contains. An inserted mover, which has no width in the text, is left out."""
        *args, mover = self.args
        return tuple(args) if args and mover.start == mover.end and self.start < self.end else self.args


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """The typed form of a definition for one combination of argument types. All calls with these types share it."""

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
    """Return the names of the variables in the terms, and the names of the games that the terms ask about.

    The bodies of called definitions are included.
    """
    variables, games, seen = set[str](), set[str](), set[int]()
    todo = list(terms)
    while todo:
        term = todo.pop()
        if isinstance(term, Variable):
            variables.add(term.name)
        elif isinstance(term, GameCall):
            games |= {term.game} - {""}
        elif isinstance(term, Apply) and id(term.function) not in seen:
            seen.add(id(term.function))
            todo.append(term.function.body)
        todo += subterms(term)
    return variables, games


def conjuncts(term: Term) -> Iterator[Term]:
    """Yield the conditions that a condition joins with `and`: a, b and c for `a and (b and c)`."""
    if not isinstance(term, AllOf):
        yield term
        return
    for part in term.args:
        yield from conjuncts(part)
