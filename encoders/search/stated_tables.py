"""A table of small and large positions of a statement, with the positions that an invariant calls lost.

No move from a lost position may lead to a lost position. Every other position needs a move to a lost position. For
small positions, the table tests both conditions and finds all moves that win.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claims.language.errors import NimChecksError
from claims.language.syntax import terms as t
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.compute.arrays.limits import Deadline
from encoders.logic.sequents import conjunction
from encoders.search.statement import StatedMove, Statement

Columns = Mapping[str, NDArray[np.int64]]
Truths = NDArray[np.bool_]
Numbers = NDArray[np.int64]

MOST_ROWS = 1500
MOST_FAR_ROWS = 500
MOST_OUTCOMES = 600_000  # positions times picks in one table
SIZES = {
    1: 30,
    2: 12,
    3: 7,
    4: 4,
    5: 3,
}  # by the count of the numbers in a position: the largest of them
LEAST_SIZE, FAR = 2, 5  # large positions have numbers up to FAR times as large
MOST_PARAMETER = 5


class FormulaFails(NimChecksError):
    """The formula is not an invariant of the game, or no replies were found. The message is the reason."""


def evaluate_truth(term: t.Term, columns: Columns, undefined: bool = False) -> Truths:
    """Return the truth value of a term in each row of a table, that is, at each position.

    If the term is undefined in a row, the result there is `undefined`.
    """
    found = ColumnTable(columns).evaluate(term)
    return np.where(found.undefined, undefined, found.values.astype(bool))


def evaluate_number(term: t.Term, columns: Columns) -> tuple[Numbers, Truths]:
    """Return (1) the value of a term in each row of a table, and (2) whether the value is defined.

    A row is a position. If some value may exceed 2^62, all values count as undefined.
    """
    found = ColumnTable(columns).evaluate(term)
    if found.values.dtype == object:
        return np.zeros(len(found.values), dtype=np.int64), np.zeros(len(found.values), dtype=bool)
    return np.where(found.undefined, 0, found.values).astype(np.int64), ~found.undefined


def list_positions(statement: Statement, generator: np.random.Generator) -> tuple[Columns, int]:
    """Return (1) the numbers and parameters of some positions, by name, and (2) how many of the positions are small.

    Each array in (1) has one element for each position; the small positions come first.
    """
    count, own = len(statement.names), len(statement.parameters)
    size = SIZES.get(count, LEAST_SIZE)
    names = (*statement.names, *(v.name for v in statement.parameters))
    most = MOST_PARAMETER if own < 3 else MOST_PARAMETER - 2
    ranges = [*[range(size + 1)] * count, *[range(most + 1)] * own]
    if np.prod([float(len(r)) for r in ranges]) <= 40 * MOST_ROWS:
        near = np.array(list(itertools.product(*ranges)), dtype=np.int64).reshape(-1, len(ranges))
    else:
        near = np.stack([generator.integers(0, len(r), 40 * MOST_ROWS) for r in ranges], axis=1)
    widths = [*[FAR * size] * count, *[3 * most] * own]
    far = np.stack([generator.integers(0, w + 1, 20 * MOST_FAR_ROWS) for w in widths], axis=1)
    if statement.sorted:
        far[:, : len(statement.own)].sort(axis=1)
    chosen = []
    for rows, limit in ((near, MOST_ROWS), (far, MOST_FAR_ROWS)):
        columns = {name: rows[:, i].copy() for i, name in enumerate(names)}
        kept = rows[evaluate_truth(conjunction(statement.valid, statement.assumed), columns)]
        if len(kept) > limit:
            kept = kept[np.sort(generator.choice(len(kept), limit, replace=False))]
        chosen.append(kept)
    together = np.concatenate(chosen)
    return {name: together[:, i].copy() for i, name in enumerate(names)}, len(chosen[0])


def evaluate_after(statement: Statement, move: StatedMove, columns: Columns, loses: t.Term) -> Truths:
    """Return, for each row of a table, whether the next player loses the position after the move.

    A row consists of the numbers and parameters of a position, and the picks of the move (`columns`).
    `loses`: the invariant, that is, the condition under which the next player loses.
    """
    if move.lost is not None:
        return evaluate_truth(move.lost, columns)
    parts = [evaluate_number(term, columns) for term in move.after]
    sizes = np.stack([x for x, _ in parts])
    defined = np.all([x for _, x in parts], axis=0)
    if statement.sorted:
        sizes = np.sort(sizes, axis=0)
    after = {v.name: columns[v.name] for v in statement.parameters}
    after |= {name: columns[name] for name in statement.names if name == statement.below}
    after |= dict(zip(statement.own, sizes, strict=True))
    found: Truths = evaluate_truth(loses, after) & defined
    return found


def spread_picks(
    statement: Statement, move: StatedMove, columns: Columns, count: int
) -> tuple[tuple[int, ...], Numbers, Columns, Truths]:
    """Combine each of `count` positions with all choices of picks from 0 up to a limit.

    Return four results. The arrays have one entry for each position and choice of picks, in a fixed order:

    - the shape (positions, choices of the first pick, ...), to which an array can be reshaped;
    - the index of the position;
    - the numbers of the position and the picks, by name;
    - whether the move is legal.

    Raises FormulaFails if the move picks so many numbers that the arrays are too large.
    """
    picks = len(move.names)
    top = max((int(columns[name].max(initial=0)) for name in statement.names), default=0) + 1
    width = min(top + 1, int((MOST_OUTCOMES / max(1, count)) ** (1 / max(1, picks))))
    if width < 2:
        raise FormulaFails("a move picks too many numbers for a table of all choices")
    shape = (count, *(width,) * picks)
    grid = np.indices(shape, dtype=np.int64).reshape(picks + 1, -1)
    spread = {name: x[grid[0]] for name, x in columns.items()} | dict(zip(move.names, grid[1:], strict=True))
    return shape, grid[0], spread, evaluate_truth(move.legal, spread)


@dataclass(frozen=True, eq=False)
class WinningPicks:
    """A kind of move, and the picks with which the move wins.

    `wins`: element [i, p, q, ...] is whether the move with the picks p, q, ... wins at position i.
    """

    move: StatedMove
    wins: Truths


class PositionTable:
    """Positions, and for each side whether the invariant states that the side loses there.

    The positions with an index below `near` are small. For these, the table also determines all winning moves.
    """

    def __init__(self, statement: Statement, loses: tuple[t.Term, ...], columns: Columns, near: int) -> None:
        self.statement, self.loses, self.columns, self.near = statement, loses, columns, near
        self.lost = [evaluate_truth(x, columns, True) for x in loses]
        self.close = {name: x[:near] for name, x in columns.items()}
        # in misère play, a player who cannot move wins and needs no reply
        self.needs_reply = [~x for x in self.lost]
        if statement.misere:
            count = len(self.lost[0])
            moves = [np.zeros(count, dtype=bool) for _ in loses]
            for move in statement.moves:
                shape, _, _, legal = spread_picks(statement, move, columns, count)
                moves[move.side] |= legal.reshape(shape).reshape(count, -1).any(axis=1)
            self.needs_reply = [~x & able for x, able in zip(self.lost, moves, strict=True)]

    def next_side(self, side: int) -> int:
        return (side + 1) % len(self.loses)

    def find_winning_picks(self, clock: Deadline) -> list[WinningPicks]:
        """Return, for each kind of move, the picks that win at the small positions.

        Raises FormulaFails if these moves contradict the invariant: a lost position has a winning move, or another
        position that needs a reply has none among the picks that were tried.
        """
        found: list[WinningPicks] = []
        won = [np.zeros(self.near, dtype=bool) for _ in self.loses]
        for move in self.statement.moves:
            clock.check()
            shape, _, columns, legal = spread_picks(self.statement, move, self.close, self.near)
            lost = evaluate_after(self.statement, move, columns, self.loses[self.next_side(move.side)])
            wins = (legal & lost).reshape(shape)
            some = wins.reshape(self.near, -1).any(axis=1)
            if (wrong := np.flatnonzero(some & self.lost[move.side][: self.near])).size:
                place = self.describe(int(wrong[0]))
                raise FormulaFails(
                    f"by the formula the mover loses at {place}, but after some move the next player loses"
                )
            won[move.side] |= some
            found.append(WinningPicks(move, wins))
        for side, some in enumerate(won):
            if (wrong := np.flatnonzero(~some & self.needs_reply[side][: self.near])).size:
                place = self.describe(int(wrong[0]))
                raise FormulaFails(
                    f"by the formula the mover wins at {place}, but after no move that was tried the next player loses"
                )
        return found

    def describe(self, row: int) -> str:
        """Return a position as text."""
        return ", ".join(f"{name} = {int(x[row])}" for name, x in self.columns.items())


def solve_positions(
    statement: Statement, columns: Columns, count: int, clock: Deadline
) -> tuple[list[Truths], Truths] | None:
    """Return (1) for each side, at which positions it loses when it is to move, and (2) which positions are solved.

    A position is solved if the table determines the winner for each side to move. Return None if the numbers are too
    large.
    `count`: the number of positions.
    """
    names = (*statement.names, *(v.name for v in statement.parameters))
    base = max(int(x.max(initial=0)) for x in columns.values()) + 2
    if base ** len(names) >= 1 << 62:
        return None

    def encode(rows: Columns) -> Numbers:
        code = np.zeros(len(rows[names[0]]), dtype=np.int64)
        for name in names:
            code = code * base + rows[name]
        return code

    codes = encode(columns)
    order = np.argsort(codes)
    edges: list[list[tuple[Numbers, Numbers]]] = [[] for _ in statement.loses]
    able, leaves = ([np.zeros(count, dtype=bool) for _ in statement.loses] for _ in range(2))
    for move in statement.moves:
        clock.check()
        _, source, spread, legal = spread_picks(statement, move, columns, count)
        sizes = np.stack([evaluate_number(term, spread)[0] for term in move.after])
        if statement.sorted:
            sizes = np.sort(sizes, axis=0)
        after = {name: x[legal] for name, x in {**spread, **dict(zip(statement.names, sizes, strict=True))}.items()}
        source = source[legal]
        inside = np.all([(after[name] >= 0) & (after[name] < base) for name in names], axis=0)
        wanted = encode({name: np.where(inside, after[name], 0) for name in names})
        places = np.minimum(np.searchsorted(codes, wanted, sorter=order), count - 1)
        inside &= codes[order[places]] == wanted
        able[move.side][source] = True
        leaves[move.side][source[~inside]] = True
        edges[move.side].append((source[inside], order[places][inside]))
    lost, won = ([np.zeros(count, dtype=bool) for _ in statement.loses] for _ in range(2))
    for _ in range(2 * count):
        clock.check()
        solved = sum(int(x.sum()) for x in (*lost, *won))
        for side, own in enumerate(edges):
            other = (side + 1) % len(lost)
            open_ = leaves[side].copy()
            if statement.misere:
                open_ |= ~able[side]
                won[side] |= ~able[side]
            for source, target in own:
                won[side][source[lost[other][target]]] = True
                open_[source[~won[other][target]]] = True
            lost[side] |= ~open_
        if solved == sum(int(x.sum()) for x in (*lost, *won)):
            break
    known: Truths = np.all([x | y for x, y in zip(lost, won, strict=True)], axis=0)
    return lost, known
