"""The heaps of a ruleset as WebAssembly functions: the maps of their cells, and the properties of each heap."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from claims.language.files.heaps import HeapShape
from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT, Type
from encoders.compute.native.pieces import ALLOCATING, SMALL, Bounds, WasmExpression, list_constants
from encoders.compute.native.runtime import (
    INTERN,
    KEPT,
    MAP_BITS,
    MOST_EXPONENT,
    MOST_MAPPED,
    NEW,
    NO_HEAP,
    STATE,
    STAYS,
    VALUE,
    VANISHES,
)
from encoders.compute.native.terms import Module, WasmFunctionWriter


# == maps =============================================================================================================
# The maps of cells of heaps of small numbers: one map for heaps that are a few numbers, and one for each length of a
# list. The numbers determine the address of the cell, so a move to a heap in a map does not make a new list.
class CellFinder(ABC):
    """The generator of code that finds the heap after a move, in a function about a move on the heap $p0.

    Heaps of small numbers are in a map: the numbers of a heap determine the address of its cell, its place in memory.
    """

    def start(self) -> str:
        """Return the statements that must precede the text of `find`."""
        return ""

    @abstractmethod
    def find(self, term: t.Term, heap: str, far: str) -> str:
        """Return statements that set the local `heap` to the cell of a term, or branch to the label `far`.

        They branch if the map contains no cell for the heap. Return "" if the form of the term is not supported. Raises
        NotNative.
        """


class NumbersFinder(CellFinder):
    """The generator of code that finds the heap after a move, for heaps that consist of a few numbers.

    `cell`: the number of bytes of a cell.
    """

    def __init__(self, writer: WasmFunctionWriter, cell: int) -> None:
        self.writer, self.cell = writer, cell

    def find(self, term: t.Term, heap: str, far: str) -> str:
        if not (isinstance(term, t.Operation) and term.op == "heap"):
            return ""
        text, names = "", [self.writer.local() for _ in term.args]
        for name, part in zip(names, term.args, strict=True):
            text += f"(local.set {name} {self.writer.write(part).text})\n"
        small, address = locate([f"(local.get {name})" for name in names], self.cell)
        return f"{text}(br_if {far} (i32.eqz {small}))\n(local.set {heap} {address})\n"


def locate(numbers: list[str], cell: int) -> tuple[str, str]:
    """Return two texts: the test whether a heap of these numbers has a cell in the map, and the address of the cell.

    `cell`: the number of bytes of a cell.
    """
    bits, index, together = MAP_BITS // len(numbers), "", ""
    for number in numbers:
        index = f"(i64.or (i64.shl {index} (i64.const {bits})) {number})" if index else number
        together = f"(i64.or {together} {number})" if together else number
    address = f"(i64.add (i64.const {KEPT}) (i64.mul {index} (i64.const {cell})))"
    return f"(i64.lt_u {together} (i64.const {1 << bits}))", address


class ListFinder(CellFinder):
    """The generator of code that finds the heap after a move, for heaps that are one list.

    If a move changes a few places in the list of the heap $p0, the code computes the address of the new heap from the
    address of $p0.

    `least`: the smallest number that a list may contain if its heap is found in this way.
    """

    def __init__(self, writer: WasmFunctionWriter, least: int) -> None:
        self.writer, self.least = writer, least
        self._row, self._side = writer.local(), writer.local()

    def start(self) -> str:
        parts = "(i32.load (i32.wrap_i64 (local.get $p0)))"
        return f"""(local.set {self._row} (i64.load32_u (i32.sub {parts} (i32.const 8))))
(if (i64.ne (local.get {self._row}) (i64.const 0)) (then
  (local.set {self._side} (i64.load offset=8 (i32.wrap_i64 (local.get {self._row}))))))
