"""Layers: a column for each node, such that edges go from left to right wherever the graph has no cycle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Pair = tuple[str, str]


def choose_layers(nodes: Sequence[str], edges: Iterable[Pair], hints: Iterable[Pair] = ()) -> dict[str, int]:
    """The layer of each node, 0 for the first.

    Each edge leads to a later layer, by the longest path, but for edges that close a cycle.  A node that no more
    edges enter than leave then moves right as far as these allow.  `hints` place the nodes without an edge: one to the
    right of another whose place is known, or to the left.
    """
    own = [(a, b) for a, b in dict.fromkeys(edges) if a != b]
    joined = {node for pair in own for node in pair}
    acyclic = _drop_cycles([n for n in nodes if n in joined], own)
    layer = _longest_paths([n for n in nodes if n in joined], acyclic)
    _place_by_hints(layer, nodes, list(hints))
    used = sorted(set(layer.values()))
    return {node: used.index(layer[node]) for node in nodes}


def _drop_cycles(nodes: Sequence[str], edges: Iterable[Pair]) -> list[Pair]:
    """The edges without those that close a cycle in a walk that begins with what no edge enters."""
    after: dict[str, list[str]] = {node: [] for node in nodes}
    entered = set()
    for a, b in edges:
        after[a].append(b)
        entered.add(b)
    kept: list[Pair] = []
    begun: set[str] = set()
    path: dict[str, int] = {}  # the nodes of the walk, each with how many of its edges are done
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


def _longest_paths(nodes: Sequence[str], edges: Iterable[Pair]) -> dict[str, int]:
    """Layers by the longest path from what no edge enters, then moved right where that shortens edges."""
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
    """Give the other nodes a layer: beside a node that a hint joins them to; without one, the first."""
    while missing := [node for node in nodes if node not in layer]:
        found = _follow(layer, hints)
        if not found:
            found = {missing[0]: 0}
        layer.update(found)
    lowest = min(layer.values(), default=0)
    for node in layer:
        layer[node] -= lowest


def _follow(layer: Mapping[str, int], hints: Sequence[Pair]) -> dict[str, int]:
    """One step along the hints, from nodes with a layer to those without."""
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
