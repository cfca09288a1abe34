"""WebAssembly functions for a ruleset whose heaps are numbers: tables of winners and Grundy values of single heaps.

The tables are filled in ascending order, up to the largest heap that a case needs. Positions of several heaps are
solved by the nim-sum of their Grundy values, if the Sprague-Grundy theorem holds for the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value
from claims.language.syntax.printing import find_free_names
from encoders.compute.native.heaps import makes_lists
from encoders.compute.native.pieces import IN_HEAPS, Bounds, NotNative, WasmExpression
from encoders.compute.native.rules import MOST_MOVERS, MoveUse, RuleCodeGenerator, free_lists, turn
from encoders.compute.native.terms import WasmFunctionWriter

HEAP = Bounds(1, IN_HEAPS)  # a heap that is not empty
VALUES = 1 << 22  # Grundy values in a table are smaller; a power of 2, so that nim-sums are smaller too
MOST_CHOICES = 1 << 16  # choices of parameters


class NumberCodeGenerator(RuleCodeGenerator):
    """The generator of WebAssembly code for a game whose heaps are numbers, and whose moves may choose any one heap."""

    def __init__(self, ruleset: Ruleset, parameters: Mapping[str, Value | Bounds], players: int, sums: bool) -> None:
        """Prepare the generator. Raise NotNative if it does not support the ruleset or the parameters."""
        refusal = refuse_numbers(ruleset)
        if refusal:
            raise NotNative(refusal)
        super().__init__(ruleset, parameters, players, sums)
        self._require_values()
        self._require_few_movers()

    def write(self) -> str:
        made = [self._choose(), self._tell_winner(), self._tell_value(), self._tell_position(), self._tell_outcome()]
        return "".join((*made, *self.module.functions))

    # -- parameters ---------------------------------------------------------------------------------------------------
    def _choose(self) -> str:
        """Return the WebAssembly function $choose, which sets the parameters that depend on the case.

        $choose also selects the tables: each combination of parameter values has separate tables. It traps, that is, it
        stops the module with an error, if a value is outside the domain of its parameter.
        """
        names = [*self.chosen]
        count = prod(x.hi - x.lo + 1 for x in self.chosen.values())
        if count > MOST_CHOICES:
            raise NotNative("the parameters have too many values")
        domains = {p.name: p for p in self.ruleset.parameters}
        text = "".join(f"(global $parameter{i} (mut i64) (i64.const 0))" for i in range(len(names)))
        given = "".join(f"(param $p{i} i64)" for i in range(len(names)))
        same, checks, index = "(i64.ne (global.get $choice) (i64.const 0))", "", "(i64.const 0)"
        for i, name in enumerate(names):
            bounds, p = self.chosen[name], f"(local.get $p{i})"
            same = f"(i32.and {same} (i64.eq {p} (global.get $parameter{i})))"
            least, most = domains[name].lo, domains[name].hi
            inside = Bounds(max(bounds.lo, least), bounds.hi if most is None else min(bounds.hi, most))
            outside = f"(i32.or (i64.lt_s {p} (i64.const {inside.lo})) (i64.gt_s {p} (i64.const {inside.hi})))"
            checks += f"(if {outside} (then (unreachable)))\n(global.set $parameter{i} {p})\n"
            span = bounds.hi - bounds.lo + 1
            index = f"(i64.add (i64.mul {index} (i64.const {span})) (i64.sub {p} (i64.const {bounds.lo})))"
        saved = loaded = ""
        for i, part in enumerate(self._list_state()):
            at = "(i32.wrap_i64 (global.get $choice))"
            saved += f"(i64.store offset={8 * i} {at} (global.get ${part}))"
            loaded += f"(global.set ${part} (i64.load offset={8 * i} {at}))"
        return (
            text
            + f"""(global $choice (mut i64) (i64.const 0))
(global $choices (mut i64) (i64.const 0))
(func $choose {given}
  (if {same} (then (return)))
  {checks}
  (if (i64.eqz (global.get $choices)) (then (global.set $choices (call $keep (i64.const {64 * count})))))
  (if (i64.ne (global.get $choice) (i64.const 0)) (then {saved}))
  (global.set $choice (i64.add (global.get $choices) (i64.shl {index} (i64.const 6))))
  {loaded})