"""

    def find(self, term: t.Term, heap: str, far: str) -> str:
        puts = self._read(term)
        if not puts:
            return ""
        known: list[tuple[str, str]] = []
        text = f"(br_if {far} (i64.eqz (local.get {self._row}))) (local.set {heap} (local.get $p0))\n"
        for where, what in puts:
            i, x = self.writer.local(), self.writer.local()
            text += f"(local.set {i} {self.writer.write(where).text}) (local.set {x} {self.writer.write(what).text})\n"
            text += f"(if (i64.ge_u (local.get {i}) {self.writer.get_length(self._list)}) (then (unreachable)))\n"
            large = f"(i64.ge_u (i64.sub (local.get {x}) (i64.const {self.least})) (local.get {self._side}))"
            step = _load_entry(f"(local.get {self._row})", i, 8 * ROW)
            more = f"(i64.mul (i64.sub (local.get {x}) {self._get_old(i, known)}) {step})"
            text += f"(br_if {far} {large})\n(local.set {heap} (i64.add (local.get {heap}) {more}))\n"
            known.append((i, x))
        return text

    @property
    def _list(self) -> str:
        """The text of the address of the list of $p0."""
        return self.writer.get_part("(local.get $p0)", 0)

    def _get_old(self, i: str, known: list[tuple[str, str]]) -> str:
        """Return Wasm code for the number at place `i` in the list of $p0, after some replacements.

        `known`: the locals that contain the place and the new number of each earlier replacement.
        """
        old = _load_entry(self._list, i, 8)
        for j, y in known:
            same = f"(i64.eq (local.get {i}) (local.get {j}))"
            old = f"(if (result i64) {same} (then (local.get {y})) (else {old}))"
        return old

    def _read(self, term: t.Term) -> list[tuple[t.Term, t.Term]]:
        """Return (place, new number) for each number that a term replaces in the list of $p0, in order.

        Return [] if the term has another form.
        """
        if not (isinstance(term, t.Operation) and term.op == "heap"):
            return []
        (group,), puts = term.args, list[tuple[t.Term, t.Term]]()
        while isinstance(group, t.Operation) and group.op == "put":
            puts.insert(0, (group.args[1], group.args[2]))
            group = group.args[0]
        heap = group.args[0] if isinstance(group, t.Operation) and group.op == "part" else None
        mine = isinstance(heap, t.Variable) and self.writer.get(heap.name) == "(local.get $p0)"
        return puts if mine else []


ROW = 4  # words of a row before the numbers of bytes


def _load_entry(base: str, i: str, offset: int) -> str:
    """Return the text that loads the word at place `i`. `offset`: the number of bytes before the word at place 0."""
    return f"(i64.load offset={offset} (i32.wrap_i64 (i64.add {base} (i64.shl (local.get {i}) (i64.const 3)))))"


def list_rows(module: Module, cell: int) -> list[int]:
    """Return, for each length of a list, the address of a row of numbers, which describes a map.

    The map contains cells for the heaps that are one list of this length. The numbers of the row are:

    - the number of values that an element may have in the map;
    - the address of the map, or 0 if there is none yet;
    - the number of bytes of the map;
    - for each element, the number of bytes by which the cell moves if this element grows by 1.
    """
    rows = []
    for length in range(MOST_MAPPED + 1):
        side = round_down(length)
        steps = [cell * side**i for i in range(length)]
        rows.append(module.static.place([side, 0, cell * side**length, *steps]))
    return rows


def find_least(lo: t.Term) -> int:
    """Return the smallest number that a list may contain if its heap has a cell in a map.

    This is the lower bound `lo` of the elements if it is a literal, and otherwise 0.
    """
    return (list_constants(t.Collection(INT, 0, 0, (lo,))) or [0])[0]


def round_down(length: int) -> int:
    """Return how many values each element of a list may have, so that all lists of this length fit into the map."""
    side = 1 << MAP_BITS
    while side**length > 1 << MAP_BITS:
        side = min(side - 1, int((1 << MAP_BITS) ** (1 / length)))
    return side


# == heaps ============================================================================================================
# The heaps of a ruleset as WebAssembly functions. Each heap is stored once, with its properties.
class HeapText:
    """The generator of code that creates the heaps of a game and computes their properties.

    `measure`: the measure, a sum over the heaps, which each move must decrease.
    `movers`: the number of players with separate moves; 1 if the game is impartial.
    `parameters`: the parameters of the game.
    `by_exponents`: whether only the exponents of the measure are stored; see `has_exponents`.
    """

    def __init__(
        self,
        shape: HeapShape,
        measure: t.Term,
        movers: int,
        module: Module,
        parameters: Mapping[str, WasmExpression],
        by_exponents: bool,
    ) -> None:
        assert isinstance(measure, t.Comprehension)
        self.by_exponents = by_exponents
        self.shape, self.measure, self.module, self.parameters = shape, measure, module, parameters
        self.movers = movers
        self.state, self.value = STATE, VALUE
        self.weight = (VALUE + movers + 7) // 8 * 8  # the number of bytes of a cell before the measure
        self.cell = self.weight + 8
        self.lists = [part.is_list for part in shape.parts]
        self.parts = (4 * len(self.lists) + 7) // 8 * 8  # the number of bytes of the parts, a multiple of 8

    def write(self) -> str:
        """Return the WebAssembly functions $make, $find and $admit, with their auxiliary functions.

        $make returns the heap with given parts, $find the heap with given words. $admit finds all heaps in a table of
        words. Raise NotNative if a term is not supported.
        """
        sizes = {"cell": self.cell, "hashed": self.cell + 8, "parts": self.parts, "before": 8 + self.parts}
        intern = INTERN
        for name, size in sizes.items():
            intern = intern.replace(f"{{{name}}}", str(size))
        return "".join((intern, _ADMIT, self._find(), self._make(), self._list_parts(), self._shape()))

    def load_state(self, heap: str) -> str:
        """Return the text that loads the state of the heap in a local."""
        return load_state(heap, self.state)

    def load_weight(self, heap: str) -> str:
        """Return the text that loads the measure of the heap in a local."""
        return f"(i64.load offset={self.weight} (i32.wrap_i64 (local.get {heap})))"

    def make_finder(self, writer: WasmFunctionWriter) -> CellFinder | None:
        """Return the generator of code that finds cells in the maps; None if there are no maps."""
        if self.lists == [True]:
            return ListFinder(writer, find_least(self.shape.parts[0].lo))
        return NumbersFinder(writer, self.cell) if self.maps else None

    # -- heaps by their words -----------------------------------------------------------------------------------------
    @property
    def maps(self) -> bool:
        """Whether a heap consists of at most four numbers, without a list.

        Heaps of small numbers then have cells in a map.
        """
        return not any(self.lists) and len(self.lists) <= 4

    def _find(self) -> str:
        """Return the WebAssembly function $find, which returns the address of the heap with given words.

        The words are the numbers of the heap; a list is preceded by its length. $find stores the heap if it is new.
        """
        if self.lists == [True]:
            return self._find_list()
        if not self.maps:
            return """(func $find (param $from i64) (param $n i64) (result i64)
  (call $intern (local.get $from) (local.get $n)))"""
        words = [f"(i64.load offset={8 * i} (i32.wrap_i64 (local.get $from)))" for i in range(len(self.lists))]
        return f"""(func $find (param $from i64) (param $n i64) (result i64) (call $place_heap {" ".join(words)}))
{self._place_heap()}"""

    def _place_heap(self) -> str:
        """Return the WebAssembly function $place_heap, which returns the address of the heap with given numbers.

        $place_heap stores the heap if it is new.
        """
        count = len(self.lists)
        given = [f"(local.get $p{i})" for i in range(count)]
        small, address = locate(given, self.cell)
        kept = far = ""
        for i, number in enumerate(given):
            kept += f"(i64.store32 offset={4 * i} (local.get $parts) {number})"
            far += f"(i64.store offset={8 * i} (i32.wrap_i64 (global.get $top)) (call $number {number}))"
        return f"""(func $reserve
  (if (i64.ne (i64.const {KEPT}) (call $keep (i64.const {self.cell << MAP_BITS // count * count})))
    (then (unreachable))))
(start $reserve)
(func $place_heap {self.numbered} (result i64) (local $cell i32) (local $parts i32)
(if (i32.eqz {small}) (then {far} (return (call $intern (global.get $top) (i64.const {count})))))
(local.set $cell (i32.wrap_i64 {address}))
(if (i32.eqz (i32.load (local.get $cell))) (then
  (local.set $parts (i32.wrap_i64 (i64.add (call $keep (i64.const {8 + self.parts})) (i64.const 8))))
  (i32.store (local.get $cell) (local.get $parts))
  {kept}
  (call $shape (i64.extend_i32_u (local.get $cell)))))
(i64.extend_i32_u (local.get $cell)))
"""

    @property
    def numbered(self) -> str:
        return "".join(f"(param $p{i} i64)" for i in range(len(self.lists)))

    def _find_list(self) -> str:
        """Return the WebAssembly function $find for heaps that are one list.

        There is a map for each length, which the first list of this length reserves. It has a cell for each list of
        small numbers.
        """
        least = find_least(self.shape.parts[0].lo)
        rows = self.module.static.place(list_rows(self.module, self.cell))
        return f"""(func $find (param $from i64) (param $n i64) (result i64)
  (local $i i64) (local $at i64) (local $x i64) (local $side i64) (local $row i32)
(block $far
  (br_if $far (i64.gt_u (local.get $n) (i64.const {MOST_MAPPED + 1})))
  (local.set $row (i32.load (i32.wrap_i64 (i64.add (i64.const {rows}) (i64.shl (local.get $n) (i64.const 3))))))
  (local.set $side (i64.load offset=8 (local.get $row)))
  (local.set $i (local.get $n))
  (block $out (loop $next
    (local.set $i (i64.sub (local.get $i) (i64.const 1)))
    (br_if $out (i64.eqz (local.get $i)))
    (local.set $x (i64.sub (i64.load (i32.wrap_i64 (i64.add (local.get $from)
      (i64.shl (local.get $i) (i64.const 3))))) (i64.const {least})))
    (br_if $far (i64.ge_u (local.get $x) (local.get $side)))
    (local.set $at (i64.add (i64.mul (local.get $at) (local.get $side)) (local.get $x)))
    (br $next)))
  (if (i64.eqz (i64.load offset=16 (local.get $row))) (then
    (i64.store offset=16 (local.get $row) (call $keep (i64.load offset=24 (local.get $row))))))
  (local.set $at (i64.add (i64.load offset=16 (local.get $row))
    (i64.mul (local.get $at) (i64.const {self.cell}))))
  (if (i64.eq {load_state("$at")} (i64.const {NEW})) (then
    (call $fill (local.get $at) (local.get $from) (local.get $n) (i64.extend_i32_u (local.get $row)))))
  (return (local.get $at)))
(call $require_small (local.get $from))
(call $intern (local.get $from) (local.get $n)))
"""

    def _make(self) -> str:
        """Return the WebAssembly function $make, which returns the address of the heap with given parts.

        $make traps if these parts are not a heap of the game.
        """
        if self.lists == [True]:
            return f"""(func $make (param $c i64) (result i64) (local $heap i64)
(local.set $heap (call $find (local.get $c) (i64.add (i64.load (i32.wrap_i64 (local.get $c))) (i64.const 1))))
{require_heap("$heap")}
(local.get $heap))
"""
        if self.maps:
            given = " ".join(f"(local.get $p{i})" for i in range(len(self.lists)))
            return f"""(func $make {self.numbered} (result i64) (local $heap i64)
(local.set $heap (call $place_heap {given}))
{require_heap("$heap")}
(local.get $heap))
"""
        text = "(local.set $at (global.get $top))\n"
        for i, is_list in enumerate(self.lists):
            if is_list:
                text += f"(local.set $at (call $append (local.get $at) (local.get $p{i})))\n"
            else:
                text += f"(i64.store (i32.wrap_i64 (local.get $at)) (call $number (local.get $p{i})))\n"
                text += "(local.set $at (i64.add (local.get $at) (i64.const 8)))\n"
        text += """(local.set $heap (call $find (global.get $top)
  (i64.shr_u (i64.sub (local.get $at) (global.get $top)) (i64.const 3))))"""
        return f"""(func $make {self.numbered} (result i64) (local $at i64) (local $heap i64)
{text}
{require_heap("$heap")}
(local.get $heap))
"""

    # -- properties of a heap -----------------------------------------------------------------------------------------
    def _shape(self) -> str:
        """Return the WebAssembly function $shape, which computes and stores the properties of a heap from its parts."""
        writer = WasmFunctionWriter(self.module, {"h": WasmExpression("", SMALL), **self.parameters})
        gone = "(i32.const 0)" if self.shape.gone is None else writer.write_test(self.shape.gone)
        stays = f"(select (i64.const {VANISHES}) (i64.const {STAYS}) {gone})"
        state = f"(if (result i64) {self.is_heap(writer)} (then {stays}) (else (i64.const {NO_HEAP})))"
        weigh = f"(i64.store offset={self.weight} (i32.wrap_i64 (local.get $p0)) {self.weigh(writer).text})"
        text = f"(i64.store8 offset={STATE} (i32.wrap_i64 (local.get $p0)) {state})"
        text += f"(if (i64.ne {load_state('$p0')} (i64.const {NO_HEAP})) (then {weigh}))"
        top = writer.local()
        return writer.make(
            "$shape", f"(local.set {top} (global.get $top))\n{text}\n(global.set $top (local.get {top}))"
        )

    def _list_parts(self) -> str:
        """Return the WebAssembly function $list_parts, which stores the parts of a heap before its words."""
        text = f"(local.set $at (i64.add (local.get $parts) (i64.const {self.parts})))\n"
        for i, is_list in enumerate(self.lists):
            word = "(local.get $at)" if is_list else "(i64.load (i32.wrap_i64 (local.get $at)))"
            more = "(i64.shl (call $len (local.get $at)) (i64.const 3))" if is_list else "(i64.const 0)"
            text += f"(i64.store32 offset={4 * i} (i32.wrap_i64 (local.get $parts)) {word})\n"
            text += f"(local.set $at (i64.add (local.get $at) (i64.add (i64.const 8) {more})))\n"
        return f"(func $list_parts (param $parts i64) (local $at i64)\n{text})\n"

    def is_heap(self, writer: WasmFunctionWriter) -> str:
        """Return the test whether the parts of the heap $p0 are within their bounds and satisfy `where`."""
        tests = []
        for i, part in enumerate(self.shape.parts):
            at = t.Literal(INT, 0, 0, i)
            value = t.Operation(part.type, 0, 0, "part", (_variable("h", self.shape.type), at))
            if not part.is_list:
                tests.append(_build_range_test(part.lo, part.hi, value))
                continue
            body = _build_range_test(part.lo, part.hi, _variable(f"={i}", INT))
            tests.append(t.Comprehension(BOOL, 0, 0, "all", body, (t.Clause(f"={i}", value, ()),)))
        if self.shape.where is not None:
            tests.append(self.shape.where)
        return writer.write_test(t.AllOf(BOOL, 0, 0, tuple(tests)))

    def weigh(self, writer: WasmFunctionWriter, heap: str = "$p0") -> WasmExpression:
        """Return Wasm code for the contribution of the heap in a local to the measure.

        With `by_exponents`, this contribution is a power, and the code computes only its exponent.
        """
        first, *others = self.measure.clauses
        writer.name(first.variable, WasmExpression(f"(local.get {heap})", SMALL))
        body = self.measure.body
        if self.by_exponents:
            assert isinstance(body, t.Operation)
            exponent = writer.write(body.args[1])
            return WasmExpression(f"(call $exponent {exponent.text})", Bounds(0, MOST_EXPONENT))
        if others:
            body = t.Comprehension(INT, 0, 0, "sum", body, tuple(others))
        for condition in reversed(first.conditions):
            body = t.IfElse(INT, 0, 0, condition, body, t.Literal(INT, 0, 0, 0))
        return writer.write(body)


_ADMIT = f"""(func $append (param $at i64) (param $c i64) (result i64) (local $n i64)
  (local.set $n (call $len (local.get $c)))
  (if (i64.gt_u (local.get $n) (i64.const 4096)) (then (call $crowded)))
  (i64.store (i32.wrap_i64 (local.get $at)) (local.get $n))
  (block $out (loop $next
    (local.set $at (i64.add (local.get $at) (i64.const 8)))
    (local.set $c (i64.add (local.get $c) (i64.const 8)))
    (br_if $out (i64.eqz (local.get $n)))
    (local.set $n (i64.sub (local.get $n) (i64.const 1)))
    (i64.store (i32.wrap_i64 (local.get $at)) (call $number (i64.load (i32.wrap_i64 (local.get $c)))))
    (br $next)))
  (local.get $at))
(func $admit (export "admit") (param $from i64) (param $n i64) (param $rows i64) (param $to i64) (local $heap i64)
  ;; which heaps have these words, a row each; 0 for what is none, or vanishes
  (block $out (loop $next
    (br_if $out (i64.eqz (local.get $rows)))
    (local.set $heap (call $find (local.get $from) (local.get $n)))
    (i64.store (i32.wrap_i64 (local.get $to)) (select (local.get $heap) (i64.const 0)
      (i64.eq (i64.load8_u offset={STATE} (i32.wrap_i64 (local.get $heap))) (i64.const {STAYS}))))
    (local.set $from (i64.add (local.get $from) (i64.shl (local.get $n) (i64.const 3))))
    (local.set $to (i64.add (local.get $to) (i64.const 8)))
    (local.set $rows (i64.sub (local.get $rows) (i64.const 1)))
    (br $next))))
"""


def require_heap(heap: str) -> str:
    """Return the statement that traps if the local `heap` does not contain a heap of the game."""
    return require_state(load_state(heap))


def require_state(state: str) -> str:
    """Return the statement that traps if a state is not that of a heap of the game."""
    return f"(if (i64.gt_u (i64.sub {state} (i64.const {STAYS})) (i64.const 1)) (then (unreachable)))"


def load_state(heap: str, at: int = STATE) -> str:
    """Return Wasm code that loads the state of the heap in the local `heap`.

    `at`: the number of bytes before the state.
    """
    return f"(i64.load8_u offset={at} (i32.wrap_i64 (local.get {heap})))"


def _variable(name: str, kind: Type) -> t.Term:
    return t.Variable(kind, 0, 0, name)


def _build_range_test(lo: t.Term, hi: t.Term | None, value: t.Term) -> t.Term:
    tests = [t.Operation(BOOL, 0, 0, "ge", (value, lo))]
    if hi is not None:
        tests.append(t.Operation(BOOL, 0, 0, "le", (value, hi)))
    return t.AllOf(BOOL, 0, 0, tuple(tests))


def makes_lists(text: str) -> bool:
    """Whether code may make lists that it does not free."""
    return any(name in text for name in ALLOCATING)
