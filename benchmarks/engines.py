"""Compare ways to solve K-L-Nim on three heaps up to 63 for 120 pairs (k, l), as in docs/decisions/0002.

    python -m benchmarks.engines [--tiny]

All ways must count the same losing positions. numba is optional: without it, its row is left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from typing import Any

from benchmarks import naive
from benchmarks.measure import measured, thousands

Pairs = list[tuple[int, int]]
# for each pair: the number of multisets at which the first player loses moving first, and the second player
Losing = list[tuple[int, int]]


def kernel(pairs: Pairs, size: int) -> Losing:
    """Return the counts of this project's kernel, which solves many pairs at a time.

    It supports any ruleset in which the moves of a heap do not depend on other heaps.
    """
    import numpy as np

    from claims.language.files.library import LIBRARY
    from claims.language.files.rulesets import load_ruleset
    from encoders.compute.arrays.boxes import SingleHeapBox
    from encoders.compute.arrays.evaluate import FrameEvaluator
    from encoders.compute.arrays.limits import Deadline
    from encoders.compute.arrays.moves import Moves
    from encoders.compute.arrays.positions import Pool, PositionSet

    clock = Deadline(None)
    evaluator = FrameEvaluator(Pool(PositionSet.box(1, 1)), clock, {})
    moves = Moves(load_ruleset(LIBRARY / "rulesets" / "kl-nim.toml"), evaluator)
    players = np.full(len(pairs), 2)
    wins = SingleHeapBox(moves, list(pairs), players, naive.HEAPS, size, clock).solve_wins(np.arange(len(pairs)))
    return [(int(first), int(second)) for first, second in (~wins).sum(axis=2)]


def masks(k: int, size: int) -> list[int]:
    """Return, for each heap size, the sizes it may become if taking k is forbidden, as bits."""
    return [((1 << h) - 1) & ~(1 << (h - k) if h >= k else 0) for h in range(size + 1)]


def big_integers(pairs: Pairs, size: int) -> Losing:
    """Return the counts of plain Python with one integer per line and a mask per heap size.

    It supports any single-heap ruleset.
    """
    return [_big_integers((masks(k, size), masks(l, size)), size) for k, l in pairs]


def _big_integers(legal: tuple[list[int], list[int]], size: int) -> tuple[int, int]:
    width = size + 1
    losing = [[0] * (width * width), [0] * (width * width)]
    counts = [0, 0]
    for c in range(width):
        for b in range(c + 1):
            bc = c * width + b
            for a in range(b + 1):
                ac, ab = c * width + a, b * width + a
                for mover in (0, 1):
                    lost, mask = losing[1 - mover], legal[mover]
                    if not (lost[bc] & mask[a] or lost[ac] & mask[b] or lost[ab] & mask[c]):
                        # Heaps only shrink, so no later test at (a, b, c) uses these bits.
                        mine = losing[mover]
                        mine[bc] |= 1 << a
                        mine[ac] |= 1 << b
                        mine[ab] |= 1 << c
                        counts[mover] += 1
    return counts[0], counts[1]


def whole_lines(pairs: Pairs, size: int) -> Losing:
    """Return the counts of plain Python with a whole line at a time.

    It supports only rulesets that forbid one amount ("all but k").
    """
    return [_whole_lines((k, l), size) for k, l in pairs]


def _whole_lines(forbidden: tuple[int, int], size: int) -> tuple[int, int]:
    width, full = size + 1, (1 << (size + 1)) - 1
    losing = [[[0] * width for _ in range(width)] for _ in (0, 1)]
    once = [[0] * width for _ in (0, 1)]  # once[p][x]: the c with a losing (y, x, c) so far; twice: more than one
    twice = [[0] * width for _ in (0, 1)]
    counts = [0, 0]
    for b in range(width):
        for a in range(b + 1):
            open_ = []
            for mover in (0, 1):
                lost, k = losing[1 - mover], forbidden[mover]
                one, two = once[1 - mover], twice[1 - mover]
                won = two[b] | (one[b] & ~lost[a - k][b] if a >= k else one[b])
                won |= two[a] | (one[a] & ~lost[b - k][a] if b >= k else one[a])
                open_.append(full & ~won)
            found = _along(open_[0], open_[1], forbidden)
            for mover in (0, 1):
                line = found[mover]
                losing[mover][a][b] = losing[mover][b][a] = line
                for x in {a, b}:
                    twice[mover][x] |= once[mover][x] & line
                    once[mover][x] |= line
                # Here a <= b <= c, so each multiset counts once.
                counts[mover] += (line >> b).bit_count()
    return counts[0], counts[1]


def _along(first: int, second: int, forbidden: tuple[int, int]) -> tuple[int, int]:
    """Return the losing heaps of one line. `first`, `second`: the heaps at which no other heap offers a win."""
    k, l = forbidden
    lost_first = lost_second = 0
    while first and second:
        low = (first | second) & -(first | second)
        here_first, here_second = first & low, second & low
        lost_first |= here_first
        lost_second |= here_second
        first, second = first & ~low, second & ~low
        # With one losing heap x of the opponent, only x + k above it can still lose; with two, none can.
        if lost_second:
            first &= lost_second << k if not lost_second & (lost_second - 1) else 0
        if lost_first:
            second &= lost_first << l if not lost_first & (lost_first - 1) else 0
    return lost_first | first, lost_second | second  # the remaining bits of one player cannot be removed any more


def with_numba(pairs: Pairs, size: int) -> tuple[Losing, float, float]:
    """Return the counts of `big_integers` in machine code, and the seconds to import numba and to compile.

    Each process pays for import and compilation.
    """
    started = time.perf_counter()
    import numba
    import numpy as np

    imported = time.perf_counter()
    compiled_kernel = numba.njit(_kernel)
    tables = np.array([[masks(k, size), masks(l, size)] for k, l in pairs], dtype=np.uint64)
    bits = np.uint64(1) << np.arange(size + 1, dtype=np.uint64)
    counts = np.zeros((len(pairs), 2), dtype=np.int64)
    losing = np.zeros((2, size + 1, size + 1), dtype=np.uint64)
    compiled_kernel(tables[:1], bits, counts, losing)
    compiled = time.perf_counter()
    counts[:] = 0
    compiled_kernel(tables, bits, counts, losing)
    return [(int(a), int(b)) for a, b in counts], imported - started, compiled - imported


def _kernel(legal: Any, bits: Any, counts: Any, losing: Any) -> None:
    width = len(bits)
    for q in range(len(legal)):
        losing[:] = 0
        for c in range(width):
            for b in range(c + 1):
                for a in range(b + 1):
                    for mover in range(2):
                        seen = losing[1 - mover, c, b] & legal[q, mover, a]
                        seen |= losing[1 - mover, c, a] & legal[q, mover, b]
                        seen |= losing[1 - mover, b, a] & legal[q, mover, c]
                        if seen == 0:
                            losing[mover, c, b] |= bits[a]
                            losing[mover, c, a] |= bits[b]
                            losing[mover, b, a] |= bits[c]
                            counts[q, mover] += 1


def recursion(pairs: Pairs, size: int) -> Losing:
    """Return the counts of the memoised recursion in `benchmarks.naive`."""
    return [naive.solve(k, l, size) for k, l in pairs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tiny", action="store_true", help="a small box, to test the benchmark")
    tiny = parser.parse_args().tiny
    size, most = (15, 6) if tiny else (63, 16)
    pairs = [(k, l) for k in range(1, most + 1) for l in range(k + 1, most + 1)]
    few = [pairs[0], pairs[len(pairs) // 2], pairs[-1]]
    states = 2 * (size + 1) ** naive.HEAPS
    print(
        f"{naive.HEAPS} heaps of 0..{size}, 1 <= k < l <= {most}: {len(pairs)} pairs, {thousands(states)} states each"
    )
    expected = dict(zip(pairs, measured(kernel, pairs, size).result, strict=True))

    ways: list[tuple[str, Callable[[Pairs, int], Any], Pairs]] = [
        ("the kernel, many pairs at a time (in use)", kernel, pairs),
        ("Python integers, lines, a mask per heap", big_integers, pairs),
        ("Python integers, whole lines, all-but-k only", whole_lines, pairs),
        ("memoised recursion", recursion, few),
    ]
    if importlib.util.find_spec("numba"):
        ways.insert(3, ("numba, lines, a mask per heap", with_numba, pairs))
    for name, way, chosen in ways:
        found = measured(way, chosen, size)
        seconds, counts, note = found.seconds, found.result, ""
        if way is with_numba:
            counts, imports, compiling = found.result
            note = f"; {imports:.2f} s of it to import numba, {compiling:.2f} s to compile"
        if len(chosen) < len(pairs):
            note = f"; {len(chosen)} pairs run, {seconds / len(chosen) * len(pairs):.0f} s for all if extrapolated"
        rate = thousands(states * len(chosen) / seconds)
        print(f"{name:45} {seconds:7.2f} s  {rate:>12} states/s  {found.peak / 2**20:4.0f} MiB{note}")
        assert counts == [expected[pair] for pair in chosen], name
    if len(ways) == 4:
        print("numba is not installed: its row is left out")


if __name__ == "__main__":
    main()
