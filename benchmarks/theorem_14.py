"""Theorem 14 of K-L-Nim on three heaps up to 63 for 120 pairs (k, l), beside a plain memoised recursion.

    python -m benchmarks.theorem_14 [--tiny]

States are counted the plain way for both sides: (63 + 1)^3 ordered positions, times 2 movers, times the pairs, although
each side looks at multisets of heaps only.  The plain recursion is run on a few pairs, and its time for all of them is
extrapolated from these; the output says so.  `--tiny` runs everything on a small box, to see that it works.
"""

from __future__ import annotations

import argparse

from benchmarks import naive
from benchmarks.measure import Measurement, measured, thousands

CLAIM = "kl-nim/theorem-14"


def settle(size: int, most: int) -> tuple[str, int]:
    """The claim through the exhaustive encoder, as `checks run` would: the answer and the number of cases."""
    from checks.judgement.scopes import scope_for
    from claims.language.library import select
    from encoders.exhaustive.encoder import settle
    from encoders.rules.reading import load_claim

    (entry,) = select((CLAIM,))
    claim = load_claim(entry.path, entry.id)
    overrides = (("s.heaps", f"0..{naive.HEAPS}"), ("s.size", f"1..{size}"), ("k", f"1..{most}"), ("l", f"2..{most}"))
    answer = settle(claim, scope_for(claim, "quick", overrides))
    return answer.answer, answer.cases


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tiny", action="store_true", help="a small box, to see that the benchmark works")
    tiny = parser.parse_args().tiny
    size, most = (15, 6) if tiny else (63, 16)
    pairs = [(k, l) for k in range(1, most + 1) for l in range(k + 1, most + 1)]
    tried = [pairs[0], pairs[len(pairs) // 2], pairs[-1]]
    states = 2 * (size + 1) ** naive.HEAPS
    print(f"{CLAIM}: s.heaps 0..{naive.HEAPS}, s.size 1..{size}, 1 <= k < l <= {most}: {len(pairs)} pairs")
    print(f"{thousands(states * len(pairs))} states in the plain count, (size + 1)^{naive.HEAPS} * 2 * {len(pairs)}")

    ours = measured(settle, size, most)
    answer, cases = ours.result
    assert answer == "holds", answer
    print(f"exhaustive encoder: {_row(ours, states * len(pairs))}, {answer} in {thousands(cases)} cases")

    plain = measured(naive.check_theorem_14, tried, size)
    named = ", ".join(map(str, tried))
    print(f"plain memoised recursion: {_row(plain, states * len(tried))}, on {len(tried)} of the pairs: {named}")
    rest = plain.seconds / len(tried) * len(pairs)
    print(f"  extrapolated to {len(pairs)} pairs, not run: {rest:.0f} s, {rest / ours.seconds:.0f} times as long")


def _row(found: Measurement, states: int) -> str:
    rate = thousands(states / found.seconds)
    return f"{found.seconds:.2f} s with imports, {rate} states/s, peak memory {found.peak / 2**20:.0f} MiB"


if __name__ == "__main__":
    main()
