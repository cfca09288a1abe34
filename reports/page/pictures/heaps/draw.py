"""A heap by the kind of its picture: drawn so where its numbers fit that kind, else in plain boxes; never wrongly."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup

from checks.results.pictures import DrawnAs, HeapDrawing, ShownHeap, ShownPosition
from claims.language.ground.errors import escape_invisible
from reports.page.pictures.heaps.graphs import draw_graph
from reports.page.pictures.heaps.sketch import Part, Room, Sketch, as_list, draw_boxes, list_parts, measure_room
from reports.page.pictures.heaps.squares import (
    draw_board,
    draw_diagram,
    draw_map,
    draw_rectangle,
    draw_row,
    draw_strip,
)
from reports.page.pictures.heaps.stacks import draw_ring, draw_stacks, draw_stairs
from reports.page.pictures.heaps.words import say_position

OF_LIST: dict[DrawnAs, Callable[[tuple[int, ...], Room], Sketch | None]] = {
    DrawnAs.STACKS: draw_stacks,
    DrawnAs.STAIRS: draw_stairs,
    DrawnAs.RING: draw_ring,
    DrawnAs.STRIP: draw_strip,
    DrawnAs.ROW: draw_row,
    DrawnAs.DIAGRAM: draw_diagram,
}
GAP = 28  # px between heaps
MOST_DRAWN = 8  # heaps of a position, that are drawn


def draw_heap(drawing: HeapDrawing, heap: ShownHeap, room: Room) -> Sketch | None:
    """The drawing of a heap; None where there are too many numbers for any. `room`: of all heaps beside it."""
    parts = list_parts(heap)
    found = _draw_shown(drawing, parts, room) if drawing.shown else None
    others = [i for i in range(len(parts)) if found is None or i not in drawing.shown]
    if not others:
        return found
    boxes = draw_boxes(drawing.names, parts, others)
    return boxes if found is None or boxes is None else _put_below(found, boxes)


def _draw_shown(drawing: HeapDrawing, parts: tuple[Part, ...], room: Room) -> Sketch | None:
    shown, rooms = [parts[i] for i in drawing.shown], tuple(room[i] for i in drawing.shown)
    kind = drawing.kind
    if kind in OF_LIST:
        return OF_LIST[kind](as_list(shown[0]), rooms)
    lists, numbers = [x for x in shown if isinstance(x, tuple)], tuple(x for x in shown if not isinstance(x, tuple))
    if kind in (DrawnAs.GRAPH, DrawnAs.DIRECTED):
        token = numbers[0] if numbers else None
        return draw_graph(drawing.edges, lists[0] if lists else None, token, kind is DrawnAs.DIRECTED)
    if kind is DrawnAs.BOARD:
        return draw_board(lists[0], numbers[0])
    if kind is DrawnAs.MAP:
        x, y = (drawing.names[i] for i in drawing.shown)
        return draw_map(numbers, (x, y), rooms)
    return draw_rectangle(numbers, rooms)


def _put_below(upper: Sketch, lower: Sketch) -> Sketch:
    top = upper.height + 8
    shapes = (f'<g transform="translate(0 {top:g})">{shape}</g>' for shape in lower.shapes)
    return Sketch(max(upper.width, lower.width), top + lower.height, (*upper.shapes, *shapes))


def draw_position(drawing: HeapDrawing, position: ShownPosition, beside: Sequence[ShownPosition] = ()) -> Markup:
    """A position as one drawing, "" where none is made of it. `beside`: positions of the same scale."""
    heaps = [heap for s in (position, *beside) for heap in s]
    sketches = [draw_heap(drawing, heap, measure_room(heaps)) for heap in position[: MOST_DRAWN + 1]]
    if not 0 < len(sketches) <= MOST_DRAWN or None in sketches:
        return Markup("")
    found = [sketch for sketch in sketches if sketch is not None]
    height, x, shapes = max(sketch.height for sketch in found), 0.0, list[str]()
    for sketch in found:
        shapes.append(f'<g transform="translate({x:g} {height - sketch.height:g})">{"".join(sketch.shapes)}</g>')
        x += sketch.width + GAP
    size = f"{x - GAP:g}", f"{height:g}"
    opening = Markup('<svg class="parts" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img" aria-label="{2}">')
    inside = Markup("".join(shapes))  # noqa: S704 - of numbers, and of names that the language allows
    return opening.format(*size, escape_invisible(say_position(drawing, position))) + inside + Markup("</svg>")


LIGHT = {"ink": "#1d1c1a", "mute": "#5d5950", "line": "#dedad0", "card": "#fff", "wash": "#f5f2ea", "area": "#c9d9ea"}
DARK = {"ink": "#e7e4dd", "mute": "#a7a299", "line": "#383a40", "card": "#1d1f23", "wash": "#1f2126", "area": "#2d4763"}
STYLE = """.c,.h{{fill:{ink}}}.q{{fill:{card};stroke:{mute}}}.f,.w{{fill:{wash};stroke:{line}}}.w{{fill:{card}}}
.b{{fill:{wash};stroke:{mute}}}.g{{fill:{area};stroke:{mute}}}.o{{fill:none;stroke:{ink};stroke-width:3}}
.z{{fill:{card};stroke:{mute};stroke-dasharray:3 3}}.l{{fill:none;stroke:{mute};stroke-width:1.5}}
text{{fill:{mute};font:12px sans-serif}}.n{{fill:{ink};font-size:14px}}
.i{{fill:{card};font-size:14px;font-weight:600}}"""


def draw_alone(drawing: HeapDrawing, position: ShownPosition) -> str:
    """The same as a file of its own, with its colours, light and dark."""
    style = f"{STYLE.format(**LIGHT)}\n@media (prefers-color-scheme:dark){{{STYLE.format(**DARK)}}}"
    found = str(draw_position(drawing, position)).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return found.replace(">", f"><style>\n{style}\n</style>", 1) + "\n"


def find_touched(drawing: HeapDrawing, before: ShownHeap, after: ShownHeap) -> tuple[str, ...]:
    """The elements of the drawing of a heap, by name, with which a move begins that makes another heap of it."""
    old, new = list_parts(before), list_parts(after)
    shown = [(old[i], new[i]) for i in drawing.shown]
    found = _touch_shown(drawing.kind, shown) if shown else ()
    if found:
        return found
    pairs = [(i, as_list(x), as_list(y), isinstance(x, tuple)) for i, (x, y) in enumerate(zip(old, new, strict=True))]
    return tuple(
        f"{i}:{at}" if many else str(i)
        for i, x, y, many in pairs
        for at, number in enumerate(x)
        if len(x) != len(y) or y[at] != number
    )


def _touch_shown(kind: DrawnAs, shown: list[tuple[Part, Part]]) -> tuple[str, ...]:
    before, after = as_list(shown[0][0]), as_list(shown[0][1])
    match kind:
        case DrawnAs.STACKS | DrawnAs.STAIRS:
            return _touch_stacks(before, after)
        case DrawnAs.STRIP:
            return tuple(map(str, sorted(set(before) ^ set(after))))
        case DrawnAs.DIAGRAM:
            changed = [f"{i}:{y}" for i, (x, y) in enumerate(zip(before, after, strict=False)) if x != y]
            return tuple(changed[:1])
        case DrawnAs.MAP:
            return (":".join(str(y) for _, y in shown),)
        case DrawnAs.GRAPH | DrawnAs.DIRECTED:
            moved = [str(y) for x, y in shown if not isinstance(y, tuple) and x != y]
            return tuple(moved) or _list_different(before, after)
        case DrawnAs.RECTANGLE:
            return ()
    if len(after) < len(before):
        return (str(next((i for i, (x, y) in enumerate(zip(before, after, strict=False)) if x != y), len(after))),)
    return _list_different(before, after)


def _list_different(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(str(i) for i, (x, y) in enumerate(zip(before, after, strict=False)) if x != y)


def _touch_stacks(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[str, ...]:
    """The lowest token taken of each stack; an emptied one may leave the row at an end."""
    if len(after) == len(before):
        return tuple(f"{i}:{y}" for i, (x, y) in enumerate(zip(before, after, strict=True)) if y < x)
    ends = [0] * (after == before[1:]) + [len(before) - 1] * (after == before[:-1])
    return tuple(f"{i}:0" for i in dict.fromkeys(ends))
