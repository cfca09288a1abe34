"""What the parts of the fold rule know of each other: moves, options and sets are read by way of this."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from claims.language.expressions import terms as t
from claims.language.statement.claim import Claim, Game
from encoders.logic.reader import Env
from encoders.logic.sequent import Symbols
from encoders.rules.folds.extremes.folds import Extreme
from encoders.rules.folds.numbers.effects import Cuts
from encoders.rules.folds.reading.positions import AnyFold, Fold, Listed, Position
from encoders.rules.folds.section import FoldsProof


class Theory(Protocol):
    """One sequent's worth of symbols: the integers of a claim, positions, and what is known of them.

    Whatever reads a term raises Unsupported for what it does not know.
    """

    claim: Claim
    proof: FoldsProof
    symbols: Symbols
    known: list[t.Term]
    lemmas: dict[str, list[t.Term]]
    cuts: Cuts

    highest: int | None
    """The largest size of a heap; None where the proof has no bound."""

    @property
    def root(self) -> Env:
        """The claim's integers."""

    def number(self, term: t.Term, env: Env) -> t.Term: ...

    def truth(self, term: t.Term, env: Env) -> t.Term: ...

    def player(self, term: t.Term, env: Env) -> int: ...

    def position_of(self, term: t.Term, env: Env) -> Position: ...

    def some_option(self, game: Game, s: Position, mover: int, fits: Callable[[Position], t.Term]) -> t.Term:
        """Whether some option of s fits."""

    def position(self, name: str) -> Position:
        """A free position."""

    def split(self, s: Position, where: t.Term, name: str) -> tuple[t.Term, Position]:
        """A heap of s and the rest, where the condition `where` grants that there is one."""

    def take_from(self, s: Position, where: t.Term) -> list[tuple[Listed, Position]]:
        """The ways to single out a heap of s."""

    def after(self, rest: Position, size: t.Term) -> Position:
        """The rest with a heap of `size` beside it; none if that is 0."""

    def seen(self, position: Position) -> Env:
        """The names of the proof's folds, with their values at a position."""

    def seen_beside(self, position: Position, heap: t.Term, rest: Position) -> Env:
        """Those at the position, the heap that is picked, and those of the rest."""

    def size(self, name: str, low: int = 0) -> t.Variable:
        """A fresh size of a heap."""

    def within(self, name: str, low: t.Term, high: t.Term) -> tuple[t.Variable, t.Term]:
        """A fresh integer, and the condition low <= it <= high."""

    def named_fold(self, name: str) -> AnyFold | None:
        """A fold that the proof names."""

    def count(self, condition: t.Term, heap: str) -> Fold:
        """How many heaps meet the condition, in which `heap` runs over them."""

    def extreme(self, which: str) -> Extreme:
        """The least heap (LEAST) or the largest (LARGEST)."""

    @property
    def heaps(self) -> Fold:
        """How many heaps there are."""

    @property
    def sizes(self) -> str:
        """What a heap or none may be, in words."""

    def is_size(self, number: t.Term) -> bool:
        """Whether a number is known to be one that a heap may have, or 0."""
