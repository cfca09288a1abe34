"""The output of `solve`: a solved position, or a table of positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from checks.judgement.explain import show_position
from claims.language.errors import format_count

if TYPE_CHECKING:
    from checks.boards.question import Solution, SolvedMove, SolvedTable, SolvedTurn

LISTED = 24  # moves of each kind; the others are only counted
WIDTH = 100  # columns of a table if the output is not a terminal
OPEN = "?"
LETTERS = {"P_position": "P", "N_position": "N", "first_wins": "1", "second_wins": "2", "": OPEN}


def tell_solution(found: Solution) -> Iterator[str]:
    """Yield the lines about a solved position: outcome, value, the moves for each player to move, and the solver."""
    yield f"{found.game}: {show_position(found.position)}"
    yield from tell_outcome(found)
    for turn in found.turns:
        yield ""
        yield from _tell_turn(turn, found.players)
    yield ""
    yield from tell_end(found)


def tell_outcome(found: Solution) -> Iterator[str]:
    """Yield lines: the outcome, the Grundy value or the reason why there is none, and the value of a partizan game."""
    if found.outcome:
        yield f"{_say_outcome(found.outcome, found.players)}"
    if found.grundy is not None:
        yield f"Grundy value {found.grundy}"
    elif found.no_grundy:
        yield f"no Grundy value: {found.no_grundy}"
    if found.partizan is not None:
        worth = found.partizan
        left = "" if found.players[0] == "Left" else f", {found.players[0]} being Left"
        yield f"value {worth.form}, mean {worth.mean}, temperature {worth.temperature}{left}"


def tell_end(found: Solution | SolvedTable) -> Iterator[str]:
    """Yield the name of the solver and, if a result is unknown, the limit that was reached."""
    yield f"solved by {found.by}"
    if found.limit:
        yield f"not completely solved: {found.limit}"


def _say_outcome(outcome: str, players: tuple[str, ...]) -> str:
    match outcome:
        case "P_position":
            return "a P-position: the player to move loses"
        case "N_position":
            return "an N-position: the player to move wins"
    return f"{players[outcome == 'second_wins']} wins, no matter who moves first"


def _tell_turn(turn: SolvedTurn, names: tuple[str, ...]) -> Iterator[str]:
    heading, moves = describe_turn(turn, names)
    yield heading
    width = max((len(word) for word, _ in moves), default=0)
    for word, move in moves:
        yield f"  {word:{width}}  {move}"


def describe_turn(turn: SolvedTurn, names: tuple[str, ...]) -> tuple[str, list[tuple[str, str]]]:
    """Return who wins if the player of this turn is to move, and pairs (result, move) of texts, winning moves first."""
    players, named = len(names), turn.mover if names else f"player {turn.mover}"
    who = f"{named if turn.mover else 'the player'} to move"
    if turn.drawn:
        told = f"{who} draws" + (": neither player can force a win" if turn.moves else "")
    elif turn.value is None:
        told = f"{who}: the winner is not known"
    elif players == 2 or turn.value == 0:
        told = f"{who} {'loses' if turn.value else 'wins'}"
    else:
        told = f"{who} loses, and the player {_say_turns(turn.value)} later wins"
    if turn.moves is None:
        return told, []
    number = format_count(len(turn.moves), "move")
    kinds: dict[str, list[SolvedMove]] = {}
    for move in turn.moves:
        word = "draws" if move.drawn else "open" if move.value is None else "wins" if move.wins else "loses"
        kinds.setdefault(word if players == 2 or word in ("open", "draws") else f"value {move.value}", []).append(move)
    if not turn.moves:
        return f"{told}: there is no move", []
    if turn.winning_moves and turn.value == 0:
        told += f", by {len(turn.winning_moves)} of {number}:"
    else:
        told += f"; there {'is' if len(turn.moves) == 1 else 'are'} {number}:"
    lines = []
    for word, moves in sorted(kinds.items(), key=lambda x: (x[0] != "wins", x[0])):
        values = ("" if move.grundy is None else f"; Grundy value {move.grundy}" for move in moves)
        lines += [(word, move.words + value) for move, value in zip(moves[:LISTED], values, strict=False)]
        lines += [(word, f"and {len(moves) - LISTED} more")] if len(moves) > LISTED else []
    return told, lines


def _say_turns(number: int) -> str:
    return "one turn" if number == 1 else f"{number} turns"


# -- tables -----------------------------------------------------------------------------------------------------------
def draw_table(found: SolvedTable, columns: int | None) -> Iterator[str]:
    """Yield the lines of a table: a sequence for one heap, a map for two heaps, or a list for partizan values.

    `columns`: the width of the terminal, or None if the output is not a terminal.
    """
    heaps = "one heap" if found.heaps == 1 else "two heaps"
    yield f"{found.game}: {heaps} of {found.least}..{found.greatest}"
    yield ""
    sizes = [str(x) for x in range(found.least, found.greatest + 1)]
    rows = list(_list_rows(found))
    if found.partizan:
        yield from _draw_list([("heap", sizes), *rows], columns or WIDTH)
    elif found.heaps == 1:
        yield from _draw_sequence([("heap", sizes), *rows], columns or WIDTH)
    else:
        for name, cells in rows[-1:] if found.grundy else rows:
            yield from _draw_map(name, sizes, cells)
    for outcome in ("first_wins", "second_wins"):
        if outcome in found.outcomes:
            yield f"{LETTERS[outcome]}: {_say_outcome(outcome, found.players)}"
    yield from tell_end(found)


def _list_rows(found: SolvedTable) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of a table with their names: outcomes or winners, then Grundy values, then partizan values."""
    if len(found.players) == 2:
        yield "outcome", [LETTERS[x] for x in found.outcomes]
    else:
        for mover, values in zip(found.movers, found.values, strict=True):
            yield f"value of {mover}" if mover else "value", [OPEN if x is None else str(x) for x in values]
    if found.grundy:
        yield "Grundy value", [OPEN if x is None else str(x) for x in found.grundy]
    if found.partizan:
        yield "value", [OPEN if x is None else x.form for x in found.partizan]


