"""Games like Wythoff's game, recognized by the text of their moves.

A move takes any number from one heap, or the same number from two heaps. A ruleset may limit the number that is taken
from two heaps.
"""

from __future__ import annotations

from typing import NamedTuple

from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t

PAIR = 2
ANY = 1 << 30  # the largest number that a move without a limit takes from two heaps; heaps are smaller


class Ties(NamedTuple):
    """The moves that take the same number from two heaps.

    `full`: whether a move may take any number.
    `most`: the largest number that a limited move may take; 0 if there is no limited move.
    """

    full: bool
    most: int

    @property
    def several(self) -> bool:
        """Whether some move changes two heaps."""
        return self.full or self.most > 0


def read_ties(ruleset: Ruleset) -> Ties | None:
    """Return the moves of a ruleset that take the same number from two heaps; None if the ruleset is not supported.

    All other moves must take any number, from 1 to the complete heap, from one heap. There must be at least one such
    move.
    """
    if ruleset.heap is not None or ruleset.unusual or ruleset.sees_position or ruleset.measure is not None:
        return None
    if not ruleset.impartial or any(move.choose != "any" or move.where is not None for move in ruleset.moves):
        return None
    singles = [move for move in ruleset.moves if len(move.heaps) == 1]
    pairs = [_read_tie(move) for move in ruleset.moves if len(move.heaps) > 1]
    if not singles or not all(map(_takes_any, singles)) or None in pairs:
        return None
    limits = [x for x in pairs if x is not None]
    return Ties(ANY in limits, max((x for x in limits if x < ANY), default=0))


def _takes_any(move: Move) -> bool:
    """Whether a move replaces a heap h by any smaller heap: it takes m from 1 to h, or leaves m from 0 to h - 1."""
    match move.picks, move.become:
        case [pick], [left] if isinstance(pick.domain, IntervalDomain):
            heap, taken = move.heaps[0], _is_difference(left, move.heaps[0], pick.name)
            if taken:
                return _is_number(pick.domain.lo, 1) and _is_name(pick.domain.hi, heap)
            match pick.domain.lo, pick.domain.hi:
                case t.Literal(value=0), t.Operation(op="sub", args=(t.Variable(name=name), t.Literal(value=1))):
                    return name == heap and _is_name(left, pick.name)
    return False


def _read_tie(move: Move) -> int | None:
    """Return the largest number that a move takes from each of two heaps; ANY if it may take any number.

    Return None if the move does not take equal numbers from two heaps.
    """
    match move.picks, move.become:
        case [pick], [first, second] if len(move.heaps) == PAIR and isinstance(pick.domain, IntervalDomain):
            g, h = move.heaps
            straight = _is_difference(first, g, pick.name) and _is_difference(second, h, pick.name)
            crossed = _is_difference(first, h, pick.name) and _is_difference(second, g, pick.name)
            bounds = _list_least(pick.domain.hi)
            names = [x.name for x in bounds if isinstance(x, t.Variable)]
            numbers = [x.value for x in bounds if isinstance(x, t.Literal)]
            if not (straight or crossed) or {*names} != {g, h} or len(bounds) != len(numbers) + len(names):
                return None
            if not _is_number(pick.domain.lo, 1) or min(numbers, default=1) < 1:
                return None
            return min(numbers, default=ANY)
    return None


def _list_least(term: t.Term | None) -> list[t.Term]:
    """Return the arguments of a minimum, and of the minima in them; `[term]` for any other term, and `[]` for None."""
    if isinstance(term, t.Operation) and term.op == "smallest":
        return [x for arg in term.args for x in _list_least(arg)]
    return [] if term is None else [term]


def _is_difference(term: t.Term, heap: str, picked: str) -> bool:
    return (
        isinstance(term, t.Operation)
        and term.op == "sub"
        and _is_name(term.args[0], heap)
        and _is_name(term.args[1], picked)
    )


def _is_name(term: t.Term | None, name: str) -> bool:
    return isinstance(term, t.Variable) and term.name == name


def _is_number(term: t.Term, value: int) -> bool:
    return isinstance(term, t.Literal) and term.value == value
