"""The search for a certificate: Z3 proposes, the automaton decides; no answer of Z3 is believed.

Letters first: Z3 finds truth values of the letters at which the formula is true.  Of the literals that make it so the
oracle names some that exclude each other, and the automaton says whether they really do; that is a lemma, and it goes
on until no truth values are left.  Where the oracle finds numbers instead, they are a counterexample; but for it a
product of variables is any number, so where that is wrong the literals are looked at again, by `products`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import z3

from encoders.answer import Unsupported
from encoders.logic.naturals.automaton import TooWide, explore
from encoders.logic.naturals.certificate import Atom, Lemma, Stream
from encoders.logic.naturals.formulas import TRUE, Conjunction, Equivalence, Formulas
from encoders.logic.naturals.oracle import Sums, Unsure, Words
from encoders.logic.naturals.problem import is_product
from encoders.logic.naturals.products.numbers import are_right
from encoders.logic.naturals.products.refuting import refute_by_sum, refute_products
from encoders.logic.naturals.tree import Closed
from encoders.logic.naturals.verify import Literal, variables

SMALL = 4  # bits of the numbers that are tried first
LARGE = 12  # more bits than the largest constant has, if those do not do
MOST_WIDENED = 4  # times as many bits are as many as are tried
AT_ONCE = 8  # lemmas that are looked for in one assignment
MOST_ROUNDS = 3_000
STEPS = 20_000_000  # Z3's own count, for one question about letters


@dataclass(frozen=True)
class Refuted:
    """No numbers make all parts true. `core`: places of parts that suffice, with what is learnt, literals by node."""

    core: frozenset[int]
    learnt: tuple[Closed, ...]


@dataclass(frozen=True)
class Satisfied:
    """Numbers and truth values that seem to make all parts true."""

    streams: Mapping[Stream, int]
    truths: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class GivenUp:
    """Why nothing was found."""

    reason: str


def search(
    formulas: Formulas, parts: Sequence[int], definitions: Mapping[int, int], until: float | None = None
) -> Refuted | Satisfied | GivenUp:
    """Whether all parts can be true at once.

    `definitions`: letters, with what they stand for by some of the parts.  `until`: when to give up, by the clock
    `time.monotonic`.
    """
    try:
        return _Search(formulas, parts, definitions).run(until)
    except (TooWide, Unsure, Unsupported) as error:
        return GivenUp(str(error))


class _Search:
    def __init__(self, formulas: Formulas, parts: Sequence[int], definitions: Mapping[int, int]) -> None:
        self.formulas, self.definitions = formulas, definitions
        told = {formulas.same(x, y) for x, y in definitions.items()}
        self.parts = [x for x in parts if x not in told]
        self.letters = _Letters(formulas, parts)
        found = (formulas.node(x) for x in formulas.below(parts))
        self.atoms = [x for x in found if isinstance(x, Atom)]
        self.sums = Sums()
        self.words = Words(self.atoms, SMALL)
        self.learnt: list[Closed] = []

    def run(self, until: float | None) -> Refuted | Satisfied | GivenUp:
        for _ in range(MOST_ROUNDS):
            if until is not None and time.monotonic() > until:
                return GivenUp("out of time")
            model = self.letters.model()
            if model is None:
                core, used = self.letters.core()
                return Refuted(core, tuple(self.learnt[i] for i in sorted(used)))
            implicant = _Implicant(self.formulas, model, self.definitions)
            for x in self.parts:
                implicant.need(x)
            if not self._learn(implicant.atoms):
                streams = self._find_values(implicant.atoms)
                if streams is None:
                    continue
                truths = {
                    str(node): value for x, value in model.items() if isinstance(node := self.formulas.node(x), str)
                }
                return Satisfied(streams, truths)
        return GivenUp(f"more than {MOST_ROUNDS} rounds")

    def _literals(self, nodes: Sequence[int]) -> Iterator[Literal]:
        for x in nodes:
            atom = self.formulas.node(x)
            assert isinstance(atom, Atom)
            yield atom, x > 0

    def _learn(self, nodes: list[int]) -> bool:
        """Find lemmas among these literals; whether there is one."""
        places = dict(zip(self._literals(nodes), nodes, strict=True))
        left = list(places)
        for number in range(AT_ONCE):
            core = self._find_core(left)
            if core is None:
                return number > 0
            explored = self._explore([places[x] for x in core], core)
            if isinstance(explored, dict):  # the words were too small
                self._widen()
                return self._learn(nodes) or number > 0
            self._exclude(explored)
            left = [x for x in left if x not in core]
        return True

    def _explore(self, nodes: list[int], core: Sequence[Literal]) -> Closed | dict[Stream, int]:
        """A proof that the literals exclude each other; else numbers at which all hold. Raises TooWide."""
        if any(is_product(s) for atom, _ in core for _, s in atom.terms):
            found = refute_by_sum(self.formulas, nodes)
            if found is not None:
                return found
        try:
            explored = explore(core)
        except TooWide:
            closed = refute_products(self.formulas, nodes)
            if isinstance(closed, Closed):
                return closed
            raise
        return explored if isinstance(explored, dict) else Closed(frozenset(nodes), Lemma(tuple(nodes), explored))

    def _widen(self) -> None:
        """Larger words. Raises Unsure where they are as large as any."""
        bits = _wide(self.atoms) + LARGE
        if self.words.bits >= MOST_WIDENED * bits:
            raise Unsure(f"words of {self.words.bits} bits exclude what holds")
        self.words = Words(self.atoms, bits if self.words.bits == SMALL else 2 * self.words.bits)

    def _find_core(self, literals: Sequence[Literal]) -> list[Literal] | None:
        with suppress(Unsure):
            core = self.sums.find_core(literals)
            if core is not None:
                return core
        return self.words.find_core(literals)

    def _exclude(self, closed: Closed) -> None:
        self.learnt.append(closed)
        self.letters.exclude(sorted(closed.literals))

    def _find_values(self, nodes: list[int]) -> Mapping[Stream, int] | None:
        """Numbers at which these literals hold; None if their products exclude them, which is learnt. Raises Unsure."""
        literals = list(self._literals(nodes))
        streams = self.words.values(variables(literals))
        if are_right(streams, literals):
            return streams
        found = refute_products(self.formulas, nodes)
        if isinstance(found, Closed):
            self._exclude(found)
            return None
        if found is None or not are_right(found, literals):
            raise Unsure("of products of variables neither numbers nor a proof was found")
        return found


def _wide(atoms: Sequence[Atom]) -> int:
    """The bits of the largest constant."""
    return max((abs(a.constant).bit_length() for a in atoms), default=0)


class _Letters:
    """The formula as Z3 sees it: letters without a meaning, and what has been learnt of them."""

    def __init__(self, formulas: Formulas, parts: Sequence[int]) -> None:
        self.formulas = formulas
        self.context = z3.Context()
        self.solver = z3.Solver(ctx=self.context)
        self.solver.set("random_seed", 1)
        self.solver.set("rlimit", STEPS)
        self.solver.set("core.minimize", True)
        self.read: dict[int, z3.BoolRef] = {}
        self.nodes = [x for x in formulas.below(parts) if not formulas.parts(x) and x != TRUE]
        self.marks: list[z3.BoolRef] = []
        self.lemmas: list[z3.BoolRef] = []
        for i, x in enumerate(parts):
            self.marks.append(self._mark(f"part {i}", self._read(x)))

    def _mark(self, name: str, told: z3.BoolRef) -> z3.BoolRef:
        mark = z3.Bool(name, self.context)
        self.solver.add(z3.Implies(mark, told))
        return mark

    def exclude(self, literals: Sequence[int]) -> None:
        told = z3.Or(*(self._read(-x) for x in literals))
        self.lemmas.append(self._mark(f"lemma {len(self.lemmas)}", told))

    def model(self) -> dict[int, bool] | None:
        """Truth values of the letters, by node; None if there are none left. Raises Unsure."""
        answer = self.solver.check(*self.marks, *self.lemmas)
        if answer == z3.unknown:
            raise Unsure(self.solver.reason_unknown())
        if answer == z3.unsat:
            return None
        model = self.solver.model()
        return {x: z3.is_true(model.eval(self._read(x), model_completion=True)) for x in self.nodes}

    def core(self) -> tuple[frozenset[int], frozenset[int]]:
        """The places of the parts, and of the lemmas, that leave no truth values."""
        named = {x.get_id() for x in self.solver.unsat_core()}
        parts, lemmas = ([i for i, m in enumerate(marks) if m.get_id() in named] for marks in (self.marks, self.lemmas))
        return frozenset(parts), frozenset(lemmas)

    def _read(self, f: int) -> z3.BoolRef:
        if f < 0:
            return z3.Not(self._read(-f))
        if f not in self.read:
            match self.formulas.node(f):
                case None:
                    self.read[f] = z3.BoolVal(True, self.context)
                case Conjunction(parts):
                    self.read[f] = z3.And(*map(self._read, parts))
                case Equivalence(a, b):
                    self.read[f] = self._read(a) == self._read(b)
                case _:
                    self.read[f] = z3.Bool(f"letter {f}", self.context)
        return self.read[f]


class _Implicant:
    """Literals that make formulas true, as few as are easily found; `atoms`: their nodes, negative where false."""

    def __init__(self, formulas: Formulas, model: Mapping[int, bool], definitions: Mapping[int, int]) -> None:
        self.formulas, self.model, self.definitions = formulas, model, definitions
        self.atoms: list[int] = []
        self._values: dict[int, bool] = {}
        self._done = set[int]()

    def value(self, f: int) -> bool:
        x = abs(f)
        if x not in self._values:
            match self.formulas.node(x):
                case None:
                    self._values[x] = True
                case Conjunction(parts):
                    self._values[x] = all(map(self.value, parts))
                case Equivalence(a, b):
                    self._values[x] = self.value(a) is self.value(b)
                case _:
                    self._values[x] = self.model[x]
        return self._values[x] is (f > 0)

    def need(self, f: int) -> None:
        """Make sure that a formula which is true in the model is true by the literals."""
        if f in self._done:
            return
        self._done.add(f)
        match self.formulas.node(f):
            case Conjunction(parts) if f > 0:
                for x in parts:
                    self.need(x)
            case Conjunction(parts):
                self.need(min((-x for x in parts if not self.value(x)), key=self._cost))
            case Equivalence(a, b):
                for x in (a, b):
                    self.need(x if self.value(x) else -x)
            case Atom():
                self.atoms.append(f)
            case str() if abs(f) in self.definitions:
                self.need(self.definitions[abs(f)] if f > 0 else -self.definitions[abs(f)])

    def _cost(self, f: int) -> int:
        node = self.formulas.node(f)
        return 0 if f in self._done else 1 if isinstance(node, str) else 2 if isinstance(node, Atom) else 3
