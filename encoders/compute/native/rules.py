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
from encoders.compute.native.pieces import ONE, SMALL, Bounds, NotNative, WasmExpression, list_constants
from encoders.compute.native.runtime import INTERN, MAP, MAP_BITS, MOST_MAPPED, STAYS, VALUE, WEIGHT
from encoders.compute.native.terms import Module, WasmFunctionWriter


# == near =============================================================================================================
# The lookup of heaps that are one list and differ from a known heap in a few places. It does not make a new list.
class Near:
    """The generator of code that finds the heap after a move in a map, without building its list.

    It is used if each heap is one list. The map contains the heaps that are short lists of small numbers, and the list
    determines the address of its map entry. If a move changes a few places in the list of the heap $p0, the code
    computes the address of the new entry from the address of the old one.

    `slot`: the number of bytes before a heap at which the address of its map entry is stored.
    `least`: the smallest number in a list of the map.
    """

    def __init__(self, writer: WasmFunctionWriter, slot: int, least: int) -> None:
        self.writer, self.slot, self.least = writer, slot, least
        self._place, self._row, self._count = writer.local(), writer.local(), writer.local()

    def start(self) -> str:
        """Return statements that load the address of the map entry of $p0.

        They must precede the statements of `find`.
        """
        rows = self.writer.module.static.place(list_rows(self.writer.module))
        count = f"(local.tee {self._count} (i64.load offset=8 (i32.wrap_i64 (local.get $p0))))"
        row = f"(i64.load offset=8 (i32.wrap_i64 (i64.add (i64.const {rows}) (i64.shl {count} (i64.const 3)))))"
        return f"""(local.set {self._place} (i64.load (i32.wrap_i64 (i64.sub (local.get $p0) (i64.const {self.slot})))))
(if (i64.ne (local.get {self._place}) (i64.const 0)) (then (local.set {self._row} {row})))
"""

    def find(self, term: t.Term, heap: str) -> str:
        """Return statements that set the local `heap` to the heap of a term, or to 0 if it is not in the map.

        Return "" if the term is not the list of $p0 with some numbers replaced. Raises NotNative.
        """
        puts = self._read(term)
        if not puts:
            return ""
        label, at = self.writer.label(), self.writer.local()
        known: list[tuple[str, str]] = []
        text = f"(local.set {at} (local.get {self._place})) (br_if $far{label} (i64.eqz (local.get {at})))\n"
        for where, what in puts:
            i, x = self.writer.local(), self.writer.local()
            text += f"(local.set {i} {self.writer.write(where).text}) (local.set {x} {self.writer.write(what).text})\n"
            text += f"(if (i64.ge_u (local.get {i}) (local.get {self._count})) (then (unreachable)))\n"
            side = f"(i64.load offset=8 (i32.wrap_i64 (local.get {self._row})))"
            text += f"(br_if $far{label} (i64.ge_u (i64.sub (local.get {x}) (i64.const {self.least})) {side}))\n"
            more = f"(i64.mul (i64.sub (local.get {x}) {self._get_old(i, known)}) {_load_entry(self._row, i)})"
            text += f"(local.set {at} (i64.add (local.get {at}) {more}))\n"
            known.append((i, x))
        text += f"(local.set {heap} (i64.load32_u (i32.wrap_i64 (local.get {at}))))"
        return f"(local.set {heap} (i64.const 0)) (block $far{label} {text})\n"

    def _get_old(self, i: str, known: list[tuple[str, str]]) -> str:
        """Return Wasm code for the number at place `i` in the list of $p0, after some replacements.

        `known`: the locals that contain the place and the new number of each earlier replacement.
        """
        old = _load_entry("$p0", i)
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


def _load_entry(base: str, i: str) -> str:
    """Return Wasm code that loads the number at place `i` in the list of a heap, or its step in `list_rows`."""
    return f"(i64.load offset=16 (i32.wrap_i64 (i64.add (local.get {base}) (i64.shl (local.get {i}) (i64.const 3)))))"


