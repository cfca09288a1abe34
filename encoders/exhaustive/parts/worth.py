"""What positions of two players under normal play are worth, by their canonical forms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from claims.language.builtins.meanings import Value
from encoders.exhaustive.arrays.limits import Deadline, TooLarge
from encoders.exhaustive.partizan.canonical import CanonicalFormId, Games
from encoders.exhaustive.partizan.thermographs import Thermograph, Thermographs
from encoders.exhaustive.parts.meaning import Undefined
from encoders.exhaustive.parts.order import Position

COMPARISONS = 20_000_000  # of games
_EVERY = 1 << 10  # comparisons between two looks at the clock


class Comparisons:
    """How many comparisons are left."""

    def __init__(self, clock: Deadline) -> None:
        self.clock, self.left = clock, COMPARISONS

    def take(self) -> None:
        """Count one. Raises TooLarge and OutOfTime."""
        self.left -= 1
        if self.left < 0:
            raise TooLarge(f"more than {COMPARISONS} comparisons of games")
        if self.left % _EVERY == 0:
            self.clock.check()


class EnginePartizanValues:
    """What positions are worth to Left, the first player.

    `reach`: the positions one move of a mover away; `apart`: whether a position is the sum of its heaps.  What is asked
    may raise TooLarge, and what `reach` and the countdown of `games` do.
    """

    def __init__(self, reach: Callable[[Position, int], tuple[Position, ...]], apart: bool, games: Games) -> None:
        self.reach, self.apart, self.games = reach, apart, games
        self._thermographs = Thermographs(self.games)
        self._forms: dict[Position, CanonicalFormId] = {}

    def answer(self, function: str, s: Position, *others: Position) -> Value:
        """`le`, `number`, `mean` or `temperature`. Raises Undefined."""
        match function, others:
            case "le", [other]:
                return self.is_at_most(s, other)
            case "number", []:
                return self.number(s)
            case "mean", []:
                return self.cool(s).mean
        return self.cool(s).temperature

    def find_winner(self, s: Position, mover: int) -> int:
        """The offset of the winner from the mover: Left loses, to move at s, just if s <= 0, and Right if s >= 0."""
        form, zero = self.form(s), self.games.zero
        return int(self.games.is_at_most(form, zero) if mover == 0 else self.games.is_at_most(zero, form))

    def is_at_most(self, s: Position, t: Position) -> bool:
        """s <= t."""
        return self.games.is_at_most(self.form(s), self.form(t))

    def number(self, s: Position) -> Fraction:
        """The number that s is. Raises Undefined."""
        found = self.games.value_of(self.form(s))
        if found is None:
            raise Undefined("no number")
        return found

    def cool(self, s: Position) -> Thermograph:
        """Mean value and temperature."""
        return self._thermographs.of(self.form(s))

    def form(self, s: Position) -> CanonicalFormId:
        """The canonical form, found where those of all options, or of the single heaps, are known."""
        todo = [s]
        while todo:
            x = todo[-1]
            parts = self._list_parts(x)
            missing = [y for side in parts for y in side if y not in self._forms]
            if missing and x not in self._forms:
                todo += missing
                continue
            todo.pop()
            if x not in self._forms:
                self._forms[x] = self._put_together(x, parts)
        return self._forms[s]

    def _is_sum(self, s: Position) -> bool:
        return self.apart and len(s) > 1

    def _list_parts(self, s: Position) -> tuple[tuple[Position, ...], ...]:
        return (tuple((h,) for h in s),) if self._is_sum(s) else (self.reach(s, 0), self.reach(s, 1))

    def _put_together(self, s: Position, parts: tuple[tuple[Position, ...], ...]) -> CanonicalFormId:
        forms = [[self._forms[x] for x in side] for side in parts]
        try:
            return self._add_up(forms[0]) if self._is_sum(s) else self.games.make(*forms)
        except RecursionError:
            raise TooLarge("play too long for its canonical form to be found") from None

    def _add_up(self, forms: list[CanonicalFormId]) -> CanonicalFormId:
        found = self.games.zero
        for form in forms:
            found = self.games.add(found, form)
        return found
