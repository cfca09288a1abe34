"""Whether some option of a position fits: a truth value B with what is known of it.

If B, some heap h of s has a legal move to a t that fits (h, the rest and the numbers picked are fresh); and each named
move of the proof that is legal and leads to a t that fits makes B true.  Both are facts whatever B stands under.
So are those of a position in which one known heap is replaced, and that is to be an option: see `is_played`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from claims.language.statement.claim import Game
from claims.language.terms import terms as t
from encoders.ground.trust import Reason
from encoders.logic.moves import HEAP, OpenMove, open_several
from encoders.logic.polynomials import Polynomial, polynomial
from encoders.logic.sequent import names_in
from encoders.logic.terms import conjunction, disjunction, equal, implies, sub
from encoders.rules.folds.positions.positions import HeapReplacement, Position
from encoders.rules.folds.positions.theory import FoldsTheory
from encoders.rules.folds.reading.moves import kinds_of, picks_of, play, play_named, playable, take_of
from encoders.rules.folds.reading.play import kinds_on, play_on, put_back, take_out, ways_of

At = tuple[int, int, str]  # a position, by its identity, a mover and a game
Fits = Callable[[Position], t.Term]


class NamedOptions:
    """Per position, mover and game: the options named so far, with their conditions, and what is asked of them."""

    def __init__(self, theory: FoldsTheory) -> None:
        self.theory = theory
        self._named: dict[At, list[tuple[t.Term, Position]]] = {}
        self._asked: dict[At, list[tuple[t.Term, Fits]]] = {}
        self._kept: list[Position] = []  # so that their identities stay theirs

    def some(self, game: Game, s: Position, mover: int, fits: Fits) -> t.Term:
        """A truth value for: some option of s fits. Raises Unsupported for a game whose moves are not followed."""
        exists = self.theory.symbols.truth("some option")
        at = (id(s), mover, game.name)
        if at not in self._named:
            self._kept.append(s)
            self._named[at], self._asked[at] = list(self._named_moves(game, s, mover)), []
        ways = list(self._ways(game, s, mover))
        for way, there, option in ways:
            self.theory.learn(Reason.OPTION, implies(way, conjunction(there, fits(option))))
            self._named[at].append((way, option))
        self.theory.learn(Reason.OPTION, implies(exists, disjunction(*(way for way, _, _ in ways))))
        self._asked[at].append((exists, fits))
        return exists

    def _named_moves(self, game: Game, s: Position, mover: int) -> Iterator[tuple[t.Term, Position]]:
        """The options that the proof names, each with the condition that it is one."""
        if self.theory.proof.by_cases(game.ruleset):
            yield from self._named_on_several(game, s, mover)
            return
        for named in self.theory.proof.moves:
            for move in kinds_of(named, game, mover):
                for where, heap, rest in picks_of(self.theory, named, s):
                    legal, size, made = play_named(self.theory, named, move, s, where, heap, rest)
                    self.theory.learn(Reason.OPTION, implies(conjunction(where, legal), made))
                    yield conjunction(where, legal), self.theory.after(rest, size)

    def _ways(self, game: Game, s: Position, mover: int) -> Iterator[tuple[t.Term, t.Term, Position]]:
        """By each move: (a truth value for an option so reached, what that grants, the option)."""
        if self.theory.proof.by_cases(game.ruleset):
            yield from self._ways_on_several(game, s, mover)
            return
        for move in playable(game, mover):
            whole = self.theory.symbols.truth("by this move")
            for taken, rest in self.theory.take_from(s, whole):
                way = whole if s.listed is None else self.theory.symbols.truth("by this heap")
                legal, size, made = play(self.theory, move, taken.heap, rest, None)
                yield way, conjunction(taken.present, legal, made), self.theory.after(rest, size)

    # -- moves that choose several heaps ------------------------------------------------------------------------------
    def _named_on_several(self, game: Game, s: Position, mover: int) -> Iterator[tuple[t.Term, Position]]:
        for named in self.theory.proof.several:
            if named.player not in (None, mover):
                continue
            for stage, take in ways_of(self.theory, named, s):
                for move in kinds_on(game, mover, len(stage.heaps), take):
                    legal, sizes, made = play_on(self.theory, move, stage.heaps, take)
                    self.theory.learn(Reason.OPTION, implies(conjunction(stage.where, legal), made))
                    yield conjunction(stage.where, legal), put_back(self.theory, stage.rest, sizes)

    def _ways_on_several(self, game: Game, s: Position, mover: int) -> Iterator[tuple[t.Term, t.Term, Position]]:
        for move in open_several(game, mover):
            whole = self.theory.symbols.truth("by this move")
            for there, heaps, rest in take_out(self.theory, s, whole, len(move.heaps)):
                way = whole if s.listed is None else self.theory.symbols.truth("by these heaps")
                legal, sizes, made = play_on(self.theory, move, heaps, None)
                yield way, conjunction(there, legal, made), put_back(self.theory, rest, sizes)

    def answers(self) -> Iterable[t.Term]:
        """Every question answered at every option named: one that fits makes it true.

        An answer may ask about the option's own options, one level of the claim deeper each time.
        """
        known: list[t.Term] = []
        done: set[tuple[At, int, int]] = set()
        while todo := [x for x in self._pairs() if x not in done]:
            for at, i, j in todo:
                done.add((at, i, j))
                (exists, fits), (where, option) = self._asked[at][i], self._named[at][j]
                known.append(implies(conjunction(where, fits(option)), exists))
        return known

    def _pairs(self) -> list[tuple[At, int, int]]:
        return [
            (at, i, j)
            for at, asked in self._asked.items()
            for i in range(len(asked))
            for j in range(len(self._named[at]))
        ]


# -- positions in which one heap is replaced --------------------------------------------------------------------------
def is_played(theory: FoldsTheory, game: Game, mover: int, made: HeapReplacement) -> t.Term:
    """A truth value for: a legal move leads there. Raises Unsupported for a game whose moves are not followed.

    Such a move is one on that very heap, or on one of its size: a move on another heap makes that smaller, so the
    position it leads to has more of the replaced one left than there is.  If it leads there, some numbers picked are
    legal on the heap and leave the size; and if numbers that the proof names, or that the size determines, do so, it
    does.
    """
    played = theory.symbols.truth("a legal move")
    moves = playable(game, mover)
    ways = [play(theory, move, made.heap, made.rest, None) for move in moves]
    reached = (conjunction(legal, done, equal(size, made.size)) for legal, size, done in ways)
    theory.learn(Reason.OPTION, implies(played, disjunction(*reached)))
    for move in moves:
        for take in _taken(theory, move, made):
            legal, size, done = play(theory, move, made.heap, made.rest, take)
            theory.learn(Reason.OPTION, implies(legal, done))  # a legal move makes a heap of some size: measure
            theory.learn(Reason.OPTION, implies(conjunction(legal, equal(size, made.size)), played))
    return played


def _taken(theory: FoldsTheory, move: OpenMove, made: HeapReplacement) -> Iterator[dict[str, t.Term]]:
    """Numbers to pick, by the ruleset's names."""
    for named in theory.proof.moves:
        take = take_of(theory, named, made.of, made.heap, made.rest)
        if all(pick.word in take or pick.is_known for pick in move.picks):
            yield take
    if len(move.picks) == 1:
        (pick,) = move.picks
        rest = polynomial(move.become)
        sign = rest.coefficients.pop((pick.name,), None)
        if sign in (1, -1) and not _mentions(rest, pick.name):
            left = theory.number(rest.term(), {**theory.root, HEAP: made.heap})
            yield {pick.word: sub(left, made.size) if sign == -1 else sub(made.size, left)}


def _mentions(number: Polynomial, name: str) -> bool:
    """Whether a name stands in what a polynomial is made of."""
    return any(name in names_in(x) for m in number.coefficients for x in (number.atoms[key] for key in m))
