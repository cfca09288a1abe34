"""counts.c finds the winners of positions with many equal heaps, and stops at each of its limits."""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

import pytest

from encoders.compute.arrays.limits import Deadline, OutOfTime
from encoders.kernel import counts, machine
from encoders.kernel.counts import CountedWinners, KindMove
from encoders.kernel.instances import open_machine
from encoders.kernel.machine import Machine
from encoders.refusals import TooLarge

CLOCK = Deadline(None)
Moves = Sequence[Sequence[KindMove]]


class Plain:
    """The winners by their definition. A position has a count for each kind below `most`."""

    def __init__(self, moves: Moves, players: int, stuck: int, most: int = 10) -> None:
        self.moves, self.players, self.stuck, self.most = moves, players, stuck, most
        self._find = cache(self._solve)

    def find(self, position: Mapping[int, int], mover: int) -> int:
        return self._find(tuple(position.get(kind, 0) for kind in range(self.most)), mover)

    def _solve(self, heaps: tuple[int, ...], mover: int) -> int:
        offers = []
        for move in self.moves[mover]:
            if heaps[move.kind]:
                after = [count + move.made.get(kind, 0) - (kind == move.kind) for kind, count in enumerate(heaps)]
                offers.append((self._find(tuple(after), (mover + 1) % len(self.moves)) + 1) % self.players)
        return min(offers, default=self.stuck)


def draw_moves(chance: random.Random, kinds: int, movers: int) -> list[list[KindMove]]:
    """Return moves that replace a heap by at most two heaps of smaller kinds."""
    moves: list[list[KindMove]] = []
    for _ in range(movers):
        row = []
        for kind in range(1, kinds + 1):
            for _ in range(chance.randint(0, 3)):
                made = [chance.randrange(1, kind) for _ in range(chance.randint(0, 2))] if kind > 1 else []
                row.append(KindMove(kind, {x: made.count(x) for x in made}))
        moves.append(row)
    return moves


@pytest.mark.parametrize(("movers", "players"), [(1, 2), (1, 3), (2, 2), (3, 3)])
@pytest.mark.parametrize("room", [4, 1 << 10])
def test_winners_are_those_of_a_plain_recursion(
    monkeypatch: pytest.MonkeyPatch, movers: int, players: int, room: int
) -> None:
    monkeypatch.setattr(counts, "ROOM", room)
    monkeypatch.setattr(counts, "DEPTH", 1 if room == 4 else room)
    chance, seen = random.Random(7 * movers + players), set[int]()
    for _ in range(12):
        kinds = chance.randint(1, 4)
        moves, stuck = draw_moves(chance, kinds, movers), chance.choice((0, players - 1))
        winners, plain = CountedWinners(movers, players, stuck, Machine()), Plain(moves, players, stuck)
        winners.set_moves(kinds, moves)
        for heaps in product(range(3), repeat=min(kinds, 3)):
            position = {kinds - i: count for i, count in enumerate(heaps) if count}
            for mover in range(movers):
                found = winners.find(position, mover, CLOCK)
                assert found == plain.find(position, mover), (moves, position, mover)
                seen.add(found)
    assert seen == set(range(players))


def test_new_kinds_keep_the_solved_positions() -> None:
    """Kinds 4 and later need another word of 64 bits for each position."""
    chance = random.Random(3)
    moves = draw_moves(chance, 9, 1)
    winners = CountedWinners(1, 2, 1, Machine())
    for kinds in (2, 3, 4, 9):
        known = [[move for move in moves[0] if move.kind <= kinds]]
        winners.set_moves(kinds, known)
        plain = Plain(known, 2, 1)
        for heaps in product(range(3), repeat=3):
            position = {kinds: heaps[0], 2: heaps[1], 1: heaps[2]}
            assert winners.find(position, 0, CLOCK) == plain.find(position, 0)


def test_many_equal_heaps_of_nim() -> None:
    """Under normal play, equal heaps are won if and only if their number is odd."""
    winners = CountedWinners(1, 2, 1, Machine())
    winners.set_moves(3, [[KindMove(k, {j: 1} if j else {}) for k in (1, 2, 3) for j in range(k)]])
    assert [winners.find({3: n}, 0, CLOCK) for n in (60, 61, 100)] == [1, 0, 1]


def test_limits_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [[KindMove(2, {1: 3}), KindMove(1, {})]]
    with pytest.raises(TooLarge, match="a position of 32 768 heaps would be needed, more than 32767"):
        CountedWinners(1, 2, 1, Machine()).find({1: 1 << 15}, 0, CLOCK)
    winners = CountedWinners(1, 2, 1, Machine())
    winners.set_moves(2, [[KindMove(2, {1: 3})]])
    with pytest.raises(TooLarge, match="a position of 32 768 heaps"):
        winners.find({1: 32_765, 2: 1}, 0, CLOCK)
    winners = CountedWinners(1, 2, 1, Machine())
    winners.set_moves(2, moves)
    with pytest.raises(OutOfTime):
        winners.find({2: 10_000}, 0, Deadline(-1.0, lambda: 1.0))
    assert winners.find({2: 8}, 0, CLOCK) == 1  # also after a search that was stopped
    monkeypatch.setattr(counts, "MOST_COUNTED", 1_000)
    with pytest.raises(TooLarge, match="more than 1 000 positions"):
        winners.find({2: 300}, 0, CLOCK)


def test_a_long_search_looks_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "ROOM", 1 << 20)
    monkeypatch.setattr(counts, "DEPTH", 1 << 20)
    monkeypatch.setattr(machine, "STEPS", 4_000)
    winners = CountedWinners(1, 2, 1, Machine())
    winners.set_moves(2, [[KindMove(2, {1: 3}), KindMove(1, {})]])
    with pytest.raises(OutOfTime):
        winners.find({2: 300}, 0, Deadline(-1.0, lambda: 1.0))


@pytest.mark.parametrize("error", [ImportError("no wasmtime"), OSError("no wheel"), RuntimeError("no memory")])
def test_without_a_kernel_positions_of_many_heaps_are_too_large(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(self: object) -> None:
        raise error

    monkeypatch.setattr("encoders.kernel.machine.Machine.__init__", refuse)
    with pytest.raises(TooLarge, match=f"^the WebAssembly kernel cannot run on this machine: {error}$"):
        open_machine()
