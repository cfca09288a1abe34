"""A whole layout: the layer and the height of each node, and the heights at which each line passes other layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from reports.argument.layout.crossings import reduce_crossings
from reports.argument.layout.heights import choose_heights
from reports.argument.layout.layers import choose_layers
from reports.argument.layout.strands import Line, cut

APART = 26.0  # px between parts of a graph that nothing joins


@dataclass
class Arrangement:
    """`layer` and `top`: of each node; tops in px.  `bends`: of each line, (layer, height) of each.

    `crowd`: how many pieces of lines lead from a layer to the next, or back.
    """

    layer: dict[str, int] = field(default_factory=dict)
    top: dict[str, float] = field(default_factory=dict)
    bends: dict[Line, tuple[tuple[int, float], ...]] = field(default_factory=dict)
    crowd: dict[int, int] = field(default_factory=dict)


def arrange(tall: Mapping[str, float], lines: Sequence[Line]) -> Arrangement:
    """The layout of nodes of these heights. Lines that do not lead place only nodes that no leading one touches.

    Parts that nothing joins stand one below the other, in the order of their first nodes.
    """
    found = Arrangement()
    below = 0.0
    for part in _parts(tall, lines):
        own = [line for line in lines if line.source in part]
        layer = choose_layers(part, _ends(own, leads=True), _ends(own, leads=False))
        strands = cut(layer, own)
        top = choose_heights(reduce_crossings(strands), strands.pieces, tall)
        for piece in strands.pieces:
            at = strands.layer_of[piece.left]
            found.crowd[at] = found.crowd.get(at, 0) + 1
        found.layer |= layer
        found.top |= {node: below + top[node] for node in part}
        for line, bends in strands.bends.items():
            step = 1 if layer[line.target] > layer[line.source] else -1
            columns = range(layer[line.source] + step, layer[line.target], step)
            found.bends[line] = tuple((at, below + top[bend]) for at, bend in zip(columns, bends, strict=False))
        below += max(top[node] + tall[node] for node in part) + APART
    return found


def _ends(lines: Iterable[Line], leads: bool) -> list[tuple[str, str]]:
    return [(line.source, line.target) for line in lines if line.leads is leads]


def _parts(nodes: Iterable[str], lines: Iterable[Line]) -> Iterator[list[str]]:
    """The nodes that lines join, directly or by way of others; in their order."""
    joined: dict[str, set[str]] = {node: set() for node in nodes}
    for line in lines:
        joined[line.source].add(line.target)
        joined[line.target].add(line.source)
    seen: set[str] = set()
    for start in joined:
        if start in seen:
            continue
        waiting, part = [start], {start}
        while waiting:
            new = joined[waiting.pop()] - part
            part |= new
            waiting += new
        seen |= part
        yield [node for node in joined if node in part]
