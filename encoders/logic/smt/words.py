"""Numbers and truth values for solvers, with bounds that make every word mean the integer it stands for.

A number with bounds on both sides is a word: 64 bits read as a signed integer; an operation that could leave 63 bits is
refused instead of wrapping around.  So `<` is the signed comparison and means what it means for integers, differences
may be negative, and no query can be true or false because of an overflow.  A number without bounds, such as how many
heaps there are, is an integer of SMT-LIB.  A literal takes the kind of what it meets; the two are not mixed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import TypeVar

from claims.language.terms.types import BOOL
from encoders.ground.refusals import Unsupported
from encoders.logic.sequent import Symbol
from encoders.logic.smt import formulas as smtlib
from encoders.logic.smt.formulas import BOOLEAN, FALSE, INTEGER, TRUE, WORD, SmtFormula
from encoders.logic.translator import Translator, choose_extreme

LIMIT = 1 << 63
COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
    "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
N = TypeVar("N")


class WordKind(Enum):
    """What a number is to a solver."""

    WORD = WORD
    INTEGER = INTEGER
    OPEN = ""  # made of literals alone: of either kind


@dataclass(frozen=True)
class SmtNumber:
    """An integer: `form` gives its formula as a word or an integer; lo <= it <= hi unless it is an INTEGER."""

    kind: WordKind
    form: Callable[[WordKind], SmtFormula]
    lo: int = 0
    hi: int = 0

    def as_kind(self, kind: WordKind) -> SmtFormula:
        """The formula in that kind. Raises Unsupported for a word beside an integer."""
        if self.kind not in (kind, WordKind.OPEN):
            raise Unsupported("a number of heaps beside a size of heaps: their arithmetic is not mixed")
        if kind is WordKind.WORD and self.kind is WordKind.OPEN and self.lo != self.hi:
            _refuse_beyond(self.lo, self.hi)
        return self.form(kind)

    @property
    def value(self) -> int | None:
        """The integer, if it is a literal."""
        return self.lo if self.kind is WordKind.OPEN and self.lo == self.hi else None

    def narrowed(self, lo: int, hi: int) -> SmtNumber:
        """The same number, known to lie in lo..hi wherever it matters; a literal stays as it is."""
        if self.kind is WordKind.INTEGER or self.value is not None:
            return self
        least = max(self.lo, lo)
        return replace(self, lo=least, hi=max(least, min(self.hi, hi)))


class WordReader:
    """The algebra of words and integers."""

    words = "words and integers"

    @property
    def operations(self) -> Mapping[str, Callable[..., SmtNumber]]:
        return {
            "add": self.add, "sub": self.sub, "mul": self.mul, "neg": self.neg,
            "floordiv": self.floordiv, "mod": self.mod, "nim": self.nim,
            "bit_and": self.bit_and,
        }  # fmt: skip

    def literal(self, value: int) -> SmtNumber:
        """The integer, of whatever kind is needed; beyond 63 bits it is no word."""

        def form(kind: WordKind) -> SmtFormula:
            if kind is WordKind.WORD and abs(value) >= LIMIT:
                raise Unsupported(f"the number {value} needs more than 63 bits")
            return smtlib.word(value) if kind is WordKind.WORD else smtlib.whole(value)

        return SmtNumber(WordKind.OPEN, form, value, value)

    def symbol(self, symbol: Symbol) -> SmtNumber:
        """A variable: a word if it is bounded on both sides. Raises Unsupported for bounds that no word has."""
        if symbol.lo is None or symbol.hi is None:
            formula = smtlib.variable(symbol.name, INTEGER)
            return SmtNumber(WordKind.INTEGER, lambda _: formula)
        _refuse_beyond(symbol.lo, symbol.hi)
        formula = smtlib.variable(symbol.name, WORD)
        return SmtNumber(WordKind.WORD, lambda _: formula, symbol.lo, symbol.hi)

    # -- arithmetic ---------------------------------------------------------------------------------------------------
    def add(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        return _apply({WordKind.WORD: "bvadd", WordKind.INTEGER: "+"}, a, b, a.lo + b.lo, a.hi + b.hi)

    def sub(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        return _apply({WordKind.WORD: "bvsub", WordKind.INTEGER: "-"}, a, b, a.lo - b.hi, a.hi - b.lo)

    def neg(self, a: SmtNumber) -> SmtNumber:
        return self.sub(self.literal(0), a)

    def mul(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        ends = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi]
        return _apply({WordKind.WORD: "bvmul", WordKind.INTEGER: "*"}, a, b, min(ends), max(ends))

    def floordiv(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """a // b for a literal b above 0, and an a that is no word or not negative. Raises Unsupported."""
        self._refuse_divisor("division", a, b)
        return _apply({WordKind.WORD: "bvudiv", WordKind.INTEGER: "div"}, a, b, a.lo // b.lo, a.hi // b.lo)

    def mod(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """a % b for a literal b above 0, and an a that is no word or not negative. Raises Unsupported."""
        self._refuse_divisor("remainder", a, b)
        if a.kind is WordKind.OPEN and a.lo == a.hi:
            return self.literal(a.lo % b.lo)
        return _apply({WordKind.WORD: "bvurem", WordKind.INTEGER: "mod"}, a, b, 0, b.lo - 1)

    @staticmethod
    def _refuse_divisor(what: str, a: SmtNumber, b: SmtNumber) -> None:
        if b.kind is not WordKind.OPEN or b.lo != b.hi or b.lo <= 0:
            raise Unsupported(f"a {what} by something other than a positive literal")
        if a.kind is not WordKind.INTEGER and a.lo < 0:
            raise Unsupported(f"a {what} of a size that may be negative")

    def nim(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """a ^ b; both must be words known not to be negative. Raises Unsupported."""
        _refuse_digits("a nim-sum", a, b)
        if a.lo == a.hi and b.lo == b.hi:
            return self.literal(a.lo ^ b.lo)
        top = (1 << max(a.hi, b.hi).bit_length()) - 1
        formula = smtlib.apply("bvxor", WORD, a.as_kind(WordKind.WORD), b.as_kind(WordKind.WORD))
        return SmtNumber(WordKind.WORD, lambda _: formula, 0, top)

    def bit_and(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """The places where both have a 1; both must be words known not to be negative. Raises Unsupported."""
        _refuse_digits("bit_and", a, b)
        if a.lo == a.hi and b.lo == b.hi:
            return self.literal(a.lo & b.lo)
        formula = smtlib.apply("bvand", WORD, a.as_kind(WordKind.WORD), b.as_kind(WordKind.WORD))
        return SmtNumber(WordKind.WORD, lambda _: formula, 0, min(a.hi, b.hi))

    def choose(self, condition: SmtFormula, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """a where the condition holds, else b.

        >>> words = WordReader()
        >>> two, three = words.literal(2), words.literal(3)
        >>> words.choose(words.relation("lt", two, three), two, three).value
        2
        """
        if condition is TRUE or condition is FALSE:
            return a if condition is TRUE else b
        kind = _kind(a, b)

        def form(wanted: WordKind) -> SmtFormula:
            return smtlib.conditional(condition, a.as_kind(wanted), b.as_kind(wanted))

        return _number(kind, form, min(a.lo, b.lo), max(a.hi, b.hi))

    def extreme(self, op: str, numbers: Sequence[SmtNumber]) -> SmtNumber:
        """The largest or the smallest of some."""
        found = choose_extreme(self, op, numbers)
        if found.kind is WordKind.INTEGER or found.value is not None:
            return found
        most = max if op == "largest" else min
        return replace(found, lo=most(x.lo for x in numbers), hi=most(x.hi for x in numbers))

    def relation(self, op: str, a: SmtNumber, b: SmtNumber) -> SmtFormula:
        """A comparison: signed between words, which is what the bounds make right; decided between literals.

        >>> two, three = WordReader().literal(2), WordReader().literal(3)
        >>> [WordReader().relation(op, x, three).op for op in ("lt", "le", "ge") for x in (two, three)]
        ['true', 'false', 'true', 'true', 'false', 'true']
        """
        if a.value is not None and b.value is not None:
            return self.constant(COMPARE[op](a.value, b.value))
        kind = _kind(a, b)
        kind = WordKind.INTEGER if kind is WordKind.OPEN else kind
        x, y = a.as_kind(kind), b.as_kind(kind)
        if op in ("eq", "ne"):
            equal = smtlib.are_equal(x, y)
            return equal if op == "eq" else smtlib.negated(equal)
        signs = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
        name = f"bvs{op}" if kind is WordKind.WORD else signs[op]
        return smtlib.apply(name, BOOLEAN, x, y)

    # -- truth values -------------------------------------------------------------------------------------------------
    def constant(self, value: bool) -> SmtFormula:
        return TRUE if value else FALSE

    def conjunction(self, parts: Sequence[SmtFormula]) -> SmtFormula:
        return smtlib.conjunction(parts)

    def disjunction(self, parts: Sequence[SmtFormula]) -> SmtFormula:
        return smtlib.disjunction(parts)

    def negated(self, x: SmtFormula) -> SmtFormula:
        return smtlib.negated(x)

    def same(self, a: SmtFormula, b: SmtFormula) -> SmtFormula:
        return smtlib.are_equal(a, b)

    def decide(self, condition: SmtFormula, a: SmtFormula, b: SmtFormula) -> SmtFormula:
        return smtlib.conditional(condition, a, b)


def _refuse_digits(what: str, a: SmtNumber, b: SmtNumber) -> None:
    """Refuse what is no word known not to be negative: it has no binary digits here."""
    if WordKind.INTEGER in (a.kind, b.kind):
        raise Unsupported(f"{what} of numbers of heaps")
    if a.lo < 0 or b.lo < 0:
        raise Unsupported(f"{what} of something that may be negative")


def _kind(a: SmtNumber, b: SmtNumber) -> WordKind:
    return a.kind if a.kind is not WordKind.OPEN else b.kind


def _apply(ops: dict[WordKind, str], a: SmtNumber, b: SmtNumber, lo: int, hi: int) -> SmtNumber:
    def form(kind: WordKind) -> SmtFormula:
        return smtlib.apply(ops[kind], kind.value, a.as_kind(kind), b.as_kind(kind))

    return _number(_kind(a, b), form, lo, hi)


def _number(kind: WordKind, form: Callable[[WordKind], SmtFormula], lo: int, hi: int) -> SmtNumber:
    """The number; its formula is made once, so that it is shared. Raises Unsupported for what no word can hold."""
    if kind is WordKind.INTEGER:
        formula = form(kind)
        return SmtNumber(kind, lambda _: formula)
    if kind is WordKind.OPEN:
        return WordReader().literal(lo) if lo == hi else SmtNumber(kind, cache(form), lo, hi)
    _refuse_beyond(lo, hi)
    formula = form(kind)
    return SmtNumber(kind, lambda _: formula, lo, hi)


def _refuse_beyond(lo: int, hi: int) -> None:
    if not (lo >= -LIMIT and hi < LIMIT):
        raise Unsupported(f"a number of up to {max(abs(lo), abs(hi)).bit_length()} bits: 63 are exact here")


class Typed(Mapping[str, N]):
    """The variables of some types, each made into what stands for it; more may be declared while it is in use."""

    def __init__(self, symbols: Mapping[str, Symbol], truths: bool, make: Callable[[Symbol], N]) -> None:
        self.symbols, self.truths, self.make = symbols, truths, make
        self._made: dict[str, N] = {}

    def __getitem__(self, name: str) -> N:
        if name not in self._made:
            if name not in self:
                raise KeyError(name)
            self._made[name] = self.make(self.symbols[name])
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.symbols and (self.symbols[name].type == BOOL) is self.truths

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.symbols if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def translator(symbols: Mapping[str, Symbol]) -> Translator[SmtNumber, SmtFormula]:
    """Translates terms over these variables, to which more may be added. Raises Unsupported as the algebra does."""
    algebra = WordReader()
    numbers = Typed(symbols, False, algebra.symbol)
    truths = Typed(symbols, True, lambda s: smtlib.variable(s.name, BOOLEAN))
    return Translator(algebra, numbers, truths)
