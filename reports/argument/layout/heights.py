"""Heights: each place in its layer, in its order, near what it is joined to, and lines as straight as may be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from reports.argument.layout.strands import StrandPiece, is_bend

ROUNDS = 60
LOOSE = 0.01  # what a place weighs that is joined to nothing
STRAIGHT = {0: 1.0, 1: 3.0, 2: 30.0}  # how much a piece weighs, by how many of its ends are bends


@dataclass(frozen=True)
class Gaps:
    """The least distances between neighbours of a layer, in px."""

    nodes: float = 11.0
    node_and_bend: float = 9.0
    bends: float = 7.0

    def between(self, upper: str, lower: str) -> float:
        """The distance between these two."""
        return (self.nodes, self.node_and_bend, self.bends)[is_bend(upper) + is_bend(lower)]


USUAL = Gaps()


def choose_heights(
    layers: Sequence[Sequence[str]], pieces: Sequence[StrandPiece], tall: Mapping[str, float], gaps: Gaps = USUAL
) -> dict[str, float]:
    """The top of each place, the least of all at 0. `tall`: the heights of the nodes; bends have none."""
    steps = [[_step(layer, i, tall, gaps) for i in range(len(layer))] for layer in layers]
    top: dict[str, float] = {}
    for layer, found in zip(layers, steps, strict=True):
        top |= zip(layer, accumulate(found[:-1], initial=0.0), strict=False)
    wishes = _wishes(pieces)
    order = list(zip(layers, steps, strict=True))
    for turn in range(ROUNDS):
        for layer, found in order if turn % 2 == 0 else reversed(order):
            _settle(layer, top, wishes, found)
    least = min(top.values(), default=0.0)
    return {place: y - least for place, y in top.items()}


def _step(layer: Sequence[str], i: int, tall: Mapping[str, float], gaps: Gaps) -> float:
    """From the top of a place to that of the next."""
    return tall.get(layer[i], 0.0) + (gaps.between(layer[i], layer[i + 1]) if i + 1 < len(layer) else 0.0)


def _wishes(pieces: Sequence[StrandPiece]) -> Mapping[str, list[tuple[str, float, float]]]:
    """For each place: (another, how much lower its top should be than that one's, how much that matters)."""
    found: dict[str, list[tuple[str, float, float]]] = defaultdict(list)
    for p in pieces:
        weight = STRAIGHT[is_bend(p.left) + is_bend(p.right)]
        found[p.left].append((p.right, p.enters - p.leaves, weight))
        found[p.right].append((p.left, p.leaves - p.enters, weight))
    return found


@dataclass
class _Block:
    """Neighbours that touch: the first and how many, where the top of the first would like to be, and its weight.

    `height`: from the top of the first to that of what comes next.
    """

    first: int
    count: int
    wish: float
    weight: float
    height: float


def _settle(
    layer: Sequence[str],
    top: dict[str, float],
    wishes: Mapping[str, list[tuple[str, float, float]]],
    steps: Sequence[float],
) -> None:
    """Put the places of a layer as near to their wishes as order and `steps` allow, by least squares.

    `steps`: from the top of each place to that of the next.
    """
    blocks: list[_Block] = []
    for i, place in enumerate(layer):
        found = wishes.get(place, ())
        weight = sum(w for _, _, w in found)
        wish = sum((top[other] + lower) * w for other, lower, w in found) / weight if weight else top[place]
        blocks.append(_Block(i, 1, wish, weight or LOOSE, steps[i]))
        while len(blocks) > 1 and blocks[-2].wish + blocks[-2].height > blocks[-1].wish:
            lower, upper = blocks.pop(), blocks.pop()
            total = upper.weight + lower.weight
            wish = (upper.wish * upper.weight + (lower.wish - upper.height) * lower.weight) / total
            blocks.append(_Block(upper.first, upper.count + lower.count, wish, total, upper.height + lower.height))
    for block in blocks:
        y = block.wish
        for i in range(block.first, block.first + block.count):
            top[layer[i]] = y
            y += steps[i]
