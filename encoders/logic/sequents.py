"""Sequents (obligations as variables, premises and a conclusion), and the functions that build their terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from claims.language.syntax import terms as t
from claims.language.syntax.printing import make_printer, structural_key
from claims.language.syntax.terms import BOOL, INT, Type
from encoders.periods.tables import PeriodicTable, QuotientTable
from encoders.trust import ObligationKind, Reason

# == terms ============================================================================================================
# Terms that a proof constructs. They do not appear in any file.
#
# The constructors simplify: a conjunction omits its true parts, and `x if True else y` becomes `x`. The text of a
# sequent shows only the remaining parts.
MOST_EXPONENT = 64  # larger powers of literals are not evaluated
YES = t.Literal(BOOL, 0, 0, 1)
NO = t.Literal(BOOL, 0, 0, 0)
_TURNED = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}


def integer(value: int) -> t.Literal:
    return t.Literal(INT, 0, 0, value)


ZERO, ONE = integer(0), integer(1)


def evaluate_power(term: t.Term) -> int | None:
    """Return the value of a power of two literals with an exponent from 0 to 64; None for other terms."""
    match term:
        case t.Operation(op="pow", args=(t.Literal(value=a), t.Literal(value=b))) if 0 <= b <= MOST_EXPONENT:
            return int(a**b)
    return None


def holds(condition: bool) -> t.Literal:
    """Return the literal term for a truth value."""
    return YES if condition else NO


def is_plain(term: t.Term, value: bool) -> bool:
    """Return whether a condition is the literal true (if `value` is true), or the literal false (if not)."""
    return isinstance(term, t.Literal) and term.type == BOOL and bool(term.value) is value


def conjunction(*conditions: t.Term) -> t.Term:
    """Return the conjunction of the conditions; the empty conjunction is true."""
    return _join(t.AllOf, True, conditions)


def disjunction(*conditions: t.Term) -> t.Term:
    """Return the disjunction of the conditions; the empty disjunction is false."""
    return _join(t.AnyOf, False, conditions)


def _join(kind: type[t.AllOf | t.AnyOf], neutral: bool, conditions: Iterable[t.Term]) -> t.Term:
    kept: list[t.Term] = []
    for x in conditions:
        if is_plain(x, not neutral):
            return x
        if not is_plain(x, neutral):
            kept.append(x)
    if len(kept) == 1:
        return kept[0]
    return kind(BOOL, 0, 0, tuple(kept)) if kept else holds(neutral)


def negation(condition: t.Term) -> t.Term:
    """Return the negation of a condition, without double negations."""
    if isinstance(condition, t.Literal):
        return holds(not condition.value)
    if isinstance(condition, t.Operation) and condition.op == "not":
        return condition.args[0]
    return t.Operation(BOOL, 0, 0, "not", (condition,))


def opposite(condition: t.Term) -> t.Term:
    """Return the negation of a condition. For a comparison, return the opposite comparison: a >= b for a < b."""
    if isinstance(condition, t.Operation) and condition.op in _TURNED:
        return t.Operation(BOOL, condition.start, condition.end, _TURNED[condition.op], condition.args)
    return negation(condition)


def implies(condition: t.Term, then: t.Term) -> t.Term:
    return disjunction(negation(condition), then)


def iff(a: t.Term, b: t.Term) -> t.Term:
    return compare("eq", a, b)


def compare(op: str, a: t.Term, b: t.Term) -> t.Operation:
    """Return the comparison of a and b as a term. `op`: "eq", "ne", "lt", "le", "gt" or "ge"."""
    return t.Operation(BOOL, 0, 0, op, (a, b))


def equal(a: t.Term, b: t.Term) -> t.Operation:
    return compare("eq", a, b)


def at_least(a: t.Term, b: t.Term) -> t.Operation:
    return compare("ge", a, b)


def at_most(a: t.Term, b: t.Term) -> t.Operation:
    return compare("le", a, b)


def less_than(a: t.Term, b: t.Term) -> t.Operation:
    return compare("lt", a, b)


def membership(x: t.Term, source: t.Term) -> t.Term | None:
    """Return the condition that x is in `source`, a list of integers or a range; None for another source."""
    match source:
        case t.Collection(items=items) if x.type == INT:
            return disjunction(*(equal(x, item) for item in items))
        case t.Operation(op="range", args=(low, after)):
            return conjunction(at_most(low, x), less_than(x, after))
    return None


def _apply(op: str, *args: t.Term) -> t.Operation:
    return t.Operation(INT, 0, 0, op, args)


def add(a: t.Term, b: t.Term) -> t.Term:
    return _apply("add", a, b)


def sub(a: t.Term, b: t.Term) -> t.Term:
    return _apply("sub", a, b)


def mul(a: t.Term, b: t.Term) -> t.Term:
    return _apply("mul", a, b)


def neg(a: t.Term) -> t.Term:
    return _apply("neg", a)


def nim(a: t.Term, b: t.Term) -> t.Operation:
    """Return the nim-sum of two natural numbers."""
    return _apply("nim", a, b)


def bit_and(a: t.Term, b: t.Term) -> t.Term:
    """Return the bitwise AND of two natural numbers."""
    return _apply("bit_and", a, b)


def largest(*numbers: t.Term) -> t.Operation:
    return _apply("largest", *numbers)


def smallest(*numbers: t.Term) -> t.Operation:
    return _apply("smallest", *numbers)


def choose(condition: t.Term, a: t.Term, b: t.Term) -> t.Term:
    """Return a term for "a if the condition holds, else b"."""
    if isinstance(condition, t.Literal):
        return a if condition.value else b
    return t.IfElse(a.type, 0, 0, condition, a, b)


# == polynomials ======================================================================================================
# Integer terms as polynomials, so that equal terms are recognised in any notation.
#
# Terms other than sums, differences and products are atoms. Two atoms are equal if they have the same structure.
Monomial = tuple[str, ...]  # the keys of its factors, sorted


@dataclass(frozen=True)
class Polynomial:
    """A polynomial with integer coefficients.

    `coefficients`: maps each monomial (a sorted tuple of keys of its factors) to its coefficient, which is not 0.
    `atoms`: maps each key to its factor: a variable, or a term that is not a sum, difference or product.
    """

    coefficients: dict[Monomial, int]
    atoms: dict[str, t.Term]

    @property
    def constant(self) -> int | None:
        """The value of a constant polynomial; None for other polynomials."""
        if not self.coefficients:
            return 0
        return self.coefficients[()] if list(self.coefficients) == [()] else None

    def term(self) -> t.Term:
        """Return the polynomial as a term."""
        made: t.Term | None = None
        for monomial, coefficient in self.coefficients.items():
            factors = [self.atoms[key] for key in monomial]
            if not factors or coefficient not in (1, -1):
                factors = [integer(abs(coefficient)), *factors]
            product = factors[0]
            for x in factors[1:]:
                product = mul(product, x)
            signed = neg(product) if coefficient < 0 else product
            made = signed if made is None else add(made, signed)
        return made or integer(0)


def polynomial(term: t.Term) -> Polynomial:
    """Return the polynomial that equals an integer term. The term must not contain calls of definitions.

    >>> k = t.Variable(t.Literal(None, 0, 0, 0).type, 0, 0, "k")
    >>> polynomial(add(mul(k, k), neg(mul(k, k)))).constant
    0
    """
    atoms: dict[str, t.Term] = {}
    return Polynomial({m: c for m, c in _expand(term, atoms).items() if c}, atoms)


def is_same_polynomial(a: t.Term, b: t.Term) -> bool:
    """Return whether two integer terms are equal as polynomials, as (x + 1) * 2 and 2 * x + 2 are."""
    atoms: dict[str, t.Term] = {}
    return not any(_add_scaled(_expand(a, atoms), _expand(b, atoms), -1).values())


def _expand(term: t.Term, atoms: dict[str, t.Term]) -> Counter[Monomial]:
    match term:
        case t.Literal(value=value):
            return Counter({(): value})
        case t.Operation(op="add" | "sub" as op, args=(a, b)):
            return _add_scaled(_expand(a, atoms), _expand(b, atoms), 1 if op == "add" else -1)
        case t.Operation(op="neg", args=(a,)):
            return _add_scaled(Counter(), _expand(a, atoms), -1)
        case t.Operation(op="mul", args=(a, b)):
            found: Counter[Monomial] = Counter()
            for m, c in _expand(a, atoms).items():
                for n, d in _expand(b, atoms).items():
                    found[tuple(sorted((*m, *n)))] += c * d
            return found
    key = term.name if isinstance(term, t.Variable) else repr(structural_key(term))
    atoms.setdefault(key, term)
    return Counter({(key,): 1})


def _add_scaled(a: Counter[Monomial], b: Counter[Monomial], sign: int) -> Counter[Monomial]:
    found = Counter(a)
    for m, c in b.items():
        found[m] += sign * c
    return found


# == sequent ==========================================================================================================
# An obligation as data: for all values of the variables in their ranges, the premises imply the conclusion.
#
# A sequent uses the terms of the claim language, restricted to integers and truth values. The proof rule that creates
# the sequent translates positions, moves and values into such terms. Therefore the rules do not matter to the code that
# prints a sequent, evaluates it on a box, writes it as SMT-LIB or certifies it.
@dataclass(frozen=True)
class Symbol:
    """A variable of a sequent: an integer with lo <= x <= hi (None: no bound on that side), or a truth value.

    `aside`: whether the variable is auxiliary. If a sequent is false, the values of auxiliary variables are not shown.
    `display_name`: the text to show before the value of the variable; "" to show `name`.
    """

    name: str
    type: Type
    lo: int | None = None
    hi: int | None = None
    aside: bool = False
    display_name: str = ""

    @property
    def words(self) -> str:
        """The range of the variable as text."""
        if self.type == BOOL:
            return f"{self.name}: true or false"
        low = "" if self.lo is None else f"{self.lo} <= "
        high = "" if self.hi is None else f" <= {power(self.hi)}"
        return f"{low}{self.name}{high}" if low or high else f"{self.name}: an integer"


def power(value: int) -> str:
    """Return a number as text; if it is large and of the form 2^n - 1, as `2^n - 1`."""
    exponent = (value + 1).bit_length() - 1
    return f"2^{exponent} - 1" if exponent > 10 and value + 1 == 1 << exponent else str(value)


SequentLine = tuple[str | t.Term, ...]
"""A line of a sequent: terms, and pieces of text that include the spaces around them."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A hypothesis of the claim in a sequent. Reports state whether the proof of the sequent needs it.

    `words`: the text of the hypothesis in the claim. `term`: its translation.
    """

    words: str
    term: t.Term


LemmaInstances = tuple[str, tuple[t.Term, ...]]
"""The id of a lemma, and instances of the lemma. The sequent assumes the instances; the lemma is settled separately."""


@dataclass(frozen=True, eq=False)
class Sequent:
    """One obligation of a proof: for all values of the variables in their ranges, the premises imply `show`.

    `name`: the name, which is unique within a proof.
    `variables`: the variables that occur in the terms.
    `assume`: the premises other than hypotheses and lemmas.
    `hypotheses`: the hypotheses of the claim, which are premises too.
    `lemmas`: the lemmas whose instances are premises, each lemma once.
    `kind`: which step of the proof rule requires the obligation; None if no report needs it.
    `by`: the reasons for which the premises may be assumed.
    `table`: if given, the obligation is that this table of values is correct. The sequent then has no premises and the
    conclusion `false`, so that code that ignores tables cannot prove it.
    `unread`: conditions of the claim that could be premises, but have no translation.
    `defines`: the names of expressions that the sequent shows to be defined, alone or together with other obligations.
    """

    name: str
    variables: tuple[Symbol, ...]
    assume: tuple[t.Term, ...]
    show: t.Term
    hypotheses: tuple[Hypothesis, ...] = ()
    lemmas: tuple[LemmaInstances, ...] = ()
    kind: ObligationKind | None = None
    by: frozenset[Reason] = frozenset()
    table: PeriodicTable | QuotientTable | None = None
    unread: tuple[str, ...] = ()
    defines: frozenset[str] = frozenset()

    @property
    def premises(self) -> tuple[t.Term, ...]:
        """All premises: `assume`, the hypotheses of the claim, and the instances of lemmas."""
        return (*self.assume, *(x for group in self.tracked_premises for x in group))

    @property
    def tracked_premises(self) -> tuple[tuple[t.Term, ...], ...]:
        """The premises for which reports state whether the proof needs them: a group for each hypothesis and lemma."""
        return (*((h.term,) for h in self.hypotheses), *(said for _, said in self.lemmas))

    def lines(self) -> Iterator[str]:
        """Yield the sequent as text in the claim language: variables, premises, conclusion."""
        for symbol in self.variables:
            yield f"for {symbol.words}"
        text = make_printer()
        for parts in self.render_lines():
            yield "".join(x if isinstance(x, str) else text(x) for x in parts)

    def render_lines(self) -> Iterator[SequentLine]:
        """Yield the premises and then the conclusion, each as pieces of text and terms; or the lines of the table."""
        if self.table is not None:
            yield from ((line,) for line in self.table.lines())
            return
        for x in (*self.assume, *(h.term for h in self.hypotheses)):
            yield _state("assume", x)
        for lemma, said in self.lemmas:
            for x in said:
                yield _state(f"by {lemma}, assume", x)
        yield _state("show", self.show)


def build_table_sequent(name: str, table: PeriodicTable | QuotientTable, kind: ObligationKind) -> Sequent:
    """Return the sequent for the obligation that a table is correct."""
    return Sequent(name, (), (), NO, kind=kind, table=table)


def _state(word: str, term: t.Term) -> SequentLine:
    """Return a line "WORD term", or for an implication "WORD, where condition: conclusion"."""
    match term:
        case t.AnyOf(args=(t.Operation(op="not", args=(condition,)), *others)):
            then = others[0] if len(others) == 1 else t.AnyOf(term.type, term.start, term.end, tuple(others))
            return f"{word}, where ", condition, ": ", then
    return f"{word} ", term


class Symbols:
    """A factory for the variables of one sequent. It gives them distinct names."""

    def __init__(self) -> None:
        self._made: dict[str, Symbol] = {}

    def integer(
        self, name: str, lo: int | None = None, hi: int | None = None, aside: bool = False, told: str = ""
    ) -> t.Variable:
        """Return a new integer variable with the bounds `lo` and `hi` (None: no bound).

        `name`: its name; if it is taken, a number is appended. `aside`, `told`: as `aside` and `display_name` in
        `Symbol`.
        """
        return self._variable(name, INT, lo, hi, aside, told)

    def truth(self, name: str, aside: bool = True) -> t.Variable:
        """Return a new variable for a truth value. `name`, `aside`: as in `integer`."""
        return self._variable(name, BOOL, None, None, aside)

    def _variable(
        self, name: str, kind: Type, lo: int | None, hi: int | None, aside: bool, told: str = ""
    ) -> t.Variable:
        own, number = name, 1
        while own in self._made:
            number += 1
            own = f"{name} ({number})"
        self._made[own] = Symbol(own, kind, lo, hi, aside, told)
        return t.Variable(kind, 0, 0, own)

    @property
    def by_name(self) -> Mapping[str, Symbol]:
        return self._made

    def sequent(
        self,
        name: str,
        assume: tuple[t.Term, ...],
        show: t.Term,
        hypotheses: tuple[Hypothesis, ...] = (),
        lemmas: tuple[LemmaInstances, ...] = (),
    ) -> Sequent:
        """Return a sequent with those variables of this factory that occur in its terms."""
        made = Sequent(name, (), assume, show, hypotheses, lemmas)
        occurring = names_in(*made.premises, show)
        return replace(made, variables=tuple(s for s in self._made.values() if s.name in occurring))


def names_in(*terms: t.Term) -> frozenset[str]:
    """Return the names of the variables in the terms."""
    return frozenset(x.name for x in list_parts(*terms) if isinstance(x, t.Variable))


def list_parts(*terms: t.Term) -> Iterator[t.Term]:
    """Yield the terms and their subterms. A subterm that occurs several times is visited only once."""
    seen: set[int] = set()
    todo = list(terms)
    while todo:
        term = todo.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        yield term
        todo += t.subterms(term)
