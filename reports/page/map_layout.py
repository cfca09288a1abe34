"""Layered graph layout: nodes in columns (*layers*), few crossings, and lines as straight as possible."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

# == layers ===========================================================================================================
# Layers: a column for each node, such that edges go from left to right wherever the graph has no cycle.
Pair = tuple[str, str]


def choose_layers(nodes: Sequence[str], edges: Iterable[Pair], hints: Iterable[Pair] = ()) -> dict[str, int]:
    """Return the layer of each node, that is, the index of its column from the left, from 0.

    Each edge leads to a later layer, except edges that close a cycle. `_assign_layers` states the rule.
    `hints`: pairs (left node, right node). They determine only the layers of nodes without an edge.
    """
    own = [(a, b) for a, b in dict.fromkeys(edges) if a != b]
    joined = {node for pair in own for node in pair}
    acyclic = _drop_cycles([n for n in nodes if n in joined], own)
    layer = _assign_layers([n for n in nodes if n in joined], acyclic)
    _place_by_hints(layer, nodes, list(hints))
    used = sorted(set(layer.values()))
    return {node: used.index(layer[node]) for node in nodes}


def _drop_cycles(nodes: Sequence[str], edges: Iterable[Pair]) -> list[Pair]:
    """Return the edges without those that close a cycle, so that the rest is acyclic.

    An edge closes a cycle if it leads to a node on the current path of a depth-first search. The search starts at each
    node without incoming edges, then at each node that it has not reached.
    """
    after: dict[str, list[str]] = {node: [] for node in nodes}
    entered = set()
    for a, b in edges:
        after[a].append(b)
        entered.add(b)
    kept: list[Pair] = []
    begun: set[str] = set()
    path: dict[str, int] = {}  # the nodes of the walk, each with the number of its edges that are done
    for start in (*(n for n in nodes if n not in entered), *nodes):
        if start in begun:
            continue
        begun.add(start)
        path[start] = 0
        while path:
            node = next(reversed(path))
            done = path[node]
            if done == len(after[node]):
                del path[node]
                continue
            path[node] = done + 1
            other = after[node][done]
            if other in path:
                continue
            kept.append((node, other))
            if other not in begun:
                begun.add(other)
                path[other] = 0
    return kept


def _assign_layers(nodes: Sequence[str], edges: Iterable[Pair]) -> dict[str, int]:
    """Return the layer of each node of an acyclic graph.

    The layer is at first the length of the longest path to the node. Then each node with at least as many outgoing as
    incoming edges is moved as far to the right as its outgoing edges allow.
    """
    before: dict[str, list[str]] = {node: [] for node in nodes}
    after: dict[str, list[str]] = {node: [] for node in nodes}
    for a, b in edges:
        before[b].append(a)
        after[a].append(b)
    waits = {node: len(before[node]) for node in nodes}
    order = [node for node in nodes if not waits[node]]
    layer = dict.fromkeys(order, 0)
    for node in order:
        for other in after[node]:
            layer[other] = max(layer.get(other, 0), layer[node] + 1)
            waits[other] -= 1
            if not waits[other]:
                order.append(other)
    for node in reversed(order):
        if after[node] and len(after[node]) >= len(before[node]):
            layer[node] = min(layer[other] for other in after[node]) - 1
    return layer


def _place_by_hints(layer: dict[str, int], nodes: Sequence[str], hints: Sequence[Pair]) -> None:
    """Add to `layer` all nodes that it does not contain, and shift the layers so that the first is 0.

    A node whose neighbour in a hint has a layer gets the layer next to it. If no hint helps, a node gets the layer 0.
    """
    while missing := [node for node in nodes if node not in layer]:
        found = _follow(layer, hints)
        if not found:
            found = {missing[0]: 0}
        layer.update(found)
    lowest = min(layer.values(), default=0)
    for node in layer:
        layer[node] -= lowest


def _follow(layer: Mapping[str, int], hints: Sequence[Pair]) -> dict[str, int]:
    """Return layers for nodes that are not in `layer` but whose neighbour in a hint is; {} if there are none.

    If some nodes can be placed to the right of their neighbours, only these are returned. Otherwise the result contains
    nodes to the left of their neighbours.
    """
    found: dict[str, int] = {}
    for a, b in hints:
        if a in layer and b not in layer:
            found[b] = max(found.get(b, 0), layer[a] + 1)
    if found:
        return found
    for a, b in hints:
        if b in layer and a not in layer:
            found[a] = min(found.get(a, layer[b]), layer[b] - 1)
    return found


# == strands ==========================================================================================================
# Strands: edges cut into pieces between neighbouring layers. Edges from one place run together.
#
# An edge that passes a layer has a *bend* there, a place like a node, so that lines run between nodes and not through
# them. Lines of one strand share their bends until they separate.
@dataclass(frozen=True)
class EdgeLine:
    """A line to draw from the node `source` to the node `target`.

    `leaves`, `enters`: how far below the tops of the two nodes the line begins and ends, in px.
    `strand`: a name that is equal for lines that run together at first. They must begin at the same point.
    `leads`: whether the line determines the layers of its nodes. Otherwise, it only suggests the layer of a node
    that is not an end of any line with `leads`.
    """

    source: str
    target: str
    leaves: float
    enters: float
    strand: str
    leads: bool = True


@dataclass(frozen=True)
class StrandPiece:
    """A piece of a line, from the place `left` in one layer to the place `right` in the next layer.

    A place is a node, or a bend where a line passes a layer.
    `leaves`, `enters`: how far below the tops of the two places the piece begins and ends, in px.
    """

    left: str
    right: str
    leaves: float
    enters: float


@dataclass(frozen=True)
class Strands:
    """The lines of a graph, cut into pieces between neighbouring layers.

    `layers`: the places of each layer from top to bottom: its nodes, and the bends of the lines that pass the layer.
    `bends`: the bends of each line, beginning at its source.
    `pieces`: the pieces of all lines. A piece that several lines share occurs once.
    """

    layers: tuple[tuple[str, ...], ...]
    bends: Mapping[EdgeLine, tuple[str, ...]]
    pieces: tuple[StrandPiece, ...]

    @cached_property
    def layer_of(self) -> Mapping[str, int]:
        """The index of the layer of each place."""
        return {place: at for at, places in enumerate(self.layers) for place in places}


def split_edges(layer: Mapping[str, int], lines: Sequence[EdgeLine]) -> Strands:
    """Return the lines cut into pieces. `layer`: the layer of each node.

    A line between two nodes of one layer has no pieces. Names of nodes must not contain spaces, because names of bends
    do.
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
    """Return whether the place is a bend, not a node."""
    return " " in place


