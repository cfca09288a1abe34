"""The pictures of the page (tables of failing cases, maps of outcomes, plots of values) and the boards for play."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from checks.results.shown import (
    Failures,
    Groups,
    GrundySequence,
    OutcomeMap,
    Picture,
    PlayableClaim,
    ShownHeap,
    ShownPosition,
    Undrawn,
)
from checks.results.wording import count, number, position_phrase, value_text
from claims.language.errors import escape_invisible
from reports.page import heaps
from reports.page.heaps import HeapTable, leave_out

# == heat =============================================================================================================
# Tables of the cases where a claim fails. A cell is darker if more of its cases fail.
SHADES = 5  # shades of cells with failures
WIDEST = 14  # columns of a table with one row; a longer row continues in the next table
MOST_LISTED = 40  # ranges of values at which a claim fails


@dataclass(frozen=True)
class HeatCell:
    """One cell in a table of failures. It stands for the cases with certain values of one or two variables.

    `met`: the number of these cases that satisfy the hypotheses. `failing`: how many of them are counterexamples.
    `shade`: 0 if none is, otherwise a darkness from 1 to SHADES.
    """

    failing: int
    met: int
    shade: int


@dataclass(frozen=True)
class Heat:
    """A table that shows how many cases fail, for each value of one variable or each pair of values of two.

    `across`, `down`: (name, values) of the columns and of the rows. If the table has only one row, the name in `down`
    is "".
    `rows`: the cells. A cell is None if no case with these values satisfies the hypotheses.
    """

    across: tuple[str, tuple[int, ...]]
    down: tuple[str, tuple[int, ...]]
    rows: tuple[tuple[HeatCell | None, ...], ...]


def heat_tables(failures: Failures) -> list[Heat]:
    """Return tables for each grouping of the failures by one or two variables. A long row continues in a new table.

    There is no table for a grouping in `list_failing_values`.
    """
    return [
        x
        for names, groups in failures.by
        if len(names) <= 2 and groups and not _names_one_case(names, groups)
        for x in _split_tables(names, groups)
    ]


def list_failing_values(failures: Failures) -> list[tuple[str, str]]:
    """Return pairs (variable, values at which the claim fails), for each variable whose value determines the case.

    Three or more consecutive values are written as a range: `3, 4, 6..9`. At most MOST_LISTED values and ranges are
    written.
    """
    found = []
    for names, groups in failures.by:
        if groups and _names_one_case(names, groups):
            parts = _stretches(key[0] for key, failing, _ in groups if failing)
            found.append((names[0], ", ".join(parts[:MOST_LISTED] + ["..."] * (len(parts) > MOST_LISTED))))
    return found


def _names_one_case(names: tuple[str, ...], groups: Groups) -> bool:
    """Return whether the groups are by one variable, and no group has more than one case."""
    return len(names) == 1 and all(met <= 1 for _, _, met in groups)


def _split_tables(names: tuple[str, ...], groups: Groups) -> list[Heat]:
    most = max(failing for _, failing, _ in groups)
    parts = 1 if len(names) == 2 else -(-len(groups) // WIDEST)
    step = -(-len(groups) // parts)
    return [_table(names, groups[i : i + step], most) for i in range(0, len(groups), step)]


def _table(names: tuple[str, ...], groups: Groups, most: int) -> Heat:
    cells = {key: HeatCell(failing, met, shade(failing, most)) for key, failing, met in groups}
    if len(names) == 1:
        values = tuple(key[0] for key in cells)
        return Heat((names[0], values), ("", (0,)), (tuple(cells[key] for key in cells),))
    down, across = (tuple(sorted({key[i] for key in cells})) for i in (0, 1))
    return Heat((names[1], across), (names[0], down), tuple(tuple(cells.get((y, x)) for x in across) for y in down))


def shade(failing: int, most: int) -> int:
    """Return the darkness of a cell: 0 if no case fails, otherwise 1 to SHADES, in proportion to `failing / most`.

    `most`: the largest number of failing cases in a cell of the table.

    >>> shade(0, 9), shade(1, 9), shade(9, 9), shade(5, 9)
    (0, 1, 5, 3)
    """
    return 0 if not failing else min(SHADES, 1 + failing * SHADES // (most + 1))


def share(failures: Failures) -> str:
    """Return the proportion of failing cases, as a percentage or in words.

    >>> share(Failures(58, 2585, (), ())), share(Failures(3, 3, (), ())), share(Failures(1, 5000, (), ()))
    ('2.2 %', 'all of them', 'less than 0.1 %')
    >>> share(Failures(4999, 5000, (), ()))
    'more than 99.9 %'
    """
    if failures.failing == failures.met:
        return "all of them"
    hundredths = 100 * failures.failing / failures.met
    if hundredths < 0.1:
        return "less than 0.1 %"
    if hundredths > 99.9:
        return "more than 99.9 %"
    return f"{hundredths:.1f} %".replace(".0 ", " ")


# == outcomes =========================================================================================================
# Maps of the outcomes of two heaps: a square for each pair, a dot by the claimed rule, a cross if the rule is wrong.
UNIT = 12  # px of one square
LEFT, BELOW = 22, 18  # px for the axes
LISTED = 6  # differences that are listed


@dataclass(frozen=True)
class OutcomePicture:
    """A map of the outcomes of all pairs of heaps, drawn for the page, with the same in words.

    `summary`: for how many pairs the condition of the map holds, such as "the mover loses".
    `agreement`: at which pairs a claimed rule differs from the outcomes; "" if the claim states no rule.
    `differs`: whether it differs somewhere.
    `table`: (size of one heap, sizes of the other heap for which the condition holds, as ranges), for each size.
    """

    drawing: Markup
    summary: str
    agreement: str
    differs: bool
    table: tuple[tuple[int, str], ...]


def draw_outcomes(found: OutcomeMap) -> OutcomePicture:
    """Return the picture of an outcome map, with its description in words and numbers."""
    solved = list(_list_true(found.solved))
    claimed = None if found.claimed is None else list(_list_true(found.claimed))
    size, least = len(found.solved), found.least
    different = [] if claimed is None else sorted(set(solved) ^ set(claimed), key=lambda c: (c[1], c[0]))
    pairs = f"{number(len(solved))} of {number(size * size)} pairs of heaps of {least}..{least + size - 1}"
    summary = f"{found.yes} at {pairs}"
    agreement = "" if claimed is None else _say_agreement(different, size * size, least)
    label = f"{found.title}: {summary}. {agreement}".strip()
    return OutcomePicture(
        _draw(size, least, solved, claimed or [], different, label),
        summary,
        agreement,
        bool(different),
        tuple(
            (least + b, ", ".join(_stretches(least + a for a, row in solved if row == b)) or "none")
            for b in range(size)
        ),
    )


def _list_true(grid: tuple[tuple[bool, ...], ...]) -> Iterator[tuple[int, int]]:
    """Yield the pair (column, row) of each True in the grid, row by row."""
    for b, row in enumerate(grid):
        for a, holds in enumerate(row):
            if holds:
                yield a, b


def _say_agreement(different: list[tuple[int, int]], pairs: int, least: int) -> str:
    if not different:
        return f"The claimed rule agrees at each of the {number(pairs)} pairs."
    named = ", ".join(f"({least + a}, {least + b})" for a, b in different[:LISTED])
    more = f" and {number(len(different) - LISTED)} more" if len(different) > LISTED else ""
    return f"The claimed rule differs at {count(len(different), 'pair')}: {named}{more}."


def _stretches(values: Iterable[int]) -> list[str]:
    """Return ascending integers as texts, three or more consecutive ones as a range: 0, 1, 3..7."""
    runs: list[list[int]] = []
    for x in values:
        if runs and x == runs[-1][1] + 1:
            runs[-1][1] = x
        else:
            runs.append([x, x])
    return [x for a, b in runs for x in ([f"{a}..{b}"] if b > a + 1 else map(str, range(a, b + 1)))]


def _draw(
    size: int,
    least: int,
    solved: list[tuple[int, int]],
    claimed: list[tuple[int, int]],
    different: list[tuple[int, int]],
    label: str,
) -> Markup:
    side = size * UNIT
    width, height = LEFT + side + 6, side + BELOW + 4
    parts = [
        Markup('<rect class="no" width="{0}" height="{0}"/>').format(side),
        Markup('<path class="yes" d="{}"/>').format(_draw_areas(size, solved)),
        Markup('<path class="rule" d="{}"/>').format(_draw_dots(size, set(claimed) - set(different))),
        Markup('<path class="differs" d="{}"/>').format(_draw_crosses(size, different)),
        Markup('<path class="frame" d="M0 0h{0}v{0}h-{0}z"/>').format(side),
        *_draw_axes(size, least),
    ]
    opening = Markup('<svg viewBox="-{} -2 {} {}" width="{}" height="{}" role="img" aria-label="{}">').format(
        LEFT, width, height, width, height, escape_invisible(label)
    )
    return opening + Markup("").join(parts) + Markup("</svg>")


def _draw_areas(size: int, cells: list[tuple[int, int]]) -> str:
    """Return an SVG path that fills the squares `cells`, given as (column, row). Neighbours in a row are one shape."""
    found, taken = [], set(cells)
    for a, b in cells:
        if (a - 1, b) in taken:
            continue
        end = a
        while (end, b) in taken:
            end += 1
        w = (end - a) * UNIT
        found.append(f"M{a * UNIT} {(size - 1 - b) * UNIT}h{w}v{UNIT}h-{w}z")
    return "".join(found)


def _draw_dots(size: int, cells: Iterable[tuple[int, int]]) -> str:
    """Return an SVG path with a dot in each of the squares `cells`. A dot is a line of length 0 with round ends."""
    half = UNIT // 2
    return "".join(f"M{a * UNIT + half} {(size - 1 - b) * UNIT + half}h0" for a, b in sorted(cells))


def _draw_crosses(size: int, cells: Iterable[tuple[int, int]]) -> str:
    return "".join(f"M{a * UNIT + 2} {(size - 1 - b) * UNIT + 2}l8 8m0-8l-8 8" for a, b in cells)


def _draw_axes(size: int, least: int) -> Iterator[Markup]:
    step = 1 if size <= 9 else 2 if size <= 17 else 5 if size > 30 else 4
    side, half = size * UNIT, UNIT / 2
    for i in range(size):
        if (least + i) % step == 0:
            at = i * UNIT + half
            yield Markup('<text x="{:g}" y="{}" text-anchor="middle">{}</text>').format(at, side + 14, least + i)
            yield Markup('<text x="-5" y="{:g}" text-anchor="end">{}</text>').format(side - at + 4, least + i)


# == sequences ========================================================================================================
# Plots of the values of single heaps: a step for each, bands for the period, a cross where a formula is wrong.
ACROSS = 17  # px of one heap
Place = Callable[[int], float]  # the height of a value, from the top
TALLEST, LOWEST = 220, 60  # px of the plot without its axes


@dataclass(frozen=True)
class SequencePicture:
    """A plot of the values of single heaps, drawn for the page, with the same in words.

    `summary`: the period of the values, or that there is none in the plot.
    `agreement`: where a claimed formula differs from the values; "" if the claim states no formula.
    `differs`: whether it differs somewhere.
    `table`: (heap size, value, claimed value or None) for each heap.
    """

    drawing: Markup
    summary: str
    agreement: str
    differs: bool
    table: tuple[tuple[int, int, int | None], ...]


def draw_values(found: GrundySequence) -> SequencePicture:
    """Return the plot of a sequence of values, with its description in words and numbers."""
    sizes = range(found.least, found.least + len(found.values))
    claimed = found.claimed or (None,) * len(found.values)
    table = tuple(zip(sizes, found.values, claimed, strict=True))
    wrong = [x for x, value, said in table if said is not None and said != value]
    span = f"x from {sizes[0]} to {sizes[-1]}"
    summary = _say_period(found, span)
    agreement = ""
    if found.claimed is not None:
        agreement = f"The claimed formula agrees for {span}."
        if wrong:
            named = ", ".join(map(str, wrong[:6])) + (", ..." if len(wrong) > 6 else "")
            agreement = f"The claimed formula differs at {count(len(wrong), 'heap')}: x = {named}."
    values = ", ".join(map(str, found.values))
    label = f"{found.title}: {summary} {agreement} The values: {values}."
    return SequencePicture(_draw_sequence(found, label), summary, agreement, bool(wrong), table)


def _say_period(found: GrundySequence, span: str) -> str:
    if not found.period:
        return f"No period of at most {len(found.values) // 2} for {span}."
    again = f"value(x + {found.period}) = value(x)" + (f" + {found.saltus}" if found.saltus > 0 else "")
    again += f" - {-found.saltus}" if found.saltus < 0 else ""
    return f"Period {found.period}, saltus {found.saltus}: {again}, as far as computed, {span}."


def _draw_sequence(found: GrundySequence, label: str) -> Markup:
    values = found.values
    low, high = min(values), max(values)
    up = max(3, min(ACROSS, TALLEST // (high - low + 1)))
    tall, wide = max(LOWEST, (high - low + 1) * up), len(values) * ACROSS

    def scale_value(value: int) -> float:
        return tall - (value - low + 0.5) * up

    parts = [
        Markup('<path class="band" d="{}"/>').format(_draw_bands(found, tall, wide)),
        Markup('<path class="stair" d="{}"/>').format(
            "".join(f"M{i * ACROSS + 1} {scale_value(v):g}h{ACROSS - 2}" for i, v in enumerate(values))
        ),
        Markup('<path class="differs" d="{}"/>').format(_draw_differences(found, scale_value)),
        *_draw_sequence_axes(found, tall, wide, scale_value),
    ]
    width, height = wide + 34, tall + 22
    opening = Markup('<svg viewBox="-28 -2 {} {}" width="{}" height="{}" role="img" aria-label="{}">').format(
        width, height, width, height, escape_invisible(label)
    )
    return opening + Markup("").join(parts) + Markup("</svg>")


def _draw_bands(found: GrundySequence, tall: int, wide: int) -> str:
    """Return an SVG path that fills every second period of the plot; "" if it shows at most one period.

    `tall`, `wide`: the height and the width of the plot in px.
    """
    block = found.period * ACROSS
    if not block or block >= wide:
        return ""
    return "".join(f"M{x} 0h{min(block, wide - x)}v{tall}h-{min(block, wide - x)}z" for x in range(0, wide, 2 * block))


def _draw_differences(found: GrundySequence, at: Place) -> str:
    if found.claimed is None:
        return ""
    return "".join(
        f"M{i * ACROSS + 4} {at(value) - 4:g}l8 8m0-8l-8 8"
        for i, (value, said) in enumerate(zip(found.values, found.claimed, strict=True))
        if said != value
    )


def _draw_sequence_axes(found: GrundySequence, tall: int, wide: int, at: Place) -> Iterator[Markup]:
    every = found.period if 3 <= found.period <= 8 else 5
    for i in range(len(found.values)):
        if i % every == 0:
            place = i * ACROSS + ACROSS / 2
            yield Markup('<text x="{:g}" y="{}" text-anchor="middle">{}</text>').format(
                place, tall + 15, found.least + i
            )
    low, high = min(found.values), max(found.values)
    step = max(1, -(-(high - low) // 6))
    for value in range(low, high + 1, step):
        yield Markup('<text x="-6" y="{:g}" text-anchor="end">{}</text>').format(at(value) + 4, value)
    yield Markup('<path class="frame" d="M0 0v{}h{}"/>').format(tall, wide)


# == play =============================================================================================================
# A board for the page: data for the script, which does not know the rules, and a tree for readers without scripts.
@dataclass(frozen=True)
class PlayNode:
    """A move in words, with the moves that may follow it.

    `again`: whether these are omitted here, because the tree contains them at an earlier place.
    """

    words: str
    children: tuple[PlayNode, ...] = ()
    again: bool = False


def write_data(board: PlayableClaim) -> Markup:
    """Return a board as JSON for the script of the page. Signs that could end the script element are escaped.

    "places" contains a list for each `BoardPlace`: [position, mover, facts in words, whether the page moves, legal
    moves, illegal moves]. A legal move is [position, index in "places"], an illegal one [position, reason].
    """
    table = HeapTable(board.drawing, (place.position for place in board.places))
    places = [
        [
            *(table.number(p.position), escape_invisible(p.mover), escape_invisible(p.says), p.answers),
            [[table.number(after), place] for after, place in p.moves],
            [[table.number(after), escape_invisible(why)] for after, why in p.refused],
        ]
        for p in board.places
    ]
    moves = ((place.position, after) for place in board.places for after, _ in place.moves)
    data = {"reader": escape_invisible(board.reader), "outcome": escape_invisible(board.outcome), "places": places}
    return _write_script({**data, **table.write(moves)})


def write_box(board: PlayableClaim) -> Markup:
    """Return all positions on which the reader can play as JSON for the script of the page. `board.box` is not None.

    "positions" lists the positions. "moves" lists, for each position, the indices of its options in "positions". Each
    index is written as the difference from the preceding one: the indices 3, 4, 9 are written as [3, 1, 5].
    """
    box = board.box
    assert box is not None
    table, at = HeapTable(board.drawing, box.positions), box.positions
    made = ((before, at[i]) for before, after in zip(at, box.moves, strict=True) for i in after)
    moves = [[n - before for before, n in zip((0, *after), after, strict=False)] for after in box.moves]
    games = [[escape_invisible(game.values), *game.legal, *game.wins] for game in box.games]
    return _write_script(
        {
            "title": escape_invisible(box.title),
            "players": [escape_invisible(name) for name in box.players],
            "stuckWins": box.stuck_wins,
            "within": box.within,
            "positions": [table.number(s) for s in box.positions],
            "moves": moves,
            "games": games,
            **table.write(made),
        }
    )


def _write_script(data: object) -> Markup:
    text = json.dumps(data, separators=(",", ":"))  # letters outside ASCII are escaped
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S704 - so it is safe


def list_tree(board: PlayableClaim) -> tuple[PlayNode, ...]:
    """Return the tree of moves from the first position of a board. A repeated position is expanded only once."""
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
    """Return a move in words that follow the name of the player.

    >>> describe((2, 2, 4), (2, 2, 2)), describe((4,), ()), describe((4,), (1, 2))
    ('takes 2 from 4 and leaves (2, 2, 2)', 'takes 4 from 4 and leaves no heap', 'leaves (1, 2)')
    """
    left = f"leaves {value_text(after, '()')}" if after else "leaves no heap"
    if found := find_lowered(before, after):
        return f"takes {found[0] - found[1]} from {found[0]} and {left}"
    return left


def find_lowered(before: ShownPosition, after: ShownPosition) -> tuple[int, int] | None:
    """Return (size of a heap before the move, size after it) if the move only makes this heap smaller, else None.

    A heap that disappears has the new size 0.

    >>> find_lowered((2, 2, 4), (2, 4)), find_lowered((4,), (1, 2))
    ((2, 0), None)
    """
    old, left = sizes(before), sizes(after)
    gone, new = sizes(leave_out(old, left)), sizes(leave_out(left, old))
    return (gone[0], sum(new)) if len(gone) == 1 and len(new) <= 1 and sum(new) < gone[0] else None


def sizes(position: Iterable[ShownHeap]) -> tuple[int, ...]:
    """Return the heaps of a position without the heaps that have parts: only the sizes of plain heaps."""
    return tuple(heap for heap in position if isinstance(heap, int))


def first_sentence(text: str) -> str:
    """Return the first sentence of a text. In the notes of a ruleset, it contains the rules that a player needs.

    >>> first_sentence("At most k objects. Whoever takes the last one wins."), first_sentence("No stop")
    ('At most k objects.', 'No stop')
    """
    return re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0]


# == vocabulary =======================================================================================================
# The functions that the templates of pictures and boards use.
KINDS = {Failures: "failures", OutcomeMap: "outcomes", GrundySequence: "values", Undrawn: "undrawn"}


def kind_of(picture: Picture) -> str:
    """Return the name of the template macro that shows a picture: "failures", "outcomes", "values" or "undrawn"."""
    return KINDS[type(picture)]


VOCABULARY = {
    "kind_of": kind_of,
    "heat_tables": heat_tables,
    "list_failing_values": list_failing_values,
    "share": share,
    "draw_outcomes": draw_outcomes,
    "draw_values": draw_values,
    "board_data": write_data,
    "box_data": write_box,
    "position_phrase": position_phrase,
    "draw_position": heaps.draw_position,
    "list_shown": heaps.list_shown,
    "board_tree": list_tree,
    "first_sentence": first_sentence,
}
