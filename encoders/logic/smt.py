"""SMT-LIB text, the language in which solvers are asked: formulas, numbers as bit vectors, and complete questions."""

from __future__ import annotations

import hashlib
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property, lru_cache
from typing import TypeVar

from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL
from encoders.logic.sequents import Sequent, Symbol
from encoders.logic.translator import Translator, choose_extreme
from encoders.refusals import Unsupported

# == formulas =========================================================================================================
# Formulas of SMT-LIB. This project writes all of them itself: no solver reads the output of another one.
#
# Sorts: Bool, Int, and words, which are bit vectors of WIDTH bits read as signed integers. A shared formula is written
# once. SMT-LIB 2.6: https://smt-lib.org/papers/smt-lib-reference-v2.6-r2021-05-12.pdf
WIDTH = 64
BOOLEAN, INTEGER, WORD = "Bool", "Int", f"(_ BitVec {WIDTH})"
_SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RESERVED = frozenset("and or not let forall exists as par assert true false ite xor distinct div mod abs".split())


@dataclass(frozen=True, slots=True, eq=False)
class SmtFormula:
    """An SMT-LIB term: the operation `op` applied to `args`, or a constant or variable if `args` is empty.

    `sort`: its SMT-LIB sort: BOOLEAN, INTEGER or WORD (a bit vector).
    """

    op: str
    args: tuple[SmtFormula, ...]
    sort: str


