"""Which positions are lost, of those below one of several heaps: for the referee, who verifies such a list by play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

import numpy as np

from claims.language.builtins.meanings import Position, Value
from claims.language.statement.claim import Claim, Game
from claims.language.statement.domains import ClaimVariable, Positions
from claims.language.statement.rulesets import Ruleset
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, PLAYER, POSITION, Type
from encoders.exhaustive.arrays.limits import BadRuleset, Deadline, OutOfTime, TooLarge
from encoders.exhaustive.evaluate.columns import Sheet
from encoders.ground.refusals import Unsupported

MOST, SECONDS = 1_000_000, 60.0  # positions that are looked at, and for how long


def make_claim(ruleset: Ruleset, parameters: Mapping[str, Value], name: str, conclusion: t.Term | None = None) -> Claim:
    """A claim about a position s of the game of that name: what else can ask the engines, or be laid out on a board."""
    arguments = tuple((p.name, _write(parameters[p.name], p.type)) for p in ruleset.parameters)
    return Claim(
        *("", ruleset.title, "", "", "", "", "remark", (), "", "", "", "", "forall"),
        variables=(ClaimVariable("s", POSITION, Positions(), "position"),),
        games=(Game(name, ruleset, arguments),),
        hypothesis=None,
        conclusion=conclusion or t.Literal(BOOL, 0, 0, 1),
        texts=(),
        scopes=(),
        source=ruleset.source,
    )


def _write(value: Value, kind: Type) -> t.Term:
    if isinstance(value, tuple):
        return t.Collection(kind, 0, 0, tuple(_write(x, INT) for x in value))
    assert isinstance(value, int)
    return t.Literal(INT, 0, 0, value)


def list_losing(
    ruleset: Ruleset, parameters: Mapping[str, Value], greatest: Position
) -> tuple[frozenset[Position], ...] | None:
    """By mover, one for all where they have the same moves, the positions from which he loses; None past a limit.

    Of those of at most as many heaps as `greatest`, none larger, one by one from the largest.
    """
    rows = list(islice(_list_below(greatest), MOST + 1))
    if len(rows) > MOST:
        return None
    name, s = "game", t.Variable(POSITION, 0, 0, "s")
    sheet = Sheet(make_claim(ruleset, parameters, name), (), Deadline(SECONDS))
    lost = []
    for mover in range(1 if ruleset.impartial else len(ruleset.players)):
        asked = t.GameCall(BOOL, 0, 0, "wins", name, (s, t.Literal(PLAYER, 0, 0, mover)))
        try:
            wins = sheet.evaluate_positions(asked, "s", np.array(rows, dtype=np.int64))
        except (OutOfTime, TooLarge, Unsupported, BadRuleset, MemoryError):
            return None
        lost.append(frozenset(tuple(h for h in row if h) for row, won in zip(rows, wins, strict=False) if not won))
    return tuple(lost)


def _list_below(greatest: Position, least: int = 0) -> Iterator[Position]:
    """Ascending heaps, zeros among them, none above that at its place."""
    if not greatest:
        yield ()
        return
    for first in range(least, greatest[0] + 1):
        for rest in _list_below(greatest[1:], first):
            yield (first, *rest)
