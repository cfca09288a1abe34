"""The untyped syntax tree of an expression, as it is written.

Nodes carry `start` and `end`, offsets into the expression's text, so that a later fault can be shown under a caret.
`elaborate` turns this tree into the typed terms of `terms`, which is what every encoder and the referee work on.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Numeral(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name, or `game.name` when `game` is not empty."""

    name: str
    game: str = ""


@dataclass(frozen=True, slots=True)
class Unary(Node):
    op: str  # "-", "+", "not"
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary(Node):
    op: str  # + - * // / % ** ^
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`first op1 x1 op2 x2 ...`: a chain, each link one of == != < <= > >= in, not in."""

    first: Node
    links: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Logic(Node):
    op: str  # "and", "or"
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ConditionalNode(Node):
    """`then if condition else other`."""

    condition: Node
    then: Node
    other: Node


@dataclass(frozen=True, slots=True)
class Display(Node):
    """`[a, b]` or `{a, b}`."""

    kind: str  # "list", "set"
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SyntaxClause:
    """`for name in source if c1 if c2`."""

    name: str
    name_start: int
    source: Node
    conditions: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Generator(Node):
    """`body for x in xs if c ...`: bare inside a call, or in brackets (`kind` is "list" or "set")."""

    kind: str  # "bare", "list", "set"
    body: Node
    clauses: tuple[SyntaxClause, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    function: Name
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Method(Node):
    """`subject.name(arguments)` where the subject is not a game."""

    subject: Node
    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class PartAccess(Node):
    """`subject.name` where the subject is no name: a part of a heap. Of a name it is a `Name`, as a game's question."""

    subject: Node
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    subject: Node
    index: Node


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """`subject[first:last]`; None: from the beginning, to the end."""

    subject: Node
    first: Node | None
    last: Node | None


def parts(node: Node) -> tuple[Node, ...]:
    """The immediate parts of a node in the order of the text; of a comprehension the body comes last.

    The name of a function that is called is not among them, nor are the names that run.
    """
    match node:
        case Unary(operand=x) | PartAccess(subject=x):
            return (x,)
        case Binary(left=x, right=y) | Index(subject=x, index=y):
            return (x, y)
        case Slice(subject=x, first=first, last=last):
            return (x, *(bound for bound in (first, last) if bound is not None))
        case Compare(first=first, links=links):
            return (first, *(x for _, x in links))
        case Logic(parts=xs) | Display(items=xs) | Call(arguments=xs):
            return xs
        case ConditionalNode(condition=c, then=x, other=y):
            return (x, c, y)
        case Generator(body=body, clauses=clauses):
            return (*(x for c in clauses for x in (c.source, *c.conditions)), body)
        case Method(subject=x, arguments=xs):
            return (x, *xs)
    return ()
