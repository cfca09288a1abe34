"""Verification of tables that contain the Grundy value of each single heap, or the winner from each single heap.

An engine computes a table; the referee uses it only after this check. Therefore this module belongs to the trusted
core. The module `breaking` determines the moves on one heap of any size. With these moves, `verify` and
`verify_winners` check every entry of a table. The module `given` calls them when a table is first used. These modules
need only `claims`, the referee and the standard library.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import eq, xor

from checks.referee.breaking import TakeSets, Unknown, read_breaking, read_takes
from checks.referee.intervals import find_wrong_value, find_wrong_winner, read_intervals
from checks.referee.meaning import RefereeSteps
from checks.referee.play import RefereeGame, can_play_apart
from claims.language.errors import NimChecksError

# == verification =====================================================================================================
# Tables of Grundy values of single heaps.


_DIGITS = 10  # a mask may use this many of the lowest binary digits of the values


_DENSE = 64  # estimate: checking the splits of one heap takes as long as this many binary digits of all heaps


_AT_ONCE = 2048  # the sets of heaps with a value are cached for this many values


_FEW = 32  # a set of at most this many heaps is built by addition, not digit by digit


class WrongTable(NimChecksError):
    """An error: some entry of a table, or some position of a list, is wrong.

    The message names the heap or the position.
    """


@dataclass(frozen=True)
class Rare:
    """A set R of Grundy values: v is in R if v & mask has an even number of binary digits 1. See `_choose_rare`.

    `heaps`: the heaps h >= 1 with values in R, in ascending order.
    """

    heaps: list[int]
    mask: int

    def inside(self, v: int) -> bool:
        """Return whether the Grundy value v is in this set."""
        return _is_even(v & self.mask)


def verify(game: RefereeGame, values: Sequence[int], steps: int) -> None:
    """Check that `values` are the Grundy values of the single heaps 0, 1, ... of a game.

    `steps`: the limit on the steps of the check.
    Raises WrongTable if a value is wrong. Raises Unknown, IllDefined or LimitReached if this cannot be decided.
    """
    own = RefereeGame(game.ruleset, game.parameters, RefereeSteps(steps))
    if own.ruleset.stuck_wins or not can_play_apart(own.ruleset):
        raise Unknown
    try:
        moves = read_moves(own, 0, len(values) - 1)
    except Unknown:
        check_intervals(own, values)
        return
    if (moves.two or moves.equal) and not game.sums:
        raise Unknown  # without trust in the theorem, the value of two heaps is not known to be the nim-sum
    check_values(moves, values, own.steps)


def read_moves(game: RefereeGame, mover: int, size: int) -> TakeSets:
    """Return the numbers of objects that the mover may take from heaps up to `size`.

    Raises Unknown, IllDefined or LimitReached if they cannot be determined, or if it cannot be shown that every move
    decreases the ruleset's measure.
    """
    try:
        moves = read_breaking(game, mover)
    except Unknown:
        moves = read_takes(game, mover, size)
    if game.ruleset.measure is not None:
        weights = [game.weigh((h,) if h else ()) for h in range(size + 1)]
        if not is_less(moves, weights):
            raise Unknown
    return moves


def check_intervals(game: RefereeGame, values: Sequence[int]) -> None:
    """Check `values` as `verify` does, for a game in which each move leaves one heap of any size in an interval."""
    kinds = read_intervals(game, 0, len(values) - 1)
    if not values or values[0] != 0:
        raise WrongTable("in the table, the value of the empty position is not 0")
    if wrong := find_wrong_value(kinds, values, game):
        h, found = wrong
        reason = f"no option has the value {found}" if found < values[h] else f"the right value is {found}"
        raise _refuse(h, values, reason)


def is_less(moves: TakeSets, weights: list[int]) -> bool:
    """Return whether every move decreases the weight of a position. Return False also if this cannot be shown.

    `weights`: the weights of the heaps 0, 1, ...; weights[0] is the weight of the empty position. The weight of two
    heaps is the sum of both weights.
    The weights must be increasing and convex. Then two heaps with m objects together weigh most if one of them has a
    single object, so only such pairs are compared.
    """
    growth = [after - before for before, after in zip(weights[1:], weights[2:], strict=False)]
    if weights[0] or min(weights) < 0 or any(step < 1 for step in growth) or sorted(growth) != growth:
        return False
    if 1 in moves.end and weights[1:2] == [0]:
        return False
    return all(
        weights[1] + weights[h - taken - 1] < weights[h]
        for taken in moves.two | moves.equal
        for h in range(taken + 2, len(weights))
    )


def check_values(moves: TakeSets, values: Sequence[int], steps: RefereeSteps) -> None:
    """Check `values` as `verify` does, for a game with the given moves. Raises WrongTable and LimitReached."""
    if not values or values[0] != 0 or min(values) < 0:
        raise WrongTable("in the table, the value of the empty position is not 0, or a heap has a negative value")
    rare = _choose_rare(values)
    steps.take(len(values) // 4)
    _exclude_takes(moves, values, steps)
    _exclude_splits(moves, values, rare, steps)
    _attain(moves, values, rare, steps)


def _refuse(h: int, values: Sequence[int], reason: str) -> WrongTable:
    return WrongTable(f"the table gives a heap of {h} the Grundy value {values[h]}, but {reason}")


def _exclude_takes(moves: TakeSets, values: Sequence[int], steps: RefereeSteps) -> None:
    """Check that no heap has the same value as one of its options that is empty or a single heap.

    Raises WrongTable and LimitReached.
    """
    size = len(values) - 1
    for taken in sorted(moves.end):
        if taken <= size and not values[taken]:
            raise _refuse(taken, values, "the empty position is an option of this heap and has the same value")
    for taken in sorted(moves.one):
        steps.take(1 + size // 16)
        if any(map(eq, values[taken + 1 :], values[1 : max(size + 1 - taken, 1)])):
            h = next(h for h in range(taken + 1, size + 1) if values[h] == values[h - taken])
            raise _refuse(h, values, f"the option ({h - taken}) of this heap has the same value")
    first: dict[int, int] = {}
    steps.take(1 + size // 4)
    for h in range(1, size + 1):
        if moves.all_end and h >= moves.bound and not values[h]:
            raise _refuse(h, values, "the empty position is an option of this heap and has the same value")
        earlier = first.setdefault(values[h], h)
        if moves.all_one and h - earlier >= moves.bound:
            raise _refuse(h, values, f"the option ({earlier}) of this heap has the same value")


def _choose_rare(values: Sequence[int]) -> Rare:
    """Choose a set R of Grundy values that few heaps have. It makes the check of moves that leave two heaps faster.

    R is given by a number m, the mask: v is in R if v & m has an even number of binary digits 1. R is closed under
    nim-addition, and the nim-sum of two numbers outside R is in R. Therefore, if the nim-sum of the values of two heaps
    is outside R, exactly one of the heaps has a value in R. This holds for every mask. The fewer heaps have values in
    R, the faster is the check.
    """
    counts = [0] * (1 << min(max(values).bit_length(), _DIGITS))
    for v in values:
        counts[v % len(counts)] += 1
    surplus = _find_surplus(counts)
    mask = min(range(1, len(counts)), key=surplus.__getitem__, default=0)
    return Rare([h for h in range(1, len(values)) if _is_even(values[h] & mask)], mask)


def _is_even(digits: int) -> bool:
    """Return whether a number has an even number of binary digits 1."""
    return digits.bit_count() % 2 == 0


def _find_surplus(counts: list[int]) -> list[int]:
    """Return for each mask m the number of heaps with values in the set R of `_choose_rare`, minus all other heaps.

    `counts`: counts[v] is the number of heaps with the value v.
    In the example, m = 1 puts the 5 heaps with the value 0 into R, and the heap with the value 1 outside: 5 - 1 = 4.
    >>> _find_surplus([5, 1, 0, 0])
    [6, 4, 6, 4]
    """
    if len(counts) == 1:
        return counts
    half = len(counts) // 2
    low, high = _find_surplus(counts[:half]), _find_surplus(counts[half:])
    return [x + y for x, y in zip(low, high, strict=True)] + [x - y for x, y in zip(low, high, strict=True)]


def _exclude_splits(moves: TakeSets, values: Sequence[int], rare: Rare, steps: RefereeSteps) -> None:
    """Check that no heap has the same value as one of its options that consists of two heaps.

    All options of all heaps that contain a fixed heap x are checked at once: in a large integer, bit h stands for the
    heap h that is split. If the value of h is outside the set R of `_choose_rare`, only options with a heap x whose
    value is in R can have the same value, so few x are needed. Heaps with values in R are checked one by one. If many
    heaps have values in R, all x are used for all heaps instead.
    Raises WrongTable and LimitReached.
    """
    size = len(values) - 1
    width = max(values).bit_length()
    planes = [_spell(v >> i & 1 for v in values) for i in range(width)]  # the digits of the values
    dense = len(rare.heaps) * _DENSE > size * width
    asked = (2 << size) - 1 if dense else _spell(not rare.inside(v) for v in values)
    for taken in sorted(moves.two):
        for x in range(1, size) if dense else rare.heaps:
            least = x + 1 if dense else 1  # y = least, least + 1, ...: bit k stands for y = least + k in one copy,
            shift = taken + x  # and in the other copy for the heap that splits
            if least + shift > size:
                break
            steps.take(1 + width * (size - shift) // 4096)
            unlike = 0
            for i, plane in enumerate(planes):
                digits = (plane >> least) ^ (plane >> least + shift)
                unlike |= ~digits if values[x] >> i & 1 else digits
            alike = ~unlike & (asked >> least + shift)
            if alike:
                h = (alike & -alike).bit_length() - 1 + least + shift
                raise _refuse(h, values, f"the option ({x}, {h - shift}) of this heap has the same value")
    for h in rare.heaps:
        for taken in sorted(moves.equal):
            if h - taken >= 2 and (h - taken) % 2 == 0 and not values[h]:
                half = (h - taken) // 2
                raise _refuse(h, values, f"the option ({half}, {half}) of this heap has the same value")
        for taken in sorted(moves.two) if not dense else ():
            rest = h - taken
            steps.take(1 + max(rest, 0) // 16)
            if rest >= 3 and values[h] in map(xor, values[1 : (rest + 1) // 2], values[rest - 1 : rest // 2 : -1]):
                x = next(x for x in range(1, rest) if values[x] ^ values[rest - x] == values[h])
                raise _refuse(h, values, f"the option ({x}, {rest - x}) of this heap has the same value")


def _spell(digits: Iterable[int]) -> int:
    """Return the integer with these binary digits, of which the first is the lowest: [1, 1, 0] gives 3."""
    return int("".join("1" if digit else "0" for digit in digits)[::-1], 2)


def _attain(moves: TakeSets, values: Sequence[int], rare: Rare, steps: RefereeSteps) -> None:
    """Check, for each heap, that every number smaller than its value is the value of one of its options.

    Each number v is checked for all heaps at once: in a large integer, bit h stands for the heap h. If v is outside the
    set R of `_choose_rare`, an option of two heaps has the value v only if one of them has a value in R, so only such
    options are examined.
    Raises WrongTable and LimitReached.
    """
    size = len(values) - 1
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for h in range(1, size + 1):
        holders[values[h]].append(h)

    @lru_cache(_AT_ONCE)
    def gather_holders(v: int) -> int:
        return gather(holders.get(v, ()), size)

    above = (2 << size) - 2  # the heaps with greater values
    for v in range(max(values)):
        steps.take(1 + size // 4096)
        above &= ~gather_holders(v)
        lacking = above & ~_reach(moves, v, gather_holders(v), size)
        steps.take(len(moves.one) * (size + 2048) // 65_536)
        for x in range(1, size) if rare.inside(v) else rare.heaps:
            if x >= lacking.bit_length():
                break
            other = gather_holders(v ^ values[x])
            for taken in moves.two:
                steps.take(1 + size // 16_384)
                lacking &= ~((other if v else other & ~(1 << x)) << taken + x)  # equal parts are allowed by `equal`
        if lacking:
            raise _refuse((lacking & -lacking).bit_length() - 1, values, f"no option has the value {v}")


def _reach(moves: TakeSets, v: int, holders: int, size: int) -> int:
    """Return the heaps with an option of value v that is empty, a single heap, or two equal heaps.

    Sets of heaps are integers in which bit h stands for the heap h. The result may contain additional bits above
    `size`, without a meaning. `holders`: the set of the heaps with the value v.
    """
    found = reach_by_takes(moves, holders, v == 0, size)
    for taken in moves.equal if v == 0 else ():
        found |= gather(range(taken + 2, size + 1, 2), size)
    return found


def reach_by_takes(moves: TakeSets, holders: int, nothing: bool, size: int) -> int:
    """Return the heaps from which a move can leave a single heap in the set `holders`, or, if `nothing`, no heap.

    Sets of heaps are integers in which bit h stands for the heap h. The result may contain additional bits above
    `size`, without a meaning. `holders`: a set of heaps, all of at least 1.
    """
    found = 0
    for taken in moves.one:
        found |= holders << taken
    if moves.all_one and holders:
        found |= _fill((holders & -holders).bit_length() - 1 + moves.bound, size)
    if nothing:
        found |= gather([taken for taken in moves.end if taken <= size], size)
        if moves.all_end:
            found |= _fill(moves.bound, size)
    return found


def _fill(first: int, size: int) -> int:
    """Return the set of the heaps from `first` to `size`, as an integer with the bits `first` to `size` set."""
    return (2 << size) - 1 >> first << first


def gather(heaps: Sequence[int], size: int) -> int:
    """Return a set of heaps as an integer in which bit h is set for each heap h.

    The heaps must be different, and each at most `size`.
    """
    if len(heaps) <= _FEW:
        return sum(1 << h for h in heaps)
    digits = bytearray(b"0") * (size + 1)
    for h in heaps:
        digits[size - h] = ord("1")
    return int(digits, 2)


# -- winners -----------------------------------------------------------------------------------------------------------
# Tables of winners from single heaps.
#
# The table has a row for each mover, and a single row for an impartial ruleset. Entry h of a row is the offset of the
# winner from a heap of h: how many turns after the mover the winner moves. With n players, an entry is right if it is
# the least (v + 1) mod n, where v runs over the entries of the options for the next player. Without an option, the
# entry must be the offset for a player who is stuck. By induction on the heap, only one table satisfies this. So every
# entry is computed from the entries of the options and compared. This is done for all heaps at once: bit h of an
# integer stands for heap h.


Rows = Sequence[Sequence[int]]


def verify_winners(game: RefereeGame, rows: Rows, steps: int) -> None:
    """Check that `rows` are the winners from the single heaps 0, 1, ... of a game.

    Entry [i][h] must be the winner from a heap of h if player i moves first, counted in turns from this mover. An
    impartial game has a single row. `steps`: the limit on the steps of the check.
    Raises WrongTable if an entry is wrong. Raises Unknown, IllDefined or LimitReached if this cannot be decided.
    """
    own = RefereeGame(game.ruleset, game.parameters, RefereeSteps(steps))
    try:
        moves = [read_moves(own, mover, len(rows[0]) - 1) for mover in range(count_rows(own))]
    except Unknown:
        _check_winners_of_intervals(own, rows)
        return
    if any(x.two or x.equal for x in moves):
        raise Unknown  # two heaps are not a single heap
    check_winners(moves, rows, own.players, own.stuck, own.steps)


def count_rows(game: RefereeGame) -> int:
    """Return the number of rows of a table of winners: 1 for an impartial game, else the number of players."""
    return 1 if game.ruleset.impartial else game.players


def check_winners(moves: list[TakeSets], rows: Rows, players: int, stuck: int, steps: RefereeSteps) -> None:
    """Check `rows` as `verify_winners` does, for a game with the given moves of each mover.

    `stuck`: the right entry for a mover who has no move. Raises WrongTable and LimitReached.
    """
    _require_offsets(rows, len(moves), players)
    size = len(rows[0]) - 1
    steps.take(len(rows) * len(rows[0]) // 4)
    holders = []  # by mover and offset
    for row in rows:
        heaps: list[list[int]] = [[] for _ in range(players)]
        for h, offset in enumerate(row):
            heaps[offset].append(h)
        holders.append([gather(x, size) for x in heaps])
    for mover, own in enumerate(moves):
        following = (mover + 1) % len(rows)
        left, right = (2 << size) - 1, []  # the heaps without a better offset so far; offset -> the heaps that have it
        for offset in range(players):
            before = (offset - 1) % players
            steps.take(1 + (1 + len(own.one)) * (size + 2048) // 65_536)
            right.append(
                left & reach_by_takes(own, holders[following][before] & ~1, rows[following][0] == before, size)
            )
            left &= ~right[-1]
        right[stuck] |= left
        wrong = 0
        for said, found in zip(holders[mover], right, strict=True):
            wrong |= said ^ found
        if wrong:
            h = (wrong & -wrong).bit_length() - 1
            raise _refuse_winner(rows, mover, h, next(v for v in range(players) if right[v] >> h & 1))


def _require_offsets(rows: Rows, movers: int, players: int) -> None:
    """Raise WrongTable unless a table of winners has a row for each mover, all of the same length, with valid entries.

    An entry is valid if it is at least 0 and less than the number of players.
    """
    if len(rows) != movers or len({len(row) for row in rows}) != 1 or not rows[0]:
        raise WrongTable("the table of winners must have one row for each mover, all of the same length")
    for row in rows:
        for h, offset in enumerate(row):
            if not 0 <= offset < players:
                raise WrongTable(
                    f"the table gives a heap of {h} the value {offset}, but the largest value for {players} players "
                    f"is {players - 1}"
                )


def _refuse_winner(rows: Rows, mover: int, h: int, found: int) -> WrongTable:
    whose = f"with player {mover + 1} to move " if len(rows) > 1 else ""
    return WrongTable(
        f"{whose}the table gives a heap of {h} the value {rows[mover][h]}, but the right value is {found}"
    )


def _check_winners_of_intervals(game: RefereeGame, rows: Rows) -> None:
    """Check `rows` as `verify_winners` does, for moves that leave one heap of any size in an interval."""
    kinds = [read_intervals(game, mover, len(rows[0]) - 1) for mover in range(count_rows(game))]
    _require_offsets(rows, len(kinds), game.players)
    if wrong := find_wrong_winner(kinds, rows, game.players, game.stuck, game):
        raise _refuse_winner(rows, *wrong)
