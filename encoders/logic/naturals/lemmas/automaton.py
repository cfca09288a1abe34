"""The automaton of some literals, explored: either they exclude each other, or there are naturals at which all hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from claims.language.errors import NimChecksError
from encoders.logic.naturals.certificate import State, Stream
from encoders.logic.naturals.verify import MOST_VARIABLES, Literal, accepts, first_state, step, sums_by_bits, variables


class TooWide(NimChecksError):
    """The automaton has more variables or states than are looked at."""


def explore(literals: Sequence[Literal], most: int = 1_000) -> tuple[State, ...] | dict[Stream, int]:
    """All states that are reached, in order, if none accepts; else naturals at which the literals hold.

    Raises TooWide where there are more states than `most`, or too many variables.
    """
    names = variables(literals)
    if len(names) > MOST_VARIABLES:
        raise TooWide(f"{len(names)} variables in one lemma")
    letters: dict[tuple[int, ...], tuple[int, ...]] = {}
    for bits, sums in zip(product((0, 1), repeat=len(names)), sums_by_bits(literals), strict=True):
        letters.setdefault(sums, bits)
    first = first_state(literals)
    before: dict[State, tuple[State, tuple[int, ...]] | None] = {first: None}
    todo = [first]
    for state in todo:
        if accepts(literals, state):
            return _values(names, state, before)
        for letter, bits in letters.items():
            after = step(literals, state, letter)
            if after is not None and after not in before:
                before[after] = state, bits
                todo.append(after)
        if len(todo) > most:
            raise TooWide(f"more than {most} states in one lemma")
    return tuple(todo)


def _values(
    names: Sequence[Stream], state: State, before: Mapping[State, tuple[State, tuple[int, ...]] | None]
) -> dict[Stream, int]:
    """The naturals whose bits, lowest first, lead to the state."""
    values = [0] * len(names)
    while (came := before[state]) is not None:
        state, bits = came
        values = [2 * value + bit for value, bit in zip(values, bits, strict=True)]
    return dict(zip(names, values, strict=True))
