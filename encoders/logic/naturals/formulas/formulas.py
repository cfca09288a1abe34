"""Formulas over letters, built so that what is the same is one node.

A letter is an atom over naturals, or a truth value.

A formula is referred to by an integer that is not 0; its negation is the negative of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import gcd

from encoders.logic.naturals.certificates.certificate import EQ, LE, Atom, Formula, Stream

TRUE, FALSE = 1, -1
PLAIN_SIZE = 6  # letters of a formula that is written wherever it stands


@dataclass(frozen=True, slots=True)
class Conjunction:
    """All of at least two formulas."""

    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Both or neither; neither of the two is negated."""

    a: int
    b: int


Node = Conjunction | Equivalence | Atom | str  # of the last two, letters, a text is the name of a truth value


class Formulas:
    """The nodes made so far. Letters are numbered in the order in which `number_letters` meets them."""

    def __init__(self) -> None:
        self._nodes: list[Node | None] = [None, None]  # neither 0 nor TRUE is a node
        self._places: dict[Node, int] = {}

    def node(self, f: int) -> Node | None:
        """What stands behind a formula or its negation; None behind TRUE and FALSE."""
        return self._nodes[abs(f)]

    def truth(self, name: str) -> int:
        """A free truth value."""
        return self._make(name)

    def _fresh(self, name: str) -> int:
        """A truth value that nothing is known of, of this name with more primes if there is one."""
        while name in self._places:
            name += "'"
        return self.truth(name)

    def _make(self, node: Node) -> int:
        place = self._places.get(node)
        if place is None:
            place = self._places[node] = len(self._nodes)
            self._nodes.append(node)
        return place

    def conjunction(self, parts: Iterable[int]) -> int:
        """All of them; a conjunction among them is taken apart."""
        kept: dict[int, None] = {}
        todo = list(parts)[::-1]
        while todo:
            x = todo.pop()
            node = self.node(x)
            if x > 0 and isinstance(node, Conjunction):
                todo += node.parts[::-1]
            elif x == FALSE or -x in kept:
                return FALSE
            elif x != TRUE:
                kept[x] = None
        if len(kept) < 2:
            return next(iter(kept), TRUE)
        return self._make(Conjunction(tuple(kept)))

    def disjunction(self, parts: Iterable[int]) -> int:
        """One of them."""
        return -self.conjunction(-x for x in parts)

    def same(self, a: int, b: int) -> int:
        """Both or neither."""
        for x, y in ((a, b), (b, a)):
            if abs(x) == TRUE:
                return y if x == TRUE else -y
        if abs(a) == abs(b):
            return TRUE if a == b else FALSE
        made = self._make(Equivalence(*sorted((abs(a), abs(b)))))
        return made if (a > 0) == (b > 0) else -made

    def compare(self, kind: str, terms: dict[Stream, int], constant: int) -> int:
        """sum of coefficient * stream + constant <= 0 (LE) or == 0 (EQ), decided where it is plain for naturals."""
        left = sorted(((s, k) for s, k in terms.items() if k), key=lambda x: repr(x[0]))
        if not left:
            return TRUE if (constant <= 0 if kind == LE else constant == 0) else FALSE
        shared = gcd(*(k for _, k in left))
        if kind == EQ and constant % shared:
            return FALSE
        if left[0][1] < 0 and kind == EQ:
            shared = -shared
        terms = {s: k // shared for s, k in left}
        constant = constant // shared if kind == EQ else -(-constant // shared)
        if all(k > 0 for k in terms.values()) and constant > 0:
            return FALSE
        if kind == LE and all(k < 0 for k in terms.values()) and constant <= 0:
            return TRUE
        if kind == LE and left[0][1] < 0:  # not (1 - sum - constant <= 0)
            return -self._make(Atom(LE, tuple((-k, s) for s, k in terms.items()), 1 - constant))
        return self._make(Atom(kind, tuple((k, s) for s, k in terms.items()), constant))

    def share(self, parts: Sequence[int]) -> tuple[tuple[int, ...], dict[int, int]]:
        """The same parts with a truth value of its own for what is large and stands in more than one place.

        And what those truth values stand for: with that, the parts can be true just if they could before.
        """
        nodes = sorted(self.below(parts))  # what a node is made of has been made before it
        occurs = Counter(abs(y) for x in nodes for y in self.parts(x))
        made, size = dict[int, int](), dict[int, int]()
        definitions: dict[int, int] = {}

        def read(f: int) -> int:
            return made[f] if f > 0 else -made[-f]

        for x in nodes:
            made[x], size[x] = x, 1
            node = self.node(x)
            if isinstance(node, Conjunction):
                made[x] = self.conjunction(map(read, node.parts))
            elif isinstance(node, Equivalence):
                made[x] = self.same(read(node.a), read(node.b))
            size[x] = sum(size[abs(y)] for y in self.parts(x)) or 1
            if occurs[x] > 1 and size[x] > PLAIN_SIZE and self.parts(made[x]):
                letter = self._fresh(f"part {len(definitions) + 1}'")
                definitions[letter], made[x], size[x] = made[x], letter, 1
        return tuple(map(read, parts)), definitions

    # -- reading them -------------------------------------------------------------------------------------------------
    def number_letters(self, roots: Iterable[int]) -> dict[int, int]:
        """Node -> number of its letter, from 1; the atoms in the order in which they occur, then the truth values."""
        found = [x for x in self.below(roots) if isinstance(self._nodes[x], Atom | str)]
        found.sort(key=lambda x: isinstance(self._nodes[x], str))
        return {x: i for i, x in enumerate(found, 1)}

    def below(self, roots: Iterable[int]) -> Iterator[int]:
        """The nodes of which some formulas are made, each once, in the order in which they are read."""
        seen = set[int]()
        todo = [abs(x) for x in roots][::-1]
        while todo:
            x = todo.pop()
            if x in seen:
                continue
            seen.add(x)
            yield x
            todo += [abs(y) for y in self.parts(x)][::-1]

    def parts(self, f: int) -> tuple[int, ...]:
        """What a formula or its negation is made of; nothing of a letter."""
        match self.node(f):
            case Conjunction(parts):
                return parts
            case Equivalence(a, b):
                return a, b
        return ()

    def write(self, f: int, numbers: dict[int, int]) -> Formula:
        """The formula over letters by their numbers, as a certificate has it."""
        if abs(f) == TRUE:
            return f == TRUE
        match self.node(f):
            case Conjunction(parts):
                op = "and" if f > 0 else "or"
                return op, *(self.write(x if f > 0 else -x, numbers) for x in parts)
            case Equivalence(a, b):
                same: Formula = ("iff", self.write(a, numbers), self.write(b, numbers))
                return same if f > 0 else ("not", same)
        return numbers[f] if f > 0 else ("not", numbers[-f])
