"""Heaps with parts: the [heap] section of a ruleset, the picture of a heap, and the moves that change parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Protocol

from claims.language.errors import ClaimError, find_closest, format_count, join_words
from claims.language.files.toml import Keys, SourceFile, TomlTable, format_value
from claims.language.syntax.grammar import is_name
from claims.language.syntax.terms import BOOL, INT, Literal, Operation, Term, Type, Variable, heap_of, list_of

# == drawn ============================================================================================================
# How a heap with parts is drawn: the value of `drawn` in [heap], such as "stairs of c".
_TEXT = re.compile(r"\s*(.*?)\s+of\s+(.*?)\s*", re.DOTALL)
_LIST, _NUMBER, _EITHER = "a list", "a number", "a list or a number"
_EDGES = "a list of edges, which is a parameter or a part"
_WIDTH = "a number, which is a parameter or a part"


class DrawnAs(StrEnum):
    """The kinds of pictures of a heap with parts.

    A ruleset chooses a kind by the words in its value, as in `drawn = "stairs of c"`. PARTS is the default.
    """

    PARTS = "parts"
    """Boxes with the numbers of each part."""

    STACKS = "stacks"
    """Heaps side by side, in order: a list contains their sizes, or a number is the size of the only heap."""

    STAIRS = "stairs"
    """Heaps on the steps of a staircase: the list contains their sizes, beginning with the lowest step."""

    RING = "ring"
    """Heaps in a circle: the list contains their sizes."""

    STRIP = "strip"
    """Coins on squares 0, 1, ...: the list contains the squares, in ascending order."""

    ROW = "row"
    """Squares in a row: the list contains 1 or -1 for a piece on a square, and 0 for an empty square."""

    DIAGRAM = "Young diagram"
    """Rows of squares, none longer than the row above it: the list contains the lengths of the rows."""

    MAP = "map"
    """A token on a plane: two numbers are its coordinates x and y."""

    RECTANGLE = "rectangle"
    """A rectangle of x by y squares, for two numbers x and y."""

    BOARD = "board"
    """Squares row by row. The list contains 1 for each free square; the number is the length of a row."""

    SQUARES = "squares"
    """Squares row by row. The list contains 1 or -1 for a piece on a square, and 0 for an empty square; the number is
    the length of a row."""

    GRAPH = "graph"
    """Vertices 0, 1, ... and edges, each given by two numbers in a parameter or in a part.

    A list contains 1 for each free vertex; a number is the vertex of the token.
    """

    DIRECTED = "directed graph"
    """A graph with arrows instead of edges."""

    VERTEX_COLOURED = "vertex-coloured graph"
    """A graph whose vertices have marks: the second list contains 1 or -1 for each marked vertex, else 0."""

    EDGE_COLOURED = "edge-coloured graph"
    """A graph whose edges have colours: the second list contains 1 for blue, -1 for red, 0 for green."""

    @property
    def is_graph(self) -> bool:
        """Whether the picture shows vertices and edges."""
        return self in _WANTED and _WANTED[self][0] == _EDGES


_WANTED: dict[DrawnAs, tuple[str, ...]] = {
    DrawnAs.STACKS: (_EITHER,),
    DrawnAs.STAIRS: (_LIST,),
    DrawnAs.RING: (_LIST,),
    DrawnAs.STRIP: (_LIST,),
    DrawnAs.ROW: (_LIST,),
    DrawnAs.DIAGRAM: (_LIST,),
    DrawnAs.MAP: (_NUMBER, _NUMBER),
    DrawnAs.RECTANGLE: (_NUMBER, _NUMBER),
    DrawnAs.BOARD: (_LIST, _WIDTH),
    DrawnAs.SQUARES: (_LIST, _WIDTH),
    DrawnAs.GRAPH: (_EDGES, _EITHER, _NUMBER),
    DrawnAs.DIRECTED: (_EDGES, _EITHER, _NUMBER),
    DrawnAs.VERTEX_COLOURED: (_EDGES, _LIST),
    DrawnAs.EDGE_COLOURED: (_EDGES, _LIST),
}
"""The parts that a picture shows, in order. The last part of a graph or directed graph is optional.

