"""Certificates that no natural numbers satisfy a formula, and the verifier of these certificates. It is trusted."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeGuard

from claims.language.errors import NimChecksError

# == certificate ======================================================================================================
# The certificate that a formula over natural numbers of any size has no model. docs/certificates.md describes the
# format.
#
# This part contains only data, which is read from and written to JSON. `problem` decides whether a certificate is
# valid.
Stream = str | tuple["str | Stream", ...]
"""A natural number: the name of a variable, or an operation ("xor" | "and" | "times") with at least two streams."""

Terms = tuple[tuple[int, Stream], ...]
"""A sum: distinct streams, each with a nonzero coefficient."""

Formula = bool | int | tuple["str | Formula", ...]
"""A truth value, a letter (1, 2, ...), or ("not", f), ("and", f...), ("or", f...), ("iff", f, g)."""

Tree = int | tuple[int, "Tree", "Tree"]
"""0: the formula is false. -j: lemma j is violated (j >= 1). (letter, a, b): tree a if the letter is true, else b."""

State = tuple[int | None, ...]
"""The carry for each literal of a lemma; for an equation that can no longer hold, None instead."""

LE, EQ = "le", "eq"
TREE = "tree: expected 0, -lemma, or [letter, tree, tree]"
XOR, AND, TIMES = "xor", "and", "times"


class Malformed(NimChecksError, ValueError):
    """An invalid certificate. The message describes the expected form."""


@dataclass(frozen=True, slots=True)
class Atom:
    """An inequality "sum of `terms` + `constant` <= 0" (kind LE), or an equation "... == 0" (kind EQ).

    A term (k, x) is k times the natural number x.
    """

    kind: str
    terms: Terms
    constant: int


@dataclass(frozen=True, slots=True)
class Summand:
    """The product of `coefficient`, the natural numbers `streams`, and a polynomial for each of some literals.

    `places`: the indices of these literals in their lemma. The polynomial of a literal is `natural(literal)`. It is at
    least 0 if the literal holds.
    `streams`: each is a variable, or an operation on streams such as their nim-sum.
    """

    coefficient: int
    places: tuple[int, ...]
    streams: tuple[Stream, ...]


@dataclass(frozen=True, slots=True)
class CertificateLemma:
    """A list of literals of which at least one must be false if the formula is true.

    The literal n > 0 says that letter n (a propositional variable) is true, and -n says that it is false.
    A lemma has exactly one justification:
    - `states`: a set of states of a finite automaton that reads the variables bit by bit. The set contains the first
      state, is closed under all steps, and contains no accepting state;
    - `summands`: products that are at least 0 if the literals hold, although their sum is a negative constant;
    - `tree`: a case distinction, as in `Certificate`, that starts from the literals and refers only to earlier lemmas.
    """

    literals: tuple[int, ...]
    states: tuple[State, ...] = ()
    summands: tuple[Summand, ...] = ()
    tree: Tree | None = None


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof that `formula` is false for all values of its variables.

    The formula is built from letters (propositional variables), which are numbered from 1 to `letters`. The first
    ones stand for `atoms`, which are inequalities and equations between natural numbers. The others are truth values
    without further meaning.
    `tree`: a case distinction on the letters. At each leaf, the known letters contradict the formula or a lemma.
    """

    letters: int
    atoms: tuple[Atom, ...]
    formula: Formula
    lemmas: tuple[CertificateLemma, ...]
    tree: Tree

    def to_json(self) -> dict[str, object]:
        """Return the certificate as JSON data: a dictionary of lists, integers, text and null."""
        return {
            "letters": self.letters,
            "atoms": [[a.kind, _convert_to_lists(a.terms), a.constant] for a in self.atoms],
            "formula": _convert_to_lists(self.formula),
            "lemmas": [_lemma(x) for x in self.lemmas],
            "tree": _convert_to_lists(self.tree),
        }


@dataclass(frozen=True, slots=True)
class CertificateText:
    """A certificate as text for files: the JSON of `Certificate.to_json` without spaces."""

    text: str


def write(certificate: Certificate) -> CertificateText:
    """Return the certificate as JSON text."""
    return CertificateText(json.dumps(certificate.to_json(), separators=(",", ":")))


