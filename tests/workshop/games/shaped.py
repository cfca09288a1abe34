"""Random games of other shapes: several kinds of move, on one heap or two, that split, or leave a player stuck."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import combinations, combinations_with_replacement, product
from operator import xor
from typing import Any

from .play import Position, Unplayable, evaluate

Kind = dict[str, Any]  # of a move, as in a ruleset file

# (choose, pick, where, become): {c} is a number, {b} a number that is at least {c}
KINDS: tuple[tuple[str, dict[str, str], str, list[str]], ...] = (
    ("any heap h", {"m": "1..h"}, "", ["h - m"]),
    ("any heap h", {"m": "1..h"}, "m % 2 == 1", ["h - m"]),
    ("any heap h", {"m": "1..min({c}, h)"}, "", ["h - m"]),
    ("any heap h", {"m": "{c}..h"}, "", ["h - m"]),
    ("any heap h", {"m": "{c}..min({b}, h)"}, "", ["h - m"]),
    ("any heap h", {"m": "{c}..h"}, "m == h or h > {b}", ["h - m"]),
    ("any heap h", {}, "h >= {c}", ["h - {c}"]),
    ("any heap h", {}, "h >= {c}", []),
    ("any heap h", {}, "", ["max(h - {c}, 0)"]),
    ("any heap h", {}, "", ["h // 2"]),
    ("any heap h", {"m": "1..h"}, "len(s) == {c} or m == h", ["h - m"]),
    ("any heap h", {"m": "1..h"}, "len(s) in [{c}, {b}] or m == 1", ["h - m"]),
    ("a largest heap h", {"m": "1..h"}, "", ["h - m"]),
    ("a largest heap h", {"m": "1..min({c}, h)"}, "", ["h - m"]),
    ("a smallest heap h", {"m": "1..h"}, "", ["h - m"]),
    ("a smallest heap h", {"m": "{c}..h"}, "", ["h - m"]),
    ("each of 1..2 heaps h", {"m": "1..h"}, "", ["h - m"]),
    ("each of 1..2 heaps h", {}, "", ["h - 1"]),
    ("any two heaps g, h", {}, "", ["g - 1", "h - 1"]),
    ("any two heaps g, h", {"m": "1..min(g, h)"}, "", ["g - m", "h - m"]),
    ("any two heaps g, h", {}, "g == h", []),
    ("any heap h", {"m": "1..h // 2"}, "", ["m", "h - m"]),
    ("any heap h", {"m": "1..h - 1"}, "m % 2 == 1", ["m", "h - m"]),
    ("any heap h", {"m": "1..(h - 1) // 2"}, "", ["m", "h - m"]),
    ("any heap h", {}, "h >= 3", ["1", "1", "h - 2"]),
    ("any heap h", {"m": "0..h - 1"}, "", ["m", "h - 1 - m"]),
)
FOLDS = {
    "X": "nim_sum(s)",
    "H": "nim_sum(h // 2 for h in s)",
    "R": "nim_sum(h % {c} for h in s)",
    "Y": "nim_sum(max(h - {c}, 0) for h in s)",
    "T": "sum(s)",
    "Q": "sum(h // 2 for h in s)",
    "D": "sum(max(h - 1, 0) for h in s)",
    "N": "len(s)",
    "u": "s.count(1)",
    "b": "count(h >= 2 for h in s)",
    "o": "count(h % 2 == 1 for h in s)",
    "A": "columns(s, 3, 1)",
    "B": "columns(s, 3, 2)",
    "M": "max(s)",
    "L": "min(s)",
    "e": "s.count(max(s))",
}
LOST = (
    "X == 0",
    "H == 0",
    "R == 0",
    "Y == 0",
    "T % 2 == 0",
    "T % 2 == 1",
    "T % 3 == 0",
    "(T - N) % 2 == 0",
    "D % 2 == 0",
    "D % 2 == 1",
    "Q % 2 == 0",
    "N % 2 == 0",
    "N % 3 == 0",
    "N % 2 == 1",
    "N <= 1",
    "N == 1",
    "b == 0",
    "b % 2 == 0",
    "b % 2 == 1",
    "o % 2 == 0",
    "o % 2 == 1",
    "o == 0",
    "o % 3 == 0",
    "A == 0 and B == 0",
    "X == 0 if b > 0 else u % 2 == 1",
    "A == 0 and B == 0 if b > 0 else N % 3 == 1",
    "u % 2 == (1 if b >= 1 else 0)",
    "e % 2 == 0",
    "e % 2 == 0 if b > 0 else N % 2 == 1",
    "M == L and N % 2 == 0",
)
HEAPS = (
    *("any", "any with h >= 2", "any with h >= {c}", "any with h % 2 == 1", "any with h == 1"),
    *("largest", "smallest", "top bit of X", "top bit of R", "top bit of H", "top bit of X ^ g"),
)
TAKES = (
    "h",
    "1",
    "{c}",
    "h - 1",
    "h - (h ^ X)",
    "h - (h ^ X ^ g)",
    "h % 2",
    "h - rest_M",
    "h // 2",
    "2 * (h // 2) - 1",
)
FACTS = (  # the facts of a group are shown together
    *(("N >= b + u",), ("T >= N",), ("b != 0 or X <= 1", "b != 1 or X >= 2"), ("T % 2 == X % 2",), ("D == T - N",)),
    ("b != 0 or T == N", "N >= b"),
    ("bit_and(A, B) == 0", "b != 0 or (A <= 1 and B <= 1)"),
    ("b != 0 or N == u", "b == 0 or N > u"),
)
BOX = sorted((s for n in range(5) for s in combinations_with_replacement(range(1, 6), n)), key=sum)


def shaped_game(rng: random.Random) -> tuple[Kind, dict[str, Any]]:
    """Return a claim about winners, and the ruleset. Statements that hold at all small positions are preferred."""
    for tried in range(8):
        c = rng.choice((1, 2, 2, 3))
        fill = {"c": c, "b": c + rng.choice((0, 1, 2))}
        kinds = [_kind(*x, fill) for x in rng.sample(KINDS, rng.choice((1, 1, 2)))]
        stuck = rng.choice(("loses", "loses", "wins"))
        folds = {n: x.format(**fill) for n, x in FOLDS.items()}
        try:
            won = winners(kinds, stuck)
        except Unplayable:
            won = {}
        seen = {s: {n: evaluate(x, s=s, h=0) for n, x in folds.items()} for s in won}
        fitting = [x for x in LOST if won and all(bool(evaluate(x, **seen[s])) is not won[s] for s in BOX)]
        if fitting or tried == 7:
            break
    lost = rng.choice(fitting if fitting and rng.random() < 0.9 else LOST)
    wanted: dict[bool, list[Position]] = {True: [], False: []}
    for s in won:
        if any(True for kind in kinds for _ in _options(kind, s)):
            wanted[bool(evaluate(lost, **seen[s]))].append(s)
    moves = [_move(rng, kinds[0], f"not ({lost})", fill, lambda s, h, m: _mends(kinds[0], s, h, m, won), wanted[False])]
    if rng.random() < 0.3:
        moves.append(_move(rng, kinds[0], rng.choice(("True", f"not ({lost}) and N > 0")), fill, None, []))
    if stuck == "wins":
        moves.append(_move(rng, kinds[0], lost, fill, lambda s, h, m: any(_left_by(kinds[0], s, h, m)), wanted[True]))
        moves[-1]["to"] = "anywhere"
    return _claim(rng, lost, folds, moves), {"stuck": stuck, "moves": kinds}


Test = Callable[[Position, int, int], bool]


def _move(
    rng: random.Random, kind: Kind, when: str, fill: dict[str, int], fits: Test | None, wanted: list[Position]
) -> Kind:
    """Return a named move: among several drawn, the first that fits at all positions in `wanted`."""
    for _ in range(30 if fits and "two" not in kind["choose"] else 1):
        move: Kind = {"when": when, "heap": rng.choice(HEAPS).format(**fill)}
        if picks := kind.get("pick"):
            move["take"] = {n: rng.choice(TAKES).format(**fill) for n in picks}
        if fits and all(_fits(move, s, fits) for s in wanted):
            break
    return move


def _fits(move: Kind, s: Position, fits: Test) -> bool:
    """Whether the named move is right on all heaps that it may choose; for a top bit, on those it makes smaller."""
    x, heap = reduce(xor, s, 0), move["heap"]
    if heap.startswith("top bit"):
        heaps = [h for h in s if h ^ x < h]
    elif heap.startswith("any"):
        heaps = [h for h in s if evaluate(heap.removeprefix("any").removeprefix(" with ") or "True", h=h)]
    else:
        heaps = [max(s) if heap == "largest" else min(s)]
    for h in heaps:
        rest = max([*s[: s.index(h)], *s[s.index(h) + 1 :]], default=0)
        m = evaluate(move.get("take", {"m": "0"})["m"], h=h, X=x, g=0, rest_M=rest)
        if not fits(s, h, m):
            return False
    return bool(heaps)


def _left_by(kind: Kind, s: Position, h: int, m: int) -> Iterator[Position]:
    """Yield the results of the move on one heap that picks m."""
    places = [p for p in _chosen(kind["choose"], s) if len(p) == 1 and s[p[0]] == h][:1]
    for (i,) in places:
        yield from (_left([*s[:i], *s[i + 1 :]], new) for new in _made(kind, {"h": h}, s, m))


def _mends(kind: Kind, s: Position, h: int, m: int, won: dict[Position, bool]) -> bool:
    left = list(_left_by(kind, s, h, m))
    return bool(left) and not any(won.get(t, True) for t in left)


def _kind(choose: str, pick: dict[str, str], where: str, become: list[str], fill: dict[str, int]) -> Kind:
    made: Kind = {"choose": choose}
    if pick:
        made["pick"] = {n: x.format(**fill) for n, x in pick.items()}
    if where:
        made["where"] = where.format(**fill)
    return made | {"become": [x.format(**fill) for x in become]}


def _claim(rng: random.Random, lost: str, folds: dict[str, str], moves: list[Kind]) -> Kind:
    used = re.findall(r"\b[A-Za-z]\b", lost + " ".join(str(m) for m in moves))
    facts = {f: f for group in rng.sample(FACTS, rng.randrange(3)) for f in group}
    used += re.findall(r"\b[A-Za-z]\b", " ".join(facts))
    said = lost
    for name in FOLDS:
        said = re.sub(rf"\b{name}\b", lambda _, n=name: f"({folds[n]})", said)
    forms = ("iff(not wins(s), {l})", "iff(not wins(s), {l})", "implies({l}, not wins(s))", "wins(s) or ({l})")
    then, forall = rng.choice(forms).format(l=f"({said})"), {"s": "position"}
    if "g" in used:
        forall = {"g": "0.."} | forall
    proof: Kind = {"rule": "folds", "folds": {n: x for n, x in folds.items() if n in used}}
    if facts:
        proof["facts"] = facts
    claim: Kind = {"ruleset": "game", "forall": forall, "claim": {"then": then}}
    if "max(s)" in then or "min(s)" in then:
        claim["claim"]["if"] = "len(s) >= 1"
    return claim | {"proof": proof | {"loses": {"mover": lost}, "moves": moves}}


# -- played in plain Python -------------------------------------------------------------------------------------------
def winners(kinds: list[Kind], stuck: str) -> dict[Position, bool]:
    """Return the winner at each position of the box.

    Raises Unplayable if a move does not decrease the position or leaves the box.
    """
    found: dict[Position, bool] = {}
    waiting = sorted(BOX, key=lambda s: 2 * sum(s) - len(s))
    for s in waiting:
        options = [t for kind in kinds for t in _options(kind, s)]
        if any(t not in found and len(t) < 5 for t in options):
            raise Unplayable
        if any(len(t) > 4 for t in options):
            found[s] = _beyond(kinds, stuck, s, 12)
        else:
            found[s] = any(not found[t] for t in options) if options else stuck == "wins"
    return found


def _beyond(kinds: list[Kind], stuck: str, s: Position, depth: int) -> bool:
    """Return the winner by search, for positions with more heaps than the box."""
    if not depth:
        raise Unplayable
    options = {t for kind in kinds for t in _options(kind, s)}
    return any(not _beyond(kinds, stuck, t, depth - 1) for t in options) if options else stuck == "wins"


def _options(kind: Kind, s: Position) -> Iterator[Position]:
    for places in _chosen(kind["choose"], s):
        rest = [h for i, h in enumerate(s) if i not in places]
        each = kind["choose"].startswith("each")
        if each:
            made = product(*(list(_made(kind, {"h": s[i]}, s)) for i in places))
            yield from (_left(rest, [x for part in parts for x in part]) for parts in made)
            continue
        names = ("g", "h")[-len(places) :]
        for order in {tuple(s[i] for i in places), tuple(s[i] for i in reversed(places))}:
            for new in _made(kind, dict(zip(names, order, strict=True)), s):
                yield _left(rest, new)


def _chosen(choose: str, s: Position) -> Iterator[tuple[int, ...]]:
    if "largest" in choose or "smallest" in choose:
        best = (max if "largest" in choose else min)(s, default=0)
        yield from ((i,) for i, h in enumerate(s) if h == best)
        return
    if "two" not in choose:
        yield from ((i,) for i in range(len(s)))
    if "two" in choose or "1..2" in choose:
        yield from combinations(range(len(s)), 2)


def _made(kind: Kind, heaps: dict[str, int], s: Position, only: int | None = None) -> Iterator[list[int]]:
    """Yield the heaps left, for every pick or for one."""
    names = {**heaps, "s": s}
    low, high = 0, 0
    if pick := kind.get("pick"):
        low, high = (evaluate(x, **names) for x in pick["m"].split(".."))
    for m in range(low, high + 1):
        if only in (None, m) and evaluate(kind.get("where", "True"), **names, m=m):
            new = [evaluate(x, **names, m=m) for x in kind["become"]]
            if any(x is None or x < 0 or x >= max(heaps.values()) for x in new):
                raise Unplayable
            yield new


def _left(rest: list[int], new: list[int]) -> Position:
    return tuple(sorted([*rest, *(x for x in new if x)]))


__all__ = ["shaped_game", "winners"]