def list_rows(module: Module) -> list[int]:
    """Return, for each length of a list, the address of a list of constants about the map.

    The first constant is the number of values that an element may have in the map. It is followed by a step for each
    element: if the element grows by 1, the address of the map entry grows by this number of bytes.
    """
    sides = [round_down(length) for length in range(MOST_MAPPED + 1)]
    steps = [[4 * side ** (n - 1 - i) for i in range(n)] for n, side in enumerate(sides)]
    return [module.static.place([side, *row]) for side, row in zip(sides, steps, strict=True)]


def find_least(lo: t.Term) -> int:
    """Return the smallest number that a list in the map may contain.

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
        self.grundy = VALUE + 8 * movers
        self.place = self.grundy + 8  # the address of its map entry, or 0; for heaps that are one list
        self.header = self.place + 8
        self.lists = [part.is_list for part in shape.parts]

    def write(self) -> str:
        """Return the WebAssembly functions $make, $find and $admit, with their auxiliary functions.

        $make returns the heap with given parts, $find the heap with given words. $admit finds all heaps in a table of
        words. Raise NotNative if a term is not supported.
        """
        words = 8 * len(self.lists) if any(self.lists) else 0
        sizes = {"size": self.header, "hash": self.header, "words": words, "around": self.header + words}
        intern = INTERN
        for name, size in sizes.items():
            intern = intern.replace(f"{{{name}}}", str(size))
        return "".join((intern, _ADMIT, self._find(), self._make(), self._shape()))

    def near(self, writer: WasmFunctionWriter) -> Near | None:
        """Return the generator of code that finds heaps similar to $p0; None if a heap is not a single list."""
        return Near(writer, self.place, find_least(self.shape.parts[0].lo)) if self.lists == [True] else None

    # -- heaps by their words -----------------------------------------------------------------------------------------
    @property
    def maps(self) -> bool:
        """Whether a heap consists of at most four numbers, without a list.

        Heaps of small numbers then have entries in a map.
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
        small, address = self._locate(words)
        return f"""(func $find (param $from i64) (param $n i64) (result i64) (local $at i32) (local $heap i64)
(if (i32.eqz {small}) (then (return (call $intern (local.get $from) (local.get $n)))))
(local.set $at {address})
(local.set $heap (i64.load32_u (local.get $at)))
(if (i64.eqz (local.get $heap)) (then
  (local.set $heap (call $record (local.get $from) (local.get $n)))
  (i64.store32 (local.get $at) (local.get $heap))
  (call $shape (local.get $heap))))
(local.get $heap))
"""

    def _find_list(self) -> str:
        """Return the WebAssembly function $find for heaps that are one list.

        There is a map for each length. It has an entry for each list of small numbers.
        """
        least = find_least(self.shape.parts[0].lo)
        sides = [round_down(length) for length in range(MOST_MAPPED + 1)]
        return f"""(func $find (param $from i64) (param $n i64) (result i64)
  (local $i i64) (local $at i64) (local $x i64) (local $side i64) (local $heap i64)
(block $far
  (br_if $far (i64.gt_u (local.get $n) (i64.const {MOST_MAPPED + 1})))
  (local.set $side (i64.load (i32.wrap_i64 (i64.add (i64.const {self.module.static.place(sides)})
    (i64.shl (local.get $n) (i64.const 3))))))
  (local.set $i (i64.const 1))
  (block $out (loop $next
    (br_if $out (i64.ge_u (local.get $i) (local.get $n)))
    (local.set $x (i64.sub (i64.load (i32.wrap_i64 (i64.add (local.get $from)
      (i64.shl (local.get $i) (i64.const 3))))) (i64.const {least})))
    (br_if $far (i64.ge_u (local.get $x) (local.get $side)))
    (local.set $at (i64.add (i64.mul (local.get $at) (local.get $side)) (local.get $x)))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (local.set $at (i64.add (i64.const {MAP}) (i64.shl
    (i64.add (local.get $at) (i64.shl (i64.sub (local.get $n) (i64.const 1)) (i64.const {MAP_BITS}))) (i64.const 2))))
  (local.set $heap (i64.load32_u (i32.wrap_i64 (local.get $at))))
  (if (i64.eqz (local.get $heap)) (then
    (local.set $heap (call $record (local.get $from) (local.get $n)))
    (i64.store32 (i32.wrap_i64 (local.get $at)) (local.get $heap))
    {store("$heap", self.place, "(local.get $at)")}
    (call $shape (local.get $heap))))
  (return (local.get $heap)))
(call $require_small (local.get $from))
(call $intern (local.get $from) (local.get $n)))
"""

    def _locate(self, numbers: list[str]) -> tuple[str, str]:
        """Return two texts: the test whether a heap of these numbers has a map entry, and the address of the entry."""
        bits, index, together = MAP_BITS // len(numbers), "(i64.const 0)", "(i64.const 0)"
        for number in numbers:
            index = f"(i64.or (i64.shl {index} (i64.const {bits})) {number})"
            together = f"(i64.or {together} {number})"
        address = f"(i32.wrap_i64 (i64.add (i64.const {MAP}) (i64.shl {index} (i64.const 2))))"
        return f"(i64.lt_u {together} (i64.const {1 << bits}))", address

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
        count, text, quick = len(self.lists), "(local.set $at (global.get $top))\n", ""
        for i, is_list in enumerate(self.lists):
            if is_list:
                text += f"(local.set $at (call $append (local.get $at) (local.get $p{i})))\n"
            else:
                text += f"(i64.store (i32.wrap_i64 (local.get $at)) (call $number (local.get $p{i})))\n"
                text += "(local.set $at (i64.add (local.get $at) (i64.const 8)))\n"
        text += """(local.set $heap (call $find (global.get $top)
  (i64.shr_u (i64.sub (local.get $at) (global.get $top)) (i64.const 3))))"""
        if self.maps:
            small, address = self._locate([f"(local.get $p{i})" for i in range(count)])
            quick = f"(if {small} (then (local.set $heap (i64.load32_u {address}))))\n"
            text = f"(if (i64.eqz (local.get $heap)) (then {text}))"
        given = "".join(f"(param $p{i} i64)" for i in range(count))
        return f"""(func $make {given} (result i64) (local $at i64) (local $heap i64)
{quick}{text}
{require_heap("$heap")}
(local.get $heap))
"""

    # -- properties of a heap -----------------------------------------------------------------------------------------
    def _shape(self) -> str:
        """Return the WebAssembly function $shape, which computes the parts and properties of a heap from its words.

        $shape stores them next to the words.
        """
        writer = WasmFunctionWriter(self.module, {"h": WasmExpression("", SMALL), **self.parameters})
        gone = "(i32.const 0)" if self.shape.gone is None else writer.write_test(self.shape.gone)
        flag = f"(if (result i64) {self._is_heap(writer)} (then (i64.extend_i32_u {gone})) (else (i64.const 2)))"
        weigh = store("$p0", WEIGHT, self._weigh(writer))
        text = self._list_parts(writer) + store("$p0", STAYS, flag)
        text += f"(if (i64.lt_u {load('$p0', STAYS)} (i64.const 2)) (then {weigh}))"
        top = writer.local()
        return writer.make(
            "$shape", f"(local.set {top} (global.get $top))\n{text}\n(global.set $top (local.get {top}))"
        )

    def _list_parts(self, writer: WasmFunctionWriter) -> str:
        """Return statements that store each part of the heap $p0 before its words: a number, or the address of a list.

        Return "" if no part is a list, because the words are then the parts.
        """
        if not any(self.lists):
            return ""  # the words are the parts
        at = writer.local()
        text = f"(local.set {at} (i64.add (local.get $p0) (i64.const {8 * len(self.lists)})))\n"
        for i, is_list in enumerate(self.lists):
            word = f"(local.get {at})" if is_list else f"(i64.load (i32.wrap_i64 (local.get {at})))"
            more = f"(i64.shl (call $len (local.get {at})) (i64.const 3))" if is_list else "(i64.const 0)"
            text += f"(i64.store offset={8 * i} (i32.wrap_i64 (local.get $p0)) {word})\n"
            text += f"(local.set {at} (i64.add (local.get {at}) (i64.add (i64.const 8) {more})))\n"
        return text

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
      (i64.eqz (i64.load (i32.wrap_i64 (i64.sub (local.get $heap) (i64.const {STAYS})))))))
    (local.set $from (i64.add (local.get $from) (i64.shl (local.get $n) (i64.const 3))))
    (local.set $to (i64.add (local.get $to) (i64.const 8)))
    (local.set $rows (i64.sub (local.get $rows) (i64.const 1)))
    (br $next))))
