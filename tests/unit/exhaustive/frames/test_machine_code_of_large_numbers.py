"""Machine code near 2^31, 2^62 and 2^63: each operation agrees with the referee, or traps.

`WRITTEN` has terms for every operation that machine code supports. Each occurs in sums and products, and each
intermediate number is compared with its recorded interval.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import wasmtime
from both import Both, base_claim
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checks.referee.meaning import IllDefined, LimitReached
from claims.language.errors import NimChecksError
from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.terms import BOOL, INT, Type, list_of
from encoders.compute.native import runtime
from encoders.compute.native.pieces import ANY, COMPARED, FOLDED, LARGEST, NotNative, WasmExpression
from encoders.compute.native.search import make_engine
from encoders.compute.native.terms import Module, WasmFunctionWriter

NEAR = [sign * ((1 << bits) + off) for bits in (30, 31, 32, 61, 62) for off in (-1, 0, 1) for sign in (1, -1)]
GIVEN = [x for x in (*NEAR, *range(-3, 4), 63, 64, 65) if abs(x) <= LARGEST]
SAID = [str(x) for x in (2**31 - 1, 2**31, 2**31 + 1, 3 * 10**9, 2**61, 2**62 - 1, 0, 1, 2, -(2**31), 1 - 2**62)]
OUTSIDE = 9  # the exit code of a module with a number outside its interval
STOPPED = "stopped"

WRITTEN = {
    "add": ["k + l", "k + k + l", "(k + l) - k"],
    "sub": ["k - l", "k - l - l", "0 - k"],
    "neg": ["-k", "-(k - l)"],
    "mul": ["k * l", "k * 2147483648", "3000000000 * l", "(k * 2) * (l * 2)", "-4294967297 * k"],
    "floordiv": ["k // l", "k // 2", "k // 4611686018427387903", "k // 8", "k // -1", "(k - 1) // 2147483648"],
    "mod": ["k % l", "k % 2147483648", "k % -3", "(k + l) % 4", "k % (l + 1)"],
    "pow": ["k ** 2", "2 ** abs(l)", "k ** l", "(k % 5) ** 27"],
    "nim": ["abs(k) ^ abs(l)", "k ^ l", "abs(k) ^ 2147483648"],
    "bit_and": ["bit_and(abs(k), abs(l))", "bit_and(k, l)", "bit_and(abs(k), 4294967295)"],
    "bit_or": ["bit_or(abs(k), abs(l))", "bit_or(k, 1)", "bit_or(abs(k), 1)"],
    "popcount": ["popcount(abs(k))", "popcount(k)"],
    "bit": ["bit(abs(k), l)", "bit(k, 62)", "bit(abs(k), abs(l) % 70)"],
    "top_bit": ["top_bit(k)", "top_bit(abs(k) + 1)"],
    "isqrt": ["isqrt(k)", "isqrt(abs(k))"],
    "abs": ["abs(k)", "abs(k - l)"],
    "valuation": ["valuation(k, 2)", "valuation(k, l)", "valuation(k * 2, 2)"],
    "largest": ["max(k, l)", "max(k, 2147483648)"],
    "smallest": ["min(k, l)", "min(k, -l)", "min(k, 2147483648)"],
    "max": ["max([k, l, 3])", "max(c * k for c in [2147483648, 0])", "max(c * k for c in [0, 1, 3000000000, 1])"],
    "min": ["min([k, l, 3])", "min(c * k for c in [2147483648, 0])", "min(c - k for c in [-4611686018427387903, 0])"],
    "sum": ["sum([k, l])", "sum(c * k for c in [2147483648, 1])", "sum(k for c in [1, 2, 3, 4, 5])"],
    "mex": ["mex([k, l, 0])", "mex(c * k for c in [0, 1])"],
    "nim_sum": ["nim_sum([abs(k), abs(l)])", "nim_sum(c * abs(k) for c in [2147483648, 0])", "nim_sum([k, 1])"],
    "count": ["count(x > k for x in [l, 2147483648, 0])", "count([k > l, k < l])"],
    "any": ["1 if any(c * k > l for c in [2147483648, 0]) else 0"],
    "all": ["1 if all(c * k > l for c in [2147483648, 0]) else 0"],
    "in": ["1 if k in [l, 2147483648, -4611686018427387903] else 0"],
    "occurrences": ["[k, l, 2147483648].count(2147483648)", "[c * k for c in [2147483648, 0]].count(l)"],
    "len": ["len([k, l])", "len({k, l, 2147483648})"],
    "index": ["[k, l, 2147483648][l % 3]", "[c * k for c in [2147483648, 0]][abs(l) % 2]", "[k][l]"],
    "range": [
        "sum(range(k, k + 3))", "max(range(k, l)) if l - k < 9 else 0",
        "sum(x * x for x in range(k, k + 2))",
        "len(range(k, l if l - k < 9 else k))",
    ],
    "slice": ["sum([k, l, 2147483648][1:])", "max([c * k for c in [2147483648, 0]][:1])", "len([k, l][k:l])"],
    "concat": ["max([k] + [l])", "max([c * k for c in [2147483648, 0]] + [1])"],
    "put": ["max(put([1, 2], 1, k))", "max(put(put([k, l], 0, 5), 1, 2147483648))", "max(put([1], k, l))"],
    "sorted": ["sorted([k, l, 2147483648])[0]", "sorted([c * k for c in [2147483648, 0]])[1]"],
    "not": ["1 if not k < l else 0"],
    **{op: [f"1 if k {sign} l else 0", f"1 if k * 2 {sign} l * 3 else 0"] for op, sign in
       {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items()},
    "a condition": ["(k if k > l else l)", "(2147483648 if k > l else 0) * l", "(0 if k > l else 2147483648) * l"],
    "a definition": ["f(k)", "f(k % 2147483648)", "same(k) * same(l)", "late(k, l)", "best([k * 2, l])"],
    "a list": ["sum([c * k for c in [2147483648, 0]])", "max([x * l for x in [c * k for c in [2147483648, 0]]])"],
    "a set": ["max({c * k for c in [2147483648, 0]})", "sum({k, l, k + 1})"],
    "a loop in a loop": [
        "max(c * d * k for c in [2147483648, 0] for d in [2, 0])",
        "max(max(c * d * k for c in [2147483648, 0]) for d in [2, 0])",
        "sum(c * x for x in range(0, 3) for c in [2147483648, 0] if c * k > l)",
    ],
}  # fmt: skip
AROUND = ["{}", "({}) * ({})", "({}) * ({}) * 4", "({}) * l", "({}) + ({}) + ({})", "k - ({})"]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    return Both(base_claim(Path(tmp_path_factory.mktemp("base"))))


def _refuse(_: WasmFunctionWriter, call: t.GameCall) -> str:
    raise NotNative(call.function)


WITHIN = f"""(func $within (param $x i64) (param $lo i64) (param $hi i64) (result i64)
  (if (i32.or (i64.lt_s (local.get $x) (local.get $lo)) (i64.gt_s (local.get $x) (local.get $hi)))
    (then (global.set $why (i32.const {OUTSIDE})) (unreachable)))
  (local.get $x))
