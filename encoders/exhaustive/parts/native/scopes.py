"""The heaps and positions of a scope in numbers, in the order of cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import prod

import numpy as np

from claims.language.statement import domains as d
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.parts.native.pieces import IN_HEAPS, NotNative
from encoders.exhaustive.parts.order import Heap

MOST = 3_000_000  # heaps, or positions


@dataclass(frozen=True)
class HeapBlock:
    """Heaps whose lists have the same lengths. `words` (n, k): the numbers of each, a list after its length.

    `lengths`: of each part, None for a number.
    """

    lengths: tuple[int | None, ...]
    words: Array

    def list_columns(self) -> Iterator[Array]:
        """Of each part the numbers (n,); of a list the length, the least and the greatest element, 0 if it is empty."""
        at = 0
        for length in self.lengths:
            yield self.words[:, at]
            at += 1
            if length is not None:
                elements = self.words[:, at : at + length] if length else np.zeros((len(self.words), 1), dtype=np.int64)
                at += length
                yield elements.min(axis=1)
                yield elements.max(axis=1)

    def read(self, row: int) -> Heap:
        """One of them as the language has it."""
        words, found = iter(self.words[row].tolist()), []
        for length in self.lengths:
            first = next(words)
            found.append(first if length is None else tuple(next(words) for _ in range(length)))
        return tuple(found)


class ScopeHeaps:
    """The heaps of a scope. `order`: their numbers, as they come form after form; `weights`: their sizes, in order."""

    def __init__(self, bound: d.PositionRange) -> None:
        """Raises NotNative."""
        parts = [part for _, part in bound.parts]
        lengths = _list_lengths(parts)
        forms = [_make_form(parts, x, len(lengths) > 1) for x in lengths]
        self.forms = [form for form, _, _ in forms]
        sizes = [len(form.words) for form in self.forms]
        if not 0 < sum(sizes) <= MOST:
            raise NotNative("no heap, or very many")
        weights, keys = (np.concatenate([x[i] for x in forms]) for i in (1, 2))
        span = prod(_count_digits(part)[0] ** _count_digits(part)[1] for part in parts)
        if (int(weights.max()) + 1) * span >= 1 << 62:
            raise NotNative("heaps of very many numbers")
        alone = len(self.forms) == 1  # then their contents are in order
        if alone and int(weights.max()) < 1 << 16:
            self.order = np.argsort(weights.astype(np.uint16), kind="stable")
        else:
            self.order = np.argsort(weights * span + keys, kind="stable")
        self.weights = weights[self.order]
        self._starts = np.concatenate([[0], np.cumsum(sizes)])

    def __len__(self) -> int:
        return len(self.order)

    def read(self, at: int) -> Heap:
        """The heap at a place of the order."""
        number = int(self.order[at])
        form = int(np.searchsorted(self._starts, number, side="right")) - 1
        return self.forms[form].read(number - int(self._starts[form]))

    def find_ends(self, places: Array, there: Array) -> set[int]:
        """The rows of `places` (n, number) that are first, last, or the first or last with a heap at an end of a range.

        The ranges are those of each number, and of the length and the elements of each list, in heaps that are `there`.
        """
        rows, number = places.shape
        found = {0, rows - 1} if rows else set[int]()
        for column in self._columns if rows and number else []:
            inside = column[there]
            for end in (inside.min(), inside.max()):
                hit = (column == end)[places].any(axis=1)
                if hit.any():
                    found |= {int(hit.argmax()), rows - 1 - int(hit[::-1].argmax())}
        return found

    @cached_property
    def _columns(self) -> list[Array]:
        """What the parts of the heaps are, in order: numbers, and of lists the length, the least and the greatest."""
        columns = [list(form.list_columns()) for form in self.forms]
        return [np.concatenate(parts)[self.order] for parts in zip(*columns, strict=True)]

    def list_positions(self, count: d.Range, there: Array) -> Iterator[Array]:
        """The positions of each number of heaps, (n, number): the places of their heaps, of those that are `there`."""
        for number in range(count.lo, count.hi + 1):
            if number < 2:
                yield there.reshape(-1, 1) if number else np.zeros((1, 0), dtype=np.int64)
                continue
            if len(there) ** number > MOST * prod(range(1, number + 1)):
                raise NotNative("very many positions")
            places = there[_list_choices(len(there), number)]
            yield places[np.argsort(self.weights[places].sum(axis=1), kind="stable")]


def _list_choices(size: int, number: int) -> Array:
    if number == 2:
        return np.stack(np.triu_indices(size), axis=1)
    choices = list(combinations_with_replacement(range(size), number))
    return np.array(choices, dtype=np.int64).reshape(-1, number)


def _list_lengths(parts: list[d.Range | d.ListRange]) -> list[tuple[int | None, ...]]:
    lengths = [range(x.length.lo, x.length.hi + 1) if isinstance(x, d.ListRange) else (None,) for x in parts]
    return list(product(*lengths))


def _count_digits(part: d.Range | d.ListRange) -> tuple[int, int]:
    """How a part is written as digits of a number that orders heaps: their base, and how many."""
    if isinstance(part, d.ListRange):
        return part.each.hi - part.each.lo + 2, part.length.hi  # 0 for an end
    return part.hi - part.lo + 1, 1


def _make_form(
    parts: list[d.Range | d.ListRange], lengths: tuple[int | None, ...], keyed: bool
) -> tuple[HeapBlock, Array, Array]:
    """The heaps of these lengths, their sizes, and, if wanted, keys that order them by contents."""
    ranges = [
        part.each if isinstance(part, d.ListRange) else part
        for part, length in zip(parts, lengths, strict=True)
        for _ in range(1 if length is None else length)
    ]
    total = prod(x.hi - x.lo + 1 for x in ranges)
    if total > MOST or any(max(abs(x.lo), abs(x.hi)) > IN_HEAPS for x in ranges):
        raise NotNative("very many heaps")
    columns = iter(_list_columns(ranges, total))
    words = np.empty((total, sum(1 if length is None else length + 1 for length in lengths)), dtype=np.int64)
    key, weight, at = np.zeros(total, dtype=np.int64), np.zeros(total, dtype=np.int64), 0
    for part, length in zip(parts, lengths, strict=True):
        base, digits = _count_digits(part)
        low, shift = (part.each.lo, 1) if isinstance(part, d.ListRange) else (part.lo, 0)
        if length is not None:
            words[:, at] = length
            at += 1
        for place in range(digits):
            if keyed:
                key *= base
            if length is None or place < length:
                column = words[:, at] = next(columns)
                at += 1
                weight += np.abs(column)
                if keyed:
                    key += column - (low - shift)
    return HeapBlock(lengths, words), weight, key


def _list_columns(ranges: list[d.Range], total: int) -> Iterator[Array]:
    """Each number of each row, all rows in lexicographic order."""
    run = total
    for x in ranges:
        size = x.hi - x.lo + 1
        run = run // size if size else 0
        yield np.tile(np.repeat(np.arange(x.lo, x.hi + 1), run), total // max(1, run * size))
