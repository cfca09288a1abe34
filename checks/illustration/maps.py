"""Maps of who wins with two heaps, and sequences of the values of one, as a claim's file asks for them.

They are computed by the exhaustive route's own evaluation; the small heaps are the referee's too.
"""

from __future__ import annotations

import numpy as np

from checks.illustration.board.words import say_game
from checks.illustration.faults import Differs, NotDrawn
from checks.judgement.account.mathematics import typesetter
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, as_integer
from checks.results.pictures import NOTHING, GrundySequence, OutcomeMap
from checks.results.statement import TypesetFormula
from claims.language.builtins.meanings import Value
from claims.language.statement.claim import Claim, PictureRequest
from claims.language.statement.domains import IntervalDomain
from claims.language.terms.terms import Term, names_of
from encoders.exhaustive.arrays.limits import Deadline
from encoders.exhaustive.evaluate.columns import Sheet

PICTURE_STEPS = 100_000  # of the referee, for one picture
SMALL = 4  # heaps up to here are the referee's too

Grid = tuple[tuple[bool, ...], ...]


def draw_wanted(claim: Claim, wanted: PictureRequest, clock: Deadline) -> OutcomeMap | GrundySequence:
    """The picture. Raises Differs, NotDrawn, and what `Sheet` raises."""
    _check_domains(claim, wanted)
    return _draw_map(claim, wanted, clock) if wanted.kind == "outcomes" else _draw_sequence(claim, wanted, clock)


def _draw_map(claim: Claim, wanted: PictureRequest, clock: Deadline) -> OutcomeMap:
    sizes = range(wanted.heaps.lo, wanted.heaps.hi + 1)
    rows = np.array([sorted((a, b)) for b in sizes for a in sizes], dtype=np.int64)
    sheet = Sheet(claim, wanted.at, clock)

    def fill(term: Term) -> Grid:
        values = sheet.evaluate_positions(term, wanted.name, rows)
        places = [tuple(x for x in row if x) for row in rows.tolist()]
        _check(claim, wanted, term, dict(zip(places, values, strict=True)))
        return tuple(tuple(bool(x) for x in values[i : i + len(sizes)]) for i in range(0, len(values), len(sizes)))

    return OutcomeMap(
        title=wanted.title or "Two heaps",
        game=_say_game(claim, wanted),
        yes=wanted.yes or "it holds",
        no=wanted.no or "it fails",
        least=wanted.heaps.lo,
        solved=fill(wanted.shown),
        claimed=None if wanted.claimed is None else fill(wanted.claimed),
        solved_by=_typeset(claim, wanted.shown),
        claimed_by=_typeset(claim, wanted.claimed),
    )


def _draw_sequence(claim: Claim, wanted: PictureRequest, clock: Deadline) -> GrundySequence:
    sizes = list(range(wanted.heaps.lo, wanted.heaps.hi + 1))
    sheet = Sheet(claim, wanted.at, clock)

    def fill(term: Term) -> tuple[int, ...]:
        values = sheet.evaluate_sizes(term, wanted.name, np.array(sizes, dtype=np.int64))
        _check(claim, wanted, term, dict(zip(sizes, values, strict=True)))
        return tuple(values)

    values = fill(wanted.shown)
    period, saltus = find_period(values)
    return GrundySequence(
        title=wanted.title or "One heap",
        game=_say_game(claim, wanted),
        least=wanted.heaps.lo,
        values=values,
        claimed=None if wanted.claimed is None else fill(wanted.claimed),
        period=period,
        saltus=saltus,
        value_by=_typeset(claim, wanted.shown),
        claimed_by=_typeset(claim, wanted.claimed),
    )


def _typeset(claim: Claim, term: Term | None) -> TypesetFormula:
    return NOTHING if term is None else typesetter(claim)(term)


def find_period(values: tuple[int, ...]) -> tuple[int, int]:
    """The least p, at most half of their number, with values[x + p] = values[x] + c throughout: (p, c), else (0, 0).

    >>> find_period((0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5)), find_period((0, 1, 4, 9)), find_period((0, 0, 0))
    ((6, 3), (0, 0), (1, 0))
    """
    for p in range(1, len(values) // 2 + 1):
        steps = {after - before for before, after in zip(values, values[p:], strict=False)}
        if len(steps) == 1:
            return p, steps.pop()
    return 0, 0


def _check(
    claim: Claim, wanted: PictureRequest, term: Term, found: dict[tuple[int, ...], int] | dict[int, int]
) -> None:
    """The referee's values at small heaps are those found. Raises Differs."""
    referee = Referee(claim, PICTURE_STEPS)
    for place, value in found.items():
        if max(place, default=0) > SMALL if isinstance(place, tuple) else place > 2 * SMALL:
            continue
        try:
            right = referee.evaluate(term, {**dict(wanted.at), wanted.name: place})
        except LimitReached:
            return
        except IllDefined as fault:
            raise NotDrawn(f"it has no value at {place}: {fault}") from None
        if right != value:
            raise Differs(f"at {place} the engine finds {value}, the referee {right}")


def _check_domains(claim: Claim, wanted: PictureRequest) -> None:
    """Whether the fixed values lie in their domains, as far as these do not depend on others. Raises NotDrawn."""
    env: dict[str, Value] = dict(wanted.at)
    referee = Referee(claim, PICTURE_STEPS)
    for v in claim.variables:
        if v.name in env and isinstance(v.domain, IntervalDomain):
            ends = [v.domain.lo] if v.domain.hi is None else [v.domain.lo, v.domain.hi]
            if names_of(ends)[0] - set(env):
                continue
            low, *high = (as_integer(referee.evaluate(x, env)) for x in ends)
            value = as_integer(env[v.name])
            if value < low or any(value > x for x in high):
                raise NotDrawn(f"{v.name} = {value} is outside its domain, {v.text}")


def _say_game(claim: Claim, wanted: PictureRequest) -> str:
    """The games of what is shown, with their parameters."""
    asked = names_of(x for x in (wanted.shown, wanted.claimed) if x is not None)[1]
    referee = Referee(claim, PICTURE_STEPS)
    games = (referee.game(game.name, dict(wanted.at)) for game in claim.games if game.name in asked)
    return "; ".join(dict.fromkeys(map(say_game, games)))
