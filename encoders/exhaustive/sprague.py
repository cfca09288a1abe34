"""Grundy values of single heaps that may split, by the Sprague-Grundy theorem. The one place where it is used.

Only Grundy values of single heaps of an impartial ruleset under normal play may rest on it, and the receipt says so.
"""

from __future__ import annotations

import numpy as np

from claims.rulesets import Ruleset
from encoders.exhaustive.frame import Frame
from encoders.exhaustive.limits import BadRuleset
from encoders.exhaustive.moves import Moves, Parameters, bound
from encoders.exhaustive.values import Array, Scalars, constant


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


def single_heap_values(moves: Moves, parameters: list[Parameters], size: int) -> Array:
    """Grundy values of the heaps 0..size at each parameter; (Q, size + 1). The value of a sum is the nim-sum."""
    out = np.zeros((len(parameters), size + 1), dtype=np.int64)
    for q, parameter in enumerate(parameters):
        parts = []
        for move in moves.ruleset.moves:
            names = bound(moves.ruleset, [parameter]) | {"mover": constant(0)}
            names[move.heaps[0]] = Scalars(np.arange(1, size + 1)[None, :])
            if size:
                frame, owner = moves.picked(move, Frame(1, size, names))
                sizes = np.stack([*moves.sizes(move, frame), np.zeros(len(owner), dtype=np.int64)])
                if bool((sizes.sum(axis=0) > owner).any()):  # heap owner + 1 becomes at least owner + 1
                    raise BadRuleset(f"a move of {moves.ruleset.id} does not decrease the total")
                parts.append((owner + 1, sizes))
        for h in range(1, size + 1):
            reached: set[int] = set()
            for owner, sizes in parts:
                first, last = np.searchsorted(owner, [h, h + 1])
                reached.update(np.bitwise_xor.reduce(out[q, sizes[:, first:last]], axis=0).tolist())
            out[q, h] = next(i for i in range(len(reached) + 1) if i not in reached)
    return out
