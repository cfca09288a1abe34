"""The estimated costs of machine code and of arrays for claims about heaps that are numbers.

Machine code is chosen for single large heaps, and for large positions that integers describe, such as (a, b, a + b). It
fills a table of all heaps up to the largest one, and combines the values of several heaps by a nim-sum. Arrays play
smaller positions, and trust no theorem for this.
"""

from __future__ import annotations

from itertools import chain
from math import prod
from typing import NamedTuple, cast

from claims.language.files import domains as d
from claims.language.files.claim import Claim
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value
from claims.language.syntax.printing import walk
from encoders.compute.arrays.cases import bound_all
from encoders.compute.arrays.evaluate import FrameEvaluator
from encoders.compute.arrays.heap_tables import MOST_PLAYED, SingleHeaps
from encoders.compute.arrays.limits import BadRuleset, Deadline, OutOfTime, TooLarge
from encoders.compute.arrays.moves import Moves, Parameters
from encoders.compute.arrays.positions import Pool, PositionSet
from encoders.compute.compound.described import DescribedPosition, list_described
from encoders.compute.compound.meaning import TermCompiler, Undefined
from encoders.compute.compound.order import as_integer, as_list
from encoders.compute.compound.play import EngineGame
from encoders.compute.native.entry import PARAMETERS, find_parameters
from encoders.compute.native.numbers import may_stop_early, refuse_numbers
from encoders.compute.native.pieces import Bounds
from encoders.compute.native.rules import ASKED
from encoders.trust import count_cases

# Costs are in units of 0.2 microseconds. The numbers of moves are those in one unit.
START = 200_000  # the time in which code is generated and translated: 0.04 s
MOVES, MOVES_WITH_CONDITIONS, MOVES_OF_ARRAYS, PER_HEAP = 130, 60, 130, 32
UNTRIED = 8  # the factor by which fewer moves are tried if the first winning move ends the search
PER_POSITION = 25
LARGE = 200  # a single smaller heap has few moves
PLAYED = 1_000_000  # positions up to which the positions below several heaps are played by arrays
SOLVED = 200_000  # positions below several heaps that arrays solve before they add values
LONGEST = 300_000_000  # 60 s
SPARSE, PROBED, FEW = 50, 300, 100_000  # moves of a heap, and heaps, of a probe; positions that arrays always play
ALONE = 1  # heaps of a position variable
TOGETHER = "bits or arrays solve all of its positions together"
READ = "arrays read the moves of a heap from a table"
_SECONDS = 1.0  # time for an estimate


class NumberCost(NamedTuple):
    """The estimated costs of searching a claim about heaps that are numbers, in units of 0.2 microseconds.

    `code`: the cost of machine code.
    `arrays`: the cost of arrays, without the evaluation of the cases.
    """

    code: int
    arrays: int


def estimate_numbers(claim: Claim, scope: d.Scope) -> NumberCost | str:
    """Return the costs for a claim about heaps that are numbers, or the reason why machine code is not used."""
    if claim.has_parts:
        return "the heaps have parts"
    asked = [x for x in walk((claim.hypothesis, claim.conclusion)) if isinstance(x, t.GameCall)]
    if not asked:
        return "the claim has no question about a game"
    if any(x.function not in ASKED for x in asked):
        return "the claim asks for more than winners and values"
    places = list_described(claim, scope)
    several = [x for x in places if x.heaps > 1]
    for bound in bound_all(claim, scope).values():
        if isinstance(bound, d.PositionRange):
            if bound.heaps.hi > ALONE:
                return TOGETHER
            places.append(DescribedPosition(bound.heaps.hi, 0, 0, bound.size.hi))
            several += [] if bound.heaps.hi <= 1 else places[-1:]
    if not places:
        return "the sizes of the positions in the claim are not known in advance"
    if several and max(x.below for x in several) <= PLAYED:
        return "few positions are reachable, so that arrays play all of them"
    if not several and max(x.largest for x in places) < LARGE:
        return TOGETHER
    try:
        found = find_parameters(claim, scope, TermCompiler(_refuse_game, Deadline(_SECONDS)))
        if found is None:
            return PARAMETERS
        last = {name: x.hi if isinstance(x, Bounds) else x for name, x in found.items()}
        choices = prod(x.hi - x.lo + 1 for x in found.values() if isinstance(x, Bounds))
        game = EngineGame(claim.games[0].ruleset, last, Deadline(_SECONDS))
        winners = all(x.function != "grundy" for x in asked)
        return refuse_numbers(game.ruleset) or _estimate(game, choices, places, count_cases(scope), winners)
    except (Undefined, TooLarge, BadRuleset, OutOfTime, OverflowError):
        return "the number of moves of the game is not known in advance"


