"""The order of the places in each layer, with few crossings: barycentres, then exchanges of neighbours."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from reports.argument.layout.strands import StrandPiece, Strands

SWEEPS = 24
PATIENCE = 6  # sweeps without an improvement
EXCHANGES = 8  # rounds through a layer

Layers = tuple[tuple[str, ...], ...]
End = tuple[int, float]
Between = Sequence[Sequence[StrandPiece]]


def reduce_crossings(strands: Strands) -> Layers:
    """The layers reordered; as they come, if no order with fewer crossings was found."""
    between = _group(strands)
    best = strands.layers
    least = count_crossings(best, strands.pieces)
    for layers in (best, tuple(tuple(reversed(layer)) for layer in best)):
        idle = 0
        for sweep in range(SWEEPS):
            if not least or idle == PATIENCE:
                break
            layers = _sweep(layers, between, rightwards=sweep % 2 == 0)
            found = count_crossings(layers, strands.pieces)
            idle = 0 if found < least else idle + 1
            if found < least:
                best, least = layers, found
    return best


def count_crossings(layers: Layers, pieces: Iterable[StrandPiece]) -> int:
    """How many pairs of pieces cross in this order."""
    at = {name: (i, j) for i, layer in enumerate(layers) for j, name in enumerate(layer)}
    between: dict[int, list[tuple[End, End]]] = defaultdict(list)
    for p in pieces:
        column, place = at[p.left]
        between[column].append(((place, p.leaves), (at[p.right][1], p.enters)))
    return sum(_count_inversions(found) for found in between.values())


def _count_inversions(found: list[tuple[End, End]]) -> int:
    seen: list[End] = []
    crossings = 0
    for _, right in sorted(found):
        at = bisect_right(seen, right)
        crossings += len(seen) - at
        seen.insert(at, right)
    return crossings


def _group(strands: Strands) -> Between:
    """The pieces by the layer on their left."""
    found: list[list[StrandPiece]] = [[] for _ in strands.layers]
    for p in strands.pieces:
        found[strands.layer_of[p.left]].append(p)
    return found


def _sweep(layers: Layers, between: Between, rightwards: bool) -> Layers:
    """Each layer in turn sorted by the middle of what its places are joined to in the one before it, then exchanged."""
    found = list(layers)
    for i in range(1, len(layers)) if rightwards else range(len(layers) - 2, -1, -1):
        ends = _ends(found, between, i, side=0 if rightwards else 1)
        middle = {name: sum(j + y / 1000 for j, y in xs) / len(xs) for name, xs in ends.items() if xs}
        keys = {name: middle.get(name, float(j)) for j, name in enumerate(found[i])}
        found[i] = tuple(sorted(found[i], key=keys.__getitem__))
    for i in range(len(found)):
        found[i] = _exchange(found, between, i)
    return tuple(found)


def _ends(layers: Sequence[tuple[str, ...]], between: Between, i: int, side: int) -> dict[str, list[End]]:
    """For each place of layer `i`, where it is joined to: in the layer on its left, or for side 1 on its right."""
    found: dict[str, list[End]] = {name: [] for name in layers[i]}
    j = i + (1 if side else -1)
    if 0 <= j < len(layers):
        place = {name: k for k, name in enumerate(layers[j])}
        for p in between[min(i, j)]:
            if side:
                found[p.left].append((place[p.right], p.enters))
            else:
                found[p.right].append((place[p.left], p.leaves))
    return found


def _exchange(layers: Sequence[tuple[str, ...]], between: Between, i: int) -> tuple[str, ...]:
    """The layer with neighbours exchanged wherever that saves crossings with the layers on both sides."""
    order = list(layers[i])
    sides = [_ends(layers, between, i, side) for side in (0, 1)]
    for _ in range(EXCHANGES):
        changed = False
        for k, (a, b) in enumerate(pairwise(tuple(order))):
            if order[k] == a and sum(_gain(ends[a], ends[b]) for ends in sides) > 0:
                order[k], order[k + 1] = b, a
                changed = True
        if not changed:
            break
    return tuple(order)


def _gain(upper: list[End], lower: list[End]) -> int:
    """How many crossings an exchange of two neighbours saves on one side."""
    return sum((x > y) - (x < y) for x in upper for y in lower)
