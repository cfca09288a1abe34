"""The P-positions of two heaps in games like Wythoff's game, with a proof by rule "few heaps".

In these games a move may take from both heaps. The P-positions are the pairs x = floor(n p), y = x + r n for n = 0, 1,
2 and so on. Here r is a positive integer, and p is the positive root of p p + (r - 2) p = r.

In Wythoff's game r is 1 and p is the golden ratio. For larger r, the numbers taken from the two heaps may differ by
less than r (A. S. Fraenkel (1982), How to beat your Wythoff games' opponent on three fronts).

The root is irrational and does not appear in the claim. Instead, the inequality norm(x, d) < 0 < norm(x + 1, d) with d
= r n expresses that x = floor(n p).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t
from encoders.compute.arrays.limits import Deadline
from encoders.compute.arrays.values import Array
from encoders.search.find import SearchProgress, SearchStage, find_who_wins, run_search, search_forms
from encoders.search.formulas import Tell, wrap
from encoders.search.question import SearchProblem
from encoders.search.tables import OutcomeTable, SampleLimits
from encoders.search.writing import head, quote, times

PAIRS = SampleLimits(2, 60, 6)
_APART = range(1, 6)
_LOST = "({x} == 0 and {y} == 0) or ({x} < {y} and {multiple}is_lower({x}, {y} - {x}))"
_RATIO = """
[proof.lemmas."the ratio is irrational"]
for = { u = "0..", v = "0.." }
holds = "implies(norm(u, v) == 0, u == 0 and v == 0)"
measure = "u + v"
smaller = [{ u = "@ABOVE", v = "@BELOW" }]
at = [{ u = "a", v = "@LAST" }, { u = "a + 1", v = "@N" }, { u = "e", v = "@J" }]

[proof.lemmas."lower numbers rise"]
for = { u = "0..", v = "1..", w = "0.." }
holds = "implies(norm(u, v) < 0, norm(u + 1, v + @R + w) < 0)"
at = [{ u = "a", v = "d - c", w = "b - a - (d - c) - @R" }]

[proof.lemmas."the norm rises with the first number"]
for = { u = "0..", v = "0..", w = "0..", z = "0..v" }
holds = "implies(norm(u, v) > 0, norm(u + w, v - z) > 0)"
at = [
  { u = "c + 1", v = "d - c", w = "a - c - 1", z = "d - c - (b - a)" },
  { u = "a", v = "@LAST", w = "0", z = "@LAST - @WRAPPED" },
  { u = "d", v = "@UPPER", w = "0", z = "@UPPER - (b - a)" },
]

[proof.lemmas."and falls with the second"]
for = { u = "0..", v = "0..", w = "0.." }
holds = "implies(norm(u, v) < 0, norm(u, v + w) < 0)"
at = [{ u = "d + 1", v = "@UPPER + @R", w = "b - a - @R - @BOUND" }]

[proof.lemmas."upper numbers have the other sign"]
for = { u = "0..", v = "0.." }
holds = "norm(u + v, @MIRROR) == 0 - norm(u, v)"
at = [
  { u = "c", v = "d - c" },
  { u = "c + 1", v = "d - c" },
  { u = "@MATE", v = "@GAP" },
  { u = "@NEXT", v = "@GAP" },
]
"""
_LARGE = """
[proof.lemmas."an upper number is so large"]
for = { u = "0..", v = "0.." }
holds = "implies(norm(u, v) < 0, @LESS*u < v)"
at = [{ u = "a + 1", v = "@N" }]

[proof.lemmas."multiples lie apart"]
for = { u = "0..", v = "0.." }
holds = "implies(u % @R == 0 and v % @R == 0 and u - v < @R and v - u < @R, u == v)"
at = [{ u = "b - a", v = "d - c" }]
"""
_NUMBERS = """
[proof.numbers.n]
when = "1 <= a"
least = "1..a"
with = "norm(a, @N) < 0"

