"""What a picture of a heap shows, in words: for whoever does not see it, and for what is said of moves."""

from __future__ import annotations

from checks.results.pictures import DrawnAs, HeapDrawing, ShownHeap, ShownPosition
from reports.page.pictures.heaps.sketch import Part, as_list, list_parts

NOTHING = "no heap"


def say_position(drawing: HeapDrawing, position: ShownPosition) -> str:
    """The heaps of a position, one after another."""
    return "; ".join(say_heap(drawing, heap) for heap in position) or NOTHING


def say_heap(drawing: HeapDrawing, heap: ShownHeap) -> str:
    """A heap.

    >>> say_heap(HeapDrawing(DrawnAs.STRIP, ("c",), (0,)), ((2, 5, 9),))
    'coins at 2, 5, 9'
    >>> say_heap(HeapDrawing(DrawnAs.STACKS, ("n", "q"), (0,)), (5, 4))
    'a heap of 5, q = 4'
    """
    parts = list_parts(heap)
    told = [_say_shown(drawing, parts)] if drawing.shown else []
    told += [
        f"{name} = {_write(part)}"
        for i, (name, part) in enumerate(zip(drawing.names, parts, strict=True))
        if i not in drawing.shown
    ]
    return ", ".join(told).replace("-", "−")


def _write(part: Part) -> str:
    return f"[{', '.join(map(str, part))}]" if isinstance(part, tuple) else str(part)


def _join(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "none"


def _say_shown(drawing: HeapDrawing, parts: tuple[Part, ...]) -> str:
    shown = [parts[i] for i in drawing.shown]
    first = as_list(shown[0])
    match drawing.kind:
        case DrawnAs.STACKS:
            return f"heaps of {_join(first)} in a row" if isinstance(shown[0], tuple) else f"a heap of {first[0]}"
        case DrawnAs.STAIRS:
            return f"stairs of {_join(first)}, the lowest step first"
        case DrawnAs.RING:
            return f"heaps of {_join(first)} in a ring"
        case DrawnAs.STRIP:
            return f"coins at {_join(first)}" if first else "no coins"
        case DrawnAs.ROW:
            return f"a row of {_join(first)}"
        case DrawnAs.DIAGRAM:
            return f"rows of {_join(first)} squares"
        case DrawnAs.MAP:
            return ", ".join(f"{drawing.names[i]} = {parts[i]}" for i in drawing.shown)
        case DrawnAs.RECTANGLE:
            return f"{shown[0]} by {shown[1]} squares"
        case DrawnAs.BOARD:
            return f"a board, {shown[1]} squares a row, free: {_join(_list_free(first))}"
        case DrawnAs.GRAPH | DrawnAs.DIRECTED:
            told = [f"the token at {x}" for x in shown if not isinstance(x, tuple)]
            told += [f"free vertices: {_join(_list_free(x))}" for x in shown if isinstance(x, tuple)]
            return ", ".join(told)
    return ""


def _list_free(squares: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(i for i, free in enumerate(squares) if free == 1)
