"""The variables of a claim as symbols: free values, that they lie in domain and scope, and how to read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from claims.language.statement import domains as d
from encoders.answer import CaseValue
from encoders.bounded.moves import Env, TermReading
from encoders.bounded.numbers import Position
from encoders.bounded.values import Elements, Items, Value, Values, as_number, as_position
from encoders.ground.refusals import Unsupported
from encoders.logic.smt import formulas as smtlib
from encoders.logic.smt.formulas import TRUE, Declaration, Formula, conjunction, disjunction
from encoders.logic.smt.words import Number

Found = Mapping[str, int | bool]
"""What a solver says of the symbols, by name; those left out may have any value."""


@dataclass(frozen=True, eq=False)
class Free:
    """A free value. `inside`: that it is one of those meant; `read`: which one it is."""

    value: Value
    inside: Formula
    read: Callable[[Found], CaseValue]


class Variables:
    """Makes free values, and declares their symbols."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.declared: list[Declaration] = []

    def draw(self, v: d.Variable, bound: d.Range | d.PositionRange | None, reader: TermReading, env: Env) -> Free:
        """A free value of a variable of the claim. `env`: those declared before. Raises Unsupported."""
        n = self.values.numbers
        match v.domain:
            case d.Interval(lo=lo, hi=hi):
                high = None if hi is None else reader.number(hi, env)
                return self._draw_between(v.name, reader.number(lo, env), high, bound)
            case d.Positions():
                assert isinstance(bound, d.PositionRange)
                return self._draw_position(v.name, bound)
            case d.Players(count=count):
                return self._draw_integer(v.name, 0, count - 1)[1]
            case d.Subsets(lo=low, hi=high):
                return self._draw_set(v.name, range(low, high + 1))
            case d.Listed(values=values):
                listed = (n.literal(x) if isinstance(x, int) else tuple(map(n.literal, x)) for x in values)
                return self._draw_one_of(v.name, tuple((TRUE, x) for x in listed))
            case d.ElementsOf(source=source):
                return self._draw_one_of(v.name, self.values.elements(reader.value(source, env)))
        raise Unsupported(f"{v.name} ranges over {v.text}")

    def _draw_truth(self, name: str) -> tuple[Formula, Free]:
        self.declared.append(Declaration(name, smtlib.BOOLEAN))
        symbol = self.declared[-1].variable()
        return symbol, Free(symbol, TRUE, lambda found: bool(found.get(name, False)))

    def _draw_integer(self, name: str, low: int, high: int) -> tuple[Number, Free]:
        """An integer low..high. Raises Unsupported for one that has no word."""
        declared, number, inside = self.values.numbers.free(name, low, high)
        self.declared.append(declared)
        return number, Free(number, inside, lambda found: int(found.get(name, low)))

    def _draw_between(
        self, name: str, low: Number, high: Number | None, bound: d.Range | d.PositionRange | None
    ) -> Free:
        """An integer of a domain low..high, in the scope."""
        n = self.values.numbers
        if isinstance(bound, d.Range):
            least, most = bound.lo, bound.hi
        elif high is not None:
            least, most = low.lo, high.hi
        else:
            raise Unsupported(f"{name} has no bound")
        x, free = self._draw_integer(name, least, most)
        above = n.relation("ge", x, low)
        below = TRUE if high is None else n.relation("le", x, high)
        return Free(x, conjunction((free.inside, above, below)), free.read)

    def _draw_set(self, name: str, numbers: Sequence[int]) -> Free:
        drawn = [(i, *self._draw_truth(f"{i} in {name}")) for i in numbers]
        items = Items("set", tuple((chosen, self.values.numbers.literal(i)) for i, chosen, _ in drawn))
        return Free(items, TRUE, lambda found: tuple(i for i, _, free in drawn if free.read(found)))

    def _draw_position(self, name: str, bound: d.PositionRange) -> Free:
        n, zero = self.values.numbers, self.values.zero
        names = [f"{name} {i + 1}" for i in range(bound.heaps.hi)]
        drawn = [self._draw_integer(x, 0, bound.size.hi) for x in names]
        s: Position = tuple(h for h, _ in drawn)
        conditions = [free.inside for _, free in drawn]
        for i, h in enumerate(s):
            least = n.relation("ge", h, n.literal(bound.size.lo))
            needed = i >= bound.heaps.hi - bound.heaps.lo
            conditions.append(least if needed else disjunction((least, n.equal(h, zero))))
        if bound.total is not None:
            total = zero
            for h in s:
                total = n.add(total, h)
            conditions += [
                n.relation("ge", total, n.literal(bound.total.lo)),
                n.relation("le", total, n.literal(bound.total.hi)),
            ]

        def read(found: Found) -> CaseValue:
            return tuple(sorted(int(found[x]) for x in names if found.get(x)))

        return Free(s, conjunction((n.ascending(s), *conditions)), read)

    def _draw_one_of(self, name: str, elements: Elements) -> Free:
        """A free value that is one of the elements that are there."""
        free = self._draw_like(name, [value for _, value in elements])
        return Free(free.value, conjunction((free.inside, self.values.contains(elements, free.value))), free.read)

    def _draw_like(self, name: str, elements: Sequence[Value]) -> Free:
        """A free value of the kind of the elements, wide enough for each."""
        first = elements[0] if elements else self.values.zero
        if isinstance(first, Number):
            numbers = [as_number(x) for x in elements]
            low, high = min((x.lo for x in numbers), default=0), max((x.hi for x in numbers), default=0)
            return self._draw_integer(name, low, high)[1]
        if isinstance(first, tuple):
            positions = [as_position(x) for x in elements]
            most = max((h.hi for s in positions for h in s), default=1)
            heaps = max(map(len, positions))
            return self._draw_position(name, d.PositionRange(d.Range(0, heaps), d.Range(1, max(1, most))))
        if isinstance(first, Formula):
            return self._draw_truth(name)[1]
        raise Unsupported(f"{name} ranges over collections")
