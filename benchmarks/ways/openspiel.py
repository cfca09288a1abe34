"""Nim in OpenSpiel, solved by a memoised minimax over its states: `python -m benchmarks.ways.openspiel PROBLEM`.

OpenSpiel has only Nim among the games of the rows, so this way applies only if no amount is forbidden.
"""

from __future__ import annotations

import functools

from benchmarks.ways.problem import Digest, KLNim, Problem, run


def solve(problem: Problem) -> tuple[str, int, Digest] | None:
    """Return the answer, the cases and the digest; None for any game except Nim."""
    if not isinstance(problem, KLNim) or problem.k[0] <= problem.size:
        return None
    digest, holds = Digest(), True
    solved = _Solved(problem.size)
    for heaps in problem.positions:
        lost = not solved.wins(heaps)
        digest.add((lost, lost))
        holds &= lost == (heaps[0] ^ heaps[1] ^ heaps[2] == 0)
    return "holds" if holds else "fails", len(problem.positions), digest


class _Solved:
    """Nim with three heaps of at most `size`; a state is identified by its heaps."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.wins_at = functools.cache(self._wins_at)

    def wins(self, heaps: tuple[int, ...]) -> bool:
        return self.wins_at(heaps)

    def _wins_at(self, heaps: tuple[int, ...]) -> bool:
        """Return whether the mover wins, by the options that OpenSpiel gives."""
        import pyspiel

        there = [h for h in heaps if h]
        if not there:
            return False
        game = pyspiel.load_game("nim", {"pile_sizes": ";".join(map(str, there)), "is_misere": False})
        state = game.new_initial_state()
        for action in state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            if after.is_terminal():
                if after.returns()[0] > 0:
                    return True
                continue
            left = [int(x) for x in str(after).split(":")[1].split()]
            if not self.wins_at(tuple(sorted(left))):
                return True
        return False


if __name__ == "__main__":
    run(solve)