If a part contains the edges of such a graph, both following parts are optional.
"""
_OPTIONAL = (DrawnAs.GRAPH, DrawnAs.DIRECTED)
_HELP = f'a kind of picture and the parts that it shows, such as "stairs of c"; the kinds are {", ".join(_WANTED)}'


@dataclass(frozen=True)
class HeapPicture:
    """The instruction for drawing a heap with parts.

    `parts`: the indices of the parts that the picture shows, in the order that the kind requires.
    `edges`: for a graph, the name of the ruleset's parameter that lists the edges. It is "" for all other kinds, and if
    the first of `parts` lists the edges.
    `width`: for squares row by row, the name of the parameter that gives the length of a row. It is "" for all other
    kinds, and if the last of `parts` gives this length.
    """

    kind: DrawnAs
    parts: tuple[int, ...]
    edges: str = ""
    width: str = ""


def read_drawn(
    source: SourceFile,
    value: object,
    parts: Sequence[tuple[str, bool]],
    lists: Sequence[str],
    numbers: Sequence[str] = (),
) -> HeapPicture:
    """Return the instruction that the line `drawn = value` of [heap] gives. Raises ClaimError.

    `parts`: the name of each part, and whether it is a list.
    `lists`, `numbers`: the names of the ruleset's parameters that are lists, and of those that are integers.
    """
    keys = ("heap", "drawn")
    match = _TEXT.fullmatch(value) if isinstance(value, str) else None
    if match is None or match[1] not in [*_WANTED]:
        near = find_closest(match[1], [*_WANTED]) if match else ""
        raise source.fault(keys, f"{format_value(value)} does not describe a picture of a heap", _HELP, near=near)
    kind, names = DrawnAs(match[1]), [name.strip() for name in match[2].split(",")]
    wanted, at = _WANTED[kind], match.start(2)
    of = (
        f"after 'of', in this order: {', '.join(f'the name of {part}' for part in wanted)}"
        if len(wanted) > 1
        else f"after 'of', the name of {wanted[0]}"
    )
    of += "; the last number may be omitted" if kind in _OPTIONAL else ""
    known = [name for name, _ in parts]
    carried = wanted[0] == _EDGES and names[0] in known and names[0] not in lists
    omitted = (2 if carried else 1) if kind in _OPTIONAL else 0
    if not len(wanted) - omitted <= len(names) <= len(wanted):
        raise source.fault(
            keys, f"the picture {kind} has {format_count(len(names), 'name')} after 'of'", of, (at, match.end(2))
        )
    shown: list[int] = []
    width = ""
    if carried:
        wanted = (_LIST, *wanted[1:])
    for name, want in zip(names, wanted, strict=False):
        at = str(value).index(name, at)
        span, among = (at, at + len(name)), [*lists] if want == _EDGES else known
        if want == _WIDTH and name in numbers and name not in known:
            width = name
            continue
        among = [*known, *numbers] if want == _WIDTH else among
        if name not in among or (want != _EDGES and known.index(name) in shown):
            problem = f"the part {name!r} is drawn twice" if name in among else f"the heap has no part {name!r}"
            problem = f"{name!r} is not a list parameter" if want == _EDGES else problem
            if want == _WIDTH and name not in known:
                problem = f"{name!r} is neither a part nor a parameter that is an integer"
            near = "" if name in among else find_closest(name, among)
            raise source.fault(keys, problem, f"one of {join_words(among)}" if among else want, span, near)
        if want != _EDGES:
            shown.append(known.index(name))
            if want != _EITHER and parts[shown[-1]][1] is not (want == _LIST):
                raise source.fault(keys, f"the part {name!r} is {_LIST if parts[shown[-1]][1] else _NUMBER}", of, span)
        at += len(name)
    return HeapPicture(kind, tuple(shown), names[0] if wanted[0] == _EDGES else "", width)


# == shape ============================================================================================================
# Heaps with parts: `[heap]` of a ruleset, and the heaps that a move leaves.
_PART_TEXT = re.compile(r"\s*(?P<list>list of )?\s*(?P<lo>\S.*?)\s*\.\.\s*(?P<hi>\S.*?)?\s*", re.DOTALL)
TAKEN = ("count", "heaps", "size", "total")
"""Names that parts of a heap cannot have: the keys of a scope, and the method `count`."""
_PART = 'a text such as "0.." for a number, or "list of 0.." for a list of numbers'
_CHANGE = 'a table of the parts that change, such as { c = "put(h.c, i, 0)" }, or a heap, as in "heap(...)"'


class ReadTerm(Protocol):
    """A function that parses the expression `text`, which begins at `offset` of the value under `keys` of a ruleset.

    The expression may use the ruleset's parameters and `names`. It must have the type `kind`, unless this is None.
    """

    def __call__(self, keys: Keys, text: str, kind: Type | None, names: dict[str, Type], offset: int = 0) -> Term: ...


class ReadChange(Protocol):
    """A function that parses the expression `text` of a move, which is under `keys` of a ruleset.

    The expression may use the names that the move declares. It must have the type `kind`, unless this is None.
    """

    def __call__(self, keys: Keys, text: str, kind: Type | None) -> Term: ...


@dataclass(frozen=True, eq=False)
class HeapPart:
    """A part of a heap: an integer x with lo <= x <= hi, or a list of such integers.

    `hi`: None if there is no upper bound.
    `text`: the declaration in the ruleset, such as "list of 0..".
    """

    name: str
    is_list: bool
    lo: Term
    hi: Term | None
    text: str

    @property
    def type(self) -> Type:
        return list_of(INT) if self.is_list else INT


@dataclass(frozen=True, eq=False)
class HeapShape:
    """The form of the heaps of a ruleset with a table [heap]: their parts, in order, and which heaps are valid.

    `where`: the condition on a heap `h` under which it is valid; None if all tuples of parts are valid.
    `gone`: the condition on a heap `h` under which it disappears from the position; None if no heap disappears.
    `drawn`: the picture of a heap; None if the file does not describe one.
    """

    parts: tuple[HeapPart, ...]
    where: Term | None
    gone: Term | None
    drawn: HeapPicture | None = None

    @property
    def type(self) -> Type:
        return heap_of(*((part.name, part.type) for part in self.parts))

    @property
    def said(self) -> str:
        """The names of the parts as words in a message: `the parts c, q` or `the part c`."""
        names = [part.name for part in self.parts]
        return f"the part{'s' if len(names) > 1 else ''} {join_words(names)}"

    def miss_measure(self, source: SourceFile) -> ClaimError:
        """Return the error for a ruleset with parts that does not state a `measure`.

        Heaps with parts do not have a number of objects, which is the default measure if heaps are numbers.
        """
        number = f"a number that is computed from {self.said}, and that every move decreases"
        expected = f'a line measure = "sum(... for h in s)": {number}'
        return source.fault((), "the file has no 'measure'", expected)

    def list_changes(
        self, source: SourceFile, keys: Keys, value: object, chosen: str, read: ReadChange
    ) -> list[Callable[[], Term]]:
        """Return, for each new heap in the list `become = value` of a move, a function that parses this heap.

        Each function may raise ClaimError. The method itself raises ClaimError only if `value` is not a list.

        `chosen`: the name of the heap that the move replaces.
        """
        if not isinstance(value, list):
            raise source.fault(
                keys, f"{format_value(value)} is not a list of heaps", f"a list of heaps, each {_CHANGE}"
            )
        return [partial(self.read_change, source, (*keys, i), x, chosen, read) for i, x in enumerate(value)]

    def read_change(self, source: SourceFile, keys: Keys, value: object, chosen: str, read: ReadChange) -> Term:
        """Return the term of one heap that replaces the heap `chosen` in a move. Raises ClaimError.

        `value`: an expression in quotes, or a table with an expression for each part that changes.
        """
        if isinstance(value, str):
            return read(keys, value, self.type)
        if not isinstance(value, Mapping):
            raise source.fault(keys, f"{format_value(value)} is not a heap", _CHANGE)
        known = [part.name for part in self.parts]
        for name in value:
            if name not in known:
                problem, near = f"a heap has no part {name!r}", find_closest(name, known)
                raise source.key_fault((*keys, name), problem, f"one of {join_words(known)}", near)
        heap = Variable(self.type, 0, 0, chosen)
        return Operation(
            self.type,
            0,
            0,
            "heap",
            tuple(self._read_part(source, keys, value, heap, read, at) for at in range(len(known))),
        )

    def _read_part(
        self, source: SourceFile, keys: Keys, value: Mapping[str, object], heap: Term, read: ReadChange, at: int
    ) -> Term:
        part = self.parts[at]
        if part.name not in value:
            return Operation(part.type, 0, 0, "part", (heap, Literal(INT, 0, 0, at)))
        text, inside = value[part.name], (*keys, part.name)
        if not isinstance(text, str):
            raise source.fault(
                inside, f"{format_value(text)} is not an expression", f'the part {part.name} in quotes, "h.{part.name}"'
            )
        return read(inside, text, part.type)


def read_shape(top: TomlTable, read: ReadTerm, lists: Sequence[str], numbers: Sequence[str] = ()) -> HeapShape | None:
    """Return the form of heaps that the table [heap] describes, or None without this table. Raises ClaimError.

    `lists`, `numbers`: the names of the ruleset's parameters that are lists, and of those that are integers.
    """
    if "heap" not in top.data:
        return None
    table = dict(top.optional_table("heap"))
    conditions = {key: table.pop(key) for key in ("where", "gone") if key in table}
    drawn = table.pop("drawn", None)
    if not table:
        raise top.source.key_fault(
            ("heap",), "[heap] does not name a part", f"a line such as c = {_PART.partition(', or ')[2]}"
        )
    parts = tuple(_read_part(top.source, name, value, read) for name, value in table.items())
    shape = HeapShape(parts, None, None)
    found = {key: _read_condition(top.source, key, value, shape, read) for key, value in conditions.items()}
    kinds = [(part.name, part.is_list) for part in parts]
    picture = None if drawn is None else read_drawn(top.source, drawn, kinds, lists, numbers)
    return HeapShape(parts, found.get("where"), found.get("gone"), picture)


def _read_part(source: SourceFile, name: str, value: object, read: ReadTerm) -> HeapPart:
    keys: Keys = ("heap", name)
    if not is_name(name) or name in TAKEN:
        raise source.key_fault(
            keys, f"{name!r} cannot name a part", f"a name, such as c, other than {join_words(TAKEN)}"
        )
    if not isinstance(value, str):
        raise source.fault(keys, f"{format_value(value)} does not describe a part of a heap", _PART)
    match = _PART_TEXT.fullmatch(value)
    if match is None:
        raise source.fault(keys, f"{format_value(value)} does not describe a part of a heap", _PART)
    lo = read(keys, match["lo"], INT, {}, match.start("lo"))
    hi = read(keys, match["hi"], INT, {}, match.start("hi")) if match["hi"] else None
    return HeapPart(name, bool(match["list"]), lo, hi, value)


def _read_condition(source: SourceFile, key: str, value: object, shape: HeapShape, read: ReadTerm) -> Term:
    if not isinstance(value, str):
        raise source.fault(
            ("heap", key),
            f"{format_value(value)} is not a condition",
            f'a condition on a heap h, such as {key} = "h.{shape.parts[0].name} ..."',
        )
    return read(("heap", key), value, BOOL, {"h": shape.type})


# == picks ============================================================================================================
# The numbers and heaps of a move, as far as the text alone determines them.
_OPENING, _CLOSING = "([{", ")]}"


def split_list_range(text: str) -> tuple[str, str] | None:
    """Split `[a..b for i in c]` into `[a for i in c]` and `[b for i in c]`. Return None for any other text.

    Omitted characters become spaces, so each word stays at its offset.

    >>> split_list_range("[0..h.c[i] for i in range(k)]")
    ('[0         for i in range(k)]', '[   h.c[i] for i in range(k)]')
    >>> split_list_range("0..h"), split_list_range("[h for h in c]")
    (None, None)
    """
    if not re.fullmatch(r"\s*\[.*\]\s*", text, re.DOTALL):
        return None
    start, dots = text.index("[") + 1, text.find("..")
    clause = next((m.start() for m in re.finditer(r"\bfor\b", text) if _is_inside(text[start : m.start()])), -1)
    if not start < dots < clause:
        return None
    low = text[:dots] + " " * (clause - dots) + text[clause:]
    high = text[:start] + " " * (dots + 2 - start) + text[dots + 2 :]
    return low, high


def _is_inside(before: str) -> bool:
    """Return whether every bracket that the text opens is closed again, judged by the number of brackets."""
    return sum(map(before.count, _OPENING)) == sum(map(before.count, _CLOSING))


def is_split_only(heaps: tuple[str, ...], become: tuple[Term, ...]) -> bool:
    """Return True if a move obviously splits heaps without removing objects, as in `become = ["m", "h - m"]`.

    The move must leave at least two heaps, whose sizes are sums and differences of variables. The total of these sizes
    must equal the total of the chosen heaps by cancellation. False means that the terms do not have this form.

    `heaps`: the names of the chosen heaps. `become`: the sizes of the heaps that replace them.
    """
    total = Counter[str]()

    def is_sum(term: Term, sign: int) -> bool:
        match term:
            case Variable(name=name):
                total[name] += sign
                return True
            case Operation(op="add" | "sub" as op, args=(a, b)):
                return is_sum(a, sign) and is_sum(b, sign if op == "add" else -sign)
        return False

    sums = len(become) > 1 and all(is_sum(part, 1) for part in become)
    return sums and {name: n for name, n in total.items() if n} == dict.fromkeys(heaps, 1)
