"""A ruleset as WebAssembly functions, which create its heaps and compute winners and Grundy values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NamedTuple

from claims.language.files.domains import IntervalDomain
from claims.language.files.rulesets import Move, Ruleset
from claims.language.syntax import terms as t
from claims.language.syntax.meanings import Value
from claims.language.syntax.printing import find_free_names
from claims.language.syntax.terms import INT, PLAYER
from encoders.compute.compound.order import as_integer, is_sum_over_heaps
from encoders.compute.native.heaps import CellFinder, HeapText, load_state, makes_lists, require_state
from encoders.compute.native.pieces import ONE, SMALL, Bounds, NotNative, WasmExpression
from encoders.compute.native.runtime import MOST_PLAYERS, STAYS
from encoders.compute.native.small_heaps import UNKNOWN_VALUE, SmallHeapText, make_small_heaps
from encoders.compute.native.terms import Module, WasmFunctionWriter

# == rules ============================================================================================================
# A ruleset as WebAssembly functions: the winner from a heap, and its Grundy value.
#
# It supports rulesets whose moves are on any one heap and do not refer to the position, and whose measure is a sum over
# the heaps. Each move is checked: it must lead to heaps of the game and decrease the measure.
ASKED = ("wins", "value", "grundy", "outcome")
Use = Callable[[list[str]], str]
"""A function that returns statements that use the heaps after a move. Its argument names the locals of these heaps."""


MOST_MOVERS = 8
MOST_VALUE = (1 << 16) - 1  # of the Grundy value of a small heap, plus 1


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
        low, high = writer.write(pick.domain.lo), writer.write(pick.domain.hi)
        if pick.type != INT:
            return writer.count_lists(pick.name, low, high, inner)
        early = self._find_early(ways, move) if at == len(move.picks) - 1 else ""
        if early:
            early = f"(if (i64.le_s {low.text} {high.text}) (then {early}))\n"
        return early + writer.count(pick.name, low, writer.calculate("add", high, ONE), inner)

    def _find_early(self, ways: MoveUse, move: Move) -> str:
        """Return statements that find those new heaps which do not depend on the last pick, before the loop over it.

        By default, there are none.
        """
        return ""

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

    def __init__(
        self,
        ruleset: Ruleset,
        parameters: Mapping[str, Value | Bounds],
        players: int,
        sums: bool,
        small: bool = True,
    ) -> None:
        """Prepare the generator. Raise NotNative if it does not support the ruleset or a parameter.

        `small`: whether all heaps are small numbers, if the module is not to stop. Then it is faster.
        """
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
        self._early: dict[int, str] = {}  # the locals with the new heaps that are found early, by their places
        self._values: dict[str, str] = {}  # the local with the Grundy value, by the local with the heap
        self._again = ""  # in $grundy for small heaps: the local that is 1 if a value was unknown
        self.by_exponents = has_exponents(ruleset)
        given = ruleset.heap, ruleset.measure, self.movers, self.module, self.parameters, self.by_exponents
        made = make_small_heaps(*given, self.normal, self.stuck) if small else None
        self.heaps = made or HeapText(*given)

    @property
    def small(self) -> SmallHeapText | None:
        """The heaps if all of them are small numbers, otherwise None."""
        return self.heaps if isinstance(self.heaps, SmallHeapText) else None

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
        weight = self.heaps.load_weight("$p0")  # if it is negative, no heap is small enough
        most = f"(select {weight} (i64.const {-1 << 63}) (i64.ge_s {weight} (i64.const 0)))"
        return f"""{parts}{start}(local.set {self._most} {most})
