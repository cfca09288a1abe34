"""The graphs and rooted trees that a variable can be, in the order of counterexamples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations, permutations, product

import numpy as np

from claims.language.syntax.meanings import component
from encoders.compute.arrays.limits import MAX_POSITIONS, Deadline, TooLarge, group_digits
from encoders.compute.compound.order import weigh

Graph = tuple[tuple[int, int], ...]
"""The edges of a graph, in ascending order. Each edge (a, b) has a < b."""
Shape = tuple["Shape", ...]
"""A rooted tree without names of vertices: the sorted tuple of the trees above the root."""
MOST_VERTICES = 8  # of a graph: of more vertices, there are more than 2**36 graphs
MOST_NAMES = 1_000_000  # the first and the last vertex, so that all keys of GraphClassifier are below 2**63
MOST_IN_TREE = 12  # of a rooted tree: more vertices have more than 12! trees


def list_graphs(vertices: range, connected: bool, classes: bool, clock: Deadline) -> Iterator[Graph]:
    """Yield the graphs with these vertices, ordered by number of edges, sum of the vertices of all edges, and edges.

    `connected`: whether to yield only connected graphs. A graph without vertices is not connected.
    `classes`: whether to yield only the first graph of each isomorphism class.
    Raise TooLarge or OutOfTime.
    """
    if len(vertices) > MOST_VERTICES:
        raise TooLarge(f"graphs with {len(vertices)} vertices; at most {MOST_VERTICES} are supported")
    if classes and vertices and weigh((vertices[0], vertices[-1])) > MOST_NAMES:
        raise TooLarge(f"graphs up to isomorphism whose vertices have numbers beyond {group_digits(MOST_NAMES)}")
    edges = list(combinations(vertices, 2))
    weights = {edge: weigh(edge) for edge in edges}
    classifier = GraphClassifier(vertices) if classes else None
    for number in range(len(edges) + 1):
        if (count := math.comb(len(edges), number)) > MAX_POSITIONS:
            raise TooLarge(
                f"there are {group_digits(count)} graphs with {len(vertices)} vertices and {number} edges; at most "
                f"{group_digits(MAX_POSITIONS)} would fit"
            )
        clock.check()
        found: Iterable[Graph]
        if classifier is None:
            found = sorted(combinations(edges, number), key=lambda graph: sum(map(weights.__getitem__, graph)))
        else:
            found = classifier.list_graphs()
            classifier.add_edge(clock)
        yield from (graph for graph in found if not connected or is_connected(graph, vertices))


def is_connected(graph: Graph, vertices: range) -> bool:
    """Return whether a graph is connected. It then has at least one vertex."""
    if not vertices or len(graph) < len(vertices) - 1:
        return False
    return len(component(graph, vertices[0])) == len(vertices)


class GraphClassifier:
    """The first graph of each isomorphism class of the graphs with n edges. At the start, n is 0.

    The key of an edge is w * 2**e - 2**(e - 1 - i), where i is the index of the edge among all e pairs of vertices in
    ascending order, and w is the sum of the absolute values of its two vertices. The key of a graph is the sum of the
    keys of its edges. Graphs with equally many edges are ordered by their keys: first, the sum of all w decides, and
    then the first edge in which the graphs differ.
    """

    def __init__(self, vertices: range) -> None:
        pairs = list(combinations(vertices, 2))
        places = {pair: i for i, pair in enumerate(pairs)}
        self._pairs = pairs
        keys = [(weigh(x) << len(pairs)) - (1 << len(pairs) - 1 - i) for i, x in enumerate(pairs)]
        self._keys = np.array(keys, dtype=np.int64)
        self._images = np.array(
            [[places[min(x, y), max(x, y)] for x, y in combinations(names, 2)] for names in permutations(vertices)],
            dtype=np.int8,
        )  # for each permutation of the vertices, the image of each pair, as an index
        self._image_keys = self._keys[self._images]
        self._graphs: list[tuple[int, ...]] = [()]  # in order, each as the ascending indices of its edges

    def list_graphs(self) -> list[Graph]:
        """Return the graphs in the order of counterexamples."""
        return [tuple(self._pairs[i] for i in graph) for graph in self._graphs]

    def add_edge(self, clock: Deadline) -> None:
        """Increase n by 1: replace the graphs by the first graph of each isomorphism class with one edge more."""
        seen, found = set[int](), list[tuple[int, tuple[int, ...]]]()
        for graph in self._graphs:
            for i in range(len(self._pairs)):
                places = sorted((*graph, i))
                if i in graph or int(self._keys[places].sum()) in seen:
                    continue
                clock.check()
                images = self._image_keys[:, places].sum(axis=1)
                first = int(images.argmin())
                found.append((int(images[first]), tuple(sorted(self._images[first, places].tolist()))))
                seen.update(images.tolist())
        self._graphs = [graph for _, graph in sorted(found)]


def list_trees(vertices: range, classes: bool, clock: Deadline) -> Iterator[tuple[int, ...]]:
    """Yield the rooted trees with these vertices as lists of parents, ordered by sum and entries.

    The root is the first vertex, and each vertex is above its parent. Without vertices, there is no tree.

    `classes`: whether to yield only the first tree of each isomorphism class.
    Raise TooLarge or OutOfTime.
    """
    if not vertices:
        return
    if len(vertices) > MOST_IN_TREE or math.factorial(len(vertices) - 1) > MAX_POSITIONS:
        raise TooLarge(f"more than {group_digits(MAX_POSITIONS)} rooted trees have {len(vertices)} vertices")
    clock.check()
    seen = set[Shape]()
    for parents in sorted(product(*(vertices[: i + 1] for i in range(len(vertices) - 1))), key=weigh):
        if classes:
            shape = find_shape(parents, vertices)
            if shape in seen:
                continue
            seen.add(shape)
        clock.check()
        yield parents


def find_shape(parents: tuple[int, ...], vertices: range) -> Shape:
    """Return the rooted tree without the names of its vertices. Isomorphic trees have equal shapes.

    >>> find_shape((0, 0, 1), range(4)) == find_shape((0, 0, 2), range(4)) == (((),), ())
    False
    """
    branches: dict[int, list[Shape]] = {v: [] for v in vertices}
    for v, parent in reversed([*zip(vertices[1:], parents, strict=True)]):
        branches[parent].append(tuple(sorted(branches[v])))
    return tuple(sorted(branches[vertices[0]]))