@dataclass(frozen=True)
class Declaration:
    """The declaration of a variable (if `takes` is empty), or of a function whose arguments have the sorts `takes`.

    `name`: the name without SMT-LIB quotes. `sort`: the sort of the variable, or of the values of the function.
    """

    name: str
    sort: str
    takes: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the declaration in SMT-LIB.

        >>> Declaration("k", INTEGER).text(), Declaration("value of s", BOOLEAN, (INTEGER,)).text()
        ('(declare-const k Int)', '(declare-fun |value of s| (Int) Bool)')
        """
        if self.takes:
            return f"(declare-fun {quote_symbol(self.name)} ({' '.join(self.takes)}) {self.sort})"
        return f"(declare-const {quote_symbol(self.name)} {self.sort})"

    def variable(self) -> SmtFormula:
        """Return the declared variable as a term."""
        return SmtFormula(quote_symbol(self.name), (), self.sort)

    def apply(self, *args: SmtFormula) -> SmtFormula:
        """Return the declared function, applied to these arguments."""
        return SmtFormula(quote_symbol(self.name), args, self.sort)


TRUE = SmtFormula("true", (), BOOLEAN)
FALSE = SmtFormula("false", (), BOOLEAN)


def quote_symbol(name: str) -> str:
    """Return the SMT-LIB symbol for a name, in quotes if necessary. Forbidden characters are replaced.

    A reserved word gets an apostrophe, because some solvers reserve it even in quotes. Names in claims contain none.

    >>> quote_symbol("k"), quote_symbol("rest of s (2)"), quote_symbol("xor")
    ('k', '|rest of s (2)|', "|xor'|")
    """
    if name in _RESERVED:
        return f"|{name}'|"
    if _SIMPLE.fullmatch(name):
        return name
    return "|" + name.replace("\\", "/").replace("|", "!") + "|"


def variable(name: str, sort: str) -> SmtFormula:
    return SmtFormula(quote_symbol(name), (), sort)


def make_integer(value: int) -> SmtFormula:
    """Return a constant of sort Int."""
    return SmtFormula(str(value) if value >= 0 else f"(- {-value})", (), INTEGER)


def word(value: int) -> SmtFormula:
    """Return an integer as a constant of sort WORD. The caller ensures that -2**63 <= value < 2**63."""
    return SmtFormula(f"(_ bv{value % (1 << WIDTH)} {WIDTH})", (), WORD)


def apply(op: str, sort: str, *args: SmtFormula) -> SmtFormula:
    return SmtFormula(op, args, sort)


def conjunction(parts: Iterable[SmtFormula]) -> SmtFormula:
    """Return the conjunction without its true parts; false if one part is false.

    >>> p = variable("p", BOOLEAN)
    >>> conjunction(()) is TRUE, conjunction((p, TRUE)) is p, conjunction((p, FALSE)) is FALSE
    (True, True, True)
    """
    return _join("and", TRUE, FALSE, parts)


def disjunction(parts: Iterable[SmtFormula]) -> SmtFormula:
    """Return the disjunction without its false parts; true if one part is true."""
    return _join("or", FALSE, TRUE, parts)


def _join(op: str, neutral: SmtFormula, settled: SmtFormula, parts: Iterable[SmtFormula]) -> SmtFormula:
    kept: list[SmtFormula] = []
    for x in parts:
        if x is settled:
            return settled
        if x is not neutral:
            kept.append(x)
    if len(kept) == 1:
        return kept[0]
    return SmtFormula(op, tuple(kept), BOOLEAN) if kept else neutral


def negate_formula(x: SmtFormula) -> SmtFormula:
    """Return the negation; true, false and negations are simplified.

    >>> negate_formula(FALSE) is TRUE, negate_formula(negate_formula(variable("p", BOOLEAN))).op
    (True, 'p')
    """
    if x is TRUE or x is FALSE:
        return FALSE if x is TRUE else TRUE
    return x.args[0] if x.op == "not" else SmtFormula("not", (x,), BOOLEAN)


def implies(condition: SmtFormula, then: SmtFormula) -> SmtFormula:
    """Return the implication.

    >>> p = variable("p", BOOLEAN)
    >>> implies(FALSE, p) is TRUE, implies(TRUE, p) is p, implies(p, FALSE).op
    (True, True, 'not')
    """
    return disjunction((negate_formula(condition), then))


def are_equal(a: SmtFormula, b: SmtFormula) -> SmtFormula:
    """Return the formula `a = b`, simplified if a and b are one object, or if one of them is true or false.

    Both formulas have the same sort.

    >>> p = variable("p", BOOLEAN)
    >>> are_equal(p, p) is TRUE, are_equal(p, TRUE) is p, are_equal(FALSE, p).op
    (True, True, 'not')
    """
    if a is b:
        return TRUE
    for x, y in ((a, b), (b, a)):
        if x is TRUE or x is FALSE:
            return y if x is TRUE else negate_formula(y)
    return SmtFormula("=", (a, b), BOOLEAN)


def conditional(condition: SmtFormula, a: SmtFormula, b: SmtFormula) -> SmtFormula:
    """Return the formula `ite(condition, a, b)`, simplified if the condition is true or false, or if a is b.

    `a` and `b` have the same sort.
    """
    if condition is TRUE or condition is FALSE:
        return a if condition is TRUE else b
    if a is b:
        return a
    return SmtFormula("ite", (condition, a, b), a.sort)


def script(declared: Iterable[Declaration], asserted: tuple[SmtFormula, ...]) -> str:
    """Return the declarations, then the assertions, as SMT-LIB text. The caller appends `(check-sat)`."""
    lines = [x.text() for x in declared]
    written = _FormulaPrinter(asserted)
    for x in asserted:
        made = written.text(x)
        lines += written.definitions
        written.definitions.clear()
        lines.append(f"(assert {made})")
    return "\n".join(lines) + "\n"


class _FormulaPrinter:
    """A printer of SMT-LIB terms that gives a name to each compound term that occurs more than once.

    `definitions`: the definitions of these names that have not yet been printed.
    """

    def __init__(self, roots: tuple[SmtFormula, ...]) -> None:
        self.definitions: list[str] = []
        self._texts: dict[int, str] = {}
        self._occurs: Counter[int] = Counter()
        todo = list(roots)
        while todo:
            x = todo.pop()
            self._occurs[id(x)] += 1
            if self._occurs[id(x)] == 1:
                todo += x.args

    def text(self, root: SmtFormula) -> str:
        """Return the text of a term. Append the definitions of new names in it to `definitions`."""
        todo = [root]
        while todo:
            x = todo[-1]
            if id(x) in self._texts:
                todo.pop()
                continue
            missing = [a for a in x.args if id(a) not in self._texts]
            if missing:
                todo += reversed(missing)
                continue
            todo.pop()
            self._texts[id(x)] = self._name(x)
        return self._texts[id(root)]

    def _name(self, x: SmtFormula) -> str:
        made = f"({x.op} {' '.join(self._texts[id(a)] for a in x.args)})" if x.args else x.op
        if not x.args or self._occurs[id(x)] == 1:
            return made
        name = f"|shared {len(self._texts)}|"
        self.definitions.append(f"(define-fun {name} () {x.sort} {made})")
        return name


# == words ============================================================================================================
# Numbers and truth values for solvers. A word is a bit vector of 64 bits, read as a signed integer.
#
# A number with both bounds is a word. An operation is rejected if its result might need more than 63 bits, so there is
# no overflow: every word equals the integer that it represents, and differences may be negative. A number without
# bounds, such as the number of heaps, is an SMT-LIB integer. A literal has the kind of the other operand. Words and
# integers are not mixed.
LIMIT = 1 << 63
COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
    "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
N = TypeVar("N")


class WordKind(Enum):
    """How a number is represented for a solver: as a word of 64 bits, as an SMT-LIB integer, or either (OPEN)."""

    WORD = WORD
    INTEGER = INTEGER
    OPEN = ""  # consists of literals only, so both kinds are possible


@dataclass(frozen=True)
class SmtNumber:
    """An integer x for a solver.

    `kind`: how x is represented. `form`: a function that returns the SMT-LIB term of x for a kind.
    `lo`, `hi`: bounds lo <= x <= hi. They have no meaning if the kind is INTEGER.
    """

    kind: WordKind
    form: Callable[[WordKind], SmtFormula]
    lo: int = 0
    hi: int = 0

    def as_kind(self, kind: WordKind) -> SmtFormula:
        """Return x as an SMT-LIB term of this kind. Raises Unsupported if x is only available in the other kind."""
        if self.kind not in (kind, WordKind.OPEN):
            raise Unsupported("arithmetic cannot mix a number of heaps with a heap size")
        if kind is WordKind.WORD and self.kind is WordKind.OPEN and self.lo != self.hi:
            _refuse_beyond(self.lo, self.hi)
        return self.form(kind)

    @property
    def value(self) -> int | None:
        """The integer, if it is a literal; otherwise None."""
        return self.lo if self.kind is WordKind.OPEN and self.lo == self.hi else None

    def narrow(self, lo: int, hi: int) -> SmtNumber:
        """Return the same number, whose bounds are now also within lo..hi. The caller ensures that these bounds hold.

        A literal and a number of kind INTEGER are returned unchanged.
        """
        if self.kind is WordKind.INTEGER or self.value is not None:
            return self
        least = max(self.lo, lo)
        return replace(self, lo=least, hi=max(least, min(self.hi, hi)))


class WordReader:
    """Arithmetic on words and SMT-LIB integers. With it, a `Translator` translates terms for a solver."""

    words = "words and integers"

    @property
    def operations(self) -> Mapping[str, Callable[..., SmtNumber]]:
        return {
            "add": self.add, "sub": self.sub, "mul": self.mul, "neg": self.neg,
            "floordiv": self.floordiv, "mod": self.mod, "nim": self.nim,
            "bit_and": self.bit_and,
        }  # fmt: skip

    def literal(self, value: int) -> SmtNumber:
        """Return an integer as a number of kind OPEN, which combines with words and with integers.

        If it needs more than 63 bits, its use as a word raises Unsupported.
        """

        def form(kind: WordKind) -> SmtFormula:
            if kind is WordKind.WORD and abs(value) >= LIMIT:
                raise Unsupported(f"the number {value} needs more than 63 bits")
            return word(value) if kind is WordKind.WORD else make_integer(value)

        return SmtNumber(WordKind.OPEN, form, value, value)

    def symbol(self, symbol: Symbol) -> SmtNumber:
        """Return a variable: a word if both bounds are known, otherwise an SMT-LIB integer.

        Raises Unsupported if a bound of a word needs more than 63 bits.
        """
        if symbol.lo is None or symbol.hi is None:
            formula = variable(symbol.name, INTEGER)
            return SmtNumber(WordKind.INTEGER, lambda _: formula)
        _refuse_beyond(symbol.lo, symbol.hi)
        formula = variable(symbol.name, WORD)
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
        """Return a // b, where b is a positive literal.

        Raises Unsupported for another b, and if a is a word or literal that may be negative.
        """
        self._refuse_divisor("division", a, b)
        return _apply({WordKind.WORD: "bvudiv", WordKind.INTEGER: "div"}, a, b, a.lo // b.lo, a.hi // b.lo)

    def mod(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """Return a % b, where b is a positive literal.

        Raises Unsupported for another b, and if a is a word or literal that may be negative.
        """
        self._refuse_divisor("remainder", a, b)
        if a.kind is WordKind.OPEN and a.lo == a.hi:
            return self.literal(a.lo % b.lo)
        return _apply({WordKind.WORD: "bvurem", WordKind.INTEGER: "mod"}, a, b, 0, b.lo - 1)

    @staticmethod
    def _refuse_divisor(what: str, a: SmtNumber, b: SmtNumber) -> None:
        if b.kind is not WordKind.OPEN or b.lo != b.hi or b.lo <= 0:
            raise Unsupported(f"a {what} whose divisor is not a positive literal number")
        if a.kind is not WordKind.INTEGER and a.lo < 0:
            raise Unsupported(f"a {what} of a size that may be negative")

    def nim(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """Return the nim-sum of a and b. Raises Unsupported for SMT-LIB integers, and if a or b may be negative."""
        _refuse_digits("a nim-sum", a, b)
        if a.lo == a.hi and b.lo == b.hi:
            return self.literal(a.lo ^ b.lo)
        top = (1 << max(a.hi, b.hi).bit_length()) - 1
        formula = apply("bvxor", WORD, a.as_kind(WordKind.WORD), b.as_kind(WordKind.WORD))
        return SmtNumber(WordKind.WORD, lambda _: formula, 0, top)

    def bit_and(self, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """Return a & b. Raises Unsupported for SMT-LIB integers, and if a or b may be negative."""
        _refuse_digits("bit_and", a, b)
        if a.lo == a.hi and b.lo == b.hi:
            return self.literal(a.lo & b.lo)
        formula = apply("bvand", WORD, a.as_kind(WordKind.WORD), b.as_kind(WordKind.WORD))
        return SmtNumber(WordKind.WORD, lambda _: formula, 0, min(a.hi, b.hi))

    def choose(self, condition: SmtFormula, a: SmtNumber, b: SmtNumber) -> SmtNumber:
        """Return the number that is a if the condition holds, else b.

        >>> words = WordReader()
        >>> two, three = words.literal(2), words.literal(3)
        >>> words.choose(words.relation("lt", two, three), two, three).value
        2
        """
        if condition is TRUE or condition is FALSE:
            return a if condition is TRUE else b
        kind = _kind(a, b)

        def form(wanted: WordKind) -> SmtFormula:
            return conditional(condition, a.as_kind(wanted), b.as_kind(wanted))

        return _number(kind, form, min(a.lo, b.lo), max(a.hi, b.hi))

    def extreme(self, op: str, numbers: Sequence[SmtNumber]) -> SmtNumber:
        """Return the "largest" or the "smallest" (`op`) of some numbers."""
        found = choose_extreme(self, op, numbers)
        if found.kind is WordKind.INTEGER or found.value is not None:
            return found
        most = max if op == "largest" else min
        return replace(found, lo=most(x.lo for x in numbers), hi=most(x.hi for x in numbers))

    def relation(self, op: str, a: SmtNumber, b: SmtNumber) -> SmtFormula:
        """Return the comparison of two numbers as a formula; for two literals, true or false.

        `op`: "eq", "ne", "lt", "le", "gt" or "ge".

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
            equal = are_equal(x, y)
            return equal if op == "eq" else negate_formula(equal)
        signs = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
        name = f"bvs{op}" if kind is WordKind.WORD else signs[op]
        return apply(name, BOOLEAN, x, y)

    # -- truth values -------------------------------------------------------------------------------------------------
    def constant(self, value: bool) -> SmtFormula:
        return TRUE if value else FALSE

    def conjunction(self, parts: Sequence[SmtFormula]) -> SmtFormula:
        return conjunction(parts)

    def disjunction(self, parts: Sequence[SmtFormula]) -> SmtFormula:
        return disjunction(parts)

    def negate(self, x: SmtFormula) -> SmtFormula:
        return negate_formula(x)

    def iff(self, a: SmtFormula, b: SmtFormula) -> SmtFormula:
        return are_equal(a, b)

    def decide(self, condition: SmtFormula, a: SmtFormula, b: SmtFormula) -> SmtFormula:
        return conditional(condition, a, b)


