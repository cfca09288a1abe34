"""A ruleset as WebAssembly functions, which create its heaps and compute winners and Grundy values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NamedTuple

from claims.language.files.domains import IntervalDomain
from claims.language.files.heaps import HeapShape
from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value
from claims.language.syntax.terms import BOOL, INT, PLAYER, Type
from encoders.compute.compound.order import as_integer, is_sum_over_heaps
from encoders.compute.native.pieces import ALLOCATING, ONE, SMALL, Bounds, NotNative, WasmExpression, list_constants
from encoders.compute.native.runtime import (
    INTERN,
    KEPT,
    MAP_BITS,
    MOST_MAPPED,
    MOST_PLAYERS,
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
(func $place_heap {self._parameters} (result i64) (local $cell i32) (local $parts i32)
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
    def _parameters(self) -> str:
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
            return f"""(func $make {self._parameters} (result i64) (local $heap i64)
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
        return f"""(func $make {self._parameters} (result i64) (local $at i64) (local $heap i64)
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
        state = f"(if (result i64) {self._is_heap(writer)} (then {stays}) (else (i64.const {NO_HEAP})))"
        weigh = f"(i64.store offset={self.weight} (i32.wrap_i64 (local.get $p0)) {self._weigh(writer)})"
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

    def _is_heap(self, writer: WasmFunctionWriter) -> str:
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

    def _weigh(self, writer: WasmFunctionWriter) -> str:
        """Return Wasm code for the contribution of the heap $p0 to the measure.

        With `by_exponents`, this contribution is a power, and the code computes only its exponent.
        """
        first, *others = self.measure.clauses
        writer.name(first.variable, WasmExpression("(local.get $p0)", SMALL))
        body = self.measure.body
        if self.by_exponents:
            assert isinstance(body, t.Operation)
            return f"(call $exponent {writer.write(body.args[1]).text})"
        if others:
            body = t.Comprehension(INT, 0, 0, "sum", body, tuple(others))
        for condition in reversed(first.conditions):
            body = t.IfElse(INT, 0, 0, condition, body, t.Literal(INT, 0, 0, 0))
        return writer.write(body).text


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


def load_state(heap: str) -> str:
    """Return Wasm code that loads the state of the heap in the local `heap`."""
    return f"(i64.load8_u offset={STATE} (i32.wrap_i64 (local.get {heap})))"


def _variable(name: str, kind: Type) -> t.Term:
    return t.Variable(kind, 0, 0, name)


def _build_range_test(lo: t.Term, hi: t.Term | None, value: t.Term) -> t.Term:
    tests = [t.Operation(BOOL, 0, 0, "ge", (value, lo))]
    if hi is not None:
        tests.append(t.Operation(BOOL, 0, 0, "le", (value, hi)))
    return t.AllOf(BOOL, 0, 0, tuple(tests))


# == rules ============================================================================================================
# A ruleset as WebAssembly functions: the winner from a heap, and its Grundy value.
#
# It supports rulesets whose moves are on any one heap and do not refer to the position, and whose measure is a sum over
# the heaps. Each move is checked: it must lead to heaps of the game and decrease the measure.
ASKED = ("wins", "value", "grundy", "outcome")
Use = Callable[[list[str]], str]
"""A function that returns statements that use the heaps after a move. Its argument names the locals of these heaps."""


MOST_MOVERS = 8
IN_HEAD = 8 - VALUE  # the values for this many movers are in the first 8 bytes of a cell


class MoveUse(NamedTuple):
    """The context in which the code for the moves of one function is generated.

    `writer`: the generator of the function.
    `finder`: the generator of code that finds cells in the maps; None if there are no maps.
    `use`: returns the statements that use the heaps after a move.
    """

    writer: WasmFunctionWriter
    finder: CellFinder | None
    use: Use


class RuleCodeGenerator(ABC):
    """The base class of the generators of WebAssembly code for a game.

    `parameters`: the value of each parameter, or the bounds of an integer that depends on the case.
    `players`: the number of players.
    `sums`: whether the Grundy values of several heaps may be added.
    """

    def __init__(self, ruleset: Ruleset, parameters: Mapping[str, Value | Bounds], players: int, sums: bool) -> None:
        """Prepare the generator. Raise NotNative if it does not support a parameter."""
        self.ruleset, self.players = ruleset, players
        self.movers = 1 if ruleset.impartial else players
        self.stuck = 0 if ruleset.stuck_wins else players - 1
        self.alone = all(len(move.become) <= 1 for move in ruleset.moves)
        self.normal = ruleset.impartial and players == 2 and not ruleset.stuck_wins
        self.adds = sums and self.normal
        self.module = Module(self.ask)
        self.chosen = {name: x for name, x in parameters.items() if isinstance(x, Bounds)}
        self.parameters = {name: self._bind(name, value) for name, value in parameters.items()}

    def _require_values(self) -> None:
        """Raise NotNative if a heap may split, but the Grundy values of several heaps must not be added."""
        if not self.alone and not self.adds:
            raise NotNative("a heap may split")

    def _require_few_movers(self) -> None:
        """Raise NotNative if many players have different moves."""
        if self.movers > MOST_MOVERS:
            raise NotNative(f"more than {MOST_MOVERS} players have different moves")

    def _require_constants(self) -> None:
        if self.chosen:
            raise NotNative("the parameters of the game are not the same in all cases")

    @abstractmethod
    def write(self) -> str:
        """Return the WebAssembly functions for the game, and for the definitions in terms.

        Raise NotNative if a term is not supported.
        """

    def _bind(self, name: str, value: Value | Bounds) -> WasmExpression:
        if isinstance(value, Bounds):
            return WasmExpression(f"(global.get $parameter{[*self.chosen].index(name)})", value)
        numbers = [as_integer(x) for x in value] if isinstance(value, tuple) else [as_integer(value)]
        bounds = Bounds(min(numbers, default=0), max(numbers, default=0))
        if not SMALL.lo <= bounds.lo <= bounds.hi <= SMALL.hi:
            raise NotNative("a parameter is too large")
        address = self.module.static.place(numbers) if isinstance(value, tuple) else value
        return WasmExpression(f"(i64.const {address})", bounds)

    def _writer(self, *names: str) -> WasmFunctionWriter:
        return WasmFunctionWriter(self.module, {name: WasmExpression("", SMALL) for name in names} | self.parameters)

    # -- moves --------------------------------------------------------------------------------------------------------
    def _write_picks(self, ways: MoveUse, move: Move, at: int) -> str:
        writer = ways.writer
        self._name_heap(writer, move)
        if at == len(move.picks):
            return self._finish(ways, move)
        pick = move.picks[at]

        def inner() -> str:
            return self._write_picks(ways, move, at + 1)

        if not isinstance(pick.domain, IntervalDomain):
            return writer.loop(pick.name, pick.domain, inner)
        assert pick.domain.hi is not None
        high = writer.write(pick.domain.hi)
        if pick.type != INT:
            return writer.count_lists(pick.name, writer.write(pick.domain.lo), high, inner)
        return writer.count(pick.name, writer.write(pick.domain.lo), writer.calculate("add", high, ONE), inner)

    def _name_heap(self, writer: WasmFunctionWriter, move: Move) -> None:
        """Let the variable for the heap that a move chooses refer to the parameter $p0."""
        writer.name(move.heaps[0], WasmExpression("(local.get $p0)", SMALL))

    @abstractmethod
    def _finish(self, ways: MoveUse, move: Move) -> str:
        """Return the statements for a move whose picked numbers are set.

        They compute the new heaps, trap if the move is invalid, and use the heaps as `ways.use` states.
        """

    def _tell_outcome(self) -> str:
        """Return the WebAssembly function $outcome of a position. It calls $winner for each of the two players."""
        text = OUTCOME.replace("{second}", str(min(1, self.movers - 1)))
        return text.replace("{outcomes}", str(self.module.static.place((0, 3, 2, 1))))

    # -- questions ----------------------------------------------------------------------------------------------------
    def ask(self, writer: WasmFunctionWriter, call: t.GameCall) -> str:
        """Return Wasm code for a game call, such as `wins(s)`. Raise NotNative if it is not supported."""
        if call.function not in ASKED:
            raise NotNative(f"{call.function} is not supported")
        s = self._find_position(writer, call.args[0])
        if call.function == "grundy":
            return f"(call $nimbers {s})"
        if call.function == "outcome":
            return f"(call $outcome {s})"
        if len(call.args) > 1 and not self._is_player(call.args[1]):
            raise NotNative("the mover may be a number that is not the number of a player")
        who = "(i64.const 0)" if self.movers == 1 else writer.write(call.args[1]).text
        found = f"(call $winner {s} {who})"
        return found if call.function == "value" else f"(i64.extend_i32_u (i64.eqz {found}))"

    def _is_player(self, mover: t.Term) -> bool:
        """Whether the term `mover` is certainly the number of a player.

        If the number of players is a parameter, the term may be any integer, also one that is not the number of a
        player.
        """
        if isinstance(mover, t.Literal):
            return 0 <= mover.value < self.players
        return mover.type == PLAYER

    def _find_position(self, writer: WasmFunctionWriter, term: t.Term) -> str:
        """Return Wasm code for the list of heaps, in any order, of the position that a term describes."""
        if isinstance(term, t.Operation) and term.op == "position":
            return self._find_position(writer, term.args[0])
        if isinstance(term, t.Operation) and term.op == "join":
            return f"(call $concat {' '.join(self._find_position(writer, x) for x in term.args)})"
        return writer.write(term).text


class GameCodeGenerator(RuleCodeGenerator):
    """The generator of WebAssembly code for a game whose heaps have parts."""

    def __init__(self, ruleset: Ruleset, parameters: Mapping[str, Value | Bounds], players: int, sums: bool) -> None:
        """Prepare the generator. Raise NotNative if it does not support the ruleset or a parameter."""
        require_native(ruleset)
        super().__init__(ruleset, parameters, players, sums)
        self._require_constants()
        self._require_values()
        assert ruleset.heap is not None
        assert ruleset.measure is not None
        if players > MOST_PLAYERS:
            raise NotNative(f"there are more than {MOST_PLAYERS} players")
        self._require_few_movers()
        self._heads: dict[str, str] = {}  # the local with the first 8 bytes of the cell, by the local with its address
        self.by_exponents = has_exponents(ruleset)
        self.heaps = HeapText(
            ruleset.heap, ruleset.measure, self.movers, self.module, self.parameters, self.by_exponents
        )

    def write(self) -> str:
        """Return the WebAssembly functions for the game, and for the definitions in terms.

        Raise NotNative if a term is not supported.
        """
        made = [self.heaps.write(), self._tell_winner(), self._tell_value(), self._tell_position()]
        return "".join((*made, *self.module.functions))

    # -- moves --------------------------------------------------------------------------------------------------------
    def _write_options(self, writer: WasmFunctionWriter, use: Use) -> str:
        """Return WebAssembly statements that try each move on the heap in parameter $p0.

        `use`: returns the statements that use the heaps after a move.
        """
        top, self._most = writer.local(), writer.local()
        parts = writer.read_parts("(local.get $p0)", self.heaps.lists)
        ways = MoveUse(writer, self.heaps.make_finder(writer), use)
        moves = "\n".join(self._write_picks(ways, move, 0) for move in self.ruleset.moves)
        start = "" if ways.finder is None else ways.finder.start()
        weight = self._load_weight("$p0")  # if it is negative, no heap is small enough
        most = f"(select {weight} (i64.const {-1 << 63}) (i64.ge_s {weight} (i64.const 0)))"
        return f"""{parts}{start}(local.set {self._most} {most})
(local.set {top} (global.get $top))
{moves}
(global.set $top (local.get {top}))"""

    def _finish(self, ways: MoveUse, move: Move) -> str:
        writer = ways.writer
        heaps, text = [writer.local() for _ in move.become], ""
        for heap, term in zip(heaps, move.become, strict=True):
            text += self._find_heap(ways, heap, term)
        text += f"{self._check_measure(heaps)}\n{ways.use(heaps)}"
        if move.where is None:
            return text
        test = writer.write_test(move.where)
        text = f"(if {test} (then {text}))"
        return free_lists(writer, text) if makes_lists(test) else text

    def _find_heap(self, ways: MoveUse, heap: str, term: t.Term) -> str:
        """Return statements that set the local `heap` to the heap of a term. They trap if it is not a heap."""
        writer, label = ways.writer, ways.writer.label()
        found = "" if ways.finder is None else ways.finder.find(term, heap, f"$far{label}")
        made = f"(local.set {heap} {writer.write(term).text})"
        made = free_lists(writer, made) if makes_lists(made) else made
        head = self._heads[heap] = writer.local()
        made += f"(local.set {head} (i64.load (i32.wrap_i64 (local.get {heap}))))"
        if found:
            found += f"(br_if $made{label} (i64.ne (i64.const 0) "
            found += f"(local.tee {head} (i64.load (i32.wrap_i64 (local.get {heap}))))))"
            made = f"(block $made{label} (block $far{label} {found})\n{made})"
            made = free_lists(writer, made) if makes_lists(found) else made
        return f"{made}\n{require_state(self._get_state(heap))}\n"

    def _stays(self, heap: str) -> str:
        return f"(i64.eq {self._get_state(heap)} (i64.const {STAYS}))"

    def _get_state(self, heap: str) -> str:
        """Return the text of the state of a new heap after a move. `heap`: the local that contains this heap."""
        return f"(i64.and (i64.shr_u (local.get {self._heads[heap]}) (i64.const {8 * STATE})) (i64.const 255))"

    def _load_weight(self, heap: str) -> str:
        """Return the text that loads the measure of the heap in a local."""
        return f"(i64.load offset={self.heaps.weight} (i32.wrap_i64 (local.get {heap})))"

    def _check_measure(self, heaps: list[str]) -> str:
        """Return statements that trap if the new heaps do not have a smaller measure than the heap $p0.

        New heaps that vanish are not counted. The statements also trap if the measure of $p0 is negative.
        """
        most = f"(local.get {self._most})"
        if self.by_exponents:
            large = [f"(i64.ge_s {self._load_weight(x)} {most})" for x in heaps]
            pairs = zip(heaps, large, strict=True)
            return "".join(f"(if (i32.and {self._stays(x)} {test}) (then (unreachable)))" for x, test in pairs)
        total = "(i64.const 0)"
        for i, heap in enumerate(heaps):
            stays = self._stays(heap)
            weight = f"(select {self._load_weight(heap)} (i64.const 0) {stays})"
            total = f"(call $add {total} {weight})" if i else weight
        return f"(if (i64.ge_s {total} {most}) (then (unreachable)))"

    # -- winners and values -------------------------------------------------------------------------------------------
    def _tell_winner(self) -> str:
        """Return the WebAssembly function $value(h, who): the winner from heap h if the player `who` moves.

        The winner is counted in turns from that player, who is 0. If a move may split a heap, $value always traps.
        """
        if not self.alone:
            return "(func $value (param $h i64) (param $who i64) (result i64) (unreachable))\n"
        writer = self._writer("h", "mover")
        slot, best, offer = _slot("$p0", "(local.get $p1)"), writer.local(), writer.local()

        def use(heaps: list[str]) -> str:
            text = f"(local.set {offer} {self._offer(heaps, offer)})"
            less = f"(i64.lt_s (local.get {offer}) (local.get {best}))"
            return f"{text}(if {less} (then (local.set {best} (local.get {offer}))))"

        text = f"""(local.set {best} (i64.load8_u offset={VALUE} {slot}))
(if (i64.ne (local.get {best}) (i64.const 0)) (then (return (i64.sub (local.get {best}) (i64.const 1)))))
(local.set {best} (i64.const {self.players}))
{self._write_options(writer, use)}
(if (i64.eq (local.get {best}) (i64.const {self.players})) (then (local.set {best} (i64.const {self.stuck}))))
(i64.store8 offset={VALUE} {slot} (i64.add (local.get {best}) (i64.const 1)))
(local.get {best})"""
        return writer.make("$value", text, "(result i64)")

    def _offer(self, heaps: list[str], spare: str) -> str:
        """Return Wasm code for the winner after a move to at most one heap, counted in turns from the mover.

        `heaps`: the local that contains the new heap; empty if the move leaves no heap.
        `spare`: a local that the code may overwrite.
        """
        nothing = f"(i64.const {(self.stuck + 1) % self.players})"
        if not heaps:
            return nothing
        (heap,), after = heaps, turn("(local.get $p1)", self.movers)
        asked = f"(call $value (local.get {heap}) {after})"
        if self.movers <= IN_HEAD:
            shift = "" if self.movers == 1 else f"(i64.shl {after} (i64.const 3))"
            shift = f"(i64.add {shift} (i64.const {8 * VALUE}))" if shift else f"(i64.const {8 * VALUE})"
            known = f"(i64.and (i64.shr_u (local.get {self._heads[heap]}) {shift}) (i64.const 255))"
        else:
            known = f"(i64.load8_u offset={VALUE} {_slot(heap, after)})"
        known = f"(local.tee {spare} {known})"
        found = f"(if (result i64) (i64.eqz {known}) (then {asked}) (else (i64.sub (local.get {spare}) (i64.const 1))))"
        return f"(if (result i64) {self._stays(heap)} (then {turn(found, self.players)}) (else {nothing}))"

    def _tell_value(self) -> str:
        """Return the WebAssembly function $grundy(h): the Grundy value of heap h.

        $grundy always traps if the game is partizan or misère, or does not have two players.
        """
        if not self.normal:
            return "(func $grundy (param $h i64) (result i64) (unreachable))\n"
        writer = self._writer("h")
        slot = "(i32.sub (i32.load (i32.wrap_i64 (local.get $p0))) (i32.const 4))"
        base, known = writer.local(), writer.local()

        def use(heaps: list[str]) -> str:
            total = "(i64.const 0)"
            for heap in heaps:
                total = f"(i64.xor {total} (call $nimber (local.get {heap})))"
            return f"(call $push {total})"

        text = f"""(local.set {known} (i64.load32_u {slot}))
(if (i64.ne (local.get {known}) (i64.const 0)) (then (return (i64.sub (local.get {known}) (i64.const 1)))))
(local.set {base} (global.get $stack))
{self._write_options(writer, use)}
(local.set {known} (call $mex (local.get {base})))
(i64.store32 {slot} (i64.add (local.get {known}) (i64.const 1)))
(local.get {known})"""
        return _NIMBER + writer.make("$grundy", text, "(result i64)")

    def _tell_position(self) -> str:
        """Return the WebAssembly functions $winner(s, who), $nimbers(s) and $outcome(s) for a list s of heaps.

        $winner returns the winner, counted in turns from the mover `who`. $nimbers returns the Grundy value of s. All
        three ignore heaps that vanish, and trap if an element of s is not a heap of the game.
        """
        adds = "(global.set $added (i64.const 1))" if self.adds else "(unreachable)"
        one = ""
        if self.alone:
            one = f"""(if (i64.eq (i64.load (i32.wrap_i64 (local.get $s))) (i64.const 1)) (then
    (local.set $heap (i64.load offset=8 (i32.wrap_i64 (local.get $s))))
    (if (i64.eq {load_state("$heap")} (i64.const {STAYS})) (then
      (return (call $value (local.get $heap) (local.get $who)))))))"""
        text = _POSITIONS.replace("{one}", one).replace("{adds}", adds).replace("{stuck}", str(self.stuck))
        text = text.replace("{weight}", self._load_weight("$heap"))
        return text.replace("{most}", str(int(self.alone))) + self._tell_outcome()


OUTCOME = """(func $outcome (param $s i64) (result i64)
  (i64.load offset=8 (i32.wrap_i64 (i64.add (i64.const {outcomes}) (i64.shl (i64.add
      (i64.shl (i64.extend_i32_u (i64.eqz (call $winner (local.get $s) (i64.const 0)))) (i64.const 1))
      (i64.extend_i32_u (i64.eqz (call $winner (local.get $s) (i64.const {second})))))
    (i64.const 3))))))
"""
_NIMBER = f"""(func $nimber (param $h i64) (result i64)
  (if (i64.ne {load_state("$h")} (i64.const {STAYS})) (then (return (i64.const 0))))
  (call $grundy (local.get $h)))
"""
# With more than `most` heaps, Grundy values are added; the code traps if that is not allowed, or if a measure is
# negative.
_POSITIONS = f"""(func $stay (param $s i64) (result i64)
  (local $i i64) (local $base i64) (local $heap i64)
  ;; the heaps of a list that do not vanish
  (local.set $base (global.get $stack))
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (call $len (local.get $s))))
    (local.set $heap (call $at (local.get $s) (local.get $i)))
    {require_heap("$heap")}
    (if (i64.eq {load_state("$heap")} (i64.const {STAYS})) (then (call $push (local.get $heap))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (call $gather (local.get $base)))
(func $winner (param $s i64) (param $who i64) (result i64) (local $heap i64)
  {{one}}
  (local.set $s (call $stay (local.get $s)))
  {{one}}
  (if (i64.eqz (call $len (local.get $s))) (then (return (i64.const {{stuck}}))))
  {{adds}}
  (i64.extend_i32_u (i64.eqz (call $nimbers (local.get $s)))))
(func $nimbers (param $s i64) (result i64) (local $i i64) (local $found i64) (local $heap i64)
  (local.set $s (call $stay (local.get $s)))
  (if (i64.gt_u (call $len (local.get $s)) (i64.const {{most}})) (then {{adds}}))
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (call $len (local.get $s))))
    (local.set $heap (call $at (local.get $s) (local.get $i)))
    (local.set $found (i64.xor (local.get $found) (call $grundy (local.get $heap))))
    (if (i64.lt_s {{weight}} (i64.const 0)) (then (unreachable)))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (local.get $found))
