"""A claim about heaps with parts, and its rules, as machine code that looks at every case of a large scope.

Whatever is not read, has no value, is too large, or is no proper move, ends it without an answer: the route in Python
then looks at all of the scope, and says what there is to say.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import prod
from typing import cast

import numpy as np
import wasmtime

from claims.language.builtins.meanings import Value
from claims.language.statement import domains as d
from claims.language.statement.claim import Claim
from claims.language.statement.judgement import Judgement
from claims.language.terms.types import INT
from encoders.answer import Case, CaseValue
from encoders.exhaustive.arrays.limits import Deadline
from encoders.exhaustive.arrays.values import Array
from encoders.exhaustive.cases.tally import Judged
from encoders.exhaustive.parts.native.pieces import (
    NOTHING,
    ONE,
    SMALL,
    Bounds,
    NotNative,
    Stopped,
    WasmExpression,
)
from encoders.exhaustive.parts.native.rules import GameCodeGenerator
from encoders.exhaustive.parts.native.runtime import (
    ARENA,
    CROWDED,
    LARGE,
    LOG,
    LOG_END,
    MOST_HEAPS,
    PAGE,
    POSITION,
    STATIC,
    TEXT,
)
from encoders.exhaustive.parts.native.sample import CaseSample
from encoders.exhaustive.parts.native.scopes import ScopeHeaps
from encoders.exhaustive.parts.native.terms import WasmFunctionWriter

CODES = (Judgement.HYPOTHESES_FAIL, Judgement.HOLDS, Judgement.FAILS)


@dataclass
class NativeSearchResult:
    """What was found. `met`: at how many cases the hypotheses hold; `witness`: the first of them.

    `kept`: the cases that the referee has to evaluate again, judged, in order.  `decided`: the first case that decides.
    `added`: whether Grundy values of several heaps were added.
    """

    cases: int = 0
    met: int = 0
    witness: Case | None = None
    kept: list[Judged] = field(default_factory=list)
    decided: Case | None = None
    added: bool = False


class CompiledSearch:
    """One claim with one game. `parameters`: of the game; `sums`: whether Grundy values of heaps may be added."""

    def __init__(self, claim: Claim, scope: d.Scope, parameters: Mapping[str, Value], players: int, sums: bool) -> None:
        """Raises NotNative."""
        positions = [v for v in claim.variables if v.type.is_position]
        if len(positions) > 1 or len(claim.games) != 1:
            raise NotNative("several positions, or games")
        self.claim, self.scope = claim, scope
        self.position = positions[0] if positions else None
        self.numbers = [v for v in claim.variables if not v.type.is_position]
        self.decides = CODES.index(Judgement.HOLDS if claim.quantifier == "exists" else Judgement.FAILS)
        self._rules = GameCodeGenerator(claim.games[0].ruleset, parameters, players, sums)
        self.text = self._write()
        self.data = self._rules.module.static.data

    # -- text ---------------------------------------------------------------------------------------------------------
    def _write(self) -> str:
        names = () if self.position is None else (self.position.name,)
        writer = WasmFunctionWriter(self._rules.module, {name: WasmExpression("", SMALL) for name in (*names, "=at")})
        at = f"(local.get $p{len(names)})"
        cases = writer.make("$cases", f"{self._bind(writer, at, 0)} (i32.const 0)", "(result i32)")
        given = f"(i64.const {POSITION})" if names else ""
        run = _RUN.replace("{given}", given)
        return f"(module {TEXT} {self._rules.write()} {cases} {run})"

    def _bind(self, writer: WasmFunctionWriter, at: str, number: int) -> str:
        """Statements for each choice of the other variables, from one of them on."""
        if number == len(self.numbers):
            return self._look(writer, at)
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
                    raise NotNative(f"the range of {v.name}")
                return writer.count(v.name, low, writer.calculate("add", high, ONE), inner)
            case d.Players(count=count):
                return writer.count(v.name, WasmExpression("(i64.const 0)", NOTHING), _write_number(count), inner)
        raise NotNative(f"the domain of {v.name}")

    def _look(self, writer: WasmFunctionWriter, at: str) -> str:
        """One case: what comes of it is written into the log."""
        claim, code = self.claim, writer.local()
        text = f"(global.set $top (i64.const {ARENA}))"
        judged = f"(if (result i64) {writer.test(claim.conclusion)} (then (i64.const 1)) (else (i64.const 2)))"
        if claim.hypothesis is not None:
            judged = f"(if (result i64) {writer.test(claim.hypothesis)} (then {judged}) (else (i64.const 0)))"
        text += f"(local.set {code} {judged})\n"
        row = [at, *(writer.get(v.name) for v in self.numbers), f"(local.get {code})"]
        for i, word in enumerate(row):
            text += f"(i64.store offset={8 * i} (i32.wrap_i64 (global.get $log)) {word})"
        text += f"(global.set $log (i64.add (global.get $log) (i64.const {8 * len(row)})))\n"
        text += f"(if (i64.eq (local.get {code}) (i64.const {self.decides})) (then (return (i32.const 1))))"
        return text + f"(if (i64.ge_u (global.get $log) (i64.const {LOG_END - PAGE})) (then (call $flush)))"

    # -- search -------------------------------------------------------------------------------------------------------
    def search(self, clock: Deadline) -> NativeSearchResult:
        """What is found in the scope. Raises OutOfTime; NotNative where this cannot tell, Stopped if it trapped."""
        try:
            run = _Run(self, clock)
        except wasmtime.WasmtimeError:
            raise Stopped("there is no memory for it") from None
        try:
            run.look()
        except wasmtime.Trap as trap:
            deep = trap.trap_code is wasmtime.TrapCode.STACK_OVERFLOW
            raise Stopped("a recursion too deep" if deep else _REASONS[run.why]) from None
        return run.found


_REASONS = {
    0: "a term without a value, or a move that does not make the measure less",
    LARGE: "a number with more than 62 bits, or one in a heap with more than 30",
    CROWDED: "more numbers or heaps than it has room for",
}

# The heaps of one position after another, `n` each, are put where the position stands.
_RUN = f"""(func (export "run") (param $s i64) (param $n i64) (param $at i64) (param $to i64) (result i32)
(i64.store (i32.const {POSITION}) (local.get $n))
(block $out (loop $next
  (br_if $out (i64.ge_s (local.get $at) (local.get $to)))
  (call $copy (i64.const {POSITION + 8}) (local.get $s) (local.get $n))
  (if (call $cases {{given}} (local.get $at)) (then (return (i32.const 1))))
  (local.set $at (i64.add (local.get $at) (i64.const 1)))
  (local.set $s (i64.add (local.get $s) (i64.shl (local.get $n) (i64.const 3))))
  (br $next)))
(i32.const 0))"""


def _clip(how: str, piece: WasmExpression | None, bound: int) -> WasmExpression:
    """An end of a range, moved inside that of the scope. `how`: "largest" for the lower end, else "smallest"."""
    if piece is None:
        return _write_number(bound)
    choose = max if how == "largest" else min
    bounds = Bounds(*(choose(x, bound) for x in piece.bounds))
    return WasmExpression(f"(call ${how} {piece.text} (i64.const {bound}))", bounds)


def _write_number(number: int) -> WasmExpression:
    return WasmExpression(f"(i64.const {number})", Bounds(number, number))


class _Run:
    """One instance of the machine code of a claim."""

    def __init__(self, native: CompiledSearch, clock: Deadline) -> None:
        self.native, self.clock, self.found = native, clock, NativeSearchResult()
        self._store = wasmtime.Store(make_engine())
        nothing = wasmtime.FuncType([], [])
        host = [wasmtime.Func(self._store, nothing, x) for x in (clock.check, self._read_log)]
        module = wasmtime.Module(make_engine(), native.text)
        self._exports = wasmtime.Instance(self._store, module, host).exports(self._store)
        memory, log = self._exports["memory"], self._exports["log"]
        assert isinstance(memory, wasmtime.Memory)
        assert isinstance(log, wasmtime.Global)
        self._memory, self._log = memory, log
        memory.write(self._store, native.data, STATIC)
        self._heaps: ScopeHeaps | None = None
        self._sample = CaseSample(native.claim.digest, len(native.numbers) + 2)
        self._blocks: list[tuple[int, Array]] = []  # the number of the first position, and the places of the heaps

    def look(self) -> None:
        """Look at all cases, up to the first that decides."""
        decided = any(self._call("run", *block) for block in self._list_blocks())
        self._read_log(decided)
        self.found.kept = [(self._read_case(row), CODES[row[-1]]) for row in self._sample.list_rows()]
        added = self._exports["added"]
        assert isinstance(added, wasmtime.Global)
        self.found.added = bool(added.value(self._store))

    @property
    def why(self) -> int:
        """Why the module has stopped, as in the runtime."""
        why = self._exports["why"]
        assert isinstance(why, wasmtime.Global)
        return int(why.value(self._store))

    def _call(self, name: str, *arguments: int) -> int:
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        return int(function(self._store, *arguments) or 0)

    def _reserve(self, *shape: int) -> tuple[int, Array]:
        """The address of so many numbers, and the numbers."""
        at = self._call("keep", 8 * prod(shape))
        return at, self._view(at, shape)

    def _view(self, at: int, shape: tuple[int, ...]) -> Array:
        base = ctypes.addressof(self._memory.data_ptr(self._store).contents)  # it never moves
        return np.asarray(np.ctypeslib.as_array((ctypes.c_int64 * prod(shape)).from_address(base + at)).reshape(shape))

    # -- positions ----------------------------------------------------------------------------------------------------
    def _list_blocks(self) -> Iterator[tuple[int, int, int, int]]:
        """The positions of the scope in order, by their numbers of heaps: address, heaps in each, first, end."""
        position = self.native.position
        if position is None:
            self._blocks = [(0, np.zeros((1, 0), dtype=np.int64))]
            yield 0, 0, 0, 1
            return
        bound = self.native.scope[position.name]
        assert isinstance(bound, d.PositionRange)
        self._heaps = heaps = ScopeHeaps(bound)
        addresses, start = np.concatenate([self._admit(form.words) for form in heaps.forms])[heaps.order], 0
        there = np.flatnonzero(addresses)
        for places in heaps.list_positions(bound.heaps, there):
            rows, number = places.shape
            if number > MOST_HEAPS:
                raise NotNative("many heaps")
            at, lists = self._reserve(rows, number)
            np.take(addresses, places, out=lists)
            self._blocks.append((start, places))
            self._sample.want({start + row for row in heaps.find_ends(places, there)})
            yield at, number, start, start + rows
            start += rows

    def _admit(self, words: Array) -> Array:
        """The addresses of heaps of a form, 0 of what is none or vanishes."""
        rows, width = words.shape
        if not rows:
            return np.zeros(0, dtype=np.int64)
        at, given = self._reserve(rows, width)
        given[...] = words
        to, made = self._reserve(rows)
        self._call("admit", at, width, rows, to)
        return made

    # -- cases --------------------------------------------------------------------------------------------------------
    def _read_log(self, decided: bool = False) -> None:
        """Take over what was found since the last time. `decided`: the last case decides."""
        self.clock.check()
        end, width = int(self._log.value(self._store)), len(self.native.numbers) + 2
        rows = self._view(LOG, ((end - LOG) // (8 * width), width))
        self._log.set_value(self._store, LOG)
        found, codes = self.found, rows[:, -1]
        met = np.flatnonzero(codes)
        found.cases += len(rows)
        found.met += len(met)
        if found.witness is None and len(met):
            found.witness = self._read_case(rows[met[0]].tolist())
        if decided:
            found.decided, rows = self._read_case(rows[-1].tolist()), rows[:-1]
        self._sample.read(rows)

    def _read_case(self, row: Sequence[int]) -> Case:
        at, *numbers, _ = row
        values: dict[str, CaseValue] = {v.name: x for v, x in zip(self.native.numbers, numbers, strict=True)}
        if self._heaps is not None and self.native.position is not None:
            start, places = next(x for x in reversed(self._blocks) if x[0] <= at)
            heaps = tuple(self._heaps.read(int(i)) for i in places[at - start])
            values[self.native.position.name] = cast(CaseValue, heaps)
        return {v.name: values[v.name] for v in self.native.claim.variables}


@cache
def make_engine() -> wasmtime.Engine:
    """Traps come without signals: whoever sets handlers of those anew, as faulthandler does, would end the process."""
    config = wasmtime.Config()
    config.signals_based_traps = False
    config.memory_may_move = False
    return wasmtime.Engine(config)
