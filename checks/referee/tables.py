"""Tables of single heaps from engines, verified before use.

Tables that come with an answer, verified before the referee looks anything up in them.

Beside the trusted core and trusted with it: `breaking` reads from the rules how they act on one heap of any size,
`verification` compares every entry with them, `given` does so when a table is first asked for.  They need `claims`,
the referee and the standard library alone.
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
# Tables of single heaps that others have made, of values or of who wins, verified before one of them is used.
# -- Grundy values ----------------------------------------------------------------------------------------------------
# Tables of Grundy values of single heaps that others have made, verified before one of them is used.
#
# A table is right exactly if, for each heap h, no option of h has the value of h, and every smaller value is that of
# some option: by induction on h there is only one such table.  The options are those of `breaking`, two heaps have the
# value that the Sprague-Grundy theorem says.  No value is computed here from anything but the table.


_DIGITS = 10  # of the values, the lowest ones, among which masks are chosen


_DENSE = 64  # digits of values, over all heaps, that are looked at in the time of the splits of one heap


_AT_ONCE = 2048  # values of which the heaps are kept as an integer each


_FEW = 32  # heaps up to which their set is added up, and not spelt out digit by digit


class WrongTable(NimChecksError):
    """A table that says what is not so; the message says of which heap."""


@dataclass(frozen=True)
class Rare:
    """R, as the mask of `_choose_rare`, and the heaps of at least 1, ascending, whose values are in it."""

    heaps: list[int]
    mask: int

    def inside(self, v: int) -> bool:
        """Whether a value is in R."""
        return _is_even(v & self.mask)


def verify(game: RefereeGame, values: Sequence[int], steps: int) -> None:
    """Check that `values` are the Grundy values of the heaps 0, 1, ... of a game.

    Raises WrongTable if they are not; Unknown, IllDefined or LimitReached if that cannot be told.
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
        raise Unknown  # a value of two heaps is their nim-sum by a theorem that is not to be used
    check_values(moves, values, own.steps)