"""
        )

    def _list_state(self) -> list[str]:
        """Return the names of the globals that describe each table: its address, capacity, and number of entries."""
        tables = ["winners"] * self.alone + ["values"] * self.normal
        return [f"{name}{part}" for name in tables for part in ("", "_room", "_count")]

    # -- moves --------------------------------------------------------------------------------------------------------
    def _write_options(self, ways: MoveUse) -> str:
        """Return WebAssembly statements that try each move on the heap in parameter $p0, which is not empty."""
        top = ways.writer.local()
        moves = "\n".join(self._write_picks(ways, move, 0) for move in self.ruleset.moves)
        return f"(local.set {top} (global.get $top))\n{moves}\n(global.set $top (local.get {top}))"

    def _name_heap(self, writer: WasmFunctionWriter, move: Move) -> None:
        writer.name(move.heaps[0], WasmExpression("(local.get $p0)", HEAP))

    def _finish(self, ways: MoveUse, move: Move) -> str:
        """Return the statements for a move whose picked numbers are set: compute the new heaps, and use them.

        The statements trap if a new heap is negative, or if the new heaps together are not smaller than the heap $p0.
        """
        writer = ways.writer
        heaps, text = [writer.local() for _ in move.become], ""
        for heap, term in zip(heaps, move.become, strict=True):
            outside = f"(i64.ge_u (local.tee {heap} {writer.write(term).text}) (local.get $p0))"
            text += f"(if {outside} (then (unreachable)))\n"  # also if the number is negative
        if len(heaps) > 1:
            total = f"(local.get {heaps[0]})"
            for heap in heaps[1:]:
                total = f"(i64.add {total} (local.get {heap}))"
            text += f"(if (i64.ge_u {total} (local.get $p0)) (then (unreachable)))\n"
        text += ways.use(heaps)
        if move.where is not None:
            text = f"(if {writer.write_test(move.where)} (then {text}))"
        return free_lists(writer, text) if makes_lists(text) else text

    # -- winners and values -------------------------------------------------------------------------------------------
    def _tell_winner(self) -> str:
        """Return the WebAssembly function $value(h, who): the winner from heap h if the player `who` moves.

        The winner is counted in turns from that player, who is 0. If a move may split a heap, $value always traps.
        """
        if not self.alone:
            return "(func $value (param $h i64) (param $who i64) (result i64) (unreachable))\n"
        given = {"h'": WasmExpression("", HEAP), "mover": WasmExpression("", Bounds(0, MOST_MOVERS))}
        writer = WasmFunctionWriter(self.module, given | self.parameters)
        best, offer, base, legal = (writer.local() for _ in range(4))

        def use(heaps: list[str]) -> str:
            heap = f"(local.get {heaps[0]})" if heaps else "(i64.const 0)"
            at = f"(i64.add (local.get {base}) {_scale(heap, self.movers)})"
            found = turn(f"(i64.load8_u (i32.wrap_i64 {at}))", self.players)
            return f"""(if (i64.lt_s (local.tee {offer} {found}) (local.get {best})) (then
  (local.set {best} (local.get {offer}))
  (br_if $done (i32.and (i64.eqz (local.get {best})) (i32.wrap_i64 (local.get {legal}))))))
"""

        options = self._write_options(MoveUse(writer, None, use))
        sure = self._write_legal(writer)
        text = f"""(local.set {best} (i64.const {self.players}))
(local.set {base} (i64.add (global.get $winners) {turn("(local.get $p1)", self.movers)}))
(if (i64.ne (local.get $p0) (i64.const 0)) (then
  (local.set {legal} (i64.extend_i32_u {sure}))
  (block $done {options})))
(if (result i64) (i64.eq (local.get {best}) (i64.const {self.players})) (then (i64.const {self.stuck}))
  (else (local.get {best})))"""
        table = _write_table("winners", self.movers, "$value", "(param $who i64)", "(local.get $who)", "8")
        return table + writer.make("$find_winners", text, "(result i64)")

    def _tell_value(self) -> str:
        """Return the WebAssembly function $grundy(h): the Grundy value of heap h.

        $grundy always traps if the game is partizan or misère, or does not have two players.
        """
        if not self.normal:
            return "(func $grundy (param $h i64) (result i64) (unreachable))\n"
        writer = WasmFunctionWriter(self.module, {"h'": WasmExpression("", HEAP)} | self.parameters)
        base, marks, found, stamp = (writer.local() for _ in range(4))

        def use(heaps: list[str]) -> str:
            total = "(i64.const 0)"
            for i, heap in enumerate(heaps):
                at = f"(i64.add (local.get {base}) (i64.shl (local.get {heap}) (i64.const 2)))"
                value = f"(i64.load32_u (i32.wrap_i64 {at}))"
                total = f"(i64.xor {total} {value})" if i else value
            return f"(i64.store32 {mark(total)} (local.get {stamp}))"

        def mark(value: str) -> str:
            return f"(i32.wrap_i64 (i64.add (local.get {marks}) (i64.shl {value} (i64.const 2))))"

        options = self._write_options(MoveUse(writer, None, use))
        # a mark is the number of the call that has made it, so no mark is ever removed
        text = f"""(if (i64.eqz (local.get $p0)) (then (return (i64.const 0))))
