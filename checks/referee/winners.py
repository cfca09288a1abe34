"""Tables of who wins from single heaps that others have made, verified before one of them is used.

A row for each mover, one in all for an impartial ruleset, says of the heaps 0, 1, ... the offset, from the mover, of
the player who wins.  It is right exactly if each is the least of (v + 1) mod n over the offsets v that the options have
for the next of n players, or that of a player who is stuck: by induction on the heap there is only one such table.  So
a table is verified by making it once more from itself, for all heaps at once: bit h of an integer stands for heap h.
"""

from __future__ import annotations

from collections.abc import Sequence

from checks.referee.breaking import Breaking, Unknown
from checks.referee.meaning import Steps
from checks.referee.play import Game
from checks.referee.tables import WrongTable, gather, reach_by_takes, read_moves

Rows = Sequence[Sequence[int]]


def verify_winners(game: Game, rows: Rows, steps: int) -> None:
    """Check that `rows`, by mover, say who wins from the heaps 0, 1, ... of a game, each standing alone.

    Raises WrongTable if they do not; Unknown, IllDefined or LimitReached if that cannot be told.
    """
    own = Game(game.ruleset, game.parameters, Steps(steps))
    moves = [read_moves(own, mover, len(rows[0]) - 1) for mover in range(count_rows(own))]
    if any(x.two or x.equal for x in moves):
        raise Unknown  # a heap of several is no heap that stands alone
    check_winners(moves, rows, own.players, own.stuck, own.steps)


def count_rows(game: Game) -> int:
    """How many movers a table tells apart."""
    return 1 if game.ruleset.impartial else game.players


def check_winners(moves: list[Breaking], rows: Rows, players: int, stuck: int, steps: Steps) -> None:
    """As `verify_winners`, of heaps with these moves of each mover; `stuck`: the offset for who cannot move."""
    if len(rows) != len(moves) or len({len(row) for row in rows}) != 1 or not rows[0]:
        raise WrongTable("the table of who wins has not one row for each mover, all of one length")
    size = len(rows[0]) - 1
    steps.take(len(rows) * len(rows[0]) // 4)
    holders = []  # by mover and offset
    for row in rows:
        heaps: list[list[int]] = [[] for _ in range(players)]
        for h, offset in enumerate(row):
            if not 0 <= offset < players:
                raise WrongTable(
                    f"the table names as winner from a heap of {h} one of {players} players who is not there"
                )
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
            found = next(offset for offset in range(players) if right[offset] >> h & 1)
            whose = f"with player {mover + 1} to move " if len(rows) > 1 else ""
            raise WrongTable(f"{whose}the table gives a heap of {h} the value {rows[mover][h]}, but it has {found}")
