"""Heaps with parts as data for the script of boards: each once, by number, with its words and its drawing."""

from __future__ import annotations

from collections.abc import Iterable

from checks.results.phrases import position_phrase
from checks.results.pictures import HeapDrawing, ShownHeap, ShownPosition
from checks.results.values import Json, encode
from reports.page.pictures.heaps.draw import draw_heap, find_touched
from reports.page.pictures.heaps.sketch import measure_room
from reports.page.pictures.heaps.words import say_heap

Moves = Iterable[tuple[ShownPosition, ShownPosition]]


class HeapTable:
    """The heaps of some positions, by number, and what the script is told of them.

    >>> from checks.results.pictures import DrawnAs
    >>> table = HeapTable(HeapDrawing(DrawnAs.STRIP, ("c",), (0,)), [(((0, 2),),)])
    >>> table.number((((0, 2),),)), table.write([])["heaps"][0][:2]
    ([0], ['[0, 2]', 'coins at 0, 2'])
    """

    def __init__(self, drawing: HeapDrawing | None, positions: Iterable[ShownPosition]) -> None:
        self.drawing, heaps = drawing, dict.fromkeys(heap for s in positions for heap in s)
        self.numbers = {} if drawing is None else {heap: i for i, heap in enumerate(heaps)}

    def number(self, position: ShownPosition) -> list[Json]:
        """Heaps with parts by their numbers, others by their sizes."""
        return [encode(heap) if isinstance(heap, int) else self.numbers[heap] for heap in position]

    def write(self, moves: Moves) -> dict[str, Json]:
        """`heaps`: of each its text, its words, width, height and the numbers of its `shapes`; `touched`.

        `touched`: of two numbers of heaps, as in "0>1", the elements with which the move from one to the other begins.
        Nothing of heaps that are numbers.
        """
        if self.drawing is None:
            return {}
        room, shapes, heaps = measure_room(self.numbers) if self.numbers else (), dict[str, int](), list[Json]()
        for heap in self.numbers:
            told: list[Json] = [position_phrase((heap,))[1:-1], say_heap(self.drawing, heap)]
            sketch = draw_heap(self.drawing, heap, room)
            if sketch is not None:
                drawn: list[Json] = [shapes.setdefault(shape, len(shapes)) for shape in sketch.shapes]
                told += [round(sketch.width, 1), round(sketch.height, 1), drawn]
            heaps.append(told)
        return {"heaps": heaps, "shapes": list(shapes), "touched": self._list_touched(self.drawing, moves)}

    def _list_touched(self, drawing: HeapDrawing, moves: Moves) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for before, after in moves:
            gone, new = leave_out(before, after), leave_out(after, before)
            if len(gone) == len(new) == 1:
                key = f"{self.numbers[gone[0]]}>{self.numbers[new[0]]}"
                if key not in found:
                    found[key] = list(find_touched(drawing, gone[0], new[0]))
        return found


def leave_out(position: ShownPosition, others: ShownPosition) -> list[ShownHeap]:
    """The heaps but for those that are among the others too, each for one of them."""
    left = list(position)
    for heap in others:
        if heap in left:
            left.remove(heap)
    return left
