"""A ruleset as functions of WebAssembly: who wins from a heap, and its Grundy value.

For rulesets whose moves are of any one heap and do not look at the position, with a measure that is a sum over the
heaps.  Each move is checked as elsewhere: it leads to heaps, and makes the measure less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from claims.language.builtins.meanings import Value
from claims.language.statement.domains import IntervalDomain
from claims.language.statement.rulesets import Move, Ruleset
from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.exhaustive.parts.native.heaps import HeapText, load, require_heap
from encoders.exhaustive.parts.native.near import Near
from encoders.exhaustive.parts.native.pieces import ONE, SMALL, Bounds, NotNative, WasmExpression
from encoders.exhaustive.parts.native.runtime import STAYS, VALUE, WEIGHT
from encoders.exhaustive.parts.native.terms import Module, WasmFunctionWriter
from encoders.exhaustive.parts.order import as_whole, is_sum_over_heaps

ASKED = ("wins", "value", "grundy", "outcome")
Use = Callable[[list[str]], str]
"""What is done with the heaps that a move makes, in locals: statements."""


class _Ways(NamedTuple):
    """What the ways to move of one function have in common."""

    writer: WasmFunctionWriter
    near: Near | None
    use: Use


class GameCodeGenerator:
    """The functions of a game whose parameters are bound. `players`: how many; `sums`: whether values may be added."""

    def __init__(self, ruleset: Ruleset, parameters: Mapping[str, Value], players: int, sums: bool) -> None:
        """Raises NotNative."""
        require_native(ruleset)
        assert ruleset.heap is not None
        assert ruleset.measure is not None
        self.ruleset, self.players = ruleset, players
        self.movers = 1 if ruleset.impartial else players
        self.stuck = 0 if ruleset.stuck_wins else players - 1
        self.alone = all(len(move.become) <= 1 for move in ruleset.moves)
        self.normal = ruleset.impartial and players == 2 and not ruleset.stuck_wins
        self.adds = sums and self.normal
        if not self.alone and not self.adds:
            raise NotNative("heaps that fall into several")
        self.module = Module(self.ask)
        self.parameters = {name: self._bind(value) for name, value in parameters.items()}
        self.heaps = HeapText(ruleset.heap, ruleset.measure, self.movers, self.module, self.parameters)

    def _bind(self, value: Value) -> WasmExpression:
        numbers = [as_whole(x) for x in value] if isinstance(value, tuple) else [as_whole(value)]
        bounds = Bounds(min(numbers, default=0), max(numbers, default=0))
        if not SMALL.lo <= bounds.lo <= bounds.hi <= SMALL.hi:
            raise NotNative("a large parameter")
        address = self.module.static.place(numbers) if isinstance(value, tuple) else value
        return WasmExpression(f"(i64.const {address})", bounds)

    def write(self) -> str:
        """All functions but those of the claim. Raises NotNative."""
        made = [self.heaps.write(), self._tell_winner(), self._tell_value(), self._tell_position()]
        return "".join((*made, *self.module.functions))

    def _writer(self, *names: str) -> WasmFunctionWriter:
        return WasmFunctionWriter(self.module, {name: WasmExpression("", SMALL) for name in names} | self.parameters)

    # -- moves --------------------------------------------------------------------------------------------------------
    def _for_options(self, writer: WasmFunctionWriter, use: Use) -> str:
        """Statements for each way to move on the heap $p0."""
        top, ways = writer.local(), _Ways(writer, self.heaps.near(writer), use)
        moves = "\n".join(self._for_picks(ways, move, 0) for move in self.ruleset.moves)
        start = "" if ways.near is None else ways.near.start()
        return f"{start}(local.set {top} (global.get $top))\n{moves}\n(global.set $top (local.get {top}))"

    def _for_picks(self, ways: _Ways, move: Move, at: int) -> str:
        writer = ways.writer
        writer.name(move.heaps[0], WasmExpression("(local.get $p0)", SMALL))
        if at == len(move.picks):
            return self._finish(ways, move)
        pick = move.picks[at]

        def inner() -> str:
            return self._for_picks(ways, move, at + 1)

        if not isinstance(pick.domain, IntervalDomain):
            return writer.loop(pick.name, pick.domain, inner)
        assert pick.domain.hi is not None
        high = writer.write(pick.domain.hi)
        if pick.type != INT:
            return writer.count_lists(pick.name, writer.write(pick.domain.lo), high, inner)
        return writer.count(pick.name, writer.write(pick.domain.lo), writer.calculate("add", high, ONE), inner)

    def _finish(self, ways: _Ways, move: Move) -> str:
        writer = ways.writer
        top, heaps, text = writer.local(), [writer.local() for _ in move.become], ""
        for heap, term in zip(heaps, move.become, strict=True):
            made = f"(local.set {heap} {writer.write(term).text})\n"
            found = "" if ways.near is None else ways.near.find(term, heap)
            if found:
                made = f"{found}(if (i64.eqz (local.get {heap})) (then {made}) (else {require_heap(heap)}))"
            text += made
        text += f"(global.set $top (local.get {top}))\n{_check_measure(heaps)}\n{ways.use(heaps)}"
        if move.where is not None:
            text = f"(if {writer.test(move.where)} (then {text}))"
        return f"(local.set {top} (global.get $top)) {text} (global.set $top (local.get {top}))"

    # -- who wins, and values -----------------------------------------------------------------------------------------
    def _tell_winner(self) -> str:
        """$value: the offset of the winner from a mover, of a heap that stays alone."""
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
{self._for_options(writer, use)}
(if (i64.eq (local.get {best}) (i64.const {self.players})) (then (local.set {best} (i64.const {self.stuck}))))
(i64.store {slot} (i64.add (local.get {best}) (i64.const 1)))
(local.get {best})"""
        return writer.make("$value", text, "(result i64)")

    def _offer(self, heaps: list[str], spare: str) -> str:
        """The offset of the winner after a move to at most one heap, from whoever made it."""
        nothing = f"(i64.const {(self.stuck + 1) % self.players})"
        if not heaps:
            return nothing
        (heap,), after = heaps, _turn("(local.get $p1)", self.movers)
        asked = f"(call $value (local.get {heap}) {after})"
        known = f"(local.tee {spare} (i64.load {_slot(heap, after)}))"
        found = f"(if (result i64) (i64.eqz {known}) (then {asked}) (else (i64.sub (local.get {spare}) (i64.const 1))))"
        gone = f"(i64.ne (i64.const 0) {load(heap, STAYS)})"
        return f"(if (result i64) {gone} (then {nothing}) (else {_turn(found, self.players)}))"

    def _tell_value(self) -> str:
        """$grundy: the Grundy value of a heap."""
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
{self._for_options(writer, use)}
(local.set {known} (call $mex (local.get {base})))
(i64.store {slot} (i64.add (local.get {known}) (i64.const 1)))
(local.get {known})"""
        return _NIMBER + writer.make("$grundy", text, "(result i64)")

    def _tell_position(self) -> str:
        """$winner, $nimbers, $outcome: of a position, a list of heaps of the game, none of which may vanish."""
        adds = "(global.set $added (i64.const 1))" if self.adds else "(unreachable)"
        one = ""
        if self.alone:
            one = f"""(if (i64.eq (call $len (local.get $s)) (i64.const 1)) (then
    (local.set $heap (i64.load offset=8 (i32.wrap_i64 (local.get $s))))
    (if (i64.ne (i64.const 0) {load("$heap", STAYS)}) (then (unreachable)))
    (return (call $value (local.get $heap) (local.get $who)))))"""
        text = _POSITIONS.replace("{one}", one).replace("{adds}", adds).replace("{stuck}", str(self.stuck))
        text = text.replace("{most}", str(int(self.alone))).replace("{second}", str(min(1, self.movers - 1)))
        return text.replace("{outcomes}", str(self.module.static.place((0, 3, 2, 1))))

    # -- questions ----------------------------------------------------------------------------------------------------
    def ask(self, writer: WasmFunctionWriter, call: t.GameCall) -> str:
        """The text of a question. Raises NotNative."""
        if call.function not in ASKED:
            raise NotNative(call.function)
        s = self._find_position(writer, call.args[0])
        if call.function == "grundy":
            return f"(call $nimbers {s})"
        if call.function == "outcome":
            return f"(call $outcome {s})"
        who = "(i64.const 0)" if self.movers == 1 else writer.write(call.args[1]).text
        found = f"(call $winner {s} {who})"
        return found if call.function == "value" else f"(i64.extend_i32_u (i64.eqz {found}))"

    def _find_position(self, writer: WasmFunctionWriter, term: t.Term) -> str:
        """The heaps of a position, in any order."""
        if isinstance(term, t.Operation) and term.op == "position":
            return self._find_position(writer, term.args[0])
        if isinstance(term, t.Operation) and term.op == "join":
            return f"(call $concat {' '.join(self._find_position(writer, x) for x in term.args)})"
        return writer.write(term).text


_NIMBER = f"""(func $nimber (param $h i64) (result i64)
  (if (result i64) (i64.eqz {load("$h", STAYS)}) (then (call $grundy (local.get $h))) (else (i64.const 0))))
