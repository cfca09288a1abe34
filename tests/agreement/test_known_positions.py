"""Known positions: referee and engine agree with the literature."""

from collections.abc import Callable
from functools import reduce
from operator import xor
from pathlib import Path

import pytest
from boards import Engine, by_referee, positions

import claims
from claims.language.files.rulesets import Ruleset, load_ruleset

Position = tuple[int, ...]
RULESETS = Path(claims.__file__).parent / "rulesets"


def shipped_ruleset(name: str) -> Ruleset:
    return load_ruleset(RULESETS / f"{name}.toml")


def bouton(s: Position) -> bool:
    """Nim is lost if the nim-sum is 0 (Bouton 1901)."""
    return reduce(xor, s, 0) == 0


def misere(s: Position) -> bool:
    """Misère Nim: as Nim, but reversed if all heaps are 1 (Bouton 1901)."""
    return len(s) % 2 == 1 if all(h == 1 for h in s) else bouton(s)


def greedy(s: Position) -> bool:
    """Greedy Nim is lost if the largest heap occurs an even number of times (Albert and Nowakowski 2004)."""
    return sum(h == max(s) for h in s) % 2 == 0


def misere_greedy(s: Position) -> bool:
    """Misère Greedy Nim: as Greedy Nim, but reversed if all heaps are 1."""
    return greedy(s) is any(h > 1 for h in s)


def small(s: Position) -> bool:
    """Small Nim is lost if the number of heaps of 1 is even and no heap is larger, or odd and some heap is larger."""
    return s.count(1) % 2 == any(h > 1 for h in s)


def antonim(s: Position) -> bool:
    """Antonim with two heaps is lost at 2a - 1 and 2a (Winning Ways), and at equal odd heaps."""
    return s in ((), (1, 1), (3, 3), (5, 5)) or (len(s) == 2 and s[0] % 2 == 1 and s[1] == s[0] + 1)


def min_nim(s: Position) -> bool:
    """Min-Nim with two heaps, computed by hand."""
    if len(s) < 2:
        return not s
    x, y = s
    return (x, y) == (4, 4) or (x, y % 2) == (1, 1) or (x, y % 4) == (2, 2) or (x == 3 and y in (8, 12))


def mark_3(s: Position) -> bool:
    """Mark-3 is lost at the numbers in which the exponent of 3 is odd (Guo)."""
    n = sum(s)
    return n == 0 or (n % 3 == 0 and n % 9 != 0) or (n % 27 == 0 and n % 81 != 0)


def wythoff(s: Position) -> bool:
    """Wythoff (1907): the pairs (floor(n phi), floor(n phi) + n), by the recursion instead of phi."""
    pairs, used = {()}, {0}
    for n in range(1, 12):
        a = next(i for i in range(100) if i not in used)
        pairs.add((a, a + n))
        used |= {a, a + n}
    return s in pairs


def moore(w: int) -> Callable[[Position], bool]:
    """Moore (1910): if up to w heaps change, a position is lost if each binary column sums to 0 modulo w + 1."""
    return lambda s: all(sum(h >> bit & 1 for h in s) % (w + 1) == 0 for bit in range(8))


def misere_moore(w: int) -> Callable[[Position], bool]:
    """As in normal play, except if all heaps are 1: lost if their number is 1 modulo w + 1."""
    return lambda s: len(s) % (w + 1) == 1 if all(h == 1 for h in s) else moore(w)(s)


def one_of(*rows: Position) -> Callable[[Position], bool]:
    return lambda s: s in rows


