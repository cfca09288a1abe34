"""The types of the claim language and its typed terms, which every interpretation works on.

The static types of the claim language.

>>> str(list_of(INT)), str(set_of(POSITION))
('list of Int', 'set of Position')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


# == types ============================================================================================================
@dataclass(frozen=True, slots=True)
class Type:
    """`kind` is Int, Rational, Bool, Player, Position, Heap, Outcome, Nothing, list or set.

    `element`: of a list or set; of a Position whose heaps have parts, the type of its heaps.  `parts`: of a Heap, the
    name and the type of each part.
    """

    kind: str
    element: Type | None = None
    parts: tuple[tuple[str, Type], ...] = ()

    def __eq__(self, other: object) -> bool:
        """Asked of almost every term: the same object is equal at once."""
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
    def is_position(self) -> bool:
        """Whether its heaps are numbers or have parts."""
        return self.kind == "Position"


INT = Type("Int")
RATIONAL = Type("Rational")
BOOL = Type("Bool")
PLAYER = Type("Player")
POSITION = Type("Position")
OUTCOME = Type("Outcome")
NOTHING = Type("Nothing")  # the element type of an empty display: fits every other


def list_of(element: Type) -> Type:
    return Type("list", element)


def set_of(element: Type) -> Type:
    return Type("set", element)


def heap_of(*parts: tuple[str, Type]) -> Type:
    """A heap with these parts."""
    return Type("Heap", None, parts)


def position_of(heap: Type | None) -> Type:
    """Positions of such heaps; None: of heaps that are numbers.

    >>> str(position_of(heap_of(("c", list_of(INT))))), position_of(None) == POSITION
    ('Position', True)
    """
    return POSITION if heap is None else Type("Position", heap)


def first_number(heap: Type) -> str:
    """A number of a heap `h` with parts, as an expression: of its first part.

    >>> first_number(heap_of(("c", list_of(INT)), ("q", INT)))
    'h.c[0]'
    """
    name, kind = heap.parts[0]
    return f"h.{name}[0]" if kind.is_collection else f"h.{name}"


def unify(a: Type, b: Type) -> Type | None:
    """The common type of `a` and `b`, or None: equal types, an Int beside a Rational, an empty collection."""
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
    """What `for x in t` runs over: the elements of a list or set, the heaps of a position; else None."""
    return INT if t == POSITION else t.element


def describe_type(t: Type) -> str:
    """The type with its article.

    >>> describe_type(INT), describe_type(set_of(POSITION))
    ('an Int', 'a set of Position')
    """
    name = str(t) if t != NOTHING else "element of an empty list"
    return f"{'an' if name[0] in 'IOe' else 'a'} {name}"


def hint(got: Type, wanted: Type) -> str:
    """How to get from one type to the other where the two are easily mixed up, or an empty string."""
    if wanted.is_position and got.kind in ("list", "set"):
        return ": position([...]) makes one of a list"
    if wanted == POSITION and got == INT:
        return ": position([5]) is one heap of 5, position([3, 4]) are two heaps"
    if wanted == POSITION and got == PLAYER:
        return ": the position comes first, then who moves, as in wins(s, P1)"
    if wanted == BOOL:
        return ", such as wins(s)" if got.is_position else ", such as a comparison"
    if wanted == INT and got == RATIONAL:
        return ": // divides and takes the floor"
    if wanted == INT and got == POSITION:
        return ", such as sum(s) or len(s)"
    if wanted == INT and got == BOOL:
        return ": 1 if A else 0 makes one of a condition A"
    return ""


# == terms ============================================================================================================
# The typed terms that every interpretation of a claim works on: the referee, the encoders, the printed mathematics.
#
# A term is what remains of an expression once names are resolved and types are known.  There are ten kinds; all that is
# strict and ordinary is an `Operation`, so that an interpreter has ten cases and one table of operations.
#
# Values: Int is an unbounded integer, Rational an exact fraction, Bool a truth value, Player the 0-based index into the
# ruleset's players, Position a multiset of positive heap sizes, Outcome an index into `OUTCOMES`. Sets run in ascending
# order; positions are ordered by number of heaps, then total, then ascending heaps lexicographically.  Evaluation is
# lazy and left to right: `AllOf`, `AnyOf`, `IfElse` and the comprehensions of `any` and `all` stop as soon as the
# answer is known; the arguments of everything else are evaluated first, left to right.
OUTCOMES = ("P_position", "N_position", "first_wins", "second_wins")
"""Who wins under best play: the previous player, the next player (the mover), always the ruleset's first player,
always its second player, whoever moves first."""


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    type: Type
    start: int  # offsets into the text the term was written in, for messages
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
    """`a and b and ...`, lazily."""

    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AnyOf(Term):
    """`a or b or ...`, lazily."""

    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class IfElse(Term):
    condition: Term
    then: Term
    other: Term


@dataclass(frozen=True, slots=True, eq=False)
class Collection(Term):
    """`[a, b]` or `{a, b}`; `type.kind` tells which."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """`for variable in source if conditions`: the source is a list, set or position."""

    variable: str
    source: Term
    conditions: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comprehension(Term):
    """`reducer` is any, all, sum, max, min, mex, nim_sum, count, list or set."""

    reducer: str
    body: Term
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GameCall(Term):
    """A question about the game `game` of the claim.

    `function` is one of `questions.QUESTIONS`.  Where the file leaves the mover out (an impartial ruleset) the first
    player is filled in.
    `named`: the text names the game, as it must where there are several.  `endless`: play may go on for ever there, so
    that who does not win need not lose.
    """

    function: str
    game: str
    args: tuple[Term, ...]
    named: bool = False
    endless: bool = False

    @property
    def called(self) -> str:
        """The function as the text calls it, with the game if that is named."""
        return f"{self.game}.{self.function}" if self.named else self.function

    @property
    def written(self) -> tuple[Term, ...]:
        """The arguments without a mover that the file leaves out: it has no width in a text that has some."""
        *args, mover = self.args
        return tuple(args) if args and mover.start == mover.end and self.start < self.end else self.args


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A definition at one choice of argument types; shared by all its calls."""

    name: str
    parameters: tuple[str, ...]  # unique names
    body: Term


@dataclass(frozen=True, slots=True, eq=False)
class Apply(Term):
    """A call of a definition: arguments first (eagerly, left to right), then the body."""

    function: Function
    args: tuple[Term, ...]


def subterms(term: Term) -> tuple[Term, ...]:
    """The immediate parts of `term`, in evaluation order; a called definition's body is not among them."""
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
    """The type of what runs over a list, a set, a position."""
    kind = items_of(source.type)
    assert kind is not None
    return kind


def names_of(terms: Iterable[Term]) -> tuple[set[str], set[str]]:
    """The variables that the terms mention and the games they ask about, called definitions included."""
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
    """The parts that a condition demands together; the condition itself if there is only one."""
    if not isinstance(term, AllOf):
        yield term
        return
    for part in term.args:
        yield from conjuncts(part)
