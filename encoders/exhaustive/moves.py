"""The legal moves of a ruleset, found by evaluating its own expressions on arrays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from claims.domains import Interval
from claims.rulesets import Move, Ruleset
from encoders.exhaustive import segments
from encoders.exhaustive.frame import Frame
from encoders.exhaustive.limits import MAX_EDGES, BadRuleset, TooLarge
from encoders.exhaustive.values import Array, Ragged, Scalars, Value, constant

if TYPE_CHECKING:
    from encoders.exhaustive.evaluate import Evaluator

Parameters = tuple[Any, ...]  # values in the order of the ruleset's parameters; a set or list as a tuple


def bound(ruleset: Ruleset, parameters: list[Parameters]) -> dict[str, Value]:
    """The ruleset's parameters as values of a frame with one row for each tuple."""
    names: dict[str, Value] = {}
    for i, p in enumerate(ruleset.parameters):
        column = [values[i] for values in parameters]
        if p.kind == "int":
            names[p.name] = Scalars(np.array(column, dtype=np.int64)[:, None])
        else:
            items = np.array([x for v in column for x in v], dtype=np.int64)
            names[p.name] = Ragged((len(column), 1), np.array([len(v) for v in column]), items)
    return names


class Moves:
    """The moves of one ruleset. `evaluator` evaluates its expressions; it asks about no game."""

    def __init__(self, ruleset: Ruleset, evaluator: Evaluator) -> None:
        self.ruleset, self.evaluator = ruleset, evaluator

    def single_heap(self, move: Move, parameters: list[Parameters], mover: int, size: int) -> Array:
        """legal[q, h, y]: whether the mover may make of a heap h a heap y, at parameters q; (Q, size+1, size+1)."""
        legal = np.zeros((len(parameters), size + 1, size + 1), dtype=bool)
        step = max(1, 2_000_000 // (size * size + 1))
        for start in range(0, len(parameters), step):
            part = parameters[start : start + step]
            names = bound(self.ruleset, part) | {"mover": constant(mover)}
            names[move.heaps[0]] = Scalars(np.arange(1, size + 1)[None, :])
            frame, owner = self.picked(move, Frame(len(part), size, names).flatten())
            become = self.sizes(move, frame)
            h = owner % size + 1
            if bool((become[0] >= h).any()):
                i = int(np.argmax(become[0] >= h))
                raise BadRuleset(f"a heap of {h[i]} becomes {become[0][i]}: the total does not decrease")
            legal[start + owner // size, h, become[0]] = True
        return legal

    def options(self, rows: Array, ids: Array, parameters: Parameters, mover: int) -> tuple[Array, Array]:
        """All moves from positions `rows` (with pool ids `ids`): (number of the source, row of the option)."""
        sources, options = [np.zeros(0, dtype=np.int64)], [np.zeros((0, rows.shape[1]), dtype=np.int64)]
        for move in self.ruleset.moves:
            for start in range(0, len(rows), 4096):
                part = slice(start, start + 4096)
                for source, option in self._move(move, rows[part], ids[part], parameters, mover):
                    sources.append(source + start)
                    options.append(option)
                    self.evaluator.clock.check()
        if sum(map(len, sources)) > MAX_EDGES:
            raise TooLarge(f"more than {MAX_EDGES} moves")
        width = max(o.shape[1] for o in options)
        widened = [np.pad(o, ((0, 0), (width - o.shape[1], 0))) for o in options]
        return np.concatenate(sources), np.concatenate(widened)

    def _move(
        self, move: Move, rows: Array, ids: Array, parameters: Parameters, mover: int
    ) -> Iterator[tuple[Array, Array]]:
        width = rows.shape[1]
        base: dict[str, Value] = bound(self.ruleset, [parameters]) | {"mover": constant(mover)}
        if move.choose == "each":
            frame = Frame(1, 1, base)
            assert move.at_least is not None and move.at_most is not None
            low = int(self.evaluator.scalars(move.at_least, frame).data[0, 0])
            high = int(self.evaluator.scalars(move.at_most, frame).data[0, 0])
            for count in range(max(low, 1), min(high, width) + 1):
                for slots in combinations(range(width), count):
                    yield from self._each(move, rows, ids, base, slots)
            return
        if move.choose == "any":
            choices = list(permutations(range(width), len(move.heaps)))
        elif move.choose == "largest":
            choices = [(width - 1,)]
        else:
            choices = [(i,) for i in range(width)]
        for slots in choices:
            there = (rows[:, list(slots)] > 0).all(axis=1)
            if move.choose == "smallest" and slots[0] > 0:
                there &= rows[:, slots[0] - 1] == 0
            numbers = np.flatnonzero(there)
            if len(numbers):
                names = dict(base)
                names["s"] = Scalars(ids[numbers][None, :])
                for name, slot in zip(move.heaps, slots, strict=True):
                    names[name] = Scalars(rows[numbers, slot][None, :])
                frame, owner = self.picked(move, Frame(1, len(numbers), names))
                yield numbers[owner], _replaced(rows[numbers[owner]], slots, self.sizes(move, frame))

    def _each(
        self, move: Move, rows: Array, ids: Array, base: dict[str, Value], slots: tuple[int, ...]
    ) -> Iterator[tuple[Array, Array]]:
        numbers = np.flatnonzero((rows[:, list(slots)] > 0).all(axis=1))
        sizes: list[Array] = []
        for slot in slots:
            names = dict(base)
            names["s"] = Scalars(ids[numbers][None, :])
            names[move.heaps[0]] = Scalars(rows[numbers, slot][None, :])
            if not len(numbers):
                return
            frame, owner = self.picked(move, Frame(1, len(numbers), names))
            sizes = [x[owner] for x in sizes] + self.sizes(move, frame)
            numbers = numbers[owner]
        if len(numbers):
            yield numbers, _replaced(rows[numbers], slots, sizes)

    def picked(self, move: Move, frame: Frame) -> tuple[Frame, Array]:
        """The frame (one row) spread over all legal picks, and for each the case it comes from."""
        owner = np.arange(frame.cols)
        for pick in move.picks:
            if isinstance(pick.domain, Interval):
                assert pick.domain.hi is not None
                lo = self.evaluator.scalars(pick.domain.lo, frame)
                hi = self.evaluator.scalars(pick.domain.hi, frame)
                _settled(lo, hi)
                beyond = Scalars(hi.data + 1)
                source = self.evaluator.collections.operate("range", [lo, beyond], [])
            else:
                source = self.evaluator.value(pick.domain, frame)
                _settled(source)
            assert isinstance(source, Ragged)
            lengths = np.broadcast_to(source.lengths, (frame.cols,)) if len(source.lengths) == 1 else source.lengths
            items = np.tile(source.items, frame.cols) if len(source.lengths) == 1 else source.items
            index = segments.owners(lengths)
            frame, owner = frame.spread(1, index), owner[index]
            frame.names[pick.name] = Scalars(items[None, :])
        if move.where is not None and frame.cols:
            test = self.evaluator.scalars(move.where, frame)
            _settled(test)
            keep = np.flatnonzero(np.broadcast_to(test.data, (1, frame.cols)).ravel())
            frame, owner = frame.spread(1, keep), owner[keep]
        return frame, owner

    def sizes(self, move: Move, frame: Frame) -> list[Array]:
        if frame.cols == 0:
            return [np.zeros(0, dtype=np.int64) for _ in move.become]
        found = []
        for term in move.become:
            value = self.evaluator.scalars(term, frame)
            _settled(value)
            sizes = np.broadcast_to(value.data, (1, frame.cols)).ravel()
            if bool((sizes < 0).any()):
                raise BadRuleset(f"a move makes a heap of {int(sizes.min())}")
            found.append(sizes)
        return found


def _settled(*values: Value) -> None:
    if any(v.bad is not None for v in values):
        raise BadRuleset("an expression of the ruleset is ill-defined for some move")


def _replaced(rows: Array, slots: tuple[int, ...], sizes: list[Array]) -> Array:
    """The rows with the heaps in `slots` gone and heaps of `sizes` added, sorted."""
    kept = np.delete(rows, list(slots), axis=1)
    return np.sort(np.concatenate([kept, *(x[:, None] for x in sizes)], axis=1), axis=1)