"""


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare each number with its interval while the module runs."""
    plain = WasmFunctionWriter.write

    def write(self: WasmFunctionWriter, term: t.Term) -> WasmExpression:
        piece = plain(self, term)
        if term.type != INT:
            return piece
        lo, hi = piece.bounds
        return WasmExpression(f"(call $within {piece.text} (i64.const {lo}) (i64.const {hi}))", piece.bounds)

    monkeypatch.setattr(WasmFunctionWriter, "write", write)


class Large:
    """Terms in k and l as the functions of one module."""

    def __init__(self, both: Both) -> None:
        self.both, self.module, self.asked = both, Module(_refuse), list[tuple[str, t.Term, str]]()

    def add(self, text: str) -> None:
        """Add a term. Raises NotNative."""
        term = self.both.term(text)
        writer = WasmFunctionWriter(self.module, {"k": WasmExpression("", ANY), "l": WasmExpression("", ANY)})
        body = writer.write(term)
        self.asked.append((text, term, writer.make(f'(export "t{len(self.asked)}")', body.text, "(result i64)")))

    def compare(self, choose: Callable[[int], list[tuple[int, int]]]) -> tuple[int, int]:
        """Return the number of defined cases, and the number of these for which machine code has a value."""
        valued = told = 0
        for i, (text, term, _) in enumerate(self.asked):
            for k, l_ in choose(i):
                expected, found = self._ask_referee(term, k, l_), self._ask_machine(i, k, l_)
                assert found in (expected, STOPPED), f"{text} at k = {k}, l = {l_}: {found}, but it is {expected}"
                valued += expected is not STOPPED
                told += found is not STOPPED
        return valued, told

    def _ask_referee(self, term: t.Term, k: int, l_: int) -> object:
        self.both.referee.steps.left = 100_000
        try:
            return self.both.referee.evaluate(term, {**self.both.case(0, 0), "k": k, "l": l_})
        except (IllDefined, LimitReached):
            return STOPPED

    def start(self) -> None:
        functions = "".join((*self.module.functions, *(made for *_, made in self.asked)))
        start = f"(global.set $top (i64.const {runtime.ARENA})) (global.set $stack (i64.const {runtime.STACK}))"
        clear = f'(func (export "clear") {start} (global.set $why (i32.const 0)))'
        engine, nothing = make_engine(), wasmtime.FuncType([], [])
        self.store = wasmtime.Store(engine)
        host = [wasmtime.Func(self.store, nothing, lambda: None) for _ in range(2)]
        module = wasmtime.Module(engine, f"(module {runtime.TEXT} {WITHIN} {functions} {clear})")
        self.exports = wasmtime.Instance(self.store, module, host).exports(self.store)
        self.exports["memory"].write(self.store, self.module.static.data, runtime.STATIC)

    def _ask_machine(self, i: int, k: int, l_: int) -> object:
        self.exports["clear"](self.store)
        try:
            return self.exports[f"t{i}"](self.store, k, l_)
        except wasmtime.Trap:
            assert self.exports["why"].value(self.store) != OUTSIDE, f"a bound of {self.asked[i][0]} at {k}, {l_}"
            return STOPPED