def _limit(cost: NumberCost) -> NumberCost | str:
    return cost if cost.code <= LONGEST else "by an estimate, the search would take longer than a minute"


def _estimate(
    game: EngineGame, choices: int, places: list[DescribedPosition], cases: int, winners: bool
) -> NumberCost | str:
    several = any(x.heaps > 1 for x in places)
    if several and not (game.ruleset.impartial and game.players == 2 and not game.ruleset.stuck_wins):
        return "the values of several heaps cannot be added"
    largest = max(x.largest for x in places)
    if largest <= MOST_PLAYED and _reads(game):
        return READ
    if _reaches_few(game, largest, max(x.heaps for x in places)):
        return "few positions are reachable, so that arrays play all of them"
    moves = choices * count_moves(game, largest)
    arrays = moves // MOVES_OF_ARRAYS + (PER_POSITION * SOLVED if several else PER_HEAP * choices * largest)
    code = moves // (MOVES_WITH_CONDITIONS if any(x.where is not None for x in game.ruleset.moves) else MOVES)
    if winners and not several and may_stop_early(game.ruleset):
        code = moves // (MOVES * UNTRIED)
    return _limit(NumberCost(START + cases + code, arrays))


def _reaches_few(game: EngineGame, largest: int, heaps: int) -> bool:
    """Whether a position of `heaps` heaps, each of size `largest`, reaches at most about FEW positions.

    Return False without a search if a heap has more than SPARSE moves. Raises the errors of `game.options`.
    """
    reader = TermCompiler(_refuse_game, Deadline(_SECONDS))
    if sum(_count_ways(reader, game, move, largest) for move in game.ruleset.moves) > SPARSE:
        return False
    seen, todo = {largest}, [largest]
    while todo:
        heap = todo.pop()
        for mover in range(game.players):
            for x in chain.from_iterable(game.options((heap,), mover)):
                if x not in seen:
                    seen.add(as_integer(x))
                    todo.append(as_integer(x))
        if len(seen) > PROBED:
            return False
    positions: int = (len(seen) + 1) ** min(heaps, FEW.bit_length())
    return positions <= FEW


def count_moves(game: EngineGame, largest: int) -> int:
    """Estimate how many moves the heaps 1, 2, ..., `largest` have together.

    The estimate is `largest` times the number of moves on the largest heap. Raise Undefined and TooLarge.
    """
    reader = TermCompiler(_refuse_game, Deadline(_SECONDS))
    return largest * sum(_count_ways(reader, game, move, largest) for move in game.ruleset.moves)


def _count_ways(reader: TermCompiler, game: EngineGame, move: Move, largest: int) -> int:
    """Return about how many ways there are to choose the numbers of a move on a heap of size `largest`.

    If the range of a number depends on an earlier number of the move, that number is set to the middle of its range.
    """
    env: dict[str, Value] = {**game.parameters, "mover": 0, move.heaps[0]: largest}
    ways = 1
    for pick in move.picks:
        if isinstance(pick.domain, IntervalDomain):
            assert pick.domain.hi is not None
            ends = [reader.read(x)(env) for x in (pick.domain.lo, pick.domain.hi)]
            pairs = zip(*(as_list(x) if isinstance(x, tuple) else (x,) for x in ends), strict=True)
            ranges = [range(as_integer(low), as_integer(high) + 1) for low, high in pairs]
            count = prod(map(len, ranges))
            middle = tuple(x[len(x) // 2] for x in ranges) if count else ()
            env[pick.name] = middle if isinstance(ends[0], tuple) else (middle or (0,))[0]
        else:
            elements = as_list(reader.read(pick.domain)(env))
            count = len(elements)
            env[pick.name] = elements[count // 2] if count else 0
        ways *= count
    return ways


def _refuse_game(name: str, _: object) -> EngineGame:
    raise Undefined(name)


def _reads(game: EngineGame) -> bool:
    """Whether arrays obtain the moves on a heap from a table of amounts, or from intervals.

    Large heaps are then cheap.
    """
    evaluator = FrameEvaluator(Pool(PositionSet.box(0, 1)), Deadline(_SECONDS), {})
    values = cast(Parameters, tuple(game.parameters[p.name] for p in game.ruleset.parameters))
    return SingleHeaps(Moves(game.ruleset, evaluator)).reads([values])
