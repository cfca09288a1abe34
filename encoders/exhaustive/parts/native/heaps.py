"""The heaps of a ruleset as functions of WebAssembly: each is kept once, with what is known of it."""

from __future__ import annotations

from collections.abc import Mapping

from claims.language.heaps.shape import HeapShape
from claims.language.terms import terms as t
from claims.language.terms.types import BOOL, INT, Type
from encoders.exhaustive.parts.native.near import Near, find_least, round_down
from encoders.exhaustive.parts.native.pieces import SMALL, WasmExpression
from encoders.exhaustive.parts.native.runtime import INTERN, MAP, MAP_BITS, MOST_MAPPED, STAYS, VALUE, WEIGHT
from encoders.exhaustive.parts.native.terms import Module, WasmFunctionWriter


class HeapText:
    """`measure`: a sum over the heaps. `movers`: how many have values of their own. `parameters`: of the game."""

    def __init__(
        self, shape: HeapShape, measure: t.Term, movers: int, module: Module, parameters: Mapping[str, WasmExpression]
    ) -> None:
        assert isinstance(measure, t.Comprehension)
        self.shape, self.measure, self.module, self.parameters = shape, measure, module, parameters
        self.grundy = VALUE + 8 * movers
        self.place = self.grundy + 8  # its address in the map, 0 for none; of a heap that is one list
        self.header = self.place + 8
        self.lists = [part.is_list for part in shape.parts]

    def write(self) -> str:
        """$make, $find, $admit and what they need. Raises NotNative."""
        words = 8 * len(self.lists) if any(self.lists) else 0
        sizes = {"size": self.header, "hash": self.header, "words": words, "around": self.header + words}
        intern = INTERN
        for name, size in sizes.items():
            intern = intern.replace(f"{{{name}}}", str(size))
        return "".join((intern, _ADMIT, self._find(), self._make(), self._shape()))

    def near(self, writer: WasmFunctionWriter) -> Near | None:
        """How a function finds heaps that are much like its own; None where they are no single lists."""
        return Near(writer, self.place, find_least(self.shape.parts[0].lo)) if self.lists == [True] else None

    # -- heaps by their words -----------------------------------------------------------------------------------------
    @property
    def maps(self) -> bool:
        """Whether heaps are few numbers, so that those of small numbers have places in a map."""
        return not any(self.lists) and len(self.lists) <= 4

    def _find(self) -> str:
        """$find: the heap of these words, of whatever kind, kept if it is new."""
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
        """The same where a heap is one list: the place of small numbers in the map of their length."""
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
        """Whether numbers have a place in the map, and where it is."""
        bits, index, together = MAP_BITS // len(numbers), "(i64.const 0)", "(i64.const 0)"
        for number in numbers:
            index = f"(i64.or (i64.shl {index} (i64.const {bits})) {number})"
            together = f"(i64.or {together} {number})"
        address = f"(i32.wrap_i64 (i64.add (i64.const {MAP}) (i64.shl {index} (i64.const 2))))"
        return f"(i64.lt_u {together} (i64.const {1 << bits}))", address

    def _make(self) -> str:
        """$make: the heap of these parts, which must be one."""
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

    # -- what is known of a heap --------------------------------------------------------------------------------------
    def _shape(self) -> str:
        """$shape: of a heap whose words are there, where its parts are, and what is known of it."""
        writer = WasmFunctionWriter(self.module, {"h": WasmExpression("", SMALL), **self.parameters})
        gone = "(i32.const 0)" if self.shape.gone is None else writer.test(self.shape.gone)
        flag = f"(if (result i64) {self._is_heap(writer)} (then (i64.extend_i32_u {gone})) (else (i64.const 2)))"
        weigh = store("$p0", WEIGHT, self._weigh(writer))
        text = self._list_parts(writer) + store("$p0", STAYS, flag)
        text += f"(if (i64.lt_u {load('$p0', STAYS)} (i64.const 2)) (then {weigh}))"
        top = writer.local()
        return writer.make(
            "$shape", f"(local.set {top} (global.get $top))\n{text}\n(global.set $top (local.get {top}))"
        )

    def _list_parts(self, writer: WasmFunctionWriter) -> str:
        """Statements that write the parts before the words: a number, or the address of a list."""
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
        """Whether the parts are within their bounds and fulfil `where`."""
        tests = []
        for i, part in enumerate(self.shape.parts):
            at = t.Literal(INT, 0, 0, i)
            value = t.Operation(part.type, 0, 0, "part", (_variable("h", self.shape.type), at))
            if not part.is_list:
                tests.append(_within(part.lo, part.hi, value))
                continue
            body = _within(part.lo, part.hi, _variable(f"={i}", INT))
            tests.append(t.Comprehension(BOOL, 0, 0, "all", body, (t.Clause(f"={i}", value, ()),)))
        if self.shape.where is not None:
            tests.append(self.shape.where)
        return writer.test(t.AllOf(BOOL, 0, 0, tuple(tests)))

    def _weigh(self, writer: WasmFunctionWriter) -> str:
        """The measure of a position of that heap alone: what it adds to the sum."""
        first, *others = self.measure.clauses
        writer.name(first.variable, WasmExpression("(local.get $p0)", SMALL))
        body = self.measure.body
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
    """The statement that stops where the heap in a local is none."""
    return f"(if (i64.eq {load(heap, STAYS)} (i64.const 2)) (then (unreachable)))"


def load(heap: str, before: int) -> str:
    """What is known of the heap in a local."""
    return f"(i64.load (i32.wrap_i64 (i64.sub (local.get {heap}) (i64.const {before}))))"


def store(heap: str, before: int, value: str) -> str:
    """The statement that writes it down."""
    return f"(i64.store (i32.wrap_i64 (i64.sub (local.get {heap}) (i64.const {before}))) {value})\n"


def _variable(name: str, kind: Type) -> t.Term:
    return t.Variable(kind, 0, 0, name)


def _within(lo: t.Term, hi: t.Term | None, value: t.Term) -> t.Term:
    tests = [t.Operation(BOOL, 0, 0, "ge", (value, lo))]
    if hi is not None:
        tests.append(t.Operation(BOOL, 0, 0, "le", (value, hi)))
    return t.AllOf(BOOL, 0, 0, tuple(tests))
