"""A board for the page: data for the script, which knows no rules, and the same as a tree for whoever has no script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from checks.results.phrases import position_phrase
from checks.results.pictures import PlayableClaim, ShownHeap, ShownPosition
from reports.ground.wording import value_text, visible
from reports.page.pictures.heaps.data import HeapTable, leave_out


@dataclass(frozen=True)
class PlayNode:
    """A move in words, and those that may follow. `again`: what follows stands elsewhere in the tree already."""

    words: str
    children: tuple[PlayNode, ...] = ()
    again: bool = False


def write_data(board: PlayableClaim) -> Markup:
    """The board as JSON that can stand inside a script element: nothing in it can end that.

    A place is [position, mover, says, whether the page answers, [[position, place], ...], [[position, why not], ...]].
    """
    table = HeapTable(board.drawing, (place.position for place in board.places))
    places = [
        [
            *(table.number(p.position), visible(p.mover), visible(p.says), p.answers),
            [[table.number(after), place] for after, place in p.moves],
            [[table.number(after), visible(why)] for after, why in p.refused],
        ]
        for p in board.places
    ]
    moves = ((place.position, after) for place in board.places for after, _ in place.moves)
    data = {"reader": visible(board.reader), "outcome": visible(board.outcome), "places": places}
    return _write_script({**data, **table.write(moves)})


def write_box(board: PlayableClaim) -> Markup:
    """The box likewise: with `moves` as differences from the number of the move before, 0 at first."""
    box = board.box
    assert box is not None
    table, at = HeapTable(board.drawing, box.positions), box.positions
    made = ((before, at[i]) for before, after in zip(at, box.moves, strict=True) for i in after)
    moves = [[n - before for before, n in zip((0, *after), after, strict=False)] for after in box.moves]
    games = [[visible(game.values), *game.legal, *game.wins] for game in box.games]
    return _write_script(
        {
            "title": visible(box.title),
            "players": [visible(name) for name in box.players],
            "stuckWins": box.stuck_wins,
            "within": box.within,
            "positions": [table.number(s) for s in box.positions],
            "moves": moves,
            "games": games,
            **table.write(made),
        }
    )


def _write_script(data: object) -> Markup:
    text = json.dumps(data, separators=(",", ":"))  # other letters than ASCII are escaped
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704 - so it is safe


def list_tree(board: PlayableClaim) -> tuple[PlayNode, ...]:
    """The moves from the first place on; what follows a place is written out where it is met first."""
    return tuple(_follow(board, 0, set()))


def _follow(board: PlayableClaim, number: int, met: set[int]) -> Iterator[PlayNode]:
    place = board.places[number]
    for after, following in place.moves:
        end = board.places[following]
        words = f"{place.mover} {_say_move(board, place.position, after)}"
        words += f": {end.says}" if end.says else ""
        if following in met and end.moves:
            yield PlayNode(words, again=True)
        else:
            met.add(following)
            yield PlayNode(words, tuple(_follow(board, following, met)))


def _say_move(board: PlayableClaim, before: ShownPosition, after: ShownPosition) -> str:
    if board.drawing is None:
        return describe(before, after)
    return f"leaves {position_phrase(after)}" if after else "leaves no heap"


def describe(before: ShownPosition, after: ShownPosition) -> str:
    """What a move does, as it is said of whoever makes it.

    >>> describe((2, 2, 4), (2, 2, 2)), describe((4,), ()), describe((4,), (1, 2))
    ('takes 2 from 4 and leaves (2, 2, 2)', 'takes 4 from 4 and leaves no heap', 'leaves (1, 2)')
    """
    left = f"leaves {value_text(after, '()')}" if after else "leaves no heap"
    if found := find_lowered(before, after):
        return f"takes {found[0] - found[1]} from {found[0]} and {left}"
    return left


def find_lowered(before: ShownPosition, after: ShownPosition) -> tuple[int, int] | None:
    """The one heap that a move lowers, and what is left of it; None where it does anything else.

    >>> find_lowered((2, 2, 4), (2, 4)), find_lowered((4,), (1, 2))
    ((2, 0), None)
    """
    old, left = sizes(before), sizes(after)
    gone, new = sizes(leave_out(old, left)), sizes(leave_out(left, old))
    return (gone[0], sum(new)) if len(gone) == 1 and len(new) <= 1 and sum(new) < gone[0] else None


def sizes(position: Iterable[ShownHeap]) -> tuple[int, ...]:
    """The heaps of a position that are numbers."""
    return tuple(heap for heap in position if isinstance(heap, int))


def first_sentence(text: str) -> str:
    """Of the notes of a ruleset, what a player must know stands first.

    >>> first_sentence("At most k objects. Whoever takes the last one wins."), first_sentence("No stop")
    ('At most k objects.', 'No stop')
    """
    return re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0]