(if (i64.eqz (global.get $marks)) (then (global.set $marks (call $keep (i64.const {4 * VALUES + 8})))))
(global.set $stamp (i64.add (global.get $stamp) (i64.const 1)))
(if (i64.gt_u (global.get $stamp) (i64.const 0xffffffff)) (then (call $crowded)))
(local.set {stamp} (global.get $stamp))
(local.set {base} (global.get $values))
(local.set {marks} (global.get $marks))
{options}
(block $out (loop $next
  (br_if $out (i64.ne (i64.load32_u {mark(f"(local.get {found})")}) (local.get {stamp})))
  (local.set {found} (i64.add (local.get {found}) (i64.const 1)))
  (br $next)))
(if (i64.ge_u (local.get {found}) (i64.const {VALUES})) (then (call $crowded)))
(local.get {found})"""
        table = _write_table("values", 1, "$grundy", "", "(i64.const 0)", "32")
        marks_text = "(global $marks (mut i64) (i64.const 0)) (global $stamp (mut i64) (i64.const 0))"
        return marks_text + table + writer.make("$find_values", text, "(result i64)")

    def _tell_position(self) -> str:
        """Return the WebAssembly functions $winner(s, who) and $nimbers(s) for a list s of numbers in any order.

        $winner returns the winner, counted in turns from the mover `who`. $nimbers returns the Grundy value of s.
        """
        several = "(unreachable)"
        if self.adds:
            several = "(i64.extend_i32_u (i64.eqz (call $nimbers (local.get $s))))"
        one = "(if (i64.eq (local.get $n) (i64.const 1)) (then (return (call $value (local.get $h) (local.get $who)))))"
        text = _POSITIONS.replace("{one}", one if self.alone else "").replace("{several}", several)
        text = text.replace("{adds}", "(global.set $added (i64.const 1))" if self.adds else "(unreachable)")
        return text.replace("{stuck}", str(self.stuck)).replace("{most}", str(int(self.alone)))

    # -- moves that need no look --------------------------------------------------------------------------------------
    def _write_legal(self, writer: WasmFunctionWriter) -> str:
        """Return a WebAssembly test that succeeds only if every move on the heap $p0 is defined and shrinks the heap.

        If the new heap never falls, or never rises, as the picked number rises, it is enough to test the ends of the
        range of this number. If the test succeeds, the search for a winner may stop at the first winning move.
        """
        tests = [self._write_ends(writer, move) for move in self.ruleset.moves]
        found = "(i32.const 1)"
        for test in tests:
            if not test:
                return "(i32.const 0)"
            found = f"(if (result i32) {found} (then {test}) (else (i32.const 0)))"
        return found

    def _write_ends(self, writer: WasmFunctionWriter, move: Move) -> str:
        """Return the test of `_write_legal` for one move, at the ends of the range of its picked number.

        Return "" if these ends do not suffice, or if the move does not have exactly one picked number and one new heap.
        """
        if len(move.become) != 1 or len(move.picks) != 1 or not (move.where is None or is_total(move.where)):
            return ""
        (pick,), (term,) = move.picks, move.become
        if not isinstance(pick.domain, IntervalDomain) or pick.domain.hi is None or pick.type != t.INT:
            return ""
        self._name_heap(writer, move)
        low, high = writer.write(pick.domain.lo), writer.write(pick.domain.hi)
        if find_direction(term, pick.name, low.bounds.lo >= 0) is None:
            return ""
        first, last = writer.local(), writer.local()
        tests = []
        for end in (first, last):
            bounds = Bounds(low.bounds.lo, max(low.bounds.lo, high.bounds.hi))
            writer.name(pick.name, WasmExpression(f"(local.get {end})", bounds))
            tests.append(f"(i64.lt_u {writer.write(term).text} (local.get $p0))")
        some = f"(i64.gt_s (local.tee {first} {low.text}) (local.tee {last} {high.text}))"
        both = f"(if (result i32) {tests[0]} (then {tests[1]}) (else (i32.const 0)))"
        return f"(if (result i32) {some} (then (i32.const 1)) (else {both}))"


def refuse_numbers(ruleset: Ruleset) -> str:
    """Return the reason why this module does not support a ruleset; "" if it does."""
    if ruleset.heap is not None or ruleset.unusual:
        return ruleset.unusual or "the heaps have parts"
    if ruleset.sees_position:
        return "a move depends on the whole position"
    if any(move.choose != "any" or len(move.heaps) != 1 for move in ruleset.moves):
        return "a move chooses several heaps, or a largest or smallest one"
    return "" if ruleset.measure is None else "the ruleset declares a measure"


def may_stop_early(ruleset: Ruleset) -> bool:
    """Whether the search for a winner probably stops at the first winning move.

    This requires of each move that the new heap never falls, or never rises, with its picked number: see
    `_write_legal`.
    """
    for move in ruleset.moves:
        if len(move.become) != 1 or len(move.picks) != 1 or not (move.where is None or is_total(move.where)):
            return False
        if not isinstance(move.picks[0].domain, IntervalDomain):
            return False
        if find_direction(move.become[0], move.picks[0].name, True) is None:
            return False
    return True


def _scale(number: str, factor: int) -> str:
    return number if factor == 1 else f"(i64.mul {number} (i64.const {factor}))"


def is_total(term: t.Term) -> bool:
    """Whether a term without game calls is defined for all values of its variables."""
    match term:
        case t.Literal() | t.Variable():
            return True
        case t.AllOf(args=args) | t.AnyOf(args=args):
            return all(map(is_total, args))
        case t.Operation(op="mod" | "floordiv", args=(a, t.Literal(value=value))):
            return value > 0 and is_total(a)
        case t.Operation(op=op, args=args):
            return op in _TOTAL and all(map(is_total, args))
    return False


_TOTAL = ("add", "sub", "mul", "neg", "eq", "ne", "lt", "le", "gt", "ge", "not", "largest", "smallest")


def find_direction(term: t.Term, name: str, natural: bool) -> int | None:
    """Return 1 if a term never falls as a variable rises, -1 if it never rises, 0 if it does not contain the variable.

    Return None if this is unknown. Otherwise the same is known for each part of the term, so the values of a part are
    between its values at the ends of a range.

    `natural`: whether the variable is never negative.
    """
    if name not in find_free_names(term):
        return 0
    match term:
        case t.Variable():
            return 1
        case t.Operation(op="add" | "sub" | "neg" as op, args=args):
            found = [find_direction(x, name, natural) for x in args]
            if op != "add":
                found[-1] = None if found[-1] is None else -found[-1]
            return _join_directions(found)
        case t.Operation(op="mul", args=args) if natural and all(_is_natural(x, name) for x in args):
            return _join_directions([find_direction(x, name, natural) for x in args])
        case t.Operation(op="pow", args=(base, t.Literal())) if natural and _is_natural(base, name):
            return find_direction(base, name, natural)
        case t.Operation(op="floordiv", args=(a, t.Literal(value=value))) if value > 0:
            return find_direction(a, name, natural)
    return None


def _join_directions(found: list[int | None]) -> int | None:
    some = {x for x in found if x != 0}
    if not some:
        return 0
    return some.pop() if len(some) == 1 else None


def _is_natural(term: t.Term, name: str) -> bool:
    """Whether a term contains only the variable, natural numbers, `+`, `*`, and `**` with a literal exponent.

    Such a term is a natural number if the variable is one.
    """
    match term:
        case t.Literal(value=value):
            return value >= 0
        case t.Variable(name=x):
            return x == name
        case t.Operation(op="add" | "mul", args=args):
            return all(_is_natural(x, name) for x in args)
        case t.Operation(op="pow", args=(base, t.Literal(value=value))):
            return value >= 0 and _is_natural(base, name)
    return False


def _write_table(name: str, movers: int, asked: str, mover: str, who: str, bits: str) -> str:
    """Return the WebAssembly text of a table and of the function that reads it.

    The table has an entry for each of the heaps 0, 1, ... and each mover.

    `asked`: the name of the function that reads the table.
    `mover`: the declaration of the function's second parameter, the mover; "" if there is only one.
    `who`: the text of the mover's number.
    `bits`: the size of an entry.
    """
    text = _TABLE.replace("{name}", name).replace("{asked}", asked).replace("{mover}", mover).replace("{who}", who)
    call = "(local.get $at)" + ("(local.get $k)" if mover else "")
    return (
        text.replace("{bits}", bits)
        .replace("{call}", call)
        .replace("{width}", str(movers * int(bits) // 8))
        .replace("{movers}", str(movers))
        .replace("{shift}", str(int(bits) // 16))
    )


_TABLE = f"""
(global ${{name}} (mut i64) (i64.const 0))
(global ${{name}}_room (mut i64) (i64.const 0))
(global ${{name}}_count (mut i64) (i64.const 0))
(func $extend_{{name}} (param $h i64) (local $room i64) (local $new i64) (local $at i64) (local $k i64)
  (if (i64.gt_u (local.get $h) (i64.const {IN_HEAPS})) (then (call $large)))
  (if (i64.ge_u (local.get $h) (global.get ${{name}}_room)) (then
    (local.set $room (i64.and (i64.const -8) (call $largest (i64.add (local.get $h) (i64.const 4096))
      (i64.shl (global.get ${{name}}_room) (i64.const 1)))))
    (local.set $new (call $keep (i64.mul (local.get $room) (i64.const {{width}}))))
    (memory.copy (i32.wrap_i64 (local.get $new)) (i32.wrap_i64 (global.get ${{name}}))
      (i32.wrap_i64 (i64.mul (global.get ${{name}}_count) (i64.const {{width}}))))
    (global.set ${{name}} (local.get $new))
    (global.set ${{name}}_room (local.get $room))))
  (block $out (loop $next
    (local.set $at (global.get ${{name}}_count))
    (br_if $out (i64.gt_u (local.get $at) (local.get $h)))
    (call $spend (i64.const 1))
    (local.set $k (i64.const 0))
    (loop $each
      (i64.store{{bits}} (call $place_{{name}} (local.get $at) (local.get $k)) (call $find_{{name}} {{call}}))
      (local.set $k (i64.add (local.get $k) (i64.const 1)))
      (br_if $each (i64.lt_u (local.get $k) (i64.const {{movers}}))))
    (global.set ${{name}}_count (i64.add (local.get $at) (i64.const 1)))
    (br $next))))