def _lemma(lemma: CertificateLemma) -> dict[str, object]:
    made: dict[str, object] = {"literals": list(lemma.literals)}
    if lemma.tree is not None:
        made["tree"] = _convert_to_lists(lemma.tree)
    elif lemma.summands:
        made["sum"] = [[s.coefficient, list(s.places), _convert_to_lists(s.streams)] for s in lemma.summands]
    else:
        made["states"] = _convert_to_lists(lemma.states)
    return made


def _convert_to_lists(x: object) -> object:
    return [_convert_to_lists(y) for y in x] if isinstance(x, tuple) else x


# -- reading ----------------------------------------------------------------------------------------------------------
def read_certificate(fields: object) -> Certificate:
    """Return the certificate that JSON data describes, as `Certificate.to_json` writes it.

    Raises Malformed for data of another form. The certificate is not checked; `problem` does this.
    """
    if not isinstance(fields, dict):
        raise Malformed("expected an object with the keys letters, atoms, formula, lemmas and tree")
    atoms = tuple(_atom(x) for x in _items(fields.get("atoms"), "atoms"))
    lemmas = tuple(_read_lemma(x) for x in _items(fields.get("lemmas"), "lemmas"))
    formula, tree = _tuples(fields.get("formula")), _tuples(fields.get("tree"))
    if not _is_formula(formula):
        raise Malformed("formula: expected a letter, a truth value, or not, and, or, iff of formulas")
    if not _is_tree(tree):
        raise Malformed(TREE)
    return Certificate(_integer(fields.get("letters"), "letters"), atoms, formula, lemmas, tree)


def _atom(x: object) -> Atom:
    kind, terms, constant = _items(x, "an atom", 3)
    if kind not in (LE, EQ):
        raise Malformed(f"the kind of an atom is {kind!r}; expected le or eq")
    return Atom(str(kind), tuple(_term(y) for y in _items(terms, "a sum")), _integer(constant, "a constant"))


def _term(x: object) -> tuple[int, Stream]:
    coefficient, stream = _items(x, "a summand", 2)
    return _integer(coefficient, "a coefficient"), _stream(stream)


def _stream(x: object) -> Stream:
    made = _tuples(x)
    if not _is_stream(made):
        raise Malformed('expected the name of a variable, or "xor", "and" or "times" with at least two operands')
    return made


def _read_lemma(x: object) -> CertificateLemma:
    if not isinstance(x, dict) or len(x) != 2 or "literals" not in x or not set(x) & {"states", "sum", "tree"}:
        raise Malformed("expected a lemma with the key literals, and one of the keys states, sum and tree")
    literals = tuple(_integer(y, "a literal") for y in _items(x["literals"], "literals"))
    if "tree" in x:
        tree = _tuples(x["tree"])
        if not _is_tree(tree):
            raise Malformed(TREE)
        return CertificateLemma(literals, tree=tree)
    if "sum" in x:
        return CertificateLemma(literals, summands=tuple(_summand(y) for y in _items(x["sum"], "a sum")))
    states = (_items(s, "a state") for s in _items(x["states"], "states"))
    return CertificateLemma(
        literals, tuple(tuple(None if c is None else _integer(c, "a carry") for c in s) for s in states)
    )


def _summand(x: object) -> Summand:
    coefficient, places, streams = _items(x, "a product", 3)
    read = tuple(_integer(p, "a place") for p in _items(places, "places"))
    return Summand(_integer(coefficient, "a coefficient"), read, tuple(map(_stream, _items(streams, "streams"))))


def _items(x: object, what: str, length: int | None = None) -> list[object]:
    if not isinstance(x, list) or (length is not None and len(x) != length):
        raise Malformed(f"{what}: expected a list{'' if length is None else f' of {length}'}")
    return x


def _integer(x: object, what: str) -> int:
    if not isinstance(x, int) or isinstance(x, bool):
        raise Malformed(f"{what}: expected an integer")
    return x


def _tuples(x: object) -> object:
    return tuple(map(_tuples, x)) if isinstance(x, list) else x


