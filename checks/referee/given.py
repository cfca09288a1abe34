"""Proposed results that the referee uses only after it has verified them.

There are tables of the values of single heaps, and lists of the positions from which the mover loses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType
from typing import TypeVar

from checks.referee.breaking import Unknown
from checks.referee.meaning import IllDefined, LimitReached, RefereeSteps, Values, as_integer
from checks.referee.play import RefereeGame
from checks.referee.tables import Rows, WrongTable, verify, verify_winners
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Position, Setting, position, take_out

# == losing ===========================================================================================================
# The winner in positions of several heaps, by a proposed list of positions in which the mover loses. The list is
# verified by play.
#
# The check begins with one position. If the list contains a position, all its options are computed, and the list must
# not contain any of them. If the list does not contain a position, it must contain one of its options. So all options
# are computed only for the few listed positions. Every option that this check uses is then checked in the same way.
# Therefore a wrong list is rejected, unless it is wrong only about positions that no check uses.
#
# One option suffices only if every move always has a value, so that no position is undefined: see `read_plain`.
Lost = Sequence[Collection[Position]]
"""For each player as the mover, a list of the positions from which this player loses; one list in an impartial game."""

_TOTAL = frozenset(("add", "sub", "mul", "smallest", "largest", "eq", "ne", "lt", "le", "gt", "ge", "in", "not"))


@dataclass(frozen=True)
class Plain:
    """A kind of move: choose some heaps, and take the same number of objects, at least one, from some of them.

    The number is at most the size of each heap from which objects are taken.
    `move`: the move in the ruleset. `takes`: for each chosen heap, whether the move takes objects from it.
    """

    move: Move
    takes: tuple[bool, ...]

    def leave(self, chosen: Position, m: int) -> tuple[int, ...]:
        """Return the sizes of the chosen heaps after m objects were taken from each heap that `takes` marks."""
        return tuple(h - m if taken else h for h, taken in zip(chosen, self.takes, strict=True))


class LostPositions:
    """The winners in a game of two players, found by a list of the positions from which the mover loses.

    The list is verified as far as each answer depends on it.
    `lost`: the list.
    `greatest`: a position that states how far the list is complete. The list *covers* a position if
    this position has at most as many heaps as `greatest`, its largest heap is at most the largest heap of `greatest`,
    its second largest heap is at most the second largest heap of `greatest`, and so on.
    `steps`: the limit on the steps of the referee for all positions together.
    The constructor raises Unknown if the game does not have two players, or a move does not have the form `Plain`.
    """

    def __init__(self, game: RefereeGame, lost: Lost, greatest: Position, steps: int) -> None:
        self.plain = read_plain(game.ruleset)
        if game.players != 2 or len(lost) != (1 if game.ruleset.impartial else 2) or not self.plain:
            raise Unknown
        self.game = RefereeGame(game.ruleset, game.parameters, RefereeSteps(steps))
        self.lost, self.greatest = [frozenset(x) for x in lost], greatest
        self.rests = [_group_by_rest(x) for x in self.lost]
        self.verified = frozenset[tuple[Position, int]]()

    def wins(self, s: Position, mover: int) -> bool:
        """Return whether the mover wins from a position, after verifying the list as far as this depends on it.

        Raises WrongTable if the list is wrong. Raises Unknown, IllDefined or LimitReached if this cannot be decided.
        """
        start = s, mover if len(self.lost) == 2 else 0
        todo, met = [start], {start} | self.verified
        if start in self.verified:
            todo = []
        while todo:
            for further in self._find_dependencies(*todo.pop()):
                if further not in met:
                    met.add(further)
                    todo.append(further)
        self.verified = frozenset(met)
        return s not in self.lost[start[1]]

    def _find_dependencies(self, s: Position, mover: int) -> list[tuple[Position, int]]:
        """Check that the list is right about a position, assuming that it is right about its options.

        Return the options that this check has used, as pairs (position, mover). The caller must check the list there
        too.
        Raises WrongTable if the list is wrong about `s`, and Unknown if the list does not cover `s`.
        """
        self.game.steps.take()
        if not self.covers(s):
            raise Unknown
        following = (mover + 1) % len(self.lost)
        if s not in self.lost[mover]:
            for o in self._find_plainly(s, mover, self.rests[following], self.lost[following]):
                return [(o, following)]
        options = self.game.options(s, mover)
        losing = [o for o in options if o in self.lost[following]]
        wins = bool(losing) or (not options and self.game.ruleset.stuck_wins)
        if wins is (s in self.lost[mover]):
            raise WrongTable(
                "the list of losing positions is wrong: "
                f"player {mover + 1}, who is to move at {s}, {'wins' if wins else 'loses'}"
            )
        return [(o, following) for o in (losing[:1] if wins else options)]

    def covers(self, s: Position) -> bool:
        """Return whether the list covers a position, as the class defines it."""
        return len(s) <= len(self.greatest) and all(
            x <= y for x, y in zip(reversed(s), reversed(self.greatest), strict=False)
        )

    def _find_plainly(
        self, s: Position, mover: int, rests: Mapping[Position, Sequence[int]], lost: Collection[Position]
    ) -> Iterator[Position]:
        """Yield options of `s` that are in the list `lost`, without computing all options. All of them are legal.

        `lost`: the positions from which the next player loses. `rests`: the result of `_group_by_rest` for `lost`.
        """
        for plain in self.plain:
            if len(plain.takes) == 1:
                for heap in dict.fromkeys(s):
                    rest = tuple(take_out(s, (heap,)))
                    self.game.steps.take()
                    for size in rests.get(rest, ()):
                        if size < heap and self._is_legal(plain, s, (heap,), heap - size, mover):
                            yield position((*rest, size))
                continue
            for chosen in dict.fromkeys(permutations(s, len(plain.takes))):
                rest = tuple(take_out(s, chosen))
                for m in range(1, min(h for h, taken in zip(chosen, plain.takes, strict=True) if taken) + 1):
                    self.game.steps.take()
                    o = position((*rest, *plain.leave(chosen, m)))
                    if o in lost and self._is_legal(plain, s, chosen, m, mover):
                        yield o

    def _is_legal(self, plain: Plain, s: Position, chosen: Position, m: int, mover: int) -> bool:
        """Return whether the mover may take m objects from each heap that `plain.takes` marks. Raises LimitReached.

        `chosen`: the heaps of `s` that the move chooses.
        """
        move, evaluate = plain.move, self.game.meanings.evaluate
        env: Values = {**self.game.parameters, "mover": mover, "s": s, **dict(zip(move.heaps, chosen, strict=True))}
        (pick,) = move.picks
        assert isinstance(pick.domain, IntervalDomain) and pick.domain.hi is not None
        if not as_integer(evaluate(pick.domain.lo, env)) <= m <= as_integer(evaluate(pick.domain.hi, env)):
            return False
        env = {**env, pick.name: m}
        if move.where is not None and not evaluate(move.where, env):
            return False
        return tuple(as_integer(evaluate(x, env)) for x in move.become) == plain.leave(chosen, m)


def _group_by_rest(lost: Collection[Position]) -> dict[Position, list[int]]:
    """Map each position r to the sizes h for which r together with a further heap of h is in the list.

    If r itself is in the list, 0 is one of these sizes.
    For example, [(1, 2)] gives {(1, 2): [0], (2,): [1], (1,): [2]}.
    """
    found: defaultdict[Position, list[int]] = defaultdict(list)
    for s in lost:
        found[s].append(0)
        for heap in dict.fromkeys(s):
            found[tuple(take_out(s, (heap,)))].append(heap)
    return dict(found)


# -- moves that are always playable ------------------------------------------------------------------------------------
def read_plain(ruleset: Ruleset) -> tuple[Plain, ...]:
    """Return the moves of a ruleset in the form `Plain`. If some move does not have this form, return ().

    The terms of such a move always have a value. The number that the player chooses is at least 1, and at most the
    size of each heap from which it is taken. So every move decreases the total, and no heap becomes negative.
    """
    if ruleset.measure is not None or ruleset.sees_position:
        return ()
    found = tuple(_read(move) for move in ruleset.moves)
    plain = tuple(x for x in found if x is not None)
    return plain if len(plain) == len(found) else ()


def _read(move: Move) -> Plain | None:
    if move.choose != "any" or len(move.picks) != 1 or len(move.become) != len(move.heaps):
        return None
    (pick,) = move.picks
    if (
        not isinstance(pick.domain, IntervalDomain)
        or not isinstance(pick.domain.lo, t.Literal)
        or pick.domain.hi is None
    ):
        return None
    highest = pick.domain.hi
    bounds = highest.args if isinstance(highest, t.Operation) and highest.op == "smallest" else (highest,)
    names = {x.name for x in bounds if isinstance(x, t.Variable)}
    takes = []
    for heap, size in zip(move.heaps, move.become, strict=True):
        match size:
            case t.Variable(name=name) if name == heap:
                takes.append(False)
            case t.Operation(op="sub", args=(t.Variable(name=name), t.Variable(name=taken))) if (
                name == heap and taken == pick.name and heap in names
            ):
                takes.append(True)
            case _:
                return None
    total = all(_is_total(x) for x in (highest, *(() if move.where is None else (move.where,))))
    return Plain(move, tuple(takes)) if any(takes) and pick.domain.lo.value >= 1 and total else None


def _is_total(term: t.Term) -> bool:
    """Return whether a term obviously has a value for all values of its variables. False means that this is unknown."""
    match term:
        case t.Literal() | t.Variable():
            return True
        case t.AllOf() | t.AnyOf() | t.IfElse() | t.Collection():
            return all(map(_is_total, t.subterms(term)))
        case t.Operation(op="floordiv" | "mod", args=(x, t.Literal(value=by))):
            return by != 0 and _is_total(x)
        case t.Operation(op=op):
            return op in _TOTAL and all(map(_is_total, t.subterms(term)))
    return False


# == given ============================================================================================================
# The tables of an answer. A table is verified when it is first used; if this is not possible, it is ignored.
MOST_PROPOSED = 4  # after this many lists for one answer, a list that does not cover a position is not replaced
Propose = Callable[[Setting, RefereeGame, Position], Lost | None]
_T = TypeVar("_T", bound=Sequence[object])


def propose_nothing(key: Setting, game: RefereeGame, greatest: Position) -> Lost | None:
    """Return None, that is, propose no list. It is used where the search for a list would take too long."""
    return None


class HeapTables:
    """The tables about the single heaps 0, 1, ... that come with one answer of a route.

    Each table belongs to a game with fixed parameters.
    `values`: for each game, the Grundy values of the heaps 0, 1, ...
    `winners`: for each game, the winners from the heaps 0, 1, ..., in the form `checks.referee.tables.Rows`.
    """

    def __init__(
        self,
        values: Mapping[Setting, Sequence[int]] = MappingProxyType({}),
        winners: Mapping[Setting, Rows] = MappingProxyType({}),
        steps: int = 0,
        propose: Propose = propose_nothing,
    ) -> None:
        """Create tables that are verified when they are first used.

        `steps`: the limit on the steps for the verification of one table.
        `propose`: a function that proposes a list of the positions from which the mover loses. The list must cover a
        given position, in the sense of `LostPositions`. The function returns None if it has no list.
        """
        self.steps, self.propose = steps, propose
        self._losing: dict[Setting, LostPositions | None] = {}
        self._proposed = 0
        self._values, self._winners = values, winners
        self._verified: dict[tuple[Setting, bool], Sequence[int]] = {}
        self._won: dict[Setting, Rows] = {}

    def add_proposals(self, propose: Propose) -> HeapTables:
        """Return a copy of these tables that uses `propose` to get lists of positions from which the mover loses."""
        made = HeapTables(self._values, self._winners, self.steps, propose)
        made._verified, made._won = self._verified, self._won
        return made

    def find_values(self, key: Setting, game: RefereeGame) -> Sequence[int]:
        """Return the Grundy values of the heaps 0, 1, ... from a table, after verifying it.

        `key`: the name of the game and its parameters. Return () if there is no table, or it cannot be verified.
        Raises WrongTable if the table is wrong.
        """
        known = key, game.sums
        if known not in self._verified:
            self._verified[known] = self._verify(verify, game, self._values.get(key, ()), ())
        return self._verified[known]

    def find_winners(self, key: Setting, game: RefereeGame) -> Rows:
        """Return the winners from the heaps 0, 1, ... for each mover from a table, after verifying it.

        `key`: the name of the game and its parameters. Return () if there is no table, or it cannot be verified.
        Raises WrongTable if the table is wrong.
        """
        if key not in self._won:
            self._won[key] = self._verify(verify_winners, game, self._winners.get(key, ()), ())
        return self._won[key]

    def tell_winner(self, key: Setting, game: RefereeGame, s: Position, mover: int) -> bool | None:
        """Return whether the mover wins from a position of several heaps, by a list of losing positions.

        `key`: the name of the game and its parameters. Return None if there is no list, or it cannot be verified.
        Raises WrongTable if the list is wrong.
        """
        try:
            if key not in self._losing:
                self._losing[key] = self._make_losing(key, game, s)
            known = self._losing[key]
            if known is not None and not known.covers(s) and self._proposed < MOST_PROPOSED:
                known = self._losing[key] = self._make_losing(key, game, s)
            return None if known is None else known.wins(s, mover)
        except (Unknown, IllDefined, LimitReached):
            self._losing.setdefault(key, None)
            return None

    def _make_losing(self, key: Setting, game: RefereeGame, s: Position) -> LostPositions | None:
        self._proposed += 1
        lost = self.propose(key, game, s)
        return None if lost is None else LostPositions(game, lost, s, self.steps)

    def _verify(self, check: Callable[[RefereeGame, _T, int], None], game: RefereeGame, table: _T, none: _T) -> _T:
        try:
            if table:
                check(game, table, self.steps)
        except (Unknown, IllDefined, LimitReached):
            return none
        return table