def _refuse_digits(what: str, a: SmtNumber, b: SmtNumber) -> None:
    """Raise Unsupported if a or b is an SMT-LIB integer or may be negative, and so has no binary digits here.

    `what`: the operation, for the message.
    """
    if WordKind.INTEGER in (a.kind, b.kind):
        raise Unsupported(f"{what} that contains a number of heaps")
    if a.lo < 0 or b.lo < 0:
        raise Unsupported(f"{what} of a number that may be negative")


def _kind(a: SmtNumber, b: SmtNumber) -> WordKind:
    return a.kind if a.kind is not WordKind.OPEN else b.kind


def _apply(ops: dict[WordKind, str], a: SmtNumber, b: SmtNumber, lo: int, hi: int) -> SmtNumber:
    def form(kind: WordKind) -> SmtFormula:
        return apply(ops[kind], kind.value, a.as_kind(kind), b.as_kind(kind))

    return _number(_kind(a, b), form, lo, hi)


def _number(kind: WordKind, form: Callable[[WordKind], SmtFormula], lo: int, hi: int) -> SmtNumber:
    """Return the number with these properties. `form` is called at most once for each kind.

    Raises Unsupported if the number is a word and its bounds need more than 63 bits.
    """
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
        raise Unsupported(f"a number may need {max(abs(lo), abs(hi)).bit_length()} bits; at most 63 are supported")


