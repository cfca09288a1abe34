"""How many positions can be reached from some: whether it pays to play from these, or to solve all in a box."""

from __future__ import annotations

import numpy as np

from encoders.exhaustive.arrays.limits import TooLarge
from encoders.exhaustive.arrays.positions import Pool
from encoders.exhaustive.arrays.segments import list_distinct
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.moves.moves import Moves, Parameters

_ROWS = 512  # positions whose moves are found at once
MOST_TURNS = 16  # choices of parameters, with a mover each, that are looked at


def reaches_at_most(
    moves: Moves, pool: Pool, start: Array, turns: list[tuple[Parameters, int]], positions: int, options: int
) -> bool:
    """Whether from the positions `start`, pool ids, at most so many are reached by at most so many moves.

    `turns`: whose moves, under which parameters.  It stops as soon as there are more.  Raises BadRuleset and OutOfTime.
    """
    known = np.zeros(len(pool), dtype=bool)
    known[start] = True
    todo = list_distinct(start)
    if len(turns) > MOST_TURNS:
        return False
    while len(todo) and int(known.sum()) <= positions:
        part, todo = todo[:_ROWS], todo[_ROWS:]
        for parameters, mover in turns:
            try:
                found = moves.list_options(pool.rows[part], part, parameters, mover)[1]
            except TooLarge:
                return False
            options -= len(found)
            if options < 0:
                return False
            ids = list_distinct(pool.intern(found))
            known = np.append(known, np.zeros(len(pool) - len(known), dtype=bool))
            fresh = ids[~known[ids]]
            known[fresh] = True
            todo = np.append(todo, fresh)
    return int(known.sum()) <= positions
