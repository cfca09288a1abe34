"""The translation of numbers and conditions of the claim language into Coq, where all numbers are natural numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce

from claims.language.syntax import terms as t
from claims.language.syntax.builtins import BUILTINS
from claims.language.syntax.meanings import AtLeast
from claims.language.syntax.printing import display, print_term, substitute
from claims.language.syntax.terms import BOOL, INT, PLAYER, POSITION
from encoders.coq.writing import (
    APPLICATION,
    BINDER,
    COMPARISON,
    CONCAT,
    GLOBAL,
    NIM,
    POWER,
    PRODUCT,
    SUM,
    Text,
    apply,
    infix,
    join_texts,
    name_in_coq,
)
from encoders.logic.intervals import Interval, IntervalAlgebra
from encoders.logic.sequents import choose, compare, integer, mul
from encoders.refusals import Unsupported
from encoders.rules.base.shape import is_extreme

# == ranges ===========================================================================================================
# Bounds of a number in a claim, derived from its term.
#
# The arithmetic is that of `encoders.logic.intervals`, extended to terms about positions and games.
UNKNOWN, NATURAL = Interval(), Interval(0)
_EXACT = IntervalAlgebra()


def range_of(term: t.Term, known: Mapping[str, Interval]) -> Interval:
    """Return an interval that contains all values of an integer term.

    `known`: the ranges of variables by name. Variables that are missing in it may have every value.

    >>> k, minus = t.Variable(INT, 0, 0, "k"), t.Literal(INT, 0, 0, -1)
    >>> range_of(t.Operation(INT, 0, 0, "mul", (minus, k)), {"k": Interval(1)})
    Interval(lo=None, hi=-1, literal=False)
    """
    match term:
        case t.Literal(value=value):
            return Interval(value, value)
        case t.Variable(name=name):
            return known.get(name, UNKNOWN)
        case t.IfElse(then=a, other=b):
            return _EXACT.choose(None, range_of(a, known), range_of(b, known))
        case t.Operation(op="add" | "sub" | "mul" | "neg" as op, args=args):
            return _EXACT.operations[op](*(range_of(x, known) for x in args))
        case t.Operation(op="floordiv", args=(a, b)):
            return _quotient(range_of(a, known), range_of(b, known))
        case t.Operation(op="mod", args=(_, b)):
            by = range_of(b, known)
            above = by.lo is not None and by.lo >= 1
            return Interval(0, None if by.hi is None else by.hi - 1) if above else UNKNOWN
        case t.Operation(op="largest" | "smallest" as op, args=args):
            return _EXACT.extreme(op, [range_of(x, known) for x in args])
        case t.Operation(op="max" | "min" as op, args=(t.Collection(items=items),)) if items:
            return _EXACT.extreme("largest" if op == "max" else "smallest", [range_of(x, known) for x in items])
        case t.Operation(op="pow", args=(a, _)):
            base = range_of(a, known)
            return Interval(1) if base.is_within(1, None) else NATURAL if base.natural else UNKNOWN
        case t.Operation(op="index", args=(t.Collection(items=items), _)) if items:
            return _join(range_of(x, known) for x in items)
        case t.Operation(op="index" | "sum", args=(c, *_)) if c.type.is_collection and holds_naturals(c, known):
            return NATURAL
        case t.Comprehension(reducer="sum", body=body, clauses=clauses):
            return NATURAL if range_of(body, bind_elements(clauses, known)).natural else UNKNOWN
        case t.Operation(op=op) if BUILTINS[op].natural:
            return NATURAL
        case t.Operation(op="sum" | "max" | "min" | "index", args=(s, *_)) if s.type == POSITION:
            return NATURAL
        case t.Comprehension(reducer=reducer) if reducer in BUILTINS and BUILTINS[reducer].natural:
            return NATURAL
        case t.GameCall(function="grundy" | "value"):
            return NATURAL
    return UNKNOWN


def holds_naturals(source: t.Term, known: Mapping[str, Interval]) -> bool:
    """Return whether it is obvious from the form of a collection of integers that no element is negative.

    `known`: the ranges of variables by name.
    """
    return range_of_elements(source, known).natural


def range_of_elements(source: t.Term, known: Mapping[str, Interval]) -> Interval:
    """Return an interval that contains all elements of a collection of integers. `known`: as in `range_of`."""
    match source:
        case _ if source.type == POSITION:
            return Interval(1)
        case t.Operation(op="range", args=(low, high)):
            above = range_of(high, known).hi
            return Interval(range_of(low, known).lo, None if above is None else above - 1)
        case t.Operation(op="nim_sum_ways"):
            return NATURAL
        case t.Operation(op="sorted", args=(items,)):
            return range_of_elements(items, known)
        case t.Operation(op="concat", args=args):
            return _join(range_of_elements(x, known) for x in args)
        case t.Collection(items=items):
            return _join(range_of(x, known) for x in items)
        case t.Comprehension(reducer="set" | "list", body=body, clauses=clauses):
            return range_of(body, bind_elements(clauses, known))
    return UNKNOWN


def bind_elements(clauses: Sequence[t.Clause], known: Mapping[str, Interval]) -> dict[str, Interval]:
    """Return the ranges of variables inside a comprehension with these clauses. `known`: the ranges outside."""
    inner = dict(known)
    for clause in clauses:
        if t.get_element_type(clause.source) == INT:
            inner[clause.variable] = range_of_elements(clause.source, inner)
    return inner


def _join(parts: Iterable[Interval]) -> Interval:
    """Return an interval that contains all parts."""
    found = list(parts)
    return reduce(partial(_EXACT.choose, None), found) if found else NATURAL


def _quotient(a: Interval, b: Interval) -> Interval:
    """Return an interval that contains a // b; no bounds are known unless b is known to be positive."""
    if b.lo is None or b.lo < 1:
        return UNKNOWN
    if a.lo is None:
        low = None
    elif a.lo < 0:
        low = a.lo // b.lo
    else:
        low = 0 if b.hi is None else a.lo // b.hi
    if a.hi is None:
        return Interval(low)
    return Interval(low, a.hi // b.lo if a.hi >= 0 else -1)


# == numbers ==========================================================================================================
# Numbers of the claim language as natural numbers in Coq, and conditions on them as Boolean values.
#
# The claim language has integers, but the Coq theory has natural numbers. Therefore an integer is written as a
# difference of two sums of natural numbers, `plus` and `minus`. A comparison avoids subtraction by moving each `minus`
# to the other side. If a term must be a natural number, such as an operand of a nim-sum, its `minus` must be empty.
GRUNDY = "Grundy value of a position"
"""In statements about Grundy values, the key of the Grundy function in `names`. No variable has this name."""
GRUNDY_NAME = "grundy"

_NUMBERS = t.list_of(INT)
FUNCTIONS = {
    "bit": "bit",
    "bit_and": "N.land",
    "bit_or": "N.lor",
    "digit_sum": "digit_sum",
    "gcd": "N.gcd",
    "isqrt": "N.sqrt",
    "popcount": "popcount",
    "top_bit": "N.log2",
    "valuation": "valuation",
}
"""The Coq functions for operations on natural numbers: for the needs of each operation, Coq's result is its value."""

_SIGNS = {"eq": ("=?", False), "lt": ("<?", False), "le": ("<=?", False), "gt": ("<?", True), "ge": ("<=?", True)}


@dataclass(frozen=True)
class CoqInteger:
    """An integer in Coq, as the difference of two sums of natural numbers: the sum of `plus` minus that of `minus`."""

    plus: tuple[Text, ...] = ()
    minus: tuple[Text, ...] = ()

    def cancel_common(self) -> CoqInteger:
        """Return the same integer, without the terms that occur in both sums."""
        plus, minus = list(self.plus), list[Text]()
        for x in self.minus:
            if x in plus:
                plus.remove(x)
            else:
                minus.append(x)
        return CoqInteger(tuple(plus), tuple(minus))


def total(parts: tuple[Text, ...]) -> Text:
    """Return the sum of natural numbers as Coq text; `0` if there are none."""
    return join_texts((x for x in parts if x.text != "0"), "+", SUM, "0", "left")


@dataclass
class CoqNumberWriter:
    """A writer of numbers, and of conditions on numbers, as Coq text.

    `names`: the Coq names of variables, by their names in the claim.
    `folds`: for each fold (a number computed from a position, such as the number of heaps above 1), the position. In
    Coq, a fold is a function that is applied to this position.
    `ranges`: what is known about the values of integer variables. All of them are natural numbers in Coq.
    `cuts`: whether a - b is written even if it may be negative. In Coq, it is then 0. Only a proof may do this.
    """

    names: Mapping[str, Text]
    folds: Mapping[str, Text] = field(default_factory=dict)
    ranges: Mapping[str, Interval] = field(default_factory=dict)
    cuts: bool = False

    def bind(self, more: Mapping[str, Text]) -> CoqNumberWriter:
        """Return a new writer that also knows the names `more`."""
        return CoqNumberWriter({**self.names, **more}, self.folds, self.ranges, self.cuts)

    def remainder(self, dividend: t.Term, divisor: Text) -> Text:
        """Return the remainder of an integer that may be negative. Raises Unsupported; a subclass may support it."""
        return infix(self.natural(dividend), "mod", divisor, PRODUCT)

    # -- numbers ------------------------------------------------------------------------------------------------------
    def number(self, term: t.Term) -> CoqInteger:
        """Return an integer term as a difference of sums of natural numbers. Raises Unsupported if there is none."""
        match term:
            case t.Literal(value=value) if term.type == INT:
                written = (Text(str(abs(value))),)
                return CoqInteger(written) if value >= 0 else CoqInteger((), written)
            case t.Operation(op="add", args=(a, b)):
                x, y = self.number(a), self.number(b)
                return CoqInteger(x.plus + y.plus, x.minus + y.minus)
            case t.Operation(op="sub", args=(a, b)):
                x, y = self.number(a), self.number(b)
                return CoqInteger(x.plus + y.minus, x.minus + y.plus)
            case t.Operation(op="neg", args=(a,)):
                x = self.number(a)
                return CoqInteger(x.minus, x.plus)
            case t.Operation(op="mul", args=(a, b)):
                return self._product(self.number(a), self.number(b))
            case t.IfElse(condition=c, then=a, other=b) if is_extreme(term) is None:
                return self._either(self.truth(c), self.number(a), self.number(b))
            case t.Operation(op="index", args=(t.Collection(items=items), place)) if any(
                map(self._may_be_negative, items)
            ):
                return self.number(_choice(items, place))
            case t.Operation(op="len", args=(t.Collection(items=items) as s,)) if s.type.kind == "list":
                return CoqInteger((Text(str(len(items))),))
            case t.Comprehension(reducer="count" | "sum", clauses=(t.Clause(source=t.Collection() as source),)):
                return self._add_items(term, source.items)
        return CoqInteger((self.natural(term),))

    def _add_items(self, term: t.Comprehension, items: Iterable[t.Term]) -> CoqInteger:
        """Return a sum or a number over a list whose items are written, as in `count(x > 1 for x in [a, b])`."""
        (clause,) = term.clauses
        found = CoqInteger()
        for item in items:
            body, *conditions = (substitute(x, {clause.variable: item}) for x in (term.body, *clause.conditions))
            if term.reducer == "count":
                conditions, body = [*conditions, body], integer(1)
            one = self.number(body)
            for condition in conditions:
                one = self._either(self.truth(condition), one, CoqInteger())
            found = CoqInteger(found.plus + one.plus, found.minus + one.minus)
        return found

    def natural(self, term: t.Term, required: bool = False) -> Text:
        """Return an integer term as Coq text for a natural number. Raises Unsupported if it may be negative.

        `required`: whether the term is an operand of an operation that has no value if the term is negative. Then
        a - b is written as the difference in Coq, which is 0 if a < b.
        """
        match term:
            case t.Variable(name=name) if name in self.folds:
                return apply(name_of_fold(name, self.names), self.folds[name])
            case t.Variable(name=name) if name in self.names:
                return self.names[name]
            case t.Operation(op="nim", args=(a, b)):
                return infix(self.natural(a, True), "⊕", self.natural(b, True), NIM, "left")
            case t.Operation(op="floordiv" | "mod" as op, args=(a, b)):
                if not self.range(b).is_within(1, None):
                    raise Unsupported(f"{print_term(term)}: the divisor is not known to be positive")
                divisor = self.natural(b)
                if op == "mod" and self._may_be_negative(a):
                    return self.remainder(a, divisor)
                return infix(self.natural(a), "/" if op == "floordiv" else "mod", divisor, PRODUCT)
            case t.Operation(op="largest" | "smallest" as op, args=args):
                return self._extreme(op == "largest", args, required)
            case t.Operation(op="max" | "min" as op, args=(t.Collection(items=args),)) if args:
                return self._extreme(op == "max", args, required)
            case t.Operation(op="pow", args=(a, b)):
                return infix(self.natural(a), "^", self.natural(b, True), POWER, "right")
            case t.Operation(op=op, args=args) if op in FUNCTIONS and all(x.type == INT for x in args):
                return apply(FUNCTIONS[op], *(self.natural(x, _is_required(op, i)) for i, x in enumerate(args)))
            case t.Operation(op="add" | "sub" | "mul" | "neg") | t.Literal() | t.IfElse():
                if is_extreme(term) is None:
                    return self._write(term, required)
            case t.Operation(op="index", args=(t.Collection(items=items), _)) if any(map(self._may_be_negative, items)):
                return self._write(term, required)
            case t.Operation(op="len", args=(t.Collection(type=kind),)) if kind.kind == "list":
                return self._write(term, required)
            case t.Comprehension(reducer="count" | "sum", clauses=(t.Clause(source=t.Collection()),)):
                return self._write(term, required)
        return self.number_of_position(term)

    def _extreme(self, largest: bool, items: Sequence[t.Term], required: bool) -> Text:
        """Return the largest or the smallest of several numbers. `required`: as in `natural`.

        If one of them is not negative, the largest one is the same with 0 instead of each negative number.
        """
        cut = required or (largest and any(self.range(x).natural for x in items))
        *others, made = (self.natural(x, cut) for x in items)
        for x in reversed(others):
            made = apply("N.max" if largest else "N.min", x, made)
        return made

    def _write(self, term: t.Term, required: bool) -> Text:
        found = self.number(term).cancel_common()
        plus, minus = total(found.plus), total(found.minus)
        if not found.minus:
            return plus
        if not (required or self.cuts or self.range(term).natural):
            raise Unsupported(f"{print_term(term)} may be negative, and a natural number is required")
        return infix(plus, "-", minus, SUM, "left")

    def number_of_position(self, term: t.Term) -> Text:
        """Return a number that depends on a position, such as its largest heap, as Coq text. Raises Unsupported."""
        extreme = is_extreme(term)
        if extreme is not None and extreme.which == "max":
            return apply("times_of_largest" if extreme.times else "largest", self.position(extreme.source))
        if extreme is not None:
            return apply("times" if extreme.times else "least", self.position(extreme.source))
        match term:
            case t.Operation(op="nim_sum", args=(s,)) if s.type == POSITION:
                return apply("nim_sum", self.position(s))
            case t.Operation(op="len", args=(s,)) if s.type == POSITION:
                return apply("number", self.position(s))
            case t.Operation(op="sum", args=(s,)) if s.type == POSITION:
                return apply("total", self.position(s))
            case t.Operation(op="index", args=(s, place)) if s.type == POSITION:
                return apply("heap_at", self.position(s), self.natural(place, True))
            case t.Operation(op="columns", args=(s, modulus, left)) if s.type == POSITION:
                return apply("columns", self.position(s), self.natural(modulus, True), self.natural(left, True))
            case t.Operation(op="occurrences", args=(s, item)) if s.type == POSITION:
                heap = self.free("h")
                inner = self.bind({f"heap {heap}": Text(heap)})
                meets = infix(Text(heap), "=?", inner.natural(item, True), COMPARISON)
                return apply("count", Text(f"fun {heap} => {meets.text}", BINDER), self.position(s))
            case t.Comprehension(reducer="nim_sum" | "count" as reducer, clauses=(clause,)):
                if clause.source.type == POSITION:
                    return self._write_over_heaps(reducer, term, clause)
        return self._number_of_list(term)

    def _number_of_list(self, term: t.Term) -> Text:
        """Return a number that depends on a list, such as its item i, as Coq text. Raises Unsupported."""
        match term:
            case t.Operation(op="index", args=(source, place)) if source.type == _NUMBERS:
                return apply("item", self.list(source), self.natural(place, True))
            case t.Operation(op="nim_sum", args=(source,)) if source.type == _NUMBERS:
                return apply("nim_sum", self.list(source, True))
            case t.Operation(op="len", args=(source,)) if source.type == _NUMBERS:
                return apply("length_of", self.list(source))
            case t.Comprehension(reducer="nim_sum" | "sum" | "count" as reducer, body=body, clauses=(clause,)):
                if t.get_element_type(clause.source) == INT and clause.source.type.kind != "set":
                    over = self.list(t.Comprehension(_NUMBERS, 0, 0, "list", _same(clause), (clause,)))
                    name, inner = self._item(clause)
                    says = inner.truth(body) if reducer == "count" else inner.natural(body, reducer == "nim_sum")
                    made = Text(f"fun {name} => {says.at(BINDER)}", BINDER)
                    if reducer == "nim_sum":
                        return apply("nim_sum", apply("map", made, over))
                    return apply("how_many" if reducer == "count" else "sum_over", made, over)
        raise Unsupported(f"{print_term(term)} has no translation into Coq")

    def list(self, term: t.Term, required: bool = False) -> Text:
        """Return a list of natural numbers, or the heaps of a position in any order, as Coq text of type `list N`.

        `required`: as in `natural`, for each item. Raises Unsupported if the list has no translation, or if an item may
        be negative.
        """
        if term.type == POSITION:
            return apply("heaps", self.position(term))
        match term:
            case t.Collection(items=items):
                return Text(f"[{'; '.join(self.natural(x, required).at(BINDER) for x in items)}]")
            case t.Operation(op="nim_sum_ways", args=(ways, draws)):
                return apply("nim_sum_ways", self.list(ways, True), self.natural(draws, True))
            case t.Operation(op="range", args=(a, b)):
                return apply("range", self.natural(a), self.natural(b, True))  # empty if b is negative
            case t.Operation(op="sorted", args=(c,)) if c.type.kind == "list":
                return apply("sorted", self.list(c))
            case t.Operation(op="concat", args=(a, b)):
                return infix(self.list(a), "++", self.list(b), CONCAT, "right")
            case t.Comprehension(reducer="list", body=body, clauses=(clause, *others)):
                if t.get_element_type(clause.source) == INT and clause.source.type.kind != "set":
                    return self._map(clause, others, lambda inner: inner.natural(body, required), body)
        raise Unsupported(f"{print_term(term)} has no translation into a list of Coq")

    def _map(
        self,
        clause: t.Clause,
        others: Sequence[t.Clause],
        write: Callable[[CoqNumberWriter], Text],
        body: t.Term,
    ) -> Text:
        """Return the list of the values of a term for all values of the variables of some clauses.

        `write`: a function that writes the term `body`, with a writer that knows the variables.
        """
        name, inner = self._item(clause)
        over = self.list(clause.source)
        if clause.conditions:
            meets = join_texts(map(inner.truth, clause.conditions), "&&", PRODUCT, "true", "left")
            over = apply("filter", Text(f"fun {name} => {meets.at(BINDER)}", BINDER), over)
        if others:
            rest = inner._map(others[0], others[1:], write, body)  # noqa: SLF001
            return apply("flat_map", Text(f"fun {name} => {rest.at(BINDER)}", BINDER), over)
        if isinstance(body, t.Variable) and body.name == clause.variable:
            return over
        return apply("map", Text(f"fun {name} => {write(inner).at(BINDER)}", BINDER), over)

    # -- rational numbers ---------------------------------------------------------------------------------------------
    def rational(self, term: t.Term) -> Text:
        """Return a rational number or an integer as Coq text, for a place in the scope Q of Coq. Raises Unsupported."""
        match term:
            case _ if term.type == INT:
                found = self.number(term)
                plus, minus = (Text(f"rational ({total(x).text})%N", APPLICATION) for x in (found.plus, found.minus))
                return infix(plus, "-", minus, SUM, "left") if found.minus else plus
            case t.Operation(op="rational", args=(a,)):
                return self.rational(a)
            case t.Operation(op="add" | "sub" | "mul" | "div" as op, args=(a, b)):
                sign, level = {"add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT), "div": ("/", PRODUCT)}[op]
                return infix(self.rational(a), sign, self.rational(b), level, "left")
            case t.Operation(op="pow", args=(a, t.Literal(value=value))) if value >= 0:
                return join_texts((self.rational(a),) * value, "*", PRODUCT, "rational 1", "left")
            case t.Comprehension(reducer="sum", body=body, clauses=(clause, *others)):
                if all(t.get_element_type(x.source) == INT and x.source.type.kind != "set" for x in term.clauses):
                    made = self._map(clause, others, lambda inner: inner.rational(body), body)
                    return apply("rational_sum", made)
        raise Unsupported(f"{print_term(term)} has no translation into a rational number of Coq")

    def _item(self, clause: t.Clause) -> tuple[str, CoqNumberWriter]:
        """Return the Coq name of an item of the source of a clause, and a writer that knows it and its range."""
        name = self.free(display(clause.variable))
        inner = self.bind({clause.variable: Text(name)})
        inner.ranges = {**self.ranges, clause.variable: range_of_elements(clause.source, self.known_ranges)}
        return name, inner

    def _write_over_heaps(self, reducer: str, term: t.Comprehension, clause: t.Clause) -> Text:
        heap = self.free("h")
        inner = self.bind({clause.variable: Text(heap)})
        inner.ranges = {**self.ranges, clause.variable: Interval(1)}
        where = [inner.truth(x) for x in clause.conditions]
        source = self.position(clause.source)
        if reducer == "count":
            body = join_texts((*where, inner.truth(term.body)), "&&", PRODUCT, "true", "left")
            return apply("count", Text(f"fun {heap} => {body.at(BINDER)}", BINDER), source)
        value = Text(f"fun {heap} => {inner.natural(term.body, True).at(BINDER)}", BINDER)
        if where:
            condition = join_texts(where, "&&", PRODUCT, "true", "left")
            value = apply("only", Text(f"fun {heap} => {condition.at(BINDER)}", BINDER), value)
        return apply("nim_sum_of", value, source)

    def position(self, term: t.Term) -> Text:
        """Return a position as Coq text. Raises Unsupported if it has no translation."""
        match term:
            case t.Variable(name=name) if name in self.names:
                return self.names[name]
            case t.Operation(op="position", args=(t.Collection(items=items),)):
                return Text(f"[{'; '.join(self.natural(x, True).at(BINDER) for x in items)}]")
            case t.Operation(op="position", args=(heaps,)):
                return self.list(heaps)
            case t.Operation(op="join", args=(a, b)):
                return infix(self.position(a), "++", self.position(b), CONCAT, "right")
            case t.Operation(op="replace", args=(s, h, y)):
                return apply("replace", self.position(s), self.natural(h, True), self.natural(y, True))
        raise Unsupported(f"{print_term(term)} has no translation into Coq")

    @property
    def used_names(self) -> set[str]:
        """The Coq names in `names`, and the name of the function for Grundy values."""
        return {GRUNDY_NAME, *(x.text for x in self.names.values())}

    def free(self, word: str) -> str:
        """Return a new Coq name for a bound variable, similar to `word`.

        Neither this writer nor the Coq theory nor Coq uses it for anything else.
        """
        name, used = name_in_coq(word, reserved=GLOBAL), self.used_names
        while name in used:
            name += "'"
        return name

    @property
    def known_ranges(self) -> dict[str, Interval]:
        """The ranges of all variables. A variable without a range in `ranges` may be any natural number."""
        return {**dict.fromkeys((*self.names, *self.folds), NATURAL), **self.ranges}

    def range(self, term: t.Term) -> Interval:
        """Return an interval that contains all values of a term. It uses the known ranges of variables."""
        return range_of(term, self.known_ranges)

    @staticmethod
    def _product(x: CoqInteger, y: CoqInteger) -> CoqInteger:
        def multiply(a: tuple[Text, ...], b: tuple[Text, ...]) -> tuple[Text, ...]:
            return (infix(total(a), "*", total(b), PRODUCT, "left"),) if a and b else ()

        return CoqInteger(
            multiply(x.plus, y.plus) + multiply(x.minus, y.minus), multiply(x.plus, y.minus) + multiply(x.minus, y.plus)
        )

    @staticmethod
    def _either(condition: Text, x: CoqInteger, y: CoqInteger) -> CoqInteger:
        def choose(a: tuple[Text, ...], b: tuple[Text, ...]) -> tuple[Text, ...]:
            if a == b:
                return a
            return (Text(f"(if {condition.at(BINDER)} then {total(a).text} else {total(b).text})"),)

        return CoqInteger(choose(x.plus, y.plus), choose(x.minus, y.minus))

    # -- truth values -------------------------------------------------------------------------------------------------
    def truth(self, term: t.Term) -> Text:
        """Return a condition on numbers as Coq text of type `bool`. Raises Unsupported if it has no translation."""
        match term:
            case t.Literal(value=value) if term.type == BOOL:
                return Text("true" if value else "false")
            case t.AllOf(args=args):
                return join_texts(map(self.truth, args), "&&", PRODUCT, "true", "left")
            case t.AnyOf(args=args):
                return join_texts(map(self.truth, args), "||", SUM, "false", "left")
            case t.Operation(op="not", args=(a,)):
                return apply("negb", self.truth(a))
            case t.Operation(op="eq" | "ne" as op, args=(a, b)) if a.type in (BOOL, PLAYER):
                parts = (self.truth(a), self.truth(b)) if a.type == BOOL else (self.player(a), self.player(b))
                same = apply("Bool.eqb" if a.type == BOOL else "same_player", *parts)
                return same if op == "eq" else apply("negb", same)
            case t.Operation(op="in", args=(x, t.Collection(items=items))) if x.type == INT:
                return join_texts((self.compare("eq", "=?", x, y) for y in items), "||", SUM, "false", "left")
            case t.Comprehension(reducer="any" | "all" as reducer, body=body, clauses=(clause, *others)):
                if t.get_element_type(clause.source) == INT and clause.source.type.kind != "set":
                    return self._test(reducer, body, clause, others)
            case t.Operation(op="ne", args=(a, b)) if a.type == INT:
                return apply("negb", self.truth(compare("eq", a, b)))
            case t.Operation(op=op, args=(a, b)) if op in _SIGNS and a.type == INT:
                if split := self.split(term):
                    return self.truth(split)
                sign, turned = _SIGNS[op]
                return self.compare(op, sign, *((b, a) if turned else (a, b)))
        raise Unsupported(f"{print_term(term)} has no translation into a truth value of Coq")

    def _test(self, reducer: str, body: t.Term, clause: t.Clause, others: Sequence[t.Clause]) -> Text:
        """Return whether some item, or every item, of a list or position meets a condition, as a truth value of Coq."""
        name, inner = self._item(clause)
        says = inner._test(reducer, body, others[0], others[1:]) if others else inner.truth(body)  # noqa: SLF001
        where = list(map(inner.truth, clause.conditions))
        if reducer == "any":
            made = join_texts((*where, says), "&&", PRODUCT, "true", "left")
        else:
            made = join_texts((*(apply("negb", x) for x in where), says), "||", SUM, "false", "left")
        made = Text(f"fun {name} => {made.at(BINDER)}", BINDER)
        return apply("existsb" if reducer == "any" else "forallb", made, self.list(clause.source))

    def split(self, term: t.Operation) -> t.Term | None:
        """Return the result of `split_extreme` if the comparison is with a smallest number and one may be negative.

        Otherwise return None: `compare` then supports the comparison, or nothing does.
        """
        for x in term.args:
            items = items_of_extreme(x) or ()
            negative = [self._may_be_negative(i) for i in items]
            if any(negative) and not (is_maximum(x) and not all(negative)):
                return split_extreme(term)
        return None

    def compare(self, op: str, sign: str, a: t.Term, b: t.Term) -> Text:
        """Return the comparison of a and b as Coq text, without subtraction: `x - 1 < y` becomes `x < y + 1`.

        `op`: the comparison: "eq", "le" or "lt". `sign`: its sign in Coq, such as "=" or "<?".
        """
        match op, b:  # x <= y // d is d x <= y, which is also valid for negative y
            case "le", t.Operation(op="floordiv", args=(y, t.Literal(value=d))) if d > 0 and self._may_be_negative(y):
                return self.compare(op, sign, mul(integer(d), a), y)
            case "lt", t.Operation(op="add", args=(t.Operation(op="floordiv") as quotient, t.Literal(value=1))):
                if self._may_be_negative(quotient.args[0]):
                    return self.compare("le", sign.replace("<", "<="), a, quotient)
        left, right = self.number(a), self.number(b)
        return infix(total(left.plus + right.minus), sign, total(right.plus + left.minus), COMPARISON)

    def _may_be_negative(self, term: t.Term) -> bool:
        if self.range(term).natural:
            return False
        try:
            return bool(self.number(term).cancel_common().minus)
        except Unsupported:
            return True

    def player(self, term: t.Term) -> Text:
        """Return a player as Coq text: the name of a variable, or `First` or `Second` for player 0 or 1.

        Raises Unsupported for other terms.
        """
        match term:
            case t.Variable(name=name) if name in self.names:
                return self.names[name]
            case t.Literal(value=value) if value < 2:
                return Text(("First", "Second")[value])
        raise Unsupported(f"the player {print_term(term)} has no translation into Coq")


def _same(clause: t.Clause) -> t.Term:
    """Return the variable of a clause over integers, as a term."""
    return t.Variable(INT, 0, 0, clause.variable)


def _is_required(op: str, at: int) -> bool:
    """Return whether an operation has no value if the operand number `at` is negative."""
    return any(isinstance(x, AtLeast) and x.at == at and x.least >= 0 for x in BUILTINS[op].needs)


def _choice(items: Sequence[t.Term], place: t.Term) -> t.Term:
    """Return the term `items[place]` as a case distinction: items[0] if place is 0, else items[1] if place is 1, ...

    The last item is the result for every other `place`.
    """
    *others, made = items
    for i, item in reversed(list(enumerate(others))):
        made = choose(compare("eq", place, integer(i)), item, made)
    return made


def split_extreme(term: t.Operation) -> t.Term | None:
    """Return a comparison with the largest or smallest of several numbers as a condition on each of these numbers.

    For example, `x <= min(a, b)` becomes `x <= a and x <= b`. Return None for other comparisons.
    """
    (x, extreme), op = term.args, term.op
    if items_of_extreme(extreme) is None:
        x, extreme, op = extreme, x, _TURNED[op]
    items = items_of_extreme(extreme)
    if items is None or op == "ne":
        return None
    least = not is_maximum(extreme)
    each = [compare("le" if least else "ge", x, y) if op == "eq" else compare(op, x, y) for y in items]
    if op == "eq":
        some = t.AnyOf(BOOL, 0, 0, tuple(compare("eq", x, y) for y in items))
        return t.AllOf(BOOL, 0, 0, (*each, some))
    return (t.AllOf if (op in ("lt", "le")) == least else t.AnyOf)(BOOL, 0, 0, tuple(each))


_TURNED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def is_maximum(term: t.Term) -> bool:
    return isinstance(term, t.Operation) and term.op in ("largest", "max")


def items_of_extreme(term: t.Term) -> tuple[t.Term, ...] | None:
    """Return the numbers of which a term is the largest or the smallest, if they are written; otherwise None."""
    match term:
        case t.Operation(op="largest" | "smallest", args=args):
            return args
        case t.Operation(op="max" | "min", args=(t.Collection(items=items),)) if items:
            return items
    return None


def name_of_fold(name: str, names: Mapping[str, Text]) -> str:
    """Return the Coq name of a fold: the name in `names` if there is one, otherwise the name itself."""
    return names[name].text if name in names else name
