"""Terms that must fit where they stand: each function gives the term, fitted, or says what was expected there.

`players` are the names of the players of the games at hand, by which a missing one is offered.
"""

from __future__ import annotations

from dataclasses import replace

from claims.language.builtins.table import BUILTINS, SIGNS
from claims.language.grammar.syntax import Binary, Node
from claims.language.ground.errors import LanguageError, closest, join_words
from claims.language.terms import terms as t
from claims.language.terms.types import (
    BOOL,
    INT,
    NOTHING,
    PLAYER,
    POSITION,
    RATIONAL,
    Type,
    describe_type,
    hint,
    items_of,
    list_of,
    position_of,
    unify,
)

Players = tuple[str, ...]


def require_type(term: t.Term, node: Node, wanted: Type, role: str, note: str, players: Players) -> t.Term:
    """The term of `node`, which must be `wanted`. Raises LanguageError.

    `role` says where it stands, `note` what is easily missed.
    """
    if term.type == wanted or (wanted.is_collection and unify(term.type, wanted) == wanted):
        return term
    if wanted.is_position and _has_no_heaps(term):
        return replace(term, type=wanted)
    expected = f"{describe_type(wanted)}{role}{_hint(term.type, wanted, players)}{note}"
    raise LanguageError(f"this is {describe_type(term.type)}", expected, node.start, node.end)


def require_number(term: t.Term, node: Node, role: str) -> t.Term:
    """The term of `node`, which must be an Int or a Rational. Raises LanguageError."""
    if term.type not in (INT, RATIONAL):
        expected = f"a number{role}{hint(term.type, INT)}"
        raise LanguageError(f"this is {describe_type(term.type)}", expected, node.start, node.end)
    return term


def require_element(collection: t.Term, item: t.Term) -> t.Term:
    """`item` as something that may be in `collection`. Raises LanguageError."""
    element = items_of(collection.type)
    if element is None:
        raise LanguageError(
            f"{describe_type(collection.type)} has no elements",
            "a list, a set or a position",
            collection.start,
            collection.end,
        )
    if element == NOTHING:  # which fits every type, and a list is no element of any list
        require_flat(item)
    if element not in (item.type, NOTHING) and (item.type, element) != (INT, RATIONAL):
        problem = f"{describe_type(item.type)} is never in {describe_type(collection.type)}"
        raise LanguageError(problem, describe_type(element), item.start, item.end)
    return convert(item, element)


def require_flat(element: t.Term) -> None:
    """Refuse an element that is itself a list or a set. Raises LanguageError."""
    if element.type.is_collection:
        problem = f"{describe_type(element.type)} cannot be an element"
        expected = "elements that are no lists or sets; position([3, 4]) makes a position of a list"
        raise LanguageError(problem, expected, element.start, element.end)


def find_common_type(a: t.Term, b: t.Term, players: Players, expected: str = "two of one type") -> Type:
    """The type that both terms have or can be given. Raises LanguageError."""
    kind = unify(a.type, b.type)
    if kind is None:
        kinds = {a.type, b.type}
        why = ""
        if {a.type.kind, b.type.kind} == {"list", "set"}:
            why = ": a list is written [...], a set {...}"
        elif kinds == {POSITION, list_of(INT)}:
            why = hint(list_of(INT), POSITION)
        elif a.type.is_position and b.type.is_position:
            why = "; heaps have parts here, and heap(...) makes one"
        elif BOOL in kinds and kinds & {INT, RATIONAL} and expected == "two of one type":
            why = "; iff(A, B) says that two conditions agree, as in iff(wins(s), nim_sum(s) != 0)"
        elif PLAYER in kinds:
            why = "; a Player is" + _hint(INT, PLAYER, players).replace(":", "", 1)
        start, end = min(a.start, b.start), max(a.end, b.end)
        raise LanguageError(f"{describe_type(a.type)} beside {describe_type(b.type)}", expected + why, start, end)
    return kind


def convert(term: t.Term, kind: Type) -> t.Term:
    """The term, an Int as a Rational where that is the type."""
    if kind == RATIONAL and term.type == INT:
        return t.Operation(RATIONAL, term.start, term.end, "rational", (term,))
    return term


def is_whole(op: str, at: int) -> bool:
    """Whether an operand of a binary operator must be an Int, the other being one."""
    return isinstance(BUILTINS[op].typed((INT, RATIONAL) if at == 1 else (RATIONAL, INT)), str)


def calculate(op: str, x: t.Term, y: t.Term, node: Node, players: Players) -> t.Term:
    """A binary operator of arithmetic on two numbers. Raises LanguageError."""
    if not is_whole(op, 0) and not is_whole(op, 1):
        common = find_common_type(x, y, players)
        x, y = convert(x, common), convert(y, common)
    kind = BUILTINS[op].typed((x.type, y.type))
    assert isinstance(kind, Type), op
    return t.Operation(kind, node.start, node.end, op, (x, y))


def join(x: t.Term, y: t.Term, node: Binary) -> t.Term:
    """The sum of two positions, one of which may be a list of heaps. Raises LanguageError.

    Of two that are written down heap by heap it is written down as well.
    """
    kind = x.type if x.type.is_position else y.type
    parts = [_as_position(part, kind) for part in (x, y)]
    heaps = [part.args[0] if isinstance(part, t.Operation) and part.op == "position" else None for part in parts]
    first, second = heaps
    if isinstance(first, t.Collection) and isinstance(second, t.Collection):
        items = t.Collection(list_of(kind.element or INT), node.start, node.end, (*first.items, *second.items))
        return t.Operation(kind, node.start, node.end, "position", (items,))
    return t.Operation(kind, node.start, node.end, "join", tuple(parts))


