"""Discharging an obligation, the same for every rule: looked at on a box, then given to solvers.

An obligation is proved if its negation has no model: by a certificate, which is checked and rests on no solver.  Only
of what is beyond certificates a solver is asked, and that answer is not taken from one run alone: the query is put
again with other seeds.  Other solvers are asked where they are wanted, of what fails too; an answer that one of them
contradicts makes the whole proof worthless and is reported as such.  What is assumed must have a model, or it would
prove anything.

What was proved is remembered: claims about one game share most of what has to be shown, and nothing is asked twice.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import replace

from encoders.answer import PLAIN, Obligation, ObligationStatus
from encoders.ground.kinds import OpenReason
from encoders.ground.refusals import Unsupported
from encoders.logic.discharge import agreement
from encoders.logic.discharge.agreement import CrossCheck
from encoders.logic.discharge.box import check_on_box
from encoders.logic.naturals.certificates.certificate import CertificateText
from encoders.logic.naturals.formulas.problem import read_problem
from encoders.logic.sequent import Sequent
from encoders.logic.smt.scripts import script_of
from encoders.logic.solvers import confirming_solvers, default_solver, exact
from encoders.logic.solvers.effort import USUAL, Effort
from encoders.logic.solvers.solver import EVALUATION, Limits, Solver, SolverResult, SolverStatus, refuse_unless_capable
from encoders.logic.terms import NO
from encoders.periods.quotient import QuotientTable, quotient_to_text, verify_quotient
from encoders.periods.table import PeriodicTable, to_text
from encoders.periods.verify import TableTooLarge, UnverifiedTable, verify

SHARE = 20  # the checks beside the proof itself may take a twentieth of its steps
PART = 4  # of the steps is spent on what a search for a certificate has given up
STEPS_OF_A_DECISION = 2_000_000  # what is not decided within so many stays undecided
REMEMBERED = 5_000  # obligations, about a kilobyte each

NESTED = "limit met: what is asked is nested too deeply"

_proved: dict[Hashable, Obligation] = {}


def discharge(sequent: Sequent, effort: Effort, seconds: float | None) -> Obligation:
    """One obligation. `seconds`: those that are left. Raises Unsupported."""
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
        found = _discharge(sequent, effort, None if seconds is None else started + seconds)
    except Unsupported:
        raise
    except RecursionError:
        return _attach_sequent(sequent, Obligation(sequent.name, ObligationStatus.UNKNOWN, NESTED))
    except Exception as error:
        error.add_note(f"in the obligation {sequent.name!r}")
        raise
    if sequent.unread and found.result is ObligationStatus.FAILED:
        # The values at which it fails may be none that the unread conditions admit.
        detail = OpenReason.UNREAD.says(condition=" and ".join(sequent.unread))
        found = replace(found, result=ObligationStatus.UNKNOWN, detail=detail, values=(), cause=OpenReason.UNREAD)
    return _attach_sequent(sequent, found)


def _attach_sequent(sequent: Sequent, found: Obligation) -> Obligation:
    """With what was asked."""
    return replace(found, sequent=sequent, of_kind=sequent.kind)


def _check(name: str, table: PeriodicTable | QuotientTable) -> Obligation:
    """A table, looked at: it is its own certificate."""
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
    """What was proved before, with the time that it took then, else what is found now; only proofs are remembered."""
    started = time.monotonic()
    apart = tuple(h.words for h in sequent.hypotheses), tuple((id, len(said)) for id, said in sequent.lemmas)
    asked = identify(sequent), apart, effort, check_on_box, exact, default_solver, confirming_solvers
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
        return _failed(sequent, EVALUATION, look.falsified, effort, deadline)
    solver, outcome = _prove(sequent, effort, deadline)
    if outcome.found is SolverStatus.FAILS:
        return _failed(sequent, outcome.solver, outcome.values, effort, deadline)
    if outcome.found is not SolverStatus.PROVED:
        limit = f" (limit: {effort.steps} steps, which --effort moves)" if outcome.out_of_steps else ""
        if outcome.found is SolverStatus.BOUNDED:
            return _open(sequent, ObligationStatus.UNKNOWN, outcome.reason, solver.name)
        reason = OpenReason.GAVE_UP.says(reason=f"{outcome.reason}{limit}")
        return replace(_open(sequent, ObligationStatus.UNKNOWN, reason, solver.name), cause=OpenReason.GAVE_UP)
    heard = _hear(sequent, solver, outcome, effort, deadline)
    if heard.against:
        detail = f"two solvers disagree: {heard.against} has a counterexample to what {solver.name} proves"
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
        notes.append(f"never needed: its premises are never met{'' if alone else ', by the lemmas'}")
    elif (used := _find_used(sequent, solver, outcome, aside, deadline)) is not None:
        unused = [h.words for i, h in enumerate(sequent.hypotheses) if i not in used]
        notes += [f"does without: {', '.join(unused)}"] if unused else []
        ids = enumerate((id for id, _ in sequent.lemmas), len(sequent.hypotheses))
        proved = replace(proved, lemmas=tuple(id for i, id in ids if i in used))
    return replace(proved, note="; ".join(notes), plain=notes == [PLAIN], steady=heard.steady)


def _prove(sequent: Sequent, effort: Effort, deadline: float | None) -> tuple[Solver, SolverResult]:
    """The certificate; of what is beyond certificates, what the first solver says, or else who proves it.

    Where it was a limit that stopped the search for one, less is spent than on the search.  Raises Unsupported.
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
    for other in confirming_solvers():
        with suppress(Unsupported):  # who cannot read it, or is not there
            if other.name != solver.name and (told := run(other, part.seeds[0])).found is SolverStatus.PROVED:
                return other, told
    return solver, outcome


