"""Whose turn it is in a proof of who wins; and the kinds of obligations of such a proof.

A move that a proof names is a reply, which leads to a loss of the next player, or one that shows that there is a move
where it is a loss; cases in it are numbered below it: reply 1.2.
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
from encoders.trust import ObligationKind, ObligationLabel, to_move

LEADS_TO_LOSS = (
    "Some legal move leads from one position that the invariant calls lost to another",
    (
        "Look at the values: if positions have them, the invariant is wrong there. If none has, the folds forget "
        "something: name it as one more fold, or state as a fact what cannot be"
    ),
)
COVERED = ObligationKind(
    "cases cover{who}",
    "The invariant does not call some position lost, and no `when` holds there",
    "Name the move that wins there, by another [[proof.moves]]; it may be a position of more heaps than the scope has. "
    "If there is no such position, say so by a fact",
    "the moves below cover the rest",
)
HEAP = ObligationKind(
    "reply {number}{who}: heap",
    "Where `when` holds there need be no such heap",
    "Let `when` count the heaps that are picked, or for the top bit of X say that X is not 0; a fact may say that "
    "there is one",
    "exists",
)
CASES = ObligationKind(
    "reply {number}{who}: the cases cover",
    "Whatever heap is picked, some case of the reply has to hold, and none does",
    "Add the missing case to the reply",
    "one of the cases holds",
)
LEGAL = ObligationKind(
    "reply {number}{who}: legal",
    "The move is not legal on every heap that the pick may give",
    "Change `take`, or ask more of the heap or of the position: a reply may become two",
    "legal",
)
TO_LOSS = ObligationKind(
    "reply {number}{who}: leads to a loss",
    "What the move leaves need not be lost for the next player",
    "Work out what it does to the folds: to each fold without the heap, and to the heap. Where it goes wrong another "
    "move is needed, or another invariant",
    "leads to a loss",
)
MOVABLE = ObligationKind(
    "stuck{who}: the cases cover every loss",
    "Under misère play a player who cannot move wins, and at some lost position no named move is known to be there",
    'Name one for every loss, by a [[proof.moves]] with to = "anywhere"',
    "there is always a move",
)
STUCK_HEAP = ObligationKind(
    "stuck {number}{who}: heap",
    "At a lost position where its `when` holds there need be no such heap",
    "Let the invariant say that there is a heap, or narrow the pick",
    "exists",
)
STUCK_CASES = ObligationKind(
    "stuck {number}{who}: the cases cover", CASES.means, "Add the missing case to the move", CASES.shows
)
STUCK_LEGAL = ObligationKind(
    "stuck {number}{who}: legal",
    "At a lost position the move need not be legal",
    "Name a move that is: it may lead anywhere",
    "legal",
)
OF_WHO_WINS = (COVERED, HEAP, LEGAL, TO_LOSS, MOVABLE, STUCK_HEAP, STUCK_LEGAL)
"""But for what no move does, which each view of positions says in its own way."""


class Named(Protocol):
    """A move that a proof names."""

    @property
    def player(self) -> int | None:
        """Whose it is; None: every player's."""

    @property
    def to_loss(self) -> bool:
        """Whether it leads to a position that is lost."""

    @property
    def when(self) -> Term:
        """Where it is made."""


M = TypeVar("M", bound=Named)
R = TypeVar("R", bound=SequentReader)


@dataclass(frozen=True)
class MoveNames:
    """The obligations of a named move, or of a case in it: "1", "1.2"."""

    reply: bool
    number: str
    who: str

    def _make_label(self, reply: ObligationKind, stuck: ObligationKind) -> ObligationLabel:
        return (reply if self.reply else stuck).make_label(number=self.number, who=self.who)

    @property
    def heap(self) -> ObligationLabel:
        """That there is a heap to pick."""
        return self._make_label(HEAP, STUCK_HEAP)

    @property
    def covered(self) -> ObligationLabel:
        """That, whatever heap is picked, one of the cases in it holds."""
        return self._make_label(CASES, STUCK_CASES)

    @property
    def legal(self) -> ObligationLabel:
        return self._make_label(LEGAL, STUCK_LEGAL)

    @property
    def to_loss(self) -> ObligationLabel:
        return TO_LOSS.make_label(number=self.number, who=self.who)

    def then(self, number: int) -> MoveNames:
        """A case in it."""
        return MoveNames(self.reply, f"{self.number}.{number}", self.who)