"""


def require_heap(heap: str) -> str:
    """Return the statement that traps if the local `heap` does not contain a heap of the game."""
    return f"(if (i64.eq {load(heap, STAYS)} (i64.const 2)) (then (unreachable)))"


def load(heap: str, before: int) -> str:
    """Return Wasm code that loads the property that is stored `before` bytes before the heap in the local `heap`."""
    return f"(i64.load (i32.wrap_i64 (i64.sub (local.get {heap}) (i64.const {before}))))"


def store(heap: str, before: int, value: str) -> str:
    """Return the statement that stores a property `before` bytes before the heap in the local `heap`."""
    return f"(i64.store (i32.wrap_i64 (i64.sub (local.get {heap}) (i64.const {before}))) {value})\n"


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


class MoveUse(NamedTuple):
    """The context in which the code for the moves of one function is generated.

    `writer`: the generator of the function.
    `near`: finds heaps similar to the heap before the move in a map; None if there is no map.
    `use`: returns the statements that use the heaps after a move.
    """

    writer: WasmFunctionWriter
    near: Near | None
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
        top, ways = writer.local(), MoveUse(writer, self.heaps.near(writer), use)
        moves = "\n".join(self._write_picks(ways, move, 0) for move in self.ruleset.moves)
        start = "" if ways.near is None else ways.near.start()
        return f"{start}(local.set {top} (global.get $top))\n{moves}\n(global.set $top (local.get {top}))"

    def _finish(self, ways: MoveUse, move: Move) -> str:
        writer = ways.writer
        top, heaps, text = writer.local(), [writer.local() for _ in move.become], ""
        for heap, term in zip(heaps, move.become, strict=True):
            made = f"(local.set {heap} {writer.write(term).text})\n"
            found = "" if ways.near is None else ways.near.find(term, heap)
            if found:
                made = f"{found}(if (i64.eqz (local.get {heap})) (then {made}) (else {require_heap(heap)}))"
            text += made
        text += f"(global.set $top (local.get {top}))\n{_check_measure(heaps, self.by_exponents)}\n{ways.use(heaps)}"
        if move.where is not None:
            text = f"(if {writer.write_test(move.where)} (then {text}))"
        return f"(local.set {top} (global.get $top)) {text} (global.set $top (local.get {top}))"

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

        text = f"""(local.set {best} (i64.load {slot}))
