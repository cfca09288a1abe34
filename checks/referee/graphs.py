"""The domains of variables that are graphs or rooted trees: which values belong to them."""

from __future__ import annotations

import math
from itertools import permutations
from typing import cast

from checks.referee.meaning import RefereeSteps
from claims.language.syntax.meanings import Position, Value, component, measure_heap

Edges = tuple[tuple[int, int], ...]
MANY = 20  # vertices, whose permutations are too many for any limit on steps


def is_graph(edges: Value, vertices: range, connected: bool) -> bool:
    """Return whether a list is a graph: ascending pairs (a, b) of these vertices with a < b, without repetitions.

    `connected`: whether the graph must be connected. A graph without vertices is not connected.
    """
    if not isinstance(edges, tuple) or not all(isinstance(edge, tuple) and len(edge) == 2 for edge in edges):
        return False
    found = cast(Edges, edges)
    if list(found) != sorted(set(found)) or not all(a in vertices and b in vertices and a < b for a, b in found):
        return False
    return not connected or (len(vertices) > 0 and len(component(found, vertices[0])) == len(vertices))


def is_tree(parents: Position, vertices: range) -> bool:
    """Return whether a list contains, for each of these vertices except the first, an earlier vertex: its parent."""
    if len(parents) != len(vertices) - 1:
        return False
    return all(parent in range(vertices[0], v) for v, parent in zip(vertices[1:], parents, strict=True))


def is_first_graph(graph: Value, vertices: range, steps: RefereeSteps) -> bool:
    """Return whether a list of edges is the first among the lists of all isomorphic graphs with these vertices.

    These lists are sorted by the sum of their numbers, then lexicographically. `graph`: the list of edges.
    Raise LimitReached if there are too many permutations of the vertices.
    """
    edges = cast(Edges, graph)
    steps.take(math.factorial(min(len(vertices), MANY)) * (1 + len(edges)))
    for order in permutations(vertices):
        names = dict(zip(vertices, order, strict=True))
        other = tuple(sorted((min(names[a], names[b]), max(names[a], names[b])) for a, b in edges))
        if (measure_heap(other), other) < (measure_heap(edges), edges):
            return False
    return True


def is_first_tree(parents: Position, vertices: range, steps: RefereeSteps) -> bool:
    """Return whether a list of parents is the first among the lists of all isomorphic trees with these vertices.

    These lists are sorted by their sums, then lexicographically. `parents`: the list of parents of a rooted tree.
    Raise LimitReached if there are too many permutations of the vertices.
    """
    steps.take(math.factorial(min(len(vertices), MANY)))
    for order in permutations(vertices[1:]):
        names = dict(zip(vertices, (vertices[0], *order), strict=True))
        above = {names[v]: names[parent] for v, parent in zip(vertices[1:], parents, strict=True)}
        other = tuple(above[v] for v in vertices[1:])
        if is_tree(other, vertices) and (measure_heap(other), other) < (measure_heap(parents), parents):
            return False
    return True