def _failed(
    sequent: Sequent, who: str, values: Mapping[str, int | bool], effort: Effort, deadline: float | None
) -> Obligation:
    fails, asked = format_values(sequent, values), confirming_solvers() if effort.second else ()
    heard = agreement.hear_of_failure(asked, effort.seeds[0], _runs(sequent, effort, deadline), sequent, values)
    if heard.against:
        detail = f"two solvers disagree: {heard.against} proves what {fails}, by {who}"
        return _open(sequent, ObligationStatus.CONTRADICTION, detail, who)
    failed = _open(sequent, ObligationStatus.FAILED, "; ".join((fails, *heard.notes)), who)
    return replace(failed, values=kept(sequent, values))


def _open(sequent: Sequent, result: ObligationStatus, detail: str, who: str) -> Obligation:
    smt2 = ""
    with suppress(Unsupported):  # a certificate may be about more than SMT-LIB is written for
        smt2 = script_of(sequent).text
    return Obligation(sequent.name, result, detail, smt2=smt2, formula=identify(sequent), solvers=(who,))


def identify(sequent: Sequent) -> str:
    """A digest of what is asked, the same for two sequents only if they ask the same. Raises Unsupported."""
    try:
        return read_problem(sequent).digest
    except Unsupported:
        return script_of(sequent).digest()


def _limits(effort: Effort, seed: int, deadline: float | None) -> Limits:
    return Limits(effort.steps, seed, None if deadline is None else max(0.001, deadline - time.monotonic()))


def format_values(sequent: Sequent, values: Mapping[str, int | bool]) -> str:
    """The values at which an obligation fails, in words."""
    told = {s.name: s.told or s.name for s in sequent.variables}
    return "fails at " + (", ".join(f"{told[n]} = {v}" for n, v in kept(sequent, values)) or "all values")


def kept(sequent: Sequent, values: Mapping[str, int | bool]) -> tuple[tuple[str, int | bool], ...]:
    """The values of the variables by name, those apart that were made on the way."""
    return tuple(sorted((s.name, values[s.name]) for s in sequent.variables if not s.aside and s.name in values))


def _hear(sequent: Sequent, solver: Solver, proved: SolverResult, effort: Effort, deadline: float | None) -> CrossCheck:
    """What is said of it by the solver that proves it, with other seeds, and by the others; a certificate has none."""
    run = _runs(sequent, effort, deadline)
    again = agreement.hear_seeds(solver, effort.seeds[1:] if proved.certificate is None else (), run)
    if again.against or not effort.second:
        return again
    heard = agreement.cross_check_proof(
        (x for x in confirming_solvers() if x.name != solver.name), effort.seeds[0], run
    )
    return replace(heard, notes=(*again.notes, *heard.notes), steady=again.steady and heard.steady)


def _runs(sequent: Sequent, effort: Effort, deadline: float | None) -> agreement.Run:
    return lambda solver, seed: agreement.ask(solver, sequent, _limits(effort, seed, deadline))


def _is_vacuous(sequent: Sequent, solver: Solver, effort: Effort, deadline: float | None) -> bool:
    """Whether what is assumed can be shown never to hold."""
    never = replace(sequent, show=NO)
    return solver.check(never, _limits(effort, effort.seeds[0], deadline)).found is SolverStatus.PROVED


def _find_used(
    sequent: Sequent, solver: Solver, proved: SolverResult, effort: Effort, deadline: float | None
) -> frozenset[int] | None:
    """What of the hypotheses and lemmas the proof makes use of, by their places in `apart`; None: not known."""
    if proved.used is not None:
        return proved.used if sequent.apart else None
    return solver.used(sequent, _limits(effort, effort.seeds[0], deadline)) if sequent.apart else None


def decide(sequent: Sequent, steps: int = STEPS_OF_A_DECISION) -> bool:
    """Whether a sequent is plainly so, with little effort: a proof may be looked for by it, and never rests on it.

    The first solver is asked, which is quick; of what it knows only below a bound, the exact one.
    """
    limits = Limits(steps, USUAL.seeds[0])
    try:
        found = default_solver().check(sequent, limits).found
        return (exact().check(sequent, limits).found if found is SolverStatus.BOUNDED else found) is SolverStatus.PROVED
    except RecursionError:
        return False


def is_certain(sequent: Sequent) -> bool:
    """Whether a sequent is plainly so, and a certificate shows it: what rests on that rests on no solver."""
    if not decide(sequent):
        return False
    return exact().check(sequent, Limits(STEPS_OF_A_DECISION, USUAL.seeds[0])).certificate is not None
