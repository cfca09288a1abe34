"""The search of a scope by machine code: all cases, in the order of cases."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial, reduce
from itertools import combinations_with_replacement, product
from math import prod
from typing import cast

import numpy as np
import wasmtime

from claims.language.files import domains as d
from claims.language.files.claim import Claim, Judgement
from claims.language.syntax.meanings import Value
from claims.language.syntax.terms import INT
from encoders.compute.arrays.case_sample import CODES, CaseSample
from encoders.compute.arrays.cases import Judged
from encoders.compute.arrays.limits import Deadline, OutOfTime
from encoders.compute.arrays.values import Array
from encoders.compute.compound.order import Heap, as_list
from encoders.compute.native.numbers import NumberCodeGenerator
from encoders.compute.native.pieces import (
    IN_HEAPS,
    NOTHING,
    ONE,
    SMALL,
    Bounds,
    NotNative,
    Outside,
    Stopped,
    WasmExpression,
)
from encoders.compute.native.rules import GameCodeGenerator, RuleCodeGenerator
from encoders.compute.native.runtime import (
    ARENA,
    CROWDED,
    LARGE,
    LOG,
    LOG_END,
    MOST_HEAPS,
    OUTSIDE,
    PAGE,
    POSITION,
    STATIC,
    TEXT,
    select_functions,
)
from encoders.compute.native.small_heaps import SmallHeapText
from encoders.compute.native.terms import WasmFunctionWriter
from encoders.logic.answer import Case, CaseValue

# == scopes ===========================================================================================================
# The heaps and positions of a scope as numbers, in the order of cases.
MOST = 3_000_000  # limit for heaps, and for positions
BLOCK = 1 << 15  # heaps or positions that are copied to machine code at a time


@dataclass(frozen=True)
class HeapBlock:
    """All heaps whose lists have given lengths, and whose numbers are in given ranges.

    The heaps are numbered in lexicographic order.

    `lengths`: for each part of a heap, its length if the part is a list, and None if it is a number.
    `ranges`: for each part, the range of its numbers.
    """

    lengths: tuple[int | None, ...]
    ranges: tuple[d.Range, ...]

    @cached_property
    def columns(self) -> list[d.Range]:
        """The ranges of the numbers of a heap, without the lengths of its lists."""
        counted = zip(self.lengths, self.ranges, strict=True)
        return [x for length, x in counted for _ in range(1 if length is None else length)]

    @property
    def width(self) -> int:
        """The number of words of a heap. A list is preceded by its length."""
        return len(self.columns) + sum(length is not None for length in self.lengths)

    def __len__(self) -> int:
        return prod(x.hi - x.lo + 1 for x in self.columns)

    def write(self, start: int, words: Array) -> None:
        """Write the words of consecutive heaps to the rows of an array. `start`: the number of the first heap."""
        numbers, at = np.arange(start, start + len(words), dtype=np.uint32), self.width
        for length, x in zip(reversed(self.lengths), reversed(self.ranges), strict=True):
            for _ in range(1 if length is None else length):
                at -= 1
                numbers, digits = np.divmod(numbers, np.uint32(x.hi - x.lo + 1))
                np.add(digits, x.lo, out=words[:, at], casting="unsafe", dtype=np.int64)
            if length is not None:
                at -= 1
                words[:, at] = length

    def list_columns(self) -> Iterator[Array]:
        """Yield arrays with one element for each heap.

        A part that is a number gives one array: its values. A part that is a list gives three arrays: its lengths, its
        minima and its maxima. The minimum and the maximum of an empty list are 0.
        """
        columns = iter(_list_columns(self.columns, len(self)))
        for length in self.lengths:
            if length is None:
                yield next(columns)
                continue
            yield np.full(len(self), length, dtype=np.int32)
            elements = [next(columns) for _ in range(length)] or [np.zeros(len(self), dtype=np.int16)]
            yield reduce(np.minimum, elements)
            yield reduce(np.maximum, elements)

    def count_sizes(self) -> Array:
        """Return the number of heaps of size 0, 1, ..., if no number is negative."""
        counts = np.ones(1, dtype=np.int64)
        for x in self.columns:
            counts = np.convolve(counts, np.arange(x.hi + 1) >= x.lo)
        return counts

    def read(self, number: int) -> Heap:
        """Return the heap with this number: a tuple of its parts, which are numbers and tuples of numbers."""
        words = np.empty((1, self.width), dtype=np.int64)
        self.write(number, words)
        row, found = iter(words[0].tolist()), []
        for length in self.lengths:
            first = next(row)
            found.append(first if length is None else tuple(next(row) for _ in range(length)))
        return tuple(found)


class ScopeHeaps:
    """All heaps of a scope.

    Heaps whose lists have the same lengths are in one block, and heaps are numbered block by block.
    """

    def __init__(self, bound: d.PositionRange) -> None:
        """List the heaps within the bounds of a position variable. Raise NotNative if there are too many, or none."""
        self._parts = [part for _, part in bound.parts] or [d.Range(max(1, bound.size.lo), bound.size.hi)]
        self.plain, self.total = not bound.parts, bound.total
        self.forms = [_make_form(self._parts, x) for x in _list_lengths(self._parts)]
        sizes = [len(form) for form in self.forms]
        if not 0 < sum(sizes) <= MOST:
            raise NotNative("the scope contains too many heaps, or none")
        self._starts = np.concatenate([[0], np.cumsum(sizes)])
        span = prod(_count_digits(part)[0] ** _count_digits(part)[1] for part in self._parts)
        self._span, largest = span, max(_find_largest(form) for form in self.forms)
        if (largest + 1) * span >= 1 << 62:
            raise NotNative("the parts of a heap have too many combinations of values")

    @cached_property
    def _weights(self) -> Array:
        """The sizes of the heaps, in the order of their numbers."""
        return np.concatenate([_weigh(form) for form in self.forms])

    @cached_property
    def order(self) -> Array:
        """The numbers of all heaps, sorted by size and then by parts."""
        if len(self.forms) > 1:
            keys = np.concatenate([_make_keys(self._parts, form) for form in self.forms])
            return np.argsort(self._weights.astype(np.int64) * self._span + keys, kind="stable")
        # the heaps of a form are sorted by their parts, and numpy sorts 16 bits by counting
        return np.argsort(self._weights, kind="stable")

    @cached_property
    def weights(self) -> Array:
        """The sizes of the heaps, in the order of heaps."""
        return self._weights[self.order].astype(np.int64)

    def __len__(self) -> int:
        return int(self._starts[-1])

    def read(self, at: int) -> Heap:
        """Return the heap at an index of `order`: a number, or a tuple of parts."""
        number = int(self.order[at])
        form = int(np.searchsorted(self._starts, number, side="right")) - 1
        heap = self.forms[form].read(number - int(self._starts[form]))
        return as_list(heap)[0] if self.plain else heap

    def find_ends(self, places: Array, there: Array, columns: Iterable[Array]) -> set[int]:
        """Return the indices of some positions: the first, the last, and positions with extreme heaps.

        `places`: row i contains the heaps of position i, as indices of `order`.
        `there`: the indices of the heaps that may occur.
        `columns`: arrays of numbers with one element for each heap, in the order of heaps; see `columns`.

        A heap is extreme if its number in a column is the least or the greatest among the heaps that may occur. The
        result contains the first and the last position with each kind of extreme heap.
        """
        rows, number = places.shape
        found = {0, rows - 1} if rows else set[int]()
        for column in columns if rows and number else []:
            inside = column if len(there) == len(self) else column[there]
            for end in (inside.min(), inside.max()):
                at_end = column == end
                if number == 1 and rows == len(self):
                    hit = at_end
                else:
                    hit = np.zeros(rows, dtype=np.bool_)
                    for heaps in places.T:
                        hit |= at_end[heaps]
                if hit.any():
                    found |= {int(hit.argmax()), rows - 1 - int(hit[::-1].argmax())}
        return found

    @cached_property
    def columns(self) -> list[Array]:
        """The arrays of `HeapBlock.list_columns` for all heaps, in the order of heaps."""
        blocks = [list(form.list_columns()) for form in self.forms]
        return [np.concatenate(parts)[self.order] for parts in zip(*blocks, strict=True)]

    def list_positions(self, number: int, there: Array) -> Array:
        """Return an array of the positions of `number` heaps. A row is a position: the indices of its heaps in `order`.

        Positions of smaller total size come first. `there`: the indices of the heaps that may occur. Raise NotNative if
        there are too many positions.
        """
        if number < 2:
            return self._clip(there.reshape(-1, 1) if number else np.zeros((1, 0), dtype=np.int64))
        if len(there) ** number > MOST * prod(range(1, number + 1)):
            raise NotNative("the scope contains too many positions")
        places = there[_list_choices(len(there), number)]
        return self._clip(places[np.argsort(self.weights[places].sum(axis=1), kind="stable")])

    def _clip(self, places: Array) -> Array:
        """Return the rows of `places` whose total size is within the bounds of the scope."""
        if self.total is None:
            return places
        totals = self.weights[places].sum(axis=1)
        return np.asarray(places[(totals >= self.total.lo) & (totals <= self.total.hi)])


def _list_choices(size: int, number: int) -> Array:
    if number == 2:
        return np.stack(np.triu_indices(size), axis=1)
    choices = list(combinations_with_replacement(range(size), number))
    return np.array(choices, dtype=np.int64).reshape(-1, number)


def _list_lengths(parts: list[d.Range | d.ListRange]) -> list[tuple[int | None, ...]]:
    lengths = [range(x.length.lo, x.length.hi + 1) if isinstance(x, d.ListRange) else (None,) for x in parts]
    return list(product(*lengths))


def _count_digits(part: d.Range | d.ListRange) -> tuple[int, int]:
    """Return how the sort key of a heap encodes a part: the base and the number of digits."""
    if isinstance(part, d.ListRange):
        return part.each.hi - part.each.lo + 2, part.length.hi  # 0 marks the end
    return part.hi - part.lo + 1, 1


def _make_form(parts: list[d.Range | d.ListRange], lengths: tuple[int | None, ...]) -> HeapBlock:
    """Return the block of all heaps whose lists have the given lengths. Raise NotNative for too many heaps."""
    form = HeapBlock(lengths, tuple(part.each if isinstance(part, d.ListRange) else part for part in parts))
    if len(form) > MOST or any(max(abs(x.lo), abs(x.hi)) > IN_HEAPS for x in form.columns):
        raise NotNative("the scope contains too many heaps")
    return form


def _find_largest(form: HeapBlock) -> int:
    """Return a number that the sizes of the heaps of a block do not exceed."""
    return sum(max(abs(x.lo), abs(x.hi)) for x in form.columns)


def _weigh(form: HeapBlock) -> Array:
    """Return the sizes of the heaps of a block, in the order of their numbers."""
    found = np.zeros(1, dtype=np.uint16 if _find_largest(form) < 1 << 16 else np.int64)
    for x in form.columns:
        found = (found[:, None] + np.abs(np.arange(x.lo, x.hi + 1)).astype(found.dtype)).reshape(-1)
    return found


def _make_keys(parts: list[d.Range | d.ListRange], form: HeapBlock) -> Array:
    """Return the sort keys of the heaps of a block: a heap has a smaller key if its parts are smaller."""
    key = np.zeros(1, dtype=np.int64)
    for part, x, length in zip(parts, form.ranges, form.lengths, strict=True):
        base, digits = _count_digits(part)
        for place in range(digits):
            key *= base
            if length is None or place < length:
                shift = 0 if length is None else 1
                key = (key[:, None] + np.arange(shift, x.hi - x.lo + 1 + shift)).reshape(-1)
    return key


def _list_columns(ranges: list[d.Range], total: int) -> Iterator[Array]:
    """Yield the columns of the table of all tuples of numbers in these ranges, in lexicographic order."""
    run = total
    for x in ranges:
        size, small = x.hi - x.lo + 1, max(abs(x.lo), abs(x.hi)) < 1 << 15
        run = run // size if size else 0
        values = np.arange(x.lo, x.hi + 1, dtype=np.int16 if small else np.int32)
        yield np.tile(np.repeat(values, run), total // max(1, run * size))


# == search ===========================================================================================================
# A claim about heaps with parts, and its rules, as machine code that evaluates every case of a large scope.
#
# The code stops without a result at an undefined term, a number that is too large, or an invalid move. The search in
# Python then evaluates the complete scope. It also does this for claims with terms that the code does not support.
@dataclass
class NativeSearchResult:
    """The results of a search by machine code.

    `cases`: the number of cases searched.
    `met`: the number of cases at which the hypotheses hold.
    `witness`: the first case at which the hypotheses hold.
    `kept`: the cases that the referee must evaluate, with their judgements, in order.
    `decided`: the first case that decides the claim, such as a counterexample; None if no case does.
    `added`: whether Grundy values of several heaps were added.
    """

    cases: int = 0
    met: int = 0
    witness: Case | None = None
    kept: list[Judged] = field(default_factory=list)
    decided: Case | None = None
    added: bool = False


class CompiledSearch:
    """The machine code that searches the scope of a claim with one game and at most one variable for a position.

    `parameters`: the parameters of the game.
    `players`: the number of players.
    `sums`: whether the Grundy values of several heaps may be added.
    `earlier`: the bounds of the integers in cases that were searched before.
    """

    def __init__(
        self,
        claim: Claim,
        scope: d.Scope,
        parameters: Mapping[str, Value | Bounds],
        players: int,
        sums: bool,
        earlier: d.Scope | None = None,
    ) -> None:
        """Generate the code. Raise NotNative if the claim is not supported."""
        positions = [v for v in claim.variables if v.type.is_position]
        if len(positions) > 1 or len(claim.games) != 1:
            raise NotNative("the claim has several variables for positions, or does not have exactly one game")
        self.claim, self.scope, self.earlier = claim, scope, earlier
        self.position = positions[0] if positions else None
        self.numbers = [v for v in claim.variables if not v.type.is_position]
        self.decides = CODES.index(Judgement.HOLDS if claim.quantifier == "exists" else Judgement.FAILS)
        self.plain = claim.games[0].ruleset.heap is None  # the heaps are numbers
        self.found = NativeSearchResult()  # also the numbers of cases before OutOfTime
        self._given = parameters, players, sums
        self._generate(small=True)

    def _generate(self, small: bool) -> None:
        """Generate the code. `small`: whether it may support only heaps of small numbers; see `GameCodeGenerator`."""
        ruleset = self.claim.games[0].ruleset
        make = NumberCodeGenerator if self.plain else partial(GameCodeGenerator, small=small)
        self._rules: RuleCodeGenerator = make(ruleset, *self._given)
        self.small = self._rules.small if isinstance(self._rules, GameCodeGenerator) else None
        self.text = self._write()
        self.data = self._rules.module.static.data

    # -- text ---------------------------------------------------------------------------------------------------------
    def _write(self) -> str:
        names = () if self.position is None else (self.position.name,)
        writer = WasmFunctionWriter(self._rules.module, {name: WasmExpression("", SMALL) for name in (*names, "=at")})
        at = f"(local.get $p{len(names)})"
        cases = writer.make("$cases", f"{self._bind(writer, at, 0)} (i32.const 0)", "(result i32)")
        given = f"(i64.const {POSITION})" if names else ""
        text = "\n".join((TEXT, self._rules.write(), cases, _RUN.replace("{given}", given)))
        return f"(module\n{select_functions(text)})"

    def _bind(self, writer: WasmFunctionWriter, at: str, number: int) -> str:
        """Return Wasm code for nested loops over the variables in `self.numbers[number:]`.

        The innermost loop evaluates a case. `at`: the text of the number of the position.
        """
        if number == len(self.numbers):
            return self._skip_earlier(writer, self._look(writer, at))
        v = self.numbers[number]

        def inner() -> str:
            return self._bind(writer, at, number + 1)

        match v.domain:
            case d.IntervalDomain(lo=lo, hi=hi) if v.type == INT:
                low, high = writer.write(lo), None if hi is None else writer.write(hi)
                bound = self.scope.get(v.name)
                if isinstance(bound, d.Range):
                    low, high = _clip("largest", low, bound.lo), _clip("smallest", high, bound.hi)
                if high is None or low.bounds.lo < SMALL.lo or high.bounds.hi > SMALL.hi:
                    raise NotNative(f"the range of {v.name} is too large")
                return writer.count(v.name, low, writer.calculate("add", high, ONE), inner)
            case d.Players(count=count):
                return writer.count(v.name, WasmExpression("(i64.const 0)", NOTHING), _write_number(count), inner)
        raise NotNative(f"the domain of {v.name}, {v.text}, is not supported")

    def _skip_earlier(self, writer: WasmFunctionWriter, text: str) -> str:
        """Return the statements `text`, which evaluate a case, inside a test that skips cases searched before.

        Raise NotNative if `earlier` contains positions.
        """
        if self.earlier is None:
            return text
        outside = "(i32.const 0)"
        for name, bound in self.earlier.items():
            if not isinstance(bound, d.Range):
                raise NotNative("some positions of the scope were searched before")
            x = f"(i64.sub {writer.get(name)} (i64.const {bound.lo}))"
            outside = f"(i32.or {outside} (i64.gt_u {x} (i64.const {bound.hi - bound.lo})))"
        return f"(if {outside} (then {text}))"

    def _look(self, writer: WasmFunctionWriter, at: str) -> str:
        """Return the statements that evaluate the claim at a case and write the case and its judgement to the log."""
        claim, code = self.claim, writer.local()
        text = f"(global.set $top (i64.const {ARENA}))"
        if self._rules.chosen:
            arguments = dict(claim.games[0].arguments)
            given = " ".join(writer.write(arguments[name]).text for name in self._rules.chosen)
            text += f"(call $choose {given})\n"
        judged = f"(if (result i64) {writer.write_test(claim.conclusion)} (then (i64.const 1)) (else (i64.const 2)))"
        if claim.hypothesis is not None:
            judged = f"(if (result i64) {writer.write_test(claim.hypothesis)} (then {judged}) (else (i64.const 0)))"
        text += f"(local.set {code} {judged})\n"
        row = [at, *(writer.get(v.name) for v in self.numbers), f"(local.get {code})"]
        for i, word in enumerate(row):
            text += f"(i64.store offset={8 * i} (i32.wrap_i64 (global.get $log)) {word})"
        text += f"(global.set $log (i64.add (global.get $log) (i64.const {8 * len(row)})))\n"
        text += f"(if (i64.eq (local.get {code}) (i64.const {self.decides})) (then (return (i32.const 1))))"
        return text + f"(if (i64.ge_u (global.get $log) (i64.const {LOG_END - PAGE})) (then (call $flush)))"

    # -- search -------------------------------------------------------------------------------------------------------
    def search(self, clock: Deadline) -> NativeSearchResult:
        """Evaluate the cases of the scope, up to the first case that decides the claim, and return the results.

        Raise OutOfTime; NotNative if the scope is too large; Stopped if the code traps or there is too little memory.
        """
        try:
            return self._run(clock)
        except Outside:
            self._generate(small=False)
            return self._run(clock)

    def _run(self, clock: Deadline) -> NativeSearchResult:
        try:
            run = _Run(self, clock)
            self.found = run.found
        except (wasmtime.WasmtimeError, wasmtime.Trap):
            raise Stopped("there is not enough memory for the machine code") from None
        try:
            run.look()
        except wasmtime.Trap as trap:
            if run.why == OUTSIDE:
                raise Outside("a heap contains a number that is not small") from None
            deep = trap.trap_code is wasmtime.TrapCode.STACK_OVERFLOW
            raise Stopped("the recursion is too deep" if deep else _REASONS[run.why]) from None
        return run.found


_REASONS = {
    0: "a term is ill-defined, or a move does not decrease the measure",
    LARGE: "a number has more than 62 bits, or a number in a heap has more than 30",
    CROWDED: "there is not enough room for all numbers and heaps",
}

# The heaps of one position after another, `n` each, with 4 bytes for a heap, are copied to POSITION.
_RUN = f"""(func (export "run") (param $s i64) (param $n i64) (param $at i64) (param $to i64) (result i32)
(local $i i64)
(i64.store (i32.const {POSITION}) (local.get $n))
(block $out (loop $next
  (br_if $out (i64.ge_s (local.get $at) (local.get $to)))
  (local.set $i (i64.const 0))
  (block $copied (loop $copy
    (br_if $copied (i64.ge_s (local.get $i) (local.get $n)))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (i64.store (i32.wrap_i64 (i64.add (i64.const {POSITION}) (i64.shl (local.get $i) (i64.const 3))))
      (i64.load32_u (i32.wrap_i64 (local.get $s))))
    (local.set $s (i64.add (local.get $s) (i64.const 4)))
    (br $copy)))
  (if (call $cases {{given}} (local.get $at)) (then (return (i32.const 1))))
  (local.set $at (i64.add (local.get $at) (i64.const 1)))
  (br $next)))
(i32.const 0))"""


def _clip(how: str, piece: WasmExpression | None, bound: int) -> WasmExpression:
    """Return Wasm code for an end of a variable's range, limited by the bound of the scope.

    `how`: "largest" for the lower end, and "smallest" for the upper end.
    `piece`: the end that the claim states; None if there is none.
    """
    if piece is None:
        return _write_number(bound)
    choose = max if how == "largest" else min
    bounds = Bounds(*(choose(x, bound) for x in piece.bounds))
    return WasmExpression(f"(call ${how} {piece.text} (i64.const {bound}))", bounds)


def _write_number(number: int) -> WasmExpression:
    return WasmExpression(f"(i64.const {number})", Bounds(number, number))


class _Run:
    """One execution of the machine code of a claim: the module in memory, and the results so far."""

    def __init__(self, native: CompiledSearch, clock: Deadline) -> None:
        self.native, self.clock, self.found = native, clock, NativeSearchResult()
        self._store = wasmtime.Store(make_engine())
        nothing = wasmtime.FuncType([], [])
        host = [wasmtime.Func(self._store, nothing, x) for x in (clock.check, self._flush)]
        module = wasmtime.Module(make_engine(), native.text)
        self._exports = wasmtime.Instance(self._store, module, host).exports(self._store)
        memory, log = self._exports["memory"], self._exports["log"]
        assert isinstance(memory, wasmtime.Memory)
        assert isinstance(log, wasmtime.Global)
        self._memory, self._log = memory, log
        memory.write(self._store, native.data, STATIC)
        self._heaps: ScopeHeaps | None = None
        self._addresses = np.zeros(0, dtype=np.uint32)  # of the heaps of the scope, if all are small
        self._listed = 0  # the address of `_addresses` in the memory of the module
        self._sample = CaseSample(native.claim.digest, len(native.numbers) + 2)
        # the number of the first position, and the indices of the heaps; None if position i is heap i
        self._blocks: list[tuple[int, Array | None]] = []

    def look(self) -> None:
        """Search all cases, up to the first that decides the claim.

        If OutOfTime is raised, `found` contains the numbers of the cases that were searched before.
        """
        try:
            decided = any(self._call("run", *block) for block in self._list_blocks())
            self.clock.check()
        except OutOfTime:
            self._read_log()
            raise
        self._read_log(decided)
        self.found.kept = [(self._read_case(row), CODES[row[-1]]) for row in self._sample.list_rows()]
        added = self._exports["added"]
        assert isinstance(added, wasmtime.Global)
        self.found.added = bool(added.value(self._store))

    @property
    def why(self) -> int:
        """The reason why the module stopped: LARGE, CROWDED, or 0."""
        why = self._exports["why"]
        assert isinstance(why, wasmtime.Global)
        return int(why.value(self._store))

    def _call(self, name: str, *arguments: int) -> int:
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        return int(function(self._store, *arguments) or 0)

    def _reserve(self, *shape: int, kind: type[ctypes._SimpleCData[int]] = ctypes.c_int64) -> tuple[int, Array]:
        """Reserve memory for an array of numbers with the given shape. Return its address and a numpy view of it."""
        at = self._call("keep", -(-ctypes.sizeof(kind) * prod(shape) // 8) * 8)
        return at, self._view(at, shape, kind)

    def _view(self, at: int, shape: tuple[int, ...], kind: type[ctypes._SimpleCData[int]] = ctypes.c_int64) -> Array:
        base = ctypes.addressof(self._memory.data_ptr(self._store).contents)  # the memory never moves
        return np.asarray(np.ctypeslib.as_array((kind * prod(shape)).from_address(base + at)).reshape(shape))

    # -- positions ----------------------------------------------------------------------------------------------------
    def _list_blocks(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield the positions of the scope in blocks. All positions of a block have the same number of heaps.

        A block is a tuple:

        - the address of its positions;
        - the number of heaps in each position;
        - the number of its first position;
        - the number of the first position after the block.
        """
        position = self.native.position
        if position is None:
            self._blocks = [(0, np.zeros((1, 0), dtype=np.int64))]
            yield 0, 0, 0, 1
            return
        bound = self.native.scope[position.name]
        assert isinstance(bound, d.PositionRange)
        self._heaps = heaps = ScopeHeaps(bound)
        small = self.native.small
        if small is None:
            addresses = np.concatenate([self._admit(form) for form in heaps.forms])[heaps.order]
        else:
            self._addresses = addresses = self._admit_small(heaps.forms[0], small)
        start, there = 0, None if addresses.all() else np.flatnonzero(addresses)
        for number in range(bound.heaps.lo, bound.heaps.hi + 1):
            if number > MOST_HEAPS:
                raise NotNative("a position has too many heaps")
            if small is not None and there is None and number == 1 and bound.total is None:  # nothing is copied
                self._blocks.append((start, None))
                self._sample.want({start + row for row in self._find_small_ends(heaps.forms[0], small)})
                yield self._listed, number, start, start + len(heaps)
                start += len(heaps)
                continue
            there = np.arange(len(heaps)) if there is None else there
            places = heaps.list_positions(number, there)
            at, lists = self._reserve(min(len(places), BLOCK), number, kind=ctypes.c_uint32)
            self._blocks.append((start, places))
            columns = heaps.columns if small is None else small.list_columns(addresses)
            self._sample.want({start + row for row in heaps.find_ends(places, there, columns)})
            for first in range(0, len(places), BLOCK):
                block = places[first : first + BLOCK]
                lists[: len(block)] = addresses[block]
                yield at, number, start + first, start + first + len(block)
            start += len(places)

    def _admit(self, form: HeapBlock) -> Array:
        """Return the address of each heap of a block; 0 if it is not a heap of the game, or vanishes.

        If the heaps are numbers, return the numbers.
        """
        rows = min(len(form), BLOCK)
        found = np.zeros(len(form), dtype=np.uint32)
        if not rows:
            return found
        at, words = self._reserve(rows, form.width)
        to, made = self._reserve(rows)
        for start in range(0, len(form), BLOCK):
            count = min(BLOCK, len(form) - start)
            form.write(start, words[:count])
            if not self.native.plain:
                self._call("admit", at, form.width, count, to)
            found[start : start + count] = words[:count, 0] if self.native.plain else made[:count]
        return found

    def _admit_small(self, form: HeapBlock, small: SmallHeapText) -> Array:
        """Return the addresses of all heaps of the scope, in the order of heaps; 0 for those that `_admit` excludes.

        Raise Outside if the scope contains a heap without an address.
        """
        if any(x.lo < 0 or x.hi > small.largest for x in form.ranges):
            raise Outside("the scope contains a number that is not small")
        if not len(form):
            return np.zeros(0, dtype=np.uint32)
        counts = form.count_sizes()
        self._listed, found = self._reserve(len(form), kind=ctypes.c_uint32)
        next_, places = self._reserve(len(counts), kind=ctypes.c_uint32)
        places[:] = self._listed + 4 * (np.cumsum(counts) - counts)
        self._call("admit", next_, *(end for x in form.ranges for end in (x.lo, x.hi)))
        return found

    def _find_small_ends(self, form: HeapBlock, small: SmallHeapText) -> set[int]:
        """Return the same indices as `ScopeHeaps.find_ends` for all positions of one heap, if all heaps are small.

        In the order of heaps, the addresses of heaps of the same size ascend.
        """
        counts = form.count_sizes()
        starts, found = np.cumsum(counts) - counts, {0, len(form) - 1}
        low, high = [x.lo for x in form.ranges], [x.hi for x in form.ranges]
        for others, i, end in product((low, high), range(len(low)), (low, high)):
            heap = [*others[:i], end[i], *others[i + 1 :]]
            first = int(starts[sum(heap)])
            alike = self._addresses[first : first + int(counts[sum(heap)])]
            found.add(first + int(np.searchsorted(alike, small.find_address(heap))))
        return found

    # -- cases --------------------------------------------------------------------------------------------------------
    def _flush(self) -> None:
        self.clock.check()
        self._read_log()

    def _read_log(self, decided: bool = False) -> None:
        """Read the new rows of the log, and empty it. `decided`: whether the last row decides the claim."""
        end, width = int(self._log.value(self._store)), len(self.native.numbers) + 2
        rows = self._view(LOG, ((end - LOG) // (8 * width), width))
        self._log.set_value(self._store, LOG)
        found, codes = self.found, rows[:, -1]
        found.cases += len(rows)
        found.met += int(np.count_nonzero(codes))
        if found.witness is None and found.met:
            found.witness = self._read_case(rows[int(np.argmax(codes != 0))].tolist())
        if decided:
            found.decided, rows = self._read_case(rows[-1].tolist()), rows[:-1]
        self._sample.read(rows)

    def _read_case(self, row: Sequence[int]) -> Case:
        at, *numbers, _ = row
        values: dict[str, CaseValue] = {v.name: x for v, x in zip(self.native.numbers, numbers, strict=True)}
        if self._heaps is not None and self.native.position is not None:
            start, places = next(x for x in reversed(self._blocks) if x[0] <= at)
            small = self.native.small
            heaps = tuple(
                self._heaps.read(int(i)) if small is None else small.read_heap(int(self._addresses[i]))
                for i in ([at - start] if places is None else places[at - start])
            )
            values[self.native.position.name] = cast(CaseValue, heaps)
        return {v.name: values[v.name] for v in self.native.claim.variables}


@cache
def make_engine() -> wasmtime.Engine:
    """Return the WebAssembly engine, configured so that traps do not use signals.

    With signals, a trap would end the process if other code, such as faulthandler, has replaced the signal handlers.
    """
    config = wasmtime.Config()
    config.signals_based_traps = False
    config.memory_may_move = False
    return wasmtime.Engine(config)
