"""The turns in a proof of who wins, and the kinds of obligations of such a proof.

A proof names moves of two kinds. A *reply* leads to a position that the next player loses. In misère play, a move with
`to = "anywhere"` shows that a player who loses can move. Cases within a move have numbers such as "reply 1.2".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from claims.language.files.claim import Game
from claims.language.syntax.terms import Term
from encoders.logic.moves import movers
from encoders.logic.reader import Entailment, SequentReader
from encoders.logic.sequents import Sequent
from encoders.refusals import Unsupported
from encoders.rules.base.rule import (
    ObligationBuilder,
    OutlineCell,
    OutlineRow,
    OutlineTable,
    build_sequent,
    say,
    say_condition,
)
from encoders.trust import ObligationKind, ObligationLabel, TrustedRule, to_move

LEADS_TO_LOSS = (
    "Some legal move leads from one position that the invariant calls lost to another",
    (
        "Look at the values. If a real position has them, the invariant is wrong there. Otherwise the folds lose "
        "information: add a fold, or state as a fact that these values cannot occur"
    ),
)
COVERED = ObligationKind(
    "cases cover{who}",
    "At some position that the invariant does not call lost, no `when` holds",
    "Name the winning move there in another [[proof.moves]]; the position may have more heaps than the scope. "
    "If there is no such position, state this as a fact",
    "the moves below cover the rest",
)
HEAP = ObligationKind(
    "reply {number}{who}: heap",
    "`when` does not imply that there is a heap to pick",
    "Let `when` require that the number of heaps with this property is at least 1, or for the top bit of X that X is "
    "not 0; or state as a fact that there is a heap with this property",
    "exists",
)
CASES = ObligationKind(
    "reply {number}{who}: the cases cover",
    "For some picked heap no case of the reply holds",
    "Add the missing case to the reply",
    "one of the cases holds",
)
LEGAL = ObligationKind(
    "reply {number}{who}: legal",
    "The move is not legal on every heap that may be picked",
    "Change `take`, or restrict the heap or the position; it may help to split the reply in two",
    "legal",
)
TO_LOSS = ObligationKind(
    "reply {number}{who}: leads to a loss",
    "The position after the move need not be lost for the next player",
    "Compute the effect of the move on the folds: on each fold of the other heaps, and on the heap. If the result is "
    "not lost, use another move or another invariant",
    "leads to a loss",
)
KEEPS_VALUE = (
    "Some legal move leads to a position for which the formula gives the same value",
    "Compare the formula with computed Grundy values: it is wrong at one of the two positions",
)
NATURAL = ObligationKind(
    "the value is natural",
    "The formula gives a value below 0",
    "Correct the formula: the value of a terminal position is 0",
    "is natural",
)
VALUES = TrustedRule("least excluded value, by induction on the measure")
MOVABLE = ObligationKind(
    "stuck{who}: the cases cover every loss",
    "In misère play a player who cannot move wins, and at some lost position no named move is known to exist",
    'Name a move for every loss, in a [[proof.moves]] with to = "anywhere"',
    "there is always a move",
)
STUCK_HEAP = ObligationKind(
    "stuck {number}{who}: heap",
    "At a lost position, `when` does not imply that there is a heap to pick",
    "Let the invariant require a heap, or pick the heap differently",
    "exists",
)
STUCK_CASES = ObligationKind(
    "stuck {number}{who}: the cases cover", CASES.means, "Add the missing case to the move", CASES.shows
)
STUCK_LEGAL = ObligationKind(
    "stuck {number}{who}: legal",
    "The move may be illegal at a lost position",
    "Name a legal move; it may lead to any position",
    "legal",
)
OF_WHO_WINS = (COVERED, HEAP, LEGAL, TO_LOSS, MOVABLE, STUCK_HEAP, STUCK_LEGAL)
"""The kinds of obligations about who wins.