def _is_stream(x: object) -> TypeGuard[Stream]:
    if isinstance(x, tuple):
        return len(x) >= 3 and x[0] in (XOR, AND, TIMES) and all(map(_is_stream, x[1:]))
    return isinstance(x, str)


def _is_formula(x: object) -> TypeGuard[Formula]:
    if not isinstance(x, tuple):
        return isinstance(x, int)
    takes = {"not": (1,), "iff": (2,), "and": range(len(x)), "or": range(len(x))}
    return bool(x) and isinstance(x[0], str) and len(x) - 1 in takes.get(x[0], ()) and all(map(_is_formula, x[1:]))


def _is_tree(x: object) -> TypeGuard[Tree]:
    if isinstance(x, tuple):
        return len(x) == 3 and not isinstance(x[0], tuple) and all(map(_is_tree, x))
    return isinstance(x, int) and not isinstance(x, bool)


# == verify ===========================================================================================================
# The verification of certificates. It is exact, and it is the only trusted part of this package.
#
# A sum is evaluated bit by bit, lowest bit first. After n bits only the carry floor((sum + constant) / 2^n) matters.
# Literals therefore form a finite automaton whose states are tuples of carries. They cannot all hold if some set of
# states contains the initial state, is closed under all letters, and contains no accepting state.
MOST_VARIABLES = 14
"""The limit for a lemma with an automaton: its check tries every choice of one bit per variable."""

MOST_STEPS = 20_000_000
"""The limit for one certificate, about ten seconds. The most expensive certificate of the library needs 1 200 000."""

MOST_DEPTH = 150
"""The limit for the nesting of formulas, trees and streams, so that every JSON reader accepts them. Proofs need 100."""


class CertificateTooLarge(NimChecksError):
    """An error: the check of a certificate needs more steps than the limit allows."""


