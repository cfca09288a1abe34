"""Heaps of a few small numbers as WebAssembly functions. One word of 8 bytes contains all properties of a heap.

The numbers of a heap determine the address of its word, and the address determines the numbers. If a heap has no
address, because of its numbers, the module stops with the reason OUTSIDE. The search then starts again with the cells
of `heaps.py`.

The word of a new heap is 0. In any other word, the upper 4 bytes contain the measure of the heap. The lower 4 bytes
contain the values of the heap, in 3 bytes, and then its state: STAYS, VANISHES or NO_HEAP. A value v is stored as
v + 1; 0 means that the value is unknown. The 3 bytes contain

- the Grundy value in 2 bytes and the value for the mover in 1 byte, in an impartial game for two players in which a
  stuck player loses;
- the value for each of up to 3 movers, one byte each, in other games.

A heap that vanishes has the values of the empty position. With its measure, every move to it passes the test that the
measure decreases. So such a move needs no special case. A heap whose value is known is a heap of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

import numpy as np

from claims.language.files.heaps import HeapShape
from claims.language.syntax import terms as t
from encoders.compute.arrays.values import Array
from encoders.compute.native.heaps import CellFinder, HeapText, NumbersFinder, locate, makes_lists, require_state
from encoders.compute.native.pieces import SMALL, Bounds, NotNative, WasmExpression
from encoders.compute.native.runtime import KEPT, MAP_BITS, NO_HEAP, STAYS, VANISHES
from encoders.compute.native.terms import Module, WasmFunctionWriter, load_part

WORD = 8  # bytes
STATE = 3  # the number of bytes of a word before the state
UNKNOWN_VALUE = (1 << 24) - 1  # the bits of a word that are 0 if no value of the heap is known
MOST_PARTS, MOST_MOVERS = 4, 3
MEASURES = Bounds(-1 << 31, (1 << 31) - 1)
MARKS = 1 << 16  # places for marks, one for each Grundy value


def make_small_heaps(
    shape: HeapShape,
    measure: t.Term,
    movers: int,
    module: Module,
    parameters: Mapping[str, WasmExpression],
    by_exponents: bool,
    normal: bool,
    stuck: int,
) -> SmallHeapText | None:
    """Return the generator of code for heaps of a few small numbers; None if they do not fit into words.

    `normal`: whether the game is impartial, has two players, and a stuck player loses.
    `stuck`: the winner if the mover is stuck, counted in turns from the mover. The other arguments: see `HeapText`.
    """
    if any(part.is_list for part in shape.parts) or len(shape.parts) > MOST_PARTS or movers > MOST_MOVERS:
        return None
    made = SmallHeapText(shape, measure, movers, module, parameters, by_exponents)
    made.prepare(normal, stuck)
    try:
        bounds = made.weigh(made.make_writer()).bounds
    except NotNative:
        bounds = SMALL.mul(SMALL)
    if bounds.lo > MEASURES.lo and bounds.hi <= MEASURES.hi:
        return made
    module.load_part, module.part_bounds = load_part, SMALL
    return None


class SmallHeapText(HeapText):
    """The generator of code for heaps of at most four small numbers.

    `marks`: the address of the marks of Grundy values.
    """

    def prepare(self, normal: bool, stuck: int) -> None:
        """Set the places of values in words, and let the module read parts from addresses."""
        self.state, self.value, self.cell = STATE, 2 if normal else 0, WORD
        self.bits = MAP_BITS // len(self.lists)
        self.marks = KEPT + (WORD << self.bits * len(self.lists))
        values = [(0, 1), (16, stuck + 1)] if normal else [(8 * i, stuck + 1) for i in range(self.movers)]
        self.gone = sum(value << at for at, value in values) | VANISHES << 8 * STATE
        self.gone |= (MEASURES.lo if self.by_exponents else 0) << 32
        self.module.load_part, self.module.part_bounds = self._load_part, Bounds(0, (1 << self.bits) - 1)

    @property
    def largest(self) -> int:
        """The largest number in a heap."""
        return (1 << self.bits) - 1

    def make_writer(self) -> WasmFunctionWriter:
        """Return the generator of a function whose parameter is the heap h."""
        return WasmFunctionWriter(self.module, {"h": WasmExpression("", SMALL), **self.parameters})

    def _load_part(self, heap: str, at: int) -> str:
        after = len(self.lists) - 1 - at
        text = f"(i64.shr_u (i64.sub {heap} (i64.const {KEPT})) (i64.const {3 + self.bits * after}))"
        return f"(i64.and {text} (i64.const {(1 << self.bits) - 1}))" if at else text

    def load_weight(self, heap: str) -> str:
        return f"(i64.load32_s offset=4 (i32.wrap_i64 (local.get {heap})))"

    def make_finder(self, writer: WasmFunctionWriter) -> CellFinder:
        return NumbersFinder(writer, WORD)

    def write(self) -> str:
        """Return the WebAssembly functions $make and $admit, with their auxiliary functions.

        $make returns the heap with given numbers. $admit finds all heaps whose numbers are in given ranges. Raise
        NotNative if a term is not supported.
        """
        return "".join((self._reserve(), self._make(), self._admit()))

    def _reserve(self) -> str:
        size = self.marks - KEPT + 4 * MARKS
        return f"""(global $mark (mut i64) (i64.const 0))
