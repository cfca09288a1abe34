"""The outline of a proof over the places of lists: its numbers, who loses or the value, the moves that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from claims.language.statement.claim import Claim
from claims.language.terms.terms import Term, Variable
from encoders.logic.terms import nim
from encoders.rules.kit.outline import (
    Outline,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    WordingKind,
    assigned,
    name_of,
    say,
    when,
)
from encoders.rules.parts.places.kinds import FOLLOWS, TERMS
from encoders.rules.parts.places.obligations import LabelledGoal, about_move, about_reply, about_winning
from encoders.rules.parts.places.section import PICKED_HEAP, PICKED_PLACE, PlaceChoice, PlacesProof
from encoders.rules.parts.places.theory import PlacesTheory

_NUMBERS = "It describes positions by numbers computed over the places of lists"
_LOSSES = (
    f"{_NUMBERS}. It names the losing positions, shows that no move leads from one to another, and gives a move to one "
    "from every other position."
)
_VALUES = (
    f"{_NUMBERS}, and gives the Grundy value of each: every move changes it, and to each smaller value a move is named."
)


def make_outline(theory: PlacesTheory, claim: Claim) -> Outline:
    """Its tables, empty ones left out: in the words of the claim, as its file has them. Raises Unsupported."""
    proof = claim.proof
    assert isinstance(proof, PlacesProof)
    folds = (
        OutlineRow((say(x.name), OutlineCell((x.term,), WordingKind.FOLD)), (TERMS.of(name=x.name).shown,))
        for x in proof.folds
    )
    moves = tuple(_list_moves(theory, proof))
    tables = (
        _say_who_loses(theory, proof, {name for line in moves for _, name in line.shown_by}),
        OutlineTable("folds", "Numbers computed over places", ("Name", "Definition"), tuple(folds)),
        OutlineTable("moves", "The moves that it names", ("Where", "When", "Move", "By picking"), moves),
        OutlineTable(
            "claim", "What follows", ("Statement",), (OutlineRow((say(claim.conclusion),), (FOLLOWS.of().shown,)),)
        ),
    )
    names = {fold.name: fold.term for fold in proof.folds}
    shown = (replace(table, names=names) for table in tables if table.lines)
    return Outline(_LOSSES if proof.value is None else _VALUES, tuple(shown))


def _say_who_loses(theory: PlacesTheory, proof: PlacesProof, of_moves: set[str]) -> OutlineTable:
    """Where the mover loses, or the value, with all that shows it but the moves that are named."""
    asked = [
        *about_winning(theory),
        *(x for i in range(len(theory.board.game.ruleset.moves)) for x in _closed(theory, i)),
    ]
    shown = tuple(label.shown for label, *_ in asked if label.name not in of_moves)
    if proof.loses is not None:
        return OutlineTable(
            "loses",
            "Who loses",
            ("Who", "Loses when"),
            (OutlineRow((say("The player to move"), when(proof.loses)), shown),),
        )
    assert proof.value is not None
    return OutlineTable(
        "loses", "The value", ("Of what", "Value"), (OutlineRow((say("A position"), say(proof.value)), shown),)
    )


def _closed(theory: PlacesTheory, number: int) -> Iterable[LabelledGoal]:
    """Of a kind of move that it leads from no loss to a loss, or changes the value."""
    return list(about_move(theory, number))[2::3]


def _list_moves(theory: PlacesTheory, proof: PlacesProof) -> Iterator[OutlineRow]:
    for i, named in enumerate(proof.moves, 1):
        assert theory.proof.pick is not None and proof.pick is not None
        shown = tuple(label.shown for label, *_ in about_reply(theory, theory.proof.pick, i, theory.proof.moves[i - 1]))
        cells = (
            _say_place(proof.pick),
            when(named.when),
            say(str(named.number + 1)),
            OutlineCell(tuple(assigned(named.take))),
        )
        yield OutlineRow(cells, shown)


def _is_place(name: str, picked: Term) -> bool:
    """Whether the number picked is the place, by the name that it has."""
    return isinstance(picked, Variable) and picked.name == name == PICKED_PLACE


def _say_place(pick: PlaceChoice) -> OutlineCell:
    """Place i of a heap h that has the top bit of the nim-sum."""
    at = "at the top bit of"
    if pick.aim is None:
        return say(f"place {PICKED_PLACE} of a heap {PICKED_HEAP},", at, name_of(pick.name))
    return say(f"place {PICKED_PLACE} of a heap {PICKED_HEAP},", at, nim(name_of(pick.name), pick.aim))
