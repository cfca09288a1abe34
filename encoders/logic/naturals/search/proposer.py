"""Z3 as it is asked for proposals: told in SMT-LIB, which is ten times as quick as to build terms by its interface.

Nothing that it answers is believed. What is asked of one obligation shares a session: another one knows nothing of it,
so that what is found does not depend on what was asked before.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from claims.language.ground.errors import NimChecksError
from encoders.ground.z3_library import z3


class Unsure(NimChecksError):
    """Z3 gave up."""


class ProposerSession:
    """What solvers share that are asked about one thing."""

    def __init__(self) -> None:
        self.context = z3.Context()


class Proposer:
    """A solver for one of SMT-LIB's logics, "" for any, which gives up after so many of Z3's own steps a question.

    Constants are declared here, and have names of their own.  A formula may be told with a mark: it is asked for only
    where the mark is named.
    """

    def __init__(self, logic: str, steps: int, session: ProposerSession | None = None) -> None:
        self._context = (session or ProposerSession()).context
        self._solver = _make_solver(logic, self._context)
        self._solver.set("random_seed", 1)
        self._solver.set("rlimit", steps)
        self._told: list[str] = []  # what Z3 has not heard yet
        self._count = 0
        self._marks: dict[str, z3.BoolRef] = {}
        self._truths: dict[str, z3.FuncDeclRef] = {}
        self._names: dict[int, str] = {}  # of marks, by Z3's number

    def want_small_cores(self) -> None:
        """From now on."""
        self._solver.set("core.minimize", True)

    def declare(self, sort: str) -> str:
        """A new constant, by its name."""
        name = f"c{self._count}"
        self._count += 1
        self._told.append(f"(declare-const {name} {sort})")
        return name

    def say(self, formula: str) -> None:
        """That a formula holds, in SMT-LIB."""
        self._told.append(f"(assert {formula})")

    def mark(self, formula: str) -> str:
        """The name of a mark, where which is asked for the formula holds."""
        name = self.declare("Bool")
        self.say(f"(=> {name} {formula})")
        mark = self._marks[name] = z3.Bool(name, self._context)
        self._names[mark.get_id()] = name
        return name

    def is_possible(self, marks: Iterable[str] = ()) -> bool:
        """Whether all that was said, and the formulas with these marks, may hold together. Raises Unsure."""
        if self._told:
            self._solver.from_string("".join(self._told))
            self._told = []
        asked = [self._marks[x].as_ast() for x in marks]
        # As Solver.check does, without looking at each of the marks again: that takes longer than the answer.
        answer = z3.Z3_solver_check_assumptions(
            self._context.ref(), self._solver.solver, len(asked), (z3.Ast * len(asked))(*asked)
        )
        if answer == z3.Z3_L_UNDEF:
            raise Unsure(self._solver.reason_unknown())
        return bool(answer == z3.Z3_L_TRUE)

    def core(self) -> set[str]:
        """The marks without which the last answer might have been another."""
        return {self._names[x.get_id()] for x in self._solver.unsat_core()}

    def truths(self, names: Iterable[str]) -> list[bool]:
        """The truth values that were found; False where any do."""
        model, context = self._solver.model(), self._context.ref()
        true = z3.Z3_mk_true(context).value
        # As ModelRef.get_interp does, without making an object of each.
        found = (z3.Z3_model_get_const_interp(context, model.model, self._truth(x).ast) for x in names)
        return [x.value == true for x in found]

    def _truth(self, name: str) -> z3.FuncDeclRef:
        if name not in self._truths:
            self._truths[name] = z3.Bool(name, self._context).decl()
        return self._truths[name]

    def numbers(self, names: Iterable[str]) -> list[Fraction]:
        """The numbers that were found; of words as naturals. 0 where any do."""
        model = self._solver.model()
        found = {x.name(): x for x in model.decls()}
        return [_number(model[found[x]]) if x in found else Fraction(0) for x in names]


def _make_solver(logic: str, context: z3.Context) -> z3.Solver:
    if logic == "QF_LIA":  # it finds the same as SolverFor of that logic, and begins in a third of the time
        return z3.SimpleSolver(ctx=context)
    return z3.SolverFor(logic, ctx=context) if logic else z3.Solver(ctx=context)


def _number(value: z3.ExprRef) -> Fraction:
    if isinstance(value, z3.RatNumRef):
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    assert isinstance(value, z3.IntNumRef | z3.BitVecNumRef)
    return Fraction(value.as_long())


def integer(value: int) -> str:
    """In SMT-LIB."""
    return str(value) if value >= 0 else f"(- {-value})"


def applied(op: str, parts: Iterable[str], none: str) -> str:
    """An operation of SMT-LIB on any number of parts; `none`: what it is of no part."""
    some = list(parts)
    return none if not some else some[0] if len(some) == 1 else f"({op} {' '.join(some)})"
