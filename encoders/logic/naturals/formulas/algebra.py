"""Numbers as sums over streams, with bounds: the algebra into which a sequent is translated here.

A number is made of alternatives, each a sum that it is where a formula holds; exactly one of the formulas does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from encoders.ground.refusals import Unsupported
from encoders.logic.naturals.certificates.certificate import AND, EQ, LE, TIMES, XOR, Stream
from encoders.logic.naturals.formulas.formulas import FALSE, TRUE, Formulas
from encoders.logic.translator import bounds_of_extreme, choose_extreme

MOST_ALTERNATIVES = 64
Linear = tuple[frozenset[tuple[Stream, int]], int]  # (stream, its coefficient), constant


@dataclass(frozen=True)
class NaturalNumber:
    """`alternatives`: (formula, sum). lo <= it <= hi whatever the variables are; None: no bound that is known."""

    alternatives: tuple[tuple[int, Linear], ...]
    lo: int | None
    hi: int | None


class Naturals:
    """The algebra. `definitions`: what is true of the streams made on the way, to be assumed."""

    words = "natural numbers"

    def __init__(self) -> None:
        self.formulas = Formulas()
        self.definitions: list[int] = []
        self._made: dict[object, tuple[NaturalNumber, NaturalNumber]] = {}
        self._streams: dict[tuple[tuple[int, Linear], ...], Stream] = {}
        self._fresh = 0
        self._names = set[str]()

    @property
    def operations(self) -> Mapping[str, Callable[..., NaturalNumber]]:
        return {
            "add": self.add, "sub": self.sub, "mul": self.mul, "neg": self.neg,
            "floordiv": self.floordiv, "mod": self.mod, "nim": self.nim,
            "bit_and": self.bit_and,
        }  # fmt: skip

    def literal(self, value: int) -> NaturalNumber:
        return NaturalNumber(((TRUE, _linear({}, value)),), value, value)

    def variable(self, name: str, lo: int | None, hi: int | None) -> NaturalNumber:
        """An integer between bounds: a stream of its own; the difference of two where it may be negative."""
        if lo is not None and lo >= 0:
            parts: dict[Stream, int] = {self._name(name): 1}
        else:
            parts = {self._name(f"{name} above 0'"): 1, self._name(f"{name} below 0'"): -1}
        found = NaturalNumber(((TRUE, _linear(parts, 0)),), lo, hi)
        for op, bound in (("ge", lo), ("le", hi)):
            if bound is not None:
                self.definitions.append(self.relation(op, found, self.literal(bound)))
        return found

    def _stream(self, what: str) -> Stream:
        """A natural that nothing is known of."""
        self._fresh += 1
        return self._name(f"{what} {self._fresh}'")

    def _name(self, name: str) -> str:
        """The name, with more primes if a stream has it already."""
        while name in self._names:
            name += "'"
        self._names.add(name)
        return name

    # -- arithmetic ---------------------------------------------------------------------------------------------------
    def add(self, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        return self._join(a, b, _plus, _add(a.lo, b.lo), _add(a.hi, b.hi))

    def neg(self, a: NaturalNumber) -> NaturalNumber:
        lo, hi = (None if x is None else -x for x in (a.hi, a.lo))
        return NaturalNumber(tuple((g, _scale(-1, x)) for g, x in a.alternatives), lo, hi)

    def sub(self, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        return self.add(a, self.neg(b))

    def mul(self, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        return self._join(a, b, _times, *_product(a, b))

    def _join(
        self, a: NaturalNumber, b: NaturalNumber, op: Callable[[Linear, Linear], Linear], lo: int | None, hi: int | None
    ) -> NaturalNumber:
        if len(a.alternatives) == len(b.alternatives) == 1:  # under no condition
            return NaturalNumber(((TRUE, op(a.alternatives[0][1], b.alternatives[0][1])),), lo, hi)
        pairs = ((g, x, h, y) for g, x in a.alternatives for h, y in b.alternatives)
        return self._number(((self.formulas.conjunction((g, h)), op(x, y)) for g, x, h, y in pairs), lo, hi)

    def _number(self, alternatives: Iterator[tuple[int, Linear]], lo: int | None, hi: int | None) -> NaturalNumber:
        """The alternatives that are not plainly out, each sum once. Raises Unsupported where there are too many."""
        guards: dict[Linear, list[int]] = {}
        for guard, x in alternatives:
            if guard != FALSE:
                guards.setdefault(x, []).append(guard)
        if len(guards) > MOST_ALTERNATIVES:
            raise Unsupported(f"a number of more than {MOST_ALTERNATIVES} alternatives")
        if len(guards) == 1:
            return NaturalNumber(((TRUE, next(iter(guards))),), lo, hi)
        return NaturalNumber(tuple((self.formulas.disjunction(gs), x) for x, gs in guards.items()), lo, hi)

    def floordiv(self, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        """a // b for a literal b above 0. Raises Unsupported."""
        return self._divide("division", a, b)[0]

    def mod(self, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        """a % b for a literal b above 0. Raises Unsupported."""
        return self._divide("remainder", a, b)[1]

    def _divide(self, what: str, a: NaturalNumber, b: NaturalNumber) -> tuple[NaturalNumber, NaturalNumber]:
        """The quotient, rounded down, and the remainder: what they are holds of all integers a."""
        by = b.lo
        if by is None or b.lo != b.hi or by <= 0:
            raise Unsupported(f"a {what} by something other than a positive literal")
        key = a.alternatives, by
        if key not in self._made:
            natural = a.lo is not None and a.lo >= 0
            quotient: dict[Stream, int] = {self._stream("quotient"): 1}
            if not natural:
                quotient[self._stream("quotient below 0")] = -1
            rest = self._stream("remainder")
            lo, hi = (None if x is None else x // by for x in (a.lo, a.hi))
            made = (
                NaturalNumber(((TRUE, _linear(quotient, 0)),), lo, hi),
                NaturalNumber(((TRUE, _linear({rest: 1}, 0)),), 0, by - 1),
            )
            self._made[key] = made
            whole = self.add(self.mul(made[0], b), made[1])
            self.definitions += [self.relation("eq", a, whole), self.relation("lt", made[1], b)]
        return self._made[key]

    # -- binary digits ------------------------------------------------------------------------------------------------
    def nim(self, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        """a ^ b; both must be known not to be negative. Raises Unsupported."""
        top = None if a.hi is None or b.hi is None else (1 << max(a.hi, b.hi).bit_length()) - 1
        odd: dict[Stream, bool] = {}
        for x in (self.stream("a nim-sum", a), self.stream("a nim-sum", b)):
            for s in x[1:] if isinstance(x, tuple) and x[0] == XOR else (x,):
                if s is not None:
                    odd[s] = not odd.get(s, False)
        left = sorted((s for s, is_odd in odd.items() if is_odd), key=repr)
        if not left:
            return self.literal(0)
        made: Stream = left[0] if len(left) == 1 else (XOR, *left)
        return NaturalNumber(((TRUE, _linear({made: 1}, 0)),), 0, top)

    def bit_and(self, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        """The places where both have a 1; both must be known not to be negative. Raises Unsupported."""
        x, y = self.stream("bit_and", a), self.stream("bit_and", b)
        if x is None or y is None:
            return self.literal(0)
        made: Stream = x if x == y else (AND, *sorted((x, y), key=repr))
        highest = [n for n in (a.hi, b.hi) if n is not None]
        return NaturalNumber(((TRUE, _linear({made: 1}, 0)),), 0, min(highest, default=None))

    def stream(self, what: str, a: NaturalNumber) -> Stream | None:
        """A stream that is the number, which must be known not to be negative; None for 0. Raises Unsupported."""
        if a.lo is None or a.lo < 0:
            raise Unsupported(f"{what} of something that may be negative")
        if len(a.alternatives) == 1:
            ((_, (terms, constant)),) = a.alternatives
            if not terms and constant == 0:
                return None
            if not constant and [k for _, k in terms] == [1]:
                return next(s for s, _ in terms)
        if a.alternatives not in self._streams:
            made = self._streams[a.alternatives] = self._stream("number")
            self.definitions.append(self.relation("eq", NaturalNumber(((TRUE, _linear({made: 1}, 0)),), 0, None), a))
        return self._streams[a.alternatives]

    # -- truth values -------------------------------------------------------------------------------------------------
    def choose(self, condition: int, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        """a where the condition holds, else b."""
        f = self.formulas
        ways = [(condition, a), (-condition, b)]
        chosen = ((f.conjunction((c, g)), x) for c, n in ways for g, x in n.alternatives)
        lo = None if a.lo is None or b.lo is None else min(a.lo, b.lo)
        hi = None if a.hi is None or b.hi is None else max(a.hi, b.hi)
        return self._number(chosen, lo, hi)

    def extreme(self, op: str, numbers: Sequence[NaturalNumber]) -> NaturalNumber:
        """The largest or the smallest of some."""
        lo, hi = bounds_of_extreme(op, ((x.lo, x.hi) for x in numbers))
        return replace(choose_extreme(self, op, numbers), lo=lo, hi=hi)

    def relation(self, op: str, a: NaturalNumber, b: NaturalNumber) -> int:
        """A comparison, which a pair of alternatives decides."""
        if op in ("ne", "lt", "gt"):
            return -self.relation({"ne": "eq", "lt": "ge", "gt": "le"}[op], a, b)
        if op == "ge":
            a, b = b, a
        kind = EQ if op == "eq" else LE
        f = self.formulas
        found: list[int] = []
        for g, x in a.alternatives:
            for h, y in b.alternatives:
                terms, constant = _plus(x, _scale(-1, y))
                found.append(f.conjunction((g, h, f.compare(kind, dict(terms), constant))))
        return f.disjunction(found)

    def constant(self, value: bool) -> int:
        return TRUE if value else FALSE

    def conjunction(self, parts: Sequence[int]) -> int:
        return self.formulas.conjunction(parts)

    def disjunction(self, parts: Sequence[int]) -> int:
        return self.formulas.disjunction(parts)

    def negated(self, x: int) -> int:
        return -x

    def same(self, a: int, b: int) -> int:
        return self.formulas.same(a, b)

    def decide(self, condition: int, a: int, b: int) -> int:
        f = self.formulas
        return f.disjunction((f.conjunction((condition, a)), f.conjunction((-condition, b))))


# -- sums -------------------------------------------------------------------------------------------------------------
def _linear(terms: Mapping[Stream, int], constant: int) -> Linear:
    return frozenset((s, k) for s, k in terms.items() if k), constant


def _plus(x: Linear, y: Linear) -> Linear:
    terms = dict(x[0])
    for s, k in y[0]:
        terms[s] = terms.get(s, 0) + k
    return _linear(terms, x[1] + y[1])


def _scale(k: int, x: Linear) -> Linear:
    return frozenset((s, k * m) for s, m in x[0]), k * x[1]


def _times(x: Linear, y: Linear) -> Linear:
    for a, b in ((x, y), (y, x)):
        if not a[0] and a[1]:
            return _scale(a[1], b)
    terms: dict[Stream, int] = {}
    for s, k in (*x[0], (None, x[1])):
        for q, m in (*y[0], (None, y[1])):
            if s is not None or q is not None:
                made = _monomial(s, q)
                terms[made] = terms.get(made, 0) + k * m
    return _linear(terms, x[1] * y[1])


def _monomial(*factors: Stream | None) -> Stream:
    """The product; None is 1."""
    found: list[Stream] = []
    for s in factors:
        if s is not None:
            found += s[1:] if isinstance(s, tuple) and s[0] == TIMES else (s,)
    return found[0] if len(found) == 1 else (TIMES, *sorted(found, key=repr))


def _add(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _product(a: NaturalNumber, b: NaturalNumber) -> tuple[int | None, int | None]:
    """The bounds of a product, as far as those of its factors say."""
    for x, y in ((a, b), (b, a)):
        if x.lo is not None and x.lo == x.hi:
            k = x.lo
            lo, hi = (y.lo, y.hi) if k > 0 else (y.hi, y.lo)
            return (0, 0) if k == 0 else (None if lo is None else k * lo, None if hi is None else k * hi)
    if a.lo is not None and b.lo is not None and a.lo >= 0 and b.lo >= 0:
        return a.lo * b.lo, None if a.hi is None or b.hi is None else a.hi * b.hi
    return None, None
