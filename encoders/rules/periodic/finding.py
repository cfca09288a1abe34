"""The table of a claim's game: what may be taken is read off the rules, how values repeat is guessed from the first.

Whether the guess is right is an obligation of its own; nothing rests on it, nor on the engine that has the values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from claims.language.builtins.meanings import Setting
from claims.language.expressions.walk import walk
from claims.language.statement.claim import Claim, Proof
from claims.language.terms import terms as t
from encoders.ground.refusals import Unsupported
from encoders.periods.table import GRUNDY, VALUE, PeriodicTable, Takes
from encoders.periods.verify import TooLarge, WrongTable, find_bound
from encoders.rules.kit.common import only_game

if TYPE_CHECKING:
    from encoders.exhaustive.single import HeapsAlone, ReadMoves

MOST_HEAPS = 20_000  # among which a period is looked for
Values = Sequence[Sequence[int]]  # by mover and heap


@dataclass(frozen=True, eq=False)
class PeriodicProof(Proof):
    """How the values repeat, as far as the file says it."""

    rule: ClassVar[str] = "periodic"
    preperiod: int | None
    period: int | None
    saltus: int | None


def said_of(claim: Claim) -> PeriodicProof:
    """What the claim's [proof] says."""
    assert isinstance(claim.proof, PeriodicProof)
    return claim.proof


@lru_cache(maxsize=8)
def find_table(claim: Claim) -> tuple[PeriodicTable, Setting]:
    """The table for a claim with its definitions written out, and the game that it is about. Raises Unsupported."""
    from encoders.exhaustive.single import HeapsAlone, NoSingleHeaps

    try:
        game = only_game(claim)
        heaps = HeapsAlone(game)
        names = (p.name for p in game.ruleset.parameters)
        table = _find(_start(claim, heaps, heaps.read_moves()), said_of(claim), heaps)
        return table, (game.name, tuple(zip(names, heaps.parameters, strict=True)))
    except NoSingleHeaps as error:
        raise Unsupported(str(error)) from None


def list_positions(claim: Claim) -> Iterator[tuple[t.Term, ...]]:
    """The heaps of each position that a claim writes down."""
    for term in walk((claim.conclusion, *(() if claim.hypothesis is None else (claim.hypothesis,)))):
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                yield items


def has_sums(claim: Claim) -> bool:
    """Whether some position has several heaps."""
    return any(len(items) > 1 for items in list_positions(claim))


# -- the moves --------------------------------------------------------------------------------------------------------
def _start(claim: Claim, heaps: HeapsAlone, read: list[ReadMoves]) -> PeriodicTable:
    """The table but for how its values repeat. Raises Unsupported where no theorem is about such moves."""
    asked = {x.function for x in walk((claim.conclusion, claim.hypothesis)) if isinstance(x, t.GameCall)}
    splits = any(x.two or x.equal for x in read)
    question = GRUNDY if GRUNDY in asked or splits or has_sums(claim) else VALUE
    misere = heaps.ruleset.stuck_wins
    if question == GRUNDY and misere:
        raise Unsupported(
            "under misère play who wins from several heaps is not told by their values: heaps that may be split, and "
            "sums of heaps, need a misère quotient"
        )
    if question == GRUNDY and (heaps.players != 2 or len(read) > 1):
        raise Unsupported("values of several heaps are those of two players with the same moves")
    if has_sums(claim) and any(move.choose != "any" for move in heaps.ruleset.moves):
        raise Unsupported("a move may not be of any heap, so that values of several heaps do not add")
    tails = {x for moves in read for x in moves.tail}
    if len(tails) > 1:
        raise Unsupported(
            "any large number may be taken by one player and not by the other, or not so that nothing is left"
        )
    beyond = tails == {True}
    if beyond and splits:
        raise Unsupported("heaps may be split, and any large number be taken: no theorem is known for such games")
    takes = tuple(_takes(x) for x in read)
    last = max((n for x in takes for n in (*x.end, *x.one, *x.two, *x.equal)), default=0)
    if beyond:
        size = max(len(x.end) for x in read)
        takes = tuple(_padded(takes, read, size))
        last = max((n for n in range(1, size) if any(n not in x.end or n not in x.one for x in takes)), default=0)
        takes = tuple(_up_to(x, last) for x in takes)
    return PeriodicTable(question, heaps.players, misere, takes, last, beyond, 0, 1, 0, ())


def _takes(read: ReadMoves) -> Takes:
    end, one = (tuple(n for n, may in enumerate(row) if may) for row in (read.end, read.one))
    return Takes(end, one, tuple(read.two), tuple(read.equal))


def _padded(takes: tuple[Takes, ...], read: list[ReadMoves], size: int) -> Iterator[Takes]:
    """With all numbers below `size` that may be taken because all large ones may."""
    for own, x in zip(takes, read, strict=True):
        more = tuple(range(len(x.end), size))
        yield replace(own, end=own.end + more, one=own.one + more)


def _up_to(takes: Takes, last: int) -> Takes:
    return replace(takes, end=tuple(n for n in takes.end if n <= last), one=tuple(n for n in takes.one if n <= last))


# -- how values repeat ------------------------------------------------------------------------------------------------
def _find(start: PeriodicTable, said: PeriodicProof, heaps: HeapsAlone) -> PeriodicTable:
    """The least period, then the least preperiod, by which the first values repeat, or what is said of them."""
    size = 8 * start.last + 64
    while size <= MOST_HEAPS:
        values = heaps.solve(start.question, size)
        table = _guess(start, said, values)
        if table is None:
            size *= 2
            continue
        given = said.preperiod is not None and said.period is not None
        try:
            needed = find_bound(table)
        except (WrongTable, TooLarge):
            if given:
                return table
            size *= 2
            continue
        if needed > size and not given:
            size = needed + table.period
            continue
        if given or all(table.value(h, mover) == row[h] for mover, row in enumerate(values) for h in range(needed)):
            return table
        size *= 2
    raise Unsupported(f"no period is seen among the values of the heaps up to {MOST_HEAPS}")


def _guess(start: PeriodicTable, said: PeriodicProof, values: Values) -> PeriodicTable | None:
    """How these values repeat; None where that is not seen, or more of them are needed."""
    size = len(values[0])
    least = 0 if all(x.end == x.one for x in start.moves) and not any(x.splits for x in start.moves) else 1
    for period in range(1, size // 3) if said.period is None else (said.period,):
        if period >= size:
            return None
        saltus = max(values[0][-1] - values[0][-1 - period], 0) if start.beyond and start.question == GRUNDY else 0
        before = size - period - 1
        while before >= 0 and all(row[before + period] == row[before] + saltus for row in values):
            before -= 1
        seen = size - period - 1 - before >= max(2 * period, size // 3)
        if seen or (said.period is not None and said.preperiod is not None):
            preperiod = max(before + 1, least) if said.preperiod is None else said.preperiod
            if preperiod + period > size:
                return None
            rows = tuple(tuple(row[: preperiod + period]) for row in values)
            saltus = saltus if said.saltus is None else said.saltus
            return replace(start, preperiod=preperiod, period=period, saltus=saltus, rows=rows)
    return None
