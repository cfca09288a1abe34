"""Heaps that are one list, and differ from a heap in a few places: they are met in the map, and no list is made."""

from __future__ import annotations

from claims.language.terms import terms as t
from claims.language.terms.types import INT
from encoders.exhaustive.parts.native.pieces import list_constants
from encoders.exhaustive.parts.native.runtime import MAP_BITS, MOST_MAPPED
from encoders.exhaustive.parts.native.terms import Module, WasmFunctionWriter


class Near:
    """What one function knows of its heap $p0. `slot`: the bytes before a heap at which its address in the map stands.

    `least`: the smallest number that a list of the map has.
    """

    def __init__(self, writer: WasmFunctionWriter, slot: int, least: int) -> None:
        self.writer, self.slot, self.least = writer, slot, least
        self._place, self._row, self._count = writer.local(), writer.local(), writer.local()

    def start(self) -> str:
        """Statements before those of `find`."""
        rows = self.writer.module.static.place(list_rows(self.writer.module))
        count = f"(local.tee {self._count} (i64.load offset=8 (i32.wrap_i64 (local.get $p0))))"
        row = f"(i64.load offset=8 (i32.wrap_i64 (i64.add (i64.const {rows}) (i64.shl {count} (i64.const 3)))))"
        return f"""(local.set {self._place} (i64.load (i32.wrap_i64 (i64.sub (local.get $p0) (i64.const {self.slot})))))
(if (i64.ne (local.get {self._place}) (i64.const 0)) (then (local.set {self._row} {row})))
"""

    def find(self, term: t.Term, heap: str) -> str:
        """Statements that put the heap of a term into a local, 0 where it has to be made; "" for another kind of term.

        Raises NotNative.
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
            more = f"(i64.mul (i64.sub (local.get {x}) {self._get_old(i, known)}) {_at(self._row, i)})"
            text += f"(local.set {at} (i64.add (local.get {at}) {more}))\n"
            known.append((i, x))
        text += f"(local.set {heap} (i64.load32_u (i32.wrap_i64 (local.get {at}))))"
        return f"(local.set {heap} (i64.const 0)) (block $far{label} {text})\n"

    def _get_old(self, i: str, known: list[tuple[str, str]]) -> str:
        """What stands at a place after the puts before."""
        old = _at("$p0", i)
        for j, y in known:
            same = f"(i64.eq (local.get {i}) (local.get {j}))"
            old = f"(if (result i64) {same} (then (local.get {y})) (else {old}))"
        return old

    def _read(self, term: t.Term) -> list[tuple[t.Term, t.Term]]:
        """The places and numbers of puts into the list of $p0, in order; [] where a term is not of that kind."""
        if not (isinstance(term, t.Operation) and term.op == "heap"):
            return []
        (group,), puts = term.args, list[tuple[t.Term, t.Term]]()
        while isinstance(group, t.Operation) and group.op == "put":
            puts.insert(0, (group.args[1], group.args[2]))
            group = group.args[0]
        heap = group.args[0] if isinstance(group, t.Operation) and group.op == "part" else None
        mine = isinstance(heap, t.Variable) and self.writer.get(heap.name) == "(local.get $p0)"
        return puts if mine else []


def _at(base: str, i: str) -> str:
    """The number at a place of the list of a heap, or of a row."""
    return f"(i64.load offset=16 (i32.wrap_i64 (i64.add (local.get {base}) (i64.shl (local.get {i}) (i64.const 3)))))"


def list_rows(module: Module) -> list[int]:
    """By the length of lists: where it says how many numbers an element may be, and what each adds to an address."""
    sides = [round_down(length) for length in range(MOST_MAPPED + 1)]
    steps = [[4 * side ** (n - 1 - i) for i in range(n)] for n, side in enumerate(sides)]
    return [module.static.place([side, *row]) for side, row in zip(sides, steps, strict=True)]


def find_least(lo: t.Term) -> int:
    """The smallest number of lists in the map, where their smallest is written down; else 0."""
    return (list_constants(t.Collection(INT, 0, 0, (lo,))) or [0])[0]


def round_down(length: int) -> int:
    """How many numbers each element of a list of that length may be, so that all lists have places in a map."""
    side = 1 << MAP_BITS
    while side**length > 1 << MAP_BITS:
        side = min(side - 1, int((1 << MAP_BITS) ** (1 / length)))
    return side
