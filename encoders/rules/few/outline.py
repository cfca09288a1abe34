"""The outline of a proof about few heaps: who loses, the numbers and lemmas it uses, named moves, the claim."""

from __future__ import annotations

from collections.abc import Iterator

from claims.language.expressions import terms as t
from claims.language.expressions.types import INT, POSITION
from claims.language.statement.claim import Claim
from encoders.rules.few import labels
from encoders.rules.few.section import FewProof, NamedMove, Range, Values
from encoders.rules.folds.turns import MoveNames, Turn, turns_of
from encoders.rules.outline import Cell, Line, Outline, Table, say, show_moves, when

Parts = list[str | t.Term]


def outline(claim: Claim, proof: FewProof) -> Outline:
    """Its tables, empty ones left out. Raises Unsupported as the obligations do."""
    turns = list(turns_of(claim.games[0]))
    names = " ≤ ".join(proof.heaps)
    summary = (
        f"A position is written heap by heap, {names}, with 0 for a heap that is not there. The proof names the losing "
        "positions, shows that no move leads from one to another, and gives a move to one from every other position."
    )
    few = [("it is about few heaps", labels.FEW)] if any(v.type == POSITION for v in claim.variables) else []
    claimed = Line((say(claim.conclusion),), (*few, ("it follows", labels.CLAIM)))
    tables = (
        Table("loses", "Who loses", ("Who", "Loses when"), tuple(_loses(proof, turn) for turn in turns)),
        Table("facts", "Lemmas about integers", ("For", "It holds that", "Used at"), tuple(_lemmas(proof))),
        Table(
            "numbers", "Numbers of a position", ("Name", "Is the least", "That meets", "When"), tuple(_numbers(proof))
        ),
        *(table for turn in turns for table in _moves(proof, turn)),
        Table("claim", "What follows", ("Statement",), (claimed,)),
    )
    return Outline(summary, tuple(table for table in tables if table.lines))


def _loses(proof: FewProof, turn: Turn) -> Line:
    shown = [
        (f"no move leads to a loss: {name.partition(': ')[2]}", name) for name, _ in labels.closed(turn, proof.heaps)
    ]
    shown.append(("the moves below cover the rest", turn.covered))
    if turn.game.ruleset.stuck_wins:
        shown.append(("there is always a move", turn.movable))
    who = f"{turn.player}, to move," if turn.player else "The player to move"
    return Line((say(who), when(dict(proof.loses)[turn.mover])), tuple(shown))


def _lemmas(proof: FewProof) -> Iterator[Line]:
    for lemma in proof.lemmas:
        shown = (("by induction" if lemma.measure is not None else "it holds", labels.lemma(lemma.name)),)
        used: Parts = []
        for given in lemma.at:
            used += ["; " if used else "", *_values(given)]
        yield Line((_ranges(lemma.ranges), say(lemma.holds), Cell(tuple(used))), shown)


def _ranges(ranges: tuple[Range, ...]) -> Cell:
    parts: Parts = []
    for r in ranges:
        end: Parts = ["up"] if r.hi is None else ["to", r.hi]
        parts += [", " if parts else "", t.Variable(INT, 0, 0, r.name), "from", r.lo, *end]
    return say(*parts)


def _values(pairs: Values) -> Parts:
    parts: Parts = []
    for name, term in pairs:
        parts += [", " if parts else "", t.Operation(term.type, 0, 0, "eq", (t.Variable(INT, 0, 0, name), term))]
    return parts


def _numbers(proof: FewProof) -> Iterator[Line]:
    for n in proof.numbers:
        cells = (say(t.Variable(INT, 0, 0, n.name)), say("from", n.lo, "to", n.hi), when(n.having), when(n.when))
        yield Line(cells, (("there is one", labels.number(n.name)),))


def _moves(proof: FewProof, turn: Turn) -> list[Table]:
    replies = turn.replies(proof.moves)
    others = turn.others(proof.moves) if turn.game.ruleset.stuck_wins else []
    won, lost = ([_move(proof, names, named) for names, named in found] for found in (replies, others))
    return show_moves(turn.player, ("When", "Heaps", "By picking"), len(replies), won, lost)


def _move(proof: FewProof, names: MoveNames, named: NamedMove) -> Line:
    shown = [("there", names.heap), ("legal", names.legal)]
    if named.to_loss:
        shown.append(("leads to a loss", names.to_loss))
    heaps: Parts = []
    for i in named.heaps:
        heaps += [", " if heaps else "", t.Variable(INT, 0, 0, proof.heaps[i])]
    return Line((when(named.when), say(*heaps), Cell(tuple(_values(named.take)))), tuple(shown))