(local.set {top} (global.get $top))
{moves}
(global.set $top (local.get {top}))"""

    def _finish(self, ways: MoveUse, move: Move) -> str:
        writer, early = ways.writer, self._early
        heaps, text = [early.get(i) or writer.local() for i in range(len(move.become))], ""
        for i, (heap, term) in enumerate(zip(heaps, move.become, strict=True)):
            text += "" if i in early else self._find_heap(ways, heap, term)
        self._early = {}
        text += f"{self._check_measure(heaps)}\n{ways.use(heaps)}"
        if move.where is None:
            return text
        test = writer.write_test(move.where)
        text = f"(if {test} (then {text}))"
        return free_lists(writer, text) if makes_lists(test) else text

    def _find_early(self, ways: MoveUse, move: Move) -> str:
        if move.where is not None:  # it may exclude values at which the new heaps are ill-defined
            return ""
        text, last = "", move.picks[-1].name
        for i, term in enumerate(move.become):
            if last not in find_free_names(term):
                self._early[i] = ways.writer.local()
                text += self._find_heap(ways, self._early[i], term)
        return text

    def _find_heap(self, ways: MoveUse, heap: str, term: t.Term) -> str:
        """Return statements that set the local `heap` to the heap of a term. They trap if it is not a heap."""
        writer, label = ways.writer, ways.writer.label()
        found = "" if ways.finder is None else ways.finder.find(term, heap, f"$far{label}")
        made = f"(local.set {heap} {writer.write(term).text})"
        made = free_lists(writer, made) if makes_lists(made) else made
        head = self._heads[heap] = writer.local()
        made += f"(local.set {head} (i64.load (i32.wrap_i64 (local.get {heap}))))"
        known, checked = f"(local.tee {head} (i64.load (i32.wrap_i64 (local.get {heap}))))", ""
        if self.small and self.by_exponents:
            checked = f"(if (i64.ge_s {self._get_weight(heap)} (local.get {self._most})) (then (unreachable)))"
        if checked and self._again:
            value = self._values[heap] = writer.local()
            known = f"(local.tee {value} (i64.and {known} (i64.const {MOST_VALUE})))"
            made += f"{checked} (local.set {self._again} (i64.const 1))"
            made += f"(local.set {value} (i64.add (call $grundy (local.get {heap})) (i64.const 1)))"
        elif self.small:  # a heap with a value is a heap of the game
            known = f"(i64.and {known} (i64.const {UNKNOWN_VALUE}))"
        if found:
            found += f"(br_if $made{label} (i64.ne (i64.const 0) {known}))"
            if self.small and not (checked and self._again):  # a known heap without a value
                state = require_state(self._get_state(heap))
                found += f"(if (i64.ne (local.get {head}) (i64.const 0)) (then {state} (br $made{label})))"
            made = f"(block $made{label} (block $far{label} {found})\n{made})"
            made = free_lists(writer, made) if makes_lists(found) else made
        return f"{made}\n{checked if self.small else require_state(self._get_state(heap))}\n"

    def _stays(self, heap: str) -> str:
        return f"(i64.eq {self._get_state(heap)} (i64.const {STAYS}))"

    def _get_state(self, heap: str) -> str:
        """Return the text of the state of a new heap after a move. `heap`: the local that contains this heap."""
        return (
            f"(i64.and (i64.shr_u (local.get {self._heads[heap]}) (i64.const {8 * self.heaps.state})) (i64.const 255))"
        )

    def _get_weight(self, heap: str) -> str:
        """Return the text of the measure of a new heap after a move. `heap`: the local that contains this heap."""
        return (
            f"(i64.shr_s (local.get {self._heads[heap]}) (i64.const 32))"
            if self.small
            else self.heaps.load_weight(heap)
        )

    def _check_measure(self, heaps: list[str]) -> str:
        """Return statements that trap if the new heaps do not have a smaller measure than the heap $p0.

        New heaps that vanish are not counted. The statements also trap if the measure of $p0 is negative.
        """
        most = f"(local.get {self._most})"
        if self.by_exponents:
            if self.small:
                return ""  # each measure was compared when the heap was found
            large = [f"(i64.ge_s {self._get_weight(x)} {most})" for x in heaps]
            pairs = zip(heaps, large, strict=True)
            return "".join(f"(if (i32.and {self._stays(x)} {test}) (then (unreachable)))" for x, test in pairs)
        total = "(i64.const 0)"
        for i, heap in enumerate(heaps):
            weight = self._get_weight(heap)
            if not self.small:  # otherwise the measure of a heap that vanishes is 0
                weight = f"(select {weight} (i64.const 0) {self._stays(heap)})"
            add = "i64.add" if self.small else "call $add"
            total = f"({add} {total} {weight})" if i else weight
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

        at = self.heaps.value
        text = f"""(local.set {best} (i64.load8_u offset={at} {slot}))
