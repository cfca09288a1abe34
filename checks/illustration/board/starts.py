"""Where play begins: at the counterexample, or in a claim about who wins at a small position of its scope."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations_with_replacement, islice, product
from typing import NamedTuple

from checks.illustration.board.heaps import find_positions
from checks.illustration.board.layout import Start, lay_out
from checks.illustration.board.position import lay_out_play
from checks.illustration.board.reach import reach
from checks.illustration.board.words import name_player
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, as_heaps, as_integer
from checks.referee.play import RefereeGame
from checks.results.pictures import PlayableClaim
from claims.language.builtins.meanings import Position, gather, join
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT
from encoders.answer import Case, CaseValue
from encoders.exhaustive.arrays.limits import Deadline
from encoders.exhaustive.parts.order import list_heaps, weigh

START_STEPS = 60_000  # of the referee, for all the cases tried
MOST_CASES = 400
MOST_LISTED, MOST_TRIED, MOST_BOARDS = 2_000, 12, 8  # cases, those of one total, boards, where play is not asked about
STEPS_PLAYED, MOST_REACHED = 600_000, 400  # of the referee for these, positions below one
MANY = 3  # moves that the first place should have
FAVOURITES = (3, 4, 2, 5, 1, 0, 6, 7)  # numbers as parameters, the most telling first
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
LENGTHS, SIZE = (3, 4, 2, 1), 4  # numbers of heaps, the most telling first; the largest heap
TOTAL = 7  # of the numbers in heaps with parts, the most telling


def board_of(claim: Claim, scope: d.Scope, failing: Case | None, sums: bool) -> PlayableClaim | None:
    """The board of a settled claim: at the case at which it fails, or within its scope if it holds; None without one.

    Always the same for the same claim, scope and case: nothing in it depends on a clock.
    """
    if claim.quantifier == "exists":
        return None
    start = find_start(claim, scope) if failing is None else Start(failing, claim.conclusion, False)
    found = None if start is None else lay_out(claim, start, sums)
    if found is not None or not claim.goes_case_by_case:
        return found
    cases = _pick_some(_list_cases(claim, scope))
    given = _play_from(claim, [failing]) if failing is not None else None
    return given or _play_from(claim, cases) or _play_from(claim, cases, twice=True)


def _pick_some(cases: Iterable[Case]) -> list[Case]:
    """The first, but few of each total: small positions are tried where larger ones are too large for a board."""
    found: list[Case] = []
    tried: Counter[int] = Counter()
    for case in islice(cases, MOST_LISTED):
        total = sum(weigh(h) for s in case.values() if isinstance(s, tuple) for h in s if isinstance(h, tuple))
        tried[total] += 1
        if tried[total] <= (MOST_TRIED if total else MOST_CASES):
            found.append(case)
    return found


def _play_from(claim: Claim, cases: Iterable[Case], twice: bool = False) -> PlayableClaim | None:
    """The game alone, where moves show nothing of what a claim says of heaps with parts, at the best of some cases.

    `twice`: at a position and the same beside it, which is lost for whoever begins where the players move alike.
    """
    referee, others = Referee(claim, STEPS_PLAYED), list[tuple[tuple[bool, int], _StartPosition]]()
    with suppress(LimitReached):  # then the best of those so far
        for case in cases:
            with suppress(IllDefined):
                for place in _list_places(referee, case, twice):
                    worth = place.lost, min(len(place.game.options(place.position, place.mover)), MANY)
                    board = _lay_out_place(place) if worth == (True, MANY) else None
                    if board is not None:
                        return board
                    others.append((worth, place))
    others.sort(key=lambda x: x[0], reverse=True)
    boards = (_lay_out_place(place) for (_, options), place in others[:MOST_BOARDS] if options)
    return next((board for board in boards if board is not None), None)


class _StartPosition(NamedTuple):
    """`lost`: whether the mover loses."""

    game: RefereeGame
    position: Position
    mover: int
    lost: bool


def _list_places(referee: Referee, case: Case, twice: bool) -> Iterator[_StartPosition]:
    """Where play may begin at a case, of what is no larger than a board. Raises IllDefined and LimitReached."""
    for _, game, one in find_positions(referee, case):
        s = join(one, one) if twice else one
        movers = _list_movers(game)
        if movers and reach(game, [s], MOST_REACHED) is not None:
            yield from (_StartPosition(game, s, mover, not game.wins(s, mover)) for mover in movers)


def _lay_out_place(place: _StartPosition) -> PlayableClaim | None:
    game, mover = place.game, place.mover
    winner = "" if place.lost else name_player(game, mover)
    return lay_out_play(game.ruleset, game.parameters, place.position, mover, winner)


def _list_movers(game: RefereeGame) -> range:
    """Who may begin, as far as a board shows it."""
    if game.players != 2 or game.ruleset.ending.endless or game.ruleset.ending.prefer is not None:
        return range(0)
    return range(1 if game.ruleset.impartial else 2)


def find_start(claim: Claim, scope: d.Scope) -> Start | None:
    """A case at which a claim that holds says who wins; None where it says so of no small position.

    If there is one, a case at which the mover loses, so that a reader may try to win, with many moves.
    """
    questions = [x for x in _list_questions(claim.conclusion) if len(claim.game(x.game).ruleset.players) == 2]
    if not questions:
        return None
    referee = Referee(claim, START_STEPS)
    best: tuple[tuple[bool, int], Start | None] = (False, 0), None
    try:
        for case in islice(_list_cases(claim, scope), MOST_CASES):
            if _judge(referee, case) != "holds":
                continue
            for question in questions:
                options = min(_count_options(referee, question, case), MANY)
                worth = options > 0 and not referee.evaluate(question, case), options
                if worth > best[0]:
                    best = worth, _make_start(claim, case, question)
                if worth == (True, MANY):
                    return best[1]
    except LimitReached:
        pass
    return best[1]


def _make_start(claim: Claim, case: Case, question: t.GameCall) -> Start:
    rule, s = None, question.args[0]
    match claim.conclusion:
        case t.Operation(op="eq" | "ne", args=(x, y)) if x.type == BOOL and isinstance(s, t.Variable):
            rule = next((side for side in (x, y) if isinstance(side, t.Operation) and side.op in COMPARISONS), None)
    return Start(case, question, True, rule, s.name if isinstance(s, t.Variable) else "")


def _judge(referee: Referee, case: Case) -> str:
    try:
        return referee.judge(case)
    except IllDefined:
        return ""


def _list_questions(term: t.Term) -> Iterator[t.GameCall]:
    """Who wins, as far as it is asked outside definitions and of no name that runs."""
    if isinstance(term, t.GameCall) and term.function == "wins":
        yield term
    if not isinstance(term, t.Comprehension):
        for x in t.subterms(term):
            yield from _list_questions(x)


def _count_options(referee: Referee, question: t.GameCall, case: Case) -> int:
    s, mover = (referee.evaluate(x, case) for x in question.args)
    return len(referee.game(question.game, case).options(as_heaps(s), as_integer(mover)))


def _list_cases(claim: Claim, scope: d.Scope) -> Iterator[Case]:
    """Small cases of the scope, the most telling positions first; some may lie outside the domains."""
    choices = [list(_list_values(v, scope.get(v.name))) for v in claim.variables]
    numbers = [i for i, v in enumerate(claim.variables) if not isinstance(v.domain, d.Positions)]
    places = [i for i, v in enumerate(claim.variables) if isinstance(v.domain, d.Positions)]
    for positions in product(*(choices[i] for i in places)):
        for values in product(*(choices[i][:3] if places else choices[i] for i in numbers)):
            found = dict(zip(places, positions, strict=True)) | dict(zip(numbers, values, strict=True))
            yield {v.name: found[i] for i, v in enumerate(claim.variables)}


def _list_values(v: d.ClaimVariable, bound: d.Range | d.PositionRange | None) -> Iterator[CaseValue]:
    match v.domain:
        case d.Positions() if isinstance(bound, d.PositionRange):
            yield from _list_compound(bound) if bound.parts else _list_positions(bound)
        case d.ListedDomain(values=values):
            yield from values
        case d.Players(count=count):
            yield from range(count)
        case _ if v.type == INT:
            yield from (x for x in FAVOURITES if not isinstance(bound, d.Range) or bound.lo <= x <= bound.hi)


def _list_positions(bound: d.PositionRange) -> Iterator[Position]:
    """By their number of heaps, different heaps before equal ones, small ones first."""
    lo, hi = max(bound.size.lo, 1), min(bound.size.hi, SIZE)
    for heaps in LENGTHS:
        found = combinations_with_replacement(range(lo, hi + 1), heaps)
        inside = [s for s in found if bound.total is None or bound.total.lo <= sum(s) <= bound.total.hi]
        if bound.heaps.lo <= heaps <= bound.heaps.hi:
            yield from sorted(inside, key=lambda s: (-len(set(s)), sum(s), s))


def _list_compound(bound: d.PositionRange) -> Iterator[Position]:
    """Of heaps with parts: few of them, long lists before short ones, small numbers; those that are heaps or not."""

    def cut(x: d.Range, most: int) -> d.Range:
        return d.Range(x.lo, min(x.hi, max(x.lo, most)))

    few = [
        (n, cut(x, SIZE) if isinstance(x, d.Range) else d.ListRange(cut(x.length, LENGTHS[0]), cut(x.each, SIZE)))
        for n, x in bound.parts
    ]
    heaps = sorted(list_heaps(replace(bound, parts=tuple(few)), Deadline(None)), key=weigh)
    for number in range(max(bound.heaps.lo, 1), min(bound.heaps.hi, 2) + 1):
        found = [(sum(map(weigh, s)), s) for s in combinations_with_replacement(heaps[: MOST_CASES // number], number)]
        for _, s in sorted(found, key=lambda x: -x[0] if x[0] <= TOTAL else x[0]):
            yield as_heaps(gather(s))
