"""Estimates of the size of positions that integers describe, as in position([n, 2 * n]).

They are computed from the claim and its scope, before a game is played. They choose between methods that lead to the
same answer; no answer depends on them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple, NoReturn

from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value
from claims.language.syntax.printing import walk
from claims.language.syntax.terms import INT
from encoders.compute.arrays.cases import bound_all
from encoders.compute.arrays.evaluate import goes_case_by_case
from encoders.compute.arrays.limits import Deadline, OutOfTime, TooLarge
from encoders.compute.arrays.ties import PAIR, read_ties
from encoders.compute.compound.meaning import TermCompiler, Undefined, list_names
from encoders.compute.compound.order import as_integer
from encoders.compute.compound.play import MOST_KINDS, MOST_PLAYED, has_many_heaps
from encoders.trust import count_cases

MANY = 200_000  # positions below the last one that integers describe; with more, the scope is searched in growing boxes
PER_CASE = 4  # if there are at most this number for each case, the claim is about most of them


class DescribedPosition(NamedTuple):
    """The size of a position that integers describe, and estimates of the positions that are reachable from it.

    `heaps`: the number of its heaps.
    `below`: about how many positions are reachable if each heap is played separately and does not split.
    `kinds`: about how many different heaps are reachable; 0 if that is not known.
    `largest`: the largest of its heaps that are numbers, or 0.
    `equal`: whether it has several heaps, all equal, and at most `MOST_KINDS` different heaps are reachable.
    """

    heaps: int
    below: int
    kinds: int
    largest: int = 0
    equal: bool = False


def describes_large_positions(claim: Claim, scope: d.Scope) -> bool:
    """Whether integers alone determine the positions of a claim, and many positions are reachable from the largest one.

    Many means more than about MANY, and several for each case. Return False if the cases of the claim are evaluated one
    by one. Positions that tables of two heaps answer are not large.
    """
    many, ties = max(MANY, PER_CASE * count_cases(scope)), [read_ties(game.ruleset) for game in claim.games]
    few = PAIR if ties and all(x is not None and x.several for x in ties) else 1
    return not goes_case_by_case(claim) and any(s.heaps > few and s.below > many for s in _list_last(claim, scope))


def describes_many_heaps(claim: Claim, scope: d.Scope) -> bool:
    """Whether integers alone determine the positions of a claim, and `has_many_heaps` holds for the largest one.

    Return False if the cases of the claim are evaluated one by one anyway.
    """
    return not goes_case_by_case(claim) and any(has_many_heaps(s.heaps, s.equal) for s in _list_last(claim, scope))


def list_described(claim: Claim, scope: d.Scope) -> list[DescribedPosition]:
    """Return an estimate for each position that integers describe; see `_list_last`."""
    return list(_list_last(claim, scope))


def count_kinds(claim: Claim, scope: d.Scope) -> int:
    """Return about how many different heaps are reachable from the positions that integers describe.

    Return 0 for a partizan game, whose heaps may have fewer moves.
    """
    if not all(game.ruleset.impartial for game in claim.games):
        return 0
    return max((s.kinds for s in _list_last(claim, scope)), default=0)


def has_many_positions(claim: Claim, scope: d.Scope) -> bool:
    """Whether many positions of several heaps are probably reachable, so that Grundy values of heaps should be added.

    The function does not check whether the values of this game may be added.
    """
    if not all(game.ruleset.impartial for game in claim.games):
        return False
    splits = any(move.may_leave(2) for game in claim.games for move in game.ruleset.moves)
    if not splits:
        return any(s.heaps > 1 and s.below > MOST_PLAYED for s in _list_last(claim, scope))
    # A heap may become any collection of smaller heaps.
    most = MOST_PLAYED.bit_length()
    if any(s.kinds >= most or s.below > MOST_PLAYED for s in _list_last(claim, scope)):
        return True
    bounds = (x for x in scope.values() if isinstance(x, d.PositionRange) and x.parts and x.heaps.hi > 0)
    return any(math.prod(_count_values(part) for _, part in x.parts) >= most for x in bounds)


def _count_values(part: d.Range | d.ListRange) -> int:
    if isinstance(part, d.ListRange):
        return min(MANY, int((part.each.hi - part.each.lo + 1) ** min(part.length.hi, MANY.bit_length())))
    return max(1, part.hi - part.lo + 1)


def _list_last(claim: Claim, scope: d.Scope) -> tuple[DescribedPosition, ...]:
    """Return an estimate for each position that integers describe, at the largest value of each integer.

    A position must be given as a list of heaps, or with one heap for each number of a range. Other positions are
    skipped. Return () if a variable of the claim is not an integer.
    """
    return _list_last_within(claim, tuple(scope.items()))


@lru_cache(maxsize=16)
def _list_last_within(claim: Claim, scope: tuple[tuple[str, d.Bound], ...]) -> tuple[DescribedPosition, ...]:
    return tuple(_estimate_last(claim, dict(scope)))


def _estimate_last(claim: Claim, scope: d.Scope) -> Iterator[DescribedPosition]:
    whole = bound_all(claim, scope)
    bounds = [(v.name, whole.get(v.name)) for v in claim.variables]
    last = {name: bound.hi for name, bound in bounds if isinstance(bound, d.Range)}
    if len(last) < len(bounds):
        return
    reader = TermCompiler(_refuse_game, Deadline(1.0))
    for term in walk((claim.hypothesis, claim.conclusion)):
        if isinstance(term, t.Operation) and term.op == "position" and set(list_names(term)) <= last.keys():
            with suppress(Undefined, TooLarge, OutOfTime, OverflowError):
                yield from _measure(term.args[0], last, reader)


def _measure(heaps: t.Term, values: Mapping[str, int], reader: TermCompiler) -> Iterator[DescribedPosition]:
    def evaluate(term: t.Term) -> int:
        return as_integer(reader.read(term)(values))

    match heaps:
        case t.Collection(items=items):
            made = [reader.read(x)(values) for x in items]
            sizes = list(map(_count_below, made))
            yield DescribedPosition(len(items), math.prod(sizes), sum(sizes), _find_largest(made))
        case t.Comprehension(body=body, clauses=(t.Clause(name, t.Operation(op="range", args=args), ()),)):
            *first, high = map(evaluate, args)
            low, read = sum(first), reader.read(body)
            ends = [read({**values, name: x}) for x in (low, high - 1) if low < high]
            equal = len(ends) > 1 and ends[0] == ends[1] and _count_below(ends[0]) <= MOST_KINDS
            yield DescribedPosition(high - low, 1 << max(0, min(high - low, 64)), 0, _find_largest(ends), equal)
        case t.Apply(function=f, args=args) if all(x.type == INT for x in args):
            given = zip(f.parameters, map(evaluate, args), strict=True)
            yield from _measure(f.body, {**values, **dict(given)}, reader)


def _find_largest(heaps: list[Value]) -> int:
    return max((x for x in heaps if isinstance(x, int)), default=0)


def _count_below(heap: Value) -> int:
    """Return about how many heaps are reachable from a heap: the number of heaps whose numbers are at most as large."""
    if isinstance(heap, tuple):
        return min(math.prod(map(_count_below, heap)), MANY)
    return min(abs(as_integer(heap)), MANY) + 1


def _refuse_game(name: str, _: object) -> NoReturn:
    raise Undefined(name)