def _as_position(part: t.Term, kind: Type) -> t.Term:
    if part.type in (list_of(kind.element or INT), list_of(NOTHING)):
        return t.Operation(kind, part.start, part.end, "position", (part,))
    if part.type != kind:
        expected = "a position, or a list of heaps such as [h]"
        raise LanguageError(
            f"{describe_type(part.type)} beside a position, with '+' between", expected, part.start, part.end
        )
    return part


def join_lists(left: t.Term, right: t.Term, node: Node) -> t.Term:
    """`c + d` of two lists. Raises LanguageError."""
    kind = unify(left.type, right.type)
    if kind is None or kind.kind != "list":
        at = right if left.type.kind == "list" else left
        expected = "a list, or a number, on each side of '+'"
        raise LanguageError(f"this is {describe_type(at.type)}", expected, at.start, at.end)
    return t.Operation(kind, node.start, node.end, "concat", (left, right))


def pick_out(c: t.Term, index: t.Term, node: Node) -> t.Term:
    """`c[index]` of a list or a position. Raises LanguageError."""
    element = items_of(c.type)
    if element is None or c.type.kind == "set":
        raise LanguageError(f"{describe_type(c.type)} has no index", "a list or a position", c.start, c.end)
    return t.Operation(element, node.start, node.end, "index", (c, index))


def cut_out(c: t.Term, first: t.Term | None, last: t.Term | None, node: Node) -> t.Term:
    """`c[first:last]` of a list; None: from the beginning, to the end. Raises LanguageError."""
    if c.type.kind != "list":
        raise LanguageError(f"{describe_type(c.type)} has no slices", "a list", c.start, c.end)
    if first is None:
        first = t.Literal(INT, node.start, node.start, 0)
    if last is None:
        last = t.Operation(INT, node.end, node.end, "len", (c,))
    return t.Operation(c.type, node.start, node.end, "slice", (c, first, last))


def relate(sign: str, left: t.Term, right: t.Term, span: tuple[int, int], players: Players) -> t.Term:
    """One link of a chain of comparisons, which stands at `span`. Raises LanguageError."""
    start, end = span
    if sign in ("in", "not in"):
        inside = t.Operation(BOOL, start, end, "in", (require_element(right, left), right))
        return inside if sign == "in" else t.Operation(BOOL, start, end, "not", (inside,))
    if _has_no_heaps(left) and right.type.is_position:
        left = replace(left, type=right.type)
    elif _has_no_heaps(right) and left.type.is_position:
        right = replace(right, type=left.type)
    kind = find_common_type(left, right, players)
    if sign not in ("==", "!=") and kind not in (INT, RATIONAL):
        raise LanguageError(f"{describe_type(kind)} has no order", "numbers on both sides, or == and !=", start, end)
    return t.Operation(BOOL, start, end, SIGNS[sign], (convert(left, kind), convert(right, kind)))


def collect(kind: str, parts: list[t.Term], node: Node) -> t.Term:
    """A list or a set ("list", "set") of these elements. Raises LanguageError."""
    element = NOTHING
    for part in parts:
        if element not in (NOTHING, part.type):
            raise LanguageError(
                f"a {kind} holds one type, and this is {describe_type(part.type)}",
                f"{describe_type(element)}, like what stands before it",
                part.start,
                part.end,
            )
        element = part.type
        require_flat(part)
    return t.Collection(Type(kind, element), node.start, node.end, tuple(parts))


def read_part(heap: t.Term, name: str, node: Node) -> t.Term:
    """`h.name`, a part of a heap; the name stands at the end of `node`. Raises LanguageError."""
    names = [part for part, _ in heap.type.parts]
    if name in names:
        at = names.index(name)
        place = t.Literal(INT, node.end, node.end, at)
        return t.Operation(heap.type.parts[at][1], node.start, node.end, "part", (heap, place))
    start = node.end - len(name)
    if not names:
        expected = ".count(x), of a list, a set or a position"
        raise LanguageError(f".{name} cannot stand here", expected, start, node.end)
    raise LanguageError(
        f"a heap has no part {name!r}", f"one of {join_words(names)}", start, node.end, closest(name, names)
    )


def make_heap(kind: Type, args: tuple[t.Term, ...], node: Node) -> t.Term:
    """`heap(...)`, with a value for each part, in the order of the ruleset. Raises LanguageError."""
    wanted = [part for _, part in kind.parts]
    if len(args) != len(wanted) or any(unify(x.type, w) != w for x, w in zip(args, wanted, strict=True)):
        problem = f"heap({', '.join(str(x.type) for x in args)}) has no meaning"
        expected = f"heap({', '.join(f'{name}: {part}' for name, part in kind.parts)})"
        raise LanguageError(problem, expected, node.start, node.end)
    return t.Operation(kind, node.start, node.end, "heap", args)


def _hint(got: Type, wanted: Type, players: Players) -> str:
    return f": {' or '.join(players)}" if wanted == PLAYER else hint(got, wanted)


def suit_position(kind: Type, args: tuple[t.Term, ...], heap: Type | None) -> Type:
    """The type `kind` of a call; `position([])` is one of heaps with parts where a game has such."""
    bare = kind == POSITION and len(args) == 1 and args[0].type.element == NOTHING
    return position_of(heap) if bare else kind


def _has_no_heaps(term: t.Term) -> bool:
    """Whether it is plainly `position([])`, which is a position of heaps of any type."""
    return isinstance(term, t.Operation) and term.op == "position" and term.args[0].type.element == NOTHING