(func $place_{{name}} (param $h i64) (param $k i64) (result i32)
  (i32.wrap_i64 (i64.add (global.get ${{name}}) (i64.shl
    (i64.add (i64.mul (local.get $h) (i64.const {{movers}})) (local.get $k)) (i64.const {{shift}})))))
(func {{asked}} (param $h i64) {{mover}} (result i64)
  (if (i64.ge_u (local.get $h) (global.get ${{name}}_count)) (then (call $extend_{{name}} (local.get $h))))
  (i64.load{{bits}}_u (call $place_{{name}} (local.get $h) {{who}})))
"""
# $count: the heaps that are not empty. A negative number is not a heap.
_POSITIONS = """(func $count_heaps (param $s i64) (result i64) (local $i i64) (local $n i64)
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (call $len (local.get $s))))
    (local.set $n (i64.add (local.get $n) (i64.extend_i32_u (i64.ne (i64.const 0)
      (call $natural (call $at (local.get $s) (local.get $i)))))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (local.get $n))
(func $winner (param $s i64) (param $who i64) (result i64) (local $n i64) (local $h i64) (local $i i64)
  (local.set $n (call $count_heaps (local.get $s)))
  (if (i64.eqz (local.get $n)) (then (return (i64.const {stuck}))))
  (block $out (loop $next
    (local.set $h (call $at (local.get $s) (local.get $i)))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br_if $next (i64.eqz (local.get $h)))))
  {one}
  {adds}
  {several})
(func $nimbers (param $s i64) (result i64) (local $i i64) (local $found i64)
  (if (i64.gt_u (call $count_heaps (local.get $s)) (i64.const {most})) (then {adds}))
  (block $out (loop $next
    (br_if $out (i64.ge_s (local.get $i) (call $len (local.get $s))))
    (local.set $found (i64.xor (local.get $found) (call $grundy (call $at (local.get $s) (local.get $i)))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (local.get $found))
"""
