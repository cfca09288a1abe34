"""Pictures of heaps with parts: each kind as its numbers define, otherwise boxes; and the first click of a move."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from checks.results.shown import (
    BoardPlace,
    DrawnAs,
    DrawnPositions,
    HeapDrawing,
    PlayableClaim,
    ShownHeap,
    ShownPosition,
)
from reports.page.heaps import (
    draw_alone,
    draw_heap,
    draw_position,
    find_touched,
    list_shown,
    measure_room,
    say_heap,
    say_position,
)


def one(kind: DrawnAs, *names: str, edges: tuple[int, ...] | None = ()) -> HeapDrawing:
    return HeapDrawing(kind, names, tuple(range(len(names))), edges)


STAIRS, STRIP, RING = one(DrawnAs.STAIRS, "c"), one(DrawnAs.STRIP, "c"), one(DrawnAs.RING, "c")
ROW, YOUNG, STACKS = one(DrawnAs.ROW, "c"), one(DrawnAs.DIAGRAM, "r"), one(DrawnAs.STACKS, "c")
MAP, CAKE, BOARD = one(DrawnAs.MAP, "x", "y"), one(DrawnAs.RECTANGLE, "x", "y"), one(DrawnAs.BOARD, "c", "w")
GRAPH = one(DrawnAs.GRAPH, "free", "v", edges=(0, 1, 1, 2))
ARROWS = one(DrawnAs.DIRECTED, "v", edges=(0, 1, 1, 2, 2, 0))
EDGES, WALK = one(DrawnAs.GRAPH, "e", edges=None), one(DrawnAs.DIRECTED, "e", "free", "v", edges=None)
SQUARES = one(DrawnAs.SQUARES, "c", "w")
NARROW = HeapDrawing(DrawnAs.SQUARES, ("c",), (0,), (), 2)
HALVES = HeapDrawing(DrawnAs.BOARD, ("c",), (0,), (), 2)
SNORT = one(DrawnAs.VERTEX_COLOURED, "c", edges=(0, 1, 1, 2))
PAINT = one(DrawnAs.VERTEX_COLOURED, "e", "c", edges=None)
STEMS = one(DrawnAs.EDGE_COLOURED, "e", "c", edges=None)
BRIDGES = one(DrawnAs.EDGE_COLOURED, "c", edges=(0, 1, 1, 2))
FIBONACCI, PLAIN = HeapDrawing(DrawnAs.STACKS, ("n", "q"), (0,)), HeapDrawing(DrawnAs.PARTS, ("n", "c"))

# a heap, the number of shapes of a class in its drawing, and its description
DRAWN: list[tuple[HeapDrawing, ShownHeap, dict[str, int], str]] = [
    (STAIRS, ((2, 0, 1),), {"c": 3, "b": 3}, "stairs of 2, 0, 1, the lowest step first"),
    (STACKS, ((2, 0, 1),), {"c": 3}, "heaps of 2, 0, 1 in a row"),
    (RING, ((2, 0, 1),), {"c": 2, "z": 1, "l": 1}, "heaps of 2, 0, 1 in a ring"),
    (STRIP, ((2, 5, 9),), {"c": 3, "q": 10}, "coins at 2, 5, 9"),
    (STRIP, ((),), {"q": 1}, "no coins"),
    (ROW, ((1, 0, -1),), {"c": 1, "o": 1, "q": 3}, "a row of 1, 0, −1"),
    (YOUNG, ((3, 1, 0),), {"q": 4}, "rows of 3, 1, 0 squares"),
    (MAP, (3, 2), {"c": 1, "w": 12, "f": 13}, "x = 3, y = 2"),
    (CAKE, (3, 2), {"b": 6}, "3 by 2 squares"),
    (BOARD, ((1, 0, 1, 1), 2), {"q": 3, "g": 1}, "a board with 2 squares in each row; free squares: 0, 2, 3"),
    (SQUARES, ((1, 0, -1, -1), 2), {"c": 1, "o": 2, "q": 4}, "squares row by row: 1, 0; −1, −1"),
    (NARROW, ((0, 0, 1, 0, 0, -1),), {"c": 1, "o": 1, "q": 6}, "squares row by row: 0, 0; 1, 0; 0, −1"),
    (HALVES, ((1, 0, 1, 1),), {"q": 3, "g": 1}, "a board with 2 squares in each row; free squares: 0, 2, 3"),
    (SNORT, ((1, 0, -1),), {"c": 1, "o": 1, "q": 1, "l": 2, "i": 1}, "filled vertices: 0, ringed vertices: 2"),
    (
        PAINT,
        ((0, 1), (1, 1, 0)),
        {"c": 2, "o": 0, "q": 1, "l": 1},
        "edges: 0 to 1, filled vertices: 0, 1, ringed vertices: none",
    ),
    (
        STEMS,
        ((0, 1, 1, 2, 1, 2, 2, 2), (1, -1, 0, -1)),
        {"u": 1, "r": 2, "v": 1, "l": 0, "q": 3},
        "edges: 0 to 1 blue, 1 to 2 red, 1 to 2 green, 2 to 2 red",
    ),
    (BRIDGES, ((-1, 1),), {"u": 1, "r": 1, "q": 3}, "edges: 0 to 1 red, 1 to 2 blue"),
    (STEMS, ((), ()), {}, "edges: none"),  # in boxes: "none"
    (GRAPH, ((1, 0, 0), 1), {"q": 1, "c": 1, "z": 1, "l": 2}, "the token at 1, free vertices: 0"),
    (ARROWS, (2,), {"c": 1, "q": 2, "l": 3, "h": 3}, "the token at 2"),
    (EDGES, ((0, 2, 2, 3, 2, 3, 3, 3),), {"q": 3, "l": 2, "o": 1}, "edges: 0 to 2, 2 to 3, 2 to 3, 3 to 3"),
    (
        WALK,
        ((0, 2, 4, 2), (1, 1, 0, 1, 0), 1),
        {"c": 1, "q": 1, "z": 2, "l": 2, "h": 2},
        ("edges: 0 to 2, 4 to 2, the token at 1, free vertices: 0, 1, 3"),
    ),
    (EDGES, ((),), {}, "edges: none"),  # in boxes: "none"
    (EDGES, ((0, 1, 2),), {"q": 3, "n": 3}, "edges: 0 to 1"),  # half an edge: boxes
    (FIBONACCI, (3, 4), {"c": 3, "q": 1}, "a heap of 3, q = 4"),
    (PLAIN, (5, (1, -2)), {"q": 3, "n": 3}, "n = 5, c = [1, −2]"),
]


def count(shapes: tuple[str, ...]) -> dict[str, int]:
    found = re.findall(r'class="(\w)"', "".join(shapes))
    return {kind: found.count(kind) for kind in set(found) - {"t"}}


@pytest.mark.parametrize(("drawing", "heap", "shapes", "words"), DRAWN)
def test_a_heap_is_drawn_as_its_numbers_say(
    drawing: HeapDrawing, heap: ShownHeap, shapes: dict[str, int], words: str
) -> None:
    found = draw_heap(drawing, heap, measure_room([heap]))
    assert found is not None and say_heap(drawing, heap) == words
    counted = count(found.shapes)
    assert {kind: counted.get(kind, 0) for kind in shapes} == shapes
    svg = ET.fromstring(str(draw_position(drawing, (heap,))))
    assert svg.attrib["aria-label"] == words and svg.attrib["role"] == "img"


# an unsuitable heap is never drawn as this kind
MISFITS: list[tuple[HeapDrawing, ShownHeap]] = [
    (STAIRS, ((-1, 2),)),
    (STACKS, ((17,),)),
    (RING, ((1,) * 15,)),
    (STRIP, ((3, 2),)),
    (STRIP, ((2, 2),)),
    (STRIP, ((-1, 2),)),
    (ROW, ((1, 2),)),
    (YOUNG, ((1, 2),)),
    (MAP, (-1, 2)),
    (MAP, (40, 2)),
    (CAKE, (21, 2)),
    (BOARD, ((1, 1, 1), 2)),
    (BOARD, ((1, 2), 2)),
    (SQUARES, ((1, 0, -1), 2)),
    (SQUARES, ((1, 2), 2)),
    (NARROW, ((1,),)),
    (SNORT, ((1, 2, 0),)),
    (STEMS, ((0, 1, 1, 2), (1,))),
    (STEMS, ((0, 1), (2,))),
    (STEMS, ((0, 1, 2), (1,))),
    (GRAPH, ((1, 0, 2), 1)),
    (one(DrawnAs.GRAPH, "free", "v", edges=(0, 1, 1)), ((1, 0, 1), 1)),
]


@pytest.mark.parametrize(("drawing", "heap"), MISFITS)
def test_what_does_not_fit_its_kind_is_drawn_in_boxes(drawing: HeapDrawing, heap: ShownHeap) -> None:
    found = draw_heap(drawing, heap, measure_room([heap]))
    assert isinstance(heap, tuple)
    numbers = sum(len(part) if isinstance(part, tuple) else 1 for part in heap)
    if numbers > 12:
        assert found is None and draw_position(drawing, (heap,)) == ""
    else:
        assert found is not None and count(found.shapes) == {"q": numbers, "n": numbers}


@pytest.mark.parametrize(
    ("drawing", "before", "after", "elements"),
    [
        (STAIRS, ((2, 3),), ((4, 1),), ("1:1",)),  # two coins from the second step: the lower one, with all above
        (STACKS, ((2, 3),), ((3,),), ("0:0",)),  # an emptied heap leaves the row
        (STACKS, ((2, 2),), ((2,),), ("0:0", "1:0")),  # one of two equal heaps
        (RING, ((1, 2, 0),), ((0, 1, 0),), ("0", "1")),
        (STRIP, ((1, 5),), ((1, 3),), ("3", "5")),
        (ROW, ((1, 0, 1),), ((0, 1, 0),), ("0", "1", "2")),
        (ROW, ((1, -1, 1),), ((1,),), ("1",)),  # a stalk is cut
        (YOUNG, ((3, 3),), ((3, 1),), ("1:1",)),
        (YOUNG, ((3, 3),), ((1, 1),), ("0:1",)),
        (MAP, (4, 4), (2, 5), ("2:5",)),
        (BOARD, ((1, 1, 1, 1), 2), ((0, 1, 0, 1), 2), ("0", "2")),
        (GRAPH, ((1, 0, 1), 1), ((0, 0, 1), 0), ("0",)),
        (SQUARES, ((1, -1, 0, 0), 2), ((0, 1, 0, 0), 2), ("0", "1")),
        (NARROW, ((1, -1, 0, 0),), ((1, -1, 0, 1),), ("3",)),
        (SNORT, ((0, 0, 1),), ((0, -1, 1),), ("1",)),
        (PAINT, ((0, 1), (0, 0)), ((0, 1), (0, 1)), ("1",)),
        (one(DrawnAs.GRAPH, "free"), ((1, 1, 1),), ((0, 0, 1),), ("0", "1")),
        (FIBONACCI, (5, 4), (3, 4), ("0:3",)),
        (FIBONACCI, (5, 4), (5, 2), ("1",)),
        (PLAIN, (5, (1, 2)), (5, (1, 0)), ("1:1",)),
        (PLAIN, (5, (1, 2)), (4, (1,)), ("0", "1:0", "1:1")),
    ],
)
def test_a_move_begins_where_it_changes_the_picture(
    drawing: HeapDrawing, before: ShownHeap, after: ShownHeap, elements: tuple[str, ...]
) -> None:
    assert find_touched(drawing, before, after) == elements
    drawn = draw_heap(drawing, before, measure_room([before, after]))
    assert drawn is not None and all(f'data-e="{x}"' in "".join(drawn.shapes) for x in elements)


def test_several_heaps_and_none() -> None:
    s: tuple[ShownHeap, ...] = (((0, 1),), ((2,),))
    svg = ET.fromstring(str(draw_position(STAIRS, s)))
    assert len(svg.findall("g")) == 2 and svg.attrib["aria-label"] == say_position(STAIRS, s)
    assert draw_position(STAIRS, ()) == "" and say_position(STAIRS, ()) == "no heap"
    assert draw_position(STAIRS, s * 5) == ""  # ten staircases


def board(start: ShownPosition) -> PlayableClaim:
    """Return the board of one coin that descends two steps."""
    one_lower, gone = (((1, 0),),), (((0, 0),),)
    places = (
        BoardPlace(start, "P1", "", ((one_lower, 1),)),
        BoardPlace(one_lower, "P2", "", ((gone, 2),), answers=True),
        BoardPlace(gone, "P1", "P1 cannot move and loses"),
    )
    return PlayableClaim("Staircase Nim", "", "P1", "", "", places, drawing=STAIRS)


def test_moves_are_shown_from_the_counterexample_alone() -> None:
    start: ShownPosition = (((0, 1),),)
    drawn = DrawnPositions(STAIRS, (("s", start),))
    (move,) = list_shown(board(start), drawn)
    assert [(who, left) for who, left, _ in move.steps] == [("P1", "([1, 0])"), ("P2", "([0, 0])")]
    assert move.says == "P1 cannot move and loses" and all(picture for *_, picture in move.steps)
    assert list_shown(board((((0, 2),),)), drawn) == ()
    assert list_shown(board(start), None) == () == list_shown(None, drawn)


def test_names_are_escaped() -> None:
    hostile = HeapDrawing(DrawnAs.PARTS, ("<b>&",))
    assert "<b>" not in draw_position(hostile, ((1,),))


def test_edges_with_the_same_ends_are_drawn_side_by_side() -> None:
    drawn = draw_heap(STEMS, ((0, 1, 1, 0, 0, 1, 1, 0), (1, -1, 0, 1)), measure_room([((0, 1), (1,))]))
    assert drawn is not None
    paths = re.findall(r'<path class="(\w)" d="M(\S+) (\S+)L(\S+) (\S+)"', "".join(drawn.shapes))
    heights = [float(y) for _, _, y, _, _ in paths]
    assert [kind for kind, *_ in paths] == ["u", "r", "v", "u"]
    assert {b - a for a, b in zip(heights, heights[1:], strict=False)} == {8}


def test_a_click_cuts_no_edge() -> None:
    """The list of moves has these moves."""
    before, after = ((0, 1, 1, 2), (1, -1)), ((0, 1), (1,))
    drawn = draw_heap(STEMS, before, measure_room([before]))
    assert drawn is not None
    names = set(re.findall(r'data-e="(.*?)"', "".join(drawn.shapes)))
    assert names == {"0", "1", "2"} and names.isdisjoint(find_touched(STEMS, before, after))


def test_only_a_picture_with_coloured_edges_contains_colours() -> None:
    assert ".u,.r,.v{" in draw_alone(STEMS, (((0, 1), (1,)),))
    assert ".u,.r,.v{" not in draw_alone(EDGES, (((0, 1),),))


def test_a_click_moves_the_token_of_a_graph_whose_edges_change() -> None:
    assert find_touched(WALK, ((0, 1, 1, 2), (), 1), ((0, 1), (), 2)) == ("2",)
    drawn = draw_heap(EDGES, ((0, 1, 1, 2),), measure_room([((0, 1, 1, 2),)]))
    names = set(re.findall(r'data-e="(.*?)"', "".join(drawn.shapes)))
    assert names == {"0", "1", "2"}
    assert names.isdisjoint(find_touched(EDGES, ((0, 1, 1, 2),), ((0, 1),)))  # the list of moves has this move


def test_vertices_have_the_same_places_after_a_move() -> None:
    room = measure_room([((0, 1, 1, 2, 2, 0, 0, 3),), ((0, 1),)])
    before, after = (draw_heap(EDGES, heap, room) for heap in [((0, 1, 1, 2, 2, 0, 0, 3),), ((0, 1),)])
    assert set(after.shapes) < set(before.shapes)
