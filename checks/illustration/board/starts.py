"""Where play begins: at the counterexample, or in a claim about who wins at a small position of its scope."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, islice, product

from checks.illustration.board.layout import Start, lay_out
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, as_heaps, as_integer
from checks.results.pictures import PlayableClaim
from claims.language.builtins.meanings import Position
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT
from encoders.answer import Case, CaseValue

STEPS = 60_000  # of the referee, for all the cases tried
MOST_CASES = 400
MANY = 3  # moves that the first place should have
FAVOURITES = (3, 4, 2, 5, 1, 0, 6, 7)  # numbers as parameters, the most telling first
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
LENGTHS, SIZE = (3, 4, 2, 1), 4  # numbers of heaps, the most telling first; the largest heap


def board_of(claim: Claim, scope: d.Scope, failing: Case | None, sums: bool) -> PlayableClaim | None:
    """The board of a settled claim: at the case at which it fails, or within its scope if it holds; None without one.

    Always the same for the same claim, scope and case: nothing in it depends on a clock.
    """
    if claim.quantifier == "exists":
        return None
    if failing is not None:
        return lay_out(claim, Start(failing, claim.conclusion, False), sums)
    start = find_start(claim, scope)
    return None if start is None else lay_out(claim, start, sums)


def find_start(claim: Claim, scope: d.Scope) -> Start | None:
    """A case at which a claim that holds says who wins; None where it says so of no small position.

    If there is one, a case at which the mover loses, so that a reader may try to win, with many moves.
    """
    questions = [x for x in _list_questions(claim.conclusion) if len(claim.game(x.game).ruleset.players) == 2]
    if not questions:
        return None
    referee = Referee(claim, STEPS)
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


def _list_values(v: d.Variable, bound: d.Range | d.PositionRange | None) -> Iterator[CaseValue]:
    match v.domain:
        case d.Positions() if isinstance(bound, d.PositionRange):
            yield from _list_positions(bound)
        case d.Listed(values=values):
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
