"""Compare the kernel and the general search on large boxes of K-L-Nim as bits, as in docs/decisions/0019.

    python -m benchmarks.boxes [--tiny]

Each way runs in a fresh process. Times are CPU seconds without imports and without the compilation of the kernel, for
which a process pays once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

from benchmarks import naive
from benchmarks.measure import measured, thousands

Pairs = list[tuple[int, int]]
# the number of positions, over all pairs, at which the first player loses moving first, and the second player
Losing = tuple[int, int]
Timed = tuple[float, Any]  # CPU seconds, result


def many(most: int) -> Pairs:
    """Return all pairs k < l <= most."""
    return [(k, l) for k in range(1, most + 1) for l in range(k + 1, most + 1)]


def parameter_bits(pairs: Pairs, size: int) -> Timed:
    """Solve only the games, with a row of bits for each position."""
    _lay([(1, 2)], 3, False)
    started = time.process_time()
    solution, words = _lay(pairs, size, False)
    found = tuple(words.count_ones(solution.find_lost(mover)) for mover in (0, 1))
    return time.process_time() - started, found


def line_bits(pairs: Pairs, size: int) -> Timed:
    """Solve only the games, pair by pair, with a row of bits for each rest of two heaps.

    Each position occurs three times.
    """
    _lay([(1, 2)], 3, True)
    started = time.process_time()
    counts = [0, 0]
    for pair in pairs:
        solution, words = _lay([pair], size, True)
        for mover in (0, 1):
            counts[mover] += words.count_ones(solution.find_lost(mover))
    return time.process_time() - started, tuple(counts)


def _lay(pairs: Pairs, size: int, by_lines: bool) -> tuple[Any, Any]:
    import numpy as np

    from claims.language.files.library import LIBRARY
    from claims.language.files.rulesets import load_ruleset
    from encoders.compute.arrays import bit_rows as words
    from encoders.compute.arrays.bit_lanes import KernelLanes, KernelLines
    from encoders.compute.arrays.bit_rows import HeapBox
    from encoders.compute.arrays.bit_task import BoxTask, tabulate
    from encoders.compute.arrays.evaluate import FrameEvaluator
    from encoders.compute.arrays.limits import Deadline
    from encoders.compute.arrays.positions import Pool, PositionSet
    from encoders.kernel.instances import open_machine

    clock = Deadline(None)
    evaluator = FrameEvaluator(Pool(PositionSet(np.zeros((1, 1), dtype=np.int64))), clock, {})
    legal = tabulate(load_ruleset(LIBRARY / "rulesets" / "kl-nim.toml"), evaluator, list(pairs), size)
    task = BoxTask(HeapBox(naive.HEAPS, size), 2, False, legal, len(pairs))
    return (KernelLines if by_lines else KernelLanes)(task, clock, open_machine()), words


def whole_claim(k: tuple[int, int], l: tuple[int, int], size: int, general: bool = False) -> Timed:
    """Check Theorem 14 in one box: the games, the claim at every position, and the smallest counterexample, if any."""
    from claims.language.files import domains as d
    from claims.language.files.library import LIBRARY
    from encoders.compute.arrays.bit_search import BoxSearch
    from encoders.compute.arrays.cases import Tally
    from encoders.compute.arrays.limits import Deadline
    from encoders.compute.arrays.search import ArraySearch
    from encoders.compute.engines import CaseQuery, Shard
    from encoders.kernel.instances import open_machine
    from encoders.proving.reading import load_claim

    claim = load_claim(LIBRARY / "kl-nim" / "theorem-14.toml", "kl-nim/theorem-14")
    open_machine()
    started = time.process_time()
    box = d.PositionRange(d.Range(0, naive.HEAPS), d.Range(1, size))
    scope: d.Scope = {"k": d.Range(*k), "l": d.Range(*l), "s": box}
    tally, plan = Tally(), None if general else CaseQuery(claim, Shard(scope, None)).bits
    if plan is None:
        ArraySearch(claim, scope, Deadline(None), tally).run()
    else:
        BoxSearch(claim, scope, plan, Deadline(None), tally).run()
    assert tally.best is None
    return time.process_time() - started, tally.cases


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tiny", action="store_true", help="small boxes, to test the benchmark")
    tiny = parser.parse_args().tiny
    size, most, large = (15, 8, 70) if tiny else (63, 64, 1023)
    pairs, one = many(most), [(3, 4)]
    wide, narrow = ((1, most - 1), (2, most), size), ((3, 3), (4, 4), large)
    ways: list[tuple[str, int, Callable[..., Timed], tuple[Any, ...]]] = [
        ("parameter bits, kernel", len(pairs) * (size + 1) ** 3, parameter_bits, (pairs, size)),
        ("whole claim, parameter bits", len(pairs) * (size + 1) ** 3, whole_claim, wide),
        ("whole claim, the general search", len(pairs) * (size + 1) ** 3, whole_claim, (*wide, True)),
        ("line bits, kernel", (large + 1) ** 3, line_bits, (one, large)),
        ("whole claim, line bits", (large + 1) ** 3, whole_claim, narrow),
    ]
    print(f"3 heaps of 0..{size}, {len(pairs)} pairs k < l <= {most}; 3 heaps of 0..{large}, k = 3, l = 4")
    answers: dict[Any, Any] = {}
    for name, ordered, way, arguments in ways:
        found = measured(way, *arguments)
        seconds, result = found.result
        rate = thousands(2 * ordered / seconds)
        print(f"{name:32} {seconds:7.2f} s  {rate:>14} states/s  {found.peak / 2**20:4.0f} MiB")
        key = way, ordered
        assert answers.setdefault(key, result) == result, name


if __name__ == "__main__":
    main()
