"""Finite commutative monoids by generators and relations, as a file states them: `a2 = 1`, `bc2 = b`.

Whether a monoid is right for a game is looked at elsewhere; here it is only written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims.language.ground.errors import NimChecksError

MOST_ELEMENTS = 200
MOST_RULES = 2_000  # that completion may make
_WORD = re.compile(r"(?:[a-z][0-9]{0,2})+")
_PART = re.compile(r"([a-z])([0-9]*)")
Vector = tuple[int, ...]
"""How often each generator occurs."""


class BadMonoid(NimChecksError, ValueError):
    """What is no word, or no relation; or a monoid that is too large."""


@dataclass(frozen=True)
class Monoid:
    """`words`: its elements, the unit first; `products`: by their numbers."""

    words: tuple[str, ...]
    products: tuple[tuple[int, ...], ...]
    generators: str
    rules: tuple[tuple[Vector, Vector], ...]
    numbers: dict[Vector, int]

    def number(self, word: str) -> int:
        """The element that a word is. Raises BadMonoid."""
        return self.numbers[_reduced(_vector(word, self.generators), self.rules)]


def make_monoid(generators: str, relations: Sequence[str]) -> Monoid:
    """The commutative monoid of these generators, one letter each. Raises BadMonoid."""
    rules = _complete([_relation(x, generators) for x in relations])
    unit = (0,) * len(generators)
    numbers, todo = {unit: 0}, [unit]
    for v in todo:
        for i in range(len(generators)):
            new = _reduced(tuple(n + (j == i) for j, n in enumerate(v)), rules)
            if new not in numbers:
                numbers[new] = len(numbers)
                todo.append(new)
        if len(todo) > MOST_ELEMENTS:
            raise BadMonoid(f"it has more than {MOST_ELEMENTS} elements")
    products = tuple(tuple(numbers[_reduced(_add(x, y), rules)] for y in todo) for x in todo)
    return Monoid(tuple(_word(v, generators) for v in todo), products, generators, rules, numbers)


def _complete(asked: list[tuple[Vector, Vector]]) -> tuple[tuple[Vector, Vector], ...]:
    """Rules by which equal words come to one form (Knuth and Bendix). Raises BadMonoid."""
    rules: list[tuple[Vector, Vector]] = []
    while asked:
        a, b = (_reduced(x, rules) for x in asked.pop())
        if a == b:
            continue
        if _order(a) < _order(b):
            a, b = b, a
        for c, d in rules:  # what both apply to comes to one form
            both = tuple(map(max, a, c))
            asked.append((_add(_less(both, a), b), _add(_less(both, c), d)))
        rules.append((a, b))
        if len(rules) > MOST_RULES:
            raise BadMonoid("its relations are not brought to rules")
    return tuple(rules)


def _reduced(v: Vector, rules: Sequence[tuple[Vector, Vector]]) -> Vector:
    again = True
    while again:
        again = False
        for old, new in rules:
            if all(a >= b for a, b in zip(v, old, strict=True)):
                v, again = _add(_less(v, old), new), True
    return v


def _order(v: Vector) -> tuple[int, Vector]:
    return sum(v), v[::-1]


def _add(a: Vector, b: Vector) -> Vector:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _less(a: Vector, b: Vector) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


# -- words ------------------------------------------------------------------------------------------------------------
def _relation(text: str, generators: str) -> tuple[Vector, Vector]:
    words = text.split("=")
    if len(words) != 2:
        raise BadMonoid(f"{text!r} is no relation: expected two words, such as a2 = 1")
    one, other = (_vector(word.strip(), generators) for word in words)
    return one, other


def _vector(word: str, generators: str) -> Vector:
    if word == "1":
        return (0,) * len(generators)
    if not _WORD.fullmatch(word):
        raise BadMonoid(f"{word!r} is no word: expected 1, or letters and how often, such as ab2")
    counts = dict.fromkeys(generators, 0)
    for letter, times in _PART.findall(word):
        if letter not in counts:
            raise BadMonoid(f"{word!r}: {letter} is none of the elements {' '.join(generators)}")
        counts[letter] += int(times or 1)
    return tuple(counts.values())


def _word(v: Vector, generators: str) -> str:
    parts: Iterator[str] = (f"{g}{n if n > 1 else ''}" for g, n in zip(generators, v, strict=True) if n)
    return "".join(parts) or "1"