Each rule has its own kind for "no move leads from a loss to a loss".
"""


class Named(Protocol):
    """A named move of a proof."""

    @property
    def player(self) -> int | None:
        """Return the index of the player who makes the move; None for every player."""

    @property
    def to_loss(self) -> bool:
        """Whether the move must lead to a position that the next player loses."""

    @property
    def when(self) -> Term:
        """Return the condition under which the player makes the move."""


M = TypeVar("M", bound=Named)
R = TypeVar("R", bound=SequentReader)


@dataclass(frozen=True)
class MoveNames:
    """The labels of the obligations of a named move, or of one case of a named move.

    `reply`: whether the move must lead to a loss of the next player.
    `number`: "1" for the first move, "1.2" for the second case of this move.
    `who`: the words in a label that state the mover; "" in an impartial game.
    """

    reply: bool
    number: str
    who: str

    def _make_label(self, reply: ObligationKind, stuck: ObligationKind) -> ObligationLabel:
        return (reply if self.reply else stuck).make_label(number=self.number, who=self.who)

    @property
    def heap(self) -> ObligationLabel:
        """Return the label of the obligation "there is a heap to pick"."""
        return self._make_label(HEAP, STUCK_HEAP)

    @property
    def covered(self) -> ObligationLabel:
        """Return the label of the obligation "for every picked heap, one of the inner cases holds"."""
        return self._make_label(CASES, STUCK_CASES)

    @property
    def legal(self) -> ObligationLabel:
        return self._make_label(LEGAL, STUCK_LEGAL)

    @property
    def to_loss(self) -> ObligationLabel:
        return TO_LOSS.make_label(number=self.number, who=self.who)

    def then(self, number: int) -> MoveNames:
        """Return the labels of an inner case: for "1" and the number 2, the labels of "1.2"."""
        return MoveNames(self.reply, f"{self.number}.{number}", self.who)


@dataclass(frozen=True, eq=False)
class MoverPair:
    """A turn: the player `mover` moves, and `following` is the next player.

    Both are indices of players. In an impartial game both are 0.
    `stuck`: whether, in misère play, the mover may be unable to move although heaps are left. Then the replies need to
    cover only the positions where the mover can move, instead of all positions with heaps.
    """

    game: Game
    mover: int
    following: int
    stuck: bool = False

    @property
    def player(self) -> str:
        """Return the name of the mover; "" in an impartial game."""
        return "" if self.game.ruleset.impartial else self.game.ruleset.players[self.mover]

    @property
    def who(self) -> str:
        """Return the words in a label that state the mover, such as " (P1 to move)"; "" in an impartial game."""
        return to_move(self.player)

    def label_moves(self, moves: Iterable[M]) -> Iterator[tuple[ObligationLabel, list[tuple[MoveNames, M]]]]:
        """Yield (label, moves) for each group of named moves of this mover.

        The first group consists of the replies. In misère play, the second group consists of the moves which show that
        a losing player can move. At every position that needs a move of the group, the condition `when` of one of its
        moves must hold; `label` names the obligation that states this. Each move is paired with the labels of its own
        obligations.
        """
        own = [m for m in moves if m.player in (None, self.mover)]
        for to_loss in (True, False) if self.game.ruleset.stuck_wins else (True,):
            found = enumerate((m for m in own if m.to_loss is to_loss), 1)
            label = (COVERED if to_loss else MOVABLE).make_label(who=self.who)
            yield label, [(MoveNames(to_loss, str(number), self.who), move) for number, move in found]


def turns_of(game: Game, stuck: Collection[int] = ()) -> Iterator[MoverPair]:
    """Yield a turn for each player; only one turn for an impartial game.

    `stuck`: the players who may be unable to move; see `find_stuck`.
    Raises Unsupported unless the game has two players.
    """
    ruleset = game.ruleset
    if len(ruleset.players) != 2:
        instead = 'use rule = "value"'
        raise Unsupported(f"{ruleset.id}: a proof of who wins needs two players", instead=instead)
    for mover in movers(game):
        yield MoverPair(game, mover, 0 if ruleset.impartial else 1 - mover, mover in stuck)


Covered = Callable[[MoverPair, list[Term], bool], Callable[[R], Entailment]]
"""A function that returns a builder of the obligation that named moves cover all positions that need such a move.

