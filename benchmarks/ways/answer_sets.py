"""The problems as logic programs for clingo (the extra `benchmarks`): `python -m benchmarks.ways.answer_sets PROBLEM`.

A position is lost if no option is lost. The programs are stratified, so grounding solves them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from benchmarks.ways.problem import Digest, KLNim, Problem, Sequence, Wythoff, run

if TYPE_CHECKING:
    import clingo

# Ascending heaps; less(S, T, M): taking M from one heap of S leaves T.
_KL_NIM = """
pos(A,B,C) :- A=0..n, B=A..n, C=B..n.
less(A,B,C, X,B,C, A-X) :- pos(A,B,C), X=0..A-1.
less(A,B,C, X,A,C, B-X) :- pos(A,B,C), X=0..B-1, X<=A.
less(A,B,C, A,X,C, B-X) :- pos(A,B,C), X=0..B-1, X>A.
less(A,B,C, X,A,B, C-X) :- pos(A,B,C), X=0..C-1, X<=A.
less(A,B,C, A,X,B, C-X) :- pos(A,B,C), X=0..C-1, X>A, X<=B.
less(A,B,C, A,B,X, C-X) :- pos(A,B,C), X=0..C-1, X>B.
wins(0,A,B,C) :- less(A,B,C, X,Y,Z, M), M != k, not wins(1,X,Y,Z).
wins(1,A,B,C) :- less(A,B,C, X,Y,Z, M), M != l, not wins(0,X,Y,Z).
#show wins/4.
"""
# The options and then the value of each heap, or pair of heaps, in turn. Each part is grounded when all its inputs are
# facts; in one program, values and options would depend on each other for the grounder.
_MEX = """
missing({heap},V) :- V=0..most, not option({heap},V).
value({heap},V) :- V = #min {{ U : missing({heap},U) }}.
#show value/2.
"""
_WYTHOFF = """
option((a,b),V) :- X=0..a-1, value((X,b),V).
option((a,b),V) :- X=0..b-1, X>=a, value((a,X),V).
option((a,b),V) :- X=0..b-1, X<a, value((X,a),V).
option((a,b),V) :- M=1..a, value((a-M,b-M),V).
"""


def solve(problem: Problem) -> tuple[str, int, Digest] | None:
    """Return the answer, the cases and the digest; None for an unsupported kind of game."""
    match problem:
        case KLNim():
            return _solve_kl_nim(problem)
        case Sequence():
            return _solve_sequence(problem)
        case Wythoff():
            return _solve_wythoff(problem)
        case _:
            return None


def _list_shown(control: clingo.Control) -> list[list[clingo.Symbol]]:
    """Return the arguments of each shown atom of the only answer set."""
    found: list[list[clingo.Symbol]] = []
    control.solve(on_model=lambda model: found.extend(s.arguments for s in model.symbols(shown=True)))
    return found


def _find_values(
    options: str, most: int, names: tuple[str, ...], heaps: Iterable[tuple[int, ...]]
) -> list[list[clingo.Symbol]]:
    """Return the values of heaps, or pairs of heaps, in turn; no value exceeds `most`."""
    import clingo

    control = clingo.Control(["-c", f"most={most}"])
    named = names[0] if len(names) == 1 else f"({','.join(names)})"
    control.add("options", names, options)
    control.add("mex", names, _MEX.format(heap=named))
    for heap in heaps:
        for part in ("options", "mex"):
            control.ground([(part, [clingo.Number(x) for x in heap])])
    return _list_shown(control)


def _solve_kl_nim(problem: KLNim) -> tuple[str, int, Digest]:
    import clingo

    digest, holds = Digest(), True
    for k, l in problem.pairs:
        control = clingo.Control(["-c", f"n={problem.size}", "-c", f"k={k}", "-c", f"l={l}"])
        control.add("base", [], _KL_NIM)
        control.ground([("base", [])])
        wins = {tuple(x.number for x in arguments) for arguments in _list_shown(control)}
        for a, b, c in problem.positions:
            lost = [(mover, a, b, c) not in wins for mover in (0, 1)]
            digest.add(lost)
            holds &= lost[1] == (a ^ b ^ c == 0 and c < k)
    return "holds" if holds else "fails", len(problem.pairs) * len(problem.positions), digest


def _solve_sequence(problem: Sequence) -> tuple[str, int, Digest]:
    numbers = problem.numbers
    match problem.rule:
        case "subtract":
            rules = [f"option(n,V) :- value(n-{m},V)." for m in numbers]
        case "grundy":
            rules = ["option(n,V^W) :- A=1..(n-1)/2, value(A,V), value(n-A,W)."]
        case "lasker":
            rules = [
                "option(n,V) :- A=0..n-1, value(A,V).",
                "option(n,V^W) :- A=1..n/2, value(A,V), value(n-A,W).",
            ]
        case _:
            rules = []
            for i, digit in enumerate(numbers, 1):
                if digit & 1:
                    rules.append(f"option(n,0) :- n={i}.")
                if digit & 2:
                    rules.append(f"option(n,V) :- n>{i}, value(n-{i},V).")
                if digit & 4:
                    rules.append(f"option(n,V^W) :- A=1..(n-{i})/2, value(A,V), value(n-{i}-A,W).")
    heaps = range(problem.heaps + 1)
    shown = _find_values("\n".join(rules), min(problem.heaps + 1, 255), ("n",), ((n,) for n in heaps))
    found = {heap.number: value.number for heap, value in shown}
    values = [found[n] for n in heaps]
    digest = Digest()
    digest.add_values(values)
    return *problem.judge(values), digest


def _solve_wythoff(problem: Wythoff) -> tuple[str, int, Digest]:
    shown = _find_values(_WYTHOFF, 3 * problem.size, ("a", "b"), problem.positions)
    found = {(heap.arguments[0].number, heap.arguments[1].number): value.number for heap, value in shown}
    digest = Digest()
    digest.add_values([found[s] for s in problem.positions])
    holds = all(problem.is_pair(*s) == (found[s] == 0) for s in problem.positions)
    return "holds" if holds else "fails", len(problem.positions), digest


if __name__ == "__main__":
    run(solve)