class Typed(Mapping[str, N]):
    """A mapping from the names of variables to their translations, which are made when they are first needed.

    `symbols`: the variables by name. Variables that are added later are found too.
    `truths`: true for a mapping of the truth values among them, false for the numbers.
    `make`: the function that translates a variable.
    """

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
    """Return a translator of terms over these variables into SMT-LIB terms. Its methods may raise Unsupported.

    `symbols`: the variables by name. Variables that are added to the mapping later are known too.
    """
    algebra = WordReader()
    numbers = Typed(symbols, False, algebra.symbol)
    truths = Typed(symbols, True, lambda s: variable(s.name, BOOLEAN))
    return Translator(algebra, numbers, truths)


# == scripts ==========================================================================================================
# The question to a solver as SMT-LIB. For a sequent, the script asserts the ranges, the premises, and the negation of
# the conclusion.
#
# Unbounded numbers are SMT-LIB integers, which have no binary digits. If a sequent needs their digits, the script uses
# words and restricts every such number to less than 2^62, or less if sums would not fit. Such a script proves nothing
# about larger numbers, and says so.
HELD = (62, 59, 48, 31)  # bits of an unbounded number if all numbers are words; the largest that fits is used


@dataclass(frozen=True, eq=False)
class Script:
    """A question to a solver: whether some values of the declared variables and functions satisfy all assertions.

    `bounded_to`: if it is an integer n, the script restricts every number without an upper bound to less than 2^n, and
    every number without a lower bound to more than -2^n. The answer may then be no although a larger number refutes
    the sequent. None: the script adds no bounds.
    """

    declared: tuple[Declaration, ...]
    asserted: tuple[SmtFormula, ...]
    bounded_to: int | None = None

    @cached_property
    def text(self) -> str:
        """The SMT-LIB text, without `(check-sat)`."""
        made = script(self.declared, self.asserted)
        if self.bounded_to is None:
            return made
        return f"; numbers without a bound are held below 2^{self.bounded_to}\n{made}"

    def digest(self) -> str:
        """Return the SHA-256 of the text in hexadecimal, by which equal questions in two runs are recognized."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def name_of(self, symbol: str) -> str | None:
        """Return the name of the variable that the script writes as `symbol`; None if it declares no such variable."""
        named = (x.name for x in self.declared if not x.takes)
        return next((n for n in named if quote_symbol(n).strip("|") == symbol.strip("|")), None)


@lru_cache(maxsize=2)
def script_of(sequent: Sequent, marks: tuple[str, ...] = ()) -> Script:
    """Return a script that is unsatisfiable if and only if the sequent holds.

    If the script adds bounds (`bounded_to`), the sequent is considered only within these bounds.
    `marks`: for each group of `sequent.tracked_premises`, the name of a new truth value. The premises of the group are
    asserted only if it is true. () asserts all of them.
    Raises Unsupported if the sequent has no exact translation.
    """
    symbols = {s.name: s for s in sequent.variables}
    try:
        return _write(sequent, symbols, marks)
    except Unsupported:
        if not (_has_unbounded(sequent) and _has_digits(sequent)):
            raise
    for bits in HELD[:-1]:
        with suppress(Unsupported):
            return _write_held(sequent, bits, marks)
    return _write_held(sequent, HELD[-1], marks)


def _write_held(sequent: Sequent, bits: int, marks: tuple[str, ...]) -> Script:
    held = {s.name: _hold(s, bits) for s in sequent.variables}
    return replace(_write(sequent, held, marks), bounded_to=bits)


def _hold(symbol: Symbol, bits: int) -> Symbol:
    """Return the variable with missing bounds added: the lower bound -2^bits + 1, the upper bound 2^bits - 1.

    A truth value is returned unchanged.
    """
    if symbol.type == BOOL:
        return symbol
    most = (1 << bits) - 1
    return replace(symbol, lo=-most if symbol.lo is None else symbol.lo, hi=most if symbol.hi is None else symbol.hi)


def _has_unbounded(sequent: Sequent) -> bool:
    """Return whether some number of the sequent has no lower or no upper bound."""
    return any(s.type != BOOL and None in (s.lo, s.hi) for s in sequent.variables)


def _has_digits(sequent: Sequent) -> bool:
    """Return whether the sequent contains a nim-sum or a bitwise AND."""
    seen: set[int] = set()
    todo = [*sequent.premises, sequent.show]
    while todo:
        term = todo.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        if isinstance(term, t.Operation) and term.op in ("nim", "bit_and"):
            return True
        todo += t.subterms(term)
    return False


def _write(sequent: Sequent, symbols: Mapping[str, Symbol], marks: tuple[str, ...]) -> Script:
    """Return the script of a sequent without additional bounds. `marks`: as in `script_of`.

    `symbols`: the variables of the sequent by name, with the bounds to use.
    """
    made = translator(symbols)
    algebra = WordReader()
    ranges: list[SmtFormula] = []
    declared = []
    for s in symbols.values():
        if s.name in made.truths:
            declared.append(Declaration(s.name, BOOLEAN))
            continue
        number = made.numbers[s.name]
        declared.append(Declaration(s.name, number.kind.value))
        for op, bound in (("ge", s.lo), ("le", s.hi)):
            if bound is not None:
                ranges.append(algebra.relation(op, number, algebra.literal(bound)))
    assumed = [made.truth(x) for x in sequent.assume]
    apart = [[made.truth(x) for x in group] for group in sequent.tracked_premises]
    if marks:
        wanted = [Declaration(mark, BOOLEAN) for mark in marks]
        declared += wanted
        apart = [[implies(m.variable(), x) for x in group] for m, group in zip(wanted, apart, strict=True)]
    asserted = (
        *ranges,
        *assumed,
        *(x for group in apart for x in group),
        negate_formula(made.truth(sequent.show)),
    )
    return Script(tuple(declared), asserted)
