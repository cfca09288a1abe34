"""The negation of a sequent (premises and a conclusion) as a formula over natural numbers.

An atom of the formula compares a sum with 0. The numbers in sums are variables, nim-sums, bitwise conjunctions and
products.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from math import gcd

from claims.language.syntax import terms as t
from claims.language.syntax.terms import BOOL, INT
from encoders.logic.certificates import AND, EQ, LE, TIMES, XOR, Atom, Certificate, Formula, Stream
from encoders.logic.sequents import Sequent
from encoders.logic.translator import COMPARISONS, Translator, bounds_of_extreme, choose_extreme
from encoders.refusals import Unsupported

# == formulas =========================================================================================================
# Formulas over letters. Equal formulas share one node.
#
# A letter is an atom over natural numbers, or a truth value. A formula is denoted by a nonzero integer. The negative of
# this integer denotes its negation.
TRUE, FALSE = 1, -1
PLAIN_SIZE = 6  # a larger formula (by number of letters) that occurs several times gets a name


@dataclass(frozen=True, slots=True)
class Conjunction:
    """The conjunction of at least two formulas, given by their numbers in `Formulas`."""

    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Equivalence:
    """The equivalence of two formulas, given by their numbers in `Formulas`. Neither is a negation."""

    a: int
    b: int


Node = Conjunction | Equivalence | Atom | str  # the last two are letters; a str is the name of a truth value


class Formulas:
    """A store of formulas. A formula is denoted by an integer, and its negation by the negative integer.

    A positive integer is the number of a node: a conjunction, an equivalence, an atom or a Boolean variable. Equal
    formulas share a node.
    """

    def __init__(self) -> None:
        self._nodes: list[Node | None] = [None, None]  # neither 0 nor TRUE is a node
        self._places: dict[Node, int] = {}

    def node(self, f: int) -> Node | None:
        """Return the node of a formula or of its negation; None for TRUE and FALSE."""
        return self._nodes[abs(f)]

    def truth(self, name: str) -> int:
        """Return the formula that consists of the Boolean variable with this name."""
        return self._make(name)

    def _fresh(self, name: str) -> int:
        """Return a new Boolean variable. Primes are appended to the name if it is in use."""
        while name in self._places:
            name += "'"
        return self.truth(name)

    def _make(self, node: Node) -> int:
        place = self._places.get(node)
        if place is None:
            place = self._places[node] = len(self._nodes)
            self._nodes.append(node)
        return place

    def conjunction(self, parts: Iterable[int]) -> int:
        """Return the conjunction of formulas, simplified. Nested conjunctions are flattened."""
        kept: dict[int, None] = {}
        todo = list(parts)[::-1]
        while todo:
            x = todo.pop()
            node = self.node(x)
            if x > 0 and isinstance(node, Conjunction):
                todo += node.parts[::-1]
            elif x == FALSE or -x in kept:
                return FALSE
            elif x != TRUE:
                kept[x] = None
        if len(kept) < 2:
            return next(iter(kept), TRUE)
        return self._make(Conjunction(tuple(kept)))

    def disjunction(self, parts: Iterable[int]) -> int:
        """Return the disjunction of formulas, as a negated conjunction."""
        return -self.conjunction(-x for x in parts)

    def same(self, a: int, b: int) -> int:
        """Return the equivalence of two formulas."""
        for x, y in ((a, b), (b, a)):
            if abs(x) == TRUE:
                return y if x == TRUE else -y
        if abs(a) == abs(b):
            return TRUE if a == b else FALSE
        made = self._make(Equivalence(*sorted((abs(a), abs(b)))))
        return made if (a > 0) == (b > 0) else -made

    def compare(self, kind: str, terms: dict[Stream, int], constant: int) -> int:
        """Return the formula that a sum is <= 0 (kind LE) or == 0 (kind EQ), simplified for natural numbers.

        The sum is `constant` plus the natural numbers in `terms`, each times its coefficient.
        """
        left = sorted(((s, k) for s, k in terms.items() if k), key=lambda x: repr(x[0]))
        if not left:
            return TRUE if (constant <= 0 if kind == LE else constant == 0) else FALSE
        shared = gcd(*(k for _, k in left))
        if kind == EQ and constant % shared:
            return FALSE
        if left[0][1] < 0 and kind == EQ:
            shared = -shared
        terms = {s: k // shared for s, k in left}
        constant = constant // shared if kind == EQ else -(-constant // shared)
        if all(k > 0 for k in terms.values()) and constant > 0:
            return FALSE
        if kind == LE and all(k < 0 for k in terms.values()) and constant <= 0:
            return TRUE
        if kind == LE and left[0][1] < 0:  # as the negation of 1 - sum - constant <= 0
            return -self._make(Atom(LE, tuple((-k, s) for s, k in terms.items()), 1 - constant))
        return self._make(Atom(kind, tuple((k, s) for s, k in terms.items()), constant))

    def share(self, parts: Sequence[int]) -> tuple[tuple[int, ...], dict[int, int]]:
        """Give names to large formulas that occur several times.

        Return the parts with these names, and the definitions. A name is a new Boolean variable; its definition is a
        formula. The new parts together with the definitions are satisfiable if and only if the original parts are.
        """
        nodes = sorted(self.list_nodes(parts))  # a node is made after its parts
        occurs = Counter(abs(y) for x in nodes for y in self.parts(x))
        made, size = dict[int, int](), dict[int, int]()
        definitions: dict[int, int] = {}

        def read(f: int) -> int:
            return made[f] if f > 0 else -made[-f]

        for x in nodes:
            made[x], size[x] = x, 1
            node = self.node(x)
            if isinstance(node, Conjunction):
                made[x] = self.conjunction(map(read, node.parts))
            elif isinstance(node, Equivalence):
                made[x] = self.same(read(node.a), read(node.b))
            size[x] = sum(size[abs(y)] for y in self.parts(x)) or 1
            if occurs[x] > 1 and size[x] > PLAIN_SIZE and self.parts(made[x]):
                letter = self._fresh(f"part {len(definitions) + 1}'")
                definitions[letter], made[x], size[x] = made[x], letter, 1
        return tuple(map(read, parts)), definitions

    # -- reading them -------------------------------------------------------------------------------------------------
    def number_letters(self, roots: Iterable[int]) -> dict[int, int]:
        """Number the letters (atoms and Boolean variables) in the formulas from 1, and return the numbers by node.

        First come the atoms in order of occurrence, then the Boolean variables.
        """
        found = [x for x in self.list_nodes(roots) if isinstance(self._nodes[x], Atom | str)]
        found.sort(key=lambda x: isinstance(self._nodes[x], str))
        return {x: i for i, x in enumerate(found, 1)}

    def list_letters(self) -> Iterator[tuple[int, Atom | str]]:
        """Yield all letters (atoms and Boolean variables) with their nodes, also those that occur in no formula now."""
        for x, node in enumerate(self._nodes):
            if isinstance(node, Atom | str):
                yield x, node

    def list_nodes(self, roots: Iterable[int]) -> Iterator[int]:
        """Yield the nodes of the formulas `roots` and of their parts in order of occurrence, each node once."""
        seen = set[int]()
        todo = [abs(x) for x in roots][::-1]
        while todo:
            x = todo.pop()
            if x in seen:
                continue
            seen.add(x)
            yield x
            todo += [abs(y) for y in self.parts(x)][::-1]

    def parts(self, f: int) -> tuple[int, ...]:
        """Return the formulas that a conjunction or equivalence connects. The sign of `f` does not matter.

        Return () for an atom, a Boolean variable, TRUE or FALSE.
        """
        match self.node(f):
            case Conjunction(parts):
                return parts
            case Equivalence(a, b):
                return a, b
        return ()

    def write(self, f: int, numbers: dict[int, int]) -> Formula:
        """Return the formula in the form that certificates use.

        `numbers`: the number of each letter (atom or Boolean variable), by its node.
        """
        if abs(f) == TRUE:
            return f == TRUE
        match self.node(f):
            case Conjunction(parts):
                op = "and" if f > 0 else "or"
                return op, *(self.write(x if f > 0 else -x, numbers) for x in parts)
            case Equivalence(a, b):
                same: Formula = ("iff", self.write(a, numbers), self.write(b, numbers))
                return same if f > 0 else ("not", same)
        return numbers[f] if f > 0 else ("not", numbers[-f])


# == algebra ==========================================================================================================
# The algebra into which a sequent is translated: numbers as sums over streams, with bounds.
#
# A number consists of alternatives, which are pairs of a formula and a sum. Exactly one of the formulas holds, and the
# number equals the sum in this pair.
MOST_ALTERNATIVES = 64
Linear = tuple[frozenset[tuple[Stream, int]], int]  # (stream, its coefficient), constant


@dataclass(frozen=True)
class NaturalNumber:
    """An integer x in the translation of a sequent. It may depend on conditions.

    `alternatives`: pairs of a formula and a sum. Exactly one of the formulas holds, and x equals the sum in this pair.
    `lo`, `hi`: the bounds lo <= x <= hi hold for all values of variables. None means that no bound is known.
    """

    alternatives: tuple[tuple[int, Linear], ...]
    lo: int | None
    hi: int | None


@dataclass(frozen=True)
class AddedQuotient:
    """The variables that the translation adds for the quotient and the remainder of `number` by the constant `by`.

    The quotient is `quotient` minus `below`; `below` is None if the quotient cannot be negative.
    """

    number: NaturalNumber
    by: int
    quotient: str
    below: str | None
    rest: str


@dataclass(frozen=True)
class AddedNumber:
    """The variable `name` that the translation adds for a number, such as an operand of a nim-sum."""

    number: NaturalNumber
    name: str


class Naturals:
    """The operations with which `Translator` writes a sequent as a formula over natural numbers.

    `definitions`: formulas that describe the variables which the translation adds, and the bounds of variables.
    `added`: the variables which the translation adds, in their order.
    """

    words = "natural numbers"

    def __init__(self) -> None:
        self.formulas = Formulas()
        self.definitions: list[int] = []
        self.added: list[AddedQuotient | AddedNumber] = []
        self._made: dict[object, tuple[NaturalNumber, NaturalNumber]] = {}
        self._streams: dict[tuple[tuple[int, Linear], ...], str] = {}
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
        """Return an integer variable with its bounds.

        If it may be negative, it is represented as the difference of two natural numbers.
        """
        if lo is not None and lo >= 0:
            parts: dict[Stream, int] = {self._name(name): 1}
        else:
            parts = {self._name(f"{name} above 0'"): 1, self._name(f"{name} below 0'"): -1}
        found = NaturalNumber(((TRUE, _linear(parts, 0)),), lo, hi)
        for op, bound in (("ge", lo), ("le", hi)):
            if bound is not None:
                self.definitions.append(self.relation(op, found, self.literal(bound)))
        return found

    def _stream(self, what: str) -> str:
        """Return a new variable for an arbitrary natural number. `what`: the beginning of its name."""
        self._fresh += 1
        return self._name(f"{what} {self._fresh}'")

    def _name(self, name: str) -> str:
        """Reserve and return a name. Primes are appended if the name is in use."""
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
        if len(a.alternatives) == len(b.alternatives) == 1:  # unconditional
            return NaturalNumber(((TRUE, op(a.alternatives[0][1], b.alternatives[0][1])),), lo, hi)
        pairs = ((g, x, h, y) for g, x in a.alternatives for h, y in b.alternatives)
        return self._number(((self.formulas.conjunction((g, h)), op(x, y)) for g, x, h, y in pairs), lo, hi)

    def _number(self, alternatives: Iterator[tuple[int, Linear]], lo: int | None, hi: int | None) -> NaturalNumber:
        """Return the number with these alternatives, except that impossible ones are omitted.

        Alternatives with equal sums are merged. Raises Unsupported if there are too many alternatives.
        """
        guards: dict[Linear, list[int]] = {}
        for guard, x in alternatives:
            if guard != FALSE:
                guards.setdefault(x, []).append(guard)
        if len(guards) > MOST_ALTERNATIVES:
            raise Unsupported(f"a number has more than {MOST_ALTERNATIVES} alternatives by case distinctions")
        if len(guards) == 1:
            return NaturalNumber(((TRUE, next(iter(guards))),), lo, hi)
        return NaturalNumber(tuple((self.formulas.disjunction(gs), x) for x, gs in guards.items()), lo, hi)

    def floordiv(self, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        """Return a // b. Raises Unsupported unless b is a positive constant."""
        return self._divide("division", a, b)[0]

    def mod(self, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        """Return a % b. Raises Unsupported unless b is a positive constant."""
        return self._divide("remainder", a, b)[1]

    def _divide(self, what: str, a: NaturalNumber, b: NaturalNumber) -> tuple[NaturalNumber, NaturalNumber]:
        """Return a // b and a % b as new variables, whose definitions are added.

        Raises Unsupported unless b is a positive constant.
        `what`: the name of the operation for the error message.
        """
        by = b.lo
        if by is None or b.lo != b.hi or by <= 0:
            raise Unsupported(f"a {what} whose divisor is not a positive literal number")
        key = a.alternatives, by
        if key not in self._made:
            natural = a.lo is not None and a.lo >= 0
            above = self._stream("quotient")
            below = None if natural else self._stream("quotient below 0")
            quotient: dict[Stream, int] = {above: 1} if below is None else {above: 1, below: -1}
            rest = self._stream("remainder")
            self.added.append(AddedQuotient(a, by, above, below, rest))
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
        """Return a ^ b. Raises Unsupported unless the bounds show that neither is negative."""
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
        """Return a & b. Raises Unsupported unless the bounds show that neither is negative."""
        x, y = self.stream("bit_and", a), self.stream("bit_and", b)
        if x is None or y is None:
            return self.literal(0)
        made: Stream = x if x == y else (AND, *sorted((x, y), key=repr))
        highest = [n for n in (a.hi, b.hi) if n is not None]
        return NaturalNumber(((TRUE, _linear({made: 1}, 0)),), 0, min(highest, default=None))

    def stream(self, what: str, a: NaturalNumber) -> Stream | None:
        """Return a variable or an operation, such as a nim-sum, that equals the number; None for the number 0.

        If necessary, a new variable is defined. Raises Unsupported unless the bounds show that the number is not
        negative.
        `what`: the name of the operation for the error message.
        """
        if a.lo is None or a.lo < 0:
            raise Unsupported(f"{what} of a number that may be negative")
        if len(a.alternatives) == 1:
            ((_, (terms, constant)),) = a.alternatives
            if not terms and constant == 0:
                return None
            if not constant and [k for _, k in terms] == [1]:
                return next(s for s, _ in terms)
        if a.alternatives not in self._streams:
            made = self._streams[a.alternatives] = self._stream("number")
            self.added.append(AddedNumber(a, made))
            self.definitions.append(self.relation("eq", NaturalNumber(((TRUE, _linear({made: 1}, 0)),), 0, None), a))
        return self._streams[a.alternatives]

    # -- truth values -------------------------------------------------------------------------------------------------
    def choose(self, condition: int, a: NaturalNumber, b: NaturalNumber) -> NaturalNumber:
        """Return a if the condition holds, else b."""
        f = self.formulas
        ways = [(condition, a), (-condition, b)]
        chosen = ((f.conjunction((c, g)), x) for c, n in ways for g, x in n.alternatives)
        lo = None if a.lo is None or b.lo is None else min(a.lo, b.lo)
        hi = None if a.hi is None or b.hi is None else max(a.hi, b.hi)
        return self._number(chosen, lo, hi)

    def extreme(self, op: str, numbers: Sequence[NaturalNumber]) -> NaturalNumber:
        """Return the largest or the smallest of some numbers."""
        lo, hi = bounds_of_extreme(op, ((x.lo, x.hi) for x in numbers))
        return replace(choose_extreme(self, op, numbers), lo=lo, hi=hi)

    def relation(self, op: str, a: NaturalNumber, b: NaturalNumber) -> int:
        """Return the formula for the comparison `a op b`.

        It is a disjunction over all pairs of an alternative of a and an alternative of b, or the negation of such a
        formula.
        """
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

    def negate(self, x: int) -> int:
        return -x

    def iff(self, a: int, b: int) -> int:
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
    """Return the product of the factors. The factor None stands for 1."""
    found: list[Stream] = []
    for s in factors:
        if s is not None:
            found += s[1:] if isinstance(s, tuple) and s[0] == TIMES else (s,)
    return found[0] if len(found) == 1 else (TIMES, *sorted(found, key=repr))


def _add(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _product(a: NaturalNumber, b: NaturalNumber) -> tuple[int | None, int | None]:
    """Return bounds (low, high) of a product, by the bounds of its factors. None means that no bound is known."""
    for x, y in ((a, b), (b, a)):
        if x.lo is not None and x.lo == x.hi:
            k = x.lo
            lo, hi = (y.lo, y.hi) if k > 0 else (y.hi, y.lo)
            return (0, 0) if k == 0 else (None if lo is None else k * lo, None if hi is None else k * hi)
    if a.lo is not None and b.lo is not None and a.lo >= 0 and b.lo >= 0:
        return a.lo * b.lo, None if a.hi is None or b.hi is None else a.hi * b.hi
    return None, None


# == problem ==========================================================================================================
# A sequent as a formula over natural numbers, which is satisfiable if and only if the sequent is false.
@dataclass(frozen=True, eq=False)
class Problem:
    """A formula over natural numbers which states that a sequent is false: its premises hold, its conclusion does not.

    It is the conjunction of `always`, of all groups in `apart`, and of the definitions.
    `always`: the premises whose use is not reported. The last part is the negation of the conclusion.
    `apart`: a group of formulas for each tracked premise (a hypothesis or a lemma).
    `definitions`: for a Boolean variable, the formula that it abbreviates.
    `numbers`, `truths`: the integer variables and the Boolean variables of the sequent, by name.
    `added`: the natural numbers that the translation adds. `terms`: the integer terms with their translations.
    """

    formulas: Formulas
    always: tuple[int, ...]
    apart: tuple[tuple[int, ...], ...]
    definitions: Mapping[int, int]
    numbers: Mapping[str, NaturalNumber] = field(repr=False)
    truths: Mapping[str, int] = field(repr=False)
    added: tuple[AddedQuotient | AddedNumber, ...] = field(default=(), repr=False)
    terms: tuple[tuple[t.Term, NaturalNumber], ...] = field(default=(), repr=False)

    @property
    def parts(self) -> tuple[int, ...]:
        """The formulas of the conjunction: `always`, the groups in their order, and the definitions."""
        told = (self.formulas.same(x, y) for x, y in self.definitions.items())
        return (*self.always, *(x for group in self.apart for x in group), *told)

    @property
    def has_products(self) -> bool:
        """Whether the formula contains products. The search treats products as arbitrary natural numbers."""
        nodes = (self.formulas.node(x) for x in self.formulas.list_nodes(self.parts))
        return any(is_product(s) for a in nodes if isinstance(a, Atom) for _, s in a.terms)

    @cached_property
    def letters(self) -> Mapping[int, int]:
        """The numbers of the letters by node, from 1: atoms in order of occurrence, then Boolean variables.

        There are none if the conjunction is obviously true or false.
        """
        whole = self.formulas.conjunction(self.parts)
        return self.formulas.number_letters([whole]) if abs(whole) != TRUE else {}

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms among the letters, in their order."""
        return tuple(node for x in self.letters if isinstance(node := self.formulas.node(x), Atom))

    def number(self, certificate: Certificate) -> dict[int, int] | None:
        """Return, for each letter (by its node), its number in a certificate.

        The atoms of the problem come first, then atoms that occur only in lemmas, then Boolean variables. Return None
        if the certificate has too few letters.
        """
        own = len(self.atoms)
        more = len(certificate.atoms) - own
        if more < 0 or len(self.letters) + more > certificate.letters:
            return None
        return {x: i if i <= own else i + more for x, i in self.letters.items()}

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the formula and its groups, as text. Equal problems have equal digests."""
        numbers = self.formulas.number_letters(self.parts)
        groups = self.always, *self.apart, tuple(self.formulas.same(x, y) for x, y in self.definitions.items())
        written = [[self.formulas.write(x, numbers) for x in group] for group in groups]
        letters = [repr(self.formulas.node(x)) for x in numbers]
        return hashlib.sha256(json.dumps([letters, written]).encode()).hexdigest()


def is_product(stream: Stream) -> bool:
    """Whether a natural number is a product, or an operation that contains a product."""
    return not isinstance(stream, str) and (stream[0] == TIMES or any(map(is_product, stream[1:])))


@lru_cache(maxsize=2)
def read_problem(sequent: Sequent) -> Problem:
    """Return the cached result of `translate`. A search adds formulas to it. Raises Unsupported."""
    return translate(sequent)


def translate(sequent: Sequent) -> Problem:
    """Translate the negation of a sequent into a formula: the premises are true and the conclusion is false.

    Raises Unsupported if there is no exact translation.
    """
    algebra = Naturals()
    least = find_least(sequent)
    numbers: dict[str, NaturalNumber] = {}
    truths: dict[str, int] = {}
    for s in sequent.variables:
        if s.type == BOOL:
            truths[s.name] = algebra.formulas.truth(s.name)
        else:
            numbers[s.name] = algebra.variable(s.name, least.get(s.name, s.lo), s.hi)
    made = Translator(algebra, numbers, truths)
    assumed = [made.truth(x) for x in sequent.assume]
    apart = tuple(tuple(made.truth(x) for x in group) for group in sequent.tracked_premises)
    denied = -made.truth(sequent.show)
    always = (*algebra.definitions, *assumed, denied)
    parts, definitions = algebra.formulas.share((*always, *(x for group in apart for x in group)))
    rest = iter(parts[len(always) :])
    apart = tuple(tuple(islice(rest, len(group))) for group in apart)
    added, terms = tuple(algebra.added), tuple(made.list_numbers())
    return Problem(algebra.formulas, parts[: len(always)], apart, definitions, numbers, truths, added, terms)


# -- what is natural --------------------------------------------------------------------------------------------------
def find_least(sequent: Sequent) -> dict[str, int]:
    """Return lower bounds of variables that follow from their ranges and from the premises.

    A premise states such a bound as a number, or by variables whose bounds are known. The premises remain in the
    formula. A variable that cannot be negative is translated into one natural number, instead of a difference of two.
    """
    found: dict[str, int] = {s.name: s.lo for s in sequent.variables if s.lo is not None}
    bounds = [b for x in sequent.assume for part in t.conjuncts(x) for b in _bounds(part)]
    for _ in range(len(sequent.variables)):
        before = len(found)
        for name, low in bounds:
            value = _least_of(low, found)
            if name not in found and value is not None:
                found[name] = value
        if len(found) == before:
            break
    return found


def _bounds(term: t.Term) -> list[tuple[str, t.Term]]:
    """Return pairs (name, term) such that a condition implies `variable >= term` for the variable with this name.

    A disjunction gives a bound only if each of its alternatives gives a bound of the same variable.
    """
    if isinstance(term, t.AnyOf):
        branches = [dict(b for part in t.conjuncts(x) for b in _bounds(part)) for x in term.args]
        shared = [name for name in branches[0] if all(name in branch for branch in branches)]
        return [(name, _smallest(*(branch[name] for branch in branches))) for name in shared]
    if not isinstance(term, t.Operation) or term.op not in COMPARISONS:
        return []
    a, b = term.args
    pairs = {"ge": [(a, b)], "gt": [(a, b)], "le": [(b, a)], "lt": [(b, a)], "eq": [(a, b), (b, a)], "ne": []}
    return [(x.name, low) for x, low in pairs[term.op] if isinstance(x, t.Variable)]


def _smallest(*terms: t.Term) -> t.Term:
    return t.Operation(INT, 0, 0, "smallest", terms)


def _least_of(term: t.Term, known: Mapping[str, int]) -> int | None:
    """Return a lower bound of a term, computed from the lower bounds `known` of variables; None if there is none."""
    match term:
        case t.Literal(value=value):
            return value
        case t.Variable(name=name):
            return known.get(name)
        case t.Operation(op="add" | "mul" as op, args=(a, b)):
            x, y = _least_of(a, known), _least_of(b, known)
            if x is None or y is None or (op == "mul" and min(x, y) < 0):
                return None
            return x + y if op == "add" else x * y
        case t.Operation(op="smallest", args=args):
            least = [_least_of(x, known) for x in args]
            return None if None in least else min(x for x in least if x is not None)
        case t.Operation(op="mod", args=(_, t.Literal(value=by))) if by > 0:
            return 0
    return None


def find_values(problem: Problem, streams: Mapping[Stream, int], truths: Mapping[str, bool]) -> dict[str, int | bool]:
    """Return the values of the variables of the sequent, by name.

    `streams`, `truths`: the values of natural numbers and Boolean variables in the formula. A missing natural number is
    0, and a missing truth value is false.
    """
    found: dict[str, int | bool] = {}
    for name, number in problem.numbers.items():
        ((_, (terms, constant)),) = number.alternatives
        found[name] = constant + sum(k * streams.get(s, 0) for s, k in terms)
    for name, node in problem.truths.items():
        found[name] = truths.get(str(problem.formulas.node(node)), False)
    return found