(if (i64.ne (local.get {best}) (i64.const 0)) (then (return (i64.sub (local.get {best}) (i64.const 1)))))
(local.set {best} (i64.const {self.players}))
{self._write_options(writer, use)}
(if (i64.eq (local.get {best}) (i64.const {self.players})) (then (local.set {best} (i64.const {self.stuck}))))
(i64.store {slot} (i64.add (local.get {best}) (i64.const 1)))
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
        known = f"(local.tee {spare} (i64.load {_slot(heap, after)}))"
        found = f"(if (result i64) (i64.eqz {known}) (then {asked}) (else (i64.sub (local.get {spare}) (i64.const 1))))"
        gone = f"(i64.ne (i64.const 0) {load(heap, STAYS)})"
        return f"(if (result i64) {gone} (then {nothing}) (else {turn(found, self.players)}))"

    def _tell_value(self) -> str:
        """Return the WebAssembly function $grundy(h): the Grundy value of heap h.

        $grundy always traps if the game is partizan or misère, or does not have two players.
        """
        if not self.normal:
            return "(func $grundy (param $h i64) (result i64) (unreachable))\n"
        writer = self._writer("h")
        slot = f"(i32.wrap_i64 (i64.sub (local.get $p0) (i64.const {self.heaps.grundy})))"
        base, known = writer.local(), writer.local()

        def use(heaps: list[str]) -> str:
            total = "(i64.const 0)"
            for heap in heaps:
                total = f"(i64.xor {total} (call $nimber (local.get {heap})))"
            return f"(call $push {total})"

        text = f"""(local.set {known} (i64.load {slot}))
(if (i64.ne (local.get {known}) (i64.const 0)) (then (return (i64.sub (local.get {known}) (i64.const 1)))))
(local.set {base} (global.get $stack))
{self._write_options(writer, use)}
(local.set {known} (call $mex (local.get {base})))
(i64.store {slot} (i64.add (local.get {known}) (i64.const 1)))
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
            one = """(if (i64.eq (call $len (local.get $s)) (i64.const 1)) (then
    (local.set $heap (i64.load offset=8 (i32.wrap_i64 (local.get $s))))
    (return (call $value (local.get $heap) (local.get $who)))))"""
        text = _POSITIONS.replace("{one}", one).replace("{adds}", adds).replace("{stuck}", str(self.stuck))
        return text.replace("{most}", str(int(self.alone))) + self._tell_outcome()


OUTCOME = """(func $outcome (param $s i64) (result i64)
  (i64.load offset=8 (i32.wrap_i64 (i64.add (i64.const {outcomes}) (i64.shl (i64.add
      (i64.shl (i64.extend_i32_u (i64.eqz (call $winner (local.get $s) (i64.const 0)))) (i64.const 1))
      (i64.extend_i32_u (i64.eqz (call $winner (local.get $s) (i64.const {second})))))
    (i64.const 3))))))