(func $reserve (if (i64.ne (i64.const {KEPT}) (call $keep (i64.const {size}))) (then (unreachable))))
(start $reserve)
"""

    def _make(self) -> str:
        names = [f"(local.get $p{i})" for i in range(len(self.lists))]
        writer = WasmFunctionWriter(self.module, {f"={i}": WasmExpression("", SMALL) for i in range(len(names))})
        heap = writer.local()
        small, address = locate(names, WORD)
        text = f"""(if (i32.eqz {small}) (then (call $outside)))
(local.set {heap} {address})
{self._store_word(writer, heap, names)}
{require_state(self.load_state(heap))}
(local.get {heap})"""
        return writer.make("$make", text, "(result i64)")

    def _store_word(self, writer: WasmFunctionWriter, heap: str, numbers: list[str]) -> str:
        """Return statements that set the word of the heap in the local `heap` if it is new.

        `numbers`: the texts of its numbers.
        """
        for name, piece in {"h": WasmExpression(f"(local.get {heap})", SMALL), **self.parameters}.items():
            writer.name(name, piece)
        writer.name_parts(f"(local.get {heap})", numbers)
        gone = "(i32.const 0)" if self.shape.gone is None else writer.write_test(self.shape.gone)
        weight = self.weigh(writer, heap).text
        stays = f"(i64.or (i64.shl {weight} (i64.const 32)) (i64.const {STAYS << 8 * STATE}))"
        word = f"(if (result i64) {gone} (then (i64.const {self.gone})) (else {stays}))"
        none = f"(i64.const {NO_HEAP << 8 * STATE})"
        word = f"(if (result i64) {self.is_heap(writer)} (then {word}) (else {none}))"
        made, top = f"(i64.store (i32.wrap_i64 (local.get {heap})) {word})", writer.local()
        if makes_lists(made):
            made = f"(local.set {top} (global.get $top)) {made} (global.set $top (local.get {top}))"
        return f"(if (i64.eqz (i64.load (i32.wrap_i64 (local.get {heap})))) (then {made}))"

    def _admit(self) -> str:
        """Return the function $admit, which lists the heaps whose number i is from $lo(i) to $hi(i).

        The list contains 4 bytes for each heap: its address, or 0 if it is not a heap of the game, or vanishes. The
        heaps are sorted by size and then by numbers. For this, $next is the address of a table with 4 bytes for each
        size: the address of the place in the list for the next heap of this size.
        """
        count = len(self.lists)
        names = ["next", *(f"{end} {i}" for i in range(count) for end in ("lo", "hi"))]
        writer = WasmFunctionWriter(self.module, {name: WasmExpression("", SMALL) for name in names})
        heap, at, to = (writer.local() for _ in range(3))
        numbers = [writer.local() for _ in range(count)]
        _, address = locate([f"(local.get {x})" for x in numbers], WORD)
        size = reduce(lambda a, b: f"(i64.add {a} {b})", (f"(local.get {x})" for x in numbers))
        state = self.load_state(heap)
        text = f"""(local.set {heap} {address})
{self._store_word(writer, heap, [f"(local.get {x})" for x in numbers])}
(local.set {at} (i64.add {writer.get("next")} (i64.shl {size} (i64.const 2))))
(local.set {to} (i64.load32_u (i32.wrap_i64 (local.get {at}))))
(i64.store32 (i32.wrap_i64 (local.get {at})) (i64.add (local.get {to}) (i64.const 4)))
(i64.store32 (i32.wrap_i64 (local.get {to}))
  (select (local.get {heap}) (i64.const 0) (i64.eq {state} (i64.const {STAYS}))))
"""
        for i in reversed(range(count)):
            x, lo, hi = numbers[i], writer.get(f"lo {i}"), writer.get(f"hi {i}")
            step = f"(local.set {x} (i64.add (local.get {x}) (i64.const 1)))"
            text = f"(loop $more{i}\n{text} {step} (br_if $more{i} (i64.le_s (local.get {x}) {hi})))"
            text = f"(local.set {x} {lo}) {text}"
            text = f"(call $spend (i64.sub {hi} {lo})) {text}" if i == count - 1 else text
        return writer.make('$admit (export "admit")', text)

    def find_address(self, heap: Sequence[int]) -> int:
        """Return the address of the heap with these numbers."""
        return KEPT + WORD * reduce(lambda index, number: index << self.bits | number, heap)

    def read_heap(self, address: int) -> tuple[int, ...]:
        """Return the numbers of the heap at an address."""
        index, side = (address - KEPT) // WORD, 1 << self.bits
        return tuple(index // side**i % side for i in reversed(range(len(self.lists))))

    def list_columns(self, addresses: Array) -> Iterator[Array]:
        """Yield an array for each part: the number of each of the heaps with these addresses."""
        for i in reversed(range(len(self.lists))):
            index = addresses >> np.uint32(3 + self.bits * i)
            index -= np.uint32(KEPT >> 3 + self.bits * i)
            yield np.bitwise_and(index, np.uint32(self.largest), out=index)