"""
# Beyond `most` heaps Grundy values are added, if they may be; a measure of less than 0 is no proper one.
_POSITIONS = f"""(func $check (param $s i64) (local $i i64) (local $heap i64)
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (call $len (local.get $s))))
    (local.set $heap (call $at (local.get $s) (local.get $i)))
    (if (i64.ne (i64.const 0) {load("$heap", STAYS)}) (then (unreachable)))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next))))
(func $winner (param $s i64) (param $who i64) (result i64) (local $heap i64)
  {{one}}
  (if (i64.eqz (call $len (local.get $s))) (then (return (i64.const {{stuck}}))))
  {{adds}}
  (i64.extend_i32_u (i64.eqz (call $nimbers (local.get $s)))))
(func $nimbers (param $s i64) (result i64) (local $i i64) (local $found i64) (local $heap i64)
  (call $check (local.get $s))
  (if (i64.gt_u (call $len (local.get $s)) (i64.const {{most}})) (then {{adds}}))
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (call $len (local.get $s))))
    (local.set $heap (call $at (local.get $s) (local.get $i)))
    (local.set $found (i64.xor (local.get $found) (call $grundy (local.get $heap))))
    (if (i64.lt_s {load("$heap", WEIGHT)} (i64.const 0)) (then (unreachable)))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (local.get $found))