# == crossings ========================================================================================================
# The order of the places in each layer, with few crossings: barycentres, then exchanges of neighbours.
SWEEPS = 24
PATIENCE = 6  # sweeps without an improvement
EXCHANGES = 8  # rounds through a layer

Layers = tuple[tuple[str, ...], ...]
End = tuple[int, float]
Between = Sequence[Sequence[StrandPiece]]


def reduce_crossings(strands: Strands) -> Layers:
    """Return the layers with their places sorted so that fewer lines cross; unchanged if no better order is found."""
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
    """Return the number of pairs of pieces that cross if the places are drawn in the order of `layers`.

    `layers`: the places of each layer, from top to bottom.
    """
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
    """Return a list whose entry i contains the pieces between the layers i and i + 1."""
    found: list[list[StrandPiece]] = [[] for _ in strands.layers]
    for p in strands.pieces:
        found[strands.layer_of[p.left]].append(p)
    return found


def _sweep(layers: Layers, between: Between, rightwards: bool) -> Layers:
    """Return the layers sorted once, one layer after another, then improved by exchanges of neighbours.

    `rightwards`: the direction in which the layers are visited. The places of a layer are sorted by the mean position
    of their neighbours in the layer visited before.
    """
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
    """Return, for each place of layer `i`, where its pieces end in the layer on one side.

    An end is (index of the place in that layer, distance below the top of the place). `side`: 0 for the layer on the
    left, 1 for the layer on the right.
    """
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
    """Return the places of layer `i` after exchanges of neighbours. Each saves crossings, counted on both sides."""
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
    """Return how many crossings on one side the exchange of two neighbours of a layer saves.

    The result is negative if the exchange adds crossings.
    `upper`, `lower`: the ends of the pieces of the two neighbours on this side.
    """
    return sum((x > y) - (x < y) for x in upper for y in lower)


# == heights ==========================================================================================================
# Heights: each place in its layer and order, near its neighbours, with lines as straight as possible.
ROUNDS = 60
LOOSE = 0.01  # the weight of a place without neighbours
STRAIGHT = {0: 1.0, 1: 3.0, 2: 30.0}  # the weight of a piece, by the number of its ends that are bends