def _draw(seed: str, count: int) -> Callable[[int], list[tuple[int, int]]]:
    drawn = random.Random(seed)
    return lambda _: [(drawn.choice(GIVEN), drawn.choice(GIVEN)) for _ in range(count)]


@pytest.mark.usefixtures("watched")
@pytest.mark.parametrize("op", WRITTEN)
def test_an_operation_on_large_numbers_has_its_value_or_traps(both: Both, op: str) -> None:
    large = Large(both)
    for text in WRITTEN[op]:
        for around in AROUND:
            large.add(around.replace("{}", text))
    large.start()
    valued, told = large.compare(_draw(op, 24))
    assert told, "it always traps"
    assert 12 * told >= valued, f"it traps too often to be of use: {told} of {valued}"


def _list_arguments() -> Iterator[tuple[t.Term, ...]]:
    def named(name: str, kind: Type) -> t.Term:
        return t.Variable(kind, 0, 0, name)

    numbers = [named(x, INT) for x in "kl"]
    lists = [named("A", list_of(INT)), named("B", list_of(INT))]
    yield from [(), (numbers[0],), tuple(numbers), (*numbers, numbers[0]), (lists[0],), (lists[0], numbers[0])]
    yield from [tuple(lists), (lists[0], *numbers), (numbers[0], lists[0]), (named("b", BOOL),)]
    yield (named("C", list_of(BOOL)),)


def test_every_operation_that_machine_code_supports_is_in_the_table() -> None:
    names = {x: WasmExpression("", ANY) for x in "klABbC"}
    missing = []
    for op in BUILTINS:
        for args in _list_arguments():
            for kind, write in (
                (INT, WasmFunctionWriter.write),
                (list_of(INT), WasmFunctionWriter.write),
                (BOOL, WasmFunctionWriter.write_test),
            ):
                try:
                    write(WasmFunctionWriter(Module(_refuse), names), t.Operation(kind, 0, 0, op, args))
                except (NotNative, ValueError, IndexError, KeyError, TypeError, AttributeError, AssertionError):
                    continue
                missing += [op] if op not in WRITTEN else []
    # `part` and `heap` need games; the tests of claims cover them. There are few players, so `value` is not a large
    # number.
    assert set(missing) <= {"part", "heap"}
    assert set(FOLDED) | set(COMPARED) <= set(WRITTEN)


_NUMBERS = st.deferred(lambda: _ATOMS | _PAIRS | _LOOPS)
_ATOMS = st.sampled_from(["k", "l", "k", "l", *SAID])
_PAIRS = st.builds(
    lambda form, a, b: form.replace("A", a).replace("B", b),
    st.sampled_from(
        "A + B;A - B;A * B;A * B;-A;A // B;A % B;abs(A) ^ abs(B);max(A, B);min(A, B);abs(A);isqrt(abs(A));f(A);"
        "A if A < B else B;max([A, B]);min([A, B]);sum([A, B]);nim_sum([abs(A), abs(B)]);[A, B][abs(B) % 2]".split(";")
    ).map("({})".format),
    _NUMBERS,
    _NUMBERS,
)
_LOOPS = st.builds(
    lambda reducer, a, first, second: f"{reducer}(c * {a} for c in [{first}, {second}])",
    st.sampled_from(["max", "min", "sum", "mex", "max([0] + [", "sum({"]),
    _NUMBERS,
    st.sampled_from(SAID),
    st.sampled_from(SAID),
).map(lambda text: text if "[0]" not in text and "{" not in text else _close(text))


def _close(text: str) -> str:
    """Return a comprehension with closing brackets."""
    inner = text.replace("+ [(", "+ [", 1) if "[0]" in text else text.replace("{(", "{", 1)
    return inner[:-1] + ("])" if "[0]" in text else "})")


@pytest.mark.slow
@pytest.mark.usefixtures("watched")
def test_random_terms_of_large_numbers(both: Both) -> None:
    large = Large(both)

    @settings(deadline=None, derandomize=True, database=None, max_examples=150, suppress_health_check=list(HealthCheck))
    @given(_NUMBERS)
    def sample(text: str) -> None:
        if len(text) > 400:
            return
        try:
            large.add(text)
        except NimChecksError:
            return

    sample()
    large.start()
    valued, told = large.compare(_draw("terms", 25))
    assert told > 1000
    assert valued > told