[proof.numbers.e]
when = "1 <= a and b - a < @N"
least = "0..a - 1"
with = "norm(e + 1, @J) > 0"
"""


@dataclass(frozen=True)
class Pairs:
    """A candidate for the P-positions: the pairs x = floor(n p), y = x + r n, compared with the solved positions.

    `misses`: the number of positions at which the candidate is wrong.
    `of`: the number of positions compared.
    `missed`: the first position at which the candidate is wrong; "" if there is none.
    """

    r: int
    misses: int
    of: int
    missed: str

    @property
    def words(self) -> str:
        """The pairs as text, such as "the pairs x and x + 2*n"."""
        return f"the pairs x and x + {times(str(self.r), 'n')}"


def find_winners(
    question: SearchProblem, clock: Deadline, tell: Tell, outcome: SearchProgress, shorten: bool = True
) -> None:
    """Search for a formula that determines the winner, and for a proof, as `find_who_wins` does.

    If no formula is found, time is left, and some move takes from several heaps, also try the pairs of a game like
    Wythoff's game, for two heaps.
    """
    find_who_wins(question, clock, tell, outcome, shorten)
    in_time = clock.deadline is None or clock.now() < clock.deadline
    if in_time and outcome.stage is SearchStage.NOTHING and any(len(m.heaps) > 1 for m in question.ruleset.moves):
        run_search(lambda note: _search(question, clock, note, outcome), tell, outcome)


def _search(question: SearchProblem, clock: Deadline, tell: Tell, outcome: SearchProgress) -> None:
    found = guess_pairs(question, clock)
    if found is None:
        return
    if found.misses:
        near = f"for two heaps, {found.words} fail at {found.misses} of {found.of} positions, such as {found.missed}"
        tell(near)
        outcome.nearest = outcome.nearest or near
        return
    outcome.nearest = outcome.obstacle = ""
    told = f"two heaps: {found.words}, correct for heaps up to {PAIRS.size}"
    search_forms(question, iter([(told, partial(write_pairs, question, found.r))]), clock, tell, outcome)


def guess_pairs(question: SearchProblem, clock: Deadline) -> Pairs | None:
    """Return the candidate with the smallest number of errors among r = 1 to 5.

    Return None if the game has free parameters or is partizan.
    """
    if question.free or not question.ruleset.impartial:
        return None
    table = OutcomeTable(question, PAIRS, clock)
    x, y = (table.rows.T[i] for i in range(2))

    def norm(x: Array, d: Array, r: int) -> Array:
        return np.asarray(r * x * x + (r - 2) * x * d - d * d)

    def compare(r: int) -> Pairs:
        told = ((y - x) % r == 0) & (norm(x, y - x, r) <= 0) & (norm(x + 1, y - x, r) > 0)
        bad = np.flatnonzero(told != table.lost[0][0])
        return Pairs(r, len(bad), len(x), table.describe(0, int(bad[0])) if len(bad) else "")

    return min(map(compare, _APART), key=lambda p: p.misses)


def write_pairs(question: SearchProblem, r: int, proof: bool) -> str:
    """Return the claim about the P-positions of two heaps. `proof`: whether to include the [proof]."""
    root = "p is the golden ratio" if r == 1 else f"p is the positive root of {_square(r)} = {r}"
    words = (
        f"with two heaps x <= y the player to move loses if and only if x is the whole part of n*p and "
        f"y = x + {'n' if r == 1 else f'{r}*n'} for some n, where {root}"
    )
    then = f"iff(not wins(position([x, y])), {_format_lost('x', 'y', r)})"
    lines = head(question, "two heaps", words, then, {"x": "0..", "y": "x.."}, {"x": "0..60", "y": "0..100"})
    lines += ["", "[define]", f"# The sign of norm is the sign of x - n*p, for d = {'n' if r == 1 else f'{r}*n'}."]
    lines += [f'"norm(x, d)" = {quote(_norm(r))}', '"is_lower(x, d)" = "norm(x, d) < 0 and 0 < norm(x + 1, d)"']
    return "\n".join([*lines, *(_write_proof(question, r) if proof else ())]) + "\n"


def _square(r: int) -> str:
    return {2: "p*p", 3: "p*p + p"}.get(r, f"p*p + {r - 2}*p")


def _norm(r: int) -> str:
    middle = {1: "- x*d ", 2: "", 3: "+ x*d "}.get(r, f"+ {r - 2}*x*d ")
    return f"{times(str(r), 'x*x')} {middle}- d*d"


def _format_lost(x: str, y: str, r: int) -> str:
    return _LOST.format(x=x, y=y, multiple="" if r == 1 else f"({y} - {x}) % {r} == 0 and ")


def _write_proof(question: SearchProblem, r: int) -> Iterator[str]:
    """Yield the lines of a proof as for Wythoff's game.

    Every heap is the lower or the upper number of one pair. The heaps are a and b, where a <= b, and n is the least
    number such that a < n p. There are three cases:

    - a is the lower number of the n-th pair, and b is too large: the reply leaves this pair.
    - a is the lower number of the n-th pair, and b is too small: the reply leaves a pair with a smaller lower number e.
      The difference b - a determines this pair.
    - a is the upper number of a pair: the reply leaves this pair.
    """
    n = times(str(r), "n")
    words = {
        "R": str(r),
        "N": n,
        "LAST": "n - 1" if r == 1 else f"{r}*(n - 1)",
        "J": "b - a" if r == 1 else f"{r}*((b - a) // {r})",
        "WRAPPED": "(b - a)" if r == 1 else f"{r}*((b - a) // {r})",
        "ABOVE": "v" if r == 1 else f"u - ({r}*u - v)",
        "BELOW": "u - v" if r == 1 else f"{r}*u - v",
        "UPPER": _upper("c", "(d - c)", r),
        "BOUND": wrap(_upper("c", "(d - c)", r)),
        "MIRROR": _upper("u", "v", r),
        "MATE": "n - 1" if r == 1 else f"a - {r}*(a - n + 1)",
        "NEXT": "n" if r == 1 else f"a + 1 - {r}*(a - n + 1)",
        "GAP": "a - n + 1" if r == 1 else f"{r}*(a - n + 1)",
        "LESS": str(r - 1),
    }
    lines = _RATIO + (_LARGE if r > 1 else "") + _NUMBERS
    for key in sorted(words, key=len, reverse=True):
        lines = lines.replace(f"@{key}", words[key])
    yield from ("", "[proof]", 'rule = "few heaps"', 'heaps = ["a", "b"]', 'after = ["c", "d"]')
    yield from ("", "[proof.loses]", f"mover = {quote(_format_lost('a', 'b', r))}")
    yield from lines.rstrip("\n").split("\n")
    here, e = f"1 <= a and 0 < norm(a + 1, {n})", "e" if r == 1 else f"e - {words['J']}"
    yield from _write_move(question, "No heap is left.", "a == 0", {"b": "b"})
    yield from _write_move(question, "The n-th pair is left.", f"{here} and a + {n} < b", {"b": f"b - (a + {n})"})
    both = {"a": "a - e", "b": "a - e" if r == 1 else f"b - {e}"}
    yield from _write_move(question, "The pair of e is left.", f"{here} and b < a + {n}", both)
    upper = f"1 <= a and norm(a + 1, {n}) < 0"
    yield from _write_move(question, "The mate of a is left.", upper, {"b": f"b - {wrap(words['MATE'])}"})


def _upper(x: str, d: str, r: int) -> str:
    """Return r x + (r - 1) d as text. This number d' satisfies norm(x + d, d') == -norm(x, d).

    The function norm(x, d) = r x x + (r - 2) x d - d d decides whether x and x + d are a pair. With d', it describes
    the upper number x + d in the same way.
    """
    return f"{times(str(r), x)}{'' if r == 1 else f' + {times(str(r - 1), d)}'}"


def _write_move(question: SearchProblem, told: str, when: str, takes: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a move that takes from heaps: `takes` gives the number to take, by the name of the heap.

    The move is of the first kind that chooses this number of arbitrary heaps, and whose picks determine the new heaps
    (see `_name_picks`). Yield nothing if there is no such kind.
    `told`: a comment. `when`: the condition of the move.
    """
    for move in question.ruleset.moves:
        names = _name_picks(move)
        if names is not None and len(names) == len(takes) and move.choose == "any":
            left = zip(names, takes.items(), strict=True)
            picks = {name: f"{heap} - {wrap(take)}" if leaves else take for (name, leaves), (heap, take) in left}
            yield from ("", f"# {told}", "[[proof.moves]]", f"when = {quote(when)}")
            yield f"heaps = [{', '.join(map(quote, takes))}]"
            yield f"take = {{ {', '.join(f'{name} = {quote(words)}' for name, words in picks.items())} }}"
            return


def _name_picks(move: Move) -> list[tuple[str, bool]] | None:
    """Return, for each heap of a move, a pair (pick, leaves): the name of a pick, and the meaning of the picked number.

    If `leaves` is true, the number is the size of the new heap; otherwise it is the number taken from the heap. Return
    None if some new heap is not of one of these two forms.
    """
    names = [x.name for x in move.picks]
    found: list[tuple[str, bool]] = []
    if len(move.heaps) != len(move.become):
        return None
    for heap, left in zip(move.heaps, move.become, strict=True):
        match left:
            case t.Variable(name=name) if name in names:
                found.append((name, True))
            case t.Operation(op="sub", args=(t.Variable(name=a), t.Variable(name=b))) if a == heap and b in names:
                found.append((b, False))
            case _:
                return None
    return found if {name for name, _ in found} == {*names} else None
