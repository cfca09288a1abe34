"""A board for the page: data for the script, which knows no rules, and the same as a tree for whoever has no script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from checks.results.pictures import PlayableClaim, SolvedBox
from checks.results.values import encode
from reports.ground.wording import value_text, visible

Position = tuple[int, ...]


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
    places = [
        [encode(p.position), visible(p.mover), visible(p.says), p.answers, encode(p.moves), _refused(p.refused)]
        for p in board.places
    ]
    return _write_script({"reader": visible(board.reader), "outcome": visible(board.outcome), "places": places})


def write_box(box: SolvedBox) -> Markup:
    """The box likewise: with `moves` as differences from the number of the move before, 0 at first."""
    moves = [[n - before for before, n in zip((0, *after), after, strict=False)] for after in box.moves]
    games = [[visible(game.values), *game.legal, *game.wins] for game in box.games]
    return _write_script(
        {
            "title": visible(box.title),
            "players": [visible(name) for name in box.players],
            "stuckWins": box.stuck_wins,
            "within": box.within,
            "positions": encode(box.positions),
            "moves": moves,
            "games": games,
        }
    )


def _write_script(data: object) -> Markup:
    text = json.dumps(data, separators=(",", ":"))  # other letters than ASCII are escaped
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704 - so it is safe


def _refused(refused: tuple[tuple[Position, str], ...]) -> list[list[object]]:
    return [[list(position), visible(why)] for position, why in refused]


def list_tree(board: PlayableClaim) -> tuple[PlayNode, ...]:
    """The moves from the first place on; what follows a place is written out where it is met first."""
    return tuple(_follow(board, 0, set()))


def _follow(board: PlayableClaim, number: int, met: set[int]) -> Iterator[PlayNode]:
    place = board.places[number]
    for after, following in place.moves:
        end = board.places[following]
        words = f"{place.mover} {describe(place.position, after)}"
        words += f": {end.says}" if end.says else ""
        if following in met and end.moves:
            yield PlayNode(words, again=True)
        else:
            met.add(following)
            yield PlayNode(words, tuple(_follow(board, following, met)))


def describe(before: Position, after: Position) -> str:
    """What a move does, as it is said of whoever makes it.

    >>> describe((2, 2, 4), (2, 2, 2)), describe((4,), ()), describe((4,), (1, 2))
    ('takes 2 from 4 and leaves (2, 2, 2)', 'takes 4 from 4 and leaves no heap', 'leaves (1, 2)')
    """
    left = f"leaves {value_text(after, '()')}" if after else "leaves no heap"
    if found := find_lowered(before, after):
        return f"takes {found[0] - found[1]} from {found[0]} and {left}"
    return left


def find_lowered(before: Position, after: Position) -> tuple[int, int] | None:
    """The one heap that a move lowers, and what is left of it; None where it does anything else.

    >>> find_lowered((2, 2, 4), (2, 4)), find_lowered((4,), (1, 2))
    ((2, 0), None)
    """
    gone, new = _leave_out(before, after), _leave_out(after, before)
    return (gone[0], sum(new)) if len(gone) == 1 and len(new) <= 1 and sum(new) < gone[0] else None


def _leave_out(position: Position, others: Position) -> list[int]:
    """The heaps but for those that are among the others too, each for one of them."""
    left = list(position)
    for heap in others:
        if heap in left:
            left.remove(heap)
    return left


def first_sentence(text: str) -> str:
    """Of the notes of a ruleset, what a player must know stands first.

    >>> first_sentence("At most k objects. Whoever takes the last one wins."), first_sentence("No stop")
    ('At most k objects.', 'No stop')
    """
    return re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0]
