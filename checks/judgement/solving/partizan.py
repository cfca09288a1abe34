"""What positions of two players under normal play are worth to Left, the first of them, by playing them to the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import cast

from checks.judgement.solving.solution import PartizanValue
from checks.referee.meaning import LimitReached, RefereeSteps
from checks.referee.play import RefereeGame, moves_in_one_heap
from claims.language.builtins.meanings import Position
from encoders.exhaustive.arrays.limits import TooLarge
from encoders.exhaustive.partizan.canonical import Games
from encoders.exhaustive.parts.order import Position as Heaps
from encoders.exhaustive.parts.worth import EnginePartizanValues

COMPARISONS = 2_000_000  # of games


def find_partizan(game: RefereeGame, places: Sequence[Position]) -> list[PartizanValue | None]:
    """Canonical form, mean value and temperature of each; None from the first on that is too much to find.

    Raises IllDefined where the rules have no value.
    """
    reach = cast(Callable[[Heaps, int], tuple[Heaps, ...]], game.options)
    worth = EnginePartizanValues(reach, moves_in_one_heap(game.ruleset), Games(RefereeSteps(COMPARISONS)))
    found: list[PartizanValue | None] = []
    with suppress(LimitReached, RecursionError, TooLarge):
        for s in places:
            cooled = worth.cool(s)
            found.append(PartizanValue(worth.games.name(worth.form(s)), str(cooled.mean), str(cooled.temperature)))
    return found + [None] * (len(places) - len(found))
