"""Decide from estimated cost whether a claim is searched as bits in a scope, and in which layout.

The module is separate from the search, so that a small scope does not load the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.syntax.terms import POSITION
from encoders.compute.arrays.bit_rows import HeapBox, count_words
from encoders.compute.arrays.evaluate import goes_case_by_case
from encoders.trust import count_values

# Below this amount of work the general search takes no longer than loading the kernel, 0.1 s. Work is counted in cases,
# plus a cost for each position; a fifth of it suffices if the kernel is loaded anyway. Measured by benchmarks/boxes.py.
LEAST, PER_POSITION, LOADED = 500_000, 25, 5
MAX_HEAPS, MAX_WORDS = 16, 64  # limits of the kernel
MAX_PLACES = 3_000_000  # outer places
MAX_TABLE = 24_000_000  # words of one table: three heaps of 1023 take 8.4 million
AT_ONCE = 32  # words of parameters at once, that is 2048 rows


@dataclass(frozen=True)
class BoxPlan:
    """A layout of the cases as bits. `by_lines`: whether the bits are lines.

    Otherwise the bits are parameters, `words` words of them at once.
    """

    position: str
    box: HeapBox
    by_lines: bool
    words: int


def applies(claim: Claim, scope: d.Scope, loaded: bool = False) -> BoxPlan | None:
    """Return the layout for the cases of a scope as bits; None if bits are not supported or not faster.

    `loaded`: whether the kernel is loaded anyway for other cases of the claim.
    """
    positions = [v for v in claim.variables if v.type == POSITION]
    if len(positions) != 1 or not isinstance(positions[0].domain, d.Positions) or not claim.games:
        return None
    if goes_case_by_case(claim):
        return None
    if not all(g.ruleset.single_heap and (g.ruleset.impartial or len(g.ruleset.players) == 2) for g in claim.games):
        return None
    name = positions[0].name
    bound = scope[name]
    assert isinstance(bound, d.PositionRange)
    box = find_box(bound)
    if not 1 <= box.heaps <= MAX_HEAPS:
        return None
    rows = prod(count_values(scope[v.name]) for v in claim.variables if v.name != name and v.name in scope)
    if box.count * (rows + PER_POSITION) < (LEAST // LOADED if loaded else LEAST):
        return None
    return _choose(name, box, rows)


def find_box(bound: d.PositionRange) -> HeapBox:
    """Return a box that contains all positions of a range."""
    heaps, size = bound.heaps.hi, bound.size.hi
    if bound.total is not None:
        heaps, size = min(heaps, bound.total.hi), min(size, bound.total.hi)
    return HeapBox(heaps, size)


def _choose(name: str, box: HeapBox, rows: int) -> BoxPlan | None:
    """Return the layout with less work; None if neither fits. Work is counted in words of bits, plus constants."""
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