(if (i64.ne (local.get {best}) (i64.const 0)) (then (return (i64.sub (local.get {best}) (i64.const 1)))))
(local.set {best} (i64.const {self.players}))
{self._write_options(writer, use)}
(if (i64.eq (local.get {best}) (i64.const {self.players})) (then (local.set {best} (i64.const {self.stuck}))))
(i64.store8 offset={at} {slot} (i64.add (local.get {best}) (i64.const 1)))
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
        at = self.heaps.value
        if at + self.movers <= 8:  # the values are in the first 8 bytes of the cell
            shift = "" if self.movers == 1 else f"(i64.shl {after} (i64.const 3))"
            shift = f"(i64.add {shift} (i64.const {8 * at}))" if shift else f"(i64.const {8 * at})"
            known = f"(i64.and (i64.shr_u (local.get {self._heads[heap]}) {shift}) (i64.const 255))"
        else:
            known = f"(i64.load8_u offset={at} {_slot(heap, after)})"
        known = f"(local.tee {spare} {known})"
        found = f"(if (result i64) (i64.eqz {known}) (then {asked}) (else (i64.sub (local.get {spare}) (i64.const 1))))"
        if self.small:
            return turn(found, self.players)
        return f"(if (result i64) {self._stays(heap)} (then {turn(found, self.players)}) (else {nothing}))"

    def _tell_value(self) -> str:
        """Return the WebAssembly function $grundy(h): the Grundy value of heap h.

        $grundy always traps if the game is partizan or misère, or does not have two players.
        """
        if not self.normal:
            return "(func $grundy (param $h i64) (result i64) (unreachable))\n"
        if self.small:
            return self._tell_small_value()
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

    def _tell_small_value(self) -> str:
        """Return the WebAssembly function $grundy(h) for small heaps.

        The function writes a mark at the value of each option. Each evaluation uses another number as its mark, so
        marks need not be erased. Each heap is evaluated at most twice, so there are fewer than 2^32 evaluations. If the
        value of an option was unknown, its evaluation may have replaced marks. Then the function writes all marks
        again.
        """
        assert isinstance(self.heaps, SmallHeapText)
        writer = self._writer("h")
        known, mark, again = (writer.local() for _ in range(3))
        self._again = again

        def use(heaps: list[str]) -> str:
            total = "(i64.const 0)"
            for heap in heaps:
                value = self._values.get(heap)
                text = self._get_value(heap, writer.local())
                if value is not None:
                    text = f"(i64.sub (local.get {value}) (i64.const 1))"
                total = f"(i64.xor {total} {text})" if heaps.index(heap) else text
            return f"(i64.store32 {self._locate_mark(total)} (local.get {mark}))"

        text = f"""(local.set {known} (i64.load16_u (i32.wrap_i64 (local.get $p0))))
(if (i64.ne (local.get {known}) (i64.const 0)) (then (return (i64.sub (local.get {known}) (i64.const 1)))))
(loop $again
  (local.set {again} (i64.const 0))
  (local.set {mark} (i64.add (global.get $mark) (i64.const 1)))
  (global.set $mark (local.get {mark}))
  {self._write_options(writer, use)}
  (br_if $again (i64.ne (local.get {again}) (i64.const 0))))
(local.set {known} (i64.const 0))
(loop $next
  (local.set {known} (i64.add (local.get {known}) (i64.const 1)))
  (br_if $next (i64.eq (local.get {mark})
    (i64.load32_u {self._locate_mark(f"(i64.sub (local.get {known}) (i64.const 1))")}))))
(if (i64.gt_u (local.get {known}) (i64.const {MOST_VALUE})) (then (call $crowded)))
(i64.store16 (i32.wrap_i64 (local.get $p0)) (local.get {known}))
(i64.sub (local.get {known}) (i64.const 1))"""
        self._again = ""
        return writer.make("$grundy", text, "(result i64)")

    def _locate_mark(self, value: str) -> str:
        assert isinstance(self.heaps, SmallHeapText)
        return f"offset={self.heaps.marks} (i32.wrap_i64 (i64.shl {value} (i64.const 2)))"

    def _get_value(self, heap: str, spare: str) -> str:
        """Return Wasm code for the Grundy value of a new heap after a move, if all heaps are small.

        `spare`: a local that the code may overwrite.
        """
        known = f"(local.tee {spare} (i64.and (local.get {self._heads[heap]}) (i64.const {MOST_VALUE})))"
        asked = f"(local.set {self._again} (i64.const 1)) (call $grundy (local.get {heap}))"
        return f"(if (result i64) (i64.eqz {known}) (then {asked}) (else (i64.sub (local.get {spare}) (i64.const 1))))"

    def _tell_position(self) -> str:
        """Return the WebAssembly functions $winner(s, who), $nimbers(s) and $outcome(s) for a list s of heaps.

        $winner returns the winner, counted in turns from the mover `who`. $nimbers returns the Grundy value of s. All
        three ignore heaps that vanish, and trap if an element of s is not a heap of the game.
        """
        adds = "(global.set $added (i64.const 1))" if self.adds else "(unreachable)"
        several = f"{adds} (i64.extend_i32_u (i64.eqz (call $nimbers (local.get $s))))" if self.adds else adds
        one, state = "", self.heaps.load_state("$heap")
        if self.alone:
            one = f"""(if (i64.eq (i64.load (i32.wrap_i64 (local.get $s))) (i64.const 1)) (then
    (local.set $heap (i64.load offset=8 (i32.wrap_i64 (local.get $s))))
    (if (i64.eq {state} (i64.const {STAYS})) (then
      (return (call $value (local.get $heap) (local.get $who)))))))"""
        text = _POSITIONS.replace("{one}", one).replace("{adds}", adds).replace("{stuck}", str(self.stuck))
        text = text.replace("{weight}", self.heaps.load_weight("$heap"))
        text = text.replace("{several}", several)
        text = text.replace("{state}", state).replace("{require}", require_state(state))
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
    {{require}}
    (if (i64.eq {{state}} (i64.const {STAYS})) (then (call $push (local.get $heap))))
    (local.set $i (i64.add (local.get $i) (i64.const 1)))
    (br $next)))
  (call $gather (local.get $base)))
(func $winner (param $s i64) (param $who i64) (result i64) (local $heap i64)
  {{one}}
  (local.set $s (call $stay (local.get $s)))
  {{one}}
  (if (i64.eqz (call $len (local.get $s))) (then (return (i64.const {{stuck}}))))
  {{several}})
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


def free_lists(writer: WasmFunctionWriter, text: str) -> str:
    """Return statements that also free the lists that the given statements make."""
    top = writer.local()
    return f"(local.set {top} (global.get $top)) {text} (global.set $top (local.get {top}))"


def turn(number: str, count: int) -> str:
    """Return Wasm code for (number + 1) % count, for a number below `count`."""
    if count <= 2:
        return f"(i64.xor {number} (i64.const 1))" if count == 2 else "(i64.const 0)"
    return f"(i64.rem_s (i64.add {number} (i64.const 1)) (i64.const {count}))"
