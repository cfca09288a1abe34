"""Find the legal moves of a ruleset: evaluate its expressions for many positions and picks at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Protocol

import numpy as np

from claims.language.errors import NimChecksError
from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import limit_players
from claims.language.syntax.printing import find_free_names
from claims.language.syntax.terms import INT
from encoders.compute.arrays import limits
from encoders.compute.arrays import values as segments
from encoders.compute.arrays.limits import SAFE, BadRuleset, Deadline, TooLarge, TooWide, group_digits
from encoders.compute.arrays.operations import Collections
from encoders.compute.arrays.positions import pad_columns, sort_heaps
from encoders.compute.arrays.values import (
    Array,
    Frame,
    Ragged,
    Scalars,
    Value,
    group_places,
    list_distinct,
    list_owners,
    list_places,
    make_constant,
    merge_bad,
    to_array,
    unite_shapes,
)


# == evaluator ========================================================================================================
# The interface through which the rules of a game evaluate their terms. `arrays.evaluate` implements it.
class Evaluator(Protocol):
    """An evaluator of terms at all cases of a frame (a grid of cases).

    `collections`: the operations on lists, sets and positions.
    `clock`: the deadline.

    Every method may raise OutOfTime, TooLarge (TooWide if a smaller frame may fit) or BadRuleset.
    """

    clock: Deadline
    collections: Collections

    def evaluate(self, term: t.Term, frame: Frame) -> Value:
        """Return the value of a term at each case of a frame (a grid of cases).

        The value has one row (or column) if it does not depend on the row (or column).
        """

    def evaluate_scalars(self, term: t.Term, frame: Frame) -> Scalars:
        """Return the value of a term at each case, as `evaluate` does. The term must not be a list or set."""

    def evaluate_everywhere(self, term: t.Term, frame: Frame, fault: Exception) -> Value:
        """Return the value of a term that must be defined at every case.

        Raise `fault` if it is ill-defined at some case, and TooLarge if its value is past a limit.
        """


# == candidates =======================================================================================================
# The numbers that a move may pick, derived from its condition `where`. Other numbers need not be tried.
#
# The candidates include every legal pick, and usually more, because the condition is still evaluated at each candidate.
# So only simple parts of a condition are used: comparisons with the picked number, remainders, and `and` and `or` of
# these.
_GAIN = 4  # candidates are used if they are at most 1/_GAIN of the interval
_STRETCHES = 8  # an `or` that gives more stretches is ignored
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}
_DEFINED = {"add", "sub", "mul", "neg", "abs", "not", "eq", "ne", "lt", "le", "gt", "ge"}


class _Opaque(NimChecksError):
    """A comparison cannot be solved for the picked number: a value is unknown, undefined or too large."""


@dataclass(frozen=True)
class _Stretch:
    """An arithmetic progression of candidates for each case, which may be empty.

    At case i it is first[i], first[i] + step[i], first[i] + 2 * step[i], ..., as far as last[i].
    """

    first: Array
    last: Array
    step: Array

    @property
    def lengths(self) -> Array:
        return np.asarray(np.maximum((self.last - self.first) // self.step + 1, 0))

    def begin_at(self, least: Array) -> _Stretch:
        """Return the part of each progression from `least` on."""
        missing = np.maximum(least - self.first, 0)
        return replace(self, first=self.first + -(-missing // self.step) * self.step)

    def end_at(self, most: Array) -> _Stretch:
        """Return the part of each progression up to `most`."""
        return replace(self, last=np.minimum(self.last, most))

    def keep_residue(self, number: Array, modulus: Array) -> _Stretch:
        """Return the part of each progression that is congruent to `number` modulo `modulus`. The steps must be 1."""
        return replace(self, first=self.first + (number - self.first) % modulus, step=modulus)


class Candidates:
    """The candidates for a pick: the numbers at which a condition may be true.

    `name`: the name of the pick. `later`: the names of the picks after it, whose numbers are still unknown.
    `frame`: a frame of one row. Each case contains the position, the chosen heaps, and the numbers picked before.
    """

    def __init__(self, name: str, later: frozenset[str], frame: Frame, evaluator: Evaluator) -> None:
        self.name, self.unknown, self.frame, self.evaluator = name, later | {name}, frame, evaluator

    def find(self, condition: t.Term, lo: Array, hi: Array) -> Ragged | None:
        """Return, for each case, the numbers from `lo` to `hi` at which the condition may be true, ascending.

        `lo`, `hi`: arrays with an element for each case.

        Return None if few numbers can be excluded, if the numbers are too large, or if the condition may be undefined
        for some number. Raise TooWide.
        """
        if not self.frame.cols:
            return None
        limit = self.evaluator.clock.limit
        try:
            if int(lo.min()) <= -SAFE // 4 or int(hi.max()) >= SAFE // 4 or not self._is_defined(condition):
                return None
            whole = _Stretch(lo, hi, np.ones_like(lo))
            found = self._narrow(condition, [whole])
        except _Opaque:
            return None
        finally:
            self.evaluator.clock.limit = limit
        count = sum(int(x.lengths.sum()) for x in found)
        if count * _GAIN >= int(whole.lengths.sum()):
            return None
        if count > limits.MAX_CELLS:
            raise TooWide("too many picks at once")
        return self._list(found, int(lo.min()), int(hi.max()))

    def _list(self, stretches: list[_Stretch], low: int, high: int) -> Ragged | None:
        span = max(high - low + 1, 1)
        if span * self.frame.cols >= SAFE:
            return None
        parts = []
        for x in stretches:
            owner = list_owners(x.lengths)
            parts.append(owner * span + (x.first - low)[owner] + list_places(x.lengths) * x.step[owner])
        places = list_distinct(np.concatenate(parts)) if len(parts) > 1 else parts[0]
        lengths = np.bincount(places // span, minlength=self.frame.cols).astype(np.int64)
        return Ragged((1, self.frame.cols), lengths, places % span + low)

    def _narrow(self, condition: t.Term, stretches: list[_Stretch]) -> list[_Stretch]:
        match condition:
            case t.AllOf(args=args):
                for x in args:
                    stretches = self._narrow(x, stretches)
            case t.AnyOf(args=args):
                either = [found for x in args for found in self._narrow(x, stretches)]
                return either if len(either) <= _STRETCHES else stretches
            case t.Operation(op="lt" | "le" | "gt" | "ge" | "eq" as op, args=(a, b)):
                for name, x, y in ((op, a, b), (_MIRRORED[op], b, a)):
                    try:
                        return self._compare(name, x, y, stretches)
                    except _Opaque:
                        continue
        return stretches

    def _compare(self, op: str, a: t.Term, b: t.Term, stretches: list[_Stretch]) -> list[_Stretch]:
        """Return the parts of the progressions in which `a op b` may hold. The pick must occur in `a`, and not in `b`.

        Raise _Opaque if the comparison cannot be solved for the pick.
        """
        match op, a:
            case "eq", t.Operation(op="mod", args=(x, m)):
                modulus, (number, _) = self._count(m), self._isolate(x, b, op)
                residue = self._count(number)
                return [s.keep_residue(residue, modulus) if (s.step == 1).all() else s for s in stretches]
        term, op = self._isolate(a, b, op)
        end = self._count(term)
        if op in ("gt", "ge", "eq"):
            stretches = [s.begin_at(end + (op == "gt")) for s in stretches]
        if op in ("lt", "le", "eq"):
            stretches = [s.end_at(end - (op == "lt")) for s in stretches]
        return stretches

    def _isolate(self, a: t.Term, b: t.Term, op: str) -> tuple[t.Term, str]:
        """Solve `a op b` for the pick, which must occur in `a`. Return the other side and the relation.

        For the pick m, `h - m >= 2` gives `h - 2` and "le", because it means m <= h - 2. Raise _Opaque if this is
        impossible.
        """
        while not (isinstance(a, t.Variable) and a.name == self.name):
            match a:
                case t.Operation(op="add", args=(x, y)) if self._is_known(y):
                    a, b = x, _join("sub", b, y)
                case t.Operation(op="add", args=(x, y)) if self._is_known(x):
                    a, b = y, _join("sub", b, x)
                case t.Operation(op="sub", args=(x, y)) if self._is_known(y):
                    a, b = x, _join("add", b, y)
                case t.Operation(op="sub", args=(x, y)) if self._is_known(x):
                    a, b, op = y, _join("sub", x, b), _MIRRORED[op]
                case _:
                    raise _Opaque
        return b, op

    def _is_known(self, term: t.Term) -> bool:
        return not self.unknown & set(find_free_names(term))

    def _count(self, term: t.Term) -> Array:
        """Return the integer value of a term at each case.

        Raise _Opaque if the term is not an integer or contains an unknown pick, if its value is undefined, or if the
        value may be 2^60 or more in absolute value.
        """
        if not self._is_known(term) or term.type != INT:
            raise _Opaque
        value = self.evaluator.evaluate(term, self.frame)
        if not isinstance(value, Scalars) or value.bad is not None or value.data.dtype != np.int64:
            raise _Opaque
        if max(map(abs, value.find_bounds())) >= SAFE // 4:  # bounds and steps together then stay below 2^62
            raise _Opaque
        return np.asarray(np.broadcast_to(value.data, (1, self.frame.cols))[0])

    def _is_defined(self, term: t.Term) -> bool:
        """Whether the form of a term shows that it is defined for every number picked.

        Otherwise all numbers must be tried: the term may be undefined for a number that is not a candidate, and this
        error of the ruleset must be reported.
        """
        match term:
            case t.Variable() | t.Literal():
                return True
            case t.AllOf(args=args) | t.AnyOf(args=args):
                return all(map(self._is_defined, args))
            case t.Operation(op="mod" | "floordiv", args=(a, b)):
                return self._is_defined(a) and self._is_defined(b) and bool((self._count(b) > 0).all())
            case t.Operation(op=op, args=args):
                return op in _DEFINED and all(map(self._is_defined, args))
        return False


def _join(op: str, a: t.Term, b: t.Term) -> t.Term:
    return t.Operation(INT, a.start, a.end, op, (a, b))


# == moves ============================================================================================================
# The legal moves of a ruleset, found by evaluating its own expressions on arrays.
Parameters = tuple[int | tuple[int, ...], ...]
"""The values of a ruleset's parameters, in their order; a set or list is a tuple."""