@dataclass(frozen=True, eq=False)
class MoverPair:
    """`mover` is to move, then `following`: indices of players, both 0 where all have the same moves.

    `stuck`: under misère play the named moves cover only the positions at which he can move, not all with heaps.
    """

    game: Game
    mover: int
    following: int
    stuck: bool = False

    @property
    def player(self) -> str:
        """The mover by name; "" where all have the same moves."""
        return "" if self.game.ruleset.impartial else self.game.ruleset.players[self.mover]

    @property
    def who(self) -> str:
        """The mover, behind a name."""
        return to_move(self.player)

    def label_moves(self, moves: Iterable[M]) -> Iterator[tuple[ObligationLabel, list[tuple[MoveNames, M]]]]:
        """The moves of the proof: that they cover, and each of them.

        First the replies, to a loss of the next player; under misère play then those that show that there is a move.
        """
        own = [m for m in moves if m.player in (None, self.mover)]
        for to_loss in (True, False) if self.game.ruleset.stuck_wins else (True,):
            found = enumerate((m for m in own if m.to_loss is to_loss), 1)
            label = (COVERED if to_loss else MOVABLE).make_label(who=self.who)
            yield label, [(MoveNames(to_loss, str(number), self.who), move) for number, move in found]


def turns_of(game: Game, stuck: Collection[int] = ()) -> Iterator[MoverPair]:
    """A turn for each who moves differently. Raises Unsupported for other games than those of two players."""
    ruleset = game.ruleset
    if len(ruleset.players) != 2:
        instead = 'take rule = "value"'
        raise Unsupported(f"{ruleset.id}: a proof of who wins is about two players", instead=instead)
    for mover in movers(game):
        yield MoverPair(game, mover, 0 if ruleset.impartial else 1 - mover, mover in stuck)


Covered = Callable[[MoverPair, list[Term], bool], Callable[[R], Entailment]]
"""That at each position that is no loss, or that is one, some of the conditions holds."""


def find_stuck(
    game: Game,
    moves: Iterable[M],
    covered: Covered[R],
    start: Callable[[], R],
    decide: Callable[[Sequent], bool],
) -> frozenset[int]:
    """The movers who may be stuck with heaps left, which wins under misère play, as far as the proof shows otherwise.

    Of others the named moves cover all positions that are not lost and have heaps.  Raises Unsupported.
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
    """The obligations, whatever is seen of positions.

    `closed`: that no move leads from a loss to a loss.  `steps`: those of a named move.  `stuck`: see `find_stuck`.
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
    """Where the mover loses, and what shows it."""
    who = f"{turn.player}, to move," if turn.player else "The player to move"
    covered = tuple(label.shown for label, _ in turn.label_moves(()))
    return OutlineRow((say(who), OutlineCell() if loses is None else say_condition(loses)), (*closed, *covered))


def show_moves(
    turn: MoverPair, columns: tuple[str, ...], moves: Iterable[M], lines: Callable[[MoveNames, M], Iterable[OutlineRow]]
) -> Iterator[OutlineTable]:
    """The moves that a proof names: the replies, which win; the others, which can be made where it is a loss."""
    who = turn.player or "The player to move"
    for label, named in turn.label_moves(moves):
        one = "this move" if len(named) == 1 else f"one of these {len(named)} moves"
        does = "can move where it is a loss" if label.kind is MOVABLE else f"wins everywhere else, by {one}"
        yield OutlineTable(
            "moves", f"{who} {does}", columns, tuple(x for names, move in named for x in lines(names, move))
        )
