"""An instance of a move that a proof names: the smallest position found where it applies, judged by the referee."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations_with_replacement, islice, product

from checks.judgement.telling.saying import players_of
from checks.referee.judge import Referee
from checks.referee.meaning import IllDefined, LimitReached, Values, as_integer, position_key
from checks.results.proof import ExampleMove
from claims.language.statement.claim import Claim
from claims.language.statement.domains import IntervalDomain
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.rules.kit.outline import NamedPlay

INSTANCE_STEPS = 400_000  # the referee's, for all lines of one proof: under a second
HEAPS, SIZE = 3, 8  # of the positions looked at
CHOICES = 12  # of values of the claim's integers that are tried
SPREAD = 4  # how many values of each

Place = tuple[int, ...]


class ExampleMoveFinder:
    """Instances for the moves of one proof, for the same values of the claim's integers wherever there are such."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.referee = Referee(claim, INSTANCE_STEPS)
        sizes = (combinations_with_replacement(range(1, SIZE + 1), n) for n in range(HEAPS + 1))
        self.positions = sorted((s for some in sizes for s in some), key=position_key)

    def find(self, plays: tuple[NamedPlay, ...]) -> tuple[ExampleMove | None, ...]:
        """An instance of each, None where none was found: all at the same values of the integers as far as may be."""
        found: list[ExampleMove | None] = [None] * len(plays)
        with suppress(LimitReached):
            while open_ := [i for i, x in enumerate(found) if x is None]:
                best = self._best([plays[i] for i in open_])
                if not any(best):
                    break
                for i, x in zip(open_, best, strict=True):
                    found[i] = x
        return tuple(found)

    def _best(self, plays: list[NamedPlay]) -> list[ExampleMove | None]:
        """The instances at the first values at which most have one. Raises LimitReached."""
        best: list[ExampleMove | None] = [None] * len(plays)
        for values in islice(self._choices(), CHOICES):
            found = [self._instance(play, values) for play in plays]
            if sum(map(bool, found)) > sum(map(bool, best)):
                best = found
            if all(best):
                break
        return best

    def _choices(self) -> Iterator[Values]:
        """Values of the claim's integers that lie in their domains, the smallest sums first, but not all 1."""
        names = [v.name for v in self.claim.variables if v.type == INT]
        ranges = [range(2, 2 + SPREAD) if len(names) < 3 else range(1, 1 + SPREAD)] * len(names)
        for chosen in sorted(product(*ranges), key=lambda x: (sum(x), x)):
            values: Values = dict(zip(names, chosen, strict=True))
            if self._lie_inside(values):
                yield values

    def _lie_inside(self, values: Values) -> bool:
        for v in self.claim.variables:
            if v.type == INT:
                if not isinstance(v.domain, IntervalDomain):
                    return False
                x = as_integer(values[v.name])
                low = as_integer(self.referee.evaluate(v.domain.lo, values))
                if x < low or (v.domain.hi is not None and x > as_integer(self.referee.evaluate(v.domain.hi, values))):
                    return False
        return True

    def _instance(self, play: NamedPlay, values: Values) -> ExampleMove | None:
        """The smallest position where the move applies; of its heaps the largest that fits. Raises LimitReached.

        One of several heaps is preferred, of which something is left: it shows more.
        """
        first: ExampleMove | None = None
        for s in self.positions:
            found = self._made(play, values, s)
            if found is None:
                continue
            if len(found.before) > 1 and found.after:
                return found
            first = first or found
        return first

    def _made(self, play: NamedPlay, values: Values, s: Place) -> ExampleMove | None:
        """The move at a position, if it applies there and the referee finds it legal and, if it must, winning."""
        case: Values = {**values, play.position: s}
        try:
            if not self.referee.evaluate(play.when, case):
                return None
            for heap in reversed(dict.fromkeys(s)):
                inner = {**case, play.heap: heap}
                if self.referee.evaluate(play.fits, inner):
                    left = as_integer(self.referee.evaluate(play.leaves, inner))
                    return self._judged(play, values, s, heap, left)
        except IllDefined:
            pass
        return None

    def _judged(self, play: NamedPlay, values: Values, s: Place, heap: int, left: int) -> ExampleMove | None:
        rest = list(s)
        rest.remove(heap)
        after = tuple(sorted(x for x in (*rest, left) if x))
        game = self.referee.game(play.game, values)
        following = 0 if game.ruleset.impartial else 1 - play.mover
        if after not in game.options(s, play.mover) or (play.wins and game.wins(after, following)):
            return None
        players = players_of(self.claim)
        mover = "" if self.claim.game(play.game).ruleset.impartial else players[play.mover]
        return ExampleMove(self._mattering(play, values), mover, s, after, heap, left)

    def _mattering(self, play: NamedPlay, values: Values) -> tuple[tuple[str, int], ...]:
        """The values of those integers that the game or the move mentions."""
        arguments = (x for _, x in self.claim.game(play.game).arguments)
        names, _ = t.names_of((play.when, play.fits, play.leaves, *arguments))
        return tuple((name, as_integer(x)) for name, x in values.items() if name in names)