def read_moves(game: RefereeGame, mover: int, size: int) -> TakeSets:
    """What the mover may take of heaps up to `size`, each move seen to make the measure less.

    Raises Unknown, IllDefined or LimitReached where that cannot be told.
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
    """As `verify`, where a move leaves any heap of an interval."""
    kinds = read_intervals(game, 0, len(values) - 1)
    if not values or values[0] != 0:
        raise WrongTable("the table gives no heap a value other than 0")
    if wrong := find_wrong_value(kinds, values, game):
        h, found = wrong
        reason = (
            f"no option has the value {found}" if found < values[h] else f"an option has it too, and {found} is right"
        )
        raise _refuse(h, values, reason)


def is_less(moves: TakeSets, weights: list[int]) -> bool:
    """Whether it is seen that every move on one of these heaps makes its weight less; weights[0] is that of no heap.

    It is where weights grow, and by more and more: then two heaps of m objects together weigh most if one has a single
    object.
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
    """As `verify`, of heaps with these moves."""
    if not values or values[0] != 0 or min(values) < 0:
        raise WrongTable("the table gives no heap a value other than 0, or some heap a negative one")
    rare = _choose_rare(values)
    steps.take(len(values) // 4)
    _exclude_takes(moves, values, steps)
    _exclude_splits(moves, values, rare, steps)
    _attain(moves, values, rare, steps)


def _refuse(h: int, values: Sequence[int], reason: str) -> WrongTable:
    return WrongTable(f"the table gives a heap of {h} the Grundy value {values[h]}, but {reason}")


def _exclude_takes(moves: TakeSets, values: Sequence[int], steps: RefereeSteps) -> None:
    """No option of at most one heap has the value of the heap itself."""
    size = len(values) - 1
    for taken in sorted(moves.end):
        if taken <= size and not values[taken]:
            raise _refuse(taken, values, "that of nothing is 0 too")
    for taken in sorted(moves.one):
        steps.take(1 + size // 16)
        if any(map(eq, values[taken + 1 :], values[1 : max(size + 1 - taken, 1)])):
            h = next(h for h in range(taken + 1, size + 1) if values[h] == values[h - taken])
            raise _refuse(h, values, f"a heap of {h - taken} has it too")
    first: dict[int, int] = {}
    steps.take(1 + size // 4)
    for h in range(1, size + 1):
        if moves.all_end and h >= moves.bound and not values[h]:
            raise _refuse(h, values, "that of nothing is 0 too")
        earlier = first.setdefault(values[h], h)
        if moves.all_one and h - earlier >= moves.bound:
            raise _refuse(h, values, f"a heap of {earlier} has it too")


def _choose_rare(values: Sequence[int]) -> Rare:
    """R for a table.

    R, the numbers of which a mask has an even number of digits, is closed under nim-addition, and the nim-sum of two
    numbers outside is in it.  So a value outside R is that of two heaps only if just one of these has a value in R.
    That is true for every mask; one for which few heaps have values in R makes the work short.
    """
    counts = [0] * (1 << min(max(values).bit_length(), _DIGITS))
    for v in values:
        counts[v % len(counts)] += 1
    surplus = _find_surplus(counts)
    mask = min(range(1, len(counts)), key=surplus.__getitem__, default=0)
    return Rare([h for h in range(1, len(values)) if _is_even(values[h] & mask)], mask)


def _is_even(digits: int) -> bool:
    """Whether an even number of binary digits is 1."""
    return digits.bit_count() % 2 == 0


def _find_surplus(counts: list[int]) -> list[int]:
    """For each mask, how many more numbers v have an even number of its digits than an odd one; counts[v] are v.

    >>> _find_surplus([5, 1, 0, 0])
    [6, 4, 6, 4]
    """
    if len(counts) == 1:
        return counts
    half = len(counts) // 2
    low, high = _find_surplus(counts[:half]), _find_surplus(counts[half:])
    return [x + y for x, y in zip(low, high, strict=True)] + [x - y for x, y in zip(low, high, strict=True)]


def _exclude_splits(moves: TakeSets, values: Sequence[int], rare: Rare, steps: RefereeSteps) -> None:
    """No option of two heaps does. Bit h of an integer stands for heap h: the splits with one part x, all at once.

    Outside R one part has a value in R, so that few x are enough; in R the splits are looked at heap by heap, unless
    most heaps are such: then every x is taken, and splits are looked at for the heaps of all values.
    """
    size = len(values) - 1
    width = max(values).bit_length()
    planes = [_spell(v >> i & 1 for v in values) for i in range(width)]  # the digits of the values
    dense = len(rare.heaps) * _DENSE > size * width
    asked = (2 << size) - 1 if dense else _spell(not rare.inside(v) for v in values)
    for taken in sorted(moves.two):
        for x in range(1, size) if dense else rare.heaps:
            least = x + 1 if dense else 1  # y = least, least + 1, ...: bit k is of y = least + k in one copy,
            shift = taken + x  # and in the other of the heap that splits
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
                raise _refuse(h, values, f"heaps of {x} and {h - shift} have it too")
    for h in rare.heaps:
        for taken in sorted(moves.equal):
            if h - taken >= 2 and (h - taken) % 2 == 0 and not values[h]:
                raise _refuse(h, values, f"two heaps of {(h - taken) // 2} have it too")
        for taken in sorted(moves.two) if not dense else ():
            rest = h - taken
            steps.take(1 + max(rest, 0) // 16)
            if rest >= 3 and values[h] in map(xor, values[1 : (rest + 1) // 2], values[rest - 1 : rest // 2 : -1]):
                x = next(x for x in range(1, rest) if values[x] ^ values[rest - x] == values[h])
                raise _refuse(h, values, f"heaps of {x} and {rest - x} have it too")


def _spell(digits: Iterable[int]) -> int:
    """The integer with these binary digits, the lowest first."""
    return int("".join("1" if digit else "0" for digit in digits)[::-1], 2)


def _attain(moves: TakeSets, values: Sequence[int], rare: Rare, steps: RefereeSteps) -> None:
    """Every smaller value is that of an option: outside R, of two heaps of which one has a value in R.

    Value by value, for all heaps at once: bit h of an integer stands for heap h.
    """
    size = len(values) - 1
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for h in range(1, size + 1):
        holders[values[h]].append(h)

    @lru_cache(_AT_ONCE)
    def gather_holders(v: int) -> int:
        return gather(holders.get(v, ()), size)

    above = (2 << size) - 2  # the heaps of greater values
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
                lacking &= ~((other if v else other & ~(1 << x)) << taken + x)  # equal parts have their own rule
        if lacking:
            raise _refuse((lacking & -lacking).bit_length() - 1, values, f"no option has the value {v}")


def _reach(moves: TakeSets, v: int, holders: int, size: int) -> int:
    """The heaps with an option of the value v that is no heap, one heap, or two equal ones; perhaps larger ones too.

    `holders`: the heaps that have it themselves.
    """
    found = reach_by_takes(moves, holders, v == 0, size)
    for taken in moves.equal if v == 0 else ():
        found |= gather(range(taken + 2, size + 1, 2), size)
    return found


def reach_by_takes(moves: TakeSets, holders: int, nothing: bool, size: int) -> int:
    """The heaps from which one of `holders`, heaps of at least 1, can be left, or nothing at all; perhaps larger ones.

    `nothing`: whether it counts to leave nothing.
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
    """The heaps from `first` to `size`."""
    return (2 << size) - 1 >> first << first


def gather(heaps: Sequence[int], size: int) -> int:
    """The set of these heaps, each once, all of at most `size`."""
    if len(heaps) <= _FEW:
        return sum(1 << h for h in heaps)
    digits = bytearray(b"0") * (size + 1)
    for h in heaps:
        digits[size - h] = ord("1")
    return int(digits, 2)


# -- who wins ---------------------------------------------------------------------------------------------------------
# Tables of who wins from single heaps that others have made, verified before one of them is used.
#
# A row for each mover, one in all for an impartial ruleset, says of the heaps 0, 1, ... the offset, from the mover, of
# the player who wins.  It is right exactly if each is the least of (v + 1) mod n over the offsets v that the options
# have for the next of n players, or that of a player who is stuck: by induction on the heap there is only one such
# table.  So a table is verified by making it once more from itself, for all heaps at once: bit h of an integer stands
# for heap h.


Rows = Sequence[Sequence[int]]


def verify_winners(game: RefereeGame, rows: Rows, steps: int) -> None:
    """Check that `rows`, by mover, say who wins from the heaps 0, 1, ... of a game, each standing alone.

    Raises WrongTable if they do not; Unknown, IllDefined or LimitReached if that cannot be told.
    """
    own = RefereeGame(game.ruleset, game.parameters, RefereeSteps(steps))
    try:
        moves = [read_moves(own, mover, len(rows[0]) - 1) for mover in range(count_rows(own))]
    except Unknown:
        _check_winners_of_intervals(own, rows)
        return
    if any(x.two or x.equal for x in moves):
        raise Unknown  # a heap of several is no heap that stands alone
    check_winners(moves, rows, own.players, own.stuck, own.steps)


def count_rows(game: RefereeGame) -> int:
    """How many movers a table tells apart."""
    return 1 if game.ruleset.impartial else game.players


def check_winners(moves: list[TakeSets], rows: Rows, players: int, stuck: int, steps: RefereeSteps) -> None:
    """As `verify_winners`, of heaps with these moves of each mover; `stuck`: the offset for who cannot move."""
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
        left, right = (2 << size) - 1, []  # the heaps from which nothing better was found; by offset those that have it
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
    """Raises WrongTable unless there is a row for each mover, all of one length, of offsets of players."""
    if len(rows) != movers or len({len(row) for row in rows}) != 1 or not rows[0]:
        raise WrongTable("the table of who wins has not one row for each mover, all of one length")
    for row in rows:
        for h, offset in enumerate(row):
            if not 0 <= offset < players:
                raise WrongTable(
                    f"the table names as winner from a heap of {h} one of {players} players who is not there"
                )


def _refuse_winner(rows: Rows, mover: int, h: int, found: int) -> WrongTable:
    whose = f"with player {mover + 1} to move " if len(rows) > 1 else ""
    return WrongTable(f"{whose}the table gives a heap of {h} the value {rows[mover][h]}, but it has {found}")


def _check_winners_of_intervals(game: RefereeGame, rows: Rows) -> None:
    """As `verify_winners`, where a move leaves any heap of an interval."""
    kinds = [read_intervals(game, mover, len(rows[0]) - 1) for mover in range(count_rows(game))]
    _require_offsets(rows, len(kinds), game.players)
    if wrong := find_wrong_winner(kinds, rows, game.players, game.stuck, game):
        raise _refuse_winner(rows, *wrong)
