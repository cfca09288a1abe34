"""Proposals by Z3: sets of literals that apparently cannot all hold. Other modules check each proposal.

A literal is a comparison of a sum of natural numbers with 0, or its negation.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from math import prod
from operator import and_, xor

from claims.language.errors import NimChecksError
from encoders.logic.certificates import EQ, TIMES, XOR, Atom, Literal, Stream, natural
from encoders.z3_library import z3


# == proposer =========================================================================================================
# Z3 as a source of proposals. It receives SMT-LIB text, which is ten times as fast as building terms through its
# interface.
#
# Its answers are not trusted. All queries about one obligation share a session. Sessions are independent, so that a
# result does not depend on earlier obligations.
class Unsure(NimChecksError):
    """Z3 gave up on a query, or its answers do not suffice."""


class ProposerSession:
    """The Z3 context that all queries about one obligation share."""

    def __init__(self) -> None:
        self.context = z3.Context()


class Proposer:
    """A connection to Z3 for formulas in one logic of SMT-LIB ("" for any logic).

    Each query has a limit, in steps that Z3 counts. The object declares constants and chooses their names. A formula
    may have a mark, that is, a name; it is then asserted only in queries that mention the mark.
    """

    def __init__(self, logic: str, steps: int, session: ProposerSession | None = None) -> None:
        self._context = (session or ProposerSession()).context
        self._solver = _make_solver(logic, self._context)
        self._solver.set("random_seed", 1)
        self._solver.set("rlimit", steps)
        self._told: list[str] = []  # text not yet sent to Z3
        self._count = 0
        self._marks: dict[str, z3.BoolRef] = {}
        self._truths: dict[str, z3.FuncDeclRef] = {}
        self._names: dict[int, str] = {}  # names of marks, by their numbers in Z3

    def want_small_cores(self) -> None:
        """Let Z3 return minimal cores from now on; see `core`."""
        self._solver.set("core.minimize", True)

    def declare(self, sort: str) -> str:
        """Declare a new constant of the given sort, such as "Int", and return its name."""
        name = f"c{self._count}"
        self._count += 1
        self._told.append(f"(declare-const {name} {sort})")
        return name

    def say(self, formula: str) -> None:
        """Assert a formula, given as text in SMT-LIB, in all queries."""
        self._told.append(f"(assert {formula})")

    def mark(self, formula: str) -> str:
        """Give a formula a mark, and return the mark. The formula is asserted only in queries that mention the mark."""
        name = self.declare("Bool")
        self.say(f"(=> {name} {formula})")
        mark = self._marks[name] = z3.Bool(name, self._context)
        self._names[mark.get_id()] = name
        return name

    def is_possible(self, marks: Iterable[str] = ()) -> bool:
        """Ask Z3 whether all assertions and the formulas with these marks can hold together.

        Raises Unsure if Z3 gives up.
        """
        if self._told:
            self._solver.from_string("".join(self._told))
            self._told = []
        asked = [self._marks[x].as_ast() for x in marks]
        # The same as Solver.check, but without inspecting each mark again, which takes longer than the answer.
        answer = z3.Z3_solver_check_assumptions(
            self._context.ref(), self._solver.solver, len(asked), (z3.Ast * len(asked))(*asked)
        )
        if answer == z3.Z3_L_UNDEF:
            raise Unsure(self._solver.reason_unknown())
        return bool(answer == z3.Z3_L_TRUE)

    def core(self) -> set[str]:
        """Return some marks of the last query, which had no solution.

        The formulas with these marks suffice to show this.
        """
        return {self._names[x.get_id()] for x in self._solver.unsat_core()}

    def truths(self, names: Iterable[str]) -> list[bool]:
        """Return the values of Boolean constants in the solution of the last query.

        A constant whose value does not matter is False.
        """
        model, context = self._solver.model(), self._context.ref()
        true = z3.Z3_mk_true(context).value
        # The same as ModelRef.get_interp, but without creating an object for each value.
        found = (z3.Z3_model_get_const_interp(context, model.model, self._truth(x).ast) for x in names)
        return [x.value == true for x in found]

    def _truth(self, name: str) -> z3.FuncDeclRef:
        if name not in self._truths:
            self._truths[name] = z3.Bool(name, self._context).decl()
        return self._truths[name]

    def numbers(self, names: Iterable[str]) -> list[Fraction]:
        """Return the values of numbers and bit vectors in the solution of the last query.

        A constant whose value does not matter is 0. A bit vector is read as a natural number.
        """
        model = self._solver.model()
        found = {x.name(): x for x in model.decls()}
        return [_number(model[found[x]]) if x in found else Fraction(0) for x in names]


def _make_solver(logic: str, context: z3.Context) -> z3.Solver:
    if logic == "QF_LIA":  # gives the same results as SolverFor("QF_LIA") but starts in a third of the time
        return z3.SimpleSolver(ctx=context)
    return z3.SolverFor(logic, ctx=context) if logic else z3.Solver(ctx=context)


def _number(value: z3.ExprRef) -> Fraction:
    if isinstance(value, z3.RatNumRef):
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    assert isinstance(value, z3.IntNumRef | z3.BitVecNumRef)
    return Fraction(value.as_long())


def integer(value: int) -> str:
    """Return an integer as text in SMT-LIB: -3 gives "(- 3)"."""
    return str(value) if value >= 0 else f"(- {-value})"


def apply_operation(op: str, parts: Iterable[str], none: str) -> str:
    """Apply an operation of SMT-LIB to any number of parts, and return the text.

    A single part is returned unchanged. `none`: the result if there are no parts.
    """
    some = list(parts)
    return none if not some else some[0] if len(some) == 1 else f"({op} {' '.join(some)})"


# == oracle ===========================================================================================================
# Z3 proposes literals that apparently cannot all hold. The proposals are not trusted.
#
# There are two kinds of queries. Queries about sums of integers are fast, but do not model binary digits. Queries about
# words (bit vectors) model them.
STEPS_OF_SUMS = 1_000_000  # Z3's own count, for one query; if this is not enough, words are tried
STEPS_OF_WORDS = 20_000_000


class Oracle(ABC):
    """A class that asks Z3 for literals that apparently cannot all hold.

    A literal is a comparison of a sum with 0, or its negation. It is sent to Z3 when it is used for the first time.
    """

    def __init__(self, logic: str, steps: int, session: ProposerSession | None) -> None:
        self.solver = Proposer(logic, steps, session)
        self._streams: dict[Stream, str] = {}
        self._marks: dict[Literal, str] = {}

    def find_core(self, literals: Sequence[Literal]) -> list[Literal] | None:
        """Return some of the literals that apparently cannot all hold; None if Z3 finds numbers at which they hold.

        A literal is a comparison or its negation. It is omitted if the remaining literals still cannot all hold. Raises
        Unsure.
        """
        core = self._core(literals)
        if core is None:
            return None
        for x in list(core):
            if len(core) > 1 and x in core:
                with suppress(Unsure):
                    core = self._core([y for y in core if y != x]) or core
        return core

    def values(self, streams: Sequence[Stream]) -> dict[Stream, int]:
        """Return natural numbers at which all literals of the last call of `find_core` hold.

        That call must have returned None. A literal is a comparison or its negation.
        `streams`: the variables and operations whose values are returned.
        """
        found = self.solver.numbers(self._streams.get(s, "") for s in streams)
        return {s: int(x) for s, x in zip(streams, found, strict=True)}

    def _core(self, literals: Sequence[Literal]) -> list[Literal] | None:
        if self.solver.is_possible([self._mark(x) for x in literals]):
            return None
        named = self.solver.core()
        return [x for x in literals if self._mark(x) in named]

    def _mark(self, literal: Literal) -> str:
        """Return the mark of a comparison or negated comparison; see `Proposer`."""
        if literal not in self._marks:
            atom, wanted = literal
            told = self._read(atom)
            self._marks[literal] = self.solver.mark(told if wanted else f"(not {told})")
        return self._marks[literal]

    @abstractmethod
    def _read(self, atom: Atom) -> str:
        """Return the comparison as text in SMT-LIB."""


class Sums(Oracle):
    """An oracle that solves sums over integers.

    Every nim-sum, bitwise operation or product counts as an arbitrary number.
    """

    def __init__(self, session: ProposerSession | None = None) -> None:
        super().__init__("QF_LIA", STEPS_OF_SUMS, session)

    def _read(self, atom: Atom) -> str:
        terms = (f"(* {integer(k)} {self._number(s)})" for k, s in atom.terms)
        return f"({'=' if atom.kind == EQ else '<='} {apply_operation('+', terms, '0')} {integer(-atom.constant)})"

    def _number(self, stream: Stream) -> str:
        if stream not in self._streams:
            name = self._streams[stream] = self.solver.declare("Int")
            self.solver.say(f"(>= {name} 0)")
        return self._streams[stream]


class WordOracle(Oracle):
    """An oracle for natural numbers below 2^bits, which models nim-sums and bitwise operations by bit vectors.

    The bit vectors are so wide that the sums in `atoms` do not overflow. A product counts as an arbitrary number.
    """

    def __init__(self, atoms: Iterable[Atom], bits: int, session: ProposerSession | None = None) -> None:
        super().__init__("QF_BV", STEPS_OF_WORDS, session)
        self.bits = bits
        reached = max((self._reach(a) for a in atoms), default=1)
        self.width = (2 * reached).bit_length() + 2

    def _reach(self, atom: Atom) -> int:
        """Return a number that the sum in a comparison, without its constant, cannot exceed in absolute value."""
        return sum(abs(k) for k, _ in atom.terms) << self.bits

    def _read(self, atom: Atom) -> str:
        if abs(atom.constant) > self._reach(atom):  # the constant decides, because the numbers are too small
            return "true" if atom.kind != EQ and atom.constant < 0 else "false"
        parts = [self._literal(atom.constant)]
        for k, stream in atom.terms:
            word = self._stream(stream)
            parts.append(word if k == 1 else f"(bvneg {word})" if k == -1 else f"(bvmul {self._literal(k)} {word})")
        op = "=" if atom.kind == EQ else "bvsle"
        return f"({op} {apply_operation('bvadd', parts, '')} {self._literal(0)})"

    def _literal(self, value: int) -> str:
        return f"(_ bv{value % (1 << self.width)} {self.width})"

    def _stream(self, stream: Stream) -> str:
        if isinstance(stream, str) or stream[0] == TIMES:
            return self._word(stream)
        return apply_operation("bvxor" if stream[0] == XOR else "bvand", map(self._stream, stream[1:]), "")

    def _word(self, stream: Stream) -> str:
        if stream not in self._streams:
            word = self._streams[stream] = self.solver.declare(f"(_ BitVec {self.width})")
            self.solver.say(f"(bvult {word} {self._literal(1 << self.bits)})")
        return self._streams[stream]


# -- numbers at which literals hold -----------------------------------------------------------------------------------
# Z3 finds numbers at which literals with products hold, or literals that apparently cannot all hold.


STEPS = 2_000_000  # Z3's own count, for one query


def find_numbers(
    literals: Sequence[Literal], session: ProposerSession | None = None
) -> dict[Stream, int] | list[Literal]:
    """Return numbers at which the literals hold, or else a list of literals that apparently cannot all hold.

    A literal is a comparison or its negation, and may contain products. Nim-sums and bitwise operations count as
    independent numbers, so the result is only a proposal. Raises Unsure.
    """
    solver = Proposer("QF_NIA", STEPS, session)
    unknown: dict[Stream, str] = {}

    def name(s: Stream) -> str:
        if s not in unknown:
            unknown[s] = solver.declare("Int")
            solver.say(f"(>= {unknown[s]} 0)")
        return unknown[s]

    marks: dict[str, Literal] = {}
    for atom, wanted in literals:
        polynomial = natural((atom, wanted)).items()
        total = apply_operation(
            "+", (apply_operation("*", (integer(k), *map(name, m)), "") for m, k in polynomial), "0"
        )
        op = ">=" if atom.kind != EQ else "="
        told = f"({op} {total} 0)"
        marks[solver.mark(told if atom.kind != EQ or wanted else f"(not {told})")] = atom, wanted
    if not solver.is_possible(marks):
        return [marks[x] for x in marks if x in solver.core()]
    return {s: int(x) for s, x in zip(unknown, solver.numbers(unknown.values()), strict=True)}


def are_right(values: Mapping[Stream, int], literals: Sequence[Literal]) -> bool:
    """Whether the comparisons or negated comparisons `literals` hold at these values of the variables.

    Nim-sums and products are computed from the variables.
    """
    return all(_holds(literal, values) for literal in literals)


def _holds(literal: Literal, values: Mapping[Stream, int]) -> bool:
    atom, wanted = literal
    total = atom.constant + sum(k * _value(s, values) for k, s in atom.terms)
    return (total == 0 if atom.kind == EQ else total <= 0) is wanted


def _value(stream: Stream, values: Mapping[Stream, int]) -> int:
    if isinstance(stream, str):
        return values.get(stream, 0)
    parts = [_value(x, values) for x in stream[1:]]
    if stream[0] == TIMES:
        return prod(parts)
    return reduce(xor if stream[0] == XOR else and_, parts)
