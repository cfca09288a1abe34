"""False and true claims about heaps with parts that change their length, split, or have no moves, against recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, reduce
from itertools import combinations_with_replacement, count, product
from operator import xor
from pathlib import Path
from typing import Any

import pytest
from claim_texts import HEAD

from encoders.compute.exhaustive import decide_by_search
from encoders.compute.native import entry
from encoders.proving.reading import load_claim

Heap = tuple[Any, ...]
S = tuple[Heap, ...]


def row(heap: Heap) -> Iterator[tuple[Heap, ...]]:
    """Take from the pile at either end; an empty pile leaves the row."""
    (c,) = heap
    for end in {0, len(c) - 1} if c else ():
        for m in range(1, c[end] + 1):
            left = c[:end] + ((c[end] - m,) if m < c[end] else ()) + c[end + 1 :]
            yield ((left,),) if left else ()


def pins(heap: Heap) -> Iterator[tuple[Heap, ...]]:
    (n,) = heap
    for t in (1, 2):
        yield from (tuple((x,) for x in (i, n - t - i) if x) for i in range(n - t + 1))


def strip(heap: Heap) -> Iterator[tuple[Heap, ...]]:
    """Remove a token: its neighbours turn over, and the strip closes up."""
    (c,) = heap
    for i in (i for i, x in enumerate(c) if x):
        yield ((tuple(x ^ (abs(j - i) == 1) for j, x in enumerate(c) if j != i),),)


def stack(heap: Heap) -> Iterator[tuple[Heap, ...]]:
    """Remove the top, or replace it by two tops of one less."""
    (c,) = heap
    if c:
        yield ((c[:-1],),)
    if c and c[-1]:
        yield ((c[:-1] + (c[-1] - 1,) * 2,),)


def three(heap: Heap) -> Iterator[tuple[Heap, ...]]:
    """Treblecross: the player who makes three crosses in a row wins."""
    (c,) = heap
    if (1, 1, 1) not in zip(c, c[1:], c[2:], strict=False):
        yield from ((((*c[:i], 1, *c[i + 1 :]),),) for i, x in enumerate(c) if not x)


def step(heap: Heap) -> Iterator[tuple[Heap, ...]]:
    x, y = heap
    yield from (((x - m, y),) for m in (1, 2) if m <= x)
    if y:
        yield ((x + 1, y - 1),)


def lower(heap: Heap) -> Iterator[tuple[Heap, ...]]:
    (x,) = heap
    yield from (((x - m,),) for m in (1, 2, 3) if x - m >= -4)


LAST = "h.c[len(h.c) - 1]"
GAMES: dict[Callable[[Heap], Iterator[tuple[Heap, ...]]], tuple[str, str, list[str]]] = {
    row: (
        'c = "list of 1.."\ngone = "len(h.c) == 0"',
        "sum(sum(h.c) for h in s)",
        [
            'pick = { m = "1..h.c[0]" }\nbecome = [{ c = "h.c[1:] if m == h.c[0] else put(h.c, 0, h.c[0] - m)" }]',
            (
                f'pick = {{ m = "1..{LAST}" }}\n'
                f'become = [{{ c = "h.c[0:len(h.c) - 1] + ([{LAST} - m] if m < {LAST} else [])" }}]'
            ),
        ],
    ),
    pins: (
        'n = "0.."\ngone = "h.n == 0"',
        "sum(h.n for h in s)",
        ['pick = { t = "1..2", i = "0..h.n - t" }\nbecome = [{ n = "i" }, { n = "h.n - t - i" }]'],
    ),
    strip: (
        'c = "list of 0..1"',
        "sum(len(h.c) for h in s)",
        [
            (
                'pick = { i = "0..len(h.c) - 1" }\nwhere = "h.c[i] == 1"\n'
                'become = [{ c = "[h.c[j] if abs(j - i) > 1 else 1 - h.c[j] for j in range(len(h.c)) if j != i]" }]'
            )
        ],
    ),
    stack: (
        'c = "list of 0.."',
        "sum(3 ** x for h in s for x in h.c)",
        [
            'where = "len(h.c) > 0"\nbecome = [{ c = "h.c[0:len(h.c) - 1]" }]',
            (
                f'where = "len(h.c) > 0 and {LAST} > 0"\n'
                f'become = [{{ c = "h.c[0:len(h.c) - 1] + [{LAST} - 1, {LAST} - 1]" }}]'
            ),
        ],
    ),
    three: (
        'c = "list of 0..1"',
        "sum(len(h.c) - sum(h.c) for h in s)",
        [
            (
                'pick = { i = "0..len(h.c) - 1" }\nbecome = [{ c = "put(h.c, i, 1)" }]\n'
                'where = "h.c[i] == 0 and not any(sum(h.c[j:j + 3]) == 3 for j in range(len(h.c) - 2))"'
            )
        ],
    ),
    step: (
        'x = "0.."\ny = "0.."',
        "sum(h.x + 2 * h.y for h in s)",
        [
            'pick = { m = "1..min(2, h.x)" }\nbecome = [{ x = "h.x - m" }]',
            'where = "h.y > 0"\nbecome = [{ x = "h.x + 1", y = "h.y - 1" }]',
        ],
    ),
    lower: (
        'x = "-4..4"',
        "sum(h.x + 4 for h in s)",
        ['pick = { m = "1..3" }\nwhere = "h.x - m >= -4"\nbecome = [{ x = "h.x - m" }]'],
    ),
}


class Play:
    """A game by plain recursion."""

    def __init__(self, game: Callable[[Heap], Iterator[tuple[Heap, ...]]], misere: bool = False) -> None:
        def wins(s: S) -> bool:
            after = [sort((*s[:i], *s[i + 1 :], *new)) for i, h in enumerate(s) for new in game(h)]
            return misere if not after else any(not self.wins(o) for o in after)

        def value(h: Heap) -> int:
            seen = {reduce(xor, map(self.value, new), 0) for new in game(h)}
            return next(i for i in count() if i not in seen)

        self.wins, self.value = cache(wins), cache(value)


def size(h: Heap) -> int:
    return sum(abs(y) for x in h for y in (x if isinstance(x, tuple) else (x,)))


def sort(s: S) -> S:
    return tuple(sorted(s, key=lambda h: (size(h), h)))


def lists(lengths: range, numbers: range) -> list[Heap]:
    return [(c,) for n in lengths for c in product(numbers, repeat=n)]


def of(lengths: str, each: str, heaps: str = "1") -> str:
    return f'heaps = "{heaps}", c = {{ length = "{lengths}", each = "{each}" }}'


BOX = 'heaps = "{0}", x = "0..{1}", y = "0..{1}"'
SQUARES = [(x, y) for x in range(5) for y in range(5)]
Row = tuple[Any, str, list[Heap], str, Callable[[S, Play], bool], S | None]
CLAIMS: dict[str, Row] = {
    "two piles": (
        row,
        of("1..2", "1..4"),
        lists(range(1, 3), range(1, 5)),
        "len(s[0].c) < 2 or iff(wins(s), s[0].c[0] != s[0].c[1])",
        lambda s, p: len(s[0][0]) < 2 or p.wins(s) == (s[0][0][0] != s[0][0][1]),
        None,
    ),
    "a single pile has two ends": (
        row,
        of("1..2", "1..4"),
        lists(range(1, 3), range(1, 5)),
        f"iff(wins(s), s[0].c[0] != s[0].{LAST[2:].replace('h.c', 's[0].c')})",
        lambda s, p: p.wins(s) == (s[0][0][0] != s[0][0][-1]),
        (((1,),),),
    ),
    "order in a row": (
        row,
        of("1..3", "1..3"),
        lists(range(1, 4), range(1, 4)),
        "iff(wins(s), wins(position([heap(sorted(s[0].c))])))",
        lambda s, p: p.wins(s) == p.wins(((tuple(sorted(s[0][0])),),)),
        (((1, 2, 1),),),
    ),
    "a sum with a pile": (
        row,
        of("1..2", "1..3"),
        lists(range(1, 3), range(1, 4)),
        "implies(wins(s), wins(s + [heap([2])]))",
        lambda s, p: not p.wins(s) or p.wins(sort((*s, ((2,),)))),
        (((2,),),),
    ),
    "values of pins": (
        pins,
        'heaps = "1", n = "1..12"',
        [(n,) for n in range(1, 13)],
        "grundy(s) <= 4",
        lambda s, p: p.value(s[0]) <= 4,
        ((11,),),
    ),
    "two rows of pins": (
        pins,
        'heaps = "2", n = "1..6"',
        [(n,) for n in range(1, 7)],
        "wins(s) or s[0] == s[1]",
        lambda s, p: p.wins(s) or s[0] == s[1],
        ((1,), (4,)),
    ),
    "a strip that closes up": (
        strip,
        of("0..7", "0..1"),
        lists(range(8), range(2)),
        "iff(wins(s), sum(s[0].c) % 2 == 1)",
        lambda s, p: p.wins(s) == (sum(s[0][0]) % 2 == 1),
        (((0, 0, 0, 0, 0, 1),),),
    ),
    "a strip from behind": (
        strip,
        of("0..6", "0..1"),
        lists(range(7), range(2)),
        "grundy(s) == grundy(position([heap([s[0].c[len(s[0].c) - 1 - i] for i in range(len(s[0].c))])]))",
        lambda s, p: p.value(s[0]) == p.value((s[0][0][::-1],)),
        None,
    ),
    "a stack": (
        stack,
        of("0..3", "0..2"),
        lists(range(4), range(3)),
        "iff(wins(s), len(s[0].c) % 2 == 1)",
        lambda s, p: p.wins(s) == (len(s[0][0]) % 2 == 1),
        None,
    ),
    "an empty stack beside another": (
        stack,
        of("0..2", "0..1", "2"),
        lists(range(3), range(2)),
        "iff(wins(s), s[0] != s[1])",
        lambda s, p: p.wins(s) == (s[0] != s[1]),
        (((),), ((0, 0),)),
    ),
    "the last of a sum is odd": (
        three,
        of("0..6", "0..1"),
        lists(range(7), range(2)),
        "iff(wins(s), (len(s[0].c) - sum(s[0].c)) % 2 == 1)",
        lambda s, p: p.wins(s) == ((len(s[0][0]) - sum(s[0][0])) % 2 == 1),
        (((0, 0, 0, 0),),),
    ),
    "parts exchanged": (
        step,
        BOX.format(1, 4),
        SQUARES,
        "iff(wins(s), wins(position([heap(s[0].y, s[0].x)])))",
        lambda s, p: p.wins(s) == p.wins(((s[0][1], s[0][0]),)),
        ((0, 1),),
    ),
    "a dead heap beside it": (
        step,
        BOX.format("0..2", 2),
        [(x, y) for x in range(3) for y in range(3)],
        "iff(wins(s), wins(s + [heap(0, 0)]))",
        lambda s, p: p.wins(s) == p.wins(sort((*s, (0, 0)))),
        None,
    ),
    "numbers below 0": (
        lower,
        'heaps = "1", x = "-4..4"',
        [(x,) for x in range(-4, 5)],
        "iff(wins(s), s[0].x % 4 != 0)",
        lambda s, p: p.wins(s) == (s[0][0] % 4 != 0),
        None,
    ),
    "one further": (
        lower,
        'heaps = "1", x = "-4..4"',
        [(x,) for x in range(-4, 5)],
        "iff(wins(s), s[0].x % 4 != 1)",
        lambda s, p: p.wins(s) == (s[0][0] % 4 != 1),
        ((0,),),
    ),
    "two of one size": (
        lower,
        'heaps = "2", x = "-4..4"',
        [(x,) for x in range(-4, 5)],
        "iff(wins(s), s[0].x != s[1].x)",
        lambda s, p: p.wins(s) == (s[0][0] != s[1][0]),
        ((0,), (-4,)),
    ),
}


@pytest.mark.parametrize("few", [0, 2000], ids=["machine code", "Python"])
@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_fails_where_recursion_says_so_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, few: int
) -> None:
    game, scope, heaps, then, judge, smallest = CLAIMS[name]
    play, (low, _, high) = Play(game), scope.split('"')[1].partition("..")
    numbers = range(int(low), int(high or low) + 1)
    cases = [sort(s) for n in numbers for s in combinations_with_replacement(heaps, n)]
    cases.sort(key=lambda s: (len(s), sum(map(size, s)), [(size(h), h) for h in s]))
    assert next((s for s in cases if not judge(s, play)), None) == smallest
    parts, measure, moves = GAMES[game]
    rules = f'format = 1\ntitle = "G"\nplayers = ["A", "B"]\nstuck = "loses"\nmeasure = "{measure}"\n[heap]\n{parts}\n'
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "rulesets" / "mine.toml").write_text(
        rules + "".join(f'[[moves]]\nchoose = "any heap h"\n{move}\n' for move in moves), "utf-8"
    )
    claim = f'{HEAD}ruleset = "mine"\n[forall]\ns = "position"\n[claim]\nthen = "{then}"\n[scope]\ns = {{ {scope} }}\n'
    (tmp_path / "claim.toml").write_text(claim, "utf-8")
    monkeypatch.setattr(entry, "FEW", few)
    found = load_claim(tmp_path / "claim.toml", "claim")
    answer = decide_by_search(found, found.scope("quick"))
    assert answer.decision.value == ("holds" if smallest is None else "fails")
    assert answer.counterexample == (None if smallest is None else {"s": smallest})