_ROWS = 4096  # positions whose moves are generated at once
_PICKS = 250_000  # approximate number of pairs (heap, pick) at once
_WASTE = 4  # a grid of cases and numbers is used if it has at most this many cells for each number that may be picked


def bind_parameters(ruleset: Ruleset, parameters: list[Parameters]) -> dict[str, Value]:
    """Return the values of a ruleset's parameters, by name. A value has one row for each choice in `parameters`."""
    names: dict[str, Value] = {}
    for i, p in enumerate(ruleset.parameters):
        column = [values[i] for values in parameters]
        if p.kind == "int":
            names[p.name] = Scalars(to_array(column)[:, None])
        else:
            lists = [v for v in column if isinstance(v, tuple)]
            lengths = np.array([len(v) for v in lists], dtype=np.int64)
            names[p.name] = Ragged((len(lists), 1), lengths, to_array([x for v in lists for x in v]))
    return names


@dataclass(frozen=True)
class Picks:
    """A list of moves, each given by the heaps that replace the chosen heaps.

    `owner[i]`: the index of the case (the position with the chosen heaps) to which move i belongs; ascending.
    `sizes`: move i replaces the chosen heaps by the heaps `sizes[0][i]`, `sizes[1][i]`, ...; 0 means no heap.
    """

    owner: Array
    sizes: list[Array]


