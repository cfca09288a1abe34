"""A whole layout: each part of a graph with the layers and heights of its nodes, and where lines pass other layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reports.argument.layout.crossings import reduce_crossings
from reports.argument.layout.heights import choose_heights
from reports.argument.layout.layers import choose_layers
from reports.argument.layout.strands import EdgeLine, split_edges


@dataclass(frozen=True)
class GraphPart:
    """What lines join, directly or by way of others.

    `layer` and `top`: of each node; tops in px, the least at 0 or below it.  `bends`: of each line, (layer, height) of
    those that it passes, in turn.  `crowd`: how many pieces of lines lead from each layer to the next, or back.
    """

    layer: Mapping[str, int]
    top: Mapping[str, float]
    bends: Mapping[EdgeLine, tuple[tuple[int, float], ...]]
    crowd: tuple[int, ...]


def arrange(tall: Mapping[str, float], lines: Sequence[EdgeLine]) -> Iterator[GraphPart]:
    """The layout of nodes of these heights, part by part, in the order of the first nodes of each.

    Lines that do not lead place only nodes that no leading one touches.
    """
    for part in _parts(tall, lines):
        own = [line for line in lines if line.source in part]
        layer = choose_layers(part, _ends(own, leads=True), _ends(own, leads=False))
        strands = split_edges(layer, own)
        top = choose_heights(reduce_crossings(strands), strands.pieces, tall)
        crowd = Counter(strands.layer_of[piece.left] for piece in strands.pieces)
        yield GraphPart(
            layer,
            {node: top[node] for node in part},
            {line: tuple((strands.layer_of[b], top[b]) for b in bends) for line, bends in strands.bends.items()},
            tuple(crowd[at] for at in range(max(layer.values()) + 1)),
        )


def _ends(lines: Iterable[EdgeLine], leads: bool) -> list[tuple[str, str]]:
    return [(line.source, line.target) for line in lines if line.leads is leads]


def _parts(nodes: Iterable[str], lines: Iterable[EdgeLine]) -> Iterator[list[str]]:
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
