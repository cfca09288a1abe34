"""Play of games whose heaps may have parts: options, outcomes, draws, Grundy values, partizan values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial, reduce
from itertools import chain, combinations, permutations, product
from operator import xor
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from claims.language.errors import NimChecksError
from claims.language.files.rulesets import NOBODY, Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.game_values import MOST_DENOMINATOR, MOST_INTEGER, GameItem, GameTree, PlacedPosition
from claims.language.syntax.grammar import digits
from claims.language.syntax.meanings import Value, limit_players, mex, write_heap
from encoders.compute.arrays.limits import MAX_POSITIONS, BadRuleset, Deadline, TooLarge, group_digits
from encoders.compute.compound.meaning import Env, TermCompiler, Undefined
from encoders.compute.compound.order import (
    Heap,
    Position,
    as_integer,
    as_list,
    as_position,
    is_additive,
    rank_heap,
    sort_positions,
    weigh,
)
from encoders.compute.compound.partizan import AtomicWeights, CanonicalFormId, Games, Thermograph, Thermographs

if TYPE_CHECKING:
    from encoders.kernel.counts import CountedWinners, KindMove
    from encoders.kernel.machine import Machine

# == draws ============================================================================================================
# Outcomes of games with draws, by retrograde analysis: each move is followed backwards once.
Turn = tuple[Position, int]
T = TypeVar("T")
G = TypeVar("G")
WIN, LOSS, DRAW = 0, 1, 2


class EngineLoopyOutcomes:
    """The outcomes of a game with draws under best play. A turn is a position together with a mover.

    `follow`: returns the turns that one move leads to.
    `end`: returns the outcome of a turn without moves: WIN, LOSS or DRAW, for the mover.

    The methods may raise TooLarge, and the errors of `follow` and `end`.
    """

    def __init__(self, follow: Callable[[Turn], list[Turn]], end: Callable[[Position, int], int]) -> None:
        self.follow, self.end = follow, end
        self._known: dict[Turn, int] = {}

    def get(self, turn: Turn) -> int:
        """Return the outcome of a turn for its mover: WIN, LOSS or DRAW."""
        if turn not in self._known:
            self._label(turn)
        return self._known[turn]

    def _label(self, start: Turn) -> None:
        """Determine the outcome of each turn that is reachable from `start` and has no known outcome."""
        before: defaultdict[Turn, list[Turn]] = defaultdict(list)
        left: dict[Turn, int] = {}  # for each turn, the number of options not known to be won by the opponent
        found: dict[Turn, int] = {}
        decided: list[Turn] = []
        todo = [start]
        while todo:
            turn = todo.pop()
            if turn in left:
                continue
            after = self.follow(turn)
            left[turn] = len(after)
            if len(left) + len(self._known) > MAX_POSITIONS:
                raise TooLarge(f"more than {group_digits(MAX_POSITIONS)} positions would be needed")
            for x in after:
                before[x].append(turn)
                if x in self._known:
                    found[x] = self._known[x]
                else:
                    todo.append(x)
            if not after and (end := self.end(*turn)) != DRAW:
                found[turn] = end
        decided = list(found)
        while decided:
            turn = decided.pop()
            for x in before[turn]:
                left[x] -= found[turn] == WIN
                if x not in found and (found[turn] == LOSS or not left[x]):
                    found[x] = WIN if found[turn] == LOSS else LOSS
                    decided.append(x)
        self._known |= {turn: found.get(turn, DRAW) for turn in left}


# == values ===========================================================================================================
# The values of positions of two players in normal play, by their canonical forms.
COMPARISONS = 20_000_000  # largest number of comparisons of games
_EVERY = 1 << 10  # comparisons between two checks of the clock


class Comparisons:
    """A counter of comparisons between games. It raises an error when a limit is reached."""

    def __init__(self, clock: Deadline) -> None:
        self.clock, self.left = clock, COMPARISONS

    def take(self) -> None:
        """Count one comparison. Raise TooLarge or OutOfTime."""
        self.left -= 1
        if self.left < 0:
            raise TooLarge(f"more than {COMPARISONS} comparisons of games would be needed")
        if self.left % _EVERY == 0:
            self.clock.check()


class ValuesOfForms(Generic[G]):
    """The values of games by their canonical forms. Left is the first player.

    A subclass defines `form`. The methods may raise TooLarge, and the errors of the counter of `games`.
    """

    def __init__(self, games: Games) -> None:
        self.games = games
        self._thermographs, self._weights = Thermographs(games), AtomicWeights(games)

    def form(self, s: G) -> CanonicalFormId:
        """Return the canonical form of a game."""
        raise NotImplementedError

    def tell(self, function: str, s: G) -> Value:
        """Return the result of a question about the value of one game, such as `temperature`. Raise Undefined."""
        match function:
            case "number":
                return self.number(s)
            case "mean":
                return self.find_thermograph(s).mean
            case "left_stop" | "right_stop":
                return self.games.stops(self.form(s))[function == "right_stop"]
            case "birthday":
                return self.games.birthday(self.form(s))
        return self.find_thermograph(s).temperature

    def find_winner(self, s: G, mover: int) -> int:
        """Return 0 if the mover wins, and 1 otherwise. `mover`: 0 for Left, 1 for Right.

        If Left moves first, Left loses if and only if s <= 0. If Right moves first, Right loses if and only if s >= 0.
        """
        form, zero = self.form(s), self.games.zero
        return int(self.games.is_at_most(form, zero) if mover == 0 else self.games.is_at_most(zero, form))

    def compare(self, function: str, s: G | GameItem, t: G | GameItem) -> bool:
        """Return whether s <= t (`function` is "le") or s = t (otherwise)."""
        form, other = self._form_of(s), self._form_of(t)
        return self.games.is_at_most(form, other) if function == "le" else form == other

    def _form_of(self, s: G | GameItem) -> CanonicalFormId:
        try:
            return self.games.read(s) if isinstance(s, GameTree | Fraction) else self.form(s)
        except RecursionError:
            raise TooLarge("play is too long to compute a canonical form") from None

    def number(self, s: G) -> Fraction:
        """Return the number that s is equal to. Raise Undefined if it is not a number."""
        found = self.games.value_of(self.form(s))
        if found is None:
            raise Undefined("the game is not equal to a number")
        return found

    def find_thermograph(self, s: G) -> Thermograph:
        """Return the thermograph of a game."""
        return self._thermographs.get(self.form(s))

    def find_game(self, function: str, s: G | GameItem, args: Sequence[Value]) -> GameItem:
        """Return the result of a question in GIVES_GAMES, such as `cool`.

        `args`: the arguments of the question after the game. Raise Undefined if an argument is not allowed.
        """
        by = [Fraction(x) if isinstance(x, int) else cast(GameItem, x) for x in args]
        if any(isinstance(x, Fraction) and x.denominator & (x.denominator - 1) for x in by):
            raise Undefined("the denominator is not a power of two")
        try:
            match function, by:
                case "cool", (Fraction() as tax,):
                    return self._cool(s, tax)
                case "heat", (t,):
                    if isinstance(t, Fraction) and t < 0:
                        raise Undefined("a game cannot be heated by a negative number")
                    return self.games.write(self._thermographs.heat(self._form_of(s), self._read_small(t)))
                case "overheat", (unit, t):
                    forms = [self._form_of(s), self._read_small(t), self._read_small(unit)]
                    return self.games.write(self._thermographs.heat(*forms))
            return self._weigh(s)
        except RecursionError:
            raise TooLarge("play is too long to find the game") from None

    def _read_small(self, x: G | GameItem) -> CanonicalFormId:
        """Return the canonical form of a game. Raise TooLarge if it is a number whose form has too many followers."""
        if isinstance(x, Fraction) and (abs(x) > MOST_INTEGER or x.denominator > MOST_DENOMINATOR):
            raise TooLarge(
                f"the number in heat or overheat is not within {MOST_INTEGER}, in steps of 1/{MOST_DENOMINATOR}"
            )
        return self._form_of(x)

    def _cool(self, s: G | GameItem, tax: Fraction) -> GameItem:
        if tax < 0:
            raise Undefined("a game cannot be cooled by a negative number")
        return self.games.write(self._thermographs.cool(self._form_of(s), tax))

    def _weigh(self, s: G | GameItem) -> GameItem:
        found = self._weights.get(self._form_of(s))
        if found is None:
            raise Undefined("the game is not equal to an all-small game")
        return self.games.write(found)


class EnginePartizanValues(ValuesOfForms[Position]):
    """The values of positions as partizan games. The first player of the ruleset is Left.

    `reach`: returns the options of a position for a mover.
    `apart`: whether a position is the game sum of its heaps.

    The methods may raise TooLarge, and the errors of `reach` and of the counter of `games`.
    """

    def __init__(self, reach: Callable[[Position, int], tuple[Position, ...]], apart: bool, games: Games) -> None:
        super().__init__(games)
        self.reach, self.apart = reach, apart
        self._forms: dict[Position, CanonicalFormId] = {}

    def form(self, s: Position) -> CanonicalFormId:
        """Return the canonical form of a position, from the forms of its options or as the sum of its heaps."""
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
            raise TooLarge("play is too long to compute a canonical form") from None

    def _add_up(self, forms: list[CanonicalFormId]) -> CanonicalFormId:
        found = self.games.zero
        for form in forms:
            found = self.games.add(found, form)
        return found


# == play =============================================================================================================
# A game whose heaps may have parts: its options, winners and Grundy values; each position is solved once.
#
# If every move is on one heap and refers to no other heap, the moves of a heap are computed once for that heap.
def _refuse_game(name: str, _: Env) -> EngineGame:
    raise AssertionError(name)  # the expressions of a ruleset contain no game calls


MOST_PLAYED = 20_000  # positions solved for one answer; if there are more, Grundy values of single heaps are added


WIDE, WIDE_EQUAL = 8, 2  # positions with more heaps, or more heaps that are equal, are stored as numbers of equal heaps
MOST_KINDS = 48  # largest number of different heaps in such positions


def has_many_heaps(heaps: int, equal: bool) -> bool:
    """Whether a position has so many heaps that it is stored as the number of heaps of each kind.

    `equal`: whether all heaps of the position are equal.
    """
    return heaps > (WIDE_EQUAL if equal else WIDE)


class _ManyKinds(TooLarge):
    """The error for a position of many heaps from which too many different heaps are reachable."""


class Crowded(NimChecksError):
    """The error for a search that would solve too many positions.

    Grundy values of single heaps can be added instead.
    """


@dataclass(frozen=True)
class CompiledMove:
    """A move of the ruleset, with a function that lists its results.

    `list_ways`: yields, for each legal choice of the numbers in the move, the heaps that replace the chosen heaps. Its
    arguments are the mover, the position and the chosen heaps.
    """

    move: Move
    list_ways: Callable[..., Iterable[tuple[Heap, ...]]]


class CountedPositions:
    """The winners of positions with many equal heaps, for a game whose moves depend on one heap only.

    Equal heaps form a kind; kinds are numbered from 1. The WebAssembly kernel solves the positions.

    `movers`: the number of players with separate moves.
    `winners`: the part of the kernel that solves positions.
    `reach`: returns the options of one heap for a mover.
    """

    def __init__(
        self, movers: int, winners: CountedWinners, reach: Callable[[Heap, int], tuple[Position, ...]], clock: Deadline
    ) -> None:
        self._reach, self._clock = reach, clock
        self._heaps: dict[Heap, int] = {}  # the kind of each heap, from 1 on
        self._moves: list[list[KindMove]] = [[] for _ in range(movers)]
        self._winners = winners

    def get(self, s: Position, who: int) -> int:
        """Return the winner from the position s if the player `who` moves, counted in turns from this player.

        Raise TooLarge if the followers of s have too many different heaps, if a follower has too many heaps, or if
        there are too many followers.
        """
        known = len(self._heaps)
        counts = self._count(s)
        if len(self._heaps) > known:
            self._list_moves(known)
            self._winners.set_moves(len(self._heaps), self._moves)
        return self._winners.find(counts, who, self._clock)

    def _count(self, s: Position) -> dict[int, int]:
        """Return the number of heaps of each kind in a position. A heap that was not seen before gets a new kind."""
        return {self._find_kind(h): count for h, count in Counter(s).items()}

    def _find_kind(self, heap: Heap) -> int:
        if heap not in self._heaps:
            if len(self._heaps) == MOST_KINDS:
                raise _ManyKinds(
                    f"more than {MOST_KINDS} different heaps occur in followers of a position of many heaps"
                )
            self._heaps[heap] = len(self._heaps) + 1
        return self._heaps[heap]

    def _list_moves(self, known: int) -> None:
        """Add the moves on all kinds of heaps, except the first `known` kinds, to the table of moves.

        A move may make new kinds of heaps. The moves on these kinds are added as well.
        """
        from encoders.kernel.counts import KindMove

        while known < len(self._heaps):
            heap = list(self._heaps)[known]
            known += 1
            for who, moves in enumerate(self._moves):
                moves += [KindMove(known, self._count(x)) for x in self._reach(heap, who)]


def _open_machine() -> Machine:
    from encoders.kernel.instances import open_machine  # here, because it imports numpy

    return open_machine()


class EngineGame:
    """A game: a ruleset with values of its parameters. Its heaps are numbers or have parts.

    The methods may raise Undefined, BadRuleset, TooLarge and OutOfTime.

    `sums`: whether to add Grundy values of heaps, by the Sprague-Grundy theorem, if each move depends on one heap only.
    `added`: whether Grundy values were added.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        parameters: Env,
        clock: Deadline,
        sums: bool = False,
        open_kernel: Callable[[], Machine] = _open_machine,
    ) -> None:
        """Set the parameters. Raise Undefined if the value of a parameter is outside its domain.

        `open_kernel`: returns an instance of the kernel, which several games may share.
        """
        self.ruleset, self.parameters, self.clock, self._open_kernel = ruleset, dict(parameters), clock, open_kernel
        for p in ruleset.parameters:
            if p.kind == "int" and not p.admits(as_integer(self.parameters[p.name])):
                raise Undefined(p.name)
        self.players = len(ruleset.players) or as_integer(self.parameters[ruleset.player_count])
        if over := limit_players(self.players):
            raise TooLarge(over.replace("_", " "))
        self._reader = TermCompiler(_refuse_game, clock)
        # normal play, in which a P-position has value 0
        self.usual = not ruleset.unusual_ending and not ruleset.stuck_wins
        self.stuck = 0 if ruleset.ending.stuck == "wins" else self.players - 1
        self._rank = self._read_preferences()
        self._changes = [self._read_change(move) for move in ruleset.moves]
        self.is_heap = self._read_shape()  # whether the parts form a heap of the game, which may vanish
        self._by_heap = not ruleset.sees_position and all(
            move.choose == "any" and len(move.heaps) == 1 for move in ruleset.moves
        )
        self._adds_up = ruleset.measure is None or is_additive(ruleset.measure)
        self._may_add = ruleset.impartial and self._by_heap and self._adds_up
        varies = any(not isinstance(move.result, tuple) for move in ruleset.moves)  # positions may have many heaps
        self.sums, self.added = (sums or varies) and self._may_add, False
        apart = self.players == 2 and not ruleset.impartial and self.usual and self._by_heap and self._adds_up
        self._by_form = apart and (sums or any(move.may_leave(2) for move in ruleset.moves))  # use canonical forms
        self._stays: dict[Heap, bool] = {}
        self._weights: dict[Heap, int] = {}
        self._after: dict[tuple[Heap, int], tuple[Position, ...]] = {}
        self._reached: dict[tuple[Position, int], tuple[Position, ...]] = {}
        self._values: tuple[dict[Position, int], ...] = tuple({} for _ in range(self._movers))
        self._grundy: dict[Position, int] = {}
        self._heap_values: dict[Heap, int] = {}
        self._lengths = {
            x: tuple(dict[Position, int]() for _ in range(self._movers)) for x in ("remoteness", "suspense")
        }
        self._scores = tuple(dict[Position, int]() for _ in range(self._movers))

    @property
    def _movers(self) -> int:
        """The number of players with separate moves; 1 if the ruleset is impartial."""
        return 1 if self.ruleset.impartial else self.players

    # -- heaps --------------------------------------------------------------------------------------------------------
    def _read_shape(self) -> Callable[[Heap], bool]:
        shape = self.ruleset.heap
        if shape is None:
            return lambda heap: as_integer(heap) >= 0
        bounds = [
            (part.is_list, self._count(part.lo, {}), None if part.hi is None else self._count(part.hi, {}))
            for part in shape.parts
        ]
        where = None if shape.where is None else self._reader.read(shape.where)

        def is_heap(heap: Heap) -> bool:
            for (is_list, low, high), value in zip(bounds, as_list(heap), strict=True):
                for x in cast(tuple[int, ...], value) if is_list else (cast(int, value),):
                    if x < low or (high is not None and x > high):
                        return False
            return where is None or bool(where({**self.parameters, "h": heap}))

        return is_heap

    def stays(self, heap: Heap) -> bool:
        """Whether a heap does not vanish. Raise Undefined if it is not a heap of the game."""
        found = self._stays.get(heap)
        if found is None:
            if not self.is_heap(heap):
                raise Undefined(f"{write_heap(heap)} is not a heap of {self.ruleset.id}")
            shape = self.ruleset.heap
            if shape is None:
                found = heap != 0
            else:
                found = shape.gone is None or not self._evaluate(shape.gone, {"h": heap})
            self._stays[heap] = found
        return found

    def has(self, s: Position) -> bool:
        """Whether a position consists of heaps of the game that do not vanish."""
        return all((h in self._stays or self.is_heap(h)) and self.stays(h) for h in s)

    def _evaluate(self, term: t.Term, env: Env) -> Value:
        return self._reader.read(term)({**self.parameters, **env})

    def _count(self, term: t.Term, env: Env) -> int:
        return as_integer(self._evaluate(term, env))

    # -- moves --------------------------------------------------------------------------------------------------------
    def options(self, s: Position, mover: int) -> tuple[Position, ...]:
        """Return the options of a position, each once, in the order of positions."""
        return tuple(sort_positions(self._reach(s, mover)))

    def _reach(self, s: Position, mover: int) -> tuple[Position, ...]:
        """Return the options of a position, each once, in no fixed order."""
        who = self._turn(mover)
        if self._by_heap and self._adds_up:
            if len(s) == 1:
                return self._change_heap(s[0], who)
            return self._change_one(s, who)
        key = s, who
        if key not in self._reached:
            self._reached[key] = tuple(self._check(s, partial(self._list_options, s, mover)))
            self._count_kept(self._reached)
        return self._reached[key]

    def _change_one(self, s: Position, who: int) -> tuple[Position, ...]:
        """Return the options of a position, each once, for a game in which each move depends on one heap only.

        Raise BadRuleset if the position has options but a negative measure.
        """
        found: set[Position] = set()
        for h in set(s):
            rest = list(s)
            rest.remove(h)
            found.update(tuple(sorted((*rest, *made), key=rank_heap)) for made in self._change_heap(h, who))
        if found and self._weigh(s) < 0:
            raise self._blame(s)
        return tuple(found)

    def _change_heap(self, heap: Heap, who: int) -> tuple[Position, ...]:
        """Return the options of a single heap, each once."""
        found = self._after.get((heap, who))
        if found is None:
            found = tuple(self._check((heap,), partial(self._list_pieces, heap, who)))
            self._after[heap, who] = found
            self._count_kept(self._after)
        return found

    def _list_pieces(self, heap: Heap, who: int) -> Iterator[Position]:
        """Yield the options of a position with one heap, as `_list_options` does, but faster."""
        stays, s = self._stays, (heap,)
        for change in self._changes:
            for heaps in change.list_ways(who, s, heap):
                if len(heaps) == 1:
                    stay = stays.get(heaps[0])
                    yield heaps if (self.stays(heaps[0]) if stay is None else stay) else ()
                else:
                    yield tuple(sorted(filter(self.stays, heaps), key=rank_heap))

    def _count_kept(self, kept: Sized) -> None:
        if len(kept) % 1000 == 0:
            self.clock.check()
        if len(kept) > MAX_POSITIONS:
            raise TooLarge(f"more than {group_digits(MAX_POSITIONS)} positions would be needed")

    def _check(self, s: Position, list_options: Callable[[], Iterable[Position]]) -> set[Position]:
        """Return the set of the options of s that `list_options` yields.

        Raise BadRuleset if an option is ill-defined or, in a game that is not loopy, does not decrease the measure.
        """
        try:
            found = set(list_options())
            if self.ruleset.ending.endless:
                return found
            weight = self._weigh(s)
            if found and (weight < 0 or any(self._weigh(x) >= weight for x in found)):
                raise self._blame(s)
        except Undefined as fault:
            raise BadRuleset(f"a move of {self.ruleset.id} from {_write(s)} is ill-defined: {fault}") from None
        return found

    def _blame(self, s: Position) -> BadRuleset:
        return BadRuleset(f"a move of {self.ruleset.id} does not decrease the measure, from {_write(s)}")

    def _weigh(self, s: Position) -> int:
        if self._adds_up:
            weights = self._weights
            return sum(weights[h] if h in weights else self._weigh_heap(h) for h in s)
        return self._count_measure(s)

    def _weigh_heap(self, heap: Heap) -> int:
        found = self._weights[heap] = self._count_measure((heap,))
        return found

    def _count_measure(self, s: Position) -> int:
        measure = self.ruleset.measure
        return weigh(s) if measure is None else self._count(measure, {"s": s})

    def _list_options(self, s: Position, mover: int) -> Iterator[Position]:
        for change in self._changes:
            for chosen in self._choose(change.move, s, mover):
                rest = list(s)
                for h in chosen:
                    rest.remove(h)
                for heaps in self._list_ways(change, s, mover, chosen):
                    kept = (*rest, *filter(self.stays, heaps))
                    yield kept if len(kept) < 2 else tuple(sorted(kept, key=rank_heap))

    def _choose(self, move: Move, s: Position, mover: int) -> Iterable[tuple[Heap, ...]]:
        if move.choose == "any":
            return set(permutations(s, len(move.heaps)))
        if move.choose == "each":
            assert move.at_least is not None and move.at_most is not None
            env: Env = {"mover": mover, "s": s}
            low, high = self._count(move.at_least, env), self._count(move.at_most, env)
            counts = range(max(low, 0), min(high, len(s)) + 1)
            return {chosen for count in counts for chosen in combinations(s, count)}
        return ((s[-1] if move.choose == "largest" else s[0],),) if s else ()

    def _list_ways(
        self, change: CompiledMove, s: Position, mover: int, chosen: tuple[Heap, ...]
    ) -> Iterator[tuple[Heap, ...]]:
        """Yield the heaps that replace the chosen heaps, for each legal choice of the numbers in a move."""
        if change.move.choose != "each":
            yield from change.list_ways(mover, s, *chosen)
            return
        for ways in _combine(change.move, [list(change.list_ways(mover, s, h)) for h in chosen]):
            yield tuple(chain.from_iterable(ways))

    def _read_change(self, move: Move) -> CompiledMove:
        ways = self._reader.read_move(self._list_given(move), move)
        return CompiledMove(move, partial(ways, self.parameters, *self.parameters.values()))

    def _list_given(self, move: Move) -> list[str]:
        return [*self.parameters, "mover", "s", *move.heaps]

    @cached_property
    def _scored_changes(self) -> list[tuple[Move, Callable[..., Iterable[tuple[Position, int]]]]]:
        """Each move of the ruleset, with a function that lists its results as `CompiledMove.list_ways` does.

        This function also yields the points of the mover.
        """
        values = self.parameters.values()
        compiled = ((x, self._reader.read_scored_move(self._list_given(x), x)) for x in self.ruleset.moves)
        return [(move, partial(list_ways, self.parameters, *values)) for move, list_ways in compiled]

    def _list_scored_options(self, s: Position, mover: int) -> Iterator[tuple[Position, int]]:
        """Yield for each legal move the option and the points of the mover. An option may occur several times."""
        for move, list_ways in self._scored_changes:
            for chosen in self._choose(move, s, mover):
                rest = list(s)
                for h in chosen:
                    rest.remove(h)
                each = [(h,) for h in chosen] if move.choose == "each" else [chosen]
                for ways in _combine(move, [list(list_ways(mover, s, *heaps)) for heaps in each]):
                    left = [h for heaps, _ in ways for h in heaps if self.stays(h)]
                    yield tuple(sorted((*rest, *left), key=rank_heap)), sum(points for _, points in ways)

    # -- questions ----------------------------------------------------------------------------------------------------
    def answer(self, function: str, args: list[Value]) -> Value:
        """Return the result of a function of the game, such as "wins" or "grundy".

        `terms.GameCall` lists these functions.
        """
        if function in ("le", "equals"):
            return self.worth.compare(function, *map(self._read_game, args))
        if function in GIVES_GAMES:
            return cast(Value, self._find_game(function, args))
        s = self._drop_vanished(args[0])
        mover = as_integer(args[-1]) if function in _OF_MOVER else 0
        if not 0 <= mover < self.players:
            raise Undefined(
                f"player {digits(mover)} does not exist: the game has {digits(self.players)} players, numbered from 0"
            )
        match function:
            case "options":
                return self.options(s, mover)
            case "legal":
                return self._drop_vanished(args[1]) in self._reach(s, mover)
            case "terminal":
                return not self._reach(s, mover)
            case "value":
                return self.value(s, mover)
            case "wins" | "draws" if self.ruleset.ending.may_draw:
                return self._labels.get((s, self._turn(mover))) == (WIN if function == "wins" else DRAW)
            case "wins":
                return self.value(s, mover) == 0
            case "outcome":
                return (0, 3, 2, 1)[2 * (self.value(s, 0) == 0) + (self.value(s, 1) == 0)]
            case "grundy":
                return self.grundy(s)
            case "game":
                return cast(Value, PlacedPosition(self, cast(tuple[int, ...], s)))
            case "remoteness" | "suspense":
                choose = (min, max) if function == "remoteness" else (max, min)
                return (
                    self._solve(s, self._turn(mover), self._lengths[function], partial(self._find_length, choose)) // 2
                )
            case "score":
                return self._solve(s, self._turn(mover), self._scores, self._find_score)
        return self.worth.tell(function, s)

    def _find_game(self, function: str, args: list[Value]) -> GameItem:
        return self.worth.find_game(function, self._read_game(args[0]), args[1:])

    def _read_game(self, written: Value) -> Position | GameItem:
        """Return a position without the heaps that vanish; a game in quotes unchanged. Raise Undefined."""
        return self._drop_vanished(written) if isinstance(written, tuple) else cast(GameItem, written)

    def _drop_vanished(self, written: Value) -> Position:
        """Return a position without the heaps that vanish. Raise Undefined if a heap is not a heap of the game."""
        return tuple(h for h in as_position(written) if self.stays(h))

    @cached_property
    def _labels(self) -> EngineLoopyOutcomes:
        """The outcomes of the positions of a game with draws."""
        return EngineLoopyOutcomes(lambda turn: [(x, self._turn(turn[1] + 1)) for x in self._reach(*turn)], self._end)

    def _turn(self, mover: int) -> int:
        """Return the index of the mover in the tables of results; always 0 if the ruleset is impartial."""
        return 0 if self.ruleset.impartial else mover % self.players

    @property
    def compared(self) -> bool:
        """Whether the game needed the canonical forms of positions."""
        return "worth" in vars(self)

    @cached_property
    def worth(self) -> EnginePartizanValues:
        """The values of positions as partizan games."""
        return EnginePartizanValues(self._reach_apart, self._by_heap, Games(Comparisons(self.clock)))

    def _reach_apart(self, s: Position, mover: int) -> tuple[Position, ...]:
        """Return the options as `_reach` does, but raise TooLarge if a heap has a negative measure.

        The canonical form of a sum is computed from games that consist of one heap. So the measure of each single heap
        must bound the number of moves.
        """
        if self._adds_up and any(self._weigh_heap(h) < 0 for h in s):
            raise TooLarge("a heap with a negative measure cannot be played alone")
        return self._reach(s, mover)

    def value(self, s: Position, mover: int) -> int:
        """Return the offset of the winner: 0 if the mover wins, 1 if the next player wins, and so on."""
        if self._by_form and not self._is_alone(s):
            return self.worth.find_winner(s, mover)
        told_by_values = self._may_add and self.players == 2 and self.usual
        if has_many_heaps(len(s), len(set(s)) == 1) and self._can_count and not told_by_values:
            try:
                return self._counted.get(s, self._turn(mover))
            except _ManyKinds:
                if len(s) > WIDE:
                    raise
        if not (told_by_values and self.sums and not self._is_alone(s)):
            try:
                most = MOST_PLAYED if told_by_values and not self.sums else None
                return self._solve(s, self._turn(mover), self._values, self._find_value, most)
            except Crowded:
                self.sums = True
        return 0 if self.grundy(s) else 1

    @property
    def _can_count(self) -> bool:
        """Whether `CountedPositions` can solve positions of this game.

        Each move must depend on one heap only, the measure must be a sum over the heaps, and play must end in the usual
        way.
        """
        return self._by_heap and self._adds_up and not self.ruleset.unusual_ending

    @cached_property
    def _counted(self) -> CountedPositions:
        from encoders.kernel.counts import CountedWinners

        def reach(heap: Heap, who: int) -> tuple[Position, ...]:
            return self._reach_apart((heap,), who)

        winners = CountedWinners(self._movers, self.players, self.stuck, self._open_kernel())
        return CountedPositions(self._movers, winners, reach, self.clock)

    def _find_value(self, s: Position, who: int, options: tuple[Position, ...], after: dict[Position, int]) -> int:
        if not options:
            return self._end(s, who)
        offers = {(v + 1) % self.players for v in {after[x] for x in options}}
        return min(offers) if self._rank is None else min(offers, key=self._rank.index)

    def _end(self, s: Position, who: int) -> int:
        """Return the offset of the winner at a position where the mover has no move; DRAW if it is a draw."""
        winner = self.ruleset.ending.winner
        if winner is None:
            return self.stuck
        try:
            found = self._count(winner, {"s": s, "mover": who})
        except Undefined as fault:
            raise BadRuleset(f"`stuck` of {self.ruleset.id} is ill-defined at {_write(s)}: {fault}") from None
        if self.ruleset.ending.drawn and found == NOBODY:
            return DRAW
        if not 0 <= found < self.players:
            raise BadRuleset(f"`stuck` of {self.ruleset.id} does not name a player at {_write(s)}")
        return (found - who) % self.players

    def _read_preferences(self) -> list[int] | None:
        """Return the list `prefer`: the possible winners, counted in turns from the mover, the most preferred first.

        Return None if the ruleset does not declare it. Raise Undefined if it does not contain each player once.
        """
        prefer = self.ruleset.ending.prefer
        if prefer is None:
            return None
        found = [as_integer(x) for x in as_list(self._evaluate(prefer, {}))]
        if sorted(found) != list(range(self.players)):
            raise Undefined(
                f"`prefer` of {self.ruleset.id} does not contain each number from 0 to {self.players - 1} once"
            )
        return found

    def grundy(self, s: Position) -> int:
        """Return the Grundy value. Raise Undefined if the players have different options at s or at a follower."""
        if not self.sums:
            try:
                return self._solve(s, 0, (self._grundy,), self._find_grundy, MOST_PLAYED if self._may_add else None)
            except Crowded:
                self.sums = True
        if any(self._change_heap(h, 0) for h in s) and self._weigh(s) < 0:
            raise self._blame(s)
        self.added |= len(s) > 1
        return reduce(xor, map(self._find_heap_value, s), 0)

    def _find_heap_value(self, heap: Heap) -> int:
        """Return the Grundy value of a heap. The value of an option is the nim-sum of the values of its heaps."""
        known, todo = self._heap_values, [heap]
        while todo:
            h = todo[-1]
            options = self._change_heap(h, 0) if h not in known else ()
            missing = [x for option in options for x in option if x not in known]
            if missing:
                if any(self._weigh_heap(x) < 0 for x in missing):
                    raise TooLarge("a heap with a negative measure cannot be played alone")
                todo += missing
                continue
            todo.pop()
            if h not in known:
                self.added |= any(len(option) > 1 for option in options)
                known[h] = mex([reduce(xor, (known[x] for x in option), 0) for option in options])
        return known[heap]

    def _find_grundy(self, s: Position, _: int, options: tuple[Position, ...], after: dict[Position, int]) -> int:
        for mover in range(1, self._movers):
            if {*self._reach(s, mover)} != {*options}:
                raise Undefined("the position has no Grundy value, because the players have different options")
        return mex([after[x] for x in options])

    def _find_length(
        self,
        choose: tuple[Callable[[Iterable[int]], int], Callable[[Iterable[int]], int]],
        s: Position,
        who: int,
        options: tuple[Position, ...],
        after: dict[Position, int],
    ) -> int:
        """Return twice the length of play from a position, plus 1 if the mover loses.

        `choose`: how the winner and the loser choose among the lengths, each `min` or `max`.
        `after`: the same numbers for the options.
        """
        if not options:
            return self._end(s, who)
        lost = [after[x] for x in options if after[x] % 2]
        if lost:
            return choose[0](lost) // 2 * 2 + 2
        return choose[1](after[x] for x in options) // 2 * 2 + 3

    def _find_score(self, s: Position, who: int, options: tuple[Position, ...], after: dict[Position, int]) -> int:
        """Return the best lead of the mover, the maximum of the leads over all moves.

        The lead after a move is the points of the move minus the best lead of the opponent.
        """
        self._count_kept(self._scores[who])
        points: dict[Position, int] = {}
        for option, gained in self._list_scored_options(s, who):
            points[option] = max(gained, points.get(option, gained))
        return max((points[x] - after[x] for x in options), default=0)

    def _is_alone(self, s: Position) -> bool:
        """Whether s and all its options have at most one heap, so that no values are added."""
        return len(s) <= 1 and all(
            len(x) <= 1 for h in s for who in range(self._movers) for x in self._change_heap(h, who)
        )

    def _solve(
        self,
        start: Position,
        who: int,
        known: tuple[dict[Position, int], ...],
        find: Callable[[Position, int, tuple[Position, ...], dict[Position, int]], int],
        most: int | None = None,
    ) -> int:
        """Return the value of a position that `find` defines, from the values of its options, without recursion.

        `known[mover][s]`: the values that are already known. The function adds the new ones.
        `find`: returns the value of a position, given the mover, the options, and the known values of the options.

        Raise Crowded if this solves more than `most` positions.
        """
        found = known[who].get(start)
        if found is not None:
            return found
        movers, most = len(known), None if most is None else len(known[0]) + most
        todo = [(start, who, options := self._reach(start, who), iter(options))]
        while todo:
            s, who, options, rest = todo[-1]
            after = (who + 1) % movers
            here = known[after]
            for x in rest:
                if x not in here:
                    further = self._reach(x, after)
                    todo.append((x, after, further, iter(further)))
                    break
            else:
                todo.pop()
                known[who][s] = find(s, who, options, here)
                if most is not None and len(known[0]) > most:
                    raise Crowded
        return known[who][start]


def _combine(move: Move, ways: list[list[T]]) -> Iterable[tuple[T, ...]]:
    """Return the combinations of one way for each chosen heap; if the move is `alike`, those with equal numbers picked.

    `ways`: for each chosen heap, the results of the compiled move.
    """
    if not move.alike:
        return product(*ways)
    tables = [dict(cast(list[tuple[Value, T]], way)) for way in ways]
    shared = set.intersection(*map(set, tables)) if tables else {()}
    return [tuple(table[numbers] for table in tables) for numbers in shared]


def _write(s: Position) -> str:
    return f"({', '.join(map(write_heap, s))})"


GIVES_GAMES = ("cool", "heat", "overheat", "atomic_weight")
_OF_MOVER = ("options", "legal", "terminal", "wins", "draws", "value", "remoteness", "suspense", "score")
