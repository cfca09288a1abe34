"""What is shown beside a settled claim: its pictures, and the board on which it can be played.

The verdict is there before and stays what it is.  What meets a limit is left out whole, and said to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import cast

from checks.illustration.board.heaps import draw_case
from checks.illustration.board.starts import board_of
from checks.illustration.failures import survey_failures
from checks.illustration.faults import Differs, NotDrawn
from checks.illustration.maps import draw_wanted
from checks.judgement.faults import Exhausted, InternalFault, guard
from checks.judgement.telling.saying import players_of
from checks.referee.meaning import IllDefined, LimitReached
from checks.results.evidence import is_refuted_by_proof
from checks.results.model import ClaimResult
from checks.results.pictures import Picture, Undrawn
from checks.results.values import NamedValues
from checks.results.verdicts import Verdict
from claims.language.statement.claim import Claim
from claims.language.statement.domains import Scope
from claims.language.terms.types import PLAYER
from encoders.answer import Case, CaseValue
from encoders.exhaustive.arrays.limits import BadRuleset, Deadline, OutOfTime, TooLarge
from encoders.exhaustive.cases.grid import IllDefinedDomain
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Trust

SECONDS = 4.0  # for all pictures of one claim
NO_BOARD = (
    "a board plays who can force a win, and the claim is about who moves last "
    "where each player makes the move that he likes best"
)


def illustrate(result: ClaimResult, claim: Claim, scope: Scope) -> ClaimResult:
    """The result of a claim that was settled in a scope, with its pictures and its board."""
    sums, failing = str(Trust.SPRAGUE_GRUNDY) in result.finding.trusted, None
    if result.verdict is Verdict.REFUTED and result.finding.counterexample is not None:
        failing = read_case(claim, result.finding.counterexample.variables)
    evidence = result.finding.evidence
    elsewhere = evidence is not None and is_refuted_by_proof(evidence.answers)  # not in the scope that is surveyed
    if claim.goes_case_by_case:  # maps are of heaps that are numbers, in games that the last move decides
        why = claim.unusual or "its heaps have parts"
        pictures: list[Picture] = [Undrawn(x.title or x.shown_text, why) for x in claim.pictures]
    else:
        pictures = list(_draw_all(claim, scope, None if elsewhere else failing, sums, Deadline(SECONDS)))
    board, drawn = None, None
    if failing is not None or result.verdict.holds:
        try:
            board = guard("while laying out the board", lambda: board_of(claim, scope, failing, sums))
            if board is None and any(game.ruleset.ending.prefer is not None for game in claim.games):
                pictures.append(Undrawn("the board", NO_BOARD))
        except (Exhausted, InternalFault) as fault:
            pictures.append(Undrawn("the board", str(fault)))
    if claim.has_parts and failing is not None:
        drawn = draw_case(claim, failing)
    shown = replace(result.presentation, pictures=tuple(pictures), board=board, drawn=drawn)
    return replace(result, presentation=shown)


def _draw_all(claim: Claim, scope: Scope, failing: Case | None, sums: bool, clock: Deadline) -> Iterator[Picture]:
    if failing is not None and claim.quantifier == "forall":
        yield _draw("where it fails", lambda: survey_failures(claim, scope, failing, sums, clock))
    for wanted in claim.pictures:
        yield _draw(wanted.title or wanted.shown_text, partial(draw_wanted, claim, wanted, clock))


def read_case(claim: Claim, values: NamedValues) -> Case:
    """The case that a result shows: players by their index again."""
    players, kinds = players_of(claim), {v.name: v.type for v in claim.variables}
    return {
        name: players.index(x) if kinds[name] == PLAYER and isinstance(x, str) else cast(CaseValue, x)
        for name, x in values
    }


def _draw(title: str, work: Callable[[], Picture]) -> Picture:
    """The picture, or why there is none."""
    try:
        return guard(f"while drawing {title}", lambda: _limited(title, work))
    except (Exhausted, InternalFault) as fault:
        return Undrawn(title, str(fault))


def _limited(title: str, work: Callable[[], Picture]) -> Picture:
    try:
        return work()
    except OutOfTime:
        return Undrawn(title, f"it takes more than {SECONDS:g} seconds")
    except TooLarge as limit:
        return Undrawn(title, f"too large: {limit}")
    except Differs as fault:
        return Undrawn(title, f"an internal error: {fault}; please report it")
    except (BadRuleset, IllDefined, IllDefinedDomain, LimitReached, NotDrawn, Unsupported) as fault:
        return Undrawn(title, str(fault))
