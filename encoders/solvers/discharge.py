"""Proof or refutation of an obligation: first evaluation for small values, then solvers.

An obligation is one of the statements that together imply a claim. It has the form of a sequent: premises and a
conclusion.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from claims.language.syntax import terms as t
from claims.language.syntax.printing import structural_key
from claims.language.syntax.terms import BOOL
from encoders.compute.arrays.evaluate import ColumnTable
from encoders.compute.arrays.limits import OutOfTime, TooLarge
from encoders.compute.arrays.values import Array, to_array
from encoders.logic.answer import PLAIN, Obligation, ObligationStatus
from encoders.logic.certificates import CertificateText
from encoders.logic.natural_formulas import read_problem
from encoders.logic.sequents import NO, Sequent, Symbol, names_in
from encoders.logic.smt import script_of
from encoders.periods.tables import (
    PeriodicTable,
    QuotientTable,
    TableTooLarge,
    UnverifiedTable,
    quotient_to_text,
    to_text,
    verify,
    verify_quotient,
)
from encoders.refusals import Unsupported
from encoders.solvers import default_solver, exact, list_confirming_solvers
from encoders.solvers.effort import USUAL, Effort
from encoders.solvers.solver import (
    EVALUATION,
    Limits,
    NotInstalled,
    Solver,
    SolverResult,
    SolverStatus,
    refuse_unless_capable,
)
from encoders.trust import OpenReason

# == agreement ========================================================================================================
# Do other solvers give the same result for an obligation that one solver has settled?
#
# All solvers receive the same obligation. A solver that uses words of limited size makes no statement about larger
# numbers. It confirms a proof only below its bound, and it does not contradict a counterexample beyond this bound.
Run = Callable[[Solver, int], SolverResult]  # one run of a solver, with a seed


@dataclass(frozen=True)
class CrossCheck:
    """A comparison of a result with other solvers, or with other seeds of the same solver.

    `against`: the solver with the opposite result; "" if there is none.
    `confirmed`: the names of the solvers with the same result.
    `notes`: sentences for the report.
    `steady`: whether a second run gives the same comparison. It is false if a solver gave up, because this solver might
    succeed next time.
    """

    against: str = ""
    confirmed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    steady: bool = True


def ask(solver: Solver, sequent: Sequent, limits: Limits) -> SolverResult:
    """Run a solver on a sequent, and return its result; UNKNOWN if the solver cannot read the sequent.

    Raises Unsupported if the solver lacks a required capability. Raises NotInstalled.
    """
    refuse_unless_capable(solver, sequent)
    try:
        return solver.check(sequent, limits)
    except NotInstalled:
        raise
    except Unsupported as error:
        return SolverResult(solver.name, SolverStatus.UNKNOWN, limits, reason=str(error), incomplete=True)


def hear_seeds(solver: Solver, seeds: Iterable[int], run: Run) -> CrossCheck:
    """Repeat a proof by the same solver with each of these seeds, and compare the results.

    `run`: a function that runs a solver with a seed.
    """
    unstable = []
    for seed in seeds:
        found = run(solver, seed).found
        if found is SolverStatus.FAILS:
            return CrossCheck(f"{solver.name} with the seed {seed}")
        if found is not SolverStatus.PROVED:
            unstable.append(str(seed))
    if not unstable:
        return CrossCheck()
    return CrossCheck(notes=(f"unstable: {solver.name} gives up with seed {', '.join(unstable)}",), steady=False)


def cross_check_proof(others: Iterable[Solver], seed: int, run: Run) -> CrossCheck:
    """Run other solvers on an obligation that is already proved, and compare the results. `run`: as in `hear_seeds`."""
    confirmed, notes, steady = [], [], True
    for other in others:
        outcome = run(other, seed)
        match outcome.found:
            case SolverStatus.FAILS:
                return CrossCheck(other.name)
            case SolverStatus.PROVED:
                confirmed.append(other.name)
                notes.append(f"confirmed by {other.name}")
            case SolverStatus.BOUNDED:
                notes.append(f"confirmed below 2^{outcome.bounded_to} by {other.name}")
            case SolverStatus.UNKNOWN:
                notes.append(f"not confirmed by {other.name}: {outcome.reason}")
                steady = False
    return CrossCheck("", tuple(confirmed), tuple(notes), steady)


def hear_of_failure(
    others: Iterable[Solver], seed: int, run: Run, sequent: Sequent, values: Mapping[str, int | bool]
) -> CrossCheck:
    """Run other solvers on an obligation that is false at these values, and compare the results.

    `run`: as in `hear_seeds`.
    """
    notes = []
    for other in others:
        outcome = run(other, seed)
        if outcome.found is SolverStatus.PROVED:
            return CrossCheck(other.name)
        if outcome.found is SolverStatus.BOUNDED:
            assert outcome.bounded_to is not None
            if not _is_beyond(sequent, values, outcome.bounded_to):
                return CrossCheck(other.name)
            notes.append(
                f"{other.name} proves the obligation below 2^{outcome.bounded_to}, and these values are larger"
            )
    return CrossCheck(notes=tuple(notes))


def _is_beyond(sequent: Sequent, values: Mapping[str, int | bool], bits: int) -> bool:
    """Whether some variable without an upper or lower bound has a value that does not fit into words of `bits` bits."""
    return any(
        (s.hi is None and values.get(s.name, 0) >= 1 << bits) or (s.lo is None and values.get(s.name, 0) <= -1 << bits)
        for s in sequent.variables
        if s.type != BOOL
    )


# == box ==============================================================================================================
# Evaluation of a sequent on a box of small values, before any solver is asked.
#
# The variables get their values one after the other, in all combinations. A premise is evaluated as soon as all its
# variables have values. The combinations at which it is false are removed. If a premise states that a variable equals
# a term whose value is known, the variable gets it too. If there are more combinations than ROWS, a fixed sample
# of them remains. The box can refute a sequent, but it cannot prove one.
ROWS = (300, 1000, 4000)  # limits for the combinations after each variable; the next is tried if none remained
VALUES = 4  # number of values of a variable, from its least value on
SEED = 20
CELLS = 200_000  # the limit of rows times variables; sequents with more variables skip the larger ROWS
LARGE = 1 << 20  # larger numbers count as equal in the order of rows

Columns = dict[str, Array]


@dataclass(frozen=True)
class BoxCheck:
    """The result of an evaluation of a sequent (premises and a conclusion) at small values of its variables.

    `cases`: the number of cases in which all premises hold and the conclusion was evaluated.
    `falsified`: the first of these cases in which the conclusion is false; None if there is none.
    """

    cases: int
    falsified: Mapping[str, int | bool] | None = None


def check_on_box(sequent: Sequent) -> BoxCheck:
    """Evaluate a sequent (premises and a conclusion) at combinations of small values of its variables.

    If it cannot be evaluated, the result has 0 cases.
    """
    try:
        for rows in ROWS:
            if rows * len(sequent.variables) > CELLS:
                break
            found = _Box(sequent, rows).look()
            if found.cases:
                return found
        return BoxCheck(0)
    except (Unsupported, OutOfTime, TooLarge):
        return BoxCheck(0)


@dataclass(eq=False)
class _PendingAssumption:
    """A premise that is evaluated as soon as the variables in `missing` have values."""

    term: t.Term
    missing: set[str]


@dataclass(eq=False)
class _Equation:
    """An equation `name == value`, which may suggest values of the variable `name`.

    `missing`: the variables of the term `value` that have no values yet. If there are none, the value of the term is
    tried as a value of the variable.
    `sure`: whether the equation is a premise. If false, it is only a part of one, such as an alternative.
    """

    name: str
    value: t.Term
    missing: set[str]
    sure: bool


class _Box:
    def __init__(self, sequent: Sequent, rows: int) -> None:
        self.sequent, self.most = sequent, rows
        self.columns: Columns = {}
        self._table: ColumnTable | None = None
        self.rows = 1
        self.total = np.zeros(1, dtype=np.int64)  # for each row, the sum of the absolute values
        self.random = np.random.default_rng(SEED)
        self.symbols = {s.name: s for s in sequent.variables}
        place = {name: i for i, name in enumerate(self.symbols)}
        assumed = _follow(sequent.premises)
        self.parts = [_PendingAssumption(x, set(names_in(x))) for x in assumed]
        self.equations = [e for x in assumed for e in _equations(x) if not _looks_ahead(e, place)]

    def look(self) -> BoxCheck:
        self._drop()
        while self.rows and len(self.columns) < len(self.symbols):
            symbol = self._next()
            self._assign(symbol)
            for missing in (*(p.missing for p in self.parts), *(e.missing for e in self.equations)):
                missing.discard(symbol.name)
            self._drop()
        if not self.rows:
            return BoxCheck(0)
        shown = self.table.evaluate(self.sequent.show)
        looked = ~shown.undefined
        false = np.flatnonzero(looked & ~shown.values.astype(bool))
        cases = int(np.count_nonzero(looked))
        return BoxCheck(cases, self._row(int(false[0])) if len(false) else None)

    @property
    def table(self) -> ColumnTable:
        """The table that evaluates terms at the present combinations of values."""
        if self._table is None:
            self._table = ColumnTable(self.columns)
        return self._table

    def _row(self, number: int) -> dict[str, int | bool]:
        return {
            name: bool(column[number]) if self.symbols[name].type == BOOL else int(column[number])
            for name, column in self.columns.items()
        }

    # -- assigning ----------------------------------------------------------------------------------------------------
    def _next(self) -> Symbol:
        """Return the variable that gets its values next.

        It occurs in a premise that lacks the values of as few variables as possible. If a premise states that a
        variable equals a term whose value is not known yet, this variable is chosen later.
        """
        unready = Counter(e.name for e in self.equations if e.sure and e.missing)
        nearest: dict[str, int] = {}
        for part in self.parts:
            for name in part.missing:
                nearest[name] = min(nearest.get(name, len(part.missing)), len(part.missing))
        left = (s for s in self.sequent.variables if s.name not in self.columns)
        return min(left, key=lambda s: (unready[s.name], nearest.get(s.name, len(self.symbols))))

    def _assign(self, symbol: Symbol) -> None:
        """Combine every present combination with the values of one more variable."""
        small, every = list(_values(symbol)), np.arange(self.rows)
        values: Array = np.array(small, dtype=bool) if symbol.type == BOOL else to_array(small)
        found: list[Array] = [np.repeat(values, self.rows)]
        rows = [every] * len(small)
        for equation in self.equations:
            if equation.name == symbol.name and not equation.missing:
                said = self.table.evaluate(equation.value)
                new = ~said.undefined & _is_inside(said.values, symbol)
                for value in small:
                    new &= said.values != value
                rows.append(every[new])
                found.append(said.values[new])
        column = np.concatenate(found)
        self._take(np.concatenate(rows), {symbol.name: column})
        self.total += np.minimum(np.abs(column), LARGE).astype(np.int64)

    def _drop(self) -> None:
        """Evaluate the premises whose variables all have values. Keep only combinations at which they hold."""
        ready = [p for p in self.parts if not p.missing]
        kept = np.arange(self.rows)
        if ready:
            self.parts = [p for p in self.parts if p.missing]
            holds = np.ones(self.rows, dtype=bool)
            for part in ready:
                found = self.table.evaluate(part.term)
                holds &= found.values.astype(bool) & ~found.undefined
            kept = kept[holds]
        if len(kept) > self.most:
            kept = self._thin(kept)
        if len(kept) < self.rows:
            self._take(kept, {})

    def _thin(self, kept: Array) -> Array:
        """Return a selection of the combinations `kept`, as many as the limit allows.

        One half consists of the combinations with the smallest values. The other half is a random sample of the others.
        """
        order = self.total.take(kept).argsort(kind="stable")
        half = self.most // 2
        drawn = self.random.choice(order[half:], self.most - half, replace=False)
        thinned: Array = kept[np.sort(np.concatenate((order[:half], drawn)))]
        return thinned

    def _take(self, rows: Array, new: Columns) -> None:
        """Keep only the combinations with the indices `rows`, and add columns for new variables."""
        self.columns = {name: column.take(rows) for name, column in self.columns.items()} | new
        self._table = None
        self.rows, self.total = len(rows), self.total.take(rows)


def _follow(premises: tuple[t.Term, ...]) -> list[t.Term]:
    """Return the conjuncts of the premises.

    If the condition of an implication is among the premises, its conclusion replaces the implication.
    """
    known: dict[Hashable, t.Term] = {}
    waiting = [x for p in premises for x in t.conjuncts(p)]
    while waiting:
        found = {structural_key(x): x for x in waiting}
        known |= found
        waiting = []
        for key, x in list(known.items()):
            if isinstance(x, t.AnyOf):
                left = [y for y in x.args if not _is_refuted(y, known)]
                if len(left) == 1:
                    del known[key]
                    waiting += t.conjuncts(left[0])
    return list(known.values())


def _is_refuted(term: t.Term, known: Mapping[Hashable, t.Term]) -> bool:
    """Whether the term is `not (...)` and all conjuncts inside are among the conditions `known`."""
    denied = term.args[0] if isinstance(term, t.Operation) and term.op == "not" else None
    return denied is not None and all(structural_key(x) in known for x in t.conjuncts(denied))


def _equations(term: t.Term, sure: bool = True) -> Iterator[_Equation]:
    """Yield the equations between a variable and a term that occur in a condition.

    `sure`: whether the condition is a premise; see `_Equation`.
    """
    match term:
        case t.AllOf(args=args) | t.AnyOf(args=args):
            for x in args:
                yield from _equations(x, sure and isinstance(term, t.AllOf))
        case t.Operation(op="eq", args=(a, b)):
            for name, value in ((a, b), (b, a)):
                if isinstance(name, t.Variable):
                    yield _Equation(name.name, value, set(names_in(value)), sure)


def _looks_ahead(equation: _Equation, place: Mapping[str, int]) -> bool:
    """Whether an equation has the form x == y for two variables, and y is declared after x.

    Such an equation is not used; the equation y == x is used instead.
    """
    return isinstance(equation.value, t.Variable) and place[equation.value.name] > place[equation.name]


def _is_inside(values: Array, symbol: Symbol) -> NDArray[np.bool_]:
    inside = np.ones(len(values), dtype=bool)
    if symbol.lo is not None:
        inside &= np.asarray(values >= symbol.lo)
    if symbol.hi is not None:
        inside &= np.asarray(values <= symbol.hi)
    return inside


def _values(symbol: Symbol) -> Iterator[int]:
    """Yield the small values of a variable.

    These are both truth values, or a few numbers from the lower bound on. Without a lower bound, they start at -1.
    """
    if symbol.type == BOOL:
        yield from (0, 1)
        return
    lo = -1 if symbol.lo is None else symbol.lo
    hi = lo + VALUES if symbol.hi is None else min(symbol.hi, lo + VALUES - 1)
    yield from range(lo, hi + 1)


# == discharge ========================================================================================================
# How an obligation is proved or refuted. The method is the same for every rule: evaluation on a box, then solvers.
#
# An obligation is proved if its negation has no model. A certificate proves this. It is verified, and does not rely on
# a solver. Other solvers are used only if the search for a certificate fails. The query is then repeated with other
# seeds. On request, further solvers confirm a proof or a counterexample. If two results contradict each other, the
# whole proof is worthless, and the report says so. The premises must have a model, because contradictory premises imply
# every conclusion.
#
# Proofs are cached, because claims about one game share most of their obligations.
SHARE = 20  # checks other than the proof itself get a twentieth of its steps
PART = 4  # after the search for a certificate gave up, a solver gets a quarter of the steps
STEPS_OF_A_DECISION = 2_000_000  # if `decide` needs more steps, it returns False
REMEMBERED = 5_000  # largest number of cached obligations, about a kilobyte each

NESTED = "limit met: the obligation is nested too deeply"

_proved: dict[Hashable, Obligation] = {}


def discharge(sequent: Sequent, effort: Effort, seconds: float | None) -> Obligation:
    """Prove or refute one obligation, and return the result. Raises Unsupported.

    `seconds`: the remaining CPU time; None for no limit. It is not wall-clock time, because then the result would
    depend on the load of the machine.
    """
    started = time.monotonic()
    if seconds is not None and seconds <= 0:
        late = Obligation(
            sequent.name, ObligationStatus.UNKNOWN, OpenReason.OUT_OF_TIME.says(), cause=OpenReason.OUT_OF_TIME
        )
        return _attach_sequent(sequent, late)
    try:
        if sequent.table is not None:
            checked = _check(sequent.name, sequent.table)
            return _attach_sequent(sequent, replace(checked, seconds=time.monotonic() - started))
        found = _discharge(sequent, effort, None if seconds is None else time.process_time() + seconds)
    except Unsupported:
        raise
    except RecursionError:
        return _attach_sequent(sequent, Obligation(sequent.name, ObligationStatus.UNKNOWN, NESTED))
    except Exception as error:
        error.add_note(f"in the obligation {sequent.name!r}")
        raise
    if sequent.unread and found.result is ObligationStatus.FAILED:
        # The hypotheses that were not translated may exclude these values.
        detail = OpenReason.UNREAD.says(condition=" and ".join(sequent.unread))
        found = replace(found, result=ObligationStatus.UNKNOWN, detail=detail, values=(), cause=OpenReason.UNREAD)
    return _attach_sequent(sequent, found)


def _attach_sequent(sequent: Sequent, found: Obligation) -> Obligation:
    """Return the obligation with its sequent."""
    return replace(found, sequent=sequent, of_kind=sequent.kind)


def _check(name: str, table: PeriodicTable | QuotientTable) -> Obligation:
    """Verify a table of Grundy values or a misère quotient, and return the obligation `name` with the result.

    The table is its own certificate.
    """
    of_heaps = isinstance(table, PeriodicTable)
    told = to_text(table) if isinstance(table, PeriodicTable) else quotient_to_text(table)
    formula = hashlib.sha256(told.encode()).hexdigest()
    try:
        words = verify(table).words if isinstance(table, PeriodicTable) else verify_quotient(table)
    except UnverifiedTable as error:
        return Obligation(name, ObligationStatus.FAILED, str(error), formula=formula)
    except TableTooLarge as error:
        return Obligation(name, ObligationStatus.UNKNOWN, f"limit met: {error}", formula=formula)
    note = f"{table.repeats}: {words}"
    written = CertificateText(f'{{"{"table" if of_heaps else "quotient"}":{told}}}')
    return Obligation(name, ObligationStatus.PROVED, note=note, formula=formula, certificate=written)


def _discharge(sequent: Sequent, effort: Effort, deadline: float | None) -> Obligation:
    """Return the cached proof of an obligation, or try to prove it now.

    The result contains the time that the proof took. Only proofs are cached.

    `deadline`: the time on `time.process_time()` at which the search ends; None for no limit.
    """
    started = time.monotonic()
    apart = tuple(h.words for h in sequent.hypotheses), tuple((id, len(said)) for id, said in sequent.lemmas)
    asked = identify(sequent), apart, effort, check_on_box, exact, default_solver, list_confirming_solvers
    found = _proved.get(asked)
    if found is None:
        found = replace(_decide(sequent, effort, deadline), seconds=time.monotonic() - started)
        if found.proved:
            if len(_proved) == REMEMBERED:
                _proved.clear()
            _proved[asked] = found
    return replace(found, name=sequent.name)


def _decide(sequent: Sequent, effort: Effort, deadline: float | None) -> Obligation:
    look = check_on_box(sequent)
    if look.falsified is not None:
        return _report_failure(sequent, EVALUATION, look.falsified, effort, deadline)
    solver, outcome = _prove(sequent, effort, deadline)
    if outcome.found is SolverStatus.FAILS:
        return _report_failure(sequent, outcome.solver, outcome.values, effort, deadline)
    if outcome.found is not SolverStatus.PROVED:
        limit = f" (limit: {effort.steps} steps; --effort raises it)" if outcome.out_of_steps else ""
        if outcome.found is SolverStatus.BOUNDED:
            return _open(sequent, ObligationStatus.UNKNOWN, outcome.reason, solver.name)
        reason = OpenReason.GAVE_UP.says(reason=f"{outcome.reason}{limit}")
        return replace(_open(sequent, ObligationStatus.UNKNOWN, reason, solver.name), cause=OpenReason.GAVE_UP)
    heard = _hear(sequent, solver, outcome, effort, deadline)
    if heard.against:
        detail = f"two solvers disagree: {heard.against} has a counterexample, but {solver.name} has a proof"
        return _open(sequent, ObligationStatus.CONTRADICTION, detail, solver.name)
    proved = Obligation(
        sequent.name, ObligationStatus.PROVED, formula=identify(sequent), solvers=(solver.name, *heard.confirmed)
    )
    proved = replace(proved, certificate=outcome.certificate, lemmas=tuple(id for id, _ in sequent.lemmas))
    notes = [*heard.notes, *([PLAIN] if outcome.plain else [])]
    aside = replace(effort, steps=max(1, effort.steps // SHARE))
    if not look.cases and _is_vacuous(sequent, solver, aside, deadline):
        alone = not sequent.lemmas or _is_vacuous(replace(sequent, lemmas=()), solver, aside, deadline)
        if sequent.hypotheses:
            cause = OpenReason.HYPOTHESES if alone else OpenReason.LEMMAS
            return replace(proved, result=ObligationStatus.FAILED, detail=cause.says(), cause=cause)
        notes.append(f"never needed: its premises cannot hold{'' if alone else ', by the lemmas'}")
    elif (used := _find_used(sequent, solver, outcome, aside, deadline)) is not None:
        unused = [h.words for i, h in enumerate(sequent.hypotheses) if i not in used]
        notes += [f"does not need: {', '.join(unused)}"] if unused else []
        ids = enumerate((id for id, _ in sequent.lemmas), len(sequent.hypotheses))
        proved = replace(proved, lemmas=tuple(id for i, id in ids if i in used))
    return replace(proved, note="; ".join(notes), is_trivial=notes == [PLAIN], is_reproducible=heard.steady)


def _prove(sequent: Sequent, effort: Effort, deadline: float | None) -> tuple[Solver, SolverResult]:
    """Search for a certificate; if this fails, ask other solvers. Return the solver and its result.

    The default solver runs first, then the other solvers until one has a proof. If a limit stopped the search for a
    certificate, the solvers get fewer steps than the search. Raises Unsupported.
    """
    solver = exact()
    refuse_unless_capable(solver, sequent)
    searched = outcome = solver.check(sequent, _limits(effort, effort.seeds[0], deadline))
    if not searched.incomplete:
        return solver, searched
    part = replace(effort, steps=max(1, effort.steps // PART)) if searched.by_limit else effort
    run = _runs(sequent, part, deadline)
    solver = default_solver()
    refuse_unless_capable(solver, sequent)
    try:
        outcome = solver.check(sequent, _limits(part, part.seeds[0], deadline))
    except Unsupported:
        if not searched.by_limit:
            raise
        return exact(), searched
    if outcome.found in (SolverStatus.PROVED, SolverStatus.FAILS):
        return solver, outcome
    if searched.by_limit:
        reason = f"{searched.reason}; {solver.name}: {outcome.reason}"
        outcome = replace(outcome, found=SolverStatus.UNKNOWN, reason=reason, out_of_steps=False)
    for other in list_confirming_solvers():
        with suppress(Unsupported):  # the solver cannot read the sequent, or is not installed
            if other.name != solver.name and (told := run(other, part.seeds[0])).found is SolverStatus.PROVED:
                return other, told
    return solver, outcome


def _report_failure(
    sequent: Sequent, who: str, values: Mapping[str, int | bool], effort: Effort, deadline: float | None
) -> Obligation:
    fails, asked = format_values(sequent, values), list_confirming_solvers() if effort.second else ()
    heard = hear_of_failure(asked, effort.seeds[0], _runs(sequent, effort, deadline), sequent, values)
    if heard.against:
        detail = f"two solvers disagree: {heard.against} has a proof, but according to {who} the obligation {fails}"
        return _open(sequent, ObligationStatus.CONTRADICTION, detail, who)
    failed = _open(sequent, ObligationStatus.FAILED, "; ".join((fails, *heard.notes)), who)
    return replace(failed, values=select_values(sequent, values))


def _open(sequent: Sequent, result: ObligationStatus, detail: str, who: str) -> Obligation:
    smt2 = ""
    with suppress(Unsupported):  # certificates support some terms that SMT-LIB does not
        smt2 = script_of(sequent).text
    return Obligation(sequent.name, result, detail, smt2=smt2, formula=identify(sequent), solvers=(who,))


def identify(sequent: Sequent) -> str:
    """Return a digest of a sequent (premises and a conclusion).

    Two sequents with equal digests state the same proposition. Raises Unsupported.
    """
    try:
        return read_problem(sequent).digest
    except Unsupported:
        return script_of(sequent).digest()


def _limits(effort: Effort, seed: int, deadline: float | None) -> Limits:
    return Limits(effort.steps, seed, None if deadline is None else max(0.001, deadline - time.process_time()))


def format_values(sequent: Sequent, values: Mapping[str, int | bool]) -> str:
    """Return the values at which an obligation fails as text, such as `fails at a = 1, b = 0`."""
    told = {s.name: s.display_name or s.name for s in sequent.variables}
    return "fails at " + (", ".join(f"{told[n]} = {v}" for n, v in select_values(sequent, values)) or "all values")


def select_values(sequent: Sequent, values: Mapping[str, int | bool]) -> tuple[tuple[str, int | bool], ...]:
    """Return pairs (name, value), sorted by name, without the auxiliary variables."""
    return tuple(sorted((s.name, values[s.name]) for s in sequent.variables if not s.aside and s.name in values))


def _hear(sequent: Sequent, solver: Solver, proved: SolverResult, effort: Effort, deadline: float | None) -> CrossCheck:
    """Compare a proof with the results of other seeds, and with the results of other solvers if `effort.second`.

    The search for a certificate is not repeated with other seeds.
    """
    run = _runs(sequent, effort, deadline)
    again = hear_seeds(solver, effort.seeds[1:] if proved.certificate is None else (), run)
    if again.against or not effort.second:
        return again
    heard = cross_check_proof((x for x in list_confirming_solvers() if x.name != solver.name), effort.seeds[0], run)
    return replace(heard, notes=(*again.notes, *heard.notes), steady=again.steady and heard.steady)


def _runs(sequent: Sequent, effort: Effort, deadline: float | None) -> Run:
    return lambda solver, seed: ask(solver, sequent, _limits(effort, seed, deadline))


def _is_vacuous(sequent: Sequent, solver: Solver, effort: Effort, deadline: float | None) -> bool:
    """Whether the solver proves that the premises contradict each other."""
    never = replace(sequent, show=NO)
    return solver.check(never, _limits(effort, effort.seeds[0], deadline)).found is SolverStatus.PROVED


def _find_used(
    sequent: Sequent, solver: Solver, proved: SolverResult, effort: Effort, deadline: float | None
) -> frozenset[int] | None:
    """Return the indices of the tracked premises (hypotheses and lemmas) that a proof uses; None if unknown."""
    if proved.used is not None:
        return proved.used if sequent.tracked_premises else None
    return (
        solver.find_used_premises(sequent, _limits(effort, effort.seeds[0], deadline))
        if sequent.tracked_premises
        else None
    )


def decide(sequent: Sequent, steps: int = STEPS_OF_A_DECISION) -> bool:
    """Whether a sequent is proved with little effort. Only searches use the result; no proof relies on it.

    The default solver is fast and runs first. If it proves the sequent only below a bound, the exact solver decides.
    """
    limits = Limits(steps, USUAL.seeds[0])
    try:
        found = default_solver().check(sequent, limits).found
        return (exact().check(sequent, limits).found if found is SolverStatus.BOUNDED else found) is SolverStatus.PROVED
    except RecursionError:
        return False


def is_certain(sequent: Sequent) -> bool:
    """Whether a sequent is proved with little effort, by a certificate."""
    if not decide(sequent):
        return False
    return exact().check(sequent, Limits(STEPS_OF_A_DECISION, USUAL.seeds[0])).certificate is not None
