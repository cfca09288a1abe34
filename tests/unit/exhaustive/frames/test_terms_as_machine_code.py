"""The machine code of a term agrees with the referee or stops: at undefined and at large values."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import wasmtime
from both import COLUMNS, ILL, LIMIT, ROWS, Both, base_claim
from hypothesis import HealthCheck, given, settings
from random_expressions import expressions

from checks.referee.meaning import LimitReached
from claims.language.errors import LanguageError
from claims.language.syntax import terms as t
from encoders.compute.native.pieces import SMALL, Bounds, NotNative, WasmExpression
from encoders.compute.native.runtime import ARENA, STACK, STATIC, TEXT
from encoders.compute.native.search import make_engine
from encoders.compute.native.terms import Module, WasmFunctionWriter

NAMES = ("k", "b", "p", "l", "A")
FIXED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
STOPPED = "stopped"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    return Both(base_claim(Path(tmp_path_factory.mktemp("base"))))


def refuse(_: WasmFunctionWriter, call: t.GameCall) -> str:
    raise NotNative(call.function)


class Machine:
    """Terms as the functions of one module."""

    def __init__(self) -> None:
        self.module, self.asked = Module(refuse), list[tuple[str, t.Term, Bounds, str]]()

    def add(self, text: str, term: t.Term) -> None:
        """Add a term. Raises NotNative."""
        writer = WasmFunctionWriter(self.module, {name: WasmExpression("", SMALL) for name in NAMES})
        body, name = writer.write(term), f"asked{len(self.asked)}"
        self.asked.append((text, term, body.bounds, writer.make(f'(export "{name}")', body.text, "(result i64)")))

    def run(self) -> Iterator[tuple[str, t.Term, list[object]]]:
        """Yield each text with its values at the cases, STOPPED if the module stops."""
        lists = {case[4]: self.module.static.place(case[4]) for case in ROWS}
        clear = f'(func (export "clear") (global.set $top (i64.const {ARENA})) (global.set $stack (i64.const {STACK})))'
        functions = "".join((*self.module.functions, *(made for *_, made in self.asked)))
        engine = make_engine()
        self.store, nothing = wasmtime.Store(engine), wasmtime.FuncType([], [])
        host = [wasmtime.Func(self.store, nothing, lambda: None) for _ in range(2)]
        module = wasmtime.Module(engine, f"(module {TEXT} {functions} {clear})")
        self.exports = wasmtime.Instance(self.store, module, host).exports(self.store)
        self.exports["memory"].write(self.store, self.module.static.data, STATIC)
        for i, (text, term, bounds, _) in enumerate(self.asked):
            cases = [(k, int(b), p, l, lists[numbers]) for k, b, p, _, numbers in ROWS for _, l in COLUMNS]
            yield text, term, [self._read(term, bounds, f"asked{i}", case) for case in cases]

    def _read(self, term: t.Term, bounds: Bounds, name: str, case: tuple[int, ...]) -> object:
        self.exports["clear"](self.store)
        try:
            found = self.exports[name](self.store, *case)
        except wasmtime.Trap:
            return STOPPED
        if not term.type.is_collection:
            assert bounds.lo <= found <= bounds.hi
            return found
        _, *items = self._read_words(found, 1 + self._read_words(found, 1)[0])
        assert all(bounds.lo <= x <= bounds.hi for x in items)
        return tuple(items)

    def _read_words(self, at: int, count: int) -> list[int]:
        data = self.exports["memory"].read(self.store, at, at + 8 * count)
        return [int.from_bytes(data[i : i + 8], "little", signed=True) for i in range(0, 8 * count, 8)]


def compare(both: Both, machine: Machine, may_stop: bool = False) -> int:
    """Return the number of terms with a value.

    `may_stop`: also stop at defined values, for large intermediate numbers.
    """
    valued = 0
    for text, term, found in machine.run():
        expected = [STOPPED if x in (ILL, LIMIT) else x for row in both.by_referee(term) for x in row]
        wrong = [(e, f) for e, f in zip(expected, found, strict=True) if f != e and not (may_stop and f is STOPPED)]
        assert not wrong, f"{text}: {wrong[0]}"
        valued += any(x is not STOPPED for x in found)
    return valued


KNOWN = [
    "[(0 - 7) // 2, (0 - 7) % 2, 7 // (0 - 2), 7 % (0 - 2), 0 // 5, (0 - 8) // 4, (0 - 7) % 4, k // 2, l % 8]",
    "[k // l, k % l, l // k]",
    "[k // 0, 1]",
    "[k % 0, 1]",
    "[abs(k - l), max(k, l), min(k, l)]",
    "k // l if l != 0 else k",
    "[k * l - 3, -k, k ** 2, l ** abs(k), 2 ** abs(l)]",
    "[k ** l]",
    "[abs(k) ^ 5, bit_and(abs(l), 3), bit_or(abs(k), 4), popcount(abs(k)), bit(abs(l), 1), bit(5, abs(k))]",
    "[k ^ l, 1]",
    "[bit(k, l)]",
    "[isqrt(abs(k) * 7), top_bit(abs(k) + 1), valuation(12 * k, 2), valuation(27, 3)]",
    "[top_bit(k), isqrt(l)]",
    "[sum(A), len(A), mex(A), count(x > 0 for x in A)]",
    "[max(A), min(A)]",
    "nim_sum(A)",
    "nim_sum(x + 1 for x in A)",
    "[x * y for x in A for y in range(x) if y != 1]",
    "{x % 2 for x in [3, 1, 2, 5]}",
    "[x for x in sorted([3, k, l, 0 - 4])]",
    "[3, k, l][0:2] + [k + 1]",
    "[3, k, l][k:]",
    "put([1, 2, 3], k, l)",
    "[[1, 2, 3][k], 1]",
    "[x in A for x in [0, 1]] == [0 in A, 1 in A]",
    "[1, 2] == [k, 2]",
    "[A.count(1), [k, l, 2].count(2)]",
    "any(1 // (x - 1) == 1 for x in [2, 1])",
    "any(1 // (x - 1) == 1 for x in [1, 2])",
    "all(x > k for x in A) or not b",
    "False and 1 // 0 == 1 or k < l and k != 2",
    "1 // 0 == 1 and False",
    "implies(b, k <= 2) == (l >= k)",
    "p == P1",
    "[f(k), late(k, l), best(A), same(3), strict(1 // 0)]",
    "[f(k), late(k + 9, l), best([k, l]), c]",
    "[x for x in range(k, l)]",
    "mex(x // 2 for x in [0, 1, 2, 7])",
    "max(x - y for x in A for y in A)",
    "(k if b else l) + (1 if k > l else 0)",
]
LARGE = ["4611686018427387903 + k", "4611686018427387903 * k", "1073741824 * 1073741824 * 2 * k"]
LARGE += [
    "(4611686018427387903 - 1) // 2 + k",
    "sum(4611686018427387903 for x in A)",
    "(2 ** abs(l)) ** 31",
    "[k ** l]",
]


@pytest.mark.slow
def test_known_expressions(both: Both) -> None:
    machine = Machine()
    for text in KNOWN:
        machine.add(text, both.term(text))
    compare(both, machine)


def test_past_what_it_calculates_with_the_module_stops(both: Both) -> None:
    machine = Machine()
    for text in LARGE:
        machine.add(text, both.term(text))
    assert compare(both, machine, may_stop=True) >= 4


@pytest.mark.slow
def test_random_expressions(both: Both) -> None:
    machine = Machine()

    @settings(FIXED, max_examples=60)
    @given(expressions(("int", "bool", ("list", "int"), ("set", "int")), 3))
    def sample(text: str) -> None:
        try:
            term = both.term(text)
            both.by_referee(term)
            machine.add(text, term)
        except (LanguageError, LimitReached, NotNative):
            return

    sample()
    assert compare(both, machine, may_stop=True) >= 10


SIGNALS = """
import faulthandler, wasmtime
from encoders.compute.native.search import make_engine
faulthandler.enable()
store = wasmtime.Store(make_engine())
module = wasmtime.Module(make_engine(), '(module (func (export "stop") unreachable))')
stop = wasmtime.Instance(store, module, []).exports(store)["stop"]
faulthandler.disable()  # restores the previous handlers
try:
    stop(store)
except wasmtime.Trap:
    print("stopped")
"""


@pytest.mark.slow
def test_what_stops_is_told_whoever_handles_signals() -> None:
    """Another program may have set its own handlers since then, as pytest within pytest does."""
    done = subprocess.run([sys.executable, "-c", SIGNALS], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "stopped\n", done.stderr
