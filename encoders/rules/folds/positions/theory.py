"""One sequent's worth of positions of any number of heaps, seen through folds.

What reads terms about positions, moves, options and sets stands on this; `FoldReader` puts them together.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from itertools import pairwise

from claims.language.statement.claim import Claim, Game
from claims.language.terms import terms as t
from encoders.ground.refusals import Unsupported
from encoders.ground.trust import Reason
from encoders.logic.reader import Env, name_players
from encoders.logic.terms import YES, ZERO, at_most, compare, conjunction, disjunction, equal
from encoders.rules.folds.numbers.reader import Sizes
from encoders.rules.folds.positions.effects import Cuts
from encoders.rules.folds.positions.extremes import Extreme
from encoders.rules.folds.positions.folding import Folding
from encoders.rules.folds.positions.positions import (
    REST,
    AnyFold,
    Fold,
    HeapReplacement,
    OptionalHeap,
    Position,
    of_heaps,
    positions_equal,
)
from encoders.rules.folds.statement.extremes import LARGEST, LEAST
from encoders.rules.folds.statement.section import BESIDE, PICKED_HEAP, FoldsProof


class FoldsTheory(Sizes):
    """`root`: the claim's integers; in an Env a variable stands for a term, a Position, or an int (a player).

    `named`: the folds that the proof and its lemmas name.  `heaps`: how many heaps there are.
    """

    heaps: Fold

    def __init__(self, claim: Claim, proof: FoldsProof, cuts: Cuts) -> None:
        super().__init__(proof.bits)
        self.claim, self.proof, self.cuts = claim, proof, cuts
        self.player_names = name_players(claim)
        self.folding = Folding(self)
        self.named: dict[str, AnyFold] = {}
        self.free: list[Position] = []
        self.splits: list[tuple[t.Term, Position, Position]] = []  # where the first holds, the two are the same

    @abstractmethod
    def position_of(self, term: t.Term, env: Env) -> Position:
        """A position. Raises Unsupported for one that is neither a variable nor written down."""

    @abstractmethod
    def some_option(self, game: Game, s: Position, mover: int, fits: Callable[[Position], t.Term]) -> t.Term:
        """Whether some option of s fits; what a lemma asks about an option stays free whenever it is asked."""

    # -- positions ----------------------------------------------------------------------------------------------------
    def position(self, name: str) -> Position:
        """A free position: any finite number of heaps, of which every fact of the proof holds."""
        made = Position(name, self.symbols, self.highest)
        self.free.append(made)
        return made

    def in_order(self) -> Position:
        """The position of the claim, of the heaps that the proof names, in ascending order; terms may name them."""
        heaps = [self.size(name, low=1) for name in self.proof.heaps]
        self.learn(Reason.IN_ORDER, *(at_most(*pair) for pair in pairwise(heaps)))
        self.root = {**self.root, **dict(zip(self.proof.heaps, heaps, strict=True))}
        made = of_heaps(self.symbols, self.highest, self.proof.position, tuple(map(OptionalHeap, heaps)))
        made.ordered = True
        return made

    def beside(self, name: str, rest: Position, heap: t.Term) -> Position:
        """The rest with one more heap, above 0."""
        return Position(name, self.symbols, self.highest, (OptionalHeap(heap), rest))

    def split(self, s: Position, where: t.Term, name: str) -> tuple[t.Term, Position]:
        """A heap of s and the rest, where the condition `where` grants that there is one."""
        heap = self.size(f"heap of {name}", low=1)
        rest = self.position(f"{REST}{name}")
        rest.without = s, heap
        self.splits.append((where, s, self.beside(name, rest, heap)))
        return heap, rest

    def after(self, rest: Position, size: t.Term) -> Position:
        """The rest with a heap of `size` beside it; none if that is 0."""
        heap = OptionalHeap(size, compare("gt", size, ZERO))
        listed = None if rest.listed is None else (*rest.listed, heap)
        change = None if rest.without is None else HeapReplacement(*rest.without, size, rest)
        return Position("after", self.symbols, self.highest, (heap, rest), listed, change=change)

    def take_from(self, s: Position, where: t.Term) -> list[tuple[OptionalHeap, Position]]:
        """The ways to single out a heap of s: (the heap, with whether it is there, the rest)."""
        if s.listed is None:
            heap, rest = self.split(s, where, s.name)
            return [(OptionalHeap(heap), rest)]
        found = []
        for i, taken in enumerate(s.listed):
            rest = of_heaps(self.symbols, self.highest, "rest", s.listed[:i] + s.listed[i + 1 :])
            rest.without = s, taken.heap
            found.append((taken, rest))
        return found

    def same_position(self, a: Position, b: Position) -> t.Term:
        """Whether two positions are the same.

        One of n equal heaps is known by its number of heaps and, if there is one, by the least and the largest being
        of their size; others must be written down heap by heap.  Raises Unsupported.
        """
        if a is b:
            return YES
        for one, other in ((a, b), (b, a)):
            if one.copies is not None:
                size, number = one.copies
                ends = (equal(other.fold(self.extreme(which)), size) for which in (LEAST, LARGEST))
                return conjunction(
                    equal(other.fold(self.heaps), number), disjunction(equal(number, ZERO), conjunction(*ends))
                )
        return positions_equal(a, b)

    # -- folds --------------------------------------------------------------------------------------------------------
    def fact(self, term: t.Term, position: Position) -> t.Term:
        """A fact of the proof, said of a position."""
        return self.truth(term, self.seen(position))

    def loses(self, position: Position, player: int) -> t.Term:
        """The invariant: the player, to move at the position, loses. Raises Unsupported where the proof has none."""
        if len(self.claim.games) != 1:
            instead = 'put a theorem about each game into `by`, or take rule = "equal games"'
            raise Unsupported("an invariant of one game, in a claim about several", instead=instead)
        (game,) = self.claim.games
        table = dict(self.proof.loses)
        who = 0 if game.ruleset.impartial else player
        if who not in table:
            instead = "say there where each mover loses, or put a theorem that says who wins into `by`"
            raise Unsupported("the claim asks who wins, and the proof has no [proof.loses]", instead=instead)
        return self.truth(table[who], self.seen(position))

    def seen(self, position: Position) -> Env:
        """The names of the proof's folds, with their values at a position."""
        return {**self.root, **{name: position.fold(fold) for name, fold in self.named.items()}}

    def seen_beside(self, position: Position, heap: t.Term, rest: Position) -> Env:
        """Those at the position, the heap that is picked, and those of the rest."""
        others = {f"{BESIDE}{name}": rest.fold(fold) for name, fold in self.named.items()}
        return {**self.seen(position), **others, PICKED_HEAP: heap}

    def count(self, condition: t.Term, heap: str) -> Fold:
        """How many heaps meet the condition, in which `heap` runs over them. Raises Unsupported."""
        return self.folding.count(condition, heap)

    def extreme(self, which: str) -> Extreme:
        """The least heap (LEAST) or the largest."""
        return self.folding.extreme(which)

    def extremes_of(self, position: Position) -> list[t.Term]:
        """What holds of the least and the largest heap, and of how often each occurs, at a position."""
        for which in (LEAST, LARGEST):
            self.folding.times(which)
        return list(self.folding.extremes.possible(position, self.heaps, self.folding.made))
