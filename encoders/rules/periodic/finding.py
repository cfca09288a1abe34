"""The table of a claim's game: what may be taken is read off the rules, how values repeat is looked for by `repeats`.

Whether the guess is right is an obligation of its own; nothing rests on it, nor on the engine that has the values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from claims.language.files.claim import Claim, Game, Proof
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Setting
from claims.language.syntax.printing import walk
from encoders.periods.tables import GRUNDY, VALUE, PeriodicTable, Takes
from encoders.refusals import Unsupported
from encoders.rules.base.shape import require_one_game

if TYPE_CHECKING:
    from encoders.compute.arrays.beyond_scope import HeapsAlone, ReadMoves

MOST_SEARCHED = 1_000_000  # heaps among which a period is looked for
MOST_HEAPS = 40_000_000  # what a file may say of a preperiod or a period
SECONDS_OF_KNOWN = 3_600  # for the values of so many heaps as a file says; it takes a minute for ten million


@dataclass(frozen=True, eq=False)
class PeriodicProof(Proof):
    """How the values repeat, as far as the file says it."""

    rule: ClassVar[str] = "periodic"
    preperiod: int | None
    period: int | None
    saltus: int | None


def get_periodic_proof(claim: Claim) -> PeriodicProof:
    """What the claim's [proof] says."""
    assert isinstance(claim.proof, PeriodicProof)
    return claim.proof


@lru_cache(maxsize=8)
def find_table(claim: Claim) -> tuple[PeriodicTable, Setting]:
    """The table for a claim with its definitions written out, and the game that it is about. Raises Unsupported."""
    return find_table_of(claim, require_one_game(claim), get_periodic_proof(claim))


def find_table_of(
    claim: Claim, game: Game, said: PeriodicProof, most: int = MOST_SEARCHED
) -> tuple[PeriodicTable, Setting]:
    """The table for what a claim asks of a game of known numbers, looked for among `most` heaps. Raises Unsupported."""
    from encoders.compute.arrays.beyond_scope import SECONDS, HeapsAlone, NoSingleHeaps
    from encoders.rules.periodic.repeats import find_repeats

    try:
        known = said.preperiod is not None and said.period is not None
        heaps = HeapsAlone(game, SECONDS_OF_KNOWN if known else SECONDS)
        names = (p.name for p in game.ruleset.parameters)
        table = find_repeats(_start(claim, heaps, heaps.read_moves()), said, heaps, most)
        return table, (game.name, tuple(zip(names, heaps.parameters, strict=True)))
    except NoSingleHeaps as error:
        raise Unsupported(str(error)) from None


def read_moves(claim: Claim, game: Game) -> PeriodicTable:
    """What a claim asks of a game of known numbers, and its moves: a table without values. Raises Unsupported."""
    from encoders.compute.arrays.beyond_scope import HeapsAlone, NoSingleHeaps

    try:
        heaps = HeapsAlone(game)
        return _start(claim, heaps, heaps.read_moves())
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
            "sums of heaps, need a misère quotient",
            instead='take rule = "quotient", which searches for one up to a size',
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
        takes = tuple(_pad_takes(takes, read, size))
        last = max((n for n in range(1, size) if any(n not in x.end or n not in x.one for x in takes)), default=0)
        takes = tuple(_limit_takes(x, last) for x in takes)
    return PeriodicTable(question, heaps.players, misere, takes, last, beyond, 0, 1, 0, ())


def _takes(read: ReadMoves) -> Takes:
    end, one = (tuple(n for n, may in enumerate(row) if may) for row in (read.end, read.one))
    return Takes(end, one, tuple(read.two), tuple(read.equal))


def _pad_takes(takes: tuple[Takes, ...], read: list[ReadMoves], size: int) -> Iterator[Takes]:
    """With all numbers below `size` that may be taken because all large ones may."""
    for own, x in zip(takes, read, strict=True):
        more = tuple(range(len(x.end), size))
        yield replace(own, end=own.end + more, one=own.one + more)


def _limit_takes(takes: Takes, last: int) -> Takes:
    return replace(takes, end=tuple(n for n in takes.end if n <= last), one=tuple(n for n in takes.one if n <= last))
