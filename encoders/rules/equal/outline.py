"""The outline of a proof by equal games: the region, the moves that both have there, the claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from claims.language.statement.claim import Claim
from encoders.logic.definedness import needs
from encoders.rules.equal import labels
from encoders.rules.equal.obligations import movers, two_games
from encoders.rules.equal.players import for_each_player
from encoders.rules.equal.section import EqualProof
from encoders.rules.folds import outline as folds
from encoders.rules.outline import Cell, Line, Outline, Table, say, when

SUMMARY = (
    "It names a region that no move leads out of, and shows that both games have the same moves there; so they have "
    "the same winners there."
)


def outline(claim: Claim, proof: EqualProof) -> Outline:
    """Its tables, empty ones left out. Raises Unsupported as the obligations do."""
    inner = folds.outline(claim, proof, asks_who_wins=False)
    tables = [table if table.kind != "claim" else _claim(claim, table) for table in inner.tables]
    region = Table("loses", "Where both games are the same", ("What", "Where"), tuple(_lines(claim, proof)))
    return Outline(SUMMARY, (region, *tables))


def _lines(claim: Claim, proof: EqualProof) -> Iterator[Line]:
    first, second = two_games(claim)
    shown = [("it has a value", labels.defined(need.words)) for need in needs(proof.region, (), claim)]
    shown += [("no move leads out of it", labels.closed(who)) for who, _ in movers(claim)]
    yield Line((say("the region"), when(proof.region)), tuple(shown))
    for who, _ in movers(claim):
        both = (labels.same(who, *names) for names in ((first.name, second.name), (second.name, first.name)))
        words = f"the moves of {who}" if who else "the moves"
        yield Line((say(words), Cell()), tuple(("both have them", name) for name in both))


def _claim(claim: Claim, table: Table) -> Table:
    """The lines about the claim, shown for each player that it may be about."""
    cases = [case for case, _ in for_each_player(claim)]

    def shown(line: Line) -> tuple[tuple[str, str], ...]:
        return tuple((words, labels.of_player(case, name)) for case in cases for words, name in line.shown_by)

    return replace(table, lines=tuple(replace(line, shown_by=shown(line)) for line in table.lines))
