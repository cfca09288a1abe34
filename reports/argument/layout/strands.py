"""Strands: edges cut into pieces between neighbouring layers; what leaves one place for several goes together.

Where an edge passes a layer there is a *bend* for it, a place like that of a node, so that lines run between nodes and
not through them.  Lines of one strand share their bends, and part where their ways part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class EdgeLine:
    """An edge to be drawn, from node to node. `leaves`, `enters`: how far below the tops of the nodes, in px.

    `strand`: lines of one strand share their way; they must leave the same node at the same height.  `leads`: whether
    layers are chosen by it.
    """

    source: str
    target: str
    leaves: float
    enters: float
    strand: str
    leads: bool = True


@dataclass(frozen=True)
class StrandPiece:
    """From a place of one layer to one of the next layer on the right; where it meets them, in px below their tops."""

    left: str
    right: str
    leaves: float
    enters: float


@dataclass(frozen=True)
class Strands:
    """`layers`: the places of each layer, nodes and bends.  `bends`: those of each line, from its source on.

    `pieces`: each once, however many lines share it.
    """

    layers: tuple[tuple[str, ...], ...]
    bends: Mapping[EdgeLine, tuple[str, ...]]
    pieces: tuple[StrandPiece, ...]

    @cached_property
    def layer_of(self) -> Mapping[str, int]:
        """The layer of each place."""
        return {place: at for at, places in enumerate(self.layers) for place in places}


def split_edges(layer: Mapping[str, int], lines: Sequence[EdgeLine]) -> Strands:
    """The strands of the lines between nodes of these layers. A line within a layer has no pieces.

    Names of nodes have no spaces.
    """
    layers: list[dict[str, None]] = [{} for _ in range(max(layer.values(), default=-1) + 1)]
    for node, at in layer.items():
        layers[at][node] = None
    bends: dict[EdgeLine, tuple[str, ...]] = {}
    pieces: dict[StrandPiece, None] = {}
    for line in lines:
        start, end = layer[line.source], layer[line.target]
        step = 1 if end > start else -1
        passed = {f"{at} {step} {line.strand}": at for at in range(start + step, end, step)}
        bends[line] = tuple(passed)
        for bend, at in passed.items():
            layers[at][bend] = None
        if start != end:
            ends = [(line.source, line.leaves), *((bend, 0.0) for bend in passed), (line.target, line.enters)]
            for (a, out), (b, into) in zip(ends, ends[1:], strict=False):
                pieces[StrandPiece(a, b, out, into) if step > 0 else StrandPiece(b, a, into, out)] = None
    return Strands(tuple(tuple(places) for places in layers), bends, tuple(pieces))


def is_bend(place: str) -> bool:
    """Whether the place is a bend and not a node."""
    return " " in place
