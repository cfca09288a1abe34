"""The periodic table of values for the game of a claim with a proof by the rule "periodic".

The table consists of the moves, which are read from the ruleset, of computed values, and of a period, which is searched
for in `repeats`. A separate obligation proves that the table is correct. So neither the search nor the engine that
computes the values is trusted.
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
from encoders.rules.base.rule import MANY_HEAPS
from encoders.rules.base.shape import require_one_game

if TYPE_CHECKING:
    from encoders.compute.arrays.beyond_scope import HeapsAlone, ReadMoves

MOST_HEAPS = 40_000_000  # the largest preperiod or period that a file may state
SECONDS_OF_KNOWN = 3_600  # the time limit if the file states the period; ten million heaps take a minute


@dataclass(frozen=True, eq=False)
class PeriodicProof(Proof):
    """A [proof] section of the rule "periodic". None means that the file does not state the number."""

    rule: ClassVar[str] = "periodic"
    preperiod: int | None
    period: int | None
    saltus: int | None


def get_periodic_proof(claim: Claim) -> PeriodicProof:
    """Return the [proof] of a claim, which must be by the rule "periodic"."""
    assert isinstance(claim.proof, PeriodicProof)
    return claim.proof


def find_table(claim: Claim, most: int = MANY_HEAPS) -> tuple[PeriodicTable, Setting]:
    """Return (periodic table, setting) for the game of a claim. The setting is (name of the game, parameters).

    The definitions in the claim must be expanded.
    `most`: the largest number of heaps that the search for a period computes.
    Raises Unsupported if the game is unsupported, or if no period is found.
    """
    found = _search_once(claim, most)
    if isinstance(found, Unsupported):
        raise found.with_traceback(None)
    return found


@lru_cache(maxsize=8)
def _search_once(claim: Claim, most: int) -> tuple[PeriodicTable, Setting] | Unsupported:
    """Return the result of `find_table`, or the exception that it raises. Both are cached, so it searches only once."""
    try:
        return find_table_of(claim, require_one_game(claim), get_periodic_proof(claim), most)
    except Unsupported as error:
        return error


def find_table_of(
    claim: Claim, game: Game, said: PeriodicProof, most: int = MANY_HEAPS
) -> tuple[PeriodicTable, Setting]:
    """Return (periodic table, setting) for a game with constant parameters. The setting is as in `find_table`.

    `claim`: the claim, whose questions decide whether the values are Grundy values or winners.
    `said`: the numbers that the table must have.
    `most`: the largest number of heaps that the search computes.
    Raises Unsupported if the game is unsupported, or if no period is found.
    """
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
    """Return a table that contains only the moves and the question, for a game with constant parameters.

    `claim`: the claim, whose questions decide whether the values are Grundy values or winners. Raises Unsupported if
    the game is unsupported.
    """
    from encoders.compute.arrays.beyond_scope import HeapsAlone, NoSingleHeaps

    try:
        heaps = HeapsAlone(game)
        return _start(claim, heaps, heaps.read_moves())
    except NoSingleHeaps as error:
        raise Unsupported(str(error)) from None


def list_positions(claim: Claim) -> Iterator[tuple[t.Term, ...]]:
    """Yield (E1, ..., En) for each term `position([E1, ..., En])` in the claim."""
    for term in walk((claim.conclusion, *(() if claim.hypothesis is None else (claim.hypothesis,)))):
        match term:
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                yield items


def has_sums(claim: Claim) -> bool:
    """Whether the claim contains a position that lists several heaps."""
    return any(len(items) > 1 for items in list_positions(claim))


# -- the moves --------------------------------------------------------------------------------------------------------
def _start(claim: Claim, heaps: HeapsAlone, read: list[ReadMoves]) -> PeriodicTable:
    """Return a table with the moves `read`, for Grundy values or for winners. The values and the period are still open.

    Raises Unsupported if no theorem extends a finite table to all heaps for such moves and such a question.
    """
    asked = {x.function for x in walk((claim.conclusion, claim.hypothesis)) if isinstance(x, t.GameCall)}
    splits = any(x.two or x.equal for x in read)
    question = GRUNDY if GRUNDY in asked or splits or has_sums(claim) else VALUE
    misere = heaps.ruleset.stuck_wins
    if question == GRUNDY and misere:
        raise Unsupported(
            "in misère play, Grundy values do not determine who wins a sum of heaps: games that split heaps, and "
            "sums of heaps, need a misère quotient",
            instead='use rule = "quotient", which searches for a misère quotient up to a size',
        )
    if question == GRUNDY and (heaps.players != 2 or len(read) > 1):
        raise Unsupported("values of several heaps need two players with the same moves")
    if has_sums(claim) and any(move.choose != "any" for move in heaps.ruleset.moves):
        raise Unsupported(
            "some move must be on a largest or smallest heap, so values of heaps do not determine the value of a sum"
        )
    tails = {x for moves in read for x in moves.tail}
    if len(tails) > 1:
        raise Unsupported(
            "whether every large number may be taken depends on the player, or on whether objects are left"
        )
    beyond = tails == {True}
    if beyond and splits:
        raise Unsupported("heaps may be split, and every large number may be taken: no theorem covers such games")
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
    """Yield `takes`, the moves of each player, extended to all numbers below `size`.

    For each player, `takes` and `read` state up to some limit which numbers may be taken. Every number above this limit
    may be taken.
    """
    for own, x in zip(takes, read, strict=True):
        more = tuple(range(len(x.end), size))
        yield replace(own, end=own.end + more, one=own.one + more)


def _limit_takes(takes: Takes, last: int) -> Takes:
    return replace(takes, end=tuple(n for n in takes.end if n <= last), one=tuple(n for n in takes.one if n <= last))