@dataclass(frozen=True)
class Gaps:
    """The least distances between neighbouring places of a layer, in px."""

    nodes: float = 11.0
    node_and_bend: float = 9.0
    bends: float = 7.0

    def get_distance(self, upper: str, lower: str) -> float:
        """Return the least distance between two neighbours, depending on whether each of them is a node or a bend."""
        return (self.nodes, self.node_and_bend, self.bends)[is_bend(upper) + is_bend(lower)]


USUAL = Gaps()


def choose_heights(
    layers: Sequence[Sequence[str]], pieces: Sequence[StrandPiece], tall: Mapping[str, float], gaps: Gaps = USUAL
) -> dict[str, float]:
    """Return the y of the top of each place in px. The least is 0.

    The order of the places in each layer is kept. The lines become as straight as possible.
    `tall`: the height of each node. Bends have the height 0.
    """
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
    """Return the least distance from the top of place `i` to the top of the next place.

    If the layer has no next place, return the height of place `i`.
    """
    return tall.get(layer[i], 0.0) + (gaps.get_distance(layer[i], layer[i + 1]) if i + 1 < len(layer) else 0.0)


def _wishes(pieces: Sequence[StrandPiece]) -> Mapping[str, list[tuple[str, float, float]]]:
    """Return, for each place, the differences of height that would make its pieces horizontal.

    Each is (other place, distance from the top of the other place down to the desired top of this one, weight).
    """
    found: dict[str, list[tuple[str, float, float]]] = defaultdict(list)
    for p in pieces:
        weight = STRAIGHT[is_bend(p.left) + is_bend(p.right)]
        found[p.left].append((p.right, p.enters - p.leaves, weight))
        found[p.right].append((p.left, p.leaves - p.enters, weight))
    return found


@dataclass
class _Block:
    """A group of neighbouring places in a layer that are as close as allowed, and therefore move together.

    `first`: the index of the first place.
    `count`: the number of places.
    `wish`: the top of the first place that suits all places of the block best.
    `weight`: the total weight of the places.
    `height`: the distance from the top of the first place to the top of the place after the block.
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
    """Move the places of one layer in `top` as near as possible to their desired tops, by weighted least squares.

    The places keep their order and their least distances.
    `top`: the top of every place of the graph. `wishes`: the result of `_wishes`.
    `steps`: the least distance from the top of each place to the top of the next place.
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


# == arrange ==========================================================================================================
# A layout: each part of a graph with the layers and heights of its nodes, and the places where lines pass layers.
@dataclass(frozen=True)
class GraphPart:
    """A connected part of a graph, with its layout.

    `layer`, `top`: the layer of each node, and the y of its top in px. The least y of all nodes and bends is 0.
    `bends`: for each line, pairs (layer, y) of the points at which it passes layers, beginning at its source.
    `crowd`: for each layer, the number of pieces of lines between this layer and the next.
    """

    layer: Mapping[str, int]
    top: Mapping[str, float]
    bends: Mapping[EdgeLine, tuple[tuple[int, float], ...]]
    crowd: tuple[int, ...]


def arrange(tall: Mapping[str, float], lines: Sequence[EdgeLine]) -> Iterator[GraphPart]:
    """Yield a layout for each connected part of a graph. The parts are in the order of their first nodes.

    `tall`: the height of each node in px.
    A line whose `leads` is false determines the layer of a node only if no line with `leads` ends at this node.
    """
    for part in _parts(tall, lines):
        own = [line for line in lines if line.source in part]
        layer = choose_layers(part, _list_edges(own, leads=True), _list_edges(own, leads=False))
        strands = split_edges(layer, own)
        top = choose_heights(reduce_crossings(strands), strands.pieces, tall)
        crowd = Counter(strands.layer_of[piece.left] for piece in strands.pieces)
        yield GraphPart(
            layer,
            {node: top[node] for node in part},
            {line: tuple((strands.layer_of[b], top[b]) for b in bends) for line, bends in strands.bends.items()},
            tuple(crowd[at] for at in range(max(layer.values()) + 1)),
        )


def _list_edges(lines: Iterable[EdgeLine], leads: bool) -> list[tuple[str, str]]:
    return [(line.source, line.target) for line in lines if line.leads is leads]


def _parts(nodes: Iterable[str], lines: Iterable[EdgeLine]) -> Iterator[list[str]]:
    """Yield the nodes of each connected part of a graph, in the given order."""
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