class Moves:
    """The moves of one ruleset.

    `evaluator`: evaluates the expressions of the ruleset, which do not refer to games.

    Every method may raise:
    - BadRuleset, if an expression is ill-defined for some pick, or a heap becomes negative;
    - TooLarge, for heaps of 2^62 or more, and for millions of picks in one position;
    - OutOfTime.
    """

    def __init__(self, ruleset: Ruleset, evaluator: Evaluator) -> None:
        self.ruleset, self.evaluator = ruleset, evaluator

    def tabulate_single_heap(self, move: Move, parameters: list[Parameters], mover: int, size: int) -> Array:
        """Return a table: element [q, h, y] is whether the mover may turn a heap h into a heap y by this move.

        q is an index in `parameters`; h and y are at most `size`. The move must choose one heap and leave at most one.
        Raises BadRuleset for a move that does not make the heap smaller.
        """
        legal = np.zeros((len(parameters), size + 1, size + 1), dtype=bool)
        columns = max(1, _PICKS // (size + 1))  # heaps at once
        for start in range(0, size, columns):
            heaps = np.arange(start + 1, min(start + columns, size) + 1)
            step = max(1, _PICKS // (len(heaps) * (size + 1)))
            for first in range(0, len(parameters), step):
                part = parameters[first : first + step]
                names = bind_parameters(self.ruleset, part) | {
                    "mover": make_constant(mover),
                    move.heaps[0]: Scalars(heaps[None, :]),
                }
                for picked in self.list_picks(move, Frame(len(part), len(heaps), names).flatten()):
                    q, h = np.divmod(picked.owner, len(heaps)) if len(part) > 1 else (0, picked.owner)
                    h, (become,) = heaps[h], picked.sizes
                    if bool((become >= h).any()):
                        i = int(np.argmax(become >= h))
                        raise BadRuleset(
                            f"a move of {self.ruleset.id} turns a heap of {h[i]} into a heap of {become[i]}: "
                            "it does not decrease the total"
                        )
                    legal.reshape(-1)[((first + q) * (size + 1) + h) * (size + 1) + become] = True
        return legal

    def list_options(self, rows: Array, ids: Array, parameters: Parameters, mover: int) -> tuple[Array, Array]:
        """Return all moves from some positions as two arrays with an entry for each move.

        1. The index of the position in `rows`.
        2. The option, as a row of zeros and ascending heaps. These rows may have more columns than `rows`.

        `rows`, `ids`: the heaps of the positions, and their numbers in the pool. An option may occur several times.
        Raise TooLarge beyond limits.MAX_EDGES moves.
        """
        sources, options = [np.zeros(0, dtype=np.int64)], [np.zeros((0, rows.shape[1]), dtype=np.int64)]
        count = 0
        for move in self.ruleset.moves:
            for start in range(0, len(rows), _ROWS):
                part = slice(start, start + _ROWS)
                for source, option in self._play(move, rows[part], ids[part], parameters, mover):
                    sources.append(source + start)
                    options.append(option)
                    count += len(source)
                    if count > limits.MAX_EDGES:
                        raise TooLarge(
                            f"more than {group_digits(limits.MAX_EDGES)} moves from the positions would be needed"
                        )
        width = max(o.shape[1] for o in options)
        return np.concatenate(sources), np.concatenate([pad_columns(o, width) for o in options])

    def _play(
        self, move: Move, rows: Array, ids: Array, parameters: Parameters, mover: int
    ) -> Iterator[tuple[Array, Array]]:
        base: dict[str, Value] = bind_parameters(self.ruleset, [parameters]) | {"mover": make_constant(mover)}
        if move.choose == "each":
            assert not move.alike
            yield from self._play_each(move, rows, ids, base)
            return
        width = rows.shape[1]
        choices = (
            list(permutations(range(width), len(move.heaps))) if move.choose == "any" else [(i,) for i in range(width)]
        )
        for slots in choices:
            there = (rows[:, list(slots)] > 0).all(axis=1)
            if move.choose == "largest" and slots[0] < width - 1:
                continue
            if move.choose == "smallest" and slots[0] > 0:
                there &= rows[:, slots[0] - 1] == 0
            chosen = np.flatnonzero(there)
            if len(chosen):
                heaps: dict[str, Value] = {
                    name: Scalars(rows[chosen, slot][None, :]) for name, slot in zip(move.heaps, slots, strict=True)
                }
                for picked in self.list_picks(move, _make_frame(base | heaps, ids[chosen])):
                    source = chosen[picked.owner]
                    yield source, _replace_heaps(rows[source], slots, picked.sizes)

    def _play_each(self, move: Move, rows: Array, ids: Array, base: dict[str, Value]) -> Iterator[tuple[Array, Array]]:
        """Yield all ways to play a move with `choose = "each"`, which changes each of the chosen heaps separately.

        They are yielded in batches. A batch is a pair of arrays: for each way, the index of the position in `rows`, and
        the option.
        """
        assert move.at_least is not None and move.at_most is not None
        frame = _make_frame(base, ids)
        low, high = (self._evaluate_numbers(x, frame) for x in (move.at_least, move.at_most))
        if bool(((low <= 0) & (high >= 0)).any()):
            raise BadRuleset(f"a move of {self.ruleset.id} may choose zero heaps, so it does not decrease the measure")
        for count in range(max(1, int(low.min())), min(int(high.max()), rows.shape[1]) + 1):
            allowed = (low <= count) & (count <= high)
            for slots in combinations(range(rows.shape[1]), count):
                chosen = np.flatnonzero(allowed & (rows[:, list(slots)] > 0).all(axis=1))
                yield from self._play_slots(move, rows, ids, base, slots, chosen)

    def _play_slots(
        self, move: Move, rows: Array, ids: Array, base: dict[str, Value], slots: tuple[int, ...], chosen: Array
    ) -> Iterator[tuple[Array, Array]]:
        """Yield all ways to play a move that changes the heaps in the columns `slots`, each of them separately.

        They are yielded in batches. A batch is a pair of arrays: for each way, the index of the position in `rows`, and
        the option. `chosen`: the indices of the positions from which the move is played.
        """
        todo: list[tuple[Array, list[Array]]] = [(chosen, [])]
        for slot in slots:
            found = []
            for source, sizes in todo:
                heap: dict[str, Value] = {move.heaps[0]: Scalars(rows[source, slot][None, :])}
                for picked in self.list_picks(move, _make_frame(base | heap, ids[source])):
                    found.append((source[picked.owner], [x[picked.owner] for x in sizes] + picked.sizes))
            todo = found
        for source, sizes in todo:
            yield source, _replace_heaps(rows[source], slots, sizes)

    def list_picks(self, move: Move, frame: Frame) -> Iterator[Picks]:
        """Yield all legal ways to play a move at the cases of a frame, in several parts if there are many.

        `frame`: a frame of one row, in which the chosen heaps have values.
        """
        if not frame.cols:
            return
        self.evaluator.clock.check()
        try:
            picked = self._pick(move, frame)
        except TooWide:
            if frame.cols == 1:
                raise TooLarge(f"{self.ruleset.id} has millions of moves from one position") from None
            half = frame.cols // 2
            for start, stop in ((0, half), (half, frame.cols)):
                for part in self.list_picks(move, frame.spread(1, np.arange(start, stop))):
                    yield Picks(part.owner + start, part.sizes)
            return
        yield picked

    def _pick(self, move: Move, frame: Frame) -> Picks:
        """Return all legal ways to play a move at the cases of a frame of one row. Raise TooWide for too many."""
        owner = np.arange(frame.cols)
        for number, pick in enumerate(move.picks):
            if isinstance(pick.domain, IntervalDomain):
                assert pick.domain.hi is not None
                lo, hi = (self._evaluate_scalars(x, frame) for x in (pick.domain.lo, pick.domain.hi))
                narrowed = self._narrow(move, number, frame, lo, hi)
                legal = self._try_in_grid(move, frame, lo, hi) if narrowed is None and move.picks == (pick,) else None
                if legal is not None:
                    owner, items = legal
                    frame = frame.spread(1, owner)
                    frame.names[pick.name] = Scalars(items[None, :])
                    return self._resize(move, frame, owner)
                source = narrowed
                if source is None:
                    source = self.evaluator.collections.make_range(lo, Scalars(hi.data + 1))
                if source.bad is not None:
                    raise TooLarge(f"a pick of {self.ruleset.id} has millions of values, because a heap is very large")
            else:
                value = self._evaluate(pick.domain, frame)
                source = self.evaluator.collections.list_elements(value, pick.domain.type)
            if source.shape != (1, frame.cols):
                if int(source.lengths.max(initial=0)) * frame.cols > limits.MAX_CELLS:
                    raise TooWide("too many picks at once")
                source = source.spread((1, frame.cols))
            index = segments.list_owners(source.lengths)
            frame, owner = frame.spread(1, index), owner[index]
            frame.names[pick.name] = Scalars(source.items[None, :])
        if move.where is not None:
            test = self._evaluate_scalars(move.where, frame)
            keep = np.flatnonzero(np.broadcast_to(test.data, (1, frame.cols)))
            frame, owner = frame.spread(1, keep), owner[keep]
        return self._resize(move, frame, owner)

    def _narrow(self, move: Move, number: int, frame: Frame, lo: Scalars, hi: Scalars) -> Ragged | None:
        """Return the candidates from `lo` to `hi` for pick number `number`, or None (see `Candidates.find`)."""
        if move.where is None or any(x.data.dtype == object for x in (lo, hi)):
            return None
        name, *later = (pick.name for pick in move.picks[number:])
        ends = (np.broadcast_to(x.data, (1, frame.cols))[0] for x in (lo, hi))
        return Candidates(name, frozenset(later), frame, self.evaluator).find(move.where, *ends)

    def _try_in_grid(self, move: Move, frame: Frame, lo: Scalars, hi: Scalars) -> tuple[Array, Array] | None:
        """Return the legal numbers from lo to hi of a move with one pick, as two arrays with an entry for each of them.

        They contain the case, ascending, and the number. The condition is evaluated on a grid of all numbers and all
        cases, so a subterm that depends only on the number, or only on the case, is computed once.

        Return None if the move has no condition, if the grid is too large, or if the condition is undefined somewhere
        on the grid. (It may be undefined only at a number outside lo..hi, which would be no error.)
        """
        if move.where is None or frame.cols < 2 or any(x.data.dtype == object for x in (lo, hi)):
            return None
        first, last = int(lo.data.min()), int(hi.data.max())
        picked = np.maximum(hi.data - lo.data + 1, 0).sum() * (frame.cols if lo.data.size == hi.data.size == 1 else 1)
        cells = max(last - first + 1, 0) * frame.cols
        if cells > min(_WASTE * int(picked), limits.MAX_CELLS):
            return None
        clock = self.evaluator.clock
        before = clock.limit
        numbers = np.arange(first, last + 1)
        grid = frame.spread(0, np.zeros(len(numbers), dtype=np.int64))
        grid.names[move.picks[0].name] = Scalars(numbers[:, None])
        try:
            test = self.evaluator.evaluate_scalars(move.where, grid)
        except TooWide:
            return None
        if test.bad is not None:
            clock.limit = before
            return None
        legal = test.data & (numbers[:, None] >= lo.data) & (numbers[:, None] <= hi.data)
        at = np.flatnonzero(np.broadcast_to(legal, (len(numbers), frame.cols)).T.copy())
        return at // len(numbers), numbers[at % len(numbers)]

    def _resize(self, move: Move, frame: Frame, owner: Array) -> Picks:
        """Return the moves for legal picks: compute the heaps that replace the chosen heaps.

        `frame`: a frame of one row with a case for each move, in which the picks have values.
        `owner`: the case of each move in the original frame. Raise BadRuleset for a negative heap.
        """
        sizes = [self._evaluate_numbers(term, frame) for term in move.become]
        least = min((int(x.min(initial=0)) for x in sizes), default=0)
        if least < 0:
            raise BadRuleset(f"a move of {self.ruleset.id} makes a heap of {least}")
        return Picks(owner, sizes)

    def _evaluate_numbers(self, term: t.Term, frame: Frame) -> Array:
        value = self._evaluate_scalars(term, frame)
        if value.data.dtype == object:
            raise TooLarge(f"an expression in a move of {self.ruleset.id} has a value of 2^62 or more")
        return np.broadcast_to(value.data, (1, frame.cols)).ravel()

    def _evaluate_scalars(self, term: t.Term, frame: Frame) -> Scalars:
        value = self._evaluate(term, frame)
        assert isinstance(value, Scalars)
        return value

    def _evaluate(self, term: t.Term, frame: Frame) -> Value:
        fault = BadRuleset(f"an expression of {self.ruleset.id} is ill-defined for some move")
        return self.evaluator.evaluate_everywhere(term, frame, fault)


def _make_frame(names: dict[str, Value], ids: Array) -> Frame:
    """Return a frame of one row with a case for each position. `ids`: the positions, which are the values of `s`."""
    return Frame(1, len(ids), names | {"s": Scalars(ids[None, :])})


def _replace_heaps(rows: Array, slots: tuple[int, ...], sizes: list[Array]) -> Array:
    """Return the positions `rows` after the heaps in the columns `slots` are replaced by heaps of `sizes`, sorted."""
    kept = np.delete(rows, list(slots), axis=1)
    return sort_heaps(np.concatenate([kept, *(x[:, None] for x in sizes)], axis=1))


# -- parameters -------------------------------------------------------------------------------------------------------
# The choices of values of a game's parameters. Each distinct choice gets the next number.


class ParameterList:
    """A growing list of choices of parameters, that is, of a value for each parameter of a ruleset.

    A choice has the number of its first occurrence: 0 for the first choice, 1 for the next different one, and so on.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.values: list[Parameters] = []
        self._index: dict[Parameters, int] = {}

    def __len__(self) -> int:
        return len(self.values)

    @property
    def players(self) -> Array:
        """The number of players for each choice of parameters. Raises TooLarge if it is past a limit."""
        if self.ruleset.players:
            return np.full(len(self), len(self.ruleset.players))
        at = [p.name for p in self.ruleset.parameters].index(self.ruleset.player_count)
        counts = [x for values in self.values if isinstance(x := values[at], int)]
        if over := limit_players(max(counts, default=0)):
            raise TooLarge(over.replace("_", " "))
        return np.array(counts, dtype=np.int64)

    def number_choices(self, values: list[Value]) -> tuple[Array, Array | None]:
        """Return two arrays: the number of the choice at each case, and whether the choice at a case is invalid.

        A choice is invalid if some value is ill-defined or outside the domain of its parameter. If all choices are
        valid, the second result is None. New choices are added to the list.

        `values`: for each parameter, its value at each case.
        """
        bad = merge_bad(*(v.bad for v in values))
        shape = unite_shapes((1, 1), *(v.data.shape if isinstance(v, Scalars) else v.shape for v in values))
        if bad is not None:
            shape = unite_shapes(shape, bad.shape)
        good = np.arange(shape[0] * shape[1])
        if bad is not None:
            good = np.flatnonzero(~np.broadcast_to(bad, shape))
        tuples, inverse = _find_distinct([_read_column(v, shape, good) for v in values], len(good))
        found = np.array([self._number(x) for x in tuples], dtype=np.int64)
        numbers = np.full(shape[0] * shape[1], -1)
        numbers[good] = found[inverse]
        outside = (numbers < 0).reshape(shape)
        return np.maximum(numbers, 0).reshape(shape), outside if outside.any() else None

    def _number(self, choice: Parameters) -> int:
        """Return the number of a choice, and add it to the list if it is new; -1 if a value is outside its domain."""
        for p, x in zip(self.ruleset.parameters, choice, strict=True):
            if isinstance(x, int) and not (p.lo <= x and (p.hi is None or x <= p.hi)):
                return -1
        if choice not in self._index:
            self._index[choice] = len(self.values)
            self.values.append(choice)
        return self._index[choice]


def _read_column(value: Value, shape: tuple[int, int], cells: Array) -> Array | list[object]:
    """Return the value of a parameter at some cases of a grid: an int64 array if possible, otherwise a list.

    `shape`: the shape of the grid. `cells`: the numbers of the cases, counted row by row.
    """
    if isinstance(value, Ragged):
        lists = value.to_lists()
        return [lists[i] for i in value.number_cells(shape)[cells].tolist()]
    data = np.broadcast_to(value.data, shape).ravel()[cells]
    return data if data.dtype != object else data.tolist()


def _find_distinct(columns: list[Array | list[object]], count: int) -> tuple[list[Parameters], Array]:
    """Return the distinct choices of parameters at `count` cases, and for each case the index of its choice.

    `columns`: for each parameter, its value at each case.
    """
    if not columns:
        return [()], np.zeros(count, dtype=np.int64)
    arrays = [c for c in columns if isinstance(c, np.ndarray)]
    if len(arrays) == len(columns):
        first, inverse = group_places(arrays)
        return list(zip(*(c[first].tolist() for c in arrays), strict=True)), inverse
    cells = list(zip(*(c.tolist() if isinstance(c, np.ndarray) else c for c in columns), strict=True))
    place = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
    return list(place), np.array([place[c] for c in cells], dtype=np.int64)
