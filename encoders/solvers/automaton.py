"""The search for a certificate that proves a sequent, or for a counterexample.

A sequent consists of variables, premises and a conclusion. Z3 proposes which comparisons exclude each other. Automata
and other methods check each proposal, so that no answer of Z3 is trusted.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from claims.language.syntax.terms import BOOL
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.compute.arrays.limits import OutOfTime, TooLarge
from encoders.logic.certificates import TIMES, Atom, Certificate, CertificateLemma, Literal, Stream, Tree, variables
from encoders.logic.certificates import problem as find_problem
from encoders.logic.natural_formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Equivalence,
    Formulas,
    Problem,
    find_values,
    is_product,
    read_problem,
)
from encoders.logic.sequents import Sequent
from encoders.refusals import Unsupported
from encoders.solvers.effort import keep, recall, scale_of
from encoders.solvers.exclusions import (
    AutomatonTooWide,
    TooManyVariables,
    explore,
    refute_by_equal,
    refute_by_sum,
    refute_integers,
    refute_products,
)
from encoders.solvers.proposals import Proposer, ProposerSession, Sums, Unsure, WordOracle, apply_operation, are_right
from encoders.solvers.shipped import OBVIOUS
from encoders.solvers.solver import EVALUATION, Capability, Limits, SolverResult, SolverStatus
from encoders.solvers.tree import Closed, TreeTooLarge, build_tree

# == rounds ===========================================================================================================
# The search for a certificate. Z3 proposes, the automaton decides, and no answer of Z3 is trusted.
#
# The letters of a formula are its atoms (comparisons of sums) and its Boolean variables. First, Z3 finds truth values
# of the letters at which the formula is true. An oracle (another query to Z3) then selects literals that are true there
# and that apparently cannot all hold. The automaton decides whether this is right. If so, they become a lemma, and the
# search continues until no truth values are left. If the oracle finds numbers instead, these are a counterexample. The
# oracle treats a product of variables as an arbitrary number; if this leads to wrong numbers, `refute_products`
# examines the literals again.
# -- implicant --------------------------------------------------------------------------------------------------------
# The reason why a formula is true at some truth values of its letters: a few literals.


class Implicant:
    """A small set of atoms and negated atoms that suffice to make some formulas true. Atoms are comparisons of sums.

    `atoms`: this set, as nodes of `formulas`. A negative number denotes the negation of an atom.
    `model`: the truth values of the letters, that is, of all atoms and Boolean variables.
    """

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
        """Add atoms and negated atoms that make the formula `f` true. In the model, the formula must be true."""
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


# -- letters ----------------------------------------------------------------------------------------------------------
# The search for truth values of the letters, by Z3. Z3 does not know what the letters mean, except by the lemmas.


STEPS = 20_000_000  # Z3's own count, for one query


class Letters:
    """A search by Z3 for truth values of the letters at which all `parts` of a formula are true.

    The letters are the atoms (comparisons of numbers) and the Boolean variables. Z3 does not know which comparisons the
    letters denote.
    """

    def __init__(self, formulas: Formulas, parts: Sequence[int], session: ProposerSession | None = None) -> None:
        self.formulas = formulas
        self.solver = Proposer("QF_FD", STEPS, session)
        self.solver.want_small_cores()
        self.read: dict[int, str] = {TRUE: "true"}
        self.nodes = [x for x in formulas.list_nodes(parts) if not formulas.parts(x) and x != TRUE]
        self.marks = [self.solver.mark(self._read(x)) for x in parts]
        self.lemmas: list[str] = []

    def exclude(self, literals: Iterable[int]) -> None:
        """Add a lemma: not all of these literals are true.

        A literal is a letter (atom or Boolean variable) or its negation. A lemma without literals is false and ends the
        search.
        """
        self.lemmas.append(self.solver.mark(apply_operation("or", (self._read(-x) for x in literals), "false")))

    def model(self) -> dict[int, bool] | None:
        """Return truth values of the letters at which the parts and the lemmas hold; None if there are no such values.

        A letter is an atom or a Boolean variable, given by its node in `formulas`. Raises Unsure if Z3 gives up.
        """
        if not self.solver.is_possible([*self.marks, *self.lemmas]):
            return None
        return dict(zip(self.nodes, self.solver.truths(self._read(x) for x in self.nodes), strict=True))

    def core(self) -> tuple[frozenset[int], frozenset[int]]:
        """Return the indices of some parts, and of some lemmas, that cannot all be true.

        `model` must have returned None.
        """
        named = self.solver.core()
        parts, lemmas = ([i for i, m in enumerate(marks) if m in named] for marks in (self.marks, self.lemmas))
        return frozenset(parts), frozenset(lemmas)

    def _read(self, f: int) -> str:
        """Return the formula `f` as text in SMT-LIB."""
        x = abs(f)
        if x not in self.read:
            name = self.solver.declare("Bool")
            match self.formulas.node(x):
                case Conjunction(parts):
                    self.solver.say(f"(= {name} {apply_operation('and', map(self._read, parts), 'true')})")
                case Equivalence(a, b):
                    self.solver.say(f"(= {name} (= {self._read(a)} {self._read(b)}))")
            self.read[x] = name
        return self.read[x] if f > 0 else f"(not {self.read[x]})"


# -- rounds -----------------------------------------------------------------------------------------------------------
SMALL = 4  # bits of the numbers that are tried first
LARGE = 12  # after that, this many bits more than the largest constant
MOST_WIDENED = 4  # the last attempt has this many times as many bits
MANY = 7  # with at least this many variables, sums are tried before an automaton
FEW_STATES, MOST_STATES = 100, 30_000  # limits for an automaton, before and after sums are tried; the library needs 89
AT_ONCE = 8  # lemmas sought in one assignment
MOST_ROUNDS = 3_000


@dataclass(frozen=True)
class Refuted:
    """The result of a search that proved that the parts of a formula cannot all be true.

    `core`: the indices of parts that suffice for this, together with the lemmas `learnt`.
    `learnt`: lemmas, each of which states that some comparisons or negated comparisons cannot all hold.
    """

    core: frozenset[int]
    learnt: tuple[Closed, ...]


@dataclass(frozen=True)
class Satisfied:
    """The result of a search that found values at which all parts of a formula seem to be true.

    `streams`: the values of the natural numbers. `truths`: the values of the Boolean variables.
    """

    streams: Mapping[Stream, int]
    truths: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class GivenUp:
    """The result of a search that gave up, with the reason."""

    reason: str


def search(
    formulas: Formulas,
    parts: Sequence[int],
    definitions: Mapping[int, int],
    until: float | None = None,
    scale: int = 1,
) -> Refuted | Satisfied | GivenUp:
    """Search for values at which all parts of a formula are true, or for a proof that there are no such values.

    `parts`: formulas, as nodes of `formulas`.
    `definitions`: Boolean variables with the formulas that define them. The definitions must be among the parts.
    `until`: the time at which the search gives up, by the clock `time.process_time`; None for no limit.
    `scale`: a factor for the limits of rounds and states.
    """
    if formulas.conjunction(parts) == FALSE:
        return Refuted(_find_contradiction(formulas, parts), ())
    try:
        return _CertificateSearch(formulas, parts, definitions, scale).run(until)
    except (AutomatonTooWide, Unsure, Unsupported) as error:
        return GivenUp(str(error))


class _CertificateSearch:
    def __init__(
        self, formulas: Formulas, parts: Sequence[int], definitions: Mapping[int, int], scale: int = 1
    ) -> None:
        self.formulas, self.definitions, self.scale = formulas, definitions, scale
        told = {formulas.same(x, y) for x, y in definitions.items()}
        self.parts = [x for x in parts if x not in told]
        self.session = ProposerSession()
        self.letters = Letters(formulas, parts, self.session)
        found = (formulas.node(x) for x in formulas.list_nodes(parts))
        self.atoms = [x for x in found if isinstance(x, Atom)]
        self.sums = Sums(self.session)
        self.words = WordOracle(self.atoms, SMALL, self.session)
        self.wide = _wide(self.atoms) + LARGE  # bits of large words
        self.far: Mapping[Stream, int] | None = None  # numbers that are too large for the words
        self.learnt: list[Closed] = []

    def run(self, until: float | None) -> Refuted | Satisfied | GivenUp:
        most = MOST_ROUNDS * self.scale
        for _ in range(most):
            if until is not None and time.process_time() > until:
                return GivenUp("out of time")
            model = self.letters.model()
            if model is None:
                core, used = self.letters.core()
                return Refuted(core, tuple(self.learnt[i] for i in sorted(used)))
            implicant = Implicant(self.formulas, model, self.definitions)
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
        return GivenUp(f"no result after {most} rounds; --effort {2 * self.scale} allows twice as many")

    def _literals(self, nodes: Sequence[int]) -> Iterator[Literal]:
        for x in nodes:
            atom = self.formulas.node(x)
            assert isinstance(atom, Atom)
            yield atom, x > 0

    def _learn(self, nodes: list[int]) -> bool:
        """Learn lemmas, each of which states that some of the atoms or negated atoms in `nodes` cannot all hold.

        Return whether a lemma was learnt.
        """
        places = dict(zip(self._literals(nodes), nodes, strict=True))
        left = list(places)
        for number in range(AT_ONCE):
            core = self._find_core(left, number == 0)
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
        """Return a proof that comparisons cannot all hold, or numbers at which all of them hold.

        `nodes`: the comparisons or negated comparisons, as nodes of the formulas.
        `core`: the same comparisons as `Literal` values.
        Raises AutomatonTooWide.
        """
        streams = variables(core)
        first = refute_by_sum if any(map(is_product, streams)) else refute_integers if len(streams) >= MANY else None
        closed = first and first(self.formulas, nodes, self.session)
        if closed is not None:
            return closed
        try:
            return _close_by_states(nodes, core, FEW_STATES)
        except AutomatonTooWide:
            closed = refute_integers(self.formulas, nodes, self.session)
            closed = closed or refute_by_equal(self.formulas, nodes, self.session)
        if closed is not None:
            return closed
        if far := self._find_far(core):
            return far
        try:
            return _close_by_states(nodes, core, MOST_STATES * self.scale)
        except AutomatonTooWide as error:
            found = refute_products(self.formulas, nodes, self.session)
            if isinstance(found, Closed):
                return found
            if isinstance(error, TooManyVariables):
                raise
            raise AutomatonTooWide(f"{error}; --effort {2 * self.scale} allows twice as many") from None

    def _find_far(self, core: Sequence[Literal]) -> dict[Stream, int]:
        """Return numbers of at most `wide` bits at which the comparisons `core` hold; {} if they are not found."""
        if self.words.bits > SMALL:
            return {}
        wide = WordOracle(self.atoms, self.wide, self.session)
        with suppress(Unsure):
            if wide.find_core(core) is None:
                return wide.values(variables(core))
        return {}

    def _widen(self) -> None:
        """From now on, let Z3 search with words (bit vectors) of more bits.

        Raises Unsure if the words already have the largest number of bits.
        """
        bits = self.wide
        if self.words.bits >= MOST_WIDENED * bits:
            raise Unsure(f"the values that satisfy some comparisons need more than {self.words.bits} bits")
        self.words = WordOracle(self.atoms, bits if self.words.bits == SMALL else 2 * self.words.bits, self.session)

    def _find_core(self, literals: Sequence[Literal], by_words: bool) -> list[Literal] | None:
        """Return literals that apparently cannot all hold; None if numbers were found at which all literals hold.

        A literal is a comparison or its negation.
        `by_words`: whether to try small words (bit vectors) if sums of integers do not exclude the literals. If it is
        false, the result None may also mean that nothing was found.
        """
        self.far = None
        is_possible = False
        with suppress(Unsure):
            core = self.sums.find_core(literals)
            if core is not None:
                return core
            is_possible = True
        streams = variables(literals)
        if is_possible and any(map(is_product, streams)) and not any(map(_has_bits, literals)):
            self.far = self.sums.values(streams)  # words would take longer and add nothing
            return None
        core = self.words.find_core(literals) if by_words else None
        if core is not None and is_possible:
            far = self.sums.values(streams)
            if are_right(far, literals):
                self.far, core = far, None
        return core

    def _exclude(self, closed: Closed) -> None:
        self.learnt.append(closed)
        self.letters.exclude(sorted(closed.literals))

    def _find_values(self, nodes: list[int]) -> Mapping[Stream, int] | None:
        """Return numbers at which the comparisons or negated comparisons `nodes` hold.

        If products in them exclude all numbers, learn a lemma and return None. Raises Unsure if neither succeeds.
        """
        literals = list(self._literals(nodes))
        streams = self.far or self.words.values(variables(literals))
        if are_right(streams, literals):
            return streams
        found = refute_products(self.formulas, nodes, self.session)
        if isinstance(found, Closed):
            self._exclude(found)
            return None
        if found is None or not are_right(found, literals):
            raise Unsure("neither a counterexample nor a proof was found for products of variables")
        return found


def _find_contradiction(formulas: Formulas, parts: Sequence[int]) -> frozenset[int]:
    """Return the indices of parts whose conjunction simplifies to false. No part can be omitted.

    If there are several such sets, parts with a low index are preferred.
    """
    kept = dict(enumerate(parts))
    for place in reversed(range(len(parts))):
        rest = {i: x for i, x in kept.items() if i != place}
        if formulas.conjunction(rest.values()) == FALSE:
            kept = rest
    return frozenset(kept)


def _close_by_states(nodes: Sequence[int], core: Sequence[Literal], most: int) -> Closed | dict[Stream, int]:
    explored = explore(core, most)
    return (
        explored if isinstance(explored, dict) else Closed(frozenset(nodes), CertificateLemma(tuple(nodes), explored))
    )


def _has_bits(literal: Literal) -> bool:
    """Whether a comparison contains an operation on binary digits, such as a nim-sum."""
    return any(not isinstance(s, str) and s[0] != TIMES for _, s in literal[0].terms)


def _wide(atoms: Sequence[Atom]) -> int:
    """Return the number of bits of the largest constant in the comparisons `atoms`."""
    return max((abs(a.constant).bit_length() for a in atoms), default=0)


# == engine ===========================================================================================================
# From a sequent over all natural numbers to a certificate, or to numbers at which it fails, or to neither.
@dataclass(frozen=True)
class NaturalsFinding:
    """The result of the search for a certificate of one sequent (premises and a conclusion).

    `certificate`: a proof of the sequent; None if it is not found.
    `used`: the indices of the tracked premises (hypotheses and lemmas) that the proof uses.
    `values`: values of the variables at which the sequent seems to be false.
    `reason`: the reason why there is neither a certificate nor such values.
    `is_open`: whether another method may prove the sequent. This is so if the search reached a limit, or if the sequent
    contains products of variables that the search could not handle.
    `by_limit`: whether the search reached a limit.
    """

    certificate: Certificate | None = None
    used: frozenset[int] = frozenset()
    values: Mapping[str, int | bool] = field(default_factory=dict)
    reason: str = ""
    is_open: bool = False
    by_limit: bool = False


def settle(sequent: Sequent, until: float | None = None, scale: int = 1) -> NaturalsFinding:
    """Search for a certificate that the premises of a sequent imply its conclusion, or for a counterexample.

    `until`: the time at which the search gives up, by the clock `time.process_time`; None for no limit.
    `scale`: a factor for the usual limits.
    Raises Unsupported if the sequent has no exact translation into a formula over natural numbers.
    """
    problem = read_problem(sequent)
    remembered = recall(problem)
    if remembered is not None:
        return NaturalsFinding(*remembered)
    found = search(problem.formulas, problem.parts, problem.definitions, until, scale)
    match found:
        case GivenUp(reason):
            return NaturalsFinding(reason=reason, is_open=True, by_limit=True)
        case Satisfied(streams, truths):
            return NaturalsFinding(values=find_values(problem, streams, truths), is_open=problem.has_products)
    try:
        certificate = certify(problem, found)
    except TreeTooLarge as error:
        return NaturalsFinding(reason=str(error), is_open=True, by_limit=True)
    if wrong := find_problem(certificate):
        return NaturalsFinding(reason=f"the certificate is invalid: {wrong}")
    used = _find_used(problem, found.core)
    keep(problem, certificate, used)
    return NaturalsFinding(certificate, used)


def _find_used(problem: Problem, core: frozenset[int]) -> frozenset[int]:
    place, used = len(problem.always), set[int]()
    for i, group in enumerate(problem.apart):
        if core & set(range(place, place + len(group))):
            used.add(i)
        place += len(group)
    return frozenset(used)


def certify(problem: Problem, found: Refuted) -> Certificate:
    """Return the certificate of a sequent, after a search has refuted the formula `problem` that denies the sequent.

    The certificate contains only the lemmas that it uses. Raises TreeTooLarge.
    """
    formulas, parts = problem.formulas, problem.parts
    whole = formulas.conjunction(parts)
    if whole == FALSE:
        return OBVIOUS
    tree, lemmas = build_tree(formulas, [parts[i] for i in sorted(found.core)], found.learnt, problem.definitions)
    named_by = [x for lemma in lemmas for x in (*lemma.literals, *_letters(lemma.tree))]
    numbers = formulas.number_letters([whole, *named_by, *_letters(tree)])
    atoms = [node for x in numbers if isinstance(node := formulas.node(x), Atom)]
    named = tuple(
        replace(x, literals=_renumber_literals(x, numbers), tree=_renumber_tree(x.tree, numbers)) for x in lemmas
    )
    return Certificate(len(numbers), tuple(atoms), formulas.write(whole, numbers), named, _tree(tree, numbers))


def _letters(tree: Tree | None) -> Iterator[int]:
    """Yield the atoms and Boolean variables that a tree of case distinctions contains, as numbers (letters)."""
    if isinstance(tree, tuple):
        yield tree[0]
        for x in tree[1:]:
            yield from _letters(x)


def _renumber_literals(lemma: CertificateLemma, numbers: dict[int, int]) -> tuple[int, ...]:
    return tuple(numbers[abs(x)] * (1 if x > 0 else -1) for x in lemma.literals)


def _renumber_tree(tree: Tree | None, numbers: dict[int, int]) -> Tree | None:
    return None if tree is None else _tree(tree, numbers)


def _tree(tree: Tree, numbers: dict[int, int]) -> Tree:
    if isinstance(tree, int):
        return tree
    return numbers[tree[0]], _tree(tree[1], numbers), _tree(tree[2], numbers)


# == naturals =========================================================================================================
# Natural numbers of any size. The proofs are certificates, so they do not rely on a solver.
NAME = "certificate"
NESTED = "the obligation or its proof is nested too deeply"


class NaturalsSolver:
    """The solver that proves sequents (premises and a conclusion) by certificates.

    Evaluation must confirm each counterexample. The limits are numbers of rounds and numbers of states of automata.
    """

    name = NAME
    capabilities = frozenset({Capability.WORDS, Capability.INTEGERS})

    def check(self, sequent: Sequent, limits: Limits) -> SolverResult:
        until = None if limits.seconds is None else time.process_time() + limits.seconds
        try:
            found = settle(sequent, until, scale_of(limits.steps))
        except Unsupported as error:
            return SolverResult(NAME, SolverStatus.UNKNOWN, limits, reason=str(error), incomplete=True)
        except RecursionError:
            return SolverResult(NAME, SolverStatus.UNKNOWN, limits, reason=NESTED)
        if found.certificate is not None:
            plain = found.certificate.formula is False
            certificate, used = found.certificate, found.used
            return SolverResult(NAME, SolverStatus.PROVED, limits, plain=plain, certificate=certificate, used=used)
        if found.values and fails_at(sequent, found.values):
            return SolverResult(EVALUATION, SolverStatus.FAILS, limits, found.values)
        reason = found.reason or "evaluation does not confirm the counterexample that was found"
        return SolverResult(
            NAME, SolverStatus.UNKNOWN, limits, reason=reason, incomplete=found.is_open, by_limit=found.by_limit
        )

    def find_used_premises(self, sequent: Sequent, limits: Limits) -> frozenset[int] | None:
        return self.check(sequent, limits).used


def fails_at(sequent: Sequent, values: Mapping[str, int | bool]) -> bool:
    """Whether evaluation confirms that the sequent is false at these values.

    This requires that the values are in the ranges of the variables, all premises are true, and the conclusion is
    false. The result is False if a term is undefined or cannot be evaluated.
    """
    kinds = {s.name: bool if s.type == BOOL else object for s in sequent.variables}
    table = ColumnTable({name: np.array([values[name]], dtype=kind) for name, kind in kinds.items()})
    inside = all(
        s.type == BOOL or ((s.lo is None or s.lo <= values[s.name]) and (s.hi is None or values[s.name] <= s.hi))
        for s in sequent.variables
    )
    try:
        columns = [table.evaluate(x) for x in (*sequent.premises, sequent.show)]
    except (Unsupported, OutOfTime, TooLarge):
        return False
    if not inside or any(bool(c.undefined[0]) for c in columns):
        return False
    *assumed, shown = (bool(c.values[0]) for c in columns)
    return all(assumed) and not shown
