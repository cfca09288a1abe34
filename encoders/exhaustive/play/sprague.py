"""Grundy values of single heaps that may split, by the Sprague-Grundy theorem. The one place where it is used.

Only Grundy values of single heaps of an impartial ruleset under normal play may rest on it, and the receipt says so.
"""

from __future__ import annotations

import numpy as np

from claims.language.statement.rulesets import Ruleset
from encoders.exhaustive.arrays.frame import Frame
from encoders.exhaustive.arrays.limits import BadRuleset
from encoders.exhaustive.arrays.values import Array, Scalars, make_constant
from encoders.exhaustive.play.moves import Moves, Parameters, bind_parameters


def applies(ruleset: Ruleset) -> bool:
    """Whether single heaps of the ruleset may be solved this way: every move splits or shrinks any one heap."""
    return (
        ruleset.impartial
        and not ruleset.stuck_wins
        and not ruleset.sees_position
        and ruleset.measure is None
        and not ruleset.single_heap
        and all(m.choose == "any" and len(m.heaps) == 1 for m in ruleset.moves)
    )


def solve_single_heaps(moves: Moves, parameters: list[Parameters], size: int) -> Array:
    """Grundy values of the heaps 0..size at each parameter; (Q, size + 1). The value of a sum is the nim-sum."""
    out = np.zeros((len(parameters), size + 1), dtype=np.int64)
    for q, parameter in enumerate(parameters):
        parts = []  # (heap of each pick, what it becomes)
        for move in moves.ruleset.moves:
            names = bind_parameters(moves.ruleset, [parameter]) | {"mover": make_constant(0)}
            names[move.heaps[0]] = Scalars(np.arange(1, size + 1)[None, :])
            for picked in moves.list_picks(move, Frame(1, size, names)):
                heaps, sizes = picked.owner + 1, np.stack([*picked.sizes, 0 * picked.owner])
                if bool((sizes.sum(axis=0) >= heaps).any()):
                    raise BadRuleset(f"a move of {moves.ruleset.id} does not decrease the total")
                parts.append((heaps, sizes))
        for h in range(1, size + 1):
            moves.evaluator.clock.check()
            reached: set[int] = set()
            for heaps, sizes in parts:
                first, last = np.searchsorted(heaps, [h, h + 1])
                reached.update(np.bitwise_xor.reduce(out[q, sizes[:, first:last]], axis=0).tolist())
            out[q, h] = next(i for i in range(len(reached) + 1) if i not in reached)
    return out