"""
_NIMBER = f"""(func $nimber (param $h i64) (result i64)
  (if (result i64) (i64.eqz {load("$h", STAYS)}) (then (call $grundy (local.get $h))) (else (i64.const 0))))
"""
# With more than `most` heaps, Grundy values are added; the code traps if that is not allowed, or if a measure is
# negative.
_POSITIONS = f"""(func $stay (param $s i64) (result i64)
  (local $i i64) (local $base i64) (local $heap i64) (local $flag i64)
  ;; the heaps of a list that do not vanish
  (local.set $base (global.get $stack))
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (call $len (local.get $s))))
    (local.set $heap (call $at (local.get $s) (local.get $i)))
    (local.set $flag {load("$heap", STAYS)})
    (if (i64.gt_u (local.get $flag) (i64.const 1)) (then (unreachable)))
    (if (i64.eqz (local.get $flag)) (then (call $push (local.get $heap))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (call $gather (local.get $base)))
(func $winner (param $s i64) (param $who i64) (result i64) (local $heap i64)
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
    (if (i64.lt_s {load("$heap", WEIGHT)} (i64.const 0)) (then (unreachable)))
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


def _check_measure(heaps: list[str], by_exponents: bool) -> str:
    """Return statements that trap if the new heaps do not have a smaller measure than the heap $p0.

    New heaps that vanish are not counted. Without `by_exponents`, the statements also trap if the measure of $p0 is
    negative.
    """
    if by_exponents:
        return "".join(
            f"(if (i32.and (i64.eqz {load(x, STAYS)}) (i64.ge_s {load(x, WEIGHT)} {load('$p0', WEIGHT)}))"
            "(then (unreachable)))"
            for x in heaps
        )
    total = "(i64.const 0)"
    for i, heap in enumerate(heaps):
        stays = f"(i64.eqz {load(heap, STAYS)})"
        weight = f"(if (result i64) {stays} (then {load(heap, WEIGHT)}) (else (i64.const 0)))"
        total = f"(call $add {total} {weight})" if i else weight
    weight = load("$p0", WEIGHT)
    wrong = f"(i32.or (i64.ge_s {total} {weight}) (i64.lt_s {weight} (i64.const 0)))"
    return f"(if {wrong} (then (unreachable)))"


def _slot(heap: str, who: str) -> str:
    """Return Wasm code for the address at which the value of a heap is stored for the mover `who`."""
    before = f"(i64.add (i64.const {VALUE}) (i64.shl {who} (i64.const 3)))"
    return f"(i32.wrap_i64 (i64.sub (local.get {heap}) {before}))"


def turn(number: str, count: int) -> str:
    """Return Wasm code for (number + 1) % count, for a number below `count`."""
    if count <= 2:
        return f"(i64.xor {number} (i64.const 1))" if count == 2 else "(i64.const 0)"
    return f"(i64.rem_s (i64.add {number} (i64.const 1)) (i64.const {count}))"