@pytest.mark.parametrize(
    ("name", "choice", "heaps", "size", "lost"),
    [
        ("nim", (), 4, 6, bouton),
        ("misere-nim", (), 4, 6, misere),
        ("greedy-nim", (), 4, 6, greedy),
        ("misere-greedy-nim", (), 4, 6, misere_greedy),
        ("small-nim", (), 4, 6, small),
        ("antonim", (), 2, 6, antonim),
        # each cut makes one heap more
        ("cutting", (), 4, 6, lambda s: (sum(s) - len(s)) % 2 == 0),
        ("slow-nim", (), 2, 8, lambda s: len(s) < 2 or s[0] % 2 == 0),
        ("whole-heaps", (2,), 4, 6, lambda s: reduce(xor, (max(h - 2, 0) + 1 for h in s), 0) == 0),
        ("min-nim", (), 2, 12, min_nim),
        ("squarefree", (), 4, 8, lambda s: reduce(xor, (h % 4 for h in s), 0) == 0),
        ("digit-sum", (), 1, 60, lambda s: sum(s) % 9 == 0),
        ("mark", (3,), 1, 60, mark_3),
        ("upmark", (), 1, 26, one_of((), *((n,) for n in (2, 5, 7, 11, 15, 17, 19, 23, 25)))),
        ("wythoff", (), 2, 20, wythoff),
        ("moore", (1,), 4, 5, moore(1)),
        ("moore", (2,), 4, 5, moore(2)),
        ("moore", (3,), 4, 5, moore(3)),
        ("misere-moore", (1,), 4, 5, misere_moore(1)),
        ("misere-moore", (2,), 4, 5, misere_moore(2)),
        ("misere-moore", (3,), 4, 5, misere_moore(3)),
        # one heap, take 1 or 4: lost at 0 and 2 modulo 5 (Winning Ways, chapter 4)
        ("subtraction", ((1, 4),), 1, 30, lambda s: sum(s) % 5 in (0, 2)),
        # take 1, 2 or 3 from one heap: lost at the multiples of 4
        ("subtraction", ((1, 2, 3),), 1, 30, lambda s: sum(s) % 4 == 0),
    ],
)
def test_lost_positions(name: str, choice: tuple, heaps: int, size: int, lost: Callable[[Position], bool]) -> None:
    ruleset = shipped_ruleset(name)
    table = Engine(ruleset, (choice,), heaps, size).table("wins", 0)[0]
    games: dict = {}
    decided = {True: 0, False: 0}
    for s, engine in zip(positions(heaps, size), table, strict=True):
        assert engine is not lost(s), s
        assert by_referee(ruleset, choice, "wins", s, 0, games) is not lost(s), s
        decided[engine] += 1
    assert min(decided.values()) >= 3


def theorem_6(k: int, x: int) -> int:
    """Theorem 6 of the paper on K-L-Nim: with K = L = k, x = 2kq + ek + r has the Grundy value kq + r."""
    q, rest = divmod(x, 2 * k)
    return k * q + rest % k


KAYLES = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7]  # Guy and Smith (1956), n = 0..23


@pytest.mark.parametrize(
    ("name", "choice", "size", "value"),
    [
        ("nim", (), 40, lambda x: x),
        *(("kl-nim", (k, k), 40, lambda x, k=k: theorem_6(k, x)) for k in range(1, 9)),
        ("kayles", (), 23, KAYLES.__getitem__),
        *(("bash-nim", (k,), 40, lambda x, k=k: x % (k + 1)) for k in range(1, 9)),
    ],
)
def test_grundy_values_of_single_heaps(name: str, choice: tuple, size: int, value: Callable[[int], int]) -> None:
    ruleset = shipped_ruleset(name)
    table = Engine(ruleset, (choice,), 1, size).table("grundy", None)[0]
    assert table == [value(x) for x in range(size + 1)]
    games: dict = {}
    assert table == [by_referee(ruleset, choice, "grundy", s, None, games) for s in positions(1, size)]


def test_kayles_positions_are_sums_of_their_heaps() -> None:
    """The engine plays sums and does not use the sum theorem, so this test can confirm the theorem."""
    engine = Engine(shipped_ruleset("kayles"), ((),), 3, 6)
    for s, found in zip(positions(3, 6), engine.table("grundy", None)[0], strict=True):
        assert found == reduce(xor, (KAYLES[h] for h in s), 0), s


def test_kl_nim_with_k_unequal_to_l() -> None:
    """k = 1, l = 2, at most two heaps of at most 3, by hand: P1 may not take one object, P2 may not take two.

    P1 wins only by taking a single heap above 1 completely: after any other move P2 has a move to a loss for P1.
    """
    ruleset = shipped_ruleset("kl-nim")
    engine = Engine(ruleset, ((1, 2),), 2, 3)
    games: dict = {}
    for mover, won in ((0, lambda s: s in ((2,), (3,))), (1, lambda s: s != ())):
        for s, found in zip(positions(2, 3), engine.table("wins", mover)[0], strict=True):
            assert found is won(s), s
            assert by_referee(ruleset, (1, 2), "wins", s, mover, games) is won(s), s


def test_large_nim_with_three_players() -> None:
    """Three players, by hand.

    The value v means that the v-th player from the mover on wins; the mover prefers 0, then 1.

    (): a player who cannot move wins, so 0. (1): only to (), so 0 + 1. (2): to (1) 2 or to () 1, so 1. (1, 1): to (1),
    so 2. (1, 2): from the 2, to (1, 1) 2 + 1 = 0. (2, 2): to (1, 2) or (2), so 1. (1, 1, 1): to (1, 1), so 0.
    """
    ruleset = shipped_ruleset("large-nim")
    known = {(): 0, (1,): 1, (2,): 1, (1, 1): 2, (1, 2): 0, (2, 2): 1, (1, 1, 1): 0}
    games: dict = {}
    table = Engine(ruleset, ((3,),), 3, 2).table("value", 0)[0]
    found = dict(zip(positions(3, 2), table, strict=True))
    for s, value in known.items():
        assert found[s] == value, s
        assert by_referee(ruleset, (3,), "value", s, 0, games) == value, s