"""


def _name_unsupported(ruleset: Ruleset) -> str:
    if ruleset.unusual:
        return ruleset.unusual
    return "the heaps have no parts" if ruleset.heap is None else "a move depends on the whole position"


def require_native(ruleset: Ruleset) -> None:
    """Raise NotNative if `GameCodeGenerator` does not support a ruleset.

    It supports heaps with parts, the usual end of play, a measure that is a sum over the heaps, and moves that depend
    on one heap only.
    """
    if ruleset.heap is None or ruleset.unusual or ruleset.sees_position:
        raise NotNative(_name_unsupported(ruleset))
    if any(move.choose != "any" or len(move.heaps) != 1 for move in ruleset.moves):
        raise NotNative("a move chooses a largest or smallest heap, or does not choose one heap")
    if ruleset.measure is None or not is_sum_over_heaps(ruleset.measure):
        raise NotNative("the measure is not a sum over the heaps")


def has_exponents(ruleset: Ruleset) -> bool:
    """Whether the measure is a sum of powers of a literal number b that exceeds the number of heaps after each move.

    Fewer than b powers of b with exponents below e have a sum below b ** e. So a move decreases the measure if each new
    exponent is smaller than the old one. The powers need not be computed.

    >>> 2 * 3**4 < 3**5, 3 * 3**4 < 3**5
    (True, False)
    """
    match ruleset.measure:
        case t.Comprehension(body=t.Operation(op="pow", args=(t.Literal(value=base), _)), clauses=(clause,)):
            most = max((len(move.become) for move in ruleset.moves), default=0)
            return not clause.conditions and base > most
    return False


def _slot(heap: str, who: str) -> str:
    """Return Wasm code for an address. The value of a heap for the mover `who` is stored VALUE bytes after it."""
    return f"(i32.wrap_i64 (i64.add (local.get {heap}) {who}))"


def makes_lists(text: str) -> bool:
    """Whether code may make lists that it does not free."""
    return any(name in text for name in ALLOCATING)


def free_lists(writer: WasmFunctionWriter, text: str) -> str:
    """Return statements that also free the lists that the given statements make."""
    top = writer.local()
    return f"(local.set {top} (global.get $top)) {text} (global.set $top (local.get {top}))"


def turn(number: str, count: int) -> str:
    """Return Wasm code for (number + 1) % count, for a number below `count`."""
    if count <= 2:
        return f"(i64.xor {number} (i64.const 1))" if count == 2 else "(i64.const 0)"
    return f"(i64.rem_s (i64.add {number} (i64.const 1)) (i64.const {count}))"