def _draw_sequence(rows: Sequence[tuple[str, list[str]]], columns: int) -> Iterator[str]:
    first, width = max(len(name) for name, _ in rows), 2 + max(len(x) for _, cells in rows for x in cells)
    step = max(1, (columns - first) // width)
    for start in range(0, len(rows[0][1]), step):
        for name, cells in rows:
            yield f"{name:{first}}" + "".join(f"{x:>{width}}" for x in cells[start : start + step])
        yield ""


def _draw_list(rows: Sequence[tuple[str, list[str]]], columns: int) -> Iterator[str]:
    """Yield one line for each heap size, because partizan values are long. A line that is too long is cut."""
    *front, (last, values) = rows
    for line in zip(*([name, *cells] for name, cells in front), [last, *values], strict=True):
        text = "  ".join(f"{x:>{len(name)}}" for (name, _), x in zip(front, line, strict=False)) + f"  {line[-1]}"
        yield text if len(text) <= columns else f"{text[: columns - 1]}…"
    yield ""


def _draw_map(name: str, sizes: list[str], cells: list[str]) -> Iterator[str]:
    """Yield a map of the positions of two heaps: one heap size to the right, and the other upwards."""
    first, width, side = max(map(len, sizes)), 1 + max(map(len, [*sizes, *cells])), len(sizes)
    yield f"{name}, one heap to the right and one upwards"
    for b in reversed(range(side)):
        yield f"{sizes[b]:>{first}} |" + "".join(f"{x:>{width}}" for x in cells[b * side : (b + 1) * side])
    yield " " * first + " +" + "-" * (width * side)
    yield " " * (first + 2) + "".join(f"{x:>{width}}" for x in sizes)
    yield ""