Its arguments are the turn, the conditions `when` of the moves, and whether the positions are those where the mover
loses; otherwise they are those where the mover does not lose.
"""


def find_stuck(
    game: Game,
    moves: Iterable[M],
    covered: Covered[R],
    start: Callable[[], R],
    decide: Callable[[Sequent], bool],
) -> frozenset[int]:
    """Return the players who may be unable to move in misère play although heaps are left, and so win.

    A player is in the result unless the solver proves that the replies cover all positions with heaps that this player
    does not lose: at each of them, the condition `when` of some reply holds. Under normal play the result is empty.
    Raises Unsupported.

    `covered`: makes the obligation that the replies cover these positions; see `Covered`.
    `start`: makes the translator of this obligation. `decide`: asks the solver.
    """
    found = set()
    for turn in turns_of(game) if game.ruleset.stuck_wins else ():
        label, named = next(turn.label_moves(moves))
        if not decide(build_sequent(label, covered(turn, [move.when for _, move in named], False), start)):
            found.add(turn.mover)
    return frozenset(found)


def list_winning_obligations(
    game: Game,
    moves: Iterable[M],
    closed: Callable[[MoverPair], Iterable[ObligationBuilder[R]]],
    covered: Covered[R],
    steps: Callable[[MoverPair, MoveNames, M], Iterable[ObligationBuilder[R]]],
    stuck: Collection[int],
) -> Iterator[ObligationBuilder[R]]:
    """List the obligations about who wins, for any representation of positions.

    `closed`: lists the obligations that no move leads from a loss of the mover to a loss of the next player.
    `covered`: makes the obligation that named moves cover all positions that need them; see `Covered`.
    `steps`: lists the obligations of a named move.
    `stuck`: the players who may be unable to move; see `find_stuck`.
    """
    for turn in turns_of(game, stuck):
        yield from closed(turn)
        for label, named in turn.label_moves(moves):
            whens, at_loss = [move.when for _, move in named], label.kind is MOVABLE
            yield label, covered(turn, whens, at_loss)
            for names, move in named:
                yield from steps(turn, names, move)


# -- outlines ---------------------------------------------------------------------------------------------------------
def show_loss(turn: MoverPair, loses: Term | None, closed: Iterable[tuple[str, str]]) -> OutlineRow:
    """Return the outline row that states at which positions the mover loses, with the obligations that prove this.

    `loses`: the invariant; None to leave the cell empty.
    `closed`: pairs (short description, name) of the obligations "closed": no move leads from a loss to a loss.
    """
    who = f"{turn.player}, to move," if turn.player else "The player to move"
    covered = tuple(label.shown for label, _ in turn.label_moves(()))
    return OutlineRow((say(who), OutlineCell() if loses is None else say_condition(loses)), (*closed, *covered))


def show_moves(
    turn: MoverPair, columns: tuple[str, ...], moves: Iterable[M], lines: Callable[[MoveNames, M], Iterable[OutlineRow]]
) -> Iterator[OutlineTable]:
    """Yield the outline tables of named moves: the replies, and the moves that show that a losing player can move.

    `columns`: the headings. `lines`: returns the rows for a move; its arguments are the labels of the obligations
    of the move, and the move.
    """
    who = turn.player or "The player to move"
    for label, named in turn.label_moves(moves):
        one = "this move" if len(named) == 1 else f"one of these {len(named)} moves"
        does = "can move at every lost position" if label.kind is MOVABLE else f"wins at every other position, by {one}"
        yield OutlineTable(
            "moves", f"{who} {does}", columns, tuple(x for names, move in named for x in lines(names, move))
        )
