"""Winners and Grundy values of positions, computed by the fast engines that also search the scopes of claims.

All positions belong to one game with fixed parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, islice

import numpy as np

from checks.boards.question import GAME
from checks.judgement.routes import Exhausted, guard
from checks.referee.given import HeapTables
from checks.referee.meaning import IllDefined, LimitReached
from claims.language.files.rulesets import Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Position, Setting, Value
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION
from encoders.compute.arrays.beyond_scope import make_claim
from encoders.compute.arrays.evaluate import Sheet
from encoders.compute.arrays.limits import MAX_POSITIONS, BadRuleset, Deadline, OutOfTime, TooLarge
from encoders.compute.arrays.positions import count_box
from encoders.refusals import Unsupported
from encoders.trust import Trust

MOST = 1 << 40  # objects in a heap; larger numbers do not fit in the arrays


class Engines:
    """The engines, applied to one game with fixed parameters.

    `seconds`: the time limit for all calls together, or None for no limit.
    `names`, `trusted`: the names of the engines that were used so far, and the theorems that they trust.
    Every method may raise LimitReached. It raises IllDefined if the rules are invalid.
    """

    def __init__(self, ruleset: Ruleset, parameters: Mapping[str, Value], seconds: float | None) -> None:
        self.ruleset, self.seconds = ruleset, seconds
        self.sheet = Sheet(make_claim(ruleset, parameters, GAME), (), Deadline(seconds))
        self.names, self.trusted = set[str](), set[Trust]()

    def find_values(self, places: Sequence[Position], mover: int) -> list[int]:
        """Return, for each position, the winner if `mover` moves first.

        The winner is counted in turns from the mover: 0 if the mover wins, 1 if the next player wins, and so on.
        """
        args = (_POSITION, t.Literal(PLAYER, 0, 0, mover))
        if len(self.ruleset.players) == 2:  # then the engines return only whether the mover wins
            return [1 - wins for wins in self._ask(t.GameCall(BOOL, 0, 0, "wins", GAME, args), places)]
        return self._ask(t.GameCall(INT, 0, 0, "value", GAME, args), places)

    def find_grundy(self, places: Sequence[Position]) -> list[int] | None:
        """Return the Grundy values of the positions, in the same order.

        If no engine supports the game, return None if the players have different moves, and raise LimitReached if they
        have the same moves.
        """
        try:
            return self._ask(t.GameCall(INT, 0, 0, "grundy", GAME, (_POSITION,)), places)
        except _Unserved:
            if self.ruleset.impartial:
                raise
            return None

    def make_tables(self, heap: int, movers: Iterable[int], valued: bool, steps: int) -> HeapTables:
        """Return tables of the positions with one heap of 0 to `heap` objects, for the referee to verify.

        If `valued` is true, the tables contain Grundy values, and otherwise the winners for each mover in `movers`.
        `steps`: the number of steps in which the referee must verify one table.
        """
        values, winners = dict[Setting, Sequence[int]](), dict[Setting, list[list[int]]]()
        if valued:
            self.find_grundy([(heap,)])
            values = self.sheet.boards[GAME].list_tables()
        for mover in () if valued else movers:
            self.find_values([(heap,)], mover)
            winners |= self.sheet.boards[GAME].list_winners()
        if not values and not winners:
            raise LimitReached(f"the engines found no values of single heaps up to {heap}")
        return HeapTables(values, winners, steps)

    def _ask(self, term: t.Term, places: Sequence[Position]) -> list[int]:
        if not places:
            return []
        if any(h > MOST for s in places for h in s):
            raise LimitReached(f"a heap has more than {MOST} objects")
        rows = np.array([*self._lay_out(places)], dtype=np.int64)
        try:
            found = guard(
                "while solving", lambda: self._catch_limits(lambda: self.sheet.evaluate_positions(term, "s", rows))
            )
        except Exhausted as fault:
            raise LimitReached(str(fault)) from None
        if isinstance(found, Exception):
            raise found
        board = self.sheet.boards[GAME]
        self.names |= board.engines
        self.trusted |= board.trusted
        return found[: len(places)]

    def _lay_out(self, places: Sequence[Position]) -> Iterator[Position]:
        """Yield the positions, padded on the left with heaps of 0 to equal length, then perhaps further positions.

        For example, (3,) and (1, 2) give (0, 3) and (1, 2). The further positions have the same number of heaps, none
        larger than the largest given heap. They make the engine solve all positions of this kind at once.
        """
        width, size = max(1, *map(len, places)), max((h for s in places for h in s), default=0)
        for s in places:
            yield (0,) * (width - len(s)) + s
        box = count_box(width, size)
        if width > 1 and self.ruleset.single_heap and box <= MAX_POSITIONS:
            yield from islice(combinations_with_replacement(range(size + 1), width), box // 64)

    def _catch_limits(self, work: Callable[[], list[int]]) -> list[int] | Exception:
        """Return the result of `work`. If a limit is reached or the rules are invalid, return the exception instead.

        The exception is a LimitReached or an IllDefined. The caller raises it after `guard` has returned, because
        `guard` reports each exception as an internal error.
        """
        try:
            return work()
        except OutOfTime:
            return LimitReached(f"the engines took more than {self.seconds:g} s")
        except TooLarge as limit:
            return LimitReached(f"too large: {limit}")
        except Unsupported as fault:
            return _Unserved(str(fault))
        except BadRuleset as fault:
            return IllDefined(str(fault))


class _Unserved(LimitReached):
    """No engine supports this game, or not the requested values."""


_POSITION = t.Variable(POSITION, 0, 0, "s")
