"""Decide whether the cases of a scope are searched as bits: many cases at once, one in each bit of a word.

This search is fast for large scopes, but takes time to load. Therefore this module is separate from the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.syntax.terms import POSITION
from encoders.compute.arrays.bit_rows import HeapBox, count_words
from encoders.compute.arrays.evaluate import goes_case_by_case
from encoders.kernel import MAX_HEAPS, MAX_WORDS
from encoders.trust import count_cases, count_values

# Below LEAST, the general search takes no longer than loading the kernel, 0.1 s. Work is counted in cases, plus a cost
# for each position. A fifth of LEAST suffices if the kernel is loaded anyway. Measured by benchmarks/boxes.py.
LEAST, PER_POSITION, LOADED = 500_000, 25, 5
MAX_PLACES = 3_000_000  # rows of bits
MAX_TABLE = 24_000_000  # words of one table; three heaps of at most 1023 take 8.4 million
AT_ONCE = 32  # words of one row of bits that are computed at once: 2048 combinations of the other variables


@dataclass(frozen=True)
class BoxPlan:
    """A plan for a search in which each case is a bit of a 64-bit word.

    `position`: the name of the claim's position variable. `box`: a box that contains its values.
    `by_lines`: which cases are in one word. If true, they differ only in the size of the last heap. If false, they have
    the same position, and differ in the other variables.
    `words`: the number of words that are computed at once if `by_lines` is false.
    """

    position: str
    box: HeapBox
    by_lines: bool
    words: int


def plan_bits(claim: Claim, scope: d.Scope) -> BoxPlan | str:
    """Return a plan for a search that handles 64 cases as the bits of one word, or the reason against such a search."""
    if goes_case_by_case(claim):
        return "the claim has heaps with parts, or an operation that arrays do not support"
    positions = [v for v in claim.variables if v.type == POSITION]
    if len(positions) != 1 or not isinstance(positions[0].domain, d.Positions):
        return "the claim does not have exactly one position as a variable"
    if not claim.games:
        return "the claim has no game"
    if not all(g.ruleset.single_heap for g in claim.games):
        return "a move changes several heaps, or splits a heap"
    if not all(g.ruleset.impartial or len(g.ruleset.players) == 2 for g in claim.games):
        return "the players have different moves, and there are not exactly two players"
    box = find_box(_get_bound(scope, positions[0].name))
    if not 1 <= box.heaps <= MAX_HEAPS:
        return f"the positions do not have between 1 and {MAX_HEAPS} heaps"
    plan = _choose(positions[0].name, box, _count_rows(claim, scope, positions[0].name))
    return "the box of all positions is too large" if plan is None else plan


def estimate_bits(loaded: bool) -> int:
    """Return the cost of a search that handles cases as bits, in the unit of `estimate_arrays`.

    It is the time to load the WebAssembly kernel. `loaded`: whether the kernel is loaded anyway, which costs less.
    """
    return LEAST // LOADED if loaded else LEAST


def estimate_arrays(claim: Claim, scope: d.Scope) -> int:
    """Estimate the cost of the general search: the number of cases, plus PER_POSITION for each position.

    The cost for each position is left out if a search as bits is not supported, because the claim does not have exactly
    one position or the positions have too many heaps.
    """
    positions = [v for v in claim.variables if v.type == POSITION]
    if len(positions) != 1 or not isinstance(positions[0].domain, d.Positions):
        return count_cases(scope)
    name = positions[0].name
    box = find_box(_get_bound(scope, name))
    if not 1 <= box.heaps <= MAX_HEAPS:
        return count_cases(scope)
    return box.count * (_count_rows(claim, scope, name) + PER_POSITION)


def _get_bound(scope: d.Scope, position: str) -> d.PositionRange:
    bound = scope[position]
    assert isinstance(bound, d.PositionRange)
    return bound


def _count_rows(claim: Claim, scope: d.Scope, position: str) -> int:
    """Return the number of combinations of values of the variables other than the position."""
    return prod(count_values(scope[v.name]) for v in claim.variables if v.name != position and v.name in scope)


def find_box(bound: d.PositionRange) -> HeapBox:
    """Return a box that contains all positions within `bound`."""
    heaps, size = bound.heaps.hi, bound.size.hi
    if bound.total is not None:
        heaps, size = min(heaps, bound.total.hi), min(size, bound.total.hi)
    return HeapBox(heaps, size)


def _choose(name: str, box: HeapBox, rows: int) -> BoxPlan | None:
    """Return the plan for the layout with less estimated work; None if the kernel supports neither layout.

    `name`: the name of the position variable. `rows`: the number of combinations of the other variables.
    """
    rests, length = HeapBox(box.heaps - 1, box.size).count, count_words(box.size + 1)
    words = count_words(rows)
    lanes = box.count * (10 * words + 100) + 1_000_000
    lines = rows * (rests * (20 * length + 100) + 1_200_000)
    may_lanes = box.count <= MAX_PLACES
    may_lines = length <= MAX_WORDS and rests <= MAX_PLACES and rests * length <= MAX_TABLE
    if not may_lanes and not may_lines:
        return None
    by_lines = may_lines and (not may_lanes or lines < lanes)
    return BoxPlan(name, box, by_lines, max(2, min(words, AT_ONCE, MAX_TABLE // box.count // 2 * 2)))