class VerifierSteps:
    """The number of steps that the check of a certificate may still take. It begins with MOST_STEPS."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def take(self, count: int) -> None:
        """Subtract `count` steps. Raises CertificateTooLarge if fewer remain."""
        self.left -= count
        if self.left < 0:
            raise CertificateTooLarge


Literal = tuple[Atom, bool]  # an atom, and whether it is true
Monomial = tuple[Stream, ...]  # its factors, sorted
Rows = tuple[int, int]  # two bit sets: the rows in which a formula is true, and those in which it is false


def problem(certificate: Certificate) -> str:
    """Return the reason why the certificate is invalid; "" if it is valid.

    A valid certificate proves that no natural numbers satisfy its formula.
    """
    if not 0 <= len(certificate.atoms) <= certificate.letters:
        return "there are fewer letters than atoms"
    trees = (x.tree for x in certificate.lemmas)
    if _is_deeper((certificate.atoms, certificate.formula, certificate.tree, *trees), MOST_DEPTH + 1):
        return f"it has more than {MOST_DEPTH} nested levels"
    steps = VerifierSteps()
    try:
        for number, lemma in enumerate(certificate.lemmas, 1):
            if wrong := _doubt(certificate, number - 1, lemma, steps):
                return f"lemma {number} is not shown{wrong}"
        return find_open(certificate, certificate.tree, len(certificate.lemmas), (), steps)
    except CertificateTooLarge:
        return f"it is too large: the check needs more than {MOST_STEPS} steps"


def _is_deeper(whole: object, most: int) -> bool:
    """Return whether tuples are nested in more than `most` levels. An atom counts as its tuple of terms."""
    level = [whole]
    for _ in range(most + 1):
        inner = (x.terms if isinstance(x, Atom) else x for x in level)
        level = [y for x in inner if isinstance(x, tuple) for y in x if isinstance(y, tuple | Atom)]
    return bool(level)


def _doubt(certificate: Certificate, earlier: int, lemma: CertificateLemma, steps: VerifierSteps) -> str:
    """Return the reason why a lemma is invalid; "" if its literals cannot all hold.

    `earlier`: the number of lemmas to which this lemma may refer. Raises CertificateTooLarge.
    """
    if lemma.tree is not None:
        if not all(1 <= abs(x) <= certificate.letters for x in lemma.literals):
            return ": a literal is not a letter"
        open_leaf = find_open(certificate, lemma.tree, earlier, lemma.literals, steps)
        return f": {open_leaf}" if open_leaf else ""
    if not all(1 <= abs(x) <= len(certificate.atoms) for x in lemma.literals):
        return ": a literal is not an atom"
    literals = [(certificate.atoms[abs(x) - 1], x > 0) for x in lemma.literals]
    if lemma.summands:
        return "" if is_negative(literals, lemma.summands, steps) else ": its sum is not a negative constant"
    return "" if is_closed(literals, lemma.states, steps) else ": its states are not an invariant"


# -- lemmas by an automaton -------------------------------------------------------------------------------------------
def is_closed(literals: Sequence[Literal], states: Sequence[State], steps: VerifierSteps) -> bool:
    """Return whether `states` prove that the literals cannot all hold.

    The automaton of the literals reads the variables bit by bit, from the lowest bit. `states` must contain its first
    state and every state that follows a state in `states`, but no accepting state. Raises CertificateTooLarge.
    """
    known, names, terms = set(states), variables(literals), [x for atom, _ in literals for x in atom.terms]
    if len(names) > MOST_VARIABLES or not all(len(s) == len(literals) for s in known):
        return False
    if first_state(literals) not in known or any(accepts(literals, s) for s in known):
        return False
    width = _width(*(k for k, _ in terms), *(a.constant for a, _ in literals), *(c or 0 for s in known for c in s))
    steps.take(width * (sum(_measure(s) for _, s in terms) + len(literals)) << len(names))
    found = letters(literals)
    steps.take(width * len(known) * len(found) * (1 + len(literals)))
    return all((after := step(literals, s, x)) is None or after in known for s in known for x in found)


def _width(*numbers: int) -> int:
    """Return the approximate number of 64-bit words of the longest of the numbers; at least 1."""
    return 1 + max((x.bit_length() for x in numbers), default=0) // 64


def _measure(stream: Stream) -> int:
    """Return the number of variables and operations in a stream: 3 for the nim-sum of two variables."""
    return 1 if isinstance(stream, str) else 1 + sum(map(_measure, stream[1:]))


def first_state(literals: Sequence[Literal]) -> State:
    """Return the state of the automaton before it reads the first bit: one carry for each literal.

    The carry of an equation sum + c == 0 is c. The carry of an inequality sum + c <= 0 is c - 1, because the automaton
    decides sum + c - 1 < 0.
    """
    return tuple(a.constant if a.kind == EQ else a.constant - 1 for a, _ in literals)


def step(literals: Sequence[Literal], state: State, letter: tuple[int, ...]) -> State | None:
    """Return the state of the automaton after one more bit; None if some literal can no longer hold.

    `letter`: for each literal, the sum of its terms for the current bit of each variable.
    """
    after: list[int | None] = []
    for (atom, wanted), carry, add in zip(literals, state, letter, strict=True):
        if carry is None or (atom.kind == EQ and (carry + add) % 2):
            if wanted:
                return None
            after.append(None)
        else:
            after.append((carry + add) // 2)
    return tuple(after)


def accepts(literals: Sequence[Literal], state: State) -> bool:
    """Return whether a state is accepting: whether all literals hold if all further bits of the variables are 0."""
    pairs = zip(literals, state, strict=True)
    return all((c == 0 if a.kind == EQ else c is not None and c < 0) is wanted for (a, wanted), c in pairs)


def letters(literals: Sequence[Literal]) -> list[tuple[int, ...]]:
    """Return the letters of the automaton in ascending order, without repetitions.

    A letter is the tuple of the sums, one for each literal, that results from a choice of one bit for each variable.
    """
    return sorted(set(sums_by_bits(literals)))


def sums_by_bits(literals: Sequence[Literal]) -> list[tuple[int, ...]]:
    """Return a tuple for each choice of one bit for each variable: for each literal, the sum of its terms.

    The choices are in the order of `itertools.product((0, 1), repeat=n)` for the n `variables(literals)`.
    """
    names = variables(literals)
    every = list(product((0, 1), repeat=len(names)))
    bits = dict(zip(names, zip(*every, strict=True), strict=True)) if names else {}
    columns: list[list[int]] = []
    for atom, _ in literals:
        column = [0] * len(every)
        for k, s in atom.terms:
            column = [x + k * bit for x, bit in zip(column, _bits(s, bits), strict=True)]
        columns.append(column)
    return list(zip(*columns, strict=True)) if columns else [()]


def variables(literals: Sequence[Literal]) -> list[Stream]:
    """Return the natural numbers in the literals whose bits the automaton reads: the variables and the products.

    A product is treated like a variable, because the automaton cannot compute its bits.
    """
    found: set[Stream] = set()
    for atom, _ in literals:
        for _, stream in atom.terms:
            found.update(_leaves(stream))
    return sorted(found, key=repr)


def _leaves(stream: Stream) -> Iterator[Stream]:
    if isinstance(stream, str) or stream[0] == TIMES:
        yield stream
    else:
        for x in stream[1:]:
            yield from _leaves(x)


def _bits(stream: Stream, bits: Mapping[Stream, Sequence[int]]) -> Sequence[int]:
    """Return the current bit of a natural number, for each choice of the current bits of the variables.

    `bits`: the current bit of each variable and product, for each choice. All lists have the same order.
    """
    if isinstance(stream, str) or stream[0] == TIMES:
        return bits[stream]
    parts = zip(*(_bits(x, bits) for x in stream[1:]), strict=True)
    if stream[0] == XOR:
        return [sum(x) % 2 for x in parts]
    assert stream[0] == AND
    return [min(x) for x in parts]


# -- lemmas by a sum --------------------------------------------------------------------------------------------------
def is_negative(literals: Sequence[Literal], summands: Sequence[Summand], steps: VerifierSteps) -> bool:
    """Return whether the summands prove that the literals cannot all hold.

    They do if each summand is at least 0 whenever the literals hold, but their sum is a negative constant.
    Raises CertificateTooLarge.
    """
    total: Counter[Monomial] = Counter()
    for summand in summands:
        if not all(0 <= p < len(literals) for p in summand.places):
            return False
        factors = [literals[p] for p in summand.places]
        if any(atom.kind == EQ and not wanted for atom, wanted in factors):
            return False
        if summand.coefficient <= 0 and not any(atom.kind == EQ for atom, _ in factors):
            return False
        found: Counter[Monomial] = Counter({monomial(summand.streams): summand.coefficient})
        for literal in factors:
            factor = natural(literal)
            steps.take(_weigh(found) * _weigh(factor))
            found = multiply_polynomials(found, factor)
        for x, coefficient in found.items():
            total[x] += coefficient
    return {x for x, coefficient in total.items() if coefficient} == {()} and total[()] < 0


def _weigh(polynomial: Mapping[Monomial, int]) -> int:
    """Return the size of a polynomial, by which the steps of a multiplication are counted.

    Each monomial counts 1 plus its number of factors. The total is multiplied by the width of the coefficients.
    """
    return sum(1 + len(x) for x in polynomial) * _width(*polynomial.values())


def natural(literal: Literal) -> Counter[Monomial]:
    """Return a polynomial that is at least 0 if the literal holds; it is 0 if the literal states an equation.

    For the inequality x - 3 <= 0, it is 3 - x. For its negation, it is x - 4. The negation of an equation has no such
    polynomial; the caller excludes it.
    """
    atom, wanted = literal
    sign = -1 if atom.kind == LE and wanted else 1
    found: Counter[Monomial] = Counter({(): sign * atom.constant - (atom.kind == LE and not wanted)})
    for coefficient, stream in atom.terms:
        found[monomial((stream,))] += sign * coefficient
    return found


def multiply_polynomials(a: Mapping[Monomial, int], b: Mapping[Monomial, int]) -> Counter[Monomial]:
    """Return the product of two polynomials."""
    found: Counter[Monomial] = Counter()
    for x, c in a.items():
        for y, d in b.items():
            found[tuple(sorted((*x, *y), key=repr))] += c * d
    return found


def monomial(streams: Sequence[Stream]) -> Monomial:
    """Return the product of natural numbers as a sorted tuple of factors. Factors that are products are expanded."""
    factors: list[Stream] = []
    for s in streams:
        factors += [s] if isinstance(s, str) or s[0] != TIMES else monomial(s[1:])
    return tuple(sorted(factors, key=repr))


# -- the tree ---------------------------------------------------------------------------------------------------------
def find_open(certificate: Certificate, root: Tree, lemmas: int, literals: Sequence[int], steps: VerifierSteps) -> str:
    """Return in words the first fault of a tree of case distinctions; "" if every leaf has a contradiction.

    A fault is a leaf at which nothing is contradicted, or a reference to a missing letter or lemma.
    `literals`: the literals that are known at the root.
    `lemmas`: the tree may refer only to the first `lemmas` lemmas. Raises CertificateTooLarge.
    """
    ends: list[dict[int, bool]] = []  # the known letters at each leaf where the formula should be false
    todo: list[tuple[Tree, dict[int, bool]]] = [(root, {abs(x): x > 0 for x in literals})]
    while todo:
        tree, known = todo.pop()
        steps.take(1 + len(known))
        if not isinstance(tree, int):
            letter, yes, no = tree
            if not 1 <= letter <= certificate.letters:
                return f"the tree splits on {letter}; the letters of the certificate are 1 to {certificate.letters}"
            todo += [(no, {**known, letter: False}), (yes, {**known, letter: True})]
        elif tree == 0:
            ends.append(known)
        elif not 1 <= -tree <= lemmas:
            return f"a leaf refers to lemma {-tree}, which does not exist"
        elif not _is_violated(certificate.lemmas[-tree - 1], known, steps):
            return f"a leaf is open: lemma {-tree} does not contradict the known literals ({_list_literals(known)})"
    if ends:
        size = _measure_formula(certificate.formula) + sum(map(len, ends))
        steps.take(size * (1 + len(ends) // 64))
    for found, known in zip(values(certificate.formula, ends), ends, strict=True):
        if found is not False:
            return f"a leaf is open: the formula does not contradict the known literals ({_list_literals(known)})"
    return ""


def _measure_formula(formula: Formula) -> int:
    """Return the number of subformulas, including the formula itself."""
    if not isinstance(formula, tuple):
        return 1
    return 1 + sum(_measure_formula(x) for x in formula[1:] if not isinstance(x, str))


def _is_violated(lemma: CertificateLemma, known: Mapping[int, bool], steps: VerifierSteps) -> bool:
    steps.take(len(lemma.literals))
    return all(known.get(abs(x)) is (x > 0) for x in lemma.literals)


def _list_literals(known: Mapping[int, bool]) -> str:
    return ", ".join(str(x if wanted else -x) for x, wanted in known.items()) or "none"


def values(formula: Formula, rows: Sequence[Mapping[int, bool]]) -> list[bool | None]:
    """Return the truth value of a formula for each of `rows`, which map some letters to their truth values.

    The value is None if the letters in the row do not determine it.
    """
    letters: defaultdict[int, Rows] = defaultdict(lambda: (0, 0))
    for place, known in enumerate(rows):
        for letter, holds in known.items():
            true, false = letters[letter]
            letters[letter] = (true | 1 << place, false) if holds else (true, false | 1 << place)
    true, false = _decide_rows(formula, letters, (1 << len(rows)) - 1)
    return [True if true >> i & 1 else False if false >> i & 1 else None for i in range(len(rows))]


def _decide_rows(formula: Formula, letters: Mapping[int, Rows], every: int) -> Rows:
    if isinstance(formula, bool):
        return (every, 0) if formula else (0, every)
    if isinstance(formula, int):
        return letters.get(formula, (0, 0))
    op, *args = formula
    parts = (_decide_rows(x, letters, every) for x in args if not isinstance(x, str))
    if op == "not":
        [(true, false)] = parts
        return false, true
    if op == "iff":
        (true, false), (yes, no) = parts
        return true & yes | false & no, true & no | false & yes
    all_hold, one_fails = every, 0
    for true, false in parts if op == "and" else ((no, yes) for yes, no in parts):
        all_hold, one_fails = all_hold & true, one_fails | false
        if one_fails == every:
            break
    return (all_hold, one_fails) if op == "and" else (one_fails, all_hold)