(func $outcome (param $s i64) (result i64)
  (i64.load offset=8 (i32.wrap_i64 (i64.add (i64.const {{outcomes}}) (i64.shl (i64.add
      (i64.shl (i64.extend_i32_u (i64.eqz (call $winner (local.get $s) (i64.const 0)))) (i64.const 1))
      (i64.extend_i32_u (i64.eqz (call $winner (local.get $s) (i64.const {{second}})))))
    (i64.const 3))))))
"""


def require_native(ruleset: Ruleset) -> None:
    """Raises NotNative for a ruleset whose heaps are not played one by one."""
    if ruleset.heap is None or ruleset.unusual or ruleset.sees_position:
        raise NotNative("a ruleset of another kind")
    if any(move.choose != "any" or len(move.heaps) != 1 for move in ruleset.moves):
        raise NotNative("a move of several heaps")
    if ruleset.measure is None or not is_sum_over_heaps(ruleset.measure):
        raise NotNative("a measure that is no sum over the heaps")


def _check_measure(heaps: list[str]) -> str:
    """That the heaps which stay are less than the one at $p0, whose measure is natural."""
    total = "(i64.const 0)"
    for i, heap in enumerate(heaps):
        stays = f"(i64.eqz {load(heap, STAYS)})"
        weight = f"(if (result i64) {stays} (then {load(heap, WEIGHT)}) (else (i64.const 0)))"
        total = f"(call $add {total} {weight})" if i else weight
    weight = load("$p0", WEIGHT)
    wrong = f"(i32.or (i64.ge_s {total} {weight}) (i64.lt_s {weight} (i64.const 0)))"
    return f"(if {wrong} (then (unreachable)))"


def _slot(heap: str, who: str) -> str:
    """The address of the value of a heap for a mover."""
    before = f"(i64.add (i64.const {VALUE}) (i64.shl {who} (i64.const 3)))"
    return f"(i32.wrap_i64 (i64.sub (local.get {heap}) {before}))"


def _turn(number: str, count: int) -> str:
    """One more, or 0 after the last of so many."""
    if count <= 2:
        return f"(i64.xor {number} (i64.const 1))" if count == 2 else "(i64.const 0)"
    return f"(i64.rem_s (i64.add {number} (i64.const 1)) (i64.const {count}))"
