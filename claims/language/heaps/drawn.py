"""How a heap with parts is drawn: what `drawn` in [heap] says, such as "stairs of c"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from claims.language.ground.errors import closest, join_words
from claims.language.toml.reader import format_value
from claims.language.toml.source import SourceFile

_TEXT = re.compile(r"\s*(.*?)\s+of\s+(.*?)\s*", re.DOTALL)
_LIST, _NUMBER, _EITHER, _EDGES = "a list", "a number", "a list or a number", "a parameter that is a list"


class DrawnAs(StrEnum):
    """The kinds of pictures. The values are what a ruleset writes, but for the first, where it says nothing."""

    PARTS = "parts"
    """Boxes with the numbers of each part."""

    STACKS = "stacks"
    """Heaps side by side, in order."""

    STAIRS = "stairs"
    """Heaps on steps, the lowest first."""

    RING = "ring"
    """Heaps in a circle."""

    STRIP = "strip"
    """Coins on squares 0, 1, ...: the list has the squares, in ascending order."""

    ROW = "row"
    """Squares in a row: the list has what lies on each, 1, -1 or, for nothing, 0."""

    DIAGRAM = "Young diagram"
    """Rows of squares, none longer than the one above it."""

    MAP = "map"
    """A token at x, y."""

    RECTANGLE = "rectangle"
    """x by y squares."""

    BOARD = "board"
    """Squares row by row, 1 where one is free; the number is how many a row has."""

    GRAPH = "graph"
    """Vertices 0, 1, ... and edges, two numbers each; a list has 1 for free vertices, a number is a token."""

    DIRECTED = "directed graph"
    """The same with arrows."""


_WANTED: dict[DrawnAs, tuple[str, ...]] = {
    DrawnAs.STACKS: (_EITHER,),
    DrawnAs.STAIRS: (_LIST,),
    DrawnAs.RING: (_LIST,),
    DrawnAs.STRIP: (_LIST,),
    DrawnAs.ROW: (_LIST,),
    DrawnAs.DIAGRAM: (_LIST,),
    DrawnAs.MAP: (_NUMBER, _NUMBER),
    DrawnAs.RECTANGLE: (_NUMBER, _NUMBER),
    DrawnAs.BOARD: (_LIST, _NUMBER),
    DrawnAs.GRAPH: (_EDGES, _EITHER, _NUMBER),
    DrawnAs.DIRECTED: (_EDGES, _EITHER, _NUMBER),
}
"""What is drawn, in order; of a graph the last may be missing."""
_HELP = f'a kind of picture and what it shows, such as "stairs of c"; the kinds are {join_words([*_WANTED])}'


@dataclass(frozen=True)
class HeapPicture:
    """A kind of picture, the parts of the heap that it shows by their numbers, and the parameter with the edges."""

    kind: DrawnAs
    parts: tuple[int, ...]
    edges: str = ""


def read_drawn(
    source: SourceFile, value: object, parts: Sequence[tuple[str, bool]], lists: Sequence[str]
) -> HeapPicture:
    """What `drawn` says. `parts`: each with whether it is a list; `lists`: parameters that are. Raises ClaimError."""
    keys = ("heap", "drawn")
    match = _TEXT.fullmatch(value) if isinstance(value, str) else None
    if match is None or match[1] not in [*_WANTED]:
        near = closest(match[1], [*_WANTED]) if match else ""
        raise source.fault(keys, f"{format_value(value)} is no way to draw a heap", _HELP, near=near)
    kind, names = DrawnAs(match[1]), [name.strip() for name in match[2].split(",")]
    wanted, at = _WANTED[kind], match.start(2)
    of = f"behind 'of' {' and '.join(wanted)}" + (", or without the number" if wanted[0] == _EDGES else "")
    if len(names) not in (len(wanted), len(wanted) - (wanted[0] == _EDGES)):
        raise source.fault(keys, f"a {kind} does not show {len(names)}", of, (at, match.end(2)))
    shown: list[int] = []
    known = [name for name, _ in parts]
    for name, want in zip(names, wanted, strict=False):
        at = str(value).index(name, at)
        span, among = (at, at + len(name)), [*lists] if want == _EDGES else known
        if name not in among or (want != _EDGES and known.index(name) in shown):
            problem = f"{name!r} is drawn twice" if name in among else f"the heap has no part {name!r}"
            problem = f"{name!r} is no parameter that is a list" if want == _EDGES else problem
            near = "" if name in among else closest(name, among)
            raise source.fault(keys, problem, f"one of {join_words(among)}" if among else want, span, near)
        if want != _EDGES:
            shown.append(known.index(name))
            if want != _EITHER and parts[shown[-1]][1] is not (want == _LIST):
                raise source.fault(keys, f"the part {name!r} is {_LIST if parts[shown[-1]][1] else _NUMBER}", of, span)
        at += len(name)
    return HeapPicture(kind, tuple(shown), names[0] if wanted[0] == _EDGES else "")
